/* What queries do and leave undone: statistics, caches, stamps, the order of poses, stopping. */
#include "body/patches.h"
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/rigs.h"
#include "support/solids.h"
#include "support/soup.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = 12 };

static soup make_mesh(uint64_t seed, uint32_t triangles)
{
    test_random random = test_random_seed(seed);
    soup_def def = {.vertex_count = triangles,
                    .triangle_count = triangles,
                    .joint_count = JOINTS,
                    .max_influences = 4,
                    .size = 1};
    return soup_make(&def, &random);
}

static graze_model *make_model(const soup *mesh, graze_tree_def tree, graze_isa isa)
{
    graze_model_def def = soup_model_def(mesh);
    graze_model *model = NULL;
    def.tree = tree;
    def.isa = isa;
    test_check(graze_model_create(&def, &model, NULL) == GRAZE_OK, __FILE__, __LINE__, "no model");
    return model;
}

static graze_body *make_body(const graze_model *model)
{
    graze_body *body = NULL;
    test_check(graze_body_create(model, &body, NULL) == GRAZE_OK, __FILE__, __LINE__, "no body");
    return body;
}

/* A pose that the seed decides, moved along x. */
static void set_pose(graze_body *body, const soup *mesh, uint64_t seed, double x)
{
    test_random random = test_random_seed(seed);
    float joints[12 * JOINTS];
    float placement[12] = {1, 0, 0, (float)x, 0, 1, 0, 0, 0, 0, 1, 0};
    pose_make(MAP_NEAR, mesh, &random, joints);
    graze_pose pose = {.joints = joints, .joint_count = JOINTS, .placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

/* ---- statistics --------------------------------------------------------------------------- */

static void check_far_apart(const soup *mesh, graze_tree_def tree_a, graze_tree_def tree_b)
{
    OWN(graze_model) *model_a = make_model(mesh, tree_a, GRAZE_ISA_BEST);
    OWN(graze_model) *model_b = make_model(mesh, tree_b, GRAZE_ISA_BEST);
    OWN(graze_body) *a = make_body(model_a), *b = make_body(model_b);
    graze_stats stats = {0};
    OWN(pair_set) found = {0};
    set_pose(a, mesh, 1, 0);
    set_pose(b, mesh, 2, 100);
    graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.stats = &stats}, NULL);
    CHECK(found.count == 0 && found.calls == 0);
    CHECK(stats.nodes_refit == 2);
    CHECK(stats.bound_tests == 1);
    CHECK(stats.patches_posed == 0 && stats.vertices_posed == 0 && stats.triangle_tests == 0);
    CHECK(!test_meets(a, b, NULL));
}

TEST(far_apart_two_bounds_are_refitted_and_nothing_is_posed)
{
    OWN(soup) mesh = make_mesh(1, 2000);
    for (uint32_t i = 0; i < agreement_tree_count(); i++) {
        check_far_apart(&mesh, agreement_tree(i), agreement_tree(i));
        check_far_apart(&mesh, agreement_tree(i), (graze_tree_def){0});
        check_far_apart(&mesh, graze_paper_tree(), agreement_tree(i));
    }
}

TEST(touching_bodies_pose_a_small_part)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    const graze_rig *rig = rigs[0].rig; /* the man */
    graze_model_def def = graze_rig_model_def(rig);
    def.tree.patch_triangles = 16;
    OWN(graze_model) *model = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    graze_model_info info = graze_model_get_info(model);
    graze_body *a = make_body(model);
    OWN(graze_body) *b = make_body(model);
    OWNED float *positions = malloc(3 * sizeof *positions * rig->vertex_count);
    OWNED float *joints = calloc(12 * sizeof *joints, rig->joint_count);
    graze_body_get_positions(a, positions);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t v = 0; v < rig->vertex_count; v++) {
        low = fminf(low, positions[3 * (size_t)v]);
        high = fmaxf(high, positions[3 * (size_t)v]);
    }
    for (uint32_t j = 0; j < rig->joint_count; j++)
        joints[12 * (size_t)j] = joints[12 * (size_t)j + 5] = joints[12 * (size_t)j + 10] = 1;
    float placement[12] = {1, 0, 0, 0.97f * (high - low), 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {.joints = joints, .joint_count = rig->joint_count, .placement = placement};
    CHECK(graze_body_set_pose(b, &pose, NULL) == GRAZE_OK);
    graze_body_drop_caches(a);
    graze_stats stats = {0};
    OWN(pair_set) found = {0};
    graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.stats = &stats}, NULL);
    CHECK_MSG(found.count > 0, "the men do not touch");
    CHECK_MSG(4 * stats.patches_posed < 2 * info.leaf_count, "%llu of %u patches posed",
              (unsigned long long)stats.patches_posed, 2 * info.leaf_count);
    CHECK(4 * stats.vertices_posed < 2 * (uint64_t)info.vertex_count);
    graze_body_destroy(a);
}

TEST(statistics_add_up)
{
    OWN(soup) mesh = make_mesh(2, 500);
    OWN(graze_model) *model = make_model(&mesh, (graze_tree_def){0}, GRAZE_ISA_BEST);
    graze_body *a = make_body(model), *b = make_body(model);
    graze_stats once = {0}, twice = {0};
    OWN(pair_set) found = {0};
    for (int run = 0; run < 3; run++) {
        set_pose(a, &mesh, 3, 0);
        set_pose(b, &mesh, 4, 0.1);
        graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.stats = run ? &twice : &once},
                    NULL);
    }
    CHECK(once.nodes_refit > 2 && once.triangle_tests > 0);
    CHECK(twice.nodes_refit == 2 * once.nodes_refit);
    CHECK(twice.bound_tests == 2 * once.bound_tests);
    CHECK(twice.patches_posed == 2 * once.patches_posed);
    CHECK(twice.vertices_posed == 2 * once.vertices_posed);
    CHECK(twice.triangle_tests == 2 * once.triangle_tests);

    graze_stats brute = {0}, eager = {0};
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_EAGER, .stats = &eager},
                NULL);
    graze_pairs(a, b, TO_PAIR_SET(&found), &(graze_options){.method = GRAZE_BRUTE, .stats = &brute},
                NULL);
    graze_model_info info = graze_model_get_info(model);
    CHECK(eager.vertices_posed == 2 * (uint64_t)info.vertex_count);
    CHECK(eager.nodes_refit == 2 * (uint64_t)info.node_count);
    CHECK(brute.vertices_posed == 2 * (uint64_t)info.vertex_count);
    graze_body_destroy(a);
    graze_body_destroy(b);
}

/* ---- caches ------------------------------------------------------------------------------- */

/* A body that has been through much against a new one in the same pose. */
static bool same_answer(graze_body *old, graze_body *other, const soup *mesh, uint64_t seed)
{
    OWN(graze_body) *fresh = make_body(old->model);
    OWN(pair_set) expected = {0}, found = {0};
    graze_pair odd;
    set_pose(fresh, mesh, seed, 0);
    set_pose(old, mesh, seed, 0);
    graze_pairs(fresh, other, TO_PAIR_SET(&expected), NULL, NULL);
    graze_pairs(old, other, TO_PAIR_SET(&found), NULL, NULL);
    bool ok = pair_set_sort(&expected) && pair_set_sort(&found) &&
              pair_set_equal(&found, &expected, &odd) && found.count > 0;
    return ok;
}

TEST(the_order_of_poses_does_not_matter)
{
    OWN(soup) mesh = make_mesh(3, 300);
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(graze_model) *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        graze_body *body = make_body(model);
        OWN(graze_body) *other = make_body(model);
        set_pose(other, &mesh, 99, 0.05);
        for (uint32_t i = 0; i < 30; i++) {
            uint64_t seed = i * 7 % 5;
            if (i % 4 == 1)
                graze_body_refit_all(body);
            if (i % 6 == 2)
                test_meets(body, other, NULL);
            if (i % 5 == 3)
                graze_body_drop_caches(body);
            CHECK_MSG(same_answer(body, other, &mesh, seed), "tree %u, pose %u", t, i);
        }
        graze_body_destroy(body);
    }
}

/* A stamp comes again after 2^31 poses: what was cached under it then is not taken for new. */
TEST(stamps_start_again_after_two_billion_poses)
{
    OWN(soup) mesh = make_mesh(4, 300);
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        OWN(graze_model) *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        graze_body *body = make_body(model);
        OWN(graze_body) *other = make_body(model);
        set_pose(other, &mesh, 99, 0.05);
        CHECK(same_answer(body, other, &mesh, 1));
        if (t % 2)
            graze_body_refit_all(body);
        uint32_t stamp = body->stamp;
        body->stamp = UINT32_MAX - 1;
        for (uint32_t i = 2; i < stamp; i += 2)
            graze_body_drop_caches(body);
        CHECK_MSG(same_answer(body, other, &mesh, 2), "tree %u", t);
        CHECK(body->stamp == stamp);
        float positions[900], fresh_positions[900];
        OWN(graze_body) *fresh = make_body(model);
        set_pose(fresh, &mesh, 2, 0);
        graze_body_get_positions(body, positions);
        graze_body_get_positions(fresh, fresh_positions);
        CHECK_MSG(memcmp(positions, fresh_positions, sizeof positions) == 0, "tree %u", t);
        graze_body_destroy(body);
    }
}

/* Patches are posed by themselves, and hold the very floats that get_positions writes. */
static bool patches_are_positions(const graze_model *model, const soup *mesh, uint64_t seed)
{
    OWN(graze_body) *lazy = make_body(model), *eager = make_body(model);
    const grazei_tree *tree = &model->tree;
    graze_stats stats = {0};
    set_pose(lazy, mesh, seed, 0.3);
    set_pose(eager, mesh, seed, 0.3);
    OWNED float *positions = malloc(3 * sizeof *positions * mesh->def.vertex_count);
    graze_body_get_positions(eager, positions);
    bool ok = true;
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        grazei_body_pose_patch(lazy, p, &stats);
        for (uint32_t i = 0; i < tree->patches[p].vertex_count; i++) {
            uint32_t at = tree->patches[p].first_vertex + i;
            const float *position = positions + 3 * (size_t)tree->patch_vertices[at];
            ok = ok && memcmp(lazy->cache.points[at], position, 3 * sizeof(float)) == 0;
            for (int k = 0; k < 3; k++)
                ok = ok && position[k] >= -lazy->cache.boxes[p].low_negated[k] &&
                     position[k] <= lazy->cache.boxes[p].high[k];
        }
    }
    ok = ok && stats.patches_posed == tree->patch_count;
    return ok;
}

TEST(patches_hold_the_floats_of_get_positions)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    OWN(soup) mesh = make_mesh(8, 400);
    for (uint32_t t = 0; t < agreement_tree_count(); t++)
        for (int i = 0; i < 3; i++) {
            if (!graze_isa_available(isas[i]))
                continue;
            OWN(graze_model) *model = make_model(&mesh, agreement_tree(t), isas[i]);
            CHECK_MSG(patches_are_positions(model, &mesh, t), "tree %u, instruction set %d", t,
                      (int)isas[i]);
        }
}

/* What one instruction set made ready, another one uses. */
TEST(instruction_sets_share_a_body)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    OWN(soup) mesh = make_mesh(5, 700);
    graze_model *models[3] = {0};
    graze_body *bodies[3] = {0};
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        if (graze_isa_available(isas[i])) {
            models[count] = make_model(&mesh, (graze_tree_def){0}, isas[i]);
            bodies[count] = make_body(models[count]);
            set_pose(bodies[count], &mesh, 20 + (uint64_t)i, 0.02 * i);
            count++;
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            OWN(pair_set) expected = {0}, found = {0};
            graze_pair odd;
            if (a == b)
                continue;
            graze_pairs(bodies[a], bodies[b], TO_PAIR_SET(&found), NULL, NULL); /* caches kept */
            graze_pairs(bodies[a], bodies[b], TO_PAIR_SET(&expected),
                        &(graze_options){.method = GRAZE_BRUTE}, NULL);
            CHECK(expected.count > 0);
            CHECK(pair_set_sort(&found) && pair_set_sort(&expected));
            CHECK(pair_set_equal(&found, &expected, &odd));
        }
    for (uint32_t i = 0; i < count; i++) {
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
}

/* ---- stopping, layouts -------------------------------------------------------------------- */

TEST(a_callback_can_stop_the_query)
{
    OWN(soup) mesh = make_mesh(6, 600);
    for (uint32_t t = 0; t < 2; t++) {
        OWN(graze_model) *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        OWN(graze_body) *a = make_body(model), *b = make_body(model);
        OWN(pair_set) all = {0}, some = {.stop = 1};
        graze_pairs(a, b, TO_PAIR_SET(&all), NULL, NULL);
        CHECK(all.calls > 2 && all.count > 600);
        graze_pairs(a, b, TO_PAIR_SET(&some), NULL, NULL);
        CHECK(some.calls == 1 && some.count > 0 && some.count < all.count);
        pair_set_clear(&some);
        graze_pairs(a, b, TO_PAIR_SET(&some), &(graze_options){.method = GRAZE_BRUTE}, NULL);
        CHECK(some.calls == 1);
        pair_set_clear(&some);
        graze_pairs(a, b, TO_PAIR_SET(&some), &(graze_options){.method = GRAZE_EAGER}, NULL);
        CHECK(some.calls == 1);
        some.stop = 2;
        pair_set_clear(&some);
        graze_pairs(a, b, TO_PAIR_SET(&some), NULL, NULL);
        CHECK(some.calls == 2 && some.count < all.count);
    }
}

TEST(rows_and_columns_are_the_same_pose)
{
    OWN(soup) mesh = make_mesh(7, 100);
    OWN(graze_model) *model = make_model(&mesh, (graze_tree_def){0}, GRAZE_ISA_BEST);
    OWN(graze_body) *a = make_body(model), *b = make_body(model);
    test_random random = test_random_seed(7);
    float rows[12 * JOINTS], columns[16 * JOINTS], positions_a[300], positions_b[300];
    pose_make(MAP_SHEARED, &mesh, &random, rows);
    for (int j = 0; j < JOINTS; j++)
        for (int c = 0; c < 4; c++) {
            for (int r = 0; r < 3; r++)
                columns[16 * j + 4 * c + r] = rows[12 * j + 4 * r + c];
            columns[16 * j + 4 * c + 3] = NAN; /* the last row is not looked at */
        }
    graze_pose pose_a = {.joints = rows, .joint_count = JOINTS, .layout = GRAZE_ROWS_3X4};
    graze_pose pose_b = {.joints = columns, .joint_count = JOINTS, .layout = GRAZE_COLUMNS_4X4};
    CHECK(graze_body_set_pose(a, &pose_a, NULL) == GRAZE_OK);
    CHECK(graze_body_set_pose(b, &pose_b, NULL) == GRAZE_OK);
    graze_body_get_positions(a, positions_a);
    graze_body_get_positions(b, positions_b);
    CHECK(memcmp(positions_a, positions_b, sizeof positions_a) == 0);
    CHECK(graze_body_model(a) == model);
}

/* ---- one mesh on many nodes ---------------------------------------------------------------- */

enum { NODES = 100 };

/* A square of balls, each on a joint of its own at whose origin it was made; or all as one mesh. */
static graze_model *make_balls(bool on_nodes, float matrices[12 * NODES])
{
    OWN(solid) balls = {0};
    for (uint32_t n = 0; n < NODES; n++) {
        solid_add_ball(&balls, 1, 12);
        uint32_t each = balls.vertex_count / (n + 1);
        float at[3] = {2.5f * (float)(n % 10), 2.5f * (float)(n / 10), 0};
        for (uint32_t i = 0; i < 3; i++) {
            for (uint32_t v = 0; v < each; v++)
                balls.positions[3 * (n * each + v) + i] += on_nodes ? 0 : at[i];
            for (uint32_t k = 0; k < 4; k++)
                matrices[12 * n + 4 * i + k] = k == 3 ? (on_nodes ? at[i] : 0) : k == i;
        }
    }
    uint32_t count = balls.vertex_count;
    OWNED uint32_t *offsets = calloc(count + 1u, sizeof *offsets);
    OWNED graze_influence *influences = calloc(count, sizeof *influences);
    for (uint32_t v = 0; v < count; v++) {
        influences[v] = (graze_influence){v / (count / NODES), 1};
        offsets[v + 1] = v + 1;
    }
    graze_model_def def = {0};
    def.positions = balls.positions;
    def.vertex_count = count;
    def.triangles = balls.triangles;
    def.triangle_count = balls.triangle_count;
    def.joint_count = on_nodes ? NODES : 1;
    def.influence_offsets = on_nodes ? offsets : NULL;
    def.influences = on_nodes ? influences : NULL;
    def.rest_matrices = matrices;
    graze_model *model = NULL;
    CHECK(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    return model;
}

enum { ASK_SELF, ASK_RAYS, ASK_PAIRS, ASK_DISTANCE, QUESTIONS };

/* The second body is put beside the first; *answers is how much came out. */
static graze_stats ask_balls(graze_body *bodies[2], const float *matrices, uint32_t joint_count,
                             int question, size_t *answers)
{
    static const float beside[QUESTIONS] = {30, 30, 24, 25};
    const float placement[12] = {1, 0, 0, beside[question], 0, 1, 0, 0.3f, 0, 0, 1, 0};
    graze_pose pose = {.joints = matrices, .joint_count = joint_count};
    graze_stats stats = {0};
    pair_set pairs = {0};
    graze_pair_list own = {0};
    graze_nearest nearest;
    CHECK(!graze_body_set_pose(bodies[0], &pose, NULL));
    pose.placement = placement;
    CHECK(!graze_body_set_pose(bodies[1], &pose, NULL));
    *answers = 1;
    if (question == ASK_SELF) {
        CHECK(!graze_self_pairs(bodies[0], NULL, &own, &(graze_options){.stats = &stats}, NULL));
        *answers = own.total;
    }
    if (question == ASK_DISTANCE)
        CHECK(!graze_distance(bodies[0], bodies[1], INFINITY, &nearest,
                              &(graze_options){.stats = &stats}, NULL));
    if (question == ASK_PAIRS) {
        CHECK(!graze_pairs(bodies[0], bodies[1], TO_PAIR_SET(&pairs),
                           &(graze_options){.stats = &stats}, NULL));
        *answers = pairs.count;
        pair_set_free(&pairs);
    }
    for (int i = 0; question == ASK_RAYS && i < 100; i++) {
        const float from[3] = {0.31f * (float)i, 0.23f * (float)i, 5};
        const float to[3] = {2.5f * (float)(i % 10) + 0.4f, 2.5f * (float)(i / 10), 0};
        const graze_ray ray = graze_ray_between(from, to);
        graze_hit hit;
        CHECK(!graze_cast(bodies[0], &ray, &hit, &(graze_options){.stats = &stats}, NULL));
        *answers += hit.found;
    }
    return stats;
}

/* What it costs is the joints' boxes, not heaps at the origin. */
TEST(a_mesh_on_many_nodes_costs_what_one_mesh_does)
{
    static const char *const names[QUESTIONS] = {"self", "rays", "pairs", "distance"};
    static float matrices[2][12 * NODES];
    graze_model *models[2];
    graze_body *bodies[2][2];
    for (int i = 0; i < 2; i++) {
        models[i] = make_balls(i == 0, matrices[i]);
        bodies[i][0] = make_body(models[i]);
        bodies[i][1] = make_body(models[i]);
    }
    for (int q = 0; q < QUESTIONS; q++) {
        size_t answers[2];
        graze_stats on_nodes = ask_balls(bodies[0], matrices[0], NODES, q, &answers[0]);
        graze_stats baked = ask_balls(bodies[1], matrices[1], 1, q, &answers[1]);
        CHECK_MSG(answers[0] == answers[1], "%s: %zu and %zu", names[q], answers[0], answers[1]);
        const uint64_t boxes = q == ASK_SELF ? 100 * NODES : 0; /* one mesh has none to compare */
        CHECK_MSG(2 * on_nodes.bound_tests <= 3 * baked.bound_tests + boxes &&
                      2 * on_nodes.nodes_refit <= 3 * baked.nodes_refit + boxes &&
                      2 * on_nodes.patches_posed <= 3 * baked.patches_posed &&
                      2 * on_nodes.triangle_tests <= 3 * baked.triangle_tests,
                  "%s: %llu tests of bounds for %llu, %llu patches for %llu", names[q],
                  (unsigned long long)on_nodes.bound_tests, (unsigned long long)baked.bound_tests,
                  (unsigned long long)on_nodes.patches_posed,
                  (unsigned long long)baked.patches_posed);
    }
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(bodies[i][0]);
        graze_body_destroy(bodies[i][1]);
        graze_model_destroy(models[i]);
    }
}
