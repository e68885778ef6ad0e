/* A coarser mesh of a model, as a file of its own. */
#ifndef GRAZE_CLI_COARSE_MESH_H
#define GRAZE_CLI_COARSE_MESH_H

#include <graze/rig.h>

/* Writes the model in the rig with about so many triangles, on the same nodes and joints and with
 * the same clips, to a file, whole or not at all. False with what is wrong in the error's text. The
 * rig is as it was.
 */
bool coarse_mesh_write(const graze_rig *rig, uint32_t triangles, const char *path,
                       graze_error *error);

#endif
