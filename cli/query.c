#include "cli/query.h"

#include "cli/output.h"
#include "cli/print.h"

#include <math.h>

/* ---- a frame ------------------------------------------------------------------------------- */

static bool sample(query_job *job)
{
    for (size_t i = 0; i < job->body_count; i++)
        if (!instance_sample(&job->instances[i][job->end], job->time))
            return false;
    return true;
}

static bool pose(query_job *job, int end)
{
    for (size_t i = 0; i < job->body_count; i++) {
        job->bodies[i] = job->instances[i][end].body;
        if (!instance_pose(&job->instances[i][end]))
            return false;
    }
    return true;
}

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error.
 */
static double measure(const struct command *command, query_job *job, int question)
{
    const struct query *query = command->query;
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        graze_error error;
        if (question == 0)
            job->stats = (graze_stats){0};
        job->found.count = 0;
        double start = now_us();
        if ((query->intervals && !pose(job, !job->end)) || !pose(job, job->end))
            return -1;
        if (query->ask[question](job, &error)) {
            if (query->fail)
                query->fail(job, error.text);
            else if (query->prefixed)
                fail_usage("%s: %s", command->name, error.text);
            else
                fail_usage("%s", error.text);
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    return best;
}

static bool answer(const struct command *command, query_job *job)
{
    const struct query *query = command->query;
    for (int i = 0; i < 3 && query->ask[i]; i++) {
        job->us[i] = !query->wants || query->wants(job, i) ? measure(command, job, i) : 0;
        if (job->us[i] < 0)
            return false;
    }
    return !query->end || query->end(job);
}

static bool take_report(const struct query *query, query_job *job)
{
    report_pose poses[2];
    if (!job->report)
        return true;
    for (size_t i = 0; i < job->body_count; i++)
        poses[i] = instance_report_pose(&job->instances[i][job->end]);
    return report_take_poses(job->report, job->time, poses) && query->report(job, poses);
}

static field_view view_of(const struct query *query, const query_job *job)
{
    return (field_view){query->fields, query->field_count, job, job->shown};
}

/* False when there is no use in going on. */
static bool print_frame(const struct query *query, query_job *job)
{
    const field_view view = view_of(query, job);
    output_begin();
    (job->options.json ? fields_print_json : fields_print)(&view);
    fields_write_csv(&view, &job->csv);
    return output_end();
}

/* ---- frames -------------------------------------------------------------------------------- */

/* The bodies that were the end of an interval are the start of the next. The exit code. */
static int run_frames(const struct command *command, query_job *job)
{
    const struct query *query = command->query;
    const uint32_t frames = frame_count(&job->options), first = query->intervals;
    uint32_t hits = 0;
    int code = 0;
    struct progress progress = progress_start(command->name);
    for (uint32_t i = 0; code == 0 && i < frames; i++) {
        job->from = i ? frame_time(&job->options, i - 1) : 0;
        job->time = frame_time(&job->options, i);
        job->frame = i - (i ? first : 0);
        job->end = query->intervals ? (int)(i % 2) : 0;
        job->hit = false;
        if (!sample(job))
            code = 2;
        else if (i < first) /* a report has poses of all frames */
            code = job->report && (!pose(job, job->end) || !take_report(query, job)) ? 2 : 0;
        else if (!answer(command, job))
            code = 2;
        if (code || i < first)
            continue;
        hits += job->hit;
        if (!print_frame(query, job))
            break;
        if (!take_report(query, job))
            code = 2;
        progress_show(&progress, i + 1 - first, frames - first);
    }
    progress_end(&progress);
    report_end(job->report);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool open_bodies(const struct query *query, query_job *job)
{
    for (size_t i = 0; i < job->body_count; i++)
        for (int end = 0; end <= query->intervals; end++)
            if (!instance_open(&job->instances[i][end], job->characters.of[i], &job->options,
                               i                       ? INSTANCE_SECOND
                               : query->body_count > 1 ? INSTANCE_FIRST
                                                       : query->role))
                return false;
    return true;
}

static bool begin_report(const struct command *command, query_job *job)
{
    report_def def = {.command = command->name,
                      .body_count = job->body_count,
                      .frame_count = frame_count(&job->options),
                      .first = job->first};
    if (!job->report)
        return true;
    for (size_t i = 0; i < job->body_count; i++)
        def.bodies[i] = instance_report_body(&job->instances[i][0],
                                             i ? job->options.part_b : job->options.part);
    if (command->query->begin_report)
        command->query->begin_report(job, &def);
    return report_begin(job->report, &def);
}

static int run_bodies(const struct command *command, query_job *job)
{
    const struct query *query = command->query;
    if (!open_bodies(query, job))
        return 2;
    cast_list cast = {{&job->instances[0][0], &job->instances[1][0]}, job->body_count};
    if (!frames_settle(&job->options, &cast))
        return 2;
    if (query->intervals && frame_count(&job->options) < 2)
        return fail_usage("%s: --times all: %s has no clip, and a %s takes two frames",
                          command->name, job->characters.of[0]->name, command->name);
    frames_warn(&job->options, &cast);
    if ((query->open && !query->open(job)) || !begin_report(command, job))
        return 2;
    return run_frames(command, job);
}

int query_run(const struct command *command, void *task, const arguments *given)
{
    const struct query *query = command->query;
    query_job *job = task;
    int code = 2;
    job->body_count = query->body_count;
    job->how = (graze_options){
        .method = job->method && !query->bottom_up ? GRAZE_BRUTE : (graze_method)job->method,
        .any = job->first,
        .stats = &job->stats};
    if (query->check && !query->check(job, given))
        return 2;
    if (job->body_count == 1 && job->options.skin_b >= 0)
        job->options.skin = job->options.skin_b;
    const field_view view = view_of(query, job);
    if (output_to(job->options.out) && fields_open_csv(&view, &job->csv, job->options.csv) &&
        report_open(&job->report, job->options.report) &&
        character_pair_load(&job->characters, given->names, given->name_count, &job->options))
        code = run_bodies(command, job);
    for (int i = 0; i < 4; i++)
        instance_close(&job->instances[i / 2][i % 2]);
    if (query->close)
        query->close(job);
    character_pair_free(&job->characters);
    list_free(&job->found);
    report_free(job->report);
    return code;
}
