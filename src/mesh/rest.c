#include "mesh/rest.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/f4.h"
#include "mesh/morphs.h"

#include <string.h>

/* As far as a pose may take a vertex. */
#define REST_LIMIT 1e18f

static bool is_identity(const float *rows)
{
    for (int i = 0; i < 12; i++)
        if (rows[i] != (i % 5 == 0 ? 1.0f : 0.0f))
            return false;
    return true;
}

static bool has_rest(const graze_model_def *def)
{
    bool has = false;
    for (uint32_t j = 0; def->rest_matrices && j < def->joint_count; j++)
        has |= !is_identity(def->rest_matrices + 12 * (size_t)j);
    for (uint32_t m = 0; def->rest_weights && m < def->morph_count; m++)
        has |= def->rest_weights[m] != 0;
    return has;
}

void grazei_rest_morphed(const grazei_mesh *mesh, uint32_t vertex, float position[3])
{
    memcpy(position, mesh->positions + 3 * (size_t)vertex, 3 * sizeof *position);
    for (uint32_t m = 0; mesh->rest_weights && m < mesh->morph_count; m++) {
        float q = mesh->rest_weights[m];
        const float *delta = q != 0 ? grazei_morph_displacement(mesh, m, vertex) : NULL;
        for (int k = 0; delta && k < 3; k++)
            position[k] += q * delta[k];
    }
}

/* All of them, target by target. */
static void morph_all(grazei_mesh *mesh)
{
    memcpy(mesh->rest_positions, mesh->positions, 3 * sizeof(float) * (size_t)mesh->vertex_count);
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        float q = mesh->rest_weights[m];
        if (q == 0)
            continue;
        for (uint32_t i = mesh->morph_offsets[m]; i < mesh->morph_offsets[m + 1]; i++)
            for (int k = 0; k < 3; k++)
                mesh->rest_positions[3 * (size_t)mesh->morph_vertices[i] + (size_t)k] +=
                    q * mesh->morph_deltas[i][k];
    }
}

static f4 map_by(const grazei_mesh *mesh, uint32_t joint, f4 point)
{
    GRAZE_ASSERT(joint < mesh->joint_count);
    const float *rows = mesh->rest_matrices + 12 * (size_t)joint;
    f4_map map;
    for (int k = 0; k < 4; k++)
        map.c[k] = f4_set(rows[k], rows[4 + k], rows[8 + k], 0);
    return f4_map_point(&map, point);
}

/* Operation by operation as deform/linear_kernels.c poses a vertex, without a placement. */
static f4 pose_vertex(const grazei_mesh *mesh, uint32_t vertex, f4 point)
{
    const graze_influence *influences = mesh->influences + mesh->influence_offsets[vertex];
    uint32_t count = mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
    GRAZE_ASSERT(count > 0);
    f4 sum = map_by(mesh, influences[0].joint, point);
    if (count > 1)
        sum = sum * f4_all(influences[0].weight);
    for (uint32_t i = 1; i < count; i++)
        sum = sum + map_by(mesh, influences[i].joint, point) * f4_all(influences[i].weight);
    return sum + f4_zero();
}

static graze_status pose_all(grazei_mesh *mesh, graze_error *error)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float *at = mesh->rest_positions + 3 * (size_t)v;
        f4_store3(at, pose_vertex(mesh, v, f4_load3(at)));
        for (int k = 0; k < 3; k++)
            if (!(fabsf(at[k]) < REST_LIMIT))
                return grazei_fail(error, GRAZE_BAD_INPUT,
                                   "the rest pose is not finite, or takes vertex %u beyond 1e18",
                                   v);
    }
    return GRAZE_OK;
}

graze_status grazei_rest_build(grazei_mesh *mesh, const graze_model_def *def,
                               const graze_allocator *allocator, graze_error *error)
{
    if (!has_rest(def))
        return GRAZE_OK;
    size_t numbers = 12 * (size_t)mesh->joint_count;
    mesh->rest_positions = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->vertex_count, float);
    mesh->rest_matrices = GRAZEI_ALLOCATE_ZERO(allocator, numbers, float);
    mesh->rest_weights = GRAZEI_ALLOCATE_ZERO(allocator, mesh->morph_count, float);
    if (!mesh->rest_positions || !mesh->rest_matrices || !mesh->rest_weights)
        return grazei_fail_memory(error);
    for (size_t i = 0; i < numbers; i++)
        mesh->rest_matrices[i] =
            def->rest_matrices ? def->rest_matrices[i] : (float)(i % 12 % 5 == 0);
    for (uint32_t m = 0; def->rest_weights && m < mesh->morph_count; m++)
        mesh->rest_weights[m] = def->rest_weights[m];
    morph_all(mesh);
    return pose_all(mesh, error);
}
