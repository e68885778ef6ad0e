/* Radii per level of the creature's sphere tree in the candy-wrapper pose (table 1). */
#include "bench/sbs_tables.h"

#include <math.h>
#include <stdio.h>

enum {
    COLUMN_REFERENCE,
    COLUMN_LINEAR,
    COLUMN_SPHERICAL,
    COLUMN_DUAL,
    COLUMN_LINEAR_CORNERS,
    COLUMN_SPHERICAL_CORNERS,
    COLUMN_BEST_LINEAR,
    COLUMN_BEST_SPHERICAL,
    COLUMN_BEST_DUAL,
    COLUMN_COUNT
};

typedef struct level_radii {
    double sum[COLUMN_COUNT], least[COLUMN_COUNT], most[COLUMN_COUNT];
    uint32_t count;
} level_radii;

#define LEVELS 64
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

static bool add_radii(graze_body *body, graze_node_bound which, int column, level_radii *levels)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    for (int l = 0; l < LEVELS; l++)
        levels[l].least[column] = INFINITY;
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view view;
        if (graze_body_view_node(body, n, which, &view)) {
            fprintf(stderr, "graze: out of memory\n");
            return false;
        }
        level_radii *level = &levels[view.level];
        level->sum[column] += view.radius;
        level->least[column] = fmin(level->least[column], view.radius);
        level->most[column] = fmax(level->most[column], view.radius);
        level->count += column == COLUMN_REFERENCE;
    }
    return true;
}

static bool fill_radii(level_radii *levels)
{
    const uint32_t fullest_twist = 30; /* frame: 1 s into the clip */
    struct stage stage;
    if (!sbs_open(&stage, "candy", SBS_LINEAR_BOXES))
        return false;
    bool ok = add_radii(stage.bodies[SBS_LINEAR][0], GRAZE_NODE_BEST, COLUMN_REFERENCE, levels) &&
              stage_frame(&stage, fullest_twist);
    for (uint32_t t = 0; ok && t < SBS_LINEAR_BOXES; t++) {
        stage_pose(&stage, t);
        ok = add_radii(stage.bodies[t][0], GRAZE_NODE_CURRENT, COLUMN_LINEAR + (int)t, levels);
    }
    for (uint32_t t = 0; ok && t < SBS_LINEAR_CORNERS; t++)
        ok = add_radii(stage.bodies[t][0], GRAZE_NODE_BEST, COLUMN_BEST_LINEAR + (int)t, levels);
    stage_close(&stage);
    return ok;
}

static void print_json(const level_radii *levels)
{
    static const char *names[COLUMN_COUNT] = {"reference",   "linear",         "spherical",
                                              "dual",        "linear_corners", "spherical_corners",
                                              "best_linear", "best_spherical", "best_dual"};
    for (int l = 0; l < LEVELS && levels[l].count; l++) {
        printf("{\"table\":\"sbs_radii\",\"level\":%d,\"spheres\":%u", l + 1, levels[l].count);
        for (int c = 0; c < COLUMN_COUNT; c++)
            printf(",\"%s\":[%.6g,%.6g,%.6g]", names[c], levels[l].least[c],
                   levels[l].sum[c] / levels[l].count, levels[l].most[c]);
        printf("}\n");
    }
}

static void print_multiples(const level_radii *levels)
{
    printf("\nmean radius per level of the creature's tree, neck twisted by 164 degrees: multiples "
           "of the best possible one\naround the same skin (reference: of spherical's, as in the "
           "paper; corners: the papers' refit)\n"
           "  %5s %7s %8s | %9s %9s %9s %9s %11s %11s | %s\n",
           "level", "spheres", "best m", "reference", "linear", "spherical", "dual", "lin.corners",
           "sph.corners", "paper: reference, linear, spherical");
    for (int l = 0; l < LEVELS && levels[l].count; l++) {
        const double *r = levels[l].sum, *best = r + COLUMN_BEST_LINEAR;
        printf("  %5d %7u %8.4f | %9.3f %9.3f %9.3f %9.3f %11.3f %11.3f |", l + 1, levels[l].count,
               best[1] / levels[l].count, r[COLUMN_REFERENCE] / best[1], r[COLUMN_LINEAR] / best[0],
               r[COLUMN_SPHERICAL] / best[1], r[COLUMN_DUAL] / best[2],
               r[COLUMN_LINEAR_CORNERS] / best[0], r[COLUMN_SPHERICAL_CORNERS] / best[1]);
        for (int c = 0; l < PAPER_LEVELS && c < 3; c++)
            printf(" %9.3f", paper[l][c][1] / paper[l][3][1]);
        putchar('\n');
    }
}

static void print_radii(const level_radii *levels)
{
    static const int columns[] = {COLUMN_REFERENCE, COLUMN_LINEAR, COLUMN_SPHERICAL,
                                  COLUMN_BEST_SPHERICAL, COLUMN_DUAL};
    double unit = paper[0][0][1] / levels[0].sum[COLUMN_REFERENCE];
    printf("\nleast, mean and largest radius, in a unit that makes the reference root the paper's "
           "34.55\n  %5s %5s | %-22s | %-22s | %-22s | %-22s | %-22s\n",
           "level", "", "reference", "linear", "spherical", "best (spherical)", "dual");
    for (int l = 0; l < LEVELS && levels[l].count; l++) {
        printf("  %5d %5s", l + 1, "ours");
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++)
            printf(" | %6.2f %7.2f %7.2f", unit * levels[l].least[columns[c]],
                   unit * levels[l].sum[columns[c]] / levels[l].count,
                   unit * levels[l].most[columns[c]]);
        putchar('\n');
        if (l >= PAPER_LEVELS)
            continue;
        printf("  %5s %5s", "", "paper");
        for (int c = 0; c < 4; c++)
            printf(" | %6.2f %7.2f %7.2f", paper[l][c][0], paper[l][c][1], paper[l][c][2]);
        putchar('\n');
    }
}

bool sbs_radii(const bench_options *options)
{
    level_radii levels[LEVELS] = {0};
    if (!fill_radii(levels))
        return false;
    if (options->json) {
        print_json(levels);
    } else {
        print_multiples(levels);
        print_radii(levels);
    }
    fflush(stdout);
    return true;
}
