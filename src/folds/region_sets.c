/* How much what is left of weights differs between two sets of vertices, per distance, if one comes
 * after the other along some direction. All that is found is rounded up.
 *
 * Let u be of length 1, V linear within triangles, and |V(x) - V(y)| <= t u.(x - y) for all
 * vertices x of one set and y of the other. The left side is convex in x and y, the right side
 * linear, so it holds for all points of their triangles; and u.(x - y) <= |x - y|.
 */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

bool grazei_sets_apart(const grazei_fold_builder *b, const grazei_vertex_set *first,
                       const grazei_vertex_set *second, grazei_inverse_gaps *out)
{
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < first->count; i++)
        low = f1_min(low, first->along[i]);
    for (uint32_t i = 0; i < second->count; i++)
        high = f1_max(high, second->along[i]);
    /* As all distances along directions: see near.c. */
    float least = (low - high) * (1 - 1e-5f) - b->blur;
    if (!(least > 0))
        return false;
    out->most = (1 + LOSS) / least;
    f4 part = f4_all(1 - 1e-5f), blur = f4_all(b->blur), one = f4_all(1 + LOSS);
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = 0; k < second->count; k += 4) {
            f4 gap = f4_all(first->along[i]) - f4_load_any(second->along + k);
            out->rows[i][k / 4] = one / (gap * part - blur);
        }
    return true;
}

void grazei_sets_differ(const grazei_region *r, const grazei_vertex_set *first,
                        const grazei_vertex_set *second, const grazei_inverse_gaps *gaps,
                        uint32_t j, float out[2])
{
    f4 most_r = f4_zero(), most_q = f4_zero();
    for (uint32_t k = 0; k < second->count; k += 4) {
        f4 v0 = second->values[k][j], v1 = second->values[k + 1][j];
        f4 v2 = second->values[k + 2][j], v3 = second->values[k + 3][j];
        f4_transpose(&v0, &v1, &v2, &v3);
        for (uint32_t i = 0; i < first->count; i++) {
            f4 value = first->values[i][j], inverse = gaps->rows[i][k / 4];
            f4 x = (f4_y(value) - v1) * inverse, y = (f4_z(value) - v2) * inverse;
            f4 z = (f4_all(value[3]) - v3) * inverse;
            most_r = f4_max(most_r, f4_abs((f4_x(value) - v0) * inverse));
            most_q = f4_max(most_q, (x * x + y * y) + z * z);
        }
    }
    out[0] = f4_max4(most_r) + LOSS * r->most[j][0] * gaps->most;
    out[1] = sqrtf(f4_max4(most_q)) + LOSS * r->most[j][1] * gaps->most;
}

/* Four at a time: the last is repeated. */
void grazei_set_fill(grazei_vertex_set *set)
{
    for (uint32_t last = set->count - 1; set->count % 4; set->count++) {
        set->values[set->count] = set->values[last];
        set->along[set->count] = set->along[last];
    }
}
