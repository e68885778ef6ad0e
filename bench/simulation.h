/* bench chairs and bench bridge: the simulations of D. L. James and D. K. Pai, "BD-Tree:
 * output-sensitive collision detection for reduced deformable models" (2004), section 4.
 */
#ifndef GRAZE_BENCH_SIMULATION_H
#define GRAZE_BENCH_SIMULATION_H

#include "bench/bench.h"
#include "cli/simulate_scenes.h"

/* The kind of a body, as a place in scene->kinds. */
uint32_t simulation_kind_of(const simulate_scene *scene, uint32_t body);

/* The paper's tree of a kind (binary, one triangle a leaf, the paper's formulas), with spheres for
 * contacts at the paper's level (proxies) or without; or the default tree.
 */
typedef enum simulation_tree {
    SIMULATION_DEFAULT,
    SIMULATION_PAPER,
    SIMULATION_PROXIES
} simulation_tree;
graze_model *simulation_model(const simulate_kind *kind, simulation_tree tree);

/* Where a body of the scene is now, and how it is deformed; another body, posed so. */
typedef struct simulation_place {
    float placement[12], weights[SIMULATE_MOST_FIELDS];
} simulation_place;

simulation_place simulation_get_place(const simulate_scene *scene, uint32_t number);
void simulation_pose(graze_body *body, const simulation_place *place);

/* ---- recorded motion ------------------------------------------------------------------------ */

enum { SIMULATION_FRAMES = 24 };

/* Where all bodies of a scene were at some steps, and how they were deformed. */
typedef struct simulation_record {
    const simulate_scene *scene;
    uint32_t frame_count;
    simulation_place *places; /* frame_count x the scene's bodies */
} simulation_record;

/* ---- the tables ----------------------------------------------------------------------------- */

/* Figure 6: radii of the 64 spheres of level 6, layered and by the paper's formulas, at rest and
 * where the animation deforms them most, by the radii at rest. body is of the paper's tree.
 */
void simulation_radii(const simulate_kind *bridge, graze_body *body);

/* Steps of the scene, flexible and rigid, exact and with proxies, each moving on its own, and then
 * the motion of the first of them replayed.
 */
void simulation_run(simulate_scene_name scene, graze_pool *pool);
void simulation_replay(const simulation_record *record);

#endif
