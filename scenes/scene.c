#include "scenes/scene.h"

#include "scenes/flight.h"
#include "scenes/gait.h"
#include "scenes/plan.h"
#include "scenes/pool.h"
#include "scenes/synth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum layout {
    MEN,
    CREATURES,
    CREATURES_ASIDE,
    DWARVES_FREE,
    DWARVES_TOUCHING,
    CROWD,
    CANDY,
    CURTAIN,
    CHAIRS
} layout;

enum { most_rigs = 2 };

typedef struct scene_row {
    const char *name, *description;
    layout layout;
    graze_synth_kind kinds[most_rigs];
    uint32_t rigs, subdivisions;
    uint32_t instances, frames;
} scene_row;

#define DWARVES(name, description, layout, subdivisions)                                           \
    {                                                                                              \
        name, description, layout, {GRAZE_SYNTH_DWARF}, 1, subdivisions, 2, 27                     \
    }

static const scene_row rows[] = {
    {"men",
     "two men walk towards each other until their limbs touch",
     MEN,
     {GRAZE_SYNTH_MAN},
     1,
     0,
     2,
     60},
    {"creatures",
     "two creatures walk through each other",
     CREATURES,
     {GRAZE_SYNTH_CREATURE},
     1,
     0,
     2,
     120},
    {"creatures-aside",
     "two creatures walk past each other and overlap a little",
     CREATURES_ASIDE,
     {GRAZE_SYNTH_CREATURE},
     1,
     0,
     2,
     120},
    DWARVES("dwarves-free-0", "two dwarves an arm apart", DWARVES_FREE, 0),
    DWARVES("dwarves-free-1", "the same, subdivided once", DWARVES_FREE, 1),
    DWARVES("dwarves-free-2", "the same, subdivided twice", DWARVES_FREE, 2),
    DWARVES("dwarves-free-3", "the same, subdivided three times", DWARVES_FREE, 3),
    DWARVES("dwarves-touching-0", "two dwarves run into each other", DWARVES_TOUCHING, 0),
    DWARVES("dwarves-touching-1", "the same, subdivided once", DWARVES_TOUCHING, 1),
    DWARVES("dwarves-touching-2", "the same, subdivided twice", DWARVES_TOUCHING, 2),
    DWARVES("dwarves-touching-3", "the same, subdivided three times", DWARVES_TOUCHING, 3),
    {"crowd", "50 creatures walk close together", CROWD, {GRAZE_SYNTH_CREATURE}, 1, 0, 50, 60},
    {"candy",
     "two creatures side by side twist their necks and a shoulder",
     CANDY,
     {GRAZE_SYNTH_CREATURE},
     1,
     0,
     2,
     60},
    {"curtain",
     "a ball is thrown at a curtain in the wind",
     CURTAIN,
     {GRAZE_SYNTH_CURTAIN, GRAZE_SYNTH_BALL},
     2,
     0,
     2,
     110},
    {"chairs",
     "three rattling chairs tumble against each other",
     CHAIRS,
     {GRAZE_SYNTH_CHAIR},
     1,
     0,
     3,
     60}};

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

/* Twins in step, so close that a paw that turns meets the other's. */
static void place_candy(graze_scene *scene)
{
    const uint32_t candy = 2;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        graze_scene_instance *one = &scene->instances[i];
        one->clip = candy;
        one->seconds = grazei_synth_creature.clips[candy].seconds;
        one->stride = 0;
        one->x = i ? 0.29 : -0.29;
    }
}

static void place_things(graze_scene *scene, layout chosen)
{
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (chosen == CHAIRS) {
            scene->instances[i].start = 0.3 * i;
            scene->instances[i].flight = &grazei_scene_chairs[i];
        } else if (i == 1) {
            scene->instances[i].rig = 1;
            scene->instances[i].clip = GRAZE_NONE;
            scene->instances[i].flight = &grazei_scene_thrown_ball;
        }
}

static void place_instances(graze_scene *scene, const scene_row *row)
{
    const grazei_synth_plan *plan = grazei_synth_plan_of((uint32_t)row->kinds[0]);
    for (uint32_t i = 0; i < row->instances; i++) {
        graze_scene_instance *one = &scene->instances[i];
        one->seconds = plan->modes ? plan->modes->seconds : plan->clips[0].seconds;
        one->stride = plan->modes ? 0 : plan->clips[0].stride;
    }
    switch (row->layout) {
    case MEN:
        place_pair(scene, 4.45, 0.3, 2);
        scene->instances[0].stops = scene->instances[1].stops = true;
        break;
    case CREATURES:
    case CREATURES_ASIDE:
        place_pair(scene, 3.4, row->layout == CREATURES ? 0.1 : 0.3, 2.9);
        break;
    case DWARVES_FREE:
    case DWARVES_TOUCHING:
        place_pair(scene, row->layout == DWARVES_FREE ? 0.9 : 0.45, 0.1, 0);
        scene->instances[0].stride = scene->instances[1].stride = 0;
        break;
    case CROWD:
        place_crowd(scene);
        break;
    case CANDY:
        place_candy(scene);
        break;
    case CURTAIN:
    case CHAIRS:
        place_things(scene, row->layout);
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
    graze_scene *made = grazei_synth_keep(&memory, 1, sizeof *made);
    if (!made)
        return fail(error, GRAZE_OUT_OF_MEMORY, "out of memory for scene %s", name);
    made->allocator = memory;
    made->name = row->name;
    made->frame_count = row->frames;
    made->frame_seconds = 1.0 / 30;
    made->instance_count = row->instances;
    made->instances = grazei_synth_keep(&memory, row->instances, sizeof *made->instances);
    made->rigs = grazei_synth_keep(&memory, row->rigs, sizeof *made->rigs);
    graze_status status = made->instances && made->rigs ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
    if (status == GRAZE_OK)
        place_instances(made, row);
    while (status == GRAZE_OK && made->rig_count < row->rigs) {
        graze_synth_def def = {.kind = row->kinds[made->rig_count],
                               .subdivisions = row->subdivisions};
        status = graze_synth(&def, &memory, &made->rigs[made->rig_count++], error);
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

static void walk(const graze_scene_instance *one, double way, float placement[12])
{
    double sine = grazei_synth_sine(one->heading), cosine = grazei_synth_sine(one->heading + 0.25);
    float rows_of_placement[12] = {
        (float)cosine, 0, (float)sine,   (float)(one->x + way * sine),  0, 1, 0, 0,
        (float)-sine,  0, (float)cosine, (float)(one->z + way * cosine)};
    memcpy(placement, rows_of_placement, sizeof rows_of_placement);
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
    *clip = one->clip;
    *time = one->clip == GRAZE_NONE ? 0 : (phase - floor(phase)) * one->seconds;
    if (one->flight)
        grazei_scene_fly(one->flight, frame * scene->frame_seconds, placement);
    else
        walk(one, way, placement);
}
