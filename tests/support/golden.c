#include "support/golden.h"

#include "harness.h"
#include "support/answers.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const golden_family_names[GOLDEN_FAMILY_COUNT] = {
    "input", "positions", "collide",  "self",  "rays",       "distance",   "within",
    "touch", "inside",    "contacts", "sweep", "self sweep", "shape sweep"};

typedef golden_run run;

bool golden_open(run *r, const graze_model_def *model, const graze_model_def *ball)
{
    graze_error error = {.text = ""};
    graze_contacts_def split = graze_default_contacts_def();
    split.split_by_group = true;
    for (int family = 0; family < GOLDEN_FAMILY_COUNT; family++)
        r->sums[family] = ANSWERS_NO_HASH;
    bool opened = !graze_model_create(model, &r->model, &error) &&
                  !graze_model_create(ball, &r->ball_model, &error) &&
                  !graze_body_create(r->ball_model, &r->ball, &error) &&
                  !graze_front_create(r->model, r->model, &r->front, &error) &&
                  !graze_search_create(NULL, &r->search, &error) &&
                  !graze_pool_create(2, NULL, &r->pool, &error) &&
                  !graze_contacts_create(r->model, r->model, NULL, &r->contacts[0], &error) &&
                  !graze_contacts_create(r->model, r->model, &split, &r->contacts[1], &error);
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
        graze_contacts_destroy(r->contacts[i]);
    }
    graze_body_destroy(r->ball);
    graze_front_destroy(r->front);
    graze_search_destroy(r->search);
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

/* Runs the search's question to its end in small steps. */
static void finish(run *r)
{
    const graze_budget budget = {.bound_tests = 40, .triangle_tests = 400};
    graze_search_rest rest = {.finished = false};
    while (!rest.finished) {
        graze_status status = graze_search_run(r->search, &budget, NULL, &rest, NULL);
        ok(r, status, "graze_search_run");
        if (status)
            return;
    }
}

static void ask_positions(run *r)
{
    uint32_t count = graze_model_get_info(r->model).vertex_count;
    float *positions = malloc(3 * sizeof *positions * count);
    for (int i = 0; i < 4; i++) {
        graze_body_get_positions(i % 2 ? r->b[i / 2] : r->a[i / 2], positions);
        r->sums[GOLDEN_POSITIONS] =
            answers_hash_floats(r->sums[GOLDEN_POSITIONS], positions, (size_t)3 * count);
    }
    free(positions);
}

static void ask_collide(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    bool hit = false, many_hit = false;
    graze_pair pair;
    const graze_body_pair both = {a, b};
    answers_clear(x);
    drop(r);
    OK(graze_collide(a, b, answers_take_pairs, x, NULL, NULL));
    CHECK(answers_sort(x));
    note(r, GOLDEN_COLLIDE, x);
    for (int way = 0; way < (r->all_ways ? 6 : 1); way++) {
        static const char *const ways[] = {"eager", "parallel", "search",
                                           "front", "front",    "brute"};
        answers_clear(y);
        if (way == 0)
            OK(graze_collide_eager(a, b, false, answers_take_pairs, y, NULL, NULL));
        drop(r);
        if (way == 1)
            OK(graze_collide_parallel(r->pool, a, b, answers_take_pairs, y, NULL, NULL));
        if (way == 2) {
            OK(graze_search_collide(r->search, a, b, answers_take_pairs, y, NULL));
            finish(r);
        }
        if (way == 5 && r->brute)
            OK(graze_collide_brute(a, b, answers_take_pairs, y, NULL, NULL));
        else if (way == 5)
            continue;
        if ((way == 3 || way == 4) && b != r->ball)
            OK(graze_front_collide(r->front, a, b, answers_take_pairs, y, NULL, NULL));
        else if (way == 3 || way == 4)
            continue;
        CHECK(answers_sort(y));
        agree(r, GOLDEN_COLLIDE, ways[way], x, y);
    }
    OK(graze_collide_first(a, b, &hit, &pair, NULL, NULL));
    CHECK(hit == (x->count > 0));
    CHECK(!hit || answers_have(x, (const uint32_t[]){pair.a, pair.b}, 2));
    OK(graze_collide_many_first(r->pool, &both, 1, &many_hit, NULL, NULL));
    CHECK(many_hit == hit);
}

static void ask_self(run *r, answers *x, answers *y)
{
    for (int which = GRAZE_SELF_ALL; which <= GRAZE_SELF_NEW; which++) {
        bool hit = false;
        graze_self_which pairs = (graze_self_which)which;
        answers_clear(x);
        drop(r);
        OK(graze_collide_self(r->a[0], pairs, answers_take_self, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, GOLDEN_SELF, x);
        if (!r->all_ways)
            continue;
        answers_clear(y);
        OK(graze_search_self(r->search, r->a[0], pairs, answers_take_self, y, NULL));
        finish(r);
        answers_sort(y);
        agree(r, GOLDEN_SELF, "search", x, y);
        answers_clear(y);
        OK(graze_collide_self_eager(r->a[0], pairs, answers_take_self, y, NULL, NULL));
        answers_sort(y);
        agree(r, GOLDEN_SELF, "eager", x, y);
        OK(graze_collide_self_first(r->a[0], pairs, &hit, NULL, NULL, NULL));
        CHECK(hit == (x->count > 0));
        if (!r->brute)
            continue;
        answers_clear(y);
        OK(graze_collide_self_brute(r->a[0], pairs, answers_take_self, y, NULL, NULL));
        answers_sort(y);
        agree(r, GOLDEN_SELF, "brute", x, y);
    }
}

/* A point within so many extents of the subject's middle, on each axis. */
static void random_point(const run *r, double reach, test_random *random, float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)(r->middle[k] + r->extent * test_random_range(random, -reach, reach));
}

static void ask_rays(run *r, uint32_t frame, answers *x, answers *y)
{
    enum { RAYS_A_FRAME = 24 };
    graze_ray rays[RAYS_A_FRAME];
    graze_ray_hit hits[RAYS_A_FRAME];
    answers flags = {0}, nearest = {0};
    test_random random = test_random_seed(100 + frame);
    drop(r);
    for (uint32_t i = 0; i < RAYS_A_FRAME; i++) {
        float from[3], to[3];
        random_point(r, i % 3 ? 1.5 : 0.5, &random, from);
        random_point(r, 0.3, &random, to);
        for (int k = 0; k < 3 && i % 4 == 1; k++) /* along an axis, as mice and sensors have it */
            from[k] = k == (int)(i / 4 % 3) ? from[k] : to[k];
        rays[i] = graze_ray_between(from, to);
        rays[i].t_max = i % 2 ? INFINITY : 1.5f;
        OK(graze_cast(r->a[0], &rays[i], &hits[i], NULL, NULL));
        answers_put_hit(&nearest, &hits[i]);
        OK(graze_cast_any(r->a[0], &rays[i], &hits[i], NULL, NULL));
        answers_put_flag(&flags, hits[i].found);
        answers_clear(x);
        OK(graze_cast_all(r->a[0], &rays[i], answers_take_hits, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, GOLDEN_RAYS, x);
        if (!r->all_ways)
            continue;
        answers_clear(y);
        OK(graze_search_cast_all(r->search, r->a[0], &rays[i], answers_take_hits, y, NULL));
        finish(r);
        answers_sort(y);
        agree(r, GOLDEN_RAYS, "search", x, y);
        answers_clear(y);
        OK(graze_cast_brute(r->a[0], &rays[i], answers_take_hits, y, NULL, NULL));
        answers_sort(y);
        agree(r, GOLDEN_RAYS, "brute", x, y);
    }
    note(r, GOLDEN_RAYS, &nearest);
    note(r, GOLDEN_RAYS, &flags);
    answers_clear(x);
    drop(r);
    OK(graze_cast_many(r->a[0], rays, RAYS_A_FRAME, hits, NULL, NULL));
    answers_take_hits(x, hits, RAYS_A_FRAME);
    agree(r, GOLDEN_RAYS, "many", &nearest, x);
    answers_clear(x);
    for (uint32_t i = 0; i < RAYS_A_FRAME; i++) {
        OK(graze_search_cast(r->search, r->a[0], &rays[i], &hits[i], NULL));
        finish(r);
        answers_put_hit(x, &hits[i]);
    }
    agree(r, GOLDEN_RAYS, "nearest by search", &nearest, x);
    answers_free(&flags);
    answers_free(&nearest);
}

static void search_distance(run *r, graze_body *a, graze_body *b, double limit,
                            const answers *expected, answers *found)
{
    graze_nearest nearest;
    answers_clear(found);
    OK(graze_search_distance(r->search, a, b, limit, &nearest, NULL));
    finish(r);
    answers_put_nearest(found, &nearest);
    agree(r, GOLDEN_DISTANCE, "search", expected, found);
}

static void ask_distance(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    const double limits[] = {INFINITY, 0.3 * r->extent, 0};
    for (int i = 0; i < 3; i++) {
        graze_nearest nearest, other;
        bool closer = false;
        drop(r);
        OK(graze_distance(a, b, limits[i], &nearest, NULL, NULL));
        answers_clear(x);
        answers_put_nearest(x, &nearest);
        note(r, GOLDEN_DISTANCE, x);
        if (r->all_ways)
            search_distance(r, a, b, limits[i], x, y);
        if (r->brute && i < 2) {
            answers_clear(y);
            OK(graze_distance_brute(a, b, limits[i], &other, NULL, NULL));
            answers_put_nearest(y, &other);
            agree(r, GOLDEN_DISTANCE, "brute", x, y);
        }
        OK(graze_closer_than(a, b, i ? limits[i] : 0.01 * r->extent, &closer, NULL, NULL, NULL));
        answers_clear(x);
        answers_put_flag(x, closer);
        note(r, GOLDEN_DISTANCE, x);
    }
}

static void ask_within(run *r, graze_body *a, graze_body *b, answers *x, answers *y)
{
    const double distances[] = {0, 0.004 * r->extent, 0.02 * r->extent};
    for (int i = 0; i < 3; i++) {
        drop(r);
        answers_clear(x);
        OK(graze_within(a, b, distances[i], answers_take_pairs, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, GOLDEN_WITHIN, x);
        if (!r->all_ways)
            continue;
        answers_clear(y);
        OK(graze_search_within(r->search, a, b, distances[i], answers_take_pairs, y, NULL));
        finish(r);
        answers_sort(y);
        agree(r, GOLDEN_WITHIN, "search", x, y);
        if (!r->brute || i != 1)
            continue;
        answers_clear(y);
        OK(graze_within_brute(a, b, distances[i], answers_take_pairs, y, NULL, NULL));
        answers_sort(y);
        agree(r, GOLDEN_WITHIN, "brute", x, y);
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

static void ask_touch(run *r, uint32_t frame, answers *x, answers *y)
{
    test_random random = test_random_seed(200 + frame);
    for (int i = 0; i < 18; i++) {
        graze_shape shape = make_shape(r, (graze_shape_kind)(i % 6), &random);
        bool hit = false;
        drop(r);
        answers_clear(x);
        OK(graze_touch(r->a[0], &shape, answers_take_triangles, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, GOLDEN_TOUCH, x);
        if (!r->all_ways)
            continue;
        answers_clear(y);
        OK(graze_search_touch(r->search, r->a[0], &shape, answers_take_triangles, y, NULL));
        finish(r);
        answers_sort(y);
        agree(r, GOLDEN_TOUCH, "search", x, y);
        answers_clear(y);
        OK(graze_touch_brute(r->a[0], &shape, answers_take_triangles, y, NULL, NULL));
        answers_sort(y);
        agree(r, GOLDEN_TOUCH, "brute", x, y);
        OK(graze_touch_first(r->a[0], &shape, &hit, NULL, NULL, NULL));
        CHECK(hit == (x->count > 0));
    }
}

/* Of an open surface only what is on it is promised. */
static void put_inside(answers *list, graze_point_side inside, bool closed)
{
    if (!closed)
        inside.inside = inside.on_surface, inside.winding = 0;
    answers_put_inside(list, &inside);
}

static void ask_inside(run *r, uint32_t frame, answers *x, answers *y)
{
    test_random random = test_random_seed(300 + frame);
    uint32_t count = graze_model_get_info(r->model).vertex_count;
    float *positions = malloc(3 * sizeof *positions * count), point[3];
    bool closed = false;
    OK(graze_model_is_closed(r->model, &closed, NULL));
    answers_clear(x);
    answers_put_inside(x, &(graze_point_side){.inside = closed});
    note(r, GOLDEN_INSIDE, x);
    graze_body_get_positions(r->a[0], positions);
    drop(r);
    answers_clear(x);
    answers_clear(y);
    for (uint32_t i = 0; i < 24; i++) {
        graze_point_side inside, other;
        random_point(r, 0.4, &random, point);
        if (i % 4 == 0)
            memcpy(point, positions + 3 * (size_t)(test_random_u32(&random) % count), sizeof point);
        OK(graze_point_inside(r->a[0], point, &inside, NULL, NULL));
        put_inside(x, inside, closed);
        OK(graze_point_inside_brute(r->a[0], point, &other, NULL, NULL));
        CHECK(memcmp(&inside.winding, &other.winding, sizeof other.winding) == 0);
        OK(graze_search_point_inside(r->search, r->a[0], point, &other, NULL));
        finish(r);
        put_inside(y, other, closed);
    }
    note(r, GOLDEN_INSIDE, x);
    agree(r, GOLDEN_INSIDE, "search", x, y);
    free(positions);
}

/* From the pairs, last first: the contacts and segments in x and y again. */
static void ask_contacts_again(run *r, const answers *x, const answers *y)
{
    answers pairs = {0}, contacts = {0}, segments = {0};
    OK(graze_collide(r->a[0], r->b[0], answers_take_pairs, &pairs, NULL, NULL));
    answers_sort(&pairs);
    graze_pair *list = malloc((pairs.count + 1) * sizeof *list);
    for (size_t i = 0; i < pairs.count; i++)
        list[pairs.count - 1 - i] = (graze_pair){pairs.words[2 * i], pairs.words[2 * i + 1]};
    OK(graze_contacts_from_pairs(r->contacts[1], r->a[0], r->b[0], list, pairs.count, NULL, NULL));
    answers_put_contacts(&contacts, &segments, r->contacts[1]);
    agree(r, GOLDEN_CONTACTS, "pairs", x, &contacts);
    agree(r, GOLDEN_CONTACTS, "segments of pairs", y, &segments);
    free(list);
    answers_free(&pairs);
    answers_free(&contacts);
    answers_free(&segments);
}

static void ask_contacts(run *r, answers *x, answers *y)
{
    for (int split = 0; split < 2; split++) {
        drop(r);
        answers_clear(x);
        answers_clear(y);
        OK(graze_contacts_find(r->contacts[split], r->a[0], r->b[0], NULL, NULL));
        answers_put_contacts(x, y, r->contacts[split]);
        note(r, GOLDEN_CONTACTS, x);
        note(r, GOLDEN_CONTACTS, y);
    }
    ask_contacts_again(r, x, y);
}

static void ask_sweep(run *r, bool itself, answers *x, answers *y)
{
    const graze_motion a = {r->a[0], r->a[1]}, b = {r->b[0], r->b[1]};
    const graze_motion *other = itself ? NULL : &b;
    golden_family of = itself ? GOLDEN_SELF_SWEEP : GOLDEN_SWEEP;
    for (int only_new = 0; only_new < 2; only_new++) {
        graze_impact impact, again;
        drop(r);
        answers_clear(x);
        OK(graze_sweep(&a, other, only_new, &impact, NULL, NULL));
        answers_put_impact(x, &impact);
        note(r, of, x);
        if (r->all_ways) {
            OK(graze_search_sweep(r->search, &a, other, only_new, &again, NULL));
            finish(r);
            answers_clear(y);
            answers_put_impact(y, &again);
            agree(r, of, "earliest by search", x, y);
        }
        if (only_new != itself) /* half of the lists is enough, for the time they take */
            continue;
        answers_clear(x);
        OK(graze_sweep_pairs(&a, other, only_new, answers_take_impacts, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, of, x);
        if (!r->all_ways)
            continue;
        answers_clear(y);
        OK(graze_search_sweep_pairs(r->search, &a, other, only_new, answers_take_impacts, y, NULL));
        finish(r);
        answers_sort(y);
        agree(r, of, "search", x, y);
        if (!r->brute)
            continue;
        answers_clear(y);
        OK(graze_sweep_brute(&a, other, only_new, answers_take_impacts, y, NULL, NULL));
        answers_sort(y);
        agree(r, of, "brute", x, y);
    }
}

/* From one place to another, growing; boxes and half-spaces keep their directions. */
static void ask_shape_sweep(run *r, uint32_t frame, answers *x, answers *y)
{
    static const graze_shape_kind kinds[] = {GRAZE_SPHERE, GRAZE_CAPSULE, GRAZE_BOX,
                                             GRAZE_HALF_SPACE};
    const graze_motion a = {r->a[0], r->a[1]};
    test_random random = test_random_seed(400 + frame);
    for (int i = 0; i < 4; i++) {
        graze_shape from = make_shape(r, kinds[i], &random), to = from;
        graze_shape end = make_shape(r, kinds[i], &random);
        graze_shape_impact impact;
        if (i < 2)
            to = end;
        else if (i == 2)
            memcpy(to.as.box.centre, end.as.box.centre, sizeof to.as.box.centre);
        else
            to.as.plane.offset += (float)(0.2 * r->extent);
        drop(r);
        answers_clear(x);
        OK(graze_sweep_shape(&a, &from, &to, i % 2, &impact, NULL, NULL));
        answers_put_shape_impact(x, &impact);
        note(r, GOLDEN_SHAPE_SWEEP, x);
        answers_clear(x);
        OK(graze_sweep_shape_all(&a, &from, &to, i % 2, answers_take_shape_impacts, x, NULL, NULL));
        CHECK(answers_sort(x));
        note(r, GOLDEN_SHAPE_SWEEP, x);
        if (!r->all_ways || !r->brute)
            continue;
        answers_clear(y);
        OK(graze_sweep_shape_brute(&a, &from, &to, i % 2, answers_take_shape_impacts, y, NULL,
                                   NULL));
        answers_sort(y);
        agree(r, GOLDEN_SHAPE_SWEEP, "brute", x, y);
    }
}

void golden_ask(run *r, uint32_t frame)
{
    answers x = {0}, y = {0};
    ask_positions(r);
    ask_collide(r, r->a[0], r->b[0], &x, &y);
    ask_collide(r, r->a[0], r->ball, &x, &y);
    ask_self(r, &x, &y);
    ask_rays(r, frame, &x, &y);
    ask_distance(r, r->a[0], r->b[0], &x, &y);
    ask_distance(r, r->a[0], r->ball, &x, &y);
    ask_within(r, r->a[0], r->b[0], &x, &y);
    ask_touch(r, frame, &x, &y);
    ask_inside(r, frame, &x, &y);
    ask_contacts(r, &x, &y);
    ask_sweep(r, false, &x, &y);
    ask_sweep(r, true, &x, &y);
    ask_shape_sweep(r, frame, &x, &y);
    answers_free(&x);
    answers_free(&y);
}
