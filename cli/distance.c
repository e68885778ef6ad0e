#include "cli/commands.h"
#include "cli/options.h"

int command_distance(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail_usage("distance: not there yet");
}
