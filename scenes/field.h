/* The implicit surface of a plan: negative inside, positive outside, and nowhere steeper than 1,
 * so that |distance| is a safe step.
 */
#ifndef GRAZE_SCENES_FIELD_H
#define GRAZE_SCENES_FIELD_H

#include "scenes/plan.h"
#include "scenes/pool.h"

typedef struct grazei_synth_sample {
    double distance;
    grazei_vec gradient; /* of distance, analytic */
    double radius;       /* of the flesh here: how fine the surface is, metres */
} grazei_synth_sample;

/* A shape with its constants worked out. */
typedef struct grazei_synth_shape {
    grazei_vec origin, axis; /* a and the unit vector from a to b, both flattened */
    double length, a_radius, taper;
    double slope; /* along the axis per unit away from it, to the nearest sphere of the sweep */
    grazei_vec flat_axis;
    double stretch, shrink; /* along flat_axis into flattened space; distances back out of it */
    grazei_vec half;        /* of a box without its round edges; not of anything else */
    double blend;
    bool carved, boxed;
} grazei_synth_shape;

typedef struct grazei_synth_field {
    grazei_synth_shape shapes[GRAZEI_SYNTH_MAX_SHAPES];
    uint32_t shape_count;
    grazei_vec low, high; /* box around the surface, with room to spare */

    /* Blocks that list the shapes which matter inside them. */
    double block;
    uint32_t blocks[3];
    uint32_t *list_offsets;
    uint8_t *lists;
} grazei_synth_field;

/* Makes the field of a plan. False when out of memory. */
bool grazei_synth_field_create(const grazei_synth_plan *plan, grazei_synth_pool *pool,
                               grazei_synth_field *field);

double grazei_synth_distance(const grazei_synth_field *field, grazei_vec at);

/* Moves a point that is near the surface onto it; *sample (may be NULL) is taken at the result of
 * all but the last step.
 */
grazei_vec grazei_synth_project(const grazei_synth_field *field, grazei_vec at, uint32_t steps,
                                grazei_synth_sample *sample);

/* A plain tapered capsule, and the distance from a shape (negative inside). */
grazei_synth_shape grazei_synth_capsule(grazei_vec a, grazei_vec b, double a_radius,
                                        double b_radius);
double grazei_synth_shape_distance(const grazei_synth_shape *shape, grazei_vec at);

#endif
