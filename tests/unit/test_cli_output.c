/* Output that cannot be written: the graze command says so, and does not go on for nothing. */
#include "harness.h"
#include "support/command.h"

#include <string.h>
#include <unistd.h>

/* Runs a line of shell in which "graze" stands for the command, and kills it after some seconds of
 * computing, which is far more than any of the lines should take.
 */
static command_result run_shell(const char *line)
{
    char text[1000];
    snprintf(text, sizeof text, "ulimit -t 100; %s", line);
    return RUN_SHELL(text);
}

static void check_line_refused(const char *line)
{
    command_result run = run_shell(line);
    CHECK_MSG(run.code == 2, "%s: exit code %d", line, run.code);
    check_refused(&run, "", __FILE__, __LINE__);
}

/* Every way to print something, and the options it needs. */
static const char *const lines[] = {
    "--help",
    "-h",
    "help",
    "--version",
    "info --help",
    "pose --help",
    "collide --help",
    "self --help",
    "ray --help",
    "distance --help",
    "sweep --help",
    "touch --help",
    "synth --help",
    "demo --help",
    "bench --help",
    "synth --list",
    "info builtin:ball",
    "pose builtin:ball -o /dev/null",
    "collide builtin:ball",
    "collide builtin:ball --contacts --fail-on-hit",
    "self builtin:ball",
    "ray builtin:ball --origin 0,0,5 --dir 0,0,-1",
    "distance builtin:ball",
    "sweep builtin:ball --times 0:1:4",
    "touch builtin:ball --sphere 0,0,0,1",
    "synth ball -o /dev/null",
};

TEST(a_full_device_is_an_error)
{
    char line[200];
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(line, sizeof line, "graze %s >/dev/full", lines[i]);
        check_line_refused(line);
        snprintf(line, sizeof line, "graze %s --json >/dev/full", lines[i]);
        if (strstr(lines[i], "builtin") || strstr(lines[i], "-o"))
            check_line_refused(line);
    }
    check_line_refused("graze demo >/dev/full");
    check_line_refused("graze demo --json >/dev/full");
    check_line_refused("graze pose builtin:ball -o /dev/full");
    check_line_refused("graze synth ball -o /dev/full");
}

TEST(a_closed_output_is_an_error)
{
    check_line_refused("graze --help >&-");
    check_line_refused("graze info builtin:ball --json >&-");
    check_line_refused("graze collide builtin:ball >&-");
    /* What is printed must not end up in a file that took the number of standard output. */
    run_shell("graze bench scale --only nothing --csv closed.csv --json >&-");
    char *table = read_whole_file("closed.csv", NULL);
    CHECK_MSG(table && !strchr(table, '{'), "in the table: %.200s", table ? table : "nothing");
    remove("closed.csv");
}

TEST(a_failure_of_its_own_is_told_alone)
{
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    check_line_refused("graze info missing.glb >/dev/full");
    check_line_refused("graze collide builtin:ball --at 1e30,0,0 >/dev/full");
}

/* Ten million frames, which would take hours. */
#define MANY " --times 0:9999:1000 --repeat 100 "
#define FRAMES " builtin:ball --at 0.1,0,0" MANY

TEST(nothing_is_computed_for_an_output_that_failed)
{
    static const char *const endless[] = {"collide" FRAMES,
                                          "self" FRAMES,
                                          "distance" FRAMES,
                                          "sweep" FRAMES,
                                          ("ray" FRAMES "--origin 0,1,5 --dir 0,0,-1"),
                                          ("touch builtin:ball --sphere 0,1,0,0.1" MANY)};
    char line[200];
    if (access("/dev/full", W_OK))
        SKIP("there is no /dev/full");
    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        snprintf(line, sizeof line, "graze %s >/dev/full", endless[i]);
        check_line_refused(line);
        snprintf(line, sizeof line, "graze %s --json >/dev/full", endless[i]);
        check_line_refused(line);
    }
}

/* Quietly, whatever the command was told about broken pipes. */
static void check_broken_pipe(const char *line)
{
    command_result run = run_shell(line);
    CHECK_MSG(run.code == 0 && run.err[0] == 0, "%s: exit code %d: %s", line, run.code, run.err);
    CHECK_MSG(count_lines(run.out) == 1, "%s: %zu lines", line, count_lines(run.out));
}

TEST(a_reader_that_leaves_ends_the_command)
{
    check_broken_pipe("graze collide" FRAMES "--json | head -n 1");
    check_broken_pipe("graze collide" FRAMES "| head -n 1");
    check_broken_pipe("trap '' PIPE; graze collide" FRAMES "--json | head -n 1");
    check_broken_pipe("graze --help | head -n 1");
}
