/* The cost of bounds: of one from the pose, and of all of them from the pose or bottom-up, with the
 * operations that each takes (section 4.2, and the man of section 5).
 */
#include "bench/flops.h"
#include "bench/lbs_tables.h"
#include "bench/measure.h"

#include <graze/reference.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void bound_everything(void *body)
{
    graze_body_bound_all(body);
}

static void refit_everything(void *body)
{
    graze_body_drop_caches(body);
    graze_body_refit_all(body);
}

bool lbs_bound_cost(const bench_options *options)
{
    static const char *names[LBS_TREE_COUNT] = {"paper's tree, corners", "paper's tree, our way",
                                                "default tree", "boxes with fat leaves"};
    graze_tree_def trees[LBS_TREE_COUNT];
    lbs_trees(trees);
    if (!options->json)
        printf("\ncost of one bound from the pose, mean over all nodes of the tree\n"
               "  %-10s %-24s %8s %12s %20s\n",
               "", "", "nodes", "ns a bound", "skin + refit all us");
    for (int kind = 0; kind <= GRAZE_SYNTH_DWARF; kind++)
        for (int t = 0; t < LBS_TREE_COUNT; t++) {
            lbs_subject subject;
            if (!lbs_open(&subject, (graze_synth_kind)kind, &trees[t], GRAZE_ISA_BEST))
                return false;
            lbs_pose(&subject);
            uint32_t nodes = graze_model_get_info(subject.model).node_count;
            bench_method methods[2] = {{"bound", bound_everything, subject.body},
                                       {"refit", refit_everything, subject.body}};
            bench_samples samples[2];
            memset(samples, 0, sizeof samples);
            bench_interleave(methods, 2, options->rounds < 20 ? 20 : options->rounds, samples);
            double ns = bench_least(&samples[0]) * 1e3 / nodes, us = bench_least(&samples[1]);
            if (options->json)
                printf("{\"table\":\"lbs_bound_cost\",\"model\":\"%s\",\"tree\":\"%s\","
                       "\"nodes\":%u,\"ns\":%.2f,\"refit_all_us\":%.2f}\n",
                       graze_synth_name((graze_synth_kind)kind), names[t], nodes, ns, us);
            else
                printf("  %-10s %-24s %8u %12.1f %20.1f\n",
                       graze_synth_name((graze_synth_kind)kind), names[t], nodes, ns, us);
            lbs_close(&subject);
        }
    return true;
}

/* ---- everything from the pose, or bottom-up -------------------------------------------------- */

typedef struct refit_task {
    graze_body *body;
    float *positions;
} refit_task;

static void skin_everything(void *user)
{
    refit_task *task = user;
    graze_body_drop_caches(task->body);
    graze_body_get_positions(task->body, task->positions);
}

enum { RUN_CORNERS, RUN_OURS, RUN_SKIN, RUN_BOTTOM_UP, RUN_COUNT };

/* Both trees of one model on one instruction set. */
typedef struct refit_pair {
    lbs_subject corners, ours;
    double us[RUN_COUNT];
} refit_pair;

static bool measure_pair(refit_pair *pair, uint32_t rounds)
{
    refit_task task = {pair->corners.body, NULL};
    bench_samples samples[RUN_COUNT];
    bench_method methods[RUN_COUNT] = {{"", bound_everything, pair->corners.body},
                                       {"", bound_everything, pair->ours.body},
                                       {"", skin_everything, &task},
                                       {"", refit_everything, pair->corners.body}};
    memset(samples, 0, sizeof samples);
    task.positions = malloc(3 * sizeof(float) * pair->corners.rig->vertex_count);
    if (!task.positions || !lbs_pose(&pair->corners) || !lbs_pose(&pair->ours)) {
        free(task.positions);
        return false;
    }
    bench_interleave(methods, RUN_COUNT, rounds < 20 ? 20 : rounds, samples);
    for (int r = 0; r < RUN_COUNT; r++)
        pair->us[r] = bench_least(&samples[r]);
    free(task.positions);
    return true;
}

static void print_pair(const bench_options *options, const char *model, const char *isa,
                       const refit_pair *pair)
{
    uint32_t nodes = graze_model_get_info(pair->corners.model).node_count;
    const double *us = pair->us;
    if (options->json)
        printf("{\"table\":\"lbs_refit\",\"model\":\"%s\",\"isa\":\"%s\",\"nodes\":%u,"
               "\"corners_us\":%.2f,\"ours_us\":%.2f,\"skin_us\":%.2f,\"bottom_up_us\":%.2f}\n",
               model, isa, nodes, us[RUN_CORNERS], us[RUN_OURS], us[RUN_SKIN], us[RUN_BOTTOM_UP]);
    else
        printf("  %-10s %-8s %8u %9.1f %9.1f %9.1f %9.1f %9.2f %9.2f %9.1f %9.1f\n", model, isa,
               nodes, us[RUN_CORNERS], us[RUN_OURS], us[RUN_SKIN], us[RUN_BOTTOM_UP],
               us[RUN_CORNERS] / us[RUN_BOTTOM_UP], us[RUN_OURS] / us[RUN_BOTTOM_UP],
               1e3 * us[RUN_CORNERS] / nodes, 1e3 * us[RUN_BOTTOM_UP] / nodes);
}

/* The operations, and how many of them are done in a nanosecond. */
static bool print_flops(const bench_options *options, const char *model, const refit_pair *pair)
{
    bench_flops flops;
    if (!bench_count_flops(pair->corners.rig, pair->corners.body, &flops)) {
        fprintf(stderr, "graze: out of memory\n");
        return false;
    }
    const double *us = pair->us;
    double nodes = flops.nodes, skin = flops.skin, bottom_up = flops.skin + flops.refit;
    if (options->json) {
        printf("{\"table\":\"lbs_flops\",\"model\":\"%s\",\"corners\":%.1f,\"ours\":%.1f,"
               "\"vertex\":%.1f,\"bottom_up\":%.1f,\"corners_a_sphere\":%.2f,\"sets\":%.2f,"
               "\"ratio\":%.2f}\n",
               model, flops.corners / nodes, flops.ours / nodes, skin / flops.vertices,
               bottom_up / nodes, flops.corner_count / nodes, flops.set_count / nodes,
               flops.corners / bottom_up);
        return true;
    }
    printf("  %-10s %7.2f %8.2f %9.0f %9.0f %9.0f %9.0f %9.2f %9.2f | %7.1f %7.1f %7.1f %9.1f\n",
           model, flops.set_count / nodes, flops.corner_count / nodes, flops.corners / nodes,
           flops.ours / nodes, skin / flops.vertices, bottom_up / nodes, flops.corners / bottom_up,
           flops.ours / bottom_up, 1e-3 * flops.corners / us[RUN_CORNERS],
           1e-3 * flops.ours / us[RUN_OURS], 1e-3 * skin / us[RUN_SKIN],
           1e-3 * bottom_up / us[RUN_BOTTOM_UP]);
    return true;
}

/* False if there is no such instruction set here. */
static bool open_pair(refit_pair *pair, graze_synth_kind kind, graze_isa isa)
{
    graze_tree_def trees[LBS_TREE_COUNT];
    lbs_trees(trees);
    if (!lbs_open(&pair->corners, kind, &trees[LBS_CORNERS], isa))
        return false;
    if (lbs_open(&pair->ours, kind, &trees[LBS_SPHERES], isa))
        return true;
    lbs_close(&pair->corners);
    return false;
}

static bool refit_models(const bench_options *options, bool flops)
{
    static const struct {
        graze_isa isa;
        const char *name;
    } sets[] = {{GRAZE_ISA_BASE, "base"}, {GRAZE_ISA_AVX2, "AVX2"}, {GRAZE_ISA_AVX512, "AVX-512"}};
    for (int kind = 0; kind <= GRAZE_SYNTH_DWARF; kind++)
        for (size_t i = flops ? 2 : 0; i < 3; i++) {
            refit_pair pair;
            const char *name = graze_synth_name((graze_synth_kind)kind);
            if (!flops && !graze_isa_available(sets[i].isa))
                continue;
            if (!open_pair(&pair, (graze_synth_kind)kind, flops ? GRAZE_ISA_BEST : sets[i].isa))
                return false;
            bool ok = measure_pair(&pair, options->rounds);
            if (ok && flops)
                ok = print_flops(options, name, &pair);
            else if (ok)
                print_pair(options, name, sets[i].name, &pair);
            lbs_close(&pair.corners);
            lbs_close(&pair.ours);
            if (!ok)
                return false;
        }
    return true;
}

bool lbs_refit(const bench_options *options)
{
    if (!options->json)
        printf(
            "\nall spheres from the pose against skinning and bottom-up, us (paper, man: 20,210 "
            "for 15,339 spheres, 1,318 ns each; bottom-up\n17,280 in a frame of two men, 1.17 as "
            "it stands and 2.34 a sphere if that is both; creatures 808 ns a sphere)\n  %-10s "
            "%-8s %8s %9s %9s %9s %9s %9s %9s %9s %9s\n",
            "", "lanes", "spheres", "corners", "our way", "skin", "bottom-up", "corn./b.u.",
            "ours/b.u.", "ns corner", "ns b.-up");
    if (!refit_models(options, false))
        return false;
    if (!options->json)
        printf("\nfloating-point operations, counted as the paper counts them: of a sphere (by "
               "corners: sum of 18 p + 11 m + 8 p m - 2 over\njoint-sets of p joints and m "
               "corners), of a skinned vertex, and of a sphere bottom-up, its share of skinning "
               "included\n  %-10s %7s %8s %9s %9s %9s %9s %9s %9s | flop a ns\n  %-10s %7s %8s %9s "
               "%9s %9s %9s %9s %9s | %7s %7s %7s %9s\n",
               "", "sets", "corners", "corners", "our way", "vertex", "bottom-up", "corn./b.u.",
               "ours/b.u.", "", "", "", "flops", "flops", "flops", "flops", "", "", "corners",
               "ours", "skin", "bottom-up");
    return refit_models(options, true);
}
