/* Simulates a scene of things that flex, crash and come to rest. */
#include "cli/simulate.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A millimetre: what falls needs a key every four steps for that, not every one. */
#define DEFAULT_TOLERANCE 1e-3
#define DEFAULT_RATE 150

uint64_t simulate_steps(double seconds, double step_seconds)
{
    return (uint64_t)fmin(floor(seconds / step_seconds + 1e-6), 1e15);
}

/* ---- what is asked for ---------------------------------------------------------------------- */

static bool is_above_zero(const arguments *given, const char *name, double value)
{
    return !option_given(&simulate_command, given, name) || value > 0 ||
           refuse("simulate: %s has to be above 0", name);
}

/* Options that say more about another one. */
static bool check_companions(const simulate_job *job, const arguments *given)
{
    const bool lines = job->json || job->log;
    const struct {
        const char *name, *told;
        bool there;
    } rows_with[] = {{"--tolerance", "needs -o", job->out},
                     {"--camera", "needs -o", job->out},
                     {"--contacts", "needs --json or --log", lines},
                     {"--bodies", "needs --json or --log", lines},
                     {"--every", "needs --save", job->save},
                     {"--level", "needs --proxies", job->proxies || job->resume}};
    for (size_t i = 0; i < COUNT_OF(rows_with); i++)
        if (!rows_with[i].there && option_given(&simulate_command, given, rows_with[i].name))
            return refuse("simulate: %s %s", rows_with[i].name, rows_with[i].told);
    return !(job->proxies && job->exact) ||
           refuse("simulate: contacts are --proxies or --exact, not both");
}

static bool check_numbers(const simulate_job *job, const arguments *given)
{
    simulate_camera camera;
    if (!is_above_zero(given, "--seconds", job->seconds) ||
        !is_above_zero(given, "--rate", job->rate) || !is_above_zero(given, "--every", job->every))
        return false;
    if (job->seconds * job->rate > SIMULATE_MOST_STEPS)
        return refuse("simulate: --seconds %.6g is more than %.0f steps", job->seconds,
                      SIMULATE_MOST_STEPS);
    if (!(job->tolerance >= 0))
        return refuse("simulate: --tolerance needs metres, 0 or more");
    if (job->camera && strcmp(job->camera, "scene") != 0 &&
        !simulate_camera_parse(&camera, job->camera))
        return refuse(
            "simulate: --camera needs EYE:LOOK or EYE:LOOK:DEGREES, as in 4,2,6:0,1,0:50, "
            "or scene, not %s",
            job->camera);
    return true;
}

/* Every file its own; --save may be what --resume has read. */
static bool check_files(const simulate_job *job)
{
    const char *const written[] = {job->out, job->log, job->save};
    for (size_t i = 0; i < COUNT_OF(written); i++)
        for (size_t k = i + 1; written[i] && k < COUNT_OF(written); k++)
            if (written[k] &&
                (strcmp(written[i], written[k]) == 0 || is_same_file(written[i], written[k])))
                return refuse("simulate: %s: two outputs cannot be one file", written[i]);
    for (size_t i = 0; i < COUNT_OF(written); i++) {
        char reason[200];
        if (written[i] && !simulate_place_check(written[i], reason))
            return refuse("%s: %s", written[i], reason);
    }
    for (size_t i = 0; i < 2 && job->resume; i++)
        if (written[i] && is_same_file(written[i], job->resume))
            return refuse("simulate: %s would be written over the state to go on from", written[i]);
    return true;
}

/* ---- going on ------------------------------------------------------------------------------- */

/* As it was given: two inversions may be off by the last bit. */
static double rate_of(double step_seconds)
{
    double rate = 1 / step_seconds, rounded = round(rate);
    return 1 / rounded == step_seconds ? rounded : rate;
}

/* The scene is that of the state; what was given has to agree. */
static bool take_saved_options(simulate_job *job, const arguments *given,
                               const simulate_options *saved)
{
    const simulate_options *now = &job->options;
    if (given->name_count && now->scene != saved->scene)
        return refuse("simulate: %s is a state of the scene %s, not of %s", job->resume,
                      simulate_scene_title(saved->scene), given->names[0]);
    const struct {
        const char *name;
        double now, saved;
    } numbers[] = {{"--count", now->count, saved->count},
                   {"--triangles", now->triangles, saved->triangles},
                   {"--stage-triangles", now->stage_triangles, saved->stage_triangles},
                   {"--level", now->level, saved->level},
                   {"--rate", job->rate, rate_of(saved->step_seconds)}};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (option_given(&simulate_command, given, numbers[i].name) &&
            numbers[i].now != numbers[i].saved)
            return refuse(
                "simulate: %s was saved with %s %.9g; from there it cannot go on with %.9g",
                job->resume, numbers[i].name, numbers[i].saved, numbers[i].now);
    const char *flag = job->options.rigid && !saved->rigid                   ? "--rigid"
                       : job->proxies && saved->contacts != SIMULATE_PROXIES ? "--proxies"
                       : job->exact && saved->contacts != SIMULATE_EXACT     ? "--exact"
                                                                             : NULL;
    if (flag)
        return refuse("simulate: %s was saved without %s; from there it cannot go on with it",
                      job->resume, flag);
    job->options = *saved;
    return true;
}

/* ---- the command ---------------------------------------------------------------------------- */

static const char *scene_name_at(size_t index)
{
    return index < SIMULATE_SCENE_COUNT ? simulate_scene_title((simulate_scene_name)index) : NULL;
}

static int run_job(simulate_job *job, const simulate_state *state)
{
    simulate_scene *scene = NULL;
    graze_error error;
    int code = 2;
    if (job->threads > 1 && graze_pool_create(job->threads, NULL, &job->pool, &error))
        return fail_usage("simulate: --threads %u: %s", job->threads, error.text);
    note("making the scene");
    graze_status status = simulate_scene_create(&job->options, &scene, &error);
    note_done();
    if (status)
        fail_usage("simulate: %s", error.text);
    else if (state->bytes && graze_sim_load(scene->sim, state->bytes, state->size, &error))
        fail_usage("%s: %s", job->resume, error.text);
    else
        code = simulate_run(job, scene);
    simulate_scene_destroy(scene);
    graze_pool_destroy(job->pool);
    return code;
}

static int run(void *task, const arguments *given)
{
    simulate_job *job = task;
    simulate_state state = {.bytes = NULL};
    if (!given->name_count && !job->resume)
        return fail_usage("simulate: no scene given; there are chairs, bridge and curtain");
    if (given->name_count)
        job->options.scene = simulate_scene_find(given->names[0]);
    job->options.contacts = job->proxies ? SIMULATE_PROXIES : SIMULATE_EXACT;
    job->options.step_seconds = 1 / job->rate;
    if (!check_companions(job, given) || !check_numbers(job, given) || !check_files(job))
        return 2;
    if (job->resume && !simulate_state_read(&state, job->resume))
        return 2;
    int code =
        !job->resume || take_saved_options(job, given, &state.options) ? run_job(job, &state) : 2;
    simulate_state_free(&state);
    return code;
}

#define TARGET(field) offsetof(simulate_job, field)

static const struct option rows[] = {
    OPTION_HEADING_ROW("the scene"),
    {"--count", "N", OPTION_COUNT, TARGET(options.count),
     "so many chairs (default 12), fish (100) or balls (1)"},
    {"--seconds", "S", OPTION_NUMBER, TARGET(seconds),
     "simulate up to this time (default: until most has settled)"},
    {"--rigid", NULL, OPTION_FLAG, TARGET(options.rigid), "nothing flexes or sways"},
    {"--triangles", "N", OPTION_COUNT, TARGET(options.triangles),
     "of each chair, fish or ball (default: as in the paper)"},
    {"--stage-triangles", "N", OPTION_COUNT, TARGET(options.stage_triangles),
     "of the bridge or the curtain (default: as in the paper)"},
    {"--rate", "HZ", OPTION_NUMBER, TARGET(rate), "steps a second (default 150)"},
    OPTION_HEADING_ROW("how"),
    {"--exact", NULL, OPTION_FLAG, TARGET(exact), "contacts where triangles meet (default)"},
    {"--proxies", NULL, OPTION_FLAG, TARGET(proxies),
     "contacts where spheres of one level of the 2004 paper's tree meet"},
    {"--level", "N", OPTION_COUNT, TARGET(options.level),
     "that level (default: the paper's, 7 for fish, 10 for others)"},
    {"--threads", "N", OPTION_COUNT, TARGET(threads),
     "use N threads (default 1); the results are the same"},
    OPTION_HEADING_ROW("what is told"),
    {"--json", NULL, OPTION_FLAG, TARGET(json), "one JSON object per step on standard output"},
    NO_TIMES_ROW,
    {"--contacts", NULL, OPTION_FLAG, TARGET(contacts), "each contact too, in those lines"},
    {"--bodies", NULL, OPTION_FLAG, TARGET(bodies), "where each body is too, in those lines"},
    {"--log", "FILE.jsonl", OPTION_FILE, TARGET(log),
     "write those lines there, whole or not at all"},
    OPTION_HEADING_ROW("to stop and go on"),
    {"--save", "FILE", OPTION_FILE, TARGET(save),
     "save the state there at the end, and when interrupted"},
    {"--every", "S", OPTION_NUMBER, TARGET(every), "and after every S simulated seconds"},
    {"--resume", "FILE", OPTION_INPUT, TARGET(resume),
     "go on from there, with the options it was saved with"},
    OPTION_HEADING_ROW("to watch it"),
    {"-o", "OUT.glb", OPTION_GLB, TARGET(out), "save what moved there, for other programs to play"},
    {"--tolerance", "M", OPTION_NUMBER, TARGET(tolerance),
     "how far vertices may be off there, metres (default 0.001)"},
    {"--camera", "EYE:LOOK[:DEG]|scene", OPTION_TEXT, TARGET(camera),
     "leave out bodies never seen from X,Y,Z towards X,Y,Z"}};

const struct command simulate_command = {
    .name = "simulate",
    .summary = "things that flex, crash and come to rest: chairs, a bridge, a curtain",
    .usage = "[SCENE] [options]",
    .about = "Simulates a scene of the paper on BD-Trees (James and Pai 2004), generated:\n"
             "  chairs    plastic chairs fall into a heap\n"
             "  bridge    rubber fish rain on a bridge that sways\n"
             "  curtain   balls are thrown at a curtain in the wind\n"
             "Every body moves rigidly and flexes in a few modes. A state that was saved goes on\n"
             "exactly as if it had never been stopped; the scene then need not be named again.",
    .example = "graze simulate chairs --seconds 2 -o chairs.glb",
    OPTIONS(rows),
    JOB(simulate_job, .threads = 1, .rate = DEFAULT_RATE, .tolerance = DEFAULT_TOLERANCE),
    .what = "scene",
    .most_names = 1,
    .name_at = scene_name_at,
    .run = run};
