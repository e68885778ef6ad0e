/* Self-collision of batches on a CUDA device, without one: the kernels' text, and the kernels
 * themselves run on the host by a driver that is none (tests/cuda), against batches of the CPU.
 * With a device at hand, the same comparison runs there.
 */
#include "cuda/open_fake.h"
#include "self.h"
#include "support/pose_sets.h"
#include "support/quick.h"

#include <graze/batch_cuda.h>

#include <math.h>

OWN_POINTER(graze_pose_cuda, graze_pose_cuda_destroy)

/* Everything is rounded once, and nothing is called or kept on a stack. */
static void read_text(const char *ptx, const char *version, const char *target)
{
    static const char *const kernels[] = {
        "place_joints",  "pose_vertices",  "check_loose",    "grid_boxes",   "meet_patches",
        "meet_clusters", "meet_triangles", "part_by_planes", "decide_float", "decide_double"};
    static const char *const none[] = {"fma.rn", "fma.rz",  "fma.rp", "mad.f",  "mad.rn",
                                       ".ftz",   ".approx", "call",   ".local", "div.rn"};
    char line[64];
    size_t fused = 0;
    CHECK_MSG(strstr(ptx, version) && strstr(ptx, target), "not %s, %s", version, target);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        snprintf(line, sizeof line, ".visible .entry %s(", kernels[k]);
        CHECK_MSG(strstr(ptx, line), "no kernel %s", kernels[k]);
    }
    CHECK(strstr(ptx, "add.rn.f32") && strstr(ptx, "mul.rn.f64"));
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        CHECK_MSG(!strstr(ptx, none[k]), "the kernels have %s", none[k]);
    /* Vertices go to the grid by one operation, rounded down: three coordinates. */
    for (const char *at = ptx; (at = strstr(at, "fma.")); at++) {
        CHECK(strncmp(at, "fma.rm.f32", 10) == 0);
        fused++;
    }
    CHECK_MSG(fused == 3, "%zu fused operations", fused);
}

TEST(kernels_are_there_and_exact)
{
    read_text(grazei_cuda_self_ptx, ".version 6.3", ".target sm_70");
    read_text(grazei_cuda_self_80_ptx, ".version 7.0", ".target sm_80");
    CHECK(strstr(grazei_cuda_self_80_ptx, "redux.sync.min.s32"));
}

/* What is compared: poses, and how they are asked. */
typedef struct asked {
    const graze_part_filter *filter;
    const uint32_t *mask;
    bool only_new;
    graze_memory_place place;
    size_t memory;   /* of the device; 0: enough */
    double room;     /* share of the usual rates of lists; 0: all */
    size_t capacity; /* pairs a pose */
    graze_pose_cuda_did did;
    uint64_t total;
    size_t bad;
} asked;

static graze_pose_cuda *make(graze_cuda *cuda, const graze_model *model, const asked *how)
{
    graze_error error = {GRAZE_OK, ""};
    graze_pose_cuda *batch = NULL;
    const graze_pose_cuda_def def = {.model = model, .memory = how->memory};
    graze_status status = graze_pose_cuda_create(cuda, &def, &batch, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    for (int q = 0; batch && how->room > 0 && q < SELF_QUEUES; q++)
        batch->rates[q] *= how->room;
    return batch;
}

static const float *move(graze_cuda *cuda, const float *from, size_t floats, graze_memory_place to)
{
    void *memory = NULL;
    if (!from || to == GRAZE_HOST)
        return from;
    CHECK(graze_cuda_allocate(cuda, to, floats * sizeof *from, &memory, NULL) == GRAZE_OK);
    if (to == GRAZE_PINNED)
        memcpy(memory, from, floats * sizeof *from);
    else
        CHECK(graze_cuda_upload(cuda, memory, from, floats * sizeof *from, NULL) == GRAZE_OK);
    return memory;
}

static graze_pose_set move_set(graze_cuda *cuda, const graze_pose_set *set, graze_memory_place to)
{
    graze_pose_set moved = *set;
    const size_t n = set->count;
    moved.joints = move(cuda, set->joints, 12 * set->joint_count * n, to);
    moved.placements = move(cuda, set->placements, 12 * n, to);
    moved.morph_weights = move(cuda, set->morph_weights, set->morph_count * n, to);
    moved.positions = move(cuda, set->positions, 3 * set->vertex_count * n, to);
    return moved;
}

static void give_back(graze_cuda *cuda, const graze_pose_set *set, graze_memory_place place)
{
    const float *const arrays[] = {set->joints, set->placements, set->morph_weights,
                                   set->positions};
    for (int i = 0; i < 4 && place != GRAZE_HOST; i++)
        graze_cuda_free(cuda, place, (void *)(uintptr_t)arrays[i]);
}

/* Asks the device and the CPU, and compares everything. */
static void compare(graze_cuda *cuda, const graze_model *model, const graze_pose_set *set,
                    asked *how, const char *what, uint32_t k)
{
    graze_error error = {GRAZE_OK, ""};
    const size_t capacity = how->capacity ? how->capacity : 25;
    OWN(pose_answers) wanted = pose_answers_make(set->count, model, model, capacity);
    OWN(pose_answers) found = pose_answers_make(set->count, model, model, capacity);
    OWN(graze_pose_batch) *batch = NULL;
    OWN(graze_pose_cuda) *there = make(cuda, model, how);
    const graze_pose_batch_def def = {.model = model, .part_mask = how->mask};
    REQUIRE(there && graze_pose_batch_create(&def, &batch, NULL) == GRAZE_OK);
    CHECK(graze_pose_batch_self(batch, set, how->filter, how->only_new, &wanted.results, NULL) ==
          GRAZE_OK);
    graze_pose_cuda_call call = {.filter = how->filter,
                                 .part_mask = how->mask,
                                 .only_new = how->only_new,
                                 .poses_place = how->place,
                                 .results = found.results};
    call.poses = move_set(cuda, set, how->place);
    graze_status status = graze_pose_cuda_self(there, &call, &error);
    CHECK_MSG(status == GRAZE_OK, "%s %u: %s", what, k, error.text);
    const size_t equal = pose_answers_equal(&wanted, &found);
    CHECK_MSG(equal == set->count, "%s %u: %zu of %zu poses are right", what, k, equal, set->count);
    const graze_pose_results *w = &wanted.results, *f = &call.results;
    CHECK(f->total == w->total && f->not_stored == w->not_stored && f->done == set->count);
    CHECK(f->bad == w->bad && f->first_bad == w->first_bad && !f->bad == !f->why.text[0]);
    /* Counts alone, then marks alone, in memory that is there. */
    OWN(pose_answers) again = pose_answers_make(set->count, model, model, 1);
    call.results = (graze_pose_results){.counts = again.results.counts};
    CHECK(graze_pose_cuda_self(there, &call, NULL) == GRAZE_OK && call.results.total == w->total);
    CHECK(memcmp(again.results.counts, w->counts, set->count * sizeof *w->counts) == 0);
    how->did = call.did;
    call.results = (graze_pose_results){.marks = again.results.marks};
    CHECK(graze_pose_cuda_self(there, &call, NULL) == GRAZE_OK);
    CHECK(memcmp(again.results.marks, w->marks, set->count) == 0);
    give_back(cuda, &call.poses, how->place);
    how->total = w->total;
    how->bad = w->bad;
}

static pose_set_def kind_of(uint32_t k, uint32_t poses)
{
    return (pose_set_def){.seed = 900 + k,
                          .triangles = 30 + 157 * (k % 5),
                          .morphs = k % 4 == 1 ? 3 : 0,
                          .lattice = k % 3 == 2,
                          .placed = k % 2,
                          .positions = k % 5 == 3,
                          .count = poses,
                          .bad_every = k % 3 ? 4 : 0};
}

/* Random models, a third of them on lattices, where triangles lie in one plane, on each other, or
 * are none.
 */
static void compare_kinds(graze_cuda *cuda, uint32_t kinds, uint32_t poses)
{
    uint64_t total = 0, settled = 0;
    for (uint32_t k = 0; k < kinds; k++) {
        const pose_set_def def = kind_of(k, poses);
        OWN(pose_sets) sets = pose_sets_make(&def);
        const uint32_t rows[4] = {2u, 13u, 2u, 0}, mask = 11, one = 6, other = 9;
        const graze_part_sets pair = {&one, &other};
        const graze_part_filter filters[2] = {{.rows = rows, .part_count = 4},
                                              {.pairs = &pair, .pair_count = 1, .part_count = 4}};
        asked how = {.filter = k % 3 == 1 ? &filters[k % 2] : NULL,
                     .mask = k % 4 == 2 ? &mask : NULL,
                     .only_new = k % 2,
                     .place = (graze_memory_place)(k % 3)};
        compare(cuda, sets.model, &sets.set, &how, "kind", k);
        total += how.total;
        settled += how.did.settled;
    }
    CHECK_MSG(total > kinds * poses && settled > kinds, "%u pairs, %u settled", (unsigned)total,
              (unsigned)settled);
}

TEST(pairs_are_those_of_the_cpu)
{
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    REQUIRE(cuda);
    compare_kinds(cuda, test_amount(40, test_sanitized_amount(12)), 5);
    CHECK(driver->launches > 0 && !driver->depth);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

/* On a real device, where there is one. */
TEST(a_device_gives_the_same_pairs)
{
    static graze_error error; /* the skip is told later */
    graze_cuda *cuda = NULL;
    if (graze_cuda_open(0, NULL, &cuda, &error)) {
        CHECK(error.status == GRAZE_UNSUPPORTED && error.text[0]);
        SKIP_ALLOWED(error.text);
    }
    compare_kinds(cuda, 40, 400);
    graze_cuda_close(cuda);
}

/* Lists that run over, memory for a few poses, and for none. */
TEST(too_little_room_is_repaired)
{
    static const struct {
        double room;
        size_t memory;
    } rows[] = {{1e-9, 0}, {0.3, 0}, {1, 600000}, {1e-9, 800000}, {1e-9, 590000}};
    const pose_set_def def = {.seed = 5, .triangles = 300, .count = 6, .bad_every = 5};
    OWN(pose_sets) sets = pose_sets_make(&def);
    uint32_t repeats = 0, pieces = 0;
    size_t on_host = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i += TEST_IS_SANITIZED ? 2 : 1) {
        fake_cuda *driver = fake();
        graze_cuda *cuda = open_fake();
        asked how = {.room = rows[i].room, .memory = rows[i].memory, .capacity = 7};
        compare(cuda, sets.model, &sets.set, &how, "room", i);
        repeats += how.did.repeats;
        pieces += how.did.pieces;
        on_host += how.did.on_host;
        graze_cuda_close(cuda);
        CHECK(all_is_given_back(driver));
    }
    CHECK_MSG(pieces > 5 && repeats > 5 && on_host > 0, "%u pieces, %u repeats, %zu on the host",
              pieces, repeats, on_host);
}

/* Surfaces that were moved far away, torn apart, blown up or shrunk, against brute positions. */
TEST(any_positions_will_do)
{
    static const struct {
        double noise, shift, scale;
    } rows[] = {{0.3, 0, 1},   {3, 0, 1},     {0, 5000, 1},   {0.01, 1e6, 1},
                {0, 0, 1e-13}, {0, 0, 1e-30}, {0.1, 0, 1e15}, {0, 0, 0}};
    pose_set_def def = {.seed = 8, .triangles = 200, .count = 3, .positions = true};
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OWN(pose_sets) sets = pose_sets_make(&def);
        test_random random = test_random_seed(i);
        const size_t numbers = 3 * sets.set.vertex_count * sets.set.count;
        float *positions = (float *)(uintptr_t)sets.set.positions;
        for (size_t n = 0; n < numbers; n++)
            positions[n] = (float)((positions[n] + rows[i].shift +
                                    rows[i].noise * test_random_range(&random, -1, 1)) *
                                   rows[i].scale);
        asked how = {0};
        compare(cuda, sets.model, &sets.set, &how, "positions", i);
        CHECK_MSG(how.total > 0 && how.bad == 0, "row %u: %u pairs", i, (unsigned)how.total);
    }
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

static bool stop_at_once(void *user, size_t done, size_t count)
{
    *(size_t *)user = done;
    CHECK(done < count);
    return false;
}

TEST(progress_stops_between_pieces)
{
    const pose_set_def def = {.seed = 5, .triangles = 300, .count = 30};
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    REQUIRE(cuda);
    {
        OWN(pose_sets) sets = pose_sets_make(&def);
        const asked how = {.memory = 620000};
        OWN(graze_pose_cuda) *batch = make(cuda, sets.model, &how);
        uint8_t marks[30];
        size_t done = 0;
        graze_pose_cuda_call call = {.poses = sets.set};
        call.results =
            (graze_pose_results){.marks = marks, .progress = stop_at_once, .user = &done};
        REQUIRE(batch);
        CHECK(graze_pose_cuda_self(batch, &call, NULL) == GRAZE_UNFINISHED);
        CHECK(done > 0 && done < 30 && call.results.done == done);
        for (size_t n = 0; n < 30; n++)
            CHECK((marks[n] == GRAZE_POSE_LEFT_OUT) == (n >= done));
    }
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

TEST(bad_calls_are_refused)
{
    graze_error error;
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    REQUIRE(cuda);
    const pose_set_def def = {.seed = 3, .triangles = 60, .count = 4},
                       turned = {.seed = 3, .skinning = GRAZE_DUAL, .triangles = 60, .count = 4};
    {
        OWN(pose_sets) sets = pose_sets_make(&def);
        OWN(pose_sets) dual = pose_sets_make(&turned);
        asked how = {0};
        OWN(graze_pose_cuda) *batch = make(cuda, sets.model, &how);
        OWN(graze_pose_cuda) *of_dual = make(cuda, dual.model, &how);
        graze_pose_cuda *none = NULL;
        graze_pose_cuda_def bad_def = {.reserved = {0, 1}, .model = sets.model};
        REQUIRE(batch && of_dual);
        CHECK(graze_pose_cuda_create(cuda, &bad_def, &none, &error) == GRAZE_BAD_INPUT);
        bad_def = (graze_pose_cuda_def){0};
        CHECK(graze_pose_cuda_create(cuda, &bad_def, &none, &error) == GRAZE_BAD_INPUT);
        CHECK(graze_pose_cuda_create(NULL, &bad_def, &none, &error) == GRAZE_BAD_INPUT);
        graze_pose_cuda_call good = {.poses = sets.set}, bad = good;
        CHECK(graze_pose_cuda_self(NULL, &good, &error) == GRAZE_BAD_INPUT);
        CHECK(graze_pose_cuda_self(batch, NULL, &error) == GRAZE_BAD_INPUT);
        bad.poses.joint_count = 9;
        CHECK(graze_pose_cuda_self(batch, &bad, &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, "9 joints, the model 4"), "%s", error.text);
        bad = good;
        bad.poses_place = (graze_memory_place)7;
        CHECK(graze_pose_cuda_self(batch, &bad, &error) == GRAZE_BAD_INPUT);
        bad = good;
        bad.reserved[1] = 1;
        CHECK(graze_pose_cuda_self(batch, &bad, &error) == GRAZE_BAD_INPUT);
        good.poses = dual.set;
        CHECK(graze_pose_cuda_self(of_dual, &good, &error) == GRAZE_UNSUPPORTED);
        CHECK_MSG(strstr(error.text, "skins linearly alone"), "%s", error.text);
        bad = (graze_pose_cuda_call){.poses = sets.set};
        batch->memory = 1000;
        CHECK(graze_pose_cuda_self(batch, &bad, &error) == GRAZE_OUT_OF_MEMORY);
        CHECK_MSG(strstr(error.text, "does not fit into 1000 bytes"), "%s", error.text);
        bad.poses.count = 0;
        CHECK(graze_pose_cuda_self(batch, &bad, &error) == GRAZE_OK);
    }
    graze_pose_cuda_destroy(NULL);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

/* Every call of the driver fails once: a status with its name, and nothing left behind. */
TEST(calls_that_fail_leave_nothing)
{
    const pose_set_def def = {.seed = 12, .triangles = 40, .count = 3};
    OWN(pose_sets) sets = pose_sets_make(&def);
    uint32_t failures = 0;
    for (uint64_t n = 1; n < 400; n++) {
        graze_error error = {GRAZE_OK, ""};
        graze_cuda *cuda = NULL;
        graze_pose_cuda *batch = NULL;
        fake_cuda *driver = fake();
        driver->fail_at = n;
        driver->failure = n % 2 ? 2 : 719;
        graze_status status = grazei_cuda_open_library(GRAZE_FAKE_CUDA, 0, NULL, &cuda, &error);
        const graze_pose_cuda_def made = {.model = sets.model};
        if (!status)
            status = graze_pose_cuda_create(cuda, &made, &batch, &error);
        graze_pose_cuda_call call = {.poses = sets.set};
        if (!status)
            status = graze_pose_cuda_self(batch, &call, &error);
        graze_pose_cuda_destroy(batch);
        graze_cuda_close(cuda);
        if (status) {
            failures++;
            CHECK(status == (n % 2 ? GRAZE_OUT_OF_MEMORY : GRAZE_UNSUPPORTED));
            CHECK_MSG(strstr(error.text, "CUDA, cu"), "%s", error.text);
        }
        CHECK_MSG(all_is_given_back(driver), "call %u", (unsigned)n);
        if (!driver->failed)
            break;
    }
    CHECK_MSG(failures > 80, "%u failures", failures);
}
