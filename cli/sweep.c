#include "cli/character.h"
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/report.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>

typedef enum method { METHOD_LAZY, METHOD_BRUTE } method;

typedef struct sweep_job {
    model_options options;
    bool self, only_new, fail_on_hit;
    int method;
    uint32_t repeat;
    struct character_pair characters;
    uint32_t instance_count;
    struct instance instances[2][2]; /* two of each: the start and the end of an interval */
    struct csv csv;
    struct report *report; /* NULL: nobody asked */
} sweep_job;

static bool keep_earliest(void *user, const graze_impact *impacts, size_t count)
{
    graze_impact *best = user;
    for (size_t i = 0; i < count; i++)
        if (graze_impact_is_earlier(&impacts[i], best))
            *best = impacts[i];
    return true;
}

static bool ask(sweep_job *job, uint32_t start, graze_impact *impact, graze_stats *stats)
{
    graze_motion motions[2];
    graze_error error;
    for (uint32_t i = 0; i < job->instance_count; i++)
        motions[i] = (graze_motion){job->instances[i][start].body, job->instances[i][!start].body};
    const graze_motion *b = job->self ? NULL : &motions[1];
    *impact = (graze_impact){.found = false};
    graze_status status =
        job->method == METHOD_BRUTE
            ? graze_sweep_brute(&motions[0], b, job->only_new, keep_earliest, impact, stats, &error)
            : graze_sweep(&motions[0], b, job->only_new, impact, stats, &error);
    if (status)
        fail_usage("%s", error.text);
    return !status;
}

static bool pose(sweep_job *job, uint32_t which)
{
    for (uint32_t i = 0; i < job->instance_count; i++)
        if (!instance_pose(&job->instances[i][which]))
            return false;
    return true;
}

/* Microseconds from handing over the matrices of both ends to the answer, the least of all repeats;
 * negative after an error.
 */
static double run_interval(sweep_job *job, uint32_t start, graze_impact *impact, graze_stats *stats)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        *stats = (graze_stats){0};
        double began = now_us();
        if (!pose(job, start) || !pose(job, !start) || !ask(job, start, impact, stats))
            return -1;
        best = fmin(best, now_us() - began);
    }
    return best;
}

static void print_vector(const char *name, const float v[3])
{
    printf(",\"%s\":[", name);
    for (int i = 0; i < 3; i++) {
        print_json_float(v[i]);
        printf(i < 2 ? "," : "]");
    }
}

static const char *part_of(const sweep_job *job, int side, uint32_t triangle)
{
    return triangle_part(job->characters.of[job->self ? 0 : side], triangle);
}

static double impact_time(const double times[2], const graze_impact *impact)
{
    return impact->found ? times[0] + (double)impact->time * (times[1] - times[0]) : (double)NAN;
}

static void print_json(const sweep_job *job, uint32_t frame, const double times[2],
                       const graze_impact *impact, const graze_stats *stats, double us)
{
    printf("{\"frame\":%u,\"from\":", frame);
    print_json_number(times[0]);
    printf(",\"to\":");
    print_json_number(times[1]);
    printf(",\"hit\":%s,\"toi\":", impact->found ? "true" : "false");
    print_json_float(impact->found ? impact->time : NAN);
    printf(",\"time\":");
    print_json_number(impact_time(times, impact));
    if (impact->found)
        printf(",\"triangles\":[%u,%u],\"initial\":%s", impact->a, impact->b,
               impact->initial ? "true" : "false");
    else
        printf(",\"triangles\":null,\"initial\":false");
    if (impact->found && !impact->initial) {
        print_vector("point", impact->point);
        print_vector("normal", impact->normal);
    } else {
        printf(",\"point\":null,\"normal\":null");
    }
    printf(",\"parts\":");
    if (impact->found) {
        printf("[");
        print_json_string(part_of(job, 0, impact->a));
        printf(",");
        print_json_string(part_of(job, 1, impact->b));
        printf("]");
    } else {
        printf("null");
    }
    printf(",");
    print_json_stats(stats);
    printf(",\"us\":%.2f}\n", us);
}

static void print_text(const sweep_job *job, uint32_t frame, const double times[2],
                       const graze_impact *impact, const graze_stats *stats, double us)
{
    char text[300];
    if (impact->found)
        snprintf(text, sizeof text, "impact at %8.4f s (toi %.6f) of %u and %u, %s and %s",
                 impact_time(times, impact), (double)impact->time, impact->a, impact->b,
                 part_of(job, 0, impact->a), part_of(job, 1, impact->b));
    else
        snprintf(text, sizeof text, "no impact");
    printf("frame %4u  from %8.4f s to %8.4f s  %-48s  %9.1f us  %6llu bounds refitted  %5llu "
           "patches posed  %7llu triangle tests\n",
           frame, times[0], times[1], text, us, (unsigned long long)stats->nodes_refit,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->triangle_tests);
}

#define SWEEP_COLUMNS                                                                              \
    "frame,from,to,toi,time,a,b,initial,x,y,z,normal_x,normal_y,normal_z,part_a,part_b,us"

/* A row an interval. */
static void write_row(sweep_job *job, uint32_t frame, const double times[2],
                      const graze_impact *impact, double us)
{
    struct csv *csv = &job->csv;
    csv_count(csv, frame);
    csv_number(csv, times[0]);
    csv_number(csv, times[1]);
    if (impact->found) {
        csv_floats(csv, &impact->time, 1);
        csv_number(csv, impact_time(times, impact));
        csv_count(csv, impact->a);
        csv_count(csv, impact->b);
    } else {
        csv_empty(csv, 4);
    }
    csv_text(csv, impact->found && impact->initial ? "true" : "false");
    if (impact->found && !impact->initial) {
        csv_floats(csv, impact->point, 3);
        csv_floats(csv, impact->normal, 3);
    } else {
        csv_empty(csv, 6);
    }
    csv_text(csv, impact->found ? part_of(job, 0, impact->a) : NULL);
    csv_text(csv, impact->found ? part_of(job, 1, impact->b) : NULL);
    csv_us(csv, us);
    csv_end_row(csv);
}

/* A frame, and the impact on the way to it; in the first, whose bodies are posed here, there is
 * none.
 */
static bool take_report(sweep_job *job, uint32_t frame, double time, const graze_impact *impact)
{
    report_pose poses[2];
    if (!job->report)
        return true;
    if (frame == 0 && !pose(job, 0))
        return false;
    for (uint32_t i = 0; i < job->instance_count; i++)
        poses[i] = instance_report_pose(&job->instances[i][frame % 2]);
    if (!report_take_poses(job->report, time, poses))
        return false;
    report_take_impact(job->report, impact);
    return true;
}

/* The instances that were the end of an interval are the start of the next. */
static int run_intervals(sweep_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("sweep");
    int code = 0;
    for (uint32_t frame = 0; code == 0 && frame < frames; frame++) {
        double times[2] = {frame ? frame_time(&job->options, frame - 1) : 0,
                           frame_time(&job->options, frame)};
        graze_impact impact;
        graze_stats stats;
        for (uint32_t i = 0; i < job->instance_count; i++)
            if (!instance_sample(&job->instances[i][frame % 2], times[1]))
                code = 2;
        if (code == 0 && frame == 0 && !take_report(job, 0, times[1], NULL))
            code = 2;
        if (code || frame == 0)
            continue;
        double us = run_interval(job, (frame - 1) % 2, &impact, &stats);
        if (us < 0) {
            code = 2;
            break;
        }
        hits += impact.found;
        output_begin();
        (job->options.json ? print_json : print_text)(job, frame - 1, times, &impact, &stats, us);
        write_row(job, frame - 1, times, &impact, us);
        if (!output_end())
            break;
        if (!take_report(job, frame, times[1], &impact))
            code = 2;
        progress_show(&progress, frame, frames - 1);
    }
    progress_end(&progress);
    report_end(job->report);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

static int run_job(sweep_job *job)
{
    for (uint32_t i = 0; i < job->instance_count; i++)
        for (int which = 0; which < 2; which++)
            if (!instance_open(&job->instances[i][which], job->characters.of[i], &job->options,
                               i ? INSTANCE_SECOND : INSTANCE_FIRST))
                return 2;
    cast_list cast = {{&job->instances[0][0], &job->instances[1][0]}, job->instance_count};
    if (!frames_settle(&job->options, &cast))
        return 2;
    if (frame_count(&job->options) < 2)
        return fail_usage("sweep: --times all: %s has no clip, and a sweep takes two frames",
                          job->characters.of[0]->name);
    frames_warn(&job->options, &cast);
    report_def def = {.command = "sweep",
                      .body_count = job->instance_count,
                      .frame_count = frame_count(&job->options),
                      .only_new = job->only_new};
    for (uint32_t i = 0; i < job->instance_count; i++)
        def.bodies[i] = instance_report_body(&job->instances[i][0],
                                             i ? job->options.part_b : job->options.part);
    return report_begin(job->report, &def) ? run_intervals(job) : 2;
}

/* Everything about the command line that has to be right before a model is loaded. */
static int check_line(const sweep_job *job, const arguments *given)
{
    static const char *const second[] = {"--at",     "--turn",   "--phase", "--clip-b",
                                         "--skin-b", "--part-b", NULL};
    const char *unused = any_given(&sweep_command, given, second);
    if (job->self && given->name_count > 1)
        return fail_usage("sweep: --self takes one model");
    if (job->self && unused)
        return fail_usage("sweep: %s is for a second instance, and --self has none", unused);
    if (!job->options.times.given || (!job->options.times.all && frame_count(&job->options) < 2))
        return fail_usage("sweep: --times FROM:TO:FPS has to give two frames at least");
    return 0;
}

static int run(int argc, char **argv)
{
    sweep_job job = {.repeat = 1, .options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&sweep_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    int code = check_line(&job, &given);
    if (code)
        return code;
    job.instance_count = job.self ? 1 : 2;
    if (!output_to(job.options.out) || !csv_open(&job.csv, job.options.csv, SWEEP_COLUMNS) ||
        !report_open(&job.report, job.options.report) ||
        !character_pair_load(&job.characters, given.names, given.name_count, &job.options)) {
        report_free(job.report);
        return 2;
    }
    code = run_job(&job);
    for (int i = 0; i < 4; i++)
        instance_close(&job.instances[i / 2][i % 2]);
    character_pair_free(&job.characters);
    report_free(job.report);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    TIMES_ROW(sweep_job),
    {"--self", NULL, OPTION_FLAG, offsetof(sweep_job, self), "the model against itself"},
    {"--new", NULL, OPTION_FLAG, offsetof(sweep_job, only_new),
     "leave out triangles that meet at the start of an interval"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(sweep_job, fail_on_hit),
     "exit with 1 if there is an impact"},
    OPTION_HEADING_ROW("the model and its clip"),
    CLIP_ROW(sweep_job),
    BUILD_ROWS(sweep_job),
    SECOND_ROWS(sweep_job),
    PART_ROWS(sweep_job),
    PART_B_ROW(sweep_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|brute", OPTION_CHOICE, offsetof(sweep_job, method),
     "how to answer (default lazy); both give the same impact"},
    REPEAT_ROW(sweep_job),
    OUTPUT_ROWS(sweep_job),
    REPORT_ROW(sweep_job)};

const struct command sweep_command = {
    .name = "sweep",
    .summary = "when two moving models first touch between frames",
    .usage = "MODEL [MODEL_B] --times FROM:TO:FPS [options]",
    .about =
        "Finds when two instances first meet between frames, vertices moving linearly from one\n"
        "to the next. The second instance is of MODEL_B, or of MODEL if that is left out.",
    .example = "graze sweep man.glb ball.glb --times 0:2:30",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 2,
    .run = run};
