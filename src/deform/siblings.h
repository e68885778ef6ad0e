/* Bounding siblings together, one a pair of lanes: what differs between nodes, their joints and how
 * they are bounded, costs more in mispredicted branches than the arithmetic of small nodes.
 *
 * Each sibling gets the numbers that BOX_HULL gives with the same error: f4_map_point's and
 * f4_map_extent's order of additions is kept, zero is added to extents, and negating commutes with
 * rounding. So the bound holds by the same proof. A joint that does not move a sibling has a box
 * turned inside out there, with half-extents of -FLT_MAX: its low end lies above its high end, and
 * neither counts. Only where a map flattens an axis do both ends come to lie on its translation, or
 * near it, which can make the bound larger but never smaller.
 *
 * Included by *_kernels.c only.
 */
#ifndef GRAZEI_DEFORM_SIBLINGS_H
#define GRAZEI_DEFORM_SIBLINGS_H

#include "deform/skin.h"
#include "math/f8.h"

/* The negated low and the high ends of the boxes' images along an axis. */
GRAZEI_INLINE f8 sibling_ends(const f4_map *map, int axis, f8 x, f8 y, f8 z)
{
    f8 xy =
        f8_add(f8_mul(x, f8_with_size(map->c[0][axis])), f8_mul(y, f8_with_size(map->c[1][axis])));
    f8 rest = f8_add(f8_mul(z, f8_with_size(map->c[2][axis])), f8_with_zero(map->c[3][axis]));
    return f8_ends(f8_add(xy, rest));
}

/* Bounds the siblings from node `first` on, which share a record. */
GRAZEI_INLINE void grazei_bound_siblings(const grazei_skin *skin, const grazei_joints *joints,
                                         uint32_t first, grazei_bound *bounds)
{
    const grazei_record *record = &skin->records[first];
    const float *names = skin->rows[record->first];
    const float *boxes = names + 4 * (size_t)grazei_joint_rows(record->joints);
    f8 reach[3] = {f8_all(-INFINITY), f8_all(-INFINITY), f8_all(-INFINITY)};
    for (uint32_t k = 0; k < record->joints; k++, boxes += 24) {
        const f4_map *map = &joints->maps[f4_bits(names[k])];
        f8 x = f8_load(boxes), y = f8_load(boxes + 8), z = f8_load(boxes + 16);
        for (int axis = 0; axis < 3; axis++)
            reach[axis] = f8_max(reach[axis], sibling_ends(map, axis, x, y, z));
    }
    f4 margin = joints->magnitude * f4_all(record->error) + joints->final_error;
    for (int axis = 0; axis < 3; axis++)
        reach[axis] = f8_add(f8_add(reach[axis], f8_with_negated(joints->translation[axis])),
                             f8_all(margin[axis]));
    f8_store_rows(bounds[first].low_negated, reach[0], reach[1], reach[2], record->siblings);
}

#endif
