/* What goes in and out of the command: full disks, files that are opened before the work, - as
 * standard output, outputs without times that compare byte by byte.
 */
#define _XOPEN_SOURCE 700 /* posix_openpt */

#include "harness.h"
#include "support/command.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A line of shell in the scratch folder, with man.glb and scene.json in it; graze is the command.
 */
static command_result run_shell(const char *line)
{
    static const char scene[] =
        "{\"seconds\": 0.5, \"fps\": 30, \"bodies\": [{\"name\": \"man\", \"model\": \"man.glb\", "
        "\"clip\": 0}, {\"name\": \"ball\", \"sphere\": 0.3, \"at\": [0, 1, 1], \"velocity\": "
        "[0, 0, -3]}]}";
    static bool made;
    char text[1200];
    if (!made) {
        made = true;
        command_result run = run_shell("graze synth man --triangles 1500 -o man.glb");
        CHECK_MSG(run.code == 0, "%s", run.err);
        CHECK(write_whole_file(scratch_path(0, "scene.json"), scene, strlen(scene)));
    }
    snprintf(text, sizeof text, "cd '%s'; %s", scratch_folder(), line);
    return RUN_SHELL(text);
}

/* Exit code 2, one line that has the text, nothing on standard output, no file more than before. */
static void check_line_refused(const char *line, const char *text)
{
    command_result run = run_shell("true");
    size_t files = scratch_count();
    run = run_shell(line);
    CHECK_MSG(run.code == 2 && !run.out[0] && strstr(run.err, text),
              "%s: exit code %d, %.100s: no %s in %s", line, run.code, run.out, text, run.err);
    CHECK_MSG(scratch_count() == files, "%s: %zu files, not %zu", line, scratch_count(), files);
}

#define SIMULATE "simulate chairs --rigid --count 1 --triangles 400 --seconds 0.02 "
#define MODES "modes builtin:curtain:400 -m 2 --thickness 0.01 "
#define COMPRESS "compress man.glb --times all:5 -m 2 "

/* ---- full disks --------------------------------------------------------------------------- */

TEST(a_full_disk_is_called_one)
{
    static const char *const lines[] = {"pose man.glb -o /dev/full",
                                        "collide man.glb --at 0.2,0,0 -o /dev/full",
                                        "self man.glb --json -o /dev/full",
                                        "ray man.glb --origin 0,1,5 --dir 0,0,-1 -o /dev/full",
                                        "distance man.glb --at 2,0,0 -o /dev/full",
                                        "sweep man.glb --at 2,0,0 --times 0:1:2 -o /dev/full",
                                        "touch man.glb --sphere 0,1,0,1 -o /dev/full",
                                        "chain man.glb -o /dev/full",
                                        "chain man.glb --json -o /dev/full",
                                        "fit man.glb -o /dev/full",
                                        "fit man.glb --triangles 400 --mesh-out /dev/full",
                                        "world scene.json -o /dev/full >/dev/null",
                                        "synth ball -o /dev/full",
                                        SIMULATE "-o /dev/full >/dev/null",
                                        SIMULATE "--log /dev/full >/dev/null",
                                        SIMULATE "--save /dev/full >/dev/null",
                                        "self man.glb --csv /dev/full >/dev/null",
                                        "self man.glb --report /dev/full >/dev/null",
                                        "demo --report /dev/full >/dev/null",
                                        "help >/dev/full",
                                        "info man.glb >/dev/full",
                                        "self man.glb --json >/dev/full",
                                        "chain man.glb --json >/dev/full",
                                        "fit man.glb --json >/dev/full",
                                        "world scene.json --json >/dev/full",
                                        SIMULATE "--json >/dev/full",
                                        "bench lbs --only binary --rounds 1 >/dev/full",
                                        "synth ball -o - >/dev/full",
#ifdef GRAZE_TEST_ODE
                                        "demo soccer --seconds 0.02 --players 1 >/dev/full",
                                        "demo ragdoll >/dev/full",
#endif
#ifdef GRAZE_TEST_NUMERICS
                                        MODES "-o /dev/full",
                                        COMPRESS "-o /dev/full",
                                        MODES "-o x.glb >/dev/full",
                                        COMPRESS "-o x.glb >/dev/full"
#endif
    };
    char line[200];
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "graze %s", lines[i]);
        check_line_refused(line, "No space left on device");
    }
}

/* ---- before the work ---------------------------------------------------------------------- */

/* Each takes much longer than the second of computing that it is given. */
TEST(what_cannot_be_written_is_told_before_the_work)
{
    static const char *const lines[] = {
        "world long.json -o missing/x.glb",
        "synth creature --triangles 4000000 -o missing/x.glb",
        "pose builtin:creature:4000000 -o missing/x.obj",
        "simulate chairs --rigid --count 500 --seconds 99 -o missing/x.glb",
#ifdef GRAZE_TEST_ODE
        "demo soccer --seconds 3000 -o missing/x.glb",
#endif
#ifdef GRAZE_TEST_NUMERICS
        "modes builtin:curtain:200000 -m 40 --thickness 0.01 -o missing/x.glb",
        "compress builtin:creature:100000 --times 0:99:100 -m 40 -o missing/x.glb"
#endif
    };
    static const char scene[] =
        "{\"seconds\": 9999, \"fps\": 60, \"bodies\": [{\"name\": \"man\", \"model\": \"man.glb\", "
        "\"clip\": 0}, {\"name\": \"ball\", \"sphere\": 0.3, \"at\": [0, 1, 1]}]}";
    char line[200];
    CHECK(write_whole_file(scratch_path(0, "long.json"), scene, strlen(scene)));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "ulimit -t 1; graze %s", lines[i]);
        check_line_refused(line, "cannot write: No such file or directory");
    }
}

/* What fails after the file was opened leaves what was there, also behind a link. */
TEST(a_run_that_fails_keeps_what_was_there)
{
    static const char *const lines[] = {
        "graze world bad.json -o kept.glb",
        "graze world scene.json -o link.glb >/dev/full",
        "graze synth ball -o link.glb >/dev/full",
        "graze pose man.glb -o link.glb",
        "graze fit man.glb --triangles 400 --mesh-out kept.glb -o missing/x.json",
        "graze fit man.glb --triangles 400 --mesh-out link.glb >/dev/full",
        "graze " SIMULATE "-o link.glb >/dev/full",
#ifdef GRAZE_TEST_ODE
        "graze demo soccer --seconds 0.02 --players 1 -o link.glb >/dev/full",
#endif
#ifdef GRAZE_TEST_NUMERICS
        "graze " MODES "-o link.glb >/dev/full",
        "graze " COMPRESS "-o kept.glb >/dev/full"
#endif
    };
    static const char scene[] = "{\"seconds\": 1, \"fps\": 30, \"bodies\": [{\"name\": \"man\", "
                                "\"model\": \"missing.glb\"}]}";
    command_result run = run_shell("echo kept >kept.glb; ln -s kept.glb link.glb");
    CHECK(write_whole_file(scratch_path(0, "bad.json"), scene, strlen(scene)));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        check_line_refused(lines[i], "graze: ");
        char *text = read_whole_file(scratch_path(0, "kept.glb"), NULL);
        CHECK_MSG(text && strcmp(text, "kept\n") == 0, "%s", lines[i]);
    }
    run = run_shell("graze synth ball -o link.glb && test -h link.glb && graze info kept.glb");
    CHECK_MSG(run.code == 0, "%s", run.err);
    remove(scratch_path(0, "link.glb"));
    remove(scratch_path(0, "kept.glb"));
}

TEST(other_formats_and_places_are_refused)
{
    static const char *const lines[][2] = {
        {"graze pose man.glb -o x.fbx", "it writes OBJ alone"},
        {"graze pose man.glb -o x.glb", "it writes OBJ alone"},
        {"graze synth ball -o x.obj", "it writes GLB alone"},
        {"graze synth ball -o x.gltf", "it writes GLB alone"},
        {"graze world scene.json -o x.html", "it writes GLB alone"},
        {"graze world scene.json --json -o -", "both want standard output"},
        {"graze pose man.glb --json -o -", "both want standard output"},
        {"graze pose man.glb --times all -o -", "--times makes one a frame"},
        {"graze fit man.glb --triangles 400 --mesh-out -", "--mesh-out needs a file"},
        {"graze self man.glb --csv -", "- is standard output"},
        {"graze self man.glb --report -", "- is standard output"},
        {"graze bench chain --only man", "no table has man in its name"},
        {"graze bench queries --only unicorn", "no table has unicorn in its name"}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line_refused(lines[i][0], lines[i][1]);
}

/* ---- standard output ---------------------------------------------------------------------- */

TEST(a_dash_is_standard_output)
{
    static const char *const lines[] = {
        "collide man.glb --at 0.2,0,0 --json --no-times",
        "self man.glb --json --no-times",
        "ray man.glb --origin 0,1,5 --dir 0,0,-1 --json --no-times",
        "distance man.glb --at 2,0,0 --json --no-times",
        "sweep man.glb --at 2,0,0 --times 0:1:2 --json --no-times",
        "touch man.glb --sphere 0,1,0,1 --json --no-times",
        "chain man.glb --json --no-times",
        "fit man.glb --json",
        "pose man.glb",
        "world scene.json",
        "synth ball",
        "simulate chairs --rigid --count 1 --triangles 400 --seconds 0.02",
#ifdef GRAZE_TEST_NUMERICS
        "modes builtin:curtain:400 -m 2 --thickness 0.01",
        "compress man.glb --times all:5 -m 2"
#endif
    };
    char line[500];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line,
                 "graze %s -o written >said && graze %s -o - 2>told >printed && "
                 "cmp written printed && test ! -e ./-; rm written printed said told",
                 lines[i], lines[i]);
        command_result run = run_shell(line);
        CHECK_MSG(run.code == 0 && !run.err[0] && !run.out[0], "%s: exit code %d: %s%s", lines[i],
                  run.code, run.err, run.out);
    }
}

/* ---- terminals ---------------------------------------------------------------------------- */

/* What the command says on a terminal that is its standard error. */
static void run_on_terminal(const char *const *argv, char *said, size_t size)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    size_t used = 0;
    ssize_t more = 0;
    REQUIRE(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    REQUIRE(other >= 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_WRONLY);
        if (dup2(nothing, STDOUT_FILENO) >= 0 && dup2(other, STDERR_FILENO) >= 0)
            execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    int status = 0;
    close(other);
    while ((more = read(terminal, said + used, size - 1 - used)) > 0)
        used += (size_t)more;
    said[used] = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(terminal);
}

TEST(long_preparations_show_that_they_go_on)
{
    char said[4000];
    const char *const quick[] = {GRAZE_COMMAND, "synth", "ball", "-o", "/dev/null", NULL};
    const char *const slow[] = {GRAZE_COMMAND, "synth", "creature",  "--triangles",
                                "1500000",     "-o",    "/dev/null", NULL};
    run_on_terminal(quick, said, sizeof said);
    CHECK_MSG(!said[0], "%s", said);
    run_on_terminal(slow, said, sizeof said);
    CHECK_MSG(strstr(said, "making the model ... 1 s"), "%s", said);
    CHECK_MSG(strlen(said) > 6 && strcmp(said + strlen(said) - 4, "\r\033[K") == 0, "%s", said);
}

/* ---- examples ----------------------------------------------------------------------------- */

/* Lines of the page that choose parts find something. */
TEST(examples_of_parts_find_something)
{
    command_result run = run_shell("mkdir whole && cd whole && graze synth man -o man.glb");
    char *page = read_whole_file(GRAZE_TEST_SOURCE_DIR "/docs/command.md", NULL);
    size_t count = 0;
    REQUIRE(page);
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        char text[300];
        if (strncmp(line, "graze ", 6) != 0 ||
            !(strstr(line, " --part ") || strstr(line, " --between ")))
            continue;
        snprintf(text, sizeof text, "cd whole && %s --fail-on-hit", line);
        run = run_shell(text);
        CHECK_MSG(run.code == 1, "%s: %s%s", line, run.out, run.err);
        count++;
    }
    CHECK_MSG(count == 3, "%zu examples", count);
    run = run_shell("rm -r whole");
}

/* ---- times -------------------------------------------------------------------------------- */

/* What a clock measured, in any line. */
static const char *clock_field(const char *text)
{
    static const char *const names[] = {"us\":", "_ms\":"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(text, names[i]))
            return strstr(text, names[i]);
    return NULL;
}

/* Takes out the statistics, which methods differ in. */
static void forget_stats(char *text)
{
    for (char *at = text; (at = strstr(at, "\"stats\":{"));) {
        char *end = at + strcspn(at, "}");
        memmove(at, end, strlen(end) + 1);
    }
}

static void check_same(const char *one, const char *other, bool with_stats)
{
    command_result runs[2] = {run_shell(one), run_shell(other)};
    for (int i = 0; i < 2; i++) {
        CHECK_MSG(runs[i].code == 0 && strchr(runs[i].out, '{'), "%s: %s", i ? other : one,
                  runs[i].err);
        CHECK_MSG(!clock_field(runs[i].out), "%s: %.60s", i ? other : one,
                  clock_field(runs[i].out));
        if (!with_stats)
            forget_stats(runs[i].out);
    }
    CHECK_MSG(strcmp(runs[0].out, runs[1].out) == 0, "%s and %s differ", one, other);
}

#define ALIKE " --json --no-times"
#define PAIR "graze collide man.glb --at 0.2,0,0 --times all:5 --json --no-times"

TEST(outputs_without_times_compare)
{
    static const struct {
        const char *one, *other; /* NULL: the same again */
        bool without_stats;
    } lines[] = {
        {"graze info man.glb" ALIKE, NULL, false},
        {"graze info man.glb --parts" ALIKE, NULL, false},
        {"graze pose man.glb -o x.obj" ALIKE " && rm x.obj", NULL, false},
        {PAIR " --contacts --parts", NULL, false},
        {PAIR, PAIR " --repeat 3", false},
        {PAIR, PAIR " --method brute", true},
        {PAIR, PAIR " --method bottom-up", true},
        {PAIR, PAIR " -o -", false},
        {"graze self man.glb --times all:5" ALIKE, NULL, false},
        {"graze self man.glb --times all:5" ALIKE,
         "graze self man.glb --times all:5 --method brute" ALIKE, true},
        {"graze ray man.glb --origin 0,1,5 --dir 0,0,-1" ALIKE, NULL, false},
        {"graze distance man.glb --at 2,0,0 --within 3 --closer-than 3" ALIKE, NULL, false},
        {"graze sweep man.glb --at 0.5,0,0 --times all:5" ALIKE, NULL, false},
        {"graze touch man.glb --sphere 0.2,1.3,0,0.3" ALIKE, NULL, false},
        {"graze touch man.glb --point 0,1,0" ALIKE, NULL, false},
        {"graze fit man.glb" ALIKE, NULL, false},
        {"graze chain man.glb --times all:5 --exact" ALIKE, NULL, false},
        {"graze world scene.json" ALIKE, "graze world scene.json --threads 3" ALIKE, false},
        {"graze " SIMULATE ALIKE, "graze " SIMULATE "--threads 3" ALIKE, false},
        {"graze demo" ALIKE, NULL, false},
        {"graze synth ball -o x.glb" ALIKE " && rm x.glb", NULL, false},
#ifdef GRAZE_TEST_ODE
        {"graze demo ragdoll" ALIKE, "graze demo ragdoll --threads 3" ALIKE, false},
        {"graze demo soccer --seconds 0.2 --players 2" ALIKE,
         "graze demo soccer --seconds 0.2 --players 2 --threads 3" ALIKE, false},
#endif
#ifdef GRAZE_TEST_NUMERICS
        {"graze " MODES "-o x.glb" ALIKE " && rm x.glb", NULL, false},
        {"graze " COMPRESS "-o x.glb" ALIKE " && rm x.glb", NULL, false},
#endif
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_same(lines[i].one, lines[i].other ? lines[i].other : lines[i].one,
                   !lines[i].without_stats);
}
