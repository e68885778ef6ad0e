/* The ways to answer. */
#include "bench/duel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 1 << 20 };

static bool collect(void *user, const graze_pair *pairs, size_t count)
{
    duel_answer *answer = user;
    size_t room = MOST_PAIRS - answer->count;
    memcpy(answer->pairs + answer->count, pairs, (count < room ? count : room) * sizeof *pairs);
    answer->count += count < room ? count : room;
    return true;
}

static void pose_both(duel *pair)
{
    queries_pose(&pair->actors[0]);
    queries_pose(&pair->actors[1]);
}

/* Slower ways take one ray a run, the next one each time. */
static const graze_ray *next_ray(duel *pair)
{
    return &pair->rays[pair->next_ray++ % DUEL_RAYS];
}

static void take_hit(duel *pair, bool hit, float t)
{
    pair->answer.hit = hit;
    pair->answer.t = hit ? t : 0;
}

static void cast(duel *pair, const graze_ray *ray)
{
    graze_ray_hit hit;
    graze_cast(pair->actors[0].body, ray, &hit, pair->stats, NULL);
    take_hit(pair, hit.found, hit.t);
}

static void ask_graze(duel *pair)
{
    duel_answer *answer = &pair->answer;
    graze_body *a = pair->actors[0].body, *b = pair->actors[1].body;
    if (pair->question == DUEL_RAY) {
        for (uint32_t i = 0; i < DUEL_RAYS; i++) {
            queries_pose(&pair->actors[0]);
            cast(pair, next_ray(pair));
        }
        return;
    }
    pose_both(pair);
    if (pair->question == DUEL_ALL)
        graze_collide(a, b, collect, answer, pair->stats, NULL);
    else
        graze_collide_first(a, b, &answer->hit, NULL, pair->stats, NULL);
}

static void ask_eager(duel *pair)
{
    if (pair->question == DUEL_RAY) {
        queries_pose(&pair->actors[0]);
        graze_body_refit_all(pair->actors[0].body);
        cast(pair, next_ray(pair));
        return;
    }
    pose_both(pair);
    graze_collide_eager(pair->actors[0].body, pair->actors[1].body, pair->question == DUEL_FIRST,
                        collect, &pair->answer, NULL, NULL);
}

static void skin_champion(duel *pair, int i)
{
    const queries_actor *actor = &pair->actors[i];
    champion_skin(pair->champions[i], actor->joints, pair->subject->rig->joint_count,
                  actor->placed ? actor->placement : NULL);
}

static void ask_champion(duel *pair, champion_triangles how)
{
    champion_body *a = pair->champions[0], *b = pair->champions[1];
    duel_answer *answer = &pair->answer;
    skin_champion(pair, 0);
    if (pair->question == DUEL_RAY) {
        const graze_ray *ray = next_ray(pair);
        uint32_t triangle;
        float t = 0;
        champion_refit(a);
        bool hit = champion_ray(a, ray->origin, ray->dir, &t, &triangle);
        take_hit(pair, hit, t);
        return;
    }
    skin_champion(pair, 1);
    if (champion_apart(a, b))
        return;
    champion_refit(a);
    champion_refit(b);
    answer->count =
        champion_collide(a, b, how, pair->question == DUEL_FIRST, answer->pairs, MOST_PAIRS);
}

/* Positions of one character, packed as libraries take them. */
static void skin_packed(duel *pair, int i)
{
    queries_actor *actor = &pair->actors[i];
    if (!pair->packs) {
        queries_pose(actor);
        graze_body_get_positions(actor->body, actor->positions);
        return;
    }
    uint32_t stride, count = pair->subject->rig->vertex_count;
    skin_champion(pair, i);
    const float *from = champion_positions(pair->champions[i], &stride);
    for (size_t v = 0; v < count; v++)
        memcpy(actor->positions + 3 * v, from + stride * (size_t)pair->slots[v], 3 * sizeof(float));
}

static void skin_alone(duel *pair)
{
    int count = pair->question == DUEL_RAY ? 1 : 2;
    for (int i = 0; i < count; i++)
        if (pair->champion)
            skin_champion(pair, i);
        else
            skin_packed(pair, i);
}

static void ask_embree(duel *pair, const duel_method *method)
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

static void ask_library(duel *pair, const duel_method *method)
{
    const bench_collider *collider = method->collider;
    duel_answer *answer = &pair->answer;
    if (!collider) {
        ask_embree(pair, method);
        return;
    }
    for (int i = 0; i < 2; i++) {
        skin_packed(pair, i);
        collider->refit(method->models[i]);
    }
    answer->count =
        collider->collide(method->models[0], method->models[1], pair->question == DUEL_FIRST,
                          (bench_pair *)answer->pairs, MOST_PAIRS);
}

void duel_run(void *user)
{
    const duel_method *method = user;
    duel *pair = method->duel;
    pair->answer.count = 0;
    pair->answer.hit = false;
    switch (method->way) {
    case DUEL_GRAZE:
        ask_graze(pair);
        break;
    case DUEL_EAGER:
        ask_eager(pair);
        break;
    case DUEL_CHAMPION_SCALAR:
        ask_champion(pair, CHAMPION_SCALAR);
        break;
    case DUEL_CHAMPION:
        ask_champion(pair, CHAMPION_LANES);
        break;
    case DUEL_SKIN:
        skin_alone(pair);
        break;
    default:
        ask_library(pair, method);
    }
}

/* ---- opening ------------------------------------------------------------------------------ */

static duel_method *add_method(duel *pair, const char *name, duel_way way)
{
    duel_method *method = &pair->methods[pair->method_count++];
    *method = (duel_method){.way = way, .duel = pair};
    snprintf(method->name, sizeof method->name, "%s", name);
    return method;
}

/* A library that cannot take the mesh is left out. */
static void add_library(duel *pair, const bench_collider *collider)
{
    if (pair->method_count == DUEL_METHODS)
        return;
    duel_method *method = add_method(pair, collider ? collider->name : "Embree, ray", DUEL_LIBRARY);
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

static bool open_champion(duel *pair)
{
    graze_model_def def = graze_rig_model_def(pair->subject->rig);
    pair->champion = champion_model_create(&def);
    if (!pair->champion)
        return true;
    for (int i = 0; i < 2; i++)
        pair->champions[i] = champion_body_create(pair->champion);
    pair->slots = malloc(def.vertex_count * sizeof *pair->slots);
    if (!pair->champions[0] || !pair->champions[1] || !pair->slots)
        return false;
    for (uint32_t v = 0; v < def.vertex_count; v++)
        pair->slots[v] = champion_slot(pair->champions[0], v);
    return true;
}

static void open_methods(duel *pair, uint32_t ways)
{
    const bench_peers *peers = queries_peers();
    add_method(pair, "graze, lazy", DUEL_GRAZE);
    if (ways & 1u << DUEL_EAGER)
        add_method(pair, "graze, eager", DUEL_EAGER);
    if (pair->champion && ways & 1u << DUEL_CHAMPION_SCALAR)
        add_method(pair, "eager boxes, scalar triangles", DUEL_CHAMPION_SCALAR);
    if (pair->champion && ways & 1u << DUEL_CHAMPION)
        add_method(pair, "eager boxes, our triangles", DUEL_CHAMPION);
    if (ways & 1u << DUEL_SKIN)
        add_method(pair, "skinning alone", DUEL_SKIN);
    if (!(ways & 1u << DUEL_LIBRARY))
        return;
    for (uint32_t i = 0; i < peers->collider_count; i++)
        add_library(pair, peers->colliders[i]);
    if (peers->embree)
        add_library(pair, NULL);
}

/* Which skin is the fastest into packed positions. */
static void choose_skin(duel *pair)
{
    double least[2] = {INFINITY, INFINITY};
    for (int i = 0; pair->champion && i < 10; i++) {
        pair->packs = i % 2;
        double start = bench_now();
        skin_packed(pair, 0);
        least[pair->packs] = fmin(least[pair->packs], bench_now() - start);
    }
    pair->packs = least[1] < least[0];
}

bool duel_open(duel *pair, const queries_subject *subject, uint32_t ways)
{
    *pair = (duel){.subject = subject};
    pair->answer.pairs = malloc(MOST_PAIRS * sizeof(graze_pair));
    pair->truth.pairs = malloc(MOST_PAIRS * sizeof(graze_pair));
    bool ok = pair->answer.pairs && pair->truth.pairs && open_champion(pair);
    for (int i = 0; i < 2 && ok; i++) {
        float low[3], high[3];
        ok = queries_open(&pair->actors[i], subject, QUERIES_PLAIN) &&
             queries_sample(&pair->actors[i], subject->rig->clip_count ? 0 : GRAZE_NONE, 0);
        if (ok)
            queries_box(&pair->actors[i], low, high);
    }
    if (!ok) {
        fprintf(stderr, "graze: %s: no memory for the characters\n", subject->name);
        duel_close(pair);
        return false;
    }
    choose_skin(pair);
    open_methods(pair, ways);
    return true;
}

void duel_close(duel *pair)
{
    for (uint32_t m = 0; m < pair->method_count; m++) {
        const duel_method *method = &pair->methods[m];
        for (int i = 0; i < 2; i++)
            if (method->models[i] && method->collider)
                method->collider->destroy(method->models[i]);
            else if (method->models[i])
                queries_peers()->embree->destroy(method->models[i]);
    }
    for (int i = 0; i < 2; i++) {
        champion_body_destroy(pair->champions[i]);
        queries_close(&pair->actors[i]);
    }
    champion_model_destroy(pair->champion);
    free(pair->slots);
    free(pair->answer.pairs);
    free(pair->truth.pairs);
    *pair = (duel){0};
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
static void sort_pairs(duel_answer *answer)
{
    size_t kept = 0, count = answer->count < MOST_PAIRS ? answer->count : MOST_PAIRS;
    qsort(answer->pairs, count, sizeof *answer->pairs, compare_pairs);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || compare_pairs(&answer->pairs[kept - 1], &answer->pairs[i]) != 0)
            answer->pairs[kept++] = answer->pairs[i];
    answer->count = kept;
}

static void compare_sets(const duel_answer *found, const duel_answer *truth, duel_method *method)
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
static void compare_hits(const duel_answer *found, const duel_answer *truth, duel_method *method)
{
    bool elsewhere = method->duel->question == DUEL_RAY && found->hit && truth->hit &&
                     fabsf(found->t - truth->t) > 1e-4f * fabsf(truth->t);
    method->missing += (truth->hit && !found->hit) || elsewhere;
    method->extra += (found->hit && !truth->hit) || elsewhere;
}

static void check_ray(duel *pair, duel_method *method, duel_answer *truth)
{
    pair->answer.hit = false;
    if (method->way == DUEL_GRAZE) {
        queries_pose(&pair->actors[0]);
        cast(pair, next_ray(pair));
        *truth = pair->answer;
    } else {
        duel_run(method);
        compare_hits(&pair->answer, truth, method);
    }
    method->pairs += pair->answer.hit;
}

static void check_pairs(duel *pair, duel_method *method)
{
    duel_answer *answer = &pair->answer, *truth = &pair->truth;
    duel_run(method);
    if (pair->question == DUEL_ALL)
        sort_pairs(answer);
    answer->hit |= answer->count > 0;
    method->pairs += pair->question == DUEL_ALL ? answer->count : answer->hit;
    if (method->way == DUEL_GRAZE) {
        duel_answer old = *truth;
        *truth = *answer;
        *answer = old;
    } else if (pair->question == DUEL_ALL) {
        compare_sets(answer, truth, method);
    } else {
        compare_hits(answer, truth, method);
    }
}

void duel_check(duel *pair, duel_method *method)
{
    pair->next_ray = 0;
    if (method->way == DUEL_SKIN)
        duel_run(method);
    else if (pair->question != DUEL_RAY)
        check_pairs(pair, method);
    else
        for (uint32_t i = 0; i < DUEL_RAYS; i++)
            check_ray(pair, method, &pair->truths[i]);
}
