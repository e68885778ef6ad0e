/* Shapes and points against all members. */
#include "world/question.h"

#include "base/status.h"
#include "body/mask.h"
#include "math/rounding.h"
#include "parts/lists.h"
#include "touch/nearest_point.h"
#include "touch/shapes.h"

#include <math.h>
#include <string.h>

/* ---- shapes --------------------------------------------------------------------------------- */

typedef struct touch_walk {
    grazei_boxes_walk walk;
    grazei_world_call *call;
    grazei_world_thread *own;
    const graze_shape *shape;
    grazei_shape made;
    const grazei_mesh *mesh; /* of the body being asked */
    bool out_of_memory;
} touch_walk;

static bool meets_shape(const grazei_boxes_walk *walk, const grazei_bound *box, float *key)
{
    *key = 0;
    return grazei_shape_side(&((const touch_walk *)walk)->made, box, false, NULL) != GRAZE_OUTSIDE;
}

static bool put_touched(touch_walk *w, const graze_world_touched *touched)
{
    grazei_list *found = &w->own->touched;
    if (!grazei_list_reserve(&w->call->world->allocator, found, found->count + 1, sizeof *touched))
        return false;
    ((graze_world_touched *)found->items)[found->count++] = *touched;
    w->walk.done = w->call->options.any;
    return true;
}

/* Of a graze_triangle_list: keys of part and triangle. */
static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    touch_walk *w = user;
    grazei_list *keys = &w->own->keys;
    if (!grazei_list_reserve(&w->call->world->allocator, keys, keys->count + count,
                             sizeof(uint64_t))) {
        w->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        ((uint64_t *)keys->items)[keys->count++] =
            (uint64_t)w->mesh->triangle_parts[triangles[i]] << 32 | triangles[i];
    return true;
}

/* One for each part of which there are triangles. */
static bool put_parts(touch_walk *w, graze_world_touched touched)
{
    grazei_list *keys = &w->own->keys;
    const uint64_t *items = keys->items;
    if (!grazei_sort_keys(&w->call->world->allocator, keys->items, keys->count, &w->own->scratch))
        return false;
    for (size_t i = 0; i < keys->count; i += touched.triangle_count) {
        touched.part = (uint32_t)(items[i] >> 32);
        touched.triangle = (uint32_t)items[i];
        touched.triangle_count = 0;
        for (size_t j = i; j < keys->count && items[j] >> 32 == touched.part; j++)
            touched.triangle_count++;
        if (!put_touched(w, &touched))
            return false;
    }
    return true;
}

/* Whether the shape, which meets no triangle, lies in a solid body. */
static graze_status ask_within(touch_walk *w, uint32_t index, bool *inside, graze_error *error)
{
    graze_body *body = grazei_thing_of(w->call->world, index)->body;
    const float *point = grazei_point_in_shape(w->shape);
    graze_point_side side = {.inside = false};
    graze_options options = grazei_world_body_options(w->call, w->own);
    graze_status status = GRAZE_OK;
    if (point && grazei_member_of(w->call->world, index)->solid && !grazei_body_is_masked(body))
        status = graze_inside(body, point, &side, &options, error);
    *inside = side.inside;
    return status;
}

static graze_status touch_body(touch_walk *w, uint32_t index, graze_world_touched touched,
                               graze_error *error)
{
    graze_body *body = grazei_thing_of(w->call->world, index)->body;
    graze_triangle_list list = {.report = take_triangles, .user = w};
    graze_options options = grazei_world_body_options(w->call, w->own);
    w->own->keys.count = 0;
    w->mesh = grazei_body_mesh(body);
    grazei_world_use_body(w->call, index);
    graze_status status = graze_touch(body, w->shape, &list, &options, error);
    if (!status && !w->out_of_memory && !w->own->keys.count)
        status = ask_within(w, index, &touched.inside, error);
    if (status)
        return status;
    bool fine = touched.inside ? put_touched(w, &touched) : put_parts(w, touched);
    return fine && !w->out_of_memory ? GRAZE_OK : grazei_fail_memory(error);
}

static graze_status visit_touched(grazei_boxes_walk *walk, uint32_t index, graze_error *error)
{
    touch_walk *w = (touch_walk *)walk;
    const graze_world *world = w->call->world;
    graze_world_touched touched = {.triangle = GRAZE_NONE};
    bool meet = false;
    if (!grazei_world_is_asked(w->call, index))
        return GRAZE_OK;
    touched.id = grazei_world_id_of(world, index);
    touched.category = grazei_thing_of(world, index)->category;
    if (grazei_thing_of(world, index)->body)
        return touch_body(w, index, touched, error);
    graze_status status = grazei_shapes_meet(w->shape, grazei_shape_of(world, index), &meet, error);
    return status || !meet || put_touched(w, &touched) ? status : grazei_fail_memory(error);
}

static void clear_touched(const grazei_world_call *call, size_t item)
{
    graze_world_touched_list *list = (graze_world_touched_list *)call->answers + item;
    list->count = list->total = 0;
}

static graze_status ask_touched(grazei_world_call *call, size_t item, grazei_world_thread *own,
                                graze_error *error)
{
    graze_world_touched_list *list = (graze_world_touched_list *)call->answers + item;
    touch_walk w = {.walk = {.meets = meets_shape,
                             .visit = visit_touched,
                             .limit = INFINITY,
                             .stats = &own->stats},
                    .call = call,
                    .own = own,
                    .shape = (const graze_shape *)call->asked + item};
    own->touched.count = 0;
    graze_status status = grazei_shape_prepare(&w.made, w.shape, error);
    if (!status)
        status = grazei_world_walk(call, &w.walk, error);
    if (status)
        return status;
    list->total = own->touched.count;
    if (list->report && list->total) {
        grazei_lock_take(&call->list_lock);
        list->report(list->user, own->touched.items, list->total);
        grazei_lock_release(&call->list_lock);
    } else {
        list->count = list->total < list->capacity ? list->total : list->capacity;
        if (list->count)
            memcpy(list->items, own->touched.items, list->count * sizeof *list->items);
    }
    return GRAZE_OK;
}

static graze_status check_touched(const graze_shape *shape, graze_world_touched_list *list,
                                  graze_error *error)
{
    list->count = list->total = 0;
    graze_status status =
        grazei_check_list(list->items, list->capacity, list->report != NULL, error);
    return status ? status : grazei_world_check_shape(shape, error);
}

graze_status graze_world_touch_many(graze_world *world, const graze_shape *shapes, size_t count,
                                    const graze_world_filter *filter,
                                    graze_world_touched_list *lists, const graze_options *options,
                                    graze_error *error)
{
    grazei_world_call call = {.world = world,
                              .asked = shapes,
                              .answers = lists,
                              .count = count,
                              .ask = ask_touched,
                              .clear = clear_touched};
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status && count)
        status = grazei_check_pointer(shapes, "the shape", error);
    if (!status && count)
        status = grazei_check_pointer(lists, "the list", error);
    for (size_t i = 0; i < count && !status; i++) {
        graze_error failure;
        status = check_touched(&shapes[i], &lists[i], &failure);
        if (status && count > 1)
            grazei_fail(error, status, "shape %zu: %s", i, failure.text);
        else if (status)
            grazei_fail(error, status, "%s", failure.text);
    }
    return status ? status : grazei_world_ask_all(&call, filter, options, error);
}

graze_status graze_world_touch(graze_world *world, const graze_shape *shape,
                               const graze_world_filter *filter, graze_world_touched_list *touched,
                               const graze_options *options, graze_error *error)
{
    return graze_world_touch_many(world, shape, 1, filter, touched, options, error);
}

/* ---- the nearest point ---------------------------------------------------------------------- */

typedef struct point_walk {
    grazei_boxes_walk walk;
    grazei_world_call *call;
    grazei_world_thread *own;
    const float *point;
    graze_world_nearest_point best;
    double limit; /* to which there may be something nearer */
} point_walk;

/* The key is at most the square of the distance. */
static bool meets_point(const grazei_boxes_walk *walk, const grazei_bound *box, float *key)
{
    const point_walk *w = (const point_walk *)walk;
    double square = 0;
    if (grazei_bound_is_empty(box, false))
        return false;
    for (int k = 0; k < 3; k++) {
        double below = -(double)box->low_negated[k] - w->point[k];
        double above = w->point[k] - (double)box->high[k];
        double out = below > above ? below : above;
        square += out > 0 ? out * out : 0;
    }
    *key = (float)(square * (1 - 1e-6));
    return true;
}

static void take_point(point_walk *w, uint32_t index, const graze_world_nearest_point *found)
{
    graze_world_nearest_point *best = &w->best;
    if (!(found->distance <= w->call->limit) ||
        (best->found && (found->distance > best->distance ||
                         (found->distance == best->distance && index > best->id.index))))
        return;
    *best = *found;
    best->found = true;
    best->id = grazei_world_id_of(w->call->world, index);
    best->category = grazei_thing_of(w->call->world, index)->category;
    w->limit = nextafter(best->distance, INFINITY);
    w->walk.limit = grazei_round_up(w->limit * w->limit);
    w->walk.done = w->call->options.any;
}

/* Whether what is inside a body is known. */
static graze_status has_inside(const graze_world *world, uint32_t index, bool *closed,
                               graze_error *error)
{
    *closed = false;
    return grazei_body_is_masked(grazei_thing_of(world, index)->body)
               ? GRAZE_OK
               : grazei_world_is_closed(world, index, closed, error);
}

static graze_status nearest_of_body(point_walk *w, uint32_t index, graze_error *error)
{
    graze_body *body = grazei_thing_of(w->call->world, index)->body;
    const d3 point = {w->point[0], w->point[1], w->point[2]};
    bool closed = false;
    grazei_world_use_body(w->call, index);
    graze_status status = grazei_body_ready(body, error);
    if (status)
        return status;
    grazei_surface_point at = grazei_nearest_point(body, point, w->limit, &w->own->stats);
    if (at.found && at.behind)
        status = has_inside(w->call->world, index, &closed, error);
    if (!at.found || status)
        return status;
    graze_world_nearest_point found = {
        .behind = at.behind && closed,
        .part = grazei_body_mesh(body)->triangle_parts[at.triangle],
        .triangle = at.triangle,
        .distance = at.distance,
        .point = {(float)at.point.x, (float)at.point.y, (float)at.point.z},
        .normal = {(float)at.normal.x, (float)at.normal.y, (float)at.normal.z}};
    take_point(w, index, &found);
    return GRAZE_OK;
}

static graze_status visit_nearest(grazei_boxes_walk *walk, uint32_t index, graze_error *error)
{
    point_walk *w = (point_walk *)walk;
    if (!grazei_world_is_asked(w->call, index))
        return GRAZE_OK;
    if (grazei_thing_of(w->call->world, index)->body)
        return nearest_of_body(w, index, error);
    grazei_shape_point at =
        grazei_nearest_of_shape(grazei_shape_of(w->call->world, index), w->point);
    graze_world_nearest_point found = {
        .behind = at.inside, .triangle = GRAZE_NONE, .distance = at.distance};
    for (int k = 0; k < 3; k++) {
        found.point[k] = (float)at.point[k];
        found.normal[k] = (float)at.normal[k];
    }
    take_point(w, index, &found);
    return GRAZE_OK;
}

static point_walk point_walk_of(grazei_world_call *call, size_t item, grazei_world_thread *own)
{
    double limit = nextafter(call->limit, INFINITY);
    return (point_walk){
        .walk = {.meets = meets_point,
                 .limit = limit * limit < 1e38 ? grazei_round_up(limit * limit) : INFINITY,
                 .stats = &own->stats},
        .call = call,
        .own = own,
        .point = (const float *)call->asked + 3 * item,
        .limit = limit};
}

static graze_status ask_nearest(grazei_world_call *call, size_t item, grazei_world_thread *own,
                                graze_error *error)
{
    point_walk w = point_walk_of(call, item, own);
    w.walk.visit = visit_nearest;
    graze_status status = grazei_world_walk(call, &w.walk, error);
    if (!status)
        ((graze_world_nearest_point *)call->answers)[item] = w.best;
    return status;
}

static void clear_nearest(const grazei_world_call *call, size_t item)
{
    ((graze_world_nearest_point *)call->answers)[item] =
        (graze_world_nearest_point){.found = false};
}

static graze_status check_point(const float point[3], size_t number, graze_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(fabsf(point[k]) < 1e18f))
            return grazei_fail(error, GRAZE_BAD_INPUT, "point %zu: %g is not below 1e18", number,
                               (double)point[k]);
    return GRAZE_OK;
}

graze_status graze_world_nearest_many(graze_world *world, const float *points, size_t count,
                                      double limit, const graze_world_filter *filter,
                                      graze_world_nearest_point *nearest,
                                      const graze_options *options, graze_error *error)
{
    grazei_world_call call = {.world = world,
                              .asked = points,
                              .answers = nearest,
                              .limit = limit,
                              .count = count,
                              .ask = ask_nearest,
                              .clear = clear_nearest};
    graze_status status = grazei_check_pointer(world, "the world", error);
    if (!status && count)
        status = grazei_check_pointer(points, "the point", error);
    if (!status && count)
        status = grazei_check_pointer(nearest, "where the nearest point goes", error);
    if (!status && !(limit >= 0))
        status = grazei_fail(error, GRAZE_BAD_INPUT, "the limit is %g", limit);
    if (!status && options && options->method != GRAZE_LAZY)
        status = grazei_fail(error, GRAZE_UNSUPPORTED, "this question has the method GRAZE_LAZY");
    for (size_t i = 0; i < count && !status; i++)
        status = check_point(points + 3 * i, i, error);
    for (size_t i = 0; i < count && nearest && status; i++)
        clear_nearest(&call, i);
    return status ? status : grazei_world_ask_all(&call, filter, options, error);
}

graze_status graze_world_nearest(graze_world *world, const float point[3], double limit,
                                 const graze_world_filter *filter,
                                 graze_world_nearest_point *nearest, const graze_options *options,
                                 graze_error *error)
{
    return graze_world_nearest_many(world, point, 1, limit, filter, nearest, options, error);
}

/* ---- inside --------------------------------------------------------------------------------- */

static graze_status visit_inside(grazei_boxes_walk *walk, uint32_t index, graze_error *error)
{
    point_walk *w = (point_walk *)walk;
    graze_world *world = w->call->world;
    graze_body *body = grazei_thing_of(world, index)->body;
    graze_point_side side = {.inside = false};
    graze_options options = grazei_world_body_options(w->call, w->own);
    graze_status status = GRAZE_OK;
    bool closed = false;
    if (!grazei_world_is_asked(w->call, index))
        return GRAZE_OK;
    if (!body)
        side.inside = grazei_nearest_of_shape(grazei_shape_of(world, index), w->point).inside;
    else
        status = has_inside(w->call->world, index, &closed, error);
    if (closed && !status) {
        grazei_world_use_body(w->call, index);
        status = graze_inside(body, w->point, &side, &options, error);
    }
    if (status || !side.inside)
        return status;
    grazei_list *keys = &w->own->keys;
    if (!grazei_list_reserve(&world->allocator, keys, keys->count + 1, sizeof(uint64_t)))
        return grazei_fail_memory(error);
    ((uint64_t *)keys->items)[keys->count++] = index;
    w->walk.done = w->call->options.any;
    return GRAZE_OK;
}

static graze_status ask_inside(grazei_world_call *call, size_t item, grazei_world_thread *own,
                               graze_error *error)
{
    point_walk w = point_walk_of(call, item, own);
    w.walk.visit = visit_inside;
    own->keys.count = 0;
    graze_status status = grazei_world_walk(call, &w.walk, error);
    if (!status &&
        !grazei_sort_keys(&call->world->allocator, own->keys.items, own->keys.count, &own->scratch))
        status = grazei_fail_memory(error);
    return status;
}

static void clear_count(const grazei_world_call *call, size_t item)
{
    (void)item;
    *(size_t *)call->answers = 0;
}

graze_status graze_world_inside(graze_world *world, const float point[3],
                                const graze_world_filter *filter, graze_world_id *ids,
                                size_t capacity, size_t *count, const graze_options *options,
                                graze_error *error)
{
    grazei_world_call call = {.world = world,
                              .asked = point,
                              .answers = count,
                              .count = 1,
                              .ask = ask_inside,
                              .clear = clear_count};
    graze_status status = grazei_check_pointer(count, "where the count goes", error);
    if (status)
        return status;
    *count = 0;
    status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(point, "the point", error);
    if (!status && capacity)
        status = grazei_check_pointer(ids, "where ids go", error);
    if (!status)
        status = check_point(point, 0, error);
    if (!status)
        status = grazei_world_ask_all(&call, filter, options, error);
    if (status)
        return status;
    const grazei_list *found = &((const grazei_world_thread *)world->threads.items)->keys;
    *count = found->count;
    for (size_t i = 0; i < found->count && i < capacity; i++)
        ids[i] = grazei_world_id_of(world, (uint32_t)((const uint64_t *)found->items)[i]);
    return GRAZE_OK;
}
