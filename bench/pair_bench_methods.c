/* The ways to answer. */
#include "bench/pair_bench.h"

static const double slow_us = 40e3;       /* a library that takes longer runs less often */
static const double ours_slow_us = 120e3; /* the same of what is written here */

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

static void cast_ray(pair_bench *pair, const graze_options *how)
{
    queries_pose(pair->actors, 1);
    graze_hit hit = bench_cast(pair->actors[0].body, next_ray(pair), how);
    take_hit(pair, hit.found, hit.t);
}

static void ask_graze(pair_bench *pair, graze_method method)
{
    const graze_options how = {
        .any = pair->question == PAIR_FIRST, .method = method, .stats = pair->stats};
    graze_pair_list found = {.items = pair->found, .capacity = PAIR_MOST};
    int rays = pair->question != PAIR_RAY ? 0 : method == GRAZE_LAZY ? PAIR_RAYS : 1;
    for (int i = 0; i < rays; i++)
        cast_ray(pair, &how);
    if (rays)
        return;
    queries_pose(pair->actors, 2);
    bench_must(graze_pairs(pair->actors[0].body, pair->actors[1].body, &found, &how, &bench_error));
    pair->answer.count = found.count;
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
    pair->answer.count =
        eager_collide(a, b, how, pair->question == PAIR_FIRST, pair->answer.pairs, PAIR_MOST);
}

/* Positions of one character, packed as libraries take them. */
static void skin_packed(pair_bench *pair, int i)
{
    queries_actor *actor = &pair->actors[i];
    if (!pair->packs) {
        queries_pose(actor, 1);
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
    for (int i = 0; i < (pair->question == PAIR_RAY ? 1 : 2); i++)
        (pair->eager ? skin_baseline : skin_packed)(pair, i);
}

static void ask_embree(pair_bench *pair, void *scene)
{
    const bench_embree *embree = queries_peers()->embree;
    const graze_ray *ray = next_ray(pair);
    bench_peer_ray peer_ray;
    bench_peer_hit hit;
    memcpy(peer_ray.origin, ray->origin, sizeof ray->origin);
    memcpy(peer_ray.dir, ray->dir, sizeof ray->dir);
    skin_packed(pair, 0);
    embree->refit(scene);
    embree->ray(scene, &peer_ray, &hit);
    take_hit(pair, hit.triangle != UINT32_MAX, hit.t);
}

static void ask_library(pair_bench *pair, const pair_library *library)
{
    const bench_collider *collider = library->collider;
    if (!collider) {
        ask_embree(pair, library->models[0]);
        return;
    }
    for (int i = 0; i < 2; i++) {
        skin_packed(pair, i);
        collider->refit(library->models[i]);
    }
    pair->answer.count =
        collider->collide(library->models[0], library->models[1], pair->question == PAIR_FIRST,
                          pair->answer.pairs, PAIR_MOST);
}

static void run(pair_bench *pair, const pair_method *method)
{
    pair->answer.count = 0;
    pair->answer.hit = false;
    if (method->way == PAIR_LIBRARY)
        ask_library(pair, &method->library);
    else if (method->way == PAIR_SKIN)
        skin_alone(pair);
    else if (method->way <= PAIR_GRAZE_EAGER)
        ask_graze(pair, method->way == PAIR_GRAZE ? GRAZE_LAZY : GRAZE_EAGER);
    else
        ask_baseline(pair, method->way == PAIR_EAGER_BOXES ? EAGER_LANES : EAGER_SCALAR);
}

/* ---- opening ------------------------------------------------------------------------------ */

bool pair_open_library(pair_library *library, const bench_mesh *meshes, int count,
                       const char *subject)
{
    const bench_collider *collider = library->collider;
    for (int i = 0; i < count; i++) {
        library->models[i] =
            collider ? collider->create(&meshes[i]) : queries_peers()->embree->create(&meshes[i]);
        if (library->models[i])
            continue;
        fprintf(stderr, "graze: %s: %s cannot be made\n", subject,
                collider ? collider->name : "Embree, ray");
        pair_close_library(library);
        return false;
    }
    return true;
}

void pair_close_library(const pair_library *library)
{
    for (int i = 0; i < 2; i++)
        if (library->models[i])
            (library->collider ? library->collider->destroy
                               : queries_peers()->embree->destroy)(library->models[i]);
}

static pair_method *add_method(pair_bench *pair, const char *name, pair_way way)
{
    pair_method *method = &pair->methods[pair->method_count++];
    *method = (pair_method){.way = way};
    snprintf(method->name, sizeof method->name, "%s", name);
    return method;
}

/* A library that cannot take the mesh is left out. */
static void add_library(pair_bench *pair, const bench_collider *collider)
{
    if (pair->method_count == PAIR_METHODS)
        return;
    const bench_mesh meshes[2] = {queries_mesh(&pair->actors[0]), queries_mesh(&pair->actors[1])};
    pair_method *method = add_method(pair, collider ? collider->name : "Embree, ray", PAIR_LIBRARY);
    method->library.collider = collider;
    if (!pair_open_library(&method->library, meshes, collider ? 2 : 1, pair->subject->name))
        pair->method_count--;
}

static void open_baseline(pair_bench *pair)
{
    graze_model_def def = graze_rig_model_def(pair->subject->rig);
    pair->eager = eager_model_create(&def);
    if (!pair->eager)
        return;
    for (int i = 0; i < 2; i++)
        pair->eager_bodies[i] = eager_body_create(pair->eager);
    pair->slots = bench_take(def.vertex_count, sizeof *pair->slots);
    for (uint32_t v = 0; v < def.vertex_count; v++)
        pair->slots[v] = eager_slot(pair->eager_bodies[0], v);
}

static void open_methods(pair_bench *pair, uint32_t ways)
{
    static const struct {
        const char *name;
        bool is_baseline;
    } own[] = {[PAIR_GRAZE] = {"graze, lazy", false},
               [PAIR_GRAZE_EAGER] = {"graze, eager", false},
               [PAIR_EAGER_BOXES_SCALAR] = {"eager boxes, scalar triangles", true},
               [PAIR_EAGER_BOXES] = {"eager boxes, our triangles", true},
               [PAIR_SKIN] = {"skinning alone", false}};
    const bench_peers *peers = queries_peers();
    for (int way = 0; way < PAIR_LIBRARY; way++)
        if (way == PAIR_GRAZE || (ways >> way & 1 && (pair->eager || !own[way].is_baseline)))
            add_method(pair, own[way].name, (pair_way)way);
    if (!(ways >> PAIR_LIBRARY & 1))
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

void pair_open(pair_bench *pair, const queries_subject *subject, uint32_t ways)
{
    *pair = (pair_bench){.subject = subject,
                         .found = bench_take(PAIR_MOST, sizeof *pair->found),
                         .answer.pairs = bench_take(PAIR_MOST, sizeof(bench_pair)),
                         .truth.pairs = bench_take(PAIR_MOST, sizeof(bench_pair))};
    open_baseline(pair);
    queries_open(pair->actors, 2, subject, QUERIES_PLAIN);
    for (int i = 0; i < 2; i++) {
        queries_sample(&pair->actors[i], subject->rig->clip_count ? 0 : GRAZE_NONE, 0);
        queries_box(&pair->actors[i]);
    }
    choose_skin(pair);
    open_methods(pair, ways);
}

void pair_close(pair_bench *pair)
{
    for (uint32_t m = 0; m < pair->method_count; m++)
        pair_close_library(&pair->methods[m].library);
    for (int i = 0; i < 2; i++)
        eager_body_destroy(pair->eager_bodies[i]);
    queries_close(pair->actors, 2);
    eager_model_destroy(pair->eager);
    free(pair->slots);
    free(pair->found);
    free(pair->answer.pairs);
    free(pair->truth.pairs);
}

/* ---- checking ----------------------------------------------------------------------------- */

/* Answers of yes or no, and where a ray ends. */
static void compare_hits(const pair_answer *found, const pair_answer *truth, bool is_ray,
                         pair_method *method)
{
    bool elsewhere =
        is_ray && found->hit && truth->hit && fabsf(found->t - truth->t) > 1e-4f * fabsf(truth->t);
    method->missing += (truth->hit && !found->hit) || elsewhere;
    method->extra += (found->hit && !truth->hit) || elsewhere;
}

static void check_ray(pair_bench *pair, pair_method *method, pair_answer *truth)
{
    const graze_options how = {.stats = pair->stats};
    if (method->way == PAIR_GRAZE) {
        cast_ray(pair, &how);
        *truth = pair->answer;
    } else {
        run(pair, method);
        compare_hits(&pair->answer, truth, true, method);
    }
    method->pairs += pair->answer.hit;
}

static void check_pairs(pair_bench *pair, pair_method *method)
{
    pair_answer *answer = &pair->answer, *truth = &pair->truth;
    double start = bench_now();
    run(pair, method);
    method->us = bench_now() - start;
    if (method->way <= PAIR_GRAZE_EAGER)
        queries_take_pairs(pair->found, answer->count, answer->pairs);
    if (pair->question == PAIR_ALL)
        answer->count = queries_sort_pairs(answer->pairs,
                                           answer->count < PAIR_MOST ? answer->count : PAIR_MOST);
    answer->hit = answer->count > 0;
    method->pairs += pair->question == PAIR_ALL ? answer->count : answer->hit;
    if (method->way == PAIR_GRAZE) {
        pair_answer old = *truth;
        *truth = *answer;
        *answer = old;
    } else if (pair->question == PAIR_ALL) {
        queries_compare_pairs(answer->pairs, answer->count, truth->pairs, truth->count,
                              &method->missing, &method->extra);
    } else {
        compare_hits(answer, truth, false, method);
    }
}

/* Runs a method once and counts in what it differs from graze, which is asked first. */
static void check(pair_bench *pair, pair_method *method)
{
    double start = bench_now();
    pair->next_ray = 0;
    if (method->way == PAIR_SKIN)
        run(pair, method);
    else if (pair->question != PAIR_RAY)
        check_pairs(pair, method);
    else
        for (uint32_t i = 0; i < PAIR_RAYS; i++)
            check_ray(pair, method, &pair->truths[i]);
    if (pair->question == PAIR_RAY)
        method->us = bench_now() - start;
}

/* ---- measuring ---------------------------------------------------------------------------- */

static bool can_answer(const pair_method *method, pair_question question)
{
    return method->way != PAIR_LIBRARY || (question == PAIR_RAY) == !method->library.collider;
}

static void ask(void *user, int number)
{
    const pair_record *record = user;
    run(record->bench, record->who[number]);
}

void pair_begin(pair_bench *pair, const pair_case *what, pair_record *record)
{
    *record = (pair_record){.what = what,
                            .bench = pair,
                            .entry = {.table = "peers",
                                      .model = pair->subject->name,
                                      .name = what->name,
                                      .methods = record->methods,
                                      .ask = ask,
                                      .user = record},
                            .min_pairs = SIZE_MAX};
    pair->question = what->question;
    for (uint32_t m = 0; m < pair->method_count; m++) {
        pair_method *method = &pair->methods[m];
        uint32_t number = record->entry.method_count;
        method->pairs = method->missing = method->extra = 0;
        if (!can_answer(method, what->question))
            continue;
        record->who[number] = method;
        record->methods[number].name = method->name;
        if (what->question == PAIR_RAY && method->way == PAIR_GRAZE)
            record->methods[number].answers = PAIR_RAYS;
        record->entry.method_count++;
    }
}

void pair_measure(pair_record *record)
{
    pair_bench *pair = record->bench;
    size_t before = record->who[0]->pairs;
    for (uint32_t m = 0; m < record->entry.method_count; m++) {
        pair->stats = m == 0 ? &record->stats : NULL;
        check(pair, record->who[m]);
        double limit = record->who[m]->way == PAIR_LIBRARY ? slow_us : ours_slow_us;
        if (record->frames == 0)
            record->methods[m].slow = record->who[m]->us > limit;
    }
    pair->stats = NULL;
    size_t pairs = record->who[0]->pairs - before;
    record->min_pairs = pairs < record->min_pairs ? pairs : record->min_pairs;
    record->max_pairs = pairs > record->max_pairs ? pairs : record->max_pairs;
    record->overlapping += pair->boxes;
    record->unusual += pair->how != NULL;
    record->how = pair->how ? pair->how : record->how;
    record->frames++;
    queries_measure(&record->entry);
}
