/* Where the time of a lazy query goes, and what it costs beside a rigid one: with all bounds there,
 * with everything there, frozen in the posture with the same tree, and with a tree built anew for
 * the posture, as in section 5.
 */
#include "bench/lbs_tables.h"
#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_LAZY, RUN_BOUNDED, RUN_READY, RUN_FROZEN, RUN_REBUILT, RUN_COUNT };

typedef struct rigid_frame {
    struct stage *stage;
    graze_model *models[4];
    graze_body *frozen[2], *rebuilt[2];
    double build_ms; /* of both trees that were built anew */
} rigid_frame;

typedef struct rigid_sums {
    double us[RUN_COUNT], nodes[RUN_COUNT], tests[RUN_COUNT], vertices[RUN_COUNT];
    double triangles[RUN_COUNT], pairs, frames, build_ms;
} rigid_sums;

/* A rigid body of the present positions, with a tree of its own. */
static bool rebuild(struct stage *stage, uint32_t body, graze_model **model, graze_body **made,
                    double *build_ms)
{
    const graze_rig *rig = stage->scene->rigs[stage->scene->instances[body].rig];
    float *positions = malloc(3 * sizeof(float) * rig->vertex_count);
    graze_model_def def = graze_default_model_def();
    if (!positions)
        return false;
    graze_body_get_positions(stage->bodies[0][body], positions);
    def.positions = positions;
    def.vertex_count = rig->vertex_count;
    def.triangles = rig->triangles;
    def.triangle_count = rig->triangle_count;
    def.joint_count = 1;
    def.tree = stage->trees[0];
    double start = bench_now();
    bool ok = !graze_model_create(&def, model, NULL);
    *build_ms += (bench_now() - start) * 1e-3;
    free(positions);
    return ok && !graze_body_create(*model, made, NULL);
}

static void close_frame(rigid_frame *frame)
{
    for (int b = 0; b < 2; b++) {
        graze_body_destroy(frame->frozen[b]);
        graze_body_destroy(frame->rebuilt[b]);
    }
    for (int m = 0; m < 4; m++)
        graze_model_destroy(frame->models[m]);
}

static bool open_frame(rigid_frame *frame, struct stage *stage)
{
    bool ok = true;
    memset(frame, 0, sizeof *frame);
    frame->stage = stage;
    stage_pose(stage, 0);
    for (uint32_t b = 0; ok && b < 2; b++)
        ok = stage_freeze(stage->bodies[0][b], &frame->models[b], &frame->frozen[b]) &&
             rebuild(stage, b, &frame->models[2 + b], &frame->rebuilt[b], &frame->build_ms);
    return ok;
}

/* Everything that a run finds ready, which is not measured. */
static void make_ready(rigid_frame *frame, int run)
{
    graze_body **bodies = frame->stage->bodies[0];
    size_t hits = 0;
    if (run == RUN_BOUNDED || run == RUN_READY)
        stage_pose(frame->stage, 0);
    for (int b = 0; run == RUN_BOUNDED && b < 2; b++)
        graze_body_bound_all(bodies[b]);
    if (run == RUN_READY)
        graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
}

static size_t ask(rigid_frame *frame, int run, graze_stats *stats)
{
    graze_body **bodies = run == RUN_FROZEN    ? frame->frozen
                          : run == RUN_REBUILT ? frame->rebuilt
                                               : frame->stage->bodies[0];
    size_t hits = 0;
    memset(stats, 0, sizeof *stats);
    if (run == RUN_LAZY)
        stage_pose(frame->stage, 0);
    graze_collide(bodies[0], bodies[1], stage_count, &hits, stats, NULL);
    return hits;
}

/* The first run of a round only warms up. */
static bool measure_frame(rigid_frame *frame, uint32_t rounds, rigid_sums *sums)
{
    bench_samples samples[RUN_COUNT];
    graze_stats stats[RUN_COUNT];
    size_t hits[RUN_COUNT];
    memset(samples, 0, sizeof samples);
    for (uint32_t round = 0; round < rounds; round++)
        for (int r = 0; r < RUN_COUNT; r++)
            for (int turn = 0; turn < 2; turn++) {
                make_ready(frame, r);
                double start = bench_now();
                hits[r] = ask(frame, r, &stats[r]);
                if (turn)
                    bench_add(&samples[r], bench_now() - start);
            }
    for (int r = 0; r < RUN_COUNT; r++) {
        sums->us[r] += bench_least(&samples[r]);
        sums->nodes[r] += (double)stats[r].nodes_refit;
        sums->tests[r] += (double)stats[r].bound_tests;
        sums->vertices[r] += (double)stats[r].vertices_posed;
        sums->triangles[r] += (double)stats[r].triangle_tests;
        if (hits[r] != hits[0]) {
            fprintf(stderr, "graze: rigid: run %d finds %zu pairs, not %zu\n", r, hits[r], hits[0]);
            return false;
        }
    }
    sums->pairs += (double)hits[0];
    sums->build_ms += frame->build_ms;
    sums->frames++;
    return true;
}

static void print_rows(const bench_options *options, const char *scene, const rigid_sums *sums)
{
    static const char *names[RUN_COUNT] = {"lazy", "all bounds ready", "everything ready",
                                           "rigid, same tree", "rigid, tree built anew"};
    double n = sums->frames;
    for (int r = 0; r < RUN_COUNT; r++)
        if (options->json)
            printf("{\"table\":\"lbs_rigid\",\"scene\":\"%s\",\"run\":\"%s\",\"us\":%.3f,"
                   "\"lazy_to_this\":%.3f,\"pairs\":%.1f,\"nodes_refit\":%.1f,\"bound_tests\":%.1f,"
                   "\"vertices_posed\":%.1f,\"triangle_tests\":%.1f}\n",
                   scene, names[r], sums->us[r] / n, sums->us[RUN_LAZY] / sums->us[r],
                   sums->pairs / n, sums->nodes[r] / n, sums->tests[r] / n, sums->vertices[r] / n,
                   sums->triangles[r] / n);
        else
            printf("  %-20s %-24s %9.2f %7.2f %7.1f %9.0f %9.0f %9.0f %9.0f\n", r ? "" : scene,
                   names[r], sums->us[r] / n, sums->us[RUN_LAZY] / sums->us[r], sums->pairs / n,
                   sums->nodes[r] / n, sums->tests[r] / n, sums->vertices[r] / n,
                   sums->triangles[r] / n);
    if (!options->json)
        printf("  %-20s %-24s %9.0f\n", "", "(building both trees)", 1e3 * sums->build_ms / n);
}

static bool compare_rigid(const bench_options *options, const char *name, uint32_t step,
                          uint32_t frames)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    struct stage stage;
    rigid_sums sums = {.frames = 0};
    lbs_trees(trees);
    if (!stage_open(&stage, name, &trees[LBS_SPHERES], 1))
        return false;
    bool ok = true;
    for (uint32_t f = 0; ok && f < stage.scene->frame_count && f < frames; f += step) {
        rigid_frame frame = {.build_ms = 0};
        ok = stage_frame(&stage, f) && open_frame(&frame, &stage) &&
             measure_frame(&frame, options->rounds, &sums);
        close_frame(&frame);
    }
    stage_close(&stage);
    if (ok)
        print_rows(options, name, &sums);
    fflush(stdout);
    return ok;
}

bool lbs_rigid(const bench_options *options)
{
    if (!options->json)
        printf(
            "\nwhere the time goes, paper's tree, our way: what is ready is not measured (paper, "
            "dwarves: lazy / rigid with a tree built\nanew 1.33 / 0.7 ms = 1.9, building it "
            "1,549 ms)\n  %-20s %-24s %9s %7s %7s %9s %9s %9s %9s\n",
            "", "", "us", "lazy /", "pairs", "refitted", "tests", "vertices", "triangles");
    static const char *dwarves[] = {"dwarves-touching-0", "dwarves-touching-1",
                                    "dwarves-touching-2", "dwarves-touching-3"};
    for (int level = 0; level < 4; level++)
        if (!compare_rigid(options, dwarves[level], 1, 1))
            return false;
    return compare_rigid(options, "creatures", 8, UINT32_MAX) &&
           compare_rigid(options, "creatures-aside", 8, UINT32_MAX) &&
           compare_rigid(options, "men", 6, UINT32_MAX);
}
