/* Where two triangles are nearest to each other, in double. */
#ifndef GRAZEI_NARROW_MOVING_NEAREST_H
#define GRAZEI_NARROW_MOVING_NEAREST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define FEATURES 15 /* nine pairs of edges, then each corner and the other triangle */

static const int next_corner[3] = {1, 2, 0};

typedef struct vector {
    double x, y, z;
} vector;

static inline vector sub(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + s b */
static inline vector add_times(vector a, double s, vector b)
{
    return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline vector scaled(vector a, double s)
{
    return (vector){s * a.x, s * a.y, s * a.z};
}

static inline double dot(vector a, vector b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline vector cross(vector a, vector b)
{
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline double clamp(double x)
{
    return greater(0, lesser(x, 1));
}

/* Corners relative to the first of a: of a, then of b. */
typedef struct six_corners {
    vector at[6];
} six_corners;

/* Points of two triangles that are near each other, and the direction between them. */
typedef struct nearest {
    int feature;
    double along_a, along_b; /* of two edges, the parts up to the points */
    double distance;         /* of the points */
    vector between;          /* from the one on b to the one on a; of unit length, or zero */
    vector on_b;
    double gap; /* how far this direction parts them: at most their distance */
} nearest;

/* What was found: the direction that parts the triangles farthest, and the nearest points. They
 * belong together but for rounding.
 */
typedef struct nearest_pair {
    nearest parting;
    double distance;
    vector on_b;
} nearest_pair;

/* Edges p to p + d and q to q + e (Ericson 2004, section 5.1.9), with a last projection each way,
 * which mends what nearly parallel edges lose.
 */
static inline void nearest_on_edges(vector p, vector d, vector q, vector e, double *s, double *t)
{
    vector r = sub(p, q);
    double dd = dot(d, d), ee = dot(e, e), de = dot(d, e), dr = dot(d, r), er = dot(e, r);
    double area = dd * ee - de * de, per_area = area > 0 ? 1 / area : 0;
    double per_dd = dd > 0 ? 1 / dd : 0, per_ee = ee > 0 ? 1 / ee : 0;
    *s = clamp((de * er - dr * ee) * per_area);
    *t = clamp((de * *s + er) * per_ee);
    *s = clamp((de * *t - dr) * per_dd);
    *t = clamp((de * *s + er) * per_ee);
}

/* False where the point is not above the inside of the triangle: edges have that then. */
static inline bool nearest_on_triangle(vector p, const vector triangle[3], vector *foot)
{
    vector d = sub(triangle[1], triangle[0]), e = sub(triangle[2], triangle[0]);
    vector w = sub(p, triangle[0]), normal = cross(d, e);
    double square = dot(normal, normal);
    double s = dot(cross(w, e), normal), t = dot(cross(d, w), normal);
    if (!(square > 0 && s >= 0 && t >= 0 && s + t <= square))
        return false;
    *foot = add_times(p, -dot(w, normal) / square, normal);
    return true;
}

/* Edges of a and of b, for features below 9. */
static inline vector edge_a(const six_corners *c, int feature)
{
    return sub(c->at[next_corner[feature / 3]], c->at[feature / 3]);
}

static inline vector edge_b(const six_corners *c, int feature)
{
    return sub(c->at[3 + next_corner[feature % 3]], c->at[3 + feature % 3]);
}

static inline bool points_of_feature(const six_corners *c, nearest *at, vector *on_a)
{
    int feature = at->feature;
    if (feature < 9) {
        vector d = edge_a(c, feature), e = edge_b(c, feature);
        vector p = c->at[feature / 3], q = c->at[3 + feature % 3];
        nearest_on_edges(p, d, q, e, &at->along_a, &at->along_b);
        *on_a = add_times(p, at->along_a, d);
        at->on_b = add_times(q, at->along_b, e);
        return true;
    }
    if (feature < 12) {
        *on_a = c->at[feature - 9];
        return nearest_on_triangle(*on_a, c->at + 3, &at->on_b);
    }
    at->on_b = c->at[feature - 9];
    return nearest_on_triangle(at->on_b, c->at, on_a);
}

static inline double gap_along(const six_corners *c, vector n)
{
    double p[6];
    for (int i = 0; i < 6; i++)
        p[i] = dot(n, c->at[i]);
    return lesser(lesser(p[0], p[1]), p[2]) - greater(greater(p[3], p[4]), p[5]);
}

/* The corner that is farthest along n. */
static inline int farthest_corner(const vector corners[3], vector n)
{
    double p[3] = {dot(n, corners[0]), dot(n, corners[1]), dot(n, corners[2])};
    return p[1] > p[0] ? (p[2] > p[1] ? 2 : 1) : p[2] > p[0] ? 2 : 0;
}

/* All features in the order in which to look at them: the one that was nearest before, if any, then
 * those at the corners that are farthest towards the other triangle, then the others.
 */
static inline void order_features(const six_corners *c, int before, int order[FEATURES])
{
    const vector *p = c->at;
    vector way = sub(add_times(add_times(p[0], 1, p[1]), 1, p[2]),
                     add_times(add_times(p[3], 1, p[4]), 1, p[5]));
    int i = farthest_corner(p, scaled(way, -1)), k = farthest_corner(p + 3, way), count = 0;
    int i_last = next_corner[next_corner[i]], k_last = next_corner[next_corner[k]];
    const int likely[7] = {
        before, 9 + i, 12 + k, 3 * i + k, 3 * i_last + k, 3 * i + k_last, 3 * i_last + k_last};
    uint32_t seen = 0;
    for (int n = 0; n < 7 + FEATURES; n++) {
        int feature = n < 7 ? likely[n] : n - 7;
        if (feature < 0 || seen >> feature & 1)
            continue;
        seen |= 1u << feature;
        order[count++] = feature;
    }
}

/* Points whose own direction parts the triangles by as much as they are apart, but for a 64th, are
 * near enough to the nearest. Where distances are almost the same the smallest one does not say
 * which direction is the best, the gap does.
 */
static inline nearest_pair find_nearest(const six_corners *c, int before)
{
    nearest_pair best = {.parting.gap = -INFINITY, .distance = INFINITY};
    nearest at = best.parting;
    int order[FEATURES];
    order_features(c, before, order);
    for (int i = 0; i < FEATURES; i++) {
        vector on_a;
        at.feature = order[i];
        if (!points_of_feature(c, &at, &on_a))
            continue;
        vector w = sub(on_a, at.on_b);
        double square = dot(w, w);
        if (square > (1 + 0x1p-8) * best.distance * best.distance)
            continue;
        at.distance = sqrt(square);
        at.between = scaled(w, square > 0 ? 1 / at.distance : 0);
        at.gap = gap_along(c, at.between);
        if (at.gap > best.parting.gap)
            best.parting = at;
        if (at.distance < best.distance) {
            best.distance = at.distance;
            best.on_b = at.on_b;
        }
        if (at.gap >= (1 - 0x1p-6) * at.distance && square > 0)
            break;
    }
    return best;
}

#endif
