/* The tables of bench bdtree. */
#ifndef GRAZE_BENCH_BDTREE_TABLES_H
#define GRAZE_BENCH_BDTREE_TABLES_H

#include "bench/stages.h"

/* The trees that are compared. */
typedef enum bdtree_tree {
    BDTREE_PAPER,     /* binary, one triangle a leaf, the paper's formulas */
    BDTREE_OURS,      /* the same tree, refitted our way */
    BDTREE_COLLAPSED, /* nodes removed as in Kavan & Zara 2005, refitted our way */
    BDTREE_BOXES,     /* boxes over patches */
    BDTREE_FAT,       /* boxes with leaves of 4 triangles, for the eager method */
    BDTREE_TREE_COUNT
} bdtree_tree;

/* Opens a scene with the first tree_count of these. */
void bdtree_open(struct stage *stage, const char *scene, uint32_t tree_count);

/* A body of one triangle whose sphere has this centre and radius, in a tree of its own. */
graze_body *bdtree_make_sphere(const float centre[3], float radius);

/* A row of table 1: the paper's vertices, faces, fields, spheres and levels beside a model's.
 * hertz: the lowest and the highest mode of what is simulated; NULL: it is not.
 */
void bdtree_print_model_head(void);
void bdtree_print_model(const char *name, const uint32_t paper[5], const graze_model_info *info,
                        const double hertz[2]);

void bdtree_curtain(void);
void bdtree_growth(void);
void bdtree_decay(void);
void bdtree_updates(void);

#endif
