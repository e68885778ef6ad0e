/* Conservative advancement as in moving.c, which has the method and what rounds, for the hulls of a
 * few corners with a radius around them.
 *
 * A direction n parts two such things while n . (a - b) > |n| r for all corners a and b, r being
 * the sum of their radii. Where n turns, |n + x t + x^2 e| is at most
 *
 *   |n|^2 = 1:   1 + x n.t + x^2 (t.t + 2 n.e) / 2 + x^3 t.e + x^4 e.e / 2
 *
 * as sqrt(1 + y) <= 1 + y / 2, and x^4 is at most m x^3 up to the time m. So there is a cubic for
 * each pair of corners again. The reach that errors are relative to has the radii in it.
 */
#include "narrow/moving_core.h"

#include "narrow/moving.h"
#include "narrow/moving_steps.h"

#define MAX_STEPS 1000
#define LEAST_GAP 0x1p-40 /* of the reach: with less nothing is proven */
#define MAX_CORNERS 8

/* What a core is made of. Faces are a corner and two neighbours of it. */
typedef struct structure {
    int corners, edges, faces;
    bool quads; /* faces are parallelograms, else triangles */
    uint8_t edge[12][2];
    uint8_t face[6][3];
} structure;

static const structure structures[] = {
    [GRAZEI_CORE_POINT] = {.corners = 1, .edges = 1, .edge = {{0, 0}}},
    [GRAZEI_CORE_SEGMENT] = {.corners = 2, .edges = 1, .edge = {{0, 1}}},
    [GRAZEI_CORE_TRIANGLE] = {.corners = 3,
                              .edges = 3,
                              .faces = 1,
                              .edge = {{0, 1}, {1, 2}, {2, 0}},
                              .face = {{0, 1, 2}}},
    [GRAZEI_CORE_BOX] = {
        .corners = 8,
        .edges = 12,
        .faces = 6,
        .quads = true,
        .edge = {{0, 1},
                 {2, 3},
                 {4, 5},
                 {6, 7},
                 {0, 2},
                 {1, 3},
                 {4, 6},
                 {5, 7},
                 {0, 4},
                 {1, 5},
                 {2, 6},
                 {3, 7}},
        .face = {{0, 2, 4}, {1, 3, 5}, {0, 1, 4}, {2, 3, 6}, {0, 1, 2}, {4, 5, 6}}}};

typedef struct side {
    const structure *made;
    const grazei_core *core;
    d3 now[MAX_CORNERS], speed[MAX_CORNERS];
} side;

/* Two moving things; a is the first. */
typedef struct motion {
    side sides[2];
    double start, growth; /* the sum of radii, and how it grows */
    double reach;
} motion;

typedef enum feature_kind { NO_FEATURE, EDGES, FACE_OF_A, FACE_OF_B } feature_kind;

/* Two edges, or a face of one and a corner of the other. */
typedef struct feature {
    feature_kind kind;
    int a, b; /* numbers of what of either */
} feature;

/* Points of both that are near each other, and the direction between them. */
typedef struct near_points {
    feature at;
    double along_a, along_b; /* of two edges, the parts up to the points */
    double distance;
    d3 between; /* from the one on b to the one on a; of unit length, or zero */
    d3 on_b;
    double gap; /* how far this direction parts the corners: at most their distance */
} near_points;

/* What was found: the direction that parts farthest, and the nearest points. */
typedef struct nearest_points {
    near_points parting;
    double distance;
    d3 on_b, between;
} nearest_points;

int grazei_core_corners(grazei_core_kind kind)
{
    return structures[kind].corners;
}

double grazei_core_reach(const grazei_core *core)
{
    double reach = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < structures[core->kind].corners; i++) {
            d3 p = core->at[end][i];
            reach = d1_max(reach, d1_max(d1_max(fabs(p.x), fabs(p.y)), fabs(p.z)));
        }
    return reach + d1_max(core->radius[0], core->radius[1]);
}

/* ---- where they are nearest ----------------------------------------------------------------- */

static d3 edge_of(const structure *made, const d3 *corners, int edge)
{
    return d3_sub(corners[made->edge[edge][1]], corners[made->edge[edge][0]]);
}

/* False where the point is not above the inside of the face: edges have that then. */
static bool nearest_on_face(const side *s, int face, d3 p, d3 *foot)
{
    const uint8_t *corner = s->made->face[face];
    d3 origin = s->now[corner[0]], w = d3_sub(p, origin);
    d3 d = d3_sub(s->now[corner[1]], origin), e = d3_sub(s->now[corner[2]], origin);
    d3 normal = d3_cross(d, e);
    double square = d3_dot(normal, normal);
    double u = d3_dot(d3_cross(w, e), normal), v = d3_dot(d3_cross(d, w), normal);
    bool within = s->made->quads ? u <= square && v <= square : u + v <= square;
    if (!(square > 0 && u >= 0 && v >= 0 && within))
        return false;
    *foot = d3_along(p, -d3_dot(w, normal) / square, normal);
    return true;
}

static bool points_of_feature(const motion *m, near_points *at, d3 *on_a)
{
    const side *a = &m->sides[0], *b = &m->sides[1];
    if (at->at.kind == EDGES) {
        d3 d = edge_of(a->made, a->now, at->at.a), e = edge_of(b->made, b->now, at->at.b);
        d3 p = a->now[a->made->edge[at->at.a][0]], q = b->now[b->made->edge[at->at.b][0]];
        nearest_on_edges(p, d, q, e, &at->along_a, &at->along_b);
        *on_a = d3_along(p, at->along_a, d);
        at->on_b = d3_along(q, at->along_b, e);
        return true;
    }
    if (at->at.kind == FACE_OF_B) {
        *on_a = a->now[at->at.a];
        return nearest_on_face(b, at->at.b, *on_a, &at->on_b);
    }
    at->on_b = b->now[at->at.b];
    return nearest_on_face(a, at->at.a, at->on_b, on_a);
}

static double gap_of(const motion *m, d3 n)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < m->sides[0].made->corners; i++)
        least = d1_min(d3_dot(n, m->sides[0].now[i]), least);
    for (int i = 0; i < m->sides[1].made->corners; i++)
        most = d1_max(d3_dot(n, m->sides[1].now[i]), most);
    return least - most;
}

/* True where nothing nearer is to be found: the points' own direction parts them, radii and all, by
 * as much as they are apart, but for a 64th. Where distances are almost the same the smallest one
 * does not say which direction is the best, the gap does.
 */
static bool try_feature(const motion *m, double radius, feature what, nearest_points *best)
{
    near_points at = {.at = what};
    d3 on_a;
    if (!points_of_feature(m, &at, &on_a))
        return false;
    d3 w = d3_sub(on_a, at.on_b);
    double square = d3_dot(w, w);
    if (square > (1 + 0x1p-8) * best->distance * best->distance)
        return false;
    at.distance = sqrt(square);
    at.between = d3_scale(w, square > 0 ? 1 / at.distance : 0);
    at.gap = gap_of(m, at.between);
    if (at.gap > best->parting.gap)
        best->parting = at;
    if (at.distance < best->distance) {
        best->distance = at.distance;
        best->on_b = at.on_b;
        best->between = at.between;
    }
    return at.gap - radius >= (1 - 0x1p-6) * (at.distance - radius) && at.gap > radius;
}

/* The middle of the corners. */
static d3 middle_of(const side *s)
{
    d3 sum = {0, 0, 0};
    for (int i = 0; i < s->made->corners; i++)
        sum = d3_along(sum, 1, s->now[i]);
    return d3_scale(sum, 1.0 / s->made->corners);
}

static int farthest_corner(const side *s, d3 n)
{
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < s->made->corners; i++) {
        double height = d3_dot(n, s->now[i]);
        best = height > most ? i : best;
        most = d1_max(height, most);
    }
    return best;
}

static bool edge_has(const structure *made, int edge, int corner)
{
    return made->edge[edge][0] == corner || made->edge[edge][1] == corner;
}

/* Faces of a box come in pairs, the lower side of an axis first. */
static bool face_has(const structure *made, int face, int corner)
{
    return !made->quads || (corner >> (face / 2) & 1) == face % 2;
}

/* What is at the corners that are farthest towards the other one. True: no more is needed. */
static bool try_likely(const motion *m, double radius, nearest_points *best)
{
    const structure *a = m->sides[0].made, *b = m->sides[1].made;
    d3 way = d3_sub(middle_of(&m->sides[0]), middle_of(&m->sides[1]));
    int corner_a = farthest_corner(&m->sides[0], d3_scale(way, -1));
    int corner_b = farthest_corner(&m->sides[1], way);
    for (int k = 0; k < b->faces; k++)
        if (face_has(b, k, corner_b) &&
            try_feature(m, radius, (feature){FACE_OF_B, corner_a, k}, best))
            return true;
    for (int i = 0; i < a->faces; i++)
        if (face_has(a, i, corner_a) &&
            try_feature(m, radius, (feature){FACE_OF_A, i, corner_b}, best))
            return true;
    for (int i = 0; i < a->edges; i++)
        for (int k = 0; k < b->edges; k++)
            if (edge_has(a, i, corner_a) && edge_has(b, k, corner_b) &&
                try_feature(m, radius, (feature){EDGES, i, k}, best))
                return true;
    return false;
}

/* The feature that was nearest before is tried first, then those that may well be, then all. */
static nearest_points find_nearest_points(const motion *m, double radius, feature before)
{
    const structure *a = m->sides[0].made, *b = m->sides[1].made;
    nearest_points best = {.parting.gap = -INFINITY, .distance = INFINITY};
    if (before.kind != NO_FEATURE && try_feature(m, radius, before, &best))
        return best;
    if (a->quads && try_likely(m, radius, &best)) /* else there are few anyway */
        return best;
    for (int i = 0; i < a->corners; i++)
        for (int k = 0; k < b->faces; k++)
            if (try_feature(m, radius, (feature){FACE_OF_B, i, k}, &best))
                return best;
    for (int i = 0; i < a->faces; i++)
        for (int k = 0; k < b->corners; k++)
            if (try_feature(m, radius, (feature){FACE_OF_A, i, k}, &best))
                return best;
    for (int i = 0; i < a->edges; i++)
        for (int k = 0; k < b->edges; k++)
            if (try_feature(m, radius, (feature){EDGES, i, k}, &best))
                return best;
    return best;
}

/* ---- how long they are apart ---------------------------------------------------------------- */

static turning turning_of_edges(const motion *m, const near_points *at)
{
    const side *a = &m->sides[0], *b = &m->sides[1];
    d3 d = edge_of(a->made, a->now, at->at.a), e = edge_of(b->made, b->now, at->at.b);
    d3 d_speed = edge_of(a->made, a->speed, at->at.a),
       e_speed = edge_of(b->made, b->speed, at->at.b);
    bool inside_a = at->along_a > 0 && at->along_a < 1;
    bool inside_b = at->along_b > 0 && at->along_b < 1;
    turning across = normal_to(d, e, d_speed, e_speed);
    if (inside_a && inside_b && d3_dot(across.n, across.n) > 0x1p-40 * d3_dot(d, d) * d3_dot(e, e))
        return across;
    d3 w = d3_scale(at->between, at->distance);
    d3 a_speed = d3_along(a->speed[a->made->edge[at->at.a][0]], at->along_a, d_speed);
    d3 b_speed = d3_along(b->speed[b->made->edge[at->at.b][0]], at->along_b, e_speed);
    d3 w_speed = d3_sub(a_speed, b_speed);
    d3 none = {0, 0, 0};
    if (inside_b)
        return normal_part(w, e, w_speed, e_speed);
    return normal_part(w, inside_a ? d : none, w_speed, inside_a ? d_speed : none);
}

static turning turning_of_face(const side *s, int face)
{
    const uint8_t *corner = s->made->face[face];
    const d3 *p = s->now, *v = s->speed;
    return normal_to(d3_sub(p[corner[1]], p[corner[0]]), d3_sub(p[corner[2]], p[corner[0]]),
                     d3_sub(v[corner[1]], v[corner[0]]), d3_sub(v[corner[2]], v[corner[0]]));
}

/* The direction of what is nearest, of unit length now. */
static turning turning_of(const motion *m, const near_points *at)
{
    turning t = at->at.kind == EDGES       ? turning_of_edges(m, at)
                : at->at.kind == FACE_OF_A ? turning_of_face(&m->sides[0], at->at.a)
                                           : turning_of_face(&m->sides[1], at->at.b);
    double length = sqrt(d3_dot(t.n, t.n)), sign = d3_dot(t.n, at->between) < 0 ? -1 : 1;
    t.n = d3_scale(t.n, sign / length);
    t.turn = d3_scale(t.turn, sign / length);
    t.bend = d3_scale(t.bend, sign / length);
    return t;
}

/* n . corner as a polynomial of time, for every corner. */
static void heights_of(const side *s, const turning *t, double heights[MAX_CORNERS][4])
{
    for (int i = 0; i < s->made->corners; i++) {
        d3 p = s->now[i], v = s->speed[i];
        heights[i][0] = d3_dot(t->n, p);
        heights[i][1] = d3_dot(t->n, v) + d3_dot(t->turn, p);
        heights[i][2] = d3_dot(t->turn, v) + d3_dot(t->bend, p);
        heights[i][3] = d3_dot(t->bend, v);
    }
}

/* For how long they are parted by the goal, at least, up to a time. */
static double parted_for(const motion *m, double radius, const turning *t, double goal, double most)
{
    double p[MAX_CORNERS][4], q[MAX_CORNERS][4], growth = m->growth;
    double turn = d3_dot(t->turn, t->turn), bend = d3_dot(t->bend, t->bend);
    double least = d1_min(d1_min(1 / sqrt(turn), 1 / sqrt(sqrt(bend))), most);
    /* The length of n is at most 1 + l[0] x + l[1] x^2 + l[2] x^3 until then, and r times that: */
    double l[3] = {d3_dot(t->n, t->turn), 0.5 * turn + d3_dot(t->n, t->bend),
                   d3_dot(t->turn, t->bend) + 0.5 * bend * least};
    double r[4] = {radius, radius * l[0] + growth, radius * l[1] + growth * l[0],
                   radius * l[2] + growth * l[1] + d1_max(growth * l[2], 0) * least};
    heights_of(&m->sides[0], t, p);
    heights_of(&m->sides[1], t, q);
    for (int i = 0; i < m->sides[0].made->corners; i++)
        for (int k = 0; k < m->sides[1].made->corners; k++) {
            double above = p[i][0] - q[k][0] - r[0] - goal;
            if (!(above > 0))
                return 0;
            least = falls_after(above, p[i][1] - q[k][1] - r[1], p[i][2] - q[k][2] - r[2],
                                p[i][3] - q[k][3] - r[3], least);
        }
    return least;
}

/* A direction that stays is enough for most, and cannot be caught where what is nearest collapses
 * to a point and turns ever faster.
 */
static double advance(const motion *m, double radius, const near_points *at, double goal,
                      double enough)
{
    turning stays = {at->between, {0, 0, 0}, {0, 0, 0}};
    double longest = parted_for(m, radius, &stays, goal, 2);
    if (longest >= enough)
        return longest;
    turning turns = turning_of(m, at);
    return d1_max(longest, parted_for(m, radius, &turns, goal, 2));
}

static void move_to(side *s, double time)
{
    double rest = 1 - time;
    for (int i = 0; i < s->made->corners; i++) {
        d3 p = s->core->at[0][i], q = s->core->at[1][i];
        s->now[i] = (d3){rest * p.x + time * q.x, rest * p.y + time * q.y, rest * p.z + time * q.z};
    }
}

static void start_side(side *s, const grazei_core *core)
{
    s->made = &structures[core->kind];
    s->core = core;
    for (int i = 0; i < s->made->corners; i++)
        s->speed[i] = d3_sub(core->at[1][i], core->at[0][i]);
}

bool grazei_cores_meet(const grazei_core *a, const grazei_core *b, double enter, double leave,
                       double too_late, grazei_core_contact *contact)
{
    motion m;
    start_side(&m.sides[0], a);
    start_side(&m.sides[1], b);
    m.start = a->radius[0] + b->radius[0];
    m.growth = a->radius[1] + b->radius[1] - m.start;
    m.reach = d1_max(grazei_core_reach(a), grazei_core_reach(b));
    double tolerance = (double)GRAZEI_MOVING_TOLERANCE * m.reach, time = enter, apart;
    nearest_points at = {.parting.at.kind = NO_FEATURE};
    *contact = (grazei_core_contact){.steps = 0};
    for (;; contact->steps++) {
        double radius = (1 - time) * m.start + time * (m.start + m.growth), until = time;
        move_to(&m.sides[0], time);
        move_to(&m.sides[1], time);
        at = find_nearest_points(&m, radius, at.parting.at);
        double gap = at.parting.gap - radius;
        apart = at.distance - radius;
        if (gap > LEAST_GAP * m.reach)
            until += advance(&m, radius, &at.parting, 0.5 * d1_min(gap, tolerance), leave - time);
        if (until > time && until >= leave)
            return false;
        if (apart <= tolerance || !(until > time) || contact->steps == MAX_STEPS)
            break;
        if (until >= too_late)
            return false;
        time = until;
    }
    contact->time = time;
    contact->distance = apart;
    contact->on_b = at.on_b;
    contact->normal = at.between;
    return true;
}
