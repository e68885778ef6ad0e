/* Sizes of models and trees (table 1). */
#include "bench/simulation.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

typedef struct papers_row {
    uint32_t vertices, faces, fields, spheres, levels;
} papers_row;

static const papers_row papers[SIMULATE_THING_COUNT] = {
    [SIMULATE_CHAIR] = {9421, 17914, 10, 35827, 19},
    [SIMULATE_BRIDGE] = {135304, 240316, 10, 480631, 26},
    [SIMULATE_FISH] = {12531, 24776, 3, 49551, 18},
    [SIMULATE_CURTAIN] = {6184, 12020, 12, 24039, 17}};

bool simulation_is_wanted(simulation_output *output, const char *name)
{
    bool wanted = !output->options->only || strstr(name, output->options->only);
    output->wanted |= wanted;
    return wanted;
}

uint32_t simulation_kind_of(const simulate_scene *scene, uint32_t body)
{
    return body < scene->animated_count ? 0 : scene->kind_count - 1;
}

bool simulation_fail(const graze_error *error)
{
    fprintf(stderr, "graze: %s\n", error->text);
    return false;
}

uint32_t simulation_level(simulate_thing thing)
{
    return thing == SIMULATE_FISH ? 7 : thing == SIMULATE_CHAIR ? 10 : 0;
}

graze_model *simulation_default_model(const simulate_kind *kind)
{
    graze_model_def def = graze_rig_model_def(kind->rig);
    graze_error error = {.text = "out of memory"};
    graze_model *model = NULL;
    def.self_collision = false;
    if (graze_rig_create_model(kind->rig, &def, &model, &error))
        simulation_fail(&error);
    return model;
}

graze_model *simulation_paper_model(const simulate_kind *kind, uint32_t contact_level)
{
    graze_model_def def = graze_rig_model_def(kind->rig);
    graze_error error = {.text = "out of memory"};
    graze_model *model = NULL;
    def.self_collision = false;
    def.tree = graze_paper_tree_def();
    def.tree.collapse = 1;
    def.tree.contact_level = contact_level;
    if (graze_rig_create_model(kind->rig, &def, &model, &error))
        simulation_fail(&error);
    return model;
}

static void print_row(const simulation_output *output, const simulate_kind *kind,
                      const graze_model *model)
{
    const papers_row *paper = &papers[kind->thing];
    graze_model_info info = graze_model_get_info(model);
    if (output->options->json)
        printf("{\"table\":\"table 1\",\"model\":\"%s\",\"vertices\":%u,\"faces\":%u,"
               "\"fields\":%u,\"spheres\":%u,\"levels\":%u,\"tree_bytes\":%zu,"
               "\"lowest_hz\":%.5g,\"highest_hz\":%.5g}\n",
               kind->name, info.vertex_count, info.triangle_count, info.morph_count,
               info.node_count, info.level_count, info.tree_bytes,
               kind->field_count ? kind->frequencies[0] : 0,
               kind->field_count ? kind->frequencies[kind->field_count - 1] : 0);
    else
        printf("  %-10s %8u [%6u] %8u [%6u] %7u [%2u] %8u [%6u] %7u [%2u] %10.1f\n", kind->name,
               info.vertex_count, paper->vertices, info.triangle_count, paper->faces,
               info.morph_count, paper->fields, info.node_count, paper->spheres, info.level_count,
               paper->levels, (double)info.tree_bytes * 1e-6);
    fflush(stdout);
}

static bool measure(simulation_output *output, simulate_thing thing)
{
    simulate_kind_def def = {.thing = thing, .triangles = output->options->triangles};
    simulate_kind *kind = NULL;
    graze_error error = {.text = "out of memory"};
    graze_body *body = NULL;
    if (simulate_kind_create(&def, &kind, &error))
        return simulation_fail(&error);
    graze_model *model = simulation_paper_model(kind, 0);
    bool ok = model;
    if (ok)
        print_row(output, kind, model);
    if (ok && thing == SIMULATE_BRIDGE) {
        ok = !graze_body_create(model, &body, &error) || simulation_fail(&error);
        ok = ok && simulation_radii(output, kind, body);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
    simulate_kind_destroy(kind);
    return ok;
}

bool simulation_models(simulation_output *output, const simulate_thing *things, uint32_t count)
{
    if (!simulation_is_wanted(output, "models"))
        return true;
    if (!output->options->json)
        printf("\nmodels and the paper's tree (paper's figures in brackets)\n"
               "  %-10s %17s %17s %12s %17s %12s %10s\n",
               "", "vertices", "faces", "fields", "spheres", "levels", "tree MB");
    for (uint32_t i = 0; i < count; i++)
        if (!measure(output, things[i]))
            return false;
    return true;
}
