/* The binary tree that every other shape of tree is made from. */
#ifndef GRAZEI_TREE_SPLIT_H
#define GRAZEI_TREE_SPLIT_H

#include "tree/tree.h"

typedef struct grazei_binary_node {
    uint32_t begin, end;  /* triangles, in the order array */
    uint32_t children[2]; /* both 0 for a leaf */
    uint32_t level;       /* 0 for the root */
    float sphere[4];      /* minimal ball of its vertices, unposed; spheres only */
    bool of_one;          /* one joint moves all of it; false: not known */
    float size;           /* at rest: radius, or half the diagonal of the box of its vertices */
} grazei_binary_node;

typedef struct grazei_binary_tree {
    grazei_binary_node *nodes;
    uint32_t node_count;
    uint32_t level_count;
    uint32_t *order; /* triangle numbers; a node's are contiguous */
    /* For leaves of several triangles: those of every node along y and z, while order has them
     * along x; else NULL.
     */
    uint32_t *others[2];
} grazei_binary_tree;

/* False when out of memory; the caller releases in either case. */
bool grazei_split(grazei_binary_tree *binary, const graze_tree_def *def, const grazei_mesh *mesh,
                  const graze_allocator *allocator);

void grazei_binary_release(grazei_binary_tree *binary, const graze_allocator *allocator);

#endif
