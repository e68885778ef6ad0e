#include "bench/bench.h"

#include "cli/commands.h"
#include "cli/options.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(const bench_options *options);
    bool has_parts; /* takes --only */
    bool has_files; /* takes --csv */
    bool has_plots; /* takes --plot */
    bool simulates; /* takes --count, --triangles, --seconds and --threads */
} tables[] = {
    {.name = "lbs", .run = bench_lbs, .has_parts = true, .has_plots = true},
    {.name = "sbs", .run = bench_sbs, .has_parts = true, .has_plots = true},
    {.name = "bdtree", .run = bench_bdtree},
    {.name = "queries", .run = bench_queries, .has_parts = true},
    {.name = "peers",
     .run = bench_compare,
     .has_parts = true,
     .has_files = true,
     .has_plots = true},
    {.name = "scale", .run = bench_scale, .has_parts = true, .has_files = true, .has_plots = true},
    {.name = "world", .run = bench_world, .has_parts = true, .has_files = true},
    {.name = "positions", .run = bench_positions, .has_parts = true, .has_files = true},
    {.name = "cliffs", .run = bench_cliffs, .has_parts = true, .has_files = true},
    {.name = "modes", .run = bench_modes},
    {.name = "chain", .run = bench_chain, .has_parts = true, .has_files = true, .has_plots = true},
    {.name = "chairs", .run = bench_chairs, .has_parts = true, .simulates = true},
    {.name = "bridge", .run = bench_bridge, .has_parts = true, .simulates = true}};

static int run_all(const bench_options *options)
{
    int worst = 0;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        if ((tables[i].run == bench_modes || tables[i].simulates) && !bench_has_modes())
            continue;
        int code = tables[i].run(options);
        worst = code > worst ? code : worst;
    }
    return worst;
}

typedef struct bench_job {
    bench_options options;
} bench_job;

/* What does not go together; 0 if all is well. */
static int check_line(const bench_options *options, const arguments *given, const char *name)
{
    if (options->rounds > 64)
        return fail_usage("bench: --rounds is at most 64");
    if (strcmp(name, "all") == 0 && (options->only || options->csv))
        return fail_usage(
            "bench: --only and --csv need one table: --only lbs, sbs, queries, peers, scale, "
            "world, positions, cliffs or chain");
    if (!(options->limit > 0))
        return fail_usage("bench: --limit must be above 0");
    if (option_given(&bench_command, given, "--limit") && strcmp(name, "all") != 0 &&
        strcmp(name, "cliffs") != 0)
        return fail_usage("bench: --limit is for cliffs");
    return 0;
}

/* What of a simulation's options this table does not take; 0 if all is well. */
static int check_simulation(const bench_options *options, const arguments *given, bool simulates)
{
    static const char *const names[] = {"--count", "--triangles", "--seconds", "--threads"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (!simulates && option_given(&bench_command, given, names[i]))
            return fail_usage("bench: %s is for chairs and bridge", names[i]);
    if (option_given(&bench_command, given, "--seconds") && !(options->seconds > 0))
        return fail_usage("bench: --seconds must be above 0");
    if (options->threads > 256)
        return fail_usage("bench: --threads is at most 256");
    return 0;
}

static int run(int argc, char **argv)
{
    bench_job job = {.options = {.rounds = 10, .limit = 20}};
    const bench_options *options = &job.options;
    arguments given;
    parse_result parsed = parse_options(&bench_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    const char *name = given.name_count ? given.names[0] : tables[0].name;
    int code = check_line(options, &given, name);
    if (code)
        return code;
    size_t i = 0;
    while (i < COUNT_OF(tables) && strcmp(name, tables[i].name) != 0)
        i++;
    bool all = i == COUNT_OF(tables);
    code = check_simulation(options, &given, all || tables[i].simulates);
    if (code)
        return code;
    if (all)
        return run_all(options);
    if (options->only && !tables[i].has_parts)
        return fail_usage("bench: --only is not for bdtree and modes");
    if (options->csv && !tables[i].has_files)
        return fail_usage("bench: --csv is for peers, scale, world, positions, cliffs and chain");
    if (options->plot && !tables[i].has_plots)
        return fail_usage("bench: --plot is for lbs, sbs, peers, scale and chain");
    return tables[i].run(options);
}

static const char *table_at(size_t index)
{
    return index < COUNT_OF(tables) ? tables[index].name : index == COUNT_OF(tables) ? "all" : NULL;
}

static const struct option rows[] = {
    {"--rounds", "N", OPTION_COUNT, offsetof(bench_job, options.rounds),
     "repetitions of every measurement, at most 64 (default 10)"},
    {"--models", "DIR", OPTION_FOLDER, offsetof(bench_job, options.models),
     "folder of model files for queries and peers (default: GRAZE_MODELS of the environment)"},
    {"--only", "TEXT", OPTION_TEXT, offsetof(bench_job, options.only),
     "not of bdtree, modes: what has this in its name (men, build)"},
    {"--csv", "FILE", OPTION_FILE, offsetof(bench_job, options.csv),
     "peers, scale, world, positions, cliffs, chain: write the table there as well"},
    {"--plot", "DIR", OPTION_FOLDER, offsetof(bench_job, options.plot),
     "peers, scale, chain: draw it there, as SVG; lbs, sbs: the figures"},
    {"--limit", "S", OPTION_NUMBER, offsetof(bench_job, options.limit),
     "cliffs: end a measurement after so many seconds (default 20)"},
    {"--count", "N", OPTION_COUNT, offsetof(bench_job, options.count),
     "chairs, bridge: so many fall (default 60 chairs, 100 fish; the paper: 3601, 12000)"},
    {"--triangles", "N", OPTION_COUNT, offsetof(bench_job, options.triangles),
     "chairs, bridge: of each (default: the paper's)"},
    {"--seconds", "S", OPTION_NUMBER, offsetof(bench_job, options.seconds),
     "chairs, bridge: so long (default: until most is over)"},
    {"--threads", "N", OPTION_COUNT, offsetof(bench_job, options.threads),
     "chairs, bridge: so many work on a step (default 1)"},
    {"--json", NULL, OPTION_FLAG, offsetof(bench_job, options.json), "one JSON object per line"}};

const struct command bench_command = {
    .name = "bench",
    .summary = "the measured tables, the papers' figures beside ours",
    .usage =
        "[lbs|sbs|bdtree|queries|peers|scale|world|positions|cliffs|chain|chairs|bridge|modes|all] "
        "[options]",
    .about =
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
        "  world    10 to 100,000 bodies in a world, the crowd of 50 creatures against eager\n"
        "           boxes and other broad phases, and what lean bodies take\n"
        "  cliffs   hard inputs beside ordinary ones of their size, and growth with size\n"
        "  chain    sphere chains (Madera et al. 2017): the fit of spheres, 40 frames of three\n"
        "           clips, and over random poses what overlaps are worth (--only truth: of\n"
        "           10,000)\n"
        "  chairs   chairs that flex while they crash (James & Pai 2004), simulated: a step\n"
        "           against that of rigid ones, on its own and on the same motion, and\n"
        "           against spheres updated in layers; --only models, rest, run,\n"
        "           replay\n"
        "  bridge   the same for fish on a swaying bridge; sizes of all models, and how tight\n"
        "           the bridge's spheres stay; --only models, curtain, run, replay\n"
        "  modes    vibration modes of plates of up to 20,000 vertices\n"
        "  all      all of them",
    .example = "graze bench peers --only man --rounds 10",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "table",
    .most_names = 1,
    .name_at = table_at,
    .run = run};
