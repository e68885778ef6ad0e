/* Random skins with morph targets, and the poses that blended rotations and displacement fields
 * find hard.
 */
#ifndef GRAZE_TESTS_SUPPORT_DEFORM_SKINS_H
#define GRAZE_TESTS_SUPPORT_DEFORM_SKINS_H

#include "support/own.h"
#include "support/soup.h"

/* A soup whose vertices also follow displacement fields: dense and sparse ones, fields that move
 * one vertex, all alike, hardly at all, nothing, or name a vertex twice.
 */
typedef struct deform_skin {
    soup mesh;
    graze_morph_target *morphs;
    uint32_t morph_count;
} deform_skin;

deform_skin deform_skin_make(const soup_def *def, uint32_t morph_count, test_random *random);
void deform_skin_free(deform_skin *skin);
OWN_VALUE(deform_skin, deform_skin_free)

/* A model def over the skin's arrays, with the default tree. */
graze_model_def deform_skin_def(const deform_skin *skin, graze_skinning kind);

/* How the joints of a pose stand to each other; all are rigid up to DEFORM_RIGID_COUNT. */
typedef enum deform_pose_kind {
    DEFORM_RANDOM,     /* any turn, about any point */
    DEFORM_NEAR,       /* a few degrees apart */
    DEFORM_HALF_TURNS, /* half turns but for a little, so that quaternions are nearly opposite */
    DEFORM_APART,      /* mutually more than 120 degrees apart: 1, i, j, k and their like */
    DEFORM_ONE_AXIS,   /* about one axis, which slides */
    DEFORM_ALIKE,      /* the same turn but for 1e-6, moved apart: no centre but far away */
    DEFORM_FAR,        /* moved by up to 1e6 */
    DEFORM_OPPOSED,    /* two camps, a half turn apart */
    DEFORM_LATTICE,    /* axes swapped, places on a lattice: exact in float */
    DEFORM_SAME,       /* every joint the same */
    DEFORM_RIGID_COUNT,
    DEFORM_ALMOST = DEFORM_RIGID_COUNT, /* any turn, rigid but for a few 1e-5 */
    DEFORM_SCALED,                      /* any turn with a scale for each axis */
    DEFORM_SHEARED,                     /* any matrices */
    DEFORM_MIRRORED,
    DEFORM_SINGULAR,
    DEFORM_MIXED, /* rigid ones and others */
    DEFORM_POSE_COUNT
} deform_pose_kind;

/* Maps of count joints for something of that size around centre: 12 floats each. */
void deform_pose_make(deform_pose_kind kind, const float centre[3], double size, uint32_t count,
                      test_random *random, float *maps);

/* Weights of morph targets by lot: none, one, from 0 to 1, negative, large, cancelling, huge. */
void deform_weights_make(uint32_t count, test_random *random, float *weights);

/* A placement by lot: rigid, far, scaled, sheared, mirrored or singular. False: none. */
bool deform_placement_make(double size, test_random *random, float placement[12]);

#endif
