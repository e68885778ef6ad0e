/* A closed triangle mesh that can be edited: half-edges, three a triangle, each with its twin.
 *
 * Half-edge h belongs to triangle h / 3 and leaves vertex[h]; dead triangles keep their place with
 * vertex[h] = UINT32_MAX.
 */
#ifndef GRAZE_SCENES_SURFACE_H
#define GRAZE_SCENES_SURFACE_H

#include "scenes/lattice.h"

typedef struct grazei_synth_surface {
    grazei_vec *positions;
    grazei_vec *normals; /* outward, of the implicit surface; kept by the editor */
    double *sizes;       /* wanted edge length, relative; kept by the editor */
    uint32_t *leaving;   /* a half-edge that leaves the vertex; UINT32_MAX if the vertex is dead */
    uint32_t *marks;     /* scratch */
    uint32_t mark;
    uint32_t vertex_slots;
    uint32_t *vertex, *twin;
    uint32_t half_edge_slots;
    uint32_t triangle_count; /* alive */
} grazei_synth_surface;

static inline uint32_t half_edge_next(uint32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}
static inline uint32_t half_edge_previous(uint32_t h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}

/* Takes over a closed manifold mesh (its arrays become the surface's). False when out of memory. */
bool grazei_synth_surface_create(grazei_synth_mesh *mesh, grazei_synth_pool *pool,
                                 grazei_synth_surface *surface);

/* Gives the surface's memory back and hands its live triangles and vertices over, in order. */
bool grazei_synth_surface_finish(grazei_synth_surface *surface, grazei_synth_pool *pool,
                                 grazei_synth_mesh *mesh);

/* The next half-edge, around the vertex that h leaves. */
static inline uint32_t half_edge_around(const grazei_synth_surface *surface, uint32_t h)
{
    return surface->twin[half_edge_previous(h)];
}

static inline uint32_t half_edge_target(const grazei_synth_surface *surface, uint32_t h)
{
    return surface->vertex[half_edge_next(h)];
}

uint32_t grazei_synth_valence(const grazei_synth_surface *surface, uint32_t vertex);

/* Whether the ends of h may become one vertex without harm to the manifold. */
bool grazei_synth_can_collapse(grazei_synth_surface *surface, uint32_t h);

/* The vertex that h leaves takes the place of both ends; two triangles die. Positions stay. */
void grazei_synth_collapse(grazei_synth_surface *surface, uint32_t h);

/* Whether a and b are joined by an edge. */
bool grazei_synth_joined(const grazei_synth_surface *surface, uint32_t a, uint32_t b);

/* Turns the edge h to the other diagonal of its two triangles. The other two corners must not be
 * joined already.
 */
void grazei_synth_flip(grazei_synth_surface *surface, uint32_t h);

#endif
