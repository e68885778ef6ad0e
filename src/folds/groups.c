/* Groups: a patch's triangles halved across the longest side of their middles' box, until there are
 * few in each.
 */
#include "folds/build.h"

#include "base/memory.h"

/* A triangle of a patch and the middle of its box, twice. */
typedef struct member {
    f4 middle;
    uint32_t triangle;
} member;

static int longest_axis(const member *members, uint32_t count)
{
    f4 low = members[0].middle, high = low;
    for (uint32_t i = 1; i < count; i++) {
        low = f4_min(low, members[i].middle);
        high = f4_max(high, members[i].middle);
    }
    f4 size = high - low;
    int axis = size[1] > size[0];
    return size[2] > size[axis] ? 2 : axis;
}

static void sort_along(member *members, uint32_t count, int axis)
{
    for (uint32_t i = 1; i < count; i++) {
        member moved = members[i];
        uint32_t at = i;
        for (; at > 0 && members[at - 1].middle[axis] > moved.middle[axis]; at--)
            members[at] = members[at - 1];
        members[at] = moved;
    }
}

static void make_group(const grazei_fold_builder *b, const grazei_patch *patch,
                       const member *members, uint32_t count, grazei_group *group)
{
    uint64_t seen[GRAZEI_MAX_PATCH_VERTICES / 64] = {0};
    group->vertex_count = 0;
    group->low = f4_all(INFINITY);
    group->high = f4_all(-INFINITY);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = patch->first_triangle + members[i].triangle;
        for (int c = 0; c < 3; c++) {
            uint8_t vertex = b->tree->corners[place][c];
            f4 corner = b->triangles[place].corners[c];
            group->low = f4_min(group->low, corner);
            group->high = f4_max(group->high, corner);
            if (!(seen[vertex >> 6] >> (vertex & 63) & 1))
                group->vertices[group->vertex_count++] = vertex;
            seen[vertex >> 6] |= 1ull << (vertex & 63);
        }
    }
}

/* Returns how many groups it made. */
static uint32_t halve(const grazei_fold_builder *b, const grazei_patch *patch, member *members,
                      uint32_t count, grazei_group *groups)
{
    if (count <= GRAZEI_GROUP_TRIANGLES) {
        make_group(b, patch, members, count, groups);
        return 1;
    }
    sort_along(members, count, longest_axis(members, count));
    uint32_t half = count / 2, made = halve(b, patch, members, half, groups);
    return made + halve(b, patch, members + half, count - half, groups + made);
}

bool grazei_folds_find_groups(grazei_fold_builder *b)
{
    const grazei_tree *tree = b->tree;
    member members[GRAZEI_MAX_PATCH_TRIANGLES];
    size_t capacity = 0;
    b->first_group[0] = 0;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        uint32_t first = b->first_group[p];
        grazei_group *larger = grazei_grow(b->allocator, b->groups, &capacity,
                                           (size_t)first + GRAZEI_MAX_GROUPS, sizeof *larger);
        if (!larger)
            return false;
        b->groups = larger;
        for (uint32_t i = 0; i < patch->triangle_count; i++) {
            const f4 *corners = b->triangles[patch->first_triangle + i].corners;
            members[i].middle = f4_min(corners[0], f4_min(corners[1], corners[2])) +
                                f4_max(corners[0], f4_max(corners[1], corners[2]));
            members[i].triangle = i;
        }
        b->first_group[p + 1] =
            first + halve(b, patch, members, patch->triangle_count, b->groups + first);
    }
    return true;
}
