/* Distances in lanes: of boxes in float, to find out which triangles to look at, and of triangles
 * in double, half a vector of floats at a time.
 *
 * Box distances. Each gap between two boxes along an axis is one difference of floats, and the sum
 * of their squares passes 3 more roundings, so it has a relative error below 6 u, u = 2^-24, but
 * for squares that underflow, which are off by at most 2^-149 each. Enlarging the square of the
 * limit (3 roundings) by 16 u and 2^-126 keeps every box that is within the limit.
 */
#include "narrow/distance_kernels.h"

#include "math/doubles.h"
#include "math/f4.h"
#include "math/lanes.h"

#define GRAZEI_DOUBLES (GRAZEI_LANES / 2)
#define GRAZEI_WIDE double
#define GRAZEI_WIDE_MASK int64_t
#define GRAZEI_WIDTH GRAZEI_DOUBLES
#include "narrow/distance_wide.h"

#include <float.h>

/* ---- boxes -------------------------------------------------------------------------------- */

/* The gap between [least, greatest] and a range in each lane. */
GRAZEI_INLINE lanes gap_between(float least, float greatest, const float *low, const float *high)
{
    lanes gap = lanes_max(lanes_sub(lanes_load(low), lanes_set(greatest)),
                          lanes_sub(lanes_set(least), lanes_load(high)));
    return lanes_max(gap, lanes_set(0));
}

enum { NEAR_ROOM = GRAZEI_SET_TRIANGLES + 16 };

static size_t near_pairs(const grazei_near_set *a, grazei_near_set *b, float limit, float slab,
                         uint16_t *pairs)
{
    lanes most = lanes_set(limit * limit * (1 + 0x1p-20f) + 0x1p-126f);
    uint16_t codes[NEAR_ROOM];
    size_t count = 0;
    for (size_t k = 0; k < b->count; ++k)
        codes[k] = grazei_pair(0, b->numbers[k]);
    for (size_t k = b->count; k < b->count + GRAZEI_LANES - 1; ++k)
        b->far[k] = NAN; /* never near, whatever its box */
    for (size_t i = 0; i < a->count; ++i) {
        lanes reach = lanes_set(-slab - a->far[i]);
        for (size_t k = 0; k < b->count; k += GRAZEI_LANES) {
            lanes3 gap = {
                gap_between(a->boxes[0][i], a->boxes[3][i], b->boxes[0] + k, b->boxes[3] + k),
                gap_between(a->boxes[1][i], a->boxes[4][i], b->boxes[1] + k, b->boxes[4] + k),
                gap_between(a->boxes[2][i], a->boxes[5][i], b->boxes[2] + k, b->boxes[5] + k)};
            lanes_mask near = mask_and(lanes_less_equal(lanes3_dot(gap, gap), most),
                                       lanes_less_equal(reach, lanes_load(b->far + k)));
            uint32_t bits = mask_bits(near);
            if (bits != 0)
                count += lanes_pack(pairs + count, codes + k, a->numbers[i], bits);
        }
    }
    return count;
}

/* ---- points ------------------------------------------------------------------------------- */

GRAZEI_INLINE lanes gap_to_range(float least, float greatest, lanes x)
{
    lanes gap = lanes_max(lanes_sub(x, lanes_set(greatest)), lanes_sub(lanes_set(least), x));
    return lanes_max(gap, lanes_set(0));
}

/* The least of all lanes. */
GRAZEI_INLINE float least_of(lanes x)
{
    float lane[GRAZEI_LANES] __attribute__((aligned(64)));
    lanes_store(lane, x);
    f4 least = f4_load(lane);
    for (int k = 4; k < GRAZEI_LANES; k += 4)
        least = f4_min(least, f4_load(lane + k));
    return f1_min(f1_min(least[0], least[1]), f1_min(least[2], least[3]));
}

GRAZEI_INLINE void store_points(const float *const rows[GRAZEI_LANES], uint32_t i,
                                grazei_points *out)
{
    lanes column[4];
    lanes_load_rows(rows, 0, column);
    for (int axis = 0; axis < 3; ++axis)
        lanes_store(out->at[axis] + i, column[axis]);
}

static void load_points(const float (*vertices)[4], uint32_t count, grazei_points *out)
{
    const float *rows[GRAZEI_LANES];
    uint32_t i = 0;
    out->count = count;
#if !defined(__OPTIMIZE_SIZE__)
    for (; i + GRAZEI_LANES <= count; i += GRAZEI_LANES) {
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k)
            rows[k] = vertices[i + k];
        store_points(rows, i, out);
    }
#endif
    for (; i < count; i += GRAZEI_LANES) {
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k)
            rows[k] = vertices[i + k < count ? i + k : count - 1];
        store_points(rows, i, out);
    }
}

/* The place of the first number that is at most the least of all, with the sign given. Behind the
 * last one are more of it. From behind, so that there is no branch to foresee.
 */
GRAZEI_INLINE uint32_t place_of(const float *numbers, uint32_t count, float least, float sign)
{
    uint32_t place = 0;
    for (uint32_t i = (count - 1) / GRAZEI_LANES + 1; i-- > 0;) {
        lanes number = lanes_mul(lanes_load(numbers + i * GRAZEI_LANES), lanes_set(sign));
        uint32_t bits = mask_bits(lanes_less_equal(number, lanes_set(least)));
        uint32_t first = i * GRAZEI_LANES + (uint32_t)__builtin_ctz(bits | 1u << 31);
        place = bits ? first : place;
    }
    return place;
}

/* From a point, with the bits of the gaps below: whether one is taken as a size does not matter to
 * its square.
 */
GRAZEI_INLINE lanes3 gaps_to_point(const grazei_points *points, uint32_t i, const float point[3])
{
    return (lanes3){lanes_sub(lanes_load(points->at[0] + i), lanes_set(point[0])),
                    lanes_sub(lanes_load(points->at[1] + i), lanes_set(point[1])),
                    lanes_sub(lanes_load(points->at[2] + i), lanes_set(point[2]))};
}

GRAZEI_INLINE lanes3 gaps_to_box(const grazei_points *points, uint32_t i, const float least[3],
                                 const float greatest[3])
{
    return (lanes3){gap_to_range(least[0], greatest[0], lanes_load(points->at[0] + i)),
                    gap_to_range(least[1], greatest[1], lanes_load(points->at[1] + i)),
                    gap_to_range(least[2], greatest[2], lanes_load(points->at[2] + i))};
}

GRAZEI_INLINE uint32_t find_nearest_point(const grazei_points *points, const float least[3],
                                          const float greatest[3], bool is_point)
{
    float squares[GRAZEI_MAX_POINTS + 16];
    lanes best = lanes_set(INFINITY);
    for (uint32_t i = 0; i < points->count; i += GRAZEI_LANES) {
        lanes3 gap =
            is_point ? gaps_to_point(points, i, least) : gaps_to_box(points, i, least, greatest);
        lanes square = lanes3_dot(gap, gap);
        best = lanes_min(square, best);
        lanes_store(squares + i, square);
    }
    return place_of(squares, points->count, least_of(best), 1);
}

static uint32_t nearest_point(const grazei_points *points, const float least[3],
                              const float greatest[3])
{
#if !defined(__OPTIMIZE_SIZE__)
    if (least == greatest)
        return find_nearest_point(points, least, greatest, true);
#endif
    return find_nearest_point(points, least, greatest, false);
}

static uint32_t reaches(const grazei_points *points, const float origin[3],
                        const float direction[3], float *out)
{
    lanes3 from = {lanes_set(origin[0]), lanes_set(origin[1]), lanes_set(origin[2])};
    lanes3 along = {lanes_set(direction[0]), lanes_set(direction[1]), lanes_set(direction[2])};
    lanes best = lanes_set(INFINITY), zero = lanes_set(0);
    for (uint32_t i = 0; i < points->count; i += GRAZEI_LANES) {
        lanes3 point = {lanes_load(points->at[0] + i), lanes_load(points->at[1] + i),
                        lanes_load(points->at[2] + i)};
        lanes reach = lanes3_dot(along, lanes3_sub(point, from));
        best = lanes_min(lanes_sub(zero, reach), best);
        lanes_store(out + i, reach);
    }
    return place_of(out, points->count, least_of(best), -1);
}

/* ---- triangles ---------------------------------------------------------------------------- */

typedef float narrow __attribute__((vector_size(4 * GRAZEI_DOUBLES)));

/* Corners of GRAZEI_LANES triangles: corner, axis, lane. */
typedef struct wide_corners {
    float of[3][3][GRAZEI_LANES] __attribute__((aligned(64)));
} wide_corners;

static inline void load_corners(const float *const rows[GRAZEI_LANES], wide_corners *corners)
{
    for (int i = 0; i < 3; ++i) {
        lanes column[4];
        lanes_load_rows(rows, (size_t)(4 * i), column);
        for (int axis = 0; axis < 3; ++axis)
            lanes_store(corners->of[i][axis], column[axis]);
    }
}

WIDE_INLINE wide widen(const float *half)
{
    return __builtin_convertvector(*(const narrow *)half, wide);
}

WIDE_INLINE void widen_corners(const wide_corners *corners, int first, wide3 out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = (wide3){widen(corners->of[i][0] + first), widen(corners->of[i][1] + first),
                         widen(corners->of[i][2] + first)};
}

/* Half a vector of pairs; their triangles in the order that decides the bits. */
static void half_squares(const wide_corners *a, const wide_corners *b, int first, double *squares)
{
    wide3 wide_a[3], wide_b[3];
    widen_corners(a, first, wide_a);
    widen_corners(b, first, wide_b);
    wide square = find_square(wide_a, wide_b, DBL_MIN);
    for (int k = 0; k < GRAZEI_DOUBLES; ++k)
        squares[k] = square[k];
}

static void distance_squares(const grazei_corners *a, const grazei_corners *b, size_t count,
                             double *squares)
{
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        const float *rows[2][GRAZEI_LANES];
        double found[GRAZEI_LANES];
        wide_corners corners[2];
        size_t left = count - i < GRAZEI_LANES ? count - i : GRAZEI_LANES;
        for (size_t k = 0; k < GRAZEI_LANES; ++k) {
            size_t at = i + (k < left ? k : left - 1);
            int second = comes_second(a[at][0], b[at][0], 4);
            rows[second][k] = a[at][0];
            rows[!second][k] = b[at][0];
        }
        load_corners(rows[0], &corners[0]);
        load_corners(rows[1], &corners[1]);
        half_squares(&corners[0], &corners[1], 0, found);
        if (left > GRAZEI_DOUBLES)
            half_squares(&corners[0], &corners[1], GRAZEI_DOUBLES, found + GRAZEI_DOUBLES);
        for (size_t k = 0; k < left; ++k)
            squares[i + k] = found[k];
    }
}

/* ---- faces -------------------------------------------------------------------------------- */

/* Points of the other patch, seen from an origin. */
typedef struct seen_points {
    uint32_t count;
    double4 origin, at[GRAZEI_MAX_POINTS];
} seen_points;

#if defined(double8_lesser) && GRAZEI_DOUBLES == 8
#define LESS_OF(a, b) (wide) double8_lesser(a, b)
#elif defined(double4_lesser) && GRAZEI_DOUBLES == 4
#define LESS_OF(a, b) (wide) double4_lesser(a, b)
#elif defined(double2_lesser) && GRAZEI_DOUBLES == 2
#define LESS_OF(a, b) (wide) double2_lesser(a, b)
#else
#define LESS_OF(a, b) wide_select((a) < (b), a, b)
#endif

/* Where all points are beyond the plane of a triangle, by more than `most`: any direction n would
 * do, so it does not matter how well the normal is known. With u = 2^-53 and R the longest side of
 * the box around both patches, coordinates are at most R and off by u R, a product with n is off by
 * 4 u |n|_1 R, a gap by 10 u |n|_1 R, which is less than 20 u |n| R.
 */
static wide_mask find_beyond(const wide_corners *corners, int first, const seen_points *points,
                             double most)
{
    const double *q = (const double *)&points->origin;
    wide3 p[3], from = {wide_set(q[0]), wide_set(q[1]), wide_set(q[2])};
    widen_corners(corners, first, p);
    for (int c = 0; c < 3; ++c)
        p[c] = wide3_sub(p[c], from);
    wide3 e = wide3_sub(p[1], p[0]), f = wide3_sub(p[2], p[0]);
    wide3 n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
    wide least = wide_set(INFINITY), high = wide_set(0) - least;
    q = (const double *)&points->at[0];
    wide turn = wide_select(n.x * (q[0] - p[0].x) + n.y * (q[1] - p[0].y) + n.z * (q[2] - p[0].z) <
                                wide_set(0),
                            wide_set(-1), wide_set(1));
    n = (wide3){n.x * turn, n.y * turn, n.z * turn};
    for (int c = 0; c < 3; ++c) {
        wide at = wide3_dot(n, p[c]);
        high = wide_select(at > high, at, high);
    }
    for (uint32_t i = 0; i < points->count; ++i) {
        q = (const double *)&points->at[i];
        wide at = (n.x * q[0] + n.y * q[1]) + n.z * q[2];
        least = LESS_OF(at, least);
    }
    wide gap = least - high;
    return (gap > wide_set(0)) & (gap * gap > wide3_dot(n, n) * (most * most));
}

/* Corners of triangles of a patch; those behind the last are the first. */
static inline void load_listed(const grazei_posed_patch *patch, const uint8_t *numbers,
                               uint32_t count, wide_corners *corners)
{
    for (int c = 0; c < 3; ++c) {
        const float *rows[GRAZEI_LANES];
        lanes column[4];
        for (uint32_t k = 0; k < GRAZEI_LANES; ++k)
            rows[k] = patch->points[patch->corners[numbers[k < count ? k : 0]][c]];
        lanes_load_rows(rows, 0, column);
        for (int axis = 0; axis < 3; ++axis)
            lanes_store(corners->of[c][axis], column[axis]);
    }
}

/* The triangles of a patch whose boxes are as near as that to the box of another one. */
static uint32_t list_near(const grazei_posed_patch *patch, const grazei_posed_patch *other,
                          double distance, uint8_t numbers[GRAZEI_SET_NUMBERS])
{
    float most = (float)(distance * distance) * (1 + 0x1p-20f) + 0x1p-126f;
    uint32_t count = 0;
    for (uint32_t t = 0; t < patch->triangle_count; ++t) {
        const uint8_t *corner = patch->corners[t];
        f4 p = f4_load(patch->points[corner[0]]), q = f4_load(patch->points[corner[1]]);
        f4 r = f4_load(patch->points[corner[2]]);
        f4 low = f4_min(p, f4_min(q, r)), high = f4_max(p, f4_max(q, r));
        f4 gap = f4_max(low - f4_load(other->high), -f4_load(other->low_negated) - high);
        gap = f4_max(gap, f4_zero());
        numbers[count] = (uint8_t)t;
        count += f4_dot3(gap, gap) <= most;
    }
    return count;
}

static uint32_t not_beyond_faces(const grazei_posed_patch *a, const grazei_posed_patch *b,
                                 double most, uint64_t left[2])
{
    seen_points points;
    uint8_t numbers[GRAZEI_SET_NUMBERS];
    wide_corners corners;
    uint32_t count = 0, listed = list_near(a, b, most, numbers);
    points.count = b->point_count;
    points.origin = __builtin_convertvector(f4_load(a->points[0]), double4);
    for (uint32_t i = 0; i < b->point_count && listed; ++i)
        points.at[i] = __builtin_convertvector(f4_load(b->points[i]), double4) - points.origin;
    left[0] = left[1] = 0;
    for (uint32_t t = 0; t < listed; t += GRAZEI_DOUBLES) {
        int first = (int)(t % GRAZEI_LANES);
        if (first == 0)
            load_listed(a, numbers + t, listed - t, &corners);
        wide_mask beyond = find_beyond(&corners, first, &points, most);
        for (uint32_t k = 0; k < GRAZEI_DOUBLES && t + k < listed; ++k) {
            uint32_t triangle = numbers[t + k];
            left[triangle / 64] |= (uint64_t)(beyond[k] == 0) << (triangle % 64);
            count += beyond[k] == 0;
        }
    }
    return count;
}

const grazei_narrow_distance_kernels GRAZEI_ISA(narrow_distance_kernels) = {
    .distance_squares = distance_squares,
    .not_beyond_faces = not_beyond_faces,
    .near_pairs = near_pairs,
    .load_points = load_points,
    .nearest_point = nearest_point,
    .reaches = reaches,
};
