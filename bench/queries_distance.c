/* Two bodies that do not meet: how much dearer is their distance than the answer "no"? */
#include "bench/queries.h"

/* The bodies, and what the frames of a case came to. */
struct distance_task {
    queries_actor actors[2];
    graze_nearest nearest;
    size_t pairs;
    const bench_fcl *fcl; /* NULL: absent */
    void *trees[2];
    double peer_distance, distances, max_off; /* the last of FCL's distances */
    uint32_t overlapping;
};

enum { WAY_PAIRS, WAY_DISTANCE, WAY_CLOSER, WAY_EAGER, WAY_FCL, WAY_FCL_DISTANCE, WAY_COUNT };

static const queries_method methods[WAY_COUNT] = {
    [WAY_PAIRS] = {.name = "graze_pairs"},
    [WAY_DISTANCE] = {.name = "graze_distance"},
    [WAY_CLOSER] = {.name = "graze_distance, any, 5 % of the size", .how = {.any = true}},
    [WAY_EAGER] = {.name = "graze_distance, refitted bottom-up", .how = {.method = GRAZE_EAGER}},
    [WAY_FCL] = {.name = "skin + FCL", .slow = true},
    [WAY_FCL_DISTANCE] = {.name = "FCL's distance alone", .slow = true}};

static void ask(void *user, int way)
{
    struct distance_task *task = user;
    queries_actor *actors = task->actors;
    graze_nearest closer;
    if (way == WAY_PAIRS) {
        task->pairs = queries_pairs(actors, NULL);
        return;
    }
    if (way != WAY_FCL_DISTANCE)
        queries_pose(actors, 2);
    for (int i = 0; i < 2 && way == WAY_FCL; i++) {
        graze_body_get_positions(actors[i].body, actors[i].positions);
        task->fcl->refit(task->trees[i], actors[i].positions);
    }
    if (way >= WAY_FCL)
        task->peer_distance = task->fcl->distance(task->trees[0], task->trees[1]);
    else
        bench_must(graze_distance(actors[0].body, actors[1].body,
                                  way == WAY_CLOSER ? 0.05 * actors[0].subject->size : INFINITY,
                                  way == WAY_CLOSER ? &closer : &task->nearest, &methods[way].how,
                                  &bench_error));
}

/* b stands so many sizes beyond where the boxes touch; less than 0: as near as queries_near. */
static void place(struct distance_task *task, uint32_t frame, float gap)
{
    queries_actor *a = &task->actors[0], *b = &task->actors[1];
    const queries_subject *subject = a->subject;
    double time = queries_time(subject, 0, frame);
    queries_sample(a, 0, time);
    queries_sample(b, 0, time + 0.4 * subject->rig->clips[0].seconds);
    queries_place(b, gap < 0 ? queries_near(a, b) : queries_beside(a, b) + gap * subject->size);
}

static void see_frame(struct distance_task *task, const queries_case *entry)
{
    if (task->pairs)
        bench_die("%s: bodies that should be apart meet", entry->model);
    task->distances += task->nearest.distance;
    task->overlapping += queries_boxes_overlap(&task->actors[0], &task->actors[1]);
    if (task->fcl && entry->least[0].count <= QUERIES_SLOW_FRAMES)
        task->max_off = fmax(task->max_off, fabs(task->peer_distance - task->nearest.distance));
}

static void print_gap(const struct distance_task *task, const queries_case *entry)
{
    char note[240];
    double size = task->actors[0].subject->size;
    snprintf(note, sizeof note, "boxes overlap in %u of %d frames, mean distance %.2g of the size",
             task->overlapping, QUERIES_FRAMES, task->distances / QUERIES_FRAMES / size);
    if (task->actors[1].how)
        bench_append(note, sizeof note, "; %s", task->actors[1].how);
    if (task->fcl)
        bench_append(note, sizeof note, ", FCL's off by %.1g at most", task->max_off / size);
    queries_print(entry, note);
    queries_ratio(entry, WAY_DISTANCE, WAY_PAIRS, QUERIES_AT_MOST, 3);
    queries_ratio(entry, WAY_CLOSER, WAY_PAIRS, QUERIES_AT_MOST, 0);
    queries_ratio(entry, WAY_EAGER, WAY_DISTANCE, QUERIES_AT_LEAST, 0);
    if (task->fcl)
        queries_ratio(entry, WAY_FCL, WAY_DISTANCE, QUERIES_AT_LEAST, 0);
}

static void measure_gap(const queries_subject *subject, const char *name, float gap)
{
    struct distance_task task = {.fcl = queries_peers()->fcl};
    queries_case entry = {.table = "distance",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = task.fcl ? WAY_COUNT : WAY_FCL,
                          .ask = ask,
                          .user = &task};
    queries_open(task.actors, 2, subject, QUERIES_PLAIN);
    for (int i = 0; i < 2 && task.fcl; i++) {
        queries_sample(&task.actors[i], 0, 0);
        queries_box(&task.actors[i]);
        const bench_mesh mesh = queries_mesh(&task.actors[i]);
        task.trees[i] = task.fcl->create(&mesh);
    }
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        place(&task, frame, gap);
        queries_measure(&entry);
        see_frame(&task, &entry);
    }
    print_gap(&task, &entry);
    for (int i = 0; i < 2 && task.fcl; i++)
        task.fcl->destroy(task.trees[i]);
    queries_close(task.actors, 2);
}

void queries_distance(const queries_subject *subject)
{
    measure_gap(subject, "near", -1);
    measure_gap(subject, "boxes just apart", 0);
    measure_gap(subject, "a size apart", 1);
}
