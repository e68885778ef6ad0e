/* Questions within a budget, and checkpoints, which keep one that ran out of it. */
#include "ask/ask.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/trace.h"

#include <string.h>

struct graze_checkpoint {
    graze_allocator allocator;
    grazei_work work;
    grazei_call call;
    unsigned char kept[2 * sizeof(graze_motion) + 3 * sizeof(graze_shape) + 64]
        __attribute__((aligned(16))); /* what the call is about */
    size_t kept_bytes;
    bool asked;   /* there is a question */
    bool running; /* and it may not be used */
    uint32_t pose_counts[4];
    uint32_t stamps[4]; /* of what the bodies had computed */
};

graze_status graze_checkpoint_create(const graze_allocator *allocator,
                                     graze_checkpoint **checkpoint, graze_error *error)
{
    graze_status status = grazei_check_pointer(checkpoint, "where the checkpoint goes", error);
    if (status)
        return status;
    graze_allocator used = allocator ? *allocator : graze_default_allocator();
    graze_checkpoint *made = GRAZEI_ALLOCATE_ZERO(&used, 1, graze_checkpoint);
    if (!made)
        return grazei_fail_memory(error);
    made->allocator = used;
    *checkpoint = made;
    return GRAZE_OK;
}

void graze_checkpoint_clear(graze_checkpoint *checkpoint)
{
    if (checkpoint && !checkpoint->running)
        checkpoint->asked = false;
}

void graze_checkpoint_destroy(graze_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    graze_allocator allocator = checkpoint->allocator;
    grazei_release(&allocator, checkpoint);
}

/* ---- what is left --------------------------------------------------------------------------- */

/* The second tree is that of the last body: the same one, another, or the end of a motion. */
static uint32_t level_of(const grazei_call *call, const grazei_work *work, grazei_item item)
{
    const grazei_question *question = &work->question.base;
    const grazei_tree *second = grazei_body_tree(question->bodies[question->body_count - 1]);
    uint32_t level = grazei_tree_level(grazei_body_tree(question->bodies[0]), item.node);
    if (call->kind->one_tree || grazei_is_itself(item.self))
        return level;
    GRAZE_ASSERT(item.pair.node[1] < second->node_count);
    uint32_t other = grazei_tree_level(second, item.pair.node[1]);
    return other < level ? other : level;
}

/* No answer is nearer than that. */
static float least_of(const grazei_call *call)
{
    float least = call->about.ray_count ? INFINITY : 0;
    for (size_t i = 0; i < call->about.ray_count; i++)
        least = f1_min(least, call->about.rays[i].t_min);
    return least;
}

static void tell_rest(const grazei_call *call, const grazei_work *work, graze_budget *budget)
{
    const grazei_agenda *agenda = &work->agenda;
    float least = least_of(call), nearest = INFINITY;
    budget->finished = agenda->count == 0;
    budget->remaining = agenda->count;
    budget->depth = 0;
    for (uint32_t i = 0; i < agenda->count; i++) {
        uint32_t level = level_of(call, work, agenda->items[i]);
        budget->depth = i == 0 || level < budget->depth ? level : budget->depth;
        nearest = f1_min(nearest, agenda->keyed ? agenda->keys[i] : least);
    }
    budget->nearest = budget->finished ? INFINITY : f1_max(nearest, least);
}

/* ---- resuming ------------------------------------------------------------------------------- */

/* A grazei_keep_fn; user is a checkpoint. */
static void *keep(void *user, const void *bytes, size_t size)
{
    graze_checkpoint *c = user;
    void *at = c->kept + c->kept_bytes;
    c->kept_bytes += (size + 15) / 16 * 16;
    GRAZE_ASSERT(c->kept_bytes <= sizeof c->kept);
    return memcpy(at, bytes, size);
}

/* The caller's ray, shapes and motions may lie elsewhere, or nowhere, when the call comes again. */
static void keep_call(graze_checkpoint *c, const grazei_call *call)
{
    c->call = *call;
    c->kept_bytes = 0;
    grazei_keep_about(&c->call.about, keep, c);
    for (uint32_t i = 0; i < call->body_count; i++) {
        c->pose_counts[i] = grazei_body_pose_number(call->bodies[i]);
        c->stamps[i] = grazei_body_drop_number(call->bodies[i]);
    }
}

/* Of a lean body that has borrowed other caches since: what is left to look at was bounded in those
 * that it had.
 */
static void bound_again(graze_checkpoint *c, uint32_t i)
{
    graze_body *body = c->call.bodies[i];
    if (!grazei_body_is_lean(body) || grazei_body_drop_number(body) == c->stamps[i])
        return;
    grazei_body_bound_all(body);
    c->stamps[i] = grazei_body_drop_number(body);
}

static graze_status check_resumed(graze_checkpoint *c, const grazei_call *call, graze_error *error)
{
    if (!grazei_calls_agree(&c->call, call))
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the checkpoint belongs to another question until it is cleared");
    for (uint32_t i = 0; i < call->body_count; i++) {
        graze_status status = grazei_body_ready(call->bodies[i], error);
        if (status)
            return status;
        if (grazei_body_pose_number(call->bodies[i]) != c->pose_counts[i])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "a body has a new pose or mask: clear the checkpoint and begin "
                               "again");
        /* What is left to look at was bounded before; other threads may now be bounding it anew. */
        if (grazei_body_is_shared(call->bodies[i]) &&
            grazei_body_drop_number(call->bodies[i]) != c->stamps[i])
            return grazei_fail(error, GRAZE_BAD_INPUT,
                               "a body is shared, and its caches were dropped: clear the "
                               "checkpoint and begin again");
        bound_again(c, i);
    }
    return GRAZE_OK;
}

/* Of a budget, where 0 is no limit. */
static uint64_t limit_of(uint64_t limit)
{
    return limit ? limit : UINT64_MAX;
}

/* One go at a question that was put. begun: what that cost counts towards the limits. */
static graze_status run(const grazei_call *call, grazei_work *work, graze_budget *budget,
                        const graze_stats *begun, graze_stats *stats, graze_error *error)
{
    grazei_agenda *agenda = &work->agenda;
    graze_stats done = *begun;
    agenda->last_bound_test = limit_of(budget->bound_tests);
    agenda->last_triangle_test = limit_of(budget->triangle_tests);
    agenda->stop = budget->stop;
    agenda->stop_user = budget->user;
    {
        GRAZEI_ZONE("walk");
        grazei_run(&work->question.base, agenda, &done);
    }
    graze_status status = GRAZE_OK;
    if (call->kind->finish)
        status = grazei_finish(call, work, agenda->count == 0, &done, error);
    grazei_add_stats(stats, &done);
    tell_rest(call, work, budget);
    return !status && !budget->finished ? GRAZE_UNFINISHED : status;
}

/* Puts the question. */
static graze_status begin(const grazei_call *call, grazei_work *work, graze_stats *begun,
                          graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t i = 0; i < call->body_count && !status; i++)
        status = grazei_body_ready(call->bodies[i], error);
    work->to_the_end = work->delivered = false;
    if (!status)
        call->kind->begin(call, work, begun);
    return status;
}

static graze_status resume(graze_checkpoint *c, const grazei_call *call, const grazei_sink *sink,
                           graze_budget *budget, graze_stats *stats, graze_error *error)
{
    graze_stats begun = {0};
    graze_status status = GRAZE_OK;
    c->work.sink = *sink;
    if (c->asked) {
        status = check_resumed(c, call, error);
        c->call.answer = call->answer;
    } else {
        keep_call(c, call);
        status = call->kind->check(&c->call, &c->work, error);
        if (!status)
            status = begin(&c->call, &c->work, &begun, error);
        for (uint32_t i = 0; i < call->body_count && !status; i++)
            c->stamps[i] = grazei_body_drop_number(call->bodies[i]);
        c->asked = !status;
    }
    if (status)
        return status;
    c->running = true;
    status = run(&c->call, &c->work, budget, &begun, stats, error);
    c->running = false;
    return status;
}

graze_status grazei_answer_within(const grazei_call *call, grazei_work *work, graze_budget *budget,
                                  graze_stats *stats, graze_error *error)
{
    graze_checkpoint *checkpoint = budget->checkpoint;
    graze_stats begun = {0};
    if (checkpoint && checkpoint->running)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the checkpoint is in use: a callback of its question may not use it");
    if (checkpoint)
        return resume(checkpoint, call, &work->sink, budget, stats, error);
    graze_status status = begin(call, work, &begun, error);
    return status ? status : run(call, work, budget, &begun, stats, error);
}

bool grazei_budget_is_spent(const graze_budget *budget, const graze_stats *done)
{
    return done->bound_tests >= limit_of(budget->bound_tests) ||
           done->triangle_tests >= limit_of(budget->triangle_tests) ||
           (budget->stop && budget->stop(budget->user));
}
