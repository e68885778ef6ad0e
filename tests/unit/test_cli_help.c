/* Everything that comes from the table of commands: help, the manual page, the completion of
 * shells, and what is said about words that are not there.
 */
#include "harness.h"
#include "support/command.h"

#include <string.h>
#include <unistd.h>

static const char *const commands[] = {"info",     "pose",  "collide", "self",  "ray",
                                       "distance", "sweep", "touch",   "modes", "compress",
                                       "synth",    "demo",  "bench",   "help"};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* ---- help --------------------------------------------------------------------------------- */

TEST(help_of_a_command_is_its_option_help)
{
    for (int i = 0; i < COMMANDS; i++) {
        command_result by_command = RUN("help", commands[i]),
                       by_option = RUN(commands[i], "--help");
        CHECK(by_command.code == 0 && by_option.code == 0 && !by_command.err[0]);
        CHECK_MSG(strcmp(by_command.out, by_option.out) == 0, "help %s", commands[i]);
        CHECK_MSG(strncmp(by_command.out, "usage: graze ", 13) == 0, "help %s", commands[i]);
        CHECK_MSG(!strstr(by_command.out, "  --fail-on-hit") == !strstr(by_command.out, ", 1 coll"),
                  "help %s: an exit code that it has not", commands[i]);
    }
}

TEST(lines_of_help_fit_a_terminal)
{
    for (int i = 0; i < COMMANDS; i++) {
        command_result run = RUN("help", commands[i]);
        for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
            CHECK_MSG(strcspn(line, "\n") <= 120, "help %s: %.*s", commands[i],
                      (int)strcspn(line, "\n"), line);
    }
}

/* ---- files that are written when the command is built --------------------------------------- */

static void check_written(command_result run, const char *path)
{
    char whole[600];
    snprintf(whole, sizeof whole, "%s/%s", GRAZE_TEST_WRITTEN, path);
    char *written = read_whole_file(whole, NULL);
    CHECK(run.code == 0 && !run.err[0]);
    CHECK_MSG(written && strcmp(written, run.out) == 0, "%s is stale: build graze_command", path);
}

TEST(manual_and_completion_are_those_of_the_command)
{
    check_written(RUN("help", "--man"), "graze.1");
    check_written(RUN("help", "--completion", "bash"), "graze.bash");
    check_written(RUN("help", "--completion", "zsh"), "_graze");
    check_written(RUN("help", "--completion", "fish"), "graze.fish");
}

/* Every option in the help of a command, as roff writes its dashes, below the command's heading. */
TEST(the_manual_has_every_option)
{
    command_result manual = RUN("help", "--man");
    size_t options = 0;
    for (int i = 0; i < COMMANDS; i++) {
        command_result help = RUN("help", commands[i]);
        char heading[40];
        snprintf(heading, sizeof heading, "\n.SS %s\n", commands[i]);
        const char *section = strstr(manual.out, heading);
        const char *end = section ? strstr(section + 1, "\n.S") : NULL;
        CHECK_MSG(end != NULL, "no section %s", commands[i]);
        for (const char *at = help.out; end && (at = strstr(at, "\n  -")); at++) {
            char name[60] = "\\fB";
            size_t used = 3;
            for (const char *c = at + 3; *c > ' ' && used < 50; c++) {
                if (*c == '-')
                    name[used++] = '\\';
                name[used++] = *c;
            }
            snprintf(name + used, sizeof name - used, "\\fR");
            const char *found = strstr(section, name);
            bool is_help = strncmp(at + 3, "--help", 6) == 0;
            CHECK_MSG(is_help || (found && found < end), "%s of %s", name, commands[i]);
            options += !is_help;
        }
    }
    CHECK_MSG(options > 100, "%zu options", options);
}

/* What a shell makes of the file, where the shell is there. */
static void check_shell(const char *shell, const char *flag, const char *path)
{
    char line[900];
    snprintf(line, sizeof line, "command -v %s >/dev/null || exit 77; %s %s '%s/%s'", shell, shell,
             flag, GRAZE_TEST_WRITTEN, path);
    command_result run = command_run("/bin/sh", (const char *const[]){"-c", line, NULL});
    CHECK_MSG((run.code == 0 || run.code == 77) && !run.err[0], "%s: %s", path, run.err);
}

TEST(shells_can_read_their_files)
{
    check_shell("bash", "-n", "graze.bash");
    check_shell("zsh", "-n", "_graze");
    check_shell("fish", "--no-execute", "graze.fish");
    check_shell("groff", "-man -Tutf8 -ww -z", "graze.1");
}

/* What bash offers for the last of the words. */
static void check_offer(const char *words, const char *expected)
{
    char line[1200];
    snprintf(
        line, sizeof line,
        "cd '%s' && . '%s/graze.bash' && COMP_WORDS=(graze %s) && "
        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _graze 2>/dev/null; echo \"${COMPREPLY[*]}\"",
        scratch_folder(), GRAZE_TEST_WRITTEN, words);
    command_result run = command_run("/bin/bash", (const char *const[]){"-c", line, NULL});
    size_t length = strlen(expected);
    CHECK_MSG(strncmp(run.out, expected, length) == 0 && strcmp(run.out + length, "\n") == 0,
              "%s: %s, not %s %s", words, run.out, expected, run.err);
}

TEST(bash_completes)
{
    if (access("/bin/bash", X_OK))
        SKIP("there is no bash");
    CHECK(write_whole_file(scratch_path(0, "a man.glb"), "", 0));
    CHECK(write_whole_file(scratch_path(0, "notes.txt"), "", 0));
    check_offer("col", "collide");
    check_offer("s", "self sweep simulate synth");
    check_offer("collide --fi", "--first");
    check_offer("self x.glb --skin d", "dual");
    check_offer("self x.glb --skin ''", "linear spherical dual");
    check_offer("self x.glb --time ''", "");
    check_offer("info ''", "a man.glb");
    check_offer("pose x.glb -o no", "notes.txt");
    check_offer("demo cu", "curtain");
    check_offer("bench pe", "peers");
    check_offer("help di", "distance");
    check_offer("info --ti", "");
}

/* ---- words that are not there --------------------------------------------------------------- */

/* Exit code 2, nothing on standard output, one line on standard error, which is the one given. */
static void check_says(const char *const *arguments, const char *expected)
{
    char text[400];
    command_result run = command_run(GRAZE_COMMAND, arguments);
    snprintf(text, sizeof text, "graze: %s\n", expected);
    CHECK_MSG(run.code == 2 && !run.out[0], "%s: exit code %d, %s", expected, run.code, run.out);
    CHECK_MSG(strcmp(run.err, text) == 0, "%s, not %s", run.err, text);
}

#define SAYS(expected, ...) check_says((const char *const[]){__VA_ARGS__, NULL}, expected)

TEST(slips_of_the_fingers)
{
    SAYS("there is no command colide; did you mean graze collide?", "colide", "a.glb");
    SAYS("there is no command Info; did you mean graze info?", "Info");
    SAYS("there is no command dist; did you mean graze distance?", "dist");
    SAYS("there is no command fly (see graze help)", "fly");
    SAYS("there is no command a.glb; for what the model holds: graze info a.glb", "a.glb");
    SAYS("help: there is no command colide; did you mean collide?", "help", "colide");
    SAYS("collide has no option --tmes; did you mean --times?", "collide", "a.glb", "--tmes", "0");
    SAYS("collide has no option --cuont; did you mean --count?", "collide", "a.glb", "--cuont=3");
    SAYS("demo: there is no scene mne; did you mean men?", "demo", "mne");
    SAYS("synth: there is no kind cratuer; did you mean creature?", "synth", "cratuer", "-o", "x");
    SAYS("bench: there is no table lsb; did you mean lbs?", "bench", "lsb");
    SAYS("collide: --skin daul: there is no such choice; did you mean dual?", "collide", "a.glb",
         "--skin", "daul");
    SAYS("collide: --skin needs linear|spherical|dual, not rubber", "collide", "a.glb", "--skin",
         "rubber");
    SAYS("builtin:bal: there is no such model; did you mean builtin:ball?", "info", "builtin:bal");
    SAYS("man: cannot open: No such file or directory; did you mean builtin:man?", "info", "man");
    SAYS("info has no option --a\\x0ab; it has --parts, --parts-by, --shape, --skin, --tree, "
         "--max-memory, "
         "--json, "
         "--no-times",
         "info", "--a\nb");
}

TEST(options_that_a_command_does_not_use)
{
    SAYS("info does not use --time; it has --parts, --parts-by, --shape, --skin, --tree, "
         "--max-memory, --json, "
         "--no-times",
         "info", "builtin:ball", "--time", "0");
    SAYS("sweep does not use --time; did you mean --times?", "sweep", "builtin:ball", "--time",
         "0");
    SAYS("sweep: --at is for a second instance, and --self has none", "sweep", "builtin:ball",
         "--self", "--times", "0:1:2", "--at", "0,0,0");
    SAYS("touch: --count is about triangles, and --point lists none", "touch", "builtin:ball",
         "--point", "0,0,0", "--count");
    SAYS("bench: --limit is for cliffs", "bench", "lbs", "--limit", "3");
    SAYS("self: give --time or --times, not both", "self", "builtin:ball", "--time", "0", "--times",
         "0:1:2");
    SAYS("help: one thing at a time: a command, --man or --completion", "help", "self", "--man");
    SAYS("demo does not use --fail-on-hit; it has --json, --no-times, --report, -o, --threads, "
         "--seconds, "
         "--players, --capsules",
         "demo", "--fail-on-hit");
}
