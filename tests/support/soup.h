/* Random skinned meshes and random poses, for tests that look for what breaks. */
#ifndef GRAZE_TESTS_SUPPORT_SOUP_H
#define GRAZE_TESTS_SUPPORT_SOUP_H

#include "harness.h"
#include "support/own.h"

#include <graze/graze.h>

/* What a soup looks like. */
typedef struct soup_def {
    uint32_t vertex_count;
    uint32_t triangle_count;
    uint32_t joint_count;
    uint32_t max_influences; /* a vertex has 1 to so many */
    double size;             /* of the whole; triangles are about a tenth of it */
    double offset;           /* of the whole from the origin, along a random direction */
    bool flat;               /* z is 0 everywhere */
    bool lattice;            /* positions are multiples of an eighth of the size */
    bool scattered;          /* any joints on any vertex, not neighbouring ones */
    bool odd_weights;        /* not summing to 1, zeros, tiny ones and joints named twice */
    bool equal_weights;      /* the same joints and weights everywhere, but for a step or two */
} soup_def;

typedef struct soup {
    soup_def def;
    float *positions;
    uint32_t *triangles;
    uint32_t *influence_offsets;
    graze_influence *influences;
    float centre[3]; /* about the middle of the positions */
} soup;

soup soup_make(const soup_def *def, test_random *random);
void soup_free(soup *soup);
OWN_VALUE(soup, soup_free)

/* A model def over the soup's arrays, with the default tree. */
graze_model_def soup_model_def(const soup *soup);

/* Kinds of affine maps. Angles, scales and shears are random within each. */
typedef enum map_kind {
    MAP_RIGID,     /* turns, and moves by about the size of the soup */
    MAP_NEAR,      /* turns by up to a few degrees, and moves a little */
    MAP_SCALED,    /* another scale for each axis, 0.1 to 10 */
    MAP_SHEARED,   /* any matrix with entries up to 2 */
    MAP_MIRRORED,  /* one axis turned round */
    MAP_SINGULAR,  /* one, two or three axes collapsed */
    MAP_FAR,       /* moved by up to 1e6 */
    MAP_CANCELLED, /* scaled up to 1e5, and moved back so that the soup's centre stays put */
    MAP_TINY,      /* scaled by down to 1e-44 */
    MAP_HUGE,      /* scaled by up to 1e12 */
    MAP_LATTICE,   /* axes swapped and turned round, moved by multiples of an eighth of the size */
    MAP_KIND_COUNT
} map_kind;

/* A map of that kind for something of that size around centre: 12 floats, 3 rows of 4. */
void map_make(map_kind kind, const float centre[3], double size, test_random *random,
              float map[12]);

/* Maps for all joints of a soup. */
void pose_make(map_kind kind, const soup *soup, test_random *random, float *maps);

#endif
