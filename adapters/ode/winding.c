/* Generalised winding numbers of a mesh that need not be closed (Jacobson, Kavan and
 * Sorkine-Hornung 2013), by a tree: from afar the triangles below a node are one dipole, at the
 * middle of their areas (Barill et al. 2018, first order).
 */
#include "ragdoll.h"

#include <math.h>

enum { LEAF = 8, MOST_LEVELS = 64 };

/* A node is far where it is so many of its radii away: off by a hundredth or two in sum. */
#define FAR 2.0
#define FOUR_PI 12.566370614359172

typedef struct winding_node {
    double middle[3], area[3], radius; /* area: of all triangles, times their normals */
    uint32_t first, count;             /* of triangles */
    uint32_t second;                   /* child; the other one is the next node. 0: a leaf */
} winding_node;

struct winding_tree {
    const graze_rig *rig;
    winding_node *nodes;
    uint32_t node_count;
    uint32_t *order; /* of triangles */
    double sign;
};

static void corners_of(const graze_rig *rig, uint32_t triangle, double c[3][3])
{
    for (int i = 0; i < 9; i++)
        c[i / 3][i % 3] =
            rig->positions[3 * (size_t)rig->triangles[3 * (size_t)triangle + i / 3] + i % 3];
}

static double middle_along(const graze_rig *rig, uint32_t triangle, int axis)
{
    double c[3][3];
    corners_of(rig, triangle, c);
    return c[0][axis] + c[1][axis] + c[2][axis];
}

static void measure(const winding_tree *tree, winding_node *node)
{
    double c[3][3], e[3], f[3], normal[3], whole = 0, sum[3] = {0, 0, 0}, plain[3] = {0, 0, 0};
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        corners_of(tree->rig, tree->order[i], c);
        for (int k = 0; k < 3; k++) {
            e[k] = c[1][k] - c[0][k];
            f[k] = c[2][k] - c[0][k];
        }
        cross3(e, f, normal);
        double area = length3(normal) / 2;
        whole += area;
        for (int k = 0; k < 3; k++) {
            double middle = (c[0][k] + c[1][k] + c[2][k]) / 3;
            node->area[k] += normal[k] / 2;
            sum[k] += area * middle;
            plain[k] += middle;
        }
    }
    for (int k = 0; k < 3; k++)
        node->middle[k] = whole > 0 ? sum[k] / whole : plain[k] / node->count;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        corners_of(tree->rig, tree->order[i], c);
        for (int p = 0; p < 3; p++) {
            double d[3] = {c[p][0] - node->middle[0], c[p][1] - node->middle[1],
                           c[p][2] - node->middle[2]};
            node->radius = fmax(node->radius, length3(d));
        }
    }
}

/* The longest side of the box around the triangles' middles, and half way along it. */
static int longest_side(const winding_tree *tree, const winding_node *node, double *half)
{
    double best = -1;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            double at = middle_along(tree->rig, tree->order[i], k);
            low = fmin(low, at);
            high = fmax(high, at);
        }
        if (high - low > best) {
            best = high - low;
            axis = k;
            *half = low + (high - low) / 2;
        }
    }
    return axis;
}

/* Those below half way come first; where that parts nothing, half of them. */
static uint32_t part(const winding_tree *tree, const winding_node *node)
{
    double half = 0;
    int axis = longest_side(tree, node, &half);
    uint32_t below = node->first;
    for (uint32_t i = node->first; i < node->first + node->count; i++)
        if (middle_along(tree->rig, tree->order[i], axis) < half) {
            uint32_t other = tree->order[below];
            tree->order[below++] = tree->order[i];
            tree->order[i] = other;
        }
    below -= node->first;
    return below && below < node->count ? below : node->count / 2;
}

/* On the last levels nodes are halved, so that there are no more of them than bits of a count. */
static void split(winding_tree *tree, uint32_t first, uint32_t count, uint32_t level)
{
    uint32_t own = tree->node_count++;
    winding_node *node = &tree->nodes[own];
    *node = (winding_node){.first = first, .count = count};
    measure(tree, node);
    if (count <= LEAF)
        return;
    uint32_t left = level < MOST_LEVELS / 2 ? part(tree, node) : count / 2;
    split(tree, first, left, level + 1);
    tree->nodes[own].second = tree->node_count;
    split(tree, first + left, count - left, level + 1);
}

graze_status grazei_ode_open_winding(const graze_rig *rig, winding_tree **made, graze_error *error)
{
    winding_tree *tree = take(&rig->allocator, 1, sizeof *tree);
    *made = tree;
    if (!tree)
        return fail_memory(error);
    tree->rig = rig;
    tree->sign = 1;
    tree->order = take(&rig->allocator, rig->triangle_count, sizeof *tree->order);
    tree->nodes = take(&rig->allocator, 2 * (size_t)rig->triangle_count, sizeof *tree->nodes);
    if (!tree->order || !tree->nodes)
        return fail_memory(error);
    double volume = 0, c[3][3], across[3];
    for (uint32_t i = 0; i < rig->triangle_count; i++) {
        tree->order[i] = i;
        corners_of(rig, i, c);
        for (int k = 0; k < 9; k++) /* from a place in the mesh: holes matter less */
            c[k / 3][k % 3] -= rig->positions[k % 3];
        cross3(c[1], c[2], across);
        volume += dot3(c[0], across);
    }
    tree->sign = volume < 0 ? -1 : 1;
    if (rig->triangle_count)
        split(tree, 0, rig->triangle_count, 0);
    return GRAZE_OK;
}

void grazei_ode_close_winding(const graze_rig *rig, winding_tree *tree)
{
    if (!tree)
        return;
    give(&rig->allocator, tree->order);
    give(&rig->allocator, tree->nodes);
    give(&rig->allocator, tree);
}

/* Van Oosterom and Strackee 1983: positive where the triangle is seen from behind. */
static double solid_angle(const graze_rig *rig, uint32_t triangle, const double point[3])
{
    double r[3][3], length[3], across[3];
    corners_of(rig, triangle, r);
    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++)
            r[c][k] -= point[k];
        length[c] = length3(r[c]);
    }
    cross3(r[1], r[2], across);
    double above = dot3(r[0], across), below = length[0] * length[1] * length[2];
    for (int c = 0; c < 3; c++)
        below += dot3(r[(c + 1) % 3], r[(c + 2) % 3]) * length[c];
    return above == 0 ? 0 : 2 * atan2(above, below);
}

double grazei_ode_winding(const winding_tree *tree, const double point[3])
{
    uint32_t open[MOST_LEVELS + 2], count = 0;
    double sum = 0;
    if (tree->node_count)
        open[count++] = 0;
    while (count) {
        uint32_t number = open[--count];
        const winding_node *node = &tree->nodes[number];
        double to[3] = {node->middle[0] - point[0], node->middle[1] - point[1],
                        node->middle[2] - point[2]};
        double distance = length3(to);
        if (distance > FAR * node->radius && distance > 0) {
            sum += dot3(to, node->area) / (distance * distance * distance);
        } else if (node->second) {
            open[count++] = number + 1;
            open[count++] = node->second;
        } else {
            for (uint32_t i = node->first; i < node->first + node->count; i++)
                sum += solid_angle(tree->rig, tree->order[i], point);
        }
    }
    return tree->sign * sum / FOUR_PI;
}
