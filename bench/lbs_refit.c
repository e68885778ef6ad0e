/* The cost of bounds: of one from the pose, and of all of them from the pose or bottom-up, with the
 * operations that each takes (section 4.2, and the man of section 5).
 */
#include "bench/flops.h"
#include "bench/lbs_tables.h"

enum { CORNERS, OURS, SKIN, BOTTOM_UP, WAYS };

/* Both trees of one model on one instruction set; of the ways, in microseconds. */
typedef struct refit_task {
    lbs_subject corners, ours;
    float *positions;
    double us[WAYS];
} refit_task;

static void ask(void *user, int way)
{
    refit_task *task = user;
    graze_body *body = task->corners.body;
    if (way == CORNERS || way == OURS) {
        graze_body_bound_all(way == CORNERS ? body : task->ours.body);
        return;
    }
    graze_body_drop_caches(body);
    if (way == SKIN)
        graze_body_get_positions(body, task->positions);
    else
        graze_body_refit_all(body);
}

static uint32_t many_rounds(void)
{
    return asked.rounds < 20 ? 20 : asked.rounds;
}

/* ---- one bound ------------------------------------------------------------------------------- */

static void bound_or_refit(void *user, int way)
{
    ask(user, way == 0 ? CORNERS : BOTTOM_UP);
}

void lbs_bound_cost(void)
{
    static const char *names[LBS_TREE_COUNT] = {"paper's tree, corners", "paper's tree, our way",
                                                "default tree", "boxes with fat leaves"};
    bench_say("\ncost of one bound from the pose, mean over all nodes of the tree\n"
              "  %-10s %-24s %8s %12s %20s\n",
              "", "", "nodes", "ns a bound", "skin + refit all us");
    for (int i = 0; i < (GRAZE_SYNTH_DWARF + 1) * LBS_TREE_COUNT; i++) {
        graze_synth_kind kind = (graze_synth_kind)(i / LBS_TREE_COUNT);
        lbs_tree tree = (lbs_tree)(i % LBS_TREE_COUNT);
        refit_task task;
        bench_time times[2];
        lbs_open(&task.corners, kind, lbs_tree_def(tree), GRAZE_ISA_BEST);
        lbs_pose(&task.corners);
        double nodes = bench_nodes(task.corners.body);
        bench_interleave(bound_or_refit, &task, 2, many_rounds(), times);
        bench_row("lbs_bound_cost",
                  "model:%s:%-10s tree:%s:%-24s nodes:%.0f:%8.0f ns:%.2f:%12.1f "
                  "refit_all_us:%.2f:%20.1f",
                  ROW_TEXTS(graze_synth_name(kind), names[tree]),
                  ROW_NUMBERS(nodes, times[0].least * 1e3 / nodes, times[1].least));
        lbs_close(&task.corners);
    }
}

/* ---- everything from the pose, or bottom-up -------------------------------------------------- */

static void measure(refit_task *task, graze_synth_kind kind, graze_isa isa)
{
    bench_time times[WAYS];
    lbs_open(&task->corners, kind, lbs_tree_def(LBS_CORNERS), isa);
    lbs_open(&task->ours, kind, lbs_tree_def(LBS_SPHERES), isa);
    task->positions = bench_take(task->corners.rig->vertex_count, 3 * sizeof(float));
    lbs_pose(&task->corners);
    lbs_pose(&task->ours);
    bench_interleave(ask, task, WAYS, many_rounds(), times);
    for (int w = 0; w < WAYS; w++)
        task->us[w] = times[w].least;
}

static void close_task(refit_task *task)
{
    free(task->positions);
    lbs_close(&task->corners);
    lbs_close(&task->ours);
}

static void print_times(graze_synth_kind kind, graze_isa isa, const char *name)
{
    refit_task task;
    const double *us = task.us;
    measure(&task, kind, isa);
    double nodes = bench_nodes(task.corners.body);
    bench_row("lbs_refit",
              "model:%s:%-10s isa:%s:%-8s nodes:%.0f:%8.0f corners_us:%.2f:%9.1f "
              "ours_us:%.2f:%9.1f skin_us:%.2f:%9.1f bottom_up_us:%.2f:%9.1f :%9.2f :%9.2f :%9.1f "
              ":%9.1f",
              ROW_TEXTS(graze_synth_name(kind), name),
              ROW_NUMBERS(nodes, us[CORNERS], us[OURS], us[SKIN], us[BOTTOM_UP],
                          us[CORNERS] / us[BOTTOM_UP], us[OURS] / us[BOTTOM_UP],
                          1e3 * us[CORNERS] / nodes, 1e3 * us[BOTTOM_UP] / nodes));
    close_task(&task);
}

/* The operations, and how many of them are done in a nanosecond. */
static void print_flops(graze_synth_kind kind)
{
    refit_task task;
    const double *us = task.us;
    measure(&task, kind, GRAZE_ISA_BEST);
    const bench_flops flops = bench_count_flops(task.corners.rig, task.corners.body);
    double nodes = flops.nodes, skin = flops.skin, bottom_up = flops.skin + flops.refit;
    bench_row("lbs_flops",
              "model:%s:%-10s sets:%.2f:%7.2f corners_a_sphere:%.2f:%8.2f corners:%.1f:%9.0f "
              "ours:%.1f:%9.0f vertex:%.1f:%9.0f bottom_up:%.1f:%9.0f ratio:%.2f:%9.2f :%9.2f "
              ":|_%7.1f :%7.1f :%7.1f :%9.1f",
              ROW_TEXTS(graze_synth_name(kind)),
              ROW_NUMBERS(flops.set_count / nodes, flops.corner_count / nodes,
                          flops.corners / nodes, flops.ours / nodes, skin / flops.vertices,
                          bottom_up / nodes, flops.corners / bottom_up, flops.ours / bottom_up,
                          1e-3 * flops.corners / us[CORNERS], 1e-3 * flops.ours / us[OURS],
                          1e-3 * skin / us[SKIN], 1e-3 * bottom_up / us[BOTTOM_UP]));
    close_task(&task);
}

void lbs_refit(void)
{
    static const struct {
        graze_isa isa;
        const char *name;
    } sets[] = {{GRAZE_ISA_BASE, "base"}, {GRAZE_ISA_AVX2, "AVX2"}, {GRAZE_ISA_AVX512, "AVX-512"}};
    bench_say("\nall spheres from the pose against skinning and bottom-up, us (paper, man: 20,210 "
              "for 15,339 spheres, 1,318 ns each; bottom-up\n17,280 in a frame of two men, 1.17 as "
              "it stands and 2.34 a sphere if that is both; creatures 808 ns a sphere)\n  %-10s "
              "%-8s %8s %9s %9s %9s %9s %9s %9s %9s %9s\n",
              "", "lanes", "spheres", "corners", "our way", "skin", "bottom-up", "corn./b.u.",
              "ours/b.u.", "ns corner", "ns b.-up");
    for (int kind = 0; kind <= GRAZE_SYNTH_DWARF; kind++)
        for (size_t i = 0; i < COUNT_OF(sets); i++)
            if (graze_isa_available(sets[i].isa))
                print_times((graze_synth_kind)kind, sets[i].isa, sets[i].name);
    bench_say("\nfloating-point operations, counted as the paper counts them: of a sphere (by "
              "corners: sum of 18 p + 11 m + 8 p m - 2 over\njoint-sets of p joints and m "
              "corners), of a skinned vertex, and of a sphere bottom-up, its share of skinning "
              "included\n  %-10s %7s %8s %9s %9s %9s %9s %9s %9s | flop a ns\n  %-10s %7s %8s %9s "
              "%9s %9s %9s %9s %9s | %7s %7s %7s %9s\n",
              "", "sets", "corners", "corners", "our way", "vertex", "bottom-up", "corn./b.u.",
              "ours/b.u.", "", "", "", "flops", "flops", "flops", "flops", "", "", "corners",
              "ours", "skin", "bottom-up");
    for (int kind = 0; kind <= GRAZE_SYNTH_DWARF; kind++)
        print_flops((graze_synth_kind)kind);
}
