/* Pairs of triangles that may meet, on their way through the narrow phase to the caller: collected
 * over many pairs of patches until they fill lanes, or tested at once where one hit is enough.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_QUERY_BATCH_KERNELS_H
#define GRAZEI_QUERY_BATCH_KERNELS_H

#include "body/patches.h"
#include "math/isa.h"
#include "math/words.h"
#include "narrow/candidate_kernels.h"
#include "query/outbox.h"

/* Where one hit is enough, so many are tested at first, then twice as many each time. */
#define GRAZEI_FEW_CANDIDATES 16

/* A walk's own marks on the second name of a pair: names are below 2^30. */
#define GRAZEI_MARKS 0xc0000000u

/* Tests what is waiting. What was added is where in the order of patches the triangles are: what
 * they are called is looked up for those that meet only. Not inlined: what it takes of the stack is
 * not to add to that of the walk.
 */
static __attribute__((noinline, unused)) void grazei_batch_flush(grazei_candidates *batch,
                                                                 grazei_outbox *outbox)
{
    uint16_t hits[GRAZEI_CANDIDATES + 16];
    size_t count = GRAZEI_ISA(candidate_kernels).test(batch, hits);
    batch->count = 0;
    for (size_t i = 0; i < count && !outbox->stopped; i++) {
        GRAZE_ASSERT(hits[i] < GRAZEI_CANDIDATES);
        uint32_t a = batch->names[0][hits[i]], b = batch->names[1][hits[i]];
        grazei_outbox_add(outbox, batch->called[0][a],
                          batch->called[1][b & ~GRAZEI_MARKS] | (b & GRAZEI_MARKS));
    }
}

/* Where the points of both sides are: before the first of a walk is added. */
static inline void grazei_batch_aim(grazei_candidates *batch, const grazei_view *a,
                                    const grazei_view *b)
{
    batch->points[0] = a->points[0];
    batch->points[1] = b->points[0];
    batch->called[0] = a->names;
    batch->called[1] = b->names;
}

/* Where the numbers of two posed patches begin among those of all. */
typedef struct grazei_batch_places {
    uint32_t points[2], names[2];
    float reach;
} grazei_batch_places;

#if defined(GRAZEI_BYTES_LOOK_UP)

/* 16 at a time; behind the last there is room. */
static inline void grazei_batch_write(grazei_candidates *batch, const grazei_posed_patch *a,
                                      const grazei_posed_patch *b, const grazei_batch_places *at,
                                      const uint16_t *pairs, size_t count)
{
    const grazei_posed_patch *const patches[2] = {a, b};
    const word_lanes in_floats = words_set(255 * 4);
    for (size_t i = 0; i < count; i += 16) {
        size_t n = batch->count + i;
        word_lanes numbers = words_from_codes(word_mask_of(count - i), pairs + i);
        for (int side = 0; side < 2; side++) {
            word_lanes triangles =
                side ? words_right_clear(numbers, 8) : words_and(numbers, words_set(255));
            word_lanes corners =
                words_look_up(patches[side]->corners, patches[side]->triangle_count, triangles);
            word_lanes first = words_set((int)at->points[side]);
            word_lanes c0 = words_and(words_left(corners, 2), in_floats);
            word_lanes c1 = words_and(words_right_clear(corners, 6), in_floats);
            word_lanes c2 = words_and(words_right_clear(corners, 14), in_floats);
            words_store(&batch->at[3 * side][n], words_add(c0, first));
            words_store(&batch->at[3 * side + 1][n], words_add(c1, first));
            words_store(&batch->at[3 * side + 2][n], words_add(c2, first));
            words_store(&batch->names[side][n],
                        words_add(triangles, words_set((int)at->names[side])));
        }
        lanes_store(&batch->reach[n], lanes_set(at->reach));
    }
    batch->count += (uint32_t)count;
}

#else

static inline void grazei_batch_write(grazei_candidates *batch, const grazei_posed_patch *a,
                                      const grazei_posed_patch *b, const grazei_batch_places *at,
                                      const uint16_t *pairs, size_t count)
{
    size_t n = batch->count;
    for (size_t i = 0; i < count; i++, n++) {
        uint32_t k = pairs[i] & 255u, l = pairs[i] >> 8;
        for (int c = 0; c < 3; c++) {
            batch->at[c][n] = at->points[0] + 4u * a->corners[k][c];
            batch->at[c + 3][n] = at->points[1] + 4u * b->corners[l][c];
        }
        batch->reach[n] = at->reach;
        batch->names[0][n] = at->names[0] + k;
        batch->names[1][n] = at->names[1] + l;
    }
    batch->count = (uint32_t)n;
}

#endif

/* Adds pairs of triangles of two posed patches (a's number in the low byte, b's in the high), with
 * marks, or 0.
 */
static inline void grazei_batch_add(grazei_candidates *batch, const grazei_posed_patch *a,
                                    const grazei_posed_patch *b, const uint16_t *pairs,
                                    size_t count, uint32_t marks, grazei_outbox *outbox)
{
    grazei_batch_places at = {
        {(uint32_t)(a->points[0] - batch->points[0]), (uint32_t)(b->points[0] - batch->points[1])},
        {(uint32_t)(a->names - batch->called[0]), (uint32_t)(b->names - batch->called[1]) | marks},
        grazei_patches_reach(a, b)};
    bool at_once = outbox->first || outbox->at_once;
    size_t most = at_once ? GRAZEI_FEW_CANDIDATES : GRAZEI_CANDIDATES;
    while (count && !outbox->stopped) {
        GRAZE_ASSERT(batch->count < most && most <= GRAZEI_CANDIDATES);
        size_t room = most - batch->count, size = count < room ? count : room;
        grazei_batch_write(batch, a, b, &at, pairs, size);
        pairs += size;
        count -= size;
        if (batch->count == most || at_once)
            grazei_batch_flush(batch, outbox);
        most = 2 * most < GRAZEI_CANDIDATES ? 2 * most : GRAZEI_CANDIDATES;
    }
}

static inline bool grazei_triangle_boxes_overlap(const float (*a)[4], const float (*b)[4])
{
    f4 a0 = f4_load(a[0]), a1 = f4_load(a[1]), a2 = f4_load(a[2]);
    f4 b0 = f4_load(b[0]), b1 = f4_load(b[1]), b2 = f4_load(b[2]);
    f4 low_a = f4_min(a0, f4_min(a1, a2)), high_a = f4_max(a0, f4_max(a1, a2));
    f4 low_b = f4_min(b0, f4_min(b1, b2)), high_b = f4_max(b0, f4_max(b1, b2));
    return (f4_ge_bits(high_a, low_b) & f4_ge_bits(high_b, low_a) & 7u) == 7u;
}

/* Triangles of small patches, one by one. */
static inline void grazei_batch_add_single(grazei_candidates *batch, const grazei_posed_patch *a,
                                           uint32_t i, const grazei_posed_patch *b, uint32_t k,
                                           grazei_outbox *outbox, graze_stats *stats)
{
    float corners_a[3][4] __attribute__((aligned(16))),
        corners_b[3][4] __attribute__((aligned(16)));
    uint16_t pair = grazei_pair(i, k);
    grazei_patch_triangle(a, i, corners_a);
    grazei_patch_triangle(b, k, corners_b);
    if (!grazei_triangle_boxes_overlap((const float(*)[4])corners_a, (const float(*)[4])corners_b))
        return;
    stats->triangle_tests++;
    grazei_batch_add(batch, a, b, &pair, 1, 0, outbox);
}

/* Everything that is waiting is tested and reported. */
static inline void grazei_batch_finish(grazei_candidates *batch, grazei_outbox *outbox)
{
    if (batch->count && !outbox->stopped)
        grazei_batch_flush(batch, outbox);
    if (outbox->count)
        grazei_outbox_flush(outbox);
}

#endif
