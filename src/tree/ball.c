/* The smallest enclosing ball of points, after
 *
 *   B. Gärtner: Fast and robust smallest enclosing balls. ESA 1999 (pivoting, section 3).
 *   E. Welzl: Smallest enclosing disks (balls and ellipsoids). 1991.
 *
 * A support of at most four points has a known smallest ball. While a point lies outside, the
 * farthest one joins the support, and the smallest ball around those five at most is found anew;
 * the radius grows with every step, and a dozen steps do for any number of points.
 *
 * Where Gärtner updates a system of equations, we try all subsets: each gives a candidate centre,
 * each candidate is judged by its measured distance to the farthest of the five, the least wins.
 * Degenerate subsets give bad candidates, never wrong answers, so nothing here needs a tolerance
 * to be right.
 */
#include "tree/ball.h"

#include "base/assert.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { MAX_SUPPORT = 4, MAX_PASSES = 256 };

/* A point farther than this times the squared radius is outside; closer ones are rounding. */
static const double OUTSIDE = 1.0 + 1e-13;

typedef struct support {
    double points[MAX_SUPPORT][3];
    uint32_t count;
    double centre[3];
    double square; /* of the radius */
} support;

typedef struct farthest_point {
    uint32_t index;
    double square; /* of its distance */
} farthest_point;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double result[3])
{
    result[0] = a[1] * b[2] - a[2] * b[1];
    result[1] = a[2] * b[0] - a[0] * b[2];
    result[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double square_distance(const float *point, const double centre[3])
{
    double x = point[0] - centre[0], y = point[1] - centre[1], z = point[2] - centre[2];
    return x * x + y * y + z * z;
}

/* The centre of the smallest sphere through the origin and count other points, which lies in their
 * affine hull. False if they are not affinely independent.
 */
static bool circumcentre(double points[][3], uint32_t count, double centre[3])
{
    const double *a = points[0], *b = points[1], *c = points[2];
    double ab[3], bc[3], ca[3], scale, sum[3];
    if (count == 0) {
        centre[0] = centre[1] = centre[2] = 0;
        return true;
    }
    if (count == 1) {
        for (int k = 0; k < 3; k++)
            centre[k] = 0.5 * a[k];
        return true;
    }
    double aa = dot(a, a), bb = dot(b, b);
    cross(a, b, ab);
    if (count == 2) { /* (|a|^2 b - |b|^2 a) x (a x b) / (2 |a x b|^2) */
        scale = 2 * dot(ab, ab);
        for (int k = 0; k < 3; k++)
            ca[k] = aa * b[k] - bb * a[k];
        cross(ca, ab, sum);
    } else { /* (|a|^2 b x c + |b|^2 c x a + |c|^2 a x b) / (2 a . (b x c)) */
        double cc = dot(c, c);
        cross(b, c, bc);
        cross(c, a, ca);
        scale = 2 * dot(a, bc);
        for (int k = 0; k < 3; k++)
            sum[k] = aa * bc[k] + bb * ca[k] + cc * ab[k];
    }
    if (!(fabs(scale) > 0))
        return false;
    for (int k = 0; k < 3; k++)
        centre[k] = sum[k] / scale;
    return isfinite(centre[0] + centre[1] + centre[2]);
}

/* The smallest ball found around a pivot and the other points of the support, relative to the
 * pivot: its centre, and which of the points lie on it, as bits.
 */
typedef struct candidate {
    double centre[3];
    double square; /* of the radius */
    uint8_t subset;
} candidate;

/* The ball whose centre is that of the smallest sphere through the origin and a subset of the
 * points, large enough for all of them; an infinite one if the subset has no such sphere. Where it
 * is seen not to be below `most`, the square may be short of the truth.
 */
static candidate ball_of_subset(double points[][3], uint32_t count, uint8_t subset, double most)
{
    double members[MAX_SUPPORT][3] = {{0}};
    candidate ball = {.square = HUGE_VAL, .subset = subset};
    uint32_t member_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (subset >> i & 1) {
            for (int k = 0; k < 3; k++)
                members[member_count][k] = points[i][k];
            member_count++;
        }
    if (!circumcentre(members, member_count, ball.centre))
        return ball;
    ball.square = dot(ball.centre, ball.centre);
    for (uint32_t i = 0; i < count && ball.square < most; i++) {
        double away[3];
        for (int k = 0; k < 3; k++)
            away[k] = points[i][k] - ball.centre[k];
        ball.square = fmax(ball.square, dot(away, away));
    }
    return ball;
}

/* The smallest ball around the origin and count other points that has the origin on it. Subsets
 * come smallest first, so that of equal balls the one with the fewest points wins.
 */
static candidate smallest_ball(double points[][3], uint32_t count)
{
    static const uint8_t subsets[15] = {0x0, 0x1, 0x2, 0x4, 0x8, 0x3, 0x5, 0x6,
                                        0x9, 0xa, 0xc, 0x7, 0xb, 0xd, 0xe};
    candidate best = {.square = HUGE_VAL};
    for (int n = 0; n < 15; n++) {
        if (subsets[n] >> count)
            continue;
        candidate ball = ball_of_subset(points, count, subsets[n], best.square);
        if (ball.square < best.square)
            best = ball;
    }
    return best;
}

/* Replaces the support by that of the smallest ball around it and one more point, which must be
 * outside the present ball and so be in the new support. False if the ball did not grow, which only
 * rounding can cause; then nothing is changed.
 */
static bool support_add(support *s, const float *pivot)
{
    double others[MAX_SUPPORT][3];
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            others[i][k] = s->points[i][k] - pivot[k];
    GRAZE_ASSERT(s->count >= 1 && s->count <= MAX_SUPPORT);
    candidate best = smallest_ball(others, s->count);
    if (!(best.square > s->square))
        return false;

    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (best.subset >> i & 1) {
            for (int k = 0; k < 3; k++)
                s->points[count][k] = s->points[i][k];
            count++;
        }
    for (int k = 0; k < 3; k++) {
        s->points[count][k] = pivot[k];
        s->centre[k] = pivot[k] + best.centre[k];
    }
    GRAZE_ASSERT(count < MAX_SUPPORT);
    s->count = count + 1;
    s->square = best.square;
    return true;
}

/* The farthest point of a list from a centre. Points nearer than the square root of keep leave the
 * list.
 */
static farthest_point find_farthest(const float *positions, uint32_t *list, uint32_t *count,
                                    const double centre[3], double keep)
{
    farthest_point far = {list[0], -1};
    const double at[3] = {centre[0], centre[1], centre[2]};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *count; i++) {
        uint32_t index = list[i];
        double square = square_distance(positions + 3 * (size_t)index, at);
        list[kept] = index;
        kept += square >= keep;
        if (square > far.square)
            far = (farthest_point){index, square};
    }
    *count = kept;
    return far;
}

/* Grows the support until its ball holds every point of the list, which loses points on the way.
 * centre gets the centre from which the farthest point was nearest: the last one, unless rounding
 * stopped the growth.
 *
 * Points that leave: let c, r be the present ball, the smallest around its support, and R >= R* any
 * bound on the radius sought. Some support point is at least sqrt(r^2 + |c* - c|^2) away from the
 * centre c* sought, so |c* - c| <= g = sqrt(R^2 - r^2). A point nearer to c than r - g is then
 * nearer to c* than r <= R*: inside, and of no influence on the result.
 */
static void pivot_until_enclosed(support *s, const float *positions, uint32_t *list, uint32_t count,
                                 double centre[3])
{
    double bound = HUGE_VAL;
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        double radius = sqrt(s->square), reach = radius - sqrt(fmax(bound - s->square, 0));
        double keep = reach > 0 ? reach * reach * (1 - 1e-6) : 0;
        farthest_point far = find_farthest(positions, list, &count, s->centre, keep);
        if (far.square < bound) {
            bound = far.square;
            for (int k = 0; k < 3; k++)
                centre[k] = s->centre[k];
        }
        if (far.square <= s->square * OUTSIDE || count == 0 ||
            !support_add(s, positions + 3 * (size_t)far.index))
            break;
    }
}

/* The points lowest and highest along each axis: a good first guess at the support. */
static void find_extremes(const float *positions, const uint32_t *list, uint32_t count,
                          uint32_t extremes[6])
{
    float low[3] = {HUGE_VALF, HUGE_VALF, HUGE_VALF};
    float high[3] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    for (int k = 0; k < 6; k++)
        extremes[k] = list[0];
    for (uint32_t i = 0; i < count; i++) {
        const float *point = positions + 3 * (size_t)list[i];
        for (int k = 0; k < 3; k++) {
            if (point[k] < low[k]) {
                low[k] = point[k];
                extremes[2 * k] = list[i];
            }
            if (point[k] > high[k]) {
                high[k] = point[k];
                extremes[2 * k + 1] = list[i];
            }
        }
    }
}

/* A radius that holds every point in real arithmetic.
 *
 * With u = 2^-53: a difference is right within a factor 1 +- u, a square within three such factors,
 * the sum within two more, so the true distance is at most (1 + 3u) times the root of the computed
 * square; root and final product lose u each. The factor 1 + 8u covers that. Nothing underflows:
 * points are multiples of 2^-149 and a centre's coordinate is 0 or at least 2^-300 in magnitude, so
 * a difference is 0 or at least 2^-300, its square at least 2^-600.
 */
static double measure_radius(const float *positions, const uint32_t *indices, uint32_t count,
                             const double centre[3])
{
    const double at[3] = {centre[0], centre[1], centre[2]};
    double largest = 0;
    for (uint32_t i = 0; i < count; i++) {
        double square = square_distance(positions + 3 * (size_t)indices[i], at);
        largest = square > largest ? square : largest;
    }
    GRAZE_ASSERT(largest < HUGE_VAL);
    return sqrt(largest) * (1 + 4 * DBL_EPSILON);
}

grazei_ball grazei_ball_enclose(const float *positions, const uint32_t *indices, uint32_t count,
                                uint32_t *order)
{
    GRAZE_ASSERT(count > 0);
    const float *first = positions + 3 * (size_t)indices[0];
    double centre[3] = {first[0], first[1], first[2]};
    support s = {.count = 1, .square = 0};
    for (int k = 0; k < 3; k++)
        s.points[0][k] = s.centre[k] = centre[k];
    for (uint32_t i = 0; i < count; i++)
        order[i] = indices[i];

    if (count > 8) {
        uint32_t extremes[6];
        find_extremes(positions, order, count, extremes);
        pivot_until_enclosed(&s, positions, extremes, 6, centre);
    }
    pivot_until_enclosed(&s, positions, order, count, centre);

    grazei_ball ball;
    for (int k = 0; k < 3; k++)
        ball.centre[k] = fabs(centre[k]) < 0x1p-300 ? 0 : centre[k];
    ball.radius = measure_radius(positions, indices, count, ball.centre);
    return ball;
}

grazei_ball_float grazei_ball_round(const grazei_ball *ball, const float *positions,
                                    const uint32_t *indices, uint32_t count)
{
    grazei_ball_float result;
    double centre[3];
    GRAZE_ASSERT(isfinite(ball->radius) && ball->radius >= 0);
    for (int k = 0; k < 3; k++)
        centre[k] = result.centre[k] = (float)ball->centre[k];
    double radius = measure_radius(positions, indices, count, centre);
    result.radius = (float)radius;
    if (result.radius < radius)
        result.radius = nextafterf(result.radius, HUGE_VALF);
    return result;
}
