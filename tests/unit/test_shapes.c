/* Shapes against bodies: lazy == brute force on every tree, instruction set and way to deform, in
 * one go and in steps; what is known from bounds alone; what a query costs; bad input.
 */
#include "harness.h"
#include "query/shapes.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHAPE_KINDS = 6 };

/* ---- lists of triangles ------------------------------------------------------------------- */

typedef struct triangle_list {
    uint32_t *triangles;
    size_t count, capacity;
    size_t calls, stop; /* says stop at this call; 0: never */
} triangle_list;

static bool take(void *user, const uint32_t *triangles, size_t count)
{
    triangle_list *list = user;
    if (list->count + count > list->capacity) {
        list->capacity = 2 * (list->count + count);
        list->triangles = realloc(list->triangles, list->capacity * sizeof *list->triangles);
    }
    memcpy(list->triangles + list->count, triangles, count * sizeof *triangles);
    list->count += count;
    return ++list->calls != list->stop;
}

static int compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

static void sort(triangle_list *list)
{
    if (list->count)
        qsort(list->triangles, list->count, sizeof *list->triangles, compare);
}

static bool has(const triangle_list *list, uint32_t triangle)
{
    return list->count &&
           bsearch(&triangle, list->triangles, list->count, sizeof triangle, compare);
}

/* ---- shapes ------------------------------------------------------------------------------- */

typedef struct place {
    double middle[3], size;
    bool lattice;
} place;

static float near_place(const place *at, int k, double reach, test_random *random)
{
    double x = at->middle[k] + at->size * test_random_range(random, -reach, reach);
    return (float)(at->lattice ? round(x) : x);
}

/* About the size of the place, often smaller, now and then around all of it. */
static float some_length(const place *at, test_random *random)
{
    double x = at->size * pow(test_random_unit(random), 3) * (test_random_u32(random) % 8 ? 1 : 5);
    return (float)(at->lattice ? round(2 * x) / 2 : x);
}

static graze_half_space some_plane(const place *at, double reach, test_random *random)
{
    graze_half_space plane = {{0, 0, 0}, 0};
    double offset = 0;
    while (!plane.normal[0] && !plane.normal[1] && !plane.normal[2])
        for (int k = 0; k < 3; k++)
            plane.normal[k] = at->lattice ? (float)(test_random_u32(random) % 5) - 2
                                          : (float)test_random_range(random, -2, 2);
    for (int k = 0; k < 3; k++)
        offset += (double)plane.normal[k] * near_place(at, k, reach, random);
    plane.offset = (float)offset;
    return plane;
}

static graze_shape some_frustum(const place *at, test_random *random)
{
    graze_half_space planes[GRAZE_MAX_PLANES];
    uint32_t count = 1 + test_random_u32(random) % GRAZE_MAX_PLANES;
    for (uint32_t p = 0; p < count; p++) {
        planes[p] = some_plane(at, 1, random);
        double middle = 0; /* most look at the middle from outside */
        for (int k = 0; k < 3; k++)
            middle += (double)planes[p].normal[k] * at->middle[k];
        if (middle > (double)planes[p].offset && test_random_u32(random) % 4) {
            for (int k = 0; k < 3; k++)
                planes[p].normal[k] = -planes[p].normal[k];
            planes[p].offset = -planes[p].offset;
        }
    }
    return graze_shape_frustum(planes, count);
}

static graze_shape some_shape(int kind, const place *at, test_random *random)
{
    float points[2][3], half[3], turn[4] = {0, 0, 0, 1};
    graze_half_space plane = some_plane(at, 0.8, random);
    for (int i = 0; i < 6; i++)
        points[i / 3][i % 3] = near_place(at, i % 3, 0.8, random);
    for (int k = 0; k < 3; k++)
        half[k] = some_length(at, random);
    for (int k = 0; k < 4 && !at->lattice; k++)
        turn[k] += (float)test_random_range(random, -1, 1);
    switch (kind) {
    case GRAZE_SPHERE:
        return graze_shape_sphere(points[0], some_length(at, random));
    case GRAZE_CAPSULE:
        return graze_shape_capsule(points[0], points[1], 0.5f * some_length(at, random));
    case GRAZE_BOX:
        return graze_shape_box(points[0], half, turn);
    case GRAZE_PLANE:
        return graze_shape_plane(plane.normal, plane.offset);
    case GRAZE_HALF_SPACE:
        return graze_shape_half_space(plane.normal, plane.offset);
    default:
        return some_frustum(at, random);
    }
}

/* ---- the judge ---------------------------------------------------------------------------- */

typedef struct seen {
    uint64_t shapes, hits, whole, triangles, queries, inside, outside;
} seen;

static void seen_print(const char *what, const seen *s)
{
    printf("     %s: %llu shapes, %llu meet something, %llu everything, %llu triangles in all; "
           "%llu queries compared; bounds said inside %llu times, outside %llu\n",
           what, (unsigned long long)s->shapes, (unsigned long long)s->hits,
           (unsigned long long)s->whole, (unsigned long long)s->triangles,
           (unsigned long long)s->queries, (unsigned long long)s->inside,
           (unsigned long long)s->outside);
}

static bool same(triangle_list *list, const triangle_list *expected, const char *name,
                 const char *method, seen *s)
{
    sort(list);
    s->queries++;
    bool ok = list->count == expected->count &&
              (!list->count || !memcmp(list->triangles, expected->triangles,
                                       list->count * sizeof *list->triangles));
    return test_check(ok, __FILE__, __LINE__, "%s: %s finds %zu triangles, brute force %zu", name,
                      method, list->count, expected->count);
}

static bool check_touch(graze_body *body, const graze_shape *shape, const triangle_list *expected,
                        const char *name, triangle_list *list, seen *s)
{
    graze_stats warm = {0};
    static const char *const methods[] = {"lazy", "lazy from caches", "bottom-up"};
    for (int way = 0; way < 3; way++) {
        if (way != 1)
            graze_body_drop_caches(body);
        if (way == 2)
            graze_body_refit_all(body);
        list->count = 0;
        CHECK(graze_touch(body, shape, take, list, way == 1 ? &warm : NULL, NULL) == GRAZE_OK);
        if (!same(list, expected, name, methods[way], s))
            return false;
    }
    return test_check(!warm.nodes_refit && !warm.vertices_posed, __FILE__, __LINE__,
                      "%s: the second query computes again", name);
}

static bool check_first(graze_body *body, const graze_shape *shape, const triangle_list *expected,
                        const char *name, seen *s)
{
    bool hit = false;
    uint32_t triangle = UINT32_MAX;
    graze_body_drop_caches(body);
    CHECK(graze_touch_first(body, shape, &hit, &triangle, NULL, NULL) == GRAZE_OK);
    s->queries++;
    return test_check(hit == (expected->count > 0) &&
                          (hit ? has(expected, triangle) : triangle == UINT32_MAX),
                      __FILE__, __LINE__, "%s: first gives %d, %u", name, hit, triangle);
}

/* In small steps; nothing is reported twice, and what is unfinished has something left to do. */
static bool check_steps(graze_body *body, const graze_shape *shape, const triangle_list *expected,
                        const char *name, triangle_list *list, seen *s)
{
    grazei_touch_question question;
    grazei_agenda agenda;
    grazei_shape made;
    graze_stats stats = {0};
    uint32_t steps = 0;
    graze_body_drop_caches(body);
    list->count = 0;
    CHECK(grazei_shape_prepare(&made, shape, NULL) == GRAZE_OK);
    grazei_touch_begin(&question, &agenda, body, &made, take, list, &stats);
    while (agenda.count) {
        agenda.last_bound_test = stats.bound_tests + (steps % 3 == 1 ? 5 : 0);
        agenda.last_triangle_test = stats.triangle_tests + 3;
        question.base.run(&question.base, &agenda, &stats);
        if (!test_check(agenda.count || list->count == expected->count, __FILE__, __LINE__,
                        "%s: finished too early", name) ||
            !test_check(++steps < 100000, __FILE__, __LINE__, "%s: never ends", name))
            return false;
    }
    return same(list, expected, name, "lazy in steps", s);
}

static bool check_sides(graze_body *body, const graze_shape *shape, const triangle_list *expected,
                        uint32_t all, const char *name, seen *s)
{
    static const uint32_t depths[] = {0, 1, 3, UINT32_MAX};
    for (int i = 0; i < 4; i++) {
        graze_side side = GRAZE_CROSSING;
        graze_stats stats = {0};
        graze_body_drop_caches(body);
        CHECK(graze_classify(body, shape, depths[i], &side, &stats, NULL) == GRAZE_OK);
        s->queries++;
        s->inside += side == GRAZE_INSIDE;
        s->outside += side == GRAZE_OUTSIDE;
        if (!test_check((side != GRAZE_OUTSIDE || expected->count == 0) &&
                            (side != GRAZE_INSIDE || expected->count == all),
                        __FILE__, __LINE__, "%s: side %d at depth %u, but %zu triangles of %u meet",
                        name, (int)side, depths[i], expected->count, all) ||
            !test_check(!stats.patches_posed && !stats.vertices_posed &&
                            (depths[i] || (stats.nodes_refit == 1 && stats.bound_tests == 1)),
                        __FILE__, __LINE__, "%s: culling at depth %u does too much", name,
                        depths[i]))
            return false;
    }
    return true;
}

static bool check_shape(graze_body *const *bodies, int body_count, const graze_shape *shape,
                        const char *name, seen *s)
{
    triangle_list expected = {0}, list = {0};
    uint32_t all = graze_model_get_info(graze_body_model(bodies[0])).triangle_count;
    graze_error error = {.text = ""};
    bool ok = test_check(graze_touch_brute(bodies[0], shape, take, &expected, NULL, &error) == 0,
                         __FILE__, __LINE__, "%s: %s", name, error.text);
    for (int i = 0; ok && i < body_count; i++)
        ok = check_touch(bodies[i], shape, &expected, name, &list, s) &&
             check_first(bodies[i], shape, &expected, name, s) &&
             check_steps(bodies[i], shape, &expected, name, &list, s) &&
             check_sides(bodies[i], shape, &expected, all, name, s);
    s->shapes++;
    s->hits += expected.count > 0;
    s->whole += expected.count == all;
    s->triangles += expected.count;
    free(expected.triangles);
    free(list.triangles);
    return ok;
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

static bool set_pose(variants *v, const graze_pose *pose, const char *name, place *at)
{
    bool taken = variants_pose(v, pose, name);
    if (taken)
        at->size = variants_extent(v, at->middle);
    return taken;
}

/* ---- agreement ---------------------------------------------------------------------------- */

static bool check_skin(uint32_t number, seen *s)
{
    char name[64];
    test_random random = test_random_seed(700 + number);
    bool lattice = number % 3 == 0;
    soup_def def = {.vertex_count = 4 + test_random_u32(&random) % 150,
                    .triangle_count = 1 + test_random_u32(&random) % 300,
                    .joint_count = 2 + test_random_u32(&random) % 9,
                    .max_influences = lattice ? 1 : 1 + test_random_u32(&random) % 4,
                    .size = lattice ? 8 : 1,
                    .offset = number % 7 == 4 ? 1000 : 0,
                    .flat = number % 5 == 3,
                    .lattice = lattice};
    deform_skin skin = deform_skin_make(&def, lattice ? 0 : number % 4, &random);
    graze_skinning kind =
        number % 2 ? (number % 4 == 1 ? GRAZE_SPHERICAL : GRAZE_DUAL) : GRAZE_LINEAR;
    float *joints = malloc(12 * sizeof *joints * def.joint_count), placement[12];
    float *weights = malloc(sizeof *weights * (skin.morph_count + 1));
    variants v;
    bool ok = make(&v, deform_skin_def(&skin, kind), 3, number);
    for (uint32_t p = 0; ok && p < 4; p++) {
        deform_pose_kind pose_kind =
            lattice ? (p % 2 ? DEFORM_LATTICE : DEFORM_SAME)
                    : (deform_pose_kind)(test_random_u32(&random) % DEFORM_POSE_COUNT);
        deform_pose_make(pose_kind, skin.mesh.centre, def.size, def.joint_count, &random, joints);
        deform_weights_make(skin.morph_count, &random, weights);
        graze_pose pose = {.joints = joints, .joint_count = def.joint_count};
        if (!lattice && deform_placement_make(def.size, &random, placement))
            pose.placement = placement;
        if (skin.morph_count) {
            pose.morph_weights = weights;
            pose.morph_count = skin.morph_count;
        }
        place at = {.lattice = lattice};
        if (!set_pose(&v, &pose, "skin", &at))
            continue;
        for (int k = 0; ok && k < SHAPE_KINDS; k++) {
            graze_shape shape = some_shape(k, &at, &random);
            snprintf(name, sizeof name, "skin %u, pose %u, shape %d", number, p, k);
            ok = check_shape(v.bodies, v.count, &shape, name, s);
        }
    }
    variants_free(&v);
    free(joints);
    free(weights);
    deform_skin_free(&skin);
    return ok;
}

TEST(random_skins_agree)
{
    seen s = {0};
    uint32_t count = test_amount(400, 30);
    for (uint32_t i = 0; i < count && check_skin(i, &s); i++)
        ;
    seen_print("random skins", &s);
    CHECK(s.hits > s.shapes / 3 && s.hits < s.shapes && s.whole > s.shapes / 20);
    CHECK(s.inside > 0 && s.outside > 0);
}

static bool check_rig(const test_rig *rig, uint32_t number, seen *s)
{
    const graze_rig *r = rig->rig;
    test_random random = test_random_seed(900 + number);
    bool ok = true;
    for (uint32_t k = 0; ok && k < (r->skinned ? 3u : 1u); k++) {
        variants v;
        graze_model_def def = test_rig_def(r);
        def.skinning = (graze_skinning)k;
        ok = make(&v, def, test_is_quick() ? 2 : 3, number + 5 * k);
        for (uint32_t f = 0; ok && f < 2; f++) {
            uint32_t clip = r->clip_count ? (f + k) % r->clip_count : GRAZE_NONE;
            double seconds = r->clip_count ? (double)r->clips[clip].seconds : 0;
            graze_pose pose = test_rig_pose(r, clip, (0.2 + 0.5 * f) * seconds);
            place at = {.lattice = false};
            ok = test_check(set_pose(&v, &pose, rig->name, &at), __FILE__, __LINE__, "%s: no pose",
                            rig->name);
            for (int shape_kind = 0; ok && shape_kind < SHAPE_KINDS; shape_kind++) {
                graze_shape shape = some_shape(shape_kind, &at, &random);
                ok = check_shape(v.bodies, v.count, &shape, rig->name, s);
            }
        }
        variants_free(&v);
    }
    return ok;
}

TEST(characters_agree)
{
    seen s = {0};
    uint32_t count;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t i = 0; i < count; i++)
        if (!test_is_quick() || rigs[i].rig->triangle_count < 3000)
            check_rig(&rigs[i], i, &s);
    seen_print("characters", &s);
    CHECK(s.hits > s.shapes / 3);
    if (!test_rigs_are_shared())
        SKIP_ALLOWED("procedural characters only: the shared models are not there");
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
    graze_model_def def = graze_default_model_def();
    def.positions = positions[0];
    def.vertex_count = (N + 1) * (N + 1);
    def.triangles = triangles[0];
    def.triangle_count = count;
    def.joint_count = 1;
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
        variants v;
        triangle_list list = {0};
        REQUIRE(make(&v, def, 2, tree));
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            list.count = 0;
            CHECK(graze_touch(v.bodies[1], &shapes[i], take, &list, NULL, NULL) == GRAZE_OK);
            CHECK_MSG(list.count == expected[i], "tree %u, shape %zu: %zu triangles, not %zu", tree,
                      i, list.count, expected[i]);
        }
        free(list.triangles);
        variants_free(&v);
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
    graze_model *model;
    graze_model_info info;
    graze_body *body = character(&model, &info);
    const float far[3] = {100, 0, 0}, half[3] = {90, 90, 90}, here[3] = {0, 0, 0};
    const graze_shape outside = graze_shape_sphere(far, 5), box = graze_shape_box(far, half, NULL);
    const graze_shape around[] = {graze_shape_sphere(here, 50), graze_shape_box(here, half, NULL),
                                  graze_shape_capsule(far, here, 150),
                                  graze_shape_half_space(far, 5000)};
    triangle_list list = {0};
    graze_stats stats = {0};
    CHECK(graze_touch(body, &outside, take, &list, &stats, NULL) == GRAZE_OK);
    CHECK(graze_touch(body, &box, take, &list, &stats, NULL) == GRAZE_OK);
    CHECK(list.count == 0 && stats.nodes_refit == 1 && stats.bound_tests == 2);
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        graze_stats all = {0};
        graze_side side = GRAZE_OUTSIDE;
        list.count = list.calls = 0;
        graze_body_drop_caches(body);
        CHECK(graze_touch(body, &around[i], take, &list, &all, NULL) == GRAZE_OK);
        CHECK_MSG(list.count == info.triangle_count && list.calls == 1, "shape %zu", i);
        CHECK(all.nodes_refit == 1 && all.patches_posed == 0 && all.triangle_tests == 0);
        CHECK(graze_classify(body, &around[i], 0, &side, NULL, NULL) == GRAZE_OK);
        CHECK_MSG(side == GRAZE_INSIDE, "shape %zu", i);
    }
    free(list.triangles);
    graze_body_destroy(body);
    graze_model_destroy(model);
}

/* A small sphere on the surface poses a few patches, and the first hit no more than that. */
TEST(small_shapes_pose_little)
{
    graze_model *model;
    graze_model_info info;
    graze_body *body = character(&model, &info);
    float *positions = malloc(3 * sizeof *positions * info.vertex_count);
    graze_body_get_positions(body, positions);
    test_random random = test_random_seed(5);
    uint64_t all = 0, first = 0;
    for (int i = 0; i < 50; i++) {
        uint32_t vertex = test_random_u32(&random) % info.vertex_count;
        graze_shape sphere = graze_shape_sphere(positions + 3 * (size_t)vertex, 0.01f);
        triangle_list list = {0};
        graze_stats stats = {0}, less = {0};
        bool hit = false;
        graze_body_drop_caches(body);
        CHECK(graze_touch(body, &sphere, take, &list, &stats, NULL) == GRAZE_OK);
        graze_body_drop_caches(body);
        CHECK(graze_touch_first(body, &sphere, &hit, NULL, &less, NULL) == GRAZE_OK);
        CHECK(hit && list.count > 0);
        CHECK(less.patches_posed >= 1 && less.patches_posed <= stats.patches_posed);
        all += stats.patches_posed;
        first += less.patches_posed;
        free(list.triangles);
    }
    printf("     of %u patches %.1f are posed for all triangles, %.1f for the first\n",
           info.leaf_count, (double)all / 50, (double)first / 50);
    CHECK(all < 50 * info.leaf_count / 3);
    free(positions);
    graze_body_destroy(body);
    graze_model_destroy(model);
}

TEST(the_caller_can_stop)
{
    graze_model *model;
    graze_model_info info;
    graze_body *body = character(&model, &info);
    const float up[3] = {0, 1, 0}, none[3] = {0, 0, 0};
    const graze_shape shapes[] = {graze_shape_half_space(up, 0.7f), graze_shape_sphere(none, 50)};
    for (int i = 0; i < 4; i++) {
        triangle_list list = {.stop = 1};
        CHECK((i / 2 ? graze_touch_brute : graze_touch)(body, &shapes[i % 2], take, &list, NULL,
                                                        NULL) == GRAZE_OK);
        CHECK(list.calls == 1 && list.count > 0);
        free(list.triangles);
    }
    graze_body_destroy(body);
    graze_model_destroy(model);
}

/* ---- bad input ---------------------------------------------------------------------------- */

static void refuse(graze_body *body, const graze_shape *shape, const char *text)
{
    graze_error errors[4] = {{.text = ""}, {.text = ""}, {.text = ""}, {.text = ""}};
    triangle_list list = {0};
    bool hit = true;
    graze_side side = GRAZE_INSIDE;
    CHECK(graze_touch(body, shape, take, &list, NULL, &errors[0]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch_brute(body, shape, take, &list, NULL, &errors[1]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch_first(body, shape, &hit, NULL, NULL, &errors[2]) == GRAZE_BAD_INPUT);
    CHECK(graze_classify(body, shape, 0, &side, NULL, &errors[3]) == GRAZE_BAD_INPUT);
    CHECK(graze_touch(body, shape, take, &list, NULL, NULL) == GRAZE_BAD_INPUT);
    for (int i = 0; i < 4; i++)
        CHECK_MSG(strstr(errors[i].text, text), "\"%s\" says nothing of \"%s\"", errors[i].text,
                  text);
    CHECK(list.count == 0 && hit && side == GRAZE_INSIDE);
}

TEST(bad_shapes_are_refused)
{
    graze_model *model;
    graze_model_info info;
    graze_body *body = character(&model, &info);
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
    graze_error error = {.text = ""};
    CHECK(graze_touch(body, &good, NULL, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "report"));
    graze_body_destroy(body);
    graze_model_destroy(model);
}
