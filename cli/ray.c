#include "cli/commands.h"
#include "cli/options.h"

int command_ray(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail_usage("ray: not there yet");
}
