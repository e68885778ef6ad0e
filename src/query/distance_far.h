/* Bodies that are far apart beside their size: what is near enough, told in double.
 *
 * Floats tell distances apart to a millionth. Of two surfaces that face each other a thousand sizes
 * apart every pair of triangles is as near as any other then, and what decides is how their
 * vertices were rounded. From so far all ways from one body to the other run in about one
 * direction, so one frame along the shortest way that is known serves for everything: boxes in it,
 * in double, part what floats cannot. Once a walk has become long, all patches are seen that way,
 * in groups, and all pairs of them that are not parted are compared; trees are of no more use.
 *
 * Rounding is that of query/distance_frame.h. Squares are compared instead of lengths: (1 + 2^-45)
 * (1 - 2^-46) is 128 u above 1, and what is computed with it is off by less than 16 u.
 */
#ifndef GRAZEI_QUERY_DISTANCE_FAR_H
#define GRAZEI_QUERY_DISTANCE_FAR_H

#include "query/distance_frame.h"
#include "query/distance_patches.h"

/* Bodies so many times their size apart count as far apart. */
#define GRAZEI_FAR_TIMES 256

/* A body is flat if it is less than about a thousandth as thick as wide. */
#define GRAZEI_FAR_FLAT 1e-6

/* What can be seen of something from the other body: how far it reaches towards that one along the
 * way from the first body to the second, and where it is across.
 */
typedef struct grazei_far_box {
    double toward, behind; /* and how far back */
    double low[2], high[2];
} grazei_far_box;

enum { GRAZEI_FAR_GROUPS = 48 };

/* Patches by their numbers, which go with the tree, in groups. */
typedef struct grazei_far_groups {
    grazei_far_box boxes[2][GRAZEI_FAR_GROUPS];
    grazei_far_box
        *patches[2]; /* of all of them, in memory that the body lends; NULL: there is none */
} grazei_far_groups;

static inline double grazei_least_of(double a, double b)
{
    return a < b ? a : b;
}

static inline double grazei_most_of(double a, double b)
{
    return a > b ? a : b;
}

/* What is seen of a box of either side. */
static inline grazei_far_box grazei_far_see(int side, const grazei_frame_box *box)
{
    return (grazei_far_box){side ? box->low[0] : box->high[0],
                            side ? box->high[0] : box->low[0],
                            {box->low[1], box->low[2]},
                            {box->high[1], box->high[2]}};
}

static inline grazei_far_box grazei_far_none(int side)
{
    grazei_frame_box none;
    grazei_frame_box_none(&none);
    return grazei_far_see(side, &none);
}

static inline void grazei_far_add_box(int side, const grazei_far_box *from, grazei_far_box *box)
{
    bool nearer = side ? from->toward < box->toward : from->toward > box->toward;
    bool farther = side ? from->behind > box->behind : from->behind < box->behind;
    box->toward = nearer ? from->toward : box->toward;
    box->behind = farther ? from->behind : box->behind;
    for (int k = 0; k < 2; k++) {
        box->low[k] = grazei_least_of(box->low[k], from->low[k]);
        box->high[k] = grazei_most_of(box->high[k], from->high[k]);
    }
}

/* The square of how far apart they are at least. */
static inline double grazei_far_square(const grazei_frame *frame, const grazei_far_box *a,
                                       const grazei_far_box *b)
{
    double gaps[3] = {b->toward - a->toward, 0, 0};
    for (int k = 0; k < 2; k++)
        gaps[k + 1] = grazei_most_of(b->low[k] - a->high[k], a->low[k] - b->high[k]);
    for (int k = 0; k < 3; k++)
        gaps[k] = grazei_most_of(gaps[k] - frame->margin, 0);
    return grazei_dot(gaps, gaps);
}

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

static inline grazei_far_box grazei_far_box_of(const grazei_frame *frame, int side,
                                               const grazei_posed_patch *patch)
{
    grazei_frame_box box;
    grazei_frame_box_none(&box);
    grazei_frame_add_points(frame, patch, &box);
    return grazei_far_see(side, &box);
}

/* A patch of all that are posed. */
static inline grazei_far_box grazei_far_patch_box(const grazei_far_groups *groups,
                                                  const grazei_frame *frame,
                                                  const grazei_view *view, int side, uint32_t p)
{
    if (groups->patches[side])
        return groups->patches[side][p];
    grazei_posed_patch patch = grazei_posed_patch_of(view->body, p);
    return grazei_far_box_of(frame, side, &patch);
}

/* Poses everything. Where no triangles meet, sets of them are not in use. */
static inline void grazei_far_make_groups(grazei_far_groups *groups, const grazei_frame *frame,
                                          const grazei_view views[2], graze_stats *stats)
{
    for (int side = 0; side < 2; side++) {
        const grazei_tree *tree = grazei_body_tree(views[side].body);
        size_t bytes;
        grazei_far_box *boxes = grazei_body_lend(views[side].body, &bytes);
        if (bytes / sizeof *boxes < tree->patch_count)
            boxes = NULL;
        groups->patches[side] = boxes;
        for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS; g++) {
            grazei_far_box all = grazei_far_none(side);
            for (uint32_t p = grazei_far_first(tree, g); p < grazei_far_first(tree, g + 1); p++) {
                grazei_posed_patch patch = grazei_body_patch(views[side].body, p, stats);
                grazei_far_box box = grazei_far_box_of(frame, side, &patch);
                grazei_far_add_box(side, &box, &all);
                if (boxes)
                    boxes[p] = box;
            }
            groups->boxes[side][g] = all;
        }
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
            double square = grazei_far_square(frame, &groups->boxes[0][i], &groups->boxes[1][k]);
            if (square < least) {
                least = square;
                nearest[0] = i;
                nearest[1] = k;
            }
        }
    return least;
}

static inline double grazei_far_square_to(const grazei_frame *frame, int side,
                                          const grazei_far_box *box, const grazei_far_box *to)
{
    return side ? grazei_far_square(frame, to, box) : grazei_far_square(frame, box, to);
}

/* The patch of a side that is nearest to a box of the other one; UINT32_MAX: there is none. */
static inline uint32_t grazei_far_nearest_patch(const grazei_far_groups *groups,
                                                const grazei_frame *frame, const grazei_view *view,
                                                int side, const grazei_far_box *to)
{
    const grazei_tree *tree = grazei_body_tree(view->body);
    double least = INFINITY;
    uint32_t nearest = UINT32_MAX;
    for (uint32_t g = 0; g < GRAZEI_FAR_GROUPS; g++) {
        if (grazei_far_square_to(frame, side, &groups->boxes[side][g], to) >= least)
            continue;
        for (uint32_t p = grazei_far_first(tree, g); p < grazei_far_first(tree, g + 1); p++) {
            grazei_far_box box = grazei_far_patch_box(groups, frame, view, side, p);
            double square = grazei_far_square_to(frame, side, &box, to);
            nearest = square < least ? p : nearest;
            least = square < least ? square : least;
        }
    }
    return nearest;
}

/* The point of a patch of the second side that reaches farthest. */
static inline grazei_far_box grazei_far_tip(const grazei_frame *frame,
                                            const grazei_posed_patch *patch)
{
    grazei_frame_box tip;
    grazei_frame_box_none(&tip);
    for (uint32_t i = 0; i < patch->point_count; i++) {
        grazei_d4 place;
        grazei_frame_place(frame, patch->points[i], &place);
        if (place[0] < tip.low[0])
            tip.low = tip.high = place;
    }
    return grazei_far_see(1, &tip);
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
    grazei_far_box tip = grazei_far_tip(frame, &patch);
    patches[0] = grazei_far_nearest_patch(groups, frame, &views[0], 0, &tip);
    return patches[0] != UINT32_MAX;
}

/* ---- the direction -------------------------------------------------------------------------- */

/* Turns the frame across the plane that fits all points of a body best, by least squares, if it is
 * as good as flat: two points near each other tell the direction of a flat surface no better than
 * its roughness lets them.
 */
static inline void grazei_far_level(grazei_frame *frame, const grazei_view *view,
                                    graze_stats *stats)
{
    const grazei_tree *tree = grazei_body_tree(view->body);
    grazei_d4 sum = {0, 0, 0, 0}, first = sum, with[3] = {sum, sum, sum};
    double count = 0, along[3];
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        grazei_posed_patch patch = grazei_body_patch(view->body, p, stats);
        if (!(count > 0) && patch.point_count)
            grazei_frame_place(frame, patch.points[0], &first);
        for (uint32_t i = 0; i < patch.point_count; i++) {
            grazei_d4 place;
            grazei_frame_place(frame, patch.points[i], &place);
            place -= first;
            sum += place;
            for (int k = 0; k < 3; k++)
                with[k] += place * place[k];
        }
        count += patch.point_count;
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
    grazei_far_box boxes[GRAZEI_SET_TRIANGLES];
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

/* Goes through the triangles of one side that are not too far from a box of the other one, nor
 * behind what is as near: `least` is the smallest number of a triangle of the first side.
 */
typedef struct far_search {
    const grazei_distance_question *question;
    const grazei_frame *frame;
    const patch_side *sides;
    int which;
    const grazei_far_box *to;
    uint32_t least, only; /* that stands for all of a patch that is a point; UINT32_MAX: none */
    uint32_t next;
    double along[GRAZEI_MAX_POINTS]; /* of the points */
} far_search;

static inline void start_far(far_search *search, const grazei_distance_question *question,
                             const grazei_frame *frame, const patch_side sides[2], int which,
                             const grazei_far_box *to, uint32_t least)
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
    for (uint32_t i = 0; i < patch->point_count; i++) {
        grazei_d4 place;
        grazei_frame_place(frame, patch->points[i], &place);
        search->along[i] = place[0];
    }
}

/* The gap along the way between a triangle and the box. */
static inline double far_gap(const far_search *search, const uint8_t corner[4])
{
    double x = search->along[corner[0]], y = search->along[corner[1]];
    double z = search->along[corner[2]], toward = search->to->toward;
    return search->which ? grazei_least_of(grazei_least_of(x, y), z) - toward
                         : toward - grazei_most_of(grazei_most_of(x, y), z);
}

/* The next one, and its box; false: there are no more. */
static inline bool next_far(far_search *search, uint8_t *number, grazei_far_box *box)
{
    const grazei_posed_patch *patch = &search->sides[search->which].patch;
    double most = grazei_far_most(search->question);
    double gap = sqrt(most) * (1 + 0x1p-50) + search->frame->margin;
    while (search->next < patch->triangle_count) {
        uint32_t t = search->next++;
        const uint8_t *corner = patch->corners[t];
        if ((search->only != UINT32_MAX && t != search->only) || far_gap(search, corner) > gap)
            continue;
        grazei_frame_box around;
        grazei_frame_box_none(&around);
        for (int c = 0; c < 3; c++) {
            grazei_d4 place;
            grazei_frame_place(search->frame, patch->points[corner[c]], &place);
            grazei_frame_add(&place, &place, &around);
        }
        *box = grazei_far_see(search->which, &around);
        *number = (uint8_t)t;
        if (grazei_far_square_to(search->frame, search->which, box, search->to) <= most &&
            far_triangle_counts(search->question, search->sides, search->which, t, search->least))
            return true;
    }
    return false;
}

/* All of them; the box around them is returned. */
static __attribute__((noinline)) grazei_far_box list_far(const grazei_distance_question *question,
                                                         const grazei_frame *frame,
                                                         const patch_side sides[2], int which,
                                                         const grazei_far_box *to, uint32_t least,
                                                         far_set *set)
{
    far_search search;
    grazei_far_box box, all = grazei_far_none(which);
    uint8_t number;
    start_far(&search, question, frame, sides, which, to, least);
    for (set->count = 0; next_far(&search, &number, &box);) {
        grazei_far_add_box(which, &box, &all);
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
                            const grazei_far_box *box, const far_set *set, far_pairs *waiting,
                            graze_stats *stats)
{
    double most = grazei_far_most(question);
    for (uint32_t i = 0; i < set->count; i++) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        uint16_t pair =
            which ? grazei_pair(set->numbers[i], number) : grazei_pair(number, set->numbers[i]);
        if (grazei_far_square_to(frame, which, box, &set->boxes[i]) > most)
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

/* Two posed patches of bodies that are far apart. First the triangles of the one that is rougher,
 * of which fewer are near.
 */
static __attribute__((noinline)) void compare_far(grazei_distance_question *question,
                                                  const grazei_frame *frame,
                                                  const patch_side sides[2],
                                                  const grazei_far_box seen[2], graze_stats *stats)
{
    far_set set;
    far_search search;
    far_pairs waiting;
    grazei_far_box box;
    uint8_t number;
    uint32_t least = grazei_least_name(&sides[0].patch);
    int first = seen[1].behind - seen[1].toward > seen[0].toward - seen[0].behind;
    if (grazei_far_square(frame, &seen[0], &seen[1]) > grazei_far_most(question))
        return;
    grazei_far_box kept = list_far(question, frame, sides, first, &seen[!first], least, &set);
    if (set.count == 0)
        return;
    if (first == 0)
        least = least_of_set(&sides[0], &set);
    start_far(&search, question, frame, sides, !first, &kept, least);
    waiting.count = 0;
    while (next_far(&search, &number, &box))
        pair_far(question, frame, sides, !first, number, &box, &set, &waiting, stats);
    flush_far(question, sides, &waiting, stats);
}

#endif
