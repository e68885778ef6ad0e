/* What is left of a region's weights, at its vertices and over its groups of triangles. */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* Less is not looked for: it would not matter, and squares of it might underflow. */
#define LEAST 0.01f

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
    d2 x = {at[0], at[0]}, y = {at[1], at[1]}, z = {at[2], at[2]};
    for (uint32_t four = 0; four < r->four_count; four++) {
        const double *g = &r->gradient[0][4 * four];
        d2 w[2], left[2];
        for (int k = 0; k < 2; k++, g += 2) {
            w[k] = d2_load(weights + 4 * four + 2 * k);
            left[k] = w[k] - (d2_load(g) * x + d2_load(g + GRAZEI_MAX_LANES) * y +
                              d2_load(g + 2 * GRAZEI_MAX_LANES) * z);
        }
        out[four] = (grazei_left){floats_of(left[0], left[1]), floats_of(w[0] * x, w[1] * x),
                                  floats_of(w[0] * y, w[1] * y), floats_of(w[0] * z, w[1] * z)};
    }
}

static grazei_left least_of(const grazei_left *a, const grazei_left *b)
{
    return (grazei_left){f4_min(a->r, b->r), f4_min(a->x, b->x), f4_min(a->y, b->y),
                         f4_min(a->z, b->z)};
}

static grazei_left most_of(const grazei_left *a, const grazei_left *b)
{
    return (grazei_left){f4_max(a->r, b->r), f4_max(a->x, b->x), f4_max(a->y, b->y),
                         f4_max(a->z, b->z)};
}

void grazei_region_find_ranges(const grazei_fold_builder *b, grazei_region *r, uint32_t side,
                               uint32_t number)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    const grazei_group *group = &b->groups[2 * (size_t)patch->first_triangle + number];
    const grazei_left *values = grazei_region_values(b, r, side);
    grazei_range *ranges = grazei_region_ranges_at(b, r, side, number);
    r->known[side][number / 64] |= 1ull << (number % 64);
    for (uint32_t k = 0; k < r->four_count; k++) {
        f4 more_r = r->fours[k].most[0] * f4_all(LOSS), more_q = r->fours[k].most[1] * f4_all(LOSS);
        grazei_left low = values[(size_t)r->four_count * group->vertices[0] + k], high = low;
        for (uint32_t i = 1; i < group->vertex_count; i++) {
            const grazei_left *value = &values[(size_t)r->four_count * group->vertices[i] + k];
            low = least_of(&low, value);
            high = most_of(&high, value);
        }
        ranges[k] = (grazei_range){
            low, {high.r + more_r, high.x + more_q, high.y + more_q, high.z + more_q}};
    }
}

/* Nothing is found yet. */
static void begin_four(const grazei_region *r, uint32_t number, grazei_left most,
                       grazei_joint_four *four)
{
    four->most[0] = most.r;
    four->most[1] = f4_sqrt(grazei_square_of_q(most)) * f4_all(1 + LOSS);
    for (uint32_t k = 0; k < 4; k++)
        four->found[0][k] = four->found[1][k] = 4 * number + k + 1 < r->joint_count ? 0 : INFINITY;
    f4 least[2] = {f4_all(LEAST / (float)r->radius), f4_all(LEAST)};
    grazei_region_raise(four, ~(i4){0}, least);
}

void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    grazei_left most[GRAZEI_MAX_FOURS] = {{{0}, {0}, {0}, {0}}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        r->first_vertex[i] = count;
        for (uint32_t v = 0; v < patch->vertex_count; v++, count++) {
            grazei_left *values = b->values + (size_t)r->four_count * count;
            find_values(r, b->deviations[count], values);
            for (uint32_t k = 0; k < r->four_count; k++) {
                grazei_left size = {f4_abs(values[k].r), f4_abs(values[k].x), f4_abs(values[k].y),
                                    f4_abs(values[k].z)};
                most[k] = most_of(&most[k], &size);
            }
        }
    }
    for (uint32_t k = 0; k < r->four_count; k++)
        begin_four(r, k, most[k], &r->fours[k]);
    memset(r->known, 0, sizeof r->known);
}
