/* A worm: a tube with any number of joints and influences, for measuring what they cost.
 *
 * Joints form a chain along +Z, evenly spaced. Weights are those of a uniform B-spline over the
 * joints, of an order that is the number of influences: 1 makes rigid pieces, 4 a cubic. So every
 * vertex has exactly so many joints, but near the ends. The clip "crawl" sends a wave along it that
 * bends it sideways. The same bits on every machine.
 */
#ifndef GRAZE_SCENES_WORM_H
#define GRAZE_SCENES_WORM_H

#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { GRAZE_WORM_INFLUENCES = 8 };

typedef struct graze_worm_def {
    uint32_t triangles;  /* about so many, 64 to 4,000,000 */
    uint32_t joints;     /* 1 to 4,096 */
    uint32_t influences; /* 1 to GRAZE_WORM_INFLUENCES, not more than joints */
} graze_worm_def;

/* Makes the worm, 3 m long and 0.24 m thick, one closed surface wound outwards; *rig is set on
 * success only. allocator NULL: the default one. GRAZE_BAD_INPUT for a def out of range.
 */
graze_status graze_worm(const graze_worm_def *def, const graze_allocator *allocator,
                        graze_rig **rig, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
