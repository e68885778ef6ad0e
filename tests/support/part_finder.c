#include "support/part_finder.h"

#include "support/contact_store.h"

#include <stdlib.h>

struct part_finder {
    graze_hitbox_finder *finder;
    contact_store found;
};

graze_status part_finder_create(const graze_allocator *allocator, part_finder **finder,
                                graze_error *error)
{
    part_finder *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    graze_status status = graze_hitbox_finder_create(allocator, &made->finder, error);
    if (status)
        free(made);
    else
        *finder = made;
    return status;
}

void part_finder_destroy(part_finder *finder)
{
    if (!finder)
        return;
    graze_hitbox_finder_destroy(finder->finder);
    contact_store_free(&finder->found);
    free(finder);
}

graze_status part_finder_find(part_finder *finder, const graze_posed_hitboxes *a,
                              const graze_posed_hitboxes *b, graze_stats *stats, graze_error *error)
{
    graze_contact_list list = contact_store_start(&finder->found);
    const graze_options options = {.stats = stats};
    return graze_hitbox_contacts(finder->finder, a, b, &list, &options, error);
}

graze_status part_finder_touch(part_finder *finder, const graze_posed_hitboxes *a,
                               const graze_shape *shape, graze_stats *stats, graze_error *error)
{
    graze_contact_list list = contact_store_start(&finder->found);
    const graze_options options = {.stats = stats};
    return graze_hitbox_touch(finder->finder, a, shape, &list, &options, error);
}

uint32_t part_finder_count(const part_finder *finder)
{
    return finder ? (uint32_t)finder->found.count : 0;
}

const graze_contact *part_finder_get(const part_finder *finder, uint32_t number)
{
    return finder && number < finder->found.count ? &finder->found.items[number] : NULL;
}

graze_contact part_finder_combined(const part_finder *finder)
{
    graze_contact all;
    graze_combine_contacts(finder->found.items, finder->found.count, &all);
    return all;
}
