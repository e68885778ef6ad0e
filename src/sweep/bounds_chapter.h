/* Moving bounds: at every time the triangles below a node are inside what lies between its bounds
 * at the start and at the end, as each of their points lies between its own two positions.
 */
#ifndef GRAZEI_SWEEP_BOUNDS_CHAPTER_H
#define GRAZEI_SWEEP_BOUNDS_CHAPTER_H

#include "deform/bound.h"
#include "narrow/moving.h"

static inline f4 grazei_without_fourth(f4 a)
{
    return (f4)((i4)a & (i4){-1, -1, -1, 0});
}

static inline grazei_moving_box grazei_moving_box_of(const grazei_bound *start,
                                                     const grazei_bound *end)
{
    grazei_moving_box box = {{grazei_without_fourth(grazei_bound_first(start)),
                              grazei_without_fourth(grazei_bound_first(end))},
                             {grazei_without_fourth(grazei_bound_second(start)),
                              grazei_without_fourth(grazei_bound_second(end))}};
    return box;
}

/* False if the spheres are apart at all times; else they are so before *enter.
 *
 * The spheres are apart at a time if a direction n parts them: n . d > |n| r, d and r being the
 * difference of centres and the sum of radii. Both sides are linear in time, so if it does at two
 * times it does in between, for any n. Two directions are tried: that at the start, which also says
 * how long it lasts, and that at the time when the spheres come nearest, which loses nothing.
 *
 * Radii are enlarged by 32 u w, w being the larger of |d| + r at both ends and u = 2^-24. Rounding
 * takes less than 8 u w, underflow of products, as radii are at least 2^-64, no more than that.
 * What is left exceeds 8 u w, and the tolerance of grazei_moving_triangles_meet is at most 4 u (|d|
 * + 2 r), so that this rules out no contact that it finds.
 */
static inline bool grazei_moving_spheres_overlap(const grazei_bound *a[2], const grazei_bound *b[2],
                                                 float *enter)
{
    f4 start = grazei_bound_first(a[0]) - grazei_bound_first(b[0]);
    f4 end = grazei_bound_first(a[1]) - grazei_bound_first(b[1]);
    float r0 = a[0]->radius + b[0]->radius, r1 = a[1]->radius + b[1]->radius;
    float far0 = f4_length3(start), far1 = f4_length3(end);
    float margin = 32 * 0x1p-24f * f1_max(far0 + r0, far1 + r1);
    *enter = 0;
    r0 += margin;
    r1 += margin;
    if (far0 <= r0)
        return true;
    float part0 = f4_dot3(start, start) - far0 * r0, part1 = f4_dot3(start, end) - far0 * r1;
    if (part0 > 0 && part1 > 0)
        return false;
    if (part0 > 0)
        *enter = part0 / (part0 - part1) * (1 - 32 * 0x1p-24f);
    if (far1 <= r1)
        return true;

    f4 way = end - start;
    float square = f4_dot3(way, way), growth = r1 - r0;
    float straight = -f4_dot3(start, way) / square;
    float near = f4_length3(start + f4_all(straight) * way);
    float rest = square - growth * growth;
    float time = rest > 0     ? straight + growth * near / (sqrtf(square) * sqrtf(rest))
                 : growth > 0 ? 1
                              : 0;
    f4 n = start + f4_all(f1_min(1, f1_max(0, time))) * way;
    float length = f4_length3(n);
    return !(f4_dot3(n, start) > length * r0 && f4_dot3(n, end) > length * r1);
}

#endif
