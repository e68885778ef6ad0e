/* Where a part's surface is nearest to a point: boxes around clusters of triangles first, then the
 * triangles (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
 */
#include "audit/points.h"
#include "audit/worker.h"

/* ---- a triangle ----------------------------------------------------------------------------- */

static point on_edge(point from, point along, double t)
{
    return plus(from, t, along);
}

/* The point of the triangle nearest to p, and of which feature it is. */
static point nearest_of(point p, const point t[3], int *feature)
{
    const point ab = minus(t[1], t[0]), ac = minus(t[2], t[0]), ap = minus(p, t[0]);
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0)
        return *feature = 4, t[0];
    const point bp = minus(p, t[1]);
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3)
        return *feature = 5, t[1];
    const double c = d1 * d4 - d3 * d2;
    if (c <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3)
        return *feature = 1, on_edge(t[0], ab, d1 / (d1 - d3));
    const point cp = minus(p, t[2]);
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6)
        return *feature = 6, t[2];
    const double b = d5 * d2 - d1 * d6;
    if (b <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6)
        return *feature = 3, on_edge(t[0], ac, d2 / (d2 - d6));
    const double a = d3 * d6 - d5 * d4, u = d4 - d3, v = d5 - d6;
    if (a <= 0 && u >= 0 && v >= 0 && u + v > 0)
        return *feature = 2, on_edge(t[1], minus(t[2], t[1]), u / (u + v));
    const double sum = a + b + c;
    if (!(sum > 0)) /* no area, and no edge took it: a corner is near enough */
        return *feature = 4, t[0];
    *feature = 0;
    return plus(plus(t[0], b / sum, ab), c / sum, ac);
}

/* ---- a part --------------------------------------------------------------------------------- */

static bool touches(grazei_audit_worker *worker, uint32_t triangle, uint32_t piece)
{
    const uint32_t *corners = grazei_corners(worker->subject, triangle);
    for (int c = 0; c < 3; c++)
        if (grazei_mark(worker, 0, worker->subject->welds[corners[c]])->piece == piece)
            return true;
    return false;
}

static void try_triangle(const grazei_audit_worker *worker, uint32_t triangle, point p,
                         grazei_nearest *nearest)
{
    const uint32_t *corners = grazei_corners(worker->subject, triangle);
    point t[3];
    int feature;
    for (int c = 0; c < 3; c++)
        t[c] = point_of(grazei_posed(worker, corners[c]));
    point at = nearest_of(p, t, &feature);
    double d2 = distance2(p, at);
    if (!(d2 < nearest->distance2))
        return;
    *nearest = (grazei_nearest){d2, {at.x, at.y, at.z}, triangle, feature};
}

/* Squared distance of a point from a box. */
static double box_distance2(const float *box, const double p[3])
{
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double below = (double)box[axis] - p[axis], above = p[axis] - (double)box[3 + axis];
        double out = below > above ? below : above;
        sum += out > 0 ? out * out : 0;
    }
    return sum;
}

static void try_cluster(grazei_audit_worker *worker, uint32_t cluster, const double p[3],
                        uint32_t piece, grazei_nearest *nearest)
{
    const graze_audit_subject *subject = worker->subject;
    const grazei_cluster *own = &subject->clusters[cluster];
    for (uint32_t i = own->first; i < own->first + own->count; i++) {
        uint32_t triangle = subject->part_triangles[i];
        if (piece == GRAZE_NONE || !touches(worker, triangle, piece))
            try_triangle(worker, triangle, point_at(p), nearest);
    }
}

bool grazei_find_nearest(grazei_audit_worker *worker, uint32_t part, const double p[3],
                         uint32_t piece, grazei_nearest *nearest)
{
    const graze_audit_subject *subject = worker->subject;
    const uint32_t first = subject->cluster_first[part], end = subject->cluster_first[part + 1];
    double least = INFINITY;
    uint32_t best = first;
    *nearest = (grazei_nearest){.distance2 = INFINITY, .triangle = GRAZE_NONE};
    for (uint32_t i = first; i < end; i++) {
        double d2 = box_distance2(worker->boxes + 6 * (size_t)i, p);
        if (d2 < least) {
            least = d2;
            best = i;
        }
    }
    if (first < end)
        try_cluster(worker, best, p, piece, nearest);
    for (uint32_t i = first; i < end; i++)
        if (i != best && box_distance2(worker->boxes + 6 * (size_t)i, p) < nearest->distance2)
            try_cluster(worker, i, p, piece, nearest);
    return nearest->triangle != GRAZE_NONE;
}

/* ---- on which side -------------------------------------------------------------------------- */

bool grazei_nearest_is_border(const grazei_audit_worker *worker, uint32_t part,
                              const grazei_nearest *nearest, uint32_t *beside)
{
    const graze_audit_subject *subject = worker->subject;
    *beside = GRAZE_NONE;
    if (nearest->feature == 0)
        return false;
    if (nearest->feature > 3) {
        const uint32_t *corners = grazei_corners(subject, nearest->triangle);
        const uint32_t weld = subject->welds[corners[nearest->feature - 4]];
        for (uint32_t i = subject->around_first[weld]; i < subject->around_first[weld + 1]; i++)
            if (subject->part_of[subject->around[i]] != part)
                *beside = subject->part_of[subject->around[i]];
        return subject->weld_border[weld];
    }
    const uint32_t edge = (uint32_t)nearest->feature - 1;
    const uint32_t other = subject->neighbours[3 * (size_t)nearest->triangle + edge];
    if (other != GRAZE_NONE && subject->part_of[other] == part)
        return false;
    *beside = other == GRAZE_NONE ? GRAZE_NONE : subject->part_of[other];
    return true;
}

static point normal_of(const grazei_audit_worker *worker, uint32_t triangle)
{
    const float *corners[3];
    grazei_audit_posed_triangle(worker, triangle, corners);
    point a = point_of(corners[0]);
    return unit(cross(minus(point_of(corners[1]), a), minus(point_of(corners[2]), a)));
}

/* The sum of the normals around a corner, by the angle that each triangle has there (Baerentzen and
 * Aanaes 2005): a point whose nearest point is the corner is behind the surface if it is behind
 * this.
 */
static point normal_at_corner(const grazei_audit_worker *worker, uint32_t part, uint32_t weld)
{
    const graze_audit_subject *subject = worker->subject;
    point sum = {0, 0, 0};
    for (uint32_t i = subject->around_first[weld]; i < subject->around_first[weld + 1]; i++) {
        const uint32_t triangle = subject->around[i];
        const uint32_t *corners = grazei_corners(subject, triangle);
        if (subject->part_of[triangle] != part)
            continue;
        int c = subject->welds[corners[0]] == weld ? 0 : subject->welds[corners[1]] == weld ? 1 : 2;
        point at = point_of(grazei_posed(worker, corners[c]));
        point to = unit(minus(point_of(grazei_posed(worker, corners[(c + 1) % 3])), at));
        point back = unit(minus(point_of(grazei_posed(worker, corners[(c + 2) % 3])), at));
        double cosine = dot(to, back);
        sum = plus(sum,
                   acos(cosine > 1    ? 1
                        : cosine < -1 ? -1
                                      : cosine),
                   normal_of(worker, triangle));
    }
    return sum;
}

bool grazei_nearest_is_before(const grazei_audit_worker *worker, uint32_t part, const double p[3],
                              const grazei_nearest *nearest)
{
    const graze_audit_subject *subject = worker->subject;
    point normal = normal_of(worker, nearest->triangle);
    if (nearest->feature > 3) {
        const uint32_t *corners = grazei_corners(subject, nearest->triangle);
        normal = normal_at_corner(worker, part, subject->welds[corners[nearest->feature - 4]]);
    } else if (nearest->feature) {
        uint32_t beside =
            subject->neighbours[3 * (size_t)nearest->triangle + (uint32_t)nearest->feature - 1];
        if (beside != GRAZE_NONE)
            normal = plus(normal, 1, normal_of(worker, beside));
    }
    return dot(normal, minus(point_at(p), point_at(nearest->point))) > 0;
}
