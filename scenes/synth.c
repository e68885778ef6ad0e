#include "scenes/synth.h"

#include "scenes/field.h"
#include "scenes/lattice.h"
#include "scenes/modes.h"
#include "scenes/morphing.h"
#include "scenes/motion.h"
#include "scenes/plan.h"
#include "scenes/pool.h"
#include "scenes/remesh.h"
#include "scenes/skin.h"

#include <stdio.h>
#include <string.h>

static const uint32_t most_tries = 12;
static const double spare = 1.8; /* triangles of the lattice mesh for each one wanted, at least */

const char *graze_synth_name(graze_synth_kind kind)
{
    const grazei_synth_plan *plan = grazei_synth_plan_of((uint32_t)kind);
    return plan ? plan->name : NULL;
}

const char *graze_synth_description(graze_synth_kind kind)
{
    const grazei_synth_plan *plan = grazei_synth_plan_of((uint32_t)kind);
    return plan ? plan->description : NULL;
}

bool graze_synth_find(const char *name, graze_synth_kind *kind)
{
    for (int i = 0; i < GRAZE_SYNTH_KIND_COUNT; i++)
        if (strcmp(name, graze_synth_name((graze_synth_kind)i)) == 0) {
            *kind = (graze_synth_kind)i;
            return true;
        }
    return false;
}

static graze_status fail(graze_error *error, graze_status status, const char *text)
{
    if (error) {
        error->status = status;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return status;
}

static void identity(float matrix[12])
{
    memset(matrix, 0, 12 * sizeof(float));
    matrix[0] = matrix[5] = matrix[10] = 1;
}

static void set_joint(graze_rig *rig, const grazei_synth_skeleton *skeleton, uint32_t j)
{
    const grazei_synth_joint *joint = &skeleton->joints[j];
    graze_rig_node *node = &rig->nodes[j];
    grazei_vec offset = joint->at;
    if (joint->parent != UINT32_MAX)
        offset = vec_sub(offset, skeleton->joints[joint->parent].at);
    node->parent = joint->parent == UINT32_MAX ? GRAZE_NONE : joint->parent;
    node->translation[0] = (float)offset.x;
    node->translation[1] = (float)offset.y;
    node->translation[2] = (float)offset.z;
    node->rotation[3] = 1;
    node->scale[0] = node->scale[1] = node->scale[2] = 1;
    identity(node->matrix);
    rig->joints[j].node = j;
    float *bind = rig->joints[j].inverse_bind;
    identity(bind);
    bind[3] = (float)-joint->at.x;
    bind[7] = (float)-joint->at.y;
    bind[11] = (float)-joint->at.z;
}

static bool fill_joints(graze_rig *rig, const grazei_synth_skeleton *skeleton)
{
    rig->nodes = grazei_synth_keep(&rig->allocator, skeleton->count, sizeof(graze_rig_node));
    rig->joints = grazei_synth_keep(&rig->allocator, skeleton->count, sizeof(graze_rig_joint));
    rig->skinned = skeleton->count > 1;
    if (!rig->nodes || !rig->joints)
        return false;
    rig->node_count = rig->joint_count = skeleton->count;
    for (uint32_t j = 0; j < skeleton->count; j++) {
        set_joint(rig, skeleton, j);
        size_t length = strlen(skeleton->joints[j].name);
        rig->nodes[j].name = grazei_synth_keep(&rig->allocator, length + 1, 1);
        if (!rig->nodes[j].name)
            return false;
        memcpy(rig->nodes[j].name, skeleton->joints[j].name, length);
    }
    return true;
}

static bool fill_skin(graze_rig *rig, const grazei_synth_skin *skins)
{
    size_t count = 0;
    rig->influence_offsets =
        grazei_synth_keep(&rig->allocator, (size_t)rig->vertex_count + 1, sizeof(uint32_t));
    if (!rig->influence_offsets)
        return false;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        count += skins[v].count;
        rig->influence_offsets[v + 1] = (uint32_t)count;
    }
    rig->influences = grazei_synth_keep(&rig->allocator, count, sizeof(graze_influence));
    if (!rig->influences)
        return false;
    graze_influence *influence = rig->influences;
    for (uint32_t v = 0; v < rig->vertex_count; v++)
        for (uint32_t i = 0; i < skins[v].count; i++, influence++) {
            influence->joint = skins[v].joints[i];
            influence->weight = (float)skins[v].weights[i];
        }
    return true;
}

static bool fill_mesh(graze_rig *rig, const grazei_synth_mesh *mesh)
{
    rig->positions =
        grazei_synth_keep(&rig->allocator, 3 * (size_t)mesh->vertex_count, sizeof(float));
    rig->triangles =
        grazei_synth_keep(&rig->allocator, 3 * (size_t)mesh->triangle_count, sizeof(uint32_t));
    if (!rig->positions || !rig->triangles)
        return false;
    rig->vertex_count = mesh->vertex_count;
    rig->triangle_count = mesh->triangle_count;
    memcpy(rig->triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count * sizeof(uint32_t));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        rig->positions[3 * (size_t)v] = (float)mesh->positions[v].x;
        rig->positions[3 * (size_t)v + 1] = (float)mesh->positions[v].y;
        rig->positions[3 * (size_t)v + 2] = (float)mesh->positions[v].z;
    }
    return true;
}

/* A closed mesh of the plan with so many triangles. Where the lattice happens to punch a hole into
 * the thin skin between two fingers, the surface has not the plan's handles (V = T / 2 + 2 - 2 H):
 * try a finer one.
 */
static bool make_mesh(const grazei_synth_plan *plan, uint32_t triangles, grazei_synth_pool *pool,
                      grazei_synth_mesh *mesh)
{
    if (plan->make)
        return plan->make(triangles, pool, mesh);
    grazei_synth_field *field = grazei_synth_take(pool, 1, sizeof *field);
    if (!field || !grazei_synth_field_create(plan, pool, field))
        return false;
    double cell = plan->cell;
    for (uint32_t tries = 0;; tries++) {
        if (!grazei_synth_mesh_field(field, cell, pool, mesh))
            return false;
        bool many = mesh->triangle_count >= spare * triangles;
        bool whole = mesh->vertex_count + 2 * plan->handles == mesh->triangle_count / 2 + 2;
        if (many && (whole || tries >= most_tries))
            break;
        cell *= many ? 0.95 : 0.97 * sqrt(mesh->triangle_count / (spare * triangles));
        grazei_synth_give(pool, mesh->positions);
        grazei_synth_give(pool, mesh->triangles);
    }
    return grazei_synth_remesh(field, triangles, cell, pool, mesh);
}

static bool make_rig(const graze_synth_def *def, const grazei_synth_plan *plan,
                     grazei_synth_pool *pool, graze_rig *rig)
{
    uint32_t triangles = (def->triangles ? def->triangles : plan->triangles) & ~1u;
    grazei_synth_mesh mesh = {0};
    grazei_synth_skeleton *skeleton = grazei_synth_take(pool, 1, sizeof *skeleton);
    if (!skeleton)
        return false;
    grazei_synth_expand(plan, skeleton);
    if (!fill_joints(rig, skeleton) || !grazei_synth_add_clips(plan, skeleton, rig) ||
        !make_mesh(plan, triangles, pool, &mesh))
        return false;
    grazei_synth_skin *skins = grazei_synth_take(pool, mesh.vertex_count, sizeof *skins);
    if (!skins)
        return false;
    if (mesh.joints)
        for (uint32_t v = 0; v < mesh.vertex_count; v++)
            skins[v] = (grazei_synth_skin){{mesh.joints[v]}, {1}, 1};
    else
        grazei_synth_bind(skeleton, &mesh, skins);
    for (uint32_t i = 0; i < def->subdivisions; i++)
        if (!grazei_synth_subdivide(pool, &mesh, &skins))
            return false;
    return fill_mesh(rig, &mesh) && fill_skin(rig, skins) &&
           (!plan->modes || grazei_synth_add_modes(plan->modes, rig)) &&
           (!plan->morphing || grazei_synth_add_morphing(plan->morphing, skeleton, rig));
}

graze_status graze_synth(const graze_synth_def *def, const graze_allocator *allocator,
                         graze_rig **rig, graze_error *error)
{
    const grazei_synth_plan *plan = grazei_synth_plan_of((uint32_t)def->kind);
    if (!plan)
        return fail(error, GRAZE_BAD_INPUT, "there is no such kind of character");
    if (def->triangles && (def->triangles < 400 || def->triangles > 4000000))
        return fail(error, GRAZE_BAD_INPUT, "triangles must be 0 or from 400 to 4000000");
    uint64_t total = def->triangles ? def->triangles : plan->triangles;
    if (def->subdivisions > 6 || total << 2 * def->subdivisions > 16000000)
        return fail(error, GRAZE_BAD_INPUT, "more than 6 subdivisions or 16000000 triangles");
    grazei_synth_pool pool = {allocator ? *allocator : graze_default_allocator(), NULL};
    graze_rig *made = graze_rig_create(allocator);
    bool done = made && make_rig(def, plan, &pool, made);
    grazei_synth_drop(&pool);
    if (!done) {
        graze_rig_destroy(made);
        return fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    }
    *rig = made;
    return GRAZE_OK;
}
