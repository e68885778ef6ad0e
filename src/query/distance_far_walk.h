/* A walk between bodies that are far apart, once it has become long: all patches at once, as
 * distance_far.h sees them. Included by distance_kernels.c only.
 */
#ifndef GRAZEI_QUERY_DISTANCE_FAR_WALK_H
#define GRAZEI_QUERY_DISTANCE_FAR_WALK_H

#include "query/distance_far.h"
#include "query/distance_walk.h"

/* So many patches are seen at a time. */
enum { FAR_CHUNK = 16 };

static bool are_far_apart(const walk *w)
{
    const grazei_bound *a = &w->sides[0].bounds[0], *b = &w->sides[1].bounds[0];
    return grazei_box_distance(a, b) > GRAZEI_FAR_TIMES * f1_max(longest_side(a), longest_side(b));
}

static void compare_far_patches(walk *w, uint32_t a, uint32_t b, const grazei_far_box *box_a,
                                const grazei_far_box *box_b)
{
    grazei_far_box seen[2] = {*box_a, *box_b};
    patch_side sides[2] = {{.points = NULL}, {.points = NULL}};
    load_side(&w->sides[0], a, &sides[0]);
    load_side(&w->sides[1], b, &sides[1]);
    if (grazei_patches_may_count(w->question, &sides[0].patch, &sides[1].patch) &&
        !grazei_is_repeated(&w->points[0], &sides[0].patch) &&
        !grazei_is_repeated(&w->points[1], &sides[1].patch))
        compare_far(w->question, &w->frame, sides, seen, w->stats);
    w->far_most = grazei_far_most(w->question);
}

/* Patches of one side, of a group or a part of it. */
typedef struct far_chunk {
    uint32_t first, count;
    grazei_far_box all, boxes[FAR_CHUNK];
} far_chunk;

static void see_chunk(const walk *w, const grazei_far_groups *groups, int side, uint32_t first,
                      uint32_t end, far_chunk *chunk)
{
    chunk->first = first;
    chunk->count = end - first < FAR_CHUNK ? end - first : FAR_CHUNK;
    chunk->all = grazei_far_none(side);
    for (uint32_t i = 0; i < chunk->count; i++) {
        chunk->boxes[i] = grazei_far_patch_box(groups, &w->frame, &w->sides[side], side, first + i);
        grazei_far_add_box(side, &chunk->boxes[i], &chunk->all);
    }
}

static inline bool is_too_far(const walk *w, const grazei_far_box *a, const grazei_far_box *b)
{
    w->stats->bound_tests++;
    return grazei_far_square(&w->frame, a, b) > w->far_most;
}

/* A few patches of the first side against a group of the second. */
static void compare_chunk(walk *w, const grazei_far_groups *groups, const far_chunk *a,
                          uint32_t group)
{
    const grazei_tree *tree = grazei_body_tree(w->sides[1].body);
    uint32_t end = grazei_far_first(tree, group + 1);
    far_chunk b;
    for (uint32_t next = grazei_far_first(tree, group); next < end; next += FAR_CHUNK) {
        see_chunk(w, groups, 1, next, end, &b);
        for (uint32_t i = 0; i < a->count; i++) {
            if (is_too_far(w, &a->boxes[i], &b.all))
                continue;
            for (uint32_t k = 0; k < b.count; k++)
                if (!is_too_far(w, &a->boxes[i], &b.boxes[k]))
                    compare_far_patches(w, a->first + i, b.first + k, &a->boxes[i], &b.boxes[k]);
        }
    }
}

/* Compares all pairs of patches that may count: nothing is left to do. */
static __attribute__((noinline)) void compare_all_far(walk *w)
{
    grazei_far_groups groups;
    uint32_t patches[2];
    far_chunk chunk;
    const grazei_tree *tree = grazei_body_tree(w->sides[0].body);
    uint32_t count = tree->patch_count;
    grazei_far_level(&w->frame, &w->sides[0], w->stats);
    grazei_far_make_groups(&groups, &w->frame, w->sides, w->stats);
    w->far_most = grazei_far_most(w->question);
    if (grazei_far_choose(&groups, &w->frame, w->sides, patches)) {
        grazei_far_box boxes[2];
        for (int i = 0; i < 2; i++)
            boxes[i] = grazei_far_patch_box(&groups, &w->frame, &w->sides[i], i, patches[i]);
        compare_far_patches(w, patches[0], patches[1], &boxes[0], &boxes[1]);
    }
    for (uint32_t first = 0; first < count; first += FAR_CHUNK) {
        see_chunk(w, &groups, 0, first, count, &chunk);
        for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS; g++)
            if (!is_too_far(w, &chunk.all, &groups.boxes[1][g]))
                compare_chunk(w, &groups, &chunk, g);
    }
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
