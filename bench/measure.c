#define _GNU_SOURCE
#include "bench/bench.h"

#include "build_info.h"

#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

double bench_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double bench_processor(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024.0;
}

static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(name, size, "%.100s", strchr(line, ':') + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    if (file)
        fclose(file);
}

static void describe(const char *format, char *text, size_t size)
{
    char processor[128], date[32];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    processor_name(processor, sizeof processor);
    const char *isa = graze_isa_available(GRAZE_ISA_AVX512) ? "AVX-512"
                      : graze_isa_available(GRAZE_ISA_AVX2) ? "AVX2"
                                                            : "base";
    double load = 0;
    getloadavg(&load, 1);
    snprintf(text, size, format, graze_version(), GRAZE_BUILD_COMMIT, GRAZE_BUILD_COMPILER,
             GRAZE_BUILD_FLAGS, processor, isa, load, date);
}

void bench_describe_machine(char *text, size_t size)
{
    describe("graze %s, commit %s; %s, %s; %s, %s; load %.1f; %s", text, size);
}

void bench_print_machine(void)
{
    char text[BENCH_MACHINE_SIZE];
    describe(asked.json
                 ? "{\"graze\":\"%s\",\"commit\":\"%s\",\"compiler\":\"%s\",\"flags\":\"%s\","
                   "\"processor\":\"%s\",\"isa\":\"%s\",\"load\":%.1f,\"date\":\"%s\"}\n"
                 : "graze %s, commit %s\n%s, %s\n%s, %s, load %.1f\n%s\n",
             text, sizeof text);
    fputs(text, stdout);
}

void bench_add(bench_samples *samples, double value)
{
    if (samples->count < COUNT_OF(samples->values))
        samples->values[samples->count++] = value;
}

static int compare(const void *left, const void *right)
{
    double x = *(const double *)left, y = *(const double *)right;
    return x < y ? -1 : x > y;
}

double bench_least(const bench_samples *samples)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < samples->count; i++)
        least = fmin(least, samples->values[i]);
    return least;
}

double bench_middle(const bench_samples *samples)
{
    bench_samples sorted = *samples;
    qsort(sorted.values, sorted.count, sizeof *sorted.values, compare);
    return sorted.count ? sorted.values[sorted.count / 2] : NAN;
}

void bench_interleave(void (*ask)(void *user, int way), void *user, uint32_t ways, uint32_t rounds,
                      bench_time *times)
{
    bench_samples *samples = bench_take(ways, sizeof *samples);
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t way = 0; way < ways; way++) {
            ask(user, (int)way);
            double start = bench_now();
            ask(user, (int)way);
            bench_add(&samples[way], bench_now() - start);
        }
    for (uint32_t way = 0; way < ways; way++)
        times[way] = (bench_time){bench_least(&samples[way]), bench_middle(&samples[way])};
    free(samples);
}
