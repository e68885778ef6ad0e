/* Bounds of blended and morphed shapes under attack: poses that climb towards the least slack, and
 * named cases at the ends of the range.
 */
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"

#include <math.h>
#include <string.h>

static bounds_seen seen;

/* ---- climbing ----------------------------------------------------------------------------- */

/* A pose as numbers: 12 a joint, then the morph weights. */
enum { MAX_JOINTS = 8, MAX_MORPHS = 4, MAX_NUMBERS = 12 * MAX_JOINTS + MAX_MORPHS };

static double slack_of(graze_body *body, const float *numbers)
{
    uint32_t joints = body->model->mesh.joint_count;
    bounds_seen now = bounds_seen_start();
    graze_pose pose = {.joints = numbers,
                       .joint_count = joints,
                       .morph_weights = numbers + 12 * (size_t)joints,
                       .morph_count = body->model->mesh.morph_count};
    if (graze_body_set_pose(body, &pose, NULL))
        return INFINITY;
    bool ok = bounds_judge(body, false, "climbing", &now);
    bounds_seen_add(&seen, &now);
    return ok ? bounds_seen_least(&now) : -1;
}

/* Turns a joint a little or a lot, keeping it rigid; or moves it, or changes one number. */
static void mutate_joint(float *map, test_random *random)
{
    static const float origin[3] = {0, 0, 0};
    float turn[12], old[12];
    uint32_t dice = test_random_u32(random) % 6;
    memcpy(old, map, sizeof old);
    if (dice == 0)
        deform_pose_make((deform_pose_kind)(test_random_u32(random) % DEFORM_POSE_COUNT), origin, 1,
                         1, random, map);
    if (dice == 1)
        map[4 * (test_random_u32(random) % 3) + 3] *= (float)test_random_range(random, -2, 2);
    if (dice == 2)
        map[4 * (test_random_u32(random) % 3) + 3] = (float)test_random_range(random, -1, 1);
    if (dice == 3) {
        float *number = &map[test_random_u32(random) % 12];
        *number = nextafterf(*number, test_random_u32(random) % 2 ? INFINITY : -INFINITY);
    }
    if (dice < 4)
        return;
    deform_pose_make(dice == 4 ? DEFORM_NEAR : DEFORM_ALIKE, origin, 1, 1, random, turn);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            map[4 * i + k] =
                turn[4 * i] * old[k] + turn[4 * i + 1] * old[4 + k] + turn[4 * i + 2] * old[8 + k];
}

static bool climb(graze_body *body, const deform_skin *skin, uint32_t steps, test_random *random)
{
    float best[MAX_NUMBERS] = {0}, changed[MAX_NUMBERS];
    uint32_t joints = skin->mesh.def.joint_count;
    deform_pose_make((deform_pose_kind)(test_random_u32(random) % DEFORM_POSE_COUNT),
                     skin->mesh.centre, 1, joints, random, best);
    deform_weights_make(skin->morph_count, random, best + 12 * (size_t)joints);
    double least = slack_of(body, best);
    for (uint32_t step = 0; step < steps && least >= 0; step++) {
        memcpy(changed, best, sizeof changed);
        if (skin->morph_count && step % 4 == 3)
            deform_weights_make(skin->morph_count, random, changed + 12 * (size_t)joints);
        else
            mutate_joint(changed + 12 * (size_t)(test_random_u32(random) % joints), random);
        double slack = slack_of(body, changed);
        if (slack <= least) {
            least = slack;
            memcpy(best, changed, sizeof best);
        }
    }
    return least >= 0;
}

TEST(climbing_finds_no_way_out)
{
    uint32_t skins = test_amount(240, 12), steps = test_amount(2500, 300);
    seen = bounds_seen_start();
    for (uint32_t s = 0; s < skins; s++) {
        test_random random = test_random_seed(9000 + s);
        soup_def def = {.vertex_count = 3 + s % 5,
                        .triangle_count = 1 + s % 3,
                        .joint_count = 2 + s % 7,
                        .max_influences = 2 + s % 7,
                        .size = 1,
                        .offset = s % 4 == 3 ? 100 : 0,
                        .scattered = true,
                        .odd_weights = s % 7 == 2,
                        .equal_weights = s % 9 == 4};
        deform_skin skin = deform_skin_make(&def, s / 2 % 2 ? 1 + s % MAX_MORPHS : 0, &random);
        graze_model_def model_def = deform_skin_def(&skin, (graze_skinning)(1 + s % 2));
        graze_model *model = NULL;
        graze_body *body = NULL;
        model_def.tree = bounds_tree(s / 4 % BOUNDS_TREES);
        bool ok = graze_model_create(&model_def, &model, NULL) == GRAZE_OK &&
                  graze_body_create(model, &body, NULL) == GRAZE_OK &&
                  climb(body, &skin, steps, &random);
        graze_body_destroy(body);
        graze_model_destroy(model);
        deform_skin_free(&skin);
        CHECK_MSG(ok, "skin %u", s);
    }
    bounds_seen_print("climbing", &seen);
}

/* ---- the ends of the range ---------------------------------------------------------------- */

static soup_def small_def(bool flat, double size)
{
    return (soup_def){.vertex_count = 40,
                      .triangle_count = 40,
                      .joint_count = 9,
                      .max_influences = 8,
                      .size = size,
                      .flat = flat,
                      .scattered = true};
}

typedef void (*case_fn)(float *joints, float placement[12], test_random *random);

static void check_case(const char *name, case_fn make, bool flat, double size, graze_status wanted)
{
    static const float origin[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 3 * BOUNDS_TREES; i++)
        for (uint32_t p = 0; p < 20; p++) {
            test_random random = test_random_seed(300 + p);
            soup_def def = small_def(flat, size);
            deform_skin skin = deform_skin_make(&def, 0, &random);
            graze_model_def model_def = deform_skin_def(&skin, (graze_skinning)(i % 3));
            graze_model *model = NULL;
            graze_body *body = NULL;
            float joints[12 * 9], placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
            model_def.tree = bounds_tree(i / 3);
            REQUIRE(graze_model_create(&model_def, &model, NULL) == GRAZE_OK);
            REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
            deform_pose_make(DEFORM_RANDOM, origin, size, 9, &random, joints);
            make(joints, placement, &random);
            graze_pose pose = {
                .joints = joints, .joint_count = 9, .placement = p % 2 ? placement : NULL};
            graze_status status = graze_body_set_pose(body, &pose, NULL);
            bool ok = test_check(wanted == GRAZE_OK || p % 2 == 0 || status == wanted, __FILE__,
                                 __LINE__, "%s: %s: %s", name, skinning_name(model_def.skinning),
                                 graze_status_name(status));
            ok = (status || bounds_judge(body, true, name, &seen)) && ok;
            graze_body_destroy(body);
            graze_model_destroy(model);
            deform_skin_free(&skin);
            if (!ok)
                break;
        }
}

static void move_far(float *joints, float placement[12], test_random *random)
{
    (void)placement;
    for (uint32_t j = 0; j < 9; j++)
        for (int i = 0; i < 3; i++)
            joints[12 * j + 4 * (uint32_t)i + 3] = (float)test_random_range(random, -3e17, 3e17);
}

static void move_far_alike(float *joints, float placement[12], test_random *random)
{
    static const float origin[3] = {0, 0, 0};
    deform_pose_make(DEFORM_NEAR, origin, 1, 9, random, joints);
    move_far(joints, placement, random);
}

/* The mesh is flat, so that no vertex sees the third column. */
static void stretch_unseen(float *joints, float placement[12], test_random *random)
{
    static const float origin[3] = {0, 0, 0};
    (void)placement;
    deform_pose_make(DEFORM_NEAR, origin, 1, 9, random, joints);
    for (uint32_t j = 0; j < 9; j++)
        joints[12 * j + 10] = 1e17f;
}

static void place_unseen(float *joints, float placement[12], test_random *random)
{
    static const float still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    (void)random;
    for (uint32_t j = 0; j < 9; j++)
        memcpy(joints + 12 * (size_t)j, still, sizeof still);
    placement[2] = 1e20f;
}

static void shrink(float *joints, float placement[12], test_random *random)
{
    (void)random;
    for (uint32_t i = 0; i < 12 * 9; i++)
        joints[i] *= 1e-30f;
    placement[0] = placement[5] = placement[10] = 1e-12f;
}

TEST(the_ends_of_the_range_stay_in_their_bounds)
{
    seen = bounds_seen_start();
    check_case("moved by 3e17", move_far, false, 1, GRAZE_OK);
    check_case("moved by 3e17, almost alike", move_far_alike, false, 1, GRAZE_OK);
    check_case("unseen stretch of 1e17", stretch_unseen, true, 1, GRAZE_OK);
    check_case("unseen stretch of 1e17 at size 1e12", stretch_unseen, true, 1e12, GRAZE_OK);
    check_case("unseen placement of 1e20", place_unseen, true, 1, GRAZE_BAD_INPUT);
    check_case("shrunk to nothing", shrink, false, 1, GRAZE_OK);
    check_case("shrunk to nothing from 1e-10", shrink, false, 1e-10, GRAZE_OK);
    bounds_seen_print("the ends of the range", &seen);
}

/* Hundreds of joints on a vertex, whose quaternions all but cancel: the blend takes it far beyond
 * where any of them would, up to |t| over the largest weight.
 */
enum { CROWD = 301 };

static graze_body *make_crowd(graze_skinning kind, uint32_t tree, graze_model **model)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t triangle[3] = {0, 1, 2};
    uint32_t offsets[4];
    graze_influence influences[3 * CROWD];
    graze_model_def def = {0};
    graze_body *body = NULL;
    for (uint32_t i = 0; i < 3 * CROWD; i++)
        influences[i] = (graze_influence){i % CROWD, i % CROWD ? 1 : 1.01f};
    for (uint32_t v = 0; v < 4; v++)
        offsets[v] = v * CROWD;
    def.positions = positions;
    def.vertex_count = 3;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = CROWD;
    def.influence_offsets = offsets;
    def.influences = influences;
    def.skinning = kind;
    def.tree = bounds_tree(tree);
    CHECK(graze_model_create(&def, model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(*model, &body, NULL) == GRAZE_OK);
    return body;
}

TEST(crowds_of_joints_stay_in_their_bounds)
{
    seen = bounds_seen_start();
    for (uint32_t i = 0; i < 2 * BOUNDS_TREES; i++) {
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = make_crowd((graze_skinning)(1 + i % 2), i / 2, &model);
        static const double fars[] = {1, 1e5, 1e10, 3e15, 9.9e15, 3e17};
        for (size_t f = 0; f < sizeof fars / sizeof *fars; f++) {
            double far = fars[f];
            float joints[12 * CROWD] = {0};
            for (uint32_t j = 0; j < CROWD; j++) {
                /* About x, by just less than half a turn one way or the other. */
                double angle = j == 0 ? 0 : j % 2 ? 3.14 : -3.14;
                float *m = joints + 12 * (size_t)j;
                m[0] = 1;
                m[5] = m[10] = (float)cos(angle);
                m[6] = (float)-sin(angle);
                m[9] = (float)sin(angle);
                m[7] = (float)(j == 0 ? 0 : j % 2 ? far : -far);
            }
            static const float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
            graze_pose pose = {.joints = joints, .joint_count = CROWD};
            if (f % 2)
                pose.placement = placement;
            if (graze_body_set_pose(body, &pose, NULL) == GRAZE_OK)
                bounds_judge(body, true, "crowd", &seen);
        }
    }
    bounds_seen_print("crowds", &seen);
}

/* ---- caps of more than a quarter turn ----------------------------------------------------- */

/* Three joints turned about x, y and z; vertices near one place, one almost wholly on each joint
 * and one on all. For 150 degrees lemma 5 of the 2006 paper, as printed, gives a ball that leaves
 * the last one outside.
 */
TEST(wide_caps_stay_in_their_bounds)
{
    static const uint32_t triangles[12] = {0, 1, 2, 1, 2, 3, 0, 3, 2, 3, 1, 0};
    static const uint32_t offsets[5] = {0, 3, 6, 9, 12};
    graze_influence influences[12];
    seen = bounds_seen_start();
    for (uint32_t i = 0; i < 12; i++)
        influences[i] = (graze_influence){i % 3, i >= 9 ? 1 : i % 3 == i / 3 ? 0.98f : 0.01f};
    for (uint32_t n = 0; n < 300; n++) {
        test_random random = test_random_seed(n);
        float positions[12], joints[36] = {0}, place[3];
        double angle = n % 3 ? test_random_range(&random, 1, 3.1) : 150 * 3.14159265358979 / 180;
        for (int k = 0; k < 3; k++)
            place[k] = (float)test_random_range(&random, -1, 1);
        for (int k = 0; k < 12; k++)
            positions[k] = place[k % 3] + (float)test_random_range(&random, -1e-3, 1e-3);
        for (int j = 0; j < 3; j++) {
            float *m = joints + 12 * j;
            int a = (j + 1) % 3, b = (j + 2) % 3;
            m[5 * j] = 1;
            m[5 * a] = m[5 * b] = (float)cos(angle);
            m[4 * a + b] = (float)-sin(angle);
            m[4 * b + a] = (float)sin(angle);
        }
        for (uint32_t i = 0; i < 2 * BOUNDS_TREES; i++) {
            graze_model_def def = {0};
            OWN(graze_model) *model = NULL;
            OWN(graze_body) *body = NULL;
            def.positions = positions;
            def.vertex_count = 4;
            def.triangles = triangles;
            def.triangle_count = 4;
            def.joint_count = 3;
            def.influence_offsets = offsets;
            def.influences = influences;
            def.skinning = (graze_skinning)(1 + i % 2);
            def.tree = bounds_tree(i / 2);
            REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
            REQUIRE(graze_body_create(model, &body, NULL) == GRAZE_OK);
            graze_pose pose = {.joints = joints, .joint_count = 3};
            CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
            bounds_judge(body, true, "wide cap", &seen);
        }
    }
    bounds_seen_print("wide caps", &seen);
}
