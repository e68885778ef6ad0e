/* Bodies in motion, and the clock. */
#define _GNU_SOURCE
#include "bench/queries.h"

#include "bench/goals.h"

#include <dlfcn.h>
#include <unistd.h>

/* ---- subjects ------------------------------------------------------------------------------- */

void queries_close_subject(queries_subject *subject)
{
    for (int m = 0; m < QUERIES_MODELS; m++)
        graze_model_destroy(subject->models[m]);
    graze_rig_destroy(subject->rig);
}

float *queries_take_examples(const graze_rig *rig, graze_model_def *def)
{
    enum { EXAMPLES = 4 };
    float *poses = bench_take((size_t)EXAMPLES * rig->joint_count, 12 * sizeof *poses);
    bench_must(graze_rig_example_poses(rig, EXAMPLES, poses));
    def->example_poses = poses;
    def->example_pose_count = EXAMPLES;
    return poses;
}

static void measure_size(queries_subject *subject)
{
    queries_actor actor;
    queries_open(&actor, 1, subject, QUERIES_PLAIN);
    queries_sample(&actor, 0, 0);
    subject->box = queries_box(&actor);
    for (int k = 0; k < 3; k++)
        subject->size = fmaxf(subject->size, subject->box.high[k] - subject->box.low[k]);
    queries_close(&actor, 1);
}

graze_status queries_open_subject(queries_subject *subject, const char *name, graze_rig *rig,
                                  int model_count)
{
    graze_status status = GRAZE_OK;
    *subject = (queries_subject){.name = name, .rig = rig, .made_up = rig->clip_count == 0};
    if (subject->made_up)
        queries_add_clip(rig, &(queries_motion){17, 2, 12, 1, 0});
    graze_model_def def = graze_rig_model_def(rig);
    float *poses = queries_take_examples(rig, &def);
    for (int m = 0; m < model_count && !status; m++) {
        def.no_self_collision = m != QUERIES_SELF;
        status = graze_model_create(&def, &subject->models[m], &bench_error);
    }
    free(poses);
    if (status)
        queries_close_subject(subject);
    else
        measure_size(subject);
    return status;
}

/* ---- actors --------------------------------------------------------------------------------- */

void queries_open(queries_actor *actors, int count, const queries_subject *subject, int model)
{
    for (int i = 0; i < count; i++) {
        actors[i] = (queries_actor){
            .subject = subject,
            .body = bench_make_body(subject->models[model]),
            .joints = bench_take(subject->rig->joint_count, 12 * sizeof(float)),
            .aside = {0, 0.1f * subject->size},
            .positions = bench_take(3 * (size_t)subject->rig->vertex_count + 1, sizeof(float))};
        memcpy(actors[i].placement, bench_identity, sizeof bench_identity);
    }
}

void queries_close(queries_actor *actors, int count)
{
    for (int i = 0; i < count; i++) {
        graze_body_destroy(actors[i].body);
        free(actors[i].joints);
        free(actors[i].positions);
        actors[i] = (queries_actor){0};
    }
}

double queries_time(const queries_subject *subject, uint32_t clip, uint32_t frame)
{
    return subject->rig->clips[clip].seconds * (frame + 0.5) / QUERIES_FRAMES;
}

void queries_sample(queries_actor *actor, uint32_t clip, double time)
{
    const graze_rig *rig = actor->subject->rig;
    double seconds = clip < rig->clip_count ? rig->clips[clip].seconds : 0;
    if (graze_rig_sample(rig, clip, seconds > 0 ? fmod(time, seconds) : 0, actor->joints, NULL))
        bench_die("%s: clip %u cannot be sampled", actor->subject->name, clip);
}

void queries_pose(const queries_actor *actors, int count)
{
    for (int i = 0; i < count; i++)
        bench_pose(actors[i].body, actors[i].joints, actors[i].subject->rig->joint_count,
                   actors[i].placed ? actors[i].placement : NULL);
}

void queries_place(queries_actor *actor, float x)
{
    actor->placed = true;
    actor->placement[3] = x;
    actor->placement[7] = actor->aside[0];
    actor->placement[11] = actor->aside[1];
}

bench_bounds queries_box(queries_actor *actor)
{
    queries_pose(actor, 1);
    graze_body_get_positions(actor->body, actor->positions);
    return bench_box(actor->positions, actor->subject->rig->vertex_count);
}

bool queries_boxes_overlap(queries_actor *a, queries_actor *b)
{
    bench_bounds box_a = queries_box(a), box_b = queries_box(b);
    for (int k = 0; k < 3; k++)
        if (box_a.high[k] < box_b.low[k] || box_b.high[k] < box_a.low[k])
            return false;
    return true;
}

float queries_beside(queries_actor *a, queries_actor *b)
{
    queries_place(b, 0);
    return queries_box(a).high[0] - queries_box(b).low[0] + 0.001f * a->subject->size;
}

float queries_level(queries_actor *a, queries_actor *b, int axis)
{
    bench_bounds box_a = queries_box(a), box_b = queries_box(b);
    return 0.5f * (box_a.low[axis] + box_a.high[axis] - box_b.low[axis] - box_b.high[axis]);
}

/* A step is shorter than the distance, so they never meet: conservative advancement. False if b has
 * passed a; *x is then where they were nearest.
 */
static bool advance(queries_actor *a, queries_actor *b, float *x)
{
    float size = a->subject->size, at = queries_beside(a, b), least = INFINITY;
    float past = queries_box(a).low[0] - queries_box(b).high[0]; /* b is at 0 */
    *x = at;
    for (int step = 0; step < 100 && at > past; step++) {
        queries_place(b, at);
        queries_pose(a, 1);
        queries_pose(b, 1);
        float distance = (float)bench_distance(a->body, b->body, NULL).distance;
        if (distance < least)
            *x = at;
        least = fminf(least, distance);
        if (distance < 0.01f * size)
            return true;
        at -= 0.95f * (distance - 0.005f * size);
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

void queries_stage(queries_actor (*actors)[2], int moments, int near, int now, uint32_t frame,
                   float closer, float closing)
{
    const queries_subject *subject = actors[0][0].subject;
    double seconds = subject->rig->clips[0].seconds;
    for (int moment = 0; moment < moments; moment++) {
        double time = queries_time(subject, 0, frame) + (moment - now) / 30.0 + seconds;
        queries_sample(&actors[moment][0], 0, time);
        queries_sample(&actors[moment][1], 0, time + 0.4 * seconds);
    }
    float x = queries_near(&actors[near][0], &actors[near][1]);
    for (int moment = 0; moment < moments; moment++) {
        queries_actor *b = &actors[moment][1];
        memcpy(b->aside, actors[near][1].aside, sizeof b->aside);
        queries_place(b, x - (closer + (float)(moment - near) * closing) * subject->size);
    }
}

void queries_pick_point(const queries_actor *actor, uint32_t *seed, float point[3])
{
    const graze_rig *rig = actor->subject->rig;
    uint32_t triangle = (uint32_t)(bench_random(seed) * (float)rig->triangle_count);
    for (int k = 0; k < 3; k++) {
        point[k] = 0;
        for (int c = 0; c < 3; c++)
            point[k] += actor->positions[3 * rig->triangles[3 * triangle + c] + k] / 3;
    }
}

graze_ray queries_aim(const queries_actor *actor, uint32_t *seed)
{
    graze_ray ray = {.t_max = INFINITY};
    float middle[3], length = 0;
    queries_pick_point(actor, seed, middle);
    for (int k = 0; k < 3; k++) {
        ray.dir[k] = bench_random(seed) - 0.5f;
        length += ray.dir[k] * ray.dir[k];
    }
    length = 2 * actor->subject->size / sqrtf(length + 1e-6f);
    for (int k = 0; k < 3; k++)
        ray.origin[k] = middle[k] - ray.dir[k] * length;
    return ray;
}

bench_mesh queries_mesh(const queries_actor *actor)
{
    const graze_rig *rig = actor->subject->rig;
    return (bench_mesh){actor->positions, rig->vertex_count, rig->triangles, rig->triangle_count};
}

/* ---- pairs ---------------------------------------------------------------------------------- */

size_t queries_pairs(const queries_actor actors[2], const graze_options *options)
{
    queries_pose(actors, 2);
    return bench_pairs(actors[0].body, actors[1].body, options);
}

static int compare_pairs(const void *left, const void *right)
{
    const bench_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

size_t queries_sort_pairs(bench_pair *pairs, size_t count)
{
    size_t kept = 0;
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    return kept;
}

void queries_compare_pairs(const bench_pair *found, size_t count, const bench_pair *truth,
                           size_t truth_count, size_t *missing, size_t *extra)
{
    for (size_t i = 0, k = 0; i < count || k < truth_count;) {
        int order = i == count ? 1 : k == truth_count ? -1 : compare_pairs(&found[i], &truth[k]);
        *extra += order < 0;
        *missing += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
}

size_t queries_take_pairs(const graze_pair *from, size_t count, bench_pair *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (bench_pair){from[i].a, from[i].b};
    return count;
}

/* ---- cases ---------------------------------------------------------------------------------- */

/* The last of three runs counts, as the second of two does in bench_interleave: a short method that
 * follows one which streams through hundreds of megabytes is itself again after two.
 */
static void run_method(const queries_case *entry, int number, bench_samples *samples)
{
    const queries_method *method = &entry->methods[number];
    double start = 0;
    for (int i = method->slow ? 2 : 0; i < 3; i++) {
        if (entry->prepare)
            entry->prepare(entry->user, number);
        start = bench_now();
        entry->ask(entry->user, number);
    }
    double us = bench_now() - start;
    bench_add(samples, us / (method->answers > 0 ? method->answers : 1));
}

void queries_measure(queries_case *entry)
{
    bench_samples samples[QUERIES_METHODS] = {0};
    bool early = entry->least[0].count < QUERIES_SLOW_FRAMES;
    for (uint32_t round = 0; round < asked.rounds; round++)
        for (uint32_t m = 0; m < entry->method_count; m++)
            if (!entry->methods[m].slow || (early && round == 0))
                run_method(entry, (int)m, &samples[m]);
    for (uint32_t m = 0; m < entry->method_count; m++)
        if (samples[m].count) {
            bench_add(&entry->least[m], bench_least(&samples[m]));
            bench_add(&entry->middle[m], bench_middle(&samples[m]));
        }
}

static void name_table(const queries_case *entry, char table[32])
{
    snprintf(table, 32, "queries_%s", entry->table);
}

void queries_print(const queries_case *entry, const char *note)
{
    char table[32];
    name_table(entry, table);
    bench_say("\n%s, %s, %s%s%s\n  %-46s %10s %10s\n", entry->model, entry->table, entry->name,
              *note ? ": " : "", note, "", "us", "median");
    for (uint32_t m = 0; m < entry->method_count; m++) {
        const char *name = entry->methods[m].name;
        double us = bench_middle(&entry->least[m]);
        goals_take(true, entry->table, entry->model, entry->name, name, us);
        bench_row(table,
                  "model:%s case:%s note:%s method:%s:%-46s us:%.3f:%10.2f us_median:%.3f:%10.2f",
                  ROW_TEXTS(entry->model, entry->name, note, name),
                  ROW_NUMBERS(us, bench_middle(&entry->middle[m])));
    }
}

static bench_samples find_ratios(const queries_case *entry, uint32_t over, uint32_t under)
{
    const bench_samples *x = &entry->least[over], *y = &entry->least[under];
    bench_samples ratios = {.count = 0};
    for (uint32_t i = 0; i < x->count && i < y->count; i++)
        bench_add(&ratios, x->values[i] / y->values[i]);
    return ratios;
}

double queries_get_ratio(const queries_case *entry, uint32_t over, uint32_t under)
{
    const bench_samples ratios = find_ratios(entry, over, under);
    return bench_middle(&ratios);
}

void queries_ratio(const queries_case *entry, uint32_t over, uint32_t under, queries_goal goal,
                   double target)
{
    const bench_samples ratios = find_ratios(entry, over, under);
    double low = bench_least(&ratios), high = 0, ratio = bench_middle(&ratios);
    for (uint32_t i = 0; i < ratios.count; i++)
        high = fmax(high, ratios.values[i]);
    bool met = goal == QUERIES_AT_LEAST ? ratio >= target : ratio <= target;
    const char *names[2] = {entry->methods[over].name, entry->methods[under].name};
    char table[32];
    name_table(entry, table);
    goals_take(false, entry->table, entry->model, entry->name, names[0], ratio);
    bench_json_row(table,
                   target > 0 ? "model:%s case:%s over:%s under:%s ratio:%.3f low:%.3f high:%.3f "
                                "target:%g met:%b"
                              : "model:%s case:%s over:%s under:%s ratio:%.3f low:%.3f high:%.3f",
                   ROW_TEXTS(entry->model, entry->name, names[0], names[1]),
                   ROW_NUMBERS(ratio, low, high, target, met));
    int digits = ratio < 10 ? 2 : ratio < 100 ? 1 : 0;
    bench_say("  %s / %s: %.*f (%.*f to %.*f)", names[0], names[1], digits, ratio, digits, low,
              digits, high);
    if (target > 0)
        bench_say("; target %s %g: %s", goal == QUERIES_AT_LEAST ? "at least" : "at most", target,
                  met ? "met" : "missed");
    bench_say("\n");
}

/* ---- what is beside the command ------------------------------------------------------------- */

/* A path in the folder of the command. */
static void find_beside(const char *name, char *path, size_t size)
{
    char command[400];
    ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
    command[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(command, '/');
    if (slash)
        *slash = '\0';
    snprintf(path, size, "%s/%s", slash ? command : ".", name);
}

void queries_models_folder(char *path, size_t size)
{
    const char *given = asked.models ? asked.models : getenv("GRAZE_MODELS");
    if (given)
        snprintf(path, size, "%s", given);
    else
        find_beside("../../shared/models", path, size);
}

const bench_peers *queries_peers(void)
{
    static const bench_peers none;
    static const bench_peers *found;
    if (found)
        return found;
    char path[512];
    find_beside("graze_peers.so", path, sizeof path);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const bench_peers *(*peers)(void) = NULL;
    if (module)
        *(void **)&peers = dlsym(module, "graze_bench_peers");
    found = peers ? peers() : &none;
    return found;
}
