/* A centre of the weights of some vertices, and how far they spread around it. */
#ifndef GRAZEI_RECORDS_WEIGHTS_H
#define GRAZEI_RECORDS_WEIGHTS_H

#include "deform/skin.h"

#define GRAZEI_MAX_WEIGHTS GRAZEI_MAX_CENTRE_JOINTS

/* Arrays of n floats and two numbers, all rounded up against the float centre. */
typedef struct grazei_weight_spread {
    float *centre; /* w, sums to about 1 */
    float *spread; /* largest |weight - w| of each joint */
    float total;   /* largest sum over the joints of |weight - w| (D) */
    float error;   /* largest error of a sum of weights against 1 or the centre's sum */
} grazei_weight_spread;

/* Work space that grows, zeroed but for the allocator; its rows are released by whoever has it. */
typedef struct grazei_weight_room {
    const graze_allocator *allocator;
    float *rows;
    size_t capacity;
} grazei_weight_room;

/* Vertices follow at most n joints, numbered by slot_of[joint], n up to GRAZEI_MAX_WEIGHTS, for
 * which centre and spread have room. False when out of memory.
 */
bool grazei_spread_weights(grazei_weight_spread *result, grazei_weight_room *room,
                           const grazei_mesh *mesh, const uint32_t *vertices, uint32_t count,
                           const uint32_t *slot_of, uint32_t n);

#endif
