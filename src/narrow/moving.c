/* Conservative advancement with proof (after Mirtich 1996; Tang, Kim & Manocha 2009).
 *
 * A direction n parts two triangles while n . (a - b) > 0 for every corner a of one and b of the
 * other, whatever n is. We take the direction between the nearest points now and let it turn as
 * what is nearest turns: with a face, two edges, an edge and a corner, or two corners. As a
 * polynomial of degree two in time it gives nine cubics, and until the first of them falls to a
 * goal > 0 the triangles are certainly apart. This is Newton's method for the distance, and it
 * never oversteps: near a contact each step doubles the digits, and where the triangles only graze
 * each other it halves the distance.
 *
 * No equation is solved for the contact itself, so none can be missed: a poor direction (flat
 * triangles, parallel edges, rounding) means a shorter step.
 *
 * Rounding. Everything is relative to the first corner of a, which takes its motion out: distances
 * stay what they are. R, the reach, is the largest coordinate then. Positions and speeds have
 * errors of a few 2^-53 R. A step ends where n would be more than three times as long as at its
 * start, so a cubic, and its value at a root found in the stable way, is wrong by less than 2^-43
 * R. Goals are at least 2^-41 R. What is not a number makes no step. Directions between points that
 * are at least the tolerance of 2^-22 R apart have an error below 2^-28, which is little beside the
 * goal.
 */
#include "narrow/moving.h"

#include "math/rounding.h"
#include "narrow/moving_nearest_chapter.h"
#include "narrow/triangle.h"

#define MAX_STEPS 1000
#define LEAST_GAP 0x1p-40 /* of the reach: with less nothing is proven */

typedef struct motion {
    six_corners ends[2], speed;
    double reach;
} motion;

static motion motion_of(const grazei_moving_triangle *a, const grazei_moving_triangle *b)
{
    motion m = {.reach = 0};
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 6; i++) {
            const float *corner = i < 3 ? a->corners[end][i] : b->corners[end][i - 3];
            double p[3];
            for (int axis = 0; axis < 3; axis++) {
                p[axis] = (double)corner[axis] - (double)a->corners[end][0][axis];
                m.reach = d1_max(m.reach, fabs(p[axis]));
            }
            m.ends[end].at[i] = (d3){p[0], p[1], p[2]};
        }
    for (int i = 0; i < 6; i++)
        m.speed.at[i] = d3_sub(m.ends[1].at[i], m.ends[0].at[i]);
    return m;
}

static six_corners corners_at(const motion *m, double time)
{
    six_corners now;
    for (int i = 0; i < 6; i++) {
        d3 p = m->ends[0].at[i], q = m->ends[1].at[i];
        double rest = 1 - time;
        now.at[i] = (d3){rest * p.x + time * q.x, rest * p.y + time * q.y, rest * p.z + time * q.z};
    }
    return now;
}

static turning turning_of_edges(const six_corners *c, const six_corners *speed, const nearest *at)
{
    d3 d = edge_a(c, at->feature), e = edge_b(c, at->feature);
    d3 d_speed = edge_a(speed, at->feature), e_speed = edge_b(speed, at->feature);
    bool inside_a = at->along_a > 0 && at->along_a < 1;
    bool inside_b = at->along_b > 0 && at->along_b < 1;
    turning across = normal_to(d, e, d_speed, e_speed);
    if (inside_a && inside_b && d3_dot(across.n, across.n) > 0x1p-40 * d3_dot(d, d) * d3_dot(e, e))
        return across;
    d3 w = d3_scale(at->between, at->distance);
    d3 a_speed = d3_along(speed->at[at->feature / 3], at->along_a, d_speed);
    d3 b_speed = d3_along(speed->at[3 + at->feature % 3], at->along_b, e_speed);
    d3 w_speed = d3_sub(a_speed, b_speed);
    d3 none = {0, 0, 0};
    if (inside_b)
        return normal_part(w, e, w_speed, e_speed);
    return normal_part(w, inside_a ? d : none, w_speed, inside_a ? d_speed : none);
}

/* The direction of what is nearest, of unit length now. */
static turning turning_of(const six_corners *c, const six_corners *speed, const nearest *at)
{
    const d3 *p = c->at, *v = speed->at;
    turning t;
    if (at->feature < 9) {
        t = turning_of_edges(c, speed, at);
    } else {
        int i = at->feature < 12 ? 3 : 0;
        t = normal_to(d3_sub(p[i + 1], p[i]), d3_sub(p[i + 2], p[i]), d3_sub(v[i + 1], v[i]),
                      d3_sub(v[i + 2], v[i]));
    }
    double length = sqrt(d3_dot(t.n, t.n)), sign = d3_dot(t.n, at->between) < 0 ? -1 : 1;
    t.n = d3_scale(t.n, sign / length);
    t.turn = d3_scale(t.turn, sign / length);
    t.bend = d3_scale(t.bend, sign / length);
    return t;
}

/* For how long the triangles are parted by the goal, at least. */
static double parted_for(const six_corners *c, const six_corners *speed, const turning *t,
                         double goal)
{
    double f[4][6];
    /* Infinite where n stays as it is. */
    double least =
        d1_min(1 / sqrt(d3_dot(t->turn, t->turn)), 1 / sqrt(sqrt(d3_dot(t->bend, t->bend))));
    for (int i = 0; i < 6; i++) {
        d3 p = c->at[i], v = speed->at[i];
        f[0][i] = d3_dot(t->n, p);
        f[1][i] = d3_dot(t->n, v) + d3_dot(t->turn, p);
        f[2][i] = d3_dot(t->turn, v) + d3_dot(t->bend, p);
        f[3][i] = d3_dot(t->bend, v);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 3; k < 6; k++) {
            double above = f[0][i] - f[0][k] - goal;
            if (!(above > 0))
                return 0;
            least =
                falls_after(above, f[1][i] - f[1][k], f[2][i] - f[2][k], f[3][i] - f[3][k], least);
        }
    return least;
}

/* A direction that stays is enough for most, and cannot be caught where what is nearest collapses
 * to a point and turns ever faster.
 */
static double advance(const six_corners *c, const six_corners *speed, const nearest *at,
                      double goal, double enough)
{
    turning stays = {at->between, {0, 0, 0}, {0, 0, 0}};
    double longest = parted_for(c, speed, &stays, goal);
    if (longest >= enough)
        return longest;
    turning turns = turning_of(c, speed, at);
    return d1_max(longest, parted_for(c, speed, &turns, goal));
}

static bool meet_at_start(const grazei_moving_triangle *a, const grazei_moving_triangle *b)
{
    float corners[2][3][3];
    for (int i = 0; i < 3; i++) {
        memcpy(corners[0][i], a->corners[0][i], sizeof corners[0][i]);
        memcpy(corners[1][i], b->corners[0][i], sizeof corners[1][i]);
    }
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

static grazei_moving_box box_of(const grazei_moving_triangle *triangle)
{
    grazei_moving_box box;
    for (int end = 0; end < 2; end++) {
        f4 p = f4_load(triangle->corners[end][0]), q = f4_load(triangle->corners[end][1]);
        f4 r = f4_load(triangle->corners[end][2]);
        p[3] = q[3] = r[3] = 0;
        box.low_negated[end] = -f4_min(p, f4_min(q, r));
        box.high[end] = f4_max(p, f4_max(q, r));
    }
    return box;
}

static void describe(const grazei_moving_triangle *a, double time, const nearest_pair *at,
                     grazei_moving_contact *contact)
{
    const float *start = a->corners[0][0], *end = a->corners[1][0];
    double point[3] = {at->on_b.x, at->on_b.y, at->on_b.z};
    contact->time = grazei_round_down(time);
    contact->reached = time;
    for (int axis = 0; axis < 3; axis++)
        contact->point[axis] =
            (float)(point[axis] + ((1 - time) * (double)start[axis] + time * (double)end[axis]));
    contact->normal[0] = (float)at->parting.between.x;
    contact->normal[1] = (float)at->parting.between.y;
    contact->normal[2] = (float)at->parting.between.z;
}

bool grazei_moving_triangles_meet(const grazei_moving_triangle *a, const grazei_moving_triangle *b,
                                  float latest, grazei_moving_contact *contact)
{
    grazei_moving_box box_a = box_of(a), box_b = box_of(b);
    float enter, leave;
    *contact = (grazei_moving_contact){.initial = false};
    if (!grazei_moving_boxes_overlap(&box_a, &box_b, GRAZEI_MOVING_SLACK_TRIANGLES, &enter,
                                     &leave) ||
        enter > latest)
        return false;
    motion m = motion_of(a, b);
    double tolerance = (double)GRAZEI_MOVING_TOLERANCE * m.reach, time = enter;
    double too_late = nextafterf(latest, INFINITY);
    nearest_pair at = {.parting.feature = -1};
    for (;; contact->steps++) {
        six_corners now = corners_at(&m, time);
        at = find_nearest(&now, at.parting.feature);
        double until = time, gap = at.parting.gap;
        if (gap > LEAST_GAP * m.reach)
            until +=
                advance(&now, &m.speed, &at.parting, 0.5 * d1_min(gap, tolerance), leave - time);
        else if (time == 0 && meet_at_start(a, b))
            return contact->initial = true;
        if (until > time && until >= leave)
            return false;
        if (at.distance <= tolerance || !(until > time) || contact->steps == MAX_STEPS)
            break;
        if (until >= too_late)
            return false;
        time = until;
    }
    describe(a, time, &at, contact);
    return true;
}
