/* What queries do and leave undone: statistics, caches, stamps, the order of poses, stopping. */
#include "body/patches.h"
#include "harness.h"
#include "support/agreement.h"
#include "support/rigs.h"
#include "support/soup.h"

#include <graze/reference.h>

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
    graze_model *model_a = make_model(mesh, tree_a, GRAZE_ISA_BEST);
    graze_model *model_b = make_model(mesh, tree_b, GRAZE_ISA_BEST);
    graze_body *a = make_body(model_a), *b = make_body(model_b);
    graze_stats stats = {0};
    pair_set found = {0};
    bool hit = true;
    set_pose(a, mesh, 1, 0);
    set_pose(b, mesh, 2, 100);
    graze_collide(a, b, pair_set_take, &found, &stats, NULL);
    CHECK(found.count == 0 && found.calls == 0);
    CHECK(stats.nodes_refit == 2);
    CHECK(stats.bound_tests == 1);
    CHECK(stats.patches_posed == 0 && stats.vertices_posed == 0 && stats.triangle_tests == 0);
    CHECK(graze_collide_first(a, b, &hit, NULL, NULL, NULL) == GRAZE_OK && !hit);
    pair_set_free(&found);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model_a);
    graze_model_destroy(model_b);
}

TEST(far_apart_two_bounds_are_refitted_and_nothing_is_posed)
{
    soup mesh = make_mesh(1, 2000);
    for (uint32_t i = 0; i < agreement_tree_count(); i++) {
        check_far_apart(&mesh, agreement_tree(i), agreement_tree(i));
        check_far_apart(&mesh, agreement_tree(i), graze_default_tree_def());
        check_far_apart(&mesh, graze_paper_tree_def(), agreement_tree(i));
    }
    soup_free(&mesh);
}

TEST(touching_bodies_pose_a_small_part)
{
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    const graze_rig *rig = rigs[0].rig; /* the man */
    graze_model_def def = graze_rig_model_def(rig);
    def.tree.patch_triangles = 16;
    graze_model *model = NULL;
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    graze_model_info info = graze_model_get_info(model);
    graze_body *a = make_body(model), *b = make_body(model);
    float *positions = malloc(3 * sizeof *positions * rig->vertex_count);
    float *joints = calloc(12 * sizeof *joints, rig->joint_count);
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
    pair_set found = {0};
    graze_collide(a, b, pair_set_take, &found, &stats, NULL);
    CHECK_MSG(found.count > 0, "the men do not touch");
    CHECK_MSG(4 * stats.patches_posed < 2 * info.leaf_count, "%llu of %u patches posed",
              (unsigned long long)stats.patches_posed, 2 * info.leaf_count);
    CHECK(4 * stats.vertices_posed < 2 * (uint64_t)info.vertex_count);
    pair_set_free(&found);
    free(positions);
    free(joints);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model);
}

TEST(statistics_add_up)
{
    soup mesh = make_mesh(2, 500);
    graze_model *model = make_model(&mesh, graze_default_tree_def(), GRAZE_ISA_BEST);
    graze_body *a = make_body(model), *b = make_body(model);
    graze_stats once = {0}, twice = {0};
    pair_set found = {0};
    for (int run = 0; run < 3; run++) {
        set_pose(a, &mesh, 3, 0);
        set_pose(b, &mesh, 4, 0.1);
        graze_collide(a, b, pair_set_take, &found, run ? &twice : &once, NULL);
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
    graze_collide_eager(a, b, false, pair_set_take, &found, &eager, NULL);
    graze_collide_brute(a, b, pair_set_take, &found, &brute, NULL);
    graze_model_info info = graze_model_get_info(model);
    CHECK(eager.vertices_posed == 2 * (uint64_t)info.vertex_count);
    CHECK(eager.nodes_refit == 2 * (uint64_t)info.node_count);
    CHECK(brute.vertices_posed == 2 * (uint64_t)info.vertex_count);
    pair_set_free(&found);
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model);
    soup_free(&mesh);
}

/* ---- caches ------------------------------------------------------------------------------- */

/* A body that has been through much against a new one in the same pose. */
static bool same_answer(graze_body *old, graze_body *other, const soup *mesh, uint64_t seed)
{
    graze_body *fresh = make_body(old->model);
    pair_set expected = {0}, found = {0};
    graze_pair odd;
    set_pose(fresh, mesh, seed, 0);
    set_pose(old, mesh, seed, 0);
    graze_collide(fresh, other, pair_set_take, &expected, NULL, NULL);
    graze_collide(old, other, pair_set_take, &found, NULL, NULL);
    bool ok = pair_set_sort(&expected) && pair_set_sort(&found) &&
              pair_set_equal(&found, &expected, &odd) && found.count > 0;
    pair_set_free(&expected);
    pair_set_free(&found);
    graze_body_destroy(fresh);
    return ok;
}

TEST(the_order_of_poses_does_not_matter)
{
    soup mesh = make_mesh(3, 300);
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        graze_model *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        graze_body *body = make_body(model), *other = make_body(model);
        set_pose(other, &mesh, 99, 0.05);
        for (uint32_t i = 0; i < 30; i++) {
            bool hit;
            uint64_t seed = i * 7 % 5;
            if (i % 4 == 1)
                graze_body_refit_all(body);
            if (i % 6 == 2)
                graze_collide_first(body, other, &hit, NULL, NULL, NULL);
            if (i % 5 == 3)
                graze_body_drop_caches(body);
            CHECK_MSG(same_answer(body, other, &mesh, seed), "tree %u, pose %u", t, i);
        }
        graze_body_destroy(body);
        graze_body_destroy(other);
        graze_model_destroy(model);
    }
    soup_free(&mesh);
}

/* A stamp comes again after 2^31 poses: what was cached under it then is not taken for new. */
TEST(stamps_start_again_after_two_billion_poses)
{
    soup mesh = make_mesh(4, 300);
    for (uint32_t t = 0; t < agreement_tree_count(); t++) {
        graze_model *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        graze_body *body = make_body(model), *other = make_body(model);
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
        graze_body *fresh = make_body(model);
        set_pose(fresh, &mesh, 2, 0);
        graze_body_get_positions(body, positions);
        graze_body_get_positions(fresh, fresh_positions);
        CHECK_MSG(memcmp(positions, fresh_positions, sizeof positions) == 0, "tree %u", t);
        graze_body_destroy(fresh);
        graze_body_destroy(body);
        graze_body_destroy(other);
        graze_model_destroy(model);
    }
    soup_free(&mesh);
}

/* Patches are posed by themselves, and hold the very floats that get_positions writes. */
static bool patches_are_positions(const graze_model *model, const soup *mesh, uint64_t seed)
{
    graze_body *lazy = make_body(model), *eager = make_body(model);
    const grazei_tree *tree = &model->tree;
    graze_stats stats = {0};
    set_pose(lazy, mesh, seed, 0.3);
    set_pose(eager, mesh, seed, 0.3);
    float *positions = malloc(3 * sizeof *positions * mesh->def.vertex_count);
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
    free(positions);
    graze_body_destroy(lazy);
    graze_body_destroy(eager);
    return ok;
}

TEST(patches_hold_the_floats_of_get_positions)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    soup mesh = make_mesh(8, 400);
    for (uint32_t t = 0; t < agreement_tree_count(); t++)
        for (int i = 0; i < 3; i++) {
            if (!graze_isa_available(isas[i]))
                continue;
            graze_model *model = make_model(&mesh, agreement_tree(t), isas[i]);
            CHECK_MSG(patches_are_positions(model, &mesh, t), "tree %u, instruction set %d", t,
                      (int)isas[i]);
            graze_model_destroy(model);
        }
    soup_free(&mesh);
}

/* What one instruction set made ready, another one uses. */
TEST(instruction_sets_share_a_body)
{
    static const graze_isa isas[] = {GRAZE_ISA_BASE, GRAZE_ISA_AVX2, GRAZE_ISA_AVX512};
    soup mesh = make_mesh(5, 700);
    graze_model *models[3] = {0};
    graze_body *bodies[3] = {0};
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        if (graze_isa_available(isas[i])) {
            models[count] = make_model(&mesh, graze_default_tree_def(), isas[i]);
            bodies[count] = make_body(models[count]);
            set_pose(bodies[count], &mesh, 20 + (uint64_t)i, 0.02 * i);
            count++;
        }
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            pair_set expected = {0}, found = {0};
            graze_pair odd;
            if (a == b)
                continue;
            graze_collide(bodies[a], bodies[b], pair_set_take, &found, NULL,
                          NULL); /* caches kept */
            graze_collide_brute(bodies[a], bodies[b], pair_set_take, &expected, NULL, NULL);
            CHECK(expected.count > 0);
            CHECK(pair_set_sort(&found) && pair_set_sort(&expected));
            CHECK(pair_set_equal(&found, &expected, &odd));
            pair_set_free(&expected);
            pair_set_free(&found);
        }
    for (uint32_t i = 0; i < count; i++) {
        graze_body_destroy(bodies[i]);
        graze_model_destroy(models[i]);
    }
    soup_free(&mesh);
}

/* ---- stopping, layouts -------------------------------------------------------------------- */

TEST(a_callback_can_stop_the_query)
{
    soup mesh = make_mesh(6, 600);
    for (uint32_t t = 0; t < 2; t++) {
        graze_model *model = make_model(&mesh, agreement_tree(t), GRAZE_ISA_BEST);
        graze_body *a = make_body(model), *b = make_body(model);
        pair_set all = {0}, some = {.stop = 1};
        graze_collide(a, b, pair_set_take, &all, NULL, NULL);
        CHECK(all.calls > 2 && all.count > 600);
        graze_collide(a, b, pair_set_take, &some, NULL, NULL);
        CHECK(some.calls == 1 && some.count > 0 && some.count < all.count);
        pair_set_clear(&some);
        graze_collide_brute(a, b, pair_set_take, &some, NULL, NULL);
        CHECK(some.calls == 1);
        pair_set_clear(&some);
        graze_collide_eager(a, b, false, pair_set_take, &some, NULL, NULL);
        CHECK(some.calls == 1);
        some.stop = 2;
        pair_set_clear(&some);
        graze_collide(a, b, pair_set_take, &some, NULL, NULL);
        CHECK(some.calls == 2 && some.count < all.count);
        pair_set_free(&all);
        pair_set_free(&some);
        graze_body_destroy(a);
        graze_body_destroy(b);
        graze_model_destroy(model);
    }
    soup_free(&mesh);
}

TEST(rows_and_columns_are_the_same_pose)
{
    soup mesh = make_mesh(7, 100);
    graze_model *model = make_model(&mesh, graze_default_tree_def(), GRAZE_ISA_BEST);
    graze_body *a = make_body(model), *b = make_body(model);
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
    graze_body_destroy(a);
    graze_body_destroy(b);
    graze_model_destroy(model);
    soup_free(&mesh);
}
