/* Morph targets, kept sparse: only vertices that a target moves. */
#include "reader.h"

#include <string.h>

/* What one target has gathered so far; the arrays grow in a workspace. */
typedef struct gathered {
    uint32_t *vertices; /* room for every vertex of the instance */
    float *deltas;
    uint32_t count;
} gathered;

static graze_status gather_primitive(grazei_gltf_reader *reader,
                                     const grazei_gltf_primitive *primitive, const cJSON *target,
                                     uint32_t first_vertex, gathered *morph)
{
    const char *place = primitive->place.text;
    grazei_gltf_accessor accessor;
    uint32_t index;
    if (!cJSON_IsObject(target))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: a target is not an object", place);
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, target, "POSITION", place, reader->accessors.count, &index));
    if (index == GRAZE_NONE)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_open_accessor(reader, index, "VEC3", place, &accessor));
    if (accessor.count != primitive->positions.count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u]: %u displacements for the %u vertices of %s", index,
                                accessor.count, primitive->positions.count, place);
    /* Read in place: what is kept never lies behind what is still to be looked at. */
    float *deltas = morph->deltas + (size_t)morph->count * 3;
    GRAZEI_GLTF_TRY(grazei_gltf_read_floats(reader, &accessor, deltas));
    for (uint32_t v = 0; v < accessor.count; v++) {
        const float *delta = deltas + (size_t)v * 3;
        if (delta[0] == 0 && delta[1] == 0 && delta[2] == 0)
            continue;
        morph->vertices[morph->count] = first_vertex + v;
        memmove(morph->deltas + (size_t)morph->count++ * 3, delta, 3 * sizeof *delta);
    }
    return GRAZE_OK;
}

static graze_status keep(grazei_gltf_reader *reader, const gathered *from, graze_rig_morph *morph)
{
    morph->vertices = grazei_gltf_allocate(reader, from->count, sizeof *morph->vertices);
    morph->deltas = grazei_gltf_allocate(reader, from->count, 3 * sizeof *morph->deltas);
    if (!morph->vertices || !morph->deltas)
        return GRAZE_OUT_OF_MEMORY;
    memcpy(morph->vertices, from->vertices, from->count * sizeof *morph->vertices);
    memcpy(morph->deltas, from->deltas, from->count * 3 * sizeof *morph->deltas);
    morph->count = from->count;
    return GRAZE_OK;
}

/* The weights the instance starts with: the node's, else the mesh's, else zeros. */
static graze_status read_weights(grazei_gltf_reader *reader, const grazei_gltf_instance *instance)
{
    grazei_gltf_place node_place = grazei_gltf_at("nodes[%u]", instance->node);
    grazei_gltf_place mesh_place = grazei_gltf_at("meshes[%u]", instance->mesh);
    bool present;
    float *weights =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_WEIGHTS, instance->morph_count, sizeof *weights);
    if (!weights)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(grazei_gltf_floats(reader, reader->nodes.items[instance->node], "weights",
                                       node_place.text, instance->morph_count, weights, &present));
    if (!present)
        GRAZEI_GLTF_TRY(grazei_gltf_floats(reader, reader->meshes.items[instance->mesh], "weights",
                                           mesh_place.text, instance->morph_count, weights,
                                           &present));
    for (uint32_t i = 0; i < instance->morph_count; i++)
        reader->rig->morphs[instance->first_morph + i].weight = present ? weights[i] : 0;
    return GRAZE_OK;
}

/* One primitive's share in one morph: the next of its targets, which are walked in step. */
typedef struct target_cursor {
    grazei_gltf_primitive primitive;
    const cJSON *next;
    uint32_t first_vertex;
} target_cursor;

static graze_status open_cursors(grazei_gltf_reader *reader, const grazei_gltf_instance *instance,
                                 uint32_t first_vertex, target_cursor **cursors, uint32_t *count)
{
    const cJSON *primitives, *item;
    uint32_t ordinal = 0;
    *count = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_primitives(reader, instance->mesh, &primitives));
    cJSON_ArrayForEach(item, primitives)(*count)++;
    *cursors = grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_NODES, *count, sizeof **cursors);
    if (!*cursors)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, primitives)
    {
        target_cursor *cursor = &(*cursors)[ordinal];
        GRAZEI_GLTF_TRY(grazei_gltf_open_primitive(reader, instance->mesh, ordinal++, item,
                                                   &cursor->primitive));
        cursor->next = cursor->primitive.targets ? cursor->primitive.targets->child : NULL;
        cursor->first_vertex = first_vertex;
        first_vertex += cursor->primitive.positions.count; /* 0 if it is not drawn */
    }
    return GRAZE_OK;
}

graze_status grazei_gltf_read_morphs(grazei_gltf_reader *reader,
                                     const grazei_gltf_instance *instance, uint32_t first_vertex)
{
    uint32_t vertex_count = reader->rig->vertex_count - first_vertex, cursor_count;
    target_cursor *cursors;
    gathered morph;
    if (instance->morph_count == 0)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(read_weights(reader, instance));
    GRAZEI_GLTF_TRY(open_cursors(reader, instance, first_vertex, &cursors, &cursor_count));
    morph.vertices =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_MORPH, vertex_count, sizeof *morph.vertices);
    morph.deltas =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, vertex_count, 3 * sizeof *morph.deltas);
    if (!morph.vertices || !morph.deltas)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t m = 0; m < instance->morph_count; m++) {
        morph.count = 0;
        for (uint32_t i = 0; i < cursor_count; i++) {
            const cJSON *target = cursors[i].next;
            cursors[i].next = target->next;
            if (cursors[i].primitive.is_drawn)
                GRAZEI_GLTF_TRY(gather_primitive(reader, &cursors[i].primitive, target,
                                                 cursors[i].first_vertex, &morph));
        }
        GRAZEI_GLTF_TRY(keep(reader, &morph, &reader->rig->morphs[instance->first_morph + m]));
    }
    return GRAZE_OK;
}
