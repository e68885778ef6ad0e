/* A posed model as OBJ: one file, or one a frame. */
#include "cli/output.h"
#include "cli/query.h"
#include "cli/room.h"

#include <graze/gltf.h>

#include <sys/stat.h>

typedef struct pose_job {
    query_job base;
    const char *path;
    float *positions;
    char *frame_path; /* of the frame at hand */
    size_t frame_path_size;
    uint32_t vertices, triangles;
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
    if (!job->base.options.times.given || is_special(job->path))
        snprintf(job->frame_path, job->frame_path_size, "%s", job->path);
    else if (width)
        snprintf(job->frame_path, job->frame_path_size, "%.*s%0*u%s", (int)(place - job->path),
                 job->path, (int)width, frame, place + width);
    else
        snprintf(job->frame_path, job->frame_path_size, "%.*s.%04u%s", (int)(place - job->path),
                 job->path, frame, place);
}

/* ---- frames ------------------------------------------------------------------------------- */

static graze_status write_frame(void *task, graze_error *error)
{
    pose_job *job = task;
    const graze_rig *rig = job->base.characters.of[0]->rig;
    name_frame(job, (uint32_t)job->base.frame);
    graze_body_get_positions(job->base.bodies[0], job->positions);
    output_begin_file(job->frame_path);
    graze_status status =
        graze_obj_save(output_place(job->frame_path), job->positions, rig->vertex_count,
                       rig->triangles, rig->triangle_count, error);
    output_end_file();
    return status;
}

static void fail_frame(const void *task, const char *text)
{
    output_fail(((const pose_job *)task)->frame_path, text);
}

static bool open_frames(void *task)
{
    pose_job *job = task;
    const graze_rig *rig = job->base.characters.of[0]->rig;
    job->vertices = rig->vertex_count;
    job->triangles = rig->triangle_count;
    job->frame_path_size = strlen(job->path) + 16;
    job->frame_path = room(job->frame_path_size, 1);
    job->positions = room(rig->vertex_count, 3 * sizeof *job->positions);
    return true;
}

static void close_job(void *task)
{
    pose_job *job = task;
    free(job->frame_path);
    free(job->positions);
}

/* ---- the command -------------------------------------------------------------------------- */

static bool check(void *task, const arguments *given)
{
    const pose_job *job = task;
    bool many = job->base.options.times.given;
    (void)given;
    if (!job->path)
        fail_usage("pose: no -o OUT.obj given (see graze help pose)");
    else if (many && strcmp(job->path, "-") == 0)
        fail_usage("pose: -o - is one file, and --times makes one a frame");
    return job->path && !fail_was_told() && (many || output_open(job->path));
}

static const struct field fields[] = {
    {"file", NULL, "%s", FIELD_TEXT, AT(pose_job, frame_path)},
    {"vertices", NULL, ": %u vertices", FIELD_INDEX, AT(pose_job, vertices)},
    {"triangles", NULL, ", %u triangles", FIELD_INDEX, AT(pose_job, triangles)},
    {"frame", NULL, NULL, FIELD_COUNT, OF_JOB(frame)},
    {"time", NULL, NULL, FIELD_NUMBER, OF_JOB(time)}};

static const struct option rows[] = {
    {"-o", "OUT.obj", OPTION_FILE, AT(pose_job, path),
     "the file to write; with --times one a frame: OUT.0000.obj, OUT.0001.obj"},
    JSON_ROWS,
    MODEL_ROWS,
    PLACED_ROWS};

const struct command pose_command = {
    .name = "pose",
    .summary = "write a posed model as OBJ, the very floats that queries use",
    .usage = "MODEL [options] -o OUT.obj",
    .about =
        "Writes every vertex (%.9g: the exact floats that queries use) and triangle as OBJ,\n"
        "placed as collide places its second instance with the same options. With --times there\n"
        "is a file for each frame, its number before the extension or in the place of ####.",
    .example = "graze pose man.glb --times all -o man.obj",
    OPTIONS(rows),
    JOB(pose_job, .base = QUERY_DEFAULTS),
    QUERY(.body_count = 1, .role = INSTANCE_ALONE, FIELDS(fields), .check = check,
          .open = open_frames, .ask = {write_frame}, .fail = fail_frame, .close = close_job),
    ONE_MODEL};
