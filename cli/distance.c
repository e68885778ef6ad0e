/* How far two bodies are apart. */
#include "cli/parts.h"
#include "cli/query.h"

#include <math.h>

typedef struct distance_job {
    query_job base;
    double limit, closer_than, within; /* NaN: not asked for */

    graze_nearest nearest;
    double distance; /* NaN: nothing is within the limit, and its fields below have no values */
    const char *parts[2];
    double beyond; /* NaN: something is; else the limit */
    bool closer, not_closer;
} distance_job;

enum { SHOW_CLOSER = SHOW_OWN, SHOW_WITHIN = 2 * SHOW_OWN };

/* ---- asking -------------------------------------------------------------------------------- */

static graze_status ask_nearest(void *task, graze_error *error)
{
    distance_job *job = task;
    graze_body *const *of = job->base.bodies;
    return graze_distance(of[0], of[1], isnan(job->limit) ? (double)INFINITY : job->limit,
                          &job->nearest, &job->base.how, error);
}

static graze_status ask_closer(void *task, graze_error *error)
{
    distance_job *job = task;
    graze_body *const *of = job->base.bodies;
    const graze_options any = {.any = true, .method = job->base.how.method};
    graze_nearest nearest;
    graze_status status = graze_distance(of[0], of[1], job->closer_than, &nearest, &any, error);
    job->closer = !status && nearest.found;
    return status;
}

static graze_status ask_within(void *task, graze_error *error)
{
    distance_job *job = task;
    graze_body *const *of = job->base.bodies;
    const graze_options options = {.method = job->base.how.method};
    graze_pair_list list = list_of_pairs(&job->base.found);
    return graze_pairs_within(of[0], of[1], job->within, &list, &options, error);
}

static bool wants(const void *task, int question)
{
    const distance_job *job = task;
    return question == 0 || !isnan(question == 1 ? job->closer_than : job->within);
}

/* A hit is what --fail-on-hit asks about: the tolerance, where there is one, else whether triangles
 * meet.
 */
static bool end(void *task)
{
    distance_job *job = task;
    graze_nearest *nearest = &job->nearest;
    list_sort(&job->base.found, sizeof(graze_pair), 2);
    job->not_closer = !job->closer && wants(job, 1);
    job->base.hit = wants(job, 1)   ? job->closer
                    : wants(job, 2) ? job->base.found.count > 0
                                    : nearest->found && nearest->distance <= 0;
    job->distance = nearest->found ? nearest->distance : (double)NAN;
    job->beyond = nearest->found ? (double)NAN : job->limit;
    for (int side = 0; side < 2; side++)
        job->parts[side] =
            nearest->found ? part_name(job->base.characters.of[side], nearest->parts[side]) : NULL;
    if (!nearest->found) {
        nearest->pair = (graze_pair){.a = GRAZE_NONE, .b = GRAZE_NONE};
        nearest->points[0][0] = nearest->points[1][0] = NAN;
    }
    return true;
}

static bool check(void *task, const arguments *given)
{
    distance_job *job = task;
    (void)given;
    job->base.shown = (wants(job, 1) ? SHOW_CLOSER : 0) | (wants(job, 2) ? SHOW_WITHIN : 0);
    return !(job->limit < 0 || job->closer_than < 0 || job->within < 0) ||
           refuse("distance: %s is negative", job->limit < 0         ? "--limit"
                                              : job->closer_than < 0 ? "--closer-than"
                                                                     : "--within");
}

/* ---- fields -------------------------------------------------------------------------------- */

static const struct field pair_fields[] = {{"", NULL, "  %u %u", FIELD_INDEX, .offset = 0, 2}};
static const field_list pair_list = {FIELDS(pair_fields), OF_FOUND, .size = sizeof(graze_pair)};

#define OF_DISTANCE(member) AT(distance_job, member)

/* A table has a row a frame; with --within also how many pairs, with --closer-than yes or no. */
static const struct field fields[] = {
    TIME_FIELDS,
    {"distance", "distance", "  distance %.9g", FIELD_NUMBER, OF_DISTANCE(distance)},
    {"triangles", "a,b", NULL, FIELD_INDEX, OF_DISTANCE(nearest.pair), 2},
    {NULL, NULL, "  triangles %u", FIELD_INDEX, OF_DISTANCE(nearest.pair.a)},
    {NULL, NULL, " of %s", FIELD_TEXT, OF_DISTANCE(parts[0])},
    {NULL, NULL, " and %u", FIELD_INDEX, OF_DISTANCE(nearest.pair.b)},
    {NULL, NULL, " of %s", FIELD_TEXT, OF_DISTANCE(parts[1])},
    {"points", "ax,ay,az,bx,by,bz", NULL, FIELD_POINTS, OF_DISTANCE(nearest.points)},
    {NULL, NULL, "  at %.9g,%.9g,%.9g", FIELD_FLOAT, OF_DISTANCE(nearest.points[0]), 3},
    {NULL, NULL, " and %.9g,%.9g,%.9g", FIELD_FLOAT, OF_DISTANCE(nearest.points[1]), 3},
    {NULL, NULL, "  nothing within %.9g", FIELD_NUMBER, OF_DISTANCE(beyond)},
    {"parts", "part_a,part_b", NULL, FIELD_TEXT, OF_DISTANCE(parts), 2},
    {NULL, "us", "  %.1f us", FIELD_US, OF_JOB(us)},
    {NULL, NULL, "\n  is", FIELD_TRUTH, OF_DISTANCE(closer), .needed = SHOW_CLOSER},
    {NULL, NULL, "\n  nothing is", FIELD_TRUTH, OF_DISTANCE(not_closer)},
    {NULL, NULL, " within %.9g", FIELD_NUMBER, OF_DISTANCE(closer_than)},
    {"hit", "hit", NULL, FIELD_TRUTH, OF_DISTANCE(closer), .needed = SHOW_CLOSER},
    {NULL, NULL, "  %.1f us", FIELD_US, OF_JOB(us[1]), .needed = SHOW_CLOSER},
    {"closer_us", NULL, NULL, FIELD_US, OF_JOB(us[1])},
    {"count", "count", "\n  %zu pairs", FIELD_COUNT, OF_JOB(found.count), .needed = SHOW_WITHIN},
    {"pairs", NULL, "", FIELD_LIST, .needed = SHOW_WITHIN, .list = &pair_list},
    {NULL, NULL, " within %.9g", FIELD_NUMBER, OF_DISTANCE(within)},
    {"within_us", NULL, "  %.1f us", FIELD_US, OF_JOB(us[2]), .needed = SHOW_WITHIN},
    {"stats", NULL, NULL, FIELD_STATS, OF_JOB(stats)},
    {"us", NULL, NULL, FIELD_US, OF_JOB(us)}};

static const struct option rows[] = {
    OPTION_HEADING_ROW("what is asked"),
    {"--limit", "D", OPTION_NUMBER, AT(distance_job, limit),
     "look no farther than this, file units"},
    {"--closer-than", "D", OPTION_NUMBER, AT(distance_job, closer_than),
     "also say whether anything is within this distance"},
    {"--within", "D", OPTION_NUMBER, AT(distance_job, within),
     "also list all pairs of triangles within this distance"},
    FAIL_ON_HIT_ROW("exit with 1 if anything meets, or is within the tolerance given"),
    MODEL_ROWS,
    SECOND_ROWS,
    PART_ROWS,
    PART_B_ROW,
    HOW_ROWS("lazy|brute", "both give the same")};

const struct command distance_command = {
    .name = "distance",
    .summary = "how far two posed models are apart, and where",
    .usage = "MODEL [MODEL_B] [options]",
    .about =
        "Finds the smallest distance between two instances, and the triangles and points that\n"
        "are nearest. The second instance is of MODEL_B, or of MODEL if that is left out.",
    .example = "graze distance man.glb --at 1.5,0,0 --times all",
    OPTIONS(rows),
    TWO_MODELS,
    JOB(distance_job, .base = QUERY_DEFAULTS, .limit = (double)NAN, .closer_than = (double)NAN,
        .within = (double)NAN),
    QUERY(.body_count = 2, .prefixed = true, FIELDS(fields), .check = check,
          .ask = {ask_nearest, ask_closer, ask_within}, .wants = wants, .end = end)};
