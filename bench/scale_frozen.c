/* What deforming costs: the query of a posture that only moves, on the same tree. */
#include "bench/scale.h"

#include "scenes/stage.h"

#include <graze/freeze.h>

#include <stdio.h>

enum { FRAMES = 5 };

typedef struct frozen_task {
    pair_bench pair;
    graze_model *models[2];
    graze_body *bodies[2]; /* of these */
    size_t lazy_pairs, rigid_pairs;
} frozen_task;

static void run_lazy(void *user)
{
    frozen_task *task = user;
    task->lazy_pairs = 0;
    queries_pose_both(task->pair.actors);
    graze_collide(task->pair.actors[0].body, task->pair.actors[1].body, stage_count,
                  &task->lazy_pairs, NULL, NULL);
}

/* One matrix moves the posture. */
static void run_rigid(void *user)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    frozen_task *task = user;
    task->rigid_pairs = 0;
    for (int i = 0; i < 2; i++) {
        const queries_actor *actor = &task->pair.actors[i];
        graze_pose pose = {.joints = identity,
                           .joint_count = 1,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = actor->placed ? actor->placement : NULL};
        graze_body_set_pose(task->bodies[i], &pose, NULL);
    }
    graze_collide(task->bodies[0], task->bodies[1], stage_count, &task->rigid_pairs, NULL, NULL);
}

/* What the query before has computed is still there: only comparing is left. */
static void run_again(void *user)
{
    frozen_task *task = user;
    task->lazy_pairs = 0;
    graze_collide(task->pair.actors[0].body, task->pair.actors[1].body, stage_count,
                  &task->lazy_pairs, NULL, NULL);
}

static void destroy_frozen(frozen_task *task)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(task->bodies[i]);
        graze_model_destroy(task->models[i]);
        task->bodies[i] = NULL;
        task->models[i] = NULL;
    }
}

/* Freezes both where the clip puts them; their placement moves them afterwards. */
static bool freeze(frozen_task *task)
{
    destroy_frozen(task);
    for (int i = 0; i < 2; i++) {
        queries_actor *actor = &task->pair.actors[i];
        bool placed = actor->placed;
        graze_error error;
        actor->placed = false;
        queries_pose(actor);
        actor->placed = placed;
        if (graze_body_freeze(actor->body, &task->models[i], &error) ||
            graze_body_create(task->models[i], &task->bodies[i], &error)) {
            fprintf(stderr, "graze: %s\n", error.text);
            return false;
        }
    }
    return true;
}

static bool measure_frozen(scale_output *output, frozen_task *task, const char *name,
                           pair_place place)
{
    enum { LAZY, RIGID, AGAIN, METHODS };
    static const queries_method methods[METHODS] = {
        [LAZY] = {.name = "pose and query", .run = run_lazy},
        [RIGID] = {.name = "frozen: one matrix and query", .run = run_rigid},
        [AGAIN] = {.name = "query again in the same pose", .run = run_again, .prepare = run_lazy}};
    queries_case entry = {.table = "frozen",
                          .model = task->pair.subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = METHODS,
                          .user = task};
    size_t sums[2] = {0, 0};
    char note[128];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (!pair_stage(&task->pair, place, frame, FRAMES) || !freeze(task))
            return false;
        queries_measure(&entry, output->options->rounds);
        sums[0] += task->lazy_pairs;
        sums[1] += task->rigid_pairs;
    }
    snprintf(note, sizeof note, "%.1f pairs, %.1f frozen (rounded elsewhere)",
             (double)sums[0] / FRAMES, (double)sums[1] / FRAMES);
    if (!output->options->json)
        queries_print(&entry, output->options, note);
    queries_ratio(&entry, output->options, LAZY, RIGID, QUERIES_AT_MOST, 1.25);
    queries_ratio(&entry, output->options, LAZY, AGAIN, QUERIES_AT_MOST, 0);
    for (uint32_t m = 0; m < METHODS; m++)
        scale_write(output, "frozen", 50000, name, methods[m].name, "us",
                    bench_middle(&entry.least[m]), bench_middle(&entry.middle[m]),
                    (double)sums[m == RIGID] / FRAMES);
    fflush(stdout);
    return true;
}

bool scale_frozen(scale_output *output)
{
    frozen_task task = {.lazy_pairs = 0};
    queries_subject subject;
    if (!scale_is_wanted(output, "frozen"))
        return true;
    if (!scale_open_creatures(&subject, &task.pair))
        return false;
    bool ok = measure_frozen(output, &task, "near", PAIR_NEAR) &&
              measure_frozen(output, &task, "touching", PAIR_TOUCHING) &&
              measure_frozen(output, &task, "deep", PAIR_DEEP);
    destroy_frozen(&task);
    pair_close(&task.pair);
    queries_close_subject(&subject);
    return ok;
}
