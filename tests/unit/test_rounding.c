/* Directed rounding, and the compiler bug that once broke it (see docs/internals.md). */
#include "harness.h"

#include "math/rounding.h"

static void round_both(const double *x, float *up, float *down)
{
    for (int i = 0; i < 2; i++) {
        up[i] = grazei_round_up(x[i]);
        down[i] = grazei_round_down(x[i]);
    }
}

TEST(rounding_brackets_what_is_rounded)
{
    test_random random = test_random_seed(1);
    for (int i = 0; i < 1000000; i++) {
        double x[2];
        float up[2], down[2];
        for (int k = 0; k < 2; k++)
            x[k] = test_random_range(&random, -1, 1) * (double)(1u << (i % 30));
        round_both(x, up, down);
        for (int k = 0; k < 2; k++) {
            CHECK((double)up[k] >= x[k] && (double)down[k] <= x[k]);
            CHECK(up[k] == down[k] || nextafterf(down[k], FLT_MAX) == up[k]);
        }
    }
}

TEST(rounding_keeps_floats)
{
    CHECK(grazei_round_up(1.5) == 1.5f && grazei_round_down(1.5) == 1.5f);
    CHECK(grazei_round_up(0.1) > grazei_round_down(0.1));
    CHECK(grazei_round_up(-0.1) > grazei_round_down(-0.1));
}

/* Rounding through float of two neighbours at once: what gcc's straight-line vectoriser elides. */
static void __attribute__((noinline)) errors_of(const double *x, double *errors)
{
    errors[0] = x[0] - (double)(float)x[0];
    errors[1] = x[1] - (double)(float)x[1];
}

TEST(rounding_through_float_is_not_elided)
{
    double x[2] = {0.1, 0.3}, errors[2];
    errors_of(x, errors);
    CHECK(errors[0] != 0 && errors[1] != 0);
}
