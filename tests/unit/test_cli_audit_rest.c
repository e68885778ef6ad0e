/* graze audit: worst.rest is the place at rest of the point of the surface that worst.point is, as
 * found from graze pose: the triangle that the point is on, and the same point of that at rest.
 */
#include "harness.h"
#include "support/command.h"
#include "support/json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- posed models --------------------------------------------------------------------------- */

typedef struct posed {
    double *at;
    uint32_t *corners;
    size_t vertices, triangles;
} posed;

static posed read_obj(const char *path)
{
    posed found = {0};
    size_t size;
    char *text = read_whole_file(path, &size);
    CHECK(text);
    found.at = test_keep(calloc(size + 3, sizeof(double)), free);
    found.corners = test_keep(calloc(size + 3, sizeof(uint32_t)), free);
    for (; text && *text; text += strcspn(text, "\n") + 1) {
        const bool vertex = text[0] == 'v', triangle = text[0] == 'f';
        char *end = text + 1;
        for (size_t k = 0; k < 3 && (vertex || triangle); k++)
            if (vertex)
                found.at[3 * found.vertices + k] = strtod(end, &end);
            else
                found.corners[3 * found.triangles + k] = (uint32_t)strtoul(end, &end, 10);
        found.vertices += vertex;
        found.triangles += triangle;
    }
    CHECK(found.vertices > 2 && found.triangles > 0);
    return found;
}

static posed pose(const char *model, const char *clip, double time)
{
    char seconds[40];
    snprintf(seconds, sizeof seconds, "%.17g", time);
    command_result run =
        RUN("pose", model, "--clip", clip, "--time", seconds, "-o", scratch_path(1, "pose.obj"));
    CHECK_MSG(run.code == 0, "%s", run.err);
    return read_obj(scratch_path(1, "pose.obj"));
}

/* ---- a point of a surface ------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static const double *corner(const posed *p, size_t triangle, int c)
{
    return p->at + 3 * (size_t)(p->corners[3 * triangle + c] - 1);
}

/* Shares of the corners in the point; false if it is not on the triangle. */
static bool shares_of(const posed *p, size_t triangle, const double point[3], double shares[3])
{
    double u[3], v[3], w[3], off = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = corner(p, triangle, 1)[k] - corner(p, triangle, 0)[k];
        v[k] = corner(p, triangle, 2)[k] - corner(p, triangle, 0)[k];
        w[k] = point[k] - corner(p, triangle, 0)[k];
    }
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    shares[1] = (vv * dot(u, w) - uv * dot(v, w)) / det;
    shares[2] = (uu * dot(v, w) - uv * dot(u, w)) / det;
    shares[0] = 1 - shares[1] - shares[2];
    for (int k = 0; k < 3; k++)
        off = fmax(off, fabs(w[k] - shares[1] * u[k] - shares[2] * v[k]));
    return det > 0 && off < 1e-6 && shares[0] > -1e-3 && shares[1] > -1e-3 && shares[2] > -1e-3;
}

static bool is_at(const posed *rest, size_t triangle, const double shares[3], const cJSON *worst)
{
    double off = 0;
    for (int k = 0; k < 3; k++) {
        double sum = 0;
        for (int c = 0; c < 3; c++)
            sum += shares[c] * corner(rest, triangle, c)[k];
        off = fmax(off, fabs(sum - number_at(worst, "rest", k)));
    }
    return off < 1e-5;
}

/* Whether a triangle of the two parts that the point is on has it there at rest. Where no point is
 * deeper than any other it is the middle of a triangle.
 */
static bool is_found(const cJSON *parts, const cJSON *finding, const posed *now, const posed *rest)
{
    const cJSON *worst = field(finding, "worst"), *of = field(parts, "part_of")->child;
    const double point[3] = {number_at(worst, "point", 0), number_at(worst, "point", 1),
                             number_at(worst, "point", 2)};
    for (size_t t = 0; t < now->triangles; t++, of = of->next) {
        const cJSON *name = field(cJSON_GetArrayItem(field(parts, "parts"), of->valueint), "name");
        double shares[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
        if (has_entry(field(finding, "parts"), name) &&
            (number(worst, "depth") == 0 || shares_of(now, t, point, shares)) &&
            is_at(rest, t, shares, worst))
            return true;
    }
    return false;
}

TEST(the_deepest_point_at_rest)
{
    static const char *const models[] = {"builtin:player", "builtin:robot"};
    for (int m = 0; m < 2; m++) {
        command_result run = RUN("audit", models[m], "--folds", "--fps", "3", "--json");
        const cJSON *lines = json_lines(run.out), *finding;
        const cJSON *parts = ONLY_LINE(0, RUN("info", models[m], "--parts", "--json"));
        const posed rest = pose(models[m], "none", 0);
        int count = 0, moved = 0;
        cJSON_ArrayForEach(finding, lines)
        {
            const cJSON *worst = field(finding, "worst");
            if (!worst || count++ >= 5)
                continue;
            const posed now = pose(models[m], text_of(finding, "clip"), number(worst, "time"));
            CHECK_MSG(is_found(parts, finding, &now, &rest), "%s", json_text(finding));
            moved += fabs(number_at(worst, "point", 1) - number_at(worst, "rest", 1)) > 0.01;
        }
        CHECK_MSG(count > 4 && moved > 1, "%d findings, %d of them moved", count, moved);
    }
}
