/* What a second thread is worth. */
#include "bench/scale_threads.h"
#include "bench/scale_crowd.h"

#include "scenes/stage.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 5 };

static void close_pools(thread_task *tasks)
{
    for (uint32_t t = 0; t < SCALE_MAX_THREADS; t++)
        graze_pool_destroy(tasks[t].pool);
}

static bool open_pools(thread_task *tasks)
{
    for (uint32_t t = 0; t < SCALE_MAX_THREADS; t++) {
        graze_error error;
        if (graze_pool_create(t + 1, NULL, &tasks[t].pool, &error)) {
            fprintf(stderr, "graze: %s\n", error.text);
            close_pools(tasks);
            return false;
        }
    }
    return true;
}

void scale_threads_fill(thread_task *tasks, void *scene, void (*run)(void *),
                        void (*prepare)(void *), queries_method methods[SCALE_MAX_THREADS])
{
    static const char *const names[SCALE_MAX_THREADS] = {"one thread", "two threads"};
    for (uint32_t t = 0; t < SCALE_MAX_THREADS; t++) {
        tasks[t].scene = scene;
        methods[t] =
            (queries_method){.name = names[t], .run = run, .prepare = prepare, .user = &tasks[t]};
    }
}

void scale_threads_show(scale_output *output, const queries_case *entry, const char *note)
{
    if (!output->options->json)
        queries_print(entry, output->options, note);
    queries_ratio(entry, output->options, 0, 1, QUERIES_AT_LEAST, 1.8);
    for (uint32_t m = 0; m < entry->method_count; m++)
        scale_write(output, "threads", m + 1.0, entry->name, "graze", "us",
                    bench_middle(&entry->least[m]), bench_middle(&entry->middle[m]), 0);
    fflush(stdout);
}

/* ---- a crowd ------------------------------------------------------------------------------ */

static bool count_many(void *user, size_t pair, const graze_pair *triangles, size_t count)
{
    (void)pair, (void)triangles;
    *(size_t *)user += count;
    return true;
}

static void pose_crowd(void *user)
{
    crowd_pose(((thread_task *)user)->scene);
}

static void run_crowd(void *user)
{
    thread_task *task = user;
    crowd *people = task->scene;
    people->hits = 0;
    graze_collide_many(task->pool, people->body_pairs, people->near_count, count_many,
                       &people->hits, NULL, NULL);
}

static bool measure_threads_crowd(scale_output *output, thread_task *tasks)
{
    queries_method methods[SCALE_MAX_THREADS];
    crowd people;
    char note[128];
    if (!crowd_open(&people, 1000, false))
        return false;
    scale_threads_fill(tasks, &people, run_crowd, pose_crowd, methods);
    queries_case entry = {.table = "threads",
                          .model = "1,000 dwarves",
                          .name = "crowd",
                          .methods = methods,
                          .method_count = SCALE_MAX_THREADS};
    for (int frame = 0; frame < FRAMES; frame++)
        queries_measure(&entry, output->options->rounds);
    snprintf(note, sizeof note, "%zu pairs of bodies, %zu of triangles; queries alone, poses set",
             people.near_count, people.hits);
    crowd_close(&people);
    scale_threads_show(output, &entry, note);
    return true;
}

/* ---- one pair of bodies ------------------------------------------------------------------- */

static void pose_pair(void *user)
{
    pair_bench *pair = ((thread_task *)user)->scene;
    queries_pose_both(pair->actors);
}

static void run_pair(void *user)
{
    thread_task *task = user;
    pair_bench *pair = task->scene;
    pair->answer.count = 0;
    graze_collide_parallel(task->pool, pair->actors[0].body, pair->actors[1].body, stage_count,
                           &pair->answer.count, NULL, NULL);
}

static bool measure_threads_pair(scale_output *output, thread_task *tasks)
{
    queries_method methods[SCALE_MAX_THREADS];
    queries_subject subject;
    pair_bench pair;
    char note[64];
    if (!scale_open_creatures(&subject, &pair))
        return false;
    scale_threads_fill(tasks, &pair, run_pair, pose_pair, methods);
    queries_case entry = {.table = "threads",
                          .model = subject.name,
                          .name = "one deep pair",
                          .methods = methods,
                          .method_count = SCALE_MAX_THREADS};
    bool ok = true;
    for (uint32_t frame = 0; frame < FRAMES && ok; frame++) {
        ok = pair_stage(&pair, PAIR_DEEP, frame, FRAMES);
        queries_measure(&entry, output->options->rounds);
    }
    snprintf(note, sizeof note, "%zu pairs in the last frame", pair.answer.count);
    scale_threads_show(output, &entry, note);
    pair_close(&pair);
    queries_close_subject(&subject);
    return ok;
}

bool scale_threads(scale_output *output)
{
    if (!scale_is_wanted(output, "threads"))
        return true;
    thread_task tasks[SCALE_MAX_THREADS] = {{.pool = NULL}};
    if (!open_pools(tasks))
        return false;
    bool ok = measure_threads_crowd(output, tasks) && measure_threads_pair(output, tasks) &&
              scale_threads_many(output, tasks);
    close_pools(tasks);
    return ok;
}
