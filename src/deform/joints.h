/* The joints of a pose, ready for posing and bounding. */
#ifndef GRAZEI_DEFORM_JOINTS_H
#define GRAZEI_DEFORM_JOINTS_H

#include "base/threads.h"
#include "math/f4.h"

/* What is found of a joint-set of several joints when it is first asked for in a pose. The mark is
 * not the fourth number of the centre, which is read with it while others look at the mark.
 */
typedef struct grazei_set_pose {
    float centre[4];  /* of rotation, at rest */
    atomic_uint mark; /* claimed with the pose's epoch */
} grazei_set_pose;

/* What is found of all pairs of joints when a node first asks for one of them. */
typedef struct grazei_pair_poses {
    atomic_uint mark; /* claimed with the pose's epoch */
    f4 rows[];        /* deform/pair_poses.h */
} grazei_pair_poses;

/* What is made of a pose's joints when a vertex, or a node below the root, is first asked for. */
typedef struct grazei_made {
    atomic_uint mark;  /* claimed with the pose's epoch */
    float rigid_error; /* at least how far a map is from the one that came */
} grazei_made;

typedef struct grazei_joints {
    f4_map *maps;   /* linear skinning: the linear part of the placement folded in, its translation
                       left out; else as given, blending joints made exactly rigid */
    float *stretch; /* at least the largest singular value of each map; aligned to 16 bytes;
                       spheres only, else NULL */
    f4 translation; /* of the placement, added last */
    f4 magnitude;   /* at least |coordinate| of every posed vertex before the placement */
    f4 final_error; /* at least what the placement can lose, in vertex and bound together */
    float magnitude_length;
    float final_error_length;

    float *morph_weights; /* one a target; NULL without targets */
    float morph_reach;    /* at least how far any vertex is displaced */
    float morph_error;    /* rounding of the morphed shape, as a multiple of the magnitude */

    /* Where the deformer needs rotations, else NULL. */
    f4 *rotations;        /* unit quaternions x y z w */
    f4 *duals;            /* twice the dual parts that belong to them; needs_duals only */
    f4_map *given;        /* the maps as they came: what moves a vertex of one joint */
    bool put_off;         /* maps, rotations and duals, of joints that are all rigid, are only there
                             once `made` is marked */
    grazei_made *made;    /* its number is there with them, mark or not */
    float rough_error;    /* at least that number, known at once */
    f4_map *scales;       /* what is left of each blending joint without its rotation */
    float *scale_stretch; /* as stretch, for scales */
    bool scaled;          /* any of them is not the identity */
    float scale_spread;   /* at least |S - I| of each */
    float reach_length;   /* of scaled_reach */
    f4 scaled_reach;      /* at least |coordinate| of rest positions after scaling */
    f4_map place;         /* linear part of the placement, applied to the skinned vertex */
    bool placed;
    float place_stretch;
    uint32_t epoch;                /* even */
    grazei_set_pose *set_poses;    /* needs_centres only; filled on demand */
    f4 *set_images;                /* images of each set's centre under its joints */
    grazei_pair_poses *pair_poses; /* NULL: not kept */
} grazei_joints;

/* What was found of joint-sets and pairs is old. Once in 2^31 epochs the number starts again, and
 * no old one may be taken for new.
 */
static inline void grazei_joints_new_epoch(uint32_t set_count, grazei_joints *joints)
{
    joints->epoch += 2;
    if (joints->epoch || !joints->made)
        return;
    atomic_store_explicit(&joints->made->mark, 0, memory_order_relaxed);
    for (uint32_t s = 0; joints->set_poses && s < set_count; s++)
        atomic_store_explicit(&joints->set_poses[s].mark, 0, memory_order_relaxed);
    if (joints->pair_poses)
        atomic_store_explicit(&joints->pair_poses->mark, 0, memory_order_relaxed);
    joints->epoch = 2;
}

/* A point by the linear part of a placement. */
static inline f4 grazei_turn(const f4_map *placement, f4 p)
{
    return (placement->c[0] * f4_x(p) + placement->c[1] * f4_y(p)) + placement->c[2] * f4_z(p);
}

#endif
