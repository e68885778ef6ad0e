/* Simple shapes, culling, and contacts. */
#include "bench/queries.h"

#include "scenes/stage.h"

#include <graze/reference.h>

#include <stdio.h>
#include <string.h>

enum { SHAPES = 8 };

struct shape_task {
    queries_actor actor;
    graze_shape shapes[SHAPES];
    size_t count, eager_count;
    uint32_t hits;
    uint32_t sides[3];
};

static bool count_triangles(void *user, const uint32_t *triangles, size_t count)
{
    (void)triangles;
    *(size_t *)user += count;
    return true;
}

/* Each shape by itself, from the pose. */
static void run_first(void *user)
{
    struct shape_task *task = user;
    task->hits = 0;
    for (int i = 0; i < SHAPES; i++) {
        bool hit = false;
        queries_pose(&task->actor);
        graze_touch_first(task->actor.body, &task->shapes[i], &hit, NULL, NULL, NULL);
        task->hits += hit;
    }
}

static void run_all(void *user)
{
    struct shape_task *task = user;
    task->count = 0;
    for (int i = 0; i < SHAPES; i++) {
        queries_pose(&task->actor);
        graze_touch(task->actor.body, &task->shapes[i], count_triangles, &task->count, NULL, NULL);
    }
}

static void run_eager(void *user)
{
    struct shape_task *task = user;
    task->eager_count = 0;
    for (int i = 0; i < SHAPES; i++) {
        queries_pose(&task->actor);
        graze_body_refit_all(task->actor.body);
        graze_touch(task->actor.body, &task->shapes[i], count_triangles, &task->eager_count, NULL,
                    NULL);
    }
}

static void classify(struct shape_task *task, uint32_t depth)
{
    memset(task->sides, 0, sizeof task->sides);
    for (int i = 0; i < SHAPES; i++) {
        graze_side side = GRAZE_CROSSING;
        queries_pose(&task->actor);
        graze_classify(task->actor.body, &task->shapes[i], depth, &side, NULL, NULL);
        task->sides[side]++;
    }
}

static void run_root(void *user)
{
    classify(user, 0);
}

static void run_leaves(void *user)
{
    classify(user, UINT32_MAX);
}

static void run_cull(void *user)
{
    struct shape_task *task = user;
    for (int i = 0; i < SHAPES; i++) {
        graze_side side;
        queries_pose(&task->actor);
        graze_body_refit_all(task->actor.body);
        graze_classify(task->actor.body, &task->shapes[i], 0, &side, NULL, NULL);
    }
}

/* The middle of a random triangle. */
static void pick_point(const queries_actor *actor, uint32_t *seed, float point[3])
{
    const graze_rig *rig = actor->subject->rig;
    uint32_t triangle = (uint32_t)(queries_random(seed) * (float)rig->triangle_count);
    for (int k = 0; k < 3; k++) {
        point[k] = 0;
        for (int c = 0; c < 3; c++)
            point[k] += actor->positions[3 * rig->triangles[3 * triangle + c] + k] / 3;
    }
}

static graze_shape make_sphere(const queries_actor *actor, uint32_t *seed)
{
    float centre[3];
    pick_point(actor, seed, centre);
    return graze_shape_sphere(centre, 0.02f * actor->subject->size);
}

/* A fifth of the size long. */
static graze_shape make_capsule(const queries_actor *actor, uint32_t *seed)
{
    float p[3], q[3], size = actor->subject->size;
    pick_point(actor, seed, p);
    for (int k = 0; k < 3; k++)
        q[k] = p[k] + (queries_random(seed) - 0.5f) * 0.23f * size;
    return graze_shape_capsule(p, q, 0.02f * size);
}

/* A camera that looks along -z past, at, or towards the edge of the body. */
static graze_shape make_frustum(const queries_actor *actor, uint32_t *seed)
{
    const queries_subject *subject = actor->subject;
    float size = subject->size, eye[3], slope = 0.3f;
    for (int k = 0; k < 3; k++)
        eye[k] = (subject->low[k] + subject->high[k]) / 2 +
                 (k < 2 ? 3 * size * (queries_random(seed) - 0.5f) : 2.5f * size);
    graze_half_space planes[6] = {
        {{1, 0, slope}, eye[0] + slope * eye[2]}, {{-1, 0, slope}, -eye[0] + slope * eye[2]},
        {{0, 1, slope}, eye[1] + slope * eye[2]}, {{0, -1, slope}, -eye[1] + slope * eye[2]},
        {{0, 0, 1}, eye[2] - 0.1f * size},        {{0, 0, -1}, 10 * size - eye[2]}};
    return graze_shape_frustum(planes, 6);
}

static const queries_method touch_methods[] = {
    {.name = "graze_touch_first", .run = run_first, .answers = SHAPES},
    {.name = "graze_touch", .run = run_all, .answers = SHAPES},
    {.name = "our tree refitted bottom-up", .run = run_eager, .answers = SHAPES}};

static const queries_method cull_methods[] = {
    {.name = "graze_classify, root", .run = run_root, .answers = SHAPES},
    {.name = "graze_classify, to the leaves", .run = run_leaves, .answers = SHAPES},
    {.name = "our tree refitted bottom-up, root", .run = run_cull, .answers = SHAPES}};

/* What the frames of a case came to. */
typedef struct shape_sums {
    uint32_t hits, sides[3];
    double triangles;
} shape_sums;

static bool measure_frame(struct shape_task *task, queries_case *entry, uint32_t rounds,
                          shape_sums *sums)
{
    queries_measure(entry, rounds);
    run_leaves(task);
    for (int s = 0; s < 3; s++)
        sums->sides[s] += task->sides[s];
    sums->hits += task->hits;
    sums->triangles += (double)task->count;
    if (task->count == task->eager_count)
        return true;
    fprintf(stderr, "graze: %s: %zu triangles touched, %zu with the tree refitted bottom-up\n",
            entry->model, task->count, task->eager_count);
    return false;
}

static bool measure_shapes(struct shape_task *task, const bench_options *options, const char *name,
                           graze_shape (*make)(const queries_actor *, uint32_t *), bool cull)
{
    const queries_subject *subject = task->actor.subject;
    queries_case entry = {.table = "shapes",
                          .model = subject->name,
                          .name = name,
                          .methods = cull ? cull_methods : touch_methods,
                          .method_count = 3,
                          .user = task};
    shape_sums sums = {0};
    uint32_t seed = 7;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        float low[3], high[3];
        if (!queries_sample(&task->actor, 0, queries_time(subject, 0, frame)))
            return false;
        queries_box(&task->actor, low, high);
        for (int i = 0; i < SHAPES; i++)
            task->shapes[i] = make(&task->actor, &seed);
        if (!measure_frame(task, &entry, options->rounds, &sums))
            return false;
    }
    char note[96];
    if (cull)
        snprintf(note, sizeof note, "%u out of view, %u crossing, %u in view",
                 sums.sides[GRAZE_OUTSIDE], sums.sides[GRAZE_CROSSING], sums.sides[GRAZE_INSIDE]);
    else
        snprintf(note, sizeof note, "%u of %d touch, %.0f triangles each", sums.hits,
                 SHAPES * QUERIES_FRAMES, sums.triangles / (SHAPES * QUERIES_FRAMES));
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, 2, 1, QUERIES_AT_LEAST, 0);
    return true;
}

bool queries_shapes(const queries_subject *subject, const bench_options *options)
{
    struct shape_task task;
    memset(&task, 0, sizeof task);
    bool ok = queries_open(&task.actor, subject, QUERIES_PLAIN) &&
              measure_shapes(&task, options, "sphere, 2 % of the size", make_sphere, false) &&
              measure_shapes(&task, options, "capsule", make_capsule, false) &&
              measure_shapes(&task, options, "view frustum", make_frustum, true);
    queries_close(&task.actor);
    return ok;
}

struct contact_task {
    queries_actor actors[2];
    graze_contacts *contacts;
    size_t pairs;
};

static void run_collide(void *user)
{
    struct contact_task *task = user;
    task->pairs = 0;
    queries_pose_both(task->actors);
    graze_collide(task->actors[0].body, task->actors[1].body, stage_count, &task->pairs, NULL,
                  NULL);
}

static void run_contacts(void *user)
{
    struct contact_task *task = user;
    queries_pose_both(task->actors);
    graze_contacts_find(task->contacts, task->actors[0].body, task->actors[1].body, NULL, NULL);
}

static bool measure_contacts(struct contact_task *task, const bench_options *options,
                             const char *name, float depth)
{
    static const queries_method methods[] = {{.name = "graze_collide", .run = run_collide},
                                             {.name = "graze_contacts_find", .run = run_contacts}};
    const queries_subject *subject = task->actors[0].subject;
    queries_case entry = {.table = "contacts",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = 2,
                          .user = task};
    double contacts = 0, pairs = 0;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        double time = queries_time(subject, 0, frame);
        queries_actor *a = &task->actors[0], *b = &task->actors[1];
        if (!queries_sample(a, 0, time) ||
            !queries_sample(b, 0, time + 0.4 * (double)subject->rig->clips[0].seconds))
            return false;
        queries_place(b, queries_near(a, b) - depth * subject->size);
        queries_measure(&entry, options->rounds);
        contacts += graze_contacts_count(task->contacts);
        pairs += (double)task->pairs;
    }
    char note[96];
    snprintf(note, sizeof note, "%.1f contacts of %.0f pairs a frame", contacts / QUERIES_FRAMES,
             pairs / QUERIES_FRAMES);
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, 1, 0, QUERIES_AT_MOST, 0);
    return true;
}

bool queries_contacts(const queries_subject *subject, const bench_options *options)
{
    struct contact_task task;
    const graze_model *model = subject->models[QUERIES_PLAIN];
    graze_error error;
    memset(&task, 0, sizeof task);
    bool ok = queries_open(&task.actors[0], subject, QUERIES_PLAIN) &&
              queries_open(&task.actors[1], subject, QUERIES_PLAIN);
    if (ok && graze_contacts_create(model, model, NULL, &task.contacts, &error)) {
        fprintf(stderr, "graze: %s\n", error.text);
        ok = false;
    }
    ok = ok && measure_contacts(&task, options, "touching", 0.03f) &&
         measure_contacts(&task, options, "deep", 0.2f);
    graze_contacts_destroy(task.contacts);
    queries_close(&task.actors[0]);
    queries_close(&task.actors[1]);
    return ok;
}
