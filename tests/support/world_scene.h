/* Random worlds in which bodies and shapes move, come and go, get masks and other rules: the same
 * in several graze_worlds, with what is needed to judge their events.
 */
#ifndef GRAZE_TESTS_SUPPORT_WORLD_SCENE_H
#define GRAZE_TESTS_SUPPORT_WORLD_SCENE_H

#include "harness.h"

#include "support/soup.h"
#include "support/world_judge.h"

enum {
    SCENE_THINGS = 40,
    SCENE_CLASSES = 4,
    SCENE_WORLDS = 3,
    SCENE_MODELS = 4,
    SCENE_VOLUMES = 8
};

typedef struct scene_member {
    judge_thing now, past; /* past: at the update before, with a body of its own */
    bool has_past;         /* which a world knows, too */
    graze_capsule past_volumes[SCENE_VOLUMES];
    uint32_t category, model, number;
    bool present;
    graze_world_id ids[SCENE_WORLDS];
    double at[3], speed[3];
    float turn[4]; /* of a box or half-space: it keeps that */
} scene_member;

/* Two soups, the first with volumes; a solid ball and a solid box, hollow for what is inside. */
typedef struct world_scene {
    soup meshes[2];
    graze_model *models[SCENE_MODELS];
    graze_cache_pool *caches[SCENE_MODELS]; /* some bodies are lean */
    graze_hitboxes *fit;
    scene_member members[SCENE_THINGS];
    graze_world *worlds[SCENE_WORLDS]; /* with 1, 2 and 8 threads */
    graze_pool *pools[SCENE_WORLDS];
    graze_world_rule rules[SCENE_CLASSES][SCENE_CLASSES];
    graze_body *between[2][SCENE_MODELS]; /* for bodies on their way */
    bool with_motion;
    test_random random;
} world_scene;

/* with_motion: rules have all kinds of motion, and some things are fast. */
void scene_open(world_scene *s, uint64_t seed, bool with_motion);
void scene_close(world_scene *s);

/* Remembers where everything is, as a world does that was just updated. */
void scene_remember(world_scene *s);

/* Moves things, but for every third; then some go and some come back, a mask or the rules change.
 */
void scene_move(world_scene *s);
void scene_change(world_scene *s);

/* Whether boxes around two ways are so far apart that nothing of them can meet, volumes included.
 */
bool scene_ways_are_apart(const scene_member *a, const scene_member *b);

/* The first of some times, the end left out, at which two that have a past meet on their way, or 2;
 * and whether they do at one time.
 */
double scene_first_time(world_scene *s, const scene_member *a, const scene_member *b,
                        graze_level level, uint32_t steps);
bool scene_meet_at(world_scene *s, const scene_member *a, const scene_member *b, graze_level level,
                   double time);

/* The earliest impact of two bodies by brute force over their triangles. */
graze_impact scene_first_impact(world_scene *s, const scene_member *a, const scene_member *b);

#endif
