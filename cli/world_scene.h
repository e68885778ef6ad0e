/* A scene ready to be played: its models loaded, its bodies and shapes in a world. */
#ifndef GRAZE_CLI_WORLD_SCENE_H
#define GRAZE_CLI_WORLD_SCENE_H

#include "cli/character.h"
#include "cli/save.h"
#include "cli/scene_file.h"

#include <graze/ext/world.h>

/* A body of the scene as it is played: an instance of a model, or a shape. */
typedef struct world_actor {
    const scene_body *body;
    struct instance instance; /* of a model */
    graze_world_id id;
} world_actor;

typedef struct world_scene {
    const struct scene *scene;
    struct character *characters; /* one a model */
    graze_cache_pool **caches;    /* the same, for their bodies */
    world_actor *actors;          /* one a body, in its order */
    graze_world *world;
} world_scene;

/* Loads, builds and adds everything, as it stands in frame 0. False after printing what is wrong;
 * to be closed all the same.
 */
bool world_scene_open(world_scene *made, const struct scene *scene);
void world_scene_close(world_scene *made);

double world_scene_time(const world_scene *made, uint32_t frame);

/* Warns of clips that end before the scene does. */
void world_scene_warn(const world_scene *made);

/* Where an actor stands at a time, as the scene says. */
void world_actor_at(const world_actor *actor, double time, double at[3]);

/* Poses and moves everything to a frame; false after printing what is wrong. */
bool world_scene_move(world_scene *made, uint32_t frame);

/* A part by its number: of a model its name, of a primitive its kind. */
const char *world_actor_part(const world_actor *actor, uint32_t part);

/* An event of a frame, as JSON or in words (world_print.c). */
void world_print_json(const world_scene *made, uint32_t frame, const graze_world_event *event);
void world_print_text(const world_scene *made, uint32_t frame, const graze_world_event *event);

/* Writes the scene as a .glb that other programs play (world_save.c); false after printing what is
 * wrong. tolerance: how far a vertex may be off so that a key can be left out, in metres.
 */
bool world_save(const world_scene *made, const char *path, double tolerance, scene_saved *saved);

/* False, after printing so, if the path is a model of the scene. */
bool world_save_check(const struct scene *scene, const char *path);

#endif
