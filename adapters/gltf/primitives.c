/* The primitives of a mesh: their accessors and how many triangles they make. */
#include "reader.h"

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

graze_status grazei_gltf_open_attribute(grazei_gltf_reader *reader,
                                        const grazei_gltf_primitive *primitive, uint32_t index,
                                        const char *key, const char *type,
                                        grazei_gltf_accessor *accessor)
{
    const char *place = primitive->place.text;
    const unsigned char *values = grazei_gltf_unpacked_values(primitive, key);
    if (!values)
        return grazei_gltf_open_accessor(reader, index, type, place, accessor);
    GRAZEI_GLTF_TRY(grazei_gltf_describe_accessor(reader, index, type, place, accessor));
    accessor->data = values;
    accessor->count = primitive->unpacked.point_count;
    return GRAZE_OK;
}

static graze_status open_positions(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive)
{
    const char *place = primitive->place.text;
    uint32_t accessor;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->attributes, "POSITION", place,
                                      reader->accessors.count, &accessor));
    if (accessor == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no POSITION", place);
    if (grazei_gltf_unpacked_values(primitive, "POSITION"))
        return grazei_gltf_open_attribute(reader, primitive, accessor, "POSITION", "VEC3",
                                          &primitive->positions);
    return grazei_gltf_open_filled(reader, accessor, "VEC3", place, &primitive->positions);
}

static graze_status open_indices(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive)
{
    uint32_t accessor;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->json, "indices", primitive->place.text,
                                      reader->accessors.count, &accessor));
    primitive->has_indices = accessor != GRAZE_NONE;
    if (!primitive->has_indices)
        return GRAZE_OK;
    if (primitive->unpacked.indices) {
        grazei_gltf_accessor *indices = &primitive->indices;
        GRAZEI_GLTF_TRY(grazei_gltf_describe_accessor(reader, accessor, "SCALAR",
                                                      primitive->place.text, indices));
        indices->component_type = 5125; /* whatever it would be uncompressed */
        indices->component_size = indices->stride = sizeof *primitive->unpacked.indices;
        indices->normalized = false;
        indices->data = (const unsigned char *)primitive->unpacked.indices;
        return GRAZE_OK;
    }
    return grazei_gltf_open_filled(reader, accessor, "SCALAR", primitive->place.text,
                                   &primitive->indices);
}

static graze_status count_triangles(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive)
{
    uint32_t corners =
        primitive->has_indices ? primitive->indices.count : primitive->positions.count;
    bool plain = primitive->mode == MODE_TRIANGLES;
    if (plain ? corners % 3 != 0 : corners < 3)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %u corners do not make triangles",
                                primitive->place.text, corners);
    primitive->triangle_count = plain ? corners / 3 : corners - 2;
    return GRAZE_OK;
}

/* Materials are for people, as names are: one that is not there is none. */
static uint32_t material_of(const cJSON *json)
{
    const cJSON *item = grazei_gltf_member(json, "material");
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1;
    return number >= 0 && number < GRAZE_NONE ? (uint32_t)number : GRAZE_NONE;
}

static graze_status list_targets(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive,
                                 const cJSON *targets, uint32_t count)
{
    const char *place = primitive->place.text;
    const cJSON *item;
    uint32_t *next;
    if (count == 0)
        return GRAZE_OK;
    next = primitive->targets = grazei_gltf_allocate(reader, count, sizeof *next);
    if (!next)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, targets)
    {
        if (!cJSON_IsObject(item))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: a target is not an object",
                                    place);
        GRAZEI_GLTF_TRY(
            grazei_gltf_index(reader, item, "POSITION", place, reader->accessors.count, next++));
    }
    return GRAZE_OK;
}

/* One that shows triangles: the next of the mesh. */
static graze_status open_drawn(grazei_gltf_reader *reader, grazei_gltf_mesh *mesh,
                               const grazei_gltf_place *place, const cJSON *json, uint32_t mode,
                               const cJSON *targets)
{
    grazei_gltf_primitive *primitive = &mesh->primitives[mesh->primitive_count++];
    primitive->place = reader->where = *place;
    primitive->json = json;
    primitive->mode = mode;
    primitive->material = material_of(json);
    GRAZEI_GLTF_TRY(
        grazei_gltf_object(reader, json, "attributes", place->text, &primitive->attributes));
    GRAZEI_GLTF_TRY(grazei_gltf_unpack_primitive(reader, primitive));
    GRAZEI_GLTF_TRY(open_positions(reader, primitive));
    GRAZEI_GLTF_TRY(open_indices(reader, primitive));
    GRAZEI_GLTF_TRY(count_triangles(reader, primitive));
    return list_targets(reader, primitive, targets, mesh->morph_count);
}

static graze_status open_primitive(grazei_gltf_reader *reader, uint32_t index, uint32_t ordinal,
                                   const cJSON *json)
{
    grazei_gltf_mesh *mesh = &reader->mesh_data[index];
    grazei_gltf_place place = grazei_gltf_at("meshes[%u].primitives[%u]", index, ordinal);
    const cJSON *targets;
    uint32_t target_count;
    uint64_t mode;
    if (!cJSON_IsObject(json))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: not an object", place.text);
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "mode", place.text, MODE_TRIANGLES, &mode));
    if (mode > MODE_FAN)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: unknown mode %llu", place.text,
                                (unsigned long long)mode);
    GRAZEI_GLTF_TRY(
        grazei_gltf_array(reader, json, "targets", place.text, &targets, &target_count));
    if (ordinal == 0)
        mesh->morph_count = target_count;
    if (target_count != mesh->morph_count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: has %u morph targets, primitive 0 has %u", place.text,
                                target_count, mesh->morph_count);
    return mode < MODE_TRIANGLES ? GRAZE_OK
                                 : open_drawn(reader, mesh, &place, json, (uint32_t)mode, targets);
}

graze_status grazei_gltf_open_mesh(grazei_gltf_reader *reader, uint32_t index)
{
    grazei_gltf_mesh *mesh = &reader->mesh_data[index];
    grazei_gltf_place place = grazei_gltf_at("meshes[%u]", index);
    const cJSON *primitives, *item;
    uint32_t count, ordinal = 0;
    if (mesh->primitives)
        return GRAZE_OK;
    reader->where = place;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->meshes.items[index], "primitives", place.text,
                                      &primitives, &count));
    if (count == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no primitives", place.text);
    mesh->first_instance = GRAZE_NONE;
    mesh->primitives = grazei_gltf_allocate(reader, count, sizeof *mesh->primitives);
    if (!mesh->primitives)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, primitives)
        GRAZEI_GLTF_TRY(open_primitive(reader, index, ordinal++, item));
    return GRAZE_OK;
}

void grazei_gltf_release_meshes(grazei_gltf_reader *reader)
{
    for (uint32_t i = 0; reader->mesh_data && i < reader->meshes.count; i++) {
        const grazei_gltf_mesh *mesh = &reader->mesh_data[i];
        for (uint32_t k = 0; k < mesh->primitive_count; k++) {
            grazei_gltf_release_unpacked(reader, &mesh->primitives[k].unpacked);
            grazei_gltf_release(reader, mesh->primitives[k].sets);
            grazei_gltf_release(reader, mesh->primitives[k].targets);
        }
        grazei_gltf_release(reader, mesh->primitives);
        grazei_gltf_release(reader, mesh->weights);
    }
}
