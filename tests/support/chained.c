#include "support/chained.h"
#include "support/rigs.h"

#include "scenes/synth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RIGS = 16 };

static struct {
    const char *name;
    graze_rig *rig;
} made[MOST_RIGS];

static void free_rigs(void)
{
    for (int i = 0; i < MOST_RIGS; i++)
        graze_rig_destroy(made[i].rig);
}

graze_rig *chained_rig(const char *name)
{
    static const struct {
        const char *name;
        graze_synth_def def;
    } kinds[] = {{"man", {GRAZE_SYNTH_MAN, 1200, 0}},
                 {"creature", {GRAZE_SYNTH_CREATURE, 3000, 0}},
                 {"dwarf", {GRAZE_SYNTH_DWARF, 1664, 0}}};
    uint32_t at = 0;
    if (!made[0].name)
        atexit(free_rigs);
    while (at < MOST_RIGS - 1 && made[at].name && strcmp(made[at].name, name) != 0)
        at++;
    if (made[at].name)
        return made[at].rig;
    made[at].name = name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            CHECK(graze_synth(&kinds[i].def, NULL, &made[at].rig, NULL) == GRAZE_OK);
            return made[at].rig;
        }
    const char *folder = test_models_folder();
    char path[512];
    if (folder && snprintf(path, sizeof path, "%s/%s.glb", folder, name) < (int)sizeof path)
        CHECK(test_rig_load(path, &made[at].rig, NULL) == GRAZE_OK);
    return made[at].rig;
}

chained chained_open(graze_rig *rig, const graze_chain_def *def, bool posed)
{
    chained c = {.rig = rig};
    graze_error error = {GRAZE_OK, ""};
    graze_chain_def wanted = def ? *def : (graze_chain_def){0};
    c.rest = malloc(((size_t)rig->vertex_count + 1) * 12);
    if (!c.rest)
        abort();
    graze_status status = graze_rig_create_model(rig, NULL, &c.model, &error);
    if (!status)
        status = graze_rig_part_names(rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &c.joints, &error);
    if (!status) {
        graze_body *body = NULL;
        status = graze_body_create(c.model, &body, &error);
        if (!status)
            status = graze_rig_pose_body(rig, GRAZE_NONE, 0, NULL, body, &error);
        if (!status)
            graze_body_get_positions(body, c.rest);
        graze_body_destroy(body);
        wanted.positions = posed ? c.rest : NULL;
    }
    if (!status)
        status = graze_chains_create(c.model, c.joints, &wanted, &c.chains, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return c;
}

void chained_close(chained *c)
{
    graze_chains_destroy(c->chains);
    graze_part_names_destroy(c->joints);
    graze_model_destroy(c->model);
    free(c->rest);
}

void chained_sphere(const graze_chains *chains, uint32_t s, const float *positions, float out[4])
{
    uint32_t count, each = graze_chains_get_info(chains).vertices_per_pivot;
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
    for (uint32_t r = 0; r < graze_chains_get_info(chains).region_count; r++)
        if (strcmp(graze_chains_region_name(chains, r), name) == 0)
            return r;
    return GRAZE_NONE;
}
