#include "scenes/synth.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/print.h"

#include <graze/gltf.h>

#include <stdio.h>

static void list_kinds(void)
{
    for (int kind = 0; kind < GRAZE_SYNTH_KIND_COUNT; kind++)
        printf("  %-13s %s\n", graze_synth_name((graze_synth_kind)kind),
               graze_synth_description((graze_synth_kind)kind));
}

int command_synth(int argc, char **argv)
{
    graze_synth_def def = {0};
    const char *names[1], *path = NULL;
    bool json = false, list = false;
    const struct option rows[] = {
        {"-o", "OUT.glb", OPTION_TEXT, &path, "the file to write"},
        {"--triangles", "N", OPTION_COUNT, &def.triangles, "about so many (default: the kind's)"},
        {"--subdivide", "N", OPTION_COUNT, &def.subdivisions, "cut every triangle in 4, N times"},
        {"--list", NULL, OPTION_FLAG, &list, "list the kinds"},
        {"--json", NULL, OPTION_FLAG, &json, "one JSON object per line on standard output"}};
    command_line line = {
        .command = "synth",
        .usage = "KIND [options] -o OUT.glb",
        .summary =
            "Writes a procedural model as GLB: man, creature or dwarf (skinned), robot or\n"
            "robot-skinned (hundreds of loose shells), curtain or chair (morphing), or ball.",
        .options = rows,
        .option_count = COUNT_OF(rows),
        .positionals = names,
        .positional_limit = 1};
    parse_result parsed = parse_options(&line, argc, argv);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (list) {
        list_kinds();
        return 0;
    }
    if (line.positional_count != 1 || !path)
        return fail_usage("synth: %s (see graze synth --help)",
                          path ? "no kind given" : "no -o OUT.glb given");
    if (!graze_synth_find(names[0], &def.kind))
        return fail_usage("synth: there is no kind %s (see graze synth --list)", names[0]);
    graze_error error;
    graze_rig *rig = NULL;
    note("making the model");
    graze_status status = graze_synth(&def, NULL, &rig, &error);
    note_done();
    if (status)
        return fail_usage("synth: %s", error.text);
    output_begin_file(path);
    status = graze_gltf_save(rig, path, &error);
    output_end_file();
    int code = status ? fail_usage("%s", error.text) : 0;
    if (code == 0)
        printf(json ? "{\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"clips\":%u}\n"
                    : "%u vertices, %u triangles, %u joints, %u clips\n",
               rig->vertex_count, rig->triangle_count, rig->joint_count, rig->clip_count);
    graze_rig_destroy(rig);
    return code;
}
