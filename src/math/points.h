/* Points side by side: GRAZEI_POINTS times four lanes, each four as an f4.
 *
 * Two on AVX, elsewhere one. Four in 512 bits were slower where measured (Zen 4): what is posed
 * together is too often no multiple of four. + - * work on points as on f4, and every lane computes
 * what it would in an f4, bit for bit.
 */
#ifndef GRAZEI_MATH_POINTS_H
#define GRAZEI_MATH_POINTS_H

#include "math/f4.h"
#include "math/lanes.h"

#if defined(__AVX__)

#define GRAZEI_POINTS 2

typedef float points __attribute__((vector_size(32)));

/* All points the same. */
GRAZEI_INLINE points points_all(f4 a)
{
    return (points)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)a), (__m128)a, 1);
}

/* The first point and the last, which may be the same one. */
GRAZEI_INLINE points points_of(f4 first, f4 last)
{
    return (points)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)first), (__m128)last, 1);
}

/* One number for the lanes of the first point, one for those of the last. */
GRAZEI_INLINE points points_each(float first, float last)
{
    return (points)_mm256_blend_ps(_mm256_set1_ps(first), _mm256_set1_ps(last), 0xf0);
}

GRAZEI_INLINE points points_load(const float (*rows)[4])
{
    return (points)_mm256_loadu_ps(rows[0]);
}
GRAZEI_INLINE void points_store(float (*rows)[4], points a)
{
    _mm256_storeu_ps(rows[0], (__m256)a);
}

GRAZEI_INLINE f4 points_first(points a)
{
    return (f4)_mm256_castps256_ps128((__m256)a);
}
GRAZEI_INLINE f4 points_last(points a)
{
    return (f4)_mm256_extractf128_ps((__m256)a, 1);
}

GRAZEI_INLINE points points_x(points a)
{
    return (points)_mm256_permute_ps((__m256)a, 0x00);
}
GRAZEI_INLINE points points_y(points a)
{
    return (points)_mm256_permute_ps((__m256)a, 0x55);
}
GRAZEI_INLINE points points_z(points a)
{
    return (points)_mm256_permute_ps((__m256)a, 0xaa);
}

GRAZEI_INLINE points points_min(points a, points b)
{
    return (points)_mm256_min_ps((__m256)a, (__m256)b);
}
GRAZEI_INLINE points points_max(points a, points b)
{
    return (points)_mm256_max_ps((__m256)a, (__m256)b);
}

/* y z x of each. */
GRAZEI_INLINE points points_yzx(points a)
{
    return (points)_mm256_permute_ps((__m256)a, 0xc9);
}

#else

#define GRAZEI_POINTS 1

typedef f4 points;

GRAZEI_INLINE points points_all(f4 a)
{
    return a;
}

GRAZEI_INLINE points points_of(f4 first, f4 last)
{
    (void)last;
    return first;
}

GRAZEI_INLINE points points_each(float first, float last)
{
    (void)last;
    return f4_all(first);
}

GRAZEI_INLINE points points_load(const float (*rows)[4])
{
    return f4_load(rows[0]);
}
GRAZEI_INLINE void points_store(float (*rows)[4], points a)
{
    f4_store(rows[0], a);
}

GRAZEI_INLINE f4 points_first(points a)
{
    return a;
}
GRAZEI_INLINE f4 points_last(points a)
{
    return a;
}

GRAZEI_INLINE points points_x(points a)
{
    return f4_x(a);
}
GRAZEI_INLINE points points_y(points a)
{
    return f4_y(a);
}
GRAZEI_INLINE points points_z(points a)
{
    return f4_z(a);
}

GRAZEI_INLINE points points_min(points a, points b)
{
    return f4_min(a, b);
}
GRAZEI_INLINE points points_max(points a, points b)
{
    return f4_max(a, b);
}

GRAZEI_INLINE points points_yzx(points a)
{
    return f4_set(a[1], a[2], a[0], a[3]);
}

#endif

/* Points that stand side by side. */
GRAZEI_INLINE points points_of_f4(const f4 *first)
{
    points a;
    memcpy(&a, first, sizeof a);
    return a;
}

/* The greatest of all points, lane by lane. */
GRAZEI_INLINE f4 points_most(points a)
{
    return f4_max(points_first(a), points_last(a));
}

/* One affine map for all points. */
typedef struct points_map {
    points c[4];
} points_map;

GRAZEI_INLINE points_map points_map_all(const f4_map *map)
{
    return (points_map){{points_all(map->c[0]), points_all(map->c[1]), points_all(map->c[2]),
                         points_all(map->c[3])}};
}

#endif
