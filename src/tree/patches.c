/* The leaves' vertex lists and their order. */
#include "tree/patches.h"

#include "base/assert.h"
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

/* Sorts triangles so that those of each sixteen, and of each eight, which follow one another lie
 * together: split across the longest axis of their centres, as near to the middle as that allows.
 */
static void sort_triangles(const grazei_mesh *mesh, uint32_t *triangles, uint32_t count)
{
    float low[3], high[3], centres[GRAZEI_MAX_PATCH_TRIANGLES][3];
    uint32_t unit = count > 16 ? 16 : 8;
    GRAZE_ASSERT(count <= GRAZEI_MAX_PATCH_TRIANGLES);
    if (count <= unit)
        return;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *corners = mesh->triangles + 3 * (size_t)triangles[i];
            float sum = 0;
            for (int c = 0; c < 3; c++)
                sum += mesh->positions[3 * (size_t)corners[c] + (size_t)k];
            centres[i][k] = sum;
            low[k] = i && low[k] < sum ? low[k] : sum;
            high[k] = i && high[k] > sum ? high[k] : sum;
        }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > high[axis] - low[axis])
            axis = k;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t triangle = triangles[i], at = i;
        float centre = centres[i][axis];
        for (; at > 0 && centre < centres[at - 1][axis]; at--) {
            triangles[at] = triangles[at - 1];
            centres[at][axis] = centres[at - 1][axis];
        }
        triangles[at] = triangle;
        centres[at][axis] = centre;
    }
    uint32_t half = (count / 2 + unit - 1) / unit * unit;
    sort_triangles(mesh, triangles, half);
    sort_triangles(mesh, triangles + half, count - half);
}

#if !defined(GRAZE_SMALL)

/* The place, among a vertex's influences, of the joint with most weight; UINT32_MAX: no joint has
 * more than all others by 2^-10.
 */
static uint32_t main_joint(const grazei_mesh *mesh, uint32_t vertex)
{
    const graze_influence *all = mesh->influences + mesh->influence_offsets[vertex];
    uint32_t count = influence_count(mesh, vertex), best = 0;
    float second = 0;
    for (uint32_t i = 1; i < count; i++) {
        bool more = all[i].weight > all[best].weight;
        float lesser = more ? all[best].weight : all[i].weight;
        second = lesser > second ? lesser : second;
        best = more ? i : best;
    }
    return count && all[best].weight > second + 0x1p-10f ? best : UINT32_MAX;
}

/* Where all corners of a triangle have one main joint: its place among the first corner's
 * influences plus one, else 0. That joint has the most weight everywhere in the triangle: by 2^-10
 * times the sum of the corners' shares, which is 1 but for two roundings, while the sum of a
 * joint's shares is off by less than 2^-20.
 */
static uint8_t main_joint_of(const grazei_mesh *mesh, const uint32_t corners[3])
{
    uint32_t joint = 0, first = 0;
    for (int c = 0; c < 3; c++) {
        uint32_t place = main_joint(mesh, corners[c]);
        if (place >= UINT8_MAX)
            return 0;
        uint32_t own = mesh->influences[mesh->influence_offsets[corners[c]] + place].joint;
        if (c > 0 && own != joint)
            return 0;
        joint = own;
        first = c > 0 ? first : place;
    }
    return (uint8_t)(first + 1);
}

#else /* where code travels, it is searched for */
#define main_joint_of(mesh, corners) 0
#endif

void grazei_tree_find_main_joints(grazei_tree *tree, const grazei_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->triangle_count; i++)
        tree->corners[i][3] =
            main_joint_of(mesh, mesh->triangles + 3 * (size_t)tree->patch_triangles[i]);
}

/* local_of maps a vertex to its number in the patch at hand; only entries of that patch are
 * read.
 */
static void make_patch(grazei_tree *tree, const grazei_mesh *mesh, uint32_t node, uint8_t *marks,
                       uint8_t *local_of)
{
    const uint32_t *range = tree->node_triangles[node];
    uint32_t *vertices = tree->patch_vertices + tree->patch_vertex_count;
    sort_triangles(mesh, tree->patch_triangles + range[0], range[1] - range[0]);
    uint32_t count = grazei_tree_vertices(tree, mesh, range, marks, vertices);
    GRAZE_ASSERT(count > 0 && count <= GRAZEI_MAX_PATCH_VERTICES);
    GRAZE_ASSERT(range[1] - range[0] <= tree->def.patch_triangles);
    sort_vertices(mesh, vertices, count);
    for (uint32_t i = 0; i < count; i++)
        local_of[vertices[i]] = (uint8_t)i;
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)tree->patch_triangles[i];
        for (int c = 0; c < 3; c++) {
            GRAZE_ASSERT(vertices[local_of[corners[c]]] == corners[c]);
            tree->corners[i][c] = local_of[corners[c]];
        }
        tree->corners[i][3] = main_joint_of(mesh, corners);
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
