/* Pairs of triangles of two posed patches: those that meet, and the distances of those that do not.
 */
#ifndef GRAZEI_DISTANCE_PAIRS_CHAPTER_H
#define GRAZEI_DISTANCE_PAIRS_CHAPTER_H

#include "distance/near_chapter.h"
#include "narrow/distance.h"
#include "narrow/distance_kernels.h"
#include "narrow/triangle.h"
#include "query/batch_kernels.h"

/* So many pairs of triangles pass through the lanes at a time, in double. */
#define DISTANCE_BLOCK 32
#define FIRST_BLOCK 16 /* where the first one may be enough */

static inline bool is_settled(const grazei_distance_question *question)
{
    return question->outbox.stopped || (question->kind == GRAZEI_CLOSER && question->found);
}

static inline void load_pair(const patch_side sides[2], uint16_t pair, float a[3][4], float b[3][4])
{
    grazei_patch_triangle(&sides[0].patch, grazei_pair_first(pair), a);
    grazei_patch_triangle(&sides[1].patch, grazei_pair_second(pair), b);
}

static inline bool pair_meets(const patch_side sides[2], uint16_t pair, graze_stats *stats)
{
    float rows[2][3][4] __attribute__((aligned(16))), corners[2][3][3];
    load_pair(sides, pair, rows[0], rows[1]);
    if (!grazei_triangle_boxes_overlap((const float(*)[4])rows[0], (const float(*)[4])rows[1]))
        return false;
    for (int c = 0; c < 6; c++)
        memcpy(corners[c / 3][c % 3], rows[c / 3][c % 3], sizeof corners[0][0]);
    stats->triangle_tests++;
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

static inline void take_pair(grazei_distance_question *question, const patch_side sides[2],
                             uint16_t pair, double square, const float *a, const float *b)
{
    graze_pair names = {.a = sides[0].patch.names[grazei_pair_first(pair)],
                        .b = sides[1].patch.names[grazei_pair_second(pair)]};
    grazei_distance_take(question, square, names, a, b, 4);
}

/* Which triangles of the second patch meet each of the first, as bits. */
typedef struct meeting {
    bool any;
    uint64_t bits[GRAZEI_SET_TRIANGLES][2];
} meeting;

static inline bool is_in(const meeting *m, uint16_t pair)
{
    uint32_t second = grazei_pair_second(pair);
    return m->any && (m->bits[grazei_pair_first(pair)][second >> 6] >> (second & 63) & 1);
}

/* Takes over pairs that meet, and notes them. */
static inline void take_hits(grazei_distance_question *question, const patch_side sides[2],
                             const uint16_t *hits, size_t count, meeting *m)
{
    if (count && !m->any)
        memset(m->bits, 0, sizeof m->bits);
    for (size_t i = 0; i < count && !is_settled(question); i++) {
        float a[3][4] __attribute__((aligned(16))), b[3][4] __attribute__((aligned(16)));
        uint32_t second = grazei_pair_second(hits[i]);
        load_pair(sides, hits[i], a, b);
        take_pair(question, sides, hits[i], 0, a[0], b[0]);
        m->bits[grazei_pair_first(hits[i])][second >> 6] |= 1ull << (second & 63);
        m->any = true;
    }
}

/* Once a pair that meets is known, of the others those alone whose numbers come first. */
static inline size_t keep_before(const grazei_distance_question *question,
                                 const patch_side sides[2], uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    if (question->kind != GRAZEI_NEAREST || !question->found || question->square > 0)
        return count;
    for (size_t i = 0; i < count; i++) {
        pairs[kept] = pairs[i];
        kept += grazei_may_count(question, 0, sides[0].patch.names[grazei_pair_first(pairs[i])],
                                 sides[1].patch.names[grazei_pair_second(pairs[i])]);
    }
    return kept;
}

/* Patches whose boxes overlap: the pairs that meet, in lanes. */
static __attribute__((noinline)) void find_hits(grazei_distance_question *question,
                                                const patch_side sides[2], meeting *m,
                                                graze_stats *stats)
{
    uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS], hits[GRAZEI_CHUNK_PAIRS];
    grazei_triangle_set a = grazei_body_set(sides[0].body, &sides[0].patch);
    grazei_triangle_set b = grazei_body_set(sides[1].body, &sides[1].patch);
    size_t count_a = grazei_set_within(&a, sides[1].box, near_a), unsure = 0;
    size_t count_b = count_a ? grazei_set_within(&b, sides[0].box, near_b) : 0;
    for (size_t first = 0, rows; count_b && first < count_a && !is_settled(question);
         first += rows) {
        rows = grazei_chunk(count_a - first, count_b);
        size_t count = GRAZEI_ISA(triangle_kernels)
                           .box_pairs(&a, near_a + first, rows, &b, near_b, count_b, hits);
        count = keep_before(question, sides, hits, count);
        stats->triangle_tests += count;
        count = GRAZEI_ISA(triangle_kernels).triangle_pairs(&a, &b, hits, count, hits, &unsure);
        take_hits(question, sides, hits, count, m);
    }
}

/* The same for small patches, one by one. */
static inline void find_hits_singly(grazei_distance_question *question, const patch_side sides[2],
                                    meeting *m, graze_stats *stats)
{
    for (uint32_t i = 0; i < sides[0].patch.triangle_count; i++)
        for (uint32_t k = 0; k < sides[1].patch.triangle_count && !is_settled(question); k++) {
            uint16_t pair = grazei_pair(i, k);
            if (pair_meets(sides, pair, stats))
                take_hits(question, sides, &pair, 1, m);
        }
}

static inline void find_box(const float (*corners)[4], grazei_bound *box)
{
    f4 p = f4_load(corners[0]), q = f4_load(corners[1]), r = f4_load(corners[2]);
    grazei_bound_set_box(box, f4_min(p, f4_min(q, r)), f4_max(p, f4_max(q, r)));
}

/* Whether a pair may count, by the boxes of its triangles. Those are seldom as far apart as what
 * counts: floats tell, which are off by 6 u, u = 2^-24.
 */
static inline bool pair_may_count(const grazei_distance_question *question,
                                  const patch_side sides[2], uint16_t pair, const float (*a)[4],
                                  const float (*b)[4])
{
    grazei_bound boxes[2];
    find_box(a, &boxes[0]);
    find_box(b, &boxes[1]);
    if ((double)grazei_box_gap_square(&boxes[0], &boxes[1]) < 0.99 * question->square)
        return true;
    return grazei_may_count(question, grazei_bound_square(&boxes[0], &boxes[1]),
                            sides[0].patch.names[grazei_pair_first(pair)],
                            sides[1].patch.names[grazei_pair_second(pair)]);
}

/* Distances of the pairs, but for those that meet. Where there are many, many may be equally near:
 * then those are left out that can no longer count.
 */
static inline void take_pairs(grazei_distance_question *question, const patch_side sides[2],
                              const uint16_t *pairs, size_t count, const meeting *m)
{
    float corners[2][DISTANCE_BLOCK][3][4] __attribute__((aligned(64)));
    grazei_corners rows[2][DISTANCE_BLOCK];
    uint16_t taken[DISTANCE_BLOCK];
    double squares[DISTANCE_BLOCK];
    bool many = question->kind == GRAZEI_NEAREST && count > DISTANCE_BLOCK;
    size_t block = question->kind == GRAZEI_CLOSER ? FIRST_BLOCK : DISTANCE_BLOCK;
    for (size_t next = 0; next < count && !is_settled(question);) {
        size_t size = 0;
        for (; next < count && size < block; next++) {
            rows[0][size] = (grazei_corners)corners[0][size];
            rows[1][size] = (grazei_corners)corners[1][size];
            taken[size] = pairs[next];
            load_pair(sides, pairs[next], corners[0][size], corners[1][size]);
            size +=
                !many || pair_may_count(question, sides, pairs[next], rows[0][size], rows[1][size]);
        }
        if (size)
            GRAZEI_ISA(narrow_distance_kernels).distance_squares(rows[0], rows[1], size, squares);
        for (size_t i = 0; i < size && !is_settled(question); i++)
            if (!is_in(m, taken[i]))
                take_pair(question, sides, taken[i], squares[i], corners[0][i][0],
                          corners[1][i][0]);
    }
}

#endif
