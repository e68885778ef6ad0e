/* Rows of a table about a scene: every frame from joint matrices to the answer for every pair of
 * bodies, in several ways. What bench lbs and bench sbs have in common.
 */
#ifndef GRAZE_BENCH_SCENE_ROWS_H
#define GRAZE_BENCH_SCENE_ROWS_H

#include "scenes/stage.h"

typedef enum scene_way {
    SCENE_LAZY,
    SCENE_BOTTOM_UP,
    SCENE_EAGER,
    SCENE_HASH /* the baseline's spatial hashing, of linear skinning; the tree has no say */
} scene_way;

typedef struct scene_row {
    const char *name;
    uint32_t tree; /* of the stage */
    scene_way way;
    graze_skinning skinning; /* row number `skinning` has the same */
} scene_row;

#define SCENE_MAX_ROWS 12

/* Over the frames measured so far; times in microseconds. */
typedef struct scene_sums {
    double least[SCENE_MAX_ROWS], middle[SCENE_MAX_ROWS];
    double nodes[SCENE_MAX_ROWS], tests[SCENE_MAX_ROWS], hits[SCENE_MAX_ROWS];
    double triangles[SCENE_MAX_ROWS]; /* pairs of them that were tested */
    uint32_t frames;
} scene_sums;

/* Adds every step-th frame, measured with all pairs or until the first. False after printing an
 * error: rows that move the same skin must find as much.
 */
bool scene_measure(struct stage *stage, const scene_row *rows, uint32_t row_count, uint32_t step,
                   uint32_t rounds, bool first, scene_sums *sums);

/* "linear", "spherical", "dual". */
const char *scene_skinning_name(graze_skinning skinning);

#endif
