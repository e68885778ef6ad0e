/* KHR_node_visibility: nodes that are not shown, with all that hangs below them. They still move
 * what follows them as joints.
 */
#include "reader.h"

#define EXTENSION "KHR_node_visibility"

static graze_status read_hidden(grazei_gltf_reader *reader, uint32_t node, bool *hidden)
{
    const cJSON *extensions = grazei_gltf_member(reader->nodes.items[node], "extensions"), *shown;
    grazei_gltf_place place = grazei_gltf_at("nodes[%u]." EXTENSION, node);
    const cJSON *extension = grazei_gltf_member(extensions, EXTENSION);
    *hidden = false;
    if (!extension)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, extensions, EXTENSION, place.text, &extension));
    shown = grazei_gltf_member(extension, "visible");
    *hidden = cJSON_IsFalse(shown);
    if (shown && !cJSON_IsBool(shown))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: \"visible\" is not true or false",
                                place.text);
    return GRAZE_OK;
}

/* In the scene's list parents stand before their children. */
graze_status grazei_gltf_hide_nodes(grazei_gltf_reader *reader)
{
    uint32_t kept = 0;
    bool *hidden = grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, reader->nodes.count, 1);
    if (!hidden)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->scene_node_count; i++) {
        uint32_t node = reader->scene_nodes[i], parent = reader->rig->nodes[node].parent;
        GRAZEI_GLTF_TRY(read_hidden(reader, node, &hidden[node]));
        hidden[node] = hidden[node] || (parent != GRAZE_NONE && hidden[parent]);
        if (!hidden[node])
            reader->scene_nodes[kept++] = node;
        else
            grazei_gltf_warn(reader, GRAZEI_GLTF_HIDDEN,
                             "nodes[%u] is hidden by " EXTENSION ", and left out", node);
    }
    reader->scene_node_count = kept;
    return GRAZE_OK;
}
