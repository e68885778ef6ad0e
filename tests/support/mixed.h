/* A handful of small bodies that a stateful test calls in any order, each beside a twin that knows
 * nothing of what happened: a body of a plain model of the same mesh, posed anew, which only the
 * slow references are asked of.
 */
#ifndef GRAZE_TESTS_SUPPORT_MIXED_H
#define GRAZE_TESTS_SUPPORT_MIXED_H

#include "harness.h"
#include "support/answers.h"
#include "support/soup.h"
#include "support/ways.h"

#include <graze/graze.h>

enum {
    MIXED_MODELS = 2,
    MIXED_BODIES = 2 * MIXED_MODELS,
    MIXED_MORPHS = 3,
    MIXED_SCENES = 6,
    MIXED_STEPS = 72,
    MIXED_MASK_WORDS = 2
};

typedef struct mixed_model {
    soup mesh;
    graze_morph_target morphs[MIXED_MORPHS];
    uint32_t *morph_vertices;
    float *morph_deltas;
    uint32_t morph_count;
    uint32_t *groups; /* of triangles */
    uint32_t part_count;
    graze_skinning skinning;
    graze_tree_def tree;
    graze_model *model, *plain;
    graze_cache_pool *caches; /* for bodies that are lean */
    graze_model_info info;
} mixed_model;

typedef struct mixed_body {
    uint32_t number; /* body 2m and 2m + 1 are of model m */
    const mixed_model *of;
    graze_body *body, *twin;
    bool lean;
    float *joints; /* the pose it is in */
    float weights[MIXED_MORPHS];
    float placement[12];
    bool placed;
    uint32_t mask[MIXED_MASK_WORDS]; /* the groups that take part */
    float *positions;                /* that were given instead, if so */
    bool given;
} mixed_body;

typedef struct mixed_world {
    test_random random;
    bool flush; /* calls are made with denormals flushed; the references never are */
    mixed_model models[MIXED_MODELS];
    mixed_body bodies[MIXED_BODIES];
    ways_scene *scenes[MIXED_SCENES]; /* questions about the bodies */
    answers expected, found;
    char steps[MIXED_STEPS][96]; /* what was called, to be printed if an answer is wrong */
    uint32_t step_count;
    uint32_t favourite; /* the body that most calls are about */
    bool failed;        /* an answer was wrong: the rest of this world says nothing */
} mixed_world;

/* Makes everything from the seed. Aborts when out of memory. */
void mixed_open(mixed_world *world, uint64_t seed, bool flush);
void mixed_close(mixed_world *world);

/* A whole number below count. */
uint32_t mixed_below(mixed_world *world, uint32_t count);
double mixed_range(mixed_world *world, double low, double high);

/* Scenes over the bodies, which mixed_open makes. */
void mixed_open_scenes(mixed_world *world);

/* Writes down the call that comes next. */
void mixed_step(mixed_world *world, const char *format, ...)
    __attribute__((format(TEST_PRINTF, 2, 3)));

/* What the call should have been: if not, the world has failed. */
void mixed_check(mixed_world *world, bool ok, const char *format, ...)
    __attribute__((format(TEST_PRINTF, 3, 4)));

/* Sorts both lists and compares them. */
void mixed_compare(mixed_world *world, const char *what);

/* Gives a body another pose, or other weights, and the twin the same. */
void mixed_set_pose(mixed_world *world, mixed_body *body);
void mixed_set_weights(mixed_world *world, mixed_body *body, bool coherent);

/* Gives a body another part mask, and the twin the same; or that of another body of its model. */
void mixed_set_mask(mixed_world *world, mixed_body *body);
void mixed_copy_mask(mixed_world *world, mixed_body *body, const mixed_body *from);

/* The same but for one part. */
void mixed_turn_part(mixed_world *world, mixed_body *body);

/* Whether a triangle of a body takes part. */
bool mixed_takes(const mixed_body *body, uint32_t triangle);

/* Gives both positions in place of a pose. */
void mixed_set_positions(mixed_world *world, mixed_body *body);

/* Around what is asked of twins: the processor's usual mode, then that of the world again. */
void mixed_begin_reference(mixed_world *world);
void mixed_end_reference(mixed_world *world);

/* Prints seed, models and steps. */
void mixed_print(const mixed_world *world, uint64_t seed);

#endif
