/* A finder of contacts by hitboxes that keeps what it found last. */
#ifndef GRAZE_TESTS_PART_FINDER_H
#define GRAZE_TESTS_PART_FINDER_H

#include "support/own.h"

#include <graze/ext/hitbox.h>

typedef struct part_finder part_finder;

graze_status part_finder_create(const graze_allocator *allocator, part_finder **finder,
                                graze_error *error);
void part_finder_destroy(part_finder *finder);
OWN_POINTER(part_finder, part_finder_destroy)

graze_status part_finder_find(part_finder *finder, const graze_posed_hitboxes *a,
                              const graze_posed_hitboxes *b, graze_stats *stats,
                              graze_error *error);
graze_status part_finder_touch(part_finder *finder, const graze_posed_hitboxes *a,
                               const graze_shape *shape, graze_stats *stats, graze_error *error);

uint32_t part_finder_count(const part_finder *finder);
const graze_contact *part_finder_get(const part_finder *finder, uint32_t number);
graze_contact part_finder_combined(const part_finder *finder);

#endif
