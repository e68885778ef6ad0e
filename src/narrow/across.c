#include "narrow/across.h"

#include <math.h>
#include <string.h>

static bool normalise(d3 *v)
{
    double length = sqrt(d3_dot(*v, *v));
    *v = d3_scale(*v, 1 / length);
    return length > 0 && length < INFINITY;
}

/* The direction that a symmetric matrix stretches most: of its 256th power, a column. */
static d3 most_stretched(const d3 matrix[3])
{
    d3 m[3], square[3];
    memcpy(m, matrix, sizeof m);
    for (int times = 0; times < 8; times++) {
        double trace = m[0].x + m[1].y + m[2].z;
        for (int k = 0; k < 3; k++)
            m[k] = d3_scale(m[k], 1 / trace);
        for (int k = 0; k < 3; k++)
            square[k] = (d3){d3_dot(m[k], m[0]), d3_dot(m[k], m[1]), d3_dot(m[k], m[2])};
        memcpy(m, square, sizeof m);
    }
    double x = m[0].x, y = m[1].y, z = m[2].z;
    return m[x > y && x > z ? 0 : y > z ? 1 : 2];
}

bool grazei_find_across(const grazei_edges *edges, d3 directions[2])
{
    d3 m[3], longest = most_stretched(edges->sums);
    double little = 1e-9 * (edges->sums[0].x + edges->sums[1].y + edges->sums[2].z);
    memcpy(m, edges->sums, sizeof m);
    m[0].x += little;
    m[1].y += little;
    m[2].z += little;
    d3 inverse[3] = {d3_cross(m[1], m[2]), d3_cross(m[2], m[0]), d3_cross(m[0], m[1])};
    d3 shortest = most_stretched(inverse);
    directions[0] = d3_cross(shortest, longest);
    directions[1] = d3_cross(longest, directions[0]);
    return normalise(&directions[0]) && normalise(&directions[1]);
}
