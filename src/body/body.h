/* A body: a model in a pose, and what has been computed of it since the pose was set.
 *
 * Queries ask a body two questions, and name none of its fields:
 *
 *     what bounds node n now?             body/bounds.h
 *     what does patch p look like now?    body/patches.h
 *
 * Answers are computed when first asked for and kept until the pose changes. Everything kept has a
 * mark (base/threads.h). A pose has a stamp, an even number; what is there in this pose has a mark
 * that is set with it. A new pose is a new stamp, and nothing is cleared. While several threads
 * share the body, the one that makes something claims its mark first, and others wait for it; one
 * thread alone pays a branch for that. What is marked does not change while the body is shared.
 *
 * A lean body has caches only while it is asked about: they are lent by a pool, and
 * grazei_body_ready stands before every question that needs more than the pose. The stamp belongs
 * to the caches, so that no mark of another body is taken for one of this one's.
 *
 * Files: memory.c and lifetime.c (making and freeing), lean.c (caches that are lent), pose.c (what
 * changes the pose), positions.c (the caller's positions in place of one), cache.c (what is
 * computed on demand), coherent.c (spheres that outlive small changes), mask.c (which body parts
 * take part), state.c (all that was set), vertices.c (chosen vertices alone), inspect.c (a look at
 * nodes and sizes), validate.c (whether all of it is as it should be).
 */
#ifndef GRAZEI_BODY_BODY_H
#define GRAZEI_BODY_BODY_H

#include "base/assert.h"
#include "base/hear.h"
#include "base/threads.h"
#include "model/later.h"
#include "narrow/interval_kernels.h"

#include <graze/body.h>

/* The marks of a patch: what of it is there. */
enum {
    GRAZEI_POSED,    /* points and box */
    GRAZEI_SET,      /* the triangles themselves, ready for lanes */
    GRAZEI_MEASURED, /* as intervals of small integers, as a whole */
    GRAZEI_PATCH_MARKS
};

/* Rows of intervals are kept for some patches only, each in the slot of its number: walks come back
 * to a patch soon or never, and so few stay in the near caches.
 */
enum { GRAZEI_SLOTS = 128 };

/* A packet of rays takes slots side by side, so many a patch, for rows of its own. */
enum { GRAZEI_SLOTS_OF_RAYS = 3 };

typedef struct grazei_slot {
    uint32_t stamp, number; /* of the pose and the patch that it is for */
} grazei_slot;

/* Added to the number: these are rows for rays. */
#define GRAZEI_FOR_RAYS 0x80000000u

/* Everything that is kept of a pose: the body's own, or lent by a pool. */
typedef struct grazei_cache {
    atomic_uint *node_marks; /* on the first of siblings: they are bounded */
    atomic_uint (*patch_marks)[GRAZEI_PATCH_MARKS];
    grazei_bound *bounds;        /* one a node */
    grazei_bound *boxes;         /* one a patch, around its points */
    float (*points)[4];          /* posed, patch by patch */
    float *sets;                 /* triangle sets, set_floats a patch; NULL for small patches */
    grazei_intervals *intervals; /* one a patch; NULL like the sets, and so the next two */
    uint8_t *interval_rows;      /* of as many patches as there are slots, slot_bytes each */
    grazei_slot *slots;
    float (*positions)[4]; /* posed, in the mesh's order */
    float (*morphed)[4];   /* rest positions of the whole mesh, morphed; NULL without targets */
    grazei_fold_pair *fold_pairs; /* for self-collision; NULL without a table of folds */
    grazei_piece_pose *fold_pieces;
    f4_map *fold_maps;           /* NULL where rest is every joint at the identity */
    grazei_fold_sums *fold_sums; /* NULL: not used */
    uint32_t set_floats, slot_bytes, slot_count;
} grazei_cache;

/* A cache of a pool, and what its next borrower has to know of the one before. */
typedef struct grazei_lent {
    grazei_cache cache;
    uint32_t stamp;          /* the last one in use */
    uint32_t coherent_epoch; /* likewise */
    struct grazei_lent *next;
} grazei_lent;

/* Room for a pose of a pool. */
typedef struct grazei_spare {
    grazei_joints joints;
    struct grazei_spare *next;
} grazei_spare;

/* How much of a patch or node takes part: a bit for what does, and one for what does not. */
typedef enum grazei_part { GRAZEI_ALL = 1, GRAZEI_NONE = 2, GRAZEI_SOME = 3 } grazei_part;

typedef struct grazei_mask grazei_mask; /* body/mask.h */

/* Who is told when a body changes, by two flags of its own. Bodies that change at the same time on
 * different threads may share flags.
 */
typedef struct grazei_watcher {
    graze_body *body; /* NULL: none, or it is gone */
    struct grazei_watcher *next;
    atomic_uchar *flags[2];
} grazei_watcher;

struct graze_body {
    const graze_model *model;
    const grazei_tree *tree; /* the model's, or the mask's where one is set */
    grazei_mask *mask;       /* NULL until the first one */
    void *user_data;
    grazei_known known; /* for who listens */
    grazei_watcher *watchers;
    grazei_joints joints[2]; /* the current one, and room for the next; lean: the first alone */
    uint32_t current;
    bool given;          /* positions are the caller's, and the joints mean nothing */
    uint32_t stamp;      /* even, never 0; of a lean body only while it has caches */
    uint32_t pose_count; /* goes up with every new pose */
    uint32_t drop_count; /* goes up whenever what was computed is dropped */
    uint32_t users;      /* queries under way, by one thread, and how often it is shared */
    uint32_t shared;     /* several threads may ask: how often it was shared and not unshared */
    uint32_t shared_by_caller; /* of that, by graze_body_share */
    const void *shared_by;     /* one of our calls that does, once */
    grazei_cache cache;        /* all NULL in a lean body that has none */
    float (*workspace)[4];     /* for bounds that are spheres, else NULL */

    grazei_bound box;    /* of the whole body, in pose number ... */
    uint32_t box_number; /* ... if that is the present one */
    bool keeps_box;

    /* Lean bodies only. */
    graze_cache_pool *pool;    /* NULL: the cache is its own */
    grazei_lent *lent;         /* what it has borrowed, or NULL */
    float (*own_positions)[4]; /* those that were given; NULL until the first ones */
    atomic_uint has_cache;     /* set when the cache is there for all threads */
    grazei_lock borrowing;

    atomic_uint positions_mark; /* cache.positions holds every vertex */
    grazei_bound whole;         /* the exact box of them */
    atomic_uint refit_mark;     /* every bound was refitted from them */
    atomic_uint wants_folds;    /* they were asked for, and there was no room for them */
    atomic_uint folds_mark;     /* the next is there */
    grazei_fold_pose folds;

    /* Spheres may outlive small changes of morph weights: see coherent.c. */
    bool coherent;
    uint32_t coherent_epoch; /* changes with every new pose */
    float drift;             /* how far the weights have gone since, summed up */
    float most_stretch;
    grazei_lock workspace_lock __attribute__((aligned(64))); /* apart from what all read */
};

/* ---- what else queries need ----------------------------------------------------------------- */

static inline const graze_model *grazei_body_model(const graze_body *body)
{
    return body->model;
}

/* The tree of the triangles that take part. */
static inline const grazei_tree *grazei_body_tree(const graze_body *body)
{
    return body->tree;
}

static inline const grazei_mesh *grazei_body_mesh(const graze_body *body)
{
    return &body->model->mesh;
}

/* Which pose this is: another number after each change. */
static inline uint32_t grazei_body_pose_number(const graze_body *body)
{
    return body->pose_count;
}

/* Begins and ends to watch a body, if any: the flags are set from now on. */
void grazei_body_watch(graze_body *body, grazei_watcher *watcher);
void grazei_body_unwatch(grazei_watcher *watcher);

/* The body has another pose, other positions or another mask. */
static inline void grazei_body_count_pose(graze_body *body)
{
    body->pose_count++;
    for (const grazei_watcher *w = body->watchers; w; w = w->next)
        for (int k = 0; k < 2; k++)
            if (!atomic_load_explicit(w->flags[k], memory_order_relaxed))
                atomic_store_explicit(w->flags[k], 1, memory_order_relaxed);
}

/* Another number after every time that what was computed of the body was dropped. */
static inline uint32_t grazei_body_drop_number(const graze_body *body)
{
    return body->drop_count;
}

static inline bool grazei_body_is_lean(const graze_body *body)
{
    return body->pool != NULL;
}

/* Borrows caches for a lean body that has none: everything below, and all of bounds.h and
 * patches.h, is for bodies that have them. Several threads may call it while the body is shared.
 */
graze_status grazei_body_borrow(graze_body *body, graze_error *error);

static inline bool grazei_body_has_cache(const graze_body *body)
{
    return !body->pool || atomic_load_explicit(&body->has_cache, memory_order_acquire);
}

static inline graze_status grazei_body_ready(graze_body *body, graze_error *error)
{
    return grazei_body_has_cache(body) ? GRAZE_OK : grazei_body_borrow(body, error);
}

/* Gives the caches of a lean body back when one of our calls, which may share it, is done with it:
 * for one thread. Nothing happens if anybody else uses the body.
 */
void grazei_body_end_loan(graze_body *body, const void *call);

/* The box of the whole body, from the pose alone: it needs no caches and leaves them as they are.
 */
grazei_bound grazei_body_box(graze_body *body, graze_stats *stats);

/* From now on the box is found with every pose, while that is at hand, and kept: a world asks for
 * it later, when the poses of all others have been written.
 */
void grazei_body_keep_box(graze_body *body);

/* How a body stands, for who writes that down; what it points to is the body's. */
typedef struct grazei_standing {
    const float (*positions)[4]; /* that were given; NULL: it has a pose */
    const float *weights;        /* of the pose; NULL: the model has no morph targets */
    const uint32_t *mask;        /* NULL: all parts */
    bool begun;                  /* false: it has no pose yet */
} grazei_standing;

grazei_standing grazei_body_standing(const graze_body *body);

/* The matrix of a joint, as 3 rows of 4; that of joint_count is the placement. */
void grazei_body_matrix(const graze_body *body, uint32_t joint, float rows[12]);

static inline grazei_known *grazei_body_known(graze_body *body)
{
    return &body->known;
}

/* Asks the processor for what a query of the body reads first. */
void grazei_body_prefetch(const graze_body *body);

/* Takes all memory that *like needs to take this body's pose: *like is NULL, and becomes another
 * body of the same model, lean if this one is; or it was made so. With an error it may be made,
 * too.
 */
graze_status grazei_body_make_room(const graze_body *body, graze_body **like, graze_error *error);

/* Takes over the pose of another body, or its given positions, for which there is room; masks stay.
 * The body is not in use.
 */
void grazei_body_take_pose(graze_body *body, const graze_body *from);

/* Room for positions that are given; false when out of memory. Then such that were given to another
 * body of the model.
 */
bool grazei_body_reserve_positions(graze_body *body);
void grazei_body_take_positions(graze_body *body, const float (*positions)[4]);

/* The same for its box. */
static inline void grazei_body_prefetch_box(const graze_body *body)
{
    __builtin_prefetch(&body->pose_count);
    __builtin_prefetch(&body->box);
}

/* Whether several threads may ask. */
static inline bool grazei_body_is_shared(const graze_body *body)
{
    return body->shared;
}

/* A query is under way, and the pose may not change: for one thread, nested as callbacks nest. A
 * body that is shared has a user already, and is written to by none.
 */
static inline void grazei_body_enter(graze_body *body)
{
    GRAZE_ASSERT(body->users < UINT32_MAX);
    if (!body->shared)
        body->users++;
}

static inline void grazei_body_leave(graze_body *body)
{
    GRAZE_ASSERT(body->shared || body->users);
    if (!body->shared && body->users)
        body->users--;
}

/* As graze/reference.h says of graze_body_refit_all and graze_body_bound_all. */
void grazei_body_refit_all(graze_body *body);
uint32_t grazei_body_bound_all(graze_body *body);

/* From now on several threads may ask, until the same one of our calls unshares it. Nothing happens
 * if it is shared already, by the caller or by a call in whose callback this one is: then other
 * threads may be asking.
 */
void grazei_body_share(graze_body *body, const void *call);
void grazei_body_unshare(graze_body *body, const void *call);

/* ---- within this room ----------------------------------------------------------------------- */

/* Of a body that is not lean; of a lean one without caches; of the caches. */
size_t grazei_body_bytes(const graze_model *model);
size_t grazei_lean_bytes(const graze_model *model);
size_t grazei_cache_bytes(const graze_model *model);

/* Memory for a body's poses and for caches; false when out of memory, and then
 * what there is is released by the caller.
 */
bool grazei_pose_allocate(graze_body *body);
void grazei_pose_release(graze_body *body);
bool grazei_cache_allocate(const graze_model *model, grazei_cache *cache);
void grazei_cache_release(const graze_allocator *allocator, grazei_cache *cache);

/* What of it is kept of a table of folds, once that is there. False when out of memory: then there
 * is nothing of it.
 */
bool grazei_cache_allocate_folds(const graze_model *model, const grazei_folds *folds,
                                 grazei_cache *cache);
void grazei_cache_release_folds(const graze_allocator *allocator, grazei_cache *cache);

/* While the body is not shared: makes room for folds if it was asked for and there is a table now.
 */
void grazei_body_ready_folds(graze_body *body);

/* That room goes with a cache that is lent. */
void grazei_lent_keeps_folds(graze_body *body);

/* Makes a body; lean if there is a pool, which then has to be held for it. */
graze_status grazei_body_make(const graze_model *model, graze_cache_pool *pool, graze_body **body,
                              graze_error *error);

/* Gives back what a lean body has borrowed. Nobody may be using it. */
void grazei_body_give_back(graze_body *body);

/* The same, and its hold of the pool. */
void grazei_body_leave_pool(graze_body *body);

/* Where a lean body's next pose goes: a spare one of the pool's. NULL when out of memory. In the
 * end it is put back, after an exchange with the body's own if the pose is good.
 */
grazei_spare *grazei_body_take_spare(graze_body *body);
void grazei_body_put_spare(graze_body *body, grazei_spare *spare, bool exchange);

/* Starts a stamp that no mark has; the caches must be there. */
void grazei_body_next_stamp(graze_body *body);

/* Errors for a body that is NULL or in use, and for rounding that is not to nearest. */
graze_status grazei_body_check_change(const graze_body *body, graze_error *error);

/* Makes everything kept old but positions that were given. */
void grazei_body_new_stamp(graze_body *body);

/* Finds the box if it is to be kept; the pose is new. */
void grazei_body_renew_box(graze_body *body);

/* Poses every vertex, with the box around them; morphed is room for as many, and not used without
 * morph targets.
 */
void grazei_body_pose_mesh(const graze_body *body, float (*morphed)[4], float (*positions)[4],
                           f4 *low, f4 *high);

/* Poses every vertex into positions and measures the whole. */
void grazei_body_pose_all(graze_body *body);

static inline const grazei_joints *grazei_body_joints(const graze_body *body)
{
    return &body->joints[body->current];
}

/* The joints with all that was put off, for those who read them without the deformer. */
static inline const grazei_joints *grazei_body_whole_joints(const graze_body *body)
{
    const grazei_joints *joints = grazei_body_joints(body);
    if (joints->put_off)
        body->model->deformer->complete(&body->model->skin, joints);
    return joints;
}

/* The joints, where blending their maps is all that moves a vertex; NULL with other skinning, morph
 * weights other than zero and given positions.
 */
static inline const grazei_joints *grazei_body_plain_joints(const graze_body *body)
{
    const grazei_joints *joints = grazei_body_joints(body);
    bool plain = !body->given && body->model->deformer->blends_maps && joints->morph_error == 0;
    return plain ? joints : NULL;
}

/* Whether positions are the caller's. */
static inline bool grazei_body_has_positions(const graze_body *body)
{
    return body->given;
}

/* Every vertex, posed now if it was not before. */
static inline const float (*grazei_body_all_positions(graze_body *body))[4]
{
    grazei_body_pose_all(body);
    return (const float(*)[4])body->cache.positions;
}

/* Every vertex, where all of them are there already, given or posed, else NULL. */
const float (*grazei_body_known_positions(const graze_body *body))[4];

static inline bool grazei_body_has(const graze_body *body, const atomic_uint *mark)
{
    return grazei_mark_is_set(mark, body->stamp);
}

/* Whether the caller has to make what is not there yet, and then to keep it. */
static inline bool grazei_body_claims(graze_body *body, atomic_uint *mark)
{
    return !body->shared || grazei_mark_claim(mark, body->stamp);
}

static inline void grazei_body_keep(graze_body *body, atomic_uint *mark)
{
    GRAZE_ASSERT(body->stamp && body->stamp % 2 == 0);
    grazei_mark_set(mark, body->stamp);
}

/* All bounds are there. */
void grazei_body_keep_bounds(graze_body *body);

/* Bounds siblings where positions are given. */
void grazei_body_bound_given(graze_body *body, uint32_t first, graze_stats *stats);

/* Bounds siblings where earlier spheres may be enlarged instead. */
void grazei_body_bound_coherent(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats);

/* Spheres found for earlier weights serve no more: a new pose, or others took their place. */
void grazei_body_forget_earlier(graze_body *body);

#endif
