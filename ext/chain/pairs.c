/* Which spheres overlap: pairs of a list in lanes, by one thread or several. */
#include "base/assert.h"
#include "base/status.h"
#include "chain/chain_kernel.h"
#include "chain/tracker.h"
#include "math/rounding.h"
#include "parts/lists.h"

#include <string.h>

enum {
    PADDED = (GRAZE_MAX_TRACKED_SPHERES + GRAZEI_SPHERE_BLOCK - 1) / GRAZEI_SPHERE_BLOCK *
             GRAZEI_SPHERE_BLOCK,
    MAX_PIECES = 64 /* of a list, for threads */
};

/* Spheres by coordinate, with whole blocks filled. */
typedef struct sphere_columns {
    float x[PADDED], y[PADDED], z[PADDED], r[PADDED];
} sphere_columns;

static grazei_sphere_lanes turn(const float *spheres, uint32_t count, sphere_columns *columns)
{
    uint32_t end = (count + GRAZEI_SPHERE_BLOCK - 1) / GRAZEI_SPHERE_BLOCK * GRAZEI_SPHERE_BLOCK;
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float *four = spheres + 4 * (size_t)i;
        f4 x = f4_load_any(four), y = f4_load_any(four + 4), z = f4_load_any(four + 8);
        f4 r = f4_load_any(four + 12);
        f4_transpose(&x, &y, &z, &r);
        memcpy(columns->x + i, &x, sizeof x);
        memcpy(columns->y + i, &y, sizeof y);
        memcpy(columns->z + i, &z, sizeof z);
        memcpy(columns->r + i, &r, sizeof r);
    }
    for (; i < end; i++) {
        const float *one = spheres + 4 * (size_t)i;
        columns->x[i] = i < count ? one[0] : 0;
        columns->y[i] = i < count ? one[1] : 0;
        columns->z[i] = i < count ? one[2] : 0;
        columns->r[i] = i < count ? one[3] : 0;
    }
    return (grazei_sphere_lanes){columns->x, columns->y, columns->z, columns->r};
}

/* ---- what calls check ------------------------------------------------------------------------ */

static graze_status check_side(const graze_posed_chains *side, const char *tracker,
                               const char *spheres, graze_error *error)
{
    graze_status status = grazei_check_pointer(side->tracker, tracker, error);
    return status ? status : grazei_check_pointer(side->spheres, spheres, error);
}

graze_status grazei_tracker_check(const graze_posed_chains *a, const graze_posed_chains *b,
                                  graze_chain_pairs_of which, const graze_options *options,
                                  graze_error *error)
{
    graze_status status = grazei_check_pointer(a, "a", error);
    if (!status)
        status = check_side(a, "the tracker of a", "the spheres of a", error);
    if (!status && b)
        status = check_side(b, "the tracker of b", "the spheres of b", error);
    if (!status)
        status = grazei_check_plain_options(options, error);
    if (!status && options && options->stats)
        status = grazei_fail(error, GRAZE_UNSUPPORTED, "spheres have no statistics");
    if (!status)
        status = grazei_check_rounding(error);
    if (!status && !b && which != GRAZE_CHAIN_PAIRS && which != GRAZE_ALL_PAIRS)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "pairs %d are unknown", (int)which);
    return status;
}

/* ---- several threads ------------------------------------------------------------------------- */

/* A list in pieces: each writes from where its pairs would begin if all of them were found. */
typedef struct shared_list {
    const graze_chain_tracker *tracker;
    const grazei_pair_rows *list;
    grazei_sphere_lanes spheres;
    uint32_t piece_count;
    graze_pair *pairs;
    size_t found[MAX_PIECES];
} shared_list;

static uint32_t first_row(const shared_list *shared, size_t piece)
{
    return (uint32_t)((uint64_t)shared->list->row_count * piece / shared->piece_count);
}

static void find_piece(void *user, size_t piece, uint32_t thread)
{
    shared_list *shared = user;
    uint32_t first = first_row(shared, piece), end = first_row(shared, piece + 1);
    (void)thread;
    if (first == end)
        return;
    const grazei_overlap_row *rows = shared->list->rows + first;
    size_t before = rows->before;
    size_t room =
        (end < shared->list->row_count ? rows[end - first].before : shared->list->pair_count) -
        before;
    shared->found[piece] = shared->tracker->overlap->find(&shared->spheres, rows, end - first,
                                                          shared->pairs + before, room);
}

static graze_status find_shared(shared_list *shared, graze_pool *pool, size_t *count,
                                graze_error *error)
{
    shared->piece_count = 2 * graze_pool_threads(pool);
    if (shared->piece_count > MAX_PIECES)
        shared->piece_count = MAX_PIECES;
    graze_status status = graze_pool_for_each(pool, shared->piece_count, find_piece, shared, error);
    size_t total = 0;
    for (uint32_t p = 0; !status && p < shared->piece_count; p++) {
        if (!shared->found[p])
            continue;
        size_t before = shared->list->rows[first_row(shared, p)].before;
        memmove(shared->pairs + total, shared->pairs + before,
                shared->found[p] * sizeof *shared->pairs);
        total += shared->found[p];
    }
    if (!status)
        *count = total;
    return status;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Rows, or spheres, whose pairs always have room. */
enum { BUFFER_PAIRS = GRAZE_MAX_TRACKED_SPHERES, BUFFER_ROWS = BUFFER_PAIRS / GRAZEI_SPHERE_BLOCK };

/* Pairs were found, and written as far as there was room. */
static void note(graze_pair_list *list, size_t found)
{
    list->total += found;
    list->count = list->total < list->capacity ? list->total : list->capacity;
}

/* Hands a buffer to the caller; false: stop. */
static bool report(graze_pair_list *list, const graze_pair *found, size_t count)
{
    list->total += count;
    return !count || list->report(list->user, found, count);
}

static bool put(graze_pair_list *list, uint32_t a, uint32_t b)
{
    const graze_pair pair = {.a = a, .b = b};
    if (list->report)
        return report(list, &pair, 1);
    if (list->total < list->capacity)
        list->items[list->total] = pair;
    note(list, 1);
    return true;
}

/* ---- one body with itself -------------------------------------------------------------------- */

static void report_rows(const graze_chain_tracker *tracker, const grazei_sphere_lanes *spheres,
                        const grazei_pair_rows *rows, graze_pair_list *list)
{
    graze_pair buffer[BUFFER_PAIRS];
    for (uint32_t i = 0, count; i < rows->row_count; i += count) {
        count = rows->row_count - i < BUFFER_ROWS ? rows->row_count - i : BUFFER_ROWS;
        size_t found = tracker->overlap->find(spheres, rows->rows + i, count, buffer, BUFFER_PAIRS);
        GRAZE_ASSERT(found <= BUFFER_PAIRS);
        if (!report(list, buffer, found))
            return;
    }
}

static graze_status find_in_lanes(const graze_posed_chains *a, const grazei_pair_rows *rows,
                                  graze_pool *pool, graze_pair_list *list, graze_error *error)
{
    const graze_chain_tracker *tracker = a->tracker;
    sphere_columns columns;
    shared_list shared = {.tracker = tracker, .list = rows, .pairs = list->items};
    shared.spheres = turn(a->spheres, tracker->sphere_count, &columns);
    if (list->report) {
        report_rows(tracker, &shared.spheres, rows, list);
        return GRAZE_OK;
    }
    size_t found = 0;
    graze_status status = GRAZE_OK;
    if (rows->pair_count && list->capacity >= rows->pair_count && graze_pool_threads(pool) > 1)
        status = find_shared(&shared, pool, &found, error);
    else
        found = tracker->overlap->find(&shared.spheres, rows->rows, rows->row_count, list->items,
                                       list->capacity);
    if (!status)
        note(list, found);
    return status;
}

static grazei_chain_ball ball_of(const graze_posed_chains *side, uint32_t sphere)
{
    const float *s = side->spheres + 4 * (size_t)sphere;
    return (grazei_chain_ball){s[0], s[1], s[2], s[3]};
}

/* One at a time, without lanes. */
static void find_one_by_one(const graze_posed_chains *a, const grazei_pair_rows *rows,
                            graze_pair_list *list)
{
    for (uint32_t i = 0; i < rows->row_count; i++) {
        const grazei_overlap_row *row = &rows->rows[i];
        grazei_chain_ball own = ball_of(a, row->sphere);
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t b = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            if (grazei_chain_meet(own, ball_of(a, b)) && !put(list, row->sphere, b))
                return;
        }
    }
}

/* ---- two bodies ------------------------------------------------------------------------------ */

static void find_between(const graze_posed_chains *a, const graze_posed_chains *b,
                         graze_pair_list *list)
{
    const uint32_t count_a = a->tracker->sphere_count, count_b = b->tracker->sphere_count;
    sphere_columns columns;
    graze_pair buffer[BUFFER_PAIRS];
    grazei_sphere_lanes others = turn(b->spheres, count_b, &columns);
    for (uint32_t s = 0; s < count_a; s++) {
        const bool has_room = list->total < list->capacity;
        graze_pair *room = list->report ? buffer : has_room ? list->items + list->total : NULL;
        size_t capacity = list->report ? BUFFER_PAIRS : has_room ? list->capacity - list->total : 0;
        size_t found = a->tracker->overlap->find_one(a->spheres + 4 * (size_t)s, s, &others,
                                                     count_b, room, capacity);
        if (!list->report)
            note(list, found);
        else if (!report(list, buffer, found))
            return;
    }
}

static void find_between_one_by_one(const graze_posed_chains *a, const graze_posed_chains *b,
                                    graze_pair_list *list)
{
    for (uint32_t i = 0; i < a->tracker->sphere_count; i++)
        for (uint32_t k = 0; k < b->tracker->sphere_count; k++)
            if (grazei_chain_meet(ball_of(a, i), ball_of(b, k)) && !put(list, i, k))
                return;
}

/* ---- the call -------------------------------------------------------------------------------- */

graze_status graze_chain_pairs(const graze_posed_chains *a, const graze_posed_chains *b,
                               graze_chain_pairs_of which, graze_pair_list *pairs,
                               const graze_options *options, graze_error *error)
{
    graze_status status = grazei_check_pointer(pairs, "the list of pairs", error);
    if (status)
        return status;
    pairs->count = pairs->total = 0;
    status = grazei_tracker_check(a, b, which, options, error);
    if (!status)
        status = grazei_check_list(pairs->items, pairs->capacity, pairs->report != NULL, error);
    if (status)
        return status;
    const graze_method method = options ? options->method : GRAZE_LAZY;
    graze_pool *pool = options ? options->pool : NULL;
    const grazei_pair_rows *rows = grazei_tracker_rows(a->tracker, which);
    size_t all = b ? (size_t)a->tracker->sphere_count * b->tracker->sphere_count : rows->pair_count;
    bool by_tree =
        method == GRAZE_EAGER && (b || which == GRAZE_CHAIN_PAIRS) && all && pairs->capacity >= all;
    if (b && by_tree)
        note(pairs, grazei_tree_pairs_between(a, b, pairs->items));
    else if (b && method == GRAZE_BRUTE)
        find_between_one_by_one(a, b, pairs);
    else if (b)
        find_between(a, b, pairs);
    else if (by_tree)
        note(pairs, grazei_tree_pairs(a, pool, pairs->items));
    else if (method == GRAZE_BRUTE)
        find_one_by_one(a, rows, pairs);
    else
        status = find_in_lanes(a, rows, pool, pairs, error);
    return status;
}
