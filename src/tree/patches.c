/* The leaves' vertex lists, their order, and the diagonals that tell a patch's normal. */
#include "tree/patches.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static uint32_t influence_count(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
}

/* Vertices with as many influences stand together, and among those the ones of one joint-set. */
static bool vertex_before(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    uint32_t x = influence_count(mesh, a), y = influence_count(mesh, b);
    if (x != y)
        return x < y;
    x = mesh->vertex_set[a];
    y = mesh->vertex_set[b];
    return x < y || (x == y && a < b);
}

static void sort_vertices(const grazei_mesh *mesh, uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t vertex = vertices[i], at = i;
        for (; at > 0 && vertex_before(mesh, vertex, vertices[at - 1]); at--)
            vertices[at] = vertices[at - 1];
        vertices[at] = vertex;
    }
}

static const float *position_of(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->positions + 3 * (size_t)vertex;
}

static uint8_t farthest_from(const grazei_mesh *mesh, const uint32_t *vertices, uint32_t count,
                             const float *from)
{
    double most = -1;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const float *v = position_of(mesh, vertices[i]);
        double x = (double)v[0] - from[0], y = (double)v[1] - from[1], z = (double)v[2] - from[2];
        if (x * x + y * y + z * z > most) {
            most = x * x + y * y + z * z;
            found = i;
        }
    }
    return (uint8_t)found;
}

/* The cross product of the ways from one point to two others. */
static void cross_ways(const float *from, const float *to_a, const float *to_b, double cross[3])
{
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = (double)to_a[k] - from[k];
        b[k] = (double)to_b[k] - from[k];
    }
    for (int k = 0; k < 3; k++)
        cross[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Two diagonals whose cross product is about the normal of the patch, in any pose that does not
 * bend it much: the longest one, and from end to end across that and the normal.
 */
static void find_spread(const grazei_tree *tree, const grazei_mesh *mesh, grazei_patch *patch)
{
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    uint32_t count = patch->vertex_count;
    double normal[3] = {0}, across[3], least = INFINITY, most = -INFINITY;
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const uint32_t *corners =
            mesh->triangles + 3 * (size_t)tree->patch_triangles[patch->first_triangle + t];
        cross_ways(position_of(mesh, corners[0]), position_of(mesh, corners[1]),
                   position_of(mesh, corners[2]), across);
        for (int k = 0; k < 3; k++)
            normal[k] += across[k];
    }
    patch->spread[0] = farthest_from(mesh, vertices, count, position_of(mesh, vertices[0]));
    const float *start = position_of(mesh, vertices[patch->spread[0]]);
    patch->spread[2] = farthest_from(mesh, vertices, count, start);
    const float *end = position_of(mesh, vertices[patch->spread[2]]);
    for (uint32_t i = 0; i < count; i++) {
        const float *v = position_of(mesh, vertices[i]);
        cross_ways(start, end, v, across);
        double side = across[0] * normal[0] + across[1] * normal[1] + across[2] * normal[2];
        if (side < least) {
            least = side;
            patch->spread[1] = (uint8_t)i;
        }
        if (side > most) {
            most = side;
            patch->spread[3] = (uint8_t)i;
        }
    }
}

/* local_of maps a vertex to its number in the patch at hand; only entries of that patch are
 * read.
 */
static void make_patch(grazei_tree *tree, const grazei_mesh *mesh, uint32_t node, uint8_t *marks,
                       uint8_t *local_of)
{
    const uint32_t *range = tree->node_triangles[node];
    uint32_t *vertices = tree->patch_vertices + tree->patch_vertex_count;
    uint32_t count = grazei_tree_vertices(tree, mesh, range, marks, vertices);
    sort_vertices(mesh, vertices, count);
    for (uint32_t i = 0; i < count; i++)
        local_of[vertices[i]] = (uint8_t)i;
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)tree->patch_triangles[i];
        for (int c = 0; c < 3; c++)
            tree->corners[i][c] = local_of[corners[c]];
        tree->corners[i][3] = 0;
    }
    grazei_patch *patch = &tree->patches[tree->nodes[node].first];
    patch->first_vertex = tree->patch_vertex_count;
    patch->first_triangle = range[0];
    patch->vertex_count = (uint16_t)count;
    patch->triangle_count = (uint16_t)(range[1] - range[0]);
    tree->patch_vertex_count += count;
    find_spread(tree, mesh, patch);
}

bool grazei_make_patches(grazei_tree *tree, const grazei_mesh *mesh,
                         const graze_allocator *allocator)
{
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    uint8_t *local_of = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint8_t);
    uint32_t *all = GRAZEI_ALLOCATE(allocator, 3 * (size_t)mesh->triangle_count, uint32_t);
    tree->patches = GRAZEI_ALLOCATE(allocator, tree->patch_count, grazei_patch);
    tree->corners = grazei_allocate_zero(
        allocator, (size_t)mesh->triangle_count + GRAZEI_CORNERS_BEHIND, sizeof *tree->corners);
    bool ok = marks && local_of && all && tree->patches && tree->corners;
    if (ok) {
        tree->patch_vertices = all;
        for (uint32_t n = 0; n < tree->node_count; n++)
            if (tree->nodes[n].count == 0)
                make_patch(tree, mesh, n, marks, local_of);
        tree->patch_vertices = GRAZEI_ALLOCATE(allocator, tree->patch_vertex_count, uint32_t);
        ok = tree->patch_vertices != NULL;
        if (ok)
            memcpy(tree->patch_vertices, all, tree->patch_vertex_count * sizeof *all);
    }
    grazei_release(allocator, marks);
    grazei_release(allocator, local_of);
    grazei_release(allocator, all);
    return ok;
}
