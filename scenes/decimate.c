/* Quadric error metrics: Garland & Heckbert 1997, with a faint pull towards the old vertices (as in
 * Hoppe 1999's memoryless variants) that keeps triangles round where the surface is flat and makes
 * every system solvable.
 */
#include "scenes/decimate.h"

static const double memory = 0.001; /* weight of the old vertices beside the old planes */
static const double least_quality = 0.3;
static const uint32_t most_edges = 10;

/* x -> x A x + 2 b x + c */
typedef struct quadric {
    double xx, xy, xz, yy, yz, zz;
    grazei_vec b;
    double c;
} quadric;

typedef struct entry {
    double cost;
    uint32_t half_edge, stamp;
} entry;

typedef struct decimator {
    grazei_synth_surface *surface;
    grazei_synth_pool *pool;
    quadric *quadrics; /* by vertex */
    uint32_t *stamps;  /* by half-edge: which entry of it is current */
    entry *heap;
    size_t heap_count, heap_capacity;
} decimator;

static quadric quadric_sum(const quadric *p, const quadric *q)
{
    quadric sum = {p->xx + q->xx, p->xy + q->xy, p->xz + q->xz,       p->yy + q->yy,
                   p->yz + q->yz, p->zz + q->zz, vec_add(p->b, q->b), p->c + q->c};
    return sum;
}

static void add_plane(quadric *q, grazei_vec n, double offset, double weight)
{
    q->xx += weight * n.x * n.x;
    q->xy += weight * n.x * n.y;
    q->xz += weight * n.x * n.z;
    q->yy += weight * n.y * n.y;
    q->yz += weight * n.y * n.z;
    q->zz += weight * n.z * n.z;
    q->b = vec_along(q->b, n, weight * offset);
    q->c += weight * offset * offset;
}

static void add_point(quadric *q, grazei_vec at, double weight)
{
    q->xx += weight;
    q->yy += weight;
    q->zz += weight;
    q->b = vec_along(q->b, at, -weight);
    q->c += weight * vec_dot(at, at);
}

static double quadric_at(const quadric *q, grazei_vec at)
{
    grazei_vec product = {q->xx * at.x + q->xy * at.y + q->xz * at.z,
                          q->xy * at.x + q->yy * at.y + q->yz * at.z,
                          q->xz * at.x + q->yz * at.y + q->zz * at.z};
    return vec_dot(at, product) + 2 * vec_dot(q->b, at) + q->c;
}

/* Where the quadric is least (Cramer's rule; add_point keeps it away from singular). */
static grazei_vec quadric_least(const quadric *q)
{
    grazei_vec c0 = {q->xx, q->xy, q->xz}, c1 = {q->xy, q->yy, q->yz}, c2 = {q->xz, q->yz, q->zz};
    grazei_vec right = vec_scale(q->b, -1);
    grazei_vec c12 = vec_cross(c1, c2);
    double scale = 1 / vec_dot(c0, c12);
    return vec_make(vec_dot(right, c12) * scale, vec_dot(c0, vec_cross(right, c2)) * scale,
                    vec_dot(c0, vec_cross(c1, right)) * scale);
}

static void gather_quadrics(decimator *work)
{
    const grazei_synth_surface *surface = work->surface;
    for (uint32_t h = 0; h < surface->half_edge_slots; h += 3) {
        if (surface->vertex[h] == UINT32_MAX)
            continue;
        const uint32_t *v = surface->vertex + h;
        grazei_vec a = surface->positions[v[0]];
        grazei_vec across =
            vec_cross(vec_sub(surface->positions[v[1]], a), vec_sub(surface->positions[v[2]], a));
        double area = vec_length(across);
        grazei_vec normal = vec_unit(across);
        for (uint32_t k = 0; k < 3; k++) {
            add_plane(&work->quadrics[v[k]], normal, -vec_dot(normal, a), area);
            add_point(&work->quadrics[v[k]], surface->positions[v[k]], area * memory);
        }
    }
}

static bool entry_before(const entry *a, const entry *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->half_edge < b->half_edge;
}

static bool push(decimator *work, entry item)
{
    entry *heap = grazei_synth_grow(work->pool, work->heap, &work->heap_capacity,
                                    work->heap_count + 1, sizeof(entry));
    if (!heap)
        return false;
    work->heap = heap;
    size_t place = work->heap_count++;
    while (place > 0 && entry_before(&item, &heap[(place - 1) / 2])) {
        heap[place] = heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap[place] = item;
    return true;
}

static entry pop(decimator *work)
{
    entry *heap = work->heap, least = heap[0], last = heap[--work->heap_count];
    size_t place = 0, count = work->heap_count;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= count)
            break;
        if (child + 1 < count && entry_before(&heap[child + 1], &heap[child]))
            child++;
        if (!entry_before(&heap[child], &last))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = last;
    return least;
}

static quadric edge_quadric(const decimator *work, uint32_t h)
{
    const uint32_t *vertex = work->surface->vertex;
    return quadric_sum(&work->quadrics[vertex[h]], &work->quadrics[vertex[work->surface->twin[h]]]);
}

/* Puts the edge into the heap with its present cost; older entries of it are void. */
static bool push_edge(decimator *work, uint32_t h)
{
    uint32_t twin = work->surface->twin[h];
    uint32_t name = h < twin ? h : twin;
    quadric both = edge_quadric(work, name);
    entry item = {quadric_at(&both, quadric_least(&both)), name, ++work->stamps[name]};
    return push(work, item);
}

static double quality(grazei_vec a, grazei_vec b, grazei_vec c, grazei_vec across)
{
    grazei_vec ab = vec_sub(b, a), bc = vec_sub(c, b), ca = vec_sub(a, c);
    double edges = vec_dot(ab, ab) + vec_dot(bc, bc) + vec_dot(ca, ca);
    return edges > 0 ? 3.4641016151377544 * vec_length(across) / edges : 0;
}

/* Whether the triangles around the start of h, but for the two at the edge, bear its move. */
static bool fan_bears(const decimator *work, uint32_t h, grazei_vec to, grazei_vec normal)
{
    const grazei_synth_surface *surface = work->surface;
    grazei_vec from = surface->positions[surface->vertex[h]];
    for (uint32_t e = half_edge_around(surface, h); e != h; e = half_edge_around(surface, e)) {
        if (e / 3 == surface->twin[h] / 3)
            continue;
        grazei_vec b = surface->positions[half_edge_target(surface, e)];
        grazei_vec c = surface->positions[surface->vertex[half_edge_previous(e)]];
        grazei_vec before = vec_cross(vec_sub(b, from), vec_sub(c, from));
        grazei_vec after = vec_cross(vec_sub(b, to), vec_sub(c, to));
        double length = vec_length(after), round = quality(to, b, c, after);
        if ((vec_dot(before, after) < 0.3 * vec_length(before) * length &&
             vec_dot(normal, after) < 0.5 * length &&
             vec_dot(normal, vec_unit(after)) <= vec_dot(normal, vec_unit(before))) ||
            (round < least_quality && round < quality(from, b, c, before)))
            return false;
    }
    return true;
}

static bool try_entry(decimator *work, entry item, bool *enough_memory)
{
    grazei_synth_surface *surface = work->surface;
    uint32_t h = item.half_edge;
    if (surface->vertex[h] == UINT32_MAX || surface->twin[h] < h || work->stamps[h] != item.stamp)
        return false;
    uint32_t g = surface->twin[h], kept = surface->vertex[h], gone = surface->vertex[g];
    quadric both = edge_quadric(work, h);
    grazei_vec places[3] = {quadric_least(&both), surface->positions[kept],
                            surface->positions[gone]};
    grazei_vec normal = vec_unit(vec_add(surface->normals[kept], surface->normals[gone]));
    uint32_t place = 0;
    if (grazei_synth_valence(surface, kept) + grazei_synth_valence(surface, gone) >
            most_edges + 4 ||
        !grazei_synth_can_collapse(surface, h))
        return false;
    while (place < 3 && !(fan_bears(work, h, places[place], normal) &&
                          fan_bears(work, g, places[place], normal)))
        place++;
    if (place == 3)
        return false;
    grazei_vec to = places[place];
    grazei_synth_collapse(surface, h);
    surface->positions[kept] = to;
    surface->normals[kept] = normal;
    work->quadrics[kept] = both;
    uint32_t first = surface->leaving[kept], e = first;
    do {
        if (!push_edge(work, e))
            *enough_memory = false;
        e = half_edge_around(surface, e);
    } while (e != first);
    return true;
}

static bool push_all(decimator *work)
{
    const grazei_synth_surface *surface = work->surface;
    work->heap_count = 0;
    for (uint32_t h = 0; h < surface->half_edge_slots; h++)
        if (surface->vertex[h] != UINT32_MAX && h < surface->twin[h] && !push_edge(work, h))
            return false;
    return true;
}

/* In rounds of rising cost, because an edge that is refused for the shape of its surroundings
 * should be asked again before much dearer ones go.
 */
bool grazei_synth_decimate(grazei_synth_surface *surface, uint32_t triangles,
                           grazei_synth_pool *pool)
{
    decimator work = {.surface = surface, .pool = pool};
    work.quadrics = grazei_synth_take(pool, surface->vertex_slots, sizeof(quadric));
    work.stamps = grazei_synth_take(pool, surface->half_edge_slots, sizeof(uint32_t));
    bool enough_memory = work.quadrics && work.stamps;
    if (enough_memory)
        gather_quadrics(&work);
    double limit = 1e-13;
    for (uint32_t round = 0; round < 40 && enough_memory; round++, limit *= 4) {
        if (surface->triangle_count <= triangles)
            break;
        enough_memory = push_all(&work);
        while (enough_memory && work.heap_count && surface->triangle_count > triangles &&
               work.heap[0].cost < limit)
            try_entry(&work, pop(&work), &enough_memory);
    }
    grazei_synth_give(pool, work.quadrics);
    grazei_synth_give(pool, work.stamps);
    grazei_synth_give(pool, work.heap);
    return enough_memory;
}
