/* Trace zones: they nest on every thread, also while hooks come and go, and say what is done. */
#include "harness.h"
#include "support/own.h"
#include "support/soup_pair.h"

#include <graze/ext/world.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NAMES = 256 };

/* A hook that checks, and one that writes down. */
typedef struct checker {
    atomic_uint begun, ended, wrong;
} checker;

static _Thread_local struct {
    const void *user;
    const char *zone;
} stack[MAX_DEPTH];
static _Thread_local uint32_t depth;
static struct {
    const char *zone;
    char text[32];
} names[MAX_NAMES];
static uint32_t name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void remember_name(const char *zone)
{
    uint32_t n = 0;
    pthread_mutex_lock(&lock);
    while (n < name_count && names[n].zone != zone)
        n++;
    if (n == name_count && n < MAX_NAMES && strlen(zone) < sizeof names[n].text) {
        names[n].zone = zone;
        strcpy(names[name_count++].text, zone);
    }
    pthread_mutex_unlock(&lock);
}

static void check_begin(void *user, const char *zone)
{
    checker *c = user;
    remember_name(zone);
    atomic_fetch_add(&c->begun, 1);
    if (depth >= MAX_DEPTH) {
        atomic_fetch_add(&c->wrong, 1);
        return;
    }
    stack[depth].user = user;
    stack[depth++].zone = zone;
}

static void check_end(void *user, const char *zone)
{
    checker *c = user;
    atomic_fetch_add(&c->ended, 1);
    if (depth && stack[depth - 1].user == user && stack[depth - 1].zone == zone)
        depth--;
    else
        atomic_fetch_add(&c->wrong, 1);
}

/* ---- random calls --------------------------------------------------------------------------- */

typedef struct calls {
    soup_pair pair;
    graze_pool *pool;
    graze_batch *batch;
    graze_contact_finder *finder;
    test_random random;
} calls;

/* A question within a question. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    calls *c = user;
    graze_hit hit;
    (void)pairs, (void)count;
    CHECK(!graze_cast(c->pair.a, &c->pair.ray, &hit, NULL, NULL));
    return true;
}

/* Some call by lot; budgets and batches may not finish. */
static void make_call(calls *c, const graze_options *options)
{
    static graze_contact contacts[64];
    static graze_hit hits[200];
    static graze_ray rays[200];
    graze_body *a = c->pair.a, *b = c->pair.b;
    graze_nearest nearest;
    graze_impact impact;
    OWN(graze_model) *model = NULL;
    graze_pair_list pairs = {.report = take_pairs, .user = c};
    graze_contact_list list = {.items = contacts, .capacity = 64};
    graze_motion way = {.start = a, .end = c->pair.end}, still = {.start = b, .end = b};
    for (int i = 0; i < 200; i++)
        rays[i] = c->pair.ray;
    uint32_t lot = test_random_u32(&c->random) % 7;
    if (lot == 0)
        graze_pairs(a, b, &pairs, options, NULL);
    if (lot == 1)
        graze_cast_many(a, rays, 200, hits, options, NULL);
    if (lot == 2)
        graze_distance(a, b, 9, &nearest, options, NULL);
    if (lot == 3)
        graze_sweep(&way, &still, &impact, options, NULL);
    if (lot == 4)
        graze_contacts(c->finder, a, b, &list, options, NULL);
    if (lot == 5)
        soup_pair_pose(&c->pair, 0, a, test_random_u32(&c->random) % 8);
    if (lot == 6)
        graze_body_freeze(b, &model, NULL);
}

static void run_batch(calls *c, const graze_options *options)
{
    graze_hit hits[4];
    graze_pair_list pairs[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 4; i++)
        graze_cast(c->pair.a, &c->pair.ray, &hits[i], &(graze_options){.batch = c->batch}, NULL);
    for (int i = 0; i < 2; i++)
        graze_pairs(c->pair.a, c->pair.b, &pairs[i],
                    &(graze_options){.batch = c->batch, .method = (graze_method)i}, NULL);
    CHECK(!graze_batch_run(c->batch, options, NULL));
    graze_batch_clear(c->batch);
}

static void make_calls(calls *c)
{
    graze_budget budget = {.triangle_tests = 50};
    uint32_t lot = test_random_u32(&c->random);
    graze_options options = {.any = lot & 1, .pool = lot & 2 ? c->pool : NULL};
    if (lot / 256 % 8 == 0)
        run_batch(c, &options);
    options.method = (graze_method)(lot / 4 % 3);
    options.budget = lot & 64 ? &budget : NULL;
    make_call(c, &options);
}

static checker checkers[2];
static atomic_bool is_done;

static bool are_many(void)
{
    return atomic_load(&checkers[0].begun) > 500 && atomic_load(&checkers[1].begun) > 500;
}

/* Sets one, the other and none, again and again, while calls are made. */
static void *change_hooks(void *unused)
{
    static const graze_trace_hooks hooks[2] = {{check_begin, check_end, &checkers[0], {0}},
                                               {check_begin, check_end, &checkers[1], {0}}};
    for (uint32_t i = 0; !atomic_load(&is_done); i++) {
        CHECK(!graze_set_trace_hooks(i % 3 < 2 ? &hooks[i % 3] : NULL));
        sched_yield();
    }
    return unused;
}

TEST(zones_nest_on_every_thread)
{
    pthread_t changing;
    calls c = {.pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL),
               .random = test_random_seed(3)};
    const graze_model *const *models = (const graze_model *const *)c.pair.models;
    REQUIRE(!graze_pool_create(3, NULL, &c.pool, NULL) &&
            !graze_batch_create(NULL, &c.batch, NULL) &&
            !graze_contact_finder_create(models[0], models[1], NULL, &c.finder, NULL));
    REQUIRE(!pthread_create(&changing, NULL, change_hooks, NULL));
    for (uint32_t i = 0; i < 500 || (i < 100000 && !are_many()); i++) {
        make_calls(&c);
        CHECK_MSG(depth == 0, "call %u: %u zones are open", i, depth);
    }
    atomic_store(&is_done, true);
    pthread_join(changing, NULL);
    graze_pool_destroy(c.pool);
    CHECK(are_many());
    for (int i = 0; i < 2; i++) {
        CHECK(atomic_load(&checkers[i].wrong) == 0);
        CHECK(atomic_load(&checkers[i].begun) == atomic_load(&checkers[i].ended));
    }
    CHECK(name_count > 10 && name_count < MAX_NAMES);
    for (uint32_t n = 0; n < name_count; n++)
        CHECK(strcmp(names[n].zone, names[n].text) == 0);
    CHECK(!graze_set_trace_hooks(NULL));
    graze_contact_finder_destroy(c.finder);
    graze_batch_destroy(c.batch);
    soup_pair_close(&c.pair);
}

/* ---- names ---------------------------------------------------------------------------------- */

static char written[512];

static void write_begin(void *user, const char *zone)
{
    (void)user;
    strcat(strcat(written, zone), "(");
}

static void write_end(void *user, const char *zone)
{
    (void)user, (void)zone;
    strcat(written, ")");
}

#define WRITES(call, expected)                                                                     \
    do {                                                                                           \
        written[0] = 0;                                                                            \
        CHECK((call) == GRAZE_OK);                                                                 \
        CHECK_MSG(strcmp(written, expected) == 0, "%s: %s", #call, written);                       \
    } while (0)

TEST(zones_say_what_is_done)
{
    static const graze_trace_hooks hooks = {write_begin, write_end, NULL, {0}};
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    graze_model_def def = soup_model_def(&pair.meshes[0]);
    graze_options options = {.method = GRAZE_EAGER}, record = {.batch = NULL};
    graze_pair_list list = {.count = 0};
    OWN(graze_model) *model = NULL;
    OWN(graze_world) *world = NULL;
    graze_world_id id;
    graze_hit hit;
    graze_trace_hooks bad = hooks;
    bad.reserved[1] = 1;
    CHECK(graze_set_trace_hooks(&bad) == GRAZE_BAD_INPUT);
    bad = (graze_trace_hooks){.begin = write_begin};
    CHECK(graze_set_trace_hooks(&bad) == GRAZE_BAD_INPUT);
    REQUIRE(
        !graze_batch_create(NULL, &record.batch, NULL) && !graze_world_create(NULL, &world, NULL) &&
        !graze_world_add_body(world, pair.a, NULL, &id, NULL) && !graze_set_trace_hooks(&hooks));
    WRITES(graze_pairs(pair.a, pair.b, &list, &options, NULL), "graze_pairs(refit()walk())");
    WRITES(graze_cast(pair.a, &pair.ray, &hit, NULL, NULL), "graze_cast(walk()finish())");
    options.method = GRAZE_BRUTE;
    WRITES(graze_cast(pair.a, &pair.ray, &hit, &options, NULL), "graze_cast(brute()finish())");
    WRITES(soup_pair_pose(&pair, 0, pair.a, 2), "graze_body_set_pose()");
    WRITES(graze_model_create(&def, &model, NULL),
           "graze_model_create(mesh()tree()skin()rest()folds())");
    WRITES(graze_world_update(world, NULL, NULL), "graze_world_update(broad()ask()events())");
    WRITES(graze_cast(pair.a, &pair.ray, &hit, &record, NULL), "");
    WRITES(graze_batch_run(record.batch, NULL, NULL),
           "graze_batch_run(graze_cast(walk()finish()))");
    CHECK(!graze_set_trace_hooks(NULL));
    WRITES(graze_cast(pair.a, &pair.ray, &hit, NULL, NULL), "");
    graze_batch_destroy(record.batch);
}
