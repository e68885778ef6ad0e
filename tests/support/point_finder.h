/* A finder of contact points that keeps what it found last. */
#ifndef GRAZE_TESTS_POINT_FINDER_H
#define GRAZE_TESTS_POINT_FINDER_H

#include "support/own.h"

#include <graze/ext/response.h>

typedef struct point_finder point_finder;

graze_status point_finder_create(const graze_allocator *allocator, point_finder **finder,
                                 graze_error *error);
void point_finder_destroy(point_finder *finder);
OWN_POINTER(point_finder, point_finder_destroy)

graze_status point_finder_find(point_finder *finder, const graze_world *world,
                               const graze_world_event *event, float margin, graze_error *error);
graze_status point_finder_touch(point_finder *finder, graze_body *body, const graze_shape *shape,
                                float margin, graze_error *error);

/* NULL if there are none. */
const graze_contact *point_finder_list(const point_finder *finder, size_t *count);

#endif
