/* Vertices in the order in which they are posed: rest positions and influences as one stream. */
#ifndef GRAZEI_DEFORM_STREAM_H
#define GRAZEI_DEFORM_STREAM_H

#include <graze/model.h>

typedef struct grazei_stream {
    float (*rest)[4]; /* x y z, and the number of influences as bits */
    graze_influence *influences;
    uint32_t *sets;            /* joint-set of each */
    uint32_t *first_influence; /* of each patch; NULL for a stream of the whole mesh */
    uint32_t *vertices;        /* where each goes; NULL for a stream of patches */
    uint32_t count;
    uint32_t influence_count;
} grazei_stream;

#endif
