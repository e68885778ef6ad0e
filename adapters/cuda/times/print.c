#include "measure.h"

#include <stdio.h>

/* The least batch from which one is always faster than the other; 0: none. */
static size_t crossing(const times_report *report, const double *slow, const double *fast)
{
    size_t from = 0;
    for (size_t i = report->size_count; i-- && fast[i] < slow[i];)
        from = report->sizes[i];
    return from;
}

static void write_csv(const times_report *report)
{
    char path[512];
    snprintf(path, sizeof path, "%s/chain_times.csv", report->folder);
    FILE *file = fopen(path, "w");
    if (!file) {
        printf("%s cannot be written\n", path);
        return;
    }
    fprintf(file, "poses,method,cpu_1_ms,cpu_all_ms,best_ms,block_a_pose_ms,sphere_a_thread_ms,"
                  "lane_a_pose_ms,lane_plain_ms,call_ms,from_host_ms\n");
    for (int all = 0; all < 2; all++)
        for (size_t i = 0; i < report->size_count; i++) {
            fprintf(file, "%zu,M%d,%.6f,%.6f", report->sizes[i], all + 1, report->cpu[all][0][i],
                    report->cpu[all][1][i]);
            for (int k = 0; k < KERNELS; k++)
                fprintf(file, ",%.6f", report->kernel[all][k][i]);
            fprintf(file, ",%.6f", report->call[all][i]);
            if (all)
                fprintf(file, ",\n");
            else
                fprintf(file, ",%.6f\n", report->from_host[i]);
        }
    fclose(file);
}

void print_report(const times_report *report)
{
    const bool device = report->info.multiprocessors != 0;
    if (report->folder)
        write_csv(report);
    if (device)
        printf(
            "%s, CUDA %u, capability %u, %u multiprocessors, %u bytes a block; opened in %.0f ms\n",
            report->info.name, report->info.driver_version, report->info.capability,
            report->info.multiprocessors, report->info.block_memory, report->open_ms);
    for (int all = 0; all < 2; all++) {
        printf("M%d, microseconds\n%8s %10s %10s %10s %10s %10s %10s %10s %10s %10s\n", all + 1,
               "poses", "CPU 1", "CPU all", "best", "block", "sphere", "lane", "plain", "call",
               "from host");
        for (size_t i = 0; i < report->size_count; i++) {
            printf("%8zu %10.1f %10.1f", report->sizes[i], 1e3 * report->cpu[all][0][i],
                   1e3 * report->cpu[all][1][i]);
            for (int k = 0; device && k < KERNELS; k++)
                printf(" %10.1f", 1e3 * report->kernel[all][k][i]);
            if (device)
                printf(" %10.1f %10.1f", 1e3 * report->call[all][i],
                       all ? 0.0 : 1e3 * report->from_host[i]);
            printf("\n");
        }
    }
    for (uint32_t i = 0; i < report->line_count; i++)
        printf("%s\n", report->lines[i]);
    if (device)
        printf("the GPU wins from (M1): %zu poses on it against one thread, %zu against all; %zu "
               "and %zu from host memory\n",
               crossing(report, report->cpu[0][0], report->call[0]),
               crossing(report, report->cpu[0][1], report->call[0]),
               crossing(report, report->cpu[0][0], report->from_host),
               crossing(report, report->cpu[0][1], report->from_host));
}
