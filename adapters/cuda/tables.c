/* A batch's tables on the device: one block of memory, with lists that only kernels need. */
#include "device.h"

#include <string.h>

enum { ALIGNMENT = 256 };

/* The block while it is made: sections are counted first, then written. */
typedef struct making {
    unsigned char *memory; /* NULL: counting */
    size_t size;
} making;

/* Takes room for a section and copies into it; returns where it begins in the block. */
static size_t add(making *block, const void *from, size_t bytes)
{
    const size_t at = block->size;
    if (block->memory && from && bytes)
        memcpy(block->memory + at, from, bytes);
    block->size = (at + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return at;
}

static uint32_t influence_end(const graze_chain_vertex *vertex)
{
    return (vertex->influences >> 8) + (vertex->influences & 255);
}

/* The joints of a sphere's vertices, ascending, each once; returns how many. Where steps is not
 * NULL, also whom each moves and by which weight.
 */
static uint32_t list_steps(const graze_chain_tables *tables, uint32_t first, uint32_t count,
                           uint32_t *steps, float (*weights)[CUDA_MOST_VERTICES])
{
    uint32_t next[CUDA_MOST_VERTICES], n = 0;
    for (uint32_t k = 0; k < count; k++)
        next[k] = tables->vertices[first + k].influences >> 8;
    for (;; n++) {
        uint32_t joint = UINT32_MAX;
        for (uint32_t k = 0; k < count; k++)
            if (next[k] < influence_end(&tables->vertices[first + k]) &&
                tables->influences[next[k]].joint < joint)
                joint = tables->influences[next[k]].joint;
        if (joint == UINT32_MAX)
            return n;
        if (steps)
            steps[n] = joint;
        for (uint32_t k = 0; k < count; k++) {
            if (next[k] >= influence_end(&tables->vertices[first + k]) ||
                tables->influences[next[k]].joint != joint)
                continue;
            if (steps) {
                steps[n] |= 1u << (16 + k);
                weights[n][k] = tables->influences[next[k]].weight;
            }
            next[k]++;
        }
    }
}

/* Groups of the spheres; their steps only where no sphere has too many vertices for them. */
static uint32_t fill_groups(const graze_chain_tables *tables, bool with_steps, cuda_group *groups,
                            uint32_t *steps, float (*weights)[CUDA_MOST_VERTICES])
{
    uint32_t total = 0;
    for (uint32_t s = 0; s < tables->sphere_count; s++) {
        const graze_chain_follower *sphere = &tables->spheres[s];
        const uint32_t first = sphere->first_pivot * tables->vertices_per_pivot;
        const uint32_t count = sphere->pivot_count * tables->vertices_per_pivot;
        const uint32_t found = with_steps
                                   ? list_steps(tables, first, count, steps ? steps + total : NULL,
                                                steps ? weights + total : NULL)
                                   : 0;
        if (groups)
            groups[s] = (cuda_group){
                total,         found, first, count, sphere->first_pivot, sphere->pivot_count,
                sphere->scale, 0};
        total += found;
    }
    return total;
}

/* Where the pairs of each sphere begin, i of (i, j); pairs are sorted by it. */
static void fill_first_pairs(const graze_chain_tables *tables, uint32_t *first)
{
    uint32_t p = 0;
    for (uint32_t s = 0; s <= tables->sphere_count; s++) {
        while (p < tables->pair_count && (tables->pairs[p] & 0xffff) < s)
            p++;
        first[s] = p;
    }
}

/* Lays out the block, and writes it where it has memory; addresses in params are within it. */
static void lay_out(making *block, const graze_chain_tables *tables, uint32_t step_count,
                    bool with_steps, cuda_params *params)
{
    block->size = 0;
    params->used_joints = add(block, tables->used_joints, 4 * (size_t)tables->used_joint_count);
    params->vertices =
        add(block, tables->vertices, sizeof *tables->vertices * (size_t)tables->vertex_count);
    params->influences = add(block, tables->influences,
                             sizeof *tables->influences * (size_t)tables->influence_count);
    params->pivot_weights = add(block, tables->pivot_weights, 4 * (size_t)tables->pivot_count);
    params->pair_list = add(block, tables->pairs, 4 * (size_t)tables->pair_count);
    params->first_pairs = add(block, NULL, 4 * ((size_t)tables->sphere_count + 1));
    params->groups = add(block, NULL, sizeof(cuda_group) * (size_t)tables->sphere_count);
    params->step_joints = add(block, NULL, 4 * (size_t)step_count);
    params->step_weights = add(block, NULL, 4 * CUDA_MOST_VERTICES * (size_t)step_count);
    if (!block->memory)
        return;
    fill_first_pairs(tables, (uint32_t *)(block->memory + params->first_pairs));
    fill_groups(tables, with_steps, (cuda_group *)(block->memory + params->groups),
                (uint32_t *)(block->memory + params->step_joints),
                (float(*)[CUDA_MOST_VERTICES])(block->memory + params->step_weights));
}

static void move_addresses(cuda_params *params, cuda_address base)
{
    uint64_t *const addresses[] = {
        &params->used_joints,   &params->vertices,    &params->influences,
        &params->pivot_weights, &params->pair_list,   &params->first_pairs,
        &params->groups,        &params->step_joints, &params->step_weights};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        *addresses[i] += base;
}

static cuda_kernel choose_kernel(const graze_chain_tables *tables)
{
    const uint64_t most = (uint64_t)tables->max_pivots * tables->vertices_per_pivot;
    if (tables->vertices_per_pivot == 3)
        return most <= 12 ? CUDA_MANY_12_BY_3 : CUDA_MANY_ANY;
    return most <= 4    ? CUDA_MANY_4
           : most <= 8  ? CUDA_MANY_8
           : most <= 16 ? CUDA_MANY_16
                        : CUDA_MANY_ANY;
}

graze_status grazei_cuda_tables_upload(graze_chain_cuda *chains, const graze_chain_tables *tables,
                                       graze_error *error)
{
    graze_cuda *cuda = chains->cuda;
    cuda_params *params = &chains->params;
    chains->many = choose_kernel(tables);
    params->joint_count = tables->joint_count;
    params->used_joint_count = tables->used_joint_count;
    params->vertices_per_pivot = tables->vertices_per_pivot;
    params->vertex_count = tables->vertex_count;
    params->sphere_count = tables->sphere_count;
    params->pair_count = tables->pair_count;

    const bool with_steps = chains->many != CUDA_MANY_ANY;
    const uint32_t steps = fill_groups(tables, with_steps, NULL, NULL, NULL);
    making block = {NULL, 0};
    lay_out(&block, tables, steps, with_steps, params);
    block.memory = cuda->allocator.allocate(cuda->allocator.user, block.size, 64);
    if (!block.memory)
        return grazei_cuda_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    memset(block.memory, 0, block.size);
    lay_out(&block, tables, steps, with_steps, params);
    graze_status status = CUDA_TRY(cuda, error, allocate, &chains->tables, block.size);
    if (!status)
        status = CUDA_TRY(cuda, error, upload_now, chains->tables, block.memory, block.size);
    cuda->allocator.release(cuda->allocator.user, block.memory);
    move_addresses(params, chains->tables);
    return status;
}
