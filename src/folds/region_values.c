/* What is left of a region's weights, at its vertices and over its groups of triangles. */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* Less is not looked for: it would not matter, and squares of it might underflow. */
#define LEAST 0.01f

#if defined(__OPTIMIZE_SIZE__)

static void find_values(const grazei_region *r, const double *weights, grazei_left *out)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    for (uint32_t j = 0; j < 4 * r->four_count; j++) {
        float *lanes = (float *)&out[j / 4] + j % 4;
        double fitted = 0;
        for (int axis = 0; axis < 3; axis++) {
            fitted += r->gradient[axis][j] * at[axis];
            lanes[4 * axis + 4] = (float)(weights[j] * at[axis]);
        }
        lanes[0] = (float)(weights[j] - fitted);
    }
}

#else /* the same with two joints at a time */

typedef double d2 __attribute__((vector_size(16)));

static inline d2 d2_load(const double *p)
{
    d2 a;
    memcpy(&a, p, sizeof a);
    return a;
}

static inline f4 floats_of(d2 low, d2 high)
{
#if defined(__SSE2__)
    return (f4)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return f4_set((float)low[0], (float)low[1], (float)high[0], (float)high[1]);
#endif
}

static void find_values(const grazei_region *r, const double *weights, grazei_left *out)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    for (uint32_t four = 0; four < r->four_count; four++) {
        const double *g = &r->gradient[0][4 * four];
        d2 w[2], left[2];
        for (int k = 0; k < 2; k++, g += 2) {
            w[k] = d2_load(weights + 4 * four + 2 * k);
            left[k] = w[k] - (d2_load(g) * at[0] + d2_load(g + GRAZEI_MAX_LANES) * at[1] +
                              d2_load(g + 2 * GRAZEI_MAX_LANES) * at[2]);
        }
        out[four].rq[0] = floats_of(left[0], left[1]);
        for (int k = 0; k < 3; k++)
            out[four].rq[k + 1] = floats_of(w[0] * at[k], w[1] * at[k]);
    }
}

#endif

void grazei_region_find_ranges(const grazei_fold_builder *b, grazei_region *r, uint32_t side,
                               uint32_t number)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    const grazei_group *group = &b->groups[2 * (size_t)patch->first_triangle + number];
    const grazei_left *values = grazei_region_values(b, r, side);
    grazei_range *ranges = grazei_region_ranges_at(b, r, side, number);
    r->known[side][number] = true;
    for (uint32_t four = 0; four < r->four_count; four++) {
        grazei_left low = values[r->four_count * group->vertices[0] + four], high = low;
        for (uint32_t i = 1; i < group->vertex_count; i++) {
            const grazei_left *value = &values[r->four_count * group->vertices[i] + four];
            for (int k = 0; k < 4; k++) {
                low.rq[k] = f4_min(low.rq[k], value->rq[k]);
                high.rq[k] = f4_max(high.rq[k], value->rq[k]);
            }
        }
        for (int k = 0; k < 4; k++)
            high.rq[k] += r->fours[four].most[k > 0] * f4_all(LOSS);
        ranges[four] = (grazei_range){low, high};
    }
}

void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    grazei_left most[GRAZEI_MAX_FOURS] = {{{{0}}}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        r->first_vertex[i] = count;
        for (uint32_t v = 0; v < patch->vertex_count; v++, count++) {
            grazei_left *values = b->values + (size_t)r->four_count * count;
            find_values(r, b->deviations[count], values);
            for (uint32_t four = 0; four < r->four_count; four++)
                for (int k = 0; k < 4; k++)
                    most[four].rq[k] = f4_max(most[four].rq[k], f4_abs(values[four].rq[k]));
        }
    }
    for (uint32_t j = r->joint_count - 1; j < 4 * r->four_count; j++)
        *grazei_region_found(r, 0, j) = *grazei_region_found(r, 1, j) = INFINITY;
    f4 least[2] = {f4_all(LEAST / (float)r->radius), f4_all(LEAST)};
    for (uint32_t k = 0; k < r->four_count; k++) {
        r->fours[k].most[0] = most[k].rq[0];
        r->fours[k].most[1] = f4_sqrt(grazei_square_of_q(&most[k])) * f4_all(1 + LOSS);
        grazei_region_raise(&r->fours[k], ~(i4){0}, least);
    }
}
