#include "cli/coarse_mesh.h"

#include <graze/decimate.h>
#include <graze/gltf.h>

#include <stdio.h>
#include <stdlib.h>

/* Morph targets of a def as a rig has them; NULL when out of memory. */
static graze_rig_morph *make_morphs(const graze_rig *rig, const graze_model_def *def)
{
    graze_rig_morph *morphs = calloc((size_t)rig->morph_count + 1, sizeof *morphs);
    for (uint32_t m = 0; morphs && m < rig->morph_count; m++)
        morphs[m] = (graze_rig_morph){.vertices = (uint32_t *)def->morphs[m].vertices,
                                      .deltas = (float *)def->morphs[m].deltas,
                                      .count = def->morphs[m].count,
                                      .weight = rig->morphs[m].weight};
    return morphs;
}

/* The mesh of a def on the rig's skeleton: a rig over the arrays of both, which are only read. */
static bool save(const graze_rig *rig, const graze_model_def *def, const char *path,
                 graze_error *error)
{
    graze_rig coarse = *rig;
    coarse.positions = (float *)def->positions;
    coarse.vertex_count = def->vertex_count;
    coarse.triangles = (uint32_t *)def->triangles;
    coarse.triangle_count = def->triangle_count;
    coarse.influence_offsets = (uint32_t *)def->influence_offsets;
    coarse.influences = (graze_influence *)def->influences;
    coarse.mesh_count = coarse.primitive_count = 0;
    coarse.morphs = make_morphs(rig, def);
    bool saved = coarse.morphs && !graze_gltf_save(&coarse, path, error);
    if (!coarse.morphs)
        snprintf(error->text, sizeof error->text, "out of memory");
    free(coarse.morphs);
    return saved;
}

bool coarse_mesh_write(const graze_rig *rig, uint32_t triangles, const char *path,
                       graze_error *error)
{
    graze_model_def plain = graze_rig_model_def(rig);
    graze_decimate_def wanted = graze_default_decimate_def();
    graze_model *model = NULL;
    graze_decimated *coarse = NULL;
    plain.self_collision = false;
    wanted.triangles = triangles;
    bool written = !graze_rig_create_model(rig, &plain, &model, error) &&
                   !graze_decimate(model, &wanted, &coarse, error);
    if (written) {
        graze_model_def def = graze_decimated_model_def(coarse);
        written = save(rig, &def, path, error);
    }
    graze_decimated_destroy(coarse);
    graze_model_destroy(model);
    return written;
}
