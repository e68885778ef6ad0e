/* What spherical and dual skinning add to linear skinning's bound of a node.
 *
 * A vertex blended by rotations ends near where linear blending puts it; how near follows from the
 * pairs of joints that act on it together: how far apart they would put it, how far apart they
 * turn, and with which weights. docs/bounds.md has the proofs.
 */
#ifndef GRAZEI_DEFORM_BLEND_H
#define GRAZEI_DEFORM_BLEND_H

#include <stdbool.h>
#include <stdint.h>

/* Rows of four floats of one node: { ball of its blended vertices } and for each pair of joints
 * { ball of the vertices that both move } { joint, joint, largest product of weights, pair }.
 */
typedef struct grazei_blend_node {
    uint32_t first_row;
    uint32_t pair_count; /* 0: every vertex has one joint, and linear skinning's bound holds */
    uint32_t first_set;  /* into node_sets: joint-sets of more than one joint */
    uint32_t set_count;
    uint32_t first_ball;   /* into set_balls; UINT32_MAX: none */
    uint32_t first_joint;  /* into node_joints: as many as the node's record has */
    bool has_single;       /* some vertex has one joint only */
    float pairs_of_vertex; /* most pairs of joints on one vertex, p (p - 1) / 2 */
    float share;           /* (p - 1) / 2p, rounded up: the most that products of weights sum to */
    float least_pivot;     /* least of the vertices' largest weights */
} grazei_blend_node;

typedef struct grazei_blend {
    grazei_blend_node *nodes;
    float (*rows)[4];
    uint32_t row_count;
    uint32_t pair_count; /* distinct pairs in the whole mesh */
    uint32_t *node_sets;
    uint32_t node_set_count;
    float (*set_balls)[4]; /* of nodes around several joint-sets: for each of its sets of
                              several joints { ball of its vertices in the node } { D, - - - }
                              joints x { joint, w, d, - } */
    uint32_t set_ball_rows;
    uint32_t *node_joints; /* joints that move any vertex of the node */
    uint32_t node_joint_count;
    float (*pair_centre)[4]; /* of each pair: ball of the centres of sets that have both joints */
    float (*set_centre)[4]; /* of each joint-set's vertices: mean rest position, largest distance */
    uint8_t *joint_blends;  /* joints that act together with others */
} grazei_blend;

#endif
