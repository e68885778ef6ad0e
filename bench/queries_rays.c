/* One ray after a pose, and a camera's worth of them, against Embree. */
#include "bench/queries.h"

#define SIDE 64 /* of the camera's grid */

struct ray_task {
    queries_actor actor;
    graze_ray *rays;
    graze_hit *hits;
    size_t count, next;
    const bench_embree *embree; /* NULL: absent */
    void *scene;
    bench_peer_ray *peer_rays;
    bench_peer_hit *peer_hits;
    uint32_t hit_count, differ_count, total; /* over all frames */
};

static void set_ray(struct ray_task *task, size_t number, const float origin[3], const float dir[3])
{
    task->rays[number] = graze_ray_from(origin, dir);
    memcpy(task->peer_rays[number].origin, origin, 3 * sizeof *origin);
    memcpy(task->peer_rays[number].dir, dir, 3 * sizeof *dir);
}

static void trace(struct ray_task *task, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        task->embree->ray(task->scene, &task->peer_rays[i], &task->peer_hits[i]);
}

static void skin(struct ray_task *task)
{
    graze_body_get_positions(task->actor.body, task->actor.positions);
}

/* ---- one ray -------------------------------------------------------------------------------- */

enum { RAYS = 16, RAY_GRAZE = 0, RAY_EAGER, RAY_SKIN, RAY_EMBREE, RAY_REFIT, RAY_TRACE, RAY_WAYS };

static const queries_method ray_methods[RAY_WAYS] = {
    {.name = "graze_cast", .answers = RAYS},
    {.name = "our tree refitted bottom-up", .how = {.method = GRAZE_EAGER}},
    {.name = "skin alone"},
    {.name = "skin + Embree"},
    {.name = "Embree's refit alone"},
    {.name = "Embree's ray alone", .answers = RAYS}};

/* Slower ways take one ray a run, the next one each time: a long run is never left undisturbed, and
 * rays hardly differ against the rest.
 */
static void ask_rays(void *user, int way)
{
    struct ray_task *task = user;
    bool one = way == RAY_EAGER || way == RAY_EMBREE;
    size_t first = one ? task->next++ % task->count : 0, count = one ? 1 : task->count;
    for (size_t i = first; i < first + count && way <= RAY_EAGER; i++) { /* each from the pose */
        queries_pose(&task->actor, 1);
        task->hits[i] = bench_cast(task->actor.body, &task->rays[i], &ray_methods[way].how);
    }
    if (way == RAY_SKIN || way == RAY_EMBREE) {
        queries_pose(&task->actor, 1);
        skin(task);
    }
    if (way == RAY_EMBREE || way == RAY_REFIT)
        task->embree->refit(task->scene);
    if (way == RAY_EMBREE || way == RAY_TRACE)
        trace(task, first, count);
}

/* From outside towards the middles of random triangles: all hit something. */
static void aim(struct ray_task *task, uint32_t *seed)
{
    queries_box(&task->actor);
    for (size_t i = 0; i < task->count; i++) {
        graze_ray ray = queries_aim(&task->actor, seed);
        set_ray(task, i, ray.origin, ray.dir);
    }
}

/* Side by side through the body's box and a tenth of its size around it. */
static void aim_parallel(struct ray_task *task, uint32_t *seed)
{
    float size = task->actor.subject->size, margin = 0.1f * size;
    const float dir[3] = {0.1f, -0.2f, -1};
    bench_bounds box = queries_box(&task->actor);
    for (size_t i = 0; i < task->count; i++) {
        float origin[3];
        for (int k = 0; k < 3; k++)
            origin[k] = box.low[k] - margin +
                        bench_random(seed) * (box.high[k] - box.low[k] + 2 * margin) -
                        dir[k] * 2 * size;
        set_ray(task, i, origin, dir);
    }
}

/* ---- a camera ------------------------------------------------------------------------------- */

enum { CAMERA_MANY, CAMERA_LOOP, CAMERA_SKIN, CAMERA_PACKETS, CAMERA_EMBREE, CAMERA_WAYS };

static const queries_method camera_methods[CAMERA_WAYS] = {{.name = "graze_cast_many"},
                                                           {.name = "graze_cast in a loop"},
                                                           {.name = "skin alone"},
                                                           {.name = "skin + Embree, packets of 16"},
                                                           {.name = "skin + Embree, one by one"}};

/* All rays from one pose. */
static void ask_camera(void *user, int way)
{
    struct ray_task *task = user;
    graze_body *body = task->actor.body;
    queries_pose(&task->actor, 1);
    if (way == CAMERA_MANY)
        bench_must(graze_cast_many(body, task->rays, task->count, task->hits, NULL, &bench_error));
    for (size_t i = 0; i < task->count && way == CAMERA_LOOP; i++)
        task->hits[i] = bench_cast(body, &task->rays[i], NULL);
    if (way >= CAMERA_SKIN)
        skin(task);
    if (way >= CAMERA_PACKETS)
        task->embree->refit(task->scene);
    if (way == CAMERA_PACKETS)
        task->embree->rays(task->scene, task->peer_rays, task->count, task->peer_hits);
    else if (way == CAMERA_EMBREE)
        trace(task, 0, task->count);
}

/* A camera in front that the body's box just fills; rays follow each other in tiles of 8 x 8. */
static void aim_camera(struct ray_task *task, uint32_t *seed)
{
    float size = task->actor.subject->size;
    const bench_bounds box = queries_box(&task->actor);
    const float *low = box.low, *high = box.high;
    float origin[3] = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] + 2 * size};
    (void)seed;
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t tile = i / 64, x = tile % 8 * 8 + i % 8, y = tile / 8 * 8 + i / 8 % 8;
        float dir[3] = {(((float)x + 0.5f) / SIDE - 0.5f) * (high[0] - low[0]),
                        (((float)y + 0.5f) / SIDE - 0.5f) * (high[1] - low[1]), -2 * size};
        set_ray(task, i, origin, dir);
    }
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void open_task(struct ray_task *task, const queries_subject *subject, size_t count)
{
    *task = (struct ray_task){.rays = bench_take(count, sizeof *task->rays),
                              .hits = bench_take(count, sizeof *task->hits),
                              .count = count,
                              .embree = queries_peers()->embree,
                              .peer_rays = bench_take(count, sizeof *task->peer_rays),
                              .peer_hits = bench_take(count, sizeof *task->peer_hits)};
    queries_open(&task->actor, 1, subject, QUERIES_PLAIN);
    queries_sample(&task->actor, 0, 0);
    queries_box(&task->actor);
    const bench_mesh mesh = queries_mesh(&task->actor);
    task->scene = task->embree ? task->embree->create(&mesh) : NULL;
    if (task->embree && !task->scene)
        bench_die("%s: no memory for rays", subject->name);
}

static void close_task(struct ray_task *task)
{
    if (task->scene)
        task->embree->destroy(task->scene);
    queries_close(&task->actor, 1);
    free(task->rays);
    free(task->hits);
    free(task->peer_rays);
    free(task->peer_hits);
}

/* Counts hits, and those where Embree, which is not exact, finds none or another place. */
static void compare_hits(struct ray_task *task)
{
    task->total += (uint32_t)task->count;
    for (size_t i = 0; i < task->count; i++) {
        const graze_hit *ours = &task->hits[i];
        const bench_peer_hit *theirs = &task->peer_hits[i];
        task->hit_count += ours->found;
        task->differ_count += task->embree && (ours->found != (theirs->triangle != UINT32_MAX) ||
                                               fabsf(ours->t - theirs->t) > 1e-4f * ours->t);
    }
}

static void measure(queries_case *entry, size_t count,
                    void (*choose)(struct ray_task *, uint32_t *), const queries_subject *subject)
{
    struct ray_task task;
    uint32_t seed = 1;
    char note[128];
    open_task(&task, subject, count);
    entry->model = subject->name;
    entry->user = &task;
    if (!task.embree)
        entry->method_count = entry->ask == ask_rays ? RAY_EMBREE : CAMERA_PACKETS;
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        queries_sample(&task.actor, 0, queries_time(subject, 0, frame));
        choose(&task, &seed);
        queries_measure(entry);
        compare_hits(&task);
    }
    snprintf(note, sizeof note, "%u of %u rays hit", task.hit_count, task.total);
    if (task.embree)
        bench_append(note, sizeof note, ", Embree says otherwise of %u", task.differ_count);
    queries_print(entry, note);
    close_task(&task);
}

static void measure_rays(const queries_subject *subject, const char *name,
                         void (*choose)(struct ray_task *, uint32_t *))
{
    queries_case entry = {.table = "ray",
                          .name = name,
                          .methods = ray_methods,
                          .method_count = RAY_WAYS,
                          .ask = ask_rays};
    measure(&entry, RAYS, choose, subject);
    if (entry.method_count == RAY_WAYS)
        queries_ratio(&entry, RAY_EMBREE, RAY_GRAZE, QUERIES_AT_LEAST, 100);
    queries_ratio(&entry, RAY_EAGER, RAY_GRAZE, QUERIES_AT_LEAST, 0);
}

void queries_rays(const queries_subject *subject)
{
    measure_rays(subject, "aimed at triangles", aim);
    measure_rays(subject, "parallel", aim_parallel);
}

void queries_camera(const queries_subject *subject)
{
    queries_case entry = {.table = "camera",
                          .name = "64 x 64 rays",
                          .methods = camera_methods,
                          .method_count = CAMERA_WAYS,
                          .ask = ask_camera};
    measure(&entry, SIDE * SIDE, aim_camera, subject);
    for (uint32_t m = CAMERA_LOOP; m < entry.method_count; m++)
        if (m != CAMERA_SKIN)
            queries_ratio(&entry, m, CAMERA_MANY, QUERIES_AT_LEAST, 0);
}
