/* Who is in both worlds. */
#include "internal.h"

member *grazei_ode_member_at(const graze_ode *ode, uint32_t index)
{
    member *members = ode->members.items;
    return index < ode->members.count && members[index].kind != MEMBER_FREE ? &members[index]
                                                                            : NULL;
}

member *grazei_ode_find_member(const graze_ode *ode, graze_world_id id, graze_error *error)
{
    if (!ode) {
        fail_null(error, "the engine");
        return NULL;
    }
    member *m = grazei_ode_member_at(ode, id.index);
    if (m && m->id.generation == id.generation)
        return m;
    fail(error, GRAZE_BAD_INPUT, "id %u.%u is not a member", id.index, id.generation);
    return NULL;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static graze_status check_def(const graze_ode_member_def *def, graze_error *error)
{
    const graze_ode_material *material = &def->material;
    const char *name = def->name ? def->name : "member";
    if (!(material->friction >= 0 && material->friction < 1e6) ||
        !(material->bounce >= 0 && material->bounce <= 1) ||
        !(material->bounce_speed >= 0 && material->bounce_speed < 1e6) ||
        !(material->rolling >= 0 && material->rolling < 1e6))
        return fail(error, GRAZE_BAD_INPUT,
                    "%.60s: friction %g, bounce %g (0 to 1), bounce_speed %g or rolling %g is out "
                    "of range",
                    name, material->friction, material->bounce, material->bounce_speed,
                    material->rolling);
    if (!(def->mass >= 0 && def->mass < 1e9))
        return fail(error, GRAZE_BAD_INPUT, "%.60s has a mass of %g kg", name, def->mass);
    for (int k = 0; k < 3; k++)
        if (!(fabs(def->velocity[k]) < 1e6) || !(fabs(def->spin[k]) < 1e6))
            return fail(error, GRAZE_BAD_INPUT, "%.60s has a velocity or spin out of range", name);
    return check_reserved(def->reserved, sizeof def->reserved, error);
}

/* A material with the numbers that zeros stand for. */
static graze_ode_material filled(graze_ode_material material)
{
    if (material.frictionless)
        material.friction = 0;
    else if (material.friction == 0)
        material.friction = 0.6;
    if (material.bounce_speed == 0)
        material.bounce_speed = 0.1;
    return material;
}

/* Room for a member at every index that the world has. */
static graze_status put_member(graze_ode *ode, const member *made, graze_error *error)
{
    uint32_t index = made->id.index;
    if (!grazei_ode_reserve(&ode->allocator, &ode->members, (size_t)index + 1, sizeof(member)))
        return fail_memory(error);
    if (ode->members.count <= index)
        ode->members.count = (size_t)index + 1;
    ((member *)ode->members.items)[index] = *made;
    return GRAZE_OK;
}

static void middle_of(const graze_shape *shape, double centre[3])
{
    for (int k = 0; k < 3; k++)
        centre[k] = shape->kind == GRAZE_SPHERE ? (double)shape->as.sphere.centre[k]
                    : shape->kind == GRAZE_BOX
                        ? (double)shape->as.box.centre[k]
                        : 0.5 * ((double)shape->as.capsule.p[k] + shape->as.capsule.q[k]);
}

/* The shape about its own centre. */
static graze_shape centred(const graze_shape *shape, const double centre[3])
{
    graze_shape s = *shape;
    for (int k = 0; k < 3; k++)
        if (shape->kind == GRAZE_SPHERE) {
            s.as.sphere.centre[k] = 0;
        } else if (shape->kind == GRAZE_BOX) {
            s.as.box.centre[k] = 0;
        } else {
            s.as.capsule.p[k] = (float)(shape->as.capsule.p[k] - centre[k]);
            s.as.capsule.q[k] = (float)(shape->as.capsule.q[k] - centre[k]);
        }
    return s;
}

/* The mass of a shape, evenly filled, turned as it is. */
static bool mass_of_shape(const graze_shape *shape, double mass, dMass *out)
{
    if (shape->kind == GRAZE_SPHERE) {
        if (!(shape->as.sphere.radius > 0))
            return false;
        dMassSetSphereTotal(out, mass, shape->as.sphere.radius);
        return true;
    }
    dMatrix3 turn;
    if (shape->kind == GRAZE_BOX) {
        const graze_box *box = &shape->as.box;
        if (!(box->half[0] > 0 && box->half[1] > 0 && box->half[2] > 0))
            return false;
        dMassSetBoxTotal(out, mass, 2.0 * box->half[0], 2.0 * box->half[1], 2.0 * box->half[2]);
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 4; i++)
                turn[4 * k + i] = i < 3 ? box->axes[i][k] : 0;
        dMassRotate(out, turn);
        return true;
    }
    const graze_capsule *capsule = &shape->as.capsule;
    double z[3], length = 0;
    for (int k = 0; k < 3; k++)
        z[k] = (double)capsule->q[k] - capsule->p[k];
    length = length3(z);
    if (!(capsule->radius > 0))
        return false;
    if (!(length > 1e-9)) {
        dMassSetSphereTotal(out, mass, capsule->radius);
        return true;
    }
    dMassSetCapsuleTotal(out, mass, 3, capsule->radius, length);
    dRFromZAxis(turn, z[0], z[1], z[2]);
    dMassRotate(out, turn);
    return true;
}

static graze_status make_moving(graze_ode *ode, member *m, const graze_shape *shape,
                                const graze_ode_member_def *def, graze_error *error)
{
    dMass mass;
    double centre[3];
    if (shape->kind == GRAZE_HALF_SPACE)
        return fail(error, GRAZE_BAD_INPUT, "a half-space has no mass: it is fixed");
    if (!mass_of_shape(shape, def->mass, &mass))
        return fail(error, GRAZE_BAD_INPUT, "%.60s has a mass and no volume",
                    def->name ? def->name : "a shape");
    middle_of(shape, centre);
    m->kind = MEMBER_MOVING;
    m->mass = def->mass;
    m->shape = centred(shape, centre);
    m->body = dBodyCreate(ode->engine);
    memcpy(m->at_update, centre, sizeof centre);
    dBodySetMass(m->body, &mass);
    dBodySetPosition(m->body, centre[0], centre[1], centre[2]);
    dBodySetLinearVel(m->body, def->velocity[0], def->velocity[1], def->velocity[2]);
    dBodySetAngularVel(m->body, def->spin[0], def->spin[1], def->spin[2]);
    return GRAZE_OK;
}

graze_status graze_ode_add_shape(graze_ode *ode, const graze_shape *shape,
                                 const graze_ode_member_def *def, graze_world_id *id,
                                 graze_error *error)
{
    const graze_ode_member_def plain = {0};
    def = def ? def : &plain;
    if (!ode || !shape || !id)
        return fail_null(error, !ode ? "the engine" : !shape ? "the shape" : "id");
    graze_status status = check_def(def, error);
    graze_world_member_def in_world = {0};
    in_world.category = def->category;
    in_world.user_data = def->user_data;
    member made = {.kind = MEMBER_FIXED,
                   .name = def->name,
                   .user_data = def->user_data,
                   .material = filled(def->material),
                   .shape = *shape,
                   .mass = INFINITY};
    if (!status)
        status = graze_world_add_shape(ode->world, shape, &in_world, &made.id, error);
    if (status)
        return status;
    if (def->mass > 0)
        status = make_moving(ode, &made, shape, def, error);
    if (!status)
        status = put_member(ode, &made, error);
    if (status) {
        if (made.body)
            dBodyDestroy(made.body);
        graze_world_remove(ode->world, made.id, NULL);
        return status;
    }
    *id = made.id;
    return GRAZE_OK;
}

map grazei_ode_body_map(dBodyID body, const double centre[3])
{
    const dReal *r = dBodyGetRotation(body), *at = dBodyGetPosition(body);
    map m;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m.r[3 * i + j] = r[4 * i + j];
    turn3(m.r, centre, m.t);
    for (int k = 0; k < 3; k++)
        m.t[k] = at[k] - m.t[k];
    return m;
}

void grazei_ode_place_body(dBodyID body, const map *from_rest, const double centre[3])
{
    double q[4], at[3];
    quaternion_of(from_rest->r, q);
    apply(from_rest, centre, at);
    const dQuaternion turned = {q[3], q[0], q[1], q[2]};
    dBodySetPosition(body, at[0], at[1], at[2]);
    dBodySetQuaternion(body, turned);
}

graze_shape grazei_ode_moved_shape(const member *m)
{
    static const double middle[3] = {0, 0, 0};
    map at = grazei_ode_body_map(m->body, middle);
    graze_shape s = m->shape;
    double from[3], to[3];
    if (s.kind == GRAZE_CAPSULE) {
        for (int k = 0; k < 3; k++) {
            from[k] = m->shape.as.capsule.p[k];
            to[k] = m->shape.as.capsule.q[k];
        }
        apply(&at, from, from);
        apply(&at, to, to);
    }
    for (int i = 0; i < 3; i++) {
        if (s.kind == GRAZE_SPHERE)
            s.as.sphere.centre[i] = (float)at.t[i];
        if (s.kind == GRAZE_CAPSULE) {
            s.as.capsule.p[i] = (float)from[i];
            s.as.capsule.q[i] = (float)to[i];
        }
        if (s.kind == GRAZE_BOX) {
            double axis[3] = {m->shape.as.box.axes[i][0], m->shape.as.box.axes[i][1],
                              m->shape.as.box.axes[i][2]};
            turn3(at.r, axis, axis);
            s.as.box.centre[i] = (float)at.t[i];
            for (int k = 0; k < 3; k++)
                s.as.box.axes[i][k] = (float)axis[k];
        }
    }
    return s;
}

graze_status graze_ode_move_fixed(graze_ode *ode, graze_world_id id, const graze_shape *shape,
                                  graze_error *error)
{
    member *m = grazei_ode_find_member(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (m->kind != MEMBER_FIXED)
        return fail(error, GRAZE_BAD_INPUT, "id %u.%u is not fixed", id.index, id.generation);
    graze_status status = graze_world_set_shape(ode->world, id, shape, error);
    if (!status)
        m->shape = *shape;
    return status;
}

/* ---- characters ----------------------------------------------------------------------------- */

member *grazei_ode_find_character(const graze_ode *ode, graze_world_id id, graze_error *error)
{
    member *m = grazei_ode_find_member(ode, id, error);
    if (m && m->kind != MEMBER_CHARACTER) {
        fail(error, GRAZE_BAD_INPUT, "id %u.%u is a shape, not a character", id.index,
             id.generation);
        return NULL;
    }
    return m;
}

graze_status graze_ode_add_character(graze_ode *ode, const graze_ode_character_def *def,
                                     graze_world_id *id, graze_error *error)
{
    const graze_ode_member_def plain = {0};
    if (!ode || !def || !id)
        return fail_null(error, !ode ? "the engine" : !def ? "the def" : "id");
    if (!def->ragdoll || !def->model)
        return fail_null(error, !def->ragdoll ? "the ragdoll" : "the model");
    const graze_ode_member_def *own = def->member ? def->member : &plain;
    member made = {.kind = MEMBER_CHARACTER,
                   .name = own->name,
                   .user_data = own->user_data,
                   .material = filled(own->material),
                   .mass = def->ragdoll->mass};
    graze_status status = check_def(own, error);
    if (!status)
        status = grazei_ode_character_create(ode, def, &made.character, error);
    if (status)
        return status;
    graze_world_member_def in_world = {0};
    in_world.category = own->category;
    in_world.user_data = own->user_data;
    in_world.hitboxes = def->hitboxes;
    status = graze_world_add_body(ode->world, made.character->body, &in_world, &made.id, error);
    if (!status) {
        status = put_member(ode, &made, error);
        if (status)
            graze_world_remove(ode->world, made.id, NULL);
    }
    if (status)
        grazei_ode_character_destroy(ode, made.character);
    else
        *id = made.id;
    return status;
}

graze_status graze_ode_remove(graze_ode *ode, graze_world_id id, graze_error *error)
{
    member *m = grazei_ode_find_member(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    graze_status status = graze_world_remove(ode->world, id, error);
    if (status)
        return status;
    if (m->body)
        dBodyDestroy(m->body);
    if (m->character)
        grazei_ode_character_destroy(ode, m->character);
    *m = (member){.kind = MEMBER_FREE};
    return GRAZE_OK;
}

double graze_ode_mass(const graze_ode *ode, graze_world_id id)
{
    const member *m = grazei_ode_find_member(ode, id, NULL);
    return m ? m->mass : 0;
}

/* ---- motions -------------------------------------------------------------------------------- */

/* The engine's body, and where its centre of mass was at rest (of a shape: at its own origin). */
static dBodyID moving_body(const graze_ode *ode, graze_world_id id, uint32_t bone,
                           graze_error *error)
{
    const member *m = grazei_ode_find_member(ode, id, error);
    if (!m)
        return NULL;
    if (m->kind == MEMBER_MOVING && bone == 0)
        return m->body;
    if (m->kind == MEMBER_CHARACTER && bone < m->character->ragdoll->bone_count &&
        m->character->limbs[bone].limp)
        return m->character->limbs[bone].body;
    fail(error, GRAZE_BAD_INPUT, "id %u.%u, bone %u is not moved by the engine", id.index,
         id.generation, bone);
    return NULL;
}

graze_status graze_ode_push(graze_ode *ode, graze_world_id id, uint32_t bone, const double point[3],
                            const double impulse[3], graze_error *error)
{
    dBodyID body = moving_body(ode, id, bone, error);
    if (!body)
        return GRAZE_BAD_INPUT;
    if (!point || !impulse)
        return fail_null(error, point ? "the impulse" : "the point");
    for (int k = 0; k < 3; k++)
        if (!(fabs(point[k]) < 1e9) || !(fabs(impulse[k]) < 1e9))
            return fail(error, GRAZE_BAD_INPUT, "a push has numbers that are out of range");
    double per = 1 / ode->def.step; /* a force for one step */
    dBodyAddForceAtPos(body, per * impulse[0], per * impulse[1], per * impulse[2], point[0],
                       point[1], point[2]);
    return GRAZE_OK;
}

struct dxBody *graze_ode_engine_body(const graze_ode *ode, graze_world_id id, uint32_t bone)
{
    return moving_body(ode, id, bone, NULL);
}

graze_status graze_ode_get_motion(const graze_ode *ode, graze_world_id id, uint32_t bone,
                                  graze_ode_motion *motion, graze_error *error)
{
    dBodyID body = moving_body(ode, id, bone, error);
    if (!body)
        return GRAZE_BAD_INPUT;
    if (!motion)
        return fail_null(error, "the motion");
    const dReal *at = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
    for (int k = 0; k < 3; k++) {
        motion->position[k] = at[k];
        motion->rotation[k] = q[k + 1];
        motion->velocity[k] = v[k];
        motion->spin[k] = w[k];
    }
    motion->rotation[3] = q[0];
    return GRAZE_OK;
}

graze_status graze_ode_set_motion(graze_ode *ode, graze_world_id id, uint32_t bone,
                                  const graze_ode_motion *motion, graze_error *error)
{
    dBodyID body = moving_body(ode, id, bone, error);
    if (!body)
        return GRAZE_BAD_INPUT;
    if (!motion)
        return fail_null(error, "the motion");
    double square = 0;
    for (int k = 0; k < 4; k++)
        square += motion->rotation[k] * motion->rotation[k];
    for (int k = 0; k < 3; k++)
        if (!(fabs(motion->position[k]) < 1e9) || !(fabs(motion->velocity[k]) < 1e6) ||
            !(fabs(motion->spin[k]) < 1e6) || !(fabs(square - 1) < 1e-3))
            return fail(
                error, GRAZE_BAD_INPUT,
                "a motion has numbers that are out of range, or a rotation not of length 1");
    double q[4];
    memcpy(q, motion->rotation, sizeof q);
    unit_quaternion(q);
    const dQuaternion turned = {q[3], q[0], q[1], q[2]};
    dBodySetPosition(body, motion->position[0], motion->position[1], motion->position[2]);
    dBodySetQuaternion(body, turned);
    dBodySetLinearVel(body, motion->velocity[0], motion->velocity[1], motion->velocity[2]);
    dBodySetAngularVel(body, motion->spin[0], motion->spin[1], motion->spin[2]);
    member *m = grazei_ode_member_at(ode, id.index);
    if (m->kind != MEMBER_MOVING)
        return GRAZE_OK;
    graze_shape shape = grazei_ode_moved_shape(m);
    memcpy(m->at_update, motion->position, sizeof m->at_update);
    return graze_world_teleport_shape(ode->world, id, &shape, error);
}
