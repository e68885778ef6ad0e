/* Bounds of leaves from posed vertices, of the other nodes from their children's bounds. */
#include "deform/refit.h"

#include "math/isa.h"
#include "math/rounding.h"

static void refit_box_leaf(const grazei_tree *tree, const grazei_patch *patch,
                           const float (*positions)[4], grazei_bound *bound)
{
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    uint32_t last = patch->vertex_count - 1u;
    f4 low = f4_load(positions[vertices[last]]), high = low, low2 = low, high2 = low;
    for (uint32_t i = 0; i + 1 <= last; i += 2) {
        f4 even = f4_load(positions[vertices[i]]), odd = f4_load(positions[vertices[i + 1]]);
        low = f4_min(low, even);
        high = f4_max(high, even);
        low2 = f4_min(low2, odd);
        high2 = f4_max(high2, odd);
    }
    grazei_bound_set_box(bound, f4_min(low, low2), f4_max(high, high2));
}

static void refit_box_node(const grazei_node *node, grazei_bound *bounds, grazei_bound *bound)
{
    f4 first = grazei_bound_first(&bounds[node->first]);
    f4 second = grazei_bound_second(&bounds[node->first]);
    for (uint32_t i = 1; i < node->count; i++) {
        first = f4_max(first, grazei_bound_first(&bounds[node->first + i]));
        second = f4_max(second, grazei_bound_second(&bounds[node->first + i]));
    }
    f4_store(bound->low_negated, first);
    f4_store(bound->high, second);
}

/* The radius covers three roundings of the distance and those of the centre's difference. */
static void finish_sphere(grazei_bound *bound, f4 centre, float radius)
{
    f4 size = f4_abs(centre);
    float error = (f4_max3(size) + radius) * (8 * GRAZEI_UNIT) + GRAZEI_LEAST_RADIUS;
    centre[3] = 0;
    grazei_bound_set_sphere(bound, centre, radius + error);
}

static void refit_sphere_leaf(const grazei_tree *tree, const grazei_patch *patch,
                              const float (*positions)[4], grazei_bound *bound)
{
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    f4 sum = f4_zero();
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        sum = sum + f4_load(positions[vertices[i]]);
    f4 centre = sum * f4_all(1.0f / (float)patch->vertex_count);
    float most = 0;
    for (uint32_t i = 0; i < patch->vertex_count; i++) {
        f4 between = f4_load(positions[vertices[i]]) - centre;
        most = f1_max(most, f4_dot3(between, between));
    }
    finish_sphere(bound, centre, sqrtf(most));
}

static void refit_sphere_node(const grazei_node *node, grazei_bound *bounds, grazei_bound *bound)
{
    f4 sum = f4_zero();
    for (uint32_t i = 0; i < node->count; i++)
        sum = sum + grazei_bound_first(&bounds[node->first + i]);
    f4 centre = sum * f4_all(1.0f / (float)node->count), most = f4_zero();
    const grazei_bound *children = &bounds[node->first];
    for (uint32_t i = 0; i < node->count; i += 4) {
        uint32_t left = node->count - i;
        f4 x = grazei_bound_first(&children[i]);
        f4 y = grazei_bound_first(&children[left > 1 ? i + 1 : i]);
        f4 z = grazei_bound_first(&children[left > 2 ? i + 2 : i]);
        f4 r = grazei_bound_first(&children[left > 3 ? i + 3 : i]);
        f4_transpose(&x, &y, &z, &r);
        x = x - f4_x(centre);
        y = y - f4_y(centre);
        z = z - f4_z(centre);
        most = f4_max(most, f4_sqrt((x * x + y * y) + z * z) + r);
    }
    finish_sphere(bound, centre, f4_max4(most));
}

/* Levels are stored from the root down, so going backwards meets children before parents. */
static void refit(const grazei_tree *tree, const float (*positions)[4], uint32_t from,
                  grazei_bound *bounds)
{
    bool spheres = tree->def.volume == GRAZE_SPHERES;
    for (uint32_t n = tree->node_count; n-- > from;) {
        const grazei_node *node = &tree->nodes[n];
        if (node->count == 0) {
            const grazei_patch *patch = &tree->patches[node->first];
            if (spheres)
                refit_sphere_leaf(tree, patch, positions, &bounds[n]);
            else
                refit_box_leaf(tree, patch, positions, &bounds[n]);
        } else if (spheres) {
            refit_sphere_node(node, bounds, &bounds[n]);
        } else {
            refit_box_node(node, bounds, &bounds[n]);
        }
    }
}

const grazei_refit_kernels GRAZEI_ISA(refit_kernels) = {refit};
