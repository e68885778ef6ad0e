/* Batches of poses on a CUDA device, without one: the kernels' text, a driver that is missing, and
 * the kernels themselves run on the host by a driver that is none (tests/cuda). With a device at
 * hand, the same comparison runs there.
 */
#include "cuda/open_fake.h"
#include "support/allocator.h"
#include "support/chain_soup.h"
#include "support/own.h"
#include "support/quick.h"

#include <graze/chain_cuda.h>

#include <math.h>

OWN_POINTER(graze_chain_cuda, graze_chain_cuda_destroy)

TEST(kernels_are_there_and_exact)
{
    static const char *const kernels[] = {"few_poses",     "many_poses_4",       "many_poses_8",
                                          "many_poses_16", "many_poses_12_by_3", "many_poses_any"};
    char line[64];
    CHECK(strstr(grazei_cuda_ptx, ".version 6.3"));
    CHECK(strstr(grazei_cuda_ptx, ".target sm_70"));
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        snprintf(line, sizeof line, ".visible .entry %s(", kernels[k]);
        CHECK_MSG(strstr(grazei_cuda_ptx, line), "no kernel %s", kernels[k]);
    }
    /* Everything is rounded once, as on the host, and nothing is called or kept on a stack. */
    CHECK(strstr(grazei_cuda_ptx, "add.rn.f32") && strstr(grazei_cuda_ptx, "mul.rn.f32"));
    CHECK(strstr(grazei_cuda_ptx, "sqrt.rn.f32"));
    static const char *const none[] = {"fma", ".ftz", ".approx", "call", ".local", ".f64"};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        CHECK_MSG(!strstr(grazei_cuda_ptx, none[k]), "the kernels have %s", none[k]);
    size_t length = strlen(grazei_cuda_ptx);
    CHECK(length > 10000 && grazei_cuda_ptx[length - 2] == '}');
}

TEST(no_driver_is_a_status)
{
    graze_error error = {GRAZE_OK, ""};
    graze_cuda *cuda = NULL;
    CHECK(grazei_cuda_open_library("libno-such-driver.so.1", 0, NULL, &cuda, &error) ==
          GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "there is no CUDA driver") &&
                  strstr(error.text, "libno-such-driver.so.1"),
              "%s", error.text);
    CHECK(!cuda);
    /* A library that is something else. */
    CHECK(grazei_cuda_open_library("libm.so.6", 0, NULL, &cuda, &error) == GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "cuInit"), "%s", error.text);
    CHECK(!cuda);
    CHECK(graze_cuda_open(0, NULL, NULL, &error) == GRAZE_BAD_INPUT);
    graze_cuda_close(NULL);
    graze_chain_cuda_destroy(NULL);
    graze_cuda_free(NULL, GRAZE_DEVICE, NULL);
    CHECK(graze_cuda_get_info(NULL).multiprocessors == 0);
}

/* What is compared: chains, poses and what they should give. */
typedef struct comparison {
    graze_chains *chains;
    graze_chain_batch *batch;
    float *joints;
    chain_soup_answers answers;
    uint32_t joint_count, poses;
} comparison;

static comparison make_bench(const chain_soup_def *def, bool all_pairs, uint32_t poses)
{
    graze_status status;
    comparison made = {
        .chains = chain_soup_make(def, &status), .joint_count = def->joints, .poses = poses};
    test_random random = test_random_seed(def->seed + 7);
    graze_chain_batch_def batch = {0};
    batch.chains = made.chains;
    batch.which = all_pairs;
    CHECK(graze_chain_batch_create(&batch, &made.batch, NULL) == GRAZE_OK);
    made.joints = chain_soup_poses(&random, def->joints, poses);
    made.answers = chain_soup_answer(made.chains, all_pairs, made.joints, poses);
    return made;
}

static void end_bench(comparison *bench)
{
    chain_soup_release(&bench->answers);
    graze_chain_batch_destroy(bench->batch);
    graze_chains_destroy(bench->chains);
    free(bench->joints);
}

static void *upload(graze_cuda *cuda, const void *from, size_t bytes)
{
    void *memory = NULL;
    CHECK(graze_cuda_allocate(cuda, GRAZE_DEVICE, bytes, &memory, NULL) == GRAZE_OK);
    CHECK(graze_cuda_upload(cuda, memory, from, bytes, NULL) == GRAZE_OK);
    return memory;
}

/* Puts host results onto the device, as they are, and takes them back from there. */
static graze_chain_results results_there(graze_cuda *cuda, const graze_chain_results *here,
                                         const chain_soup_answers *answers)
{
    const size_t n = answers->poses;
    graze_chain_results there = *here;
    there.flags = upload(cuda, here->flags, n);
    there.counts = upload(cuda, here->counts, 4 * n);
    there.pairs = upload(cuda, here->pairs, 4 * n * here->pair_capacity);
    there.spheres = upload(cuda, here->spheres, 16 * n * answers->spheres);
    return there;
}

static void take_back(graze_cuda *cuda, const graze_chain_results *here, graze_chain_results *there,
                      const chain_soup_answers *answers)
{
    const size_t n = answers->poses;
    const struct {
        void *here, *there;
        size_t bytes;
    } all[] = {{here->flags, there->flags, n},
               {here->counts, there->counts, 4 * n},
               {here->pairs, there->pairs, 4 * n * here->pair_capacity},
               {here->spheres, there->spheres, 16 * n * answers->spheres}};
    for (size_t i = 0; i < 4; i++) {
        CHECK(graze_cuda_download(cuda, all[i].here, all[i].there, all[i].bytes, NULL) == GRAZE_OK);
        graze_cuda_free(cuda, GRAZE_DEVICE, all[i].there);
    }
}

/* Runs a bench in one of the ways to hand over poses and results, and compares everything. */
static void run_and_compare(graze_cuda *cuda, const comparison *bench,
                            graze_chain_cuda_kernel kernel, graze_memory_place from,
                            graze_memory_place to, uint32_t capacity)
{
    const size_t bytes = 48 * (size_t)bench->joint_count * bench->poses;
    graze_error error = {GRAZE_OK, ""};
    OWN(graze_chain_cuda) *chains = NULL;
    graze_status status =
        graze_chain_cuda_create(cuda, graze_chain_batch_tables(bench->batch), &chains, &error);
    CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    REQUIRE(chains);
    graze_chain_results here = chain_soup_results(&bench->answers, capacity), there = here;
    graze_chain_cuda_times times;
    graze_chain_cuda_call call = {0};
    void *moved = NULL;
    call.joints = bench->joints;
    if (from == GRAZE_DEVICE)
        call.joints = moved = upload(cuda, bench->joints, bytes);
    if (from == GRAZE_PINNED) {
        CHECK(graze_cuda_allocate(cuda, GRAZE_PINNED, bytes, &moved, NULL) == GRAZE_OK);
        memcpy(moved, bench->joints, bytes);
        call.joints = moved;
    }
    if (to == GRAZE_DEVICE)
        there = results_there(cuda, &here, &bench->answers);
    call.joints_place = from;
    call.results = there;
    call.results_place = to;
    call.pose_count = bench->poses;
    call.kernel = kernel;
    call.times = &times;
    for (int again = 0; again < 2; again++) {
        status = graze_chain_cuda_run(chains, &call, &error);
        CHECK_MSG(status == GRAZE_OK, "%s", error.text);
    }
    CHECK(times.kernel > 0);
    if (to == GRAZE_DEVICE)
        take_back(cuda, &here, &there, &bench->answers);
    const uint32_t right = chain_soup_compare(&bench->answers, &here);
    CHECK_MSG(right == bench->poses, "kernel %d from %d to %d: %u of %u poses are right",
              (int)kernel, (int)from, (int)to, right, bench->poses);
    graze_cuda_free(cuda, from, moved);
    chain_soup_release_results(&here);
}

/* Chains of many kinds through every kernel. */
static void compare_kinds(graze_cuda *cuda, uint32_t kinds, uint32_t poses)
{
    for (uint32_t k = 0; k < kinds; k++) {
        static const uint32_t pivots[] = {4, 8, 4, 16, 3, 20, 6};
        chain_soup_def def = chain_soup_usual();
        def.seed = 300 + k;
        def.vertices_per_pivot = k % 2 ? 1 : 3;
        def.most_pivots = pivots[k % 7];
        def.most_influences = 1 + k % 5;
        def.joints = 1 + 5 * k % 28;
        def.spheres = 3 + 11 * k % 40;
        comparison bench = make_bench(&def, k % 3 == 0, poses + k);
        for (int kernel = GRAZE_KERNEL_BEST; kernel <= GRAZE_KERNEL_LANE_PLAIN; kernel++)
            run_and_compare(cuda, &bench, (graze_chain_cuda_kernel)kernel,
                            (graze_memory_place)((k + (uint32_t)kernel) % 3),
                            (graze_memory_place)(k % 2), 1 + k % 30);
        end_bench(&bench);
    }
}

TEST(every_kernel_gives_the_same_bits)
{
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    REQUIRE(cuda);
    compare_kinds(cuda, test_amount(28, 7), 33);
    CHECK(driver->launches > 0 && !driver->depth);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

/* On a real device, where there is one. */
TEST(a_device_gives_the_same_bits)
{
    static graze_error error; /* the skip is told later */
    graze_cuda *cuda = NULL;
    if (graze_cuda_open(0, NULL, &cuda, &error)) {
        CHECK(error.status == GRAZE_UNSUPPORTED && error.text[0]);
        SKIP_ALLOWED(error.text);
    }
    compare_kinds(cuda, 28, 1500);
    graze_cuda_close(cuda);
}

/* Many small pieces on two streams, from host memory that is copied by threads. */
TEST(pieces_come_together)
{
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    REQUIRE(cuda);
    graze_pool *pool = NULL;
    graze_chain_cuda *chains = NULL;
    chain_soup_def def = chain_soup_usual();
    comparison bench = make_bench(&def, true, 170);
    REQUIRE(graze_pool_create(2, NULL, &pool, NULL) == GRAZE_OK);
    REQUIRE(graze_chain_cuda_create(cuda, graze_chain_batch_tables(bench.batch), &chains, NULL) ==
            GRAZE_OK);
    chains->piece_bytes = 48 * 11 * 32;
    for (int wanted = 0; wanted < 16; wanted += 1 + 2 * (wanted % 2)) {
        graze_chain_results all = chain_soup_results(&bench.answers, 6);
        graze_chain_cuda_call call = {0};
        call.joints = bench.joints;
        call.pose_count = bench.poses;
        call.pool = pool;
        call.results.flags = wanted & 1 ? all.flags : NULL;
        call.results.counts = wanted & 2 ? all.counts : NULL;
        call.results.pairs = wanted & 4 ? all.pairs : NULL;
        call.results.spheres = wanted & 8 ? all.spheres : NULL;
        call.results.pair_capacity = 6;
        driver->launches = 0;
        CHECK(graze_chain_cuda_run(chains, &call, NULL) == GRAZE_OK);
        CHECK(driver->launches > 4 || wanted == 0);
        CHECK(chain_soup_compare(&bench.answers, &call.results) == bench.poses);
        chain_soup_release_results(&all);
    }
    graze_chain_cuda_destroy(chains);
    graze_pool_destroy(pool);
    end_bench(&bench);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
}

TEST(devices_that_will_not_do_are_refused)
{
    graze_error error;
    graze_cuda *cuda = NULL;
    fake_cuda *driver = fake();
    driver->devices = 0;
    CHECK(grazei_cuda_open_library(GRAZE_FAKE_CUDA, 0, NULL, &cuda, &error) == GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "no CUDA device 0: the driver has 0"), "%s", error.text);
    driver = fake();
    CHECK(grazei_cuda_open_library(GRAZE_FAKE_CUDA, 3, NULL, &cuda, &error) == GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "no CUDA device 3: the driver has 1"), "%s", error.text);
    driver->capability_major = 6;
    CHECK(grazei_cuda_open_library(GRAZE_FAKE_CUDA, 0, NULL, &cuda, &error) == GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "compute capability 6.0: 7.0 is needed"), "%s", error.text);
    CHECK(!cuda && all_is_given_back(driver));

    /* So little shared memory that poses are done a block each, or not at all. */
    chain_soup_def def = chain_soup_usual();
    comparison bench = make_bench(&def, true, 40);
    driver = fake();
    driver->block_memory = 8192;
    cuda = open_fake();
    REQUIRE(cuda);
    CHECK(graze_cuda_get_info(cuda).block_memory == 8192);
    CHECK(strcmp(graze_cuda_get_info(cuda).name, "the host") == 0);
    CHECK(graze_cuda_get_info(cuda).bandwidth == 16e6);
    run_and_compare(cuda, &bench, GRAZE_KERNEL_LANE_A_POSE, GRAZE_DEVICE, GRAZE_DEVICE, 3);
    CHECK_MSG(strcmp(driver->kernel, "few_poses") == 0, "%s", driver->kernel);
    graze_cuda_close(cuda);
    driver->block_memory = 1024;
    cuda = open_fake();
    graze_chain_cuda *chains = NULL;
    CHECK(graze_chain_cuda_create(cuda, graze_chain_batch_tables(bench.batch), &chains, &error) ==
          GRAZE_UNSUPPORTED);
    CHECK_MSG(strstr(error.text, "1024") && !chains, "%s", error.text);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
    end_bench(&bench);
}

/* Every call of the driver fails once: a status with its name, and nothing left behind. */
TEST(calls_that_fail_leave_nothing)
{
    chain_soup_def def = chain_soup_usual();
    comparison bench = make_bench(&def, true, 40);
    graze_chain_results results = chain_soup_results(&bench.answers, 3);
    uint32_t failures = 0;
    for (uint64_t n = 1; n < 300; n++) {
        graze_error error = {GRAZE_OK, ""};
        graze_cuda *cuda = NULL;
        graze_chain_cuda *chains = NULL;
        fake_cuda *driver = fake();
        driver->fail_at = n;
        driver->failure = n % 2 ? 2 : 719;
        graze_status status = grazei_cuda_open_library(GRAZE_FAKE_CUDA, 0, NULL, &cuda, &error);
        if (!status)
            status = graze_chain_cuda_create(cuda, graze_chain_batch_tables(bench.batch), &chains,
                                             &error);
        if (!status) {
            graze_chain_cuda_times times;
            graze_chain_cuda_call call = {0};
            call.joints = bench.joints;
            call.pose_count = bench.poses;
            call.results = results;
            call.times = &times;
            chains->piece_bytes = 48 * 11 * 32;
            status = graze_chain_cuda_run(chains, &call, &error);
        }
        graze_chain_cuda_destroy(chains);
        graze_cuda_close(cuda);
        if (status) {
            failures++;
            CHECK(status == (n % 2 ? GRAZE_OUT_OF_MEMORY : GRAZE_UNSUPPORTED));
            CHECK_MSG(strstr(error.text, "CUDA, cu") &&
                          strstr(error.text, n % 2 ? "out of memory" : "launch failure"),
                      "%s", error.text);
        }
        CHECK_MSG(all_is_given_back(driver), "call %u", (unsigned)n);
        if (!driver->failed)
            break;
    }
    CHECK_MSG(failures > 50, "%u failures", failures);
    chain_soup_release_results(&results);
    end_bench(&bench);
}

TEST(bad_calls_are_refused)
{
    graze_error error;
    chain_soup_def def = chain_soup_usual();
    comparison bench = make_bench(&def, false, 1);
    fake_cuda *driver = fake();
    graze_cuda *cuda = open_fake();
    graze_chain_cuda *chains = NULL;
    void *memory = NULL;
    uint32_t pair;
    REQUIRE(cuda);
    const graze_chain_tables *tables = graze_chain_batch_tables(bench.batch);
    CHECK(graze_chain_cuda_create(NULL, tables, &chains, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_chain_cuda_create(cuda, NULL, &chains, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_chain_cuda_create(cuda, tables, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_allocate(cuda, GRAZE_HOST, 8, &memory, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_allocate(cuda, GRAZE_DEVICE, 0, &memory, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_allocate(cuda, GRAZE_DEVICE, 8, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_allocate(NULL, GRAZE_DEVICE, 8, &memory, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_upload(cuda, NULL, &pair, 4, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_upload(NULL, &pair, &pair, 4, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_cuda_upload(cuda, NULL, NULL, 0, &error) == GRAZE_OK);
    CHECK(graze_cuda_download(cuda, &pair, NULL, 4, &error) == GRAZE_BAD_INPUT);
    REQUIRE(graze_chain_cuda_create(cuda, tables, &chains, &error) == GRAZE_OK);

    const graze_chain_cuda_call good = {.joints = bench.joints, .pose_count = 1};
    graze_chain_cuda_call bad[9];
    for (int i = 0; i < 9; i++)
        bad[i] = good;
    static const char *const words[] = {"joints is NULL", "no pairs",   "16 bytes",
                                        "kernel 9",       "33 threads", "1056 threads",
                                        "place 7",        "place 8",    "results on the device"};
    bad[0].joints = NULL;
    bad[1].results.pairs = &pair;
    bad[2].joints_place = GRAZE_DEVICE;
    bad[2].joints = bench.joints + 1;
    bad[3].kernel = (graze_chain_cuda_kernel)9;
    bad[4].threads = 33;
    bad[5].threads = 1056;
    bad[6].joints_place = (graze_memory_place)7;
    bad[7].results_place = (graze_memory_place)8;
    bad[8].results_place = GRAZE_DEVICE;
    bad[8].results.spheres = bench.joints + 1;
    for (int i = 0; i < 9; i++) {
        CHECK(graze_chain_cuda_run(chains, &bad[i], &error) == GRAZE_BAD_INPUT);
        CHECK_MSG(strstr(error.text, words[i]), "%s", error.text);
    }
    CHECK(graze_chain_cuda_run(NULL, &good, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_chain_cuda_run(chains, NULL, &error) == GRAZE_BAD_INPUT);
    graze_chain_cuda_call nothing = {.pose_count = 0};
    CHECK(graze_chain_cuda_run(chains, &nothing, &error) == GRAZE_OK && driver->launches == 0);
    graze_chain_cuda_destroy(chains);
    graze_cuda_close(cuda);
    CHECK(all_is_given_back(driver));
    end_bench(&bench);
}

/* Bad poses are marked as on the host, by every kernel. */
TEST(bad_poses_are_marked)
{
    chain_soup_def def = chain_soup_usual();
    enum { POSES = 40 };
    graze_cuda *cuda = (fake(), open_fake());
    comparison bench = make_bench(&def, false, POSES);
    REQUIRE(cuda);
    static const float bad[] = {NAN, INFINITY, -INFINITY, 1e30f, -3e38f};
    for (uint32_t k = 0; k < 5; k++)
        bench.joints[12 * ((size_t)def.joints * (7 * k) + k % 4) + 3 + 4 * (k % 3)] = bad[k];
    chain_soup_release(&bench.answers);
    bench.answers = chain_soup_answer(bench.chains, false, bench.joints, POSES);
    CHECK(bench.answers.flags[0] == GRAZE_CHAIN_BAD_POSE);
    for (int kernel = GRAZE_KERNEL_BLOCK_A_POSE; kernel <= GRAZE_KERNEL_LANE_PLAIN; kernel++)
        run_and_compare(cuda, &bench, (graze_chain_cuda_kernel)kernel, GRAZE_DEVICE, GRAZE_DEVICE,
                        4);
    end_bench(&bench);
    graze_cuda_close(cuda);
}
