/* The lowest modes of a sparse system: ARPACK's Lanczos method in shift-invert mode (Lehoucq,
 * Sorensen and Yang, "ARPACK Users' Guide", 1998), dividing by K - shift M with CHOLMOD.
 */
#include "shell.h"

#include <arpack/arpack.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = GRAZEI_SHELL_DOFS };

/* Systems of fewer unknowns are solved densely. */
enum { DENSE_BELOW = 360, DENSE_AT_MOST = 6000 };

/* How near to converged: the residual's share. Doubles give no more. */
#define TOLERANCE 1e-13

/* ---- dividing ----------------------------------------------------------------------------------
 */

typedef struct divider {
    cholmod_common common;
    cholmod_factor *factor;
    cholmod_dense *right, *result, *work[2];
} divider;

static void close_divider(divider *d)
{
    cholmod_l_free_factor(&d->factor, &d->common);
    cholmod_l_free_dense(&d->right, &d->common);
    cholmod_l_free_dense(&d->result, &d->common);
    cholmod_l_free_dense(&d->work[0], &d->common);
    cholmod_l_free_dense(&d->work[1], &d->common);
    cholmod_l_finish(&d->common);
}

static graze_status fail_factor(const divider *d, graze_error *error)
{
    if (d->common.status == CHOLMOD_OUT_OF_MEMORY || d->common.status == CHOLMOD_TOO_LARGE)
        return grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    return grazei_numerics_fail(error, GRAZE_UNSUPPORTED,
                                "too thin for its size: doubles cannot tell its bending from "
                                "standing still");
}

static graze_status open_divider(const grazei_shell_system *system, divider *d, graze_error *error)
{
    size_t size = (size_t)system->size;
    cholmod_sparse matrix = {.nrow = size,
                             .ncol = size,
                             .nzmax = (size_t)system->starts[size],
                             .p = system->starts,
                             .i = system->rows,
                             .x = system->values,
                             .stype = -1,
                             .itype = CHOLMOD_LONG,
                             .xtype = CHOLMOD_REAL,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
    memset(d, 0, sizeof *d);
    cholmod_l_start(&d->common);
    d->common.print = 0;
    d->common.quick_return_if_not_posdef = 1;
    d->factor = cholmod_l_analyze(&matrix, &d->common);
    if (!d->factor || !cholmod_l_factorize(&matrix, d->factor, &d->common) || d->common.status)
        return fail_factor(d, error);
    d->right = cholmod_l_allocate_dense(size, 1, size, CHOLMOD_REAL, &d->common);
    return d->right ? GRAZE_OK : fail_factor(d, error);
}

/* from and to may be one. */
static bool divide(divider *d, const double *from, double *to)
{
    size_t bytes = d->right->nrow * sizeof *from;
    memcpy(d->right->x, from, bytes);
    if (!cholmod_l_solve2(CHOLMOD_A, d->factor, d->right, NULL, &d->result, NULL, &d->work[0],
                          &d->work[1], &d->common))
        return false;
    memcpy(to, d->result->x, bytes);
    return true;
}

static void multiply_mass(const grazei_shell_system *system, const double *from, double *to)
{
    for (uint32_t p = 0; p < system->free_count; p++)
        for (int k = 0; k < DOFS; k++) {
            size_t i = (size_t)p * DOFS + k;
            to[i] = k < 3 ? system->masses[p] * from[i] : 0;
        }
}

/* ---- Lanczos -----------------------------------------------------------------------------------
 */

typedef struct lanczos {
    const grazei_shell_system *system;
    divider divider;
    a_int size, wanted, basis_size, work_size;
    double *residual, *basis, *work, *small_work;
    double *found; /* eigenvalues */
    a_int *select;
    a_int settings[11], places[14];
} lanczos;

static bool allocate(lanczos *job)
{
    size_t size = (size_t)job->size, basis = (size_t)job->basis_size;
    job->work_size = (a_int)(basis * (basis + 8));
    job->residual = calloc(size, sizeof *job->residual);
    job->basis = calloc(size * basis, sizeof *job->basis);
    job->work = calloc(3 * size, sizeof *job->work);
    job->small_work = calloc((size_t)job->work_size, sizeof *job->small_work);
    job->found = calloc(basis, sizeof *job->found);
    job->select = calloc(basis, sizeof *job->select);
    return job->residual && job->basis && job->work && job->small_work && job->found && job->select;
}

static void release(lanczos *job)
{
    free(job->residual);
    free(job->basis);
    free(job->work);
    free(job->small_work);
    free(job->found);
    free(job->select);
}

/* Does what ARPACK asks for until it asks for nothing; its own code of failure, or 1 of ours. */
static a_int iterate(lanczos *job)
{
    a_int ask = 0, info = 1; /* 1: it starts with what is in the residual */
    for (a_int i = 0; i < job->size; i++)
        job->residual[i] = 1 + (double)(i * 7919LL % 1009) / 1009;
    for (;;) {
        dsaupd_c(&ask, "G", job->size, "LM", job->wanted, TOLERANCE, job->residual, job->basis_size,
                 job->basis, job->size, job->settings, job->places, job->work, job->small_work,
                 job->work_size, &info);
        double *from = job->work + job->places[0] - 1, *to = job->work + job->places[1] - 1;
        if (ask == -1 || ask == 1) {
            const double *times_mass = job->work + job->places[2] - 1;
            if (ask == -1) {
                multiply_mass(job->system, from, to);
                times_mass = to;
            }
            if (!divide(&job->divider, times_mass, to))
                return 1;
        } else if (ask == 2) {
            multiply_mass(job->system, from, to);
        } else {
            return info;
        }
    }
}

/* Values and vectors, the lowest first. */
static void sort_out(const lanczos *job, double *values, double *vectors)
{
    for (a_int i = 0; i < job->wanted; i++) {
        a_int rank = 0;
        for (a_int k = 0; k < job->wanted; k++)
            rank += job->found[k] < job->found[i] || (job->found[k] == job->found[i] && k < i);
        values[rank] = job->found[i];
        memcpy(vectors + (size_t)rank * (size_t)job->size,
               job->basis + (size_t)i * (size_t)job->size, (size_t)job->size * sizeof *vectors);
    }
}

static graze_status run(lanczos *job, double *values, double *vectors, graze_error *error)
{
    enum { EXACT_SHIFTS = 1, MOST_ROUNDS = 1000, SHIFT_INVERT = 3 };
    if (!allocate(job))
        return grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
    job->settings[0] = EXACT_SHIFTS;
    job->settings[2] = MOST_ROUNDS;
    job->settings[6] = SHIFT_INVERT;
    a_int info = iterate(job);
    if (info == 0)
        dseupd_c(1, "A", job->select, job->found, job->basis, job->size, job->system->shift, "G",
                 job->size, "LM", job->wanted, TOLERANCE, job->residual, job->basis_size,
                 job->basis, job->size, job->settings, job->places, job->work, job->small_work,
                 job->work_size, &info);
    if (info != 0 || job->settings[4] < job->wanted)
        return grazei_numerics_fail(error, GRAZE_UNSUPPORTED,
                                    "ARPACK found %d of %d modes and ended with code %d",
                                    (int)job->settings[4], (int)job->wanted, (int)info);
    sort_out(job, values, vectors);
    return GRAZE_OK;
}

graze_status grazei_shell_solve(const grazei_shell_system *system, uint32_t count, double *values,
                                double *vectors, graze_error *error)
{
    uint32_t basis = count + (count > 20 ? count : 20); /* twice as many converge quickly */
    if (system->size < DENSE_BELOW || basis > system->free_count * 3) {
        if (system->size > DENSE_AT_MOST)
            return grazei_numerics_fail(error, GRAZE_UNSUPPORTED,
                                        "too many modes for a piece of %u free points",
                                        system->free_count);
        return grazei_shell_solve_dense(system, count, values, vectors, error);
    }
    if (system->size > INT_MAX / 4)
        return grazei_numerics_fail(error, GRAZE_UNSUPPORTED, "too many vertices");
    lanczos job = {.system = system,
                   .size = (a_int)system->size,
                   .wanted = (a_int)count,
                   .basis_size = (a_int)basis};
    graze_status status = open_divider(system, &job.divider, error);
    if (status == GRAZE_OK)
        status = run(&job, values, vectors, error);
    release(&job);
    close_divider(&job.divider);
    return status;
}
