/* Morph targets: what weights of zero, sparse fields and repeated vertices mean, and every way to
 * get them wrong.
 */
#include "body/patches.h"
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/rigid.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 5, VERTICES = 80, MORPHS = 6 };

static deform_skin make_skin(uint64_t seed, uint32_t morphs)
{
    test_random random = test_random_seed(seed);
    soup_def def = {.vertex_count = VERTICES,
                    .triangle_count = 100,
                    .joint_count = JOINTS,
                    .max_influences = 4,
                    .size = 1};
    return deform_skin_make(&def, morphs, &random);
}

static graze_body *make_body(const graze_model_def *def, graze_model **model)
{
    graze_body *body = NULL;
    graze_error error = {.text = ""};
    CHECK_MSG(graze_model_create(def, model, &error) == GRAZE_OK &&
                  graze_body_create(*model, &body, &error) == GRAZE_OK,
              "%s", error.text);
    return body;
}

static void make_pose(uint64_t seed, float *joints, graze_pose *pose)
{
    static const float origin[3] = {0, 0, 0};
    test_random random = test_random_seed(seed);
    deform_pose_make((deform_pose_kind)(seed % DEFORM_RIGID_COUNT), origin, 1, JOINTS, &random,
                     joints);
    *pose = (graze_pose){.joints = joints, .joint_count = JOINTS};
}

/* ---- what they mean ----------------------------------------------------------------------- */

TEST(weights_of_zero_change_no_bit)
{
    static const float none[MORPHS] = {0, -0.0f, 0, 0, -0.0f, 0};
    OWN(deform_skin) skin = make_skin(1, MORPHS);
    for (int kind = 0; kind < 3; kind++) {
        graze_model *models[2] = {NULL, NULL};
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)kind);
        graze_body *morphing = make_body(&def, &models[0]);
        def.morphs = NULL;
        def.morph_count = 0;
        graze_body *plain = make_body(&def, &models[1]);
        for (uint64_t p = 0; p < 40; p++) {
            float joints[12 * JOINTS], positions[3][3 * VERTICES];
            graze_pose pose;
            make_pose(p, joints, &pose);
            CHECK(graze_body_set_pose(plain, &pose, NULL) == GRAZE_OK);
            graze_body_get_positions(plain, positions[0]);
            CHECK(graze_body_set_pose(morphing, &pose, NULL) == GRAZE_OK);
            graze_body_get_positions(morphing, positions[1]);
            pose.morph_weights = none;
            pose.morph_count = MORPHS;
            CHECK(graze_body_set_pose(morphing, &pose, NULL) == GRAZE_OK);
            graze_body_get_positions(morphing, positions[2]);
            CHECK(memcmp(positions[0], positions[1], sizeof positions[0]) == 0);
            CHECK(memcmp(positions[0], positions[2], sizeof positions[0]) == 0);
        }
        for (int i = 0; i < 2; i++) {
            graze_body_destroy(i ? plain : morphing);
            graze_model_destroy(models[i]);
        }
    }
}

/* In a pose that stays put, so that a vertex is its rest position and what the field adds. */
TEST(fields_move_the_vertices_they_name)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t triangles[6] = {0, 1, 2, 1, 2, 3};
    static const uint32_t lone[1] = {2}, twice[3] = {3, 1, 3};
    static const float one[3] = {0.5f, 0.25f, 0.125f};
    static const float three[9] = {1, 0, 0, 0, 2, 0, 0.5f, 4, 0};
    static const float dense[6] = {1, 1, 1, 2, 2, 2};
    const graze_morph_target targets[4] = {
        {lone, one, 1}, {twice, three, 3}, {NULL, dense, 2}, {NULL, NULL, 0}};
    static const float weights[4] = {2, -1, 0.5f, 100};
    static const float wanted[12] = {0.5f, 0.5f, 0.5f, 2, -1, 1, 1, 1.5f, 0.25f, -1.5f, -4, 1};
    graze_model_def def = test_rigid_def(positions, 4, triangles, 2);
    def.morphs = targets;
    def.morph_count = 4;
    static const uint32_t offsets[5] = {0, 1, 2, 3, 4};
    static const graze_influence influences[4] = {{0, 1}, {0, 1}, {0, 1}, {0, 1}};
    def.influence_offsets = offsets;
    def.influences = influences;
    for (int kind = 0; kind < 3; kind++) {
        static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        float posed[12];
        graze_model *model = NULL;
        def.skinning = (graze_skinning)kind;
        graze_body *body = make_body(&def, &model);
        graze_pose pose = {
            .joints = still, .joint_count = 1, .morph_weights = weights, .morph_count = 4};
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        graze_body_get_positions(body, posed);
        CHECK(memcmp(posed, wanted, sizeof wanted) == 0);
        graze_body_destroy(body);
        graze_model_destroy(model);
    }
}

/* A node that no field reaches knows of none. */
TEST(sparse_fields_cost_nothing_elsewhere)
{
    OWN(deform_skin) skin = make_skin(3, 0);
    static const uint32_t lone[1] = {7};
    static const float delta[3] = {0.1f, 0, 0};
    graze_morph_target target = {lone, delta, 1};
    graze_model_def def = deform_skin_def(&skin, GRAZE_LINEAR);
    OWN(graze_model) *model = NULL;
    def.morphs = &target;
    def.morph_count = 1;
    def.tree = bounds_tree(1);
    OWN(graze_body) *body = make_body(&def, &model);
    uint32_t touched = 0;
    for (uint32_t n = 0; n < model->tree.node_count; n++)
        touched += model->skin.morph.node_first[n + 1] > model->skin.morph.node_first[n];
    CHECK_MSG(touched < model->tree.node_count / 4, "%u of %u nodes", touched,
              model->tree.node_count);
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void check_refused(const graze_model_def *def, const char *what)
{
    graze_model *untouched = (graze_model *)(uintptr_t)0x5a5a, *model = untouched;
    graze_error error = {.text = ""};
    graze_status status = graze_model_create(def, &model, &error);
    CHECK_MSG(status == GRAZE_BAD_INPUT && error.status == GRAZE_BAD_INPUT && error.text[0],
              "%s: %s", what, graze_status_name(status));
    CHECK(model == untouched);
    if (!status)
        graze_model_destroy(model);
}

TEST(bad_fields_are_refused)
{
    OWN(deform_skin) skin = make_skin(4, 0);
    uint32_t vertices[2] = {3, VERTICES};
    float deltas[3 * (VERTICES + 1)] = {0};
    for (int kind = 0; kind < 3; kind++) {
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)kind);
        graze_morph_target targets[2] = {{vertices, deltas, 1}, {vertices, deltas, 2}};
        def.morphs = targets;
        def.morph_count = 2;
        check_refused(&def, "a vertex out of range");
        targets[1] = (graze_morph_target){NULL, deltas, VERTICES + 1};
        check_refused(&def, "more deltas than vertices");
        targets[1] = (graze_morph_target){NULL, NULL, 3};
        check_refused(&def, "no deltas");
        targets[1] = (graze_morph_target){NULL, deltas, VERTICES};
        static const float odd[] = {NAN, INFINITY, -INFINITY, 2e15f};
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            deltas[3 * VERTICES - 1] = odd[i];
            check_refused(&def, "a delta that is not a number below 1e15");
        }
        deltas[3 * VERTICES - 1] = 0;
        def.morphs = NULL;
        check_refused(&def, "a count without targets");
        def.morphs = targets;
        def.skinning = (graze_skinning)17;
        check_refused(&def, "an unknown skinning");
        def.skinning = GRAZE_DUAL;
        def.influences = NULL;
        def.influence_offsets = NULL;
        check_refused(&def, "dual skinning of a model without a skin");
    }
}

/* A refused pose leaves the old one, to the last bit, and lazily posed patches too. */
static void check_pose_refused(graze_body *body, const graze_pose *pose, graze_status wanted,
                               const char *what)
{
    float before[3 * VERTICES], after[3 * VERTICES];
    graze_error error = {.text = ""};
    bounds_seen seen = bounds_seen_start();
    graze_body_get_positions(body, before);
    graze_status status = graze_body_set_pose(body, pose, &error);
    CHECK_MSG(status == wanted && error.status == wanted && error.text[0], "%s: %s", what,
              graze_status_name(status));
    CHECK(graze_body_set_pose(body, pose, NULL) == wanted);
    graze_body_drop_caches(body);
    graze_body_get_positions(body, after);
    CHECK_MSG(memcmp(before, after, sizeof before) == 0, "%s: the old pose is gone", what);
    bounds_judge(body, true, what, &seen);
}

TEST(bad_poses_are_refused_and_leave_the_old_one)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e19f};
    OWN(deform_skin) skin = make_skin(5, MORPHS);
    for (uint32_t i = 0; i < 3 * BOUNDS_TREES; i++) {
        OWN(graze_model) *model = NULL;
        graze_model_def def = deform_skin_def(&skin, (graze_skinning)(i % 3));
        def.tree = bounds_tree(i / 3);
        OWN(graze_body) *body = make_body(&def, &model);
        float joints[12 * JOINTS], weights[MORPHS + 1] = {0.5f, -0.5f, 2, 0, 1, 0.1f, 1};
        float placement[12] = {1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0};
        graze_pose good, bad;
        make_pose(i, joints, &good);
        good.morph_weights = weights;
        good.morph_count = MORPHS;
        good.placement = placement;
        REQUIRE(graze_body_set_pose(body, &good, NULL) == GRAZE_OK);
        bad = good;
        bad.morph_count = MORPHS + 1;
        check_pose_refused(body, &bad, GRAZE_BAD_INPUT, "more weights than targets");
        bad.morph_count = MORPHS - 1;
        check_pose_refused(body, &bad, GRAZE_BAD_INPUT, "fewer weights than targets");
        bad = good;
        bad.joint_count = JOINTS - 1;
        check_pose_refused(body, &bad, GRAZE_BAD_INPUT, "too few joints");
        bad = good;
        bad.joints = NULL;
        check_pose_refused(body, &bad, GRAZE_BAD_INPUT, "no joints");
        bad = good;
        bad.layout = (graze_matrix_layout)9;
        check_pose_refused(body, &bad, GRAZE_BAD_INPUT, "an unknown layout");
        for (uint32_t k = 0; k < 4 * (MORPHS + 12 * 2); k++) {
            float *number = k / 4 < MORPHS        ? &weights[k / 4]
                            : k / 4 < MORPHS + 12 ? &joints[12 * (k % JOINTS) + k / 4 - MORPHS]
                                                  : &placement[k / 4 - MORPHS - 12];
            float old = *number;
            *number = odd[k % 4];
            if (k / 4 >= MORPHS || k % 4 < 3) /* a field of faint deltas may well take 1e19 */
                check_pose_refused(body, &good, GRAZE_BAD_INPUT, "a number that is none");
            *number = old;
        }
    }
}
