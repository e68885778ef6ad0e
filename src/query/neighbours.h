/* Neighbours, triangles with vertices that cannot part, left out of candidates within a body. */
#ifndef GRAZEI_QUERY_NEIGHBOURS_H
#define GRAZEI_QUERY_NEIGHBOURS_H

#include "body/body.h"
#include "narrow/triangle_kernels.h"

/* The welds of each triangle's corners (mesh/weld.h), and a fourth number that no weld has. */
typedef struct grazei_corner_welds {
    i4 of[GRAZEI_MAX_PATCH_TRIANGLES];
} grazei_corner_welds;

static inline void grazei_find_welds(const graze_body *body, uint32_t number,
                                     grazei_corner_welds *corners)
{
    const grazei_tree *tree = grazei_body_tree(body);
    const grazei_patch *patch = &tree->patches[number];
    const uint32_t *vertices = tree->patch_vertices + patch->first_vertex;
    int32_t welds[GRAZEI_MAX_PATCH_VERTICES];
    for (uint32_t i = 0; i < patch->vertex_count; i++)
        welds[i] = (int32_t)grazei_body_mesh(body)->welds[vertices[i]];
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

/* The triangles of two patches, which may be one. */
typedef struct grazei_neighbours {
    bool same;
    grazei_corner_welds a, b;
} grazei_neighbours;

static inline void grazei_find_neighbours(grazei_neighbours *n, const graze_body *body,
                                          uint32_t number_a, uint32_t number_b)
{
    n->same = number_a == number_b;
    grazei_find_welds(body, number_a, &n->a);
    if (!n->same)
        grazei_find_welds(body, number_b, &n->b);
}

/* The weld of a corner in the order of patches. */
static inline uint32_t grazei_corner_weld(const graze_body *body, const grazei_patch *patch,
                                          uint32_t triangle, int corner)
{
    const grazei_tree *tree = grazei_body_tree(body);
    uint8_t local = tree->corners[patch->first_triangle + triangle][corner];
    GRAZE_ASSERT(triangle < patch->triangle_count && corner < 3);
    return grazei_body_mesh(body)->welds[tree->patch_vertices[patch->first_vertex + local]];
}

/* Whether all triangles of a patch, which has some, have a weld as a corner. The last is asked
 * first.
 */
static inline bool grazei_is_hub(const graze_body *body, const grazei_patch *patch, uint32_t weld)
{
    bool all = true;
    for (uint32_t t = patch->triangle_count; t-- > 0 && all;) {
        all = false;
        for (int c = 0; c < 3; c++)
            all |= grazei_corner_weld(body, patch, t, c) == weld;
    }
    return all;
}

/* Whether one vertex makes all triangles of two patches, which may be one, neighbours. */
static inline bool grazei_share_a_hub(const graze_body *body, uint32_t number_a, uint32_t number_b)
{
    const grazei_patch *patches = grazei_body_tree(body)->patches;
    for (int c = 0; c < 3; c++) {
        uint32_t weld = grazei_corner_weld(body, &patches[number_a], 0, c);
        if (grazei_is_hub(body, &patches[number_b], weld) &&
            (number_a == number_b || grazei_is_hub(body, &patches[number_a], weld)))
            return true;
    }
    return false;
}

/* Leaves out pairs of neighbours and, within one patch, all but one order of two triangles. */
static inline size_t grazei_drop_neighbours(const grazei_neighbours *n, uint16_t *pairs,
                                            size_t count)
{
    const grazei_corner_welds *other = n->same ? &n->a : &n->b;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t a = grazei_pair_first(pairs[i]), b = grazei_pair_second(pairs[i]);
        GRAZE_ASSERT(a < GRAZEI_MAX_PATCH_TRIANGLES && b < GRAZEI_MAX_PATCH_TRIANGLES);
        bool drop = grazei_share_a_weld(n->a.of[a], other->of[b]) | (n->same && a >= b);
        pairs[kept] = pairs[i];
        kept += !drop;
    }
    return kept;
}

#endif
