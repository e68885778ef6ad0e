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

const grazei_rough_kernels GRAZEI_ISA(rough_kernels) = {rough_squares};
