/* The procedural man and the player, for scenes that a physics engine moves. */
#ifndef GRAZE_CLI_PHYSICS_MAN_H
#define GRAZE_CLI_PHYSICS_MAN_H

#include "cli/recording.h"
#include "scenes/synth.h"

#include <graze/ode.h>

/* What characters of one kind share. */
typedef struct physics_man {
    graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_part_names *parts;
    graze_ragdoll *ragdoll;
    graze_ragdoll_file *limits;
} physics_man;

/* Makes one, of a kind that has the man's joints; false with a text. Free it either way, once
 * zeroed before, and after the engine.
 */
bool physics_man_make(physics_man *man, graze_synth_kind kind, graze_error *error);
void physics_man_free(physics_man *man);

/* "upper_arm.L" is "left upper arm". Returns the verb that goes with it: "hits", or "hit" of toes.
 */
const char *part_in_words(const char *name, char *text, size_t size);

/* Something that stands: a box from one corner to the other, or a capsule of `radius` from one end
 * to the other.
 */
typedef struct fixed_row {
    const char *name;
    double from[3], to[3];
    double radius; /* 0: a box */
} fixed_row;

/* Adds it, or the ground at y = 0, which is drawn by a name as far as `reach`, with what the def
 * says of it, and to a recording unless that is NULL.
 */
bool physics_add_fixed(graze_ode *ode, const fixed_row *row, const graze_ode_member_def *def,
                       struct recording *recording, graze_error *error);
bool physics_add_ground(graze_ode *ode, const char *name, double reach,
                        const graze_ode_member_def *def, struct recording *recording,
                        graze_error *error);

#endif
