#include "bench/flops.h"

enum { MOST_JOINTS = 8 }; /* of a set */

/* The joints that move a vertex, and between which weights in a node. */
typedef struct joint_set {
    uint32_t count, joints[MOST_JOINTS];
    double low[MOST_JOINTS], high[MOST_JOINTS];
    uint32_t node; /* whose intervals these are, plus 1 */
} joint_set;

typedef struct counter {
    const graze_rig *rig;
    joint_set *sets;
    uint32_t set_count;
    uint32_t *set_of;     /* a vertex */
    uint32_t *joint_node; /* the last node that had a joint, plus 1 */
    uint32_t *triangles;
    uint32_t *used; /* numbers of the sets of a node */
} counter;

/* The influences of a vertex that count, by joint, weights of sum 1; returns how many. */
static uint32_t read_vertex(const graze_rig *rig, uint32_t vertex, joint_set *set)
{
    double sum = 0;
    set->count = 0;
    for (uint32_t i = rig->influence_offsets[vertex]; i < rig->influence_offsets[vertex + 1]; i++) {
        graze_influence one = rig->influences[i];
        uint32_t k = set->count;
        if (!(one.weight > 0) || k == MOST_JOINTS)
            continue;
        for (; k && set->joints[k - 1] > one.joint; k--) {
            set->joints[k] = set->joints[k - 1];
            set->low[k] = set->low[k - 1];
        }
        set->joints[k] = one.joint;
        set->low[k] = one.weight;
        sum += one.weight;
        set->count++;
    }
    for (uint32_t k = 0; k < set->count; k++)
        set->low[k] /= sum;
    return set->count;
}

static uint32_t find_set(counter *c, const joint_set *set)
{
    uint32_t s = 0;
    while (s < c->set_count &&
           (c->sets[s].count != set->count ||
            memcmp(c->sets[s].joints, set->joints, set->count * sizeof *set->joints) != 0))
        s++;
    if (s == c->set_count)
        c->sets[c->set_count++] = *set;
    return s;
}

/* Corners of the weights' polytope: all but one weight at an end, the last one what is left; those
 * that coincide are one.
 */
static uint32_t count_corners(const joint_set *set)
{
    double corners[MOST_JOINTS << MOST_JOINTS][MOST_JOINTS];
    uint32_t n = set->count, count = 0;
    for (uint32_t open = 0; open < n; open++)
        for (uint32_t ends = 0; ends < 1u << n; ends++) {
            double *corner = corners[count], rest = 1;
            if (ends >> open & 1)
                continue;
            for (uint32_t k = 0; k < n; k++)
                if (k != open)
                    rest -= corner[k] = ends >> k & 1 ? set->high[k] : set->low[k];
            corner[open] = rest;
            bool is_new = rest >= set->low[open] - 1e-6 && rest <= set->high[open] + 1e-6;
            for (uint32_t i = 0; is_new && i < count; i++) {
                double apart = 0;
                for (uint32_t k = 0; k < n; k++)
                    apart = fmax(apart, fabs(corners[i][k] - corner[k]));
                is_new = apart > 1e-6;
            }
            count += is_new;
        }
    return count;
}

static void add_vertex(counter *c, uint32_t vertex, uint32_t node, uint32_t *used_count)
{
    joint_set own;
    joint_set *set = &c->sets[c->set_of[vertex]];
    read_vertex(c->rig, vertex, &own);
    if (set->node != node + 1) {
        set->node = node + 1;
        c->used[(*used_count)++] = c->set_of[vertex];
        memcpy(set->low, own.low, sizeof own.low);
        memcpy(set->high, own.low, sizeof own.low);
        return;
    }
    for (uint32_t k = 0; k < own.count; k++) {
        set->low[k] = fmin(set->low[k], own.low[k]);
        set->high[k] = fmax(set->high[k], own.low[k]);
    }
}

static void add_node(counter *c, uint32_t node, uint32_t triangle_count, uint32_t children,
                     bench_flops *flops)
{
    uint32_t used_count = 0, joints = 0;
    for (uint32_t i = 0; i < 3 * triangle_count; i++)
        add_vertex(c, c->rig->triangles[3 * (size_t)c->triangles[i / 3] + i % 3], node,
                   &used_count);
    for (uint32_t u = 0; u < used_count; u++) {
        const joint_set *set = &c->sets[c->used[u]];
        double p = set->count, m = count_corners(set);
        flops->corners += 18 * p + 11 * m + 8 * p * m - 2;
        flops->corner_count += m;
        for (uint32_t k = 0; k < set->count; k++) {
            joints += c->joint_node[set->joints[k]] != node + 1;
            c->joint_node[set->joints[k]] = node + 1;
        }
    }
    flops->set_count += used_count;
    flops->ours += 35.0 * joints + 15;
    flops->refit += children ? 14.0 * children + 1 : 36.0 * triangle_count;
}

bench_flops bench_count_flops(const graze_rig *rig, graze_body *body)
{
    bench_flops flops = {.nodes = bench_nodes(body), .vertices = rig->vertex_count};
    counter c = {.rig = rig,
                 .sets = bench_take(rig->vertex_count, sizeof *c.sets),
                 .set_of = bench_take(rig->vertex_count, sizeof *c.set_of),
                 .joint_node = bench_take(rig->joint_count, sizeof *c.joint_node),
                 .triangles = bench_take(rig->triangle_count, sizeof *c.triangles),
                 .used = bench_take(rig->vertex_count, sizeof *c.used)};
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        joint_set set = {.node = 0};
        flops.skin += 24.0 * read_vertex(rig, v, &set) - 3;
        c.set_of[v] = find_set(&c, &set);
    }
    for (uint32_t n = 0; n < bench_nodes(body); n++) {
        uint32_t count, children = bench_view(body, n, GRAZE_NODE_CURRENT).child_count;
        bench_must(graze_body_node_triangles(body, n, c.triangles, rig->triangle_count, &count));
        add_node(&c, n, count, children, &flops);
    }
    free(c.sets);
    free(c.set_of);
    free(c.joint_node);
    free(c.triangles);
    free(c.used);
    return flops;
}
