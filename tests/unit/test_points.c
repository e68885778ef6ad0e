/* The nearest of many points against going through all: anywhere, on a lattice, in a plane, round a
 * circle, many at one place.
 */
#include "base/memory.h"
#include "harness.h"
#include "hitbox/points.h"
#include "support/quick.h"

#include <math.h>

enum { MOST = 400, KINDS = 5 };

static void place(int kind, test_random *random, double at[3])
{
    for (int k = 0; k < 3; k++)
        at[k] = test_random_range(random, -1, 1);
    double turn = 4 * at[0];
    for (int k = 0; k < 3 && kind; k++)
        at[k] = kind == 1 ? rint(2 * at[k]) : kind == 2 && k == 2 ? 0.25 : at[k];
    if (kind == 3) {
        at[0] = cos(turn);
        at[1] = sin(turn);
        at[2] = 0;
    }
    for (int k = 0; k < 3 && kind == 4; k++)
        at[k] = at[2] > 0 ? at[k] : 0.5;
}

static uint32_t find_first(const double (*at)[3], uint32_t count, const double to[3], double limit)
{
    uint32_t best = UINT32_MAX;
    double least = limit * limit;
    for (uint32_t i = 0; i < count; i++) {
        double x = at[i][0] - to[0], y = at[i][1] - to[1], z = at[i][2] - to[2];
        double square = (x * x + y * y) + z * z;
        if (square < least) {
            least = square;
            best = i;
        }
    }
    return best;
}

TEST(first_of_the_nearest)
{
    const graze_allocator allocator = graze_default_allocator();
    test_random random = test_random_seed(81);
    static double at[MOST][3];
    uint32_t found = 0, none = 0;
    for (uint32_t n = 0; n < test_amount(2000, 200); n++) {
        grazei_points points = {.at = NULL};
        uint32_t count = 1 + test_random_u32(&random) % MOST;
        for (uint32_t i = 0; i < count; i++)
            place((int)(n % KINDS), &random, at[i]);
        REQUIRE(grazei_points_build(&points, (const double(*)[3])at, count, &allocator));
        for (uint32_t i = 0; i < 50; i++) {
            double to[3], limit = i % 5 ? test_random_range(&random, 0, 2) : INFINITY;
            place(i % 3 ? 0 : (int)(n % KINDS), &random, to);
            if (i % 7 == 0) /* as near to all of a circle */
                to[0] = to[1] = 0;
            uint32_t nearest = grazei_points_nearest(&points, to, limit);
            CHECK(nearest == find_first((const double(*)[3])at, count, to, limit));
            found += nearest != UINT32_MAX;
            none += nearest == UINT32_MAX;
        }
        grazei_release(&allocator, points.order);
    }
    CHECK(found > 100 && none > 100);
}
