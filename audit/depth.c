/* How deep two parts are in each other: the farthest point of what is behind the other surface.
 *
 * A vertex can only be farther than the farthest so far if it is farther than that from every point
 * of the other surface that is known: most are ruled out by the nearest point of the one before.
 */
#include "audit/points.h"
#include "audit/worker.h"

/* A vertex, or a point on the edge from one: where it is, and where it is at rest. */
typedef struct spot {
    point at, rest;
    uint32_t vertex;
} spot;

/* What is known so far. */
typedef struct farthest {
    double deepest2, border2; /* squared; of points whose nearest point is where the surface ends */
    spot spot;
    uint32_t side; /* whose it is */
    bool open, found;
} farthest;

typedef struct looking {
    uint32_t side, own; /* whose vertices are looked at */
    uint32_t part;      /* whose surface is behind or before */
    uint32_t exclude;   /* a piece, or GRAZE_NONE */
    point known;        /* a point of that surface */
    uint32_t near;      /* the triangle that has it */
    bool knows;
} looking;

static spot spot_of(const grazei_audit_worker *worker, uint32_t vertex)
{
    return (spot){point_of(grazei_posed(worker, vertex)), point_of(grazei_rest(worker, vertex)),
                  vertex};
}

/* Looks at a point; whether it is behind the surface, as far as that can be told. */
static bool look_at(grazei_audit_worker *worker, looking *look, spot p, farthest *far)
{
    const double at[3] = {p.at.x, p.at.y, p.at.z};
    grazei_nearest nearest;
    uint32_t beside;
    if (!grazei_find_nearest(worker, look->part, at, look->exclude,
                             look->knows ? look->near : GRAZE_NONE, &nearest))
        return false;
    look->near = nearest.triangle;
    look->known = point_at(nearest.point);
    look->knows = true;
    if (grazei_nearest_is_border(worker, look->part, &nearest, &beside)) {
        /* Behind the next part; that has a row of its own if it is met too. */
        if (beside == GRAZE_NONE || !grazei_parts_meet(worker, look->own, beside))
            far->border2 = fmax(far->border2, nearest.distance2);
        return false;
    }
    if (grazei_nearest_is_before(worker, look->part, at, &nearest))
        return false;
    if (nearest.distance2 > far->deepest2) {
        far->deepest2 = nearest.distance2;
        far->spot = p;
        far->side = look->side;
        far->found = true;
    }
    return true;
}

static looking start(const grazei_audit_worker *worker, uint32_t number)
{
    const grazei_piece *piece = (const grazei_piece *)worker->pieces.items + number;
    bool same = worker->parts[0] == worker->parts[1];
    return (looking){.side = piece->side,
                     .own = worker->parts[piece->side],
                     .part = worker->parts[1 - piece->side],
                     .exclude = same ? number : GRAZE_NONE};
}

/* Of a whole piece every vertex, the last that were reached first. */
static bool try_piece(grazei_audit_worker *worker, uint32_t number, farthest *far)
{
    const grazei_piece *piece = (const grazei_piece *)worker->pieces.items + number;
    const uint32_t *visited = (const uint32_t *)worker->visited.items + piece->first;
    looking look = start(worker, number);
    for (uint32_t i = piece->count; i-- > 0;) {
        const spot p = spot_of(worker, visited[i]);
        if (!look.knows || distance2(p.at, look.known) > far->deepest2)
            look_at(worker, &look, p, far);
    }
    return true;
}

/* ---- pieces that are not cut off ------------------------------------------------------------ */

/* Surfaces that are joined, as arm and chest are in the armpit, are not cut apart there: triangles
 * that share a vertex are no pair. Then the piece is what can be reached over vertices each of
 * which is behind the other surface by its own nearest point.
 */
static bool enter(grazei_audit_worker *worker, looking *look, uint32_t vertex, farthest *far)
{
    grazei_weld_mark *mark = grazei_mark(worker, look->side, worker->subject->welds[vertex]);
    if (mark->ends & GRAZEI_LOOKED_AT)
        return true;
    mark->ends |= GRAZEI_LOOKED_AT;
    if ((mark->ends & GRAZEI_END_BEFORE) || !look_at(worker, look, spot_of(worker, vertex), far))
        return true;
    uint32_t *place = grazei_audit_add(&worker->allocator, &worker->visited, sizeof *place);
    uint32_t *near = grazei_audit_add(&worker->allocator, &worker->near, sizeof *near);
    if (place)
        *place = vertex;
    if (near)
        *near = look->near;
    return place && near;
}

static bool enter_around(grazei_audit_worker *worker, looking *look, uint32_t weld, farthest *far)
{
    const graze_audit_subject *subject = worker->subject;
    for (uint32_t i = subject->around_first[weld]; i < subject->around_first[weld + 1]; i++) {
        const uint32_t *corners = grazei_corners(subject, subject->around[i]);
        if (subject->part_of[subject->around[i]] != look->own)
            continue;
        for (int c = 0; c < 3; c++) {
            uint32_t other = subject->welds[corners[c]];
            if (other != weld && !grazei_is_passed(worker, weld, other) &&
                !enter(worker, look, corners[c], far))
                return false;
        }
    }
    return true;
}

static bool try_leaking(grazei_audit_worker *worker, uint32_t number, farthest *far)
{
    const grazei_passed_edge *edges = worker->edges.items;
    const size_t first = worker->visited.count;
    looking look = start(worker, number);
    worker->near.count = 0;
    for (size_t e = 0; e < worker->edges.count; e++)
        for (int end = 0; end < 2; end++)
            if (edges[e].piece[end] == number && !enter(worker, &look, edges[e].vertices[end], far))
                return false;
    for (size_t i = first; look.exclude == GRAZE_NONE && i < worker->visited.count; i++) {
        uint32_t vertex = ((const uint32_t *)worker->visited.items)[i];
        look.near = ((const uint32_t *)worker->near.items)[i - first];
        if (!enter_around(worker, &look, worker->subject->welds[vertex], far))
            return false;
    }
    far->open = far->open || look.exclude != GRAZE_NONE;
    return true;
}

/* ---- edges that go in and out --------------------------------------------------------------- */

/* The middle of what an edge has inside, where neither of its ends may be. */
static void try_edges(grazei_audit_worker *worker, uint32_t side, farthest *far)
{
    const grazei_passed_edge *edges = worker->edges.items;
    const uint32_t *lengths = worker->cut_lengths.items;
    looking look = {.side = side,
                    .own = worker->parts[side],
                    .part = worker->parts[1 - side],
                    .exclude = GRAZE_NONE};
    for (size_t e = 0; e < worker->edges.count; e++) {
        const grazei_passed_edge *edge = &edges[e];
        if (edge->side != side || !edge->has_inside)
            continue;
        const spot end = spot_of(worker, edge->vertices[1]);
        const double t = (edge->inside[0] + edge->inside[1]) / 2;
        spot middle = spot_of(worker, edge->vertices[0]);
        middle.at = plus(middle.at, t, minus(end.at, middle.at));
        middle.rest = plus(middle.rest, t, minus(end.rest, middle.rest));
        uint32_t cuts[2] = {grazei_cut_of(worker, edge->pairs[0]),
                            grazei_cut_of(worker, edge->pairs[1])};
        look_at(worker, &look, middle, far);
        far->open =
            far->open || (cuts[0] != cuts[1] && lengths[cuts[0]] > 2 && lengths[cuts[1]] > 2);
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool grazei_parts_meet(const grazei_audit_worker *worker, uint32_t p, uint32_t q)
{
    const grazei_group *groups = worker->groups.items;
    for (size_t i = 0; i < worker->groups.count; i++)
        if ((groups[i].parts[0] == p && groups[i].parts[1] == q) ||
            (groups[i].parts[0] == q && groups[i].parts[1] == p))
            return true;
    return p == q;
}

/* Whether the deepest point is where its part ends, so that what is deeper may be elsewhere: not if
 * the next part is met too, and has a row of its own.
 */
static bool ends_there(const grazei_audit_worker *worker, const farthest *far)
{
    const graze_audit_subject *subject = worker->subject;
    const uint32_t weld = subject->welds[far->spot.vertex];
    const uint32_t own = worker->parts[far->side], other = worker->parts[1 - far->side];
    bool alone = true, covered = true;
    if (!far->found || !subject->weld_border[weld])
        return false;
    for (uint32_t i = subject->around_first[weld]; i < subject->around_first[weld + 1]; i++) {
        uint32_t part = subject->part_of[subject->around[i]];
        if (part == own)
            continue;
        alone = false;
        covered = covered && grazei_parts_meet(worker, part, other);
    }
    return alone || !covered;
}

/* Somewhere in the first pair, for parts that are nowhere behind each other; at rest the middle of
 * its first triangle.
 */
static spot middle_of(const grazei_audit_worker *worker)
{
    const graze_pair *pair = (const graze_pair *)worker->pairs.items + worker->first_pair;
    const uint32_t triangles[2] = {pair->a, pair->b};
    spot sum = {.vertex = GRAZE_NONE};
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 3; c++) {
            const spot own = spot_of(worker, grazei_corners(worker->subject, triangles[side])[c]);
            sum.at = plus(sum.at, 1.0 / 6, own.at);
            sum.rest = plus(sum.rest, side ? 0 : 1.0 / 3, own.rest);
        }
    return sum;
}

static void put_point(float to[3], point p)
{
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
}

static void begin(grazei_audit_worker *worker, const grazei_group *group)
{
    worker->first_pair = group->first;
    worker->pair_count = group->count;
    worker->parts[0] = group->parts[0];
    worker->parts[1] = group->parts[1];
    if (++worker->stamp == 0) {
        for (int side = 0; side < 2; side++)
            for (uint32_t w = 0; w < worker->subject->weld_count; w++)
                worker->marks[side][w].stamp = 0;
        worker->stamp = 1;
    }
}

bool grazei_audit_measure(grazei_audit_worker *worker, const grazei_group *group,
                          grazei_audit_row *row)
{
    farthest far = {.open = false};
    begin(worker, group);
    if (!grazei_find_pieces(worker))
        return false;
    for (uint32_t i = 0; i < worker->pieces.count; i++) {
        const grazei_piece piece = ((const grazei_piece *)worker->pieces.items)[i];
        if (!piece.behind || !worker->sides_count[piece.side])
            continue;
        far.open = far.open || piece.through;
        if (!(piece.leaks ? try_leaking : try_piece)(worker, i, &far))
            return false;
    }
    for (uint32_t side = 0; side < 2 && worker->parts[0] != worker->parts[1]; side++)
        if (worker->sides_count[side])
            try_edges(worker, side, &far);
    if (far.border2 > far.deepest2 || ends_there(worker, &far))
        far.open = true;
    if (!far.found)
        far.spot = middle_of(worker);
    row->depth = (float)sqrt(far.deepest2);
    row->open = far.open;
    put_point(row->point, far.spot.at);
    put_point(row->rest, far.spot.rest);
    return true;
}
