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

/* Pairs of joints are looked at in groups of so many, or half as many. */
#define GRAZEI_PAIRS_TOGETHER 8

/* Vertices of more pairs of joints, 8 joints, are not looked at by a pose's table of pairs: the
 * centre of their set is less exact.
 */
#define GRAZEI_MOST_QUICK_PAIRS 28

/* Rows of four floats of one node: { ball of its blended vertices } and for each pair of joints
 * { ball of the vertices that both move } { joint, joint, largest product of weights, pair }.
 */
typedef struct grazei_blend_node {
    uint32_t first_row;
    uint32_t pair_count; /* 0: every vertex has one joint, and linear skinning's bound holds */
    uint32_t first_set;  /* into node_sets: joint-sets of more than one joint */
    uint32_t set_count;
    uint32_t first_ball;   /* into set_balls; UINT32_MAX: none */
    uint32_t first_reach;  /* into reaches; UINT32_MAX: none */
    uint32_t first_joint;  /* into node_joints: as many as the node's record has */
    bool has_single;       /* some vertex has one joint only */
    float pairs_of_vertex; /* most pairs of joints on one vertex, p (p - 1) / 2 */
    float share;           /* (p - 1) / 2p, rounded up: the most that products of weights sum to */
    float least_pivot;     /* least of the vertices' largest weights */
    float from_mean;       /* at least how far a vertex is from its set's mean */
    float pulled;          /* at least 5e-4 the square of that times the pairs and the share of
                              turning of a vertex: docs/bounds.md, "Turned about the centre" */
} grazei_blend_node;

typedef struct grazei_blend {
    grazei_blend_node *nodes;
    float (*rows)[4];
    uint32_t row_count;
    float (*reaches)[4]; /* of four pairs each { how far the vertices that both joints move are from
                            the middle of pair_centre, at most } { largest products of weights }
                            { largest shares of turning, docs/bounds.md } { pairs }; what a last
                            four lacks has products and shares of 0 */
    uint32_t reach_rows;
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
    float (*pair_rows)[4]; /* of each pair { that ball } { joint, joint, -, pair }; up to a multiple
                              of GRAZEI_PAIRS_TOGETHER, the last one repeated */
    float (*set_centre)[4]; /* of each joint-set's vertices: mean rest position, largest distance */
    uint8_t *joint_blends;  /* joints that act together with others */
} grazei_blend;

/* Pairs with those that fill up the last group. */
static inline uint32_t grazei_padded_pairs(const grazei_blend *blend)
{
    return (blend->pair_count + GRAZEI_PAIRS_TOGETHER - 1) & ~(GRAZEI_PAIRS_TOGETHER - 1u);
}

#endif
