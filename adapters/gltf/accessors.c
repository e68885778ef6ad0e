/* Accessors: every component type, strides, normalised integers, sparse overlays. */
#include "reader.h"

#include <math.h>
#include <string.h>

enum { TYPE_I8 = 5120, TYPE_U8 = 5121, TYPE_I16 = 5122, TYPE_U16 = 5123, TYPE_U32 = 5125 };
enum { TYPE_FLOAT = 5126 };

static size_t component_size(uint64_t type)
{
    switch (type) {
    case TYPE_I8:
    case TYPE_U8:
        return 1;
    case TYPE_I16:
    case TYPE_U16:
        return 2;
    case TYPE_U32:
    case TYPE_FLOAT:
        return 4;
    default:
        return 0;
    }
}

static uint32_t component_count(const char *type)
{
    return strcmp(type, "SCALAR") == 0 ? 1
           : strcmp(type, "VEC3") == 0 ? 3
           : strcmp(type, "VEC4") == 0 ? 4
                                       : 16; /* MAT4 */
}

/* count elements of size bytes, stride bytes apart, from offset: do they lie in the view? */
static graze_status check_range(grazei_gltf_reader *reader, const char *place, uint32_t view_index,
                                const grazei_gltf_view *view, uint64_t offset, uint64_t count,
                                uint64_t stride, uint64_t size)
{
    /* At most 2^32 x 252 + 2^53: far from overflow. */
    uint64_t end = offset + (count - 1) * stride + size;
    if (end > view->size)
        return grazei_gltf_fail(
            reader, GRAZE_BAD_INPUT, "%s: byte range %llu..%llu exceeds bufferView %u of %zu bytes",
            place, (unsigned long long)offset, (unsigned long long)end, view_index, view->size);
    return GRAZE_OK;
}

static graze_status open_data(grazei_gltf_reader *reader, const cJSON *json, const char *place,
                              grazei_gltf_accessor *accessor)
{
    size_t element = accessor->component_size * accessor->components;
    uint32_t view_index;
    uint64_t offset;
    grazei_gltf_view view;
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, json, "bufferView", place, reader->views.count, &view_index));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "byteOffset", place, 0, &offset));
    if (view_index == GRAZE_NONE)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_open_view(reader, view_index, &view));
    if (view.stride) {
        if (view.stride < element)
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "%s: bufferView %u has byteStride %zu for elements of %zu",
                                    place, view_index, view.stride, element);
        accessor->stride = view.stride;
    }
    GRAZEI_GLTF_TRY(check_range(reader, place, view_index, &view, offset, accessor->count,
                                accessor->stride, element));
    accessor->data = view.data + offset;
    return GRAZE_OK;
}

/* One of the two arrays of a sparse overlay. */
static graze_status open_sparse_part(grazei_gltf_reader *reader, const cJSON *sparse,
                                     const char *key, const char *place, uint32_t count,
                                     size_t element, const unsigned char **data)
{
    const cJSON *part;
    uint32_t view_index;
    uint64_t offset;
    grazei_gltf_view view;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, sparse, key, place, &part));
    GRAZEI_GLTF_TRY(
        grazei_gltf_index(reader, part, "bufferView", place, reader->views.count, &view_index));
    if (view_index == GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s.%s: no \"bufferView\"", place, key);
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, part, "byteOffset", place, 0, &offset));
    GRAZEI_GLTF_TRY(grazei_gltf_open_view(reader, view_index, &view));
    GRAZEI_GLTF_TRY(check_range(reader, place, view_index, &view, offset, count, element, element));
    *data = view.data + offset;
    return GRAZE_OK;
}

static graze_status open_sparse(grazei_gltf_reader *reader, const cJSON *json,
                                grazei_gltf_accessor *accessor)
{
    grazei_gltf_place place = grazei_gltf_at("accessors[%u].sparse", accessor->index);
    const cJSON *sparse = grazei_gltf_member(json, "sparse"), *indices;
    uint64_t count, index_type;
    if (!sparse)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, json, "sparse", place.text, &sparse));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, sparse, "count", place.text, 0, &count));
    if (count == 0 || count > accessor->count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: count %llu is not in 1..%u",
                                place.text, (unsigned long long)count, accessor->count);
    GRAZEI_GLTF_TRY(grazei_gltf_object(reader, sparse, "indices", place.text, &indices));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, indices, "componentType", place.text, 0, &index_type));
    if (index_type != TYPE_U8 && index_type != TYPE_U16 && index_type != TYPE_U32)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s.indices: componentType %llu is not an unsigned integer",
                                place.text, (unsigned long long)index_type);
    accessor->sparse_count = (uint32_t)count;
    accessor->sparse_index_type = (uint32_t)index_type;
    GRAZEI_GLTF_TRY(open_sparse_part(reader, sparse, "indices", place.text, accessor->sparse_count,
                                     component_size(index_type), &accessor->sparse_indices));
    return open_sparse_part(reader, sparse, "values", place.text, accessor->sparse_count,
                            accessor->component_size * accessor->components,
                            &accessor->sparse_values);
}

static graze_status fail_type(grazei_gltf_reader *reader, uint32_t index, const char *type,
                              const char *user)
{
    return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "accessors[%u]: type is not %s, as %s needs",
                            index, type, user);
}

/* From the JSON text, once; the type is the one that the user needs. */
static graze_status describe(grazei_gltf_reader *reader, uint32_t index, const char *user_type,
                             const char *user, grazei_gltf_opened_accessor *known)
{
    grazei_gltf_place place = grazei_gltf_at("accessors[%u]", index);
    const cJSON *json = reader->accessors.items[index];
    const cJSON *type = grazei_gltf_member(json, "type");
    grazei_gltf_accessor *accessor = &known->accessor;
    uint64_t component_type, count;
    if (!cJSON_IsString(type) || strcmp(type->valuestring, user_type) != 0)
        return fail_type(reader, index, user_type, user);
    GRAZEI_GLTF_TRY(
        grazei_gltf_size(reader, json, "componentType", place.text, 0, &component_type));
    GRAZEI_GLTF_TRY(grazei_gltf_size(reader, json, "count", place.text, 0, &count));
    accessor->index = index;
    accessor->components = component_count(user_type);
    accessor->component_type = (uint32_t)component_type;
    accessor->component_size = component_size(component_type);
    accessor->normalized = cJSON_IsTrue(grazei_gltf_member(json, "normalized"));
    if (accessor->component_size == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: unknown componentType %llu",
                                place.text, (unsigned long long)component_type);
    if (count == 0 || count >= GRAZE_NONE)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: count %llu is not in 1..%u",
                                place.text, (unsigned long long)count, GRAZE_NONE - 1);
    accessor->count = (uint32_t)count;
    accessor->stride = accessor->component_size * accessor->components;
    known->type = type->valuestring;
    known->gathered.morph = GRAZE_NONE;
    known->state = GRAZEI_GLTF_DESCRIBED;
    return GRAZE_OK;
}

static graze_status find_described(grazei_gltf_reader *reader, uint32_t index, const char *type,
                                   const char *user, grazei_gltf_opened_accessor **known)
{
    *known = &reader->accessor_data[index];
    if ((*known)->state == GRAZEI_GLTF_UNREAD)
        return describe(reader, index, type, user, *known);
    return strcmp((*known)->type, type) == 0 ? GRAZE_OK : fail_type(reader, index, type, user);
}

graze_status grazei_gltf_describe_accessor(grazei_gltf_reader *reader, uint32_t index,
                                           const char *type, const char *user,
                                           grazei_gltf_accessor *accessor)
{
    grazei_gltf_opened_accessor *known;
    GRAZEI_GLTF_TRY(find_described(reader, index, type, user, &known));
    *accessor = known->accessor;
    accessor->data = NULL;
    accessor->stride = accessor->component_size * accessor->components;
    accessor->sparse_count = 0;
    return GRAZE_OK;
}

graze_status grazei_gltf_open_accessor(grazei_gltf_reader *reader, uint32_t index, const char *type,
                                       const char *user, grazei_gltf_accessor *accessor)
{
    grazei_gltf_opened_accessor *known;
    GRAZEI_GLTF_TRY(find_described(reader, index, type, user, &known));
    if (known->state != GRAZEI_GLTF_OPENED) {
        grazei_gltf_place place = grazei_gltf_at("accessors[%u]", index);
        const cJSON *json = reader->accessors.items[index];
        GRAZEI_GLTF_TRY(open_data(reader, json, place.text, &known->accessor));
        GRAZEI_GLTF_TRY(open_sparse(reader, json, &known->accessor));
        known->state = GRAZEI_GLTF_OPENED;
    }
    *accessor = known->accessor;
    return GRAZE_OK;
}

graze_status grazei_gltf_open_filled(grazei_gltf_reader *reader, uint32_t index, const char *type,
                                     const char *place, grazei_gltf_accessor *accessor)
{
    GRAZEI_GLTF_TRY(grazei_gltf_open_accessor(reader, index, type, place, accessor));
    if (!accessor->data && accessor->sparse_count == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u]: no \"bufferView\": there are no numbers for %s",
                                index, place);
    return GRAZE_OK;
}

static uint32_t load_unsigned(const unsigned char *bytes, uint32_t type)
{
    if (type == TYPE_U8)
        return bytes[0];
    uint32_t low = bytes[0] | (uint32_t)bytes[1] << 8;
    return type == TYPE_U16 ? low : low | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float load_float(const unsigned char *bytes)
{
    uint32_t bits = load_unsigned(bytes, TYPE_U32);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* One component as a number, normalised if the accessor says so. */
static float load_component(const grazei_gltf_accessor *accessor, const unsigned char *bytes)
{
    double value, largest;
    switch (accessor->component_type) {
    case TYPE_FLOAT:
        return load_float(bytes);
    case TYPE_I8:
        value = (int8_t)bytes[0];
        largest = 127;
        break;
    case TYPE_I16:
        value = (int16_t)load_unsigned(bytes, TYPE_U16);
        largest = 32767;
        break;
    default:
        value = load_unsigned(bytes, accessor->component_type);
        largest = accessor->component_type == TYPE_U8    ? 255
                  : accessor->component_type == TYPE_U16 ? 65535
                                                         : 4294967295.0;
    }
    if (!accessor->normalized)
        return (float)value;
    return (float)(value < -largest ? -1 : value / largest);
}

static graze_status load_element(grazei_gltf_reader *reader, const grazei_gltf_accessor *accessor,
                                 const unsigned char *bytes, uint32_t element, float *values)
{
    for (uint32_t c = 0; c < accessor->components; c++) {
        values[c] = load_component(accessor, bytes + c * accessor->component_size);
        if (!isfinite(values[c]))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "accessors[%u]: element %u holds a number that is not finite",
                                    accessor->index, element);
    }
    return GRAZE_OK;
}

/* Number i of the sparse indices: below count, above the one before. */
static graze_status sparse_target(grazei_gltf_reader *reader, const grazei_gltf_accessor *accessor,
                                  uint32_t i, uint32_t previous, uint32_t *target)
{
    size_t size = component_size(accessor->sparse_index_type);
    *target = load_unsigned(accessor->sparse_indices + i * size, accessor->sparse_index_type);
    if (*target >= accessor->count || (i > 0 && *target <= previous))
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u].sparse: index %u is %u: not ascending, or not below "
                                "%u",
                                accessor->index, i, *target, accessor->count);
    return GRAZE_OK;
}

graze_status grazei_gltf_read_first(grazei_gltf_reader *reader,
                                    const grazei_gltf_accessor *accessor, uint32_t count,
                                    float *values)
{
    uint32_t components = accessor->components, target = 0;
    size_t element = accessor->component_size * components;
    if (!accessor->data)
        memset(values, 0, (size_t)count * components * sizeof *values);
    for (uint32_t i = 0; accessor->data && i < count; i++)
        GRAZEI_GLTF_TRY(load_element(reader, accessor, accessor->data + i * accessor->stride, i,
                                     values + (size_t)i * components));
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        GRAZEI_GLTF_TRY(sparse_target(reader, accessor, i, target, &target));
        if (target >= count)
            break;
        GRAZEI_GLTF_TRY(load_element(reader, accessor, accessor->sparse_values + i * element,
                                     target, values + (size_t)target * components));
    }
    return GRAZE_OK;
}

graze_status grazei_gltf_read_floats(grazei_gltf_reader *reader,
                                     const grazei_gltf_accessor *accessor, float *values)
{
    return grazei_gltf_read_first(reader, accessor, accessor->count, values);
}

graze_status grazei_gltf_read_integers(grazei_gltf_reader *reader,
                                       const grazei_gltf_accessor *accessor, uint32_t *values)
{
    uint32_t type = accessor->component_type, components = accessor->components, target = 0;
    size_t size = accessor->component_size;
    if ((type != TYPE_U8 && type != TYPE_U16 && type != TYPE_U32) || accessor->normalized)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u]: indices must be unsigned integers, not normalized",
                                accessor->index);
    if (!accessor->data)
        memset(values, 0, (size_t)accessor->count * components * sizeof *values);
    for (uint32_t i = 0; accessor->data && i < accessor->count; i++)
        for (uint32_t c = 0; c < components; c++)
            values[(size_t)i * components + c] =
                load_unsigned(accessor->data + i * accessor->stride + c * size, type);
    for (uint32_t i = 0; i < accessor->sparse_count; i++) {
        GRAZEI_GLTF_TRY(sparse_target(reader, accessor, i, target, &target));
        for (uint32_t c = 0; c < components; c++)
            values[(size_t)target * components + c] =
                load_unsigned(accessor->sparse_values + ((size_t)i * components + c) * size, type);
    }
    return GRAZE_OK;
}
