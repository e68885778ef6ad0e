/* Looking inside: the nodes of a body's tree and their bounds, for drawings, tables and tests.
 *
 * Nodes are numbered from 0 (the root), level by level, siblings side by side; their number is
 * graze_model_info.node_count.
 */
#ifndef GRAZE_INSPECT_H
#define GRAZE_INSPECT_H

#include <graze/body.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which bound of a node to show. */
typedef enum graze_node_bound {
    GRAZE_NODE_CURRENT = 0, /* what queries use in this pose, or would use */
    GRAZE_NODE_BEST = 1     /* the smallest one around the node's posed vertices */
} graze_node_bound;

typedef struct graze_node_view {
    uint32_t level; /* 0 for the root */
    uint32_t first_child;
    uint32_t child_count;    /* 0 for a leaf */
    uint32_t triangle_count; /* below this node, in the body's group mask */
    bool was_refitted;       /* a query bounded it in this pose */
    graze_volume volume;
    float centre[3]; /* all 0 for a node without triangles in the mask */
    float radius;    /* of a sphere; of a box half its diagonal */
    float half[3];   /* of a box half its sides; of a sphere the radius */
} graze_node_view;

/* Views a node; the number must be in range. Looking is no query: neither the node nor its siblings
 * count as refitted afterwards, and the next query bounds them itself. Only while threads share the
 * body is a bound that was found kept for them. GRAZE_NODE_BEST poses every vertex, and those are
 * kept. GRAZE_OUT_OF_MEMORY is possible for GRAZE_NODE_BEST and lean bodies.
 */
GRAZE_API graze_status graze_body_view_node(graze_body *body, uint32_t node, graze_node_bound which,
                                            graze_node_view *view);

/* Writes the numbers of the triangles below a node that are in the body's group mask, in the order
 * of the tree, and how many there are to count; of those beyond capacity none is written.
 *   - body and count are not NULL; triangles may be NULL if capacity is 0.
 *   - the number of the node is in range, else GRAZE_BAD_INPUT and a count of 0.
 */
GRAZE_EXPERIMENTAL graze_status graze_body_node_triangles(const graze_body *body, uint32_t node,
                                                          uint32_t *triangles, uint32_t capacity,
                                                          uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
