/* Moving shapes against moving triangles, and against each other: times that are known, and random
 * motions against dense sampling. What is sampled are points that both certainly have (grids on the
 * triangle, edges of boxes and axes through it); what is measured is how far the shape is from the
 * very point that was reported.
 */
#include "harness.h"
#include "narrow/moving_shape.h"
#include "support/quick.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct point {
    double x, y, z;
} point;

static point minus(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}

static point plus(point a, double s, point b)
{
    return (point){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static point mix(const float p[3], const float q[3], double time)
{
    return (point){(1 - time) * (double)p[0] + time * (double)q[0],
                   (1 - time) * (double)p[1] + time * (double)q[1],
                   (1 - time) * (double)p[2] + time * (double)q[2]};
}

/* ---- a shape at a time, from its numbers ---------------------------------------------------- */

typedef struct moved {
    const graze_shape *from, *to;
} moved;

/* A box at a time: its middle and three half sides, not at right angles where it turns. */
static void box_at(moved shape, double time, point *middle, point sides[3])
{
    const graze_box *a = &shape.from->as.box, *b = &shape.to->as.box;
    *middle = mix(a->centre, b->centre, time);
    for (int i = 0; i < 3; i++) {
        float start[3], end[3];
        for (int k = 0; k < 3; k++) {
            start[k] = a->half[i] * a->axes[i][k]; /* axes are unit vectors but for rounding */
            end[k] = b->half[i] * b->axes[i][k];
        }
        sides[i] = mix(start, end, time);
    }
}

static double segment_distance(point p, point a, point b)
{
    point d = minus(b, a), w = minus(p, a);
    double square = dot(d, d), t = square > 0 ? fmin(fmax(dot(w, d) / square, 0), 1) : 0;
    point away = plus(w, -t, d);
    return sqrt(dot(away, away));
}

/* At least the distance of a point from the shape, below 0 only inside: exact but for boxes that
 * turn, where the nearest point is looked for by turns.
 */
static double distance_at(moved shape, double time, point p, int turns)
{
    const graze_shape *a = shape.from, *b = shape.to;
    if (a->kind == GRAZE_SPHERE) {
        point c = mix(a->as.sphere.centre, b->as.sphere.centre, time);
        double r = (1 - time) * (double)a->as.sphere.radius + time * (double)b->as.sphere.radius;
        return segment_distance(p, c, c) - r;
    }
    if (a->kind == GRAZE_CAPSULE) {
        double r = (1 - time) * (double)a->as.capsule.radius + time * (double)b->as.capsule.radius;
        return segment_distance(p, mix(a->as.capsule.p, b->as.capsule.p, time),
                                mix(a->as.capsule.q, b->as.capsule.q, time)) -
               r;
    }
    point middle, sides[3];
    box_at(shape, time, &middle, sides);
    point w = minus(p, middle);
    double least = INFINITY, u[3];
    for (int i = 0; i < 3; i++) { /* coordinates of the point along the sides */
        point n = cross(sides[(i + 1) % 3], sides[(i + 2) % 3]);
        double volume = dot(n, sides[i]);
        u[i] = volume != 0 ? dot(n, w) / volume : 0;
        least = volume != 0 ? fmin(least, (1 - fabs(u[i])) * fabs(volume) / sqrt(dot(n, n))) : 0;
    }
    if (least > 0)
        return -least;
    for (int turn = 0; turn < turns; turn++)
        for (int i = 0; i < 3; i++) {
            point rest = w;
            for (int k = 0; k < 3; k++)
                rest = plus(rest, k == i ? 0 : -fmin(fmax(u[k], -1), 1), sides[k]);
            double square = dot(sides[i], sides[i]);
            u[i] = square > 0 ? fmin(fmax(dot(rest, sides[i]) / square, -1), 1) : 0;
        }
    for (int k = 0; k < 3; k++)
        w = plus(w, -u[k], sides[k]);
    return sqrt(dot(w, w));
}

/* Whether a segment passes through a triangle, well inside both. */
static bool pierces(point p, point q, const point t[3])
{
    point d = minus(t[1], t[0]), e = minus(t[2], t[0]), n = cross(d, e), way = minus(q, p);
    double square = dot(n, n), along = dot(way, n), at = dot(minus(t[0], p), n);
    if (!(square > 1e-16 * dot(d, d) * dot(e, e)) ||
        fabs(along) < 1e-6 * sqrt(dot(way, way) * square))
        return false;
    double s = at / along;
    point w = minus(plus(p, s, way), t[0]);
    double u = dot(cross(w, e), n) / square, v = dot(cross(d, w), n) / square;
    return s > 1e-6 && s < 1 - 1e-6 && u > 1e-6 && v > 1e-6 && u + v < 1 - 1e-6;
}

/* Whether they certainly meet at a time, by more than a margin. */
static bool surely_meet(moved shape, const grazei_moving_triangle *triangle, double time,
                        double margin)
{
    enum { GRID = 6 };
    point t[3];
    for (int i = 0; i < 3; i++)
        t[i] = mix(triangle->corners[0][i], triangle->corners[1][i], time);
    for (int i = 0; i <= GRID; i++)
        for (int k = 0; i + k <= GRID; k++) {
            point p = plus(plus(t[0], (double)i / GRID, minus(t[1], t[0])), (double)k / GRID,
                           minus(t[2], t[0]));
            if (distance_at(shape, time, p, 0) < -margin)
                return true;
        }
    if (shape.from->kind == GRAZE_CAPSULE)
        return pierces(mix(shape.from->as.capsule.p, shape.to->as.capsule.p, time),
                       mix(shape.from->as.capsule.q, shape.to->as.capsule.q, time), t);
    if (shape.from->kind != GRAZE_BOX)
        return false;
    point middle, sides[3];
    box_at(shape, time, &middle, sides);
    for (int edge = 0; edge < 12; edge++) {
        int along = edge / 4, u = (along + 1) % 3, v = (along + 2) % 3;
        point from = plus(plus(middle, edge & 1 ? 1 : -1, sides[u]), edge & 2 ? 1 : -1, sides[v]);
        if (pierces(plus(from, -1, sides[along]), plus(from, 1, sides[along]), t))
            return true;
    }
    return false;
}

/* ---- random motions ------------------------------------------------------------------------- */

static double random_size(test_random *random)
{
    return pow(10, test_random_range(random, -2, 0.3));
}

static void random_vector(test_random *random, double size, float v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = (float)test_random_range(random, -size, size);
}

/* Mostly moved, sometimes standing still; boxes turn a little in every third. */
static void random_shapes(test_random *random, uint32_t number, graze_shape *from, graze_shape *to)
{
    float p[3], q[3], way[3], aim[3], size = (float)random_size(random);
    float turn[4] = {0.3f, -0.2f, 0.5f, 1}, other[4] = {0.3f, -0.2f, 0.5f, 1};
    random_vector(random, 1, p);
    random_vector(random, 1, q);
    random_vector(random, 0.5, aim); /* what it goes by, half way */
    for (int k = 0; k < 3; k++)
        way[k] = number % 7 ? 2 * (aim[k] - p[k]) : 0;
    float half[3] = {size, 0.5f * size, 2 * size};
    for (int k = 0; k < 3; k++) {
        turn[k] = (float)test_random_range(random, -1, 1);
        other[k] = number % 3 ? turn[k] : turn[k] + (float)test_random_range(random, -0.3, 0.3);
    }
    float p_end[3], q_end[3];
    for (int k = 0; k < 3; k++) {
        p_end[k] = p[k] + way[k];
        q_end[k] = number % 2 ? q[k] + way[k] : (float)test_random_range(random, -1, 1);
    }
    float grown = number % 5 ? size : 0.7f * size;
    switch (number % 3) {
    case 0:
        *from = graze_shape_sphere(p, size);
        *to = graze_shape_sphere(p_end, grown);
        break;
    case 1:
        *from = graze_shape_capsule(p, q, 0.3f * size);
        *to = graze_shape_capsule(p_end, q_end, 0.3f * grown);
        break;
    default:
        *from = graze_shape_box(p, half, turn);
        *to = graze_shape_box(p_end, half, number % 4 ? turn : other);
    }
}

static grazei_moving_triangle random_triangle(test_random *random, uint32_t number)
{
    grazei_moving_triangle triangle = {{{{0}}}};
    double size = random_size(random);
    float place[3], way[3], bend[3];
    random_vector(random, 0.5, place);
    random_vector(random, number % 3 ? 0.5 : 0, way);
    for (int i = 0; i < 3; i++) {
        random_vector(random, size, triangle.corners[0][i]);
        random_vector(random, number % 4 < 2 ? 0 : number % 4 == 2 ? 0.1 : size, bend);
        for (int k = 0; k < 3; k++) {
            triangle.corners[0][i][k] += place[k];
            triangle.corners[1][i][k] = triangle.corners[0][i][k] + way[k] + bend[k];
        }
        triangle.corners[0][i][3] = triangle.corners[1][i][3] = 0;
    }
    if (number % 11 == 0) /* no area at the end */
        memcpy(triangle.corners[1][2], triangle.corners[1][1], sizeof triangle.corners[1][1]);
    return triangle;
}

static void extend(double *reach, const double origin[3], const float corner[3])
{
    for (int k = 0; k < 3; k++)
        *reach = fmax(*reach, fabs((double)corner[k] - origin[k]));
}

/* As graze/sweep.h has it. */
static double reach_of(const grazei_moving_shape *made, moved shape,
                       const grazei_moving_triangle *triangle)
{
    const graze_shape *ends[2] = {shape.from, shape.to};
    double reach = 0, radius = 0;
    for (int end = 0; end < 2; end++) {
        const graze_shape *own = ends[end];
        for (int i = 0; i < 3; i++)
            extend(&reach, made->ends[end].origin, triangle->corners[end][i]);
        if (own->kind == GRAZE_SPHERE)
            radius = fmax(radius, own->as.sphere.radius);
        if (own->kind == GRAZE_CAPSULE) {
            extend(&reach, made->ends[end].origin, own->as.capsule.q);
            radius = fmax(radius, own->as.capsule.radius);
        }
        for (int k = 0; k < 3 && own->kind == GRAZE_BOX; k++)
            reach = fmax(reach, made->ends[end].high[k]);
    }
    return reach + radius;
}

typedef struct tally {
    uint64_t pairs, hits, initial, steps;
    uint32_t most_steps;
    double farthest; /* distance at the time of a hit, in tolerances */
} tally;

static bool meets_at(const grazei_moving_shape *made, const grazei_moving_triangle *triangle,
                     int end)
{
    const float(*corners)[4] = triangle->corners[end];
    uint32_t codes[3];
    grazei_shape_codes(&made->ends[end], corners, 3, codes);
    return grazei_shape_meets(&made->ends[end],
                              (const float *const[3]){corners[0], corners[1], corners[2]}, codes);
}

/* What holds for every hit that is not there at the start. */
static void judge_time(const grazei_moving_shape *made, moved shape,
                       const grazei_moving_triangle *triangle, const grazei_moving_contact *contact,
                       tally *seen)
{
    grazei_moving_contact again;
    double time = contact->reached, tolerance = 0x1p-22 * reach_of(made, shape, triangle);
    point at = {contact->point[0], contact->point[1], contact->point[2]};
    /* Rounding the point to float may take it off by some 2^-24 of where it is. */
    double rounding = 0x1p-23 * (fabs(at.x) + fabs(at.y) + fabs(at.z));
    double apart = (distance_at(shape, time, at, 400) - rounding) / tolerance;
    bool turns =
        shape.from->kind == GRAZE_BOX &&
        memcmp(shape.from->as.box.axes, shape.to->as.box.axes, sizeof shape.to->as.box.axes) != 0;
    seen->farthest = turns ? seen->farthest : fmax(seen->farthest, apart);
    /* Axes as floats are unit vectors to 1e-7 of the half sides; that of `by turns` is as good. */
    double allowed = shape.from->kind == GRAZE_BOX ? 4 : 1.001;
    CHECK_MSG(apart <= allowed, "pair %llu, kind %d: %g tolerances apart at %g",
              (unsigned long long)seen->pairs, (int)shape.from->kind, apart, time);
    float next = contact->time > 0 ? nextafterf(contact->time, 2) : FLT_MIN;
    CHECK((double)contact->time <= time && (double)next > time);
    CHECK(grazei_moving_shape_meets(made, triangle, contact->time, &again) &&
          memcmp(&again, contact, sizeof again) == 0);
    if (contact->time > 0)
        CHECK(!grazei_moving_shape_meets(made, triangle, nextafterf(contact->time, 0), &again));
}

static void judge(moved shape, const grazei_moving_triangle *triangle, uint32_t samples,
                  tally *seen)
{
    grazei_moving_shape made;
    grazei_moving_contact contact;
    REQUIRE(grazei_moving_shape_prepare(&made, shape.from, shape.to, NULL) == GRAZE_OK);
    bool hit = grazei_moving_shape_meets(&made, triangle, 1, &contact);
    double time = !hit ? 2 : contact.initial ? 0 : contact.reached;
    seen->pairs++;
    seen->hits += hit;
    seen->initial += hit && contact.initial;
    seen->steps += contact.steps;
    seen->most_steps = contact.steps > seen->most_steps ? contact.steps : seen->most_steps;
    CHECK_MSG(meets_at(&made, triangle, 0) == (hit && contact.initial),
              "pair %llu: the start is wrong", (unsigned long long)seen->pairs);
    CHECK_MSG(hit || !meets_at(&made, triangle, 1), "pair %llu meets at the end and is missed",
              (unsigned long long)seen->pairs);
    if (hit && !contact.initial)
        judge_time(&made, shape, triangle, &contact, seen);
    double reach = reach_of(&made, shape, triangle);
    for (uint32_t i = 0; i <= samples; i++) {
        double sample = (double)i / samples;
        if (sample < time && surely_meet(shape, triangle, sample, 1e-6 * reach)) {
            CHECK_MSG(false, "pair %llu, kind %d: they meet at %g, and %g was found",
                      (unsigned long long)seen->pairs, (int)shape.from->kind, sample, time);
            return;
        }
    }
}

static void tally_print(const char *what, const tally *seen)
{
    printf(
        "     %s: %llu pairs, %llu hits, %llu at the start; %.2f steps each, at most %u; hits up "
        "to %.3f tolerances apart\n",
        what, (unsigned long long)seen->pairs, (unsigned long long)seen->hits,
        (unsigned long long)seen->initial, (double)seen->steps / (double)seen->pairs,
        seen->most_steps, seen->farthest);
}

TEST(random_motions_against_samples)
{
    tally seen = {0};
    uint32_t count = test_amount(300000, 15000);
    test_random random = test_random_seed(11);
    for (uint32_t i = 0; i < count; i++) {
        graze_shape from, to;
        uint32_t number = test_random_u32(&random) % 9240;
        random_shapes(&random, number, &from, &to);
        grazei_moving_triangle triangle = random_triangle(&random, test_random_u32(&random) % 9240);
        judge((moved){&from, &to}, &triangle, 24, &seen);
    }
    tally_print("random motions", &seen);
    CHECK(8 * (seen.hits - seen.initial) > seen.pairs && seen.hits < seen.pairs);
    CHECK(seen.most_steps < 200);
}

/* ---- hard motions -----------------------------------------------------------------------------
 */

static float lattice_number(test_random *random, double size, double offset)
{
    return (float)(offset + size * ((double)(test_random_u32(random) % 9) - 4) / 4);
}

/* On a lattice, where everything touches: no radius, no length, no area; far away, tiny, huge. */
static void lattice_case(test_random *random, uint32_t number, graze_shape *from, graze_shape *to,
                         grazei_moving_triangle *triangle)
{
    static const double sizes[] = {1, 1, 1e-12, 1e12}, offsets[] = {0, 4096, 0, 0};
    double size = sizes[number % 4], offset = offsets[number % 4];
    float points[4][3], half[3], radii[2];
    for (int i = 0; i < 12; i++)
        points[i / 3][i % 3] = lattice_number(random, size, offset);
    for (int k = 0; k < 3; k++)
        half[k] = fabsf(lattice_number(random, size, 0)) / 2;
    for (int i = 0; i < 2; i++)
        radii[i] = number % 3 ? half[0] : (float)(size * (test_random_u32(random) % 3) / 4);
    if (number % 5 == 0) /* points, and boxes that go straight along an axis */
        memcpy(points[1], points[0], sizeof points[1]);
    if (number % 7 == 0)
        memcpy(points[2], points[0], 2 * sizeof(float));
    switch (number / 4 % 3) {
    case 0:
        *from = graze_shape_sphere(points[0], radii[0]);
        *to = graze_shape_sphere(points[2], radii[1]);
        break;
    case 1:
        *from = graze_shape_capsule(points[0], points[1], radii[0]);
        *to = graze_shape_capsule(points[2], points[3], radii[1]);
        break;
    default:
        *from = graze_shape_box(points[0], half, NULL);
        *to = graze_shape_box(points[2], half, NULL);
    }
    for (int i = 0; i < 18; i++)
        triangle->corners[i / 9][i / 3 % 3][i % 3] = lattice_number(random, size, offset);
    if (number % 6 == 0)
        memcpy(triangle->corners[1], triangle->corners[0], sizeof triangle->corners[0]);
    if (number % 11 == 0)
        memcpy(triangle->corners[0][2], triangle->corners[0][1], sizeof triangle->corners[0][1]);
}

TEST(hard_motions)
{
    tally seen = {0};
    uint32_t count = test_amount(200000, 10000);
    test_random random = test_random_seed(23);
    for (uint32_t i = 0; i < count; i++) {
        graze_shape from, to;
        grazei_moving_triangle triangle = {{{{0}}}};
        lattice_case(&random, test_random_u32(&random) % 4620, &from, &to, &triangle);
        judge((moved){&from, &to}, &triangle, 8, &seen);
    }
    tally_print("hard motions", &seen);
    CHECK(seen.hits > seen.pairs / 8 && seen.hits < seen.pairs && seen.most_steps < 1000);
}

/* ---- times that are known
 * ------------------------------------------------------------------------ */

static const float none[3] = {0, 0, 0};

/* The same triangle at both ends. */
static grazei_moving_triangle still(const float a[3], const float b[3], const float c[3])
{
    grazei_moving_triangle triangle = {{{{0}}}};
    const float *corners[3] = {a, b, c};
    for (int i = 0; i < 6; i++)
        memcpy(triangle.corners[i / 3][i % 3], corners[i % 3], 3 * sizeof(float));
    return triangle;
}

static void expect(const char *what, graze_shape from, graze_shape to,
                   const grazei_moving_triangle *triangle, double time, const float normal[3])
{
    grazei_moving_shape made;
    grazei_moving_contact contact;
    REQUIRE(grazei_moving_shape_prepare(&made, &from, &to, NULL) == GRAZE_OK);
    bool hit = grazei_moving_shape_meets(&made, triangle, 1, &contact);
    if (time > 1) {
        CHECK_MSG(!hit, "%s: met at %g", what, hit ? (double)contact.time : 0.0);
        return;
    }
    CHECK_MSG(hit && !contact.initial && contact.reached <= time + 1e-15 &&
                  contact.reached >= time - 1e-6,
              "%s: %s at %.9g, not %.9g", what, hit ? "met" : "not met", contact.reached, time);
    for (int k = 0; k < 3; k++)
        CHECK_MSG(fabsf(contact.normal[k] - normal[k]) < 1e-3f, "%s: normal %g %g %g", what,
                  (double)contact.normal[0], (double)contact.normal[1], (double)contact.normal[2]);
}

TEST(times_that_are_known)
{
    const float up[3] = {0, 0, 1}, half[3] = {0.25f, 0.25f, 0.25f};
    const float high[3] = {0, 0, 4}, low[3] = {0, 0, -4}, high2[3] = {1, 0, 4},
                low2[3] = {1, 0, -4};
    const float left[3] = {-4, -8, 0.5f}, right[3] = {4, -8, 0.5f};
    const float diagonal[4] = {0, 0.382683432f, 0, 0.923879533f};
    grazei_moving_triangle floor_ =
        still((const float[3]){-9, -9, 0}, (const float[3]){9, -9, 0}, (const float[3]){0, 20, 0});
    expect("a ball onto a face", graze_shape_sphere(high, 1), graze_shape_sphere(low, 1), &floor_,
           3.0 / 8, up);
    expect("a growing ball", graze_shape_sphere(high, 1), graze_shape_sphere(high, 5), &floor_,
           0.75, up);
    expect("a capsule onto a face", graze_shape_capsule(high, high2, 1),
           graze_shape_capsule(low, low2, 1), &floor_, 3.0 / 8, up);
    expect("a standing capsule", graze_shape_capsule(high, (const float[3]){0, 0, 6}, 1),
           graze_shape_capsule(low, (const float[3]){0, 0, -2}, 1), &floor_, 3.0 / 8, up);
    expect("a box onto a face", graze_shape_box(high, half, NULL), graze_shape_box(low, half, NULL),
           &floor_, 3.75 / 8, up);
    expect("a box on its edge", graze_shape_box(high, half, diagonal),
           graze_shape_box(low, half, diagonal), &floor_, (4 - 0.25 * sqrt(2)) / 8, up);
    expect("a ball beside an edge", graze_shape_sphere((const float[3]){0, -10.5f, 4}, 1),
           graze_shape_sphere((const float[3]){0, -10.5f, -4}, 1), &floor_, 2, none);
    /* The edge y = -9 is 1 below and 0.6 before the ball's centre when they meet. */
    expect("a ball onto an edge", graze_shape_sphere((const float[3]){0, -9.6f, 4}, 1),
           graze_shape_sphere((const float[3]){0, -9.6f, -4}, 1), &floor_, (4 - 0.8) / 8,
           (const float[3]){0, -0.6f, 0.8f});
    expect("a ball that rolls by", graze_shape_sphere(left, 0.25f),
           graze_shape_sphere(right, 0.25f), &floor_, 2, none);
    expect("a half-space that rises", graze_shape_half_space(up, -8), graze_shape_half_space(up, 8),
           &floor_, 0.5, (const float[3]){0, 0, -1});
    expect("a half-space that stays below", graze_shape_half_space(up, -8),
           graze_shape_half_space(up, -1), &floor_, 2, none);
    floor_.corners[1][2][2] =
        -32; /* one corner falls by 32: at time t the plane of the others... */
    expect("a falling corner", graze_shape_half_space(up, -8), graze_shape_half_space(up, -8),
           &floor_, 0.25, (const float[3]){0, 0, -1});
}

static void expect_shapes(const char *what, graze_shape a, graze_shape a_end, graze_shape b,
                          double time)
{
    grazei_moving_shape made[2];
    grazei_moving_contact contact[2];
    REQUIRE(grazei_moving_shape_prepare(&made[0], &a, &a_end, NULL) == GRAZE_OK);
    REQUIRE(grazei_moving_shape_prepare(&made[1], &b, &b, NULL) == GRAZE_OK);
    for (int i = 0; i < 2; i++) {
        bool hit = grazei_moving_shapes_meet(&made[i], &made[!i], &contact[i]);
        CHECK_MSG(hit == (time <= 1), "%s: %s", what, hit ? "met" : "not met");
        CHECK_MSG(!hit || (contact[i].reached <= time + 1e-15 && contact[i].reached >= time - 1e-6),
                  "%s: %.9g, not %.9g", what, contact[i].reached, time);
    }
    for (int k = 0; k < 3 && time <= 1; k++)
        CHECK_MSG(fabsf(contact[0].normal[k] + contact[1].normal[k]) < 1e-4f, "%s: normals", what);
}

TEST(shapes_that_meet_shapes)
{
    const float high[3] = {0, 0, 4}, low[3] = {0, 0, -4}, half[3] = {0.5f, 0.5f, 0.5f};
    const float p[3] = {-1, 0, 0}, q[3] = {1, 0, 0}, up[3] = {0, 0, 1};
    graze_shape ball = graze_shape_sphere(high, 1), ball_end = graze_shape_sphere(low, 1);
    graze_shape box = graze_shape_box(high, half, NULL), box_end = graze_shape_box(low, half, NULL);
    graze_shape bar = graze_shape_capsule(p, q, 0.5f);
    expect_shapes("ball and ball", ball, ball_end, graze_shape_sphere(none, 1), 0.25);
    expect_shapes("ball and capsule", ball, ball_end, bar, 2.5 / 8);
    expect_shapes("ball and box", ball, ball_end, graze_shape_box(none, half, NULL), 2.5 / 8);
    expect_shapes("box and box", box, box_end, graze_shape_box(none, half, NULL), 3.0 / 8);
    expect_shapes("box and capsule", box, box_end, bar, 3.0 / 8);
    expect_shapes("ball and floor", ball, ball_end, graze_shape_half_space(up, -1), 0.5);
    expect_shapes("box and floor", box, box_end, graze_shape_half_space(up, -1), 4.5 / 8);
    expect_shapes("a miss", ball, ball_end, graze_shape_sphere((const float[3]){2.01f, 0, 0}, 1),
                  2);
    expect_shapes("a miss of a floor", ball, ball, graze_shape_half_space(up, -1), 2);
}
