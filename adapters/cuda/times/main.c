/* Times of batches of poses on the CPU and on a CUDA device, and whether both give the same bits.
 *
 *     graze_chain_times [--poses N] [--threads N] [--triangles N] [--out FOLDER]
 *                       [--cpu | --profile]
 *
 * --cpu leaves the device out; --profile runs only the kernel for many poses, for a profiler.
 * Tables go to standard output, rows of numbers to FOLDER/chain_times.csv. Exit status 0: all that
 * was compared is equal; 1: something failed or is not; 3: there is no device.
 */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
    size_t poses;
    uint32_t threads, triangles;
    const char *out;
    bool cpu, profile;
} options;

static options read_options(int count, char **words)
{
    options o = {100000, 2, 26292, NULL, false, false};
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        o.cpu = o.cpu || strcmp(words[i], "--cpu") == 0;
        o.profile = o.profile || strcmp(words[i], "--profile") == 0;
        if (strcmp(words[i], "--cpu") == 0 || strcmp(words[i], "--profile") == 0)
            continue;
        if (strcmp(words[i], "--poses") == 0)
            o.poses = strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--threads") == 0)
            o.threads = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--triangles") == 0)
            o.triangles = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--out") == 0)
            o.out = value;
        else {
            printf("unknown option: %s\n", words[i]);
            exit(2);
        }
        i++;
    }
    if (o.poses < 100) {
        printf("at least 100 poses are needed\n");
        exit(2);
    }
    return o;
}

int main(int count, char **words)
{
    const options o = read_options(count, words);
    setup s;
    graze_error error;
    graze_cuda *cuda = NULL;
    double start = now();
    setup_open(&s, o.triangles, o.poses, o.threads);
    printf(
        "man: %u triangles, %u joints, %u spheres, %u of %u pairs (M1, M2), %u pivots, %zu poses; "
        "made in %.1f s\n",
        o.triangles, s.joint_count, s.sphere_count,
        graze_chain_batch_tables(s.batches[0])->pair_count,
        graze_chain_batch_tables(s.batches[1])->pair_count,
        graze_chain_batch_tables(s.batches[0])->pivot_count, s.pose_count, now() - start);
    if (o.out) {
        char path[512];
        snprintf(path, sizeof path, "%s/man.bin", o.out);
        if (!setup_write_arrays(&s, path))
            printf("%s cannot be written\n", path);
    }
    times_report report = {.folder = o.out};
    if (!o.profile)
        measure_cpu(&s, &report);
    if (o.cpu) {
        print_report(&report);
        setup_close(&s);
        return 0;
    }
    start = now();
    if (graze_cuda_open(0, NULL, &cuda, &error)) {
        printf("%s\n", error.text);
        return 3;
    }
    report.open_ms = 1e3 * (now() - start);
    report.info = graze_cuda_get_info(cuda);
    if (o.profile) {
        profile(&s, cuda);
        return 0;
    }
    const bool equal = compare_all(&s, cuda, &report);
    measure_sizes(&s, cuda, &report);
    measure_blocks(&s, cuda, &report);
    measure_transfers(&s, cuda, &report);
    print_report(&report);
    graze_cuda_close(cuda);
    setup_close(&s);
    return equal ? 0 : 1;
}
