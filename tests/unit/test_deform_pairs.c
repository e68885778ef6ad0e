/* lazy == eager == brute force for every way to deform, and between bodies of different kinds:
 * spherical against morphing, dual against linear, morphing against rigid, in every tree and on
 * every instruction set.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/agreement.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIANTS = 4 };

static bool sides_agree(const variants *a, const variants *b, const char *name, agreement *seen)
{
    pair_set expected = {0};
    bool ok = true;
    agreement_expect(a->bodies[0], b->bodies[0], &expected);
    for (uint32_t i = 0; ok && i < VARIANTS; i++)
        ok =
            agreement_check(a->bodies[i], b->bodies[(i + i / 2) % VARIANTS], &expected, name, seen);
    pair_set_free(&expected);
    return ok;
}

/* ---- random skins ------------------------------------------------------------------------- */

/* What a side of a pair is made of: six kinds of bodies, so that all 36 pairs come up. */
static deform_skin side_make(uint32_t number, test_random *random, graze_model_def *def)
{
    soup_def mesh = {.vertex_count = 20 + test_random_u32(random) % 120,
                     .triangle_count = 20 + test_random_u32(random) % 120,
                     .joint_count = number == 5 ? 1 : 1 + test_random_u32(random) % 12,
                     .max_influences = number == 5 ? 1 : 1 + test_random_u32(random) % 8,
                     .size = 1,
                     .lattice = test_random_u32(random) % 3 == 0,
                     .scattered = test_random_u32(random) % 4 == 0};
    uint32_t morphs = number >= 2 && number <= 4 ? 1 + test_random_u32(random) % 6 : 0;
    graze_skinning kind = number == 0 || number == 2   ? GRAZE_SPHERICAL
                          : number == 1 || number == 3 ? GRAZE_DUAL
                                                       : GRAZE_LINEAR;
    deform_skin skin = deform_skin_make(&mesh, morphs, random);
    *def = deform_skin_def(&skin, kind);
    return skin;
}

static bool side_pose(variants *v, const deform_skin *skin, uint32_t number, const char *name,
                      test_random *random)
{
    float joints[12 * 12], weights[6], placement[12];
    deform_pose_kind kind = (deform_pose_kind)(test_random_u32(random) % DEFORM_POSE_COUNT);
    if (kind == DEFORM_FAR || number % 2)
        kind = skin->mesh.def.lattice ? DEFORM_LATTICE : DEFORM_NEAR;
    deform_pose_make(kind, skin->mesh.centre, 1, skin->mesh.def.joint_count, random, joints);
    deform_weights_make(skin->morph_count, random, weights);
    for (uint32_t m = 0; m < skin->morph_count; m++) /* so that they stay near each other */
        weights[m] = fminf(fmaxf(weights[m], -3), 3);
    map_make(skin->mesh.def.lattice ? MAP_LATTICE : MAP_NEAR, skin->mesh.centre, 1, random,
             placement);
    graze_pose pose = {.joints = joints,
                       .joint_count = skin->mesh.def.joint_count,
                       .placement = test_random_u32(random) % 2 ? placement : NULL,
                       .morph_weights = weights,
                       .morph_count = skin->morph_count};
    return test_check(variants_pose(v, &pose, name), __FILE__, __LINE__, "%s: no pose", name);
}

TEST(random_bodies_of_all_kinds_agree)
{
    agreement seen = {0};
    uint32_t count = test_amount(36 * 4, 36);
    for (uint32_t m = 0; m < count; m++) {
        char name[64];
        test_random random = test_random_seed(40 + m);
        variants sides[2];
        deform_skin skins[2];
        bool ok = true;
        for (int side = 0; side < 2; side++) {
            graze_model_def def;
            skins[side] = side_make((side ? m / 6 : m) % 6, &random, &def);
            ok = variants_make(&sides[side], def, VARIANTS, &random) && ok;
        }
        snprintf(name, sizeof name, "pair %u", m);
        for (uint32_t p = 0; ok && p < 4; p++)
            ok = side_pose(&sides[0], &skins[0], p, name, &random) &&
                 side_pose(&sides[1], &skins[1], p, name, &random) &&
                 sides_agree(&sides[0], &sides[1], name, &seen);
        for (int side = 0; side < 2; side++) {
            variants_free(&sides[side]);
            deform_skin_free(&skins[side]);
        }
        REQUIRE(ok);
    }
    agreement_print("bodies of all kinds", &seen);
    CHECK(10 * seen.hits > seen.scenes);
}

/* ---- characters --------------------------------------------------------------------------- */

typedef struct player {
    variants variants;
    const graze_rig *rig;
    double middle[3], size;
} player;

static bool player_make(player *p, const graze_rig *rig, graze_skinning kind, test_random *random)
{
    graze_model_def def = test_rig_def(rig);
    *p = (player){.rig = rig};
    def.skinning = kind;
    return variants_make(&p->variants, def, VARIANTS, random);
}

/* Poses at a part of a clip; where is NULL: as it stands, else with the middle there. */
static bool player_pose(player *p, uint32_t frame, const double *where, double scale)
{
    const graze_rig *rig = p->rig;
    float placement[12] = {0};
    uint32_t clip = rig->clip_count ? frame % rig->clip_count : GRAZE_NONE;
    double time = rig->clip_count ? (0.1 + 0.23 * frame) * (double)rig->clips[clip].seconds : 0;
    graze_pose pose =
        test_rig_pose(rig, clip, rig->clip_count ? fmod(time, rig->clips[clip].seconds) : 0);
    for (int k = 0; where && k < 3; k++) {
        placement[5 * k] = (float)scale;
        placement[4 * k + 3] = (float)(where[k] - scale * p->middle[k]);
    }
    pose.placement = where ? placement : NULL;
    if (!test_check(variants_pose(&p->variants, &pose, "character"), __FILE__, __LINE__, "no pose"))
        return false;
    if (!where)
        p->size = variants_extent(&p->variants, p->middle);
    return true;
}

/* Two rigs, the second brought to the first one's size and place. */
static bool check_rigs(const graze_rig *a, graze_skinning kind_a, const graze_rig *b,
                       graze_skinning kind_b, const char *name, test_random *random,
                       agreement *seen)
{
    player players[2];
    bool ok = player_make(&players[0], a, kind_a, random);
    ok = player_make(&players[1], b, kind_b, random) && ok;
    for (uint32_t f = 0; ok && f < test_amount(3, 1); f++) {
        ok = player_pose(&players[0], f, NULL, 1) && player_pose(&players[1], f, NULL, 1);
        double scale = ok ? players[0].size / players[1].size : 1;
        double where[3] = {players[0].middle[0] + 0.2 * f * players[0].size, players[0].middle[1],
                           players[0].middle[2] + 0.1 * players[0].size};
        ok = ok && player_pose(&players[1], f, where, scale) &&
             sides_agree(&players[0].variants, &players[1].variants, name, seen);
    }
    variants_free(&players[0].variants);
    variants_free(&players[1].variants);
    return ok;
}

TEST(characters_of_all_kinds_agree)
{
    agreement seen = {0};
    test_random random = test_random_seed(5);
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    graze_rig *things[3] = {NULL, NULL, NULL};
    static const graze_synth_def defs[3] = {
        {GRAZE_SYNTH_CURTAIN, 1500, 0}, {GRAZE_SYNTH_CHAIR, 1500, 0}, {GRAZE_SYNTH_BALL, 500, 0}};
    for (int i = 0; i < 3; i++)
        REQUIRE(graze_synth(&defs[i], NULL, &things[i], NULL) == GRAZE_OK);
    CHECK(check_rigs(things[0], GRAZE_LINEAR, things[2], GRAZE_LINEAR, "curtain, ball", &random,
                     &seen));
    CHECK(check_rigs(things[0], GRAZE_LINEAR, things[1], GRAZE_DUAL, "curtain, chair", &random,
                     &seen));
    for (uint32_t r = 0; r < count; r++) {
        const graze_rig *rig = rigs[r].rig;
        if (rig->triangle_count > test_amount(20000, 1500))
            continue;
        CHECK(check_rigs(rig, GRAZE_SPHERICAL, things[0], GRAZE_LINEAR, rigs[r].name, &random,
                         &seen));
        CHECK(check_rigs(rig, GRAZE_DUAL, rig, GRAZE_LINEAR, rigs[r].name, &random, &seen));
        CHECK(check_rigs(rig, GRAZE_DUAL, rig, GRAZE_SPHERICAL, rigs[r].name, &random, &seen));
    }
    for (int i = 0; i < 3; i++)
        graze_rig_destroy(things[i]);
    agreement_print("characters of all kinds", &seen);
    if (!test_rigs_are_shared())
        SKIP_ALLOWED("procedural characters only: the shared models are not there");
}
