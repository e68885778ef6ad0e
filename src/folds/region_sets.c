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
    f4 low = f4_all(INFINITY), high = -low;
    for (uint32_t i = 0; 4 * i < first->count; i++) {
        first->along[i] = first->along[i] * f4_all(PART) - f4_all(b->blur);
        low = f4_min(low, first->along[i]);
    }
    for (uint32_t i = 0; 4 * i < second->count; i++) {
        second->along[i] = second->along[i] * f4_all(PART);
        high = f4_max(high, second->along[i]);
    }
    first->end = -f4_max4(-low);
    second->end = f4_max4(high);
    return first->end - second->end > 0x1p-60f; /* squares of smaller ones might underflow */
}

static inline float along(const grazei_vertex_set *set, uint32_t i)
{
    return ((const float *)set->along)[i];
}

static inline const grazei_left *value_of(const grazei_region *r, const grazei_vertex_set *set,
                                          uint32_t i, uint32_t four)
{
    return &set->values[r->four_count * set->vertices[i] + four];
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
static uint32_t find_above(const grazei_region *r, const grazei_vertex_set *set, uint32_t number,
                           const grazei_range *range, float other_end, pair_limits limits,
                           i4 joints)
{
    uint32_t found = 0;
    grazei_range other = *range;
    for (uint32_t i = 0; i < set->count; i++) {
        const grazei_left *value = value_of(r, set, i, number);
        grazei_left most = {f4_max(value->r - other.low.r, other.high.r - value->r),
                            f4_max(value->x - other.low.x, other.high.x - value->x),
                            f4_max(value->y - other.low.y, other.high.y - value->y),
                            f4_max(value->z - other.low.z, other.high.z - value->z)};
        float gap = along(set, i) - other_end;
        f4 square = f4_all(gap * gap);
        i4 below = (most.r * most.r <= limits.r * square) &
                   (grazei_square_of_q(most) <= limits.q * square);
        found |= (uint32_t)i4_any(joints & ~below) << i;
    }
    return found;
}

/* The squares of the largest differences between vertices of two sets, per gap, of r and of q. */
static void find_most(const grazei_region *r, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, uint32_t number, uint32_t rows,
                      uint32_t columns, f4 most[2])
{
    f4 most_r = f4_zero(), most_q = f4_zero(), inverses[GRAZEI_SET_VERTICES / 4];
    for (; rows; rows &= rows - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rows);
        grazei_left value = *value_of(r, first, i, number);
        f4 place = f4_all(along(first, i));
        for (uint32_t k = 0; 4 * k < second->count; k++) {
            f4 gap = place - second->along[k];
            inverses[k] = f4_all(1) / (gap * gap);
        }
        for (uint32_t left = columns; left; left &= left - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(left);
            const grazei_left *other = value_of(r, second, k, number);
            grazei_left between = {value.r - other->r, value.x - other->x, value.y - other->y,
                                   value.z - other->z};
            f4 inverse = f4_all(((const float *)inverses)[k]);
            most_r = f4_max(most_r, between.r * between.r * inverse);
            most_q = f4_max(most_q, grazei_square_of_q(between) * inverse);
        }
    }
    most[0] = most_r;
    most[1] = most_q;
}

i4 grazei_sets_differ(const grazei_region *r, uint32_t number, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, const grazei_range *of_first,
                      const grazei_range *of_second, i4 joints, f4 least[2])
{
    const grazei_joint_four *four = &r->fours[number];
    float most_inverse = (1 + LOSS) / (first->end - second->end);
    pair_limits limits = {limit_of(four, 0, most_inverse), limit_of(four, 1, most_inverse)};
    uint32_t rows = find_above(r, first, number, of_second, second->end, limits, joints);
    if (!rows)
        return (i4){0};
    uint32_t columns = (1u << second->count) - 1;
    uint32_t but_two = rows & (rows - 1);
    but_two &= but_two - 1;
    if (but_two && second->count > 3) /* of some use only for three rows and more */
        columns = find_above(r, second, number, of_first, first->end, limits, joints);
    f4 most[2]; /* what is not looked at is below what was found */
    find_most(r, first, second, number, rows, columns, most);
    joints &= ~((most[0] <= limits.r) & (most[1] <= limits.q));
    for (int kind = 0; kind < 2; kind++)
        least[kind] = f4_min(least[kind], f4_sqrt(most[kind]) + f4_all(LOSS) * four->most[kind] *
                                                                    f4_all(most_inverse));
    return joints;
}
