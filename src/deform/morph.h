/* Morph targets: v + sum of q_m d_m, before any skinning.
 *
 * Bounds follow D. L. James and D. K. Pai, "BD-Tree: output-sensitive collision detection for
 * reduced deformable models" (2004): a node's centre follows the fields, its size grows with their
 * deviations. On top of that stands a convex combination, which lets a node shrink as well
 * (docs/bounds.md). Fields are sparse: a node or patch only knows those that move it.
 */
#ifndef GRAZEI_DEFORM_MORPH_H
#define GRAZEI_DEFORM_MORPH_H

#include "deform/stream.h"
#include "math/f4.h"

/* One target's rows within a list of displacements. */
typedef struct grazei_morph_run {
    uint32_t target;
    uint32_t first, count;
} grazei_morph_run;

/* Displacements in the order of a stream: rows of x y z and the position in the stream, as bits. */
typedef struct grazei_morph_list {
    float (*rows)[4];
    grazei_morph_run *runs;
    uint32_t *first_run; /* of each patch, and one more; NULL for the whole mesh */
    uint32_t run_count;
    uint32_t row_count;
} grazei_morph_list;

/* Constants of one target for one node: three rows, { U x y z, target } { dR x y z } { e x y z }.
 * Spheres use the first lane of the last two.
 */
typedef struct grazei_morph {
    uint32_t target_count;
    grazei_morph_list patches;
    grazei_morph_list mesh;
    float (*node_rows)[4];
    uint32_t *node_first;     /* first target of each node, and one more; in units of three rows */
    float *node_drift;        /* most that any vertex of a node moves for weights of length 1 */
    float (*target_reach)[4]; /* at least |delta| of each target, per axis */
    uint32_t node_row_count;
} grazei_morph;

/* Copies count rest rows and adds the runs [first, end) with their weights. */
void grazei_morph_apply(const grazei_morph_list *list, uint32_t first, uint32_t end,
                        const float *weights, const float (*rest)[4], uint32_t count,
                        float (*out)[4]);

/* Where a node's shape has gone: its centre by shift, its half-extents (or radius) by grow. wide is
 * at least how far any vertex is displaced beyond shift.
 */
typedef struct grazei_morph_move {
    f4 shift, grow, wide;
} grazei_morph_move;

static inline grazei_morph_move grazei_morph_node(const grazei_morph *morph, uint32_t node,
                                                  const float *weights)
{
    grazei_morph_move move = {f4_zero(), f4_zero(), f4_zero()};
    const float(*rows)[4] = (const float(*)[4])morph->node_rows + 3 * morph->node_first[node];
    uint32_t count = morph->node_first[node + 1] - morph->node_first[node];
    float positive = 0;
    for (uint32_t k = 0; k < count; k++)
        positive += f1_max(weights[f4_bits(rows[3 * k][3])], 0);
    float share = positive > 1 ? 1 / positive : 1;
    for (uint32_t k = 0; k < count; k++, rows += 3) {
        float q = weights[f4_bits(rows[0][3])];
        if (q == 0)
            continue;
        f4 wide = f4_load(rows[1]), combined = f4_load(rows[2]);
        move.shift = move.shift + f4_load3(rows[0]) * f4_all(q);
        move.wide = move.wide + wide * f4_all(fabsf(q));
        if (q > 0)
            move.grow =
                move.grow + (combined * f4_all(share) + wide * f4_all(1 - share)) * f4_all(q);
        else
            move.grow = move.grow + wide * f4_all(-q);
    }
    return move;
}

#endif
