#include "support/chained.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

chained chained_open(graze_rig *rig, const graze_chain_def *def, bool posed)
{
    chained c = {.rig = rig};
    graze_error error = {GRAZE_OK, ""};
    graze_chain_def wanted = def ? *def : graze_default_chain_def();
    c.rest = malloc(((size_t)rig->vertex_count + 1) * 12);
    if (!c.rest)
        abort();
    memcpy(c.rest, rig->positions, (size_t)rig->vertex_count * 12);
    graze_status status = graze_rig_create_model(rig, NULL, &c.model, &error);
    if (!status)
        status = graze_rig_parts(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &c.joints, &error);
    if (!status && posed) {
        graze_body *body = NULL;
        status = graze_body_create(c.model, &body, &error);
        if (!status)
            status = graze_rig_pose_body(rig, GRAZE_NONE, 0, NULL, body, &error);
        if (!status)
            graze_body_get_positions(body, c.rest);
        graze_body_destroy(body);
        wanted.positions = c.rest;
    }
    if (!status)
        status = graze_chains_create(c.model, c.joints, &wanted, &c.chains, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return c;
}

void chained_close(chained *c)
{
    graze_chains_destroy(c->chains);
    graze_parts_destroy(c->joints);
    graze_model_destroy(c->model);
    free(c->rest);
}

void chained_sphere(const graze_chains *chains, uint32_t s, const float *positions, float out[4])
{
    uint32_t count, each = graze_chains_vertices_per_pivot(chains);
    const graze_chain_pivot *pivots = graze_chains_pivots(chains, &count);
    graze_chain_sphere sphere = graze_chains_sphere(chains, s);
    float at[32][3], centre[3] = {0, 0, 0}, sum = 0;
    for (uint32_t i = 0; i < sphere.pivot_count && i < 32; i++) {
        const graze_chain_pivot *pivot = &pivots[sphere.first_pivot + i];
        for (int k = 0; k < 3; k++) {
            at[i][k] = 0;
            for (uint32_t v = 0; v < each; v++)
                at[i][k] += positions[3 * (size_t)pivot->vertices[v] + k];
            at[i][k] /= (float)each;
            centre[k] += pivot->weight * at[i][k];
        }
    }
    for (uint32_t i = 0; i < sphere.pivot_count && i < 32; i++) {
        float square = 0;
        for (int k = 0; k < 3; k++)
            square += (at[i][k] - centre[k]) * (at[i][k] - centre[k]);
        sum += sqrtf(square);
    }
    memcpy(out, centre, sizeof centre);
    out[3] = sphere.radius_factor * sum / (float)sphere.pivot_count;
}

uint32_t chained_region(const graze_chains *chains, const char *name)
{
    for (uint32_t r = 0; r < graze_chains_region_count(chains); r++)
        if (strcmp(graze_chains_region_name(chains, r), name) == 0)
            return r;
    return GRAZE_NO_PART;
}
