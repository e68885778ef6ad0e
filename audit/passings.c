/* Where edges pass through triangles, in all pairs of a frame. Two pairs are of one cut if an edge
 * passes through the same triangle in both.
 */
#include "audit/points.h"
#include "audit/worker.h"

#include <string.h>

/* ---- slots ---------------------------------------------------------------------------------- */

static bool clear_slots(const graze_allocator *allocator, grazei_slots *slots, size_t items)
{
    size_t size = 64;
    while (size < 2 * items)
        size *= 2;
    if (!grazei_audit_reserve(allocator, &slots->list, size, sizeof(uint32_t)))
        return false;
    slots->mask = size - 1;
    memset(slots->list.items, 0xff, size * sizeof(uint32_t));
    return true;
}

static size_t hash_of(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t hash = (a * 0x9e3779b97f4a7c15u ^ b) * 0xbf58476d1ce4e5b9u ^ c;
    hash *= 0x94d049bb133111ebu;
    return (size_t)(hash >> 24);
}

static grazei_crossing *crossing_at(const grazei_audit_worker *worker, uint32_t number)
{
    return (grazei_crossing *)worker->crossings.items + number;
}

/* The slot of an edge through a triangle (GRAZE_NONE: through any), or the free one where it would
 * be. welds: of the edge, the lower one first.
 */
static uint32_t *find_slot(const grazei_audit_worker *worker, const grazei_slots *slots,
                           const uint32_t welds[2], uint32_t triangle)
{
    const uint32_t *weld_of = worker->subject->welds;
    uint32_t *numbers = slots->list.items;
    for (size_t i = hash_of(welds[0], welds[1], triangle);; i++) {
        uint32_t *number = &numbers[i & slots->mask];
        if (*number == GRAZE_NONE)
            return number;
        const grazei_crossing *own = crossing_at(worker, *number);
        if (weld_of[own->vertices[0]] == welds[0] && weld_of[own->vertices[1]] == welds[1] &&
            (triangle == GRAZE_NONE || own->triangle == triangle))
            return number;
    }
}

bool grazei_is_passed(const grazei_audit_worker *worker, uint32_t u, uint32_t v)
{
    const uint32_t welds[2] = {u < v ? u : v, u < v ? v : u};
    return worker->passed[u] == worker->frame_stamp && worker->passed[v] == worker->frame_stamp &&
           *find_slot(worker, &worker->edge_slots, welds, GRAZE_NONE) != GRAZE_NONE;
}

/* ---- cuts ----------------------------------------------------------------------------------- */

uint32_t grazei_cut_of(grazei_audit_worker *worker, uint32_t pair)
{
    uint32_t *cuts = worker->cuts.items;
    while (cuts[pair] != pair) {
        cuts[pair] = cuts[cuts[pair]];
        pair = cuts[pair];
    }
    return pair;
}

static void join_cuts(grazei_audit_worker *worker, uint32_t x, uint32_t y)
{
    uint32_t *cuts = worker->cuts.items;
    x = grazei_cut_of(worker, x);
    y = grazei_cut_of(worker, y);
    cuts[x > y ? x : y] = x > y ? y : x;
}

/* Keeps a crossing; of one that both triangles beside an edge have, the second only joins cuts. */
static void note_crossing(grazei_audit_worker *worker, const grazei_crossing *found)
{
    const uint32_t *weld_of = worker->subject->welds;
    const uint32_t welds[2] = {weld_of[found->vertices[0]], weld_of[found->vertices[1]]};
    uint32_t *same = find_slot(worker, &worker->crossing_slots, welds, found->triangle);
    uint32_t *edge = find_slot(worker, &worker->edge_slots, welds, GRAZE_NONE);
    if (*same != GRAZE_NONE) {
        join_cuts(worker, crossing_at(worker, *same)->pair, found->pair);
        crossing_at(worker, *same)->once = false;
    } else {
        *same = (uint32_t)worker->crossings.count;
        if (*edge == GRAZE_NONE)
            *edge = *same;
    }
    grazei_crossing *own = crossing_at(worker, (uint32_t)worker->crossings.count++);
    *own = *found;
    own->once = own == crossing_at(worker, *same);
    for (int end = 0; end < 2; end++)
        worker->passed[welds[end]] = worker->frame_stamp;
}

/* ---- passing -------------------------------------------------------------------------------- */

/* Whether the segment passes through the triangle: where, from 0 to 1, and whether its start is
 * behind the triangle. In its plane is before it.
 */
static bool passes(point from, point to, const point corners[3], double *at, bool *starts_behind)
{
    point normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[0]));
    double start = dot(normal, minus(from, corners[0])), end = dot(normal, minus(to, corners[0]));
    if ((start < 0) == (end < 0))
        return false;
    point along = minus(to, from), p[3];
    for (int i = 0; i < 3; i++)
        p[i] = minus(corners[i], from);
    double a = dot(along, cross(p[0], p[1])), b = dot(along, cross(p[1], p[2])),
           c = dot(along, cross(p[2], p[0]));
    if (!((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)))
        return false;
    *at = start / (start - end);
    *starts_behind = start < 0;
    return true;
}

/* The edge from a corner of a triangle against another triangle. */
static void try_edge(grazei_audit_worker *worker, uint32_t side, const uint32_t *corners,
                     uint32_t c, uint32_t other, const point points[3], uint32_t pair)
{
    const uint32_t *welds = worker->subject->welds;
    const uint32_t ends[2] = {corners[c], corners[(c + 1) % 3]};
    const bool turned = welds[ends[0]] > welds[ends[1]];
    grazei_crossing found = {
        .vertices = {ends[turned], ends[!turned]}, .triangle = other, .side = side, .pair = pair};
    if (welds[ends[0]] != welds[ends[1]] &&
        passes(point_of(grazei_posed(worker, found.vertices[0])),
               point_of(grazei_posed(worker, found.vertices[1])), points, &found.at,
               &found.starts_behind))
        note_crossing(worker, &found);
}

static void try_pair(grazei_audit_worker *worker, uint32_t number, graze_pair pair)
{
    const uint32_t triangles[2] = {pair.a, pair.b};
    point points[2][3];
    for (int side = 0; side < 2; side++) {
        const float *corners[3];
        grazei_audit_posed_triangle(worker, triangles[side], corners);
        for (int c = 0; c < 3; c++)
            points[side][c] = point_of(corners[c]);
    }
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t c = 0; c < 3; c++)
            try_edge(worker, side, grazei_corners(worker->subject, triangles[side]), c,
                     triangles[1 - side], points[1 - side], number);
}

/* How long each cut is, and whether it has ends: where the surfaces are joined, as triangles that
 * share a vertex are no pair, or where one of them ends.
 */
static void measure_cuts(grazei_audit_worker *worker, size_t pairs)
{
    uint32_t *lengths = worker->cut_lengths.items;
    bool *ends = worker->cut_ends.items;
    memset(lengths, 0, pairs * sizeof *lengths);
    memset(ends, 0, pairs * sizeof *ends);
    for (uint32_t i = 0; i < pairs; i++)
        lengths[grazei_cut_of(worker, i)]++;
    for (uint32_t i = 0; i < worker->crossings.count; i++)
        if (crossing_at(worker, i)->once)
            ends[grazei_cut_of(worker, crossing_at(worker, i)->pair)] = true;
}

bool grazei_find_passings(grazei_audit_worker *worker, const graze_pair *pairs, size_t count)
{
    const graze_allocator *allocator = &worker->allocator;
    const size_t most = 6 * count;
    worker->crossings.count = 0;
    if (!grazei_audit_reserve(allocator, &worker->crossings, most, sizeof(grazei_crossing)) ||
        !grazei_audit_reserve(allocator, &worker->first_crossing, count + 1, sizeof(uint32_t)) ||
        !grazei_audit_reserve(allocator, &worker->cuts, count, sizeof(uint32_t)) ||
        !grazei_audit_reserve(allocator, &worker->cut_lengths, count, sizeof(uint32_t)) ||
        !grazei_audit_reserve(allocator, &worker->cut_ends, count, sizeof(bool)) ||
        !clear_slots(allocator, &worker->edge_slots, most) ||
        !clear_slots(allocator, &worker->crossing_slots, most))
        return false;
    uint32_t *first = worker->first_crossing.items, *cuts = worker->cuts.items;
    for (uint32_t i = 0; i < count; i++)
        cuts[i] = i;
    for (uint32_t i = 0; i < count; i++) {
        first[i] = (uint32_t)worker->crossings.count;
        try_pair(worker, i, pairs[i]);
    }
    first[count] = (uint32_t)worker->crossings.count;
    measure_cuts(worker, count);
    return true;
}
