#include "narrow/triangle_kernels.h"

#include "math/lanes.h"
#include "narrow/box_wide_chapter.h"
#include "narrow/triangle.h"
#include "narrow/triangle_wide.h"

#include <math.h>
#include <string.h>

/* The corners of one triangle per lane; pairs are read as bytes: compilers spill 16-bit numbers in
 * ways that stall the next load.
 */
GRAZEI_INLINE void load_corners(const grazei_triangle_set *set, const uint16_t pairs[], int byte,
                                lanes3 corners[3])
{
    const uint8_t *numbers = (const uint8_t *)pairs + byte;
    const float *rows[GRAZEI_LANES];
    for (int k = 0; k < GRAZEI_LANES; ++k)
        rows[k] = &set->corners[numbers[2 * k]][0][0];
    for (int i = 0; i < 3; ++i) {
        lanes column[4];
        lanes_load_rows(rows, (size_t)(4 * i), column);
        corners[i] = (lanes3){column[0], column[1], column[2]};
    }
}

GRAZEI_INLINE wide_corners load_pairs(const grazei_triangle_set *a, const grazei_triangle_set *b,
                                      const uint16_t pairs[])
{
    wide_corners corners;
    load_corners(a, pairs, GRAZEI_FIRST_BYTE, corners.a);
    load_corners(b, pairs, GRAZEI_SECOND_BYTE, corners.b);
    return corners;
}

static bool pair_meets(const grazei_triangle_set *a, const grazei_triangle_set *b, uint16_t pair)
{
    float corners[2][3][3];
    for (int i = 0; i < 3; ++i) {
        memcpy(corners[0][i], a->corners[grazei_pair_first(pair)][i], sizeof corners[0][i]);
        memcpy(corners[1][i], b->corners[grazei_pair_second(pair)][i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet(corners[0], corners[1]);
}

/* One instruction each, where fminf and fmaxf are calls. */
GRAZEI_INLINE float lesser(float a, float b)
{
    return a < b ? a : b;
}

GRAZEI_INLINE float greater(float a, float b)
{
    return a > b ? a : b;
}

/* At least the longest side of the box around both sets. */
static float find_reach(const grazei_triangle_set *a, const grazei_triangle_set *b)
{
    float reach = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float least = lesser(a->bounds[axis], b->bounds[axis]);
        float greatest = greater(a->bounds[axis + 3], b->bounds[axis + 3]);
        reach = greater(reach, greatest - least);
    }
    return reach;
}

/* How many pairs pass through the steps at a time. */
enum { BLOCK = 1024, BLOCK_VECTORS = BLOCK / GRAZEI_LANES };

/* A vector of pairs; the last one is made up of `count - i` pairs, with the last repeated. */
GRAZEI_INLINE const uint16_t *pairs_at(const uint16_t *pairs, size_t i, size_t count,
                                       uint16_t last[GRAZEI_LANES])
{
    if (count - i >= GRAZEI_LANES)
        return pairs + i;
    for (size_t k = 0; k < GRAZEI_LANES; ++k)
        last[k] = pairs[i + k < count ? i + k : count - 1];
    return last;
}

GRAZEI_INLINE uint32_t bits_at(size_t i, size_t count)
{
    return count - i >= GRAZEI_LANES ? GRAZEI_LANES_ALL : (1u << (count - i)) - 1;
}

/* Marks those pairs that no plane certainly separates. */
static void mark_open(const grazei_triangle_set *a, const grazei_triangle_set *b, float reach,
                      const uint16_t *pairs, size_t count, uint16_t marks[BLOCK_VECTORS])
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_corners corners = load_pairs(a, b, pairs_at(pairs, i, count, last));
        uint32_t bits = not_separated_in_lanes(&corners, lanes_set(reach));
        marks[i / GRAZEI_LANES] = (uint16_t)(bits & bits_at(i, count));
    }
}

/* Marks those pairs that meet. */
static void mark_meeting(const grazei_triangle_set *a, const grazei_triangle_set *b, float reach,
                         const uint16_t *pairs, size_t count, uint16_t marks[BLOCK_VECTORS],
                         size_t *unsure)
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        const uint16_t *vector = pairs_at(pairs, i, count, last);
        uint32_t bits = bits_at(i, count);
        wide_corners corners = load_pairs(a, b, vector);
        wide_answer answer = meet_in_lanes(&corners, lanes_set(reach));
#if !defined(GRAZE_SMALL) /* where code travels, the exact test finds out */
        if (answer.unsure & bits)
            answer.unsure &= ~apart_in_plane(&corners, lanes_set(reach));
#endif
        for (uint32_t left = answer.unsure & bits; left; left &= left - 1) {
            int k = __builtin_ctz(left);
            answer.hit |= (uint32_t)pair_meets(a, b, vector[k]) << k;
            ++*unsure;
        }
        marks[i / GRAZEI_LANES] = (uint16_t)(answer.hit & bits);
    }
}

/* Writes the marked pairs; `out` has room for a vector more and may be `pairs`. A loop of its own:
 * where to write depends on all marks before, and the tests need not wait for that.
 */
static size_t keep_marked(const uint16_t *pairs, size_t count, const uint16_t marks[BLOCK_VECTORS],
                          uint16_t *out)
{
    uint16_t last[GRAZEI_LANES];
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        const uint16_t *vector = pairs_at(pairs, i, count, last);
        found += lanes_pack(out + found, vector, 0, marks[i / GRAZEI_LANES]);
    }
    return found;
}

/* In two passes over a block of pairs: the planes part most of them, and what is left fills whole
 * vectors again. That is worth loading the triangles of those twice.
 */
static size_t triangle_pairs(const grazei_triangle_set *a, const grazei_triangle_set *b,
                             const uint16_t *pairs, size_t count, uint16_t *hits, size_t *unsure)
{
    uint16_t open[BLOCK + GRAZEI_LANES], marks[BLOCK_VECTORS];
    float reach = find_reach(a, b);
    size_t found = 0;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;
        mark_open(a, b, reach, pairs + first, size, marks);
        size_t kept = keep_marked(pairs + first, size, marks, open);
        mark_meeting(a, b, reach, open, kept, marks, unsure);
        kept = keep_marked(open, kept, marks, open);
        memcpy(hits + found, open, kept * sizeof *hits);
        found += kept;
    }
    return found;
}

/* The normal divided by the square of the extent; NaN where that may overflow. */
GRAZEI_INLINE lanes3 scaled_normal(const lanes3 corner[3], lanes extent)
{
    lanes3 normal =
        lanes3_cross(lanes3_sub(corner[1], corner[0]), lanes3_sub(corner[2], corner[0]));
    lanes_mask in_range = mask_and(lanes_less_equal(lanes_set(LEAST_EXTENT), extent),
                                   lanes_less_equal(extent, lanes_set(GREATEST_EXTENT)));
    lanes scale =
        lanes_select(in_range, lanes_div(lanes_set(1), lanes_mul(extent, extent)), lanes_set(NAN));
    return (lanes3){lanes_mul(normal.x, scale), lanes_mul(normal.y, scale),
                    lanes_mul(normal.z, scale)};
}

/* GRAZEI_LANES triangles of a set, from `first` on. */
GRAZEI_INLINE void fill_set(const float *const rows[3][GRAZEI_LANES], uint32_t first,
                            const grazei_triangle_set *set, lanes bounds[6])
{
    lanes column[3][4], extent = lanes_set(0);
    float *out[GRAZEI_LANES];
    for (int i = 0; i < 3; ++i)
        lanes_load_rows(rows[i], 0, column[i]);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        lanes least = lanes_min3(column[0][axis], column[1][axis], column[2][axis]);
        lanes greatest = lanes_max3(column[0][axis], column[1][axis], column[2][axis]);
        extent = lanes_max(extent, lanes_sub(greatest, least));
        bounds[axis] = lanes_min(bounds[axis], least);
        bounds[axis + 3] = lanes_max(bounds[axis + 3], greatest);
        lanes_store(set->boxes + axis * set->stride + first, least);
        lanes_store(set->boxes + (axis + 3) * set->stride + first, greatest);
    }
    lanes3 corner[3];
    for (int i = 0; i < 3; ++i)
        corner[i] = (lanes3){column[i][0], column[i][1], column[i][2]};
    lanes3 normal = scaled_normal(corner, extent);
    column[0][3] = normal.x;
    column[1][3] = normal.y;
    column[2][3] = normal.z;
    for (uint32_t k = 0; k < GRAZEI_LANES; ++k)
        out[k] = &set->corners[first + k][0][0];
    for (int i = 0; i < 3; ++i)
        lanes_store_rows(out, (size_t)(4 * i), column[i]);
}

static void reduce_bounds(const lanes bounds[6], float out[6])
{
    for (int row = 0; row < 6; ++row) {
        float lane[GRAZEI_LANES];
        lanes_store(lane, bounds[row]);
        out[row] = lane[0];
        for (int k = 1; k < GRAZEI_LANES; ++k)
            out[row] = row < 3 ? lesser(out[row], lane[k]) : greater(out[row], lane[k]);
    }
}

static void triangle_set(const float (*vertices)[4], const uint8_t (*numbers)[4],
                         const grazei_triangle_set *set)
{
    lanes bounds[6];
    for (int row = 0; row < 6; ++row)
        bounds[row] = lanes_set(row < 3 ? INFINITY : -INFINITY);
    for (uint32_t first = 0; first < set->stride; first += GRAZEI_LANES) {
        const float *rows[3][GRAZEI_LANES];
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k) {
            uint32_t number = first + k < set->count ? first + k : set->count - 1;
            for (int i = 0; i < 3; ++i)
                rows[i][k] = vertices[numbers[number][i]];
        }
        fill_set(rows, first, set, bounds);
    }
    for (uint32_t row = 0; row < 6; ++row) {
        for (uint32_t i = set->count; i < set->stride; ++i)
            set->boxes[row * set->stride + i] = row < 3 ? INFINITY : -INFINITY;
    }
    reduce_bounds(bounds, set->bounds);
}

const grazei_triangle_kernels GRAZEI_ISA(triangle_kernels) = {
    .width = GRAZEI_LANES,
    .triangle_set = triangle_set,
    .boxes_overlapping = boxes_overlapping,
    .box_pairs = box_pairs,
    .box_pairs_but = box_pairs_but,
    .triangle_pairs = triangle_pairs,
};
