/* The experiments of D. L. James and D. K. Pai, "BD-Tree: output-sensitive collision detection for
 * reduced deformable models" (2004), section 4, on the procedural models.
 */
#include "bench/bdtree_tables.h"

static graze_tree_def tree_of(bdtree_tree tree)
{
    graze_tree_def def = tree < BDTREE_BOXES ? graze_paper_tree() : (graze_tree_def){0};
    if (tree != BDTREE_PAPER)
        def.refit = GRAZE_REFIT_DEFAULT;
    if (tree < BDTREE_COLLAPSED)
        def.collapse = 1;
    if (tree == BDTREE_FAT)
        def.patch_triangles = 4;
    return def;
}

void bdtree_open(struct stage *stage, const char *scene, uint32_t tree_count)
{
    graze_tree_def trees[BDTREE_TREE_COUNT];
    for (int t = 0; t < BDTREE_TREE_COUNT; t++)
        trees[t] = tree_of((bdtree_tree)t);
    stages_open(stage, scene, trees, NULL, tree_count);
}

graze_body *bdtree_make_sphere(const float centre[3], float radius)
{
    static const float corners[3][2] = {{1, 0}, {-0.5f, 0.8660254f}, {-0.5f, -0.8660254f}};
    static const uint32_t triangle[3] = {0, 1, 2};
    float positions[3][3];
    const graze_model_def def = {.positions = positions[0],
                                 .vertex_count = 3,
                                 .triangles = triangle,
                                 .triangle_count = 1,
                                 .joint_count = 1,
                                 .tree = graze_paper_tree()};
    for (int v = 0; v < 3; v++) {
        memcpy(positions[v], centre, sizeof positions[v]);
        positions[v][0] += radius * corners[v][0];
        positions[v][2] += radius * corners[v][1];
    }
    graze_model *model = bench_make_model(&def);
    graze_body *body = bench_make_body(model);
    graze_model_destroy(model);
    return body;
}

/* ---- sizes of models and trees (table 1) ----------------------------------------------------- */

void bdtree_print_model_head(void)
{
    bench_say("\nmodels and the paper's tree (paper's figures in brackets)\n"
              "  %-10s %17s %17s %12s %17s %12s %10s\n",
              "", "vertices", "faces", "fields", "spheres", "levels", "tree MB");
}

void bdtree_print_model(const char *name, const uint32_t paper[5], const graze_model_info *info,
                        const double hertz[2])
{
#define FIELDS                                                                                     \
    "model:%s:%-10s vertices:%.0f:%8.0f :[%6.0f] faces:%.0f:%8.0f :[%6.0f] fields:%.0f:%7.0f "     \
    ":[%2.0f] spheres:%.0f:%8.0f :[%6.0f] levels:%.0f:%7.0f :[%2.0f] tree_bytes:%.0f :%10.1f"
    bench_row(hertz ? "table 1" : "bdtree_models",
              hertz ? FIELDS " lowest_hz:%.5g highest_hz:%.5g" : FIELDS, ROW_TEXTS(name),
              ROW_NUMBERS(info->vertex_count, paper[0], info->triangle_count, paper[1],
                          info->morph_count, paper[2], info->node_count, paper[3],
                          info->level_count, paper[4], info->tree_bytes, info->tree_bytes * 1e-6,
                          hertz ? hertz[0] : 0, hertz ? hertz[1] : 0));
#undef FIELDS
}

static void bdtree_models(void)
{
    static const struct {
        const char *scene, *model;
        uint32_t sizes[5];
    } papers[2] = {{"chairs", "chair", {9421, 17914, 10, 35827, 19}},
                   {"curtain", "curtain", {6184, 12020, 12, 24039, 17}}};
    bdtree_print_model_head();
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        bdtree_open(&stage, papers[i].scene, 1);
        graze_model_info info = graze_model_get_info(stage.models[BDTREE_PAPER][0]);
        stage_close(&stage);
        bdtree_print_model(papers[i].model, papers[i].sizes, &info, NULL);
    }
}

/* ---- queries of bounded depth on falling chairs (section 3.4; figure 7 stops at level 8) -------
 */

enum { EXACT, DEFAULT, LEAVES, LEVELS, WAYS = LEVELS + 4 };

static const uint32_t levels[WAYS] = {[LEVELS] = 6, 8, 10, 12};

typedef struct depth_task {
    struct stage stage;
    double pairs[WAYS];   /* of triangles or nodes */
    uint32_t meets[WAYS]; /* a bit for each pair of bodies */
    graze_stats stats[WAYS];
} depth_task;

static void ask(void *user, int way)
{
    depth_task *task = user;
    const graze_options how = {.stats = &task->stats[way]};
    graze_body **bodies = task->stage.bodies[way];
    uint32_t bit = 0;
    task->pairs[way] = task->meets[way] = 0;
    task->stats[way] = (graze_stats){0};
    stage_pose(&task->stage, (uint32_t)way);
    for (uint32_t a = 0; a < task->stage.body_count; a++)
        for (uint32_t b = a + 1; b < task->stage.body_count; b++, bit++) {
            size_t found = way < LEAVES ? bench_pairs(bodies[a], bodies[b], &how)
                                        : bench_bound_pairs(bodies[a], bodies[b], how.stats);
            task->pairs[way] += found;
            task->meets[way] |= (uint32_t)(found > 0) << bit;
        }
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void check(const depth_task *task, uint32_t frame)
{
    if (task->pairs[DEFAULT] != task->pairs[EXACT])
        bench_die("frame %u: %.0f pairs with boxes, %.0f with spheres", frame, task->pairs[DEFAULT],
                  task->pairs[EXACT]);
    for (int w = 0; w < WAYS; w++)
        if (task->meets[EXACT] & ~task->meets[w])
            bench_die("frame %u: level %u misses chairs that meet", frame, levels[w]);
}

static void bdtree_depth(void)
{
    static const char *names[] = {"exact, BD-tree", "exact, default tree", "leaf spheres",
                                  "contact level"};
    graze_tree_def trees[WAYS];
    depth_task task;
    bench_time times[WAYS];
    double us[WAYS] = {0}, pairs[WAYS] = {0}, tests[WAYS] = {0}, nodes[WAYS] = {0};
    uint32_t meets[WAYS] = {0}; /* pairs of bodies, over the frames */
    for (int w = 0; w < WAYS; w++) {
        trees[w] = tree_of(w == DEFAULT ? BDTREE_BOXES : BDTREE_OURS);
        trees[w].contact_level = levels[w];
    }
    stages_open(&task.stage, "chairs", trees, NULL, WAYS);
    uint32_t frames = task.stage.scene->frame_count;
    for (uint32_t frame = 0; frame < frames; frame++) {
        stages_frame(&task.stage, frame);
        bench_interleave(ask, &task, WAYS, asked.rounds, times);
        check(&task, frame);
        for (int w = 0; w < WAYS; w++) {
            us[w] += times[w].least / frames;
            pairs[w] += task.pairs[w] / frames;
            tests[w] += (double)task.stats[w].bound_tests / frames;
            nodes[w] += (double)task.stats[w].nodes_refit / frames;
            meets[w] += count_bits(task.meets[w]);
        }
    }
    stage_close(&task.stage);
    bench_say("\nthree chairs, bounded depth: %u frames; what a query says is that bodies may meet "
              "(exact: do)\n  %-20s %5s %10s %10s %10s %10s %12s %8s\n",
              frames, "", "level", "us", "refitted", "tests", "pairs", "bodies meet", "exact /");
    for (int w = 0; w < WAYS; w++)
        bench_row("bdtree_depth",
                  "method:%s:%-20s level:%.0f :%5.0f us:%.3f:%10.2f nodes_refit:%.1f:%10.1f "
                  "bound_tests:%.1f:%10.1f pairs:%.2f:%10.1f bodies_meet:%.0f:%12.0f :%8.2f",
                  ROW_TEXTS(names[w < LEVELS ? w : LEVELS]),
                  ROW_NUMBERS(levels[w], levels[w] ? levels[w] : NAN, us[w], nodes[w], tests[w],
                              pairs[w], meets[w], us[EXACT] / us[w]));
}

void bench_bdtree(void)
{
    bench_print_machine();
    bench_say("\nOne core; the least of %u interleaved runs. Paper: 3.0 GHz Xeon, Java, 2004.\n",
              asked.rounds);
    bdtree_models();
    bdtree_curtain();
    bdtree_growth();
    bdtree_decay();
    bdtree_updates();
    bdtree_depth();
}
