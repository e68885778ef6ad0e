/* Meetings of parts: finding them, adding to them, and the contacts that come of them. */
#include "hitbox/contact.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "parts/lists.h"

#include <math.h>

/* Spheres that stand for a capsule lie half a radius apart, unless they would be more than this. */
enum { MOST_BALLS = 9 };

graze_status graze_hitbox_finder_create(const graze_allocator *allocator,
                                        graze_hitbox_finder **contacts, graze_error *error)
{
    graze_status status = grazei_check_pointer(contacts, "where the finder goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_hitbox_finder *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_hitbox_finder);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *contacts = made;
    return GRAZE_OK;
}

void graze_hitbox_finder_destroy(graze_hitbox_finder *contacts)
{
    if (!contacts)
        return;
    graze_allocator allocator = contacts->allocator;
    grazei_release(&allocator, contacts->meetings);
    grazei_release(&allocator, contacts->table.slots);
    grazei_release(&allocator, contacts->outers);
    grazei_release(&allocator, contacts->flags);
    grazei_release(&allocator, contacts->contacts);
    grazei_release(&allocator, contacts);
}

bool grazei_part_room(graze_hitbox_finder *finder, void **items, size_t *capacity, size_t need,
                      size_t size)
{
    void *grown = grazei_grow(&finder->allocator, *items, capacity, need ? need : 1, size);
    if (grown)
        *items = grown;
    return grown != NULL;
}

/* ---- who meets ------------------------------------------------------------------------------ */

static size_t find_slot(const graze_hitbox_finder *f, uint32_t a, uint32_t b)
{
    size_t slot = grazei_table_start(&f->table, grazei_hash_two(a, b));
    for (; f->table.slots[slot] != GRAZEI_TABLE_FREE; slot = grazei_table_next(&f->table, slot)) {
        const grazei_part_meeting *m = &f->meetings[f->table.slots[slot]];
        if (m->parts[0] == a && m->parts[1] == b)
            break;
    }
    return slot;
}

/* The table again, with room for more. */
static bool fill_table(graze_hitbox_finder *f)
{
    if (!grazei_table_clear(&f->table, &f->allocator, 2 * f->meeting_count + 16))
        return false;
    for (uint32_t i = 0; i < f->meeting_count; i++)
        f->table.slots[find_slot(f, f->meetings[i].parts[0], f->meetings[i].parts[1])] = i;
    return true;
}

/* The meeting of two parts, new if need be; NULL when out of memory. */
grazei_part_meeting *grazei_part_meeting_of(graze_hitbox_finder *f, uint32_t a, uint32_t b)
{
    size_t slot = find_slot(f, a, b);
    if (f->table.slots[slot] != GRAZEI_TABLE_FREE)
        return &f->meetings[f->table.slots[slot]];
    if (!GRAZEI_PART_ROOM(f, meetings, meeting_capacity, f->meeting_count + 1)) {
        f->failed = true;
        return NULL;
    }
    f->meetings[f->meeting_count] =
        (grazei_part_meeting){.parts = {a, b},
                              .pair = {.a = GRAZE_NONE, .b = GRAZE_NONE},
                              .depth = -1,
                              .own = {.depth = -1}};
    GRAZE_ASSERT(f->table.slots[slot] == GRAZEI_TABLE_FREE);
    f->table.slots[slot] = (uint32_t)f->meeting_count++;
    if (2 * f->meeting_count > f->table.mask && !fill_table(f)) {
        f->failed = true;
        return NULL;
    }
    return &f->meetings[f->meeting_count - 1];
}

static uint32_t part_of(const graze_posed_hitboxes *side, uint32_t triangle)
{
    return grazei_body_mesh(side->body)->triangle_parts[triangle];
}

static void take_ball(graze_hitbox_finder *f, const grazei_part_probe *probe, uint32_t other,
                      const grazei_ball_contact *contact)
{
    uint32_t a = probe->side ? other : probe->part, b = probe->side ? probe->part : other;
    if (probe->coarse && f->table.slots[find_slot(f, a, b)] == GRAZEI_TABLE_FREE)
        return;
    grazei_part_meeting *m = grazei_part_meeting_of(f, a, b);
    if (!m)
        return;
    d3 normal = d3_scale(contact->normal, probe->side ? -1 : 1);
    GRAZE_ASSERT(contact->depth >= 0);
    m->balls++;
    m->depths += contact->depth;
    m->normal = d3_along(m->normal, contact->depth, normal);
    m->point = d3_along(m->point, contact->depth, contact->point);
    m->middle = d3_along(m->middle, 1, contact->point);
    if (contact->depth > m->depth) {
        m->depth = contact->depth;
        m->deepest = normal;
    }
}

/* ---- inner -------------------------------------------------------------------------------- */

static d3 widen(const float v[3])
{
    return (d3){v[0], v[1], v[2]};
}

void grazei_part_measure(graze_hitbox_finder *f, const grazei_part_probe *probe,
                         const grazei_field *field)
{
    const graze_capsule *volume = probe->volume;
    d3 p = widen(volume->p), axis = d3_sub(widen(volume->q), p);
    double length = sqrt(d3_dot(axis, axis)), radius = volume->radius;
    double steps = length > 0 ? ceil(d1_min(2 * length / radius, MOST_BALLS - 1)) : 0;
    for (int i = 0; i <= (int)steps; i++) {
        d3 centre = steps > 0 ? d3_along(p, i / steps, axis) : p;
        grazei_ball_contact contact = grazei_field_measure(field, centre, radius);
        if (!(contact.depth >= 0))
            continue;
        take_ball(f, probe, field->body ? part_of(f->sides[!probe->side], contact.triangle) : 0,
                  &contact);
    }
}

/* ---- what comes of it ----------------------------------------------------------------------- */

static graze_contact contact_of(const grazei_part_meeting *m, bool exchanged)
{
    graze_contact contact = {.depth = (float)m->depth, .pair_count = m->pair_count};
    double length = sqrt(d3_dot(m->normal, m->normal)), sign = exchanged ? -1 : 1;
    d3 normal = length > 1e-6 * m->depths ? d3_scale(m->normal, 1 / length) : m->deepest;
    d3 point = m->depths > 0 ? d3_scale(m->point, 1 / m->depths) : m->middle;
    if (m->balls && !(m->depths > 0))
        point = d3_scale(m->middle, 1.0 / m->balls);
    if (!m->balls) {
        contact.depth = (float)m->own.depth;
        normal = m->own.normal;
        point = m->own.point;
    }
    const double from[2][3] = {{normal.x, normal.y, normal.z}, {point.x, point.y, point.z}};
    for (int k = 0; k < 3; k++) {
        contact.normal[k] = (float)(sign * from[0][k]);
        contact.point[k] = (float)from[1][k];
    }
    contact.parts[exchanged] = m->parts[0];
    contact.parts[!exchanged] = m->parts[1];
    contact.triangles[exchanged] = m->pair.a;
    contact.triangles[!exchanged] = m->pair.b;
    return contact;
}

static bool comes_before(const uint32_t a[2], const uint32_t b[2])
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* By parts, since pairs come in an order that depends on what was asked before, and sums over
 * meetings must not. By insertion: mostly a handful.
 */
static void sort_meetings(graze_hitbox_finder *f)
{
    for (size_t i = 1; i < f->meeting_count; i++) {
        grazei_part_meeting moved = f->meetings[i];
        size_t at = i;
        for (; at > 0 && comes_before(moved.parts, f->meetings[at - 1].parts); at--)
            f->meetings[at] = f->meetings[at - 1];
        f->meetings[at] = moved;
    }
}

/* Sorted again, where the sides were exchanged. */
static bool write_contacts(graze_hitbox_finder *f)
{
    if (!GRAZEI_PART_ROOM(f, contacts, contact_capacity, f->meeting_count))
        return false;
    sort_meetings(f);
    for (size_t i = 0; i < f->meeting_count; i++) {
        graze_contact contact = contact_of(&f->meetings[i], f->exchanged);
        size_t at = i;
        for (; at > 0 && comes_before(contact.parts, f->contacts[at - 1].parts); at--)
            f->contacts[at] = f->contacts[at - 1];
        f->contacts[at] = contact;
    }
    f->contact_count = f->meeting_count;
    return true;
}

/* ---- beginning and end ---------------------------------------------------------------------- */

graze_status grazei_part_check(const graze_posed_hitboxes *side, const char *name,
                               graze_error *error)
{
    graze_status status = grazei_check_pointer(side, name, error);
    if (!status)
        status = grazei_check_pointer(side->hitboxes, "the hitboxes", error);
    if (!status)
        status = grazei_check_body(side->body, "the body", error);
    if (!status)
        status = grazei_check_pointer(side->capsules, "the array of capsules", error);
    if (!status && grazei_body_model(side->body) != side->hitboxes->model)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "%s: the body is of another model than the hitboxes", name);
    return status;
}

/* Whether b's volumes come before a's; which does not depend on who is called a. */
static bool comes_second(const graze_posed_hitboxes *a, const graze_posed_hitboxes *b)
{
    uint32_t count_a = graze_hitboxes_count(a->hitboxes, NULL),
             count_b = graze_hitboxes_count(b->hitboxes, NULL);
    if (count_a != count_b)
        return count_b < count_a;
    for (uint32_t v = 0; v < count_a; v++)
        for (int k = 0; k < 7; k++) {
            const graze_capsule *x = &a->capsules[v], *y = &b->capsules[v];
            float p = k < 3 ? x->p[k] : k < 6 ? x->q[k - 3] : x->radius;
            float q = k < 3 ? y->p[k] : k < 6 ? y->q[k - 3] : y->radius;
            if (p != q)
                return q < p;
        }
    return false;
}

bool grazei_part_start(graze_hitbox_finder *f, const graze_posed_hitboxes *a,
                       const graze_posed_hitboxes *b)
{
    f->meeting_count = f->contact_count = 0;
    f->failed = false;
    f->exchanged = b && comes_second(a, b);
    f->sides[0] = f->exchanged ? b : a;
    f->sides[1] = f->exchanged ? a : b;
    return fill_table(f);
}

graze_status grazei_part_finish(graze_hitbox_finder *f, graze_contact_list *list,
                                graze_error *error)
{
    if (f->failed || !write_contacts(f))
        return grazei_fail_memory(error);
    grazei_give_contacts(list, f->contacts, f->contact_count);
    return GRAZE_OK;
}
