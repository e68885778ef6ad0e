/* Pieces of a surface, cut where it passes through the other one. Vertices joined by an edge that
 * passes through nothing are on one side, so a piece is found by walking along such edges from the
 * end of one that passes.
 */
#include "audit/worker.h"

#include <stdlib.h>
#include <string.h>

/* Pieces of more vertices are not walked over to their end. */
enum { MOST_VISITED = 1 << 20 };

/* A cut shorter than this share of the longest does not make a piece one that passes through. */
#define LEAST_SHARE 0.25

grazei_weld_mark *grazei_mark(grazei_audit_worker *worker, uint32_t side, uint32_t weld)
{
    grazei_weld_mark *mark = &worker->marks[side][weld];
    if (mark->stamp != worker->stamp)
        *mark = (grazei_weld_mark){.stamp = worker->stamp, .piece = GRAZE_NONE};
    return mark;
}

static grazei_piece *piece_at(const grazei_audit_worker *worker, uint32_t number)
{
    return (grazei_piece *)worker->pieces.items + number;
}

static bool enter(grazei_audit_worker *worker, uint32_t number, uint32_t vertex)
{
    grazei_piece *piece = piece_at(worker, number);
    uint32_t weld = worker->subject->welds[vertex];
    grazei_weld_mark *mark = grazei_mark(worker, piece->side, weld);
    mark->piece = number;
    if (mark->ends & (piece->behind ? GRAZEI_END_BEFORE : GRAZEI_END_BEHIND))
        piece->leaks = true;
    piece->border = piece->border || worker->subject->weld_border[weld];
    piece->rim = piece->rim || worker->subject->weld_rim[weld];
    uint32_t *place = grazei_audit_add(&worker->allocator, &worker->visited, sizeof *place);
    if (place) {
        *place = vertex;
        piece->count++;
    }
    return place != NULL;
}

/* Looks at the part's triangles around a vertex of the piece. */
static bool look_around(grazei_audit_worker *worker, uint32_t number, uint32_t weld)
{
    const graze_audit_subject *subject = worker->subject;
    const uint32_t side = piece_at(worker, number)->side, part = worker->parts[side];
    for (uint32_t i = subject->around_first[weld]; i < subject->around_first[weld + 1]; i++) {
        const uint32_t *corners = grazei_corners(subject, subject->around[i]);
        if (subject->part_of[subject->around[i]] != part)
            continue;
        for (int c = 0; c < 3; c++) {
            uint32_t other = subject->welds[corners[c]];
            const grazei_weld_mark *mark = grazei_mark(worker, side, other);
            if (other == weld || mark->piece == number || grazei_is_passed(worker, weld, other))
                continue;
            if (mark->piece != GRAZE_NONE)
                piece_at(worker, number)->leaks = true; /* into one that was given up */
            else if (!enter(worker, number, corners[c]))
                return false;
        }
    }
    return true;
}

/* Walks over the piece that a vertex belongs to. One before the surface is only of use if it is
 * whole and has fewer than `most` vertices: the walk ends as soon as it is not.
 */
static bool walk(grazei_audit_worker *worker, uint32_t side, bool behind, uint32_t vertex,
                 uint32_t most, uint32_t *number)
{
    *number = (uint32_t)worker->pieces.count;
    grazei_piece *piece =
        grazei_audit_add(&worker->allocator, &worker->pieces, sizeof(grazei_piece));
    if (!piece)
        return false;
    *piece = (grazei_piece){.side = side,
                            .behind = behind,
                            .first = (uint32_t)worker->visited.count,
                            .cuts = {GRAZE_NONE, GRAZE_NONE}};
    if (!enter(worker, *number, vertex))
        return false;
    for (uint32_t i = 0; i < piece_at(worker, *number)->count; i++) {
        piece = piece_at(worker, *number);
        if (piece->leaks || (!behind && piece->border))
            return true;
        if (piece->count >= most) {
            piece->leaks = true;
            return true;
        }
        uint32_t at = ((uint32_t *)worker->visited.items)[piece->first + i];
        if (!look_around(worker, *number, worker->subject->welds[at]))
            return false;
    }
    return true;
}

/* ---- cuts ----------------------------------------------------------------------------------- */

static void note_cut(grazei_piece *piece, uint32_t cut, const uint32_t *lengths)
{
    if (cut == piece->cuts[0] || cut == piece->cuts[1])
        return;
    if (piece->cuts[0] == GRAZE_NONE || lengths[cut] > lengths[piece->cuts[0]]) {
        piece->cuts[1] = piece->cuts[0];
        piece->cuts[0] = cut;
    } else if (piece->cuts[1] == GRAZE_NONE || lengths[cut] > lengths[piece->cuts[1]]) {
        piece->cuts[1] = cut;
    }
}

/* Which pieces end at two long cuts, or at one that is not whole. */
static void look_at_cuts(grazei_audit_worker *worker)
{
    const uint32_t *lengths = worker->cut_lengths.items;
    const bool *ends = worker->cut_ends.items;
    const grazei_passed_edge *edges = worker->edges.items;
    for (size_t e = 0; e < worker->edges.count; e++)
        for (int end = 0; end < 2; end++) {
            if (edges[e].piece[end] == GRAZE_NONE)
                continue;
            uint32_t cut = grazei_cut_of(worker, edges[e].pair);
            grazei_piece *piece = piece_at(worker, edges[e].piece[end]);
            note_cut(piece, cut, lengths);
            piece->leaks = piece->leaks || ends[cut];
        }
    for (uint32_t i = 0; i < worker->pieces.count; i++) {
        grazei_piece *piece = piece_at(worker, i);
        piece->through = piece->cuts[1] != GRAZE_NONE &&
                         lengths[piece->cuts[1]] >= LEAST_SHARE * lengths[piece->cuts[0]];
    }
}

/* ---- layers --------------------------------------------------------------------------------- */

/* Whether what lies beyond the cuts of a piece is whole and smaller: a bump that has come out
 * through the other surface, from behind. Only asked where one of the surfaces is open.
 */
static bool is_layer(grazei_audit_worker *worker, uint32_t number, bool *layer)
{
    const uint32_t side = piece_at(worker, number)->side;
    const uint32_t most = piece_at(worker, number)->count;
    grazei_passed_edge *edges = worker->edges.items;
    uint32_t outside = 0;
    *layer = true;
    for (size_t e = 0; *layer && e < worker->edges.count; e++)
        for (int end = 0; end < 2; end++) {
            uint32_t beyond = edges[e].vertices[1 - end];
            if (edges[e].side != side || edges[e].piece[end] != number ||
                edges[e].behind[1 - end] > 0)
                continue;
            uint32_t found = grazei_mark(worker, side, worker->subject->welds[beyond])->piece;
            if (found == GRAZE_NONE) {
                if (!walk(worker, side, false, beyond, most, &found))
                    return false;
                outside += piece_at(worker, found)->count;
            }
            const grazei_piece *front = piece_at(worker, found);
            if (front->behind || front->border || front->leaks || outside >= most)
                *layer = false;
        }
    return true;
}

/* What lies in the opening of a surface that ends inside the other is behind nothing: a rim says
 * how deep it is by itself.
 */
static void choose_sides(grazei_audit_worker *worker, uint32_t inner)
{
    bool rims[2] = {false, false};
    for (uint32_t i = 0; i < inner; i++) {
        const grazei_piece *piece = piece_at(worker, i);
        rims[piece->side] = rims[piece->side] || (piece->behind && piece->rim);
    }
    for (int side = 0; side < 2; side++)
        worker->sides_count[side] = rims[side] || !rims[1 - side];
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* By edge, and along it. */
static int by_edge(const void *left, const void *right)
{
    const grazei_passed_edge *x = left, *y = right;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    for (int end = 0; end < 2; end++)
        if (x->welds[end] != y->welds[end])
            return x->welds[end] < y->welds[end] ? -1 : 1;
    if (x->next[0] != y->next[0])
        return x->next[0] < y->next[0] ? -1 : 1;
    return (x->pair > y->pair) - (x->pair < y->pair);
}

/* Adds the next crossing along an edge. Between one that goes in and one that comes out lies a
 * stretch that is inside; of several the longest counts.
 */
static void join_edge(grazei_passed_edge *into, const grazei_passed_edge *more)
{
    const double from = 1 - into->next[1], to = more->next[0];
    const bool goes_in = into->behind[1] > 0, comes_out = more->behind[0] > 0;
    if (goes_in && comes_out &&
        (!into->has_inside || to - from > into->inside[1] - into->inside[0])) {
        into->has_inside = true;
        into->inside[0] = from;
        into->inside[1] = to;
        into->pairs[1] = more->pair;
        into->pairs[0] = into->last_pair;
    }
    into->next[1] = more->next[1];
    into->behind[1] = more->behind[1];
    into->last_pair = more->pair;
}

/* The edges of each part that pass through the other. */
static bool find_edges(grazei_audit_worker *worker)
{
    const grazei_crossing *crossings = worker->crossings.items;
    const uint32_t *welds = worker->subject->welds;
    const uint32_t *first = worker->first_crossing.items;
    const bool same = worker->parts[0] == worker->parts[1];
    const uint32_t begin = first[worker->first_pair];
    const uint32_t end = first[worker->first_pair + worker->pair_count];
    worker->edges.count = 0;
    if (!grazei_audit_reserve(&worker->allocator, &worker->edges, end - begin,
                              sizeof(grazei_passed_edge)))
        return false;
    grazei_passed_edge *edges = worker->edges.items;
    for (uint32_t i = begin; i < end; i++) {
        const grazei_crossing *own = &crossings[i];
        const int8_t start = own->starts_behind ? 1 : -1;
        edges[i - begin] =
            (grazei_passed_edge){.side = same ? 0 : own->side,
                                 .vertices = {own->vertices[0], own->vertices[1]},
                                 .welds = {welds[own->vertices[0]], welds[own->vertices[1]]},
                                 .next = {own->at, 1 - own->at},
                                 .behind = {start, (int8_t)-start},
                                 .pair = own->pair,
                                 .last_pair = own->pair,
                                 .piece = {GRAZE_NONE, GRAZE_NONE}};
    }
    qsort(edges, end - begin, sizeof *edges, by_edge);
    size_t count = 0;
    for (uint32_t i = 0; i < end - begin; i++)
        if (count && edges[count - 1].side == edges[i].side &&
            memcmp(edges[count - 1].welds, edges[i].welds, sizeof edges[i].welds) == 0)
            join_edge(&edges[count - 1], &edges[i]);
        else
            edges[count++] = edges[i];
    worker->edges.count = count;
    for (size_t e = 0; e < count; e++)
        for (int k = 0; k < 2; k++)
            grazei_mark(worker, edges[e].side, worker->subject->welds[edges[e].vertices[k]])
                ->ends |= edges[e].behind[k] > 0 ? GRAZEI_END_BEHIND : GRAZEI_END_BEFORE;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

bool grazei_find_pieces(grazei_audit_worker *worker)
{
    const graze_audit_subject *subject = worker->subject;
    worker->pieces.count = worker->visited.count = 0;
    if (!find_edges(worker))
        return false;
    grazei_passed_edge *edges = worker->edges.items;
    for (size_t e = 0; e < worker->edges.count; e++)
        for (int end = 0; end < 2; end++) {
            if (edges[e].behind[end] <= 0)
                continue;
            uint32_t vertex = edges[e].vertices[end];
            uint32_t found = grazei_mark(worker, edges[e].side, subject->welds[vertex])->piece;
            if (found == GRAZE_NONE &&
                !walk(worker, edges[e].side, true, vertex, MOST_VISITED, &found))
                return false;
            edges[e].piece[end] = found;
        }
    look_at_cuts(worker);
    const uint32_t inner = (uint32_t)worker->pieces.count;
    for (uint32_t i = 0; i < inner; i++) {
        const grazei_piece *piece = piece_at(worker, i);
        bool layer = false;
        if (piece->leaks ||
            !(piece->border || subject->part_border[worker->parts[1 - piece->side]]))
            continue;
        if (!is_layer(worker, i, &layer))
            return false;
        if (layer)
            piece_at(worker, i)->behind = false;
    }
    choose_sides(worker, inner);
    return true;
}
