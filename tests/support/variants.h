/* One mesh as several models, each with another tree and instruction set, and a body or two of
 * each: posed alike, they must answer alike.
 */
#ifndef GRAZE_TESTS_SUPPORT_VARIANTS_H
#define GRAZE_TESTS_SUPPORT_VARIANTS_H

#include "harness.h"
#include "support/own.h"

#include <graze/graze.h>

enum { MAX_VARIANTS = 6 };

typedef struct variants {
    uint32_t count;
    graze_model *models[MAX_VARIANTS];
    graze_body *bodies[MAX_VARIANTS];
    graze_body *twins[MAX_VARIANTS]; /* second bodies of the models, where asked for */
} variants;

/* An instruction set for every number: one of those that this machine has. */
graze_isa variants_isa(uint32_t number);

/* Adds a model and a body as the def has them. Records a failure and returns false if that fails.
 */
bool variants_add(variants *v, const graze_model_def *def);

/* So many variants: the default tree, the papers', then others by lot; instruction sets by lot. The
 * def's own tree and instruction set do not matter. Free them even after a failure.
 */
bool variants_make(variants *v, graze_model_def def, uint32_t count, test_random *random);

/* A second body of every model. */
bool variants_add_twins(variants *v);

void variants_free(variants *v);
OWN_VALUE(variants, variants_free)

/* Poses all bodies (the twins alone in the second case), and compares their positions bit for bit.
 * False if the pose is refused, which all must do alike; the name starts the text of a failure.
 */
bool variants_pose(variants *v, const graze_pose *pose, const char *name);
bool variants_pose_twins(variants *v, const graze_pose *pose, const char *name);

/* Half the diagonal of the box around the bodies as they are posed, and its middle. */
double variants_extent(const variants *v, double middle[3]);

#endif
