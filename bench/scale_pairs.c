/* Two characters with ever more triangles, joints or influences. */
#include "bench/scale.h"

#include "scenes/worm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 3 };

const pair_case scale_cases[SCALE_CASES] = {
    [SCALE_APART] = {"apart, all pairs", PAIR_APART, PAIR_ALL},
    [SCALE_TOUCHING] = {"touching, all pairs", PAIR_TOUCHING, PAIR_ALL},
    [SCALE_BEFORE] = {"touching before, all", PAIR_BEFORE, PAIR_ALL},
    [SCALE_DEEP] = {"deep, first pair", PAIR_DEEP, PAIR_FIRST},
    [SCALE_RAY] = {"one ray", PAIR_APART, PAIR_RAY}};

/* Where the second one stands, for models that are one shape. */
typedef float scale_placements[SCALE_CASES][FRAMES][12];

/* The least of some times of building, with example poses as everywhere in the benchmarks. */
static double time_build(const graze_rig *rig)
{
    enum { EXAMPLES = 4 };
    graze_model_def def = graze_rig_model_def(rig);
    float *poses = malloc((size_t)EXAMPLES * rig->joint_count * 12 * sizeof *poses);
    double least = INFINITY;
    int times = rig->triangle_count < 100000 ? 5 : 2;
    if (poses && !graze_rig_example_poses(rig, EXAMPLES, poses)) {
        def.example_poses = poses;
        def.example_pose_count = EXAMPLES;
    }
    for (int i = 0; i < times; i++) {
        graze_model *model = NULL;
        double start = bench_now();
        if (!graze_model_create(&def, &model, NULL))
            least = fmin(least, bench_now() - start);
        graze_model_destroy(model);
    }
    free(poses);
    return least / rig->triangle_count;
}

static void measure_memory(const pair_bench *pair, scale_point *point)
{
    graze_model_info info = graze_model_get_info(pair->subject->models[QUERIES_PLAIN]);
    double triangles = info.triangle_count;
    point->triangles = info.triangle_count;
    point->build = time_build(pair->subject->rig);
    point->tree = (double)info.tree_bytes / triangles;
    point->body = (double)info.body_bytes / triangles;
    if (pair->eager)
        point->boxes =
            (double)(eager_model_bytes(pair->eager) + eager_body_bytes(pair->eager_bodies[0])) /
            triangles;
}

static bool measure_case(pair_bench *pair, int number, const scale_placements *placements,
                         uint32_t rounds, scale_point *point)
{
    pair_record record;
    pair_begin(pair, &scale_cases[number], &record);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        bool staged = placements ? pair_stage_at(pair, scale_cases[number].place, frame, FRAMES,
                                                 (*placements)[number][frame])
                                 : pair_stage(pair, scale_cases[number].place, frame, FRAMES);
        if (!staged)
            return false;
        if (number == SCALE_RAY)
            pair_aim(pair, frame + 1);
        pair_measure(pair, &record, rounds);
    }
    for (uint32_t m = 0; m < record.entry.method_count; m++) {
        int way = record.who[m]->way == PAIR_GRAZE ? SCALE_GRAZE : SCALE_BOXES;
        point->least[number][way] = bench_middle(&record.entry.least[m]);
        point->median[number][way] = bench_middle(&record.entry.middle[m]);
    }
    point->pairs[number] =
        (double)record.who[0]->pairs / FRAMES / (number == SCALE_RAY ? PAIR_RAYS : 1);
    for (uint32_t m = 0; m < record.entry.method_count; m++)
        if (number != SCALE_RAY && record.who[m]->missing + record.who[m]->extra > 0) {
            fprintf(stderr, "graze: %s, %s: %s gives another answer\n", pair->subject->name,
                    scale_cases[number].name, record.who[m]->name);
            return false;
        }
    return true;
}

/* Takes over the rig. */
static bool measure_model(scale_sweep *sweep, double size, graze_rig *rig,
                          const scale_placements *placements, uint32_t rounds)
{
    queries_subject subject;
    pair_bench pair;
    scale_point *point = &sweep->points[sweep->count];
    *point = (scale_point){.size = size};
    if (!queries_open_subject(&subject, sweep->name, rig, QUERIES_PLAIN + 1))
        return false;
    bool ok = pair_open(&pair, &subject, 1u << PAIR_GRAZE | 1u << PAIR_EAGER_BOXES);
    if (ok) {
        measure_memory(&pair, point);
        for (int c = 0; c < SCALE_CASES && ok; c++)
            ok = measure_case(&pair, c, placements, rounds, point);
        pair_close(&pair);
    }
    queries_close_subject(&subject);
    sweep->count += ok;
    return ok;
}

/* ---- triangles ---------------------------------------------------------------------------- */

enum { COARSE = 1000, LEVELS = 6, MIDDLE_LEVEL = 2 };

static graze_rig *make_creature(uint32_t subdivisions)
{
    graze_synth_def def = {
        .kind = GRAZE_SYNTH_CREATURE, .triangles = COARSE, .subdivisions = subdivisions};
    return queries_make_rig(&def);
}

/* Placements are found once, at a level in the middle. */
static bool find_placements(scale_placements *placements)
{
    queries_subject subject;
    pair_bench pair;
    graze_rig *rig = make_creature(MIDDLE_LEVEL);
    if (!rig || !queries_open_subject(&subject, "creature", rig, QUERIES_PLAIN + 1))
        return false;
    bool ok = pair_open(&pair, &subject, 1u << PAIR_GRAZE);
    for (int c = 0; c < SCALE_CASES && ok; c++)
        for (uint32_t frame = 0; frame < FRAMES && ok; frame++) {
            ok = pair_stage(&pair, scale_cases[c].place, frame, FRAMES);
            memcpy((*placements)[c][frame], pair.actors[1].placement,
                   sizeof(*placements)[c][frame]);
        }
    if (ok)
        pair_close(&pair);
    queries_close_subject(&subject);
    return ok;
}

/* How graze's cost grows with each fourfold subdivision. */
static void print_growth(const scale_sweep *sweep, int number, double target)
{
    double most = 0;
    printf("  %s, times as long for each fourfold subdivision:", scale_cases[number].name);
    for (uint32_t i = 1; i < sweep->count; i++) {
        double growth = sweep->points[i].least[number][SCALE_GRAZE] /
                        sweep->points[i - 1].least[number][SCALE_GRAZE];
        most = fmax(most, growth);
        printf(" %.2f", growth);
    }
    if (target > 0)
        printf("; target at most %g: %s", target, most <= target ? "met" : "missed");
    putchar('\n');
}

bool scale_triangles(scale_output *output)
{
    scale_placements placements;
    scale_sweep sweep = {.name = "triangles",
                         .title = "Two creatures, the same surface subdivided"};
    if (!scale_is_wanted(output, sweep.name))
        return true;
    bool ok = find_placements(&placements);
    for (uint32_t level = 0; level < LEVELS && ok; level++) {
        graze_rig *rig = make_creature(level);
        ok = rig && measure_model(&sweep, rig->triangle_count, rig,
                                  (const scale_placements *)&placements, output->options->rounds);
    }
    if (!ok || !scale_show(output, &sweep))
        return false;
    if (!output->options->json) {
        print_growth(&sweep, SCALE_APART, 1.1);
        print_growth(&sweep, SCALE_TOUCHING, 1.3);
        print_growth(&sweep, SCALE_BEFORE, 1.3);
        print_growth(&sweep, SCALE_DEEP, 0);
        print_growth(&sweep, SCALE_RAY, 0);
    }
    return true;
}

/* ---- joints and influences ---------------------------------------------------------------- */

static bool measure_worm(scale_sweep *sweep, double size, uint32_t joints, uint32_t influences,
                         uint32_t rounds)
{
    graze_worm_def def = {.triangles = 50000, .joints = joints, .influences = influences};
    graze_rig *rig;
    graze_error error;
    if (!graze_worm(&def, NULL, &rig, &error))
        return measure_model(sweep, size, rig, NULL, rounds);
    fprintf(stderr, "graze: %s\n", error.text);
    return false;
}

bool scale_joints(scale_output *output)
{
    static const uint32_t joints[] = {10, 30, 100, 300, 1000};
    scale_sweep sweep = {.name = "joints", .title = "Two worms of 50,000 triangles, 4 influences"};
    if (!scale_is_wanted(output, sweep.name))
        return true;
    for (size_t i = 0; i < sizeof joints / sizeof *joints; i++)
        if (!measure_worm(&sweep, joints[i], joints[i], 4, output->options->rounds))
            return false;
    return scale_show(output, &sweep);
}

bool scale_influences(scale_output *output)
{
    static const uint32_t influences[] = {1, 2, 3, 4, 6, 8};
    scale_sweep sweep = {.name = "influences",
                         .title = "Two worms of 50,000 triangles, 100 joints"};
    if (!scale_is_wanted(output, sweep.name))
        return true;
    for (size_t i = 0; i < sizeof influences / sizeof *influences; i++)
        if (!measure_worm(&sweep, influences[i], 100, influences[i], output->options->rounds))
            return false;
    return scale_show(output, &sweep);
}

/* ---- for the other tables ---------------------------------------------------------------- */

bool scale_open_creatures(queries_subject *subject, pair_bench *pair)
{
    graze_synth_def def = {.kind = GRAZE_SYNTH_CREATURE, .triangles = 50000};
    graze_rig *rig = queries_make_rig(&def);
    if (!rig || !queries_open_subject(subject, "creature:50000", rig, QUERIES_PLAIN + 1))
        return false;
    if (pair_open(pair, subject, 1u << PAIR_GRAZE))
        return true;
    queries_close_subject(subject);
    return false;
}
