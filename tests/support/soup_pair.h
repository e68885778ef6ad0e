/* Two random bodies that overlap in many triangles, each with one morph target: what is needed to
 * try every query.
 */
#ifndef GRAZE_TESTS_SUPPORT_SOUP_PAIR_H
#define GRAZE_TESTS_SUPPORT_SOUP_PAIR_H

#include "support/own.h"
#include "support/soup.h"

typedef struct soup_pair {
    soup meshes[2];
    float *deltas[2];
    graze_model *models[2];
    graze_body *a, *b, *end; /* end is of a's model: where a could move to */
    graze_ray ray;           /* through a triangle of a */
} soup_pair;

/* allocator may be NULL. Aborts when out of memory. */
soup_pair soup_pair_open(graze_tree_def tree, graze_skinning skinning,
                         const graze_allocator *allocator);

/* Makes the soup of one side (0 or 1) and a model of it; with what is above for other sizes. */
graze_model *soup_pair_model(soup_pair *pair, int side, const soup_def *def, graze_tree_def tree,
                             graze_skinning skinning, const graze_allocator *allocator);

/* Poses a body of that side; the same number, the same pose. Joints are at most four. */
graze_status soup_pair_pose(soup_pair *pair, int side, graze_body *body, uint32_t number);

/* Frees what is still there; the first two some of it. */
void soup_pair_close_bodies(soup_pair *pair);
void soup_pair_close_models(soup_pair *pair);
void soup_pair_close(soup_pair *pair);
OWN_VALUE(soup_pair, soup_pair_close)

#endif
