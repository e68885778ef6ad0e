#include "support/questions.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    question_kind reference; /* whose answer is the right one */
    bool reports;
} kinds[ASK_KINDS] = {
    [ASK_COLLIDE] = {"collide", ASK_COLLIDE_BRUTE, true},
    [ASK_COLLIDE_FIRST] = {"collide_first", ASK_COLLIDE_BRUTE, false},
    [ASK_COLLIDE_EAGER] = {"collide_eager", ASK_COLLIDE_BRUTE, true},
    [ASK_COLLIDE_EAGER_FIRST] = {"collide_eager, first", ASK_COLLIDE_BRUTE, false},
    [ASK_COLLIDE_BRUTE] = {"collide_brute", ASK_COLLIDE_BRUTE, true},
    [ASK_COLLIDE_BOUNDS] = {"collide_bounds", ASK_COLLIDE_BRUTE, false},
    [ASK_FRONT] = {"front_collide", ASK_COLLIDE_BRUTE, true},
    [ASK_FRONT_FIRST] = {"front_collide_first", ASK_COLLIDE_BRUTE, false},
    [ASK_SELF] = {"collide_self", ASK_SELF_BRUTE, true},
    [ASK_SELF_FIRST] = {"collide_self_first", ASK_SELF_BRUTE, false},
    [ASK_SELF_EAGER] = {"collide_self_eager", ASK_SELF_BRUTE, true},
    [ASK_SELF_BRUTE] = {"collide_self_brute", ASK_SELF_BRUTE, true},
    [ASK_CAST] = {"cast", ASK_CAST, false},
    [ASK_CAST_ANY] = {"cast_any", ASK_CAST_BRUTE, false},
    [ASK_CAST_ALL] = {"cast_all", ASK_CAST_BRUTE, true},
    [ASK_CAST_MANY] = {"cast_many", ASK_CAST_MANY, false},
    [ASK_CAST_BRUTE] = {"cast_brute", ASK_CAST_BRUTE, true},
    [ASK_DISTANCE] = {"distance", ASK_DISTANCE_BRUTE, false},
    [ASK_DISTANCE_BRUTE] = {"distance_brute", ASK_DISTANCE_BRUTE, false},
    [ASK_DISTANCE_BOUND] = {"distance_bound", ASK_DISTANCE_BRUTE, false},
    [ASK_CLOSER] = {"closer_than", ASK_WITHIN_BRUTE, false},
    [ASK_WITHIN] = {"within", ASK_WITHIN_BRUTE, true},
    [ASK_WITHIN_BRUTE] = {"within_brute", ASK_WITHIN_BRUTE, true},
    [ASK_TOUCH] = {"touch", ASK_TOUCH_BRUTE, true},
    [ASK_TOUCH_FIRST] = {"touch_first", ASK_TOUCH_BRUTE, false},
    [ASK_TOUCH_BRUTE] = {"touch_brute", ASK_TOUCH_BRUTE, true},
    [ASK_CLASSIFY] = {"classify", ASK_TOUCH_BRUTE, false},
    [ASK_INSIDE] = {"point_inside", ASK_INSIDE_BRUTE, false},
    [ASK_INSIDE_BRUTE] = {"point_inside_brute", ASK_INSIDE_BRUTE, false},
    [ASK_WINDING] = {"winding_number", ASK_WINDING, false},
    [ASK_CONTACTS] = {"contacts_find", ASK_CONTACTS, false},
    [ASK_SWEEP] = {"sweep", ASK_SWEEP, false},
    [ASK_SWEEP_PAIRS] = {"sweep_pairs", ASK_SWEEP_BRUTE, true},
    [ASK_SWEEP_BRUTE] = {"sweep_brute", ASK_SWEEP_BRUTE, true},
    [ASK_SWEEP_SHAPE] = {"sweep_shape", ASK_SWEEP_SHAPE, false},
    [ASK_SWEEP_SHAPE_ALL] = {"sweep_shape_all", ASK_SWEEP_SHAPE_BRUTE, true},
    [ASK_SWEEP_SHAPE_BRUTE] = {"sweep_shape_brute", ASK_SWEEP_SHAPE_BRUTE, true},
    [ASK_SEARCH_COLLIDE] = {"search_collide", ASK_COLLIDE_BRUTE, true},
    [ASK_SEARCH_SELF] = {"search_self", ASK_SELF_BRUTE, true},
    [ASK_SEARCH_CAST] = {"search_cast", ASK_CAST, false},
    [ASK_SEARCH_CAST_ALL] = {"search_cast_all", ASK_CAST_BRUTE, true},
    [ASK_SEARCH_DISTANCE] = {"search_distance", ASK_DISTANCE_BRUTE, false},
    [ASK_SEARCH_WITHIN] = {"search_within", ASK_WITHIN_BRUTE, true},
    [ASK_SEARCH_TOUCH] = {"search_touch", ASK_TOUCH_BRUTE, true},
    [ASK_SEARCH_INSIDE] = {"search_point_inside", ASK_INSIDE_BRUTE, false},
    [ASK_SEARCH_SWEEP] = {"search_sweep", ASK_SWEEP, false},
    [ASK_SEARCH_SWEEP_PAIRS] = {"search_sweep_pairs", ASK_SWEEP_BRUTE, true},
    [ASK_POSITIONS] = {"get_positions", ASK_POSITIONS, false},
    [ASK_NODE] = {"view_node", ASK_NODE, false},
};

const char *question_name(question_kind kind)
{
    return kinds[kind].name;
}

bool question_reports(question_kind kind)
{
    return kinds[kind].reports;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static float about(test_random *random, double size)
{
    return (float)test_random_range(random, -size, size);
}

static graze_ray draw_ray(test_random *random, const float *target, double size)
{
    double length = fmin(fmax(size, 1e-12), 1e12) / size; /* directions have limits of their own */
    graze_ray ray = graze_default_ray();
    for (int k = 0; k < 3; k++) {
        ray.origin[k] = about(random, 1.5 * size);
        double to = target ? (double)target[k] : (double)about(random, 0.4 * size);
        ray.dir[k] = (float)((to - (double)ray.origin[k]) * length);
    }
    ray.t_max = test_random_u32(random) % 2 ? INFINITY : (float)(1.5 / length);
    return ray;
}

static graze_shape draw_shape(test_random *random, const float at[3], double size)
{
    float half[3], other[3], normal[3];
    for (int k = 0; k < 3; k++) {
        half[k] = (float)test_random_range(random, 0, 0.3 * size);
        other[k] = at[k] + about(random, 0.3 * size);
        normal[k] = about(random, 1);
    }
    float offset = normal[0] * at[0] + normal[1] * at[1] + normal[2] * at[2];
    switch (test_random_u32(random) % 5) {
    case 0:
        return graze_shape_sphere(at, half[0]);
    case 1:
        return graze_shape_capsule(at, other, half[1]);
    case 2:
        return graze_shape_box(at, half, NULL);
    case 3:
        return graze_shape_plane(normal, offset);
    default:
        return graze_shape_half_space(normal, offset);
    }
}

void question_draw(question *q, question_kind kind, graze_body *const bodies[QUESTION_BODIES],
                   const soup meshes[QUESTION_MODELS], test_random *random)
{
    static const double distances[] = {0, 1e-6, 0.01, 0.05, 0.1};
    *q = (question){.kind = kind};
    q->a = test_random_u32(random) % QUESTION_BODIES;
    q->b = (q->a + 1 + test_random_u32(random) % (QUESTION_BODIES - 1)) % QUESTION_BODIES;
    q->sweeps_itself = test_random_u32(random) % 3 == 0;
    q->only_new = test_random_u32(random) % 2;
    q->which = test_random_u32(random) % 2 ? GRAZE_SELF_ALL : GRAZE_SELF_NEW;
    graze_model_info info = graze_model_get_info(graze_body_model(bodies[q->a]));
    q->node = test_random_u32(random) % info.node_count;
    const soup *mesh = &meshes[q->a / 2];
    const float *vertex =
        mesh->positions + 3 * (size_t)(test_random_u32(random) % mesh->def.vertex_count);
    for (int k = 0; k < 3; k++)
        q->point[k] = vertex[k] + about(random, 0.1 * mesh->def.size);
    q->shape = draw_shape(random, q->point, mesh->def.size);
    q->ray_count = kind == ASK_CAST_MANY ? 1 + test_random_u32(random) % QUESTION_RAYS : 1;
    for (uint32_t i = 0; i < q->ray_count; i++)
        q->rays[i] = draw_ray(random, i % 2 ? NULL : q->point, mesh->def.size);
    q->distance = distances[test_random_u32(random) % 5] * mesh->def.size;
    q->budget.bound_tests = test_random_u32(random) % 2 ? 1 : 1 + test_random_u32(random) % 20;
    q->budget.triangle_tests = test_random_u32(random) % 2 ? 1 : 1 + test_random_u32(random) % 200;
}

void question_free(question *q)
{
    answers_free(&q->expected);
    answers_free(&q->all);
}

/* ---- tools ----------------------------------------------------------------------------------- */

void question_tools_open(question_tools *tools, graze_model *const models[QUESTION_MODELS])
{
    *tools = (question_tools){0};
    if (graze_search_create(NULL, &tools->search, NULL))
        abort();
    for (int i = 0; i < QUESTION_MODELS; i++)
        for (int k = 0; k < QUESTION_MODELS; k++)
            if (graze_front_create(models[i], models[k], &tools->fronts[i][k], NULL) ||
                graze_contacts_create(models[i], models[k], NULL, &tools->finders[i][k], NULL))
                abort();
}

void question_tools_close(question_tools *tools)
{
    graze_search_destroy(tools->search);
    for (int i = 0; i < QUESTION_MODELS; i++)
        for (int k = 0; k < QUESTION_MODELS; k++) {
            graze_front_destroy(tools->fronts[i][k]);
            graze_contacts_destroy(tools->finders[i][k]);
        }
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Where answers go while a question is asked. */
typedef struct receiver {
    const question *q;
    graze_body *const *bodies;
    question_tools *tools;
    const question_meanwhile *meanwhile;
    answers list;
    uint32_t calls;
    bool ok; /* no call was refused, and nothing is wrong that the list does not show */
} receiver;

static bool go_on(receiver *r)
{
    r->calls++;
    if (r->meanwhile && r->meanwhile->call)
        r->meanwhile->call(r->meanwhile->user);
    return !r->meanwhile || !r->meanwhile->stop;
}

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    receiver *r = user;
    answers_take_pairs(&r->list, pairs, count);
    return go_on(r);
}

static bool take_self(void *user, const graze_self_pair *pairs, size_t count)
{
    receiver *r = user;
    answers_take_self(&r->list, pairs, count);
    return go_on(r);
}

static bool take_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    receiver *r = user;
    answers_take_hits(&r->list, hits, count);
    return go_on(r);
}

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    receiver *r = user;
    answers_take_triangles(&r->list, triangles, count);
    return go_on(r);
}

static bool take_impacts(void *user, const graze_impact *impacts, size_t count)
{
    receiver *r = user;
    answers_take_impacts(&r->list, impacts, count);
    return go_on(r);
}

static bool take_shape_impacts(void *user, const graze_shape_impact *impacts, size_t count)
{
    receiver *r = user;
    answers_take_shape_impacts(&r->list, impacts, count);
    return go_on(r);
}

static bool count_nodes(void *user, const graze_node_pair *pair)
{
    (void)pair;
    ++*(size_t *)user;
    return true;
}

/* One of all the answers, if there is any. */
static void put_any(receiver *r, bool found, const uint32_t *words, uint32_t width)
{
    r->ok = r->ok && found == (r->q->all.count > 0) &&
            (!found || answers_have(&r->q->all, words, width));
}

static void put_any_pair(receiver *r, bool found, graze_pair pair)
{
    put_any(r, found, (const uint32_t[]){pair.a, pair.b}, 2);
}

static graze_status ask_pairs(receiver *r, graze_body *a, graze_body *b)
{
    const question *q = r->q;
    graze_front *front = r->tools->fronts[q->a / 2][q->b / 2];
    graze_status status;
    graze_pair pair = {0, 0};
    bool hit = false;
    size_t nodes = 0;
    switch (q->kind) {
    case ASK_COLLIDE:
        return graze_collide(a, b, take_pairs, r, NULL, NULL);
    case ASK_COLLIDE_EAGER:
        return graze_collide_eager(a, b, false, take_pairs, r, NULL, NULL);
    case ASK_COLLIDE_BRUTE:
        return graze_collide_brute(a, b, take_pairs, r, NULL, NULL);
    case ASK_FRONT:
        return graze_front_collide(front, a, b, take_pairs, r, NULL, NULL);
    case ASK_WITHIN:
        return graze_within(a, b, q->distance, take_pairs, r, NULL, NULL);
    case ASK_WITHIN_BRUTE:
        return graze_within_brute(a, b, q->distance, take_pairs, r, NULL, NULL);
    case ASK_COLLIDE_EAGER_FIRST:
        status = graze_collide_eager(a, b, true, take_pairs, r, NULL, NULL);
        hit = r->list.count > 0;
        if (hit)
            pair = (graze_pair){r->list.words[0], r->list.words[1]};
        answers_clear(&r->list);
        break;
    case ASK_COLLIDE_FIRST:
        status = graze_collide_first(a, b, &hit, &pair, NULL, NULL);
        break;
    case ASK_FRONT_FIRST:
        status = graze_front_collide_first(front, a, b, &hit, &pair, NULL, NULL);
        break;
    case ASK_CLOSER:
        status = graze_closer_than(a, b, q->distance, &hit, &pair, NULL, NULL);
        break;
    default:
        status = graze_collide_bounds(a, b, count_nodes, &nodes, NULL, NULL);
        r->ok = r->ok && (nodes > 0 || q->all.count == 0);
        return status;
    }
    put_any_pair(r, hit, pair);
    return status;
}

static graze_status ask_distance(receiver *r, graze_body *a, graze_body *b)
{
    graze_nearest nearest = {.found = false};
    graze_status status;
    float least = 0;
    double limit = r->q->only_new ? INFINITY : r->q->distance;
    if (r->q->kind == ASK_DISTANCE_BOUND) {
        status = graze_distance_bound(a, b, &least, NULL, NULL);
        r->ok = r->ok && (double)least <= r->q->nearest;
        return status;
    }
    if (r->q->kind == ASK_DISTANCE)
        status = graze_distance(a, b, limit, &nearest, NULL, NULL);
    else
        status = graze_distance_brute(a, b, limit, &nearest, NULL, NULL);
    answers_put_nearest(&r->list, &nearest);
    return status;
}

static graze_status ask_self(receiver *r, graze_body *body)
{
    graze_self_pair pair = {0};
    bool hit = false;
    if (r->q->kind == ASK_SELF)
        return graze_collide_self(body, r->q->which, take_self, r, NULL, NULL);
    if (r->q->kind == ASK_SELF_EAGER)
        return graze_collide_self_eager(body, r->q->which, take_self, r, NULL, NULL);
    if (r->q->kind == ASK_SELF_BRUTE)
        return graze_collide_self_brute(body, r->q->which, take_self, r, NULL, NULL);
    graze_status status = graze_collide_self_first(body, r->q->which, &hit, &pair, NULL, NULL);
    put_any(r, hit, (const uint32_t[]){pair.a, pair.b, pair.rest}, 3);
    return status;
}

static graze_status ask_rays(receiver *r, graze_body *body)
{
    const question *q = r->q;
    graze_ray_hit hits[QUESTION_RAYS] = {{0}};
    graze_status status;
    answers one = {0};
    switch (q->kind) {
    case ASK_CAST_ALL:
        return graze_cast_all(body, q->rays, take_hits, r, NULL, NULL);
    case ASK_CAST_BRUTE:
        return graze_cast_brute(body, q->rays, take_hits, r, NULL, NULL);
    case ASK_CAST_ANY:
        status = graze_cast_any(body, q->rays, hits, NULL, NULL);
        answers_put_hit(&one, hits);
        put_any(r, hits->found, one.words, one.width);
        answers_free(&one);
        return status;
    case ASK_CAST:
        status = graze_cast(body, q->rays, hits, NULL, NULL);
        break;
    default:
        status = graze_cast_many(body, q->rays, q->ray_count, hits, NULL, NULL);
        break;
    }
    for (uint32_t i = 0; i < q->ray_count; i++)
        answers_put_hit(&r->list, &hits[i]);
    return status;
}

static graze_status ask_shapes(receiver *r, graze_body *body)
{
    const question *q = r->q;
    graze_status status;
    graze_side side = GRAZE_CROSSING;
    uint32_t triangle = 0;
    bool hit = false;
    switch (q->kind) {
    case ASK_TOUCH:
        return graze_touch(body, &q->shape, take_triangles, r, NULL, NULL);
    case ASK_TOUCH_BRUTE:
        return graze_touch_brute(body, &q->shape, take_triangles, r, NULL, NULL);
    case ASK_TOUCH_FIRST:
        status = graze_touch_first(body, &q->shape, &hit, &triangle, NULL, NULL);
        put_any(r, hit, &triangle, 1);
        return status;
    default:
        status = graze_classify(body, &q->shape, q->node % 8, &side, NULL, NULL);
        r->ok = r->ok && (side != GRAZE_OUTSIDE || q->all.count == 0) &&
                (side != GRAZE_INSIDE ||
                 q->all.count == graze_model_get_info(graze_body_model(body)).triangle_count);
        return status;
    }
}

static graze_status ask_point(receiver *r, graze_body *body)
{
    graze_point_side inside = {0};
    float winding = 0;
    uint32_t bits;
    graze_status status;
    if (r->q->kind == ASK_WINDING) {
        status = graze_winding_number(body, r->q->point, &winding, NULL, NULL);
        memcpy(&bits, &winding, sizeof bits);
        answers_put(&r->list, &bits, 1);
        return status;
    }
    status = r->q->kind == ASK_INSIDE
                 ? graze_point_inside(body, r->q->point, &inside, NULL, NULL)
                 : graze_point_inside_brute(body, r->q->point, &inside, NULL, NULL);
    answers_put_inside(&r->list, &inside);
    return status;
}

static graze_status ask_contacts(receiver *r, graze_body *a, graze_body *b)
{
    graze_contacts *finder = r->tools->finders[r->q->a / 2][r->q->b / 2];
    answers contacts = {0}, segments = {0};
    graze_status status = graze_contacts_find(finder, a, b, NULL, NULL);
    answers_put_contacts(&contacts, &segments, finder);
    uint64_t hashes[2] = {answers_hash(ANSWERS_NO_HASH, &contacts),
                          answers_hash(ANSWERS_NO_HASH, &segments)};
    const uint32_t words[6] = {(uint32_t)contacts.count, (uint32_t)segments.count,
                               (uint32_t)hashes[0],      (uint32_t)(hashes[0] >> 32),
                               (uint32_t)hashes[1],      (uint32_t)(hashes[1] >> 32)};
    answers_put(&r->list, words, 6);
    answers_free(&contacts);
    answers_free(&segments);
    return status;
}

/* The motion of a's model, and that of the other one or none. */
static void make_motions(const receiver *r, graze_motion motions[2], const graze_motion **second)
{
    uint32_t first = r->q->a / 2, other = !first;
    motions[0] = (graze_motion){r->bodies[2 * first], r->bodies[2 * first + 1]};
    motions[1] = (graze_motion){r->bodies[2 * other], r->bodies[2 * other + 1]};
    *second = r->q->sweeps_itself ? NULL : &motions[1];
}

static graze_status ask_motions(receiver *r)
{
    graze_motion motions[2];
    const graze_motion *second;
    graze_impact impact = {.found = false};
    make_motions(r, motions, &second);
    if (r->q->kind == ASK_SWEEP_PAIRS)
        return graze_sweep_pairs(motions, second, r->q->only_new, take_impacts, r, NULL, NULL);
    if (r->q->kind == ASK_SWEEP_BRUTE)
        return graze_sweep_brute(motions, second, r->q->only_new, take_impacts, r, NULL, NULL);
    graze_status status = graze_sweep(motions, second, r->q->only_new, &impact, NULL, NULL);
    answers_put_impact(&r->list, &impact);
    return status;
}

/* A ball, or the shape if it is one that moves, to where the ray starts; half-spaces rise. */
static graze_status ask_moving_shape(receiver *r)
{
    const question *q = r->q;
    graze_motion motions[2];
    const graze_motion *second;
    graze_shape from = q->shape, to;
    graze_shape_impact impact = {.found = false};
    make_motions(r, motions, &second);
    if (from.kind == GRAZE_PLANE)
        from = graze_shape_sphere(q->point, 0.1f * fabsf(q->point[0]));
    to = from;
    if (to.kind == GRAZE_HALF_SPACE)
        to.as.plane.offset += 0.1f * fabsf(to.as.plane.offset);
    else /* the centre, or p of a capsule */
        memcpy(to.as.sphere.centre, q->rays[0].origin, sizeof to.as.sphere.centre);
    if (q->kind == ASK_SWEEP_SHAPE_ALL)
        return graze_sweep_shape_all(motions, &from, &to, q->only_new, take_shape_impacts, r, NULL,
                                     NULL);
    if (q->kind == ASK_SWEEP_SHAPE_BRUTE)
        return graze_sweep_shape_brute(motions, &from, &to, q->only_new, take_shape_impacts, r,
                                       NULL, NULL);
    graze_status status = graze_sweep_shape(motions, &from, &to, q->only_new, &impact, NULL, NULL);
    answers_put_shape_impact(&r->list, &impact);
    return status;
}

/* Puts the question to a search; single answers go to *single. */
typedef union single_answer {
    graze_ray_hit hit;
    graze_nearest nearest;
    graze_point_side inside;
    graze_impact impact;
} single_answer;

static graze_status put_search(receiver *r, graze_body *a, graze_body *b, single_answer *single)
{
    const question *q = r->q;
    graze_search *search = r->tools->search;
    graze_motion motions[2];
    const graze_motion *second;
    make_motions(r, motions, &second);
    switch (q->kind) {
    case ASK_SEARCH_COLLIDE:
        return graze_search_collide(search, a, b, take_pairs, r, NULL);
    case ASK_SEARCH_SELF:
        return graze_search_self(search, a, q->which, take_self, r, NULL);
    case ASK_SEARCH_CAST:
        return graze_search_cast(search, a, q->rays, &single->hit, NULL);
    case ASK_SEARCH_CAST_ALL:
        return graze_search_cast_all(search, a, q->rays, take_hits, r, NULL);
    case ASK_SEARCH_DISTANCE:
        return graze_search_distance(search, a, b, q->only_new ? INFINITY : q->distance,
                                     &single->nearest, NULL);
    case ASK_SEARCH_WITHIN:
        return graze_search_within(search, a, b, q->distance, take_pairs, r, NULL);
    case ASK_SEARCH_TOUCH:
        return graze_search_touch(search, a, &q->shape, take_triangles, r, NULL);
    case ASK_SEARCH_INSIDE:
        return graze_search_point_inside(search, a, q->point, &single->inside, NULL);
    case ASK_SEARCH_SWEEP:
        return graze_search_sweep(search, motions, second, q->only_new, &single->impact, NULL);
    default:
        return graze_search_sweep_pairs(search, motions, second, q->only_new, take_impacts, r,
                                        NULL);
    }
}

static graze_status ask_search(receiver *r, graze_body *a, graze_body *b)
{
    single_answer single;
    graze_search_rest rest = {.finished = false};
    memset(&single, 0, sizeof single);
    graze_status status = put_search(r, a, b, &single);
    while (!status && !rest.finished) {
        status = graze_search_run(r->tools->search, &r->q->budget, NULL, &rest, NULL);
        if (rest.count > r->tools->most_left)
            r->tools->most_left = rest.count;
    }
    if (r->q->kind == ASK_SEARCH_CAST)
        answers_put_hit(&r->list, &single.hit);
    else if (r->q->kind == ASK_SEARCH_DISTANCE)
        answers_put_nearest(&r->list, &single.nearest);
    else if (r->q->kind == ASK_SEARCH_INSIDE)
        answers_put_inside(&r->list, &single.inside);
    else if (r->q->kind == ASK_SEARCH_SWEEP)
        answers_put_impact(&r->list, &single.impact);
    return status;
}

static graze_status ask_positions(receiver *r, graze_body *body)
{
    size_t count = 3 * (size_t)graze_model_get_info(graze_body_model(body)).vertex_count;
    float *positions = malloc(count * sizeof *positions);
    if (!positions)
        abort();
    graze_body_get_positions(body, positions);
    uint64_t hash = answers_hash_floats(ANSWERS_NO_HASH, positions, count);
    answers_put(&r->list, (const uint32_t[]){(uint32_t)hash, (uint32_t)(hash >> 32)}, 2);
    free(positions);
    return GRAZE_OK;
}

/* The best bound is always the same; the present one may be larger. */
static graze_status ask_node(receiver *r, graze_body *body)
{
    graze_node_view now, best;
    graze_status status = graze_body_view_node(body, r->q->node, GRAZE_NODE_CURRENT, &now);
    if (!status)
        status = graze_body_view_node(body, r->q->node, GRAZE_NODE_BEST, &best);
    if (status)
        return status;
    uint64_t hash = answers_hash_floats(ANSWERS_NO_HASH, best.centre, 3);
    hash = answers_hash_floats(hash, &best.radius, 1);
    answers_put(&r->list, (const uint32_t[]){(uint32_t)hash, (uint32_t)(hash >> 32)}, 2);
    for (int k = 0; k < 3 && now.volume == GRAZE_BOXES; k++) {
        double rounding = 0x1p-22 * (fabs((double)now.centre[k]) + (double)now.half[k]);
        double apart = fabs((double)now.centre[k] - best.centre[k]);
        r->ok = r->ok && apart + (double)best.half[k] <= (double)now.half[k] + rounding;
    }
    if (now.volume == GRAZE_SPHERES)
        r->ok = r->ok && (double)now.radius >= (1 - 1e-5) * (double)best.radius;
    return GRAZE_OK;
}

static void ask(receiver *r)
{
    question_kind kind = r->q->kind;
    graze_body *a = r->bodies[r->q->a], *b = r->bodies[r->q->b];
    graze_status status;
    if (kind <= ASK_FRONT_FIRST || (kind >= ASK_CLOSER && kind <= ASK_WITHIN_BRUTE))
        status = ask_pairs(r, a, b);
    else if (kind <= ASK_SELF_BRUTE)
        status = ask_self(r, a);
    else if (kind <= ASK_CAST_BRUTE)
        status = ask_rays(r, a);
    else if (kind <= ASK_DISTANCE_BOUND)
        status = ask_distance(r, a, b);
    else if (kind <= ASK_CLASSIFY)
        status = ask_shapes(r, a);
    else if (kind <= ASK_WINDING)
        status = ask_point(r, a);
    else if (kind == ASK_CONTACTS)
        status = ask_contacts(r, a, b);
    else if (kind <= ASK_SWEEP_BRUTE)
        status = ask_motions(r);
    else if (kind <= ASK_SWEEP_SHAPE_BRUTE)
        status = ask_moving_shape(r);
    else if (kind <= ASK_SEARCH_SWEEP_PAIRS)
        status = ask_search(r, a, b);
    else if (kind == ASK_POSITIONS)
        status = ask_positions(r, a);
    else
        status = ask_node(r, a);
    r->ok = r->ok && status == GRAZE_OK;
}

/* Whether all that was taken before a callback said stop is right, and it was asked once. */
static bool is_stopped_well(const receiver *r)
{
    const answers *expected = &r->q->expected;
    bool ok = r->calls == (expected->count > 0) && (r->list.count > 0) == (expected->count > 0);
    for (size_t i = 0; ok && i < r->list.count; i++)
        ok = answers_have(expected, r->list.words + i * r->list.width, r->list.width);
    return ok;
}

bool question_ask(const question *q, graze_body *const bodies[QUESTION_BODIES],
                  question_tools *tools, const question_meanwhile *meanwhile)
{
    receiver r = {.q = q, .bodies = bodies, .tools = tools, .meanwhile = meanwhile, .ok = true};
    ask(&r);
    /* Several rays may have one answer; all others are there once. */
    bool once = q->kind == ASK_CAST_MANY || answers_sort(&r.list);
    if (meanwhile && meanwhile->stop && question_reports(q->kind))
        r.ok = r.ok && is_stopped_well(&r);
    else
        r.ok = r.ok && once && answers_equal(&q->expected, &r.list, NULL);
    answers_free(&r.list);
    return r.ok;
}

/* Whether the answer is one of all, or only must agree with them. */
static bool wants_any(question_kind kind)
{
    return kind == ASK_COLLIDE_FIRST || kind == ASK_COLLIDE_EAGER_FIRST ||
           kind == ASK_COLLIDE_BOUNDS || kind == ASK_FRONT_FIRST || kind == ASK_SELF_FIRST ||
           kind == ASK_CAST_ANY || kind == ASK_CLOSER || kind == ASK_TOUCH_FIRST ||
           kind == ASK_CLASSIFY;
}

void question_expect(question *q, graze_body *const twins[QUESTION_BODIES], question_tools *tools)
{
    question reference = *q;
    graze_nearest nearest;
    reference.kind = kinds[q->kind].reference;
    receiver r = {.q = &reference, .bodies = twins, .tools = tools, .ok = true};
    if (q->kind == ASK_DISTANCE_BOUND) {
        r.ok = !graze_distance_brute(twins[q->a], twins[q->b], INFINITY, &nearest, NULL, NULL);
        q->nearest = nearest.found ? nearest.distance : INFINITY; /* nothing takes part */
    } else {
        ask(&r);
        if (q->kind != ASK_CAST_MANY)
            answers_sort(&r.list);
    }
    CHECK_MSG(r.ok, "%s is refused", question_name(reference.kind));
    if (wants_any(q->kind))
        q->all = r.list;
    else
        q->expected = r.list;
}
