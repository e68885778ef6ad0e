/* Edge collapse under the link condition (Dey, Edelsbrunner, Guha & Nekhayev 1999) and edge flip
 * on half-edges.
 */
#include "scenes/surface.h"

#include <assert.h>
#include <string.h>

/* Pairs every half-edge with its twin, through lists of the half-edges that leave each vertex. */
static bool pair_twins(grazei_synth_surface *surface, grazei_synth_pool *pool)
{
    uint32_t *start = grazei_synth_take(pool, (size_t)surface->vertex_slots + 2, sizeof(uint32_t));
    uint32_t *list = grazei_synth_take(pool, surface->half_edge_slots, sizeof(uint32_t));
    if (!start || !list)
        return false;
    for (uint32_t h = 0; h < surface->half_edge_slots; h++)
        start[surface->vertex[h] + 2]++;
    for (uint32_t v = 1; v <= surface->vertex_slots; v++)
        start[v + 1] += start[v];
    for (uint32_t h = 0; h < surface->half_edge_slots; h++)
        list[start[surface->vertex[h] + 1]++] = h;
    for (uint32_t h = 0; h < surface->half_edge_slots; h++) {
        uint32_t from = surface->vertex[h], to = half_edge_target(surface, h);
        surface->leaving[from] = h;
        for (uint32_t i = start[to]; i < start[to + 1]; i++)
            if (half_edge_target(surface, list[i]) == from)
                surface->twin[h] = list[i];
        assert(surface->twin[h] != UINT32_MAX);
    }
    grazei_synth_give(pool, start);
    grazei_synth_give(pool, list);
    return true;
}

bool grazei_synth_surface_create(grazei_synth_mesh *mesh, grazei_synth_pool *pool,
                                 grazei_synth_surface *surface)
{
    size_t vertices = mesh->vertex_count, half_edges = 3 * (size_t)mesh->triangle_count;
    memset(surface, 0, sizeof *surface);
    surface->positions = mesh->positions;
    surface->vertex = mesh->triangles;
    surface->vertex_slots = mesh->vertex_count;
    surface->triangle_count = mesh->triangle_count;
    surface->half_edge_slots = 3 * mesh->triangle_count;
    surface->normals = grazei_synth_take(pool, vertices, sizeof(grazei_vec));
    surface->sizes = grazei_synth_take(pool, vertices, sizeof(double));
    surface->leaving = grazei_synth_take(pool, vertices, sizeof(uint32_t));
    surface->marks = grazei_synth_take(pool, vertices, sizeof(uint32_t));
    surface->twin = grazei_synth_take(pool, half_edges, sizeof(uint32_t));
    memset(mesh, 0, sizeof *mesh);
    if (!surface->normals || !surface->sizes || !surface->leaving || !surface->marks ||
        !surface->twin)
        return false;
    memset(surface->twin, 0xff, half_edges * sizeof(uint32_t));
    memset(surface->leaving, 0xff, vertices * sizeof(uint32_t));
    return pair_twins(surface, pool);
}

bool grazei_synth_surface_finish(grazei_synth_surface *surface, grazei_synth_pool *pool,
                                 grazei_synth_mesh *mesh)
{
    uint32_t *vertex = surface->vertex, *number = surface->marks;
    uint32_t vertices = 0, used = 0;
    for (uint32_t v = 0; v < surface->vertex_slots; v++)
        if (surface->leaving[v] != UINT32_MAX) {
            number[v] = vertices;
            surface->positions[vertices++] = surface->positions[v];
        }
    for (uint32_t h = 0; h < surface->half_edge_slots; h++)
        if (vertex[h] != UINT32_MAX)
            vertex[used++] = number[vertex[h]];
    assert(used == 3 * surface->triangle_count);
    mesh->positions = surface->positions;
    mesh->vertex_count = vertices;
    mesh->triangles = vertex;
    mesh->triangle_count = surface->triangle_count;
    grazei_synth_give(pool, surface->normals);
    grazei_synth_give(pool, surface->sizes);
    grazei_synth_give(pool, surface->leaving);
    grazei_synth_give(pool, surface->marks);
    grazei_synth_give(pool, surface->twin);
    memset(surface, 0, sizeof *surface);
    return true;
}

uint32_t grazei_synth_valence(const grazei_synth_surface *surface, uint32_t vertex)
{
    uint32_t count = 0, first = surface->leaving[vertex], h = first;
    do {
        count++;
        h = half_edge_around(surface, h);
    } while (h != first);
    return count;
}

bool grazei_synth_joined(const grazei_synth_surface *surface, uint32_t a, uint32_t b)
{
    uint32_t first = surface->leaving[a], h = first;
    do {
        if (half_edge_target(surface, h) == b)
            return true;
        h = half_edge_around(surface, h);
    } while (h != first);
    return false;
}

/* Link condition for a closed surface: the two ends have exactly two neighbours in common. */
bool grazei_synth_can_collapse(grazei_synth_surface *surface, uint32_t h)
{
    if (surface->triangle_count <= 4)
        return false;
    uint32_t mark = ++surface->mark, common = 0;
    uint32_t e = h;
    do {
        surface->marks[half_edge_target(surface, e)] = mark;
        e = half_edge_around(surface, e);
    } while (e != h);
    uint32_t first = surface->twin[h];
    e = first;
    do {
        common += surface->marks[half_edge_target(surface, e)] == mark;
        e = half_edge_around(surface, e);
    } while (e != first);
    return common == 2;
}

static void glue(grazei_synth_surface *surface, uint32_t a, uint32_t b)
{
    surface->twin[a] = b;
    surface->twin[b] = a;
    surface->leaving[surface->vertex[a]] = a;
    surface->leaving[surface->vertex[b]] = b;
}

void grazei_synth_collapse(grazei_synth_surface *surface, uint32_t h)
{
    uint32_t g = surface->twin[h], kept = surface->vertex[h], gone = surface->vertex[g];
    uint32_t e = g;
    do {
        surface->vertex[e] = kept;
        e = half_edge_around(surface, e);
    } while (e != g);
    glue(surface, surface->twin[half_edge_next(h)], surface->twin[half_edge_previous(h)]);
    glue(surface, surface->twin[half_edge_next(g)], surface->twin[half_edge_previous(g)]);
    surface->leaving[gone] = UINT32_MAX;
    uint32_t dead[2] = {h / 3, g / 3};
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t k = 0; k < 3; k++)
            surface->vertex[3 * dead[i] + k] = surface->twin[3 * dead[i] + k] = UINT32_MAX;
    surface->triangle_count -= 2;
}

/* Triangles u v a and v u b become a b v and b a u. */
void grazei_synth_flip(grazei_synth_surface *surface, uint32_t h)
{
    uint32_t g = surface->twin[h];
    uint32_t h_next = half_edge_next(h), h_previous = half_edge_previous(h);
    uint32_t g_next = half_edge_next(g), g_previous = half_edge_previous(g);
    uint32_t u = surface->vertex[h], v = surface->vertex[g];
    uint32_t a = surface->vertex[h_previous], b = surface->vertex[g_previous];
    uint32_t va = surface->twin[h_next], au = surface->twin[h_previous];
    uint32_t ub = surface->twin[g_next], bv = surface->twin[g_previous];
    surface->vertex[h] = a, surface->vertex[h_next] = b, surface->vertex[h_previous] = v;
    surface->vertex[g] = b, surface->vertex[g_next] = a, surface->vertex[g_previous] = u;
    surface->twin[h_next] = bv, surface->twin[bv] = h_next;
    surface->twin[h_previous] = va, surface->twin[va] = h_previous;
    surface->twin[g_next] = au, surface->twin[au] = g_next;
    surface->twin[g_previous] = ub, surface->twin[ub] = g_previous;
    surface->leaving[a] = h;
    surface->leaving[b] = g;
    surface->leaving[v] = h_previous;
    surface->leaving[u] = g_previous;
}
