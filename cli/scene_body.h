/* One body of a scene. */
#ifndef GRAZE_CLI_SCENE_BODY_H
#define GRAZE_CLI_SCENE_BODY_H

#include "cli/scene_file.h"

/* Reads the body at a place; the models of those before it are found again. scene_path: what paths
 * are relative to. False after printing what is wrong.
 */
bool scene_read_body(struct scene *scene, const json_value *place, const char *scene_path,
                     scene_body *body);

/* The class that a value names. */
bool scene_take_class(const struct scene *scene, const json_value *value, uint32_t *number);

#endif
