#include "bench/cliffs_process.h"

#include "bench/measure.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const double enough_us = 0.5e6; /* of repetitions */

/* From the process that measures: once when all is made, once with the figures. */
typedef struct message {
    bool fine;
    double seconds;
    size_t answers;
} message;

static void send_message(int pipe_end, message sent)
{
    if (write(pipe_end, &sent, sizeof sent) != sizeof sent)
        _exit(1);
}

/* The process that measures: it never comes back. */
static void measure(const cliff *row, uint32_t size, cliff_side side, uint32_t rounds, int pipe_end)
{
    message figures = {.fine = true, .seconds = INFINITY};
    void *state = row->make(size, side);
    send_message(pipe_end, (message){.fine = state != NULL});
    if (!state)
        _exit(1);
    double spent = 0;
    for (uint32_t i = 0; i < rounds && spent < enough_us && figures.fine; i++) {
        double start = bench_now();
        figures.answers = 0;
        figures.fine = row->run(state, &figures.answers);
        double taken = bench_now() - start;
        figures.seconds = fmin(figures.seconds, taken * 1e-6);
        spent += taken;
    }
    send_message(pipe_end, figures);
    _exit(0);
}

/* CLIFF_ENDED: there is a message; CLIFF_REFUSED: the process has ended without one. */
static cliff_end receive(int pipe_end, double limit, message *got)
{
    struct pollfd waits = {.fd = pipe_end, .events = POLLIN};
    int ready = poll(&waits, 1, limit < 2e6 ? (int)(limit * 1e3) : -1);
    if (ready == 0)
        return CLIFF_LATE;
    return ready == 1 && read(pipe_end, got, sizeof *got) == sizeof *got && got->fine
               ? CLIFF_ENDED
               : CLIFF_REFUSED;
}

static void await(pid_t child, int pipe_end, double limit, cliff_outcome *outcome)
{
    message got = {0};
    struct rusage usage = {0};
    outcome->end = receive(pipe_end, limit, &got);
    if (outcome->end == CLIFF_ENDED)
        outcome->end = receive(pipe_end, limit, &got);
    if (outcome->end == CLIFF_LATE)
        kill(child, SIGKILL);
    if (wait4(child, NULL, 0, &usage) == child)
        outcome->bytes = (double)usage.ru_maxrss * 1024;
    outcome->seconds = outcome->end == CLIFF_ENDED ? got.seconds : limit;
    outcome->answers = outcome->end == CLIFF_ENDED ? got.answers : 0;
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
        measure(row, size, side, options->rounds, ends[1]);
    }
    close(ends[1]);
    await(child, ends[0], options->limit, outcome);
    close(ends[0]);
}
