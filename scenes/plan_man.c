/* The man: 1.8 m, 27 joints, arms lowered 50 degrees from the horizontal, palms down. The player is
 * the same with other clips (plan_player.c) and fewer triangles.
 */
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
    JOINT("upper_arm.L", "clavicle.L", 0.19, 1.44, -0.02, 0.064, 0.3705, 1.225, -0.025, 0.045),
    JOINT("forearm.L", "upper_arm.L", 0.3763, 1.2177, -0.025, 0.044, 0.5384, 1.0247, -0.01, 0.03),
    JOINT("hand.L", "forearm.L", 0.5433, 1.0185, -0.01, 0.032, 0.594, 0.958, -0.002, 0.038),
    JOINT("fingers.L", "hand.L", 0.6073, 0.942, 0, 0.03, 0.648, 0.8773, 0, 0.03),
    JOINT("thumb.L", "hand.L", 0.5638, 0.9806, 0.037, 0.016, 0.5991, 0.9266, 0.088, 0.012),
    JOINT("thigh.L", "pelvis", 0.095, 0.92, 0, 0.09, 0.119, 0.52, 0.008, 0.06),
    JOINT("calf.L", "thigh.L", 0.12, 0.5, 0.01, 0.058, 0.134, 0.11, -0.02, 0.04),
    JOINT("foot.L", "calf.L", 0.135, 0.085, -0.02, 0.042, 0.147, 0.035, 0.085, 0.04),
    JOINT("toes.L", "foot.L", 0.15, 0.028, 0.115, 0.034, 0.155, 0.02, 0.18, 0.03)};

static const grazei_synth_shape_row shapes[] = {
    /* trunk */
    FLAT(ONE, 0.04, 0.138, 0, 1.02, 0, 0.126, 0, 1.13, 0.002, 0, 0, 1, 0.78),
    FLAT(ONE, 0.06, 0.142, 0, 1.21, 0, 0.176, 0, 1.36, -0.012, 0, 0, 1, 0.7),
    FLAT(ONE, 0.06, 0.114, -0.05, 0.95, -0.005, 0.114, 0.05, 0.95, -0.005, 0, 0, 1, 0.9),
    ROUND(ONE, 0.05, 0.058, -0.14, 1.44, -0.025, 0.058, 0.14, 1.44, -0.025),
    FLAT(BOTH, 0.04, 0.088, 0.078, 1.36, 0.072, 0.06, 0.14, 1.395, 0.05, 0, 0.2, 1, 0.5),
    ROUND(BOTH, 0.05, 0.06, 0.115, 1.36, -0.07, 0.045, 0.1, 1.21, -0.05),
    ROUND(BOTH, 0.05, 0.04, 0.035, 1.5, -0.03, 0.035, 0.14, 1.46, -0.03),
    ROUND(BOTH, 0.05, 0.082, 0.072, 0.935, -0.055, 0.078, 0.082, 0.9, -0.052),
    /* neck and head */
    ROUND(ONE, 0.04, 0.06, 0, 1.46, -0.025, 0.055, 0, 1.6, 0.0),
    FLAT(ONE, 0.03, 0.098, 0, 1.703, -0.018, 0.09, 0, 1.705, 0.022, 1, 0, 0, 0.8),
    FLAT(ONE, 0.04, 0.064, 0, 1.65, 0.042, 0.046, 0, 1.607, 0.062, 1, 0, 0, 0.95),
    BALL(ONE, 0.03, 0.02, 0, 1.588, 0.086),
    ROUND(ONE, 0.03, 0.014, -0.034, 1.697, 0.094, 0.014, 0.034, 1.697, 0.094),
    BALL(BOTH | CARVE, 0.02, 0.014, 0.033, 1.678, 0.116),
    BALL(BOTH, 0.008, 0.0135, 0.032, 1.676, 0.086),
    ROUND(ONE, 0.016, 0.01, 0, 1.685, 0.104, 0.015, 0, 1.649, 0.116),
    ROUND(ONE, 0.016, 0.009, -0.018, 1.62, 0.102, 0.009, 0.018, 1.62, 0.102),
    FLAT(BOTH, 0.012, 0.027, 0.081, 1.672, -0.012, 0.018, 0.077, 1.645, -0.004, 1, 0, -0.4, 0.4),
    /* arm */
    ROUND(BOTH, 0.04, 0.064, 0.1887, 1.4352, -0.02, 0.048, 0.2506, 1.3648, -0.022),
    ROUND(BOTH, 0.03, 0.05, 0.1971, 1.4278, -0.022, 0.039, 0.3763, 1.2177, -0.025),
    ROUND(BOTH, 0.03, 0.04, 0.2642, 1.3497, -0.005, 0.036, 0.3226, 1.2782, -0.008),
    ROUND(BOTH, 0.015, 0.038, 0.3763, 1.2177, -0.025, 0.026, 0.5433, 1.0185, -0.01),
    ROUND(BOTH, 0.03, 0.041, 0.4135, 1.1731, -0.014, 0.034, 0.4606, 1.117, -0.014),
    /* hand */
    FLAT(BOTH, 0.03, 0.034, 0.5548, 1.0048, -0.006, 0.042, 0.5862, 0.9674, -0.002, 0.7664, 0.6425,
         0, 0.45),
    ROUND(BOTH, 0.014, 0.0108, 0.5902, 0.9632, 0.029, 0.0095, 0.6323, 0.9115, 0.045),
    ROUND(BOTH, 0.004, 0.0095, 0.6323, 0.9115, 0.045, 0.008, 0.6472, 0.8744, 0.052),
    ROUND(BOTH, 0.014, 0.011, 0.5902, 0.9632, 0.009, 0.0098, 0.6385, 0.9037, 0.014),
    ROUND(BOTH, 0.004, 0.0098, 0.6385, 0.9037, 0.014, 0.008, 0.6533, 0.8624, 0.016),
    ROUND(BOTH, 0.014, 0.0108, 0.5902, 0.9632, -0.011, 0.0095, 0.6337, 0.9091, -0.017),
    ROUND(BOTH, 0.004, 0.0095, 0.6337, 0.9091, -0.017, 0.008, 0.6471, 0.8703, -0.02),
    ROUND(BOTH, 0.014, 0.0098, 0.5824, 0.9725, -0.03, 0.0085, 0.619, 0.9275, -0.047),
    ROUND(BOTH, 0.004, 0.0085, 0.619, 0.9275, -0.047, 0.0072, 0.6274, 0.8973, -0.053),
    ROUND(BOTH, 0.015, 0.017, 0.556, 0.9899, 0.022, 0.013, 0.578, 0.9561, 0.062),
    ROUND(BOTH, 0.01, 0.013, 0.578, 0.9561, 0.062, 0.01, 0.5991, 0.9266, 0.088),
    /* leg */
    ROUND(BOTH, 0.05, 0.088, 0.097, 0.87, -0.005, 0.054, 0.12, 0.51, 0.008),
    ROUND(BOTH, 0.05, 0.068, 0.11, 0.8, 0.03, 0.05, 0.115, 0.62, 0.025),
    ROUND(BOTH, 0.015, 0.053, 0.12, 0.51, 0.008, 0.033, 0.134, 0.11, -0.018),
    BALL(BOTH, 0.03, 0.043, 0.12, 0.51, 0.026),
    ROUND(BOTH, 0.04, 0.05, 0.124, 0.4, -0.026, 0.038, 0.13, 0.28, -0.024),
    /* foot */
    ROUND(BOTH, 0.03, 0.04, 0.134, 0.09, -0.015, 0.03, 0.147, 0.045, 0.09),
    ROUND(BOTH, 0.03, 0.038, 0.134, 0.038, -0.045, 0.034, 0.14, 0.03, 0.02),
    FLAT(BOTH, 0.03, 0.045, 0.147, 0.022, 0.09, 0.036, 0.152, 0.016, 0.17, 0, 1, 0, 0.6)};

static const grazei_synth_leg_row legs[] = {{"thigh.L",
                                             "calf.L",
                                             NULL,
                                             "foot.L",
                                             {"toes.L", NULL},
                                             {0.15, 0, 0.115},
                                             {0.134, 0, -0.065},
                                             0,
                                             55,
                                             0}};

static const grazei_synth_track_row walk[] = {
    {"pelvis", 'y', 0, -6, 0.25, 0, 1},       {"pelvis", 'z', 0, 3, 0.08, 0, 1},
    {"pelvis", 'X', 0, 0.018, 0, 0, 1},       {"pelvis", 'Y', -0.04, 0.016, 0.65, 0, 2},
    {"pelvis", 'x', 2, 1, 0.3, 0, 2},         {"spine.*", 'y', 0, 3, 0.25, 0, 1},
    {"spine.*", 'z', 0, -1.2, 0.08, 0, 1},    {"spine.1", 'x', 2, 1, 0.1, 0, 2},
    {"chest", 'y', 0, 3, 0.25, 0, 1},         {"neck", 'y', 0, -3, 0.25, 0, 1},
    {"head", 'y', 0, -3, 0.25, 0, 1},         {"head", 'x', -1, 1.5, 0.35, 0, 2},
    {"clavicle.L", 'z', -4, 0, 0, 0, 1},      {"upper_arm.L", 'z', -26, 0, 0, 0, 1},
    {"upper_arm.L", 'x', -1, 22, 0.25, 0, 1}, {"forearm.L", 'y', -12, -6, 0.7, 0, 1},
    {"forearm.L", 'x', -14, -7, 0.7, 0, 1},   {"hand.L", 'z', -4, 4, 0.2, 0, 1},
    {"fingers.L", 'z', -18, 4, 0.2, 0, 1},    {"thigh.L", 'z', -2.5, 0, 0, 0, 1}};

static const grazei_synth_clip_row clips[] = {
    {"walk", 1.1, 32, 1.25, 0.05, 0.06, walk, COUNT_OF(walk), 0, NULL}};

const grazei_synth_plan grazei_synth_man = {
    .name = "man",
    .description = "a man of 1.8 m: 27 joints, 8,270 triangles, clip walk",
    .triangles = 8270,
    .cell = 0.01,
    JOINTS,
    SHAPES,
    LEGS,
    CLIPS};

const grazei_synth_plan grazei_synth_player = {
    .name = "player",
    .description = "the man of 3,000 triangles, with clips stand, run, kick, fall, lie, get-up and "
                   "get-up-back",
    .triangles = 3000,
    .cell = 0.01,
    JOINTS,
    SHAPES,
    LEGS,
    .clips = grazei_synth_player_clips,
    .clip_count = GRAZEI_SYNTH_PLAYER_CLIPS};

/* Key poses for morphing: arms around the chest; the same, turned; a kick; a crouch; a bow. */
static const grazei_synth_turn_row turns[] = {
    {0, "upper_arm.L", {0, -78, 22}},  {0, "forearm.L", {0, -95, 0}},
    {0, "upper_arm.R", {0, 78, -14}},  {0, "forearm.R", {0, 95, 0}},
    {1, "spine.1", {0, 12, 0}},        {1, "spine.2", {0, 12, 0}},
    {1, "spine.3", {0, 12, 0}},        {1, "upper_arm.L", {0, -85, 10}},
    {1, "forearm.L", {0, -70, 0}},     {1, "upper_arm.R", {0, 0, 35}},
    {1, "forearm.R", {-60, 0, 0}},     {1, "head", {0, -20, 0}},
    {2, "thigh.L", {-75, 0, 0}},       {2, "calf.L", {20, 0, 0}},
    {2, "upper_arm.R", {-55, 0, 25}},  {2, "upper_arm.L", {30, 0, -20}},
    {3, "thigh.L", {-105, 0, 0}},      {3, "calf.L", {125, 0, 0}},
    {3, "thigh.R", {-105, 0, 0}},      {3, "calf.R", {125, 0, 0}},
    {3, "foot.L", {-20, 0, 0}},        {3, "foot.R", {-20, 0, 0}},
    {3, "spine.1", {14, 0, 0}},        {3, "spine.2", {14, 0, 0}},
    {3, "upper_arm.L", {0, -60, -25}}, {3, "upper_arm.R", {0, 60, 25}},
    {4, "spine.1", {26, 0, 0}},        {4, "spine.2", {26, 0, 0}},
    {4, "spine.3", {26, 0, 0}},        {4, "thigh.L", {-12, 0, 0}},
    {4, "thigh.R", {-12, 0, 0}},       {4, "upper_arm.L", {-20, -20, -30}},
    {4, "upper_arm.R", {-20, 20, 30}}, {4, "head", {15, 0, 0}}};

static const grazei_synth_morph_row morph_clips[] = {
    {"embrace", 0.39, 5, {GRAZEI_SYNTH_AT_REST, 0, 1, 0, GRAZEI_SYNTH_AT_REST}},
    {"kick", 0.39, 5, {GRAZEI_SYNTH_AT_REST, 2, 3, 4, GRAZEI_SYNTH_AT_REST}}};

static const grazei_synth_morphing morphing = {5, turns, COUNT_OF(turns), morph_clips,
                                               COUNT_OF(morph_clips)};

const grazei_synth_plan grazei_synth_man_morphing = {
    .name = "man-morphing",
    .description = "the man by 5 morph targets: key poses; clips embrace, kick",
    .triangles = 8270,
    .cell = 0.01,
    JOINTS,
    SHAPES,
    .morphing = &morphing};
