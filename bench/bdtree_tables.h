/* The tables of bench bdtree. Each returns false after printing an error. */
#ifndef GRAZE_BENCH_BDTREE_TABLES_H
#define GRAZE_BENCH_BDTREE_TABLES_H

#include "bench/bench.h"
#include "scenes/stage.h"

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
bool bdtree_open(struct stage *stage, const char *scene, uint32_t tree_count);

/* A tree of one sphere that is the ball: that of a triangle on a great circle. */
bool bdtree_make_ball(graze_model **model, graze_body **body);

/* One triangle whose sphere has this centre and radius, in a tree of its own. */
bool bdtree_make_sphere(const float centre[3], float radius, graze_model **model,
                        graze_body **body);

bool bdtree_models(const bench_options *options);
bool bdtree_curtain(const bench_options *options);
bool bdtree_growth(const bench_options *options);
bool bdtree_decay(const bench_options *options);
bool bdtree_updates(const bench_options *options);
bool bdtree_depth(const bench_options *options);

#endif
