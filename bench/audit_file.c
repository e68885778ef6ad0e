/* From file to report: the command itself, in a process of its own. */
#define _GNU_SOURCE
#include "bench/audit.h"
#include "cli/commands.h"
#include "cli/output.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct file_run {
    const char *path, *threads;
    double user; /* microseconds of processor time, of the last run */
} file_run;

/* One run; its table goes nowhere. */
static void run_command_once(file_run *run)
{
    struct rusage used;
    int status = 0;
    char *words[] = {(char *)run->path, "--threads", (char *)run->threads};
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout))
            _exit(2);
        exit(output_finish(run_command(&audit_command, COUNT_OF(words), words)));
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child || status != 0)
        bench_die("bench: graze audit %s failed", run->path);
    run->user = (double)used.ru_utime.tv_sec * 1e6 + (double)used.ru_utime.tv_usec;
}

static void measure(const char *name, const char *path, uint32_t frames)
{
    file_run runs[2] = {{.path = path, .threads = "1"}, {.path = path, .threads = "2"}};
    bench_samples wall[2] = {{.count = 0}, {.count = 0}}, user[2] = {{.count = 0}, {.count = 0}};
    for (uint32_t round = 0; round < asked.rounds; round++)
        for (int i = 0; i < 2; i++) {
            double start = bench_now();
            run_command_once(&runs[i]);
            bench_add(&wall[i], bench_now() - start);
            bench_add(&user[i], runs[i].user);
        }
    for (int i = 0; i < 2; i++)
        bench_row("audit",
                  "model:%s method:%s:%-12s ms:%.3f:%9.1f ms_median:%.3f:%9.1f ratio:%.3f:%8.2f "
                  "pairs:%.0f user_ms:%.3f:%9.1f frames:%.0f:%7.0f :%-24s",
                  ROW_TEXTS(name, i ? "2 threads" : "1 thread", name),
                  ROW_NUMBERS(bench_least(&wall[i]) / 1000, bench_middle(&wall[i]) / 1000,
                              bench_least(&wall[0]) / bench_least(&wall[i]), NAN,
                              bench_least(&user[i]) / 1000, frames));
}

/* The model with the motion, or its own clips, as a file. */
static void measure_built_in(const char *name, const queries_motion *motion)
{
    char path[] = "/tmp/graze-audit-XXXXXX.glb";
    audit_scene scene;
    audit_scene_open(&scene, name, motion);
    const graze_rig *rig = scene.character.rig;
    uint32_t frames = 0;
    for (uint32_t clip = 0; clip < rig->clip_count; clip++)
        frames += graze_audit_frames(rig, clip, 30);
    audit_scene_save(&scene, path);
    measure(name, path, frames);
    unlink(path);
    audit_scene_close(&scene);
}

void audit_bench_file(void)
{
    char name[64];
    bench_say("\nFrom a file to the table, a process each time: milliseconds by the clock, the "
              "least of %u alternating rounds and\nthe middle one; ratio: how many times as fast "
              "as one thread; user: the least processor time.\n  %-12s %9s %9s %8s %9s %7s\n",
              asked.rounds, "", "ms", "median", "ratio", "user", "frames");
    measure_built_in(audit_scene_name(name, "man", 28272), &audit_dance);
    measure_built_in(audit_scene_name(name, "creature", 50000), NULL);
    snprintf(name, sizeof name, "%.40s/CesiumMan.glb", asked.models ? asked.models : "");
    if (asked.models && access(name, R_OK) == 0)
        measure("CesiumMan.glb", name, 61);
}
