/* Functions that take answers, a few at a time (count is at least 1). They return false when no
 * more are wanted.
 */
#ifndef GRAZEI_QUERY_TAKE_H
#define GRAZEI_QUERY_TAKE_H

#include <graze/contact.h>
#include <graze/ray.h>
#include <graze/sweep.h>

typedef bool (*grazei_pair_fn)(void *user, const graze_pair *pairs, size_t count);
typedef bool (*grazei_hit_fn)(void *user, const graze_hit *hits, size_t count);
typedef bool (*grazei_triangle_fn)(void *user, const uint32_t *triangles, size_t count);
typedef bool (*grazei_contact_fn)(void *user, const graze_contact *contacts, size_t count);
typedef bool (*grazei_impact_fn)(void *user, const graze_impact *impacts, size_t count);

#endif
