/* The inside of a ragdoll.
 *
 *     ragdoll.c  from a skeleton to bones      masses.c  what each of them weighs
 *     limits.c   how far joints turn           file.c    what a JSON file says of them
 */
#ifndef GRAZE_ADAPTERS_ODE_RAGDOLL_H
#define GRAZE_ADAPTERS_ODE_RAGDOLL_H

#include "common.h"
#include "maps.h"

#include <graze/graze.h>
#include <graze/ragdoll.h>

typedef struct bone_record {
    graze_ragdoll_bone is;
    map bind;   /* of its node, as the mesh was bound */
    map unbind; /* back: the joint's inverse bind matrix */
} bone_record;

struct graze_ragdoll {
    graze_allocator allocator;
    const graze_rig *rig;
    bone_record *bones;
    uint32_t bone_count;
    double mass;
    uint32_t *bone_of_joint; /* one a joint: its own, or the one it goes with; GRAZE_NONE */
    uint32_t *bone_of_part;  /* one a group of the model */
    uint32_t part_count;
    uint32_t *order;        /* nodes, parents first */
    uint32_t *bone_of_node; /* whose node it is; GRAZE_NONE */
};

/* What a part of the volume of a mesh comes to. */
typedef struct mass_of {
    double volume, first[3], second[6]; /* sums of 1, x, and xx yy zz xy yz zx over it */
} mass_of;

/* Sums up all that is inside the mesh, at rest, by the joint whose fitted volume is nearest: sums
 * holds one a joint. They are scaled so that all together are the volume of the mesh.
 */
graze_status grazei_ode_find_volumes(const graze_rig *rig, const graze_model *model,
                                     const graze_hitboxes *fit, const graze_ragdoll_def *def,
                                     mass_of *sums, graze_error *error);

/* Axes and limits of all joints. */
graze_status grazei_ode_find_limits(graze_ragdoll *ragdoll, const graze_ragdoll_def *def,
                                    graze_error *error);

/* What the def says of a joint, or NULL. */
const graze_ragdoll_joint *grazei_ode_said_of(const graze_ragdoll_def *def, const char *name);

#endif
