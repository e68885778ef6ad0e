/* The graze command. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

#include <graze/graze.h>

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"info", command_info, "what a model file holds, and the tree built for it"},
    {"pose", command_pose, "write a posed model as OBJ, the very floats that queries use"},
    {"collide", command_collide, "which triangles of two posed models meet, exactly"},
    {"self", command_self, "which triangles of one posed model meet each other, exactly"},
    {"ray", command_ray, "where a ray meets a posed model"},
    {"distance", command_distance, "how far two posed models are apart, and where"},
    {"sweep", command_sweep, "when two moving models first touch between frames"},
    {"touch", command_touch, "which triangles meet a sphere, box or plane; is a point inside"},
    {"synth", command_synth, "write a procedural model as GLB"},
    {"demo", command_demo, "a built-in scene: lazy against eager, frame by frame"},
    {"bench", command_bench, "the measured tables, the papers' figures beside ours"},
};

static void print_help(void)
{
    printf("graze %s: exact, lazy collision detection for everything that deforms\n\n"
           "usage: graze COMMAND ...\n\n",
           graze_version());
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].summary);
    printf("\ngraze COMMAND --help tells more. A model is a glTF 2.0 file (.glb or .gltf),\n"
           "or builtin:KIND (see graze synth --list), with :TRIANGLES for another size.\n");
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return fail_usage("no command given (see graze --help)");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("graze %s\n", graze_version());
        return 0;
    }
    for (size_t i = 0; i < COUNT_OF(commands); i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    return fail_usage("unknown command %s (see graze --help)", argv[1]);
}

int main(int argc, char **argv)
{
    output_start();
    return output_finish(run(argc, argv));
}
