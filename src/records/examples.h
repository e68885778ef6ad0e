/* Example poses: what a choice between two valid bounds is tried on. */
#ifndef GRAZEI_RECORDS_EXAMPLES_H
#define GRAZEI_RECORDS_EXAMPLES_H

#include "mesh/mesh.h"

#define GRAZEI_EXAMPLE_POSES 4

/* Makes up poses (12 floats a joint): each joint turns by up to 60 degrees about the place where
 * its influence mixes with others'. scratch has room for 4 doubles a joint.
 */
void grazei_make_up_poses(const grazei_mesh *mesh, uint32_t pose_count, float *poses,
                          double *scratch);

#endif
