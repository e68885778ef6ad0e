/* What a kernel of self-collision is told: shared by the host (C17) and the device (CUDA by clang).
 */
#ifndef GRAZEI_CUDA_SELF_PARAMS_H
#define GRAZEI_CUDA_SELF_PARAMS_H

#include <stdint.h>

enum {
    SELF_THREADS = 128, /* of every block: four warps */
    SELF_WARPS = 4,
    SELF_PATCH_VERTICES = 192, /* at most */
    SELF_QUEUE = 128,          /* entries of a warp's own queue */
    SELF_OPEN_WORDS = 21,      /* of an open pair: pose, triangles, 18 coordinates */
    SELF_FOUND_WORDS = 3,      /* of a found pair: pose, triangles of the model; the second one's
                                  upper bit says that they meet at rest */
    SELF_ALL_EXPONENTS = 150   /* of floats from 2^23 on: their last digit is worth 1 */
};

/* Lists on the device that grow while kernels run, and what is counted beside them. */
typedef enum self_queue {
    SELF_PATCHES,    /* pairs of patches that meet */
    SELF_CLUSTERS,   /* of clusters */
    SELF_CANDIDATES, /* of triangles' boxes */
    SELF_NEAR,       /* that no plane of one of the two triangles keeps apart */
    SELF_UNSURE,     /* that floats do not decide */
    SELF_OPEN,       /* nor doubles */
    SELF_FOUND,      /* that meet */
    SELF_QUEUES,
    SELF_WIDE = SELF_QUEUES, /* clusters, then clusters and patches in all that are too large for
                                the grid */
    SELF_COUNTERS = SELF_QUEUES + 3
} self_queue;

/* Device addresses are numbers here; what is not wanted is 0. A pair in a queue is two words: the
 * pose above the first one's number, from bit `shift` on, and the second one's number.
 */
typedef struct self_params {
    uint64_t positions; /* float, 3 a vertex and pose */

    /* Skinning. */
    uint64_t joints, placements, weights; /* float, of each pose; the last two may be 0 */
    uint64_t maps;                        /* float, 12 a joint and pose */
    uint64_t rest, influence_offsets, influences;
    uint64_t morph_first, morph_targets, morph_deltas, morph_reach;

    /* graze_pose_tables. */
    uint64_t triangles, first_vertex, patch_vertices, patch_corners, parts, loose;
    uint64_t rest_first, rest_others;
    uint64_t part_rows; /* uint32, part_words a part: which parts count with it; 0: all */
    uint64_t pairs[3], masks[3], list_counts[3];

    /* Workspace. */
    uint64_t boxes[3];            /* of triangles, clusters and patches: two words each */
    uint64_t queues[SELF_QUEUES]; /* 0: only counted */
    uint64_t capacities[SELF_QUEUES];
    uint64_t counters; /* uint64, SELF_COUNTERS */
    uint64_t counts;   /* uint32, pairs of each pose */
    uint64_t bad;      /* uint32, of each pose: something is not finite, or beyond 1e18 */

    uint32_t pose_count, vertex_count, triangle_count, patch_count, loose_count;
    uint32_t joint_count, morph_count, part_words;
    uint32_t shift;
    uint32_t splits[3];       /* blocks that share a pose's list, by level */
    uint32_t queue_blocks[3]; /* that read the queue from the level above */
    uint32_t coarser[3];      /* a level's boxes have steps of the grid times 2 to this */
    float scale;              /* steps of the grid, over a length */
    float reach[3];
    uint32_t any;      /* the first pair of a pose is enough */
    uint32_t only_new; /* pairs that meet at rest do not count */
} self_params;

#endif
