/* The inside of a ragdoll.
 *
 *     ragdoll.c  from a skeleton to bones      masses.c  what each of them weighs
 *     winding.c  what is inside an open mesh
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
    map bind;    /* of its node, as the mesh was bound */
    map unbind;  /* back: the joint's inverse bind matrix */
    bool is_top; /* there is no bone above it in the node tree */
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

/* Winding numbers of an open mesh. Memory is the rig's. */
typedef struct winding_tree winding_tree;

graze_status grazei_ode_open_winding(const graze_rig *rig, winding_tree **made, graze_error *error);
void grazei_ode_close_winding(const graze_rig *rig, winding_tree *tree);

/* How often the surface goes round a point, off by some hundredths: 1 well inside. A mesh that
 * faces inwards as a whole counts as if it faced outwards.
 */
double grazei_ode_winding(const winding_tree *tree, const double point[3]);

/* Sums up all that is inside the mesh, at rest, by the joint whose fitted volume is nearest: sums
 * holds one a joint. Of a closed mesh they are scaled so that all together are its volume.
 */
graze_status grazei_ode_find_volumes(const graze_rig *rig, const graze_model *model,
                                     const graze_hitboxes *fit, const graze_ragdoll_def *def,
                                     mass_of *sums, graze_error *error);

/* Adds the volume of a joint's fitted capsules: all of it, or what is nearest to this joint. */
void grazei_ode_take_capsule(const graze_hitboxes *fit, uint32_t joint, bool whole, mass_of *sum);

void grazei_ode_add_mass(mass_of *to, const mass_of *from);

/* Axes and limits of all joints. */
graze_status grazei_ode_find_limits(graze_ragdoll *ragdoll, const graze_ragdoll_def *def,
                                    graze_error *error);

/* What the def says of a joint, or NULL. */
const graze_ragdoll_joint *grazei_ode_said_of(const graze_ragdoll_def *def, const char *name);

#endif
