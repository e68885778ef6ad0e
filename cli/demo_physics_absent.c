/* In a build without graze::ode. */
#include "cli/demo.h"
#include "cli/options.h"

static int tell(const char *scene)
{
    return fail_usage(
        "demo %s: this build has no physics engine; install libode-dev and build again "
        "(make all does)",
        scene);
}

int demo_ragdoll(const demo_job *job)
{
    (void)job;
    return tell("ragdoll");
}

int demo_soccer(const demo_job *job)
{
    (void)job;
    return tell("soccer");
}
