/* Shapes as values. */
#include <graze/shape.h>

#include <math.h>
#include <string.h>

/* What is missing is not a number, so that queries refuse the shape. */
static void copy3(float to[3], const float from[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = from ? from[k] : NAN;
}

graze_shape graze_shape_sphere(const float centre[3], float radius)
{
    graze_shape shape = {.kind = GRAZE_SPHERE};
    copy3(shape.as.sphere.centre, centre);
    shape.as.sphere.radius = radius;
    return shape;
}

graze_shape graze_shape_capsule(const float p[3], const float q[3], float radius)
{
    graze_shape shape = {.kind = GRAZE_CAPSULE};
    copy3(shape.as.capsule.p, p);
    copy3(shape.as.capsule.q, q);
    shape.as.capsule.radius = radius;
    return shape;
}

graze_shape graze_shape_box(const float centre[3], const float half[3], const float rotation[4])
{
    static const float none[4] = {0, 0, 0, 1};
    graze_shape shape = {.kind = GRAZE_BOX};
    const float *q = rotation ? rotation : none;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    double scale = 2 / (x * x + y * y + z * z + w * w); /* not finite for zero: refused later */
    const double axes[3][3] = {
        {1 - scale * (y * y + z * z), scale * (x * y + z * w), scale * (x * z - y * w)},
        {scale * (x * y - z * w), 1 - scale * (x * x + z * z), scale * (y * z + x * w)},
        {scale * (x * z + y * w), scale * (y * z - x * w), 1 - scale * (x * x + y * y)}};
    copy3(shape.as.box.centre, centre);
    copy3(shape.as.box.half, half);
    for (int i = 0; i < 9; i++)
        shape.as.box.axes[i / 3][i % 3] = (float)axes[i / 3][i % 3];
    return shape;
}

static graze_shape with_plane(graze_shape_kind kind, const float normal[3], float offset)
{
    graze_shape shape = {.kind = kind};
    copy3(shape.as.plane.normal, normal);
    shape.as.plane.offset = offset;
    return shape;
}

graze_shape graze_shape_plane(const float normal[3], float offset)
{
    return with_plane(GRAZE_PLANE, normal, offset);
}

graze_shape graze_shape_half_space(const float normal[3], float offset)
{
    return with_plane(GRAZE_HALF_SPACE, normal, offset);
}

graze_shape graze_shape_frustum(const graze_half_space *planes, uint32_t count)
{
    graze_shape shape = {.kind = GRAZE_FRUSTUM};
    uint32_t kept = count < GRAZE_MAX_PLANES ? count : GRAZE_MAX_PLANES;
    if (kept && planes)
        memcpy(shape.as.frustum.planes, planes, kept * sizeof *planes);
    shape.as.frustum.plane_count = planes ? count : 0;
    return shape;
}

/* A point is in view where every one of x + w, w - x, y + w, w - y, z + w (or z) and w - z is at
 * least 0 in clip space: rows of the matrix, added and subtracted.
 */
uint32_t graze_frustum_planes(const float view_projection[16], graze_clip_depth depth,
                              graze_half_space planes[6])
{
    uint32_t count = 0;
    for (int side = 0; side < 6 && view_projection && planes; side++) {
        int row = side / 2;
        float sign = side % 2 ? -1.0f : 1.0f, inwards[4];
        float last = side == 4 && depth == GRAZE_CLIP_DEPTH_UNIT ? 0.0f : 1.0f;
        for (int k = 0; k < 4; k++)
            inwards[k] = last * view_projection[4 * k + 3] + sign * view_projection[4 * k + row];
        if (inwards[0] == 0 && inwards[1] == 0 && inwards[2] == 0)
            continue;
        planes[count++] = (graze_half_space){{-inwards[0], -inwards[1], -inwards[2]}, inwards[3]};
    }
    return count;
}
