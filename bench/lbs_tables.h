/* The tables of bench lbs. Each returns false after printing an error. */
#ifndef GRAZE_BENCH_LBS_TABLES_H
#define GRAZE_BENCH_LBS_TABLES_H

#include "bench/bench.h"
#include "scenes/stage.h"
#include "scenes/synth.h"

/* The trees that are compared. */
typedef enum lbs_tree {
    LBS_CORNERS, /* the paper's, refitted by corners */
    LBS_SPHERES, /* the same tree, refitted our way */
    LBS_DEFAULT, /* boxes over patches */
    LBS_FAT,     /* boxes with leaves of 4 triangles, for the eager method */
    LBS_TREE_COUNT
} lbs_tree;

void lbs_trees(graze_tree_def trees[LBS_TREE_COUNT]);

/* A procedural model with a tree, in one body. */
typedef struct lbs_subject {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    double build_ms; /* of the model */
} lbs_subject;

bool lbs_open(lbs_subject *subject, graze_synth_kind kind, const graze_tree_def *tree,
              graze_isa isa);
void lbs_close(lbs_subject *subject);

/* Takes the posture of the radius table: deep in a step, limbs bent. */
bool lbs_pose(lbs_subject *subject);

bool lbs_models(const bench_options *options);
bool lbs_binary(const bench_options *options);
bool lbs_collapse(const bench_options *options);
bool lbs_radii(const bench_options *options);
bool lbs_bound_cost(const bench_options *options);
bool lbs_refit(const bench_options *options);
bool lbs_men(const bench_options *options);
bool lbs_creatures(const bench_options *options);
bool lbs_creatures_first(const bench_options *options);
bool lbs_creatures_aside(const bench_options *options);
bool lbs_crowd(const bench_options *options);
bool lbs_dwarves(const bench_options *options);
bool lbs_rigid(const bench_options *options);
bool lbs_figures(const bench_options *options); /* where --plot was given */

#endif
