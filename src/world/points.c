/* From contacts to points for a physics engine. */
#include "world/points.h"

#include "base/memory.h"
#include "base/status.h"
#include "body/patches.h"

#include <math.h>
#include <string.h>

struct graze_contact_points {
    graze_allocator allocator;
    grazei_list touches; /* graze_shape_contact, of single triangles, sorted by part */
    grazei_list slots;   /* uint32_t, one a triangle: its number among the touches plus 1, or 0 */
    grazei_list choice;  /* grazei_point, of one part */
    grazei_list found;   /* graze_contact_point */
    bool out_of_memory;
};

graze_status graze_contact_points_create(const graze_allocator *allocator,
                                         graze_contact_points **points, graze_error *error)
{
    graze_status status = grazei_check_pointer(points, "where the points go", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_contact_points *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_contact_points);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *points = made;
    return GRAZE_OK;
}

void graze_contact_points_destroy(graze_contact_points *points)
{
    if (!points)
        return;
    graze_allocator allocator = points->allocator;
    grazei_release(&allocator, points->touches.items);
    grazei_release(&allocator, points->slots.items);
    grazei_release(&allocator, points->choice.items);
    grazei_release(&allocator, points->found.items);
    grazei_release(&allocator, points);
}

const graze_contact_point *graze_contact_points_list(const graze_contact_points *points,
                                                     size_t *count)
{
    if (count)
        *count = points ? points->found.count : 0;
    return points && count && points->found.count ? points->found.items : NULL;
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* A graze_shape_contact_fn. */
static bool take_touches(void *user, const graze_shape_contact *contacts, size_t count)
{
    graze_contact_points *points = user;
    size_t have = points->touches.count;
    if (!grazei_list_reserve(&points->allocator, &points->touches, have + count,
                             sizeof *contacts)) {
        points->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        ((graze_shape_contact *)points->touches.items)[have + i] = contacts[i];
    points->touches.count += count;
    return true;
}

static bool comes_before(const graze_shape_contact *x, const graze_shape_contact *y)
{
    return x->group != y->group ? x->group < y->group : x->triangle < y->triangle;
}

/* Lets the item at a place of a heap, whose last comes first, sink to where it belongs. */
static void sink(graze_shape_contact *heap, size_t count, size_t at)
{
    graze_shape_contact item = heap[at];
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
static void sort_touches(graze_shape_contact *touches, size_t count)
{
    for (size_t i = count / 2; i-- > 0;)
        sink(touches, count, i);
    for (size_t left = count; left > 1; left--) {
        graze_shape_contact last = touches[0];
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
                               graze_shape_contact *touch)
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
    for (int k = 0; k < 3; k++) /* the way in which the box leaves */
        touch->normal[k] = (float)(-side * box->axes[face][k]);
}

static graze_status refine_box(graze_contact_points *points, graze_body *body, const graze_box *box,
                               graze_error *error)
{
    graze_shape_contact *touches = points->touches.items;
    const grazei_tree *tree = grazei_body_tree(body);
    size_t triangles = grazei_body_mesh(body)->triangle_count, had = points->slots.count;
    if (!points->touches.count)
        return GRAZE_OK;
    if (!grazei_list_reserve(&points->allocator, &points->slots, triangles, sizeof(uint32_t)))
        return grazei_fail_memory(error);
    uint32_t *slots = points->slots.items;
    if (had < triangles) {
        memset(slots + had, 0, (triangles - had) * sizeof *slots);
        points->slots.count = triangles;
    }
    graze_status status = grazei_body_ready(body, error);
    if (status)
        return status;
    for (size_t i = 0; i < points->touches.count; i++)
        slots[touches[i].triangle] = (uint32_t)i + 1;
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
static graze_status find_touches(graze_contact_points *points, graze_body *body,
                                 const graze_shape *shape, graze_error *error)
{
    points->out_of_memory = false;
    points->touches.count = 0;
    graze_status status = graze_touch_contacts(body, shape, take_touches, points, NULL, error);
    if (!status && points->out_of_memory)
        status = grazei_fail_memory(error);
    if (!status && shape->kind == GRAZE_BOX)
        status = refine_box(points, body, &shape->as.box, error);
    if (!status)
        sort_touches(points->touches.items, points->touches.count);
    return status;
}

static bool has_direction(const float v[3])
{
    return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

/* ---- putting points ------------------------------------------------------------------------- */

/* What the points that are put have in common. */
typedef struct contact_of {
    graze_part_pair parts;
    uint32_t number;
    int triangle_side; /* whose triangle a point has: 0 of a, 1 of b */
    float less;        /* of depths */
} contact_of;

static graze_status put(graze_contact_points *points, const contact_of *contact,
                        const grazei_point *chosen, uint32_t count, graze_error *error)
{
    size_t have = points->found.count;
    if (!grazei_list_reserve(&points->allocator, &points->found, have + count,
                             sizeof(graze_contact_point)))
        return grazei_fail_memory(error);
    graze_contact_point *found = (graze_contact_point *)points->found.items + have;
    for (uint32_t i = 0; i < count; i++) {
        found[i] = (graze_contact_point){.depth = chosen[i].depth - contact->less,
                                         .parts = contact->parts,
                                         .triangles = {UINT32_MAX, UINT32_MAX},
                                         .contact = contact->number};
        for (int k = 0; k < 3; k++) {
            found[i].point[k] = chosen[i].point[k];
            found[i].normal[k] = chosen[i].normal[k];
        }
        found[i].triangles[contact->triangle_side] = chosen[i].triangle;
    }
    points->found.count += count;
    return GRAZE_OK;
}

/* The four best of the triangles [from, to) that touch. Their normals are the way in which the
 * shape leaves; turned: that is what is asked for.
 */
static graze_status put_touches(graze_contact_points *points, const contact_of *contact,
                                size_t from, size_t to, bool turned, graze_error *error)
{
    const graze_shape_contact *touches = points->touches.items;
    size_t used = 0;
    if (!grazei_list_reserve(&points->allocator, &points->choice, to - from, sizeof(grazei_point)))
        return grazei_fail_memory(error);
    grazei_point *choice = points->choice.items;
    for (size_t i = from; i < to; i++) {
        if (!has_direction(touches[i].normal))
            continue;
        grazei_point *point = &choice[used++];
        *point = (grazei_point){.depth = touches[i].depth, .triangle = touches[i].triangle};
        for (int k = 0; k < 3; k++) {
            point->point[k] = touches[i].point[k];
            point->normal[k] = turned ? touches[i].normal[k] : 0 - touches[i].normal[k];
        }
    }
    return put(points, contact, choice, grazei_choose_points(choice, used), error);
}

static graze_status put_itself(graze_contact_points *points, const graze_world_contact *contact,
                               uint32_t number, graze_error *error)
{
    if (!has_direction(contact->normal))
        return GRAZE_OK;
    grazei_point itself = {.depth = contact->depth, .triangle = contact->triangles[0]};
    for (int k = 0; k < 3; k++) {
        itself.point[k] = contact->point[k];
        itself.normal[k] = contact->normal[k];
    }
    contact_of of = {contact->parts, number, 0, 0};
    graze_status status = put(points, &of, &itself, 1, error);
    if (!status)
        ((graze_contact_point *)points->found.items)[points->found.count - 1].triangles[1] =
            contact->triangles[1];
    return status;
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
static graze_status put_all_touches(graze_contact_points *points, float margin, bool turned,
                                    graze_error *error)
{
    const graze_shape_contact *touches = points->touches.items;
    contact_of of = {.triangle_side = turned, .less = margin};
    graze_status status = GRAZE_OK;
    for (size_t from = 0, to; from < points->touches.count && !status; from = to, of.number++) {
        for (to = from; to < points->touches.count && touches[to].group == touches[from].group;)
            to++;
        *(turned ? &of.parts.b : &of.parts.a) = touches[from].group;
        status = put_touches(points, &of, from, to, turned, error);
    }
    return status;
}

/* A body and a shape, or two shapes, as they are now; nothing is put where they are apart. */
static graze_status find_anew(graze_contact_points *points, graze_body *body,
                              const graze_shape *first, const graze_shape *second, float margin,
                              graze_error *error)
{
    graze_shape large;
    const graze_shape *enlarged = first && first->kind != GRAZE_HALF_SPACE ? first : second;
    graze_status status = enlarge(enlarged, margin, &large, error);
    if (status)
        return status;
    if (body) {
        status = find_touches(points, body, &large, error);
        return status ? status : put_all_touches(points, margin, first != NULL, error);
    }
    const graze_shape *a = enlarged == first ? &large : first;
    const graze_shape *b = enlarged == first ? second : &large;
    graze_shape_contact contact;
    bool meet = false;
    status = grazei_shapes_meet(a, b, &meet, error);
    if (status || !meet || !grazei_shapes_contact(a, b, &contact))
        return status;
    grazei_point faces[GRAZEI_MAX_FACE_POINTS];
    uint32_t count = grazei_shapes_points(a, b, contact.normal, faces);
    contact_of of = {.less = margin};
    if (count)
        return put(points, &of, faces, grazei_choose_points(faces, count), error);
    const graze_world_contact itself = {
        .point = {contact.point[0], contact.point[1], contact.point[2]},
        .normal = {contact.normal[0], contact.normal[1], contact.normal[2]},
        .depth = contact.depth - margin,
        .triangles = {UINT32_MAX, UINT32_MAX}};
    return put_itself(points, &itself, 0, error);
}

/* ---- events --------------------------------------------------------------------------------- */

/* Where the touches of a part are. */
static void find_part(const graze_contact_points *points, uint32_t part, size_t *from, size_t *to)
{
    const graze_shape_contact *touches = points->touches.items;
    size_t low = 0, high = points->touches.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (touches[middle].group < part)
            low = middle + 1;
        else
            high = middle;
    }
    *from = *to = low;
    while (*to < points->touches.count && touches[*to].group == part)
        ++*to;
}

static graze_status find_triangles(graze_contact_points *points, graze_body *body,
                                   const graze_shape *shape, bool turned,
                                   const graze_world_event *event, graze_error *error)
{
    graze_status status = find_touches(points, body, shape, error);
    for (uint32_t i = 0; i < event->contact_count && !status; i++) {
        const graze_world_contact *contact = &event->contacts[i];
        contact_of of = {contact->parts, i, turned, 0};
        size_t from, to;
        find_part(points, turned ? contact->parts.b : contact->parts.a, &from, &to);
        status = from < to ? put_touches(points, &of, from, to, turned, error)
                           : put_itself(points, contact, i, error);
    }
    return status;
}

static graze_status find_faces(graze_contact_points *points, const graze_shape *a,
                               const graze_shape *b, const graze_world_event *event,
                               graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < event->contact_count && !status; i++) {
        grazei_point faces[GRAZEI_MAX_FACE_POINTS];
        const graze_world_contact *contact = &event->contacts[i];
        contact_of of = {contact->parts, i, 0, 0};
        uint32_t count = grazei_shapes_points(a, b, contact->normal, faces);
        status = count ? put(points, &of, faces, grazei_choose_points(faces, count), error)
                       : put_itself(points, contact, i, error);
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

static graze_status find_event(graze_contact_points *points, const graze_world *world,
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
            find_anew(points, a ? a : b, a ? NULL : shape_a, b ? NULL : shape_b, margin, error);
        if (status || points->found.count)
            return status;
    }
    if (!a && !b)
        return find_faces(points, shape_a, shape_b, event, error);
    if (event->level == GRAZE_LEVEL_EXACT && !(a && b))
        return find_triangles(points, a ? a : b, a ? shape_b : shape_a, !a, event, error);
    for (uint32_t i = 0; i < event->contact_count && !status; i++)
        status = put_itself(points, &event->contacts[i], i, error);
    return status;
}

graze_status graze_contact_points_find(graze_contact_points *points, const graze_world *world,
                                       const graze_world_event *event, float margin,
                                       graze_error *error)
{
    graze_status status = grazei_check_pointer(points, "the finder of points", error);
    if (!status)
        status = grazei_check_pointer(world, "the world", error);
    if (!status)
        status = grazei_check_pointer(event, "the event", error);
    if (!status)
        status = check_margin(margin, error);
    if (status)
        return status;
    points->found.count = 0;
    status = find_event(points, world, event, margin, error);
    if (status)
        points->found.count = 0;
    return status;
}

/* ---- one body and one shape ----------------------------------------------------------------- */

graze_status graze_contact_points_touch(graze_contact_points *points, graze_body *body,
                                        const graze_shape *shape, float margin, graze_error *error)
{
    graze_shape large;
    graze_status status = grazei_check_pointer(points, "the finder of points", error);
    if (!status)
        status = grazei_check_pointer(body, "the body", error);
    if (!status)
        status = grazei_check_pointer(shape, "the shape", error);
    if (!status)
        status = check_margin(margin, error);
    if (!status)
        status = enlarge(shape, margin, &large, error);
    if (status)
        return status;
    points->found.count = 0;
    status = find_touches(points, body, &large, error);
    if (!status)
        status = put_all_touches(points, margin, false, error);
    if (status)
        points->found.count = 0;
    return status;
}
