#include <graze/ext/inspect.h>

#include "base/memory.h"
#include "body/bounds.h"
#include "body/mask.h"
#include "tree/ball.h"

#include <string.h>

/* How many triangles below a node take part; writes the first `capacity` of them. */
static uint32_t find_triangles(const graze_body *body, uint32_t node, uint32_t *triangles,
                               uint32_t capacity)
{
    const grazei_tree *tree = &body->model->tree;
    uint32_t count = 0;
    if (!triangles && !grazei_body_is_masked(body))
        return tree->node_triangles[node][1] - tree->node_triangles[node][0];
    for (uint32_t i = tree->node_triangles[node][0]; i < tree->node_triangles[node][1]; i++) {
        uint32_t triangle = tree->patch_triangles[i];
        if (!grazei_body_takes(body, triangle))
            continue;
        if (count < capacity)
            triangles[count] = triangle;
        count++;
    }
    return count;
}

static void fill_place(const graze_body *body, uint32_t node, graze_node_view *view)
{
    const grazei_tree *tree = body->tree;
    *view = (graze_node_view){
        .first_child = tree->nodes[node].count ? tree->nodes[node].first : 0,
        .child_count = tree->nodes[node].count,
        .volume = tree->def.volume,
    };
    view->level = grazei_tree_level(tree, node);
    view->triangle_count = find_triangles(body, node, NULL, 0);
}

static void fill_bound(graze_node_view *view, const grazei_bound *bound)
{
    if (grazei_bound_is_empty(bound, view->volume == GRAZE_SPHERES))
        return;
    for (int axis = 0; axis < 3; axis++) {
        if (view->volume == GRAZE_SPHERES) {
            view->centre[axis] = bound->centre[axis];
            view->half[axis] = bound->radius;
        } else {
            view->centre[axis] = 0.5f * (bound->high[axis] - bound->low_negated[axis]);
            view->half[axis] = 0.5f * (bound->high[axis] + bound->low_negated[axis]);
        }
    }
    view->radius = view->volume == GRAZE_SPHERES ? bound->radius : f4_length3(f4_load3(view->half));
}

/* The siblings of a node, which are bounded together: the first of them, and how many. Children of
 * later nodes lie later, so the parent is found by halving; leaves, which tell nothing, are passed.
 */
static void find_siblings(const grazei_tree *tree, uint32_t node, uint32_t *first, uint32_t *count)
{
    uint32_t parent = 0, end = node;
    *first = 0;
    *count = 1;
    if (node == 0)
        return;
    while (parent + 1 < end) {
        uint32_t half = parent + (end - parent) / 2, next = half;
        while (next < end && tree->nodes[next].count == 0)
            next++;
        if (next < end && tree->nodes[next].first <= node)
            parent = next;
        else
            end = half;
    }
    *first = tree->nodes[parent].first;
    *count = tree->nodes[parent].count;
}

static graze_status best_bound(graze_body *body, uint32_t node, grazei_bound *bound)
{
    const graze_model *model = body->model;
    const graze_allocator *allocator = &model->allocator;
    uint32_t vertex_count = model->mesh.vertex_count;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(allocator, vertex_count, uint8_t);
    uint32_t *triangles = GRAZEI_ALLOCATE(allocator, model->mesh.triangle_count, uint32_t);
    uint32_t *vertices = GRAZEI_ALLOCATE(allocator, vertex_count, uint32_t);
    uint32_t *scratch = GRAZEI_ALLOCATE(allocator, vertex_count, uint32_t);
    float *points = GRAZEI_ALLOCATE(allocator, 3 * (size_t)vertex_count, float);
    bool ok = marks && triangles && vertices && scratch && points;
    if (ok) {
        graze_body_get_positions(body, points);
        uint32_t count = find_triangles(body, node, triangles, model->mesh.triangle_count);
        count = grazei_distinct_vertices(&model->mesh, triangles, count, marks, vertices);
        if (count == 0) {
            grazei_bound_set_empty(bound, model->tree.def.volume == GRAZE_SPHERES);
        } else if (model->tree.def.volume == GRAZE_SPHERES) {
            grazei_ball ball = grazei_ball_enclose(points, vertices, count, scratch);
            grazei_ball_float rounded = grazei_ball_round(&ball, points, vertices, count);
            grazei_bound_set_sphere(bound, f4_load3(rounded.centre), rounded.radius);
        } else {
            f4 low = f4_load3(points + 3 * (size_t)vertices[0]), high = low;
            for (uint32_t i = 1; i < count; i++) {
                low = f4_min(low, f4_load3(points + 3 * (size_t)vertices[i]));
                high = f4_max(high, f4_load3(points + 3 * (size_t)vertices[i]));
            }
            grazei_bound_set_box(bound, low, high);
        }
    }
    grazei_release(allocator, marks);
    grazei_release(allocator, triangles);
    grazei_release(allocator, vertices);
    grazei_release(allocator, scratch);
    grazei_release(allocator, points);
    return ok ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

graze_status graze_body_view_node(graze_body *body, uint32_t node, graze_node_bound which,
                                  graze_node_view *view)
{
    if (!body || !view || node >= body->model->tree.node_count)
        return GRAZE_BAD_INPUT;
    grazei_bound bound;
    uint32_t first, count;
    graze_status status = grazei_body_ready(body, NULL);
    if (status)
        return status;
    find_siblings(&body->model->tree, node, &first, &count);
    fill_place(body, node, view);
    view->was_refitted = grazei_body_has(body, &body->cache.node_marks[first]);
    if (which == GRAZE_NODE_BEST) {
        status = best_bound(body, node, &bound);
        if (status)
            return status;
    } else {
        bound = grazei_body_peek(body, node, first, count);
    }
    fill_bound(view, &bound);
    return GRAZE_OK;
}

graze_status graze_body_node_triangles(const graze_body *body, uint32_t node, uint32_t *triangles,
                                       uint32_t capacity, uint32_t *count)
{
    if (count)
        *count = 0;
    if (!body || !count || (capacity && !triangles) || node >= body->model->tree.node_count)
        return GRAZE_BAD_INPUT;
    *count = find_triangles(body, node, triangles, capacity);
    return GRAZE_OK;
}

uint32_t grazei_body_bound_all(graze_body *body)
{
    if (body->shared || grazei_body_ready(body, NULL))
        return 0;
    uint32_t count = body->model->tree.node_count;
    if (body->given) {
        grazei_body_refit_all(body);
        return count;
    }
    body->model->deformer->bound(&body->model->skin, grazei_body_joints(body), 0, count,
                                 body->cache.bounds, body->workspace);
    if (grazei_body_is_masked(body))
        grazei_mask_bounds(body, 0, count);
    grazei_body_keep_bounds(body);
    grazei_body_forget_earlier(body);
    return count;
}

graze_model_info graze_model_get_info(const graze_model *model)
{
    if (!model)
        return (graze_model_info){0};
    graze_model_info info = {
        .vertex_count = model->mesh.vertex_count,
        .triangle_count = model->mesh.triangle_count,
        .joint_count = model->mesh.joint_count,
        .part_count = model->mesh.part_count,
        .morph_count = model->mesh.morph_count,
        .skinning = model->skin.kind,
        .joint_set_count = model->mesh.set_count,
        .max_influences = model->mesh.max_influences,
        .node_count = model->tree.node_count,
        .leaf_count = model->tree.patch_count,
        .level_count = model->tree.level_count,
        .binary_node_count = model->tree.binary_node_count,
        .binary_level_count = model->tree.binary_level_count,
        .max_children = model->tree.max_children,
        .tree_bytes = grazei_model_tree_bytes(model),
        .body_bytes = grazei_body_bytes(model),
    };
    return info;
}
