/* The chair: a wooden one with a slatted back, and 10 fields that bend its legs, back and seat, in
 * place of the plastic chair of James & Pai 2004, section 5 (9,421 vertices, 17,914 faces).
 */
#include "scenes/modes.h"
#include "scenes/plan.h"

static const double seat_height = 0.45, leg_x = 0.19, leg_z = 0.18, back_height = 0.45;

static const grazei_synth_joint_row joints[] = {
    JOINT("chair", NULL, 0, 0.45, 0, 0.2, 0, 0.45, 0, 0.2)};

/* The back leans: its plane goes through (0.45, -0.185) and (0.9, -0.28) in y and z. */
#define SLAT(flags, x)                                                                             \
    FLAT(flags, 0.008, 0.022, x, 0.585, -0.216, 0.02, x, 0.85, -0.275, 0, 0.207, 0.978, 0.5)

static const grazei_synth_shape_row shapes[] = {
    /* seat, hollowed a little, and the frame below it */
    BOX(ONE, 0.01, 0.017, 0, 0.44, 0, 0.225, 0.018, 0.215),
    FLAT(ONE | CARVE, 0.03, 0.15, 0, 0.466, -0.03, 0.15, 0, 0.466, 0.05, 0, 1, 0, 0.08),
    BOX(BOTH, 0.01, 0.006, 0.185, 0.405, 0, 0.011, 0.03, 0.18),
    BOX(ONE, 0.01, 0.006, 0, 0.405, 0.185, 0.18, 0.03, 0.011),
    BOX(ONE, 0.01, 0.006, 0, 0.405, -0.18, 0.18, 0.03, 0.011),
    /* legs */
    ROUND(BOTH, 0.015, 0.023, 0.185, 0.41, 0.18, 0.016, 0.2, -0.01, 0.195),
    ROUND(BOTH, 0.015, 0.023, 0.185, 0.41, -0.18, 0.016, 0.2, -0.01, -0.215),
    /* bars between the legs */
    ROUND(BOTH, 0.012, 0.011, 0.195, 0.16, 0.19, 0.011, 0.195, 0.16, -0.2),
    ROUND(ONE, 0.012, 0.011, -0.195, 0.16, 0, 0.011, 0.195, 0.16, 0),
    /* back: posts, top rail in a slight curve, lower rail, slats */
    ROUND(BOTH, 0.004, 0.023, 0.185, 0.41, -0.18, 0.02, 0.185, 0.66, -0.23),
    ROUND(BOTH, 0.002, 0.02, 0.185, 0.66, -0.23, 0.016, 0.18, 0.9, -0.285),
    FLAT(BOTH, 0.004, 0.034, 0.155, 0.86, -0.277, 0.038, 0, 0.87, -0.29, 0, 0.207, 0.978, 0.45),
    FLAT(BOTH, 0.004, 0.022, 0.17, 0.57, -0.212, 0.022, 0, 0.57, -0.218, 0, 0.207, 0.978, 0.6),
    SLAT(BOTH, 0.037), SLAT(BOTH, 0.111)};

enum {
    LEG_BACK_LEFT,
    LEG_BACK_RIGHT,
    LEG_FRONT_LEFT,
    LEG_FRONT_RIGHT,
    LEGS_TWIST,
    BACK_LEAN,
    BACK_RACK,
    BACK_TWIST,
    SLATS_BOW,
    SEAT_SAG,
    MODE_COUNT
};

/* Outwards at the foot, none at the seat; shared smoothly by the legs that a bar joins. */
static grazei_vec bend_leg(grazei_vec at, double below, double side_x, double side_z)
{
    double share = grazei_synth_ramp(side_x * at.x, -leg_x, leg_x) *
                   grazei_synth_ramp(side_z * at.z, -leg_z, leg_z);
    double bend = 0.05 * share * below * below;
    return vec_make(side_x * bend, 0, side_z * bend);
}

static grazei_vec displace(uint32_t mode, grazei_vec at)
{
    double below = fmax(0, (0.42 - at.y) / 0.42), above = fmax(0, at.y - seat_height) / back_height;
    double across = at.x / leg_x, along = at.z / leg_z;
    switch (mode) {
    case LEGS_TWIST: /* about the upright axis */
        return vec_make(0.05 * below * below * along, 0, -0.05 * below * below * across);
    case BACK_LEAN: /* backwards, and down as it goes */
        return vec_make(0, -0.02 * above * above, -0.08 * above * above);
    case BACK_RACK: /* sideways: a parallelogram, one post up, the other down */
        return vec_make(0.06 * above * above, -0.012 * above * across, 0);
    case BACK_TWIST: /* about the upright axis through the posts */
        return vec_make(0.06 * above * (at.z + 0.19 + 0.1 * above) / leg_x, 0,
                        -0.06 * above * across);
    case SLATS_BOW: /* between the rails */
        return vec_make(0, 0, -0.12 * above * fmax(0, 1 - above) * fmax(0, 1 - across * across));
    case SEAT_SAG: /* the middle of the seat goes down */
        return vec_make(0,
                        -0.03 * grazei_synth_ramp(at.y, 0.3, 0.4) *
                            grazei_synth_ramp(1.1 - fabs(across), 0, 1) *
                            grazei_synth_ramp(1.1 - fabs(along), 0, 1),
                        0);
    default:
        return bend_leg(at, below, mode == LEG_BACK_LEFT || mode == LEG_FRONT_LEFT ? 1 : -1,
                        mode == LEG_FRONT_LEFT || mode == LEG_FRONT_RIGHT ? 1 : -1);
    }
}

/* Two near frequencies a mode: it swells and dies down. */
static const grazei_synth_weight_row rattle[] = {
    {LEG_BACK_LEFT, 0, 0.4, 0.1, 5},  {LEG_BACK_LEFT, 0, 0.4, 0.6, 6},
    {LEG_BACK_RIGHT, 0, 0.4, 0.4, 5}, {LEG_BACK_RIGHT, 0, 0.4, 0.8, 7},
    {LEG_FRONT_LEFT, 0, 0.4, 0.7, 6}, {LEG_FRONT_LEFT, 0, 0.4, 0.2, 7},
    {LEG_FRONT_RIGHT, 0, 0.4, 0, 6},  {LEG_FRONT_RIGHT, 0, 0.4, 0.5, 5},
    {LEGS_TWIST, 0, 0.35, 0.3, 4},    {LEGS_TWIST, 0, 0.35, 0.9, 5},
    {BACK_LEAN, 0, 0.5, 0, 3},        {BACK_LEAN, 0, 0.4, 0.5, 4},
    {BACK_RACK, 0, 0.45, 0.2, 4},     {BACK_RACK, 0, 0.35, 0.6, 5},
    {BACK_TWIST, 0, 0.45, 0.5, 5},    {BACK_TWIST, 0, 0.35, 0.1, 6},
    {SLATS_BOW, 0, 0.5, 0.35, 8},     {SLATS_BOW, 0, 0.4, 0.85, 9},
    {SEAT_SAG, 0.2, 0.5, 0.15, 6},    {SEAT_SAG, 0, 0.3, 0.65, 7}};

static const grazei_synth_modes modes = {.count = MODE_COUNT,
                                         .displace = displace,
                                         .clip = "rattle",
                                         .seconds = 2,
                                         .steps = 120,
                                         .weights = rattle,
                                         .weight_count = COUNT_OF(rattle)};

const grazei_synth_plan grazei_synth_chair = {
    .name = "chair",
    .description = "a chair with a slatted back: 1 joint, 10 fields, 17,914 triangles, clip rattle",
    .triangles = 17914,
    .cell = 0.008,
    .handles = 9, /* 5 gaps beside the slats, 1 below them, 3 inside the bars */
    JOINTS,
    SHAPES,
    .modes = &modes};
