#include <graze/search.h>

#include "base/memory.h"
#include "base/status.h"
#include "query/distance.h"
#include "query/inside.h"
#include "query/pair.h"
#include "query/ray.h"
#include "query/self.h"
#include "query/shapes.h"
#include "query/sweep.h"

typedef union any_question {
    grazei_question base;
    grazei_pair_question pair;
    grazei_self_question self;
    grazei_ray_question ray;
    grazei_distance_question distance;
    grazei_touch_question touch;
    grazei_inside_question inside;
    grazei_sweep_question sweep;
} any_question;

struct graze_search {
    graze_allocator allocator;
    any_question question;
    grazei_agenda agenda;
    graze_stats begun; /* what putting the question cost */
    bool asked;
    bool running;            /* and so may not be asked or run again */
    bool one_tree;           /* the second node of an item is none */
    uint32_t pose_counts[4]; /* of the question's bodies when it was put */
    uint32_t stamps[4];      /* and of what they had computed */
    void *answer;            /* the caller's, with how to fill it; NULL: reports only */
    void (*fill)(graze_search *search);
};

graze_status graze_search_create(const graze_allocator *allocator, graze_search **search,
                                 graze_error *error)
{
    graze_status status = grazei_check_pointer(search, "where the search goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_search *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_search);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *search = made;
    return GRAZE_OK;
}

void graze_search_destroy(graze_search *search)
{
    if (!search)
        return;
    graze_allocator allocator = search->allocator;
    grazei_release(&allocator, search);
}

static graze_status check_search(const graze_search *search, graze_error *error)
{
    graze_status status = grazei_check_pointer(search, "the search", error);
    if (!status && search->running)
        status = grazei_fail(error, GRAZE_BAD_INPUT,
                             "the search is running: its callbacks may not use it");
    return status;
}

/* Errors for the search, and for where the answer goes or a callback that is missing. */
static graze_status check_put(const graze_search *search, bool given, const char *name,
                              graze_error *error)
{
    graze_status status = check_search(search, error);
    return status ? status : grazei_check_given(given, name, error);
}

/* Before a question is put: nothing is left of the one before. */
static graze_stats *clear(graze_search *search)
{
    search->asked = false;
    search->one_tree = false;
    search->answer = NULL;
    search->fill = NULL;
    search->begun = (graze_stats){0};
    return &search->begun;
}

static graze_status put(graze_search *search)
{
    const grazei_question *question = &search->question.base;
    for (uint32_t i = 0; i < question->body_count; i++) {
        search->pose_counts[i] = grazei_body_pose_number(question->bodies[i]);
        search->stamps[i] = grazei_body_drop_number(question->bodies[i]);
    }
    search->asked = true;
    return GRAZE_OK;
}

graze_status graze_search_collide(graze_search *search, graze_body *a, graze_body *b,
                                  graze_pair_fn report, void *user, graze_error *error)
{
    graze_status status = check_put(search, report != NULL, "report", error);
    if (!status)
        status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    grazei_pair_begin(&search->question.pair, &search->agenda, a, b, false, report, user,
                      clear(search));
    return put(search);
}

graze_status graze_search_self(graze_search *search, graze_body *body, graze_self_which which,
                               graze_self_fn report, void *user, graze_error *error)
{
    graze_status status = check_put(search, report != NULL, "report", error);
    if (!status)
        status = grazei_check_self(body, which, true, error);
    if (status)
        return status;
    grazei_self_begin(&search->question.self, &search->agenda, body, which, false, report, user,
                      clear(search));
    return put(search);
}

static graze_status begin_cast(graze_search *search, graze_body *body, const graze_ray *ray,
                               grazei_ray_kind kind, graze_ray_hit_fn report, void *user,
                               graze_error *error)
{
    graze_status status = grazei_check_cast(body, ray, error);
    if (status)
        return status;
    grazei_ray_begin(&search->question.ray, &search->agenda, body, ray, kind, report, user,
                     clear(search));
    search->one_tree = true;
    return put(search);
}

static void fill_hit(graze_search *search)
{
    const grazei_ray_question *question = &search->question.ray;
    *(graze_ray_hit *)search->answer = grazei_ray_hit_of(question->base.bodies[0], &question->best);
}

graze_status graze_search_cast(graze_search *search, graze_body *body, const graze_ray *ray,
                               graze_ray_hit *hit, graze_error *error)
{
    graze_status status = check_put(search, hit != NULL, "hit", error);
    if (!status)
        status = begin_cast(search, body, ray, GRAZEI_RAY_NEAREST, NULL, NULL, error);
    if (!status) {
        search->answer = hit;
        search->fill = fill_hit;
    }
    return status;
}

graze_status graze_search_cast_all(graze_search *search, graze_body *body, const graze_ray *ray,
                                   graze_ray_hit_fn report, void *user, graze_error *error)
{
    graze_status status = check_put(search, report != NULL, "report", error);
    return status ? status : begin_cast(search, body, ray, GRAZEI_RAY_ALL, report, user, error);
}

static graze_status begin_distance(graze_search *search, graze_body *a, graze_body *b,
                                   grazei_distance_kind kind, double limit, graze_pair_fn report,
                                   void *user, graze_error *error)
{
    graze_status status = grazei_distance_check(a, b, limit, kind == GRAZEI_NEAREST, error);
    if (status)
        return status;
    grazei_distance_begin(&search->question.distance, &search->agenda, a, b, kind, limit, report,
                          user, clear(search));
    return put(search);
}

static void fill_nearest(graze_search *search)
{
    grazei_distance_answer(&search->question.distance, search->answer);
}

graze_status graze_search_distance(graze_search *search, graze_body *a, graze_body *b, double limit,
                                   graze_nearest *nearest, graze_error *error)
{
    graze_status status = check_put(search, nearest != NULL, "nearest", error);
    if (!status)
        status = begin_distance(search, a, b, GRAZEI_NEAREST, limit, NULL, NULL, error);
    if (!status) {
        search->answer = nearest;
        search->fill = fill_nearest;
    }
    return status;
}

graze_status graze_search_within(graze_search *search, graze_body *a, graze_body *b,
                                 double distance, graze_pair_fn report, void *user,
                                 graze_error *error)
{
    graze_status status = check_put(search, report != NULL, "report", error);
    return status ? status
                  : begin_distance(search, a, b, GRAZEI_WITHIN, distance, report, user, error);
}

graze_status graze_search_touch(graze_search *search, graze_body *body, const graze_shape *shape,
                                graze_triangle_fn report, void *user, graze_error *error)
{
    grazei_shape ready;
    graze_status status = check_put(search, report != NULL, "report", error);
    if (!status)
        status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_shape_prepare(&ready, shape, error);
    if (status)
        return status;
    grazei_touch_begin(&search->question.touch, &search->agenda, body, &ready, report, user,
                       clear(search));
    search->one_tree = true;
    return put(search);
}

static void fill_inside(graze_search *search)
{
    *(graze_point_side *)search->answer = grazei_inside_answer(&search->question.inside);
}

graze_status graze_search_point_inside(graze_search *search, graze_body *body, const float point[3],
                                       graze_point_side *answer, graze_error *error)
{
    graze_status status = check_search(search, error);
    if (!status)
        status = grazei_check_inside(body, point, answer != NULL, error);
    if (status)
        return status;
    grazei_inside_begin(&search->question.inside, &search->agenda, body, point, clear(search));
    search->one_tree = true;
    search->answer = answer;
    search->fill = fill_inside;
    return put(search);
}

static void fill_impact(graze_search *search)
{
    *(graze_impact *)search->answer = search->question.sweep.best;
}

static graze_status begin_sweep(graze_search *search, const graze_motion *a, const graze_motion *b,
                                bool only_new, graze_impact_fn report, void *user,
                                graze_error *error)
{
    graze_status status = grazei_check_motions(a, b, error);
    if (status)
        return status;
    grazei_sweep_begin(&search->question.sweep, &search->agenda, a, b, only_new, report, user,
                       clear(search));
    return put(search);
}

graze_status graze_search_sweep(graze_search *search, const graze_motion *a, const graze_motion *b,
                                bool only_new, graze_impact *impact, graze_error *error)
{
    graze_status status = check_put(search, impact != NULL, "impact", error);
    if (!status)
        status = begin_sweep(search, a, b, only_new, NULL, NULL, error);
    if (!status) {
        search->answer = impact;
        search->fill = fill_impact;
    }
    return status;
}

graze_status graze_search_sweep_pairs(graze_search *search, const graze_motion *a,
                                      const graze_motion *b, bool only_new, graze_impact_fn report,
                                      void *user, graze_error *error)
{
    graze_status status = check_put(search, report != NULL, "report", error);
    return status ? status : begin_sweep(search, a, b, only_new, report, user, error);
}

/* --- running --------------------------------------------------------------------------------- */

/* Of a lean body that has borrowed other caches since: what is left to look at was bounded in those
 * that it had.
 */
static void bound_again(graze_search *search, uint32_t i)
{
    graze_body *body = search->question.base.bodies[i];
    if (!grazei_body_is_lean(body) || grazei_body_drop_number(body) == search->stamps[i])
        return;
    grazei_body_bound_all(body);
    search->stamps[i] = grazei_body_drop_number(body);
}

static graze_status check_run(graze_search *search, const graze_search_rest *where,
                              graze_error *error)
{
    graze_status failed = check_put(search, where != NULL, "rest", error);
    if (failed)
        return failed;
    if (!search->asked)
        return grazei_fail(error, GRAZE_BAD_INPUT, "the search has no question");
    const grazei_question *question = &search->question.base;
    for (uint32_t i = 0; i < question->body_count; i++) {
        graze_status status = grazei_check_body(question->bodies[i], "a body of the search", error);
        if (status)
            return status;
        if (grazei_body_pose_number(question->bodies[i]) != search->pose_counts[i])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "a body of the search has a new pose: put the question again");
        /* What is left to look at was bounded before; other threads may now be bounding it anew. */
        if (grazei_body_is_shared(question->bodies[i]) &&
            grazei_body_drop_number(question->bodies[i]) != search->stamps[i])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "a body of the search is shared, and its caches were dropped since "
                               "the question was put: put it again");
        bound_again(search, i);
    }
    return GRAZE_OK;
}

/* Of a budget, where 0 is no limit. */
static uint64_t limit_of(uint64_t limit)
{
    return limit ? limit : UINT64_MAX;
}

/* The second tree is that of the last body: the same one, another, or the end of a motion. */
static graze_search_rest rest_of(const graze_search *search)
{
    const grazei_question *question = &search->question.base;
    const grazei_agenda *agenda = &search->agenda;
    const graze_body *second = question->bodies[question->body_count - 1];
    graze_search_rest rest = {
        .finished = agenda->count == 0, .count = agenda->count, .nearest = INFINITY};
    for (uint32_t i = 0; i < agenda->count; i++) {
        grazei_item item = agenda->items[i];
        uint32_t level = grazei_tree_level(grazei_body_tree(question->bodies[0]), item.node);
        if (!search->one_tree && !grazei_is_itself(item.self)) {
            uint32_t other = grazei_tree_level(grazei_body_tree(second), item.pair.node[1]);
            level = other < level ? other : level;
        }
        rest.depth = i == 0 || level < rest.depth ? level : rest.depth;
        rest.nearest = f1_min(rest.nearest, agenda->keyed ? agenda->keys[i] : 0);
    }
    rest.nearest = rest.finished ? rest.nearest : f1_max(rest.nearest, 0);
    return rest;
}

graze_status graze_search_run(graze_search *search, const graze_budget *budget, graze_stats *stats,
                              graze_search_rest *rest, graze_error *error)
{
    graze_status status = check_run(search, rest, error);
    if (status)
        return status;
    grazei_agenda *agenda = &search->agenda;
    graze_stats done = search->begun; /* counts towards the first run */
    agenda->last_bound_test = limit_of(budget ? budget->bound_tests : 0);
    agenda->last_triangle_test = limit_of(budget ? budget->triangle_tests : 0);
    agenda->stop = budget ? budget->stop : NULL;
    agenda->stop_user = budget ? budget->user : NULL;
    search->running = true;
    grazei_run(&search->question.base, agenda, &done);
    search->running = false;
    search->begun = (graze_stats){0};
    if (stats)
        grazei_add_stats(stats, &done);
    if (search->fill)
        search->fill(search);
    *rest = rest_of(search);
    return GRAZE_OK;
}
