/* Conservative: no posed vertex is ever outside the bound of a node that it is below. Compared with
 * the very floats that queries decide on, for every node, record kind and instruction set.
 */
#include "harness.h"
#include "support/bounds_judge.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <math.h>
#include <stdlib.h>

static bounds_seen lazy, refit; /* bounds from the pose, and from posed vertices */
static uint64_t kinds_seen[6];

static void start(void)
{
    lazy = refit = bounds_seen_start();
    for (int kind = 0; kind < 6; kind++)
        kinds_seen[kind] = 0;
}

static void print(void)
{
    bounds_seen_print("from the pose", &lazy);
    bounds_seen_print("bottom-up", &refit);
}

static void count_kinds(const graze_model *model)
{
    for (uint32_t n = 0; n < model->tree.node_count; n++)
        kinds_seen[model->skin.records[n].kind]++;
}

/* ---- characters --------------------------------------------------------------------------- */

static bool check_clip(graze_body *body, const test_rig *rig, uint32_t clip, uint32_t frames,
                       float *joints, test_random *random)
{
    static const float origin[3] = {0, 0, 0};
    double seconds = clip == GRAZE_NONE ? 0 : (double)rig->rig->clips[clip].seconds;
    for (uint32_t f = 0; f < frames; f++) {
        float placement[12];
        test_rig_sample(rig->rig, clip, seconds * f / frames, joints);
        map_make(f % 3 == 1 ? MAP_FAR : MAP_SCALED, origin, 10, random, placement);
        graze_pose pose = {.joints = joints,
                           .joint_count = rig->rig->joint_count,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = f % 3 ? placement : NULL};
        if (!test_check(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK, __FILE__, __LINE__,
                        "%s: clip %u could not be set", rig->name, clip) ||
            !bounds_judge(body, f == 0, rig->name, &lazy) ||
            (f < 2 && !bounds_judge_refit(body, rig->name, &refit)))
            return false;
    }
    return true;
}

static bool check_rig(const test_rig *rig, uint32_t tree, test_random *random)
{
    graze_model_def def = graze_rig_model_def(rig->rig);
    def.tree = bounds_tree(tree);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    OWNED float *joints = malloc(12 * sizeof *joints * rig->rig->joint_count);
    bool ok = test_check(joints && graze_model_create(&def, &model, &error) == GRAZE_OK &&
                             graze_body_create(model, &body, &error) == GRAZE_OK,
                         __FILE__, __LINE__, "%s: %s", rig->name, error.text) &&
              check_clip(body, rig, GRAZE_NONE, 3, joints, random);
    uint32_t frames = test_amount(rig->rig->clip_count > 4 ? 5 : 12, 2);
    for (uint32_t c = 0; ok && c < rig->rig->clip_count; c++)
        ok = check_clip(body, rig, c, frames, joints, random);
    if (ok)
        count_kinds(model);
    return ok;
}

TEST(characters_stay_in_their_bounds)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    test_random random = test_random_seed(1);
    start();
    for (uint32_t r = 0; r < count; r++)
        for (uint32_t t = 0; t < BOUNDS_TREES; t++)
            check_rig(&rigs[r], t, &random);
    print();
}

/* ---- random meshes ------------------------------------------------------------------------ */

static soup_def random_def(uint32_t number, test_random *random)
{
    static const uint32_t joint_counts[] = {1, 2, 3, 5, 9, 20, 40, 80, 300};
    soup_def def = {.vertex_count = 3 + test_random_u32(random) % 60,
                    .triangle_count = 1 + test_random_u32(random) % 60,
                    .joint_count = joint_counts[number % 9],
                    .max_influences = 1 + test_random_u32(random) % 12,
                    .size = pow(10, test_random_range(random, -2, 2)),
                    .flat = number % 7 == 3,
                    .scattered = number % 2 == 1,
                    .odd_weights = number % 3 == 1,
                    .equal_weights = number % 6 == 5};
    if (number % 5 == 2)
        def.offset = pow(10, test_random_range(random, 0, 5));
    if (number % 13 == 7) /* from denormal to the largest that is allowed */
        def.size = pow(10, test_random_range(random, test_flushes_denormals() ? -6 : -44, 14.9));
    return def;
}

/* A pose of every kind in turn, and now and then every joint a way of its own. */
static bool set_random_pose(graze_body *body, const soup *mesh, uint32_t number,
                            test_random *random, float *joints)
{
    float placement[12];
    pose_make((map_kind)(number % MAP_KIND_COUNT), mesh, random, joints);
    for (uint32_t j = 0; number % 4 == 3 && j < mesh->def.joint_count; j++)
        map_make((map_kind)(test_random_u32(random) % MAP_KIND_COUNT), mesh->centre, mesh->def.size,
                 random, joints + 12 * (size_t)j);
    map_make(number % 3 ? MAP_FAR : MAP_CANCELLED, mesh->centre, 1, random, placement);
    graze_pose pose = {.joints = joints,
                       .joint_count = mesh->def.joint_count,
                       .placement = test_random_u32(random) % 2 ? placement : NULL};
    return graze_body_set_pose(body, &pose, NULL) == GRAZE_OK;
}

static bool check_soup(const soup *mesh, uint32_t tree, uint32_t poses, test_random random,
                       const char *name)
{
    graze_model_def def = soup_model_def(mesh);
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_error error = {.text = ""};
    OWNED float *joints = malloc(12 * sizeof *joints * mesh->def.joint_count);
    def.tree = bounds_tree(tree);
    bool ok = test_check(joints && graze_model_create(&def, &model, &error) == GRAZE_OK &&
                             graze_body_create(model, &body, &error) == GRAZE_OK,
                         __FILE__, __LINE__, "%s: %s", name, error.text);
    for (uint32_t p = 0; ok && p < poses; p++)
        if (set_random_pose(body, mesh, p, &random, joints))
            ok = bounds_judge(body, true, name, &lazy) && bounds_judge_refit(body, name, &refit);
    if (ok)
        count_kinds(model);
    return ok;
}

TEST(random_meshes_stay_in_their_bounds)
{
    uint32_t meshes = test_amount(550, 40), poses = 20;
    bool ok = true;
    start();
    for (uint32_t m = 0; ok && m < meshes; m++) {
        char name[64];
        test_random random = test_random_seed(1000 + m);
        soup_def def = random_def(m, &random);
        OWN(soup) mesh = soup_make(&def, &random);
        for (uint32_t t = 0; t < BOUNDS_TREES; t++) {
            snprintf(name, sizeof name, "random mesh %u, tree %u", m, t);
            ok = check_soup(&mesh, t, poses, random, name) && ok;
        }
    }
    print();
    CHECK(test_is_quick() || lazy.poses >= BOUNDS_TREES * UINT64_C(10000));
    for (int kind = 0; kind < 6; kind++)
        CHECK_MSG(kinds_seen[kind] > 0, "no record of kind %d was looked at", kind);
}
