/* Rigs made by hand, sampled and compared with values worked out on paper. */
#include "gltf_support.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"

#include <math.h>

static void *take(graze_rig *rig, size_t count, size_t size)
{
    void *memory = rig->allocator.allocate(rig->allocator.user, count * size, 64);
    memset(memory, 0, count * size);
    return memory;
}

/* count nodes that do nothing, each a root, and a joint for each. */
static graze_rig *still_rig(uint32_t count)
{
    graze_rig *rig = graze_rig_create(NULL);
    rig->nodes = take(rig, count, sizeof *rig->nodes);
    rig->joints = take(rig, count, sizeof *rig->joints);
    rig->node_count = rig->joint_count = count;
    for (uint32_t i = 0; i < count; i++) {
        graze_rig_node *node = &rig->nodes[i];
        node->parent = GRAZE_NONE;
        node->rotation[3] = node->scale[0] = node->scale[1] = node->scale[2] = 1;
        float *bind = rig->joints[i].inverse_bind;
        rig->joints[i].node = i;
        bind[0] = bind[5] = bind[10] = 1;
    }
    return rig;
}

static void set(float *to, const float *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

/* A clip of one channel with these keys; width numbers a key, tangents included. */
static void add_clip(graze_rig *rig, graze_rig_path path, graze_rig_interpolation interpolation,
                     uint32_t keys, const float *times, const float *values, uint32_t width)
{
    rig->clips = take(rig, 1, sizeof *rig->clips);
    rig->clip_count = 1;
    graze_rig_clip *clip = rig->clips;
    clip->channels = take(rig, 1, sizeof *clip->channels);
    clip->channel_count = 1;
    clip->seconds = times[keys - 1];
    graze_rig_channel *channel = clip->channels;
    channel->path = path;
    channel->interpolation = interpolation;
    channel->morph_count = rig->morph_count;
    channel->key_count = keys;
    channel->times = take(rig, keys, sizeof *times);
    channel->values = take(rig, (size_t)keys * width, sizeof *values);
    set(channel->times, times, keys);
    set(channel->values, values, (size_t)keys * width);
}

static void check_rows(const float *rows, const double *wanted, double tolerance, int line)
{
    for (int i = 0; i < 12; i++)
        test_check(fabs(rows[i] - wanted[i]) <= tolerance, __FILE__, line,
                   "element %d is %.9g, not %.9g", i, (double)rows[i], wanted[i]);
}

TEST(a_child_may_come_before_its_parent)
{
    OWN(graze_rig) *rig = still_rig(3); /* 0 below 2 below 1 */
    float joints[36];
    rig->nodes[0].parent = 2;
    rig->nodes[2].parent = 1;
    set(rig->nodes[1].translation, (float[]){10, 0, 0}, 3);
    set(rig->nodes[1].rotation, (float[]){0, 0, 1, 1}, 4); /* a quarter turn, not unit */
    set(rig->nodes[2].scale, (float[]){2, 3, -4}, 3);
    set(rig->nodes[0].translation, (float[]){1, 1, 1}, 3);
    REQUIRE(graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL) == GRAZE_OK);
    check_rows(joints, (double[]){0, -3, 0, 7, 2, 0, 0, 2, 0, 0, -4, -4}, 1e-6, __LINE__);
    check_rows(joints + 12, (double[]){0, -1, 0, 10, 1, 0, 0, 0, 0, 0, 1, 0}, 1e-6, __LINE__);
    check_rows(joints + 24, (double[]){0, -3, 0, 10, 2, 0, 0, 0, 0, 0, -4, 0}, 1e-6, __LINE__);
}

TEST(matrices_and_inverse_binds)
{
    static const float matrix[12] = {1, 2, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7}; /* a shear */
    static const float bind[12] = {2, 0, 0, 1, 0, 2, 0, 1, 0, 0, 2, 1};
    OWN(graze_rig) *rig = still_rig(1);
    float joint[12];
    rig->nodes[0].has_matrix = true;
    set(rig->nodes[0].matrix, matrix, 12);
    set(rig->joints[0].inverse_bind, bind, 12);
    REQUIRE(graze_rig_sample(rig, GRAZE_NONE, 0, joint, NULL) == GRAZE_OK);
    check_rows(joint, (double[]){2, 4, 0, 8, 0, 2, 0, 7, 0, 0, 2, 8}, 0, __LINE__);
}

/* The angle about z that a joint turns by. */
static double turn_at(const graze_rig *rig, double time)
{
    float joint[12] = {0};
    CHECK(graze_rig_sample(rig, 0, time, joint, NULL) == GRAZE_OK);
    return atan2(joint[4], joint[0]);
}

TEST(linear_rotations_turn_evenly)
{
    double half = acos(-1.0) / 3; /* 120 degrees in all */
    float values[8] = {0, 0, 0, 1, 0, 0, (float)sin(half), (float)cos(half)};
    for (int sign = 1; sign >= -1; sign -= 2) { /* the negated key is the same rotation */
        OWN(graze_rig) *rig = still_rig(1);
        for (int i = 4; i < 8; i++)
            values[i] = (float)sign * fabsf(values[i]);
        add_clip(rig, GRAZE_RIG_ROTATION, GRAZE_RIG_LINEAR, 2, (float[]){1, 3}, values, 4);
        for (int i = 0; i <= 16; i++)
            CHECK(fabs(turn_at(rig, 1 + i / 8.0) - 2 * half * i / 16) < 1e-6);
        CHECK(turn_at(rig, -5) == 0 && fabs(turn_at(rig, 50) - 2 * half) < 1e-6);
    }
}

/* Of every size of turn, against the C library's sine; and the very floats, which are the same on
 * every machine and with every C library.
 */
TEST(turns_of_any_size_are_the_same_floats_everywhere)
{
    uint32_t hash = 2166136261u;
    for (int turn = 1; turn <= 90; turn++) {
        const float values[8] = {0, 0, 0, 1, 0, 0, (float)turn, (float)(91 - turn)};
        double angle = atan2(turn, 91 - turn);
        OWN(graze_rig) *rig = still_rig(1);
        add_clip(rig, GRAZE_RIG_ROTATION, GRAZE_RIG_LINEAR, 2, (float[]){0, 1}, values, 4);
        for (int i = 0; i < 50; i++) {
            float joint[12];
            double t = i / 50.0;
            CHECK(graze_rig_sample(rig, 0, t, joint, NULL) == GRAZE_OK);
            CHECK(fabs(joint[4] - sin(2 * angle * t)) < 1.2e-7);
            CHECK(fabs(joint[0] - cos(2 * angle * t)) < 1.2e-7);
            for (int k = 0; k < 12; k++) {
                uint32_t bits;
                memcpy(&bits, &joint[k], sizeof bits);
                hash = (hash ^ bits) * 16777619u;
            }
        }
    }
    CHECK_MSG(hash == 0x53441c4fu, "0x%08x", hash);
}

TEST(keys_that_nearly_agree)
{
    const float values[8] = {0, 0, 1e-8f, 1, 0, 0, 3e-8f, 1};
    OWN(graze_rig) *rig = still_rig(1);
    add_clip(rig, GRAZE_RIG_ROTATION, GRAZE_RIG_LINEAR, 2, (float[]){0, 1}, values, 4);
    CHECK(fabs(turn_at(rig, 0.5) - 4e-8) < 1e-14);
}

static double height_at(const graze_rig *rig, double time)
{
    float joint[12] = {0};
    CHECK(graze_rig_sample(rig, 0, time, joint, NULL) == GRAZE_OK);
    return joint[7];
}

TEST(steps_hold_until_the_next_key)
{
    const float values[9] = {0, 1, 0, 0, 2, 0, 0, 3, 0};
    OWN(graze_rig) *rig = still_rig(1);
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_STEP, 3, (float[]){1, 2, 4}, values, 3);
    CHECK(height_at(rig, 0) == 1 && height_at(rig, 1) == 1 && height_at(rig, 1.999999) == 1);
    CHECK(height_at(rig, 2) == 2 && height_at(rig, 3.999999) == 2);
    CHECK(height_at(rig, 4) == 3 && height_at(rig, 1e30) == 3);
}

TEST(linear_between_many_keys)
{
    enum { KEYS = 257 };
    float times[KEYS], values[KEYS * 3] = {0};
    for (int k = 0; k < KEYS; k++) {
        times[k] = (float)(k * k) / 64;
        values[k * 3 + 1] = (float)(k % 7);
    }
    OWN(graze_rig) *rig = still_rig(1);
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_LINEAR, KEYS, times, values, 3);
    for (int k = 0; k < KEYS - 1; k++) {
        double middle = ((double)times[k] + times[k + 1]) / 2;
        CHECK(height_at(rig, times[k]) == k % 7);
        CHECK(fabs(height_at(rig, middle) - (k % 7 + (k + 1) % 7) / 2.0) < 1e-6);
    }
}

/* Hermite curves through a cubic's values and slopes are that cubic, whatever the interval. */
TEST(cubic_splines_reproduce_cubics)
{
    const float times[3] = {1, 3, 3.5f};
    float values[27] = {0};
    for (int k = 0; k < 3; k++) {
        float t = times[k];
        values[k * 9 + 1] = values[k * 9 + 7] = 3 * t * t - 4 * t; /* slope of t^3 - 2 t^2 + 1 */
        values[k * 9 + 4] = t * t * t - 2 * t * t + 1;
    }
    OWN(graze_rig) *rig = still_rig(1);
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_CUBICSPLINE, 3, times, values, 9);
    for (int i = 0; i <= 50; i++) {
        double t = 1 + i * 0.05;
        CHECK_MSG(fabs(height_at(rig, t) - (t * t * t - 2 * t * t + 1)) < 1e-5, "at %g", t);
    }
    CHECK(height_at(rig, 0) == 0 && height_at(rig, 4) == (float)(3.5 * 3.5 * 3.5 - 24.5 + 1));
}

TEST(cubic_rotations_are_unit)
{
    float values[24] = {[7] = 1, [8] = 3, [18] = 1, [13] = -2}; /* no turn to half a turn */
    OWN(graze_rig) *rig = still_rig(1);
    add_clip(rig, GRAZE_RIG_ROTATION, GRAZE_RIG_CUBICSPLINE, 2, (float[]){0, 2}, values, 12);
    for (int i = 0; i <= 20; i++) {
        float joint[12];
        double t = i / 20.0, q[4], length = 0;
        double out = 2 * (t * t * t - 2 * t * t + t), in = 2 * (t * t * t - t * t);
        q[0] = 3 * out;
        q[1] = -2 * in;
        q[2] = 3 * t * t - 2 * t * t * t;
        q[3] = 2 * t * t * t - 3 * t * t + 1;
        for (int c = 0; c < 4; c++)
            length += q[c] * q[c];
        CHECK(graze_rig_sample(rig, 0, 2 * t, joint, NULL) == GRAZE_OK);
        CHECK(fabs(joint[0] - (1 - 2 * (q[1] * q[1] + q[2] * q[2]) / length)) < 1e-6);
        CHECK(fabs(joint[9] - 2 * (q[1] * q[2] + q[0] * q[3]) / length) < 1e-6);
    }
}

TEST(weights_of_morphs)
{
    const float values[18] = {9, 9, 1, 2, 0, 4, 9, 9, 3, 6, 9, 9}; /* in, value, out; twice */
    OWN(graze_rig) *rig = still_rig(1);
    float weights[4];
    rig->morphs = take(rig, 4, sizeof *rig->morphs);
    rig->morph_count = 4;
    for (int i = 0; i < 4; i++)
        rig->morphs[i].weight = 0.5f + (float)i;
    add_clip(rig, GRAZE_RIG_WEIGHTS, GRAZE_RIG_CUBICSPLINE, 2, (float[]){1, 2}, values, 9);
    rig->clips[0].channels[0].first_morph = 1;
    rig->clips[0].channels[0].morph_count = 2;
    REQUIRE(graze_rig_sample(rig, GRAZE_NONE, 1, NULL, weights) == GRAZE_OK);
    CHECK(weights[0] == 0.5f && weights[1] == 1.5f && weights[2] == 2.5f && weights[3] == 3.5f);
    REQUIRE(graze_rig_sample(rig, 0, 1, NULL, weights) == GRAZE_OK);
    CHECK(weights[0] == 0.5f && weights[1] == 1 && weights[2] == 2 && weights[3] == 3.5f);
    REQUIRE(graze_rig_sample(rig, 0, 1.5, NULL, weights) == GRAZE_OK);
    CHECK(fabs(weights[1] - (0.5 + 1.5 - 9 * 0.125)) < 1e-6);
    CHECK(fabs(weights[2] - (1 + 3 + 4 * 0.125 - 9 * 0.125)) < 1e-6);
    rig->clips[0].channels[0].first_morph = 3;
    CHECK(graze_rig_sample(rig, 0, 1, NULL, weights) == GRAZE_BAD_INPUT);
}

TEST(clips_by_name_or_number)
{
    OWN(graze_rig) *rig = still_rig(1);
    rig->clips = take(rig, 3, sizeof *rig->clips);
    rig->clip_count = 3;
    rig->clips[0].name = take(rig, 8, 1);
    rig->clips[2].name = take(rig, 8, 1);
    strcpy(rig->clips[0].name, "Walk");
    strcpy(rig->clips[2].name, "1");
    CHECK(graze_rig_find_clip(rig, "Walk") == 0);
    CHECK(graze_rig_find_clip(rig, "1") == 2); /* a name goes first */
    CHECK(graze_rig_find_clip(rig, "2") == 2 && graze_rig_find_clip(rig, "00") == 0);
    CHECK(graze_rig_find_clip(rig, "3") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, "99999999999999999999") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, "-1") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, "1x") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, "") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, "none") == GRAZE_NONE);
    CHECK(graze_rig_find_clip(rig, NULL) == GRAZE_NONE);
}

TEST(bad_rigs_are_refused)
{
    const float values[3] = {0, 0, 0};
    float joints[24];
    OWN(graze_rig) *rig = still_rig(2);
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_LINEAR, 1, (float[]){0}, values, 3);
    CHECK(graze_rig_sample(rig, 0, 0, joints, NULL) == GRAZE_OK);
    CHECK(graze_rig_sample(rig, 1, 0, joints, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_sample(rig, 0, NAN, joints, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_sample(rig, 0, INFINITY, joints, NULL) == GRAZE_BAD_INPUT);
    rig->nodes[0].parent = 1;
    rig->nodes[1].parent = 0;
    CHECK(graze_rig_sample(rig, 0, 0, joints, NULL) == GRAZE_BAD_INPUT);
    rig->nodes[1].parent = 2;
    CHECK(graze_rig_sample(rig, 0, 0, joints, NULL) == GRAZE_BAD_INPUT);
    rig->nodes[1].parent = GRAZE_NONE;
    rig->joints[1].node = 2;
    CHECK(graze_rig_sample(rig, 0, 0, joints, NULL) == GRAZE_BAD_INPUT);
    rig->joints[1].node = 1;
    rig->clips[0].channels[0].node = 2;
    CHECK(graze_rig_sample(rig, 0, 0, joints, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL) == GRAZE_OK);
}

TEST(a_million_nodes_in_a_chain)
{
    enum { LENGTH = 1000000 };
    OWN(graze_rig) *rig = still_rig(LENGTH);
    OWNED float *joints = malloc((size_t)LENGTH * 12 * sizeof *joints);
    for (uint32_t i = 0; i < LENGTH; i++) { /* the worst order: every parent comes later */
        rig->nodes[i].parent = i + 1 < LENGTH ? i + 1 : GRAZE_NONE;
        rig->nodes[i].translation[1] = 1;
    }
    REQUIRE(graze_rig_sample(rig, GRAZE_NONE, 0, joints, NULL) == GRAZE_OK);
    CHECK(joints[7] == LENGTH && joints[(size_t)(LENGTH - 1) * 12 + 7] == 1);
}

TEST(example_poses_cover_all_clips)
{
    enum { COUNT = 10 };
    const float values[6] = {0, 0, 0, 0, 4, 0};
    float poses[COUNT * 24], pose[24];
    OWN(graze_rig) *rig = still_rig(2);
    REQUIRE(graze_rig_example_poses(rig, 2, poses) == GRAZE_OK); /* no clips: as it stands */
    CHECK(poses[0] == 1 && poses[24] == 1);
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_LINEAR, 2, (float[]){0, 4}, values, 3);
    REQUIRE(graze_rig_example_poses(rig, COUNT, poses) == GRAZE_OK);
    for (int i = 0; i < COUNT; i++) {
        CHECK(fabs(poses[i * 24 + 7] - (i + 0.5) * 0.4) < 1e-6);
        CHECK(graze_rig_sample(rig, 0, (i + 0.5) / COUNT * 4, pose, NULL) == GRAZE_OK);
        CHECK(memcmp(pose, poses + i * 24, sizeof pose) == 0);
    }
}

TEST(memory_comes_from_the_allocator)
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_rig_destroy(NULL);
    graze_rig *rig = graze_rig_create(&allocator);
    REQUIRE(rig != NULL);
    CHECK(memory.alive == 1 && rig->vertex_count == 0 && rig->allocator.user == &memory);
    rig->clip_count = 3; /* half-filled: counts without arrays */
    rig->node_count = 2;
    rig->morph_count = 1;
    graze_rig_destroy(rig);
    CHECK(memory.alive == 0);
    memory.fail_at = memory.calls + 1;
    CHECK(graze_rig_create(&allocator) == NULL);
}

TEST(a_model_def_points_into_the_rig)
{
    OWN(graze_rig) *rig = still_rig(2);
    rig->positions = take(rig, 9, sizeof *rig->positions);
    rig->triangles = take(rig, 3, sizeof *rig->triangles);
    rig->vertex_count = 3;
    rig->triangle_count = 1;
    graze_model_def def = graze_rig_model_def(rig);
    CHECK(def.positions == rig->positions && def.vertex_count == 3);
    CHECK(def.triangles == rig->triangles && def.triangle_count == 1);
    CHECK(def.joint_count == 2 && def.example_poses == NULL && def.vertex_parts == NULL);
}

/* A triangle on two joints, the first of which a clip lifts by 4 in 4 seconds, and a morph target
 * that moves its third corner by 1 along x.
 */
static graze_rig *triangle_rig(void)
{
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, lift[6] = {0, 0, 0, 0, 4, 0};
    const graze_influence influences[3] = {{0, 1}, {0, 1}, {1, 1}};
    graze_rig *rig = still_rig(2);
    rig->positions = take(rig, 9, sizeof *rig->positions);
    rig->triangles = take(rig, 3, sizeof *rig->triangles);
    rig->influence_offsets = take(rig, 4, sizeof *rig->influence_offsets);
    rig->influences = take(rig, 3, sizeof *rig->influences);
    rig->morphs = take(rig, 1, sizeof *rig->morphs);
    rig->morphs[0] = (graze_rig_morph){.vertices = take(rig, 1, sizeof(uint32_t)),
                                       .deltas = take(rig, 3, sizeof(float)),
                                       .count = 1,
                                       .weight = 0.5f};
    rig->morphs[0].vertices[0] = 2;
    memcpy(rig->morphs[0].deltas, (float[]){1, 0, 0}, 3 * sizeof(float));
    memcpy(rig->positions, corners, sizeof corners);
    memcpy(rig->influences, influences, sizeof influences);
    for (uint32_t i = 0; i < 4; i++)
        rig->influence_offsets[i] = i;
    for (uint32_t i = 0; i < 3; i++)
        rig->triangles[i] = i;
    rig->vertex_count = 3;
    rig->triangle_count = rig->morph_count = 1;
    add_clip(rig, GRAZE_RIG_TRANSLATION, GRAZE_RIG_LINEAR, 2, (float[]){0, 4}, lift, 3);
    return rig;
}

TEST(a_model_and_a_posed_body_in_one_call_each)
{
    OWN(graze_rig) *rig = triangle_rig();
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {0};
    const float placement[12] = {1, 0, 0, 10, 0, 1, 0, 20, 0, 0, 1, 30};
    float joints[24], found[9], expected[9];
    REQUIRE(graze_rig_create_model(rig, NULL, &model, &error) == GRAZE_OK);
    CHECK(graze_model_get_info(model).morph_count == 1);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    REQUIRE(graze_rig_pose_body(rig, 0, 1.5, placement, body, &error) == GRAZE_OK);
    graze_body_get_positions(body, found);

    /* The same by hand: the clip's joints, then the third corner morphed by a half. */
    REQUIRE(graze_rig_sample(rig, 0, 1.5, joints, NULL) == GRAZE_OK);
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++) {
            const float *row = joints + 12 * (v == 2) + 4 * k, *p = rig->positions + 3 * v;
            expected[3 * v + k] = row[0] * (p[0] + (v == 2 ? 0.5f : 0)) + row[1] * p[1] +
                                  row[2] * p[2] + row[3] + 10 * (float)(k + 1);
        }
    CHECK(!memcmp(found, expected, sizeof found));
    CHECK(found[1] == 21.5f && found[6] == 10.5f);
}

TEST(bad_input_of_the_one_call_ways)
{
    OWN(graze_rig) *rig = triangle_rig();
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {0};
    CHECK(graze_rig_create_model(NULL, NULL, &model, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_create_model(rig, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    graze_model_def def = graze_rig_model_def(rig);
    def.vertex_count = 2; /* the triangle needs three */
    CHECK(graze_rig_create_model(rig, &def, &model, &error) == GRAZE_BAD_INPUT && !model);
    rig->joints[0].node = 99;
    CHECK(graze_rig_create_model(rig, NULL, &model, &error) == GRAZE_BAD_INPUT && !model);
    rig->joints[0].node = 0;
    REQUIRE(graze_rig_create_model(rig, NULL, &model, &error) == GRAZE_OK);
    REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
    CHECK(graze_rig_pose_body(NULL, 0, 0, NULL, body, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_pose_body(rig, 0, 0, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_pose_body(rig, 0, NAN, NULL, body, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_rig_pose_body(rig, 1, 0, NULL, body, &error) == GRAZE_BAD_INPUT);
    CHECK(!strcmp(error.text, "clip 1: the rig has 1"));
    CHECK(graze_rig_pose_body(rig, GRAZE_NONE, 0, NULL, body, NULL) == GRAZE_OK);

    /* Every allocation failed once. */
    test_memory memory = {0};
    graze_allocator plain = rig->allocator;
    for (int fail_at = 1; fail_at <= 3; fail_at++) {
        memory = (test_memory){.fail_at = fail_at};
        rig->allocator = test_memory_allocator(&memory);
        CHECK(graze_rig_pose_body(rig, 0, 0, NULL, body, &error) == GRAZE_OUT_OF_MEMORY);
        CHECK(memory.alive == 0);
    }
    rig->allocator = plain;
}
