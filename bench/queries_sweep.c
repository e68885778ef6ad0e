/* Continuous collision between frames 1/30 s apart, against the discrete query at their end. */
#include "bench/queries.h"

enum { BEFORE, START, END, MOMENTS };

/* Two instances at three moments: the frame before only fills caches that a caller who swaps his
 * bodies still has.
 */
struct sweep_task {
    queries_actor actors[MOMENTS][2];
    graze_impact impact;
    size_t found[6]; /* pairs or impacts, by the last run of each way */
};

enum { WAY_PAIRS, WAY_FIRST, WAY_SWEEP, WAY_COLD, WAY_NEW, WAY_ALL, WAY_COUNT };

static const queries_method methods[WAY_COUNT] = {
    [WAY_PAIRS] = {.name = "graze_pairs"},
    [WAY_FIRST] = {.name = "graze_pairs, any", .how = {.any = true}},
    [WAY_SWEEP] = {.name = "graze_sweep, start kept"},
    [WAY_COLD] = {.name = "graze_sweep, nothing kept"},
    [WAY_NEW] = {.name = "graze_sweep, only new, start kept", .how = {.only_new = true}},
    [WAY_ALL] = {.name = "graze_sweep_all, start kept"}};

/* From one moment to the next; all impacts are counted. */
static size_t sweep(struct sweep_task *task, int start, int way, graze_impact *impact)
{
    graze_motion motions[2];
    graze_impact_list all = {0};
    for (int i = 0; i < 2; i++)
        motions[i] = (graze_motion){.start = task->actors[start][i].body,
                                    .end = task->actors[start + 1][i].body};
    if (way == WAY_ALL)
        bench_must(graze_sweep_all(&motions[0], &motions[1], &all, NULL, &bench_error));
    else
        bench_must(graze_sweep(&motions[0], &motions[1], impact, &methods[way].how, &bench_error));
    return all.total;
}

static void ask(void *user, int way)
{
    struct sweep_task *task = user;
    graze_impact impact;
    if (way <= WAY_FIRST) {
        task->found[way] = queries_pairs(task->actors[END], &methods[way].how);
        return;
    }
    if (way == WAY_COLD)
        queries_pose(task->actors[START], 2);
    queries_pose(task->actors[END], 2);
    task->found[way] = sweep(task, START, way, way == WAY_SWEEP ? &task->impact : &impact);
}

/* The frame before is swept, its end is our start. */
static void prepare(void *user, int way)
{
    struct sweep_task *task = user;
    graze_impact impact;
    if (way <= WAY_FIRST || way == WAY_COLD)
        return;
    queries_pose(task->actors[BEFORE], 2);
    queries_pose(task->actors[START], 2);
    sweep(task, BEFORE, way == WAY_NEW ? WAY_NEW : WAY_SWEEP, &impact);
}

static void measure_case(const queries_subject *subject, const char *name, float closer,
                         float closing)
{
    struct sweep_task task = {.found = {0}};
    queries_case entry = {.table = "sweep",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = WAY_COUNT,
                          .ask = ask,
                          .prepare = prepare,
                          .user = &task};
    uint32_t hits = 0, initial = 0, meet = 0;
    double pairs = 0, impacts = 0;
    queries_open(task.actors[0], 2 * MOMENTS, subject, QUERIES_PLAIN);
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        queries_stage(task.actors, MOMENTS, START, END, frame, closer, closing);
        queries_measure(&entry);
        hits += task.impact.found;
        initial += task.impact.initial;
        meet += task.found[WAY_FIRST] > 0;
        pairs += task.found[WAY_PAIRS];
        impacts += task.found[WAY_ALL];
    }
    char note[160];
    snprintf(note, sizeof note,
             "of %d frames %u have impacts, %u at the start, %u meet at the end; %.0f impacts, "
             "%.0f pairs at the end",
             QUERIES_FRAMES, hits, initial, meet, impacts / QUERIES_FRAMES, pairs / QUERIES_FRAMES);
    queries_print(&entry, note);
    queries_ratio(&entry, WAY_SWEEP, WAY_PAIRS, QUERIES_AT_MOST, 3);
    for (uint32_t way = WAY_COLD; way <= WAY_ALL; way++)
        queries_ratio(&entry, way, WAY_PAIRS, QUERIES_AT_MOST, 0);
    queries_close(task.actors[0], 2 * MOMENTS);
}

void queries_sweep(const queries_subject *subject)
{
    measure_case(subject, "near", 0, 0);
    measure_case(subject, "closing in", 0, 0.02f);
    measure_case(subject, "touching", 0.03f, 0);
}
