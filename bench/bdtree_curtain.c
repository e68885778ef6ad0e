/* A ball thrown at a curtain, 110 frames (table 2). */
#include "bench/bdtree_tables.h"
#include "bench/measure.h"
#include "bench/recorded_poses.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum query {
    QUERY_ALL,    /* all pairs of triangles */
    QUERY_FIRST,  /* one pair, if any */
    QUERY_SPHERE, /* the ball as one sphere: leaf spheres of the curtain that it meets */
    QUERY_NONE    /* take over the poses only */
};

struct row {
    const char *name;
    uint32_t tree;
    enum pose_way way;
    enum query query;
    int layered; /* row that this one's ratio is to */
    const char *paper;
};

enum {
    ROW_PAPER,
    ROW_OURS,
    ROW_PAPER_COHERENT,
    ROW_COLLAPSED,
    ROW_LAYERED,
    ROW_BOXES,
    ROW_EAGER,
    ROW_FIRST,
    ROW_FIRST_BOXES,
    ROW_FIRST_LAYERED,
    ROW_SPHERE_PAPER,
    ROW_SPHERE_OURS,
    ROW_SPHERE_COHERENT,
    ROW_SPHERE_LAYERED,
    ROW_FAR,
    ROW_FAR_BOXES,
    ROW_POSES,
    ROW_COUNT
};

static const struct row rows[ROW_COUNT] = {
    {"all pairs: BD-tree, paper's formulas", BDTREE_PAPER, POSE_LAZY, QUERY_ALL, ROW_LAYERED, ""},
    {"all pairs: BD-tree, our way", BDTREE_OURS, POSE_LAZY, QUERY_ALL, ROW_LAYERED, ""},
    {"all pairs: BD-tree, paper's, coherent", BDTREE_PAPER, POSE_COHERENT, QUERY_ALL, ROW_LAYERED,
     ""},
    {"all pairs: collapsed tree, our way", BDTREE_COLLAPSED, POSE_LAZY, QUERY_ALL, ROW_LAYERED, ""},
    {"all pairs: layered", BDTREE_OURS, POSE_LAYERED, QUERY_ALL, ROW_LAYERED, ""},
    {"all pairs: default tree", BDTREE_BOXES, POSE_LAZY, QUERY_ALL, ROW_LAYERED, ""},
    {"all pairs: boxes with fat leaves, eager", BDTREE_FAT, POSE_EAGER, QUERY_ALL, ROW_LAYERED, ""},
    {"first hit: BD-tree, our way", BDTREE_OURS, POSE_LAZY, QUERY_FIRST, ROW_FIRST_LAYERED, ""},
    {"first hit: default tree", BDTREE_BOXES, POSE_LAZY, QUERY_FIRST, ROW_FIRST_LAYERED, ""},
    {"first hit: layered", BDTREE_OURS, POSE_LAYERED, QUERY_FIRST, ROW_FIRST_LAYERED, ""},
    {"one sphere: BD-tree, paper's formulas", BDTREE_PAPER, POSE_LAZY, QUERY_SPHERE,
     ROW_SPHERE_LAYERED, "3890 tests, 2400 us"},
    {"one sphere: BD-tree, our way", BDTREE_OURS, POSE_LAZY, QUERY_SPHERE, ROW_SPHERE_LAYERED, ""},
    {"one sphere: BD-tree, paper's, coherent", BDTREE_PAPER, POSE_COHERENT, QUERY_SPHERE,
     ROW_SPHERE_LAYERED, ""},
    {"one sphere: layered", BDTREE_OURS, POSE_LAYERED, QUERY_SPHERE, ROW_SPHERE_LAYERED,
     "2150 tests, 5400000 us"},
    {"floor: BD-tree, ball out of reach", BDTREE_OURS, POSE_FAR, QUERY_ALL, ROW_LAYERED, ""},
    {"floor: default tree, ball out of reach", BDTREE_BOXES, POSE_FAR, QUERY_ALL, ROW_LAYERED, ""},
    {"floor: poses only", BDTREE_OURS, POSE_LAZY, QUERY_NONE, ROW_LAYERED, ""}};

/* All frames, those before and after any contact, and those with contact. */
enum { PART_ALL, PART_FREE, PART_TOUCHING, PART_COUNT };

struct task {
    const struct recorded_poses *poses;
    graze_body *curtain, *ball;
    const struct row *row;
    size_t hits[RECORDED_MAX_FRAMES];
    double least[RECORDED_MAX_FRAMES]; /* microseconds of each frame, over all runs */
    graze_stats stats;
};

static bool count_nodes(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(size_t *)user;
    return true;
}

static void run_frame(struct task *task, uint32_t f)
{
    graze_body *curtain = task->curtain, *ball = task->ball;
    size_t *hits = &task->hits[f];
    set_recorded_pose(task->poses, f, task->row->way, curtain, ball);
    *hits = 0;
    if (task->row->way == POSE_EAGER)
        graze_collide_eager(curtain, ball, false, stage_count, hits, &task->stats, NULL);
    else if (task->row->query == QUERY_ALL)
        graze_collide(curtain, ball, stage_count, hits, &task->stats, NULL);
    else if (task->row->query == QUERY_FIRST)
        *hits += stage_meet(curtain, ball, &task->stats);
    else if (task->row->query == QUERY_SPHERE)
        graze_collide_bounds(curtain, ball, count_nodes, hits, &task->stats, NULL);
}

/* All frames, because the coherent update lives on the frame before. Frames are timed one by
 * one: on a shared machine hardly any run of all is undisturbed.
 */
static void run_task(void *user)
{
    struct task *task = user;
    memset(&task->stats, 0, sizeof task->stats);
    for (uint32_t f = 0; f < task->poses->frame_count; f++) {
        double start = bench_now();
        run_frame(task, f);
        task->least[f] = fmin(task->least[f], bench_now() - start);
    }
}

/* All pairs: the same number; first hit: one or none alike; spheres: none missed. */
static bool check_hits(const struct task *tasks)
{
    for (int r = 0; r < ROW_FAR; r++)
        for (uint32_t f = 0; f < tasks[r].poses->frame_count; f++) {
            size_t exact = tasks[0].hits[f], found = tasks[r].hits[f];
            bool ok = rows[r].query == QUERY_ALL     ? found == exact
                      : rows[r].query == QUERY_FIRST ? found == (exact > 0)
                                                     : found > 0 || exact == 0;
            if (ok)
                continue;
            fprintf(stderr, "graze: frame %u: %zu hits with %s, %zu with %s\n", f, found,
                    rows[r].name, exact, rows[0].name);
            return false;
        }
    return true;
}

typedef struct curtain_results {
    struct recorded_poses poses;
    struct task tasks[ROW_COUNT];
    double us[PART_COUNT][ROW_COUNT];
    uint32_t frames[PART_COUNT];
    size_t pairs;
} curtain_results;

/* Microseconds that reading the clock takes. */
static double clock_cost(void)
{
    double least = INFINITY;
    for (int i = 0; i < 1000; i++) {
        double start = bench_now();
        least = fmin(least, bench_now() - start);
    }
    return least;
}

static void sum_up(curtain_results *results)
{
    double clock = clock_cost();
    for (uint32_t f = 0; f < results->poses.frame_count; f++) {
        size_t pairs = results->tasks[0].hits[f];
        int part = pairs ? PART_TOUCHING : PART_FREE;
        results->pairs += pairs;
        results->frames[PART_ALL]++;
        results->frames[part]++;
        for (int r = 0; r < ROW_COUNT; r++) {
            results->us[PART_ALL][r] += results->tasks[r].least[f] - clock;
            results->us[part][r] += results->tasks[r].least[f] - clock;
        }
    }
}

static bool measure(struct stage *stage, graze_body *sphere, uint32_t rounds,
                    curtain_results *results)
{
    bench_method methods[ROW_COUNT];
    bench_samples samples[ROW_COUNT];
    memset(samples, 0, sizeof samples);
    if (!record_poses(&results->poses, stage))
        return false;
    for (int r = 0; r < ROW_COUNT; r++) {
        graze_body **bodies = stage->bodies[rows[r].tree];
        struct task *task = &results->tasks[r];
        *task = (struct task){.poses = &results->poses,
                              .curtain = bodies[0],
                              .ball = rows[r].query == QUERY_SPHERE ? sphere : bodies[1],
                              .row = &rows[r]};
        for (uint32_t f = 0; f < RECORDED_MAX_FRAMES; f++)
            task->least[f] = INFINITY;
        methods[r] = (bench_method){rows[r].name, run_task, task};
    }
    bench_interleave(methods, ROW_COUNT, rounds, samples);
    sum_up(results);
    return check_hits(results->tasks);
}

static void print_json(const curtain_results *results)
{
    for (int r = 0; r < ROW_COUNT; r++) {
        const graze_stats *stats = &results->tasks[r].stats;
        const double *us = results->us[PART_ALL];
        printf("{\"table\":\"bdtree\",\"method\":\"%s\",\"bound_tests\":%llu,\"nodes_refit\":%llu,"
               "\"nodes_enlarged\":%llu,\"total_us\":%.3f,\"frame_us\":%.4f,"
               "\"free_frame_us\":%.4f,\"touching_frame_us\":%.4f,\"layered_to_this\":%.2f}\n",
               rows[r].name, (unsigned long long)stats->bound_tests,
               (unsigned long long)stats->nodes_refit, (unsigned long long)stats->nodes_enlarged,
               us[r], us[r] / results->frames[PART_ALL],
               results->us[PART_FREE][r] / results->frames[PART_FREE],
               results->us[PART_TOUCHING][r] / results->frames[PART_TOUCHING],
               us[rows[r].layered] / us[r]);
    }
}

/* The ratio to the layered method is spheres of the tree by tests a frame, times the costs of each.
 */
static void print_bounds(const curtain_results *results)
{
    const double *us = results->us[PART_ALL], *apart = results->us[PART_FREE];
    const struct task *layered = &results->tasks[ROW_SPHERE_LAYERED];
    const struct task *lazy = &results->tasks[ROW_SPHERE_OURS];
    double frames = results->frames[PART_ALL];
    double spheres = graze_model_get_info(graze_body_model(layered->curtain)).node_count;
    double tests = (double)lazy->stats.bound_tests;
    double layered_ns = us[ROW_SPHERE_LAYERED] * 1e3 / (spheres * frames);
    double lazy_ns = us[ROW_SPHERE_OURS] * 1e3 / tests;
    printf("  layered / BD-tree (paper 2250; our target 500): %.1f for all pairs, %.1f with the "
           "ball as one sphere, %.1f\n  and %.1f in frames without contact\n",
           us[ROW_LAYERED] / us[ROW_OURS], us[ROW_SPHERE_LAYERED] / us[ROW_SPHERE_OURS],
           apart[ROW_LAYERED] / apart[ROW_OURS],
           apart[ROW_SPHERE_LAYERED] / apart[ROW_SPHERE_OURS]);
    printf("  what bounds it, ball as one sphere: (spheres of the tree / tests a frame) x (ns a "
           "layered sphere / ns a lazy test)\n    ours  %5.0f / %5.1f x %6.1f / %5.1f\n    paper "
           "%5d / %5.1f x %6.0f / %5.0f\n",
           spheres, tests / frames, layered_ns, lazy_ns, 24039, 3890.0 / 110, 49e6 / 24039,
           2.4e6 / 3890);
    printf("  floor of a query: two poses taken over and the roots compared, %.3f us: no method on "
           "this tree gets beyond %.0f\n",
           us[ROW_FAR] / frames, us[ROW_SPHERE_LAYERED] / us[ROW_FAR]);
}

static void print_table(const curtain_results *results)
{
    printf(
        "\ncurtain and ball: %u frames, of which %u touch in %zu pairs of triangles; totals over "
        "the scene, and us a frame\nlayered: the curtain's vertices and spheres bottom-up, the "
        "same tree; the ball is rigid and never refitted so\n"
        "  %-40s %8s %8s %8s %10s %9s %9s %9s | %s\n",
        results->frames[PART_ALL], results->frames[PART_TOUCHING], results->pairs, "", "tests",
        "refitted", "enlarged", "total us", "us/frame", "free", "touching",
        "layered / this: all, free, touching; paper");
    for (int r = 0; r < ROW_COUNT; r++) {
        const graze_stats *stats = &results->tasks[r].stats;
        printf("  %-40s %8llu %8llu %8llu %10.1f", rows[r].name,
               (unsigned long long)stats->bound_tests, (unsigned long long)stats->nodes_refit,
               (unsigned long long)stats->nodes_enlarged, results->us[PART_ALL][r]);
        for (int p = 0; p < PART_COUNT; p++)
            printf(" %9.3f", results->us[p][r] / results->frames[p]);
        printf(" |");
        for (int p = 0; p < PART_COUNT; p++)
            printf(" %7.1f", results->us[p][rows[r].layered] / results->us[p][r]);
        printf("  %s\n", rows[r].paper);
    }
    print_bounds(results);
    printf("  eager boxes / default lazy: %.1f\n",
           results->us[PART_ALL][ROW_EAGER] / results->us[PART_ALL][ROW_BOXES]);
}

bool bdtree_curtain(const bench_options *options)
{
    static curtain_results results;
    struct stage stage;
    graze_model *model = NULL;
    graze_body *sphere = NULL;
    memset(&results, 0, sizeof results);
    if (!bdtree_open(&stage, "curtain", BDTREE_TREE_COUNT))
        return false;
    bool ok =
        bdtree_make_ball(&model, &sphere) && measure(&stage, sphere, options->rounds, &results);
    if (ok && options->json)
        print_json(&results);
    else if (ok)
        print_table(&results);
    graze_body_destroy(sphere);
    graze_model_destroy(model);
    stage_close(&stage);
    fflush(stdout);
    return ok;
}
