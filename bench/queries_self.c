/* Self-collision against posing and refitting everything. */
#include "bench/queries.h"

#include <stdio.h>

struct self_task {
    queries_actor actors[QUERIES_MODELS];
    size_t counts[8]; /* of each method */
};

enum {
    SELF_ALL,
    SELF_EAGER_PLAIN,
    SELF_EAGER_TABLE,
    SELF_EAGER_FAT,
    SELF_FIRST,
    SELF_FIRST_EAGER,
    SELF_FIRST_FAT
};

static bool count_pairs(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

static bool take_first(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs, (void)count;
    *(size_t *)user = 1;
    return false;
}

static void run_all(void *user)
{
    struct self_task *task = user;
    task->counts[SELF_ALL] = 0;
    queries_pose(&task->actors[QUERIES_SELF]);
    graze_collide_self(task->actors[QUERIES_SELF].body, GRAZE_SELF_ALL, count_pairs,
                       &task->counts[SELF_ALL], NULL, NULL);
}

static void run_eager(struct self_task *task, int model, graze_self_fn report, int method)
{
    task->counts[method] = 0;
    queries_pose(&task->actors[model]);
    graze_collide_self_eager(task->actors[model].body, GRAZE_SELF_ALL, report,
                             &task->counts[method], NULL, NULL);
}

static void run_eager_plain(void *user)
{
    run_eager(user, QUERIES_PLAIN, count_pairs, SELF_EAGER_PLAIN);
}

static void run_eager_table(void *user)
{
    run_eager(user, QUERIES_SELF, count_pairs, SELF_EAGER_TABLE);
}

static void run_eager_fat(void *user)
{
    run_eager(user, QUERIES_FAT, count_pairs, SELF_EAGER_FAT);
}

static void run_first(void *user)
{
    struct self_task *task = user;
    bool hit;
    queries_pose(&task->actors[QUERIES_SELF]);
    graze_collide_self_first(task->actors[QUERIES_SELF].body, GRAZE_SELF_ALL, &hit, NULL, NULL,
                             NULL);
    task->counts[SELF_FIRST] = hit;
}

static void run_first_eager(void *user)
{
    run_eager(user, QUERIES_PLAIN, take_first, SELF_FIRST_EAGER);
}

static void run_first_fat(void *user)
{
    run_eager(user, QUERIES_FAT, take_first, SELF_FIRST_FAT);
}

static const queries_method methods[] = {
    [SELF_ALL] = {.name = "graze_collide_self", .run = run_all},
    [SELF_EAGER_PLAIN] = {.name = "eager, neighbours by position", .run = run_eager_plain},
    [SELF_EAGER_TABLE] = {.name = "eager, neighbours by table", .run = run_eager_table},
    [SELF_EAGER_FAT] = {.name = "eager, leaves of 4, neighbours by position", .run = run_eager_fat},
    [SELF_FIRST] = {.name = "graze_collide_self_first", .run = run_first},
    [SELF_FIRST_EAGER] = {.name = "eager, until the first", .run = run_first_eager},
    [SELF_FIRST_FAT] = {.name = "eager, leaves of 4, until the first", .run = run_first_fat}};

/* All ways must have found the same. */
static bool agree(const struct self_task *task, uint32_t frame)
{
    const size_t *counts = task->counts;
    for (int m = 1; m <= SELF_FIRST_FAT; m++) {
        size_t expected = m < SELF_FIRST ? counts[SELF_ALL] : counts[SELF_ALL] > 0;
        if (counts[m] == expected)
            continue;
        fprintf(stderr, "graze: frame %u: %zu self-collisions with %s, not %zu\n", frame, counts[m],
                methods[m].name, expected);
        return false;
    }
    return true;
}

static bool measure_clip(const queries_subject *subject, const bench_options *options,
                         struct self_task *task, uint32_t clip)
{
    const char *name = subject->rig->clips[clip].name;
    queries_case entry = {.table = "self",
                          .model = subject->name,
                          .name = name && *name ? name : "walk",
                          .methods = methods,
                          .method_count = sizeof methods / sizeof *methods,
                          .user = task};
    double pairs = 0;
    uint32_t touching = 0;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        for (int m = 0; m < QUERIES_MODELS; m++)
            if (!queries_sample(&task->actors[m], clip, queries_time(subject, clip, frame)))
                return false;
        queries_measure(&entry, options->rounds);
        if (!agree(task, frame))
            return false;
        pairs += (double)task->counts[SELF_ALL];
        touching += task->counts[SELF_ALL] > 0;
    }
    char note[96];
    snprintf(note, sizeof note, "%u of %d frames touch, %.0f pairs a frame", touching,
             QUERIES_FRAMES, pairs / QUERIES_FRAMES);
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, SELF_EAGER_PLAIN, SELF_ALL, QUERIES_AT_LEAST, 5);
    queries_ratio(&entry, options, SELF_EAGER_TABLE, SELF_ALL, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, options, SELF_EAGER_FAT, SELF_ALL, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, options, SELF_FIRST_EAGER, SELF_FIRST, QUERIES_AT_LEAST, 5);
    queries_ratio(&entry, options, SELF_FIRST_FAT, SELF_FIRST, QUERIES_AT_LEAST, 0);
    return true;
}

bool queries_self(const queries_subject *subject, const bench_options *options)
{
    struct self_task task = {.counts = {0}};
    bool ok = true;
    for (int m = 0; m < QUERIES_MODELS && ok; m++)
        ok = queries_open(&task.actors[m], subject, m);
    for (uint32_t clip = 0; clip < subject->rig->clip_count && ok; clip++)
        ok = measure_clip(subject, options, &task, clip);
    for (int m = 0; m < QUERIES_MODELS; m++)
        queries_close(&task.actors[m]);
    return ok;
}
