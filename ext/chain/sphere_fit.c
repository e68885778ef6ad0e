#include "chain/sphere_fit.h"
#include "math/vector.h"

#include <string.h>

double grazei_misfit(const grazei_ball *ball, const double (*points)[3], uint32_t count,
                     double *largest)
{
    double sum = 0, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        double f = fabs(ball->radius - grazei_distance(ball->centre, points[i]));
        sum += f;
        most = f > most ? f : most;
    }
    *largest = most;
    return sum;
}

/* ---- least squares -------------------------------------------------------------------------- */

bool grazei_solve(double *a, double *b, uint32_t size, double x[4])
{
    double scale = 0;
    for (uint32_t i = 0; i < size * size; i++)
        scale = fabs(a[i]) > scale ? fabs(a[i]) : scale;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t best = k;
        for (uint32_t i = k + 1; i < size; i++)
            if (fabs(a[i * size + k]) > fabs(a[best * size + k]))
                best = i;
        if (!(fabs(a[best * size + k]) > 1e-12 * scale))
            return false;
        for (uint32_t j = 0; j < size && best != k; j++) {
            double swapped = a[k * size + j];
            a[k * size + j] = a[best * size + j];
            a[best * size + j] = swapped;
        }
        double swapped = b[k];
        b[k] = b[best];
        b[best] = swapped;
        for (uint32_t i = k + 1; i < size; i++) {
            double factor = a[i * size + k] / a[k * size + k];
            for (uint32_t j = k; j < size; j++)
                a[i * size + j] -= factor * a[k * size + j];
            b[i] -= factor * b[k];
        }
    }
    for (uint32_t i = size; i-- > 0;) {
        x[i] = b[i];
        for (uint32_t j = i + 1; j < size; j++)
            x[i] -= a[i * size + j] * x[j];
        x[i] /= a[i * size + i];
    }
    return true;
}

static void mean_sphere(const double (*points)[3], uint32_t count, grazei_ball *ball)
{
    memset(ball, 0, sizeof *ball);
    for (uint32_t i = 0; i < count; i++)
        grazei_along(ball->centre, 1.0 / count, points[i], ball->centre);
    for (uint32_t i = 0; i < count; i++)
        ball->radius += grazei_distance(ball->centre, points[i]) / count;
}

static double sum_of_squares(const grazei_ball *ball, const double (*points)[3], uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        double f = ball->radius - grazei_distance(ball->centre, points[i]);
        sum += f * f;
    }
    return sum;
}

/* |p|^2 = 2 c p + (r^2 - |c|^2) is linear in c and the bracket; points are taken from their mean.
 */
static bool fit_algebraic(const double (*points)[3], uint32_t count, const grazei_ball *mean,
                          grazei_ball *ball)
{
    double a[16] = {0}, b[4] = {0}, x[4];
    for (uint32_t i = 0; i < count; i++) {
        double p[4];
        grazei_along(points[i], -1, mean->centre, p);
        p[3] = mean->radius / 2; /* of the size of the others */
        double square = grazei_dot(p, p);
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++)
                a[4 * j + k] += 4 * p[j] * p[k];
            b[j] += 2 * p[j] * square;
        }
    }
    if (!grazei_solve(a, b, 4, x))
        return false;
    double square = mean->radius * x[3] + grazei_dot(x, x);
    if (!(square > 0))
        return false;
    grazei_along(mean->centre, 1, x, ball->centre);
    ball->radius = sqrt(square);
    return true;
}

/* One step of Gauss and Newton; false if there is none. */
static bool step(const double (*points)[3], uint32_t count, grazei_ball *ball)
{
    double a[16] = {0}, b[4] = {0}, x[4];
    for (uint32_t i = 0; i < count; i++) {
        double g[4], length = grazei_distance(ball->centre, points[i]);
        if (!(length > 0))
            continue;
        for (int k = 0; k < 3; k++)
            g[k] = (points[i][k] - ball->centre[k]) / length; /* of r - |c - p| */
        g[3] = 1;
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++)
                a[4 * j + k] += g[j] * g[k];
            b[j] -= g[j] * (ball->radius - length);
        }
    }
    if (!grazei_solve(a, b, 4, x))
        return false;
    grazei_along(ball->centre, 1, x, ball->centre);
    ball->radius += x[3];
    return ball->radius > 0;
}

grazei_ball grazei_fit_least_squares(const double (*points)[3], uint32_t count)
{
    grazei_ball mean, best, next;
    mean_sphere(points, count, &mean);
    best = mean;
    if (fit_algebraic(points, count, &mean, &next) &&
        sum_of_squares(&next, points, count) < sum_of_squares(&best, points, count))
        best = next;
    double least = sum_of_squares(&best, points, count);
    for (int i = 0; i < 50; i++) {
        next = best;
        if (!step(points, count, &next))
            break;
        double now = sum_of_squares(&next, points, count);
        if (!(now < least * (1 - 1e-12)))
            break;
        least = now;
        best = next;
    }
    return best;
}

/* ---- adjustment ----------------------------------------------------------------------------- */

/* The median, by Hoare's selection; numbers are put into another order. */
static double median(double *numbers, uint32_t count)
{
    uint32_t low = 0, high = count - 1, middle = count / 2;
    while (low < high) {
        double pivot = numbers[low + (high - low) / 2];
        uint32_t i = low, k = high;
        for (;;) {
            while (numbers[i] < pivot)
                i++;
            while (pivot < numbers[k])
                k--;
            if (i >= k)
                break;
            double swapped = numbers[i];
            numbers[i++] = numbers[k];
            numbers[k--] = swapped;
        }
        if (middle <= k && k < high)
            high = k;
        else
            low = k + 1;
    }
    return numbers[middle];
}

/* Gives a sphere the radius with the least mean of F, and returns the sum. */
static double set_radius(grazei_ball *ball, const double (*points)[3], uint32_t count,
                         double *distances)
{
    double largest;
    for (uint32_t i = 0; i < count; i++)
        distances[i] = grazei_distance(ball->centre, points[i]);
    ball->radius = median(distances, count);
    return grazei_misfit(ball, points, count, &largest);
}

void grazei_fit_adjust(grazei_ball *ball, const double (*points)[3], uint32_t count,
                       const grazei_leeway *leeway, double *distances)
{
    grazei_ball best = *ball;
    double least = set_radius(&best, points, count, distances);
    double step = 0.2 * best.radius, smallest = 5e-3 * best.radius;
    while (step > smallest) {
        bool moved = false;
        for (uint32_t d = 0; d < 2 * leeway->direction_count; d++) {
            grazei_ball next = best;
            grazei_along(best.centre, d % 2 ? -step : step, leeway->directions[d / 2], next.centre);
            double moved_by[3];
            grazei_along(next.centre, -1, ball->centre, moved_by);
            if (grazei_distance(next.centre, ball->centre) > leeway->limit ||
                fabs(grazei_dot(moved_by, leeway->directions[d / 2])) > leeway->limits[d / 2])
                continue;
            double now = set_radius(&next, points, count, distances);
            if (now < least) {
                least = now;
                best = next;
                moved = true;
            }
        }
        if (!moved)
            step /= 2;
    }
    *ball = best;
}

/* ---- angles --------------------------------------------------------------------------------- */

void grazei_sine_cosine(double turns, double *sine, double *cosine)
{
    static const double pi = 3.14159265358979323846;
    uint32_t quarter = (uint32_t)(4 * turns + 0.5);
    double x = 2 * pi * (turns - quarter / 4.0), s = 0, c = 0, term = 1;
    /* Taylor's series, |x| up to pi / 4. */
    for (int n = 0; n < 20; n++) {
        double signed_term = n % 4 < 2 ? term : -term;
        if (n % 2)
            s += signed_term;
        else
            c += signed_term;
        term *= x / (n + 1);
    }
    *sine = quarter % 4 == 0 ? s : quarter % 4 == 1 ? c : quarter % 4 == 2 ? -s : -c;
    *cosine = quarter % 4 == 0 ? c : quarter % 4 == 1 ? -s : quarter % 4 == 2 ? -c : s;
}
