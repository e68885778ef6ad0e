/* How much of a heavy loop to run: a part, so that a program takes seconds, or all of it where
 * GRAZE_TEST_LONG is set, as `make test-all` does for the programs that include this.
 */
#ifndef GRAZE_TESTS_SUPPORT_QUICK_H
#define GRAZE_TESTS_SUPPORT_QUICK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define TEST_IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TEST_IS_SANITIZED 1
#endif
#endif
#ifndef TEST_IS_SANITIZED
#define TEST_IS_SANITIZED 0
#endif

/* True unless GRAZE_TEST_LONG is set, and always under the address sanitizer. */
static inline bool test_is_quick(void)
{
    return TEST_IS_SANITIZED || getenv("GRAZE_TEST_LONG") == NULL;
}

/* True where GRAZE_TEST_BRIEF is set, as for machines that are emulated and for sanitizers: fewer
 * characters, and of golden answers one way to each.
 */
static inline bool test_is_brief(void)
{
    return getenv("GRAZE_TEST_BRIEF") != NULL;
}

/* A quarter under the address sanitizer: for loops that would take most of its stage's time. */
static inline uint32_t test_sanitized_amount(uint32_t quick)
{
    return TEST_IS_SANITIZED ? (quick + 3) / 4 : quick;
}

/* True where GRAZE_TEST_NIGHTLY is set, as `make test-nightly` does for programs that take hours.
 */
static inline bool test_is_nightly(void)
{
    return getenv("GRAZE_TEST_NIGHTLY") != NULL;
}

/* The first in a long run, else the second. */
static inline uint32_t test_amount(uint32_t full, uint32_t quick)
{
    return test_is_quick() ? quick : full;
}

#endif
