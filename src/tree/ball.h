/* The smallest ball around a set of points. */
#ifndef GRAZEI_TREE_BALL_H
#define GRAZEI_TREE_BALL_H

#include <stdint.h>

typedef struct grazei_ball {
    double centre[3];
    double radius;
} grazei_ball;

typedef struct grazei_ball_float {
    float centre[3];
    float radius;
} grazei_ball_float;

/* The smallest ball around the points positions[3 * indices[i]], i < count, with count at least 1
 * and finite coordinates. order is scratch for count indices; nothing is allocated.
 *
 * Guarantee: every point p satisfies |p - centre| <= radius in real arithmetic, for the doubles
 * returned, whatever the input. The radius is the smallest possible one up to a relative 1e-9,
 * unless the points are only a few float steps apart. The same input gives the same bits.
 */
grazei_ball grazei_ball_enclose(const float *positions, const uint32_t *indices, uint32_t count,
                                uint32_t *order);

/* The ball for storage in floats: the centre rounded to nearest, the radius measured again from
 * there and rounded up, so that the same guarantee holds for the floats returned. The points are
 * those the ball was made from.
 */
grazei_ball_float grazei_ball_round(const grazei_ball *ball, const float *positions,
                                    const uint32_t *indices, uint32_t count);

#endif
