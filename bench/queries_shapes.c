/* Simple shapes, culling, and contacts. */
#include "bench/queries.h"

enum { SHAPES = 8 };

/* The bodies, and what the frames of a case came to. */
struct shape_task {
    queries_actor actor;
    graze_shape shapes[SHAPES];
    size_t counts[3]; /* of a frame: whether they touch, triangles, and those found eagerly */
    uint32_t hits, triangles, sides[3];
};

/* ---- touching ------------------------------------------------------------------------------- */

enum { TOUCH_ANY, TOUCH_ALL, TOUCH_EAGER };

static const queries_method touch_methods[] = {
    [TOUCH_ANY] = {.name = "graze_touch, any", .how = {.any = true}, .answers = SHAPES},
    [TOUCH_ALL] = {.name = "graze_touch", .answers = SHAPES},
    [TOUCH_EAGER] = {
        .name = "our tree refitted bottom-up", .how = {.method = GRAZE_EAGER}, .answers = SHAPES}};

/* Each shape by itself, from the pose. */
static void touch(void *user, int way)
{
    struct shape_task *task = user;
    task->counts[way] = 0;
    for (int i = 0; i < SHAPES; i++) {
        graze_triangle_list found = {0};
        queries_pose(&task->actor, 1);
        bench_must(graze_touch(task->actor.body, &task->shapes[i], &found, &touch_methods[way].how,
                               &bench_error));
        task->counts[way] += found.total;
    }
}

static void see_touch(struct shape_task *task, const char *model)
{
    task->hits += (uint32_t)task->counts[TOUCH_ANY];
    task->triangles += (uint32_t)task->counts[TOUCH_ALL];
    if (task->counts[TOUCH_ALL] != task->counts[TOUCH_EAGER])
        bench_die("%s: %zu triangles touched, %zu with the tree refitted bottom-up", model,
                  task->counts[TOUCH_ALL], task->counts[TOUCH_EAGER]);
}

/* ---- culling -------------------------------------------------------------------------------- */

enum { CULL_ROOT, CULL_LEAVES, CULL_EAGER };

static const queries_method cull_methods[] = {
    [CULL_ROOT] = {.name = "graze_cull, root", .answers = SHAPES},
    [CULL_LEAVES] = {.name = "graze_cull, to the leaves", .answers = SHAPES},
    [CULL_EAGER] = {.name = "our tree refitted bottom-up, root", .answers = SHAPES}};

static void cull_one(struct shape_task *task, int i, int way, graze_side *side)
{
    queries_pose(&task->actor, 1);
    if (way == CULL_EAGER)
        graze_body_refit_all(task->actor.body);
    bench_must(graze_cull(task->actor.body, &task->shapes[i], way == CULL_LEAVES ? UINT32_MAX : 0,
                          side, NULL, &bench_error));
}

static void cull(void *user, int way)
{
    graze_side side;
    for (int i = 0; i < SHAPES; i++)
        cull_one(user, i, way, &side);
}

static void see_cull(struct shape_task *task)
{
    graze_side side;
    for (int i = 0; i < SHAPES; i++) {
        cull_one(task, i, CULL_LEAVES, &side);
        task->sides[side]++;
    }
}

/* ---- shapes --------------------------------------------------------------------------------- */

static graze_shape make_sphere(const queries_actor *actor, uint32_t *seed)
{
    float centre[3];
    queries_pick_point(actor, seed, centre);
    return graze_shape_sphere(centre, 0.02f * actor->subject->size);
}

/* A fifth of the size long. */
static graze_shape make_capsule(const queries_actor *actor, uint32_t *seed)
{
    float p[3], q[3], size = actor->subject->size;
    queries_pick_point(actor, seed, p);
    for (int k = 0; k < 3; k++)
        q[k] = p[k] + (bench_random(seed) - 0.5f) * 0.23f * size;
    return graze_shape_capsule(p, q, 0.02f * size);
}

/* A camera that looks along -z past, at, or towards the edge of the body. */
static graze_shape make_frustum(const queries_actor *actor, uint32_t *seed)
{
    const bench_bounds *box = &actor->subject->box;
    float size = actor->subject->size, eye[3], slope = 0.3f;
    for (int k = 0; k < 3; k++)
        eye[k] = (box->low[k] + box->high[k]) / 2 +
                 (k < 2 ? 3 * size * (bench_random(seed) - 0.5f) : 2.5f * size);
    graze_half_space planes[6] = {
        {{1, 0, slope}, eye[0] + slope * eye[2]}, {{-1, 0, slope}, -eye[0] + slope * eye[2]},
        {{0, 1, slope}, eye[1] + slope * eye[2]}, {{0, -1, slope}, -eye[1] + slope * eye[2]},
        {{0, 0, 1}, eye[2] - 0.1f * size},        {{0, 0, -1}, 10 * size - eye[2]}};
    return graze_shape_frustum(planes, 6);
}

static void measure_shapes(const queries_subject *subject, const char *name,
                           graze_shape (*make)(const queries_actor *, uint32_t *), bool culls)
{
    struct shape_task task = {.hits = 0};
    queries_case entry = {.table = "shapes",
                          .model = subject->name,
                          .name = name,
                          .methods = culls ? cull_methods : touch_methods,
                          .method_count = 3,
                          .ask = culls ? cull : touch,
                          .user = &task};
    uint32_t seed = 7;
    queries_open(&task.actor, 1, subject, QUERIES_PLAIN);
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        queries_sample(&task.actor, 0, queries_time(subject, 0, frame));
        queries_box(&task.actor);
        for (int i = 0; i < SHAPES; i++)
            task.shapes[i] = make(&task.actor, &seed);
        queries_measure(&entry);
        if (culls)
            see_cull(&task);
        else
            see_touch(&task, subject->name);
    }
    char note[96];
    if (culls)
        snprintf(note, sizeof note, "%u out of view, %u crossing, %u in view",
                 task.sides[GRAZE_OUTSIDE], task.sides[GRAZE_CROSSING], task.sides[GRAZE_INSIDE]);
    else
        snprintf(note, sizeof note, "%u of %d touch, %.0f triangles each", task.hits,
                 SHAPES * QUERIES_FRAMES, task.triangles / (double)(SHAPES * QUERIES_FRAMES));
    queries_print(&entry, note);
    queries_ratio(&entry, 2, 1, QUERIES_AT_LEAST, 0);
    queries_close(&task.actor, 1);
}

void queries_shapes(const queries_subject *subject)
{
    measure_shapes(subject, "sphere, 2 % of the size", make_sphere, false);
    measure_shapes(subject, "capsule", make_capsule, false);
    measure_shapes(subject, "view frustum", make_frustum, true);
}

/* ---- contacts ------------------------------------------------------------------------------- */

enum { WAY_PAIRS, WAY_CONTACTS, CONTACT_WAYS };

struct contact_task {
    queries_actor actors[2];
    graze_contact_finder *finder;
    size_t found[CONTACT_WAYS];
};

static void ask_contacts(void *user, int way)
{
    struct contact_task *task = user;
    graze_contact_list found = {0};
    if (way == WAY_PAIRS) {
        task->found[way] = queries_pairs(task->actors, NULL);
        return;
    }
    queries_pose(task->actors, 2);
    bench_must(graze_contacts(task->finder, task->actors[0].body, task->actors[1].body, &found,
                              NULL, &bench_error));
    task->found[way] = found.total;
}

static void measure_contacts(const queries_subject *subject, const char *name, float depth)
{
    static const queries_method methods[] = {{.name = "graze_pairs"}, {.name = "graze_contacts"}};
    struct contact_task task = {.finder = NULL};
    const graze_model *model = subject->models[QUERIES_PLAIN];
    queries_case entry = {.table = "contacts",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = CONTACT_WAYS,
                          .ask = ask_contacts,
                          .user = &task};
    double contacts = 0, pairs = 0;
    queries_open(task.actors, 2, subject, QUERIES_PLAIN);
    bench_must(graze_contact_finder_create(model, model, NULL, &task.finder, &bench_error));
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        queries_stage(&task.actors, 1, 0, 0, frame, depth, 0);
        queries_measure(&entry);
        contacts += task.found[WAY_CONTACTS];
        pairs += task.found[WAY_PAIRS];
    }
    char note[96];
    snprintf(note, sizeof note, "%.1f contacts of %.0f pairs a frame", contacts / QUERIES_FRAMES,
             pairs / QUERIES_FRAMES);
    queries_print(&entry, note);
    queries_ratio(&entry, WAY_CONTACTS, WAY_PAIRS, QUERIES_AT_MOST, 0);
    graze_contact_finder_destroy(task.finder);
    queries_close(task.actors, 2);
}

void queries_contacts(const queries_subject *subject)
{
    measure_contacts(subject, "touching", 0.03f);
    measure_contacts(subject, "deep", 0.2f);
}
