/* --time and --times of the graze command: what is wrong with them, the whole clip, and warnings.
 */
#include "harness.h"
#include "support/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Its clip, walk, takes 0.9 s. */
#define DWARF "cli-times-dwarf.glb"

static void remove_dwarf(void)
{
    remove(DWARF);
}

/* Written once, since making it takes longer than all that is asked of it. */
__attribute__((constructor)) static void write_dwarf(void)
{
    RUN("synth", "dwarf", "--triangles", "600", "-o", DWARF);
    atexit(remove_dwarf);
}

static void check_error(const char *times, const char *expected)
{
    char text[300];
    command_result run = RUN("self", DWARF, "--times", times);
    snprintf(text, sizeof text, "graze: self: --times %s: %s\n", times, expected);
    CHECK_MSG(run.code == 2 && !run.out[0] && strcmp(run.err, text) == 0, "%s, not %s", run.err,
              text);
}

TEST(errors_say_what_is_wrong)
{
    check_error("0:2", "FPS, the frames a second, is missing: FROM:TO:FPS, as in 0:2:30");
    check_error("2", "it needs FROM:TO:FPS in seconds, as in 0:2:30, or all");
    check_error("every", "it needs FROM:TO:FPS in seconds, as in 0:2:30, or all");
    check_error("allthetime", "it needs FROM:TO:FPS in seconds, as in 0:2:30, or all");
    check_error("0:1:2:3", "it has more than two colons");
    check_error("a:1:30", "FROM is a, not a number");
    check_error("0:1s:30", "TO is 1s, not a number");
    check_error("0:1:", "FPS is missing");
    check_error(":1:30", "FROM is missing");
    check_error("0:inf:30", "TO is inf, not a number");
    check_error("0:1:0", "FPS, the frames a second, has to be above 0");
    check_error("0:1:-30", "FPS, the frames a second, has to be above 0");
    check_error("1:0:30", "it ends (TO) before it starts (FROM)");
    check_error("0:1e9:1e9", "it has more than ten million frames");
    check_error("-1e308:1e308:1", "it has more than ten million frames");
    check_error("all:", "FPS is missing");
    check_error("all:x", "FPS is x, not a number");
    check_error("all:0", "FPS has to be one number above 0");
    check_error("all:30:2", "FPS has to be one number above 0");
}

/* ---- the whole clip ------------------------------------------------------------------------- */

/* Times of the lines, into an array; how many there are. */
static size_t read_times(const command_result *run, const char *name, double times[100])
{
    size_t count = 0;
    const cJSON *line, *all = json_lines(run->out);
    cJSON_ArrayForEach(line, all) if (count < 100) times[count++] = number(line, name);
    return count;
}

static void check_whole(const char *command, const char *times, double fps, size_t frames,
                        const char *field)
{
    double found[100];
    command_result run = strcmp(command, "self") == 0
                             ? RUN("self", DWARF, "--times", times, "--json")
                             : RUN("sweep", DWARF, "--self", "--times", times, "--json");
    size_t count = read_times(&run, field, found);
    CHECK_MSG(run.code == 0 && !run.err[0], "%s", run.err);
    CHECK_MSG(count == frames, "%zu lines, not %zu", count, frames);
    size_t offset = strcmp(field, "to") == 0;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        double expected = last ? (double)0.9f : (double)(i + offset) / fps;
        CHECK_MSG(fabs(found[i] - expected) < 1e-12, "frame %zu at %.17g", i, found[i]);
    }
}

TEST(all_is_the_whole_clip_with_its_end)
{
    check_whole("self", "all", 30, 28, "time");
    check_whole("self", "all:10", 10, 10, "time");
    check_whole("self", "all:4", 4, 5, "time");
    check_whole("self", "all:0.5", 0.5, 2, "time");
    check_whole("sweep", "all:4", 4, 4, "to");
}

TEST(all_ends_with_the_longest_clip)
{
    command_result run = RUN("collide", "builtin:man:600", DWARF, "--clip-b", "none", "--times",
                             "all:2", "--count", "--json");
    double times[2][100];
    size_t counts[2] = {read_times(&run, "time", times[0]), 0};
    CHECK(run.code == 0);
    run = RUN("collide", DWARF, "builtin:man:600", "--times", "all:2", "--count", "--json");
    counts[1] = read_times(&run, "time", times[1]);
    CHECK(counts[0] == counts[1] && counts[0] > 2);
    CHECK(times[0][counts[0] - 1] == times[1][counts[1] - 1] && times[0][counts[0] - 1] > 0.9);
}

TEST(all_of_nothing)
{
    command_result run = RUN("self", "builtin:ball", "--times", "all", "--json");
    CHECK(run.code == 0 && count_lines(run.out) == 1 && strstr(run.err, "has no clips"));
    run = RUN("sweep", "builtin:ball", "--times", "all");
    CHECK(run.code == 2 && !run.out[0] && count_lines(run.err) == 1);
    CHECK(strstr(run.err, "has no clip, and a sweep takes two frames"));
    run = RUN("self", DWARF, "--times", "all:1e8");
    CHECK(run.code == 2 && !run.out[0] && count_lines(run.err) == 1);
    CHECK(strstr(run.err, "more than ten million frames"));
}

/* ---- warnings ------------------------------------------------------------------------------- */

/* So many warnings, the first of which has the text in it; standard output has only lines. */
static void check_warned(command_result run, size_t warnings, const char *text, int line)
{
    test_check(run.code == 0, __FILE__, line, "exit code %d", run.code);
    test_check(count_lines(run.err) == warnings, __FILE__, line, "%zu warnings, not %zu: %s",
               count_lines(run.err), warnings, run.err);
    test_check(!warnings ||
                   (strncmp(run.err, "graze: warning: ", 16) == 0 && strstr(run.err, text)),
               __FILE__, line, "no %s in %s", text, run.err);
    test_check(!strstr(run.out, "warning"), __FILE__, line, "a warning on standard output");
}

#define WARNED(warnings, text, ...) check_warned(RUN(__VA_ARGS__), warnings, text, __LINE__)

TEST(times_past_the_end_are_warned_about)
{
    WARNED(0, "", "self", DWARF, "--times", "0:0.9:10");
    WARNED(0, "", "self", DWARF, "--time", "0.9");
    WARNED(1, "clip walk begins at 0 s; its first pose holds from -2 s on", "self", DWARF,
           "--times", "-2:0:1");
    WARNED(1, "from -5 s on", "self", DWARF, "--time", "-5", "--json");
    WARNED(1, "from -0.5 s on, --phase included", "collide", DWARF, "--phase", "-0.5", "--count");
    WARNED(1, "from -1 s on", "collide", DWARF, "--time", "-1", "--count");
    WARNED(2, "from -1 s on", "self", DWARF, "--times", "-1:2:1", "--count");
    WARNED(0, "", "self", DWARF, "--times", "0:5:1", "--clip", "none");
    WARNED(1, "clip walk ends at 0.9 s; its last pose holds until 2 s", "self", DWARF, "--times",
           "0:2:5", "--json");
    WARNED(1, "until 3 s", "self", DWARF, "--time", "3");
    WARNED(1, "until 1.4 s, --phase included", "collide", DWARF, "--times", "0:0.5:5", "--phase",
           "1", "--count");
    WARNED(1, "until 2 s", "collide", DWARF, "--times", "0:2:1", "--count");
    WARNED(1, "until 2 s", "pose", DWARF, "--time", "2", "-o", "/dev/null");
    WARNED(1, "until 2 s", "sweep", DWARF, "--times", "0:2:1");
    WARNED(1, "until 2 s", "ray", DWARF, "--origin", "0,0,5", "--dir", "0,0,-1", "--time", "2");
    WARNED(1, "until 2 s", "touch", DWARF, "--point", "0,0,0", "--time", "2");
    WARNED(1, "until 2 s", "distance", DWARF, "--time", "2");
}

TEST(times_without_a_clip_are_warned_about)
{
    WARNED(0, "", "self", "builtin:ball");
    WARNED(0, "", "self", "builtin:ball", "--time", "0");
    WARNED(0, "", "collide", DWARF, "builtin:ball", "--times", "0:0.9:5", "--count");
    WARNED(1, "builtin:ball has no clips", "self", "builtin:ball", "--times", "0:1:2");
    WARNED(1, "builtin:ball has no clips", "self", "builtin:ball", "--time", "1");
    WARNED(1, "builtin:ball has no clips", "collide", "builtin:ball", "--times", "0:1:2",
           "--count");
}

/* What is printed does not change with a warning: the values hold. */
TEST(values_hold_past_the_end)
{
    command_result past = RUN("collide", DWARF, "--at", "0.3,0,0", "--time", "7", "--json");
    command_result end = RUN("collide", DWARF, "--at", "0.3,0,0", "--time", "0.9", "--json");
    const char *pairs[2] = {strstr(past.out, "\"hit\""), strstr(end.out, "\"hit\"")};
    size_t length = pairs[0] ? (size_t)(strstr(pairs[0], "\"us\"") - pairs[0]) : 0;
    CHECK(length > 100 && pairs[1] && strncmp(pairs[0], pairs[1], length) == 0);
}
