/* Several threads ask one posed body at once, everything that can be asked, between
 * graze_body_share and graze_body_unshare: each answer is the one that a thread
 * alone gets. Under the thread sanitizer (scripts/test.sh) the same cases show that no two threads
 * touch one thing unasked. (Questions within callbacks, and callbacks that stop: test_ways.c.) Then
 * hard bodies.
 */
#include "body/patches.h"
#include "harness.h"
#include "query/agenda.h"
#include "support/agreement.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/variants.h"
#include "support/ways_asked.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_THREAD__)
#define UNDER_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_THREAD_SANITIZER 1
#endif
#endif
#ifndef UNDER_THREAD_SANITIZER
#define UNDER_THREAD_SANITIZER 0
#endif

/* Cases of one thread have nothing to say to the thread sanitizer, and are not built for it. */
#if UNDER_THREAD_SANITIZER
#define TEST_OF_ONE_THREAD(name) __attribute__((unused)) static void left_out_##name(void)
#else
#define TEST_OF_ONE_THREAD(name) TEST(name)
#endif

enum { MAX_THREADS = 8, MORPHS = 3, MODELS = 2, BODIES = 4, SCENES = 2 };

/* ---- bodies ---------------------------------------------------------------------------------- */

/* How a model is made. */
typedef struct model_kind {
    graze_skinning skinning;
    graze_tree_def tree;
    bool self_collision, morphs;
    bool coherent; /* poses change by small steps of morph weights */
    bool dense;    /* triangles reach across the whole mesh, so that most of them meet */
    double size;   /* 0: 1 */
} model_kind;

#define TREE(volume, refit, patch, arity, collapse)                                                \
    {                                                                                              \
        GRAZE_##volume, GRAZE_REFIT_##refit, patch, arity, collapse, 0,                            \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

static const model_kind model_kinds[] = {
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 64, 4, 0), true, false, false, false, 0},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 1, 4, 0), false, true, true, false, 0},
    {GRAZE_DUAL, TREE(BOXES, DEFAULT, 128, 2, 0), false, true, false, false, 0},
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 1, 8, 0), true, true, false, false, 0},
    {GRAZE_SPHERICAL, TREE(BOXES, DEFAULT, 64, 4, 0), true, true, false, false, 0},
    {GRAZE_LINEAR, TREE(SPHERES, CORNERS, 16, 3, 0), true, true, true, false, 0},
    {GRAZE_DUAL, TREE(SPHERES, DEFAULT, 8, 5, 0), true, true, false, false, 0},
    {GRAZE_SPHERICAL, TREE(SPHERES, DEFAULT, 1, 32, 0.6f), false, false, false, false, 0},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 64, 4, 0), false, true, true, false, 0},
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 16, 32, 0), false, true, false, false, 0},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 128, 2, 0), true, false, false, false, 0},
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 8, 6, 0), true, true, false, false, 0},
    /* rotations that are put off, until one of the threads asks */
    {GRAZE_SPHERICAL, TREE(BOXES, DEFAULT, 64, 4, 0), true, false, false, false, 0},
    {GRAZE_DUAL, TREE(BOXES, DEFAULT, 16, 4, 0), false, false, false, false, 0},
};

/* Patches with more candidates than are looked at at a time. */
static const model_kind dense_kinds[] = {
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 128, 4, 0), false, true, false, true, 0},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 128, 2, 0), true, false, false, true, 0},
    {GRAZE_DUAL, TREE(BOXES, DEFAULT, 100, 4, 0), true, true, false, true, 0},
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 1, 32, 0), true, false, false, true, 0},
};

/* Near the limits of coordinates; the last ones have squares that are no normal floats. */
static const model_kind far_kinds[] = {
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 64, 4, 0), true, true, false, false, 4e14},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 1, 32, 0.6f), true, true, true, false, 4e14},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 16, 4, 0), true, true, true, false, 1e-9},
    {GRAZE_DUAL, TREE(BOXES, DEFAULT, 8, 4, 0), false, true, false, false, 1e-9},
    {GRAZE_LINEAR, TREE(BOXES, DEFAULT, 16, 4, 0), true, true, false, false, 1e-25},
    {GRAZE_LINEAR, TREE(SPHERES, DEFAULT, 16, 4, 0), true, true, true, false, 1e-25},
};

enum { MODEL_KINDS = sizeof model_kinds / sizeof *model_kinds };

typedef struct world {
    test_random random;
    const model_kind *kinds[MODELS];
    soup meshes[MODELS];
    float *deltas[MODELS];
    graze_model *models[MODELS];
    graze_body *bodies[BODIES], *twins[BODIES];
    float weights[BODIES][MORPHS];
    bool given[BODIES];         /* positions, in place of a pose */
    ways_scene *scenes[SCENES]; /* questions about the bodies */
} world;

static void make_dense(soup *mesh, test_random *random)
{
    uint32_t *t = mesh->triangles;
    for (uint32_t i = 0; i < mesh->def.triangle_count; i++, t += 3)
        do
            for (int c = 0; c < 3; c++)
                t[c] = test_random_u32(random) % mesh->def.vertex_count;
        while (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]);
}

static bool make_model(world *w, uint32_t m, const model_kind *kind, uint32_t number)
{
    uint32_t triangles = test_amount(120, 80) + test_random_u32(&w->random) % 60;
    const soup_def mesh = {.vertex_count = 100,
                           .triangle_count = kind->dense ? 256 : triangles,
                           .joint_count = 1 + test_random_u32(&w->random) % 6,
                           .max_influences = 3,
                           .size = kind->size > 0 ? kind->size : 1,
                           .lattice = number % 5 == 4};
    graze_morph_target morphs[MORPHS];
    graze_error error = {.text = ""};
    w->kinds[m] = kind;
    w->meshes[m] = soup_make(&mesh, &w->random);
    if (kind->dense)
        make_dense(&w->meshes[m], &w->random);
    w->deltas[m] = malloc(3 * sizeof(float) * mesh.vertex_count * MORPHS);
    if (!w->deltas[m])
        abort();
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count * MORPHS; i++)
        w->deltas[m][i] = (float)(mesh.size * test_random_range(&w->random, -0.2, 0.2));
    for (uint32_t t = 0; t < MORPHS; t++)
        morphs[t] = (graze_morph_target){NULL, w->deltas[m] + 3 * (size_t)t * mesh.vertex_count,
                                         mesh.vertex_count};
    graze_model_def def = soup_model_def(&w->meshes[m]);
    def.skinning = kind->skinning;
    def.tree = kind->tree;
    def.no_self_collision = !kind->self_collision;
    def.morphs = morphs;
    def.morph_count = kind->morphs ? MORPHS : 0;
    def.isa = variants_isa(number);
    return test_check(graze_model_create(&def, &w->models[m], &error) == GRAZE_OK, __FILE__,
                      __LINE__, "%s", error.text);
}

/* Lean bodies borrow their caches while they are shared, for whoever asks first. */
static bool make_body(const graze_model *model, bool lean, graze_body **body)
{
    graze_cache_pool *caches = NULL;
    if (!lean)
        return graze_body_create(model, body, NULL) == GRAZE_OK;
    bool ok = graze_cache_pool_create(model, NULL, &caches, NULL) == GRAZE_OK &&
              graze_body_create_lean(caches, body, NULL) == GRAZE_OK;
    graze_cache_pool_destroy(caches); /* the body holds it */
    return ok;
}

static bool world_make(world *w, const model_kind *first, const model_kind *second, uint32_t number)
{
    memset(w, 0, sizeof *w);
    w->random = test_random_seed(500 + number);
    bool ok = make_model(w, 0, first, number) && make_model(w, 1, second, number + 1);
    for (uint32_t i = 0; ok && i < BODIES; i++)
        ok = make_body(w->models[i / 2], (number + i) % 2, &w->bodies[i]) &&
             graze_body_create(w->models[i / 2], &w->twins[i], NULL) == GRAZE_OK;
    return test_check(ok, __FILE__, __LINE__, "no bodies");
}

static bool world_open(world *w, uint32_t number)
{
    uint32_t second = number + 1 + number / MODEL_KINDS;
    return world_make(w, &model_kinds[number % MODEL_KINDS], &model_kinds[second % MODEL_KINDS],
                      number);
}

static void world_close(world *w)
{
    for (int k = 0; k < SCENES && w->scenes[k]; k++)
        ways_close(w->scenes[k]);
    for (uint32_t i = 0; i < BODIES; i++) {
        graze_body_destroy(w->bodies[i]);
        graze_body_destroy(w->twins[i]);
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        graze_model_destroy(w->models[m]);
        soup_free(&w->meshes[m]);
        free(w->deltas[m]);
    }
}

/* A new pose for a body and its twin: joints and placement, or morph weights alone. */
static void pose_body(world *w, uint32_t i, bool weights_alone)
{
    const model_kind *kind = w->kinds[i / 2];
    const soup *mesh = &w->meshes[i / 2];
    const float origin[3] = {0, 0, 0};
    OWNED float *joints = malloc(12 * sizeof *joints * mesh->def.joint_count);
    float placement[12];
    if (!joints)
        abort();
    for (uint32_t k = 0; k < MORPHS; k++)
        w->weights[i][k] += (float)test_random_range(&w->random, -0.02, 0.02);
    pose_make(test_random_u32(&w->random) % 4 ? MAP_NEAR : MAP_RIGID, mesh, &w->random, joints);
    map_make(MAP_NEAR, origin, mesh->def.size, &w->random, placement);
    const graze_pose pose = {.joints = joints,
                             .joint_count = mesh->def.joint_count,
                             .placement = placement,
                             .morph_weights = kind->morphs ? w->weights[i] : NULL,
                             .morph_count = kind->morphs ? MORPHS : 0};
    graze_body *const both[2] = {w->bodies[i], w->twins[i]};
    for (int k = 0; k < 2; k++)
        if (weights_alone)
            CHECK(!graze_body_set_morph_weights(both[k], w->weights[i], MORPHS, kind->coherent,
                                                NULL));
        else
            CHECK(!graze_body_set_pose(both[k], &pose, NULL));
}

/* Positions of the caller's in place of the pose, which is near them. */
static void give_positions(world *w, uint32_t i)
{
    const soup *mesh = &w->meshes[i / 2];
    uint32_t count = mesh->def.vertex_count;
    OWNED float *positions = malloc(3 * sizeof *positions * count);
    graze_body_get_positions(w->twins[i], positions);
    for (uint32_t k = 0; k < 3 * count; k++)
        positions[k] += (float)(mesh->def.size * test_random_range(&w->random, -0.02, 0.02));
    CHECK(!graze_body_set_positions(w->bodies[i], positions, 0, count, NULL));
    CHECK(!graze_body_set_positions(w->twins[i], positions, 0, count, NULL));
}

/* Now and then a group of a model does not take part, in all bodies of it: motions want that. */
static void mask_model(world *w, uint32_t m)
{
    uint32_t groups = graze_model_get_info(w->models[m]).part_count, bits[8];
    uint32_t left_out = test_random_u32(&w->random) % groups;
    bool masked = test_random_u32(&w->random) % 3 == 0;
    CHECK(groups <= 8 * 32);
    memset(bits, 0xff, sizeof bits);
    bits[left_out / 32] &= ~(1u << left_out % 32);
    for (uint32_t i = 2 * m; i < 2 * m + 2; i++)
        CHECK(!graze_body_set_part_mask(w->bodies[i], masked ? bits : NULL, groups, NULL) &&
              !graze_body_set_part_mask(w->twins[i], masked ? bits : NULL, groups, NULL));
}

static void pose_world(world *w, uint32_t round)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        bool weights_alone = round % 4 && w->kinds[i / 2]->morphs && w->kinds[i / 2]->coherent;
        if (weights_alone && w->given[i])
            pose_body(w, i, false);
        pose_body(w, i, weights_alone);
        w->given[i] = (i + round) % 3 == 1;
        if (w->given[i])
            give_positions(w, i);
    }
    for (uint32_t m = 0; m < MODELS; m++)
        mask_model(w, m);
}

/* Questions of every kind in this pose, with their answers. */
static void draw_questions(world *w)
{
    for (int k = 0; k < SCENES; k++) {
        if (!w->scenes[k])
            w->scenes[k] = ways_over(w->bodies, w->twins, false, "shared");
        ways_draw(w->scenes[k], test_random_u32(&w->random));
        for (int q = 0; q < ASK_COUNT; q++)
            ways_reference(w->scenes[k], (ways_question)q, false);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct asker {
    world *w;
    pthread_t thread;
    pthread_barrier_t *start;
    test_random random;
    ways_bodies bodies[SCENES]; /* with finders of its own */
    graze_checkpoint *checkpoint;
    bool has_begun; /* asking for pairs, before the bodies were shared */
    answers begun;
    uint32_t count, asked, wrong, taken;
    ways_question first_wrong;
} asker;

static void asker_open(asker *k, world *w)
{
    CHECK(!graze_checkpoint_create(NULL, &k->checkpoint, NULL));
    for (int i = 0; i < SCENES; i++) {
        k->bodies[i] = w->scenes[i]->usual;
        k->bodies[i].finder = ways_finder(w->scenes[i]);
    }
}

static void asker_close(asker *k)
{
    graze_checkpoint_destroy(k->checkpoint);
    for (int i = 0; i < SCENES; i++)
        graze_contact_finder_destroy(k->bodies[i].finder);
    answers_free(&k->begun);
}

/* One call; what it finds is added, or is the answer. */
static graze_status ask_once(asker *k, int i, ways_question q, graze_budget *budget, answers *to)
{
    const graze_options options = {.budget = budget};
    OWN(ways_answer) answer = {0};
    size_t room = ways_reference(k->w->scenes[i], q, false)->count + 1;
    ways_begin(&answer, q, test_random_u32(&k->random) % 2 ? WAYS_CALLBACK : WAYS_ARRAY, room);
    graze_status status = ways_ask(k->w->scenes[i], &k->bodies[i], &answer, &options, NULL);
    ways_end(&answer);
    if (ways_rows[q].singles)
        answers_free(to);
    ways_join(to, &answer.found);
    return status;
}

/* Goes on until it is finished, and compares. What culling says depends on what others found out.
 */
static void finish(asker *k, int i, ways_question q, graze_budget *budget, answers *found)
{
    while (ask_once(k, i, q, budget, found) == GRAZE_UNFINISHED)
        continue;
    graze_checkpoint_clear(k->checkpoint);
    if (!ways_rows[q].singles)
        answers_sort(found);
    k->asked++;
    if (q != ASK_cull && !answers_equal(ways_reference(k->w->scenes[i], q, false), found, NULL) &&
        k->wrong++ == 0)
        k->first_wrong = q;
}

static void ask_any(asker *k)
{
    OWN(answers) found = {0};
    int scene = (int)(test_random_u32(&k->random) % SCENES);
    ways_question q = (ways_question)(test_random_u32(&k->random) % ASK_COUNT);
    graze_budget budget = {.bound_tests = 1 + test_random_u32(&k->random) % 30,
                           .checkpoint = k->checkpoint};
    bool in_steps = test_random_u32(&k->random) % 3 == 0 && ways_rows[q].singles < 2 &&
                    ways_supports(q, &(graze_options){.budget = &budget});
    finish(k, scene, q, in_steps ? &budget : NULL, &found);
}

/* What is refused, or does nothing, as long as others may ask, and what may be made of a body and
 * its model meanwhile: returns how much went wrong.
 */
static uint32_t meddle(world *w, uint32_t i)
{
    graze_body *body = w->bodies[i];
    OWN(graze_body) *made = NULL;
    const soup *mesh = &w->meshes[i / 2];
    OWN(graze_model) *frozen = NULL;
    const float weights[MORPHS] = {1, 1, 1};
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const graze_pose pose = {.joints = identity, .joint_count = 1};
    uint32_t taken = graze_body_set_pose(body, &pose, NULL) != GRAZE_BAD_INPUT;
    taken += graze_body_set_morph_weights(body, weights, w->kinds[i / 2]->morphs ? MORPHS : 0, true,
                                          NULL) != GRAZE_BAD_INPUT;
    taken += graze_body_set_positions(body, mesh->positions, 0, mesh->def.vertex_count, NULL) !=
             GRAZE_BAD_INPUT;
    taken += graze_body_set_part_mask(body, NULL, 0, NULL) != GRAZE_BAD_INPUT;
    graze_body_drop_caches(body);
    graze_body_refit_all(body);
    taken += graze_body_bound_all(body) != 0;
    taken += graze_body_create(w->models[i / 2], &made, NULL) != GRAZE_OK;
    taken += graze_body_freeze(body, &frozen, NULL) != GRAZE_OK;
    return taken;
}

static void *ask_all(void *data)
{
    asker *k = data;
    graze_budget budget = {.bound_tests = 20, .checkpoint = k->checkpoint};
    pthread_barrier_wait(k->start);
    if (k->has_begun)
        finish(k, 0, ASK_pairs, &budget, &k->begun);
    for (uint32_t i = 0; i < k->count; i++) {
        ask_any(k);
        if (i % 16 == 7)
            k->taken += meddle(k->w, test_random_u32(&k->random) % BODIES);
    }
    return NULL;
}

/* A question that the thread goes on with later. */
static void begin_asking(asker *k)
{
    graze_budget little = {.bound_tests = 1 + test_random_u32(&k->random) % 30,
                           .checkpoint = k->checkpoint};
    graze_status status = ask_once(k, 0, ASK_pairs, &little, &k->begun);
    CHECK(status == GRAZE_OK || status == GRAZE_UNFINISHED);
    k->has_begun = true;
}

static void share(world *w, bool shared)
{
    for (uint32_t i = 0; i < BODIES; i++)
        CHECK(!(shared ? graze_body_share : graze_body_unshare)(w->bodies[i], NULL));
}

/* Runs all threads on the world as it is posed; returns how many questions they asked. */
static uint32_t ask_together(world *w, uint32_t threads, uint32_t count, bool begin,
                             const char *name)
{
    static asker askers[MAX_THREADS];
    pthread_barrier_t start;
    uint32_t asked = 0;
    pthread_barrier_init(&start, NULL, threads);
    for (uint32_t t = 0; t < threads; t++) {
        askers[t] = (asker){.w = w, .start = &start, .count = count};
        askers[t].random = test_random_seed(test_random_u32(&w->random));
        asker_open(&askers[t], w);
        if (begin)
            begin_asking(&askers[t]);
    }
    share(w, true);
    for (uint32_t t = 0; t < threads; t++)
        if (pthread_create(&askers[t].thread, NULL, ask_all, &askers[t]))
            abort();
    for (uint32_t t = 0; t < threads; t++)
        pthread_join(askers[t].thread, NULL);
    share(w, false);
    for (uint32_t t = 0; t < threads; t++) {
        const asker *k = &askers[t];
        CHECK_MSG(!k->wrong, "%s: %u of %u answers of a thread are wrong, the first of %s", name,
                  k->wrong, k->asked, ways_rows[k->first_wrong].name);
        CHECK_MSG(!k->taken, "%s: %u changes of a shared body are taken, or copies of it refused",
                  name, k->taken);
        asked += k->asked;
        asker_close(&askers[t]);
    }
    pthread_barrier_destroy(&start);
    return asked;
}

/* One thread again, on what the others have left. */
static void ask_alone(world *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ways_ask_in(w->scenes[test_random_u32(&w->random) % SCENES],
                    (ways_question)(test_random_u32(&w->random) % ASK_COUNT),
                    test_random_u32(&w->random) % 2 ? WAY_any : WAY_array);
}

static void check_free(const world *w)
{
    for (uint32_t i = 0; i < BODIES; i++)
        CHECK(!w->bodies[i]->users && !w->bodies[i]->shared && !w->bodies[i]->shared_by_caller);
}

static void make_name(char name[64], uint32_t number, uint32_t round)
{
    snprintf(name, 64, "world %u, round %u", number, round);
}

TEST(threads_that_share_bodies_get_the_answers_of_one)
{
    static world w;
    uint32_t worlds = MODEL_KINDS, asked = 0;
    for (uint32_t number = 0; number < worlds; number++) {
        bool ok = world_open(&w, number);
        for (uint32_t round = 0; ok && round < 3; round++) {
            char name[64];
            make_name(name, number, round);
            pose_world(&w, round);
            draw_questions(&w);
            if (round % 2) /* some of it is there already, leaves with their exact boxes */
                ask_alone(&w, 20);
            asked += ask_together(&w, 4 + (number + round) % 5, test_sanitized_amount(40),
                                  round > 0, name);
            check_free(&w);
            ask_alone(&w, 20);
            check_free(&w);
        }
        world_close(&w);
    }
    printf("     %u questions to shared bodies of %u worlds\n", asked, worlds);
}

/* Stamps start again after 2^31 poses, while marks of all times are left. */
TEST(stamps_that_start_again_forget_everything)
{
    static world w;
    for (uint32_t number = 0; number < MODEL_KINDS; number += test_amount(1, 4)) {
        bool ok = world_open(&w, number);
        for (uint32_t round = 0; ok && round < 6; round++) {
            char name[64];
            make_name(name, number, round);
            if (round == 1) /* three more poses, then 2 again, whose marks were left by the first */
                for (uint32_t i = 0; i < BODIES; i++)
                    w.bodies[i]->stamp = UINT32_MAX - 5;
            pose_world(&w, round);
            draw_questions(&w);
            ask_together(&w, 4, 12, round % 2, name);
            ask_alone(&w, 12);
        }
        for (uint32_t i = 0; ok && i < BODIES; i++)
            CHECK(w.bodies[i]->stamp < 100);
        world_close(&w);
    }
}

/* ---- hard bodies ----------------------------------------------------------------------------- */

/* All questions of one thread, cold and warm, and in steps. */
static void ask_each(world *w)
{
    static const ways_way ways[] = {WAY_array, WAY_eager, WAY_dropped};
    draw_questions(w);
    ways_most_left = 0;
    for (int q = 0; q < ASK_COUNT; q++)
        for (int i = 0; i < 3; i++) {
            if ((q + i) % 7 == 0)
                for (uint32_t b = 0; b < BODIES; b++)
                    graze_body_drop_caches(w->bodies[b]);
            ways_ask_in(w->scenes[q % SCENES], (ways_question)q, ways[i]);
        }
}

static void pose_and_ask(world *w)
{
    pose_world(w, 0);
    ask_each(w);
}

TEST_OF_ONE_THREAD(patches_with_more_candidates_than_a_chunk)
{
    static world w;
    enum { KINDS = sizeof dense_kinds / sizeof *dense_kinds };
    for (uint32_t k = 0; k < KINDS; k++) {
        if (world_make(&w, &dense_kinds[k], &dense_kinds[(k + 1) % KINDS], k))
            pose_and_ask(&w);
        world_close(&w);
    }
}

TEST_OF_ONE_THREAD(bodies_near_the_limits_of_coordinates)
{
    static world w;
    uint32_t count = sizeof far_kinds / sizeof *far_kinds;
    if (test_flushes_denormals())
        count -= 2;
    for (uint32_t k = 0; k < count; k++) {
        if (world_make(&w, &far_kinds[k], &far_kinds[k ^ 1], k))
            pose_and_ask(&w);
        world_close(&w);
    }
}

/* Groups of triangles, each beside one that is far smaller as a whole than any triangle of it: wide
 * trees leave a group behind on every level, more than walks have room for if nothing stops it.
 */
enum { GROUPS = 11, GROUP_TRIANGLES = 33, GROUP_RATIO = 16 };

static void make_groups(soup *mesh, test_random *random)
{
    for (uint32_t v = 0; v < mesh->def.vertex_count; v++) {
        uint32_t group = v / (3 * GROUP_TRIANGLES);
        double size = pow(GROUP_RATIO, -(double)group);
        double middle = (double)(v / 3 % GROUP_TRIANGLES) / GROUP_TRIANGLES;
        for (int k = 0; k < 3; k++)
            mesh->positions[3 * v + k] =
                (float)(size * (k == 0 ? 0.9 + 0.2 * middle : 0.1 * middle) +
                        size * test_random_range(random, -0.3, 0.3));
        mesh->influence_offsets[v] = v;
        mesh->influences[v] = (graze_influence){group, 1};
    }
    mesh->influence_offsets[mesh->def.vertex_count] = mesh->def.vertex_count;
    for (uint32_t i = 0; i < 3 * mesh->def.triangle_count; i++)
        mesh->triangles[i] = i;
}

/* All groups as large as the first, in the same place: everything overlaps everything. */
static void pose_groups(world *w, uint32_t i)
{
    float joints[GROUPS][12], placement[12];
    const float origin[3] = {0, 0, 0};
    for (int g = 0; g < GROUPS; g++) {
        map_make(MAP_NEAR, origin, 1, &w->random, joints[g]);
        for (int k = 0; k < 12; k++)
            joints[g][k] *= k % 4 == 3 ? 1 : powf(GROUP_RATIO, (float)g);
    }
    map_make(MAP_NEAR, origin, 1, &w->random, placement);
    const graze_pose pose = {.joints = joints[0], .joint_count = GROUPS, .placement = placement};
    CHECK(!graze_body_set_pose(w->bodies[i], &pose, NULL));
    CHECK(!graze_body_set_pose(w->twins[i], &pose, NULL));
}

TEST_OF_ONE_THREAD(trees_leave_no_more_behind_than_walks_have_room_for)
{
    static world w;
    static const graze_tree_def trees[] = {
        TREE(BOXES, DEFAULT, 1, 32, 0), TREE(SPHERES, DEFAULT, 1, 32, 0.01f),
        TREE(BOXES, DEFAULT, 1, 32, 0.01f), TREE(SPHERES, CORNERS, 1, 31, 0)};
    for (uint32_t t = 0; t < test_amount(4, 1); t++) {
        memset(&w, 0, sizeof w);
        w.random = test_random_seed(t);
        for (uint32_t m = 0; m < MODELS; m++) {
            const soup_def groups = {.vertex_count = 3 * GROUPS * GROUP_TRIANGLES,
                                     .triangle_count = GROUPS * GROUP_TRIANGLES,
                                     .joint_count = GROUPS,
                                     .max_influences = 1,
                                     .size = 1};
            w.kinds[m] = &model_kinds[0];
            w.meshes[m] = soup_make(&groups, &w.random);
            make_groups(&w.meshes[m], &w.random);
            graze_model_def def = soup_model_def(&w.meshes[m]);
            def.tree = trees[(t + m) % 4];
            def.no_self_collision = !(t % 2);
            def.isa = variants_isa(t + m);
            REQUIRE(!graze_model_create(&def, &w.models[m], NULL));
            const grazei_tree *tree = &w.models[m]->tree;
            CHECK_MSG(tree->max_open > GRAZEI_MAX_OPEN - GRAZEI_MAX_LEVELS - 32 &&
                          tree->max_open <= GRAZEI_MAX_OPEN,
                      "%u are left behind", tree->max_open);
            for (uint32_t i = 2 * m; i < 2 * m + 2; i++) {
                REQUIRE(!graze_body_create(w.models[m], &w.bodies[i], NULL));
                REQUIRE(!graze_body_create(w.models[m], &w.twins[i], NULL));
                pose_groups(&w, i);
            }
        }
        ask_each(&w);
        printf("     trees leave up to %u and %u behind, questions up to %u of %u\n",
               w.models[0]->tree.max_open, w.models[1]->tree.max_open, ways_most_left,
               (unsigned)GRAZEI_AGENDA_ITEMS);
        CHECK(ways_most_left <= GRAZEI_AGENDA_ITEMS);
        world_close(&w);
    }
}
