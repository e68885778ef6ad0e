/* Containment for every deformer: linear, spherical and dual skinning, with and without morph
 * targets, in every tree and on every instruction set. GRAZE_TEST_POSES sets how many random poses
 * each character takes (the check over 10^4 is made by hand: it takes minutes).
 */
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/deform_skins.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <math.h>
#include <stdlib.h>

static bounds_seen seen;
static uint64_t posed_nodes; /* whose vertices are posed instead of bounded */

/* ---- random skins ------------------------------------------------------------------------- */

static soup_def random_def(uint32_t number, test_random *random)
{
    static const uint32_t joint_counts[] = {2, 3, 4, 5, 8, 12, 40};
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % 40,
                    .triangle_count = 1 + test_random_u32(random) % 40,
                    .joint_count = joint_counts[number % 7],
                    .max_influences = 1 + test_random_u32(random) % 8,
                    .size = pow(10, test_random_range(random, -2, 2)),
                    .flat = number % 11 == 3,
                    .scattered = number % 2 == 1,
                    .odd_weights = number % 3 == 1,
                    .equal_weights = number % 6 == 5};
    if (number % 5 == 2)
        def.offset = pow(10, test_random_range(random, 0, 4)) * def.size;
    return def;
}

/* Joints that blend with no others may do anything. */
static void loosen_single_joints(const graze_body *body, const soup *mesh, test_random *random,
                                 float *joints)
{
    const uint8_t *blends = body->model->skin.blend.joint_blends;
    for (uint32_t j = 0; blends && j < mesh->def.joint_count; j++)
        if (!blends[j])
            map_make((map_kind)(test_random_u32(random) % MAP_FAR), mesh->centre, mesh->def.size,
                     random, joints + 12 * (size_t)j);
}

/* False if the pose was refused, as one is that ends beyond 1e18. */
static bool set_random_pose(graze_body *body, const deform_skin *skin, uint32_t number,
                            test_random *random, float *joints, float *weights)
{
    const soup *mesh = &skin->mesh;
    float placement[12];
    deform_pose_kind kind = (deform_pose_kind)(number % DEFORM_POSE_COUNT);
    deform_pose_make(kind, mesh->centre, mesh->def.size, mesh->def.joint_count, random, joints);
    if (number % 3 == 0)
        loosen_single_joints(body, mesh, random, joints);
    deform_weights_make(skin->morph_count, random, weights);
    graze_pose pose = {
        .joints = joints, .joint_count = mesh->def.joint_count, .morph_weights = weights};
    pose.morph_count = skin->morph_count;
    if (deform_placement_make(mesh->def.size, random, placement))
        pose.placement = placement;
    graze_status status = graze_body_set_pose(body, &pose, NULL);
    seen.refused += status != GRAZE_OK;
    CHECK_MSG(status == GRAZE_OK || (status == GRAZE_BAD_INPUT && pose.placement),
              "pose kind %d: %s", (int)kind, graze_status_name(status));
    return status == GRAZE_OK;
}

static bool check_skin(const deform_skin *skin, graze_skinning kind, uint32_t tree, uint32_t poses,
                       test_random random, const char *name)
{
    graze_model_def def = deform_skin_def(skin, kind);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    OWNED float *joints = malloc(12 * sizeof *joints * skin->mesh.def.joint_count);
    OWNED float *weights = malloc((skin->morph_count + (size_t)1) * sizeof *weights);
    def.tree = bounds_tree(tree);
    bool ok =
        test_check(joints && weights && graze_model_create(&def, &model, &error) == GRAZE_OK &&
                       graze_body_create(model, &body, &error) == GRAZE_OK,
                   __FILE__, __LINE__, "%s: %s", name, error.text);
    for (uint32_t p = 0; ok && p < poses; p++) {
        char pose_name[96];
        snprintf(pose_name, sizeof pose_name, "%s, pose %u", name, p);
        if (set_random_pose(body, skin, p, &random, joints, weights))
            ok = bounds_judge(body, true, pose_name, &seen);
    }
    for (uint32_t n = 0; ok && n < model->tree.node_count; n++)
        posed_nodes += model->skin.records[n].kind == GRAZEI_SPHERE_POSED;
    return ok;
}

/* Every skin in every kind and tree, each through the same poses. */
static void check_skins(uint32_t first, uint32_t skins, uint32_t poses, bool morphs)
{
    bool ok = true;
    for (uint32_t s = first; ok && s < first + skins; s++) {
        test_random random = test_random_seed(7000 + s);
        soup_def def = random_def(s, &random);
        uint32_t morph_count = morphs ? 1 + test_random_u32(&random) % 12 : 0;
        OWN(deform_skin) skin = deform_skin_make(&def, morph_count, &random);
        for (uint32_t i = 0; i < 3 * BOUNDS_TREES; i++) {
            char name[64];
            snprintf(name, sizeof name, "skin %u, tree %u", s, i / 3);
            ok = check_skin(&skin, (graze_skinning)(i % 3), i / 3, poses, random, name) && ok;
        }
    }
}

TEST(random_skins_stay_in_their_bounds)
{
    uint32_t skins = test_amount(70, 7), poses = test_amount(150, 30);
    seen = bounds_seen_start();
    posed_nodes = 0;
    check_skins(0, skins, poses, false);
    bounds_seen_print("skins", &seen);
    CHECK(posed_nodes > 0);
    CHECK(test_is_quick() || seen.poses >= 12 * UINT64_C(6000));
}

TEST(random_morphing_skins_stay_in_their_bounds)
{
    uint32_t skins = test_amount(70, 7), poses = test_amount(150, 30);
    seen = bounds_seen_start();
    check_skins(1000, skins, poses, true);
    bounds_seen_print("morphing skins", &seen);
    CHECK(test_is_quick() || seen.poses >= 12 * UINT64_C(6000));
}

/* ---- characters --------------------------------------------------------------------------- */

typedef struct actor {
    const test_rig *rig;
    graze_model *model;
    graze_body *body;
    graze_morph_target *targets;
    float *joints, *weights;
    float centre[3];
    double size;
} actor;

static bool actor_make(actor *a, const test_rig *rig, graze_skinning kind, uint32_t tree)
{
    const graze_rig *r = rig->rig;
    graze_model_def def = graze_rig_model_def(r);
    graze_error error = {.text = ""};
    double middle[3];
    *a = (actor){.rig = rig};
    a->targets = malloc((r->morph_count + (size_t)1) * sizeof *a->targets);
    a->joints = malloc(12 * sizeof *a->joints * r->joint_count);
    a->weights = malloc((r->morph_count + (size_t)1) * sizeof *a->weights);
    if (!a->targets || !a->joints || !a->weights)
        abort();
    graze_rig_morph_targets(r, a->targets);
    def.morphs = a->targets;
    def.morph_count = r->morph_count;
    def.skinning = kind;
    def.tree = bounds_tree(tree);
    a->size = test_extent(r->positions, r->vertex_count, middle);
    for (int k = 0; k < 3; k++)
        a->centre[k] = (float)middle[k];
    return test_check(graze_model_create(&def, &a->model, &error) == GRAZE_OK &&
                          graze_body_create(a->model, &a->body, &error) == GRAZE_OK,
                      __FILE__, __LINE__, "%s: %s", rig->name, error.text);
}

static void actor_free(actor *a)
{
    graze_body_destroy(a->body);
    graze_model_destroy(a->model);
    free(a->targets);
    free(a->joints);
    free(a->weights);
}

/* Poses with what is in joints and weights. */
static bool actor_judge(actor *a, const float *placement, bool all_isas)
{
    const graze_rig *r = a->rig->rig;
    graze_pose pose = {.joints = a->joints,
                       .joint_count = r->joint_count,
                       .placement = placement,
                       .morph_weights = a->weights,
                       .morph_count = r->morph_count};
    graze_error error = {.text = ""};
    graze_status status = graze_body_set_pose(a->body, &pose, &error);
    if (status == GRAZE_BAD_INPUT && placement) { /* beyond 1e18 */
        seen.refused++;
        return true;
    }
    return test_check(status == GRAZE_OK, __FILE__, __LINE__, "%s: %s", a->rig->name, error.text) &&
           bounds_judge(a->body, all_isas, a->rig->name, &seen);
}

static bool check_clips(actor *a, test_random *random)
{
    const graze_rig *r = a->rig->rig;
    uint32_t frames = test_amount(r->clip_count > 4 ? 3 : 8, 2);
    bool ok = true;
    for (uint32_t c = 0; ok && c < (r->clip_count ? r->clip_count : 1); c++)
        for (uint32_t f = 0; ok && f < frames; f++) {
            float placement[12];
            uint32_t clip = r->clip_count ? c : GRAZE_NONE;
            double seconds = r->clip_count ? (double)r->clips[c].seconds : 0;
            if (graze_rig_sample(r, clip, seconds * f / frames, a->joints, a->weights))
                abort();
            bool placed = deform_placement_make(a->size, random, placement);
            ok = actor_judge(a, placed ? placement : NULL, f == 0);
        }
    return ok;
}

static bool check_random_poses(actor *a, uint32_t poses, test_random *random)
{
    const graze_rig *r = a->rig->rig;
    bool ok = true;
    for (uint32_t p = 0; ok && p < poses; p++) {
        float placement[12];
        deform_pose_make((deform_pose_kind)(p % DEFORM_RIGID_COUNT), a->centre, 0.3 * a->size,
                         r->joint_count, random, a->joints);
        deform_weights_make(r->morph_count, random, a->weights);
        bool placed = deform_placement_make(a->size, random, placement);
        ok = actor_judge(a, placed ? placement : NULL, p % 16 == 0);
    }
    return ok;
}

TEST(characters_stay_in_their_bounds)
{
    uint32_t count, poses = test_amount(20, 10);
    const test_rig *rigs = test_rigs(&count);
    const char *wanted = getenv("GRAZE_TEST_POSES");
    test_random random = test_random_seed(11);
    if (wanted)
        poses = (uint32_t)strtoul(wanted, NULL, 10);
    seen = bounds_seen_start();
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t i = 0; i < 3 * BOUNDS_TREES; i++) {
            actor a;
            if (test_is_quick() && (rigs[r].rig->triangle_count > 3000 || (r + i) % 4))
                continue;
            bool ok = actor_make(&a, &rigs[r], (graze_skinning)(i % 3), i / 3) &&
                      check_clips(&a, &random) && check_random_poses(&a, poses, &random);
            actor_free(&a);
            if (!ok)
                break;
        }
    bounds_seen_print("characters", &seen);
}
