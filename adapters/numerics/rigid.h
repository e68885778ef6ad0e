/* Frames of vertices without their rigid motion. Private to the adapter. */
#ifndef GRAZEI_NUMERICS_RIGID_H
#define GRAZEI_NUMERICS_RIGID_H

#include <graze/numerics.h>

/* Fills rotations, translations and mean of the result, and rest: 3 x vertex_count numbers a frame,
 * the frame turned and moved back, less the mean. False when LAPACK has no memory.
 */
bool grazei_remove_rigid(const graze_frames_def *def, graze_components *result, double *rest);

#endif
