#include "cli/commands.h"
#include "cli/options.h"

int command_sweep(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail_usage("sweep: not there yet");
}
