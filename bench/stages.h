/* The papers' tables: scenes on a stage, every frame from joint matrices to the answer for every
 * pair of bodies, in several ways. What bench lbs, bench sbs and bench bdtree have in common.
 */
#ifndef GRAZE_BENCH_STAGES_H
#define GRAZE_BENCH_STAGES_H

#include "bench/bench.h"
#include "scenes/stage.h"

/* Opens a scene; samples a frame of it, and hands that to one set of bodies. */
void stages_open(struct stage *stage, const char *scene, const graze_tree_def *trees,
                 const graze_skinning *skinnings, uint32_t tree_count);
void stages_frame(struct stage *stage, uint32_t frame);
void stages_pose(struct stage *stage, uint32_t frame, uint32_t tree);

/* ---- radii, level by level ------------------------------------------------------------------ */

#define STAGES_LEVELS 64

typedef struct stages_level {
    double sum, least, most; /* of the radii; zeroed: nothing */
    uint32_t count;
} stages_level;

/* Adds all nodes of a body's tree. */
void stages_add_radii(graze_body *body, graze_node_bound which, stages_level *levels);

/* ---- rows of a table about a scene ---------------------------------------------------------- */

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

/* Means of all frames that were measured; times in microseconds. */
typedef struct scene_means {
    bench_time times[SCENE_MAX_ROWS];
    double nodes[SCENE_MAX_ROWS], tests[SCENE_MAX_ROWS], hits[SCENE_MAX_ROWS];
    double triangles[SCENE_MAX_ROWS]; /* pairs of them that were tested */
    uint32_t frames;
} scene_means;

/* Every step-th frame, with all pairs or until the first. Ends the program where rows that move the
 * same skin do not find as much.
 */
void scene_measure(struct stage *stage, const scene_row *rows, uint32_t row_count, uint32_t step,
                   bool first, scene_means *means);

/* "linear", "spherical", "dual". */
const char *scene_skinning_name(graze_skinning skinning);

#endif
