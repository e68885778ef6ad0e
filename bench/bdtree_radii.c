/* How much spheres grow: R'/R over the curtain scene, and the decay of a chair's deviations from
 * level to level (section 3.3).
 */
#include "bench/bdtree_tables.h"

/* The radius of every node as the body is now. */
static double *radii_of(graze_body *body)
{
    uint32_t nodes = bench_nodes(body);
    double *radii = bench_take(nodes, sizeof *radii);
    graze_body_bound_all(body);
    for (uint32_t n = 0; n < nodes; n++)
        radii[n] = bench_view(body, n, GRAZE_NODE_CURRENT).radius;
    return radii;
}

typedef struct growth {
    double visited, all, to_best; /* sums of R'/R, of R'/R and of R'/best */
    double visited_count, all_count, best_count;
} growth;

/* Adds the nodes of a body after a query. */
static void add_growth(graze_body *body, const double *rest, growth *sums)
{
    uint32_t nodes = bench_nodes(body);
    bool *visited = bench_take(nodes, sizeof *visited);
    for (uint32_t n = 0; n < nodes; n++)
        visited[n] = bench_view(body, n, GRAZE_NODE_CURRENT).was_refitted;
    double *radii = radii_of(body);
    for (uint32_t n = 0; n < nodes; n++) {
        sums->all += radii[n] / rest[n];
        sums->visited += visited[n] ? radii[n] / rest[n] : 0;
        sums->visited_count += visited[n];
    }
    sums->all_count += nodes;
    free(radii);
    free(visited);
}

/* Adds how far the spheres are from the best possible ones. */
static void add_best(graze_body *body, growth *sums)
{
    double *radii = radii_of(body);
    for (uint32_t n = 0; n < bench_nodes(body); n++) {
        double best = bench_view(body, n, GRAZE_NODE_BEST).radius;
        sums->to_best += best > 0 ? radii[n] / best : 0;
        sums->best_count += best > 0;
    }
    free(radii);
}

static growth grow(struct stage *stage, uint32_t tree)
{
    enum { BEST_STEP = 22 }; /* the best spheres take long */
    graze_body **bodies = stage->bodies[tree];
    double *rest = radii_of(bodies[0]);
    growth sums = {0};
    for (uint32_t f = 0; f < stage->scene->frame_count; f++) {
        stages_pose(stage, f, tree);
        bench_pairs(bodies[0], bodies[1], NULL);
        add_growth(bodies[0], rest, &sums);
        if (f % BEST_STEP == BEST_STEP / 2)
            add_best(bodies[0], &sums);
    }
    free(rest);
    return sums;
}

void bdtree_growth(void)
{
    static const char *names[2] = {"the paper's formulas", "our way"};
    struct stage stage;
    bdtree_open(&stage, "curtain", 2);
    bench_say("\nhow spheres of the curtain grow over the scene: deformed radius by radius at "
              "rest (paper 1.51), and by the best possible\n  %-24s %12s %12s %12s\n",
              "", "visited R'/R", "all R'/R", "all R'/best");
    for (uint32_t t = 0; t < 2; t++) {
        const growth sums = grow(&stage, t);
        bench_row("bdtree_growth",
                  "refit:%s:%-24s visited:%.4f:%12.3f all:%.4f:%12.3f to_best:%.4f:%12.3f",
                  ROW_TEXTS(names[t]),
                  ROW_NUMBERS(sums.visited / sums.visited_count, sums.all / sums.all_count,
                              sums.to_best / sums.best_count));
    }
    stage_close(&stage);
}

typedef struct decay {
    double deviation, rest; /* sums of |dR| and R */
    uint32_t count;
} decay;

/* A unit weight of one field alone makes a sphere grow by that field's deviation in it. */
static void measure_decay(graze_body *body, decay *levels)
{
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    float *weights = bench_take(info.morph_count, sizeof *weights);
    double *squares = bench_take(info.node_count, sizeof *squares), *rest = radii_of(body);
    for (uint32_t m = 0; m < info.morph_count; m++) {
        weights[m] = 1;
        bench_must(
            graze_body_set_morph_weights(body, weights, info.morph_count, false, &bench_error));
        weights[m] = 0;
        double *grown = radii_of(body);
        for (uint32_t n = 0; n < info.node_count; n++)
            squares[n] += (grown[n] - rest[n]) * (grown[n] - rest[n]);
        free(grown);
    }
    for (uint32_t n = 0; n < info.node_count; n++) {
        decay *level = &levels[bench_view(body, n, GRAZE_NODE_CURRENT).level];
        level->deviation += sqrt(squares[n]);
        level->rest += rest[n];
        level->count++;
    }
    free(weights);
    free(squares);
    free(rest);
}

void bdtree_decay(void)
{
    static const double paper[19] = {1.000, 0.684, 0.575, 0.399, 0.252, 0.167, 0.110,
                                     0.080, 0.057, 0.041, 0.030, 0.022, 0.017, 0.016,
                                     0.015, 0.013, 0.007, 0.004, 0.003};
    struct stage stage;
    decay levels[STAGES_LEVELS] = {0};
    bdtree_open(&stage, "chairs", 1);
    measure_decay(stage.bodies[BDTREE_PAPER][0], levels);
    stage_close(&stage);
    bench_say("\nmean |dR| of the chair's spheres per level, the root's as 1\n  %5s %8s %9s %9s "
              "%12s\n",
              "level", "spheres", "ours", "paper", "mean R, m");
    for (int l = 0; levels[l].count; l++) {
        double count = levels[l].count;
        bench_row("bdtree_decay",
                  "level:%.0f:%5.0f spheres:%.0f:%8.0f ours:%.5f:%9.4f :%9.3f radius:%.6g:%12.4f",
                  NULL,
                  ROW_NUMBERS(l, count, levels[l].deviation / count / levels[0].deviation,
                              l < 19 ? paper[l] : NAN, levels[l].rest / count));
    }
}
