/* graze simulate: what it prints; stopped and resumed, interrupted or not, is the same lines;
 * states that are none are refused, and a full disk loses nothing.
 */
#include "harness.h"
#include "support/json.h"
#include "support/quick.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Balls thrown at a curtain are made in no time, and need no numerics. Chairs take a second. */
#define TINY "curtain", "--count", "3", "--stage-triangles", "400"
#ifndef GRAZE_TEST_NUMERICS
#define CHAIRS "chairs", "--count", "3", "--triangles", "400", "--rigid"
#else
#define CHAIRS "chairs", "--count", "3", "--triangles", "400"
#endif

static bool file_exists(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0;
}

/* The text of a run that must go well. */
static char *good_lines(command_result run, const char *what)
{
    CHECK_MSG(run.code == 0, "%s: exit code %d: %s", what, run.code, run.err);
    return run.out;
}

/* ---- lines ---------------------------------------------------------------------------------- */

TEST(every_step_is_a_line)
{
    char *text =
        good_lines(RUN("simulate", CHAIRS, "--seconds", "0.8", "--json", "--contacts"), "json");
    uint32_t step = 0, touching = 0;
    double first = 0, highest = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        cJSON *object = json_parse(line);
        step++;
        CHECK(number(object, "step") == step &&
              fabs(number(object, "time") - step / 150.0) < 1e-12);
        CHECK(number(object, "awake") >= 0 && number(object, "awake") <= 3);
        const cJSON *list = field(object, "contact_list"), *contact;
        CHECK(number(object, "contacts") == cJSON_GetArraySize(list));
        cJSON_ArrayForEach(contact, list)
        {
            double length = 0;
            for (int k = 0; k < 3; k++) {
                double n = number_at(contact, "normal", k);
                length += n * n;
            }
            CHECK(fabs(length - 1) < 1e-5 && number(contact, "depth") >= 0);
            CHECK(size_of(contact, "bodies") == 2 && size_of(contact, "impulse") == 3);
        }
        touching += cJSON_GetArraySize(list) > 0;
        double energy = number(object, "kinetic") + number(object, "potential");
        first = step == 1 ? energy : first;
        highest = fmax(highest, energy);
    }
    CHECK_MSG(step == 120 && touching > 5, "%u steps, %u with contacts", step, touching);
    CHECK_MSG(highest <= 1.02 * first, "energy grew from %g to %g", first, highest);
}

TEST(text_is_a_table_and_a_summary)
{
    char *text = good_lines(RUN("simulate", TINY, "--seconds", "0.4"), "text");
    CHECK_MSG(strstr(text, "3 balls of ") && strstr(text, "60 steps in ") &&
                  strstr(text, "finding contacts"),
              "%s", text);
}

/* ---- stopped and resumed -------------------------------------------------------------------- */

#define TOLD "--json", "--contacts", "--bodies"

static char *whole_run(void)
{
    return good_lines(RUN("simulate", TINY, "--seconds", "1", TOLD), "not stopped");
}

TEST(resumed_is_not_stopped)
{
    const char *state = scratch_path(0, "state");
    char *whole = whole_run();
    char *two = good_lines(RUN("simulate", TINY, "--seconds", "1", TOLD, "--threads", "2"), "two");
    CHECK_MSG(strcmp(whole, two) == 0, "another number of threads, other lines");
    char *first =
        good_lines(RUN("simulate", TINY, "--seconds", "0.5", TOLD, "--save", state), "first");
    char *rest = good_lines(RUN("simulate", "--resume", state, "--seconds", "0.8", TOLD,
                                "--threads", "2", "--save", state),
                            "rest");
    char *end = good_lines(RUN("simulate", TINY, "--resume", state, "--seconds", "1", TOLD), "end");
    size_t a = strlen(first), b = strlen(rest);
    CHECK(a > 0 && b > 0 && count_lines(whole) == 150);
    CHECK_MSG(strlen(whole) == a + b + strlen(end) && strncmp(whole, first, a) == 0 &&
                  strncmp(whole + a, rest, b) == 0 && strcmp(whole + a + b, end) == 0,
              "resumed runs have other lines");
    /* Saved in between as well: the last of them goes on alike. */
    char *often = good_lines(RUN("simulate", TINY, "--seconds", "0.9", TOLD, "--save", state,
                                 "--every", "0.1", "--log", scratch_path(1, "log.jsonl")),
                             "often");
    size_t size = 0;
    char *log = read_whole_file(scratch_path(1, "log.jsonl"), &size);
    CHECK_MSG(log && strcmp(log, often) == 0, "--log differs from --json");
    CHECK(strncmp(whole, often, strlen(often)) == 0);
    remove(scratch_path(1, "log.jsonl"));
    remove(state);
    CHECK(scratch_count() == 0);
}

/* Starts it, waits for some of its lines, interrupts it, and reads the rest. */
static char *interrupt_run(const char *const *arguments, size_t enough, int *status)
{
    int ends[2];
    size_t count = 0, room = 1 << 20;
    char *argv[24] = {(char *)GRAZE_COMMAND}, *text = malloc(room + 1);
    for (int i = 0; arguments[i] && i < 22; i++)
        argv[i + 1] = (char *)arguments[i];
    if (!text || pipe(ends))
        abort();
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        dup2(ends[1], STDOUT_FILENO);
        if (!freopen("/dev/null", "w", stderr))
            _exit(126);
        close(ends[0]);
        close(ends[1]);
        execv(GRAZE_COMMAND, argv);
        _exit(127);
    }
    close(ends[1]);
    bool sent = false;
    for (;;) {
        if (count == room) {
            room *= 2;
            text = realloc(text, room + 1);
            if (!text)
                abort();
        }
        ssize_t got = read(ends[0], text + count, room - count < 4096 ? room - count : 4096);
        if (got <= 0)
            break;
        count += (size_t)got;
        if (!sent && count >= enough) {
            kill(child, SIGINT);
            sent = true;
        }
    }
    close(ends[0]);
    waitpid(child, status, 0);
    text[count] = 0;
    return test_keep(text, free);
}

TEST(an_interrupt_saves_and_loses_nothing)
{
    const char *state = scratch_path(0, "state"), *log = scratch_path(1, "log.jsonl");
    char *whole = whole_run();
    for (uint32_t i = 0; i < test_amount(8, 2); i++) {
        int status = 0;
        const char *const arguments[] = {"simulate", TINY,  "--seconds", "100", TOLD,
                                         "--save",   state, "--log",     log,   NULL};
        char *first = interrupt_run(arguments, 20000 * (i + 1), &status);
        CHECK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT, "status %d", status);
        size_t lines = count_lines(first), length = strlen(first);
        CHECK(lines > 0 && lines < 15000 && first[length - 1] == '\n');
        size_t size = 0;
        char *kept = read_whole_file(log, &size);
        CHECK_MSG(kept && strcmp(kept, first) == 0, "the log is another");
        CHECK(scratch_count() == 2);
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%.9g", (double)(lines + 20) / 150);
        char *rest =
            good_lines(RUN("simulate", "--resume", state, "--seconds", seconds, TOLD), "rest");
        size_t both = strlen(whole) < length + strlen(rest) ? strlen(whole) : length + strlen(rest);
        CHECK(strncmp(whole, first, both < length ? both : length) == 0);
        CHECK(both <= length || strncmp(whole + length, rest, both - length) == 0);
        CHECK(count_lines(rest) == 20);
        remove(state);
        remove(log);
    }
}

/* Without --save an interrupt leaves nothing, as of every other command. */
TEST(an_interrupt_without_save_leaves_nothing)
{
    int status = 0;
    const char *const arguments[] = {"simulate",
                                     TINY,
                                     "--seconds",
                                     "100",
                                     "--json",
                                     "--log",
                                     scratch_path(1, "log.jsonl"),
                                     "-o",
                                     scratch_path(2, "out.glb"),
                                     NULL};
    interrupt_run(arguments, 2000, &status);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT && scratch_count() == 0);
}

/* ---- a full disk ---------------------------------------------------------------------------- */

static command_result run_limited(const char *options, const char *state)
{
    char line[1200];
    snprintf(line, sizeof line, "trap '' XFSZ; ulimit -f 8; exec '%s' simulate --resume '%s' %s",
             GRAZE_COMMAND, state, options);
    return command_run("/bin/sh", (const char *const[]){"-c", line, NULL});
}

TEST(a_full_disk_loses_nothing)
{
    const char *state = scratch_path(0, "state");
    char options[500];
    good_lines(RUN("simulate", "curtain", "--stage-triangles", "400", "--count", "120", "--seconds",
                   "0.1", "--save", state),
               "first");
    size_t size = 0, now = 0;
    char *before = read_whole_file(state, &size);
    REQUIRE(before && size > 9000); /* more than the limit is, in blocks of 512 or 1024 bytes */
    snprintf(options, sizeof options, "--seconds 0.2 --save '%s'", state);
    command_result run = run_limited(options, state);
    CHECK_MSG(run.code == 2 && strstr(run.err, "cannot write") && strstr(run.err, "still there"),
              "%s", run.err);
    CHECK_MSG(!strstr(run.err, "warning") && strstr(run.out, "15 steps in"), "%s", run.out);
    char *after = read_whole_file(state, &now);
    CHECK(after && now == size && memcmp(before, after, size) == 0 && scratch_count() == 1);
    /* In between it is a warning, and the steps go on. */
    snprintf(options, sizeof options, "--seconds 0.2 --every 0.04 --save '%s'", state);
    run = run_limited(options, state);
    CHECK_MSG(run.code == 2 && strstr(run.err, "warning") && strstr(run.out, "15 steps in"), "%s",
              run.err);
    after = read_whole_file(state, &now);
    CHECK(after && now == size && memcmp(before, after, size) == 0 && scratch_count() == 1);
    if (access("/dev/full", W_OK) == 0) {
        run = RUN("simulate", "--resume", state, "--seconds", "0.2", "--save", "/dev/full");
        CHECK(run.code == 2 && strstr(run.err, "No space left"));
    }
    remove(state);
}

/* ---- states that are none ------------------------------------------------------------------- */

TEST(damaged_states_are_refused)
{
    const char *state = scratch_path(0, "state"), *bad = scratch_path(1, "bad");
    good_lines(RUN("simulate", TINY, "--seconds", "0.3", "--save", state), "first");
    size_t size = 0;
    char *bytes = read_whole_file(state, &size);
    REQUIRE(bytes && size > 500);
    const size_t cuts[] = {0, 1, 8, 11, 12, 30, 62, 70, 200, size / 2, size - 8, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        CHECK(write_whole_file(bad, bytes, cuts[i]));
        REFUSED(cuts[i] < 12 ? "not a saved simulation" : "cut off", "simulate", "--resume", bad,
                "--json");
    }
    test_random random = test_random_seed(7);
    for (int i = 0; i < 24; i++) {
        size_t at =
            i < 8 ? (size_t)(12 + 6 * i) : (size_t)(test_random_unit(&random) * (double)size);
        bytes[at] ^= (char)(1 << i % 8);
        CHECK(write_whole_file(bad, bytes, size));
        bytes[at] ^= (char)(1 << i % 8);
        command_result run = RUN("simulate", "--resume", bad, "--json");
        CHECK_MSG(run.code == 2 && count_lines(run.err) == 1 && !run.out[0], "byte %zu: %s", at,
                  run.err);
    }
    bytes[8] = 9;
    CHECK(write_whole_file(bad, bytes, size));
    REFUSED("version 9", "simulate", "--resume", bad);
    REFUSED("cannot read", "simulate", "--resume", scratch_folder());
    REFUSED("cannot read", "simulate", "--resume", scratch_path(2, "none"));
    REFUSED("not a saved simulation", "simulate", "--resume", "/dev/null");
    remove(bad);
    remove(state);
}

/* A head that asks for 100,000 bodies, with its checksum right and the state of three behind it. */
TEST(a_state_makes_no_more_bodies_than_it_has)
{
    const char *state = scratch_path(0, "state");
    good_lines(RUN("simulate", TINY, "--seconds", "0.1", "--save", state), "first");
    size_t size = 0;
    char *bytes = read_whole_file(state, &size);
    REQUIRE(bytes && size > 500);
    uint64_t hash = 0xcbf29ce484222325;
    const uint32_t count = 100000;
    for (int i = 0; i < 4; i++)
        bytes[16 + i] = (char)(count >> 8 * i);
    for (size_t i = 0; i < size - 8; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
    for (int i = 0; i < 8; i++)
        bytes[size - 8 + (size_t)i] = (char)(hash >> 8 * i);
    CHECK(write_whole_file(state, bytes, size));
    REFUSED("numbers in its head are out of range", "simulate", "--resume", state);
    remove(state);
}

TEST(states_of_other_options_are_refused)
{
    const char *state = scratch_path(0, "state");
    good_lines(RUN("simulate", TINY, "--seconds", "0.2", "--save", state), "first");
    REFUSED("a state of the scene curtain", "simulate", "chairs", "--resume", state);
    REFUSED("with --count 3", "simulate", "--resume", state, "--count", "4");
    REFUSED("with --stage-triangles 400", "simulate", "--resume", state, "--stage-triangles",
            "401");
    REFUSED("without --proxies", "simulate", "--resume", state, "--proxies");
    REFUSED("--rate 150", "simulate", "--resume", state, "--rate", "100");
    REFUSED("at 0.2 s already", "simulate", "--resume", state, "--seconds", "0.1");
    REFUSED("over the state", "simulate", "--resume", state, "--seconds", "1", "--log", state);
    char *same = good_lines(RUN("simulate", TINY, "--exact", "--rate", "150", "--resume", state,
                                "--seconds", "0.22", "--json"),
                            "same options");
    CHECK(count_lines(same) == 3);
    remove(state);
}

/* ---- options -------------------------------------------------------------------------------- */

TEST(bad_options_are_refused)
{
    REFUSED("no scene given", "simulate");
    REFUSED("did you mean chairs?", "simulate", "chair");
    REFUSED("--seconds has to be above 0", "simulate", TINY, "--seconds", "0");
    REFUSED("--seconds has to be above 0", "simulate", TINY, "--seconds", "-1");
    REFUSED("--seconds", "simulate", TINY, "--seconds", "nan");
    REFUSED("steps", "simulate", TINY, "--seconds", "1e9");
    REFUSED("--rate has to be above 0", "simulate", TINY, "--rate", "0");
    REFUSED("--count", "simulate", "chairs", "--count", "0");
    REFUSED("count", "simulate", "chairs", "--count", "4000000000", "--rigid");
    REFUSED("--tolerance", "simulate", TINY, "-o", "x.glb", "--tolerance", "-1");
    REFUSED("needs -o", "simulate", TINY, "--tolerance", "1");
    REFUSED("needs -o", "simulate", TINY, "--camera", "0,0,1:0,0,0");
    REFUSED("EYE:LOOK", "simulate", TINY, "-o", "x.glb", "--camera", "0,0,0");
    REFUSED("--json or --log", "simulate", TINY, "--contacts");
    REFUSED("--json or --log", "simulate", TINY, "--bodies");
    REFUSED("needs --save", "simulate", TINY, "--every", "1");
    REFUSED("not both", "simulate", TINY, "--exact", "--proxies");
    REFUSED("two outputs", "simulate", TINY, "--save", "x", "--log", "x");
    REFUSED("--proxies", "simulate", TINY, "--level", "3");
    const char *nowhere = scratch_path(0, "none/x");
    REFUSED("cannot write", "simulate", TINY, "--seconds", "0.1", "--log", nowhere);
    REFUSED("cannot write", "simulate", TINY, "--seconds", "9999", "--save", nowhere);
    REFUSED("cannot write", "simulate", TINY, "--seconds", "9999", "-o", nowhere);
    REFUSED("directory", "simulate", TINY, "--save", scratch_folder());
    CHECK(!file_exists("x.glb") && !file_exists("x") && scratch_count() == 0);
}

#ifndef GRAZE_TEST_NUMERICS
TEST(a_build_without_numerics_says_so)
{
    REFUSED("built without its numerics", "simulate", "chairs", "--count", "1");
}
#endif
