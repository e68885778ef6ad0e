#include "bench/bench.h"

#include "cli/commands.h"
#include "cli/options.h"

#include <string.h>

int command_bench(int argc, char **argv)
{
    bench_options options = {.rounds = 10};
    const char *names[1];
    const struct option rows[] = {
        {"--rounds", "N", OPTION_COUNT, &options.rounds,
         "repetitions of every measurement, at most 64 (default 10)"},
        {"--json", NULL, OPTION_FLAG, &options.json, "one JSON object per line"}};
    command_line line = {.command = "bench",
                         .usage = "[lbs] [options]",
                         .summary = "Measures the tables and prints the papers' figures beside "
                                    "ours.\n  lbs   linear blend skinning (Kavan & Zara 2005); "
                                    "the default",
                         .options = rows,
                         .option_count = COUNT_OF(rows),
                         .positionals = names,
                         .positional_limit = 1};
    parse_result parsed = parse_options(&line, argc, argv);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    if (options.rounds > 64)
        return fail_usage("bench: --rounds is at most 64");
    if (line.positional_count == 0 || strcmp(names[0], "lbs") == 0)
        return bench_lbs(&options);
    return fail_usage("bench: there is no table %s (see graze bench --help)", names[0]);
}
