/* Questions to a scene, asked in every frame: rays, spheres and points. */
#ifndef GRAZE_CLI_WORLD_ASK_H
#define GRAZE_CLI_WORLD_ASK_H

#include "cli/options.h"
#include "cli/world_scene.h"

typedef struct world_questions {
    text_list rays, spheres, points; /* as they were given */
    const char *of;                  /* the class that is asked, or NULL */
    graze_ray ray[MOST_TEXTS];
    graze_shape sphere[MOST_TEXTS];
    float point[MOST_TEXTS][3];
    graze_world_filter filter;
} world_questions;

/* Reads what was given; false after printing what is wrong. */
bool world_questions_read(world_questions *questions, const struct scene *scene);

/* Asks all of them in a frame that is there, and prints the answers, as JSON or in words. */
bool world_questions_ask(const world_questions *questions, const world_scene *made, uint32_t frame,
                         bool json);

#endif
