/* Animated vertices as rigid motion and a few morph targets. */
#include "cli/commands.h"
#include "cli/numerics.h"

static int run(void *task, const arguments *given)
{
    compress_job *job = task;
    const char *missing = !job->options.times.given ? "--times FROM:TO:FPS"
                          : !job->count             ? "-m N"
                          : !job->path              ? "-o OUT.glb"
                                                    : NULL;
    if (missing)
        return fail_usage("compress: no %s given (see graze help compress)", missing);
    job->model = given->names[0];
    return compress_run(job);
}

static const struct option rows[] = {
    {"-m", "N", OPTION_COUNT, AT(compress_job, count), "components, at most"},
    {"-o", "OUT.glb", OPTION_GLB, AT(compress_job, path), "the file to write"},
    JSON_ROWS,
    OPTION_HEADING_ROW("the model and its clip"),
    CLIP_ROW,
    TIMES_ROW,
    SKIN_ROW,
    MAX_MEMORY_ROW};

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
    OPTIONS(rows),
    JOB(compress_job, .options = {.skin_b = -1}),
    ONE_MODEL,
    .run = run};
