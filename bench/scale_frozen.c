/* What deforming costs: the query of a posture that only moves, on the same tree. */
#include "bench/scale.h"

enum { FRAMES = 5 };
enum { LAZY, RIGID, AGAIN, WAYS };

typedef struct frozen_task {
    pair_bench pair;
    graze_body *bodies[2]; /* frozen where the clip puts them; their placement moves them */
    size_t pairs[WAYS];
} frozen_task;

/* A rigid one has one matrix that moves the posture. Again, what the query before has computed is
 * still there: only comparing is left.
 */
static void ask(void *user, int way)
{
    frozen_task *task = user;
    const queries_actor *actors = task->pair.actors;
    graze_body *bodies[2] = {actors[0].body, actors[1].body};
    for (int i = 0; i < 2 && way == RIGID; i++) {
        bodies[i] = task->bodies[i];
        bench_pose(bodies[i], bench_identity, 1, actors[i].placed ? actors[i].placement : NULL);
    }
    if (way == LAZY)
        queries_pose(actors, 2);
    task->pairs[way] = bench_pairs(bodies[0], bodies[1], NULL);
}

static void prepare(void *user, int way)
{
    if (way == AGAIN)
        ask(user, LAZY);
}

static void freeze(frozen_task *task)
{
    for (int i = 0; i < 2; i++) {
        const queries_actor *actor = &task->pair.actors[i];
        graze_model *model = NULL;
        bench_pose(actor->body, actor->joints, actor->subject->rig->joint_count, NULL);
        bench_must(graze_body_freeze(actor->body, &model, &bench_error));
        graze_body_destroy(task->bodies[i]);
        task->bodies[i] = bench_make_body(model);
        graze_model_destroy(model);
    }
}

static void measure_frozen(frozen_task *task, const char *name, pair_place place)
{
    static const queries_method methods[WAYS] = {
        [LAZY] = {.name = "pose and query"},
        [RIGID] = {.name = "frozen: one matrix and query"},
        [AGAIN] = {.name = "query again in the same pose"}};
    queries_case entry = {.table = "frozen",
                          .model = task->pair.subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = WAYS,
                          .ask = ask,
                          .prepare = prepare,
                          .user = task};
    double sums[WAYS] = {0};
    char note[128];
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (!pair_stage(&task->pair, place, frame, FRAMES, NULL))
            bench_die("%s: they never get there", name);
        freeze(task);
        queries_measure(&entry);
        for (int m = 0; m < WAYS; m++)
            sums[m] += (double)task->pairs[m] / FRAMES;
    }
    snprintf(note, sizeof note, "%.1f pairs, %.1f frozen (rounded elsewhere)", sums[LAZY],
             sums[RIGID]);
    if (!asked.json)
        queries_print(&entry, note);
    queries_ratio(&entry, LAZY, RIGID, QUERIES_AT_MOST, 1.25);
    queries_ratio(&entry, LAZY, AGAIN, QUERIES_AT_MOST, 0);
    for (int m = 0; m < WAYS; m++)
        scale_write("frozen", 50000, name, methods[m].name, "us",
                    (bench_time){bench_middle(&entry.least[m]), bench_middle(&entry.middle[m])},
                    sums[m]);
}

void scale_frozen(void)
{
    static frozen_task task;
    queries_subject subject;
    scale_open_creatures(&subject, &task.pair);
    measure_frozen(&task, "near", PAIR_NEAR);
    measure_frozen(&task, "touching", PAIR_TOUCHING);
    measure_frozen(&task, "deep", PAIR_DEEP);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(task.bodies[i]);
    pair_close(&task.pair);
    queries_close_subject(&subject);
}
