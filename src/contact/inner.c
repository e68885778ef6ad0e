/* Inner parts: what of either surface is behind the other, as far as a contact needs to know.
 *
 * Vertices joined by an edge that passes through nothing are on one side of the other surface. So
 * an inner part is found by walking from the ends of passed edges that are behind what they pass,
 * along edges that are not, and only its own patches are posed. The corners of what two solids
 * share are vertices of inner parts and ends of segments: its extent along the normal is known from
 * those.
 */
#include "base/assert.h"
#include "contact/contact.h"

/* Crossings of an edge nearer to each other than this are one: where it passes an edge of the other
 * surface, rounding puts them so far apart.
 */
#define SAME_PLACE 1e-9

bool grazei_contact_start_edges(graze_contact_finder *finder, size_t pairs)
{
    finder->passing_count = finder->edge_count = 0;
    finder->inner_count = finder->point_count = 0;
    if (++finder->stamp == 0) {
        for (int side = 0; side < 2; side++)
            for (uint32_t k = 0; k < finder->models[side]->mesh.vertex_count; k++)
                finder->marks[side][k].stamp = 0;
        finder->stamp = 1;
    }
    return GRAZEI_CONTACT_ROOM(finder, passings, passing_capacity, 4 * pairs) &&
           GRAZEI_CONTACT_ROOM(finder, edges, edge_capacity, 4 * pairs) &&
           grazei_table_clear(&finder->edge_table, &finder->allocator, 4 * pairs);
}

static grazei_weld_mark *mark_of(graze_contact_finder *finder, uint32_t side, uint32_t weld)
{
    grazei_weld_mark *mark = &finder->marks[side][weld];
    if (mark->stamp != finder->stamp)
        *mark = (grazei_weld_mark){.stamp = finder->stamp, .inner = GRAZEI_TABLE_FREE};
    return mark;
}

/* The slot of the edge between two welds, or the free one where it would be. */
static size_t find_edge(const graze_contact_finder *finder, uint32_t side, uint32_t u, uint32_t v)
{
    const grazei_table *table = &finder->edge_table;
    uint32_t low = u < v ? u : v, high = u < v ? v : u;
    size_t slot = grazei_table_start(table, grazei_hash_two(low, 2 * high + side));
    for (; table->slots[slot] != GRAZEI_TABLE_FREE; slot = grazei_table_next(table, slot)) {
        const grazei_passed_edge *edge = &finder->edges[table->slots[slot]];
        if (edge->side == side && edge->welds[0] == low && edge->welds[1] == high)
            break;
    }
    return slot;
}

static void note_next(grazei_passed_edge *edge, int end, double distance, int behind)
{
    if (distance < edge->next[end] - SAME_PLACE)
        edge->behind[end] = (int8_t)behind;
    else if (distance <= edge->next[end] + SAME_PLACE && edge->behind[end] != behind)
        edge->behind[end] = 0;
    if (distance < edge->next[end])
        edge->next[end] = distance;
}

static void note_crossing(graze_contact_finder *finder, uint32_t triangle, const grazei_crossing *c)
{
    const grazei_topology *topology = finder->topology[c->side];
    uint32_t from = grazei_topology_weld(topology, triangle, c->corners[0]);
    uint32_t to = grazei_topology_weld(topology, triangle, c->corners[1]);
    bool turned = from > to;
    size_t slot = find_edge(finder, c->side, from, to);
    uint32_t number = finder->edge_table.slots[slot];
    if (number == GRAZEI_TABLE_FREE) {
        number = finder->edge_table.slots[slot] = (uint32_t)finder->edge_count++;
        finder->edges[number] =
            (grazei_passed_edge){.side = c->side,
                                 .welds = {turned ? to : from, turned ? from : to},
                                 .next = {INFINITY, INFINITY}};
    }
    grazei_passing *passing = &finder->passings[finder->passing_count++];
    *passing = (grazei_passing){
        number, {c->corners[turned], c->corners[!turned]}, turned ? 1 - c->at : c->at};
    note_next(&finder->edges[number], 0, passing->at, c->behind[turned]);
    note_next(&finder->edges[number], 1, 1 - passing->at, c->behind[!turned]);
    mark_of(finder, c->side, from)->passed = true;
    mark_of(finder, c->side, to)->passed = true;
}

void grazei_contact_note_edges(graze_contact_finder *finder, graze_pair pair,
                               const grazei_segment *segment)
{
    for (uint32_t i = 0; i < segment->crossing_count; i++) {
        const grazei_crossing *crossing = &segment->crossings[i];
        note_crossing(finder, crossing->side ? pair.b : pair.a, crossing);
    }
}

void grazei_contact_end_edges(graze_contact_finder *finder)
{
    for (size_t e = 0; e < finder->edge_count; e++)
        for (int end = 0; end < 2; end++)
            if (finder->edges[e].behind[end] < 0)
                mark_of(finder, finder->edges[e].side, finder->edges[e].welds[end])->before = true;
}

/* ---- walking over an inner part ------------------------------------------------------------ */

static bool add_point(graze_contact_finder *finder, const float point[3])
{
    if (!GRAZEI_CONTACT_ROOM(finder, points, point_capacity, finder->point_count + 1))
        return false;
    GRAZE_ASSERT(finder->point_count < finder->point_capacity);
    memcpy(finder->points[finder->point_count++], point, sizeof *finder->points);
    return true;
}

/* Takes a weld into an inner part. False when out of memory. */
static bool enter(graze_contact_finder *finder, uint32_t side, uint32_t number, uint32_t weld,
                  size_t *queued)
{
    grazei_weld_mark *mark = mark_of(finder, side, weld);
    GRAZE_ASSERT(number < finder->inner_count);
    mark->inner = number;
    /* Nothing before a closed surface is behind it elsewhere, unless that surface overlaps itself;
     * with a border it may be, and then the walk has gone around.
     */
    if ((mark->before && !finder->closed[!side]) || *queued >= finder->def.max_inside) {
        finder->inners[number].open = true;
        return true;
    }
    if (!GRAZEI_CONTACT_ROOM(finder, queue, queue_capacity, *queued + 1))
        return false;
    finder->queue[(*queued)++] = weld;
    return true;
}

/* Whether an edge passes through something. Edges of an inner part that end on the other surface do
 * so too: of the triangles that the end is on, one has the edge behind it.
 */
static bool is_passed(graze_contact_finder *finder, uint32_t side, uint32_t u, uint32_t v)
{
    return mark_of(finder, side, u)->passed && mark_of(finder, side, v)->passed &&
           finder->edge_table.slots[find_edge(finder, side, u, v)] != GRAZEI_TABLE_FREE;
}

/* Goes from a weld of an inner part to a neighbour. */
static bool step(graze_contact_finder *finder, uint32_t side, uint32_t number, uint32_t from,
                 uint32_t to, size_t *queued)
{
    uint32_t inner = mark_of(finder, side, to)->inner;
    if (inner == number || is_passed(finder, side, from, to))
        return true;
    if (inner == GRAZEI_TABLE_FREE)
        return enter(finder, side, number, to, queued);
    /* The same part, given up on an earlier walk. */
    finder->inners[number].open = true;
    return true;
}

/* Looks at the triangles around a weld: its places (copies of a vertex may part), its neighbours.
 */
static bool look_around(graze_contact_finder *finder, uint32_t side, uint32_t number, uint32_t weld,
                        size_t *queued)
{
    const grazei_topology *topology = finder->topology[side];
    const uint32_t *mask = grazei_body_mask(finder->bodies[side]);
    const uint32_t *parts = finder->models[side]->mesh.triangle_parts;
    const grazei_mesh *mesh = topology->mesh;
    const float *last = NULL;
    uint32_t last_vertex = 0;
    for (uint32_t i = topology->first[weld]; i < topology->first[weld + 1]; i++) {
        uint32_t triangle = topology->around[i];
        if (mask && !grazei_mask_has(mask, parts[triangle]))
            continue;
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t vertex = mesh->triangles[3 * (size_t)triangle + c],
                     other = topology->welds[vertex];
            if (other != weld) {
                if (!step(finder, side, number, weld, other, queued))
                    return false;
                continue;
            }
            if (last && vertex == last_vertex)
                continue;
            const float *point =
                grazei_contact_corner(topology, finder->bodies[side], triangle, c, finder->stats);
            if ((!last || memcmp(last, point, 3 * sizeof *point)) && !add_point(finder, point))
                return false;
            last = point;
            last_vertex = vertex;
        }
    }
    return true;
}

/* The inner part that a weld belongs to; NULL when out of memory. An open one is only marked: of it
 * no more than the ends of passed edges count.
 */
static grazei_inner *inner_of(graze_contact_finder *finder, uint32_t side, uint32_t weld)
{
    grazei_weld_mark *mark = mark_of(finder, side, weld);
    if (mark->inner != GRAZEI_TABLE_FREE)
        return &finder->inners[mark->inner];
    if (!GRAZEI_CONTACT_ROOM(finder, inners, inner_capacity, finder->inner_count + 1))
        return NULL;
    uint32_t number = (uint32_t)finder->inner_count++;
    size_t queued = 0;
    finder->inners[number] =
        (grazei_inner){.first_point = finder->point_count, .contact = GRAZEI_TABLE_FREE};
    if (!enter(finder, side, number, weld, &queued))
        return NULL;
    for (size_t i = 0; i < queued && !finder->inners[number].open; i++)
        if (!look_around(finder, side, number, finder->queue[i], &queued))
            return NULL;
    grazei_inner *inner = &finder->inners[number];
    if (inner->open)
        finder->point_count = inner->first_point;
    GRAZE_ASSERT(finder->point_count >= inner->first_point);
    inner->point_count = finder->point_count - inner->first_point;
    return inner;
}

/* A part that ends at several curves is behind the long ones: a short one is where a corner of it
 * comes out again.
 */
#define LEAST_SHARE 0.25f

/* ---- depth --------------------------------------------------------------------------------- */

/* How far a contact reaches along its normal: the least of a, the most of b. */
typedef struct reach_along {
    double origin[3], normal[3];
    double least_a, most_b;
} reach_along;

static void count_point(reach_along *r, uint32_t side, double x, double y, double z)
{
    double height = r->normal[0] * (x - r->origin[0]) + r->normal[1] * (y - r->origin[1]) +
                    r->normal[2] * (z - r->origin[2]);
    if (side == 0)
        r->least_a = fmin(r->least_a, height);
    else
        r->most_b = fmax(r->most_b, height);
}

/* Whether the inner part that one end of a passing leads to is behind the passing. */
static bool leads_in(const grazei_passed_edge *edge, const grazei_passing *passing, int end)
{
    GRAZE_ASSERT(passing->at >= 0 && passing->at <= 1);
    double distance = end ? 1 - passing->at : passing->at;
    return edge->behind[end] > 0 && !(distance > edge->next[end] + SAME_PLACE);
}

bool grazei_contact_claim(graze_contact_finder *finder, uint32_t number)
{
    const grazei_body_contact *contact = &finder->contacts[number];
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        for (uint32_t p = meeting[0].first_passing; p < meeting[1].first_passing; p++)
            for (int end = 0; end < 2; end++) {
                const grazei_passed_edge *edge = &finder->edges[finder->passings[p].edge];
                if (!leads_in(edge, &finder->passings[p], end))
                    continue;
                grazei_inner *inner = inner_of(finder, edge->side, edge->welds[end]);
                if (!inner)
                    return false;
                inner->longest = fmaxf(inner->longest, contact->length);
            }
    }
    return true;
}

/* Counts the inner part that one end of a passing leads to, if that end is behind. */
static bool count_end(graze_contact_finder *finder, uint32_t number,
                      const graze_contact_segment *segment, const grazei_passing *passing, int end,
                      reach_along *r)
{
    const grazei_passed_edge *edge = &finder->edges[passing->edge];
    if (!leads_in(edge, passing, end))
        return true;
    uint32_t side = edge->side;
    grazei_inner *inner = inner_of(finder, side, edge->welds[end]);
    if (!inner)
        return false;
    bool others = finder->contacts[number].length < LEAST_SHARE * inner->longest;
    if (inner->open || others) {
        const float *p = grazei_contact_corner(finder->topology[side], finder->bodies[side],
                                               side ? segment->b : segment->a,
                                               passing->corners[end], finder->stats);
        finder->contacts[number].full_depth = false;
        count_point(r, side, p[0], p[1], p[2]);
    }
    for (size_t i = 0; !others && inner->contact != number && i < inner->point_count; i++) {
        const float *p = finder->points[inner->first_point + i];
        count_point(r, side, p[0], p[1], p[2]);
    }
    inner->contact = number;
    return true;
}

double grazei_contact_depth(graze_contact_finder *finder, uint32_t number, const double normal[3])
{
    grazei_body_contact *contact = &finder->contacts[number];
    reach_along r = {.least_a = INFINITY, .most_b = -INFINITY};
    contact->full_depth = true;
    for (int axis = 0; axis < 3; axis++) {
        r.origin[axis] = contact->point[axis];
        r.normal[axis] = normal[axis];
    }
    for (uint32_t i = 0; i < contact->count; i++) {
        const grazei_meeting *meeting = grazei_contact_meeting(finder, contact, i);
        for (uint32_t side = 0; side < 2; side++)
            for (int end = 0; end < 2; end++)
                count_point(&r, side, meeting->ends[end][0], meeting->ends[end][1],
                            meeting->ends[end][2]);
        for (uint32_t p = meeting[0].first_passing; p < meeting[1].first_passing; p++)
            for (int end = 0; end < 2; end++)
                if (!count_end(finder, number, &meeting->segment, &finder->passings[p], end, &r))
                    return -1;
    }
    return r.most_b - r.least_a;
}
