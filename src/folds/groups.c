/* Groups: a patch's triangles halved across the longest side of their middles' box, until there is
 * one in each.
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

static void add_vertices(grazei_group *group, const uint8_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < group->vertex_count && group->vertices[k] != vertices[i])
            k++;
        group->vertices[k] = vertices[i];
        group->vertex_count += k == group->vertex_count;
    }
}

/* The groups of so many triangles, the whole first, then those of either half. */
static void halve(const grazei_fold_builder *b, const grazei_patch *patch, member *members,
                  uint32_t count, uint32_t number)
{
    grazei_group *groups = b->groups + 2 * (size_t)patch->first_triangle + number;
    *groups = (grazei_group){.count = (uint8_t)count};
    if (count == 1) {
        uint32_t place = patch->first_triangle + members[0].triangle;
        const f4 *corners = b->triangles[place].corners;
        groups->low = f4_min(corners[0], f4_min(corners[1], corners[2]));
        groups->high = f4_max(corners[0], f4_max(corners[1], corners[2]));
        groups->triangle = (uint8_t)members[0].triangle;
        b->triangle_groups[place] = (uint8_t)number;
        add_vertices(groups, b->tree->corners[place], 3);
        return;
    }
    sort_along(members, count, longest_axis(members, count));
    uint32_t half = count / 2, behind = grazei_second_half(0, groups);
    const grazei_group *first = groups + 1, *second = groups + behind;
    halve(b, patch, members, half, number + 1);
    halve(b, patch, members + half, count - half, number + behind);
    groups->low = f4_min(first->low, second->low);
    groups->high = f4_max(first->high, second->high);
    if (count > GRAZEI_GROUP_TRIANGLES)
        return;
    add_vertices(groups, first->vertices, first->vertex_count);
    add_vertices(groups, second->vertices, second->vertex_count);
}

bool grazei_folds_find_groups(grazei_fold_builder *b)
{
    const grazei_tree *tree = b->tree;
    member members[GRAZEI_MAX_PATCH_TRIANGLES];
    b->groups = GRAZEI_ALLOCATE(b->allocator, 2 * (size_t)b->mesh->triangle_count, grazei_group);
    if (!b->groups)
        return false;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        for (uint32_t i = 0; i < patch->triangle_count; i++) {
            const f4 *corners = b->triangles[patch->first_triangle + i].corners;
            members[i].middle = f4_min(corners[0], f4_min(corners[1], corners[2])) +
                                f4_max(corners[0], f4_max(corners[1], corners[2]));
            members[i].triangle = i;
        }
        halve(b, patch, members, patch->triangle_count, 0);
    }
    return true;
}
