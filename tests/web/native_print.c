/* web/wasm/print.c against the C library's printing. */
#include "harness.h"

#include <stdio.h>
#include <string.h>

#define vsnprintf web_vsnprintf
#define snprintf web_snprintf
int web_vsnprintf(char *text, size_t size, const char *format, va_list arguments);
int web_snprintf(char *text, size_t size, const char *format, ...);
#include "../../web/wasm/print.c"
#undef vsnprintf
#undef snprintf

#define SAME(size, ...)                                                                            \
    do {                                                                                           \
        char own[64] = "before", theirs[64] = "before";                                            \
        int count = web_snprintf(own, size, __VA_ARGS__);                                          \
        int wanted = snprintf(theirs, size, __VA_ARGS__);                                          \
        CHECK_MSG(count == wanted && strcmp(own, theirs) == 0, "%s, not %s", own, theirs);         \
    } while (0)

TEST(print_numbers)
{
    static const double values[] = {0,        -0.0,     1,          -1,           0.5,      10,
                                    99999.96, 999999.5, 1e5,        1e6,          123456,   1234565,
                                    1234575,  1e-4,     0.00012345, 9.9999995e-5, 1e18,     1e-18,
                                    1e300,    2.5e-310, 1e-5,       3.4028235e38, 1.17e-38, 0.1f,
                                    1 / 3.0,  INFINITY, 1e9 + 1,    1.00000500001};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        SAME(64, "at %g %.9g %.1g.", values[i], values[i], values[i]);
    SAME(64, "%g", (double)-INFINITY);
    SAME(64, "%g", fabs((double)NAN));
    test_random random = test_random_seed(6);
    for (int i = 0; i < 100000; i++) {
        float value;
        uint32_t bits = test_random_u32(&random);
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            SAME(64, "%g %.9g", (double)value, (double)value);
        double near_one = test_random_range(&random, -2, 2);
        SAME(64, "%g", near_one);
        SAME(64, "%u %d", bits, (int)bits);
    }
}

TEST(print_texts)
{
    for (size_t size = 1; size < 20; size++)
        SAME(size, "%s %u%%", "a text", 4294967295u);
    SAME(64, "%.3s|%.60s|%zu|%d", "shortened", "whole", (size_t)77, -2147483647 - 1);
    SAME(64, "%llu of %llu, %c", 18446744073709551615ull, 0ull, 'x');
    SAME(64, "nothing");
}
