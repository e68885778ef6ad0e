/* What a table made in the rest pose needs where that is not every joint at the identity: maps that
 * undo it, and how far they are off. docs/folds.md, "The rest pose", has the proof.
 */
#include "folds/build.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/rounding.h"
#include "mesh/rest.h"

#include <math.h>

/* The inverse of an affine map; not a number where it has none. */
static void invert(const float a[12], double out[12])
{
    double cofactors[3][3], determinant = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int p = (i + 1) % 3, q = (i + 2) % 3, s = (k + 1) % 3, t = (k + 2) % 3;
            cofactors[i][k] =
                (double)a[4 * p + s] * a[4 * q + t] - (double)a[4 * p + t] * a[4 * q + s];
        }
    for (int k = 0; k < 3; k++)
        determinant += (double)a[k] * cofactors[0][k];
    for (int i = 0; i < 3; i++) {
        out[4 * i + 3] = 0;
        for (int k = 0; k < 3; k++) {
            out[4 * i + k] = determinant != 0 ? cofactors[k][i] / determinant : (double)NAN;
            out[4 * i + 3] -= out[4 * i + k] * (double)a[4 * k + 3];
        }
    }
}

static double map_point(const double rows[12], const double point[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = rows[4 * i] * point[0] + rows[4 * i + 1] * point[1] + rows[4 * i + 2] * point[2] +
                 rows[4 * i + 3];
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

void grazei_rest_image(const grazei_mesh *mesh, uint32_t joint, const float position[3],
                       double out[3])
{
    double rows[12];
    const double point[3] = {(double)position[0], (double)position[1], (double)position[2]};
    for (int i = 0; i < 12; i++)
        rows[i] = (double)mesh->rest_matrices[12 * (size_t)joint + (size_t)i];
    map_point(rows, point, out);
}

static double length_between(const double a[3], const double b[3])
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(square);
}

/* Raises how far the joint's images of a vertex are undone wrongly, and what its images reach. */
static void measure_influence(grazei_fold_rest *rest, const grazei_mesh *mesh,
                              graze_influence influence, const float position[3], double mean[3])
{
    double image[3], back[3];
    const double from[3] = {(double)position[0], (double)position[1], (double)position[2]};
    grazei_rest_image(mesh, influence.joint, position, image);
    const double origin[3] = {0, 0, 0};
    map_point(rest->undo[influence.joint], image, back);
    double off = length_between(from, back);
    if (!(off <= rest->losses[influence.joint])) /* also where it is not a number */
        rest->losses[influence.joint] = off;
    rest->reach = grazei_higher(rest->reach, length_between(image, origin));
    for (int k = 0; k < 3; k++)
        mean[k] += (double)influence.weight * image[k];
}

static void measure_vertex(grazei_fold_rest *rest, const grazei_mesh *mesh, uint32_t v)
{
    const float *at = mesh->rest_positions + 3 * (size_t)v;
    const double place[3] = {(double)at[0], (double)at[1], (double)at[2]}, origin[3] = {0, 0, 0};
    uint32_t first = mesh->influence_offsets[v], end = mesh->influence_offsets[v + 1];
    GRAZE_ASSERT(first < end);
    float position[3];
    double mean[3] = {0, 0, 0};
    grazei_rest_morphed(mesh, v, position);
    for (uint32_t i = first; i < end; i++)
        measure_influence(rest, mesh, mesh->influences[i], position, mean);
    double off = length_between(place, mean);
    rest->reach = grazei_higher(rest->reach, length_between(place, origin));
    rest->off[1] = grazei_higher(rest->off[1], off);
    if (end == first + 1)
        rest->off[0] = grazei_higher(rest->off[0], off);
}

/* What double loses of all this is far below 1e-13 of the largest number in it. */
static void add_losses(grazei_fold_rest *rest, uint32_t joint_count)
{
    for (uint32_t j = 0; j < joint_count; j++) {
        const double *rows = rest->undo[j];
        double size = 0;
        for (int i = 0; i < 12; i++)
            size += fabs(rows[i]) * (i % 4 == 3 ? 1 : rest->reach);
        rest->losses[j] = (rest->losses[j] + 1e-13 * size) * (1 + 1e-9);
    }
    for (int i = 0; i < 2; i++)
        rest->off[i] = (rest->off[i] + 1e-13 * rest->reach) * (1 + 1e-9);
    rest->reach *= 1 + 1e-9;
}

bool grazei_folds_find_rest(grazei_fold_rest *rest, const grazei_mesh *mesh,
                            const graze_allocator *allocator)
{
    if (!mesh->rest_positions)
        return true;
    rest->undo = grazei_allocate(allocator, mesh->joint_count, sizeof *rest->undo);
    rest->losses = GRAZEI_ALLOCATE_ZERO(allocator, mesh->joint_count, double);
    if (!rest->undo || !rest->losses)
        return false;
    GRAZE_ASSERT(!rest->joint_count);
    rest->joint_count = mesh->joint_count;
    for (uint32_t j = 0; j < mesh->joint_count; j++)
        invert(mesh->rest_matrices + 12 * (size_t)j, rest->undo[j]);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        measure_vertex(rest, mesh, v);
    add_losses(rest, mesh->joint_count);
    return true;
}

/* ---- in a pose ------------------------------------------------------------------------------ */

static double length_of_column(const f4 c)
{
    return sqrt((double)c[0] * c[0] + (double)c[1] * c[1] + (double)c[2] * c[2]);
}

static f4_map multiply(const f4_map *map, const double undo[12])
{
    f4_map out;
    for (int k = 0; k < 4; k++) {
        float rows[3];
        for (int i = 0; i < 3; i++)
            rows[i] =
                (float)((double)map->c[0][i] * undo[k] + (double)map->c[1][i] * undo[4 + k] +
                        (double)map->c[2][i] * undo[8 + k] + (k == 3 ? (double)map->c[3][i] : 0));
        out.c[k] = f4_set(rows[0], rows[1], rows[2], 0);
    }
    return out;
}

grazei_fold_rest_loss grazei_fold_rest_pose(const grazei_fold_rest *rest, bool linear,
                                            float weight_error, f4_map *maps)
{
    double more = 0, magnitude = 0;
    for (uint32_t j = 0; j < rest->joint_count; j++) {
        f4_map given = maps[j], *map = &maps[j];
        *map = multiply(&given, rest->undo[j]);
        double size = 0, stretch = 0;
        for (int k = 0; k < 3; k++) {
            size += length_of_column(given.c[k]);
            stretch += length_of_column(map->c[k]);
        }
        double reach = stretch * rest->reach + length_of_column(map->c[3]);
        double loss = size * rest->losses[j] + 0x1p-22 * reach +
                      0x1p-40 * length_of_column(given.c[3]) + stretch * rest->off[linear] +
                      (double)weight_error * reach;
        /* A joint without an inverse is never certified, and is passed by here. */
        more = loss > more ? loss : more;
        magnitude = reach > magnitude ? reach : magnitude;
    }
    return (grazei_fold_rest_loss){grazei_round_up(2 * more * (1 + 1e-5)),
                                   grazei_round_up(magnitude * (1 + 1e-5))};
}
