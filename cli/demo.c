/* graze demo: a built-in scene, and the page that shows it. */
#include "cli/demo.h"
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/list.h"
#include "cli/print.h"
#include "cli/report.h"
#include "cli/text.h"
#include "scenes/scene.h"
#include "scenes/stage.h"

#include <stdio.h>
#include <string.h>

/* ---- the page ----------------------------------------------------------------------------- */

/* Names for the bodies of a scene, which a report needs. */
static bool begin_report(struct report *page, struct stage *stage, struct character characters[2])
{
    report_def def = {.command = "collide",
                      .title = stage_description(stage),
                      .body_count = 2,
                      .frame_count = stage->scene->frame_count};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t rig = stage->scene->instances[i].rig;
        characters[rig] = (struct character){.name = stage->scene->name,
                                             .rig = stage->scene->rigs[rig],
                                             .model = stage->models[0][rig],
                                             .parts = characters[rig].parts};
        graze_error error;
        if (!characters[rig].parts &&
            graze_rig_part_names(characters[rig].rig, GRAZE_PARTS_BY_JOINT, NULL, NULL,
                                 &characters[rig].parts, &error))
            return refuse("%s", error.text);
        def.bodies[i].character = &characters[rig];
    }
    return report_begin(page, &def);
}

/* All frames once more: what is measured is not to wait for a file. */
static bool write_frames(struct report *page, struct stage *stage)
{
    item_list pairs = {0};
    bool well = true;
    for (uint32_t f = 0; well && f < stage->scene->frame_count; f++) {
        report_pose poses[2];
        well = stage_frame(stage, f);
        stage_pose(stage, 0);
        for (uint32_t i = 0; i < 2; i++) {
            poses[i] = (report_pose){.body = stage->bodies[0][i],
                                     .joints = stage->joints[i],
                                     .morph_weights = stage->weights[i]};
            memcpy(poses[i].placement, stage->placements[i], sizeof poses[i].placement);
        }
        graze_pair_list found = list_of_pairs(&pairs);
        pairs.count = 0;
        graze_pairs(poses[0].body, poses[1].body, &found, NULL, NULL);
        list_sort(&pairs, sizeof(graze_pair), 2);
        well = well && report_take_poses(page, f * stage->scene->frame_seconds, poses) &&
               report_take_pairs(page, poses, pairs.items, pairs.count);
    }
    list_free(&pairs);
    report_end(page);
    return well;
}

static int write_report(struct report *page, struct stage *stage)
{
    struct character characters[2] = {{.name = NULL}, {.name = NULL}};
    if (!page)
        return 0;
    bool well = begin_report(page, stage, characters) && write_frames(page, stage);
    for (int i = 0; i < 2; i++)
        graze_part_names_destroy(characters[i].parts);
    return well ? 0 : 2;
}

/* ---- the command -------------------------------------------------------------------------- */

/* Scenes that an engine moves. */
static int run_physics(const demo_job *job, const char *name)
{
    if (job->report)
        return fail_usage("demo: --report needs a scene of two bodies, which %s is not; -o OUT.glb "
                          "saves it",
                          name);
    if (strcmp(name, "ragdoll") == 0)
        return demo_ragdoll(job);
    if (!(job->seconds > 0 && job->seconds <= 3600))
        return fail_usage("demo: --seconds %g is not above 0 and at most 3600", job->seconds);
    if (job->players > 11)
        return fail_usage("demo: --players %u: a team has at most 11", job->players);
    return demo_soccer(job);
}

static int run(void *task, const arguments *given)
{
    demo_job *job = task;
    const char *name = given->name_count ? given->names[0] : "men";
    if (strcmp(name, "ragdoll") == 0 || strcmp(name, "soccer") == 0)
        return run_physics(job, name);
    if (job->out || job->threads || job->capsules)
        return fail_usage(
            "demo: -o, --threads and --capsules are for ragdoll and soccer, not for %s", name);
    graze_tree_def tree = {0};
    struct stage stage;
    struct report *page;
    if (!report_open(&page, job->report))
        return 2;
    note("making the scene");
    bool opened = stage_open(&stage, name, &tree, 1);
    note_done();
    int code = opened ? 0 : 2;
    if (opened && page && stage.body_count != 2)
        code = fail_usage("demo: --report takes a scene of two bodies, and %s has %u", name,
                          stage.body_count);
    if (code == 0)
        code = write_report(page, &stage);
    if (code == 0 && page && !job->json)
        say("%s shows what follows: open it in a browser. It needs no network.\n\n", job->report);
    report_free(page);
    if (code == 0)
        code = demo_play(&stage, name, job->json);
    if (opened)
        stage_close(&stage);
    return code;
}

static const char *scene_at(size_t index)
{
    uint32_t count = graze_scene_count();
    static const char *const moved[] = {"ragdoll", "soccer"};
    return index < count       ? graze_scene_name((uint32_t)index)
           : index < count + 2 ? moved[index - count]
                               : NULL;
}

static const struct option rows[] = {
    {"--json", NULL, OPTION_FLAG, AT(demo_job, json),
     "one JSON object per line on standard output"},
    NO_TIMES_ROW,
    {"--report", "OUT.html", OPTION_FILE, AT(demo_job, report),
     "write a page there to look at in a browser; it needs no network"},
    {"-o", "OUT.glb", OPTION_GLB, AT(demo_job, out),
     "of ragdoll and soccer: save what happened there, to be played elsewhere"},
    {"--threads", "N", OPTION_COUNT, AT(demo_job, threads),
     "of ragdoll and soccer: look for contacts with so many threads; the same comes out"},
    {"--seconds", "S", OPTION_NUMBER, AT(demo_job, seconds),
     "of soccer: how long they play (default 60)"},
    {"--players", "N", OPTION_COUNT, AT(demo_job, players),
     "of soccer: how many a team has (default 11)"},
    {"--capsules", NULL, OPTION_FLAG, AT(demo_job, capsules),
     "of soccer: players are met as their capsules, not their triangles, to compare"}};

const struct command demo_command = {
    .name = "demo",
    .summary = "a built-in scene: what touches, and how little it takes to know",
    .usage = "[SCENE] [options]",
    .about =
        "Plays a built-in scene and says which body parts touch and when, how much was computed "
        "to\n"
        "know, and how long it took against skinning and refitting everything.\n"
        "Scenes: men (default), creatures, crowd, and others that benchmarks use; ragdoll: a man\n"
        "falls down a flight of stairs; soccer: two teams play. Both are told in words (libode).",
    .example = "graze demo creatures",
    OPTIONS(rows),
    JOB(demo_job, .seconds = 60, .players = 11),
    .what = "scene",
    .most_names = 1,
    .name_at = scene_at,
    .run = run};
