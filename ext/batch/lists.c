/* Which pairs of clusters, patches and groups are looked at, and what their masks leave out. */
#include "batch/lists.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

/* Pairs of units as one number, to be sorted. */
typedef struct gathered {
    const graze_allocator *allocator;
    uint64_t *items;
    size_t count, capacity;
} gathered;

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static bool gather(gathered *to, uint64_t key)
{
    if (to->count == to->capacity) {
        uint64_t *grown =
            grazei_grow(to->allocator, to->items, &to->capacity, to->count + 1, sizeof *grown);
        if (!grown)
            return false;
        to->items = grown;
    }
    to->items[to->count++] = key;
    return true;
}

static int compare(const void *left, const void *right)
{
    const uint64_t x = *(const uint64_t *)left, y = *(const uint64_t *)right;
    return x < y ? -1 : x > y;
}

/* Sorts, and leaves one of each. */
static void settle(gathered *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++)
        if (!kept || list->items[kept - 1] != list->items[i])
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static const uint64_t *find(const gathered *list, uint32_t a, uint32_t b)
{
    const uint64_t key = pair_key(a, b);
    return list->count ? bsearch(&key, list->items, list->count, sizeof key, compare) : NULL;
}

/* ---- clusters that share a vertex ------------------------------------------------------------ */

/* So many pairs of clusters a cluster are enough for every surface; a fan of thousands of triangles
 * around one vertex has more.
 */
enum { MOST_PAIRS = 256, MANY_PAIRS = 1 << 20 };

/* All pairs among the clusters of one vertex, which are sorted. */
static bool gather_around(gathered *pairs, const uint32_t *clusters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k < count; k++)
            if (!gather(pairs, pair_key(clusters[i], clusters[k])))
                return false;
    return true;
}

/* Each vertex with each of its clusters, once, sorted; a vertex stands for all that it is welded
 * to.
 */
static bool gather_corners(gathered *corners, const graze_pose_tables *tables,
                           const grazei_mesh *mesh)
{
    for (uint32_t t = 0; t < tables->triangle_count; t++)
        for (int c = 0; c < 3; c++)
            if (!gather(corners, (uint64_t)mesh->welds[tables->triangles[t][c]] << 32 | t / 8))
                return false;
    settle(corners);
    return true;
}

static graze_status gather_clusters(gathered *pairs, const graze_pose_tables *tables,
                                    const grazei_mesh *mesh, graze_error *error)
{
    gathered corners = {.allocator = pairs->allocator};
    const size_t most = MANY_PAIRS + (size_t)MOST_PAIRS * (tables->triangle_count / 8);
    uint32_t *around = NULL;
    size_t capacity = 0;
    bool ok = gather_corners(&corners, tables, mesh);
    for (size_t i = 0, end; ok && i < corners.count; i = end) {
        for (end = i; end < corners.count && corners.items[end] >> 32 == corners.items[i] >> 32;)
            end++;
        const size_t count = end - i, around_it = count * (count + 1) / 2;
        const uint32_t vertex = (uint32_t)(corners.items[i] >> 32);
        if (around_it > most || pairs->count > most - around_it) {
            grazei_release(pairs->allocator, corners.items);
            grazei_release(pairs->allocator, around);
            return grazei_fail(error, GRAZE_UNSUPPORTED,
                               "too many triangles share vertices: vertex %u alone has %zu groups "
                               "of up to 8",
                               vertex, count);
        }
        if (capacity < count) {
            uint32_t *grown =
                grazei_grow(pairs->allocator, around, &capacity, count, sizeof *grown);
            ok = grown != NULL;
            around = grown ? grown : around;
        }
        for (size_t k = 0; ok && k < count; k++)
            around[k] = (uint32_t)corners.items[i + k];
        ok = ok && gather_around(pairs, around, count);
    }
    grazei_release(pairs->allocator, corners.items);
    grazei_release(pairs->allocator, around);
    if (!ok)
        return grazei_fail_memory(error);
    settle(pairs);
    return GRAZE_OK;
}

/* ---- masks ----------------------------------------------------------------------------------- */

static bool are_neighbours(const graze_pose_tables *tables, const grazei_mesh *mesh, uint32_t a,
                           uint32_t b)
{
    bool shared = false;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            shared |= mesh->welds[tables->triangles[a][i]] == mesh->welds[tables->triangles[b][k]];
    return shared;
}

/* What a mask asks of a pair of children, a not above b of one group. */
typedef bool (*wanted)(const void *user, uint32_t a, uint32_t b);

static uint64_t mask_of(uint32_t a, uint32_t b, uint32_t count, wanted wants, const void *user)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t x = 8 * a + i, y = 8 * b + k;
            if (x < count && y < count && (a != b || x <= y) && wants(user, x, y))
                mask |= (uint64_t)1 << (8 * i + k);
        }
    return mask;
}

typedef struct apart {
    const graze_pose_tables *tables;
    const grazei_mesh *mesh;
    const gathered *below;
} apart;

static bool no_neighbours(const void *user, uint32_t a, uint32_t b)
{
    const apart *of = user;
    return a != b && !are_neighbours(of->tables, of->mesh, a, b);
}

static bool not_listed(const void *user, uint32_t a, uint32_t b)
{
    const apart *of = user;
    return !find(of->below, a, b);
}

static graze_status make_list(graze_pose_list *list, const gathered *pairs, uint32_t children,
                              wanted wants, const apart *user, graze_error *error)
{
    const size_t room = pairs->count ? pairs->count : 1;
    list->pairs = grazei_allocate(pairs->allocator, room, sizeof *list->pairs);
    list->masks = GRAZEI_ALLOCATE(pairs->allocator, room, uint64_t);
    if (!list->pairs || !list->masks)
        return grazei_fail_memory(error);
    for (size_t i = 0; i < pairs->count; i++) {
        const uint32_t a = (uint32_t)(pairs->items[i] >> 32), b = (uint32_t)pairs->items[i];
        const uint64_t mask = mask_of(a, b, children, wants, user);
        if (!mask)
            continue;
        list->pairs[list->count][0] = a;
        list->pairs[list->count][1] = b;
        list->masks[list->count++] = mask;
    }
    return GRAZE_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool gather_patches(gathered *patches, const gathered *clusters, uint32_t patch_count)
{
    bool ok = true;
    for (size_t i = 0; ok && i < clusters->count; i++)
        ok = gather(patches, pair_key((uint32_t)(clusters->items[i] >> 32) / 8,
                                      (uint32_t)clusters->items[i] / 8));
    for (uint32_t p = 0; ok && p < patch_count; p++)
        ok = gather(patches, pair_key(p, p));
    settle(patches);
    return ok;
}

static bool gather_groups(gathered *groups, uint32_t group_count)
{
    bool ok = true;
    for (uint32_t a = 0; ok && a < group_count; a++)
        for (uint32_t b = a; ok && b < group_count; b++)
            ok = gather(groups, pair_key(a, b));
    return ok;
}

graze_status grazei_pose_lists(graze_pose_tables *tables, const grazei_mesh *mesh,
                               const graze_allocator *allocator, graze_error *error)
{
    gathered clusters = {.allocator = allocator}, patches = clusters, groups = clusters;
    const uint32_t cluster_count = (tables->triangle_count - 1) / 8 + 1;
    const uint32_t patch_count = (cluster_count - 1) / 8 + 1;
    apart user = {tables, mesh, NULL};
    graze_status status = gather_clusters(&clusters, tables, mesh, error);
    if (!status && !(gather_patches(&patches, &clusters, patch_count) &&
                     gather_groups(&groups, tables->patch_count / 8)))
        status = grazei_fail_memory(error);
    if (!status)
        status = make_list(&tables->lists[0], &clusters, tables->triangle_count, no_neighbours,
                           &user, error);
    user.below = &clusters;
    if (!status)
        status = make_list(&tables->lists[1], &patches, cluster_count, not_listed, &user, error);
    user.below = &patches;
    if (!status)
        status = make_list(&tables->lists[2], &groups, patch_count, not_listed, &user, error);
    grazei_release(allocator, clusters.items);
    grazei_release(allocator, patches.items);
    grazei_release(allocator, groups.items);
    return status;
}
