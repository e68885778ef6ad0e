#include "bench/bench.h"

#include "cli/commands.h"
#include "cli/options.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const bench_options *options);
} tables[] = {
    {"lbs", bench_lbs}, {"sbs", bench_sbs}, {"bdtree", bench_bdtree}, {"queries", bench_queries}};

static int run_all(const bench_options *options)
{
    int worst = 0;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        int code = tables[i].run(options);
        worst = code > worst ? code : worst;
    }
    return worst;
}

int command_bench(int argc, char **argv)
{
    bench_options options = {.rounds = 10};
    const char *names[1] = {"lbs"};
    const struct option rows[] = {
        {"--rounds", "N", OPTION_COUNT, &options.rounds,
         "repetitions of every measurement, at most 64 (default 10)"},
        {"--models", "DIR", OPTION_TEXT, &options.models,
         "folder of model files for queries (default: GRAZE_MODELS of the environment)"},
        {"--json", NULL, OPTION_FLAG, &options.json, "one JSON object per line"}};
    command_line line = {
        .command = "bench",
        .usage = "[lbs|sbs|bdtree|queries|all] [options]",
        .summary = "Measures the tables and prints the papers' figures beside ours.\n"
                   "  lbs      linear blend skinning (Kavan & Zara 2005); the default\n"
                   "  sbs      spherical blend skinning (Kavan, O'Sullivan & Zara 2006), and dual\n"
                   "           quaternions\n"
                   "  bdtree   displacement fields (James & Pai 2004)\n"
                   "  queries  rays, self-collision, distances, sweeps, shapes and contacts,\n"
                   "           against doing everything first and against Embree and FCL\n"
                   "  all      all of them",
        .options = rows,
        .option_count = COUNT_OF(rows),
        .positionals = names,
        .positional_limit = 1};
    parse_result parsed = parse_options(&line, argc, argv);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (options.rounds > 64)
        return fail_usage("bench: --rounds is at most 64");
    if (strcmp(names[0], "all") == 0)
        return run_all(&options);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (strcmp(names[0], tables[i].name) == 0)
            return tables[i].run(&options);
    return fail_usage("bench: there is no table %s (see graze bench --help)", names[0]);
}
