/* A crowd that walks on the spot and sways, neighbours touching now and then. */
#include "bench/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 16 };

/* Steps between people, in their sizes along x and z, and how far they stray from there. */
static const float step = 1.2f, stray = 0.15f, sway = 0.05f;

static void place_people(world_crowd *people)
{
    const queries_subject *subject = &people->subject;
    uint32_t seed = 1;
    for (uint32_t i = 0; i < people->count; i++) {
        const float at[3] = {(float)(i % people->columns), 0, (float)(i / people->columns)};
        for (int k = 0; k < 3; k++) {
            float wide = subject->high[k] - subject->low[k];
            float off = stray * (2 * queries_random(&seed) - 1);
            people->placements[i][5 * k] = 1;
            people->placements[i][4 * k + 3] = k == 1 ? 0 : wide * (step * at[k] + off);
        }
    }
}

/* To and fro, each with another phase. */
static void move(world_crowd *people, uint32_t i)
{
    static const float ways[4] = {1, 1, -1, -1};
    const queries_subject *subject = &people->subject;
    for (int k = 0; k < 3; k += 2) {
        float wide = subject->high[k] - subject->low[k];
        people->placements[i][4 * k + 3] += sway * wide * ways[(people->frame + i / (k + 1u)) % 4];
    }
}

static bool sample_poses(world_crowd *people)
{
    const graze_rig *rig = people->subject.rig;
    for (uint32_t t = 0; t < TIMES; t++)
        if (graze_rig_sample(rig, 0, (double)rig->clips[0].seconds * t / TIMES,
                             people->joints + 12 * (size_t)t * rig->joint_count, NULL))
            return false;
    return true;
}

static bool open_people(world_crowd *people, bool lean, graze_level level)
{
    const graze_model *model = people->subject.models[QUERIES_PLAIN];
    graze_world_rule rule = graze_default_world_rule();
    people->bodies = calloc(people->count, sizeof(graze_body *));
    people->joints = malloc(TIMES * 12 * sizeof(float) * people->subject.rig->joint_count);
    people->placements = calloc(people->count, sizeof *people->placements);
    rule.level = level;
    if (!people->bodies || !people->joints || !people->placements || !sample_poses(people) ||
        graze_cache_pool_create(model, NULL, &people->caches, NULL) ||
        graze_world_create(NULL, &people->world, NULL) ||
        graze_world_set_rule(people->world, 0, 0, &rule, NULL))
        return false;
    for (uint32_t i = 0; i < people->count; i++) {
        graze_world_id id;
        graze_status status = lean
                                  ? graze_body_create_lean(people->caches, &people->bodies[i], NULL)
                                  : graze_body_create(model, &people->bodies[i], NULL);
        if (status || graze_world_add_body(people->world, people->bodies[i], NULL, &id, NULL))
            return false;
    }
    return true;
}

bool world_crowd_open(world_crowd *people, uint32_t count, bool lean, graze_level level)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_DWARF};
    graze_rig *rig = queries_make_rig(&def);
    *people = (world_crowd){.count = count, .columns = (uint32_t)ceil(sqrt(count))};
    if (!rig || !queries_open_subject(&people->subject, "dwarf", rig, QUERIES_PLAIN + 1))
        return false;
    if (open_people(people, lean, level)) {
        place_people(people);
        return true;
    }
    fprintf(stderr, "graze: no memory for %u bodies\n", count);
    world_crowd_close(people);
    return false;
}

void world_crowd_close(world_crowd *people)
{
    graze_world_destroy(people->world);
    for (uint32_t i = 0; people->bodies && i < people->count; i++)
        graze_body_destroy(people->bodies[i]);
    graze_cache_pool_destroy(people->caches);
    queries_close_subject(&people->subject);
    free(people->bodies);
    free(people->joints);
    free(people->placements);
}

void world_crowd_pose(void *user)
{
    world_crowd *people = user;
    uint32_t joints = people->subject.rig->joint_count;
    people->frame++;
    for (uint32_t i = 0; i < people->count; i++) {
        uint32_t time = (7 * i + people->frame) % TIMES;
        move(people, i);
        graze_pose pose = {.joints = people->joints + 12 * (size_t)time * joints,
                           .joint_count = joints,
                           .placement = people->placements[i]};
        graze_body_set_pose(people->bodies[i], &pose, NULL);
    }
}

void world_crowd_run(void *user)
{
    world_crowd *people = user;
    graze_error error;
    if (graze_world_update(people->world, people->pool, NULL, &error))
        fprintf(stderr, "graze: %s\n", error.text);
    const graze_world_event *events = graze_world_events(people->world, &people->events);
    people->pairs = 0;
    for (size_t i = 0; i < people->events; i++)
        people->pairs += events[i].pairs;
}
