/* graze-bench: the tables of `graze bench`, which starts it. */
#include "bench/bench.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/text.h"

#include <sys/wait.h>
#include <unistd.h>

const struct command *const commands[] = {&bench_command};
const size_t command_count = COUNT_OF(commands);

bench_options asked;

#ifndef GRAZE_HAVE_NUMERICS
void bench_modes(void)
{
    exit(output_finish(fail_usage(
        "bench modes: this graze was built without its numerics (ARPACK, CHOLMOD, LAPACK); "
        "make all installs them and builds it with them")));
}
#endif

static const struct {
    const char *name;
    void (*run)(void);
    bool needs_modes; /* all leaves it out where there are none */
} tables[] = {{"lbs", bench_lbs, false},       {"sbs", bench_sbs, false},
              {"bdtree", bench_bdtree, false}, {"queries", bench_queries, false},
              {"peers", bench_compare, false}, {"scale", bench_scale, false},
              {"world", bench_world, false},   {"positions", bench_positions, false},
              {"cliffs", bench_cliffs, false}, {"modes", bench_modes, true},
              {"chain", bench_chain, false},   {"batch", bench_batch, false},
              {"chairs", bench_chairs, true},  {"bridge", bench_bridge, true},
              {"audit", bench_audit, false}};

/* In a process of its own, so that the tables after it are measured whatever becomes of it. */
static int run_apart(void (*run)(void))
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run();
        exit(output_finish(0));
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        bench_die("bench: no process for a table");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int bench_start(const bench_options *options, int argc, char **argv)
{
#ifdef GRAZE_HAVE_NUMERICS
    const bool has_modes = true;
#else
    const bool has_modes = false;
#endif
    (void)argc, (void)argv;
    asked = *options;
    int worst = 0;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        if (strcmp(asked.table, tables[i].name) == 0)
            tables[i].run();
        if (strcmp(asked.table, "all") != 0 || (tables[i].needs_modes && !has_modes))
            continue;
        int code = run_apart(tables[i].run);
        worst = code > worst ? code : worst;
    }
    bench_csv_close();
    return worst;
}

int main(int argc, char **argv)
{
    output_start();
    return output_finish(run_command(&bench_command, argc - 1, argv + 1));
}

/* ---- what of a table ------------------------------------------------------------------------ */

static bool wanted; /* some of it was */

bool bench_wants(const char *name)
{
    bool wants = !asked.only || strstr(name, asked.only);
    wanted |= wants;
    return wants;
}

_Noreturn void bench_fail_only(const char *what)
{
    fflush(stdout);
    say_to(stderr, "graze: bench: no %s has %s in its name\n", what, asked.only ? asked.only : "");
    _exit(2);
}

void bench_end_only(const char *what)
{
    if (!wanted)
        bench_fail_only(what);
}

void bench_run_parts(const bench_part *parts, size_t count)
{
    bool whole = false;
    for (size_t i = 0; asked.only && i < count; i++)
        whole = whole || strcmp(parts[i].name, asked.only) == 0;
    for (size_t i = 0; i < count; i++) {
        if (!bench_wants(parts[i].name) || (whole && strcmp(parts[i].name, asked.only) != 0))
            continue;
        if (parts[i].run)
            parts[i].run();
        else
            parts[i].measure(parts[i].scene, parts[i].first);
        fflush(stdout);
    }
    bench_end_only("table");
}
