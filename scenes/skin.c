/* Weights by soft cuts down the skeleton.
 *
 * At each joint a branch is cut off its parent: a vertex is handed on to the branch by a smooth
 * step of how much nearer it is to the branch's capsules than to the parent's own. What is not
 * handed on stays with the parent. A second, much narrower step keeps branches apart that merely
 * come close, such as legs or fingers.
 */
#include "scenes/skin.h"

#include <string.h>

static const double softness = 0.75;      /* half width of a cut, relative to the joint's radius */
static const double hardness = 0.15;      /* the same between branches */
static const double least_weight = 0.004; /* less is left out */

typedef struct binder {
    const grazei_synth_skeleton *skeleton;
    grazei_synth_shape capsules[GRAZEI_SYNTH_MAX_JOINTS];
} binder;

/* 0 where the branch is farther than the other by width, 1 where it is nearer by as much. */
static double handed_on(double branch, double other, double width)
{
    double t = vec_clamp(0.5 + 0.5 * (other - branch) / width, 0, 1);
    return t * t * (3 - 2 * t);
}

/* Distances of j itself, of what hangs on j (itself included), and of everything else but j's
 * parent.
 */
static void joint_distances(const binder *bind, grazei_vec at, double *own, double *branch,
                            double *others)
{
    const grazei_synth_skeleton *skeleton = bind->skeleton;
    double nearest[GRAZEI_SYNTH_MAX_JOINTS], second[GRAZEI_SYNTH_MAX_JOINTS]; /* of the children */
    for (uint32_t j = 0; j < skeleton->count; j++) {
        own[j] = branch[j] = grazei_synth_shape_distance(&bind->capsules[j], at);
        nearest[j] = second[j] = 1e9;
    }
    for (uint32_t j = skeleton->count; j-- > 1;) {
        uint32_t parent = skeleton->joints[j].parent;
        branch[parent] = fmin(branch[parent], branch[j]);
        if (branch[j] < nearest[parent]) {
            second[parent] = nearest[parent];
            nearest[parent] = branch[j];
        } else {
            second[parent] = fmin(second[parent], branch[j]);
        }
    }
    others[0] = 1e9;
    for (uint32_t j = 1; j < skeleton->count; j++) {
        uint32_t parent = skeleton->joints[j].parent;
        double siblings = branch[j] == nearest[parent] ? second[parent] : nearest[parent];
        double above = fmin(others[parent], parent ? own[skeleton->joints[parent].parent] : 1e9);
        others[j] = fmin(above, siblings);
    }
}

static void all_weights(const binder *bind, grazei_vec at, double *weights)
{
    const grazei_synth_skeleton *skeleton = bind->skeleton;
    double own[GRAZEI_SYNTH_MAX_JOINTS], branch[GRAZEI_SYNTH_MAX_JOINTS];
    double others[GRAZEI_SYNTH_MAX_JOINTS];
    double share[GRAZEI_SYNTH_MAX_JOINTS], sum[GRAZEI_SYNTH_MAX_JOINTS] = {0};
    joint_distances(bind, at, own, branch, others);
    for (uint32_t j = 1; j < skeleton->count; j++) {
        double radius = skeleton->joints[j].radius;
        share[j] = handed_on(branch[j], own[skeleton->joints[j].parent], softness * radius) *
                   handed_on(branch[j], others[j], hardness * radius);
        sum[skeleton->joints[j].parent] += share[j];
    }
    weights[0] = 1;
    for (uint32_t j = 1; j < skeleton->count; j++) { /* parents come first */
        uint32_t parent = skeleton->joints[j].parent;
        weights[j] = weights[parent] * share[j] / fmax(1, sum[parent]);
    }
    for (uint32_t j = 0; j < skeleton->count; j++)
        weights[j] *= 1 - fmin(1, sum[j]);
}

/* Keeps the largest few of the listed weights (joints ascending) and makes them sum to 1. */
static void keep_largest(const uint32_t *joints, const double *weights, uint32_t count,
                         grazei_synth_skin *skin)
{
    double total = 0;
    skin->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (weights[i] < least_weight)
            continue;
        uint32_t larger = 0;
        for (uint32_t k = 0; k < count; k++)
            larger += weights[k] > weights[i] || (weights[k] == weights[i] && k < i);
        if (larger >= GRAZEI_SYNTH_INFLUENCES)
            continue;
        skin->joints[skin->count] = joints[i];
        skin->weights[skin->count++] = weights[i];
        total += weights[i];
    }
    for (uint32_t i = 0; i < skin->count; i++)
        skin->weights[i] /= total;
}

void grazei_synth_bind(const grazei_synth_skeleton *skeleton, const grazei_synth_mesh *mesh,
                       grazei_synth_skin *skins)
{
    binder bind = {.skeleton = skeleton};
    uint32_t joints[GRAZEI_SYNTH_MAX_JOINTS];
    for (uint32_t j = 0; j < skeleton->count; j++) {
        const grazei_synth_joint *joint = &skeleton->joints[j];
        bind.capsules[j] =
            grazei_synth_capsule(joint->at, joint->tail, joint->radius, joint->tail_radius);
        joints[j] = j;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        double weights[GRAZEI_SYNTH_MAX_JOINTS];
        all_weights(&bind, mesh->positions[v], weights);
        keep_largest(joints, weights, skeleton->count, &skins[v]);
    }
}

static grazei_synth_skin mean_skin(const grazei_synth_skin *a, const grazei_synth_skin *b)
{
    uint32_t joints[2 * GRAZEI_SYNTH_INFLUENCES], count = 0, i = 0, k = 0;
    double weights[2 * GRAZEI_SYNTH_INFLUENCES];
    while (i < a->count || k < b->count) {
        uint32_t from_a = i < a->count ? a->joints[i] : UINT32_MAX;
        uint32_t from_b = k < b->count ? b->joints[k] : UINT32_MAX;
        joints[count] = from_a < from_b ? from_a : from_b;
        weights[count] = 0;
        if (from_a == joints[count])
            weights[count] += 0.5 * a->weights[i++];
        if (from_b == joints[count])
            weights[count] += 0.5 * b->weights[k++];
        count++;
    }
    grazei_synth_skin skin;
    keep_largest(joints, weights, count, &skin);
    return skin;
}

/* Where midpoints are remembered: for each vertex a list of the edges to higher vertices. */
typedef struct midpoints {
    uint32_t *first; /* by lower vertex; UINT32_MAX ends a list */
    uint32_t *next, *other;
    uint32_t old_vertices;
    grazei_synth_mesh *mesh;
    grazei_synth_skin *skins;
} midpoints;

static uint32_t midpoint(midpoints *middle, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t e = middle->first[low]; e != UINT32_MAX; e = middle->next[e])
        if (middle->other[e] == high)
            return middle->old_vertices + e;
    uint32_t vertex = middle->mesh->vertex_count++, edge = vertex - middle->old_vertices;
    middle->other[edge] = high;
    middle->next[edge] = middle->first[low];
    middle->first[low] = edge;
    grazei_vec *positions = middle->mesh->positions;
    positions[vertex] = vec_scale(vec_add(positions[low], positions[high]), 0.5);
    middle->skins[vertex] = mean_skin(&middle->skins[low], &middle->skins[high]);
    return vertex;
}

static void cut_triangles(midpoints *middle, const uint32_t *old, uint32_t count, uint32_t *cut)
{
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *v = old + 3 * (size_t)t;
        uint32_t m[3];
        for (uint32_t k = 0; k < 3; k++)
            m[k] = midpoint(middle, v[k], v[(k + 1) % 3]);
        uint32_t four[12] = {v[0], m[0], m[2], v[1], m[1], m[0],
                             v[2], m[2], m[1], m[0], m[1], m[2]};
        memcpy(cut + 12 * (size_t)t, four, sizeof four);
    }
}

bool grazei_synth_subdivide(grazei_synth_pool *pool, grazei_synth_mesh *mesh,
                            grazei_synth_skin **skins)
{
    /* Of a closed mesh; at most, of an open one without holes (Euler: E = V + T - 1). */
    size_t edges = (size_t)mesh->triangle_count * 3 / 2;
    size_t open_edges = (size_t)mesh->vertex_count + mesh->triangle_count;
    edges = edges > open_edges ? edges : open_edges;
    size_t vertices = mesh->vertex_count + edges;
    grazei_synth_mesh old = *mesh;
    grazei_synth_skin *old_skins = *skins;
    midpoints middle = {.old_vertices = old.vertex_count, .mesh = mesh};
    grazei_vec *positions = grazei_synth_take(pool, vertices, sizeof(grazei_vec));
    uint32_t *cut = grazei_synth_take(pool, (size_t)old.triangle_count * 12, sizeof(uint32_t));
    middle.skins = grazei_synth_take(pool, vertices, sizeof(grazei_synth_skin));
    middle.first = grazei_synth_take(pool, old.vertex_count, sizeof(uint32_t));
    middle.next = grazei_synth_take(pool, edges, sizeof(uint32_t));
    middle.other = grazei_synth_take(pool, edges, sizeof(uint32_t));
    if (!positions || !cut || !middle.skins || !middle.first || !middle.next || !middle.other)
        return false;
    memset(middle.first, 0xff, old.vertex_count * sizeof(uint32_t));
    memcpy(positions, old.positions, old.vertex_count * sizeof(grazei_vec));
    memcpy(middle.skins, old_skins, old.vertex_count * sizeof(grazei_synth_skin));
    mesh->positions = positions;
    mesh->triangles = cut;
    mesh->triangle_count = 4 * old.triangle_count;
    cut_triangles(&middle, old.triangles, old.triangle_count, cut);
    *skins = middle.skins;
    grazei_synth_give(pool, old.positions);
    grazei_synth_give(pool, old.triangles);
    grazei_synth_give(pool, old_skins);
    grazei_synth_give(pool, middle.first);
    grazei_synth_give(pool, middle.next);
    grazei_synth_give(pool, middle.other);
    return true;
}
