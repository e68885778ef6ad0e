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
    GRAZE_NODE_CURRENT = 0, /* what queries use in this pose; refitted now if it was not yet */
    GRAZE_NODE_BEST = 1     /* the smallest one around the node's posed vertices */
} graze_node_bound;

typedef struct graze_node_view {
    uint32_t level; /* 0 for the root */
    uint32_t first_child;
    uint32_t child_count;    /* 0 for a leaf */
    uint32_t triangle_count; /* below this node, in the body's group mask */
    bool was_refitted;       /* its bound was there for this pose before this call */
    graze_volume volume;
    float centre[3]; /* all 0 for a node without triangles in the mask */
    float radius;    /* of a sphere; of a box half its diagonal */
    float half[3];   /* of a box half its sides; of a sphere the radius */
} graze_node_view;

/* Views a node; the number must be in range. GRAZE_OUT_OF_MEMORY is possible for GRAZE_NODE_BEST.
 */
GRAZE_API graze_status graze_body_view_node(graze_body *body, uint32_t node, graze_node_bound which,
                                            graze_node_view *view);

#ifdef __cplusplus
}
#endif

#endif
