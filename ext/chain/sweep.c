/* Spheres on their way between two poses: centres go straight, radii change evenly. */
#include "base/status.h"
#include "chain/chain_kernel.h"
#include "chain/tracker.h"
#include "math/rounding.h"
#include "parts/lists.h"

#include <float.h>
#include <math.h>

/* A sphere at both ends. */
typedef struct moving_sphere {
    const float *start, *end;
} moving_sphere;

static moving_sphere moving_at(const graze_posed_chains *side, uint32_t sphere)
{
    return (moving_sphere){side->spheres + 4 * (size_t)sphere,
                           side->end_spheres + 4 * (size_t)sphere};
}

static grazei_chain_ball ball_of(const float *s)
{
    return (grazei_chain_ball){s[0], s[1], s[2], s[3]};
}

/* When two first touch; beyond 1: never. Of |d + t e|^2 = (r + t q)^2, at^2 + 2bt + c = 0 with c >
 * 0 the first root above 0 is c / (-b + root of (b^2 - ac)), whatever the sign of a.
 */
static double first_touch(moving_sphere one, moving_sphere other, bool *initial)
{
    *initial = grazei_chain_meet(ball_of(one.start), ball_of(other.start));
    if (*initial)
        return 0;
    double a = 0, b = 0, c = 0;
    for (int k = 0; k < 3; k++) {
        double d = (double)one.start[k] - (double)other.start[k];
        double e = (double)one.end[k] - (double)other.end[k] - d;
        a += e * e;
        b += d * e;
        c += d * d;
    }
    double r = (double)one.start[3] + (double)other.start[3];
    double q = (double)one.end[3] + (double)other.end[3] - r;
    a -= q * q;
    b -= r * q;
    c -= r * r;
    if (!(c > 0))
        return c <= 0 ? 0 : 2; /* not a number: never */
    double square = b * b - a * c;
    double divisor = square >= 0 ? sqrt(square) - b : 0;
    double time = divisor > 0 ? c / divisor : 2;
    /* At the end floats decide, as they do there. */
    if (!(time <= 1) && grazei_chain_meet(ball_of(one.end), ball_of(other.end)))
        return 1;
    return time;
}

static graze_status check_side(const graze_posed_chains *side, graze_error *error)
{
    graze_status status =
        grazei_check_pointer(side->end_spheres, "the array of spheres at the end", error);
    for (uint32_t s = 0; s < side->tracker->sphere_count && !status; s++)
        if (side->spheres[4 * (size_t)s + 3] < 0 || side->end_spheres[4 * (size_t)s + 3] < 0)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u has a negative radius", s);
    return status;
}

static graze_status check(const graze_posed_chains *a, const graze_posed_chains *b,
                          graze_chain_pairs_of which, const graze_impact_list *list,
                          const graze_options *options, graze_error *error)
{
    graze_status status = grazei_tracker_check(a, b, which, options, error);
    if (!status)
        status = grazei_check_list(list->items, list->capacity, list->report != NULL, error);
    if (!status)
        status = check_side(a, error);
    return status || !b ? status : check_side(b, error);
}

/* Rounded down, and never to what processors may take for zero. */
static float round_time(double time)
{
    return time < (double)FLT_MIN ? 0 : grazei_round_down(time);
}

/* Puts two spheres if they touch; false: stop. */
static bool put(const graze_posed_chains *a, uint32_t i, const graze_posed_chains *b, uint32_t k,
                graze_impact_list *list)
{
    bool initial;
    double time = first_touch(moving_at(a, i), moving_at(b, k), &initial);
    if (!(time <= 1))
        return true;
    const graze_impact impact = {
        .found = true, .initial = initial, .time = round_time(time), .triangles = {i, k}};
    list->total++;
    if (list->report)
        return list->report(list->user, &impact, 1);
    if (list->count < list->capacity)
        list->items[list->count++] = impact;
    return true;
}

static void sweep_itself(const graze_posed_chains *a, const grazei_pair_rows *rows,
                         graze_impact_list *list)
{
    for (uint32_t i = 0; i < rows->row_count; i++) {
        const grazei_overlap_row *row = &rows->rows[i];
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t k = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            if (!put(a, row->sphere, a, k, list))
                return;
        }
    }
}

static void sweep_two(const graze_posed_chains *a, const graze_posed_chains *b,
                      graze_impact_list *list)
{
    for (uint32_t i = 0; i < a->tracker->sphere_count; i++)
        for (uint32_t k = 0; k < b->tracker->sphere_count; k++)
            if (!put(a, i, b, k, list))
                return;
}

graze_status graze_chain_sweep(const graze_posed_chains *a, const graze_posed_chains *b,
                               graze_chain_pairs_of which, graze_impact_list *impacts,
                               const graze_options *options, graze_error *error)
{
    graze_status status = grazei_check_pointer(impacts, "the list of impacts", error);
    if (status)
        return status;
    impacts->count = impacts->total = 0;
    status = check(a, b, which, impacts, options, error);
    if (!status && b)
        sweep_two(a, b, impacts);
    else if (!status)
        sweep_itself(a, grazei_tracker_rows(a->tracker, which), impacts);
    return status;
}
