/* Which spheres overlap: pairs of a list in lanes, by one thread or several. */
#include "base/status.h"
#include "chain/chain_kernel.h"
#include "chain/plan.h"
#include "math/rounding.h"

#include <string.h>

enum {
    PADDED = (GRAZE_MAX_PLAN_SPHERES + GRAZEI_SPHERE_BLOCK - 1) / GRAZEI_SPHERE_BLOCK *
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

graze_status grazei_plan_check(const graze_chain_plan *plan, const float *spheres,
                               graze_chain_method method, const void *found, size_t capacity,
                               const size_t *count, graze_error *error)
{
    graze_status status = grazei_check_pointer(plan, "the plan", error);
    if (!status)
        status = grazei_check_pointer(spheres, "the array of spheres", error);
    if (!status && capacity)
        status = grazei_check_pointer(found, "where pairs go", error);
    if (!status)
        status = grazei_check_pointer(count, "where the count goes", error);
    if (!status)
        status = grazei_check_rounding(error);
    if (!status && method != GRAZE_CHAIN_CHAINS && method != GRAZE_CHAIN_ALL &&
        method != GRAZE_CHAIN_TREE)
        status = grazei_fail(error, GRAZE_BAD_INPUT, "method %d is unknown", (int)method);
    return status;
}

/* ---- several threads ------------------------------------------------------------------------- */

/* A list in pieces: each writes from where its pairs would begin if all of them were found. */
typedef struct shared_list {
    const graze_chain_plan *plan;
    const grazei_pair_rows *list;
    grazei_sphere_lanes spheres;
    uint32_t piece_count;
    graze_chain_pair *pairs;
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
    shared->found[piece] = shared->plan->overlap->find(&shared->spheres, rows, end - first,
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

/* ---- the calls ------------------------------------------------------------------------------- */

graze_status graze_chain_pairs(const graze_chain_plan *plan, const float *spheres,
                               graze_chain_method method, graze_pool *pool, graze_chain_pair *pairs,
                               size_t capacity, size_t *count, graze_error *error)
{
    graze_status status = grazei_plan_check(plan, spheres, method, pairs, capacity, count, error);
    if (status)
        return status;
    const grazei_pair_rows *list = grazei_plan_rows(plan, method);
    const bool has_room = list->pair_count && capacity >= list->pair_count;
    if (method == GRAZE_CHAIN_TREE && has_room) {
        *count = grazei_tree_pairs(plan, spheres, pool, pairs);
        return GRAZE_OK;
    }
    sphere_columns columns;
    shared_list shared = {.plan = plan, .list = list, .pairs = pairs};
    shared.spheres = turn(spheres, plan->sphere_count, &columns);
    if (has_room && graze_pool_threads(pool) > 1)
        return find_shared(&shared, pool, count, error);
    *count = plan->overlap->find(&shared.spheres, list->rows, list->row_count, pairs, capacity);
    return GRAZE_OK;
}

static grazei_chain_ball ball_of(const float *spheres, uint32_t sphere)
{
    const float *s = spheres + 4 * (size_t)sphere;
    return (grazei_chain_ball){s[0], s[1], s[2], s[3]};
}

graze_status graze_chain_pairs_plain(const graze_chain_plan *plan, const float *spheres,
                                     graze_chain_method method, graze_chain_pair *pairs,
                                     size_t capacity, size_t *count, graze_error *error)
{
    graze_status status = grazei_plan_check(plan, spheres, method, pairs, capacity, count, error);
    if (status)
        return status;
    const grazei_pair_rows *list = grazei_plan_rows(plan, method);
    size_t found = 0;
    for (uint32_t i = 0; i < list->row_count; i++) {
        const grazei_overlap_row *row = &list->rows[i];
        grazei_chain_ball own = ball_of(spheres, row->sphere);
        for (uint32_t bits = row->mask; bits; bits &= bits - 1) {
            uint32_t b = (uint32_t)(GRAZEI_SPHERE_BLOCK * row->block + __builtin_ctz(bits));
            if (!grazei_chain_meet(own, ball_of(spheres, b)))
                continue;
            if (found < capacity)
                pairs[found] = (graze_chain_pair){row->sphere, b};
            found++;
        }
    }
    *count = found;
    return GRAZE_OK;
}

graze_status graze_chain_pairs_between(const graze_chain_plan *plan_a, const float *spheres_a,
                                       const graze_chain_plan *plan_b, const float *spheres_b,
                                       graze_chain_method method, graze_chain_pair *pairs,
                                       size_t capacity, size_t *count, graze_error *error)
{
    graze_status status =
        grazei_plan_check(plan_a, spheres_a, method, pairs, capacity, count, error);
    if (!status)
        status = grazei_plan_check(plan_b, spheres_b, method, pairs, capacity, count, error);
    if (status)
        return status;
    if (method == GRAZE_CHAIN_TREE &&
        capacity >= (size_t)plan_a->sphere_count * plan_b->sphere_count) {
        *count = grazei_tree_pairs_between(plan_a, spheres_a, plan_b, spheres_b, pairs);
        return GRAZE_OK;
    }
    sphere_columns columns;
    grazei_sphere_lanes others = turn(spheres_b, plan_b->sphere_count, &columns);
    size_t found = 0;
    for (uint32_t a = 0; a < plan_a->sphere_count; a++) {
        const bool room = found < capacity;
        found +=
            plan_a->overlap->find_one(spheres_a + 4 * (size_t)a, a, &others, plan_b->sphere_count,
                                      room ? pairs + found : NULL, room ? capacity - found : 0);
    }
    *count = found;
    return GRAZE_OK;
}
