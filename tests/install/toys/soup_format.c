/* A toy format: how many triangles, then nine numbers for each. */
#include "cli/model_file.h"

#include <stdio.h>
#include <stdlib.h>

static void *zeros(graze_rig *rig, size_t count, size_t size)
{
    void *memory = rig->allocator.allocate(rig->allocator.user, count * size, 64);
    for (size_t i = 0; memory && i < count * size; i++)
        ((char *)memory)[i] = 0;
    return memory;
}

static bool read(FILE *file, graze_rig *rig)
{
    uint32_t count = 0;
    if (!file || fscanf(file, "%u", &count) != 1 || !count || count > 1000000)
        return false;
    rig->vertex_count = 3 * count;
    rig->triangle_count = count;
    rig->positions = zeros(rig, 9 * (size_t)count, sizeof *rig->positions);
    rig->triangles = zeros(rig, 3 * (size_t)count, sizeof *rig->triangles);
    rig->influence_offsets = zeros(rig, 3 * (size_t)count + 1, sizeof *rig->influence_offsets);
    rig->influences = zeros(rig, 3 * (size_t)count, sizeof *rig->influences);
    rig->nodes = zeros(rig, 1, sizeof *rig->nodes);
    rig->joints = zeros(rig, 1, sizeof *rig->joints);
    if (!rig->positions || !rig->triangles || !rig->influence_offsets || !rig->influences ||
        !rig->nodes || !rig->joints)
        return false;
    for (uint32_t i = 0; i < 9 * count; i++)
        if (fscanf(file, "%f", &rig->positions[i]) != 1)
            return false;
    for (uint32_t v = 0; v < 3 * count; v++) {
        rig->triangles[v] = v;
        rig->influences[v].weight = 1;
        rig->influence_offsets[v + 1] = v + 1;
    }
    rig->joint_count = rig->node_count = 1;
    rig->joints[0] = (graze_rig_joint){.inverse_bind = {[0] = 1, [5] = 1, [10] = 1}, .rigid = true};
    rig->nodes[0] =
        (graze_rig_node){.parent = GRAZE_NONE, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
    return true;
}

graze_status model_load_soup(const char *path, uint64_t most, graze_rig **rig, graze_error *error)
{
    (void)most;
    graze_rig *made = graze_rig_create(NULL);
    FILE *file = fopen(path, "r");
    bool good = made && read(file, made) && graze_rig_name_nodes(made, error) == GRAZE_OK;
    if (file)
        fclose(file);
    if (good) {
        *rig = made;
        return GRAZE_OK;
    }
    graze_rig_destroy(made);
    snprintf(error->text, sizeof error->text, "%s: no soup of triangles", path);
    return GRAZE_BAD_INPUT;
}
