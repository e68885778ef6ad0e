/* Looking inside: tree nodes and their bounds, questions about bounds alone, the papers' tree. For
 * drawings, tests, measurements, and simulations with proxies.
 *
 * Nodes are numbered from 0 (the root), level by level, siblings side by side. There are
 * graze_model_info.node_count.
 *
 * Standing: reference; may change in any version.
 */
#ifndef GRAZE_EXT_INSPECT_H
#define GRAZE_EXT_INSPECT_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- nodes ---------------------------------------------------------------------------------- */

typedef enum graze_node_bound {
    GRAZE_NODE_CURRENT = 0, /* what queries use in this pose, or would use */
    GRAZE_NODE_BEST = 1     /* the smallest around the node's posed vertices */
} graze_node_bound;

typedef struct graze_node_view {
    uint32_t level; /* 0 for the root */
    uint32_t first_child;
    uint32_t child_count;    /* 0 for a leaf */
    uint32_t triangle_count; /* below this node, in the body's part mask */
    bool was_refitted;       /* a query bounded it in this pose */
    graze_volume volume;
    float centre[3]; /* all 0 if no triangle is in the mask */
    float radius;    /* of a sphere; half the diagonal of a box */
    float half[3];   /* half the sides of a box; the radius of a sphere */
} graze_node_view;

/* Fills *view. This is not a query: the node does not count as refitted afterwards. GRAZE_NODE_BEST
 * poses every vertex.
 *   - GRAZE_BAD_INPUT if the node is out of range.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_view_node(graze_body *body, uint32_t node,
                                                     graze_node_bound which, graze_node_view *view);

/* Writes the triangles below a node that are in the part mask, in the order of the tree. *count is
 * how many there are; at most capacity are written.
 *   - triangles may be NULL if capacity is 0. GRAZE_BAD_INPUT if the node is out of range.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_node_triangles(const graze_body *body, uint32_t node,
                                                          uint32_t *triangles, uint32_t capacity,
                                                          uint32_t *count);

struct graze_pair_list; /* graze/pairs.h */

/* ---- bounds --------------------------------------------------------------------------------- */

/* Finds pairs of nodes whose bounds overlap, a of the first tree and b of the second, down to the
 * contact level of each tree (graze_tree_def) or its leaves. Poses no vertex.
 *   - a and b are different bodies. stats may be NULL.
 * Guarantee: conservative. No pair means that no triangles meet.
 */
GRAZE_EXPERIMENTAL graze_status graze_bound_pairs(graze_body *a, graze_body *b,
                                                  struct graze_pair_list *nodes, graze_stats *stats,
                                                  graze_error *error);

/* Finds a lower bound of graze_distance from the same bounds: often 0 for bodies that are apart,
 * infinity if a part mask is empty. Poses no vertex. stats may be NULL.
 * Guarantee: conservative, rounding included.
 */
GRAZE_EXPERIMENTAL graze_status graze_bound_distance(graze_body *a, graze_body *b, float *least,
                                                     graze_stats *stats, graze_error *error);

/* Poses every vertex and refits every bound bottom-up. Later queries give the same answers. Does
 * nothing while the body is shared.
 */
GRAZE_EXPERIMENTAL void graze_body_refit_all(graze_body *body);

/* Bounds every node from the pose alone, to measure what one bound costs. Returns how many. */
GRAZE_EXPERIMENTAL uint32_t graze_body_bound_all(graze_body *body);

/* ---- papers --------------------------------------------------------------------------------- */

/* Returns the tree of Kavan & Zara 2005: one triangle a leaf, spheres refitted by corners, nodes
 * collapsed at 0.6.
 */
GRAZE_EXPERIMENTAL graze_tree_def graze_paper_tree(void);

/* ---- validators ----------------------------------------------------------------------------- */

/* Check what queries rely on, for debug builds and bug reports. The error of GRAZE_CORRUPT names
 * the first thing that is wrong.
 *
 * Of a model: its mesh, its tree, the records that bound nodes and the tables for self-collision.
 */
GRAZE_EXPERIMENTAL graze_status graze_model_validate(const graze_model *model, graze_error *error);

/* Of a body: every posed vertex and patch has the bits that posing it anew gives, every bound holds
 * the triangles below it, and the part mask agrees with the tree. Poses the whole mesh.
 *   - The body is not shared. A lean body without caches has nothing to check.
 *   - GRAZE_OUT_OF_MEMORY is possible; the body stays as it is.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_validate(graze_body *body, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
