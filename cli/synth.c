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

typedef struct synth_job {
    graze_synth_def def;
    const char *path;
    bool json, list;
} synth_job;

static int write_model(const synth_job *job)
{
    graze_error error;
    graze_rig *rig = NULL;
    note("making the model");
    graze_status status = graze_synth(&job->def, NULL, &rig, &error);
    note_done();
    if (status)
        return fail_usage("synth: %s", error.text);
    output_begin_file(job->path);
    status = graze_gltf_save(rig, job->path, &error);
    output_end_file();
    int code = status ? fail_usage("%s", error.text) : 0;
    if (code == 0)
        printf(job->json ? "{\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"clips\":%u}\n"
                         : "%u vertices, %u triangles, %u joints, %u clips\n",
               rig->vertex_count, rig->triangle_count, rig->joint_count, rig->clip_count);
    graze_rig_destroy(rig);
    return code;
}

static int run(int argc, char **argv)
{
    synth_job job = {.list = false};
    arguments given;
    parse_result parsed = parse_options(&synth_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (job.list) {
        list_kinds();
        return 0;
    }
    if (given.name_count != 1 || !job.path)
        return fail_usage("synth: %s (see graze help synth)",
                          given.name_count ? "no -o OUT.glb given" : "no kind given");
    graze_synth_find(given.names[0], &job.def.kind);
    return write_model(&job);
}

static const char *kind_at(size_t index)
{
    return index < GRAZE_SYNTH_KIND_COUNT ? graze_synth_name((graze_synth_kind)index) : NULL;
}

static const struct option rows[] = {
    {"-o", "OUT.glb", OPTION_FILE, offsetof(synth_job, path), "the file to write"},
    {"--triangles", "N", OPTION_COUNT, offsetof(synth_job, def.triangles),
     "about so many (default: the kind's)"},
    {"--subdivide", "N", OPTION_COUNT, offsetof(synth_job, def.subdivisions),
     "cut every triangle in 4, N times"},
    {"--list", NULL, OPTION_FLAG, offsetof(synth_job, list), "list the kinds"},
    {"--json", NULL, OPTION_FLAG, offsetof(synth_job, json),
     "one JSON object per line on standard output"}};

const struct command synth_command = {
    .name = "synth",
    .summary = "write a procedural model as GLB",
    .usage = "KIND [options] -o OUT.glb",
    .about =
        "Writes a procedural model as GLB: man, player, creature or dwarf (skinned), robot or\n"
        "robot-skinned (hundreds of loose shells), curtain or chair (morphing), or ball.",
    .example = "graze synth man -o man.glb",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "kind",
    .most_names = 1,
    .name_at = kind_at,
    .run = run};
