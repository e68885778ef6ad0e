/* What tests of sphere chains share: chains of a rig, and spheres from posed positions by the words
 * of graze/ext/chain.h.
 */
#ifndef GRAZE_TESTS_SUPPORT_CHAINED_H
#define GRAZE_TESTS_SUPPORT_CHAINED_H

#include "harness.h"
#include "support/own.h"

#include <graze/ext/chain.h>
#include <graze/rig.h>

typedef struct chained {
    graze_rig *rig;
    graze_model *model;
    graze_part_names *joints;
    graze_chains *chains;
    float *rest; /* where the body stood when spheres were found, 3 floats a vertex */
} chained;

/* A character by name: "man", "creature" or "dwarf", of few triangles, or a shared model; NULL
 * where there are none of these. Made on the first call and kept until the program ends.
 */
graze_rig *chained_rig(const char *name);

/* Chains of a rig, which stays the caller's. def NULL: the default one. posed: found where the file
 * stands, not at rest. Failures are recorded; chains are then NULL.
 */
chained chained_open(graze_rig *rig, const graze_chain_def *def, bool posed);
void chained_close(chained *c);
OWN_VALUE(chained, chained_close)

/* Sphere s from posed positions: x, y, z and radius. */
void chained_sphere(const graze_chains *chains, uint32_t s, const float *positions, float out[4]);

/* The number of a region by name, or GRAZE_NONE. */
uint32_t chained_region(const graze_chains *chains, const char *name);

#endif
