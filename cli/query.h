/* A command that asks one question in every frame: collide, self, ray, distance, sweep, touch,
 * chain, pose. The loop over frames, its clock, and what is printed are here; a command has its
 * question and the table of its fields.
 */
#ifndef GRAZE_CLI_QUERY_H
#define GRAZE_CLI_QUERY_H

#include "cli/commands.h"
#include "cli/fields.h"
#include "cli/frames.h"
#include "cli/report.h"

/* The first member of what such a command is asked to do. */
typedef struct query_job {
    model_options options;
    bool first, count_only, fail_on_hit, with_parts;
    int method;
    uint32_t repeat;
    graze_options how; /* to ask: by the method, any if it is the first, with these statistics */

    /* A body, or two. With intervals each is there twice, and they take turns: [][1 - end] is where
     * the interval starts.
     */
    struct character_pair characters;
    struct instance instances[2][2];
    size_t body_count;
    int end;
    graze_body *bodies[2]; /* as they are posed: those of the end */

    /* The frame at hand; fields have their values from here, and from behind it. */
    size_t frame;
    double from, time; /* seconds; from: of the frame before */
    item_list found;
    bool hit;
    graze_stats stats;
    double us[3]; /* of each question, the least of all repeats; 0: it was not asked */

    unsigned shown; /* bits of fields; SHOW_JSON is set by itself */
    struct csv csv;
    struct report *report; /* NULL: nobody asked */
} query_job;

/* A question. Sets job->hit and what fields tell. */
typedef graze_status (*ask_fn)(void *job, graze_error *error);

struct query {
    size_t body_count;
    instance_role role; /* of an only body */
    bool intervals;     /* asked between each frame and the next */
    bool prefixed;      /* errors begin with the name of the command */
    bool bottom_up;     /* --method is lazy|bottom-up|brute, else lazy|brute */
    const struct field *fields;
    size_t field_count;

    /* NULL: nothing to do. Those that return bool print what is wrong and return false. */
    bool (*check)(void *job, const arguments *given); /* of the command line; shown, body_count */
    bool (*open)(void *job);                          /* with bodies, before the first frame */
    ask_fn ask[3];
    bool (*wants)(const void *job, int question);    /* NULL: all of them */
    void (*fail)(const void *job, const char *text); /* NULL: the text is printed as it is */
    bool (*end)(void *job);                          /* of a frame: sorts, and fills fields */
    void (*begin_report)(const void *job, report_def *def);
    bool (*report)(void *job, const report_pose *poses);
    void (*close)(void *job);
};

#define QUERY_DEFAULTS                                                                             \
    {                                                                                              \
        .repeat = 1, .options = {.skin_b = -1 }                                                    \
    }

int query_run(const struct command *command, void *job, const arguments *given);

/* ---- rows of fields ------------------------------------------------------------------------ */

/* Above these are a command's own. */
enum {
    SHOW_ITEMS = 1,
    SHOW_PARTS = 2,
    ROWS_ITEMS = 4,
    ROWS_PARTS = 8,
    ROWS_FRAMES = 16,
    SHOW_OWN = 32
};

#define OF_JOB(member) AT(query_job, member)

#define FIELD_ROW(key, columns, text, kind, member)                                                \
    {                                                                                              \
        key, columns, text, FIELD_##kind, OF_JOB(member)                                           \
    }
#define FRAME_FIELD FIELD_ROW("frame", "frame", "frame %4zu", COUNT, frame)
#define TIME_FIELDS FRAME_FIELD, FIELD_ROW("time", "time", "  time %8.4f s", NUMBER, time)
#define STATS_FIELDS                                                                               \
    FIELD_ROW(NULL, NULL, "  %9.1f us", US, us),                                                   \
        FIELD_ROW("stats", NULL,                                                                   \
                  "  %6llu bounds refitted  %5llu patches posed  %7llu triangle tests", STATS,     \
                  stats),                                                                          \
        FIELD_ROW("us", NULL, NULL, US, us)
#define FIELDS(rows) .fields = (rows), .field_count = COUNT_OF(rows)
#define OF_FOUND .array = offsetof(query_job, found) /* a list of what was found */

/* ---- rows of options ----------------------------------------------------------------------- */

#define JOB_ROW(name, value, kind, member, text)                                                   \
    OPTION_ROW(name, value, kind, offsetof(query_job, member), text)
#define FIRST_ROW(text) JOB_ROW("--first", NULL, FLAG, first, text)
#define COUNT_ROW(text) JOB_ROW("--count", NULL, FLAG, count_only, text)
#define PARTS_ROW                                                                                  \
    JOB_ROW("--parts", NULL, FLAG, with_parts,                                                     \
            "also name the body parts that meet, and in how many pairs")
#define FAIL_ON_HIT_ROW(text) JOB_ROW("--fail-on-hit", NULL, FLAG, fail_on_hit, text)
#define HOW_ROWS(methods, text)                                                                    \
    OPTION_HEADING_ROW("how, and what is printed"),                                                \
        JOB_ROW("--method", methods, CHOICE, method, "how to answer (default lazy); " text),       \
        REPEAT_ROW, OUTPUT_ROWS
#define REPEAT_ROW                                                                                 \
    JOB_ROW("--repeat", "N", COUNT, repeat,                                                        \
            "report the fastest of N runs, caches dropped in between")

#define QUERY(...)                                                                                 \
    .query = &(const struct query)                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

#endif
