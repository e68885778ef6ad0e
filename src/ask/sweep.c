/* Questions about things that move. */
#include "ask/ask.h"

#include "base/status.h"

/* ---- bodies --------------------------------------------------------------------------------- */

/* Without a report the earliest impact, or any, is kept. */
static grazei_impact_fn report_of(const grazei_call *call)
{
    return call->kind->list ? grazei_take_impacts : NULL;
}

/* Whether a motion is of a body alone. */
static graze_status check_form(const graze_motion *motion, const char *name, graze_error *error)
{
    if (motion && (motion->from || motion->to))
        return grazei_fail(error, GRAZE_BAD_INPUT, "%s is not of a body alone", name);
    return GRAZE_OK;
}

static graze_status check_bodies(const grazei_call *call, grazei_work *work, graze_error *error)
{
    const grazei_about *about = &call->about;
    (void)work;
    graze_status status = check_form(about->motions[0], "motion a", error);
    if (!status)
        status = check_form(about->motions[1], "motion b", error);
    return status ? status : grazei_check_motions(about->motions[0], about->motions[1], error);
}

static void begin_bodies(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_sweep_begin(&work->question.sweep, &work->agenda, call->about.motions[0],
                       call->about.motions[1], call->only_new, call->any, report_of(call),
                       &work->sink, stats);
}

static void sweep_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_sweep_put(&work->question.sweep, call->about.motions[0], call->about.motions[1],
                     call->only_new, call->any, report_of(call), &work->sink);
    grazei_sweep_brute(&work->question.sweep, stats);
}

static graze_status finish_bodies(const grazei_call *call, grazei_work *work, bool finished,
                                  graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    *(graze_impact *)call->answer = work->question.sweep.best;
    return GRAZE_OK;
}

const grazei_kind grazei_sweep_kind = {.name = "graze_sweep",
                                       .answer_size = sizeof(graze_impact),
                                       .takes_new = true,
                                       .check = check_bodies,
                                       .begin = begin_bodies,
                                       .brute = GRAZEI_WHOLE(sweep_by_brute_force),
                                       .finish = finish_bodies};

const grazei_kind grazei_sweep_all_kind = {.name = "graze_sweep_all",
                                           .list = GRAZEI_IMPACTS,
                                           .takes_new = true,
                                           .check = check_bodies,
                                           .begin = begin_bodies,
                                           .brute = GRAZEI_WHOLE(sweep_by_brute_force)};

/* ---- a shape -------------------------------------------------------------------------------- */

static graze_status check_shape(const grazei_call *call, grazei_work *work, graze_error *error)
{
    const graze_motion *a = call->about.motions[0], *b = call->about.motions[1];
    graze_status status = check_form(a, "motion a", error);
    if (!status && (b->start || b->end))
        status = grazei_fail(error, GRAZE_BAD_INPUT, "motion b is of a body and of a shape");
    if (!status)
        status = grazei_shape_sweep_check(&work->question.shape_sweep, a, b->from, b->to, error);
    return status;
}

static void put_shape(const grazei_call *call, grazei_work *work)
{
    grazei_shape_sweep_put(&work->question.shape_sweep, call->about.motions[0], call->only_new,
                           call->any, report_of(call), &work->sink);
}

static void begin_shape(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    put_shape(call, work);
    grazei_shape_sweep_begin(&work->question.shape_sweep, &work->agenda, stats);
}

static void sweep_shape_by_brute_force(const grazei_call *call, grazei_work *work,
                                       graze_stats *stats)
{
    put_shape(call, work);
    grazei_shape_sweep_brute(&work->question.shape_sweep, stats);
}

static graze_status finish_shape(const grazei_call *call, grazei_work *work, bool finished,
                                 graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    *(graze_impact *)call->answer = work->question.shape_sweep.best;
    return GRAZE_OK;
}

const grazei_kind grazei_sweep_shape_kind = {.name = "graze_sweep",
                                             .answer_size = sizeof(graze_impact),
                                             .takes_new = true,
                                             .one_tree = true,
                                             .check = check_shape,
                                             .begin = begin_shape,
                                             .brute = GRAZEI_WHOLE(sweep_shape_by_brute_force),
                                             .finish = finish_shape};

const grazei_kind grazei_sweep_shape_all_kind = {.name = "graze_sweep_all",
                                                 .list = GRAZEI_IMPACTS,
                                                 .takes_new = true,
                                                 .one_tree = true,
                                                 .check = check_shape,
                                                 .begin = begin_shape,
                                                 .brute = GRAZEI_WHOLE(sweep_shape_by_brute_force)};

/* ---- the calls ------------------------------------------------------------------------------ */

static graze_status sweep(const grazei_kind *bodies, const grazei_kind *shape,
                          const graze_motion *a, const graze_motion *b, void *answer,
                          const graze_options *options, graze_error *error)
{
    bool of_shape = !GRAZEI_ASKS_PLAINLY && b && (b->from || b->to);
    const graze_motion *second = b ? b : a;
    grazei_call call = grazei_call_of(of_shape ? shape : bodies, NULL, NULL, answer);
    call.body_count = of_shape ? 2 : 4;
    call.about.motions[0] = a;
    call.about.motions[1] = b;
    for (uint32_t i = 0; i < call.body_count && a; i++) {
        const graze_motion *motion = i < 2 ? a : second;
        call.bodies[i] = i % 2 ? motion->end : motion->start;
    }
    return grazei_ask(&call, options, error);
}

graze_status graze_sweep(const graze_motion *a, const graze_motion *b, graze_impact *impact,
                         const graze_options *options, graze_error *error)
{
    return sweep(&grazei_sweep_kind, &grazei_sweep_shape_kind, a, b, impact, options, error);
}

graze_status graze_sweep_all(const graze_motion *a, const graze_motion *b,
                             graze_impact_list *impacts, const graze_options *options,
                             graze_error *error)
{
    return sweep(&grazei_sweep_all_kind, &grazei_sweep_shape_all_kind, a, b, impacts, options,
                 error);
}
