/* How much of a heavy loop to run: all of it, or a part where time is dear. */
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

/* True under the address sanitizer and where GRAZE_TEST_QUICK is set. */
static inline bool test_is_quick(void)
{
    return TEST_IS_SANITIZED || getenv("GRAZE_TEST_QUICK") != NULL;
}

static inline uint32_t test_amount(uint32_t full, uint32_t quick)
{
    return test_is_quick() ? quick : full;
}

#endif
