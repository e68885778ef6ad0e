/* The triangles of two moving patches. Included by sweep_kernels.c only. */
#ifndef GRAZEI_SWEEP_PATCHES_CHAPTER_H
#define GRAZEI_SWEEP_PATCHES_CHAPTER_H

#include "mesh/weld.h"
#include "narrow/interval_kernels.h"
#include "narrow/moving_kernels.h"
#include "narrow/moving_patch_kernels.h"
#include "query/neighbours.h"
#include "query/set_pairs.h"
#include "query/walk.h"
#include "sweep/bounds_chapter.h"
#include "sweep/sweep.h"

/* Patches of which so many triangles are near each other are first looked at as a whole; so many
 * pairs whose boxes overlap are looked at between two times.
 */
#define MANY_NEAR 2048
#define MANY_PAIRS 512
#define MAX_SORTED 32 /* pairs that come in order of their times; the others as they are */
#define NARROWINGS 3  /* at most, of the time between which patches may meet */

typedef struct sweep_walk {
    grazei_sweep_question *question;
    walk ends[2]; /* the start and the end of both motions */
    volumes kind;
    graze_stats *stats;
    grazei_agenda *agenda;
    grazei_fold_motion folds; /* of a body with itself; NULL: there is no table */
} sweep_walk;

/* Triangles that meet at the start were found, so that nothing else counts: ends do not matter. */
static inline bool start_only(const sweep_walk *w)
{
    return w->question->best.initial;
}

static inline const grazei_view *view_at(sweep_walk *w, int side, int end)
{
    return &w->ends[end].sides[side];
}

/* ---- triangles ---------------------------------------------------------------------------- */

/* Two patches at both ends of their motions. */
typedef struct patch_pair {
    grazei_posed_patch patches[2][2]; /* by side and end; the end may be missing */
    grazei_moving_set sets[2];
    const grazei_neighbours *neighbours; /* left out; NULL: none are */
    double apart_until;                  /* at least */
} patch_pair;

/* Triangles of each set that reach into the box of the other patch. */
typedef struct near_numbers {
    const grazei_triangle_set *a, *b;
    size_t count_a, count_b;
    uint16_t of_a[GRAZEI_SET_NUMBERS], of_b[GRAZEI_SET_NUMBERS];
} near_numbers;

static bool find_near(near_numbers *near, const grazei_triangle_set *a,
                      const grazei_triangle_set *b, const grazei_bound *box_a,
                      const grazei_bound *box_b)
{
    near->a = a;
    near->b = b;
    near->count_a = grazei_set_within(a, box_b, near->of_a);
    near->count_b = near->count_a ? grazei_set_within(b, box_a, near->of_b) : 0;
    return near->count_b > 0;
}

static bool is_many(const near_numbers *near)
{
    return near->count_a * near->count_b >= MANY_NEAR;
}

/* The pairs of them whose boxes overlap, of some from *first on. Where those of two patches are
 * more than `most`, neighbours are among them.
 */
static size_t find_pairs(const patch_pair *p, const near_numbers *near, size_t *first, size_t most,
                         uint16_t pairs[GRAZEI_CHUNK_PAIRS])
{
    size_t rows = grazei_chunk(near->count_a - *first, near->count_b);
    size_t count = GRAZEI_ISA(triangle_kernels)
                       .box_pairs(near->a, near->of_a + *first, rows, near->b, near->of_b,
                                  near->count_b, pairs);
    if (p->neighbours && (count <= most || p->neighbours->same))
        count = grazei_drop_neighbours(p->neighbours, pairs, count);
    *first += rows;
    return count;
}

/* ---- patches as a whole --------------------------------------------------------------------- */

/* The longest side of the box around two patches, at the start and at the end. */
static float reach_of(const patch_pair *p)
{
    float reach = 0;
    for (int end = 0; end < 2; end++) {
        const grazei_bound *a = grazei_patch_box(&p->patches[0][end]);
        const grazei_bound *b = grazei_patch_box(&p->patches[1][end]);
        f4 sides = f4_max(grazei_bound_first(a), grazei_bound_first(b)) +
                   f4_max(grazei_bound_second(a), grazei_bound_second(b));
        reach = f1_max(reach, f4_max3(sides));
    }
    return reach;
}

/* A contact at this time comes too late: its time is rounded down. */
static double too_late(const sweep_walk *w)
{
    float latest = start_only(w) ? 0 : grazei_sweep_latest(w->question);
    return latest < 1 && !start_only(w) ? nextafterf(latest, 1) : latest;
}

/* Finds out until when two patches are apart, and moves them to about then and to when it is too
 * late. False: they are apart all that time.
 */
static bool narrow(const sweep_walk *w, patch_pair *p, grazei_moving_patches *moved)
{
    const grazei_moving_patch_kernels *kernels = &GRAZEI_ISA(moving_patch_kernels);
    const grazei_posed_patch *a = p->patches[0], *b = p->patches[1];
    float reach = reach_of(p), part = 1;
    double to = too_late(w);
    for (int i = 0; i < NARROWINGS && part >= 0.25f; i++) {
        kernels->move(a, b, reach, p->apart_until, to, moved);
        part = kernels->part(a, b, moved);
        if (part > 1)
            return false;
        p->apart_until = moved->from + (double)part * (to - moved->from);
    }
    return true;
}

/* Some triangles of a patch between two times. */
typedef struct moved_triangles {
    grazei_moving_set set;
    grazei_places places;
    float memory[2][GRAZEI_TRIANGLE_SET_FLOATS(GRAZEI_MOVED_TRIANGLES)]
        __attribute__((aligned(64)));
} moved_triangles;

static void load_moved(const patch_pair *p, const grazei_moving_patches *moved, int side,
                       const uint16_t *numbers, size_t left, moved_triangles *out)
{
    const grazei_posed_patch *patch = &p->patches[side][0];
    uint8_t corners[GRAZEI_MOVED_TRIANGLES + 16][4] = {{0}};
    size_t count = left < GRAZEI_MOVED_TRIANGLES ? left : GRAZEI_MOVED_TRIANGLES;
    grazei_triangle_set *sets[2] = {&out->set.start, &out->set.end};
    for (size_t i = 0; i < count; i++)
        memcpy(corners[i], patch->corners[numbers[i]], sizeof corners[i]);
    for (int i = 0; i < 2; i++) {
        *sets[i] = grazei_triangle_set_at(out->memory[i], (uint32_t)count);
        GRAZEI_ISA(triangle_kernels)
            .triangle_set(moved->points[side][i], (const uint8_t(*)[4])corners, sets[i]);
    }
}

static void load_places(const patch_pair *p, int side, const uint16_t *numbers,
                        moved_triangles *out)
{
    for (int end = 0; end < 2; end++)
        for (uint32_t i = 0; i < out->set.start.count; i++) {
            const grazei_posed_patch *patch = &p->patches[side][end];
            const uint8_t *corner = patch->corners[numbers[i]];
            f4 a = f4_load(patch->points[corner[0]]), b = f4_load(patch->points[corner[1]]);
            f4 c = f4_load(patch->points[corner[2]]), half = f4_all(0.5f);
            f4 low = f4_min(a, f4_min(b, c)), high = f4_max(a, f4_max(b, c));
            f4 middle = side ? low * half + high * half : a;
            float from = f4_max3(f4_max(high - middle, middle - low));
            f4_store(out->places.at[end][i], f4_set(middle[0], middle[1], middle[2], from));
        }
}

/* Leaves those triangles of one side that are not apart from all of the other. */
static size_t keep_near(const patch_pair *p, const grazei_moving_patches *moved, int side,
                        uint16_t *numbers, size_t count)
{
    moved_triangles some;
    size_t kept = 0;
    for (size_t i = 0; i < count; i += GRAZEI_MOVED_TRIANGLES) {
        load_moved(p, moved, side, numbers + i, count - i, &some);
        uint32_t bits = GRAZEI_ISA(moving_patch_kernels)
                            .keep_near(&some.set, &p->patches[!side][0], !side, moved);
        for (; bits; bits &= bits - 1)
            numbers[kept++] = numbers[i + (size_t)__builtin_ctz(bits)];
    }
    return kept;
}

/* Leaves what is near of either side between two times; false: nothing. */
static __attribute__((noinline)) bool
keep_near_both(const patch_pair *p, const grazei_moving_patches *moved, near_numbers *near)
{
    near->count_a = keep_near(p, moved, 0, near->of_a, near->count_a);
    if (near->count_a)
        near->count_b = keep_near(p, moved, 1, near->of_b, near->count_b);
    return near->count_a && near->count_b;
}

/* Whether patches as a whole are apart all the time that matters. */
static __attribute__((noinline)) bool are_apart(const sweep_walk *w, patch_pair *p)
{
    grazei_moving_patches moved;
    return !narrow(w, p, &moved);
}

/* Leaves what is near at the start; false: nothing. */
static __attribute__((noinline)) bool keep_near_at_start(const patch_pair *p, near_numbers *near)
{
    grazei_moving_patches moved;
    GRAZEI_ISA(moving_patch_kernels).move(p->patches[0], p->patches[1], reach_of(p), 0, 0, &moved);
    return GRAZEI_ISA(moving_patch_kernels).part(&p->patches[0][0], &p->patches[1][0], &moved) <=
               1 &&
           keep_near_both(p, &moved, near);
}

/* ---- at the start --------------------------------------------------------------------------- */

static uint32_t lowest_name(const grazei_view *view, uint32_t leaf)
{
    grazei_posed_patch patch = grazei_posed_patch_of(view->body, view->nodes[leaf].first);
    uint32_t lowest = patch.names[0];
    for (uint32_t i = 1; i < patch.triangle_count; i++)
        lowest = patch.names[i] < lowest ? patch.names[i] : lowest;
    return lowest;
}

/* Of pairs that meet at the start the one with the lowest numbers is wanted. Whether one of these
 * leaves' triangles may have lower ones than what was found.
 */
static bool names_are_low(sweep_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    uint32_t best = w->question->best.triangles[0];
    return lowest_name(view_at(w, 0, 0), leaf_a) <= best ||
           (w->question->self && lowest_name(view_at(w, 1, 0), leaf_b) <= best);
}

static graze_impact initial_impact(const sweep_walk *w, const patch_pair *p, uint16_t pair)
{
    uint32_t name_a = p->patches[0][0].names[grazei_pair_first(pair)];
    uint32_t name_b = p->patches[1][0].names[grazei_pair_second(pair)];
    bool swap = w->question->self && name_a > name_b;
    return (graze_impact){.found = true,
                          .initial = true,
                          .triangles = {swap ? name_b : name_a, swap ? name_a : name_b}};
}

/* Leaves out what would not be earlier than what was found. */
static size_t drop_later(const sweep_walk *w, const patch_pair *p, uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        graze_impact impact = initial_impact(w, p, pairs[i]);
        pairs[kept] = pairs[i];
        kept += graze_impact_is_earlier(&impact, &w->question->best);
    }
    return kept;
}

/* The pairs that may meet at the start, and are wanted if they do. */
static size_t find_at_start(const sweep_walk *w, const patch_pair *p, const near_numbers *near,
                            size_t *first, uint16_t pairs[GRAZEI_CHUNK_PAIRS])
{
    size_t count = find_pairs(p, near, first, SIZE_MAX, pairs);
    return start_only(w) ? drop_later(w, p, pairs, count) : count;
}

/* Triangles that meet at the start, exactly. */
static __attribute__((noinline)) void meet_at_start(sweep_walk *w, patch_pair *p)
{
    const grazei_triangle_set *a = &p->sets[0].start, *b = &p->sets[1].start;
    const grazei_bound *box_a = grazei_patch_box(&p->patches[0][0]);
    const grazei_bound *box_b = grazei_patch_box(&p->patches[1][0]);
    grazei_box_probe probe = grazei_probe_box(box_a);
    uint16_t pairs[GRAZEI_CHUNK_PAIRS];
    near_numbers near;
    size_t unsure = 0;
    bool kept = false;
    if (!grazei_boxes_overlap(&probe, box_b) || !find_near(&near, a, b, box_a, box_b))
        return;
    if (is_many(&near) && are_apart(w, p))
        p->apart_until = 2;
    if (p->apart_until > 0)
        return;
    for (size_t first = 0; first < near.count_a;) {
        size_t count = find_at_start(w, p, &near, &first, pairs);
        if (count >= MANY_PAIRS && !kept) {
            if (!keep_near_at_start(p, &near))
                return;
            kept = true;
            first = 0;
            continue;
        }
        w->stats->triangle_tests += count;
        count = GRAZEI_ISA(triangle_kernels).triangle_pairs(a, b, pairs, count, pairs, &unsure);
        for (size_t i = 0; i < count; i++) {
            graze_impact impact = initial_impact(w, p, pairs[i]);
            grazei_sweep_take(w->question, &impact);
        }
    }
}

/* ---- in motion ------------------------------------------------------------------------------ */

static void load_moving(const grazei_moving_set *set, uint32_t triangle,
                        grazei_moving_triangle *out)
{
    memcpy(out->corners[0], set->start.corners[triangle], sizeof out->corners[0]);
    memcpy(out->corners[1], set->end.corners[triangle], sizeof out->corners[1]);
}

static void meet_pair(sweep_walk *w, const patch_pair *p, uint16_t pair)
{
    uint32_t k = grazei_pair_first(pair), l = grazei_pair_second(pair);
    grazei_moving_triangle a, b;
    load_moving(&p->sets[0], k, &a);
    load_moving(&p->sets[1], l, &b);
    grazei_sweep_triangles(w->question, &a, p->patches[0][0].names[k], &b,
                           p->patches[1][0].names[l]);
}

/* Pairs as a heap, the one with the least time on top: lets the one at a place sink down. */
static void sink(uint16_t *pairs, float *times, size_t count, size_t at)
{
    uint16_t pair = pairs[at];
    float time = times[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && times[child + 1] < times[child];
        if (!(times[child] < time))
            break;
        pairs[at] = pairs[child];
        times[at] = times[child];
    }
    pairs[at] = pair;
    times[at] = time;
}

/* Pairs that may meet, from the times on. Where the earliest is wanted, those that may be it come
 * first and leave nothing to do for most others.
 */
static void meet_pairs(sweep_walk *w, const patch_pair *p, uint16_t *pairs, float *times,
                       size_t count)
{
    grazei_sweep_question *question = w->question;
    if (question->report) {
        for (size_t i = 0; i < count && !question->stopped; i++)
            meet_pair(w, p, pairs[i]);
        return;
    }
    for (size_t i = count / 2; i-- > 0;)
        sink(pairs, times, count, i);
    for (int i = 0; i < MAX_SORTED && count && times[0] <= grazei_sweep_latest(question); i++) {
        meet_pair(w, p, pairs[0]);
        count--;
        pairs[0] = pairs[count];
        times[0] = times[count];
        sink(pairs, times, count, 0);
    }
    for (size_t i = 0; i < count; i++)
        if (times[i] <= grazei_sweep_latest(question))
            meet_pair(w, p, pairs[i]);
}

/* What a patch sweeps, where it is at the end less a way. */
static grazei_bound swept_box(const grazei_posed_patch ends[2], f4 way)
{
    const grazei_bound *start = grazei_patch_box(&ends[0]), *end = grazei_patch_box(&ends[1]);
    grazei_bound box;
    f4_store(box.low_negated, f4_max(grazei_bound_first(start), grazei_bound_first(end) + way));
    f4_store(box.high, f4_max(grazei_bound_second(start), grazei_bound_second(end) - way));
    return box;
}

/* Two triangles by their numbers in the patches: no neighbours. */
static bool is_wanted(const patch_pair *p, uint32_t a, uint32_t b)
{
    const grazei_neighbours *n = p->neighbours;
    return !n || !grazei_share_a_weld(n->a.of[a], (n->same ? &n->a : &n->b)->of[b]);
}

/* The pairs of triangles that were moved whose boxes overlap. */
static size_t find_moved(const grazei_moving_patches *moved, const moved_triangles both[2],
                         uint16_t *pairs)
{
    static const float no_way[3] = {0, 0, 0};
    float pads[2][4];
    float boxes[2][6 * GRAZEI_MOVED_TRIANGLES];
    grazei_triangle_set swept[2];
    for (int i = 0; i < 8; i++)
        pads[i / 4][i % 4] = 0.5f * (moved->tolerance + moved->rounding[i / 4][i % 4]);
    for (int side = 0; side < 2; side++)
        swept[side] =
            GRAZEI_ISA(moving_kernels)
                .swept_boxes(&both[side].set, no_way, (const float(*)[4])pads, boxes[side]);
    return GRAZEI_ISA(triangle_kernels).box_pairs(&swept[0], NULL, 0, &swept[1], NULL, 0, pairs);
}

/* Within one patch, each pair once. */
static size_t keep_in_order(const uint16_t *const numbers[2], uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += numbers[0][grazei_pair_first(pairs[i])] < numbers[1][grazei_pair_second(pairs[i])];
    }
    return kept;
}

/* Pairs of triangles that were moved. `numbers` are those that they have in the patches. */
static __attribute__((noinline)) void meet_moved(sweep_walk *w, const patch_pair *p,
                                                 const grazei_moving_patches *moved,
                                                 const moved_triangles both[2],
                                                 const uint16_t *const numbers[2])
{
    enum { ROOM = GRAZEI_MOVED_TRIANGLES * GRAZEI_MOVED_TRIANGLES + 16 };
    uint16_t pairs[ROOM];
    float times[ROOM];
    const grazei_moving_set *const sets[2] = {&both[0].set, &both[1].set};
    const grazei_places *const places[2] = {&both[0].places, &both[1].places};
    size_t count = find_moved(moved, both, pairs), wanted = 0;
    if (p->neighbours && p->neighbours->same)
        count = keep_in_order(numbers, pairs, count);
    w->stats->triangle_tests += count;
    count = GRAZEI_ISA(moving_kernels)
                .open_moved(sets, places, moved->rounding, pairs, count, pairs, times);
    for (size_t i = 0; i < count; i++) {
        uint32_t a = numbers[0][grazei_pair_first(pairs[i])];
        uint32_t b = numbers[1][grazei_pair_second(pairs[i])];
        double time = moved->from + (double)times[i] * (moved->to - moved->from);
        pairs[wanted] = grazei_pair(a, b);
        times[wanted] = (float)(time * (1 - 0x1p-22));
        wanted += is_wanted(p, a, b);
    }
    meet_pairs(w, p, pairs, times, wanted);
}

/* Many triangles, moved to when they may first meet and to when it is too late. */
static __attribute__((noinline)) void meet_many(sweep_walk *w, patch_pair *p, near_numbers *near)
{
    grazei_moving_patches moved;
    moved_triangles both[2];
    if (!narrow(w, p, &moved) || !keep_near_both(p, &moved, near))
        return;
    for (size_t i = 0; i < near->count_a; i += GRAZEI_MOVED_TRIANGLES) {
        load_moved(p, &moved, 0, near->of_a + i, near->count_a - i, &both[0]);
        load_places(p, 0, near->of_a + i, &both[0]);
        for (size_t k = 0; k < near->count_b && !w->question->stopped;
             k += GRAZEI_MOVED_TRIANGLES) {
            const uint16_t *const numbers[2] = {near->of_a + i, near->of_b + k};
            load_moved(p, &moved, 1, near->of_b + k, near->count_b - k, &both[1]);
            load_places(p, 1, near->of_b + k, &both[1]);
            meet_moved(w, p, &moved, both, numbers);
        }
    }
}

/* A few triangles, all the time. False if there are many, and nothing is done. */
static __attribute__((noinline)) bool meet_few(sweep_walk *w, const patch_pair *p,
                                               const near_numbers *near)
{
    float times[GRAZEI_CHUNK_PAIRS];
    uint16_t pairs[GRAZEI_CHUNK_PAIRS];
    for (size_t first = 0; first < near->count_a && !w->question->stopped;) {
        bool begun = first > 0;
        size_t count = find_pairs(p, near, &first, begun ? SIZE_MAX : 2 * MANY_PAIRS, pairs);
        if (count >= MANY_PAIRS && !begun)
            return false;
        w->stats->triangle_tests += count;
        count = GRAZEI_ISA(moving_kernels)
                    .open_pairs(&p->sets[0], &p->sets[1], pairs, count,
                                grazei_sweep_latest(w->question), pairs, times);
        meet_pairs(w, p, pairs, times, count);
    }
    return true;
}

static void meet_moving(sweep_walk *w, patch_pair *p)
{
    static const float no_pads[2][4] = {{0}, {0}};
    float memory[2][GRAZEI_SWEPT_BOXES];
    const grazei_posed_patch *a = p->patches[0], *b = p->patches[1];
    f4 way = grazei_without_fourth(f4_load(a[1].points[0]) - f4_load(a[0].points[0]));
    const grazei_moving_kernels *kernels = &GRAZEI_ISA(moving_kernels);
    float common[4] __attribute__((aligned(16)));
    near_numbers near;
    f4_store(common, way);
    grazei_triangle_set swept_a = kernels->swept_boxes(&p->sets[0], common, no_pads, memory[0]);
    grazei_triangle_set swept_b = kernels->swept_boxes(&p->sets[1], common, no_pads, memory[1]);
    grazei_bound box_a = swept_box(a, way), box_b = swept_box(b, way);
    if (!find_near(&near, &swept_a, &swept_b, &box_a, &box_b) ||
        (is_many(&near) && are_apart(w, p)))
        return;
    if (!meet_few(w, p, &near))
        meet_many(w, p, &near);
}

static bool all_have(const grazei_corner_welds *corners, uint32_t count, int32_t weld)
{
    for (uint32_t t = 0; t < count; t++)
        if (!i4_any(corners->of[t] == (i4){weld, weld, weld, weld}))
            return false;
    return true;
}

/* Whether all triangles of two patches go round one vertex. */
static bool are_one_fan(const patch_pair *p)
{
    const grazei_neighbours *n = p->neighbours;
    uint32_t count_a = p->patches[0][0].triangle_count, count_b = p->patches[1][0].triangle_count;
    for (int corner = 0; corner < 3; corner++) {
        int32_t weld = n->a.of[0][corner];
        if (all_have(&n->a, count_a, weld) && all_have(n->same ? &n->a : &n->b, count_b, weld))
            return true;
    }
    return false;
}

/* Whether an axis or a diagonal parts two patches all the time that matters. */
static bool stay_apart(sweep_walk *w, const patch_pair *p)
{
    uint32_t beyond = UINT32_MAX;
    float reach = reach_of(p);
    int ends = start_only(w) ? 1 : 2;
    for (int end = 0; end < ends && beyond; end++) {
        const grazei_intervals *measured[2];
        for (int side = 0; side < 2; side++)
            measured[side] =
                grazei_body_measured(view_at(w, side, end)->body, &p->patches[side][end]);
        beyond &= GRAZEI_ISA(interval_kernels).find_beyond(measured[0], measured[1], reach);
    }
    return beyond;
}

static void meet_in_lanes(sweep_walk *w, patch_pair *p)
{
    grazei_neighbours memory;
    p->neighbours = NULL;
    if (p->patches[0][0].names != p->patches[1][0].names && stay_apart(w, p))
        return;
    if (w->question->self) {
        p->neighbours = &memory;
        grazei_find_neighbours(&memory, view_at(w, 0, 0)->body, p->patches[0][0].number,
                               p->patches[1][0].number);
        if (are_one_fan(p))
            return;
    }
    for (int side = 0; side < 2; side++)
        p->sets[side].start = grazei_body_set(view_at(w, side, 0)->body, &p->patches[side][0]);
    if (!w->question->report && !w->question->only_new)
        meet_at_start(w, p);
    if (start_only(w) || p->apart_until > grazei_sweep_latest(w->question))
        return;
    for (int side = 0; side < 2; side++)
        p->sets[side].end = grazei_body_set(view_at(w, side, 1)->body, &p->patches[side][1]);
    meet_moving(w, p);
}

#endif
