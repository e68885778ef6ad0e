/* Spheres near points: least squares finds the sphere that points are on, and no sphere near it is
 * better; adjusting never makes F more; angles are those of the C library.
 */
#include "harness.h"

#include "chain/sphere_fit.h"

#include <math.h>

enum { COUNT = 200 };

/* Points near a part of a sphere: those with z above `from`, by its radius. */
static void make_cap(test_random *random, const double centre[3], double radius, double from,
                     double noise, double points[COUNT][3])
{
    for (int i = 0; i < COUNT; i++) {
        double z = test_random_range(random, from, 1), angle = test_random_range(random, 0, 6.2831);
        double r = radius + noise * test_random_range(random, -1, 1), across = sqrt(1 - z * z);
        points[i][0] = centre[0] + r * across * cos(angle);
        points[i][1] = centre[1] + r * across * sin(angle);
        points[i][2] = centre[2] + r * z;
    }
}

static double squares(const grazei_ball *ball, double points[COUNT][3])
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        double d2 = 0;
        for (int k = 0; k < 3; k++)
            d2 += pow(points[i][k] - ball->centre[k], 2);
        sum += pow(ball->radius - sqrt(d2), 2);
    }
    return sum;
}

TEST(least_squares_finds_the_sphere)
{
    test_random random = test_random_seed(5);
    for (int i = 0; i < 20; i++) {
        double centre[3] = {test_random_range(&random, -3, 3), 2, -1}, points[COUNT][3];
        double radius = test_random_range(&random, 0.1, 2),
               from = test_random_range(&random, -1, 0.6);
        make_cap(&random, centre, radius, from, 0, points);
        grazei_ball ball = grazei_fit_least_squares((const double(*)[3])points, COUNT);
        CHECK_MSG(fabs(ball.radius - radius) < 1e-7 * radius, "%g, not %g", ball.radius, radius);
        for (int k = 0; k < 3; k++)
            CHECK(fabs(ball.centre[k] - centre[k]) < 1e-7);
    }
}

TEST(no_sphere_near_that_of_least_squares_is_better)
{
    test_random random = test_random_seed(6);
    for (int i = 0; i < 20; i++) {
        double centre[3] = {1, 2, 3}, points[COUNT][3];
        make_cap(&random, centre, 1, test_random_range(&random, -1, 0.3), 0.2, points);
        grazei_ball ball = grazei_fit_least_squares((const double(*)[3])points, COUNT);
        double least = squares(&ball, points);
        for (int n = 0; n < 40; n++) {
            grazei_ball other = ball;
            for (int k = 0; k < 3; k++)
                other.centre[k] += test_random_range(&random, -0.02, 0.02);
            other.radius += test_random_range(&random, -0.02, 0.02);
            CHECK_MSG(squares(&other, points) >= least * (1 - 1e-6), "%g, not %g",
                      squares(&other, points), least);
        }
    }
}

/* Points in a plane, on a line, at one place: some sphere, with finite numbers. */
TEST(points_that_have_no_sphere_get_one)
{
    double points[COUNT][3] = {{0}}, largest;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < COUNT; i++) {
            points[i][0] = kind > 0 ? i * 0.01 : 1;
            points[i][1] = kind > 1 ? (i * 7 % 50) * 0.01 : 0;
        }
        grazei_ball ball = grazei_fit_least_squares((const double(*)[3])points, COUNT);
        CHECK(isfinite(ball.centre[0] + ball.centre[1] + ball.centre[2] + ball.radius));
        CHECK(isfinite(grazei_misfit(&ball, (const double(*)[3])points, COUNT, &largest)));
    }
}

TEST(adjusting_makes_the_mean_of_f_less)
{
    test_random random = test_random_seed(7);
    for (int i = 0; i < 20; i++) {
        double centre[3] = {0, 0, 0}, points[COUNT][3], scratch[COUNT], largest[2];
        make_cap(&random, centre, 1, -0.4, 0.1, points);
        grazei_ball ball = {{0.2, -0.1, 0.15}, 0.7}, before = ball;
        grazei_leeway leeway = {.directions = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                .direction_count = 3,
                                .limit = i % 2 ? 0.1 : 1,
                                .limits = {1, 1, 1}};
        double old = grazei_misfit(&ball, (const double(*)[3])points, COUNT, &largest[0]);
        grazei_fit_adjust(&ball, (const double(*)[3])points, COUNT, &leeway, scratch);
        double now = grazei_misfit(&ball, (const double(*)[3])points, COUNT, &largest[1]);
        double moved = 0, off = 0;
        for (int k = 0; k < 3; k++) {
            moved += pow(ball.centre[k] - before.centre[k], 2);
            off += pow(ball.centre[k], 2);
        }
        CHECK(now < old && sqrt(moved) <= leeway.limit + 1e-12);
        CHECK_MSG(i % 2 || (sqrt(off) < 0.06 && fabs(ball.radius - 1) < 0.06), "%g %g", sqrt(off),
                  ball.radius);
    }
}

TEST(sines_and_cosines_are_right)
{
    for (int i = 0; i <= 1000; i++) {
        double s, c, angle = 2 * 3.14159265358979323846 * i / 1000;
        grazei_sine_cosine(i / 1000.0, &s, &c);
        CHECK_MSG(fabs(s - sin(angle)) < 1e-14 && fabs(c - cos(angle)) < 1e-14, "%g: %g %g", angle,
                  s, c);
    }
}
