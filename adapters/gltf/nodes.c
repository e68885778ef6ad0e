/* Nodes and their local maps. */
#include "reader.h"

#include <math.h>

bool grazei_gltf_normalise(float q[4])
{
    double squared = 0;
    for (int i = 0; i < 4; i++)
        squared += (double)q[i] * q[i];
    if (!(squared > 0))
        return false;
    /* Four components rounded to float leave the square within 1.2e-7 of 1: scaling such a one
     * again would only move its last bits, and a saved file would not load as it was.
     */
    if (fabs(squared - 1) <= 4e-7)
        return true;
    double scale = 1 / sqrt(squared);
    for (int i = 0; i < 4; i++)
        q[i] = (float)(q[i] * scale);
    return true;
}

bool grazei_gltf_to_rows(const float columns[16], float rows[12])
{
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            rows[row * 4 + column] = columns[column * 4 + row];
    return fabsf(columns[3]) <= 1e-3f && fabsf(columns[7]) <= 1e-3f &&
           fabsf(columns[11]) <= 1e-3f && fabsf(columns[15] - 1) <= 1e-3f;
}

static graze_status read_matrix(grazei_gltf_reader *reader, const cJSON *json, const char *place,
                                graze_rig_node *node)
{
    float columns[16];
    GRAZEI_GLTF_TRY(
        grazei_gltf_floats(reader, json, "matrix", place, 16, columns, &node->has_matrix));
    if (!node->has_matrix)
        return GRAZE_OK;
    if (!grazei_gltf_to_rows(columns, node->matrix))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the last row of \"matrix\" is not 0 0 0 1", place);
    return GRAZE_OK;
}

static graze_status read_node(grazei_gltf_reader *reader, uint32_t index)
{
    static const graze_rig_node still = {.parent = GRAZE_NONE,
                                         .rotation = {0, 0, 0, 1},
                                         .scale = {1, 1, 1},
                                         .matrix = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    grazei_gltf_place place = grazei_gltf_at("nodes[%u]", index);
    const cJSON *json = reader->nodes.items[index];
    graze_rig_node *node = &reader->rig->nodes[index];
    bool moved, turned, scaled;
    *node = still;
    reader->where = place;
    GRAZEI_GLTF_TRY(grazei_gltf_name(reader, json, &node->name));
    GRAZEI_GLTF_TRY(read_matrix(reader, json, place.text, node));
    GRAZEI_GLTF_TRY(
        grazei_gltf_floats(reader, json, "translation", place.text, 3, node->translation, &moved));
    GRAZEI_GLTF_TRY(
        grazei_gltf_floats(reader, json, "rotation", place.text, 4, node->rotation, &turned));
    GRAZEI_GLTF_TRY(grazei_gltf_floats(reader, json, "scale", place.text, 3, node->scale, &scaled));
    if (node->has_matrix && (moved || turned || scaled))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: has a matrix and also translation, rotation or scale",
                                place.text);
    if (!grazei_gltf_normalise(node->rotation))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"rotation\" is zero", place.text);
    return GRAZE_OK;
}

graze_status grazei_gltf_read_nodes(grazei_gltf_reader *reader)
{
    graze_rig *rig = reader->rig;
    rig->nodes = grazei_gltf_allocate(reader, reader->nodes.count, sizeof *rig->nodes);
    if (!rig->nodes)
        return GRAZE_OUT_OF_MEMORY;
    rig->node_count = reader->nodes.count;
    for (uint32_t i = 0; i < rig->node_count; i++)
        GRAZEI_GLTF_TRY(read_node(reader, i));
    return grazei_gltf_read_tree(reader);
}
