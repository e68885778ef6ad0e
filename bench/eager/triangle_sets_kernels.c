/* The library's triangle test in lanes, as it was: see triangle_wide.h. */
#include "bench/eager/triangle_sets.h"

#include "bench/eager/triangle_wide.h"

#include "narrow/triangle.h"

/* Reads the pairs as bytes: compilers spill 16-bit numbers in ways that stall the next load. */
EAGER_INLINE wide_source find_rows(const eager_triangle_set *set, const uint16_t pairs[], int byte)
{
    const uint8_t *numbers = (const uint8_t *)pairs + byte;
    wide_source rows;
    for (int k = 0; k < EAGER_LANE_COUNT; ++k)
        rows.row[k] = &set->corners[numbers[2 * k]][0][0];
    return rows;
}

static bool pair_meets(const eager_triangle_set *a, const eager_triangle_set *b, uint16_t pair)
{
    float corners[2][3][3];
    for (int i = 0; i < 3; ++i) {
        memcpy(corners[0][i], a->corners[eager_pair_first(pair)][i], sizeof corners[0][i]);
        memcpy(corners[1][i], b->corners[eager_pair_second(pair)][i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet(corners[0], corners[1]);
}

/* One instruction each, where fminf and fmaxf are calls. */
EAGER_INLINE float lesser(float a, float b)
{
    return a < b ? a : b;
}

EAGER_INLINE float greater(float a, float b)
{
    return a > b ? a : b;
}

static wide_margins find_margins(const eager_triangle_set *a, const eager_triangle_set *b)
{
    float reach = 0;
    for (int axis = 0; axis < 3; ++axis) {
        float least = lesser(a->bounds[axis], b->bounds[axis]);
        float greatest = greater(a->bounds[axis + 3], b->bounds[axis + 3]);
        reach = greater(reach, greatest - least);
    }
    return wide_margins_of(reach);
}

EAGER_INLINE uint32_t not_separated(const eager_triangle_set *a, const eager_triangle_set *b,
                                    const wide_margins *margins, const uint16_t pairs[])
{
    wide_source a_rows = find_rows(a, pairs, EAGER_FIRST_BYTE),
                b_rows = find_rows(b, pairs, EAGER_SECOND_BYTE);
    return not_separated_in_lanes(&a_rows, &b_rows, margins);
}

/* How many pairs pass through the steps at a time. */
enum { BLOCK = 1024, BLOCK_VECTORS = BLOCK / EAGER_LANE_COUNT };

/* A vector of pairs; the last one is made up of `count - i` pairs, with the last repeated. */
EAGER_INLINE const uint16_t *pairs_at(const uint16_t *pairs, size_t i, size_t count,
                                      uint16_t last[EAGER_LANE_COUNT])
{
    if (count - i >= EAGER_LANE_COUNT)
        return pairs + i;
    for (size_t k = 0; k < EAGER_LANE_COUNT; ++k)
        last[k] = pairs[i + k < count ? i + k : count - 1];
    return last;
}

EAGER_INLINE uint32_t bits_at(size_t i, size_t count)
{
    return count - i >= EAGER_LANE_COUNT ? EAGER_LANE_COUNT_ALL : (1u << (count - i)) - 1;
}

/* Marks those pairs that no plane certainly separates. */
static void mark_open(const eager_triangle_set *a, const eager_triangle_set *b,
                      const wide_margins *margins, const uint16_t *pairs, size_t count,
                      uint16_t marks[BLOCK_VECTORS])
{
    uint16_t last[EAGER_LANE_COUNT];
    for (size_t i = 0; i < count; i += EAGER_LANE_COUNT) {
        uint32_t bits = not_separated(a, b, margins, pairs_at(pairs, i, count, last));
        marks[i / EAGER_LANE_COUNT] = (uint16_t)(bits & bits_at(i, count));
    }
}

/* Marks those pairs that meet. */
static void mark_meeting(const eager_triangle_set *a, const eager_triangle_set *b,
                         const wide_margins *margins, const uint16_t *pairs, size_t count,
                         uint16_t marks[BLOCK_VECTORS])
{
    uint16_t last[EAGER_LANE_COUNT];
    for (size_t i = 0; i < count; i += EAGER_LANE_COUNT) {
        const uint16_t *vector = pairs_at(pairs, i, count, last);
        uint32_t bits = bits_at(i, count);
        wide_source a_rows = find_rows(a, vector, EAGER_FIRST_BYTE);
        wide_source b_rows = find_rows(b, vector, EAGER_SECOND_BYTE);
        wide_answer answer = meet_in_lanes(&a_rows, &b_rows, margins);
        for (uint32_t left = answer.unsure & bits; left; left &= left - 1) {
            int k = __builtin_ctz(left);
            answer.hit |= (uint32_t)pair_meets(a, b, vector[k]) << k;
        }
        marks[i / EAGER_LANE_COUNT] = (uint16_t)(answer.hit & bits);
    }
}

/* Writes the marked pairs; `out` has room for a vector more and may be `pairs`. A loop of its own:
 * where to write depends on all marks before, and the tests need not wait for that.
 */
static size_t keep_marked(const uint16_t *pairs, size_t count, const uint16_t marks[BLOCK_VECTORS],
                          uint16_t *out)
{
    uint16_t last[EAGER_LANE_COUNT];
    size_t found = 0;
    for (size_t i = 0; i < count; i += EAGER_LANE_COUNT) {
        const uint16_t *vector = pairs_at(pairs, i, count, last);
        found += lanes_pack(out + found, vector, marks[i / EAGER_LANE_COUNT]);
    }
    return found;
}

/* In two passes over a block of pairs: the planes part most of them, and what is left fills whole
 * vectors again. That is worth loading the triangles of those twice.
 */
size_t EAGER_ISA(triangle_pairs)(const eager_triangle_set *a, const eager_triangle_set *b,
                                 const uint16_t *pairs, size_t count, uint16_t *hits)
{
    uint16_t open[BLOCK + EAGER_LANE_COUNT], marks[BLOCK_VECTORS];
    wide_margins margins = find_margins(a, b);
    size_t found = 0;
    for (size_t first = 0; first < count; first += BLOCK) {
        size_t size = count - first < BLOCK ? count - first : BLOCK;
        mark_open(a, b, &margins, pairs + first, size, marks);
        size_t kept = keep_marked(pairs + first, size, marks, open);
        mark_meeting(a, b, &margins, open, kept, marks);
        kept = keep_marked(open, kept, marks, open);
        memcpy(hits + found, open, kept * sizeof *hits);
        found += kept;
    }
    return found;
}

/* EAGER_LANE_COUNT triangles of a set, from `first` on: boxes and corners. */
EAGER_INLINE void fill_set(const float *const rows[3][EAGER_LANE_COUNT], uint32_t first,
                           const eager_triangle_set *set, lanes bounds[6])
{
    lanes column[3][4], extent = lanes_set(0);
    float *out[EAGER_LANE_COUNT];
    for (int i = 0; i < 3; ++i)
        lanes_load_rows(rows[i], 0, column[i]);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        lanes least = lanes_min3(column[0][axis], column[1][axis], column[2][axis]);
        lanes greatest = lanes_max3(column[0][axis], column[1][axis], column[2][axis]);
        extent = lanes_max(extent, lanes_sub(greatest, least));
        bounds[axis] = lanes_min(bounds[axis], least);
        bounds[axis + 3] = lanes_max(bounds[axis + 3], greatest);
        lanes_store(set->boxes + axis * set->stride + first, least);
        lanes_store(set->boxes + (axis + 3) * set->stride + first, greatest);
    }
    lanes3 corner[3];
    for (int i = 0; i < 3; ++i)
        corner[i] = (lanes3){column[i][0], column[i][1], column[i][2]};
    lanes3 normal = scaled_normal(corner, extent);
    column[0][3] = normal.x;
    column[1][3] = normal.y;
    column[2][3] = normal.z;
    for (uint32_t k = 0; k < EAGER_LANE_COUNT; ++k)
        out[k] = &set->corners[first + k][0][0];
    for (int i = 0; i < 3; ++i)
        lanes_store_rows(out, (size_t)(4 * i), column[i]);
}

static void reduce_bounds(const lanes bounds[6], float out[6])
{
    for (int row = 0; row < 6; ++row) {
        float lane[EAGER_LANE_COUNT];
        lanes_store(lane, bounds[row]);
        out[row] = lane[0];
        for (int k = 1; k < EAGER_LANE_COUNT; ++k)
            out[row] = row < 3 ? lesser(out[row], lane[k]) : greater(out[row], lane[k]);
    }
}

void EAGER_ISA(triangle_set)(const float (*vertices)[4], const uint8_t (*numbers)[4],
                             const eager_triangle_set *set)
{
    lanes bounds[6];
    for (int row = 0; row < 6; ++row)
        bounds[row] = lanes_set(row < 3 ? INFINITY : -INFINITY);
    for (uint32_t first = 0; first < set->stride; first += EAGER_LANE_COUNT) {
        const float *rows[3][EAGER_LANE_COUNT];
        for (uint32_t k = 0; k < EAGER_LANE_COUNT; ++k) {
            uint32_t number = first + k < set->count ? first + k : set->count - 1;
            for (int i = 0; i < 3; ++i)
                rows[i][k] = vertices[numbers[number][i]];
        }
        fill_set(rows, first, set, bounds);
    }
    for (uint32_t row = 0; row < 6; ++row) {
        for (uint32_t i = set->count; i < set->stride; ++i)
            set->boxes[row * set->stride + i] = row < 3 ? INFINITY : -INFINITY;
    }
    reduce_bounds(bounds, set->bounds);
}
