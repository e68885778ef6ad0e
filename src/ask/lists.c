#include "ask/lists.h"

#include "base/assert.h"
#include "base/status.h"

#include <string.h>

/* What all lists look like; only the type of the callback differs. */
typedef struct __attribute__((may_alias)) any_list {
    void *items;
    size_t capacity;
    void (*report)(void);
    void *user;
    size_t count, total;
} any_list;

#define SAME_LAYOUT(type)                                                                          \
    _Static_assert(sizeof(type) == sizeof(any_list) &&                                             \
                       offsetof(type, total) == offsetof(any_list, total) &&                       \
                       offsetof(type, report) == offsetof(any_list, report),                       \
                   "lists have one layout")

SAME_LAYOUT(graze_pair_list);
SAME_LAYOUT(graze_hit_list);
SAME_LAYOUT(graze_triangle_list);
SAME_LAYOUT(graze_contact_list);
SAME_LAYOUT(graze_impact_list);

graze_status grazei_list_open(void *list, grazei_list_kind kind, graze_error *error)
{
    static const char *const names[] = {"", "pairs", "hits", "triangles", "contacts", "impacts"};
    const any_list *seen = list;
    graze_status status = grazei_check_pointer(list, names[kind], error);
    if (status)
        return status;
    grazei_list_clear(list);
    if (seen->items && seen->report)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s: the list has an array and a callback",
                           names[kind]);
    if (!seen->items && seen->capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s: the array is NULL but its capacity is %zu",
                           names[kind], seen->capacity);
    return GRAZE_OK;
}

void grazei_list_clear(void *list)
{
    any_list *seen = list;
    seen->count = seen->total = 0;
}

bool grazei_sink_enter(grazei_sink *sink)
{
    if (sink->lock)
        grazei_lock_take(sink->lock);
    if (!sink->stopped || !atomic_load_explicit(sink->stopped, memory_order_relaxed))
        return true;
    if (sink->lock)
        grazei_lock_release(sink->lock);
    return false;
}

bool grazei_sink_leave(grazei_sink *sink, bool go_on)
{
    if (!go_on && sink->stopped)
        atomic_store_explicit(sink->stopped, true, memory_order_relaxed);
    if (sink->lock)
        grazei_lock_release(sink->lock);
    return go_on;
}

/* Writes as many as there is room for. Returns how many that is. */
static size_t keep(void *to, size_t room, const void *items, size_t count, size_t size)
{
    size_t kept = count < room ? count : room;
    if (kept)
        memcpy(to, items, kept * size);
    return kept;
}

#define TAKE(function, item, list_type)                                                            \
    bool function(void *user, const item *items, size_t count)                                     \
    {                                                                                              \
        grazei_sink *sink = user;                                                                  \
        list_type *list = sink->list;                                                              \
        bool go_on = !sink->any;                                                                   \
        GRAZE_ASSERT(count > 0);                                                                   \
        if (!grazei_sink_enter(sink))                                                              \
            return false;                                                                          \
        count = sink->any ? 1 : count;                                                             \
        list->total += count;                                                                      \
        if (list->report)                                                                          \
            go_on = list->report(list->user, items, count) && go_on;                               \
        else if (list->items)                                                                      \
            list->count += keep(list->items + list->count, list->capacity - list->count, items,    \
                                count, sizeof *items);                                             \
        if (sink->heard)                                                                           \
            sink->heard->take(sink->heard, items, count, go_on);                                   \
        return grazei_sink_leave(sink, go_on);                                                     \
    }

TAKE(grazei_take_pairs, graze_pair, graze_pair_list)
TAKE(grazei_take_hits, graze_hit, graze_hit_list)
TAKE(grazei_take_triangles, uint32_t, graze_triangle_list)
TAKE(grazei_take_contacts, graze_contact, graze_contact_list)
TAKE(grazei_take_impacts, graze_impact, graze_impact_list)
