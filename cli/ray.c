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

typedef struct ray_job {
    model_options options;
    double origin[3], dir[3], t_min, t_max;
    bool all, any, fail_on_hit;
    int method; /* 0 lazy, 1 brute */
    uint32_t repeat;
    graze_ray ray;
    struct character character;
    struct instance instance;
    graze_ray_hit *hits;
    size_t count, capacity;
    bool failed; /* no memory for hits */
    struct csv csv;
} ray_job;

static bool take_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    ray_job *job = user;
    if (job->count + count > job->capacity) {
        size_t capacity = 2 * (job->count + count) + 16;
        graze_ray_hit *larger = realloc(job->hits, capacity * sizeof *larger);
        job->failed = !larger;
        if (!larger)
            return false;
        job->hits = larger;
        job->capacity = capacity;
    }
    memcpy(job->hits + job->count, hits, count * sizeof *hits);
    job->count += count;
    return true;
}

static int compare(const void *left, const void *right)
{
    const graze_ray_hit *x = left, *y = right;
    if (x->t != y->t)
        return x->t < y->t ? -1 : 1;
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

static graze_status ask(ray_job *job, graze_stats *stats, graze_error *error)
{
    graze_body *body = job->instance.body;
    if (job->method)
        return graze_cast_brute(body, &job->ray, take_hits, job, stats, error);
    if (job->all)
        return graze_cast_all(body, &job->ray, take_hits, job, stats, error);
    graze_ray_hit hit;
    graze_status status = job->any ? graze_cast_any(body, &job->ray, &hit, stats, error)
                                   : graze_cast(body, &job->ray, &hit, stats, error);
    if (!status && hit.found)
        take_hits(job, &hit, 1);
    return status;
}

/* Microseconds from handing over the matrices to the complete answer, the least of all repeats;
 * negative after an error, which was printed.
 */
static double run_frame(ray_job *job, graze_stats *stats)
{
    double best = INFINITY;
    graze_error error;
    for (uint32_t run = 0; run < job->repeat; run++) {
        *stats = (graze_stats){0};
        job->count = 0;
        double start = now_us();
        if (!instance_pose(&job->instance))
            return -1;
        graze_status status = ask(job, stats, &error);
        if (status || job->failed) {
            fail_usage("%s", status ? error.text : "out of memory");
            return -1;
        }
        best = fmin(best, now_us() - start);
    }
    if (job->count)
        qsort(job->hits, job->count, sizeof *job->hits, compare);
    if (!job->all && job->count > 1)
        job->count = 1;
    return best;
}

static void print_json_floats(const char *name, const float *numbers, int count)
{
    printf(",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        printf("%s", i ? "," : "");
        print_json_float(numbers[i]);
    }
    printf("]");
}

static void print_hit_json(const ray_job *job, const graze_ray_hit *hit)
{
    printf("\"triangle\":%u,\"t\":", hit->triangle);
    print_json_float(hit->t);
    print_json_floats("point", hit->point, 3);
    print_json_floats("normal", hit->normal, 3);
    print_json_floats("uv", hit->uv, 2);
    const char *mesh = triangle_mesh(&job->character, hit->triangle);
    printf(",\"joint\":%u,\"group\":%u,\"joint_name\":", hit->joint, hit->group);
    print_json_string(joint_name(&job->character, hit->joint));
    printf(",\"part\":");
    print_json_string(part_name(&job->character, hit->group));
    printf(",\"mesh\":");
    if (mesh)
        print_json_string(mesh);
    else
        printf("null");
}

static void print_json(const ray_job *job, uint32_t frame, double time, const graze_stats *stats,
                       double us)
{
    printf("{\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    printf(",\"hit\":%s,", job->count ? "true" : "false");
    if (job->count)
        print_hit_json(job, &job->hits[0]);
    else
        printf("\"triangle\":null,\"t\":null,\"point\":null,\"normal\":null,\"uv\":null,"
               "\"joint\":null,\"group\":null,\"joint_name\":null,\"part\":null,\"mesh\":null");
    if (job->all) {
        printf(",\"count\":%zu,\"hits\":[", job->count);
        for (size_t i = 0; i < job->count; i++) {
            printf("%s{", i ? "," : "");
            print_hit_json(job, &job->hits[i]);
            printf("}");
        }
        printf("]");
    }
    printf(",");
    print_json_stats(stats);
    printf(",\"us\":%.2f}\n", us);
}

static void print_text(const ray_job *job, uint32_t frame, double time, const graze_stats *stats,
                       double us)
{
    printf("frame %4u  time %8.4f s  %5zu hits  %9.1f us  %6llu bounds refitted  %5llu patches "
           "posed  %5llu triangle tests\n",
           frame, time, job->count, us, (unsigned long long)stats->nodes_refit,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->triangle_tests);
    for (size_t i = 0; i < job->count; i++) {
        const graze_ray_hit *hit = &job->hits[i];
        printf("  t %.9g  triangle %u  of %s  at %.9g,%.9g,%.9g  normal %.6g,%.6g,%.6g\n",
               (double)hit->t, hit->triangle, joint_name(&job->character, hit->joint),
               (double)hit->point[0], (double)hit->point[1], (double)hit->point[2],
               (double)hit->normal[0], (double)hit->normal[1], (double)hit->normal[2]);
    }
}

#define RAY_COLUMNS "frame,time,triangle,t,x,y,z,normal_x,normal_y,normal_z,u,v,part,mesh"

/* A row a hit; where there is none, one that is empty. */
static void write_rows(ray_job *job, uint32_t frame, double time)
{
    for (size_t i = 0; i < job->count || i == 0; i++) {
        csv_count(&job->csv, frame);
        csv_number(&job->csv, time);
        if (job->count) {
            const graze_ray_hit *hit = &job->hits[i];
            csv_count(&job->csv, hit->triangle);
            csv_floats(&job->csv, &hit->t, 1);
            csv_floats(&job->csv, hit->point, 3);
            csv_floats(&job->csv, hit->normal, 3);
            csv_floats(&job->csv, hit->uv, 2);
            csv_text(&job->csv, part_name(&job->character, hit->group));
            csv_text(&job->csv, triangle_mesh(&job->character, hit->triangle));
        } else {
            csv_empty(&job->csv, 12);
        }
        csv_end_row(&job->csv);
    }
}

static int run_frames(ray_job *job)
{
    uint32_t frames = frame_count(&job->options), hits = 0;
    struct progress progress = progress_start("ray");
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
        hits += job->count > 0;
        output_begin();
        (job->options.json ? print_json : print_text)(job, frame, time, &stats, us);
        write_rows(job, frame, time);
        if (!output_end())
            break;
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    return code ? code : hits && job->fail_on_hit ? 1 : 0;
}

static int run_job(ray_job *job)
{
    if (!instance_open(&job->instance, &job->character, &job->options, INSTANCE_ALONE))
        return 2;
    cast_list cast = {{&job->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return 2;
    frames_warn(&job->options, &cast);
    return run_frames(job);
}

/* Every number was parsed as finite; it must be so as a float, too. */
static graze_ray make_ray(const ray_job *job)
{
    graze_ray ray = {.t_min = (float)job->t_min, .t_max = (float)job->t_max};
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = (float)job->origin[k];
        ray.dir[k] = (float)job->dir[k];
    }
    return ray;
}

static int run(int argc, char **argv)
{
    ray_job job = {
        .options = {.skin_b = -1}, .origin = {NAN}, .dir = {NAN}, .t_max = INFINITY, .repeat = 1};
    arguments given;
    parse_result parsed = parse_options(&ray_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (isnan(job.origin[0]) || isnan(job.dir[0]))
        return fail_usage("ray: no %s X,Y,Z given (see graze help ray)",
                          isnan(job.origin[0]) ? "--origin" : "--dir");
    if (job.all && job.any)
        return fail_usage("ray: --all and --any exclude each other");
    job.ray = make_ray(&job);
    if (job.options.skin_b >= 0)
        job.options.skin = job.options.skin_b;
    if (!output_to(job.options.out) || !csv_open(&job.csv, job.options.csv, RAY_COLUMNS) ||
        !character_load(&job.character, given.names[0], &job.options))
        return 2;
    int code = run_job(&job);
    instance_close(&job.instance);
    character_free(&job.character);
    free(job.hits);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--origin", "X,Y,Z", OPTION_VECTOR, offsetof(ray_job, origin), "where the ray starts"},
    {"--dir", "X,Y,Z", OPTION_VECTOR, offsetof(ray_job, dir),
     "where it goes; t is in units of its length"},
    {"--tmin", "T", OPTION_NUMBER, offsetof(ray_job, t_min), "the least t that counts (default 0)"},
    {"--tmax", "T", OPTION_NUMBER, offsetof(ray_job, t_max), "the greatest (default: no end)"},
    {"--all", NULL, OPTION_FLAG, offsetof(ray_job, all), "every hit, not the nearest alone"},
    {"--any", NULL, OPTION_FLAG, offsetof(ray_job, any),
     "stop at the first hit found, nearest or not"},
    {"--fail-on-hit", NULL, OPTION_FLAG, offsetof(ray_job, fail_on_hit),
     "exit with 1 if anything is hit"},
    MODEL_ROWS(ray_job),
    PLACED_ROWS(ray_job),
    PART_ROWS(ray_job),
    OPTION_HEADING_ROW("how, and what is printed"),
    {"--method", "lazy|brute", OPTION_CHOICE, offsetof(ray_job, method),
     "how to answer (default lazy); both give the same hits"},
    REPEAT_ROW(ray_job),
    OUTPUT_ROWS(ray_job)};

const struct command ray_command = {
    .name = "ray",
    .summary = "where a ray meets a posed model",
    .usage = "MODEL --origin X,Y,Z --dir X,Y,Z [options]",
    .about = "Where a ray meets the model, placed as collide places its second instance with the\n"
             "same options. A segment is a ray with --tmax 1.",
    .example = "graze ray man.glb --origin 0,1,5 --dir 0,0,-1 --times all",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
