/* How much what is left of weights differs between two sets of vertices, per distance, if one comes
 * after the other along some direction. All that is found is rounded up.
 *
 * Let u be of length 1, V linear within triangles, and |V(x) - V(y)| <= t u.(x - y) for all
 * vertices x of one set and y of the other. The left side is convex in x and y, the right side
 * linear, so it holds for all points of their triangles; and u.(x - y) <= |x - y|.
 */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* What is less than a gap along a direction, as all distances: see near.c. */
#define PART (1 - 1e-5f)

/* Gaps are differences of places as they are written down here, so that PART of them and blur are
 * off already; four roundings more than near.c has are below 4 u of the reach, and blur has 16 u to
 * spare.
 */
bool grazei_sets_apart(const grazei_fold_builder *b, grazei_vertex_set *first,
                       grazei_vertex_set *second)
{
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < first->count; i++) {
        first->along[i] = first->along[i] * PART - b->blur;
        low = f1_min(low, first->along[i]);
    }
    for (uint32_t i = 0; i < second->count; i++) {
        second->along[i] *= PART;
        high = f1_max(high, second->along[i]);
    }
    first->end = low;
    second->end = high;
    return low - high > 0x1p-60f; /* squares of smaller ones might underflow */
}

/* Squares of what need not be looked at, per gap. */
typedef struct pair_limits {
    f4 r, q;
} pair_limits;

static f4 limit_of(const grazei_joint_four *four, int kind, float most_inverse)
{
    f4 limit = four->found[kind] * f4_all(1 - 8 * LOSS) -
               f4_all(LOSS) * four->most[kind] * f4_all(most_inverse);
    i4 positive = limit > 0;
    return (f4)((positive & (i4)(limit * limit)) | (~positive & (i4)f4_all(-1)));
}

/* Which vertices of a set, as bits, may exceed the limits with another set, by that one's range. */
static uint32_t find_above(const grazei_vertex_set *set, uint32_t number, const grazei_range *range,
                           float other_end, pair_limits limits, i4 joints)
{
    uint32_t found = 0;
    grazei_range other = *range;
    for (uint32_t i = 0; i < set->count; i++) {
        const grazei_left *value = &set->values[i][number];
        grazei_left most = {f4_max(value->r - other.low.r, other.high.r - value->r),
                            f4_max(value->x - other.low.x, other.high.x - value->x),
                            f4_max(value->y - other.low.y, other.high.y - value->y),
                            f4_max(value->z - other.low.z, other.high.z - value->z)};
        float gap = set->along[i] - other_end;
        f4 square = f4_all(gap * gap);
        i4 below = (most.r * most.r <= limits.r * square) &
                   (grazei_square_of_q(most) <= limits.q * square);
        found |= (uint32_t)i4_any(joints & ~below) << i;
    }
    return found;
}

/* Squares of the differences between two vertices, of r and of q, and of the gap. */
typedef struct squares {
    f4 r, q, gap;
} squares;

static inline squares squares_of(const grazei_left *a, const grazei_left *b, float gap)
{
    f4 r = a->r - b->r;
    grazei_left between = {r, a->x - b->x, a->y - b->y, a->z - b->z};
    return (squares){r * r, grazei_square_of_q(between), f4_all(gap * gap)};
}

i4 grazei_sets_differ(const grazei_region *r, uint32_t number, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, const grazei_range *of_first,
                      const grazei_range *of_second, i4 joints, f4 least[2])
{
    const grazei_joint_four *four = &r->fours[number];
    float most_inverse = (1 + LOSS) / (first->end - second->end);
    pair_limits limits = {limit_of(four, 0, most_inverse), limit_of(four, 1, most_inverse)};
    uint32_t rows = find_above(first, number, of_second, second->end, limits, joints);
    if (!rows)
        return (i4){0};
    uint32_t columns = (1u << second->count) - 1;
    if (second->count > 3)
        columns = find_above(second, number, of_first, first->end, limits, joints);
    i4 below = joints;
    for (uint32_t row = rows; row; row &= row - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(row);
        for (uint32_t column = columns; column; column &= column - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(column);
            squares s = squares_of(&first->values[i][number], &second->values[k][number],
                                   first->along[i] - second->along[k]);
            below &= (limits.r * s.gap >= s.r) & (limits.q * s.gap >= s.q);
        }
    }
    joints &= ~below;
    if (!i4_any(joints))
        return joints;
    /* What is not looked at is below what was found. */
    f4 most[2] = {f4_zero(), f4_zero()};
    for (uint32_t row = rows; row; row &= row - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(row);
        for (uint32_t column = columns; column; column &= column - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(column);
            squares s = squares_of(&first->values[i][number], &second->values[k][number],
                                   first->along[i] - second->along[k]);
            most[0] = f4_max(most[0], s.r / s.gap);
            most[1] = f4_max(most[1], s.q / s.gap);
        }
    }
    for (int kind = 0; kind < 2; kind++)
        least[kind] = f4_min(least[kind], f4_sqrt(most[kind]) + f4_all(LOSS) * four->most[kind] *
                                                                    f4_all(most_inverse));
    return joints;
}
