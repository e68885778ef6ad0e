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

int command_pose(int argc, char **argv)
{
    model_options options = {.skin_b = -1};
    const char *names[1], *path = NULL;
    const struct option rows[] = {{"-o", "OUT.obj", OPTION_TEXT, &path, "the file to write"},
                                  MODEL_OPTION_ROWS(options),
                                  PLACING_OPTION_ROWS(options)};
    command_line line = {.command = "pose",
                         .usage = "MODEL [options] -o OUT.obj",
                         .summary = "Writes every vertex (%.9g: the exact floats that queries use) "
                                    "and triangle as OBJ,\nplaced as collide places its second "
                                    "instance with the same options.",
                         .options = rows,
                         .option_count = COUNT_OF(rows),
                         .positionals = names,
                         .positional_limit = 1};
    parse_result parsed = parse_options(&line, argc, argv);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (line.positional_count != 1 || !path)
        return fail_usage("pose: %s (see graze pose --help)",
                          path ? "no model given" : "no -o OUT.obj given");
    if (options.times.given)
        return fail_usage("pose: one frame a file: use --time, not --times");
    struct character character;
    if (options.skin_b >= 0)
        options.skin = options.skin_b;
    if (!character_load(&character, names[0], &options))
        return 2;
    int code = write_pose(&character, &options, path);
    if (code == 0 && options.json) {
        printf("{\"file\":");
        print_json_string(path);
        printf(",\"vertices\":%u,\"triangles\":%u}\n", character.rig->vertex_count,
               character.rig->triangle_count);
    } else if (code == 0) {
        printf("%s: %u vertices, %u triangles\n", path, character.rig->vertex_count,
               character.rig->triangle_count);
    }
    character_free(&character);
    return code;
}
