/* Coherence and budgets: what a front gains from frame to frame, and what taking a query in steps
 * costs.
 */
#include "bench/queries.h"

#include "scenes/stage.h"

#include <stdio.h>
#include <string.h>

enum { LAST, NOW, MOMENTS };

struct front_task {
    queries_actor actors[MOMENTS][2];
    graze_front *front, *first_front;
    graze_search *search;
    size_t pairs;
    bool meets;
    uint32_t runs;
    uint64_t tests, front_tests;
};

static graze_body *body(struct front_task *task, int moment, int number)
{
    return task->actors[moment][number].body;
}

static void run_collide(void *user)
{
    struct front_task *task = user;
    graze_stats stats = {0};
    task->pairs = 0;
    queries_pose_both(task->actors[NOW]);
    graze_collide(body(task, NOW, 0), body(task, NOW, 1), stage_count, &task->pairs, &stats, NULL);
    task->tests = stats.bound_tests;
}

static void run_first(void *user)
{
    struct front_task *task = user;
    queries_pose_both(task->actors[NOW]);
    graze_collide_first(body(task, NOW, 0), body(task, NOW, 1), &task->meets, NULL, NULL, NULL);
}

static void collide_front(struct front_task *task, int moment)
{
    graze_stats stats = {0};
    task->pairs = 0;
    queries_pose_both(task->actors[moment]);
    graze_front_collide(task->front, body(task, moment, 0), body(task, moment, 1), stage_count,
                        &task->pairs, &stats, NULL);
    task->front_tests = stats.bound_tests;
}

static void first_front(struct front_task *task, int moment)
{
    queries_pose_both(task->actors[moment]);
    graze_front_collide_first(task->first_front, body(task, moment, 0), body(task, moment, 1),
                              &task->meets, NULL, NULL, NULL);
}

static void prepare_front(void *user)
{
    collide_front(user, LAST);
}

static void run_front(void *user)
{
    collide_front(user, NOW);
}

static void prepare_first_front(void *user)
{
    first_front(user, LAST);
}

static void run_first_front(void *user)
{
    first_front(user, NOW);
}

/* In steps of a hundred tests of bounds. */
static void run_steps(void *user)
{
    struct front_task *task = user;
    const graze_budget budget = {.bound_tests = 100};
    graze_search_rest rest = {.finished = false};
    task->pairs = 0;
    task->runs = 0;
    queries_pose_both(task->actors[NOW]);
    graze_search_collide(task->search, body(task, NOW, 0), body(task, NOW, 1), stage_count,
                         &task->pairs, NULL);
    while (!rest.finished && !graze_search_run(task->search, &budget, NULL, &rest, NULL))
        task->runs++;
}

enum { WAY_COLLIDE, WAY_FRONT, WAY_FIRST, WAY_FIRST_FRONT, WAY_STEPS, WAY_COUNT };

static const queries_method methods[WAY_COUNT] = {
    [WAY_COLLIDE] = {.name = "graze_collide", .run = run_collide},
    [WAY_FRONT] = {.name = "graze_front_collide", .run = run_front, .prepare = prepare_front},
    [WAY_FIRST] = {.name = "graze_collide_first", .run = run_first},
    [WAY_FIRST_FRONT] = {.name = "graze_front_collide_first",
                         .run = run_first_front,
                         .prepare = prepare_first_front},
    [WAY_STEPS] = {.name = "graze_search, 100 tests a run", .run = run_steps}};

static bool set_scene(struct front_task *task, uint32_t frame, float closer)
{
    const queries_subject *subject = task->actors[0][0].subject;
    double seconds = subject->rig->clips[0].seconds;
    for (int moment = 0; moment < MOMENTS; moment++) {
        double time = queries_time(subject, 0, frame) + (moment - NOW) / 30.0 + seconds;
        if (!queries_sample(&task->actors[moment][0], 0, time) ||
            !queries_sample(&task->actors[moment][1], 0, time + 0.4 * seconds))
            return false;
    }
    float x = queries_near(&task->actors[NOW][0], &task->actors[NOW][1]);
    for (int moment = 0; moment < MOMENTS; moment++) {
        memcpy(task->actors[moment][1].aside, task->actors[NOW][1].aside,
               sizeof task->actors[moment][1].aside);
        queries_place(&task->actors[moment][1], x - closer * subject->size);
    }
    return true;
}

static bool measure_case(struct front_task *task, const bench_options *options, const char *name,
                         float closer)
{
    const queries_subject *subject = task->actors[0][0].subject;
    queries_case entry = {.table = "fronts",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = WAY_COUNT,
                          .user = task};
    double pairs = 0, tests = 0, front_tests = 0, runs = 0;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        if (!set_scene(task, frame, closer))
            return false;
        queries_measure(&entry, options->rounds);
        pairs += (double)task->pairs / QUERIES_FRAMES;
        tests += (double)task->tests / QUERIES_FRAMES;
        front_tests += (double)task->front_tests / QUERIES_FRAMES;
        runs += (double)task->runs / QUERIES_FRAMES;
    }
    char note[160];
    snprintf(note, sizeof note,
             "%.0f pairs a frame; %.0f tests of bounds, %.0f from a front; %.0f runs in steps",
             pairs, tests, front_tests, runs);
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, WAY_COLLIDE, WAY_FRONT, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, options, WAY_FIRST, WAY_FIRST_FRONT, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, options, WAY_STEPS, WAY_COLLIDE, QUERIES_AT_MOST, 0);
    return true;
}

bool queries_fronts(const queries_subject *subject, const bench_options *options)
{
    struct front_task task = {0};
    bool ok = true;
    for (int moment = 0; moment < MOMENTS; moment++)
        for (int number = 0; number < 2; number++)
            ok = ok && queries_open(&task.actors[moment][number], subject, QUERIES_PLAIN);
    const graze_model *model = subject->models[QUERIES_PLAIN];
    ok = ok && !graze_front_create(model, model, &task.front, NULL) &&
         !graze_front_create(model, model, &task.first_front, NULL) &&
         !graze_search_create(NULL, &task.search, NULL);
    ok = ok && measure_case(&task, options, "near, not touching", 0) &&
         measure_case(&task, options, "touching", 0.03f) &&
         measure_case(&task, options, "deep", 0.15f);
    graze_front_destroy(task.front);
    graze_front_destroy(task.first_front);
    graze_search_destroy(task.search);
    for (int moment = 0; moment < MOMENTS; moment++)
        for (int number = 0; number < 2; number++)
            queries_close(&task.actors[moment][number]);
    return ok;
}
