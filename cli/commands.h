/* The commands of graze. Each takes the arguments behind its name and returns the exit code. */
#ifndef GRAZE_CLI_COMMANDS_H
#define GRAZE_CLI_COMMANDS_H

int command_info(int argc, char **argv);
int command_pose(int argc, char **argv);
int command_collide(int argc, char **argv);
int command_self(int argc, char **argv);
int command_ray(int argc, char **argv);
int command_distance(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_touch(int argc, char **argv);
int command_synth(int argc, char **argv);
int command_demo(int argc, char **argv);
int command_bench(int argc, char **argv);

/* Rows of an option table for the options that all commands with a model share. */
#define MODEL_OPTION_ROWS(o)                                                                       \
    {"--clip", "NAME|INDEX|none", OPTION_TEXT, &(o).clip, "animation clip (default: the first)"},  \
        {"--time", "T", OPTION_NUMBER, &(o).time, "time in the clip, seconds (default 0)"},        \
        {"--times", "FROM:TO:FPS", OPTION_RANGE, &(o).times, "a frame for each time, seconds"},    \
        {"--skin", "linear|spherical|dual", OPTION_CHOICE, &(o).skin,                              \
         "kind of skinning (default linear)"},                                                     \
        {"--tree", "default|paper|spheres", OPTION_CHOICE, &(o).tree,                              \
         "boxes over patches, the 2005 paper's tree, or that tree refitted our way"},              \
    {                                                                                              \
        "--json", NULL, OPTION_FLAG, &(o).json, "one JSON object per line on standard output"      \
    }

/* And for a second instance. */
#define PLACING_OPTION_ROWS(o)                                                                     \
    {"--at", "X,Y,Z", OPTION_VECTOR, (o).at, "where the second instance stands, file units"},      \
        {"--turn", "DEG", OPTION_NUMBER, &(o).turn, "its turn about +Y, degrees, before --at"},    \
        {"--phase", "S", OPTION_NUMBER, &(o).phase, "seconds added to its time"},                  \
        {"--skin-b", "linear|spherical|dual", OPTION_CHOICE, &(o).skin_b,                          \
         "its kind of skinning (default: --skin)"},                                                \
    {                                                                                              \
        "--clip-b", "NAME|INDEX|none", OPTION_TEXT, &(o).clip_b, "its clip (default: --clip)"      \
    }

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
