/* In a build without graze::numerics. */
#include "cli/numerics.h"

#include "bench/bench.h"

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

bool bench_has_modes(void)
{
    return false;
}

int bench_modes(const bench_options *options)
{
    (void)options;
    return tell("bench modes");
}

int compress_run(compress_job *job)
{
    (void)job;
    return tell("compress");
}
