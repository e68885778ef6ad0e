/* Which boxes of small sets overlap: one box against a vector of boxes at a time. These are the box
 * functions of grazei_triangle_kernels.
 *
 * Most vectors hold no box that overlaps and are skipped, which a processor predicts well. In the
 * others it is close to random, so they are written without a branch: a whole vector is packed and
 * stored, and the next one overwrites what was too much.
 */
#ifndef GRAZEI_NARROW_BOX_WIDE_CHAPTER_H
#define GRAZEI_NARROW_BOX_WIDE_CHAPTER_H

#include "math/lanes.h"
#include "narrow/triangle_kernels.h"

#include <math.h>

/* Boxes in rows, as in grazei_triangle_set, and what to write for each if it overlaps. */
typedef struct box_rows {
    const float *boxes;
    const uint16_t *codes;
    size_t stride;
} box_rows;

/* Boxes of the named triangles copied together, with their codes. */
typedef struct box_copy {
    float boxes[6 * GRAZEI_SET_TRIANGLES];
    uint16_t codes[GRAZEI_SET_TRIANGLES];
} box_copy;

/* Writes the codes, each with `extra`, of the boxes that overlap the closed box and are not masked
 * (NULL: none is).
 */
GRAZEI_INLINE size_t write_overlapping(const box_rows *rows, const float least[3],
                                       const float greatest[3], uint16_t extra,
                                       const uint64_t mask[2], uint16_t *out)
{
    const float *box = rows->boxes;
    size_t stride = rows->stride, count = 0;
    lanes least_x = lanes_set(least[0]), greatest_x = lanes_set(greatest[0]);
    lanes least_y = lanes_set(least[1]), greatest_y = lanes_set(greatest[1]);
    lanes least_z = lanes_set(least[2]), greatest_z = lanes_set(greatest[2]);
    for (size_t i = 0; i < stride; i += GRAZEI_LANES, box += GRAZEI_LANES) {
        uint32_t wanted = mask ? ~(uint32_t)(mask[i >> 6] >> (i & 63)) & GRAZEI_LANES_ALL : 0;
        if (mask && !wanted)
            continue;
        lanes_mask x = mask_and(lanes_less_equal(lanes_load(box), greatest_x),
                                lanes_less_equal(least_x, lanes_load(box + 3 * stride)));
        lanes_mask y = mask_and(lanes_less_equal(lanes_load(box + stride), greatest_y),
                                lanes_less_equal(least_y, lanes_load(box + 4 * stride)));
        lanes_mask z = mask_and(lanes_less_equal(lanes_load(box + 2 * stride), greatest_z),
                                lanes_less_equal(least_z, lanes_load(box + 5 * stride)));
        uint32_t bits = mask_bits(mask_and(mask_and(x, y), z));
        if (mask)
            bits &= wanted;
        if (bits != 0)
            count += lanes_pack(out + count, rows->codes + i, extra, bits);
    }
    return count;
}

static size_t boxes_overlapping(const grazei_triangle_set *set, const float least[3],
                                const float greatest[3], uint16_t *numbers)
{
    uint16_t codes[GRAZEI_SET_TRIANGLES];
    for (uint32_t i = 0; i < set->stride; ++i)
        codes[i] = (uint16_t)i;
    box_rows rows = {set->boxes, codes, set->stride};
    return write_overlapping(&rows, least, greatest, 0, NULL, numbers);
}

static box_rows named_rows(const grazei_triangle_set *set, const uint16_t *numbers, size_t count,
                           box_copy *copy)
{
    if (!numbers) {
        for (uint32_t i = 0; i < set->stride; ++i)
            copy->codes[i] = grazei_pair(0, i);
        return (box_rows){set->boxes, copy->codes, set->stride};
    }
    size_t stride = (count + 15) & ~(size_t)15;
    for (size_t row = 0; row < 6; ++row) {
        float *out = copy->boxes + row * stride;
        for (size_t i = 0; i < count; ++i)
            out[i] = set->boxes[row * set->stride + numbers[i]];
        for (size_t i = count; i < stride; ++i)
            out[i] = row < 3 ? INFINITY : -INFINITY;
    }
    for (size_t i = 0; i < stride; ++i)
        copy->codes[i] = i < count ? grazei_pair(0, numbers[i]) : 0;
    return (box_rows){copy->boxes, copy->codes, stride};
}

static size_t box_pairs(const grazei_triangle_set *a, const uint16_t *a_numbers, size_t a_count,
                        const grazei_triangle_set *b, const uint16_t *b_numbers, size_t b_count,
                        uint16_t *pairs)
{
    box_copy copy;
    box_rows rows = named_rows(b, b_numbers, b_count, &copy);
    size_t count = 0;
    if (!a_numbers)
        a_count = a->count;
    for (size_t i = 0; i < a_count; ++i) {
        uint32_t number = a_numbers ? a_numbers[i] : (uint32_t)i;
        const float *box = a->boxes + number;
        size_t stride = a->stride;
        float least[3] = {box[0], box[stride], box[2 * stride]};
        float greatest[3] = {box[3 * stride], box[4 * stride], box[5 * stride]};
        count += write_overlapping(&rows, least, greatest, (uint16_t)number, NULL, pairs + count);
    }
    return count;
}

static size_t box_pairs_but(const grazei_triangle_set *a, const uint16_t *a_numbers, size_t a_count,
                            const grazei_triangle_set *b, const uint64_t (*masks)[2],
                            uint16_t *pairs)
{
    uint16_t codes[GRAZEI_SET_TRIANGLES];
    size_t count = 0, stride = a->stride;
    for (uint32_t i = 0; i < b->stride; ++i)
        codes[i] = grazei_pair(0, i);
    box_rows rows = {b->boxes, codes, b->stride};
    for (size_t i = 0; i < a_count; ++i) {
        const float *box = a->boxes + a_numbers[i];
        float least[3] = {box[0], box[stride], box[2 * stride]};
        float greatest[3] = {box[3 * stride], box[4 * stride], box[5 * stride]};
        count += write_overlapping(&rows, least, greatest, a_numbers[i], masks[i], pairs + count);
    }
    return count;
}

#endif
