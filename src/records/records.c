/* Writing the record that bounds one node: balls, weight centres. Boxes are in hulls.c. */
#include "records/records.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "tree/ball.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool grazei_recorder_start(grazei_recorder *r, grazei_skin *skin, const grazei_mesh *mesh,
                           const grazei_tree *tree, const graze_allocator *allocator)
{
    r->skin = skin;
    r->mesh = mesh;
    r->tree = tree;
    r->allocator = allocator;
    r->vertices = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    r->scratch = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    r->followers =
        GRAZEI_ALLOCATE(allocator, mesh->influence_offsets[mesh->vertex_count], uint32_t);
    r->follower_ends = GRAZEI_ALLOCATE(allocator, mesh->joint_count, uint32_t);
    r->vertex_marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    r->joints = GRAZEI_ALLOCATE(allocator, mesh->joint_count, uint32_t);
    r->slot_of = GRAZEI_ALLOCATE(allocator, mesh->joint_count, uint32_t);
    r->joint_marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->joint_count, uint8_t);
    r->shares = GRAZEI_ALLOCATE(allocator, mesh->joint_count, double);
    r->room = (grazei_weight_room){.allocator = allocator};
    r->centre = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float);
    r->spread = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float);
    r->sets = GRAZEI_ALLOCATE(allocator, mesh->set_count, uint32_t);
    r->set_marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->set_count, uint8_t);
    r->corners =
        GRAZEI_ALLOCATE(allocator, (GRAZEI_MAX_CORNERS + 1) * GRAZEI_MAX_CORNER_JOINTS, float);
    r->workspace = grazei_grow(allocator, NULL, &r->workspace_rows, (size_t)mesh->joint_count + 3,
                               sizeof *r->workspace);
    return r->vertices && r->scratch && r->followers && r->follower_ends && r->vertex_marks &&
           r->joints && r->slot_of && r->joint_marks && r->shares && r->centre && r->spread &&
           r->sets && r->set_marks && r->corners && r->workspace;
}

void grazei_recorder_end(grazei_recorder *r)
{
    void *all[] = {r->vertices, r->scratch,  r->followers,   r->follower_ends, r->vertex_marks,
                   r->joints,   r->slot_of,  r->joint_marks, r->shares,        r->centre,
                   r->spread,   r->sets,     r->set_marks,   r->corners,       r->workspace,
                   r->open,     r->room.rows};
    grazei_hulls_release(&r->hulls, r->allocator);
    grazei_recorder_release_examples(r);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(r->allocator, all[i]);
}

static void sort_numbers(uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t number = numbers[i], at = i;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/* Sorts the joints, which are marked; many of them by going through all marks. */
void grazei_recorder_number_joints(grazei_recorder *r)
{
    uint32_t all = r->mesh->joint_count;
    if ((uint64_t)r->joint_count * r->joint_count > 4 * (uint64_t)all) {
        r->joint_count = 0;
        for (uint32_t joint = 0; joint < all; joint++)
            if (r->joint_marks[joint])
                r->joints[r->joint_count++] = joint;
    } else {
        sort_numbers(r->joints, r->joint_count);
    }
    for (uint32_t k = 0; k < r->joint_count; k++) {
        r->joint_marks[r->joints[k]] = 0;
        r->slot_of[r->joints[k]] = k;
        GRAZE_ASSERT(k == 0 || r->joints[k] > r->joints[k - 1]);
    }
}

void grazei_recorder_gather(grazei_recorder *r, uint32_t node)
{
    const grazei_mesh *mesh = r->mesh;
    r->vertex_count = grazei_tree_vertices(r->tree, mesh, r->tree->node_triangles[node],
                                           r->vertex_marks, r->vertices);
    r->joint_count = 0;
    r->max_influences = 0;
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        uint32_t first = mesh->influence_offsets[r->vertices[i]];
        uint32_t end = mesh->influence_offsets[r->vertices[i] + 1];
        if (end - first > r->max_influences)
            r->max_influences = end - first;
        for (uint32_t k = first; k < end; k++) {
            uint32_t joint = mesh->influences[k].joint;
            if (!r->joint_marks[joint]) {
                r->joint_marks[joint] = 1;
                r->joints[r->joint_count++] = joint;
            }
        }
    }
    GRAZE_ASSERT(r->vertex_count > 0 && r->max_influences > 0);
    grazei_recorder_number_joints(r);
}

float (*grazei_open_record(grazei_recorder *r, grazei_record *record, grazei_record_kind kind,
                           uint32_t rows, float weight_error))[4]
{
    grazei_skin *skin = r->skin;
    float(*all)[4] = grazei_grow(r->allocator, skin->rows, &r->row_capacity,
                                 (size_t)skin->row_count + rows, sizeof *all);
    if (!all)
        return NULL;
    skin->rows = all;
    record->first = skin->row_count;
    record->joints = (uint16_t)r->joint_count;
    record->kind = (uint8_t)kind;
    record->siblings = 1;
    /* docs/bounds.md, "Rounding": n_v influences a vertex, n joints in the node. */
    double counted = (double)r->mesh->max_influences + r->joint_count + 16;
    record->error = grazei_round_up(counted * GRAZEI_UNIT + 5.0 * weight_error);
    skin->row_count += rows;
    GRAZE_ASSERT(r->joint_count > 0 && r->joint_count <= r->mesh->joint_count);
    memset(all + record->first, 0, rows * sizeof *all);
    return all + record->first;
}

static grazei_ball_float enclose_ball(grazei_recorder *r, const uint32_t *vertices, uint32_t count)
{
    grazei_ball ball = grazei_ball_enclose(r->mesh->positions, vertices, count, r->scratch);
    return grazei_ball_round(&ball, r->mesh->positions, vertices, count);
}

/* Files the node's vertices under the joints they follow: those of the joint in slot k end at
 * follower_ends[k], where the next one's begin.
 */
static void sort_followers(grazei_recorder *r)
{
    const grazei_mesh *mesh = r->mesh;
    memset(r->follower_ends, 0, r->joint_count * sizeof *r->follower_ends);
    for (uint32_t i = 0; i < r->vertex_count; i++)
        for (uint32_t k = mesh->influence_offsets[r->vertices[i]];
             k < mesh->influence_offsets[r->vertices[i] + 1]; k++)
            r->follower_ends[r->slot_of[mesh->influences[k].joint]]++;
    for (uint32_t k = 0, next = 0; k < r->joint_count; k++) {
        uint32_t count = r->follower_ends[k];
        r->follower_ends[k] = next;
        next += count;
    }
    for (uint32_t i = 0; i < r->vertex_count; i++)
        for (uint32_t k = mesh->influence_offsets[r->vertices[i]];
             k < mesh->influence_offsets[r->vertices[i] + 1]; k++)
            r->followers[r->follower_ends[r->slot_of[mesh->influences[k].joint]]++] =
                r->vertices[i];
}

/* How far the balls of a hull reach from a point, and which reaches farthest. */
static double reach_of(const float (*rows)[4], uint32_t count, const double at[3], uint32_t *which)
{
    double most = -1;
    for (uint32_t k = 0; k < count; k++) {
        double x = rows[2 * k][0] - at[0], y = rows[2 * k][1] - at[1], z = rows[2 * k][2] - at[2];
        double reach = sqrt(x * x + y * y + z * z) + rows[2 * k][3];
        if (reach > most) {
            most = reach;
            *which = k;
        }
    }
    return most;
}

/* By steps of 1/(i+1) towards the farthest, from the mean on; the best point met is kept. A mean
 * alone is far off where one joint has nearly all of a node, and others a corner of it.
 */
void grazei_share_centre(float (*rows)[4], uint32_t count, double *shares)
{
    double best = INFINITY;
    for (uint32_t k = 0; k < count; k++)
        shares[k] = 1.0 / count;
    for (uint32_t i = count; i < count + 40; i++) {
        double at[3] = {0, 0, 0};
        uint32_t farthest = 0;
        for (uint32_t k = 0; k < count; k++)
            for (int axis = 0; axis < 3; axis++)
                at[axis] += shares[k] * rows[2 * k][axis];
        double reach = reach_of((const float(*)[4])rows, count, at, &farthest);
        for (uint32_t k = 0; k < count && reach < best; k++)
            rows[2 * k + 1][1] = (float)shares[k];
        best = fmin(best, reach);
        for (uint32_t k = 0; k < count; k++)
            shares[k] *= 1 - 1.0 / (i + 1);
        shares[farthest] += 1.0 / (i + 1);
    }
}

bool grazei_record_balls(grazei_recorder *r, uint32_t node, grazei_record *record)
{
    float(*rows)[4] = grazei_open_record(r, record, GRAZEI_SPHERE_HULL, 2 * r->joint_count,
                                         r->mesh->weight_error);
    if (!rows)
        return false;
    if (r->joint_count == 1) {
        memcpy(rows[0], r->tree->spheres[node], sizeof rows[0]);
        rows[1][0] = f4_from_bits(r->joints[0]);
        rows[1][1] = 1;
        return true;
    }
    float(*first_row)[4] = rows;
    sort_followers(r);
    for (uint32_t k = 0; k < r->joint_count; k++, rows += 2) {
        uint32_t first = k ? r->follower_ends[k - 1] : 0;
        grazei_ball_float ball = enclose_ball(r, r->followers + first, r->follower_ends[k] - first);
        memcpy(rows[0], ball.centre, sizeof ball.centre);
        rows[0][3] = ball.radius;
        rows[1][0] = f4_from_bits(r->joints[k]);
    }
    grazei_share_centre(first_row, r->joint_count, r->shares);
    return true;
}

bool grazei_record_centre(grazei_recorder *r, uint32_t node, bool spheres, grazei_record *record)
{
    grazei_weight_spread weights = {.centre = r->centre, .spread = r->spread};
    if (!grazei_spread_weights(&weights, &r->room, r->mesh, r->vertices, r->vertex_count,
                               r->slot_of, r->joint_count))
        return false;
    grazei_record_kind kind = spheres ? GRAZEI_SPHERE_CENTRE : GRAZEI_BOX_CENTRE;
    float(*rows)[4] = grazei_open_record(r, record, kind, 2 + r->joint_count, weights.error);
    if (!rows)
        return false;
    if (spheres) {
        memcpy(rows[0], r->tree->spheres[node], sizeof rows[0]);
        rows[1][0] = weights.total;
    } else {
        grazei_store_box(&r->hulls.nodes[node].whole, rows[0], rows[1]);
        rows[0][3] = 0.5f * weights.total;
    }
    for (uint32_t k = 0; k < r->joint_count; k++) {
        rows[2 + k][0] = f4_from_bits(r->joints[k]);
        rows[2 + k][1] = weights.centre[k];
        rows[2 + k][2] = weights.spread[k];
    }
    return true;
}

uint32_t grazei_recorder_sets(grazei_recorder *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->vertex_count; i++) {
        uint32_t set = r->mesh->vertex_set[r->vertices[i]];
        if (!r->set_marks[set]) {
            r->set_marks[set] = 1;
            r->sets[count++] = set;
        }
    }
    GRAZE_ASSERT(count > 0 && count <= r->mesh->set_count);
    for (uint32_t i = 0; i < count; i++)
        r->set_marks[r->sets[i]] = 0;
    return count;
}
