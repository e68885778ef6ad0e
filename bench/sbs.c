/* The experiments of L. Kavan, C. O'Sullivan and J. Zara, "Efficient collision detection for
 * spherical blend skinning" (2006), section 5, on the procedural models, and the same with dual
 * quaternions.
 */
#include "bench/sbs_tables.h"

void sbs_open(struct stage *stage, const char *scene, uint32_t tree_count)
{
    static const graze_skinning skinnings[SBS_TREE_COUNT] = {
        GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL,      GRAZE_LINEAR,
        GRAZE_SPHERICAL, GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL,
        GRAZE_LINEAR,    GRAZE_SPHERICAL, GRAZE_DUAL};
    graze_tree_def trees[SBS_TREE_COUNT];
    for (int t = 0; t < SBS_TREE_COUNT; t++) {
        trees[t] = t < SBS_LINEAR_BOXES ? graze_paper_tree() : (graze_tree_def){0};
        if (t < SBS_LINEAR_CORNERS)
            trees[t].refit = GRAZE_REFIT_DEFAULT;
        if (t >= SBS_LINEAR_FAT)
            trees[t].patch_triangles = 4;
    }
    stages_open(stage, scene, trees, skinnings, tree_count);
}

/* ---- what one bound, one vertex and one pose cost -------------------------------------------- */

enum { BOUND, VERTEX, POSE, COSTS, POSES = 16, COST_TREES = SBS_LINEAR_FAT };

typedef struct cost_task {
    struct stage stage;
    float *positions;
} cost_task;

/* All costs of all trees. */
static void ask(void *user, int way)
{
    cost_task *task = user;
    uint32_t tree = (uint32_t)way / COSTS;
    graze_body *body = task->stage.bodies[tree][0];
    if (way % COSTS == BOUND)
        graze_body_bound_all(body);
    if (way % COSTS == VERTEX) {
        graze_body_drop_caches(body);
        graze_body_get_positions(body, task->positions);
    }
    for (int i = 0; i < POSES && way % COSTS == POSE; i++)
        stage_pose_body(&task->stage, tree, 0);
}

static void measure_costs(const char *scene, const char *model)
{
    static cost_task task;
    bench_time times[COST_TREES * COSTS];
    double ns[COST_TREES][COSTS];
    sbs_open(&task.stage, scene, COST_TREES);
    uint32_t vertices = task.stage.scene->rigs[0]->vertex_count;
    task.positions = bench_take(vertices, 3 * sizeof(float));
    for (uint32_t t = 0; t < COST_TREES; t++)
        stages_pose(&task.stage, task.stage.scene->frame_count / 2, t);
    bench_interleave(ask, &task, COST_TREES * COSTS, asked.rounds < 20 ? 20 : asked.rounds, times);
    for (uint32_t t = 0; t < COST_TREES; t++) {
        bool ours = t < SBS_LINEAR_CORNERS, corners = !ours && t < SBS_LINEAR_BOXES;
        uint32_t linear = ours ? SBS_LINEAR : corners ? SBS_LINEAR_CORNERS : SBS_LINEAR_BOXES;
        const double counts[COSTS] = {bench_nodes(task.stage.bodies[t][0]), vertices, POSES};
        for (uint32_t c = 0; c < COSTS; c++)
            ns[t][c] = times[t * COSTS + c].least * 1e3 / counts[c];
        bench_row("sbs_costs",
                  "model:%s:%-10s tree:%s:%-24s skinning:%s:%-10s nodes:%.0f:%8.0f "
                  "ns_bound:%.2f:%10.1f bound_to_linear:%.3f:%9.2f ns_vertex:%.2f:%12.2f "
                  "us_pose:%.3f:%10.2f",
                  ROW_TEXTS(model,
                            ours      ? "paper's tree, our way"
                            : corners ? "paper's tree, corners"
                                      : "default tree",
                            scene_skinning_name(task.stage.skinnings[t])),
                  ROW_NUMBERS(counts[BOUND], ns[t][BOUND], ns[t][BOUND] / ns[linear][BOUND],
                              ns[t][VERTEX], ns[t][POSE] * 1e-3));
    }
    free(task.positions);
    stage_close(&task.stage);
}

static void sbs_costs(void)
{
    bench_say("\ncost of one bound from the pose (mean over all nodes), of one posed vertex and of "
              "taking over a pose\n(paper, man: 1210 ns a sphere linear, 1310 spherical, 1.08 "
              "times)\n  %-10s %-24s %-10s %8s %10s %9s %12s %10s\n",
              "", "", "", "nodes", "ns a bound", "/ linear", "ns a vertex", "us a pose");
    measure_costs("men", "man");
    measure_costs("creatures", "creature");
}

static const bench_part parts[] = {
    {"figures", .run = sbs_figures},
    {"radii", .run = sbs_radii},
    {"costs", .run = sbs_costs},
    {"levels", .run = sbs_levels},
    {"men", .measure = sbs_scene, .scene = "men"},
    {"creatures", .measure = sbs_scene, .scene = "creatures"},
    {"creatures, first hit", .measure = sbs_scene, .scene = "creatures", .first = true}};

void bench_sbs(void)
{
    bench_print_machine();
    bench_say("\nTimes are microseconds a frame, pose to answer, one core; the least of %u "
              "interleaved runs.\nPaper: 2.5 GHz Athlon, 2006.\n",
              asked.rounds);
    bench_run_parts(parts, COUNT_OF(parts));
}
