/* Isotropic remeshing after Botsch & Kobbelt 2004 ("A remeshing approach to multiresolution
 * modeling"), downwards only: collapse short edges, flip to Delaunay, relax along the surface. An
 * edge's wanted length grows with the square root of the flesh's radius, so that fingers and
 * trunk deviate from the surface about equally.
 */
#include "scenes/remesh.h"
#include "scenes/decimate.h"

static const double facing = 0.25; /* cosine between a triangle and the surface, at least */
static const double longest = 1.9; /* edges left by a collapse, relative to the pass's length */
static const uint32_t coarse_triangles = 60000; /* fewer are left to grazei_synth_decimate */
static const double flat_enough = 0.9; /* cosine between the triangles of an edge that may flip */
static const double least_quality = 0.2;
static const uint32_t most_edges = 11; /* of a vertex, left by a collapse */

static grazei_vec triangle_normal(grazei_vec a, grazei_vec b, grazei_vec c)
{
    return vec_cross(vec_sub(b, a), vec_sub(c, a));
}

/* Ratio of area to squared edges, 1 for an equilateral triangle. */
static double triangle_quality(grazei_vec a, grazei_vec b, grazei_vec c)
{
    grazei_vec ab = vec_sub(b, a), bc = vec_sub(c, b), ca = vec_sub(a, c);
    double edges = vec_dot(ab, ab) + vec_dot(bc, bc) + vec_dot(ca, ca);
    return edges > 0 ? 3.4641016151377544 * vec_length(vec_cross(ab, bc)) / edges : 0;
}

static void take_sample(grazei_synth_surface *surface, uint32_t v,
                        const grazei_synth_sample *sample)
{
    surface->normals[v] = vec_unit(sample->gradient);
    surface->sizes[v] = sqrt(vec_clamp(sample->radius, 0.004, 0.15));
}

/* Whether the triangle that h is a side of stays sound, or gets better, when its vertex moves. */
static bool triangle_stays(const grazei_synth_surface *surface, uint32_t h, grazei_vec to,
                           grazei_vec normal)
{
    grazei_vec a = surface->positions[surface->vertex[h]];
    grazei_vec b = surface->positions[half_edge_target(surface, h)];
    grazei_vec c = surface->positions[surface->vertex[half_edge_previous(h)]];
    double faces = vec_dot(vec_unit(triangle_normal(to, b, c)), normal);
    if (faces <= facing && faces < vec_dot(vec_unit(triangle_normal(a, b, c)), normal))
        return false;
    double quality = triangle_quality(to, b, c);
    return quality > least_quality || quality >= triangle_quality(a, b, c);
}

/* Whether all triangles around the start of h, except those beside the edge, allow it to move. */
static bool fan_allows(const grazei_synth_surface *surface, uint32_t h, grazei_vec to,
                       grazei_vec normal, double longest_edge)
{
    for (uint32_t e = half_edge_around(surface, h); e != h; e = half_edge_around(surface, e)) {
        grazei_vec edge = vec_sub(surface->positions[half_edge_target(surface, e)], to);
        if (vec_dot(edge, edge) > longest_edge * longest_edge)
            return false;
        if (e / 3 != surface->twin[h] / 3 && !triangle_stays(surface, e, to, normal))
            return false;
    }
    return true;
}

static bool try_collapse(grazei_synth_surface *surface, const grazei_synth_field *field, uint32_t h,
                         double longest_edge)
{
    uint32_t g = surface->twin[h], u = surface->vertex[h], v = surface->vertex[g];
    if (grazei_synth_valence(surface, u) + grazei_synth_valence(surface, v) > most_edges + 4 ||
        !grazei_synth_can_collapse(surface, h))
        return false;
    grazei_vec a = surface->positions[u], b = surface->positions[v];
    grazei_vec places[3] = {vec_scale(vec_add(a, b), 0.5), a, b};
    grazei_vec normal = vec_unit(vec_add(surface->normals[u], surface->normals[v]));
    uint32_t place = 0;
    while (place < 3 && !(fan_allows(surface, h, places[place], normal, longest_edge) &&
                          fan_allows(surface, g, places[place], normal, longest_edge)))
        place++;
    if (place == 3)
        return false;
    grazei_vec to = places[place];
    grazei_synth_sample sample;
    grazei_synth_collapse(surface, h);
    surface->positions[u] = grazei_synth_project(field, to, 1, &sample);
    take_sample(surface, u, &sample);
    return true;
}

static double edge_length2(const grazei_synth_surface *surface, uint32_t h)
{
    grazei_vec edge = vec_sub(surface->positions[half_edge_target(surface, h)],
                              surface->positions[surface->vertex[h]]);
    return vec_dot(edge, edge);
}

static double edge_size(const grazei_synth_surface *surface, uint32_t h)
{
    return 0.5 *
           (surface->sizes[surface->vertex[h]] + surface->sizes[half_edge_target(surface, h)]);
}

/* Collapses edges shorter than unit x size until `triangles` are left; returns how many died. */
static uint32_t collapse_pass(grazei_synth_surface *surface, const grazei_synth_field *field,
                              uint32_t triangles, double unit, double cell)
{
    uint32_t before = surface->triangle_count;
    for (uint32_t h = 0; h < surface->half_edge_slots; h++) {
        if (surface->triangle_count <= triangles)
            break;
        if (surface->vertex[h] == UINT32_MAX || surface->twin[h] < h)
            continue;
        double wanted = unit * edge_size(surface, h);
        if (edge_length2(surface, h) < wanted * wanted)
            try_collapse(surface, field, h, fmax(longest * wanted, 1.5 * cell));
    }
    return before - surface->triangle_count;
}

/* Cosine and sine of the angle opposite to h, times the lengths of its sides. */
static double opposite_angle(const grazei_synth_surface *surface, uint32_t h, grazei_vec *cross)
{
    grazei_vec at = surface->positions[surface->vertex[half_edge_previous(h)]];
    grazei_vec a = vec_sub(surface->positions[surface->vertex[h]], at);
    grazei_vec b = vec_sub(surface->positions[half_edge_target(surface, h)], at);
    *cross = vec_cross(a, b);
    return vec_dot(a, b);
}

static double cotangent(double cosine, grazei_vec cross)
{
    double sine = vec_length(cross);
    return sine > 0 ? cosine / sine : 1e9;
}

static bool should_flip(const grazei_synth_surface *surface, uint32_t h)
{
    uint32_t g = surface->twin[h];
    grazei_vec h_cross, g_cross;
    double h_cosine = opposite_angle(surface, h, &h_cross);
    double g_cosine = opposite_angle(surface, g, &g_cross);
    if ((h_cosine >= 0 && g_cosine >= 0) || /* most edges */
        cotangent(h_cosine, h_cross) + cotangent(g_cosine, g_cross) > -0.02)
        return false;
    uint32_t u = surface->vertex[h], v = surface->vertex[g];
    uint32_t a = surface->vertex[half_edge_previous(h)];
    uint32_t b = surface->vertex[half_edge_previous(g)];
    if (grazei_synth_valence(surface, u) < 5 || grazei_synth_valence(surface, v) < 5 ||
        grazei_synth_joined(surface, a, b))
        return false;
    const grazei_vec *at = surface->positions;
    grazei_vec left = triangle_normal(at[u], at[v], at[a]),
               right = triangle_normal(at[v], at[u], at[b]);
    if (vec_dot(left, right) < flat_enough * vec_length(left) * vec_length(right))
        return false;
    grazei_vec outward = vec_add(surface->normals[a], surface->normals[b]);
    grazei_vec first = triangle_normal(at[a], at[b], at[v]);
    grazei_vec second = triangle_normal(at[b], at[a], at[u]);
    double lengths = vec_length(outward);
    return vec_dot(first, outward) > facing * lengths * vec_length(first) &&
           vec_dot(second, outward) > facing * lengths * vec_length(second);
}

static void flip_pass(grazei_synth_surface *surface)
{
    for (uint32_t h = 0; h < surface->half_edge_slots; h++)
        if (surface->vertex[h] != UINT32_MAX && surface->twin[h] > h && should_flip(surface, h))
            grazei_synth_flip(surface, h);
}

/* Moves a vertex towards the middle of its neighbours, along the surface. */
static void relax_vertex(grazei_synth_surface *surface, const grazei_synth_field *field, uint32_t v)
{
    grazei_vec sum = {0, 0, 0};
    double total = 0;
    uint32_t first = surface->leaving[v], h = first;
    do {
        uint32_t w = half_edge_target(surface, h);
        double weight = 1 / surface->sizes[w];
        sum = vec_along(sum, surface->positions[w], weight);
        total += weight;
        h = half_edge_around(surface, h);
    } while (h != first);
    grazei_vec at = surface->positions[v], normal = surface->normals[v];
    grazei_vec move = vec_scale(vec_sub(vec_scale(sum, 1 / total), at), 0.6);
    move = vec_along(move, normal, -vec_dot(move, normal));
    grazei_synth_sample sample;
    grazei_vec to = grazei_synth_project(field, vec_add(at, move), 2, &sample);
    normal = vec_unit(sample.gradient);
    do {
        if (!triangle_stays(surface, h, to, normal))
            return;
        h = half_edge_around(surface, h);
    } while (h != first);
    surface->positions[v] = to;
    take_sample(surface, v, &sample);
}

static void relax_pass(grazei_synth_surface *surface, const grazei_synth_field *field)
{
    for (uint32_t v = 0; v < surface->vertex_slots; v++)
        if (surface->leaving[v] != UINT32_MAX)
            relax_vertex(surface, field, v);
}

static void reduce(grazei_synth_surface *surface, const grazei_synth_field *field,
                   uint32_t triangles, double cell, double *unit)
{
    uint32_t idle = 0;
    while (surface->triangle_count > triangles && idle < 24) {
        uint32_t died = collapse_pass(surface, field, triangles, *unit, cell);
        idle = died ? 0 : idle + 1;
        flip_pass(surface);
        if (died < surface->triangle_count / 5)
            relax_pass(surface, field);
        if (died < surface->triangle_count / 8)
            *unit *= surface->triangle_count / 2 > triangles ? 1.25 : 1.06;
    }
}

static void smooth(grazei_synth_surface *surface, const grazei_synth_field *field, uint32_t passes)
{
    for (uint32_t i = 0; i < passes; i++) {
        relax_pass(surface, field);
        flip_pass(surface);
    }
}

bool grazei_synth_remesh(const grazei_synth_field *field, uint32_t triangles, double cell,
                         grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    grazei_synth_surface surface;
    if (!grazei_synth_surface_create(mesh, pool, &surface))
        return false;
    for (uint32_t v = 0; v < surface.vertex_slots; v++) {
        grazei_synth_sample sample;
        surface.positions[v] = grazei_synth_project(field, surface.positions[v], 1, &sample);
        take_sample(&surface, v, &sample);
    }
    double unit = 2 * cell; /* half a cell where the flesh is 6 cm thick */
    bool coarse = triangles < coarse_triangles;
    reduce(&surface, field, coarse ? 2 * triangles + 10000 : triangles + triangles / 2, cell,
           &unit);
    if (coarse) {
        smooth(&surface, field, 5);
        if (!grazei_synth_decimate(&surface, triangles, pool))
            return false;
        flip_pass(&surface);
    } else {
        reduce(&surface, field, triangles, cell, &unit);
        smooth(&surface, field, 3);
    }
    return grazei_synth_surface_finish(&surface, pool, mesh);
}
