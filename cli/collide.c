#include "cli/character.h"
#include "cli/commands.h"
#include "cli/contacts.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/report.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum method { METHOD_LAZY, METHOD_BOTTOM_UP, METHOD_BRUTE } method;

typedef struct collide_job {
    model_options options;
    bool first, count_only, fail_on_hit, with_contacts, with_parts;
    int method;
    uint32_t repeat;
    struct character_pair characters;
    struct instance instances[2];
    pair_list pairs;
    graze_contacts *contacts; /* NULL: nobody asked */
    part_pairs parts;
    struct csv csv;
    struct report *report; /* NULL: nobody asked */
} collide_job;

static void find_pairs(collide_job *job, graze_stats *stats)
{
    graze_body *a = job->instances[0].body, *b = job->instances[1].body;
    if (job->method == METHOD_BRUTE) {
        graze_collide_brute(a, b, job->first ? pair_list_take_first : pair_list_take, &job->pairs,
                            stats, NULL);
        return;
    }
    if (job->method == METHOD_BOTTOM_UP) {
        graze_body_refit_all(a);
        graze_body_refit_all(b);
        const graze_model_info infos[2] = {graze_model_get_info(graze_body_model(a)),
                                           graze_model_get_info(graze_body_model(b))};
        for (int i = 0; i < 2; i++) {
            stats->nodes_refit += infos[i].node_count;
            stats->vertices_posed += infos[i].vertex_count;
        }
    }
    if (job->first) {
        bool hit = false;
        graze_pair pair;
        if (!graze_collide_first(a, b, &hit, &pair, stats, NULL) && hit)
            pair_list_take(&job->pairs, &pair, 1);
    } else {
        graze_collide(a, b, pair_list_take, &job->pairs, stats, NULL);
    }
}

/* The whole answer; false after printing an error. */
static bool ask(collide_job *job, graze_stats *stats)
{
    find_pairs(job, stats);
    return !job->contacts || contacts_take(job->contacts, job->instances[0].body,
                                           job->instances[1].body, &job->pairs, stats);
}

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error.
 */
static double run_frame(collide_job *job, graze_stats *stats)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        *stats = (graze_stats){0};
        job->pairs.count = 0;
        double start = now_us();
        if (!instance_pose(&job->instances[0]) || !instance_pose(&job->instances[1]))
            return -1;
        if (!ask(job, stats))
            return -1;
        best = fmin(best, now_us() - start);
    }
    return best;
}

static void print_frame(const collide_job *job, uint32_t frame, double time,
                        const graze_stats *stats, double us)
{
    const pair_list *pairs = &job->pairs;
    if (job->options.json) {
        printf("{\"frame\":%u,\"time\":", frame);
        print_json_number(time);
        printf(",\"hit\":%s,\"count\":%zu,", pairs->count ? "true" : "false", pairs->count);
        if (!job->count_only) {
            printf("\"pairs\":[");
            for (size_t i = 0; i < pairs->count; i++)
                printf("%s[%u,%u]", i ? "," : "", pairs->pairs[i].a, pairs->pairs[i].b);
            printf("],");
        }
        if (job->contacts)
            contacts_print_json(job->contacts, &job->characters);
        if (job->with_parts)
            part_pairs_print_json(&job->parts);
        print_json_stats(stats);
        printf(",\"us\":%.2f}\n", us);
        return;
    }
    printf("frame %4u  time %8.4f s  %7zu pairs  %9.1f us  %6llu bounds refitted  %5llu patches "
           "posed  %7llu triangle tests\n",
           frame, time, pairs->count, us, (unsigned long long)stats->nodes_refit,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->triangle_tests);
    for (size_t i = 0; i < pairs->count && !job->count_only; i++)
        printf("  %u %u\n", pairs->pairs[i].a, pairs->pairs[i].b);
    if (job->with_parts)
        part_pairs_print(&job->parts);
    if (job->contacts)
        contacts_print(job->contacts, &job->characters);
}

/* A row is what was asked about most closely: a contact, two parts, a frame, or else a pair. */
static const char *columns(const collide_job *job)
{
    return job->with_contacts ? CONTACT_COLUMNS
           : job->with_parts  ? PART_COLUMNS
           : job->count_only  ? COUNT_COLUMNS
                              : PAIR_COLUMNS;
}

static void write_rows(collide_job *job, uint32_t frame, double time, double us)
{
    if (job->contacts)
        contacts_write(job->contacts, &job->characters, &job->csv, frame, time);
    else if (job->with_parts)
        part_pairs_write(&job->parts, &job->csv, frame, time);
    else if (job->count_only)
        count_write(&job->csv, frame, time, job->pairs.count, us);
    else
        for (size_t i = 0; i < job->pairs.count; i++)
            pair_write(&job->csv, frame, time, job->characters.of, job->pairs.pairs[i].a,
                       job->pairs.pairs[i].b);
}

static bool take_report(collide_job *job, double time)
{
    if (!job->report)
        return true;
    const report_pose poses[2] = {instance_report_pose(&job->instances[0]),
                                  instance_report_pose(&job->instances[1])};
    return report_take_poses(job->report, time, poses) &&
           report_take_pairs(job->report, poses, job->pairs.pairs, job->pairs.count);
}

/* Everything about a frame but the answer itself, which took us microseconds; false after an error
 * or when there is no use in going on.
 */
static bool report_frame(collide_job *job, uint32_t frame, double time, const graze_stats *stats,
                         double us)
{
    pair_list_sort(&job->pairs);
    if (job->with_parts && !part_pairs_begin(&job->parts, job->pairs.count))
        return false;
    for (size_t i = 0; job->with_parts && i < job->pairs.count; i++)
        part_pairs_add(&job->parts, job->pairs.pairs[i].a, job->pairs.pairs[i].b);
    part_pairs_end(&job->parts);
    output_begin();
    print_frame(job, frame, time, stats, us);
    write_rows(job, frame, time, us);
    return output_end();
}

static int run_frames(collide_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("collide");
    int code = 0;
    for (uint32_t frame = 0; code == 0 && frame < frames; frame++) {
        double time = frame_time(&job->options, frame), us = -1;
        graze_stats stats;
        if (instance_sample(&job->instances[0], time) && instance_sample(&job->instances[1], time))
            us = run_frame(job, &stats);
        if (us < 0 || job->pairs.failed) {
            code = job->pairs.failed ? fail_usage("out of memory") : 2;
            break;
        }
        hits += job->pairs.count > 0;
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

static int run_job(collide_job *job)
{
    for (int side = 0; side < 2; side++)
        if (!instance_open(&job->instances[side], job->characters.of[side], &job->options,
                           side ? INSTANCE_SECOND : INSTANCE_FIRST))
            return 2;
    if (job->with_contacts &&
        !contacts_open(&job->contacts, job->characters.of[0]->model, job->characters.of[1]->model))
        return 2;
    cast_list cast = {{&job->instances[0], &job->instances[1]}, 2};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    const report_def def = {
        .command = "collide",
        .bodies = {instance_report_body(&job->instances[0], job->options.part),
                   instance_report_body(&job->instances[1], job->options.part_b)},
        .body_count = 2,
        .frame_count = frame_count(&job->options),
        .first = job->first};
    return report_begin(job->report, &def) ? run_frames(job) : 2;
}

static int run(int argc, char **argv)
{
    collide_job job = {.repeat = 1, .options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&collide_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (job.first && job.with_contacts)
        return fail_usage("collide: --contacts needs all pairs, --first finds one");
    if (!output_to(job.options.out) || !csv_open(&job.csv, job.options.csv, columns(&job)) ||
        !report_open(&job.report, job.options.report) ||
        !character_pair_load(&job.characters, given.names, given.name_count, &job.options)) {
        report_free(job.report);
        return 2;
    }
    job.parts = (part_pairs){.characters = {job.characters.of[0], job.characters.of[1]}};
    int code = run_job(&job);
    graze_contacts_destroy(job.contacts);
    instance_close(&job.instances[0]);
    instance_close(&job.instances[1]);
    character_pair_free(&job.characters);
    pair_list_free(&job.pairs);
    part_pairs_free(&job.parts);
    report_free(job.report);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--first", NULL, OPTION_FLAG, offsetof(collide_job, first), "stop at the first pair"},
    {"--count", NULL, OPTION_FLAG, offsetof(collide_job, count_only), "leave out the pairs"},
    PARTS_ROW(collide_job),
    {"--contacts", NULL, OPTION_FLAG, offsetof(collide_job, with_contacts),
     "also join the pairs to contacts, with point, normal and depth"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(collide_job, fail_on_hit),
     "exit with 1 if any triangles meet"},
    MODEL_ROWS(collide_job),
    SECOND_ROWS(collide_job),
    PART_ROWS(collide_job),
    PART_B_ROW(collide_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|bottom-up|brute", OPTION_CHOICE, offsetof(collide_job, method),
     "how to answer (default lazy); all give the same pairs"},
    REPEAT_ROW(collide_job),
    OUTPUT_ROWS(collide_job),
    REPORT_ROW(collide_job)};

const struct command collide_command = {
    .name = "collide",
    .summary = "which triangles of two posed models meet, exactly",
    .usage = "MODEL [MODEL_B] [options]",
    .about = "Lists the triangles of two instances that meet, exactly. The second instance is of\n"
             "MODEL_B, or of MODEL if that is left out.",
    .example = "graze collide man.glb chair.glb --times all --at 0,0,0.5 --count",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 2,
    .run = run};
