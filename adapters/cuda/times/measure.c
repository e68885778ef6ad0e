#include "measure.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 101, CAPACITY = 64 };

static const char *const kernel_names[KERNELS] = {"best", "block a pose", "sphere a thread",
                                                  "lane a pose", "lane, plain"};

void add_line(times_report *report, const char *format, ...)
{
    va_list arguments;
    if (report->line_count == MOST_LINES)
        return;
    va_start(arguments, format);
    vsnprintf(report->lines[report->line_count++], sizeof *report->lines, format, arguments);
    va_end(arguments);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

static void choose_sizes(const setup *s, times_report *report)
{
    static const size_t all[] = {1,   2,    5,    10,   20,    50,    100,   200,
                                 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000};
    report->size_count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] <= s->pose_count)
            report->sizes[report->size_count++] = all[i];
}

/* As often as takes about a fifth of a second, 3 times at least. */
static size_t repeats_for(double seconds)
{
    const double n = 0.2 / (seconds + 1e-7);
    return n > MOST_REPEATS ? MOST_REPEATS : n < 3 ? 3 : (size_t)n;
}

static double time_cpu(graze_chain_batch *batch, const float *joints, size_t poses,
                       const graze_chain_results *results)
{
    double times[MOST_REPEATS];
    double start = now();
    must(graze_chain_batch_run(batch, joints, poses, results, NULL), NULL, "the CPU");
    const size_t repeats = repeats_for(now() - start);
    for (size_t i = 0; i < repeats; i++) {
        start = now();
        must(graze_chain_batch_run(batch, joints, poses, results, NULL), NULL, "the CPU");
        times[i] = 1e3 * (now() - start);
    }
    return median(times, repeats);
}

void measure_cpu(setup *s, times_report *report)
{
    graze_chain_results results = {.flags = must_allocate(s->pose_count)};
    choose_sizes(s, report);
    for (int all = 0; all < 2; all++)
        for (size_t i = 0; i < report->size_count; i++) {
            report->cpu[all][0][i] =
                time_cpu(s->batches[all], s->joints, report->sizes[i], &results);
            report->cpu[all][1][i] =
                time_cpu(s->threaded[all], s->joints, report->sizes[i], &results);
        }
    size_t hits = 0;
    must(graze_chain_batch_run(s->threaded[0], s->joints, s->pose_count, &results, NULL), NULL,
         "the CPU");
    for (size_t n = 0; n < s->pose_count; n++)
        hits += results.flags[n] == GRAZE_CHAIN_MEETS;
    const size_t last = report->size_count - 1;
    add_line(report,
             "CPU: %.3f us a human (M1), %.3f (M2) on one thread; %.3f, %.3f on %u; %.1f%% hit",
             1e3 * report->cpu[0][0][last] / (double)report->sizes[last],
             1e3 * report->cpu[1][0][last] / (double)report->sizes[last],
             1e3 * report->cpu[0][1][last] / (double)report->sizes[last],
             1e3 * report->cpu[1][1][last] / (double)report->sizes[last],
             graze_pool_threads(s->pool), 100.0 * (double)hits / (double)s->pose_count);
    free(results.flags);
}

static graze_chain_results take_results(const setup *s)
{
    const size_t n = s->pose_count;
    return (graze_chain_results){must_allocate(n), must_allocate(4 * n),
                                 must_allocate(4 * CAPACITY * n), CAPACITY,
                                 must_allocate(16 * (size_t)s->sphere_count * n)};
}

static void clear_results(const setup *s, graze_chain_results *results)
{
    const size_t n = s->pose_count;
    memset(results->flags, 0xa5, n);
    memset(results->counts, 0xa5, 4 * n);
    memset(results->pairs, 0xa5, 4 * CAPACITY * n);
    memset(results->spheres, 0xa5, 16 * (size_t)s->sphere_count * n);
}

static void free_results(graze_chain_results *results)
{
    free(results->flags);
    free(results->counts);
    free(results->pairs);
    free(results->spheres);
}

/* How many poses have the same flag, count, pairs and spheres, bit for bit. */
static size_t count_equal(const setup *s, const graze_chain_results *a,
                          const graze_chain_results *b)
{
    const size_t bytes = 16 * (size_t)s->sphere_count;
    size_t equal = 0;
    for (size_t n = 0; n < s->pose_count; n++)
        equal += a->flags[n] == b->flags[n] && a->counts[n] == b->counts[n] &&
                 memcmp(a->pairs + CAPACITY * n, b->pairs + CAPACITY * n, 4 * CAPACITY) == 0 &&
                 memcmp((char *)a->spheres + bytes * n, (char *)b->spheres + bytes * n, bytes) == 0;
    return equal;
}

bool compare_all(setup *s, graze_cuda *cuda, times_report *report)
{
    graze_chain_results here = take_results(s), there = take_results(s);
    graze_error error;
    bool all_equal = true;
    for (int all = 0; all < 2; all++) {
        graze_chain_cuda *chains = NULL;
        must(graze_chain_cuda_create(cuda, graze_chain_batch_tables(s->batches[all]), &chains,
                                     &error),
             &error, "chains on the device");
        clear_results(s, &here);
        must(graze_chain_batch_run(s->threaded[all], s->joints, s->pose_count, &here, &error),
             &error, "the CPU");
        size_t least = s->pose_count;
        for (int kernel = 0; kernel < KERNELS; kernel++) {
            graze_chain_cuda_call call = {0};
            call.joints = s->joints;
            call.pose_count = s->pose_count;
            call.results = there;
            call.pool = s->pool;
            call.kernel = (graze_chain_cuda_kernel)kernel;
            clear_results(s, &there);
            must(graze_chain_cuda_run(chains, &call, &error), &error, kernel_names[kernel]);
            const size_t equal = count_equal(s, &here, &there);
            if (equal != s->pose_count)
                add_line(report, "NOT EQUAL: M%d, %s: %zu of %zu poses", all + 1,
                         kernel_names[kernel], equal, s->pose_count);
            least = equal < least ? equal : least;
        }
        all_equal = all_equal && least == s->pose_count;
        add_line(report,
                 "M%d: %zu of %zu poses are equal bit for bit (flags, counts, pairs, "
                 "spheres) in all 5 kernels",
                 all + 1, least, s->pose_count);
        graze_chain_cuda_destroy(chains);
    }
    free_results(&here);
    free_results(&there);
    return all_equal;
}

/* Poses and flags on the device. */
typedef struct resident {
    graze_cuda *cuda;
    graze_chain_cuda *chains;
    void *joints, *flags;
} resident;

static resident open_resident(setup *s, graze_cuda *cuda, int all)
{
    graze_error error;
    resident r = {.cuda = cuda};
    const size_t bytes = 48 * (size_t)s->joint_count * s->pose_count;
    must(
        graze_chain_cuda_create(cuda, graze_chain_batch_tables(s->batches[all]), &r.chains, &error),
        &error, "chains on the device");
    must(graze_cuda_allocate(cuda, GRAZE_DEVICE, bytes, &r.joints, &error), &error, "memory");
    must(graze_cuda_allocate(cuda, GRAZE_DEVICE, s->pose_count, &r.flags, &error), &error,
         "memory");
    must(graze_cuda_upload(cuda, r.joints, s->joints, bytes, &error), &error, "upload");
    return r;
}

static void close_resident(resident *r)
{
    graze_chain_cuda_destroy(r->chains);
    graze_cuda_free(r->cuda, GRAZE_DEVICE, r->joints);
    graze_cuda_free(r->cuda, GRAZE_DEVICE, r->flags);
}

/* The median time of a kernel; *call, which may be NULL, that of a call as the host sees it. */
static double time_kernel(resident *r, graze_chain_cuda_kernel kernel, uint32_t threads,
                          size_t poses, double *call_ms)
{
    double kernels[MOST_REPEATS], calls[MOST_REPEATS];
    graze_error error;
    graze_chain_cuda_times times;
    graze_chain_cuda_call call = {0};
    call.joints = r->joints;
    call.joints_place = call.results_place = GRAZE_DEVICE;
    call.pose_count = poses;
    call.results.flags = r->flags;
    call.kernel = kernel;
    call.threads = threads;
    call.times = &times;
    for (int i = 0; i < 3; i++)
        if (graze_chain_cuda_run(r->chains, &call, &error))
            return -1; /* more threads than there are registers for */
    size_t repeats = repeats_for(1e-3 * times.kernel + 2e-5);
    for (size_t i = 0; i < repeats; i++) {
        const double start = now();
        must(graze_chain_cuda_run(r->chains, &call, &error), &error, "the device");
        calls[i] = 1e3 * (now() - start);
        kernels[i] = times.kernel;
    }
    if (call_ms)
        *call_ms = median(calls, repeats);
    return median(kernels, repeats);
}

static double time_from_host(setup *s, graze_chain_cuda *chains, const void *joints,
                             graze_memory_place place, graze_pool *pool, size_t poses,
                             uint8_t *flags, graze_chain_cuda_times *times)
{
    double all[MOST_REPEATS];
    graze_error error;
    graze_chain_cuda_call call = {0};
    call.joints = joints;
    call.joints_place = place;
    call.pose_count = poses;
    call.results.flags = flags;
    call.pool = pool;
    (void)s;
    must(graze_chain_cuda_run(chains, &call, &error), &error, "the device");
    double start = now();
    must(graze_chain_cuda_run(chains, &call, &error), &error, "the device");
    const size_t repeats = repeats_for(now() - start);
    for (size_t i = 0; i < repeats; i++) {
        start = now();
        must(graze_chain_cuda_run(chains, &call, &error), &error, "the device");
        all[i] = 1e3 * (now() - start);
    }
    if (times) {
        call.times = times;
        must(graze_chain_cuda_run(chains, &call, &error), &error, "the device");
    }
    return median(all, repeats);
}

void measure_sizes(setup *s, graze_cuda *cuda, times_report *report)
{
    uint8_t *flags = must_allocate(s->pose_count);
    for (int all = 0; all < 2; all++) {
        resident r = open_resident(s, cuda, all);
        for (size_t i = 0; i < report->size_count; i++) {
            for (int kernel = 0; kernel < KERNELS; kernel++)
                report->kernel[all][kernel][i] =
                    time_kernel(&r, (graze_chain_cuda_kernel)kernel, 0, report->sizes[i],
                                kernel ? NULL : &report->call[all][i]);
            if (!all)
                report->from_host[i] = time_from_host(s, r.chains, s->joints, GRAZE_HOST, s->pool,
                                                      report->sizes[i], flags, NULL);
        }
        close_resident(&r);
    }
    free(flags);
}

void profile(setup *s, graze_cuda *cuda)
{
    for (int all = 0; all < 2; all++) {
        resident r = open_resident(s, cuda, all);
        const double ms = time_kernel(&r, GRAZE_KERNEL_LANE_A_POSE, 0, s->pose_count, NULL);
        printf("M%d: %.3f ms\n", all + 1, ms);
        close_resident(&r);
    }
}

void measure_blocks(setup *s, graze_cuda *cuda, times_report *report)
{
    static const uint32_t threads[] = {64, 128, 192, 256, 320, 384, 512, 768, 1024};
    resident r = open_resident(s, cuda, 0);
    for (int kernel = GRAZE_KERNEL_BLOCK_A_POSE; kernel < KERNELS; kernel++) {
        char text[160] = "";
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            const double ms =
                time_kernel(&r, (graze_chain_cuda_kernel)kernel, threads[i], s->pose_count, NULL);
            char one[24];
            snprintf(one, sizeof one, " %u:%.3f", threads[i], ms);
            strncat(text, one, sizeof text - strlen(text) - 1);
        }
        add_line(report, "threads of a block, %s, ms:%s", kernel_names[kernel], text);
    }
    close_resident(&r);
}

void measure_transfers(setup *s, graze_cuda *cuda, times_report *report)
{
    graze_error error;
    const size_t bytes = 48 * (size_t)s->joint_count * s->pose_count;
    uint8_t *flags = must_allocate(s->pose_count);
    void *pinned = NULL;
    resident r = open_resident(s, cuda, 0);
    must(graze_cuda_allocate(cuda, GRAZE_PINNED, bytes, &pinned, &error), &error, "pinned memory");
    memcpy(pinned, s->joints, bytes);
    const struct {
        const char *name;
        const void *joints;
        graze_memory_place place;
        graze_pool *pool;
    } ways[] = {{"host, one thread copies", s->joints, GRAZE_HOST, NULL},
                {"host, all threads copy", s->joints, GRAZE_HOST, s->pool},
                {"pinned", pinned, GRAZE_PINNED, NULL}};
    for (int w = 0; w < 3; w++) {
        graze_chain_cuda_times times;
        const double ms = time_from_host(s, r.chains, ways[w].joints, ways[w].place, ways[w].pool,
                                         s->pose_count, flags, &times);
        add_line(report,
                 "%zu poses from %s: %.2f ms in all (%.1f GB/s); upload %.2f, kernel %.2f, "
                 "download %.3f",
                 s->pose_count, ways[w].name, ms, 1e-6 * (double)bytes / ms, (double)times.upload,
                 (double)times.kernel, (double)times.download);
    }
    const size_t last = report->size_count - 1;
    for (int all = 0; all < 2; all++) {
        const double ms = report->kernel[all][GRAZE_KERNEL_LANE_A_POSE][last];
        const double moved = (48.0 * s->joint_count + 1) * (double)report->sizes[last];
        add_line(report,
                 "M%d, %zu poses: %.3f ms of kernel, %.0f GB/s of poses: %.1f%% of %.2f TB/s",
                 all + 1, report->sizes[last], ms, 1e-6 * moved / ms,
                 1e5 * moved / ms / report->info.bandwidth, 1e-12 * report->info.bandwidth);
    }
    graze_cuda_free(cuda, GRAZE_PINNED, pinned);
    close_resident(&r);
    free(flags);
}
