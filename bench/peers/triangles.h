/* Whether two triangles meet, for libraries that leave that to their user: signs of determinants in
 * double precision (Guigue & Devillers, "Fast and robust triangle-triangle overlap test using
 * orientation predicates", 2003). Float coordinates make these signs right but for pairs that touch
 * within rounding, and for triangles without area. C++.
 */
#ifndef GRAZE_BENCH_PEERS_TRIANGLES_H
#define GRAZE_BENCH_PEERS_TRIANGLES_H

#include "bench/peers/peers.h"

#include <cmath>
#include <cstdint>

namespace peers
{

struct vec {
    double x, y, z;
};

inline vec operator-(vec a, vec b)
{
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}

inline vec cross(vec a, vec b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

inline double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct triangle {
    vec corners[3];
    vec normal; /* of any length */

    triangle() = default;

    triangle(vec p, vec q, vec r) : corners{p, q, r}, normal(cross(q - p, r - p)) {}
};

enum { FLIP = 4, COPLANAR = 8, APART = 16 };

/* How the corners of a lie about the plane of b: the one that is alone on its side, and FLIP where
 * that side is not the positive one.
 */
inline uint8_t place(const triangle &a, const triangle &b)
{
    /* By sign: negative, zero, positive. */
    static const uint8_t alone[3][3][3] = {
        {{APART, 2, 2}, {1, FLIP, FLIP}, {1, FLIP, FLIP}},
        {{0, FLIP + 1, FLIP + 1}, {FLIP + 2, COPLANAR, 2}, {1, 1, FLIP}},
        {{0, 0, FLIP + 1}, {0, 0, FLIP + 1}, {FLIP + 2, FLIP + 2, APART}},
    };
    double d[3];
    for (int i = 0; i < 3; i++)
        d[i] = dot(b.normal, a.corners[i] - b.corners[0]);
    if ((d[0] > 0 && d[1] > 0 && d[2] > 0) || (d[0] < 0 && d[1] < 0 && d[2] < 0))
        return APART;
    int sign[3];
    for (int i = 0; i < 3; i++)
        sign[i] = 1 + (d[i] > 0) - (d[i] < 0);
    return alone[sign[0]][sign[1]][sign[2]];
}

/* Whether an edge of a has all of b strictly on the side where a is not, in one plane. */
inline bool edge_parts(const triangle &a, const triangle &b)
{
    for (int i = 0; i < 3; i++) {
        const vec from = a.corners[i];
        const vec out = cross(a.corners[(i + 1) % 3] - from, a.normal);
        if (dot(out, b.corners[0] - from) > 0 && dot(out, b.corners[1] - from) > 0 &&
            dot(out, b.corners[2] - from) > 0)
            return true;
    }
    return false;
}

/* Whether d lies above the plane through a, b and c. */
inline bool above(vec a, vec b, vec c, vec d)
{
    return dot(cross(b - a, c - a), d - a) > 0;
}

inline bool meet(const triangle &a, const triangle &b)
{
    const uint8_t i = place(a, b);
    if (i == APART)
        return false;
    const uint8_t j = place(b, a);
    if (j == APART)
        return false;
    if (i == COPLANAR || j == COPLANAR)
        return !edge_parts(a, b) && !edge_parts(b, a);
    /* Turned so that the first corner is the lonely one and lies on the positive side. */
    static const uint8_t next[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    const int flip_a = (j & FLIP) != 0, flip_b = (i & FLIP) != 0;
    const vec p1 = a.corners[i & 3], q1 = a.corners[next[i & 3][flip_a]],
              r1 = a.corners[next[i & 3][1 - flip_a]];
    const vec p2 = b.corners[j & 3], q2 = b.corners[next[j & 3][flip_b]],
              r2 = b.corners[next[j & 3][1 - flip_b]];
    return !above(q1, p2, p1, q2) && !above(p1, p2, r1, r2);
}

/* Whether triangles a and b are neighbours: corners of both have one weld. */
inline bool share_a_weld(const bench_mesh &mesh, const uint32_t *welds, uint32_t a, uint32_t b)
{
    bool shared = false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            shared |= welds[mesh.triangles[3 * a + i]] == welds[mesh.triangles[3 * b + j]];
    return shared;
}

} // namespace peers

#endif
