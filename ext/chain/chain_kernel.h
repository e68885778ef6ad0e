/* The arithmetic of sphere chains, for the host (C17) and for CUDA devices (clang) alike.
 *
 * Every result is the same bits on both: float32, one order of operations, nothing fused, the
 * square root correctly rounded. A vertex goes where src/deform's linear skinning takes it, bit for
 * bit (f4_map_point and pose_one there are the pattern).
 */
#ifndef GRAZEI_CHAIN_CHAIN_KERNEL_H
#define GRAZEI_CHAIN_CHAIN_KERNEL_H

#include <stdint.h>

#if defined(__CUDA__)
#define GRAZEI_CHAIN_INLINE static inline __attribute__((device, always_inline))
#define grazei_chain_sqrt __nvvm_sqrt_rn_f
#else
#include <math.h>
#define GRAZEI_CHAIN_INLINE static inline
#define grazei_chain_sqrt sqrtf
#endif

typedef struct grazei_chain_point {
    float x, y, z;
} grazei_chain_point;

/* A centre and a radius. */
typedef struct grazei_chain_ball {
    float x, y, z, r;
} grazei_chain_ball;

/* A coordinate of a moved point: a row of the map, its four numbers `step` floats apart. */
GRAZEI_CHAIN_INLINE float grazei_chain_row(const float *row, uint32_t step, grazei_chain_point p)
{
    return (row[0] * p.x + row[step] * p.y) + (row[2 * step] * p.z + row[3 * step]);
}

/* Adds one joint's share of a vertex: its 12 numbers are `step` floats apart. */
GRAZEI_CHAIN_INLINE grazei_chain_point grazei_chain_add(grazei_chain_point sum, const float *map,
                                                        uint32_t step, grazei_chain_point rest,
                                                        float weight)
{
    sum.x = sum.x + grazei_chain_row(map, step, rest) * weight;
    sum.y = sum.y + grazei_chain_row(map + 4 * step, step, rest) * weight;
    sum.z = sum.z + grazei_chain_row(map + 8 * step, step, rest) * weight;
    return sum;
}

/* A vertex without shares yet. Skinning starts with the first share instead of zero, and adds the
 * placement's translation last, zero here: both give a zero coordinate the same sign, plus.
 */
GRAZEI_CHAIN_INLINE grazei_chain_point grazei_chain_start(void)
{
    grazei_chain_point zero = {0.0f, 0.0f, 0.0f};
    return zero;
}

/* A pivot that is the centroid of a polygon's three vertices. */
GRAZEI_CHAIN_INLINE grazei_chain_point grazei_chain_centroid(grazei_chain_point a,
                                                             grazei_chain_point b,
                                                             grazei_chain_point c)
{
    grazei_chain_point p = {((a.x + b.x) + c.x) * (1.0f / 3.0f),
                            ((a.y + b.y) + c.y) * (1.0f / 3.0f),
                            ((a.z + b.z) + c.z) * (1.0f / 3.0f)};
    return p;
}

/* Adds a pivot's share to the centre, which starts with grazei_chain_start. */
GRAZEI_CHAIN_INLINE grazei_chain_point grazei_chain_centre(grazei_chain_point sum,
                                                           grazei_chain_point pivot, float weight)
{
    sum.x = sum.x + pivot.x * weight;
    sum.y = sum.y + pivot.y * weight;
    sum.z = sum.z + pivot.z * weight;
    return sum;
}

/* A pivot's distance to the centre. The radius is the scale, factor / (float)pivots, times the sum
 * of these, which starts with zero and is taken in the order of the pivots.
 */
GRAZEI_CHAIN_INLINE float grazei_chain_distance(grazei_chain_point pivot, grazei_chain_point centre)
{
    float x = pivot.x - centre.x, y = pivot.y - centre.y, z = pivot.z - centre.z;
    return grazei_chain_sqrt((x * x + y * y) + z * z);
}

GRAZEI_CHAIN_INLINE grazei_chain_ball grazei_chain_make_ball(grazei_chain_point centre,
                                                             float distances, float scale)
{
    grazei_chain_ball ball = {centre.x, centre.y, centre.z, scale * distances};
    return ball;
}

/* The sphere of pivots that stand `stride` floats apart. */
GRAZEI_CHAIN_INLINE grazei_chain_ball grazei_chain_follow(const float *pivots, uint32_t stride,
                                                          const float *weights, uint32_t count,
                                                          float scale)
{
    grazei_chain_point centre = grazei_chain_start();
    float distances = 0.0f;
    for (uint32_t k = 0; k < count; k++) {
        const float *p = pivots + (uint64_t)stride * k;
        grazei_chain_point pivot = {p[0], p[1], p[2]};
        centre = grazei_chain_centre(centre, pivot, weights[k]);
    }
    for (uint32_t k = 0; k < count; k++) {
        const float *p = pivots + (uint64_t)stride * k;
        grazei_chain_point pivot = {p[0], p[1], p[2]};
        distances = distances + grazei_chain_distance(pivot, centre);
    }
    return grazei_chain_make_ball(centre, distances, scale);
}

/* Whether two spheres overlap or touch. */
GRAZEI_CHAIN_INLINE int grazei_chain_meet(grazei_chain_ball a, grazei_chain_ball b)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, r = a.r + b.r;
    return (x * x + y * y) + z * z <= r * r;
}

/* Whether something can be said of a sphere: it is finite, and its squares will be. */
GRAZEI_CHAIN_INLINE int grazei_chain_is_good(grazei_chain_ball ball)
{
    const float most = 1e18f;
    return ball.x < most && ball.y < most && ball.z < most && ball.r < most && ball.x > -most &&
           ball.y > -most && ball.z > -most && ball.r > -most;
}

#endif
