/* How far apart bounds are, at least.
 *
 * Rounding. A gap along an axis, or a difference of centres, is one rounding; with squares, sums
 * and root the result has a relative error below 8 u, u = 2^-24, but for squares that underflow,
 * which cost less than GRAZEI_LEAST_LENGTH. Taking off 16 u and that length makes it a lower bound.
 */
#ifndef GRAZEI_QUERY_DISTANCE_BOUNDS_H
#define GRAZEI_QUERY_DISTANCE_BOUNDS_H

#include "body/body.h"
#include "math/rounding.h"

#define GRAZEI_SHORTER (1 - 0x1p-20f)
#define GRAZEI_LONGER (1 + 0x1p-20f)

static inline bool grazei_has_spheres(const graze_body *body)
{
    return body->model->tree.def.volume == GRAZE_SPHERES;
}

static inline grazei_bound grazei_node_box(const graze_body *body, uint32_t node)
{
    return grazei_has_spheres(body) ? grazei_box_of_sphere(&body->bounds[node])
                                    : body->bounds[node];
}

/* The distance of two boxes, at least; 0 where they overlap. */
static inline float grazei_box_distance(const grazei_bound *a, const grazei_bound *b)
{
    f4 inside = f4_min(grazei_bound_first(a) + grazei_bound_second(b),
                       grazei_bound_second(a) + grazei_bound_first(b));
    f4 gap = f4_max(-inside, f4_zero());
    float distance = f4_length3(gap) * GRAZEI_SHORTER - GRAZEI_LEAST_LENGTH;
    return f1_max(distance, 0);
}

/* Of a box and four boxes; negative where they overlap, then by how much along the shallowest axis.
 */
static inline f4 grazei_four_box_distances(const grazei_bound *box, const grazei_bound four[4],
                                           f4 *farthest)
{
    f4 low = grazei_bound_first(box), high = grazei_bound_second(box);
    f4 x = grazei_bound_first(&four[0]), y = grazei_bound_first(&four[1]);
    f4 z = grazei_bound_first(&four[2]), free = grazei_bound_first(&four[3]);
    f4 u = grazei_bound_second(&four[0]), v = grazei_bound_second(&four[1]);
    f4 w = grazei_bound_second(&four[2]), stamps = grazei_bound_second(&four[3]);
    f4_transpose(&x, &y, &z, &free);
    f4_transpose(&u, &v, &w, &stamps);
    x = x + f4_x(high), u = u + f4_x(low);
    y = y + f4_y(high), v = v + f4_y(low);
    z = z + f4_z(high), w = w + f4_z(low);
    f4 most_x = f4_max(x, u), most_y = f4_max(y, v), most_z = f4_max(z, w);
    *farthest =
        f4_sqrt((most_x * most_x + most_y * most_y) + most_z * most_z) * f4_all(GRAZEI_LONGER) +
        f4_all(GRAZEI_LEAST_LENGTH);
    x = -f4_min(x, u);
    y = -f4_min(y, v);
    z = -f4_min(z, w);
    f4 depth = f4_min(f4_max(f4_max(x, y), z), f4_zero());
    x = f4_max(x, f4_zero());
    y = f4_max(y, f4_zero());
    z = f4_max(z, f4_zero());
    f4 length = f4_sqrt((x * x + y * y) + z * z) * f4_all(GRAZEI_SHORTER);
    return length + depth - f4_all(GRAZEI_LEAST_LENGTH);
}

/* Of a sphere and four spheres; negative where they overlap. */
static inline f4 grazei_four_sphere_distances(const grazei_bound *sphere,
                                              const grazei_bound four[4], f4 *farthest)
{
    f4 centre = grazei_bound_first(sphere);
    f4 x = grazei_bound_first(&four[0]), y = grazei_bound_first(&four[1]);
    f4 z = grazei_bound_first(&four[2]), r = grazei_bound_first(&four[3]);
    f4_transpose(&x, &y, &z, &r);
    x = x - f4_x(centre);
    y = y - f4_y(centre);
    z = z - f4_z(centre);
    f4 length = f4_sqrt((x * x + y * y) + z * z) * f4_all(GRAZEI_SHORTER);
    f4 reach = (r + f4_w(centre)) * f4_all(GRAZEI_LONGER);
    *farthest =
        (length + reach) * f4_all(GRAZEI_LONGER * GRAZEI_LONGER) + f4_all(GRAZEI_LEAST_LENGTH);
    /* the difference is rounded once more */
    return (length - reach) - (length + reach) * f4_all(GRAZEI_UNIT) - f4_all(GRAZEI_LEAST_LENGTH);
}

/* Of a node's bound and four sibling nodes of another body, whatever the volumes. */
static inline f4 grazei_four_distances(const graze_body *body, uint32_t node,
                                       const graze_body *other, uint32_t first, f4 *farthest)
{
    bool spheres = grazei_has_spheres(body), other_spheres = grazei_has_spheres(other);
    if (spheres && other_spheres)
        return grazei_four_sphere_distances(&body->bounds[node], &other->bounds[first], farthest);
    if (!spheres && !other_spheres)
        return grazei_four_box_distances(&body->bounds[node], &other->bounds[first], farthest);
    grazei_bound box = grazei_node_box(body, node), four[4];
    for (uint32_t i = 0; i < 4; i++)
        four[i] = grazei_node_box(other, first + i);
    return grazei_four_box_distances(&box, four, farthest);
}

/* For choosing which of two nodes to open: about the sum of the sides of a box. */
static inline float grazei_node_size(const graze_body *body, uint32_t node)
{
    const grazei_bound *bound = &body->bounds[node];
    if (grazei_has_spheres(body))
        return 3.4f * bound->radius;
    f4 sides = grazei_bound_first(bound) + grazei_bound_second(bound);
    return sides[0] + sides[1] + sides[2];
}

#endif
