/* From a skeleton to bones. */
#include "ragdoll.h"

/* The def, or all zero, with the numbers that zeros stand for. */
static graze_ragdoll_def filled(const graze_ragdoll_def *given)
{
    graze_ragdoll_def def = given ? *given : (graze_ragdoll_def){0};
    def.density = def.density != 0 ? def.density : 1000;
    def.smallest = def.keep_small ? 0 : def.smallest != 0 ? def.smallest : 0.005f;
    def.friction = def.frictionless ? 0 : def.friction != 0 ? def.friction : 0.05f;
    return def;
}

const graze_ragdoll_joint *grazei_ode_said_of(const graze_ragdoll_def *def, const char *name)
{
    for (uint32_t i = 0; i < def->joint_count; i++)
        if (name && strcmp(def->joints[i].name, name) == 0)
            return &def->joints[i];
    return NULL;
}

/* The name of a joint's node, "joint N" in `room` where it has none. */
static const char *joint_name(const graze_rig *rig, uint32_t joint, char room[24])
{
    const char *name = rig->nodes[rig->joints[joint].node].name;
    if (!name)
        snprintf(room, 24, "joint %u", joint);
    return name ? name : room;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static uint32_t find_joint_named(const graze_rig *rig, const char *name)
{
    for (uint32_t j = 0; j < rig->joint_count; j++) {
        const char *own = rig->nodes[rig->joints[j].node].name;
        if (own && strcmp(own, name) == 0)
            return j;
    }
    return GRAZE_NONE;
}

static graze_status check_said(const graze_rig *rig, const graze_ragdoll_joint *said,
                               uint32_t number, const bool *has_volume, graze_error *error)
{
    if (!said->name)
        return fail(error, GRAZE_BAD_INPUT, "joint %u of the ragdoll has no name", number);
    uint32_t joint = find_joint_named(rig, said->name);
    if (joint == GRAZE_NONE)
        return fail(error, GRAZE_BAD_INPUT, "there is no joint %.60s in the skeleton", said->name);
    if (!said->merge && !has_volume[joint])
        return fail(error, GRAZE_BAD_INPUT,
                    "joint %.60s has no triangles that follow it most: it cannot be a bone",
                    said->name);
    if (said->kind != GRAZE_RAGDOLL_BALL && said->kind != GRAZE_RAGDOLL_HINGE)
        return fail(error, GRAZE_BAD_INPUT, "joint %.60s: there is no kind %d of joint", said->name,
                    (int)said->kind);
    if (!(said->mass >= 0 && said->mass < 1e6f))
        return fail(error, GRAZE_BAD_INPUT, "joint %.60s has a mass of %g kg", said->name,
                    (double)said->mass);
    return GRAZE_OK;
}

static graze_status check_def(const graze_rig *rig, const graze_ragdoll_def *def,
                              const bool *has_volume, graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (!(def->density > 0 && def->density < 1e6f))
        return fail(error, GRAZE_BAD_INPUT, "a density of %g kg/m3 makes masses of zero or worse",
                    (double)def->density);
    if (!(def->smallest >= 0 && def->smallest < 1))
        return fail(error, GRAZE_BAD_INPUT, "smallest is %g, not a share from 0 to 1",
                    (double)def->smallest);
    if (!(def->friction >= 0 && def->friction < 1e6f) || !(def->cell >= 0 && def->cell < 1e6f))
        return fail(error, GRAZE_BAD_INPUT, "friction is %g and cell is %g: neither is below 0",
                    (double)def->friction, (double)def->cell);
    if (def->joint_count && !def->joints)
        return fail_null(error, "the array of joints");
    for (uint32_t i = 0; i < def->joint_count && !status; i++)
        status = check_said(rig, &def->joints[i], i, has_volume, error);
    return status ? status : check_reserved(def->reserved, sizeof def->reserved, error);
}

/* ---- which joints are bones ----------------------------------------------------------------- */

/* Nodes in an order in which parents come first; false if they run in a circle. */
static bool order_nodes(const graze_rig *rig, uint32_t *order, bool *done)
{
    uint32_t count = 0, before = 0;
    do {
        before = count;
        for (uint32_t n = 0; n < rig->node_count; n++) {
            uint32_t parent = rig->nodes[n].parent;
            if (done[n] || (parent != GRAZE_NONE && !(parent < rig->node_count && done[parent])))
                continue;
            done[n] = true;
            order[count++] = n;
        }
    } while (count != before);
    return count == rig->node_count;
}

/* Joints of one node turn as one: those behind the first that has triangles go with it. */
static void join_twins(const graze_rig *rig, mass_of *sums, bool *is_bone)
{
    for (uint32_t j = 0; j < rig->joint_count; j++)
        for (uint32_t first = 0; first < j && is_bone[j]; first++)
            if (is_bone[first] && rig->joints[first].node == rig->joints[j].node) {
                grazei_ode_add_mass(&sums[first], &sums[j]);
                sums[j] = (mass_of){.volume = 0};
                is_bone[j] = false;
            }
}

/* The joint nearest above a joint's node that is a bone. */
static uint32_t bone_above(const graze_rig *rig, const bool *is_bone, uint32_t joint)
{
    uint32_t node = rig->nodes[rig->joints[joint].node].parent;
    for (uint32_t steps = 0; node != GRAZE_NONE && steps <= rig->node_count; steps++) {
        for (uint32_t j = 0; j < rig->joint_count; j++)
            if (is_bone[j] && rig->joints[j].node == node)
                return j;
        node = rig->nodes[node].parent;
    }
    return GRAZE_NONE;
}

static uint32_t bone_at_or_above(const graze_rig *rig, const bool *is_bone, uint32_t joint)
{
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (is_bone[j] && rig->joints[j].node == rig->joints[joint].node)
            return j;
    return bone_above(rig, is_bone, joint);
}

void grazei_ode_add_mass(mass_of *to, const mass_of *from)
{
    to->volume += from->volume;
    for (int k = 0; k < 3; k++)
        to->first[k] += from->first[k];
    for (int k = 0; k < 6; k++)
        to->second[k] += from->second[k];
}

/* Joins what is merged or too small to the bone above it. Children come before their parents. */
static graze_status merge_small(graze_ragdoll *ragdoll, const graze_ragdoll_def *def, mass_of *sums,
                                bool *is_bone, graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    double all = 0;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        all += sums[j].volume;
    for (uint32_t i = rig->node_count; i-- > 0;)
        for (uint32_t j = 0; j < rig->joint_count; j++) {
            if (rig->joints[j].node != ragdoll->order[i] || !is_bone[j])
                continue;
            const graze_ragdoll_joint *said =
                grazei_ode_said_of(def, rig->nodes[ragdoll->order[i]].name);
            uint32_t above = bone_above(rig, is_bone, j);
            bool goes = said ? said->merge : sums[j].volume < def->smallest * all;
            if (!goes)
                continue;
            if (above == GRAZE_NONE) {
                if (said && said->merge)
                    return fail(error, GRAZE_BAD_INPUT,
                                "joint %.60s has no bone above it to go with", said->name);
                continue;
            }
            is_bone[j] = false;
            grazei_ode_add_mass(&sums[above], &sums[j]);
            sums[j] = (mass_of){.volume = 0};
        }
    return GRAZE_OK;
}

/* ---- filling bones -------------------------------------------------------------------------- */

static graze_status weigh(bone_record *b, const mass_of *sum, const graze_ragdoll_def *def,
                          const graze_ragdoll_joint *said, graze_error *error)
{
    graze_ragdoll_bone *is = &b->is;
    double mass = said && said->mass > 0 ? said->mass : sum->volume * def->density;
    if (!(sum->volume > 0) || !(mass > 0))
        return fail(
            error, GRAZE_BAD_INPUT,
            "bone %.60s has a mass of zero: neither the grid nor its hitboxes have a volume",
            is->name);
    double density = mass / sum->volume, c[3], m[6];
    is->mass = mass;
    for (int k = 0; k < 3; k++)
        is->centre[k] = c[k] = sum->first[k] / sum->volume;
    for (int k = 0; k < 3; k++) {
        m[k] = (sum->second[k] - sum->volume * c[k] * c[k]) * density;
        m[3 + k] = (sum->second[3 + k] - sum->volume * c[k] * c[(k + 1) % 3]) * density;
    }
    const double inertia[9] = {m[1] + m[2], -m[3], -m[5], -m[3],      m[0] + m[2],
                               -m[4],       -m[5], -m[4], m[0] + m[1]};
    memcpy(is->inertia, inertia, sizeof inertia);
    return GRAZE_OK;
}

/* How far triangles of its parts go from its centre. */
static void find_radii(graze_ragdoll *ragdoll, const graze_model *model)
{
    const graze_rig *rig = ragdoll->rig;
    for (uint32_t i = 0; i < rig->triangle_count; i++) {
        uint32_t part = graze_model_triangle_part(model, i);
        uint32_t number = part < ragdoll->part_count ? ragdoll->bone_of_part[part] : GRAZE_NONE;
        if (number == GRAZE_NONE)
            continue;
        graze_ragdoll_bone *is = &ragdoll->bones[number].is;
        for (int c = 0; c < 3; c++) {
            const float *at = rig->positions + 3 * (size_t)rig->triangles[3 * (size_t)i + c];
            double d[3] = {at[0] - is->centre[0], at[1] - is->centre[1], at[2] - is->centre[2]};
            double far = length3(d);
            is->radius = far > is->radius ? far : is->radius;
        }
    }
}

/* A bone before this one for a joint that has none above it in the node tree, as the feet of rigs
 * that are led by them: the one whose middle is nearest.
 */
static uint32_t nearest_before(const graze_ragdoll *ragdoll, const double at[3])
{
    uint32_t best = GRAZE_NONE;
    double least = INFINITY;
    for (uint32_t b = 0; b < ragdoll->bone_count; b++) {
        const double *c = ragdoll->bones[b].is.centre;
        const double d[3] = {c[0] - at[0], c[1] - at[1], c[2] - at[2]};
        if (length3(d) < least) {
            least = length3(d);
            best = b;
        }
    }
    return best;
}

static uint32_t top_of(const graze_rig *rig, const bool *is_bone, uint32_t joint)
{
    for (uint32_t above = joint; above != GRAZE_NONE; above = bone_above(rig, is_bone, joint))
        joint = above;
    return joint;
}

/* The top of the heaviest piece of the skeleton. */
static uint32_t main_top(const graze_rig *rig, const mass_of *sums, const bool *is_bone)
{
    uint32_t best = GRAZE_NONE;
    double most = -1;
    for (uint32_t top = 0; top < rig->joint_count; top++) {
        double sum = 0;
        if (!is_bone[top] || bone_above(rig, is_bone, top) != GRAZE_NONE)
            continue;
        for (uint32_t j = 0; j < rig->joint_count; j++)
            if (is_bone[j] && top_of(rig, is_bone, j) == top)
                sum += sums[j].volume;
        if (sum > most) {
            most = sum;
            best = top;
        }
    }
    return best;
}

static graze_status fill_bone(graze_ragdoll *ragdoll, const graze_ragdoll_def *def,
                              const mass_of *sums, const bool *is_bone, uint32_t joint,
                              graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    const graze_rig_node *node = &rig->nodes[rig->joints[joint].node];
    bone_record *b = &ragdoll->bones[ragdoll->bone_count];
    uint32_t above = bone_above(rig, is_bone, joint);
    char room[24];
    if (node->has_matrix)
        return fail(error, GRAZE_BAD_INPUT,
                    "the node of bone %.60s has a matrix, which cannot be turned",
                    joint_name(rig, joint, room));
    b->is.name = node->name ? node->name : "bone";
    b->is.joint = joint;
    b->is.node = rig->joints[joint].node;
    b->unbind = map_of_rows(rig->joints[joint].inverse_bind);
    b->bind = inverse(&b->unbind);
    b->is_top = above == GRAZE_NONE;
    memcpy(b->is.anchor, b->bind.t, sizeof b->is.anchor);
    b->is.parent =
        above == GRAZE_NONE ? nearest_before(ragdoll, b->is.anchor) : ragdoll->bone_of_joint[above];
    graze_status status = weigh(b, &sums[joint], def, grazei_ode_said_of(def, b->is.name), error);
    if (status)
        return status;
    ragdoll->mass += b->is.mass;
    ragdoll->bone_of_node[b->is.node] = ragdoll->bone_count;
    ragdoll->bone_of_joint[joint] = ragdoll->bone_count++;
    return GRAZE_OK;
}

/* The heaviest piece of the skeleton, then the others. */
static graze_status fill_bones(graze_ragdoll *ragdoll, const graze_ragdoll_def *def,
                               const mass_of *sums, const bool *is_bone, graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    uint32_t first = main_top(rig, sums, is_bone);
    graze_status status = GRAZE_OK;
    for (int others = 0; others < 2; others++)
        for (uint32_t i = 0; i < rig->node_count; i++)
            for (uint32_t j = 0; j < rig->joint_count && !status; j++)
                if (rig->joints[j].node == ragdoll->order[i] && is_bone[j] &&
                    (top_of(rig, is_bone, j) != first) == others)
                    status = fill_bone(ragdoll, def, sums, is_bone, j, error);
    if (!status && !ragdoll->bone_count)
        return fail(error, GRAZE_BAD_INPUT, "no joint has triangles to be a bone");
    return status;
}

/* Joints that are no bones go with the one above them, else with the first. */
static void follow(graze_ragdoll *ragdoll, const graze_hitboxes *fit, const bool *is_bone)
{
    const graze_rig *rig = ragdoll->rig;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (!is_bone[j]) {
            uint32_t above = bone_at_or_above(rig, is_bone, j);
            ragdoll->bone_of_joint[j] = above == GRAZE_NONE ? 0 : ragdoll->bone_of_joint[above];
        }
    for (uint32_t p = 0; p < ragdoll->part_count; p++)
        ragdoll->bone_of_part[p] = GRAZE_NONE;
    uint32_t outer;
    graze_hitboxes_count(fit, &outer);
    for (uint32_t i = outer; i-- > 0;) {
        graze_hitbox volume = graze_hitboxes_get(fit, i);
        if (volume.part < ragdoll->part_count && volume.joint < rig->joint_count)
            ragdoll->bone_of_part[volume.part] = ragdoll->bone_of_joint[volume.joint];
    }
}

/* What hangs on a joint is held by its friction. */
static void share_friction(graze_ragdoll *ragdoll, double friction)
{
    for (uint32_t b = ragdoll->bone_count; b-- > 0;) {
        graze_ragdoll_bone *is = &ragdoll->bones[b].is;
        is->friction += is->mass;
        if (is->parent != GRAZE_NONE)
            ragdoll->bones[is->parent].is.friction += is->friction;
    }
    for (uint32_t b = 0; b < ragdoll->bone_count; b++)
        ragdoll->bones[b].is.friction *= friction;
}

/* ---- making one ----------------------------------------------------------------------------- */

typedef struct workspace {
    mass_of *sums;
    bool *has_volume, *is_bone, *done;
} workspace;

static graze_status build(graze_ragdoll *ragdoll, const graze_model *model,
                          const graze_hitboxes *fit, const graze_ragdoll_def *def, workspace *work,
                          graze_error *error)
{
    const graze_rig *rig = ragdoll->rig;
    uint32_t outer;
    graze_hitboxes_count(fit, &outer);
    for (uint32_t i = 0; i < outer; i++) {
        graze_hitbox volume = graze_hitboxes_get(fit, i);
        if (volume.joint >= rig->joint_count)
            return fail(error, GRAZE_BAD_INPUT, "the hitboxes are of another model than the rig");
        work->has_volume[volume.joint] = work->is_bone[volume.joint] = true;
    }
    graze_status status = check_def(rig, def, work->has_volume, error);
    if (!status && !order_nodes(rig, ragdoll->order, work->done))
        status = fail(error, GRAZE_BAD_INPUT, "nodes of the skeleton run in a circle");
    if (!status)
        status = grazei_ode_find_volumes(rig, model, fit, def, work->sums, error);
    if (!status)
        join_twins(rig, work->sums, work->is_bone);
    if (!status)
        status = merge_small(ragdoll, def, work->sums, work->is_bone, error);
    for (uint32_t j = 0; j < rig->joint_count && !status; j++)
        if (work->is_bone[j] && !(work->sums[j].volume > 0))
            grazei_ode_take_capsule(fit, j, true, &work->sums[j]);
    if (!status)
        status = fill_bones(ragdoll, def, work->sums, work->is_bone, error);
    if (status)
        return status;
    follow(ragdoll, fit, work->is_bone);
    find_radii(ragdoll, model);
    share_friction(ragdoll, def->friction);
    return grazei_ode_find_limits(ragdoll, def, error);
}

static graze_status check_rig(const graze_rig *rig, const graze_model *model,
                              const graze_hitboxes *fit, graze_error *error)
{
    if (!rig || !model || !fit)
        return fail_null(error, !rig ? "the rig" : !model ? "the model" : "the hitboxes");
    graze_model_info info = graze_model_get_info(model);
    if (info.vertex_count != rig->vertex_count || info.triangle_count != rig->triangle_count ||
        info.joint_count != rig->joint_count)
        return fail(error, GRAZE_BAD_INPUT, "the model is of another rig");
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (rig->joints[j].node >= rig->node_count)
            return fail(error, GRAZE_BAD_INPUT, "joint %u has no node", j);
    return GRAZE_OK;
}

graze_status graze_ragdoll_create(const graze_rig *rig, const graze_model *model,
                                  const graze_hitboxes *fit, const graze_ragdoll_def *def,
                                  graze_ragdoll **ragdoll, graze_error *error)
{
    const graze_ragdoll_def used = filled(def);
    def = &used;
    graze_status status = check_rig(rig, model, fit, error);
    if (status)
        return status;
    if (!ragdoll)
        return fail_null(error, "where the ragdoll goes");
    graze_allocator allocator = def->allocator ? *def->allocator : rig->allocator;
    graze_ragdoll *made = take(&allocator, 1, sizeof *made);
    workspace work = {take(&allocator, rig->joint_count, sizeof *work.sums),
                      take(&allocator, rig->joint_count, sizeof(bool)),
                      take(&allocator, rig->joint_count, sizeof(bool)),
                      take(&allocator, rig->node_count, sizeof(bool))};
    if (made) {
        made->allocator = allocator;
        made->rig = rig;
        made->part_count = graze_model_get_info(model).part_count;
        made->bones = take(&allocator, rig->joint_count, sizeof *made->bones);
        made->bone_of_joint = take(&allocator, rig->joint_count, sizeof(uint32_t));
        made->bone_of_part = take(&allocator, made->part_count, sizeof(uint32_t));
        made->order = take(&allocator, rig->node_count, sizeof(uint32_t));
        made->bone_of_node = take(&allocator, rig->node_count, sizeof(uint32_t));
    }
    if (!made || !made->bones || !made->bone_of_joint || !made->bone_of_part || !made->order ||
        !made->bone_of_node || !work.sums || !work.has_volume || !work.is_bone || !work.done) {
        status = fail_memory(error);
    } else {
        memset(made->bone_of_node, 0xff, rig->node_count * sizeof(uint32_t));
        status = build(made, model, fit, def, &work, error);
    }
    give(&allocator, work.sums);
    give(&allocator, work.has_volume);
    give(&allocator, work.is_bone);
    give(&allocator, work.done);
    if (status)
        graze_ragdoll_destroy(made);
    else
        *ragdoll = made;
    return status;
}

void graze_ragdoll_destroy(graze_ragdoll *ragdoll)
{
    if (!ragdoll)
        return;
    graze_allocator allocator = ragdoll->allocator;
    give(&allocator, ragdoll->bones);
    give(&allocator, ragdoll->bone_of_joint);
    give(&allocator, ragdoll->bone_of_part);
    give(&allocator, ragdoll->order);
    give(&allocator, ragdoll->bone_of_node);
    give(&allocator, ragdoll);
}

uint32_t graze_ragdoll_bone_count(const graze_ragdoll *ragdoll)
{
    return ragdoll ? ragdoll->bone_count : 0;
}

graze_ragdoll_bone graze_ragdoll_get_bone(const graze_ragdoll *ragdoll, uint32_t number)
{
    graze_ragdoll_bone none;
    memset(&none, 0, sizeof none);
    return ragdoll && number < ragdoll->bone_count ? ragdoll->bones[number].is : none;
}

uint32_t graze_ragdoll_bone_of_part(const graze_ragdoll *ragdoll, uint32_t part)
{
    return ragdoll && part < ragdoll->part_count ? ragdoll->bone_of_part[part] : GRAZE_NONE;
}

uint32_t graze_ragdoll_find_bone(const graze_ragdoll *ragdoll, const char *name)
{
    for (uint32_t b = 0; ragdoll && name && b < ragdoll->bone_count; b++)
        if (strcmp(ragdoll->bones[b].is.name, name) == 0)
            return b;
    return GRAZE_NONE;
}
