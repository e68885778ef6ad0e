/* Limp characters on fixed shapes. They are looked at by themselves, and a little before they
 * touch: skin that is near something fixed may come as near as it is within a step, so that nothing
 * fast goes into the ground before it is stopped.
 */
#include "internal.h"

/* Metres: as far as everything is looked for, and what the fastest bone adds in a step at most. */
#define NEAR 0.005
#define NEAR_MOST 0.1

/* Deeper than this nothing is left; it is looked for after a step in which something was so deep,
 * or the fastest bone went so far.
 */
#define DEEPEST 0.006
#define DEEP 0.003
#define MOVES 0.001

/* How far a point is from a fixed shape, from below. */
static double distance(const graze_shape *shape, const double at[3])
{
    double d[3];
    if (shape->kind == GRAZE_HALF_SPACE) {
        const graze_half_space *plane = &shape->as.plane;
        const double n[3] = {plane->normal[0], plane->normal[1], plane->normal[2]};
        return (dot3(n, at) - plane->offset) / length3(n);
    }
    if (shape->kind == GRAZE_SPHERE) {
        for (int k = 0; k < 3; k++)
            d[k] = at[k] - shape->as.sphere.centre[k];
        return length3(d) - shape->as.sphere.radius;
    }
    if (shape->kind == GRAZE_CAPSULE) {
        const graze_capsule *capsule = &shape->as.capsule;
        double along[3];
        for (int k = 0; k < 3; k++) {
            along[k] = (double)capsule->q[k] - capsule->p[k];
            d[k] = at[k] - capsule->p[k];
        }
        double square = dot3(along, along), t = square > 0 ? dot3(d, along) / square : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        for (int k = 0; k < 3; k++)
            d[k] -= t * along[k];
        return length3(d) - capsule->radius;
    }
    const graze_box *box = &shape->as.box;
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double x = 0;
        for (int k = 0; k < 3; k++)
            x += box->axes[i][k] * (at[k] - box->centre[k]);
        double beyond = fabs(x) - box->half[i];
        sum += beyond > 0 ? beyond * beyond : 0;
    }
    return sqrt(sum);
}

static bool is_near(const character *c, const graze_shape *shape, double margin)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        const graze_ragdoll_bone *is = &c->ragdoll->bones[b].is;
        double centre[3];
        if (!c->limbs[b].limp)
            continue;
        apply(&c->limbs[b].now, is->centre, centre);
        /* the skin near a joint is not quite where its own bone would have it */
        if (distance(shape, centre) < 1.25 * is->radius + margin)
            return true;
    }
    return false;
}

static double margin_of(const character *c, double step)
{
    double fastest = 0;
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        const limb *l = &c->limbs[b];
        if (!l->limp)
            continue;
        double speed = length3(l->velocity) + length3(l->spin) * c->ragdoll->bones[b].is.radius;
        fastest = speed > fastest ? speed : fastest;
    }
    double margin = fastest * step;
    return NEAR + (margin < NEAR_MOST ? margin : NEAR_MOST);
}

static graze_status touch(graze_ode *ode, member *m, member *fixed, double margin,
                          graze_error *error)
{
    character *c = m->character;
    size_t hit = SIZE_MAX;
    graze_contact_list found = grazei_ode_start_points(ode);
    graze_status status =
        graze_touch_points(ode->points, c->body, &fixed->shape, (float)margin, &found, error);
    if (!status)
        status = grazei_ode_check_points(ode, &found, error);
    const graze_contact *points = ode->found.items;
    for (size_t i = 0; i < ode->found.count && !status; i++) {
        const graze_contact *point = &points[i];
        uint32_t b = graze_ragdoll_bone_of_part(c->ragdoll, point->parts[0]);
        if (b == GRAZE_NONE || !c->limbs[b].limp)
            continue;
        side sides[2] = {{.of = m,
                          .body = c->limbs[b].body,
                          .mass = c->ragdoll->bones[b].is.mass,
                          .part = point->parts[0],
                          .bone = b},
                         {.of = fixed, .mass = INFINITY, .bone = GRAZE_NONE}};
        dVector3 v;
        dBodyGetPointVel(sides[0].body, point->point[0], point->point[1], point->point[2], v);
        memcpy(sides[0].velocity, v, sizeof sides[0].velocity);
        c->pressed |= point->depth > DEEP || margin > NEAR + MOVES;
        if (hit == SIZE_MAX || i == 0 || point->number != points[i - 1].number)
            status = grazei_ode_put_hit(ode, sides, point, &hit, error);
        if (!status)
            status = grazei_ode_put_contact(ode, sides, point, hit, error);
    }
    return status;
}

graze_status grazei_ode_touch_fixed(graze_ode *ode, graze_error *error)
{
    member *members = ode->members.items;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < ode->members.count && !status; i++) {
        member *m = &members[i];
        if (m->kind != MEMBER_CHARACTER || !m->character->limp_count)
            continue;
        m->character->pressed = false;
        double margin = margin_of(m->character, ode->def.step);
        for (size_t j = 0; j < ode->members.count && !status; j++)
            if (members[j].kind == MEMBER_FIXED && is_near(m->character, &members[j].shape, margin))
                status = touch(ode, m, &members[j], margin, error);
    }
    return status;
}

/* ---- too deep ------------------------------------------------------------------------------- */

/* Moves it, and takes what it weighs more there from its speed. */
static void shift(const graze_ode *ode, character *c, const double by[3])
{
    const graze_ragdoll *ragdoll = c->ragdoll;
    double square = 0, work = 0;
    for (int k = 0; k < 3; k++)
        work -= ragdoll->mass * ode->def.gravity[k] * by[k];
    for (uint32_t b = 0; b < ragdoll->bone_count; b++)
        square += ragdoll->bones[b].is.mass * dot3(c->limbs[b].velocity, c->limbs[b].velocity);
    double left = square > 0 && work > 0 ? 1 - 2 * work / square : 1;
    double slower = left > 0 ? sqrt(left) : 0;
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        const dReal *at = dBodyGetPosition(l->body);
        dBodySetPosition(l->body, at[0] + by[0], at[1] + by[1], at[2] + by[2]);
        for (int k = 0; k < 3; k++) {
            l->now.t[k] += by[k];
            l->velocity[k] *= slower;
        }
        dBodySetLinearVel(l->body, l->velocity[0], l->velocity[1], l->velocity[2]);
    }
}

/* The deepest point of a body in a shape; *depth is 0 if there is none. */
static graze_status find_deepest(graze_ode *ode, const character *c, const graze_shape *shape,
                                 double *depth, double normal[3], graze_error *error)
{
    size_t deepest = 0;
    graze_contact_list found = grazei_ode_start_points(ode);
    graze_status status = graze_touch_points(ode->points, c->body, shape, 0, &found, error);
    if (!status)
        status = grazei_ode_check_points(ode, &found, error);
    *depth = 0;
    if (status || !ode->found.count)
        return status;
    const graze_contact *points = ode->found.items;
    for (size_t i = 1; i < ode->found.count; i++)
        deepest = points[i].depth > points[deepest].depth ? i : deepest;
    *depth = points[deepest].depth;
    for (int k = 0; k < 3; k++)
        normal[k] = points[deepest].normal[k];
    return GRAZE_OK;
}

graze_status grazei_ode_keep_above(graze_ode *ode, character *c, double share, graze_error *error)
{
    const member *members = ode->members.items;
    graze_status status = GRAZE_OK;
    for (size_t j = 0; j < ode->members.count && !status; j++) {
        double depth, by[3];
        if (members[j].kind != MEMBER_FIXED || members[j].shape.kind != GRAZE_HALF_SPACE)
            continue;
        status = find_deepest(ode, c, &members[j].shape, &depth, by, error);
        if (status || !(depth > share * DEEPEST))
            continue;
        for (int k = 0; k < 3; k++)
            by[k] *= depth - share * DEEPEST;
        grazei_ode_raise(c, by);
        status = grazei_ode_character_apply(c, error);
    }
    return status;
}

graze_status grazei_ode_lift(graze_ode *ode, member *m, graze_error *error)
{
    const member *members = ode->members.items;
    character *c = m->character;
    graze_status status = GRAZE_OK;
    if (!c->pressed || c->limp_count < c->ragdoll->bone_count)
        return GRAZE_OK;
    for (size_t j = 0; j < ode->members.count && !status; j++) {
        if (members[j].kind != MEMBER_FIXED || !is_near(c, &members[j].shape, 0))
            continue;
        double depth, by[3];
        status = find_deepest(ode, c, &members[j].shape, &depth, by, error);
        if (status || !(depth > DEEPEST))
            continue;
        for (int k = 0; k < 3; k++)
            by[k] *= depth - DEEPEST;
        shift(ode, c, by);
        status = grazei_ode_character_apply(c, error);
    }
    return status;
}
