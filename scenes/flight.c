#include "scenes/flight.h"

#include "scenes/gait.h"

/* Held, thrown so that it hits the curtain in frame 43, slides down along it, bounces off the floor
 * twice and rolls away.
 */
const graze_scene_flight grazei_scene_thrown_ball = {.centre = {0, 0.15, 0},
                                                     .from = {-0.5, 1.1, -3.4},
                                                     .axis = {1, 0, 0},
                                                     .turns_a_second = 0.6,
                                                     .leg_count = 6,
                                                     .legs = {{0, {0, 0, 0}, 0},
                                                              {0.7, {0.6, 3.6, 5}, 9.81},
                                                              {1.43, {0.1, -0.1, 0.5}, 9.81},
                                                              {1.8632, {0.2, 2.4, -0.7}, 9.81},
                                                              {2.3525, {0.2, 1.4, -0.6}, 9.81},
                                                              {2.6379, {0.2, 0, -0.55}, 0}}};

/* Two come from the sides, one from behind; they bounce off the floor every half second, and off
 * each other in the end.
 */
#define BOUNCE(start, x, z)                                                                        \
    {                                                                                              \
        start, {x, 2.4525, z}, 9.81                                                                \
    }
const graze_scene_flight grazei_scene_chairs[3] = {
    {.centre = {0, 0.45, 0},
     .from = {-1.7, 0.65, 0},
     .axis = {0, 0, -1},
     .turns_a_second = 0.6,
     .leg_count = 4,
     .legs = {BOUNCE(0, 1.5, 0), BOUNCE(0.5, 1.2, 0), BOUNCE(1, 0.3, 0), BOUNCE(1.5, -0.9, 0)}},
    {.centre = {0, 0.45, 0},
     .from = {1.7, 0.65, 0.1},
     .axis = {0.6, 0, 0.8},
     .turns = 0.3,
     .turns_a_second = 0.5,
     .leg_count = 4,
     .legs = {BOUNCE(0, -1.4, 0), BOUNCE(0.5, -1.2, 0), BOUNCE(1, -0.2, 0), BOUNCE(1.5, 0.9, 0)}},
    {.centre = {0, 0.45, 0},
     .from = {0.2, 0.65, -1.8},
     .axis = {0.8, 0.6, 0},
     .turns = 0.5,
     .turns_a_second = 0.7,
     .leg_count = 4,
     .legs = {BOUNCE(0, 0, 1.3), BOUNCE(0.5, 0, 1.1), BOUNCE(1, 0, 0.3), BOUNCE(1.5, 0, -0.7)}}};

/* Where it is after so many seconds. */
static grazei_vec place_at(const graze_scene_flight *flight, double seconds)
{
    grazei_vec at = flight->from;
    for (uint32_t i = 0; i < flight->leg_count; i++) {
        const grazei_scene_leg *leg = &flight->legs[i];
        bool last = i + 1 == flight->leg_count || seconds < flight->legs[i + 1].start;
        double t = (last ? seconds : flight->legs[i + 1].start) - leg->start;
        at = vec_along(at, leg->velocity, t);
        at.y -= 0.5 * leg->gravity * t * t;
        if (last)
            break;
    }
    return at;
}

void grazei_scene_fly(const graze_scene_flight *flight, double seconds, float placement[12])
{
    double turns = flight->turns + flight->turns_a_second * seconds;
    double s = grazei_synth_sine(turns), c = grazei_synth_sine(turns + 0.25);
    grazei_vec at = place_at(flight, seconds), a = flight->axis;
    grazei_vec rows[3] = {vec_make(c + (1 - c) * a.x * a.x, (1 - c) * a.x * a.y - s * a.z,
                                   (1 - c) * a.x * a.z + s * a.y),
                          vec_make((1 - c) * a.y * a.x + s * a.z, c + (1 - c) * a.y * a.y,
                                   (1 - c) * a.y * a.z - s * a.x),
                          vec_make((1 - c) * a.z * a.x - s * a.y, (1 - c) * a.z * a.y + s * a.x,
                                   c + (1 - c) * a.z * a.z)};
    double move[3] = {at.x, at.y, at.z};
    for (uint32_t i = 0; i < 3; i++) {
        placement[4 * i] = (float)rows[i].x;
        placement[4 * i + 1] = (float)rows[i].y;
        placement[4 * i + 2] = (float)rows[i].z;
        placement[4 * i + 3] = (float)(move[i] - vec_dot(rows[i], flight->centre));
    }
}
