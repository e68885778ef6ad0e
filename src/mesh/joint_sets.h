/* Joint-sets: the distinct sets of joints that act on a vertex (Kavan & Zara 2005, section 3). */
#ifndef GRAZEI_MESH_JOINT_SETS_H
#define GRAZEI_MESH_JOINT_SETS_H

#include "mesh/mesh.h"

/* Fills vertex_set, set_offsets, set_joints and set_count; false when out of memory. */
bool grazei_find_joint_sets(grazei_mesh *mesh, const graze_allocator *allocator);

#endif
