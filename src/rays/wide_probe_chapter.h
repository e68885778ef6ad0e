/* Up to 64 rays made ready together, and boxes against them: a ray in each lane. What is computed
 * of a ray, and of a ray and a box, is what ray.c and walk_chapter.h compute, number by number, so
 * that ray.c has the proof. Included by ray_kernels.c only, where lanes are wide.
 */
#ifndef GRAZEI_RAYS_WIDE_PROBE_CHAPTER_H
#define GRAZEI_RAYS_WIDE_PROBE_CHAPTER_H

#include "base/assert.h"
#include "math/wide.h"
#include "rays/ray.h"

#include <float.h>
#include <string.h>

#if defined(GRAZEI_WIDE)

#define WIDE_RAYS GRAZEI_RAY_PACKET

/* Where a box has its least planes, negated, and its greatest, as floats. */
enum { WIDE_LEAST = 0, WIDE_GREATEST = 4 };

typedef struct wide_probes {
    /* What is subtracted from least planes as they are stored, negated, and from greatest ones, and
     * what the difference is multiplied by: the inverse of dir, negated for the former.
     */
    float origin[2][3][WIDE_RAYS], slope[2][3][WIDE_RAYS];
    float t_min[WIDE_RAYS], t_max[WIDE_RAYS]; /* t_max comes down to the best hit's t */
    float rows[WIDE_RAYS][8];                 /* origin, t_min, dir, t_max */
    float forms[2][WIDE_RAYS];                /* s and r, see ray.c */
    float margin[WIDE_RAYS], axis[WIDE_RAYS]; /* of forms; the largest axis of dir */
    uint64_t down[3];                         /* rays that go down along each axis */
    bool mixed;                               /* not all rays go down along the same axes */
    bool fan;                                 /* all rays have one origin */
} wide_probes __attribute__((aligned(64)));

/* The rays' own numbers: columns of origin, t_min, dir and t_max. */
static inline void wide_load(wide_probes *p, const graze_ray *rays, uint32_t first, uint32_t count,
                             lanes column[8])
{
    static const int32_t order[8] = {0, 1, 2, 6, 3, 4, 5, 7};
    const float *rows[GRAZEI_LANES];
    _Static_assert(sizeof(graze_ray) == 32 && offsetof(graze_ray, t_min) == 24, "eight floats");
    for (uint32_t i = first; i < first + GRAZEI_LANES; i++) {
        if (i < count)
            eight_in_order(p->rows[i], (const float *)(const void *)&rays[i], order);
        rows[i - first] = p->rows[i < count ? i : 0];
    }
    lanes_load_rows(rows, 0, column);
    lanes_load_rows(rows, 4, column + 4);
}

/* Along which axis each dir is largest: of three values, the one along that axis. */
typedef struct wide_largest {
    lanes_mask first, last; /* x rather than y, that one rather than z */
} wide_largest;

GRAZEI_INLINE lanes wide_along(const wide_largest *largest, lanes x, lanes y, lanes z)
{
    return lanes_select(largest->last, lanes_select(largest->first, x, y), z);
}

static inline void wide_make_planes(wide_probes *p, uint32_t first, const lanes column[8],
                                    const lanes size[3], lanes greatest, lanes t_reach)
{
    lanes least_size = lanes_mul(lanes_set(0x1p-64f), greatest), zero = lanes_set(0);
    for (int k = 0; k < 3; k++) {
        lanes_mask moves = lanes_less(least_size, size[k]);
        lanes share = lanes_select(moves, lanes_set(0x1p-20f), lanes_set(1));
        lanes pad = lanes_add(lanes_add(lanes_mul(lanes_mul(size[k], t_reach), share),
                                        lanes_mul(lanes_abs(column[k]), lanes_set(0x1p-22f))),
                              lanes_set(0x1p-80f));
        lanes inverse =
            lanes_select(moves, lanes_div(lanes_set(1), column[4 + k]), lanes_set(INFINITY));
        lanes_store(p->origin[0][k] + first, lanes_sub(zero, lanes_add(column[k], pad)));
        lanes_store(p->origin[1][k] + first, lanes_sub(column[k], pad));
        lanes_store(p->slope[0][k] + first, lanes_sub(zero, inverse));
        lanes_store(p->slope[1][k] + first, inverse);
        p->down[k] |= (uint64_t)mask_bits(lanes_less(inverse, zero)) << first;
    }
}

static inline void wide_make_some(wide_probes *p, const graze_ray *rays, uint32_t first,
                                  uint32_t count, const grazei_bound *root)
{
    const lanes grow = lanes_set(1 + 0x1p-20f);
    lanes column[8], size[3], reach[3];
    wide_load(p, rays, first, count, column);
    for (int k = 0; k < 3; k++) {
        lanes from = lanes_set(p->rows[0][k]);
        p->fan &= !mask_bits(mask_or(lanes_less(column[k], from), lanes_less(from, column[k])));
        size[k] = lanes_abs(column[4 + k]);
        lanes below = lanes_abs(lanes_add(lanes_set(root->low_negated[k]), column[k]));
        lanes above = lanes_abs(lanes_sub(lanes_set(root->high[k]), column[k]));
        reach[k] = lanes_mul(lanes_max(below, above), grow);
    }
    wide_largest largest = {.first = lanes_less_equal(size[1], size[0])};
    largest.last = lanes_less_equal(size[2], lanes_select(largest.first, size[0], size[1]));
    lanes greatest = wide_along(&largest, size[0], size[1], size[2]);
    lanes along = wide_along(&largest, reach[0], reach[1], reach[2]);
    lanes t_reach = lanes_mul(lanes_div(along, greatest), grow);
    wide_make_planes(p, first, column, size, greatest, t_reach);
    const lanes *dir = column + 4;
    lanes main = wide_along(&largest, dir[0], dir[1], dir[2]);
    lanes_store(p->forms[0] + first, lanes_div(wide_along(&largest, dir[1], dir[2], dir[0]), main));
    lanes_store(p->forms[1] + first, lanes_div(wide_along(&largest, dir[2], dir[0], dir[1]), main));
    lanes_store(p->margin + first,
                lanes_add(lanes_mul(lanes_max3(reach[0], reach[1], reach[2]), lanes_set(0x1p-19f)),
                          lanes_set(0x1p-100f)));
    lanes_store(p->axis + first, wide_along(&largest, lanes_set(0), lanes_set(1), lanes_set(2)));
    lanes_store(p->t_min + first, column[3]);
    lanes_store(p->t_max + first, column[7]);
}

/* For what lies within a box: that of the body's root. Rays beyond the last one meet nothing. */
static void wide_make_probes(wide_probes *p, const graze_ray *rays, uint32_t count,
                             const grazei_bound *root)
{
    p->fan = true;
    p->mixed = false;
    for (int k = 0; k < 3; k++)
        p->down[k] = 0;
    for (uint32_t first = 0; first < WIDE_RAYS; first += GRAZEI_LANES)
        wide_make_some(p, rays, first, count, root);
    for (uint32_t r = count; r < WIDE_RAYS; r++)
        p->t_max[r] = -INFINITY;
    for (int k = 0; k < 3; k++)
        p->mixed |= p->down[k] != 0 && p->down[k] != UINT64_MAX;
}

/* Which of these rays meet each of up to four boxes, and for each box at most the least t at which
 * one of them does; keys may be NULL. Lanes of other rays are computed, too: where they meet the
 * box its key may be less.
 */
GRAZEI_INLINE void wide_pierce_so(const wide_probes *p, uint64_t rays, const grazei_bound *boxes,
                                  uint32_t count, uint64_t met[4], float keys[4], bool mixed)
{
    const float *planes = (const float *)(const void *)boxes;
    uint32_t in[3];
    lanes least[4];
    _Static_assert(sizeof(grazei_bound) == 32, "eight floats");
    for (int k = 0; k < 3; k++)
        in[k] = !mixed && p->down[k] ? 1 : 0;
    for (uint32_t c = 0; c < count; c++) {
        met[c] = 0;
        least[c] = lanes_set(INFINITY);
    }
    for (uint32_t at = 0; at < WIDE_RAYS; at += GRAZEI_LANES) {
        uint32_t wanted = (uint32_t)(rays >> at) & GRAZEI_LANES_ALL;
        if (!wanted)
            continue;
        lanes t_min = lanes_load(p->t_min + at), t_max = lanes_load(p->t_max + at);
        lanes from[2][3], slope[2][3];
        lanes_mask down[3];
        for (int k = 0; k < 3; k++) {
            for (uint32_t side = 0; side < 2; side++) {
                from[side][k] = lanes_load(p->origin[side ^ in[k]][k] + at);
                slope[side][k] = lanes_load(p->slope[side ^ in[k]][k] + at);
            }
            down[k] = lanes_less(slope[1][k], lanes_set(0));
        }
        for (uint32_t c = 0; c < count; c++) {
            lanes near = t_min, far = t_max;
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t first = (in[k] ? WIDE_GREATEST : WIDE_LEAST) + k;
                uint32_t last = (in[k] ? WIDE_LEAST : WIDE_GREATEST) + k;
                lanes enter =
                    lanes_mul(lanes_sub(lanes_set(planes[8 * c + first]), from[0][k]), slope[0][k]);
                lanes leave =
                    lanes_mul(lanes_sub(lanes_set(planes[8 * c + last]), from[1][k]), slope[1][k]);
                near = lanes_max(mixed ? lanes_select(down[k], leave, enter) : enter, near);
                far = lanes_min(mixed ? lanes_select(down[k], enter, leave) : leave, far);
            }
            lanes_mask meets = lanes_less_equal(near, far);
            met[c] |= (uint64_t)(mask_bits(meets) & wanted) << at;
            if (keys)
                least[c] = lanes_min(least[c], lanes_select(meets, near, lanes_set(INFINITY)));
        }
    }
    for (uint32_t c = 0; keys && c < count; c++)
        keys[c] = lanes_least(least[c]);
}

static inline void wide_pierce(const wide_probes *p, uint64_t rays, const grazei_bound *boxes,
                               uint32_t count, uint64_t met[4], float keys[4])
{
    GRAZE_ASSERT(count > 0 && count <= 4);
    if (p->mixed)
        wide_pierce_so(p, rays, boxes, count, met, keys, true);
    else if (count == 4 && keys)
        wide_pierce_so(p, rays, boxes, 4, met, keys, false);
    else if (count == 4)
        wide_pierce_so(p, rays, boxes, 4, met, NULL, false);
    else
        wide_pierce_so(p, rays, boxes, count, met, keys, false);
}

/* Rays that have no hit before this t. */
static inline uint64_t wide_still_open(const wide_probes *p, uint64_t rays, float key)
{
    uint64_t open = 0;
    for (uint32_t at = 0; at < WIDE_RAYS; at += GRAZEI_LANES)
        open |= (uint64_t)mask_bits(lanes_less_equal(lanes_set(key), lanes_load(p->t_max + at)))
                << at;
    return rays & open;
}

/* Whether grazei_check_ray takes all of these rays; if not, or where this cannot tell, that says
 * what is wrong.
 */
static bool wide_are_fine(const graze_ray *rays, size_t count)
{
    /* origin below 1e18, dir at most that, t_min finite. t_max may be infinite. */
    static const float most[8] = {0x1.bc16d4p+59f, 0x1.bc16d4p+59f, 0x1.bc16d4p+59f, 1e18f,
                                  1e18f,           1e18f,           FLT_MAX,         INFINITY};
    float limits[GRAZEI_LANES];
    uint32_t bad = 0;
    for (uint32_t i = 0; i < GRAZEI_LANES; i++)
        limits[i] = most[i % 8];
    lanes limit = lanes_load(limits), least = lanes_set(1e-18f);
    for (size_t i = 0; i < count; i += GRAZEI_LANES / 8) {
        const graze_ray *from = count - i >= GRAZEI_LANES / 8 ? &rays[i] : &rays[count - 1];
        float tail[GRAZEI_LANES];
        if (GRAZEI_LANES > 8 && count - i < GRAZEI_LANES / 8) {
            for (uint32_t k = 0; k < GRAZEI_LANES; k += 8)
                memcpy(tail + k, from, sizeof *from);
            from = (const graze_ray *)(const void *)tail;
        }
        lanes size = lanes_abs(lanes_load((const float *)(const void *)from));
        uint32_t moves = mask_bits(lanes_less_equal(least, size));
        bad |= mask_bits(lanes_less_equal(size, limit)) ^ GRAZEI_LANES_ALL;
        for (uint32_t k = 0; k < GRAZEI_LANES / 8; k++)
            bad |= !(moves >> (8 * k + 3) & 7) | !(from[k].t_max >= from[k].t_min);
    }
    return !bad;
}

#endif

#endif
