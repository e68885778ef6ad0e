/* The tree: which triangles belong together, before any pose.
 *
 * Built top down after Quinlan 1994 (split across the longest axis of the triangles' centres), then
 * either collapsed by radius (Kavan & Zara 2005, section 3.1) or widened to a fixed arity. Leaves
 * are patches: some triangles with a small vertex list of their own. Nodes are stored level by
 * level, so that siblings lie side by side and are bounded and tested together.
 */
#ifndef GRAZEI_TREE_TREE_H
#define GRAZEI_TREE_TREE_H

#include "mesh/mesh.h"

#define GRAZEI_MAX_ARITY 32
#define GRAZEI_MAX_LEVELS 64
/* A walk depth first leaves behind, at most, all children but one of each node on its way down. */
#define GRAZEI_MAX_OPEN 320
#define GRAZEI_MAX_PATCH_TRIANGLES 128
#define GRAZEI_MAX_PATCH_VERTICES 256
#define GRAZEI_CORNERS_BEHIND 32

typedef struct grazei_node {
    uint32_t first; /* first child, or the patch of a leaf */
    uint32_t count; /* children; 0 for a leaf */
} grazei_node;

/* Vertices of a patch are sorted by their number of influences, then by joint-set. */
typedef struct grazei_patch {
    uint32_t first_vertex;   /* into patch_vertices and everything parallel to it */
    uint32_t first_triangle; /* into patch_triangles and corners */
    uint16_t vertex_count;
    uint16_t triangle_count;
} grazei_patch;

typedef struct grazei_tree {
    graze_tree_def def;

    grazei_node *nodes; /* the root first */
    uint32_t node_count;
    uint32_t level_count;
    uint32_t *level_first; /* level_count + 1: nodes of level l are [first[l], first[l + 1]) */
    uint32_t max_children;
    uint32_t max_open; /* at most GRAZEI_MAX_OPEN: the most that is left behind on any way down */
    uint32_t binary_node_count;
    uint32_t binary_level_count;

    /* Triangles below node n: patch_triangles[node_triangles[n][0] .. node_triangles[n][1]). */
    uint32_t (*node_triangles)[2];
    float (*spheres)[4]; /* minimal ball, x y z r, around every vertex, unposed; spheres only */

    grazei_patch *patches;
    uint32_t patch_count;
    uint32_t *patch_triangles; /* every triangle once */
    /* Per triangle of patch_triangles: vertices within the patch, and where one joint has the most
     * weight everywhere in it, that joint's place among the first vertex's influences plus one,
     * else 0. GRAZEI_CORNERS_BEHIND rows of zeros follow, because they are read in whole vectors.
     */
    uint8_t (*corners)[4];
    uint32_t *patch_vertices;
    uint32_t patch_vertex_count;
} grazei_tree;

/* The level of a node; the root's is 0. */
static inline uint32_t grazei_tree_level(const grazei_tree *tree, uint32_t node)
{
    uint32_t level = 0;
    while (node >= tree->level_first[level + 1])
        level++;
    return level;
}

/* Whether a node is where queries of bounds end: a leaf, or on the contact level. */
static inline bool grazei_tree_ends_at(const grazei_tree *tree, uint32_t node)
{
    uint32_t level = tree->def.contact_level;
    return tree->nodes[node].count == 0 ||
           (level && level < tree->level_count && node >= tree->level_first[level]);
}

/* Whether patches are worth making ready for lanes: smaller ones are tested triangle by triangle.
 */
static inline bool grazei_tree_suits_lanes(const grazei_tree *tree)
{
    return tree->def.patch_triangles >= 8;
}

/* Fills a zeroed tree; on failure the caller releases what is there. */
graze_status grazei_tree_build(grazei_tree *tree, const graze_tree_def *given,
                               const grazei_mesh *mesh, const graze_allocator *allocator,
                               graze_error *error);

/* Fills a zeroed tree with the nodes and patches of another one, for the same triangles at other
 * positions: only spheres and main joints are found anew. False when out of memory; the caller then
 * releases.
 */
bool grazei_tree_copy(grazei_tree *tree, const grazei_tree *from, const grazei_mesh *mesh,
                      const graze_allocator *allocator);

/* GRAZE_CORRUPT where it is not what every tree is: validate.c. */
graze_status grazei_tree_validate(const grazei_tree *tree, const grazei_mesh *mesh,
                                  graze_error *error);

void grazei_tree_release(grazei_tree *tree, const graze_allocator *allocator);

/* Distinct vertices of some triangles, written to vertices (room for 3 a triangle or vertex_count);
 * returns how many. marks holds vertex_count zeros and does so again afterwards.
 */
uint32_t grazei_distinct_vertices(const grazei_mesh *mesh, const uint32_t *triangles,
                                  uint32_t triangle_count, uint8_t *marks, uint32_t *vertices);

/* The same for a range of patch_triangles. */
uint32_t grazei_tree_vertices(const grazei_tree *tree, const grazei_mesh *mesh,
                              const uint32_t range[2], uint8_t *marks, uint32_t *vertices);

#endif
