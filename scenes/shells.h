/* Closed shells of any fineness: a profile turned about an axis. */
#ifndef GRAZE_SCENES_SHELLS_H
#define GRAZE_SCENES_SHELLS_H

#include "scenes/lattice.h"

typedef enum grazei_synth_shell_kind {
    GRAZEI_SYNTH_BALL_SHELL, /* radius */
    GRAZEI_SYNTH_ROD,        /* a cylinder: radius, half its length */
    GRAZEI_SYNTH_BOLT,       /* the same with six sides */
    GRAZEI_SYNTH_PLATE,      /* a box: radius by width, half its thickness along the axis */
    GRAZEI_SYNTH_PIPE,       /* a cylinder with a bore: wall */
    GRAZEI_SYNTH_RING        /* a torus: radius, and wall for that of its tube */
} grazei_synth_shell_kind;

typedef struct grazei_synth_shell {
    grazei_synth_shell_kind kind;
    uint32_t joint; /* that it belongs to */
    grazei_vec centre;
    grazei_vec axis; /* unit */
    grazei_vec side; /* unit, at right angles to it: along the width of a plate */
    double radius;   /* to the outside; of a plate half its length */
    double width;    /* of a plate, half of it */
    double half;     /* half the length along the axis */
    double wall;     /* thickness */
} grazei_synth_shell;

/* Meshes all shells with about so many triangles together, larger ones finer, arrays from the pool;
 * mesh->joints says whose they are. A shell has at least 6 to 24 triangles. False when out of
 * memory.
 */
bool grazei_synth_mesh_shells(const grazei_synth_shell *shells, uint32_t count, uint32_t triangles,
                              grazei_synth_pool *pool, grazei_synth_mesh *mesh);

#endif
