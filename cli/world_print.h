/* Events of graze world as lines. */
#ifndef GRAZE_CLI_WORLD_PRINT_H
#define GRAZE_CLI_WORLD_PRINT_H

#include "cli/world_scene.h"

/* An event of a frame, as JSON or in words. */
void world_print_json(const world_scene *made, uint32_t frame, const graze_world_event *event);
void world_print_text(const world_scene *made, uint32_t frame, const graze_world_event *event);

#endif
