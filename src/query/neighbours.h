/* Triangles that share a vertex position at rest, left out of candidates within a body. */
#ifndef GRAZEI_QUERY_NEIGHBOURS_H
#define GRAZEI_QUERY_NEIGHBOURS_H

#include "model/model.h"
#include "narrow/triangle_kernels.h"

/* The welds of each triangle's corners (mesh/weld.h), and a fourth number that no weld has. */
typedef struct grazei_corner_welds {
    i4 of[GRAZEI_MAX_PATCH_TRIANGLES];
} grazei_corner_welds;

static inline void grazei_find_welds(const graze_model *model, uint32_t number,
                                     grazei_corner_welds *corners)
{
    const grazei_tree *tree = &model->tree;
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    int32_t welds[GRAZEI_MAX_PATCH_VERTICES];
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        welds[i] = (int32_t)model->mesh.welds[vertices[i]];
    for (uint32_t t = 0; t < patch->triangle_count; t++) {
        const uint8_t *local = tree->corners[patch->first_triangle + t];
        corners->of[t] = (i4){welds[local[0]], welds[local[1]], welds[local[2]], -1};
    }
}

static inline bool grazei_share_a_weld(i4 a, i4 b)
{
    i4 first = (i4){a[0], a[0], a[0], a[0]}, second = (i4){a[1], a[1], a[1], a[1]};
    i4 third = (i4){a[2], a[2], a[2], a[2]};
    return i4_any((first == b) | (second == b) | (third == b));
}

/* Leaves out pairs of neighbours and, within one patch, all but one order of two triangles. */
static inline size_t grazei_drop_neighbours(const graze_model *model, uint32_t number_a,
                                            uint32_t number_b, uint16_t *pairs, size_t count)
{
    grazei_corner_welds welds_a, welds_b;
    bool same = number_a == number_b;
    const grazei_corner_welds *other = same ? &welds_a : &welds_b;
    size_t kept = 0;
    grazei_find_welds(model, number_a, &welds_a);
    if (!same)
        grazei_find_welds(model, number_b, &welds_b);
    for (size_t i = 0; i < count; i++) {
        uint32_t a = grazei_pair_first(pairs[i]), b = grazei_pair_second(pairs[i]);
        bool drop = grazei_share_a_weld(welds_a.of[a], other->of[b]) | (same && a >= b);
        pairs[kept] = pairs[i];
        kept += !drop;
    }
    return kept;
}

#endif
