/* Models made on demand: what questions make of them changes no answer, whoever asks first, how
 * many at once, and when memory is short; once all is there, nothing differs from a model made at
 * once.
 */
#include "body/body.h"
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/rigs.h"

#include <graze/graze.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 12, MOST_PAIRS = 20000 };

/* ---- questions ------------------------------------------------------------------------------ */

/* A number for all answers of a body in a pose. */
typedef struct digest {
    uint64_t pairs, hits, positions;
} digest;

static uint64_t mix(uint64_t hash, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t self_of(graze_body *body, graze_stats *stats)
{
    OWNED graze_pair *pairs = malloc(MOST_PAIRS * sizeof *pairs);
    graze_pair_list list = {.items = pairs, .capacity = MOST_PAIRS};
    graze_options options = {.stats = stats};
    CHECK(pairs && graze_self_pairs(body, NULL, &list, &options, NULL) == GRAZE_OK &&
          list.count == list.total);
    uint64_t sum = list.total;
    for (size_t i = 0; i < list.count; i++) /* in any order */
        sum += mix(pairs[i].at_rest, pairs + i, 2 * sizeof(uint32_t));
    return sum;
}

/* Asks for boxes until an outline pays; each holds the body. */
static void ask_for_boxes(graze_body *body, const float *positions)
{
    uint32_t vertices = graze_model_get_info(graze_body_model(body)).vertex_count;
    for (int i = 0; i < 20; i++) {
        graze_stats stats = {0};
        grazei_bound box = grazei_body_box(body, &stats);
        bool inside = true;
        for (size_t k = 0; k < 3 * (size_t)vertices; k++)
            inside = inside && positions[k] <= box.high[k % 3] &&
                     -positions[k] <= box.low_negated[k % 3];
        CHECK(inside);
    }
}

static digest ask(graze_body *body)
{
    digest found = {.pairs = self_of(body, NULL)};
    for (int i = 0; i < 8; i++) {
        graze_ray ray = {
            .origin = {0.05f * (float)i, 0.2f * (float)i, 3}, .dir = {0, 0, -1}, .t_max = 10};
        graze_hit hit;
        CHECK(graze_cast(body, &ray, &hit, NULL, NULL) == GRAZE_OK);
        found.hits = mix(mix(found.hits, &hit.triangle, 4), &hit.t, 4);
    }
    size_t vertices = graze_model_get_info(graze_body_model(body)).vertex_count;
    OWNED float *positions = malloc(vertices * 12);
    CHECK(positions != NULL);
    graze_body_get_positions(body, positions);
    found.positions = mix(0, positions, vertices * 12);
    if (!grazei_body_is_shared(body))
        ask_for_boxes(body, positions);
    return found;
}

static bool same(digest a, digest b)
{
    return a.pairs == b.pairs && a.hits == b.hits && a.positions == b.positions;
}

static void pose(graze_body *body, const graze_rig *rig, uint32_t frame)
{
    graze_error error;
    uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE;
    CHECK_MSG(!graze_rig_pose_body(rig, clip, 0.07 * frame, NULL, body, &error), "%s", error.text);
}

static graze_model *make(const graze_rig *rig, graze_skinning skinning, bool on_demand,
                         const graze_allocator *allocator)
{
    graze_model *model = NULL;
    graze_model_def def = graze_rig_model_def(rig);
    def.allocator = allocator;
    def.skinning = skinning;
    def.on_demand = on_demand;
    if (graze_model_create(&def, &model, NULL))
        abort();
    return model;
}

static graze_body *body_of(const graze_model *model)
{
    graze_body *body = NULL;
    if (graze_body_create(model, &body, NULL))
        abort();
    return body;
}

static bool is_whole(const graze_model *model)
{
    return atomic_load(&model->later.folds) == GRAZEI_IS_THERE &&
           atomic_load(&model->later.outline) == GRAZEI_IS_THERE &&
           atomic_load(&model->later.stream) == GRAZEI_IS_THERE;
}

/* What a model that was made at once says of every frame. */
static void expect(const graze_rig *rig, graze_skinning skinning, digest expected[FRAMES])
{
    OWN(graze_model) *model = make(rig, skinning, false, NULL);
    OWN(graze_body) *body = body_of(model);
    CHECK(is_whole(model));
    for (uint32_t f = 0; f < FRAMES; f++) {
        pose(body, rig, f);
        expected[f] = ask(body);
    }
}

/* ---- one thread ----------------------------------------------------------------------------- */

/* Bodies of either model do the same work. */
static bool work_alike(const graze_rig *rig, const graze_model *a, graze_body *b)
{
    OWN(graze_body) *body = body_of(a);
    graze_stats stats[2] = {{0}};
    pose(body, rig, 5);
    pose(b, rig, 5);
    return self_of(body, &stats[0]) == self_of(b, &stats[1]) &&
           memcmp(&stats[0], &stats[1], sizeof stats[0]) == 0;
}

TEST(answers_are_the_same_while_it_is_made)
{
    const char *const names[] = {"dwarf", "robot"};
    for (int i = 0; i < 6; i++) {
        const graze_rig *rig = test_rig_called(names[i / 3]);
        graze_skinning skinning = (graze_skinning)(i % 3);
        digest expected[FRAMES];
        expect(rig, skinning, expected);
        OWN(graze_model) *model = make(rig, skinning, true, NULL);
        OWN(graze_model) *whole = make(rig, skinning, false, NULL);
        OWN(graze_body) *body = body_of(model);
        CHECK(!is_whole(model));
        for (uint32_t f = 0; f < FRAMES; f++) {
            pose(body, rig, f);
            CHECK_MSG(same(ask(body), expected[f]), "%s, skinning %d, frame %u", names[i / 3],
                      i % 3, f);
        }
        for (uint32_t f = 0; f < 200 && !is_whole(model); f++) {
            pose(body, rig, f);
            self_of(body, NULL);
        }
        CHECK(is_whole(model) && grazei_model_validate(model, NULL) == GRAZE_OK);
        CHECK(work_alike(rig, whole, body));
    }
}

TEST(a_shared_body_gets_its_tables_when_it_is_shared_again)
{
    const graze_rig *rig = test_rig_called("dwarf");
    OWN(graze_model) *model = make(rig, GRAZE_LINEAR, true, NULL);
    OWN(graze_model) *whole = make(rig, GRAZE_LINEAR, false, NULL);
    OWN(graze_body) *body = body_of(model);
    CHECK(graze_model_prepare(model, NULL) == GRAZE_OK && is_whole(model));
    for (int round = 0; round < 2; round++) {
        pose(body, rig, 5);
        CHECK(graze_body_share(body, NULL) == GRAZE_OK);
        self_of(body, NULL);
        CHECK(!body->cache.fold_pairs == !round);
        CHECK(graze_body_unshare(body, NULL) == GRAZE_OK);
    }
    CHECK(work_alike(rig, whole, body));
}

TEST(work_that_is_half_done_goes_with_its_model)
{
    const graze_rig *rig = test_rig_called("robot");
    for (uint32_t questions = 0; questions < 8; questions++) {
        test_memory memory = {0};
        graze_allocator allocator = test_memory_allocator(&memory);
        graze_model *model = make(rig, GRAZE_LINEAR, true, &allocator);
        graze_body *body = body_of(model);
        for (uint32_t q = 0; q < questions; q++)
            self_of(body, NULL);
        graze_body_destroy(body);
        graze_model_destroy(model);
        CHECK(memory.alive == 0 && !memory.misused);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Asks while one allocation fails, or all from one on. Returns how many there were. */
static uint64_t ask_short_of_memory(const graze_rig *rig, const digest expected[FRAMES],
                                    uint64_t fail_at, bool keeps_failing)
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_model *model = make(rig, GRAZE_LINEAR, true, &allocator);
    graze_body *body = body_of(model);
    uint64_t before = memory.calls;
    memory.fail_at = before + fail_at;
    memory.keeps_failing = keeps_failing;
    for (uint32_t f = 0; f < FRAMES; f++) {
        pose(body, rig, f);
        CHECK_MSG(same(ask(body), expected[f]), "allocation %llu fails: frame %u",
                  (unsigned long long)fail_at, f);
    }
    uint64_t taken = memory.calls - before;
    memory.fail_at = 0;
    CHECK(graze_model_prepare(model, NULL) == GRAZE_OK && is_whole(model));
    CHECK(same(ask(body), expected[FRAMES - 1]) && !memory.misused);
    graze_body_destroy(body);
    graze_model_destroy(model);
    CHECK(memory.alive == 0);
    return taken;
}

TEST(no_memory_is_no_harm)
{
    const graze_rig *rig = test_rig_called("dwarf");
    digest expected[FRAMES];
    uint64_t failures = 0;
    expect(rig, GRAZE_LINEAR, expected);
    for (int keeps = 0; keeps < 2; keeps++)
        for (uint64_t fail_at = 1; fail_at < 2000; fail_at++) {
            if (ask_short_of_memory(rig, expected, fail_at, keeps) < fail_at)
                break;
            failures++;
        }
    CHECK_MSG(failures > 40, "only %llu allocations failed", (unsigned long long)failures);
}

TEST(preparing_fails_and_is_tried_again)
{
    const graze_rig *rig = test_rig_called("dwarf");
    for (uint64_t fail_at = 1, made = 0; !made && fail_at < 2000; fail_at++) {
        test_memory memory = {0};
        graze_allocator allocator = test_memory_allocator(&memory);
        graze_model *model = make(rig, GRAZE_LINEAR, true, &allocator);
        graze_error error = {.text = ""};
        memory.fail_at = memory.calls + fail_at;
        graze_status status = graze_model_prepare(model, &error);
        made = status == GRAZE_OK;
        CHECK(made || (status == GRAZE_OUT_OF_MEMORY && error.text[0] && !is_whole(model)));
        CHECK(graze_model_prepare(model, NULL) == GRAZE_OK && is_whole(model));
        graze_model_destroy(model);
        CHECK(memory.alive == 0 && !memory.misused);
    }
    CHECK(graze_model_prepare(NULL, NULL) == GRAZE_BAD_INPUT);
}

TEST(bodies_of_prepared_models_take_no_memory)
{
    const graze_rig *rig = test_rig_called("dwarf");
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    graze_model *model = make(rig, GRAZE_LINEAR, true, &allocator);
    CHECK(graze_model_prepare(model, NULL) == GRAZE_OK);
    graze_body *body = body_of(model);
    uint64_t calls = memory.calls;
    for (uint32_t f = 0; f < FRAMES; f++) {
        pose(body, rig, f);
        ask(body);
    }
    CHECK(memory.calls == calls);
    graze_body_destroy(body);
    graze_model_destroy(model);
}

TEST(a_cache_that_is_lent_keeps_its_room_for_folds)
{
    const graze_rig *rig = test_rig_called("dwarf");
    OWN(graze_model) *model = make(rig, GRAZE_LINEAR, true, NULL);
    graze_cache_pool *pool = NULL;
    graze_body *bodies[2] = {NULL, NULL};
    graze_cache_pool_def def = {.max_caches = 1, .ready = 1};
    REQUIRE(!graze_cache_pool_create(model, &def, &pool, NULL));
    for (int i = 0; i < 2; i++)
        REQUIRE(!graze_body_create_lean(pool, &bodies[i], NULL));
    CHECK(graze_model_prepare(model, NULL) == GRAZE_OK);
    for (uint32_t f = 0; f < FRAMES; f++) {
        graze_body *body = bodies[f % 2];
        pose(body, rig, f);
        CHECK(graze_body_borrow_caches(body, NULL) == GRAZE_OK);
        CHECK(!body->cache.fold_pairs == !f);
        self_of(body, NULL);
        CHECK(body->cache.fold_pairs != NULL);
        graze_body_give_back_caches(body);
    }
    graze_body_destroy(bodies[0]);
    graze_body_destroy(bodies[1]);
    graze_cache_pool_destroy(pool);
}

/* ---- threads -------------------------------------------------------------------------------- */

enum { THREADS = 4 };

typedef struct asker {
    pthread_t thread;
    pthread_barrier_t *start;
    graze_model *model;
    graze_body *own, *shared;
    const graze_rig *rig;
    const digest *expected;
    uint32_t wrong;
    bool prepares;
} asker;

static void *ask_first(void *data)
{
    asker *k = data;
    pthread_barrier_wait(k->start);
    if (k->prepares)
        k->wrong += graze_model_prepare(k->model, NULL) != GRAZE_OK;
    for (uint32_t f = 0; f < FRAMES; f++) {
        k->wrong += !same(ask(k->shared), k->expected[0]);
        k->wrong += !same(ask(k->own), k->expected[f]);
        if (f + 1 < FRAMES)
            pose(k->own, k->rig, f + 1);
    }
    return NULL;
}

TEST(first_questions_of_threads_at_once)
{
    const graze_rig *rig = test_rig_called("dwarf");
    digest expected[FRAMES];
    expect(rig, GRAZE_LINEAR, expected);
    for (uint32_t round = 0; round < 12; round++) {
        asker askers[THREADS];
        pthread_barrier_t start;
        OWN(graze_model) *model = make(rig, GRAZE_LINEAR, true, NULL);
        OWN(graze_body) *shared = body_of(model);
        pose(shared, rig, 0);
        CHECK(graze_body_share(shared, NULL) == GRAZE_OK);
        pthread_barrier_init(&start, NULL, THREADS);
        for (uint32_t t = 0; t < THREADS; t++) {
            askers[t] = (asker){.start = &start, .model = model, .own = body_of(model)};
            askers[t].shared = shared;
            askers[t].rig = rig;
            askers[t].expected = expected;
            askers[t].prepares = round % 3 == 2 && t == 1;
            pose(askers[t].own, rig, 0);
            if (pthread_create(&askers[t].thread, NULL, ask_first, &askers[t]))
                abort();
        }
        for (uint32_t t = 0; t < THREADS; t++) {
            pthread_join(askers[t].thread, NULL);
            CHECK_MSG(!askers[t].wrong, "round %u: %u answers of thread %u", round, askers[t].wrong,
                      t);
            graze_body_destroy(askers[t].own);
        }
        pthread_barrier_destroy(&start);
        CHECK(graze_body_unshare(shared, NULL) == GRAZE_OK && is_whole(model));
    }
}
