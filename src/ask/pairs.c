/* Questions about pairs of triangles: which meet, which are near, how near. */
#include "ask/ask.h"

#include "base/status.h"
#include "body/mask.h"
#include "pairs/history.h"

#include <math.h>

/* ---- graze_pairs ---------------------------------------------------------------------------- */

static graze_status check_pairs(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    graze_status status = grazei_check_pair_outside(call->bodies[0], call->bodies[1], error);
    if (!GRAZEI_ASKS_PLAINLY && !status && call->history)
        status = grazei_history_check(call->history, call->bodies[0], call->bodies[1], error);
    return status;
}

static bool are_pairs_apart(const grazei_call *call, const grazei_work *work, graze_stats *stats)
{
    (void)work;
    return grazei_pair_is_apart(call->bodies[0], call->bodies[1], stats);
}

static void begin_pairs(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    graze_body *a = call->bodies[0], *b = call->bodies[1];
    if (!GRAZEI_ASKS_PLAINLY && call->any && call->history && call->method == GRAZE_LAZY)
        grazei_history_begin(call->history, &work->question.pair, &work->agenda, a, b,
                             grazei_take_pairs, &work->sink, stats);
    else
        grazei_pair_begin(&work->question.pair, &work->agenda, a, b, call->any, grazei_take_pairs,
                          &work->sink, stats);
}

static void find_pairs_by_brute_force(const grazei_call *call, grazei_work *work,
                                      graze_stats *stats)
{
    grazei_pair_brute(call->bodies[0], call->bodies[1], grazei_take_pairs, &work->sink, stats);
}

static void spread_pairs(const grazei_call *call, grazei_work *work, graze_pool *pool,
                         graze_stats *stats)
{
    grazei_spread_pairs(call, &work->sink, grazei_take_pairs, pool, stats);
}

const grazei_kind grazei_pairs_kind = {.name = "graze_pairs",
                                       .list = GRAZEI_PAIRS,
                                       .check = check_pairs,
                                       .apart = are_pairs_apart,
                                       .begin = begin_pairs,
                                       .brute = GRAZEI_WHOLE(find_pairs_by_brute_force),
                                       .spread = GRAZEI_WHOLE(spread_pairs)};

graze_status graze_pairs(graze_body *a, graze_body *b, graze_pair_list *pairs,
                         const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_pairs_kind, a, b, pairs);
    return grazei_ask(&call, options, error);
}

/* ---- graze_self_pairs ----------------------------------------------------------------------- */

static graze_status check_self(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    graze_status status = grazei_check_outside(call->bodies[0], "the body", error);
    if (!status && call->about.filter)
        status = grazei_check_filter(call->bodies[0], call->about.filter, error);
    return status;
}

static void begin_self(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_self_question *question = &work->question.self;
    graze_body *body = call->bodies[0];
    bool whole = work->to_the_end && !call->about.filter, eager = call->method == GRAZE_EAGER;
    if (whole && !call->any && !eager)
        grazei_body_sum_folds(body);
    grazei_self_begin(question, &work->agenda, body, call->only_new, call->any, grazei_take_pairs,
                      &work->sink, stats);
    question->whole = whole;
    question->between = call->about.filter;
    if (eager)
        question->folds = NULL;
}

static void find_self_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_self_brute(&work->question.self, call->bodies[0], call->only_new, call->any,
                      call->about.filter, grazei_take_pairs, &work->sink, stats);
}

const grazei_kind grazei_self_kind = {.name = "graze_self_pairs",
                                      .list = GRAZEI_PAIRS,
                                      .takes_new = true,
                                      .check = check_self,
                                      .begin = begin_self,
                                      .brute = GRAZEI_WHOLE(find_self_by_brute_force)};

graze_status graze_self_pairs(graze_body *body, const graze_part_filter *filter,
                              graze_pair_list *pairs, const graze_options *options,
                              graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_self_kind, body, NULL, pairs);
    call.about.filter = filter;
    return grazei_ask(&call, options, error);
}

/* ---- graze_distance, graze_pairs_within ----------------------------------------------------- */

static bool is_list(const grazei_call *call)
{
    return call->kind->list == GRAZEI_PAIRS;
}

static graze_status check_distance(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    return grazei_distance_check(call->bodies[0], call->bodies[1], call->about.distance,
                                 !is_list(call), error);
}

static grazei_distance_kind kind_of(const grazei_call *call)
{
    if (call->any)
        return GRAZEI_CLOSER;
    return is_list(call) ? GRAZEI_WITHIN : GRAZEI_NEAREST;
}

static void begin_distance(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_distance_begin(&work->question.distance, &work->agenda, call->bodies[0], call->bodies[1],
                          kind_of(call), call->about.distance, grazei_take_pairs, &work->sink,
                          stats);
}

static void measure_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_distance_brute(&work->question.distance, &work->agenda, call->bodies[0], call->bodies[1],
                          kind_of(call), call->about.distance, grazei_take_pairs, &work->sink,
                          stats);
}

static graze_status finish_distance(const grazei_call *call, grazei_work *work, bool finished,
                                    graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    grazei_distance_answer(&work->question.distance, call->answer);
    return GRAZE_OK;
}

/* All pairs were reported on the way, any one is now. */
static graze_status finish_within(const grazei_call *call, grazei_work *work, bool finished,
                                  graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    grazei_distance_question *question = &work->question.distance;
    if (call->any && question->found && !work->delivered)
        grazei_take_pairs(&work->sink, &question->pair, 1);
    work->delivered = question->found;
    return GRAZE_OK;
}

const grazei_kind grazei_nearest_kind = {.name = "graze_distance",
                                         .answer_size = sizeof(graze_nearest),
                                         .check = check_distance,
                                         .begin = begin_distance,
                                         .brute = GRAZEI_WHOLE(measure_by_brute_force),
                                         .finish = finish_distance};

const grazei_kind grazei_within_kind = {.name = "graze_pairs_within",
                                        .list = GRAZEI_PAIRS,
                                        .check = check_distance,
                                        .begin = begin_distance,
                                        .brute = GRAZEI_WHOLE(measure_by_brute_force),
                                        .finish = finish_within};

graze_status graze_distance(graze_body *a, graze_body *b, double limit, graze_nearest *nearest,
                            const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_nearest_kind, a, b, nearest);
    call.about.distance = limit;
    return grazei_ask(&call, options, error);
}

graze_status graze_pairs_within(graze_body *a, graze_body *b, double distance,
                                graze_pair_list *pairs, const graze_options *options,
                                graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_within_kind, a, b, pairs);
    call.about.distance = distance;
    return grazei_ask(&call, options, error);
}
