/* Moving bounds: never apart where sampling finds an overlap, and little more than that. */
#include "harness.h"
#include "support/quick.h"
#include "sweep/bounds_chapter.h"

#include <math.h>
#include <string.h>

static double between(float start, float end, double time)
{
    return (1 - time) * (double)start + time * (double)end;
}

/* Sizes and places over many orders, coincidences, and things that stand still. */
static float number(test_random *random, uint32_t kind)
{
    double x = test_random_range(random, -1, 1);
    if (kind % 4 == 1)
        x = floor(4 * x);
    if (kind % 4 == 2)
        x = 1e5 + x;
    if (kind % 4 == 3)
        x = ldexp(x, (int)(test_random_u32(random) % 20) - 10);
    return (float)x;
}

static bool boxes_overlap_at(const grazei_moving_box *a, const grazei_moving_box *b, double time)
{
    for (int axis = 0; axis < 3; axis++) {
        double below = between(a->low_negated[0][axis], a->low_negated[1][axis], time) +
                       between(b->high[0][axis], b->high[1][axis], time);
        double above = between(a->high[0][axis], a->high[1][axis], time) +
                       between(b->low_negated[0][axis], b->low_negated[1][axis], time);
        if (below < 0 || above < 0)
            return false;
    }
    return true;
}

static grazei_moving_box random_box(test_random *random, uint32_t kind)
{
    grazei_moving_box box;
    memset(&box, 0, sizeof box);
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < 3; axis++) {
            float p = number(random, kind), q = number(random, kind);
            box.low_negated[end][axis] = -f1_min(p, q);
            box.high[end][axis] = f1_max(p, q);
        }
    if (kind % 11 == 7) {
        box.low_negated[1] = box.low_negated[0];
        box.high[1] = box.high[0];
    }
    return box;
}

TEST(moving_boxes)
{
    test_random random = test_random_seed(1);
    uint32_t count = test_amount(100000, 10000), apart = 0, later = 0, tight = 0;
    for (uint32_t i = 0; i < count; i++) {
        grazei_moving_box a = random_box(&random, i), b = random_box(&random, i);
        float enter, leave, wide_enter, wide_leave, grown_enter, grown_leave;
        bool overlap =
            grazei_moving_boxes_overlap(&a, &b, GRAZEI_MOVING_SLACK_TRIANGLES, &enter, &leave);
        bool wide = grazei_moving_boxes_overlap(&a, &b, GRAZEI_MOVING_SLACK_NODES, &wide_enter,
                                                &wide_leave);
        CHECK(!overlap || (wide && wide_enter <= enter && wide_leave >= leave));
        for (int s = 0; s <= 100; s++)
            if (boxes_overlap_at(&a, &b, 0.01 * s))
                CHECK_MSG(overlap && (double)enter <= 0.01 * s && (double)leave >= 0.01 * s,
                          "boxes %u overlap at %d %%: %d %g %g", i, s, overlap, (double)enter,
                          (double)leave);
        if (overlap && enter > 0)
            tight += boxes_overlap_at(&a, &b, (double)enter + 1e-5);
        apart += !overlap;
        later += overlap && enter > 0;
        /* A box around a enters no later, and leaves no earlier, than a itself. */
        grazei_moving_box grown = a;
        for (int end = 0; end < 2; end++)
            for (int axis = 0; axis < 3; axis++)
                if (test_random_u32(&random) % 2)
                    grown.high[end][axis] += 1e-6f * test_random_u32(&random) * 0x1p-32f;
        CHECK(!overlap || grazei_moving_boxes_overlap(&grown, &b, GRAZEI_MOVING_SLACK_NODES,
                                                      &grown_enter, &grown_leave));
        CHECK(!overlap || (grown_enter <= enter && grown_leave >= leave));
    }
    printf("     %u pairs, %u apart, %u overlap later\n", count, apart, later);
    CHECK(apart > count / 10 && later > count / 20 && 10 * tight > 8 * later);
}

static bool spheres_overlap_at(const grazei_bound a[2], const grazei_bound b[2], double time)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = between(a[0].centre[axis], a[1].centre[axis], time) -
                   between(b[0].centre[axis], b[1].centre[axis], time);
        square += d * d;
    }
    double reach =
        between(a[0].radius, a[1].radius, time) + between(b[0].radius, b[1].radius, time);
    return square <= reach * reach * (1 - 1e-12);
}

/* How far apart the spheres stay, in their size. */
static double least_gap(const grazei_bound a[2], const grazei_bound b[2])
{
    double least = INFINITY;
    for (int s = 0; s <= 1000; s++) {
        double time = 0.001 * s, square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = between(a[0].centre[axis], a[1].centre[axis], time) -
                       between(b[0].centre[axis], b[1].centre[axis], time);
            square += d * d;
        }
        double reach =
            between(a[0].radius, a[1].radius, time) + between(b[0].radius, b[1].radius, time);
        least = fmin(least, (sqrt(square) - reach) / (sqrt(square) + reach));
    }
    return least;
}

TEST(moving_spheres)
{
    test_random random = test_random_seed(2);
    uint32_t count = test_amount(200000, 20000), apart = 0, later = 0, loose = 0;
    for (uint32_t i = 0; i < count; i++) {
        grazei_bound a[2], b[2];
        float enter;
        for (int end = 0; end < 2; end++) {
            f4 p = f4_zero(), q = f4_zero();
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = number(&random, i);
                q[axis] = number(&random, i);
            }
            grazei_bound_set_sphere(&a[end], p, 0x1p-64f + 0.4f * fabsf(number(&random, i % 2)));
            grazei_bound_set_sphere(&b[end], q, 0x1p-64f + 0.4f * fabsf(number(&random, i % 2)));
        }
        if (i % 11 == 7)
            a[1] = a[0];
        bool overlap =
            grazei_moving_spheres_overlap((const grazei_bound *[2]){&a[0], &a[1]},
                                          (const grazei_bound *[2]){&b[0], &b[1]}, &enter);
        for (int s = 0; s <= 100; s++)
            if (spheres_overlap_at(a, b, 0.01 * s))
                CHECK_MSG(overlap && (double)enter <= 0.01 * s,
                          "spheres %u overlap at %d %%: %d %g", i, s, overlap, (double)enter);
        apart += !overlap;
        later += overlap && enter > 0;
        if (overlap && i % 16 == 0)
            loose += least_gap(a, b) > 1e-4;
    }
    printf("     %u pairs, %u apart, %u overlap later\n", count, apart, later);
    CHECK(apart > count / 10 && later > count / 20 && loose == 0);
}
