/* Morph targets, kept sparse: only vertices that a target moves. */
#include "reader.h"

#include <string.h>

/* What one target has gathered so far; the arrays grow in a workspace. */
typedef struct gathered {
    uint32_t *vertices; /* room for every vertex of the instance */
    float *deltas;
    uint32_t count;
    uint32_t index; /* of the rig's morphs */
} gathered;

/* Displacements that an earlier target took from the same accessor. */
static void gather_again(const grazei_gltf_reader *reader, const grazei_gltf_gathered *from,
                         uint32_t first_vertex, gathered *morph)
{
    const graze_rig_morph *taken = &reader->rig->morphs[from->morph];
    for (uint32_t i = from->first; i < from->first + from->count; i++) {
        morph->vertices[morph->count] = taken->vertices[i] - from->first_vertex + first_vertex;
        memcpy(morph->deltas + (size_t)morph->count++ * 3, taken->deltas + (size_t)i * 3,
               3 * sizeof *morph->deltas);
    }
}

/* Accessors without numbers move nothing, and others are read once: files may name one in each of
 * many targets.
 */
static graze_status gather_primitive(grazei_gltf_reader *reader,
                                     const grazei_gltf_primitive *primitive, uint32_t index,
                                     uint32_t first_vertex, gathered *morph)
{
    grazei_gltf_gathered *known = &reader->accessor_data[index].gathered;
    grazei_gltf_accessor accessor;
    GRAZEI_GLTF_TRY(
        grazei_gltf_open_accessor(reader, index, "VEC3", primitive->place.text, &accessor));
    if (accessor.count != primitive->positions.count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u]: %u displacements for the %u vertices of %s", index,
                                accessor.count, primitive->positions.count, primitive->place.text);
    if (known->morph < morph->index) {
        gather_again(reader, known, first_vertex, morph);
        return GRAZE_OK;
    }
    if (!accessor.data && accessor.sparse_count == 0)
        return GRAZE_OK;
    *known = (grazei_gltf_gathered){morph->index, morph->count, 0, first_vertex};
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
    known->count = morph->count - known->first;
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

/* The mesh's own weights, zeros if it has none; read once. */
static graze_status read_mesh_weights(grazei_gltf_reader *reader, uint32_t index)
{
    grazei_gltf_mesh *mesh = &reader->mesh_data[index];
    grazei_gltf_place place = grazei_gltf_at("meshes[%u]", index);
    bool present;
    if (mesh->weights)
        return GRAZE_OK;
    mesh->weights = grazei_gltf_allocate(reader, mesh->morph_count, sizeof *mesh->weights);
    if (!mesh->weights)
        return GRAZE_OUT_OF_MEMORY;
    return grazei_gltf_floats(reader, reader->meshes.items[index], "weights", place.text,
                              mesh->morph_count, mesh->weights, &present);
}

/* The weights the instance starts with: the node's, else the mesh's. */
static graze_status read_weights(grazei_gltf_reader *reader, const grazei_gltf_instance *instance)
{
    grazei_gltf_place place = grazei_gltf_at("nodes[%u]", instance->node);
    bool present;
    float *weights =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_WEIGHTS, instance->morph_count, sizeof *weights);
    if (!weights)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(grazei_gltf_floats(reader, reader->nodes.items[instance->node], "weights",
                                       place.text, instance->morph_count, weights, &present));
    if (!present) {
        GRAZEI_GLTF_TRY(read_mesh_weights(reader, instance->mesh));
        weights = reader->mesh_data[instance->mesh].weights;
    }
    for (uint32_t i = 0; i < instance->morph_count; i++)
        reader->rig->morphs[instance->first_morph + i].weight = weights[i];
    return GRAZE_OK;
}

/* Those of an instance whose mesh another one before had. */
static graze_status copy_morphs(grazei_gltf_reader *reader, const grazei_gltf_instance *instance,
                                uint32_t first_vertex)
{
    const graze_rig *rig = reader->rig;
    uint32_t first = reader->mesh_data[instance->mesh].first_instance;
    uint32_t from_vertex = rig->meshes[first].first_vertex;
    for (uint32_t m = 0; m < instance->morph_count; m++) {
        const graze_rig_morph *from = &rig->morphs[reader->instances[first].first_morph + m];
        graze_rig_morph *to = &rig->morphs[instance->first_morph + m];
        gathered whole = {from->vertices, from->deltas, from->count, 0};
        GRAZEI_GLTF_TRY(keep(reader, &whole, to));
        for (uint32_t i = 0; i < to->count; i++)
            to->vertices[i] += first_vertex - from_vertex;
    }
    return GRAZE_OK;
}

static graze_status read_morph(grazei_gltf_reader *reader, const grazei_gltf_mesh *mesh,
                               uint32_t target, uint32_t first_vertex, gathered *morph)
{
    morph->count = 0;
    for (uint32_t i = 0; i < mesh->primitive_count; i++) {
        const grazei_gltf_primitive *primitive = &mesh->primitives[i];
        if (primitive->targets[target] != GRAZE_NONE)
            GRAZEI_GLTF_TRY(gather_primitive(reader, primitive, primitive->targets[target],
                                             first_vertex, morph));
        first_vertex += primitive->positions.count;
    }
    return keep(reader, morph, &reader->rig->morphs[morph->index]);
}

graze_status grazei_gltf_read_morphs(grazei_gltf_reader *reader,
                                     const grazei_gltf_instance *instance, uint32_t first_vertex)
{
    const grazei_gltf_mesh *mesh = &reader->mesh_data[instance->mesh];
    uint32_t vertex_count = reader->rig->vertex_count - first_vertex;
    gathered morph;
    if (instance->morph_count == 0)
        return GRAZE_OK;
    grazei_gltf_enter(reader, "meshes[%u]", instance->mesh);
    GRAZEI_GLTF_TRY(read_weights(reader, instance));
    if (&reader->instances[mesh->first_instance] != instance)
        return copy_morphs(reader, instance, first_vertex);
    morph.vertices =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_MORPH, vertex_count, sizeof *morph.vertices);
    morph.deltas =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, vertex_count, 3 * sizeof *morph.deltas);
    if (!morph.vertices || !morph.deltas)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t m = 0; m < instance->morph_count; m++) {
        morph.index = instance->first_morph + m;
        GRAZEI_GLTF_TRY(read_morph(reader, mesh, m, first_vertex, &morph));
    }
    return GRAZE_OK;
}
