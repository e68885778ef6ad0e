/* A built-in scene, frame by frame: what touches, and what it cost to know. */
#include "cli/character.h"
#include "cli/commands.h"
#include "cli/demo_physics.h"
#include "cli/output.h"
#include "cli/pairs.h"
#include "cli/parts.h"
#include "cli/print.h"
#include "cli/report.h"
#include "scenes/scene.h"
#include "scenes/stage.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_PARTS 3

typedef struct demo_frame {
    size_t pairs;
    double lazy_us, eager_us;
    graze_stats stats;
    char parts[160];
} demo_frame;

typedef struct touching {
    uint32_t a, b; /* body parts */
    uint32_t count;
} touching;

static const char *name_of_part(const struct stage *stage, uint32_t body, uint32_t part)
{
    const graze_rig *rig = stage->scene->rigs[stage->scene->instances[body].rig];
    const char *name = rig->nodes[rig->joints[part].node].name;
    return name ? name : "?";
}

static int most_first(const void *left, const void *right)
{
    const touching *x = left, *y = right;
    return x->count > y->count ? -1 : x->count < y->count;
}

/* Names the body parts that touch most, "hand.L-forearm.R, ..." and how many more there are. */
static void name_parts(const struct stage *stage, uint32_t a, uint32_t b, const pair_list *pairs,
                       char *text, size_t size)
{
    touching found[64];
    uint32_t count = 0, used = 0;
    const graze_model *model_a = graze_body_model(stage->bodies[0][a]);
    const graze_model *model_b = graze_body_model(stage->bodies[0][b]);
    for (size_t i = 0; i < pairs->count; i++) {
        uint32_t part_a = graze_model_triangle_group(model_a, pairs->pairs[i].a);
        uint32_t part_b = graze_model_triangle_group(model_b, pairs->pairs[i].b);
        uint32_t k = 0;
        while (k < count && (found[k].a != part_a || found[k].b != part_b))
            k++;
        if (k == count && count < COUNT_OF(found))
            found[count++] = (touching){part_a, part_b, 0};
        if (k < count)
            found[k].count++;
    }
    qsort(found, count, sizeof *found, most_first);
    for (uint32_t k = 0; k < count && k < SHOWN_PARTS; k++)
        used += (uint32_t)snprintf(text + used, used < size ? size - used : 0, "%s%s-%s",
                                   k ? ", " : "", name_of_part(stage, a, found[k].a),
                                   name_of_part(stage, b, found[k].b));
    if (count > SHOWN_PARTS && used < size)
        snprintf(text + used, size - used, " and %u more", count - SHOWN_PARTS);
}

/* Runs one frame both ways over all pairs of bodies, the faster of a few runs each. */
static bool run_frame(struct stage *stage, uint32_t number, demo_frame *frame)
{
    enum { RUNS = 5 };
    graze_body **bodies = stage->bodies[0];
    *frame = (demo_frame){.lazy_us = INFINITY, .eager_us = INFINITY};
    if (!stage_frame(stage, number))
        return false;
    for (int run = 0; run < RUNS; run++) {
        pair_list all = {0}, pairs = {0};
        graze_stats stats = {0}, unwanted = {0};
        size_t eager = 0;
        double start = now_us();
        stage_pose(stage, 0);
        for (uint32_t a = 0; a < stage->body_count; a++)
            for (uint32_t b = a + 1; b < stage->body_count; b++) {
                pairs.count = 0;
                graze_collide(bodies[a], bodies[b], pair_list_take, &pairs, &stats, NULL);
                all.count += pairs.count;
                if (run == 0 && pairs.count && !frame->parts[0])
                    name_parts(stage, a, b, &pairs, frame->parts, sizeof frame->parts);
            }
        double lazy_end = now_us();
        stage_pose(stage, 0);
        for (uint32_t b = 0; b < stage->body_count; b++)
            graze_body_refit_all(bodies[b]);
        for (uint32_t a = 0; a < stage->body_count; a++)
            for (uint32_t b = a + 1; b < stage->body_count; b++)
                graze_collide(bodies[a], bodies[b], stage_count, &eager, &unwanted, NULL);
        frame->lazy_us = fmin(frame->lazy_us, lazy_end - start);
        frame->eager_us = fmin(frame->eager_us, now_us() - lazy_end);
        frame->stats = stats;
        frame->pairs = all.count;
        bool same = eager == all.count && !pairs.failed;
        pair_list_free(&pairs);
        if (!same) {
            fail_usage("demo: frame %u: lazy finds %zu pairs, bottom-up %zu", number, frame->pairs,
                       eager);
            return false;
        }
    }
    return true;
}

static void print_frame(bool json, uint32_t number, double seconds, const demo_frame *frame,
                        uint32_t all_nodes)
{
    if (json) {
        printf("{\"frame\":%u,\"time\":%.4f,\"count\":%zu,\"parts\":", number, seconds,
               frame->pairs);
        print_json_string(frame->parts);
        printf(",\"lazy_us\":%.2f,\"bottom_up_us\":%.2f,\"nodes_refit\":%llu,\"nodes\":%u}\n",
               frame->lazy_us, frame->eager_us, (unsigned long long)frame->stats.nodes_refit,
               all_nodes);
        return;
    }
    printf("%5u %7.3f %6zu %9.1f %10.1f %8.1fx %8llu of %-6u %6llu  %s\n", number, seconds,
           frame->pairs, frame->lazy_us, frame->eager_us, frame->eager_us / frame->lazy_us,
           (unsigned long long)frame->stats.nodes_refit, all_nodes,
           (unsigned long long)frame->stats.patches_posed, frame->parts);
}

static int play(struct stage *stage, const char *name, bool json)
{
    uint32_t nodes = 0, triangles = 0, hit_frames = 0, frames = stage->scene->frame_count;
    double lazy = 0, eager = 0, refitted = 0;
    struct progress progress = progress_start(name);
    for (uint32_t b = 0; b < stage->body_count; b++) {
        graze_model_info info = graze_model_get_info(graze_body_model(stage->bodies[0][b]));
        nodes += info.node_count;
        triangles += info.triangle_count;
    }
    if (!json)
        printf("%s: %u bodies, %u triangles, %u frames. Every answer is exact, from the pose "
               "alone.\n\n%5s %7s %6s %9s %10s %9s %18s %6s  %s\n",
               name, stage->body_count, triangles, frames, "frame", "time s", "pairs", "lazy us",
               "bottom-up", "faster", "bounds refitted", "posed", "body parts that touch");
    for (uint32_t f = 0; f < frames; f++) {
        demo_frame frame;
        if (!run_frame(stage, f, &frame))
            return 2;
        lazy += frame.lazy_us;
        eager += frame.eager_us;
        refitted += (double)frame.stats.nodes_refit;
        hit_frames += frame.pairs > 0;
        output_begin();
        print_frame(json, f, f * stage->scene->frame_seconds, &frame, nodes);
        if (!output_end())
            break;
        if (json)
            progress_show(&progress, f + 1, frames);
    }
    progress_end(&progress);
    if (!json)
        printf("\n%u of %u frames with contact. Lazy %.1f us a frame, skinning and refitting all "
               "%.1f us: %.1f times faster.\nOf %u bounds %.1f were refitted a frame (%.1f %%). "
               "Both ways gave the same pairs in every frame.\n",
               hit_frames, frames, lazy / frames, eager / frames, eager / lazy, nodes,
               refitted / frames, 100 * refitted / frames / nodes);
    return 0;
}

/* ---- the page ----------------------------------------------------------------------------- */

/* Names for the bodies of a scene, which a report needs. */
static bool begin_report(struct report *page, struct stage *stage, struct character characters[2])
{
    const char *title = stage->scene->name;
    for (uint32_t i = 0; i < graze_scene_count(); i++)
        if (strcmp(graze_scene_name(i), title) == 0)
            title = graze_scene_description(i);
    report_def def = {.command = "collide",
                      .title = title,
                      .body_count = 2,
                      .frame_count = stage->scene->frame_count};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t rig = stage->scene->instances[i].rig;
        characters[rig] = (struct character){.name = stage->scene->name,
                                             .rig = stage->scene->rigs[rig],
                                             .model = stage->models[0][rig],
                                             .parts = characters[rig].parts};
        graze_error error;
        if (!characters[rig].parts && graze_rig_parts(characters[rig].rig, GRAZE_PARTS_BY_JOINT,
                                                      NULL, NULL, &characters[rig].parts, &error)) {
            fail_usage("%s", error.text);
            return false;
        }
        def.bodies[i].character = &characters[rig];
    }
    return report_begin(page, &def);
}

/* All frames once more: what is measured is not to wait for a file. */
static bool write_frames(struct report *page, struct stage *stage)
{
    pair_list pairs = {0};
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
        pairs.count = 0;
        graze_collide(poses[0].body, poses[1].body, pair_list_take, &pairs, NULL, NULL);
        pair_list_sort(&pairs);
        well = well && !pairs.failed &&
               report_take_poses(page, f * stage->scene->frame_seconds, poses) &&
               report_take_pairs(page, poses, pairs.pairs, pairs.count);
    }
    pair_list_free(&pairs);
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
        graze_parts_destroy(characters[i].parts);
    return well ? 0 : 2;
}

/* ---- the command -------------------------------------------------------------------------- */

typedef struct demo_job {
    bool json;
    const char *report; /* NULL: none */
    const char *out;    /* likewise */
    uint32_t threads;
    double seconds;
    uint32_t players;
    bool capsules;
} demo_job;

/* Scenes that an engine moves. */
static int run_physics(const demo_job *job, const char *name)
{
    if (job->report)
        return fail_usage("demo: --report takes a scene of two bodies, and %s is none; -o OUT.glb "
                          "saves it",
                          name);
    physics_job physics = {.json = job->json,
                           .out = job->out,
                           .threads = job->threads,
                           .seconds = job->seconds,
                           .players = job->players,
                           .capsules = job->capsules};
    if (strcmp(name, "ragdoll") == 0)
        return demo_ragdoll(&physics);
    if (!(job->seconds > 0 && job->seconds <= 3600))
        return fail_usage("demo: --seconds %g is not above 0 and at most 3600", job->seconds);
    if (job->players > 11)
        return fail_usage("demo: --players %u: a team has at most 11", job->players);
    return demo_soccer(&physics);
}

static int run(int argc, char **argv)
{
    demo_job job = {.seconds = 60, .players = 11};
    arguments given;
    parse_result parsed = parse_options(&demo_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    const char *name = given.name_count ? given.names[0] : "men";
    if (strcmp(name, "ragdoll") == 0 || strcmp(name, "soccer") == 0)
        return run_physics(&job, name);
    if (job.out || job.threads || job.capsules)
        return fail_usage(
            "demo: -o, --threads and --capsules are for ragdoll and soccer, not for %s", name);
    graze_tree_def tree = graze_default_tree_def();
    struct stage stage;
    struct report *page;
    if (!report_open(&page, job.report))
        return 2;
    note("making the scene");
    bool opened = stage_open(&stage, name, &tree, 1);
    note_done();
    int code = opened ? 0 : 2;
    if (opened && page && stage.body_count != 2)
        code = fail_usage("demo: --report takes a scene of two bodies, and %s has %u", name,
                          stage.body_count);
    if (code == 0)
        code = play(&stage, name, job.json);
    if (code == 0)
        code = write_report(page, &stage);
    if (opened)
        stage_close(&stage);
    if (code == 0 && page && !job.json)
        printf("\n%s shows it: open it in a browser. It needs no network.\n", job.report);
    report_free(page);
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
    {"--json", NULL, OPTION_FLAG, offsetof(demo_job, json),
     "one JSON object per line on standard output"},
    {"--report", "OUT.html", OPTION_FILE, offsetof(demo_job, report),
     "write a page there to look at in a browser; it needs no network"},
    {"-o", "OUT.glb", OPTION_FILE, offsetof(demo_job, out),
     "of ragdoll and soccer: save what happened there, to be played elsewhere"},
    {"--threads", "N", OPTION_COUNT, offsetof(demo_job, threads),
     "of ragdoll and soccer: look for contacts with so many threads; the same comes out"},
    {"--seconds", "S", OPTION_NUMBER, offsetof(demo_job, seconds),
     "of soccer: how long they play (default 60)"},
    {"--players", "N", OPTION_COUNT, offsetof(demo_job, players),
     "of soccer: how many a team has (default 11)"},
    {"--capsules", NULL, OPTION_FLAG, offsetof(demo_job, capsules),
     "of soccer: players are met as their capsules, not their triangles, to compare"}};

const struct command demo_command = {
    .name = "demo",
    .summary = "a built-in scene: lazy against eager, frame by frame",
    .usage = "[SCENE] [options]",
    .about =
        "Plays a built-in scene: which triangles and body parts touch, the lazy answer against\n"
        "skinning and refitting everything, and how few bounds were needed.\n"
        "Scenes: men (default), creatures, crowd, and others that benchmarks use; ragdoll: a man\n"
        "falls down a flight of stairs; soccer: two teams play. Both are told in words (libode).",
    .example = "graze demo creatures",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "scene",
    .most_names = 1,
    .name_at = scene_at,
    .run = run};
