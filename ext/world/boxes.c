#include "world/boxes.h"

#include "base/memory.h"
#include "base/status.h"
#include "world/world.h"

#include <string.h>

enum { ARITY = 4, GRID_BITS = 10, SPARE_LEAVES = 64 };

/* The leaf of a half-space. */
#define GRAZEI_NO_END (GRAZEI_NOBODY - 1)

/* Nodes may grow to so many times their size, against the root's, before the order is found anew.
 */
#define MOST_GROWTH 1.6

static grazei_watch_group *group_of(const graze_world *world, uint32_t index)
{
    return ((grazei_watch_group *const *)world->tree.groups.items)[index / GRAZEI_WATCHED];
}

/* ---- who changed ---------------------------------------------------------------------------- */

bool grazei_boxes_reserve(graze_world *world, uint32_t index)
{
    grazei_list *groups = &world->tree.groups;
    if (index / GRAZEI_WATCHED < groups->count)
        return true;
    if (!grazei_list_reserve(&world->allocator, groups, groups->count + 1,
                             sizeof(grazei_watch_group *)))
        return false;
    grazei_watch_group *made = GRAZEI_ALLOCATE_ZERO(&world->allocator, 1, grazei_watch_group);
    if (made)
        ((grazei_watch_group **)groups->items)[groups->count++] = made;
    return made != NULL;
}

void grazei_boxes_note(graze_world *world, uint32_t index)
{
    grazei_watch_group *group = group_of(world, index);
    atomic_store_explicit(&group->changed[index % GRAZEI_WATCHED], 1, memory_order_relaxed);
    atomic_store_explicit(&group->any, 1, memory_order_relaxed);
}

void grazei_boxes_watch(graze_world *world, uint32_t index, graze_body *body)
{
    grazei_watch_group *group = group_of(world, index);
    grazei_watcher *watcher = &group->watchers[index % GRAZEI_WATCHED];
    watcher->flags[0] = &group->changed[index % GRAZEI_WATCHED];
    watcher->flags[1] = &group->any;
    if (body)
        grazei_body_watch(body, watcher);
    grazei_boxes_note(world, index);
}

void grazei_boxes_forget(graze_world *world, uint32_t index)
{
    grazei_body_unwatch(&group_of(world, index)->watchers[index % GRAZEI_WATCHED]);
    grazei_boxes_note(world, index);
}

void grazei_boxes_release(graze_world *world)
{
    grazei_box_tree *tree = &world->tree;
    grazei_list *lists[] = {&tree->nodes,    &tree->owners, &tree->leaves, &tree->free_leaves,
                            &tree->infinite, &tree->moved,  &tree->groups};
    for (size_t g = 0; g < tree->groups.count; g++) {
        grazei_watch_group *group = ((grazei_watch_group **)tree->groups.items)[g];
        for (size_t i = 0; i < GRAZEI_WATCHED; i++)
            grazei_body_unwatch(&group->watchers[i]);
        grazei_release(&world->allocator, group);
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        grazei_release(&world->allocator, lists[i]->items);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static uint32_t *numbers(const grazei_list *list)
{
    return list->items;
}

static grazei_bound *level_of(const grazei_box_tree *tree, uint32_t level)
{
    GRAZE_ASSERT(level < tree->level_count);
    return (grazei_bound *)tree->nodes.items + tree->starts[level];
}

const grazei_bound *grazei_boxes_root(const graze_world *world)
{
    return level_of(&world->tree, world->tree.level_count - 1);
}

/* How many nodes a level has, empty ones that fill up its last four included. */
static size_t room_of(const grazei_box_tree *tree, uint32_t level)
{
    size_t end = level + 1 < tree->level_count ? tree->starts[level + 1] : tree->nodes.count;
    return end - tree->starts[level];
}

static void join_children(const grazei_box_tree *tree, uint32_t level, size_t node)
{
    const grazei_bound *four = level_of(tree, level - 1) + ARITY * node;
    grazei_bound *box = level_of(tree, level) + node;
    f4 low = f4_max(f4_max(grazei_bound_first(&four[0]), grazei_bound_first(&four[1])),
                    f4_max(grazei_bound_first(&four[2]), grazei_bound_first(&four[3])));
    f4 high = f4_max(f4_max(grazei_bound_second(&four[0]), grazei_bound_second(&four[1])),
                     f4_max(grazei_bound_second(&four[2]), grazei_bound_second(&four[3])));
    f4_store(box->low_negated, low);
    f4_store(box->high, high);
}

static void join_all(const grazei_box_tree *tree)
{
    for (uint32_t level = 1; level < tree->level_count; level++)
        for (size_t node = 0; node < room_of(tree, level - 1) / ARITY; node++)
            join_children(tree, level, node);
}

static void join_moved(const grazei_box_tree *tree)
{
    for (size_t i = 0; i < tree->moved.count; i++) {
        size_t node = numbers(&tree->moved)[i];
        for (uint32_t level = 1; level < tree->level_count; level++)
            join_children(tree, level, node /= ARITY);
    }
}

static double size_of(const grazei_bound *box)
{
    double sides[3];
    if (grazei_bound_is_empty(box, false))
        return 0;
    for (int k = 0; k < 3; k++)
        sides[k] = (double)box->low_negated[k] + box->high[k];
    return sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0];
}

/* Of the lowest nodes together, to that of the root. */
static double find_size(const grazei_box_tree *tree)
{
    double sum = 0, root = size_of(level_of(tree, tree->level_count - 1));
    for (size_t node = 0; tree->level_count > 1 && node < room_of(tree, 1); node++)
        sum += size_of(level_of(tree, 1) + node);
    return root > 0 ? sum / root : 0;
}

/* ---- the order ------------------------------------------------------------------------------ */

/* The bits of a number below 2^10, two places apart. */
static uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

/* The place of a box's middle along the curve (Morton 1966), in the box of all. */
static uint32_t place_on_curve(const grazei_bound *box, const grazei_bound *all)
{
    uint32_t place = 0;
    if (grazei_bound_is_empty(box, false))
        return 0;
    for (int k = 0; k < 3; k++) {
        double low = -(double)all->low_negated[k], extent = all->high[k] - low;
        double at = 0.5 * ((double)box->high[k] - box->low_negated[k]) - low;
        double cell = extent > 0 ? at / extent * (1 << GRID_BITS) : 0;
        uint32_t most = (1 << GRID_BITS) - 1;
        place |= spread_bits(cell > 0 ? (cell < most ? (uint32_t)cell : most) : 0) << k;
    }
    return place;
}

static bool is_finite(const graze_world *world, uint32_t index)
{
    const grazei_thing *thing = grazei_thing_of(world, index);
    return thing->kind != GRAZEI_FREE && !thing->infinite;
}

static bool is_infinite(const graze_world *world, uint32_t index)
{
    const grazei_thing *thing = grazei_thing_of(world, index);
    return thing->kind != GRAZEI_FREE && thing->infinite;
}

/* Room for a tree with so many leaves in use. */
static bool reserve_nodes(graze_world *world, size_t used)
{
    grazei_box_tree *tree = &world->tree;
    size_t room = (used + used / 4 + SPARE_LEAVES + ARITY - 1) / ARITY * ARITY, count = 0;
    tree->level_count = 0;
    for (size_t level = room;; level = (level / ARITY + ARITY - 1) / ARITY * ARITY) {
        GRAZE_ASSERT(tree->level_count < GRAZEI_BOX_LEVELS);
        tree->starts[tree->level_count++] = count;
        count += level;
        if (level == ARITY)
            break;
    }
    GRAZE_ASSERT(tree->level_count < GRAZEI_BOX_LEVELS);
    tree->starts[tree->level_count++] = count++;
    if (!grazei_list_reserve(&world->allocator, &tree->nodes, count, sizeof(grazei_bound)) ||
        !grazei_list_reserve(&world->allocator, &tree->owners, room, sizeof(uint32_t)) ||
        !grazei_list_reserve(&world->allocator, &tree->moved, room, sizeof(uint32_t)) ||
        !grazei_list_reserve(&world->allocator, &tree->free_leaves, room, sizeof(uint32_t)))
        return false;
    tree->nodes.count = count;
    tree->owners.count = room;
    for (size_t i = 0; i < count; i++)
        grazei_bound_set_empty((grazei_bound *)tree->nodes.items + i, false);
    return true;
}

/* Every member that has an end, by its place on the curve, and how many; false: no memory. */
static bool sort_members(graze_world *world, size_t *used)
{
    const grazei_bound *boxes = world->boxes.items;
    size_t count = world->things.count;
    grazei_bound all;
    grazei_bound_set_empty(&all, false);
    *used = 0;
    if (!grazei_list_reserve(&world->allocator, &world->keys, count, sizeof(uint64_t)))
        return false;
    uint64_t *keys = world->keys.items;
    for (uint32_t i = 0; i < count; i++)
        if (is_finite(world, i)) {
            keys[(*used)++] = i;
            f4_store(all.low_negated,
                     f4_max(grazei_bound_first(&all), grazei_bound_first(&boxes[i])));
            f4_store(all.high, f4_max(grazei_bound_second(&all), grazei_bound_second(&boxes[i])));
        }
    for (size_t i = 0; i < *used; i++)
        keys[i] |= (uint64_t)place_on_curve(&boxes[keys[i]], &all) << 32;
    return grazei_sort_halves(&world->allocator, keys, *used, &world->key_scratch);
}

static bool reserve_leaves(graze_world *world)
{
    grazei_list *leaves = &world->tree.leaves;
    if (!grazei_list_reserve(&world->allocator, leaves, world->things.count, sizeof(uint32_t)))
        return false;
    while (leaves->count < world->things.count)
        numbers(leaves)[leaves->count++] = GRAZEI_NOBODY;
    return true;
}

/* Finds the order, from boxes that are up to date. */
static bool build(graze_world *world)
{
    grazei_box_tree *tree = &world->tree;
    size_t used;
    tree->built = false;
    if (!sort_members(world, &used) || !reserve_nodes(world, used))
        return false;
    const uint64_t *keys = world->keys.items;
    for (uint32_t i = 0; i < tree->leaves.count; i++)
        numbers(&tree->leaves)[i] = is_infinite(world, i) ? GRAZEI_NO_END : GRAZEI_NOBODY;
    tree->infinite_changed = true;
    for (size_t i = 0; i < used; i++) {
        uint32_t index = (uint32_t)keys[i];
        level_of(tree, 0)[i] = ((const grazei_bound *)world->boxes.items)[index];
        numbers(&tree->owners)[i] = index;
        numbers(&tree->leaves)[index] = (uint32_t)i;
    }
    tree->free_leaves.count = tree->moved.count = tree->moved_since = 0;
    for (size_t i = tree->owners.count; i-- > used;) {
        numbers(&tree->owners)[i] = GRAZEI_NOBODY;
        numbers(&tree->free_leaves)[tree->free_leaves.count++] = (uint32_t)i;
    }
    join_all(tree);
    tree->built_size = find_size(tree);
    tree->built = true;
    return true;
}

/* ---- up to date ----------------------------------------------------------------------------- */

/* Puts a member's box into its leaf, which it gets or loses if need be. False: no leaf is free. */
static bool place_member(graze_world *world, uint32_t index)
{
    grazei_box_tree *tree = &world->tree;
    uint32_t *leaf = &numbers(&tree->leaves)[index];
    bool finite = is_finite(world, index), infinite = is_infinite(world, index);
    if (infinite != (*leaf == GRAZEI_NO_END))
        tree->infinite_changed = true;
    if (*leaf >= GRAZEI_NO_END) {
        *leaf = infinite ? GRAZEI_NO_END : GRAZEI_NOBODY;
        if (!finite)
            return true;
        if (!tree->free_leaves.count)
            return false;
        *leaf = numbers(&tree->free_leaves)[--tree->free_leaves.count];
        numbers(&tree->owners)[*leaf] = index;
    }
    grazei_bound *box = level_of(tree, 0) + *leaf;
    GRAZE_ASSERT(tree->moved.count < tree->moved.capacity);
    numbers(&tree->moved)[tree->moved.count++] = *leaf;
    if (finite) {
        *box = ((const grazei_bound *)world->boxes.items)[index];
        return true;
    }
    grazei_bound_set_empty(box, false);
    numbers(&tree->owners)[*leaf] = GRAZEI_NOBODY;
    numbers(&tree->free_leaves)[tree->free_leaves.count++] = *leaf;
    *leaf = infinite ? GRAZEI_NO_END : GRAZEI_NOBODY;
    return true;
}

/* Takes over what changed among the members of a group. */
static void take_group(graze_world *world, grazei_watch_group *group, uint32_t first,
                       graze_stats *stats)
{
    enum { AHEAD = 8 };
    grazei_box_tree *tree = &world->tree;
    uint32_t changed[GRAZEI_WATCHED], count = 0;
    atomic_store_explicit(&group->any, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < GRAZEI_WATCHED && first + i < world->things.count; i++)
        if (atomic_load_explicit(&group->changed[i], memory_order_relaxed)) {
            atomic_store_explicit(&group->changed[i], 0, memory_order_relaxed);
            changed[count++] = first + i;
        }
    for (uint32_t i = 0; i < count; i++) {
        const graze_body *ahead =
            i + AHEAD < count ? grazei_thing_of(world, changed[i + AHEAD])->body : NULL;
        if (ahead)
            grazei_body_prefetch_box(ahead);
        grazei_world_find_box(world, changed[i], stats);
        if (tree->built && !place_member(world, changed[i]))
            tree->built = false;
    }
}

static graze_status list_infinite(graze_world *world, graze_error *error)
{
    grazei_list *list = &world->tree.infinite;
    list->count = 0;
    for (uint32_t i = 0; i < world->things.count; i++) {
        if (!is_infinite(world, i))
            continue;
        if (!grazei_list_reserve(&world->allocator, list, list->count + 1, sizeof(uint32_t)))
            return grazei_fail_memory(error);
        numbers(list)[list->count++] = i;
    }
    world->tree.infinite_changed = false;
    return GRAZE_OK;
}

/* Whether the order has become a bad one. */
static bool is_worn(grazei_box_tree *tree)
{
    size_t used = tree->owners.count - tree->free_leaves.count;
    tree->moved_since += tree->moved.count;
    if (tree->moved_since < used / 2 + SPARE_LEAVES)
        return false;
    tree->moved_since = 0;
    return find_size(tree) > MOST_GROWTH * tree->built_size;
}

graze_status grazei_boxes_refresh(graze_world *world, graze_stats *stats, graze_error *error)
{
    grazei_box_tree *tree = &world->tree;
    if (!reserve_leaves(world))
        return grazei_fail_memory(error);
    tree->moved.count = 0;
    for (size_t g = 0; g < tree->groups.count; g++) {
        grazei_watch_group *group = ((grazei_watch_group **)tree->groups.items)[g];
        if (atomic_load_explicit(&group->any, memory_order_relaxed))
            take_group(world, group, (uint32_t)(g * GRAZEI_WATCHED), stats);
    }
    if (tree->built && tree->moved.count > tree->owners.count / 8)
        join_all(tree);
    else if (tree->built)
        join_moved(tree);
    if ((!tree->built || is_worn(tree)) && !build(world))
        return grazei_fail_memory(error);
    return tree->infinite_changed ? list_infinite(world, error) : GRAZE_OK;
}

/* ---- walks ---------------------------------------------------------------------------------- */

typedef struct tree_item {
    float key;
    uint32_t level;
    size_t node;
} tree_item;

enum { MOST_ITEMS = (ARITY - 1) * GRAZEI_BOX_LEVELS + 1 };

/* Puts those of a node's children that count on top, the least key last. */
static uint32_t open_node(const grazei_box_tree *tree, const grazei_boxes_walk *walk,
                          tree_item from, tree_item *items, uint32_t count)
{
    uint32_t base = count;
    const grazei_bound *boxes = level_of(tree, from.level - 1);
    walk->stats->bound_tests += ARITY;
    for (size_t node = ARITY * from.node; node < ARITY * (from.node + 1); node++) {
        tree_item item = {.level = from.level - 1, .node = node};
        if (!walk->meets(walk, &boxes[node], &item.key) || item.key > walk->limit)
            continue;
        uint32_t at = count++;
        for (; at > base && items[at - 1].key < item.key; at--)
            items[at] = items[at - 1];
        GRAZE_ASSERT(at < MOST_ITEMS);
        items[at] = item;
    }
    return count;
}

graze_status grazei_boxes_visit(const graze_world *world, grazei_boxes_walk *walk,
                                graze_error *error)
{
    const grazei_box_tree *tree = &world->tree;
    tree_item items[MOST_ITEMS];
    uint32_t count = 0;
    graze_status status = GRAZE_OK;
    GRAZE_ASSERT(tree->built);
    for (size_t i = 0; i < tree->infinite.count && !status && !walk->done; i++)
        status = walk->visit(walk, numbers(&tree->infinite)[i], error);
    const tree_item root = {.key = -INFINITY, .level = tree->level_count - 1};
    if (!grazei_bound_is_empty(level_of(tree, root.level), false))
        count = open_node(tree, walk, root, items, 0);
    while (count && !status && !walk->done) {
        tree_item item = items[--count];
        if (item.key > walk->limit)
            continue;
        if (item.level)
            count = open_node(tree, walk, item, items, count);
        else
            status = walk->visit(walk, numbers(&tree->owners)[item.node], error);
    }
    return status;
}

/* ---- validation ----------------------------------------------------------------------------- */

static bool holds(const grazei_bound *outer, const grazei_bound *inner)
{
    if (grazei_bound_is_empty(inner, false))
        return true;
    for (int k = 0; k < 3; k++)
        if (inner->low_negated[k] > outer->low_negated[k] || inner->high[k] > outer->high[k])
            return false;
    return true;
}

static bool is_up_to_date(const graze_world *world)
{
    for (size_t g = 0; g < world->tree.groups.count; g++) {
        grazei_watch_group *group = ((grazei_watch_group **)world->tree.groups.items)[g];
        if (atomic_load_explicit(&group->any, memory_order_relaxed))
            return false;
    }
    return world->tree.built && world->tree.leaves.count == world->things.count;
}

graze_status grazei_boxes_validate(const graze_world *world, graze_error *error)
{
    const grazei_box_tree *tree = &world->tree;
    if (!is_up_to_date(world))
        return GRAZE_OK;
    for (uint32_t i = 0; i < tree->leaves.count; i++) {
        uint32_t leaf = numbers(&tree->leaves)[i];
        GRAZEI_EXPECT((leaf < GRAZEI_NO_END) == is_finite(world, i) &&
                          (leaf == GRAZEI_NO_END) == is_infinite(world, i),
                      error, "member %u has the leaf %u", i, leaf);
        if (leaf >= GRAZEI_NO_END)
            continue;
        GRAZEI_EXPECT(leaf < tree->owners.count && numbers(&tree->owners)[leaf] == i, error,
                      "leaf %u of member %u is another's", leaf, i);
        GRAZEI_EXPECT(holds(level_of(tree, 0) + leaf, (const grazei_bound *)world->boxes.items + i),
                      error, "leaf %u does not hold member %u", leaf, i);
    }
    for (uint32_t level = 1; level < tree->level_count; level++)
        for (size_t node = 0; node < room_of(tree, level - 1); node++)
            GRAZEI_EXPECT(
                holds(level_of(tree, level) + node / ARITY, level_of(tree, level - 1) + node),
                error, "node %zu of level %u is not held by the one above it", node, level - 1);
    return GRAZE_OK;
}
