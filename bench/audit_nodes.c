/* A library shared by many nodes, simulated from tasks that were measured: a task is a file with
 * one clip, loaded, built and audited. Shares are those of graze audit --shard, by what a plan says
 * that clips cost. Scheduler, network and disk take no time here.
 */
#include "bench/audit.h"
#include "cli/audit_store.h"

#include <unistd.h>

enum { MOST_TASKS = 64, CLIPS = 100000 };

typedef struct task {
    double cost;    /* frames times triangles, as a plan has it */
    double seconds; /* measured */
} task;

/* ---- measuring ------------------------------------------------------------------------------ */

static double measure_clip(const audit_scene *scene, uint32_t clip)
{
    double least = INFINITY;
    for (int round = 0; round < 3; round++) {
        graze_audit_result result;
        double start = bench_processor();
        bench_must(graze_audit_clip(scene->subject, clip, NULL, NULL, &result, &bench_error));
        least = fmin(least, bench_processor() - start);
        graze_audit_result_free(&result);
    }
    return least / 1e6;
}

static uint32_t measure_model(const char *name, const queries_motion *motion, task *tasks,
                              uint32_t count)
{
    audit_scene scene;
    char path[] = "/tmp/graze-audit-XXXXXX.glb";
    audit_scene_open(&scene, name, motion);
    audit_scene_save(&scene, path);
    audit_scene_close(&scene);
    double start = bench_processor();
    audit_scene_open(&scene, path, NULL);
    const double opened = (bench_processor() - start) / 1e6;
    const graze_rig *rig = scene.character.rig;
    for (uint32_t clip = 0; clip < rig->clip_count && count < MOST_TASKS; clip++) {
        const uint32_t frames = graze_audit_frames(rig, clip, 30);
        tasks[count] = (task){.cost = (double)frames * rig->triangle_count,
                              .seconds = opened + measure_clip(&scene, clip)};
        char method[80];
        snprintf(method, sizeof method, "task, clip %s",
                 rig->clips[clip].name ? rig->clips[clip].name : "dance");
        bench_row("audit",
                  "model:%s:%-24s method:%s:%-24s ms:%.3f:%9.1f ms_median:%.3f ratio:%.3f "
                  "pairs:%.0f cost:%.0f:%12.0f opened_ms:%.3f:%9.1f",
                  ROW_TEXTS(name, method),
                  ROW_NUMBERS(1000 * tasks[count].seconds, NAN, NAN, NAN, tasks[count].cost,
                              1000 * opened));
        count++;
    }
    audit_scene_close(&scene);
    unlink(path);
    return count;
}

/* ---- simulating ----------------------------------------------------------------------------- */

static int by_cost(const void *left, const void *right)
{
    const task *x = left, *y = right;
    return (x->cost < y->cost) - (x->cost > y->cost);
}

/* What the busiest node does, over what it would do if all had the same. */
static void simulate(const task *clips, uint32_t count, uint32_t nodes, bool planned)
{
    double *loads = bench_take(nodes, sizeof *loads), *costs = bench_take(count, sizeof *costs);
    uint32_t *takers = bench_take(count, sizeof *takers);
    double total = 0, longest = 0;
    char model[64];
    for (uint32_t i = 0; i < count; i++)
        costs[i] = clips[i].cost;
    if (planned)
        audit_deal(costs, count, nodes, takers);
    for (uint32_t i = 0; i < count; i++) {
        double *load = &loads[planned ? takers[i] : i % nodes];
        *load += clips[i].seconds;
        total += clips[i].seconds;
        longest = fmax(longest, *load);
    }
    snprintf(model, sizeof model, "%u clips on %u nodes", count, nodes);
    bench_row("audit",
              "model:%s:%-28s method:%s:%-18s ms:%.3f ms_median:%.3f ratio:%.4f:%9.3f pairs:%.0f "
              "total_s:%.3f:%12.1f longest_s:%.4f:%9.2f",
              ROW_TEXTS(model, planned ? "shares of a plan" : "every Nth file"),
              ROW_NUMBERS(1000 * longest, NAN, total / (nodes * longest), NAN, total, longest));
    free(loads);
    free(costs);
    free(takers);
}

void audit_bench_nodes(void)
{
    static const struct {
        const char *kind;
        uint32_t triangles;
        const queries_motion *motion;
    } models[] = {{"player", 3000, NULL},       {"dwarf", 1664, NULL},
                  {"man", 8270, NULL},          {"creature", 13590, NULL},
                  {"man", 28272, &audit_dance}, {"creature", 50000, NULL}};
    const uint32_t count = asked.count ? asked.count : CLIPS;
    task tasks[MOST_TASKS], *clips = bench_take(count, sizeof *clips);
    uint32_t task_count = 0, state = 1;
    bench_say("\nTasks, a file with one clip each: milliseconds of processor time with loading and "
              "building the model (the last\ncolumn), and the cost in a plan.\n");
    for (size_t i = 0; i < COUNT_OF(models); i++) {
        char name[64];
        audit_scene_name(name, models[i].kind, models[i].triangles);
        task_count = measure_model(name, models[i].motion, tasks, task_count);
    }
    bench_say("\nSimulated: %u clips, each one of these tasks, drawn at random. Efficiency is the "
              "time of all of them over nodes\ntimes the longest; then seconds in all, and of the "
              "busiest node. Starting a job takes no time here.\n",
              count);
    for (uint32_t i = 0; i < count; i++)
        clips[i] = tasks[(uint32_t)(bench_random(&state) * (float)task_count) % task_count];
    for (uint32_t nodes = 10; nodes <= 1000; nodes *= 10)
        simulate(clips, count, nodes, false);
    qsort(clips, count, sizeof *clips, by_cost);
    for (uint32_t nodes = 10; nodes <= 1000; nodes *= 10)
        simulate(clips, count, nodes, true);
    free(clips);
}
