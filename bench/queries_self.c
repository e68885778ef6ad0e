/* Self-collision against posing and refitting everything. */
#include "bench/eager/eager.h"
#include "bench/queries.h"

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

static const queries_method methods[SELF_WAYS] = {
    [SELF_ALL] = {.name = "graze_self_pairs"},
    [SELF_EAGER_PLAIN] = {.name = "eager, neighbours by position", .how = {.method = GRAZE_EAGER}},
    [SELF_EAGER_TABLE] = {.name = "eager, neighbours by table", .how = {.method = GRAZE_EAGER}},
    [SELF_FIRST] = {.name = "graze_self_pairs, any", .how = {.any = true}},
    [SELF_FIRST_EAGER] = {.name = "eager, until the first",
                          .how = {.any = true, .method = GRAZE_EAGER}},
    [SELF_BOXES] = {.name = "eager boxes, neighbours by position"}};

struct self_task {
    queries_actor actors[QUERIES_MODELS];
    eager_model *boxes_model; /* NULL: it cannot do this one */
    eager_body *boxes;
    bench_pair *pairs; /* that it finds */
    size_t counts[SELF_WAYS];
};

/* All pairs or whether there is one. Without a table of neighbours nothing is skipped. */
static void ask(void *user, int way)
{
    struct self_task *task = user;
    bool plain = way == SELF_EAGER_PLAIN || way == SELF_FIRST_EAGER;
    queries_actor *actor = &task->actors[plain ? QUERIES_PLAIN : QUERIES_SELF];
    if (way != SELF_BOXES) {
        queries_pose(actor, 1);
        task->counts[way] = bench_self_pairs(actor->body, NULL, &methods[way].how);
        return;
    }
    eager_skin(task->boxes, actor->joints, actor->subject->rig->joint_count, NULL);
    eager_refit(task->boxes);
    task->counts[way] = eager_collide_self(task->boxes, task->pairs, MAX_PAIRS);
}

/* All ways must have found the same. */
static void agree(const struct self_task *task, uint32_t ways, uint32_t frame)
{
    const size_t *counts = task->counts;
    for (uint32_t m = 1; m < ways; m++) {
        size_t expected = methods[m].how.any ? counts[SELF_ALL] > 0 : counts[SELF_ALL];
        if (counts[m] != expected)
            bench_die("frame %u: %zu self-collisions with %s, not %zu", frame, counts[m],
                      methods[m].name, expected);
    }
}

static void measure_clip(const queries_subject *subject, struct self_task *task, uint32_t clip)
{
    const char *name = subject->rig->clips[clip].name;
    queries_case entry = {.table = "self",
                          .model = subject->name,
                          .name = name && *name ? name : "walk",
                          .methods = methods,
                          .method_count = task->boxes ? SELF_WAYS : SELF_BOXES,
                          .ask = ask,
                          .user = task};
    double pairs = 0;
    uint32_t touching = 0;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        for (int m = 0; m < QUERIES_MODELS; m++)
            queries_sample(&task->actors[m], clip, queries_time(subject, clip, frame));
        queries_measure(&entry);
        agree(task, entry.method_count, frame);
        pairs += task->counts[SELF_ALL];
        touching += task->counts[SELF_ALL] > 0;
    }
    char note[96];
    snprintf(note, sizeof note, "%u of %d frames touch, %.0f pairs a frame", touching,
             QUERIES_FRAMES, pairs / QUERIES_FRAMES);
    queries_print(&entry, note);
    queries_ratio(&entry, SELF_EAGER_PLAIN, SELF_ALL, QUERIES_AT_LEAST, 5);
    queries_ratio(&entry, SELF_EAGER_TABLE, SELF_ALL, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, SELF_FIRST_EAGER, SELF_FIRST, QUERIES_AT_LEAST, 5);
    if (task->boxes)
        queries_ratio(&entry, SELF_BOXES, SELF_ALL, QUERIES_AT_LEAST, 0);
}

void queries_self(const queries_subject *subject, uint32_t clips)
{
    struct self_task task = {.counts = {0}};
    graze_model_def def = graze_rig_model_def(subject->rig);
    task.boxes_model = subject->rig->morph_count ? NULL : eager_model_create(&def);
    if (task.boxes_model) {
        task.pairs = bench_take(MAX_PAIRS, sizeof *task.pairs);
        task.boxes = eager_body_create(task.boxes_model);
        eager_find_neighbours(task.boxes_model, &def);
    }
    for (int m = 0; m < QUERIES_MODELS; m++)
        queries_open(&task.actors[m], 1, subject, m);
    for (uint32_t clip = 0; clip < subject->rig->clip_count && clip < clips; clip++)
        measure_clip(subject, &task, clip);
    queries_close(task.actors, QUERIES_MODELS);
    eager_body_destroy(task.boxes);
    eager_model_destroy(task.boxes_model);
    free(task.pairs);
}
