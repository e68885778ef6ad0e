#include "cli/character.h"
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/parts.h"
#include "cli/print.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct distance_job {
    model_options options;
    double limit, closer_than, within; /* NaN: not asked for */
    bool fail_on_hit;
    int method; /* 0 lazy, 1 brute */
    uint32_t repeat;
    struct character_pair characters;
    struct instance instances[2];
    struct csv csv;
} distance_job;

/* What is said about a frame. */
typedef struct frame_answer {
    graze_nearest nearest;
    bool closer;
    pair_list pairs; /* within the tolerance */
    graze_stats stats;
    double us, closer_us, within_us; /* of each question by itself */
} frame_answer;

static bool ask_nearest(distance_job *job, frame_answer *answer, graze_error *error)
{
    graze_body *a = job->instances[0].body, *b = job->instances[1].body;
    double limit = isnan(job->limit) ? (double)INFINITY : job->limit;
    answer->stats = (graze_stats){0};
    return (job->method ? graze_distance_brute : graze_distance)(a, b, limit, &answer->nearest,
                                                                 &answer->stats, error) == GRAZE_OK;
}

static bool ask_closer(distance_job *job, frame_answer *answer, graze_error *error)
{
    graze_body *a = job->instances[0].body, *b = job->instances[1].body;
    if (!job->method)
        return graze_closer_than(a, b, job->closer_than, &answer->closer, NULL, NULL, error) ==
               GRAZE_OK;
    graze_nearest nearest;
    graze_status status = graze_distance_brute(a, b, job->closer_than, &nearest, NULL, error);
    answer->closer = status == GRAZE_OK && nearest.found;
    return status == GRAZE_OK;
}

static bool ask_within(distance_job *job, frame_answer *answer, graze_error *error)
{
    graze_body *a = job->instances[0].body, *b = job->instances[1].body;
    answer->pairs.count = 0;
    return (job->method ? graze_within_brute : graze_within)(
               a, b, job->within, pair_list_take, &answer->pairs, NULL, error) == GRAZE_OK &&
           !answer->pairs.failed;
}

typedef bool (*question_fn)(distance_job *job, frame_answer *answer, graze_error *error);

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error.
 */
static double measure(distance_job *job, question_fn ask, frame_answer *answer)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        graze_error error = {.text = "out of memory"};
        double start = now_us();
        if (!instance_pose(&job->instances[0]) || !instance_pose(&job->instances[1]))
            return -1;
        if (!ask(job, answer, &error)) {
            fail_usage("distance: %s", error.text);
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    return best;
}

static bool answer_frame(distance_job *job, frame_answer *answer)
{
    answer->us = measure(job, ask_nearest, answer);
    answer->closer_us = isnan(job->closer_than) ? 0 : measure(job, ask_closer, answer);
    answer->within_us = isnan(job->within) ? 0 : measure(job, ask_within, answer);
    if (answer->us < 0 || answer->closer_us < 0 || answer->within_us < 0)
        return false;
    pair_list_sort(&answer->pairs);
    return true;
}

static void print_nearest_json(const distance_job *job, const graze_nearest *nearest)
{
    if (!nearest->found) {
        printf("\"distance\":null,\"triangles\":null,\"points\":null,\"parts\":null");
        return;
    }
    printf("\"distance\":");
    print_json_number(nearest->distance);
    printf(",\"triangles\":[%u,%u],\"points\":", nearest->triangles.a, nearest->triangles.b);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            printf("%s", k ? "," : side ? "],[" : "[[");
            print_json_float(nearest->points[side][k]);
        }
    printf("]],\"parts\":[");
    print_json_string(triangle_part(job->characters.of[0], nearest->triangles.a));
    printf(",");
    print_json_string(triangle_part(job->characters.of[1], nearest->triangles.b));
    printf("]");
}

static void print_json(const distance_job *job, uint32_t frame, double time,
                       const frame_answer *answer)
{
    printf("{\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    printf(",");
    print_nearest_json(job, &answer->nearest);
    if (!isnan(job->closer_than))
        printf(",\"hit\":%s,\"closer_us\":%.2f", answer->closer ? "true" : "false",
               answer->closer_us);
    if (!isnan(job->within)) {
        printf(",\"count\":%zu,\"pairs\":[", answer->pairs.count);
        for (size_t i = 0; i < answer->pairs.count; i++)
            printf("%s[%u,%u]", i ? "," : "", answer->pairs.pairs[i].a, answer->pairs.pairs[i].b);
        printf("],\"within_us\":%.2f", answer->within_us);
    }
    printf(",");
    print_json_stats(&answer->stats);
    printf(",\"us\":%.2f}\n", answer->us);
}

static void print_text(const distance_job *job, uint32_t frame, double time,
                       const frame_answer *answer)
{
    const graze_nearest *nearest = &answer->nearest;
    printf("frame %4u  time %8.4f s  ", frame, time);
    if (nearest->found)
        printf("distance %.9g  triangles %u of %s and %u of %s  at %.9g,%.9g,%.9g and "
               "%.9g,%.9g,%.9g",
               nearest->distance, nearest->triangles.a,
               triangle_part(job->characters.of[0], nearest->triangles.a), nearest->triangles.b,
               triangle_part(job->characters.of[1], nearest->triangles.b),
               (double)nearest->points[0][0], (double)nearest->points[0][1],
               (double)nearest->points[0][2], (double)nearest->points[1][0],
               (double)nearest->points[1][1], (double)nearest->points[1][2]);
    else
        printf("nothing within %.9g", job->limit);
    printf("  %.1f us\n", answer->us);
    if (!isnan(job->closer_than))
        printf("  %s within %.9g  %.1f us\n", answer->closer ? "is" : "nothing is",
               job->closer_than, answer->closer_us);
    if (isnan(job->within))
        return;
    printf("  %zu pairs within %.9g  %.1f us\n", answer->pairs.count, job->within,
           answer->within_us);
    for (size_t i = 0; i < answer->pairs.count; i++)
        printf("  %u %u\n", answer->pairs.pairs[i].a, answer->pairs.pairs[i].b);
}

#define DISTANCE_COLUMNS "frame,time,distance,a,b,ax,ay,az,bx,by,bz,part_a,part_b,us"

/* A row a frame; with --within also that many pairs, and with --closer-than yes or no. */
static const char *columns(const distance_job *job)
{
    bool closer = !isnan(job->closer_than), within = !isnan(job->within);
    return closer && within ? DISTANCE_COLUMNS ",hit,count"
           : closer         ? DISTANCE_COLUMNS ",hit"
           : within         ? DISTANCE_COLUMNS ",count"
                            : DISTANCE_COLUMNS;
}

static void write_row(distance_job *job, uint32_t frame, double time, const frame_answer *answer)
{
    const graze_nearest *nearest = &answer->nearest;
    csv_count(&job->csv, frame);
    csv_number(&job->csv, time);
    if (nearest->found) {
        csv_number(&job->csv, nearest->distance);
        csv_count(&job->csv, nearest->triangles.a);
        csv_count(&job->csv, nearest->triangles.b);
        csv_floats(&job->csv, nearest->points[0], 3);
        csv_floats(&job->csv, nearest->points[1], 3);
        csv_text(&job->csv, triangle_part(job->characters.of[0], nearest->triangles.a));
        csv_text(&job->csv, triangle_part(job->characters.of[1], nearest->triangles.b));
    } else {
        csv_empty(&job->csv, 11);
    }
    csv_us(&job->csv, answer->us);
    if (!isnan(job->closer_than))
        csv_text(&job->csv, answer->closer ? "true" : "false");
    if (!isnan(job->within))
        csv_count(&job->csv, answer->pairs.count);
    csv_end_row(&job->csv);
}

/* What --fail-on-hit asks about: the tolerance, where there is one, else whether triangles meet. */
static bool is_hit(const distance_job *job, const frame_answer *answer)
{
    if (!isnan(job->closer_than))
        return answer->closer;
    if (!isnan(job->within))
        return answer->pairs.count > 0;
    return answer->nearest.found && answer->nearest.distance <= 0;
}

static int run_frames(distance_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("distance");
    frame_answer answer = {0};
    int code = 0;
    for (uint32_t frame = 0; code == 0 && frame < frames; frame++) {
        double time = frame_time(&job->options, frame);
        if (!instance_sample(&job->instances[0], time) ||
            !instance_sample(&job->instances[1], time) || !answer_frame(job, &answer)) {
            code = 2;
            break;
        }
        hits += is_hit(job, &answer);
        output_begin();
        (job->options.json ? print_json : print_text)(job, frame, time, &answer);
        write_row(job, frame, time, &answer);
        if (!output_end())
            break;
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    pair_list_free(&answer.pairs);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

static int run_job(distance_job *job)
{
    for (int side = 0; side < 2; side++)
        if (!instance_open(&job->instances[side], job->characters.of[side], &job->options,
                           side ? INSTANCE_SECOND : INSTANCE_FIRST))
            return 2;
    cast_list cast = {{&job->instances[0], &job->instances[1]}, 2};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    return run_frames(job);
}

static int run_command(distance_job *job, const arguments *given)
{
    if (!output_to(job->options.out) || !csv_open(&job->csv, job->options.csv, columns(job)) ||
        !character_pair_load(&job->characters, given->names, given->name_count, &job->options))
        return 2;
    int code = run_job(job);
    instance_close(&job->instances[0]);
    instance_close(&job->instances[1]);
    character_pair_free(&job->characters);
    return code;
}

static int run(int argc, char **argv)
{
    distance_job job = {.repeat = 1,
                        .limit = (double)NAN,
                        .closer_than = (double)NAN,
                        .within = (double)NAN,
                        .options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&distance_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (job.limit < 0 || job.closer_than < 0 || job.within < 0)
        return fail_usage("distance: %s is negative", job.limit < 0         ? "--limit"
                                                      : job.closer_than < 0 ? "--closer-than"
                                                                            : "--within");
    return run_command(&job, &given);
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--limit", "D", OPTION_NUMBER, offsetof(distance_job, limit),
     "look no farther than this, file units"},
    {"--closer-than", "D", OPTION_NUMBER, offsetof(distance_job, closer_than),
     "also say whether anything is within this distance"},
    {"--within", "D", OPTION_NUMBER, offsetof(distance_job, within),
     "also list all pairs of triangles within this distance"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(distance_job, fail_on_hit),
     "exit with 1 if anything meets, or is within the tolerance given"},
    MODEL_ROWS(distance_job),
    SECOND_ROWS(distance_job),
    PART_ROWS(distance_job),
    PART_B_ROW(distance_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|brute", OPTION_CHOICE, offsetof(distance_job, method),
     "how to answer (default lazy); both give the same"},
    REPEAT_ROW(distance_job),
    OUTPUT_ROWS(distance_job)};

const struct command distance_command = {
    .name = "distance",
    .summary = "how far two posed models are apart, and where",
    .usage = "MODEL [MODEL_B] [options]",
    .about =
        "Finds the smallest distance between two instances, and the triangles and points that\n"
        "are nearest. The second instance is of MODEL_B, or of MODEL if that is left out.",
    .example = "graze distance man.glb --at 1.5,0,0 --times all",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 2,
    .run = run};
