/* Part masks: the same questions of a body without a mask, of bodies that are masked, each mask set
 * once, and of models that have no more than the mask leaves: where a mask takes away what a ray
 * hits first or what is nearest, the question becomes another one, and those say what it costs. And
 * what setting a mask costs.
 */
#include "bench/queries.h"

enum { RAYS = 8 };
enum { NO_MASK, ALL_BITS, BUT_ONE, EVERY_SECOND, ONE, MASKS };
enum { EVERY_SECOND_ALONE = MASKS, ONE_ALONE, WAYS };

struct mask_task {
    queries_actor actors[WAYS];  /* the same pose, another mask or model each */
    queries_subject parts[WAYS]; /* of the last two: the models that have nothing else */
    queries_actor other;         /* has none */
    uint32_t *bits[MASKS], part_count;
    int model; /* of the subject's */
    graze_ray rays[RAYS];
    size_t found[WAYS];
};

/* ---- questions, each to one body of the task ------------------------------------------------ */

static void ask_pairs(void *user, int way)
{
    struct mask_task *task = user;
    queries_pose(&task->actors[way], 1);
    queries_pose(&task->other, 1);
    task->found[way] = bench_pairs(task->actors[way].body, task->other.body, NULL);
}

static void ask_distance(void *user, int way)
{
    struct mask_task *task = user;
    queries_pose(&task->actors[way], 1);
    queries_pose(&task->other, 1);
    task->found[way] = bench_distance(task->actors[way].body, task->other.body, NULL).found;
}

static void ask_rays(void *user, int way)
{
    struct mask_task *task = user;
    task->found[way] = 0;
    queries_pose(&task->actors[way], 1);
    for (int i = 0; i < RAYS; i++)
        task->found[way] += bench_cast(task->actors[way].body, &task->rays[i], NULL).found;
}

static void ask_self(void *user, int way)
{
    static const graze_options only_new = {.only_new = true};
    struct mask_task *task = user;
    queries_pose(&task->actors[way], 1);
    task->found[way] = bench_self_pairs(task->actors[way].body, NULL, &only_new);
}

/* Two masks in turn, so that each is new. */
static void set_masks(void *user, int way)
{
    struct mask_task *task = user;
    int mask = way ? ONE : EVERY_SECOND;
    graze_body *body = task->actors[mask].body;
    graze_body_set_part_mask(body, task->bits[BUT_ONE], task->part_count, NULL);
    graze_body_set_part_mask(body, task->bits[mask], task->part_count, NULL);
}

/* ---- the bodies ----------------------------------------------------------------------------- */

/* Masks by how many triangles the parts have: without the least, and the most alone. */
static void make_masks(struct mask_task *task, const graze_model *model)
{
    graze_model_info info = graze_model_get_info(model);
    uint32_t least = 0, most = 0, *counts = bench_take(info.part_count, sizeof *counts);
    task->part_count = info.part_count;
    for (int m = 0; m < MASKS; m++)
        task->bits[m] = bench_take((info.part_count + 31) / 32, sizeof **task->bits);
    for (uint32_t t = 0; t < info.triangle_count; t++)
        counts[graze_model_triangle_part(model, t)]++;
    for (uint32_t p = 1; p < info.part_count; p++) {
        if (counts[p] && (!counts[least] || counts[p] < counts[least]))
            least = p;
        if (counts[p] > counts[most])
            most = p;
    }
    for (uint32_t p = 0; p < info.part_count; p++) {
        const bool in[MASKS] = {true, true, p != least, p % 2, p == most};
        for (int m = 0; m < MASKS; m++)
            task->bits[m][p / 32] |= (uint32_t)in[m] << (p % 32);
    }
    free(counts);
}

/* A model of the triangles in a mask. */
static void make_part(struct mask_task *task, const queries_subject *subject, int way,
                      const uint32_t *bits)
{
    const graze_model *whole = subject->models[task->model];
    graze_model_def def = graze_rig_model_def(subject->rig);
    uint32_t *triangles = bench_take(3 * (size_t)def.triangle_count, sizeof *triangles), count = 0;
    for (uint32_t t = 0; t < def.triangle_count; t++) {
        uint32_t part = graze_model_triangle_part(whole, t);
        memcpy(triangles + 3 * (size_t)count, def.triangles + 3 * (size_t)t, 3 * sizeof *triangles);
        count += bits[part / 32] >> (part % 32) & 1;
    }
    def.triangles = triangles;
    def.triangle_count = count;
    def.triangle_parts = NULL;
    def.no_self_collision = task->model != QUERIES_SELF;
    task->parts[way] = *subject;
    task->parts[way].models[task->model] = bench_make_model(&def);
    free(triangles);
    queries_open(&task->actors[way], 1, &task->parts[way], task->model);
}

static void open_task(struct mask_task *task, const queries_subject *subject, int model)
{
    *task = (struct mask_task){.model = model};
    make_masks(task, subject->models[model]);
    queries_open(&task->other, 1, subject, QUERIES_PLAIN);
    queries_open(task->actors, MASKS, subject, model);
    for (int m = ALL_BITS; m < MASKS; m++)
        bench_must(graze_body_set_part_mask(task->actors[m].body, task->bits[m], task->part_count,
                                            &bench_error));
    make_part(task, subject, EVERY_SECOND_ALONE, task->bits[EVERY_SECOND]);
    make_part(task, subject, ONE_ALONE, task->bits[ONE]);
}

static void close_task(struct mask_task *task)
{
    queries_close(task->actors, WAYS);
    queries_close(&task->other, 1);
    for (int way = MASKS; way < WAYS; way++)
        graze_model_destroy(task->parts[way].models[task->model]);
    for (int m = 0; m < MASKS; m++)
        free(task->bits[m]);
}

static void set_scene(struct mask_task *task, uint32_t frame, float closer)
{
    const queries_subject *subject = task->other.subject;
    double time = queries_time(subject, 0, frame), seconds = subject->rig->clips[0].seconds;
    queries_actor *actor = &task->actors[NO_MASK];
    uint32_t seed = frame + 1;
    for (int way = 0; way < WAYS; way++)
        queries_sample(&task->actors[way], 0, time);
    queries_sample(&task->other, 0, time + 0.4 * seconds);
    queries_place(&task->other, queries_near(actor, &task->other) - closer * subject->size);
    queries_box(actor);
    for (int i = 0; i < RAYS; i++)
        task->rays[i] = queries_aim(actor, &seed);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void measure_case(struct mask_task *task, const char *name, void (*ask)(void *user, int way),
                         float closer)
{
    static const queries_method methods[WAYS] = {{.name = "no mask"},
                                                 {.name = "all bits set"},
                                                 {.name = "all groups but the smallest"},
                                                 {.name = "every second group"},
                                                 {.name = "the largest group alone"},
                                                 {.name = "every second group, a model of it"},
                                                 {.name = "the largest group, a model of it"}};
    static const queries_method setting[2] = {{.name = "every second group", .answers = 2},
                                              {.name = "the largest group alone", .answers = 2}};
    bool sets = ask == set_masks;
    queries_case entry = {.table = "masks",
                          .model = task->other.subject->name,
                          .name = name,
                          .methods = sets ? setting : methods,
                          .method_count = sets ? 2 : WAYS,
                          .ask = ask,
                          .user = task};
    double found[WAYS] = {0};
    for (uint32_t frame = 0; frame < QUERIES_FRAMES; frame++) {
        set_scene(task, frame, closer);
        queries_measure(&entry);
        for (int m = 0; m < WAYS; m++)
            found[m] += task->found[m] / (double)QUERIES_FRAMES;
    }
    char note[160] = "and all groups but the smallest, in turn";
    if (!sets)
        snprintf(note, sizeof note, "%.1f found a frame, with masks %.1f, %.1f, %.1f, %.1f",
                 found[0], found[1], found[2], found[3], found[4]);
    queries_print(&entry, note);
    for (uint32_t m = 1; m < MASKS && !sets; m++)
        queries_ratio(&entry, m, NO_MASK, QUERIES_AT_MOST, m <= BUT_ONE ? 1.03 : 0);
    for (uint32_t way = MASKS; way < WAYS && !sets; way++)
        queries_ratio(&entry, way - MASKS + EVERY_SECOND, way, QUERIES_AT_MOST, 0);
}

void queries_masks(const queries_subject *subject)
{
    struct mask_task task;
    open_task(&task, subject, QUERIES_PLAIN);
    measure_case(&task, "pairs, touching", ask_pairs, 0.03f);
    measure_case(&task, "pairs, deep", ask_pairs, 0.15f);
    measure_case(&task, "distance, near", ask_distance, 0);
    measure_case(&task, "8 rays", ask_rays, 0);
    measure_case(&task, "setting a mask", set_masks, 0);
    close_task(&task);
    open_task(&task, subject, QUERIES_SELF);
    measure_case(&task, "new pairs within itself", ask_self, 0);
    close_task(&task);
}
