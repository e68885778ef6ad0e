/* The tables of bench lbs. Each returns false after printing an error. */
#ifndef GRAZE_BENCH_LBS_TABLES_H
#define GRAZE_BENCH_LBS_TABLES_H

#include "bench/bench.h"
#include "scenes/stage.h"

/* The trees that are compared. */
typedef enum lbs_tree {
    LBS_CORNERS, /* the paper's, refitted by corners */
    LBS_SPHERES, /* the same tree, refitted our way */
    LBS_DEFAULT, /* boxes over patches */
    LBS_FAT,     /* boxes with leaves of 4 triangles, for the eager method */
    LBS_TREE_COUNT
} lbs_tree;

void lbs_trees(graze_tree_def trees[LBS_TREE_COUNT]);

bool lbs_models(const bench_options *options);
bool lbs_radii(const bench_options *options);
bool lbs_bound_cost(const bench_options *options);
bool lbs_scene(const bench_options *options, const char *name, bool first);
bool lbs_dwarves(const bench_options *options);

#endif
