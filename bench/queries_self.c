/* Self-collision against posing and refitting everything. */
#include "bench/eager/eager.h"
#include "bench/queries.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>

enum {
    SELF_ALL,
    SELF_EAGER_PLAIN,
    SELF_EAGER_TABLE,
    SELF_FIRST,
    SELF_FIRST_EAGER,
    SELF_BOXES, /* the eager baseline */
    SELF_WAYS
};

enum { MAX_PAIRS = 1 << 20 };

struct self_task {
    queries_actor actors[QUERIES_MODELS];
    eager_model *boxes_model; /* NULL: it cannot do this one */
    eager_body *boxes;
    graze_pair *pairs; /* that it finds */
    size_t counts[SELF_WAYS];
};

static bool count_pairs(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

static void run_all(void *user)
{
    struct self_task *task = user;
    task->counts[SELF_ALL] = 0;
    queries_pose(&task->actors[QUERIES_SELF]);
    graze_collide_self(task->actors[QUERIES_SELF].body, GRAZE_SELF_ALL, count_pairs,
                       &task->counts[SELF_ALL], NULL, NULL);
}

static void run_eager(struct self_task *task, int model, int method)
{
    task->counts[method] = 0;
    queries_pose(&task->actors[model]);
    graze_collide_self_eager(task->actors[model].body, GRAZE_SELF_ALL, count_pairs,
                             &task->counts[method], NULL, NULL);
}

static void run_eager_plain(void *user)
{
    run_eager(user, QUERIES_PLAIN, SELF_EAGER_PLAIN);
}

static void run_eager_table(void *user)
{
    run_eager(user, QUERIES_SELF, SELF_EAGER_TABLE);
}

static void find_first(struct self_task *task, queries_actor *actor, int method)
{
    bool hit = false;
    graze_collide_self_first(actor->body, GRAZE_SELF_ALL, &hit, NULL, NULL, NULL);
    task->counts[method] = hit;
}

static void run_first(void *user)
{
    struct self_task *task = user;
    queries_pose(&task->actors[QUERIES_SELF]);
    find_first(task, &task->actors[QUERIES_SELF], SELF_FIRST);
}

/* Without a table nothing is skipped. */
static void run_first_eager(void *user)
{
    struct self_task *task = user;
    queries_pose(&task->actors[QUERIES_PLAIN]);
    graze_body_refit_all(task->actors[QUERIES_PLAIN].body);
    find_first(task, &task->actors[QUERIES_PLAIN], SELF_FIRST_EAGER);
}

static void run_boxes(void *user)
{
    struct self_task *task = user;
    const queries_actor *actor = &task->actors[QUERIES_PLAIN];
    eager_skin(task->boxes, actor->joints, actor->subject->rig->joint_count, NULL);
    eager_refit(task->boxes);
    task->counts[SELF_BOXES] = eager_collide_self(task->boxes, task->pairs, MAX_PAIRS);
}

static const queries_method methods[SELF_WAYS] = {
    [SELF_ALL] = {.name = "graze_collide_self", .run = run_all},
    [SELF_EAGER_PLAIN] = {.name = "eager, neighbours by position", .run = run_eager_plain},
    [SELF_EAGER_TABLE] = {.name = "eager, neighbours by table", .run = run_eager_table},
    [SELF_FIRST] = {.name = "graze_collide_self_first", .run = run_first},
    [SELF_FIRST_EAGER] = {.name = "eager, until the first", .run = run_first_eager},
    [SELF_BOXES] = {.name = "eager boxes, neighbours by position", .run = run_boxes}};

/* All ways must have found the same. */
static bool agree(const struct self_task *task, uint32_t frame)
{
    const size_t *counts = task->counts;
    for (int m = 1; m < (task->boxes ? SELF_WAYS : SELF_BOXES); m++) {
        bool first = m == SELF_FIRST || m == SELF_FIRST_EAGER;
        size_t expected = first ? counts[SELF_ALL] > 0 : counts[SELF_ALL];
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
                          .method_count = task->boxes ? SELF_WAYS : SELF_BOXES,
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
    queries_ratio(&entry, options, SELF_FIRST_EAGER, SELF_FIRST, QUERIES_AT_LEAST, 5);
    if (task->boxes)
        queries_ratio(&entry, options, SELF_BOXES, SELF_ALL, QUERIES_AT_LEAST, 0);
    return true;
}

static bool open_boxes(struct self_task *task, const graze_rig *rig)
{
    graze_model_def def = graze_rig_model_def(rig);
    task->boxes_model = rig->morph_count ? NULL : eager_model_create(&def);
    if (!task->boxes_model)
        return true;
    task->pairs = malloc(MAX_PAIRS * sizeof *task->pairs);
    task->boxes = eager_body_create(task->boxes_model);
    return task->pairs && task->boxes && eager_find_neighbours(task->boxes_model, &def);
}

bool queries_self(const queries_subject *subject, const bench_options *options, uint32_t clips)
{
    struct self_task task = {.counts = {0}};
    uint32_t count = subject->rig->clip_count < clips ? subject->rig->clip_count : clips;
    bool ok = open_boxes(&task, subject->rig);
    if (!ok)
        fprintf(stderr, "graze: %s: out of memory\n", subject->name);
    for (int m = 0; m < QUERIES_MODELS && ok; m++)
        ok = queries_open(&task.actors[m], subject, m);
    for (uint32_t clip = 0; clip < count && ok; clip++)
        ok = measure_clip(subject, options, &task, clip);
    for (int m = 0; m < QUERIES_MODELS; m++)
        queries_close(&task.actors[m]);
    eager_body_destroy(task.boxes);
    eager_model_destroy(task.boxes_model);
    free(task.pairs);
    return ok;
}
