/* The model as bodies see it: mesh, tree and the constants of its deformer. */
#ifndef GRAZEI_MODEL_MODEL_H
#define GRAZEI_MODEL_MODEL_H

#include "base/assert.h"
#include "base/hear.h"
#include "base/threads.h"
#include "deform/refit.h"
#include "deform/skin.h"
#include "folds/folds.h"
#include "mesh/mesh.h"
#include "narrow/interval_kernels.h"
#include "narrow/triangle_kernels.h"
#include "tree/tree.h"

#include <stdatomic.h>

/* The groups of the triangles below each node of the tree, each once. */
typedef struct grazei_node_groups {
    uint32_t *first; /* where a node's begin; NULL: nothing is known */
    uint8_t *counts; /* 0: more than GRAZEI_MOST_NODE_GROUPS, which are not listed */
    uint32_t *groups;
    size_t count, capacity; /* of groups */
} grazei_node_groups;

enum { GRAZEI_MOST_NODE_GROUPS = 32 };

/* How it is with a part of a model: see later.h. */
enum { GRAZEI_IS_THERE, GRAZEI_LATER, GRAZEI_FAILED };

/* Of an on_demand model; all zero where everything was made at once. */
typedef struct grazei_later {
    grazei_lock lock; /* held by who makes something; others try, and do without */
    atomic_uint folds, outline, stream;
    atomic_uint boxes; /* that were asked for without an outline */
    struct grazei_fold_builder *work;
} grazei_later;

struct graze_model {
    graze_allocator allocator;
    atomic_uint
        holders; /* the caller, and every body and finder made of it: the last one frees it */
    grazei_mesh mesh;
    grazei_tree tree;
    grazei_skin skin;
    grazei_folds
        folds; /* by grazei_model_folds; without nodes if no_self_collision was asked for */
    grazei_later later;
    grazei_node_groups node_groups; /* likewise */
    graze_isa isa;
    const grazei_deformer *deformer;
    const grazei_refit_kernels *refit;
    const grazei_interval_kernels *intervals;
    const grazei_triangle_kernels *triangles;
    grazei_known known; /* for who listens */
};

/* A model made of what another one kept in its mesh: weights are as they are, and vertices that
 * cannot part are told. The tree is built anew. *def has no reserved words.
 *   - welds of every vertex are those that grazei_weld may find.
 */
graze_status grazei_model_remake(const graze_model_def *def, const uint32_t *welds,
                                 graze_model **model, graze_error *error);

/* A model of the same triangles at other positions, which follow one joint: 3 floats a vertex. */
graze_status grazei_model_freeze(const graze_model *model, const float *positions,
                                 graze_model **frozen, graze_error *error);

/* Makes rest positions, until then those of linear blending, what the model's own skinning makes
 * of the rest pose.
 */
graze_status grazei_model_pose_rest(graze_model *model, graze_error *error);

/* graze_model_is_closed of the triangles whose groups are in a bit set; NULL: of all. */
graze_status grazei_model_part_is_closed(const graze_model *model, const uint32_t *mask,
                                         bool *closed, graze_error *error);

/* Fills zeroed lists; false when out of memory, and the caller releases what is there. */
bool grazei_node_groups_build(grazei_node_groups *lists, const grazei_mesh *mesh,
                              const grazei_tree *tree, const graze_allocator *allocator);
void grazei_node_groups_release(grazei_node_groups *lists, const graze_allocator *allocator);

/* Whether a triangle below a node may be of a group in a bit set. */
static inline bool grazei_node_may_have(const grazei_node_groups *lists, uint32_t node,
                                        const uint32_t *bits)
{
    if (!lists->first || !lists->counts[node])
        return true;
    GRAZE_ASSERT(lists->counts[node] <= GRAZEI_MOST_NODE_GROUPS &&
                 lists->first[node] < lists->count);
    const uint32_t *groups = lists->groups + lists->first[node];
    for (uint32_t i = 0; i < lists->counts[node]; i++)
        if (bits[groups[i] / 32] >> (groups[i] % 32) & 1)
            return true;
    return false;
}

/* Whether two vertices have the same influences and displacements. */
bool grazei_move_alike(const grazei_mesh *mesh, uint32_t a, uint32_t b);

/* One holder more; one less, and the last one frees it. */
const graze_model *grazei_model_hold(const graze_model *model);
void grazei_model_let_go(const graze_model *model);

/* Bytes of the tree and of what its deformer reads. */
size_t grazei_model_tree_bytes(const graze_model *model);

/* As graze_model_validate. */
graze_status grazei_model_validate(const graze_model *model, graze_error *error);

#endif
