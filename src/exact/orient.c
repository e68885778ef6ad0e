/* Orientation predicates: a double with a proven error bound first, an exact expansion if that
 * cannot tell the sign. After Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
 * Robust Geometric Predicates", 1997, section 4; simpler, because the points are float32 (see
 * expansion.h).
 *
 * In the proofs u = 2^-53, and gamma(k) = k u / (1 - k u) bounds the relative error that k
 * roundings leave on one product of a sum (Higham, Accuracy and Stability of Numerical Algorithms,
 * lemma 3.1). Doubles made from float32 input do not underflow or overflow here (see expansion.h).
 */
#include "exact/orient.h"

#include "exact/expansion.h"

#include <math.h>
#include <stdbool.h>

#define UNIT 0x1p-53

/* Bound for orient3d. Of the six products of three differences, each passes at most 8 roundings:
 * 3 differences, 1 product, 1 difference of products, 1 product with the third difference, 2 sums.
 * So |computed - exact| <= gamma(8) S, where S is the sum of the magnitudes of the six exact
 * products. The computed `magnitude` passes no more roundings and has no cancellation, so it is at
 * least (1 - gamma(8)) S. gamma(8) / (1 - gamma(8)) < 8.001 u; 9 u leaves room for the product
 * below.
 */
#define ORIENT3D_BOUND (9 * UNIT)

/* Bound for orient2d. Each of the two products passes 4 roundings: 2 differences, 1 product, 1 sum;
 * as above with gamma(4).
 */
#define ORIENT2D_BOUND (5 * UNIT)

/* point - origin, if that is exactly a float: the usual case, and a quarter of the work. */
static bool subtract_exactly(const float point[3], const float origin[3], float difference[3])
{
    for (int i = 0; i < 3; ++i) {
        double wide = (double)point[i] - origin[i];
        difference[i] = (float)wide;
        if (difference[i] != wide || grazei_roundoff(point[i], -(double)origin[i], wide) != 0)
            return false;
    }
    return true;
}

/* The determinant is multilinear in its rows, and zero if two rows are d. */
static int orient3d_exactly(const float a[3], const float b[3], const float c[3], const float d[3])
{
    grazei_exact_sum sum = {.count = 0};
    float ad[3], bd[3], cd[3];
    if (subtract_exactly(a, d, ad) && subtract_exactly(b, d, bd) && subtract_exactly(c, d, cd)) {
        grazei_exact_add_determinant(&sum, 1, ad, bd, cd);
    } else {
        grazei_exact_add_determinant(&sum, 1, a, b, c);
        grazei_exact_add_determinant(&sum, -1, d, b, c);
        grazei_exact_add_determinant(&sum, -1, a, d, c);
        grazei_exact_add_determinant(&sum, -1, a, b, d);
    }
    return grazei_exact_sign(&sum);
}

/* Where bodies share vertices most exact zeros are of this kind; d as one of them has a magnitude
 * of zero.
 */
static bool same_point(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

int grazei_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    double adx = (double)a[0] - d[0], ady = (double)a[1] - d[1], adz = (double)a[2] - d[2];
    double bdx = (double)b[0] - d[0], bdy = (double)b[1] - d[1], bdz = (double)b[2] - d[2];
    double cdx = (double)c[0] - d[0], cdy = (double)c[1] - d[1], cdz = (double)c[2] - d[2];
    double bdy_cdz = bdy * cdz, bdz_cdy = bdz * cdy;
    double bdz_cdx = bdz * cdx, bdx_cdz = bdx * cdz;
    double bdx_cdy = bdx * cdy, bdy_cdx = bdy * cdx;
    double determinant =
        adx * (bdy_cdz - bdz_cdy) + ady * (bdz_cdx - bdx_cdz) + adz * (bdx_cdy - bdy_cdx);
    double magnitude = fabs(adx) * (fabs(bdy_cdz) + fabs(bdz_cdy)) +
                       fabs(ady) * (fabs(bdz_cdx) + fabs(bdx_cdz)) +
                       fabs(adz) * (fabs(bdx_cdy) + fabs(bdy_cdx));
    double bound = ORIENT3D_BOUND * magnitude;
    if (determinant > bound)
        return 1;
    if (determinant < -bound)
        return -1;
    if (magnitude == 0 || same_point(a, b) || same_point(b, c) || same_point(c, a))
        return 0;
    return orient3d_exactly(a, b, c, d);
}

/* Six products of two floats, each exact in a double. */
static int orient2d_exactly(const double a[2], const double b[2], const double c[2])
{
    grazei_exact_sum sum = {.count = 0};
    grazei_exact_add(&sum, a[0] * b[1]);
    grazei_exact_add(&sum, -(a[1] * b[0]));
    grazei_exact_add(&sum, b[0] * c[1]);
    grazei_exact_add(&sum, -(b[1] * c[0]));
    grazei_exact_add(&sum, c[0] * a[1]);
    grazei_exact_add(&sum, -(c[1] * a[0]));
    return grazei_exact_sign(&sum);
}

int grazei_orient2d(const float a[3], const float b[3], const float c[3], int axis)
{
    static const int next[3] = {1, 2, 0};
    int first = next[axis], second = next[first];
    double left = ((double)a[first] - c[first]) * ((double)b[second] - c[second]);
    double right = ((double)a[second] - c[second]) * ((double)b[first] - c[first]);
    double determinant = left - right;
    double magnitude = fabs(left) + fabs(right);
    double bound = ORIENT2D_BOUND * magnitude;
    if (determinant > bound)
        return 1;
    if (determinant < -bound)
        return -1;
    if (magnitude == 0)
        return 0;
    return orient2d_exactly((const double[2]){a[first], a[second]},
                            (const double[2]){b[first], b[second]},
                            (const double[2]){c[first], c[second]});
}
