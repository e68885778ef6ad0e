/* Triangle against triangle in float lanes: a vector of pairs at a time, each lane with its own two
 * triangles. A lane answers only what its error margins prove; the rest goes to the exact test.
 *
 * This is the library's test as it was when the figures of docs/results.md were first measured
 * against the baseline: planes are kept with the triangles. What comes after them, and the margins
 * of that, is the library's as it is (narrow/triangle_wide.h).
 *
 * Margin of planes. u = 2^-24 and gamma(k) = k u / (1 - k u); floats round to nearest, unfused.
 * Every vector below is one difference of two input points, so each coordinate has a relative error
 * of at most u, however far from the origin the triangles are. R, the reach, is the longest side of
 * the box around both sets; no difference of coordinates is greater. Kept is n = (e x f) s,
 * rounded, where e and f are edges of the triangle, E is its extent (the longest side of its box)
 * and s = 1 / E^2, rounded: a common positive factor that changes no sign. For a point at the
 * difference w from the first corner, n . w is a sum of six products e_i f_j w_k s. Each passes at
 * most 9 roundings: two edges, their product, a difference, the factor s, w, a product, two sums.
 * As |e_i|, |f_j| <= E and |w_k| <= R, the error is at most gamma(9) 6 E^2 s R <= 54 u (1 + 20 u)
 * R, where 20 u covers gamma, E^2 s <= 1 + 5 u, and the rounding of R. We take 56 u R. The 2 u R
 * left over cover underflow, even flushed to zero, that is by at most 2^-126: in the products of
 * edges it counts 6 s R <= 2^61 R times (E >= 2^-29, R >= E), in n and in n . w less.
 *
 * Sizes outside of the limits get a NaN normal or a NaN margin, and nothing is certain then: NaN is
 * neither above nor below. As lanes_min and lanes_max may lose a NaN, no minimum or maximum is
 * taken over distances to different planes.
 */
#include "bench/eager/triangle_sets.h"

#include "narrow/triangle.h"
#include "narrow/triangle_wide.h"

/* Where those numbers are in the two bytes of a pair. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { FIRST_BYTE = 1, SECOND_BYTE = 0 };
#else
enum { FIRST_BYTE = 0, SECOND_BYTE = 1 };
#endif

/* The two sets, and what they have in common. */
typedef struct sets {
    const eager_ready *a, *b;
    lanes plane, reach; /* what a distance to a plane has to exceed to be certain */
} sets;

/* The corners of a vector of triangles. */
typedef struct rows {
    const float *row[GRAZEI_LANES];
} rows;

/* Reads the pairs as bytes: compilers spill 16-bit numbers in ways that stall the next load. */
EAGER_INLINE rows find_rows(const eager_ready *ready, const uint16_t pairs[], int byte)
{
    const uint8_t *numbers = (const uint8_t *)pairs + byte;
    rows found;
    for (int k = 0; k < GRAZEI_LANES; ++k)
        found.row[k] = ready[numbers[2 * k]][0];
    return found;
}

EAGER_INLINE lanes3 load_corner(const rows *from, int number, lanes *fourth)
{
    lanes column[4];
    lanes_load_rows(from->row, (size_t)(4 * number), column);
    *fourth = column[3];
    return (lanes3){column[0], column[1], column[2]};
}

/* The distances of the corners of each triangle to the plane of the other, in units of that plane.
 */
typedef struct sides {
    lanes of_a[3], of_b[3];
} sides;

/* Loads the triangles and finds the sides on the way. In this order, with the normal of b coming in
 * a coordinate at a time, most of it stays in 16 registers.
 */
EAGER_INLINE sides load_sides(const sets *s, const uint16_t pairs[], wide_corners *corners)
{
    const rows a_rows = find_rows(s->a, pairs, FIRST_BYTE);
    const rows b_rows = find_rows(s->b, pairs, SECOND_BYTE);
    lanes3 *a = corners->a, *b = corners->b, normal, from_b[3];
    lanes zero = lanes_set(0), b_normal;
    sides both;
    a[0] = load_corner(&a_rows, 0, &normal.x);
    a[1] = load_corner(&a_rows, 1, &normal.y);
    a[2] = load_corner(&a_rows, 2, &normal.z);
    b[0] = load_corner(&b_rows, 0, &b_normal);
    lanes3 between = lanes3_sub(b[0], a[0]);
    both.of_b[0] = lanes3_dot(normal, between);
    from_b[0] = (lanes3){lanes_sub(zero, between.x), lanes_sub(zero, between.y),
                         lanes_sub(zero, between.z)};
    from_b[1] = lanes3_sub(a[1], b[0]);
    from_b[2] = lanes3_sub(a[2], b[0]);
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_mul(from_b[i].x, b_normal);
    b[1] = load_corner(&b_rows, 1, &b_normal);
    both.of_b[1] = lanes3_dot(normal, lanes3_sub(b[1], a[0]));
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_add(both.of_a[i], lanes_mul(from_b[i].y, b_normal));
    b[2] = load_corner(&b_rows, 2, &b_normal);
    both.of_b[2] = lanes3_dot(normal, lanes3_sub(b[2], a[0]));
    for (int i = 0; i < 3; ++i)
        both.of_a[i] = lanes_add(both.of_a[i], lanes_mul(from_b[i].z, b_normal));
    return both;
}

/* The bits of those pairs that no plane certainly separates. */
EAGER_INLINE uint32_t find_open(const sets *s, const uint16_t pairs[])
{
    wide_corners corners;
    sides both = load_sides(s, pairs, &corners);
    return GRAZEI_LANES_ALL &
           ~mask_bits(mask_or(on_one_side(both.of_a, s->plane), on_one_side(both.of_b, s->plane)));
}

static bool pair_meets(const sets *s, uint16_t pair)
{
    float corners[2][3][3];
    for (int i = 0; i < 3; ++i) {
        memcpy(corners[0][i], s->a[eager_pair_first(pair)][i], sizeof corners[0][i]);
        memcpy(corners[1][i], s->b[eager_pair_second(pair)][i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet(corners[0], corners[1]);
}

/* The bits of those pairs that meet, of those that are wanted. */
EAGER_INLINE uint32_t find_meeting(const sets *s, const uint16_t pairs[], uint32_t wanted)
{
    lanes_mask miss, meet;
    wide_corners corners;
    sides both = load_sides(s, pairs, &corners);
    /* The fans are right only where all six signs are certain. */
    lanes_mask certain =
        mask_and(certain_signs(both.of_a, s->plane), certain_signs(both.of_b, s->plane));
    wide_fan a_fan = fan_from_lone_corner(corners.a, both.of_a);
    wide_fan b_fan = fan_from_lone_corner(corners.b, both.of_b);
    cross_fans(&a_fan, &b_fan, s->reach, &miss, &meet);
    uint32_t hit = mask_bits(mask_and(certain, meet));
    uint32_t sure = mask_bits(mask_and(certain, mask_or(miss, meet)));
    for (uint32_t left = wanted & ~sure; left; left &= left - 1) {
        int k = __builtin_ctz(left);
        hit |= (uint32_t)pair_meets(s, pairs[k]) << k;
    }
    return hit & wanted;
}

/* How many pairs pass through the steps at a time. */
enum { BLOCK = 1024, BLOCK_VECTORS = BLOCK / GRAZEI_LANES };

/* A vector of pairs; the last one is made up of `count - i` pairs, with the last repeated. */
EAGER_INLINE const uint16_t *pairs_at(const uint16_t *pairs, size_t i, size_t count,
                                      uint16_t last[GRAZEI_LANES])
{
    if (count - i >= GRAZEI_LANES)
        return pairs + i;
    for (size_t k = 0; k < GRAZEI_LANES; ++k)
        last[k] = pairs[i + k < count ? i + k : count - 1];
    return last;
}

EAGER_INLINE uint32_t bits_at(size_t i, size_t count)
{
    return count - i >= GRAZEI_LANES ? GRAZEI_LANES_ALL : (1u << (count - i)) - 1;
}

static void mark_open(const sets *s, const uint16_t *pairs, size_t count, uint16_t *marks)
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES)
        marks[i / GRAZEI_LANES] =
            (uint16_t)(find_open(s, pairs_at(pairs, i, count, last)) & bits_at(i, count));
}

static void mark_meeting(const sets *s, const uint16_t *pairs, size_t count, uint16_t *marks)
{
    uint16_t last[GRAZEI_LANES];
    for (size_t i = 0; i < count; i += GRAZEI_LANES)
        marks[i / GRAZEI_LANES] =
            (uint16_t)find_meeting(s, pairs_at(pairs, i, count, last), bits_at(i, count));
}

/* Writes the marked pairs; `out` has room for a vector more and may be `pairs`. A loop of its own:
 * where to write depends on all marks before, and the tests need not wait for that.
 */
static size_t keep_marked(const uint16_t *pairs, size_t count, const uint16_t marks[BLOCK_VECTORS],
                          uint16_t *out)
{
    uint16_t last[GRAZEI_LANES];
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES)
        found +=
            lanes_pack(out + found, pairs_at(pairs, i, count, last), 0, marks[i / GRAZEI_LANES]);
    return found;
}

/* In two passes over a block of pairs: the planes part most of them, and what is left fills whole
 * vectors again. That is worth loading the triangles of those twice.
 */
size_t EAGER_ISA(keep_meeting)(const eager_ready *a, const eager_ready *b, float reach,
                               uint16_t *pairs, size_t count)
{
    uint16_t open[BLOCK + GRAZEI_LANES], marks[BLOCK_VECTORS];
    if (!(reach <= GREATEST_REACH))
        reach = NAN;
    const sets s = {a, b, lanes_set(reach * PLANE_MARGIN), lanes_set(reach)};
    size_t found = 0;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;
        mark_open(&s, pairs + first, size, marks);
        size_t kept = keep_marked(pairs + first, size, marks, open);
        mark_meeting(&s, open, kept, marks);
        kept = keep_marked(open, kept, marks, open);
        memcpy(pairs + found, open, kept * sizeof *pairs);
        found += kept;
    }
    return found;
}

/* ---- making ready --------------------------------------------------------------------------- */

/* The normal as the margins want it: divided by the square of the extent, or NaN. */
EAGER_INLINE lanes3 scaled_normal(const lanes3 corner[3])
{
    lanes3 normal =
        lanes3_cross(lanes3_sub(corner[1], corner[0]), lanes3_sub(corner[2], corner[0]));
    lanes extent = lanes_set(0);
#define EXTENT(x)                                                                                  \
    lanes_sub(lanes_max3(corner[0].x, corner[1].x, corner[2].x),                                   \
              lanes_min3(corner[0].x, corner[1].x, corner[2].x))
    extent = lanes_max(lanes_max(lanes_max(extent, EXTENT(x)), EXTENT(y)), EXTENT(z));
#undef EXTENT
    lanes_mask in_range = mask_and(lanes_less_equal(lanes_set(LEAST_EXTENT), extent),
                                   lanes_less_equal(extent, lanes_set(GREATEST_EXTENT)));
    lanes scale =
        lanes_select(in_range, lanes_div(lanes_set(1), lanes_mul(extent, extent)), lanes_set(NAN));
    return (lanes3){lanes_mul(normal.x, scale), lanes_mul(normal.y, scale),
                    lanes_mul(normal.z, scale)};
}

void EAGER_ISA(make_ready)(const float (*positions)[4], const uint32_t (*corners)[3],
                           uint32_t count, eager_ready *ready)
{
    for (uint32_t first = 0; first < 16; first += GRAZEI_LANES) {
        const float *from[3][GRAZEI_LANES];
        float *to[GRAZEI_LANES];
        lanes column[3][4];
        lanes3 corner[3];
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k) {
            to[k] = ready[first + k][0];
            for (int i = 0; i < 3; ++i)
                from[i][k] = positions[corners[first + k < count ? first + k : count - 1][i]];
        }
        for (int i = 0; i < 3; ++i) {
            lanes_load_rows(from[i], 0, column[i]);
            corner[i] = (lanes3){column[i][0], column[i][1], column[i][2]};
        }
        lanes3 normal = scaled_normal(corner);
        column[0][3] = normal.x;
        column[1][3] = normal.y;
        column[2][3] = normal.z;
        for (int i = 0; i < 3; ++i)
            lanes_store_rows(to, (size_t)(4 * i), column[i]);
    }
}
