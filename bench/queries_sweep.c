/* Continuous collision between frames 1/30 s apart, against the discrete query at their end. */
#include "bench/queries.h"

#include "scenes/stage.h"

#include <stdio.h>
#include <string.h>

enum { BEFORE, START, END, MOMENTS };

/* Two instances at three moments: the frame before only fills caches that a caller who swaps his
 * bodies still has.
 */
struct sweep_task {
    queries_actor actors[MOMENTS][2];
    graze_impact impact, impact_new;
    size_t pairs, impacts;
    bool meets;
};

static bool count_impacts(void *user, const graze_impact *impacts, size_t count)
{
    (void)impacts;
    *(size_t *)user += count;
    return true;
}

static graze_motion motion(struct sweep_task *task, int start, int number)
{
    return (graze_motion){task->actors[start][number].body, task->actors[start + 1][number].body};
}

static void sweep(struct sweep_task *task, int start, bool only_new, graze_impact *impact)
{
    graze_motion a = motion(task, start, 0), b = motion(task, start, 1);
    graze_sweep(&a, &b, only_new, impact, NULL, NULL);
}

static void run_collide(void *user)
{
    struct sweep_task *task = user;
    task->pairs = 0;
    queries_pose_both(task->actors[END]);
    graze_collide(task->actors[END][0].body, task->actors[END][1].body, stage_count, &task->pairs,
                  NULL, NULL);
}

static void run_collide_first(void *user)
{
    struct sweep_task *task = user;
    queries_pose_both(task->actors[END]);
    graze_collide_first(task->actors[END][0].body, task->actors[END][1].body, &task->meets, NULL,
                        NULL, NULL);
}

/* The frame before is swept, its end is our start. */
static void prepare(void *user)
{
    struct sweep_task *task = user;
    graze_impact impact;
    queries_pose_both(task->actors[BEFORE]);
    queries_pose_both(task->actors[START]);
    sweep(task, BEFORE, false, &impact);
}

static void prepare_new(void *user)
{
    struct sweep_task *task = user;
    graze_impact impact;
    queries_pose_both(task->actors[BEFORE]);
    queries_pose_both(task->actors[START]);
    sweep(task, BEFORE, true, &impact);
}

static void run_sweep(void *user)
{
    struct sweep_task *task = user;
    queries_pose_both(task->actors[END]);
    sweep(task, START, false, &task->impact);
}

static void run_cold(void *user)
{
    struct sweep_task *task = user;
    queries_pose_both(task->actors[START]);
    run_sweep(task);
}

static void run_new(void *user)
{
    struct sweep_task *task = user;
    queries_pose_both(task->actors[END]);
    sweep(task, START, true, &task->impact_new);
}

static void run_pairs(void *user)
{
    struct sweep_task *task = user;
    graze_motion a = motion(task, START, 0), b = motion(task, START, 1);
    task->impacts = 0;
    queries_pose_both(task->actors[END]);
    graze_sweep_pairs(&a, &b, false, count_impacts, &task->impacts, NULL, NULL);
}

enum { WAY_COLLIDE, WAY_FIRST, WAY_SWEEP, WAY_COLD, WAY_NEW, WAY_PAIRS, WAY_COUNT };

static const queries_method methods[WAY_COUNT] = {
    [WAY_COLLIDE] = {.name = "graze_collide", .run = run_collide},
    [WAY_FIRST] = {.name = "graze_collide_first", .run = run_collide_first},
    [WAY_SWEEP] = {.name = "graze_sweep, start kept", .run = run_sweep, .prepare = prepare},
    [WAY_COLD] = {.name = "graze_sweep, nothing kept", .run = run_cold},
    [WAY_NEW] = {.name = "graze_sweep, only new, start kept",
                 .run = run_new,
                 .prepare = prepare_new},
    [WAY_PAIRS] = {.name = "graze_sweep_pairs, start kept", .run = run_pairs, .prepare = prepare}};

/* A frame that ends at its time. b starts near a, `closer` of the size nearer than that, and comes
 * nearer by `closing` of the size until the end.
 */
static bool set_scene(struct sweep_task *task, uint32_t frame, float closer, float closing)
{
    const queries_subject *subject = task->actors[0][0].subject;
    double seconds = subject->rig->clips[0].seconds;
    for (int moment = 0; moment < MOMENTS; moment++) {
        double time = queries_time(subject, 0, frame) + (moment - END) / 30.0 + seconds;
        if (!queries_sample(&task->actors[moment][0], 0, time) ||
            !queries_sample(&task->actors[moment][1], 0, time + 0.4 * seconds))
            return false;
    }
    float x = queries_near(&task->actors[START][0], &task->actors[START][1]);
    for (int moment = 0; moment < MOMENTS; moment++) {
        memcpy(task->actors[moment][1].aside, task->actors[START][1].aside,
               sizeof task->actors[moment][1].aside);
        queries_place(&task->actors[moment][1],
                      x - (closer + (float)(moment - START) * closing) * subject->size);
    }
    return true;
}

static bool measure_case(struct sweep_task *task, const bench_options *options, const char *name,
                         float closer, float closing)
{
    const queries_subject *subject = task->actors[0][0].subject;
    queries_case entry = {.table = "sweep",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = WAY_COUNT,
                          .user = task};
    uint32_t hits = 0, initial = 0, meet = 0;
    double pairs = 0, impacts = 0;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        if (!set_scene(task, frame, closer, closing))
            return false;
        queries_measure(&entry, options->rounds);
        hits += task->impact.found;
        initial += task->impact.initial;
        meet += task->meets;
        pairs += (double)task->pairs;
        impacts += (double)task->impacts;
    }
    char note[160];
    snprintf(note, sizeof note,
             "of %d frames %u have impacts, %u at the start, %u meet at the end; %.0f impacts, "
             "%.0f pairs at the end",
             QUERIES_FRAMES, hits, initial, meet, impacts / QUERIES_FRAMES, pairs / QUERIES_FRAMES);
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, WAY_SWEEP, WAY_COLLIDE, QUERIES_AT_MOST, 3);
    queries_ratio(&entry, options, WAY_COLD, WAY_COLLIDE, QUERIES_AT_MOST, 0);
    queries_ratio(&entry, options, WAY_NEW, WAY_COLLIDE, QUERIES_AT_MOST, 0);
    queries_ratio(&entry, options, WAY_PAIRS, WAY_COLLIDE, QUERIES_AT_MOST, 0);
    return true;
}

bool queries_sweep(const queries_subject *subject, const bench_options *options)
{
    struct sweep_task task;
    memset(&task, 0, sizeof task);
    bool ok = true;
    for (int i = 0; i < 2 * MOMENTS && ok; i++)
        ok = queries_open(&task.actors[i / 2][i % 2], subject, QUERIES_PLAIN);
    ok = ok && measure_case(&task, options, "near", 0, 0) &&
         measure_case(&task, options, "closing in", 0, 0.02f) &&
         measure_case(&task, options, "touching", 0.03f, 0);
    for (int i = 0; i < 2 * MOMENTS; i++)
        queries_close(&task.actors[i / 2][i % 2]);
    return ok;
}
