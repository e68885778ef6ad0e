/* The graze command. */
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/output.h"

#include <graze/graze.h>

#include <stdio.h>
#include <string.h>

const struct command *const commands[] = {
    &info_command,     &pose_command,   &collide_command,  &self_command,  &ray_command,
    &distance_command, &sweep_command,  &touch_command,    &audit_command, &fit_command,
    &chain_command,    &world_command,  &simulate_command, &modes_command, &compress_command,
    &synth_command,    &replay_command, &demo_command,     &bench_command, &help_command};
const size_t command_count = COUNT_OF(commands);

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
    return command ? run_command(command, argc - 2, argv + 2) : 2;
}

int main(int argc, char **argv)
{
    output_start();
    return output_finish(run(argc, argv));
}
