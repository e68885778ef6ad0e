/* Coherence and budgets: what a history gains from frame to frame, and what taking a query in steps
 * costs.
 */
#include "bench/queries.h"

enum { LAST, NOW, MOMENTS };
enum { WAY_PAIRS, WAY_FIRST, WAY_HISTORY, WAY_STEPS, WAY_COUNT };

struct front_task {
    queries_actor actors[MOMENTS][2];
    queries_method methods[WAY_COUNT];
    graze_budget budget;
    size_t pairs, runs;
    uint64_t tests[WAY_COUNT];
};

static void ask(void *user, int way)
{
    struct front_task *task = user;
    const queries_actor *actors = task->actors[NOW];
    graze_stats stats = {0};
    graze_options how = task->methods[way].how;
    graze_status status;
    how.stats = &stats;
    queries_pose(actors, 2);
    task->pairs = task->runs = 0;
    do {
        graze_pair_list found = {0};
        status = graze_pairs(actors[0].body, actors[1].body, &found, &how, &bench_error);
        task->pairs += found.total;
        task->runs++;
    } while (status == GRAZE_UNFINISHED);
    bench_must(status);
    task->tests[way] = stats.bound_tests;
}

/* The frame before has been asked; nothing of the query. */
static void prepare(void *user, int way)
{
    struct front_task *task = user;
    graze_checkpoint_clear(task->budget.checkpoint);
    if (way == WAY_HISTORY)
        queries_pairs(task->actors[LAST], &task->methods[way].how);
}

static void measure_case(const queries_subject *subject, const char *name, float closer)
{
    const graze_model *model = subject->models[QUERIES_PLAIN];
    graze_history *history;
    struct front_task task = {.budget = {.bound_tests = 100}};
    queries_case entry = {.table = "fronts",
                          .model = subject->name,
                          .name = name,
                          .methods = task.methods,
                          .method_count = WAY_COUNT,
                          .ask = ask,
                          .prepare = prepare,
                          .user = &task};
    double pairs = 0, tests = 0, history_tests = 0, runs = 0;
    bench_must(graze_history_create(model, model, &history, &bench_error));
    bench_must(graze_checkpoint_create(NULL, &task.budget.checkpoint, &bench_error));
    task.methods[WAY_PAIRS] = (queries_method){.name = "graze_pairs"};
    task.methods[WAY_FIRST] = (queries_method){.name = "graze_pairs, any", .how = {.any = true}};
    task.methods[WAY_HISTORY] = (queries_method){.name = "graze_pairs, any, history",
                                                 .how = {.any = true, .history = history}};
    task.methods[WAY_STEPS] = (queries_method){.name = "graze_pairs, budgets of 100 tests",
                                               .how = {.budget = &task.budget}};
    queries_open(task.actors[0], 2 * MOMENTS, subject, QUERIES_PLAIN);
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        queries_stage(task.actors, MOMENTS, NOW, NOW, frame, closer, 0);
        queries_measure(&entry); /* whose last way are steps */
        pairs += task.pairs;
        runs += task.runs;
        tests += task.tests[WAY_FIRST];
        history_tests += task.tests[WAY_HISTORY];
    }
    char note[160];
    snprintf(
        note, sizeof note,
        "%.0f pairs a frame; any: %.0f tests of bounds, %.0f from a history; %.0f runs in steps",
        pairs / QUERIES_FRAMES, tests / QUERIES_FRAMES, history_tests / QUERIES_FRAMES,
        runs / QUERIES_FRAMES);
    queries_print(&entry, note);
    queries_ratio(&entry, WAY_FIRST, WAY_HISTORY, QUERIES_AT_LEAST, 0);
    queries_ratio(&entry, WAY_STEPS, WAY_PAIRS, QUERIES_AT_MOST, 0);
    graze_history_destroy(history);
    graze_checkpoint_destroy(task.budget.checkpoint);
    queries_close(task.actors[0], 2 * MOMENTS);
}

void queries_fronts(const queries_subject *subject)
{
    measure_case(subject, "near, not touching", 0);
    measure_case(subject, "touching", 0.03f);
    measure_case(subject, "deep", 0.15f);
}
