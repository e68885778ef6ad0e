/* Groups: a patch's triangles halved across the longest side of their middles' box, until there is
 * one in each.
 */
#include "folds/build.h"

#include "base/assert.h"
#include "base/memory.h"

/* The middles of the boxes of a patch's triangles, twice, by axes. */
typedef float middles[3][GRAZEI_MAX_PATCH_TRIANGLES];

static int longest_axis(const middles at, const uint8_t *members, uint32_t count)
{
    float sizes[3];
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            low = f1_min(low, at[axis][members[i]]);
            high = f1_max(high, at[axis][members[i]]);
        }
        sizes[axis] = high - low;
    }
    int axis = sizes[1] > sizes[0];
    return sizes[2] > sizes[axis] ? 2 : axis;
}

static void sort_along(const float *at, uint8_t *members, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint8_t moved = members[i];
        uint32_t place = i;
        for (; place > 0 && at[members[place - 1]] > at[moved]; place--)
            members[place] = members[place - 1];
        members[place] = moved;
    }
}

static void add_vertices(grazei_group *group, const uint8_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < group->vertex_count && group->vertices[k] != vertices[i])
            k++;
        GRAZE_ASSERT(k < 3 * GRAZEI_GROUP_TRIANGLES);
        group->vertices[k] = vertices[i];
        if (k == group->vertex_count)
            group->vertex_count++;
    }
}

/* The groups of so many triangles, the whole first, then those of either half. */
static void halve(const grazei_fold_builder *b, const grazei_patch *patch, const middles at,
                  uint8_t *members, uint32_t count, uint32_t number)
{
    grazei_group *groups = b->groups + 2 * (size_t)patch->first_triangle + number;
    GRAZE_ASSERT(count > 0 && number + 2 * count <= 2u * patch->triangle_count);
    groups->count = (uint8_t)count;
    groups->vertex_count = 0;
    if (count == 1) {
        uint32_t place = patch->first_triangle + members[0];
        const f4 *corners = b->triangles[place].corners;
        groups->low = f4_min(corners[0], f4_min(corners[1], corners[2]));
        groups->high = f4_max(corners[0], f4_max(corners[1], corners[2]));
        groups->triangle = members[0];
        b->triangle_parts[place] = (uint8_t)number;
        add_vertices(groups, b->tree->corners[place], 3);
        return;
    }
    sort_along(at[longest_axis(at, members, count)], members, count);
    uint32_t half = count / 2, behind = grazei_second_half(0, groups);
    const grazei_group *first = groups + 1, *second = groups + behind;
    halve(b, patch, at, members, half, number + 1);
    halve(b, patch, at, members + half, count - half, number + behind);
    groups->low = f4_min(first->low, second->low);
    groups->high = f4_max(first->high, second->high);
    if (count > GRAZEI_GROUP_TRIANGLES)
        return;
    add_vertices(groups, first->vertices, first->vertex_count);
    add_vertices(groups, second->vertices, second->vertex_count);
}

void grazei_folds_find_groups(grazei_fold_builder *b, uint32_t p)
{
    uint8_t members[GRAZEI_MAX_PATCH_TRIANGLES];
    middles at;
    const grazei_patch *patch = &b->tree->patches[p];
    for (uint32_t i = 0; i < patch->triangle_count; i++) {
        const f4 *corners = b->triangles[patch->first_triangle + i].corners;
        f4 middle = f4_min(corners[0], f4_min(corners[1], corners[2])) +
                    f4_max(corners[0], f4_max(corners[1], corners[2]));
        for (int axis = 0; axis < 3; axis++)
            at[axis][i] = middle[axis];
        members[i] = (uint8_t)i;
    }
    halve(b, patch, (const float(*)[GRAZEI_MAX_PATCH_TRIANGLES])at, members, patch->triangle_count,
          0);
}
