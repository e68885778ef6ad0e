/* All modes of a small system by LAPACK: M x = u (K - shift M) x, whose largest u are the lowest
 * modes, the matrix on the right being positive definite.
 */
#include "shell.h"

#include <lapacke.h>

#include <stdlib.h>
#include <string.h>

enum { DOFS = GRAZEI_SHELL_DOFS };

static void fill(const grazei_shell_system *system, double *mass, double *matrix)
{
    size_t size = (size_t)system->size;
    for (size_t c = 0; c < size; c++)
        for (SuiteSparse_long i = system->starts[c]; i < system->starts[c + 1]; i++)
            matrix[c * size + (size_t)system->rows[i]] = system->values[i];
    for (size_t i = 0; i < size; i++)
        mass[i * size + i] = i % DOFS < 3 ? system->masses[i / DOFS] : 0;
}

graze_status grazei_shell_solve_dense(const grazei_shell_system *system, uint32_t count,
                                      double *values, double *vectors, graze_error *error)
{
    size_t size = (size_t)system->size;
    double *mass = calloc(size * size, sizeof *mass), *matrix = calloc(size * size, sizeof *matrix);
    double *found = malloc(size * sizeof *found);
    graze_status status = GRAZE_OK;
    if (!mass || !matrix || !found) {
        status = grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    } else {
        lapack_int n = (lapack_int)size;
        fill(system, mass, matrix);
        if (LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', n, mass, n, matrix, n, found))
            status = grazei_numerics_fail(error, GRAZE_UNSUPPORTED,
                                          "too thin for its size: doubles cannot tell its bending "
                                          "from standing still");
    }
    for (uint32_t i = 0; i < count && status == GRAZE_OK; i++) {
        size_t from = size - 1 - i; /* ascending u is descending frequency */
        values[i] = system->shift + 1 / found[from];
        memcpy(vectors + i * size, mass + from * size, size * sizeof *vectors);
    }
    free(mass);
    free(matrix);
    free(found);
    return status;
}
