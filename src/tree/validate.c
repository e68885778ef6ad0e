/* What every tree is: asserted where one was made, and part of graze_model_validate. */
#include "tree/tree.h"

#include "base/status.h"

/* Children come after their parent, side by side, each node but the root once; their triangles
 * follow each other and are the parent's.
 */
static graze_status check_nodes(const grazei_tree *tree, graze_error *error)
{
    uint32_t next = 1, leaves = 0;
    for (uint32_t n = 0; n < tree->node_count; n++) {
        grazei_node node = tree->nodes[n];
        const uint32_t *range = tree->node_triangles[n];
        GRAZEI_EXPECT(range[0] < range[1], error, "node %u has no triangles", n);
        if (!node.count) {
            GRAZEI_EXPECT(node.first == leaves++, error, "leaf %u is out of order", n);
            continue;
        }
        GRAZEI_EXPECT(node.count >= 2 && node.count <= tree->max_children, error,
                      "node %u has %u children", n, node.count);
        GRAZEI_EXPECT(node.first == next && node.count <= tree->node_count - next, error,
                      "the children of node %u are out of order", n);
        uint32_t begin = range[0];
        for (uint32_t c = node.first; c < node.first + node.count; c++) {
            GRAZEI_EXPECT(tree->node_triangles[c][0] == begin, error,
                          "node %u does not begin where its sibling ends", c);
            begin = tree->node_triangles[c][1];
        }
        GRAZEI_EXPECT(begin == range[1], error, "node %u is not all of its children", n);
        next += node.count;
    }
    GRAZEI_EXPECT(next == tree->node_count && leaves == tree->patch_count, error,
                  "%u nodes and %u leaves hang together", next, leaves);
    return GRAZE_OK;
}

static graze_status check_levels(const grazei_tree *tree, graze_error *error)
{
    GRAZEI_EXPECT(tree->level_count >= 1 && tree->level_count <= GRAZEI_MAX_LEVELS, error,
                  "the tree has %u levels", tree->level_count);
    GRAZEI_EXPECT(tree->max_open <= GRAZEI_MAX_OPEN && tree->max_children <= GRAZEI_MAX_ARITY,
                  error, "a walk may leave %u nodes behind", tree->max_open);
    GRAZEI_EXPECT(tree->level_first[0] == 0 &&
                      tree->level_first[tree->level_count] == tree->node_count,
                  error, "the levels are not all nodes");
    for (uint32_t l = 0; l < tree->level_count; l++) {
        uint32_t first = tree->level_first[l], end = tree->level_first[l + 1];
        GRAZEI_EXPECT(first < end && end <= tree->node_count, error, "level %u is empty", l);
        for (uint32_t n = first; n < end; n++)
            GRAZEI_EXPECT(!tree->nodes[n].count ||
                              grazei_tree_level(tree, tree->nodes[n].first) == l + 1,
                          error, "the children of node %u are not one level down", n);
    }
    return GRAZE_OK;
}

static uint32_t influences_of(const grazei_mesh *mesh, uint32_t vertex)
{
    return mesh->influence_offsets[vertex + 1] - mesh->influence_offsets[vertex];
}

/* By influences, then joint-set. */
static bool is_before(const grazei_mesh *mesh, uint32_t a, uint32_t b)
{
    if (influences_of(mesh, a) != influences_of(mesh, b))
        return influences_of(mesh, a) < influences_of(mesh, b);
    return mesh->vertex_set[a] < mesh->vertex_set[b];
}

static graze_status check_vertices(const grazei_tree *tree, const grazei_mesh *mesh,
                                   uint32_t number, graze_error *error)
{
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    GRAZEI_EXPECT(patch->vertex_count > 0 && patch->vertex_count <= GRAZEI_MAX_PATCH_VERTICES,
                  error, "patch %u has %u vertices", number, patch->vertex_count);
    GRAZEI_EXPECT(patch->vertex_count <= tree->patch_vertex_count &&
                      patch->first_vertex <= tree->patch_vertex_count - patch->vertex_count,
                  error, "patch %u has vertices beyond the last", number);
    for (uint32_t i = 0; i < patch->vertex_count; i++) {
        GRAZEI_EXPECT(vertices[i] < mesh->vertex_count, error, "patch %u has vertex %u of %u",
                      number, vertices[i], mesh->vertex_count);
        GRAZEI_EXPECT(i == 0 || !is_before(mesh, vertices[i], vertices[i - 1]), error,
                      "the vertices of patch %u are not sorted", number);
    }
    return GRAZE_OK;
}

/* Corners name the vertices that the mesh's triangles have, and no vertex of a patch is idle. */
static graze_status check_patch(const grazei_tree *tree, const grazei_mesh *mesh, uint32_t node,
                                graze_error *error)
{
    uint32_t number = tree->nodes[node].first;
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *range = tree->node_triangles[node];
    uint8_t used[GRAZEI_MAX_PATCH_VERTICES] = {0};
    GRAZEI_EXPECT(patch->triangle_count > 0 && patch->triangle_count <= tree->def.patch_triangles &&
                      patch->first_triangle == range[0] &&
                      patch->triangle_count == range[1] - range[0],
                  error, "patch %u does not have the triangles of its leaf", number);
    graze_status status = check_vertices(tree, mesh, number, error);
    for (uint32_t at = range[0]; !status && at < range[1]; at++) {
        const uint32_t *vertices = mesh->triangles + 3 * (size_t)tree->patch_triangles[at];
        for (int c = 0; c < 3; c++) {
            uint32_t corner = tree->corners[at][c];
            GRAZEI_EXPECT(corner < patch->vertex_count &&
                              tree->patch_vertices[patch->first_vertex + corner] == vertices[c],
                          error, "a corner of patch %u is not the mesh's", number);
            used[corner] = 1;
        }
        GRAZEI_EXPECT(tree->corners[at][3] <= mesh->influence_offsets[vertices[0] + 1] -
                                                  mesh->influence_offsets[vertices[0]],
                      error, "a main joint of patch %u is none of its vertex's", number);
    }
    for (uint32_t i = 0; !status && i < patch->vertex_count; i++)
        GRAZEI_EXPECT(used[i], error, "patch %u has a vertex of no triangle", number);
    return status;
}

/* Every triangle once: as many, and of the same sum and sum of squares, as all of them have. */
static graze_status check_triangles(const grazei_tree *tree, const grazei_mesh *mesh,
                                    graze_error *error)
{
    uint64_t sum = 0, squares = 0;
    GRAZEI_EXPECT(tree->node_triangles[0][0] == 0 &&
                      tree->node_triangles[0][1] == mesh->triangle_count,
                  error, "the root does not have all triangles");
    for (uint64_t i = 0; i < mesh->triangle_count; i++) {
        uint64_t triangle = tree->patch_triangles[i];
        GRAZEI_EXPECT(triangle < mesh->triangle_count, error, "there is no triangle %u",
                      tree->patch_triangles[i]);
        sum += triangle - i;
        squares += triangle * triangle - i * i;
    }
    GRAZEI_EXPECT(sum == 0 && squares == 0, error, "the patches have a triangle twice");
    return GRAZE_OK;
}

/* Spheres hold the vertices below their nodes, unposed. */
static graze_status check_sphere(const grazei_tree *tree, const grazei_mesh *mesh, uint32_t node,
                                 graze_error *error)
{
    const float *sphere = tree->spheres[node];
    double radius = (double)sphere[3] * (1 + 0x1p-20) + 1e-36;
    for (uint32_t i = tree->node_triangles[node][0]; i < tree->node_triangles[node][1]; i++)
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t vertex = mesh->triangles[3 * (size_t)tree->patch_triangles[i] + c];
            double square = 0;
            for (uint32_t k = 0; k < 3; k++) {
                double x = (double)mesh->positions[3 * (size_t)vertex + k] - (double)sphere[k];
                square += x * x;
            }
            GRAZEI_EXPECT(radius >= 0 && square <= radius * radius, error,
                          "vertex %u is outside the sphere of node %u", vertex, node);
        }
    return GRAZE_OK;
}

graze_status grazei_tree_validate(const grazei_tree *tree, const grazei_mesh *mesh,
                                  graze_error *error)
{
    graze_status status = check_nodes(tree, error);
    if (!status)
        status = check_levels(tree, error);
    if (!status)
        status = check_triangles(tree, mesh, error);
    for (uint32_t n = 0; n < tree->node_count && !status; n++) {
        if (!tree->nodes[n].count)
            status = check_patch(tree, mesh, n, error);
        if (!status && tree->spheres)
            status = check_sphere(tree, mesh, n, error);
    }
    return status;
}
