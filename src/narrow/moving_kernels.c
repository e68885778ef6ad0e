/* Moving triangles in float lanes, a pair a lane: a direction that parts two triangles at two times
 * parts them in between (see moving.c). Tried are the direction from one to the other and the
 * normals of both, each from the time on until which the triangles are known to be apart.
 *
 * MARGINS, one for either time. Corners are taken relative to the first of a, so a coordinate has a
 * relative error of u = 2^-24 and is at most R then, the reach along its axis; S is the sum of |n|
 * R over the axes. A gap along n is a difference of two n . corner, each with an error of at most 4
 * u S, and taking the margin off costs 4 u S more: below 16 u S in all. We ask for 60 u S, and for
 * the tolerance of grazei_moving_triangles_meet, so that it finds no contact either: that is 4 u
 * |n|_1 of the largest reach at the start or the end, and a 64th more. Underflow costs less than
 * 2^-140. NaN normals, of triangles that are too small or too large, part nothing.
 *
 * What lies between two gaps less their margins, x and y, is (1 - t) x + t y, wrong by at most
 * 4 u ((1 - t) |x| + t |y|); as gaps are at most 2 S, what the margins have left over is more than
 * that at any time. It falls to zero at x / (x - y), with a relative error of 4 u: TIME_SLACK.
 *
 * Triangles that were moved to two other times (moving_patch_kernels.h) may be much smaller there
 * than where they come from, and so are their margins, but for the tolerance.
 */
#include "narrow/moving_kernels.h"

#include "math/lanes.h"

#define MARGIN (60 * 0x1p-24f)
#define LEAST_MARGIN 0x1p-120f
#define ROUNDS 4 /* of directions tried, the normals of a and b in turn, while that helps */
#define TIME_SLACK (8 * 0x1p-24f)

static grazei_triangle_set swept_boxes(const grazei_moving_set *set, const float way[3],
                                       const float (*pads)[4], float *memory)
{
    grazei_triangle_set swept = set->start;
    size_t stride = swept.stride, half = 3 * stride;
    swept.boxes = memory;
    swept.bounds = NULL;
    swept.corners = NULL;
    for (size_t axis = 0; axis < 3; axis++) {
        lanes pad = lanes_set(pads[0][axis]);
        lanes to_low = lanes_set(way[axis] + pads[1][axis]);
        lanes to_high = lanes_set(way[axis] - pads[1][axis]);
        for (size_t i = axis * stride; i < (axis + 1) * stride; i += GRAZEI_LANES) {
            const float *start = set->start.boxes + i, *end = set->end.boxes + i;
            lanes_store(memory + i, lanes_min(lanes_sub(lanes_load(start), pad),
                                              lanes_sub(lanes_load(end), to_low)));
            lanes_store(memory + half + i, lanes_max(lanes_add(lanes_load(start + half), pad),
                                                     lanes_sub(lanes_load(end + half), to_high)));
        }
    }
    return swept;
}

/* A pair of triangles per lane at one end: five corners relative to the first of a, and normals. */
typedef struct wide_pair {
    lanes3 a[2], b[3], normals[2];
} wide_pair;

GRAZEI_INLINE lanes3 load_corner(const float *const rows[GRAZEI_LANES], int number, lanes *fourth)
{
    lanes column[4];
    lanes_load_rows(rows, (size_t)(4 * number), column);
    *fourth = column[3];
    return (lanes3){column[0], column[1], column[2]};
}

GRAZEI_INLINE void load_pair(const grazei_triangle_set *a, const grazei_triangle_set *b,
                             const uint16_t *pairs, wide_pair *out)
{
    const float *rows[2][GRAZEI_LANES];
    for (int k = 0; k < GRAZEI_LANES; k++) {
        rows[0][k] = &a->corners[grazei_pair_first(pairs[k])][0][0];
        rows[1][k] = &b->corners[grazei_pair_second(pairs[k])][0][0];
    }
    lanes3 origin = load_corner(rows[0], 0, &out->normals[0].x);
    out->a[0] = lanes3_sub(load_corner(rows[0], 1, &out->normals[0].y), origin);
    out->a[1] = lanes3_sub(load_corner(rows[0], 2, &out->normals[0].z), origin);
    out->b[0] = lanes3_sub(load_corner(rows[1], 0, &out->normals[1].x), origin);
    out->b[1] = lanes3_sub(load_corner(rows[1], 1, &out->normals[1].y), origin);
    out->b[2] = lanes3_sub(load_corner(rows[1], 2, &out->normals[1].z), origin);
}

GRAZEI_INLINE lanes reach_along(lanes a0, lanes a1, lanes b0, lanes b1, lanes b2)
{
    return lanes_max(lanes_max(lanes_abs(a0), lanes_abs(a1)),
                     lanes_max3(lanes_abs(b0), lanes_abs(b1), lanes_abs(b2)));
}

/* Along each axis. */
GRAZEI_INLINE lanes3 reach_of(const wide_pair *pair)
{
    const lanes3 *a = pair->a, *b = pair->b;
    return (lanes3){reach_along(a[0].x, a[1].x, b[0].x, b[1].x, b[2].x),
                    reach_along(a[0].y, a[1].y, b[0].y, b[1].y, b[2].y),
                    reach_along(a[0].z, a[1].z, b[0].z, b[1].z, b[2].z)};
}

/* How far n has a above b, and b above a. */
GRAZEI_INLINE void gaps_along(const wide_pair *pair, lanes3 n, lanes gaps[2])
{
    lanes zero = lanes_set(0), p = lanes3_dot(n, pair->a[0]), q = lanes3_dot(n, pair->a[1]);
    lanes b0 = lanes3_dot(n, pair->b[0]), b1 = lanes3_dot(n, pair->b[1]);
    lanes b2 = lanes3_dot(n, pair->b[2]);
    gaps[0] = lanes_sub(lanes_min3(zero, p, q), lanes_max3(b0, b1, b2));
    gaps[1] = lanes_sub(lanes_min3(b0, b1, b2), lanes_max3(zero, p, q));
}

/* Two times of the triangles of a pair, and what the margins are made of. */
typedef struct wide_motion {
    wide_pair ends[2];
    lanes3 rounding[2];
    lanes tolerance;
} wide_motion;

GRAZEI_INLINE lanes margin_along(const wide_motion *m, int end, lanes3 size, lanes least)
{
    return lanes_add(lanes3_dot(size, m->rounding[end]), least);
}

/* The triangles are apart until a time; where n parts them then, it says for how much longer: above
 * 1 if to the end. A gap, being the least of linear functions, is at least what lies between its
 * values at both ends.
 */
GRAZEI_INLINE lanes part_longer(const wide_motion *m, lanes3 n, lanes until)
{
    lanes gaps[2][2], longest = until, zero = lanes_set(0);
    lanes3 size = {lanes_abs(n.x), lanes_abs(n.y), lanes_abs(n.z)};
    lanes sum = lanes_add(lanes_add(size.x, size.y), size.z);
    lanes least = lanes_add(lanes_mul(sum, m->tolerance), lanes_set(LEAST_MARGIN));
    for (int end = 0; end < 2; end++) {
        lanes margin = margin_along(m, end, size, least);
        gaps_along(&m->ends[end], n, gaps[end]);
        for (int i = 0; i < 2; i++)
            gaps[end][i] = lanes_sub(gaps[end][i], margin);
    }
    for (int i = 0; i < 2; i++) {
        lanes start = gaps[0][i], end = gaps[1][i], rest = lanes_sub(lanes_set(1), until);
        lanes now = lanes_add(lanes_mul(rest, start), lanes_mul(until, end));
        lanes time = lanes_mul(lanes_div(start, lanes_sub(start, end)), lanes_set(1 - TIME_SLACK));
        time = lanes_select(lanes_less(zero, end), lanes_set(2), time);
        longest = lanes_max(longest, lanes_select(lanes_less(zero, now), time, until));
    }
    return longest;
}

GRAZEI_INLINE lanes3 sum3(lanes3 a, lanes3 b)
{
    return (lanes3){lanes_add(a.x, b.x), lanes_add(a.y, b.y), lanes_add(a.z, b.z)};
}

/* From the middle of b to the middle of a, both ends together. */
GRAZEI_INLINE lanes3 way_between(const wide_pair ends[2])
{
    lanes3 a = sum3(sum3(ends[0].a[0], ends[0].a[1]), sum3(ends[1].a[0], ends[1].a[1]));
    lanes3 b = sum3(sum3(ends[0].b[0], ends[0].b[1]), sum3(ends[1].b[0], ends[1].b[1]));
    return lanes3_sub(a, sum3(b, sum3(ends[0].b[2], ends[1].b[2])));
}

/* About the normal at a time. */
GRAZEI_INLINE lanes3 normal_at(const wide_pair ends[2], int side, lanes time)
{
    lanes3 n = ends[0].normals[side], turn = lanes3_sub(ends[1].normals[side], n);
    return (lanes3){lanes_add(n.x, lanes_mul(time, turn.x)),
                    lanes_add(n.y, lanes_mul(time, turn.y)),
                    lanes_add(n.z, lanes_mul(time, turn.z))};
}

/* The times before which the pairs certainly do not meet. */
GRAZEI_INLINE lanes apart_until(const wide_motion *m, lanes latest)
{
    lanes until = part_longer(m, way_between(m->ends), lanes_set(0)), before = lanes_set(-1);
    for (int i = 0; i < ROUNDS; i += 2) {
        lanes_mask open = lanes_less_equal(until, latest);
        if (!mask_bits(mask_and(open, lanes_less(before, until))))
            break;
        before = until;
        for (int side = 0; side < 2; side++)
            until = part_longer(m, normal_at(m->ends, side, until), until);
    }
    return until;
}

/* At the start and at the end. */
GRAZEI_INLINE void load_ends(const grazei_moving_set *a, const grazei_moving_set *b,
                             const uint16_t *pairs, wide_motion *m)
{
    load_pair(&a->start, &b->start, pairs, &m->ends[0]);
    load_pair(&a->end, &b->end, pairs, &m->ends[1]);
    lanes3 start = reach_of(&m->ends[0]), end = reach_of(&m->ends[1]);
    m->rounding[0] = start;
    m->rounding[1] = end;
    m->tolerance = lanes_mul(lanes_max(lanes3_reach(start), lanes3_reach(end)),
                             lanes_set(GRAZEI_MOVED_TOLERANCE));
}

/* From the reach along each axis. */
GRAZEI_INLINE void set_rounding(wide_motion *m, const float (*moving)[4])
{
    for (int end = 0; end < 2; end++) {
        lanes3 *r = &m->rounding[end];
        r->x = lanes_add(lanes_mul(r->x, lanes_set(MARGIN)), lanes_set(moving[end][0]));
        r->y = lanes_add(lanes_mul(r->y, lanes_set(MARGIN)), lanes_set(moving[end][1]));
        r->z = lanes_add(lanes_mul(r->z, lanes_set(MARGIN)), lanes_set(moving[end][2]));
    }
}

/* A vector of pairs, the first one repeated to its end. */
GRAZEI_INLINE size_t fill_vector(const uint16_t *pairs, size_t left, uint16_t vector[GRAZEI_LANES])
{
    size_t size = left < GRAZEI_LANES ? left : GRAZEI_LANES;
    for (size_t k = 0; k < GRAZEI_LANES; k++)
        vector[k] = pairs[k < size ? k : 0];
    return size;
}

GRAZEI_INLINE size_t keep_open(const uint16_t *pairs, size_t count, lanes until, float latest,
                               uint16_t *open, float *times)
{
    float stored[GRAZEI_LANES];
    size_t found = 0;
    lanes_store(stored, until);
    for (size_t k = 0; k < count; k++) {
        float time = stored[k] > 0 ? stored[k] : 0; /* also where it is not a number */
        open[found] = pairs[k];
        times[found] = time;
        found += time <= latest;
    }
    return found;
}

static size_t open_pairs(const grazei_moving_set *a, const grazei_moving_set *b,
                         const uint16_t *pairs, size_t count, float latest, uint16_t *open,
                         float *times)
{
    static const float none[2][4] = {{0}, {0}};
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        uint16_t vector[GRAZEI_LANES];
        wide_motion m;
        size_t size = fill_vector(pairs + i, count - i, vector);
        load_ends(a, b, vector, &m);
        set_rounding(&m, none);
        lanes until = apart_until(&m, lanes_set(latest));
        found += keep_open(vector, size, until, latest, open + found, times + found);
    }
    return found;
}

/* At least the reach of pairs at one end. */
GRAZEI_INLINE lanes reach_beyond(const grazei_places *a, const grazei_places *b, int end,
                                 const uint16_t *pairs)
{
    const float *rows[2][GRAZEI_LANES];
    lanes first[4], second[4];
    for (int k = 0; k < GRAZEI_LANES; k++) {
        rows[0][k] = a->at[end][grazei_pair_first(pairs[k])];
        rows[1][k] = b->at[end][grazei_pair_second(pairs[k])];
    }
    lanes_load_rows(rows[0], 0, first);
    lanes_load_rows(rows[1], 0, second);
    lanes3 way = {lanes_abs(lanes_sub(first[0], second[0])),
                  lanes_abs(lanes_sub(first[1], second[1])),
                  lanes_abs(lanes_sub(first[2], second[2]))};
    return lanes_max(first[3], lanes_add(lanes3_reach(way), second[3]));
}

static size_t open_moved(const grazei_moving_set *const moved[2],
                         const grazei_places *const places[2], const float (*rounding)[4],
                         const uint16_t *pairs, size_t count, uint16_t *open, float *times)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        uint16_t vector[GRAZEI_LANES];
        wide_motion m;
        size_t size = fill_vector(pairs + i, count - i, vector);
        load_ends(moved[0], moved[1], vector, &m);
        m.tolerance = lanes_mul(lanes_max(reach_beyond(places[0], places[1], 0, vector),
                                          reach_beyond(places[0], places[1], 1, vector)),
                                lanes_set(GRAZEI_MOVED_TOLERANCE));
        set_rounding(&m, rounding);
        lanes until = apart_until(&m, lanes_set(1));
        found += keep_open(vector, size, until, 1, open + found, times + found);
    }
    return found;
}

const grazei_moving_kernels GRAZEI_ISA(moving_kernels) = {swept_boxes, open_pairs, open_moved};
