/* Smallest enclosing balls: minimal against brute force over all supports, and never a point
 * outside, on random, lattice, degenerate, far and large inputs.
 */
#include "harness.h"
#include "tree/ball.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { FEW = 12, MANY = 200000 };

static float many_points[3 * MANY];
static uint32_t many_indices[MANY], many_order[MANY];

static long double distance_to(const float *point, const long double centre[3])
{
    long double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (point[k] - centre[k]) * (point[k] - centre[k]);
    return sqrtl(sum);
}

/* The centre of the sphere through the points, in their affine hull, by Gauss elimination of the
 * Gram matrix; false if they are dependent.
 */
static bool circumcenter(const float *points[], int count, long double centre[3])
{
    long double edge[3][3], m[3][4], solution[3];
    int n = count - 1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            edge[i][k] = (long double)points[i + 1][k] - points[0][k];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            m[i][j] =
                2 * (edge[i][0] * edge[j][0] + edge[i][1] * edge[j][1] + edge[i][2] * edge[j][2]);
        m[i][n] = m[i][i] / 2;
    }
    for (int i = 0; i < n; i++) {
        int pivot = i;
        for (int j = i + 1; j < n; j++)
            pivot = fabsl(m[j][i]) > fabsl(m[pivot][i]) ? j : pivot;
        if (m[pivot][i] == 0)
            return false;
        for (int k = 0; k <= n; k++) {
            long double swap = m[i][k];
            m[i][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (int j = i + 1; j < n; j++) {
            long double factor = m[j][i] / m[i][i];
            for (int k = i; k <= n; k++)
                m[j][k] -= factor * m[i][k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        solution[i] = m[i][n];
        for (int k = i + 1; k < n; k++)
            solution[i] -= m[i][k] * solution[k];
        solution[i] /= m[i][i];
    }
    for (int k = 0; k < 3; k++) {
        centre[k] = points[0][k];
        for (int i = 0; i < n; i++)
            centre[k] += solution[i] * edge[i][k];
    }
    return true;
}

/* The smallest radius over the centres that all subsets of one to four points give. */
static long double brute_force_radius(const float *points, uint32_t count)
{
    long double best = HUGE_VALL;
    for (uint32_t subset = 1; subset < 1u << count; subset++) {
        const float *members[4];
        int size = 0;
        for (uint32_t i = 0; i < count && size <= 4; i++)
            if (subset >> i & 1) {
                if (size < 4)
                    members[size] = points + 3 * i;
                size++;
            }
        long double centre[3], radius = 0;
        if (size > 4 || !circumcenter(members, size, centre))
            continue;
        for (uint32_t i = 0; i < count; i++)
            radius = fmaxl(radius, distance_to(points + 3 * i, centre));
        best = fminl(best, radius);
    }
    return best;
}

static void check_contained(const float *points, const uint32_t *indices, uint32_t count,
                            const grazei_ball *ball)
{
    grazei_ball_float rounded = grazei_ball_round(ball, points, indices, count);
    long double centre[3], float_centre[3], farthest = 0, float_farthest = 0;
    for (int k = 0; k < 3; k++) {
        centre[k] = ball->centre[k];
        float_centre[k] = rounded.centre[k];
    }
    for (uint32_t i = 0; i < count; i++) {
        farthest = fmaxl(farthest, distance_to(points + 3 * indices[i], centre));
        float_farthest = fmaxl(float_farthest, distance_to(points + 3 * indices[i], float_centre));
    }
    CHECK_MSG(farthest <= ball->radius, "a point is at %.20Lg, the radius is %.20g", farthest,
              ball->radius);
    CHECK_MSG(ball->radius <= farthest * (1 + 6 * DBL_EPSILON),
              "the radius %.20g is larger than %.20Lg needs", ball->radius, farthest);
    CHECK_MSG(float_farthest <= rounded.radius, "a point is at %.20Lg, the float radius is %.9g",
              float_farthest, rounded.radius);
    CHECK(nextafterf(rounded.radius, 0) <= float_farthest * (1 + 6 * DBL_EPSILON));
}

static grazei_ball ball_of(const float *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        many_indices[i] = i;
    grazei_ball ball = grazei_ball_enclose(points, many_indices, count, many_order);
    check_contained(points, many_indices, count, &ball);
    return ball;
}

/* The ball of the points is minimal up to a relative tolerance, in this order and backwards. */
static void check_minimal(float *points, uint32_t count, double tolerance)
{
    long double expected = brute_force_radius(points, count);
    for (int turn = 0; turn < 2; turn++) {
        grazei_ball ball = ball_of(points, count);
        CHECK_MSG(ball.radius <= expected * (1 + tolerance),
                  "radius %.17g of %u points, brute force %.17Lg", ball.radius, count, expected);
        for (uint32_t i = 0; i < count / 2; i++)
            for (int k = 0; k < 3; k++) {
                float swap = points[3 * i + k];
                points[3 * i + k] = points[3 * (count - 1 - i) + k];
                points[3 * (count - 1 - i) + k] = swap;
            }
    }
}

static void random_points(test_random *random, float *points, uint32_t count, double size)
{
    for (uint32_t i = 0; i < 3 * count; i++)
        points[i] = (float)test_random_range(random, -size, size);
}

static void sphere_point(test_random *random, float *point, double radius)
{
    double direction[3], length;
    do {
        for (int k = 0; k < 3; k++)
            direction[k] = test_random_range(random, -1, 1);
        length = sqrt(direction[0] * direction[0] + direction[1] * direction[1] +
                      direction[2] * direction[2]);
    } while (length > 1 || length < 0.1);
    for (int k = 0; k < 3; k++)
        point[k] = (float)(radius * direction[k] / length);
}

TEST(one_point_has_radius_zero)
{
    const float point[3] = {1.5f, -2, 3e20f};
    grazei_ball ball = ball_of(point, 1);
    CHECK(ball.radius == 0);
    CHECK(ball.centre[0] == 1.5 && ball.centre[1] == -2 && ball.centre[2] == point[2]);
    CHECK(grazei_ball_round(&ball, point, many_indices, 1).radius == 0);
}

TEST(two_points_have_their_middle)
{
    const float points[6] = {1, 2, 3, 5, 2, 3};
    grazei_ball ball = ball_of(points, 2);
    CHECK(ball.centre[0] == 3 && ball.centre[1] == 2 && ball.centre[2] == 3);
    CHECK(ball.radius >= 2 && ball.radius <= 2 * (1 + 1e-14));
}

TEST(duplicates_change_nothing)
{
    const float once[9] = {0, 0, 0, 1, 0, 0, 0.2f, 0.9f, 0};
    float often[9 * 30];
    for (int i = 0; i < 30; i++)
        memcpy(often + 9 * i, once, sizeof once);
    CHECK(fabs(ball_of(once, 3).radius - ball_of(often, 90).radius) < 1e-12);

    for (int i = 0; i < 60; i++)
        memcpy(often + 3 * i, once + 3, 3 * sizeof(float));
    CHECK(ball_of(often, 60).radius == 0);
}

TEST(indices_choose_the_points)
{
    const float points[12] = {0, 0, 0, 900, 900, 900, 2, 0, 0, -900, 0, 0};
    const uint32_t indices[3] = {2, 0, 2};
    uint32_t order[3];
    grazei_ball ball = grazei_ball_enclose(points, indices, 3, order);
    check_contained(points, indices, 3, &ball);
    CHECK(ball.centre[0] == 1 && ball.centre[1] == 0 && ball.centre[2] == 0);
}

TEST(few_random_points)
{
    test_random random = test_random_seed(1);
    float points[3 * FEW];
    for (int n = 0; n < 400; n++) {
        uint32_t count = 1 + test_random_u32(&random) % FEW;
        random_points(&random, points, count, pow(10, test_random_range(&random, -6, 6)));
        check_minimal(points, count, 1e-9);
    }
}

TEST(few_lattice_points)
{
    test_random random = test_random_seed(2);
    float points[3 * FEW];
    for (int n = 0; n < 600; n++) {
        uint32_t count = 2 + test_random_u32(&random) % (FEW - 1);
        uint32_t size = 2 + test_random_u32(&random) % 4;
        for (uint32_t i = 0; i < 3 * count; i++)
            points[i] = (float)(test_random_u32(&random) % size);
        check_minimal(points, count, 1e-9);
    }
}

TEST(few_flat_or_collinear_points)
{
    test_random random = test_random_seed(3);
    float points[3 * FEW];
    for (int n = 0; n < 400; n++) {
        uint32_t count = 2 + test_random_u32(&random) % (FEW - 1);
        double noise = n % 4 < 2 ? 0 : pow(10, test_random_range(&random, -12, -3));
        bool flat = n % 2 == 0;
        for (uint32_t i = 0; i < count; i++) {
            double s = test_random_range(&random, -1, 1), t = test_random_range(&random, -1, 1);
            points[3 * i + 0] = (float)s;
            points[3 * i + 1] = (float)(flat ? t : 2 * s);
            points[3 * i + 2] = (float)(flat ? s + t : 0.5 * s) +
                                (float)(noise * test_random_range(&random, -1, 1));
        }
        check_minimal(points, count, 1e-9);
    }
}

TEST(few_cospherical_points)
{
    test_random random = test_random_seed(4);
    float points[3 * FEW];
    for (int n = 0; n < 300; n++) {
        uint32_t count = 4 + test_random_u32(&random) % (FEW - 3);
        for (uint32_t i = 0; i < count; i++)
            sphere_point(&random, points + 3 * i, 3);
        check_minimal(points, count, 1e-9);
    }
}

TEST(needles_and_close_pairs)
{
    test_random random = test_random_seed(5);
    float points[3 * FEW];
    for (int n = 0; n < 400; n++) {
        uint32_t half = 2 + test_random_u32(&random) % 4;
        double gap = pow(10, test_random_range(&random, -7, -1));
        random_points(&random, points, half, 1);
        for (uint32_t i = 0; i < 3 * half; i++)
            points[3 * half + i] = points[i] + (float)(gap * test_random_range(&random, -1, 1));
        check_minimal(points, 2 * half, 1e-9);
    }
}

TEST(far_from_the_origin)
{
    test_random random = test_random_seed(6);
    float points[3 * FEW];
    for (int n = 0; n < 400; n++) {
        uint32_t count = 2 + test_random_u32(&random) % (FEW - 1);
        random_points(&random, points, count, n % 2 ? 100 : 1e-3);
        for (uint32_t i = 0; i < 3 * count; i++)
            points[i] += n % 3 == 0 && i / 3 % 2 ? 0.0f : 1e6f;
        /* floats near 1e6 are 1/16 apart, the centre is good to 1e-10 */
        check_minimal(points, count, 1e-8);
    }
}

TEST(huge_tiny_and_subnormal_coordinates)
{
    test_random random = test_random_seed(7);
    float points[3 * FEW];
    const double sizes[5] = {1e38, 1e15, 1e-30, 1e-40, 5e-45};
    for (int n = 0; n < 400; n++) {
        uint32_t count = 1 + test_random_u32(&random) % FEW;
        random_points(&random, points, count, sizes[n % 5]);
        check_minimal(points, count, 1e-9);
        for (uint32_t i = 0; i < 3 * count; i++)
            if (test_random_u32(&random) % 2)
                points[i] = (float)test_random_range(&random, -1, 1);
        check_minimal(points, count, 1e-9);
    }
}

TEST(lattice_cube)
{
    uint32_t count = 0;
    for (int x = 0; x < 30; x++)
        for (int y = 0; y < 30; y++)
            for (int z = 0; z < 30; z++) {
                many_points[3 * count] = (float)x;
                many_points[3 * count + 1] = (float)y;
                many_points[3 * count++ + 2] = (float)z;
            }
    grazei_ball ball = ball_of(many_points, count);
    CHECK_MSG(fabs(ball.radius - 14.5 * sqrt(3)) < 1e-11, "radius %.17g", ball.radius);
}

/* Many points inside and on a sphere of known radius, four of them a support of it. */
static void check_many_on_sphere(uint64_t seed, double share_on_sphere, uint32_t count)
{
    const float corners[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    test_random random = test_random_seed(seed);
    double radius = sqrt(3);
    for (uint32_t i = 0; i < count; i++) {
        bool on = test_random_unit(&random) < share_on_sphere;
        sphere_point(&random, many_points + 3 * i,
                     radius * (on ? 1 - 1e-7 : cbrt(test_random_unit(&random))));
    }
    memcpy(many_points + 3 * (count / 2), corners, sizeof corners);
    grazei_ball ball = ball_of(many_points, count);
    CHECK_MSG(fabs(ball.radius - radius) < 3e-7, "radius %.17g", ball.radius);
}

TEST(many_points_in_a_ball)
{
    check_many_on_sphere(8, 0, MANY);
}

TEST(many_points_on_a_sphere)
{
    check_many_on_sphere(9, 1, MANY);
}

TEST(many_points_of_both)
{
    for (uint32_t count = 10; count < MANY; count *= 3)
        check_many_on_sphere(10 + count, 0.3, count);
}

/* A large set has the ball of the points on its boundary, by brute force over those. */
TEST(many_random_points)
{
    test_random random = test_random_seed(11);
    for (int n = 0; n < 40; n++) {
        uint32_t count = 1000 + test_random_u32(&random) % 10000, shell = 0;
        float boundary[3 * FEW];
        random_points(&random, many_points, count, 10);
        for (uint32_t i = 0; i < count; i++)
            many_points[3 * i] *= n % 2 ? 1.0f : 0.05f;
        grazei_ball ball = ball_of(many_points, count);
        long double centre[3] = {ball.centre[0], ball.centre[1], ball.centre[2]};
        for (uint32_t i = 0; i < count && shell < FEW; i++)
            if (distance_to(many_points + 3 * i, centre) > ball.radius * (1 - 1e-10))
                memcpy(boundary + 3 * shell++, many_points + 3 * i, 3 * sizeof(float));
        REQUIRE(shell >= 2);
        CHECK(ball.radius <= brute_force_radius(boundary, shell) * (1 + 1e-9));
    }
}

TEST(same_input_same_bits)
{
    test_random random = test_random_seed(12);
    random_points(&random, many_points, 5000, 1);
    grazei_ball a = ball_of(many_points, 5000), b = ball_of(many_points, 5000);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}
