/* Rays against single triangles: exact sides, an oracle in integers, and the accuracy of t. */
#include "harness.h"
#include "support/quick.h"

#include "exact/line.h"
#include "narrow/ray.h"

#include <math.h>

typedef struct ivec {
    int64_t x, y, z;
} ivec;

static ivec make(const float p[3])
{
    return (ivec){(int64_t)p[0], (int64_t)p[1], (int64_t)p[2]};
}
static ivec sub(ivec a, ivec b)
{
    return (ivec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static ivec times(ivec a, int64_t s)
{
    return (ivec){a.x * s, a.y * s, a.z * s};
}
static ivec cross(ivec a, ivec b)
{
    return (ivec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static int64_t dot(ivec a, ivec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static bool is_zero(ivec a)
{
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* ---- the oracle: another method, in integers ---------------------------------------------- */

/* A fraction with a positive denominator. */
typedef struct fraction {
    int64_t over, under;
} fraction;

static fraction divide(int64_t over, int64_t under)
{
    return under < 0 ? (fraction){-over, -under} : (fraction){over, under};
}
static bool less(fraction a, fraction b)
{
    return (__int128)a.over * b.under < (__int128)b.over * a.under;
}

/* The points of the line in the triangle, clipped to t >= 0 and t <= t_max (none if negative). */
typedef struct span {
    bool any;
    fraction first, last;
} span;

static void keep_from(span *s, fraction t)
{
    if (less(s->first, t))
        s->first = t;
    s->any = s->any && !less(s->last, s->first);
}
static void keep_to(span *s, fraction t)
{
    if (less(t, s->last))
        s->last = t;
    s->any = s->any && !less(s->last, s->first);
}

/* The plane is cut at t; is the point inside of all edges? */
static void clip_across(span *s, ivec o, ivec d, const ivec c[3], ivec normal)
{
    fraction t = divide(dot(normal, sub(c[0], o)), dot(normal, d));
    for (int i = 0; i < 3; i++) {
        ivec edge = sub(c[(i + 1) % 3], c[i]);
        ivec point = sub(times(sub(o, c[i]), t.under), times(d, -t.over));
        s->any = s->any && dot(cross(edge, point), normal) >= 0;
    }
    keep_from(s, t);
    keep_to(s, t);
}

/* All in one plane: three half-planes (Cyrus and Beck). */
static void clip_within(span *s, ivec o, ivec d, const ivec c[3], ivec normal)
{
    for (int i = 0; i < 3; i++) {
        ivec inward = cross(normal, sub(c[(i + 1) % 3], c[i]));
        int64_t start = dot(inward, sub(o, c[i])), slope = dot(inward, d);
        if (slope > 0)
            keep_from(s, divide(-start, slope));
        else if (slope < 0)
            keep_to(s, divide(-start, slope));
        else
            s->any = s->any && start >= 0;
    }
}

static void clip_segment(span *s, ivec o, ivec d, ivec p, ivec q)
{
    ivec along = sub(q, p), away = sub(p, o), normal = cross(d, along);
    int64_t square = dot(normal, normal);
    if (square) {
        fraction t = divide(dot(cross(away, along), normal), square);
        int64_t share = dot(cross(away, d), normal);
        s->any = s->any && dot(away, normal) == 0 && share >= 0 && share <= square;
        keep_from(s, t);
        keep_to(s, t);
        return;
    }
    fraction first = divide(dot(away, d), dot(d, d)), last = divide(dot(sub(q, o), d), dot(d, d));
    s->any = s->any && is_zero(cross(away, d));
    keep_from(s, less(first, last) ? first : last);
    keep_to(s, less(first, last) ? last : first);
}

static span expect(const graze_ray *ray, const float corners[3][3])
{
    ivec o = make(ray->origin), d = make(ray->dir), c[3], normal;
    span s = {true, {0, 1}, {isinf(ray->t_max) ? INT32_MAX : (int64_t)ray->t_max, 1}};
    for (int i = 0; i < 3; i++)
        c[i] = make(corners[i]);
    normal = cross(sub(c[1], c[0]), sub(c[2], c[0]));
    if (is_zero(normal)) {
        int p = 0, q = 0; /* the ends: the two that are farthest apart */
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < i; k++)
                if (dot(sub(c[i], c[k]), sub(c[i], c[k])) > dot(sub(c[p], c[q]), sub(c[p], c[q]))) {
                    p = i;
                    q = k;
                }
        clip_segment(&s, o, d, c[p], c[q]);
    } else if (dot(normal, d) != 0) {
        clip_across(&s, o, d, c, normal);
    } else {
        s.any = dot(normal, sub(c[0], o)) == 0;
        clip_within(&s, o, d, c, normal);
    }
    return s;
}

/* ---- checks -------------------------------------------------------------------------------- */

static bool check_point(const graze_ray *ray, const float corners[3][3], grazei_ray_point at,
                        double t)
{
    double w = 1.0 - at.u - at.v, apart = 0;
    for (int k = 0; k < 3; k++) {
        double p = w * corners[0][k] + (double)at.u * corners[1][k] + (double)at.v * corners[2][k];
        apart = fmax(apart, fabs(p - (ray->origin[k] + t * ray->dir[k])));
    }
    return fabs(at.t - t) <= 1e-6 * (1 + fabs(t)) && apart <= 1e-5 && at.u >= 0 && at.v >= 0 &&
           at.u + at.v <= 1;
}

static void random_lattice(test_random *random, int size, float *numbers, int count)
{
    for (int i = 0; i < count; i++)
        numbers[i] = (float)((int)(test_random_u32(random) % (uint32_t)(2 * size + 1)) - size);
}

TEST(lattice_cases_agree_with_integers)
{
    test_random random = test_random_seed(71);
    uint32_t cases = test_amount(3000000, 300000), hits = 0, flat = 0, at_origin = 0;
    for (uint32_t i = 0; i < cases; i++) {
        graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
        float corners[3][3];
        int size = 1 + (int)(i % 5);
        random_lattice(&random, size, &corners[0][0], 9);
        random_lattice(&random, size, ray.origin, 3);
        random_lattice(&random, size, ray.dir, 3);
        if (i % 3 == 0) /* in a plane, often */
            for (int c = 0; c < 3; c++)
                corners[c][i / 3 % 3] = ray.origin[i / 3 % 3];
        if (i % 7 == 0) /* through a corner */
            for (int k = 0; k < 3; k++)
                ray.dir[k] = corners[0][k] - ray.origin[k];
        if (i % 4 == 0)
            ray.t_max = (float)(i / 4 % 3);
        if (ray.dir[0] == 0 && ray.dir[1] == 0 && ray.dir[2] == 0)
            continue;
        grazei_ray_point at = {NAN, NAN, NAN};
        span wanted = expect(&ray, (const float(*)[3])corners);
        bool hit = grazei_ray_meets(&ray, (const float(*)[3])corners, &at);
        bool ok = hit == wanted.any &&
                  (!hit || check_point(&ray, (const float(*)[3])corners, at,
                                       (double)wanted.first.over / (double)wanted.first.under));
        if (!test_check(ok, __FILE__, __LINE__,
                        "case %u: hit %d, not %d; t %g, not %g; origin %g %g %g dir %g %g %g", i,
                        hit, wanted.any, (double)at.t,
                        (double)wanted.first.over / (double)wanted.first.under,
                        (double)ray.origin[0], (double)ray.origin[1], (double)ray.origin[2],
                        (double)ray.dir[0], (double)ray.dir[1], (double)ray.dir[2]))
            return;
        hits += hit;
        flat += hit && less(wanted.first, wanted.last);
        at_origin += hit && at.t == 0;
    }
    printf("     %u hits, %u of them along a line, %u at the origin, of %u\n", hits, flat,
           at_origin, cases);
    CHECK(hits > cases / 20 && flat > cases / 1000 && at_origin > cases / 1000);
}

/* The same lattice moved far and scaled by powers of two: nothing may change but t. */
TEST(scaled_lattices_give_the_same_signs)
{
    test_random random = test_random_seed(72);
    uint32_t cases = test_amount(400000, 40000), hits = 0;
    for (uint32_t i = 0; i < cases; i++) {
        graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY}, scaled;
        float corners[3][3], moved[3][3];
        grazei_ray_point at, other;
        float scale = ldexpf(1, (int)(i % 81) - 40), stretch = ldexpf(1, (int)(i % 53) - 26);
        random_lattice(&random, 3, &corners[0][0], 9);
        random_lattice(&random, 3, ray.origin, 3);
        random_lattice(&random, 3, ray.dir, 3);
        if (ray.dir[0] == 0 && ray.dir[1] == 0 && ray.dir[2] == 0)
            continue;
        scaled = ray;
        for (int k = 0; k < 3; k++) {
            float shift = (float)((int)(i % 3) - 1) * 0x1p18f;
            scaled.origin[k] = (ray.origin[k] + shift) * scale;
            scaled.dir[k] = ray.dir[k] * stretch;
            for (int c = 0; c < 3; c++)
                moved[c][k] = (corners[c][k] + shift) * scale;
        }
        bool hit = grazei_ray_meets(&ray, (const float(*)[3])corners, &at);
        bool hit_scaled = grazei_ray_meets(&scaled, (const float(*)[3])moved, &other);
        CHECK_MSG(hit == hit_scaled, "case %u", i);
        CHECK_MSG(!hit || fabsf(at.t * (scale / stretch) - other.t) <= 1e-6f * other.t, "t of %u",
                  i);
        hits += hit;
    }
    CHECK(hits > cases / 20);
}

/* ---- sides --------------------------------------------------------------------------------- */

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

TEST(sides_have_the_exact_sign_and_a_small_error)
{
    test_random random = test_random_seed(73);
    uint32_t cases = test_amount(1000000, 100000), zeros = 0, close = 0;
    for (uint32_t i = 0; i < cases; i++) {
        float o[3], d[3], a[3], b[3];
        random_lattice(&random, 1 << 20, o, 3);
        random_lattice(&random, 1 << (i % 20), d, 3);
        int64_t along = (int64_t)(test_random_u32(&random) % 15) - 7;
        random_lattice(&random, 1 << 20, b, 3);
        random_lattice(&random, (int)(i % 3), a, 3);
        for (int k = 0; k < 3; k++) /* a on the line or close to it */
            a[k] += o[k] + (float)along * d[k];
        ivec p = make(o), dir = make(d);
        ivec n = cross(sub(make(a), p), sub(make(b), p));
        __int128 exact = (__int128)dir.x * n.x + (__int128)dir.y * n.y + (__int128)dir.z * n.z;
        double side = grazei_line_side(o, d, a, b), wanted = (double)exact;
        CHECK_MSG(sign_of(side) == sign_of(wanted) && fabs(side - wanted) <= 0x1p-29 * fabs(wanted),
                  "case %u: %g, not %g", i, side, wanted);
        CHECK_MSG(sign_of(grazei_line_side(o, d, b, a)) == -sign_of(side), "case %u turned", i);
        ivec offset = cross(dir, sub(make(a), p));
        double offsets[3] = {(double)offset.x, (double)offset.y, (double)offset.z};
        for (int axis = 0; axis < 3; axis++) {
            double got = grazei_line_offset(o, d, a, axis);
            CHECK_MSG(sign_of(got) == sign_of(offsets[axis]) &&
                          fabs(got - offsets[axis]) <= 0x1p-29 * fabs(offsets[axis]),
                      "case %u axis %d: %g, not %g", i, axis, got, offsets[axis]);
        }
        zeros += exact == 0;
        close += exact != 0 && fabs(wanted) < 1e7;
    }
    printf("     %u sides are zero, %u are close to it\n", zeros, close);
    CHECK(zeros > cases / 10 && close > cases / 1000);
}

/* t of a ray that nearly runs within the plane, against long double arithmetic. */
TEST(t_is_good_at_grazing_angles)
{
    test_random random = test_random_seed(74);
    uint32_t cases = test_amount(300000, 30000), hits = 0;
    double worst = 0;
    for (uint32_t i = 0; i < cases; i++) {
        graze_ray ray = {.dir = {0, 0, 1}, .t_max = INFINITY};
        float c[3][3];
        double tilt = pow(10, -(double)(i % 7)), weights[3], sum = 0;
        for (int k = 0; k < 3; k++)
            sum += weights[k] = 0.05 + test_random_unit(&random);
        for (int k = 0; k < 9; k++)
            c[k / 3][k % 3] = (float)(test_random_range(&random, -1, 1) * (k % 3 == 2 ? tilt : 1));
        for (int k = 0; k < 3; k++) {
            double aim = (weights[0] * c[0][k] + weights[1] * c[1][k] + weights[2] * c[2][k]) / sum;
            ray.origin[k] = (float)(test_random_range(&random, -3, 3) * (k == 2 ? tilt : 1));
            ray.dir[k] = (float)(aim - ray.origin[k]);
        }
        grazei_ray_point at;
        if (!grazei_ray_meets(&ray, (const float(*)[3])c, &at))
            continue;
        long double e[3], f[3], w[3];
        for (int k = 0; k < 3; k++) {
            e[k] = (long double)c[1][k] - c[0][k];
            f[k] = (long double)c[2][k] - c[0][k];
            w[k] = (long double)c[0][k] - ray.origin[k];
        }
        long double over = 0, under = 0;
        for (int k = 0; k < 3; k++) {
            int j = (k + 1) % 3, l = (k + 2) % 3;
            long double n = e[j] * f[l] - e[l] * f[j];
            over += n * w[k];
            under += n * ray.dir[k];
        }
        worst = fmax(worst, fabs(at.t - (double)(over / under)));
        hits++;
    }
    printf("     %u hits, t off by at most %.2g\n", hits, worst);
    CHECK(hits > cases / 2 && worst < 4e-7);
}

TEST(normals_are_unit_and_follow_the_winding)
{
    float up[3][3] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}},
          flat[3][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
    float normal[3], none[3];
    grazei_triangle_normal((const float(*)[3])up, normal);
    grazei_triangle_normal((const float(*)[3])flat, none);
    CHECK(normal[0] == 0 && normal[1] == 0 && normal[2] == 1);
    CHECK(none[0] == 0 && none[1] == 0 && none[2] == 0);
}
