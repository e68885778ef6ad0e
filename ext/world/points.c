/* From contacts to points for a physics engine. */
#include "world/points.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/patches.h"
#include "parts/lists.h"

#include <math.h>
#include <string.h>

struct graze_point_finder {
    graze_allocator allocator;
    grazei_list touches; /* graze_contact, of single triangles, sorted by part; the body is a */
    grazei_list slots;   /* uint32_t, one a triangle: its number among the touches plus 1, or 0 */
    grazei_list choice;  /* grazei_point, of one part */
    grazei_list found;   /* graze_contact */
    bool out_of_memory;
};

graze_status graze_point_finder_create(const graze_allocator *allocator,
                                       graze_point_finder **finder, graze_error *error)
{
    graze_status status = grazei_check_pointer(finder, "where the finder goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_point_finder *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_point_finder);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *finder = made;
    return GRAZE_OK;
}

void graze_point_finder_destroy(graze_point_finder *finder)
{
    if (!finder)
        return;
    graze_allocator allocator = finder->allocator;
    grazei_release(&allocator, finder->touches.items);
    grazei_release(&allocator, finder->slots.items);
    grazei_release(&allocator, finder->choice.items);
    grazei_release(&allocator, finder->found.items);
    grazei_release(&allocator, finder);
}

/* ---- triangles ------------------------------------------------------------------------------ */

static bool take_touches(void *user, const graze_contact *contacts, size_t count)
{
    graze_point_finder *finder = user;
    size_t have = finder->touches.count;
    if (!grazei_list_reserve(&finder->allocator, &finder->touches, have + count,
                             sizeof *contacts)) {
        finder->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        ((graze_contact *)finder->touches.items)[have + i] = contacts[i];
    finder->touches.count += count;
    return true;
}

static bool comes_before(const graze_contact *x, const graze_contact *y)
{
    return x->parts[0] != y->parts[0] ? x->parts[0] < y->parts[0]
                                      : x->triangles[0] < y->triangles[0];
}

/* Lets the item at a place of a heap, whose last comes first, sink to where it belongs. */
static void sink(graze_contact *heap, size_t count, size_t at)
{
    graze_contact item = heap[at];
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        if (child + 1 < count && comes_before(&heap[child], &heap[child + 1]))
            child++;
        if (!comes_before(&item, &heap[child]))
            break;
        heap[at] = heap[child];
    }
    heap[at] = item;
}

/* By part, then by triangle, in place. */
static void sort_touches(graze_contact *touches, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(touches, count, i);
    for (size_t left = count; left > 1; left--) {
        graze_contact last = touches[0];
        touches[0] = touches[left - 1];
        touches[left - 1] = last;
        sink(touches, left - 1, 0);
    }
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* A point in the coordinates of a box. */
static void to_box(const graze_box *box, const float point[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++)
            out[i] += (double)box->axes[i][k] * ((double)point[k] - box->centre[k]);
    }
}

/* A triangle leaves a box, which may be as large as a house, through the face that what is inside
 * of it is nearest to: from its deepest corner in there, or the middle of what is where none is.
 */
static void leave_through_face(const graze_box *box, const float *const corners[3],
                               graze_contact *touch)
{
    double middle[3], at[3], depth;
    int face = 0;
    to_box(box, touch->point, middle);
    for (int i = 1; i < 3; i++)
        if (box->half[i] - fabs(middle[i]) < box->half[face] - fabs(middle[face]))
            face = i;
    double side = middle[face] < 0 ? -1 : 1;
    depth = box->half[face] - side * middle[face];
    for (int c = 0; c < 3; c++) {
        to_box(box, corners[c], at);
        bool inside = true;
        for (int i = 0; i < 3; i++)
            inside = inside && fabs(at[i]) <= box->half[i];
        if (!inside || !(box->half[face] - side * at[face] > depth))
            continue;
        depth = box->half[face] - side * at[face];
        for (int k = 0; k < 3; k++)
            touch->point[k] = corners[c][k];
    }
    touch->depth = (float)(depth > 0 ? depth : 0);
    for (int k = 0; k < 3; k++)
        touch->normal[k] = (float)(side * box->axes[face][k]);
}

static graze_status refine_box(graze_point_finder *finder, graze_body *body, const graze_box *box,
                               graze_error *error)
{
    graze_contact *touches = finder->touches.items;
    const grazei_tree *tree = grazei_body_tree(body);
    size_t triangles = grazei_body_mesh(body)->triangle_count, had = finder->slots.count;
    if (!finder->touches.count)
        return GRAZE_OK;
    if (!grazei_list_reserve(&finder->allocator, &finder->slots, triangles, sizeof(uint32_t)))
        return grazei_fail_memory(error);
    uint32_t *slots = finder->slots.items;
    if (had < triangles) {
        memset(slots + had, 0, (triangles - had) * sizeof *slots);
        finder->slots.count = triangles;
    }
    graze_status status = grazei_body_ready(body, error);
    if (status)
        return status;
    for (size_t i = 0; i < finder->touches.count; i++)
        slots[touches[i].triangles[0]] = (uint32_t)i + 1;
    graze_stats unwanted = {0};
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        const uint32_t *names = tree->patch_triangles + patch->first_triangle;
        for (uint32_t t = 0; t < patch->triangle_count; t++) {
            if (!slots[names[t]])
                continue;
            grazei_posed_patch posed = grazei_body_patch(body, p, &unwanted);
            const uint8_t *own = posed.corners[t];
            const float *const corners[3] = {posed.points[own[0]], posed.points[own[1]],
                                             posed.points[own[2]]};
            leave_through_face(box, corners, &touches[slots[names[t]] - 1]);
            slots[names[t]] = 0;
        }
    }
    return GRAZE_OK;
}

/* ---- all triangles that touch --------------------------------------------------------------- */

/* Where triangles of the body touch the shape, sorted. */
static graze_status find_touches(graze_point_finder *finder, graze_body *body,
                                 const graze_shape *shape, graze_error *error)
{
    finder->out_of_memory = false;
    finder->touches.count = 0;
    graze_contact_list found = {.report = take_touches, .user = finder};
    graze_status status = graze_touch_contacts(body, shape, &found, NULL, error);
    if (!status && finder->out_of_memory)
        status = grazei_fail_memory(error);
    if (!status && shape->kind == GRAZE_BOX)
        status = refine_box(finder, body, &shape->as.box, error);
    if (!status)
        sort_touches(finder->touches.items, finder->touches.count);
    return status;
}

static bool has_direction(const float v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* ---- putting points ------------------------------------------------------------------------- */

/* What the points that are put have in common. */
typedef struct contact_of {
    uint32_t parts[2];
    uint32_t number;
    int triangle_side; /* whose triangle a point has: 0 of a, 1 of b */
    float less;        /* of depths */
} contact_of;

static contact_of contact_at(const graze_contact *contact, uint32_t number, bool turned)
{
    return (contact_of){
        .parts = {contact->parts[0], contact->parts[1]}, .number = number, .triangle_side = turned};
}

static graze_status put(graze_point_finder *finder, const contact_of *contact,
                        const grazei_point *chosen, uint32_t count, graze_error *error)
{
    size_t have = finder->found.count;
    if (!grazei_list_reserve(&finder->allocator, &finder->found, have + count,
                             sizeof(graze_contact)))
        return grazei_fail_memory(error);
    graze_contact *found = (graze_contact *)finder->found.items + have;
    for (uint32_t i = 0; i < count; i++) {
        found[i] = (graze_contact){.depth = chosen[i].depth - contact->less,
                                   .parts = {contact->parts[0], contact->parts[1]},
                                   .triangles = {GRAZE_NONE, GRAZE_NONE},
                                   .pair_count = chosen[i].triangle != GRAZE_NONE,
                                   .number = contact->number};
        for (int k = 0; k < 3; k++) {
            found[i].point[k] = chosen[i].point[k];
            found[i].normal[k] = chosen[i].normal[k];
        }
        found[i].triangles[contact->triangle_side] = chosen[i].triangle;
    }
    finder->found.count += count;
    return GRAZE_OK;
}

/* The four best of the triangles [from, to) that touch. Their normals are the way in which the body
 * leaves; turned: the shape's is asked for.
 */
static graze_status put_touches(graze_point_finder *finder, const contact_of *contact, size_t from,
                                size_t to, bool turned, graze_error *error)
{
    const graze_contact *touches = finder->touches.items;
    size_t used = 0;
    if (!grazei_list_reserve(&finder->allocator, &finder->choice, to - from, sizeof(grazei_point)))
        return grazei_fail_memory(error);
    grazei_point *choice = finder->choice.items;
    for (size_t i = from; i < to; i++) {
        if (!has_direction(touches[i].normal))
            continue;
        grazei_point *point = &choice[used++];
        *point = (grazei_point){.depth = touches[i].depth, .triangle = touches[i].triangles[0]};
        for (int k = 0; k < 3; k++) {
            point->point[k] = touches[i].point[k];
            point->normal[k] = turned ? 0 - touches[i].normal[k] : 0 + touches[i].normal[k];
        }
    }
    return put(finder, contact, choice, grazei_choose_points(choice, used), error);
}

static graze_status put_itself(graze_point_finder *finder, const graze_contact *contact,
                               uint32_t number, graze_error *error)
{
    size_t have = finder->found.count;
    if (!has_direction(contact->normal))
        return GRAZE_OK;
    if (!grazei_list_reserve(&finder->allocator, &finder->found, have + 1, sizeof *contact))
        return grazei_fail_memory(error);
    graze_contact *found = (graze_contact *)finder->found.items + have;
    *found = *contact;
    found->number = number;
    finder->found.count = have + 1;
    return GRAZE_OK;
}

/* ---- margins ------------------------------------------------------------------------------- */

/* The shape as it reaches that much farther. */
static graze_status enlarge(const graze_shape *shape, float margin, graze_shape *large,
                            graze_error *error)
{
    *large = *shape;
    switch (shape->kind) {
    case GRAZE_SPHERE:
        large->as.sphere.radius += margin;
        return GRAZE_OK;
    case GRAZE_CAPSULE:
        large->as.capsule.radius += margin;
        return GRAZE_OK;
    case GRAZE_BOX:
        for (int k = 0; k < 3; k++)
            large->as.box.half[k] += margin;
        return GRAZE_OK;
    case GRAZE_HALF_SPACE: {
        const float *n = shape->as.plane.normal;
        large->as.plane.offset +=
            (float)(margin * sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]));
        return GRAZE_OK;
    }
    default:
        return grazei_fail(error, GRAZE_UNSUPPORTED,
                           "points are of spheres, capsules, boxes and half-spaces");
    }
}

/* Contacts of all touches, one a part. turned: the body is b. */
static graze_status put_all_touches(graze_point_finder *finder, float margin, bool turned,
                                    graze_error *error)
{
    const graze_contact *touches = finder->touches.items;
    contact_of of = {.triangle_side = turned, .less = margin};
    graze_status status = GRAZE_OK;
    for (size_t from = 0, to; from < finder->touches.count && !status; from = to, of.number++) {
        for (to = from;
             to < finder->touches.count && touches[to].parts[0] == touches[from].parts[0];)
            to++;
        of.parts[turned] = touches[from].parts[0];
        status = put_touches(finder, &of, from, to, turned, error);
    }
    return status;
}

/* A body and a shape, or two shapes, as they are now; nothing is put where they are apart. */
static graze_status find_anew(graze_point_finder *finder, graze_body *body,
                              const graze_shape *first, const graze_shape *second, float margin,
                              graze_error *error)
{
    graze_shape large;
    const graze_shape *enlarged = first && first->kind != GRAZE_HALF_SPACE ? first : second;
    graze_status status = enlarge(enlarged, margin, &large, error);
    if (status)
        return status;
    if (body) {
        status = find_touches(finder, body, &large, error);
        return status ? status : put_all_touches(finder, margin, first != NULL, error);
    }
    const graze_shape *a = enlarged == first ? &large : first;
    const graze_shape *b = enlarged == first ? second : &large;
    graze_contact contact;
    bool meet = false;
    status = grazei_shapes_meet(a, b, &meet, error);
    if (status || !meet || !grazei_shapes_contact(a, b, &contact))
        return status;
    grazei_point faces[GRAZEI_MAX_FACE_POINTS];
    uint32_t count = grazei_shapes_points(a, b, contact.normal, faces);
    contact_of of = {.less = margin};
    if (count)
        return put(finder, &of, faces, grazei_choose_points(faces, count), error);
    contact.depth -= margin;
    return put_itself(finder, &contact, 0, error);
}

/* ---- events --------------------------------------------------------------------------------- */

/* Where the touches of a part are. */
static void find_part(const graze_point_finder *finder, uint32_t part, size_t *from, size_t *to)
{
    const graze_contact *touches = finder->touches.items;
    size_t low = 0, high = finder->touches.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (touches[middle].parts[0] < part)
            low = middle + 1;
        else
            high = middle;
    }
    *from = *to = low;
    while (*to < finder->touches.count && touches[*to].parts[0] == part)
        ++*to;
}

static graze_status find_triangles(graze_point_finder *finder, graze_body *body,
                                   const graze_shape *shape, bool turned,
                                   const graze_world_event *event, graze_error *error)
{
    graze_status status = find_touches(finder, body, shape, error);
    for (uint32_t i = 0; i < event->contact_count && !status; i++) {
        const graze_contact *contact = &event->contacts[i];
        contact_of of = contact_at(contact, i, turned);
        size_t from, to;
        find_part(finder, contact->parts[turned], &from, &to);
        status = from < to ? put_touches(finder, &of, from, to, turned, error)
                           : put_itself(finder, contact, i, error);
    }
    return status;
}

static graze_status find_faces(graze_point_finder *finder, const graze_shape *a,
                               const graze_shape *b, const graze_world_event *event,
                               graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < event->contact_count && !status; i++) {
        grazei_point faces[GRAZEI_MAX_FACE_POINTS];
        const graze_contact *contact = &event->contacts[i];
        contact_of of = contact_at(contact, i, false);
        uint32_t count = grazei_shapes_points(a, b, contact->normal, faces);
        status = count ? put(finder, &of, faces, grazei_choose_points(faces, count), error)
                       : put_itself(finder, contact, i, error);
    }
    return status;
}

static graze_status check_margin(float margin, graze_error *error)
{
    return margin >= 0 && margin < INFINITY
               ? GRAZE_OK
               : grazei_fail(error, GRAZE_BAD_INPUT, "the margin is %g", (double)margin);
}

static bool is_there(const graze_world *world, graze_world_id id)
{
    return id.index < world->things.count &&
           grazei_thing_of(world, id.index)->kind != GRAZEI_FREE &&
           grazei_thing_of(world, id.index)->generation == id.generation;
}

static graze_status find_event(graze_point_finder *finder, const graze_world *world,
                               const graze_world_event *event, float margin, graze_error *error)
{
    graze_status status = GRAZE_OK;
    if (event->kind == GRAZE_EVENT_END || !event->contacts || !event->contact_count)
        return GRAZE_OK;
    if (!is_there(world, event->a) || !is_there(world, event->b))
        return grazei_fail(error, GRAZE_BAD_INPUT, "the event is of somebody not in the world");
    graze_body *a = grazei_thing_of(world, event->a.index)->body;
    graze_body *b = grazei_thing_of(world, event->b.index)->body;
    const graze_shape *shape_a = grazei_shape_of(world, event->a.index);
    const graze_shape *shape_b = grazei_shape_of(world, event->b.index);
    if (margin > 0 && !(a && b)) {
        status =
            find_anew(finder, a ? a : b, a ? NULL : shape_a, b ? NULL : shape_b, margin, error);
        if (status || finder->found.count)
            return status;
    }
    if (!a && !b)
        return find_faces(finder, shape_a, shape_b, event, error);
    if (event->level == GRAZE_LEVEL_EXACT && !(a && b))
        return find_triangles(finder, a ? a : b, a ? shape_b : shape_a, !a, event, error);
    for (uint32_t i = 0; i < event->contact_count && !status; i++)
        status = put_itself(finder, &event->contacts[i], i, error);
    return status;
}

/* ---- the calls ------------------------------------------------------------------------------ */

static graze_status start(graze_point_finder *finder, float margin, graze_contact_list *points,
                          graze_error *error)
{
    graze_status status = grazei_start_contacts(points, error);
    if (!status)
        status = grazei_check_pointer(finder, "the finder of points", error);
    if (!status)
        status = check_margin(margin, error);
    if (!status)
        finder->found.count = 0;
    return status;
}

graze_status graze_contact_points(graze_point_finder *finder, const graze_world *world,
                                  const graze_world_event *event, float margin,
                                  graze_contact_list *points, graze_error *error)
{
    graze_status status = start(finder, margin, points, error);
    if (!status)
        status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(event, "the event", error);
    if (!status)
        status = find_event(finder, world, event, margin, error);
    if (!status)
        grazei_give_contacts(points, finder->found.items, finder->found.count);
    return status;
}

graze_status graze_touch_points(graze_point_finder *finder, graze_body *body,
                                const graze_shape *shape, float margin, graze_contact_list *points,
                                graze_error *error)
{
    graze_shape large;
    graze_status status = start(finder, margin, points, error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(shape, "the shape", error);
    if (!status)
        status = enlarge(shape, margin, &large, error);
    if (!status)
        status = find_touches(finder, body, &large, error);
    if (!status)
        status = put_all_touches(finder, margin, false, error);
    if (!status)
        grazei_give_contacts(points, finder->found.items, finder->found.count);
    return status;
}
