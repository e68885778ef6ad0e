/* A collision mesh in place of the model's own, on the same skeleton. */
#ifndef GRAZE_CLI_SHAPE_MESH_H
#define GRAZE_CLI_SHAPE_MESH_H

#include <graze/rig.h>

/* Gives the rig the triangles, weights and joints of a model file. Nodes and clips stay: every
 * joint of the mesh is, by name, one of the rig's. False with what is wrong in the error's text.
 */
bool shape_mesh_take(graze_rig *rig, const char *path, graze_error *error);

/* The path of a file that another one names, from that one's folder. To be freed. */
char *path_beside(const char *file, const char *path);

/* The other way: what a file has to call a path to name it. NULL if no path leads there. */
char *path_from(const char *file, const char *path);

#endif
