/* Figures like those of the papers: bodies and spheres of their trees, side by side, as SVG, and
 * each drawing as OBJ.
 *
 * What cannot be seen is left out, so that files stay small: a page of six drawings takes about 100
 * kB.
 */
#ifndef GRAZE_BENCH_FIGURE_H
#define GRAZE_BENCH_FIGURE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum figure_colour {
    FIGURE_GREY, /* a body */
    FIGURE_SAND, /* another */
    FIGURE_BLUE, /* spheres that were refitted */
    FIGURE_RED,  /* and those that were not */
    FIGURE_COLOURS
} figure_colour;

typedef struct figure_triangle {
    float corners[3][3];
    figure_colour colour;
} figure_triangle;

typedef struct figure_sphere {
    float centre[3], radius;
    figure_colour colour;
} figure_sphere;

/* One drawing: triangles (grey or sand), or spheres; OBJ may have both. */
typedef struct figure_panel {
    char caption[96];
    figure_triangle *triangles;
    uint32_t triangle_count, triangle_room;
    figure_sphere *spheres;
    uint32_t sphere_count, sphere_room;
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

/* False when out of memory. */
bool figure_add_triangle(figure_panel *panel, const figure_triangle *triangle);
bool figure_add_sphere(figure_panel *panel, const figure_sphere *sphere);

/* Writes FOLDER/NAME.svg, and of each drawing FOLDER/NAME-K.obj, K from 1. False after printing an
 * error.
 */
bool figure_write(const figure *f, const char *folder, const char *name, const char *title);

void figure_free(figure *f);

#endif
