#include "cli/print.h"

#include "cli/character.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static bool no_times;

void print_without_times(void)
{
    no_times = true;
}

bool print_has_times(void)
{
    return !no_times;
}

void print_json_us(const char *name, double us)
{
    if (!no_times)
        printf(",\"%s\":%.2f", name, us);
}

struct progress progress_start(const char *what)
{
    double now = now_us();
    return (struct progress){.what = what, .start_us = now, .last_us = now, .mark_us = {now, now}};
}

/* Microseconds that are left, at the pace since the earlier mark; a mark is set every 3 seconds. */
static double time_left(struct progress *progress, double now, uint64_t done, uint64_t all)
{
    if (now - progress->mark_us[1] > 3e6) {
        progress->mark_us[0] = progress->mark_us[1];
        progress->mark_done[0] = progress->mark_done[1];
        progress->mark_us[1] = now;
        progress->mark_done[1] = done;
    }
    double gone = now - progress->mark_us[0], advanced = (double)(done - progress->mark_done[0]);
    if (!(advanced > 0)) { /* one step takes longer than that */
        gone = now - progress->start_us;
        advanced = (double)done;
    }
    return advanced > 0 ? gone * (double)(all - done) / advanced : 0;
}

void progress_show(struct progress *progress, uint64_t done, uint64_t all)
{
    double now = now_us();
    if (now - progress->start_us < 1e6 || now - progress->last_us < 1e5 || !isatty(STDERR_FILENO))
        return;
    progress->last_us = now;
    progress->drawn = true;
    int filled = (int)(30 * done / (all ? all : 1));
    double left = time_left(progress, now, done, all);
    bool minutes = left > 120e6;
    fprintf(stderr, "\r%s [%.*s%*s] %3d %%, %.0f %s left \033[K", progress->what, filled,
            "##############################", 30 - filled, "", (int)(100 * done / (all ? all : 1)),
            left * (minutes ? 1e-6 / 60 : 1e-6), minutes ? "min" : "s");
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
}

/* ---- work that cannot say how far it is --------------------------------------------------- */

static char noted[80];
static size_t noted_size;
static int note_depth; /* only the outermost is told */
static volatile sig_atomic_t note_seconds;

/* Calls nothing that a signal's handler may not. */
static void show_note(int number)
{
    char line[120] = "\r", digits[12];
    size_t size = 1, count = 0;
    int before = errno;
    (void)number;
    memcpy(line + size, noted, noted_size);
    size += noted_size;
    for (int left = ++note_seconds; left; left /= 10)
        digits[count++] = (char)('0' + left % 10);
    while (count)
        line[size++] = digits[--count];
    memcpy(line + size, " s\033[K", 5);
    if (write(STDERR_FILENO, line, size + 5) < 0)
        note_seconds = 0; /* nobody looks */
    errno = before;
}

static void set_clock(int seconds)
{
    struct itimerval every = {{seconds, 0}, {seconds, 0}};
    setitimer(ITIMER_REAL, &every, NULL);
}

void note(const char *what)
{
    if (!isatty(STDERR_FILENO) || note_depth++)
        return;
    struct sigaction action = {.sa_handler = show_note, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    snprintf(noted, sizeof noted, "%s ... ", what);
    noted_size = strlen(noted);
    note_seconds = 0;
    sigaction(SIGALRM, &action, NULL);
    set_clock(1);
}

void note_clear(void)
{
    if (note_depth == 0)
        return;
    set_clock(0);
    if (note_seconds)
        fputs("\r\033[K", stderr);
    note_seconds = 0;
}

void note_done(void)
{
    if (note_depth == 1)
        note_clear();
    note_depth -= note_depth > 0;
}
