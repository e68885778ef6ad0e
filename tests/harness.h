/* The test harness. A test registers itself:
 *
 *     TEST(ball_of_two_points)
 *     {
 *         CHECK(radius > 0);
 *     }
 *
 * Each file in tests/ is one program. Its last line is "N passed, N failed, N skipped"; it exits
 * with 1 if a test failed. With GRAZE_TEST_CHECKS set, the line before it says how many checks were
 * made. An argument runs only the tests whose names contain it. With CI set, a skip is a failure
 * unless it is SKIP_ALLOWED: no GPU, no shared models (without those five in all of `make test`, at
 * most). With GRAZE_TEST_FTZ set, each case starts with denormals flushed to zero and read as zero,
 * as games have it (x86 alone).
 */
#ifndef GRAZE_TESTS_HARNESS_H
#define GRAZE_TESTS_HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct test_case {
    const char *name;
    void (*run)(void);
    struct test_case *next;
};

/* On Windows gcc takes printf for Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define TEST_PRINTF gnu_printf
#else
#define TEST_PRINTF printf
#endif

void test_register(struct test_case *test);
bool test_check(bool ok, const char *file, int line, const char *format, ...)
    __attribute__((format(TEST_PRINTF, 4, 5)));
unsigned test_failures(void); /* of the case that runs */
void test_skip(bool allowed, const char *reason);

#define TEST(test_name)                                                                            \
    static void test_run_##test_name(void);                                                        \
    __attribute__((constructor)) static void test_add_##test_name(void)                            \
    {                                                                                              \
        static struct test_case test = {#test_name, test_run_##test_name, 0};                      \
        test_register(&test);                                                                      \
    }                                                                                              \
    static void test_run_##test_name(void)

/* Records a failure and goes on. CHECK_MSG adds printf-style detail; REQUIRE leaves the test. */
#define CHECK(condition) ((void)test_check((condition), __FILE__, __LINE__, "%s", #condition))
#define CHECK_MSG(condition, ...) ((void)test_check((condition), __FILE__, __LINE__, __VA_ARGS__))
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!test_check((condition), __FILE__, __LINE__, "%s", #condition))                        \
            return;                                                                                \
    } while (0)
#define SKIP(reason)                                                                               \
    do {                                                                                           \
        test_skip(false, reason);                                                                  \
        return;                                                                                    \
    } while (0)
#define SKIP_ALLOWED(reason)                                                                       \
    do {                                                                                           \
        test_skip(true, reason);                                                                   \
        return;                                                                                    \
    } while (0)

/* Gives a thing to the case that runs: give_back is called with it when the case ends, of several
 * the last one first. Returns the thing; aborts when out of memory.
 */
void *test_keep(void *thing, void (*give_back)(void *thing));

/* True where GRAZE_TEST_FTZ is set. Cases so small that their squares are no normal numbers are
 * left out then: nothing is promised about them.
 */
bool test_flushes_denormals(void);

/* The folder of the shared models ($GRAZE_MODELS, else ../shared/models from the source tree), or
 * NULL if it is not there or the build reads no glTF.
 */
const char *test_models_folder(void);

/* A small deterministic generator (xorshift64*), so that every failure can be repeated. */
typedef struct test_random {
    uint64_t state;
} test_random;

test_random test_random_seed(uint64_t seed);
uint32_t test_random_u32(test_random *random);
double test_random_unit(test_random *random);                           /* [0, 1) */
double test_random_range(test_random *random, double low, double high); /* [low, high) */

#endif
