/* Pieces of a hitbox: vertices that one ball holds, or a segment between two, whose weights then
 * run from end to end. What is measured of them is what the proof in docs/bounds.md, "Parts",
 * needs.
 */
#ifndef GRAZEI_HITBOX_PIECES_H
#define GRAZEI_HITBOX_PIECES_H

#include "hitbox/balls.h"
#include "hitbox/fit.h"

/* Vertices of a hitbox, all or some, by their numbers among these. */
typedef struct grazei_points {
    const grazei_mesh *mesh;
    const uint32_t *vertices;
    uint32_t count;
    uint32_t joint_count;     /* of the hitbox; its own is number 0 */
    const uint32_t *joints;   /* of the model */
    const uint32_t *numbers;  /* the reverse, one a joint of the model */
    const float (*pivots)[3]; /* one a joint */
    double *weights;          /* joint_count a point; NULL: they are read off the mesh */
    double *scratch_weights;  /* joint_count, for that */
    double *scratch;          /* one a point */
    uint32_t *scratch_numbers, *scratch_order;
    double slack; /* what double loses of a length */
} grazei_points;

typedef enum grazei_ball_piece_kind {
    GRAZEI_ONE_BALL,
    GRAZEI_ALONG,   /* a segment along a direction */
    GRAZEI_BETWEEN, /* the segment of a capsule */
    GRAZEI_PIECE_KINDS
} grazei_ball_piece_kind;

typedef struct grazei_ball_piece {
    uint32_t *points, count;
    grazei_ball_piece_kind kind; /* and direction: as it was measured */
    double direction[3];
    uint32_t ball_count; /* 1 or 2 */
    float centres[2][3]; /* g, alpha, beta: the proof's */
    double radius;       /* g, and what sums of weights are off */
    double weight_error;
    float rows[2][GRAZEI_MOST_BALL_JOINTS][4]; /* weight times centre, weight */
    double turn[GRAZEI_MOST_BALL_JOINTS], shift[GRAZEI_MOST_BALL_JOINTS];
    double most[GRAZEI_MOST_BALL_JOINTS]; /* the largest weight */
} grazei_ball_piece;

/* Measures a piece, whose points are set. direction is of GRAZEI_ALONG, between of GRAZEI_BETWEEN;
 * a segment without length becomes one ball.
 */
void grazei_ball_piece_measure(const grazei_points *points, grazei_ball_piece *piece,
                               grazei_ball_piece_kind kind, const double direction[3],
                               const graze_capsule *between);

/* The weights of a point, joint_count of them, valid until the next call. */
const double *grazei_point_weights(const grazei_points *points, uint32_t number);

static inline const float *grazei_point(const grazei_points *points, uint32_t number)
{
    return points->mesh->positions + 3 * (size_t)points->vertices[number];
}

/* Pieces as balls of one hitbox: its own groups and rows. */
typedef struct grazei_packed {
    uint32_t group_count, row_count;
    grazei_ball_group groups[GRAZEI_MOST_GROUPS];
    grazei_ball_row rows[GRAZEI_MOST_GROUPS * GRAZEI_MOST_BALL_JOINTS];
    uint32_t row_joints[GRAZEI_MOST_GROUPS * GRAZEI_MOST_BALL_JOINTS];
} grazei_packed;

/* axis: the direction of the hitbox at rest. There are at most GRAZEI_MOST_BALLS balls. */
void grazei_ball_pieces_pack(const grazei_ball_piece *const *pieces, uint32_t count,
                             uint32_t joint_count, const double axis[3], grazei_packed *packed);

#endif
