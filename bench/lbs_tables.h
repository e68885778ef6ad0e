/* The tables of bench lbs. */
#ifndef GRAZE_BENCH_LBS_TABLES_H
#define GRAZE_BENCH_LBS_TABLES_H

#include "bench/stages.h"

/* The trees that are compared. */
typedef enum lbs_tree {
    LBS_CORNERS, /* the paper's, refitted by corners */
    LBS_SPHERES, /* the same tree, refitted our way */
    LBS_DEFAULT, /* boxes over patches */
    LBS_FAT,     /* boxes with leaves of 4 triangles, for the eager method */
    LBS_TREE_COUNT
} lbs_tree;

graze_tree_def lbs_tree_def(lbs_tree tree);

/* Opens a scene with all of them. */
void lbs_open_stage(struct stage *stage, const char *scene);

/* What the paper took, nanoseconds: for a sphere from the pose (man, 20.21 ms for 15,339), for one
 * bottom-up (creatures until the first hit, 30.18 ms for two of 18,679), and for a test of two
 * spheres: 273 with the bounds that come to it (dwarves, 1.33 ms for 4,866), 149 without, if those
 * are as many as here (0.094 a test).
 */
#define LBS_PAPER_BOUND_NS 1318.0
#define LBS_PAPER_BOTTOM_UP_NS 808.0
#define LBS_PAPER_TEST_NS 149.0
#define LBS_PAPER_TEST_AND_BOUNDS_NS 273.0

/* Milliseconds that our counts would have taken there, by corners and bottom-up. */
typedef struct lbs_paper_ms {
    double lazy, bottom_up;
} lbs_paper_ms;

static inline lbs_paper_ms lbs_at_paper_costs(double refitted, double tests, double spheres,
                                              double bottom_up_tests)
{
    lbs_paper_ms ms = {
        1e-6 * (refitted * LBS_PAPER_BOUND_NS + tests * LBS_PAPER_TEST_NS),
        1e-6 * (spheres * LBS_PAPER_BOTTOM_UP_NS + bottom_up_tests * LBS_PAPER_TEST_NS)};
    return ms;
}

/* A procedural model with a tree, in one body. */
typedef struct lbs_subject {
    graze_rig *rig;
    graze_model *model;
    graze_body *body;
    double build_ms; /* of the model */
} lbs_subject;

void lbs_open(lbs_subject *subject, graze_synth_kind kind, graze_tree_def tree, graze_isa isa);
void lbs_close(lbs_subject *subject);

/* Takes the posture of the radius table: deep in a step, limbs bent. */
void lbs_pose(lbs_subject *subject);

void lbs_models(void);
void lbs_binary(void);
void lbs_collapse(void);
void lbs_radii(void);
void lbs_bound_cost(void);
void lbs_refit(void);
void lbs_scene(const char *name, bool first);
void lbs_dwarves(void);
void lbs_rigid(void);
void lbs_figures(void); /* where --plot was given */

#endif
