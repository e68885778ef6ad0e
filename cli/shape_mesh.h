/* The collision mesh that a shape file names, in place of the model's own. */
#ifndef GRAZE_CLI_SHAPE_MESH_H
#define GRAZE_CLI_SHAPE_MESH_H

#include "cli/json_file.h"

#include <graze/rig.h>

/* Gives the rig the triangles, weights and joints of the mesh that the value names, a path from the
 * folder of its file. Nodes and clips stay: every joint of the mesh is, by name, one of the rig's.
 * False after printing what is wrong; the rig is then to be destroyed.
 */
bool shape_mesh_take(const json_value *value, graze_rig *rig);

#endif
