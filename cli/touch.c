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
#include <string.h>

typedef enum method { METHOD_LAZY, METHOD_BRUTE } method;

enum { MOST_NUMBERS = 10 };

/* The options that say what to ask about, of which one is given: a point, or a shape. */
enum { ASK_POINT, ASK_SPHERE, ASK_CAPSULE, ASK_BOX, ASK_PLANE, ASK_HALF_SPACE, ASK_KINDS };

static const struct {
    const char *name;
    int numbers, least; /* so many, or so few */
    const char *form;
} asks[ASK_KINDS] = {
    {"--point", 3, 3, "X,Y,Z"},           {"--sphere", 4, 4, "X,Y,Z,R"},
    {"--capsule", 7, 7, "X,Y,Z,X,Y,Z,R"}, {"--box", 10, 6, "X,Y,Z,HX,HY,HZ[,QX,QY,QZ,QW]"},
    {"--plane", 4, 4, "NX,NY,NZ,D"},      {"--half-space", 4, 4, "NX,NY,NZ,D"}};

typedef struct touch_job {
    model_options options;
    const char *texts[ASK_KINDS];
    bool first, count_only, fail_on_hit;
    int method;
    uint32_t repeat;
    struct character character;
    struct instance instance;
    int ask;
    float point[3];
    graze_shape shape;
    bool closed; /* the model is */
    graze_point_side inside;
    float winding; /* of an open model */
    uint32_t *triangles;
    size_t count;
    struct csv csv;
} touch_job;

/* ---- what is asked ------------------------------------------------------------------------ */

/* Numbers separated by commas; how many there are, or 0 if one is no number or there are too many.
 */
static int parse_numbers(const char *text, float numbers[MOST_NUMBERS])
{
    for (int count = 1; count <= MOST_NUMBERS; count++) {
        char *rest;
        double number = strtod(text, &rest);
        numbers[count - 1] = (float)number;
        if (rest == text || !isfinite(numbers[count - 1]) || (*rest && *rest != ','))
            return 0;
        if (!*rest)
            return count;
        text = rest + 1;
    }
    return 0;
}

static graze_shape make_shape(int ask, const float *n, int count)
{
    switch (ask) {
    case ASK_SPHERE:
        return graze_shape_sphere(n, n[3]);
    case ASK_CAPSULE:
        return graze_shape_capsule(n, n + 3, n[6]);
    case ASK_BOX:
        return graze_shape_box(n, n + 3, count > 6 ? n + 6 : NULL);
    case ASK_PLANE:
        return graze_shape_plane(n, n[3]);
    default:
        return graze_shape_half_space(n, n[3]);
    }
}

static bool read_ask(touch_job *job)
{
    float numbers[MOST_NUMBERS];
    int given = 0;
    for (int i = 0; i < ASK_KINDS; i++)
        if (job->texts[i]) {
            job->ask = i;
            given++;
        }
    if (given != 1) {
        fail_usage("touch: give one of --point, --sphere, --capsule, --box, --plane, --half-space");
        return false;
    }
    const char *text = job->texts[job->ask];
    int count = parse_numbers(text, numbers);
    if (count != asks[job->ask].numbers && count != asks[job->ask].least) {
        fail_usage("touch: %s needs %s, not %s", asks[job->ask].name, asks[job->ask].form, text);
        return false;
    }
    memcpy(job->point, numbers, sizeof job->point);
    job->shape = make_shape(job->ask, numbers, count);
    return true;
}

/* ---- asking ------------------------------------------------------------------------------- */

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    touch_job *job = user;
    memcpy(job->triangles + job->count, triangles, count * sizeof *triangles);
    job->count += count;
    return !job->first;
}

static graze_status ask_point(touch_job *job, graze_stats *stats, graze_error *error)
{
    graze_body *body = job->instance.body;
    graze_status status =
        job->method == METHOD_BRUTE
            ? graze_point_inside_brute(body, job->point, &job->inside, stats, error)
            : graze_point_inside(body, job->point, &job->inside, stats, error);
    if (status || job->closed)
        return status;
    status = graze_winding_number(body, job->point, &job->winding, stats, error);
    job->inside.inside = job->inside.on_surface || job->winding > 0.5f;
    return status;
}

static graze_status ask_shape(touch_job *job, graze_stats *stats, graze_error *error)
{
    graze_body *body = job->instance.body;
    if (job->method == METHOD_BRUTE)
        return graze_touch_brute(body, &job->shape, take_triangles, job, stats, error);
    if (!job->first)
        return graze_touch(body, &job->shape, take_triangles, job, stats, error);
    bool hit;
    graze_status status = graze_touch_first(body, &job->shape, &hit, job->triangles, stats, error);
    job->count = status ? 0 : hit;
    return status;
}

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error.
 */
static double run_frame(touch_job *job, graze_stats *stats)
{
    double best = INFINITY;
    for (uint32_t run = 0; run < job->repeat; run++) {
        graze_error error;
        *stats = (graze_stats){0};
        job->count = 0;
        double start = now_us();
        if (!instance_pose(&job->instance))
            return -1;
        if (job->ask == ASK_POINT ? ask_point(job, stats, &error) : ask_shape(job, stats, &error)) {
            fail_usage("touch: %s: %s", asks[job->ask].name, error.text);
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    return best;
}

static int compare_triangles(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

/* ---- printing ----------------------------------------------------------------------------- */

static const char *truth(bool value)
{
    return value ? "true" : "false";
}

static void print_answer_json(const touch_job *job)
{
    if (job->ask == ASK_POINT) {
        printf("\"inside\":%s,\"winding\":", truth(job->inside.inside));
        if (job->closed)
            printf("%d", job->inside.winding);
        else
            print_json_float(job->winding);
        printf(",\"on_surface\":%s,\"closed\":%s,", truth(job->inside.on_surface),
               truth(job->closed));
        return;
    }
    printf("\"hit\":%s,\"count\":%zu,", truth(job->count > 0), job->count);
    if (job->count_only)
        return;
    printf("\"triangles\":[");
    for (size_t i = 0; i < job->count; i++)
        printf("%s%u", i ? "," : "", job->triangles[i]);
    printf("],");
}

static void print_frame_json(const touch_job *job, uint32_t frame, double time,
                             const graze_stats *stats, double us)
{
    printf("{\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    printf(",");
    print_answer_json(job);
    print_json_stats(stats);
    printf(",\"us\":%.2f}\n", us);
}

static void print_frame(const touch_job *job, uint32_t frame, double time, const graze_stats *stats,
                        double us)
{
    if (job->options.json) {
        print_frame_json(job, frame, time, stats, us);
        return;
    }
    printf("frame %4u  time %8.4f s  ", frame, time);
    if (job->ask == ASK_POINT)
        printf("%-10s  winding %g",
               job->inside.on_surface ? "on surface"
               : job->inside.inside   ? "inside"
                                      : "outside",
               job->closed ? (double)job->inside.winding : (double)job->winding);
    else
        printf("%7zu triangles", job->count);
    printf("  %9.1f us  %6llu bounds refitted  %5llu patches posed\n", us,
           (unsigned long long)stats->nodes_refit, (unsigned long long)stats->patches_posed);
    for (size_t i = 0; job->ask != ASK_POINT && i < job->count && !job->count_only; i++)
        printf("  %u of %s\n", job->triangles[i],
               triangle_part(&job->character, job->triangles[i]));
}

static const char *columns(const touch_job *job)
{
    return job->ask == ASK_POINT ? "frame,time,inside,winding,on_surface,us"
           : job->count_only     ? COUNT_COLUMNS
                                 : "frame,time,triangle,part,mesh";
}

/* A row a triangle; a frame where only the number of them or a point is asked about. */
static void write_rows(touch_job *job, uint32_t frame, double time, double us)
{
    struct csv *csv = &job->csv;
    if (job->ask == ASK_POINT) {
        csv_count(csv, frame);
        csv_number(csv, time);
        csv_text(csv, truth(job->inside.inside));
        csv_number(csv, job->closed ? (double)job->inside.winding : (double)job->winding);
        csv_text(csv, truth(job->inside.on_surface));
        csv_us(csv, us);
        csv_end_row(csv);
        return;
    }
    if (job->count_only) {
        count_write(csv, frame, time, job->count, us);
        return;
    }
    for (size_t i = 0; i < job->count && csv->file; i++) {
        csv_count(csv, frame);
        csv_number(csv, time);
        csv_count(csv, job->triangles[i]);
        csv_text(csv, triangle_part(&job->character, job->triangles[i]));
        csv_text(csv, triangle_mesh(&job->character, job->triangles[i]));
        csv_end_row(csv);
    }
}

/* ---- the command -------------------------------------------------------------------------- */

static int run_frames(touch_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("touch");
    int code = 0;
    for (uint32_t frame = 0; code == 0 && frame < frames; frame++) {
        double time = frame_time(&job->options, frame), us = -1;
        graze_stats stats;
        if (instance_sample(&job->instance, time))
            us = run_frame(job, &stats);
        if (us < 0) {
            code = 2;
            break;
        }
        qsort(job->triangles, job->count, sizeof *job->triangles, compare_triangles);
        hits += job->ask == ASK_POINT ? job->inside.inside : job->count > 0;
        output_begin();
        print_frame(job, frame, time, &stats, us);
        write_rows(job, frame, time, us);
        if (!output_end())
            break;
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

static int run_job(touch_job *job)
{
    const graze_model *model = job->character.model;
    graze_error error;
    job->triangles = malloc(graze_model_get_info(model).triangle_count * sizeof *job->triangles);
    if (!job->triangles)
        return fail_usage("out of memory");
    if (job->ask == ASK_POINT && graze_model_is_closed(model, &job->closed, &error))
        return fail_usage("touch: %s", error.text);
    if (!instance_open(&job->instance, &job->character, &job->options, INSTANCE_FIRST))
        return 2;
    cast_list cast = {{&job->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    return run_frames(job);
}

static int run(int argc, char **argv)
{
    static const char *const of_shapes[] = {"--first", "--count", NULL};
    touch_job job = {.repeat = 1};
    arguments given;
    parse_result parsed = parse_options(&touch_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (!read_ask(&job))
        return 2;
    const char *unused = any_given(&touch_command, &given, of_shapes);
    if (job.ask == ASK_POINT && unused)
        return fail_usage("touch: %s is about triangles, and --point lists none", unused);
    if (!output_to(job.options.out) || !csv_open(&job.csv, job.options.csv, columns(&job)) ||
        !character_load(&job.character, given.names[0], &job.options))
        return 2;
    int code = run_job(&job);
    instance_close(&job.instance);
    character_free(&job.character);
    free(job.triangles);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked, one of"),
    {"--sphere", "X,Y,Z,R", OPTION_TEXT, offsetof(touch_job, texts[ASK_SPHERE]),
     "centre and radius"},
    {"--capsule", "X,Y,Z,X,Y,Z,R", OPTION_TEXT, offsetof(touch_job, texts[ASK_CAPSULE]),
     "ends and radius"},
    {"--box", "X,Y,Z,HX,HY,HZ[,Q]", OPTION_TEXT, offsetof(touch_job, texts[ASK_BOX]),
     "centre, half sides, and a quaternion x,y,z,w to turn it by"},
    {"--plane", "NX,NY,NZ,D", OPTION_TEXT, offsetof(touch_job, texts[ASK_PLANE]),
     "points with n . x = d"},
    {"--half-space", "NX,NY,NZ,D", OPTION_TEXT, offsetof(touch_job, texts[ASK_HALF_SPACE]),
     "points with n . x <= d"},
    {"--point", "X,Y,Z", OPTION_TEXT, offsetof(touch_job, texts[ASK_POINT]),
     "inside or outside; open models by their solid angle"},
    OPTION_HEADING_ROW("and"),
    {"--first", NULL, OPTION_FLAG, offsetof(touch_job, first), "stop at the first triangle"},
    {"--count", NULL, OPTION_FLAG, offsetof(touch_job, count_only), "leave out the triangles"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(touch_job, fail_on_hit),
     "exit with 1 if any triangle meets the shape, or the point is inside"},
    MODEL_ROWS(touch_job),
    PART_ROWS(touch_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|brute", OPTION_CHOICE, offsetof(touch_job, method),
     "how to answer (default lazy); both give the same"},
    REPEAT_ROW(touch_job),
    OUTPUT_ROWS(touch_job)};

const struct command touch_command = {
    .name = "touch",
    .summary = "which triangles meet a sphere, box or plane; is a point inside",
    .usage = "MODEL --sphere|--capsule|--box|--plane|--half-space|--point NUMBERS [options]",
    .about = "Lists the triangles that meet a shape, or tells whether a point is inside.",
    .example = "graze touch man.glb --capsule 0,0,0.3,0,1.8,0.3,0.1 --times all",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
