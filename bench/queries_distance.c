/* Two bodies that do not meet: how much dearer is their distance than the answer "no"? */
#include "bench/queries.h"

#include "scenes/stage.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>

struct distance_task {
    queries_actor actors[2];
    float margin; /* that closer_than asks about */
    graze_nearest nearest;
    size_t pairs;
    bool closer;
    const bench_fcl *fcl; /* NULL: absent */
    void *trees[2];
    double peer_distance;
};

static void run_collide(void *user)
{
    struct distance_task *task = user;
    task->pairs = 0;
    queries_pose_both(task->actors);
    graze_collide(task->actors[0].body, task->actors[1].body, stage_count, &task->pairs, NULL,
                  NULL);
}

static void run_distance(void *user)
{
    struct distance_task *task = user;
    queries_pose_both(task->actors);
    graze_distance(task->actors[0].body, task->actors[1].body, INFINITY, &task->nearest, NULL,
                   NULL);
}

static void run_closer(void *user)
{
    struct distance_task *task = user;
    queries_pose_both(task->actors);
    graze_closer_than(task->actors[0].body, task->actors[1].body, task->margin, &task->closer, NULL,
                      NULL, NULL);
}

static void run_eager(void *user)
{
    struct distance_task *task = user;
    queries_pose_both(task->actors);
    graze_body_refit_all(task->actors[0].body);
    graze_body_refit_all(task->actors[1].body);
    graze_distance(task->actors[0].body, task->actors[1].body, INFINITY, &task->nearest, NULL,
                   NULL);
}

static void run_fcl_distance(void *user)
{
    struct distance_task *task = user;
    task->peer_distance = task->fcl->distance(task->trees[0], task->trees[1]);
}

static void run_fcl(void *user)
{
    struct distance_task *task = user;
    queries_pose_both(task->actors);
    for (int i = 0; i < 2; i++) {
        queries_actor *actor = &task->actors[i];
        graze_body_get_positions(actor->body, actor->positions);
        task->fcl->refit(task->trees[i], actor->positions);
    }
    run_fcl_distance(task);
}

enum { WAY_COLLIDE, WAY_DISTANCE, WAY_CLOSER, WAY_EAGER, WAY_FCL, WAY_FCL_DISTANCE, WAY_COUNT };

static const queries_method methods[WAY_COUNT] = {
    [WAY_COLLIDE] = {.name = "graze_collide", .run = run_collide},
    [WAY_DISTANCE] = {.name = "graze_distance", .run = run_distance},
    [WAY_CLOSER] = {.name = "graze_closer_than, 5 % of the size", .run = run_closer},
    [WAY_EAGER] = {.name = "graze_distance, refitted bottom-up", .run = run_eager},
    [WAY_FCL] = {.name = "skin + FCL", .run = run_fcl, .slow = true},
    [WAY_FCL_DISTANCE] = {.name = "FCL's distance alone", .run = run_fcl_distance, .slow = true}};

/* Where b stands, in sizes beyond where the boxes touch; less than 0: as near as queries_near. */
static bool place(struct distance_task *task, uint32_t frame, float gap)
{
    const queries_subject *subject = task->actors[0].subject;
    double time = queries_time(subject, 0, frame);
    queries_actor *a = &task->actors[0], *b = &task->actors[1];
    if (!queries_sample(a, 0, time) ||
        !queries_sample(b, 0, time + 0.4 * (double)subject->rig->clips[0].seconds))
        return false;
    queries_place(b, gap < 0 ? queries_near(a, b) : queries_beside(a, b) + gap * subject->size);
    return true;
}

/* What the frames of a case came to. */
typedef struct distance_sums {
    double distance, max_off; /* the latter of FCL's distances */
    uint32_t overlapping;
} distance_sums;

static bool measure_frame(struct distance_task *task, queries_case *entry, uint32_t rounds,
                          distance_sums *sums)
{
    queries_measure(entry, rounds);
    if (task->pairs) {
        fprintf(stderr, "graze: %s: bodies that should be apart meet\n", entry->model);
        return false;
    }
    sums->distance += task->nearest.distance;
    sums->overlapping += queries_boxes_overlap(&task->actors[0], &task->actors[1]);
    if (task->fcl && entry->least[0].count <= QUERIES_SLOW_FRAMES)
        sums->max_off = fmax(sums->max_off, fabs(task->peer_distance - task->nearest.distance));
    return true;
}

static void print_gap(const struct distance_task *task, const bench_options *options,
                      const queries_case *entry, const distance_sums *sums)
{
    char note[240];
    double size = task->actors[0].subject->size;
    int length = snprintf(
        note, sizeof note, "boxes overlap in %u of %d frames, mean distance %.2g of the size",
        sums->overlapping, QUERIES_FRAMES, sums->distance / QUERIES_FRAMES / size);
    if (task->actors[1].how)
        length +=
            snprintf(note + length, sizeof note - (size_t)length, "; %s", task->actors[1].how);
    if (task->fcl)
        snprintf(note + length, sizeof note - (size_t)length, ", FCL's off by %.1g at most",
                 sums->max_off / size);
    queries_print(entry, options, note);
    queries_ratio(entry, options, WAY_DISTANCE, WAY_COLLIDE, QUERIES_AT_MOST, 3);
    queries_ratio(entry, options, WAY_CLOSER, WAY_COLLIDE, QUERIES_AT_MOST, 0);
    queries_ratio(entry, options, WAY_EAGER, WAY_DISTANCE, QUERIES_AT_LEAST, 0);
    if (task->fcl)
        queries_ratio(entry, options, WAY_FCL, WAY_DISTANCE, QUERIES_AT_LEAST, 0);
}

static bool measure_gap(struct distance_task *task, const bench_options *options, const char *name,
                        float gap)
{
    queries_case entry = {.table = "distance",
                          .model = task->actors[0].subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = task->fcl ? WAY_COUNT : WAY_FCL,
                          .user = task};
    distance_sums sums = {0};
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++)
        if (!place(task, frame, gap) || !measure_frame(task, &entry, options->rounds, &sums))
            return false;
    print_gap(task, options, &entry, &sums);
    return true;
}

static bool open_task(struct distance_task *task, const queries_subject *subject)
{
    task->fcl = queries_peers()->fcl;
    task->margin = 0.05f * subject->size;
    for (int i = 0; i < 2; i++) {
        float low[3], high[3];
        queries_actor *actor = &task->actors[i];
        if (!queries_open(actor, subject, QUERIES_PLAIN) || !queries_sample(actor, 0, 0))
            return false;
        queries_box(actor, low, high);
        bench_mesh mesh = queries_mesh(actor);
        if (task->fcl)
            task->trees[i] = task->fcl->create(&mesh);
    }
    return true;
}

bool queries_distance(const queries_subject *subject, const bench_options *options)
{
    struct distance_task task = {.pairs = 0};
    bool ok = open_task(&task, subject) && measure_gap(&task, options, "near", -1) &&
              measure_gap(&task, options, "boxes just apart", 0) &&
              measure_gap(&task, options, "a size apart", 1);
    for (int i = 0; i < 2; i++) {
        if (task.trees[i])
            task.fcl->destroy(task.trees[i]);
        queries_close(&task.actors[i]);
    }
    return ok;
}
