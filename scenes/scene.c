#include "scenes/scene.h"

#include "scenes/gait.h"
#include "scenes/plan.h"
#include "scenes/synth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum layout { MEN, CREATURES, DWARVES_FREE, DWARVES_TOUCHING, CROWD } layout;

typedef struct scene_row {
    const char *name, *description;
    layout layout;
    graze_synth_kind kind;
    uint32_t subdivisions;
    uint32_t instances, frames;
} scene_row;

static const scene_row rows[] = {
    {"men", "two men walk up to and past each other until their limbs touch", MEN, GRAZE_SYNTH_MAN,
     0, 2, 60},
    {"creatures", "two creatures walk through each other", CREATURES, GRAZE_SYNTH_CREATURE, 0, 2,
     120},
    {"dwarves-free-0", "two dwarves close to each other", DWARVES_FREE, GRAZE_SYNTH_DWARF, 0, 2,
     27},
    {"dwarves-free-1", "the same, subdivided once", DWARVES_FREE, GRAZE_SYNTH_DWARF, 1, 2, 27},
    {"dwarves-free-2", "the same, subdivided twice", DWARVES_FREE, GRAZE_SYNTH_DWARF, 2, 2, 27},
    {"dwarves-free-3", "the same, subdivided three times", DWARVES_FREE, GRAZE_SYNTH_DWARF, 3, 2,
     27},
    {"dwarves-touching-0", "two dwarves run into each other", DWARVES_TOUCHING, GRAZE_SYNTH_DWARF,
     0, 2, 27},
    {"dwarves-touching-1", "the same, subdivided once", DWARVES_TOUCHING, GRAZE_SYNTH_DWARF, 1, 2,
     27},
    {"dwarves-touching-2", "the same, subdivided twice", DWARVES_TOUCHING, GRAZE_SYNTH_DWARF, 2, 2,
     27},
    {"dwarves-touching-3", "the same, subdivided three times", DWARVES_TOUCHING, GRAZE_SYNTH_DWARF,
     3, 2, 27},
    {"crowd", "50 creatures walk close together", CROWD, GRAZE_SYNTH_CREATURE, 0, 50, 60}};

enum { row_count = sizeof rows / sizeof *rows };

uint32_t graze_scene_count(void)
{
    return row_count;
}

const char *graze_scene_name(uint32_t index)
{
    return index < row_count ? rows[index].name : NULL;
}

const char *graze_scene_description(uint32_t index)
{
    return index < row_count ? rows[index].description : NULL;
}

static graze_status fail(graze_error *error, graze_status status, const char *text,
                         const char *name)
{
    if (error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, text, name);
    }
    return status;
}

static void *scene_take(const graze_allocator *allocator, size_t count, size_t size)
{
    void *memory = allocator->allocate(allocator->user, count * size, 64);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

/* 0 to 1, the same numbers in the same order everywhere (xorshift64*). */
static double random_unit(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 0x2545F4914F6CDD1Du) >> 40) * 0x1p-24;
}

/* Two characters that come towards each other from `apart` metres, passing `aside` metres. */
static void place_pair(graze_scene *scene, double apart, double aside, double travel)
{
    for (uint32_t i = 0; i < 2; i++) {
        graze_scene_instance *one = &scene->instances[i];
        double side = i ? 0.5 : -0.5;
        one->x = side * aside;
        one->z = side * apart;
        one->heading = i ? 0.5 : 0;
        one->start = i ? 0.35 : 0.1;
        one->travel = travel;
    }
}

/* A herd on a jittered grid, all walking about the same way. */
static void place_crowd(graze_scene *scene)
{
    enum { columns = 10 };
    const double across = 0.52, along = 2.3;
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        graze_scene_instance *one = &scene->instances[i];
        double column = i % columns, row = i / columns;
        one->x = across * (column - 4.5) + 0.04 * (random_unit(&state) - 0.5);
        one->z = along * (row - 2) + 0.9 * (random_unit(&state) - 0.5);
        one->heading = 0.02 * (random_unit(&state) - 0.5);
        one->start = random_unit(&state);
        one->travel = 1.4;
    }
}

static void place_instances(graze_scene *scene, const scene_row *row)
{
    const grazei_synth_clip_row *walk = &grazei_synth_plan_of((uint32_t)row->kind)->clips[0];
    for (uint32_t i = 0; i < row->instances; i++) {
        scene->instances[i].seconds = walk->seconds;
        scene->instances[i].stride = walk->stride;
    }
    switch (row->layout) {
    case MEN:
        place_pair(scene, 4.36, 0.3, 2);
        scene->instances[0].stops = scene->instances[1].stops = true;
        break;
    case CREATURES:
        place_pair(scene, 3.4, 0.1, 2.9);
        break;
    case DWARVES_FREE:
    case DWARVES_TOUCHING:
        place_pair(scene, row->layout == DWARVES_FREE ? 0.65 : 0.39, 0.1, 0);
        scene->instances[0].stride = scene->instances[1].stride = 0;
        break;
    case CROWD:
        place_crowd(scene);
        break;
    }
}

static const scene_row *find_row(const char *name)
{
    for (uint32_t i = 0; i < row_count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

graze_status graze_scene_create(const char *name, const graze_allocator *allocator,
                                graze_scene **scene, graze_error *error)
{
    graze_allocator memory = allocator ? *allocator : graze_default_allocator();
    const scene_row *row = find_row(name);
    if (!row)
        return fail(error, GRAZE_BAD_INPUT, "there is no scene %s", name);
    graze_scene *made = scene_take(&memory, 1, sizeof *made);
    if (!made)
        return fail(error, GRAZE_OUT_OF_MEMORY, "out of memory for scene %s", name);
    made->allocator = memory;
    made->name = row->name;
    made->frame_count = row->frames;
    made->frame_seconds = 1.0 / 30;
    made->instance_count = row->instances;
    made->instances = scene_take(&memory, row->instances, sizeof *made->instances);
    made->rigs = scene_take(&memory, 1, sizeof *made->rigs);
    graze_status status = GRAZE_OUT_OF_MEMORY;
    if (made->instances && made->rigs) {
        graze_synth_def def = {.kind = row->kind, .subdivisions = row->subdivisions};
        made->rig_count = 1;
        place_instances(made, row);
        status = graze_synth(&def, &memory, &made->rigs[0], error);
    }
    if (status != GRAZE_OK) {
        graze_scene_destroy(made);
        return fail(error, status, "out of memory for scene %s", name);
    }
    *scene = made;
    return GRAZE_OK;
}

void graze_scene_destroy(graze_scene *scene)
{
    if (!scene)
        return;
    graze_allocator memory = scene->allocator;
    for (uint32_t i = 0; i < scene->rig_count; i++)
        graze_rig_destroy(scene->rigs[i]);
    if (scene->rigs)
        memory.release(memory.user, scene->rigs);
    if (scene->instances)
        memory.release(memory.user, scene->instances);
    memory.release(memory.user, scene);
}

void graze_scene_place(const graze_scene *scene, uint32_t frame, uint32_t instance, uint32_t *clip,
                       double *time, float placement[12])
{
    const graze_scene_instance *one = &scene->instances[instance];
    double part = scene->frame_count > 1 ? (double)frame / (scene->frame_count - 1) : 0;
    double way = one->travel * (one->stops ? part * (2 - part) : part);
    double strides =
        one->stride > 0 ? way / one->stride : frame * scene->frame_seconds / one->seconds;
    double phase = one->start + strides;
    double sine = grazei_synth_sine(one->heading), cosine = grazei_synth_sine(one->heading + 0.25);
    float rows_of_placement[12] = {
        (float)cosine, 0, (float)sine,   (float)(one->x + way * sine),  0, 1, 0, 0,
        (float)-sine,  0, (float)cosine, (float)(one->z + way * cosine)};
    memcpy(placement, rows_of_placement, sizeof rows_of_placement);
    *clip = one->clip;
    *time = (phase - floor(phase)) * one->seconds;
}
