/* Does a ray meet a triangle, and where? */
#ifndef GRAZEI_NARROW_RAY_H
#define GRAZEI_NARROW_RAY_H

#include <graze/shape.h>

typedef struct grazei_ray_point {
    float t;
    float u, v; /* weights of the second and third corner */
} grazei_ray_point;

/* Whether the ray meets the closed triangle, then with the point of the least t. The guarantees are
 * those of graze/ray.h; the ray and the corners are within its limits. The floating-point
 * environment must be the default one.
 */
bool grazei_ray_meets(const graze_ray *ray, const float corners[3][3], grazei_ray_point *point);

/* The unit normal by winding, 0 if there is none. */
void grazei_triangle_normal(const float triangle[3][3], float normal[3]);

/* The axis along which dir is largest. */
static inline int grazei_ray_axis(const float dir[3])
{
    float x = dir[0] < 0 ? -dir[0] : dir[0], y = dir[1] < 0 ? -dir[1] : dir[1];
    float z = dir[2] < 0 ? -dir[2] : dir[2];
    return x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
}

#endif
