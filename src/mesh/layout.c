#include "mesh/layout.h"

#include "base/status.h"

static size_t number_size(graze_number type)
{
    return type == GRAZE_UINT8 ? 1 : type == GRAZE_UINT16 ? 2 : 4;
}

static uint32_t load_unsigned(const unsigned char *bytes, graze_number type)
{
    uint16_t two;
    uint32_t four;
    switch (type) {
    case GRAZE_UINT8:
        return bytes[0];
    case GRAZE_UINT16:
        memcpy(&two, bytes, sizeof two);
        return two;
    default:
        memcpy(&four, bytes, sizeof four);
        return four;
    }
}

/* Integers are rounded once, as glTF has it. */
static float load_weight(const unsigned char *bytes, graze_number type)
{
    float weight;
    if (type == GRAZE_FLOAT)
        memcpy(&weight, bytes, sizeof weight);
    else
        weight = (float)(load_unsigned(bytes, type) / (type == GRAZE_UINT8 ? 255.0 : 65535.0));
    return weight;
}

/* Number i of a vertex. */
static const unsigned char *number_at(const void *numbers, graze_number type, size_t stride,
                                      uint32_t per_vertex, uint32_t vertex, uint32_t i)
{
    size_t size = number_size(type);
    return (const unsigned char *)numbers + (stride ? stride : size * per_vertex) * vertex +
           size * i;
}

uint32_t grazei_given_count(const graze_model_def *def, uint32_t vertex)
{
    if (def->influences)
        return def->influence_offsets[vertex + 1] - def->influence_offsets[vertex];
    uint32_t count = 0;
    for (uint32_t l = 0; l < def->skin_layout_count; l++)
        count += def->skin_layouts[l].per_vertex;
    return count;
}

graze_influence grazei_given_influence(const graze_model_def *def, uint32_t vertex, uint32_t i)
{
    if (def->influences)
        return def->influences[def->influence_offsets[vertex] + i];
    const graze_skin_layout *skin = def->skin_layouts;
    for (; i >= skin->per_vertex; skin++)
        i -= skin->per_vertex;
    graze_influence influence = {0, 0};
    influence.weight = load_weight(number_at(skin->weights, skin->weight_type, skin->weight_stride,
                                             skin->per_vertex, vertex, i),
                                   skin->weight_type);
    if (influence.weight != 0)
        influence.joint = load_unsigned(number_at(skin->joints, skin->joint_type,
                                                  skin->joint_stride, skin->per_vertex, vertex, i),
                                        skin->joint_type);
    return influence;
}

/* What is wrong with a stride, as the end of a sentence; NULL: nothing. */
static const char *stride_fault(size_t stride, size_t size, uint32_t count)
{
    if (stride && stride < size)
        return "is less than what a vertex has there";
    if (count && (stride ? stride : size) > PTRDIFF_MAX / count)
        return "takes the last vertex out of memory";
    return NULL;
}

static graze_status check_skin(const graze_model_def *def, uint32_t number, graze_error *error)
{
    const graze_skin_layout *skin = &def->skin_layouts[number];
    if (!skin->joints || !skin->weights)
        return grazei_fail(error, GRAZE_BAD_INPUT, "skin layout %u has no %s", number,
                           skin->joints ? "weights" : "joints");
    if (skin->joint_type != GRAZE_UINT8 && skin->joint_type != GRAZE_UINT16 &&
        skin->joint_type != GRAZE_UINT32)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "skin layout %u has joint_type %d: it must be GRAZE_UINT8, "
                           "GRAZE_UINT16 or GRAZE_UINT32",
                           number, (int)skin->joint_type);
    if (skin->weight_type != GRAZE_UINT8 && skin->weight_type != GRAZE_UINT16 &&
        skin->weight_type != GRAZE_FLOAT)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "skin layout %u has weight_type %d: it must be GRAZE_FLOAT, "
                           "GRAZE_UINT8 or GRAZE_UINT16",
                           number, (int)skin->weight_type);
    if (skin->per_vertex == 0 || skin->per_vertex > UINT16_MAX)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "skin layout %u has per_vertex %u: it must be 1 to 65535", number,
                           skin->per_vertex);
    size_t joints = number_size(skin->joint_type) * skin->per_vertex;
    size_t weights = number_size(skin->weight_type) * skin->per_vertex;
    const char *fault = stride_fault(skin->joint_stride, joints, def->vertex_count);
    if (fault)
        return grazei_fail(error, GRAZE_BAD_INPUT, "joint_stride %zu of skin layout %u %s",
                           skin->joint_stride, number, fault);
    fault = stride_fault(skin->weight_stride, weights, def->vertex_count);
    if (fault)
        return grazei_fail(error, GRAZE_BAD_INPUT, "weight_stride %zu of skin layout %u %s",
                           skin->weight_stride, number, fault);
    return GRAZE_OK;
}

static graze_status check_skins(const graze_model_def *def, graze_error *error)
{
    uint64_t slots = 0;
    if (!def->skin_layouts != !def->skin_layout_count)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "skin_layouts and skin_layout_count come together or not at all");
    if (def->skin_layouts && (def->influences || def->influence_offsets))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "influences and skin_layouts are both given: it must be one of them");
    for (uint32_t l = 0; l < def->skin_layout_count; l++) {
        graze_status status = check_skin(def, l, error);
        if (status)
            return status;
        slots += def->skin_layouts[l].per_vertex;
        if (slots * def->vertex_count > UINT32_MAX)
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "skin_layouts have more than 2^32 joints for %u vertices",
                               def->vertex_count);
    }
    return GRAZE_OK;
}

static uint32_t largest_target(const graze_model_def *def)
{
    uint32_t largest = 0;
    for (uint32_t m = 0; def->morphs && m < def->morph_count; m++)
        if (def->morphs[m].count > largest)
            largest = def->morphs[m].count;
    return largest;
}

graze_status grazei_check_layout(const graze_model_def *def, graze_error *error)
{
    if (def->triangles && def->triangles16)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "triangles and triangles16 are both given: it must be one of them");
    if (!def->influence_offsets != !def->influences)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "influences and influence_offsets come together or not at all");
    const char *fault = stride_fault(def->position_stride, 3 * sizeof(float), def->vertex_count);
    if (fault)
        return grazei_fail(error, GRAZE_BAD_INPUT, "position_stride %zu %s", def->position_stride,
                           fault);
    fault = stride_fault(def->delta_stride, 3 * sizeof(float), largest_target(def));
    if (fault)
        return grazei_fail(error, GRAZE_BAD_INPUT, "delta_stride %zu %s", def->delta_stride, fault);
    return check_skins(def, error);
}
