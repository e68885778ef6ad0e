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

bool grazei_sets_apart(const grazei_fold_builder *b, grazei_vertex_set *first,
                       grazei_vertex_set *second)
{
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < first->count; i++)
        low = f1_min(low, first->along[i]);
    for (uint32_t i = 0; i < second->count; i++)
        high = f1_max(high, second->along[i]);
    second->high = high;
    first->least_gap = (low - high) * PART - b->blur;
    /* Four at a time: the last is repeated. */
    second->padded = (second->count + 3) & ~3u;
    for (uint32_t i = second->count; i < second->padded; i++) {
        second->values[i] = second->values[second->count - 1];
        second->along[i] = second->along[second->count - 1];
    }
    return first->least_gap > 0x1p-60f; /* squares of smaller ones might underflow */
}

/* Squares of what need not be looked at, per gap. */
typedef struct pair_limits {
    float r, q;
} pair_limits;

static pair_limits limits_of(const grazei_region *r, uint32_t j, float most_inverse)
{
    float bend = r->bend[j] * (1 - 8 * LOSS) - LOSS * r->most[j][0] * most_inverse;
    float spread = r->spread[j] * (1 - 8 * LOSS) - LOSS * r->most[j][1] * most_inverse;
    return (pair_limits){bend > 0 ? bend * bend : -1, spread > 0 ? spread * spread : -1};
}

/* Whether one vertex is below the limits with all of another set, by that one's range. */
static bool row_is_below(f4 value, const grazei_range *range, float gap, pair_limits limits)
{
    f4 most = f4_max(value - range->low, range->high - value), squares = most * most;
    float square = gap * gap;
    return (squares[0] <= limits.r * square) &
           ((squares[1] + squares[2]) + squares[3] <= limits.q * square);
}

/* Four vertices of the second set, in lanes. */
typedef struct four {
    f4 r, x, y, z, along;
} four;

/* Squares of the differences between a vertex and four others, of r and of q, and of the gaps. */
typedef struct squares {
    f4 r, q, gap;
} squares;

static inline squares squares_of(const four *v, f4 value, float along, float blur)
{
    f4 gap = (f4_all(along) - v->along) * f4_all(PART) - f4_all(blur);
    f4 r = f4_x(value) - v->r, x = f4_y(value) - v->x, y = f4_z(value) - v->y;
    f4 z = f4_all(value[3]) - v->z;
    return (squares){r * r, (x * x + y * y) + z * z, gap * gap};
}

bool grazei_sets_differ(const grazei_fold_builder *b, const grazei_region *r,
                        const grazei_vertex_set *first, const grazei_vertex_set *second,
                        const grazei_range *range, uint32_t j, float least[2])
{
    four fours[GRAZEI_SET_VERTICES / 4];
    uint32_t count = second->padded / 4;
    float most_inverse = (1 + LOSS) / first->least_gap;
    pair_limits limits = limits_of(r, j, most_inverse);
    f4 limit_r = f4_all(limits.r), limit_q = f4_all(limits.q);
    uint32_t rows = 0; /* those to be looked at, as bits */
    for (uint32_t i = 0; i < first->count; i++) {
        float gap = (first->along[i] - second->high) * PART - b->blur;
        rows |= (uint32_t)!row_is_below(first->values[i][j], range, gap, limits) << i;
    }
    if (!rows)
        return false;
    for (uint32_t k = 0; k < count; k++) {
        four *v = &fours[k];
        v->r = second->values[4 * k][j];
        v->x = second->values[4 * k + 1][j];
        v->y = second->values[4 * k + 2][j];
        v->z = second->values[4 * k + 3][j];
        f4_transpose(&v->r, &v->x, &v->y, &v->z);
        v->along = f4_load_any(second->along + 4 * k);
    }
    unsigned below = 15;
    for (; rows; rows &= rows - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rows);
        for (uint32_t k = 0; k < count; k++) {
            squares s = squares_of(&fours[k], first->values[i][j], first->along[i], b->blur);
            below &= f4_ge_bits(limit_r * s.gap, s.r) & f4_ge_bits(limit_q * s.gap, s.q);
        }
    }
    if (below == 15)
        return false;
    f4 most_r = f4_zero(), most_q = f4_zero();
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = 0; k < count; k++) {
            squares s = squares_of(&fours[k], first->values[i][j], first->along[i], b->blur);
            most_r = f4_max(most_r, s.r / s.gap);
            most_q = f4_max(most_q, s.q / s.gap);
        }
    float by[2] = {sqrtf(f4_max4(most_r)), sqrtf(f4_max4(most_q))};
    for (int kind = 0; kind < 2; kind++)
        least[kind] = f1_min(least[kind], by[kind] + LOSS * r->most[j][kind] * most_inverse);
    return true;
}
