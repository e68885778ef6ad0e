/* graze bench: what it takes. The tables are measured by another program, graze-bench. */
#include "cli/bench.h"

#include "cli/commands.h"

#include <string.h>

static const char *const tables[] = {"lbs",   "sbs",   "bdtree",    "queries", "peers",
                                     "scale", "world", "positions", "cliffs",  "modes",
                                     "chain", "batch", "chairs",    "bridge",  "audit"};

/* Options that some tables take, and all of them together. */
static const struct {
    const char *name, *takers, *told;
} limited[] = {
    {"--limit", "cliffs", "is for cliffs"},
    {"--count", "chairs bridge audit", "is for chairs, bridge and audit"},
    {"--triangles", "batch chairs bridge audit", "is for batch, chairs, bridge and audit"},
    {"--seconds", "chairs bridge", "is for chairs and bridge"},
    {"--threads", "batch chairs bridge", "is for batch, chairs and bridge"},
    {"--only", "lbs sbs queries peers scale world positions cliffs chain batch chairs bridge audit",
     "is not for bdtree and modes"},
    {"--csv", "peers scale world positions cliffs chain audit",
     "is for peers, scale, world, positions, cliffs, chain and audit"},
    {"--plot", "lbs sbs peers scale chain", "is for lbs, sbs, peers, scale and chain"}};

static int check(const bench_options *options, const arguments *given)
{
    const bool all = strcmp(options->table, "all") == 0;
    if (options->rounds > 64)
        return fail_usage("bench: --rounds is at most 64");
    if (all && (options->only || options->csv))
        return fail_usage(
            "bench: --only and --csv need one table: --only lbs, sbs, queries, peers, scale, "
            "world, positions, cliffs, chain or audit");
    if (!(options->limit > 0))
        return fail_usage("bench: --limit must be above 0");
    for (size_t i = 0; !all && i < COUNT_OF(limited); i++)
        if (option_given(&bench_command, given, limited[i].name) &&
            !strstr(limited[i].takers, options->table))
            return fail_usage("bench: %s %s", limited[i].name, limited[i].told);
    if (option_given(&bench_command, given, "--seconds") && !(options->seconds > 0))
        return fail_usage("bench: --seconds must be above 0");
    if (options->threads > 256)
        return fail_usage("bench: --threads is at most 256");
    return 0;
}

static int run(void *job, const arguments *given)
{
    bench_options *options = job;
    options->table = given->name_count ? given->names[0] : tables[0];
    int code = check(options, given);
    return code ? code : bench_start(options, given->word_count, given->words);
}

static const char *table_at(size_t index)
{
    return index < COUNT_OF(tables) ? tables[index] : index == COUNT_OF(tables) ? "all" : NULL;
}

static const struct option rows[] = {
    {"--rounds", "N", OPTION_COUNT, AT(bench_options, rounds),
     "repetitions of every measurement, at most 64 (default 10)"},
    {"--models", "DIR", OPTION_FOLDER, AT(bench_options, models),
     "folder of model files for queries and peers (default: GRAZE_MODELS of the environment)"},
    {"--only", "TEXT", OPTION_TEXT, AT(bench_options, only),
     "not of bdtree, modes: what has this in its name (men, build)"},
    {"--csv", "FILE", OPTION_FILE, AT(bench_options, csv),
     "peers, scale, world, positions, cliffs, chain, audit: write the table there as well"},
    {"--plot", "DIR", OPTION_FOLDER, AT(bench_options, plot),
     "peers, scale, chain: draw it there, as SVG; lbs, sbs: the figures"},
    {"--limit", "S", OPTION_NUMBER, AT(bench_options, limit),
     "cliffs: end a measurement after so many seconds (default 20)"},
    {"--count", "N", OPTION_COUNT, AT(bench_options, count),
     "chairs, bridge: so many fall (default 60, 100); audit: clips shared (default 100000)"},
    {"--triangles", "N", OPTION_COUNT, AT(bench_options, triangles),
     "batch, audit: of each model; chairs, bridge: of each (default: the paper's)"},
    {"--seconds", "S", OPTION_NUMBER, AT(bench_options, seconds),
     "chairs, bridge: so long (default: until most is over)"},
    {"--threads", "N", OPTION_COUNT, AT(bench_options, threads),
     "batch: of the larger pool (default 2); chairs, bridge: on a step (default 1)"},
    {"--json", NULL, OPTION_FLAG, AT(bench_options, json), "one JSON object per line"}};

const struct command bench_command = {
    .name = "bench",
    .summary = "the measured tables, the papers' figures beside ours",
    .usage = "[TABLE] [options]",
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
        "  batch    many poses in one call: self-collision, pairs of two bodies and rays, on one\n"
        "           thread and on several, beside one by one; --only self, two, rays\n"
        "  chairs   chairs that flex while they crash (James & Pai 2004), simulated: a step\n"
        "           against that of rigid ones, on its own and on the same motion, and\n"
        "           against spheres updated in layers; --only models, rest, run,\n"
        "           replay\n"
        "  bridge   the same for fish on a swaying bridge; sizes of all models, and how tight\n"
        "           the bridge's spheres stay; --only models, curtain, run, replay\n"
        "  audit    graze audit a frame, against skinning all and Embree, Blender or Open3D;\n"
        "           from file to report; and a library shared by 1,000 nodes, from measured\n"
        "           times; --only frames, file, nodes\n"
        "  modes    vibration modes of plates of up to 20,000 vertices\n"
        "  all      all of them",
    .example = "graze bench peers --only man --rounds 10",
    OPTIONS(rows),
    JOB(bench_options, .rounds = 10, .limit = 20),
    .what = "table",
    .most_names = 1,
    .name_at = table_at,
    .run = run};
