/* Posed vertices against the formulas, computed a second time in double; and what the deformers
 * have in common. An error is counted in 2^-24 of the magnitudes that enter (see
 * deform_reference.h), and a few are allowed.
 */
#include "body/patches.h"
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/deform_reference.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Allowed errors. */
static const double few = 8;

typedef struct tally {
    uint64_t vertices, ambiguous;
    double worst[3];
    double split; /* from the nearest rotations, in radians */
} tally;

static void print_tally(const char *what, const tally *seen)
{
    printf("     %s: %llu vertices (%llu more ambiguous); worst error: linear %.2f, spherical "
           "%.2f, dual %.2f units\n",
           what, (unsigned long long)seen->vertices, (unsigned long long)seen->ambiguous,
           seen->worst[0], seen->worst[1], seen->worst[2]);
}

/* Compares every step-th vertex of a posed body. */
static bool compare(graze_body *body, deform_reference *reference, const graze_pose *pose,
                    uint32_t step, const char *name, tally *seen)
{
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    OWNED float *positions = malloc(3 * sizeof *positions * info.vertex_count);
    bool ok = positions != NULL;
    graze_body_get_positions(body, positions);
    const float(*rotations)[4] = (const float(*)[4])grazei_body_whole_joints(body)->rotations;
    deform_reference_pose(reference, pose, rotations);
    if (rotations)
        seen->split = fmax(seen->split, deform_reference_split_error(reference, rotations));
    for (uint32_t v = 0; ok && v < info.vertex_count; v += step) {
        deform_posed posed = deform_reference_vertex(reference, v);
        seen->ambiguous += posed.ambiguous;
        seen->vertices += !posed.ambiguous;
        for (int k = 0; ok && !posed.ambiguous && k < 3; k++) {
            double error = fabs(positions[3 * (size_t)v + (size_t)k] - posed.at[k]);
            double units = error / (posed.magnitude[k] * 0x1p-24 + 1e-36);
            seen->worst[info.skinning] = fmax(seen->worst[info.skinning], units);
            ok = test_check(units <= few, __FILE__, __LINE__,
                            "%s: %s: vertex %u, axis %d: %.9g, not %.9g: %g units", name,
                            skinning_name(info.skinning), v, k,
                            (double)positions[3 * (size_t)v + (size_t)k], posed.at[k], units);
        }
    }
    return ok;
}

static graze_body *make_body(graze_model_def def, graze_model **model)
{
    graze_body *body = NULL;
    graze_error error = {.text = ""};
    CHECK_MSG(graze_model_create(&def, model, &error) == GRAZE_OK &&
                  graze_body_create(*model, &body, &error) == GRAZE_OK,
              "%s", error.text);
    return body;
}

/* ---- random skins ------------------------------------------------------------------------- */

static soup_def random_def(uint32_t number, test_random *random)
{
    return (soup_def){.vertex_count = 3 + test_random_u32(random) % 60,
                      .triangle_count = 1 + test_random_u32(random) % 20,
                      .joint_count = 1 + number % 12,
                      .max_influences = 1 + test_random_u32(random) % 8,
                      .size = pow(10, test_random_range(random, -1, 1)),
                      .scattered = number % 2 == 1,
                      .odd_weights = number % 3 == 1,
                      .equal_weights = number % 6 == 5};
}

/* One skin in all kinds, through poses of every kind; scaled ones count apart. */
static bool check_skin(const deform_skin *skin, test_random *random, uint32_t number, tally seen[2])
{
    float joints[12 * 12], weights[8], placement[12];
    bool ok = true;
    for (int kind = 0; ok && kind < 3; kind++) {
        graze_model_def def = deform_skin_def(skin, (graze_skinning)kind);
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = make_body(def, &model);
        deform_reference *reference = deform_reference_make(&def);
        for (uint32_t p = 0; ok && body && p < 3 * DEFORM_POSE_COUNT; p++) {
            char name[64];
            bool split = p % DEFORM_POSE_COUNT >= DEFORM_RIGID_COUNT;
            deform_pose_make((deform_pose_kind)(p % DEFORM_POSE_COUNT), skin->mesh.centre,
                             skin->mesh.def.size, def.joint_count, random, joints);
            deform_weights_make(skin->morph_count, random, weights);
            graze_pose pose = {.joints = joints,
                               .joint_count = def.joint_count,
                               .morph_weights = weights,
                               .morph_count = skin->morph_count};
            if (deform_placement_make(1, random, placement))
                pose.placement = placement;
            snprintf(name, sizeof name, "skin %u, pose %u", number, p);
            ok = graze_body_set_pose(body, &pose, NULL) ||
                 compare(body, reference, &pose, 1, name, &seen[split]);
        }
        deform_reference_free(reference);
    }
    return ok;
}

TEST(random_skins_follow_the_formulas)
{
    tally seen[2] = {{0}, {0}};
    uint32_t skins = test_amount(120, 12);
    for (uint32_t s = 0; s < skins; s++) {
        test_random random = test_random_seed(500 + s);
        soup_def def = random_def(s, &random);
        OWN(deform_skin) skin = deform_skin_make(&def, s % 3 * 4 * (s % 2), &random);
        CHECK(check_skin(&skin, &random, s, seen));
    }
    print_tally("rigid joints", &seen[0]);
    print_tally("scaled joints", &seen[1]);
    printf("     scaled joints: split within %.3g radians of the nearest rotation\n",
           seen[1].split);
    CHECK(seen[0].ambiguous < seen[0].vertices / 4);
    CHECK(seen[1].split < 0.1);
}

/* ---- characters --------------------------------------------------------------------------- */

static bool check_rig(const test_rig *test, graze_skinning kind, tally *seen)
{
    const graze_rig *rig = test->rig;
    graze_model_def def = test_rig_def(rig);
    OWN(graze_model) *model = NULL;
    def.skinning = kind;
    OWN(graze_body) *body = make_body(def, &model);
    deform_reference *reference = deform_reference_make(&def);
    uint32_t clips = rig->clip_count ? rig->clip_count : 1, frames = test_amount(3, 1);
    uint32_t step = 1 + rig->vertex_count / test_amount(2000, 200);
    bool ok = body != NULL;
    for (uint32_t f = 0; ok && f < clips * frames; f++) {
        uint32_t clip = rig->clip_count ? f / frames : GRAZE_NONE;
        double seconds = rig->clip_count ? (double)rig->clips[clip].seconds : 0;
        graze_pose pose = test_rig_pose(rig, clip, seconds * (f % frames + 0.3) / frames);
        ok = test_check(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK, __FILE__, __LINE__,
                        "%s: pose refused", test->name) &&
             compare(body, reference, &pose, step, test->name, seen);
    }
    deform_reference_free(reference);
    return ok;
}

TEST(characters_follow_the_formulas)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    tally seen = {0};
    for (uint32_t r = 0; r < count; r++)
        for (int kind = 0; kind < 3; kind++)
            if (!test_is_quick() || rigs[r].rig->vertex_count < 3000)
                check_rig(&rigs[r], (graze_skinning)kind, &seen);
    print_tally("characters", &seen);
}

/* ---- what they have in common ------------------------------------------------------------- */

/* The largest difference of two bodies' positions, in units of size. */
static double difference(graze_body *a, graze_body *b, uint32_t vertex_count, double size)
{
    OWNED float *x = malloc(3 * sizeof *x * vertex_count);
    OWNED float *y = malloc(3 * sizeof *y * vertex_count);
    double most = 0;
    if (!x || !y)
        abort();
    graze_body_get_positions(a, x);
    graze_body_get_positions(b, y);
    for (uint32_t i = 0; i < 3 * vertex_count; i++)
        most = fmax(most, fabs((double)x[i] - y[i]) / (size * 0x1p-24));
    return most;
}

/* Linear and another skinning of the same skin in the same poses; alike: all joints the same. */
static double compare_with_linear(const soup_def *def, graze_skinning kind, bool alike,
                                  test_random *random)
{
    deform_skin skin = deform_skin_make(def, 2, random);
    graze_model *models[2] = {NULL, NULL};
    graze_body *bodies[2] = {make_body(deform_skin_def(&skin, GRAZE_LINEAR), &models[0]),
                             make_body(deform_skin_def(&skin, kind), &models[1])};
    float joints[12 * 8], weights[2] = {0.7f, -0.4f};
    double most = 0;
    for (uint32_t p = 0; p < 4 * DEFORM_POSE_COUNT; p++) {
        deform_pose_kind pose_kind = (deform_pose_kind)(p % DEFORM_POSE_COUNT);
        if (alike && pose_kind == DEFORM_ALMOST)
            continue; /* what is almost rigid is made so before it is blended */
        deform_pose_make(pose_kind, skin.mesh.centre, 1, 8, random, joints);
        for (uint32_t j = 1; alike && j < 8; j++)
            memcpy(joints + 12 * (size_t)j, joints, 12 * sizeof *joints);
        double size = 1;
        for (int i = 0; i < 12 * 8; i++)
            size = fmax(size, 4 * fabs((double)joints[i]));
        graze_pose pose = {
            .joints = joints, .joint_count = 8, .morph_weights = weights, .morph_count = 2};
        CHECK(graze_body_set_pose(bodies[0], &pose, NULL) == GRAZE_OK);
        CHECK(graze_body_set_pose(bodies[1], &pose, NULL) == GRAZE_OK);
        most = fmax(most, difference(bodies[0], bodies[1], def->vertex_count, size));
    }
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
    deform_skin_free(&skin);
    return most;
}

TEST(one_joint_a_vertex_is_the_same_in_every_skinning)
{
    soup_def def = {
        .vertex_count = 50, .triangle_count = 50, .joint_count = 8, .max_influences = 1, .size = 1};
    test_random random = test_random_seed(21);
    CHECK(compare_with_linear(&def, GRAZE_SPHERICAL, false, &random) == 0);
    CHECK(compare_with_linear(&def, GRAZE_DUAL, false, &random) == 0);
}

TEST(joints_alike_are_the_same_in_every_skinning)
{
    soup_def def = {
        .vertex_count = 50, .triangle_count = 50, .joint_count = 8, .max_influences = 8, .size = 1};
    test_random random = test_random_seed(22);
    double spherical = compare_with_linear(&def, GRAZE_SPHERICAL, true, &random);
    double dual = compare_with_linear(&def, GRAZE_DUAL, true, &random);
    printf("     joints alike: spherical %.2f, dual %.2f units from linear\n", spherical, dual);
    CHECK_MSG(spherical <= 32, "%g units", spherical);
    CHECK_MSG(dual <= 32, "%g units", dual);
}

/* Vertices on one joint only, beside others that blend the same joints. */
TEST(single_vertices_of_blending_joints_follow_their_matrix)
{
    static const float positions[12] = {0, 0, 0, 1, 0.2f, 0, 0.1f, 1, 0.3f, 0.5f, 0.5f, 0.5f};
    static const uint32_t triangles[6] = {0, 1, 2, 1, 2, 3}, offsets[5] = {0, 1, 2, 3, 5};
    static const graze_influence influences[5] = {{0, 1}, {0, 1}, {1, 1}, {0, 0.5f}, {1, 0.5f}};
    test_random random = test_random_seed(23);
    double worst[2][3] = {{0}};
    for (int kind = 0; kind < 3; kind++) {
        graze_model_def def = {0};
        OWN(graze_model) *model = NULL;
        def.positions = positions;
        def.vertex_count = 4;
        def.triangles = triangles;
        def.triangle_count = def.joint_count = 2;
        def.influence_offsets = offsets;
        def.influences = influences;
        def.skinning = (graze_skinning)kind;
        OWN(graze_body) *body = make_body(def, &model);
        for (uint32_t p = 0; p < 30 * DEFORM_POSE_COUNT; p++) {
            float joints[24], posed[12];
            static const float origin[3] = {0, 0, 0};
            deform_pose_make((deform_pose_kind)(p % DEFORM_POSE_COUNT), origin, 1, 2, &random,
                             joints);
            for (int i = 0; p % 2 && i < 24; i++) /* a little off, but still nearly rigid */
                joints[i] *= (float)(1 + (i % 4 == 3 ? 0 : 3e-5 * test_random_unit(&random)));
            graze_pose pose = {.joints = joints, .joint_count = 2};
            REQUIRE(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
            graze_body_get_positions(body, posed);
            for (uint32_t v = 0; v < 3; v++) {
                const float *m = joints + (v == 2 ? 12 : 0), *x = positions + 3 * (size_t)v;
                for (int i = 0; i < 3; i++, m += 4) {
                    double wanted =
                        (double)m[0] * x[0] + (double)m[1] * x[1] + (double)m[2] * x[2] + m[3];
                    double size = fabs(m[0]) + fabs(m[1]) + fabs(m[2]) + fabs(m[3]) + 1;
                    double units = fabs(posed[3 * v + (uint32_t)i] - wanted) / size * 0x1p24;
                    worst[p % 2][kind] = fmax(worst[p % 2][kind], units);
                }
            }
        }
    }
    for (int kind = 0; kind < 3; kind++) {
        printf("     one joint, %s: %.2f units from the matrix, %.1f where it is not quite rigid\n",
               skinning_name((graze_skinning)kind), worst[0][kind], worst[1][kind]);
        CHECK(worst[0][kind] <= few);
        CHECK(worst[1][kind] <= few);
    }
}
