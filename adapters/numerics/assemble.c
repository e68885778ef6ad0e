/* One piece of the shell as a sparse matrix of blocks of 6 x 6, the lower half by columns. */
#include "shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DOFS = GRAZEI_SHELL_DOFS };

/* The blocks below the diagonal: pairs of free points, the first the lesser, sorted. */
typedef struct block_list {
    uint64_t *keys; /* column in the upper half, row in the lower */
    size_t count;
    size_t *starts; /* of each column's blocks; one more than there are columns */
} block_list;

typedef struct assembly {
    const graze_shell_def *def;
    const grazei_shell_points *points;
    const uint32_t *triangles; /* of the piece */
    uint32_t triangle_count;
    uint32_t *number; /* of each point among the free ones of the piece, or none; the points' */
    block_list blocks;
    grazei_shell_system *system;
} assembly;

/* ---- which blocks there are ------------------------------------------------------------------ */

static void number_points(assembly *job)
{
    grazei_shell_system *system = job->system;
    bool held = false;
    for (size_t i = 0; i < (size_t)job->triangle_count * 3; i++) {
        uint32_t point = job->triangles[i];
        held = held || job->points->held[point];
        if (job->points->held[point] || job->number[point] != GRAZEI_SHELL_NONE)
            continue;
        job->number[point] = system->free_count;
        system->points[system->free_count++] = point;
    }
    system->rigid_count = held ? 0 : 6;
    system->size = (SuiteSparse_long)system->free_count * DOFS;
}

static int compare_keys(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void list_blocks(assembly *job)
{
    block_list *blocks = &job->blocks;
    size_t found = 0;
    for (size_t i = 0; i < (size_t)job->triangle_count * 3; i++) {
        size_t next = i % 3 == 2 ? i - 2 : i + 1;
        uint32_t a = job->number[job->triangles[i]], b = job->number[job->triangles[next]];
        if (a == GRAZEI_SHELL_NONE || b == GRAZEI_SHELL_NONE)
            continue;
        blocks->keys[found++] = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
    }
    qsort(blocks->keys, found, sizeof *blocks->keys, compare_keys);
    for (size_t i = 0; i < found; i++)
        if (i == 0 || blocks->keys[i] != blocks->keys[i - 1]) {
            blocks->keys[blocks->count++] = blocks->keys[i];
            blocks->starts[(blocks->keys[i] >> 32) + 1]++;
        }
    for (uint32_t c = 0; c < job->system->free_count; c++)
        blocks->starts[c + 1] += blocks->starts[c];
}

/* Rows of every column: its share of the diagonal block, then the blocks below. */
static void list_rows(assembly *job)
{
    grazei_shell_system *system = job->system;
    SuiteSparse_long place = 0;
    for (uint32_t column = 0; column < system->free_count; column++)
        for (int c = 0; c < DOFS; c++) {
            system->starts[(size_t)column * DOFS + c] = place;
            for (int r = c; r < DOFS; r++)
                system->rows[place++] = (SuiteSparse_long)column * DOFS + r;
            for (size_t b = job->blocks.starts[column]; b < job->blocks.starts[column + 1]; b++)
                for (int r = 0; r < DOFS; r++)
                    system->rows[place++] =
                        (SuiteSparse_long)(uint32_t)job->blocks.keys[b] * DOFS + r;
        }
    system->starts[system->size] = place;
}

/* ---- what is in them ------------------------------------------------------------------------- */

/* Where column c of a block begins; its rows follow. Of the diagonal block from row c on. */
static double *find_block(const assembly *job, uint32_t row, uint32_t column, int c)
{
    const block_list *blocks = &job->blocks;
    double *start = job->system->values + job->system->starts[(size_t)column * DOFS + c];
    if (row == column)
        return start - c;
    uint64_t key = (uint64_t)column << 32 | row;
    const uint64_t *found =
        bsearch(&key, blocks->keys + blocks->starts[column],
                blocks->starts[column + 1] - blocks->starts[column], sizeof key, compare_keys);
    return start + (DOFS - c) + (size_t)(found - blocks->keys - blocks->starts[column]) * DOFS;
}

static void add_element(assembly *job, const uint32_t corners[3],
                        const grazei_shell_matrix stiffness)
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            uint32_t row = job->number[corners[a]], column = job->number[corners[b]];
            if (row == GRAZEI_SHELL_NONE || column == GRAZEI_SHELL_NONE || row < column)
                continue;
            for (int c = 0; c < DOFS; c++) {
                double *place = find_block(job, row, column, c);
                for (int r = row == column ? c : 0; r < DOFS; r++)
                    place[r] += stiffness[a * DOFS + r][b * DOFS + c];
            }
        }
}

static void add_elements(assembly *job)
{
    const graze_shell_def *def = job->def;
    for (uint32_t t = 0; t < job->triangle_count; t++) {
        const uint32_t *points = job->triangles + (size_t)t * 3;
        const double *corners[3];
        grazei_shell_matrix stiffness;
        double normal[3];
        for (int c = 0; c < 3; c++)
            corners[c] = job->points->at[points[c]];
        double area = grazei_shell_area(corners[0], corners[1], corners[2], normal);
        grazei_shell_element(corners, def, stiffness);
        add_element(job, points, stiffness);
        for (int c = 0; c < 3; c++)
            if (job->number[points[c]] != GRAZEI_SHELL_NONE)
                job->system->masses[job->number[points[c]]] +=
                    def->density * def->thickness * area / 3;
    }
}

/* Minus the lowest eigenvalue that a strip as long as the piece might have: near enough to 0 that
 * the lowest modes come first, far enough that a free piece has a matrix to divide by.
 */
static void subtract_shift(assembly *job)
{
    const graze_shell_def *def = job->def;
    grazei_shell_system *system = job->system;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double length2 = 0;
    for (size_t i = 0; i < (size_t)job->triangle_count * 3; i++)
        for (int k = 0; k < 3; k++) {
            double x = job->points->at[job->triangles[i]][k];
            low[k] = x < low[k] ? x : low[k];
            high[k] = x > high[k] ? x : high[k];
        }
    for (int k = 0; k < 3; k++)
        length2 += (high[k] - low[k]) * (high[k] - low[k]);
    double bending = def->young * def->thickness * def->thickness /
                     (12 * (1 - def->poisson * def->poisson) * def->density);
    double wave2 = acos(-1) * acos(-1) / length2;
    system->shift = -bending * wave2 * wave2;
    for (uint32_t p = 0; p < system->free_count; p++)
        for (int k = 0; k < 3; k++)
            system->values[system->starts[(size_t)p * DOFS + k]] -=
                system->shift * system->masses[p];
}

static bool allocate_lists(assembly *job)
{
    size_t corners = (size_t)job->triangle_count * 3;
    job->blocks.keys = malloc(corners * sizeof *job->blocks.keys);
    job->blocks.starts = calloc(corners + 1, sizeof *job->blocks.starts);
    job->system->points = malloc(corners * sizeof *job->system->points);
    return job->blocks.keys && job->blocks.starts && job->system->points;
}

static bool allocate_system(assembly *job)
{
    grazei_shell_system *system = job->system;
    size_t size = (size_t)system->size;
    size_t filled =
        (size_t)system->free_count * (DOFS * (DOFS + 1) / 2) + job->blocks.count * (DOFS * DOFS);
    system->starts = malloc((size + 1) * sizeof *system->starts);
    system->rows = malloc((filled + 1) * sizeof *system->rows);
    system->values = calloc(filled + 1, sizeof *system->values);
    system->masses = calloc((size_t)system->free_count + 1, sizeof *system->masses);
    return system->starts && system->rows && system->values && system->masses;
}

graze_status grazei_shell_assemble(const graze_shell_def *def, const grazei_shell_points *points,
                                   uint32_t piece, grazei_shell_system *system, graze_error *error)
{
    uint32_t first = points->piece_triangle[piece];
    assembly job = {.def = def,
                    .points = points,
                    .triangles = points->triangles + (size_t)first * 3,
                    .triangle_count = points->piece_triangle[piece + 1] - first,
                    .number = points->number,
                    .system = system};
    *system = (grazei_shell_system){.free_count = 0};
    bool done = allocate_lists(&job);
    if (done) {
        number_points(&job);
        list_blocks(&job);
        done = allocate_system(&job);
    }
    if (done) {
        list_rows(&job);
        add_elements(&job);
        subtract_shift(&job);
    }
    for (uint32_t p = 0; p < system->free_count; p++)
        points->number[system->points[p]] = GRAZEI_SHELL_NONE;
    free(job.blocks.keys);
    free(job.blocks.starts);
    return done ? GRAZE_OK : grazei_numerics_fail(error, GRAZE_OUT_OF_MEMORY, "out of memory");
}

void grazei_shell_free_system(grazei_shell_system *system)
{
    free(system->points);
    free(system->starts);
    free(system->rows);
    free(system->values);
    free(system->masses);
}
