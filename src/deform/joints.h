/* The joints of a pose, ready for posing and bounding. */
#ifndef GRAZEI_DEFORM_JOINTS_H
#define GRAZEI_DEFORM_JOINTS_H

#include "math/f4.h"

typedef struct grazei_joints {
    f4_map *maps;   /* the linear part of the placement folded in, its translation left out */
    float *stretch; /* at least the largest singular value of each map; aligned to 16
                     bytes; spheres only, else NULL */
    f4 translation; /* of the placement, added last */
    f4 magnitude;   /* at least |coordinate| of every posed vertex before the translation */
    f4 final_error; /* at least what adding the translation can lose, in vertex and bound together
                     */
    float magnitude_length;
    float final_error_length;
} grazei_joints;

#endif
