/* Questions about a body and a shape, or a point. */
#include "ask/ask.h"

#include "base/status.h"
#include "narrow/shape_contact.h"

#include <string.h>

/* ---- graze_touch ---------------------------------------------------------------------------- */

static graze_status check_shape(const grazei_call *call, grazei_shape *made, graze_error *error)
{
    graze_status status = grazei_check_outside(call->bodies[0], "the body", error);
    return status ? status : grazei_shape_prepare(made, call->about.shape, error);
}

static graze_status check_touch(const grazei_call *call, grazei_work *work, graze_error *error)
{
    return check_shape(call, &work->question.touch.shape, error);
}

static bool is_outside(const grazei_call *call, const grazei_work *work, graze_stats *stats)
{
    return grazei_touch_is_outside(call->bodies[0], &work->question.touch.shape, stats);
}

/* Without a report the first triangle is enough. */
static void begin_touch(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_touch_question *question = &work->question.touch;
    grazei_touch_begin(question, &work->agenda, call->bodies[0], &question->shape,
                       call->any ? NULL : grazei_take_triangles, &work->sink, stats);
}

static void touch_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_touch_question *question = &work->question.touch;
    grazei_touch_brute(question, &work->agenda, call->bodies[0], &question->shape,
                       call->any ? NULL : grazei_take_triangles, &work->sink, stats);
}

static graze_status finish_touch(const grazei_call *call, grazei_work *work, bool finished,
                                 graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    const grazei_touch_question *question = &work->question.touch;
    if (call->any && question->found && !work->delivered)
        grazei_take_triangles(&work->sink, &question->triangle, 1);
    work->delivered = question->found;
    return GRAZE_OK;
}

const grazei_kind grazei_touch_kind = {.name = "graze_touch",
                                       .list = GRAZEI_TRIANGLES,
                                       .one_tree = true,
                                       .check = check_touch,
                                       .apart = is_outside,
                                       .begin = begin_touch,
                                       .brute = GRAZEI_WHOLE(touch_by_brute_force),
                                       .finish = finish_touch};

graze_status graze_touch(graze_body *body, const graze_shape *shape, graze_triangle_list *triangles,
                         const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_touch_kind, body, NULL, triangles);
    call.about.shape = shape;
    return grazei_ask(&call, options, error);
}

/* ---- graze_touch_contacts ------------------------------------------------------------------- */

static graze_status check_contacts(const grazei_call *call, grazei_work *work, graze_error *error)
{
    graze_status status = check_shape(call, &work->question.touch_contacts.shape, error);
    if (!status && !grazei_shape_has_contacts(call->about.shape->kind))
        status = grazei_fail(error, GRAZE_UNSUPPORTED,
                             "contacts are of spheres, capsules, boxes and half-spaces");
    return status;
}

static bool has_no_contacts(const grazei_call *call, const grazei_work *work, graze_stats *stats)
{
    return grazei_touch_is_outside(call->bodies[0], &work->question.touch_contacts.shape, stats);
}

static void begin_contacts(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_touch_contacts_begin(&work->question.touch_contacts, &work->agenda, call->bodies[0],
                                call->any, grazei_take_contacts, &work->sink, stats);
}

static void contacts_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_touch_contacts_brute(&work->question.touch_contacts, call->bodies[0], call->any,
                                grazei_take_contacts, &work->sink, stats);
}

const grazei_kind grazei_touch_contacts_kind = {.name = "graze_touch_contacts",
                                                .list = GRAZEI_CONTACTS,
                                                .one_tree = true,
                                                .check = check_contacts,
                                                .apart = has_no_contacts,
                                                .begin = begin_contacts,
                                                .brute = GRAZEI_WHOLE(contacts_by_brute_force)};

graze_status graze_touch_contacts(graze_body *body, const graze_shape *shape,
                                  graze_contact_list *contacts, const graze_options *options,
                                  graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_touch_contacts_kind, body, NULL, contacts);
    call.about.shape = shape;
    return grazei_ask(&call, options, error);
}

/* ---- graze_cull ----------------------------------------------------------------------------- */

static graze_status check_cull(const grazei_call *call, grazei_work *work, graze_error *error)
{
    return check_shape(call, &work->question.cull.shape, error);
}

static void begin_cull(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    (void)stats;
    grazei_cull_begin(&work->question.cull, &work->agenda, call->bodies[0], call->about.depth);
}

static graze_status finish_cull(const grazei_call *call, grazei_work *work, bool finished,
                                graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    *(graze_side *)call->answer = work->question.cull.side;
    return GRAZE_OK;
}

const grazei_kind grazei_cull_kind = {.name = "graze_cull",
                                      .answer_size = sizeof(graze_side),
                                      .lazy_only = true,
                                      .one_tree = true,
                                      .check = check_cull,
                                      .begin = begin_cull,
                                      .finish = finish_cull};

graze_status graze_cull(graze_body *body, const graze_shape *shape, uint32_t depth,
                        graze_side *side, const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_cull_kind, body, NULL, side);
    call.about.shape = shape;
    call.about.depth = depth;
    return grazei_ask(&call, options, error);
}

/* ---- points --------------------------------------------------------------------------------- */

static graze_status check_point(const grazei_call *call, grazei_work *work, graze_error *error)
{
    (void)work;
    return grazei_check_point(call->bodies[0], call->about.point, error);
}

static void begin_inside(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_inside_begin(&work->question.inside, &work->agenda, call->bodies[0], call->about.point,
                        stats);
}

static void inside_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    grazei_inside_brute(&work->question.inside, call->bodies[0], call->about.point, stats);
}

/* Half of the crossings say nothing. */
static graze_status finish_inside(const grazei_call *call, grazei_work *work, bool finished,
                                  graze_stats *stats, graze_error *error)
{
    (void)stats, (void)error;
    graze_point_side nothing = {.inside = false};
    *(graze_point_side *)call->answer =
        finished ? grazei_inside_answer(&work->question.inside) : nothing;
    return GRAZE_OK;
}

const grazei_kind grazei_inside_kind = {.name = "graze_inside",
                                        .answer_size = sizeof(graze_point_side),
                                        .one_tree = true,
                                        .check = check_point,
                                        .begin = begin_inside,
                                        .brute = GRAZEI_WHOLE(inside_by_brute_force),
                                        .finish = finish_inside};

graze_status graze_inside(graze_body *body, const float point[3], graze_point_side *side,
                          const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_inside_kind, body, NULL, side);
    call.about.point = point;
    return grazei_ask(&call, options, error);
}

static void begin_winding(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    (void)stats;
    grazei_winding_begin(&work->question.winding, &work->agenda, call->bodies[0],
                         call->about.point);
}

/* There is no other way to it than all triangles. */
static void winding_by_brute_force(const grazei_call *call, grazei_work *work, graze_stats *stats)
{
    begin_winding(call, work, stats);
    work->question.base.run(&work->question.base, &work->agenda, stats);
}

static graze_status finish_winding(const grazei_call *call, grazei_work *work, bool finished,
                                   graze_stats *stats, graze_error *error)
{
    (void)finished, (void)stats, (void)error;
    *(float *)call->answer = work->question.winding.winding;
    return GRAZE_OK;
}

const grazei_kind grazei_winding_kind = {.name = "graze_winding_number",
                                         .answer_size = sizeof(float),
                                         .one_tree = true,
                                         .check = check_point,
                                         .begin = begin_winding,
                                         .brute = GRAZEI_WHOLE(winding_by_brute_force),
                                         .finish = finish_winding};

graze_status graze_winding_number(graze_body *body, const float point[3], float *winding,
                                  const graze_options *options, graze_error *error)
{
    grazei_call call = grazei_call_of(&grazei_winding_kind, body, NULL, winding);
    call.about.point = point;
    return grazei_ask(&call, options, error);
}
