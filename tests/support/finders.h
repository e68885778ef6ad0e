/* Finders of contacts by hitboxes, and of contact points, that keep what they found last. */
#ifndef GRAZE_TESTS_SUPPORT_FINDERS_H
#define GRAZE_TESTS_SUPPORT_FINDERS_H

#include "support/own.h"

#include <graze/ext/hitbox.h>
#include <graze/ext/response.h>

typedef struct part_finder part_finder;
typedef struct point_finder point_finder;

graze_status part_finder_create(const graze_allocator *allocator, part_finder **finder,
                                graze_error *error);
graze_status point_finder_create(const graze_allocator *allocator, point_finder **finder,
                                 graze_error *error);
void part_finder_destroy(part_finder *finder);
void point_finder_destroy(point_finder *finder);
OWN_POINTER(part_finder, part_finder_destroy)
OWN_POINTER(point_finder, point_finder_destroy)

graze_status part_finder_find(part_finder *finder, const graze_posed_hitboxes *a,
                              const graze_posed_hitboxes *b, graze_stats *stats,
                              graze_error *error);
graze_status part_finder_touch(part_finder *finder, const graze_posed_hitboxes *a,
                               const graze_shape *shape, graze_stats *stats, graze_error *error);
graze_status point_finder_find(point_finder *finder, const graze_world *world,
                               const graze_world_event *event, float margin, graze_error *error);
graze_status point_finder_touch(point_finder *finder, graze_body *body, const graze_shape *shape,
                                float margin, graze_error *error);

uint32_t part_finder_count(const part_finder *finder);
const graze_contact *part_finder_get(const part_finder *finder, uint32_t number);
graze_contact part_finder_combined(const part_finder *finder);

/* NULL if there are none. */
const graze_contact *point_finder_list(const point_finder *finder, size_t *count);

#endif
