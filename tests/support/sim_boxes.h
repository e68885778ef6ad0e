/* Boxes for tests of simulations: a cube, a beam that bends, a thin plate that bends, a floor that
 * may be animated. Everything about them follows from their sizes.
 */
#ifndef GRAZE_TESTS_SUPPORT_SIM_BOXES_H
#define GRAZE_TESTS_SUPPORT_SIM_BOXES_H

#include "harness.h"

#include <graze/sim.h>

typedef enum sim_box_shape {
    SIM_BOX_CUBE,  /* 0.2 m, rigid */
    SIM_BOX_BEAM,  /* 0.8 x 0.06 x 0.06 m, two modes */
    SIM_BOX_PLATE, /* 0.5 x 0.008 x 0.5 m, one mode */
    SIM_BOX_FLOOR, /* 2 x 0.2 x 2 m, animated */
    SIM_BOX_SHAPES
} sim_box_shape;

enum { SIM_BOX_MODES = 2 };

typedef struct sim_box {
    graze_model *model;
    float *positions, *deltas;
    uint32_t *triangles;
    uint32_t vertex_count, triangle_count;
    graze_sim_mode modes[SIM_BOX_MODES];
    graze_sim_kind_def def; /* ready for graze_sim_add_kind */
    double size[3];
} sim_box;

/* Makes one with the default tree, or with spheres and this contact level if that is above 0. False
 * after a failed check.
 */
bool sim_box_make(sim_box_shape shape, uint32_t contact_level, sim_box *thing);
void sim_box_free(sim_box *thing);

/* A body of a kind somewhere, turned at random, at rest. */
graze_sim_body sim_box_body(test_random *random, uint32_t kind, const double position[3]);

/* Number of the first body whose state differs by a bit, or UINT32_MAX. */
uint32_t sim_box_first_difference(const graze_sim *a, const graze_sim *b);

#endif
