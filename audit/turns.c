/* Which turns of which joints may take two parts out of each other. */
#include "audit/hint.h"
#include "audit/points.h"

#include <math.h>

enum { MOST_WAYS = 2 };

/* A frame of three axes and an origin: 3 rows of 4. */
typedef struct frame {
    double m[12];
} frame;

static frame local_frame(const graze_rig_node *node, const graze_rig_local *local)
{
    frame f;
    const double *q = local->rotation, *s = local->scale;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 12; i++)
        f.m[i] = node->has_matrix ? (double)node->matrix[i]
                 : i % 4 == 3     ? local->translation[i / 4]
                                  : rows[3 * (i / 4) + i % 4] * s[i % 4];
    return f;
}

static frame product(const frame *a, const frame *b)
{
    frame f;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            f.m[4 * row + column] = column == 3 ? a->m[4 * row + 3] : 0;
            for (int k = 0; k < 3; k++)
                f.m[4 * row + column] += a->m[4 * row + k] * b->m[4 * k + column];
        }
    return f;
}

static frame global_frame(const graze_rig *rig, const graze_rig_local *locals, uint32_t node)
{
    frame f = local_frame(&rig->nodes[node], &locals[node]);
    while ((node = rig->nodes[node].parent) != GRAZE_NONE) {
        frame above = local_frame(&rig->nodes[node], &locals[node]);
        f = product(&above, &f);
    }
    return f;
}

/* ---- which joints --------------------------------------------------------------------------- */

static uint32_t main_joint(const graze_rig *rig, uint32_t vertex)
{
    const graze_influence *most = NULL;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++)
        if (!most || rig->influences[i].weight > most->weight)
            most = &rig->influences[i];
    return most ? most->joint : GRAZE_NONE;
}

/* The node of the joint that most of the triangles follow with which a part meets the other. */
static uint32_t node_of_side(const grazei_audit_worker *worker, const grazei_group *group, int side,
                             uint32_t *counts)
{
    const graze_rig *rig = worker->subject->rig;
    const graze_pair *pairs = (const graze_pair *)worker->pairs.items + group->first;
    uint32_t best = GRAZE_NONE;
    for (uint32_t j = 0; j < rig->joint_count; j++)
        counts[j] = 0;
    for (uint32_t i = 0; i < group->count; i++)
        for (int c = 0; c < 3; c++) {
            uint32_t triangle = side ? pairs[i].b : pairs[i].a;
            uint32_t joint = main_joint(rig, grazei_corners(worker->subject, triangle)[c]);
            if (joint != GRAZE_NONE)
                counts[joint]++;
        }
    for (uint32_t j = 0; j < rig->joint_count; j++)
        if (counts[j] && (best == GRAZE_NONE || counts[j] > counts[best]))
            best = j;
    return best == GRAZE_NONE ? GRAZE_NONE : rig->joints[best].node;
}

/* Whether a node is another or above it. */
static bool carries(const graze_rig *rig, uint32_t node, uint32_t other)
{
    while (other != node && other != GRAZE_NONE)
        other = rig->nodes[other].parent;
    return other == node;
}

/* ---- about which axes ----------------------------------------------------------------------- */

static point corner_sum(const grazei_audit_worker *worker, uint32_t triangle, point *normal)
{
    const float *corners[3];
    grazei_audit_posed_triangle(worker, triangle, corners);
    const point a = point_of(corners[0]), b = point_of(corners[1]), c = point_of(corners[2]);
    *normal = unit(cross(minus(b, a), minus(c, a)));
    return plus(plus(a, 1, b), 1, c);
}

/* Where the parts meet, and ways along which they come apart: from the deepest point to the nearest
 * one of the other surface, and the mean normal there. Returns how many.
 */
static int find_ways(grazei_audit_worker *worker, const grazei_group *group, const float deepest[3],
                     point *middle, point ways[MOST_WAYS])
{
    const graze_pair *pairs = (const graze_pair *)worker->pairs.items + group->first;
    const double at[3] = {(double)deepest[0], (double)deepest[1], (double)deepest[2]};
    grazei_nearest nearest[2];
    point normals = {0, 0, 0}, sum = {0, 0, 0}, normal;
    int count = 0;
    for (uint32_t i = 0; i < group->count; i++)
        for (int side = 0; side < 2; side++) {
            sum = plus(sum, 1, corner_sum(worker, side ? pairs[i].b : pairs[i].a, &normal));
            normals = plus(normals, side ? 1 : -1, normal);
        }
    *middle = plus((point){0, 0, 0}, 1.0 / (6.0 * group->count), sum);
    if (dot(normals, normals) > 0)
        ways[count++] = unit(normals);
    if (grazei_find_nearest(worker, group->parts[0], at, GRAZE_NONE, GRAZE_NONE, &nearest[0]) &&
        grazei_find_nearest(worker, group->parts[1], at, GRAZE_NONE, GRAZE_NONE, &nearest[1])) {
        const int other = nearest[1].distance2 >= nearest[0].distance2;
        if (nearest[other].distance2 > 0)
            ways[count++] = unit(minus(point_at(nearest[other].point), point_at(at)));
    }
    return count;
}

static bool add_turn(const grazei_audit_worker *worker, uint32_t node, point axis,
                     grazei_audit_list *turns)
{
    grazei_turn *turn = grazei_audit_add(&worker->allocator, turns, sizeof *turn);
    if (turn)
        *turn = (grazei_turn){node, {axis.x, axis.y, axis.z}};
    return turn != NULL;
}

/* About the node's own axes, and so that the place where parts meet goes along each of the ways. */
static bool add_node(const grazei_audit_worker *worker, uint32_t node,
                     const graze_rig_local *locals, point middle, const point *ways, int way_count,
                     grazei_audit_list *turns)
{
    const frame f = global_frame(worker->subject->rig, locals, node);
    const point lever = minus(middle, (point){f.m[3], f.m[7], f.m[11]});
    bool good = add_turn(worker, node, (point){1, 0, 0}, turns) &&
                add_turn(worker, node, (point){0, 1, 0}, turns) &&
                add_turn(worker, node, (point){0, 0, 1}, turns);
    for (int w = 0; good && w < way_count; w++) {
        const point axis = cross(lever, ways[w]);
        const point own = {f.m[0] * axis.x + f.m[4] * axis.y + f.m[8] * axis.z,
                           f.m[1] * axis.x + f.m[5] * axis.y + f.m[9] * axis.z,
                           f.m[2] * axis.x + f.m[6] * axis.y + f.m[10] * axis.z};
        if (dot(axis, axis) > 1e-6 * dot(lever, lever) && dot(own, own) > 0)
            good = add_turn(worker, node, unit(own), turns);
    }
    return good;
}

bool grazei_audit_turns(grazei_audit_worker *worker, const grazei_group *group,
                        const float deepest[3], const graze_rig_local *locals,
                        grazei_audit_list *turns)
{
    const graze_rig *rig = worker->subject->rig;
    uint32_t *counts = grazei_audit_room(&worker->allocator, rig->joint_count, sizeof *counts);
    point middle, ways[MOST_WAYS];
    bool good = counts != NULL;
    const int way_count = find_ways(worker, group, deepest, &middle, ways);
    uint32_t nodes[2] = {GRAZE_NONE, GRAZE_NONE};
    for (int side = 0; good && side < 2; side++)
        nodes[side] = node_of_side(worker, group, side, counts);
    for (int side = 0; good && side < 2; side++)
        for (uint32_t node = nodes[side];
             good && node != GRAZE_NONE && !carries(rig, node, nodes[1 - side]);
             node = rig->nodes[node].parent)
            if (!rig->nodes[node].has_matrix)
                good = add_node(worker, node, locals, middle, ways, way_count, turns);
    grazei_audit_release(&worker->allocator, counts);
    return good;
}
