/* One ray after a pose, and a camera's worth of them, against Embree. */
#include "bench/queries.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 64 /* of the camera's grid */

struct ray_task {
    queries_actor actor;
    graze_ray *rays;
    graze_ray_hit *hits;
    size_t count, next;
    const bench_embree *embree; /* NULL: absent */
    void *scene;
    bench_peer_ray *peer_rays;
    bench_peer_hit *peer_hits;
    uint32_t hit_count, differ_count, total; /* over all frames */
};

static void close_task(struct ray_task *task)
{
    if (task->embree && task->scene)
        task->embree->destroy(task->scene);
    queries_close(&task->actor);
    free(task->rays);
    free(task->hits);
    free(task->peer_rays);
    free(task->peer_hits);
}

static bool open_task(struct ray_task *task, const queries_subject *subject, size_t count)
{
    *task = (struct ray_task){.count = count, .embree = queries_peers()->embree};
    if (!queries_open(&task->actor, subject, QUERIES_PLAIN))
        return false;
    task->rays = malloc(count * sizeof *task->rays);
    task->hits = malloc(count * sizeof *task->hits);
    task->peer_rays = malloc(count * sizeof *task->peer_rays);
    task->peer_hits = malloc(count * sizeof *task->peer_hits);
    bool ok = task->rays && task->hits && task->peer_rays && task->peer_hits &&
              queries_sample(&task->actor, 0, 0);
    if (ok && task->embree) {
        float low[3], high[3];
        queries_box(&task->actor, low, high);
        bench_mesh mesh = queries_mesh(&task->actor);
        task->scene = task->embree->create(&mesh);
        ok = task->scene != NULL;
    }
    if (ok)
        return true;
    fprintf(stderr, "graze: %s: no memory for rays\n", subject->name);
    close_task(task);
    return false;
}

static void set_ray(struct ray_task *task, size_t number, const float origin[3], const float dir[3])
{
    graze_ray ray = graze_default_ray();
    memcpy(ray.origin, origin, sizeof ray.origin);
    memcpy(ray.dir, dir, sizeof ray.dir);
    task->rays[number] = ray;
    memcpy(task->peer_rays[number].origin, origin, sizeof ray.origin);
    memcpy(task->peer_rays[number].dir, dir, sizeof ray.dir);
}

/* Each ray by itself, from the pose. */
static void run_cast(void *user)
{
    struct ray_task *task = user;
    for (size_t i = 0; i < task->count; i++) {
        queries_pose(&task->actor);
        graze_cast(task->actor.body, &task->rays[i], &task->hits[i], NULL, NULL);
    }
}

/* Slower ways take one ray a run, the next one each time: a long run is never left undisturbed, and
 * rays hardly differ against the rest.
 */
static size_t next_ray(struct ray_task *task)
{
    return task->next++ % task->count;
}

static void run_eager(void *user)
{
    struct ray_task *task = user;
    size_t ray = next_ray(task);
    queries_pose(&task->actor);
    graze_body_refit_all(task->actor.body);
    graze_cast(task->actor.body, &task->rays[ray], &task->hits[ray], NULL, NULL);
}

static void run_skin(void *user)
{
    struct ray_task *task = user;
    queries_pose(&task->actor);
    graze_body_get_positions(task->actor.body, task->actor.positions);
}

static void run_embree_refit(void *user)
{
    struct ray_task *task = user;
    task->embree->refit(task->scene);
}

static void run_embree_rays(void *user)
{
    struct ray_task *task = user;
    for (size_t i = 0; i < task->count; i++)
        task->embree->ray(task->scene, &task->peer_rays[i], &task->peer_hits[i]);
}

static void run_embree(void *user)
{
    struct ray_task *task = user;
    size_t ray = next_ray(task);
    run_skin(task);
    task->embree->refit(task->scene);
    task->embree->ray(task->scene, &task->peer_rays[ray], &task->peer_hits[ray]);
}

/* From outside towards the middles of random triangles: all hit something. */
static void aim(struct ray_task *task, uint32_t *seed)
{
    float low[3], high[3];
    queries_box(&task->actor, low, high);
    for (size_t i = 0; i < task->count; i++) {
        graze_ray ray = queries_aim(&task->actor, seed);
        set_ray(task, i, ray.origin, ray.dir);
    }
}

/* Side by side through the body's box and a tenth of its size around it. */
static void aim_parallel(struct ray_task *task, uint32_t *seed)
{
    float low[3], high[3], margin = 0.1f * task->actor.subject->size;
    const float dir[3] = {0.1f, -0.2f, -1};
    queries_box(&task->actor, low, high);
    for (size_t i = 0; i < task->count; i++) {
        float origin[3];
        for (int k = 0; k < 3; k++)
            origin[k] = low[k] - margin + queries_random(seed) * (high[k] - low[k] + 2 * margin) -
                        dir[k] * 2 * task->actor.subject->size;
        set_ray(task, i, origin, dir);
    }
}

/* Counts hits, and those where Embree, which is not exact, finds none or another place. */
static void compare_hits(struct ray_task *task)
{
    task->total += (uint32_t)task->count;
    for (size_t i = 0; i < task->count; i++) {
        const graze_ray_hit *ours = &task->hits[i];
        const bench_peer_hit *theirs = &task->peer_hits[i];
        task->hit_count += ours->found;
        task->differ_count += task->embree && (ours->found != (theirs->triangle != UINT32_MAX) ||
                                               fabsf(ours->t - theirs->t) > 1e-4f * ours->t);
    }
}

static void describe_hits(const struct ray_task *task, char *note, size_t size)
{
    int length = snprintf(note, size, "%u of %u rays hit", task->hit_count, task->total);
    if (task->embree)
        snprintf(note + length, size - (size_t)length, ", Embree says otherwise of %u",
                 task->differ_count);
}

enum { RAYS = 16, RAY_GRAZE = 0, RAY_EAGER, RAY_SKIN, RAY_EMBREE };

static bool measure_rays(const queries_subject *subject, const bench_options *options,
                         const char *name, void (*choose)(struct ray_task *, uint32_t *))
{
    static const queries_method methods[] = {
        [RAY_GRAZE] = {.name = "graze_cast", .run = run_cast, .answers = RAYS},
        [RAY_EAGER] = {.name = "our tree refitted bottom-up", .run = run_eager},
        [RAY_SKIN] = {.name = "skin alone", .run = run_skin},
        [RAY_EMBREE] = {.name = "skin + Embree", .run = run_embree},
        {.name = "Embree's refit alone", .run = run_embree_refit},
        {.name = "Embree's ray alone", .run = run_embree_rays, .answers = RAYS}};
    struct ray_task task;
    queries_case entry = {.table = "ray", .model = subject->name, .name = name, .methods = methods};
    uint32_t seed = 1;
    char note[128];
    if (!open_task(&task, subject, RAYS))
        return false;
    entry.user = &task;
    entry.method_count = task.embree ? sizeof methods / sizeof *methods : RAY_EMBREE;
    bool ok = true;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES && ok; frame++) {
        ok = queries_sample(&task.actor, 0, queries_time(subject, 0, frame));
        choose(&task, &seed);
        queries_measure(&entry, options->rounds);
        compare_hits(&task);
    }
    describe_hits(&task, note, sizeof note);
    queries_print(&entry, options, note);
    if (task.embree)
        queries_ratio(&entry, options, RAY_EMBREE, RAY_GRAZE, QUERIES_AT_LEAST, 100);
    queries_ratio(&entry, options, RAY_EAGER, RAY_GRAZE, QUERIES_AT_LEAST, 0);
    close_task(&task);
    return ok;
}

bool queries_rays(const queries_subject *subject, const bench_options *options)
{
    return measure_rays(subject, options, "aimed at triangles", aim) &&
           measure_rays(subject, options, "parallel", aim_parallel);
}

static void run_many(void *user)
{
    struct ray_task *task = user;
    queries_pose(&task->actor);
    graze_cast_many(task->actor.body, task->rays, task->count, task->hits, NULL, NULL);
}

static void run_loop(void *user)
{
    struct ray_task *task = user;
    queries_pose(&task->actor);
    for (size_t i = 0; i < task->count; i++)
        graze_cast(task->actor.body, &task->rays[i], &task->hits[i], NULL, NULL);
}

static void run_embree_loop(void *user)
{
    struct ray_task *task = user;
    run_skin(task);
    task->embree->refit(task->scene);
    run_embree_rays(task);
}

static void run_embree_packets(void *user)
{
    struct ray_task *task = user;
    run_skin(task);
    task->embree->refit(task->scene);
    task->embree->rays(task->scene, task->peer_rays, task->count, task->peer_hits);
}

/* A camera in front that the body's box just fills; rays follow each other in tiles of 8 x 8. */
static void aim_camera(struct ray_task *task)
{
    float low[3], high[3], size = task->actor.subject->size;
    queries_box(&task->actor, low, high);
    float origin[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] + 2 * size};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t tile = i / 64, x = tile % 8 * 8 + i % 8, y = tile / 8 * 8 + i / 8 % 8;
        float dir[3] = {(((float)x + 0.5f) / SIDE - 0.5f) * (high[0] - low[0]),
                        (((float)y + 0.5f) / SIDE - 0.5f) * (high[1] - low[1]), -2 * size};
        set_ray(task, i, origin, dir);
    }
}

bool queries_camera(const queries_subject *subject, const bench_options *options)
{
    static const queries_method methods[] = {
        {.name = "graze_cast_many", .run = run_many},
        {.name = "graze_cast in a loop", .run = run_loop},
        {.name = "skin alone", .run = run_skin},
        {.name = "skin + Embree, packets of 16", .run = run_embree_packets},
        {.name = "skin + Embree, one by one", .run = run_embree_loop}};
    struct ray_task task;
    queries_case entry = {.table = "camera",
                          .model = subject->name,
                          .name = "64 x 64 rays",
                          .methods = methods,
                          .user = &task};
    char note[128];
    if (!open_task(&task, subject, SIDE * SIDE))
        return false;
    entry.method_count = task.embree ? 5 : 3;
    bool ok = true;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES && ok; frame++) {
        ok = queries_sample(&task.actor, 0, queries_time(subject, 0, frame));
        aim_camera(&task);
        queries_measure(&entry, options->rounds);
        compare_hits(&task);
    }
    describe_hits(&task, note, sizeof note);
    queries_print(&entry, options, note);
    queries_ratio(&entry, options, 1, 0, QUERIES_AT_LEAST, 0);
    for (uint32_t m = 3; m < entry.method_count; m++)
        queries_ratio(&entry, options, m, 0, QUERIES_AT_LEAST, 0);
    close_task(&task);
    return ok;
}
