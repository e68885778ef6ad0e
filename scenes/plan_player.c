/* What a player of the soccer scene does. Angles turn the body about x forward, a thigh back, a
 * calf back, and an arm, which hangs, back.
 */
#include "scenes/plan.h"

/* Arms down and a little bent, as he stands; by the tracks of every clip that does not say more. */
#define ARMS_DOWN                                                                                  \
    {"clavicle.L", 'z', -4, 0, 0, 0, 1}, {"upper_arm.L", 'z', -26, 0, 0, 0, 1},                    \
        {"forearm.L", 'x', -12, 0, 0, 0, 1},                                                       \
    {                                                                                              \
        "fingers.L", 'z', -18, 0, 0, 0, 1                                                          \
    }

static const grazei_synth_track_row stand[] = {ARMS_DOWN,
                                               {"pelvis", 'X', 0, 0.008, 0, 0, 1},
                                               {"pelvis", 'Y', -0.02, 0.003, 0.2, 0, 1},
                                               {"spine.3", 'x', 1, 1, 0, 0, 2},
                                               {"head", 'y', 0, 6, 0, 0, 1}};

static const grazei_synth_track_row run[] = {
    {"pelvis", 'x', 10, 1.5, 0.3, 0, 2},      {"pelvis", 'y', 0, -9, 0.25, 0, 1},
    {"pelvis", 'Y', -0.075, 0.03, 0.6, 0, 2}, {"spine.*", 'y', 0, 5, 0.25, 0, 1},
    {"chest", 'y', 0, 4, 0.25, 0, 1},         {"neck", 'x', -5, 0, 0, 0, 1},
    {"head", 'y', 0, -7, 0.25, 0, 1},         {"clavicle.L", 'z', -4, 0, 0, 0, 1},
    {"upper_arm.L", 'z', -22, 0, 0, 0, 1},    {"upper_arm.L", 'x', 8, 36, 0.25, 0, 1},
    {"forearm.L", 'x', -66, -12, 0.5, 0, 1},  {"fingers.L", 'z', -45, 0, 0, 0, 1},
    {"thigh.L", 'z', -2.5, 0, 0, 0, 1}};

static const grazei_synth_track_row arms_down[] = {ARMS_DOWN};

/* The right leg swings back, then through the ball in front of it, while the left stands. */
static const grazei_synth_key_row kick_rows[] = {
    {"pelvis", 'Y', false, {-0.02, -0.04, -0.05, -0.06, -0.05, -0.04, -0.02}},
    {"pelvis", 'x', false, {0, 4, 6, 2, -6, -4, 0}},
    {"pelvis", 'y', false, {0, -8, -14, -4, 16, 10, 0}},
    {"spine.1", 'x', false, {0, -1, -2, 6, 12, 6, 0}},
    {"chest", 'y', false, {0, 6, 12, 2, -14, -8, 0}},
    {"upper_arm.L", 'x', false, {0, -10, -25, -40, -20, -10, 0}},
    {"upper_arm.R", 'x', false, {0, 4, 10, 30, 25, 10, 0}},
    {"upper_arm.L", 'z', false, {0, 6, 15, 22, 15, 8, 0}},
    {"thigh.R", 'x', false, {-13, -6, 22, -24, -66, -40, -13}},
    {"calf.R", 'x', false, {24, 52, 84, 78, 20, 44, 24}},
    {"foot.R", 'x', false, {-11, -10, 6, 10, 20, 0, -11}}};
static const grazei_synth_keys kick_keys = {.count = 7,
                                            .times = {0, 0.1, 0.24, 0.36, 0.46, 0.64, 0.9},
                                            .rows = kick_rows,
                                            .row_count = COUNT_OF(kick_rows),
                                            .loops = true,
                                            .left = {1, 1, 1, 1, 1, 1, 1},
                                            .right = {1, 0, 0, 0, 0, 0.2, 1}};

/* Forward onto the belly, hands first. */
static const grazei_synth_key_row fall_rows[] = {
    {"pelvis", 'x', false, {0, 8, 32, 76, 90, 89}},
    {"pelvis", 'Y', false, {-0.02, -0.05, -0.2, -0.62, -0.82, -0.835}},
    {"pelvis", 'Z', false, {0, 0.08, 0.32, 0.72, 0.88, 0.88}},
    {"spine.2", 'x', false, {0, 6, 8, -4, -2, 0}},
    {"neck", 'x', false, {0, -6, -16, -24, -22, -20}},
    {"head", 'y', false, {0, 0, 0, 10, 30, 40}},
    {"upper_arm.L", 'x', true, {0, -30, -78, -130, -168, -174}},
    {"forearm.L", 'x', true, {0, -30, -40, -30, -6, 0}},
    {"hand.L", 'x', true, {0, -10, -40, -30, -8, -4}},
    {"thigh.L", 'x', true, {-2, -12, -18, -6, 2, 1}},
    {"calf.L", 'x', true, {4, 16, 30, 20, 8, 4}},
    {"foot.L", 'x', true, {-2, 4, 24, 48, 62, 66}}};
static const grazei_synth_keys fall_keys = {.count = 6,
                                            .times = {0, 0.15, 0.38, 0.66, 0.82, 1},
                                            .rows = fall_rows,
                                            .row_count = COUNT_OF(fall_rows),
                                            .left = {1, 1, 0.5, 0, 0, 0},
                                            .right = {1, 1, 0.5, 0, 0, 0}};

/* On his back, breathing: the chest rises by 12 mm, ten times a minute. */
static const grazei_synth_track_row lie[] = {
    {"pelvis", 'x', -90, 0, 0, 0, 1},        {"pelvis", 'Y', -0.842, 0, 0, 0, 1},
    {"spine.2", 'Z', 0.006, 0.006, 0, 0, 1}, {"chest", 'Z', -0.006, 0.006, 0, 0, 1},
    {"clavicle.L", 'z', -2, 0, 0, 0, 1},     {"upper_arm.L", 'z', -6, 0, 0, 0, 1},
    {"upper_arm.L", 'x', 3, 0, 0, 0, 1},     {"thigh.L", 'z', 6, 0, 0, 0, 1},
    {"foot.L", 'x', 24, 0, 0, 0, 1}};
static const grazei_synth_keys lie_keys = {.count = 2, .times = {0, 6}, .loops = true};

/* From the belly: hands and knees, a squat, up. */
static const grazei_synth_key_row up_rows[] = {
    {"pelvis", 'x', false, {89, 82, 78, 52, 30, 0}},
    {"pelvis", 'Y', false, {-0.835, -0.68, -0.5, -0.48, -0.36, -0.02}},
    {"pelvis", 'Z', false, {0, -0.1, -0.28, -0.2, -0.08, 0}},
    {"neck", 'x', false, {-20, -24, -30, -24, -14, 0}},
    {"head", 'y', false, {40, 20, 0, 0, 0, 0}},
    {"upper_arm.L", 'x', true, {-174, -130, -84, -70, -40, 0}},
    {"forearm.L", 'x', true, {0, -20, -4, -20, -24, 0}},
    {"hand.L", 'x', true, {-4, -40, -70, -30, -10, 0}},
    {"thigh.L", 'x', true, {1, -30, -84, -120, -100, -2}},
    {"calf.L", 'x', true, {4, 40, 92, 125, 110, 4}},
    {"foot.L", 'x', true, {66, 62, 60, 10, -10, -2}}};
static const grazei_synth_keys up_keys = {.count = 6,
                                          .times = {0, 0.4, 0.9, 1.4, 1.8, 2.4},
                                          .rows = up_rows,
                                          .row_count = COUNT_OF(up_rows),
                                          .left = {0, 0, 0, 0.6, 1, 1},
                                          .right = {0, 0, 0, 0.6, 1, 1}};

/* From the back: sits up, feet drawn in, up. */
static const grazei_synth_key_row up_back_rows[] = {
    {"pelvis", 'x', false, {-90, -62, -28, -4, 34, 0}},
    {"pelvis", 'Y', false, {-0.842, -0.79, -0.77, -0.7, -0.46, -0.02}},
    {"pelvis", 'Z', false, {0, -0.08, -0.2, -0.2, -0.06, 0}},
    {"spine.2", 'x', false, {0, 16, 22, 20, 8, 0}},
    {"spine.3", 'x', false, {0, 14, 18, 16, 6, 0}},
    {"neck", 'x', false, {0, 14, 8, 0, -14, 0}},
    {"upper_arm.L", 'x', true, {3, -45, -75, -90, -80, 0}},
    {"upper_arm.L", 'z', true, {16, 8, 0, 0, 0, 0}},
    {"forearm.L", 'x', true, {0, -20, -6, -30, -24, 0}},
    {"thigh.L", 'x', true, {0, -28, -64, -100, -100, -2}},
    {"calf.L", 'x', true, {0, 2, 6, 80, 110, 4}},
    {"foot.L", 'x', true, {24, 10, 20, 20, -10, -2}}};
static const grazei_synth_keys up_back_keys = {.count = 6,
                                               .times = {0, 0.5, 1, 1.4, 1.9, 2.5},
                                               .rows = up_back_rows,
                                               .row_count = COUNT_OF(up_back_rows),
                                               .left = {0, 0, 0, 0.7, 1, 1},
                                               .right = {0, 0, 0, 0.7, 1, 1}};

#define BY_KEYS(name, seconds, steps, tracks, keys)                                                \
    {                                                                                              \
        name, seconds, steps, 0, 0, 0, tracks, COUNT_OF(tracks), 0, keys                           \
    }
const grazei_synth_clip_row grazei_synth_player_clips[GRAZEI_SYNTH_PLAYER_CLIPS] = {
    {"stand", 4, 48, 0, 0, 0, stand, COUNT_OF(stand), 0, NULL},
    {"run", 0.66, 44, 2.15, 0.2, 0.07, run, COUNT_OF(run), 0.34, NULL},
    BY_KEYS("kick", 0.9, 36, arms_down, &kick_keys),
    BY_KEYS("fall", 1, 40, arms_down, &fall_keys),
    BY_KEYS("lie", 6, 48, lie, &lie_keys),
    BY_KEYS("get-up", 2.4, 60, arms_down, &up_keys),
    BY_KEYS("get-up-back", 2.5, 60, arms_down, &up_back_keys)};
