/* Queries that write into the caller's array: what the callbacks get, as far as there is room. */
#include "base/status.h"
#include "query/agenda.h"

#include <graze/distance.h>
#include <graze/ray.h>
#include <graze/self.h>
#include <graze/shape_contact.h>
#include <graze/sweep.h>
#include <graze/sweep_shape.h>

#include <string.h>

typedef struct array {
    void *items;
    size_t size; /* of an item */
    size_t capacity;
    size_t count; /* of all items, those without room included */
} array;

static void add(array *to, const void *items, size_t count)
{
    size_t room = to->count < to->capacity ? to->capacity - to->count : 0;
    if (room)
        memcpy((char *)to->items + to->size * to->count, items,
               to->size * (count < room ? count : room));
    to->count += count;
}

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    add(user, pairs, count);
    return true;
}

static bool take_self_pairs(void *user, const graze_self_pair *pairs, size_t count)
{
    add(user, pairs, count);
    return true;
}

static bool take_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    add(user, hits, count);
    return true;
}

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    add(user, triangles, count);
    return true;
}

static bool take_contacts(void *user, const graze_shape_contact *contacts, size_t count)
{
    add(user, contacts, count);
    return true;
}

static bool take_impacts(void *user, const graze_impact *impacts, size_t count)
{
    add(user, impacts, count);
    return true;
}

static bool take_shape_impacts(void *user, const graze_shape_impact *impacts, size_t count)
{
    add(user, impacts, count);
    return true;
}

static graze_status start(array *to, void *items, size_t size, size_t capacity, const size_t *count,
                          graze_error *error)
{
    *to = (array){items, size, capacity, 0};
    if (!items && capacity)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the array is NULL but its capacity is %zu",
                           capacity);
    return grazei_check_given(count != NULL, "count", error);
}

/* Only an answer is written. */
static graze_status finish(const array *to, graze_status status, size_t *count)
{
    if (!status)
        *count = to->count;
    return status;
}

graze_status graze_collide_into(graze_body *a, graze_body *b, graze_pair *pairs, size_t capacity,
                                size_t *count, graze_stats *stats, graze_error *error)
{
    array to;
    graze_status status = start(&to, pairs, sizeof *pairs, capacity, count, error);
    if (!status)
        status = graze_collide(a, b, take_pairs, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_collide_self_into(graze_body *body, graze_self_which which,
                                     graze_self_pair *pairs, size_t capacity, size_t *count,
                                     graze_stats *stats, graze_error *error)
{
    array to;
    graze_status status = start(&to, pairs, sizeof *pairs, capacity, count, error);
    if (!status)
        status = graze_collide_self(body, which, take_self_pairs, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_collide_self_between_into(graze_body *body, graze_self_which which,
                                             const graze_self_between *between,
                                             graze_self_pair *pairs, size_t capacity, size_t *count,
                                             graze_stats *stats, graze_error *error)
{
    array to;
    graze_status status = start(&to, pairs, sizeof *pairs, capacity, count, error);
    if (!status)
        status =
            graze_collide_self_between(body, which, between, take_self_pairs, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_cast_all_into(graze_body *body, const graze_ray *ray, graze_ray_hit *hits,
                                 size_t capacity, size_t *count, graze_stats *stats,
                                 graze_error *error)
{
    array to;
    graze_status status = start(&to, hits, sizeof *hits, capacity, count, error);
    if (!status)
        status = graze_cast_all(body, ray, take_hits, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_touch_into(graze_body *body, const graze_shape *shape, uint32_t *triangles,
                              size_t capacity, size_t *count, graze_stats *stats,
                              graze_error *error)
{
    array to;
    graze_status status = start(&to, triangles, sizeof *triangles, capacity, count, error);
    if (!status)
        status = graze_touch(body, shape, take_triangles, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_touch_contacts_into(graze_body *body, const graze_shape *shape,
                                       graze_shape_contact *contacts, size_t capacity,
                                       size_t *count, graze_stats *stats, graze_error *error)
{
    array to;
    graze_status status = start(&to, contacts, sizeof *contacts, capacity, count, error);
    if (!status)
        status = graze_touch_contacts(body, shape, take_contacts, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_within_into(graze_body *a, graze_body *b, double distance, graze_pair *pairs,
                               size_t capacity, size_t *count, graze_stats *stats,
                               graze_error *error)
{
    array to;
    graze_status status = start(&to, pairs, sizeof *pairs, capacity, count, error);
    if (!status)
        status = graze_within(a, b, distance, take_pairs, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_sweep_pairs_into(const graze_motion *a, const graze_motion *b, bool only_new,
                                    graze_impact *impacts, size_t capacity, size_t *count,
                                    graze_stats *stats, graze_error *error)
{
    array to;
    graze_status status = start(&to, impacts, sizeof *impacts, capacity, count, error);
    if (!status)
        status = graze_sweep_pairs(a, b, only_new, take_impacts, &to, stats, error);
    return finish(&to, status, count);
}

graze_status graze_sweep_shape_all_into(const graze_motion *motion, const graze_shape *from,
                                        const graze_shape *to, bool only_new,
                                        graze_shape_impact *impacts, size_t capacity, size_t *count,
                                        graze_stats *stats, graze_error *error)
{
    array all;
    graze_status status = start(&all, impacts, sizeof *impacts, capacity, count, error);
    if (!status)
        status = graze_sweep_shape_all(motion, from, to, only_new, take_shape_impacts, &all, stats,
                                       error);
    return finish(&all, status, count);
}
