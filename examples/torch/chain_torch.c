/* Sphere chains for PyTorch: three functions that Python calls through ctypes (chain_torch.py).
 *
 * A model is what SMPL and its like are: vertices, triangles, and a row of weights a vertex. Poses
 * and results are device pointers of torch tensors; nothing is copied.
 */
#include <graze/chain_cuda.h>

#include <stdlib.h>
#include <string.h>

typedef struct chain_torch {
    graze_model *model;
    graze_chains *chains;
    graze_chain_batch *batch;
    graze_cuda *cuda;
    graze_chain_cuda *device;
} chain_torch;

/* What went wrong last. */
static graze_error error;

const char *chain_torch_error(void)
{
    return error.text;
}

void chain_torch_close(chain_torch *chains)
{
    if (!chains)
        return;
    graze_chain_cuda_destroy(chains->device);
    graze_cuda_close(chains->cuda);
    graze_chain_batch_destroy(chains->batch);
    graze_chains_destroy(chains->chains);
    graze_model_destroy(chains->model);
    free(chains);
}

/* The weights that are not zero, as graze_model_create takes them. */
static graze_status make_model(chain_torch *made, const float *positions, uint32_t vertices,
                               const uint32_t *triangles, uint32_t triangle_count,
                               const float *weights, uint32_t joints)
{
    uint32_t *offsets = calloc((size_t)vertices + 1, sizeof *offsets), count = 0;
    graze_influence *influences = malloc((size_t)vertices * joints * sizeof *influences);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (offsets && influences) {
        for (uint32_t v = 0; v < vertices; v++) {
            for (uint32_t j = 0; j < joints; j++)
                if (weights[(size_t)joints * v + j] > 0)
                    influences[count++] = (graze_influence){j, weights[(size_t)joints * v + j]};
            offsets[v + 1] = count;
        }
        graze_model_def def = {0};
        def.positions = positions;
        def.vertex_count = vertices;
        def.triangles = triangles;
        def.triangle_count = triangle_count;
        def.joint_count = joints;
        def.influence_offsets = offsets;
        def.influences = influences;
        status = graze_model_create(&def, &made->model, &error);
    }
    free(offsets);
    free(influences);
    return status;
}

/* NULL where something is wrong: chain_torch_error says what. */
chain_torch *chain_torch_open(const float *positions, uint32_t vertices, const uint32_t *triangles,
                              uint32_t triangle_count, const float *weights, uint32_t joints,
                              uint32_t device)
{
    chain_torch *made = calloc(1, sizeof *made);
    const graze_chain_def def = {0};
    graze_chain_batch_def batch = {0};
    if (!made)
        return NULL;
    graze_status status =
        make_model(made, positions, vertices, triangles, triangle_count, weights, joints);
    if (!status)
        status = graze_chains_create(made->model, NULL, &def, &made->chains, &error);
    batch.chains = made->chains;
    if (!status)
        status = graze_chain_batch_create(&batch, &made->batch, &error);
    if (!status)
        status = graze_cuda_open(device, NULL, &made->cuda, &error);
    if (!status)
        status = graze_chain_cuda_create(made->cuda, graze_chain_batch_tables(made->batch),
                                         &made->device, &error);
    if (!status)
        return made;
    chain_torch_close(made);
    return NULL;
}

/* One flag a pose; joints [poses][joints][12] and flags are on the device, the call returns at once
 * and the flags are there when the stream has come so far. 0: all is well.
 */
int chain_torch_run(chain_torch *chains, const void *joints, size_t poses, void *flags,
                    void *stream)
{
    graze_chain_cuda_call call = {0};
    call.joints = joints;
    call.joints_place = call.results_place = GRAZE_DEVICE;
    call.pose_count = poses;
    call.results.flags = flags;
    call.stream = stream;
    return (int)graze_chain_cuda_run(chains->device, &call, &error);
}

/* The same of host memory, on the CPU: for comparison. */
int chain_torch_run_here(chain_torch *chains, const float *joints, size_t poses, uint8_t *flags)
{
    const graze_chain_results results = {.flags = flags};
    return (int)graze_chain_batch_run(chains->batch, joints, poses, &results, &error);
}
