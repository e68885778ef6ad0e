/* Bodies: triangles, bounds, patches that are posed, and pairs. */
#include "draw/draw.h"

#include "base/status.h"
#include "body/mask.h"
#include "body/patches.h"

#include <graze/ext/inspect.h>

static graze_status check_body(const graze_draw *draw, const graze_body *body, graze_error *error)
{
    graze_status status = grazei_draw_check(draw, error);
    return status ? status : grazei_check_pointer(body, "the body", error);
}

/* The model has the triangle. */
static graze_status draw_triangle(const graze_draw *draw, graze_body *body, uint32_t triangle,
                                  uint32_t colour, graze_error *error)
{
    uint32_t vertices[3];
    float corners[3][3];
    graze_model_triangle(graze_body_model(body), triangle, vertices);
    graze_status status = graze_body_get_vertices(body, vertices, 3, corners[0], error);
    if (!status && draw->triangle)
        draw->triangle(draw->user, corners[0], corners[1], corners[2], colour);
    return status;
}

graze_status graze_draw_body(const graze_draw *draw, graze_body *body, graze_error *error)
{
    graze_status status = check_body(draw, body, error);
    if (status)
        return status;
    uint32_t count = grazei_body_mesh(body)->triangle_count;
    for (uint32_t t = 0; t < count && !status; t++)
        if (grazei_body_takes(body, t))
            status = draw_triangle(draw, body, t, GRAZE_DRAW_BODY, error);
    return status;
}

/* ---- bounds --------------------------------------------------------------------------------- */

static bool is_on_level(const graze_node_view *view, uint32_t level)
{
    return view->level == level || (view->level < level && view->child_count == 0);
}

static void draw_bound(const graze_draw *draw, const graze_node_view *view)
{
    uint32_t colour = view->was_refitted ? GRAZE_DRAW_REFITTED : GRAZE_DRAW_UNTOUCHED;
    if (view->volume == GRAZE_SPHERES)
        grazei_draw_sphere(draw, view->centre, view->radius, colour);
    else
        grazei_draw_box(draw, view->centre, view->half, colour);
}

graze_status graze_draw_bounds(const graze_draw *draw, graze_body *body, uint32_t level,
                               bool only_refitted, graze_error *error)
{
    graze_node_view view;
    graze_status status = check_body(draw, body, error);
    if (!status)
        status = grazei_body_ready(body, error);
    if (status)
        return status;
    uint32_t count = grazei_body_tree(body)->node_count;
    for (uint32_t n = 0; n < count; n++) {
        if (graze_body_view_node(body, n, GRAZE_NODE_CURRENT, &view))
            return grazei_fail_memory(error);
        if (is_on_level(&view, level) && view.triangle_count &&
            (view.was_refitted || !only_refitted))
            draw_bound(draw, &view);
    }
    return GRAZE_OK;
}

/* ---- patches -------------------------------------------------------------------------------- */

static void draw_patch(const graze_draw *draw, const graze_body *body, uint32_t number)
{
    grazei_posed_patch patch = grazei_posed_patch_of(body, number);
    float corners[3][4];
    for (uint32_t t = 0; t < patch.triangle_count && draw->triangle; t++) {
        grazei_patch_triangle(&patch, t, corners);
        draw->triangle(draw->user, corners[0], corners[1], corners[2], GRAZE_DRAW_POSED);
    }
}

graze_status graze_draw_patches(const graze_draw *draw, graze_body *body, graze_error *error)
{
    graze_status status = check_body(draw, body, error);
    if (status || !grazei_body_has_cache(body))
        return status;
    uint32_t count = grazei_body_tree(body)->patch_count;
    for (uint32_t p = 0; p < count; p++)
        if (grazei_body_has_patch(body, p))
            draw_patch(draw, body, p);
    return GRAZE_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static graze_status check_pairs(const graze_body *a, const graze_body *b, const graze_pair *pairs,
                                size_t count, graze_error *error)
{
    graze_status status = count ? grazei_check_pointer(pairs, "the array of pairs", error) : 0;
    for (size_t i = 0; i < count && !status; i++)
        if (pairs[i].a >= grazei_body_mesh(a)->triangle_count ||
            pairs[i].b >= grazei_body_mesh(b)->triangle_count)
            status = grazei_fail(error, GRAZE_BAD_INPUT, "the models do not have triangles %u, %u",
                                 pairs[i].a, pairs[i].b);
    return status;
}

graze_status graze_draw_pairs(const graze_draw *draw, graze_body *a, graze_body *b,
                              const graze_pair *pairs, size_t count, graze_error *error)
{
    graze_status status = check_body(draw, a, error);
    if (!status)
        status = grazei_check_pointer(b, "body b", error);
    if (!status)
        status = check_pairs(a, b, pairs, count, error);
    for (size_t i = 0; i < count && !status; i++) {
        status = draw_triangle(draw, a, pairs[i].a, GRAZE_DRAW_PAIR_A, error);
        if (!status)
            status = draw_triangle(draw, b, pairs[i].b, GRAZE_DRAW_PAIR_B, error);
    }
    return status;
}
