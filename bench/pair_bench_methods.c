/* The ways to answer. */
#include "bench/pair_bench.h"

#include <graze/reference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 1 << 20 };

static bool collect(void *user, const graze_pair *pairs, size_t count)
{
    pair_answer *answer = user;
    size_t room = MAX_PAIRS - answer->count;
    memcpy(answer->pairs + answer->count, pairs, (count < room ? count : room) * sizeof *pairs);
    answer->count += count < room ? count : room;
    return true;
}

/* Slower ways take one ray a run, the next one each time. */
static const graze_ray *next_ray(pair_bench *pair)
{
    return &pair->rays[pair->next_ray++ % PAIR_RAYS];
}

static void take_hit(pair_bench *pair, bool hit, float t)
{
    pair->answer.hit = hit;
    pair->answer.t = hit ? t : 0;
}

static void cast_ray(pair_bench *pair, const graze_ray *ray)
{
    graze_ray_hit hit;
    graze_cast(pair->actors[0].body, ray, &hit, pair->stats, NULL);
    take_hit(pair, hit.found, hit.t);
}

static void ask_graze(pair_bench *pair)
{
    pair_answer *answer = &pair->answer;
    graze_body *a = pair->actors[0].body, *b = pair->actors[1].body;
    if (pair->question == PAIR_RAY) {
        for (uint32_t i = 0; i < PAIR_RAYS; i++) {
            queries_pose(&pair->actors[0]);
            cast_ray(pair, next_ray(pair));
        }
        return;
    }
    queries_pose_both(pair->actors);
    if (pair->question == PAIR_ALL)
        graze_collide(a, b, collect, answer, pair->stats, NULL);
    else
        graze_collide_first(a, b, &answer->hit, NULL, pair->stats, NULL);
}

static void ask_graze_eager(pair_bench *pair)
{
    if (pair->question == PAIR_RAY) {
        queries_pose(&pair->actors[0]);
        graze_body_refit_all(pair->actors[0].body);
        cast_ray(pair, next_ray(pair));
        return;
    }
    queries_pose_both(pair->actors);
    graze_collide_eager(pair->actors[0].body, pair->actors[1].body, pair->question == PAIR_FIRST,
                        collect, &pair->answer, NULL, NULL);
}

static void skin_baseline(pair_bench *pair, int i)
{
    const queries_actor *actor = &pair->actors[i];
    eager_skin(pair->eager_bodies[i], actor->joints, pair->subject->rig->joint_count,
               actor->placed ? actor->placement : NULL);
}

static void ask_baseline(pair_bench *pair, eager_triangles how)
{
    eager_body *a = pair->eager_bodies[0], *b = pair->eager_bodies[1];
    pair_answer *answer = &pair->answer;
    skin_baseline(pair, 0);
    if (pair->question == PAIR_RAY) {
        const graze_ray *ray = next_ray(pair);
        uint32_t triangle;
        float t = 0;
        eager_refit(a);
        bool hit = eager_ray(a, ray->origin, ray->dir, &t, &triangle);
        take_hit(pair, hit, t);
        return;
    }
    skin_baseline(pair, 1);
    if (eager_apart(a, b))
        return;
    eager_refit(a);
    eager_refit(b);
    answer->count =
        eager_collide(a, b, how, pair->question == PAIR_FIRST, answer->pairs, MAX_PAIRS);
}

/* Positions of one character, packed as libraries take them. */
static void skin_packed(pair_bench *pair, int i)
{
    queries_actor *actor = &pair->actors[i];
    if (!pair->packs) {
        queries_pose(actor);
        graze_body_get_positions(actor->body, actor->positions);
        return;
    }
    uint32_t stride, count = pair->subject->rig->vertex_count;
    skin_baseline(pair, i);
    const float *from = eager_positions(pair->eager_bodies[i], &stride);
    for (size_t v = 0; v < count; v++)
        memcpy(actor->positions + 3 * v, from + stride * (size_t)pair->slots[v], 3 * sizeof(float));
}

static void skin_alone(pair_bench *pair)
{
    int count = pair->question == PAIR_RAY ? 1 : 2;
    for (int i = 0; i < count; i++)
        if (pair->eager)
            skin_baseline(pair, i);
        else
            skin_packed(pair, i);
}

static void ask_embree(pair_bench *pair, const pair_method *method)
{
    const bench_embree *embree = queries_peers()->embree;
    const graze_ray *ray = next_ray(pair);
    bench_peer_ray peer_ray;
    bench_peer_hit hit;
    memcpy(peer_ray.origin, ray->origin, sizeof ray->origin);
    memcpy(peer_ray.dir, ray->dir, sizeof ray->dir);
    skin_packed(pair, 0);
    embree->refit(method->models[0]);
    embree->ray(method->models[0], &peer_ray, &hit);
    take_hit(pair, hit.triangle != UINT32_MAX, hit.t);
}

static void ask_library(pair_bench *pair, const pair_method *method)
{
    const bench_collider *collider = method->collider;
    pair_answer *answer = &pair->answer;
    if (!collider) {
        ask_embree(pair, method);
        return;
    }
    for (int i = 0; i < 2; i++) {
        skin_packed(pair, i);
        collider->refit(method->models[i]);
    }
    answer->count =
        collider->collide(method->models[0], method->models[1], pair->question == PAIR_FIRST,
                          (bench_pair *)answer->pairs, MAX_PAIRS);
}

void pair_run(void *user)
{
    const pair_method *method = user;
    pair_bench *pair = method->bench;
    pair->answer.count = 0;
    pair->answer.hit = false;
    switch (method->way) {
    case PAIR_GRAZE:
        ask_graze(pair);
        break;
    case PAIR_GRAZE_EAGER:
        ask_graze_eager(pair);
        break;
    case PAIR_EAGER_BOXES_SCALAR:
        ask_baseline(pair, EAGER_SCALAR);
        break;
    case PAIR_EAGER_BOXES:
        ask_baseline(pair, EAGER_LANES);
        break;
    case PAIR_SKIN:
        skin_alone(pair);
        break;
    default:
        ask_library(pair, method);
    }
}

/* ---- opening ------------------------------------------------------------------------------ */

static pair_method *add_method(pair_bench *pair, const char *name, pair_way way)
{
    pair_method *method = &pair->methods[pair->method_count++];
    *method = (pair_method){.way = way, .bench = pair};
    snprintf(method->name, sizeof method->name, "%s", name);
    return method;
}

/* A library that cannot take the mesh is left out. */
static void add_library(pair_bench *pair, const bench_collider *collider)
{
    if (pair->method_count == PAIR_METHODS)
        return;
    pair_method *method = add_method(pair, collider ? collider->name : "Embree, ray", PAIR_LIBRARY);
    method->collider = collider;
    for (int i = 0; i < 2; i++) {
        bench_mesh mesh = queries_mesh(&pair->actors[i]);
        if (collider)
            method->models[i] = collider->create(&mesh);
        else if (i == 0)
            method->models[i] = queries_peers()->embree->create(&mesh);
    }
    if (method->models[0] && (method->models[1] || !collider))
        return;
    fprintf(stderr, "graze: %s: %s cannot be made\n", pair->subject->name, method->name);
    if (method->models[0])
        collider->destroy(method->models[0]);
    pair->method_count--;
}

static bool open_baseline(pair_bench *pair)
{
    graze_model_def def = graze_rig_model_def(pair->subject->rig);
    pair->eager = eager_model_create(&def);
    if (!pair->eager)
        return true;
    for (int i = 0; i < 2; i++)
        pair->eager_bodies[i] = eager_body_create(pair->eager);
    pair->slots = malloc(def.vertex_count * sizeof *pair->slots);
    if (!pair->eager_bodies[0] || !pair->eager_bodies[1] || !pair->slots)
        return false;
    for (uint32_t v = 0; v < def.vertex_count; v++)
        pair->slots[v] = eager_slot(pair->eager_bodies[0], v);
    return true;
}

static void open_methods(pair_bench *pair, uint32_t ways)
{
    const bench_peers *peers = queries_peers();
    add_method(pair, "graze, lazy", PAIR_GRAZE);
    if (ways & 1u << PAIR_GRAZE_EAGER)
        add_method(pair, "graze, eager", PAIR_GRAZE_EAGER);
    if (pair->eager && ways & 1u << PAIR_EAGER_BOXES_SCALAR)
        add_method(pair, "eager boxes, scalar triangles", PAIR_EAGER_BOXES_SCALAR);
    if (pair->eager && ways & 1u << PAIR_EAGER_BOXES)
        add_method(pair, "eager boxes, our triangles", PAIR_EAGER_BOXES);
    if (ways & 1u << PAIR_SKIN)
        add_method(pair, "skinning alone", PAIR_SKIN);
    if (!(ways & 1u << PAIR_LIBRARY))
        return;
    for (uint32_t i = 0; i < peers->collider_count; i++)
        add_library(pair, peers->colliders[i]);
    if (peers->embree)
        add_library(pair, NULL);
}

/* Which skin is the fastest into packed positions. */
static void choose_skin(pair_bench *pair)
{
    double least[2] = {INFINITY, INFINITY};
    for (int i = 0; pair->eager && i < 10; i++) {
        pair->packs = i % 2;
        double start = bench_now();
        skin_packed(pair, 0);
        least[pair->packs] = fmin(least[pair->packs], bench_now() - start);
    }
    pair->packs = least[1] < least[0];
}

bool pair_open(pair_bench *pair, const queries_subject *subject, uint32_t ways)
{
    *pair = (pair_bench){.subject = subject};
    pair->answer.pairs = malloc(MAX_PAIRS * sizeof(graze_pair));
    pair->truth.pairs = malloc(MAX_PAIRS * sizeof(graze_pair));
    bool ok = pair->answer.pairs && pair->truth.pairs && open_baseline(pair);
    for (int i = 0; i < 2 && ok; i++) {
        float low[3], high[3];
        ok = queries_open(&pair->actors[i], subject, QUERIES_PLAIN) &&
             queries_sample(&pair->actors[i], subject->rig->clip_count ? 0 : GRAZE_NONE, 0);
        if (ok)
            queries_box(&pair->actors[i], low, high);
    }
    if (!ok) {
        fprintf(stderr, "graze: %s: no memory for the characters\n", subject->name);
        pair_close(pair);
        return false;
    }
    choose_skin(pair);
    open_methods(pair, ways);
    return true;
}

void pair_close(pair_bench *pair)
{
    for (uint32_t m = 0; m < pair->method_count; m++) {
        const pair_method *method = &pair->methods[m];
        for (int i = 0; i < 2; i++)
            if (method->models[i] && method->collider)
                method->collider->destroy(method->models[i]);
            else if (method->models[i])
                queries_peers()->embree->destroy(method->models[i]);
    }
    for (int i = 0; i < 2; i++) {
        eager_body_destroy(pair->eager_bodies[i]);
        queries_close(&pair->actors[i]);
    }
    eager_model_destroy(pair->eager);
    free(pair->slots);
    free(pair->answer.pairs);
    free(pair->truth.pairs);
    *pair = (pair_bench){0};
}

/* ---- comparing ---------------------------------------------------------------------------- */

static int compare_pairs(const void *left, const void *right)
{
    const graze_pair *x = left, *y = right;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return x->b < y->b ? -1 : x->b > y->b;
}

/* A library may report a pair twice: that is no error. */
static void sort_pairs(pair_answer *answer)
{
    size_t kept = 0, count = answer->count < MAX_PAIRS ? answer->count : MAX_PAIRS;
    qsort(answer->pairs, count, sizeof *answer->pairs, compare_pairs);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_pairs(&answer->pairs[kept - 1], &answer->pairs[i]) != 0)
            answer->pairs[kept++] = answer->pairs[i];
    answer->count = kept;
}

static void compare_sets(const pair_answer *found, const pair_answer *truth, pair_method *method)
{
    size_t i = 0, k = 0;
    while (i < found->count || k < truth->count) {
        int order = i == found->count   ? 1
                    : k == truth->count ? -1
                                        : compare_pairs(&found->pairs[i], &truth->pairs[k]);
        method->extra += order < 0;
        method->missing += order > 0;
        i += order <= 0;
        k += order >= 0;
    }
}

/* Answers of yes or no, and where a ray ends. */
static void compare_hits(const pair_answer *found, const pair_answer *truth, pair_method *method)
{
    bool elsewhere = method->bench->question == PAIR_RAY && found->hit && truth->hit &&
                     fabsf(found->t - truth->t) > 1e-4f * fabsf(truth->t);
    method->missing += (truth->hit && !found->hit) || elsewhere;
    method->extra += (found->hit && !truth->hit) || elsewhere;
}

static void check_ray(pair_bench *pair, pair_method *method, pair_answer *truth)
{
    pair->answer.hit = false;
    if (method->way == PAIR_GRAZE) {
        queries_pose(&pair->actors[0]);
        cast_ray(pair, next_ray(pair));
        *truth = pair->answer;
    } else {
        pair_run(method);
        compare_hits(&pair->answer, truth, method);
    }
    method->pairs += pair->answer.hit;
}

static void check_pairs(pair_bench *pair, pair_method *method)
{
    pair_answer *answer = &pair->answer, *truth = &pair->truth;
    double start = bench_now();
    pair_run(method);
    method->us = bench_now() - start;
    if (pair->question == PAIR_ALL)
        sort_pairs(answer);
    answer->hit |= answer->count > 0;
    method->pairs += pair->question == PAIR_ALL ? answer->count : answer->hit;
    if (method->way == PAIR_GRAZE) {
        pair_answer old = *truth;
        *truth = *answer;
        *answer = old;
    } else if (pair->question == PAIR_ALL) {
        compare_sets(answer, truth, method);
    } else {
        compare_hits(answer, truth, method);
    }
}

void pair_check(pair_bench *pair, pair_method *method)
{
    double start = bench_now();
    pair->next_ray = 0;
    if (method->way == PAIR_SKIN)
        pair_run(method);
    else if (pair->question != PAIR_RAY)
        check_pairs(pair, method);
    else
        for (uint32_t i = 0; i < PAIR_RAYS; i++)
            check_ray(pair, method, &pair->truths[i]);
    if (pair->question == PAIR_RAY)
        method->us = bench_now() - start;
}
