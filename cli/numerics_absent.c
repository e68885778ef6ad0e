/* In a build without graze::numerics. */
#include "cli/numerics.h"

static int tell(const char *command)
{
    return fail_usage("%s: this graze was built without its numerics (ARPACK, CHOLMOD, LAPACK); "
                      "make all installs them and builds it with them",
                      command);
}

int modes_run(modes_job *job)
{
    (void)job;
    return tell("modes");
}

int compress_run(compress_job *job)
{
    (void)job;
    return tell("compress");
}
