/* Life and lookups of a rig; sampling is in sample.c. */
#include "sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release(const graze_allocator *allocator, void *memory)
{
    if (memory)
        allocator->release(allocator->user, memory);
}

graze_rig *graze_rig_create(const graze_allocator *allocator)
{
    graze_allocator chosen = allocator ? *allocator : graze_default_allocator();
    graze_rig *rig = chosen.allocate(chosen.user, sizeof *rig, 64);
    if (!rig)
        return NULL;
    memset(rig, 0, sizeof *rig);
    rig->allocator = chosen;
    return rig;
}

static void release_clip(const graze_allocator *allocator, graze_rig_clip *clip)
{
    for (uint32_t i = 0; clip->channels && i < clip->channel_count; i++) {
        release(allocator, clip->channels[i].times);
        release(allocator, clip->channels[i].values);
    }
    release(allocator, clip->channels);
    release(allocator, clip->name);
}

void graze_rig_destroy(graze_rig *rig)
{
    if (!rig)
        return;
    const graze_allocator allocator = rig->allocator;
    for (uint32_t i = 0; rig->nodes && i < rig->node_count; i++)
        release(&allocator, rig->nodes[i].name);
    for (uint32_t i = 0; rig->morphs && i < rig->morph_count; i++) {
        release(&allocator, rig->morphs[i].vertices);
        release(&allocator, rig->morphs[i].deltas);
    }
    for (uint32_t i = 0; rig->clips && i < rig->clip_count; i++)
        release_clip(&allocator, &rig->clips[i]);
    for (uint32_t i = 0; rig->meshes && i < rig->mesh_count; i++) {
        release(&allocator, rig->meshes[i].name);
        release(&allocator, rig->meshes[i].extras);
    }
    for (uint32_t i = 0; rig->material_names && i < rig->material_count; i++)
        release(&allocator, rig->material_names[i]);
    release(&allocator, rig->meshes);
    release(&allocator, rig->primitives);
    release(&allocator, rig->material_names);
    release(&allocator, rig->positions);
    release(&allocator, rig->triangles);
    release(&allocator, rig->influence_offsets);
    release(&allocator, rig->influences);
    release(&allocator, rig->nodes);
    release(&allocator, rig->joints);
    release(&allocator, rig->morphs);
    release(&allocator, rig->clips);
    release(&allocator, rig);
}

uint32_t graze_rig_find_clip(const graze_rig *rig, const char *name_or_index)
{
    if (!name_or_index)
        return GRAZE_NONE;
    for (uint32_t i = 0; i < rig->clip_count; i++)
        if (rig->clips[i].name && strcmp(rig->clips[i].name, name_or_index) == 0)
            return i;
    uint64_t index = 0;
    const char *digit = name_or_index;
    for (; *digit >= '0' && *digit <= '9' && index <= UINT32_MAX; digit++)
        index = index * 10 + (uint64_t)(*digit - '0');
    bool spells_an_index = digit != name_or_index && *digit == 0 && index < rig->clip_count;
    return spells_an_index ? (uint32_t)index : GRAZE_NONE;
}

graze_model_def graze_rig_model_def(const graze_rig *rig)
{
    graze_model_def def = {0};
    def.positions = rig->positions;
    def.vertex_count = rig->vertex_count;
    def.triangles = rig->triangles;
    def.triangle_count = rig->triangle_count;
    def.joint_count = rig->joint_count;
    def.influence_offsets = rig->influence_offsets;
    def.influences = rig->influences;
    return def;
}

/* The clip and time at seconds on a line of all clips laid end to end. */
static void locate(const graze_rig *rig, double seconds, uint32_t *clip, double *time)
{
    *clip = GRAZE_NONE;
    *time = 0;
    for (uint32_t i = 0; i < rig->clip_count; i++) {
        double length = rig->clips[i].seconds;
        *clip = i;
        *time = seconds < length ? seconds : length;
        if (seconds < length)
            return;
        seconds -= length;
    }
}

graze_status graze_rig_example_poses(const graze_rig *rig, uint32_t count, float *poses)
{
    double total = 0;
    for (uint32_t i = 0; i < rig->clip_count; i++)
        total += rig->clips[i].seconds;
    if (!isfinite(total))
        return GRAZE_BAD_INPUT;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t clip;
        double time;
        locate(rig, (i + 0.5) / count * total, &clip, &time);
        graze_status status =
            graze_rig_sample(rig, clip, time, poses + (size_t)i * rig->joint_count * 12, NULL);
        if (status != GRAZE_OK)
            return status;
    }
    return GRAZE_OK;
}

void graze_rig_morph_targets(const graze_rig *rig, graze_morph_target *targets)
{
    for (uint32_t m = 0; m < rig->morph_count; m++)
        targets[m] = (graze_morph_target){.vertices = rig->morphs[m].vertices,
                                          .deltas = rig->morphs[m].deltas,
                                          .count = rig->morphs[m].count};
}

typedef struct sorted_joint {
    const graze_rig_joint *joint;
    uint32_t number;
} sorted_joint;

/* Which of two joints comes first by what moves it; 0: they are one. */
static int compare_moves(const graze_rig_joint *a, const graze_rig_joint *b)
{
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->rigid != b->rigid)
        return a->rigid ? -1 : 1;
    for (int i = 0; i < 12; i++)
        if (a->inverse_bind[i] != b->inverse_bind[i])
            return a->inverse_bind[i] < b->inverse_bind[i] ? -1 : 1;
    return 0;
}

static int compare_joints(const void *left, const void *right)
{
    const sorted_joint *a = left, *b = right;
    int order = compare_moves(a->joint, b->joint);
    return order ? order : a->number < b->number ? -1 : 1;
}

graze_status graze_rig_same_joints(const graze_rig *rig, uint32_t *same_joints)
{
    sorted_joint *sorted = grazei_rig_allocate(rig, rig->joint_count, sizeof *sorted);
    if (!sorted)
        return GRAZE_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        sorted[j] = (sorted_joint){&rig->joints[j], j};
    qsort(sorted, rig->joint_count, sizeof *sorted, compare_joints);
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        bool same = i && !compare_moves(sorted[i - 1].joint, sorted[i].joint);
        same_joints[sorted[i].number] =
            same && !sorted[i].joint->rigid ? same_joints[sorted[i - 1].number] : sorted[i].number;
    }
    grazei_rig_release(rig, sorted);
    return GRAZE_OK;
}
