/* Things to simulate in tests: a chair that flexes by its procedural fields, and a ball. */
#ifndef GRAZE_TESTS_SUPPORT_SIM_THINGS_H
#define GRAZE_TESTS_SUPPORT_SIM_THINGS_H

#include "scenes/synth.h"
#include "support/own.h"

#include <graze/graze.h>
#include <graze/sim.h>

typedef struct sim_thing {
    const graze_rig *rig; /* kept until the program ends */
    graze_model *model;
    float *deltas;
    graze_sim_mode modes[16];
    graze_sim_kind_def def; /* of a free kind: a shell of 4 kg/m2, modes from 8 Hz on */
} sim_thing;

/* Aborts when out of memory. tree NULL: the default one. Frequencies of modes are 8, 13, 18 ... Hz,
 * all damped by 0.02; a weight's modal mass is what makes the fastest vertex weigh 0.3 kg.
 */
void sim_thing_make(graze_synth_kind kind, uint32_t triangles, bool rigid,
                    const graze_tree_def *tree, sim_thing *thing);
void sim_thing_free(sim_thing *thing);
OWN_VALUE(sim_thing, sim_thing_free)

/* A simulation of a def with the thing as kind 0, standing on a plane y = 0 if it has ground. */
graze_sim *sim_thing_start(const graze_sim_def *def, const sim_thing *thing, bool ground);

/* Puts one in, turned by a rotation made of the seed; 0: upright. Returns its number. */
uint32_t sim_thing_put(graze_sim *sim, double x, double y, double z, uint32_t seed);

/* Takes steps, or fails the test. */
void sim_run(graze_sim *sim, graze_pool *pool, uint32_t steps);

/* Bits of all that moves, in one number. */
uint64_t sim_hash(const graze_sim *sim);

/* A fresh ordinary body of the model where a body of the simulation is. */
graze_body *sim_copy_body(const graze_sim *sim, uint32_t number);

/* The lowest y of a body's vertices. */
double sim_lowest(const graze_sim *sim, uint32_t number);

#endif
