#include "support/finders.h"

#include "support/contacts.h"

#include <stdlib.h>

#define FINDER(name, wrapped)                                                                      \
    struct name {                                                                                  \
        wrapped *finder;                                                                           \
        contact_set found;                                                                         \
    };                                                                                             \
    graze_status name##_create(const graze_allocator *allocator, name **finder,                    \
                               graze_error *error)                                                 \
    {                                                                                              \
        wrapped *made = NULL;                                                                      \
        graze_status status = wrapped##_create(allocator, &made, error);                           \
        if (status)                                                                                \
            return status;                                                                         \
        *finder = calloc(1, sizeof **finder);                                                      \
        if (!*finder)                                                                              \
            abort();                                                                               \
        (*finder)->finder = made;                                                                  \
        return status;                                                                             \
    }                                                                                              \
    void name##_destroy(name *finder)                                                              \
    {                                                                                              \
        if (!finder)                                                                               \
            return;                                                                                \
        wrapped##_destroy(finder->finder);                                                         \
        contact_set_free(&finder->found);                                                          \
        free(finder);                                                                              \
    }
FINDER(part_finder, graze_hitbox_finder)
FINDER(point_finder, graze_point_finder)

static graze_contact_list start(contact_set *found)
{
    contact_set_clear(found);
    return *TO_CONTACT_SET(found);
}

graze_status part_finder_find(part_finder *finder, const graze_posed_hitboxes *a,
                              const graze_posed_hitboxes *b, graze_stats *stats, graze_error *error)
{
    graze_contact_list list = start(&finder->found);
    return graze_hitbox_contacts(finder->finder, a, b, &list, &(graze_options){.stats = stats},
                                 error);
}

graze_status part_finder_touch(part_finder *finder, const graze_posed_hitboxes *a,
                               const graze_shape *shape, graze_stats *stats, graze_error *error)
{
    graze_contact_list list = start(&finder->found);
    return graze_hitbox_touch(finder->finder, a, shape, &list, &(graze_options){.stats = stats},
                              error);
}

graze_status point_finder_find(point_finder *finder, const graze_world *world,
                               const graze_world_event *event, float margin, graze_error *error)
{
    graze_contact_list list = start(&finder->found);
    return graze_contact_points(finder->finder, world, event, margin, &list, error);
}

graze_status point_finder_touch(point_finder *finder, graze_body *body, const graze_shape *shape,
                                float margin, graze_error *error)
{
    graze_contact_list list = start(&finder->found);
    return graze_touch_points(finder->finder, body, shape, margin, &list, error);
}

uint32_t part_finder_count(const part_finder *finder)
{
    return finder ? (uint32_t)finder->found.count : 0;
}

const graze_contact *part_finder_get(const part_finder *finder, uint32_t number)
{
    return number < part_finder_count(finder) ? &finder->found.contacts[number] : NULL;
}

graze_contact part_finder_combined(const part_finder *finder)
{
    graze_contact all;
    graze_combine_contacts(finder->found.contacts, finder->found.count, &all);
    return all;
}

const graze_contact *point_finder_list(const point_finder *finder, size_t *count)
{
    *count = finder ? finder->found.count : 0;
    return *count ? finder->found.contacts : NULL;
}
