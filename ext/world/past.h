/* Where things were at the update before. */
#ifndef GRAZEI_WORLD_PAST_H
#define GRAZEI_WORLD_PAST_H

#include "world/motion.h"
#include "world/world.h"

/* Whether any rule of its category has a motion; and which ones those are, after a rule changed. */
bool grazei_world_moves(const graze_world *world, uint32_t index);
void grazei_world_find_moving(graze_world *world);

/* Whether it is known where a thing was. */
bool grazei_world_has_past(const graze_world *world, uint32_t index);

/* Poses the volumes of a body with a fit where it was, unless it stood still. */
graze_status grazei_world_pose_past_volumes(graze_world *world, uint32_t index, graze_error *error);

/* The body that stands where this one was, if it moved; else NULL. */
graze_body *grazei_world_past_body(const graze_world *world, uint32_t index);

/* A thing that has a past, made ready, on its way. */
grazei_mover grazei_world_mover(const graze_world *world, uint32_t index, graze_level level);

/* Keeps where everything is now. */
graze_status grazei_world_remember(graze_world *world, graze_pool *pool, graze_error *error);

void grazei_world_release_past(graze_world *world, uint32_t index);

#endif
