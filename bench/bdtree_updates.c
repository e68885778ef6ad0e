/* What one sphere costs: refitted from the weights, or enlarged (section 3.5). */
#include "bench/bdtree_tables.h"

enum { WALK, REFIT, COHERENT, BOUND_ALL, WAYS };

enum { STEPS = 32, MOST_FIELDS = 16 };

typedef struct update_task {
    graze_body *body, *enclosing;
    uint32_t fields;
    float weights[STEPS][MOST_FIELDS]; /* of each step */
    double least[WAYS][STEPS];         /* microseconds of each step, over all runs */
    graze_stats stats[WAYS];
} update_task;

/* All steps, every sphere visited in each. */
static void ask(void *user, int way)
{
    update_task *task = user;
    task->stats[way] = (graze_stats){0};
    for (uint32_t s = 0; s < STEPS; s++) {
        double start = bench_now();
        if (way != WALK)
            graze_body_set_morph_weights(task->body, task->weights[s], task->fields,
                                         way == COHERENT, NULL);
        if (way == BOUND_ALL)
            graze_body_bound_all(task->body);
        else
            bench_bound_pairs(task->body, task->enclosing, &task->stats[way]);
        task->least[way][s] = fmin(task->least[way][s], bench_now() - start);
    }
}

/* Weights of consecutive frames in the middle of the clip, forth and back: the last one is the
 * first, so that runs follow each other without a jump.
 */
static void sample(const graze_rig *rig, double fps, update_task *task)
{
    for (uint32_t s = 0; s < STEPS; s++) {
        uint32_t frame = s < STEPS / 2 ? s : STEPS - 1 - s;
        bench_must(graze_rig_sample(rig, 0, 0.5 * rig->clips[0].seconds + frame / fps, NULL,
                                    task->weights[s]));
        for (int w = 0; w < WAYS; w++)
            task->least[w][s] = INFINITY;
    }
}

static void measure(struct stage *stage, const char *model, uint32_t tree, graze_body *enclosing,
                    double fps)
{
    static const char *refits[2] = {"the paper's formulas", "our way"};
    static update_task task;
    graze_body *body = stage->bodies[tree][0];
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    double ns[WAYS] = {0}, visits = (double)info.node_count * STEPS;
    bench_time times[WAYS];
    task = (update_task){.body = body, .enclosing = enclosing, .fields = info.morph_count};
    if (info.morph_count > MOST_FIELDS)
        bench_die("%s: too many fields", model);
    sample(stage->scene->rigs[0], fps, &task);
    /* Cold starts of the coherent way do not count: each run of it begins where the other ended. */
    bench_interleave(ask, &task, WAYS, asked.rounds, times);
    for (int i = 0; i < WAYS * STEPS; i++)
        ns[i / STEPS] += task.least[i / STEPS][i % STEPS] * 1e3 / visits;
    const graze_stats *seen = &task.stats[COHERENT];
    if (seen->nodes_refit + seen->nodes_enlarged != visits)
        bench_die("%s: %llu spheres visited, not %.0f", model,
                  (unsigned long long)(seen->nodes_refit + seen->nodes_enlarged), visits);
    double enlarged = seen->nodes_enlarged / visits;
    double refitted = ns[REFIT] - ns[WALK], mixed = ns[COHERENT] - ns[WALK];
    bench_row("bdtree_updates",
              "model:%s:%-8s fields:%.0f:%3.0f refit:%s:%-22s fps:%.0f:%7.0f "
              "ns_bound_all:%.2f:%11.1f ns_refit:%.2f:%11.1f ns_coherent:%.2f:%11.1f "
              "share_enlarged:%.4f :%9.1f%% :%7.2f ns_walk:%.2f:%9.1f walk_gain:%.3f:%9.2f",
              ROW_TEXTS(model, refits[tree]),
              ROW_NUMBERS(task.fields, fps, ns[BOUND_ALL], refitted, mixed, enlarged,
                          100 * enlarged, refitted / mixed, ns[WALK], ns[REFIT] / ns[COHERENT]));
}

void bdtree_updates(void)
{
    static const struct {
        const char *scene, *model;
    } subjects[2] = {{"chairs", "chair"}, {"curtain", "curtain"}};
    static const double fps[3] = {30, 1000, 30000};
    static const float origin[3] = {0, 0, 0};
    /* A query against a sphere that holds everything visits every node of a tree. */
    graze_body *enclosing = bdtree_make_sphere(origin, 100);
    bench_say("\ncost of updating one sphere, ns, every sphere visited (paper, 10 fields: 750 ns)\n"
              "  %-8s %3s %-22s %7s %11s %11s %11s %10s %7s %9s %9s\n",
              "", "M", "", "frames/s", "all at once", "lazy refit", "coherent", "enlarged", "gain",
              "walk only", "walk gain");
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        bdtree_open(&stage, subjects[i].scene, 2);
        for (uint32_t t = 0; t < 2; t++)
            for (int f = 0; f < 3; f++)
                measure(&stage, subjects[i].model, t, enclosing, fps[f]);
        stage_close(&stage);
    }
    graze_body_destroy(enclosing);
}
