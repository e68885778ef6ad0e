/* bench cliffs: inputs that once took absurdly long, each beside the ordinary case of its size.
 *
 * A row is a pair of functions. To add one, write them in bench/cliffs_NAME.c, put the row into the
 * group of that file, and name a new group in bench/cliffs.c.
 */
#ifndef GRAZE_BENCH_CLIFFS_H
#define GRAZE_BENCH_CLIFFS_H

#include "bench/bench.h"

typedef enum cliff_side {
    CLIFF_HARD,    /* what the row is about */
    CLIFF_ORDINARY /* the same question, as much input, nothing special about it */
} cliff_side;

/* One row of the table. Every measurement is made in a process of its own, so that one that runs
 * past the limit can be ended and its memory is known: nothing has to be freed. Where memory is
 * short or the library refuses, that process ends, and the row says so.
 */
typedef struct cliff {
    const char *name;     /* question, then input: "distance, parallel grids" */
    const char *ordinary; /* what the other side is: "grids at an angle" */
    const char *unit;     /* of the size: "triangles" */
    uint32_t size;        /* that is measured; growth is what came on top of half of it */

    /* Everything before the question: not measured. */
    void *(*make)(uint32_t size, cliff_side side);

    /* Asks once, cold: starts from the pose (or builds). Runs several times where it is quick.
     * Returns how much came out: pairs, contacts, 1 for a distance.
     */
    size_t (*run)(void *state);

    const char *note; /* what is inherent in it, printed below; NULL: nothing */
} cliff;

typedef struct cliff_group {
    const cliff *rows;
    uint32_t count;
} cliff_group;

extern const cliff_group cliffs_build;    /* building models */
extern const cliff_group cliffs_pairs;    /* first hits and contacts */
extern const cliff_group cliffs_flat;     /* what lies in one plane */
extern const cliff_group cliffs_parts;    /* one vertex of very many triangles */
extern const cliff_group cliffs_distance; /* distances */
extern const cliff_group cliffs_sweep;    /* sweeps, of pairs and of a body with itself */

/* ---- one measurement --------------------------------------------------------------------- */

typedef struct cliff_outcome {
    enum {
        CLIFF_REFUSED, /* could not be made or asked */
        CLIFF_ENDED,
        CLIFF_LATE /* ended at the limit, while it was made or asked */
    } end;
    double seconds; /* of the processor, of the quickest run; the limit, if late */
    size_t answers;
    double bytes; /* the most that the process held */
} cliff_outcome;

/* Makes and asks one side of a row at a size. Making may take as long as the limit, too. */
cliff_outcome cliff_measure(const cliff *row, uint32_t size, cliff_side side);

/* ---- what rows share: rigid meshes put together by hand ---------------------------------- */

typedef struct cliff_mesh {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, vertex_room;
    uint32_t triangle_count, triangle_room;
} cliff_mesh;

/* The new vertex's number. */
uint32_t cliff_add_vertex(cliff_mesh *mesh, double x, double y, double z);
void cliff_add_triangle(cliff_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/* A triangle of vertices of its own. */
void cliff_add_corners(cliff_mesh *mesh, const double corners[3][3]);

/* columns x rows squares of two triangles each: from corner along u and v. */
void cliff_add_grid(cliff_mesh *mesh, uint32_t columns, uint32_t rows, const double corner[3],
                    const double u[3], const double v[3]);

/* A closed sphere of bands x 2 bands squares (triangles at the poles), about so many triangles. */
uint32_t cliff_bands(uint32_t triangles);
void cliff_add_sphere(cliff_mesh *mesh, uint32_t bands, double radius, const double centre[3]);

/* A flat cone: every triangle is a neighbour of every other. */
void cliff_add_fan(cliff_mesh *mesh, uint32_t size);

extern const double cliff_origin[3];

/* Numbers in [0, 1), the same on every machine. */
double cliff_random(uint32_t *seed);

/* The def of a mesh that one joint moves; arrays stay the mesh's. */
graze_model_def cliff_get_def(const cliff_mesh *mesh, bool self_collision);
graze_model *cliff_build_model(const cliff_mesh *mesh);

/* Builds a model of a def, as often as asked. */
size_t cliff_run_build(void *def);

/* One or two bodies, as states often are. Placements are those of the pose. */
typedef struct cliff_bodies {
    graze_body *bodies[2]; /* the second may be NULL */
    float placements[2][12];
    const float *joints; /* NULL: one, the identity */
    uint32_t joint_count;
} cliff_bodies;

/* Two bodies of the meshes (b NULL: one), standing as they were made. */
cliff_bodies *cliff_make_bodies(const cliff_mesh *a, const cliff_mesh *b);

/* Poses them anew, so that nothing is left of the question before. */
void cliff_pose_bodies(cliff_bodies *made);

/* Questions about cliff_bodies, each from the pose. */
size_t cliff_run_pairs(void *state);
size_t cliff_run_first(void *state);
size_t cliff_run_self(void *state);
size_t cliff_run_distance(void *state);

#endif
