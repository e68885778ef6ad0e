/* A played scene as a file that other programs play. */
#ifndef GRAZE_CLI_WORLD_SAVE_H
#define GRAZE_CLI_WORLD_SAVE_H

#include "cli/world_scene.h"

/* What became of it. */
typedef struct world_saved {
    uint64_t keys;  /* that were written */
    double largest; /* by how much a vertex is off at most, at a frame or half way between two */
} world_saved;

/* Writes the scene as a .glb; false after printing what is wrong. tolerance: how far a vertex may
 * be off so that a key can be left out, in metres.
 */
bool world_save(const world_scene *made, const char *path, double tolerance, world_saved *saved);

/* False, after printing so, if the path is a model of the scene. */
bool world_save_check(const struct scene *scene, const char *path);

#endif
