#include "mesh/morphs.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "mesh/layout.h"

#include <math.h>
#include <string.h>

#define DELTA_LIMIT 1e15f

static uint32_t vertex_of(const graze_morph_target *target, uint32_t i)
{
    return target->vertices ? target->vertices[i] : i;
}

static graze_status check_target(const graze_model_def *def, uint32_t m, graze_error *error)
{
    const graze_morph_target *target = &def->morphs[m];
    if (target->count && !target->deltas)
        return grazei_fail(error, GRAZE_BAD_INPUT, "morph target %u has no deltas", m);
    if (!target->vertices && target->count > def->vertex_count)
        return grazei_fail(error, GRAZE_BAD_INPUT, "morph target %u moves %u vertices of %u", m,
                           target->count, def->vertex_count);
    for (uint32_t i = 0; i < target->count; i++) {
        float delta[3];
        if (vertex_of(target, i) >= def->vertex_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "morph target %u refers to vertex %u of %u",
                               m, vertex_of(target, i), def->vertex_count);
        grazei_load_three(target->deltas, def->delta_stride, i, delta);
        for (int axis = 0; axis < 3; axis++)
            if (!(fabsf(delta[axis]) <= DELTA_LIMIT))
                return grazei_fail(error, GRAZE_BAD_INPUT,
                                   "morph target %u moves vertex %u by something that is not a "
                                   "number below 1e15",
                                   m, vertex_of(target, i));
    }
    return GRAZE_OK;
}

/* Sums up the target's deltas per vertex and appends those that are not zero, ascending. */
static uint32_t append_target(grazei_mesh *mesh, const graze_morph_target *target, size_t stride,
                              uint32_t next, float (*sums)[3])
{
    memset(sums, 0, mesh->vertex_count * sizeof *sums);
    for (uint32_t i = 0; i < target->count; i++) {
        float delta[3];
        grazei_load_three(target->deltas, stride, i, delta);
        for (int axis = 0; axis < 3; axis++)
            sums[vertex_of(target, i)][axis] += delta[axis];
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (sums[v][0] != 0 || sums[v][1] != 0 || sums[v][2] != 0) {
            mesh->morph_vertices[next] = v;
            memcpy(mesh->morph_deltas[next++], sums[v], sizeof sums[v]);
        }
    return next;
}

graze_status grazei_morphs_build(grazei_mesh *mesh, const graze_model_def *def,
                                 const graze_allocator *allocator, graze_error *error)
{
    size_t total = 0;
    if (def->morph_count && !def->morphs)
        return grazei_fail(error, GRAZE_BAD_INPUT, "morph_count is %u but morphs is NULL",
                           def->morph_count);
    for (uint32_t m = 0; m < def->morph_count; m++) {
        graze_status status = check_target(def, m, error);
        if (status)
            return status;
        total += def->morphs[m].count;
    }
    mesh->morph_count = def->morph_count;
    if (!def->morph_count)
        return GRAZE_OK;
    if (total >= UINT32_MAX)
        return grazei_fail(error, GRAZE_BAD_INPUT, "morph targets move more than 2^32 vertices");
    float(*sums)[3] = grazei_allocate(allocator, mesh->vertex_count, sizeof *sums);
    mesh->morph_offsets = GRAZEI_ALLOCATE(allocator, (size_t)def->morph_count + 1, uint32_t);
    mesh->morph_vertices = GRAZEI_ALLOCATE(allocator, total, uint32_t);
    mesh->morph_deltas = grazei_allocate(allocator, total, sizeof *mesh->morph_deltas);
    bool ok = sums && mesh->morph_offsets && mesh->morph_vertices && mesh->morph_deltas;
    if (ok) {
        mesh->morph_offsets[0] = 0;
        for (uint32_t m = 0; m < def->morph_count; m++)
            mesh->morph_offsets[m + 1] = append_target(mesh, &def->morphs[m], def->delta_stride,
                                                       mesh->morph_offsets[m], sums);
    }
    grazei_release(allocator, sums);
    return ok ? GRAZE_OK : grazei_fail_memory(error);
}

const float *grazei_morph_displacement(const grazei_mesh *mesh, uint32_t m, uint32_t vertex)
{
    GRAZE_ASSERT(m < mesh->morph_count && vertex < mesh->vertex_count);
    uint32_t low = mesh->morph_offsets[m], end = mesh->morph_offsets[m + 1], high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (mesh->morph_vertices[middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && mesh->morph_vertices[low] == vertex ? mesh->morph_deltas[low] : NULL;
}

bool grazei_morph_index_build(grazei_morph_index *index, const grazei_mesh *mesh,
                              const graze_allocator *allocator)
{
    uint32_t total = mesh->morph_offsets[mesh->morph_count];
    index->offsets = GRAZEI_ALLOCATE_ZERO(allocator, (size_t)mesh->vertex_count + 2, uint32_t);
    index->targets = GRAZEI_ALLOCATE(allocator, total, uint32_t);
    index->deltas = GRAZEI_ALLOCATE(allocator, total, uint32_t);
    if (!index->offsets || !index->targets || !index->deltas)
        return false;
    /* Counted one place further, so that filling leaves every offset where it belongs. */
    uint32_t *next = index->offsets + 1;
    for (uint32_t i = 0; i < total; i++)
        index->offsets[mesh->morph_vertices[i] + 2]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        index->offsets[v + 2] += index->offsets[v + 1];
    for (uint32_t m = 0; m < mesh->morph_count; m++)
        for (uint32_t i = mesh->morph_offsets[m]; i < mesh->morph_offsets[m + 1]; i++) {
            uint32_t at = next[mesh->morph_vertices[i]]++;
            GRAZE_ASSERT(at < total);
            index->targets[at] = m;
            index->deltas[at] = i;
        }
    return true;
}

void grazei_morph_index_release(grazei_morph_index *index, const graze_allocator *allocator)
{
    grazei_release(allocator, index->offsets);
    grazei_release(allocator, index->targets);
    grazei_release(allocator, index->deltas);
}
