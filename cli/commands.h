/* The commands of graze, and the rows of options that several of them share. */
#ifndef GRAZE_CLI_COMMANDS_H
#define GRAZE_CLI_COMMANDS_H

#include "cli/options.h"

extern const struct command info_command, pose_command, collide_command, self_command, ray_command,
    distance_command, sweep_command, touch_command, fit_command, chain_command, world_command,
    simulate_command, modes_command, compress_command, synth_command, demo_command, bench_command,
    help_command;

/* All of them, in the order in which they are listed. */
extern const struct command *const commands[];
extern const size_t command_count;

/* NULL if there is none of that name, after a line on standard error. */
const struct command *find_command(const char *name);

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* ---- rows for a type with a field `options` of model_options -------------------------------- */

#define MODEL_TARGET(type, field) offsetof(type, options.field)

#define CLIP_ROW(type)                                                                             \
    {                                                                                              \
        "--clip", "NAME|INDEX|none", OPTION_TEXT, MODEL_TARGET(type, clip),                        \
            "animation clip (default: the first)"                                                  \
    }
#define TIMES_ROW(type)                                                                            \
    {                                                                                              \
        "--times", "FROM:TO:FPS|all", OPTION_TIMES, MODEL_TARGET(type, times),                     \
            "a frame for each time; all, all:FPS: the whole clip (30 fps)"                         \
    }
#define TIME_ROWS(type)                                                                            \
    {"--time", "T", OPTION_NUMBER, MODEL_TARGET(type, time),                                       \
     "time in the clip, seconds (default 0)"},                                                     \
        TIMES_ROW(type)
#define BUILD_ROWS(type)                                                                           \
    {"--skin", "linear|spherical|dual", OPTION_CHOICE, MODEL_TARGET(type, skin),                   \
     "kind of skinning (default linear)"},                                                         \
    {                                                                                              \
        "--tree", "default|paper|spheres", OPTION_CHOICE, MODEL_TARGET(type, tree),                \
            "boxes over patches, the 2005 paper's tree, or that tree refitted our way"             \
    }
#define JSON_ROW(type)                                                                             \
    {                                                                                              \
        "--json", NULL, OPTION_FLAG, MODEL_TARGET(type, json),                                     \
            "one JSON object per line on standard output"                                          \
    }

#define OUTPUT_ROWS(type)                                                                          \
    JSON_ROW(type),                                                                                \
        {"-o", "FILE", OPTION_FILE, MODEL_TARGET(type, out),                                       \
         "write what is printed there, whole or not at all"},                                      \
    {                                                                                              \
        "--csv", "FILE", OPTION_FILE, MODEL_TARGET(type, csv),                                     \
            "write a table there as well, for spreadsheets"                                        \
    }
#define REPORT_ROW(type)                                                                           \
    {                                                                                              \
        "--report", "OUT.html", OPTION_FILE, MODEL_TARGET(type, report),                           \
            "write a page there to look at in a browser; it needs no network"                      \
    }
#define PARTS_ROW(type)                                                                            \
    {                                                                                              \
        "--parts", NULL, OPTION_FLAG, offsetof(type, with_parts),                                  \
            "also name the body parts that meet, and in how many pairs"                            \
    }

/* Which parts of a model take part, and what its parts are. */
#define PART_ROWS(type)                                                                            \
    OPTION_HEADING_ROW("body parts"),                                                              \
        {"--part", "NAME[,NAME...]", OPTION_TEXT, MODEL_TARGET(type, part),                        \
         "only these, with all inside them; =NAME: it alone; -NAME: not it"},                      \
        {"--parts-by", "joint|mesh|material", OPTION_CHOICE, MODEL_TARGET(type, parts_by),         \
         "what a part is (default joint)"},                                                        \
    {                                                                                              \
        "--shape", "SHAPE.json", OPTION_INPUT, MODEL_TARGET(type, shape),                          \
            "parts of a shape file instead (see graze fit)"                                        \
    }
#define PART_B_ROW(type)                                                                           \
    {                                                                                              \
        "--part-b", "NAME[,NAME...]", OPTION_TEXT, MODEL_TARGET(type, part_b),                     \
            "only these parts of the second instance"                                              \
    }

/* Clip, times and build of every command with one model or two. */
#define MODEL_ROWS(type)                                                                           \
    OPTION_HEADING_ROW("the model and its clip"), CLIP_ROW(type), TIME_ROWS(type), BUILD_ROWS(type)

/* Where a second instance stands. */
#define SECOND_ROWS(type)                                                                          \
    OPTION_HEADING_ROW("the second instance"),                                                     \
        {"--at", "X,Y,Z", OPTION_VECTOR, MODEL_TARGET(type, at), "where it stands, file units"},   \
        {"--turn", "DEG", OPTION_NUMBER, MODEL_TARGET(type, turn),                                 \
         "its turn about +Y, degrees, before --at"},                                               \
        {"--phase", "S", OPTION_NUMBER, MODEL_TARGET(type, phase), "seconds added to its time"},   \
        {"--clip-b", "NAME|INDEX|none", OPTION_TEXT, MODEL_TARGET(type, clip_b),                   \
         "its clip (default: --clip)"},                                                            \
    {                                                                                              \
        "--skin-b", "linear|spherical|dual", OPTION_CHOICE, MODEL_TARGET(type, skin_b),            \
            "its kind of skinning (default: --skin)"                                               \
    }

/* The same for a command with one instance, which is placed as the second one of others. */
#define PLACED_ROWS(type)                                                                          \
    OPTION_HEADING_ROW("its place, as of the second instance of collide"),                         \
        {"--at", "X,Y,Z", OPTION_VECTOR, MODEL_TARGET(type, at), "where it stands, file units"},   \
        {"--turn", "DEG", OPTION_NUMBER, MODEL_TARGET(type, turn),                                 \
         "its turn about +Y, degrees, before --at"},                                               \
        {"--phase", "S", OPTION_NUMBER, MODEL_TARGET(type, phase), "seconds added to its time"},   \
        {"--clip-b", "NAME|INDEX|none", OPTION_TEXT, MODEL_TARGET(type, clip_b),                   \
         "instead of --clip, where both are given"},                                               \
    {                                                                                              \
        "--skin-b", "linear|spherical|dual", OPTION_CHOICE, MODEL_TARGET(type, skin_b),            \
            "instead of --skin, where both are given"                                              \
    }

#define REPEAT_ROW(type)                                                                           \
    {                                                                                              \
        "--repeat", "N", OPTION_COUNT, offsetof(type, repeat),                                     \
            "report the fastest of N runs, caches dropped in between"                              \
    }

#endif
