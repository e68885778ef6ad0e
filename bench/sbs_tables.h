/* The tables of bench sbs. */
#ifndef GRAZE_BENCH_SBS_TABLES_H
#define GRAZE_BENCH_SBS_TABLES_H

#include "bench/stages.h"

/* The trees and kinds of skinning that are compared. */
typedef enum sbs_tree {
    SBS_LINEAR, /* the paper's tree, refitted our way */
    SBS_SPHERICAL,
    SBS_DUAL,
    SBS_LINEAR_CORNERS, /* the paper's tree, refitted by corners */
    SBS_SPHERICAL_CORNERS,
    SBS_LINEAR_BOXES, /* boxes over patches */
    SBS_SPHERICAL_BOXES,
    SBS_DUAL_BOXES,
    SBS_LINEAR_FAT, /* boxes with leaves of 4 triangles, for the eager method */
    SBS_SPHERICAL_FAT,
    SBS_DUAL_FAT,
    SBS_TREE_COUNT
} sbs_tree;

/* Opens a scene with the first tree_count of these. */
void sbs_open(struct stage *stage, const char *scene, uint32_t tree_count);

void sbs_radii(void);
void sbs_levels(void);
void sbs_scene(const char *name, bool first);
void sbs_figures(void); /* where --plot was given */

#endif
