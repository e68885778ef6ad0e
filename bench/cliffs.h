/* bench cliffs: inputs that once took absurdly long, each beside the ordinary case of its size.
 *
 * A row is a pair of functions. To add one, write them in bench/cliffs_NAME.c, put the row into the
 * group of that file, and name a new group in bench/cliffs.c.
 */
#ifndef GRAZE_BENCH_CLIFFS_H
#define GRAZE_BENCH_CLIFFS_H

#include <graze/graze.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cliff_side {
    CLIFF_HARD,    /* what the row is about */
    CLIFF_ORDINARY /* the same question, as much input, nothing special about it */
} cliff_side;

/* One row of the table. Every measurement is made in a process of its own, so that one that runs
 * past the limit can be ended and its memory is known: nothing has to be freed.
 */
typedef struct cliff {
    const char *name;     /* question, then input: "distance, parallel grids" */
    const char *ordinary; /* what the other side is: "grids at an angle" */
    const char *unit;     /* of the size: "triangles" */
    uint32_t size;        /* that is measured; growth is what came on top of half of it */

    /* Everything before the question: not measured, never NULL on success. NULL: out of memory or
     * refused, and the row says so.
     */
    void *(*make)(uint32_t size, cliff_side side);

    /* Asks once, cold: starts from the pose (or builds). Runs several times where it is quick.
     * False if the library refuses. answers gets how much came out: pairs, contacts, 1 for a
     * distance.
     */
    bool (*run)(void *state, size_t *answers);

    const char *note; /* what is inherent in it, printed below; NULL: nothing */
} cliff;

typedef struct cliff_group {
    const cliff *rows;
    uint32_t count;
} cliff_group;

extern const cliff_group cliffs_build;    /* building models */
extern const cliff_group cliffs_pairs;    /* first hits and contacts */
extern const cliff_group cliffs_distance; /* distances */
extern const cliff_group cliffs_sweep;    /* sweeps, of pairs and of a body with itself */

/* ---- what rows share: rigid meshes put together by hand ---------------------------------- */

typedef struct cliff_mesh {
    float *positions;
    uint32_t *triangles;
    uint32_t vertex_count, vertex_room;
    uint32_t triangle_count, triangle_room;
    bool failed; /* out of memory: cliff_build_model says so */
} cliff_mesh;

/* The new vertex's number. */
uint32_t cliff_add_vertex(cliff_mesh *mesh, double x, double y, double z);
void cliff_add_triangle(cliff_mesh *mesh, uint32_t a, uint32_t b, uint32_t c);

/* columns x rows squares of two triangles each: from corner along u and v. */
void cliff_add_grid(cliff_mesh *mesh, uint32_t columns, uint32_t rows, const double corner[3],
                    const double u[3], const double v[3]);

/* A closed sphere of bands x 2 bands squares (triangles at the poles). */
void cliff_add_sphere(cliff_mesh *mesh, uint32_t bands, double radius, const double centre[3]);

/* The def of a mesh that one joint moves; arrays stay the mesh's. */
graze_model_def cliff_get_def(const cliff_mesh *mesh);

/* NULL after a failure, which is printed. */
graze_model *cliff_build_model(const cliff_mesh *mesh, bool self_collision);

/* One or two bodies, as states often are. Placements are those of the pose. */
typedef struct cliff_bodies {
    graze_body *bodies[2]; /* the second may be NULL */
    float placements[2][12];
} cliff_bodies;

/* Two bodies of the meshes (b NULL: one), standing as they were made. NULL after a failure, which
 * is printed.
 */
cliff_bodies *cliff_make_bodies(const cliff_mesh *a, const cliff_mesh *b);

/* Poses them anew, so that nothing is left of the question before. */
void cliff_pose_bodies(cliff_bodies *made);

#endif
