/* A double with a proven error bound where that is small enough, an expansion otherwise: see
 * orient.c, whose notation the proofs share.
 */
#include "exact/line.h"

#include "exact/expansion.h"

#include <math.h>

/* Each of the six products of grazei_line_side passes at most 7 roundings: two differences, their
 * product, a difference of products, a product with dir, two sums. So the error is at most
 * 8 u magnitude, as in orient.c, and where the value exceeds 2^-20 = 2^30 (8 u) of the magnitude
 * its relative error is at most 2^-30. Of grazei_line_offset's two products each passes only 3.
 *
 * Rays that pass an edge closer than a millionth of their way to it are left to the expansion.
 */
#define ACCURATE 0x1p-20

static const int next_axis[3] = {1, 2, 0};

/* Multilinear, and zero if both rows are the origin. */
static double side_exactly(const float origin[3], const float dir[3], const float a[3],
                           const float b[3])
{
    grazei_exact_sum sum = {.count = 0};
    grazei_exact_add_determinant(&sum, 1, dir, a, b);
    grazei_exact_add_determinant(&sum, -1, dir, origin, b);
    grazei_exact_add_determinant(&sum, -1, dir, a, origin);
    return grazei_exact_value(&sum);
}

/* With b - a instead of b - origin: the same determinant, and the products are as small as the edge
 * is, not as the way to it.
 */
double grazei_line_side(const float origin[3], const float dir[3], const float a[3],
                        const float b[3])
{
    double ax = (double)a[0] - origin[0], bx = (double)b[0] - a[0];
    double ay = (double)a[1] - origin[1], by = (double)b[1] - a[1];
    double az = (double)a[2] - origin[2], bz = (double)b[2] - a[2];
    double ay_bz = ay * bz, az_by = az * by;
    double az_bx = az * bx, ax_bz = ax * bz;
    double ax_by = ax * by, ay_bx = ay * bx;
    double side = dir[0] * (ay_bz - az_by) + dir[1] * (az_bx - ax_bz) + dir[2] * (ax_by - ay_bx);
    double magnitude = fabs((double)dir[0]) * (fabs(ay_bz) + fabs(az_by)) +
                       fabs((double)dir[1]) * (fabs(az_bx) + fabs(ax_bz)) +
                       fabs((double)dir[2]) * (fabs(ax_by) + fabs(ay_bx));
    if (fabs(side) > ACCURATE * magnitude)
        return side;
    return magnitude == 0 ? 0 : side_exactly(origin, dir, a, b);
}

double grazei_line_offset(const float origin[3], const float dir[3], const float point[3], int axis)
{
    int i = next_axis[axis], j = next_axis[i];
    double left = dir[i] * ((double)point[j] - origin[j]);
    double right = dir[j] * ((double)point[i] - origin[i]);
    if (fabs(left - right) > ACCURATE * (fabs(left) + fabs(right)))
        return left - right;
    grazei_exact_sum sum = {.count = 0};
    grazei_exact_add(&sum, (double)dir[i] * point[j]);
    grazei_exact_add(&sum, -((double)dir[i] * origin[j]));
    grazei_exact_add(&sum, -((double)dir[j] * point[i]));
    grazei_exact_add(&sum, (double)dir[j] * origin[i]);
    return grazei_exact_value(&sum);
}
