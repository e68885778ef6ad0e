/* How much spheres grow: R'/R over the curtain scene, and the decay of a chair's deviations from
 * level to level (section 3.3).
 */
#include "bench/bdtree_tables.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool view(graze_body *body, uint32_t node, graze_node_bound which, graze_node_view *into)
{
    if (!graze_body_view_node(body, node, which, into))
        return true;
    fprintf(stderr, "graze: out of memory\n");
    return false;
}

/* The radius of every node as the body is now, or NULL. */
static double *radii_of(graze_body *body)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    double *radii = malloc(nodes * sizeof *radii);
    graze_body_bound_all(body);
    for (uint32_t n = 0; radii && n < nodes; n++) {
        graze_node_view seen;
        if (!view(body, n, GRAZE_NODE_CURRENT, &seen)) {
            free(radii);
            return NULL;
        }
        radii[n] = seen.radius;
    }
    return radii;
}

typedef struct growth {
    double visited, all, to_best; /* sums of R'/R, of R'/R and of R'/best */
    double visited_count, all_count, best_count;
} growth;

/* Marks the nodes that a query visited. */
static bool mark_visited(graze_body *body, uint32_t nodes, bool *visited)
{
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view seen;
        if (!view(body, n, GRAZE_NODE_CURRENT, &seen))
            return false;
        visited[n] = seen.was_refitted;
    }
    return true;
}

/* Adds the nodes of a body after a query. */
static bool add_growth(graze_body *body, const double *rest, bool *visited, growth *sums)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    if (!mark_visited(body, nodes, visited))
        return false;
    double *radii = radii_of(body);
    for (uint32_t n = 0; radii && n < nodes; n++) {
        sums->all += radii[n] / rest[n];
        sums->visited += visited[n] ? radii[n] / rest[n] : 0;
        sums->visited_count += visited[n];
    }
    sums->all_count += nodes;
    free(radii);
    return radii;
}

/* Adds how far the spheres are from the best possible ones. */
static bool add_best(graze_body *body, growth *sums)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    double *radii = radii_of(body);
    bool ok = radii != NULL;
    for (uint32_t n = 0; ok && n < nodes; n++) {
        graze_node_view best;
        ok = view(body, n, GRAZE_NODE_BEST, &best);
        if (ok && best.radius > 0) {
            sums->to_best += radii[n] / best.radius;
            sums->best_count++;
        }
    }
    free(radii);
    return ok;
}

static bool grow(struct stage *stage, uint32_t tree, growth *sums)
{
    enum { BEST_STEP = 22 }; /* the best spheres take long */
    graze_body **bodies = stage->bodies[tree];
    double *rest = radii_of(bodies[0]);
    bool *visited = malloc(graze_model_get_info(graze_body_model(bodies[0])).node_count);
    bool ok = rest && visited;
    for (uint32_t f = 0; ok && f < stage->scene->frame_count; f++) {
        size_t hits = 0;
        ok = stage_frame(stage, f);
        if (!ok)
            break;
        stage_pose(stage, tree);
        graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
        ok = add_growth(bodies[0], rest, visited, sums) &&
             (f % BEST_STEP != BEST_STEP / 2 || add_best(bodies[0], sums));
    }
    free(rest);
    free(visited);
    return ok;
}

bool bdtree_growth(const bench_options *options)
{
    static const char *names[2] = {"the paper's formulas", "our way"};
    struct stage stage;
    growth sums[2];
    memset(sums, 0, sizeof sums);
    if (!bdtree_open(&stage, "curtain", 2))
        return false;
    bool ok = true;
    for (uint32_t t = 0; ok && t < 2; t++)
        ok = grow(&stage, t, &sums[t]);
    stage_close(&stage);
    if (ok && !options->json)
        printf("\nhow spheres of the curtain grow over the scene: deformed radius by radius at "
               "rest (paper 1.51), and by the best possible\n  %-24s %12s %12s %12s\n",
               "", "visited R'/R", "all R'/R", "all R'/best");
    for (int t = 0; ok && t < 2; t++)
        printf(options->json ? "{\"table\":\"bdtree_growth\",\"refit\":\"%s\",\"visited\":%.4f,"
                               "\"all\":%.4f,\"to_best\":%.4f}\n"
                             : "  %-24s %12.3f %12.3f %12.3f\n",
               names[t], sums[t].visited / sums[t].visited_count, sums[t].all / sums[t].all_count,
               sums[t].to_best / sums[t].best_count);
    fflush(stdout);
    return ok;
}

#define LEVELS 64

typedef struct decay {
    double deviation[LEVELS], rest[LEVELS]; /* sums of |dR| and R */
    uint32_t count[LEVELS];
} decay;

/* A unit weight of one field alone makes a sphere grow by that field's deviation in it. */
static bool measure_decay(graze_body *body, decay *sums)
{
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    float *weights = calloc(info.morph_count, sizeof *weights);
    double *squares = calloc(info.node_count, sizeof *squares), *rest = radii_of(body);
    bool ok = weights && squares && rest;
    for (uint32_t m = 0; ok && m < info.morph_count; m++) {
        weights[m] = 1;
        ok = !graze_body_set_morph_weights(body, weights, info.morph_count, false, NULL);
        weights[m] = 0;
        double *grown = ok ? radii_of(body) : NULL;
        ok = grown;
        for (uint32_t n = 0; ok && n < info.node_count; n++)
            squares[n] += (grown[n] - rest[n]) * (grown[n] - rest[n]);
        free(grown);
    }
    for (uint32_t n = 0; ok && n < info.node_count; n++) {
        graze_node_view seen;
        ok = view(body, n, GRAZE_NODE_CURRENT, &seen);
        sums->deviation[seen.level] += sqrt(squares[n]);
        sums->rest[seen.level] += rest[n];
        sums->count[seen.level]++;
    }
    free(weights);
    free(squares);
    free(rest);
    return ok;
}

bool bdtree_decay(const bench_options *options)
{
    static const double paper[19] = {1.000, 0.684, 0.575, 0.399, 0.252, 0.167, 0.110,
                                     0.080, 0.057, 0.041, 0.030, 0.022, 0.017, 0.016,
                                     0.015, 0.013, 0.007, 0.004, 0.003};
    struct stage stage;
    decay sums;
    memset(&sums, 0, sizeof sums);
    if (!bdtree_open(&stage, "chairs", 1))
        return false;
    bool ok = measure_decay(stage.bodies[BDTREE_PAPER][0], &sums);
    stage_close(&stage);
    if (ok && !options->json)
        printf("\nmean |dR| of the chair's spheres per level, the root's as 1\n  %5s %8s %9s %9s "
               "%12s\n",
               "level", "spheres", "ours", "paper", "mean R, m");
    for (int l = 0; ok && l < LEVELS && sums.count[l]; l++) {
        double ours = sums.deviation[l] / sums.count[l] / sums.deviation[0];
        double rest = sums.rest[l] / sums.count[l];
        if (options->json) {
            printf("{\"table\":\"bdtree_decay\",\"level\":%d,\"spheres\":%u,\"ours\":%.5f,"
                   "\"radius\":%.6g}\n",
                   l, sums.count[l], ours, rest);
            continue;
        }
        printf("  %5d %8u %9.4f ", l, sums.count[l], ours);
        if (l < 19)
            printf("%9.3f %12.4f\n", paper[l], rest);
        else
            printf("%9s %12.4f\n", "", rest);
    }
    fflush(stdout);
    return ok;
}
