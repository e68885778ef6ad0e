/* A batch of pairs of triangles at work. Included by *_kernels.c only. */
#ifndef GRAZEI_QUERY_BATCH_KERNELS_H
#define GRAZEI_QUERY_BATCH_KERNELS_H

#include "body/patches.h"
#include "math/isa.h"
#include "query/batch.h"

/* Not inlined: what it takes of the stack is not to add to that of larger patches. */
static __attribute__((noinline, unused)) void grazei_batch_flush(grazei_batch *batch,
                                                                 grazei_outbox *outbox)
{
    float memory[2][GRAZEI_TRIANGLE_SET_FLOATS(GRAZEI_BATCH)] __attribute__((aligned(64)));
    grazei_triangle_set sets[2];
    uint8_t corners[GRAZEI_BATCH][4];
    uint16_t pairs[GRAZEI_BATCH];
    for (uint32_t i = 0; i < batch->count; i++) {
        pairs[i] = grazei_pair(i, i);
        for (uint32_t c = 0; c < 3; c++)
            corners[i][c] = (uint8_t)(3 * i + c);
        corners[i][3] = 0;
    }
    for (int side = 0; side < 2; side++) {
        sets[side] = grazei_triangle_set_at(memory[side], batch->count);
        GRAZEI_ISA(triangle_kernels)
            .triangle_set((const float(*)[4])batch->corners[side], (const uint8_t(*)[4])corners,
                          &sets[side]);
    }
    size_t unsure = 0,
           hits = GRAZEI_ISA(triangle_kernels)
                      .triangle_pairs(&sets[0], &sets[1], pairs, batch->count, pairs, &unsure);
    for (size_t i = 0; i < hits && !outbox->stopped; i++) {
        graze_pair names = batch->names[grazei_pair_first(pairs[i])];
        grazei_outbox_add(outbox, names.a, names.b);
    }
    batch->count = 0;
}

static inline bool grazei_triangle_boxes_overlap(const float (*a)[4], const float (*b)[4])
{
    f4 a0 = f4_load(a[0]), a1 = f4_load(a[1]), a2 = f4_load(a[2]);
    f4 b0 = f4_load(b[0]), b1 = f4_load(b[1]), b2 = f4_load(b[2]);
    f4 low_a = f4_min(a0, f4_min(a1, a2)), high_a = f4_max(a0, f4_max(a1, a2));
    f4 low_b = f4_min(b0, f4_min(b1, b2)), high_b = f4_max(b0, f4_max(b1, b2));
    return (f4_ge_bits(high_a, low_b) & f4_ge_bits(high_b, low_a) & 7u) == 7u;
}

/* Triangle i of one posed patch and k of another; tested at once where one hit is enough. */
static inline void grazei_batch_add(grazei_batch *batch, const grazei_posed_patch *a, uint32_t i,
                                    const grazei_posed_patch *b, uint32_t k, grazei_outbox *outbox,
                                    graze_stats *stats)
{
    float(*corners_a)[4] = batch->corners[0] + 3 * batch->count;
    float(*corners_b)[4] = batch->corners[1] + 3 * batch->count;
    grazei_patch_triangle(a, i, corners_a);
    grazei_patch_triangle(b, k, corners_b);
    if (!grazei_triangle_boxes_overlap((const float(*)[4])corners_a, (const float(*)[4])corners_b))
        return;
    batch->names[batch->count++] = (graze_pair){a->names[i], b->names[k]};
    stats->triangle_tests++;
    if (batch->count == GRAZEI_BATCH || outbox->first)
        grazei_batch_flush(batch, outbox);
}

/* Everything that is waiting is tested and reported. */
static inline void grazei_batch_finish(grazei_batch *batch, grazei_outbox *outbox)
{
    if (batch->count && !outbox->stopped)
        grazei_batch_flush(batch, outbox);
    if (outbox->count)
        grazei_outbox_flush(outbox);
}

#endif
