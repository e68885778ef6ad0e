/* Which body parts take part: a bit set over the model's groups, and what follows from it.
 *
 * A masked body has a tree of its own, which shares nodes and vertices with the model's; its
 * patches have the triangles of the mask alone, in their order. Nodes without any have an empty
 * bound (deform/bound.h), so walks need no new test to pass them by. In a patch that is partly in
 * the mask the vertices that no triangle has any more stand where one that is left stands: its
 * points, its box and all that is measured of them are then those of its triangles.
 */
#ifndef GRAZEI_BODY_MASK_H
#define GRAZEI_BODY_MASK_H

#include "body/body.h"

struct grazei_mask {
    uint32_t *bits;
    grazei_tree tree;      /* patches, patch_triangles and corners are its own */
    uint8_t *patch_parts;  /* a grazei_part each */
    uint64_t (*places)[2]; /* of each patch: which of the model's triangles it has, as bits */
    uint8_t *node_parts;
    uint8_t *unused; /* of a patch that is partly in: vertices of no triangle, from its first on */
    uint8_t *unused_counts;
    uint32_t *first_group; /* the groups of patch p: groups[first_group[p] .. first_group[p + 1]) */
    uint32_t *groups;
    uint8_t *group_places; /* of each triangle, in the order of patch_triangles: which of those */
};

static inline bool grazei_body_is_masked(const graze_body *body)
{
    return body->tree != &body->model->tree;
}

/* The bits, or NULL where all groups are in. */
static inline const uint32_t *grazei_body_mask(const graze_body *body)
{
    return grazei_body_is_masked(body) ? body->mask->bits : NULL;
}

static inline bool grazei_mask_has(const uint32_t *bits, uint32_t group)
{
    return bits[group / 32] >> (group % 32) & 1;
}

/* Whether a triangle takes part. */
static inline bool grazei_body_takes(const graze_body *body, uint32_t triangle)
{
    return !grazei_body_is_masked(body) ||
           grazei_mask_has(body->mask->bits, body->model->mesh.triangle_parts[triangle]);
}

/* How much of a node takes part. */
static inline grazei_part grazei_body_node_part(const graze_body *body, uint32_t node)
{
    return grazei_body_is_masked(body) ? (grazei_part)body->mask->node_parts[node] : GRAZEI_ALL;
}

/* Of a masked body: which triangles of one of the model's patches take part, as bits. */
static inline const uint64_t *grazei_body_places(const graze_body *body, uint32_t patch)
{
    GRAZE_ASSERT(grazei_body_is_masked(body) && patch < body->tree->patch_count);
    return body->mask->places[patch];
}

/* Where a triangle of one of the model's patches is in the body's; UINT32_MAX: it does not take
 * part.
 */
uint32_t grazei_body_place(const graze_body *body, uint32_t patch, uint32_t place);

/* Whether the same groups of two bodies of one model take part. */
bool grazei_bodies_mask_alike(const graze_body *a, const graze_body *b);

/* ---- within this room ----------------------------------------------------------------------- */

/* Empties the bounds of nodes that were just bounded and have nothing in the mask. */
void grazei_mask_bounds(graze_body *body, uint32_t first, uint32_t count);

/* Puts the vertices of a patch that was just posed and is partly in the mask where its triangles
 * are, and finds their box.
 */
void grazei_mask_points(graze_body *body, uint32_t number, f4 *low, f4 *high);

void grazei_mask_release(grazei_mask *mask, const graze_allocator *allocator);

#endif
