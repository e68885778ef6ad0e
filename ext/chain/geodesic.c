#include "chain/geodesic.h"

#include "base/assert.h"
#include "base/memory.h"
#include "hitbox/points.h"
#include "math/vector.h"

#include <string.h>

/* ---- the skin ------------------------------------------------------------------------------- */

uint32_t grazei_geodesic_corner(const grazei_geodesic *s, uint32_t triangle, uint32_t k)
{
    size_t t = s->triangles[triangle];
    return s->local[s->welds[s->mesh->triangles[3 * t + k]]];
}

static void connect(grazei_geodesic *s)
{
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
        if (s->local[v] != UINT32_MAX)
            grazei_position(s->positions, v, s->at[s->local[v]]);
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
        s->first[grazei_geodesic_corner(s, i / 3, i % 3)] += 2;
    for (uint32_t v = 1; v <= s->count; v++)
        s->first[v] += s->first[v - 1];
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++) {
        uint32_t v = grazei_geodesic_corner(s, i / 3, i % 3);
        s->next[--s->first[v]] = grazei_geodesic_corner(s, i / 3, (i + 1) % 3);
        s->next[--s->first[v]] = grazei_geodesic_corner(s, i / 3, (i + 2) % 3);
    }
}

bool grazei_geodesic_make(grazei_geodesic *s, const grazei_regions *regions, uint32_t region)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    const graze_allocator *a = regions->allocator;
    *s = (grazei_geodesic){
        .mesh = mesh, .positions = regions->positions, .welds = regions->welds, .allocator = a};
    s->local = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    s->triangles = GRAZEI_ALLOCATE(a, mesh->triangle_count, uint32_t);
    if (!s->local || !s->triangles)
        return false;
    memset(s->local, 0xff, mesh->vertex_count * sizeof *s->local);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (region != GRAZE_NONE && regions->of_triangle[t] != region)
            continue;
        s->triangles[s->triangle_count++] = t;
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t v = s->welds[mesh->triangles[3 * (size_t)t + k]];
            if (s->local[v] == UINT32_MAX)
                s->local[v] = s->count++;
        }
    }
    s->at = grazei_allocate(a, s->count, sizeof *s->at);
    s->far = GRAZEI_ALLOCATE(a, s->count, double);
    s->first = GRAZEI_ALLOCATE_ZERO(a, (size_t)s->count + 1, uint32_t);
    s->next = GRAZEI_ALLOCATE(a, 6 * (size_t)s->triangle_count, uint32_t);
    s->heap = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    s->place = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    if (!s->at || !s->far || !s->first || !s->next || !s->heap || !s->place)
        return false;
    connect(s);
    grazei_geodesic_forget(s);
    return true;
}

void grazei_geodesic_release(grazei_geodesic *s)
{
    void *const all[] = {s->local, s->triangles, s->at,   s->far,
                         s->first, s->next,      s->heap, s->place};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(s->allocator, all[i]);
}

/* ---- distances along it (Dijkstra 1959) ----------------------------------------------------- */

static void put(grazei_geodesic *s, uint32_t at, uint32_t v)
{
    s->heap[at] = v;
    s->place[v] = at;
}

void grazei_geodesic_offer(grazei_geodesic *s, uint32_t v, double far)
{
    if (!(far < s->far[v]))
        return;
    s->far[v] = far;
    uint32_t at = s->place[v] == UINT32_MAX ? s->heap_count++ : s->place[v];
    for (; at > 0 && s->far[s->heap[(at - 1) / 2]] > far; at = (at - 1) / 2)
        put(s, at, s->heap[(at - 1) / 2]);
    put(s, at, v);
}

static uint32_t take(grazei_geodesic *s)
{
    GRAZE_ASSERT(s->heap_count > 0);
    uint32_t best = s->heap[0], last = s->heap[--s->heap_count], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && s->far[s->heap[child + 1]] < s->far[s->heap[child]])
            child++;
        if (!(s->far[s->heap[child]] < s->far[last]))
            break;
        put(s, at, s->heap[child]);
        at = child;
    }
    if (s->heap_count)
        put(s, at, last);
    s->place[best] = UINT32_MAX;
    return best;
}

void grazei_geodesic_march(grazei_geodesic *s)
{
    while (s->heap_count) {
        uint32_t v = take(s);
        GRAZE_ASSERT(s->far[v] < 1e300);
        for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++)
            grazei_geodesic_offer(s, s->next[i],
                                  s->far[v] + grazei_distance(s->at[v], s->at[s->next[i]]));
    }
}

/* What pieces that were not reached are looked at with. */
typedef struct gaps {
    double (*reached)[3];
    uint32_t *numbers; /* of places that were reached */
    double *widths;    /* one a place: distance across the gap to the nearest of them */
    uint32_t *from;    /* and which one that is */
} gaps;

/* Goes across the shortest gap, and all that are about as short; false: out of memory. */
static bool jump(grazei_geodesic *s, gaps *g, uint32_t count)
{
    double least = 1e300;
    grazei_points points = {.at = NULL};
    if (!grazei_points_build(&points, (const double(*)[3])g->reached, count, s->allocator))
        return false;
    for (uint32_t v = 0; v < s->count; v++) {
        g->widths[v] = -1;
        if (s->far[v] < 1e300)
            continue;
        uint32_t found = grazei_points_nearest(&points, s->at[v], 1.5 * least);
        if (found == UINT32_MAX)
            continue;
        g->widths[v] = grazei_distance(s->at[v], g->reached[found]);
        GRAZE_ASSERT(found < count);
        g->from[v] = g->numbers[found];
        least = fmin(least, g->widths[v]);
    }
    grazei_release(s->allocator, points.order);
    for (uint32_t v = 0; v < s->count; v++)
        if (g->widths[v] >= 0 && g->widths[v] <= 1.5 * least)
            grazei_geodesic_offer(s, v, s->far[g->from[v]] + g->widths[v]);
    return true;
}

bool grazei_geodesic_march_on(grazei_geodesic *s)
{
    const graze_allocator *a = s->allocator;
    gaps g = {.reached = grazei_allocate(a, s->count, sizeof *g.reached)};
    g.numbers = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    g.widths = GRAZEI_ALLOCATE(a, s->count, double);
    g.from = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    bool room = g.reached && g.numbers && g.widths && g.from;
    while (room) {
        uint32_t count = 0;
        grazei_geodesic_march(s);
        for (uint32_t v = 0; v < s->count; v++)
            if (s->far[v] < 1e300) {
                g.numbers[count] = v;
                memcpy(g.reached[count++], s->at[v], sizeof *g.reached);
            }
        if (count == s->count)
            break;
        room = jump(s, &g, count);
    }
    grazei_release(a, g.reached);
    grazei_release(a, g.numbers);
    grazei_release(a, g.widths);
    grazei_release(a, g.from);
    return room;
}

void grazei_geodesic_forget(grazei_geodesic *s)
{
    s->heap_count = 0;
    for (uint32_t v = 0; v < s->count; v++) {
        s->far[v] = 1e300;
        s->place[v] = UINT32_MAX;
    }
}

uint32_t grazei_geodesic_farthest(const grazei_geodesic *s)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < s->count; v++)
        if (s->far[v] > s->far[best])
            best = v;
    return best;
}

double grazei_geodesic_cut(const grazei_geodesic *s, uint32_t triangle, double far,
                           double ends[2][3])
{
    int count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t a = grazei_geodesic_corner(s, triangle, k);
        uint32_t b = grazei_geodesic_corner(s, triangle, (k + 1) % 3);
        if ((s->far[a] < far) == (s->far[b] < far))
            continue;
        GRAZE_ASSERT(count < 2);
        double t = (far - s->far[a]) / (s->far[b] - s->far[a]);
        for (int i = 0; i < 3; i++)
            ends[count][i] = s->at[a][i] + t * (s->at[b][i] - s->at[a][i]);
        count++;
    }
    return count == 2 ? grazei_distance(ends[0], ends[1]) : 0;
}
