/* Calls that compare two bodies, or one with itself: which triangles meet, how near they are. */
#include "support/mixed_calls.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pairs ----------------------------------------------------------------------------------- */

void mixed_expect_pairs(mixed_world *w, mixed_body *a, mixed_body *b)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_collide_brute(a->twin, b->twin, answers_take_pairs, &w->expected, NULL, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static void check_first(mixed_world *w, bool hit, const graze_pair *pair)
{
    mixed_check(w, hit == (w->expected.count > 0), "says %s, brute force finds %zu pairs",
                hit ? "yes" : "no", w->expected.count);
    mixed_check(w, !hit || answers_have(&w->expected, (const uint32_t[]){pair->a, pair->b}, 2),
                "%u and %u do not meet", pair->a, pair->b);
}

static void do_collide(mixed_world *w)
{
    mixed_body *a, *b;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "collide(%u, %u)", a->number, b->number);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_collide(a->body, b->body, answers_take_pairs, &w->found, NULL, NULL));
    mixed_compare(w, "collide");
}

static bool take_and_stop(void *user, const graze_pair *pairs, size_t count)
{
    answers_take_pairs(user, pairs, count);
    return false;
}

static void do_collide_stopped(mixed_world *w)
{
    mixed_body *a, *b;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "collide(%u, %u), stopped", a->number, b->number);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_collide(a->body, b->body, take_and_stop, &w->found, NULL, NULL));
    mixed_check(w, (w->found.count > 0) == (w->expected.count > 0), "%zu pairs, brute has %zu",
                w->found.count, w->expected.count);
    for (size_t i = 0; i < w->found.count; i++)
        mixed_check(w, answers_have(&w->expected, w->found.words + 2 * i, 2), "a pair is wrong");
}

static void do_collide_first(mixed_world *w)
{
    mixed_body *a, *b;
    bool hit = false;
    graze_pair pair = {0, 0};
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "collide_first(%u, %u)", a->number, b->number);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_collide_first(a->body, b->body, &hit, &pair, NULL, NULL));
    check_first(w, hit, &pair);
}

static void do_collide_eager(mixed_world *w)
{
    mixed_body *a, *b;
    bool first = mixed_below(w, 3) == 0;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "collide_eager(%u, %u), first %d", a->number, b->number, first);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(
        graze_collide_eager(a->body, b->body, first, answers_take_pairs, &w->found, NULL, NULL));
    if (!first) {
        mixed_compare(w, "collide_eager");
        return;
    }
    graze_pair pair = {0, 0};
    if (w->found.count)
        pair = (graze_pair){w->found.words[0], w->found.words[1]};
    check_first(w, w->found.count > 0, &pair);
}

static bool count_nodes(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(size_t *)user;
    return true;
}

static void do_collide_bounds(mixed_world *w)
{
    mixed_body *a, *b;
    size_t count = 0;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "collide_bounds(%u, %u)", a->number, b->number);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_collide_bounds(a->body, b->body, count_nodes, &count, NULL, NULL));
    mixed_check(w, count > 0 || w->expected.count == 0, "no bounds overlap, but %zu pairs meet",
                w->expected.count);
}

static void do_front(mixed_world *w)
{
    mixed_body *a, *b;
    bool first = mixed_below(w, 2), hit = false;
    graze_pair pair = {0, 0};
    mixed_two_bodies(w, &a, &b);
    graze_front *front = w->fronts[a->number / 2][b->number / 2];
    mixed_step(w, "front_collide%s(%u, %u)", first ? "_first" : "", a->number, b->number);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    if (first) {
        MIXED_OK(graze_front_collide_first(front, a->body, b->body, &hit, &pair, NULL, NULL));
        check_first(w, hit, &pair);
    } else {
        MIXED_OK(graze_front_collide(front, a->body, b->body, answers_take_pairs, &w->found, NULL,
                                     NULL));
        mixed_compare(w, "front_collide");
    }
}

static void do_collide_parallel(mixed_world *w)
{
    mixed_body *a, *b;
    mixed_two_bodies(w, &a, &b);
    bool alone = mixed_below(w, 4) == 0;
    mixed_step(w, "collide_parallel(%u, %u), %s", a->number, b->number, alone ? "alone" : "pool");
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_collide_parallel(alone ? NULL : w->pool, a->body, b->body, answers_take_pairs,
                                    &w->found, NULL, NULL));
    mixed_compare(w, "collide_parallel");
}

static void do_collide_many(mixed_world *w)
{
    enum { MAX_PAIRS = 5 };
    graze_body_pair pairs[MAX_PAIRS];
    bool hits[MAX_PAIRS], expected_hits[MAX_PAIRS];
    uint32_t count = 1 + mixed_below(w, MAX_PAIRS);
    answers all = {0};
    for (uint32_t i = 0; i < count; i++) {
        mixed_body *a, *b;
        mixed_two_bodies(w, &a, &b);
        pairs[i] = (graze_body_pair){a->body, b->body};
        mixed_expect_pairs(w, a, b);
        expected_hits[i] = w->expected.count > 0;
        for (size_t k = 0; k < w->expected.count; k++)
            answers_put(
                &all, (const uint32_t[]){i, w->expected.words[2 * k], w->expected.words[2 * k + 1]},
                3);
    }
    bool first = mixed_below(w, 2);
    mixed_step(w, "collide_many%s, %u pairs", first ? "_first" : "", count);
    mixed_clear(w);
    if (first) {
        MIXED_OK(graze_collide_many_first(w->pool, pairs, count, hits, NULL, NULL));
        mixed_check(w, memcmp(hits, expected_hits, count * sizeof *hits) == 0, "a hit is wrong");
    } else {
        answers empty = w->expected;
        w->expected = all;
        all = empty;
        MIXED_OK(
            graze_collide_many(w->pool, pairs, count, answers_take_many, &w->found, NULL, NULL));
        mixed_compare(w, "collide_many");
    }
    answers_free(&all);
}

/* ---- one body with itself -------------------------------------------------------------------- */

void mixed_expect_self(mixed_world *w, mixed_body *b, graze_self_which which)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_collide_self_brute(b->twin, which, answers_take_self, &w->expected, NULL, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static void do_self(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_self_which which = (graze_self_which)mixed_below(w, 2);
    uint32_t way = mixed_below(w, 3);
    bool hit = false;
    graze_self_pair pair = {0};
    mixed_step(w, "collide_self%s(%u), which %d",
               way == 0   ? ""
               : way == 1 ? "_eager"
                          : "_first",
               b->number, (int)which);
    mixed_clear(w);
    mixed_expect_self(w, b, which);
    if (way == 0)
        MIXED_OK(graze_collide_self(b->body, which, answers_take_self, &w->found, NULL, NULL));
    else if (way == 1)
        MIXED_OK(
            graze_collide_self_eager(b->body, which, answers_take_self, &w->found, NULL, NULL));
    else
        MIXED_OK(graze_collide_self_first(b->body, which, &hit, &pair, NULL, NULL));
    if (way < 2) {
        mixed_compare(w, "collide_self");
        return;
    }
    mixed_check(w, hit == (w->expected.count > 0), "says %d, brute finds %zu pairs", hit,
                w->expected.count);
    mixed_check(
        w, !hit || answers_have(&w->expected, (const uint32_t[]){pair.a, pair.b, pair.rest}, 3),
        "a pair is wrong");
}

/* The expected pairs with a group in one set and a group in the other. */
static void keep_between(mixed_world *w, const mixed_body *b, uint32_t bits[2][MIXED_MASK_WORDS])
{
    size_t kept = 0;
    for (size_t i = 0; i < w->expected.count; i++) {
        uint32_t *pair = w->expected.words + i * w->expected.width;
        uint32_t p = graze_model_triangle_group(b->of->plain, pair[0]);
        uint32_t q = graze_model_triangle_group(b->of->plain, pair[1]);
        bool in[2][2];
        for (int s = 0; s < 2; s++) {
            in[s][0] = bits[s][p / 32] >> (p % 32) & 1;
            in[s][1] = bits[s][q / 32] >> (q % 32) & 1;
        }
        if ((in[0][0] && in[1][1]) || (in[0][1] && in[1][0]))
            memmove(w->expected.words + kept++ * w->expected.width, pair,
                    w->expected.width * sizeof *pair);
    }
    w->expected.count = kept;
}

static void do_self_between(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_self_which which = (graze_self_which)mixed_below(w, 2);
    uint32_t bits[2][MIXED_MASK_WORDS];
    bool first = mixed_below(w, 3) == 0, hit = false;
    graze_self_pair pair = {0};
    for (int i = 0; i < 2 * MIXED_MASK_WORDS; i++)
        bits[i / MIXED_MASK_WORDS][i % MIXED_MASK_WORDS] = test_random_u32(&w->random);
    const graze_group_pair sets = {bits[0], bits[1]};
    const graze_self_between between = {
        .pairs = &sets, .pair_count = 1, .group_count = b->of->info.group_count};
    mixed_step(w, "collide_self_between%s(%u), which %d", first ? "_first" : "", b->number,
               (int)which);
    mixed_clear(w);
    mixed_expect_self(w, b, which);
    keep_between(w, b, bits);
    if (!first) {
        MIXED_OK(graze_collide_self_between(b->body, which, &between, answers_take_self, &w->found,
                                            NULL, NULL));
        mixed_compare(w, "collide_self_between");
        return;
    }
    MIXED_OK(graze_collide_self_between_first(b->body, which, &between, &hit, &pair, NULL, NULL));
    mixed_check(w, hit == (w->expected.count > 0), "says %d, brute finds %zu pairs", hit,
                w->expected.count);
    mixed_check(
        w, !hit || answers_have(&w->expected, (const uint32_t[]){pair.a, pair.b, pair.rest}, 3),
        "a pair is wrong");
}

/* ---- distances ------------------------------------------------------------------------------- */

double mixed_distance(mixed_world *w)
{
    static const double distances[] = {0, 0, 1e-6, 0.01, 0.05, 0.125};
    return distances[mixed_below(w, 6)];
}

void mixed_expect_nearest(mixed_world *w, mixed_body *a, mixed_body *b, double limit,
                          graze_nearest *nearest)
{
    mixed_begin_reference(w);
    MIXED_OK(graze_distance_brute(a->twin, b->twin, limit, nearest, NULL, NULL));
    mixed_end_reference(w);
}

void mixed_compare_nearest(mixed_world *w, const graze_nearest *expected,
                           const graze_nearest *found)
{
    mixed_clear(w);
    answers_put_nearest(&w->expected, expected);
    answers_put_nearest(&w->found, found);
    mixed_check(w, answers_equal(&w->expected, &w->found, NULL),
                "distance %g between %u and %u, brute has %g between %u and %u", found->distance,
                found->triangles.a, found->triangles.b, expected->distance, expected->triangles.a,
                expected->triangles.b);
}

static void do_distance(mixed_world *w)
{
    mixed_body *a, *b;
    graze_nearest expected, found;
    mixed_two_bodies(w, &a, &b);
    double limit = mixed_below(w, 2) ? INFINITY : mixed_distance(w);
    mixed_step(w, "distance(%u, %u), limit %g", a->number, b->number, limit);
    mixed_expect_nearest(w, a, b, limit, &expected);
    MIXED_OK(graze_distance(a->body, b->body, limit, &found, NULL, NULL));
    mixed_compare_nearest(w, &expected, &found);
}

void mixed_expect_within(mixed_world *w, mixed_body *a, mixed_body *b, double distance)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_within_brute(a->twin, b->twin, distance, answers_take_pairs, &w->expected, NULL,
                                NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static void do_closer_than(mixed_world *w)
{
    mixed_body *a, *b;
    double distance = mixed_distance(w);
    bool closer = false;
    graze_pair pair = {0, 0};
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "closer_than(%u, %u), %g", a->number, b->number, distance);
    mixed_expect_within(w, a, b, distance);
    MIXED_OK(graze_closer_than(a->body, b->body, distance, &closer, &pair, NULL, NULL));
    check_first(w, closer, &pair);
}

static void do_within(mixed_world *w)
{
    mixed_body *a, *b;
    double distance = mixed_distance(w);
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "within(%u, %u), %g", a->number, b->number, distance);
    mixed_clear(w);
    mixed_expect_within(w, a, b, distance);
    MIXED_OK(graze_within(a->body, b->body, distance, answers_take_pairs, &w->found, NULL, NULL));
    mixed_compare(w, "within");
}

static void do_distance_bound(mixed_world *w)
{
    mixed_body *a, *b;
    graze_nearest expected;
    float least = INFINITY;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "distance_bound(%u, %u)", a->number, b->number);
    mixed_expect_nearest(w, a, b, INFINITY, &expected);
    MIXED_OK(graze_distance_bound(a->body, b->body, &least, NULL, NULL));
    mixed_check(w, !expected.found || (double)least <= expected.distance,
                "at least %g apart, brute has %g", (double)least, expected.distance);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static void do_contacts(mixed_world *w)
{
    mixed_body *a, *b;
    graze_contacts *expected = NULL, *found = NULL;
    graze_contacts_def def = graze_default_contacts_def();
    answers contacts[2] = {{0}, {0}}, segments[2] = {{0}, {0}};
    mixed_two_bodies(w, &a, &b);
    def.split_by_group = mixed_below(w, 2);
    mixed_step(w, "contacts_find(%u, %u), split %d", a->number, b->number, def.split_by_group);
    mixed_expect_pairs(w, a, b);
    graze_pair *pairs = malloc((w->expected.count + 1) * sizeof *pairs);
    for (size_t i = 0; i < w->expected.count; i++)
        pairs[i] = (graze_pair){w->expected.words[2 * i], w->expected.words[2 * i + 1]};
    mixed_begin_reference(w);
    MIXED_OK(graze_contacts_create(a->of->plain, b->of->plain, &def, &expected, NULL));
    MIXED_OK(graze_contacts_from_pairs(expected, a->twin, b->twin, pairs, w->expected.count, NULL,
                                       NULL));
    answers_put_contacts(&contacts[0], &segments[0], expected);
    mixed_end_reference(w);
    MIXED_OK(graze_contacts_create(a->of->model, b->of->model, &def, &found, NULL));
    MIXED_OK(graze_contacts_find(found, a->body, b->body, NULL, NULL));
    answers_put_contacts(&contacts[1], &segments[1], found);
    mixed_check(w, answers_equal(&segments[0], &segments[1], NULL), "segments differ");
    mixed_check(w, answers_equal(&contacts[0], &contacts[1], NULL), "contacts differ");
    free(pairs);
    for (int i = 0; i < 2; i++) {
        answers_free(&contacts[i]);
        answers_free(&segments[i]);
    }
    graze_contacts_destroy(expected);
    graze_contacts_destroy(found);
}

const mixed_call mixed_pair_calls[] = {{6, do_collide},
                                       {1, do_collide_stopped},
                                       {3, do_collide_first},
                                       {3, do_collide_eager},
                                       {2, do_collide_bounds},
                                       {3, do_front},
                                       {2, do_collide_parallel},
                                       {2, do_collide_many},
                                       {3, do_self},
                                       {2, do_distance},
                                       {1, do_closer_than},
                                       {1, do_within},
                                       {1, do_distance_bound},
                                       {1, do_contacts},
                                       {2, do_self_between},
                                       {0, NULL}};
