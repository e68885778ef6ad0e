/* Displacement fields for people who have meshes and clips: vibration modes of a thin shell, and
 * principal components of animated vertices. Both are made once, beforehand; a graze_model takes
 * either as morph targets.
 *
 * An adapter on ARPACK, CHOLMOD and LAPACK (graze::numerics), in a build that found them. Work
 * memory is the C library's; what is returned comes from the def's allocator. ARPACK keeps state of
 * its own: a process makes one call of graze_shell_create_modes at a time.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_NUMERICS_H
#define GRAZE_NUMERICS_H

#include <graze/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- vibration modes ------------------------------------------------------------------------ */

/* A surface of one thickness and one material. Units are SI: metres, pascals, kilograms. */
typedef struct graze_shell_def {
    const graze_allocator *allocator; /* NULL: the default one */
    const float *positions;           /* 3 floats per vertex: the middle of the sheet at rest */
    uint32_t vertex_count;
    const uint32_t *triangles; /* 3 indices per triangle */
    uint32_t triangle_count;
    const bool *held;    /* one per vertex: it neither moves nor turns; NULL: none is */
    double thickness;    /* 0: 1 mm */
    double young;        /* Young's modulus; 0: 210 GPa, steel */
    double poisson;      /* Poisson's ratio, below 0.5; 0: 0.3, steel */
    bool no_contraction; /* true: Poisson's ratio is 0, whatever poisson says */
    double density;      /* 0: 7850, steel */
    uint32_t mode_count; /* that are wanted, without the rigid ones; 0: 10 */
    uintptr_t reserved[4];
} graze_shell_def;

/* All arrays are from the allocator and go with graze_shell_modes_destroy. */
typedef struct graze_shell_modes {
    graze_allocator allocator;
    uint32_t vertex_count, mode_count;
    double *frequencies;     /* Hz, ascending; rigid modes are left out */
    double *shapes;          /* mode_count x vertex_count x 3: displacements, metres a root of kg */
    double *masses;          /* kg a vertex: a third of each of its triangles */
    double mass;             /* kg, of all */
    uint32_t piece_count;    /* that hang together by positions; each vibrates for itself */
    uint32_t rigid_count;    /* modes left out: 6 for each piece without a vertex that is held */
    double rigid_frequency;  /* the highest that one of those came out with, Hz; 0 without */
    double orthonormality;   /* how far shapes are from it: the largest error in a product */
    uint32_t point_count;    /* different positions: vertices at one position move as one */
    uint32_t held_count;     /* of those, held */
    uint32_t flat_triangles; /* left out: lower than a millionth of their longest side */
    uint32_t loose_vertices; /* in no other triangle: they do not move */
} graze_shell_modes;

/* The lowest vibration modes of a thin shell: DKT triangles for bending, constant strain for
 * stretching, mass lumped at the vertices (translations alone; thin sheets have next to no rotary
 * inertia). In every sum over vertices of mass x shape i . shape j the modes are orthonormal to
 * 1e-6 (orthonormality says how far); of a shape the largest component is positive. Approximate:
 * frequencies near those of the surface as the mesh gets finer (docs/motion.md has figures).
 *
 *   - At least 1 triangle with area, 1 mode, and no more modes than the free vertices have.
 *   - Positions are finite; triangles refer to vertices that are there.
 *   - Thickness, Young's modulus and density are finite and not negative.
 *   - Some vertex is free.
 * GRAZE_BAD_INPUT names what of it does not hold. GRAZE_UNSUPPORTED: a sheet so thin that doubles
 * cannot tell bending from standing still, or more modes than ARPACK can find of so small a mesh.
 */
GRAZE_EXPERIMENTAL graze_status graze_shell_create_modes(const graze_shell_def *def,
                                                         graze_shell_modes **modes,
                                                         graze_error *error);

/* NULL is fine. */
GRAZE_EXPERIMENTAL void graze_shell_modes_destroy(graze_shell_modes *modes);

/* ---- principal components -------------------------------------------------------------------- */

/* Positions of the same vertices, frame after frame. */
typedef struct graze_frames_def {
    const graze_allocator *allocator; /* NULL: the default one */
    const float *positions;           /* frame_count x vertex_count x 3 */
    uint32_t frame_count, vertex_count;
    uint32_t component_count; /* at most */
} graze_frames_def;

/* Frame f has vertex v near rotation f of (mean v + sum over c of weight f c x component c v) +
 * translation f. All arrays are from the allocator and go with graze_components_destroy.
 */
typedef struct graze_components {
    graze_allocator allocator;
    uint32_t frame_count, vertex_count;
    uint32_t component_count; /* fewer than wanted if the rest would not move a float */
    double *rotations;        /* a quaternion x y z w a frame, each on the side of the one before */
    double *translations;     /* 3 a frame */
    double *mean;             /* vertex_count x 3, around the origin, turned as frame 0 is */
    double *components;       /* component_count x vertex_count x 3, orthonormal */
    double *weights;          /* frame_count x component_count */
    double *singular_values;  /* descending, of what rigid motion and mean leave */
    uint32_t singular_count;  /* the lesser of frame_count and 3 x vertex_count */
} graze_components;

/* Takes the best rigid motion out of every frame (the one that brings its vertices nearest to the
 * mean of all frames, each vertex counting as much) and finds the principal components of the rest.
 * With the first n components the sum of squared distances over all vertices and frames is that of
 * the squared singular values from n on, and with so many fields of any kind it cannot be less. In
 * doubles; approximate as they are.
 *
 *   - At least 1 frame, 1 vertex and 1 component; finite positions.
 *   - frame_count x vertex_count x 3 is below 2^31.
 * GRAZE_BAD_INPUT names what of it does not hold.
 */
GRAZE_EXPERIMENTAL graze_status graze_frames_create_components(const graze_frames_def *def,
                                                               graze_components **components,
                                                               graze_error *error);

/* NULL is fine. */
GRAZE_EXPERIMENTAL void graze_components_destroy(graze_components *components);

#ifdef __cplusplus
}
#endif

#endif
