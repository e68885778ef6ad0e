/* What poses of sphere chains need, found once: how to pose the pivots, how to bound the triangles
 * of each sphere, which pairs to look at in lanes, and a tree over the spheres.
 *
 * Files: tracker.c (making and freeing), tracker_pivots.c, tracker_clusters.c, tracker_rows.c,
 * tracker_tree.c (its parts), pose.c (where the spheres are), pairs.c, tree.c, sweep.c (which of
 * them meet), exact.c.
 */
#ifndef GRAZEI_CHAIN_TRACKER_H
#define GRAZEI_CHAIN_TRACKER_H

#include "chain/overlap_kernels.h"
#include "model/model.h"

#include <graze/ext/chain_pose.h>

/* ---- pivots --------------------------------------------------------------------------------- */

/* Spheres are updated four at a time, and pivots posed as many as this at a time. */
enum { GRAZEI_SPHERE_GROUP = 4, GRAZEI_CHUNK_SLOTS = 512, GRAZEI_MAX_CLUSTERS = 16 };

/* Four spheres. Their posed pivots stand in slots: pivot k of sphere i, its vertex v of one or
 * three, in first_slot + (k x vertices_per_pivot + v) x 4 + i. Spheres with fewer pivots than
 * others repeat one, which counts for nothing.
 */
typedef struct grazei_sphere_group {
    uint32_t first_slot;  /* within the chunk */
    uint32_t pivot_count; /* the most of the four */
    uint32_t first_row;   /* of weights and counts: one a pivot */
    f4 scales;            /* radius factor / number of pivots */
} grazei_sphere_group;

/* Vertices that are posed together, and the groups that follow them. */
typedef struct grazei_pivot_chunk {
    uint32_t first_group, part_count;
    grazei_stream stream; /* its `vertices` are the slots */
    uint32_t *numbers;    /* of the vertices in the mesh, in the stream's order */
    grazei_morph_list morphs;
} grazei_pivot_chunk;

/* ---- the tree ------------------------------------------------------------------------------- */

enum { GRAZEI_LEAF_SPHERES = 4, GRAZEI_MAX_TRACKER_NODES = 1023, GRAZEI_MAX_TREE_TASKS = 64 };

/* Spheres order[first] to order[first + count - 1]; the children are behind their parent. */
typedef struct grazei_sphere_node {
    uint32_t first, count;
    uint32_t left, right; /* 0: a leaf */
} grazei_sphere_node;

/* Two nodes, or one twice, whose spheres are compared as one piece of work. */
typedef struct grazei_tree_task {
    uint32_t a, b;
    uint32_t first_pair; /* how many pairs are looked at in the tasks before */
} grazei_tree_task;

/* ---- all of it ------------------------------------------------------------------------------ */

/* What lanes look at of a list of pairs. */
typedef struct grazei_pair_rows {
    grazei_overlap_row *rows;
    uint32_t row_count;
    uint32_t pair_count;
} grazei_pair_rows;

struct graze_chain_tracker {
    graze_allocator allocator;
    const graze_model *model; /* held */
    const grazei_overlap_kernels *overlap;
    uint32_t sphere_count;
    uint32_t vertices_per_pivot;

    grazei_sphere_group *groups;
    f4 *weights; /* of four pivots, one a sphere */
    f4 *counts;  /* 1 for a pivot, 0 for a repeated one */
    grazei_pivot_chunk *chunks;
    uint32_t chunk_count;

    /* Clusters are the nodes 1, 2, ... of a tree of two levels, and bounded as nodes are; those of
     * sphere s are [first_cluster[s], first_cluster[s + 1]): all of its triangles, then, unless
     * that is wanted alone, the same in pieces.
     */
    grazei_skin clusters;
    uint32_t *first_cluster;
    uint32_t workspace_rows;
    bool is_bounded;        /* else vertices are posed */
    uint32_t *first_vertex; /* of the vertices that a sphere's triangles have, each once */
    uint32_t *vertices;

    grazei_pair_rows checked, all;
    uint32_t *row_bits; /* checked pairs, both ways round: row_words for each sphere */
    uint32_t row_words;

    grazei_sphere_node *nodes;
    uint32_t node_count;
    uint32_t *order;     /* spheres as the tree has them */
    uint32_t *near_bits; /* by places in order: what a sphere is checked with; row_words each */
    uint32_t *node_bits; /* the same for all spheres of a node together */
    grazei_tree_task *tasks;
    uint32_t task_count;
};

/* Parts of a zeroed tracker; false when out of memory, and the caller releases what is there. */
bool grazei_tracker_make_pivots(graze_chain_tracker *tracker, const graze_chains *chains);
void grazei_tracker_release_pivots(graze_chain_tracker *tracker);
graze_status grazei_tracker_make_clusters(graze_chain_tracker *tracker, const graze_chains *chains,
                                          uint32_t clusters, graze_error *error);
void grazei_tracker_release_clusters(graze_chain_tracker *tracker);
bool grazei_tracker_make_rows(graze_chain_tracker *tracker, const graze_chains *chains);
bool grazei_tracker_make_tree(graze_chain_tracker *tracker, const graze_chains *chains);

static inline bool grazei_bit(const uint32_t *bits, uint32_t number)
{
    return bits[number / 32] >> (number % 32) & 1;
}

static inline void grazei_set_bit(uint32_t *bits, uint32_t number)
{
    bits[number / 32] |= 1u << (number % 32);
}

static inline const grazei_pair_rows *grazei_tracker_rows(const graze_chain_tracker *tracker,
                                                          graze_chain_pairs_of which)
{
    return which == GRAZE_ALL_PAIRS ? &tracker->all : &tracker->checked;
}

/* Errors that calls about posed spheres share; b may be NULL. */
graze_status grazei_tracker_check(const graze_posed_chains *a, const graze_posed_chains *b,
                                  graze_chain_pairs_of which, const graze_options *options,
                                  graze_error *error);

/* By the tree: pairs into found, which has room for all; returns how many. */
size_t grazei_tree_pairs(const graze_posed_chains *a, graze_pool *pool, graze_pair *found);
size_t grazei_tree_pairs_between(const graze_posed_chains *a, const graze_posed_chains *b,
                                 graze_pair *found);

#endif
