/* The leaves' vertex lists and their order. */
#include "tree/patches.h"

#include "base/memory.h"

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
