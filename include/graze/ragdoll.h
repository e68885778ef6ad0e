/* Ragdolls: what a physics engine needs of a skeleton. Bones with masses, and joints with limits.
 *
 *     graze_ragdoll_def def = {0};
 *     graze_ragdoll_load("man.json", &def, ...) or fields by hand, or neither
 *     graze_ragdoll_create(rig, model, hitboxes, &def, &ragdoll, &error);
 *
 * A bone is a joint of the rig with triangles of its own, which an outer hitbox owns. It is at
 * rest as the mesh was bound: coordinates here are those of the model. Any number of characters may
 * share a ragdoll: it is immutable.
 *
 * Guarantee: approximate. The same bits on every instruction set.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_RAGDOLL_H
#define GRAZE_RAGDOLL_H

#include <graze/ext/hitbox.h>
#include <graze/rig.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_ragdoll graze_ragdoll;

typedef enum graze_ragdoll_kind {
    GRAZE_RAGDOLL_BALL = 0, /* turns about three axes: `axis`, which goes with the parent, then the
                               one across, then `twist`, which goes with the bone */
    GRAZE_RAGDOLL_HINGE = 1 /* about `axis` alone */
} graze_ragdoll_kind;

/* What is said of one joint of a skeleton; all that is left zero is found. */
typedef struct graze_ragdoll_joint {
    const char *name; /* of the joint's node */
    graze_ragdoll_kind kind;
    float axis[3];         /* model space, at rest; 0: that about which clips turn it most */
    float twist[3];        /* at right angles to the axis, made so; 0: along the bone */
    bool limited;          /* limits are given */
    float low[3], high[3]; /* degrees from the rest pose: about axis, across, and twist; a hinge has
                              one. Across within -80 and 80. Not given: the range in the clips,
                              10 degrees more to each side; 30 to each side without clips */
    float mass;            /* kg; 0: from the volume */
    bool merge;            /* no bone: it goes with its parent */
} graze_ragdoll_joint;

typedef struct graze_ragdoll_def {
    const graze_allocator *allocator; /* NULL: the rig's */
    float density;                    /* kg/m3, of all that is inside the mesh; 0: 1,000, water */
    float smallest;  /* bones with less than this share of all mass go with their parents, unless
                        joints name them; below 1; 0: 0.005 */
    bool keep_small; /* true: bones of any size stay, whatever smallest says */
    float friction;  /* Nm: torque that a joint resists, per kg of the bones it carries; 0: 0.05 */
    bool frictionless; /* true: joints resist nothing, whatever friction says */
    float cell; /* metres: volumes are counted on a grid like this; 0: a 90th of the height */
    const graze_ragdoll_joint *joints;
    uint32_t joint_count;
    uintptr_t reserved[4];
} graze_ragdoll_def;

/* A bone, at rest. */
typedef struct graze_ragdoll_bone {
    const char *name;
    uint32_t joint, node; /* of the rig */
    uint32_t parent;      /* a bone before this one, GRAZE_NONE of the first */
    double mass;          /* kg */
    double centre[3];     /* of mass */
    double inertia[9];    /* about it, kg m2, 3 rows of 3 */
    double anchor[3];     /* where it is attached to its parent */
    double radius;        /* of a ball about the centre around all its triangles */
    graze_ragdoll_kind kind;
    double axis[3], twist[3];
    double low[3], high[3]; /* radians */
    double friction;        /* Nm */
} graze_ragdoll_bone;

/* Makes a ragdoll of a skeleton. Masses: every point inside the mesh belongs to the one bone that
 * it is nearest to by the outer hitboxes, so that none counts twice. What is inside a closed mesh
 * its winding decides, and all bones together have the volume of the mesh times the density. Of an
 * open mesh, or one that faces inwards, those points are inside that have a generalised winding
 * number of at least a half; a joint without any, as one of a sheet, has what of its outer hitboxes
 * is nearest to it. A bone that is kept and has no volume then has that of its outer hitboxes. A
 * mass that is given stands.
 *
 *   - The model is of this rig and the hitboxes of the model; the rig outlives the ragdoll.
 *   - Lengths are metres, and the mesh stands together where all joints are the identity: for files
 *     of others call graze_rig_settle first.
 *   - Joints of one node are one bone. A bone that has none above it in the node tree, but for the
 *     first of the heaviest piece, is joined to the bone before it whose middle is nearest.
 *   - Joints that are named are the rig's, have triangles unless they are merged, and have low
 *     limits below the high ones; masses are not negative, and none comes to be 0.
 *   - Joints neither stretch nor shear by more than a hundredth in the clips; nodes of bones have
 * no matrices, which could not be turned. Else GRAZE_BAD_INPUT names the joint. *ragdoll is set on
 * success only. Takes about a second for a character.
 */
graze_status graze_ragdoll_create(const graze_rig *rig, const graze_model *model,
                                  const graze_hitboxes *hitboxes, const graze_ragdoll_def *def,
                                  graze_ragdoll **ragdoll, graze_error *error);

/* Frees the ragdoll. NULL is fine. */
void graze_ragdoll_destroy(graze_ragdoll *ragdoll);

/* Bones, parents before their children. An index out of range: all of it is 0. */
uint32_t graze_ragdoll_bone_count(const graze_ragdoll *ragdoll);
graze_ragdoll_bone graze_ragdoll_get_bone(const graze_ragdoll *ragdoll, uint32_t bone);

/* The bone that a part of the model goes with; GRAZE_NONE if there is none. */
uint32_t graze_ragdoll_bone_of_part(const graze_ragdoll *ragdoll, uint32_t part);

/* The bone of that name; GRAZE_NONE if there is none. */
uint32_t graze_ragdoll_find_bone(const graze_ragdoll *ragdoll, const char *name);

/* How a bone is turned against its parent, in radians about axis, across and twist, from rotations
 * (quaternions x y z w) of both against the rest pose. Of a hinge the first alone. Of the first
 * bone all 0.
 */
void graze_ragdoll_angles(const graze_ragdoll *ragdoll, uint32_t bone, const double parent[4],
                          const double own[4], double angles[3]);

/* ---- files ---------------------------------------------------------------------------------- */

/* What a file says, kept for as long as the def that points into it is used. */
typedef struct graze_ragdoll_file graze_ragdoll_file;

/* Reads a JSON file (or text; name stands for it in errors) and fills a def, all of it:
 *
 *     {"density": 1000, "smallest": 0.005, "friction": 0.05,
 *      "joints": [{"name": "calf.L", "kind": "hinge", "axis": [1, 0, 0], "limits": [0, 140]},
 *                 {"name": "head", "limits": [[-30, 40], [-30, 30], [-60, 60]], "mass": 4.5},
 *                 {"name": "thumb.L", "merge": true}]}
 *
 * GRAZE_BAD_INPUT names the place and what was expected there. *file is set on success only.
 */
graze_status graze_ragdoll_load(const char *path, graze_ragdoll_def *def, graze_ragdoll_file **file,
                                graze_error *error);
graze_status graze_ragdoll_parse(const char *text, const char *name, graze_ragdoll_def *def,
                                 graze_ragdoll_file **file, graze_error *error);

/* NULL is fine. */
void graze_ragdoll_file_destroy(graze_ragdoll_file *file);

#ifdef __cplusplus
}
#endif

#endif
