/* What a kernel is told: shared by the host (C17) and the device (CUDA by clang). */
#ifndef GRAZEI_CUDA_PARAMS_H
#define GRAZEI_CUDA_PARAMS_H

#include <stdint.h>

enum {
    CUDA_POSES = 32,         /* of a block of the kernels for many poses: a warp's lanes */
    CUDA_PAD = 33,           /* floats from one number of a joint to the next, so that poses that
                                are loaded together land in different banks of memory */
    CUDA_MOST_VERTICES = 16, /* of a sphere, for the kernels that keep them in registers */
};

/* A sphere for the kernels that do its vertices together, joint by joint. */
typedef struct cuda_group {
    uint32_t first_step, step_count; /* its joints */
    uint32_t first_vertex, vertex_count;
    uint32_t first_pivot, pivot_count;
    float scale;
    uint32_t unused;
} cuda_group;

/* Device addresses are numbers here; results that are not wanted are 0. */
typedef struct cuda_params {
    uint64_t joints; /* aligned to 16 bytes */
    uint64_t flags, counts, pairs, spheres;

    uint64_t used_joints;   /* uint32 */
    uint64_t vertices;      /* graze_chain_vertex, 16 bytes */
    uint64_t influences;    /* graze_chain_influence, 8 bytes */
    uint64_t pivot_weights; /* float */
    uint64_t pair_list;     /* uint32, i + 65536 j */
    uint64_t first_pairs;   /* uint32, of each sphere, and the number of all behind the last */
    uint64_t groups;        /* cuda_group */
    uint64_t step_joints;   /* uint32, a step: a joint and, in bits 16 on, whom of the sphere's
                               vertices it moves */
    uint64_t step_weights;  /* CUDA_MOST_VERTICES floats a step */

    uint64_t pose_count;
    uint32_t joint_count, used_joint_count;
    uint32_t vertices_per_pivot, vertex_count;
    uint32_t sphere_count, pair_count, pair_capacity;
    uint32_t thread_per_sphere; /* the paper's way to share the tests of a pose: one thread does all
                                   of a sphere; else one a pair */
} cuda_params;

#endif
