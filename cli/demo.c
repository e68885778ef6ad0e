#include "cli/commands.h"
int command_demo(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
int command_bench(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 0;
}
