/* A centre of the weights of some vertices, and how far they spread around it. */
#ifndef GRAZEI_RECORDS_WEIGHTS_H
#define GRAZEI_RECORDS_WEIGHTS_H

#include "mesh/mesh.h"

/* Arrays of n floats and two numbers, all rounded up against the float centre. */
typedef struct grazei_weight_spread {
    float *centre; /* w, sums to about 1 */
    float *spread; /* largest |weight - w| of each joint */
    float total;   /* largest sum over the joints of |weight - w| (D) */
    float error;   /* largest error of a sum of weights against 1 or the centre's sum */
} grazei_weight_spread;

/* Vertices follow at most n joints, numbered by slot_of[joint]. centre and spread have room for n;
 * scratch for 2 n doubles.
 */
void grazei_spread_weights(grazei_weight_spread *result, const grazei_mesh *mesh,
                           const uint32_t *vertices, uint32_t count, const uint32_t *slot_of,
                           uint32_t n, double *scratch);

#endif
