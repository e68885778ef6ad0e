#include "cli/character.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/gltf.h>

#include <stdio.h>
#include <stdlib.h>

static int write_pose(struct character *character, const model_options *options, const char *path)
{
    struct instance instance;
    graze_error error;
    if (!instance_open(&instance, character, options, INSTANCE_SECOND))
        return 2;
    float *positions = malloc(3 * sizeof *positions * character->rig->vertex_count);
    int code = 2;
    if (!positions) {
        fail_usage("out of memory");
    } else if (instance_sample(&instance, options->time) && instance_pose(&instance)) {
        graze_body_get_positions(instance.body, positions);
        output_begin_file(path);
        graze_status status =
            graze_obj_save(path, positions, character->rig->vertex_count, character->rig->triangles,
                           character->rig->triangle_count, &error);
        output_end_file();
        code = status ? fail_usage("%s", error.text) : 0;
    }
    free(positions);
    instance_close(&instance);
    return code;
}

typedef struct pose_job {
    model_options options;
    const char *path;
} pose_job;

static int run(int argc, char **argv)
{
    pose_job job = {.options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&pose_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (!job.path)
        return fail_usage("pose: no -o OUT.obj given (see graze help pose)");
    if (job.options.times.given)
        return fail_usage("pose: one frame a file: use --time, not --times");
    struct character character;
    if (job.options.skin_b >= 0)
        job.options.skin = job.options.skin_b;
    if (!character_load(&character, given.names[0], &job.options))
        return 2;
    int code = write_pose(&character, &job.options, job.path);
    if (code == 0 && job.options.json) {
        printf("{\"file\":");
        print_json_string(job.path);
        printf(",\"vertices\":%u,\"triangles\":%u}\n", character.rig->vertex_count,
               character.rig->triangle_count);
    } else if (code == 0) {
        printf("%s: %u vertices, %u triangles\n", job.path, character.rig->vertex_count,
               character.rig->triangle_count);
    }
    character_free(&character);
    return code;
}

static const struct option rows[] = {
    {"-o", "OUT.obj", OPTION_FILE, offsetof(pose_job, path), "the file to write"},
    JSON_ROW(pose_job),
    MODEL_ROWS(pose_job),
    PLACED_ROWS(pose_job)};

const struct command pose_command = {
    .name = "pose",
    .summary = "write a posed model as OBJ, the very floats that queries use",
    .usage = "MODEL [options] -o OUT.obj",
    .about = "Writes every vertex (%.9g: the exact floats that queries use) and triangle as OBJ,\n"
             "placed as collide places its second instance with the same options.",
    .example = "graze pose man.glb --time 0.5 -o man.obj",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
