/* Animated vertices as rigid motion and a few morph targets. */
#include "cli/commands.h"
#include "cli/numerics.h"

static int run(int argc, char **argv)
{
    compress_job job = {.options = {.skin_b = -1}};
    arguments given;
    parse_result parsed = parse_options(&compress_command, argc, argv, &job, &given);
    if (parsed != PARSE_OK)
        return parsed == PARSE_HELP_SHOWN ? 0 : 2;
    const char *missing = !job.options.times.given ? "--times FROM:TO:FPS"
                          : !job.count             ? "-m N"
                          : !job.path              ? "-o OUT.glb"
                                                   : NULL;
    if (missing)
        return fail_usage("compress: no %s given (see graze help compress)", missing);
    job.model = given.names[0];
    return compress_run(&job);
}

static const struct option rows[] = {
    {"-m", "N", OPTION_COUNT, offsetof(compress_job, count), "components, at most"},
    {"-o", "OUT.glb", OPTION_FILE, offsetof(compress_job, path), "the file to write"},
    JSON_ROW(compress_job),
    OPTION_HEADING_ROW("the model and its clip"),
    CLIP_ROW(compress_job),
    TIMES_ROW(compress_job),
    {"--skin", "linear|spherical|dual", OPTION_CHOICE, MODEL_TARGET(compress_job, skin),
     "kind of skinning (default linear)"}};

const struct command compress_command = {
    .name = "compress",
    .summary = "animated vertices as a few morph targets",
    .usage = "MODEL|FOLDER --times FROM:TO:FPS -m N [options] -o OUT.glb",
    .about =
        "Poses the model at every frame, takes its best rigid motion out and writes the rest as\n"
        "principal components: a model with at most N morph targets, its motion and their weights\n"
        "with a key at every frame. Of a folder the frames are its OBJ files in the order of "
        "their\n"
        "names, file k at k/FPS seconds. Prints the root mean square of the distances of vertices\n"
        "with 0, 1, ... N components, and the largest distance with N, in file units.",
    .example = "graze compress fox.glb --clip Run --times all -m 12 -o fox_run.glb",
    .options = rows,
    .option_count = COUNT_OF(rows),
    .what = "model",
    .least_names = 1,
    .most_names = 1,
    .run = run};
