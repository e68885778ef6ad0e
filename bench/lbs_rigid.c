/* Where the time of a lazy query goes, and what it costs beside a rigid one: with all bounds there,
 * with everything there, frozen in the posture with the same tree, and with a tree built anew for
 * the posture, as in section 5.
 */
#include "bench/lbs_tables.h"

enum { LAZY, BOUNDED, READY, FROZEN, REBUILT, WAYS };

typedef struct rigid_task {
    struct stage stage;
    graze_body *frozen[2], *rebuilt[2];
    size_t hits[WAYS];
    graze_stats stats[WAYS];
} rigid_task;

/* Sums over the frames. */
typedef struct rigid_sums {
    double us[WAYS], nodes[WAYS], tests[WAYS], vertices[WAYS], triangles[WAYS];
    double pairs, frames, build_ms; /* of both trees that were built anew */
} rigid_sums;

/* Rigid bodies of the present positions: of the same tree, and of one of their own. */
static void open_frame(rigid_task *task, rigid_sums *sums)
{
    const struct stage *stage = &task->stage;
    for (uint32_t b = 0; b < 2; b++) {
        const graze_rig *rig = stage->scene->rigs[stage->scene->instances[b].rig];
        float *positions = bench_take(rig->vertex_count, 3 * sizeof *positions);
        const graze_model_def def = {.positions = positions,
                                     .vertex_count = rig->vertex_count,
                                     .triangles = rig->triangles,
                                     .triangle_count = rig->triangle_count,
                                     .joint_count = 1,
                                     .tree = stage->trees[0]};
        graze_model *model;
        bench_expect(stage_freeze(stage->bodies[0][b], &model, &task->frozen[b]));
        graze_model_destroy(model);
        graze_body_get_positions(stage->bodies[0][b], positions);
        double start = bench_now();
        model = bench_make_model(&def);
        sums->build_ms += (bench_now() - start) * 1e-3;
        task->rebuilt[b] = bench_make_body(model);
        graze_model_destroy(model);
        free(positions);
    }
}

static void ask(rigid_task *task, int way)
{
    graze_body **bodies = way == FROZEN    ? task->frozen
                          : way == REBUILT ? task->rebuilt
                                           : task->stage.bodies[0];
    const graze_options how = {.stats = &task->stats[way]};
    task->stats[way] = (graze_stats){0};
    if (way == LAZY)
        stage_pose(&task->stage, 0);
    task->hits[way] = bench_pairs(bodies[0], bodies[1], &how);
}

/* Everything that a run finds ready, which is not measured. */
static void make_ready(rigid_task *task, int way)
{
    if (way == READY)
        ask(task, LAZY);
    if (way != BOUNDED)
        return;
    stage_pose(&task->stage, 0);
    for (int b = 0; b < 2; b++)
        graze_body_bound_all(task->stage.bodies[0][b]);
}

/* The first run of a round only warms up. */
static void measure_frame(rigid_task *task, rigid_sums *sums)
{
    double least[WAYS];
    for (uint32_t round = 0; round < asked.rounds; round++)
        for (int w = 0; w < WAYS; w++)
            for (int turn = 0; turn < 2; turn++) {
                make_ready(task, w);
                double start = bench_now();
                ask(task, w);
                double us = bench_now() - start;
                if (turn)
                    least[w] = round ? fmin(least[w], us) : us;
            }
    for (int w = 0; w < WAYS; w++) {
        const graze_stats *stats = &task->stats[w];
        sums->us[w] += least[w];
        sums->nodes[w] += stats->nodes_refit;
        sums->tests[w] += stats->bound_tests;
        sums->vertices[w] += stats->vertices_posed;
        sums->triangles[w] += stats->triangle_tests;
        if (task->hits[w] != task->hits[0])
            bench_die("rigid: run %d finds %zu pairs, not %zu", w, task->hits[w], task->hits[0]);
    }
    sums->pairs += task->hits[0];
    sums->frames++;
}

static void print_rows(const char *scene, const rigid_sums *sums)
{
    static const char *names[WAYS] = {"lazy", "all bounds ready", "everything ready",
                                      "rigid, same tree", "rigid, tree built anew"};
    double n = sums->frames;
    for (int w = 0; w < WAYS; w++)
        bench_row("lbs_rigid",
                  "scene:%s :%-20s run:%s:%-24s us:%.3f:%9.2f lazy_to_this:%.3f:%7.2f "
                  "pairs:%.1f:%7.1f nodes_refit:%.1f:%9.0f bound_tests:%.1f:%9.0f "
                  "vertices_posed:%.1f:%9.0f triangle_tests:%.1f:%9.0f",
                  ROW_TEXTS(scene, w ? "" : scene, names[w]),
                  ROW_NUMBERS(sums->us[w] / n, sums->us[LAZY] / sums->us[w], sums->pairs / n,
                              sums->nodes[w] / n, sums->tests[w] / n, sums->vertices[w] / n,
                              sums->triangles[w] / n));
    bench_say("  %-20s %-24s %9.0f\n", "", "(building both trees)", 1e3 * sums->build_ms / n);
}

static void compare_rigid(const char *name, uint32_t step, uint32_t frames)
{
    static rigid_task task;
    const graze_tree_def tree = lbs_tree_def(LBS_SPHERES);
    rigid_sums sums = {.frames = 0};
    stages_open(&task.stage, name, &tree, NULL, 1);
    for (uint32_t f = 0; f < task.stage.scene->frame_count && f < frames; f += step) {
        stages_pose(&task.stage, f, 0);
        open_frame(&task, &sums);
        measure_frame(&task, &sums);
        for (int b = 0; b < 2; b++) {
            graze_body_destroy(task.frozen[b]);
            graze_body_destroy(task.rebuilt[b]);
        }
    }
    stage_close(&task.stage);
    print_rows(name, &sums);
}

void lbs_rigid(void)
{
    static const char *dwarves[] = {"dwarves-touching-0", "dwarves-touching-1",
                                    "dwarves-touching-2", "dwarves-touching-3"};
    bench_say("\nwhere the time goes, paper's tree, our way: what is ready is not measured (paper, "
              "dwarves: lazy / rigid with a tree built\nanew 1.33 / 0.7 ms = 1.9, building it "
              "1,549 ms)\n  %-20s %-24s %9s %7s %7s %9s %9s %9s %9s\n",
              "", "", "us", "lazy /", "pairs", "refitted", "tests", "vertices", "triangles");
    for (int level = 0; level < 4; level++)
        compare_rigid(dwarves[level], 1, 1);
    compare_rigid("creatures", 8, UINT32_MAX);
    compare_rigid("creatures-aside", 8, UINT32_MAX);
    compare_rigid("men", 6, UINT32_MAX);
}
