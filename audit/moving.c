/* Whether two triangles meet on their way, every corner on a straight line. The swept query finds
 * whatever comes near within the precision of floats, as parts do that lie against each other; here
 * they have to touch. Triangles that are apart first touch with a corner in the other one, or with
 * two edges, and four points of these are in one plane then: a cubic in time (Provot 1997).
 */
#include "audit/points.h"
#include "audit/worker.h"

/* So near to 0, for its size, a cubic may be 0; so far beyond its ends an edge counts. */
#define NEAR_ZERO 1e-13
#define NEAR_EDGE 1e-9

typedef struct cubic {
    double of[4]; /* of 1, t, t^2, t^3 */
    double size;  /* of what they were made of */
} cubic;

/* Two points, at the start and how they move. */
typedef struct way {
    point at, by;
} way;

static way way_from(const grazei_moving *from, const grazei_moving *to)
{
    const point at = minus(to->start, from->start);
    return (way){at, minus(minus(to->end, from->end), at)};
}

static point way_at(way w, double t)
{
    return plus(w.at, t, w.by);
}

static double reach(way w)
{
    return sqrt(dot(w.at, w.at)) + sqrt(dot(w.by, w.by));
}

/* u . (v x w) */
static cubic volume(way u, way v, way w)
{
    const point c[3] = {cross(v.at, w.at), plus(cross(v.at, w.by), 1, cross(v.by, w.at)),
                        cross(v.by, w.by)};
    return (cubic){{dot(u.at, c[0]), dot(u.at, c[1]) + dot(u.by, c[0]),
                    dot(u.at, c[2]) + dot(u.by, c[1]), dot(u.by, c[2])},
                   reach(u) * reach(v) * reach(w)};
}

static double value(const cubic *f, double t)
{
    return f->of[0] + t * (f->of[1] + t * (f->of[2] + t * f->of[3]));
}

/* Times from 0 to 1 between which the cubic only rises or only falls, with 0 and 1. */
static int find_turns(const cubic *f, double turns[4])
{
    const double a = 3 * f->of[3], b = f->of[2], c = f->of[1], d = b * b - a * c;
    int count = 1;
    turns[0] = 0;
    if (d >= 0) {
        const double q = -(b + (b > 0 ? sqrt(d) : -sqrt(d)));
        double roots[2] = {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
        if (roots[0] > roots[1]) {
            const double first = roots[1];
            roots[1] = roots[0];
            roots[0] = first;
        }
        for (int i = 0; i < 2; i++)
            if (roots[i] > 0 && roots[i] < 1)
                turns[count++] = roots[i];
    }
    turns[count++] = 1;
    return count;
}

/* The times at which it is 0, of each stretch one. */
static int find_zeros(const cubic *f, double zeros[7])
{
    double turns[4];
    const int count = find_turns(f, turns);
    int found = 0;
    for (int i = 0; i < count; i++) {
        double low = turns[i], high = i + 1 < count ? turns[i + 1] : low;
        const double start = value(f, low);
        if (fabs(start) <= NEAR_ZERO * f->size)
            zeros[found++] = low;
        if ((start < 0) == (value(f, high) < 0))
            continue;
        for (int k = 0; k < 60; k++) {
            const double middle = (low + high) / 2;
            *((value(f, middle) < 0) == (start < 0) ? &low : &high) = middle;
        }
        zeros[found++] = high;
    }
    return found;
}

static bool is_flat(const cubic *f)
{
    for (int i = 0; i < 4; i++)
        if (fabs(f->of[i]) > NEAR_ZERO * f->size)
            return false;
    return true;
}

/* Whether a triangle has an area at some time. */
static bool has_area(way u, way v)
{
    for (int i = 0; i < 3; i++) {
        const point normal = cross(way_at(u, i / 2.0), way_at(v, i / 2.0));
        if (sqrt(dot(normal, normal)) > NEAR_EDGE * reach(u) * reach(v))
            return true;
    }
    return false;
}

/* A corner and a triangle. One that stays in its plane all the time may meet it; the edges of a
 * triangle without an area say whether it is met.
 */
static bool corner_meets(const grazei_moving *p, const grazei_moving triangle[3])
{
    const way w = way_from(&triangle[0], p), u = way_from(&triangle[0], &triangle[1]),
              v = way_from(&triangle[0], &triangle[2]);
    const cubic f = volume(w, u, v);
    double zeros[7];
    if (is_flat(&f))
        return has_area(u, v);
    for (int i = find_zeros(&f, zeros); i-- > 0;) {
        const point a = way_at(u, zeros[i]), b = way_at(v, zeros[i]), c = way_at(w, zeros[i]);
        const point normal = cross(a, b);
        const double area2 = dot(normal, normal), off = -NEAR_EDGE * area2;
        const double s = dot(cross(c, b), normal), t = dot(cross(a, c), normal);
        if (s >= off && t >= off && s + t <= area2 - off)
            return true;
    }
    return false;
}

/* Two edges. Parallel ones are left to their ends. */
static bool edges_meet(const grazei_moving *p, const grazei_moving *q, const grazei_moving *r,
                       const grazei_moving *s)
{
    const way w = way_from(p, r), u = way_from(p, q), v = way_from(r, s);
    const cubic f = volume(w, u, v);
    double zeros[7];
    if (is_flat(&f))
        return false;
    for (int i = find_zeros(&f, zeros); i-- > 0;) {
        const point a = way_at(u, zeros[i]), b = way_at(v, zeros[i]), c = way_at(w, zeros[i]);
        const point normal = cross(a, b);
        const double all = dot(normal, normal), off = NEAR_EDGE * all;
        const double x = dot(cross(c, b), normal), y = dot(cross(c, a), normal);
        if (all > 0 && x >= -off && x <= all + off && y >= -off && y <= all + off)
            return true;
    }
    return false;
}

bool grazei_meet_on_the_way(const grazei_moving a[3], const grazei_moving b[3])
{
    for (int i = 0; i < 3; i++)
        if (corner_meets(&a[i], b) || corner_meets(&b[i], a))
            return true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (edges_meet(&a[i], &a[(i + 1) % 3], &b[k], &b[(k + 1) % 3]))
                return true;
    return false;
}
