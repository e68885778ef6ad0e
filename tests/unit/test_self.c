/* Self-collision: lazy == eager == brute force == plain testing, on every tree and instruction set,
 * with and without a table of folds, for characters over their clips and for random meshes in every
 * kind of pose.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/self_judge.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const graze_skinning skinnings[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};

/* The default tree with a table of folds; others by lot, the first of them without. */
static bool make(variants *v, graze_model_def def, test_random *random)
{
    bool ok = true;
    *v = (variants){0};
    for (uint32_t i = 0; ok && i < 5; i++) {
        uint32_t tree = i < 1 ? 0 : test_random_u32(random) % agreement_tree_count();
        def.tree = agreement_tree(tree);
        def.isa = variants_isa(test_random_u32(random));
        def.no_self_collision = i == 1;
        ok = variants_add(v, &def);
    }
    return ok;
}

/* False, without a failure, if the pose is refused. */
static bool agree(variants *v, const graze_model_def *def, const graze_pose *pose, bool brute,
                  const char *name, self_tally *seen, bool *ok)
{
    OWN(pair_set) expected = {0};
    if (!variants_pose(v, pose, name))
        return false;
    self_expect(v->bodies[0], def, &expected);
    for (uint32_t i = 0; i < v->count && *ok; i++)
        *ok = self_agree(v->bodies[i], &expected, brute && i == 0, name, seen);
    return true;
}

/* ---- random meshes ------------------------------------------------------------------------ */

static deform_skin random_skin(uint32_t number, test_random *random)
{
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % (number % 4 ? 120 : 400),
                    .triangle_count = 1 + test_random_u32(random) % (number % 4 ? 120 : 400),
                    .joint_count = 1 + test_random_u32(random) % (number % 2 ? 3 : 30),
                    .max_influences = 1 + test_random_u32(random) % (number % 3 ? 4 : 1),
                    .size = 1,
                    .offset = number % 7 == 3 ? 1000 : 0,
                    .flat = number % 9 == 8,
                    .lattice = number % 5 == 0,
                    .scattered = number % 6 == 1,
                    .odd_weights = number % 5 == 2,
                    .equal_weights = number % 4 == 0};
    if (def.lattice)
        def.size = 8;
    return deform_skin_make(&def, number % 3 ? 0 : 3, random);
}

static void random_maps(const deform_skin *skin, bool linear, test_random *random, float *joints)
{
    const soup *mesh = &skin->mesh;
    uint32_t kind = test_random_u32(random);
    if (mesh->def.lattice && kind % 2)
        pose_make(MAP_LATTICE, mesh, random, joints);
    else if (linear && kind % 4 < 2)
        pose_make((map_kind)(kind / 4 % MAP_KIND_COUNT), mesh, random, joints);
    else
        deform_pose_make((deform_pose_kind)(kind / 4 % DEFORM_POSE_COUNT), mesh->centre,
                         mesh->def.size, mesh->def.joint_count, random, joints);
    if (kind >> 16 & 1) /* all joints alike: not a soup */
        for (uint32_t j = 1; j < mesh->def.joint_count; j++)
            memcpy(joints + 12 * (size_t)j, joints, 12 * sizeof *joints);
}

static bool check_skin(const deform_skin *skin, graze_skinning kind, uint32_t poses,
                       test_random *random, const char *name, self_tally *seen, uint64_t *refused)
{
    OWN(variants) v = {0};
    graze_model_def def = deform_skin_def(skin, kind);
    OWNED float *joints = malloc(12 * sizeof(float) * skin->mesh.def.joint_count);
    float placement[12];
    float weights[8];
    bool ok = make(&v, def, random);
    for (uint32_t p = 0; ok && p < poses; p++) {
        random_maps(skin, kind == GRAZE_LINEAR, random, joints);
        deform_weights_make(skin->morph_count, random, weights);
        bool placed = deform_placement_make(skin->mesh.def.size, random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = skin->mesh.def.joint_count,
                           .morph_weights = skin->morph_count && p % 2 ? weights : NULL,
                           .morph_count = skin->morph_count,
                           .placement = placed && p % 3 ? placement : NULL};
        *refused += !agree(&v, &def, &pose, true, name, seen, &ok);
    }
    return ok;
}

TEST(random_meshes_agree)
{
    self_tally seen = {0};
    uint64_t refused = 0;
    uint32_t count = test_amount(60, 15);
    for (uint32_t m = 0; m < count; m++) {
        char name[64];
        test_random random = test_random_seed(9000 + m);
        deform_skin skin = random_skin(m, &random);
        snprintf(name, sizeof name, "random mesh %u", m);
        bool ok =
            check_skin(&skin, skinnings[m % 3], test_amount(4, 2), &random, name, &seen, &refused);
        deform_skin_free(&skin);
        if (!ok)
            break;
    }
    self_tally_print("random meshes", &seen);
    CHECK(10 * seen.hits > seen.poses && seen.rest_pairs > 0);
    CHECK(4 * refused < seen.poses);
}

/* ---- scale -------------------------------------------------------------------------------- */

/* A lattice mesh scaled by a power of two keeps every coordinate exact, so the pairs stay the same
 * down to the last denormal and up to the largest coordinates: scaled at rest, or by the pose.
 */
TEST(pairs_do_not_depend_on_scale)
{
    static const int exponents[] = {-1, -10, -20, -30, -40, -60, -70, -80, -120, -140, 20, 40};
    self_tally seen = {0};
    OWN(pair_set) expected = {0};
    test_random random = test_random_seed(5);
    soup_def shape = {.vertex_count = 300,
                      .triangle_count = 300,
                      .joint_count = 1,
                      .max_influences = 1,
                      .size = 8,
                      .lattice = true};
    OWN(soup) mesh = soup_make(&shape, &random);
    OWNED float *scaled = malloc(3 * sizeof(float) * shape.vertex_count);
    for (size_t i = 0; i < 2 * sizeof exponents / sizeof *exponents; i++) {
        int exponent = exponents[i / 2];
        if (exponent < -60 && test_flushes_denormals())
            continue;
        graze_model_def def = soup_model_def(&mesh);
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        float scale = ldexpf(1, i % 2 ? exponent : 0);
        /* Flattened too: what a small map does to its third axis must not be lost. */
        float joint[12] = {scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, i % 4 < 2 ? scale : 0, 0};
        for (size_t k = 0; k < 3 * (size_t)shape.vertex_count; k++)
            scaled[k] = ldexpf(mesh.positions[k], i % 2 ? 0 : exponent);
        def.positions = scaled;
        graze_pose pose = {.joints = joint, .joint_count = 1};
        CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
        CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
        CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
        self_expect(body, &def, &expected);
        CHECK(expected.count > 100);
        self_agree(body, &expected, true, "scaled", &seen);
    }
    self_tally_print("scales", &seen);
}

/* ---- characters --------------------------------------------------------------------------- */

static bool check_frame(variants *v, const graze_model_def *def, const test_rig *rig, uint32_t clip,
                        double time, self_tally *seen)
{
    const graze_rig *r = rig->rig;
    graze_pose pose = test_rig_pose(r, clip, time);
    bool ok = true;
    return test_check(agree(v, def, &pose, r->triangle_count < 1300, rig->name, seen, &ok),
                      __FILE__, __LINE__, "%s: pose refused", rig->name) &&
           ok;
}

static void check_rig(const test_rig *rig, graze_skinning skinning, test_random *random,
                      self_tally *seen)
{
    const graze_rig *r = rig->rig;
    OWN(variants) v = {0};
    graze_model_def def = test_rig_def(r);
    def.skinning = skinning;
    bool ok = make(&v, def, random);
    uint32_t frames = test_amount(r->triangle_count > 3000 || r->clip_count > 4 ? 1 : 3, 1);
    ok = ok && check_frame(&v, &def, rig, GRAZE_NONE, 0, seen);
    for (uint32_t c = 0; ok && c < r->clip_count; c += skinning == GRAZE_LINEAR ? 2 : 6)
        for (uint32_t f = 0; ok && f < frames; f++)
            ok = check_frame(&v, &def, rig, c, (f + 0.3) / frames * (double)r->clips[c].seconds,
                             seen);
}

TEST(characters_agree)
{
    self_tally seen = {0};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(4);
    for (uint32_t i = 0; i < count; i++)
        for (int s = 0; s < 3; s++)
            if (!test_is_quick() ? s == 0 || rigs[i].rig->triangle_count < 9000
                                 : (int)i % 3 == s && rigs[i].rig->triangle_count < 1500)
                check_rig(&rigs[i], skinnings[s], &random, &seen);
    self_tally_print("characters", &seen);
    CHECK(seen.hits > 0 && seen.rest_pairs < seen.pairs);
}

/* ---- work --------------------------------------------------------------------------------- */

static bool ignore(void *user, const graze_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return true;
}

/* What is looked at does not depend on the instruction set, with a table of folds, where only some
 * of the way through the tree is walked, nor without.
 */
TEST(work_is_the_same_with_every_instruction_set)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++) {
        const graze_rig *rig = rigs[i].rig;
        graze_model_def def = test_rig_def(rig);
        graze_pose pose = test_rig_pose(rig, rig->clip_count ? 0 : GRAZE_NONE, 0.3);
        graze_stats stats[6] = {{0}};
        OWN(variants) v = {0};
        bool ok = true;
        for (uint32_t k = 0; ok && k < 6; k++) {
            def.isa = variants_isa(k / 2);
            def.no_self_collision = !(k % 2);
            ok = variants_add(&v, &def);
        }
        ok = ok && variants_pose(&v, &pose, rigs[i].name);
        for (uint32_t k = 0; ok && k < 6; k++) {
            CHECK(!graze_self_pairs(v.bodies[k], NULL, &(graze_pair_list){.report = ignore},
                                    &(graze_options){.stats = &stats[k]}, NULL));
            CHECK_MSG(!memcmp(&stats[k], &stats[k % 2], sizeof *stats), "%s: %u", rigs[i].name, k);
        }
    }
}

/* ---- bad input ---------------------------------------------------------------------------- */

TEST(bad_questions_are_refused)
{
    uint32_t count;
    graze_model_def def = graze_rig_model_def(test_rigs(&count)[0].rig);
    graze_model *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    pair_set found = {0};
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(model, &body, NULL) == GRAZE_OK);
    CHECK(graze_self_pairs(NULL, NULL, TO_PAIR_SET(&found), NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body is NULL"));
    graze_model_destroy(model);
    CHECK(found.calls == 0);
}
