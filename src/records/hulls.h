/* Boxes of all nodes, from the leaves up: for every node and joint the box around those of the
 * node's vertices that follow the joint is the one around its children's. So vertices are looked at
 * once, and not again on every level.
 */
#ifndef GRAZEI_RECORDS_HULLS_H
#define GRAZEI_RECORDS_HULLS_H

#include "deform/skin.h"
#include "tree/tree.h"

/* Low and high corner; the last lanes are the least and the largest weight that the joint has on
 * any of the node's vertices, or mean nothing.
 */
typedef struct grazei_joint_box {
    f4 low, high;
} grazei_joint_box;

/* What is kept of a node. */
typedef struct grazei_hull {
    grazei_joint_box whole; /* around all its vertices */
    size_t first;           /* into boxes and joints, which ascend */
    uint32_t joints;
    /* Over the example poses, in boxes' sums of sides: the hull's, and at least a centre record's.
     * Both 0 where there is nothing to choose.
     */
    double size, least;
} grazei_hull;

typedef struct grazei_hulls {
    grazei_hull *nodes; /* NULL: there are none, as for spheres */
    grazei_joint_box *boxes;
    uint32_t *joints;
    size_t count, box_capacity, joint_capacity;
} grazei_hulls;

struct grazei_recorder;

/* Finds the boxes of all nodes of the recorder's tree. False when out of memory. */
bool grazei_hulls_find(struct grazei_recorder *recorder);
void grazei_hulls_release(grazei_hulls *hulls, const graze_allocator *allocator);

/* Fills in sizes, of nodes that maps alone move. */
void grazei_hulls_judge(struct grazei_recorder *recorder);

/* Whether a node may be bounded by a weight centre, too. */
static inline bool grazei_hull_has_choice(const grazei_hull *hull)
{
    return hull->joints > 1 && hull->joints <= GRAZEI_MAX_CENTRE_JOINTS;
}

/* Centre and half-extents of a box, safe for the stored floats. */
void grazei_store_box(const grazei_joint_box *box, float centre[3], float half[3]);

/* Makes a node's joints those at hand. */
void grazei_hull_take_joints(struct grazei_recorder *recorder, uint32_t node);

/* Appends the record of a node's boxes; false when out of memory. */
bool grazei_hull_record(struct grazei_recorder *recorder, uint32_t node, grazei_record *record);

/* Whether siblings are bounded faster by one record that they share. */
bool grazei_siblings_pay(struct grazei_recorder *recorder, uint32_t first, uint32_t count);

/* Appends such a record for them; false when out of memory. */
bool grazei_record_siblings(struct grazei_recorder *recorder, uint32_t first, uint32_t count);

#endif
