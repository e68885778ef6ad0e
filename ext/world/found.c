/* What is found of a pair: parts, each once, and contacts, sorted by them. */
#include "world/ask.h"

#include "base/assert.h"

/* Parts that may be there more than once are sorted out when there are so many more. */
enum { MANY_PARTS = 4096 };

static uint64_t key_of_parts(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

static bool reserve(grazei_asked *job, grazei_list *list, size_t need, size_t size)
{
    bool room = grazei_list_reserve(&job->world->allocator, list, need, size);
    job->out_of_memory |= !room;
    return room;
}

static bool sort(grazei_asked *job, uint64_t *keys, size_t count)
{
    bool sorted = grazei_sort_keys(&job->world->allocator, keys, count, &job->own->scratch);
    job->out_of_memory |= !sorted;
    return sorted;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static bool tidy_parts(grazei_asked *job)
{
    grazei_list *parts = &job->own->parts;
    GRAZE_ASSERT(parts->count >= job->first_part && job->tidy <= parts->count);
    size_t count = parts->count - job->first_part, kept = 0;
    if (!count)
        return true;
    uint64_t *keys = (uint64_t *)parts->items + job->first_part;
    if (!sort(job, keys, count))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!i || keys[i] != keys[i - 1])
            keys[kept++] = keys[i];
    parts->count = job->tidy = job->first_part + kept;
    return true;
}

bool grazei_put_part(grazei_asked *job, uint32_t a, uint32_t b)
{
    grazei_list *parts = &job->own->parts;
    uint64_t key = key_of_parts(a, b);
    if (key == job->last && parts->count > job->first_part)
        return true;
    job->last = key;
    if (parts->count - job->tidy >= MANY_PARTS && !tidy_parts(job))
        return false;
    if (!reserve(job, parts, parts->count + 1, sizeof key))
        return false;
    ((uint64_t *)parts->items)[parts->count++] = key;
    return true;
}

/* Where a pair of parts is among those of this question, which are tidy. */
static uint64_t rank_of(const grazei_asked *job, uint64_t key)
{
    const uint64_t *keys = (const uint64_t *)job->own->parts.items + job->first_part;
    size_t low = 0, high = job->own->parts.count - job->first_part;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    GRAZE_ASSERT(low < job->own->parts.count - job->first_part && keys[low] == key);
    return low;
}

/* ---- contacts ------------------------------------------------------------------------------- */

bool grazei_put_contact(grazei_asked *job, const graze_contact *contact)
{
    grazei_list *contacts = &job->own->contacts;
    if (!reserve(job, contacts, contacts->count + 1, sizeof *contact))
        return false;
    ((graze_contact *)contacts->items)[contacts->count++] = *contact;
    return true;
}

bool grazei_put_touch(grazei_asked *job, const graze_contact *touch)
{
    grazei_list *touches = &job->own->touches;
    if (!grazei_put_part(job, touch->parts[0], touch->parts[1]) ||
        !reserve(job, touches, touches->count + 1, sizeof *touch))
        return false;
    ((graze_contact *)touches->items)[touches->count++] = *touch;
    return true;
}

/* Touches have a triangle of one side at most. */
static uint32_t triangle_of(const graze_contact *touch)
{
    return touch->triangles[touch->triangles[0] == GRAZE_NONE];
}

static uint64_t key_of_contact(const graze_contact *contact)
{
    return key_of_parts(contact->parts[0], contact->parts[1]);
}

/* Keys of touches, which end with their numbers, sorted by parts and then triangles: the order in
 * which a walk found them must not count.
 */
static uint64_t *sort_touches(grazei_asked *job)
{
    grazei_list *list = &job->own->touch_keys;
    const graze_contact *touches = job->own->touches.items;
    size_t count = job->own->touches.count;
    if (!reserve(job, list, 2 * count, sizeof(uint64_t)))
        return NULL;
    uint64_t *keys = list->items, *order = keys + count;
    for (size_t i = 0; i < count; i++)
        order[i] = (uint64_t)triangle_of(&touches[i]) << 32 | i;
    if (!sort(job, order, count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        keys[i] = rank_of(job, key_of_contact(&touches[(uint32_t)order[i]])) << 32 | i;
    if (!sort(job, keys, count))
        return NULL;
    for (size_t i = 0; i < count; i++)
        keys[i] = (keys[i] & 0xffffffff00000000u) | (uint32_t)order[(uint32_t)keys[i]];
    return keys;
}

/* One contact of all touches of each pair of parts. */
static bool make_contacts(grazei_asked *job)
{
    size_t count = job->own->touches.count;
    const graze_contact *touches = job->own->touches.items;
    if (!count)
        return true;
    const uint64_t *keys = sort_touches(job);
    if (!keys || !reserve(job, &job->own->gathered, count, sizeof *touches))
        return false;
    graze_contact *gathered = job->own->gathered.items, combined;
    for (size_t i = 0, first = 0; i < count; i++) {
        GRAZE_ASSERT((uint32_t)keys[i] < count && first <= i);
        gathered[i - first] = touches[(uint32_t)keys[i]];
        if (i + 1 < count && keys[i + 1] >> 32 == keys[i] >> 32)
            continue;
        graze_combine_contacts(gathered, i + 1 - first, &combined);
        if (!grazei_put_contact(job, &combined))
            return false;
        first = i + 1;
    }
    return true;
}

/* Few, and mostly in order. */
static void sort_contacts(grazei_asked *job)
{
    size_t count = job->own->contacts.count - job->first_contact;
    graze_contact *contacts =
        count ? (graze_contact *)job->own->contacts.items + job->first_contact : NULL;
    for (size_t i = 1; i < count; i++) {
        graze_contact moved = contacts[i];
        uint64_t key = key_of_contact(&moved);
        size_t j = i;
        for (; j > 0 && key_of_contact(&contacts[j - 1]) > key; j--)
            contacts[j] = contacts[j - 1];
        contacts[j] = moved;
    }
}

bool grazei_tidy_found(grazei_asked *job)
{
    if (!tidy_parts(job) || !make_contacts(job))
        return false;
    sort_contacts(job);
    return true;
}
