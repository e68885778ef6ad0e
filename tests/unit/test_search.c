/* Searches: any question taken in steps gives the answer of the plain query, and an unfinished one
 * never claims more than it knows.
 */
#include "harness.h"
#include "support/agreement.h"
#include "support/deform_skins.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct counts {
    uint64_t searches, runs, unfinished, hits;
} counts;

/* Two bodies in poses, at the start and at the end of a step. */
typedef struct scene {
    graze_model *model;
    graze_body *bodies[4]; /* a at the start and the end, then b */
    float *joints;
    double size, middle[3];
} scene;

typedef struct stepper {
    graze_search *search;
    test_random *random;
    counts *seen;
    uint32_t asked; /* of the stop callback */
} stepper;

static bool stop_sometimes(void *user)
{
    stepper *s = user;
    s->asked++;
    return test_random_u32(s->random) % 4 == 0;
}

static graze_budget small_budget(stepper *s)
{
    graze_budget budget = {0};
    switch (test_random_u32(s->random) % 4) {
    case 0:
        budget.bound_tests = 1 + test_random_u32(s->random) % 40;
        break;
    case 1:
        budget.triangle_tests = 1 + test_random_u32(s->random) % 40;
        break;
    case 2:
        budget.bound_tests = 1;
        budget.triangle_tests = 1;
        break;
    default:
        budget.stop = stop_sometimes;
        budget.user = s;
    }
    return budget;
}

/* One run; false when finished or after a failure. */
static bool step(stepper *s, graze_search_rest *rest)
{
    graze_error error = {.text = ""};
    graze_budget budget = small_budget(s);
    graze_stats stats = {0};
    bool ok = test_check(graze_search_run(s->search, &budget, &stats, rest, &error) == GRAZE_OK,
                         __FILE__, __LINE__, "%s", error.text);
    s->seen->runs++;
    s->seen->unfinished += ok && !rest->finished;
    CHECK(rest->finished == (rest->count == 0));
    CHECK(!rest->finished || isinf(rest->nearest));
    return ok && !rest->finished;
}

/* --- the questions ---------------------------------------------------------------------------- */

static bool same_sets(pair_set *x, pair_set *y)
{
    graze_pair odd;
    return pair_set_sort(x) && pair_set_sort(y) && pair_set_equal(x, y, &odd);
}

static void search_pairs(stepper *s, const scene *c, double within)
{
    pair_set expected = {0}, found = {0};
    graze_search_rest rest;
    graze_body *a = c->bodies[0], *b = c->bodies[2];
    if (within < 0)
        graze_collide(a, b, pair_set_take, &expected, NULL, NULL);
    else
        graze_within(a, b, within, pair_set_take, &expected, NULL, NULL);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    if (within < 0)
        CHECK(graze_search_collide(s->search, a, b, pair_set_take, &found, NULL) == GRAZE_OK);
    else
        CHECK(graze_search_within(s->search, a, b, within, pair_set_take, &found, NULL) ==
              GRAZE_OK);
    while (step(s, &rest))
        CHECK(found.count <= expected.count);
    CHECK_MSG(same_sets(&expected, &found), "%zu pairs, in steps %zu", expected.count, found.count);
    s->seen->searches++;
    s->seen->hits += expected.count > 0;
    pair_set_free(&expected);
    pair_set_free(&found);
}

static bool take_self(void *user, const graze_self_pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        graze_pair pair = {pairs[i].a, pairs[i].b};
        pair_set_take(user, &pair, 1);
    }
    return true;
}

static void search_self(stepper *s, const scene *c)
{
    pair_set expected = {0}, found = {0};
    graze_search_rest rest;
    graze_collide_self(c->bodies[0], GRAZE_SELF_ALL, take_self, &expected, NULL, NULL);
    graze_body_drop_caches(c->bodies[0]);
    CHECK(graze_search_self(s->search, c->bodies[0], GRAZE_SELF_ALL, take_self, &found, NULL) ==
          GRAZE_OK);
    while (step(s, &rest))
        CHECK(found.count <= expected.count);
    CHECK(same_sets(&expected, &found));
    s->seen->searches++;
    s->seen->hits += expected.count > 0;
    pair_set_free(&expected);
    pair_set_free(&found);
}

static void search_distance(stepper *s, const scene *c)
{
    graze_nearest expected, found = {0};
    graze_search_rest rest;
    graze_distance(c->bodies[0], c->bodies[2], INFINITY, &expected, NULL, NULL);
    graze_body_drop_caches(c->bodies[0]);
    graze_body_drop_caches(c->bodies[2]);
    CHECK(graze_search_distance(s->search, c->bodies[0], c->bodies[2], INFINITY, &found, NULL) ==
          GRAZE_OK);
    while (step(s, &rest)) {
        CHECK(!found.found || found.distance >= expected.distance);
        CHECK((double)rest.nearest <= expected.distance ||
              (found.found && found.distance == expected.distance));
    }
    CHECK(memcmp(&expected.distance, &found.distance, sizeof found.distance) == 0);
    CHECK(expected.triangles.a == found.triangles.a && expected.triangles.b == found.triangles.b);
    s->seen->searches++;
    s->seen->hits += expected.distance == 0;
}

static void search_ray(stepper *s, const scene *c)
{
    graze_ray_hit expected, found = {0};
    graze_search_rest rest;
    graze_ray ray = graze_default_ray();
    for (int axis = 0; axis < 3; axis++) {
        double to = c->middle[axis] + 0.3 * c->size * test_random_range(s->random, -1, 1);
        double from = c->middle[axis] + 3 * c->size * test_random_range(s->random, -1, 1);
        ray.origin[axis] = (float)from;
        ray.dir[axis] = (float)(to - from);
    }
    CHECK(graze_cast(c->bodies[0], &ray, &expected, NULL, NULL) == GRAZE_OK);
    graze_body_drop_caches(c->bodies[0]);
    CHECK(graze_search_cast(s->search, c->bodies[0], &ray, &found, NULL) == GRAZE_OK);
    while (step(s, &rest)) {
        CHECK(!found.found || found.t >= expected.t);
        CHECK(!expected.found || rest.nearest <= expected.t ||
              (found.found && found.t == expected.t));
    }
    CHECK(expected.found == found.found && expected.triangle == found.triangle &&
          expected.t == found.t);
    s->seen->searches++;
    s->seen->hits += expected.found;
}

static void search_sweep(stepper *s, const scene *c)
{
    graze_motion a = {c->bodies[0], c->bodies[1]}, b = {c->bodies[2], c->bodies[3]};
    graze_impact expected, found = {0};
    graze_search_rest rest;
    CHECK(graze_sweep(&a, &b, false, &expected, NULL, NULL) == GRAZE_OK);
    for (int i = 0; i < 4; i++)
        graze_body_drop_caches(c->bodies[i]);
    CHECK(graze_search_sweep(s->search, &a, &b, false, &found, NULL) == GRAZE_OK);
    while (step(s, &rest)) {
        CHECK(!found.found || found.time >= expected.time);
        CHECK(!expected.found || rest.nearest <= expected.time ||
              (found.found && found.time == expected.time));
    }
    CHECK(expected.found == found.found && expected.a == found.a && expected.b == found.b &&
          expected.time == found.time);
    s->seen->searches++;
    s->seen->hits += expected.found;
}

typedef struct triangle_sum {
    uint64_t count, sum;
} triangle_sum;

static bool add_triangles(void *user, const uint32_t *triangles, size_t count)
{
    triangle_sum *sum = user;
    for (size_t i = 0; i < count; i++) {
        sum->count++;
        sum->sum += (uint64_t)triangles[i] * triangles[i];
    }
    return true;
}

static void search_shape(stepper *s, const scene *c)
{
    triangle_sum expected = {0}, found = {0};
    graze_point_side inside, stepped = {0};
    graze_search_rest rest;
    float point[3];
    for (int axis = 0; axis < 3; axis++)
        point[axis] =
            (float)(c->middle[axis] + 0.5 * c->size * test_random_range(s->random, -1, 1));
    graze_shape shape = graze_shape_sphere(point, (float)(0.3 * c->size));
    CHECK(graze_touch(c->bodies[0], &shape, add_triangles, &expected, NULL, NULL) == GRAZE_OK);
    CHECK(graze_point_inside(c->bodies[0], point, &inside, NULL, NULL) == GRAZE_OK);
    graze_body_drop_caches(c->bodies[0]);
    CHECK(graze_search_touch(s->search, c->bodies[0], &shape, add_triangles, &found, NULL) ==
          GRAZE_OK);
    while (step(s, &rest))
        CHECK(found.count <= expected.count);
    CHECK(expected.count == found.count && expected.sum == found.sum);
    graze_body_drop_caches(c->bodies[0]);
    CHECK(graze_search_point_inside(s->search, c->bodies[0], point, &stepped, NULL) == GRAZE_OK);
    while (step(s, &rest))
        ;
    CHECK(inside.inside == stepped.inside && inside.winding == stepped.winding);
    s->seen->searches += 2;
    s->seen->hits += expected.count > 0;
}

/* --- the bodies ---------------------------------------------------------------------------------
 */

static bool scene_make(scene *c, graze_model_def def)
{
    graze_error error = {.text = ""};
    *c = (scene){0};
    c->joints = malloc(12 * sizeof(float) * def.joint_count);
    bool ok = c->joints && graze_model_create(&def, &c->model, &error) == GRAZE_OK;
    for (int i = 0; ok && i < 4; i++)
        ok = graze_body_create(c->model, &c->bodies[i], &error) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no bodies: %s", error.text);
}

static void scene_free(scene *c)
{
    for (int i = 0; i < 4; i++)
        graze_body_destroy(c->bodies[i]);
    graze_model_destroy(c->model);
    free(c->joints);
}

/* Poses all four bodies; b stands beside a, by so many times its size. */
static bool scene_pose(scene *c, const graze_rig *rig, uint32_t clip, double time, double beside)
{
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    bool ok = true;
    for (int i = 0; ok && i < 4; i++) {
        test_rig_sample(rig, clip, time + (i & 1) * 0.04 + (i & 2) * 0.11, c->joints);
        placement[3] = i < 2 ? 0 : (float)(beside * c->size);
        placement[11] = i == 3 ? (float)(-0.05 * c->size) : 0;
        graze_pose pose = {.joints = c->joints,
                           .joint_count = rig->joint_count,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = placement};
        ok = graze_body_set_pose(c->bodies[i], &pose, NULL) == GRAZE_OK;
    }
    return test_check(ok, __FILE__, __LINE__, "no pose");
}

static void ask_all(stepper *s, const scene *c)
{
    search_pairs(s, c, -1);
    search_pairs(s, c, 0.02 * c->size);
    search_self(s, c);
    search_distance(s, c);
    for (int i = 0; i < 3; i++)
        search_ray(s, c);
    search_shape(s, c);
    search_sweep(s, c);
}

static void search_rig(stepper *s, const graze_rig *rig, uint32_t tree)
{
    static const double besides[] = {0.0, 0.35, 0.9};
    graze_model_def def = graze_rig_model_def(rig);
    scene c;
    def.tree = agreement_tree(tree % agreement_tree_count());
    def.skinning = (graze_skinning)(tree % 3);
    def.self_collision = tree & 1;
    if (scene_make(&c, def)) {
        c.size = test_extent(rig->positions, rig->vertex_count, c.middle);
        for (int i = 0; i < 3; i++)
            if (scene_pose(&c, rig, rig->clip_count ? 0 : GRAZE_NONE, 0.2 + 0.3 * i, besides[i]))
                ask_all(s, &c);
    }
    scene_free(&c);
}

TEST(every_question_in_steps)
{
    uint32_t rig_count, tree = 0;
    const test_rig *rigs = test_rigs(&rig_count);
    test_random random = test_random_seed(4711);
    counts seen = {0};
    stepper s = {.random = &random, .seen = &seen};
    REQUIRE(graze_search_create(NULL, &s.search, NULL) == GRAZE_OK);
    for (uint32_t i = 0; i < rig_count; i++)
        for (uint32_t round = 0; round < (uint32_t)test_amount(2, 1); round++)
            if (rigs[i].rig->triangle_count < (uint32_t)test_amount(6000, 1500))
                search_rig(&s, rigs[i].rig, tree++);
    graze_search_destroy(s.search);
    printf("# %llu searches, %llu with hits, %llu runs, %llu of them unfinished\n",
           (unsigned long long)seen.searches, (unsigned long long)seen.hits,
           (unsigned long long)seen.runs, (unsigned long long)seen.unfinished);
    CHECK(seen.unfinished > seen.searches && seen.hits * 4 > seen.searches && s.asked > 100);
}

TEST(without_a_budget_a_search_is_the_plain_query)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    graze_search *search;
    pair_set found = {0};
    graze_search_rest rest;
    graze_stats plain = {0}, searched = {0};
    scene c;
    REQUIRE(rig_count && scene_make(&c, graze_rig_model_def(rigs[0].rig)));
    c.size = test_extent(rigs[0].rig->positions, rigs[0].rig->vertex_count, c.middle);
    REQUIRE(graze_search_create(NULL, &search, NULL) == GRAZE_OK);
    REQUIRE(scene_pose(&c, rigs[0].rig, 0, 0.1, 0.2));
    graze_collide(c.bodies[0], c.bodies[2], pair_set_take, &found, &plain, NULL);
    graze_body_drop_caches(c.bodies[0]);
    graze_body_drop_caches(c.bodies[2]);
    graze_search_collide(search, c.bodies[0], c.bodies[2], pair_set_take, &found, NULL);
    CHECK(graze_search_run(search, NULL, &searched, &rest, NULL) == GRAZE_OK && rest.finished);
    CHECK(memcmp(&plain, &searched, sizeof plain) == 0);
    graze_search_destroy(search);
    pair_set_free(&found);
    scene_free(&c);
}

TEST(searches_refuse_what_has_changed)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    graze_search *search;
    pair_set found = {0};
    graze_search_rest rest = {.count = 77};
    graze_error error = {.text = ""};
    scene c;
    REQUIRE(rig_count && scene_make(&c, graze_rig_model_def(rigs[0].rig)));
    c.size = 1;
    REQUIRE(graze_search_create(NULL, &search, NULL) == GRAZE_OK);
    CHECK(graze_search_run(search, NULL, NULL, &rest, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "no question") && rest.count == 77);
    REQUIRE(scene_pose(&c, rigs[0].rig, 0, 0.1, 0.2));
    CHECK(graze_search_collide(search, c.bodies[0], NULL, pair_set_take, &found, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body b is NULL"));
    CHECK(graze_search_collide(search, c.bodies[0], c.bodies[2], pair_set_take, &found, NULL) ==
          GRAZE_OK);
    REQUIRE(scene_pose(&c, rigs[0].rig, 0, 0.2, 0.2));
    CHECK(graze_search_run(search, NULL, NULL, &rest, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "new pose") && rest.count == 77);
    CHECK(graze_search_collide(search, c.bodies[0], c.bodies[2], pair_set_take, &found, NULL) ==
          GRAZE_OK);
    graze_model_destroy(c.model);
    c.model = NULL;
    CHECK(graze_search_run(search, NULL, NULL, &rest, NULL) == GRAZE_OK && rest.finished);
    graze_search_destroy(search);
    pair_set_free(&found);
    scene_free(&c);
}
