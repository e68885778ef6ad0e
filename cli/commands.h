/* The commands of graze, and the rows of options that several of them share. */
#ifndef GRAZE_CLI_COMMANDS_H
#define GRAZE_CLI_COMMANDS_H

#include "cli/options.h"

extern const struct command info_command, pose_command, collide_command, self_command, ray_command,
    distance_command, sweep_command, touch_command, audit_command, fit_command, chain_command,
    world_command, simulate_command, modes_command, compress_command, synth_command, replay_command,
    demo_command, bench_command, help_command;

/* All of them, in the order in which they are listed. */
extern const struct command *const commands[];
extern const size_t command_count;

/* NULL if there is none of that name, after a line on standard error. */
const struct command *find_command(const char *name);

/* Reads the words behind a command and carries it out. Returns the exit code. */
int run_command(const struct command *command, int argc, char **argv);

/* ---- rows of options ------------------------------------------------------------------------ */

#define OPTION_ROW(name, value, kind, offset, text)                                                \
    {                                                                                              \
        name, value, OPTION_##kind, offset, text                                                   \
    }
#define NO_TIMES_ROW                                                                               \
    OPTION_ROW("--no-times", NULL, NO_TIMES, 0,                                                    \
               "leave out of JSON and tables what a clock measured")
#define MAX_MEMORY_ROW                                                                             \
    OPTION_ROW("--max-memory", "MB", MEMORY, 0,                                                    \
               "memory a model file may ask for (default 64 times its size, at least 256)")

/* Of what begins with model_options. */
#define MODEL_ROW(name, value, kind, field, text)                                                  \
    OPTION_ROW(name, value, kind, offsetof(model_options, field), text)
#define CLIP_ROW                                                                                   \
    MODEL_ROW("--clip", "NAME|INDEX|none", TEXT, clip, "animation clip (default: the first)")
#define TIMES_ROW                                                                                  \
    MODEL_ROW("--times", "FROM:TO:FPS|all", TIMES, times,                                          \
              "a frame for each time; all, all:FPS: the whole clip (30 fps)")
#define SKIN_ROW                                                                                   \
    MODEL_ROW("--skin", "linear|spherical|dual", CHOICE, skin, "kind of skinning (default linear)")
#define BUILD_ROWS                                                                                 \
    SKIN_ROW,                                                                                      \
        MODEL_ROW("--tree", "default|paper|spheres", CHOICE, tree,                                 \
                  "boxes over patches, the 2005 paper's tree, or that tree refitted our way"),     \
        MAX_MEMORY_ROW
#define JSON_ROWS                                                                                  \
    MODEL_ROW("--json", NULL, FLAG, json, "one JSON object per line on standard output"),          \
        NO_TIMES_ROW
#define OUT_ROW                                                                                    \
    MODEL_ROW("-o", "FILE", FILE, out, "write what is printed there, whole or not at all")
#define OUTPUT_ROWS                                                                                \
    JSON_ROWS, OUT_ROW,                                                                            \
        MODEL_ROW("--csv", "FILE", FILE, csv, "write a table there as well, for spreadsheets")
#define REPORT_ROW                                                                                 \
    MODEL_ROW("--report", "OUT.html", FILE, report,                                                \
              "write a page there to look at in a browser; it needs no network")

/* Which parts of a model take part, and what its parts are. */
#define PARTS_BY_ROW                                                                               \
    MODEL_ROW("--parts-by", "joint|mesh|material", CHOICE, parts_by,                               \
              "what a part is (default joint)")
#define SHAPE_ROW                                                                                  \
    MODEL_ROW("--shape", "SHAPE.json", INPUT, shape,                                               \
              "parts of a shape file instead (see graze fit)")
#define PART_ROWS                                                                                  \
    OPTION_HEADING_ROW("body parts"),                                                              \
        MODEL_ROW("--part", "NAME[,NAME...]", TEXT, part,                                          \
                  "only these, with all inside them; =NAME: it alone; -NAME: not it"),             \
        PARTS_BY_ROW, SHAPE_ROW
#define PART_B_ROW                                                                                 \
    MODEL_ROW("--part-b", "NAME[,NAME...]", TEXT, part_b, "only these parts of the second instance")

/* Clip, times and build of every command with one model or two. */
#define MODEL_ROWS                                                                                 \
    OPTION_HEADING_ROW("the model and its clip"), CLIP_ROW,                                        \
        MODEL_ROW("--time", "T", NUMBER, time, "time in the clip, seconds (default 0)"),           \
        TIMES_ROW, BUILD_ROWS

/* Where a second instance stands, or an only one that is placed as the second one of others. */
#define AT_ROWS(heading, clip_text, skin_text)                                                     \
    OPTION_HEADING_ROW(heading),                                                                   \
        MODEL_ROW("--at", "X,Y,Z", VECTOR, at, "where it stands, file units"),                     \
        MODEL_ROW("--turn", "DEG", NUMBER, turn, "its turn about +Y, degrees, before --at"),       \
        MODEL_ROW("--phase", "S", NUMBER, phase, "seconds added to its time"),                     \
        MODEL_ROW("--clip-b", "NAME|INDEX|none", TEXT, clip_b, clip_text),                         \
        MODEL_ROW("--skin-b", "linear|spherical|dual", CHOICE, skin_b, skin_text)
#define SECOND_ROWS                                                                                \
    AT_ROWS("the second instance", "its clip (default: --clip)",                                   \
            "its kind of skinning (default: --skin)")
#define PLACED_ROWS                                                                                \
    AT_ROWS("its place, as of the second instance of collide",                                     \
            "instead of --clip, where both are given", "instead of --skin, where both are given")

#endif
