/* What one sphere costs: refitted from the weights, or enlarged (section 3.5). */
#include "bench/bdtree_tables.h"
#include "bench/measure.h"
#include "bench/recorded_poses.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool ignore(void *user, const graze_node_pair *pair)
{
    (void)user;
    (void)pair;
    return true;
}

enum way { WAY_WALK, WAY_REFIT, WAY_COHERENT, WAY_BOUND_ALL, WAY_COUNT };

#define STEPS 32

struct task {
    graze_body *body, *enclosing;
    enum way way;
    uint32_t fields;
    const float (*weights)[RECORDED_MAX_FIELDS]; /* of each step */
    double least[STEPS];                         /* microseconds of each step, over all runs */
    graze_stats stats;
};

static void run_step(struct task *task, uint32_t step)
{
    if (task->way != WAY_WALK)
        graze_body_set_morph_weights(task->body, task->weights[step], task->fields,
                                     task->way == WAY_COHERENT, NULL);
    if (task->way == WAY_BOUND_ALL)
        graze_body_bound_all(task->body);
    else
        graze_collide_bounds(task->body, task->enclosing, ignore, NULL, &task->stats, NULL);
}

/* All steps, every sphere visited in each. */
static void run_task(void *user)
{
    struct task *task = user;
    memset(&task->stats, 0, sizeof task->stats);
    for (uint32_t s = 0; s < STEPS; s++) {
        double start = bench_now();
        run_step(task, s);
        task->least[s] = fmin(task->least[s], bench_now() - start);
    }
}

/* Weights of consecutive frames in the middle of the clip, forth and back: the last one is the
 * first, so that runs follow each other without a jump.
 */
static bool sample(const graze_rig *rig, double fps, float (*weights)[RECORDED_MAX_FIELDS])
{
    for (uint32_t s = 0; s < STEPS; s++) {
        uint32_t frame = s < STEPS / 2 ? s : STEPS - 1 - s;
        if (graze_rig_sample(rig, 0, 0.5 * rig->clips[0].seconds + frame / fps, NULL, weights[s]))
            return false;
    }
    return true;
}

static void print_row(const bench_options *options, const char *model, const char *refit,
                      double fps, double nodes, const struct task *coherent, const double *us)
{
    double visits = nodes * STEPS, enlarged = (double)coherent->stats.nodes_enlarged / visits;
    double walk = us[WAY_WALK] * 1e3 / visits, all = us[WAY_BOUND_ALL] * 1e3 / visits;
    double refitted = us[WAY_REFIT] * 1e3 / visits - walk;
    double mixed = us[WAY_COHERENT] * 1e3 / visits - walk;
    if (options->json)
        printf("{\"table\":\"bdtree_updates\",\"model\":\"%s\",\"fields\":%u,\"refit\":\"%s\","
               "\"fps\":%.0f,\"ns_bound_all\":%.2f,\"ns_refit\":%.2f,\"ns_coherent\":%.2f,"
               "\"share_enlarged\":%.4f,\"ns_walk\":%.2f,\"walk_gain\":%.3f}\n",
               model, coherent->fields, refit, fps, all, refitted, mixed, enlarged, walk,
               us[WAY_REFIT] / us[WAY_COHERENT]);
    else
        printf("  %-8s %3u %-22s %7.0f %11.1f %11.1f %11.1f %9.1f%% %7.2f %9.1f %9.2f\n", model,
               coherent->fields, refit, fps, all, refitted, mixed, 100 * enlarged, refitted / mixed,
               walk, us[WAY_REFIT] / us[WAY_COHERENT]);
}

static bool measure(const bench_options *options, struct stage *stage, const char *model,
                    uint32_t tree, graze_body *enclosing, double fps)
{
    static const char *refits[2] = {"the paper's formulas", "our way"};
    float weights[STEPS][RECORDED_MAX_FIELDS];
    struct task tasks[WAY_COUNT];
    bench_method methods[WAY_COUNT];
    bench_samples samples[WAY_COUNT];
    double us[WAY_COUNT];
    graze_body *body = stage->bodies[tree][0];
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    memset(samples, 0, sizeof samples);
    if (info.morph_count > RECORDED_MAX_FIELDS || !sample(stage->scene->rigs[0], fps, weights))
        return false;
    for (int w = 0; w < WAY_COUNT; w++) {
        tasks[w] = (struct task){.body = body,
                                 .enclosing = enclosing,
                                 .way = (enum way)w,
                                 .weights = (const float(*)[RECORDED_MAX_FIELDS])weights,
                                 .fields = info.morph_count};
        for (int s = 0; s < STEPS; s++)
            tasks[w].least[s] = INFINITY;
        methods[w] = (bench_method){"", run_task, &tasks[w]};
    }
    /* Cold starts of the coherent way do not count: each run of it begins where the other ended. */
    bench_interleave(methods, WAY_COUNT, options->rounds, samples);
    for (int w = 0; w < WAY_COUNT; w++) {
        us[w] = 0;
        for (int s = 0; s < STEPS; s++)
            us[w] += tasks[w].least[s];
    }
    const graze_stats *seen = &tasks[WAY_COHERENT].stats;
    if (seen->nodes_refit + seen->nodes_enlarged != (uint64_t)info.node_count * STEPS) {
        fprintf(stderr, "graze: %s: %llu spheres visited, not %llu\n", model,
                (unsigned long long)(seen->nodes_refit + seen->nodes_enlarged),
                (unsigned long long)info.node_count * STEPS);
        return false;
    }
    print_row(options, model, refits[tree], fps, info.node_count, &tasks[WAY_COHERENT], us);
    return true;
}

bool bdtree_updates(const bench_options *options)
{
    static const struct {
        const char *scene, *model;
    } subjects[2] = {{"chairs", "chair"}, {"curtain", "curtain"}};
    static const double fps[3] = {30, 1000, 30000};
    graze_model *model = NULL;
    graze_body *enclosing = NULL;
    /* A query against a sphere that holds everything visits every node of a tree. */
    static const float origin[3] = {0, 0, 0};
    bool ok = bdtree_make_sphere(origin, 100, &model, &enclosing);
    if (ok && !options->json)
        printf(
            "\ncost of updating one sphere, ns, every sphere visited (paper, 10 fields: 750 ns)\n"
            "  %-8s %3s %-22s %7s %11s %11s %11s %10s %7s %9s %9s\n",
            "", "M", "", "frames/s", "all at once", "lazy refit", "coherent", "enlarged", "gain",
            "walk only", "walk gain");
    for (int i = 0; ok && i < 2; i++) {
        struct stage stage;
        ok = bdtree_open(&stage, subjects[i].scene, 2);
        if (!ok)
            break;
        for (uint32_t t = 0; ok && t < 2; t++)
            for (int f = 0; ok && f < 3; f++)
                ok = measure(options, &stage, subjects[i].model, t, enclosing, fps[f]);
        stage_close(&stage);
        fflush(stdout);
    }
    graze_body_destroy(enclosing);
    graze_model_destroy(model);
    return ok;
}
