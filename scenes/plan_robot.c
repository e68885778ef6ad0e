/* The robot: 1.8 m, 18 joints, a body of hundreds of loose shells, as models of machines are. Every
 * bone has a casing about a core, a ball at each end, one inside the other's, rings between core
 * and casing, plates on and in the casing, bolts in the plates, and pistons in sleeves.
 *
 * In one kind every shell follows its joint alone; in the other weights run smoothly across shells.
 */
#include "scenes/plan.h"
#include "scenes/shells.h"

static const grazei_synth_joint_row joints[] = {
    JOINT("pelvis", NULL, 0, 0.98, 0, 0.15, 0, 0.88, 0, 0.13),
    JOINT("spine", "pelvis", 0, 1.02, 0, 0.11, 0, 1.18, 0, 0.1),
    JOINT("chest", "spine", 0, 1.2, 0, 0.17, 0, 1.44, 0, 0.2),
    JOINT("neck", "chest", 0, 1.5, 0, 0.06, 0, 1.58, 0, 0.06),
    JOINT("head", "neck", 0, 1.6, 0, 0.1, 0, 1.74, 0.01, 0.12),
    JOINT("pack", "chest", 0, 1.42, -0.2, 0.12, 0, 1.2, -0.22, 0.1),
    JOINT("upper_arm.L", "chest", 0.26, 1.44, 0, 0.075, 0.42, 1.22, 0, 0.06),
    JOINT("forearm.L", "upper_arm.L", 0.43, 1.205, 0, 0.062, 0.56, 1.02, 0.01, 0.045),
    JOINT("hand.L", "forearm.L", 0.567, 1.01, 0.01, 0.05, 0.64, 0.9, 0.02, 0.04),
    JOINT("thigh.L", "pelvis", 0.12, 0.9, 0, 0.1, 0.135, 0.52, 0.01, 0.075),
    JOINT("calf.L", "thigh.L", 0.136, 0.5, 0.01, 0.078, 0.145, 0.12, -0.01, 0.055),
    JOINT("foot.L", "calf.L", 0.146, 0.095, -0.01, 0.06, 0.15, 0.075, 0.16, 0.05)};

static const grazei_synth_leg_row legs[] = {{"thigh.L",
                                             "calf.L",
                                             NULL,
                                             "foot.L",
                                             {NULL, NULL},
                                             {0.15, 0, 0.13},
                                             {0.146, 0, -0.06},
                                             0,
                                             40,
                                             0}};

static const grazei_synth_track_row walk[] = {
    {"pelvis", 'y', 0, -6, 0.25, 0, 1},       {"pelvis", 'z', 0, 3, 0.08, 0, 1},
    {"pelvis", 'X', 0, 0.02, 0, 0, 1},        {"pelvis", 'Y', -0.05, 0.016, 0.65, 0, 2},
    {"spine", 'y', 0, 8, 0.25, 0, 1},         {"spine", 'x', 3, 1, 0.1, 0, 2},
    {"chest", 'y', 0, 5, 0.25, 0, 1},         {"neck", 'y', 0, -3, 0.25, 0, 1},
    {"head", 'y', 0, -4, 0.25, 0, 1},         {"head", 'x', -1, 2, 0.35, 0, 2},
    {"pack", 'x', 0, 2, 0.4, 0, 2},           {"upper_arm.L", 'z', -22, 0, 0, 0, 1},
    {"upper_arm.L", 'x', -1, 24, 0.25, 0, 1}, {"forearm.L", 'x', -24, -10, 0.7, 0, 1},
    {"hand.L", 'z', -4, 6, 0.2, 0, 1},        {"thigh.L", 'z', -2, 0, 0, 0, 1}};

/* Feet stand; the trunk turns and bends, arms reach over each other. */
static const grazei_synth_track_row work[] = {{"pelvis", 'Y', -0.08, 0.03, 0, 0, 2},
                                              {"pelvis", 'y', 0, 8, 0, 0, 1},
                                              {"spine", 'y', 0, 20, 0.1, 0, 1},
                                              {"spine", 'x', 12, 10, 0.3, 0, 1},
                                              {"chest", 'y', 0, 15, 0.15, 0, 1},
                                              {"chest", 'z', 0, 8, 0.6, 0, 1},
                                              {"neck", 'y', 0, 20, 0.5, 0, 1},
                                              {"head", 'x', 8, 12, 0.2, 0, 2},
                                              {"pack", 'x', 0, 5, 0, 0, 3},
                                              {"upper_arm.L", 'x', -50, 25, 0, 0, 1},
                                              {"upper_arm.L", 'z', -20, 15, 0.3, 0, 1},
                                              {"forearm.L", 'y', -40, -25, 0.6, 0, 1},
                                              {"forearm.L", 'x', -25, 15, 0.2, 0, 2},
                                              {"hand.L", 't', 0, 40, 0.4, 0, 1}};

static const grazei_synth_clip_row clips[] = {
    {"walk", 1.2, 32, 1.1, 0.06, 0.06, walk, COUNT_OF(walk), 0, NULL},
    {"work", 3, 48, 0, 0, 0, work, COUNT_OF(work), 0, NULL}};

/* ---- the shells of a bone ---------------------------------------------------------------- */

enum { PLATES = 6, BOLTS = 2 * PLATES };

/* In order of importance: a coarse robot has only the first of each bone. */
enum {
    CASING,
    CORE,
    BALL_BEFORE,
    BALL_BEHIND,
    FIRST_RING,
    FIRST_PISTON = FIRST_RING + 3,
    FIRST_SLEEVE = FIRST_PISTON + 2,
    FIRST_PLATE = FIRST_SLEEVE + 2,
    FIRST_BOLT = FIRST_PLATE + PLATES,
    INNER_BALL = FIRST_BOLT + BOLTS,
    SHELLS_OF_A_BONE
};

static const uint32_t triangles_a_shell = 28; /* or there are fewer shells */

typedef struct bone {
    uint32_t joint;
    grazei_vec at, axis, side, other; /* unit and at right angles but for at */
    double length, radius, tail_radius;
} bone;

static bone find_bone(const grazei_synth_skeleton *skeleton, uint32_t j)
{
    const grazei_synth_joint *joint = &skeleton->joints[j];
    grazei_vec along = vec_sub(joint->tail, joint->at);
    bone found = {j,         joint->at,         vec_unit(along), {0, 0, 0},
                  {0, 0, 0}, vec_length(along), joint->radius,   joint->tail_radius};
    grazei_vec forward = fabs(found.axis.z) > 0.8 ? vec_make(0, 1, 0) : vec_make(0, 0, 1);
    found.side = vec_unit(vec_cross(forward, found.axis));
    found.other = vec_cross(found.axis, found.side);
    return found;
}

/* A place so far along the bone, and so far out at an angle. */
static grazei_vec place(const bone *of, double along, double out, grazei_vec direction)
{
    return vec_along(vec_along(of->at, of->axis, along * of->length), direction, out);
}

/* A shell about the bone's axis between two places along it. */
static grazei_synth_shell about_axis(const bone *of, grazei_synth_shell_kind kind, double from,
                                     double to, double radius)
{
    grazei_synth_shell shell = {.kind = kind,
                                .joint = of->joint,
                                .axis = of->axis,
                                .side = of->side,
                                .radius = radius,
                                .half = 0.5 * (to - from) * of->length};
    shell.centre = place(of, 0.5 * (from + to), 0, of->side);
    return shell;
}

/* The direction of plate k, from six that a square root makes. */
static grazei_vec plate_direction(const bone *of, uint32_t k)
{
    static const double sixth = 0.8660254037844386;
    static const double turns[PLATES][2] = {{1, 0},  {0.5, sixth},   {-0.5, sixth},
                                            {-1, 0}, {-0.5, -sixth}, {0.5, -sixth}};
    return vec_along(vec_scale(of->side, turns[k][0]), of->other, turns[k][1]);
}

/* Every other one is sunk into the casing, the rest lie a hair above it. */
static grazei_synth_shell make_plate(const bone *of, uint32_t k, double thick)
{
    grazei_vec out = plate_direction(of, k);
    grazei_synth_shell shell = about_axis(of, GRAZEI_SYNTH_PLATE, 0, 0, 0.3 * of->length);
    shell.centre = place(of, 0.5, (k % 2 ? 1.16 : 0.95) * thick, out);
    shell.axis = out;
    shell.side = vec_cross(of->axis, out);
    shell.width = 0.4 * thick;
    shell.half = 0.14 * thick;
    return shell;
}

static grazei_synth_shell make_bolt(const bone *of, uint32_t k, double thick)
{
    grazei_vec out = plate_direction(of, k % PLATES);
    grazei_synth_shell shell = about_axis(of, GRAZEI_SYNTH_BOLT, 0, 0, 0.1 * thick);
    shell.centre = place(of, k < PLATES ? 0.32 : 0.68, (k % 2 ? 1.26 : 1.02) * thick, out);
    shell.axis = out;
    shell.side = of->axis;
    shell.half = (k % 2 ? 0.14 : 0.18) * thick;
    return shell;
}

static grazei_synth_shell make_shell(const bone *of, uint32_t number)
{
    double thick = 0.5 * (of->radius + of->tail_radius);
    grazei_synth_shell shell;
    if (number == INNER_BALL || number == BALL_BEFORE || number == BALL_BEHIND) {
        shell = about_axis(of, GRAZEI_SYNTH_BALL_SHELL, 0, 0, 0.8 * of->radius);
        if (number == INNER_BALL)
            shell.radius = 0.45 * of->radius;
        if (number == BALL_BEHIND) {
            shell.radius = 0.9 * of->tail_radius;
            shell.centre = place(of, 1, 0, of->side);
        }
        return shell;
    }
    if (number >= FIRST_BOLT)
        return make_bolt(of, number - FIRST_BOLT, thick);
    if (number >= FIRST_PLATE)
        return make_plate(of, number - FIRST_PLATE, thick);
    if (number >= FIRST_PISTON) {
        bool sleeve = number >= FIRST_SLEEVE;
        grazei_vec out = (number - FIRST_PISTON) % 2 ? of->other : vec_scale(of->other, -1);
        shell = sleeve ? about_axis(of, GRAZEI_SYNTH_PIPE, 0.1, 0.55, 0.24 * thick)
                       : about_axis(of, GRAZEI_SYNTH_ROD, 0.12, 0.92, 0.14 * thick);
        shell.wall = 0.04 * thick;
        shell.centre = vec_along(shell.centre, out, 1.35 * thick);
        return shell;
    }
    if (number >= FIRST_RING) {
        double along = 0.3 + 0.2 * (number - FIRST_RING); /* between core and casing */
        shell = about_axis(of, GRAZEI_SYNTH_RING, along, along, 0.63 * thick);
        shell.wall = 0.07 * thick;
        return shell;
    }
    shell = number == CASING ? about_axis(of, GRAZEI_SYNTH_PIPE, 0.08, 0.92, thick)
                             : about_axis(of, GRAZEI_SYNTH_ROD, 0, 1, 0.5 * thick);
    shell.wall = 0.25 * thick;
    return shell;
}

static bool make(uint32_t triangles, grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    grazei_synth_skeleton *skeleton = grazei_synth_take(pool, 1, sizeof *skeleton);
    if (!skeleton)
        return false;
    grazei_synth_expand(&grazei_synth_robot, skeleton);
    uint32_t all = skeleton->count * SHELLS_OF_A_BONE, wanted = triangles / triangles_a_shell;
    uint32_t count = wanted < all ? wanted : all;
    grazei_synth_shell *shells = grazei_synth_take(pool, all, sizeof *shells);
    if (!shells)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        bone of = find_bone(skeleton, i % skeleton->count);
        shells[i] = make_shell(&of, i / skeleton->count);
    }
    return grazei_synth_mesh_shells(shells, count, triangles, pool, mesh);
}

/* The same shells, whose weights are those of the places they are at. */
static bool make_skinned(uint32_t triangles, grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    if (!make(triangles, pool, mesh))
        return false;
    grazei_synth_give(pool, mesh->joints);
    mesh->joints = NULL;
    return true;
}

const grazei_synth_plan grazei_synth_robot = {
    .name = "robot",
    .description = "a robot of 540 rigid shells: 18 joints, 60,000 triangles, clips walk and work",
    .triangles = 60000,
    .make = make,
    JOINTS,
    LEGS,
    CLIPS};

const grazei_synth_plan grazei_synth_robot_skinned = {
    .name = "robot-skinned",
    .description = "the same shells with smooth weights across them",
    .triangles = 60000,
    .make = make_skinned,
    JOINTS,
    LEGS,
    CLIPS};
