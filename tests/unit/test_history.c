/* Histories: frame after frame the same answers as without, and less work when little moves. */
#include "harness.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"
#include "support/variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two bodies that meet frame after frame. */
typedef struct pair {
    variants sides;
    graze_history *history;
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
    ok = ok && graze_history_create(p->sides.models[0], p->sides.models[1], &p->history, &error) ==
                   GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no history: %s", error.text);
}

static void pair_free(pair *p)
{
    graze_history_destroy(p->history);
    variants_free(&p->sides);
    free(p->joints);
}

OWN_VALUE(pair, pair_free)

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
    uint64_t frames, hits, plain, with; /* tests of bounds */
    uint64_t beside;                    /* hits of a triangle of the last one, without a walk */
} tally;

static void drop(pair *p)
{
    for (int i = 0; i < 2; i++)
        graze_body_drop_caches(p->sides.bodies[i]);
}

/* All pairs and any pair, with a history and without. */
static void compare_frame(pair *p, pair_set *expected, pair_set *found, tally *seen)
{
    graze_body *a = p->sides.bodies[0], *b = p->sides.bodies[1];
    graze_stats plain = {0}, with = {0};
    const graze_options all = {.history = p->history};
    const graze_options any = {.any = true, .history = p->history, .stats = &with};
    graze_pair odd, first = {0};
    graze_pair_list list = {.items = &first, .capacity = 1};
    pair_set_clear(expected);
    pair_set_clear(found);
    CHECK(graze_pairs(a, b, TO_PAIR_SET(expected), NULL, NULL) == GRAZE_OK);
    drop(p);
    CHECK(graze_pairs(a, b, TO_PAIR_SET(found), &all, NULL) == GRAZE_OK);
    CHECK(pair_set_sort(expected) && pair_set_sort(found));
    CHECK_MSG(pair_set_equal(expected, found, &odd), "%zu pairs, with a history %zu",
              expected->count, found->count);
    drop(p);
    test_meets(a, b, &plain);
    drop(p);
    CHECK(graze_pairs(a, b, &list, &any, NULL) == GRAZE_OK);
    CHECK(list.total == (expected->count > 0));
    CHECK(!list.count || pair_set_find(expected, first));
    seen->frames++;
    seen->hits += list.total;
    seen->plain += plain.bound_tests;
    seen->with += with.bound_tests;
    seen->beside += list.total && with.bound_tests == 0 && with.triangle_tests > 1;
}

TEST(the_same_answers_frame_after_frame)
{
    uint32_t rig_count, frames = (uint32_t)test_amount(60, 12);
    const test_rig *rigs = test_rigs(&rig_count);
    tally seen = {0};
    OWN(pair_set) expected = {0}, found = {0};
    for (uint32_t r = 0; r < rig_count; r++) {
        const graze_rig *rig = rigs[r].rig;
        double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
        OWN(pair) p = {0};
        if (pair_make(&p, rig, r))
            for (uint32_t frame = 0; frame < frames; frame++) {
                /* towards each other, through each other, and a jump now and then */
                double way = 3.1 * frame / frames;
                double beside = size * 1.5 * cos(way) * (frame % 17 == 16 ? 0.1 : 1);
                pair_pose(&p, rig, frame / 30.0, beside);
                compare_frame(&p, &expected, &found, &seen);
            }
    }
    printf(
        "# %llu frames, %llu with hits; tests of bounds for any pair %llu, with a history %llu\n",
        (unsigned long long)seen.frames, (unsigned long long)seen.hits,
        (unsigned long long)seen.plain, (unsigned long long)seen.with);
    CHECK(seen.hits * 4 > seen.frames && seen.hits < seen.frames);
    CHECK(seen.with < seen.plain);
}

TEST(a_triangle_of_the_last_hit_is_tried_with_others)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    tally seen = {0};
    OWN(pair_set) expected = {0}, found = {0};
    for (uint32_t r = 0; r < rig_count; r++) {
        const graze_rig *rig = rigs[r].rig;
        double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
        OWN(pair) p = {0};
        if (pair_make(&p, rig, r))
            for (uint32_t frame = 0; frame < 24; frame++) {
                pair_pose(&p, rig, 0.003 * frame, size * (0.05 + 0.004 * frame));
                compare_frame(&p, &expected, &found, &seen);
            }
    }
    CHECK_MSG(50 * seen.beside > seen.hits, "%llu of %llu hits", (unsigned long long)seen.beside,
              (unsigned long long)seen.hits);
}

TEST(histories_refuse_foreign_bodies)
{
    uint32_t rig_count;
    const test_rig *rigs = test_rigs(&rig_count);
    graze_error error = {.text = ""};
    graze_pair_list found = {0};
    OWN(pair) p = {0}, other = {0};
    REQUIRE(rig_count && pair_make(&p, rigs[0].rig, 0) && pair_make(&other, rigs[0].rig, 0));
    const graze_options options = {.any = true, .history = p.history};
    CHECK(graze_pairs(p.sides.bodies[0], other.sides.bodies[1], &found, &options, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "body b is not of the history's model"));
    CHECK(graze_pairs(other.sides.bodies[0], p.sides.bodies[1], &found, &options, &error) ==
          GRAZE_BAD_INPUT);
    CHECK(graze_pairs(NULL, p.sides.bodies[1], &found, &options, &error) == GRAZE_BAD_INPUT);
}
