/* Where a part's surface is nearest to a point: boxes around clusters of triangles first, then the
 * triangles (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
 */
#include "audit/boxes.h"
#include "audit/points.h"

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

/* A search, with the point in floats for boxes. */
typedef struct search {
    grazei_audit_worker *worker;
    uint32_t part, piece;
    point p;
    float q[3];
    double slack; /* from p to q, at most */
    float limit;  /* a box so far away, squared, has no nearer point; rounding counted in */
    grazei_nearest *nearest;
} search;

static void try_triangle(search *s, uint32_t triangle)
{
    const uint32_t *corners = grazei_corners(s->worker->subject, triangle);
    point t[3];
    int feature;
    if (s->piece != GRAZE_NONE && touches(s->worker, triangle, s->piece))
        return;
    for (int c = 0; c < 3; c++)
        t[c] = point_of(grazei_posed(s->worker, corners[c]));
    point at = nearest_of(s->p, t, &feature);
    const double d2 = distance2(s->p, at);
    if (!(d2 < s->nearest->distance2 ||
          (d2 == s->nearest->distance2 && triangle < s->nearest->triangle)))
        return;
    *s->nearest = (grazei_nearest){d2, {at.x, at.y, at.z}, triangle, feature};
    s->limit = grazei_box_limit(sqrt(d2) + s->slack);
}

/* Looks into a group of boxes, the nearest first. level 0: they are of clusters. */
static void descend(search *s, uint32_t level, uint32_t number)
{
    const graze_audit_subject *subject = s->worker->subject;
    float away[GRAZEI_LANES];
    grazei_boxes_away(grazei_group_of_boxes(s->worker, s->part, level, number), s->q, away);
    for (;;) {
        uint32_t least = 0;
        for (uint32_t i = 1; i < GRAZEI_LANES; i++)
            least = away[i] < away[least] ? i : least;
        if (!(away[least] <= s->limit) || away[least] == INFINITY)
            return;
        away[least] = INFINITY;
        const uint32_t inner = GRAZEI_LANES * number + least;
        if (level) {
            descend(s, level - 1, inner);
            continue;
        }
        const grazei_cluster *own = &subject->clusters[subject->cluster_first[s->part] + inner];
        for (uint32_t i = own->first; i < own->first + own->count; i++)
            try_triangle(s, subject->part_triangles[i]);
    }
}

bool grazei_find_nearest(grazei_audit_worker *worker, uint32_t part, const double p[3],
                         uint32_t piece, uint32_t near, grazei_nearest *nearest)
{
    search s = {.worker = worker,
                .part = part,
                .piece = piece,
                .p = point_at(p),
                .q = {(float)p[0], (float)p[1], (float)p[2]},
                .limit = INFINITY,
                .nearest = nearest};
    s.slack = sqrt(distance2(s.p, point_of(s.q)));
    *nearest = (grazei_nearest){.distance2 = INFINITY, .triangle = GRAZE_NONE};
    if (near != GRAZE_NONE)
        try_triangle(&s, near);
    grazei_fit_boxes(worker, part);
    if (grazei_count_clusters(worker->subject, part))
        descend(&s, grazei_top_level(grazei_count_clusters(worker->subject, part)), 0);
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
