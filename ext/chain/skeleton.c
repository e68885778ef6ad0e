/* Joints as a tree, by nesting where that is known, and by where their skin is. */
#include "base/memory.h"
#include "chain/regions.h"
#include "hitbox/points.h"
#include "math/vector.h"

#include <string.h>

/* What is needed only while a skeleton is made. */
typedef struct maker {
    grazei_skeleton *skeleton;
    const grazei_mesh *mesh;
    double *areas; /* one a vertex: a third of its triangles' */
} maker;

double grazei_skeleton_reach(const grazei_skeleton *skeleton, uint32_t joint)
{
    const grazei_joint *j = &skeleton->joints[joint];
    if (j->parent == GRAZE_NONE)
        return j->reach;
    return grazei_distance(j->at, skeleton->joints[j->parent].at) + j->reach;
}

/* ---- skin ----------------------------------------------------------------------------------- */

static void measure_areas(maker *m)
{
    const grazei_mesh *mesh = m->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        double p[3][3], u[3], v[3], n[3];
        for (int k = 0; k < 3; k++)
            grazei_position(m->skeleton->positions, corners[k], p[k]);
        grazei_along(p[1], -1, p[0], u);
        grazei_along(p[2], -1, p[0], v);
        grazei_cross(u, v, n);
        for (int k = 0; k < 3; k++)
            m->areas[corners[k]] += grazei_length(n) / 6;
    }
}

static void measure_joints(maker *m)
{
    const grazei_mesh *mesh = m->mesh;
    grazei_joint *joints = m->skeleton->joints;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double at[3];
        float most = -1;
        grazei_position(m->skeleton->positions, v, at);
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++) {
            const graze_influence *influence = &mesh->influences[i];
            double share = m->areas[v] * (double)influence->weight;
            grazei_joint *joint = &joints[influence->joint];
            grazei_along(joint->centre, share, at, joint->centre);
            joint->area += share;
            if (influence->weight > most) {
                most = influence->weight;
                m->skeleton->dominant[v] = influence->joint;
            }
        }
        if (m->areas[v] > 0)
            joints[m->skeleton->dominant[v]].has_skin = true;
    }
    for (uint32_t j = 0; j < m->skeleton->count; j++)
        for (int k = 0; k < 3 && joints[j].area > 0; k++)
            joints[j].centre[k] /= joints[j].area;
}

/* ---- nesting -------------------------------------------------------------------------------- */

/* Joints without skin whose skin is another joint's right below, as where a rigid mesh hangs from a
 * bone, or where a file has a bone once for each of several skins: that joint, with the most skin.
 */
static void find_stand_ins(const grazei_skeleton *s, const graze_part_names *parts,
                           uint32_t *stand_ins, uint8_t *has_child)
{
    memset(has_child, 0, s->count);
    for (uint32_t j = 0; j < s->count; j++) {
        uint32_t above = graze_part_parent(parts, j);
        stand_ins[j] = GRAZE_NONE;
        if (above != GRAZE_NONE)
            has_child[above] = 1;
    }
    for (uint32_t j = 0; j < s->count; j++) {
        uint32_t above = graze_part_parent(parts, j);
        if (s->joints[j].has_skin && !has_child[j] && above != GRAZE_NONE &&
            !s->joints[above].has_skin &&
            (stand_ins[above] == GRAZE_NONE ||
             s->joints[j].area > s->joints[stand_ins[above]].area))
            stand_ins[above] = j;
    }
}

/* The nearest joint above with skin of its own, or one that stands in for it. */
static uint32_t parent_with_skin(const grazei_skeleton *s, const graze_part_names *parts,
                                 const uint32_t *stand_ins, uint32_t joint)
{
    for (uint32_t at = graze_part_parent(parts, joint); at != GRAZE_NONE;
         at = graze_part_parent(parts, at)) {
        if (s->joints[at].has_skin)
            return at;
        if (stand_ins[at] != GRAZE_NONE && stand_ins[at] != joint)
            return stand_ins[at];
    }
    return GRAZE_NONE;
}

static bool take_nesting(grazei_skeleton *s, const graze_part_names *parts)
{
    uint32_t *stand_ins = GRAZEI_ALLOCATE(s->allocator, s->count, uint32_t);
    uint8_t *has_child = GRAZEI_ALLOCATE(s->allocator, s->count, uint8_t);
    bool room = stand_ins && has_child;
    if (room)
        find_stand_ins(s, parts, stand_ins, has_child);
    for (uint32_t j = 0; room && j < s->count; j++)
        if (s->joints[j].has_skin)
            s->joints[j].parent = parent_with_skin(s, parts, stand_ins, j);
    grazei_release(s->allocator, stand_ins);
    grazei_release(s->allocator, has_child);
    return room;
}

/* The top of the tree that each joint with skin is in. */
static void find_tops(const grazei_skeleton *s, uint32_t *tops)
{
    for (uint32_t j = 0; j < s->count; j++)
        tops[j] = GRAZE_NONE;
    for (uint32_t j = 0; j < s->count; j++) {
        uint32_t top = j;
        while (tops[top] == GRAZE_NONE && s->joints[top].parent != GRAZE_NONE)
            top = s->joints[top].parent;
        top = tops[top] == GRAZE_NONE ? top : tops[top];
        for (uint32_t at = j; tops[at] == GRAZE_NONE && at != top; at = s->joints[at].parent)
            tops[at] = top;
        tops[top] = top;
    }
}

/* The top with the most skin below it. */
static uint32_t find_root(const grazei_skeleton *s, const uint32_t *tops, double *areas)
{
    uint32_t root = GRAZE_NONE;
    memset(areas, 0, s->count * sizeof *areas);
    for (uint32_t j = 0; j < s->count; j++)
        if (s->joints[j].has_skin)
            areas[tops[j]] += s->joints[j].area;
    for (uint32_t j = 0; j < s->count; j++)
        if (s->joints[j].has_skin && s->joints[j].parent == GRAZE_NONE &&
            (root == GRAZE_NONE || areas[j] > areas[root]))
            root = j;
    return root;
}

/* Trees of their own beside the main one. */
typedef struct strays {
    uint32_t *tops;      /* one a joint */
    double *areas;       /* one a joint */
    double *distances;   /* one a joint: of a stray top from the main tree's skin */
    uint32_t *from, *to; /* vertices: of the stray, of the main tree */
    double (*at)[3];     /* the main tree's vertices */
    uint32_t *numbers;
} strays;

/* How near each stray is to the skin below the root; false: out of memory. */
static bool measure_strays(const maker *m, strays *r)
{
    const grazei_skeleton *s = m->skeleton;
    uint32_t count = 0;
    grazei_points points = {.at = NULL};
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++)
        if (m->areas[v] > 0 && r->tops[s->dominant[v]] == s->root) {
            r->numbers[count] = v;
            grazei_position(s->positions, v, r->at[count++]);
        }
    if (!grazei_points_build(&points, (const double(*)[3])r->at, count, s->allocator))
        return false;
    for (uint32_t j = 0; j < s->count; j++)
        r->distances[j] = 1e300;
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
        double p[3];
        uint32_t top = r->tops[s->dominant[v]];
        if (!(m->areas[v] > 0) || top == s->root)
            continue;
        grazei_position(s->positions, v, p);
        uint32_t found = grazei_points_nearest(&points, p, r->distances[top]);
        if (found == UINT32_MAX)
            continue;
        r->distances[top] = grazei_distance(p, r->at[found]);
        r->from[top] = v;
        r->to[top] = r->numbers[found];
    }
    grazei_release(s->allocator, points.order);
    return true;
}

/* Turns the tree that a joint is in upside down, so that the joint is its top. */
static void make_top(grazei_skeleton *s, uint32_t joint)
{
    uint32_t above = GRAZE_NONE;
    while (joint != GRAZE_NONE) {
        uint32_t next = s->joints[joint].parent;
        s->joints[joint].parent = above;
        above = joint;
        joint = next;
    }
}

/* Hangs trees of their own, such as feet that are placed by themselves, where their skin is nearest
 * to the main one's; the nearest first, with all that are about as near.
 */
static bool attach_strays(maker *m, strays *r)
{
    grazei_skeleton *s = m->skeleton;
    for (;;) {
        double least = 1e300;
        uint32_t count = 0;
        find_tops(s, r->tops);
        for (uint32_t j = 0; j < s->count; j++)
            count += s->joints[j].has_skin && r->tops[j] != s->root;
        if (!count)
            return true;
        if (!measure_strays(m, r))
            return false;
        for (uint32_t j = 0; j < s->count; j++)
            least = fmin(least, r->distances[j]);
        for (uint32_t j = 0; j < s->count; j++) {
            if (!(r->distances[j] < 1e300) || r->distances[j] > 1.5 * least)
                continue;
            uint32_t joint = s->dominant[r->from[j]];
            make_top(s, joint);
            s->joints[joint].parent = s->dominant[r->to[j]];
        }
    }
}

/* Finds the root, and makes one tree of all. */
static bool join_trees(maker *m)
{
    grazei_skeleton *s = m->skeleton;
    const graze_allocator *a = s->allocator;
    strays r = {.tops = GRAZEI_ALLOCATE(a, s->count, uint32_t)};
    r.areas = GRAZEI_ALLOCATE(a, s->count, double);
    r.distances = GRAZEI_ALLOCATE(a, s->count, double);
    r.from = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    r.to = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    r.at = grazei_allocate(a, m->mesh->vertex_count, sizeof *r.at);
    r.numbers = GRAZEI_ALLOCATE(a, m->mesh->vertex_count, uint32_t);
    bool room = r.tops && r.areas && r.distances && r.from && r.to && r.at && r.numbers;
    if (room) {
        find_tops(s, r.tops);
        s->root = find_root(s, r.tops, r.areas);
    }
    if (room && s->root != GRAZE_NONE)
        room = attach_strays(m, &r);
    void *const all[] = {r.tops, r.areas, r.distances, r.from, r.to, r.at, r.numbers};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(a, all[i]);
    return room;
}

/* Without nesting: joints that share the most skin hang together, the widest connections first
 * (a spanning tree, Prim's), from the joint whose skin is nearest to the middle.
 */
static bool guess_nesting(maker *m)
{
    grazei_skeleton *s = m->skeleton;
    const grazei_mesh *mesh = m->mesh;
    uint32_t count = s->count, last = GRAZE_NONE;
    double middle[3] = {0}, area = 0, least = 1e300;
    double *best = GRAZEI_ALLOCATE_ZERO(s->allocator, count, double);
    double *shared = GRAZEI_ALLOCATE_ZERO(s->allocator, count, double);
    uint8_t *is_in = GRAZEI_ALLOCATE_ZERO(s->allocator, count, uint8_t);
    bool room = best && shared && is_in;
    for (uint32_t j = 0; j < count; j++) {
        grazei_along(middle, s->joints[j].area, s->joints[j].centre, middle);
        area += s->joints[j].area;
    }
    for (int k = 0; k < 3 && area > 0; k++)
        middle[k] /= area;
    for (uint32_t j = 0; room && j < count; j++)
        if (s->joints[j].has_skin && grazei_distance(s->joints[j].centre, middle) < least) {
            least = grazei_distance(s->joints[j].centre, middle);
            last = j;
        }
    while (room && last != GRAZE_NONE) {
        is_in[last] = 1;
        memset(shared, 0, count * sizeof *shared);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            double own = 0;
            for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++)
                if (mesh->influences[i].joint == last)
                    own = m->areas[v] * (double)mesh->influences[i].weight;
            for (uint32_t i = mesh->influence_offsets[v];
                 own > 0 && i < mesh->influence_offsets[v + 1]; i++)
                shared[mesh->influences[i].joint] += own * (double)mesh->influences[i].weight;
        }
        uint32_t next = GRAZE_NONE;
        for (uint32_t j = 0; j < count; j++) {
            if (is_in[j] || !s->joints[j].has_skin)
                continue;
            if (shared[j] > best[j]) {
                best[j] = shared[j];
                s->joints[j].parent = last;
            }
            if (best[j] > 0 && (next == GRAZE_NONE || best[j] > best[next]))
                next = j;
        }
        last = next;
    }
    grazei_release(s->allocator, best);
    grazei_release(s->allocator, shared);
    grazei_release(s->allocator, is_in);
    return room;
}

static void list_children(grazei_skeleton *s)
{
    for (uint32_t j = s->count; j-- > 0;) {
        grazei_joint *joint = &s->joints[j];
        if (!joint->has_skin || joint->parent == GRAZE_NONE)
            continue;
        joint->next_sibling = s->joints[joint->parent].first_child;
        s->joints[joint->parent].first_child = j;
    }
    s->order_count = 0;
    if (s->root != GRAZE_NONE)
        s->order[s->order_count++] = s->root;
    for (uint32_t i = 0; i < s->order_count; i++)
        for (uint32_t c = s->joints[s->order[i]].first_child; c != GRAZE_NONE;
             c = s->joints[c].next_sibling)
            s->order[s->order_count++] = c;
}

/* ---- places --------------------------------------------------------------------------------- */

static double weight_of(const grazei_mesh *mesh, uint32_t vertex, uint32_t joint)
{
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1]; i++)
        if (mesh->influences[i].joint == joint)
            return (double)mesh->influences[i].weight;
    return 0;
}

/* Where joints turn: the middle of the skin that a joint shares with its parent; where there is
 * none, its skin's point nearest to the parent's.
 */
static bool place_joints(maker *m)
{
    grazei_skeleton *s = m->skeleton;
    const grazei_mesh *mesh = m->mesh;
    double *sums = GRAZEI_ALLOCATE_ZERO(s->allocator, s->count, double);
    double *nearest = GRAZEI_ALLOCATE(s->allocator, s->count, double);
    uint32_t *vertices = GRAZEI_ALLOCATE_ZERO(s->allocator, s->count, uint32_t);
    bool room = sums && nearest && vertices;
    for (uint32_t j = 0; room && j < s->count; j++)
        nearest[j] = 1e300;
    for (uint32_t v = 0; room && v < mesh->vertex_count; v++) {
        double p[3];
        uint32_t own = s->dominant[v], above = s->joints[own].parent;
        grazei_position(m->skeleton->positions, v, p);
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++) {
            grazei_joint *joint = &s->joints[mesh->influences[i].joint];
            if (joint->parent == GRAZE_NONE)
                continue;
            double share = m->areas[v] * (double)mesh->influences[i].weight *
                           weight_of(mesh, v, joint->parent);
            grazei_along(joint->at, share, p, joint->at);
            sums[mesh->influences[i].joint] += share;
        }
        if (above != GRAZE_NONE && m->areas[v] > 0 &&
            grazei_distance(p, s->joints[above].centre) < nearest[own]) {
            nearest[own] = grazei_distance(p, s->joints[above].centre);
            vertices[own] = v;
        }
    }
    for (uint32_t j = 0; room && j < s->count; j++) {
        grazei_joint *joint = &s->joints[j];
        if (joint->parent == GRAZE_NONE)
            memcpy(joint->at, joint->centre, sizeof joint->at);
        else if (sums[j] > 1e-3 * joint->area)
            for (int k = 0; k < 3; k++)
                joint->at[k] /= sums[j];
        else
            grazei_position(m->skeleton->positions, vertices[j], joint->at);
    }
    grazei_release(s->allocator, sums);
    grazei_release(s->allocator, nearest);
    grazei_release(s->allocator, vertices);
    return room;
}

static void measure_reach(maker *m)
{
    grazei_skeleton *s = m->skeleton;
    for (uint32_t v = 0; v < m->mesh->vertex_count; v++) {
        double p[3];
        grazei_joint *joint = &s->joints[s->dominant[v]];
        grazei_position(m->skeleton->positions, v, p);
        if (m->areas[v] > 0)
            joint->reach = fmax(joint->reach, grazei_distance(p, joint->at));
    }
    for (uint32_t i = s->order_count; i-- > 1;) {
        grazei_joint *above = &s->joints[s->joints[s->order[i]].parent];
        above->reach = fmax(above->reach, grazei_skeleton_reach(s, s->order[i]));
    }
}

/* ---- life ----------------------------------------------------------------------------------- */

static bool make(maker *m, const graze_part_names *parts)
{
    grazei_skeleton *s = m->skeleton;
    measure_areas(m);
    measure_joints(m);
    for (uint32_t j = 0; j < s->count; j++)
        s->joints[j].parent = s->joints[j].first_child = s->joints[j].next_sibling = GRAZE_NONE;
    if (!(parts ? take_nesting(s, parts) : guess_nesting(m)))
        return false;
    if (!join_trees(m))
        return false;
    if (s->root == GRAZE_NONE)
        return true;
    list_children(s);
    if (!place_joints(m))
        return false;
    measure_reach(m);
    return true;
}

bool grazei_skeleton_make(grazei_skeleton *skeleton, const grazei_regions *regions,
                          const graze_part_names *parts)
{
    const graze_model *model = regions->model;
    const graze_allocator *a = &model->allocator;
    maker m = {skeleton, &model->mesh, NULL};
    *skeleton = (grazei_skeleton){.model = model,
                                  .positions = regions->positions,
                                  .allocator = a,
                                  .count = model->mesh.joint_count,
                                  .root = GRAZE_NONE};
    skeleton->joints = GRAZEI_ALLOCATE_ZERO(a, skeleton->count, grazei_joint);
    skeleton->order = GRAZEI_ALLOCATE(a, skeleton->count, uint32_t);
    skeleton->dominant = GRAZEI_ALLOCATE_ZERO(a, model->mesh.vertex_count, uint32_t);
    m.areas = GRAZEI_ALLOCATE_ZERO(a, model->mesh.vertex_count, double);
    bool made =
        skeleton->joints && skeleton->order && skeleton->dominant && m.areas && make(&m, parts);
    grazei_release(a, m.areas);
    return made;
}

void grazei_skeleton_release(grazei_skeleton *skeleton)
{
    grazei_release(skeleton->allocator, skeleton->joints);
    grazei_release(skeleton->allocator, skeleton->order);
    grazei_release(skeleton->allocator, skeleton->dominant);
}
