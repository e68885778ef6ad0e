/* The graze command. */
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/names.h"
#include "cli/output.h"

#include <graze/graze.h>

#include <stdio.h>
#include <string.h>

const struct command *const commands[] = {
    &info_command,     &pose_command,     &collide_command, &self_command,     &ray_command,
    &distance_command, &sweep_command,    &touch_command,   &fit_command,      &chain_command,
    &world_command,    &simulate_command, &modes_command,   &compress_command, &synth_command,
    &demo_command,     &bench_command,    &help_command};
const size_t command_count = COUNT_OF(commands);

static bool is_model(const char *name)
{
    const char *dot = strrchr(name, '.');
    return strncmp(name, "builtin:", 8) == 0 ||
           (dot && (strcmp(dot, ".glb") == 0 || strcmp(dot, ".gltf") == 0));
}

const struct command *find_command(const char *name)
{
    suggestion near = {.word = name};
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
        suggestion_offer(&near, commands[i]->name);
    }
    if (near.name)
        fail_usage("there is no command %s; did you mean graze %s?", name, near.name);
    else if (is_model(name))
        fail_usage("there is no command %s; for what the model holds: graze info %s", name, name);
    else
        fail_usage("there is no command %s (see graze help)", name);
    return NULL;
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return fail_usage("no command given; graze help lists them, graze demo shows one at work");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_print_all();
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("graze %s\n", graze_version());
        return 0;
    }
    const struct command *command = find_command(argv[1]);
    return command ? command->run(argc - 2, argv + 2) : 2;
}

int main(int argc, char **argv)
{
    output_start();
    return output_finish(run(argc, argv));
}
