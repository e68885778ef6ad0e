/* Processor time, which a busy machine does not change, is what is measured and limited; where a
 * run is too short for that clock, the least of several by the wall's.
 */
#include "bench/cliffs_process.h"

#include "bench/measure.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double enough = 0.5; /* seconds of repetitions */
static const double brief = 2e-3; /* seconds, or so many ticks, too few for a processor's clock */
static const double few_ticks = 200;

/* From the process that measures. */
typedef struct figures {
    double seconds;
    size_t answers;
} figures;

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What is too short for that clock. */
static double brief_seconds(void)
{
    struct timespec tick;
    if (clock_getres(CLOCK_PROCESS_CPUTIME_ID, &tick))
        return INFINITY;
    return fmax(brief, few_ticks * ((double)tick.tv_sec + (double)tick.tv_nsec * 1e-9));
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
static void measure(const cliff *row, uint32_t size, cliff_side side, const bench_options *options,
                    int pipe_end)
{
    figures least = {.seconds = INFINITY};
    signal(SIGPROF, SIG_DFL);
    end_after(options->limit);
    void *state = row->make(size, side);
    if (!state)
        _exit(1);
    end_after(options->limit);
    double spent = 0, too_brief = brief_seconds();
    for (uint32_t i = 0; i < options->rounds && spent < enough; i++) {
        double start = processor_seconds(), wall = bench_now();
        least.answers = 0;
        if (!row->run(state, &least.answers))
            _exit(1);
        double taken = (bench_now() - wall) * 1e-6, worked = processor_seconds() - start;
        if (worked > too_brief)
            taken = worked;
        least.seconds = fmin(least.seconds, taken);
        spent += taken;
    }
    end_after(0);
    _exit(write(pipe_end, &least, sizeof least) == sizeof least ? 0 : 1);
}

static void await(pid_t child, int pipe_end, double limit, cliff_outcome *outcome)
{
    figures got;
    struct rusage usage = {0};
    int status = 0;
    bool told = read(pipe_end, &got, sizeof got) == sizeof got;
    if (wait4(child, &status, 0, &usage) == child)
        outcome->bytes = (double)usage.ru_maxrss * 1024;
    if (told) {
        outcome->end = CLIFF_ENDED;
        outcome->seconds = got.seconds;
        outcome->answers = got.answers;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        outcome->end = CLIFF_LATE;
        outcome->seconds = limit;
    }
}

void cliff_measure(const cliff *row, uint32_t size, cliff_side side, const bench_options *options,
                   cliff_outcome *outcome)
{
    int ends[2];
    *outcome = (cliff_outcome){.end = CLIFF_REFUSED};
    fflush(stdout); /* or both processes would print what waits */
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0) {
        fprintf(stderr, "graze: %s: %s\n", row->name, strerror(errno));
        return;
    }
    if (child == 0) {
        close(ends[0]);
        measure(row, size, side, options, ends[1]);
    }
    close(ends[1]);
    await(child, ends[0], options->limit, outcome);
    close(ends[0]);
}
