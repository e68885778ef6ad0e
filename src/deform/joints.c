/* Memory of a pose's joints: one row an array, and nobody else lists them. */
#include "deform/skin.h"

#include "base/memory.h"

#include <string.h>

/* How many elements an array has. */
typedef enum counted { PER_JOINT, PER_TARGET, PER_SET, PER_SET_JOINT, SINGLE, PAIR_BYTES } counted;

/* Who needs it. */
typedef enum needed { ALWAYS, SPHERES, ROTATIONS, DUALS, CENTRES } needed;

/* Whether a copy of the pose has it, too: what is put off, or is found on demand, is not copied. */
typedef enum copied { WITH_POSE, UNLESS_PUT_OFF, NEVER } copied;

typedef struct joint_array {
    size_t pointer, size; /* where the pointer stands, bytes of an element */
    counted counted;
    needed needed;
    copied copied;
} joint_array;

#define ARRAY(name, type) offsetof(grazei_joints, name), sizeof(type)

static const joint_array arrays[] = {{ARRAY(maps, f4_map), PER_JOINT, ALWAYS, UNLESS_PUT_OFF},
                                     {ARRAY(stretch, float), PER_JOINT, SPHERES, WITH_POSE},
                                     {ARRAY(morph_weights, float), PER_TARGET, ALWAYS, WITH_POSE},
                                     {ARRAY(given, f4_map), PER_JOINT, ROTATIONS, WITH_POSE},
                                     {ARRAY(rotations, f4), PER_JOINT, ROTATIONS, UNLESS_PUT_OFF},
                                     {ARRAY(duals, f4), PER_JOINT, DUALS, UNLESS_PUT_OFF},
                                     {ARRAY(scales, f4_map), PER_JOINT, ROTATIONS, WITH_POSE},
                                     {ARRAY(scale_stretch, float), PER_JOINT, ROTATIONS, WITH_POSE},
                                     {ARRAY(made, grazei_made), SINGLE, ROTATIONS, NEVER},
                                     {ARRAY(pair_poses, char), PAIR_BYTES, ROTATIONS, NEVER},
                                     {ARRAY(set_poses, grazei_set_pose), PER_SET, CENTRES, NEVER},
                                     {ARRAY(set_images, f4), PER_SET_JOINT, CENTRES, NEVER}};

enum { ARRAYS = sizeof arrays / sizeof *arrays };

static size_t count_of(const grazei_skin *skin, const joint_array *array)
{
    const grazei_mesh *mesh = skin->mesh;
    const grazei_deformer *deformer = skin->deformer;
    const bool is_needed[] = {[ALWAYS] = true,
                              [SPHERES] = skin->volume == GRAZE_SPHERES,
                              [ROTATIONS] = deformer->needs_rotations,
                              [DUALS] = deformer->needs_duals,
                              [CENTRES] = deformer->needs_centres};
    if (!is_needed[array->needed])
        return 0;
    switch (array->counted) {
    case PER_JOINT:
        return mesh->joint_count;
    case PER_TARGET:
        return mesh->morph_count;
    case PER_SET:
        return mesh->set_count;
    case PER_SET_JOINT:
        return mesh->set_offsets[mesh->set_count];
    case PAIR_BYTES:
        return sizeof(grazei_pair_poses) + grazei_padded_pairs(&skin->blend) * sizeof(f4);
    case SINGLE:
        break;
    }
    return 1;
}

static void *get(const grazei_joints *joints, const joint_array *array)
{
    void *memory;
    memcpy(&memory, (const char *)joints + array->pointer, sizeof memory);
    return memory;
}

static void set(grazei_joints *joints, const joint_array *array, void *memory)
{
    memcpy((char *)joints + array->pointer, &memory, sizeof memory);
}

size_t grazei_joints_bytes(const grazei_skin *skin)
{
    size_t bytes = 0;
    for (uint32_t a = 0; a < ARRAYS; a++)
        bytes += count_of(skin, &arrays[a]) * arrays[a].size;
    return bytes;
}

bool grazei_joints_allocate(const grazei_skin *skin, grazei_joints *joints,
                            const graze_allocator *allocator)
{
    for (uint32_t a = 0; a < ARRAYS; a++) {
        size_t count = count_of(skin, &arrays[a]);
        void *memory = count ? grazei_allocate_zero(allocator, count, arrays[a].size) : NULL;
        if (count && !memory)
            return false;
        set(joints, &arrays[a], memory);
    }
    return true;
}

void grazei_joints_release(grazei_joints *joints, const graze_allocator *allocator)
{
    for (uint32_t a = 0; a < ARRAYS; a++)
        grazei_release(allocator, get(joints, &arrays[a]));
}

void grazei_joints_copy(const grazei_skin *skin, grazei_joints *to, const grazei_joints *from)
{
    const grazei_joints own = *to;
    *to = *from;
    to->epoch = own.epoch;
    for (uint32_t a = 0; a < ARRAYS; a++) {
        const joint_array *array = &arrays[a];
        size_t bytes = count_of(skin, array) * array->size;
        set(to, array, get(&own, array));
        if (bytes &&
            (array->copied == WITH_POSE || (array->copied == UNLESS_PUT_OFF && !from->put_off)))
            memcpy(get(to, array), get(from, array), bytes);
    }
    if (to->made && !from->put_off)
        to->made->rigid_error = from->made->rigid_error;
    grazei_joints_new_epoch(skin->mesh->set_count, to);
}
