/* Bodies of a stage and spheres of their trees, put into drawings. */
#ifndef GRAZE_BENCH_BODY_FIGURES_H
#define GRAZE_BENCH_BODY_FIGURES_H

#include "bench/figure.h"
#include "scenes/stage.h"

/* Adds the first bodies of a stage as they stand, grey and sand, in fewer triangles. */
void draw_bodies(figure_panel *panel, const struct stage *stage, uint32_t tree, uint32_t count);

/* Adds the spheres of one level of a body's tree, level 1 is the root: the smallest around the
 * posed vertices (DRAW_BEST) or those of a query, all in blue or blue where one was refitted and
 * red where not.
 */
typedef enum draw_spheres { DRAW_BEST, DRAW_ALL, DRAW_REFITTED } draw_spheres;
void draw_level(figure_panel *panel, graze_body *body, uint32_t level, draw_spheres which);

/* Draws two men of a scene that touch in its last frame, and levels 5 and 6: what a query has
 * refitted of them.
 */
void draw_query_of_men(struct stage *stage, uint32_t tree, const char *caption, const char *name,
                       const char *title);

/* Without --plot figures are left out, or refused where they were asked for by name. */
bool figure_has_folder(void);

#endif
