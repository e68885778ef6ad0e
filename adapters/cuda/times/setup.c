#define _POSIX_C_SOURCE 200809L
#include "setup.h"

#include "scenes/synth.h"

#include <graze/animation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void must(graze_status status, const graze_error *error, const char *what)
{
    if (status == GRAZE_OK)
        return;
    printf("%s: %s\n", what, error ? error->text : graze_status_name(status));
    exit(1);
}

void *must_allocate(size_t bytes)
{
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) {
        printf("out of memory: %zu bytes\n", bytes);
        exit(1);
    }
    memset(memory, 0, bytes);
    return memory;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* From -1 to 1. */
static double random_of(uint64_t pose, uint64_t number)
{
    return (double)(mix(pose * 1000003 + number + 1) >> 11) * 0x1p-52 - 1;
}

/* Turns a joint by up to half a radian about a random axis, most of them by much less. */
static void turn(graze_rig_local *local, uint64_t pose, uint64_t joint)
{
    double q[4], p[4], length = 0;
    memcpy(p, local->rotation, sizeof p);
    for (uint64_t k = 0; k < 3; k++) {
        q[k] = random_of(pose, 4 * joint + k);
        q[k] = 0.25 * q[k] * q[k] * q[k];
    }
    q[3] = 1;
    for (int k = 0; k < 4; k++)
        length += q[k] * q[k];
    for (int k = 0; k < 4; k++)
        q[k] /= sqrt(length);
    double *r = local->rotation;
    r[0] = p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1];
    r[1] = p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0];
    r[2] = p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3];
    r[3] = p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2];
}

static void make_pose(void *user, size_t pose, uint32_t thread)
{
    setup *s = user;
    graze_rig_local locals[64];
    (void)thread;
    const double seconds = s->rig->clips[0].seconds * (0.5 + 0.5 * random_of(pose, 999));
    must(graze_rig_sample_locals(s->rig, 0, seconds, locals, NULL, NULL), NULL, "sampling");
    for (uint32_t n = 1; n < s->rig->node_count; n++)
        turn(&locals[n], pose, n);
    must(graze_rig_compose(s->rig, locals, s->joints + 12 * (size_t)s->joint_count * pose, NULL),
         NULL, "composing");
}

static void make_chains(setup *s)
{
    graze_error error;
    graze_part_names *parts = NULL;
    graze_chain_def def = {0};
    must(graze_rig_part_names(s->rig, GRAZE_PARTS_BY_JOINT, NULL, NULL, &parts, &error), &error,
         "parts");
    must(graze_chains_create(s->model, parts, &def, &s->chains, &error), &error, "chains");
    graze_part_names_destroy(parts);
    s->sphere_count = graze_chains_get_info(s->chains).sphere_count;
}

void setup_open(setup *s, uint32_t triangles, size_t poses, uint32_t threads)
{
    graze_error error;
    memset(s, 0, sizeof *s);
    const graze_synth_def def = {.kind = GRAZE_SYNTH_MAN, .triangles = triangles};
    must(graze_synth(&def, NULL, &s->rig, &error), &error, "the man");
    must(graze_rig_create_model(s->rig, NULL, &s->model, &error), &error, "the model");
    s->joint_count = s->rig->joint_count;
    s->pose_count = poses;
    must(graze_pool_create(threads, NULL, &s->pool, &error), &error, "threads");
    make_chains(s);
    for (int all = 0; all < 2; all++) {
        graze_chain_batch_def batch = {0};
        batch.chains = s->chains;
        batch.which = all;
        must(graze_chain_batch_create(&batch, &s->batches[all], &error), &error, "the batch");
        batch.pool = s->pool;
        must(graze_chain_batch_create(&batch, &s->threaded[all], &error), &error, "the batch");
    }
    s->joints = must_allocate(48 * (size_t)s->joint_count * poses);
    graze_pool_for_each(s->pool, poses, make_pose, s, NULL);
}

void setup_close(setup *s)
{
    for (int all = 0; all < 2; all++) {
        graze_chain_batch_destroy(s->batches[all]);
        graze_chain_batch_destroy(s->threaded[all]);
    }
    graze_chains_destroy(s->chains);
    graze_pool_destroy(s->pool);
    graze_model_destroy(s->model);
    graze_rig_destroy(s->rig);
    free(s->joints);
}

bool setup_write_arrays(const setup *s, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const uint32_t counts[3] = {s->rig->vertex_count, s->rig->triangle_count, s->joint_count};
    bool good = fwrite(counts, 4, 3, file) == 3;
    good = good && fwrite(s->rig->positions, 12, counts[0], file) == counts[0];
    good = good && fwrite(s->rig->triangles, 12, counts[1], file) == counts[1];
    for (uint32_t v = 0; good && v < counts[0]; v++) {
        float row[64] = {0};
        for (uint32_t i = s->rig->influence_offsets[v]; i < s->rig->influence_offsets[v + 1]; i++)
            row[s->rig->influences[i].joint] += s->rig->influences[i].weight;
        good = fwrite(row, 4, counts[2], file) == counts[2];
    }
    return fclose(file) == 0 && good;
}
