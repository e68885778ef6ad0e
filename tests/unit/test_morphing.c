/* Morphing by quadratic Bezier curves through key poses: the weights of the clips are those of the
 * curves, key poses are those of the skeleton, and all of it survives a file.
 */
#include "harness.h"
#include "scenes/gait.h"
#include "scenes/synth.h"
#include "support/own.h"

#include <graze/animation.h>
#include <graze/gltf.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MORPHS = 5, POSES = 5, PIECES = 2 * (POSES - 1) };

static const double step = 0.39; /* seconds from pose to pose */

/* Key poses of both clips; MORPHS is the rest pose. */
static const struct {
    const char *name;
    uint32_t poses[POSES];
} clips[2] = {{"embrace", {MORPHS, 0, 1, 0, MORPHS}}, {"kick", {MORPHS, 2, 3, 4, MORPHS}}};

/* Made once, and kept until the program ends. */
static graze_rig *make_man(graze_synth_kind kind)
{
    static graze_rig *made[2];
    graze_rig **rig = &made[kind == GRAZE_SYNTH_MAN];
    const graze_synth_def def = {.kind = kind, .triangles = 2000};
    if (!*rig)
        CHECK(graze_synth(&def, NULL, rig, NULL) == GRAZE_OK);
    return *rig;
}

/* The control points of a weight's curves, three a piece: from the poses alone. */
static void control_points(int clip, uint32_t morph, double points[PIECES][3])
{
    double at[POSES], velocity[POSES] = {0};
    for (uint32_t k = 0; k < POSES; k++)
        at[k] = clips[clip].poses[k] == morph;
    for (uint32_t k = 1; k + 1 < POSES; k++)
        velocity[k] = (at[k + 1] - at[k - 1]) / 2; /* a step */
    for (uint32_t k = 0; k + 1 < POSES; k++) {
        const double leave = at[k] + velocity[k] / 4, reach = at[k + 1] - velocity[k + 1] / 4;
        const double middle[3] = {at[k], leave, (leave + reach) / 2};
        const double last[3] = {(leave + reach) / 2, reach, at[k + 1]};
        memcpy(points[2 * k], middle, sizeof middle);
        memcpy(points[2 * k + 1], last, sizeof last);
    }
}

/* De Casteljau's way to a point of a quadratic curve. */
static double casteljau(const double p[3], double t)
{
    const double a = p[0] + t * (p[1] - p[0]), b = p[1] + t * (p[2] - p[1]);
    return a + t * (b - a);
}

static void check_curves(const graze_rig *rig, int clip)
{
    const uint32_t number = graze_rig_find_clip(rig, clips[clip].name);
    double points[PIECES][3], worst = 0;
    float weights[MORPHS];
    REQUIRE(number != GRAZE_NONE && rig->morph_count == MORPHS);
    const graze_rig_channel *channel = rig->clips[number].channels;
    CHECK(rig->clips[number].channel_count == 1 && channel->path == GRAZE_RIG_WEIGHTS);
    CHECK(channel->interpolation == GRAZE_RIG_CUBICSPLINE && channel->key_count == PIECES + 1);
    for (uint32_t m = 0; m < MORPHS; m++) {
        control_points(clip, m, points);
        for (uint32_t i = 0; i <= 400; i++) {
            const double time = (POSES - 1) * step * i / 400, at = time / (step / 2);
            const uint32_t piece = at < PIECES ? (uint32_t)at : PIECES - 1;
            CHECK(graze_rig_sample(rig, number, time, NULL, weights) == GRAZE_OK);
            const double off = fabs(weights[m] - casteljau(points[piece], at - piece));
            worst = off > worst ? off : worst;
        }
    }
    CHECK_MSG(worst < 2e-6, "%s: a weight is off by %g", clips[clip].name, worst);
}

/* No corner anywhere: the slopes on both sides of every key are the same floats. */
static void check_smooth(const graze_rig_channel *channel)
{
    for (uint32_t key = 0; key < channel->key_count; key++) {
        const float *values = channel->values + 3 * (size_t)MORPHS * key;
        CHECK(memcmp(values, values + 2 * MORPHS, MORPHS * sizeof(float)) == 0);
    }
}

TEST(weights_are_those_of_the_curves)
{
    graze_rig *rig = make_man(GRAZE_SYNTH_MAN_MORPHING);
    REQUIRE(rig);
    CHECK(rig->clip_count == 2 && rig->joint_count == 27);
    for (int clip = 0; clip < 2; clip++) {
        check_curves(rig, clip);
        check_smooth(rig->clips[clip].channels);
    }
}

/* A body at a key's time is the skinned man in that pose. Some joints of two poses, by hand. */
TEST(key_poses_are_those_of_the_skeleton)
{
    static const struct {
        int clip;
        uint32_t key;
        const char *joints[6];
        grazei_vec turns[6];
    } poses[] = {{0,
                  1,
                  {"upper_arm.L", "forearm.L", "upper_arm.R", "forearm.R"},
                  {{0, -78, 22}, {0, -95, 0}, {0, 78, -14}, {0, 95, 0}}},
                 {1,
                  1,
                  {"thigh.L", "calf.L", "upper_arm.R", "upper_arm.L"},
                  {{-75, 0, 0}, {20, 0, 0}, {-55, 0, 25}, {30, 0, -20}}}};
    graze_rig *rig = make_man(GRAZE_SYNTH_MAN_MORPHING), *man = make_man(GRAZE_SYNTH_MAN);
    REQUIRE(rig && man && rig->vertex_count == man->vertex_count);
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {NULL, NULL};
    const size_t bytes = 3 * sizeof(float) * man->vertex_count;
    OWNED float *positions = malloc(bytes), *wanted = malloc(bytes);
    float joints[12 * 64];
    CHECK(graze_rig_create_model(rig, NULL, &models[0], NULL) == GRAZE_OK);
    CHECK(graze_rig_create_model(man, NULL, &models[1], NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++)
        CHECK(graze_body_create(models[i], &bodies[i], NULL) == GRAZE_OK);
    for (size_t p = 0; p < sizeof poses / sizeof *poses; p++) {
        graze_rig_local locals[64];
        CHECK(graze_rig_sample_locals(man, GRAZE_NONE, 0, locals, NULL, NULL) == GRAZE_OK);
        for (uint32_t n = 0; n < man->node_count; n++)
            for (int k = 0; k < 4; k++)
                if (strcmp(man->nodes[n].name, poses[p].joints[k]) == 0) {
                    const grazei_synth_turn turn = grazei_synth_turn_by(poses[p].turns[k]);
                    const double q[4] = {turn.x, turn.y, turn.z, turn.w};
                    memcpy(locals[n].rotation, q, sizeof q);
                }
        CHECK(graze_rig_compose(man, locals, joints, NULL) == GRAZE_OK);
        graze_pose pose = {0};
        pose.joints = joints;
        pose.joint_count = man->joint_count;
        CHECK(graze_body_set_pose(bodies[1], &pose, NULL) == GRAZE_OK);
        graze_body_get_positions(bodies[1], wanted);
        const uint32_t clip = graze_rig_find_clip(rig, clips[poses[p].clip].name);
        CHECK(graze_rig_pose_body(rig, clip, (double)(float)(step * poses[p].key), NULL, bodies[0],
                                  NULL) == GRAZE_OK);
        graze_body_get_positions(bodies[0], positions);
        double worst = 0, moved = 0;
        for (size_t i = 0; i < 3 * (size_t)man->vertex_count; i++) {
            worst = fmax(worst, fabs((double)positions[i] - wanted[i]));
            moved = fmax(moved, fabs((double)positions[i] - man->positions[i]));
        }
        CHECK_MSG(worst < 2e-6 && moved > 0.3, "pose %u: off by %g m, moved by %g m", (unsigned)p,
                  worst, moved);
    }
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
}

/* Written, read again and played: the same weights, the same bodies. */
TEST(a_file_keeps_the_curves)
{
    char path[64] = "morphing_test.glb";
    graze_error error = {GRAZE_OK, ""};
    graze_rig *rig = make_man(GRAZE_SYNTH_MAN_MORPHING), *read = NULL;
    REQUIRE(rig);
    CHECK(graze_gltf_save(rig, path, &error) == GRAZE_OK);
    CHECK_MSG(graze_gltf_load(path, NULL, &read, &error) == GRAZE_OK, "%s", error.text);
    REQUIRE(read && read->clip_count == 2);
    for (int clip = 0; clip < 2; clip++) {
        check_curves(read, clip);
        CHECK(fabsf(read->clips[clip].seconds - 1.56f) < 1e-5f);
    }
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {NULL, NULL};
    graze_rig *const rigs[2] = {rig, read};
    float *positions[2];
    for (int i = 0; i < 2; i++) {
        CHECK(graze_rig_create_model(rigs[i], NULL, &models[i], NULL) == GRAZE_OK);
        CHECK(graze_body_create(models[i], &bodies[i], NULL) == GRAZE_OK);
        positions[i] = malloc(3 * sizeof(float) * rig->vertex_count);
    }
    REQUIRE(read->vertex_count == rig->vertex_count);
    for (uint32_t frame = 0; frame < 40; frame += 7) {
        for (int i = 0; i < 2; i++) {
            CHECK(graze_rig_pose_body(rigs[i], 0, frame / 25.0, NULL, bodies[i], NULL) == GRAZE_OK);
            graze_body_get_positions(bodies[i], positions[i]);
        }
        CHECK(memcmp(positions[0], positions[1], 3 * sizeof(float) * rig->vertex_count) == 0);
    }
    for (int i = 0; i < 2; i++) {
        free(positions[i]);
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
    graze_rig_destroy(read);
    remove(path);
}
