/* Pairs of triangles that may meet, on their way through the narrow phase to the caller: collected
 * over many pairs of patches until they fill lanes, or tested at once where one hit is enough.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_QUERY_BATCH_KERNELS_H
#define GRAZEI_QUERY_BATCH_KERNELS_H

#include "body/patches.h"
#include "math/isa.h"
#include "narrow/candidate_kernels.h"
#include "query/outbox.h"

/* Where one hit is enough, so many are tested at first, then twice as many each time. */
#define GRAZEI_FEW_CANDIDATES 16

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
    for (size_t i = 0; i < count && !outbox->stopped; i++)
        grazei_outbox_add(outbox, batch->called[0][batch->names[hits[i]][0]],
                          batch->called[1][batch->names[hits[i]][1]]);
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

/* At least the longest side of the box around both patches. */
static inline float grazei_patches_reach(const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    const grazei_bound *box_a = grazei_patch_box(a), *box_b = grazei_patch_box(b);
    return f4_max3(f4_max(grazei_bound_first(box_a), grazei_bound_first(box_b)) +
                   f4_max(grazei_bound_second(box_a), grazei_bound_second(box_b)));
}

/* Adds pairs of triangles of two posed patches (a's number in the low byte, b's in the high). */
static inline void grazei_batch_add(grazei_candidates *batch, const grazei_posed_patch *a,
                                    const grazei_posed_patch *b, const uint16_t *pairs,
                                    size_t count, grazei_outbox *outbox)
{
    float reach = grazei_patches_reach(a, b);
    uint32_t first_a = (uint32_t)(a->points[0] - batch->points[0]);
    uint32_t first_b = (uint32_t)(b->points[0] - batch->points[1]);
    uint32_t place_a = (uint32_t)(a->names - batch->called[0]);
    uint32_t place_b = (uint32_t)(b->names - batch->called[1]);
    bool at_once = outbox->first || outbox->at_once;
    size_t most = at_once ? GRAZEI_FEW_CANDIDATES : GRAZEI_CANDIDATES;
    while (count && !outbox->stopped) {
        size_t n = batch->count, room = most - n, size = count < room ? count : room;
        for (size_t i = 0; i < size; i++, n++) {
            uint32_t k = pairs[i] & 255u, l = pairs[i] >> 8;
            const uint8_t *corners_a = a->corners[k], *corners_b = b->corners[l];
            for (int c = 0; c < 3; c++) {
                batch->at[c][n] = first_a + 4u * corners_a[c];
                batch->at[c + 3][n] = first_b + 4u * corners_b[c];
            }
            batch->reach[n] = reach;
            batch->names[n][0] = place_a + k;
            batch->names[n][1] = place_b + l;
        }
        batch->count = (uint32_t)n;
        pairs += size;
        count -= size;
        if (n == most || at_once)
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
    grazei_batch_add(batch, a, b, &pair, 1, outbox);
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
