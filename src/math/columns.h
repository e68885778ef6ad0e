/* Numbers one a lane, GRAZEI_COLUMN of them: the rows of as many points, quaternions or maps turned
 * into columns.
 *
 * Eight on AVX and four elsewhere, as the points of math/points.h: what is posed together is mostly
 * too little for more. + - * / work on columns lane by lane, rounded as plain floats are.
 */
#ifndef GRAZEI_MATH_COLUMNS_H
#define GRAZEI_MATH_COLUMNS_H

#include "math/points.h"

#define GRAZEI_COLUMN (4 * GRAZEI_POINTS)

typedef points column;

typedef struct column3 {
    column x, y, z;
} column3;

#if defined(__AVX__)

typedef int32_t column_mask __attribute__((vector_size(32)));

/* All lanes the same. */
GRAZEI_INLINE column column_all(float a)
{
    return (column)_mm256_set1_ps(a);
}

GRAZEI_INLINE column column_load(const float *p)
{
    return (column)_mm256_loadu_ps(p);
}
GRAZEI_INLINE void column_store(float *p, column a)
{
    _mm256_storeu_ps(p, (__m256)a);
}
GRAZEI_INLINE column column_sqrt(column a)
{
    return (column)_mm256_sqrt_ps((__m256)a);
}
/* Where the mask is set a, elsewhere b. */
GRAZEI_INLINE column column_select(column_mask mask, column a, column b)
{
    return (column)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)mask);
}
/* Lane k in bit k. */
GRAZEI_INLINE uint32_t column_bits(column_mask mask)
{
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
}

/* The first halves of both, and the last. */
GRAZEI_INLINE column column_firsts(column a, column b)
{
    return (column)_mm256_permute2f128_ps((__m256)a, (__m256)b, 0x20);
}
GRAZEI_INLINE column column_lasts(column a, column b)
{
    return (column)_mm256_permute2f128_ps((__m256)a, (__m256)b, 0x31);
}

/* Fours of rows in either half become fours of columns, and the reverse. */
GRAZEI_INLINE void column_transpose(column r[4])
{
    __m256 a = (__m256)r[0], b = (__m256)r[1], c = (__m256)r[2], d = (__m256)r[3];
    __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
    __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
    r[0] = (column)_mm256_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(1, 0, 1, 0));
    r[1] = (column)_mm256_shuffle_ps(ab_low, cd_low, _MM_SHUFFLE(3, 2, 3, 2));
    r[2] = (column)_mm256_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(1, 0, 1, 0));
    r[3] = (column)_mm256_shuffle_ps(ab_high, cd_high, _MM_SHUFFLE(3, 2, 3, 2));
}

#else

typedef i4 column_mask;

GRAZEI_INLINE column column_all(float a)
{
    return f4_all(a);
}

GRAZEI_INLINE column column_load(const float *p)
{
    return f4_load_any(p);
}
GRAZEI_INLINE void column_store(float *p, column a)
{
    memcpy(p, &a, sizeof a);
}
GRAZEI_INLINE column column_sqrt(column a)
{
    return f4_sqrt(a);
}
GRAZEI_INLINE column column_select(column_mask mask, column a, column b)
{
    return (f4)((mask & (i4)a) | (~mask & (i4)b));
}
GRAZEI_INLINE uint32_t column_bits(column_mask mask)
{
    return (uint32_t)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
}
GRAZEI_INLINE void column_transpose(column r[4])
{
    f4_transpose(&r[0], &r[1], &r[2], &r[3]);
}

#endif

GRAZEI_INLINE column column_abs(column a)
{
    return (column)((column_mask)a & 0x7fffffff);
}

/* Lane k of out[c] is the float at rows[k] + offset + c; rows have any alignment. */
GRAZEI_INLINE void column_load_rows(const float *const rows[GRAZEI_COLUMN], size_t offset,
                                    column out[4])
{
    for (int k = 0; k < 4; k++)
        out[k] = points_of(f4_load_any(rows[k] + offset),
                           f4_load_any(rows[k + GRAZEI_COLUMN - 4] + offset));
    column_transpose(out);
}

/* The reverse; rows are aligned to 16 bytes. */
GRAZEI_INLINE void column_store_rows(float *const rows[GRAZEI_COLUMN], size_t offset,
                                     const column in[4])
{
    column r[4] = {in[0], in[1], in[2], in[3]};
    column_transpose(r);
    for (int k = 0; k < 4; k++) {
        f4_store(rows[k] + offset, points_first(r[k]));
        f4_store(rows[k + GRAZEI_COLUMN - 4] + offset, points_last(r[k]));
    }
}

/* Of rows that are used, the last is in all lanes that are left. */
GRAZEI_INLINE size_t column_row(size_t lane, uint32_t used)
{
    return lane < used ? lane : used - 1;
}

/* column_load_rows of the first `used` rows, `step` floats apart. */
GRAZEI_INLINE void column_load_spaced(const float *first, size_t step, uint32_t used, column out[4])
{
    for (size_t k = 0; k < 4; k++)
        out[k] = points_of(f4_load_any(first + column_row(k, used) * step),
                           f4_load_any(first + column_row(k + GRAZEI_COLUMN - 4, used) * step));
    column_transpose(out);
}

/* Two rows a lane, which stand side by side: half as many stores where two fit into one. */
GRAZEI_INLINE void column_store_twos(float *first, size_t step, uint32_t used, const column a[4],
                                     const column b[4])
{
    column r[4] = {a[0], a[1], a[2], a[3]}, s[4] = {b[0], b[1], b[2], b[3]};
    column_transpose(r);
    column_transpose(s);
    for (size_t k = 0; k < 4; k++) {
        float *to = first + column_row(k, used) * step;
#if defined(__AVX__)
        column_store(to, column_firsts(r[k], s[k]));
        column_store(first + column_row(k + 4, used) * step, column_lasts(r[k], s[k]));
#else
        f4_store(to, r[k]);
        f4_store(to + 4, s[k]);
#endif
    }
}

/* One row a lane, side by side. */
GRAZEI_INLINE void column_store_ones(float *first, uint32_t used, const column in[4])
{
    column r[4] = {in[0], in[1], in[2], in[3]};
    column_transpose(r);
    for (size_t k = 0; k < 4; k++) {
        f4_store(first + 4 * column_row(k, used), points_first(r[k]));
        f4_store(first + 4 * column_row(k + GRAZEI_COLUMN - 4, used), points_last(r[k]));
    }
}

GRAZEI_INLINE column3 column3_add(column3 a, column3 b)
{
    return (column3){a.x + b.x, a.y + b.y, a.z + b.z};
}

GRAZEI_INLINE column3 column3_sub(column3 a, column3 b)
{
    return (column3){a.x - b.x, a.y - b.y, a.z - b.z};
}

GRAZEI_INLINE column3 column3_scale(column3 a, column s)
{
    return (column3){a.x * s, a.y * s, a.z * s};
}

/* As f4_dot3 and f4_cross. */
GRAZEI_INLINE column column3_dot(column3 a, column3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

GRAZEI_INLINE column3 column3_cross(column3 a, column3 b)
{
    return (column3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
