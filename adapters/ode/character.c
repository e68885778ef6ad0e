/* Characters that follow clips: their poses, their bones, and how fast their skin moves. */
#include "internal.h"

/* ---- maps of nodes -------------------------------------------------------------------------- */

static map local_map(const graze_rig_node *node, const graze_rig_local *local)
{
    map m;
    if (node->has_matrix)
        return map_of_rows(node->matrix);
    rotation_of(local->rotation, m.r);
    for (int i = 0; i < 9; i++)
        m.r[i] *= local->scale[i % 3];
    memcpy(m.t, local->translation, sizeof m.t);
    return m;
}

/* Maps of all nodes in model space, from its locals. */
static void find_globals(character *c, const graze_rig_local *locals)
{
    const graze_rig *rig = c->ragdoll->rig;
    for (uint32_t i = 0; i < rig->node_count; i++) {
        uint32_t n = c->ragdoll->order[i], parent = rig->nodes[n].parent;
        map own = local_map(&rig->nodes[n], &locals[n]);
        c->globals[n] = parent == GRAZE_NONE ? own : join(&c->globals[parent], &own);
    }
}

/* Makes a node stand where a map in model space says; its parent's map is found already. */
static void set_global(character *c, uint32_t node, const map *global)
{
    uint32_t parent = c->ragdoll->rig->nodes[node].parent;
    map back = parent == GRAZE_NONE ? identity_map() : inverse(&c->globals[parent]);
    map local = join(&back, global);
    double r[9];
    nearest_rotation(local.r, r, NULL);
    quaternion_of(r, c->locals[node].rotation);
    memcpy(c->locals[node].translation, local.t, sizeof local.t);
    map own = local_map(&c->ragdoll->rig->nodes[node], &c->locals[node]);
    c->globals[node] = parent == GRAZE_NONE ? own : join(&c->globals[parent], &own);
}

/* Locals of limp bones from where they are; of all others c->locals stands already. */
static void set_limp_locals(character *c)
{
    const graze_ragdoll *ragdoll = c->ragdoll;
    map back = inverse(&c->placement);
    for (uint32_t i = 0; i < ragdoll->rig->node_count; i++) {
        uint32_t n = ragdoll->order[i], b = ragdoll->bone_of_node[n];
        uint32_t parent = ragdoll->rig->nodes[n].parent;
        if (b != GRAZE_NONE && c->limbs[b].limp) {
            map in_model = join(&back, &c->limbs[b].now);
            map global = join(&in_model, &ragdoll->bones[b].bind);
            set_global(c, n, &global);
            continue;
        }
        map own = local_map(&ragdoll->rig->nodes[n], &c->locals[n]);
        c->globals[n] = parent == GRAZE_NONE ? own : join(&c->globals[parent], &own);
    }
}

/* ---- bones ---------------------------------------------------------------------------------- */

/* Where bones are, from the joint matrices. */
static void find_limbs(character *c)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        if (c->limbs[b].limp)
            continue;
        map m = map_of_rows(c->joints + 12 * (size_t)c->ragdoll->bones[b].is.joint);
        nearest_rotation(m.r, m.r, NULL);
        c->limbs[b].now = join(&c->placement, &m);
    }
}

static void find_velocities(character *c, double seconds)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        const double *centre = c->ragdoll->bones[b].is.centre;
        double from[3], to[3], before[4], now[4];
        apply(&l->before, centre, from);
        apply(&l->now, centre, to);
        quaternion_of(l->before.r, before);
        quaternion_of(l->now.r, now);
        turn_between(before, now, l->spin);
        for (int k = 0; k < 3; k++) {
            l->velocity[k] = (to[k] - from[k]) / seconds;
            l->spin[k] /= seconds;
        }
    }
}

void grazei_ode_character_remember(character *c)
{
    for (uint32_t b = 0; b < c->ragdoll->bone_count; b++) {
        limb *l = &c->limbs[b];
        l->before = l->now;
        if (!c->posed && !l->limp) {
            memset(l->velocity, 0, sizeof l->velocity);
            memset(l->spin, 0, sizeof l->spin);
        }
    }
    memcpy(c->joints_before, c->joints, 12 * (size_t)c->joint_count * sizeof *c->joints);
    if (c->morph_count)
        memcpy(c->weights_before, c->weights, c->morph_count * sizeof *c->weights);
    c->placement_before = c->placement;
    c->posed = false;
}

static graze_status set_pose(graze_body *body, const character *c, const float *joints,
                             const float *weights, const map *placement, graze_error *error)
{
    float rows[12];
    rows_of_map(placement, rows);
    graze_pose pose = {.joints = joints,
                       .joint_count = c->joint_count,
                       .placement = rows,
                       .morph_weights = c->morph_count ? weights : NULL,
                       .morph_count = c->morph_count};
    return graze_body_set_pose(body, &pose, error);
}

graze_status grazei_ode_character_apply(character *c, graze_error *error)
{
    if (c->limp_count)
        set_limp_locals(c);
    graze_status status = graze_rig_compose(c->ragdoll->rig, c->locals, c->joints, error);
    if (!status)
        status = set_pose(c->body, c, c->joints, c->weights, &c->placement, error);
    return status;
}

/* ---- making one ----------------------------------------------------------------------------- */

static graze_status find_shadow(graze_ode *ode, const graze_model *model, graze_error *error)
{
    shadow *shadows = ode->shadows.items;
    for (size_t i = 0; i < ode->shadows.count; i++)
        if (shadows[i].model == model) {
            shadows[i].users++;
            return GRAZE_OK;
        }
    if (!grazei_ode_reserve(&ode->allocator, &ode->shadows, ode->shadows.count + 1,
                            sizeof *shadows))
        return fail_memory(error);
    shadows = ode->shadows.items;
    shadow made = {.model = model, .users = 1};
    graze_status status = graze_body_create(model, &made.body, error);
    if (!status)
        shadows[ode->shadows.count++] = made;
    return status;
}

static void leave_shadow(graze_ode *ode, const graze_model *model)
{
    shadow *shadows = ode->shadows.items;
    for (size_t i = 0; i < ode->shadows.count; i++)
        if (shadows[i].model == model && --shadows[i].users == 0) {
            graze_body_destroy(shadows[i].body);
            shadows[i] = shadows[--ode->shadows.count];
            return;
        }
}

static bool take_memory(const graze_allocator *allocator, character *c)
{
    c->limbs = take(allocator, c->ragdoll->bone_count, sizeof *c->limbs);
    c->locals = take(allocator, c->node_count, sizeof *c->locals);
    c->clip = take(allocator, c->node_count, sizeof *c->clip);
    c->frozen = take(allocator, c->node_count, sizeof *c->frozen);
    c->globals = take(allocator, c->node_count, sizeof *c->globals);
    c->joints = take(allocator, c->joint_count, 12 * sizeof(float));
    c->joints_before = take(allocator, c->joint_count, 12 * sizeof(float));
    c->weights = take(allocator, c->morph_count, sizeof(float));
    c->weights_before = take(allocator, c->morph_count, sizeof(float));
    return c->limbs && c->locals && c->clip && c->frozen && c->globals && c->joints &&
           c->joints_before && c->weights && c->weights_before;
}

graze_status grazei_ode_character_create(graze_ode *ode, const graze_ode_character_def *def,
                                         character **made, graze_error *error)
{
    const graze_rig *rig = def->ragdoll->rig;
    graze_model_info info = graze_model_get_info(def->model);
    if (info.joint_count != rig->joint_count || info.part_count != def->ragdoll->part_count ||
        info.morph_count != rig->morph_count)
        return fail(error, GRAZE_BAD_INPUT, "the model is of another rig than the ragdoll");
    character *c = take(&ode->allocator, 1, sizeof *c);
    if (!c)
        return fail_memory(error);
    c->ragdoll = def->ragdoll;
    c->parts = def->names;
    c->node_count = rig->node_count;
    c->joint_count = rig->joint_count;
    c->morph_count = rig->morph_count;
    c->placement = c->placement_before = identity_map();
    graze_status status = take_memory(&ode->allocator, c) ? GRAZE_OK : fail_memory(error);
    if (!status)
        status = find_shadow(ode, def->model, error);
    if (!status) {
        c->model = def->model; /* from here on its shadow is counted */
        status = graze_body_create(def->model, &c->body, error);
    }
    if (!status)
        status = graze_rig_sample_locals(rig, GRAZE_NONE, 0, c->locals, c->weights, error);
    if (!status)
        status = grazei_ode_character_apply(c, error);
    if (status) {
        grazei_ode_character_destroy(ode, c);
        return status;
    }
    memcpy(c->clip, c->locals, c->node_count * sizeof *c->clip);
    find_limbs(c);
    grazei_ode_character_remember(c);
    *made = c;
    return GRAZE_OK;
}

void grazei_ode_character_destroy(graze_ode *ode, character *c)
{
    if (!c)
        return;
    const graze_allocator *allocator = &ode->allocator;
    if (c->limbs)
        grazei_ode_drop_limbs(c);
    if (c->model)
        leave_shadow(ode, c->model);
    graze_body_destroy(c->body);
    void *const arrays[] = {c->limbs,  c->locals,        c->clip,    c->frozen,        c->globals,
                            c->joints, c->joints_before, c->weights, c->weights_before};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        give(allocator, arrays[i]);
    give(allocator, c);
}

/* ---- poses ---------------------------------------------------------------------------------- */

/* A bone with none above it goes from where it lies to where the clip has it, in the world. */
static void blend_top(character *c, uint32_t number, double share)
{
    const bone_record *top = &c->ragdoll->bones[number];
    const map *frozen = &c->limbs[number].frozen;
    find_globals(c, c->clip);
    map in_world = join(&c->placement, &c->globals[top->is.node]);
    map target = join(&in_world, &top->unbind), blended;
    double from[4], to[4], here[3], there[3], turned[3];
    nearest_rotation(target.r, target.r, NULL);
    quaternion_of(frozen->r, from);
    quaternion_of(target.r, to);
    blend_quaternions(from, to, share, to);
    rotation_of(to, blended.r);
    apply(frozen, top->is.anchor, here);
    apply(&target, top->is.anchor, there);
    turn3(blended.r, top->is.anchor, turned);
    for (int k = 0; k < 3; k++)
        blended.t[k] = (1 - share) * here[k] + share * there[k] - turned[k];
    map back = inverse(&c->placement), in_model = join(&back, &blended);
    map global = join(&in_model, &top->bind);
    find_globals(c, c->locals);
    set_global(c, top->is.node, &global);
}

/* From the pose it recovers from towards the clip's, by a share. */
static void blend_back(character *c, double share)
{
    const graze_ragdoll *ragdoll = c->ragdoll;
    for (uint32_t n = 0; n < c->node_count; n++) {
        const graze_rig_local *from = &c->frozen[n], *to = &c->clip[n];
        blend_quaternions(from->rotation, to->rotation, share, c->locals[n].rotation);
        for (int k = 0; k < 3; k++) {
            c->locals[n].translation[k] =
                (1 - share) * from->translation[k] + share * to->translation[k];
            c->locals[n].scale[k] = to->scale[k];
        }
    }
    for (uint32_t b = 0; b < ragdoll->bone_count; b++)
        if (ragdoll->bones[b].is_top)
            blend_top(c, b, share);
}

void grazei_ode_raise(character *c, const double by[3])
{
    const graze_ragdoll *ragdoll = c->ragdoll;
    map back = inverse(&c->placement), global;
    double own[3];
    turn3(back.r, by, own);
    find_globals(c, c->locals);
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        if (!ragdoll->bones[b].is_top)
            continue;
        global = c->globals[ragdoll->bones[b].is.node];
        for (int k = 0; k < 3; k++)
            global.t[k] += own[k];
        set_global(c, ragdoll->bones[b].is.node, &global);
    }
}

static graze_status take_placement(const float *rows, map *placement, graze_error *error)
{
    double stretch;
    *placement = rows ? map_of_rows(rows) : identity_map();
    double r[9];
    nearest_rotation(placement->r, r, &stretch);
    for (int k = 0; k < 3; k++)
        if (!(fabs(placement->t[k]) < 1e9))
            return fail(error, GRAZE_BAD_INPUT, "the placement has a number that is out of range");
    if (!(stretch < 1e-3))
        return fail(error, GRAZE_BAD_INPUT, "the placement is no rigid map");
    memcpy(placement->r, r, sizeof r);
    return GRAZE_OK;
}

static graze_status check_locals(const character *c, const graze_rig_local *locals,
                                 graze_error *error)
{
    for (uint32_t n = 0; n < c->node_count; n++)
        for (int k = 0; k < 4; k++)
            if (!(fabs(locals[n].rotation[k]) <= 2) ||
                (k < 3 &&
                 (!(fabs(locals[n].translation[k]) < 1e9) || !(fabs(locals[n].scale[k]) < 1e9))))
                return fail(error, GRAZE_BAD_INPUT,
                            "the transform of node %u has a number that is out of range", n);
    return GRAZE_OK;
}

static graze_status pose(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                         const float *morph_weights, const float *placement, bool jumps,
                         graze_error *error)
{
    member *m = grazei_ode_find_character(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (!locals)
        return fail_null(error, "the transforms");
    character *c = m->character;
    map place;
    graze_status status = take_placement(placement, &place, error);
    if (!status)
        status = check_locals(c, locals, error);
    if (status)
        return status;
    double start = grazei_ode_seconds_now();
    memcpy(c->clip, locals, c->node_count * sizeof *locals);
    for (uint32_t i = 0; i < c->morph_count; i++)
        c->weights[i] = morph_weights ? morph_weights[i] : 0;
    c->placement = place;
    double done = c->recovers && c->recover_seconds > 0
                      ? (c->recovered + ode->def.step) / c->recover_seconds
                      : 1;
    if (done < 1)
        blend_back(c, done * done * (3 - 2 * done));
    else
        for (uint32_t n = 0; n < c->node_count; n++) {
            uint32_t b = c->ragdoll->bone_of_node[n];
            if (b == GRAZE_NONE || !c->limbs[b].limp)
                c->locals[n] = locals[n];
        }
    status = grazei_ode_character_apply(c, error);
    if (!status && done < 1)
        status = grazei_ode_keep_above(ode, c, 1 - done, error);
    find_limbs(c);
    c->posed = true;
    if (jumps)
        grazei_ode_character_remember(c);
    else
        find_velocities(c, ode->def.step);
    ode->times.poses += grazei_ode_seconds_now() - start;
    return status;
}

graze_status graze_ode_pose(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                            const float *morph_weights, const float *placement, graze_error *error)
{
    return pose(ode, id, locals, morph_weights, placement, false, error);
}

graze_status graze_ode_put(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                           const float *morph_weights, const float *placement, graze_error *error)
{
    return pose(ode, id, locals, morph_weights, placement, true, error);
}

graze_status graze_ode_get_pose(const graze_ode *ode, graze_world_id id, graze_rig_local *locals,
                                float placement[12], graze_error *error)
{
    const member *m = grazei_ode_find_character(ode, id, error);
    if (!m)
        return GRAZE_BAD_INPUT;
    if (locals)
        memcpy(locals, m->character->locals, m->character->node_count * sizeof *locals);
    if (placement)
        rows_of_map(&m->character->placement, placement);
    return GRAZE_OK;
}

graze_body *graze_ode_body(const graze_ode *ode, graze_world_id id)
{
    const member *m = grazei_ode_find_character(ode, id, NULL);
    return m ? m->character->body : NULL;
}

/* ---- the skin ------------------------------------------------------------------------------- */

graze_status grazei_ode_pose_shadow(graze_ode *ode, const member *m, graze_body **before,
                                    graze_error *error)
{
    const character *c = m->character;
    shadow *shadows = ode->shadows.items;
    size_t i = 0;
    while (i < ode->shadows.count && shadows[i].model != c->model)
        i++;
    if (i == ode->shadows.count)
        return fail(error, GRAZE_BAD_INPUT, "a character's model is not known");
    *before = shadows[i].body;
    if (shadows[i].step == ode->step_count + 1 && shadows[i].posed_for == m->id.index)
        return GRAZE_OK;
    shadows[i].step = ode->step_count + 1;
    shadows[i].posed_for = m->id.index;
    return set_pose(shadows[i].body, c, c->joints_before, c->weights_before, &c->placement_before,
                    error);
}

graze_status grazei_ode_skin_velocity(graze_ode *ode, const member *m, uint32_t part,
                                      uint32_t triangle, const float point[3], double velocity[3],
                                      graze_error *error)
{
    const character *c = m->character;
    uint32_t b = graze_ragdoll_bone_of_part(c->ragdoll, part);
    memset(velocity, 0, 3 * sizeof *velocity);
    if (!c->posed)
        return GRAZE_OK;
    if (triangle != UINT32_MAX) {
        graze_body *before = NULL;
        float found[3];
        graze_status status = grazei_ode_pose_shadow(ode, m, &before, error);
        if (!status)
            status = graze_surface_velocity(c->body, before, triangle, point, (float)ode->def.step,
                                            found, error);
        for (int k = 0; k < 3 && !status; k++)
            velocity[k] = found[k];
        return status;
    }
    if (b == GRAZE_NONE)
        return GRAZE_OK;
    map back = inverse(&c->limbs[b].now);
    double at[3] = {point[0], point[1], point[2]}, rest[3], was[3];
    apply(&back, at, rest);
    apply(&c->limbs[b].before, rest, was);
    for (int k = 0; k < 3; k++)
        velocity[k] = (at[k] - was[k]) / ode->def.step;
    return GRAZE_OK;
}
