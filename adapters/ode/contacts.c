/* From events of the world to contact joints of the engine. */
#include "internal.h"

/* Deeper than this at its first touch a thing that moves is put back to where it met the other. */
#define PUT_BACK_DEPTH 0.002f

/* ---- points --------------------------------------------------------------------------------- */

static bool take_found(void *user, const graze_contact *points, size_t count)
{
    graze_ode *ode = user;
    list *found = &ode->found;
    if (!grazei_ode_reserve(&ode->allocator, found, found->count + count, sizeof *points))
        return false;
    memcpy((graze_contact *)found->items + found->count, points, count * sizeof *points);
    found->count += count;
    return true;
}

graze_contact_list grazei_ode_start_points(graze_ode *ode)
{
    ode->found.count = 0;
    return (graze_contact_list){.report = take_found, .user = ode};
}

graze_status grazei_ode_check_points(const graze_ode *ode, const graze_contact_list *points,
                                     graze_error *error)
{
    return ode->found.count == points->total ? GRAZE_OK : fail_memory(error);
}

/* ---- sides ---------------------------------------------------------------------------------- */

static graze_status find_side(graze_ode *ode, member *m, const graze_contact *point, int which,
                              side *s, graze_error *error)
{
    *s = (side){.of = m, .mass = m->mass, .part = point->parts[which], .bone = GRAZE_NONE};
    if (m->kind == MEMBER_MOVING)
        s->body = m->body;
    if (m->kind == MEMBER_CHARACTER) {
        s->bone = graze_ragdoll_bone_of_part(m->character->ragdoll, s->part);
        if (s->bone != GRAZE_NONE) {
            const limb *l = &m->character->limbs[s->bone];
            s->mass = m->character->ragdoll->bones[s->bone].is.mass;
            s->body = l->limp ? l->body : NULL;
        }
        if (!s->body)
            return grazei_ode_skin_velocity(ode, m, s->part, point->triangles[which], point->point,
                                            s->velocity, error);
    }
    if (s->body) {
        dVector3 v;
        dBodyGetPointVel(s->body, point->point[0], point->point[1], point->point[2], v);
        memcpy(s->velocity, v, sizeof s->velocity);
    }
    return GRAZE_OK;
}

/* ---- hits ----------------------------------------------------------------------------------- */

static const char *part_name(const side *s)
{
    const member *m = s->of;
    if (m->kind != MEMBER_CHARACTER)
        return m->name;
    const char *name = m->character->parts ? graze_part_name(m->character->parts, s->part) : NULL;
    if (name)
        return name;
    return s->bone != GRAZE_NONE ? m->character->ragdoll->bones[s->bone].is.name : NULL;
}

static bool is_same_hit(const graze_ode_hit *x, const graze_ode_hit *y)
{
    return x->ids[0].index == y->ids[0].index && x->ids[1].index == y->ids[1].index &&
           x->ids[0].generation == y->ids[0].generation &&
           x->ids[1].generation == y->ids[1].generation &&
           x->contact.parts[0] == y->contact.parts[0] && x->contact.parts[1] == y->contact.parts[1];
}

static double closing_speed(const side sides[2], const graze_contact *point)
{
    double speed = 0;
    for (int k = 0; k < 3; k++)
        speed -= point->normal[k] * (sides[0].velocity[k] - sides[1].velocity[k]);
    return speed > 0 ? speed : 0;
}

graze_status grazei_ode_put_hit(graze_ode *ode, const side sides[2], const graze_contact *point,
                                size_t *number, graze_error *error)
{
    if (!grazei_ode_reserve(&ode->allocator, &ode->hits, ode->hits.count + 1,
                            sizeof(graze_ode_hit)))
        return fail_memory(error);
    graze_ode_hit *hit = (graze_ode_hit *)ode->hits.items + ode->hits.count;
    const graze_ode_hit *before = ode->hits_before.items;
    *hit = (graze_ode_hit){.begins = true,
                           .ids = {sides[0].of->id, sides[1].of->id},
                           .names = {part_name(&sides[0]), part_name(&sides[1])},
                           .contact = *point,
                           .speed = (float)closing_speed(sides, point)};
    for (int i = 0; i < 2; i++)
        hit->contact.parts[i] = sides[i].part;
    for (size_t i = 0; i < ode->hits_before.count && hit->begins; i++)
        hit->begins = !is_same_hit(hit, &before[i]);
    if (!sides[0].body && !sides[1].body)
        hit->impulse = (float)(hit->speed / (1 / sides[0].mass + 1 / sides[1].mass));
    *number = ode->hits.count++;
    return GRAZE_OK;
}

/* ---- contact joints ------------------------------------------------------------------------- */

/* The direction in which the first slips on the second, or would by what pulls at it: friction
 * along it is Coulomb's, across the engine's pyramid would hold more.
 */
static void slip_direction(const graze_ode *ode, const side *own, const side *other,
                           const double normal[3], double out[3])
{
    double slip[3];
    for (int k = 0; k < 3; k++) {
        slip[k] = own->velocity[k] - other->velocity[k];
        if (!other->body)
            slip[k] += ode->def.step * ode->def.gravity[k];
    }
    double along = dot3(slip, normal);
    for (int k = 0; k < 3; k++)
        out[k] = slip[k] - along * normal[k];
    if (length3(out) > 1e-9 && unit3(out))
        return;
    const double axis[3] = {fabs(normal[0]) < 0.6, fabs(normal[0]) >= 0.6, 0};
    cross3(normal, axis, out);
    unit3(out);
}

static void fill_surface(const graze_ode *ode, const side *own, const side *other,
                         const double normal[3], double depth, dContact *contact)
{
    const graze_ode_material *x = &own->of->material, *y = &other->of->material;
    dSurfaceParameters *surface = &contact->surface;
    double first[3], second[3], rolling = x->rolling > y->rolling ? x->rolling : y->rolling;
    slip_direction(ode, own, other, normal, first);
    cross3(normal, first, second);
    memcpy(contact->fdir1, first, sizeof first);
    surface->mode = dContactFDir1 | dContactApprox1;
    surface->mu = sqrt(x->friction * y->friction);
    if (!other->body) {
        surface->mode |= dContactMotion1 | dContactMotion2 | dContactMotionN;
        surface->motion1 = dot3(first, other->velocity);
        surface->motion2 = dot3(second, other->velocity);
        surface->motionN = dot3(normal, other->velocity);
    }
    if (depth < 0) { /* apart by so much: they may come together by that */
        surface->mode |= dContactMotionN;
        surface->motionN += depth / ode->def.step;
    } else if (x->bounce > 0 || y->bounce > 0) {
        surface->mode |= dContactBounce;
        surface->bounce = x->bounce > y->bounce ? x->bounce : y->bounce;
        surface->bounce_vel = x->bounce_speed > y->bounce_speed ? x->bounce_speed : y->bounce_speed;
    }
    if (rolling > 0) {
        surface->mode |= dContactRolling;
        surface->rho = surface->rho2 = surface->rhoN = rolling;
    }
}

graze_status grazei_ode_put_contact(graze_ode *ode, const side sides[2], const graze_contact *point,
                                    size_t hit, graze_error *error)
{
    bool turned = !sides[0].body;
    const side *own = &sides[turned], *other = &sides[!turned];
    dContact contact;
    double normal[3];
    if (!own->body)
        return GRAZE_OK;
    own->of->is_pushed |= other->of->kind != MEMBER_FIXED;
    other->of->is_pushed |= other->body != NULL;
    if (!grazei_ode_reserve(&ode->allocator, &ode->touching, ode->touching.count + 1,
                            sizeof(touching)))
        return fail_memory(error);
    memset(&contact, 0, sizeof contact);
    for (int k = 0; k < 3; k++) {
        normal[k] = turned ? -(double)point->normal[k] : (double)point->normal[k];
        contact.geom.pos[k] = point->point[k];
    }
    if (!unit3(normal))
        return GRAZE_OK;
    memcpy(contact.geom.normal, normal, sizeof normal);
    contact.geom.depth = point->depth > 0 ? point->depth : 0;
    fill_surface(ode, own, other, normal, point->depth, &contact);
    dJointID joint = dJointCreateContact(ode->engine, ode->contacts, &contact);
    if (!joint)
        return fail_memory(error);
    dJointAttach(joint, own->body, other->body);
    touching *t = (touching *)ode->touching.items + ode->touching.count++;
    *t = (touching){.joint = joint, .hit = hit};
    memcpy(t->normal, normal, sizeof normal);
    ode->times.points++;
    return GRAZE_OK;
}

static bool has_ids(const graze_world_event *x, const graze_world_event *y)
{
    return x->a.index == y->a.index && x->b.index == y->b.index;
}

static bool is_deep(const graze_world_event *event)
{
    for (uint32_t i = 0; i < event->contact_count; i++)
        if (event->contacts[i].depth > PUT_BACK_DEPTH)
            return true;
    return false;
}

/* ---- putting back --------------------------------------------------------------------------- */

/* Whether what moves met something so fast in this event that it went through, or deep into it. */
static bool went_too_far(const graze_ode *ode, const graze_world_event *event,
                         const graze_world_event *next)
{
    bool passed = next && next->kind == GRAZE_EVENT_END && has_ids(event, next);
    const member *a = grazei_ode_member_at(ode, event->a.index);
    const member *b = grazei_ode_member_at(ode, event->b.index);
    return event->kind == GRAZE_EVENT_BEGIN && event->motion != GRAZE_MOTION_DISCRETE &&
           event->time < 1 && event->contact_count && a && b && (passed || is_deep(event));
}

/* The first event of a moving member in which it went too far, in time; NULL if there is none. */
static const graze_world_event *first_meeting(const graze_ode *ode, const member *m,
                                              const graze_world_event *events, size_t count)
{
    const graze_world_event *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const graze_world_event *event = &events[i];
        if ((event->a.index == m->id.index || event->b.index == m->id.index) &&
            (!first || event->time < first->time) &&
            went_too_far(ode, event, i + 1 < count ? event + 1 : NULL))
            first = event;
    }
    return first;
}

/* A shape and the skin of a character, which moves as well: where they first meet, and from there
 * on the skin takes the shape along.
 */
static graze_status meet_skin(graze_ode *ode, member *m, const member *other, double to[3],
                              graze_error *error)
{
    graze_body *before = NULL;
    graze_shape from, now = grazei_ode_moved_shape(m);
    const dReal *at = dBodyGetPosition(m->body);
    const double here[3] = {at[0], at[1], at[2]};
    graze_status status = grazei_ode_pose_shadow(ode, other, &before, error);
    if (status)
        return status;
    dBodySetPosition(m->body, m->at_update[0], m->at_update[1], m->at_update[2]);
    from = grazei_ode_moved_shape(m);
    dBodySetPosition(m->body, here[0], here[1], here[2]);
    const graze_motion skin = {.start = before, .end = other->character->body};
    const graze_motion shape = {.from = &from, .to = &now};
    status = graze_sweep(&skin, &shape, &m->impact, NULL, error);
    if (status || !m->impact.found || m->impact.initial)
        return status;
    double velocity[3], along = 0, left = (1 - m->impact.time) * ode->def.step;
    status = grazei_ode_skin_velocity(ode, other, m->impact.parts[0], m->impact.triangles[0],
                                      m->impact.point, velocity, error);
    for (int k = 0; k < 3; k++)
        along -= velocity[k] * m->impact.normal[k];
    along = along > 0 ? along * left : 0;
    for (int k = 0; k < 3; k++) {
        double carried = -along * m->impact.normal[k];
        to[k] = m->at_update[k] + m->impact.time * (here[k] - m->at_update[k]) + carried;
        m->impact.point[k] += (float)carried;
    }
    m->met_skin = !status && (m->impact.normal[0] != 0 || m->impact.normal[1] != 0 ||
                              m->impact.normal[2] != 0);
    m->met = other->id.index;
    return status;
}

/* What went through something, or deep into it, goes back to where it first met it. */
static graze_status put_back(graze_ode *ode, member *m, const graze_world_event *event,
                             graze_error *error)
{
    bool is_a = event->a.index == m->id.index;
    const member *other = grazei_ode_member_at(ode, is_a ? event->b.index : event->a.index);
    const dReal *at = dBodyGetPosition(m->body);
    double to[3];
    graze_status status = GRAZE_OK;
    for (int k = 0; k < 3; k++)
        to[k] = m->at_update[k] + event->time * (at[k] - m->at_update[k]);
    if (other->kind == MEMBER_CHARACTER && event->level == GRAZE_LEVEL_EXACT)
        status = meet_skin(ode, m, other, to, error);
    if (status)
        return status;
    dBodySetPosition(m->body, to[0], to[1], to[2]);
    m->put_back = true;
    graze_shape shape = grazei_ode_moved_shape(m);
    return graze_world_teleport_shape(ode->world, m->id, &shape, error);
}

/* ---- events --------------------------------------------------------------------------------- */

/* The contact at which a shape first met a skin, instead of those that are there now. */
static graze_contact first_contact(const member *m, bool is_a)
{
    const graze_impact *impact = &m->impact;
    graze_contact point = {.triangles = {UINT32_MAX, UINT32_MAX}};
    point.triangles[is_a] = impact->triangles[0];
    point.parts[is_a] = impact->parts[0];
    for (int k = 0; k < 3; k++) {
        point.point[k] = impact->point[k];
        point.normal[k] = is_a ? -impact->normal[k] : impact->normal[k];
    }
    return point;
}

static graze_status take_points(graze_ode *ode, member *both[2], const graze_contact *points,
                                size_t count, bool touches, graze_error *error)
{
    size_t hit = 0;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < count && !status; i++) {
        graze_contact point = points[i];
        side sides[2];
        if (touches)
            point.depth = 0;
        for (int k = 0; k < 2 && !status; k++)
            status = find_side(ode, both[k], &point, k, &sides[k], error);
        if (!status && (i == 0 || points[i].number != points[i - 1].number))
            status = grazei_ode_put_hit(ode, sides, &point, &hit, error);
        if (!status)
            status = grazei_ode_put_contact(ode, sides, &point, hit, error);
    }
    return status;
}

static graze_status take_event(graze_ode *ode, const graze_world_event *event, graze_error *error)
{
    member *both[2] = {grazei_ode_find_member(ode, event->a, NULL),
                       grazei_ode_find_member(ode, event->b, NULL)};
    if (event->kind == GRAZE_EVENT_END || !event->contact_count || !both[0] || !both[1])
        return GRAZE_OK;
    if (both[0]->kind == MEMBER_FIXED && both[1]->kind != MEMBER_MOVING)
        return GRAZE_OK; /* of limp characters ground.c sees to it */
    if (both[1]->kind == MEMBER_FIXED && both[0]->kind != MEMBER_MOVING)
        return GRAZE_OK;
    for (int k = 0; k < 2; k++)
        if (both[k]->met_skin && both[k]->met == both[!k]->id.index) {
            graze_contact point = first_contact(both[k], k == 0);
            return take_points(ode, both, &point, 1, true, error);
        }
    bool is_back = both[0]->put_back || both[1]->put_back;
    graze_contact_list points = grazei_ode_start_points(ode);
    graze_status status = graze_contact_points(ode->points, ode->world, event,
                                               is_back ? PUT_BACK_DEPTH : 0, &points, error);
    if (!status)
        status = grazei_ode_check_points(ode, &points, error);
    return status ? status
                  : take_points(ode, both, ode->found.items, ode->found.count, is_back, error);
}

graze_status grazei_ode_take_events(graze_ode *ode, graze_error *error)
{
    size_t count;
    const graze_world_event *events = graze_world_events(ode->world, &count);
    member *members = ode->members.items;
    graze_status status = GRAZE_OK;
    for (size_t i = 0; i < ode->members.count && !status; i++) {
        member *m = &members[i];
        m->is_pushed = false;
        if (m->kind != MEMBER_MOVING || m->put_back)
            continue;
        const graze_world_event *event = first_meeting(ode, m, events, count);
        if (event)
            status = put_back(ode, m, event, error);
    }
    for (size_t i = 0; i < count && !status; i++)
        status = take_event(ode, &events[i], error);
    return status;
}
