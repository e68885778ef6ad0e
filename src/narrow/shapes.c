#include "narrow/shapes.h"

#include "base/status.h"
#include "exact/expansion.h"

#include <math.h>

#define LARGEST 1e18f

/* How much more than its box a corner has to be beyond it: above the roundings of either. */
#define MARGIN 0x1p-45

/* ---- checking and making ready ------------------------------------------------------------ */

static bool all_fine(const float *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!(fabsf(numbers[i]) < LARGEST))
            return false;
    return true;
}

static graze_status check_numbers(const char *what, const float *numbers, uint32_t count,
                                  graze_error *error)
{
    if (all_fine(numbers, count))
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT, "the %s is not finite, or not below 1e18", what);
}

static graze_status check_size(const char *what, float size, graze_error *error)
{
    if (size >= 0 && size < LARGEST)
        return GRAZE_OK;
    return grazei_fail(error, GRAZE_BAD_INPUT,
                       "the %s is %g; it must be at least 0, and below 1e18", what, (double)size);
}

static graze_status add_plane(grazei_shape *made, const graze_half_space *plane, graze_error *error)
{
    const float *normal = plane->normal;
    unsigned number = made->plane_count;
    if (!all_fine(normal, 3) || !all_fine(&plane->offset, 1))
        return grazei_fail(error, GRAZE_BAD_INPUT, "plane %u is not finite, or not below 1e18",
                           number);
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        return grazei_fail(error, GRAZE_BAD_INPUT, "plane %u has no direction: its normal is zero",
                           number);
    made->planes[made->plane_count++] =
        (grazei_shape_plane){{normal[0], normal[1], normal[2]}, plane->offset};
    return GRAZE_OK;
}

static void set_origin(grazei_shape *made, const float origin[3])
{
    for (int k = 0; k < 3; k++)
        made->origin[k] = origin[k];
}

/* The segment's box and the radius around it; a sphere's segment is a point. */
static void set_round(grazei_shape *made, double radius)
{
    made->radius = radius;
    for (int k = 0; k < 3; k++) {
        made->low[k] = (fmin(made->along[k], 0) - radius) * (1 + MARGIN);
        made->high[k] = (fmax(made->along[k], 0) + radius) * (1 + MARGIN);
    }
}

static graze_status prepare_sphere(grazei_shape *made, const graze_sphere *sphere,
                                   graze_error *error)
{
    graze_status status = check_numbers("centre of the sphere", sphere->centre, 3, error);
    if (!status)
        status = check_size("radius", sphere->radius, error);
    set_origin(made, sphere->centre);
    set_round(made, sphere->radius);
    return status;
}

static graze_status prepare_capsule(grazei_shape *made, const graze_capsule *capsule,
                                    graze_error *error)
{
    graze_status status = check_numbers("end p of the capsule", capsule->p, 3, error);
    if (!status)
        status = check_numbers("end q of the capsule", capsule->q, 3, error);
    if (!status)
        status = check_size("radius", capsule->radius, error);
    set_origin(made, capsule->p);
    for (int k = 0; k < 3; k++) {
        made->along[k] = (double)capsule->q[k] - capsule->p[k];
        made->segment[0][k] = capsule->p[k];
        made->segment[1][k] = made->segment[2][k] = capsule->q[k];
    }
    set_round(made, capsule->radius);
    return status;
}

static graze_status check_axes(const graze_box *box, graze_error *error)
{
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            const float *a = box->axes[i], *b = box->axes[j];
            double dot = (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
            if (!(fabs(dot - (i == j)) <= 2e-3))
                return grazei_fail(error, GRAZE_BAD_INPUT,
                                   "the axes of the box are not unit vectors at right angles");
        }
    return GRAZE_OK;
}

/* The box around it: rows of the inverse of the axes, times the half sides. */
static void set_box_reach(grazei_shape *made, const graze_box *box)
{
    double reach[3] = {0, 0, 0};
    const float(*axes)[3] = box->axes;
    for (int i = 0; i < 3; i++) {
        const float *b = axes[(i + 1) % 3], *c = axes[(i + 2) % 3];
        double cross[3] = {(double)b[1] * c[2] - (double)b[2] * c[1],
                           (double)b[2] * c[0] - (double)b[0] * c[2],
                           (double)b[0] * c[1] - (double)b[1] * c[0]};
        double determinant = axes[i][0] * cross[0] + axes[i][1] * cross[1] + axes[i][2] * cross[2];
        for (int k = 0; k < 3; k++)
            reach[k] += fabs(cross[k] / determinant) * box->half[i];
    }
    for (int k = 0; k < 3; k++) {
        made->high[k] = reach[k] * (1 + MARGIN);
        made->low[k] = -made->high[k];
    }
}

static graze_status prepare_box(grazei_shape *made, const graze_box *box, graze_error *error)
{
    static const char *const names[3] = {"first half side", "second half side", "third half side"};
    graze_status status = check_numbers("centre of the box", box->centre, 3, error);
    if (!status)
        status = check_axes(box, error);
    set_origin(made, box->centre);
    for (int i = 0; i < 3 && !status; i++) {
        status = check_size(names[i], box->half[i], error);
        for (int side = 0; side < 2; side++) {
            grazei_shape_plane *plane = &made->planes[made->plane_count++];
            plane->offset = box->half[i];
            for (int k = 0; k < 3; k++)
                plane->normal[k] = side ? -box->axes[i][k] : box->axes[i][k];
        }
    }
    if (!status)
        set_box_reach(made, box);
    return status;
}

static graze_status prepare_frustum(grazei_shape *made, const graze_frustum *frustum,
                                    graze_error *error)
{
    if (frustum->plane_count == 0 || frustum->plane_count > GRAZE_MAX_PLANES)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the frustum has %u planes, not 1 to %d",
                           frustum->plane_count, GRAZE_MAX_PLANES);
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < frustum->plane_count && !status; i++)
        status = add_plane(made, &frustum->planes[i], error);
    return status;
}

graze_status grazei_shape_prepare(grazei_shape *made, const graze_shape *shape, graze_error *error)
{
    if (!shape)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the shape is NULL");
    *made = (grazei_shape){.kind = shape->kind,
                           .low = {-INFINITY, -INFINITY, -INFINITY},
                           .high = {INFINITY, INFINITY, INFINITY}};
    switch (shape->kind) {
    case GRAZE_SPHERE:
        return prepare_sphere(made, &shape->as.sphere, error);
    case GRAZE_CAPSULE:
        return prepare_capsule(made, &shape->as.capsule, error);
    case GRAZE_BOX:
        return prepare_box(made, &shape->as.box, error);
    case GRAZE_PLANE:
    case GRAZE_HALF_SPACE:
        return add_plane(made, &shape->as.plane, error);
    case GRAZE_FRUSTUM:
        return prepare_frustum(made, &shape->as.frustum, error);
    }
    return grazei_fail(error, GRAZE_BAD_INPUT, "shape kind %d is unknown", (int)shape->kind);
}

/* ---- codes -------------------------------------------------------------------------------- */

/* The sign of normal . corner - offset. Products of two floats are exact in a double; four terms
 * are summed with three roundings, each below 2^-53 of the sum of magnitudes.
 */
static int plane_sign(const grazei_shape_plane *plane, const float corner[4])
{
    double terms[4] = {-plane->offset}, sum = -plane->offset, size = fabs(plane->offset);
    for (int k = 0; k < 3; k++) {
        terms[k + 1] = plane->normal[k] * corner[k];
        sum += terms[k + 1];
        size += fabs(terms[k + 1]);
    }
    if (fabs(sum) > 0x1p-51 * size)
        return sum > 0 ? 1 : -1;
    grazei_exact_sum exact = {.count = 0};
    for (int k = 0; k < 4; k++)
        grazei_exact_add(&exact, terms[k]);
    return grazei_exact_sign(&exact);
}

static inline uint32_t plane_code(const grazei_shape *shape, const float corner[4])
{
    int sign = plane_sign(&shape->planes[0], corner);
    if (shape->kind == GRAZE_PLANE)
        return sign == 0 ? GRAZEI_CODE_INSIDE : sign > 0 ? 1 : 2;
    return sign > 0 ? 1 : GRAZEI_CODE_INSIDE;
}

static inline uint32_t beyond_box(const grazei_shape *shape, const double point[3])
{
    uint32_t code = 0;
    for (int k = 0; k < 3; k++)
        code |= (uint32_t)(point[k] < shape->low[k]) << 2 * k |
                (uint32_t)(point[k] > shape->high[k]) << (2 * k + 1);
    return code;
}

static inline uint32_t sphere_code(const grazei_shape *shape, const double point[3])
{
    double square = point[0] * point[0] + point[1] * point[1] + point[2] * point[2];
    bool inside = square <= shape->radius * shape->radius;
    return inside ? GRAZEI_CODE_INSIDE : beyond_box(shape, point);
}

static inline uint32_t capsule_code(const grazei_shape *shape, const double point[3])
{
    uint32_t code = beyond_box(shape, point);
    double away[3];
    if (code || grazei_shape_axis_distance(shape, point, away) > shape->radius)
        return code;
    return GRAZEI_CODE_INSIDE;
}

/* Whether a point is above the plane by more than the roundings. */
static inline bool is_above(const grazei_shape_plane *plane, const double point[3])
{
    double x = plane->normal[0] * point[0], y = plane->normal[1] * point[1];
    double z = plane->normal[2] * point[2], height = (x + y) + z - plane->offset;
    return height > 0 && height > MARGIN * (fabs(x) + fabs(y) + fabs(z) + fabs(plane->offset));
}

static inline uint32_t convex_code(const grazei_shape *shape, const double point[3])
{
    uint32_t code = 0;
    for (uint32_t p = 0; p < shape->plane_count; p++)
        code |= (uint32_t)is_above(&shape->planes[p], point) << p;
    return code ? code : GRAZEI_CODE_INSIDE;
}

void grazei_shape_codes(const grazei_shape *shape, const float (*corners)[4], uint32_t count,
                        uint32_t *codes)
{
    const double *origin = shape->origin;
    for (uint32_t i = 0; i < count; i++) {
        const float *corner = corners[i];
        double point[3] = {corner[0] - origin[0], corner[1] - origin[1], corner[2] - origin[2]};
        switch (shape->kind) {
        case GRAZE_SPHERE:
            codes[i] = sphere_code(shape, point);
            break;
        case GRAZE_CAPSULE:
            codes[i] = capsule_code(shape, point);
            break;
        case GRAZE_PLANE:
        case GRAZE_HALF_SPACE:
            codes[i] = plane_code(shape, corner);
            break;
        default:
            codes[i] = convex_code(shape, point);
        }
    }
}
