/* Moving triangles: impacts at times known exactly, at random ones against dense sampling, and
 * motions that flatten, turn inside out, slide and stand still.
 */
#include "harness.h"
#include "narrow/moving.h"
#include "narrow/triangle.h"
#include "support/quick.h"

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

static double unit(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static point corner_at(const grazei_moving_triangle *triangle, int corner, double time)
{
    const float *p = triangle->corners[0][corner], *q = triangle->corners[1][corner];
    return (point){(1 - time) * (double)p[0] + time * (double)q[0],
                   (1 - time) * (double)p[1] + time * (double)q[1],
                   (1 - time) * (double)p[2] + time * (double)q[2]};
}

/* Distances by plain minimisation: edges by turns, points by their foot. */
static double edge_distance(point p, point d, point q, point e)
{
    point r = minus(p, q);
    double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), best = INFINITY;
    double area = dd * ee - de * de;
    const double starts[5] = {0, 1, 0.5, area > 0 ? (de * dot(e, r) - ee * dot(d, r)) / area : 0,
                              0.25};
    for (int i = 0; i < 5; i++) {
        double s = unit(starts[i]), t = 0;
        for (int turn = 0; turn < 4; turn++) {
            t = ee > 0 ? unit((de * s + dot(e, r)) / ee) : 0;
            s = dd > 0 ? unit((de * t - dot(d, r)) / dd) : 0;
        }
        point w = plus(plus(r, s, d), -t, e);
        best = fmin(best, sqrt(dot(w, w)));
    }
    return best;
}

static double foot_distance(point p, const point t[3])
{
    point d = minus(t[1], t[0]), e = minus(t[2], t[0]), w = minus(p, t[0]), n = cross(d, e);
    double square = dot(n, n), s = dot(cross(w, e), n), u = dot(cross(d, w), n);
    if (!(square > 0 && s >= 0 && u >= 0 && s + u <= square))
        return INFINITY;
    return fabs(dot(w, n)) / sqrt(square);
}

static double distance_at(const grazei_moving_triangle *a, const grazei_moving_triangle *b,
                          double time)
{
    point p[3], q[3];
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        p[i] = corner_at(a, i, time);
        q[i] = corner_at(b, i, time);
    }
    for (int i = 0; i < 3; i++) {
        best = fmin(best, fmin(foot_distance(p[i], q), foot_distance(q[i], p)));
        for (int k = 0; k < 3; k++)
            best = fmin(best, edge_distance(p[i], minus(p[(i + 1) % 3], p[i]), q[k],
                                            minus(q[(k + 1) % 3], q[k])));
    }
    return best;
}

/* Whether an edge passes through a triangle, well inside both. */
static bool edge_pierces(point p, point q, const point t[3])
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

static bool pierce_at(const grazei_moving_triangle *a, const grazei_moving_triangle *b, double time)
{
    point p[3], q[3];
    for (int i = 0; i < 3; i++) {
        p[i] = corner_at(a, i, time);
        q[i] = corner_at(b, i, time);
    }
    for (int i = 0; i < 3; i++)
        if (edge_pierces(p[i], p[(i + 1) % 3], q) || edge_pierces(q[i], q[(i + 1) % 3], p))
            return true;
    return false;
}

/* The reach of graze/sweep.h, and the length of the longest way. */
static double reach_of(const grazei_moving_triangle *a, const grazei_moving_triangle *b)
{
    double reach = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 6; i++)
            for (int axis = 0; axis < 3; axis++) {
                float p = i < 3 ? a->corners[end][i][axis] : b->corners[end][i - 3][axis];
                reach = fmax(reach, fabs((double)p - (double)a->corners[end][0][axis]));
            }
    return reach;
}

static bool meet_at(const grazei_moving_triangle *a, const grazei_moving_triangle *b, int end)
{
    float p[3][3], q[3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(p[i], a->corners[end][i], sizeof p[i]);
        memcpy(q[i], b->corners[end][i], sizeof q[i]);
    }
    return grazei_triangles_meet((const float(*)[3])p, (const float(*)[3])q);
}

/* What was seen. */
typedef struct tally {
    uint64_t pairs, hits, initial, steps;
    uint32_t most_steps;
    double farthest; /* distance at the time of a hit, in tolerances */
} tally;

static void count_contact(tally *seen, bool hit, const grazei_moving_contact *contact)
{
    seen->pairs++;
    seen->hits += hit;
    seen->initial += hit && contact->initial;
    seen->steps += contact->steps;
    if (contact->steps > seen->most_steps)
        seen->most_steps = contact->steps;
}

static void tally_print(const char *what, const tally *seen)
{
    printf("     %s: %llu pairs, %llu hits, %llu at the start; %.2f steps each, at most %u; hits "
           "up to %.3f tolerances apart\n",
           what, (unsigned long long)seen->pairs, (unsigned long long)seen->hits,
           (unsigned long long)seen->initial, (double)seen->steps / (double)seen->pairs,
           seen->most_steps, seen->farthest);
}

/* What holds for every answer: exact at the start, near at the time of a hit, the same if asked
 * again with that time as the latest, and nothing before it.
 */
static bool judge(const grazei_moving_triangle *a, const grazei_moving_triangle *b, tally *seen,
                  grazei_moving_contact *contact)
{
    grazei_moving_contact again;
    bool hit = grazei_moving_triangles_meet(a, b, 1, contact);
    bool start = meet_at(a, b, 0), end = meet_at(a, b, 1);
    count_contact(seen, hit, contact);
    CHECK_MSG(start == (hit && contact->initial), "pair %llu: the start is wrong",
              (unsigned long long)seen->pairs);
    CHECK_MSG(hit || !end, "pair %llu meets at the end and is missed",
              (unsigned long long)seen->pairs);
    if (!hit || contact->initial)
        return hit;
    CHECK(contact->time >= 0 && contact->time <= 1);
    double time = contact->reached;
    double apart = distance_at(a, b, time) / (0x1p-22 * reach_of(a, b));
    CHECK((double)contact->time <= time && (double)nextafterf(contact->time, 2) > time);
    seen->farthest = fmax(seen->farthest, apart);
    CHECK_MSG(apart <= 1.001, "pair %llu: %g tolerances apart at %g after %u steps",
              (unsigned long long)seen->pairs, apart, time, contact->steps);
    CHECK(grazei_moving_triangles_meet(a, b, contact->time, &again) &&
          memcmp(&again, contact, sizeof again) == 0);
    if (contact->time > 0)
        CHECK(!grazei_moving_triangles_meet(a, b, nextafterf(contact->time, 0), &again) ||
              again.time == contact->time);
    return hit;
}

/* ---- exact times -------------------------------------------------------------------------- */

static int integer(test_random *random, int low, int high)
{
    return low + (int)(test_random_u32(random) % (uint32_t)(high - low + 1));
}

static point lattice(test_random *random, int size, bool flat)
{
    return (point){integer(random, -size, size), integer(random, -size, size),
                   flat ? 0 : integer(random, -size, size)};
}

/* A lattice vector on the side of n, or in the plane of it. */
static point beside(test_random *random, point n, bool flat)
{
    point d = lattice(random, 9, flat);
    return dot(d, n) < 0 ? (point){-d.x, -d.y, -d.z} : d;
}

/* A triangle through the origin on the side of n at all times: a corner there, an edge through it,
 * or all of it around it. Corners that are not needed for that move.
 */
static void touching_triangle(test_random *random, point n, bool flat, point ends[2][3])
{
    int kind = integer(random, 0, 3);
    point d = lattice(random, 5, flat), along[2] = {cross(n, d), {0, 0, 0}};
    if (flat)
        along[0] = (point){n.y, -n.x, 0};
    along[1] = cross(n, along[0]);
    double k[4] = {integer(random, 1, 3), integer(random, 1, 3), integer(random, 1, 3),
                   integer(random, 1, 3)};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++)
            ends[end][i] = beside(random, n, flat);
    for (int end = 0; end < 2; end++) {
        if (kind == 0 || (kind == 2 && flat))
            ends[end][0] = (point){0, 0, 0};
        if (kind == 1 || kind == 3) {
            ends[end][0] = (point){-k[0] * along[0].x, -k[0] * along[0].y, -k[0] * along[0].z};
            ends[end][1] = (point){k[1] * along[0].x, k[1] * along[0].y, k[1] * along[0].z};
        }
        if (kind == 2 && !flat) {
            ends[end][0] = plus((point){0, 0, 0}, k[0], along[0]);
            ends[end][1] = plus(plus((point){0, 0, 0}, -k[1], along[0]), k[2], along[1]);
            ends[end][2] = plus(plus((point){0, 0, 0}, -k[1], along[0]), -k[3], along[1]);
        }
    }
}

static void store(grazei_moving_triangle *triangle, point ends[2][3], const point shifts[2],
                  int first)
{
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) {
            point p = plus(ends[end][(i + first) % 3], 1, shifts[end]);
            float row[4] = {(float)p.x, (float)p.y, (float)p.z, 0};
            memcpy(triangle->corners[end][i], row, sizeof row);
        }
}

/* The first triangle lies below the plane through the origin with normal n and touches the origin
 * at all times; the second lies above, touches it too, and is shifted by (p - q t) w with n . w >
 * 0. So they first meet at p / q, exactly. A motion of both together changes nothing.
 */
static void exact_case(uint64_t seed, tally *seen)
{
    test_random random = test_random_seed(seed);
    bool flat = integer(&random, 0, 3) == 0;
    point n = lattice(&random, 3, flat), w = lattice(&random, 4, flat), ends[2][2][3];
    point below = {-n.x, -n.y, -n.z},
          together[2] = {lattice(&random, 50, false), lattice(&random, 50, false)};
    if (dot(n, w) < 0)
        w = (point){-w.x, -w.y, -w.z};
    if (dot(n, w) == 0)
        return;
    int q = integer(&random, 1, 40), p = integer(&random, 1, q);
    touching_triangle(&random, below, flat, ends[0]);
    touching_triangle(&random, n, flat, ends[1]);
    point shifts[2] = {plus(together[0], p, w), plus(together[1], p - q, w)};
    grazei_moving_triangle a, b;
    grazei_moving_contact contact;
    store(&a, ends[0], together, integer(&random, 0, 2));
    store(&b, ends[1], shifts, integer(&random, 0, 2));
    bool swapped = integer(&random, 0, 1);
    bool hit = swapped ? judge(&b, &a, seen, &contact) : judge(&a, &b, seen, &contact);
    CHECK_MSG(hit, "case %llu is missed at %d / %d", (unsigned long long)seed, p, q);
    double late = (double)contact.time * q - p;
    CHECK_MSG(late <= 0, "case %llu: %g is later than %d / %d", (unsigned long long)seed,
              (double)contact.time, p, q);
    double reach = swapped ? reach_of(&b, &a) : reach_of(&a, &b);
    double gap = -late * dot(n, w) / sqrt(dot(n, n));
    double allowed = 0x1.01p-22 * reach + 0x1p-24 * q * sqrt(dot(w, w));
    CHECK_MSG(hit && gap <= allowed, "case %llu: %g is too early for %d / %d",
              (unsigned long long)seed, (double)contact.time, p, q);
}

TEST(exact_times_are_found)
{
    tally seen = {0};
    uint32_t count = test_amount(400000, 20000);
    for (uint32_t i = 0; i < count; i++)
        exact_case(i + 1, &seen);
    tally_print("exact times", &seen);
    CHECK(seen.most_steps < 1000 && seen.hits == seen.pairs && seen.pairs > count / 2);
}

/* ---- random motions ----------------------------------------------------------------------- */

/* Corners around a place, in one of many ways that matter. */
static void random_ends(test_random *random, int kind, grazei_moving_triangle *triangle)
{
    double size = kind % 5 == 4 ? 0.01 : 1, stray = kind % 3 == 1 ? 0.05 : 1;
    double far = kind % 7 == 6 ? 1000 : 0;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            double p = size * test_random_range(random, -1, 1);
            double q = p + stray * test_random_range(random, -1, 1);
            if (kind % 11 < 4) { /* small numbers, with many coincidences */
                p = floor(3 * p);
                q = floor(3 * q);
            }
            if (kind % 13 == 7 && axis == 2)
                p = q = 0;
            if (kind % 13 == 9 && i == 2) { /* a segment at the end, a point at the start */
                p = (double)triangle->corners[0][0][axis];
                q = (double)triangle->corners[1][1][axis];
            }
            triangle->corners[0][i][axis] = (float)(p + (axis == 0 ? far : 0));
            triangle->corners[1][i][axis] = (float)(q + (axis == 1 ? far : 0));
            triangle->corners[0][i][3] = triangle->corners[1][i][3] = NAN;
        }
}

TEST(random_motions_are_not_missed)
{
    tally seen = {0};
    uint32_t count = test_amount(30000, 1500), samples = 1000;
    uint64_t pierced = 0;
    test_random random = test_random_seed(9);
    for (uint32_t i = 0; i < count; i++) {
        grazei_moving_triangle a, b;
        grazei_moving_contact contact;
        random_ends(&random, (int)i, &a);
        random_ends(&random, (int)i, &b);
        bool hit = judge(&a, &b, &seen, &contact);
        double before = hit ? (double)contact.time : 2;
        for (uint32_t s = 0; s <= samples && s < before * samples; s++) {
            bool pierces = pierce_at(&a, &b, (double)s / samples);
            CHECK_MSG(!pierces, "pair %u meets at sample %u, reported is %g", i, s, before);
        }
        pierced += hit && pierce_at(&a, &b, 0.5);
    }
    tally_print("random motions", &seen);
    printf("     %llu of the hits pierce each other at half time\n", (unsigned long long)pierced);
    CHECK(seen.most_steps < 1000);
    CHECK(5 * seen.hits > seen.pairs && seen.hits < seen.pairs && pierced > count / 100);
}

/* ---- motions that are hard ---------------------------------------------------------------- */

static grazei_moving_triangle moving(const float start[9], const float end[9])
{
    grazei_moving_triangle triangle;
    memset(&triangle, 0, sizeof triangle);
    for (int i = 0; i < 9; i++) {
        triangle.corners[0][i / 3][i % 3] = start[i];
        triangle.corners[1][i / 3][i % 3] = end[i];
    }
    return triangle;
}

/* Expected time; negative: none. */
static void expect(const char *name, const float a[2][9], const float b[2][9], double time)
{
    tally seen = {0};
    grazei_moving_contact contact;
    for (int scale = -100; scale <= 50; scale += 50) {
        float s[4][9];
        for (int i = 0; i < 9; i++) {
            s[0][i] = ldexpf(a[0][i], scale);
            s[1][i] = ldexpf(a[1][i], scale);
            s[2][i] = ldexpf(b[0][i], scale);
            s[3][i] = ldexpf(b[1][i], scale);
        }
        grazei_moving_triangle p = moving(s[0], s[1]), q = moving(s[2], s[3]);
        bool hit = judge(&p, &q, &seen, &contact);
        CHECK_MSG(hit == (time >= 0), "%s, scale 2^%d: %s", name, scale, hit ? "hit" : "no hit");
        if (hit && time >= 0)
            CHECK_MSG((double)contact.time <= time && (double)contact.time >= time - 2e-6,
                      "%s, scale 2^%d: %.9g, not %.9g", name, scale, (double)contact.time, time);
        CHECK_MSG(contact.steps < 100, "%s: %u steps", name, contact.steps);
    }
}

#define FLAT                                                                                       \
    {                                                                                              \
        0, 0, 0, 4, 0, 0, 0, 4, 0                                                                  \
    }

TEST(hard_motions)
{
    expect("standing still, touching", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 0, 1, 1, 2, 2, 1, 2}, {1, 1, 0, 1, 1, 2, 2, 1, 2}}, 0);
    expect("standing still, apart", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 1, 1, 1, 2, 2, 1, 2}, {1, 1, 1, 1, 1, 2, 2, 1, 2}}, -1);
    expect("apart but together", (float[2][9]){FLAT, {1e4f, 0, 0, 1e4f + 4, 0, 0, 1e4f, 4, 0}},
           (float[2][9]){{1, 1, 1, 1, 1, 2, 2, 1, 2},
                         {1e4f + 1, 1, 1, 1e4f + 1, 1, 2, 1e4f + 2, 1, 2}},
           -1);
    expect("sliding in the plane", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{-5, 1, 0, -6, 0, 0, -6, 2, 0}, {5, 1, 0, 4, 0, 0, 4, 2, 0}}, 0.5);
    expect("sliding past in the plane", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{-5, -1, 0, -6, -2, 0, -6, -1, 0}, {9, -1, 0, 8, -2, 0, 8, -1, 0}}, -1);
    expect("sliding along an edge", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{-4, 0, 0, -6, -2, 0, -6, 0, 0}, {4, 0, 0, 2, -2, 0, 2, 0, 0}}, 0.5);
    expect("sliding in a plane above", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{-5, 1, 1e-3f, -6, 0, 1e-3f, -6, 2, 1e-3f},
                         {5, 1, 1e-3f, 4, 0, 1e-3f, 4, 2, 1e-3f}},
           -1);
    expect("faces come down parallel", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 3, 2, 1, 3, 1, 2, 3}, {1, 1, -1, 2, 1, -1, 1, 2, -1}}, 0.75);
    expect("points that pass",
           (float[2][9]){{0, 0, 0, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 4, 0, 0, 4, 0, 0}},
           (float[2][9]){{4, 0, 0, 4, 0, 0, 4, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0}}, 0.5);
    expect("points that miss",
           (float[2][9]){{0, 0, 0, 0, 0, 0, 0, 0, 0}, {4, 0, 0, 4, 0, 0, 4, 0, 0}},
           (float[2][9]){{4, 1, 0, 4, 1, 0, 4, 1, 0}, {0, 1, 0, 0, 1, 0, 0, 1, 0}}, -1);
    expect("a point through a face", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, -3, 1, 1, -3, 1, 1, -3}}, 0.25);
    expect("a face turns inside out around a point",
           (float[2][9]){{-4, -4, 1, 4, -4, 1, 0, 4, 1}, {4, 4, 1, -4, 4, 1, 0, -4, 1}},
           (float[2][9]){{0, 0, 1, 0, 0, 1, 0, 0, 1}, {0, 0, 1, 0, 0, 1, 0, 0, 1}}, 0);
    expect("a face turns inside out past a point",
           (float[2][9]){{-4, -4, 1, 4, -4, 1, 0, 4, 1}, {4, 4, 1, -4, 4, 1, 0, -4, 1}},
           (float[2][9]){{0, 0, 2, 0, 0, 2, 0, 0, 2}, {0, 0, 2, 0, 0, 2, 0, 0, 2}}, -1);
    expect("touching at the very end", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 5, 1, 1, 6, 2, 1, 6}, {1, 1, 0, 1, 1, 1, 2, 1, 1}}, 1);
    expect("leaving from a touch", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 0, 1, 1, 1, 2, 1, 1}, {1, 1, 5, 1, 1, 6, 2, 1, 6}}, 0);
    expect("leaving from almost a touch", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 1e-9f, 1, 1, 1, 2, 1, 1}, {1, 1, 5, 1, 1, 6, 2, 1, 6}}, -1);
    expect("an edge comes through a whole face", (float[2][9]){FLAT, FLAT},
           (float[2][9]){{1, 1, 1, 2, 1, 1, 1, 1, 1}, {1, 1, -1, 2, 1, -1, 1, 1, -1}}, 0.5);
    expect("all in one place", (float[2][9]){{0}, {0}}, (float[2][9]){{0}, {0}}, 0);
}

/* Near misses and grazes at every distance: parabolas that just come down to a face, or not. */
TEST(grazing_motions)
{
    tally seen = {0};
    test_random random = test_random_seed(5);
    uint32_t count = test_amount(200000, 10000);
    for (uint32_t i = 0; i < count; i++) {
        grazei_moving_triangle a, b;
        grazei_moving_contact contact;
        random_ends(&random, 5, &a);
        /* A corner of b meets a point of the middle of a at half time, but for a distance. */
        random_ends(&random, 16, &b);
        double off =
            ldexp(test_random_range(&random, -1, 1), -(int)(test_random_u32(&random) % 40));
        double part[3] = {test_random_unit(&random), test_random_unit(&random), 0};
        part[1] *= 1 - part[0];
        part[2] = 1 - part[0] - part[1];
        for (int axis = 0; axis < 3; axis++) {
            double at = off;
            for (int c = 0; c < 3; c++)
                at +=
                    part[c] * 0.5 * ((double)a.corners[0][c][axis] + (double)a.corners[1][c][axis]);
            double way = test_random_range(&random, -1, 1) * (i % 3 ? 1 : 0.001);
            b.corners[0][0][axis] = (float)(at - way);
            b.corners[1][0][axis] = (float)(at + way);
        }
        judge(&a, &b, &seen, &contact);
    }
    tally_print("grazing motions", &seen);
    CHECK(seen.most_steps < 1000 && seen.hits > count / 10);
}
