/* Calls that compare two bodies, or one with itself: which triangles meet, how near they are. */
#include "support/mixed_calls.h"

#include "support/contacts.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>

/* ---- pairs ----------------------------------------------------------------------------------- */

void mixed_expect_pairs(mixed_world *w, mixed_body *a, mixed_body *b)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_pairs(a->twin, b->twin, PAIRS_TO(&w->expected),
                         &(graze_options){.method = GRAZE_BRUTE}, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static bool take_and_stop(void *user, const graze_pair *pairs, size_t count)
{
    answers_take_pairs(user, pairs, count);
    return false;
}

static void do_pairs_stopped(mixed_world *w)
{
    mixed_body *a, *b;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "pairs(%u, %u), stopped", a->number, b->number);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_pairs(a->body, b->body,
                         &(graze_pair_list){.report = take_and_stop, .user = &w->found}, NULL,
                         NULL));
    mixed_check(w, (w->found.count > 0) == (w->expected.count > 0), "%zu pairs, brute has %zu",
                w->found.count, w->expected.count);
    for (size_t i = 0; i < w->found.count; i++)
        mixed_check(w, answers_have(&w->expected, w->found.words + 2 * i, 2), "a pair is wrong");
}

static void do_bounds(mixed_world *w)
{
    mixed_body *a, *b;
    graze_pair_list nodes = {0};
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "bound_pairs(%u, %u)", a->number, b->number);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_bound_pairs(a->body, b->body, &nodes, NULL, NULL));
    mixed_check(w, nodes.total > 0 || w->expected.count == 0,
                "no bounds overlap, but %zu pairs meet", w->expected.count);
}

static void do_batch(mixed_world *w)
{
    enum { MAX_PAIRS = 5 };
    graze_body *couples[MAX_PAIRS][2];
    uint32_t count = 1 + mixed_below(w, MAX_PAIRS);
    answers all = {0};
    for (uint32_t i = 0; i < count; i++) {
        mixed_body *a, *b;
        mixed_two_bodies(w, &a, &b);
        couples[i][0] = a->body, couples[i][1] = b->body;
        mixed_expect_pairs(w, a, b);
        for (size_t k = 0; k < w->expected.count; k++)
            answers_put(
                &all, (const uint32_t[]){i, w->expected.words[2 * k], w->expected.words[2 * k + 1]},
                3);
    }
    mixed_step(w, "a batch of %u pairs", count);
    mixed_clear(w);
    OWN(answers) empty = w->expected;
    w->expected = all;
    MIXED_OK(answers_of_couples(w->pool, couples, count, &w->found, NULL, NULL));
    mixed_compare(w, "a batch");
}

/* ---- distances ------------------------------------------------------------------------------- */

double mixed_distance(mixed_world *w)
{
    static const double distances[] = {0, 0, 1e-6, 0.01, 0.05, 0.125};
    return distances[mixed_below(w, 6)];
}

static void do_bound_distance(mixed_world *w)
{
    mixed_body *a, *b;
    graze_nearest expected;
    float least = INFINITY;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "bound_distance(%u, %u)", a->number, b->number);
    mixed_begin_reference(w);
    MIXED_OK(graze_distance(a->twin, b->twin, INFINITY, &expected,
                            &(graze_options){.method = GRAZE_BRUTE}, NULL));
    mixed_end_reference(w);
    MIXED_OK(graze_bound_distance(a->body, b->body, &least, NULL, NULL));
    mixed_check(w, !expected.found || (double)least <= expected.distance,
                "at least %g apart, brute has %g", (double)least, expected.distance);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static void put_contacts(const contact_set *found, answers lists[3])
{
    answers_take_contacts(&lists[0], found->contacts, found->count);
    answers_put_details(&lists[1], &lists[2], found->finder);
}

/* From the pairs of brute force; and by any method. */
static void do_contacts(mixed_world *w)
{
    mixed_body *a, *b;
    OWN(contact_set) expected = {0}, found = {0};
    graze_contact_finder_def def = {0};
    answers lists[2][3] = {{{0}}};
    mixed_two_bodies(w, &a, &b);
    def.split_by_part = mixed_below(w, 2);
    const graze_options options = {.method = mixed_below(w, 3),
                                   .pool = mixed_below(w, 2) ? w->pool : NULL};
    mixed_step(w, "contacts(%u, %u), split %d, method %d, pool %d", a->number, b->number,
               def.split_by_part, (int)options.method, options.pool != NULL);
    mixed_expect_pairs(w, a, b);
    OWNED graze_pair *pairs = malloc((w->expected.count + 1) * sizeof *pairs);
    for (size_t i = 0; i < w->expected.count; i++)
        pairs[i] = (graze_pair){.a = w->expected.words[2 * i], .b = w->expected.words[2 * i + 1]};
    mixed_begin_reference(w);
    contact_set_open(&expected, a->of->plain, b->of->plain, &def);
    MIXED_OK(contact_set_from_pairs(&expected, a->twin, b->twin, pairs, w->expected.count, NULL));
    mixed_end_reference(w);
    contact_set_open(&found, a->of->model, b->of->model, &def);
    MIXED_OK(
        graze_contacts(found.finder, a->body, b->body, TO_CONTACT_SET(&found), &options, NULL));
    put_contacts(&expected, lists[0]);
    put_contacts(&found, lists[1]);
    for (int i = 0; i < 3; i++) {
        mixed_check(w, answers_equal(&lists[0][i], &lists[1][i], NULL), "%s differ",
                    i == 0   ? "contacts"
                    : i == 1 ? "details"
                             : "segments");
        answers_free(&lists[0][i]);
        answers_free(&lists[1][i]);
    }
}

static void do_pairs(mixed_world *w)
{
    mixed_ask_at_once(w, MIXED_PAIRS);
}

static void do_self(mixed_world *w)
{
    mixed_ask_at_once(w, MIXED_SELF);
}

static void do_distance(mixed_world *w)
{
    mixed_ask_at_once(w, mixed_below(w, 2) ? MIXED_DISTANCE : MIXED_WITHIN);
}

const mixed_call mixed_pair_calls[] = {
    {17, do_pairs},   {1, do_pairs_stopped},  {2, do_bounds},   {2, do_batch}, {5, do_self},
    {4, do_distance}, {1, do_bound_distance}, {1, do_contacts}, {0, NULL}};
