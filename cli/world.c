/* Plays a described scene: who meets whom, with which part, when. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/text.h"
#include "cli/world_ask.h"

#include <stdio.h>

/* A tenth of a millimetre cannot be seen. */
#define DEFAULT_TOLERANCE 1e-4

typedef struct world_job {
    bool json, stay, fail_on_hit;
    uint32_t threads;
    const char *out;  /* NULL: the scene is not saved */
    double tolerance; /* of the saved one, metres */
    world_questions questions;
    struct scene scene;
    world_scene made;
    graze_pool *pool;
    uint64_t begun, ended;
} world_job;

/* ---- frames ------------------------------------------------------------------------------- */

static void take_event(world_job *job, uint32_t frame, const graze_world_event *event)
{
    job->begun += event->kind == GRAZE_EVENT_BEGIN;
    job->ended += event->kind == GRAZE_EVENT_END;
    if (event->kind == GRAZE_EVENT_STAY && !job->stay)
        return;
    if (job->json)
        world_print_json(&job->made, frame, event);
    else
        world_print_text(&job->made, frame, event);
}

static bool play_frame(world_job *job, uint32_t frame)
{
    graze_error error;
    size_t count;
    if (!world_scene_move(&job->made, frame))
        return false;
    if (graze_world_update(job->made.world, &(const graze_options){.pool = job->pool}, &error))
        return refuse("world: frame %u: %s", frame, error.text);
    const graze_world_event *events = graze_world_events(job->made.world, &count);
    for (size_t i = 0; i < count; i++)
        take_event(job, frame, &events[i]);
    return world_questions_ask(&job->questions, &job->made, frame, job->json);
}

static void print_summary(const world_job *job)
{
    uint64_t left = job->begun - job->ended;
    printf("%u frame%s, %u bodies: %llu meeting%s", job->scene.frame_count,
           job->scene.frame_count > 1 ? "s" : "", job->scene.body_count,
           (unsigned long long)job->begun, job->begun == 1 ? "" : "s");
    if (left)
        printf(", %llu of them to the end", (unsigned long long)left);
    puts("");
}

static int play(world_job *job)
{
    uint32_t frames = job->scene.frame_count;
    struct progress progress = progress_start("world");
    bool good = true, going = true;
    for (uint32_t frame = 0; good && going && frame < frames; frame++) {
        output_begin();
        good = play_frame(job, frame);
        going = output_end();
        progress_show(&progress, frame + 1, frames);
    }
    progress_end(&progress);
    if (!good)
        return 2;
    if (!job->json)
        print_summary(job);
    return job->begun && job->fail_on_hit ? 1 : 0;
}

/* Events have standard output with --json. */
static int save(const world_job *job)
{
    scene_saved saved;
    if (!world_save(&job->made, job->out, job->tolerance, &saved))
        return 2;
    say_to(job->json ? stderr : stdout,
           "%s: %u bodies, %llu keys; vertices are off by at most %.3g mm\n", job->out,
           job->scene.body_count, (unsigned long long)saved.keys, saved.largest * 1e3);
    return 0;
}

/* ---- the command -------------------------------------------------------------------------- */

static int run_scene(world_job *job)
{
    graze_error error;
    if (job->threads > 1 && graze_pool_create(job->threads, NULL, &job->pool, &error))
        return fail_usage("world: --threads %u: %s", job->threads, error.text);
    note("making the scene");
    bool opened = world_scene_open(&job->made, &job->scene);
    note_done();
    int code = opened ? play(job) : 2;
    if (!job->json)
        world_scene_warn(&job->made);
    if (job->out && code != 2 && save(job))
        code = 2;
    world_scene_close(&job->made);
    graze_pool_destroy(job->pool);
    return code;
}

static int run(void *task, const arguments *given)
{
    world_job *job = task;
    if (!(job->tolerance >= 0))
        return fail_usage("world: --tolerance needs metres, 0 or more");
    if (option_given(&world_command, given, "--tolerance") && !job->out)
        return fail_usage("world: --tolerance needs -o");
    if (!scene_read(&job->scene, given->names[0]))
        return 2;
    bool good = world_questions_read(&job->questions, &job->scene) &&
                (!job->out || world_save_check(&job->scene, job->out));
    int code = good ? run_scene(job) : 2;
    scene_free(&job->scene);
    return code;
}

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is told"),
    {"--stay", NULL, OPTION_FLAG, AT(world_job, stay),
     "also a line for every frame in which a pair still meets"},
    {"--fail-on-hit", NULL, OPTION_FLAG, AT(world_job, fail_on_hit), "exit with 1 if any two meet"},
    {"--json", NULL, OPTION_FLAG, AT(world_job, json),
     "one JSON object per line on standard output"},
    NO_TIMES_ROW,
    OPTION_HEADING_ROW("what is asked in every frame, each as often as you like"),
    {"--ray", "X,Y,Z:DX,DY,DZ", OPTION_TEXTS, AT(world_job, questions.rays),
     "who is hit first from this place in this direction, and where"},
    {"--touch", "X,Y,Z:R", OPTION_TEXTS, AT(world_job, questions.spheres),
     "whose body parts a sphere meets"},
    {"--nearest", "X,Y,Z", OPTION_TEXTS, AT(world_job, questions.points),
     "the nearest point of anybody's surface, and whose it is"},
    {"--of", "CLASS", OPTION_TEXT, AT(world_job, questions.of), "ask bodies of this class alone"},
    OPTION_HEADING_ROW("how"),
    {"--threads", "N", OPTION_COUNT, AT(world_job, threads),
     "search with N threads (default 1); the events are the same"},
    MAX_MEMORY_ROW,
    OPTION_HEADING_ROW("to watch it"),
    {"-o", "OUT.glb", OPTION_GLB, AT(world_job, out),
     "save the played scene there, for other programs to play"},
    {"--tolerance", "M", OPTION_NUMBER, AT(world_job, tolerance),
     "how far vertices may be off there, metres (default 0.0001)"}};

const struct command world_command = {
    .name = "world",
    .summary = "play a scene of bodies and shapes: who meets whom, when",
    .usage = "SCENE.json [options]",
    .about = "Plays a scene of models and simple shapes, and tells in which frame each pair\n"
             "starts and stops meeting, and with which parts.",
    .example = "graze world examples/world/hall.json",
    OPTIONS(rows),
    JOB(world_job, .threads = 1, .tolerance = DEFAULT_TOLERANCE),
    .what = "scene",
    .least_names = 1,
    .most_names = 1,
    .run = run};
