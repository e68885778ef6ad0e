/* Whose boxes overlap: sweep and prune along one axis, in strips across a second one.
 *
 * The order along the first axis is kept from update to update, and mostly sorted already. Each
 * strip gets its share of it in that order; a pair belongs to the strip in which its overlap
 * begins. So a thousand times as many things, as dense as before, take little more than a thousand
 * times as long, where one sweep over all of them would not.
 *
 * Boxes stand in the order and in the strips themselves, with the index of whose they are: sweeps
 * read memory from front to back, which is what counts when there is more than fits into caches.
 */
#include "base/status.h"
#include "body/body.h"
#include "query/agenda.h"
#include "touch/shapes.h"
#include "world/world.h"

#include <string.h>

enum { MAX_STRIPS = 4096, BOXES_AT_ONCE = 32, MOVES_A_THING = 2, AHEAD = 8 };

static const grazei_thing *things_of(const graze_world *world)
{
    return world->things.items;
}

/* Of past and present, where there are motions. */
static const grazei_bound *boxes_of(const graze_world *world)
{
    return grazei_world_reaches(world);
}

/* Whose box it is, in the order and in strips. */
static uint32_t index_of(const grazei_bound *entry)
{
    return entry->spare;
}

static float low_of(const grazei_bound *box, uint32_t axis)
{
    return -box->low_negated[axis];
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* What is looked for others with. A body's box is found once a pose, from the pose alone: whatever
 * queries know of the body, events must not depend on that. A box may be larger than the thing is
 * now, and hold the way that it came.
 */
void grazei_world_find_box(graze_world *world, uint32_t index, graze_stats *stats)
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
    for (size_t i = first; i < end; i++) {
        const graze_body *next = i + AHEAD < end ? things_of(world)[i + AHEAD].body : NULL;
        if (next)
            grazei_body_prefetch_box(next);
        grazei_world_find_box(world, (uint32_t)i, &own->stats);
    }
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Of all that are not empty. */
typedef struct spread {
    double count, sum[3], squares[3], sides[3];
    float low[3], high[3];
} spread;

static void add_to_spread(spread *s, const grazei_bound *box)
{
    s->count++;
    for (uint32_t k = 0; k < 3; k++) {
        float low = low_of(box, k), high = box->high[k];
        double middle = 0.5 * ((double)low + high);
        s->sum[k] += middle;
        s->squares[k] += middle * middle;
        s->sides[k] += (double)high - low;
        s->low[k] = low < s->low[k] ? low : s->low[k];
        s->high[k] = high > s->high[k] ? high : s->high[k];
    }
}

static double variance(const spread *s, uint32_t axis)
{
    double mean = s->count > 0 ? s->sum[axis] / s->count : 0;
    return s->count > 0 ? s->squares[axis] / s->count - mean * mean : 0;
}

/* Takes what has gone or has no end out of the order, and brings boxes up to date. */
static size_t renew_order(graze_world *world)
{
    grazei_bound *order = world->order.items;
    grazei_thing *things = world->things.items;
    size_t kept = 0;
    for (size_t i = 0; i < world->order.count; i++) {
        uint32_t index = index_of(&order[i]);
        if (i + AHEAD < world->order.count) {
            __builtin_prefetch(&boxes_of(world)[index_of(&order[i + AHEAD])]);
            __builtin_prefetch(&things[index_of(&order[i + AHEAD])]);
        }
        if (things[index].kind == GRAZEI_FREE || things[index].infinite) {
            things[index].listed = false;
            continue;
        }
        GRAZE_ASSERT(kept <= i && things[index].listed);
        order[kept] = boxes_of(world)[index];
        order[kept++].spare = index;
    }
    return kept;
}

/* Brings the order up to date but for sorting, puts in what is new, lists what has no end, and
 * measures how far things are spread.
 */
static graze_status list_things(graze_world *world, spread *s, graze_error *error)
{
    grazei_thing *things = world->things.items;
    size_t count = world->things.count;
    if (!grazei_list_reserve(&world->allocator, &world->order, count, sizeof(grazei_bound)) ||
        !grazei_list_reserve(&world->allocator, &world->infinite, count, sizeof(uint32_t)))
        return grazei_fail_memory(error);
    uint32_t *infinite = world->infinite.items;
    grazei_bound *order = world->order.items;
    world->order.count = renew_order(world);
    world->infinite.count = 0;
    for (size_t i = 0; i < count; i++) {
        const grazei_bound *box = &boxes_of(world)[i];
        if (things[i].kind == GRAZEI_FREE)
            continue;
        if (things[i].infinite) {
            infinite[world->infinite.count++] = (uint32_t)i;
            continue;
        }
        if (!grazei_bound_is_empty(box, false))
            add_to_spread(s, box);
        if (things[i].listed)
            continue;
        things[i].listed = true;
        GRAZE_ASSERT(world->order.count < world->order.capacity);
        order[world->order.count] = *box;
        order[world->order.count++].spare = (uint32_t)i;
    }
    return GRAZE_OK;
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
    grazei_bound *order = world->order.items;
    const uint32_t axis = world->axis;
    size_t moves = 0, most = MOVES_A_THING * world->order.count;
    for (size_t i = 1; i < world->order.count; i++) {
        if (low_of(&order[i - 1], axis) <= low_of(&order[i], axis))
            continue;
        grazei_bound entry = order[i];
        size_t j = i;
        for (; j > 0 && low_of(&order[j - 1], axis) > low_of(&entry, axis); j--)
            order[j] = order[j - 1];
        order[j] = entry;
        moves += i - j;
        if (moves > most)
            return false;
    }
    return true;
}

static graze_status sort_order(graze_world *world, graze_error *error)
{
    grazei_bound *order = world->order.items;
    size_t count = world->order.count;
    if (sort_nearly_sorted(world))
        return GRAZE_OK;
    if (!grazei_list_reserve(&world->allocator, &world->keys, count, sizeof(uint64_t)))
        return grazei_fail_memory(error);
    uint64_t *keys = world->keys.items;
    for (size_t i = 0; i < count; i++)
        keys[i] = (uint64_t)sortable(low_of(&order[i], world->axis)) << 32 | index_of(&order[i]);
    if (!grazei_sort_halves(&world->allocator, keys, count, &world->key_scratch))
        return grazei_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            __builtin_prefetch(&boxes_of(world)[(uint32_t)keys[i + AHEAD]]);
        order[i] = boxes_of(world)[(uint32_t)keys[i]];
        order[i].spare = (uint32_t)keys[i];
    }
    return GRAZE_OK;
}

/* ---- strips --------------------------------------------------------------------------------- */

/* Strips some four things wide. */
static grazei_strips choose_strips(const graze_world *world, const spread *s)
{
    uint32_t x = (world->axis + 1) % 3, y = (world->axis + 2) % 3;
    grazei_strips all = {.axis = variance(s, x) >= variance(s, y) ? x : y, .count = 1};
    all.low = s->low[all.axis];
    double extent = (double)s->high[all.axis] - s->low[all.axis];
    if (!(extent > 0) || world->order.count < 64)
        return all;
    size_t most = world->order.count / 8;
    double wanted = extent / (4 * s->sides[all.axis] / s->count);
    wanted = wanted < (double)most ? wanted : (double)most;
    all.count = wanted >= MAX_STRIPS ? MAX_STRIPS : wanted > 1 ? (uint32_t)wanted : 1;
    all.per_unit = (float)(all.count / extent);
    if (!(all.per_unit < INFINITY))
        all.count = 1;
    return all;
}

/* Never falls with the value, so that what overlaps there shares a strip. */
static uint32_t strip_at(const grazei_strips *all, float value)
{
    float at = (value - all->low) * all->per_unit;
    if (all->count < 2 || !(at > 0))
        return 0;
    GRAZE_ASSERT(all->per_unit < INFINITY);
    return at >= (float)all->count ? all->count - 1 : (uint32_t)at;
}

static graze_status fill_strips(graze_world *world, graze_error *error)
{
    const grazei_strips *all = &world->chosen;
    const grazei_bound *order = world->order.items;
    if (!grazei_list_reserve(&world->allocator, &world->strips, all->count + 2, sizeof(size_t)))
        return grazei_fail_memory(error);
    size_t *starts = world->strips.items;
    memset(starts, 0, (all->count + 2) * sizeof *starts);
    /* Counts two places on, sums, and fills by moving the starts one place on. */
    for (size_t i = 0; i < world->order.count; i++) {
        if (grazei_bound_is_empty(&order[i], false))
            continue;
        uint32_t last = strip_at(all, order[i].high[all->axis]);
        for (uint32_t n = strip_at(all, low_of(&order[i], all->axis)); n <= last; n++)
            starts[n + 2]++;
    }
    for (uint32_t n = 2; n < all->count + 2; n++)
        starts[n] += starts[n - 1];
    if (!grazei_list_reserve(&world->allocator, &world->in_strips, starts[all->count + 1],
                             sizeof(grazei_bound)))
        return grazei_fail_memory(error);
    grazei_bound *in_strips = world->in_strips.items;
    GRAZE_ASSERT(starts[all->count + 1] >= starts[1] && all->count <= MAX_STRIPS);
    for (size_t i = 0; i < world->order.count; i++) {
        if (grazei_bound_is_empty(&order[i], false))
            continue;
        uint32_t last = strip_at(all, order[i].high[all->axis]);
        for (uint32_t n = strip_at(all, low_of(&order[i], all->axis)); n <= last; n++)
            in_strips[starts[n + 1]++] = order[i];
    }
    return GRAZE_OK;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static graze_level level_of(const graze_world *world, uint32_t a, uint32_t b)
{
    const grazei_thing *things = things_of(world);
    return (graze_level)world->rules[things[a].category][things[b].category];
}

static bool put_key(const graze_world *world, grazei_list *keys, uint32_t a, uint32_t b)
{
    if (!grazei_list_reserve(&world->allocator, keys, keys->count + 1, sizeof(uint64_t)))
        return false;
    ((uint64_t *)keys->items)[keys->count++] = grazei_world_key(a, b);
    return true;
}

static bool sweep_strip(const graze_world *world, uint32_t strip, grazei_list *keys)
{
    const grazei_strips *all = &world->chosen;
    const size_t *starts = world->strips.items;
    const grazei_bound *entries = world->in_strips.items;
    const uint32_t axis = world->axis;
    for (size_t i = starts[strip]; i < starts[strip + 1]; i++) {
        const grazei_bound *box = &entries[i];
        grazei_box_probe probe = grazei_probe_box(box);
        for (size_t j = i + 1; j < starts[strip + 1]; j++) {
            const grazei_bound *other = &entries[j];
            if (low_of(other, axis) > box->high[axis])
                break;
            if (!grazei_boxes_overlap(&probe, other))
                continue;
            float x = low_of(box, all->axis), y = low_of(other, all->axis);
            GRAZE_ASSERT(index_of(box) != index_of(other));
            if (strip_at(all, x > y ? x : y) == strip &&
                level_of(world, index_of(box), index_of(other)) != GRAZE_LEVEL_IGNORE &&
                !put_key(world, keys, index_of(box), index_of(other)))
                return false;
        }
    }
    return true;
}

/* A graze_item_fn. */
static void sweep_some(void *user, size_t item, uint32_t thread)
{
    const graze_world *world = user;
    grazei_world_thread *own = (grazei_world_thread *)world->threads.items + thread;
    if (!sweep_strip(world, (uint32_t)item, &own->keys))
        own->out_of_keys = true;
}

/* Half-spaces with each other, and with the boxes that they may meet. */
static bool pair_infinite(graze_world *world)
{
    const uint32_t *infinite = world->infinite.items;
    const grazei_bound *order = world->order.items;
    for (size_t i = 0; i < world->infinite.count; i++) {
        uint32_t a = infinite[i];
        grazei_shape shape;
        grazei_shape_prepare(&shape, (const graze_shape *)world->shapes.items + a, NULL);
        for (size_t j = i + 1; j < world->infinite.count; j++)
            if (level_of(world, a, infinite[j]) != GRAZE_LEVEL_IGNORE &&
                !put_key(world, &world->keys, a, infinite[j]))
                return false;
        for (size_t j = 0; j < world->order.count; j++)
            if (!grazei_bound_is_empty(&order[j], false) &&
                level_of(world, a, index_of(&order[j])) != GRAZE_LEVEL_IGNORE &&
                (grazei_shape_side(&shape, &order[j], false, NULL) != GRAZE_OUTSIDE ||
                 grazei_world_was_near(world, a, &order[j])) &&
                !put_key(world, &world->keys, a, index_of(&order[j])))
                return false;
    }
    return true;
}

/* What the threads found, in one list. */
static bool gather_keys(graze_world *world)
{
    grazei_list *keys = &world->keys;
    grazei_world_thread *threads = world->threads.items;
    keys->count = 0;
    for (size_t t = 0; t < world->threads.count; t++) {
        const grazei_list *own = &threads[t].keys;
        if (threads[t].out_of_keys ||
            !grazei_list_reserve(&world->allocator, keys, keys->count + own->count,
                                 sizeof(uint64_t)))
            return false;
        if (own->count)
            memcpy((uint64_t *)keys->items + keys->count, own->items,
                   own->count * sizeof(uint64_t));
        keys->count += own->count;
    }
    return true;
}

static bool find_keys(graze_world *world, graze_pool *pool)
{
    grazei_world_thread *threads = world->threads.items;
    for (size_t t = 0; t < world->threads.count; t++) {
        threads[t].keys.count = 0;
        threads[t].out_of_keys = false;
    }
    graze_pool_for_each(pool, world->chosen.count, sweep_some, world, NULL);
    return gather_keys(world) && pair_infinite(world) &&
           grazei_sort_keys(&world->allocator, world->keys.items, world->keys.count,
                            &world->key_scratch);
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
    spread s = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    size_t batches = (world->things.count + BOXES_AT_ONCE - 1) / BOXES_AT_ONCE;
    graze_status status = graze_pool_for_each(pool, batches, find_some_boxes, world, error);
    if (!status)
        status = grazei_world_find_reaches(world, error);
    if (!status)
        status = list_things(world, &s, error);
    if (status)
        return status;
    for (uint32_t k = 0; k < 3; k++)
        if (variance(&s, k) > 1.5 * variance(&s, world->axis))
            world->axis = k;
    world->chosen = choose_strips(world, &s);
    status = sort_order(world, error);
    if (!status)
        status = fill_strips(world, error);
    if (!status && !find_keys(world, pool))
        status = grazei_fail_memory(error);
    return status ? status : make_candidates(world, error);
}
