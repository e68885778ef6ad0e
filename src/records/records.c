/* Writing the record that bounds one node: hulls, weight centres, siblings together. */
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
    r->weight_scratch = GRAZEI_ALLOCATE(allocator, 2 * (size_t)mesh->joint_count, double);
    r->centre = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float);
    r->spread = GRAZEI_ALLOCATE(allocator, mesh->joint_count, float);
    r->sets = GRAZEI_ALLOCATE(allocator, mesh->set_count, uint32_t);
    r->set_marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->set_count, uint8_t);
    r->corners =
        GRAZEI_ALLOCATE(allocator, (GRAZEI_MAX_CORNERS + 1) * GRAZEI_MAX_CORNER_JOINTS, float);
    r->workspace = grazei_grow(allocator, NULL, &r->workspace_rows, (size_t)mesh->joint_count + 3,
                               sizeof *r->workspace);
    return r->vertices && r->scratch && r->followers && r->follower_ends && r->vertex_marks &&
           r->joints && r->slot_of && r->joint_marks && r->weight_scratch && r->centre &&
           r->spread && r->sets && r->set_marks && r->corners && r->workspace;
}

void grazei_recorder_end(grazei_recorder *r)
{
    void *all[] = {r->vertices, r->scratch, r->followers,   r->follower_ends,  r->vertex_marks,
                   r->joints,   r->slot_of, r->joint_marks, r->weight_scratch, r->centre,
                   r->spread,   r->sets,    r->set_marks,   r->corners,        r->workspace};
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
static void number_joints(grazei_recorder *r)
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
    number_joints(r);
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

/* Centre and half-extents of a box given by its corners, safe for the stored floats. */
static void store_box(const float low[3], const float high[3], float centre[3], float half[3])
{
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = (float)(0.5 * ((double)low[axis] + high[axis]));
        half[axis] = grazei_round_up(
            fmax((double)high[axis] - centre[axis], (double)centre[axis] - low[axis]));
    }
}

static void extend_box(float low[3], float high[3], const float position[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = f1_min(low[axis], position[axis]);
        high[axis] = f1_max(high[axis], position[axis]);
    }
}

static void enclose_box(const grazei_recorder *r, float centre[3], float half[3])
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < r->vertex_count; i++)
        extend_box(low, high, r->mesh->positions + 3 * (size_t)r->vertices[i]);
    store_box(low, high, centre, half);
}

/* For every joint, the box of the node's vertices that follow it, in one pass over the vertices. */
static void enclose_boxes(const grazei_recorder *r, float (*rows)[4])
{
    for (uint32_t k = 0; k < r->joint_count; k++)
        for (int axis = 0; axis < 3; axis++) {
            rows[2 * k][axis] = INFINITY;
            rows[2 * k + 1][axis] = -INFINITY;
        }
    for (uint32_t i = 0; i < r->vertex_count; i++)
        for (uint32_t k = r->mesh->influence_offsets[r->vertices[i]];
             k < r->mesh->influence_offsets[r->vertices[i] + 1]; k++) {
            float(*box)[4] = rows + 2 * (size_t)r->slot_of[r->mesh->influences[k].joint];
            extend_box(box[0], box[1], r->mesh->positions + 3 * (size_t)r->vertices[i]);
        }
    for (uint32_t k = 0; k < r->joint_count; k++) {
        float low[3], high[3];
        memcpy(low, rows[2 * k], sizeof low);
        memcpy(high, rows[2 * k + 1], sizeof high);
        store_box(low, high, rows[2 * k], rows[2 * k + 1]);
        rows[2 * k][3] = f4_from_bits(r->joints[k]);
    }
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

bool grazei_record_hull(grazei_recorder *r, uint32_t node, bool spheres, grazei_record *record)
{
    grazei_record_kind kind = spheres ? GRAZEI_SPHERE_HULL : GRAZEI_BOX_HULL;
    float(*rows)[4] =
        grazei_open_record(r, record, kind, 2 * r->joint_count, r->mesh->weight_error);
    if (!rows)
        return false;
    if (!spheres) {
        enclose_boxes(r, rows);
        return true;
    }
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
    grazei_share_centre(first_row, r->joint_count, r->weight_scratch);
    return true;
}

bool grazei_record_centre(grazei_recorder *r, uint32_t node, bool spheres, grazei_record *record)
{
    grazei_weight_spread weights = {.centre = r->centre, .spread = r->spread};
    grazei_spread_weights(&weights, r->mesh, r->vertices, r->vertex_count, r->slot_of,
                          r->joint_count, r->weight_scratch);
    grazei_record_kind kind = spheres ? GRAZEI_SPHERE_CENTRE : GRAZEI_BOX_CENTRE;
    float(*rows)[4] = grazei_open_record(r, record, kind, 2 + r->joint_count, weights.error);
    if (!rows)
        return false;
    if (spheres) {
        memcpy(rows[0], r->tree->spheres[node], sizeof rows[0]);
        rows[1][0] = weights.total;
    } else {
        enclose_box(r, rows[0], rows[1]);
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

/* The joints of several hulls, ascending. */
static void unite_joints(grazei_recorder *r, const grazei_record *hulls, uint32_t count)
{
    r->joint_count = 0;
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t k = 0; k < hulls[s].joints; k++) {
            uint32_t joint = f4_bits(r->skin->rows[hulls[s].first + 2 * k][3]);
            if (!r->joint_marks[joint]) {
                r->joint_marks[joint] = 1;
                r->joints[r->joint_count++] = joint;
            }
        }
    number_joints(r);
}

/* Fills in the boxes of one sibling from its hull. */
static void write_sibling(const grazei_recorder *r, const grazei_record *hull, uint32_t sibling,
                          float *boxes)
{
    const float(*rows)[4] = (const float(*)[4])r->skin->rows + hull->first;
    for (uint32_t k = 0; k < hull->joints; k++, rows += 2) {
        float *box = boxes + 24 * (size_t)r->slot_of[f4_bits(rows[0][3])] + 2 * (size_t)sibling;
        for (int axis = 0; axis < 3; axis++) {
            box[8 * axis] = rows[0][axis];
            box[8 * axis + 1] = rows[1][axis];
        }
    }
}

/* Half-extents of what is not there turn its box inside out, so that it adds nothing. */
static void clear_boxes(float *boxes, uint32_t joints)
{
    for (size_t k = 0; k < 24 * (size_t)joints; k += 2) {
        boxes[k] = 0;
        boxes[k + 1] = -FLT_MAX;
    }
}

/* Whether siblings that share joints enough are bounded faster together. Measured on Zen 4: a joint
 * costs 2.5 times as much for all of them as for one, and a record as much as 6 joints of one node,
 * or 9.5 if it is shared.
 */
static bool pays_together(const grazei_record *hulls, uint32_t count, uint32_t joints)
{
    uint32_t sum = 0;
    for (uint32_t s = 0; s < count; s++)
        sum += hulls[s].joints;
    return 19 + 5 * joints <= 12 * count + 2 * sum;
}

bool grazei_record_siblings(grazei_recorder *r, uint32_t first, uint32_t count, uint32_t start)
{
    grazei_skin *skin = r->skin;
    grazei_record hulls[GRAZEI_MAX_SIBLINGS], record;
    GRAZE_ASSERT(count > 1 && count <= GRAZEI_MAX_SIBLINGS);
    uint32_t end = skin->row_count;
    for (uint32_t s = 0; s < count; s++) {
        grazei_recorder_gather(r, first + s);
        if (!grazei_record_hull(r, first + s, false, &hulls[s]))
            return false;
    }
    unite_joints(r, hulls, count);
    if (!pays_together(hulls, count, r->joint_count)) {
        skin->row_count = end;
        return true;
    }
    start = (start + 1) & ~1u; /* boxes are read 32 bytes at a time */
    uint32_t names = grazei_joint_rows(r->joint_count), total = names + 6 * r->joint_count;
    float(*rows)[4] =
        grazei_open_record(r, &record, GRAZEI_BOX_SIBLINGS, total, r->mesh->weight_error);
    if (!rows)
        return false;
    memcpy(rows, r->joints, r->joint_count * sizeof *r->joints);
    clear_boxes(rows[names], r->joint_count);
    for (uint32_t s = 0; s < count; s++)
        write_sibling(r, &hulls[s], s, rows[names]);
    GRAZE_ASSERT(start % 2 == 0 && start <= record.first);
    memmove(skin->rows + start, rows, total * sizeof *rows);
    skin->row_count = start + total;
    record.first = start;
    record.siblings = (uint8_t)count;
    for (uint32_t s = 0; s < count; s++)
        skin->records[first + s] = record;
    return true;
}
