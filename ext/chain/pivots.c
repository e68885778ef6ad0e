/* Pivots stand around a sphere, half of them a little ahead along the limb and half behind, so that
 * they span space and none counts for much more than the others: the weights, which are those of
 * the least norm, then stay good when the limb bends.
 */
#include "chain/pivots.h"
#include "math/vector.h"

#include <string.h>

enum { TURNS = 12 };

static const double poor = 0.1;      /* a score that is worth more time */
static const double too_far = 0.005; /* of the radius: what weights may miss the centre by */

/* The point that lies most in a direction, and about as far as the sphere's surface. */
static uint32_t pick(const grazei_pivot_points *points, const grazei_ball *ball,
                     const double direction[3], const grazei_pivot_choice *taken)
{
    uint32_t best = UINT32_MAX;
    double most = -1e300;
    for (uint32_t i = 0; i < points->count; i++) {
        double d[3];
        bool is_taken = false;
        for (uint32_t k = 0; k < taken->count; k++)
            is_taken = is_taken || taken->points[k] == i;
        grazei_along(points->at[i], -1, ball->centre, d);
        double length = grazei_length(d);
        double worth = length > 0 ? grazei_dot(d, direction) / length : -1;
        worth -= 0.3 * fabs(length / ball->radius - 1);
        if (!is_taken && worth > most) {
            most = worth;
            best = i;
        }
    }
    return best;
}

/* Weights of the least norm with sum of w = 1 and sum of w (p - c) = 0; ridge > 0 gives some where
 * points lie in a plane, and then misses the centre. False if there are none.
 */
static bool weigh(const grazei_pivot_points *points, const grazei_ball *ball, double ridge,
                  grazei_pivot_choice *choice)
{
    double rows[GRAZEI_MOST_PIVOTS][4], a[16] = {0}, b[4] = {0, 0, 0, 1}, x[4];
    for (uint32_t i = 0; i < choice->count; i++) {
        for (int k = 0; k < 3; k++)
            rows[i][k] = (points->at[choice->points[i]][k] - ball->centre[k]) / ball->radius;
        rows[i][3] = 1;
        for (int j = 0; j < 16; j++)
            a[j] += rows[i][j / 4] * rows[i][j % 4];
    }
    for (int k = 0; k < 4; k++)
        a[5 * k] += k < 3 ? ridge : 0;
    if (!grazei_solve(a, b, 4, x))
        return false;
    double sum = 0;
    for (uint32_t i = 0; i < choice->count; i++) {
        choice->weights[i] = 0;
        for (int k = 0; k < 4; k++)
            choice->weights[i] += rows[i][k] * x[k];
        sum += choice->weights[i];
    }
    if (!(fabs(sum) > 1e-6))
        return false;
    for (uint32_t i = 0; i < choice->count; i++)
        choice->weights[i] /= sum;
    return true;
}

static void judge(const grazei_pivot_points *points, const grazei_ball *ball, bool plain,
                  grazei_pivot_choice *choice)
{
    double centre[3] = {0}, uneven = 0, off = 0, mean = 0, even = 1.0 / choice->count;
    for (uint32_t i = 0; i < choice->count; i++)
        grazei_along(centre, choice->weights[i], points->at[choice->points[i]], centre);
    choice->miss = grazei_distance(centre, ball->centre) / ball->radius;
    for (uint32_t i = 0; i < choice->count; i++) {
        double far = grazei_distance(centre, points->at[choice->points[i]]) / ball->radius;
        uneven += (choice->weights[i] - even) * (choice->weights[i] - even);
        off += (far - 1) * (far - 1) * even;
        mean += far * even;
    }
    if (plain)
        choice->score = choice->miss + fabs(mean - 1);
    else
        choice->score = uneven + 0.3 * off + (choice->miss > too_far ? 1e3 * choice->miss : 0);
}

/* A frame across the limb. */
static void frame(const double along[3], double u[3], double v[3])
{
    grazei_across(along, u);
    grazei_cross(along, u, v);
}

/* Picks points in directions around the limb, turned by a part of a turn and leant by a slope. */
static grazei_pivot_choice try_one(const grazei_pivot_points *points, const grazei_ball *ball,
                                   const double along[3], uint32_t wanted, bool plain, double turn,
                                   double slope, double ridge)
{
    grazei_pivot_choice choice = {.count = 0, .score = 1e300};
    double u[3], v[3];
    frame(along, u, v);
    for (uint32_t i = 0; i < wanted && i < points->count; i++) {
        double direction[3], sine, cosine, turns = turn + (double)i / wanted;
        grazei_sine_cosine(turns < 1 ? turns : turns - 1, &sine, &cosine);
        for (int k = 0; k < 3; k++)
            direction[k] = cosine * u[k] + sine * v[k] + (i % 2 ? -slope : slope) * along[k];
        grazei_normalise(direction);
        uint32_t found = pick(points, ball, direction, &choice);
        if (found == UINT32_MAX)
            break;
        choice.points[choice.count++] = found;
    }
    for (uint32_t i = 0; i < choice.count; i++)
        choice.weights[i] = 1.0 / choice.count;
    if (choice.count && (plain || weigh(points, ball, ridge, &choice)))
        judge(points, ball, plain, &choice);
    return choice;
}

/* Puts one point after the other in the place of each pivot, and keeps what is better. */
static void exchange(const grazei_pivot_points *points, const grazei_ball *ball,
                     grazei_pivot_choice *best)
{
    for (uint32_t i = 0; i < best->count; i++)
        for (uint32_t p = 0; p < points->count; p++) {
            grazei_pivot_choice next = *best;
            bool is_new = true;
            for (uint32_t k = 0; k < best->count; k++)
                is_new = is_new && best->points[k] != p;
            next.points[i] = p;
            if (!is_new || !weigh(points, ball, 0, &next))
                continue;
            judge(points, ball, false, &next);
            if (next.score < best->score)
                *best = next;
        }
}

grazei_pivot_choice grazei_choose_pivots(const grazei_pivot_points *points, const grazei_ball *ball,
                                         const double along[3], uint32_t wanted, bool plain)
{
    static const double slopes[] = {0.35, 0.8, -0.35, -0.8, 0.1};
    grazei_pivot_choice best = {.count = 0, .score = 1e300};
    for (int ridge = 0; ridge < 2 && best.score >= 1e300; ridge++)
        for (uint32_t slope = 0; slope < sizeof slopes / sizeof *slopes; slope++)
            for (uint32_t turn = 0; turn < TURNS; turn++) {
                grazei_pivot_choice next =
                    try_one(points, ball, along, wanted, plain, 2.0 * turn / (TURNS * wanted),
                            slopes[slope], ridge ? 1e-3 : 0);
                if (next.score < best.score)
                    best = next;
            }
    for (int round = 0; round < 3 && !plain && best.count && best.score > poor; round++)
        exchange(points, ball, &best);
    if (best.score >= 1e300) { /* points at one place, say */
        best.count = 1;
        best.points[0] = 0;
        best.weights[0] = 1;
        judge(points, ball, plain, &best);
    }
    return best;
}
