/* A posed model as OBJ: one file, or one a frame. */
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/frames.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/gltf.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct pose_job {
    model_options options;
    const char *path;
    struct character character;
    struct instance instance;
    float *positions;
    char *frame_path; /* of the frame at hand */
    size_t frame_path_size;
} pose_job;

/* ---- the name of a frame's file ------------------------------------------------------------- */

/* Pipes and devices take one frame after the other; a folder, or nothing, takes none. */
static bool is_special(const char *path)
{
    struct stat information;
    return !*path || (stat(path, &information) == 0 && !S_ISREG(information.st_mode));
}

/* Where the number goes, and how many characters make way for it: a run of # in the file's name,
 * else nothing before its extension.
 */
static const char *number_place(const char *path, size_t *width)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *place = strchr(name, '#'), *dot = strrchr(name, '.');
    *width = place ? strspn(place, "#") : 0;
    return place ? place : dot && dot != name ? dot : name + strlen(name);
}

/* "out/man.obj" becomes "out/man.0007.obj", and "out/man_###.obj" "out/man_007.obj". */
static void name_frame(pose_job *job, uint32_t frame)
{
    size_t width;
    const char *place = number_place(job->path, &width);
    if (!job->options.times.given || is_special(job->path))
        snprintf(job->frame_path, job->frame_path_size, "%s", job->path);
    else if (width)
        snprintf(job->frame_path, job->frame_path_size, "%.*s%0*u%s", (int)(place - job->path),
                 job->path, (int)width, frame, place + width);
    else
        snprintf(job->frame_path, job->frame_path_size, "%.*s.%04u%s", (int)(place - job->path),
                 job->path, frame, place);
}

/* ---- frames ------------------------------------------------------------------------------- */

static bool write_frame(pose_job *job)
{
    const graze_rig *rig = job->character.rig;
    graze_error error;
    if (!instance_pose(&job->instance))
        return false;
    graze_body_get_positions(job->instance.body, job->positions);
    output_begin_file(job->frame_path);
    graze_status status = graze_obj_save(job->frame_path, job->positions, rig->vertex_count,
                                         rig->triangles, rig->triangle_count, &error);
    output_end_file();
    if (status)
        fail_usage("%s", error.text);
    return !status;
}

static void print_frame(const pose_job *job, uint32_t frame, double time)
{
    const graze_rig *rig = job->character.rig;
    if (!job->options.json) {
        printf("%s: %u vertices, %u triangles\n", job->frame_path, rig->vertex_count,
               rig->triangle_count);
        return;
    }
    printf("{\"file\":");
    print_json_string(job->frame_path);
    printf(",\"vertices\":%u,\"triangles\":%u", rig->vertex_count, rig->triangle_count);
    printf(",\"frame\":%u,\"time\":", frame);
    print_json_number(time);
    puts("}");
}

static int run_frames(pose_job *job)
{
    uint32_t frames = frame_count(&job->options);
    struct progress progress = progress_start("pose");
    int code = 0;
    for (uint32_t frame = 0; code == 0 && frame < frames; frame++) {
        double time = frame_time(&job->options, frame);
        name_frame(job, frame);
        if (!instance_sample(&job->instance, time) || !write_frame(job)) {
            code = 2;
            break;
        }
        output_begin();
        print_frame(job, frame, time);
        if (!output_end())
            break;
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    return code;
}

static int run_job(pose_job *job)
{
    if (!instance_open(&job->instance, &job->character, &job->options, INSTANCE_SECOND))
        return 2;
    cast_list cast = {{&job->instance}, 1};
    if (!frames_settle(&job->options, &cast))
        return 2;
    job->frame_path_size = strlen(job->path) + 16;
    job->frame_path = malloc(job->frame_path_size);
    job->positions = malloc(3 * sizeof *job->positions * job->character.rig->vertex_count);
    if (!job->frame_path || !job->positions)
        return fail_usage("out of memory");
    frames_warn(&job->options, &cast);
    return run_frames(job);
}

/* ---- the command -------------------------------------------------------------------------- */

static int run(int argc, char **argv)
{
    pose_job job = {.options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&pose_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (!job.path)
        return fail_usage("pose: no -o OUT.obj given (see graze help pose)");
    if (job.options.skin_b >= 0)
        job.options.skin = job.options.skin_b;
    if (!character_load(&job.character, given.names[0], &job.options))
        return 2;
    int code = run_job(&job);
    free(job.frame_path);
    free(job.positions);
    instance_close(&job.instance);
    character_free(&job.character);
    return code;
}

static const struct option rows[] = {
    {"-o", "OUT.obj", OPTION_FILE, offsetof(pose_job, path),
     "the file to write; with --times one a frame: OUT.0000.obj, OUT.0001.obj"},
    JSON_ROW(pose_job),
    MODEL_ROWS(pose_job),
    PLACED_ROWS(pose_job)};

const struct command pose_command = {
    .name = "pose",
    .summary = "write a posed model as OBJ, the very floats that queries use",
    .usage = "MODEL [options] -o OUT.obj",
    .about =
        "Writes every vertex (%.9g: the exact floats that queries use) and triangle as OBJ,\n"
        "placed as collide places its second instance with the same options. With --times there\n"
        "is a file for each frame, its number before the extension or in the place of ####.",
    .example = "graze pose man.glb --times all -o man.obj",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
