/* The box of a whole body, tighter than its root's bound: for every joint a box around the vertices
 * it moves, turned so that it is small, beside the one along the axes of the rest pose that records
 * have too.
 *
 * A vertex is a mean of its images under its joints, weighted. So it lies in the box around the
 * images of the joints' boxes. A joint's box is c + s1 a1 + s2 a2 + s3 a3 with |s| <= 1; under a
 * map A x + t it reaches |A a1| + |A a2| + |A a3| from A c + t along each axis, whatever the map.
 * Joints stand in the order of their distance from the middle: most of the later ones are within
 * what the first ones reach by their plain boxes, and their turned ones are not looked at.
 *
 * Rounding. All numbers of a box are within `wide` times the mesh's reach, which is checked when it
 * is made, so that computing an image loses less than 8 u wide of the magnitude (docs/bounds.md);
 * the root's record counts at least 17 u for the same. `error` is 1 + wide times the record's.
 * Where denormals are flushed, the 13 products and 12 sums of an image, and as many of a vertex for
 * each of its joints, may each lose 2^-126 more: less than 2^-110 together.
 */
#ifndef GRAZEI_DEFORM_OUTLINE_H
#define GRAZEI_DEFORM_OUTLINE_H

#include "deform/bound.h"
#include "deform/joints.h"

#define GRAZEI_OUTLINE_ROWS 6

typedef struct grazei_outline {
    uint32_t count;   /* boxes; 0: there is no outline */
    float (*rows)[4]; /* GRAZEI_OUTLINE_ROWS for each: { centre of the plain box, joint as bits }
                         { half sides } { c } { a1 } { a2 } { a3 } */
    float error;
} grazei_outline;

/* Around all that linear blending by these joints moves. */
static inline grazei_bound grazei_outline_box(const grazei_outline *outline,
                                              const grazei_joints *joints)
{
    const float(*row)[4] = (const float(*)[4])outline->rows;
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
    for (uint32_t k = 0; k < outline->count; k++, row += GRAZEI_OUTLINE_ROWS) {
        const f4_map *map = &joints->maps[f4_bits(row[0][3])];
        f4 centre = f4_map_point(map, f4_load(row[0]));
        f4 extent = f4_map_extent(map, f4_load(row[1]));
        f4 first = centre - extent, last = centre + extent;
        if ((f4_ge_bits(first, low) & f4_ge_bits(high, last) & 7u) == 7u)
            continue;
        centre = f4_map_point(map, f4_load(row[2]));
        extent = f4_abs(grazei_turn(map, f4_load(row[3]))) +
                 f4_abs(grazei_turn(map, f4_load(row[4]))) +
                 f4_abs(grazei_turn(map, f4_load(row[5])));
        low = f4_min(low, f4_max(first, centre - extent));
        high = f4_max(high, f4_min(last, centre + extent));
    }
    f4 margin =
        joints->magnitude * f4_all(outline->error) + joints->final_error + f4_all(0x1p-110f);
    grazei_bound box;
    grazei_bound_set_box(&box, (low + joints->translation) - margin,
                         (high + joints->translation) + margin);
    return box;
}

#endif
