/* Lists of pairs of clusters, patches and groups. */
#ifndef GRAZEI_BATCH_LISTS_H
#define GRAZEI_BATCH_LISTS_H

#include "mesh/mesh.h"

#include <graze/ext/batch_tables.h>

/* Fills the lists of tables whose triangles are there; on failure the caller releases what is. */
graze_status grazei_pose_lists(graze_pose_tables *tables, const grazei_mesh *mesh,
                               const graze_allocator *allocator, graze_error *error);

#endif
