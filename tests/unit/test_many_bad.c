/* Bad input to the calls of graze/threads.h that ask many at once: one bad question and nothing is
 * answered. And finders of contacts that find no memory.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/many_scene.h"

#include <math.h>
#include <string.h>

/* ---- bad input ------------------------------------------------------------------------------- */

/* Callbacks that count their calls. */
static bool take_self(void *user, size_t body, const graze_self_pair *pairs, size_t count)
{
    (void)body, (void)pairs, (void)count;
    ((many_scene *)user)->calls++;
    return true;
}

static bool take_triangles(void *user, size_t question, const uint32_t *triangles, size_t count)
{
    (void)question, (void)triangles, (void)count;
    ((many_scene *)user)->calls++;
    return true;
}

/* Refused with the number of the question, and nothing is answered. */
static void check_refused(many_scene *s, graze_pool *pool, int kind, const char *number,
                          const char *word)
{
    answers found = {.count = 0};
    graze_error error = {.text = ""};
    graze_stats stats = {0};
    s->to = &found;
    s->calls = 0;
    CHECK_MSG(many_kinds[kind].many(s, pool, &stats, &error) == GRAZE_BAD_INPUT &&
                  error.status == GRAZE_BAD_INPUT && strstr(error.text, number) == error.text &&
                  strstr(error.text, word),
              "%s, %s: %s", many_kinds[kind].name, number, error.text);
    CHECK(many_kinds[kind].many(s, pool, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(!s->calls && !found.count && !stats.bound_tests);
    answers_free(&found);
}

#define WITH(place, bad, ...)                                                                      \
    do {                                                                                           \
        __typeof__(place) old = (place);                                                           \
        (place) = (bad);                                                                           \
        __VA_ARGS__;                                                                               \
        (place) = old;                                                                             \
    } while (0)

static void check_bad(many_scene *s, graze_pool *pool)
{
    const graze_motion crossed = {s->all.bodies[0], s->all.bodies[1]}, nothing = {NULL, NULL};
    WITH(s->all.bodies[3], NULL, check_refused(s, pool, MANY_SELF, "body 3: ", "NULL"),
         check_refused(s, pool, MANY_SELF_FIRST, "body 3: ", "NULL"));
    WITH(s->rays[65].dir[0], NAN, check_refused(s, pool, MANY_CAST, "ray 65", ""));
    WITH(s->body_rays[699].body, NULL,
         check_refused(s, pool, MANY_CAST_EACH, "question 699: ", "NULL"));
    WITH(s->body_rays[0].ray.origin[2], INFINITY,
         check_refused(s, pool, MANY_CAST_EACH, "question 0: ", "origin"));
    WITH(s->pairs[7].b, s->pairs[7].a, check_refused(s, pool, MANY_DISTANCE, "pair 7: ", "same"),
         check_refused(s, pool, MANY_CONTACTS, "pair 7: ", "same"));
    WITH(s->pairs[2].a, NULL, check_refused(s, pool, MANY_DISTANCE, "pair 2: ", "NULL"),
         check_refused(s, pool, MANY_CONTACTS, "pair 2: ", "NULL"));
    WITH(s->limits[14], -1, check_refused(s, pool, MANY_DISTANCE, "pair 14: ", "negative"));
    WITH(s->limits[4], NAN, check_refused(s, pool, MANY_DISTANCE, "pair 4: ", "not a finite"));
    WITH(s->finders[5], NULL, check_refused(s, pool, MANY_CONTACTS, "pair 5: ", "NULL"));
    WITH(s->finders[5], s->finders[6], check_refused(s, pool, MANY_CONTACTS, "pair 5: ", "model"));
    WITH(s->sweeps[9].a, NULL, check_refused(s, pool, MANY_SWEEP, "pair 9: ", "NULL"));
    WITH(s->sweeps[9].b, &crossed, check_refused(s, pool, MANY_SWEEP, "pair 9: ", "models"));
    WITH(s->sweeps[20].b, s->sweeps[20].a, check_refused(s, pool, MANY_SWEEP, "pair 20: ", "both"));
    WITH(s->sweeps[20].b, &nothing, check_refused(s, pool, MANY_SWEEP, "pair 20: ", "NULL"));
    WITH(s->shapes[8].body, NULL, check_refused(s, pool, MANY_SHAPE, "question 8: ", "NULL"),
         check_refused(s, pool, MANY_SHAPE_FIRST, "question 8: ", "NULL"));
    WITH(s->shapes[1].shape.as.sphere.radius, NAN,
         check_refused(s, pool, MANY_SHAPE, "question 1: ", ""),
         check_refused(s, pool, MANY_SHAPE_FIRST, "question 1: ", ""));
    WITH(s->points[149][1], NAN, check_refused(s, pool, MANY_POINT, "point 149: ", "point"));
}

TEST(bad_input_is_refused)
{
    many_scene s;
    graze_pool *pool = NULL;
    answers expected[MANY_KINDS] = {{.count = 0}};
    graze_error error = {.text = ""};
    REQUIRE(many_scene_open(&s) && !graze_pool_create(3, NULL, &pool, NULL));
    many_scene_expect(&s, expected);
    check_bad(&s, NULL);
    check_bad(&s, pool);
    CHECK(graze_collide_self_many(pool, s.all.bodies, MANY_BODIES, (graze_self_which)9, take_self,
                                  &s, NULL, &error) == GRAZE_BAD_INPUT);
    many_scene_check(&s, pool, expected, "after bad input"); /* and nothing is held any more */
    for (int i = 0; i < MANY_BODIES; i++)
        CHECK(!graze_body_share(s.all.bodies[i], NULL) &&
              !graze_body_unshare(s.all.bodies[i], NULL));
    many_free_answers(expected);
    graze_pool_destroy(pool);
    many_scene_close(&s);
}

/* Two pairs of one body and its like, so that a finder could serve both. */
TEST(a_finder_serves_one_pair_only)
{
    many_scene s;
    graze_error error = {.text = ""};
    REQUIRE(many_scene_open(&s));
    graze_body_pair pairs[2] = {{s.all.bodies[0], s.all.twins[1]},
                                {s.all.twins[0], s.all.bodies[1]}};
    graze_contacts *finders[2] = {s.finders[0], s.finders[0]};
    CHECK(graze_contacts_many(NULL, finders, pairs, 2, NULL, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "pair 1: its finder"));
    CHECK(!graze_contacts_many(NULL, finders, pairs, 1, NULL, &error)); /* it was let go */
    many_scene_close(&s);
}

TEST(nothing_is_asked_of_nothing)
{
    graze_stats stats = {0};
    many_scene s;
    REQUIRE(many_scene_open(&s));
    CHECK(!graze_collide_self_many(NULL, NULL, 0, GRAZE_SELF_ALL, take_self, &s, &stats, NULL));
    CHECK(!graze_collide_self_many_first(NULL, NULL, 0, GRAZE_SELF_ALL, NULL, &stats, NULL));
    CHECK(!graze_cast_many_parallel(NULL, s.all.bodies[0], NULL, 0, NULL, &stats, NULL));
    CHECK(!graze_cast_each(NULL, NULL, 0, NULL, &stats, NULL));
    CHECK(!graze_distance_many(NULL, NULL, 0, NULL, NULL, &stats, NULL));
    CHECK(!graze_contacts_many(NULL, NULL, NULL, 0, &stats, NULL));
    CHECK(!graze_sweep_many(NULL, NULL, 0, false, NULL, &stats, NULL));
    CHECK(!graze_touch_many(NULL, NULL, 0, take_triangles, &s, &stats, NULL));
    CHECK(!graze_touch_many_first(NULL, NULL, 0, NULL, &stats, NULL));
    CHECK(!graze_point_inside_many(NULL, s.all.bodies[0], NULL, 0, NULL, &stats, NULL));
    CHECK(!stats.bound_tests && !stats.nodes_refit && s.calls == 0);
    many_scene_close(&s);
}

/* ---- memory ---------------------------------------------------------------------------------- */

TEST(a_finder_without_memory_does_not_stop_the_others)
{
    many_scene s;
    test_memory memory[2] = {{.calls = 0}, {.calls = 0}};
    const uint32_t failing[2] = {5, 0};
    graze_pool *pool = NULL;
    REQUIRE(many_scene_open(&s) && !graze_pool_create(4, NULL, &pool, NULL));
    for (int i = 0; i < 2; i++) {
        uint32_t p = failing[i];
        graze_allocator allocator = test_memory_allocator(&memory[i]);
        graze_contacts_def def = graze_default_contacts_def();
        def.allocator = &allocator;
        graze_contacts_destroy(s.finders[p]);
        s.finders[p] = NULL;
        REQUIRE(!graze_contacts_create(graze_body_model(s.pairs[p].a),
                                       graze_body_model(s.pairs[p].b), &def, &s.finders[p], NULL));
        memory[i].fail_at = memory[i].calls + 1;
        memory[i].keeps_failing = true;
    }
    for (int round = 0; round < 2; round++) {
        graze_error error = {.text = ""};
        CHECK(graze_contacts_many(round ? pool : NULL, s.finders, s.pairs, MANY_PAIRS, NULL,
                                  &error) == GRAZE_OUT_OF_MEMORY &&
              error.status == GRAZE_OUT_OF_MEMORY);
        CHECK_MSG(strstr(error.text, "pair 0: ") == error.text, "%s", error.text);
        CHECK(graze_contacts_many(round ? pool : NULL, s.finders, s.pairs, MANY_PAIRS, NULL,
                                  NULL) == GRAZE_OUT_OF_MEMORY);
        for (uint32_t p = 0; p < MANY_PAIRS; p++) {
            bool fails = p == failing[0] || p == failing[1];
            graze_contacts *other = NULL;
            CHECK(!graze_contacts_create(graze_body_model(s.pairs[p].a),
                                         graze_body_model(s.pairs[p].b), NULL, &other, NULL));
            CHECK(!graze_contacts_find(other, s.pairs[p].a, s.pairs[p].b, NULL, NULL));
            CHECK(!fails || graze_contacts_count(other) > 0);
            CHECK(fails ? graze_contacts_count(s.finders[p]) == 0
                        : many_hash_contacts(s.finders[p]) == many_hash_contacts(other));
            graze_contacts_destroy(other);
        }
    }
    graze_pool_destroy(pool);
    many_scene_close(&s);
    CHECK(!memory[0].alive && !memory[1].alive && !memory[0].misused && !memory[1].misused);
}
