/* A walk between bodies that are far apart, once it has become long: all patches at once, as
 * distance_far.h sees them. Included by distance_kernels.c only.
 */
#ifndef GRAZEI_DISTANCE_FAR_WALK_CHAPTER_H
#define GRAZEI_DISTANCE_FAR_WALK_CHAPTER_H

#include "distance/far_chapter.h"
#include "distance/walk_chapter.h"

static bool are_far_apart(const walk *w)
{
    const grazei_bound *a = &w->sides[0].bounds[0], *b = &w->sides[1].bounds[0];
    return grazei_box_distance(a, b) > GRAZEI_FAR_TIMES * f1_max(longest_side(a), longest_side(b));
}

static inline bool is_too_far(const walk *w, const grazei_frame_box *a, const grazei_frame_box *b)
{
    w->stats->bound_tests++;
    return grazei_frame_square(&w->frame, a, b) > w->far_most;
}

/* A patch of one side, and its triangles that may count, as long as no other pair is the nearest.
 */
typedef struct far_patch {
    int side;
    patch_side sides[2];
    graze_pair nearest;
    grazei_frame_box box; /* around those */
    far_set set;
    uint32_t least; /* number of one in it */
} far_patch;

static void list_patch(walk *w, const grazei_far_groups *groups, far_patch *patch)
{
    int side = patch->side;
    patch_side sides[2] = {patch->sides[0], patch->sides[1]};
    sides[!side].box = &groups->around[!side];
    patch->box = list_far(w->question, &w->frame, sides, side, &groups->all[!side], 0, &patch->set);
    patch->least = least_of_set(&sides[side], &patch->set);
    patch->nearest = w->question->pair;
}

/* Whether any pair of one side, with a box and a smallest number, and a patch of the other one may
 * count by those alone.
 */
static inline bool boxes_may_count(const walk *w, int side, const grazei_bound *box, uint32_t least,
                                   const grazei_bound *other, uint32_t other_least)
{
    return grazei_may_count(w->question, grazei_bound_square(box, other),
                            side ? other_least : least, side ? least : other_least);
}

/* With one of the other side. */
static void compare_far_patches(walk *w, const grazei_far_groups *groups, far_patch *patch,
                                uint32_t number)
{
    const int side = patch->side;
    patch_side *sides = patch->sides;
    grazei_frame_box box = grazei_far_patch_box(groups, &w->frame, &w->sides[!side], !side, number);
    if (is_too_far(w, &patch->box, &box))
        return;
    load_side(&w->sides[!side], number, &sides[!side]);
    if (!boxes_may_count(w, side, sides[side].box, patch->least, sides[!side].box,
                         grazei_least_name(&sides[!side].patch)) ||
        grazei_is_repeated(&w->points[!side], &sides[!side].patch))
        return;
    compare_listed(w->question, &w->frame, sides, side, &patch->set, &patch->box, w->stats);
    w->far_most = grazei_far_most(w->question);
    if (memcmp(&patch->nearest, &w->question->pair, sizeof patch->nearest) != 0)
        list_patch(w, groups, patch);
}

/* A patch of one side and all of the other. */
static void compare_with_all(walk *w, const grazei_far_groups *groups, int side, uint32_t number)
{
    const grazei_tree *tree = grazei_body_tree(w->sides[!side].body);
    far_patch patch;
    patch.side = side;
    patch.box = grazei_far_patch_box(groups, &w->frame, &w->sides[side], side, number);
    load_side(&w->sides[side], number, &patch.sides[side]);
    if (is_too_far(w, &patch.box, &groups->all[!side]) ||
        !boxes_may_count(w, side, patch.sides[side].box,
                         grazei_least_name(&patch.sides[side].patch), &groups->around[!side], 0) ||
        grazei_is_repeated(&w->points[side], &patch.sides[side].patch))
        return;
    list_patch(w, groups, &patch);
    for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS && patch.set.count; g++)
        if (!is_too_far(w, &patch.box, &groups->boxes[!side][g]))
            for (uint32_t p = grazei_far_first(tree, g);
                 p < grazei_far_first(tree, g + 1) && patch.set.count; p++)
                compare_far_patches(w, groups, &patch, p);
}

/* Compares all pairs of patches that may count: nothing is left to do. */
static __attribute__((noinline)) void compare_all_far(walk *w)
{
    grazei_far_groups groups;
    uint32_t patches[2];
    grazei_far_level(&w->frame, &w->sides[0], w->stats);
    grazei_far_make_groups(&groups, &w->frame, w->sides, w->stats);
    w->far_most = grazei_far_most(w->question);
    int rougher = find_rougher(groups.all);
    uint32_t count = grazei_body_tree(w->sides[rougher].body)->patch_count;
    if (grazei_far_choose(&groups, &w->frame, w->sides, patches))
        compare_with_all(w, &groups, rougher, patches[rougher]);
    for (uint32_t p = 0; p < count; p++)
        compare_with_all(w, &groups, rougher, p);
    w->agenda->count = 0;
}

/* Whether a walk became so long that all pairs of patches are less work: not if it may have to stop
 * in between.
 */
static bool is_long(const walk *w)
{
    const grazei_agenda *agenda = w->agenda;
    uint32_t all = grazei_body_tree(w->sides[0].body)->node_count +
                   grazei_body_tree(w->sides[1].body)->node_count;
    return w->opened > all / 2 && w->frame.made && !agenda->stop &&
           (agenda->last_bound_test & agenda->last_triangle_test) == UINT64_MAX;
}

#endif
