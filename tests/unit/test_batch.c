/* Batches of poses: what posing a body and asking it says, pose by pose, with any number of
 * threads; bad poses marked, bad calls refused, nothing allocated once warm.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/pose_sets.h"
#include "support/quick.h"

#include <graze/ext/batch_tables.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static graze_pose_batch *batch_of(const pose_sets *sets, const pose_sets *other, graze_pool *pool,
                                  const uint32_t *mask)
{
    graze_pose_batch *batch = NULL;
    graze_error error = {GRAZE_OK, ""};
    const graze_pose_batch_def def = {.model = sets->model,
                                      .other = other ? other->model : NULL,
                                      .part_mask = mask,
                                      .pool = pool};
    graze_status status = graze_pose_batch_create(&def, &batch, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    return batch;
}

static pose_set_def kind_of(uint32_t k)
{
    return (pose_set_def){.seed = 70 + k,
                          .skinning = (graze_skinning)(k % 3),
                          .triangles = 40 + 13 * (k % 5),
                          .morphs = k % 4 == 1 ? 3 : 0,
                          .lattice = k % 5 == 2,
                          .placed = k % 2,
                          .positions = k % 7 == 3,
                          .count = 11,
                          .bad_every = k % 3 ? 4 : 0};
}

/* Everything that the call says, against one by one. */
static void compare(pose_answers *wanted, pose_answers *found, const char *what, uint32_t k)
{
    const graze_pose_results *w = &wanted->results, *f = &found->results;
    const size_t equal = pose_answers_equal(wanted, found);
    CHECK_MSG(equal == wanted->count, "%s %u: %zu of %zu poses are right", what, k, equal,
              wanted->count);
    CHECK(f->total == w->total && f->not_stored == w->not_stored && f->done == wanted->count);
    CHECK(f->bad == w->bad && f->first_bad == w->first_bad);
    CHECK((f->bad != 0) == (f->why.text[0] != 0));
}

TEST(self_pairs_are_those_of_one_by_one)
{
    const uint32_t kinds = test_amount(84, 21);
    OWN(graze_pool) *pool = NULL;
    REQUIRE(graze_pool_create(3, NULL, &pool, NULL) == GRAZE_OK);
    for (uint32_t k = 0; k < kinds; k++) {
        const pose_set_def def = kind_of(k);
        OWN(pose_sets) sets = pose_sets_make(&def);
        const uint32_t rows[4] = {2u, 13u, 2u, 0}, mask = k % 4 == 2 ? 11 : 15;
        const graze_part_filter filter = {.rows = rows, .part_count = 4};
        const graze_part_filter *used = k % 3 == 1 ? &filter : NULL;
        const size_t capacity = 1 + 9 * (k % 4);
        OWN(pose_answers) wanted = pose_answers_make(def.count, sets.model, sets.model, capacity);
        OWN(pose_answers) found = pose_answers_make(def.count, sets.model, sets.model, capacity);
        OWN(graze_body) *body = NULL;
        REQUIRE(graze_body_create(sets.model, &body, NULL) == GRAZE_OK);
        CHECK(graze_body_set_part_mask(body, &mask, 4, NULL) == GRAZE_OK);
        pose_answers_one_by_one(&wanted, body, &sets.set, NULL, NULL, used, k % 2);
        OWN(graze_pose_batch) *batch =
            batch_of(&sets, NULL, k % 2 ? pool : NULL, k % 4 == 2 ? &mask : NULL);
        REQUIRE(batch);
        for (int again = 0; again < 2; again++)
            CHECK(graze_pose_batch_self(batch, &sets.set, used, k % 2, &found.results, NULL) ==
                  GRAZE_OK);
        compare(&wanted, &found, "self", k);
    }
}

TEST(pairs_of_two_are_those_of_one_by_one)
{
    for (uint32_t k = 0; k < test_amount(40, 10); k++) {
        const pose_set_def def = kind_of(k);
        pose_set_def second = kind_of(k + 3);
        second.bad_every = 0;
        OWN(pose_sets) a = pose_sets_make(&def);
        OWN(pose_sets) b = pose_sets_make(&second);
        OWN(pose_answers) wanted = pose_answers_make(def.count, a.model, b.model, 20);
        OWN(pose_answers) found = pose_answers_make(def.count, a.model, b.model, 20);
        OWN(graze_body) *first = NULL, *other = NULL;
        REQUIRE(graze_body_create(a.model, &first, NULL) == GRAZE_OK);
        REQUIRE(graze_body_create(b.model, &other, NULL) == GRAZE_OK);
        pose_answers_one_by_one(&wanted, first, &a.set, other, &b.set, NULL, false);
        OWN(graze_pose_batch) *batch = batch_of(&a, &b, NULL, NULL);
        REQUIRE(batch);
        CHECK(graze_pose_batch_pairs(batch, &a.set, &b.set, &found.results, NULL) == GRAZE_OK);
        compare(&wanted, &found, "pairs", k);
    }
}

enum { RAYS = 9 };

static void make_rays(graze_ray *rays, size_t count, uint64_t seed)
{
    test_random random = test_random_seed(seed);
    for (size_t i = 0; i < count; i++) {
        float numbers[6];
        for (int n = 0; n < 6; n++)
            numbers[n] = (float)test_random_range(&random, -1, 1);
        rays[i] = graze_ray_from(numbers, numbers + 3);
    }
}

TEST(rays_are_those_of_one_by_one)
{
    for (uint32_t k = 0; k < 10; k++) {
        const pose_set_def def = kind_of(k);
        OWN(pose_sets) sets = pose_sets_make(&def);
        OWN(graze_pose_batch) *batch = batch_of(&sets, NULL, NULL, NULL);
        OWN(graze_body) *body = NULL;
        graze_ray rays[11 * RAYS];
        graze_hit hits[11 * RAYS], hit;
        uint8_t marks[11];
        uint32_t counts[11];
        graze_pose_results results = {.marks = marks, .counts = counts};
        REQUIRE(batch && graze_body_create(sets.model, &body, NULL) == GRAZE_OK);
        make_rays(rays, 11 * RAYS, k);
        rays[RAYS + 2].dir[0] = NAN;
        CHECK(graze_pose_batch_cast(batch, &sets.set, rays, RAYS, hits, &results, NULL) ==
              GRAZE_OK);
        uint64_t total = 0;
        for (size_t n = 0; n < def.count; n++) {
            const bool bad = pose_sets_pose(body, &sets.set, n) || n == 1;
            uint32_t count = 0;
            for (size_t r = 0; r < RAYS; r++) {
                memset(&hit, 0, sizeof hit);
                if (!bad)
                    CHECK(graze_cast(body, &rays[n * RAYS + r], &hit, NULL, NULL) == GRAZE_OK);
                const graze_hit *found = &hits[n * RAYS + r];
                CHECK(found->found == hit.found && found->triangle == hit.triangle);
                CHECK(found->t == hit.t);
                count += hit.found;
            }
            CHECK(counts[n] == count);
            CHECK(marks[n] == (bad ? GRAZE_POSE_BAD : count > 0));
            total += count;
        }
        CHECK(results.total == total && results.first_bad == 1 && results.bad > 0);
    }
}

TEST(marks_alone_end_at_the_first_pair)
{
    pose_set_def def = kind_of(0);
    def.count = 40;
    OWN(pose_sets) sets = pose_sets_make(&def);
    OWN(graze_pose_batch) *batch = batch_of(&sets, NULL, NULL, NULL);
    OWN(pose_answers) all = pose_answers_make(def.count, sets.model, sets.model, 1);
    uint8_t marks[40];
    graze_pose_results some = {.marks = marks}, none = {0};
    REQUIRE(batch);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &all.results, NULL) == GRAZE_OK);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &some, NULL) == GRAZE_OK);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &none, NULL) == GRAZE_OK);
    CHECK(memcmp(marks, all.results.marks, sizeof marks) == 0);
    CHECK(some.total > 0 && some.total <= def.count && some.total < all.results.total);
    CHECK(none.total == some.total);
}

/* With the counts of one call, the next one has room for just as many. */
TEST(rooms_by_offsets)
{
    enum { POSES = 17 };
    pose_set_def def = kind_of(6);
    def.count = POSES;
    OWN(pose_sets) sets = pose_sets_make(&def);
    OWN(graze_pose_batch) *batch = batch_of(&sets, NULL, NULL, NULL);
    OWN(pose_answers) all = pose_answers_make(POSES, sets.model, sets.model, 500);
    uint64_t offsets[POSES + 1] = {0};
    REQUIRE(batch);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &all.results, NULL) == GRAZE_OK);
    for (size_t n = 0; n < POSES; n++)
        offsets[n + 1] = offsets[n] + all.results.counts[n] - (n == 5 && all.results.counts[n]);
    OWNED graze_pair *pairs = calloc(offsets[POSES] + 1, sizeof *pairs);
    graze_pose_results results = {.pairs = pairs, .pair_offsets = offsets};
    REQUIRE(pairs && offsets[POSES] > POSES && !all.results.not_stored);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &results, NULL) == GRAZE_OK);
    CHECK(results.total == all.results.total &&
          results.not_stored == all.results.total - offsets[POSES]);
    for (size_t n = 0; n < POSES; n++)
        CHECK(memcmp(pairs + offsets[n], all.results.pairs + 500 * n,
                     (offsets[n + 1] - offsets[n]) * sizeof *pairs) == 0);
    CHECK(pairs[offsets[POSES]].a == 0 && pairs[offsets[POSES]].b == 0);
}

TEST(nothing_is_allocated_once_warm)
{
    test_memory memory = {0};
    const graze_allocator allocator = test_memory_allocator(&memory);
    for (uint32_t k = 0; k < 6; k++) {
        pose_set_def def = kind_of(k);
        def.allocator = &allocator;
        pose_sets sets = pose_sets_make(&def);
        OWN(pose_answers) answers = pose_answers_make(def.count, sets.model, sets.model, 9);
        const uint64_t alive = memory.alive;
        const uint32_t mask = 7;
        graze_pose_batch_def made = {.model = sets.model, .part_mask = &mask};
        for (uint64_t n = 1;; n++) {
            graze_pose_batch *batch = NULL;
            memory.fail_at = memory.calls + n;
            const graze_status status = graze_pose_batch_create(&made, &batch, NULL);
            const bool failed = memory.calls >= memory.fail_at;
            memory.fail_at = 0;
            CHECK(status == (failed ? GRAZE_OUT_OF_MEMORY : GRAZE_OK) && !batch == failed);
            const uint64_t calls = memory.calls;
            if (batch)
                CHECK(!graze_pose_batch_self(batch, &sets.set, NULL, true, &answers.results, NULL));
            CHECK(memory.calls == calls);
            graze_pose_batch_destroy(batch);
            CHECK(memory.alive == alive && !memory.misused);
            if (!failed)
                break;
        }
        pose_sets_free(&sets);
        CHECK(memory.alive == 0);
    }
}

typedef struct stopper {
    size_t calls, stop_at, last;
} stopper;

static bool stop(void *user, size_t done, size_t count)
{
    stopper *own = user;
    CHECK(done > own->last && done <= count);
    own->last = done;
    return ++own->calls != own->stop_at;
}

TEST(progress_stops)
{
    pose_set_def def = kind_of(0);
    def.count = 20;
    OWN(pose_sets) sets = pose_sets_make(&def);
    OWN(graze_pose_batch) *batch = batch_of(&sets, NULL, NULL, NULL);
    OWN(pose_answers) all = pose_answers_make(20, sets.model, sets.model, 3);
    OWN(pose_answers) some = pose_answers_make(20, sets.model, sets.model, 3);
    stopper never = {0}, at_seven = {.stop_at = 7};
    REQUIRE(batch);
    all.results.progress = some.results.progress = stop;
    all.results.user = &never;
    some.results.user = &at_seven;
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &all.results, NULL) == GRAZE_OK);
    CHECK(never.calls == 20 && never.last == 20 && all.results.done == 20);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, &some.results, NULL) ==
          GRAZE_UNFINISHED);
    CHECK(at_seven.calls == 7 && some.results.done == 7);
    for (size_t n = 0; n < 20; n++) {
        CHECK(some.results.marks[n] == (n < 7 ? all.results.marks[n] : GRAZE_POSE_LEFT_OUT));
        CHECK(some.results.counts[n] == (n < 7 ? all.results.counts[n] : 0));
    }
}

/* One thing wrong in each row; the words that say so. */
TEST(bad_calls_are_refused)
{
    pose_set_def def = kind_of(1), placed = kind_of(3);
    OWN(pose_sets) sets = pose_sets_make(&def);
    OWN(pose_sets) given = pose_sets_make(&placed);
    OWN(graze_pose_batch) *batch = batch_of(&sets, NULL, NULL, NULL);
    OWN(graze_pose_batch) *of_given = batch_of(&given, NULL, NULL, NULL);
    REQUIRE(batch && of_given && given.set.positions);
    graze_pair pairs[2];
    const uint64_t offsets[12] = {0, 2, 1};
    const uint32_t rows[4] = {0};
    enum { ROWS = 14 };
    graze_pose_set poses[ROWS];
    graze_pose_results results[ROWS];
    graze_part_filter filters[ROWS];
    static const char *const words[ROWS] = {"3 joints, the model 4",
                                            "2 morph weights, the model 3",
                                            "nothing but a count",
                                            "are too many",
                                            "reserved",
                                            "pair_capacity is 0",
                                            "capacity and offsets",
                                            "pair offset 2",
                                            "too many",
                                            "5 parts",
                                            "positions, and joints",
                                            "vertices, the model",
                                            "morph weights",
                                            "the poses is NULL"};
    for (int i = 0; i < ROWS; i++) {
        poses[i] = i < 10 ? sets.set : given.set;
        results[i] = (graze_pose_results){0};
        filters[i] = (graze_part_filter){.rows = rows, .part_count = 4};
    }
    poses[0].joint_count = 3;
    poses[1].morph_count = 2;
    poses[2] = (graze_pose_set){.count = 1};
    poses[3].count = SIZE_MAX / 8;
    poses[4].reserved[1] = 1;
    results[5].pairs = results[6].pairs = results[7].pairs = results[8].pairs = pairs;
    results[6].pair_capacity = 1;
    results[6].pair_offsets = results[7].pair_offsets = offsets;
    results[8].pair_capacity = SIZE_MAX / 12;
    filters[9].part_count = 5;
    poses[10].joints = sets.set.joints;
    poses[11].vertex_count--;
    poses[12].positions = NULL;
    poses[12].morph_weights = sets.set.morph_weights;
    for (int i = 0; i < ROWS; i++) {
        graze_error error = {GRAZE_OK, ""};
        CHECK(graze_pose_batch_self(i < 10 ? batch : of_given, i == 13 ? NULL : &poses[i],
                                    &filters[i], false, &results[i], &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, words[i]), "row %d: %s", i, error.text);
    }
    graze_error error;
    graze_hit hit;
    graze_ray ray = graze_ray_from((float[]){0, 0, 0}, (float[]){1, 0, 0});
    graze_pose_results none = {0}, some = {.pairs = pairs, .pair_capacity = 2};
    CHECK(graze_pose_batch_self(NULL, &sets.set, NULL, false, &none, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_self(batch, &sets.set, NULL, false, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_pairs(batch, &sets.set, &sets.set, &none, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "no other model"), "%s", error.text);
    CHECK(graze_pose_batch_pairs(batch, &sets.set, NULL, &none, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_cast(batch, &sets.set, NULL, 1, &hit, &none, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_cast(batch, &sets.set, &ray, 1, NULL, &none, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_cast(batch, &sets.set, &ray, 0, NULL, &some, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_cast(batch, &sets.set, NULL, 0, NULL, &none, NULL) == GRAZE_OK);
    OWN(graze_pose_batch) *two = batch_of(&sets, &sets, NULL, NULL);
    graze_pose_set fewer = sets.set;
    fewer.count--;
    CHECK(graze_pose_batch_pairs(two, &sets.set, &fewer, &none, &error) == GRAZE_BAD_INPUT);
    CHECK_MSG(strstr(error.text, "11 poses, but 10"), "%s", error.text);
    graze_pose_batch *made = NULL;
    graze_pose_batch_def bad = {.model = sets.model, .other_part_mask = rows};
    CHECK(graze_pose_batch_create(&bad, &made, NULL) == GRAZE_BAD_INPUT);
    bad = (graze_pose_batch_def){.other = sets.model};
    CHECK(graze_pose_batch_create(&bad, &made, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pose_batch_create(NULL, &made, NULL) == GRAZE_BAD_INPUT && !made);
    graze_pose_batch_destroy(NULL);
}

/* ---- tables for devices -----------------------------------------------------------------------
 */

static graze_status make_tables(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_model *model = about;
    graze_pose_tables *tables = NULL;
    graze_status status = graze_pose_tables_create(model, &tables, error);
    (void)allocator;
    graze_pose_tables_destroy(model, tables);
    return status;
}

TEST(tables_without_memory_leave_nothing)
{
    test_memory memory = {0};
    const graze_allocator allocator = test_memory_allocator(&memory);
    pose_set_def def = kind_of(1);
    def.allocator = &allocator;
    pose_sets sets = pose_sets_make(&def);
    CHECK(test_fail_each(&memory, make_tables, sets.model, 40) > 20);
    pose_sets_free(&sets);
    CHECK(memory.alive == 0);
}

/* The model's number of child `bit` of a mask's row or column, or GRAZE_NONE: behind the last. */
static uint32_t triangle_at(const graze_pose_tables *tables, uint32_t group, uint32_t child)
{
    const uint32_t place = 8 * group + child;
    return place < tables->triangle_count ? tables->triangles[place][3] : GRAZE_NONE;
}

/* Every triangle stands in the tables once; list 0 has all that share a vertex, without neighbours.
 */
TEST(tables_reach_every_pair_that_shares_a_cluster)
{
    const pose_set_def def = {.seed = 4, .triangles = 700, .count = 1};
    OWN(pose_sets) sets = pose_sets_make(&def);
    graze_pose_tables *tables = NULL;
    REQUIRE(graze_pose_tables_create(sets.model, &tables, NULL) == GRAZE_OK);
    OWNED uint8_t *seen = calloc(tables->triangle_count, 1);
    for (uint32_t t = 0; t < tables->triangle_count; t++)
        CHECK(!seen[tables->triangles[t][3]]++);
    size_t pairs = 0;
    for (size_t e = 0; e < tables->lists[0].count; e++)
        for (uint32_t bit = 0; bit < 64; bit++) {
            if (!(tables->lists[0].masks[e] >> bit & 1))
                continue;
            uint32_t x[3], y[3], shared = 0;
            const uint32_t *group = tables->lists[0].pairs[e];
            const uint32_t a = triangle_at(tables, group[0], bit / 8);
            const uint32_t b = triangle_at(tables, group[1], bit % 8);
            REQUIRE(a != GRAZE_NONE && b != GRAZE_NONE && a != b);
            graze_model_triangle(sets.model, a, x);
            graze_model_triangle(sets.model, b, y);
            for (int i = 0; i < 9; i++)
                shared += x[i / 3] == y[i % 3];
            CHECK(shared == 0);
            pairs++;
        }
    CHECK_MSG(pairs > 1000, "%zu pairs", pairs);
    graze_pose_tables_destroy(sets.model, tables);
}

/* A fan around one vertex is refused in words, not answered in hours. */
TEST(fans_are_refused)
{
    enum { TRIANGLES = 40000 };
    OWNED float *positions = calloc(3 * (TRIANGLES + 2), sizeof *positions);
    OWNED uint32_t *triangles = calloc(3 * TRIANGLES, sizeof *triangles);
    graze_error error = {GRAZE_OK, ""};
    OWN(graze_model) *model = NULL;
    graze_pose_tables *tables = NULL;
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        positions[3 * i + 3] = (float)cos(i);
        positions[3 * i + 4] = (float)sin(i);
        positions[3 * i + 5] = (float)i;
        triangles[3 * i + 1] = i + 1;
        triangles[3 * i + 2] = i + 2;
    }
    const graze_model_def def = {.positions = positions,
                                 .vertex_count = TRIANGLES + 2,
                                 .triangles = triangles,
                                 .triangle_count = TRIANGLES,
                                 .no_self_collision = true};
    REQUIRE(graze_model_create(&def, &model, NULL) == GRAZE_OK);
    CHECK(graze_pose_tables_create(model, &tables, &error) == GRAZE_UNSUPPORTED && !tables);
    CHECK_MSG(strstr(error.text, "vertex 0 alone has 5000"), "%s", error.text);
}
