/* Group masks: the same questions of a body without a mask, of bodies that are masked, each mask
 * set once, and of models that have no more than the mask leaves: where a mask takes away what a
 * ray hits first or what is nearest, the question becomes another one, and those say what it costs.
 * And what setting a mask costs.
 */
#include "bench/queries.h"

#include "scenes/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RAYS = 8 };
enum { NO_MASK, ALL_BITS, BUT_ONE, EVERY_SECOND, ONE, MASKS };
enum { EVERY_SECOND_ALONE = MASKS, ONE_ALONE, WAYS };

struct mask_task {
    queries_actor actors[WAYS];  /* the same pose, another mask or model each */
    queries_subject parts[WAYS]; /* of the last two: the models that have nothing else */
    queries_actor other;         /* has none */
    uint32_t *bits[MASKS], group_count;
    int model; /* of the subject's */
    graze_ray rays[RAYS];
};

/* One method: a body of the task. */
struct mask_way {
    struct mask_task *task;
    int mask;
    size_t found;
};

static bool count_self(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)pairs;
    *(size_t *)user += count;
    return true;
}

static void run_pairs(void *user)
{
    struct mask_way *way = user;
    queries_actor *actor = &way->task->actors[way->mask];
    way->found = 0;
    queries_pose(actor);
    queries_pose(&way->task->other);
    graze_collide(actor->body, way->task->other.body, stage_count, &way->found, NULL, NULL);
}

static void run_distance(void *user)
{
    struct mask_way *way = user;
    queries_actor *actor = &way->task->actors[way->mask];
    graze_nearest nearest = {.found = false};
    queries_pose(actor);
    queries_pose(&way->task->other);
    graze_distance(actor->body, way->task->other.body, INFINITY, &nearest, NULL, NULL);
    way->found = nearest.found;
}

static void run_rays(void *user)
{
    struct mask_way *way = user;
    queries_actor *actor = &way->task->actors[way->mask];
    way->found = 0;
    queries_pose(actor);
    for (int i = 0; i < RAYS; i++) {
        graze_ray_hit hit;
        graze_cast(actor->body, &way->task->rays[i], &hit, NULL, NULL);
        way->found += hit.found;
    }
}

static void run_self(void *user)
{
    struct mask_way *way = user;
    queries_actor *actor = &way->task->actors[way->mask];
    way->found = 0;
    queries_pose(actor);
    graze_collide_self(actor->body, GRAZE_SELF_NEW, count_self, &way->found, NULL, NULL);
}

/* Two masks in turn, so that each is new. */
static void run_set(void *user)
{
    struct mask_way *way = user;
    graze_body *body = way->task->actors[way->mask].body;
    graze_body_set_group_mask(body, way->task->bits[BUT_ONE], way->task->group_count, NULL);
    graze_body_set_group_mask(body, way->task->bits[way->mask], way->task->group_count, NULL);
}

/* Masks by how many triangles the groups have: without the least, and the most alone. */
static bool make_masks(struct mask_task *task, const graze_model *model)
{
    graze_model_info info = graze_model_get_info(model);
    uint32_t words = (info.group_count + 31) / 32, least = 0, most = 0;
    uint32_t *counts = calloc(info.group_count, sizeof *counts);
    bool ok = counts != NULL;
    task->group_count = info.group_count;
    for (int m = 0; m < MASKS && ok; m++)
        ok = (task->bits[m] = calloc(words, sizeof **task->bits)) != NULL;
    for (uint32_t t = 0; t < info.triangle_count && ok; t++)
        counts[graze_model_triangle_group(model, t)]++;
    for (uint32_t g = 1; g < info.group_count && ok; g++) {
        if (counts[g] && (!counts[least] || counts[g] < counts[least]))
            least = g;
        if (counts[g] > counts[most])
            most = g;
    }
    for (uint32_t g = 0; g < info.group_count && ok; g++) {
        const bool in[MASKS] = {true, true, g != least, g % 2, g == most};
        for (int m = 0; m < MASKS; m++)
            task->bits[m][g / 32] |= (uint32_t)in[m] << (g % 32);
    }
    free(counts);
    return ok;
}

/* A model of the triangles in a mask. */
static bool make_part(struct mask_task *task, const queries_subject *subject, int way,
                      const uint32_t *bits, int model)
{
    const graze_model *whole = subject->models[model];
    graze_model_def def = graze_rig_model_def(subject->rig);
    uint32_t *triangles = malloc(3 * (size_t)def.triangle_count * sizeof *triangles), count = 0;
    for (uint32_t t = 0; t < def.triangle_count && triangles; t++) {
        uint32_t group = graze_model_triangle_group(whole, t);
        memcpy(triangles + 3 * (size_t)count, def.triangles + 3 * (size_t)t, 3 * sizeof *triangles);
        count += bits[group / 32] >> (group % 32) & 1;
    }
    def.triangles = triangles;
    def.triangle_count = count;
    def.triangle_groups = NULL;
    def.self_collision = model == QUERIES_SELF;
    task->parts[way] = *subject;
    task->parts[way].models[model] = NULL;
    bool ok = triangles && !graze_model_create(&def, &task->parts[way].models[model], NULL);
    free(triangles);
    return ok && queries_open(&task->actors[way], &task->parts[way], model);
}

static bool open_task(struct mask_task *task, const queries_subject *subject, int model)
{
    *task = (struct mask_task){.model = model};
    bool ok = make_masks(task, subject->models[model]) &&
              queries_open(&task->other, subject, QUERIES_PLAIN);
    for (int m = 0; m < MASKS && ok; m++) {
        ok = queries_open(&task->actors[m], subject, model);
        if (ok && m != NO_MASK)
            ok = !graze_body_set_group_mask(task->actors[m].body, task->bits[m], task->group_count,
                                            NULL);
    }
    return ok && make_part(task, subject, EVERY_SECOND_ALONE, task->bits[EVERY_SECOND], model) &&
           make_part(task, subject, ONE_ALONE, task->bits[ONE], model);
}

static void close_task(struct mask_task *task)
{
    for (int way = 0; way < WAYS; way++) {
        queries_close(&task->actors[way]);
        graze_model_destroy(way < MASKS ? NULL : task->parts[way].models[task->model]);
        free(way < MASKS ? task->bits[way] : NULL);
    }
    queries_close(&task->other);
}

static bool set_scene(struct mask_task *task, uint32_t frame, float closer)
{
    const queries_subject *subject = task->other.subject;
    double time = queries_time(subject, 0, frame), seconds = subject->rig->clips[0].seconds;
    uint32_t seed = frame + 1;
    for (int way = 0; way < WAYS; way++)
        if (!queries_sample(&task->actors[way], 0, time))
            return false;
    if (!queries_sample(&task->other, 0, time + 0.4 * seconds))
        return false;
    queries_actor *actor = &task->actors[NO_MASK];
    queries_place(&task->other, queries_near(actor, &task->other) - closer * subject->size);
    float low[3], high[3];
    queries_box(actor, low, high);
    for (int i = 0; i < RAYS; i++)
        task->rays[i] = queries_aim(actor, &seed);
    return true;
}

static bool measure_case(struct mask_task *task, const bench_options *options, const char *name,
                         void (*run)(void *user), float closer)
{
    static const char *const names[WAYS] = {"no mask",
                                            "all bits set",
                                            "all groups but the smallest",
                                            "every second group",
                                            "the largest group alone",
                                            "every second group, a model of it",
                                            "the largest group, a model of it"};
    struct mask_way ways[WAYS];
    queries_method methods[WAYS];
    const queries_subject *subject = task->other.subject;
    bool sets = run == run_set;
    queries_case entry = {.table = "masks",
                          .model = subject->name,
                          .name = name,
                          .methods = methods,
                          .method_count = WAYS,
                          .user = task};
    double found[WAYS] = {0};
    for (int m = 0; m < WAYS; m++) {
        ways[m] = (struct mask_way){task, m, 0};
        methods[m] = (queries_method){.name = names[m], .run = run, .user = &ways[m]};
    }
    if (sets) {
        methods[0] = methods[EVERY_SECOND];
        methods[1] = methods[ONE];
        methods[0].answers = methods[1].answers = 2;
        entry.method_count = 2;
    }
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        if (!set_scene(task, frame, closer))
            return false;
        queries_measure(&entry, options->rounds);
        for (int m = 0; m < WAYS; m++)
            found[m] += (double)ways[m].found / QUERIES_FRAMES;
    }
    char note[160] = "and all groups but the smallest, in turn";
    if (!sets)
        snprintf(note, sizeof note, "%.1f found a frame, with masks %.1f, %.1f, %.1f, %.1f",
                 found[0], found[1], found[2], found[3], found[4]);
    queries_print(&entry, options, note);
    for (uint32_t m = 1; m < MASKS && !sets; m++)
        queries_ratio(&entry, options, m, NO_MASK, QUERIES_AT_MOST, m <= BUT_ONE ? 1.03 : 0);
    for (uint32_t way = MASKS; way < WAYS && !sets; way++)
        queries_ratio(&entry, options, way - MASKS + EVERY_SECOND, way, QUERIES_AT_MOST, 0);
    return true;
}

bool queries_masks(const queries_subject *subject, const bench_options *options)
{
    struct mask_task task;
    bool ok = open_task(&task, subject, QUERIES_PLAIN) &&
              measure_case(&task, options, "pairs, touching", run_pairs, 0.03f) &&
              measure_case(&task, options, "pairs, deep", run_pairs, 0.15f) &&
              measure_case(&task, options, "distance, near", run_distance, 0) &&
              measure_case(&task, options, "8 rays", run_rays, 0) &&
              measure_case(&task, options, "setting a mask", run_set, 0);
    close_task(&task);
    if (!ok)
        return false;
    ok = open_task(&task, subject, QUERIES_SELF) &&
         measure_case(&task, options, "new pairs within itself", run_self, 0);
    close_task(&task);
    return ok;
}
