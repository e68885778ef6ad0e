#include "narrow/patch_kernels.h"

#include "math/lanes.h"
#include "narrow/triangle.h"
#include "narrow/triangle_kernels.h"

#include <math.h>
#include <string.h>

/* A triangle of a tile per lane. */
typedef struct wide_source {
    const float *tile;
    size_t stride;
    lanes_spots spots;
} wide_source;

#include "narrow/triangle_wide.h"

GRAZEI_INLINE lanes3 load_corner(const wide_source *source, int number, lanes *fourth)
{
    lanes column[4];
    lanes_read_tile(source->tile, source->stride, &source->spots, (size_t)number, column);
    *fourth = column[3];
    return (lanes3){column[0], column[1], column[2]};
}

/* --- slabs --------------------------------------------------------------------------------- */

/* The way from one point to another, scaled to a greatest coordinate of 1. */
static bool find_diagonal(const float from[4], const float to[4], float way[3])
{
    float reach = 0;
    for (int k = 0; k < 3; ++k) {
        way[k] = to[k] - from[k];
        reach = fabsf(way[k]) > reach ? fabsf(way[k]) : reach;
    }
    if (!(reach >= 0x1p-60f && reach <= 0x1p62f))
        return false;
    float scale = 1 / reach;
    for (int k = 0; k < 3; ++k)
        way[k] *= scale;
    return true;
}

/* Any direction is right; this one makes the slab thin. What roundings add to coordinates of 2 is
 * within the margin.
 */
static bool find_normal(const float (*points)[4], const uint8_t spread[4], float normal[3])
{
    float a[3], b[3];
    if (!find_diagonal(points[spread[0]], points[spread[2]], a) ||
        !find_diagonal(points[spread[1]], points[spread[3]], b))
        return false;
    normal[0] = a[1] * b[2] - a[2] * b[1];
    normal[1] = a[2] * b[0] - a[0] * b[2];
    normal[2] = a[0] * b[1] - a[1] * b[0];
    return true;
}

typedef struct wide_slab {
    lanes3 normal, origin;
} wide_slab;

GRAZEI_INLINE wide_slab widen_slab(const grazei_slab *slab)
{
    return (wide_slab){
        {lanes_set(slab->normal[0]), lanes_set(slab->normal[1]), lanes_set(slab->normal[2])},
        {lanes_set(slab->origin[0]), lanes_set(slab->origin[1]), lanes_set(slab->origin[2])}};
}

GRAZEI_INLINE lanes along_slab(const wide_slab *slab, lanes3 point)
{
    return lanes3_dot(slab->normal, lanes3_sub(point, slab->origin));
}

GRAZEI_INLINE lanes3 load_points(const float *rows, size_t stride)
{
    return (lanes3){lanes_load(rows), lanes_load(rows + stride), lanes_load(rows + 2 * stride)};
}

/* The last point is repeated to the end of the rows. */
static void prepare(const grazei_posed_patch *patch, const uint8_t spread[4])
{
    const float(*points)[4] = patch->points;
    grazei_slab *slab = patch->slab;
    size_t count = patch->point_count, stride = grazei_patch_stride(patch->point_count);
    memcpy(slab->origin, points[0], sizeof slab->origin);
    if (!find_normal(points, spread, slab->normal))
        memset(slab->normal, 0, sizeof slab->normal);
    wide_slab wide = widen_slab(slab);
    lanes low = lanes_set(INFINITY), high = lanes_set(-INFINITY);
    for (size_t first = 0; first < stride; first += GRAZEI_LANES) {
        const float *row[GRAZEI_LANES];
        lanes column[4];
        for (size_t k = 0; k < GRAZEI_LANES; ++k)
            row[k] = points[first + k < count ? first + k : count - 1];
        lanes_load_rows(row, 0, column);
        for (size_t axis = 0; axis < 3; ++axis)
            lanes_store(patch->rows + axis * stride + first, column[axis]);
        lanes place = along_slab(&wide, (lanes3){column[0], column[1], column[2]});
        low = lanes_min(low, place);
        high = lanes_max(high, place);
    }
    slab->low = lanes_least(low);
    slab->high = lanes_greatest(high);
}

/* Whether all points of a patch are certainly beyond one side of another's slab. */
static bool beyond_slab(const grazei_posed_patch *patch, const grazei_slab *slab, float margin)
{
    size_t stride = grazei_patch_stride(patch->point_count);
    wide_slab wide = widen_slab(slab);
    lanes low = lanes_set(INFINITY), high = lanes_set(-INFINITY);
    for (size_t i = 0; i < stride; i += GRAZEI_LANES) {
        lanes place = along_slab(&wide, load_points(patch->rows + i, stride));
        low = lanes_min(low, place);
        high = lanes_max(high, place);
    }
    bool below = !mask_bits(lanes_less_equal(lanes_set(slab->low - margin), high));
    return below || !mask_bits(lanes_less_equal(low, lanes_set(slab->high + margin)));
}

/* --- culling ------------------------------------------------------------------------------- */

/* What points are culled by. */
typedef struct cull_planes {
    float low[3], high[3];
    const grazei_slab *slab;
    float margin;
} cull_planes;

static void find_codes(const grazei_posed_patch *patch, const cull_planes *by, uint8_t *codes)
{
    lanes low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        low[k] = lanes_set(by->low[k]);
        high[k] = lanes_set(by->high[k]);
    }
    size_t stride = grazei_patch_stride(patch->point_count);
    wide_slab wide = widen_slab(by->slab);
    lanes slab_low = lanes_set(by->slab->low - by->margin);
    lanes slab_high = lanes_set(by->slab->high + by->margin);
    for (size_t i = 0; i < stride; i += GRAZEI_LANES) {
        lanes3 point = load_points(patch->rows + i, stride);
        lanes place = along_slab(&wide, point);
        lanes_mask beyond[8] = {lanes_less(point.x, low[0]), lanes_less(high[0], point.x),
                                lanes_less(point.y, low[1]), lanes_less(high[1], point.y),
                                lanes_less(point.z, low[2]), lanes_less(high[2], point.z),
                                lanes_less(place, slab_low), lanes_less(slab_high, place)};
        lanes_outcodes(codes + i, beyond);
    }
}

static const uint16_t counting[GRAZEI_PATCH_TRIANGLES] = {
#define COUNT_4(n) n, n + 1, n + 2, n + 3
#define COUNT_16(n) COUNT_4(n), COUNT_4(n + 4), COUNT_4(n + 8), COUNT_4(n + 12)
    COUNT_16(0),  COUNT_16(16), COUNT_16(32), COUNT_16(48),
    COUNT_16(64), COUNT_16(80), COUNT_16(96), COUNT_16(112),
};

/* Repeats the last number up to the end of its vector: always 16 times, because a count that varies
 * is mispredicted.
 */
GRAZEI_INLINE void pad(uint16_t *numbers, size_t count)
{
    uint16_t last = numbers[count - 1];
    for (size_t k = 0; k < 16; ++k)
        numbers[count + k] = last;
}

/* Writes the numbers of the triangles whose corners are not all beyond one side. */
static size_t cull_triangles(const grazei_posed_patch *patch, const cull_planes *by,
                             uint16_t *numbers)
{
    uint8_t codes[GRAZEI_PATCH_POINTS] = {0}; /* rows behind the triangles may name any point */
    uint32_t count = patch->triangle_count;
    size_t found = 0;
    find_codes(patch, by, codes);
    for (uint32_t first = 0; first < count; first += GRAZEI_LANES) {
        uint32_t bits = lanes_share_none(codes, (uint32_t)grazei_patch_stride(patch->point_count),
                                         patch->corners + first);
        if (count - first < GRAZEI_LANES)
            bits &= (1u << (count - first)) - 1;
        found += lanes_pack(numbers + found, counting + first, 0, bits);
    }
    return found;
}

/* --- what is left ---------------------------------------------------------------------------- */

/* Triangles copied together: their numbers in the patch, boxes in six rows (least x, y, z, greatest
 * x, y, z; the padding overlaps nothing), corners with the normal in the fourth places.
 */
typedef struct culled_patch {
    size_t count, stride;
    lanes low[3], high[3]; /* the box of all, as the least and the greatest of any lane */
    uint16_t numbers[GRAZEI_PATCH_TRIANGLES + 16];
    float boxes[6 * GRAZEI_PATCH_TRIANGLES] __attribute__((aligned(64)));
    float tile[12 * GRAZEI_PATCH_TRIANGLES] __attribute__((aligned(64)));
} culled_patch;

static const float counting_up[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* GRAZEI_LANES triangles from `first` on, which are there up to the count. */
GRAZEI_INLINE void fill_culled(const grazei_posed_patch *patch, const uint8_t (*corners)[4],
                               size_t first, culled_patch *left)
{
    size_t stride = grazei_patch_stride(patch->point_count);
    lanes column[3][4], extent = lanes_set(0);
    lanes_mask padding =
        lanes_less_equal(lanes_set((float)left->count - (float)first), lanes_load(counting_up));
    for (unsigned i = 0; i < 3; ++i)
        lanes_pick_points(patch->points, patch->rows, stride, corners, i, column[i]);
    for (size_t axis = 0; axis < 3; ++axis) {
        lanes least = lanes_min3(column[0][axis], column[1][axis], column[2][axis]);
        lanes greatest = lanes_max3(column[0][axis], column[1][axis], column[2][axis]);
        extent = lanes_max(extent, lanes_sub(greatest, least));
        left->low[axis] = lanes_min(left->low[axis], least);
        left->high[axis] = lanes_max(left->high[axis], greatest);
        lanes_store(left->boxes + axis * left->stride + first,
                    lanes_select(padding, lanes_set(INFINITY), least));
        lanes_store(left->boxes + (axis + 3) * left->stride + first,
                    lanes_select(padding, lanes_set(-INFINITY), greatest));
    }
    lanes3 corner[3];
    for (int i = 0; i < 3; ++i)
        corner[i] = (lanes3){column[i][0], column[i][1], column[i][2]};
    lanes3 normal = scaled_normal(corner, extent);
    column[0][3] = normal.x;
    column[1][3] = normal.y;
    column[2][3] = normal.z;
    for (size_t i = 0; i < 3; ++i)
        lanes_write_tile(left->tile, left->stride, first, i, column[i]);
}

/* What is left of a patch; false: nothing. */
static bool cull(const grazei_posed_patch *patch, const cull_planes *by, culled_patch *left)
{
    uint8_t corners[GRAZEI_PATCH_TRIANGLES][4];
    left->count = cull_triangles(patch, by, left->numbers);
    left->stride = (left->count + 15) & ~(size_t)15;
    if (!left->count)
        return false;
    pad(left->numbers, left->count);
    for (size_t i = 0; i < left->stride; i += 16)
        for (size_t k = 0; k < 16; ++k)
            memcpy(corners[i + k], patch->corners[left->numbers[i + k]], 4);
    for (int axis = 0; axis < 3; ++axis) {
        left->low[axis] = lanes_set(INFINITY);
        left->high[axis] = lanes_set(-INFINITY);
    }
    for (size_t first = 0; first < left->stride; first += GRAZEI_LANES)
        fill_culled(patch, (const uint8_t(*)[4])corners + first, first, left);
    return true;
}

/* --- pairs ----------------------------------------------------------------------------------- */

/* Which of GRAZEI_LANES boxes of b overlap a box of a. */
GRAZEI_INLINE uint32_t overlapping(const lanes box[6], const float *boxes, size_t stride)
{
    lanes_mask x = mask_and(lanes_less_equal(lanes_load(boxes), box[3]),
                            lanes_less_equal(box[0], lanes_load(boxes + 3 * stride)));
    lanes_mask y = mask_and(lanes_less_equal(lanes_load(boxes + stride), box[4]),
                            lanes_less_equal(box[1], lanes_load(boxes + 4 * stride)));
    lanes_mask z = mask_and(lanes_less_equal(lanes_load(boxes + 2 * stride), box[5]),
                            lanes_less_equal(box[2], lanes_load(boxes + 5 * stride)));
    return mask_bits(mask_and(mask_and(x, y), z));
}

/* So many candidates are tested at a time, at most: a row more, and a vector behind the last. */
enum { CANDIDATES = 2048, CANDIDATE_ROOM = CANDIDATES + GRAZEI_PATCH_TRIANGLES + 16 };

/* Pairs whose boxes overlap, as numbers in the culled patches: from triangle *next of a on, as many
 * as there is room for.
 */
static size_t find_candidates(const culled_patch *a, const culled_patch *b, size_t *next,
                              uint16_t pairs[CANDIDATE_ROOM])
{
    uint16_t codes[GRAZEI_PATCH_TRIANGLES];
    size_t found = 0, i = *next;
    for (size_t k = 0; k < b->stride; ++k)
        codes[k] = (uint16_t)(k << 8);
    for (; i < a->count && found <= CANDIDATES; ++i) {
        lanes box[6];
        for (size_t row = 0; row < 6; ++row)
            box[row] = lanes_set(a->boxes[row * a->stride + i]);
        for (size_t k = 0; k < b->stride; k += GRAZEI_LANES) {
            uint32_t bits = overlapping(box, b->boxes + k, b->stride);
            found += lanes_pack(pairs + found, codes + k, (uint16_t)i, bits);
        }
    }
    *next = i;
    return found;
}

static bool pair_meets(const culled_patch *a, const culled_patch *b, uint16_t pair)
{
    float corners[2][3][3];
    for (size_t i = 0; i < 3; ++i) {
        lanes_read_item(a->tile, a->stride, grazei_pair_first(pair), i, corners[0][i]);
        lanes_read_item(b->tile, b->stride, grazei_pair_second(pair), i, corners[1][i]);
    }
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

/* Two triangles per lane. Pairs are read as bytes, and one byte behind the last may be. */
typedef struct wide_pair {
    wide_source a, b;
} wide_pair;

GRAZEI_INLINE wide_pair find_pair(const culled_patch *a, const culled_patch *b,
                                  const uint16_t *pairs)
{
    const uint8_t *bytes = (const uint8_t *)pairs;
    return (wide_pair){{a->tile, a->stride, lanes_find_spots(bytes + GRAZEI_FIRST_BYTE)},
                       {b->tile, b->stride, lanes_find_spots(bytes + GRAZEI_SECOND_BYTE)}};
}

GRAZEI_INLINE uint32_t bits_at(size_t i, size_t count)
{
    return count - i >= GRAZEI_LANES ? GRAZEI_LANES_ALL : (1u << (count - i)) - 1;
}

/* How many pairs pass through the steps at a time. */
enum { BLOCK = 1024, BLOCK_VECTORS = BLOCK / GRAZEI_LANES };

/* Keeps the marked ones of up to BLOCK pairs. A loop of its own: where to write depends on all
 * marks before, and the tests need not wait for that.
 */
static size_t keep_marked(const uint16_t *pairs, size_t count, const uint16_t marks[BLOCK_VECTORS],
                          uint16_t *out)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i += GRAZEI_LANES)
        found += lanes_pack(out + found, pairs + i, 0, marks[i / GRAZEI_LANES]);
    return found;
}

/* Keeps the pairs that no plane certainly separates. */
static size_t keep_open(const culled_patch *a, const culled_patch *b, const wide_margins *margins,
                        uint16_t *pairs, size_t count, uint16_t *out)
{
    uint16_t marks[BLOCK_VECTORS];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_pair pair = find_pair(a, b, pairs + i);
        uint32_t bits = not_separated_in_lanes(&pair.a, &pair.b, margins);
        marks[i / GRAZEI_LANES] = (uint16_t)(bits & bits_at(i, count));
    }
    return keep_marked(pairs, count, marks, out);
}

static size_t keep_meeting(const culled_patch *a, const culled_patch *b,
                           const wide_margins *margins, uint16_t *pairs, size_t count)
{
    uint16_t marks[BLOCK_VECTORS];
    for (size_t i = 0; i < count; i += GRAZEI_LANES) {
        wide_pair pair = find_pair(a, b, pairs + i);
        wide_answer answer = meet_in_lanes(&pair.a, &pair.b, margins);
        uint32_t bits = bits_at(i, count);
        for (uint32_t unsure = answer.unsure & bits; unsure; unsure &= unsure - 1) {
            int k = __builtin_ctz(unsure);
            answer.hit |= (uint32_t)pair_meets(a, b, pairs[i + (size_t)k]) << k;
        }
        marks[i / GRAZEI_LANES] = (uint16_t)(answer.hit & bits);
    }
    return keep_marked(pairs, count, marks, pairs);
}

/* Of candidates those that meet, as numbers in the patches, in place. In two passes: the planes
 * part most of them, and what is left fills whole vectors again.
 */
static size_t test_candidates(const culled_patch *a, const culled_patch *b, float reach,
                              uint16_t *pairs, size_t count)
{
    uint16_t open[BLOCK + 16];
    wide_margins margins = wide_margins_of(reach);
    size_t found = 0;
    pad(pairs, count);
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;
        size_t kept = keep_open(a, b, &margins, pairs + first, size, open);
        if (!kept)
            continue;
        pad(open, kept);
        kept = keep_meeting(a, b, &margins, open, kept);
        for (size_t i = 0; i < kept; ++i)
            pairs[found++] = grazei_pair(a->numbers[grazei_pair_first(open[i])],
                                         b->numbers[grazei_pair_second(open[i])]);
    }
    return found;
}

static void meet(const grazei_posed_patch *a, const grazei_posed_patch *b, grazei_take_pairs take,
                 void *user, uint64_t *tests)
{
    culled_patch left_a, left_b;
    float reach = 0;
    cull_planes planes = {.slab = b->slab};
    for (int k = 0; k < 3; ++k) {
        float low = a->low_negated[k] > b->low_negated[k] ? a->low_negated[k] : b->low_negated[k];
        float high = a->high[k] > b->high[k] ? a->high[k] : b->high[k];
        reach = low + high > reach ? low + high : reach;
        planes.low[k] = -b->low_negated[k];
        planes.high[k] = b->high[k];
    }
    planes.margin = grazei_slab_margin(reach);
    if (beyond_slab(a, b->slab, planes.margin) || beyond_slab(b, a->slab, planes.margin) ||
        !cull(a, &planes, &left_a))
        return;
    /* What is left of a bounds what can be left of b. */
    for (int k = 0; k < 3; ++k) {
        planes.low[k] = lanes_least(left_a.low[k]);
        planes.high[k] = lanes_greatest(left_a.high[k]);
    }
    planes.slab = a->slab;
    if (!cull(b, &planes, &left_b))
        return;
    for (size_t next = 0; next < left_a.count;) {
        uint16_t pairs[CANDIDATE_ROOM];
        size_t count = find_candidates(&left_a, &left_b, &next, pairs);
        *tests += count;
        if (count)
            count = test_candidates(&left_a, &left_b, reach, pairs, count);
        if (count && !take(user, pairs, count))
            return;
    }
}

const grazei_patch_kernels GRAZEI_ISA(patch_kernels) = {prepare, meet};
