/* Triangle against triangle in float lanes: a vector of pairs at a time, each lane with its own two
 * triangles. A lane answers only what its error margins prove; the rest goes to the exact test.
 *
 * The steps are those of triangle.c (after Guigue and Devillers 2003): corners against planes, then
 * four orientations of pairs of edges.
 *
 * Margins. u = 2^-24 and gamma(k) = k u / (1 - k u); floats round to nearest, unfused. Every vector
 * below is one difference of two input points, so each coordinate has a relative error of at most
 * u, however far from the origin the triangles are. R, the reach of the two sets, is the longest
 * side of the box around both; no difference of coordinates is greater.
 *
 * PLANE_MARGIN. A set stores n = (e x f) s, rounded, where e and f are edges of the triangle, E is
 * its extent (the longest side of its box) and s = 1 / E^2, rounded: a common positive factor that
 * changes no sign. For a point at the difference w from the first corner, n . w is a sum of six
 * products e_i f_j w_k s. Each passes at most 9 roundings: two edges, their product, a difference,
 * the factor s, w, a product, two sums. As |e_i|, |f_j| <= E and |w_k| <= R, the error is at most
 * gamma(9) 6 E^2 s R <= 54 u (1 + 20 u) R, where 20 u covers gamma, E^2 s <= 1 + 5 u, and the
 * rounding of R. We take 56 u R. The 2 u R left over cover underflow, even flushed to zero, that is
 * by at most 2^-126: in the products of edges it counts 6 s R <= 2^61 R times (E >= 2^-29, R >= E),
 * in n and in n . w less.
 *
 * EDGE_MARGIN. An orientation det(w, e, f) of a pair of edges passes at most 8 roundings for each
 * product: three differences, a product, a difference, a product, two sums. With E and F now the
 * greatest coordinates of the edges at hand, the error is at most gamma(8) 6 E F R <
 * 48 u (1 + 10 u) E F R, and E F R as computed is short of the truth by at most 5 u. We take
 * 50 u E F R. E, F and R are at least 2^-30, so underflow costs 2^-126 (6 F + 3) and is covered.
 * E, F <= 2^36 and R <= 2^44 keep everything below 2^120.
 *
 * Sizes outside of these limits get a NaN normal or a NaN margin, and nothing is certain then: NaN
 * is neither above nor below. As lanes_min and lanes_max may lose a NaN, no minimum or maximum is
 * taken over distances to different planes.
 */
#include "narrow/triangle_lanes.h"

#include "math/isa.h"
#include "math/lanes.h"
#include "narrow/box_lanes.h"
#include "narrow/triangle.h"

#include <math.h>
#include <string.h>

#define PLANE_MARGIN 0x1.cp-19f /* 56 u */
#define EDGE_MARGIN 0x1.9p-19f  /* 50 u */
#define LEAST_EXTENT 0x1p-29f
#define GREATEST_EXTENT 0x1p36f
#define GREATEST_REACH 0x1p44f

/* One triangle per lane: where its corners are. */
typedef struct wide_rows {
    const float *row[GRAZEI_LANES];
} wide_rows;

/* The corners of a pair of triangles per lane. */
typedef struct wide_corners {
    lanes3 a[3], b[3];
} wide_corners;

typedef struct wide_answer {
    uint32_t hit, unsure;
} wide_answer;

/* What has to be exceeded to be certain; edge is for edges of unit extent. */
typedef struct wide_margins {
    lanes plane, minus_plane, edge;
} wide_margins;

/* The distances of the corners of each triangle to the plane of the other, in units of that plane.
 */
typedef struct wide_sides {
    lanes of_a[3], of_b[3];
} wide_sides;

GRAZEI_INLINE lanes3 load_corner(const wide_rows *rows, int number, lanes *fourth)
{
    lanes column[4];
    lanes_load_rows(rows->row, (size_t)(4 * number), column);
    *fourth = column[3];
    return (lanes3){column[0], column[1], column[2]};
}

/* Loads the triangles and finds the sides on the way. In this order, with the normal of b coming in
 * a coordinate at a time, most of it stays in 16 registers.
 */
GRAZEI_INLINE wide_sides load_sides(const wide_rows *a_rows, const wide_rows *b_rows,
                                    wide_corners *corners)
{
    lanes3 *a = corners->a, *b = corners->b, normal, from_b[3];
    lanes zero = lanes_set(0), b_normal;
    wide_sides sides;
    a[0] = load_corner(a_rows, 0, &normal.x);
    a[1] = load_corner(a_rows, 1, &normal.y);
    a[2] = load_corner(a_rows, 2, &normal.z);
    b[0] = load_corner(b_rows, 0, &b_normal);
    lanes3 between = lanes3_sub(b[0], a[0]);
    sides.of_b[0] = lanes3_dot(normal, between);
    from_b[0] = (lanes3){lanes_sub(zero, between.x), lanes_sub(zero, between.y),
                         lanes_sub(zero, between.z)};
    from_b[1] = lanes3_sub(a[1], b[0]);
    from_b[2] = lanes3_sub(a[2], b[0]);
    for (int i = 0; i < 3; ++i)
        sides.of_a[i] = lanes_mul(from_b[i].x, b_normal);
    b[1] = load_corner(b_rows, 1, &b_normal);
    sides.of_b[1] = lanes3_dot(normal, lanes3_sub(b[1], a[0]));
    for (int i = 0; i < 3; ++i)
        sides.of_a[i] = lanes_add(sides.of_a[i], lanes_mul(from_b[i].y, b_normal));
    b[2] = load_corner(b_rows, 2, &b_normal);
    sides.of_b[2] = lanes3_dot(normal, lanes3_sub(b[2], a[0]));
    for (int i = 0; i < 3; ++i)
        sides.of_a[i] = lanes_add(sides.of_a[i], lanes_mul(from_b[i].z, b_normal));
    return sides;
}

/* Where all three distances are certainly on the same side. */
GRAZEI_INLINE lanes_mask on_one_side(const lanes distance[3], const wide_margins *margins)
{
    lanes least = lanes_min3(distance[0], distance[1], distance[2]);
    lanes greatest = lanes_max3(distance[0], distance[1], distance[2]);
    return mask_or(lanes_less(margins->plane, least), lanes_less(greatest, margins->minus_plane));
}

/* Where the signs of three distances are certain. */
GRAZEI_INLINE lanes_mask certain_signs(const lanes distance[3], lanes margin)
{
    return lanes_less(
        margin, lanes_min3(lanes_abs(distance[0]), lanes_abs(distance[1]), lanes_abs(distance[2])));
}

/* The corner that is alone on its side, and the edges from it to the others. */
typedef struct wide_fan {
    lanes3 apex, left, right;
} wide_fan;

GRAZEI_INLINE wide_fan fan_from_lone_corner(const lanes3 corner[3], const lanes distance[3])
{
    lanes zero = lanes_set(0);
    lanes_mask first = lanes_less(zero, distance[0]);
    lanes_mask second = lanes_less(zero, distance[1]);
    lanes_mask third = lanes_less(zero, distance[2]);
    lanes_mask not_first = mask_xor(second, third), not_second = mask_xor(first, third);
    lanes_mask is_third = mask_and(not_first, not_second);
    lanes3 apex =
        lanes3_select(not_first, lanes3_select(not_second, corner[2], corner[1]), corner[0]);
    lanes3 left = lanes3_select(not_first, corner[0], corner[1]);
    lanes3 right = lanes3_select(is_third, corner[1], corner[2]);
    return (wide_fan){apex, lanes3_sub(left, apex), lanes3_sub(right, apex)};
}

GRAZEI_INLINE lanes fan_reach(const wide_fan *fan)
{
    return lanes_max(lanes3_reach(fan->left), lanes3_reach(fan->right));
}

/* The four orientations of an edge of a and an edge of b: where they all have one sign, the
 * triangles miss each other, and where they have both, they meet.
 */
GRAZEI_INLINE void cross_fans(const wide_fan *a, const wide_fan *b, const wide_margins *margins,
                              lanes_mask *miss, lanes_mask *meet)
{
    lanes3 between = lanes3_sub(b->apex, a->apex);
    lanes3 left = lanes3_cross(between, a->left), right = lanes3_cross(between, a->right);
    lanes d0 = lanes3_dot(left, b->left), d1 = lanes3_dot(left, b->right);
    lanes d2 = lanes3_dot(right, b->left), d3 = lanes3_dot(right, b->right);
    lanes least = lanes_min(lanes_min(d0, d1), lanes_min(d2, d3));
    lanes greatest = lanes_max(lanes_max(d0, d1), lanes_max(d2, d3));
    lanes margin = lanes_mul(lanes_mul(fan_reach(a), fan_reach(b)), margins->edge);
    lanes minus_margin = lanes_sub(lanes_set(0), margin);
    *miss = mask_or(lanes_less(margin, least), lanes_less(greatest, minus_margin));
    *meet = mask_and(lanes_less(margin, greatest), lanes_less(least, minus_margin));
}

/* What is certain about triangles that no plane certainly separates. */
GRAZEI_INLINE wide_answer meet_in_lanes(const wide_rows *a, const wide_rows *b,
                                        const wide_margins *margins)
{
    lanes_mask miss, meet;
    wide_corners corners;
    wide_sides sides = load_sides(a, b, &corners);
    /* The fans are right only where all six signs are certain. */
    lanes_mask certain = mask_and(certain_signs(sides.of_a, margins->plane),
                                  certain_signs(sides.of_b, margins->plane));
    wide_fan a_fan = fan_from_lone_corner(corners.a, sides.of_a);
    wide_fan b_fan = fan_from_lone_corner(corners.b, sides.of_b);
    cross_fans(&a_fan, &b_fan, margins, &miss, &meet);
    uint32_t hit = mask_bits(mask_and(certain, meet));
    uint32_t sure = mask_bits(mask_and(certain, mask_or(miss, meet)));
    return (wide_answer){hit, GRAZEI_LANES_ALL & ~sure};
}

/* Where the number of a triangle of the first and the second set is in the two bytes of a pair. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { FIRST_BYTE = 1, SECOND_BYTE = 0 };
#else
enum { FIRST_BYTE = 0, SECOND_BYTE = 1 };
#endif

/* Reads the pairs as bytes: compilers spill 16-bit numbers in ways that stall the next load. */
GRAZEI_INLINE wide_rows find_rows(const grazei_triangle_set *set, const uint16_t pairs[], int byte)
{
    const uint8_t *numbers = (const uint8_t *)pairs + byte;
    wide_rows rows;
    for (int k = 0; k < GRAZEI_LANES; ++k)
        rows.row[k] = &set->corners[numbers[2 * k]][0][0];
    return rows;
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

static wide_margins find_margins(const grazei_triangle_set *a, const grazei_triangle_set *b)
{
    float reach = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float least = lesser(a->bounds[axis], b->bounds[axis]);
        float greatest = greater(a->bounds[axis + 3], b->bounds[axis + 3]);
        reach = greater(reach, greatest - least);
    }
    if (!(reach <= GREATEST_REACH))
        reach = NAN;
    return (wide_margins){lanes_set(reach * PLANE_MARGIN), lanes_set(-reach * PLANE_MARGIN),
                          lanes_set(reach * EDGE_MARGIN)};
}

/* The bits of those of GRAZEI_LANES pairs that no plane certainly separates. */
GRAZEI_INLINE uint32_t not_separated(const grazei_triangle_set *a, const grazei_triangle_set *b,
                                     const wide_margins *margins, const uint16_t pairs[])
{
    wide_corners corners;
    wide_rows a_rows = find_rows(a, pairs, FIRST_BYTE), b_rows = find_rows(b, pairs, SECOND_BYTE);
    wide_sides sides = load_sides(&a_rows, &b_rows, &corners);
    lanes_mask apart = mask_or(on_one_side(sides.of_a, margins), on_one_side(sides.of_b, margins));
    return GRAZEI_LANES_ALL & ~mask_bits(apart);
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
static void mark_open(const grazei_triangle_set *a, const grazei_triangle_set *b,
                      const wide_margins *margins, const uint16_t *pairs, size_t count,
                      uint16_t marks[BLOCK_VECTORS])
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        uint32_t bits = not_separated(a, b, margins, pairs_at(pairs, i, count, last));
        marks[i / GRAZEI_LANES] = (uint16_t)(bits & bits_at(i, count));
    }
}

/* Marks those pairs that meet. */
static void mark_meeting(const grazei_triangle_set *a, const grazei_triangle_set *b,
                         const wide_margins *margins, const uint16_t *pairs, size_t count,
                         uint16_t marks[BLOCK_VECTORS], size_t *unsure)
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        const uint16_t *vector = pairs_at(pairs, i, count, last);
        uint32_t bits = bits_at(i, count);
        wide_rows a_rows = find_rows(a, vector, FIRST_BYTE);
        wide_rows b_rows = find_rows(b, vector, SECOND_BYTE);
        wide_answer answer = meet_in_lanes(&a_rows, &b_rows, margins);
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
static size_t GRAZEI_ISA(triangle_pairs)(const grazei_triangle_set *a, const grazei_triangle_set *b,
                                         const uint16_t *pairs, size_t count, uint16_t *hits,
                                         size_t *unsure)
{
    uint16_t open[BLOCK + GRAZEI_LANES], marks[BLOCK_VECTORS];
    wide_margins margins = find_margins(a, b);
    size_t found = 0;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;
        mark_open(a, b, &margins, pairs + first, size, marks);
        size_t kept = keep_marked(pairs + first, size, marks, open);
        mark_meeting(a, b, &margins, open, kept, marks, unsure);
        kept = keep_marked(open, kept, marks, open);
        memcpy(hits + found, open, kept * sizeof *hits);
        found += kept;
    }
    return found;
}

/* The normal as the margins want it: divided by the square of the extent, or NaN. */
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

/* GRAZEI_LANES triangles of a set, from `first` on; boxes alone, or all. */
GRAZEI_INLINE void fill_set(const float *const rows[3][GRAZEI_LANES], uint32_t first,
                            const grazei_triangle_set *set, lanes bounds[6], bool all)
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
    if (!all)
        return;
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

GRAZEI_INLINE void make_ready(const float (*vertices)[4], const uint8_t (*corners)[4],
                              const grazei_triangle_set *set, bool all)
{
    lanes bounds[6];
    for (int row = 0; row < 6; ++row)
        bounds[row] = lanes_set(row < 3 ? INFINITY : -INFINITY);
    for (uint32_t first = 0; first < set->stride; first += GRAZEI_LANES) {
        const float *rows[3][GRAZEI_LANES];
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k) {
            uint32_t number = first + k < set->count ? first + k : set->count - 1;
            for (int i = 0; i < 3; ++i)
                rows[i][k] = vertices[corners[number][i]];
        }
        fill_set(rows, first, set, bounds, all);
    }
    for (uint32_t row = 0; row < 6; ++row) {
        for (uint32_t i = set->count; i < set->stride; ++i)
            set->boxes[row * set->stride + i] = row < 3 ? INFINITY : -INFINITY;
    }
    reduce_bounds(bounds, set->bounds);
}

static void GRAZEI_ISA(triangle_set)(const float (*vertices)[4], const uint8_t (*corners)[4],
                                     const grazei_triangle_set *set)
{
    make_ready(vertices, corners, set, true);
}

static void GRAZEI_ISA(triangle_boxes)(const float (*vertices)[4], const uint8_t (*corners)[4],
                                       const grazei_triangle_set *set)
{
    make_ready(vertices, corners, set, false);
}

const grazei_triangle_lanes GRAZEI_ISA(triangle_lanes) = {
    .width = GRAZEI_LANES,
    .triangle_set = GRAZEI_ISA(triangle_set),
    .triangle_boxes = GRAZEI_ISA(triangle_boxes),
    .boxes_overlapping = GRAZEI_ISA(boxes_overlapping),
    .box_pairs = GRAZEI_ISA(box_pairs),
    .box_pairs_but = GRAZEI_ISA(box_pairs_but),
    .triangle_pairs = GRAZEI_ISA(triangle_pairs),
};
