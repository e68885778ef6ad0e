/* Starting graze-bench, a program of its own, so that the command does without the tables. */
#include "cli/bench.h"

#include "cli/options.h"
#include "cli/room.h"

#include <errno.h>
#include <unistd.h>

#define PROGRAM "graze-bench"

/* Returns only if there is no such program beside the command. */
static void start_beside(char **words)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof PROGRAM);
    while (length > 0 && path[length - 1] != '/')
        length--;
    if (length <= 0)
        return;
    memcpy(path + length, PROGRAM, sizeof PROGRAM);
    execv(path, words);
}

int bench_start(const bench_options *options, int argc, char **argv)
{
    (void)options;
    char **words = room((size_t)argc + 2, sizeof *words);
    words[0] = PROGRAM;
    if (argc)
        memcpy(words + 1, argv, (size_t)argc * sizeof *words);
    start_beside(words);
    execvp(PROGRAM, words);
    int reason = errno;
    free(words);
    if (reason == ENOENT)
        return fail_usage("bench: there is no " PROGRAM
                          " beside this command or on PATH; make all builds it");
    return fail_usage("bench: " PROGRAM ": %s", strerror(reason));
}
