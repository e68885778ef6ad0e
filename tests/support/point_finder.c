#include "support/point_finder.h"

#include "support/contact_store.h"

#include <stdlib.h>

struct point_finder {
    graze_point_finder *finder;
    contact_store found;
};

graze_status point_finder_create(const graze_allocator *allocator, point_finder **finder,
                                 graze_error *error)
{
    point_finder *made = calloc(1, sizeof *made);
    if (!made)
        abort();
    graze_status status = graze_point_finder_create(allocator, &made->finder, error);
    if (status)
        free(made);
    else
        *finder = made;
    return status;
}

void point_finder_destroy(point_finder *finder)
{
    if (!finder)
        return;
    graze_point_finder_destroy(finder->finder);
    contact_store_free(&finder->found);
    free(finder);
}

graze_status point_finder_find(point_finder *finder, const graze_world *world,
                               const graze_world_event *event, float margin, graze_error *error)
{
    graze_contact_list list = contact_store_start(&finder->found);
    return graze_contact_points(finder->finder, world, event, margin, &list, error);
}

graze_status point_finder_touch(point_finder *finder, graze_body *body, const graze_shape *shape,
                                float margin, graze_error *error)
{
    graze_contact_list list = contact_store_start(&finder->found);
    return graze_touch_points(finder->finder, body, shape, margin, &list, error);
}

const graze_contact *point_finder_list(const point_finder *finder, size_t *count)
{
    *count = finder ? finder->found.count : 0;
    return *count ? finder->found.items : NULL;
}
