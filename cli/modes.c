/* Vibration modes of a mesh, as a model with a morph target for each. */
#include "cli/commands.h"
#include "cli/numerics.h"

static int run(void *task, const arguments *given)
{
    modes_job *job = task;
    const char *missing = !job->count                                           ? "-m N"
                          : !option_given(&modes_command, given, "--thickness") ? "--thickness T"
                          : !job->path                                          ? "-o OUT.glb"
                                                                                : NULL;
    if (missing)
        return fail_usage("modes: no %s given (see graze help modes)", missing);
    if (job->rayleigh && option_given(&modes_command, given, "--damping"))
        return fail_usage("modes: give --damping or --rayleigh, not both");
    job->model = given->names[0];
    return modes_run(job);
}

static const struct option rows[] = {
    {"-m", "N", OPTION_COUNT, AT(modes_job, count), "how many, from the lowest"},
    {"-o", "OUT.glb", OPTION_GLB, AT(modes_job, path), "the file to write"},
    JSON_ROWS,
    OPTION_HEADING_ROW("the sheet"),
    {"--thickness", "T", OPTION_NUMBER, AT(modes_job, thickness), "metres"},
    {"--young", "PA", OPTION_NUMBER, AT(modes_job, young),
     "Young's modulus (default 210e9, steel)"},
    {"--density", "KG_M3", OPTION_NUMBER, AT(modes_job, density),
     "kilograms a cubic metre (default 7850, steel)"},
    {"--poisson", "NU", OPTION_NUMBER, AT(modes_job, poisson),
     "Poisson's ratio (default 0.3, steel)"},
    {"--clamp", "AXIS:FROM:TO", OPTION_TEXTS, AT(modes_job, clamps),
     "hold all vertices with x, y or z in that range; may be given again"},
    OPTION_HEADING_ROW("what goes with the modes"),
    {"--damping", "RATIO", OPTION_NUMBER, AT(modes_job, damping),
     "of critical damping, of all modes (default 0)"},
    {"--rayleigh", "ALPHA,BETA", OPTION_TEXT, AT(modes_job, rayleigh),
     "damping by mass (1/s) and stiffness (s) instead"},
    {"--amplitude", "SHARE", OPTION_NUMBER, AT(modes_job, amplitude),
     "largest displacement at weight 1, of the model's diagonal (default 0.05)"},
    MAX_MEMORY_ROW};

const struct command modes_command = {
    .name = "modes",
    .summary = "vibration modes of a mesh, as morph targets",
    .usage = "MODEL -m N --thickness T [options] -o OUT.glb",
    .about =
        "Takes the mesh, as its file poses it, for a thin sheet of one material, finds its lowest\n"
        "vibration modes and writes it with a morph target for each, a clip that plays one mode\n"
        "after the other and a clip for each mode. Prints their frequencies in Hz, how many modes\n"
        "were left out because nothing bends in them, and the mass in kg. Coordinates are metres.",
    .example = "graze modes builtin:chair -m 10 --thickness 0.002 --clamp y:-1:0.05 -o chair.glb",
    OPTIONS(rows),
    JOB(modes_job, .options = {.skin_b = -1, .clip = "none"}, .young = 210e9, .density = 7850,
        .poisson = 0.3, .amplitude = 0.05),
    ONE_MODEL,
    .run = run};
