/* Self-collision of many poses on a CUDA device: whether marks, counts, matrices and pairs are
 * those of the CPU, and how long it takes.
 *
 *     graze_self_times [--kind NAME] [--triangles N] [--poses N] [--threads N] [--noise M]
 *                      [--shift M] [--check]
 *
 * Poses are random times of a clip (of the kind NAME, "man"), every vertex moved by noise of up to
 * M, and all by shift. --check leaves the times out. Rows are microseconds: from positions on the
 * device and from joints there, pairs, counts or marks only; then whole calls, from the host too,
 * and the CPU's threads. Exit status 0: all that was compared is equal; 1: something failed or is
 * not; 3: there is no device.
 */
#define _POSIX_C_SOURCE 200809L
#include <graze/animation.h>
#include <graze/batch_cuda.h>
#include <graze/rig.h>

#include "scenes/synth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROOM = 1024, ROUNDS = 11 };

typedef struct bench {
    graze_rig *rig;
    graze_model *model;
    graze_pool *pool;
    graze_cuda *cuda;
    graze_pose_batch *here;
    graze_pose_cuda *there;
    graze_pose_set joints, positions;       /* on the host */
    graze_pose_set joints_on, positions_on; /* on the device */
    graze_pose_results wanted, found;
    float noise, shift;
    graze_body **bodies;
} bench;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void must(graze_status status, const graze_error *error, const char *what)
{
    if (status == GRAZE_OK)
        return;
    printf("%s: %s\n", what, error->text);
    exit(1);
}

static void *must_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        printf("out of memory\n");
        exit(1);
    }
    return memory;
}

static double random_of(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 32;
    return (double)(x >> 11) * 0x1p-53;
}

/* ---- poses ---------------------------------------------------------------------------------- */

static void make_pose(void *user, size_t n, uint32_t thread)
{
    bench *b = user;
    const uint32_t vertices = b->rig->vertex_count, joints = b->rig->joint_count;
    const uint32_t morphs = b->rig->morph_count;
    float *map = (float *)(uintptr_t)b->joints.joints + 12 * (size_t)joints * n;
    float *weights =
        morphs ? (float *)(uintptr_t)b->joints.morph_weights + (size_t)morphs * n : NULL;
    float *to = (float *)(uintptr_t)b->positions.positions + 3 * (size_t)vertices * n;
    graze_error error;
    must(graze_rig_sample(b->rig, 0, b->rig->clips[0].seconds * random_of(n), map, weights), &error,
         "a pose");
    const graze_pose pose = {
        .joints = map, .joint_count = joints, .morph_weights = weights, .morph_count = morphs};
    must(graze_body_set_pose(b->bodies[thread], &pose, &error), &error, "a pose");
    graze_body_get_positions(b->bodies[thread], to);
    for (size_t i = 0; (b->noise > 0 || b->shift != 0) && i < 3 * (size_t)vertices; i++) {
        const double by = 2 * random_of(3 * (size_t)vertices * n + i) - 1;
        to[i] = (float)(to[i] + b->shift + b->noise * by);
    }
}

static void make_poses(bench *b, size_t poses)
{
    const graze_rig *rig = b->rig;
    const uint32_t threads = graze_pool_threads(b->pool);
    graze_error error;
    b->joints = (graze_pose_set){
        .count = poses,
        .joints = must_allocate(12 * (size_t)rig->joint_count * poses, 4),
        .joint_count = rig->joint_count,
        .morph_weights =
            rig->morph_count ? must_allocate((size_t)rig->morph_count * poses, 4) : NULL,
        .morph_count = rig->morph_count};
    b->positions =
        (graze_pose_set){.count = poses,
                         .positions = must_allocate(3 * (size_t)rig->vertex_count * poses, 4),
                         .vertex_count = rig->vertex_count};
    b->bodies = must_allocate(threads, sizeof *b->bodies);
    for (uint32_t t = 0; t < threads; t++)
        must(graze_body_create(b->model, &b->bodies[t], &error), &error, "a body");
    graze_pool_for_each(b->pool, poses, make_pose, b, NULL);
    for (uint32_t t = 0; t < threads; t++)
        graze_body_destroy(b->bodies[t]);
}

static const float *upload(graze_cuda *cuda, const float *from, size_t floats)
{
    void *memory = NULL;
    graze_error error;
    if (!from)
        return NULL;
    must(graze_cuda_allocate(cuda, GRAZE_DEVICE, 4 * floats, &memory, &error), &error, "memory");
    must(graze_cuda_upload(cuda, memory, from, 4 * floats, &error), &error, "an upload");
    return memory;
}

static void move_poses(bench *b)
{
    const size_t n = b->joints.count;
    b->joints_on = b->joints;
    b->positions_on = b->positions;
    b->joints_on.joints = upload(b->cuda, b->joints.joints, 12 * (size_t)b->joints.joint_count * n);
    b->joints_on.morph_weights =
        upload(b->cuda, b->joints.morph_weights, (size_t)b->joints.morph_count * n);
    b->positions_on.positions =
        upload(b->cuda, b->positions.positions, 3 * (size_t)b->positions.vertex_count * n);
}

/* ---- the same answers ----------------------------------------------------------------------- */

static graze_pose_results make_results(size_t poses, uint32_t parts)
{
    return (graze_pose_results){.marks = must_allocate(poses, 1),
                                .counts = must_allocate(poses, 4),
                                .matrix = must_allocate(poses * parts * parts, 4),
                                .pairs = must_allocate(poses * ROOM, sizeof(graze_pair)),
                                .pair_capacity = ROOM};
}

static graze_pose_cuda_call ask(bench *b, graze_pose_set set, size_t poses,
                                graze_memory_place place, graze_pose_results results)
{
    graze_error error;
    graze_pose_cuda_call call = {
        .poses_place = place, .poses = set, .results = results, .pool = b->pool};
    call.poses.count = poses;
    must(graze_pose_cuda_self(b->there, &call, &error), &error, "a call");
    return call;
}

/* Compares all poses of a set; returns how many differ. */
static size_t compare(bench *b, const graze_pose_set *set, const graze_pose_set *on, bool only_new,
                      const char *what)
{
    const size_t n = set->count, parts = graze_model_get_info(b->model).part_count;
    const size_t cells = parts * parts;
    graze_error error;
    size_t wrong = 0;
    memset(b->wanted.pairs, 0, n * ROOM * sizeof(graze_pair));
    memset(b->found.pairs, 0, n * ROOM * sizeof(graze_pair));
    const double start = now();
    must(graze_pose_batch_self(b->here, set, NULL, only_new, &b->wanted, &error), &error, "cpu");
    const double middle = now();
    graze_pose_cuda_call call = {
        .poses_place = GRAZE_DEVICE, .only_new = only_new, .results = b->found, .pool = b->pool};
    call.poses = *on;
    must(graze_pose_cuda_self(b->there, &call, &error), &error, "a call");
    const double end = now();
    for (size_t k = 0; k < n; k++)
        wrong += b->wanted.marks[k] != b->found.marks[k] ||
                 b->wanted.counts[k] != b->found.counts[k] ||
                 memcmp(b->wanted.matrix + cells * k, b->found.matrix + cells * k, 4 * cells) ||
                 memcmp(b->wanted.pairs + ROOM * k, b->found.pairs + ROOM * k,
                        ROOM * sizeof(graze_pair));
    printf("%-28s %7zu poses, %zu differ; %.1f pairs a pose, %zu bad, %.4f settled by the host a "
           "pose, %u pieces, %u repeats, %zu on the host; CPU %.1f us a pose, call %.2f\n",
           what, n, wrong, (double)b->wanted.total / (double)n, b->wanted.bad,
           (double)call.did.settled / (double)n, call.did.pieces, call.did.repeats,
           call.did.on_host, (middle - start) / (double)n, (end - middle) / (double)n);
    fflush(stdout);
    return wrong + (b->wanted.total != call.results.total);
}

/* ---- times ---------------------------------------------------------------------------------- */

static int by_value(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return a < b ? -1 : a > b;
}

/* Kernels and whole calls, medians. */
static void time_way(bench *b, const char *what, graze_pose_set set, size_t poses,
                     graze_memory_place place, graze_pose_results results)
{
    double kernels[ROUNDS], calls[ROUNDS];
    for (int r = -2; r < ROUNDS; r++) {
        const double start = now();
        const graze_pose_cuda_call call = ask(b, set, poses, place, results);
        if (r >= 0) {
            calls[r] = now() - start;
            kernels[r] = 1e3 * (double)call.did.kernels;
        }
    }
    qsort(kernels, ROUNDS, sizeof *kernels, by_value);
    qsort(calls, ROUNDS, sizeof *calls, by_value);
    printf("  %-34s kernels %10.1f (%.1f to %.1f)  call %10.1f us\n", what, kernels[ROUNDS / 2],
           kernels[0], kernels[ROUNDS - 1], calls[ROUNDS / 2]);
}

static void time_all(bench *b, size_t poses)
{
    const graze_pose_results *f = &b->found;
    const graze_pose_results pairs = {.pairs = f->pairs,
                                      .pair_capacity = ROOM,
                                      .counts = f->counts},
                             counts = {.counts = f->counts}, marks = {.marks = f->marks};
    graze_pose_set some = b->joints;
    graze_pose_results here = {.counts = b->wanted.counts};
    double cpu = 0;
    printf("%zu poses of %u triangles\n", poses, b->rig->triangle_count);
    time_way(b, "positions there, pairs", b->positions_on, poses, GRAZE_DEVICE, pairs);
    time_way(b, "positions there, counts", b->positions_on, poses, GRAZE_DEVICE, counts);
    time_way(b, "positions there, marks", b->positions_on, poses, GRAZE_DEVICE, marks);
    time_way(b, "joints there, pairs", b->joints_on, poses, GRAZE_DEVICE, pairs);
    time_way(b, "joints there, counts", b->joints_on, poses, GRAZE_DEVICE, counts);
    time_way(b, "joints here, counts", b->joints, poses, GRAZE_HOST, counts);
    time_way(b, "positions here, counts", b->positions, poses, GRAZE_HOST, counts);
    some.count = poses;
    for (int r = 0; r < 3; r++) {
        const double start = now();
        must(graze_pose_batch_self(b->here, &some, NULL, false, &here, NULL), NULL, "cpu");
        cpu = r == 0 || now() - start < cpu ? now() - start : cpu;
    }
    printf("  %-34s %*s call %10.1f us\n", "CPU, all threads, joints, counts", 41, "", cpu);
    fflush(stdout);
}

/* ---- all ------------------------------------------------------------------------------------ */

static graze_synth_kind kind_of(const char *name)
{
    for (int k = 0; k < GRAZE_SYNTH_KIND_COUNT; k++)
        if (strcmp(graze_synth_name((graze_synth_kind)k), name) == 0)
            return (graze_synth_kind)k;
    printf("there is no kind %s\n", name);
    exit(2);
}

int main(int count, char **words)
{
    const char *kind = "man";
    uint32_t triangles = 13776, threads = 2;
    size_t poses = 1000;
    bool check = false;
    bench b = {.noise = 0};
    graze_error error;
    for (int i = 1; i < count; i++) {
        const char *value = i + 1 < count ? words[i + 1] : "";
        if (strcmp(words[i], "--check") == 0) {
            check = true;
            continue;
        }
        if (strcmp(words[i], "--kind") == 0)
            kind = value;
        else if (strcmp(words[i], "--triangles") == 0)
            triangles = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--poses") == 0)
            poses = strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--threads") == 0)
            threads = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(words[i], "--noise") == 0)
            b.noise = strtof(value, NULL);
        else if (strcmp(words[i], "--shift") == 0)
            b.shift = strtof(value, NULL);
        else {
            printf("unknown option: %s\n", words[i]);
            return 2;
        }
        i++;
    }
    const graze_synth_def def = {.kind = kind_of(kind), .triangles = triangles};
    if (graze_cuda_open(0, NULL, &b.cuda, &error)) {
        printf("%s\n", error.text);
        return 3;
    }
    must(graze_pool_create(threads, NULL, &b.pool, &error), &error, "a pool");
    must(graze_synth(&def, NULL, &b.rig, &error), &error, "a rig");
    must(graze_rig_create_model(b.rig, NULL, &b.model, &error), &error, "a model");
    const graze_pose_batch_def here = {.model = b.model, .pool = b.pool};
    const graze_pose_cuda_def there = {.model = b.model};
    must(graze_pose_batch_create(&here, &b.here, &error), &error, "a batch");
    const double start = now();
    must(graze_pose_cuda_create(b.cuda, &there, &b.there, &error), &error, "a batch there");
    printf("%s, %u triangles, %u joints; %s; made in %.0f ms; %u threads\n", kind,
           b.rig->triangle_count, b.rig->joint_count, graze_cuda_get_info(b.cuda).name,
           1e-3 * (now() - start), threads);
    make_poses(&b, poses);
    move_poses(&b);
    b.wanted = make_results(poses, graze_model_get_info(b.model).part_count);
    b.found = make_results(poses, graze_model_get_info(b.model).part_count);
    size_t wrong = compare(&b, &b.positions, &b.positions_on, false, "positions");
    wrong += compare(&b, &b.joints, &b.joints_on, false, "joints");
    wrong += compare(&b, &b.joints, &b.joints_on, true, "joints, only new");
    for (size_t n = 1; !check && n <= poses; n *= 10)
        time_all(&b, n);
    printf("%s\n", wrong ? "SOMETHING IS WRONG" : "all is equal");
    return wrong != 0;
}
