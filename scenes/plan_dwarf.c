/* The dwarf: 1.2 m, stout, bearded, 45 joints with three fingers and a thumb on each hand, arms
 * lowered 30 degrees from the horizontal, palms down.
 */
#include "scenes/plan.h"

static const grazei_synth_joint_row joints[] = {
    JOINT("pelvis", NULL, 0, 0.45, 0, 0.14, 0, 0.42, 0, 0.14),
    JOINT("spine.1", "pelvis", 0, 0.52, 0, 0.15, 0, 0.57, 0, 0.15),
    JOINT("spine.2", "spine.1", 0, 0.6, 0, 0.15, 0, 0.65, -0.01, 0.15),
    JOINT("chest", "spine.2", 0, 0.68, -0.01, 0.14, 0, 0.75, -0.01, 0.12),
    JOINT("neck", "chest", 0, 0.82, -0.01, 0.07, 0, 0.85, 0, 0.08),
    JOINT("head", "neck", 0, 0.88, 0.005, 0.1, 0, 1.05, 0, 0.12),
    JOINT("beard", "head", 0, 0.86, 0.13, 0.07, 0, 0.66, 0.19, 0.04),
    JOINT("clavicle.L", "chest", 0.07, 0.79, -0.01, 0.065, 0.17, 0.785, -0.015, 0.065),
    JOINT("upper_arm.L", "clavicle.L", 0.2, 0.78, -0.015, 0.065, 0.34, 0.7, -0.012, 0.052),
    JOINT("forearm.L", "upper_arm.L", 0.347, 0.695, -0.01, 0.052, 0.475, 0.621, -0.002, 0.045),
    JOINT("hand.L", "forearm.L", 0.486, 0.615, 0, 0.045, 0.536, 0.586, 0, 0.045),
    JOINT("thumb.1.L", "hand.L", 0.505, 0.602, 0.04, 0.026, 0.528, 0.586, 0.066, 0.022),
    JOINT("thumb.2.L", "thumb.1.L", 0.532, 0.583, 0.07, 0.022, 0.553, 0.568, 0.09, 0.02),
    JOINT("index.1.L", "hand.L", 0.555, 0.575, 0.038, 0.02, 0.576, 0.563, 0.041, 0.019),
    JOINT("index.2.L", "index.1.L", 0.581, 0.56, 0.042, 0.019, 0.597, 0.551, 0.044, 0.018),
    JOINT("index.3.L", "index.2.L", 0.602, 0.548, 0.045, 0.018, 0.62, 0.537, 0.047, 0.017),
    JOINT("middle.1.L", "hand.L", 0.56, 0.572, 0, 0.02, 0.584, 0.558, 0, 0.019),
    JOINT("middle.2.L", "middle.1.L", 0.589, 0.555, 0, 0.019, 0.607, 0.545, 0, 0.018),
    JOINT("middle.3.L", "middle.2.L", 0.612, 0.542, 0, 0.018, 0.63, 0.531, 0, 0.017),
    JOINT("pinky.1.L", "hand.L", 0.55, 0.578, -0.038, 0.019, 0.569, 0.567, -0.042, 0.018),
    JOINT("pinky.2.L", "pinky.1.L", 0.574, 0.564, -0.043, 0.018, 0.588, 0.556, -0.046, 0.017),
    JOINT("pinky.3.L", "pinky.2.L", 0.593, 0.553, -0.047, 0.017, 0.608, 0.544, -0.05, 0.016),
    JOINT("thigh.L", "pelvis", 0.1, 0.41, 0, 0.095, 0.124, 0.27, 0.008, 0.075),
    JOINT("calf.L", "thigh.L", 0.125, 0.25, 0.01, 0.072, 0.134, 0.1, -0.005, 0.06),
    JOINT("foot.L", "calf.L", 0.135, 0.08, -0.01, 0.06, 0.147, 0.05, 0.075, 0.055),
    JOINT("toes.L", "foot.L", 0.15, 0.045, 0.105, 0.05, 0.157, 0.04, 0.15, 0.045)};

static const grazei_synth_shape_row shapes[] = {
    /* trunk */
    FLAT(ONE, 0.05, 0.165, 0, 0.44, -0.005, 0.19, 0, 0.56, 0.015, 0, 0, 1, 0.88),
    FLAT(ONE, 0.06, 0.17, 0, 0.64, 0.0, 0.15, 0, 0.74, -0.015, 0, 0, 1, 0.8),
    BALL(ONE, 0.06, 0.12, 0, 0.54, 0.085),
    ROUND(ONE, 0.05, 0.075, -0.13, 0.775, -0.015, 0.075, 0.13, 0.775, -0.015),
    ROUND(BOTH, 0.04, 0.085, 0.075, 0.42, -0.06, 0.085, 0.08, 0.4, -0.05),
    ROUND(ONE, 0.04, 0.085, 0, 0.8, -0.01, 0.085, 0, 0.88, 0),
    /* head */
    FLAT(ONE, 0.03, 0.125, 0, 1.0, -0.01, 0.115, 0, 0.94, 0.02, 1, 0, 0, 0.95),
    ROUND(BOTH, 0.03, 0.04, 0.055, 0.95, 0.095, 0.035, 0.05, 0.94, 0.1),
    ROUND(ONE, 0.012, 0.024, 0, 0.985, 0.12, 0.036, 0, 0.955, 0.15),
    ROUND(ONE, 0.02, 0.022, -0.06, 1.015, 0.1, 0.022, 0.06, 1.015, 0.1),
    BALL(BOTH, 0.01, 0.02, 0.05, 0.99, 0.1),
    FLAT(BOTH, 0.02, 0.045, 0.13, 0.985, -0.01, 0.028, 0.13, 0.945, 0, 1, 0, -0.4, 0.45),
    /* cap */
    ROUND(ONE, 0.02, 0.025, -0.08, 1.05, 0.09, 0.025, 0.08, 1.05, 0.09),
    ROUND(ONE, 0.03, 0.11, 0, 1.05, -0.02, 0.03, 0, 1.17, -0.05),
    /* beard */
    FLAT(ONE, 0.03, 0.1, 0, 0.9, 0.07, 0.085, 0, 0.82, 0.12, 0, 0, 1, 0.8),
    FLAT(ONE, 0.03, 0.085, 0, 0.8, 0.12, 0.03, 0, 0.63, 0.175, 0, 0, 1, 0.7),
    ROUND(BOTH, 0.015, 0.028, 0.02, 0.925, 0.135, 0.018, 0.075, 0.895, 0.125),
    /* arm */
    ROUND(BOTH, 0.04, 0.075, 0.185, 0.775, -0.015, 0.06, 0.25, 0.745, -0.015),
    ROUND(BOTH, 0.03, 0.06, 0.22, 0.765, -0.015, 0.05, 0.347, 0.695, -0.01),
    ROUND(BOTH, 0.03, 0.056, 0.365, 0.685, -0.01, 0.045, 0.47, 0.624, 0),
    /* hand */
    FLAT(BOTH, 0.03, 0.05, 0.495, 0.61, 0, 0.056, 0.532, 0.588, 0, 0.5, 0.866, 0, 0.6),
    ROUND(BOTH, 0.012, 0.021, 0.54, 0.584, 0.036, 0.018, 0.617, 0.539, 0.047),
    ROUND(BOTH, 0.012, 0.021, 0.545, 0.581, 0, 0.018, 0.627, 0.533, 0),
    ROUND(BOTH, 0.012, 0.02, 0.535, 0.587, -0.036, 0.017, 0.605, 0.546, -0.05),
    ROUND(BOTH, 0.02, 0.026, 0.495, 0.605, 0.035, 0.023, 0.528, 0.586, 0.068),
    ROUND(BOTH, 0.01, 0.023, 0.528, 0.586, 0.068, 0.019, 0.552, 0.569, 0.089),
    /* leg */
    ROUND(BOTH, 0.05, 0.105, 0.1, 0.4, 0, 0.075, 0.124, 0.27, 0.01),
    ROUND(BOTH, 0.03, 0.072, 0.125, 0.25, 0.005, 0.056, 0.134, 0.12, -0.005),
    /* boot */
    ROUND(BOTH, 0.015, 0.072, 0.132, 0.17, -0.004, 0.068, 0.134, 0.15, -0.005),
    ROUND(BOTH, 0.03, 0.058, 0.134, 0.08, -0.01, 0.052, 0.147, 0.055, 0.09),
    ROUND(BOTH, 0.03, 0.056, 0.134, 0.05, -0.03, 0.05, 0.14, 0.045, 0.04),
    ROUND(BOTH, 0.03, 0.058, 0.15, 0.04, 0.1, 0.05, 0.155, 0.035, 0.14)};

static const grazei_synth_contact_row contacts[] = {{"foot.L", {0.134, 0, -0.06}},
                                                    {"foot.L", {0.147, 0, 0.09}},
                                                    {"toes.L", {0.15, 0, 0.1}},
                                                    {"toes.L", {0.155, 0, 0.17}}};

static const grazei_synth_track_row walk[] = {
    {"pelvis", 'y', GRAZEI_SYNTH_SINE, 0, -9, 0.25, 0, 1},
    {"pelvis", 'z', GRAZEI_SYNTH_SINE, 0, 6, 0.08, 0, 1},
    {"pelvis", 'X', GRAZEI_SYNTH_SINE, 0, 0.025, 0, 0, 1},
    {"spine.*", 'y', GRAZEI_SYNTH_SINE, 0, 6, 0.25, 0, 1},
    {"spine.*", 'z', GRAZEI_SYNTH_SINE, 0, -3, 0.08, 0, 1},
    {"chest", 'y', GRAZEI_SYNTH_SINE, 0, 6, 0.25, 0, 1},
    {"chest", 'x', GRAZEI_SYNTH_SINE, 2, 1.5, 0.1, 0, 2},
    {"neck", 'y', GRAZEI_SYNTH_SINE, 0, -5, 0.25, 0, 1},
    {"head", 'y', GRAZEI_SYNTH_SINE, 0, -4, 0.25, 0, 1},
    {"head", 'z', GRAZEI_SYNTH_SINE, 0, 3, 0.15, 0, 1},
    {"beard", 'x', GRAZEI_SYNTH_SINE, 0, 3, 0.3, 0, 2},
    {"clavicle.L", 'z', GRAZEI_SYNTH_SINE, -4, 0, 0, 0, 1},
    {"upper_arm.L", 'z', GRAZEI_SYNTH_SINE, -26, 0, 0, 0, 1},
    {"upper_arm.L", 'x', GRAZEI_SYNTH_SINE, -4, 24, 0.25, 0, 1},
    {"forearm.L", 'y', GRAZEI_SYNTH_SINE, -24, -10, 0.7, 0, 1},
    {"forearm.L", 'x', GRAZEI_SYNTH_SINE, -14, -6, 0.7, 0, 1},
    {"index.*.L", 'z', GRAZEI_SYNTH_SINE, -17, 4, 0.2, 0, 1},
    {"middle.*.L", 'z', GRAZEI_SYNTH_SINE, -17, 4, 0.22, 0, 1},
    {"pinky.*.L", 'z', GRAZEI_SYNTH_SINE, -17, 4, 0.24, 0, 1},
    {"thumb.*.L", 'y', GRAZEI_SYNTH_SINE, 8, 3, 0.2, 0, 1},
    {"thigh.L", 'x', GRAZEI_SYNTH_HIP, -8, -24, 0, 0, 1},
    {"calf.L", 'x', GRAZEI_SYNTH_KNEE, 3, 52, 0, 0, 1},
    {"foot.L", 'x', GRAZEI_SYNTH_ANKLE, -2, -14, 0, 0, 1},
    {"toes.L", 'x', GRAZEI_SYNTH_TOE, 0, -24, 0, 0, 1}};

static const grazei_synth_clip_row clips[] = {{"walk", 0.9, 28, walk, COUNT_OF(walk)}};

const grazei_synth_plan grazei_synth_dwarf = {
    .name = "dwarf",
    .description = "a stout dwarf of 1.2 m: 45 joints, 1,664 triangles, clip walk",
    .triangles = 1664,
    .cell = 0.008,
    .joints = joints,
    .joint_count = COUNT_OF(joints),
    .shapes = shapes,
    .shape_count = COUNT_OF(shapes),
    .contacts = contacts,
    .contact_count = COUNT_OF(contacts),
    .clips = clips,
    .clip_count = COUNT_OF(clips)};
