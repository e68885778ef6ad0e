/* Parts of a body against one simple shape: Listing 4 of Macagon & Wuensche 2003. */
#include "hitbox/contact.h"

#include "base/status.h"
#include "parts/lists.h"

#include <graze/touch.h>

/* Which parts the shape meets, and the deepest triangle of each. */
static bool take_triangles(void *user, const graze_contact *found, size_t count)
{
    graze_hitbox_finder *f = user;
    for (size_t i = 0; i < count; i++) {
        grazei_part_meeting *m = grazei_part_meeting_of(f, found[i].parts[0], 0);
        if (!m)
            return false;
        m->pair_count++;
        double depth = found[i].depth;
        if (depth < m->own.depth || (depth == m->own.depth && found[i].triangles[0] > m->pair.a))
            continue;
        m->pair.a = found[i].triangles[0];
        m->own.depth = depth;
        m->own.normal = (d3){found[i].normal[0], found[i].normal[1], found[i].normal[2]};
        m->own.point = (d3){found[i].point[0], found[i].point[1], found[i].point[2]};
    }
    return true;
}

/* The shape as a hitbox in the body. */
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

graze_status graze_hitbox_touch(graze_hitbox_finder *finder, const graze_posed_hitboxes *a,
                                const graze_shape *shape, graze_contact_list *contacts,
                                const graze_options *options, graze_error *error)
{
    graze_hitbox_finder *f = finder;
    graze_stats unwanted = {0};
    graze_stats *stats = options && options->stats ? options->stats : &unwanted;
    graze_capsule volume;
    graze_status status = grazei_start_contacts(contacts, error);
    if (!status)
        status = grazei_check_pointer(f, "the finder", error);
    if (!status)
        status = grazei_check_lazy_options(options, error);
    if (!status)
        status = grazei_part_check(a, "a", error);
    if (status)
        return status;
    if (!grazei_part_start(f, a, NULL))
        return grazei_fail_memory(error);
    graze_contact_list found = {.report = take_triangles, .user = f};
    const graze_options counted = {.stats = stats};
    status = graze_touch_contacts(a->body, shape, &found, &counted, error);
    if (status)
        return status;
    grazei_field field = {.shape = *shape, .stats = stats};
    for (uint32_t v = 0; v < graze_hitboxes_count(a->hitboxes, NULL) && !f->failed; v++) {
        uint32_t part = graze_hitboxes_get(a->hitboxes, v).part;
        grazei_part_probe probe = {&a->capsules[v], 0, part, v < a->hitboxes->part_count};
        if (!probe.coarse || !a->hitboxes->fine_counts[part])
            grazei_part_measure(f, &probe, &field);
    }
    if (as_volume(shape, &volume) && !f->failed) {
        grazei_field body = {.body = a->body, .closed = a->hitboxes->closed, .stats = stats};
        grazei_part_measure(f, &(grazei_part_probe){&volume, 1, 0, false}, &body);
    }
    return grazei_part_finish(f, contacts, error);
}
