/* Bodies in motion, and the clock. */
#define _GNU_SOURCE
#include "bench/queries.h"

#include "bench/goals.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

graze_rig *queries_make_rig(const graze_synth_def *def)
{
    graze_rig *rig = NULL;
    graze_error error;
    if (graze_synth(def, NULL, &rig, &error))
        fprintf(stderr, "graze: %s\n", error.text);
    return rig;
}

bool queries_open(queries_actor *actor, const queries_subject *subject, int model)
{
    graze_error error = {.text = "out of memory"};
    *actor = (queries_actor){.subject = subject,
                             .placement = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                             .aside = {0, 0.1f * subject->size}};
    actor->joints = malloc(12 * sizeof(float) * subject->rig->joint_count);
    actor->positions = calloc(3 * (size_t)subject->rig->vertex_count + 1, sizeof(float));
    if (actor->joints && actor->positions &&
        !graze_body_create(subject->models[model], &actor->body, &error))
        return true;
    fprintf(stderr, "graze: %s: %s\n", subject->name, error.text);
    queries_close(actor);
    return false;
}

void queries_close(queries_actor *actor)
{
    graze_body_destroy(actor->body);
    free(actor->joints);
    free(actor->positions);
    *actor = (queries_actor){0};
}

double queries_time(const queries_subject *subject, uint32_t clip, uint32_t frame)
{
    return subject->rig->clips[clip].seconds * (frame + 0.5) / QUERIES_FRAMES;
}

bool queries_sample(queries_actor *actor, uint32_t clip, double time)
{
    const graze_rig *rig = actor->subject->rig;
    double seconds = clip < rig->clip_count ? rig->clips[clip].seconds : 0;
    if (!graze_rig_sample(rig, clip, seconds > 0 ? fmod(time, seconds) : 0, actor->joints, NULL))
        return true;
    fprintf(stderr, "graze: %s: clip %u cannot be sampled\n", actor->subject->name, clip);
    return false;
}

void queries_pose(queries_actor *actor)
{
    graze_pose pose = {.joints = actor->joints,
                       .joint_count = actor->subject->rig->joint_count,
                       .layout = GRAZE_ROWS_3X4,
                       .placement = actor->placed ? actor->placement : NULL};
    graze_body_set_pose(actor->body, &pose, NULL);
}

void queries_pose_both(queries_actor actors[2])
{
    queries_pose(&actors[0]);
    queries_pose(&actors[1]);
}

void queries_place(queries_actor *actor, float x)
{
    actor->placed = true;
    actor->placement[3] = x;
    actor->placement[7] = actor->aside[0];
    actor->placement[11] = actor->aside[1];
}

float queries_beside(queries_actor *a, queries_actor *b)
{
    float low_a[3], high_a[3], low_b[3], high_b[3];
    queries_place(b, 0);
    queries_box(a, low_a, high_a);
    queries_box(b, low_b, high_b);
    return high_a[0] - low_b[0] + 0.001f * a->subject->size;
}

float queries_level(queries_actor *a, queries_actor *b, int axis)
{
    float low_a[3], high_a[3], low_b[3], high_b[3];
    queries_box(a, low_a, high_a);
    queries_box(b, low_b, high_b);
    return 0.5f * (low_a[axis] + high_a[axis] - low_b[axis] - high_b[axis]);
}

/* A step is shorter than the distance, so they never meet: conservative advancement. False if b has
 * passed a; *x is then where they were nearest.
 */
static bool advance(queries_actor *a, queries_actor *b, float *x)
{
    float low_a[3], high_a[3], low_b[3], high_b[3], size = a->subject->size;
    float at = queries_beside(a, b), least = INFINITY;
    queries_box(a, low_a, high_a);
    queries_box(b, low_b, high_b); /* where queries_beside has left it: at 0 */
    *x = at;
    for (int step = 0; step < 100 && at > low_a[0] - high_b[0]; step++) {
        graze_nearest nearest;
        queries_place(b, at);
        queries_pose(a);
        queries_pose(b);
        if (graze_distance(a->body, b->body, INFINITY, &nearest, NULL, NULL))
            break;
        if ((float)nearest.distance < least)
            *x = at;
        least = fminf(least, (float)nearest.distance);
        if (nearest.distance < 0.01 * size)
            return true;
        at -= 0.95f * ((float)nearest.distance - 0.005f * size);
    }
    return false;
}

float queries_near(queries_actor *a, queries_actor *b)
{
    float x;
    b->how = NULL;
    b->aside[0] = 0;
    b->aside[1] = 0.1f * b->subject->size;
    if (advance(a, b, &x))
        return x;
    b->how = "set level, as they miss each other aside";
    queries_place(b, 0);
    b->aside[0] += queries_level(a, b, 1);
    b->aside[1] += queries_level(a, b, 2);
    if (!advance(a, b, &x))
        b->how = "as near as they get, as they pass each other";
    return x;
}

void queries_box(queries_actor *actor, float low[3], float high[3])
{
    queries_pose(actor);
    graze_body_get_positions(actor->body, actor->positions);
    for (int k = 0; k < 3; k++)
        low[k] = INFINITY, high[k] = -INFINITY;
    for (size_t i = 0; i < 3 * (size_t)actor->subject->rig->vertex_count; i++) {
        low[i % 3] = fminf(low[i % 3], actor->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], actor->positions[i]);
    }
}

bool queries_boxes_overlap(queries_actor *a, queries_actor *b)
{
    float low[2][3], high[2][3];
    queries_box(a, low[0], high[0]);
    queries_box(b, low[1], high[1]);
    for (int k = 0; k < 3; k++)
        if (high[0][k] < low[1][k] || high[1][k] < low[0][k])
            return false;
    return true;
}

graze_ray queries_aim(const queries_actor *actor, uint32_t *seed)
{
    const graze_rig *rig = actor->subject->rig;
    graze_ray ray = graze_default_ray();
    uint32_t triangle = (uint32_t)(queries_random(seed) * (float)rig->triangle_count);
    float length = 0;
    for (int k = 0; k < 3; k++) {
        ray.dir[k] = queries_random(seed) - 0.5f;
        length += ray.dir[k] * ray.dir[k];
    }
    length = 2 * actor->subject->size / sqrtf(length + 1e-6f);
    for (int k = 0; k < 3; k++) {
        float middle = 0;
        for (int c = 0; c < 3; c++)
            middle += actor->positions[3 * rig->triangles[3 * triangle + c] + k] / 3;
        ray.origin[k] = middle - ray.dir[k] * length;
    }
    return ray;
}

bench_mesh queries_mesh(const queries_actor *actor)
{
    const graze_rig *rig = actor->subject->rig;
    return (bench_mesh){actor->positions, rig->vertex_count, rig->triangles, rig->triangle_count};
}

float queries_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * 0x1p-24f;
}

/* The last of three runs counts, as the second of two does in bench_interleave: a short method that
 * follows one which streams through hundreds of megabytes is itself again after two.
 */
static void run_method(const queries_method *method, void *user, bench_samples *samples)
{
    double start = 0;
    if (method->user)
        user = method->user;
    for (int i = method->slow ? 2 : 0; i < 3; i++) {
        if (method->prepare)
            method->prepare(user);
        start = bench_now();
        method->run(user);
    }
    double us = bench_now() - start;
    bench_add(samples, us / (method->answers > 0 ? method->answers : 1));
}

void queries_measure(queries_case *entry, uint32_t rounds)
{
    bench_samples samples[QUERIES_METHODS];
    bool early = entry->least[0].count < QUERIES_SLOW_FRAMES;
    memset(samples, 0, sizeof samples);
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t m = 0; m < entry->method_count; m++)
            if (!entry->methods[m].slow || (early && round == 0))
                run_method(&entry->methods[m], entry->user, &samples[m]);
    for (uint32_t m = 0; m < entry->method_count; m++)
        if (samples[m].count) {
            bench_add(&entry->least[m], bench_least(&samples[m]));
            bench_add(&entry->middle[m], bench_middle(&samples[m]));
        }
}

void queries_print(const queries_case *entry, const bench_options *options, const char *note)
{
    if (!options->json)
        printf("\n%s, %s, %s%s%s\n  %-46s %10s %10s\n", entry->model, entry->table, entry->name,
               *note ? ": " : "", note, "", "us", "median");
    for (uint32_t m = 0; m < entry->method_count; m++) {
        double us = bench_middle(&entry->least[m]), median = bench_middle(&entry->middle[m]);
        bench_goals_take_time(options->goals, entry->table, entry->model, entry->name,
                              entry->methods[m].name, us);
        if (options->json)
            printf("{\"table\":\"queries_%s\",\"model\":\"%s\",\"case\":\"%s\",\"note\":\"%s\","
                   "\"method\":\"%s\",\"us\":%.3f,\"us_median\":%.3f}\n",
                   entry->table, entry->model, entry->name, note, entry->methods[m].name, us,
                   median);
        else
            printf("  %-46s %10.2f %10.2f\n", entry->methods[m].name, us, median);
    }
}

double queries_get_ratio(const queries_case *entry, uint32_t over, uint32_t under, double *low,
                         double *high)
{
    bench_samples ratios = {.count = 0};
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < entry->least[over].count && i < entry->least[under].count; i++) {
        double ratio = entry->least[over].values[i] / entry->least[under].values[i];
        bench_add(&ratios, ratio);
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (low)
        *low = least;
    if (high)
        *high = most;
    return bench_middle(&ratios);
}

void queries_ratio(const queries_case *entry, const bench_options *options, uint32_t over,
                   uint32_t under, queries_goal goal, double target)
{
    double low, high, ratio = queries_get_ratio(entry, over, under, &low, &high);
    bool met = goal == QUERIES_AT_LEAST ? ratio >= target : ratio <= target;
    const char *names[2] = {entry->methods[over].name, entry->methods[under].name};
    bench_goals_take_ratio(options->goals, entry->table, entry->model, entry->name, names[0],
                           ratio);
    if (options->json) {
        printf("{\"table\":\"queries_%s\",\"model\":\"%s\",\"case\":\"%s\",\"over\":\"%s\","
               "\"under\":\"%s\",\"ratio\":%.3f,\"low\":%.3f,\"high\":%.3f",
               entry->table, entry->model, entry->name, names[0], names[1], ratio, low, high);
        if (target > 0)
            printf(",\"target\":%g,\"met\":%s", target, met ? "true" : "false");
        printf("}\n");
        return;
    }
    int digits = ratio < 10 ? 2 : ratio < 100 ? 1 : 0;
    printf("  %s / %s: %.*f (%.*f to %.*f)", names[0], names[1], digits, ratio, digits, low, digits,
           high);
    if (target > 0)
        printf("; target %s %g: %s", goal == QUERIES_AT_LEAST ? "at least" : "at most", target,
               met ? "met" : "missed");
    putchar('\n');
}

void queries_beside_command(const char *name, char *path, size_t size)
{
    char command[400];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    command[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(command, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, size, "%s/%s", slash ? command : ".", name);
}

void queries_models_folder(const bench_options *options, char *path, size_t size)
{
    const char *given = options->models ? options->models : getenv("GRAZE_MODELS");
    if (given)
        snprintf(path, size, "%s", given);
    else
        queries_beside_command("../../shared/models", path, size);
}

const bench_peers *queries_peers(void)
{
    static const bench_peers none;
    static const bench_peers *found;
    if (found)
        return found;
    char path[512];
    queries_beside_command("graze_peers.so", path, sizeof path);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const bench_peers *(*peers)(void) = NULL;
    if (module)
        *(void **)&peers = dlsym(module, "graze_bench_peers");
    found = peers ? peers() : &none;
    return found;
}
