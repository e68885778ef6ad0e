/* How morph targets move a node: the rows of grazei_morph. */
#ifndef GRAZEI_RECORDS_MORPH_RECORDS_H
#define GRAZEI_RECORDS_MORPH_RECORDS_H

#include "records/records.h"

typedef struct grazei_morph_recorder {
    grazei_morph_index index;
    size_t row_capacity;
    uint32_t *targets;     /* those that move the node at hand, ascending */
    uint8_t *target_marks; /* zero between uses */
    float *moved;          /* displaced positions of the node's vertices */
    float (*deltas)[3];    /* and the displacements */
    uint32_t *order;       /* 0, 1, 2, ... and scratch for the ball */
    uint32_t *scratch;
    float *drift; /* of each vertex of the mesh */
} grazei_morph_recorder;

bool grazei_morph_recorder_start(grazei_morph_recorder *morphs, grazei_recorder *recorder);
void grazei_morph_recorder_end(grazei_morph_recorder *morphs, const graze_allocator *allocator);

/* Appends the rows of the node at hand, for the record it was given; nodes come in order. False
 * when out of memory.
 */
bool grazei_record_morphs(grazei_morph_recorder *morphs, grazei_recorder *recorder, uint32_t node,
                          const grazei_record *record);

#endif
