/* Example poses for models that come without: joints turned about their pivots, at random but the
 * same every time.
 */
#include "records/examples.h"

#include <math.h>
#include <string.h>

static double next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 33) * 0x1p-30 - 1; /* [-1, 1) */
}

/* The mean of a joint's vertices, weighted most where it shares them with other joints. */
static void find_pivots(const grazei_mesh *mesh, double (*pivots)[4])
{
    memset(pivots, 0, mesh->joint_count * sizeof *pivots);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (uint32_t i = mesh->influence_offsets[v]; i < mesh->influence_offsets[v + 1]; i++) {
            double w = mesh->influences[i].weight, share = w * (1 - w) + 1e-6;
            double *pivot = pivots[mesh->influences[i].joint];
            for (uint32_t axis = 0; axis < 3; axis++)
                pivot[axis] += share * grazei_mesh_rest(mesh)[3 * (size_t)v + axis];
            pivot[3] += share;
        }
    for (uint32_t j = 0; j < mesh->joint_count; j++)
        for (int axis = 0; axis < 3 && pivots[j][3] > 0; axis++)
            pivots[j][axis] /= pivots[j][3];
}

/* Rotation by the vector's length about the vector, through the pivot, as three rows of four. */
static void make_rotation(const double vector[3], const double pivot[3], float rows[12])
{
    double angle = sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    double s = angle > 0 ? sin(angle) / angle : 1;
    double c = angle > 0 ? (1 - cos(angle)) / (angle * angle) : 0.5;
    for (int i = 0; i < 3; i++) {
        double row[3], moved = pivot[i];
        for (int k = 0; k < 3; k++)
            row[k] = c * vector[i] * vector[k] + (i == k ? 1 - c * angle * angle : 0);
        row[(i + 2) % 3] += s * vector[(i + 1) % 3];
        row[(i + 1) % 3] -= s * vector[(i + 2) % 3];
        for (int k = 0; k < 3; k++) {
            rows[4 * i + k] = (float)row[k];
            moved -= row[k] * pivot[k];
        }
        rows[4 * i + 3] = (float)moved;
    }
}

/* After the joint's map at rest. */
static void turn_rest(const float rest[12], float rows[12])
{
    float turn[12];
    memcpy(turn, rows, sizeof turn);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            rows[4 * i + k] = turn[4 * i] * rest[k] + turn[4 * i + 1] * rest[4 + k] +
                              turn[4 * i + 2] * rest[8 + k] + (k == 3 ? turn[4 * i + 3] : 0);
}

void grazei_make_up_poses(const grazei_mesh *mesh, uint32_t pose_count, float *poses,
                          double *scratch)
{
    double(*pivots)[4] = (double(*)[4])scratch;
    find_pivots(mesh, pivots);
    uint64_t state = 20050801;
    for (uint32_t p = 0; p < pose_count; p++)
        for (uint32_t j = 0; j < mesh->joint_count; j++) {
            double vector[3];
            for (int axis = 0; axis < 3; axis++)
                vector[axis] = 0.6 * next_random(&state);
            make_rotation(vector, pivots[j], poses);
            if (mesh->rest_matrices)
                turn_rest(mesh->rest_matrices + 12 * (size_t)j, poses);
            poses += 12;
        }
}
