/* What is measured, and the tables of it. */
#ifndef GRAZE_CUDA_TIMES_MEASURE_H
#define GRAZE_CUDA_TIMES_MEASURE_H

#include "setup.h"

enum { MOST_SIZES = 20, KERNELS = 5, MOST_LINES = 64 };

/* Medians, in milliseconds; times of kernels by the device's clock. */
typedef struct times_report {
    const char *folder; /* of CSV files; NULL: none */
    graze_cuda_info info;
    double open_ms;
    size_t sizes[MOST_SIZES], size_count;
    double cpu[2][2][MOST_SIZES];          /* M1, M2; one thread, all */
    double kernel[2][KERNELS][MOST_SIZES]; /* M1, M2; by graze_chain_cuda_kernel */
    double call[2][MOST_SIZES];   /* M1, M2; on the device, until the host knows it is done */
    double from_host[MOST_SIZES]; /* M1; poses and flags in host memory */
    char lines[MOST_LINES][160];
    uint32_t line_count;
} times_report;

void measure_cpu(setup *setup, times_report *report);

/* Every kernel, M1 and M2, all results: prints and returns whether all poses are equal. */
bool compare_all(setup *setup, graze_cuda *cuda, times_report *report);

void measure_sizes(setup *setup, graze_cuda *cuda, times_report *report);
/* A launch of the kernel for many poses, M1, then M2. */
void profile(setup *setup, graze_cuda *cuda);

void measure_blocks(setup *setup, graze_cuda *cuda, times_report *report);
void measure_transfers(setup *setup, graze_cuda *cuda, times_report *report);

void add_line(times_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void print_report(const times_report *report);

#endif
