#include "scenes/synth.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/save.h"
#include "cli/text.h"

#include <stdio.h>

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
    bool saved = rig_save(rig, job->path);
    if (saved)
        printf(job->json ? "{\"vertices\":%u,\"triangles\":%u,\"joints\":%u,\"clips\":%u}\n"
                         : "%u vertices, %u triangles, %u joints, %u clips\n",
               rig->vertex_count, rig->triangle_count, rig->joint_count, rig->clip_count);
    graze_rig_destroy(rig);
    return saved ? 0 : 2;
}

static int run(void *task, const arguments *given)
{
    synth_job *job = task;
    if (job->list) {
        for (int kind = 0; kind < GRAZE_SYNTH_KIND_COUNT; kind++)
            say("  %-13s %s\n", graze_synth_name((graze_synth_kind)kind),
                graze_synth_description((graze_synth_kind)kind));
        return 0;
    }
    if (given->name_count != 1 || !job->path)
        return fail_usage("synth: %s (see graze help synth)",
                          given->name_count ? "no -o OUT.glb given" : "no kind given");
    graze_synth_find(given->names[0], &job->def.kind);
    return write_model(job);
}

static const char *kind_at(size_t index)
{
    return index < GRAZE_SYNTH_KIND_COUNT ? graze_synth_name((graze_synth_kind)index) : NULL;
}

static const struct option rows[] = {
    {"-o", "OUT.glb", OPTION_GLB, AT(synth_job, path), "the file to write"},
    {"--triangles", "N", OPTION_COUNT, AT(synth_job, def.triangles),
     "about so many (default: the kind's)"},
    {"--subdivide", "N", OPTION_COUNT, AT(synth_job, def.subdivisions),
     "cut every triangle in 4, N times"},
    {"--list", NULL, OPTION_FLAG, AT(synth_job, list), "list the kinds"},
    {"--json", NULL, OPTION_FLAG, AT(synth_job, json),
     "one JSON object per line on standard output"},
    NO_TIMES_ROW};

const struct command synth_command = {
    .name = "synth",
    .summary = "write a procedural model as GLB",
    .usage = "KIND [options] -o OUT.glb",
    .about =
        "Writes a procedural model as GLB: man, player, creature or dwarf (skinned), robot or\n"
        "robot-skinned (hundreds of loose shells), curtain or chair (morphing), or ball.",
    .example = "graze synth man -o man.glb",
    OPTIONS(rows),
    JOB(synth_job, .list = false),
    .what = "kind",
    .most_names = 1,
    .name_at = kind_at,
    .run = run};
