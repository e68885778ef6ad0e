/* Spheres level by level: radii of the creature's in the candy-wrapper pose (table 1), and which
 * share of them a query of two men refits (figure 6, and figure 5 of the 2005 paper).
 */
#include "bench/sbs_tables.h"

/* ---- radii ---------------------------------------------------------------------------------- */

enum {
    REFERENCE,
    LINEAR,
    SPHERICAL,
    DUAL,
    LINEAR_CORNERS,
    SPHERICAL_CORNERS,
    BEST_LINEAR,
    BEST_SPHERICAL,
    BEST_DUAL,
    COLUMNS
};

typedef stages_level column[STAGES_LEVELS];

#define PAPER_LEVELS 9

/* Least, mean and largest radius of reference, linear, spherical and best. */
static const double paper[PAPER_LEVELS][4][3] = {
    {{34.55, 34.55, 34.55}, {72.17, 72.17, 72.17}, {79.55, 79.55, 79.55}, {34.41, 34.41, 34.41}},
    {{18.11, 18.86, 19.74}, {26.17, 31.58, 34.48}, {26.23, 33.95, 37.84}, {17.97, 22.05, 26.57}},
    {{3.11, 7.38, 10.47}, {3.11, 8.40, 14.89}, {3.11, 8.89, 17.33}, {3.11, 7.39, 10.13}},
    {{0.98, 3.68, 6.23}, {0.98, 4.03, 7.96}, {0.98, 4.12, 9.23}, {0.98, 3.69, 6.47}},
    {{0.24, 1.69, 3.69}, {0.24, 1.80, 5.05}, {0.24, 1.83, 5.28}, {0.24, 1.70, 4.33}},
    {{0.20, 0.91, 2.84}, {0.20, 0.97, 3.50}, {0.20, 0.98, 4.01}, {0.20, 0.92, 2.89}},
    {{0.15, 0.61, 2.09}, {0.15, 0.65, 2.68}, {0.15, 0.66, 3.58}, {0.15, 0.61, 2.09}},
    {{0.15, 0.42, 1.16}, {0.15, 0.43, 1.59}, {0.15, 0.43, 1.71}, {0.15, 0.42, 1.29}},
    {{0.12, 0.30, 0.54}, {0.12, 0.30, 0.59}, {0.12, 0.30, 0.78}, {0.12, 0.30, 0.54}}};

static void fill_radii(column *columns)
{
    const uint32_t fullest_twist = 30; /* frame: 1 s into the clip */
    struct stage stage;
    sbs_open(&stage, "candy", SBS_LINEAR_BOXES);
    stages_add_radii(stage.bodies[SBS_LINEAR][0], GRAZE_NODE_BEST, columns[REFERENCE]);
    for (uint32_t t = 0; t < SBS_LINEAR_BOXES; t++) {
        stages_pose(&stage, fullest_twist, t);
        stages_add_radii(stage.bodies[t][0], GRAZE_NODE_CURRENT, columns[LINEAR + t]);
    }
    for (uint32_t t = 0; t < SBS_LINEAR_CORNERS; t++)
        stages_add_radii(stage.bodies[t][0], GRAZE_NODE_BEST, columns[BEST_LINEAR + t]);
    stage_close(&stage);
}

static void print_json(column *columns)
{
    for (int l = 0; columns[0][l].count; l++) {
        double numbers[2 + 3 * COLUMNS] = {l + 1, columns[0][l].count};
        for (int c = 0; c < COLUMNS; c++) {
            const stages_level *level = &columns[c][l];
            numbers[2 + 3 * c] = level->least;
            numbers[3 + 3 * c] = level->sum / level->count;
            numbers[4 + 3 * c] = level->most;
        }
#define RADII(name) " " name ":[%.6g,%.6g,%.6g]"
        bench_json_row("sbs_radii",
                       "level:%.0f spheres:%.0f" RADII("reference") RADII("linear")
                           RADII("spherical") RADII("dual") RADII("linear_corners")
                               RADII("spherical_corners") RADII("best_linear")
                                   RADII("best_spherical") RADII("best_dual"),
                       NULL, numbers);
#undef RADII
    }
}

static void print_multiples(column *columns)
{
    static const int bests[COLUMNS] = {BEST_SPHERICAL, BEST_LINEAR, BEST_SPHERICAL,
                                       BEST_DUAL,      BEST_LINEAR, BEST_SPHERICAL};
    bench_say("\nmean radius per level of the creature's tree, neck twisted by 164 degrees: "
              "multiples of the best possible one\naround the same skin (reference: of "
              "spherical's, as in the paper; corners: the papers' refit)\n"
              "  %5s %7s %8s | %9s %9s %9s %9s %11s %11s | %s\n",
              "level", "spheres", "best m", "reference", "linear", "spherical", "dual",
              "lin.corners", "sph.corners", "paper: reference, linear, spherical");
    for (int l = 0; columns[0][l].count; l++) {
        const stages_level *best = &columns[BEST_SPHERICAL][l];
        bench_say("  %5d %7u %8.4f |", l + 1, best->count, best->sum / best->count);
        for (int c = REFERENCE; c < BEST_LINEAR; c++)
            bench_say(" %*.3f", c < LINEAR_CORNERS ? 9 : 11,
                      columns[c][l].sum / columns[bests[c]][l].sum);
        bench_say(" |");
        for (int c = 0; l < PAPER_LEVELS && c < 3; c++)
            bench_say(" %9.3f", paper[l][c][1] / paper[l][3][1]);
        bench_say("\n");
    }
}

static void print_radii(column *columns)
{
    static const int shown[] = {REFERENCE, LINEAR, SPHERICAL, BEST_SPHERICAL, DUAL};
    double unit = paper[0][0][1] / columns[REFERENCE][0].sum;
    bench_say("\nleast, mean and largest radius, in a unit that makes the reference root the "
              "paper's 34.55\n  %5s %5s | %-22s | %-22s | %-22s | %-22s | %-22s\n",
              "level", "", "reference", "linear", "spherical", "best (spherical)", "dual");
    for (int l = 0; columns[0][l].count; l++) {
        bench_say("  %5d %5s", l + 1, "ours");
        for (size_t c = 0; c < COUNT_OF(shown); c++) {
            const stages_level *level = &columns[shown[c]][l];
            bench_say(" | %6.2f %7.2f %7.2f", unit * level->least, unit * level->sum / level->count,
                      unit * level->most);
        }
        bench_say("\n");
        if (l >= PAPER_LEVELS)
            continue;
        bench_say("  %5s %5s", "", "paper");
        for (int c = 0; c < 4; c++)
            bench_say(" | %6.2f %7.2f %7.2f", paper[l][c][0], paper[l][c][1], paper[l][c][2]);
        bench_say("\n");
    }
}

void sbs_radii(void)
{
    column columns[COLUMNS] = {0};
    fill_radii(columns);
    print_json(columns);
    print_multiples(columns);
    print_radii(columns);
}

/* ---- shares ---------------------------------------------------------------------------------- */

enum { TREES = 5 };

/* Of one tree; refitted in both men. */
typedef struct level_shares {
    double refitted[STAGES_LEVELS];      /* over all frames */
    double last_refitted[STAGES_LEVELS]; /* in the last frame */
} level_shares;

/* Adds the children of every refitted node that were refitted. */
static void add_refitted(graze_body *body, double *refitted)
{
    uint32_t pending = 1, *stack = bench_take(bench_nodes(body), sizeof *stack);
    while (pending) {
        const graze_node_view view = bench_view(body, stack[--pending], GRAZE_NODE_CURRENT);
        refitted[view.level] += view.was_refitted;
        if (!view.was_refitted || !view.child_count ||
            !bench_view(body, view.first_child, GRAZE_NODE_CURRENT).was_refitted)
            continue;
        for (uint32_t k = 0; k < view.child_count; k++)
            stack[pending++] = view.first_child + k;
    }
    free(stack);
}

static void fill_shares(struct stage *stage, uint32_t tree, level_shares *shares)
{
    graze_body **bodies = stage->bodies[tree];
    uint32_t frames = stage->scene->frame_count;
    for (uint32_t f = 0; f < frames; f++) {
        memset(shares->last_refitted, 0, sizeof shares->last_refitted);
        stages_pose(stage, f, tree);
        bench_pairs(bodies[0], bodies[1], NULL);
        add_refitted(bodies[0], shares->last_refitted);
        add_refitted(bodies[1], shares->last_refitted);
        for (int l = 0; l < STAGES_LEVELS; l++)
            shares->refitted[l] += shares->last_refitted[l] / frames;
    }
}

void sbs_levels(void)
{
    level_shares shares[TREES] = {0};
    column spheres = {0};
    struct stage stage;
    sbs_open(&stage, "men", SBS_LINEAR_BOXES);
    for (int b = 0; b < 2; b++)
        stages_add_radii(stage.bodies[SBS_LINEAR][b], GRAZE_NODE_CURRENT, spheres);
    for (uint32_t t = 0; t < TREES; t++)
        fill_shares(&stage, t, &shares[t]);
    stage_close(&stage);
    bench_say("\nshare of the spheres that a query of the two men refits, per cent: in the last "
              "frame, where they touch, and over all frames\n(paper, in one frame, spherical by "
              "corners: 19 on level 5, 9 on level 6)\n  %5s %7s | %-13s | %-13s | %-13s | %-13s | "
              "%-13s\n",
              "level", "spheres", "linear", "spherical", "dual", "lin. corners", "sph. corners");
    for (int l = 0; spheres[l].count; l++) {
        double numbers[2 + 2 * TREES] = {l + 1, spheres[l].count};
        for (int t = 0; t < TREES; t++) {
            numbers[2 + 2 * t] = 100 * shares[t].last_refitted[l] / spheres[l].count;
            numbers[3 + 2 * t] = 100 * shares[t].refitted[l] / spheres[l].count;
        }
#define SHARES(name) " " name ":[%.3f,%.3f]:|_%6.2f_%6.2f"
        bench_row("sbs_levels",
                  "level:%.0f:%5.0f spheres:%.0f:%7.0f" SHARES("linear") SHARES("spherical")
                      SHARES("dual") SHARES("linear_corners") SHARES("spherical_corners"),
                  NULL, numbers);
#undef SHARES
    }
}
