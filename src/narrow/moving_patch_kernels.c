/* MARGIN. A contact found by grazei_moving_triangles_meet() has its triangles within a tolerance of
 * 2^-22 of their reach, which is at most that of both patches; we add a 64th for what double
 * arithmetic there and here leaves. A point moved in double and rounded to float has coordinates
 * that are off by u size, u = 2^-24 and size being the largest along the same axis then. With S,
 * the sum of |n| size over the axes, its product with a direction n is off by less than 5 u S, and
 * a difference of two such, less the margin, by less than 16 u S. What lies between two of them
 * takes a few roundings more (see moving_kernels.c). We ask for 32 u S. Underflow costs less than
 * LEAST_MARGIN.
 *
 * A direction that parts two patches at two times parts them in between: the distance along it is
 * the least of linear functions of time. So it is at least what lies between its values at both
 * times, which says from when to when the direction parts them; such intervals are put together
 * from the first time on. Directions are chosen by what patches look like, and any is right.
 */
#include "narrow/moving_patch_kernels.h"

#include "math/doubles.h"
#include "narrow/moving.h"

#include <math.h>

#define LEAST_MARGIN 0x1p-120f
#define TIME_SLACK (8 * 0x1p-24f) /* for the division: see moving_kernels.c */
#define SAMPLES 8                 /* triangles that the normal of a patch is taken from */

#define ROUNDS 3 /* of putting intervals together */

/* Of a and b in turn: normals then and later, and in the middle; then the way from b to a. */
enum { DIRECTIONS = 8, ROOM = DIRECTIONS > GRAZEI_LANES ? DIRECTIONS : GRAZEI_LANES };

/* ---- where points are ----------------------------------------------------------------------- */

/* Relative to the first of a's points, at both times; their largest coordinates. */
static void move_points(const grazei_posed_patch patch[2], const float *const origin[2],
                        const grazei_moving_patches *times, float (*then)[4], float (*later)[4],
                        f4 sizes[2])
{
    double4 first[2], from = {times->from, times->from, times->from, 0};
    double4 to = {times->to, times->to, times->to, 0};
    for (int end = 0; end < 2; end++)
        first[end] = __builtin_convertvector(f4_load(origin[end]), double4);
    for (uint32_t i = 0; i < patch[0].point_count; i++) {
        double4 start = __builtin_convertvector(f4_load(patch[0].points[i]), double4) - first[0];
        double4 way =
            __builtin_convertvector(f4_load(patch[1].points[i]), double4) - first[1] - start;
        f4 now = __builtin_convertvector(start + from * way, f4);
        f4_store(then[i], now);
        sizes[0] = f4_max(sizes[0], f4_abs(now));
        now = __builtin_convertvector(start + to * way, f4);
        f4_store(later[i], now);
        sizes[1] = f4_max(sizes[1], f4_abs(now));
    }
}

static void move(const grazei_posed_patch a[2], const grazei_posed_patch b[2], float reach,
                 double from, double to, grazei_moving_patches *moved)
{
    const float *const origin[2] = {a[0].points[0], a[1].points[0]};
    f4 sizes[2] = {f4_zero(), f4_zero()};
    moved->from = from;
    moved->to = to;
    moved->tolerance = reach * GRAZEI_MOVED_TOLERANCE;
    move_points(a, origin, moved, moved->points[0][0], moved->points[0][1], sizes);
    move_points(b, origin, moved, moved->points[1][0], moved->points[1][1], sizes);
    for (int i = 0; i < 2; i++)
        f4_store(moved->rounding[i], sizes[i] * f4_all(32 * 0x1p-24f));
}

/* ---- directions ----------------------------------------------------------------------------- */

static f4 cross(f4 a, f4 b)
{
    return (f4){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], 0};
}

/* Scaled to a largest coordinate of 1; zero where that cannot be. */
static f4 scaled(f4 n)
{
    float size = f4_max3(f4_abs(n));
    return size >= 0x1p-100f && size <= 0x1p120f ? n * f4_all(1 / size) : f4_zero();
}

static f4 normal_of(const grazei_posed_patch *patch, const float (*points)[4])
{
    f4 sum = f4_zero();
    uint32_t step = (patch->triangle_count + SAMPLES - 1) / SAMPLES;
    for (uint32_t t = 0; t < patch->triangle_count; t += step) {
        const uint8_t *corners = patch->corners[t];
        f4 p = f4_load(points[corners[0]]);
        sum += cross(f4_load(points[corners[1]]) - p, f4_load(points[corners[2]]) - p);
    }
    return scaled(sum);
}

static f4 middle_of(const float (*points)[4], uint32_t count)
{
    f4 sum = f4_zero();
    for (uint32_t i = 0; i < count; i++)
        sum += f4_load(points[i]);
    return sum / f4_all((float)count);
}

static void choose_directions(const grazei_posed_patch *const patches[2],
                              const grazei_moving_patches *moved, f4 n[DIRECTIONS])
{
    f4 middles[2][2];
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < 2; i++) {
            const float(*points)[4] = moved->points[side][i];
            n[2 * i + side] = normal_of(patches[side], points);
            middles[side][i] = middle_of(points, patches[side]->point_count);
        }
        n[4 + side] = scaled(n[side] + n[2 + side]);
    }
    for (int i = 0; i < 2; i++)
        n[6 + i] = scaled(middles[0][i] - middles[1][i]);
}

/* ---- how far they part ---------------------------------------------------------------------- */

/* All directions side by side, a direction a lane. */
typedef struct rows_of_directions {
    float x[ROOM], y[ROOM], z[ROOM];
} rows_of_directions;

/* How far points reach along each direction, at both times: side by side, as each least waits for
 * the one before.
 */
static void reach_along(const rows_of_directions *n, const float (*const points[2])[4],
                        uint32_t count, float low[2][ROOM], float high[2][ROOM])
{
    for (size_t k = 0; k < DIRECTIONS; k += GRAZEI_LANES) {
        lanes3 wide = {lanes_load(n->x + k), lanes_load(n->y + k), lanes_load(n->z + k)};
        lanes least[2] = {lanes_set(INFINITY), lanes_set(INFINITY)};
        lanes most[2] = {lanes_set(-INFINITY), lanes_set(-INFINITY)};
        for (uint32_t i = 0; i < count; i++)
            for (int t = 0; t < 2; t++) {
                const float *p = points[t][i];
                lanes place =
                    lanes3_dot(wide, (lanes3){lanes_set(p[0]), lanes_set(p[1]), lanes_set(p[2])});
                least[t] = lanes_min(least[t], place);
                most[t] = lanes_max(most[t], place);
            }
        for (int t = 0; t < 2; t++) {
            lanes_store(low[t] + k, least[t]);
            lanes_store(high[t] + k, most[t]);
        }
    }
}

/* The time until which a distance that is so much above its margin at both times, and at the time
 * `now`, stays above it.
 */
static float parts_until(float then, float later, float now)
{
    if (!((1 - now) * then + now * later > 0))
        return now;
    return later > 0 ? 2 : f1_max(now, then / (then - later) * (1 - TIME_SLACK));
}

static float part(const grazei_posed_patch *a, const grazei_posed_patch *b,
                  const grazei_moving_patches *moved)
{
    const grazei_posed_patch *const patches[2] = {a, b};
    rows_of_directions rows = {{0}, {0}, {0}};
    float low[2][2][ROOM], high[2][2][ROOM], now = 0;
    f4 n[DIRECTIONS];
    choose_directions(patches, moved, n);
    for (int k = 0; k < DIRECTIONS; k++) {
        rows.x[k] = n[k][0];
        rows.y[k] = n[k][1];
        rows.z[k] = n[k][2];
    }
    for (int side = 0; side < 2; side++) {
        const float(*const points[2])[4] = {moved->points[side][0], moved->points[side][1]};
        reach_along(&rows, points, patches[side]->point_count, low[side], high[side]);
    }
    for (int round = 0; round < ROUNDS && now < 2; round++)
        for (int k = 0; k < DIRECTIONS; k++) {
            f4 size = f4_abs(n[k]);
            float sum = size[0] + size[1] + size[2], least[2];
            for (int i = 0; i < 2; i++)
                least[i] = f4_dot3(size, f4_load(moved->rounding[i])) + sum * moved->tolerance +
                           LEAST_MARGIN;
            now = parts_until(low[0][0][k] - high[1][0][k] - least[0],
                              low[0][1][k] - high[1][1][k] - least[1], now);
            now = parts_until(low[1][0][k] - high[0][0][k] - least[0],
                              low[1][1][k] - high[0][1][k] - least[1], now);
        }
    return now;
}

/* ---- triangles of one side ------------------------------------------------------------------ */

/* How far the points of the other side, and the corners of a triangle a lane, reach along n. */
GRAZEI_INLINE void gaps_along(const float *const rows[GRAZEI_LANES], const float (*points)[4],
                              uint32_t count, lanes3 n, lanes gaps[2])
{
    lanes least = lanes_set(INFINITY), most = lanes_set(-INFINITY);
    lanes own_least = least, own_most = most;
    for (size_t corner = 0; corner < 3; corner++) {
        lanes column[4];
        lanes_load_rows(rows, 4 * corner, column);
        lanes place = lanes3_dot(n, (lanes3){column[0], column[1], column[2]});
        own_least = lanes_min(own_least, place);
        own_most = lanes_max(own_most, place);
    }
    for (uint32_t i = 0; i < count; i++) {
        const float *p = points[i];
        lanes place = lanes3_dot(n, (lanes3){lanes_set(p[0]), lanes_set(p[1]), lanes_set(p[2])});
        least = lanes_min(least, place);
        most = lanes_max(most, place);
    }
    gaps[0] = lanes_sub(own_least, most);
    gaps[1] = lanes_sub(least, own_most);
}

GRAZEI_INLINE lanes3 load_normals(const float *const rows[GRAZEI_LANES])
{
    lanes x[4], y[4], z[4];
    lanes_load_rows(rows, 0, x);
    lanes_load_rows(rows, 4, y);
    lanes_load_rows(rows, 8, z);
    return (lanes3){x[3], y[3], z[3]};
}

/* As part_longer of moving_kernels.c. */
GRAZEI_INLINE lanes longer(lanes gaps[2][2], lanes until)
{
    lanes longest = until, zero = lanes_set(0);
    for (int i = 0; i < 2; i++) {
        lanes then = gaps[0][i], later = gaps[1][i], rest = lanes_sub(lanes_set(1), until);
        lanes now = lanes_add(lanes_mul(rest, then), lanes_mul(until, later));
        lanes time = lanes_mul(lanes_div(then, lanes_sub(then, later)), lanes_set(1 - TIME_SLACK));
        time = lanes_select(lanes_less(zero, later), lanes_set(2), time);
        longest = lanes_max(longest, lanes_select(lanes_less(zero, now), time, until));
    }
    return longest;
}

/* The normal at the time until which they are known to be apart, twice. */
GRAZEI_INLINE uint32_t keep_in_lanes(const float *const rows[2][GRAZEI_LANES],
                                     const grazei_posed_patch *other, int other_side,
                                     const grazei_moving_patches *moved)
{
    lanes until = lanes_set(0), one = lanes_set(1);
    lanes3 then = load_normals(rows[0]), turn = lanes3_sub(load_normals(rows[1]), then);
    for (int round = 0; round < 2; round++) {
        lanes3 n = {lanes_add(then.x, lanes_mul(until, turn.x)),
                    lanes_add(then.y, lanes_mul(until, turn.y)),
                    lanes_add(then.z, lanes_mul(until, turn.z))};
        lanes gaps[2][2];
        lanes3 size = {lanes_abs(n.x), lanes_abs(n.y), lanes_abs(n.z)};
        lanes sum = lanes_add(lanes_add(size.x, size.y), size.z);
        lanes least =
            lanes_add(lanes_mul(sum, lanes_set(moved->tolerance)), lanes_set(LEAST_MARGIN));
        for (int i = 0; i < 2; i++) {
            const float *r = moved->rounding[i];
            lanes3 rounding = {lanes_set(r[0]), lanes_set(r[1]), lanes_set(r[2])};
            lanes margin = lanes_add(lanes3_dot(size, rounding), least);
            gaps_along(rows[i], moved->points[other_side][i], other->point_count, n, gaps[i]);
            gaps[i][0] = lanes_sub(gaps[i][0], margin);
            gaps[i][1] = lanes_sub(gaps[i][1], margin);
        }
        until = longer(gaps, until);
        if (!mask_bits(lanes_less_equal(until, one)))
            break;
    }
    return mask_bits(lanes_less_equal(until, one));
}

static uint32_t keep_near(const grazei_moving_set *triangles, const grazei_posed_patch *other,
                          int other_side, const grazei_moving_patches *moved)
{
    const grazei_triangle_set *sets[2] = {&triangles->start, &triangles->end};
    uint32_t count = triangles->start.count, kept = 0;
    for (uint32_t first = 0; first < count; first += GRAZEI_LANES) {
        const float *rows[2][GRAZEI_LANES];
        for (int i = 0; i < 2; i++)
            for (uint32_t k = 0; k < GRAZEI_LANES; k++)
                rows[i][k] = &sets[i]->corners[first + k < count ? first + k : first][0][0];
        kept |= keep_in_lanes((const float *const(*)[GRAZEI_LANES])rows, other, other_side, moved)
                << first;
    }
    return kept & ((1u << count) - 1);
}

const grazei_moving_patch_kernels GRAZEI_ISA(moving_patch_kernels) = {move, part, keep_near};
