/* The fish: a plump one with fins, in place of that of James & Pai 2004, section 5 (12,531
 * vertices, 24,776 faces). Its modes are found by whoever simulates it.
 */
#include "scenes/plan.h"

static const grazei_synth_joint_row joints[] = {
    JOINT("fish", NULL, 0, 0.11, 0, 0.08, 0, 0.11, 0, 0.08)};

/* Along z, the snout in front; flat sideways, but for the fins at its sides. */
static const grazei_synth_shape_row shapes[] = {
    /* head, trunk and the root of the tail */
    FLAT(ONE, 0.02, 0.042, 0, 0.108, 0.255, 0.098, 0, 0.112, 0.09, 1, 0, 0, 0.56),
    FLAT(ONE, 0.03, 0.098, 0, 0.112, 0.09, 0.085, 0, 0.116, -0.01, 1, 0, 0, 0.56),
    FLAT(ONE, 0.03, 0.085, 0, 0.116, -0.01, 0.03, 0, 0.12, -0.2, 1, 0, 0, 0.56),
    /* tail fin: two lobes and the web between them */
    FLAT(ONE, 0.015, 0.03, 0, 0.122, -0.2, 0.022, 0, 0.208, -0.3, 1, 0, 0, 0.32),
    FLAT(ONE, 0.015, 0.03, 0, 0.118, -0.2, 0.022, 0, 0.034, -0.3, 1, 0, 0, 0.32),
    FLAT(ONE, 0.015, 0.03, 0, 0.12, -0.2, 0.045, 0, 0.12, -0.235, 1, 0, 0, 0.2),
    /* fins on the back and below the tail */
    FLAT(ONE, 0.012, 0.045, 0, 0.196, 0.06, 0.022, 0, 0.2, -0.09, 1, 0, 0, 0.22),
    FLAT(ONE, 0.012, 0.028, 0, 0.046, -0.07, 0.016, 0, 0.056, -0.16, 1, 0, 0, 0.3),
    /* fins at the sides, spread a little */
    FLAT(BOTH, 0.01, 0.016, 0.045, 0.085, 0.13, 0.032, 0.088, 0.06, 0.075, 0.5, 0.866, 0, 0.3),
    /* eyes, lips, and the mouth between them */
    BALL(BOTH, 0.004, 0.014, 0.031, 0.132, 0.232),
    FLAT(ONE, 0.008, 0.022, 0, 0.112, 0.29, 0.022, 0, 0.112, 0.28, 1, 0, 0, 0.9),
    FLAT(ONE | CARVE, 0.006, 0.024, 0, 0.104, 0.322, 0.02, 0, 0.104, 0.285, 0, 1, 0, 0.3)};

const grazei_synth_plan grazei_synth_fish = {.name = "fish",
                                             .description =
                                                 "a fish of 62 cm: 1 joint, 24,776 triangles",
                                             .triangles = 24776,
                                             .cell = 0.006,
                                             JOINTS,
                                             SHAPES};
