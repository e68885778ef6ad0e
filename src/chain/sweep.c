/* Spheres on their way between two poses: centres go straight, radii change evenly. */
#include "base/status.h"
#include "chain/chain_kernel.h"
#include "chain/plan.h"

#include <math.h>

/* A sphere at both ends. */
typedef struct moving_sphere {
    const float *start, *end;
} moving_sphere;

static moving_sphere moving_at(const float *start, const float *end, uint32_t sphere)
{
    return (moving_sphere){start + 4 * (size_t)sphere, end + 4 * (size_t)sphere};
}

static grazei_chain_ball ball_of(const float *s)
{
    return (grazei_chain_ball){s[0], s[1], s[2], s[3]};
}

/* When two first touch; beyond 1: never. Of |d + t e|^2 = (r + t q)^2, at^2 + 2bt + c = 0 with c >
 * 0 the first root above 0 is c / (-b + root of (b^2 - ac)), whatever the sign of a.
 */
static double first_touch(moving_sphere one, moving_sphere other)
{
    if (grazei_chain_meet(ball_of(one.start), ball_of(other.start)))
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

static graze_status check_radii(const graze_chain_plan *plan, const float *start, const float *end,
                                graze_error *error)
{
    for (uint32_t s = 0; s < plan->sphere_count; s++)
        if (start[4 * (size_t)s + 3] < 0 || end[4 * (size_t)s + 3] < 0)
            return grazei_fail(error, GRAZE_BAD_INPUT, "sphere %u has a negative radius", s);
    return GRAZE_OK;
}

static graze_status check(const graze_chain_plan *plan, const float *start, const float *end,
                          graze_chain_method method, const void *impacts, size_t capacity,
                          const size_t *count, graze_error *error)
{
    graze_status status = grazei_plan_check(plan, start, method, impacts, capacity, count, error);
    if (!status)
        status = grazei_check_pointer(end, "the array of spheres at the end", error);
    return status ? status : check_radii(plan, start, end, error);
}

/* Puts an impact where there is room; returns how many there are now. */
static size_t put(double time, uint32_t a, uint32_t b, graze_chain_impact *impacts, size_t count,
                  size_t capacity)
{
    if (!(time <= 1))
        return count;
    if (count < capacity)
        impacts[count] = (graze_chain_impact){a, b, time};
    return count + 1;
}

graze_status graze_chain_sweep(const graze_chain_plan *plan, const float *start, const float *end,
                               graze_chain_method method, graze_chain_impact *impacts,
                               size_t capacity, size_t *count, graze_error *error)
{
    graze_status status = check(plan, start, end, method, impacts, capacity, count, error);
    if (status)
        return status;
    const grazei_pair_rows *list = grazei_plan_rows(plan, method);
    size_t found = 0;
    for (uint32_t i = 0; i < list->row_count; i++) {
        const grazei_overlap_row *row = &list->rows[i];
        moving_sphere own = moving_at(start, end, row->sphere);
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t b = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            found = put(first_touch(own, moving_at(start, end, b)), row->sphere, b, impacts, found,
                        capacity);
        }
    }
    *count = found;
    return GRAZE_OK;
}

graze_status graze_chain_sweep_between(const graze_chain_plan *plan_a, const float *start_a,
                                       const float *end_a, const graze_chain_plan *plan_b,
                                       const float *start_b, const float *end_b,
                                       graze_chain_impact *impacts, size_t capacity, size_t *count,
                                       graze_error *error)
{
    graze_status status =
        check(plan_a, start_a, end_a, GRAZE_CHAIN_ALL, impacts, capacity, count, error);
    if (!status)
        status = check(plan_b, start_b, end_b, GRAZE_CHAIN_ALL, impacts, capacity, count, error);
    if (status)
        return status;
    size_t found = 0;
    for (uint32_t a = 0; a < plan_a->sphere_count; a++)
        for (uint32_t b = 0; b < plan_b->sphere_count; b++)
            found = put(first_touch(moving_at(start_a, end_a, a), moving_at(start_b, end_b, b)), a,
                        b, impacts, found, capacity);
    *count = found;
    return GRAZE_OK;
}
