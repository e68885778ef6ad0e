/* A centre of the weight vectors in the L1 norm, by steps of 1/(k+1) towards the farthest vector
 * (Badoiu & Clarkson's iteration for enclosing balls, 2003); the best one met is kept.
 */
#include "records/weights.h"

#include "base/assert.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

/* L1 distance of a vertex's weights from the centre, whose own sum is given. */
static double distance(const grazei_mesh *mesh, uint32_t vertex, const uint32_t *slot_of,
                       const double *centre, double centre_sum)
{
    double sum = centre_sum;
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1];
         i++) {
        double c = centre[slot_of[mesh->influences[i].joint]];
        sum += fabs(mesh->influences[i].weight - c) - c;
    }
    return sum;
}

static uint32_t farthest(const grazei_mesh *mesh, const uint32_t *vertices, uint32_t count,
                         const uint32_t *slot_of, const double *centre, uint32_t n, double *most)
{
    double sum = 0;
    uint32_t found = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += centre[k];
    *most = -1;
    for (uint32_t i = 0; i < count; i++) {
        double d = distance(mesh, vertices[i], slot_of, centre, sum);
        if (d > *most) {
            *most = d;
            found = vertices[i];
        }
    }
    return found;
}

static void step_towards(const grazei_mesh *mesh, uint32_t vertex, const uint32_t *slot_of,
                         double *centre, uint32_t n, double step)
{
    for (uint32_t k = 0; k < n; k++)
        centre[k] *= 1 - step;
    for (uint32_t i = mesh->influence_offsets[vertex]; i < mesh->influence_offsets[vertex + 1]; i++)
        centre[slot_of[mesh->influences[i].joint]] += step * mesh->influences[i].weight;
}

/* Spread of the weights around the stored floats of the centre. */
static void measure(grazei_weight_spread *result, const grazei_mesh *mesh, const uint32_t *vertices,
                    uint32_t count, const uint32_t *slot_of, uint32_t n, double *largest,
                    double *weights)
{
    double centre_sum = 0, total = 0, error = 0;
    for (uint32_t k = 0; k < n; k++) {
        centre_sum += result->centre[k];
        largest[k] = 0;
        weights[k] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = mesh->influence_offsets[vertices[i]];
        uint32_t end = mesh->influence_offsets[vertices[i] + 1];
        double own_sum = 0, own_total = 0;
        for (uint32_t j = first; j < end; j++)
            weights[slot_of[mesh->influences[j].joint]] = mesh->influences[j].weight;
        for (uint32_t k = 0; k < n; k++) {
            double d = fabs(weights[k] - result->centre[k]);
            own_sum += weights[k];
            own_total += d;
            largest[k] = fmax(largest[k], d);
            weights[k] = 0;
        }
        total = fmax(total, own_total);
        error = fmax(error, fmax(fabs(own_sum - 1), fabs(own_sum - centre_sum)));
    }
    for (uint32_t k = 0; k < n; k++)
        result->spread[k] = grazei_round_up(largest[k] * (1 + 0x1p-40));
    result->total = grazei_round_up(total * (1 + 0x1p-40));
    GRAZE_ASSERT(total >= 0 && error >= 0);
    result->error = grazei_round_up(error + 0x1p-45);
}

void grazei_spread_weights(grazei_weight_spread *result, const grazei_mesh *mesh,
                           const uint32_t *vertices, uint32_t count, const uint32_t *slot_of,
                           uint32_t n, double *scratch)
{
    double *centre = scratch, best = INFINITY;
    GRAZE_ASSERT(count > 0 && n > 0);
    memset(centre, 0, n * sizeof *centre);
    step_towards(mesh, vertices[0], slot_of, centre, n, 1);
    uint32_t steps = 4000 / count;
    steps = steps < 10 ? 10 : steps > 60 ? 60 : steps;
    for (uint32_t k = 1; k <= steps; k++) {
        double most;
        uint32_t vertex = farthest(mesh, vertices, count, slot_of, centre, n, &most);
        if (most < best) {
            best = most;
            for (uint32_t i = 0; i < n; i++)
                result->centre[i] = (float)centre[i];
        }
        if (most < 1e-7)
            break;
        step_towards(mesh, vertex, slot_of, centre, n, 1.0 / (k + 1));
    }
    measure(result, mesh, vertices, count, slot_of, n, scratch, scratch + n);
}
