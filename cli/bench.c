#include "bench/bench.h"

#include "cli/commands.h"
#include "cli/options.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const bench_options *options);
    bool has_files; /* takes --only and --csv */
    bool has_plots; /* takes --plot */
} tables[] = {{"lbs", bench_lbs, false, false},
              {"sbs", bench_sbs, false, false},
              {"bdtree", bench_bdtree, false, false},
              {"queries", bench_queries, false, false},
              {"peers", bench_compare, true, true},
              {"scale", bench_scale, true, true},
              {"positions", bench_positions, false, false},
              {"cliffs", bench_cliffs, true, false}};

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
    bench_options options = {.rounds = 10, .limit = 20};
    const char *names[1] = {"lbs"};
    const struct option rows[] = {
        {"--rounds", "N", OPTION_COUNT, &options.rounds,
         "repetitions of every measurement, at most 64 (default 10)"},
        {"--models", "DIR", OPTION_TEXT, &options.models,
         "folder of model files for queries and peers (default: GRAZE_MODELS of the environment)"},
        {"--only", "TEXT", OPTION_TEXT, &options.only,
         "peers, scale, cliffs: what has this in its name (man, robot:60000; triangles; build)"},
        {"--csv", "FILE", OPTION_TEXT, &options.csv,
         "peers, scale, cliffs: write the table there as well"},
        {"--plot", "DIR", OPTION_TEXT, &options.plot, "peers, scale: draw it there, as SVG"},
        {"--limit", "S", OPTION_NUMBER, &options.limit,
         "cliffs: end a measurement after so many seconds (default 20)"},
        {"--json", NULL, OPTION_FLAG, &options.json, "one JSON object per line"}};
    command_line line = {
        .command = "bench",
        .usage = "[lbs|sbs|bdtree|queries|peers|scale|positions|cliffs|all] [options]",
        .summary =
            "Measures the tables and prints the papers' figures beside ours.\n"
            "  lbs      linear blend skinning (Kavan & Zara 2005); the default\n"
            "  sbs      spherical blend skinning (Kavan, O'Sullivan & Zara 2006), and dual\n"
            "           quaternions\n"
            "  bdtree   displacement fields (James & Pai 2004)\n"
            "  queries  rays, self-collision, distances, sweeps, shapes and contacts,\n"
            "           against doing everything first and against Embree and FCL\n"
            "  peers    pairs and rays of two characters, against tuned eager boxes, Embree,\n"
            "           FCL, Bullet, ODE and CGAL; of some also themselves and distances; in\n"
            "           the end what was promised, before and now\n"
            "  scale    cost against triangles, joints, influences and bodies, against tuned\n"
            "           eager boxes; building and memory\n"
            "  positions  cloth and characters whose positions were computed elsewhere: pairs and\n"
            "           self-collision, against tuned eager boxes, Embree and FCL, checked by\n"
            "           brute force\n"
            "  cliffs   hard inputs beside ordinary ones of their size, and growth with size\n"
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
    if (strcmp(names[0], "all") == 0 && (options.only || options.csv))
        return fail_usage("bench: --only and --csv need one table, peers, scale or cliffs");
    if (!(options.limit > 0))
        return fail_usage("bench: --limit must be above 0");
    if (strcmp(names[0], "all") == 0)
        return run_all(&options);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (strcmp(names[0], tables[i].name) == 0) {
            if ((options.only || options.csv) && !tables[i].has_files)
                return fail_usage("bench: --only and --csv are for peers, scale and cliffs");
            if (options.plot && !tables[i].has_plots)
                return fail_usage("bench: --plot is for peers and scale");
            return tables[i].run(&options);
        }
    return fail_usage("bench: there is no table %s (see graze bench --help)", names[0]);
}
