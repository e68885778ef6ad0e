/* A ball thrown at a curtain, 110 frames (table 2). */
#include "bench/bdtree_tables.h"

enum { MOST_FRAMES = 128, MOST_FIELDS = 16 };

/* How bodies take over a frame. */
enum pose_way {
    POSE_LAZY,
    POSE_COHERENT, /* the curtain by graze_body_set_morph_weights, coherent, from frame 1 on */
    POSE_LAYERED,  /* the curtain refitted bottom-up; the ball is rigid */
    POSE_EAGER,    /* as POSE_LAZY, for GRAZE_EAGER */
    POSE_FAR       /* the ball 1 km away */
};

enum question {
    QUERY_ALL,    /* all pairs of triangles */
    QUERY_FIRST,  /* one pair, if any */
    QUERY_SPHERE, /* the ball as one sphere: leaf spheres of the curtain that it meets */
    QUERY_NONE    /* take over the poses only */
};

struct row {
    const char *name;
    uint32_t tree;
    enum pose_way way;
    enum question query;
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
    ROWS
};

static const struct row rows[ROWS] = {
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
enum { ALL, FREE, TOUCHING, PARTS };

/* Poses of the scene, sampled beforehand so that clips are not measured, and what came of them. */
typedef struct curtain_task {
    struct stage stage;
    graze_body *sphere;
    uint32_t frames, fields;
    struct {
        float joints[2][12], placements[2][12]; /* of the curtain and the ball: one joint each */
        float weights[MOST_FIELDS];
    } poses[MOST_FRAMES];
    size_t hits[ROWS][MOST_FRAMES];
    double least[ROWS][MOST_FRAMES]; /* microseconds of each frame, over all runs */
    graze_stats stats[ROWS];
    double us[PARTS][ROWS];
    uint32_t part_frames[PARTS];
    size_t pairs;
} curtain_task;

static void record_poses(curtain_task *task)
{
    struct stage *stage = &task->stage;
    task->frames = stage->scene->frame_count;
    task->fields = stage->scene->rigs[0]->morph_count;
    if (task->frames > MOST_FRAMES || task->fields > MOST_FIELDS)
        bench_die("the scene is too long");
    for (uint32_t f = 0; f < task->frames; f++) {
        stages_frame(stage, f);
        for (int b = 0; b < 2; b++) {
            memcpy(task->poses[f].joints[b], stage->joints[b], sizeof task->poses[f].joints[b]);
            memcpy(task->poses[f].placements[b], stage->placements[b],
                   sizeof task->poses[f].placements[b]);
        }
        memcpy(task->poses[f].weights, stage->weights[0], task->fields * sizeof(float));
    }
}

static void set_pose(const curtain_task *task, uint32_t f, enum pose_way way, graze_body *curtain,
                     graze_body *ball)
{
    float placement[12];
    memcpy(placement, task->poses[f].placements[1], sizeof placement);
    if (way == POSE_FAR)
        placement[11] += 1000;
    const graze_pose pose = {.joints = task->poses[f].joints[0],
                             .joint_count = 1,
                             .placement = task->poses[f].placements[0],
                             .morph_weights = task->poses[f].weights,
                             .morph_count = task->fields};
    bench_pose(ball, task->poses[f].joints[1], 1, placement);
    if (way == POSE_COHERENT && f)
        graze_body_set_morph_weights(curtain, pose.morph_weights, task->fields, true, NULL);
    else
        graze_body_set_pose(curtain, &pose, NULL);
    if (way == POSE_LAYERED)
        graze_body_refit_all(curtain);
}

/* All frames, because the coherent update lives on the frame before. Frames are timed one by
 * one: on a shared machine hardly any run of all is undisturbed.
 */
static void ask(void *user, int number)
{
    curtain_task *task = user;
    const struct row *row = &rows[number];
    graze_body **bodies = task->stage.bodies[row->tree];
    graze_body *ball = row->query == QUERY_SPHERE ? task->sphere : bodies[1];
    const graze_options how = {.any = row->query == QUERY_FIRST,
                               .method = row->way == POSE_EAGER ? GRAZE_EAGER : GRAZE_LAZY,
                               .stats = &task->stats[number]};
    task->stats[number] = (graze_stats){0};
    for (uint32_t f = 0; f < task->frames; f++) {
        double start = bench_now();
        set_pose(task, f, row->way, bodies[0], ball);
        task->hits[number][f] = row->query == QUERY_NONE ? 0
                                : row->query == QUERY_SPHERE
                                    ? bench_bound_pairs(bodies[0], ball, how.stats)
                                    : bench_pairs(bodies[0], ball, &how);
        task->least[number][f] = fmin(task->least[number][f], bench_now() - start);
    }
}

/* All pairs: the same number; first hit: one or none alike; spheres: none missed. */
static void check_hits(const curtain_task *task)
{
    for (int r = 0; r < ROW_FAR; r++)
        for (uint32_t f = 0; f < task->frames; f++) {
            size_t exact = task->hits[0][f], found = task->hits[r][f];
            bool ok = rows[r].query == QUERY_ALL     ? found == exact
                      : rows[r].query == QUERY_FIRST ? found == (exact > 0)
                                                     : found > 0 || exact == 0;
            if (!ok)
                bench_die("frame %u: %zu hits with %s, %zu with %s", f, found, rows[r].name, exact,
                          rows[0].name);
        }
}

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

static void sum_up(curtain_task *task)
{
    double clock = clock_cost();
    for (uint32_t f = 0; f < task->frames; f++) {
        int part = task->hits[0][f] ? TOUCHING : FREE;
        task->pairs += task->hits[0][f];
        task->part_frames[ALL]++;
        task->part_frames[part]++;
        for (int r = 0; r < ROWS; r++) {
            task->us[ALL][r] += task->least[r][f] - clock;
            task->us[part][r] += task->least[r][f] - clock;
        }
    }
}

/* The ratio to the layered method is spheres of the tree by tests a frame, times the costs of each.
 */
static void print_bounds(const curtain_task *task)
{
    const double *us = task->us[ALL], *apart = task->us[FREE];
    double frames = task->frames, tests = task->stats[ROW_SPHERE_OURS].bound_tests;
    double spheres = bench_nodes(task->stage.bodies[BDTREE_OURS][0]);
    bench_say("  layered / BD-tree (paper 2250; our target 500): %.1f for all pairs, %.1f with the "
              "ball as one sphere, %.1f\n  and %.1f in frames without contact\n",
              us[ROW_LAYERED] / us[ROW_OURS], us[ROW_SPHERE_LAYERED] / us[ROW_SPHERE_OURS],
              apart[ROW_LAYERED] / apart[ROW_OURS],
              apart[ROW_SPHERE_LAYERED] / apart[ROW_SPHERE_OURS]);
    bench_say(
        "  what bounds it, ball as one sphere: (spheres of the tree / tests a frame) x (ns a "
        "layered sphere / ns a lazy test)\n    ours  %5.0f / %5.1f x %6.1f / %5.1f\n    paper "
        "%5d / %5.1f x %6.0f / %5.0f\n",
        spheres, tests / frames, us[ROW_SPHERE_LAYERED] * 1e3 / (spheres * frames),
        us[ROW_SPHERE_OURS] * 1e3 / tests, 24039, 3890.0 / 110, 49e6 / 24039, 2.4e6 / 3890);
    bench_say("  floor of a query: two poses taken over and the roots compared, %.3f us: no method "
              "on this tree gets beyond %.0f\n",
              us[ROW_FAR] / frames, us[ROW_SPHERE_LAYERED] / us[ROW_FAR]);
    bench_say("  eager boxes / default lazy: %.1f\n", us[ROW_EAGER] / us[ROW_BOXES]);
}

static void print_table(const curtain_task *task)
{
    bench_say("\ncurtain and ball: %u frames, of which %u touch in %zu pairs of triangles; totals "
              "over the scene, and us a frame\nlayered: the curtain's vertices and spheres "
              "bottom-up, the same tree; the ball is rigid and never refitted so\n"
              "  %-40s %8s %8s %8s %10s %9s %9s %9s | %s\n",
              task->frames, task->part_frames[TOUCHING], task->pairs, "", "tests", "refitted",
              "enlarged", "total us", "us/frame", "free", "touching",
              "layered / this: all, free, touching; paper");
    for (int r = 0; r < ROWS; r++) {
        const graze_stats *stats = &task->stats[r];
        double frame[PARTS], layered[PARTS];
        for (int p = 0; p < PARTS; p++) {
            frame[p] = task->us[p][r] / task->part_frames[p];
            layered[p] = task->us[p][rows[r].layered] / task->us[p][r];
        }
        bench_row("bdtree",
                  "method:%s:%-40s bound_tests:%.0f:%8.0f nodes_refit:%.0f:%8.0f "
                  "nodes_enlarged:%.0f:%8.0f total_us:%.3f:%10.1f frame_us:%.4f:%9.3f "
                  "free_frame_us:%.4f:%9.3f touching_frame_us:%.4f:%9.3f "
                  "layered_to_this:%.2f:|_%7.1f :%7.1f :%7.1f :_%s",
                  ROW_TEXTS(rows[r].name, rows[r].paper),
                  ROW_NUMBERS(stats->bound_tests, stats->nodes_refit, stats->nodes_enlarged,
                              task->us[ALL][r], frame[ALL], frame[FREE], frame[TOUCHING],
                              layered[ALL], layered[FREE], layered[TOUCHING]));
    }
    print_bounds(task);
}

void bdtree_curtain(void)
{
    static const float centre[3] = {0, 0.15f, 0}; /* as graze_synth makes the ball: on y = 0 */
    curtain_task *task = bench_take(1, sizeof *task);
    bench_time times[ROWS];
    bdtree_open(&task->stage, "curtain", BDTREE_TREE_COUNT);
    task->sphere = bdtree_make_sphere(centre, 0.15f);
    record_poses(task);
    for (int i = 0; i < ROWS * MOST_FRAMES; i++)
        task->least[i / MOST_FRAMES][i % MOST_FRAMES] = INFINITY;
    bench_interleave(ask, task, ROWS, asked.rounds, times);
    sum_up(task);
    check_hits(task);
    print_table(task);
    graze_body_destroy(task->sphere);
    stage_close(&task->stage);
    free(task);
}
