/* What sphere chains cost over the frames of a clip: microseconds a frame. */
#include "bench/chain.h"

#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs of all frames that one sample is the mean of: a frame takes a microsecond or two. */
enum { REPEATS = 8 };

typedef struct chain_task {
    chain_subject *subject;
    chain_frames frames;
    float *spheres; /* of all frames, by pivots */
    graze_pool *pool;
    size_t found, triangles[2];
} chain_task;

typedef struct timed_way {
    const char *name;
    void (*run)(const struct timed_way *way, chain_task *task, uint32_t frame);
    int method; /* of graze_chain_method, or of graze_chain_update */
    bool threads, slow;
} timed_way;

/* ---- ways ------------------------------------------------------------------------------------ */

static void find(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    size_t count = 0;
    graze_chain_pairs(s->plan, task->spheres + 4 * (size_t)s->sphere_count * frame,
                      (graze_chain_method)way->method, way->threads ? task->pool : NULL, s->pairs,
                      s->capacity, &count, NULL);
    task->found += count;
}

static void find_plain(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    size_t count = 0;
    graze_chain_pairs_plain(s->plan, task->spheres + 4 * (size_t)s->sphere_count * frame,
                            (graze_chain_method)way->method, s->pairs, s->capacity, &count, NULL);
    task->found += count;
}

static void set_pose(chain_task *task, graze_body *body, uint32_t frame)
{
    graze_pose pose = chain_pose_at(task->subject, &task->frames, frame);
    graze_body_set_pose(body, &pose, NULL);
}

static void pose(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    set_pose(task, s->body, frame);
    graze_chain_pose(s->plan, s->body, (graze_chain_update)way->method, s->spheres, s->sphere_count,
                     NULL);
}

/* From the matrices to the pairs. */
static void pose_and_find(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    size_t count = 0;
    pose(way, task, frame);
    graze_chain_pairs(s->plan, s->spheres, GRAZE_CHAIN_CHAINS, NULL, s->pairs, s->capacity, &count,
                      NULL);
    task->found += count;
}

static bool count_triangles(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

/* Conservative spheres, then the exact query: one body has the spheres as groups, and both poses
 * are counted.
 */
static void find_exact(const timed_way *way, chain_task *task, uint32_t frame)
{
    chain_subject *s = task->subject;
    const graze_self_between between = {.group_count = s->sphere_count, .rows = s->rows};
    size_t count = 0;
    pose(way, task, frame);
    set_pose(task, s->grouped_body, frame);
    graze_chain_pairs(s->plan, s->spheres, GRAZE_CHAIN_CHAINS, NULL, s->pairs, s->capacity, &count,
                      NULL);
    graze_chain_exact_rows(s->plan, GRAZE_CHAIN_CHAINS, s->pairs, count, s->rows,
                           graze_chain_exact_words(s->plan), NULL);
    graze_collide_self_between(s->grouped_body, GRAZE_SELF_ALL, &between, count_triangles,
                               &task->triangles[0], NULL, NULL);
}

static void find_self(const timed_way *way, chain_task *task, uint32_t frame)
{
    (void)way;
    set_pose(task, task->subject->body, frame);
    graze_collide_self(task->subject->body, GRAZE_SELF_ALL, count_triangles, &task->triangles[1],
                       NULL, NULL);
}

static const timed_way ways[] = {
    {"M1, chains: lanes", find, GRAZE_CHAIN_CHAINS, false, false},
    {"M1, chains: plain", find_plain, GRAZE_CHAIN_CHAINS, false, false},
    {"M1, chains: lanes", find, GRAZE_CHAIN_CHAINS, true, false},
    {"M2, all pairs: lanes", find, GRAZE_CHAIN_ALL, false, false},
    {"M2, all pairs: plain", find_plain, GRAZE_CHAIN_ALL, false, false},
    {"M2, all pairs: lanes", find, GRAZE_CHAIN_ALL, true, false},
    {"M3, tree", find, GRAZE_CHAIN_TREE, false, false},
    {"M3, tree", find, GRAZE_CHAIN_TREE, true, false},
    {"pose, pivots", pose, GRAZE_CHAIN_PIVOTS, false, false},
    {"pose, conservative", pose, GRAZE_CHAIN_CONSERVATIVE, false, false},
    {"pose to pairs, pivots, M1", pose_and_find, GRAZE_CHAIN_PIVOTS, false, false},
    {"pose to pairs, conservative, M1", pose_and_find, GRAZE_CHAIN_CONSERVATIVE, false, false},
    {"conservative, then exact", find_exact, GRAZE_CHAIN_CONSERVATIVE, false, true},
    {"graze_collide_self", find_self, 0, false, true}};

enum { WAYS = sizeof ways / sizeof *ways };

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct timed_run {
    const timed_way *way;
    chain_task *task;
} timed_run;

static void run_frames(void *user)
{
    const timed_run *run = user;
    for (uint32_t i = 0; i < (run->way->slow ? 1 : REPEATS); i++)
        for (uint32_t f = 0; f < run->task->frames.count; f++)
            run->way->run(run->way, run->task, f);
}

static bool fill_spheres(chain_task *task)
{
    chain_subject *s = task->subject;
    task->spheres =
        malloc(4 * sizeof *task->spheres * s->sphere_count * (size_t)task->frames.count);
    for (uint32_t f = 0; task->spheres && f < task->frames.count; f++) {
        set_pose(task, s->body, f);
        if (graze_chain_pose(s->plan, s->body, GRAZE_CHAIN_PIVOTS,
                             task->spheres + 4 * (size_t)s->sphere_count * f, s->sphere_count,
                             NULL))
            return false;
    }
    return task->spheres != NULL;
}

static void print_way(const chain_task *task, const char *clip, const timed_way *way,
                      const bench_samples *samples, bool json, bench_csv *csv)
{
    double frames = task->frames.count * (way->slow ? 1.0 : REPEATS);
    double least = bench_least(samples) / frames, middle = bench_middle(samples) / frames;
    uint32_t threads = way->threads ? graze_pool_threads(task->pool) : 1;
    if (json)
        printf("{\"table\":\"chain times\",\"model\":\"%s\",\"clip\":\"%s\",\"what\":\"%s\","
               "\"threads\":%u,\"us\":%.4g,\"median_us\":%.4g}\n",
               task->subject->name, clip, way->name, threads, least, middle);
    else
        printf("  %-34s %u thread%s  %9.3f  %9.3f us\n", way->name, threads,
               threads > 1 ? "s" : " ", least, middle);
    bench_csv_text(csv, task->subject->name);
    bench_csv_text(csv, clip);
    bench_csv_text(csv, way->name);
    bench_csv_number(csv, threads);
    bench_csv_number(csv, least);
    bench_csv_number(csv, middle);
    bench_csv_end_line(csv);
}

static bool measure(chain_task *task, const char *clip, const bench_options *options,
                    bench_csv *csv)
{
    static bench_samples samples[WAYS];
    timed_run runs[WAYS];
    bench_method methods[WAYS];
    for (int w = 0; w < WAYS; w++) {
        runs[w] = (timed_run){&ways[w], task};
        methods[w] = (bench_method){ways[w].name, run_frames, &runs[w]};
        samples[w].count = 0;
    }
    bench_interleave(methods, WAYS, options->rounds, samples);
    if (task->triangles[0] != task->triangles[1]) {
        fprintf(stderr, "graze: %zu pairs of triangles with chains, %zu without\n",
                task->triangles[0], task->triangles[1]);
        return false;
    }
    for (int w = 0; w < WAYS; w++)
        print_way(task, clip, &ways[w], &samples[w], options->json, csv);
    return true;
}

bool chain_print_times(chain_subject *subject, uint32_t clip, const bench_options *options,
                       bench_csv *csv)
{
    chain_task task = {.subject = subject};
    const char *name = subject->rig->clips[clip].name;
    bool ok = chain_sample(subject, clip, &task.frames) && fill_spheres(&task) &&
              !graze_pool_create(2, NULL, &task.pool, NULL);
    if (!ok)
        fprintf(stderr, "graze: no memory for the frames\n");
    if (ok && !options->json)
        printf("\n%s, clip %s, %d frames: microseconds a frame, the least and the middle of %u\n",
               subject->name, name, CHAIN_FRAMES, options->rounds);
    ok = ok && measure(&task, name, options, csv);
    graze_pool_destroy(task.pool);
    chain_free_frames(&task.frames);
    free(task.spheres);
    return ok;
}
