/* Orientation predicates against big integers. A float32 is an integer times a power of two, so the
 * determinants are integers in units of 2^-447 and fit in 768 bits.
 */
#include "exact/expansion.h"
#include "exact/orient.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LIMBS = 24 };

/* Two's complement, least limb first. */
typedef struct big {
    uint32_t limb[LIMBS];
} big;

static void big_add_shifted(big *sum, unsigned __int128 magnitude, int shift, bool negative)
{
    uint32_t term[LIMBS] = {0};
    int limb = shift / 32, rest = shift % 32;
    uint64_t carry = negative;
    for (int i = 0; i < 4; ++i) {
        uint64_t part = (uint64_t)(uint32_t)(magnitude >> 32 * i) << rest;
        uint64_t low = (uint64_t)term[limb + i] + (uint32_t)part;
        term[limb + i] = (uint32_t)low;
        term[limb + i + 1] += (uint32_t)(part >> 32) + (uint32_t)(low >> 32);
    }
    for (int i = 0; i < LIMBS; ++i) {
        uint64_t total = (uint64_t)sum->limb[i] + (negative ? ~term[i] : term[i]) + carry;
        sum->limb[i] = (uint32_t)total;
        carry = total >> 32;
    }
}

static int big_sign(const big *a)
{
    if (a->limb[LIMBS - 1] >> 31)
        return -1;
    for (int i = 0; i < LIMBS; ++i) {
        if (a->limb[i])
            return 1;
    }
    return 0;
}

/* x = mantissa * 2^(exponent - 149) */
static int32_t take_apart(float x, int *exponent)
{
    uint32_t bits;
    memcpy(&bits, &x, 4);
    int32_t mantissa = bits & 0x7fffff;
    int biased = bits >> 23 & 255;
    *exponent = biased ? biased - 1 : 0;
    if (biased)
        mantissa |= 0x800000;
    return bits >> 31 ? -mantissa : mantissa;
}

static void big_add_product(big *sum, int sign, float x, float y, float z)
{
    int ex, ey, ez;
    __int128 product =
        (__int128)take_apart(x, &ex) * take_apart(y, &ey) * take_apart(z, &ez) * sign;
    unsigned __int128 magnitude = (unsigned __int128)(product < 0 ? -product : product);
    big_add_shifted(sum, magnitude, ex + ey + ez, product < 0);
}

static void big_add_determinant(big *sum, int sign, const float a[3], const float b[3],
                                const float c[3])
{
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        big_add_product(sum, sign, a[i], b[j], c[k]);
        big_add_product(sum, -sign, a[i], b[k], c[j]);
    }
}

static int true_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    big sum = {{0}};
    big_add_determinant(&sum, 1, a, b, c);
    big_add_determinant(&sum, -1, b, c, d);
    big_add_determinant(&sum, 1, c, d, a);
    big_add_determinant(&sum, -1, d, a, b);
    return big_sign(&sum);
}

/* As a volume over the triangle with (0, 0, 1) added to each point. */
static int true_orient2d(const float a[3], const float b[3], const float c[3], int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    float p[3] = {a[i], a[j], 1}, q[3] = {b[i], b[j], 1}, r[3] = {c[i], c[j], 1};
    big sum = {{0}};
    big_add_determinant(&sum, 1, p, q, r);
    return big_sign(&sum);
}

static unsigned sign_counts[3];

static bool check_orientations(float p[4][3])
{
    int expected = true_orient3d(p[0], p[1], p[2], p[3]);
    int found = grazei_orient3d(p[0], p[1], p[2], p[3]);
    bool ok = found == expected;
    sign_counts[expected + 1]++;
    CHECK_MSG(ok, "orient3d is %d, not %d, for (%a %a %a) (%a %a %a) (%a %a %a) (%a %a %a)",
              expected, found, p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0],
              p[2][1], p[2][2], p[3][0], p[3][1], p[3][2]);
    for (int axis = 0; axis < 3; ++axis) {
        expected = true_orient2d(p[0], p[1], p[2], axis);
        found = grazei_orient2d(p[0], p[1], p[2], axis);
        ok &= found == expected;
        CHECK_MSG(found == expected,
                  "orient2d without %d is %d, not %d, for %a %a %a %a %a %a %a %a %a", axis,
                  expected, found, p[0][0], p[0][1], p[0][2], p[1][0], p[1][1], p[1][2], p[2][0],
                  p[2][1], p[2][2]);
    }
    return ok;
}

static float random_float(test_random *random, double low, double high)
{
    return (float)test_random_range(random, low, high);
}

TEST(sum_of_doubles_is_exact)
{
    grazei_exact_sum sum = {.count = 0};
    grazei_exact_add(&sum, 0x1p100);
    grazei_exact_add(&sum, 1);
    grazei_exact_add(&sum, 0x1p-200);
    grazei_exact_add(&sum, -0x1p100);
    CHECK(grazei_exact_sign(&sum) == 1);
    grazei_exact_add(&sum, -1);
    CHECK(grazei_exact_sign(&sum) == 1);
    grazei_exact_add(&sum, -0x1p-199);
    CHECK(grazei_exact_sign(&sum) == -1);
    grazei_exact_add(&sum, 0x1p-200);
    CHECK(grazei_exact_sign(&sum) == 0);
    CHECK(sum.count == 0);
}

TEST(convention_of_signs)
{
    float a[3] = {1, 0, 0}, b[3] = {0, 1, 0}, c[3] = {0, 0, 1}, d[3] = {0, 0, 0};
    CHECK(grazei_orient3d(a, b, c, d) == 1);
    CHECK(grazei_orient3d(b, a, c, d) == -1);
    CHECK(grazei_orient3d(a, b, d, d) == 0);
    CHECK(grazei_orient2d(a, b, d, 2) == 1);
    CHECK(grazei_orient2d(b, c, d, 0) == 1);
    CHECK(grazei_orient2d(c, a, d, 1) == 1);
    CHECK(grazei_orient2d(a, c, d, 1) == -1);
    CHECK(grazei_orient2d(a, b, d, 0) == 0);
}

TEST(random_points)
{
    test_random random = test_random_seed(1);
    for (int i = 0; i < 200000; ++i) {
        float p[4][3];
        for (int k = 0; k < 12; ++k)
            p[k / 3][k % 3] = random_float(&random, -1, 1);
        check_orientations(p);
    }
}

/* Small integers, scaled from the least subnormal to the limit and moved far away. */
TEST(lattice_points_at_every_scale)
{
    test_random random = test_random_seed(2);
    memset(sign_counts, 0, sizeof sign_counts);
    for (int i = 0; i < 300000; ++i) {
        float p[4][3];
        float scale = ldexpf(1, (int)(test_random_u32(&random) % 180) - 149);
        float offset = (float)(test_random_u32(&random) % 3) * 0x1p23f;
        for (int k = 0; k < 12; ++k)
            p[k / 3][k % 3] = ((float)(test_random_u32(&random) % 5) + offset) * scale;
        check_orientations(p);
    }
    CHECK(sign_counts[0] > 100000 && sign_counts[1] > 20000 && sign_counts[2] > 100000);
}

/* d is a combination of the others, rounded, and then moved by a few units in the last place. */
TEST(nearly_flat_points)
{
    test_random random = test_random_seed(3);
    memset(sign_counts, 0, sizeof sign_counts);
    for (int i = 0; i < 300000; ++i) {
        float p[4][3];
        double s = test_random_range(&random, -1, 2), t = test_random_range(&random, -1, 2);
        double offset = i % 3 ? 0 : 1e6;
        for (int k = 0; k < 9; ++k)
            p[k / 3][k % 3] = random_float(&random, offset - 1, offset + 1);
        if (i % 5 == 0)
            p[2][2] = p[1][2] = p[0][2];
        for (int axis = 0; axis < 3; ++axis) {
            double x = p[0][axis] + s * ((double)p[1][axis] - p[0][axis]) +
                       t * ((double)p[2][axis] - p[0][axis]);
            p[3][axis] = (float)x;
            for (uint32_t ulp = test_random_u32(&random) % 3; ulp > 0; --ulp)
                p[3][axis] = nextafterf(p[3][axis], i & 1 ? INFINITY : -INFINITY);
        }
        check_orientations(p);
        /* The same three points on one line, nearly. */
        for (int axis = 0; axis < 3; ++axis)
            p[2][axis] = (float)(p[0][axis] + s * ((double)p[1][axis] - p[0][axis]));
        check_orientations(p);
    }
    CHECK(sign_counts[0] > 1000 && sign_counts[1] > 1000 && sign_counts[2] > 1000);
}

/* Points nearly on a line, some of them much closer to the origin than the others, so that their
 * differences and products do not fit in a double.
 */
TEST(nearly_straight_points)
{
    test_random random = test_random_seed(5);
    for (int i = 0; i < 300000; ++i) {
        float p[4][3];
        double s = ldexp(test_random_unit(&random), -(int)(test_random_u32(&random) % 24));
        double t = ldexp(test_random_unit(&random), -(int)(test_random_u32(&random) % 24));
        double near = ldexp(1, -(int)(test_random_u32(&random) % 30));
        for (int axis = 0; axis < 3; ++axis) {
            p[0][axis] = random_float(&random, -near, near);
            p[1][axis] = random_float(&random, -1, 1);
            p[2][axis] = (float)(p[0][axis] + s * ((double)p[1][axis] - p[0][axis]));
            p[3][axis] = (float)(p[0][axis] + t * ((double)p[1][axis] - p[0][axis]));
        }
        check_orientations(p);
        /* Two points exactly on a line with the origin, and one next to the origin. */
        s = ldexp(0.5 + test_random_unit(&random), -20 - (int)(test_random_u32(&random) % 16));
        for (int axis = 0; axis < 3; ++axis) {
            p[0][axis] = 4 * p[1][axis];
            p[2][axis] = (float)(s * p[1][axis]);
        }
        check_orientations(p);
    }
}

/* Any finite bits below the limit: exponents that differ by up to 200, zeros, subnormals. */
TEST(mixed_exponents)
{
    test_random random = test_random_seed(4);
    memset(sign_counts, 0, sizeof sign_counts);
    for (int i = 0; i < 300000; ++i) {
        float p[4][3];
        for (int k = 0; k < 12; ++k) {
            uint32_t bits = test_random_u32(&random), kind = test_random_u32(&random) % 8;
            uint32_t exponent = bits >> 8 & 0xff;
            float x;
            exponent = kind == 0 ? 0 : exponent % 186; /* 2^(185 - 127 + 1) < 1e18 */
            bits = (bits & 0x807fffff) | exponent << 23;
            if (kind == 1)
                bits &= 0x80000000;
            else if (kind == 2 && k >= 3)
                memcpy(&bits, &p[k / 3 - 1][k % 3], 4);
            else if (kind == 3)
                bits &= 0xff800000;
            memcpy(&x, &bits, 4);
            p[k / 3][k % 3] = x;
        }
        check_orientations(p);
    }
    CHECK(sign_counts[0] > 10000 && sign_counts[1] > 100 && sign_counts[2] > 10000);
}

/* Equal but for the smallest thing there is. */
TEST(one_subnormal_decides)
{
    float tiny = 0x1p-149f, huge = 0x1.bc16d6p59f;
    float a[3] = {huge, 0, 0}, b[3] = {0, huge, 0}, c[3] = {-huge, -huge, 0}, d[3] = {0, 0, tiny};
    CHECK(grazei_orient3d(a, b, c, d) == true_orient3d(a, b, c, d));
    CHECK(grazei_orient3d(a, b, c, d) == -1);
    d[2] = -tiny;
    CHECK(grazei_orient3d(a, b, c, d) == 1);
    d[2] = -0.0f;
    CHECK(grazei_orient3d(a, b, c, d) == 0);
    float p[3] = {huge, huge, 0}, q[3] = {-huge, -huge, 0}, r[3] = {0, tiny, 0};
    CHECK(grazei_orient2d(p, q, r, 2) == true_orient2d(p, q, r, 2));
    CHECK(grazei_orient2d(p, q, r, 2) != 0);
    r[0] = tiny;
    CHECK(grazei_orient2d(p, q, r, 2) == 0);
}
