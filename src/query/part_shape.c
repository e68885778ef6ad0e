/* Parts of a body against one simple shape: Listing 4 of Macagon & Wuensche 2003. */
#include "query/part_contact.h"

#include "base/status.h"

#include <graze/shape_contact.h>

/* A graze_shape_contact_fn: which parts the shape meets, and the deepest triangle of each. */
static bool take_triangles(void *user, const graze_shape_contact *found, size_t count)
{
    graze_part_contacts *f = user;
    for (size_t i = 0; i < count; i++) {
        grazei_part_meeting *m = grazei_part_meeting_of(f, found[i].group, 0);
        if (!m)
            return false;
        m->pairs++;
        double depth = found[i].depth;
        if (depth < m->own.depth || (depth == m->own.depth && found[i].triangle > m->pair.a))
            continue;
        m->pair.a = found[i].triangle;
        m->own.depth = depth;
        m->own.normal = (d3){-found[i].normal[0], -found[i].normal[1], -found[i].normal[2]};
        m->own.point = (d3){found[i].point[0], found[i].point[1], found[i].point[2]};
    }
    return true;
}

/* The shape as a volume in the body. */
static bool as_volume(const graze_shape *shape, graze_capsule *volume)
{
    if (shape->kind == GRAZE_CAPSULE)
        *volume = shape->as.capsule;
    if (shape->kind == GRAZE_SPHERE) {
        memcpy(volume->p, shape->as.sphere.centre, sizeof volume->p);
        memcpy(volume->q, shape->as.sphere.centre, sizeof volume->q);
        volume->radius = shape->as.sphere.radius;
    }
    return shape->kind == GRAZE_CAPSULE || shape->kind == GRAZE_SPHERE;
}

graze_status graze_part_contacts_find_shape(graze_part_contacts *contacts, const graze_posed_fit *a,
                                            const graze_shape *shape, graze_stats *stats,
                                            graze_error *error)
{
    graze_part_contacts *f = contacts;
    graze_stats unwanted = {0};
    graze_capsule volume;
    graze_status status = grazei_check_pointer(f, "contacts", error);
    if (status)
        return status;
    f->meeting_count = f->contact_count = 0;
    status = grazei_part_check(a, "a", error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    if (!grazei_part_start(f, a, NULL))
        return grazei_fail_memory(error);
    status = graze_touch_contacts(a->body, shape, take_triangles, f, stats, error);
    if (status)
        return status;
    grazei_field field = {.shape = *shape, .stats = stats};
    for (uint32_t v = 0; v < graze_fit_volume_count(a->fit) && !f->failed; v++) {
        uint32_t part = graze_fit_volume(a->fit, v).part;
        grazei_part_probe probe = {&a->volumes[v], 0, part, v < a->fit->part_count};
        if (!probe.coarse || !a->fit->fine_counts[part])
            grazei_part_measure(f, &probe, &field);
    }
    if (as_volume(shape, &volume) && !f->failed) {
        grazei_field body = {.body = a->body, .closed = a->fit->closed, .stats = stats};
        grazei_part_measure(f, &(grazei_part_probe){&volume, 1, 0, false}, &body);
    }
    return grazei_part_finish(f, error);
}
