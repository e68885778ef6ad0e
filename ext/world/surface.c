/* How fast a surface moves: one of its points in two poses. */
#include "base/status.h"
#include "body/patches.h"

#include <graze/ext/response.h>

#include <math.h>

/* The corners of a triangle as the body stands; false if the body's mask leaves it out. */
static bool find_corners(graze_body *body, uint32_t triangle, double corners[3][3])
{
    const grazei_tree *tree = grazei_body_tree(body);
    graze_stats unwanted = {0};
    for (uint32_t p = 0; p < tree->patch_count; p++) {
        const grazei_patch *patch = &tree->patches[p];
        const uint32_t *names = tree->patch_triangles + patch->first_triangle;
        for (uint32_t t = 0; t < patch->triangle_count; t++) {
            if (names[t] != triangle)
                continue;
            grazei_posed_patch posed = grazei_body_patch(body, p, &unwanted);
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++)
                    corners[c][k] = posed.points[posed.corners[t][c]][k];
            return true;
        }
    }
    return false;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Weights of the corners that make the point of the triangle's plane nearest to a point, or of its
 * rim where that is outside: weights below 0 are cut off, which is near enough for a point that is
 * on the triangle to rounding.
 */
static void find_weights(double corners[3][3], const float point[3], double weights[3])
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = corners[1][k] - corners[0][k];
        v[k] = corners[2][k] - corners[0][k];
        w[k] = point[k] - corners[0][k];
    }
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), wu = dot(w, u), wv = dot(w, v);
    double area = uu * vv - uv * uv;
    weights[0] = weights[1] = weights[2] = 1.0 / 3;
    if (!(area > 0))
        return;
    weights[1] = (vv * wu - uv * wv) / area;
    weights[2] = (uu * wv - uv * wu) / area;
    weights[0] = 1 - weights[1] - weights[2];
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        weights[c] = weights[c] > 0 ? weights[c] : 0;
        sum += weights[c];
    }
    for (int c = 0; c < 3; c++)
        weights[c] /= sum;
}

graze_status graze_surface_velocity(graze_body *now, graze_body *before, uint32_t triangle,
                                    const float point[3], float seconds, float velocity[3],
                                    graze_error *error)
{
    double here[3][3], there[3][3], weights[3];
    graze_status status = grazei_check_pointer(now, "the body", error);
    if (!status)
        status = grazei_check_pointer(before, "the body before", error);
    if (!status)
        status = grazei_check_pointer(point, "the point", error);
    if (!status)
        status = grazei_check_pointer(velocity, "where the velocity goes", error);
    if (!status && grazei_body_model(now) != grazei_body_model(before))
        status = grazei_fail(error, GRAZE_BAD_INPUT, "the two bodies are of different models");
    if (!status && !(seconds > 0 && seconds < INFINITY))
        status = grazei_fail(error, GRAZE_BAD_INPUT, "there are %g seconds between two poses",
                             (double)seconds);
    if (!status)
        status = grazei_body_ready(now, error);
    if (!status)
        status = grazei_body_ready(before, error);
    if (status)
        return status;
    if (!find_corners(now, triangle, here) || !find_corners(before, triangle, there))
        return grazei_fail(error, GRAZE_BAD_INPUT, "triangle %u takes no part in the body",
                           triangle);
    find_weights(here, point, weights);
    for (int k = 0; k < 3; k++) {
        double way = 0;
        for (int c = 0; c < 3; c++)
            way += weights[c] * (here[c][k] - there[c][k]);
        velocity[k] = (float)(way / seconds);
    }
    return GRAZE_OK;
}
