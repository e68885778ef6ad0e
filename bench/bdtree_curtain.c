/* A ball thrown at a curtain, 110 frames (table 2). */
#include "bench/bdtree_tables.h"
#include "bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURTAIN, BALL, BODY_COUNT };

/* Every pose of the scene, so that sampling clips is not measured. Both have one joint. */
struct film {
    float joints[BODY_COUNT][12];
    float placements[BODY_COUNT][12];
    float weights[16];
};

static struct film *record(struct stage *stage)
{
    uint32_t fields = graze_model_get_info(stage->models[0][CURTAIN]).morph_count;
    struct film *film = calloc(stage->scene->frame_count, sizeof *film);
    for (uint32_t f = 0; film && f < stage->scene->frame_count; f++) {
        if (!stage_frame(stage, f)) {
            free(film);
            return NULL;
        }
        for (int b = 0; b < BODY_COUNT; b++) {
            memcpy(film[f].joints[b], stage->joints[b], sizeof film->joints[b]);
            memcpy(film[f].placements[b], stage->placements[b], sizeof film->placements[b]);
        }
        memcpy(film[f].weights, stage->weights[CURTAIN], fields * sizeof(float));
    }
    return film;
}

enum way {
    WAY_LAZY,
    WAY_COHERENT,
    WAY_LAYERED,   /* the curtain bottom-up; the ball is rigid and stays lazy */
    WAY_EAGER,     /* everything */
    WAY_FAR,       /* lazy with the ball out of reach: one test */
    WAY_POSES_ONLY /* no query */
};

#define MOST_FRAMES 256

struct task {
    struct stage *stage;
    const struct film *film;
    uint32_t tree;
    enum way way;
    size_t hits[MOST_FRAMES];
    graze_stats stats;
};

static void pose_bodies(const struct task *task, uint32_t frame)
{
    const struct film *film = &task->film[frame];
    graze_body **bodies = task->stage->bodies[task->tree];
    uint32_t fields = graze_model_get_info(task->stage->models[task->tree][CURTAIN]).morph_count;
    float far_away[12];
    memcpy(far_away, film->placements[BALL], sizeof far_away);
    far_away[11] += 1000;
    graze_pose ball = {.joints = film->joints[BALL],
                       .joint_count = 1,
                       .placement = task->way == WAY_FAR ? far_away : film->placements[BALL]};
    graze_pose curtain = {.joints = film->joints[CURTAIN],
                          .joint_count = 1,
                          .placement = film->placements[CURTAIN],
                          .morph_weights = film->weights,
                          .morph_count = fields};
    graze_body_set_pose(bodies[BALL], &ball, NULL);
    if (task->way == WAY_COHERENT && frame)
        graze_body_set_morph_weights(bodies[CURTAIN], film->weights, fields, true, NULL);
    else
        graze_body_set_pose(bodies[CURTAIN], &curtain, NULL);
}

/* The whole scene, because the coherent update lives on the frame before. */
static void run_task(void *user)
{
    struct task *task = user;
    graze_body **bodies = task->stage->bodies[task->tree];
    memset(task->hits, 0, sizeof task->hits);
    memset(&task->stats, 0, sizeof task->stats);
    for (uint32_t f = 0; f < task->stage->scene->frame_count; f++) {
        pose_bodies(task, f);
        if (task->way == WAY_LAYERED)
            graze_body_refit_all(bodies[CURTAIN]);
        if (task->way == WAY_EAGER)
            graze_collide_eager(bodies[CURTAIN], bodies[BALL], false, stage_count, &task->hits[f],
                                &task->stats);
        else if (task->way != WAY_POSES_ONLY)
            graze_collide(bodies[CURTAIN], bodies[BALL], stage_count, &task->hits[f], &task->stats);
    }
}

enum {
    ROW_PAPER,
    ROW_OURS,
    ROW_PAPER_COHERENT,
    ROW_OURS_COHERENT,
    ROW_COLLAPSED,
    ROW_LAYERED,
    ROW_BOXES,
    ROW_EAGER,
    ROW_FAR,
    ROW_FAR_BOXES,
    ROW_POSES,
    ROW_COUNT
};

static const struct {
    const char *name;
    uint32_t tree;
    enum way way;
} rows[ROW_COUNT] = {{"BD-tree, the paper's formulas", BDTREE_PAPER, WAY_LAZY},
                     {"BD-tree, refitted our way", BDTREE_OURS, WAY_LAZY},
                     {"BD-tree, paper's, coherent update", BDTREE_PAPER, WAY_COHERENT},
                     {"BD-tree, our way, coherent update", BDTREE_OURS, WAY_COHERENT},
                     {"BD-tree, collapsed (0.6), our way", BDTREE_COLLAPSED, WAY_LAZY},
                     {"layered (curtain bottom-up, same tree)", BDTREE_OURS, WAY_LAYERED},
                     {"default tree, lazy", BDTREE_BOXES, WAY_LAZY},
                     {"boxes with fat leaves, eager", BDTREE_FAT, WAY_EAGER},
                     {"floor: BD-tree, ball out of reach", BDTREE_OURS, WAY_FAR},
                     {"floor: default tree, ball out of reach", BDTREE_BOXES, WAY_FAR},
                     {"floor: poses only", BDTREE_OURS, WAY_POSES_ONLY}};

static bool check_hits(const struct task *tasks)
{
    for (int r = 0; r < ROW_FAR; r++)
        for (uint32_t f = 0; f < tasks[r].stage->scene->frame_count; f++)
            if (tasks[r].hits[f] != tasks[0].hits[f]) {
                fprintf(stderr, "graze: frame %u: %zu hits with %s, %zu with %s\n", f,
                        tasks[r].hits[f], rows[r].name, tasks[0].hits[f], rows[0].name);
                return false;
            }
    return true;
}

static void print_json(const struct task *tasks, const double *us)
{
    for (int r = 0; r < ROW_COUNT; r++)
        printf("{\"table\":\"bdtree\",\"method\":\"%s\",\"bound_tests\":%llu,\"nodes_refit\":%llu,"
               "\"nodes_enlarged\":%llu,\"total_us\":%.3f,\"frame_us\":%.4f,"
               "\"layered_to_this\":%.2f,\"eager_to_this\":%.2f}\n",
               rows[r].name, (unsigned long long)tasks[r].stats.bound_tests,
               (unsigned long long)tasks[r].stats.nodes_refit,
               (unsigned long long)tasks[r].stats.nodes_enlarged, us[r],
               us[r] / tasks[r].stage->scene->frame_count, us[ROW_LAYERED] / us[r],
               us[ROW_EAGER] / us[r]);
}

static void print_table(const struct task *tasks, const double *us)
{
    static const char *papers[ROW_COUNT] = {
        [ROW_PAPER] = "3890 tests, 2400 us", [ROW_LAYERED] = "2150 tests, 5400000 us"};
    uint32_t frames = tasks[0].stage->scene->frame_count, touching = 0;
    size_t pairs = 0;
    for (uint32_t f = 0; f < frames; f++) {
        touching += tasks[0].hits[f] > 0;
        pairs += tasks[0].hits[f];
    }
    printf("\ncurtain and ball, all pairs: %u frames, of which %u touch; %zu pairs; totals over "
           "the scene\n  %-40s %8s %9s %9s %11s %10s %9s  %s\n",
           frames, touching, pairs, "", "tests", "refitted", "enlarged", "total us", "us/frame",
           "layered /", "paper");
    for (int r = 0; r < ROW_COUNT; r++)
        printf("  %-40s %8llu %9llu %9llu %11.1f %10.3f %9.1f  %s\n", rows[r].name,
               (unsigned long long)tasks[r].stats.bound_tests,
               (unsigned long long)tasks[r].stats.nodes_refit,
               (unsigned long long)tasks[r].stats.nodes_enlarged, us[r], us[r] / frames,
               us[ROW_LAYERED] / us[r], papers[r] ? papers[r] : "");
    double lazy = us[ROW_OURS] < us[ROW_PAPER] ? us[ROW_OURS] : us[ROW_PAPER];
    printf("  layered / BD-tree: %.0f (paper 2250; our target 500). A frame of the BD-tree takes "
           "%.3f us, of which %.3f us\n  take over two poses and compare the roots: no method "
           "gets beyond %.0f. The rest is %.1f refits and %.1f tests a frame.\n",
           us[ROW_LAYERED] / lazy, lazy / frames, us[ROW_FAR] / frames,
           us[ROW_LAYERED] / us[ROW_FAR], (double)tasks[ROW_OURS].stats.nodes_refit / frames,
           (double)tasks[ROW_OURS].stats.bound_tests / frames);
    printf("  eager boxes / default lazy: %.1f\n", us[ROW_EAGER] / us[ROW_BOXES]);
}

bool bdtree_curtain(const bench_options *options)
{
    static struct task tasks[ROW_COUNT];
    struct stage stage;
    bench_method methods[ROW_COUNT];
    bench_samples samples[ROW_COUNT];
    double us[ROW_COUNT];
    memset(samples, 0, sizeof samples);
    if (!bdtree_open(&stage, "curtain", BDTREE_TREE_COUNT))
        return false;
    struct film *film = stage.scene->frame_count <= MOST_FRAMES ? record(&stage) : NULL;
    bool ok = film;
    for (int r = 0; ok && r < ROW_COUNT; r++) {
        tasks[r] =
            (struct task){.stage = &stage, .film = film, .tree = rows[r].tree, .way = rows[r].way};
        methods[r] = (bench_method){rows[r].name, run_task, &tasks[r]};
    }
    if (ok) {
        bench_interleave(methods, ROW_COUNT, options->rounds, samples);
        for (int r = 0; r < ROW_COUNT; r++)
            us[r] = bench_least(&samples[r]);
        ok = check_hits(tasks);
    }
    if (ok && options->json)
        print_json(tasks, us);
    else if (ok)
        print_table(tasks, us);
    free(film);
    stage_close(&stage);
    fflush(stdout);
    return ok;
}
