#include "harness.h"

#include "support/denormals.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct test_case *first_test;
static struct test_case **last_link = &first_test;
static unsigned failures_in_test;
static _Atomic unsigned long checks; /* cases with threads check in all of them */
static const char *skip_reason;
static bool skip_is_allowed;

void test_register(struct test_case *test)
{
    *last_link = test;
    last_link = &test->next;
}

bool test_check(bool ok, const char *file, int line, const char *format, ...)
{
    checks++;
    if (ok)
        return true;
    failures_in_test++;
    if (failures_in_test <= 10) {
        va_list arguments;
        va_start(arguments, format);
        fprintf(stderr, "%s:%d: ", file, line);
        vfprintf(stderr, format, arguments);
        fputc('\n', stderr);
        va_end(arguments);
    }
    return false;
}

unsigned test_failures(void)
{
    return failures_in_test;
}

void test_skip(bool allowed, const char *reason)
{
    skip_reason = reason;
    skip_is_allowed = allowed;
}

static struct kept {
    void *thing;
    void (*give_back)(void *thing);
} * kept;
static size_t kept_count, kept_capacity;

void *test_keep(void *thing, void (*give_back)(void *thing))
{
    if (kept_count == kept_capacity) {
        kept_capacity = kept_capacity ? 2 * kept_capacity : 64;
        kept = realloc(kept, kept_capacity * sizeof *kept);
        if (!kept)
            abort();
    }
    kept[kept_count++] = (struct kept){thing, give_back};
    return thing;
}

static void give_back_kept(void)
{
    while (kept_count) {
        struct kept last = kept[--kept_count];
        last.give_back(last.thing);
    }
    free(kept);
    kept = NULL;
    kept_capacity = 0;
}

const char *test_models_folder(void)
{
#if defined(GRAZE_TEST_GLTF)
    const char *folder = getenv("GRAZE_MODELS");
    struct stat status;
    if (!folder)
        folder = GRAZE_TEST_SOURCE_DIR "/../shared/models";
    return stat(folder, &status) == 0 && S_ISDIR(status.st_mode) ? folder : NULL;
#else
    return NULL;
#endif
}

test_random test_random_seed(uint64_t seed)
{
    test_random random = {seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du};
    return random;
}

uint32_t test_random_u32(test_random *random)
{
    uint64_t x = random->state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return (uint32_t)((x * 0x2545F4914F6CDD1Du) >> 32);
}

double test_random_unit(test_random *random)
{
    return test_random_u32(random) * 0x1p-32;
}

double test_random_range(test_random *random, double low, double high)
{
    return low + (high - low) * test_random_unit(random);
}

bool test_flushes_denormals(void)
{
    return getenv("GRAZE_TEST_FTZ") != NULL;
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0, skipped = 0;
    bool flush = test_flushes_denormals();
    bool strict = getenv("CI") != NULL;
    for (struct test_case *test = first_test; test; test = test->next) {
        if (argc > 1 && !strstr(test->name, argv[1]))
            continue;
        failures_in_test = 0;
        skip_reason = NULL;
        test_flush_denormals(flush); /* threads that are started now inherit it */
        test->run();
        give_back_kept();
        test_check(test_flush_denormals(flush) == flush, __FILE__, __LINE__,
                   "%s: denormals are %s after it", test->name,
                   flush ? "no longer flushed" : "flushed");
        if (failures_in_test) {
            printf("FAIL %s (%u)\n", test->name, failures_in_test);
            failed++;
        } else if (skip_reason && strict && !skip_is_allowed) {
            printf("FAIL %s: skipped under CI: %s\n", test->name, skip_reason);
            failed++;
        } else if (skip_reason) {
            printf("skip %s: %s\n", test->name, skip_reason);
            skipped++;
        } else {
            printf("ok   %s\n", test->name);
            passed++;
        }
        fflush(stdout);
    }
    if (getenv("GRAZE_TEST_CHECKS"))
        printf("%lu checks\n", checks);
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed || passed + failed + skipped == 0 ? 1 : 0;
}
