/* What the files of the shell share. Private to the adapter. */
#ifndef GRAZEI_NUMERICS_SHELL_H
#define GRAZEI_NUMERICS_SHELL_H

#include "errors.h"

#include <graze/numerics.h>

#include <cholmod.h>

#define GRAZEI_SHELL_NONE UINT32_MAX

/* --- points.c: which vertices are one, and which hang together ------------------------------- */

typedef struct grazei_shell_points {
    uint32_t *of_vertex; /* the point of each vertex */
    uint32_t count;
    double (*at)[3];
    bool *held;
    uint32_t *piece; /* of each point; none: no triangle with area has it */
    uint32_t piece_count;
    uint32_t *triangles;      /* points of those with area, piece by piece */
    uint32_t *piece_triangle; /* where each piece's begin; one more than there are pieces */
    uint32_t triangle_count;
    uint32_t *number; /* none for every point: where assembling keeps its numbers */
} grazei_shell_points;

graze_status grazei_shell_find_points(const graze_shell_def *def, grazei_shell_points *points,
                                      graze_error *error);
void grazei_shell_free_points(grazei_shell_points *points);

/* Twice the area times the normal; the area. */
double grazei_shell_area(const double a[3], const double b[3], const double c[3], double normal[3]);

/* --- element.c ------------------------------------------------------------------------------ */

enum { GRAZEI_SHELL_DOFS = 6, GRAZEI_SHELL_ELEMENT_DOFS = 18 };

typedef double grazei_shell_matrix[GRAZEI_SHELL_ELEMENT_DOFS][GRAZEI_SHELL_ELEMENT_DOFS];

/* Stiffness of a triangle with area; of each corner x y z, then turns about x y z. */
void grazei_shell_element(const double *const corners[3], const graze_shell_def *material,
                          grazei_shell_matrix stiffness);

/* --- assemble.c: one piece as matrices -------------------------------------------------------- */

/* K - shift M of the free points of a piece: the lower half, by columns; M is diagonal. */
typedef struct grazei_shell_system {
    uint32_t *points; /* the free points */
    uint32_t free_count;
    uint32_t rigid_count;
    SuiteSparse_long size;    /* 6 x free_count */
    SuiteSparse_long *starts; /* of columns; one more than there are */
    SuiteSparse_long *rows;
    double *values;
    double *masses; /* of free points */
    double shift;   /* below 0 */
} grazei_shell_system;

graze_status grazei_shell_assemble(const graze_shell_def *def, const grazei_shell_points *points,
                                   uint32_t piece, grazei_shell_system *system, graze_error *error);
void grazei_shell_free_system(grazei_shell_system *system);

/* --- solve.c, solve_dense.c ------------------------------------------------------------------ */

/* The lowest eigenvalues of K x = value M x, ascending, and their vectors, size numbers each; both
 * have room for count of them. The dense way is for small systems, and a judge of the other.
 */
graze_status grazei_shell_solve(const grazei_shell_system *system, uint32_t count, double *values,
                                double *vectors, graze_error *error);
graze_status grazei_shell_solve_dense(const grazei_shell_system *system, uint32_t count,
                                      double *values, double *vectors, graze_error *error);

#endif
