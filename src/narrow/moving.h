/* When do two moving triangles first meet?
 *
 * Corners move along straight lines, at constant speed, from where they are at the start (time 0)
 * to where they are at the end (time 1).
 */
#ifndef GRAZEI_NARROW_MOVING_H
#define GRAZEI_NARROW_MOVING_H

#include "math/f4.h"

/* Rows are x, y, z and one unused number. */
typedef struct grazei_moving_triangle {
    float corners[2][3][4] __attribute__((aligned(16))); /* at the start, at the end */
} grazei_moving_triangle;

typedef struct grazei_moving_contact {
    bool initial;    /* the triangles meet at the start, exactly; the rest is zero then */
    float time;      /* in [0, 1] */
    float point[3];  /* the point of b that is nearest to a at that time */
    float normal[3]; /* of unit length, from b to a */
    double reached;  /* the time before it was rounded down */
    uint32_t steps;  /* what it took */
} grazei_moving_contact;

/* How near is near, for the triangles as they move: a part of the largest distance, on any axis, of
 * a corner from the first corner of a, at the start or at the end.
 */
#define GRAZEI_MOVING_TOLERANCE 0x1p-22f

/* Whether the triangles meet, and when. Coordinates are finite and below 1e18 in magnitude.
 *
 * Guarantee: conservative. Triangles that meet are always reported; the time is never later than
 * they first do, and they are not farther apart at that time (before it was rounded down to a
 * float) than the tolerance. Triangles that come within the tolerance without meeting may be
 * reported. At most 1000 steps are taken; where that does not do, the time reached counts as that
 * of a contact.
 *
 * The answer depends on the two motions alone, but for contacts later than `latest`: they may be
 * left out, and then save time. It is the same on every machine.
 */
bool grazei_moving_triangles_meet(const grazei_moving_triangle *a, const grazei_moving_triangle *b,
                                  float latest, grazei_moving_contact *contact);

/* A box whose sides move; the fourth lanes are finite. */
typedef struct grazei_moving_box {
    f4 low_negated[2], high[2]; /* at the start, at the end */
} grazei_moving_box;

/* Slack for the two users of grazei_moving_boxes_overlap: see there. */
#define GRAZEI_MOVING_SLACK_TRIANGLES (8 * 0x1p-24f)
#define GRAZEI_MOVING_SLACK_NODES (32 * 0x1p-24f)

/* False if the boxes are apart at all times; else the times before *enter and after *leave, at
 * which they certainly are.
 *
 * On each axis two sums of sides say how far the boxes overlap, and both change linearly. A float
 * sum has a relative error of at most u = 2^-24, so its sign is right, and the time at which it
 * passes zero, x / (x + y) for x, y > 0, has one of at most 4 u and an underflow. Slacks are
 * larger.
 *
 * Larger boxes have larger sums, so in real numbers they enter no later and leave no earlier. With
 * the slack of nodes at least 24 u above that of triangles this holds as computed: no tree can rule
 * out a pair, or a time, that the boxes of two triangles leave open.
 */
static inline bool grazei_moving_boxes_overlap(const grazei_moving_box *a,
                                               const grazei_moving_box *b, float slack,
                                               float *enter, float *leave)
{
    f4 zero = f4_zero(), one = f4_all(1.0f);
    f4 below[2] = {a->low_negated[0] + b->high[0], a->low_negated[1] + b->high[1]};
    f4 above[2] = {a->high[0] + b->low_negated[0], a->high[1] + b->low_negated[1]};
    *enter = 0;
    *leave = 1;
    if ((f4_ge_bits(f4_min(f4_max(below[0], below[1]), f4_max(above[0], above[1])), zero) & 7u) !=
        7u)
        return false;
    f4 least = f4_min(f4_min(below[0], below[1]), f4_min(above[0], above[1]));
    if ((f4_ge_bits(least, zero) & 7u) == 7u)
        return true;
    f4 times[2] = {below[0] / (below[0] - below[1]), above[0] / (above[0] - above[1])};
    i4 begins = below[0] < zero, ends = below[1] < zero;
    f4 first = (f4)(begins & (i4)times[0]);
    f4 last = (f4)((ends & (i4)times[0]) | (~ends & (i4)one));
    begins = above[0] < zero;
    ends = above[1] < zero;
    first = f4_max(first, (f4)(begins & (i4)times[1]));
    last = f4_min(last, (f4)((ends & (i4)times[1]) | (~ends & (i4)one)));
    float enters = f4_max3(first), leaves = f1_min(f1_min(last[0], last[1]), last[2]);
    *enter = f1_max(0, enters * (1 - slack) - slack * 0x1p-100f);
    *leave = f1_min(1, leaves * (1 + slack) + slack * 0x1p-100f);
    return *enter <= *leave;
}

#endif
