/* Neighbours: triangles that share a vertex, or two vertices that cannot part. All answers against
 * support/cannot_part.h, on models of several nodes, skins, instances and morph targets.
 */
#include "harness.h"
#include "support/cannot_part.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/self_judge.h"

#include <graze/ext/inspect.h>
#include <graze/rig.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one cube on two nodes ------------------------------------------------------------------ */

static const float cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                 {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

/* How many pairs of triangles of two cubes meet, as bodies of their own, where one is moved. */
static size_t count_between_bodies(const float moved[12])
{
    graze_model_def def = {0};
    OWN(graze_model) *model = NULL;
    graze_body *bodies[2];
    def.positions = cube[0];
    def.vertex_count = 8;
    def.triangles = sides;
    def.triangle_count = 12;
    def.joint_count = 1;
    graze_pose pose = {.joints = moved, .joint_count = 1};
    graze_pair_list found = {0};
    bool ok = !graze_model_create(&def, &model, NULL) &&
              !graze_body_create(model, &bodies[0], NULL) &&
              !graze_body_create(model, &bodies[1], NULL) &&
              !graze_body_set_pose(bodies[1], &pose, NULL) &&
              !graze_pairs(bodies[0], bodies[1], &found, NULL, NULL);
    CHECK(ok);
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
    return found.total;
}

/* Both are at one place in their own space, and slide into each other. */
TEST(instances_of_a_mesh_are_no_neighbours)
{
    float positions[48];
    uint32_t triangles[72], offsets[17];
    graze_influence influences[16];
    for (uint32_t i = 0; i < 16; i++) {
        memcpy(positions + 3 * i, cube[i % 8], sizeof cube[0]);
        influences[i] = (graze_influence){i / 8, 1};
        offsets[i + 1] = i + 1;
    }
    offsets[0] = 0;
    for (uint32_t i = 0; i < 72; i++)
        triangles[i] = sides[i % 36] + (i < 36 ? 0 : 8);
    graze_model_def def = {0};
    def.positions = positions;
    def.vertex_count = 16;
    def.triangles = triangles;
    def.triangle_count = 24;
    def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
    const float matrices[24] = {1, 0, 0, 0,    0, 1, 0, 0,    0, 0, 1, 0,
                                1, 0, 0, 0.5f, 0, 1, 0, 0.3f, 0, 0, 1, 0.2f};
    graze_pose pose = {.joints = matrices, .joint_count = 2};
    CHECK(!graze_body_set_pose(body, &pose, NULL));
    graze_pair pairs[64];
    graze_pair_list found = {.items = pairs, .capacity = 64};
    CHECK(!graze_self_pairs(body, NULL, &found, NULL, NULL));
    size_t expected = count_between_bodies(matrices + 12);
    CHECK_MSG(found.total == expected && expected > 0, "%zu pairs of %zu", found.total, expected);
    for (size_t i = 0; i < found.count; i++)
        CHECK(pairs[i].a < 12 && pairs[i].b >= 12);
}

/* ---- random models -------------------------------------------------------------------------- */

enum { MOST_VERTICES = 600, MOST_JOINTS = 12, TARGETS = 3 };

/* Vertices on a small lattice, so that many are at one place. */
typedef struct lattice {
    float positions[3 * MOST_VERTICES];
    uint32_t triangles[3 * MOST_VERTICES];
    uint32_t offsets[MOST_VERTICES + 1];
    graze_influence influences[4 * MOST_VERTICES];
    uint32_t same_joints[MOST_JOINTS];
    uint32_t moved[TARGETS][MOST_VERTICES];
    float deltas[TARGETS][3 * MOST_VERTICES];
    float rest_matrices[12 * MOST_JOINTS], rest_weights[TARGETS];
    graze_morph_target morphs[TARGETS];
    graze_model_def def;
} lattice;

/* Weights in 64ths, a few steps from what others at the place have: chains of what cannot part. */
static void add_influences(lattice *l, test_random *random, uint32_t v)
{
    uint32_t first = test_random_u32(random) % l->def.joint_count, end = l->offsets[v];
    uint32_t second = (first + 1) % l->def.joint_count;
    uint32_t share = test_random_u32(random) % 4 == 0 ? 0 : 32 + test_random_u32(random) % 8;
    l->influences[end++] = (graze_influence){first, (float)(64 - share) / 64};
    if (share)
        l->influences[end++] = (graze_influence){second, (float)share / 64};
    l->offsets[v + 1] = end;
}

static lattice *make_lattice(test_random *random)
{
    lattice *l = calloc(1, sizeof *l);
    uint32_t size = 2 + test_random_u32(random) % 4;
    l->def = (graze_model_def){0};
    l->def.vertex_count = 40 + test_random_u32(random) % (MOST_VERTICES - 40);
    l->def.triangle_count = l->def.vertex_count / 3 + 10;
    l->def.joint_count = 2 + test_random_u32(random) % (MOST_JOINTS - 2);
    for (uint32_t i = 0; i < 3 * l->def.vertex_count; i++) {
        float x = (float)(test_random_u32(random) % size);
        l->positions[i] = x == 0 && test_random_u32(random) % 2 ? -0.0f : x;
    }
    for (uint32_t i = 0; i < 3 * l->def.triangle_count; i++)
        l->triangles[i] = test_random_u32(random) % l->def.vertex_count;
    for (uint32_t v = 0; v < l->def.vertex_count; v++)
        add_influences(l, random, v);
    for (uint32_t j = 0; j < l->def.joint_count; j++)
        l->same_joints[j] = j && test_random_u32(random) % 3 == 0 ? l->same_joints[j - 1] : j;
    l->def.same_joints = test_random_u32(random) % 2 ? l->same_joints : NULL;
    l->def.morph_count = test_random_u32(random) % 2 ? TARGETS : 0;
    for (uint32_t m = 0; m < l->def.morph_count; m++) {
        for (uint32_t i = 0; i < 20; i++) {
            l->moved[m][i] = test_random_u32(random) % l->def.vertex_count;
            l->deltas[m][3 * i] = (float)(test_random_u32(random) % 2);
        }
        l->morphs[m] = (graze_morph_target){l->moved[m], l->deltas[m], 20};
    }
    l->def.morphs = l->morphs;
    l->def.positions = l->positions;
    l->def.triangles = l->triangles;
    l->def.influence_offsets = l->offsets;
    l->def.influences = l->influences;
    return l;
}

/* Joints that are one have one matrix. */
static void make_pose(const lattice *l, test_random *random, float *matrices)
{
    for (uint32_t j = 0; j < l->def.joint_count; j++) {
        float *to = matrices + 12 * (size_t)j;
        uint32_t same = l->def.same_joints ? l->same_joints[j] : j;
        for (int i = 0; i < 12; i++)
            to[i] = (float)(test_random_range(random, -0.2, 0.2) + (i % 5 == 0) * 0.9);
        memcpy(to, matrices + 12 * (size_t)same, 12 * sizeof *to);
    }
}

/* Any maps, or rigid ones; sometimes one that has no inverse. */
static void make_rest(lattice *l, test_random *random, uint32_t round)
{
    if (round % 3 == 0)
        return;
    make_pose(l, random, l->rest_matrices);
    if (round % 7 == 0)
        memset(l->rest_matrices, 0, 8 * sizeof(float));
    l->def.rest_matrices = l->rest_matrices;
    l->rest_weights[round % TARGETS] = 0.5f;
    l->def.rest_weights = round % 2 ? l->rest_weights : NULL;
}

TEST(random_models_agree_with_the_definition)
{
    test_random random = test_random_seed(29);
    self_tally seen = {0};
    for (uint32_t round = 0; round < test_amount(400, 60); round++) {
        OWNED lattice *l = make_lattice(&random);
        float matrices[12 * MOST_JOINTS], weights[TARGETS] = {0.5f, 0, -0.25f};
        make_rest(l, &random, round);
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        OWN(pair_set) expected = {0};
        l->def.tree.patch_triangles = round % 3 ? 64 : 4;
        l->def.skinning = (graze_skinning)(round / 2 % 3);
        REQUIRE(!graze_model_create(&l->def, &model, NULL) &&
                !graze_body_create(model, &body, NULL));
        make_pose(l, &random, matrices);
        if (round % 4 == 0 && l->def.rest_matrices) /* at rest */
            memcpy(matrices, l->rest_matrices, sizeof matrices);
        graze_pose pose = {.joints = matrices,
                           .joint_count = l->def.joint_count,
                           .morph_weights = l->def.morph_count ? weights : NULL,
                           .morph_count = l->def.morph_count};
        CHECK(!graze_body_set_pose(body, &pose, NULL));
        self_expect(body, &l->def, &expected);
        CHECK_MSG(self_agree(body, &expected, true, "a lattice", &seen), "round %u", round);
    }
    self_tally_print("random lattices", &seen);
    CHECK(seen.pairs > 1000);
}

TEST(same_joints_must_be_the_lowest)
{
    test_random random = test_random_seed(3);
    OWNED lattice *l = make_lattice(&random);
    graze_model *model = NULL;
    graze_error error = {0};
    const uint32_t wrong[2][MOST_JOINTS] = {{1, 1}, {0, 0, 1}};
    l->def.joint_count = MOST_JOINTS;
    for (int i = 0; i < 2; i++) {
        l->def.same_joints = wrong[i];
        CHECK(graze_model_create(&l->def, &model, &error) == GRAZE_BAD_INPUT && !model);
        CHECK_MSG(strstr(error.text, "same_joints"), "%s", error.text);
    }
}

/* ---- rigs ----------------------------------------------------------------------------------- */

/* Joints of two skins over one node, of one that has another bind, and of a mesh without skin. */
TEST(joints_of_two_skins_over_one_skeleton_are_one)
{
    graze_rig_joint joints[6] = {{.node = 3}, {.node = 1}, {.node = 3},
                                 {.node = 3}, {.node = 1}, {.node = 3}};
    const uint32_t expected[6] = {0, 1, 0, 3, 4, 0};
    uint32_t same[6];
    graze_rig rig = {.allocator = graze_default_allocator(), .joints = joints, .joint_count = 6};
    for (int j = 0; j < 6; j++)
        joints[j].inverse_bind[0] = joints[j].inverse_bind[5] = joints[j].inverse_bind[10] = 1;
    joints[0].inverse_bind[3] = -0.0f; /* zeros of both signs are one */
    joints[3].inverse_bind[3] = 0.5f;
    joints[4].rigid = true;
    CHECK(!graze_rig_same_joints(&rig, same));
    for (int j = 0; j < 6; j++)
        CHECK_MSG(same[j] == expected[j], "joint %d is %u", j, same[j]);
}

/* Two cubes through each other, as their nodes stand; the second one has a morph target that is on
 * in the file and takes it there.
 */
TEST(what_meets_as_the_file_stands_is_not_new)
{
    float positions[48], shift[24] = {0};
    uint32_t triangles[72], offsets[17], moved[8];
    graze_influence influences[16];
    graze_rig_node nodes[2];
    graze_rig_joint joints[2];
    for (uint32_t i = 0; i < 16; i++) {
        memcpy(positions + 3 * i, cube[i % 8], sizeof cube[0]);
        influences[i] = (graze_influence){i / 8, 1};
        offsets[i] = i;
    }
    offsets[16] = 16;
    for (uint32_t i = 0; i < 72; i++)
        triangles[i] = sides[i % 36] + (i < 36 ? 0 : 8);
    for (uint32_t i = 0; i < 8; i++) {
        moved[i] = 8 + i;
        shift[3 * i] = 1;
    }
    for (uint32_t n = 0; n < 2; n++) {
        nodes[n] = (graze_rig_node){.parent = GRAZE_NONE,
                                    .translation = {n ? 0 : 5, 0.3f * (float)n, 0.2f * (float)n},
                                    .rotation = {0, 0, 0, 1},
                                    .scale = {1, 1, 1}};
        joints[n] = (graze_rig_joint){n, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, true};
    }
    graze_rig_morph morph = {moved, shift, 8, 4.5f};
    graze_rig rig = {.allocator = graze_default_allocator(),
                     .positions = positions,
                     .vertex_count = 16,
                     .triangles = triangles,
                     .triangle_count = 24,
                     .influence_offsets = offsets,
                     .influences = influences,
                     .nodes = nodes,
                     .node_count = 2,
                     .joints = joints,
                     .joint_count = 2,
                     .morphs = &morph,
                     .morph_count = 1};
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    graze_pair_list all = {0}, new_ones = {.total = 1};
    const graze_options only_new = {.only_new = true};
    REQUIRE(!graze_rig_create_model(&rig, NULL, &model, NULL) &&
            !graze_body_create(model, &body, NULL));
    CHECK(!graze_rig_pose_body(&rig, GRAZE_NONE, 0, NULL, body, NULL));
    CHECK(!graze_self_pairs(body, NULL, &all, NULL, NULL));
    CHECK(!graze_self_pairs(body, NULL, &new_ones, &only_new, NULL));
    CHECK_MSG(all.total > 0 && new_ones.total == 0, "%zu pairs, %zu of them new", all.total,
              new_ones.total);
    /* Each at its place in its own space they are one heap, which is nobody's rest. */
    graze_pose heap = {0};
    CHECK(!graze_body_set_pose(body, &heap, NULL));
    CHECK(!graze_self_pairs(body, NULL, &all, NULL, NULL));
    CHECK(!graze_self_pairs(body, NULL, &new_ones, &only_new, NULL));
    CHECK_MSG(new_ones.total > 0 && new_ones.total < all.total, "%zu pairs, %zu of them new",
              all.total, new_ones.total);
}

/* ---- shapes that the file bends ---------------------------------------------------------------
 */

enum { SHEET = 9, SHEET_TRIANGLES = 2 * (SHEET - 1) * (SHEET - 1), SHEETS = 2 };

/* Square sheets of vertices. */
typedef struct sheets {
    float positions[3 * SHEETS * SHEET * SHEET];
    uint32_t triangles[3 * SHEETS * SHEET_TRIANGLES], offsets[SHEETS * SHEET * SHEET + 1];
    graze_influence influences[2 * SHEETS * SHEET * SHEET];
    graze_model_def def;
} sheets;

static void weave(sheets *s, uint32_t count)
{
    s->def = (graze_model_def){0};
    s->def.positions = s->positions;
    s->def.vertex_count = count * SHEET * SHEET;
    s->def.triangles = s->triangles;
    s->def.triangle_count = count * SHEET_TRIANGLES;
    s->def.joint_count = 2;
    s->def.influence_offsets = s->offsets;
    s->def.influences = s->influences;
    for (uint32_t t = 0; t < s->def.triangle_count; t++) {
        const uint32_t place = t % SHEET_TRIANGLES / 2, sheet = t / SHEET_TRIANGLES;
        const uint32_t v =
            sheet * SHEET * SHEET + place / (SHEET - 1) * SHEET + place % (SHEET - 1);
        const uint32_t corners[2][3] = {{v, v + 1, v + SHEET}, {v + 1, v + SHEET + 1, v + SHEET}};
        memcpy(s->triangles + 3 * (size_t)t, corners[t % 2], sizeof corners[0]);
    }
    for (uint32_t v = 0; v <= s->def.vertex_count; v++)
        s->offsets[v] = 2 * v;
}

static void check_sheets(sheets *s, const float rest[24], const float pose[24], const char *name,
                         size_t least, size_t most)
{
    self_tally seen = {0};
    OWN(pair_set) expected = {0};
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = NULL;
    s->def.rest_matrices = rest;
    REQUIRE(!graze_model_create(&s->def, &model, NULL) && !graze_body_create(model, &body, NULL));
    graze_pose posed = {.joints = pose, .joint_count = 2};
    CHECK(!graze_body_set_pose(body, &posed, NULL));
    self_expect(body, &s->def, &expected);
    CHECK_MSG(expected.count >= least && expected.count <= most, "%s: %zu pairs", name,
              expected.count);
    self_agree(body, &expected, true, name, &seen);
}

/* Two sheets share a corner whose two vertices cannot part, as their weights differ by 1/16; yet at
 * rest they are far from each other.
 */
TEST(neighbours_may_be_apart_at_rest)
{
    static sheets s;
    weave(&s, 2);
    for (uint32_t v = 0; v < s.def.vertex_count; v++) {
        const uint32_t sheet = v / (SHEET * SHEET), place = v % (SHEET * SHEET);
        const float side = sheet ? -0.125f : 0.125f, share = sheet ? 0.03125f : 0;
        s.positions[3 * v] = side * (float)(place % SHEET);
        s.positions[3 * v + 1] = side * (float)(place / SHEET);
        s.influences[2 * v] = (graze_influence){0, 1 - share};
        s.influences[2 * v + 1] = (graze_influence){1, share};
    }
    const float rest[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
                            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1000};
    const float pose[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    check_sheets(&s, rest, pose, "sheets that share a corner", 0, 0);
}

/* A tube of which two joints have half each: turned against each other by a quarter where the file
 * stands, by a half in the pose, where all of it lies on its axis.
 */
TEST(a_bend_at_rest_is_no_help_in_another_pose)
{
    static sheets s;
    weave(&s, 1);
    for (uint32_t v = 0; v < s.def.vertex_count; v++) {
        const double angle = 2 * 3.14159265358979 * (v % SHEET) / SHEET;
        s.positions[3 * v] = (float)cos(angle);
        s.positions[3 * v + 1] = (float)sin(angle);
        s.positions[3 * v + 2] = 0.5f * (float)(v / SHEET);
        s.influences[2 * v] = (graze_influence){0, 0.5f};
        s.influences[2 * v + 1] = (graze_influence){1, 0.5f};
    }
    const float rest[24] = {1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
                            0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    const float pose[24] = {1,  0, 0, 0, 0, 1,  0, 0, 0, 0, 1, 0,
                            -1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0};
    s.def.tree.patch_triangles = 8;
    check_sheets(&s, rest, pose, "a tube wrung out", 100, SIZE_MAX);
}
