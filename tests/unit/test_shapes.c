/* Shapes against bodies: what just touches, what a query costs, bad input. (Lazy == brute force, in
 * every way of asking: test_ways.c.)
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/rigid.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a query reports. */
typedef struct triangle_list {
    size_t count, calls;
} triangle_list;

static bool take(void *user, const uint32_t *triangles, size_t count)
{
    triangle_list *list = user;
    (void)triangles;
    list->count += count;
    list->calls++;
    return true;
}

/* ---- bodies ------------------------------------------------------------------------------- */

static bool make(variants *v, graze_model_def def, uint32_t count, uint32_t number)
{
    bool ok = true;
    *v = (variants){0};
    for (uint32_t i = 0; ok && i < count; i++) {
        def.tree = agreement_tree(i == 0 ? 0 : (number + i) % agreement_tree_count());
        def.isa = variants_isa(number + i);
        ok = variants_add(v, &def);
    }
    return ok;
}

/* ---- ties --------------------------------------------------------------------------------- */

/* Flat patches of a lattice sheet at z = 0, where bounds are as exact as triangles: shapes that
 * just touch it must not be culled, and shapes that just hold it must not lose a triangle.
 */
TEST(shapes_that_just_touch)
{
    enum { N = 16 };
    float positions[(N + 1) * (N + 1)][3];
    uint32_t triangles[2 * N * N][3], count = 0;
    for (uint32_t i = 0; i < (N + 1) * (N + 1); i++) {
        positions[i][0] = (float)(i % (N + 1));
        positions[i][1] = (float)(i / (N + 1));
        positions[i][2] = 0;
    }
    for (uint32_t y = 0; y < N; y++)
        for (uint32_t x = 0; x < N; x++) {
            uint32_t a = y * (N + 1) + x, b = a + 1, c = a + N + 1, d = c + 1;
            memcpy(triangles[count++], (uint32_t[3]){a, b, d}, sizeof *triangles);
            memcpy(triangles[count++], (uint32_t[3]){a, d, c}, sizeof *triangles);
        }
    graze_model_def def = test_rigid_def(positions[0], (N + 1) * (N + 1), triangles[0], count);
    const float middle[3] = {8, 8, 0}, above[3] = {3.25f, 5.5f, 2}, half[3] = {8, 8, 0};
    const float beside[3] = {-3, 4, 0}, end[3] = {-3, 4, 9}, up[3] = {0, 0, 1};
    const float least = test_flushes_denormals() ? 0x1p-126f : 0x1p-149f;
    const graze_shape shapes[] = {graze_shape_sphere(above, 2),
                                  graze_shape_sphere(beside, 3),
                                  graze_shape_capsule(beside, end, 3),
                                  graze_shape_box(middle, half, NULL),
                                  graze_shape_plane(up, 0),
                                  graze_shape_half_space(up, 0),
                                  graze_shape_half_space(up, -least),
                                  graze_shape_plane(up, least)};
    static const size_t expected[] = {1, 3, 3, 512, 512, 512, 0, 0};
    for (uint32_t tree = 0; tree < agreement_tree_count(); tree++) {
        OWN(variants) v = {0};
        triangle_list list = {0};
        REQUIRE(make(&v, def, 2, tree));
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            list.count = 0;
            CHECK(graze_touch(v.bodies[1], &shapes[i],
                              &(graze_triangle_list){.report = take, .user = &list}, NULL,
                              NULL) == GRAZE_OK);
            CHECK_MSG(list.count == expected[i], "tree %u, shape %zu: %zu triangles, not %zu", tree,
                      i, list.count, expected[i]);
        }
    }
}

/* ---- cost and stopping -------------------------------------------------------------------- */

static graze_body *character(graze_model **model, graze_model_info *info)
{
    uint32_t count;
    graze_model_def def = graze_rig_model_def(test_rigs(&count)[1].rig);
    graze_body *body = NULL;
    CHECK(graze_model_create(&def, model, NULL) == GRAZE_OK);
    CHECK(graze_body_create(*model, &body, NULL) == GRAZE_OK);
    *info = graze_model_get_info(*model);
    return body;
}

TEST(far_and_all_around_pose_nothing)
{
    OWN(graze_model) *model = NULL;
    graze_model_info info;
    graze_body *body = character(&model, &info);
    const float far[3] = {100, 0, 0}, half[3] = {90, 90, 90}, here[3] = {0, 0, 0};
    const graze_shape outside = graze_shape_sphere(far, 5), box = graze_shape_box(far, half, NULL);
    const graze_shape around[] = {graze_shape_sphere(here, 50), graze_shape_box(here, half, NULL),
                                  graze_shape_capsule(far, here, 150),
                                  graze_shape_half_space(far, 5000)};
    triangle_list list = {0};
    graze_stats stats = {0};
    CHECK(graze_touch(body, &outside, &(graze_triangle_list){.report = take, .user = &list},
                      &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
    CHECK(graze_touch(body, &box, &(graze_triangle_list){.report = take, .user = &list},
                      &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
    CHECK(list.count == 0 && stats.nodes_refit == 1 && stats.bound_tests == 2);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        graze_stats all = {0};
        graze_side side = GRAZE_OUTSIDE;
        list.count = list.calls = 0;
        graze_body_drop_caches(body);
        CHECK(graze_touch(body, &around[i], &(graze_triangle_list){.report = take, .user = &list},
                          &(graze_options){.stats = &all}, NULL) == GRAZE_OK);
        CHECK_MSG(list.count == info.triangle_count && list.calls == 1, "shape %zu", i);
        CHECK(all.nodes_refit == 1 && all.patches_posed == 0 && all.triangle_tests == 0);
        CHECK(graze_cull(body, &around[i], 0, &side, NULL, NULL) == GRAZE_OK);
        CHECK_MSG(side == GRAZE_INSIDE, "shape %zu", i);
    }
    graze_body_destroy(body);
}

/* A small sphere on the surface poses a few patches, and the first hit no more than that. */
TEST(small_shapes_pose_little)
{
    OWN(graze_model) *model = NULL;
    graze_model_info info;
    graze_body *body = character(&model, &info);
    OWNED float *positions = malloc(3 * sizeof *positions * info.vertex_count);
    graze_body_get_positions(body, positions);
    test_random random = test_random_seed(5);
    uint64_t all = 0, first = 0;
    for (int i = 0; i < 50; i++) {
        uint32_t vertex = test_random_u32(&random) % info.vertex_count;
        graze_shape sphere = graze_shape_sphere(positions + 3 * (size_t)vertex, 0.01f);
        triangle_list list = {0};
        graze_stats stats = {0}, less = {0};
        graze_body_drop_caches(body);
        CHECK(graze_touch(body, &sphere, &(graze_triangle_list){.report = take, .user = &list},
                          &(graze_options){.stats = &stats}, NULL) == GRAZE_OK);
        graze_body_drop_caches(body);
        CHECK(test_touches(body, &sphere, &less) && list.count > 0);
        CHECK(less.patches_posed >= 1 && less.patches_posed <= stats.patches_posed);
        all += stats.patches_posed;
        first += less.patches_posed;
    }
    printf("     of %u patches %.1f are posed for all triangles, %.1f for the first\n",
           info.leaf_count, (double)all / 50, (double)first / 50);
    CHECK(all < 50 * info.leaf_count / 3);
    graze_body_destroy(body);
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void refuse(graze_body *body, const graze_shape *shape, const char *text)
{
    graze_error errors[4] = {{.text = ""}, {.text = ""}, {.text = ""}, {.text = ""}};
    triangle_list list = {0};
    graze_triangle_list any = {0};
    graze_side side = GRAZE_INSIDE;
    CHECK(graze_touch(body, shape, &(graze_triangle_list){.report = take, .user = &list}, NULL,
                      &errors[0]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch(body, shape, &(graze_triangle_list){.report = take, .user = &list},
                      &(graze_options){.method = GRAZE_BRUTE}, &errors[1]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch(body, shape, &any, &(graze_options){.any = true}, &errors[2]) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_cull(body, shape, 0, &side, NULL, &errors[3]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch(body, shape, &(graze_triangle_list){.report = take, .user = &list}, NULL,
                      NULL) == GRAZE_BAD_INPUT);
    for (int i = 0; i < 4; i++)
        CHECK_MSG(strstr(errors[i].text, text), "\"%s\" says nothing of \"%s\"", errors[i].text,
                  text);
    CHECK(list.count == 0 && any.total == 0 && side == GRAZE_INSIDE);
}

TEST(bad_shapes_are_refused)
{
    OWN(graze_model) *model = NULL;
    graze_model_info info;
    OWN(graze_body) *body = character(&model, &info);
    const float here[3] = {0, 0, 0}, nowhere[3] = {0, NAN, 0}, far[3] = {1e18f, 0, 0};
    const float half[3] = {1, 1, 1}, negative[3] = {1, -1, 1}, zero[4] = {0, 0, 0, 0};
    const float up[3] = {0, 1, 0};
    const graze_half_space planes[9] = {{{0, 1, 0}, 1}, {{0, 0, 0}, 1}};
    graze_shape skewed = graze_shape_box(here, half, NULL), odd = {.kind = (graze_shape_kind)77};
    skewed.as.box.axes[1][0] = 0.1f;
    const struct {
        graze_shape shape;
        const char *text;
    } bad[] = {{graze_shape_sphere(nowhere, 1), "centre of the sphere"},
               {graze_shape_sphere(here, -1), "radius is -1"},
               {graze_shape_sphere(here, NAN), "radius is"},
               {graze_shape_sphere(here, INFINITY), "radius is inf"},
               {graze_shape_capsule(far, here, 1), "end p"},
               {graze_shape_capsule(here, nowhere, 1), "end q"},
               {graze_shape_capsule(here, up, -0.5f), "radius is -0.5"},
               {graze_shape_box(far, half, NULL), "centre of the box"},
               {graze_shape_box(here, negative, NULL), "second half side is -1"},
               {graze_shape_box(here, half, zero), "axes"},
               {skewed, "axes"},
               {graze_shape_plane(here, 1), "normal is zero"},
               {graze_shape_plane(nowhere, 1), "plane 0"},
               {graze_shape_half_space(up, INFINITY), "plane 0"},
               {graze_shape_frustum(planes, 0), "0 planes"},
               {graze_shape_frustum(planes, 2), "plane 1 has no direction"},
               {graze_shape_frustum(planes, 9), "9 planes"},
               {odd, "kind 77"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse(body, &bad[i].shape, bad[i].text);
    refuse(body, NULL, "the shape is NULL");
    graze_shape good = graze_shape_sphere(here, 1);
    refuse(NULL, &good, "the body is NULL");
}
