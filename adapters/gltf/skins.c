/* Joints with their inverse bind matrices, and the weights that tie vertices to them. */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static graze_status skin_joints(grazei_gltf_reader *reader, uint32_t skin, const cJSON **joints,
                                uint32_t *count)
{
    grazei_gltf_place place = grazei_gltf_at("skins[%u]", skin);
    GRAZEI_GLTF_TRY(
        grazei_gltf_array(reader, reader->skins.items[skin], "joints", place.text, joints, count));
    if (*count == 0)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no joints", place.text);
    return GRAZE_OK;
}

static graze_status list_skin_users(grazei_gltf_reader *reader)
{
    if (reader->skin_user)
        return GRAZE_OK;
    reader->skin_user =
        grazei_gltf_allocate(reader, reader->skins.count, sizeof *reader->skin_user);
    if (!reader->skin_user)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->skins.count; i++)
        reader->skin_user[i] = GRAZE_NONE;
    return GRAZE_OK;
}

graze_status grazei_gltf_plan_joints(grazei_gltf_reader *reader, grazei_gltf_instance *instance)
{
    const cJSON *joints;
    GRAZEI_GLTF_TRY(list_skin_users(reader));
    instance->first_joint = reader->rig->joint_count;
    instance->joint_count = 1;
    if (instance->skin != GRAZE_NONE) {
        uint32_t *user = &reader->skin_user[instance->skin];
        if (*user != GRAZE_NONE) {
            instance->first_joint = reader->instances[*user].first_joint;
            instance->joint_count = reader->instances[*user].joint_count;
            return GRAZE_OK;
        }
        *user = (uint32_t)(instance - reader->instances);
        GRAZEI_GLTF_TRY(skin_joints(reader, instance->skin, &joints, &instance->joint_count));
    }
    if (instance->joint_count >= GRAZE_NONE - instance->first_joint)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "too many joints");
    reader->rig->joint_count += instance->joint_count;
    return GRAZE_OK;
}

static void set_identity(float rows[12])
{
    memset(rows, 0, 12 * sizeof *rows);
    rows[0] = rows[5] = rows[10] = 1;
}

static graze_status read_inverse_binds(grazei_gltf_reader *reader, uint32_t skin,
                                       graze_rig_joint *joints, uint32_t count)
{
    grazei_gltf_place place = grazei_gltf_at("skins[%u].inverseBindMatrices", skin);
    grazei_gltf_accessor accessor;
    uint32_t index;
    GRAZEI_GLTF_TRY(grazei_gltf_index(reader, reader->skins.items[skin], "inverseBindMatrices",
                                      place.text, reader->accessors.count, &index));
    for (uint32_t i = 0; i < count; i++)
        set_identity(joints[i].inverse_bind);
    if (index == GRAZE_NONE)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(grazei_gltf_open_filled(reader, index, "MAT4", place.text, &accessor));
    if (accessor.count < count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "accessors[%u]: %u matrices for the %u joints of skins[%u]", index,
                                accessor.count, count, skin);
    float *matrices =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_DELTAS, count, 16 * sizeof *matrices);
    if (!matrices)
        return GRAZE_OUT_OF_MEMORY;
    GRAZEI_GLTF_TRY(grazei_gltf_read_first(reader, &accessor, count, matrices));
    for (uint32_t i = 0; i < count; i++)
        if (!grazei_gltf_to_rows(matrices + (size_t)i * 16, joints[i].inverse_bind))
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                    "accessors[%u]: the last row of matrix %u is not 0 0 0 1",
                                    index, i);
    return GRAZE_OK;
}

static graze_status read_skin(grazei_gltf_reader *reader, uint32_t skin, graze_rig_joint *joints)
{
    grazei_gltf_place place = grazei_gltf_at("skins[%u].joints", skin);
    const cJSON *array, *item;
    uint32_t count, i = 0;
    reader->where = grazei_gltf_at("skins[%u]", skin);
    GRAZEI_GLTF_TRY(skin_joints(reader, skin, &array, &count));
    cJSON_ArrayForEach(item, array) GRAZEI_GLTF_TRY(
        grazei_gltf_index_value(reader, item, place.text, reader->nodes.count, &joints[i++].node));
    return read_inverse_binds(reader, skin, joints, count);
}

graze_status grazei_gltf_read_joints(grazei_gltf_reader *reader)
{
    graze_rig *rig = reader->rig;
    rig->joints = grazei_gltf_allocate(reader, rig->joint_count, sizeof *rig->joints);
    if (!rig->joints)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < reader->instance_count; i++) {
        const grazei_gltf_instance *instance = &reader->instances[i];
        graze_rig_joint *joints = &rig->joints[instance->first_joint];
        if (instance->skin == GRAZE_NONE) {
            joints->node = instance->node;
            joints->rigid = true;
            set_identity(joints->inverse_bind);
        } else if (reader->skin_user[instance->skin] == i) {
            GRAZEI_GLTF_TRY(read_skin(reader, instance->skin, joints));
        }
    }
    return GRAZE_OK;
}

/* More sets would be 1,024 joints a vertex. */
enum { MOST_SETS = 256 };

/* The number behind the kind in "JOINTS_7"; false for another key, and for what is not a number as
 * the specification writes it.
 */
static bool set_number(const char *key, const char *kind, uint32_t *number)
{
    size_t length = strlen(kind), digits;
    if (strncmp(key, kind, length) != 0)
        return false;
    digits = strspn(key + length, "0123456789");
    *number = (uint32_t)strtoul(key + length, NULL, 10);
    return digits > 0 && digits < 10 && !key[length + digits] &&
           (digits == 1 || key[length] != '0');
}

static graze_status count_sets(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                               uint32_t *sets)
{
    const cJSON *item;
    uint32_t joints = 0, weights = 0;
    cJSON_ArrayForEach(item, primitive->attributes)
    {
        joints += strncmp(item->string, "JOINTS_", 7) == 0;
        weights += strncmp(item->string, "WEIGHTS_", 8) == 0;
    }
    if (joints == 0 || joints != weights)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                "%s: has %u JOINTS and %u WEIGHTS under a skin",
                                primitive->place.text, joints, weights);
    if (joints > MOST_SETS)
        return grazei_gltf_fail(reader, GRAZE_UNSUPPORTED, "%s: %u sets of weights, more than %d",
                                primitive->place.text, joints, MOST_SETS);
    *sets = joints;
    return GRAZE_OK;
}

/* Each JOINTS_n must have its WEIGHTS_n, and n must run from 0. */
graze_status grazei_gltf_list_sets(grazei_gltf_reader *reader, grazei_gltf_primitive *primitive)
{
    const char *place = primitive->place.text;
    const cJSON *item;
    uint32_t count = 0, number;
    if (primitive->sets)
        return GRAZE_OK;
    GRAZEI_GLTF_TRY(count_sets(reader, primitive, &count));
    primitive->sets = grazei_gltf_allocate(reader, 2 * (size_t)count, sizeof *primitive->sets);
    if (!primitive->sets)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < 2 * count; i++)
        primitive->sets[i] = GRAZE_NONE;
    cJSON_ArrayForEach(item, primitive->attributes)
    {
        bool is_weights = set_number(item->string, "WEIGHTS_", &number);
        if ((is_weights || set_number(item->string, "JOINTS_", &number)) && number < count)
            GRAZEI_GLTF_TRY(grazei_gltf_index_value(reader, item, place, reader->accessors.count,
                                                    &primitive->sets[2 * number + is_weights]));
    }
    for (uint32_t i = 0; i < 2 * count; i++)
        if (primitive->sets[i] == GRAZE_NONE)
            return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: no %s_%u", place,
                                    i % 2 ? "WEIGHTS" : "JOINTS", i / 2);
    primitive->set_count = count;
    return GRAZE_OK;
}

static graze_status open_set(grazei_gltf_reader *reader, const grazei_gltf_primitive *primitive,
                             uint32_t place, grazei_gltf_accessor *accessor)
{
    char key[24];
    snprintf(key, sizeof key, "%s_%u", place % 2 ? "WEIGHTS" : "JOINTS", place / 2);
    GRAZEI_GLTF_TRY(grazei_gltf_open_attribute(reader, primitive, primitive->sets[place], key,
                                               "VEC4", accessor));
    if (accessor->count != primitive->positions.count)
        return grazei_gltf_fail(reader, GRAZE_BAD_INPUT, "%s: %u %s for %u vertices",
                                primitive->place.text, accessor->count, key,
                                primitive->positions.count);
    return GRAZE_OK;
}

/* The influences of one vertex: those with weight, or one without where no weight is left, for
 * graze_model_create to refuse.
 */
static graze_status append_vertex(grazei_gltf_reader *reader, const grazei_gltf_instance *instance,
                                  uint32_t vertex, const uint32_t *joints, const float *weights,
                                  uint32_t sets, size_t set_stride)
{
    graze_rig *rig = reader->rig;
    uint32_t end = rig->influence_offsets[vertex];
    for (uint32_t set = 0; set < sets; set++) {
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t joint = joints[set * set_stride + i];
            float weight = weights[set * set_stride + i];
            if (weight == 0)
                continue;
            if (joint >= instance->joint_count)
                return grazei_gltf_fail(reader, GRAZE_BAD_INPUT,
                                        "meshes[%u]: a vertex refers to joint %u of the %u in "
                                        "skins[%u]",
                                        instance->mesh, joint, instance->joint_count,
                                        instance->skin);
            rig->influences[end].joint = instance->first_joint + joint;
            rig->influences[end++].weight = weight;
        }
    }
    if (end == rig->influence_offsets[vertex]) {
        rig->influences[end].joint = instance->first_joint;
        rig->influences[end++].weight = 0;
    }
    rig->influence_offsets[vertex + 1] = end;
    return GRAZE_OK;
}

static void follow_node(graze_rig *rig, uint32_t joint, uint32_t first_vertex, uint32_t count)
{
    for (uint32_t v = first_vertex; v < first_vertex + count; v++) {
        uint32_t end = rig->influence_offsets[v];
        rig->influences[end].joint = joint;
        rig->influences[end].weight = 1;
        rig->influence_offsets[v + 1] = end + 1;
    }
}

graze_status grazei_gltf_read_influences(grazei_gltf_reader *reader,
                                         const grazei_gltf_instance *instance,
                                         const grazei_gltf_primitive *primitive,
                                         uint32_t first_vertex)
{
    uint32_t count = primitive->positions.count, sets = primitive->set_count;
    if (instance->skin == GRAZE_NONE) {
        follow_node(reader->rig, instance->first_joint, first_vertex, count);
        return GRAZE_OK;
    }
    size_t stride = (size_t)count * 4;
    uint32_t *joints =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_JOINTS, stride * sets, sizeof *joints);
    float *weights =
        grazei_gltf_work(reader, GRAZEI_GLTF_SLOT_WEIGHTS, stride * sets, sizeof *weights);
    if (!joints || !weights)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t set = 0; set < sets; set++) {
        grazei_gltf_accessor joint_accessor, weight_accessor;
        GRAZEI_GLTF_TRY(open_set(reader, primitive, 2 * set, &joint_accessor));
        GRAZEI_GLTF_TRY(open_set(reader, primitive, 2 * set + 1, &weight_accessor));
        GRAZEI_GLTF_TRY(grazei_gltf_read_integers(reader, &joint_accessor, joints + set * stride));
        GRAZEI_GLTF_TRY(grazei_gltf_read_floats(reader, &weight_accessor, weights + set * stride));
    }
    for (uint32_t v = 0; v < count; v++)
        GRAZEI_GLTF_TRY(append_vertex(reader, instance, first_vertex + v, joints + (size_t)v * 4,
                                      weights + (size_t)v * 4, sets, stride));
    return GRAZE_OK;
}
