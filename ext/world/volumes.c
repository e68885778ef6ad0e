/* The level of parts: volumes of fits (graze/ext/hitbox.h) against each other, against shapes, and
 * against the triangles of bodies that have no fit. As volumes hold their triangles in every pose,
 * nothing is missed that triangles would find.
 */
#include "base/memory.h"
#include "base/status.h"
#include "body/mask.h"
#include "world/ask.h"

/* ---- in a pose ------------------------------------------------------------------------------ */

graze_status grazei_world_make_volumes(graze_world *world, uint32_t index, graze_error *error)
{
    grazei_member *member = grazei_member_of(world, index);
    const graze_allocator *allocator = &world->allocator;
    if (!member->fit)
        return GRAZE_OK;
    uint32_t count = graze_hitboxes_count(member->fit, &member->volume_count);
    member->volumes = GRAZEI_ALLOCATE(allocator, count, graze_capsule);
    member->volume_boxes = GRAZEI_ALLOCATE(allocator, member->volume_count, grazei_bound);
    member->volume_parts = GRAZEI_ALLOCATE(allocator, member->volume_count, uint32_t);
    if (member->volumes && member->volume_boxes && member->volume_parts)
        return GRAZE_OK;
    grazei_world_release_volumes(world, index);
    return grazei_fail_memory(error);
}

void grazei_world_release_volumes(graze_world *world, uint32_t index)
{
    grazei_member *member = grazei_member_of(world, index);
    grazei_release(&world->allocator, member->volumes);
    grazei_release(&world->allocator, member->volume_boxes);
    grazei_release(&world->allocator, member->volume_parts);
    member->volumes = NULL;
    member->volume_boxes = NULL;
    member->volume_parts = NULL;
    member->volume_count = 0;
}

static graze_shape shape_of_volume(const graze_capsule *volume)
{
    return (graze_shape){.kind = GRAZE_CAPSULE, .as = {.capsule = *volume}};
}

graze_status grazei_world_pose_volumes(graze_world *world, uint32_t index, graze_error *error)
{
    grazei_member *member = grazei_member_of(world, index);
    graze_body *body = grazei_thing_of(world, index)->body;
    if (!member->fit ||
        (member->has_volumes && member->volumes_pose == grazei_body_pose_number(body)))
        return GRAZE_OK;
    const uint32_t *mask = grazei_body_mask(body);
    graze_status status = graze_hitboxes_pose(member->fit, body, member->volumes,
                                              graze_hitboxes_count(member->fit, NULL), error);
    if (status)
        return status;
    for (uint32_t i = 0; i < member->volume_count; i++) {
        uint32_t part = graze_hitboxes_get(member->fit, i).part;
        graze_shape shape = shape_of_volume(&member->volumes[i]);
        member->volume_parts[i] = mask && !grazei_mask_has(mask, part) ? UINT32_MAX : part;
        member->volume_boxes[i] = grazei_world_shape_box(&shape);
    }
    GRAZE_ASSERT(member->volume_count <= graze_hitboxes_count(member->fit, NULL));
    member->volumes_pose = grazei_body_pose_number(body);
    member->has_volumes = true;
    return GRAZE_OK;
}

/* ---- deciding ------------------------------------------------------------------------------- */

/* What a volume is compared with: another volume, or a shape. */
typedef struct other_side {
    const graze_shape *shape;
    const grazei_bound *box; /* NULL: without end */
    uint32_t part;
    bool first; /* it belongs to the first of the pair */
} other_side;

static graze_status ask_volume(grazei_asked *job, const grazei_member *member, uint32_t number,
                               const other_side *other, graze_error *error)
{
    GRAZE_ASSERT(number < member->volume_count && member->has_volumes);
    uint32_t part = member->volume_parts[number];
    graze_contact contact;
    bool meet = false;
    if (part == UINT32_MAX)
        return GRAZE_OK;
    if (other->box) {
        grazei_box_probe probe = grazei_probe_box(other->box);
        if (!grazei_boxes_overlap(&probe, &member->volume_boxes[number]))
            return GRAZE_OK;
    }
    graze_shape own = shape_of_volume(&member->volumes[number]);
    graze_status status = grazei_shapes_meet(&own, other->shape, &meet, error);
    if (status || !meet)
        return status;
    if (!job->with_contacts || !grazei_shapes_contact(&own, other->shape, &contact)) {
        grazei_put_part(job, other->first ? other->part : part, other->first ? part : other->part);
        return GRAZE_OK;
    }
    contact.parts[0] = part;
    contact.parts[1] = other->part;
    contact = grazei_turned_contact(&contact, other->first);
    grazei_put_touch(job, &contact);
    return GRAZE_OK;
}

/* All volumes of a body against one shape. */
static graze_status ask_all(grazei_asked *job, const grazei_member *member, const other_side *other,
                            graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < member->volume_count && !status && !job->out_of_memory; i++)
        status = ask_volume(job, member, i, other, error);
    return status;
}

static graze_status ask_two_fits(grazei_asked *job, graze_error *error)
{
    const grazei_member *a = grazei_member_of(job->world, job->a);
    const grazei_member *b = grazei_member_of(job->world, job->b);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < a->volume_count && !status && !job->out_of_memory; i++) {
        if (a->volume_parts[i] == UINT32_MAX)
            continue;
        graze_shape shape = shape_of_volume(&a->volumes[i]);
        const other_side other = {&shape, &a->volume_boxes[i], a->volume_parts[i], true};
        status = ask_all(job, b, &other, error);
    }
    return status;
}

/* The volumes of one body against the triangles of another. */
static graze_status ask_fit_and_body(grazei_asked *job, uint32_t fitted, uint32_t plain,
                                     graze_error *error)
{
    const grazei_member *member = grazei_member_of(job->world, fitted);
    graze_body *body = grazei_thing_of(job->world, plain)->body;
    grazei_box_probe probe =
        grazei_probe_box((const grazei_bound *)job->world->boxes.items + plain);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < member->volume_count && !status && !job->out_of_memory; i++) {
        if (member->volume_parts[i] == UINT32_MAX ||
            !grazei_boxes_overlap(&probe, &member->volume_boxes[i]))
            continue;
        graze_shape shape = shape_of_volume(&member->volumes[i]);
        status =
            grazei_ask_touch(job, body, &shape, member->volume_parts[i], fitted == job->a, error);
    }
    return status;
}

/* ---- contacts by inner hitboxes ------------------------------------------------------------- */

/* Inner hitboxes of one of the two measure the other, whatever it is. */
static bool has_fine_volumes(const graze_world *world, uint32_t index)
{
    const grazei_member *member = grazei_member_of(world, index);
    return member->fit && graze_hitboxes_count(member->fit, NULL) > member->volume_count;
}

static bool takes_part(const graze_world *world, uint32_t index, uint32_t part)
{
    const graze_body *body = grazei_thing_of(world, index)->body;
    const uint32_t *mask = body ? grazei_body_mask(body) : NULL;
    return !mask || grazei_mask_has(mask, part);
}

typedef struct contact_taker {
    grazei_asked *job;
    bool turned; /* the finder's first is the second of the pair */
} contact_taker;

static bool take_contacts(void *user, const graze_contact *contacts, size_t count)
{
    const contact_taker *taker = user;
    grazei_asked *job = taker->job;
    for (size_t i = 0; i < count; i++) {
        graze_contact contact = grazei_turned_contact(&contacts[i], taker->turned);
        if (takes_part(job->world, job->a, contact.parts[0]) &&
            takes_part(job->world, job->b, contact.parts[1]) &&
            grazei_put_part(job, contact.parts[0], contact.parts[1]))
            grazei_put_contact(job, &contact);
    }
    return !job->out_of_memory;
}

static graze_posed_hitboxes posed_fit(const graze_world *world, uint32_t index)
{
    const grazei_member *member = grazei_member_of(world, index);
    return (graze_posed_hitboxes){member->fit, grazei_thing_of(world, index)->body,
                                  member->volumes};
}

static graze_status find_part_contacts(grazei_asked *job, graze_error *error)
{
    const graze_world *world = job->world;
    bool turned = !grazei_thing_of(world, job->a)->body;
    uint32_t first = turned ? job->b : job->a, second = turned ? job->a : job->b;
    graze_posed_hitboxes a = posed_fit(world, first), b = posed_fit(world, second);
    GRAZE_ASSERT(a.body != NULL);
    graze_status status = GRAZE_OK;
    if (!job->own->part_finder)
        status = graze_hitbox_finder_create(&world->allocator, &job->own->part_finder, error);
    if (status)
        return status;
    contact_taker taker = {job, turned};
    graze_contact_list found = {.report = take_contacts, .user = &taker};
    const graze_options options = {.stats = &job->own->stats};
    graze_hitbox_finder *finder = job->own->part_finder;
    return b.body ? graze_hitbox_contacts(finder, &a, &b, &found, &options, error)
                  : graze_hitbox_touch(finder, &a, grazei_shape_of(world, second), &found, &options,
                                       error);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static graze_status ask_fits(grazei_asked *job, graze_error *error)
{
    const graze_world *world = job->world;
    const bool fits[2] = {grazei_member_of(world, job->a)->fit != NULL,
                          grazei_member_of(world, job->b)->fit != NULL};
    const uint32_t fitted = fits[0] ? job->a : job->b, other = fits[0] ? job->b : job->a;
    if (fits[0] && fits[1])
        return ask_two_fits(job, error);
    if (!fits[0] && !fits[1])
        return grazei_ask_triangles(job, error);
    if (grazei_thing_of(world, other)->body)
        return ask_fit_and_body(job, fitted, other, error);
    const grazei_bound *box = (const grazei_bound *)world->boxes.items + other;
    const other_side shape = {grazei_shape_of(world, other),
                              grazei_thing_of(world, other)->infinite ? NULL : box, 0,
                              other == job->a};
    return ask_all(job, grazei_member_of(world, fitted), &shape, error);
}

graze_status grazei_ask_volumes(grazei_asked *job, graze_error *error)
{
    const graze_world *world = job->world;
    bool fine =
        job->with_contacts && (has_fine_volumes(world, job->a) || has_fine_volumes(world, job->b));
    job->with_contacts &= !fine;
    graze_status status = ask_fits(job, error);
    job->with_contacts |= fine;
    bool meet = job->own->parts.count > job->first_part;
    return status || !fine || !meet || job->out_of_memory ? status : find_part_contacts(job, error);
}
