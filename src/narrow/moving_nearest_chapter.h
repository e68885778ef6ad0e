/* Where two triangles are nearest to each other, in double. */
#ifndef GRAZEI_NARROW_MOVING_NEAREST_CHAPTER_H
#define GRAZEI_NARROW_MOVING_NEAREST_CHAPTER_H

#include "narrow/moving_steps.h"

#include <stdbool.h>
#include <stdint.h>

#define FEATURES 15 /* nine pairs of edges, then each corner and the other triangle */

static const int next_corner[3] = {1, 2, 0};

/* Corners relative to the first of a: of a, then of b. */
typedef struct six_corners {
    d3 at[6];
} six_corners;

/* Points of two triangles that are near each other, and the direction between them. */
typedef struct nearest {
    int feature;
    double along_a, along_b; /* of two edges, the parts up to the points */
    double distance;         /* of the points */
    d3 between;              /* from the one on b to the one on a; of unit length, or zero */
    d3 on_b;
    double gap; /* how far this direction parts them: at most their distance */
} nearest;

/* What was found: the direction that parts the triangles farthest, and the nearest points. They
 * belong together but for rounding.
 */
typedef struct nearest_pair {
    nearest parting;
    double distance;
    d3 on_b;
} nearest_pair;

/* False where the point is not above the inside of the triangle: edges have that then. */
static inline bool nearest_on_triangle(d3 p, const d3 triangle[3], d3 *foot)
{
    d3 d = d3_sub(triangle[1], triangle[0]), e = d3_sub(triangle[2], triangle[0]);
    d3 w = d3_sub(p, triangle[0]), normal = d3_cross(d, e);
    double square = d3_dot(normal, normal);
    double s = d3_dot(d3_cross(w, e), normal), t = d3_dot(d3_cross(d, w), normal);
    if (!(square > 0 && s >= 0 && t >= 0 && s + t <= square))
        return false;
    *foot = d3_along(p, -d3_dot(w, normal) / square, normal);
    return true;
}

/* Edges of a and of b, for features below 9. */
static inline d3 edge_a(const six_corners *c, int feature)
{
    return d3_sub(c->at[next_corner[feature / 3]], c->at[feature / 3]);
}

static inline d3 edge_b(const six_corners *c, int feature)
{
    return d3_sub(c->at[3 + next_corner[feature % 3]], c->at[3 + feature % 3]);
}

static inline bool points_of_feature(const six_corners *c, nearest *at, d3 *on_a)
{
    int feature = at->feature;
    if (feature < 9) {
        d3 d = edge_a(c, feature), e = edge_b(c, feature);
        d3 p = c->at[feature / 3], q = c->at[3 + feature % 3];
        nearest_on_edges(p, d, q, e, &at->along_a, &at->along_b);
        *on_a = d3_along(p, at->along_a, d);
        at->on_b = d3_along(q, at->along_b, e);
        return true;
    }
    if (feature < 12) {
        *on_a = c->at[feature - 9];
        return nearest_on_triangle(*on_a, c->at + 3, &at->on_b);
    }
    at->on_b = c->at[feature - 9];
    return nearest_on_triangle(at->on_b, c->at, on_a);
}

static inline double gap_along(const six_corners *c, d3 n)
{
    double p[6];
    for (int i = 0; i < 6; i++)
        p[i] = d3_dot(n, c->at[i]);
    return d1_min(d1_min(p[0], p[1]), p[2]) - d1_max(d1_max(p[3], p[4]), p[5]);
}

/* The corner that is farthest along n. */
static inline int farthest_corner(const d3 corners[3], d3 n)
{
    double p[3] = {d3_dot(n, corners[0]), d3_dot(n, corners[1]), d3_dot(n, corners[2])};
    return p[1] > p[0] ? (p[2] > p[1] ? 2 : 1) : p[2] > p[0] ? 2 : 0;
}

/* All features in the order in which to look at them: the one that was nearest before, if any, then
 * those at the corners that are farthest towards the other triangle, then the others.
 */
static inline void order_features(const six_corners *c, int before, int order[FEATURES])
{
    const d3 *p = c->at;
    d3 way = d3_sub(d3_along(d3_along(p[0], 1, p[1]), 1, p[2]),
                    d3_along(d3_along(p[3], 1, p[4]), 1, p[5]));
    int i = farthest_corner(p, d3_scale(way, -1)), k = farthest_corner(p + 3, way), count = 0;
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
        d3 on_a;
        at.feature = order[i];
        if (!points_of_feature(c, &at, &on_a))
            continue;
        d3 w = d3_sub(on_a, at.on_b);
        double square = d3_dot(w, w);
        if (square > (1 + 0x1p-8) * best.distance * best.distance)
            continue;
        at.distance = sqrt(square);
        at.between = d3_scale(w, square > 0 ? 1 / at.distance : 0);
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
