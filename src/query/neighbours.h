/* Triangles that share a vertex position at rest, left out of candidates within a body. */
#ifndef GRAZEI_QUERY_NEIGHBOURS_H
#define GRAZEI_QUERY_NEIGHBOURS_H

#include "body/body.h"
#include "narrow/triangle_kernels.h"

/* Vertices at one place have one number. A triangle has three, and a fourth that no vertex has. */
typedef struct grazei_corner_places {
    i4 of[GRAZEI_MAX_PATCH_TRIANGLES];
} grazei_corner_places;

static inline void grazei_find_places(const graze_model *model, uint32_t number,
                                      grazei_corner_places *places)
{
    const grazei_tree *tree = &model->tree;
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    int32_t welds[GRAZEI_MAX_PATCH_VERTICES];
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        welds[i] = (int32_t)model->mesh.welds[vertices[i]];
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const uint8_t *corners = tree->corners[patch->first_triangle + t];
        places->of[t] = (i4){welds[corners[0]], welds[corners[1]], welds[corners[2]], -1};
    }
}

static inline bool grazei_share_a_place(i4 a, i4 b)
{
    i4 first = (i4){a[0], a[0], a[0], a[0]}, second = (i4){a[1], a[1], a[1], a[1]};
    i4 third = (i4){a[2], a[2], a[2], a[2]};
    return i4_any((first == b) | (second == b) | (third == b));
}

/* Leaves out pairs of neighbours and, within one patch, all but one order of two triangles. */
static inline size_t grazei_drop_neighbours(const graze_model *model, uint32_t number_a,
                                            uint32_t number_b, uint16_t *pairs, size_t count)
{
    grazei_corner_places places_a, places_b;
    bool same = number_a == number_b;
    const grazei_corner_places *other = same ? &places_a : &places_b;
    size_t kept = 0;
    grazei_find_places(model, number_a, &places_a);
    if (!same)
        grazei_find_places(model, number_b, &places_b);
    for (size_t i = 0; i < count; i++) {
        uint32_t a = grazei_pair_first(pairs[i]), b = grazei_pair_second(pairs[i]);
        bool drop = grazei_share_a_place(places_a.of[a], other->of[b]) | (same && a >= b);
        pairs[kept] = pairs[i];
        kept += !drop;
    }
    return kept;
}

#endif
