/* What is measured: a man, his chains, and poses of his. */
#ifndef GRAZE_CUDA_TIMES_SETUP_H
#define GRAZE_CUDA_TIMES_SETUP_H

#include <graze/chain_cuda.h>
#include <graze/rig.h>

typedef struct setup {
    graze_rig *rig;
    graze_model *model;
    graze_chains *chains;
    graze_pool *pool;
    graze_chain_batch *batches[2]; /* M1, M2; one thread */
    graze_chain_batch *threaded[2];
    uint32_t joint_count, sphere_count;
    float *joints; /* of all poses */
    size_t pose_count;
} setup;

/* The man of so many triangles, chains and random poses; ends the program where that fails. */
void setup_open(setup *setup, uint32_t triangles, size_t poses, uint32_t threads);
void setup_close(setup *setup);

/* Writes the man's arrays for programs in other languages: counts of vertices, triangles and joints
 * as uint32, positions, triangles, then a row of weights a vertex, one a joint.
 */
bool setup_write_arrays(const setup *setup, const char *path);

/* Ends the program with a text where a status is not GRAZE_OK. */
void must(graze_status status, const graze_error *error, const char *what);
void *must_allocate(size_t bytes);

double now(void); /* seconds */

#endif
