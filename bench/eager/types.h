/* What the eager baseline is made of; private to this folder.
 *
 * Triangles are put into the order of the tree. Sixteen leaves of 4 triangles are a block of 64,
 * with one node for every 16 of them and one for all; blocks are full but for the last, so below
 * the tree of blocks no pointer is needed. Above, nodes have up to four children by surface area.
 * Nodes of four, because sixteen pairs of boxes fill one or two vectors. The boxes of single
 * triangles are found when a leaf is first visited: most never are.
 *
 * What was tried besides, on Zen 4 and two creatures of 50,000 triangles:
 *   - a refit that loops over as many vertices as a leaf has: 1.7 ns a triangle, against 0.85 with
 *     always eight, unrolled; two leaves at a time in 256 bits: no faster;
 *   - a refit that stops at 16 or at 64 triangles and leaves the rest to be found on demand: 0.63
 *     and 0.30 ns a triangle, but no longer eager;
 *   - candidates found pair by pair with a branch for each: 1.4 times as long as in phases;
 *   - planes and edges of a pair in one step: see triangle.h;
 *   - for the lanes, whole blocks made ready, or candidates copied into batches of 80: the same as
 *     twigs made ready, or 3 % slower;
 *   - matrices held in registers while skinning, nodes prefetched: 1 to 3 % either way.
 */
#ifndef GRAZE_BENCH_EAGER_TYPES_H
#define GRAZE_BENCH_EAGER_TYPES_H

#include "bench/eager/hash.h"

enum {
    EAGER_LEAF = 4,    /* triangles */
    EAGER_TWIG = 16,   /* triangles */
    EAGER_BLOCK = 64,  /* triangles */
    EAGER_CORNERS = 8, /* different vertices of a leaf, where there are no more */
    EAGER_GROUP = 8,   /* vertices skinned at a time */
    EAGER_DEPTH = 60   /* levels of nodes at most */
};

#define EAGER_ODD_LEAF UINT32_MAX

/* Vertices that the same joints move, in whole groups. */
typedef struct eager_run {
    uint32_t first_slot;
    uint32_t group_count;
    uint32_t joint_count;
    uint32_t first_joint; /* of run_joints */
    size_t first_float;   /* of stream */
} eager_run;

/* A vertex that no group wanted. */
typedef struct eager_single {
    float rest[3];
    uint32_t influence_count; /* of single_influences, from where the one before ends */
} eager_single;

/* Numbers of nodes are ordered by rank, so that a rank is a range. */
typedef enum eager_rank {
    EAGER_IS_LEAF,  /* children are triangles */
    EAGER_IS_TWIG,  /* leaves */
    EAGER_IS_BLOCK, /* twigs */
    EAGER_IS_UPPER  /* blocks or nodes of their own kind */
} eager_rank;

/* Boxes of four children; those of missing ones are inside out. */
typedef struct eager_node {
    float low[3][4], high[3][4];
    uint32_t children[4];
    uint32_t rank;
    uint32_t stamp; /* of the pose the boxes belong to */
    uint32_t padding[2];
} eager_node;

/* What is compiled once per instruction set. */
typedef struct eager_kernels {
    void (*skin)(eager_body *body, const float translation[3]);
    void (*refit)(eager_body *body);
    size_t (*collide)(eager_body *a, eager_body *b, eager_triangles how, bool first,
                      bench_pair *pairs, size_t capacity);
    size_t (*collide_self)(eager_body *body, bench_pair *pairs, size_t capacity);
    bool (*ray)(eager_body *body, const float origin[3], const float dir[3], float *t,
                uint32_t *triangle);
    void (*box_triangles)(eager_body *body);
    size_t (*hash_collide)(eager_hash *hash, const eager_body *a, const eager_body *b, bool first,
                           bench_pair *pairs, size_t capacity);
} eager_kernels;

struct eager_model {
    const eager_kernels *kernels;
    uint32_t vertex_count, triangle_count, joint_count;
    uint32_t upper_count, block_count, node_count;

    uint32_t *slots; /* where the vertices of the def are */
    uint32_t slot_count;
    float *stream; /* for each group: x, y, z, and for several joints the weights of each */
    eager_run *runs;
    uint32_t *run_joints;
    uint32_t run_count;
    eager_single *singles; /* their slots come after those of the runs */
    graze_influence *single_influences;
    uint32_t single_count;

    uint32_t (*corners)[3];        /* slots, triangles in the order of the tree */
    uint32_t *triangles;           /* their numbers in the def */
    uint32_t (*upper_children)[4]; /* numbers of nodes, 0 for none: the root is nobody's child */
    /* For each leaf the places of its vertices, as bytes from the first position, some twice. The
     * first is EAGER_ODD_LEAF in a twig with a leaf that has too many, or none.
     */
    uint32_t (*leaf_places)[EAGER_CORNERS];

    /* The numbers of the rest positions of each triangle's corners, in the order of the tree, and
     * one that no corner has. NULL: neighbours are not known.
     */
    uint32_t (*rest)[4];

    size_t bytes;
};

struct eager_body {
    const eager_model *model;
    float (*maps)[12];                  /* of the joints: four columns */
    float (*positions)[4];              /* by slot */
    _Alignas(16) float low[4], high[4]; /* of all */
    eager_node *nodes;
    float (*boxes)[2][4];       /* low and high of upper nodes and blocks */
    float (*set_corners)[3][4]; /* triangles as the lane test wants them, ready by twigs */
    uint32_t *set_stamps;       /* of twigs */
    uint32_t stamp;
    size_t bytes;
    float *triangle_rows; /* least x, y, z, greatest x, y, z of all triangles, by hashing alone */
    float mean_side;      /* the longest side of their boxes, likewise */
};

/* ---- making them ---------------------------------------------------------------------------- */

/* Zeroed and aligned memory, counted in *bytes. free() it. */
void *eager_take(size_t count, size_t size, size_t *bytes);

/* Fills model->triangles, upper_children, upper_count, block_count and node_count from the rest
 * positions.
 */
void eager_build_tree(eager_model *model, const graze_model_def *def);

/* Fills slots, stream, runs and singles; needs the order of the triangles. */
void eager_build_skin(eager_model *model, const graze_model_def *def);

/* The functions for an instruction set, or the widest that is there. */
const eager_kernels *eager_find_kernels(graze_isa isa);

#endif
