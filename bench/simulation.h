/* bench chairs and bench bridge: the simulations of D. L. James and D. K. Pai, "BD-Tree:
 * output-sensitive collision detection for reduced deformable models" (2004), section 4.
 */
#ifndef GRAZE_BENCH_SIMULATION_H
#define GRAZE_BENCH_SIMULATION_H

#include "bench/bench.h"
#include "cli/simulate_scenes.h"

/* What goes with every table. */
typedef struct simulation_output {
    const bench_options *options;
    simulate_scene_name scene;
    graze_pool *pool; /* of --threads; NULL: one */
    bool wanted;      /* some table was */
} simulation_output;

/* Whether --only lets this table in. */
bool simulation_is_wanted(simulation_output *output, const char *name);

/* Prints "graze: ..." and returns false. */
bool simulation_fail(const graze_error *error);

/* Seconds of processor time that the process has had: what else the machine does counts less. */
double simulation_processor(void);

/* The kind of a body, as a place in scene->kinds. */
uint32_t simulation_kind_of(const simulate_scene *scene, uint32_t body);

/* The level of the tree at which the paper takes spheres for contacts; 0: leaves. */
uint32_t simulation_level(simulate_thing thing);

/* The paper's tree of a kind (binary, one triangle a leaf, the paper's formulas; contact_level 0:
 * no proxies), or the default one. NULL after printing an error.
 */
graze_model *simulation_paper_model(const simulate_kind *kind, uint32_t contact_level);
graze_model *simulation_default_model(const simulate_kind *kind);

/* ---- recorded motion ------------------------------------------------------------------------ */

enum { SIMULATION_FRAMES = 24 };

/* Where all bodies of a scene were at some steps, and how they were deformed. */
typedef struct simulation_record {
    const simulate_scene *scene;
    uint32_t frame_count;
    float (*placements)[12]; /* frame_count x the scene's bodies */
    float (*weights)[SIMULATE_MOST_FIELDS];
} simulation_record;

/* ---- the tables. Each returns false after printing an error --------------------------------- */

/* Table 1 of some things; with the bridge among them figure 6 too. */
bool simulation_models(simulation_output *output, const simulate_thing *things, uint32_t count);

/* Figure 6: radii of the 64 spheres of level 6, layered and by the paper's formulas, at rest and
 * where the animation deforms them most, by the radii at rest. body is of the paper's tree.
 */
bool simulation_radii(simulation_output *output, const simulate_kind *bridge, graze_body *body);

/* Steps of the scene, flexible and rigid, exact and with proxies, each moving on its own, and then
 * the motion of the first of them replayed.
 */
bool simulation_run(simulation_output *output);
bool simulation_replay(simulation_output *output, const simulation_record *record);

/* How deep a chair lies in the ground when it rests. */
bool simulation_rest(simulation_output *output);

/* Both commands: the machine, these things' models, `more` unless NULL, and the scene. */
int simulation_bench(const bench_options *options, simulate_scene_name scene,
                     const simulate_thing *things, uint32_t thing_count,
                     bool (*more)(simulation_output *output));

#endif
