/* The second question: what does a patch look like now?
 *
 * A posed patch is points, triangles as corners among them, and what the caller calls those
 * triangles. It is posed when first asked for. What lanes want of it (intervals of its
 * triangles, the triangles ready to be tested) is made when that is first asked for; where patches
 * are small there is none of it, and triangles are tested one by one.
 */
#ifndef GRAZEI_BODY_PATCHES_H
#define GRAZEI_BODY_PATCHES_H

#include "base/assert.h"
#include "body/bounds.h"
#include "narrow/triangle_kernels.h"

/* Make what is not there yet. */
void grazei_body_pose_patch(graze_body *body, uint32_t number, graze_stats *stats);
void grazei_body_measure(graze_body *body, uint32_t number, const grazei_posed_patch *patch,
                         grazei_intervals *intervals);
void grazei_body_make_set(graze_body *body, uint32_t number, const grazei_posed_patch *patch,
                          const grazei_triangle_set *set);

/* Whether a patch is posed already. The body has caches. */
static inline bool grazei_body_has_patch(const graze_body *body, uint32_t number)
{
    return grazei_body_has(body, &body->cache.patch_marks[number][GRAZEI_POSED]);
}

/* A patch that is posed already. */
static inline grazei_posed_patch grazei_posed_patch_of(const graze_body *body, uint32_t number)
{
    const grazei_tree *tree = body->tree;
    GRAZE_ASSERT(number < tree->patch_count);
    const grazei_patch *patch = &tree->patches[number];
    const grazei_cache *cache = &body->cache;
    return (grazei_posed_patch){
        .number = number,
        .points = (const float(*)[4])cache->points + patch->first_vertex,
        .corners = (const uint8_t(*)[4])tree->corners + patch->first_triangle,
        .names = tree->patch_triangles + patch->first_triangle,
        .point_count = patch->vertex_count,
        .triangle_count = patch->triangle_count,
        .low_negated = cache->boxes[number].low_negated,
        .high = cache->boxes[number].high,
    };
}

/* A patch, posed if need be. */
static inline grazei_posed_patch grazei_body_patch(graze_body *body, uint32_t number,
                                                   graze_stats *stats)
{
    if (!grazei_body_has_patch(body, number))
        grazei_body_pose_patch(body, number, stats);
    return grazei_posed_patch_of(body, number);
}

/* Poses the patch of a leaf if need be. Its exact box then is the leaf's bound, too, unless other
 * threads may be reading that.
 */
static inline void grazei_view_pose_leaf(const grazei_view *view, uint32_t leaf, graze_stats *stats)
{
    graze_body *body = view->body;
    uint32_t number = view->nodes[leaf].first;
    GRAZE_ASSERT(view->nodes[leaf].count == 0);
    if (!grazei_body_has_patch(body, number))
        grazei_body_pose_patch(body, number, stats);
    if (view->spheres || view->shared)
        return;
    f4_store(body->cache.bounds[leaf].low_negated, grazei_bound_first(&view->boxes[number]));
    f4_store(body->cache.bounds[leaf].high, grazei_bound_second(&view->boxes[number]));
}

/* The patch of a leaf, posed if need be. */
static inline grazei_posed_patch grazei_view_leaf(const grazei_view *view, uint32_t leaf,
                                                  graze_stats *stats)
{
    grazei_view_pose_leaf(view, leaf, stats);
    return grazei_posed_patch_of(view->body, view->nodes[leaf].first);
}

/* The exact box of a posed patch. */
static inline const grazei_bound *grazei_patch_box(const grazei_posed_patch *patch)
{
    return (const grazei_bound *)patch->low_negated;
}

/* At least the longest side of the box around both patches. */
static inline float grazei_patches_reach(const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    const grazei_bound *box_a = grazei_patch_box(a), *box_b = grazei_patch_box(b);
    return f4_max3(f4_max(grazei_bound_first(box_a), grazei_bound_first(box_b)) +
                   f4_max(grazei_bound_second(box_a), grazei_bound_second(box_b)));
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* Corners of a triangle among points, the one place where they are put together. */
static inline void grazei_load_triangle(const float (*points)[4], uint32_t i, uint32_t j,
                                        uint32_t k, float (*corners)[4])
{
    f4_store(corners[0], f4_load(points[i]));
    f4_store(corners[1], f4_load(points[j]));
    f4_store(corners[2], f4_load(points[k]));
}

static inline void grazei_patch_triangle(const grazei_posed_patch *patch, uint32_t triangle,
                                         float (*corners)[4])
{
    GRAZE_ASSERT(triangle < patch->triangle_count);
    const uint8_t *local = patch->corners[triangle];
    grazei_load_triangle(patch->points, local[0], local[1], local[2], corners);
}

/* Whether patches of this body are made ready for lanes: all below needs that. */
static inline bool grazei_body_suits_lanes(const graze_body *body)
{
    return body->cache.sets != NULL;
}

/* A posed patch as intervals, as a whole. */
static inline const grazei_intervals *grazei_body_measured(graze_body *body,
                                                           const grazei_posed_patch *patch)
{
    GRAZE_ASSERT(grazei_body_suits_lanes(body));
    grazei_intervals *intervals = &body->cache.intervals[patch->number];
    if (!grazei_body_has(body, &body->cache.patch_marks[patch->number][GRAZEI_MEASURED]))
        grazei_body_measure(body, patch->number, patch, intervals);
    return intervals;
}

/* Rows of intervals of a query's own: where a body has no slot to give. They stay until those of
 * another patch of the same body are wanted.
 */
typedef struct grazei_own_rows {
    uint32_t number; /* of the patch; UINT32_MAX: none yet */
    uint8_t bytes[GRAZEI_INTERVAL_BYTES(GRAZEI_PATCH_TRIANGLES)] __attribute__((aligned(64)));
} grazei_own_rows;

/* The rows of a measured patch's triangles; they last until those of another patch of this body are
 * asked for. The slot is not used if the body is shared, or if it is that of patch number `but`,
 * whose rows must last; UINT32_MAX: there is none.
 */
static inline const uint8_t *grazei_body_rows(graze_body *body, const grazei_posed_patch *patch,
                                              const grazei_intervals *measured, uint32_t but,
                                              grazei_own_rows *own)
{
    const grazei_cache *cache = &body->cache;
    GRAZE_ASSERT(patch->triangle_count > 0 && cache->slot_bytes > 0);
    uint32_t slot = patch->number % GRAZEI_SLOTS;
    bool taken = but != UINT32_MAX && but != patch->number && but % GRAZEI_SLOTS == slot;
    uint8_t *rows = cache->interval_rows + (size_t)slot * cache->slot_bytes;
    if (body->shared || taken) {
        if (own->number != patch->number)
            body->model->intervals->fill(patch, measured, own->bytes);
        own->number = patch->number;
        return own->bytes;
    }
    grazei_slot *kept = &cache->slots[slot];
    if (kept->stamp != body->stamp || kept->number != patch->number) {
        body->model->intervals->fill(patch, measured, rows);
        *kept = (grazei_slot){body->stamp, patch->number};
    }
    return rows;
}

/* The first of the slots for a packet's rows of a patch; UINT32_MAX: there are none, or others are
 * asking.
 */
static inline uint32_t grazei_body_ray_slot(const graze_body *body, uint32_t number)
{
    uint32_t places = body->cache.slot_count / GRAZEI_SLOTS_OF_RAYS;
    GRAZE_ASSERT(number < GRAZEI_FOR_RAYS);
    return body->shared || !places ? UINT32_MAX : number % places * GRAZEI_SLOTS_OF_RAYS;
}

/* Whether they hold what packets made of the patch in this pose. */
static inline bool grazei_body_has_ray_rows(const graze_body *body, uint32_t number)
{
    uint32_t first = grazei_body_ray_slot(body, number);
    bool has = first != UINT32_MAX;
    for (uint32_t i = first; has && i < first + GRAZEI_SLOTS_OF_RAYS; i++)
        has = body->cache.slots[i].stamp == body->stamp &&
              body->cache.slots[i].number == (number | GRAZEI_FOR_RAYS);
    return has;
}

/* Room for them, as many floats, aligned to 64 bytes: from now on it holds what packets make of
 * the patch. It lasts until other rows of this body are asked for. NULL: there is none.
 */
static inline float *grazei_body_ray_rows(graze_body *body, uint32_t number, size_t *floats)
{
    const grazei_cache *cache = &body->cache;
    uint32_t first = grazei_body_ray_slot(body, number);
    if (first == UINT32_MAX)
        return NULL;
    for (uint32_t i = first; i < first + GRAZEI_SLOTS_OF_RAYS; i++)
        cache->slots[i] = (grazei_slot){body->stamp, number | GRAZEI_FOR_RAYS};
    *floats = GRAZEI_SLOTS_OF_RAYS * (size_t)cache->slot_bytes / sizeof(float);
    return (float *)(void *)(cache->interval_rows + (size_t)first * cache->slot_bytes);
}

static inline grazei_triangle_set grazei_body_set_memory(const graze_body *body,
                                                         const grazei_posed_patch *patch)
{
    return grazei_triangle_set_at(body->cache.sets + (size_t)patch->number * body->cache.set_floats,
                                  patch->triangle_count);
}

/* The triangles of a posed patch, ready for lanes. */
static inline grazei_triangle_set grazei_body_set(graze_body *body, const grazei_posed_patch *patch)
{
    GRAZE_ASSERT(body->cache.sets &&
                 grazei_body_has(body, &body->cache.patch_marks[patch->number][GRAZEI_POSED]));
    grazei_triangle_set set = grazei_body_set_memory(body, patch);
    if (!grazei_body_has(body, &body->cache.patch_marks[patch->number][GRAZEI_SET]))
        grazei_body_make_set(body, patch->number, patch, &set);
    return set;
}

/* Lends a query the memory of all triangle sets, aligned to 16 bytes; they are made anew when next
 * asked for. NULL: there is none, or others are asking.
 */
void *grazei_body_lend(graze_body *body, size_t *bytes);

/* Whether no set was made since. */
bool grazei_body_still_lends(const graze_body *body);

/* Whether the triangles are ready already. */
static inline bool grazei_body_has_set(const graze_body *body, const grazei_posed_patch *patch)
{
    return body->cache.sets &&
           grazei_body_has(body, &body->cache.patch_marks[patch->number][GRAZEI_SET]);
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Every vertex posed, for references and for what looks at everything. */
typedef struct grazei_posed_mesh {
    const float (*points)[4];
    const uint32_t *triangles; /* 3 a triangle */
    const uint32_t *groups;    /* of the triangles */
    const uint32_t *mask;      /* of those that take part; NULL: all do */
    uint32_t point_count, triangle_count;
    const grazei_bound *box; /* exact, around all of them */
} grazei_posed_mesh;

static inline bool grazei_mesh_takes(const grazei_posed_mesh *mesh, uint32_t triangle)
{
    if (!mesh->mask)
        return true;
    uint32_t group = mesh->groups[triangle];
    return mesh->mask[group / 32] >> (group % 32) & 1;
}

/* stats may be NULL. */
grazei_posed_mesh grazei_body_mesh_posed(graze_body *body, graze_stats *stats);

static inline void grazei_mesh_triangle(const grazei_posed_mesh *mesh, uint32_t triangle,
                                        float (*corners)[4])
{
    GRAZE_ASSERT(triangle < mesh->triangle_count);
    const uint32_t *vertices = mesh->triangles + 3 * (size_t)triangle;
    grazei_load_triangle(mesh->points, vertices[0], vertices[1], vertices[2], corners);
}

/* What this pose cannot have folded; NULL where the model has no table, or positions are given. */
const grazei_fold_pose *grazei_body_folds(graze_body *body);

/* Makes the sums of all folds, where most of them will be asked for, unless others are asking. */
void grazei_body_sum_folds(graze_body *body);

#endif
