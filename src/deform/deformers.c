/* Every way to deform: a row each. */
#include "deform/skin.h"

#define DEFORMERS(ROW)                                                                             \
    ROW(GRAZE_LINEAR, linear_deformer)                                                             \
    ROW(GRAZE_SPHERICAL, spherical_deformer)                                                       \
    ROW(GRAZE_DUAL, dual_deformer)

#define DECLARE(skinning, deformer) GRAZEI_DECLARE(grazei_deformer, deformer);
DEFORMERS(DECLARE)

const grazei_deformer *grazei_deformer_of(graze_skinning skinning, graze_isa isa)
{
#define PICK(number, deformer)                                                                     \
    case number:                                                                                   \
        return GRAZEI_PICK(isa, deformer);
    switch (skinning) {
        DEFORMERS(PICK)
    }
    return NULL;
}
