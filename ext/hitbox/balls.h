/* Outer hitboxes in a pose from a few balls that are skinned like vertices: docs/bounds.md,
 * "Parts", has the proof.
 */
#ifndef GRAZEI_HITBOX_BALLS_H
#define GRAZEI_HITBOX_BALLS_H

#include "model/model.h"

#include <graze/shape.h>

enum { GRAZEI_MOST_BALLS = 16, GRAZEI_MOST_GROUPS = 4, GRAZEI_MOST_BALL_JOINTS = 64 };

/* One joint of four balls, one ball a lane. */
typedef struct grazei_ball_row {
    f4 x, y, z, w;        /* its share of the centre: weight times centre, and the weight */
    f4 turn, shift, grow; /* how far vertices stray with it: alpha, beta and gamma of the proof */
} grazei_ball_row;

typedef struct grazei_ball_group {
    uint32_t first_row, row_count;
    float growth;    /* 1 and the rounding of a radius */
    float row_error; /* rounding of a centre, as a multiple of the magnitude */
    f4 radius;       /* at rest */
    f4 along;        /* how much a ball counts for the direction of the axis */
} grazei_ball_group;

/* Four joints of a hitbox, the first one of all its own; where they are fewer, that again. Pivots
 * are points that joint and own joint move nearly alike.
 */
typedef struct grazei_ball_joints {
    f4 pivots[3];
    uint32_t joints[4];
} grazei_ball_joints;

/* Of one hitbox. Without joints there is nothing, and clusters bound it. */
typedef struct grazei_ball_volume {
    uint32_t first_group, group_count;
    uint32_t first_joints, joint_count; /* counted one by one */
    float most_size;                    /* beyond, as sizes compare, clusters may be tighter */
} grazei_ball_volume;

typedef struct grazei_balls {
    grazei_ball_volume *volumes; /* one an outer hitbox; NULL: none has any */
    grazei_ball_group *groups;
    grazei_ball_row *rows;
    uint32_t *row_joints; /* of the rows: numbers in the hitbox */
    grazei_ball_joints *joints;
    size_t group_count, row_count, joint_count; /* those of joints four at a time */
    size_t group_capacity, row_capacity, row_joint_capacity, joint_capacity;
    float weight_error; /* at least |1 - sum| of the weights of a vertex or ball: all hitboxes */
} grazei_balls;

/* What balls lose by rounding in a pose, and vertices with them; of a model whose vertices have up
 * to so many influences, with sums of weights up to weight_error from 1.
 */
float grazei_balls_error(const grazei_balls *balls, const grazei_joints *joints,
                         uint32_t influences, float weight_error);

/* Bounds a hitbox, in world space, from joints whose maps are blended; error: what
 * grazei_balls_error returned. False if clusters should do it: a joint is scaled by another factor
 * than the hitbox's own or in one direction more than in another, the hitbox would be many times as
 * large as at rest, or sizes are extreme, where rounding is not covered.
 */
bool grazei_balls_pose(const grazei_balls *balls, const grazei_ball_volume *volume,
                       const grazei_joints *joints, float error, graze_capsule *capsule);

#endif
