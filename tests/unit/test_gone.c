/* Bodies that outlive their model, bodies that are NULL, bodies of the wrong model: clear errors.
 */
#include "harness.h"
#include "support/soup.h"

#include <graze/reference.h>

#include <string.h>

static bool no_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    CHECK(!"a pair was reported");
    return true;
}

static bool no_nodes(void *user, const graze_node_pair *pair)
{
    (void)user, (void)pair;
    CHECK(!"a pair of nodes was reported");
    return true;
}

static bool no_self(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    CHECK(!"a pair was reported");
    return true;
}

static bool no_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    (void)user, (void)hits, (void)count;
    CHECK(!"a hit was reported");
    return true;
}

static bool no_triangles(void *user, const uint32_t *triangles, size_t count)
{
    (void)user, (void)triangles, (void)count;
    CHECK(!"a triangle was reported");
    return true;
}

static bool no_impacts(void *user, const graze_impact *impacts, size_t count)
{
    (void)user, (void)impacts, (void)count;
    CHECK(!"an impact was reported");
    return true;
}

/* Each expects an error whose text says why. */
#define REFUSED(call, why)                                                                         \
    do {                                                                                           \
        graze_error error = {.text = ""};                                                          \
        graze_status status = (call);                                                              \
        CHECK_MSG(status == GRAZE_BAD_INPUT && strstr(error.text, why), "%s: %d, \"%s\"", #call,   \
                  (int)status, error.text);                                                        \
    } while (0)

static void ask_pairs(graze_body *a, graze_body *b, const char *why)
{
    graze_nearest nearest;
    bool answer;
    float least;
    REFUSED(graze_collide(a, b, no_pairs, NULL, NULL, &error), why);
    REFUSED(graze_collide_first(a, b, &answer, NULL, NULL, &error), why);
    REFUSED(graze_collide_eager(a, b, false, no_pairs, NULL, NULL, &error), why);
    REFUSED(graze_collide_brute(a, b, no_pairs, NULL, NULL, &error), why);
    REFUSED(graze_collide_bounds(a, b, no_nodes, NULL, NULL, &error), why);
    REFUSED(graze_distance(a, b, 1, &nearest, NULL, &error), why);
    REFUSED(graze_distance_brute(a, b, 1, &nearest, NULL, &error), why);
    REFUSED(graze_distance_bound(a, b, &least, NULL, &error), why);
    REFUSED(graze_closer_than(a, b, 1, &answer, NULL, NULL, &error), why);
    REFUSED(graze_within(a, b, 1, no_pairs, NULL, NULL, &error), why);
    REFUSED(graze_within_brute(a, b, 1, no_pairs, NULL, NULL, &error), why);
}

static void ask_sweeps(graze_body *a, graze_body *b, const char *why)
{
    graze_motion motions[2] = {{a, a}, {b, b}};
    graze_impact impact;
    REFUSED(graze_sweep(&motions[0], &motions[1], false, &impact, NULL, &error), why);
    REFUSED(graze_sweep_pairs(&motions[0], &motions[1], false, no_impacts, NULL, NULL, &error),
            why);
    REFUSED(graze_sweep_brute(&motions[0], &motions[1], false, no_impacts, NULL, NULL, &error),
            why);
}

static void ask_one(graze_body *body, const char *why)
{
    const float point[3] = {0, 0, 0};
    graze_ray ray = graze_default_ray();
    graze_shape shape = graze_shape_sphere(point, 1);
    graze_ray_hit hit;
    graze_point_side inside;
    graze_side side;
    bool answer;
    float winding;
    REFUSED(graze_collide_self(body, GRAZE_SELF_ALL, no_self, NULL, NULL, &error), why);
    REFUSED(graze_collide_self_first(body, GRAZE_SELF_ALL, &answer, NULL, NULL, &error), why);
    const graze_self_between between = {.pairs = NULL, .pair_count = 0, .group_count = 0};
    REFUSED(graze_collide_self_between(body, GRAZE_SELF_ALL, &between, no_self, NULL, NULL, &error),
            why);
    REFUSED(graze_collide_self_eager(body, GRAZE_SELF_ALL, no_self, NULL, NULL, &error), why);
    REFUSED(graze_collide_self_brute(body, GRAZE_SELF_ALL, no_self, NULL, NULL, &error), why);
    REFUSED(graze_cast(body, &ray, &hit, NULL, &error), why);
    REFUSED(graze_cast_any(body, &ray, &hit, NULL, &error), why);
    REFUSED(graze_cast_all(body, &ray, no_hits, NULL, NULL, &error), why);
    REFUSED(graze_cast_many(body, &ray, 1, &hit, NULL, &error), why);
    REFUSED(graze_cast_brute(body, &ray, no_hits, NULL, NULL, &error), why);
    REFUSED(graze_touch(body, &shape, no_triangles, NULL, NULL, &error), why);
    REFUSED(graze_touch_first(body, &shape, &answer, NULL, NULL, &error), why);
    REFUSED(graze_touch_brute(body, &shape, no_triangles, NULL, NULL, &error), why);
    REFUSED(graze_classify(body, &shape, 0, &side, NULL, &error), why);
    REFUSED(graze_point_inside(body, point, &inside, NULL, &error), why);
    REFUSED(graze_point_inside_brute(body, point, &inside, NULL, &error), why);
    REFUSED(graze_winding_number(body, point, &winding, NULL, &error), why);
}

typedef struct scene {
    soup mesh;
    graze_model *models[2];
    graze_body *bodies[2];
} scene;

static bool open_scene(scene *s)
{
    test_random random = test_random_seed(5);
    soup_def def = {.vertex_count = 90,
                    .triangle_count = 120,
                    .joint_count = 3,
                    .max_influences = 2,
                    .size = 1};
    *s = (scene){.mesh = soup_make(&def, &random)};
    graze_model_def model_def = soup_model_def(&s->mesh);
    bool ok = true;
    for (int i = 0; i < 2; i++)
        ok = ok && graze_model_create(&model_def, &s->models[i], NULL) == GRAZE_OK &&
             graze_body_create(s->models[i], &s->bodies[i], NULL) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no scene");
}

static void close_scene(scene *s)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(s->bodies[i]);
        graze_model_destroy(s->models[i]);
    }
    soup_free(&s->mesh);
}

static bool count_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

/* Bodies hold their model: what the caller lets go of stays as long as one of them. */
TEST(bodies_outlive_what_the_caller_holds_of_their_model)
{
    scene s;
    float joints[36] = {0};
    for (int j = 0; j < 3; j++)
        joints[12 * j] = joints[12 * j + 5] = joints[12 * j + 10] = 1;
    if (open_scene(&s)) {
        size_t before = 0, after = 0;
        graze_pose pose = {.joints = joints, .joint_count = 3};
        CHECK(!graze_collide(s.bodies[0], s.bodies[1], count_pairs, &before, NULL, NULL));
        for (int i = 0; i < 2; i++) {
            graze_model_destroy(s.models[i]);
            s.models[i] = NULL;
            CHECK(!graze_body_set_pose(s.bodies[i], &pose, NULL));
        }
        CHECK(!graze_collide(s.bodies[0], s.bodies[1], count_pairs, &after, NULL, NULL));
        CHECK_MSG(before && before == after, "%zu pairs before, %zu after", before, after);
    }
    close_scene(&s);
}

TEST(bodies_that_are_not_there)
{
    scene s;
    if (open_scene(&s)) {
        ask_pairs(s.bodies[0], NULL, "NULL");
        ask_pairs(NULL, s.bodies[0], "NULL");
        ask_sweeps(s.bodies[0], NULL, "NULL");
        ask_one(NULL, "NULL");
    }
    close_scene(&s);
}

TEST(one_body_twice)
{
    scene s;
    if (open_scene(&s)) {
        graze_error error = {.text = ""};
        CHECK(graze_collide(s.bodies[0], s.bodies[0], no_pairs, NULL, NULL, &error) ==
              GRAZE_BAD_INPUT);
        CHECK(strstr(error.text, "same body"));
    }
    close_scene(&s);
}

TEST(motions_between_different_models)
{
    scene s;
    if (open_scene(&s)) {
        graze_motion a = {s.bodies[0], s.bodies[1]};
        graze_impact impact;
        graze_error error = {.text = ""};
        CHECK(graze_sweep(&a, NULL, false, &impact, NULL, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "model"), "%s", error.text);
    }
    close_scene(&s);
}
