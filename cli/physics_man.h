/* The procedural man and the player, for scenes that a physics engine moves. */
#ifndef GRAZE_CLI_PHYSICS_MAN_H
#define GRAZE_CLI_PHYSICS_MAN_H

#include "scenes/synth.h"

#include <graze/ode.h>

/* What characters of one kind share. */
typedef struct physics_man {
    graze_rig *rig;
    graze_model *model;
    graze_fit *fit;
    graze_parts *parts;
    graze_ragdoll *ragdoll;
    graze_ragdoll_file *limits;
} physics_man;

/* Makes one, of a kind that has the man's joints; false with a text. Free it either way, once
 * zeroed before, and after the engine.
 */
bool physics_man_make(physics_man *man, graze_synth_kind kind, graze_error *error);
void physics_man_free(physics_man *man);

/* "upper_arm.L" is "left upper arm". */
void part_in_words(const char *name, char *text, size_t size);

#endif
