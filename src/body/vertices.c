/* Chosen vertices, posed when they are asked for: nothing of it is kept. */
#include "base/status.h"
#include "body/body.h"
#include "math/rounding.h"
#include "mesh/morphs.h"

#include <string.h>

/* As many are posed at a time. */
enum { CHUNK = 64 };

static graze_status check(const graze_body *body, const uint32_t *vertices, uint32_t count,
                          const float *positions, graze_error *error)
{
    graze_status status = grazei_check_pointer(body, "the body", error);
    if (!status && count)
        status = grazei_check_pointer(vertices, "the array of vertices", error);
    if (!status && count)
        status = grazei_check_pointer(positions, "the array of positions", error);
    if (!status)
        status = grazei_check_rounding(error);
    for (uint32_t i = 0; !status && i < count; i++)
        if (vertices[i] >= body->model->mesh.vertex_count)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "number %u is vertex %u, the model has %u",
                                 i, vertices[i], body->model->mesh.vertex_count);
    return status;
}

const float (*grazei_body_known_positions(const graze_body *body))[4]
{
    if (body->own_positions && body->given)
        return (const float(*)[4])body->own_positions;
    bool there = grazei_body_has_cache(body) &&
                 (body->given || grazei_body_has(body, &body->positions_mark));
    return there ? (const float(*)[4])body->cache.positions : NULL;
}

/* In the order of grazei_morph_apply, target by target. */
static void add_morphs(const grazei_mesh *mesh, const float *weights, const uint32_t *vertices,
                       uint32_t count, float (*rest)[4])
{
    for (uint32_t m = 0; m < mesh->morph_count; m++) {
        float q = weights[m];
        for (uint32_t i = 0; q != 0 && i < count; i++) {
            const float *delta = grazei_morph_displacement(mesh, m, vertices[i]);
            for (int k = 0; delta && k < 3; k++)
                rest[i][k] += q * delta[k];
        }
    }
}

static void pose_chunk(const graze_body *body, const uint32_t *vertices, uint32_t count,
                       float *positions)
{
    const graze_model *model = body->model;
    const grazei_joints *joints = grazei_body_joints(body);
    float rest[CHUNK][4] __attribute__((aligned(64))), posed[CHUNK][4] __attribute__((aligned(64)));
    for (uint32_t i = 0; i < count; i++)
        f4_store(rest[i], f4_load3(model->mesh.positions + 3 * (size_t)vertices[i]));
    if (joints->morph_error != 0)
        add_morphs(&model->mesh, joints->morph_weights, vertices, count, rest);
    model->deformer->pose_chosen(&model->skin, joints, vertices, count, (const float(*)[4])rest,
                                 posed);
    for (uint32_t i = 0; i < count; i++)
        memcpy(positions + 3 * (size_t)i, posed[i], 3 * sizeof(float));
}

graze_status graze_body_get_vertices(graze_body *body, const uint32_t *vertices, uint32_t count,
                                     float *positions, graze_error *error)
{
    graze_status status = check(body, vertices, count, positions, error);
    if (status)
        return status;
    const float(*known)[4] = grazei_body_known_positions(body);
    for (uint32_t i = 0; known && i < count; i++)
        memcpy(positions + 3 * (size_t)i, known[vertices[i]], 3 * sizeof(float));
    for (uint32_t i = 0; !known && i < count; i += CHUNK)
        pose_chunk(body, vertices + i, count - i < CHUNK ? count - i : CHUNK,
                   positions + 3 * (size_t)i);
    return GRAZE_OK;
}
