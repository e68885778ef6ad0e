/* Searches in tiny steps. Between them bodies are asked other things and lose or gain caches, which
 * leaves their poses as they are.
 */
#include "support/mixed_calls.h"

#include <graze/reference.h>

#include <math.h>
#include <string.h>

/* Something else that happens to a body meanwhile. */
static void disturb(mixed_world *w, mixed_body *b)
{
    graze_ray ray = mixed_ray(w, b);
    graze_ray_hit hit;
    bool met;
    switch (mixed_below(w, 8)) {
    case 0:
        graze_body_drop_caches(b->body);
        break;
    case 1:
        graze_body_refit_all(b->body);
        break;
    case 2:
        MIXED_OK(graze_cast(b->body, &ray, &hit, NULL, NULL));
        break;
    case 3:
        MIXED_OK(graze_collide_self_first(b->body, GRAZE_SELF_ALL, &met, NULL, NULL, NULL));
        break;
    case 4:
        graze_body_bound_all(b->body);
        break;
    default:
        break;
    }
}

/* Runs to the end, or now and then gives a body another pose half way: then it must be refused, and
 * false comes back. nearest is what the answer will be at, if it has such a measure, and found what
 * is known of it after each run.
 */
static bool run(mixed_world *w, mixed_body *a, mixed_body *b, const double *nearest,
                double (*found)(const void *answer), const void *answer)
{
    const graze_budget budget = {.bound_tests = 1 + mixed_below(w, 6),
                                 .triangle_tests = 1 + mixed_below(w, 30)};
    uint32_t break_off = mixed_below(w, 6) ? UINT32_MAX : 1 + mixed_below(w, 3);
    graze_search_rest rest = {.finished = false};
    for (uint32_t step = 0; step < 200000 && !w->failed; step++) {
        MIXED_OK(graze_search_run(w->search, &budget, NULL, &rest, NULL));
        if (rest.finished)
            return true;
        if (nearest)
            mixed_check(w, *nearest >= fmin((double)rest.nearest, found(answer)),
                        "the rest is said to be at %g or beyond, the answer is at %g",
                        (double)rest.nearest, *nearest);
        if (step == break_off) {
            graze_search_rest untouched = {.count = 77};
            if (w->step_count + 2 > MIXED_STEPS)
                return false;
            if (mixed_below(w, 3)) {
                mixed_set_pose(w, a);
            } else { /* another mask, whichever it was */
                a->mask[0] ^= 1;
                mixed_step(w, "set_group_mask(%u), without group 0 or with it", a->number);
                MIXED_OK(
                    graze_body_set_group_mask(a->body, a->mask, a->of->info.group_count, NULL));
                MIXED_OK(
                    graze_body_set_group_mask(a->twin, a->mask, a->of->info.group_count, NULL));
            }
            mixed_check(w,
                        graze_search_run(w->search, &budget, NULL, &untouched, NULL) ==
                                GRAZE_BAD_INPUT ||
                            strstr(w->steps[w->step_count - 1], "refused"),
                        "a search goes on in another pose");
            mixed_check(w, untouched.count == 77 || strstr(w->steps[w->step_count - 1], "refused"),
                        "the rest is written though the search was refused");
            return false;
        }
        disturb(w, b && mixed_below(w, 2) ? b : a);
    }
    mixed_check(w, false, "the search does not end");
    return false;
}

static double found_distance(const void *answer)
{
    const graze_nearest *nearest = answer;
    return nearest->found ? nearest->distance : INFINITY;
}

static double found_t(const void *answer)
{
    const graze_ray_hit *hit = answer;
    return hit->found ? (double)hit->t : INFINITY;
}

static double found_time(const void *answer)
{
    const graze_impact *impact = answer;
    return impact->found ? (double)impact->time : INFINITY;
}

static void search_pairs(mixed_world *w)
{
    mixed_body *a, *b;
    double distance = mixed_distance(w);
    bool within = mixed_below(w, 2);
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "search_%s(%u, %u), %g", within ? "within" : "collide", a->number, b->number,
               distance);
    mixed_clear(w);
    if (within) {
        mixed_expect_within(w, a, b, distance);
        MIXED_OK(graze_search_within(w->search, a->body, b->body, distance, answers_take_pairs,
                                     &w->found, NULL));
    } else {
        mixed_expect_pairs(w, a, b);
        MIXED_OK(
            graze_search_collide(w->search, a->body, b->body, answers_take_pairs, &w->found, NULL));
    }
    if (run(w, a, b, NULL, NULL, NULL))
        mixed_compare(w, "a search for pairs");
}

static void search_distance(mixed_world *w)
{
    mixed_body *a, *b;
    graze_nearest expected, found = {.found = false};
    double limit = mixed_below(w, 2) ? INFINITY : mixed_distance(w);
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "search_distance(%u, %u), limit %g", a->number, b->number, limit);
    mixed_expect_nearest(w, a, b, limit, &expected);
    double nearest = expected.found ? expected.distance : INFINITY;
    MIXED_OK(graze_search_distance(w->search, a->body, b->body, limit, &found, NULL));
    if (run(w, a, b, &nearest, found_distance, &found))
        mixed_compare_nearest(w, &expected, &found);
}

static void search_self(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_self_which which = (graze_self_which)mixed_below(w, 2);
    mixed_step(w, "search_self(%u), which %d", b->number, (int)which);
    mixed_clear(w);
    mixed_expect_self(w, b, which);
    MIXED_OK(graze_search_self(w->search, b->body, which, answers_take_self, &w->found, NULL));
    if (run(w, b, NULL, NULL, NULL, NULL))
        mixed_compare(w, "a search for self-collisions");
}

static void search_cast(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_ray ray = mixed_ray(w, b);
    graze_ray_hit hit = {.found = false};
    answers nearest = {0};
    bool all = mixed_below(w, 2);
    mixed_step(w, "search_cast%s(%u)", all ? "_all" : "", b->number);
    mixed_clear(w);
    mixed_expect_hits(w, b, &ray, &nearest);
    float t;
    memcpy(&t, &nearest.words[2], sizeof t);
    double least = nearest.words[0] ? (double)t : INFINITY;
    if (all) {
        MIXED_OK(
            graze_search_cast_all(w->search, b->body, &ray, answers_take_hits, &w->found, NULL));
        if (run(w, b, NULL, NULL, NULL, NULL))
            mixed_compare(w, "a search for hits");
    } else {
        MIXED_OK(graze_search_cast(w->search, b->body, &ray, &hit, NULL));
        if (run(w, b, NULL, &least, found_t, &hit)) {
            answers_put_hit(&w->found, &hit);
            mixed_check(w, answers_equal(&nearest, &w->found, NULL), "the nearest hit differs");
        }
    }
    answers_free(&nearest);
}

static void search_shape(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_shape shape = mixed_shape(w, b);
    mixed_step(w, "search_touch(%u), kind %d", b->number, (int)shape.kind);
    mixed_clear(w);
    mixed_expect_touch(w, b, &shape);
    MIXED_OK(
        graze_search_touch(w->search, b->body, &shape, answers_take_triangles, &w->found, NULL));
    if (run(w, b, NULL, NULL, NULL, NULL))
        mixed_compare(w, "a search for triangles");
}

static void search_inside(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_point_side expected, found = {.inside = false};
    float point[3];
    mixed_point(w, b, point);
    mixed_step(w, "search_point_inside(%u)", b->number);
    mixed_clear(w);
    mixed_expect_inside(w, b, point, &expected);
    MIXED_OK(graze_search_point_inside(w->search, b->body, point, &found, NULL));
    if (run(w, b, NULL, NULL, NULL, NULL)) {
        answers_put_inside(&w->expected, &expected);
        answers_put_inside(&w->found, &found);
        mixed_compare(w, "a search for a point");
    }
}

static void search_sweep(mixed_world *w)
{
    mixed_motions m = mixed_make_motions(w);
    const graze_motion *b = m.b[0] ? &m.motions[1] : NULL;
    graze_impact expected, found = {.found = false};
    bool pairs = mixed_below(w, 2);
    mixed_step(w, "search_sweep%s(%u %u, %d %d), new %d", pairs ? "_pairs" : "", m.a[0]->number,
               m.a[1]->number, b ? (int)m.b[0]->number : -1, b ? (int)m.b[1]->number : -1,
               m.only_new);
    mixed_clear(w);
    mixed_expect_impacts(w, &m, &expected);
    double time = expected.found ? (double)expected.time : INFINITY;
    if (pairs) {
        MIXED_OK(graze_search_sweep_pairs(w->search, &m.motions[0], b, m.only_new,
                                          answers_take_impacts, &w->found, NULL));
        if (run(w, m.a[0], m.b[0], NULL, NULL, NULL))
            mixed_compare(w, "a search for impacts");
    } else {
        MIXED_OK(graze_search_sweep(w->search, &m.motions[0], b, m.only_new, &found, NULL));
        if (run(w, m.a[0], m.b[0], &time, found_time, &found))
            mixed_compare_impact(w, &expected, &found);
    }
}

const mixed_call mixed_search_calls[] = {
    {2, search_pairs}, {1, search_distance}, {1, search_self},  {1, search_cast},
    {1, search_shape}, {1, search_inside},   {1, search_sweep}, {0, NULL}};
