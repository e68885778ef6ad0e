/* What a second thread is worth to every query, many at once. */
#include "bench/scale_crowd.h"
#include "bench/scale_threads.h"

#include <stdio.h>
#include <stdlib.h>

enum { PEOPLE = 200, RAYS = 16384, RAYS_A_JOB = 64, FRAMES = 3 };

/* A crowd, where it goes to, and what is asked of it. */
typedef struct many {
    crowd people;
    graze_body **later;
    graze_motion *motions;
    graze_motion_pair *motion_pairs;
    graze_contacts **finders;
    graze_nearest *nearest;
    graze_impact *impacts;
    graze_ray *rays;
    graze_ray_hit *hits;
    size_t answers; /* found last */
} many;

/* ---- the scene ---------------------------------------------------------------------------- */

/* Rays from around towards the first body. */
static void draw_rays(many *m)
{
    const queries_subject *subject = &m->people.subject;
    const float *placement = m->people.placements[0];
    uint32_t seed = 7;
    for (uint32_t i = 0; i < RAYS; i++) {
        graze_ray ray = graze_default_ray();
        for (int k = 0; k < 3; k++) {
            float wide = subject->high[k] - subject->low[k], middle = subject->low[k] + wide / 2;
            float from = middle + 2 * wide * (2 * queries_random(&seed) - 1);
            float to = middle + 0.4f * wide * (2 * queries_random(&seed) - 1);
            ray.origin[k] = from + placement[4 * k + 3];
            ray.dir[k] = to - from;
        }
        m->rays[i] = ray;
    }
}

/* Everybody a step further. */
static void pose_later(many *m)
{
    crowd *people = &m->people;
    uint32_t joints = people->subject.rig->joint_count;
    for (uint32_t i = 0; i < people->count; i++) {
        float placement[12];
        for (int k = 0; k < 12; k++)
            placement[k] = people->placements[i][k];
        placement[3] += 0.1f * (people->subject.high[0] - people->subject.low[0]);
        graze_pose pose = {.joints = people->joints, .joint_count = joints, .placement = placement};
        graze_body_set_pose(m->later[i], &pose, NULL);
    }
}

static void pose_all(void *user)
{
    many *m = ((thread_task *)user)->scene;
    crowd *people = &m->people;
    crowd_pose(people);
    pose_later(m);
    for (size_t p = 0; p < people->near_count; p++)
        m->motion_pairs[p] =
            (graze_motion_pair){&m->motions[people->near[p].a], &m->motions[people->near[p].b]};
}

static void close_many(many *m)
{
    for (size_t p = 0; m->finders && p < m->people.near_capacity; p++)
        graze_contacts_destroy(m->finders[p]);
    for (uint32_t i = 0; m->later && i < PEOPLE; i++)
        graze_body_destroy(m->later[i]);
    free(m->later);
    free(m->motions);
    free(m->motion_pairs);
    free(m->finders);
    free(m->nearest);
    free(m->impacts);
    free(m->rays);
    free(m->hits);
    crowd_close(&m->people);
}

/* One finder for each pair that there is in the pose, which stays. */
static bool open_finders(many *m)
{
    const graze_model *model = m->people.subject.models[QUERIES_PLAIN];
    thread_task task = {.scene = m};
    pose_all(&task);
    for (size_t p = 0; p < m->people.near_count; p++)
        if (graze_contacts_create(model, model, NULL, &m->finders[p], NULL))
            return false;
    return true;
}

static bool open_many(many *m)
{
    *m = (many){.answers = 0};
    if (!crowd_open(&m->people, PEOPLE, false))
        return false;
    size_t pairs = m->people.near_capacity;
    m->later = calloc(PEOPLE, sizeof(graze_body *));
    m->motions = calloc(PEOPLE, sizeof *m->motions);
    m->motion_pairs = calloc(pairs, sizeof *m->motion_pairs);
    m->finders = calloc(pairs, sizeof(graze_contacts *));
    m->nearest = calloc(pairs, sizeof *m->nearest);
    m->impacts = calloc(pairs, sizeof *m->impacts);
    m->rays = calloc(RAYS, sizeof *m->rays);
    m->hits = calloc(RAYS, sizeof *m->hits);
    bool ok = m->later && m->motions && m->motion_pairs && m->finders && m->nearest && m->impacts &&
              m->rays && m->hits;
    for (uint32_t i = 0; ok && i < PEOPLE; i++) {
        ok = !graze_body_create(m->people.subject.models[QUERIES_PLAIN], &m->later[i], NULL);
        m->motions[i] = (graze_motion){m->people.bodies[i], m->later[i]};
    }
    if (ok && open_finders(m)) {
        draw_rays(m);
        return true;
    }
    fprintf(stderr, "graze: no memory for %d bodies\n", PEOPLE);
    close_many(m);
    return false;
}

/* ---- the queries -------------------------------------------------------------------------- */

static void run_rays(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    graze_cast_many_parallel(task->pool, m->people.bodies[0], m->rays, RAYS, m->hits, NULL, NULL);
    m->answers = RAYS;
}

/* One by one, as jobs of the caller's on a body that it shares. */
static void cast_some(void *user, size_t item, uint32_t thread)
{
    many *m = user;
    (void)thread;
    for (size_t i = item * RAYS_A_JOB; i < (item + 1) * RAYS_A_JOB; i++)
        graze_cast(m->people.bodies[0], &m->rays[i], &m->hits[i], NULL, NULL);
}

static void run_rays_shared(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    graze_body_share(m->people.bodies[0], NULL);
    graze_pool_for_each(task->pool, RAYS / RAYS_A_JOB, cast_some, m, NULL);
    graze_body_unshare(m->people.bodies[0], NULL);
    m->answers = RAYS;
}

static bool count_self(void *user, size_t body, const graze_self_pair *pairs, size_t count)
{
    (void)body, (void)pairs;
    *(size_t *)user += count;
    return true;
}

static void run_self(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    m->answers = 0;
    graze_collide_self_many(task->pool, m->people.bodies, PEOPLE, GRAZE_SELF_ALL, count_self,
                            &m->answers, NULL, NULL);
}

static void run_distances(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    m->answers = m->people.near_count;
    graze_distance_many(task->pool, m->people.body_pairs, m->answers, NULL, m->nearest, NULL, NULL);
}

static void run_contacts(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    m->answers = 0;
    graze_contacts_many(task->pool, m->finders, m->people.body_pairs, m->people.near_count, NULL,
                        NULL);
    for (size_t p = 0; p < m->people.near_count; p++)
        m->answers += graze_contacts_count(m->finders[p]);
}

static void run_sweeps(void *user)
{
    const thread_task *task = user;
    many *m = task->scene;
    m->answers = m->people.near_count;
    graze_sweep_many(task->pool, m->motion_pairs, m->answers, false, m->impacts, NULL, NULL);
}

bool scale_threads_many(scale_output *output, thread_task tasks[SCALE_MAX_THREADS])
{
    static const struct {
        const char *name, *answers;
        void (*run)(void *user);
    } rows[] = {{"rays", "rays at one body", run_rays},
                {"rays, caller's threads", "rays at one shared body, one by one", run_rays_shared},
                {"self", "pairs of triangles of 200 bodies", run_self},
                {"distance", "pairs of bodies", run_distances},
                {"contacts", "contacts", run_contacts},
                {"sweep", "pairs of motions", run_sweeps}};
    many m;
    if (!open_many(&m))
        return false;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        queries_method methods[SCALE_MAX_THREADS];
        char note[96];
        scale_threads_fill(tasks, &m, rows[r].run, pose_all, methods);
        queries_case entry = {.table = "threads",
                              .model = "200 dwarves",
                              .name = rows[r].name,
                              .methods = methods,
                              .method_count = SCALE_MAX_THREADS};
        for (int frame = 0; frame < FRAMES; frame++)
            queries_measure(&entry, output->options->rounds);
        snprintf(note, sizeof note, "%zu %s; queries alone, poses set", m.answers, rows[r].answers);
        scale_threads_show(output, &entry, note);
    }
    close_many(&m);
    return true;
}
