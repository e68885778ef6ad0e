#include "narrow/rough_kernels.h"

#include "math/lanes.h"
#include "narrow/triangle_kernels.h"

#define GRAZEI_WIDE float
#define GRAZEI_WIDE_MASK int32_t
#define GRAZEI_WIDTH GRAZEI_LANES
#include "narrow/distance_wide.h"

#include <string.h>

/* Corner i of a vector of triangles. */
static inline wide3 load_corner(const float *const rows[GRAZEI_LANES])
{
    float at[3][GRAZEI_LANES] __attribute__((aligned(64)));
    lanes column[4];
    wide3 corner;
    lanes_load_rows(rows, 0, column);
    for (int axis = 0; axis < 3; ++axis)
        lanes_store(at[axis], column[axis]);
    memcpy(&corner.x, at[0], sizeof corner.x);
    memcpy(&corner.y, at[1], sizeof corner.y);
    memcpy(&corner.z, at[2], sizeof corner.z);
    return corner;
}

/* The triangles of a vector of pairs, from `first` on; those behind the last are the last. */
static inline void load_triangles(const grazei_posed_patch *a, const grazei_posed_patch *b,
                                  const uint16_t *pairs, size_t first, size_t count,
                                  wide3 triangles[2][3])
{
    const uint8_t *corners[2][GRAZEI_LANES];
    for (size_t k = 0; k < GRAZEI_LANES; ++k) {
        uint16_t pair = pairs[first + k < count ? first + k : count - 1];
        corners[0][k] = a->corners[grazei_pair_first(pair)];
        corners[1][k] = b->corners[grazei_pair_second(pair)];
    }
    for (int c = 0; c < 3; ++c) {
        const float *rows[2][GRAZEI_LANES];
        for (size_t k = 0; k < GRAZEI_LANES; ++k) {
            rows[0][k] = a->points[corners[0][k][c]];
            rows[1][k] = b->points[corners[1][k][c]];
        }
        triangles[0][c] = load_corner(rows[0]);
        triangles[1][c] = load_corner(rows[1]);
    }
}

static void rough_squares(const grazei_posed_patch *a, const grazei_posed_patch *b,
                          const uint16_t *pairs, size_t count, float *squares)
{
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide3 triangles[2][3];
        load_triangles(a, b, pairs, i, count, triangles);
        wide square = find_nearest(triangles[0], triangles[1]).square;
        memcpy(squares + i, &square, sizeof square);
    }
}

/* ---- slabs ---------------------------------------------------------------------------------- */

WIDE_INLINE wide wide_least(wide a, wide b)
{
    return wide_select(a < b, a, b);
}

WIDE_INLINE wide wide_most(wide a, wide b)
{
    return wide_select(a > b, a, b);
}

WIDE_INLINE wide wide_abs(wide a)
{
    return wide_most(a, wide_set(0) - a);
}

/* Where all of one triangle is beyond the other one, along the normal of a face, by more than the
 * root of `most`: any direction would do, so it does not matter how well the normal is known.
 * Corners are seen from one of them, with no coordinate above `reach`, and off by u of it, u =
 * 2^-24; a product with the normal n is off by 4 u |n|_1 reach, a gap by 10 u. The margin is 16 u.
 * Both sides of what is compared in the end are off by 6 u together, which is in `most`. A normal
 * that is next to nothing says nothing.
 */
WIDE_INLINE wide_mask beyond(const wide3 face[3], const wide3 a[3], const wide3 b[3], wide reach,
                             wide most)
{
    wide3 e = wide3_sub(face[1], face[0]), f = wide3_sub(face[2], face[0]);
    wide3 n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    wide at[2][3], size = wide3_dot(n, n);
    for (int i = 0; i < 3; i++) {
        at[0][i] = wide3_dot(n, a[i]);
        at[1][i] = wide3_dot(n, b[i]);
    }
    wide low_a = wide_least(wide_least(at[0][0], at[0][1]), at[0][2]);
    wide low_b = wide_least(wide_least(at[1][0], at[1][1]), at[1][2]);
    wide high_a = wide_most(wide_most(at[0][0], at[0][1]), at[0][2]);
    wide high_b = wide_most(wide_most(at[1][0], at[1][1]), at[1][2]);
    wide margin = (wide_abs(n.x) + wide_abs(n.y) + wide_abs(n.z)) * reach * wide_set(0x1p-20f);
    wide gap = wide_most(low_b - high_a, low_a - high_b) - margin;
    return (gap > wide_set(0)) & (gap * gap > most * size) & (size > wide_set(0x1p-80f));
}

/* The greatest coordinate of all corners. */
WIDE_INLINE wide find_reach(const wide3 triangles[2][3])
{
    wide most = wide_set(0);
    for (int c = 0; c < 6; ++c) {
        const wide3 *corner = &triangles[c / 3][c % 3];
        most = wide_most(most, wide_most(wide_abs(corner->x), wide_abs(corner->y)));
        most = wide_most(most, wide_abs(corner->z));
    }
    return most;
}

static inline bool all_are(const int32_t bits[GRAZEI_LANES])
{
    int32_t all = -1;
    for (size_t k = 0; k < GRAZEI_LANES; ++k)
        all &= bits[k];
    return all;
}

static size_t keep_by_faces(const grazei_posed_patch *a, const grazei_posed_patch *b,
                            uint16_t *pairs, size_t count, float limit)
{
    size_t kept = 0;
    float longer = limit * (1 + 0x1p-22f);
    wide most = wide_set(longer * longer * (1 + 0x1p-22f));
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide3 triangles[2][3], origin;
        int32_t out[GRAZEI_LANES];
        load_triangles(a, b, pairs, i, count, triangles);
        origin = triangles[0][0];
        for (int c = 0; c < 6; ++c)
            triangles[c / 3][c % 3] = wide3_sub(triangles[c / 3][c % 3], origin);
        wide reach = find_reach((const wide3(*)[3])triangles);
        wide_mask apart = beyond(triangles[0], triangles[0], triangles[1], reach, most);
        memcpy(out, &apart, sizeof out);
        if (!all_are(out)) {
            apart |= beyond(triangles[1], triangles[0], triangles[1], reach, most);
            memcpy(out, &apart, sizeof out);
        }
        for (size_t k = 0; k < GRAZEI_LANES && i + k < count; ++k) {
            pairs[kept] = pairs[i + k];
            kept += !out[k];
        }
    }
    return kept;
}

const grazei_rough_kernels GRAZEI_ISA(rough_kernels) = {rough_squares, keep_by_faces};
