/* Processor time, which a busy machine does not change, is what is measured and limited; where a
 * run is too short for that clock, the least of several by the wall's.
 */
#define _GNU_SOURCE
#include "bench/cliffs.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double enough = 0.5; /* seconds of repetitions */
static const double brief = 2e-3; /* seconds, or so many ticks, too few for a processor's clock */
static const double few_ticks = 200;

/* What is too short for that clock. */
static double brief_seconds(void)
{
    struct timespec tick;
    if (clock_getres(CLOCK_PROCESS_CPUTIME_ID, &tick))
        return INFINITY;
    return fmax(brief, few_ticks * (tick.tv_sec + tick.tv_nsec * 1e-9));
}

/* Ends this process by a signal when it has worked for so long; 0: never. */
static void end_after(double seconds)
{
    struct itimerval timer = {.it_value = {0, 0}};
    if (seconds > 0) {
        double whole = floor(fmin(seconds, 1e6));
        timer.it_value.tv_sec = (time_t)whole;
        timer.it_value.tv_usec = (suseconds_t)fmax(1, fmin(seconds - whole, 0.999999) * 1e6);
    }
    setitimer(ITIMER_PROF, &timer, NULL);
}

/* The process that measures: it never comes back. */
static void measure(const cliff *row, uint32_t size, cliff_side side, int pipe_end)
{
    cliff_outcome least = {.end = CLIFF_ENDED, .seconds = INFINITY};
    signal(SIGPROF, SIG_DFL);
    end_after(asked.limit);
    void *state = row->make(size, side);
    end_after(asked.limit);
    double spent = 0, too_brief = brief_seconds();
    for (uint32_t i = 0; i < asked.rounds && spent < enough; i++) {
        double start = bench_processor(), wall = bench_now();
        least.answers = row->run(state);
        double taken = (bench_now() - wall) * 1e-6, worked = (bench_processor() - start) * 1e-6;
        if (worked > too_brief)
            taken = worked;
        least.seconds = fmin(least.seconds, taken);
        spent += taken;
    }
    end_after(0);
    _exit(write(pipe_end, &least, sizeof least) == sizeof least ? 0 : 1);
}

cliff_outcome cliff_measure(const cliff *row, uint32_t size, cliff_side side)
{
    int ends[2], status = 0;
    struct rusage usage = {0};
    cliff_outcome outcome = {.end = CLIFF_REFUSED};
    fflush(stdout); /* or both processes would print what waits */
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
        bench_die("%s: %s", row->name, strerror(errno));
    if (child == 0) {
        close(ends[0]);
        measure(row, size, side, ends[1]);
    }
    close(ends[1]);
    if (read(ends[0], &outcome, sizeof outcome) != sizeof outcome)
        outcome = (cliff_outcome){.end = CLIFF_REFUSED};
    if (wait4(child, &status, 0, &usage) == child)
        outcome.bytes = usage.ru_maxrss * 1024.0;
    if (outcome.end == CLIFF_REFUSED && WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        outcome.end = CLIFF_LATE;
        outcome.seconds = asked.limit;
    }
    close(ends[0]);
    return outcome;
}
