/* The volume around a node in the current pose: a box or a sphere, in half a cache line. */
#ifndef GRAZEI_DEFORM_BOUND_H
#define GRAZEI_DEFORM_BOUND_H

#include "math/f4.h"

/* A box is stored as the negated low corner and the high corner, so that one comparison of all
 * six numbers with a probe decides whether two boxes overlap. A sphere is centre and radius. The
 * lanes left over mean nothing.
 */
typedef struct grazei_bound {
    union {
        struct {
            float low_negated[3];
            uint32_t spare;
        };
        struct {
            float centre[3];
            float radius;
        };
    };
    union {
        float high[3];
        struct {
            float base_radius; /* of a sphere that was found, before it was enlarged */
            float base_drift;
            uint32_t base_epoch;
        };
    };
    uint32_t unused;
} grazei_bound __attribute__((aligned(32)));

_Static_assert(sizeof(grazei_bound) == 32, "two bounds fill a cache line");

static inline f4 grazei_bound_first(const grazei_bound *bound)
{
    return f4_load(bound->low_negated);
}

static inline f4 grazei_bound_second(const grazei_bound *bound)
{
    return f4_load(bound->high);
}

static inline void grazei_bound_set_box(grazei_bound *bound, f4 low, f4 high)
{
    f4_store(bound->low_negated, -low);
    f4_store(bound->high, high);
}

static inline void grazei_bound_set_sphere(grazei_bound *bound, f4 centre, float radius)
{
    centre[3] = radius;
    f4_store(bound->centre, centre);
}

/* The bound of nothing: a box from infinity to -infinity, a sphere of radius -infinity. It overlaps
 * nothing, no ray meets it, and it is infinitely far from everything, itself included; the box of
 * such a sphere is such a box.
 */
static inline void grazei_bound_set_empty(grazei_bound *bound, bool sphere)
{
    if (sphere)
        grazei_bound_set_sphere(bound, f4_zero(), -INFINITY);
    else
        grazei_bound_set_box(bound, f4_all(INFINITY), f4_all(-INFINITY));
}

static inline bool grazei_bound_is_empty(const grazei_bound *bound, bool sphere)
{
    return sphere ? bound->radius < 0 : bound->high[0] == -INFINITY;
}

/* What a box is compared with: it overlaps the probed box where first and second are at least
 * the probe's, in x y z.
 */
typedef struct grazei_box_probe {
    f4 first, second;
} grazei_box_probe;

static inline grazei_box_probe grazei_probe_box(const grazei_bound *box)
{
    grazei_box_probe probe = {-grazei_bound_second(box), -grazei_bound_first(box)};
    return probe;
}

static inline bool grazei_boxes_overlap(const grazei_box_probe *probe, const grazei_bound *box)
{
    return f4_both_ge(box->low_negated, probe->first, probe->second);
}

/* Touching spheres overlap, and so do spheres that rounding could keep apart: the sum of radii is
 * enlarged by more than the error of either side (three roundings of differences and squares left,
 * two right). Each lane of the result is all ones where the sphere overlaps one of four.
 */
static inline unsigned grazei_four_spheres_overlap(f4 sphere, const grazei_bound *four)
{
    f4 x = grazei_bound_first(&four[0]), y = grazei_bound_first(&four[1]);
    f4 z = grazei_bound_first(&four[2]), r = grazei_bound_first(&four[3]);
    f4_transpose(&x, &y, &z, &r);
    x = x - f4_x(sphere);
    y = y - f4_y(sphere);
    z = z - f4_z(sphere);
    r = (r + f4_w(sphere)) * f4_all(1.0f + 8 * 0x1p-24f);
    return f4_ge_bits(r * f4_abs(r), (x * x + y * y) + z * z); /* negative for nothing */
}

static inline bool grazei_spheres_overlap(const grazei_bound *a, const grazei_bound *b)
{
    f4 between = grazei_bound_first(a) - grazei_bound_first(b);
    float reach = (a->radius + b->radius) * (1.0f + 8 * 0x1p-24f);
    return !(f4_dot3(between, between) > reach * fabsf(reach));
}

/* The box around a sphere, for comparing trees of different volumes. */
static inline grazei_bound grazei_box_of_sphere(const grazei_bound *sphere)
{
    grazei_bound box;
    f4 centre = grazei_bound_first(sphere);
    f4 reach = f4_all(sphere->radius) + f4_abs(centre) * f4_all(0x1p-23f);
    reach = reach * f4_all(1.0f + 4 * 0x1p-24f);
    grazei_bound_set_box(&box, centre - reach, centre + reach);
    return box;
}

#endif
