#include "touch/nearest_point.h"

#include "body/patches.h"
#include "math/rounding.h"

#include <math.h>

/* As near as makes no difference to which triangle the nearest point is on. */
#define SAME_DISTANCE 1e-9
enum { MOST_TIES = 32 };

typedef struct tie {
    double square; /* of the distance */
    double side;   /* angle times how far the point is before the triangle's plane */
    uint32_t triangle;
} tie;

typedef struct nearest_question {
    grazei_question base;
    d3 point;
    f4 low, high;  /* the floats on both sides of the point */
    double square; /* of the best distance so far, or of the limit */
    grazei_surface_point best;
    tie ties[MOST_TIES];
    uint32_t tie_count;
} nearest_question;

/* ---- one triangle --------------------------------------------------------------------------- */

/* Where on a triangle a point is: a corner, or one of these. */
enum { ON_EDGE = 3, WITHIN };

/* A triangle's nearest point to the origin: Ericson 2005, section 5.1.5. */
static d3 nearest_of_triangle(const d3 c[3], int *place)
{
    d3 ab = d3_sub(c[1], c[0]), ac = d3_sub(c[2], c[0]);
    double d[3][2]; /* of each corner, along both edges, to the origin */
    for (int i = 0; i < 3; i++) {
        d[i][0] = -d3_dot(ab, c[i]);
        d[i][1] = -d3_dot(ac, c[i]);
    }
    int corner = d[0][0] <= 0 && d[0][1] <= 0         ? 0
                 : d[1][0] >= 0 && d[1][1] <= d[1][0] ? 1
                 : d[2][1] >= 0 && d[2][0] <= d[2][1] ? 2
                                                      : -1;
    *place = corner >= 0 ? corner : ON_EDGE;
    if (corner >= 0)
        return c[corner];
    double vc = d[0][0] * d[1][1] - d[1][0] * d[0][1];
    if (vc <= 0 && d[0][0] >= 0 && d[1][0] <= 0 && d[0][0] > d[1][0])
        return d3_along(c[0], d[0][0] / (d[0][0] - d[1][0]), ab);
    double vb = d[2][0] * d[0][1] - d[0][0] * d[2][1];
    if (vb <= 0 && d[0][1] >= 0 && d[2][1] <= 0 && d[0][1] > d[2][1])
        return d3_along(c[0], d[0][1] / (d[0][1] - d[2][1]), ac);
    double va = d[1][0] * d[2][1] - d[2][0] * d[1][1];
    double low = d[1][1] - d[1][0], high = d[2][0] - d[2][1];
    if (va <= 0 && low >= 0 && high >= 0 && low + high > 0)
        return d3_along(c[1], low / (low + high), d3_sub(c[2], c[1]));
    double sum = va + vb + vc;
    if (!(sum > 0)) /* rounding, of a triangle that is nearly a segment */
        return c[0];
    *place = WITHIN;
    return d3_along(d3_along(c[0], vb / sum, ab), vc / sum, ac);
}

/* Of the triangle around a point of it: 2 pi within and pi on an edge. */
static double angle_at(const d3 c[3], int place)
{
    const double pi = 3.14159265358979;
    if (place >= ON_EDGE)
        return place == WITHIN ? 2 * pi : pi;
    d3 u = d3_sub(c[(place + 1) % 3], c[place]), v = d3_sub(c[(place + 2) % 3], c[place]);
    d3 cross = d3_cross(u, v);
    return atan2(sqrt(d3_dot(cross, cross)), d3_dot(u, v));
}

static void add_tie(nearest_question *q, double square, double side, uint32_t triangle)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->tie_count; i++)
        if (q->ties[i].square <= q->square * (1 + SAME_DISTANCE))
            q->ties[kept++] = q->ties[i];
    GRAZE_ASSERT(kept <= MOST_TIES);
    q->tie_count = kept;
    if (kept < MOST_TIES)
        q->ties[q->tie_count++] = (tie){square, side, triangle};
}

static void try_triangle(nearest_question *q, const float *const corners[3], uint32_t triangle)
{
    d3 c[3];
    int place;
    for (int i = 0; i < 3; i++)
        c[i] = d3_sub((d3){corners[i][0], corners[i][1], corners[i][2]}, q->point);
    d3 at = nearest_of_triangle(c, &place);
    double square = d3_dot(at, at);
    if (!(square <= q->square * (1 + SAME_DISTANCE)))
        return;
    d3 normal = d3_cross(d3_sub(c[1], c[0]), d3_sub(c[2], c[0]));
    double length = sqrt(d3_dot(normal, normal));
    normal = length > 0 ? d3_scale(normal, 1 / length) : (d3){0, 0, 0};
    bool better = square < q->square ||
                  (square == q->square && (!q->best.found || triangle < q->best.triangle));
    if (better) {
        q->square = square;
        q->best = (grazei_surface_point){.found = true,
                                         .distance = sqrt(square),
                                         .point = d3_along(q->point, 1, at),
                                         .normal = normal,
                                         .triangle = triangle};
    }
    add_tie(q, square, -angle_at(c, place) * d3_dot(normal, at), triangle);
}

/* ---- the walk ------------------------------------------------------------------------------- */

/* At most the square of the distance to the box. */
static double square_to_box(d3 p, const grazei_bound *box)
{
    const double at[3] = {p.x, p.y, p.z};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double below = -(double)box->low_negated[k] - at[k], above = at[k] - (double)box->high[k];
        double out = d1_max(d1_max(below, above), 0);
        square += out * out;
    }
    return square * (1 - 1e-12);
}

static bool may_be_nearer(const nearest_question *q, const grazei_bound *box, double *square)
{
    *square = square_to_box(q->point, box);
    return *square <= q->square * (1 + SAME_DISTANCE);
}

/* Whether a triangle's box is beyond what counts. Six roundings in floats make a square too large
 * by less than 12 u.
 */
static bool is_beyond(const nearest_question *q, const float *const corners[3])
{
    f4 a = f4_load(corners[0]), b = f4_load(corners[1]), c = f4_load(corners[2]);
    f4 below = f4_min(f4_min(a, b), c) - q->high, above = q->low - f4_max(f4_max(a, b), c);
    f4 out = f4_max(f4_max(below, above), f4_zero());
    out *= out;
    float square = (out[0] + out[1]) + out[2];
    return (double)(square * (1 - 16 * GRAZEI_UNIT)) > q->square * (1 + SAME_DISTANCE);
}

static void look_at_leaf(nearest_question *q, const grazei_view *view, uint32_t leaf,
                         graze_stats *stats)
{
    double square;
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    stats->bound_tests++;
    if (!may_be_nearer(q, grazei_patch_box(&patch), &square))
        return;
    for (uint32_t t = 0; t < patch.triangle_count; t++) {
        const uint8_t *local = patch.corners[t];
        const float *const corners[3] = {patch.points[local[0]], patch.points[local[1]],
                                         patch.points[local[2]]};
        if (is_beyond(q, corners))
            continue;
        stats->triangle_tests++;
        try_triangle(q, corners, patch.names[t]);
    }
}

static void look_at(nearest_question *q, const grazei_view *view, grazei_agenda *agenda,
                    uint32_t first, uint32_t count, graze_stats *stats)
{
    uint32_t base = agenda->count;
    grazei_body_bound(view->body, first, count, stats);
    stats->bound_tests += count;
    for (uint32_t n = first; n < first + count; n++) {
        double square;
        if (grazei_view_is_empty(view, n))
            continue;
        grazei_bound box = grazei_view_box(view, n);
        if (may_be_nearer(q, &box, &square))
            grazei_agenda_put(agenda, agenda->count++, (grazei_item){.node = n},
                              (float)(square * (1 - 1e-6)));
    }
    grazei_agenda_sort(agenda, base);
}

static void run(grazei_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    nearest_question *q = (nearest_question *)question;
    grazei_view view = grazei_body_view(question->bodies[0]);
    while (agenda->count) {
        uint32_t number = agenda->items[--agenda->count].node;
        if ((double)agenda->keys[agenda->count] > q->square * (1 + SAME_DISTANCE))
            continue;
        grazei_node node = view.nodes[number];
        if (node.count)
            look_at(q, &view, agenda, node.first, node.count, stats);
        else
            look_at_leaf(q, &view, number, stats);
    }
}

/* Sums in the order of the triangles, so that no tree makes a difference. */
static bool is_behind(nearest_question *q)
{
    double side = 0;
    for (uint32_t last = 0, i = 0; i < q->tie_count; i++) {
        uint32_t next = UINT32_MAX;
        double own = 0;
        for (uint32_t k = 0; k < q->tie_count; k++) {
            const tie *t = &q->ties[k];
            if (t->triangle < next && (i == 0 || t->triangle > last) &&
                t->square <= q->square * (1 + SAME_DISTANCE)) {
                next = t->triangle;
                own = t->side;
            }
        }
        if (next == UINT32_MAX)
            break;
        side += own;
        last = next;
    }
    return side < 0;
}

grazei_surface_point grazei_nearest_point(graze_body *body, d3 point, double limit,
                                          graze_stats *stats)
{
    nearest_question question = {
        .base = {.run = run, .bodies = {body}, .body_count = 1},
        .point = point,
        .low = f4_set(grazei_round_down(point.x), grazei_round_down(point.y),
                      grazei_round_down(point.z), 0),
        .high =
            f4_set(grazei_round_up(point.x), grazei_round_up(point.y), grazei_round_up(point.z), 0),
        .square = limit * limit};
    grazei_agenda agenda;
    grazei_view view = grazei_body_view(body);
    grazei_agenda_start(&agenda, true);
    look_at(&question, &view, &agenda, 0, 1, stats);
    grazei_run(&question.base, &agenda, stats);
    question.best.behind = question.best.found && is_behind(&question);
    return question.best;
}
