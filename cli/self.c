#include "cli/character.h"
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/part_choice.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/report.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum method { METHOD_LAZY, METHOD_BOTTOM_UP, METHOD_BRUTE } method;

typedef struct self_list {
    graze_self_pair *pairs;
    size_t count, capacity;
    bool failed; /* out of memory */
} self_list;

typedef struct self_job {
    model_options options;
    bool first, count_only, fail_on_hit, new_only, with_parts;
    const char *between; /* pairs of parts; NULL: all */
    int method;
    uint32_t repeat;
    part_sets sets;
    struct character character;
    struct instance instance;
    self_list list;
    part_pairs parts;
    struct csv csv;
    struct report *report; /* NULL: nobody asked */
} self_job;

static bool take(void *user, const graze_self_pair *pairs, size_t count)
{
    self_list *list = user;
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * (list->count + count) + 64;
        graze_self_pair *larger = realloc(list->pairs, capacity * sizeof *larger);
        if (!larger) {
            list->failed = true;
            return false;
        }
        list->pairs = larger;
        list->capacity = capacity;
    }
    memcpy(list->pairs + list->count, pairs, count * sizeof *pairs);
    list->count += count;
    return true;
}

/* What a slow method found, as far as it is between the parts. */
static bool take_between(void *user, const graze_self_pair *pairs, size_t count)
{
    self_job *job = user;
    bool go_on = true;
    for (size_t i = 0; go_on && i < count; i++)
        if (!job->between || part_sets_have(&job->sets, job->character.model, &pairs[i]))
            go_on = take(&job->list, &pairs[i], 1) && !job->first;
    return go_on;
}

static int in_order(const void *left, const void *right)
{
    const graze_self_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

static graze_status ask_first(self_job *job, graze_self_which which, graze_stats *stats,
                              graze_error *error)
{
    graze_body *body = job->instance.body;
    const graze_self_between *between = &job->sets.between;
    bool hit = false;
    graze_self_pair pair;
    graze_status status =
        job->between
            ? graze_collide_self_between_first(body, which, between, &hit, &pair, stats, error)
            : graze_collide_self_first(body, which, &hit, &pair, stats, error);
    if (!status && hit)
        take(&job->list, &pair, 1);
    return status;
}

static graze_status ask(self_job *job, graze_stats *stats, graze_error *error)
{
    graze_body *body = job->instance.body;
    graze_self_which which = job->new_only ? GRAZE_SELF_NEW : GRAZE_SELF_ALL;
    if (job->method == METHOD_BRUTE)
        return graze_collide_self_brute(body, which, take_between, job, stats, error);
    if (job->method == METHOD_BOTTOM_UP)
        return graze_collide_self_eager(body, which, take_between, job, stats, error);
    if (job->first)
        return ask_first(job, which, stats, error);
    if (job->between)
        return graze_collide_self_between(body, which, &job->sets.between, take, &job->list, stats,
                                          error);
    return graze_collide_self(body, which, take, &job->list, stats, error);
}

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error.
 */
static double run_frame(self_job *job, graze_stats *stats)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        graze_error error;
        *stats = (graze_stats){0};
        job->list.count = 0;
        double start = now_us();
        if (!instance_pose(&job->instance))
            return -1;
        if (ask(job, stats, &error)) {
            fail_usage("%s", error.text);
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    return best;
}

static void print_json(const self_job *job, uint32_t frame, double time, size_t old,
                       const graze_stats *stats, double us)
{
    const self_list *list = &job->list;
    printf("{\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    printf(",\"hit\":%s,\"count\":%zu,\"new\":%zu,", list->count ? "true" : "false", list->count,
           list->count - old);
    if (!job->count_only) {
        printf("\"pairs\":[");
        for (size_t i = 0; i < list->count; i++)
            printf("%s[%u,%u]", i ? "," : "", list->pairs[i].a, list->pairs[i].b);
        printf("],\"rest\":[");
        for (size_t i = 0; i < list->count; i++)
            printf("%s%s", i ? "," : "", list->pairs[i].rest ? "true" : "false");
        printf("],");
    }
    if (job->with_parts)
        part_pairs_print_json(&job->parts);
    print_json_stats(stats);
    printf(",\"us\":%.2f}\n", us);
}

static void print_frame(const self_job *job, uint32_t frame, double time, const graze_stats *stats,
                        double us)
{
    const self_list *list = &job->list;
    size_t old = 0;
    for (size_t i = 0; i < list->count; i++)
        old += list->pairs[i].rest;
    if (job->options.json) {
        print_json(job, frame, time, old, stats, us);
        return;
    }
    printf("frame %4u  time %8.4f s  %7zu pairs, %zu of them new  %9.1f us  %6llu bounds refitted  "
           "%5llu patches posed  %7llu triangle tests\n",
           frame, time, list->count, list->count - old, us, (unsigned long long)stats->nodes_refit,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->triangle_tests);
    for (size_t i = 0; i < list->count && !job->count_only; i++)
        printf("  %u %u%s\n", list->pairs[i].a, list->pairs[i].b,
               list->pairs[i].rest ? "  at rest too" : "");
    if (job->with_parts)
        part_pairs_print(&job->parts);
}

static const char *columns(const self_job *job)
{
    return job->with_parts ? PART_COLUMNS : job->count_only ? COUNT_COLUMNS : PAIR_COLUMNS;
}

static void write_rows(self_job *job, uint32_t frame, double time, double us)
{
    const struct character *const both[2] = {&job->character, &job->character};
    if (job->with_parts)
        part_pairs_write(&job->parts, &job->csv, frame, time);
    else if (job->count_only)
        count_write(&job->csv, frame, time, job->list.count, us);
    else
        for (size_t i = 0; i < job->list.count; i++)
            pair_write(&job->csv, frame, time, both, job->list.pairs[i].a, job->list.pairs[i].b);
}

static bool take_report(self_job *job, double time)
{
    if (!job->report)
        return true;
    const report_pose pose = instance_report_pose(&job->instance);
    if (!report_take_poses(job->report, time, &pose))
        return false;
    report_take_self_pairs(job->report, job->list.pairs, job->list.count);
    return true;
}

/* False after an error, or when there is no use in going on. */
static bool report_frame(self_job *job, uint32_t frame, double time, const graze_stats *stats,
                         double us)
{
    if (job->list.count)
        qsort(job->list.pairs, job->list.count, sizeof *job->list.pairs, in_order);
    if (job->with_parts && !part_pairs_begin(&job->parts, job->list.count))
        return false;
    for (size_t i = 0; job->with_parts && i < job->list.count; i++)
        part_pairs_add(&job->parts, job->list.pairs[i].a, job->list.pairs[i].b);
    part_pairs_end(&job->parts);
    output_begin();
    print_frame(job, frame, time, stats, us);
    write_rows(job, frame, time, us);
    return output_end();
}

static int run_frames(self_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("self");
    int code = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        double time = frame_time(&job->options, frame), us = -1;
        graze_stats stats;
        if (instance_sample(&job->instance, time))
            us = run_frame(job, &stats);
        if (us < 0 || job->list.failed) {
            code = job->list.failed ? fail_usage("out of memory") : 2;
            break;
        }
        hits += job->list.count > 0;
        if (!report_frame(job, frame, time, &stats, us)) {
            code = job->parts.failed ? fail_usage("out of memory") : 0;
            break;
        }
        if (!take_report(job, time)) {
            code = 2;
            break;
        }
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    report_end(job->report);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

static int run_job(self_job *job)
{
    if (!instance_open(&job->instance, &job->character, &job->options, INSTANCE_ALONE))
        return 2;
    cast_list cast = {{&job->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    if (job->between && !part_sets_parse(&job->sets, &job->character, job->between))
        return 2;
    const report_def def = {.command = "self",
                            .bodies = {instance_report_body(&job->instance, job->options.part)},
                            .body_count = 1,
                            .frame_count = frame_count(&job->options),
                            .first = job->first,
                            .only_new = job->new_only,
                            .between = job->between};
    return report_begin(job->report, &def) ? run_frames(job) : 2;
}

static int run(int argc, char **argv)
{
    self_job job = {.repeat = 1, .options = {.skin_b = -1, .self_collision = true}};
    arguments given;
    parse_result parsed = parse_options(&self_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (job.options.skin_b >= 0)
        job.options.skin = job.options.skin_b;
    if (!output_to(job.options.out) || !csv_open(&job.csv, job.options.csv, columns(&job)) ||
        !report_open(&job.report, job.options.report) ||
        !character_load(&job.character, given.names[0], &job.options)) {
        report_free(job.report);
        return 2;
    }
    job.parts = (part_pairs){.characters = {&job.character, &job.character}, .unordered = true};
    int code = run_job(&job);
    instance_close(&job.instance);
    character_free(&job.character);
    part_pairs_free(&job.parts);
    part_sets_free(&job.sets);
    report_free(job.report);
    free(job.list.pairs);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--new", NULL, OPTION_FLAG, offsetof(self_job, new_only),
     "leave out pairs that meet in the rest pose"},
    {"--first", NULL, OPTION_FLAG, offsetof(self_job, first), "stop at the first pair"},
    {"--count", NULL, OPTION_FLAG, offsetof(self_job, count_only), "leave out the pairs"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(self_job, fail_on_hit),
     "exit with 1 if any triangles meet"},
    {"--between", "A:B[,C:D...]", OPTION_TEXT, offsetof(self_job, between),
     "only pairs of one of A's triangles and one of B's, by parts"},
    PARTS_ROW(self_job),
    MODEL_ROWS(self_job),
    PLACED_ROWS(self_job),
    PART_ROWS(self_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|bottom-up|brute", OPTION_CHOICE, offsetof(self_job, method),
     "how to answer (default lazy); all give the same pairs"},
    REPEAT_ROW(self_job),
    OUTPUT_ROWS(self_job),
    REPORT_ROW(self_job)};

const struct command self_command = {
    .name = "self",
    .summary = "which triangles of one posed model meet each other, exactly",
    .usage = "MODEL [options]",
    .about =
        "Lists the triangles of one model that meet each other, exactly. Triangles that share\n"
        "a vertex position in the rest pose are left out. The model is placed as pose places "
        "it.",
    .example = "graze self man.glb --times all --new --count",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
