/* Which balls the outer hitboxes of a model get. */
#ifndef GRAZEI_HITBOX_CHOOSE_H
#define GRAZEI_HITBOX_CHOOSE_H

#include "hitbox/fit.h"

/* Fills the zeroed balls of a fit whose parts and vertices are there. Given hitboxes get none, and
 * such with more than GRAZEI_MOST_BALL_JOINTS joints. False when out of memory.
 */
bool grazei_choose_balls(graze_hitboxes *fit);

void grazei_balls_release(grazei_balls *balls, const graze_allocator *allocator);

#endif
