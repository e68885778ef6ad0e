/* The experiments of D. L. James and D. K. Pai, "BD-Tree: output-sensitive collision detection for
 * reduced deformable models" (2004), section 4, on the procedural models.
 */
#include "bench/bdtree_tables.h"

#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

bool bdtree_open(struct stage *stage, const char *scene, uint32_t tree_count)
{
    graze_tree_def trees[BDTREE_TREE_COUNT];
    for (int t = 0; t < BDTREE_TREE_COUNT; t++) {
        trees[t] = t < BDTREE_BOXES ? graze_paper_tree_def() : graze_default_tree_def();
        if (t != BDTREE_PAPER)
            trees[t].refit = GRAZE_REFIT_DEFAULT;
        if (t < BDTREE_COLLAPSED)
            trees[t].collapse = 1;
        if (t == BDTREE_FAT)
            trees[t].patch_triangles = 4;
    }
    return stage_open(stage, scene, trees, tree_count);
}

bool bdtree_make_ball(graze_model **model, graze_body **body)
{
    static const float centre[3] = {0, 0.15f, 0}; /* as graze_synth makes it: it lies on y = 0 */
    return bdtree_make_sphere(centre, 0.15f, model, body);
}

bool bdtree_make_sphere(const float centre[3], float radius, graze_model **model, graze_body **body)
{
    static const float corners[3][2] = {{1, 0}, {-0.5f, 0.8660254f}, {-0.5f, -0.8660254f}};
    static const uint32_t triangle[3] = {0, 1, 2};
    graze_model_def def = graze_default_model_def();
    graze_error error;
    float positions[3][3];
    for (int v = 0; v < 3; v++) {
        memcpy(positions[v], centre, sizeof positions[v]);
        positions[v][0] += radius * corners[v][0];
        positions[v][2] += radius * corners[v][1];
    }
    def.positions = positions[0];
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = 1;
    def.tree = graze_paper_tree_def();
    if (!graze_model_create(&def, model, &error) && !graze_body_create(*model, body, &error))
        return true;
    fprintf(stderr, "graze: %s\n", error.text);
    return false;
}

/* Sizes of models and trees (table 1). */
bool bdtree_models(const bench_options *options)
{
    static const struct {
        const char *scene, *model;
        uint32_t vertices, faces, fields, spheres, levels;
    } papers[2] = {{"chairs", "chair", 9421, 17914, 10, 35827, 19},
                   {"curtain", "curtain", 6184, 12020, 12, 24039, 17}};
    if (!options->json)
        printf("\nmodels and the paper's tree (paper's figures in brackets)\n"
               "  %-10s %16s %16s %12s %16s %12s %10s\n",
               "", "vertices", "faces", "fields", "spheres", "levels", "tree MB");
    for (int i = 0; i < 2; i++) {
        struct stage stage;
        if (!bdtree_open(&stage, papers[i].scene, 1))
            return false;
        graze_model_info info = graze_model_get_info(stage.models[BDTREE_PAPER][0]);
        stage_close(&stage);
        if (options->json)
            printf("{\"table\":\"bdtree_models\",\"model\":\"%s\",\"vertices\":%u,\"faces\":%u,"
                   "\"fields\":%u,\"spheres\":%u,\"levels\":%u,\"tree_bytes\":%zu}\n",
                   papers[i].model, info.vertex_count, info.triangle_count, info.morph_count,
                   info.node_count, info.level_count, info.tree_bytes);
        else
            printf("  %-10s %8u [%5u] %8u [%5u] %7u [%2u] %8u [%5u] %7u [%2u] %10.1f\n",
                   papers[i].model, info.vertex_count, papers[i].vertices, info.triangle_count,
                   papers[i].faces, info.morph_count, papers[i].fields, info.node_count,
                   papers[i].spheres, info.level_count, papers[i].levels,
                   (double)info.tree_bytes * 1e-6);
    }
    return true;
}

int bench_bdtree(const bench_options *options)
{
    bench_print_machine(options->json);
    if (!options->json)
        printf("\nOne core; the least of %u interleaved runs. Paper: 3.0 GHz Xeon, Java, 2004.\n",
               options->rounds);
    bool ok = bdtree_models(options) && bdtree_curtain(options) && bdtree_growth(options) &&
              bdtree_decay(options) && bdtree_updates(options) && bdtree_depth(options);
    return ok ? 0 : 2;
}
