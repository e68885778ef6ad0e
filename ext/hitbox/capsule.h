/* Capsules around balls: which segment to take, and the radius that it then needs. */
#ifndef GRAZEI_HITBOX_CAPSULE_H
#define GRAZEI_HITBOX_CAPSULE_H

#include "tree/ball.h"

#include <graze/shape.h>

/* A segment along direction (of any length other than zero) that makes for a small capsule around
 * the balls, count at least 1: in the middle of them, as long as it has to be. Its radius is left
 * at 0.
 */
graze_capsule grazei_capsule_along(const grazei_ball *balls, uint32_t count,
                                   const double direction[3]);

/* The middle of the balls, as a segment without length. */
graze_capsule grazei_capsule_middle(const grazei_ball *balls, uint32_t count);

/* The direction in which the centres vary most; false if they are all at one place. */
bool grazei_capsule_direction(const grazei_ball *balls, uint32_t count, double direction[3]);

/* The distance of a point from the capsule's segment, in double: right to 1e-14 of the largest
 * coordinate.
 */
double grazei_capsule_distance(const graze_capsule *capsule, const double point[3]);

/* The smallest radius around the segment that holds all balls. */
double grazei_capsule_radius(const graze_capsule *segment, const grazei_ball *balls,
                             uint32_t count);

double grazei_capsule_volume(const graze_capsule *capsule);

/* Gives the segment at least that radius, rounding in distances included, and puts it into best if
 * it has less volume.
 */
void grazei_capsule_offer(graze_capsule *best, graze_capsule segment, double radius);

#endif
