/* Repeats a recorded session, and tells whether its answers are what they were. */
#include "cli/commands.h"
#include "cli/text.h"

#include <graze/ext/record.h>

typedef struct replay_job {
    bool first, trace;
} replay_job;

/* Flushed, as the call may be the last. */
static void trace(void *user, uint64_t number, const char *name)
{
    (void)user;
    say("%llu %s\n", (unsigned long long)number, name);
    fflush(stdout);
}

static void print_report(const char *path, const graze_replay_report *report)
{
    say("%s: %llu calls, %llu of them questions: %llu with another answer\n", path,
        (unsigned long long)report->calls, (unsigned long long)report->questions,
        (unsigned long long)report->differences);
    if (report->first)
        say("the first is call %llu, %s: %s\n", (unsigned long long)report->first, report->name,
            report->text);
    if (report->truncated)
        say("the recording ends early, within %llu question%s\n",
            (unsigned long long)report->unanswered, report->unanswered == 1 ? "" : "s");
}

static int run(void *task, const arguments *given)
{
    const replay_job *job = task;
    const char *path = given->names[0];
    graze_error error;
    graze_replay_report report;
    graze_replay_options options = {.stop_at_first = job->first,
                                    .before = job->trace ? trace : NULL};
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_usage("%s: cannot be opened", path);
    graze_status status = graze_replay(graze_read_from_file, file, &options, &report, &error);
    fclose(file);
    if (status)
        return fail_usage("%s: %s", path, error.text);
    print_report(path, &report);
    return report.differences ? 1 : 0;
}

static const struct option rows[] = {
    {"--first", NULL, OPTION_FLAG, offsetof(replay_job, first),
     "stop at the first answer that is another one"},
    {"--trace", NULL, OPTION_FLAG, offsetof(replay_job, trace),
     "print each call before it is made: the last one is where a program ends"}};

const struct command replay_command = {
    .name = "replay",
    .summary = "repeat a recorded session of calls, and compare the answers",
    .usage = "FILE [options]",
    .about = "Makes the models and bodies of a recording (graze/ext/record.h), repeats every call\n"
             "and compares each answer with the recorded one. Exits with 1 if any is another one.",
    .example = "graze replay session.graze",
    OPTIONS(rows),
    JOB(replay_job, .first = false),
    .what = "recording",
    .least_names = 1,
    .most_names = 1,
    .run = run};
