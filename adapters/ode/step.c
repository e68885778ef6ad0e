/* One step: who meets whom, what the engine makes of it, and where everybody is then. */
#include "internal.h"

/* The engine writes what it put between bodies where it is told to: when the list no longer grows.
 */
static void ask_for_forces(graze_ode *ode)
{
    touching *all = ode->touching.items;
    for (size_t i = 0; i < ode->touching.count; i++)
        dJointSetFeedback(all[i].joint, &all[i].feedback);
}

static void take_forces(graze_ode *ode)
{
    const touching *all = ode->touching.items;
    graze_ode_hit *hits = ode->hits.items;
    for (size_t i = 0; i < ode->touching.count; i++) {
        const double force[3] = {all[i].feedback.f1[0], all[i].feedback.f1[1],
                                 all[i].feedback.f1[2]};
        hits[all[i].hit].impulse += (float)(dot3(force, all[i].normal) * ode->def.step);
    }
}

/* A hit that did nothing and is apart was only looked at. */
static void leave_out_near_ones(graze_ode *ode)
{
    graze_ode_hit *hits = ode->hits.items;
    size_t used = 0;
    for (size_t i = 0; i < ode->hits.count; i++)
        if (hits[i].contact.depth >= 0 || hits[i].impulse > 0)
            hits[used++] = hits[i];
    ode->hits.count = used;
}

/* ---- energy --------------------------------------------------------------------------------- */

static void add_energy(const graze_ode *ode, dBodyID body, graze_ode_energy *energy)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    const dReal *at = dBodyGetPosition(body), *r = dBodyGetRotation(body);
    double own[3], turned[3];
    for (int k = 0; k < 3; k++) /* the spin in the body's own frame */
        own[k] = r[k] * w[0] + r[4 + k] * w[1] + r[8 + k] * w[2];
    for (int k = 0; k < 3; k++)
        turned[k] =
            mass.I[4 * k] * own[0] + mass.I[4 * k + 1] * own[1] + mass.I[4 * k + 2] * own[2];
    energy->kinetic += 0.5 * mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    energy->kinetic += 0.5 * dot3(own, turned);
    for (int k = 0; k < 3; k++)
        energy->potential -= mass.mass * ode->def.gravity[k] * at[k];
}

static graze_ode_energy energy_of(const graze_ode *ode, const member *m)
{
    graze_ode_energy energy = {0, 0};
    if (m->kind == MEMBER_MOVING)
        add_energy(ode, m->body, &energy);
    for (uint32_t b = 0; m->kind == MEMBER_CHARACTER && b < m->character->ragdoll->bone_count; b++)
        if (m->character->limbs[b].limp)
            add_energy(ode, m->character->limbs[b].body, &energy);
    return energy;
}

/* Whether the caller pulls at a body: by a force, or by a joint that is not its character's. */
static bool is_pulled(dBodyID body, int own_joints)
{
    const dReal *force = dBodyGetForce(body), *torque = dBodyGetTorque(body);
    for (int k = 0; k < 3; k++)
        if (force[k] != 0 || torque[k] != 0)
            return true;
    int joints = 0;
    for (int i = 0; i < dBodyGetNumJoints(body); i++)
        joints += dJointGetType(dBodyGetJoint(body, i)) != dJointTypeContact;
    return joints != own_joints;
}

/* The joints with its parent and of those that hang on it. */
static int joints_of(const character *c, uint32_t number)
{
    int count = (c->limbs[number].joint != NULL) + (c->limbs[number].motor != NULL);
    for (uint32_t b = number + 1; b < c->ragdoll->bone_count; b++)
        if (c->ragdoll->bones[b].is.parent == number)
            count += (c->limbs[b].joint != NULL) + (c->limbs[b].motor != NULL);
    return count;
}

static void note_energy(const graze_ode *ode, member *m)
{
    const character *c = m->character;
    graze_ode_energy energy = energy_of(ode, m);
    m->energy = energy.kinetic + energy.potential;
    if (m->kind == MEMBER_MOVING)
        m->is_pushed |= is_pulled(m->body, 0);
    for (uint32_t b = 0; c && c->limp_count && b < c->ragdoll->bone_count && !m->is_pushed; b++)
        m->is_pushed = c->limbs[b].limp && is_pulled(c->limbs[b].body, joints_of(c, b));
}

static void slow_down(dBodyID body, double share)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    dBodySetLinearVel(body, share * v[0], share * v[1], share * v[2]);
    dBodySetAngularVel(body, share * w[0], share * w[1], share * w[2]);
}

/* Lets it sink by what it won beyond all of its speed: micrometres, of what lies still. */
static void sink(const graze_ode *ode, member *m, double won)
{
    const double *gravity = ode->def.gravity;
    double pull = dot3(gravity, gravity) * m->mass;
    character *c = m->character;
    if (!(pull > 0))
        return;
    for (uint32_t b = 0; b < (c ? c->ragdoll->bone_count : 1); b++) {
        dBodyID body = c ? c->limbs[b].body : m->body;
        const dReal *at = dBodyGetPosition(body);
        double by[3];
        for (int k = 0; k < 3; k++) {
            by[k] = gravity[k] * won / pull;
            if (c)
                c->limbs[b].now.t[k] += by[k];
        }
        dBodySetPosition(body, at[0] + by[0], at[1] + by[1], at[2] + by[2]);
    }
}

/* What takes errors of constraints back adds energy. Where nothing that moves by itself touched a
 * member, and nobody pulled at it, its speed gives back what it won, then its height. *sinks: the
 * pose of a character is another one.
 */
static void keep_energy(const graze_ode *ode, member *m, bool *sinks)
{
    character *c = m->character;
    if (m->is_pushed || (c && c->limp_count < c->ragdoll->bone_count))
        return;
    graze_ode_energy energy = energy_of(ode, m);
    double won = energy.kinetic + energy.potential - m->energy;
    if (!(won > 0))
        return;
    *sinks = won > energy.kinetic;
    if (*sinks)
        sink(ode, m, won - energy.kinetic);
    double share = won < energy.kinetic ? sqrt(1 - won / energy.kinetic) : 0;
    if (m->body)
        slow_down(m->body, share);
    for (uint32_t b = 0; c && b < c->ragdoll->bone_count; b++) {
        slow_down(c->limbs[b].body, share);
        for (int k = 0; k < 3; k++) {
            c->limbs[b].velocity[k] *= share;
            c->limbs[b].spin[k] *= share;
        }
    }
}

static graze_status check_body(const member *m, dBodyID body, const char *part, graze_error *error)
{
    const dReal *at = dBodyGetPosition(body), *v = dBodyGetLinearVel(body);
    for (int k = 0; k < 3; k++)
        if (!(fabs(at[k]) < 1e9) || !(fabs(v[k]) < 1e6))
            return fail(error, GRAZE_BAD_INPUT, "%.60s%s%.60s has flown off: it is at %g, %g, %g",
                        m->name ? m->name : "a member", part ? ": " : "", part ? part : "", at[0],
                        at[1], at[2]);
    return GRAZE_OK;
}

static graze_status move_shape(graze_ode *ode, member *m, graze_error *error)
{
    graze_status status = check_body(m, m->body, NULL, error);
    if (status)
        return status;
    bool sinks = false;
    keep_energy(ode, m, &sinks);
    graze_shape shape = grazei_ode_moved_shape(m);
    return graze_world_set_shape(ode->world, m->id, &shape, error);
}

static graze_status move_character(graze_ode *ode, member *m, graze_error *error)
{
    character *c = m->character;
    graze_status status = GRAZE_OK;
    for (uint32_t b = 0; b < c->ragdoll->bone_count && !status; b++)
        if (c->limbs[b].limp)
            status = check_body(m, c->limbs[b].body, c->ragdoll->bones[b].is.name, error);
    if (!status && c->limp_count) {
        if (!ode->is_taken)
            grazei_ode_take_limbs_back(c);
        ode->is_taken = true;
        status = grazei_ode_character_apply(c, error);
    }
    if (!status && c->limp_count)
        status = grazei_ode_lift(ode, m, error);
    bool sinks = false;
    if (!status && c->limp_count)
        keep_energy(ode, m, &sinks);
    if (!status && sinks)
        status = grazei_ode_character_apply(c, error);
    if (!status && c->recovers) {
        c->recovered += ode->def.step;
        c->recovers = c->recovered < c->recover_seconds;
    }
    return status;
}

static graze_status move_all(graze_ode *ode, graze_error *error)
{
    member *members = ode->members.items;
    graze_status status = GRAZE_OK;
    for (; ode->moved < ode->members.count && !status; ode->moved += !status) {
        member *m = &members[ode->moved];
        if (m->kind == MEMBER_MOVING)
            status = move_shape(ode, m, error);
        if (m->kind == MEMBER_CHARACTER)
            status = move_character(ode, m, error);
        if (m->kind == MEMBER_CHARACTER && !status)
            grazei_ode_character_remember(m->character);
        ode->is_taken &= status != GRAZE_OK;
    }
    return status;
}

static void run_engine(graze_ode *ode)
{
    member *members = ode->members.items;
    for (size_t i = 0; i < ode->members.count; i++) {
        if (members[i].kind == MEMBER_CHARACTER && members[i].character->limp_count)
            grazei_ode_lead_limbs(members[i].character, ode->def.step);
        if (members[i].kind == MEMBER_MOVING) {
            const dReal *at = dBodyGetPosition(members[i].body);
            memcpy(members[i].at_update, at, sizeof members[i].at_update);
        }
        note_energy(ode, &members[i]);
    }
    ask_for_forces(ode);
    dRandSetSeed(ode->def.seed);
    if (!ode->def.direct)
        dWorldQuickStep(ode->engine, ode->def.step);
    else
        dWorldStep(ode->engine, ode->def.step);
    take_forces(ode);
    dJointGroupEmpty(ode->contacts);
}

/* Who meets whom: once, as the world then compares with what it was told here. */
static graze_status update(graze_ode *ode, graze_pool *pool, graze_error *error)
{
    double start = grazei_ode_seconds_now();
    member *members = ode->members.items;
    graze_status status =
        ode->updated ? GRAZE_OK
                     : graze_world_update(ode->world, &(const graze_options){.pool = pool}, error);
    for (size_t i = 0; i < ode->members.count && !status && !ode->updated; i++)
        members[i].put_back = members[i].met_skin = false;
    ode->updated = !status;
    ode->times.world += grazei_ode_seconds_now() - start;
    return status;
}

/* Contacts and the engine. Where something fails the hits of the step before are there again. */
static graze_status find_and_run(graze_ode *ode, graze_error *error)
{
    const list last = ode->hits;
    ode->hits = ode->hits_before;
    ode->hits_before = last;
    ode->hits.count = ode->touching.count = 0;
    double start = grazei_ode_seconds_now();
    graze_status status = grazei_ode_take_events(ode, error);
    if (!status)
        status = grazei_ode_touch_fixed(ode, error);
    double taken = grazei_ode_seconds_now();
    ode->times.contacts += taken - start;
    if (status) {
        dJointGroupEmpty(ode->contacts);
        ode->hits_before = ode->hits;
        ode->hits = last;
        return status;
    }
    run_engine(ode);
    leave_out_near_ones(ode);
    ode->times.engine += grazei_ode_seconds_now() - taken;
    ode->has_run = true;
    ode->moved = 0;
    return GRAZE_OK;
}

graze_status graze_ode_step(graze_ode *ode, graze_pool *pool, graze_error *error)
{
    if (!ode)
        return fail_null(error, "the engine");
    graze_status status = GRAZE_OK;
    if (!ode->has_run)
        status = update(ode, pool, error);
    if (!status && !ode->has_run)
        status = find_and_run(ode, error);
    if (status)
        return status;
    double ran = grazei_ode_seconds_now();
    status = move_all(ode, error);
    ode->times.poses += grazei_ode_seconds_now() - ran;
    if (status == GRAZE_OUT_OF_MEMORY)
        return status;
    ode->updated = ode->has_run = ode->is_taken = false;
    ode->step_count++;
    ode->times.steps++;
    return status;
}

const graze_ode_hit *graze_ode_hits(const graze_ode *ode, size_t *count)
{
    if (count)
        *count = ode ? ode->hits.count : 0;
    return ode && count && ode->hits.count ? ode->hits.items : NULL;
}

graze_status graze_ode_get_energy(const graze_ode *ode, graze_world_id id, graze_ode_energy *energy,
                                  graze_error *error)
{
    const member *m = grazei_ode_find_member(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (!energy)
        return fail_null(error, "where the energy goes");
    *energy = energy_of(ode, m);
    return GRAZE_OK;
}
