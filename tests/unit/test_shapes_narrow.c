/* Triangle against shape, compared with formulas of another kind in wide numbers: distances by
 * normals and fractions instead of orthogonal feet, convex regions by the corners of a planar
 * linear program instead of clipping. On lattices the answers must be equal, ties included;
 * elsewhere they must differ within the tolerance only.
 */
#include "harness.h"
#include "narrow/shapes.h"
#include "support/quick.h"

#include <math.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 wide; /* 113 bits: products of integers of 24 bits stay exact */
#else
typedef long double wide;
#endif

typedef struct w3 {
    wide x, y, z;
} w3;

static w3 w3_of(const float p[3])
{
    return (w3){p[0], p[1], p[2]};
}

static w3 minus(w3 a, w3 b)
{
    return (w3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static w3 cross(w3 a, w3 b)
{
    return (w3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static wide dot(w3 a, w3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static wide least(wide a, wide b)
{
    return a < b ? a : b;
}

/* ---- distances ---------------------------------------------------------------------------- */

static wide point_segment(w3 p, w3 a, w3 b)
{
    w3 e = minus(b, a), w = minus(p, a);
    wide t = dot(w, e), square = dot(e, e);
    if (t <= 0)
        return dot(w, w);
    if (t >= square)
        return dot(minus(p, b), minus(p, b));
    w3 area = cross(w, e);
    return dot(area, area) / square;
}

static wide point_triangle(w3 p, const w3 t[3])
{
    w3 normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    wide best = point_segment(p, t[0], t[1]);
    bool over = dot(normal, normal) > 0;
    best = least(best, least(point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])));
    for (int i = 0; i < 3; i++)
        over = over && dot(cross(normal, minus(t[(i + 1) % 3], t[i])), minus(p, t[i])) >= 0;
    if (!over)
        return best;
    wide height = dot(normal, minus(p, t[0]));
    return least(best, height * height / dot(normal, normal));
}

/* Between lines, where both feet are within the segments. */
static wide segment_segment(w3 a, w3 b, w3 c, w3 d)
{
    w3 e = minus(b, a), f = minus(d, c), w = minus(c, a), across = cross(e, f);
    wide square = dot(across, across), best;
    best = least(least(point_segment(a, c, d), point_segment(b, c, d)),
                 least(point_segment(c, a, b), point_segment(d, a, b)));
    wide s = dot(cross(w, f), across), t = dot(cross(w, e), across);
    if (square > 0 && s >= 0 && s <= square && t >= 0 && t <= square)
        best = least(best, dot(w, across) * dot(w, across) / square);
    return best;
}

static wide segment_triangle(w3 p, w3 q, const w3 t[3])
{
    w3 normal = cross(minus(t[1], t[0]), minus(t[2], t[0])), d = minus(q, p);
    wide at_p = dot(normal, minus(p, t[0])), at_q = dot(normal, minus(q, t[0]));
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
        int left = 0, right = 0;
        for (int i = 0; i < 3; i++) {
            wide side = dot(d, cross(minus(t[i], p), minus(t[(i + 1) % 3], p)));
            left += side >= 0;
            right += side <= 0;
        }
        if (left == 3 || right == 3)
            return 0;
    }
    wide best = least(point_triangle(p, t), point_triangle(q, t));
    for (int i = 0; i < 3; i++)
        best = least(best, segment_segment(p, q, t[i], t[(i + 1) % 3]));
    return best;
}

/* ---- convex regions ----------------------------------------------------------------------- */

/* a u + b v <= c */
typedef struct line {
    wide a, b, c;
} line;

/* Points (u, v) of a triangle, u, v >= 0 and u + v <= 1, that lie below all planes: if there are
 * any then one is where two of the lines cross.
 */
static bool region_meets(const graze_half_space *planes, uint32_t count, const w3 t[3], wide slack)
{
    line lines[3 + GRAZE_MAX_PLANES] = {{-1, 0, 0}, {0, -1, 0}, {1, 1, 1}};
    uint32_t all = 3;
    for (uint32_t p = 0; p < count; p++) {
        w3 normal = w3_of(planes[p].normal);
        lines[all++] = (line){dot(normal, minus(t[1], t[0])), dot(normal, minus(t[2], t[0])),
                              planes[p].offset + slack - dot(normal, t[0])};
    }
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t j = i + 1; j < all; j++) {
            wide det = lines[i].a * lines[j].b - lines[i].b * lines[j].a, sign = det < 0 ? -1 : 1;
            wide u = (lines[i].c * lines[j].b - lines[i].b * lines[j].c) * sign;
            wide v = (lines[i].a * lines[j].c - lines[i].c * lines[j].a) * sign;
            bool fits = det != 0;
            for (uint32_t k = 0; k < all; k++)
                fits = fits && (k == i || k == j ||
                                lines[k].a * u + lines[k].b * v <= lines[k].c * det * sign);
            if (fits)
                return true;
        }
    return false;
}

/* ---- asking ------------------------------------------------------------------------------- */

static bool found(const grazei_shape *shape, const float t[3][3])
{
    const float *const corners[3] = {t[0], t[1], t[2]};
    uint32_t codes[3];
    for (int c = 0; c < 3; c++) {
        const float corner[1][4] = {{t[c][0], t[c][1], t[c][2], NAN}};
        grazei_shape_codes(shape, corner, 1, &codes[c]);
    }
    return grazei_shape_meets(shape, corners, codes);
}

static bool meets(const graze_shape *shape, const float t[3][3])
{
    grazei_shape made;
    graze_error error = {.text = ""};
    CHECK_MSG(grazei_shape_prepare(&made, shape, &error) == GRAZE_OK, "%s", error.text);
    return found(&made, t);
}

static float lattice(test_random *random, uint32_t size)
{
    return (float)(int32_t)(test_random_u32(random) % (2 * size + 1)) - (float)size;
}

static void lattice_points(test_random *random, uint32_t size, float (*points)[3], int count)
{
    for (int i = 0; i < 3 * count; i++)
        points[i / 3][i % 3] = lattice(random, size);
}

typedef struct tally {
    uint32_t asked, hits, ties;
} tally;

static void tally_print(const char *what, const tally *seen)
{
    printf("     %s: %u triangles, %u meet, %u ties\n", what, seen->asked, seen->hits, seen->ties);
}

/* ---- lattices ----------------------------------------------------------------------------- */

TEST(spheres_and_capsules_on_a_lattice)
{
    tally seen = {0};
    test_random random = test_random_seed(31);
    for (uint32_t i = 0; i < test_amount(300000, 30000); i++) {
        float t[3][3], ends[2][3];
        uint32_t size = 2 + i % 7;
        lattice_points(&random, size, t, 3);
        lattice_points(&random, size, ends, 2);
        float radius = 0.5f * (float)(test_random_u32(&random) % 9);
        w3 corners[3] = {w3_of(t[0]), w3_of(t[1]), w3_of(t[2])};
        bool is_sphere = i % 2;
        graze_shape shape = is_sphere ? graze_shape_sphere(ends[0], radius)
                                      : graze_shape_capsule(ends[0], ends[1], radius);
        wide square = is_sphere ? point_triangle(w3_of(ends[0]), corners)
                                : segment_triangle(w3_of(ends[0]), w3_of(ends[1]), corners);
        bool expected = square <= (wide)radius * radius;
        seen.asked++;
        seen.hits += expected;
        seen.ties += square == (wide)radius * radius;
        CHECK_MSG(meets(&shape, (const float(*)[3])t) == expected, "case %u: not %d", i, expected);
    }
    tally_print("spheres and capsules", &seen);
    CHECK(seen.ties > seen.asked / 200);
}

TEST(boxes_and_frusta_on_a_lattice)
{
    tally seen = {0};
    test_random random = test_random_seed(32);
    for (uint32_t i = 0; i < test_amount(100000, 10000); i++) {
        float t[3][3], centre[3], half[3];
        graze_half_space planes[GRAZE_MAX_PLANES];
        uint32_t count = 1 + test_random_u32(&random) % GRAZE_MAX_PLANES;
        graze_shape shape;
        lattice_points(&random, 2 + i % 5, t, 3);
        if (i % 2) {                                       /* a box, as six planes */
            float turn[4] = {0, 0, (float)(i / 2 % 2), 1}; /* none, or a quarter of a circle */
            for (int k = 0; k < 3; k++) {
                centre[k] = lattice(&random, 3);
                half[k] = 0.5f * (float)(test_random_u32(&random) % 6);
            }
            shape = graze_shape_box(centre, half, turn);
            count = 6;
            for (int p = 0; p < 6; p++) {
                float sign = p % 2 ? 1.0f : -1.0f, *normal = planes[p].normal;
                planes[p].offset = half[p / 2];
                for (int k = 0; k < 3; k++) {
                    normal[k] = sign * roundf(shape.as.box.axes[p / 2][k]);
                    planes[p].offset += normal[k] * centre[k];
                }
            }
        } else {
            for (uint32_t p = 0; p < count; p++) {
                do
                    lattice_points(&random, 3, &planes[p].normal, 1);
                while (!planes[p].normal[0] && !planes[p].normal[1] && !planes[p].normal[2]);
                planes[p].offset = lattice(&random, 6);
            }
            shape = graze_shape_frustum(planes, count);
        }
        w3 corners[3] = {w3_of(t[0]), w3_of(t[1]), w3_of(t[2])};
        bool expected = region_meets(planes, count, corners, 0);
        seen.asked++;
        seen.hits += expected;
        seen.ties += expected && !region_meets(planes, count, corners, (wide)-1e-9);
        CHECK_MSG(meets(&shape, (const float(*)[3])t) == expected, "case %u: not %d", i, expected);
    }
    tally_print("boxes and frusta", &seen);
    CHECK(seen.ties > seen.asked / 100 && seen.hits > seen.asked / 10);
}

/* ---- the tolerance ------------------------------------------------------------------------ */

/* Coordinates of 24 bits and all kinds of triangles: slivers, segments nearly parallel to edges,
 * far and small ones, off the origin.
 */
/* Puts a point above the inside of a triangle, as well as integers can. */
static void put_above(test_random *random, const float t[3][3], float point[3])
{
    double e[3], f[3], normal[3], length = 0,
                                  height = ldexp(1, (int)(test_random_u32(random) % 24));
    double v = 0.2 + 0.2 * test_random_unit(random), w = 0.2 + 0.2 * test_random_unit(random);
    for (int k = 0; k < 3; k++) {
        e[k] = (double)t[1][k] - t[0][k];
        f[k] = (double)t[2][k] - t[0][k];
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3 && length > 0; k++)
        point[k] =
            roundf((float)(t[0][k] + v * e[k] + w * f[k] + height * normal[k] / sqrt(length)));
}

static void hard_points(test_random *random, uint32_t number, float t[3][3], float ends[2][3])
{
    double scale = ldexp(1, -(int)(number % 20)), offset = number / 3 % 2 ? 0 : 3e6;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            double unit = test_random_range(random, -1, 1);
            float *p = i < 3 ? t[i] : ends[i - 3];
            p[k] = (float)(offset + 4e6 * unit * (i == 2 ? scale : 1));
        }
    if (number % 3 == 0) /* a sliver: the third corner near the edge of the others */
        for (int k = 0; k < 3; k++)
            t[2][k] = (float)((double)t[0][k] + 0.3 * ((double)t[1][k] - t[0][k]) +
                              test_random_range(random, -8, 8));
    if (number % 4 == 0) /* an axis nearly along an edge */
        for (int k = 0; k < 3; k++) {
            ends[0][k] = (float)(t[0][k] + test_random_range(random, -9, 9));
            ends[1][k] = (float)(t[1][k] + test_random_range(random, -9, 9));
        }
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++) {
            float *p = i < 3 ? t[i] : ends[i - 3];
            p[k] = roundf(p[k]);
        }
    if (number % 5 == 0)
        put_above(random, (const float(*)[3])t, ends[0]);
}

static double root(wide square)
{
    double s = sqrt((double)square);
    return s > 0 ? (double)(((wide)s + square / s) / 2) : 0;
}

TEST(distances_keep_to_the_tolerance)
{
    test_random random = test_random_seed(33);
    uint32_t asked = 0, apart = 0;
    double worst = 0;
    for (uint32_t i = 0; i < test_amount(100000, 10000); i++) {
        float t[3][3], ends[2][3];
        grazei_shape made;
        hard_points(&random, i, t, ends);
        w3 corners[3] = {w3_of(t[0]), w3_of(t[1]), w3_of(t[2])};
        bool is_sphere = i / 2 % 2;
        graze_shape shape =
            is_sphere ? graze_shape_sphere(ends[0], 0) : graze_shape_capsule(ends[0], ends[1], 0);
        CHECK(grazei_shape_prepare(&made, &shape, NULL) == GRAZE_OK);
        double distance =
            root(is_sphere ? point_triangle(w3_of(ends[0]), corners)
                           : segment_triangle(w3_of(ends[0]), w3_of(ends[1]), corners));
        double size = 0;
        for (int c = 0; c < 4; c++) {
            w3 w = minus(c < 3 ? corners[c] : w3_of(ends[!is_sphere]), w3_of(ends[0]));
            size = fmax(size, root(dot(w, w)));
        }
        /* The radius as a double, so that the last digits are looked at; boxes out of the way. */
        for (int k = 0; k < 3; k++) {
            made.low[k] = -INFINITY;
            made.high[k] = INFINITY;
        }
        made.radius = distance + 0x1p-52 * distance;
        CHECK_MSG(found(&made, (const float(*)[3])t), "case %u: missed at %.17g", i, distance);
        made.radius = distance - 1e-12 * size;
        if (made.radius >= 0) {
            apart++;
            CHECK_MSG(!found(&made, (const float(*)[3])t), "case %u: found too early, %.17g", i,
                      distance);
        }
        for (double less = 1e-16; less < 1e-12 && distance > less * size; less *= 2) {
            made.radius = distance - less * size;
            if (found(&made, (const float(*)[3])t))
                worst = fmax(worst, less);
        }
        asked++;
    }
    printf("     %u triangles, %u apart; found up to %.1g of the size too early\n", asked, apart,
           worst);
    CHECK(apart > asked / 2);
}

TEST(regions_keep_to_the_tolerance)
{
    test_random random = test_random_seed(34);
    uint32_t asked = 0, hits = 0;
    for (uint32_t i = 0; i < test_amount(100000, 5000); i++) {
        float t[3][3], ends[2][3];
        graze_half_space planes[GRAZE_MAX_PLANES];
        uint32_t count = 2 + i % (GRAZE_MAX_PLANES - 1);
        hard_points(&random, i, t, ends);
        w3 corners[3] = {w3_of(t[0]), w3_of(t[1]), w3_of(t[2])};
        /* Planes through a point of the triangle, so that it is a near thing; all at most. */
        float u = (float)test_random_unit(&random), v = (1 - u) * (float)test_random_unit(&random);
        double size = 0;
        for (uint32_t p = 0; p < count; p++) {
            double offset = 0;
            for (int k = 0; k < 3; k++) {
                planes[p].normal[k] = (float)test_random_range(&random, -1, 1);
                offset += (double)planes[p].normal[k] *
                          ((1.0 - u - v) * t[0][k] + (double)u * t[1][k] + (double)v * t[2][k]);
                size = fmax(size, fabs((double)t[p % 3][k]));
            }
            planes[p].offset = (float)offset;
        }
        graze_shape shape = graze_shape_frustum(planes, count);
        bool answer = meets(&shape, (const float(*)[3])t);
        asked++;
        hits += answer;
        CHECK_MSG(answer || !region_meets(planes, count, corners, 0), "case %u: missed", i);
        CHECK_MSG(!answer || region_meets(planes, count, corners, (wide)(5e-12 * size)),
                  "case %u: found too early", i);
    }
    printf("     %u triangles, %u meet\n", asked, hits);
    CHECK(hits > asked / 20 && hits < asked);
}

/* ---- planes ------------------------------------------------------------------------------- */

/* Signs of planes are exact: corners are put as near to the plane as floats allow. */
TEST(planes_are_exact)
{
    test_random random = test_random_seed(35);
    uint32_t zeros = 0, hits = 0, count = test_amount(200000, 10000);
    for (uint32_t i = 0; i < count; i++) {
        float normal[3], t[3][3], offset = (float)test_random_range(&random, -2, 2);
        int below = 0, above = 0;
        for (int k = 0; k < 3; k++)
            normal[k] = i % 3 ? lattice(&random, 4) + (k == 2 ? 9.0f : 0.0f)
                              : (float)test_random_range(&random, 0.1, 1);
        for (int c = 0; c < 3; c++) {
            t[c][0] = (float)test_random_range(&random, -1, 1);
            t[c][1] = i % 2 ? lattice(&random, 9) : (float)test_random_range(&random, -1, 1);
            t[c][2] = (float)((offset - (double)normal[0] * t[c][0] - (double)normal[1] * t[c][1]) /
                              normal[2]);
            wide height = dot(w3_of(normal), w3_of(t[c])) - offset;
            below += height < 0;
            above += height > 0;
            zeros += height == 0;
        }
        graze_shape plane = graze_shape_plane(normal, offset);
        graze_shape half_space = graze_shape_half_space(normal, offset);
        bool crosses = meets(&plane, (const float(*)[3])t);
        hits += crosses;
        CHECK_MSG(crosses == (below < 3 && above < 3), "case %u: plane", i);
        CHECK_MSG(meets(&half_space, (const float(*)[3])t) == (above < 3), "case %u: half", i);
    }
    printf("     %u triangles, %u crossed, %u corners on the plane\n", count, hits, zeros);
    CHECK(zeros > 0 && hits > count / 4 && hits < count);
}

/* ---- frusta ------------------------------------------------------------------------------- */

/* Points are in the planes' region if and only if they are in clip space. */
static void check_frustum(const float m[16], graze_clip_depth depth, uint32_t expected,
                          uint64_t seed)
{
    graze_half_space planes[6];
    uint32_t count = graze_frustum_planes(m, depth, planes), within = 0;
    test_random random = test_random_seed(seed);
    CHECK_MSG(count == expected, "%u planes", count);
    for (int i = 0; i < 2000; i++) {
        double p[4] = {0, 0, 0, 1}, clip[4], nearest = INFINITY;
        bool inside = true, in_view = true;
        for (int k = 0; k < 3; k++)
            p[k] = test_random_range(&random, -20, 20);
        for (int r = 0; r < 4; r++)
            clip[r] = m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + (double)m[12 + r];
        for (int k = 0; k < 3; k++) {
            double low = k == 2 && depth == GRAZE_CLIP_DEPTH_UNIT ? 0 : -clip[3];
            in_view = in_view && clip[k] >= low && clip[k] <= clip[3];
            nearest = fmin(nearest, fmin(fabs(clip[k] - low), fabs(clip[k] - clip[3])));
        }
        for (uint32_t q = 0; q < count; q++)
            inside = inside && planes[q].normal[0] * p[0] + planes[q].normal[1] * p[1] +
                                       planes[q].normal[2] * p[2] <=
                                   (double)planes[q].offset;
        within += inside;
        CHECK_MSG(nearest < 1e-4 || inside == in_view, "point %d: %d, clip space %d", i, inside,
                  in_view);
    }
    CHECK_MSG(within > 20, "only %u points are in view", within);
}

TEST(frustum_planes_from_matrices)
{
    /* Perspective projections looking along -z, near 0.5 and far 15: OpenGL, zero to one, reversed,
     * infinite, infinite and reversed. Columns. */
    const float n = 0.5f, f = 15;
    const float opengl[16] = {
        1.2f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, -(f + n) / (f - n), -1, 0, 0, -2 * f * n / (f - n), 0};
    const float unit[16] = {
        1.2f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, -f / (f - n), -1, 0, 0, -f * n / (f - n), 0};
    const float reversed[16] = {
        1.2f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, n / (f - n), -1, 0, 0, f * n / (f - n), 0};
    const float infinite[16] = {1.2f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, -1, -1, 0, 0, -2 * n, 0};
    const float both[16] = {1.2f, 0, 0, 0, 0, 1.5f, 0, 0, 0, 0, 0, -1, 0, 0, n, 0};
    const float turned[16] = {0.6f, 0.8f, 0,    0, -0.8f, 0.6f,  0, 0,
                              0,    0,    0.1f, 0, 0.3f,  -0.2f, 0, 2};
    check_frustum(opengl, GRAZE_CLIP_DEPTH_SIGNED, 6, 1);
    check_frustum(unit, GRAZE_CLIP_DEPTH_UNIT, 6, 2);
    check_frustum(reversed, GRAZE_CLIP_DEPTH_UNIT, 6, 3);
    check_frustum(infinite, GRAZE_CLIP_DEPTH_SIGNED, 5, 4);
    check_frustum(both, GRAZE_CLIP_DEPTH_UNIT, 5, 5);
    check_frustum(turned, GRAZE_CLIP_DEPTH_SIGNED, 6, 6);
}
