/* What happened to a candidate since the update before, where its rule has a motion. Those that met
 * then are not asked about: they stay or end.
 */
#include "world/ask.h"
#include "world/past.h"

#include <math.h>
#include <string.h>

/* ---- boxes: each side goes evenly from where it was to where it is --------------------------- */

/* Leaves of the times from `from` to `to` those at which a number that changes evenly is not above
 * 0; false: none.
 */
static bool keep_times(double start, double end, double *from, double *to)
{
    if (start > 0 && end > 0)
        return false;
    if (start > 0)
        *from = fmax(*from, start / (start - end));
    else if (end > 0)
        *to = fmin(*to, start / (start - end));
    return *from <= *to;
}

static bool boxes_meet(const grazei_bound *past_a, const grazei_bound *a,
                       const grazei_bound *past_b, const grazei_bound *b, double *time)
{
    double from = 0, to = 1;
    for (int k = 0; k < 3; k++)
        if (!keep_times(-(double)past_a->low_negated[k] - past_b->high[k],
                        -(double)a->low_negated[k] - b->high[k], &from, &to) ||
            !keep_times(-(double)past_b->low_negated[k] - past_a->high[k],
                        -(double)b->low_negated[k] - a->high[k], &from, &to))
            return false;
    *time = from;
    return true;
}

/* The first time at which a square function with these values at 0, 1/2 and 1 is not above 0; above
 * 1: never.
 */
static double first_root(double start, double middle, double end)
{
    double a = 2 * start - 4 * middle + 2 * end, b = 4 * middle - 3 * start - end;
    if (start <= 0)
        return 0;
    double square = b * b - 4 * a * start;
    if (square < 0)
        return 2;
    double q = -0.5 * (b + copysign(sqrt(square), b)); /* the roots are q / a and start / q */
    double roots[2] = {q / a, start / q}, first = 2;
    for (int i = 0; i < 2; i++)
        if (roots[i] >= 0 && roots[i] < first) /* not where one is not a number */
            first = roots[i];
    return end <= 0 ? fmin(first, 1) : first;
}

/* How far a corner of a box, some of the way, is outside a half-space, times its normal's length.
 */
static double corner_outside(const graze_half_space planes[2], const grazei_bound *past,
                             const grazei_bound *box, uint32_t corner, double time)
{
    double sum = -((1 - time) * planes[0].offset + time * planes[1].offset);
    for (int k = 0; k < 3; k++) {
        bool high = corner >> k & 1;
        double from = high ? (double)past->high[k] : -(double)past->low_negated[k];
        double to = high ? (double)box->high[k] : -(double)box->low_negated[k];
        double normal = (1 - time) * planes[0].normal[k] + time * planes[1].normal[k];
        sum += normal * ((1 - time) * from + time * to);
    }
    return sum;
}

static bool half_space_meets(const graze_half_space planes[2], const grazei_bound *past,
                             const grazei_bound *box, double *time)
{
    *time = 2;
    for (uint32_t c = 0; c < 8; c++)
        *time = fmin(*time, first_root(corner_outside(planes, past, box, c, 0),
                                       corner_outside(planes, past, box, c, 0.5),
                                       corner_outside(planes, past, box, c, 1)));
    return *time <= 1;
}

/* Rounded down. */
static float to_float(double time)
{
    float rounded = (float)time;
    return (double)rounded > time ? nextafterf(rounded, 0) : rounded;
}

static void ask_boxes(const grazei_asked *job, grazei_motion_answer *answer)
{
    const graze_world *world = job->world;
    const grazei_bound *boxes = world->boxes.items, *past = world->past_boxes.items;
    const graze_shape *past_shapes = world->past_shapes.items;
    uint32_t a = job->a, b = job->b;
    bool endless[2] = {grazei_thing_of(world, a)->infinite, grazei_thing_of(world, b)->infinite};
    double time = 0;
    if (endless[0] && endless[1]) {
        answer->met = true;
    } else if (endless[0] || endless[1]) {
        uint32_t plane = endless[0] ? a : b, other = endless[0] ? b : a;
        const graze_half_space planes[2] = {past_shapes[plane].as.plane,
                                            grazei_shape_of(world, plane)->as.plane};
        answer->met = !grazei_bound_is_empty(&boxes[other], false) &&
                      !grazei_bound_is_empty(&past[other], false) &&
                      half_space_meets(planes, &past[other], &boxes[other], &time);
    } else {
        answer->met =
            !grazei_bound_is_empty(&past[a], false) && !grazei_bound_is_empty(&past[b], false) &&
            !grazei_bound_is_empty(&boxes[a], false) && !grazei_bound_is_empty(&boxes[b], false) &&
            boxes_meet(&past[a], &boxes[a], &past[b], &boxes[b], &time);
    }
    answer->time = to_float(time);
}

/* ---- all levels ----------------------------------------------------------------------------- */

/* They met and parted: what there is to say is of the moment at which they met. */
static void put_passage(grazei_asked *job, const grazei_motion_answer *answer)
{
    grazei_candidate *candidate = job->candidate;
    bool triangles = answer->triangles[0] != UINT32_MAX || answer->triangles[1] != UINT32_MAX;
    graze_contact contact = {.parts = {answer->parts[0], answer->parts[1]},
                             .pair_count = triangles,
                             .triangles = {answer->triangles[0], answer->triangles[1]}};
    candidate->passes = true;
    if (candidate->level == GRAZE_LEVEL_BOUNDS)
        return;
    candidate->pairs = candidate->level == GRAZE_LEVEL_EXACT && triangles;
    memcpy(contact.point, answer->point, sizeof contact.point);
    memcpy(contact.normal, answer->normal, sizeof contact.normal);
    if (grazei_put_part(job, answer->parts[0], answer->parts[1]) && job->with_contacts)
        grazei_put_contact(job, &contact);
}

graze_status grazei_ask_on_the_way(grazei_asked *job, graze_error *error)
{
    const graze_world *world = job->world;
    grazei_candidate *candidate = job->candidate;
    grazei_motion_answer answer = {.met = false};
    graze_status status = GRAZE_OK;
    if (!grazei_world_has_past(world, job->a) || !grazei_world_has_past(world, job->b) ||
        grazei_world_has_met(world, candidate->key))
        return GRAZE_OK;
    if (candidate->level == GRAZE_LEVEL_BOUNDS) {
        ask_boxes(job, &answer);
    } else {
        grazei_mover a = grazei_world_mover(world, job->a, candidate->level);
        grazei_mover b = grazei_world_mover(world, job->b, candidate->level);
        status = grazei_motion_ask(candidate->level, job->motion, &a, &b, &answer, &job->own->stats,
                                   error);
    }
    if (status || !answer.met)
        return status;
    candidate->time = answer.time;
    candidate->capped = answer.capped;
    if (!candidate->meets)
        put_passage(job, &answer);
    return GRAZE_OK;
}
