/* Primitives compressed by Draco: KHR_draco_mesh_compression. A stream has the indices and any of
 * the attributes; the rest, morph targets among it, stays with the accessors.
 */
#include "reader.h"

#include "draco_decode.h"

#include <string.h>

#define EXTENSION "KHR_draco_mesh_compression"

const unsigned char *grazei_gltf_unpacked_values(const grazei_gltf_primitive *primitive,
                                                 const char *key)
{
    const grazei_gltf_unpacked *unpacked = &primitive->unpacked;
    for (uint32_t i = 0; i < unpacked->attribute_count; i++)
        if (strcmp(unpacked->attributes[i].key, key) == 0)
            return unpacked->attributes[i].values;
    return NULL;
}

void grazei_gltf_release_unpacked(grazei_gltf_reader *reader, grazei_gltf_unpacked *unpacked)
{
    for (uint32_t k = 0; k < unpacked->attribute_count; k++)
        grazei_gltf_release(reader, unpacked->attributes[k].values);
    grazei_gltf_release(reader, unpacked->attributes);
    grazei_gltf_release(reader, unpacked->indices);
}

#ifdef GRAZEI_HAS_DRACO

/* The attributes that matter here; looks are not decoded. */
static const char *type_of(const char *key)
{
    return strcmp(key, "POSITION") == 0                                          ? "VEC3"
           : strncmp(key, "JOINTS_", 7) == 0 || strncmp(key, "WEIGHTS_", 8) == 0 ? "VEC4"
                                                                                 : NULL;
}

/* Sets of joints and weights, and positions; looks are not decoded. */
enum { MOST_ATTRIBUTES = 64 };
/* What libdraco takes of its own, at most, a triangle and a point of one attribute: measured. */
enum { WORK_A_FACE = 160, WORK_A_VALUE = 64 };

/* What is wanted of a stream. */
typedef struct draco_plan {
    grazei_gltf_draco_attribute *attributes;
    uint32_t attribute_count;
    uint32_t point_count, face_count; /* as the accessors have it */
} draco_plan;

/* One attribute of the stream, and what its accessor says. */
static graze_status plan_attribute(grazei_gltf_reader *reader,
                                   const grazei_gltf_primitive *primitive, const cJSON *item,
                                   draco_plan *plan, grazei_gltf_unpacked *unpacked)
{
    const char *place = primitive->place.text;
    grazei_gltf_draco_attribute *attribute = &plan->attributes[plan->attribute_count];
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
    if (plan->attribute_count == 0)
        plan->point_count = accessor.count;
    if (accessor.count != plan->point_count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %u %.20s for %u points", place,
                                accessor.count, item->string, plan->point_count);
    attribute->component_type = accessor.component_type;
    attribute->components = accessor.components;
    grazei_gltf_unpacked_attribute *kept = &unpacked->attributes[plan->attribute_count++];
    kept->key = item->string;
    kept->size = accessor.component_size * accessor.components;
    return GRAZE_OK;
}

static graze_status plan_mesh(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                              const cJSON *extension, draco_plan *plan,
                              grazei_gltf_unpacked *unpacked)
{
    const char *place = primitive->place.text;
    grazei_gltf_accessor accessor;
    const cJSON *attributes, *item;
    uint32_t index, count = 0;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, extension, "attributes", place, &attributes));
    cJSON_ArrayForEach(item, attributes) count += type_of(item->string) != NULL;
    if (count > MOST_ATTRIBUTES)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: Draco with %u attributes", place,
                                count);
    plan->attributes =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DRACO, count, sizeof *plan->attributes);
    unpacked->attributes = grazei_gltf_allocate(reader, count, sizeof *unpacked->attributes);
    if (!plan->attributes || !unpacked->attributes)
        return GRAZE_OUT_OF_MEMORY;
    cJSON_ArrayForEach(item, attributes) if (type_of(item->string))
        GRAZEI_GLTF_TRY(plan_attribute(reader, primitive, item, plan, unpacked));
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
    plan->face_count = accessor.count / 3;
    return GRAZE_OK;
}

/* The stream's bytes, and what decoding them may take. */
static graze_status open_stream(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                                const cJSON *extension, const draco_plan *plan,
                                grazei_gltf_view *view, uint64_t *work)
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
    if (faces != plan->face_count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: the Draco stream has %u triangles and %u or more points, the "
                                "accessors have %u and %u",
                                place, faces, points, plan->face_count, plan->point_count);
    *work = (uint64_t)faces * WORK_A_FACE + (uint64_t)points * plan->attribute_count * WORK_A_VALUE;
    return GRAZE_OK;
}

static graze_status fail_decoding(grazei_gltf_reader *reader, const char *place,
                                  grazei_gltf_draco_outcome outcome)
{
    if (outcome == GRAZEI_GLTF_DRACO_MEMORY)
        return grazei_gltf_fail(reader, GRAZE_OUT_OF_MEMORY, "out of memory");
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: the Draco stream is corrupt or cut off",
                            place);
}

/* attribute_count says how many are to be released. */
static graze_status take(grazei_gltf_reader *reader, const char *place,
                         const grazei_gltf_draco_mesh *mesh, const draco_plan *plan,
                         grazei_gltf_unpacked *unpacked)
{
    grazei_gltf_draco_outcome outcome;
    unpacked->indices = grazei_gltf_allocate(reader, plan->face_count, 3 * sizeof(uint32_t));
    if (!unpacked->indices)
        return GRAZE_OUT_OF_MEMORY;
    outcome = grazei_gltf_draco_take_indices(mesh, unpacked->indices);
    if (outcome != GRAZEI_GLTF_DRACO_OK)
        return fail_decoding(reader, place, outcome);
    for (uint32_t i = 0; i < plan->attribute_count; i++) {
        grazei_gltf_unpacked_attribute *kept = &unpacked->attributes[i];
        kept->values = grazei_gltf_allocate(reader, unpacked->point_count, kept->size);
        if (!kept->values)
            return GRAZE_OUT_OF_MEMORY;
        unpacked->attribute_count++;
        outcome = grazei_gltf_draco_take_values(mesh, &plan->attributes[i], kept->values);
        if (outcome != GRAZEI_GLTF_DRACO_OK)
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "%s: the Draco stream has no attribute %u that could be %.20s",
                                    place, plan->attributes[i].id, kept->key);
    }
    return GRAZE_OK;
}

static graze_status decode(grazei_gltf_reader *reader, const char *place,
                           const grazei_gltf_view *view, const draco_plan *plan,
                           grazei_gltf_unpacked *unpacked)
{
    grazei_gltf_draco_mesh *mesh = NULL;
    uint32_t faces = 0, points = 0;
    grazei_gltf_draco_outcome outcome =
        grazei_gltf_draco_decode(view->data, view->size, &mesh, &faces, &points);
    if (outcome != GRAZEI_GLTF_DRACO_OK)
        return fail_decoding(reader, place, outcome);
    graze_status status;
    if (faces != plan->face_count || points < plan->point_count) {
        status = grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                  "%s: the Draco stream does not decode to the %u triangles and "
                                  "%u points of the accessors",
                                  place, plan->face_count, plan->point_count);
    } else {
        if (points > plan->point_count)
            grazei_gltf_warn(reader, GRAZEI_GLTF_DRACO_POINTS,
                             "%s: the Draco stream has %u points where the accessors say %u; all "
                             "are taken",
                             place, points, plan->point_count);
        unpacked->point_count = points;
        status = take(reader, place, mesh, plan, unpacked);
    }
    grazei_gltf_draco_release(mesh);
    return status;
}

static graze_status unpack(grazei_gltf_reader *reader, const cJSON *extension,
                           grazei_gltf_primitive *primitive)
{
    draco_plan plan = {0};
    grazei_gltf_view view;
    uint64_t work = 0;
    GRAZEI_GLTF_TRY(plan_mesh(reader, primitive, extension, &plan, &primitive->unpacked));
    GRAZEI_GLTF_TRY(open_stream(reader, primitive, extension, &plan, &view, &work));
    GRAZEI_GLTF_TRY(grazei_gltf_charge(reader, work));
    GRAZEI_GLTF_TRY(decode(reader, primitive->place.text, &view, &plan, &primitive->unpacked));
    grazei_gltf_refund(reader, work);
    return GRAZE_OK;
}

#else

/* Some files have the same data uncompressed, too. */
static graze_status unpack(grazei_gltf_reader *reader, const cJSON *extension,
                           grazei_gltf_primitive *primitive)
{
    uint32_t index;
    (void)extension;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, primitive->attributes, "POSITION",
                                      primitive->place.text, reader->accessors.count, &index));
    if (index == GRAZE_NONE || grazei_gltf_member(reader->accessors.items[index], "bufferView"))
        return GRAZE_OK;
    return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: " GRAZEI_GLTF_NEEDS_DRACO,
                            primitive->place.text);
}

#endif

graze_status grazei_gltf_unpack_primitive(grazei_gltf_reader *reader,
                                          grazei_gltf_primitive *primitive)
{
    const cJSON *extensions = grazei_gltf_member(primitive->json, "extensions"), *extension;
    if (!grazei_gltf_member(extensions, EXTENSION))
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(
        grazei_gltf_object(reader, extensions, EXTENSION, primitive->place.text, &extension));
    return unpack(reader, extension, primitive);
}
