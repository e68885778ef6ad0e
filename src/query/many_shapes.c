/* Many shapes and many points against bodies, over the threads of a pool. */
#include "base/status.h"
#include "query/inside.h"
#include "query/many.h"
#include "query/shapes.h"

/* ---- shapes --------------------------------------------------------------------------------- */

typedef struct many_shapes {
    grazei_many base;
    const graze_body_shape *questions;
    graze_touch_many_fn report;
    void *user;
    bool *hits; /* a yes or no is enough; NULL: all triangles are reported */
} many_shapes;

/* Who reports: one of the questions. */
typedef struct touch_reporter {
    many_shapes *job;
    size_t number;
} touch_reporter;

static graze_body *body_of_shape(const grazei_many *many, size_t question, uint32_t number)
{
    return number ? NULL : ((const many_shapes *)many)->questions[question].body;
}

/* A graze_triangle_fn. */
static bool deliver(void *user, const uint32_t *triangles, size_t count)
{
    const touch_reporter *from = user;
    many_shapes *job = from->job;
    if (!grazei_many_begin_report(&job->base))
        return false;
    bool go_on = job->report(job->user, from->number, triangles, count);
    grazei_many_end_report(&job->base, go_on);
    return go_on;
}

static void touch(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_shapes *job = (many_shapes *)many;
    for (size_t i = first; i < end && !grazei_many_is_stopped(many); i++) {
        const graze_body_shape *question = &job->questions[i];
        touch_reporter from = {job, i};
        if (job->hits)
            graze_touch_first(question->body, &question->shape, &job->hits[i], NULL, stats, NULL);
        else
            graze_touch(question->body, &question->shape, deliver, &from, stats, NULL);
    }
}

static graze_status check_shape(const graze_body_shape *question, graze_error *error)
{
    grazei_shape unwanted;
    graze_status status = grazei_check_body(question->body, "the body", error);
    return status ? status : grazei_shape_prepare(&unwanted, &question->shape, error);
}

/* name: of what is given to get the answers. */
static graze_status ask(graze_pool *pool, many_shapes *job, bool given, const char *name,
                        graze_stats *stats, graze_error *error)
{
    size_t count = job->base.count;
    graze_status status =
        grazei_check_given(job->questions || !count, "the list of questions", error);
    if (!status)
        status = grazei_check_given(given, name, error);
    for (size_t i = 0; i < count && !status; i++) {
        status = check_shape(&job->questions[i], error);
        if (status)
            grazei_fail_of(error, status, "question", i);
    }
    if (status)
        return status;
    job->base.packet = 1;
    job->base.answer = touch;
    job->base.body = body_of_shape;
    return grazei_many_run(pool, &job->base, "question", stats, error);
}

graze_status graze_touch_many(graze_pool *pool, const graze_body_shape *questions, size_t count,
                              graze_touch_many_fn report, void *user, graze_stats *stats,
                              graze_error *error)
{
    many_shapes job = {
        .base = {.count = count}, .questions = questions, .report = report, .user = user};
    return ask(pool, &job, report != NULL, "report", stats, error);
}

graze_status graze_touch_many_first(graze_pool *pool, const graze_body_shape *questions,
                                    size_t count, bool *hits, graze_stats *stats,
                                    graze_error *error)
{
    many_shapes job = {.base = {.count = count}, .questions = questions, .hits = hits};
    return ask(pool, &job, hits || !count, "hits", stats, error);
}

/* ---- points --------------------------------------------------------------------------------- */

typedef struct many_points {
    grazei_many base;
    graze_body *body;
    const float *points; /* 3 floats each */
    graze_point_side *answers;
} many_points;

static graze_body *the_body(const grazei_many *many, size_t question, uint32_t number)
{
    return question || number ? NULL : ((const many_points *)many)->body;
}

static void ask_points(grazei_many *many, size_t first, size_t end, graze_stats *stats)
{
    many_points *job = (many_points *)many;
    for (size_t i = first; i < end; i++)
        graze_point_inside(job->body, job->points + 3 * i, &job->answers[i], stats, NULL);
}

graze_status graze_point_inside_many(graze_pool *pool, graze_body *body, const float *points,
                                     size_t count, graze_point_side *answers, graze_stats *stats,
                                     graze_error *error)
{
    many_points job = {
        .base = {.count = count, .packet = 16, .answer = ask_points, .body = the_body},
        .body = body,
        .points = points,
        .answers = answers};
    graze_status status = grazei_check_body(body, "the body", error);
    if (!status)
        status = grazei_check_given(points || !count, "points", error);
    if (!status)
        status = grazei_check_given(answers || !count, "answers", error);
    for (size_t i = 0; i < count && !status; i++) {
        status = grazei_check_inside(body, points + 3 * i, true, error);
        if (status)
            grazei_fail_of(error, status, "point", i);
    }
    return status ? status : grazei_many_run(pool, &job.base, "point", stats, error);
}
