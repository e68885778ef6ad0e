#include "cli/print.h"

#include "cli/character.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void print_json_string(const char *text)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)(text ? text : ""); *c; c++) {
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    }
    putchar('"');
}

const char *format_number(char text[32], double number)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

void print_json_number(double number)
{
    char text[32];
    fputs(isfinite(number) ? format_number(text, number) : "null", stdout);
}

void print_json_float(float number)
{
    if (isfinite(number))
        printf("%.9g", (double)number);
    else
        fputs("null", stdout);
}

void print_json_stats(const graze_stats *stats)
{
    printf("\"stats\":{\"nodes_refit\":%llu,\"bound_tests\":%llu,\"patches_posed\":%llu,"
           "\"vertices_posed\":%llu,\"triangle_tests\":%llu}",
           (unsigned long long)stats->nodes_refit, (unsigned long long)stats->bound_tests,
           (unsigned long long)stats->patches_posed, (unsigned long long)stats->vertices_posed,
           (unsigned long long)stats->triangle_tests);
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

void note(const char *what)
{
    if (isatty(STDERR_FILENO)) {
        fprintf(stderr, "%s ...", what);
        fflush(stderr);
    }
}

void note_done(void)
{
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
