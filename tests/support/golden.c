#include "support/golden.h"

#include "harness.h"
#include "support/answers.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const golden_family_names[GOLDEN_FAMILY_COUNT] = {
    "input", "positions", "pairs",    "self",  "rays",       "distance",   "within",
    "touch", "inside",    "contacts", "sweep", "self sweep", "shape sweep"};

typedef golden_run run;

bool golden_open(run *r, const graze_model_def *model, const graze_model_def *ball)
{
    graze_error error = {.text = ""};
    graze_contact_finder_def split = {0};
    split.split_by_part = true;
    for (int family = 0; family < GOLDEN_FAMILY_COUNT; family++)
        r->sums[family] = ANSWERS_NO_HASH;
    bool opened = !graze_model_create(model, &r->model, &error) &&
                  !graze_model_create(ball, &r->ball_model, &error) &&
                  !graze_body_create(r->ball_model, &r->ball, &error) &&
                  !graze_history_create(r->model, r->model, &r->history, &error) &&
                  !graze_checkpoint_create(NULL, &r->checkpoint, &error) &&
                  !graze_batch_create(NULL, &r->batch, &error) &&
                  !graze_pool_create(2, NULL, &r->pool, &error) &&
                  contact_set_open(&r->contacts[0], r->model, r->model, NULL) &&
                  contact_set_open(&r->contacts[1], r->model, r->model, &split);
    for (int i = 0; opened && i < 2; i++)
        opened = !graze_body_create(r->model, &r->a[i], &error) &&
                 !graze_body_create(r->model, &r->b[i], &error);
    CHECK_MSG(opened, "%s: %s", r->name, error.text);
    return opened;
}

void golden_close(run *r)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(r->a[i]);
        graze_body_destroy(r->b[i]);
        contact_set_free(&r->contacts[i]);
    }
    graze_body_destroy(r->ball);
    graze_history_destroy(r->history);
    graze_checkpoint_destroy(r->checkpoint);
    graze_batch_destroy(r->batch);
    graze_pool_destroy(r->pool);
    graze_model_destroy(r->model);
    graze_model_destroy(r->ball_model);
}

void golden_note_pose(run *r, const graze_pose *pose)
{
    uint64_t *sum = &r->sums[GOLDEN_INPUT];
    *sum = answers_hash_floats(*sum, pose->joints, (size_t)12 * pose->joint_count);
    *sum = answers_hash_floats(*sum, pose->morph_weights, pose->morph_count);
    *sum = answers_hash_floats(*sum, pose->placement, 12);
}

static void note(run *r, golden_family of, const answers *list)
{
    r->sums[of] = answers_hash(r->sums[of], list);
}

/* Another way of asking must give the same. */
static void agree(const run *r, golden_family of, const char *way, const answers *expected,
                  const answers *found)
{
    CHECK_MSG(answers_equal(expected, found, NULL), "%s: %s by %s differs (%zu, %zu)", r->name,
              golden_family_names[of], way, expected->count, found->count);
}

static void ok(const run *r, graze_status status, const char *call)
{
    CHECK_MSG(status == GRAZE_OK, "%s: %s: %s", r->name, call, graze_status_name(status));
}
#define OK(call) ok(r, (call), #call)

static void drop(run *r)
{
    for (int i = 0; i < 2; i++) {
        graze_body_drop_caches(r->a[i]);
        graze_body_drop_caches(r->b[i]);
    }
    graze_body_drop_caches(r->ball);
}

/* ---- every way ------------------------------------------------------------------------------- */

/* One question. What is no list is put to the answers once it is known. */
typedef struct asked {
    golden_family of;
    graze_status (*ask)(struct asked *q, const graze_options *options);
    void (*put)(const struct asked *q, answers *list); /* NULL: the answer is a list */
    answers *to;
    run *r;
    answers_list list; /* for as long as a batch has the question */
    graze_body *a, *b;
    double distance;
    graze_ray ray;
    graze_shape shape;
    float point[3];
    graze_motion motions[2];
    bool itself, only_new, closed;
    graze_hit hit;
    graze_nearest nearest;
    graze_point_side inside;
    graze_impact impact;
} asked;

/* The answer with these options, in steps if they have a budget. */
static void ask(asked *q, graze_options options, answers *list)
{
    run *r = q->r;
    graze_status status;
    options.only_new = q->only_new;
    q->to = list;
    answers_clear(list);
    drop(r);
    do
        status = q->ask(q, &options);
    while (status == GRAZE_UNFINISHED);
    if (options.batch && !status)
        status = graze_batch_run(r->batch, &(graze_options){.pool = r->pool}, NULL);
    graze_batch_clear(r->batch);
    graze_checkpoint_clear(r->checkpoint);
    ok(r, status, golden_family_names[q->of]);
    if (q->put)
        q->put(q, list);
    else
        CHECK(answers_sort(list));
}

/* Notes the answer, and compares it with those of all other ways. */
static void ask_in_every_way(asked *q, answers *x, answers *y)
{
    run *r = q->r;
    graze_budget budget = {.bound_tests = 40, .triangle_tests = 400, .checkpoint = r->checkpoint};
    graze_history *history = q->of == GOLDEN_PAIRS && q->b != r->ball ? r->history : NULL;
    const struct {
        const char *name;
        graze_options options;
    } ways[] = {{"eager", {.method = GRAZE_EAGER}},  {"steps", {.budget = &budget}},
                {"a batch", {.batch = r->batch}},    {"a pool", {.pool = r->pool}},
                {"a history", {.history = history}}, {"brute", {.method = GRAZE_BRUTE}}};
    ask(q, (graze_options){0}, x);
    note(r, q->of, x);
    for (int way = 0; way < (r->all_ways ? r->brute ? 6 : 5 : 0); way++) {
        ask(q, ways[way].options, y);
        agree(r, q->of, ways[way].name, x, y);
    }
}

/* Any of a list: one if there are any, and one of them. */
static void ask_for_any(asked *q, graze_history *history, const answers *x, answers *y)
{
    ask(q, (graze_options){.any = true, .history = history}, y);
    CHECK(y->count == (x->count > 0) && (!y->count || answers_have(x, y->words, y->width)));
}

/* ---- questions ------------------------------------------------------------------------------- */

static void ask_positions(run *r)
{
    uint32_t count = graze_model_get_info(r->model).vertex_count;
    OWNED float *positions = malloc(3 * sizeof *positions * count);
    for (int i = 0; i < 4; i++) {
        graze_body_get_positions(i % 2 ? r->b[i / 2] : r->a[i / 2], positions);
        r->sums[GOLDEN_POSITIONS] =
            answers_hash_floats(r->sums[GOLDEN_POSITIONS], positions, (size_t)3 * count);
    }
}

static graze_status pairs(asked *q, const graze_options *options)
{
    q->list.pairs = *PAIRS_TO(q->to);
    return graze_pairs(q->a, q->b, &q->list.pairs, options, NULL);
}

static void ask_pairs(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    asked q = {.of = GOLDEN_PAIRS, .ask = pairs, .r = r, .a = a, .b = b};
    ask_in_every_way(&q, x, y);
    ask_for_any(&q, NULL, x, y);
    if (b != r->ball)
        ask_for_any(&q, r->history, x, y);
}

static graze_status self_pairs(asked *q, const graze_options *options)
{
    q->list.pairs = *SELF_TO(q->to);
    return graze_self_pairs(q->a, NULL, &q->list.pairs, options, NULL);
}

static void ask_self(run *r, answers *x, answers *y)
{
    for (int only_new = 0; only_new < 2; only_new++) {
        asked q = {
            .of = GOLDEN_SELF, .ask = self_pairs, .r = r, .a = r->a[0], .only_new = only_new};
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
    }
}

/* A point within so many extents of the subject's middle, on each axis. */
static void random_point(const run *r, double reach, test_random *random, float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)(r->middle[k] + r->extent * test_random_range(random, -reach, reach));
}

static graze_status hits(asked *q, const graze_options *options)
{
    q->list.hits = *HITS_TO(q->to);
    return graze_cast_all(q->a, &q->ray, &q->list.hits, options, NULL);
}

static graze_status nearest_hit(asked *q, const graze_options *options)
{
    return graze_cast(q->a, &q->ray, &q->hit, options, NULL);
}

static void put_hit(const asked *q, answers *list)
{
    answers_put_hit(list, &q->hit);
}

static graze_ray random_ray(const run *r, uint32_t number, test_random *random)
{
    float from[3], to[3];
    random_point(r, number % 3 ? 1.5 : 0.5, random, from);
    random_point(r, 0.3, random, to);
    for (int k = 0; k < 3 && number % 4 == 1; k++) /* along an axis, as mice and sensors have it */
        from[k] = k == (int)(number / 4 % 3) ? from[k] : to[k];
    graze_ray ray = graze_ray_between(from, to);
    ray.t_max = number % 2 ? INFINITY : 1.5f;
    return ray;
}

static void ask_rays(run *r, uint32_t frame, answers *x, answers *y)
{
    enum { RAYS_A_FRAME = 24 };
    graze_ray rays[RAYS_A_FRAME];
    graze_hit many[RAYS_A_FRAME];
    OWN(answers) flags = {0}, nearest = {0};
    test_random random = test_random_seed(100 + frame);
    for (uint32_t i = 0; i < RAYS_A_FRAME; i++) {
        rays[i] = random_ray(r, i, &random);
        asked q = {.of = GOLDEN_RAYS, .ask = hits, .r = r, .a = r->a[0], .ray = rays[i]};
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
        q.ask = nearest_hit;
        q.put = put_hit;
        ask(&q, (graze_options){.any = true}, y);
        CHECK(!q.hit.found || answers_have(x, y->words, y->width));
        answers_put_flag(&flags, q.hit.found);
        const uint64_t sum = r->sums[GOLDEN_RAYS];
        ask_in_every_way(&q, x, y);
        r->sums[GOLDEN_RAYS] = sum; /* these are noted together */
        answers_put_hit(&nearest, &q.hit);
    }
    note(r, GOLDEN_RAYS, &nearest);
    note(r, GOLDEN_RAYS, &flags);
    answers_clear(x);
    drop(r);
    OK(graze_cast_many(r->a[0], rays, RAYS_A_FRAME, many, NULL, NULL));
    answers_take_hits(x, many, RAYS_A_FRAME);
    agree(r, GOLDEN_RAYS, "many", &nearest, x);
}

static graze_status distance(asked *q, const graze_options *options)
{
    return graze_distance(q->a, q->b, q->distance, &q->nearest, options, NULL);
}

static void put_nearest(const asked *q, answers *list)
{
    answers_put_nearest(list, &q->nearest);
}

static void ask_distance(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    const double limits[] = {INFINITY, 0.3 * r->extent, 0};
    asked q = {.of = GOLDEN_DISTANCE, .ask = distance, .put = put_nearest, .r = r, .a = a, .b = b};
    for (int i = 0; i < 3; i++) {
        q.distance = limits[i];
        ask_in_every_way(&q, x, y);
        q.distance = i ? limits[i] : 0.01 * r->extent;
        ask(&q, (graze_options){.any = true}, y);
        answers_clear(x);
        answers_put_flag(x, q.nearest.found);
        note(r, GOLDEN_DISTANCE, x);
    }
}

static graze_status within(asked *q, const graze_options *options)
{
    q->list.pairs = *PAIRS_TO(q->to);
    return graze_pairs_within(q->a, q->b, q->distance, &q->list.pairs, options, NULL);
}

static void ask_within(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    const double distances[] = {0, 0.004 * r->extent, 0.02 * r->extent};
    asked q = {.of = GOLDEN_WITHIN, .ask = within, .r = r, .a = a, .b = b};
    for (int i = 0; i < 3; i++) {
        q.distance = distances[i];
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
    }
}

static graze_shape make_shape(const run *r, graze_shape_kind kind, test_random *random)
{
    const float half[3] = {0.2f * (float)r->extent, 0.1f * (float)r->extent,
                           0.3f * (float)r->extent};
    const float turned[4] = {1, -2, 3, 7}, normal[3] = {1, 2, -0.5f};
    float p[3], q[3];
    random_point(r, 0.4, random, p);
    random_point(r, 0.4, random, q);
    float offset = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    graze_half_space planes[4] = {{{1, 0, 0}, p[0] + half[0]},
                                  {{-1, 0, 0}, half[0] - p[0]},
                                  {{0, 1, 0.5f}, p[1] + 0.5f * p[2] + half[1]},
                                  {{0, -1, 0}, half[1] - p[1]}};
    switch (kind) {
    case GRAZE_SPHERE:
        return graze_shape_sphere(p, half[0]);
    case GRAZE_CAPSULE:
        return graze_shape_capsule(p, q, 0.5f * half[1]);
    case GRAZE_BOX:
        return graze_shape_box(p, half, turned);
    case GRAZE_PLANE:
        return graze_shape_plane(normal, offset);
    case GRAZE_HALF_SPACE:
        return graze_shape_half_space(normal, offset);
    default:
        return graze_shape_frustum(planes, 4);
    }
}

static graze_status touch(asked *q, const graze_options *options)
{
    q->list.triangles = *TRIANGLES_TO(q->to);
    return graze_touch(q->a, &q->shape, &q->list.triangles, options, NULL);
}

static void ask_touch(run *r, uint32_t frame, answers *x, answers *y)
{
    test_random random = test_random_seed(200 + frame);
    asked q = {.of = GOLDEN_TOUCH, .ask = touch, .r = r, .a = r->a[0]};
    for (int i = 0; i < 18; i++) {
        q.shape = make_shape(r, (graze_shape_kind)(i % 6), &random);
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
    }
}

static graze_status inside(asked *q, const graze_options *options)
{
    return graze_inside(q->a, q->point, &q->inside, options, NULL);
}

/* Of an open surface only what is on it is promised. */
static void put_inside(const asked *q, answers *list)
{
    graze_point_side side = q->inside;
    if (!q->closed)
        side.inside = side.on_surface, side.winding = 0;
    answers_put_inside(list, &side);
}

static void ask_inside(run *r, uint32_t frame, answers *x, answers *y)
{
    test_random random = test_random_seed(300 + frame);
    uint32_t count = graze_model_get_info(r->model).vertex_count;
    OWNED float *positions = malloc(3 * sizeof *positions * count);
    asked q = {.of = GOLDEN_INSIDE, .ask = inside, .put = put_inside, .r = r, .a = r->a[0]};
    OWN(answers) all = {0};
    OK(graze_model_is_closed(r->model, &q.closed, NULL));
    answers_clear(x);
    answers_put_inside(x, &(graze_point_side){.inside = q.closed});
    note(r, GOLDEN_INSIDE, x);
    graze_body_get_positions(r->a[0], positions);
    const uint64_t sum = r->sums[GOLDEN_INSIDE];
    for (uint32_t i = 0; i < 24; i++) {
        random_point(r, 0.4, &random, q.point);
        if (i % 4 == 0)
            memcpy(q.point, positions + 3 * (size_t)(test_random_u32(&random) % count),
                   sizeof q.point);
        ask_in_every_way(&q, x, y);
        put_inside(&q, &all);
    }
    r->sums[GOLDEN_INSIDE] = sum; /* noted together */
    note(r, GOLDEN_INSIDE, &all);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* Contacts, details and segments of what was found last. */
static void put_contacts(const contact_set *found, answers lists[3])
{
    for (int i = 0; i < 3; i++)
        answers_clear(&lists[i]);
    answers_take_contacts(&lists[0], found->contacts, found->count);
    answers_put_details(&lists[1], &lists[2], found->finder);
}

static void agree_contacts(const run *r, const char *way, const answers expected[3],
                           const contact_set *found)
{
    answers lists[3] = {{0}};
    put_contacts(found, lists);
    for (int i = 0; i < 3; i++) {
        agree(r, GOLDEN_CONTACTS, way, &expected[i], &lists[i]);
        answers_free(&lists[i]);
    }
}

/* From the pairs, last first. */
static void ask_contacts_again(run *r, const answers expected[3])
{
    OWN(answers) found = {0};
    graze_body *a = r->a[0], *b = r->b[0];
    OK(graze_pairs(a, b, PAIRS_TO(&found), NULL, NULL));
    answers_sort(&found);
    OWNED graze_pair *list = malloc((found.count + 1) * sizeof *list);
    for (size_t i = 0; i < found.count; i++)
        list[found.count - 1 - i] =
            (graze_pair){.a = found.words[2 * i], .b = found.words[2 * i + 1]};
    OK(contact_set_from_pairs(&r->contacts[1], a, b, list, found.count, NULL));
    agree_contacts(r, "pairs", expected, &r->contacts[1]);
}

static void ask_contacts(run *r)
{
    answers lists[3] = {{0}};
    for (int split = 0; split < 2; split++) {
        contact_set *found = &r->contacts[split];
        for (int method = GRAZE_LAZY; method <= (r->brute ? GRAZE_BRUTE : GRAZE_EAGER); method++) {
            const graze_options options = {.method = (graze_method)method, .pool = r->pool};
            drop(r);
            contact_set_clear(found);
            OK(graze_contacts(found->finder, r->a[0], r->b[0], TO_CONTACT_SET(found), &options,
                              NULL));
            if (method)
                agree_contacts(r, "another method", lists, found);
            else
                put_contacts(found, lists);
        }
        for (int i = 0; i < 3; i++)
            note(r, GOLDEN_CONTACTS, &lists[i]);
    }
    ask_contacts_again(r, lists);
    for (int i = 0; i < 3; i++)
        answers_free(&lists[i]);
}

/* ---- motions --------------------------------------------------------------------------------- */

static graze_status sweep(asked *q, const graze_options *options)
{
    return graze_sweep(&q->motions[0], q->itself ? NULL : &q->motions[1], &q->impact, options,
                       NULL);
}

static graze_status impacts(asked *q, const graze_options *options)
{
    q->list.impacts = *IMPACTS_TO(q->to);
    return graze_sweep_all(&q->motions[0], q->itself ? NULL : &q->motions[1], &q->list.impacts,
                           options, NULL);
}

static void put_impact(const asked *q, answers *list)
{
    answers_put_impact(list, &q->impact);
}

static asked about_motions(run *r, golden_family of)
{
    return (asked){
        .of = of,
        .r = r,
        .itself = of == GOLDEN_SELF_SWEEP,
        .motions = {{.start = r->a[0], .end = r->a[1]}, {.start = r->b[0], .end = r->b[1]}}};
}

static void ask_sweep(run *r, bool itself, answers *x, answers *y)
{
    asked q = about_motions(r, itself ? GOLDEN_SELF_SWEEP : GOLDEN_SWEEP);
    for (int only_new = 0; only_new < 2; only_new++) {
        q.only_new = only_new;
        q.ask = sweep;
        q.put = put_impact;
        ask_in_every_way(&q, x, y);
        if (only_new != itself) /* half of the lists is enough, for the time they take */
            continue;
        q.ask = impacts;
        q.put = NULL;
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
    }
}

/* From one place to another, growing; boxes and half-spaces keep their directions. */
static void ask_shape_sweep(run *r, uint32_t frame, answers *x, answers *y)
{
    static const graze_shape_kind kinds[] = {GRAZE_SPHERE, GRAZE_CAPSULE, GRAZE_BOX,
                                             GRAZE_HALF_SPACE};
    asked q = about_motions(r, GOLDEN_SHAPE_SWEEP);
    test_random random = test_random_seed(400 + frame);
    for (int i = 0; i < 4; i++) {
        graze_shape from = make_shape(r, kinds[i], &random), to = from;
        graze_shape end = make_shape(r, kinds[i], &random);
        if (i < 2)
            to = end;
        else if (i == 2)
            memcpy(to.as.box.centre, end.as.box.centre, sizeof to.as.box.centre);
        else
            to.as.plane.offset += (float)(0.2 * r->extent);
        q.motions[1] = (graze_motion){.from = &from, .to = &to};
        q.only_new = i % 2;
        q.ask = sweep;
        q.put = put_impact;
        ask_in_every_way(&q, x, y);
        q.ask = impacts;
        q.put = NULL;
        ask_in_every_way(&q, x, y);
        ask_for_any(&q, NULL, x, y);
    }
}

void golden_ask(run *r, uint32_t frame)
{
    OWN(answers) x = {0}, y = {0};
    ask_positions(r);
    ask_pairs(r, r->a[0], r->b[0], &x, &y);
    ask_pairs(r, r->a[0], r->ball, &x, &y);
    ask_self(r, &x, &y);
    ask_rays(r, frame, &x, &y);
    ask_distance(r, r->a[0], r->b[0], &x, &y);
    ask_distance(r, r->a[0], r->ball, &x, &y);
    ask_within(r, r->a[0], r->b[0], &x, &y);
    ask_touch(r, frame, &x, &y);
    ask_inside(r, frame, &x, &y);
    ask_contacts(r);
    ask_sweep(r, false, &x, &y);
    ask_sweep(r, true, &x, &y);
    ask_shape_sweep(r, frame, &x, &y);
}
