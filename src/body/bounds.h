/* The first question: what bounds a node now?
 *
 * A walk asks for siblings once, grazei_body_bound(), and then reads their bounds, boxes or spheres
 * as the tree has them, from a view. Leaves have their exact box as soon as they are posed.
 */
#ifndef GRAZEI_BODY_BOUNDS_H
#define GRAZEI_BODY_BOUNDS_H

#include "body/body.h"

/* What a walk reads of a body again and again. */
typedef struct grazei_view {
    graze_body *body;
    const grazei_node *nodes;
    const grazei_bound *bounds; /* of nodes that were asked for */
    const grazei_bound *boxes;  /* of patches that are posed */
    const float (*points)[4];   /* of those */
    const uint32_t *names;      /* of triangles, patch by patch: their numbers in the mesh */
    bool spheres;               /* bounds are spheres, else boxes */
    bool shared;
} grazei_view;

static inline grazei_view grazei_body_view(graze_body *body)
{
    const grazei_tree *tree = body->tree;
    return (grazei_view){.body = body,
                         .nodes = tree->nodes,
                         .bounds = body->cache.bounds,
                         .boxes = body->cache.boxes,
                         .points = (const float(*)[4])body->cache.points,
                         .names = tree->patch_triangles,
                         .spheres = tree->def.volume == GRAZE_SPHERES,
                         .shared = body->shared};
}

/* Bounds siblings that are not bounded yet. */
void grazei_body_bound_siblings(graze_body *body, uint32_t first, uint32_t count,
                                graze_stats *stats);

/* Bounds count siblings from first on, unless they are bounded already. The root has none. */
static inline void grazei_body_bound(graze_body *body, uint32_t first, uint32_t count,
                                     graze_stats *stats)
{
    GRAZE_ASSERT(count > 0 && first + count <= body->tree->node_count);
    if (!grazei_body_has(body, &body->cache.node_marks[first]))
        grazei_body_bound_siblings(body, first, count, stats);
}

/* What bounds a node, the first and the number of its siblings given, and nothing is kept that was
 * not there: for drawings and tables. While threads share the body it is kept like any other.
 */
grazei_bound grazei_body_peek(graze_body *body, uint32_t node, uint32_t first, uint32_t count);

/* Whether the children of a node are bounded. */
static inline bool grazei_view_is_opened(const grazei_view *view, uint32_t number)
{
    grazei_node node = view->nodes[number];
    return node.count && grazei_body_has(view->body, &view->body->cache.node_marks[node.first]);
}

/* Bounds such a node again by the box that holds all its children, which is mostly less than what
 * it was bounded by; not spheres, and not where other threads may be reading it.
 */
static inline void grazei_view_bound_again(const grazei_view *view, uint32_t number)
{
    grazei_node node = view->nodes[number];
    if (view->spheres || view->shared)
        return;
    f4 low = f4_all(-INFINITY), high = low;
    GRAZE_ASSERT(node.count > 0);
    for (uint32_t i = node.first; i < node.first + node.count; i++) {
        low = f4_max(low, grazei_bound_first(&view->bounds[i]));
        high = f4_max(high, grazei_bound_second(&view->bounds[i]));
    }
    grazei_bound *own = &view->body->cache.bounds[number];
    f4_store(own->low_negated, f4_min(low, grazei_bound_first(own)));
    f4_store(own->high, f4_min(high, grazei_bound_second(own)));
}

/* Whether nothing below a node, which is bounded, takes part. */
static inline bool grazei_view_is_empty(const grazei_view *view, uint32_t node)
{
    return grazei_bound_is_empty(&view->bounds[node], view->spheres);
}

/* The box of a node. */
static inline grazei_bound grazei_view_box(const grazei_view *view, uint32_t node)
{
    GRAZE_ASSERT(node < grazei_body_tree(view->body)->node_count);
    return view->spheres ? grazei_box_of_sphere(&view->bounds[node]) : view->bounds[node];
}

/* About the sum of the sides of its box, for choosing which node to open. */
static inline float grazei_view_size(const grazei_view *view, uint32_t node)
{
    const grazei_bound *bound = &view->bounds[node];
    if (view->spheres)
        return 3.4f * bound->radius; /* of a box that holds as much */
    f4 sides = grazei_bound_first(bound) + grazei_bound_second(bound);
    return sides[0] + sides[1] + sides[2];
}

/* Four bounds from `first` on, of which the first `count` are siblings that were asked for. What
 * lies beyond them means nothing, and another thread may be writing it: then they are copies.
 */
static inline const grazei_bound *grazei_view_four(const grazei_view *view, uint32_t first,
                                                   uint32_t count, grazei_bound copies[4])
{
    const grazei_bound *four = &view->bounds[first];
    GRAZE_ASSERT(count > 0 && first < grazei_body_tree(view->body)->node_count);
    if (!view->shared || count >= 4)
        return four;
    for (uint32_t i = 0; i < 4; i++)
        copies[i] = four[i < count ? i : 0];
    return copies;
}

/* Whether a leaf's patch is posed, so that its exact box is there. */
static inline bool grazei_view_is_posed(const grazei_view *view, uint32_t leaf)
{
    return grazei_body_has(view->body,
                           &view->body->cache.patch_marks[view->nodes[leaf].first][GRAZEI_POSED]);
}

/* What is known of a leaf: the exact box of its patch once that is posed, else that of its bound.
 */
static inline grazei_bound grazei_view_leaf_box(const grazei_view *view, uint32_t leaf)
{
    return grazei_view_is_posed(view, leaf) ? view->boxes[view->nodes[leaf].first]
                                            : grazei_view_box(view, leaf);
}

/* Whether the bounds of two nodes, which are there, overlap. */
static inline bool grazei_views_overlap(const grazei_view *a, uint32_t node_a, const grazei_view *b,
                                        uint32_t node_b)
{
    if (a->spheres && b->spheres)
        return grazei_spheres_overlap(&a->bounds[node_a], &b->bounds[node_b]);
    grazei_bound box_a = grazei_view_box(a, node_a), box_b = grazei_view_box(b, node_b);
    grazei_box_probe probe = grazei_probe_box(&box_a);
    return grazei_boxes_overlap(&probe, &box_b);
}

#endif
