/* Two patches whose bounds overlap: which of their triangles meet? */
#ifndef GRAZEI_QUERY_PATCHES_H
#define GRAZEI_QUERY_PATCHES_H

#include "math/isa.h"
#include "query/outbox.h"

#define GRAZEI_LANES_TABLE GRAZEI_ISA(triangle_kernels)
#define GRAZEI_PATCH_TABLE GRAZEI_ISA(patch_kernels)

static inline void grazei_batch_flush(grazei_batch *batch, grazei_outbox *outbox)
{
    grazei_triangle_set sets[2];
    uint8_t corners[GRAZEI_BATCH][4];
    uint16_t pairs[GRAZEI_BATCH];
    for (uint32_t i = 0; i < batch->count; i++) {
        pairs[i] = grazei_pair(i, i);
        for (uint32_t c = 0; c < 3; c++)
            corners[i][c] = (uint8_t)(3 * i + c);
        corners[i][3] = 0;
    }
    for (int side = 0; side < 2; side++) {
        sets[side] = grazei_triangle_set_at(batch->memory[side], batch->count);
        GRAZEI_LANES_TABLE.triangle_set((const float(*)[4])batch->vertices[side],
                                        (const uint8_t(*)[4])corners, &sets[side]);
    }
    size_t unsure = 0, hits = GRAZEI_LANES_TABLE.triangle_pairs(&sets[0], &sets[1], pairs,
                                                                batch->count, pairs, &unsure);
    for (size_t i = 0; i < hits && !outbox->stopped; i++) {
        graze_pair names = batch->names[grazei_pair_first(pairs[i])];
        grazei_outbox_add(outbox, names.a, names.b);
    }
    batch->count = 0;
}

static inline void grazei_load_triangle(const graze_body *body, const grazei_patch *patch,
                                        uint32_t triangle, float (*vertices)[4])
{
    const uint8_t *local = body->model->tree.corners[patch->first_triangle + triangle];
    for (int c = 0; c < 3; c++)
        f4_store(vertices[c], f4_load(body->vertices[patch->first_vertex + local[c]]));
}

static inline bool grazei_triangle_boxes_overlap(const float (*a)[4], const float (*b)[4])
{
    f4 a0 = f4_load(a[0]), a1 = f4_load(a[1]), a2 = f4_load(a[2]);
    f4 b0 = f4_load(b[0]), b1 = f4_load(b[1]), b2 = f4_load(b[2]);
    f4 low_a = f4_min(a0, f4_min(a1, a2)), high_a = f4_max(a0, f4_max(a1, a2));
    f4 low_b = f4_min(b0, f4_min(b1, b2)), high_b = f4_max(b0, f4_max(b1, b2));
    return (f4_ge_bits(high_a, low_b) & f4_ge_bits(high_b, low_a) & 7u) == 7u;
}

/* Two triangles, by way of the batch; at once where one hit is enough. */
static inline void grazei_meet_two(graze_body *a, const grazei_patch *patch_a, uint32_t i,
                                   graze_body *b, const grazei_patch *patch_b, uint32_t k,
                                   grazei_batch *batch, grazei_outbox *outbox, graze_stats *stats)
{
    float(*vertices_a)[4] = batch->vertices[0] + 3 * batch->count;
    float(*vertices_b)[4] = batch->vertices[1] + 3 * batch->count;
    grazei_load_triangle(a, patch_a, i, vertices_a);
    grazei_load_triangle(b, patch_b, k, vertices_b);
    if (!grazei_triangle_boxes_overlap((const float(*)[4])vertices_a,
                                       (const float(*)[4])vertices_b))
        return;
    batch->names[batch->count++] =
        (graze_pair){a->model->tree.patch_triangles[patch_a->first_triangle + i],
                     b->model->tree.patch_triangles[patch_b->first_triangle + k]};
    stats->triangle_tests++;
    if (batch->count == GRAZEI_BATCH || outbox->first)
        grazei_batch_flush(batch, outbox);
}

/* The triangles of two small patches. */
static inline void grazei_meet_one_by_one(graze_body *a, const grazei_patch *patch_a, graze_body *b,
                                          const grazei_patch *patch_b, grazei_batch *batch,
                                          grazei_outbox *outbox, graze_stats *stats)
{
    for (uint32_t i = 0; i < patch_a->triangle_count; i++)
        for (uint32_t k = 0; k < patch_b->triangle_count && !outbox->stopped; k++)
            grazei_meet_two(a, patch_a, i, b, patch_b, k, batch, outbox, stats);
}

/* A patch's triangles made ready for lanes, once a pose. */
static inline grazei_triangle_set grazei_patch_set(graze_body *body, uint32_t number)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_patch *patch = &tree->patches[number];
    grazei_triangle_set set = grazei_triangle_set_at(body->sets + (size_t)number * body->set_floats,
                                                     patch->triangle_count);
    if (body->set_stamps[number] != body->stamp) {
        GRAZEI_LANES_TABLE.triangle_set((const float(*)[4])body->vertices + patch->first_vertex,
                                        (const uint8_t(*)[4])tree->corners + patch->first_triangle,
                                        &set);
        body->set_stamps[number] = body->stamp;
    }
    return set;
}

/* The same with boxes alone: a quarter of the memory, for questions that leave few candidates. */
static inline grazei_triangle_set grazei_patch_boxes(graze_body *body, uint32_t number)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_patch *patch = &tree->patches[number];
    grazei_triangle_set set = grazei_triangle_set_at(body->sets + (size_t)number * body->set_floats,
                                                     patch->triangle_count);
    if (body->set_stamps[number] != body->stamp && body->box_stamps[number] != body->stamp) {
        GRAZEI_LANES_TABLE.triangle_boxes(
            (const float(*)[4])body->vertices + patch->first_vertex,
            (const uint8_t(*)[4])tree->corners + patch->first_triangle, &set);
        body->box_stamps[number] = body->stamp;
    }
    return set;
}

static inline size_t grazei_set_within(const grazei_triangle_set *set, const grazei_bound *box,
                                       uint16_t *numbers)
{
    float low[3] = {-box->low_negated[0], -box->low_negated[1], -box->low_negated[2]};
    return GRAZEI_LANES_TABLE.boxes_overlapping(set, low, box->high, numbers);
}

/* A posed patch as a shell, made ready once a pose. */
static inline grazei_posed_patch grazei_patch_shell_of(graze_body *body, uint32_t number)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_patch *patch = &tree->patches[number];
    grazei_posed_patch shell = {
        .points = (const float(*)[4])body->vertices + patch->first_vertex,
        .corners = (const uint8_t(*)[4])tree->corners + patch->first_triangle,
        .point_count = patch->vertex_count,
        .triangle_count = patch->triangle_count,
        .low_negated = body->patches[number].low_negated,
        .high = body->patches[number].high,
        .slab = &body->shells[number].slab,
        .rows = grazei_body_rows(body, number),
    };
    uint32_t *stamp = &body->shells[number].stamp;
    if (grazei_body_needs(body, &body->shell_marks[number], stamp)) {
        GRAZEI_PATCH_TABLE.prepare(&shell, patch->spread);
        grazei_body_keep(body, &body->shell_marks[number], stamp);
    }
    return shell;
}

/* Both patches are posed and their exact boxes overlap. */
static inline void grazei_meet_in_lanes(graze_body *a, uint32_t number_a, graze_body *b,
                                        uint32_t number_b, grazei_outbox *outbox,
                                        graze_stats *stats)
{
    uint16_t pairs[GRAZEI_PATCH_PAIRS];
    grazei_posed_patch shell_a = grazei_patch_shell_of(a, number_a);
    grazei_posed_patch shell_b = grazei_patch_shell_of(b, number_b);
    size_t count = GRAZEI_PATCH_TABLE.meet(&shell_a, &shell_b, pairs, &stats->triangle_tests);
    const uint32_t *names_a =
        a->model->tree.patch_triangles + a->model->tree.patches[number_a].first_triangle;
    const uint32_t *names_b =
        b->model->tree.patch_triangles + b->model->tree.patches[number_b].first_triangle;
    for (size_t i = 0; i < count && !outbox->stopped; i++)
        grazei_outbox_add(outbox, names_a[grazei_pair_first(pairs[i])],
                          names_b[grazei_pair_second(pairs[i])]);
}

/* Whether a box is certainly beyond one side of a posed patch's slab. */
static inline bool grazei_slab_misses(const grazei_slab *slab, const grazei_bound *own,
                                      const grazei_bound *box)
{
    f4 sides = f4_max(grazei_bound_first(own), grazei_bound_first(box)) +
               f4_max(grazei_bound_second(own), grazei_bound_second(box));
    float margin = grazei_slab_margin(f1_max(sides[0], f1_max(sides[1], sides[2])));
    float low = 0, high = 0;
    for (int k = 0; k < 3; k++) {
        float from = slab->normal[k] * (-box->low_negated[k] - slab->origin[k]);
        float to = slab->normal[k] * (box->high[k] - slab->origin[k]);
        low += f1_min(from, to);
        high += f1_max(from, to);
    }
    return low > slab->high + margin || high < slab->low - margin;
}

/* A leaf on its way to the triangles: its box is exact once it is posed. */
typedef struct grazei_leaf {
    graze_body *body;
    uint32_t patch;
    bool posed;
    grazei_bound box;
} grazei_leaf;

static inline void grazei_leaf_pose(grazei_leaf *leaf, graze_stats *stats)
{
    leaf->box = *grazei_body_patch(leaf->body, leaf->patch, stats);
    leaf->posed = true;
}

/* Whether two leaves overlap, posing what is not posed yet: the second one only if it may meet the
 * first one's exact box and slab.
 */
static inline bool grazei_leaves_overlap(grazei_leaf *first, grazei_leaf *second, bool slabs,
                                         graze_stats *stats)
{
    if (!first->posed)
        grazei_leaf_pose(first, stats);
    grazei_box_probe probe = grazei_probe_box(&first->box);
    stats->bound_tests++;
    if (!grazei_boxes_overlap(&probe, &second->box))
        return false;
    if (second->posed)
        return true;
    if (slabs) {
        grazei_posed_patch shell = grazei_patch_shell_of(first->body, first->patch);
        if (grazei_slab_misses(shell.slab, &first->box, &second->box))
            return false;
    }
    grazei_leaf_pose(second, stats);
    stats->bound_tests++;
    return grazei_boxes_overlap(&probe, &second->box);
}

/* Reports the triangles of two leaves that meet. */
static inline void grazei_meet_leaves(grazei_leaf *a, grazei_leaf *b, grazei_batch *batch,
                                      grazei_outbox *outbox, graze_stats *stats)
{
    bool lanes_suit = a->body->sets && b->body->sets;
    bool a_first = a->posed || !b->posed;
    if (!grazei_leaves_overlap(a_first ? a : b, a_first ? b : a, lanes_suit, stats))
        return;
    if (lanes_suit)
        grazei_meet_in_lanes(a->body, a->patch, b->body, b->patch, outbox, stats);
    else
        grazei_meet_one_by_one(a->body, &a->body->model->tree.patches[a->patch], b->body,
                               &b->body->model->tree.patches[b->patch], batch, outbox, stats);
}

#endif
