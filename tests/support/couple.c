#include "support/couple.h"

#include "support/own.h"
#include "support/rigs.h"

#include <graze/animation.h>
#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool couple_open(couple *c, const graze_rig *rig, uint32_t fine_volumes)
{
    graze_error error = {.text = ""};
    graze_model_def def = test_rig_def(rig);
    graze_hitboxes_def fit_def = {0};
    memset(c, 0, sizeof *c);
    c->rig = rig;
    fit_def.inner_hitboxes = fine_volumes;
    if (!test_check(!graze_model_create(&def, &c->model, &error) &&
                        !graze_hitboxes_create(c->model, &fit_def, &c->fit, &error) &&
                        !graze_body_create(c->model, &c->bodies[0], &error) &&
                        !graze_body_create(c->model, &c->bodies[1], &error),
                    __FILE__, __LINE__, "%s", error.text))
        return false;
    for (int i = 0; i < 2; i++) {
        c->volumes[i] = calloc(graze_hitboxes_count(c->fit, NULL), sizeof(graze_capsule));
        c->positions[i] = calloc(3 * (size_t)def.vertex_count, sizeof(float));
        if (!c->volumes[i] || !c->positions[i])
            abort();
        c->sides[i] = (graze_posed_hitboxes){c->fit, c->bodies[i], c->volumes[i]};
    }
    return true;
}

void couple_close(couple *c)
{
    for (int i = 0; i < 2; i++) {
        graze_body_destroy(c->bodies[i]);
        free(c->volumes[i]);
        free(c->positions[i]);
    }
    graze_hitboxes_destroy(c->fit);
    graze_model_destroy(c->model);
}

/* ---- poses ----------------------------------------------------------------------------------- */

static void random_turn(double most, test_random *random, double q[4])
{
    double length = 0, angle = test_random_range(random, -most, most) / 2;
    while (!(length > 0.1 && length <= 1)) {
        length = 0;
        for (int k = 0; k < 3; k++) {
            q[k] = test_random_range(random, -1, 1);
            length += q[k] * q[k];
        }
    }
    for (int k = 0; k < 3; k++)
        q[k] *= sin(angle) / sqrt(length);
    q[3] = cos(angle);
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    const double r[4] = {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                         a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                         a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                         a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
    memcpy(out, r, sizeof r);
}

static void place(const double q[4], const double about[3], const double by[3], float m[12])
{
    double r[3][3] = {{1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[2] * q[3]),
                       2 * (q[0] * q[2] + q[1] * q[3])},
                      {2 * (q[0] * q[1] + q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                       2 * (q[1] * q[2] - q[0] * q[3])},
                      {2 * (q[0] * q[2] - q[1] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]),
                       1 - 2 * (q[0] * q[0] + q[1] * q[1])}};
    for (int k = 0; k < 3; k++) {
        double t = about[k] + by[k];
        for (int l = 0; l < 3; l++) {
            m[4 * k + l] = (float)r[k][l];
            t -= r[k][l] * about[l];
        }
        m[4 * k + 3] = (float)t;
    }
}

bool couple_pose(couple *c, int which, double turn, bool upright, double apart, test_random *random)
{
    const graze_rig *rig = c->rig;
    OWNED graze_rig_local *locals = malloc(rig->node_count * sizeof *locals);
    OWNED float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    float placement[12];
    double q[4], middle[3], by[3];
    if (!locals || !joints)
        abort();
    double time = rig->clip_count ? test_random_range(random, 0, (double)rig->clips[0].seconds) : 0;
    bool ok =
        !graze_rig_sample_locals(rig, rig->clip_count ? 0 : GRAZE_NONE, time, locals, NULL, NULL);
    for (uint32_t n = 0; n < rig->node_count && turn > 0; n++) {
        random_turn(turn, random, q);
        multiply(locals[n].rotation, q, locals[n].rotation);
    }
    ok = ok && !graze_rig_compose(rig, locals, joints, NULL);
    test_extent(rig->positions, rig->vertex_count, middle);
    random_turn(M_PI, random, q);
    if (upright) {
        double angle = test_random_range(random, 0, M_PI);
        const double about_y[4] = {0, sin(angle), 0, cos(angle)};
        memcpy(q, about_y, sizeof q);
    }
    for (int k = 0; k < 3; k++)
        by[k] = test_random_range(random, -apart, apart) * (upright && k == 1 ? 0.1 : 1);
    place(q, middle, by, placement);
    graze_pose pose = {.joints = joints, .joint_count = rig->joint_count, .placement = placement};
    ok = ok && !graze_body_set_pose(c->bodies[which], &pose, NULL) &&
         !graze_hitboxes_pose(c->fit, c->bodies[which], c->volumes[which],
                              graze_hitboxes_count(c->fit, NULL), NULL);
    graze_body_get_positions(c->bodies[which], c->positions[which]);
    return test_check(ok, __FILE__, __LINE__, "cannot be posed");
}

/* ---- brute force ----------------------------------------------------------------------------- */

static void subtract(const float a[3], const float b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = (double)a[k] - (double)b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Squared distance of the origin from a segment, and from a triangle: the least of its plane, where
 * the foot is inside, and its edges.
 */
static double to_segment(const double a[3], const double b[3])
{
    double e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, l = dot(e, e), d2 = 0;
    double t = l > 0 ? -dot(a, e) / l : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++)
        d2 += (a[k] + t * e[k]) * (a[k] + t * e[k]);
    return d2;
}

static double to_triangle(const double r[3][3])
{
    double best =
        fmin(to_segment(r[0], r[1]), fmin(to_segment(r[1], r[2]), to_segment(r[2], r[0])));
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = r[1][k] - r[0][k];
        v[k] = r[2][k] - r[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), pu = -dot(r[0], u), pv = -dot(r[0], v);
    double det = uu * vv - uv * uv, s = (vv * pu - uv * pv) / det, t = (uu * pv - uv * pu) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        double height = dot(n, r[0]);
        best = fmin(best, height * height / dot(n, n));
    }
    return best;
}

static void relative_triangle(const couple *c, const float *positions, uint32_t triangle,
                              const float x[3], double r[3][3])
{
    for (int i = 0; i < 3; i++)
        subtract(positions + 3 * (size_t)c->rig->triangles[3 * (size_t)triangle + i], x, r[i]);
}

static bool is_inside(graze_body *body, const float x[3])
{
    graze_point_side side = {.inside = false};
    return !graze_inside(body, x, &side, &(graze_options){.method = GRAZE_BRUTE}, NULL) &&
           side.inside;
}

static double deepest_of(couple *c, int which)
{
    const float *own = c->positions[which], *other = c->positions[!which];
    uint32_t vertices = c->rig->vertex_count, triangles = c->rig->triangle_count, nearest = 0;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double deepest = 0, r[3][3];
    for (uint32_t i = 0; i < 3 * vertices; i++) {
        low[i % 3] = fminf(low[i % 3], other[i]);
        high[i % 3] = fmaxf(high[i % 3], other[i]);
    }
    for (uint32_t v = 0; v < vertices; v++) {
        const float *x = own + 3 * (size_t)v;
        bool in_box = true;
        for (int k = 0; k < 3; k++)
            in_box = in_box && x[k] >= low[k] && x[k] <= high[k];
        if (!in_box || !is_inside(c->bodies[!which], x))
            continue;
        double least = INFINITY;
        /* From the one that was nearest to the last vertex: that rules out most. */
        uint32_t start = nearest;
        for (uint32_t i = 0; i < triangles && least > deepest * deepest; i++) {
            uint32_t t = (start + i) % triangles;
            relative_triangle(c, other, t, x, r);
            double square = to_triangle((const double(*)[3])r);
            nearest = square < least ? t : nearest;
            least = fmin(least, square);
        }
        if (least > deepest * deepest)
            deepest = sqrt(least);
    }
    return deepest;
}

double couple_depth(couple *c)
{
    return fmax(deepest_of(c, 0), deepest_of(c, 1));
}
