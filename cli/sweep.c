/* When bodies first meet between frames. */
#include "cli/parts.h"
#include "cli/query.h"

#include <math.h>

typedef struct sweep_job {
    query_job base;
    bool self, only_new;

    graze_impact impact;
    double time; /* NaN: there is no impact, and its fields have no values */
    const char *parts[2];
    bool missed;
} sweep_job;

static graze_status ask(void *task, graze_error *error)
{
    sweep_job *job = task;
    const query_job *base = task;
    graze_motion motions[2] = {0};
    for (size_t i = 0; i < base->body_count; i++) {
        motions[i].start = base->instances[i][!base->end].body;
        motions[i].end = base->instances[i][base->end].body;
    }
    return graze_sweep(&motions[0], job->self ? NULL : &motions[1], &job->impact, &base->how,
                       error);
}

static bool end(void *task)
{
    sweep_job *job = task;
    const query_job *base = task;
    graze_impact *impact = &job->impact;
    job->base.hit = impact->found;
    job->missed = !impact->found;
    job->time =
        impact->found ? base->from + (double)impact->time * (base->time - base->from) : (double)NAN;
    for (int side = 0; side < 2; side++) {
        job->parts[side] =
            impact->found ? part_name(base->characters.of[side], impact->parts[side]) : NULL;
        if (!impact->found)
            impact->triangles[side] = GRAZE_NONE;
    }
    if (!impact->found)
        impact->time = NAN;
    if (!impact->found || impact->initial)
        impact->point[0] = impact->normal[0] = NAN;
    return true;
}

/* The impact on the way to a frame: in the first there is none. */
static bool report(void *task, const report_pose *poses)
{
    const sweep_job *job = task;
    graze_impact impact = job->impact;
    (void)poses;
    if (impact.initial)
        impact.point[0] = impact.normal[0] = 0;
    report_take_impact(job->base.report, &impact);
    return true;
}

static void begin_report(const void *task, report_def *def)
{
    def->only_new = ((const sweep_job *)task)->only_new;
}

/* Everything about the command line that has to be right before a model is loaded. */
static bool check(void *task, const arguments *given)
{
    static const char *const second[] = {"--at",     "--turn",   "--phase", "--clip-b",
                                         "--skin-b", "--part-b", NULL};
    sweep_job *job = task;
    const frame_range *times = &job->base.options.times;
    const char *unused = any_given(&sweep_command, given, second);
    job->base.body_count = job->self ? 1 : 2;
    job->base.how.only_new = job->only_new;
    if (job->self && given->name_count > 1)
        fail_usage("sweep: --self takes one model");
    else if (job->self && unused)
        fail_usage("sweep: %s is for a second instance, and --self has none", unused);
    else if (!times->given || (!times->all && frame_count(&job->base.options) < 2))
        fail_usage("sweep: --times FROM:TO:FPS has to give two frames at least");
    return !fail_was_told();
}

#define OF_SWEEP(member) AT(sweep_job, member)

static const struct field fields[] = {
    FRAME_FIELD,
    {"from", "from", "  from %8.4f s", FIELD_NUMBER, OF_JOB(from)},
    {"to", "to", " to %8.4f s", FIELD_NUMBER, OF_JOB(time)},
    {"hit", NULL, NULL, FIELD_TRUTH, OF_JOB(hit)},
    {NULL, NULL, "  no impact", FIELD_TRUTH, OF_SWEEP(missed)},
    {NULL, NULL, "  impact at %8.4f s", FIELD_NUMBER, OF_SWEEP(time)},
    {"toi", "toi", " (toi %.6f)", FIELD_FLOAT, OF_SWEEP(impact.time)},
    {"time", "time", NULL, FIELD_NUMBER, OF_SWEEP(time)},
    {"triangles", "a,b", " of %u and %u", FIELD_INDEX, OF_SWEEP(impact.triangles), 2},
    {"initial", "initial", NULL, FIELD_TRUTH, OF_SWEEP(impact.initial)},
    {"point", "x,y,z", NULL, FIELD_FLOAT, OF_SWEEP(impact.point), 3},
    {"normal", "normal_x,normal_y,normal_z", NULL, FIELD_FLOAT, OF_SWEEP(impact.normal), 3},
    {"parts", "part_a,part_b", ", %s and %s", FIELD_TEXT, OF_SWEEP(parts), 2},
    {NULL, "us", NULL, FIELD_US, OF_JOB(us)},
    STATS_FIELDS};

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    TIMES_ROW,
    {"--self", NULL, OPTION_FLAG, AT(sweep_job, self), "the model against itself"},
    {"--new", NULL, OPTION_FLAG, AT(sweep_job, only_new),
     "leave out triangles that meet at the start of an interval"},
    FAIL_ON_HIT_ROW("exit with 1 if there is an impact"),
    OPTION_HEADING_ROW("the model and its clip"),
    CLIP_ROW,
    BUILD_ROWS,
    SECOND_ROWS,
    PART_ROWS,
    PART_B_ROW,
    HOW_ROWS("lazy|brute", "both give the same impact"),
    REPORT_ROW};

const struct command sweep_command = {
    .name = "sweep",
    .summary = "when two moving models first touch between frames",
    .usage = "MODEL [MODEL_B] --times FROM:TO:FPS [options]",
    .about =
        "Finds when two instances first meet between frames, vertices moving linearly from one\n"
        "to the next. The second instance is of MODEL_B, or of MODEL if that is left out.",
    .example = "graze sweep man.glb ball.glb --times 0:2:30",
    OPTIONS(rows),
    TWO_MODELS,
    JOB(sweep_job, .base = QUERY_DEFAULTS),
    QUERY(.body_count = 2, .intervals = true, FIELDS(fields), .check = check, .ask = {ask},
          .end = end, .begin_report = begin_report, .report = report)};
