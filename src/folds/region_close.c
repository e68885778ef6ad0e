/* How what is left of weights differs between two triangles that are close. All that is found is
 * rounded up.
 */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* A triangle of the region: its corners' values, GRAZEI_MAX_REGION_JOINTS apart from joint to
 * joint, and how steep they are.
 */
typedef struct side {
    const grazei_rest_triangle *rest;
    const f4 *values[3];
    f4 *slopes; /* of r and of q, by joint; and what that is off by, per size of the values */
    uint8_t *have_slopes;
    f4 shares[3]; /* of the other triangle's corners in this one's */
    float error;  /* of what they come to, per size of the values */
} side;

/* The gradients of r and q within a triangle: shares of corners are linear functions with the
 * gradients direction / height, taken along two directions in its plane, at right angles.
 */
static void find_slopes(const side *s, uint32_t joint_count)
{
    const grazei_rest_triangle *t = s->rest;
    f4 first = f4_set(t->x[0], t->y[0], t->z[0], 0), normal = f4_set(t->x[3], t->y[3], t->z[3], 0);
    f4 second = f4_set(normal[1] * first[2] - normal[2] * first[1],
                       normal[2] * first[0] - normal[0] * first[2],
                       normal[0] * first[1] - normal[1] * first[0], 0);
    f4 scale = f4_all(1) / t->height;
    f4 along = grazei_rest_along(t, first) * scale, across = grazei_rest_along(t, second) * scale;
    float off = 4 * LOSS * ((scale[0] + scale[1]) + scale[2]);
    for (uint32_t j = 0; j < joint_count; j++) {
        f4 u = (s->values[0][j] * f4_x(along) + s->values[1][j] * f4_y(along)) +
               s->values[2][j] * f4_z(along);
        f4 v = (s->values[0][j] * f4_x(across) + s->values[1][j] * f4_y(across)) +
               s->values[2][j] * f4_z(across);
        f4 uu = u * u, vv = v * v, uv = u * v;
        float a = (uu[1] + uu[2]) + uu[3], c = (vv[1] + vv[2]) + vv[3];
        float b = (uv[1] + uv[2]) + uv[3];
        /* The largest eigenvalue of a 2 x 2 Gram matrix. */
        float largest = 0.5f * ((a + c) + sqrtf((a - c) * (a - c) + 4 * b * b));
        s->slopes[j] = f4_set(sqrtf(uu[0] + vv[0]) * (1 + 16 * LOSS),
                              sqrtf(largest) * (1 + 16 * LOSS), off, 0);
    }
}

static side side_of(grazei_fold_builder *b, const grazei_region *r, uint32_t i, uint32_t triangle)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[i]];
    const uint8_t *corners = b->tree->corners[patch->first_triangle + triangle];
    size_t at = (size_t)i * GRAZEI_MAX_PATCH_TRIANGLES + triangle;
    side s = {.rest = &b->triangles[patch->first_triangle + triangle],
              .slopes = b->slopes + at * GRAZEI_MAX_REGION_JOINTS,
              .have_slopes = &b->have_slopes[at]};
    for (int c = 0; c < 3; c++)
        s.values[c] =
            b->values + (size_t)GRAZEI_MAX_REGION_JOINTS * (r->first_vertex[i] + corners[c]);
    return s;
}

static void find_shares(side *s, const grazei_rest_triangle *other)
{
    const grazei_rest_triangle *t = s->rest;
    f4 scale = f4_all(1) / t->height, most = f4_zero();
    for (int c = 0; c < 3; c++) {
        s->shares[c] = (grazei_rest_along(t, other->corners[c]) - t->base) * scale;
        most = f4_max(most, f4_abs(s->shares[c]));
    }
    s->error = 6 * t->corners[0][3] + 4 * LOSS * (1 + most[0] + most[1] + most[2]);
}

static void prepare(side *s, const side *other, uint32_t joint_count)
{
    if (!*s->have_slopes)
        find_slopes(s, joint_count);
    *s->have_slopes = 1;
    find_shares(s, other->rest);
}

/* How far the other's corners are from where this one's values, continued, would have them. */
static void find_misses(const side *s, const side *other, uint32_t j, float misses[2])
{
    misses[0] = misses[1] = 0;
    for (int c = 0; c < 3; c++) {
        f4 share = s->shares[c];
        f4 miss =
            other->values[c][j] - ((s->values[0][j] * f4_x(share) + s->values[1][j] * f4_y(share)) +
                                   s->values[2][j] * f4_z(share));
        misses[0] = f1_max(misses[0], fabsf(miss[0]));
        misses[1] = f1_max(misses[1], grazei_length_of_q(miss));
    }
}

/* At most how much the values of two triangles differ, at all: of r and of q. */
static void find_differences(const side *a, const side *b, uint32_t j, float out[2])
{
    f4 low = a->values[0][j], high = low;
    for (int c = 0; c < 3; c++) {
        low = f4_min(low, f4_min(a->values[c][j], b->values[c][j]));
        high = f4_max(high, f4_max(a->values[c][j], b->values[c][j]));
    }
    out[0] = (high - low)[0];
    out[1] = grazei_length_of_q(high - low);
}

/* Values differ by at most their range; or by the slope of one triangle, and what that misses of
 * the other.
 */
static void raise_by(grazei_region *r, const side *a, const side *b, uint32_t j,
                     const float differences[2], float per_distance)
{
    float misses[2][2];
    find_misses(a, b, j, misses[0]);
    find_misses(b, a, j, misses[1]);
    for (int kind = 0; kind < 2; kind++) {
        float most = r->most[j][kind], least = differences[kind] * per_distance;
        float *found = kind ? &r->spread[j] : &r->bend[j];
        for (int from = 0; from < 2; from++) {
            const f4 slope = (from ? b : a)->slopes[j];
            float error = (from ? b : a)->error * most;
            float by_slope =
                slope[kind] + slope[2] * most + (misses[from][kind] + error) * per_distance;
            least = by_slope < least ? by_slope : least; /* not a number, where there is no area */
        }
        *found = f1_max(*found, (least + LOSS * most * per_distance) * (1 + 8 * LOSS));
    }
}

static void compare(grazei_region *r, side *a, side *b, float per_distance)
{
    bool prepared = false;
    for (uint32_t j = 0; j < r->joint_count; j++) {
        float differences[2];
        if (j == r->main_slot)
            continue;
        find_differences(a, b, j, differences);
        if (differences[0] * per_distance <= r->bend[j] &&
            differences[1] * per_distance <= r->spread[j])
            continue;
        if (!prepared) {
            prepare(a, b, r->joint_count);
            prepare(b, a, r->joint_count);
        }
        prepared = true;
        raise_by(r, a, b, j, differences, per_distance);
    }
}

bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r)
{
    uint32_t last = grazei_region_patch_count(r) - 1;
    for (uint32_t i = 0; i < b->close_count; i++) {
        uint16_t pair = b->closes[i].pair;
        side first = side_of(b, r, 0, grazei_pair_first(pair));
        side second = side_of(b, r, last, grazei_pair_second(pair));
        compare(r, &first, &second, 1 / b->closes[i].distance);
    }
    return grazei_region_is_useful(r);
}
