/* The best rigid motion of every frame: each is turned to the mean of all (Kabsch, "A solution for
 * the best rotation to relate two sets of vectors", 1976), and the mean taken again, until it stays
 * (Gower, "Generalized Procrustes analysis", 1975).
 */
#include "rigid.h"

#include <lapacke.h>

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 50 };

/* The mean stays when no vertex moves by more than this share of the size. */
#define STAYS 1e-13

/* ---- one frame ----------------------------------------------------------------------------- */

static double determinant(const double m[9])
{
    return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
           m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/* The rotation, by rows, with the least sum of |rotation x mean v - frame v|^2, both around their
 * centres. False when LAPACK fails.
 */
static bool find_rotation(const double *mean, const double *frame, uint32_t count,
                          double rotation[9])
{
    double product[9] = {0}, left[9], right[9], values[3], spare[3];
    for (size_t v = 0; v < count; v++)
        for (int i = 0; i < 9; i++) /* by rows: frame x transposed mean */
            product[i] += frame[v * 3 + (size_t)(i / 3)] * mean[v * 3 + (size_t)(i % 3)];
    if (LAPACKE_dgesvd(LAPACK_ROW_MAJOR, 'A', 'A', 3, 3, product, 3, values, left, 3, right, 3,
                       spare))
        return false;
    double side = determinant(left) * determinant(right) < 0 ? -1 : 1; /* no mirror images */
    for (int i = 0; i < 9; i++) {
        rotation[i] = 0;
        for (int k = 0; k < 3; k++)
            rotation[i] += left[i / 3 * 3 + k] * (k == 2 ? side : 1) * right[k * 3 + i % 3];
    }
    return true;
}

/* Multiplies by the transpose. */
static void turn_back(const double rotation[9], const double from[3], double to[3])
{
    for (int i = 0; i < 3; i++)
        to[i] = rotation[i] * from[0] + rotation[3 + i] * from[1] + rotation[6 + i] * from[2];
}

static void to_quaternion(const double m[9], double q[4])
{
    double squares[4] = {1 + m[0] - m[4] - m[8], 1 - m[0] + m[4] - m[8], 1 - m[0] - m[4] + m[8],
                         1 + m[0] + m[4] + m[8]};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        largest = squares[i] > squares[largest] ? i : largest;
    double twice = sqrt(squares[largest]), length = 0;
    const double products[4][4] = {{squares[0], m[1] + m[3], m[2] + m[6], m[7] - m[5]},
                                   {m[1] + m[3], squares[1], m[5] + m[7], m[2] - m[6]},
                                   {m[2] + m[6], m[5] + m[7], squares[2], m[3] - m[1]},
                                   {m[7] - m[5], m[2] - m[6], m[3] - m[1], squares[3]}};
    for (int i = 0; i < 4; i++) {
        q[i] = products[largest][i] / (2 * twice);
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrt(length);
}

static void to_matrix(const double q[4], double m[9])
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(m, rows, sizeof rows);
}

/* ---- all of them --------------------------------------------------------------------------- */

/* Every frame around its centre, which is its translation. */
static void center(const graze_frames_def *def, graze_components *result, double *rest)
{
    size_t vertices = def->vertex_count;
    for (size_t f = 0; f < def->frame_count; f++) {
        const float *from = def->positions + f * vertices * 3;
        double *to = rest + f * vertices * 3, *middle = result->translations + f * 3;
        memset(middle, 0, 3 * sizeof *middle);
        for (size_t i = 0; i < vertices * 3; i++)
            middle[i % 3] += (double)from[i];
        for (int k = 0; k < 3; k++)
            middle[k] /= (double)vertices;
        for (size_t i = 0; i < vertices * 3; i++)
            to[i] = (double)from[i] - middle[i % 3];
    }
}

/* Turns every frame to the mean, and takes the mean of what comes out; *change is how far it moved
 * at most, *size how far it reaches.
 */
static bool turn_to_mean(const graze_frames_def *def, graze_components *result, const double *rest,
                         double *sum, double *change, double *size)
{
    size_t vertices = def->vertex_count;
    memset(sum, 0, vertices * 3 * sizeof *sum);
    for (size_t f = 0; f < def->frame_count; f++) {
        const double *frame = rest + f * vertices * 3;
        double rotation[9], turned[3];
        if (!find_rotation(result->mean, frame, def->vertex_count, rotation))
            return false;
        to_quaternion(rotation, result->rotations + f * 4);
        to_matrix(result->rotations + f * 4, rotation);
        for (size_t v = 0; v < vertices; v++) {
            turn_back(rotation, frame + v * 3, turned);
            for (size_t k = 0; k < 3; k++)
                sum[v * 3 + k] += turned[k] / (double)def->frame_count;
        }
    }
    *change = *size = 0;
    for (size_t i = 0; i < vertices * 3; i++) {
        double step = fabs(sum[i] - result->mean[i]);
        *change = step > *change ? step : *change;
        *size = fabs(sum[i]) > *size ? fabs(sum[i]) : *size;
    }
    memcpy(result->mean, sum, vertices * 3 * sizeof *sum);
    return true;
}

static void multiply(const double a[4], const double b[4], double product[4])
{
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    product[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

/* Gives frame 0 no turn, by turning the mean and all others, and puts every rotation on the side of
 * the one before: q and -q are one turn, but not half way between two keys.
 */
static void settle(const graze_frames_def *def, graze_components *result)
{
    const double *q = result->rotations;
    double back[4] = {-q[0], -q[1], -q[2], q[3]}, matrix[9];
    to_matrix(back, matrix);
    for (size_t v = 0; v < def->vertex_count; v++) {
        double from[3];
        memcpy(from, result->mean + v * 3, sizeof from);
        turn_back(matrix, from, result->mean + v * 3); /* as frame 0 was turned */
    }
    for (size_t f = 0; f < def->frame_count; f++) {
        double *own = result->rotations + f * 4, turned[4], side = 0;
        multiply(own, back, turned);
        for (int i = 0; i < 4; i++)
            side += turned[i] * (f ? own[i - 4] : i == 3);
        for (int i = 0; i < 4; i++)
            own[i] = side < 0 ? -turned[i] : turned[i];
    }
}

static void subtract_mean(const graze_frames_def *def, const graze_components *result, double *rest)
{
    size_t vertices = def->vertex_count;
    for (size_t f = 0; f < def->frame_count; f++) {
        double rotation[9], turned[3];
        to_matrix(result->rotations + f * 4, rotation);
        for (size_t v = 0; v < vertices; v++) {
            double *own = rest + (f * vertices + v) * 3;
            turn_back(rotation, own, turned);
            for (size_t k = 0; k < 3; k++)
                own[k] = turned[k] - result->mean[v * 3 + k];
        }
    }
}

bool grazei_remove_rigid(const graze_frames_def *def, graze_components *result, double *rest)
{
    double change = INFINITY, size = 0, *sum = result->components; /* not filled yet */
    center(def, result, rest);
    memcpy(result->mean, rest, (size_t)def->vertex_count * 3 * sizeof *rest);
    for (int round = 0; round < MOST_ROUNDS && change > STAYS * size; round++)
        if (!turn_to_mean(def, result, rest, sum, &change, &size))
            return false;
    settle(def, result);
    subtract_mean(def, result, rest);
    return true;
}
