/* Rounding, with u = 2^-53 and R the longest side of the box around both bodies: a coordinate
 * across is a difference and three products and sums of at most 2 R, off by less than 16 u R. It is
 * cut to a cell of R 2^-30, which keeps the order of numbers, and a cell more on either side
 * is beyond all of that.
 */
#include "pairs/across.h"
#include "base/assert.h"

#include "body/patches.h"
#include "narrow/across.h"

#include <string.h>

/* Pairs of triangles that a walk may look at, for each triangle. */
#define PATIENCE 64

/* Pairs that are looked at here, at most, likewise. */
#define MOST_LOOKED_AT 64

/* Boxes that are smaller may be of numbers that a processor takes for zero. */
#define LEAST_REACH 1e-20

typedef grazei_across across;
typedef grazei_across_item item;

static uint64_t triangles_of(const graze_body *body)
{
    return grazei_body_tree(body)->node_triangles[0][1];
}

uint64_t grazei_across_patience(const graze_body *a, const graze_body *b)
{
    return PATIENCE * (triangles_of(a) + triangles_of(b));
}

/* ---- directions ----------------------------------------------------------------------------- */

/* Poses everything and looks at every eighth triangle. */
static bool choose_directions(across *c)
{
    grazei_edges edges = {0};
    f4 low = f4_all(-INFINITY), high = low;
    for (int side = 0; side < 2; side++)
        for (uint32_t p = 0; p < grazei_body_tree(c->bodies[side])->patch_count; p++) {
            grazei_posed_patch patch = grazei_body_patch(c->bodies[side], p, c->stats);
            if (!patch.triangle_count)
                continue;
            low = f4_max(low, grazei_bound_first(grazei_patch_box(&patch)));
            high = f4_max(high, grazei_bound_second(grazei_patch_box(&patch)));
            for (uint32_t t = 0; t < patch.triangle_count; t += 8)
                for (int k = 0; k < 2; k++)
                    grazei_add_edge(&edges, patch.points[patch.corners[t][k]],
                                    patch.points[patch.corners[t][k + 1]]);
        }
    c->reach = (double)f4_max3(low + high);
    c->origin = (d3){-(double)low[0], -(double)low[1], -(double)low[2]};
    return c->reach > LEAST_REACH && grazei_find_across(&edges, c->directions);
}

/* ---- intervals ------------------------------------------------------------------------------ */

static void place_points(const across *c, const grazei_posed_patch *patch,
                         uint32_t cells[GRAZEI_PATCH_POINTS][2])
{
    double scale = 0x1p30 / c->reach;
    for (uint32_t i = 0; i < patch->point_count; i++)
        for (int k = 0; k < 2; k++) {
            d3 from_origin = d3_sub(grazei_wide_point(patch->points[i]), c->origin);
            cells[i][k] = (uint32_t)(d3_dot(from_origin, c->directions[k]) * scale + 0x1p31);
        }
}

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t most_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void list_items(across *c, int side)
{
    uint32_t cells[GRAZEI_PATCH_POINTS][2];
    item *out = c->items[side];
    for (uint32_t p = 0; p < grazei_body_tree(c->bodies[side])->patch_count; p++) {
        grazei_posed_patch patch = grazei_posed_patch_of(c->bodies[side], p);
        place_points(c, &patch, cells);
        for (uint32_t t = 0; t < patch.triangle_count; t++, out++) {
            const uint8_t *corner = patch.corners[t];
            for (int k = 0; k < 2; k++) {
                uint32_t x = cells[corner[0]][k], y = cells[corner[1]][k], z = cells[corner[2]][k];
                out->low[k] = least_of(least_of(x, y), z) - 1;
                out->high[k] = most_of(most_of(x, y), z) + 1;
            }
            out->patch = p;
            out->triangle = t;
        }
    }
    c->counts[side] = (size_t)(out - c->items[side]);
    GRAZE_ASSERT(c->counts[side] <= triangles_of(c->bodies[side]));
}

/* By where they begin along the first direction, a byte at a time. */
static void sort_items(item *items, item *spare, size_t count)
{
    for (int shift = 0; shift < 32; shift += 8) {
        size_t starts[256] = {0}, sum = 0;
        GRAZE_ASSERT(count <= SIZE_MAX / sizeof *items);
        for (size_t i = 0; i < count; i++)
            starts[items[i].low[0] >> shift & 255]++;
        for (int byte = 0; byte < 256; byte++) {
            size_t here = starts[byte];
            starts[byte] = sum;
            sum += here;
        }
        for (size_t i = 0; i < count; i++)
            spare[starts[items[i].low[0] >> shift & 255]++] = items[i];
        item *sorted = spare;
        spare = items;
        items = sorted;
    }
}

/* In memory that the body lends. */
static bool make_items(across *c, int side)
{
    size_t bytes, count = triangles_of(c->bodies[side]);
    c->items[side] = grazei_body_lend(c->bodies[side], &bytes);
    if (!c->items[side] || bytes / sizeof(item) < 2 * count)
        return false;
    list_items(c, side);
    sort_items(c->items[side], c->items[side] + c->counts[side], c->counts[side]);
    return true;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static void start(across *c)
{
    memset(&c->one, 0, sizeof c->one); /* ends before all others begin */
    c->next[0] = c->next[1] = c->other = 0;
    c->side = 0;
    c->looked_at = 0;
}

/* The next pair that overlaps along both directions: of both sides the item that begins first,
 * against those of the other that begin before it ends.
 */
static bool find_pair(across *c, const item *pair[2])
{
    for (;;) {
        const item *one = &c->one, *others = c->items[!c->side];
        size_t end = c->counts[!c->side];
        while (c->other < end && others[c->other].low[0] <= one->high[0]) {
            const item *other = &others[c->other++];
            c->looked_at++;
            if (other->low[1] > one->high[1] || one->low[1] > other->high[1])
                continue;
            pair[c->side] = one;
            pair[!c->side] = other;
            return true;
        }
        if (c->next[0] == c->counts[0] || c->next[1] == c->counts[1])
            return false;
        c->side = c->items[1][c->next[1]].low[0] < c->items[0][c->next[0]].low[0];
        c->one = c->items[c->side][c->next[c->side]++];
        c->other = c->next[!c->side];
    }
}

/* Whether there are not too many pairs. */
static bool is_worth_it(across *c)
{
    uint64_t most = MOST_LOOKED_AT * (c->counts[0] + c->counts[1]), candidates = 0;
    const item *pair[2];
    start(c);
    while (find_pair(c, pair))
        if (c->looked_at + GRAZEI_ACROSS_CANDIDATE * ++candidates > most)
            return false;
    return c->looked_at <= most;
}

bool grazei_across_begin(grazei_across *c, graze_body *a, graze_body *b, graze_stats *stats)
{
    c->bodies[0] = a;
    c->bodies[1] = b;
    c->stats = stats;
    if (!choose_directions(c) || !make_items(c, 0) || !make_items(c, 1) || !is_worth_it(c))
        return false;
    start(c);
    return true;
}

static void add_pair(const across *c, const item *const pair[2], grazei_candidates *batch)
{
    grazei_posed_patch patches[2];
    uint32_t n = batch->count++;
    GRAZE_ASSERT(n < GRAZEI_CANDIDATES);
    for (int side = 0; side < 2; side++) {
        const grazei_posed_patch *patch = &patches[side];
        uint32_t triangle = pair[side]->triangle;
        patches[side] = grazei_posed_patch_of(c->bodies[side], pair[side]->patch);
        uint32_t first = (uint32_t)(patch->points[0] - batch->points[side]);
        for (int k = 0; k < 3; k++)
            batch->at[3 * side + k][n] = first + 4u * patch->corners[triangle][k];
        batch->names[side][n] = (uint32_t)(patch->names - batch->called[side]) + triangle;
    }
    batch->reach[n] = grazei_patches_reach(&patches[0], &patches[1]);
}

bool grazei_across_next(grazei_across *c, grazei_candidates *batch)
{
    const item *pair[2];
    for (int side = 0; side < 2; side++)
        if (!grazei_body_still_lends(c->bodies[side]) && !make_items(c, side))
            return false;
    while (batch->count < GRAZEI_CANDIDATES && find_pair(c, pair))
        add_pair(c, pair, batch);
    c->stats->triangle_tests += batch->count;
    return batch->count > 0;
}
