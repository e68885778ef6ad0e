/* Scenes to simulate: kinds of things, many of each, and where they are at the beginning.
 *
 *     chairs    plastic chairs in a block above the ground, each turned at random
 *     bridge    fish rain in layers on a bridge that sways
 *     curtain   balls thrown at a curtain in the wind
 *
 * Metres, Y up, the ground at y = 0. Nothing overlaps at the beginning. The same options give the
 * same scene.
 */
#ifndef GRAZE_CLI_SIMULATE_SCENES_H
#define GRAZE_CLI_SIMULATE_SCENES_H

#include "cli/simulate_kinds.h"

#include <graze/sim.h>

typedef enum simulate_scene_name {
    SIMULATE_CHAIRS,
    SIMULATE_FISH_ON_BRIDGE,
    SIMULATE_BALLS_AT_CURTAIN,
    SIMULATE_SCENE_COUNT
} simulate_scene_name;

enum { SIMULATE_MOST_KINDS = 2, SIMULATE_MOST_COUNT = 100000 };

/* A zeroed one is 12 chairs as in the paper, that flex, with exact contacts. */
typedef struct simulate_options {
    simulate_scene_name scene;
    uint32_t count;           /* of free bodies; 0: 12 chairs, 100 fish or 1 ball */
    uint32_t triangles;       /* of each free body; 0: as in the paper */
    uint32_t stage_triangles; /* of bridge or curtain; 0: as in the paper */
    bool rigid;               /* nothing deforms; needs no numerics */
    simulate_contacts contacts;
    uint32_t level;      /* of proxies; 0: the paper's */
    double step_seconds; /* 0: 1/150 */
} simulate_options;

typedef struct simulate_scene {
    simulate_options options;                  /* zeros filled in */
    const char *name;                          /* "chairs", "bridge", "curtain" */
    graze_sim *sim;                            /* filled; the ground is its plane 0 */
    simulate_kind *kinds[SIMULATE_MOST_KINDS]; /* number k of the simulation is kinds[k] */
    uint32_t kind_count;
    uint32_t body_count;     /* of the simulation: animated ones, then free ones */
    uint32_t animated_count; /* of them, 0 or 1: all of kind 0 if there are two kinds */
    double seconds;          /* after which it is mostly over, for a default of --seconds */
    float eye[3], look[3];   /* a camera that sees it */
    double setup_seconds;    /* that making it took */
} simulate_scene;

/* The scene of that name, or SIMULATE_SCENE_COUNT; the name of each (NULL if out of range). */
simulate_scene_name simulate_scene_find(const char *name);
const char *simulate_scene_title(simulate_scene_name scene);

/* Makes a scene; *scene is set on success only. Errors are those of simulate_kind_create and
 * graze/sim.h; GRAZE_BAD_INPUT also names a count above SIMULATE_MOST_COUNT, or a step that is not
 * above 0.
 */
graze_status simulate_scene_create(const simulate_options *options, simulate_scene **scene,
                                   graze_error *error);

/* NULL is fine. */
void simulate_scene_destroy(simulate_scene *scene);

/* To be called before every step, with its number from 0 on: moves animated bodies to where they
 * are at its end. Depends on the number alone, so that a scene whose state was loaded goes on as if
 * it had not been stopped.
 */
graze_status simulate_scene_prepare(simulate_scene *scene, uint64_t step, graze_error *error);

#endif
