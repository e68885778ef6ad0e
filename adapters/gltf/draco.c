/* Primitives compressed by Draco: KHR_draco_mesh_compression. A stream has the indices and any of
 * the attributes; the rest, morph targets among it, stays with the accessors.
 */
#include "reader.h"

#include "draco_decode.h"

#include <string.h>

#define EXTENSION "KHR_draco_mesh_compression"

/* The numbers of the primitives of a file, over all meshes. */
static graze_status number_primitives(grazei_gltf_reader *reader)
{
    uint64_t sum = 0;
    if (reader->unpacked)
        return GRAZE_OK;
    reader->first_unpacked =
        grazei_gltf_allocate(reader, reader->meshes.count, sizeof *reader->first_unpacked);
    if (!reader->first_unpacked)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->meshes.count; i++) {
        const cJSON *item, *primitives = grazei_gltf_member(reader->meshes.items[i], "primitives");
        reader->first_unpacked[i] = (uint32_t)sum;
        cJSON_ArrayForEach(item, primitives) sum++;
    }
    if (sum >= GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "too many primitives");
    reader->unpacked = grazei_gltf_allocate(reader, (size_t)sum, sizeof *reader->unpacked);
    reader->unpacked_count = reader->unpacked ? (uint32_t)sum : 0;
    return reader->unpacked ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

const unsigned char *grazei_gltf_unpacked_values(const grazei_gltf_primitive *primitive,
                                                 const char *key)
{
    const grazei_gltf_unpacked *unpacked = primitive->unpacked;
    for (uint32_t i = 0; unpacked && i < unpacked->attribute_count; i++)
        if (strcmp(unpacked->attributes[i].key, key) == 0)
            return unpacked->attributes[i].values;
    return NULL;
}

void grazei_gltf_release_unpacked(grazei_gltf_reader *reader)
{
    for (uint32_t i = 0; i < reader->unpacked_count; i++) {
        grazei_gltf_unpacked *unpacked = &reader->unpacked[i];
        for (uint32_t k = 0; k < unpacked->attribute_count; k++)
            grazei_gltf_release(reader, unpacked->attributes[k].values);
        grazei_gltf_release(reader, unpacked->attributes);
        grazei_gltf_release(reader, unpacked->indices);
    }
    grazei_gltf_release(reader, reader->unpacked);
    grazei_gltf_release(reader, reader->first_unpacked);
}

#ifdef GRAZEI_HAS_DRACO

/* The attributes that matter here; looks are not decoded. */
static const char *type_of(const char *key)
{
    return strcmp(key, "POSITION") == 0                                          ? "VEC3"
           : strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0 ? "VEC4"
                                                                                 : NULL;
}

/* One attribute of the stream: what its accessor says, and room for that. */
static graze_status plan_attribute(grazei_gltf_reader *reader,
                                   const grazei_gltf_primitive *primitive, const cJSON *item,
                                   grazei_gltf_draco_mesh *mesh, grazei_gltf_unpacked *unpacked)
{
    const char *place = primitive->place.text;
    grazei_gltf_draco_attribute *attribute = &mesh->attributes[mesh->attribute_count];
    grazei_gltf_accessor accessor;
    uint32_t index;
    GRAZEI_GLTF_TRY(grazei_gltf_index_value(reader, item, place, GRAZE_NONE, &attribute->id));
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->attributes, item->string, place,
                                      reader->accessors.count, &index));
    if (index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: Draco has a %.20s without accessor",
                                place, item->string);
    GRAZEI_GLTF_TRY(
        grazei_gltf_describe_accessor(reader, index, type_of(item->string), place, &accessor));
    if (mesh->attribute_count == 0)
        mesh->point_count = accessor.count;
    if (accessor.count != mesh->point_count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %u %.20s for %u points", place,
                                accessor.count, item->string, mesh->point_count);
    attribute->component_type = accessor.component_type;
    attribute->components = accessor.components;
    grazei_gltf_unpacked_attribute *kept = &unpacked->attributes[mesh->attribute_count++];
    kept->key = item->string;
    kept->size = accessor.component_size * accessor.components;
    return GRAZE_OK;
}

static graze_status plan_mesh(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                              const cJSON *extension, grazei_gltf_draco_mesh *mesh,
                              grazei_gltf_unpacked *unpacked)
{
    const char *place = primitive->place.text;
    grazei_gltf_accessor accessor;
    const cJSON *attributes, *item;
    uint32_t index, count = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, extension, "attributes", place, &attributes));
    cJSON_ArrayForEach(item, attributes) count += type_of(item->string) != NULL;
    mesh->attributes =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DRACO, count, sizeof *mesh->attributes);
    unpacked->attributes = grazei_gltf_allocate(reader, count, sizeof *unpacked->attributes);
    if (!mesh->attributes || !unpacked->attributes)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, attributes) if (type_of(item->string))
        GRAZEI_GLTF_TRY(plan_attribute(reader, primitive, item, mesh, unpacked));
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->json, "indices", place,
                                      reader->accessors.count, &index));
    if (index == GRAZE_NONE || count == 0 || primitive->mode != 4)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: Draco without %s", place,
                                index == GRAZE_NONE ? "indices"
                                : count             ? "plain triangles"
                                                    : "attributes");
    GRAZEI_GLTF_TRY(grazei_gltf_describe_accessor(reader, index, "SCALAR", place, &accessor));
    if (accessor.count % 3 != 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %u corners do not make triangles",
                                place, accessor.count);
    mesh->face_count = accessor.count / 3;
    return GRAZE_OK;
}

static graze_status open_stream(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                                const cJSON *extension, const grazei_gltf_draco_mesh *mesh,
                                grazei_gltf_view *view)
{
    const char *place = primitive->place.text;
    uint32_t index, faces = 0, points = 0;
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, extension, "bufferView", place, reader->views.count, &index));
    if (index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s." EXTENSION ": no \"bufferView\"",
                                place);
    GRAZEI_GLTF_TRY(grazei_gltf_open_view(reader, index, view));
    if (!grazei_gltf_draco_sizes(view->data, view->size, &faces, &points))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: bufferView %u holds no Draco mesh of bitstream 2.2", place,
                                index);
    if (faces != mesh->face_count || points > mesh->point_count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the Draco stream has %u triangles and %u or more points, the "
                                "accessors have %u and %u",
                                place, faces, points, mesh->face_count, mesh->point_count);
    return GRAZE_OK;
}

/* Room for the decoded numbers. attribute_count says how many are to be released. */
static graze_status make_room(grazei_gltf_reader *reader, grazei_gltf_draco_mesh *mesh,
                              grazei_gltf_unpacked *unpacked)
{
    unpacked->indices = grazei_gltf_allocate(reader, mesh->face_count, 3 * sizeof(uint32_t));
    mesh->indices = unpacked->indices;
    if (!mesh->indices)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < mesh->attribute_count; i++) {
        grazei_gltf_unpacked_attribute *kept = &unpacked->attributes[i];
        kept->values = grazei_gltf_allocate(reader, mesh->point_count, kept->size);
        mesh->attributes[i].values = kept->values;
        if (!kept->values)
            return GRAZE_OUT_OF_MEMORY;
        unpacked->attribute_count++;
    }
    return GRAZE_OK;
}

static graze_status decode(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                           const grazei_gltf_view *view, const grazei_gltf_draco_mesh *mesh,
                           const grazei_gltf_unpacked *unpacked)
{
    const char *place = primitive->place.text;
    uint32_t failed = 0;
    switch (grazei_gltf_draco_decode(view->data, view->size, mesh, &failed)) {
    case GRAZEI_GLTF_DRACO_OK:
        return GRAZE_OK;
    case GRAZEI_GLTF_DRACO_MEMORY:
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    case GRAZEI_GLTF_DRACO_COUNTS:
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the Draco stream does not decode to the %u triangles and %u "
                                "points of the accessors",
                                place, mesh->face_count, mesh->point_count);
    case GRAZEI_GLTF_DRACO_ATTRIBUTE:
        return grazei_gltf_fail(
            reader, GRAZE_BAD_INPUT, "%s: the Draco stream has no attribute %u that could be %.20s",
            place, mesh->attributes[failed].id, unpacked->attributes[failed].key);
    default:
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the Draco stream is corrupt or cut off", place);
    }
}

static graze_status unpack(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                           const cJSON *extension, grazei_gltf_unpacked *unpacked)
{
    grazei_gltf_draco_mesh mesh = {0};
    grazei_gltf_view view;
    if (unpacked->indices)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(plan_mesh(reader, primitive, extension, &mesh, unpacked));
    GRAZEI_GLTF_TRY(open_stream(reader, primitive, extension, &mesh, &view));
    GRAZEI_GLTF_TRY(make_room(reader, &mesh, unpacked));
    return decode(reader, primitive, &view, &mesh, unpacked);
}

#else

/* Some files have the same data uncompressed, too. */
static graze_status unpack(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                           const cJSON *extension, grazei_gltf_unpacked *unpacked)
{
    uint32_t index;
    (void)extension, (void)unpacked;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->attributes, "POSITION",
                                      primitive->place.text, reader->accessors.count, &index));
    if (index == GRAZE_NONE || grazei_gltf_member(reader->accessors.items[index], "bufferView"))
        return GRAZE_OK;
    return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: " GRAZEI_GLTF_NEEDS_DRACO,
                            primitive->place.text);
}

#endif

graze_status grazei_gltf_unpack_primitive(grazei_gltf_reader *reader, uint32_t mesh,
                                          uint32_t ordinal, grazei_gltf_primitive *primitive)
{
    const cJSON *extensions = grazei_gltf_member(primitive->json, "extensions"), *extension;
    if (!grazei_gltf_member(extensions, EXTENSION))
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(
        grazei_gltf_object(reader, extensions, EXTENSION, primitive->place.text, &extension));
    GRAZEI_GLTF_TRY(number_primitives(reader));
    grazei_gltf_unpacked *unpacked = &reader->unpacked[reader->first_unpacked[mesh] + ordinal];
    GRAZEI_GLTF_TRY(unpack(reader, primitive, extension, unpacked));
    if (unpacked->indices)
        primitive->unpacked = unpacked;
    return GRAZE_OK;
}
