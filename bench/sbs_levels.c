/* Which share of the spheres a query refits, level by level (figure 6, and figure 5 of the 2005
 * paper).
 */
#include "bench/sbs_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 64

/* Of one tree; refitted in both men, so twice as many spheres. */
typedef struct level_shares {
    double spheres[LEVELS];
    double refitted[LEVELS];      /* over all frames */
    double last_refitted[LEVELS]; /* in the last frame */
} level_shares;

/* Adds the children of every refitted node that were refitted. */
static bool add_refitted(graze_body *body, double *refitted)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count, pending = 1;
    uint32_t *stack = malloc(nodes * sizeof *stack);
    bool ok = stack;
    if (ok)
        stack[0] = 0;
    while (ok && pending) {
        graze_node_view view, child;
        ok = !graze_body_view_node(body, stack[--pending], GRAZE_NODE_CURRENT, &view);
        if (!ok || !view.was_refitted)
            continue;
        refitted[view.level]++;
        if (!view.child_count ||
            graze_body_view_node(body, view.first_child, GRAZE_NODE_CURRENT, &child) ||
            !child.was_refitted)
            continue;
        for (uint32_t k = 0; k < view.child_count; k++)
            stack[pending++] = view.first_child + k;
    }
    free(stack);
    return ok;
}

static bool count_spheres(graze_body *body, double *spheres)
{
    uint32_t nodes = graze_model_get_info(graze_body_model(body)).node_count;
    for (uint32_t n = 0; n < nodes; n++) {
        graze_node_view view;
        if (graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view) || view.level >= LEVELS)
            return false;
        spheres[view.level] += 2;
    }
    return true;
}

static bool fill_shares(struct stage *stage, uint32_t tree, level_shares *shares)
{
    graze_body **bodies = stage->bodies[tree];
    bool ok = count_spheres(bodies[0], shares->spheres);
    for (uint32_t f = 0; ok && f < stage->scene->frame_count; f++) {
        size_t hits = 0;
        double refitted[LEVELS] = {0};
        ok = stage_frame(stage, f);
        if (!ok)
            break;
        stage_pose(stage, tree);
        graze_collide(bodies[0], bodies[1], stage_count, &hits, NULL, NULL);
        ok = add_refitted(bodies[0], refitted) && add_refitted(bodies[1], refitted);
        for (int l = 0; l < LEVELS; l++)
            shares->refitted[l] += refitted[l] / stage->scene->frame_count;
        memcpy(shares->last_refitted, refitted, sizeof refitted);
    }
    return ok;
}

enum { COLUMNS = 5 };

static void print_shares(const bench_options *options, const level_shares *shares)
{
    static const char *names[COLUMNS] = {"linear", "spherical", "dual", "linear_corners",
                                         "spherical_corners"};
    if (!options->json)
        printf("\nshare of the spheres that a query of the two men refits, per cent: in the last "
               "frame, where they touch, and over all frames\n(paper, in one frame, spherical by "
               "corners: 19 on level 5, 9 on level 6)\n  %5s %7s | %-13s | %-13s | %-13s | %-13s | "
               "%-13s\n",
               "level", "spheres", "linear", "spherical", "dual", "lin. corners", "sph. corners");
    for (int l = 0; l < LEVELS && shares[0].spheres[l] > 0; l++) {
        double spheres = shares[0].spheres[l] / 100;
        if (options->json)
            printf("{\"table\":\"sbs_levels\",\"level\":%d,\"spheres\":%.0f", l + 1, 100 * spheres);
        else
            printf("  %5d %7.0f", l + 1, 100 * spheres);
        for (int c = 0; c < COLUMNS; c++)
            if (options->json)
                printf(",\"%s\":[%.3f,%.3f]", names[c], shares[c].last_refitted[l] / spheres,
                       shares[c].refitted[l] / spheres);
            else
                printf(" | %6.2f %6.2f", shares[c].last_refitted[l] / spheres,
                       shares[c].refitted[l] / spheres);
        printf(options->json ? "}\n" : "\n");
    }
}

bool sbs_levels(const bench_options *options)
{
    level_shares *shares = calloc(COLUMNS, sizeof *shares);
    struct stage stage;
    if (!shares || !sbs_open(&stage, "men", SBS_LINEAR_BOXES)) {
        free(shares);
        return false;
    }
    bool ok = true;
    for (uint32_t t = 0; ok && t < COLUMNS; t++)
        ok = fill_shares(&stage, t, &shares[t]);
    if (ok)
        print_shares(options, shares);
    stage_close(&stage);
    free(shares);
    return ok;
}
