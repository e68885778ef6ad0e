/* What happens between two updates: swept, continuous, and the choice between the ways
 * (motion_sampled.c has the third).
 *
 * A ball around a thing at the start and one around it at the end, centre and radius changing
 * evenly, hold it all the way: every point of it is at (1 - t) p + t q, and as far from the ball's
 * centre as (1 - t) |p| + t |q| at most.
 */
#include "world/motion.h"

#include "body/body.h"
#include "math/rounding.h"
#include "narrow/moving_shape.h"
#include "query/agenda.h"
#include "sweep/at_time.h"
#include "world/movers.h"
#include "world/world.h"

#include <graze/sweep.h>

#include <string.h>

/* ---- balls ---------------------------------------------------------------------------------- */

static graze_sphere ball_of_box(const grazei_bound *box)
{
    graze_sphere ball;
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double low = -(double)box->low_negated[k], high = box->high[k];
        ball.centre[k] = (float)(0.5 * (low + high));
        double side = fmax(high - (double)ball.centre[k], (double)ball.centre[k] - low);
        square += side * side;
    }
    ball.radius = grazei_round_up(sqrt(square) * (1 + 0x1p-40));
    return ball;
}

static void extend(grazei_bound *box, const graze_shape *shape)
{
    grazei_bound own = grazei_world_shape_box(shape);
    f4_store(box->low_negated, f4_max(grazei_bound_first(box), grazei_bound_first(&own)));
    f4_store(box->high, f4_max(grazei_bound_second(box), grazei_bound_second(&own)));
}

static graze_sphere ball_of_shape(const graze_shape *shape)
{
    if (shape->kind == GRAZE_SPHERE)
        return shape->as.sphere;
    grazei_bound box = grazei_world_shape_box(shape);
    return ball_of_box(&box);
}

/* False where nothing of it takes part. */
static bool find_ball(const grazei_mover *mover, grazei_ball *ball, graze_stats *stats)
{
    *ball = (grazei_ball){.endless = false};
    if (mover->from) {
        ball->endless = mover->from->kind == GRAZE_HALF_SPACE;
        if (!ball->endless) {
            ball->from = ball_of_shape(mover->from);
            ball->to = ball_of_shape(mover->to);
        }
        return true;
    }
    grazei_bound boxes[2];
    if (grazei_mover_is_mesh(mover)) {
        boxes[0] = grazei_body_box(mover->start, stats);
        boxes[1] = grazei_body_box(mover->end, stats);
    } else {
        grazei_moved volume;
        grazei_bound_set_empty(&boxes[0], false);
        boxes[1] = boxes[0];
        for (uint32_t i = 0; i < mover->volume_count; i++)
            if (grazei_mover_shape(mover, i, &volume)) {
                extend(&boxes[0], &volume.from);
                extend(&boxes[1], &volume.to);
            }
    }
    if (grazei_bound_is_empty(&boxes[0], false))
        return false;
    ball->from = ball_of_box(&boxes[0]);
    ball->to = ball_of_box(&boxes[1]);
    return true;
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Takes over an earlier one. */
static void take(grazei_motion_answer *best, const grazei_motion_answer *found)
{
    if (!best->met || found->time < best->time)
        *best = *found;
}

/* The same seen from the other side. */
static void exchange(grazei_motion_answer *answer)
{
    uint32_t part = answer->parts[0], triangle = answer->triangles[0];
    answer->parts[0] = answer->parts[1];
    answer->parts[1] = part;
    answer->triangles[0] = answer->triangles[1];
    answer->triangles[1] = triangle;
    for (int k = 0; k < 3; k++)
        answer->normal[k] = 0 - answer->normal[k];
}

/* ---- two shapes ----------------------------------------------------------------------------- */

bool grazei_moved_meet(const grazei_moved *a, const grazei_moved *b, grazei_motion_answer *answer,
                       bool *known)
{
    grazei_moving_shape made[2];
    grazei_moving_contact contact;
    *known = !(a->from.kind == GRAZE_HALF_SPACE && b->from.kind == GRAZE_HALF_SPACE) &&
             !grazei_moving_shape_prepare(&made[0], &a->from, &a->to, NULL) &&
             !grazei_moving_shape_prepare(&made[1], &b->from, &b->to, NULL);
    if (!*known || !grazei_moving_shapes_meet(&made[0], &made[1], &contact))
        return false;
    *answer = (grazei_motion_answer){.met = true,
                                     .time = contact.time,
                                     .parts = {a->group, b->group},
                                     .triangles = {UINT32_MAX, UINT32_MAX}};
    memcpy(answer->point, contact.point, sizeof answer->point);
    if (contact.time > 0)
        memcpy(answer->normal, contact.normal, sizeof answer->normal);
    return true;
}

/* ---- a mesh and shapes ---------------------------------------------------------------------- */

/* As the first of the two. */
static graze_status sweep_mesh(const grazei_mover *mesh, const grazei_moved *shape,
                               grazei_motion_answer *best, graze_stats *stats, graze_error *error)
{
    graze_motion motion = grazei_mover_motion(mesh);
    const graze_motion other = {.from = &shape->from, .to = &shape->to};
    const graze_options options = {.stats = stats};
    graze_impact impact;
    graze_status status = graze_sweep(&motion, &other, &impact, &options, error);
    if (status || !impact.found)
        return status;
    grazei_motion_answer found = {.met = true,
                                  .time = impact.time,
                                  .parts = {impact.parts[0], shape->group},
                                  .triangles = {impact.triangles[0], UINT32_MAX}};
    memcpy(found.point, impact.point, sizeof found.point);
    for (int k = 0; k < 3; k++)
        found.normal[k] = 0 + impact.normal[k]; /* no -0 */
    take(best, &found);
    return GRAZE_OK;
}

static graze_status sweep_meshes(const grazei_mover *a, const grazei_mover *b,
                                 grazei_motion_answer *answer, graze_stats *stats,
                                 graze_error *error)
{
    graze_motion first = grazei_mover_motion(a), second = grazei_mover_motion(b);
    const graze_options options = {.stats = stats};
    graze_impact impact;
    graze_status status = graze_sweep(&first, &second, &impact, &options, error);
    if (status || !impact.found)
        return status;
    *answer = (grazei_motion_answer){.met = true,
                                     .time = impact.time,
                                     .parts = {impact.parts[0], impact.parts[1]},
                                     .triangles = {impact.triangles[0], impact.triangles[1]}};
    memcpy(answer->point, impact.point, sizeof answer->point);
    memcpy(answer->normal, impact.normal, sizeof answer->normal);
    return GRAZE_OK;
}

/* ---- the ways ------------------------------------------------------------------------------- */

static bool turns(const grazei_mover *mover)
{
    return mover->from && mover->from->kind == GRAZE_HALF_SPACE &&
           memcmp(mover->from->as.plane.normal, mover->to->as.plane.normal,
                  sizeof mover->to->as.plane.normal) != 0;
}

/* All of the way, where nothing turns that cannot be followed. */
static graze_status follow(const grazei_mover *a, const grazei_mover *b,
                           grazei_motion_answer *answer, graze_stats *stats, graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (grazei_mover_is_mesh(a) && grazei_mover_is_mesh(b))
        return sweep_meshes(a, b, answer, stats, error);
    if (grazei_mover_is_mesh(b)) {
        status = follow(b, a, answer, stats, error);
        exchange(answer);
        return status;
    }
    uint32_t count = grazei_mover_is_mesh(a) ? 1 : grazei_mover_shapes(a);
    for (uint32_t i = 0; i < count && !status; i++)
        for (uint32_t k = 0; k < grazei_mover_shapes(b) && !status; k++) {
            grazei_moved first, second;
            grazei_motion_answer found;
            bool known;
            if (!grazei_mover_shape(b, k, &second))
                continue;
            if (grazei_mover_is_mesh(a))
                status = sweep_mesh(a, &second, answer, stats, error);
            else if (grazei_mover_shape(a, i, &first) &&
                     grazei_moved_meet(&first, &second, &found, &known))
                take(answer, &found);
        }
    return status;
}

/* The part of a mover, and its triangle, that is nearest to where its ball was met. */
static void name_part(const grazei_mover *mover, float time, const float point[3], uint32_t *part,
                      uint32_t *triangle, graze_stats *stats)
{
    double nearest = INFINITY;
    grazei_moved volume;
    *part = 0;
    *triangle = UINT32_MAX;
    if (grazei_mover_is_mesh(mover)) {
        graze_motion motion = grazei_mover_motion(mover);
        *triangle = grazei_triangle_near(&motion, (double)time, point, stats);
        if (*triangle != UINT32_MAX)
            *part = graze_model_triangle_part(grazei_body_model(mover->start), *triangle);
        return;
    }
    for (uint32_t i = 0; mover->volumes_from && i < mover->volume_count; i++) {
        grazei_shape at;
        double away[3], from[3];
        if (!grazei_mover_shape(mover, i, &volume))
            continue;
        graze_shape now = grazei_shape_between(&volume, (double)time);
        grazei_shape_prepare(&at, &now, NULL);
        for (int k = 0; k < 3; k++)
            from[k] = (double)point[k] - at.origin[k];
        double distance = grazei_shape_axis_distance(&at, from, away) - at.radius;
        *part = distance < nearest ? volume.group : *part;
        nearest = fmin(distance, nearest);
    }
}

/* A ball around the smaller one, all of the way. */
static graze_status sweep_ball(const grazei_mover *a, const grazei_mover *b,
                               const grazei_ball balls[2], grazei_motion_answer *answer,
                               graze_stats *stats, graze_error *error)
{
    bool second = balls[0].endless ||
                  (!balls[1].endless && fmaxf(balls[1].from.radius, balls[1].to.radius) <
                                            fmaxf(balls[0].from.radius, balls[0].to.radius));
    const grazei_ball *own = &balls[second];
    graze_shape from = {.kind = GRAZE_SPHERE, .as = {.sphere = own->from}};
    graze_shape to = {.kind = GRAZE_SPHERE, .as = {.sphere = own->to}};
    grazei_mover ball = {.from = &from, .to = &to};
    graze_status status =
        second ? follow(a, &ball, answer, stats, error) : follow(&ball, b, answer, stats, error);
    if (!status && answer->met)
        name_part(second ? b : a, answer->time, answer->point, &answer->parts[second],
                  &answer->triangles[second], stats);
    return status;
}

/* Lean bodies get their caches. */
static graze_status make_ready(const grazei_mover *mover, graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (grazei_mover_is_mesh(mover))
        status = grazei_body_ready(mover->start, error);
    if (!status && grazei_mover_is_mesh(mover))
        status = grazei_body_ready(mover->end, error);
    return status;
}

graze_status grazei_motion_ask(graze_level level, graze_motion_rule motion, const grazei_mover *a,
                               const grazei_mover *b, grazei_motion_answer *answer,
                               graze_stats *stats, graze_error *error)
{
    grazei_ball balls[2];
    graze_stats unwanted = {0};
    (void)level; /* volumes say it */
    stats = stats ? stats : &unwanted;
    *answer = (grazei_motion_answer){.met = false};
    graze_status status = make_ready(a, error);
    if (!status)
        status = make_ready(b, error);
    if (status || !find_ball(a, &balls[0], stats) || !find_ball(b, &balls[1], stats))
        return status;
    bool planes = balls[0].endless && balls[1].endless;
    if (motion == GRAZE_MOTION_SAMPLED || planes || turns(a) || turns(b)) {
        grazei_motion_sample(a, b, balls, motion != GRAZE_MOTION_SAMPLED, answer, stats);
        return GRAZE_OK;
    }
    if (motion == GRAZE_MOTION_SWEPT)
        return sweep_ball(a, b, balls, answer, stats, error);
    return follow(a, b, answer, stats, error);
}
