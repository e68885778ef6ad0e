/* Which pairs of triangles hang together: those whose triangles share a weld on both sides. So it
 * is enough to join, for every weld of a and every weld of b, all pairs that have both.
 */
#include "base/assert.h"
#include "contact/contact.h"

/* The oldest pair of those joined to this one; paths are halved on the way. */
static uint32_t find_root(grazei_meeting *meetings, uint32_t i)
{
    while (meetings[i].contact != i) {
        meetings[i].contact = meetings[meetings[i].contact].contact;
        i = meetings[i].contact;
    }
    GRAZE_ASSERT(meetings[i].contact == i);
    return i;
}

static void join_two(grazei_meeting *meetings, uint32_t i, uint32_t k)
{
    i = find_root(meetings, i);
    k = find_root(meetings, k);
    meetings[i > k ? i : k].contact = i > k ? k : i;
}

static bool same_parts(const graze_contact_finder *finder, uint32_t i, uint32_t k)
{
    const uint32_t *parts_a = finder->models[0]->mesh.triangle_parts;
    const uint32_t *parts_b = finder->models[1]->mesh.triangle_parts;
    const graze_pair *x = &finder->pairs[i], *y = &finder->pairs[k];
    return parts_a[x->a] == parts_a[y->a] && parts_b[x->b] == parts_b[y->b];
}

/* Joins a pair to the one that was first to have the same welds, and the same parts if contacts are
 * split by them. The table holds 9 x pair + 3 x corner of a + corner of b.
 */
static void join_by_welds(graze_contact_finder *finder, uint32_t pair, uint32_t corners)
{
    grazei_table *table = &finder->weld_table;
    const grazei_topology *a = finder->topology[0], *b = finder->topology[1];
    uint32_t weld_a = grazei_topology_weld(a, finder->pairs[pair].a, corners / 3);
    uint32_t weld_b = grazei_topology_weld(b, finder->pairs[pair].b, corners % 3);
    size_t slot = grazei_table_start(table, grazei_hash_two(weld_a, weld_b));
    for (; table->slots[slot] != GRAZEI_TABLE_FREE; slot = grazei_table_next(table, slot)) {
        uint32_t other = table->slots[slot] / 9, place = table->slots[slot] % 9;
        if (grazei_topology_weld(a, finder->pairs[other].a, place / 3) == weld_a &&
            grazei_topology_weld(b, finder->pairs[other].b, place % 3) == weld_b &&
            (!finder->def.split_by_part || same_parts(finder, pair, other))) {
            join_two(finder->meetings, pair, other);
            return;
        }
    }
    GRAZE_ASSERT(corners < 9 && pair < finder->pair_count);
    table->slots[slot] = 9 * pair + corners;
}

/* Numbers contacts by their first pairs and counts their segments. */
static bool number_contacts(graze_contact_finder *finder)
{
    grazei_meeting *meetings = finder->meetings;
    finder->contact_count = 0;
    for (uint32_t i = 0; i < finder->pair_count; i++) {
        if (meetings[i].contact == i) {
            size_t number = finder->contact_count++;
            if (!GRAZEI_CONTACT_ROOM(finder, contacts, contact_capacity, finder->contact_count))
                return false;
            finder->contacts[number] = (grazei_body_contact){.count = 0};
            meetings[i].contact = (uint32_t)number;
        } else {
            GRAZE_ASSERT(meetings[i].contact < i);
            /* The root stands before this one and has its number already. */
            meetings[i].contact = meetings[meetings[i].contact].contact;
        }
        finder->contacts[meetings[i].contact].count++;
    }
    return true;
}

bool grazei_contact_join(graze_contact_finder *finder)
{
    uint32_t pair_count = (uint32_t)finder->pair_count, first = 0;
    if (!grazei_table_clear(&finder->weld_table, &finder->allocator, (size_t)9 * pair_count) ||
        !GRAZEI_CONTACT_ROOM(finder, order, order_capacity, pair_count) ||
        !GRAZEI_CONTACT_ROOM(finder, segments, segment_capacity, pair_count))
        return false;
    for (uint32_t i = 0; i < pair_count; i++)
        for (uint32_t corners = 0; corners < 9; corners++)
            join_by_welds(finder, i, corners);
    for (uint32_t i = 0; i < pair_count; i++)
        finder->meetings[i].contact = find_root(finder->meetings, i);
    if (!number_contacts(finder))
        return false;
    for (size_t c = 0; c < finder->contact_count; c++) {
        grazei_body_contact *contact = &finder->contacts[c];
        GRAZE_ASSERT(contact->count > 0 && first < pair_count);
        contact->first = first;
        first += contact->count;
        contact->count = 0;
    }
    for (uint32_t i = 0; i < pair_count; i++) {
        grazei_body_contact *contact = &finder->contacts[finder->meetings[i].contact];
        uint32_t place = contact->first + contact->count++;
        GRAZE_ASSERT(place < pair_count);
        finder->order[place] = i;
        finder->segments[place] = finder->meetings[i].segment;
    }
    return true;
}
