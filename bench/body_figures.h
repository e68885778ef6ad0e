/* Bodies of a stage and spheres of their trees, put into drawings. */
#ifndef GRAZE_BENCH_BODY_FIGURES_H
#define GRAZE_BENCH_BODY_FIGURES_H

#include "bench/bench.h"
#include "bench/figure.h"
#include "scenes/stage.h"

/* Adds a body of a stage as it stands, its surface in fewer triangles. False after printing an
 * error.
 */
bool draw_body(figure_panel *panel, const struct stage *stage, uint32_t tree, uint32_t body,
               figure_colour colour);

/* Adds the spheres of one level of its tree, level 1 is the root: the smallest around the posed
 * vertices (DRAW_BEST) or those of a query, all in blue or blue where one was refitted and red
 * where not.
 */
typedef enum draw_spheres { DRAW_BEST, DRAW_ALL, DRAW_REFITTED } draw_spheres;
bool draw_level(figure_panel *panel, graze_body *body, uint32_t level, draw_spheres which);

/* Adds a panel each for levels 5 and 6 of two bodies: what a query has refitted of them. */
bool draw_refitted(figure *f, graze_body *const bodies[2]);

/* Without --plot figures are left out, or refused where they were asked for by name. */
bool figure_needs_folder(const bench_options *options);

#endif
