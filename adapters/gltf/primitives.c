/* One primitive of a mesh: its accessors and how many triangles they make. */
#include "reader.h"

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

graze_status grazei_gltf_primitives(grazei_gltf_reader *reader, uint32_t mesh,
                                    const cJSON **primitives)
{
    grazei_gltf_place place = grazei_gltf_at("meshes[%u]", mesh);
    uint32_t count;
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, reader->meshes.items[mesh], "primitives", place.text,
                                      primitives, &count));
    if (count == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no primitives", place.text);
    return GRAZE_OK;
}

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
    if (primitive->unpacked) {
        grazei_gltf_accessor *indices = &primitive->indices;
        GRAZEI_GLTF_TRY(grazei_gltf_describe_accessor(reader, accessor, "SCALAR",
                                                      primitive->place.text, indices));
        indices->component_type = 5125; /* whatever it would be uncompressed */
        indices->component_size = indices->stride = sizeof *primitive->unpacked->indices;
        indices->normalized = false;
        indices->data = (const unsigned char *)primitive->unpacked->indices;
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

graze_status grazei_gltf_open_primitive(grazei_gltf_reader *reader, uint32_t mesh, uint32_t ordinal,
                                        const cJSON *json, grazei_gltf_primitive *primitive)
{
    *primitive = (grazei_gltf_primitive){0};
    primitive->place = grazei_gltf_at("meshes[%u].primitives[%u]", mesh, ordinal);
    primitive->json = json;
    const char *place = primitive->place.text;
    uint64_t mode;
    if (!cJSON_IsObject(json))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: not an object", place);
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "mode", place, MODE_TRIANGLES, &mode));
    if (mode > MODE_FAN)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: unknown mode %llu", place,
                                (unsigned long long)mode);
    GRAZEI_GLTF_TRY(grazei_gltf_array(reader, json, "targets", place, &primitive->targets,
                                      &primitive->target_count));
    primitive->mode = (uint32_t)mode;
    primitive->is_drawn = mode >= MODE_TRIANGLES;
    if (!primitive->is_drawn)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, json, "attributes", place, &primitive->attributes));
    GRAZEI_GLTF_TRY(grazei_gltf_unpack_primitive(reader, mesh, ordinal, primitive));
    GRAZEI_GLTF_TRY(open_positions(reader, primitive));
    GRAZEI_GLTF_TRY(open_indices(reader, primitive));
    return count_triangles(reader, primitive);
}
