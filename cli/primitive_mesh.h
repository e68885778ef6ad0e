/* Simple shapes as meshes, to be seen in other programs. */
#ifndef GRAZE_CLI_PRIMITIVE_MESH_H
#define GRAZE_CLI_PRIMITIVE_MESH_H

#include "cli/scene_file.h"

#include <graze/rig.h>

/* A rig of one rigid mesh whose vertices lie on the surface of the primitive, about its own origin.
 * A plane is a square with sides of twice `reach`, around the point of it nearest to the origin.
 */
graze_rig *primitive_rig(const scene_body *body, double reach);

#endif
