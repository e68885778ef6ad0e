/* What the fit of a region leaves over: how much it can differ between two points of the region,
 * per distance. Bounds of triangles and patches rule out most pairs before a distance is computed.
 */
#include "folds/region.h"

#include "base/memory.h"

#include <math.h>

#define MAX_LOSS 16.0 /* spread and bend beyond which a record is of no use */

/* The gradient of a function that is linear on a triangle; 0 for a triangle without area. Returns
 * how far off it is at the corners.
 */
static double gradient_in(const float *corners[3], const double values[3], double gradient[3])
{
    double p[3], q[3], pp = 0, pq = 0, qq = 0;
    for (int axis = 0; axis < 3; axis++) {
        p[axis] = (double)corners[1][axis] - (double)corners[0][axis];
        q[axis] = (double)corners[2][axis] - (double)corners[0][axis];
        pp += p[axis] * p[axis];
        pq += p[axis] * q[axis];
        qq += q[axis] * q[axis];
    }
    double u = values[1] - values[0], v = values[2] - values[0], det = pp * qq - pq * pq;
    double miss_u = u, miss_v = v;
    for (int axis = 0; axis < 3; axis++) {
        gradient[axis] = det > 1e-9 * pp * qq
                             ? ((qq * u - pq * v) * p[axis] + (pp * v - pq * u) * q[axis]) / det
                             : 0;
        miss_u -= gradient[axis] * p[axis];
        miss_v -= gradient[axis] * q[axis];
    }
    return fmax(fabs(miss_u), fabs(miss_v));
}

static void residuals_of_triangle(const grazei_fold_builder *b, const grazei_region *r,
                                  uint32_t place, grazei_residual *out)
{
    const uint32_t *corners = b->mesh->triangles + 3 * (size_t)b->tree->patch_triangles[place];
    const float *places[3];
    for (int c = 0; c < 3; c++) {
        double weights[GRAZEI_MAX_REGION_JOINTS], at[3];
        places[c] = grazei_rest_position(b->mesh, corners[c]);
        grazei_region_deviations(b, r, corners[c], weights, at);
        for (uint32_t j = 0; j < r->joint_count; j++) {
            const double *g = r->gradient[j];
            out[j].values[c] = weights[j] - (g[0] * at[0] + g[1] * at[1] + g[2] * at[2]);
        }
    }
    for (uint32_t j = 0; j < r->joint_count; j++) {
        grazei_residual *o = &out[j];
        double low = fmin(o->values[0], fmin(o->values[1], o->values[2]));
        double high = fmax(o->values[0], fmax(o->values[1], o->values[2]));
        o->middle = 0.5 * (low + high);
        o->radius = 0.5 * (high - low);
        o->miss = gradient_in(places, o->values, o->gradient);
        o->slope = sqrt(o->gradient[0] * o->gradient[0] + o->gradient[1] * o->gradient[1] +
                        o->gradient[2] * o->gradient[2]);
    }
}

/* Intervals around those of a patch's triangles. */
static void residuals_of_patch(const grazei_residual *triangles, uint32_t count, grazei_region *r,
                               grazei_residual *out)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t t = 0; t < count; t++) {
            const grazei_residual *in = &triangles[t * r->joint_count + j];
            low = fmin(low, in->middle - in->radius);
            high = fmax(high, in->middle + in->radius);
        }
        out[j].middle = 0.5 * (low + high);
        out[j].radius = 0.5 * (high - low);
        r->most[j] = fmax(r->most[j], fmax(-low, high));
    }
}

static bool find_residuals(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    size_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++)
        count += tree->patches[grazei_region_patch(b, r, i)].triangle_count;
    grazei_residual *larger = grazei_grow(b->allocator, b->residuals, &b->residual_capacity,
                                          count * r->joint_count, sizeof *larger);
    if (!larger)
        return false;
    b->residuals = larger;
    count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[grazei_region_patch(b, r, i)];
        grazei_residual *first = b->residuals + count * r->joint_count;
        b->first_residual[i] = (uint32_t)count;
        for (uint32_t t = 0; t < patch->triangle_count; t++)
            residuals_of_triangle(b, r, patch->first_triangle + t, first + t * r->joint_count);
        residuals_of_patch(first, patch->triangle_count, r,
                           b->patch_residuals + i * (size_t)GRAZEI_MAX_REGION_JOINTS);
        count += patch->triangle_count;
    }
    return true;
}

/* Two triangles or patches, and the largest radii of their triangles. */
typedef struct comparison {
    const grazei_residual *a, *b;
    double radius_a, radius_b;
} comparison;

static double difference(const comparison *pair, uint32_t j)
{
    const grazei_residual *a = &pair->a[j], *b = &pair->b[j];
    return fabs(a->middle - b->middle) + a->radius + b->radius;
}

/* (w - m) (x - c) is interpolated over triangles: of its parts (g . (x - c)) (x - c) and r (x - c)
 * that is off by at most |g| and half the range of r times the triangle's radius, squared and not.
 */
static double within_of(const grazei_region *r, const comparison *pair, uint32_t j)
{
    double a = pair->radius_a, b = pair->radius_b;
    return r->steepness[j] * (a * a + b * b) + pair->a[j].radius * a + pair->b[j].radius * b;
}

/* Whether two sets of points might raise anything, the square of their distance being at least so
 * much.
 */
static bool could_raise(const grazei_region *r, const comparison *pair, double square)
{
    for (uint32_t j = 0; j < r->joint_count; j++) {
        if (j == r->main_slot)
            continue;
        double bend = difference(pair, j), within = within_of(r, pair, j);
        if (bend * bend > square * r->bend[j] * r->bend[j] ||
            within * within > square * r->within[j] * r->within[j])
            return true;
    }
    return false;
}

/* How much r differs over two triangles, per distance, if one's gradient is taken for both: that
 * gradient, and how wrong it is for the other.
 */
static double slope_by(const grazei_residual *a, const float *place_a, const grazei_residual *b,
                       const float (*corners_b)[3], double distance)
{
    double wrong = 0;
    for (int c = 0; c < 3; c++) {
        double expected = a->values[0];
        for (int axis = 0; axis < 3; axis++)
            expected += a->gradient[axis] * ((double)corners_b[c][axis] - (double)place_a[axis]);
        wrong = fmax(wrong, fabs(b->values[c] - expected));
    }
    return a->slope + (a->miss + wrong) / distance;
}

static void raise_by(const grazei_fold_builder *b, grazei_region *r, const comparison *pair,
                     uint32_t place_a, uint32_t place_b, double distance)
{
    float corners_a[3][3], corners_b[3][3];
    grazei_rest_triangle(b, place_a, corners_a);
    grazei_rest_triangle(b, place_b, corners_b);
    for (uint32_t j = 0; j < r->joint_count; j++) {
        if (j == r->main_slot)
            continue;
        const grazei_residual *x = &pair->a[j], *y = &pair->b[j];
        double bend = difference(pair, j) / distance;
        if (bend > r->bend[j]) {
            bend = fmin(bend, slope_by(x, corners_a[0], y, (const float(*)[3])corners_b, distance));
            bend = fmin(bend, slope_by(y, corners_b[0], x, (const float(*)[3])corners_a, distance));
            r->bend[j] = fmax(r->bend[j], bend);
        }
        r->within[j] = fmax(r->within[j], within_of(r, pair, j) / distance);
    }
}

double grazei_region_spread(const grazei_region *r, uint32_t j)
{
    return (2 * r->steepness[j] + r->bend[j]) * r->radius + r->most[j] + r->within[j];
}

static bool is_useless(const grazei_region *r)
{
    double loss = 0;
    for (uint32_t j = 0; j < r->joint_count; j++)
        loss += j == r->main_slot ? 0 : grazei_region_spread(r, j) + r->bend[j] * r->radius;
    return !(loss < MAX_LOSS);
}

static void compare_patches(const grazei_fold_builder *b, grazei_region *r, uint32_t i, uint32_t k)
{
    uint32_t p = grazei_region_patch(b, r, i), q = grazei_region_patch(b, r, k),
             joints = r->joint_count;
    const grazei_patch *first = &b->tree->patches[p], *second = &b->tree->patches[q];
    comparison pair = {.radius_a = (double)b->triangle_radii[p],
                       .radius_b = (double)b->triangle_radii[q]};
    double limit = grazei_listed_below(b, p, q);
    for (uint32_t s = 0; s < first->triangle_count; s++) {
        uint32_t place_a = first->first_triangle + s;
        double square = grazei_rest_gap_square(&b->triangle_boxes[place_a], &b->patch_boxes[q]);
        pair.a = b->residuals + (b->first_residual[i] + s) * (size_t)joints;
        pair.b = b->patch_residuals + k * (size_t)GRAZEI_MAX_REGION_JOINTS;
        if (!could_raise(r, &pair, square))
            continue;
        for (uint32_t t = i == k ? s + 1 : 0; t < second->triangle_count; t++) {
            uint32_t place_b = second->first_triangle + t;
            pair.b = b->residuals + (b->first_residual[k] + t) * (size_t)joints;
            square =
                grazei_rest_gap_square(&b->triangle_boxes[place_a], &b->triangle_boxes[place_b]);
            if (!could_raise(r, &pair, square))
                continue;
            double distance = grazei_rest_distance(b, place_a, place_b);
            bool listed = square <= limit * limit && distance <= limit;
            if (!listed && distance < INFINITY)
                raise_by(b, r, &pair, place_a, place_b, fmax(distance, sqrt(square)));
        }
        if (is_useless(r))
            return;
    }
}

/* False if what was found is of no use. */
static bool compare_all(const grazei_fold_builder *b, grazei_region *r)
{
    uint32_t count = grazei_region_patch_count(r);
    bool across = r->is_pair && count == 2; /* of two patches, not each with itself */
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = across ? i + 1 : i; k < count; k++) {
            uint32_t p = grazei_region_patch(b, r, i), q = grazei_region_patch(b, r, k);
            comparison pair = {b->patch_residuals + i * (size_t)GRAZEI_MAX_REGION_JOINTS,
                               b->patch_residuals + k * (size_t)GRAZEI_MAX_REGION_JOINTS,
                               (double)b->triangle_radii[p], (double)b->triangle_radii[q]};
            if (could_raise(r, &pair,
                            grazei_rest_gap_square(&b->patch_boxes[p], &b->patch_boxes[q])))
                compare_patches(b, r, i, k);
            if (is_useless(r))
                return false;
        }
    return true;
}

bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r, bool *useful)
{
    if (!find_residuals(b, r))
        return false;
    *useful = compare_all(b, r);
    return true;
}
