#include "cli/commands.h"
#include "cli/options.h"

int command_self(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return fail_usage("self: not there yet");
}
