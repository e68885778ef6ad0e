/* What queries did: how lazy they were. */
#ifndef GRAZE_STATS_H
#define GRAZE_STATS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a query did. Counts are added to what is there, so clear it first. */
typedef struct graze_stats {
    uint64_t nodes_refit;    /* bounds computed from the pose */
    uint64_t nodes_enlarged; /* bounds of earlier morph weights enlarged instead */
    uint64_t bound_tests;    /* pairs of bounds compared */
    uint64_t patches_posed;  /* patches whose vertices were computed */
    uint64_t vertices_posed; /* vertices computed */
    uint64_t triangle_tests; /* pairs of triangles tested beyond their boxes */
} graze_stats;

#ifdef __cplusplus
}
#endif

#endif
