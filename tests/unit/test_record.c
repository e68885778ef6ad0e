/* Recordings: a session is replayed without differences, a wrong answer is found where it is, and
 * nothing in a damaged file does harm.
 */
#include "harness.h"

#include "support/quick.h"
#include "support/soup.h"

#include <graze/ext/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the format: kinds of records and questions, bytes of its head. */
enum { QUESTION = 10, ANSWER = 11, CULL = 9, WINDING = 11, HEAD = 16 };

typedef struct tape {
    unsigned char *bytes;
    size_t size, capacity, at;
} tape;

static bool write_tape(void *user, const void *bytes, size_t size)
{
    tape *t = user;
    if (t->size + size > t->capacity) {
        t->capacity = 2 * (t->size + size);
        t->bytes = realloc(t->bytes, t->capacity);
        if (!t->bytes)
            abort();
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    return true;
}

static size_t read_tape(void *user, void *bytes, size_t size)
{
    tape *t = user;
    size_t left = t->size - t->at, count = size < left ? size : left;
    memcpy(bytes, t->bytes + t->at, count);
    t->at += count;
    return count;
}

static graze_status replay(tape *t, const graze_replay_options *options,
                           graze_replay_report *report)
{
    graze_error error = {.text = ""};
    t->at = 0;
    graze_status status = graze_replay(read_tape, t, options, report, &error);
    CHECK((status == GRAZE_OK) == (error.text[0] == 0));
    return status;
}

static void check_faithful(tape *t, uint64_t seed)
{
    graze_replay_report report;
    CHECK_MSG(replay(t, NULL, &report) == GRAZE_OK, "seed %llu", (unsigned long long)seed);
    CHECK_MSG(!report.differences && !report.unanswered && !report.truncated,
              "seed %llu: %llu of %llu answers differ; call %llu, %s: %s", (unsigned long long)seed,
              (unsigned long long)report.differences, (unsigned long long)report.questions,
              (unsigned long long)report.first, report.name ? report.name : "", report.text);
    CHECK(report.calls > report.questions && report.questions > 0);
}

/* ---- sessions ------------------------------------------------------------------------------- */

/* Three bodies of two models, one of them lean, and all that can be done to them. */
enum { BODIES = 3, JOINTS = 4, VERTICES = 60, TARGETS = 2 };

typedef struct session {
    test_random random;
    soup meshes[2];
    graze_model *models[2];
    graze_cache_pool *caches;
    graze_body *bodies[BODIES];
    graze_contact_finder *finder; /* of the first two bodies */
    graze_checkpoint *checkpoint;
} session;

static graze_model *make_model(session *s, uint32_t m)
{
    static const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    const soup_def def = {.vertex_count = VERTICES,
                          .triangle_count = 90,
                          .joint_count = JOINTS,
                          .max_influences = 3,
                          .size = 1,
                          .odd_weights = true};
    const float delta[3] = {0.1f, -0.2f, 0.05f};
    const graze_morph_target targets[TARGETS] = {{NULL, delta, 1}, {&(uint32_t){7}, delta, 1}};
    graze_model *model = NULL;
    s->meshes[m] = soup_make(&def, &s->random);
    graze_model_def made = soup_model_def(&s->meshes[m]);
    made.skinning = kinds[test_random_u32(&s->random) % 3];
    made.tree.volume = test_random_u32(&s->random) % 2 ? GRAZE_SPHERES : GRAZE_BOXES;
    made.tree.patch_triangles = 1 + test_random_u32(&s->random) % 64;
    made.morphs = targets;
    made.morph_count = TARGETS;
    if (graze_model_create(&made, &model, NULL))
        abort();
    return model;
}

static void session_open(session *s, uint64_t seed)
{
    *s = (session){.random = test_random_seed(seed)};
    for (uint32_t m = 0; m < 2; m++)
        s->models[m] = make_model(s, m);
    if (graze_cache_pool_create(s->models[0], NULL, &s->caches, NULL) ||
        graze_body_create(s->models[0], &s->bodies[0], NULL) ||
        graze_body_create(s->models[1], &s->bodies[1], NULL) ||
        graze_body_create_lean(s->caches, &s->bodies[2], NULL) ||
        graze_contact_finder_create(s->models[0], s->models[1], NULL, &s->finder, NULL) ||
        graze_checkpoint_create(NULL, &s->checkpoint, NULL))
        abort();
}

static void session_close(session *s)
{
    for (int i = 0; i < BODIES; i++)
        graze_body_destroy(s->bodies[i]);
    graze_contact_finder_destroy(s->finder);
    graze_checkpoint_destroy(s->checkpoint);
    graze_cache_pool_destroy(s->caches);
    for (int m = 0; m < 2; m++) {
        graze_model_destroy(s->models[m]);
        soup_free(&s->meshes[m]);
    }
}

static float random_float(session *s)
{
    return (float)test_random_range(&s->random, -1, 1);
}

static void change_body(session *s, graze_body *body)
{
    float maps[12 * JOINTS + 12], weights[TARGETS], positions[3 * VERTICES];
    const uint32_t mask = test_random_u32(&s->random);
    graze_pose pose = {.joints = maps, .joint_count = JOINTS, .morph_count = TARGETS};
    pose_make(MAP_NEAR, &s->meshes[body == s->bodies[1]], &s->random, maps);
    memcpy(maps + 12 * JOINTS, maps, 12 * sizeof *maps);
    pose.placement = mask % 2 ? maps + 12 * JOINTS : NULL;
    pose.morph_weights = mask % 4 ? weights : NULL;
    for (int i = 0; i < TARGETS; i++)
        weights[i] = random_float(s);
    for (int i = 0; i < 3 * VERTICES; i++)
        positions[i] = random_float(s);
    uint32_t what = test_random_u32(&s->random) % 6;
    if (what == 0)
        graze_body_set_morph_weights(body, weights, TARGETS, mask % 2, NULL);
    else if (what == 1)
        graze_body_set_part_mask(body, mask % 3 ? &mask : NULL, JOINTS, NULL);
    else if (what == 2)
        graze_body_drop_caches(body);
    else if (what == 3 && mask % 4 == 0)
        graze_body_set_positions(body, positions, 0, VERTICES, NULL);
    else
        graze_body_set_pose(body, &pose, NULL);
}

static bool stop_soon(void *user, const graze_pair *pairs, size_t count)
{
    (void)pairs, (void)count;
    return ++*(int *)user < 3;
}

static void ask_something(session *s)
{
    const float p[3] = {random_float(s), random_float(s), random_float(s)}, q[3] = {0, 0, 0};
    const uint32_t dice = test_random_u32(&s->random), bits[] = {dice >> 8 & 15, dice >> 12 & 15};
    const graze_part_sets sets = {&bits[0], &bits[1]};
    const graze_part_filter filter = {.pairs = &sets, .pair_count = 1, .part_count = JOINTS};
    const graze_half_space plane = {{p[0], p[1], 1}, 0.1f};
    const graze_shape shapes[] = {graze_shape_sphere(p, 0.3f),
                                  graze_shape_box(p, (float[]){1, 1, 1}, NULL),
                                  graze_shape_capsule(p, q, 0.2f), graze_shape_frustum(&plane, 1)};
    const graze_ray rays[2] = {graze_ray_from(p, (float[]){-p[0], -p[1], -p[2]}),
                               graze_ray_from(q, (float[]){1, p[1], p[2]})};
    const graze_shape ball = graze_shape_sphere(q, 0.1f);
    graze_body *a = s->bodies[dice % 2 * 2], *b = s->bodies[1];
    const graze_motion moves = {.start = s->bodies[0], .end = s->bodies[2]},
                       to = {.start = b, .end = b}, thrown = {.from = &shapes[0], .to = &ball};
    int reports = 0;
    graze_budget budget = {.bound_tests = 20, .checkpoint = dice % 5 ? NULL : s->checkpoint};
    graze_options options = {.any = dice % 4 == 0, .method = (graze_method)(dice / 4 % 4 % 3)};
    graze_pair_list pairs = {.items = NULL}, some = {.report = stop_soon, .user = &reports};
    graze_hit_list hits = {.items = NULL};
    graze_triangle_list triangles = {.items = NULL};
    graze_contact_list contacts = {.items = NULL};
    graze_impact_list impacts = {.items = NULL};
    double room[64]; /* for any one answer */
    void *one = room;
    options.budget = options.method == GRAZE_LAZY && dice / 64 % 4 == 0 ? &budget : NULL;
    if (dice % 3)
        graze_checkpoint_clear(s->checkpoint);
    uint32_t topic = test_random_u32(&s->random) % 17;
    graze_options *how = &options;
    graze_status status =
        topic == 0    ? graze_pairs(a, b, &pairs, how, NULL)
        : topic == 1  ? graze_self_pairs(a, dice % 2 ? &filter : NULL, &pairs, how, NULL)
        : topic == 2  ? graze_distance(a, b, fabs((double)p[0]), one, how, NULL)
        : topic == 3  ? graze_pairs_within(a, b, 0.02, &pairs, how, NULL)
        : topic == 4  ? graze_cast(b, rays, one, how, NULL)
        : topic == 5  ? graze_cast_all(a, rays, &hits, how, NULL)
        : topic == 6  ? graze_cast_many(a, rays, 2, one, how, NULL)
        : topic == 7  ? graze_touch(a, &shapes[dice / 16 % 4], &triangles, how, NULL)
        : topic == 8  ? graze_touch_contacts(b, &shapes[dice / 16 % 3], &contacts, how, NULL)
        : topic == 9  ? graze_cull(a, &shapes[dice / 16 % 4], dice % 9, one, NULL, NULL)
        : topic == 10 ? graze_inside(a, p, one, how, NULL)
        : topic == 11 ? graze_winding_number(b, p, one, how, NULL)
        : topic == 12 ? graze_sweep(&moves, dice % 3 ? &to : NULL, one, how, NULL)
        : topic == 13 ? graze_sweep_all(&moves, &thrown, &impacts, how, NULL)
        : topic == 14 ? graze_contacts(s->finder, a, b, &contacts, how, NULL)
        : topic == 15 ? graze_pairs(a, b, &some, how, NULL)
                      : graze_sweep(&moves, &thrown, one, how, NULL);
    bool may_be_refused = topic >= 12 || options.budget; /* masks of a motion; the checkpoint */
    CHECK(status == GRAZE_OK || status == GRAZE_UNFINISHED || may_be_refused);
    if (status == GRAZE_UNFINISHED && budget.checkpoint && topic == 0)
        CHECK(graze_pairs(a, b, &pairs, how, NULL) != GRAZE_BAD_INPUT);
}

static void call_some(session *s, uint32_t count)
{
    while (count--) {
        change_body(s, s->bodies[test_random_u32(&s->random) % BODIES]);
        for (int i = 0; i < 3; i++)
            ask_something(s);
    }
}

/* late: models and bodies are there before. */
static void record_session(tape *t, uint64_t seed, uint32_t rounds, bool late)
{
    session s;
    if (!late)
        CHECK(graze_recording_start(write_tape, t, NULL) == GRAZE_OK);
    session_open(&s, seed);
    call_some(&s, late ? rounds : 0);
    if (late)
        CHECK(graze_recording_start(write_tape, t, NULL) == GRAZE_OK);
    call_some(&s, rounds);
    session_close(&s);
    CHECK(graze_recording_stop(NULL) == GRAZE_OK);
}

TEST(random_sessions_are_replayed)
{
    uint64_t count = test_amount(2000, 60);
    for (uint64_t seed = 1; seed <= count; seed++) {
        tape t = {.bytes = NULL};
        record_session(&t, seed, 30, seed % 2);
        check_faithful(&t, seed);
        free(t.bytes);
    }
}

/* A graze_item_fn: asks bodies that are shared. */
static void ask_shared(void *user, size_t item, uint32_t thread)
{
    session *s = user;
    const float from[3] = {-3, 0.01f * (float)item - 1, 0}, to[3] = {3, 0, 0};
    graze_ray ray = graze_ray_between(from, to);
    graze_hit hit;
    (void)thread;
    CHECK(graze_cast(s->bodies[item % 3], &ray, &hit, NULL, NULL) == GRAZE_OK);
}

/* Questions of a batch, and of callers' threads. */
TEST(questions_on_several_threads_are_replayed)
{
    enum { RAYS = 200 };
    static graze_hit hits[RAYS];
    tape t = {.bytes = NULL};
    session s;
    graze_pool *pool = NULL;
    graze_batch *batch = NULL;
    graze_replay_report report;
    graze_pair_list pairs = {.items = NULL};
    session_open(&s, 3);
    REQUIRE(!graze_pool_create(4, NULL, &pool, NULL) && !graze_batch_create(NULL, &batch, NULL));
    graze_options record = {.batch = batch}, run = {.pool = pool};
    CHECK(graze_recording_start(NULL, &t, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_recording_start(write_tape, &t, NULL) == GRAZE_OK);
    CHECK(graze_recording_start(write_tape, &t, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_pairs(s.bodies[0], s.bodies[1], &pairs, &record, NULL) == GRAZE_OK);
    for (int i = 0; i < RAYS; i++) {
        const float from[3] = {-3, 0.01f * (float)i - 1, 0}, to[3] = {3, 0, 0};
        graze_ray ray = graze_ray_between(from, to);
        graze_cast(s.bodies[i % 3], &ray, &hits[i], &record, NULL);
    }
    CHECK(graze_batch_run(batch, &run, NULL) == GRAZE_OK);
    for (int i = 0; i < BODIES; i++)
        graze_body_share(s.bodies[i], NULL);
    CHECK(graze_pool_for_each(pool, RAYS, ask_shared, &s, NULL) == GRAZE_OK);
    for (int i = 0; i < BODIES; i++)
        graze_body_unshare(s.bodies[i], NULL);
    CHECK(graze_recording_stop(NULL) == GRAZE_OK);
    CHECK(graze_recording_stop(NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_batch_run(batch, &run, NULL) == GRAZE_OK);
    check_faithful(&t, 0);
    CHECK(graze_replay(NULL, &t, NULL, &report, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_replay(read_tape, &t, NULL, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(!graze_write_to_file(NULL, &t, 1) && !graze_read_from_file(NULL, &t, 1));
    CHECK(replay(&t, NULL, &report) == GRAZE_OK && report.questions == 2 * RAYS + 1);
    graze_batch_destroy(batch);
    graze_pool_destroy(pool);
    session_close(&s);
    free(t.bytes);
}

/* ---- damage --------------------------------------------------------------------------------- */

static uint32_t word_at(const tape *t, size_t at)
{
    const unsigned char *b = t->bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_word(tape *t, size_t at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        t->bytes[at + (size_t)i] = (unsigned char)(word >> 8 * i);
}

/* The checksum that a record should have: the format says it in words, this does in code. */
static void repair(tape *t, size_t at)
{
    uint64_t hash = word_at(t, at);
    size_t count = word_at(t, at + 4);
    for (size_t i = 0; i < count && at + 12 + 4 * i + 4 <= t->size; i++) {
        hash = (hash ^ word_at(t, at + 12 + 4 * i)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    put_word(t, at + 8, (uint32_t)(hash ^ hash >> 32));
}

static size_t next_record(const tape *t, size_t at)
{
    return at + 12 + 4 * (size_t)word_at(t, at + 4);
}

TEST(a_wrong_answer_is_found_at_its_call)
{
    tape t = {.bytes = NULL};
    uint64_t call = 0, calls[64], asked = 0;
    bool summed[64]; /* its hash is compared */
    graze_replay_report report;
    graze_replay_options first = {.stop_at_first = true};
    record_session(&t, 4, 8, false);
    check_faithful(&t, 0);
    for (size_t at = HEAD; at < t.size; at = next_record(&t, at)) {
        uint32_t kind = word_at(&t, at);
        call += kind < ANSWER;
        if (kind == QUESTION && asked < 64) {
            uint32_t which = word_at(&t, at + 12);
            summed[asked] = !word_at(&t, at + 16) && which != CULL && which != WINDING;
            calls[asked++] = call;
        }
        if (kind != ANSWER || word_at(&t, at + 12 + 12)) /* or there may be more */
            continue;
        size_t wrong = at + 12 + (summed[word_at(&t, at + 12)] ? 24 : 8); /* hash or status */
        put_word(&t, wrong, word_at(&t, wrong) ^ 1);
        repair(&t, at);
        CHECK(replay(&t, NULL, &report) == GRAZE_OK && report.differences == 1);
        CHECK(report.first == calls[word_at(&t, at + 12)] && report.name && report.text[0]);
        CHECK(replay(&t, &first, &report) == GRAZE_OK && report.calls == report.first);
        put_word(&t, wrong, word_at(&t, wrong) ^ 1);
        repair(&t, at);
    }
    check_faithful(&t, 0);
    free(t.bytes);
}

TEST(a_recording_that_is_cut_is_replayed_up_to_there)
{
    tape whole = {.bytes = NULL};
    uint64_t before = 0;
    graze_replay_report report;
    record_session(&whole, 6, 6, true);
    for (size_t size = 0; size < whole.size; size += 1 + size / 97) {
        tape cut = {.bytes = whole.bytes, .size = size};
        graze_status status = replay(&cut, NULL, &report);
        CHECK(status == (size < HEAD ? GRAZE_BAD_INPUT : GRAZE_OK));
        CHECK(size < HEAD || report.truncated);
        CHECK(!report.differences && report.calls >= before);
        before = report.calls;
    }
    free(whole.bytes);
}

/* Every second one has its checksum repaired, so that all that reads it meets what is wrong. */
TEST(flipped_bits_do_no_harm)
{
    tape t = {.bytes = NULL};
    test_random random = test_random_seed(5);
    graze_replay_report report;
    record_session(&t, 8, 4, true);
    for (int i = 0; i < 2000; i++) {
        size_t bit = test_random_u32(&random) % (8 * t.size), at = HEAD;
        if (bit / 8 >= 12 && bit / 8 < HEAD)
            continue; /* which library it was says nothing */
        tape copy = {.bytes = malloc(t.size), .size = t.size};
        if (!copy.bytes)
            abort();
        memcpy(copy.bytes, t.bytes, t.size);
        copy.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        while (bit / 8 >= HEAD && next_record(&t, at) <= bit / 8)
            at = next_record(&t, at);
        if (i % 2 && bit / 8 >= HEAD)
            repair(&copy, at);
        graze_status status = replay(&copy, NULL, &report);
        CHECK(i % 2 || status || report.truncated);
        CHECK_MSG(status == GRAZE_OK || status == GRAZE_BAD_INPUT || status == GRAZE_OUT_OF_MEMORY,
                  "bit %zu: status %d", bit, (int)status);
        free(copy.bytes);
    }
    free(t.bytes);
}

/* ---- a program that ends -------------------------------------------------------------------- */

static void note_last(void *user, uint64_t number, const char *name)
{
    (void)number;
    *(const char **)user = name;
}

static bool end_here(void *user, const graze_hit *hits, size_t count)
{
    (void)user, (void)hits, (void)count;
    _exit(0);
}

TEST(the_call_in_which_a_program_ends_is_in_the_file)
{
    const char *last = NULL;
    graze_replay_options options = {.before = note_last, .user = &last};
    graze_replay_report report;
    FILE *file = tmpfile();
    REQUIRE(file);
    if (fork() == 0) {
        const float from[3] = {-9, 0, 0}, to[3] = {9, 0, 0};
        graze_hit_list hits = {.report = end_here};
        graze_ray ray = graze_ray_between(from, to);
        session s;
        graze_recording_start(graze_write_to_file, file, NULL);
        session_open(&s, 2);
        for (int i = 0; i < 1000; i++, ray.origin[1] += 0.001f)
            graze_cast_all(s.bodies[1], &ray, &hits, NULL, NULL);
        _exit(1);
    }
    int code = 1;
    CHECK(wait(&code) > 0 && code == 0);
    rewind(file);
    CHECK(graze_replay(graze_read_from_file, file, &options, &report, NULL) == GRAZE_OK);
    CHECK(report.truncated && report.unanswered == 1 && !report.differences);
    CHECK(last && strcmp(last, "graze_cast_all") == 0);
    fclose(file);
}
