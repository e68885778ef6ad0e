/* The tables of a batch: what all poses share, in the order in which it is read. */
#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "chain/batch.h"
#include "model/model.h"

#include <string.h>

enum { MOST_SPHERES = 65535, MOST_INFLUENCES = 255, MOST_IN_ALL = (1 << 24) - 1 };

/* Tables while they are made: the same memory, to be written. */
typedef struct making {
    const graze_chains *chains;
    const grazei_mesh *mesh;
    const graze_chain_pivot *pivots; /* of the chains */
    uint32_t *used_joints;
    graze_chain_vertex *vertices;
    graze_chain_influence *influences;
    float *pivot_weights;
    graze_chain_follower *spheres;
    uint32_t *pairs;
} making;

static uint32_t influence_count(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
}

static graze_status check_model(const graze_model *model, graze_error *error)
{
    if (!model->deformer->blends_maps)
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "batches of poses need linear skinning: pose bodies one by one");
    if (model->mesh.morph_count)
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "batches of poses take no morph targets: pose bodies one by one");
    return GRAZE_OK;
}

/* Sizes, checked against the limits. */
static graze_status count_all(graze_chain_tables *tables, const making *made, graze_error *error)
{
    const grazei_mesh *mesh = made->mesh;
    uint64_t pivots = 0, influences = 0;
    tables->joint_count = mesh->joint_count;
    tables->vertices_per_pivot = graze_chains_get_info(made->chains).vertices_per_pivot;
    tables->sphere_count = graze_chains_get_info(made->chains).sphere_count;
    if (tables->sphere_count > MOST_SPHERES)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "%u spheres are more than %d",
                           tables->sphere_count, MOST_SPHERES);
    for (uint32_t s = 0; s < tables->sphere_count; s++) {
        const graze_chain_sphere sphere = graze_chains_sphere(made->chains, s);
        pivots += sphere.pivot_count;
        if (sphere.pivot_count > tables->max_pivots)
            tables->max_pivots = sphere.pivot_count;
        for (uint32_t k = 0; k < sphere.pivot_count; k++)
            for (uint32_t c = 0; c < tables->vertices_per_pivot; c++) {
                const uint32_t v = made->pivots[sphere.first_pivot + k].vertices[c];
                const uint32_t count = influence_count(mesh, v);
                if (count > MOST_INFLUENCES)
                    return grazei_fail(error, GRAZE_UNSUPPORTED,
                                       "vertex %u follows %u joints, more than %d", v, count,
                                       MOST_INFLUENCES);
                influences += count;
            }
    }
    if (influences > MOST_IN_ALL)
        return grazei_fail(error, GRAZE_UNSUPPORTED, "pivots have more than %d influences",
                           MOST_IN_ALL);
    tables->pivot_count = (uint32_t)pivots;
    tables->vertex_count = (uint32_t)pivots * tables->vertices_per_pivot;
    tables->influence_count = (uint32_t)influences;
    return GRAZE_OK;
}

static graze_status allocate(graze_chain_tables *tables, making *made, graze_error *error)
{
    const graze_allocator *allocator = &graze_chains_get_info(made->chains).model->allocator;
    made->used_joints = GRAZEI_ALLOCATE_ZERO(allocator, tables->joint_count, uint32_t);
    made->vertices = GRAZEI_ALLOCATE(allocator, tables->vertex_count, graze_chain_vertex);
    made->influences = GRAZEI_ALLOCATE(allocator, tables->influence_count, graze_chain_influence);
    made->pivot_weights = GRAZEI_ALLOCATE(allocator, tables->pivot_count, float);
    made->spheres = GRAZEI_ALLOCATE(allocator, tables->sphere_count, graze_chain_follower);
    made->pairs = GRAZEI_ALLOCATE(allocator, tables->pair_count, uint32_t);
    tables->used_joints = made->used_joints;
    tables->vertices = made->vertices;
    tables->influences = made->influences;
    tables->pivot_weights = made->pivot_weights;
    tables->spheres = made->spheres;
    tables->pairs = made->pairs;
    if (!tables->used_joints || !tables->vertices || !tables->influences ||
        !tables->pivot_weights || !tables->spheres || !tables->pairs)
        return grazei_fail_memory(error);
    return GRAZE_OK;
}

static void add_vertex(making *made, uint32_t vertex, uint32_t at, uint32_t *influences)
{
    const grazei_mesh *mesh = made->mesh;
    const graze_influence *from = mesh->influences + mesh->influence_offsets[vertex];
    const uint32_t count = influence_count(mesh, vertex);
    graze_chain_vertex *to = &made->vertices[at];
    memcpy(to->rest, mesh->positions + 3 * (size_t)vertex, sizeof to->rest);
    GRAZE_ASSERT(count > 0 && count <= MOST_INFLUENCES && *influences <= MOST_IN_ALL);
    to->influences = *influences << 8 | count;
    for (uint32_t k = 0; k < count; k++) {
        made->influences[(*influences)++] = (graze_chain_influence){from[k].joint, from[k].weight};
        made->used_joints[from[k].joint] = 1;
    }
}

static void add_spheres(const graze_chain_tables *tables, making *made)
{
    uint32_t pivots = 0, vertices = 0, influences = 0;
    for (uint32_t s = 0; s < tables->sphere_count; s++) {
        const graze_chain_sphere sphere = graze_chains_sphere(made->chains, s);
        made->spheres[s] = (graze_chain_follower){sphere.radius_factor / (float)sphere.pivot_count,
                                                  pivots, sphere.pivot_count};
        for (uint32_t k = 0; k < sphere.pivot_count; k++) {
            const graze_chain_pivot *pivot = &made->pivots[sphere.first_pivot + k];
            made->pivot_weights[pivots++] = pivot->weight;
            for (uint32_t c = 0; c < tables->vertices_per_pivot; c++)
                add_vertex(made, pivot->vertices[c], vertices++, &influences);
        }
    }
}

/* Joints that no pivot follows are left out: influences get numbers in the list of the others. */
static void number_joints(graze_chain_tables *tables, making *made, uint32_t *numbers)
{
    uint32_t used = 0;
    for (uint32_t j = 0; j < tables->joint_count; j++) {
        numbers[j] = used;
        GRAZE_ASSERT(used <= j);
        if (made->used_joints[j])
            made->used_joints[used++] = j;
    }
    tables->used_joint_count = used;
    for (uint32_t i = 0; i < tables->influence_count; i++) {
        GRAZE_ASSERT(made->influences[i].joint < tables->joint_count);
        made->influences[i].joint = numbers[made->influences[i].joint];
    }
}

graze_status grazei_chain_tables_build(graze_chain_tables *tables, const graze_chains *chains,
                                       graze_chain_pairs_of which, graze_error *error)
{
    const graze_model *model = graze_chains_get_info(chains).model;
    uint32_t pivot_count;
    making made = {.chains = chains,
                   .mesh = &model->mesh,
                   .pivots = graze_chains_pivots(chains, &pivot_count)};
    const graze_pair *pairs = graze_chains_pairs(chains, which, &tables->pair_count);
    graze_status status = check_model(model, error);
    if (!status)
        status = count_all(tables, &made, error);
    if (!status)
        status = allocate(tables, &made, error);
    if (status)
        return status;
    uint32_t *numbers = GRAZEI_ALLOCATE(&model->allocator, tables->joint_count, uint32_t);
    if (!numbers)
        return grazei_fail_memory(error);
    add_spheres(tables, &made);
    number_joints(tables, &made, numbers);
    grazei_release(&model->allocator, numbers);
    for (uint32_t p = 0; p < tables->pair_count; p++) {
        GRAZE_ASSERT(pairs[p].a < tables->sphere_count && pairs[p].b < tables->sphere_count);
        made.pairs[p] = pairs[p].a | pairs[p].b << 16;
    }
    return GRAZE_OK;
}

void grazei_chain_tables_release(graze_chain_tables *tables, const graze_allocator *allocator)
{
    grazei_release(allocator, grazei_unconst(tables->used_joints));
    grazei_release(allocator, grazei_unconst(tables->vertices));
    grazei_release(allocator, grazei_unconst(tables->influences));
    grazei_release(allocator, grazei_unconst(tables->pivot_weights));
    grazei_release(allocator, grazei_unconst(tables->spheres));
    grazei_release(allocator, grazei_unconst(tables->pairs));
}
