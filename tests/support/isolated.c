#include "support/isolated.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAID_YES = 40, SAID_NO = 41 };

bool test_isolated(bool (*call)(void *user), void *user, unsigned seconds, const char **how)
{
    const char *unused;
    int status = 0;
    if (!how)
        how = &unused;
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGALRM, SIG_DFL);
        alarm(seconds);
        bool yes = call(user);
        fflush(stdout);
        fflush(stderr);
        _exit(yes ? SAID_YES : SAID_NO);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    bool ended = WIFEXITED(status);
    if (ended && WEXITSTATUS(status) == SAID_YES)
        *how = "said yes";
    else if (ended && WEXITSTATUS(status) == SAID_NO)
        *how = "said no";
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        *how = "did not come back";
    else
        *how = "crashed";
    return ended && WEXITSTATUS(status) == SAID_YES;
}
