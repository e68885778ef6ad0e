/* Bones in the engine: from the clip to physics, and back. */
#include "internal.h"

/* How much of what a joint is beyond its limit a step takes back: more than of other errors, as
 * limits are what is seen.
 */
#define STOP_ERP 0.6

/* ---- going limp ----------------------------------------------------------------------------- */

static bool make_body(graze_ode *ode, character *c, uint32_t number)
{
    const graze_ragdoll_bone *is = &c->ragdoll->bones[number].is;
    limb *l = &c->limbs[number];
    dMass mass;
    if (l->body)
        return true;
    l->body = dBodyCreate(ode->engine);
    if (!l->body)
        return false;
    const double *i = is->inertia;
    dMassSetParameters(&mass, is->mass, 0, 0, 0, i[0], i[4], i[8], i[1], i[2], i[5]);
    dBodySetMass(l->body, &mass);
    dBodySetFiniteRotationMode(l->body, 1);
    dBodySetAutoDisableFlag(l->body, 0);
    grazei_ode_place_body(l->body, &l->now, is->centre);
    return true;
}

static void set_stops(dJointID motor, int axis, double low, double high, double friction)
{
    int group = axis * (dParamLoStop2 - dParamLoStop);
    /* the low one twice: the engine refuses it while it is above the high one */
    dJointSetAMotorParam(motor, dParamLoStop + group, low);
    dJointSetAMotorParam(motor, dParamHiStop + group, high);
    dJointSetAMotorParam(motor, dParamLoStop + group, low);
    dJointSetAMotorParam(motor, dParamStopERP + group, STOP_ERP);
    dJointSetAMotorParam(motor, dParamVel + group, 0);
    dJointSetAMotorParam(motor, dParamFMax + group, friction);
}

static void make_ball(graze_ode *ode, limb *l, dBodyID parent, const graze_ragdoll_bone *is)
{
    l->joint = dJointCreateBall(ode->engine, 0);
    dJointAttach(l->joint, parent, l->body);
    dJointSetBallAnchor(l->joint, is->anchor[0], is->anchor[1], is->anchor[2]);
    l->motor = dJointCreateAMotor(ode->engine, 0);
    dJointAttach(l->motor, parent, l->body);
    dJointSetAMotorMode(l->motor, dAMotorEuler);
    dJointSetAMotorAxis(l->motor, 0, 1, is->axis[0], is->axis[1], is->axis[2]);
    dJointSetAMotorAxis(l->motor, 2, 2, is->twist[0], is->twist[1], is->twist[2]);
    for (int k = 0; k < 3; k++) /* the engine counts these angles left-handed */
        set_stops(l->motor, k, -is->high[k], -is->low[k], is->friction);
}

static void make_hinge(graze_ode *ode, limb *l, dBodyID parent, const graze_ragdoll_bone *is)
{
    l->joint = dJointCreateHinge(ode->engine, 0);
    dJointAttach(l->joint, l->body, parent);
    dJointSetHingeAnchor(l->joint, is->anchor[0], is->anchor[1], is->anchor[2]);
    dJointSetHingeAxis(l->joint, is->axis[0], is->axis[1], is->axis[2]);
    dJointSetHingeParam(l->joint, dParamLoStop, is->low[0]);
    dJointSetHingeParam(l->joint, dParamHiStop, is->high[0]);
    dJointSetHingeParam(l->joint, dParamLoStop, is->low[0]);
    dJointSetHingeParam(l->joint, dParamStopERP, STOP_ERP);
    dJointSetHingeParam(l->joint, dParamVel, 0);
    dJointSetHingeParam(l->joint, dParamFMax, is->friction);
}

/* A joint takes anchor and axes from where bodies stand: they are put to rest for it. */
static void make_joint(graze_ode *ode, character *c, uint32_t number)
{
    const graze_ragdoll_bone *is = &c->ragdoll->bones[number].is;
    limb *l = &c->limbs[number];
    const map rest = identity_map();
    if (is->parent == GRAZE_NONE || l->joint)
        return;
    limb *above = &c->limbs[is->parent];
    const double *centre = c->ragdoll->bones[is->parent].is.centre;
    grazei_ode_place_body(l->body, &rest, is->centre);
    grazei_ode_place_body(above->body, &rest, centre);
    if (is->kind == GRAZE_RAGDOLL_HINGE)
        make_hinge(ode, l, above->body, is);
    else
        make_ball(ode, l, above->body, is);
    grazei_ode_place_body(l->body, &l->now, is->centre);
    grazei_ode_place_body(above->body, &above->now, centre);
}

static bool hangs_on(const graze_ragdoll *ragdoll, uint32_t b, uint32_t top)
{
    while (b != GRAZE_NONE && b != top)
        b = ragdoll->bones[b].is.parent;
    return b == top;
}

graze_status graze_ode_go_limp(graze_ode *ode, graze_world_id id, uint32_t top, graze_error *error)
{
    member *m = grazei_ode_find_character(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    character *c = m->character;
    const graze_ragdoll *ragdoll = c->ragdoll;
    if (top != GRAZE_NONE && top >= ragdoll->bone_count)
        return fail(error, GRAZE_BAD_INPUT, "there is no bone %u: the ragdoll has %u", top,
                    ragdoll->bone_count);
    top = top == GRAZE_NONE ? 0 : top;
    c->recovers = false;
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        uint32_t parent = ragdoll->bones[b].is.parent;
        if (l->limp || !hangs_on(ragdoll, b, top))
            continue;
        if (!make_body(ode, c, b) || (parent != GRAZE_NONE && !make_body(ode, c, parent)))
            return fail_memory(error);
        if (parent != GRAZE_NONE && !c->limbs[parent].limp)
            dBodySetKinematic(c->limbs[parent].body);
        l->limp = true;
        c->limp_count++;
        dBodySetDynamic(l->body);
        dBodySetLinearVel(l->body, l->velocity[0], l->velocity[1], l->velocity[2]);
        dBodySetAngularVel(l->body, l->spin[0], l->spin[1], l->spin[2]);
        make_joint(ode, c, b);
    }
    return GRAZE_OK;
}

/* ---- while it is limp ----------------------------------------------------------------------- */

void grazei_ode_lead_limbs(character *c, double seconds)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        const double *centre = c->ragdoll->bones[b].is.centre;
        double from[3], to[3], before[4], now[4], spin[3];
        if (!l->body || l->limp)
            continue;
        apply(&l->before, centre, from);
        apply(&l->now, centre, to);
        quaternion_of(l->before.r, before);
        quaternion_of(l->now.r, now);
        turn_between(before, now, spin);
        grazei_ode_place_body(l->body, &l->before, centre);
        dBodySetLinearVel(l->body, (to[0] - from[0]) / seconds, (to[1] - from[1]) / seconds,
                          (to[2] - from[2]) / seconds);
        dBodySetAngularVel(l->body, spin[0] / seconds, spin[1] / seconds, spin[2] / seconds);
    }
}

/* Bones hang together to the last bit, whatever the engine's joints gave way: each goes to where
 * its parent holds it, turned as the engine has it, and the centre of mass of all stays.
 */
void grazei_ode_take_limbs_back(character *c)
{
    const graze_ragdoll *ragdoll = c->ragdoll;
    double before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        const graze_ragdoll_bone *is = &ragdoll->bones[b].is;
        limb *l = &c->limbs[b];
        double held[3], turned[3], centre[3];
        if (!l->limp)
            continue;
        const dReal *at = dBodyGetPosition(l->body);
        l->now = grazei_ode_body_map(l->body, is->centre);
        if (is->parent != GRAZE_NONE) {
            apply(&c->limbs[is->parent].now, is->anchor, held);
            turn3(l->now.r, is->anchor, turned);
            for (int k = 0; k < 3; k++)
                l->now.t[k] = held[k] - turned[k];
        }
        apply(&l->now, is->centre, centre);
        for (int k = 0; k < 3; k++) {
            before[k] += is->mass * at[k];
            after[k] += is->mass * centre[k];
        }
    }
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        const dReal *v, *w;
        if (!l->limp)
            continue;
        for (int k = 0; k < 3 && c->limbs[0].limp; k++)
            l->now.t[k] += (before[k] - after[k]) / ragdoll->mass;
        double centre[3];
        apply(&l->now, ragdoll->bones[b].is.centre, centre);
        dBodySetPosition(l->body, centre[0], centre[1], centre[2]);
        v = dBodyGetLinearVel(l->body);
        w = dBodyGetAngularVel(l->body);
        for (int k = 0; k < 3; k++) {
            l->velocity[k] = v[k];
            l->spin[k] = w[k];
        }
    }
}

/* ---- back to clips -------------------------------------------------------------------------- */

void grazei_ode_drop_limbs(character *c)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        if (l->joint)
            dJointDestroy(l->joint);
        if (l->motor)
            dJointDestroy(l->motor);
        l->joint = l->motor = NULL;
        l->limp = false;
    }
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        if (c->limbs[b].body)
            dBodyDestroy(c->limbs[b].body);
        c->limbs[b].body = NULL;
    }
    c->limp_count = 0;
}

graze_status graze_ode_recover(graze_ode *ode, graze_world_id id, double seconds,
                               graze_error *error)
{
    member *m = grazei_ode_find_character(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (!(seconds >= 0 && seconds < 1e6))
        return fail(error, GRAZE_BAD_INPUT, "a character recovers within %g seconds", seconds);
    character *c = m->character;
    if (!c->limp_count)
        return fail(error, GRAZE_BAD_INPUT, "%.60s is not limp", m->name ? m->name : "a character");
    memcpy(c->frozen, c->locals, c->node_count * sizeof *c->frozen);
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++)
        c->limbs[b].frozen = c->limbs[b].now;
    grazei_ode_drop_limbs(c);
    c->recover_seconds = seconds;
    c->recovered = 0;
    c->recovers = seconds > 0;
    return GRAZE_OK;
}

graze_ode_state graze_ode_get_state(const graze_ode *ode, graze_world_id id)
{
    const member *m = grazei_ode_find_character(ode, id, NULL);
    if (!m)
        return GRAZE_ODE_FOLLOWS;
    const character *c = m->character;
    return c->limp_count == c->ragdoll->bone_count ? GRAZE_ODE_LIMP
           : c->limp_count                         ? GRAZE_ODE_PARTLY_LIMP
           : c->recovers                           ? GRAZE_ODE_RECOVERS
                                                   : GRAZE_ODE_FOLLOWS;
}

graze_status graze_ode_lying(const graze_ode *ode, graze_world_id id, graze_ode_lie *lie,
                             graze_error *error)
{
    const member *m = grazei_ode_find_character(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (!lie)
        return fail_null(error, "where the answer goes");
    const character *c = m->character;
    const double ahead[3] = {0, 0, 1}, up[3] = {0, 1, 0};
    double faces[3], head[3], way[3], fastest = 0;
    apply(&c->limbs[0].now, c->ragdoll->bones[0].is.anchor, lie->at);
    turn3(c->limbs[0].now.r, ahead, faces);
    turn3(c->limbs[0].now.r, up, head);
    lie->face_down = faces[1] < 0;
    /* who sits up from the back looks to where the feet are, from the face to where the head is */
    for (int k = 0; k < 3; k++)
        way[k] = fabs(head[1]) > 0.7 ? faces[k] : lie->face_down ? head[k] : -head[k];
    lie->turn = atan2(way[0], way[2]) * 57.29577951308232;
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        double speed = length3(c->limbs[b].velocity);
        fastest = speed > fastest ? speed : fastest;
    }
    lie->speed = fastest;
    return GRAZE_OK;
}
