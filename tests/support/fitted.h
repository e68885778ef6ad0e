/* A model with volumes, and the judge that looks for triangles outside of them. */
#ifndef GRAZE_TESTS_SUPPORT_FITTED_H
#define GRAZE_TESTS_SUPPORT_FITTED_H

#include "harness.h"
#include "support/own.h"

#include <graze/ext/hitbox.h>

typedef struct fitted {
    graze_model *model;
    graze_body *body;
    graze_hitboxes *fit;
    uint32_t count;         /* of volumes */
    graze_capsule *volumes; /* as posed last */
    float *positions;       /* as judged last */
} fitted;

/* Clusters 0: the default. False, and a failed check, where it cannot be made. */
bool fitted_open(fitted *f, const graze_model_def *def, uint32_t clusters, const char *name);
bool fitted_open_from(fitted *f, const graze_model_def *def, const graze_hitbox_def *volumes,
                      uint32_t volume_count, uint32_t clusters, const char *name);
void fitted_close(fitted *f);
OWN_VALUE(fitted, fitted_close)

/* Corners of triangles that are outside of their owners in the body's pose. */
uint32_t fitted_outside(fitted *f, const char *name);

/* Middle of the model and its size. */
void fitted_extent(const graze_model_def *def, float centre[3], double *size);

/* Random poses of the fitted model, kinds of maps in turn; stops at the first that leaves a volume.
 * Counts those that the body took.
 */
bool fitted_try_poses(fitted *f, const float centre[3], double size, uint32_t poses,
                      test_random *random, const char *name);
extern uint32_t fitted_poses_tried;

#endif
