/* Pairs of triangles that may meet, on their way through the narrow phase to the caller: collected
 * over many pairs of patches until they fill lanes, or tested at once where one hit is enough.
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_QUERY_BATCH_KERNELS_H
#define GRAZEI_QUERY_BATCH_KERNELS_H

#include "body/patches.h"
#include "math/bytes.h"
#include "math/isa.h"
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

/* The corners of 16 triangles of a patch, three bytes each. */
static inline __m512i grazei_look_up_corners(const grazei_posed_patch *patch, __m512i triangles)
{
    const uint8_t(*corners)[4] = patch->corners;
    __m512i found = _mm512_permutex2var_epi32(_mm512_loadu_si512(corners), triangles,
                                              _mm512_loadu_si512(corners + 16));
    for (uint32_t k = 32; k < patch->triangle_count; k += 32) {
        __mmask16 here = _mm512_cmpge_epu32_mask(triangles, _mm512_set1_epi32((int)k));
        __m512i more = _mm512_permutex2var_epi32(_mm512_loadu_si512(corners + k), triangles,
                                                 _mm512_loadu_si512(corners + k + 16));
        found = _mm512_mask_mov_epi32(found, here, more);
    }
    return found;
}

/* 16 at a time; behind the last there is room. */
static inline void grazei_batch_write(grazei_candidates *batch, const grazei_posed_patch *a,
                                      const grazei_posed_patch *b, const grazei_batch_places *at,
                                      const uint16_t *pairs, size_t count)
{
    const grazei_posed_patch *const patches[2] = {a, b};
    const __m512i in_floats = _mm512_set1_epi32(255 * 4);
    for (size_t i = 0; i < count; i += 16) {
        size_t n = batch->count + i;
        __mmask16 here = count - i >= 16 ? 0xffff : (__mmask16)((1u << (count - i)) - 1);
        __m512i numbers = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(here, pairs + i));
        for (int side = 0; side < 2; side++) {
            __m512i triangles = side ? _mm512_srli_epi32(numbers, 8)
                                     : _mm512_and_si512(numbers, _mm512_set1_epi32(255));
            __m512i corners = grazei_look_up_corners(patches[side], triangles);
            __m512i first = _mm512_set1_epi32((int)at->points[side]);
            __m512i c0 = _mm512_and_si512(_mm512_slli_epi32(corners, 2), in_floats);
            __m512i c1 = _mm512_and_si512(_mm512_srli_epi32(corners, 6), in_floats);
            __m512i c2 = _mm512_and_si512(_mm512_srli_epi32(corners, 14), in_floats);
            _mm512_storeu_si512(&batch->at[3 * side][n], _mm512_add_epi32(c0, first));
            _mm512_storeu_si512(&batch->at[3 * side + 1][n], _mm512_add_epi32(c1, first));
            _mm512_storeu_si512(&batch->at[3 * side + 2][n], _mm512_add_epi32(c2, first));
            _mm512_storeu_si512(
                &batch->names[side][n],
                _mm512_add_epi32(triangles, _mm512_set1_epi32((int)at->names[side])));
        }
        _mm512_storeu_ps(&batch->reach[n], _mm512_set1_ps(at->reach));
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
