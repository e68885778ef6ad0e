/* Bodies that are far apart beside their size: what is near enough, told in double.
 *
 * Floats tell distances apart to a millionth. Of two surfaces that face each other a thousand sizes
 * apart every pair of triangles is as near as any other then, and what decides is how their
 * vertices were rounded. From so far all ways from one body to the other run in about one
 * direction, so one frame along the shortest way that is known serves for everything: boxes in it,
 * in double, part what floats cannot. Once a walk has become long, all patches are seen that way,
 * in groups, and all pairs of them that are not parted are compared; trees are of no more use.
 *
 * Rounding is that of distance/frame_chapter.h. Squares are compared instead of lengths: (1 +
 * 2^-45) (1 - 2^-46) is 128 u above 1, and what is computed with it is off by less than 16 u.
 */
#ifndef GRAZEI_DISTANCE_FAR_CHAPTER_H
#define GRAZEI_DISTANCE_FAR_CHAPTER_H

#include "distance/frame_chapter.h"
#include "distance/patches_chapter.h"

/* Bodies so many times their size apart count as far apart. */
#define GRAZEI_FAR_TIMES 256

/* A body is flat if it is less than about a thousandth as thick as wide. */
#define GRAZEI_FAR_FLAT 1e-6

enum { GRAZEI_FAR_GROUPS = 40 };

/* Patches by their numbers, which go with the tree, in groups. */
typedef struct grazei_far_groups {
    grazei_bound around[2]; /* all of them, as they are */
    grazei_frame_box all[2], boxes[2][GRAZEI_FAR_GROUPS];
    grazei_frame_box
        *patches[2]; /* of all of them, in memory that the body lends; NULL: there is none */
} grazei_far_groups;

/* The most that such a square can be of what may count. */
static inline double grazei_far_most(const grazei_distance_question *question)
{
    double most = (sqrt(question->square) + question->slack) * (1 + 0x1p-45);
    return most * most;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* The first patch of a group; of the one behind the last: how many there are. */
static inline uint32_t grazei_far_first(const grazei_tree *tree, uint32_t group)
{
    return (uint32_t)((uint64_t)group * tree->patch_count / GRAZEI_FAR_GROUPS);
}

static inline grazei_frame_box grazei_far_box_of(const grazei_frame *frame,
                                                 const grazei_posed_patch *patch)
{
    grazei_frame_box box;
    grazei_frame_box_none(&box);
    grazei_frame_add_points(frame, patch, &box);
    return box;
}

/* A patch of all that are posed. */
static inline grazei_frame_box grazei_far_patch_box(const grazei_far_groups *groups,
                                                    const grazei_frame *frame,
                                                    const grazei_view *view, int side, uint32_t p)
{
    if (groups->patches[side])
        return groups->patches[side][p];
    grazei_posed_patch patch = grazei_posed_patch_of(view->body, p);
    return grazei_far_box_of(frame, &patch);
}

/* Poses everything. Where no triangles meet, sets of them are not in use. */
static inline void grazei_far_make_groups(grazei_far_groups *groups, const grazei_frame *frame,
                                          const grazei_view views[2], graze_stats *stats)
{
    for (int side = 0; side < 2; side++) {
        const grazei_tree *tree = grazei_body_tree(views[side].body);
        size_t bytes;
        char *lent = grazei_body_lend(views[side].body, &bytes);
        size_t skipped = -(uintptr_t)lent % sizeof(double4);
        grazei_frame_box *boxes = NULL;
        if (lent && bytes >= skipped + tree->patch_count * sizeof *boxes)
            boxes = (grazei_frame_box *)(lent + skipped);
        groups->patches[side] = boxes;
        grazei_frame_box_none(&groups->all[side]);
        f4 first = f4_all(-INFINITY), second = first;
        for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS; g++) {
            grazei_frame_box all;
            grazei_frame_box_none(&all);
            for (uint32_t p = grazei_far_first(tree, g); p < grazei_far_first(tree, g + 1); p++) {
                grazei_posed_patch patch = grazei_body_patch(views[side].body, p, stats);
                grazei_frame_box box = grazei_far_box_of(frame, &patch);
                grazei_frame_add(&box.low, &box.high, &all);
                first = f4_max(first, grazei_bound_first(grazei_patch_box(&patch)));
                second = f4_max(second, grazei_bound_second(grazei_patch_box(&patch)));
                if (boxes)
                    boxes[p] = box;
            }
            groups->boxes[side][g] = all;
            grazei_frame_add(&all.low, &all.high, &groups->all[side]);
        }
        f4_store(groups->around[side].low_negated, first);
        f4_store(groups->around[side].high, second);
    }
}

/* The two groups that are nearest, and the square of how far apart they are at least. */
static inline double grazei_far_nearest_groups(const grazei_far_groups *groups,
                                               const grazei_frame *frame, uint32_t nearest[2])
{
    double least = INFINITY;
    nearest[0] = nearest[1] = 0;
    for (uint32_t i = 0; i < GRAZEI_FAR_GROUPS; i++)
        for (uint32_t k = 0; k < GRAZEI_FAR_GROUPS; k++) {
            double square = grazei_frame_square(frame, &groups->boxes[0][i], &groups->boxes[1][k]);
            if (square < least) {
                least = square;
                nearest[0] = i;
                nearest[1] = k;
            }
        }
    return least;
}

/* The patch of a side that is nearest to a box of the other one; UINT32_MAX: there is none. */
static inline uint32_t grazei_far_nearest_patch(const grazei_far_groups *groups,
                                                const grazei_frame *frame, const grazei_view *view,
                                                int side, const grazei_frame_box *to)
{
    const grazei_tree *tree = grazei_body_tree(view->body);
    double least = INFINITY;
    uint32_t nearest = UINT32_MAX;
    for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS; g++) {
        if (grazei_frame_square(frame, &groups->boxes[side][g], to) >= least)
            continue;
        for (uint32_t p = grazei_far_first(tree, g); p < grazei_far_first(tree, g + 1); p++) {
            grazei_frame_box box = grazei_far_patch_box(groups, frame, view, side, p);
            double square = grazei_frame_square(frame, &box, to);
            nearest = square < least ? p : nearest;
            least = square < least ? square : least;
        }
    }
    return nearest;
}

/* The point of a patch of the second side that reaches farthest. */
static inline grazei_frame_box grazei_far_tip(const grazei_frame *frame,
                                              const grazei_posed_patch *patch)
{
    grazei_frame_box tip;
    grazei_frame_box_none(&tip);
    for (uint32_t i = 0; i < patch->point_count; i++) {
        double4 place;
        grazei_frame_place(frame, patch->points[i], &place);
        if (place[0] < tip.low[0])
            tip.low = tip.high = place;
    }
    return tip;
}

/* Two patches that are about as near as any: the one of the second side that is nearest to one of
 * the two nearest groups, and what is opposite to its tip. False: there are none.
 */
static inline bool grazei_far_choose(const grazei_far_groups *groups, const grazei_frame *frame,
                                     const grazei_view views[2], uint32_t patches[2])
{
    uint32_t nearest[2];
    grazei_far_nearest_groups(groups, frame, nearest);
    patches[1] =
        grazei_far_nearest_patch(groups, frame, &views[1], 1, &groups->boxes[0][nearest[0]]);
    if (patches[1] == UINT32_MAX)
        return false;
    grazei_posed_patch patch = grazei_posed_patch_of(views[1].body, patches[1]);
    grazei_frame_box tip = grazei_far_tip(frame, &patch);
    patches[0] = grazei_far_nearest_patch(groups, frame, &views[0], 0, &tip);
    return patches[0] != UINT32_MAX;
}

/* ---- the direction -------------------------------------------------------------------------- */

/* Turns the frame across the plane that fits the points of a body best, by least squares, if it is
 * as good as flat: two points near each other tell the direction of a flat surface no better than
 * its roughness lets them.
 */
static inline void grazei_far_level(grazei_frame *frame, const grazei_view *view,
                                    graze_stats *stats)
{
    const grazei_tree *tree = grazei_body_tree(view->body);
    double4 sum = {0, 0, 0, 0}, first = sum, with[3] = {sum, sum, sum};
    double count = 0, along[3];
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        grazei_posed_patch patch = grazei_body_patch(view->body, p, stats);
        if (!(count > 0) && patch.point_count)
            grazei_frame_place(frame, patch.points[0], &first);
        for (uint32_t i = 0; i < patch.point_count; i += 4, count++) {
            double4 place;
            grazei_frame_place(frame, patch.points[i], &place);
            place -= first;
            sum += place;
            for (int k = 0; k < 3; k++)
                with[k] += place * place[k];
        }
    }
    for (int k = 0; k < 3; k++)
        with[k] -= sum * (sum[k] / count);
    double uu = with[1][1], uv = with[1][2], vv = with[2][2], determinant = uu * vv - uv * uv;
    if (!(determinant > 1e-6 * uu * vv) || with[0][0] > GRAZEI_FAR_FLAT * (uu + vv))
        return;
    double slopes[2] = {(with[0][1] * vv - with[0][2] * uv) / determinant,
                        (with[0][2] * uu - with[0][1] * uv) / determinant};
    for (int k = 0; k < 3; k++)
        along[k] = frame->columns[k][0] - slopes[0] * frame->columns[k][1] -
                   slopes[1] * frame->columns[k][2];
    grazei_frame_turn(frame, along);
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* The triangles of one side that may count. */
typedef struct far_set {
    uint32_t count;
    uint8_t numbers[GRAZEI_SET_TRIANGLES];
    grazei_frame_box boxes[GRAZEI_SET_TRIANGLES];
} far_set;

static inline bool far_triangle_counts(const grazei_distance_question *question,
                                       const patch_side sides[2], int which, uint32_t t,
                                       uint32_t least)
{
    const grazei_posed_patch *patch = &sides[which].patch;
    float corners[3][4] __attribute__((aligned(16)));
    grazei_bound bound;
    grazei_patch_triangle(patch, t, corners);
    find_box((const float(*)[4])corners, &bound);
    return grazei_may_count(question, grazei_bound_square(&bound, sides[!which].box),
                            which ? least : patch->names[t], which ? patch->names[t] : 0);
}

/* Of patches with more points than that places are found again and again: the stack is small. */
enum { FAR_PLACES = 64 };

/* Goes through the triangles of one side that are not too far from a box of the other one, nor
 * behind what is as near: `least` is the smallest number of a triangle of the first side.
 */
typedef struct far_search {
    const grazei_distance_question *question;
    const grazei_frame *frame;
    const patch_side *sides;
    int which;
    const grazei_frame_box *to;
    uint32_t least, only; /* that stands for all of a patch that is a point; UINT32_MAX: none */
    uint32_t next;
    bool placed;                /* places are there */
    double4 places[FAR_PLACES]; /* of the points */
} far_search;

static inline void start_far(far_search *search, const grazei_distance_question *question,
                             const grazei_frame *frame, const patch_side sides[2], int which,
                             const grazei_frame_box *to, uint32_t least)
{
    const grazei_posed_patch *patch = &sides[which].patch;
    search->question = question;
    search->frame = frame;
    search->sides = sides;
    search->which = which;
    search->to = to;
    search->least = least;
    search->only = grazei_is_point(patch) ? grazei_find_least(patch) : UINT32_MAX;
    search->next = 0;
    search->placed = patch->point_count <= FAR_PLACES;
    for (uint32_t i = 0; search->placed && i < patch->point_count; i++)
        grazei_frame_place(frame, patch->points[i], &search->places[i]);
}

static inline void add_place(const far_search *search, uint8_t point, grazei_frame_box *box)
{
    double4 place;
    if (search->placed)
        place = search->places[point];
    else
        grazei_frame_place(search->frame, search->sides[search->which].patch.points[point], &place);
    grazei_frame_add(&place, &place, box);
}

/* The next one, and its box; false: there are no more. */
static inline bool next_far(far_search *search, uint8_t *number, grazei_frame_box *box)
{
    const grazei_posed_patch *patch = &search->sides[search->which].patch;
    double most = grazei_far_most(search->question);
    while (search->next < patch->triangle_count) {
        uint32_t t = search->next++;
        const uint8_t *corner = patch->corners[t];
        if (search->only != UINT32_MAX && t != search->only)
            continue;
        grazei_frame_box_none(box);
        for (int c = 0; c < 3; c++)
            add_place(search, corner[c], box);
        *number = (uint8_t)t;
        if (grazei_frame_square(search->frame, box, search->to) <= most &&
            far_triangle_counts(search->question, search->sides, search->which, t, search->least))
            return true;
    }
    return false;
}

/* All of them; the box around them is returned. */
static __attribute__((noinline)) grazei_frame_box list_far(const grazei_distance_question *question,
                                                           const grazei_frame *frame,
                                                           const patch_side sides[2], int which,
                                                           const grazei_frame_box *to,
                                                           uint32_t least, far_set *set)
{
    far_search search;
    grazei_frame_box box, all;
    uint8_t number;
    start_far(&search, question, frame, sides, which, to, least);
    grazei_frame_box_none(&all);
    for (set->count = 0; next_far(&search, &number, &box);) {
        grazei_frame_add(&box.low, &box.high, &all);
        set->boxes[set->count] = box;
        set->numbers[set->count++] = number;
    }
    return all;
}

static inline uint32_t least_of_set(const patch_side *side, const far_set *set)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < set->count; i++) {
        uint32_t name = side->patch.names[set->numbers[i]];
        least = name < least ? name : least;
    }
    return least;
}

/* Pairs that are waiting, up to a block of them. */
typedef struct far_pairs {
    size_t count;
    uint16_t pairs[DISTANCE_BLOCK];
} far_pairs;

static inline void flush_far(grazei_distance_question *question, const patch_side sides[2],
                             far_pairs *waiting, graze_stats *stats)
{
    static const meeting none; /* far apart, nothing meets */
    stats->triangle_tests += waiting->count;
    take_pairs(question, sides, waiting->pairs, waiting->count, &none);
    waiting->count = 0;
}

/* A triangle of one side and those of the other that are listed. */
static inline void pair_far(grazei_distance_question *question, const grazei_frame *frame,
                            const patch_side sides[2], int which, uint8_t number,
                            const grazei_frame_box *box, const far_set *set, far_pairs *waiting,
                            graze_stats *stats)
{
    double most = grazei_far_most(question);
    for (uint32_t i = 0; i < set->count; i++) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        uint16_t pair =
            which ? grazei_pair(set->numbers[i], number) : grazei_pair(number, set->numbers[i]);
        if (grazei_frame_square(frame, box, &set->boxes[i]) > most)
            continue;
        load_pair(sides, pair, a, b);
        if (!pair_may_count(question, sides, pair, (const float(*)[4])a, (const float(*)[4])b))
            continue;
        waiting->pairs[waiting->count++] = pair;
        if (waiting->count == DISTANCE_BLOCK) {
            flush_far(question, sides, waiting, stats);
            most = grazei_far_most(question);
        }
    }
}

/* Triangles of one side that are listed, around which is the box `kept`, and a patch of the other.
 */
static __attribute__((noinline)) void
compare_listed(grazei_distance_question *question, const grazei_frame *frame,
               const patch_side sides[2], int listed, const far_set *set,
               const grazei_frame_box *kept, graze_stats *stats)
{
    far_search search;
    far_pairs waiting;
    grazei_frame_box box;
    uint8_t number;
    uint32_t least = listed ? 0 : least_of_set(&sides[0], set);
    start_far(&search, question, frame, sides, !listed, kept, least);
    waiting.count = 0;
    while (next_far(&search, &number, &box))
        pair_far(question, frame, sides, !listed, number, &box, set, &waiting, stats);
    flush_far(question, sides, &waiting, stats);
}

/* Which side is rougher, of which fewer triangles are near. */
static inline int find_rougher(const grazei_frame_box seen[2])
{
    return seen[1].high[0] - seen[1].low[0] > seen[0].high[0] - seen[0].low[0];
}

/* Two posed patches of bodies that are far apart. */
static __attribute__((noinline)) void
compare_far(grazei_distance_question *question, const grazei_frame *frame,
            const patch_side sides[2], const grazei_frame_box seen[2], graze_stats *stats)
{
    far_set set;
    int first = find_rougher(seen);
    if (grazei_frame_square(frame, &seen[0], &seen[1]) > grazei_far_most(question))
        return;
    grazei_frame_box kept = list_far(question, frame, sides, first, &seen[!first],
                                     grazei_least_name(&sides[0].patch), &set);
    if (set.count)
        compare_listed(question, frame, sides, first, &set, &kept, stats);
}

#endif
