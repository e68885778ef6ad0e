/* Things that fly: parabolas end to end, turning as they go. */
#ifndef GRAZE_SCENES_FLIGHT_H
#define GRAZE_SCENES_FLIGHT_H

#include "scenes/scene.h"
#include "scenes/vector.h"

#include <stdint.h>

enum { GRAZEI_SCENE_MAX_LEGS = 6 };

/* From start on, until the next leg starts; begins where the one before ended. */
typedef struct grazei_scene_leg {
    double start; /* seconds; 0 for the first */
    grazei_vec velocity;
    double gravity; /* metres per second squared, downwards */
} grazei_scene_leg;

struct graze_scene_flight {
    grazei_vec centre; /* the point of the thing that flies, and that it turns about */
    grazei_vec from;
    grazei_vec axis;              /* unit */
    double turns, turns_a_second; /* about the axis: in the first frame, and from then on */
    uint32_t leg_count;
    grazei_scene_leg legs[GRAZEI_SCENE_MAX_LEGS];
};

/* The placement (3 rows of 4, rigid) at a time. */
void grazei_scene_fly(const graze_scene_flight *flight, double seconds, float placement[12]);

/* What flies in the scenes. */
extern const graze_scene_flight grazei_scene_thrown_ball;
extern const graze_scene_flight grazei_scene_chairs[3];

#endif
