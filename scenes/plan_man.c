/* The man: 1.8 m, 27 joints, arms lowered 35 degrees from the horizontal, palms down. */
#include "scenes/plan.h"

static const grazei_synth_joint_row joints[] = {
    JOINT("pelvis", NULL, 0, 0.98, 0, 0.12, 0, 0.94, 0, 0.12),
    JOINT("spine.1", "pelvis", 0, 1.06, -0.005, 0.12, 0, 1.14, -0.01, 0.12),
    JOINT("spine.2", "spine.1", 0, 1.15, -0.01, 0.12, 0, 1.22, -0.015, 0.12),
    JOINT("spine.3", "spine.2", 0, 1.24, -0.015, 0.12, 0, 1.31, -0.02, 0.125),
    JOINT("chest", "spine.3", 0, 1.33, -0.02, 0.125, 0, 1.42, -0.02, 0.11),
    JOINT("neck", "chest", 0, 1.51, -0.02, 0.06, 0, 1.565, -0.005, 0.055),
    JOINT("head", "neck", 0, 1.6, 0.005, 0.07, 0, 1.72, 0.01, 0.09),
    JOINT("clavicle.L", "chest", 0.05, 1.455, -0.01, 0.06, 0.165, 1.445, -0.02, 0.06),
    JOINT("upper_arm.L", "clavicle.L", 0.19, 1.44, -0.02, 0.058, 0.42, 1.279, -0.025, 0.045),
    JOINT("forearm.L", "upper_arm.L", 0.4275, 1.2735, -0.025, 0.044, 0.634, 1.129, -0.01, 0.03),
    JOINT("hand.L", "forearm.L", 0.6404, 1.1243, -0.01, 0.032, 0.705, 1.079, -0.002, 0.038),
    JOINT("fingers.L", "hand.L", 0.72, 1.069, 0, 0.03, 0.79, 1.02, 0, 0.03),
    JOINT("thumb.L", "hand.L", 0.674, 1.097, 0.035, 0.016, 0.735, 1.045, 0.075, 0.012),
    JOINT("thigh.L", "pelvis", 0.095, 0.92, 0, 0.09, 0.119, 0.52, 0.008, 0.06),
    JOINT("calf.L", "thigh.L", 0.12, 0.5, 0.01, 0.058, 0.134, 0.11, -0.02, 0.04),
    JOINT("foot.L", "calf.L", 0.135, 0.085, -0.02, 0.042, 0.147, 0.035, 0.085, 0.04),
    JOINT("toes.L", "foot.L", 0.15, 0.028, 0.115, 0.034, 0.155, 0.02, 0.18, 0.03)};

static const grazei_synth_shape_row shapes[] = {
    /* trunk */
    FLAT(ONE, 0.04, 0.145, 0, 1.02, 0, 0.132, 0, 1.14, 0.002, 0, 0, 1, 0.78),
    FLAT(ONE, 0.06, 0.142, 0, 1.2, 0, 0.168, 0, 1.36, -0.012, 0, 0, 1, 0.72),
    FLAT(ONE, 0.06, 0.12, -0.055, 0.95, -0.005, 0.12, 0.055, 0.95, -0.005, 0, 0, 1, 0.88),
    ROUND(ONE, 0.05, 0.06, -0.13, 1.435, -0.025, 0.06, 0.13, 1.435, -0.025),
    FLAT(BOTH, 0.045, 0.085, 0.075, 1.355, 0.07, 0.06, 0.13, 1.39, 0.05, 0, 0.2, 1, 0.5),
    ROUND(BOTH, 0.05, 0.06, 0.1, 1.36, -0.075, 0.05, 0.1, 1.24, -0.055),
    ROUND(BOTH, 0.05, 0.04, 0.035, 1.5, -0.03, 0.035, 0.14, 1.455, -0.03),
    ROUND(BOTH, 0.05, 0.085, 0.075, 0.935, -0.055, 0.08, 0.085, 0.9, -0.055),
    /* neck and head */
    ROUND(ONE, 0.04, 0.06, 0, 1.46, -0.025, 0.056, 0, 1.6, 0.0),
    FLAT(ONE, 0.03, 0.096, 0, 1.705, -0.015, 0.092, 0, 1.695, 0.015, 1, 0, 0, 0.82),
    FLAT(ONE, 0.04, 0.062, 0, 1.64, 0.04, 0.044, 0, 1.605, 0.062, 1, 0, 0, 0.95),
    BALL(ONE, 0.03, 0.018, 0, 1.588, 0.085),
    ROUND(ONE, 0.03, 0.014, -0.034, 1.694, 0.09, 0.014, 0.034, 1.694, 0.09),
    BALL(BOTH | CARVE, 0.02, 0.014, 0.033, 1.677, 0.112),
    BALL(BOTH, 0.008, 0.0135, 0.032, 1.675, 0.083),
    ROUND(ONE, 0.014, 0.009, 0, 1.685, 0.1, 0.014, 0, 1.648, 0.114),
    ROUND(ONE, 0.014, 0.008, -0.018, 1.62, 0.1, 0.008, 0.018, 1.62, 0.1),
    FLAT(BOTH, 0.012, 0.028, 0.082, 1.672, -0.008, 0.018, 0.076, 1.645, 0, 1, 0, -0.4, 0.4),
    /* arm */
    ROUND(BOTH, 0.04, 0.062, 0.185, 1.435, -0.02, 0.048, 0.265, 1.385, -0.022),
    ROUND(BOTH, 0.03, 0.05, 0.2, 1.43, -0.022, 0.04, 0.4275, 1.2735, -0.025),
    ROUND(BOTH, 0.03, 0.04, 0.28, 1.375, -0.005, 0.036, 0.36, 1.318, -0.008),
    ROUND(BOTH, 0.03, 0.044, 0.445, 1.26, -0.022, 0.026, 0.6404, 1.1243, -0.01),
    ROUND(BOTH, 0.03, 0.043, 0.46, 1.25, -0.012, 0.036, 0.52, 1.21, -0.014),
    /* hand */
    FLAT(BOTH, 0.03, 0.034, 0.655, 1.114, -0.006, 0.042, 0.695, 1.086, -0.002, 0.574, 0.819, 0,
         0.45),
    ROUND(BOTH, 0.012, 0.0105, 0.7, 1.083, 0.028, 0.008, 0.786, 1.019, 0.042),
    ROUND(BOTH, 0.012, 0.0108, 0.7, 1.083, 0.009, 0.008, 0.798, 1.01, 0.014),
    ROUND(BOTH, 0.012, 0.0105, 0.7, 1.083, -0.011, 0.008, 0.788, 1.017, -0.016),
    ROUND(BOTH, 0.012, 0.0095, 0.69, 1.09, -0.03, 0.0075, 0.764, 1.034, -0.046),
    ROUND(BOTH, 0.015, 0.017, 0.664, 1.1, 0.022, 0.013, 0.7, 1.07, 0.058),
    ROUND(BOTH, 0.01, 0.013, 0.7, 1.07, 0.058, 0.01, 0.735, 1.043, 0.072),
    /* leg */
    ROUND(BOTH, 0.05, 0.092, 0.1, 0.87, -0.005, 0.056, 0.12, 0.52, 0.01),
    ROUND(BOTH, 0.05, 0.07, 0.11, 0.8, 0.03, 0.055, 0.115, 0.62, 0.025),
    BALL(BOTH, 0.03, 0.05, 0.12, 0.505, 0.022),
    ROUND(BOTH, 0.04, 0.052, 0.121, 0.47, 0.0, 0.035, 0.134, 0.11, -0.018),
    ROUND(BOTH, 0.04, 0.05, 0.124, 0.4, -0.028, 0.04, 0.13, 0.29, -0.025),
    /* foot */
    ROUND(BOTH, 0.03, 0.04, 0.134, 0.09, -0.015, 0.03, 0.147, 0.045, 0.09),
    ROUND(BOTH, 0.03, 0.038, 0.134, 0.038, -0.045, 0.034, 0.14, 0.03, 0.02),
    FLAT(BOTH, 0.03, 0.045, 0.147, 0.022, 0.09, 0.036, 0.152, 0.016, 0.17, 0, 1, 0, 0.6)};

static const grazei_synth_contact_row contacts[] = {{"foot.L", {0.134, 0, -0.065}},
                                                    {"foot.L", {0.147, 0, 0.1}},
                                                    {"toes.L", {0.15, 0, 0.115}},
                                                    {"toes.L", {0.152, 0, 0.195}}};

static const grazei_synth_track_row walk[] = {
    {"pelvis", 'y', GRAZEI_SYNTH_SINE, 0, -6, 0.25, 0, 1},
    {"pelvis", 'z', GRAZEI_SYNTH_SINE, 0, 3, 0.08, 0, 1},
    {"pelvis", 'X', GRAZEI_SYNTH_SINE, 0, 0.018, 0, 0, 1},
    {"spine.*", 'y', GRAZEI_SYNTH_SINE, 0, 3, 0.25, 0, 1},
    {"spine.*", 'z', GRAZEI_SYNTH_SINE, 0, -1.2, 0.08, 0, 1},
    {"spine.1", 'x', GRAZEI_SYNTH_SINE, 2, 1, 0.1, 0, 2},
    {"chest", 'y', GRAZEI_SYNTH_SINE, 0, 3, 0.25, 0, 1},
    {"neck", 'y', GRAZEI_SYNTH_SINE, 0, -3, 0.25, 0, 1},
    {"head", 'y', GRAZEI_SYNTH_SINE, 0, -3, 0.25, 0, 1},
    {"head", 'x', GRAZEI_SYNTH_SINE, -1, 1.5, 0.35, 0, 2},
    {"clavicle.L", 'z', GRAZEI_SYNTH_SINE, -4, 0, 0, 0, 1},
    {"upper_arm.L", 'z', GRAZEI_SYNTH_SINE, -41, 0, 0, 0, 1},
    {"upper_arm.L", 'x', GRAZEI_SYNTH_SINE, -1, 22, 0.25, 0, 1},
    {"forearm.L", 'y', GRAZEI_SYNTH_SINE, -15, -8, 0.7, 0, 1},
    {"forearm.L", 'x', GRAZEI_SYNTH_SINE, -10, -6, 0.7, 0, 1},
    {"hand.L", 'z', GRAZEI_SYNTH_SINE, -4, 4, 0.2, 0, 1},
    {"fingers.L", 'z', GRAZEI_SYNTH_SINE, -18, 4, 0.2, 0, 1},
    {"thigh.L", 'x', GRAZEI_SYNTH_HIP, -8, -20, 0, 0, 1},
    {"thigh.L", 'z', GRAZEI_SYNTH_SINE, -2.5, 0, 0, 0, 1},
    {"calf.L", 'x', GRAZEI_SYNTH_KNEE, 3, 57, 0, 0, 1},
    {"foot.L", 'x', GRAZEI_SYNTH_ANKLE, -2, -14, 0, 0, 1},
    {"toes.L", 'x', GRAZEI_SYNTH_TOE, 0, -28, 0, 0, 1}};

static const grazei_synth_clip_row clips[] = {{"walk", 1.1, 32, walk, COUNT_OF(walk)}};

const grazei_synth_plan grazei_synth_man = {
    .name = "man",
    .description = "a man of 1.8 m: 27 joints, 8,270 triangles, clip walk",
    .triangles = 8270,
    .cell = 0.007,
    .joints = joints,
    .joint_count = COUNT_OF(joints),
    .shapes = shapes,
    .shape_count = COUNT_OF(shapes),
    .contacts = contacts,
    .contact_count = COUNT_OF(contacts),
    .clips = clips,
    .clip_count = COUNT_OF(clips)};
