/* Figures like those of the papers: bodies and spheres of their trees, side by side, as SVG, and
 * each drawing as OBJ.
 *
 * What cannot be seen is left out, so that files stay small: a page of six drawings takes about 100
 * kB.
 */
#ifndef GRAZE_BENCH_FIGURE_H
#define GRAZE_BENCH_FIGURE_H

#include "bench/bench.h"

typedef enum figure_colour {
    FIGURE_GREY, /* a body */
    FIGURE_SAND, /* another */
    FIGURE_BLUE, /* spheres that were refitted */
    FIGURE_RED,  /* and those that were not */
    FIGURE_COLOURS
} figure_colour;

typedef struct figure_shape {
    float at[3][3]; /* corners, or first the centre */
    float radius;   /* of a sphere; negative: a triangle */
    figure_colour colour;
} figure_shape;

/* One drawing: triangles (grey or sand), or spheres; OBJ may have both. */
typedef struct figure_panel {
    char caption[96];
    figure_shape *shapes;
    uint32_t shape_count, shape_room;
} figure_panel;

#define FIGURE_PANELS 12

/* Drawings in rows, all from the same side and at the same scale. Starts as all zero, but for turn,
 * tilt and columns.
 */
typedef struct figure {
    double turn, tilt; /* degrees: about the axis up, and downwards */
    uint32_t columns;
    figure_panel panels[FIGURE_PANELS];
    uint32_t panel_count;
} figure;

/* A new drawing, to be filled. */
figure_panel *figure_add(figure *f, const char *caption);

void figure_add_shape(figure_panel *panel, const figure_shape *shape);

/* Writes DIR/NAME.svg of --plot DIR, and of each drawing DIR/NAME-K.obj, K from 1, and frees them.
 */
void figure_write(figure *f, const char *name, const char *title);

#endif
