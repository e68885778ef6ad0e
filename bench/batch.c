/* Many poses in one call, on one thread and on all, beside asking them one by one. */
#include "bench/bench.h"

#include <graze/ext/batch.h>

enum { TRIANGLES = 13776, POSES = 400, RAYS = 64 };

typedef struct batch_task {
    graze_model *model;
    graze_body *bodies[2];
    graze_pose_batch *batches[2]; /* on one thread, on all */
    graze_pose_set joints, moved, positions;
    uint32_t *counts[2]; /* one by one, by a batch */
    graze_ray *rays;
    graze_hit *hits;
} batch_task;

typedef struct batch_question {
    const char *name;
    size_t (*one)(batch_task *task, size_t n); /* pairs or hits of a pose */
    graze_status (*all)(batch_task *task, graze_pose_batch *batch, graze_pose_results *results);
    bool any; /* the first pair will do */
} batch_question;

/* ---- questions ------------------------------------------------------------------------------ */

static void take_pose(graze_body *body, const graze_pose_set *set, size_t n)
{
    bench_pose(body, set->joints + 12 * (size_t)set->joint_count * n, set->joint_count,
               set->placements ? set->placements + 12 * n : NULL);
}

static size_t self_one(batch_task *task, size_t n)
{
    take_pose(task->bodies[0], &task->joints, n);
    return bench_self_pairs(task->bodies[0], NULL, NULL);
}
static size_t first_one(batch_task *task, size_t n)
{
    const graze_options any = {.any = true};
    take_pose(task->bodies[0], &task->joints, n);
    return bench_self_pairs(task->bodies[0], NULL, &any);
}
static size_t given_one(batch_task *task, size_t n)
{
    const uint32_t count = task->positions.vertex_count;
    bench_must(graze_body_set_positions(task->bodies[0],
                                        task->positions.positions + 3 * (size_t)count * n, 0, count,
                                        &bench_error));
    return bench_self_pairs(task->bodies[0], NULL, NULL);
}
static size_t two_one(batch_task *task, size_t n)
{
    take_pose(task->bodies[0], &task->joints, n);
    take_pose(task->bodies[1], &task->moved, n);
    return bench_pairs(task->bodies[0], task->bodies[1], NULL);
}
static size_t rays_one(batch_task *task, size_t n)
{
    size_t found = 0;
    take_pose(task->bodies[0], &task->joints, n);
    bench_must(graze_cast_many(task->bodies[0], task->rays + RAYS * n, RAYS, task->hits, NULL,
                               &bench_error));
    for (int r = 0; r < RAYS; r++)
        found += task->hits[r].found;
    return found;
}

static graze_status self_all(batch_task *task, graze_pose_batch *batch, graze_pose_results *results)
{
    return graze_pose_batch_self(batch, &task->joints, NULL, false, results, &bench_error);
}
static graze_status given_all(batch_task *task, graze_pose_batch *batch,
                              graze_pose_results *results)
{
    return graze_pose_batch_self(batch, &task->positions, NULL, false, results, &bench_error);
}
static graze_status two_all(batch_task *task, graze_pose_batch *batch, graze_pose_results *results)
{
    return graze_pose_batch_pairs(batch, &task->joints, &task->moved, results, &bench_error);
}
static graze_status rays_all(batch_task *task, graze_pose_batch *batch, graze_pose_results *results)
{
    return graze_pose_batch_cast(batch, &task->joints, task->rays, RAYS, task->hits, results,
                                 &bench_error);
}

static const batch_question questions[] = {{"self", self_one, self_all, false},
                                           {"self, first", first_one, self_all, true},
                                           {"self, positions", given_one, given_all, false},
                                           {"two bodies", two_one, two_all, false},
                                           {"64 rays", rays_one, rays_all, false}};

/* ---- measuring ------------------------------------------------------------------------------ */

typedef struct asking {
    batch_task *task;
    const batch_question *question;
    size_t found[3];
} asking;

enum { ONE_BY_ONE, ONE_THREAD, ALL_THREADS, WAYS };

static void ask(void *user, int way)
{
    asking *own = user;
    batch_task *task = own->task;
    graze_pose_results results = {.counts = own->question->any ? NULL : task->counts[1]};
    own->found[way] = 0;
    for (size_t n = 0; way == ONE_BY_ONE && n < POSES; n++) {
        const size_t found = own->question->one(task, n);
        task->counts[0][n] = (uint32_t)found;
        own->found[way] += found;
    }
    if (way == ONE_BY_ONE)
        return;
    bench_must(own->question->all(task, task->batches[way - 1], &results));
    own->found[way] = (size_t)results.total;
    if (!own->question->any && memcmp(task->counts[0], task->counts[1], POSES * sizeof(uint32_t)))
        bench_die("bench: a batch does not find what is found one by one: %s", own->question->name);
}

static void measure(batch_task *task, const batch_question *question, uint32_t threads)
{
    static const char *const names[WAYS] = {"one by one", "batch", "batch"};
    asking own = {task, question, {0}};
    bench_time times[WAYS];
    bench_interleave(ask, &own, WAYS, asked.rounds, times);
    for (int way = 0; way < WAYS; way++) {
        if (own.found[way] != own.found[0])
            bench_die("bench: a batch does not find what is found one by one: %s", question->name);
        bench_row("batch",
                  "what:%s:%-16s way:%s:%-11s threads:%.0f:%3.0f us:%.5g:_%9.2f "
                  "median_us:%.5g:_%9.2f times:%.4g:_%6.2f found:%.6g:_%8.1f_a_pose",
                  ROW_TEXTS(question->name, names[way]),
                  ROW_NUMBERS(way == ALL_THREADS ? threads : 1, times[way].least / POSES,
                              times[way].middle / POSES, times[ONE_THREAD].least / times[way].least,
                              (double)own.found[way] / POSES));
    }
}

/* ---- poses ---------------------------------------------------------------------------------- */

static void fill(batch_task *task, const graze_rig *rig)
{
    const uint32_t joints = rig->joint_count, vertices = rig->vertex_count;
    float *posed = bench_take(12 * (size_t)joints * POSES, sizeof *posed);
    float *placements = bench_take(12 * POSES, sizeof *placements);
    float *positions = bench_take(3 * (size_t)vertices * POSES, sizeof *positions);
    uint32_t random = 7;
    task->joints = (graze_pose_set){.count = POSES, .joints = posed, .joint_count = joints};
    task->moved = task->joints;
    task->moved.placements = placements;
    task->positions =
        (graze_pose_set){.count = POSES, .positions = positions, .vertex_count = vertices};
    for (size_t n = 0; n < POSES; n++) {
        const double at = rig->clips[0].seconds * (double)bench_random(&random);
        bench_must(graze_rig_sample(rig, 0, at, posed + 12 * joints * n, NULL));
        memcpy(placements + 12 * n, bench_identity, 12 * sizeof *placements);
        placements[12 * n + 3] = 0.3f + 0.2f * bench_random(&random);
        take_pose(task->bodies[0], &task->joints, n);
        graze_body_get_positions(task->bodies[0], positions + 3 * (size_t)vertices * n);
        for (int r = 0; r < RAYS; r++) {
            float origin[3], direction[3];
            for (int k = 0; k < 3; k++) {
                origin[k] = 3 * (bench_random(&random) - 0.5f) + (k == 1);
                direction[k] = bench_random(&random) - 0.5f - origin[k] + (k == 1);
            }
            task->rays[RAYS * n + (size_t)r] = graze_ray_from(origin, direction);
        }
    }
}

static void close_task(batch_task *task)
{
    for (int i = 0; i < 2; i++) {
        graze_pose_batch_destroy(task->batches[i]);
        graze_body_destroy(task->bodies[i]);
        free(task->counts[i]);
    }
    free((void *)(uintptr_t)task->joints.joints);
    free((void *)(uintptr_t)task->moved.placements);
    free((void *)(uintptr_t)task->positions.positions);
    free(task->rays);
    free(task->hits);
    graze_model_destroy(task->model);
}

void bench_batch(void)
{
    const uint32_t threads = asked.threads ? asked.threads : 2;
    graze_rig *rig = bench_make_rig(GRAZE_SYNTH_MAN, asked.triangles ? asked.triangles : TRIANGLES);
    batch_task task = {.rays = bench_take((size_t)POSES * RAYS, sizeof *task.rays),
                       .hits = bench_take((size_t)POSES * RAYS, sizeof *task.hits)};
    graze_pool *pool = NULL;
    bench_must(graze_rig_create_model(rig, NULL, &task.model, &bench_error));
    bench_must(graze_pool_create(threads, NULL, &pool, &bench_error));
    for (int i = 0; i < 2; i++) {
        const graze_pose_batch_def def = {
            .model = task.model, .other = task.model, .pool = i ? pool : NULL};
        bench_must(graze_pose_batch_create(&def, &task.batches[i], &bench_error));
        task.bodies[i] = bench_make_body(task.model);
        task.counts[i] = bench_take(POSES, sizeof *task.counts[i]);
    }
    fill(&task, rig);
    bench_print_machine();
    bench_say("\n%d poses of a man of %u triangles; microseconds a pose\n"
              "what             way      threads      least     median  times        found\n",
              POSES, rig->triangle_count);
    for (size_t q = 0; q < COUNT_OF(questions); q++)
        if (bench_wants(questions[q].name))
            measure(&task, &questions[q], threads);
    bench_end_only("question");
    close_task(&task);
    graze_pool_destroy(pool);
    graze_rig_destroy(rig);
}
