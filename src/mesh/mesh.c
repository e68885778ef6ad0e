#include "mesh/mesh.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/rounding.h"
#include "mesh/joint_sets.h"
#include "mesh/layout.h"
#include "mesh/morphs.h"
#include "mesh/rest.h"
#include "mesh/weld.h"

#include <math.h>
#include <string.h>

/* Far beyond any scene, and small enough that products of coordinates stay within float's range. */
#define COORDINATE_LIMIT 1e15f
/* Any scale of weights is fine, as long as a sum of them is a float. */
#define WEIGHT_LIMIT 1e30f

static graze_status check_positions(grazei_mesh *mesh, const graze_model_def *def,
                                    graze_error *error)
{
    for (uint32_t v = 0; v < def->vertex_count; v++) {
        float position[3];
        grazei_load_three(def->positions, def->position_stride, v, position);
        for (int axis = 0; axis < 3; axis++) {
            float x = fabsf(position[axis]);
            if (!(x <= COORDINATE_LIMIT))
                return grazei_fail(error, GRAZE_BAD_INPUT,
                                   "position of vertex %u is not a number below 1e15", v);
            if (x > mesh->reach[axis])
                mesh->reach[axis] = x;
        }
    }
    return GRAZE_OK;
}

static graze_status check_triangles(const graze_model_def *def, graze_error *error)
{
    for (uint32_t t = 0; t < def->triangle_count; t++)
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t v = grazei_given_corner(def, t, corner);
            if (v >= def->vertex_count)
                return grazei_fail(error, GRAZE_BAD_INPUT, "triangle %u refers to vertex %u of %u",
                                   t, v, def->vertex_count);
        }
    return GRAZE_OK;
}

static graze_status check_groups(const uint32_t *groups, uint32_t count, uint32_t part_count,
                                 const char *what, graze_error *error)
{
    for (uint32_t i = 0; groups && i < count; i++)
        if (groups[i] >= part_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "%s %u is in group %u of %u", what, i,
                               groups[i], part_count);
    return GRAZE_OK;
}

static graze_status check_same_joints(const graze_model_def *def, graze_error *error)
{
    const uint32_t *same = def->same_joints;
    for (uint32_t j = 0; same && j < def->joint_count; j++)
        if (same[j] > j || same[same[j]] != same[j])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "same_joints says %u of joint %u: it must be the lowest of those "
                               "that are one",
                               same[j], j);
    return GRAZE_OK;
}

static graze_status check_offsets(const graze_model_def *def, graze_error *error)
{
    const uint32_t *offsets = def->influence_offsets;
    if (offsets && offsets[0] != 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "influence_offsets do not start at 0");
    for (uint32_t v = 0; offsets && v < def->vertex_count; v++)
        if (offsets[v + 1] < offsets[v])
            return grazei_fail(error, GRAZE_BAD_INPUT, "influence_offsets descend at vertex %u", v);
    return GRAZE_OK;
}

/* Adds the number of influences that are not zero to *used. */
static graze_status check_vertex(const graze_model_def *def, uint32_t v, size_t *used,
                                 graze_error *error)
{
    uint32_t count = grazei_given_count(def, v);
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        graze_influence influence = grazei_given_influence(def, v, i);
        if (influence.joint >= def->joint_count)
            return grazei_fail(error, GRAZE_BAD_INPUT, "vertex %u follows joint %u of %u", v,
                               influence.joint, def->joint_count);
        if (!(influence.weight >= 0 && influence.weight <= WEIGHT_LIMIT))
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "vertex %u has weight %g for joint %u: it must be finite and "
                               "not negative",
                               v, (double)influence.weight, influence.joint);
        sum += influence.weight;
        *used += influence.weight != 0;
    }
    if (!(sum > 0))
        return grazei_fail(error, GRAZE_BAD_INPUT, "all weights of vertex %u are zero", v);
    return GRAZE_OK;
}

/* *used becomes how many influences there are to keep. */
static graze_status check_influences(const graze_model_def *def, size_t *used, graze_error *error)
{
    *used = 0;
    if (!grazei_has_influences(def)) {
        *used = def->vertex_count;
        return GRAZE_OK;
    }
    graze_status status = check_offsets(def, error);
    for (uint32_t v = 0; !status && v < def->vertex_count; v++)
        status = check_vertex(def, v, used, error);
    return status;
}

static graze_status check_def(grazei_mesh *mesh, const graze_model_def *def, size_t *influences,
                              graze_error *error)
{
    if (!def->positions || def->vertex_count == 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the mesh has no vertices");
    if ((!def->triangles && !def->triangles16) || def->triangle_count == 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the mesh has no triangles");
    if (def->vertex_count > UINT32_MAX / 4 || def->triangle_count > UINT32_MAX / 4)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the mesh has more than 2^30 vertices or "
                           "triangles");
    if (def->joint_count == 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the model has no joints");
    if (def->joint_count > UINT16_MAX)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the model has more than 65535 joints");
    graze_status status = grazei_check_layout(def, error);
    if (!status)
        status = check_same_joints(def, error);
    if (!status)
        status = check_positions(mesh, def, error);
    if (!status)
        status = check_triangles(def, error);
    if (!status)
        status = check_influences(def, influences, error);
    if (!status)
        status =
            check_groups(def->vertex_parts, def->vertex_count, mesh->part_count, "vertex", error);
    if (!status)
        status = check_groups(def->triangle_parts, def->triangle_count, mesh->part_count,
                              "triangle", error);
    return status;
}

/* How many of the influences, ascending by joint, are of joints up to this one. */
static uint32_t influences_up_to(const graze_influence *influences, uint32_t count, uint32_t joint)
{
    uint32_t low = 0, high = count;
    if (count && influences[count - 1].joint <= joint) /* as most lists are ascending */
        return count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (influences[middle].joint <= joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds an influence to those of a vertex, which ascend by joint: lists are short. */
static uint32_t add_influence(graze_influence *list, uint32_t count, graze_influence influence)
{
    if (influence.weight == 0)
        return count;
    uint32_t at = influences_up_to(list, count, influence.joint);
    if (at > 0 && list[at - 1].joint == influence.joint) {
        list[at - 1].weight += influence.weight;
        return count;
    }
    GRAZE_ASSERT(at <= count && (at == count || list[at].joint > influence.joint));
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = influence;
    return count + 1;
}

/* Scales weights to sum 1, unless they were, drops those that vanish in float, and returns |sum -
 * 1| as left.
 */
static uint32_t normalise(graze_influence *influences, uint32_t count, bool scaled, double *error)
{
    double sum = scaled;
    for (uint32_t i = 0; i < count && !scaled; i++)
        sum += influences[i].weight;
    uint32_t used = 0;
    double rounded = 0;
    for (uint32_t i = 0; i < count; i++) {
        float weight = (float)(influences[i].weight / sum);
        if (weight < 0x1p-40f)
            continue;
        influences[used].joint = influences[i].joint;
        influences[used++].weight = weight;
        rounded += weight;
    }
    GRAZE_ASSERT(used > 0 && sum > 0);
    if (used == 1)
        influences[0].weight = 1;
    *error = used == 1 ? 0 : fabs(rounded - 1) + 0x1p-48;
    return used;
}

static void fill_influences(grazei_mesh *mesh, const graze_model_def *def)
{
    uint32_t next = 0;
    double worst = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        graze_influence *to = mesh->influences + next;
        mesh->influence_offsets[v] = next;
        uint32_t used = 1;
        if (grazei_has_influences(def)) {
            uint32_t count = grazei_given_count(def, v);
            double error;
            used = 0;
            for (uint32_t i = 0; i < count; i++)
                used = add_influence(to, used, grazei_given_influence(def, v, i));
            used = normalise(to, used, mesh->takes_weights, &error);
            worst = fmax(worst, error);
        } else {
            to[0] = (graze_influence){0, 1.0f};
        }
        GRAZE_ASSERT(used >= 1);
        if (used > mesh->max_influences)
            mesh->max_influences = used;
        next += used;
    }
    GRAZE_ASSERT(next >= mesh->vertex_count);
    mesh->influence_offsets[mesh->vertex_count] = next;
    mesh->weight_error = grazei_round_up(worst);
}

static void copy_positions_and_triangles(grazei_mesh *mesh, const graze_model_def *def)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        grazei_load_three(def->positions, def->position_stride, v, mesh->positions + 3 * (size_t)v);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t corner = 0; corner < 3; corner++)
            mesh->triangles[3 * (size_t)t + corner] = grazei_given_corner(def, t, corner);
}

static uint32_t dominant_joint(const grazei_mesh *mesh, uint32_t vertex)
{
    uint32_t best = mesh->influence_offsets[vertex];
    for (uint32_t i = best + 1; i < mesh->influence_offsets[vertex + 1]; i++)
        if (mesh->influences[i].weight > mesh->influences[best].weight)
            best = i;
    return mesh->influences[best].joint;
}

/* The joint with the largest weight summed over the corners; the lowest joint wins a tie. The
 * corners' influences, which ascend by joint, are gone through together.
 */
static uint32_t dominant_joint_of_triangle(const grazei_mesh *mesh, const uint32_t corners[3])
{
    const graze_influence *at[3], *end[3];
    for (int c = 0; c < 3; c++) {
        at[c] = mesh->influences + mesh->influence_offsets[corners[c]];
        end[c] = mesh->influences + mesh->influence_offsets[corners[c] + 1];
    }
    uint32_t best_joint = 0;
    float best = -1;
    for (;;) {
        uint32_t joint = UINT32_MAX;
        for (int c = 0; c < 3; c++)
            if (at[c] < end[c] && at[c]->joint < joint)
                joint = at[c]->joint;
        if (joint == UINT32_MAX)
            return best_joint;
        float sum = 0;
        for (int c = 0; c < 3; c++)
            if (at[c] < end[c] && at[c]->joint == joint)
                sum += at[c]++->weight;
        if (sum > best) {
            best = sum;
            best_joint = joint;
        }
    }
}

static void fill_groups(grazei_mesh *mesh, const graze_model_def *def)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        mesh->vertex_parts[v] = def->vertex_parts ? def->vertex_parts[v] : dominant_joint(mesh, v);
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        mesh->triangle_parts[t] =
            def->triangle_parts ? def->triangle_parts[t]
                                : dominant_joint_of_triangle(mesh, mesh->triangles + 3 * (size_t)t);
}

graze_status grazei_mesh_build(grazei_mesh *mesh, const graze_model_def *def,
                               const graze_allocator *allocator, graze_error *error)
{
    mesh->vertex_count = def->vertex_count;
    mesh->triangle_count = def->triangle_count;
    mesh->joint_count = def->joint_count;
    /* A default group is a joint, so unless both kinds are given the joints must have room. */
    bool all_given = def->vertex_parts && def->triangle_parts;
    mesh->part_count =
        all_given || def->part_count > def->joint_count ? def->part_count : def->joint_count;
    size_t influences = 0;
    graze_status status = check_def(mesh, def, &influences, error);
    if (status)
        return status;

    mesh->positions = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->vertex_count, float);
    mesh->triangles = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->triangle_count, uint32_t);
    mesh->influence_offsets = GRAZEI_ALLOCATE(allocator, mesh->vertex_count + 1, uint32_t);
    mesh->influences = GRAZEI_ALLOCATE(allocator, influences, graze_influence);
    mesh->vertex_parts = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    mesh->triangle_parts = GRAZEI_ALLOCATE(allocator, mesh->triangle_count, uint32_t);
    if (!mesh->positions || !mesh->triangles || !mesh->influence_offsets || !mesh->influences ||
        !mesh->vertex_parts || !mesh->triangle_parts)
        return grazei_fail_memory(error);

    copy_positions_and_triangles(mesh, def);
    fill_influences(mesh, def);
    fill_groups(mesh, def);
    if (!grazei_find_joint_sets(mesh, allocator))
        return grazei_fail_memory(error);
    status = grazei_morphs_build(mesh, def, allocator, error);
    if (!status && !grazei_weld(mesh, def->same_joints, allocator))
        status = grazei_fail_memory(error);
    return status ? status : grazei_rest_build(mesh, def, allocator, error);
}

void grazei_mesh_release(grazei_mesh *mesh, const graze_allocator *allocator)
{
    grazei_release(allocator, mesh->positions);
    grazei_release(allocator, mesh->rest_positions);
    grazei_release(allocator, mesh->rest_matrices);
    grazei_release(allocator, mesh->rest_weights);
    grazei_release(allocator, mesh->triangles);
    grazei_release(allocator, mesh->influence_offsets);
    grazei_release(allocator, mesh->influences);
    grazei_release(allocator, mesh->welds);
    grazei_release(allocator, mesh->vertex_parts);
    grazei_release(allocator, mesh->triangle_parts);
    grazei_release(allocator, mesh->vertex_set);
    grazei_release(allocator, mesh->set_offsets);
    grazei_release(allocator, mesh->set_joints);
    grazei_release(allocator, mesh->morph_offsets);
    grazei_release(allocator, mesh->morph_vertices);
    grazei_release(allocator, mesh->morph_deltas);
}
