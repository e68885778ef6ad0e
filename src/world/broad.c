/* Whose boxes overlap: sweep and prune along one axis, in strips across a second one.
 *
 * The order along the first axis is kept from update to update, and mostly sorted already. Each
 * strip gets its share of it in that order; a pair belongs to the strip in which its overlap
 * begins. So a thousand times as many things, as dense as before, take little more than a thousand
 * times as long, where one sweep over all of them would not.
 */
#include "base/status.h"
#include "body/bounds.h"
#include "query/agenda.h"
#include "query/shapes.h"
#include "world/world.h"

#include <string.h>

enum { MAX_STRIPS = 4096, BOXES_AT_ONCE = 32, MOVES_A_THING = 16 };

static const grazei_thing *things_of(const graze_world *world)
{
    return world->things.items;
}

static const grazei_bound *boxes_of(const graze_world *world)
{
    return world->boxes.items;
}

static float low_of(const grazei_bound *box, uint32_t axis)
{
    return -box->low_negated[axis];
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* A body's box is found once a pose, from the pose alone: whatever queries know of the body, events
 * must not depend on that.
 */
static void find_box(graze_world *world, uint32_t index, graze_stats *stats)
{
    grazei_thing *thing = (grazei_thing *)world->things.items + index;
    grazei_bound *box = (grazei_bound *)world->boxes.items + index;
    if (thing->kind == GRAZEI_BODY) {
        uint32_t pose = grazei_body_pose_number(thing->body);
        if (thing->has_box && thing->pose_number == pose)
            return;
        thing->has_box = true;
        thing->pose_number = pose;
        *box = grazei_body_box(thing->body, stats);
    } else if (thing->kind == GRAZEI_SHAPE && !thing->infinite) {
        *box = grazei_world_shape_box((const graze_shape *)world->shapes.items + index);
    } else {
        grazei_bound_set_empty(box, false);
    }
}

/* A graze_item_fn. */
static void find_some_boxes(void *user, size_t item, uint32_t thread)
{
    graze_world *world = user;
    size_t first = item * BOXES_AT_ONCE, end = first + BOXES_AT_ONCE;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    end = end < world->things.count ? end : world->things.count;
    for (size_t i = first; i < end; i++)
        find_box(world, (uint32_t)i, &own->stats);
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Takes out what has gone or has no end, puts in what is new, and lists what has no end. */
static graze_status list_things(graze_world *world, graze_error *error)
{
    grazei_thing *things = world->things.items;
    size_t count = world->things.count, kept = 0;
    if (!grazei_list_reserve(&world->allocator, &world->order, count, sizeof(uint32_t)) ||
        !grazei_list_reserve(&world->allocator, &world->infinite, count, sizeof(uint32_t)))
        return grazei_fail_memory(error);
    uint32_t *order = world->order.items, *infinite = world->infinite.items;
    for (size_t i = 0; i < world->order.count; i++) {
        grazei_thing *thing = &things[order[i]];
        if (thing->kind != GRAZEI_FREE && !thing->infinite)
            order[kept++] = order[i];
        else
            thing->listed = false;
    }
    world->infinite.count = 0;
    for (size_t i = 0; i < count; i++)
        if (things[i].kind != GRAZEI_FREE && things[i].infinite) {
            infinite[world->infinite.count++] = (uint32_t)i;
        } else if (things[i].kind != GRAZEI_FREE && !things[i].listed) {
            things[i].listed = true;
            order[kept++] = (uint32_t)i;
        }
    world->order.count = kept;
    return GRAZE_OK;
}

/* Of all that are not empty. */
typedef struct spread {
    double variance[3], mean_side[3];
    float low[3], high[3];
} spread;

static spread measure_spread(const graze_world *world)
{
    const uint32_t *order = world->order.items;
    spread s = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    double sum[3] = {0}, squares[3] = {0}, count = 0;
    for (size_t i = 0; i < world->order.count; i++) {
        const grazei_bound *box = &boxes_of(world)[order[i]];
        if (grazei_bound_is_empty(box, false))
            continue;
        count++;
        for (uint32_t k = 0; k < 3; k++) {
            float low = low_of(box, k), high = box->high[k];
            double middle = 0.5 * ((double)low + high);
            sum[k] += middle;
            squares[k] += middle * middle;
            s.mean_side[k] += (double)high - low;
            s.low[k] = low < s.low[k] ? low : s.low[k];
            s.high[k] = high > s.high[k] ? high : s.high[k];
        }
    }
    for (uint32_t k = 0; k < 3 && count > 0; k++) {
        s.variance[k] = squares[k] / count - (sum[k] / count) * (sum[k] / count);
        s.mean_side[k] /= count;
    }
    return s;
}

/* A float as a number that sorts as it does. */
static uint32_t sortable(float value)
{
    uint32_t bits;
    value += 0.0f; /* -0 sorts as 0 */
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* False: it is far from sorted, and was left half way. */
static bool sort_nearly_sorted(graze_world *world)
{
    uint32_t *order = world->order.items;
    size_t moves = 0, most = MOVES_A_THING * world->order.count;
    for (size_t i = 1; i < world->order.count; i++) {
        uint32_t index = order[i];
        float low = low_of(&boxes_of(world)[index], world->axis);
        size_t j = i;
        for (; j > 0 && low_of(&boxes_of(world)[order[j - 1]], world->axis) > low; j--)
            order[j] = order[j - 1];
        order[j] = index;
        moves += i - j;
        if (moves > most)
            return false;
    }
    return true;
}

static graze_status sort_order(graze_world *world, graze_error *error)
{
    uint32_t *order = world->order.items;
    size_t count = world->order.count;
    if (sort_nearly_sorted(world))
        return GRAZE_OK;
    if (!grazei_list_reserve(&world->allocator, &world->keys, count, sizeof(uint64_t)))
        return grazei_fail_memory(error);
    uint64_t *keys = world->keys.items;
    for (size_t i = 0; i < count; i++)
        keys[i] =
            (uint64_t)sortable(low_of(&boxes_of(world)[order[i]], world->axis)) << 32 | order[i];
    if (!grazei_sort_keys(&world->allocator, keys, count, &world->key_scratch))
        return grazei_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)keys[i];
    return GRAZE_OK;
}

/* ---- strips --------------------------------------------------------------------------------- */

typedef struct strips {
    uint32_t axis, count;
    float low, per_unit;
} strips;

/* Strips some four things wide. */
static strips choose_strips(const graze_world *world, const spread *s)
{
    uint32_t x = (world->axis + 1) % 3, y = (world->axis + 2) % 3;
    strips all = {.axis = s->variance[x] >= s->variance[y] ? x : y, .count = 1};
    double extent = (double)s->high[all.axis] - s->low[all.axis],
           width = 4 * s->mean_side[all.axis];
    all.low = s->low[all.axis];
    if (!(extent > 0) || world->order.count < 64)
        return all;
    double most = (double)(world->order.count / 8), wanted = extent / width;
    wanted = wanted < most ? wanted : most;
    all.count = wanted >= MAX_STRIPS ? MAX_STRIPS : wanted > 1 ? (uint32_t)wanted : 1;
    all.per_unit = (float)(all.count / extent);
    if (!(all.per_unit < INFINITY))
        all.count = 1;
    return all;
}

/* Never falls with the value, so that what overlaps there shares a strip. */
static uint32_t strip_at(const strips *all, float value)
{
    float at = (value - all->low) * all->per_unit;
    if (all->count < 2 || !(at > 0))
        return 0;
    return at >= (float)all->count ? all->count - 1 : (uint32_t)at;
}

static graze_status fill_strips(graze_world *world, const strips *all, graze_error *error)
{
    const uint32_t *order = world->order.items;
    if (!grazei_list_reserve(&world->allocator, &world->strips, all->count + 2, sizeof(size_t)))
        return grazei_fail_memory(error);
    size_t *starts = world->strips.items;
    memset(starts, 0, (all->count + 2) * sizeof *starts);
    /* Counts two places on, sums, and fills by moving the starts one place on. */
    for (size_t i = 0; i < world->order.count; i++) {
        const grazei_bound *box = &boxes_of(world)[order[i]];
        if (grazei_bound_is_empty(box, false))
            continue;
        uint32_t last = strip_at(all, box->high[all->axis]);
        for (uint32_t n = strip_at(all, low_of(box, all->axis)); n <= last; n++)
            starts[n + 2]++;
    }
    for (uint32_t n = 2; n < all->count + 2; n++)
        starts[n] += starts[n - 1];
    if (!grazei_list_reserve(&world->allocator, &world->in_strips, starts[all->count + 1],
                             sizeof(uint32_t)))
        return grazei_fail_memory(error);
    uint32_t *in_strips = world->in_strips.items;
    for (size_t i = 0; i < world->order.count; i++) {
        const grazei_bound *box = &boxes_of(world)[order[i]];
        if (grazei_bound_is_empty(box, false))
            continue;
        uint32_t last = strip_at(all, box->high[all->axis]);
        for (uint32_t n = strip_at(all, low_of(box, all->axis)); n <= last; n++)
            in_strips[starts[n + 1]++] = order[i];
    }
    return GRAZE_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static graze_level level_of(const graze_world *world, uint32_t a, uint32_t b)
{
    const grazei_thing *things = things_of(world);
    return (graze_level)world->rules[things[a].class_number][things[b].class_number];
}

static bool put_key(graze_world *world, uint32_t a, uint32_t b)
{
    grazei_list *keys = &world->keys;
    if (!grazei_list_reserve(&world->allocator, keys, keys->count + 1, sizeof(uint64_t)))
        return false;
    ((uint64_t *)keys->items)[keys->count++] = grazei_world_key(a, b);
    return true;
}

static bool sweep_strip(graze_world *world, const strips *all, uint32_t strip)
{
    const size_t *starts = world->strips.items;
    const uint32_t *in_strips = world->in_strips.items;
    for (size_t i = starts[strip]; i < starts[strip + 1]; i++) {
        uint32_t a = in_strips[i];
        const grazei_bound *box = &boxes_of(world)[a];
        grazei_box_probe probe = grazei_probe_box(box);
        for (size_t j = i + 1; j < starts[strip + 1]; j++) {
            uint32_t b = in_strips[j];
            const grazei_bound *other = &boxes_of(world)[b];
            if (low_of(other, world->axis) > box->high[world->axis])
                break;
            if (!grazei_boxes_overlap(&probe, other) || !level_of(world, a, b))
                continue;
            float x = low_of(box, all->axis), y = low_of(other, all->axis);
            if (strip_at(all, x > y ? x : y) == strip && !put_key(world, a, b))
                return false;
        }
    }
    return true;
}

/* Half-spaces with each other, and with the boxes that they may meet. */
static bool pair_infinite(graze_world *world)
{
    const uint32_t *infinite = world->infinite.items, *order = world->order.items;
    for (size_t i = 0; i < world->infinite.count; i++) {
        uint32_t a = infinite[i];
        grazei_shape shape;
        grazei_shape_prepare(&shape, (const graze_shape *)world->shapes.items + a, NULL);
        for (size_t j = i + 1; j < world->infinite.count; j++)
            if (level_of(world, a, infinite[j]) && !put_key(world, a, infinite[j]))
                return false;
        for (size_t j = 0; j < world->order.count; j++) {
            const grazei_bound *box = &boxes_of(world)[order[j]];
            if (level_of(world, a, order[j]) && !grazei_bound_is_empty(box, false) &&
                grazei_shape_side(&shape, box, false, NULL) != GRAZE_OUTSIDE &&
                !put_key(world, a, order[j]))
                return false;
        }
    }
    return true;
}

static bool find_keys(graze_world *world, const strips *all)
{
    world->keys.count = 0;
    for (uint32_t n = 0; n < all->count; n++)
        if (!sweep_strip(world, all, n))
            return false;
    return pair_infinite(world) && grazei_sort_keys(&world->allocator, world->keys.items,
                                                    world->keys.count, &world->key_scratch);
}

static graze_status make_candidates(graze_world *world, graze_error *error)
{
    size_t count = world->keys.count;
    const uint64_t *keys = world->keys.items;
    if (!grazei_list_reserve(&world->allocator, &world->candidates, count,
                             sizeof(grazei_candidate)))
        return grazei_fail_memory(error);
    grazei_candidate *candidates = world->candidates.items;
    for (size_t i = 0; i < count; i++) {
        graze_level level = level_of(world, (uint32_t)(keys[i] >> 32), (uint32_t)keys[i]);
        candidates[i] = (grazei_candidate){.key = keys[i], .level = level};
    }
    world->candidates.count = count;
    return GRAZE_OK;
}

graze_status grazei_world_find_candidates(graze_world *world, graze_pool *pool, graze_error *error)
{
    size_t batches = (world->things.count + BOXES_AT_ONCE - 1) / BOXES_AT_ONCE;
    graze_status status = graze_pool_for_each(pool, batches, find_some_boxes, world, error);
    if (!status)
        status = list_things(world, error);
    if (status)
        return status;
    spread s = measure_spread(world);
    for (uint32_t k = 0; k < 3; k++)
        if (s.variance[k] > 1.5 * s.variance[world->axis])
            world->axis = k;
    strips all = choose_strips(world, &s);
    status = sort_order(world, error);
    if (!status)
        status = fill_strips(world, &all, error);
    if (!status && !find_keys(world, &all))
        status = grazei_fail_memory(error);
    return status ? status : make_candidates(world, error);
}
