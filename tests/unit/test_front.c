/* Fronts: frame after frame the same answers as without, and less work when little moves. */
#include "harness.h"
#include "support/agreement.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two bodies that meet frame after frame. */
typedef struct pair {
    variants sides;
    graze_front *front;
    float *joints;
} pair;

static bool pair_make(pair *p, const graze_rig *rig, uint32_t tree)
{
    graze_model_def def = graze_rig_model_def(rig);
    graze_error error = {.text = ""};
    *p = (pair){.joints = malloc(12 * sizeof(float) * rig->joint_count)};
    bool ok = p->joints != NULL;
    for (uint32_t i = 0; ok && i < 2; i++) {
        def.tree = agreement_tree((tree + i * (tree & 1)) % agreement_tree_count());
        ok = variants_add(&p->sides, &def);
    }
    ok = ok &&
         graze_front_create(p->sides.models[0], p->sides.models[1], &p->front, &error) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no front: %s", error.text);
}

static void pair_free(pair *p)
{
    graze_front_destroy(p->front);
    variants_free(&p->sides);
    free(p->joints);
}

static void pair_pose(pair *p, const graze_rig *rig, double time, double beside)
{
    float placement[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < 2; i++) {
        test_rig_sample(rig, rig->clip_count ? 0 : GRAZE_NONE, time + 0.3 * i, p->joints);
        placement[3] = i ? (float)beside : 0;
        graze_pose pose = {.joints = p->joints,
                           .joint_count = rig->joint_count,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = placement};
        CHECK(graze_body_set_pose(p->sides.bodies[i], &pose, NULL) == GRAZE_OK);
    }
}

typedef struct tally {
    uint64_t frames, hits, plain_tests, front_tests, first_plain, first_front;
    uint64_t beside; /* hits of a triangle of the last one, without a walk */
} tally;

static void compare_frame(pair *p, pair_set *expected, pair_set *found, tally *seen)
{
    graze_body *a = p->sides.bodies[0], *b = p->sides.bodies[1];
    graze_stats plain = {0}, with = {0}, first_plain = {0}, first_with = {0};
    graze_pair odd, first = {0, 0};
    bool hit = false;
    pair_set_clear(expected);
    pair_set_clear(found);
    graze_collide(a, b, pair_set_take, expected, &plain, NULL);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    CHECK(graze_front_collide(p->front, a, b, pair_set_take, found, &with, NULL) == GRAZE_OK);
    CHECK(pair_set_sort(expected) && pair_set_sort(found));
    CHECK_MSG(pair_set_equal(expected, found, &odd), "%zu pairs, with a front %zu", expected->count,
              found->count);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    CHECK(graze_collide_first(a, b, &hit, NULL, &first_plain, NULL) == GRAZE_OK);
    graze_body_drop_caches(a);
    graze_body_drop_caches(b);
    CHECK(graze_front_collide_first(p->front, a, b, &hit, &first, &first_with, NULL) == GRAZE_OK);
    CHECK(hit == (expected->count > 0));
    CHECK(!hit || pair_set_has(expected, first));
    seen->frames++;
    seen->hits += hit;
    seen->plain_tests += plain.bound_tests;
    seen->front_tests += with.bound_tests;
    seen->first_plain += first_plain.bound_tests;
    seen->first_front += first_with.bound_tests;
    seen->beside += hit && first_with.bound_tests == 0 && first_with.triangle_tests > 1;
}

TEST(the_same_answers_frame_after_frame)
{
    uint32_t rig_count, frames = (uint32_t)test_amount(60, 12);
    const test_rig *rigs = test_rigs(&rig_count);
    tally seen = {0};
    pair_set expected = {0}, found = {0};
    for (uint32_t r = 0; r < rig_count; r++) {
        const graze_rig *rig = rigs[r].rig;
        double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
        pair p;
        if (pair_make(&p, rig, r))
            for (uint32_t frame = 0; frame < frames; frame++) {
                /* towards each other, through each other, and a jump now and then */
                double beside = size * 1.5 * cos(0.1 * frame) * (frame % 17 == 16 ? 0.1 : 1);
                pair_pose(&p, rig, frame / 30.0, beside);
                compare_frame(&p, &expected, &found, &seen);
            }
        pair_free(&p);
    }
    printf("# %llu frames, %llu with hits; tests of bounds %llu, with fronts %llu; first hit %llu, "
           "with fronts %llu\n",
           (unsigned long long)seen.frames, (unsigned long long)seen.hits,
           (unsigned long long)seen.plain_tests, (unsigned long long)seen.front_tests,
           (unsigned long long)seen.first_plain, (unsigned long long)seen.first_front);
    CHECK(seen.hits * 4 > seen.frames && seen.hits < seen.frames);
    /* First hits gain. All pairs do not any more, since trees are cut on three axes: a ninth of the
     * tests is left without fronts, a fifth with them.
     */
    CHECK(seen.first_front < seen.first_plain && seen.front_tests < 2 * seen.plain_tests);
    pair_set_free(&expected);
    pair_set_free(&found);
}

TEST(a_triangle_of_the_last_hit_is_tried_with_others)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    tally seen = {0};
    pair_set expected = {0}, found = {0};
    for (uint32_t r = 0; r < rig_count; r++) {
        const graze_rig *rig = rigs[r].rig;
        double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
        pair p;
        if (pair_make(&p, rig, r))
            for (uint32_t frame = 0; frame < 24; frame++) {
                pair_pose(&p, rig, 0.003 * frame, size * (0.05 + 0.004 * frame));
                compare_frame(&p, &expected, &found, &seen);
            }
        pair_free(&p);
    }
    CHECK_MSG(50 * seen.beside > seen.hits, "%llu of %llu hits", (unsigned long long)seen.beside,
              (unsigned long long)seen.hits);
    pair_set_free(&expected);
    pair_set_free(&found);
}

TEST(a_front_shrinks_again_when_bodies_part)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    pair_set found = {0};
    pair p;
    REQUIRE(rig_count && pair_make(&p, rigs[0].rig, 0));
    double middle[3], size = test_extent(rigs[0].rig->positions, rigs[0].rig->vertex_count, middle);
    CHECK(graze_front_size(p.front) == 0);
    for (int i = 0; i < 6; i++) { /* it grows between queries */
        pair_pose(&p, rigs[0].rig, 0, 0.1 * size);
        graze_front_collide(p.front, p.sides.bodies[0], p.sides.bodies[1], pair_set_take, &found,
                            NULL, NULL);
    }
    uint32_t large = graze_front_size(p.front);
    for (int i = 0; i < 10; i++) {
        pair_pose(&p, rigs[0].rig, 0, 10 * size);
        graze_front_collide(p.front, p.sides.bodies[0], p.sides.bodies[1], pair_set_take, &found,
                            NULL, NULL);
    }
    CHECK_MSG(large > 20 && graze_front_size(p.front) < large / 4, "%u pairs, then %u", large,
              graze_front_size(p.front));
    pair_set_free(&found);
    pair_free(&p);
}

static bool stop_at_once(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return false;
}

TEST(a_stopped_query_leaves_the_front_as_it_was)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    pair_set expected = {0}, found = {0};
    size_t some = 0;
    graze_pair odd;
    pair p;
    REQUIRE(rig_count && pair_make(&p, rigs[0].rig, 0));
    pair_pose(&p, rigs[0].rig, 0, 0);
    graze_collide(p.sides.bodies[0], p.sides.bodies[1], pair_set_take, &expected, NULL, NULL);
    REQUIRE(expected.count > 0);
    graze_front_collide(p.front, p.sides.bodies[0], p.sides.bodies[1], stop_at_once, &some, NULL,
                        NULL);
    CHECK(some > 0);
    graze_front_collide(p.front, p.sides.bodies[0], p.sides.bodies[1], pair_set_take, &found, NULL,
                        NULL);
    CHECK(pair_set_sort(&expected) && pair_set_sort(&found) &&
          pair_set_equal(&expected, &found, &odd));
    pair_set_free(&expected);
    pair_set_free(&found);
    pair_free(&p);
}

TEST(fronts_refuse_foreign_bodies)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    graze_error error = {.text = ""};
    pair_set found = {0};
    pair p, other;
    REQUIRE(rig_count && pair_make(&p, rigs[0].rig, 0) && pair_make(&other, rigs[0].rig, 0));
    CHECK(graze_front_collide(p.front, p.sides.bodies[0], other.sides.bodies[1], pair_set_take,
                              &found, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body b is not of the front's model"));
    CHECK(graze_front_collide(p.front, NULL, p.sides.bodies[1], pair_set_take, &found, NULL,
                              &error) == GRAZE_BAD_INPUT);
    pair_free(&p);
    pair_free(&other);
}
