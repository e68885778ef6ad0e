/* A centre of the weight vectors in the L1 norm, by steps of 1/(k+1) towards the farthest vector
 * (Badoiu & Clarkson's iteration for enclosing balls, 2003); the best one met is kept. Weights
 * stand side by side in lanes, a row a joint. Of very many vectors some are looked at, and all
 * measured.
 */
#include "records/weights.h"

#include "base/assert.h"
#include "base/memory.h"
#include "math/f4.h"
#include "math/rounding.h"

#include <math.h>
#include <string.h>

/* As many vectors are searched at most, or fewer than twice as many. */
#define MOST_SEARCHED 4096

typedef struct search {
    float *rows; /* n of them, and one of sums */
    size_t stride;
    uint32_t count, n;
} search;

/* Lays out the weights; what is left of the last lanes is the first vertex again. */
static bool fill_rows(search *s, grazei_weight_room *room, const grazei_mesh *mesh,
                      const uint32_t *vertices, uint32_t count, const uint32_t *slot_of)
{
    uint32_t step = count / MOST_SEARCHED + (count < MOST_SEARCHED);
    s->count = (count + step - 1) / step;
    s->stride = (s->count + 3) & ~(size_t)3;
    size_t size = ((size_t)s->n + 1) * s->stride;
    float *rows =
        grazei_grow(room->allocator, room->rows, &room->capacity, size, sizeof *room->rows);
    if (!rows)
        return false;
    s->rows = room->rows = rows;
    memset(rows, 0, size * sizeof *rows);
    for (size_t i = 0; i < s->stride; i++) {
        uint32_t v = vertices[i < s->count ? i * step : 0];
        for (uint32_t k = mesh->influence_offsets[v]; k < mesh->influence_offsets[v + 1]; k++)
            rows[slot_of[mesh->influences[k].joint] * s->stride + i] = mesh->influences[k].weight;
    }
    return true;
}

/* The vector farthest from the centre. */
static size_t farthest(const search *s, const float *centre, float *most)
{
    float *sums = s->rows + s->n * s->stride;
    f4 best = f4_all(-1);
    for (size_t v = 0; v < s->stride; v += 4) {
        f4 sum = f4_zero();
        for (uint32_t k = 0; k < s->n; k++)
            sum = sum + f4_abs(f4_load_any(s->rows + k * s->stride + v) - f4_all(centre[k]));
        memcpy(sums + v, &sum, sizeof sum);
        best = f4_max(best, sum);
    }
    *most = f4_max4(best);
    size_t found = 0;
    while (sums[found] < *most)
        found++;
    return found;
}

static void find_centre(const search *s, float *found)
{
    float centre[GRAZEI_MAX_WEIGHTS], best = INFINITY;
    GRAZE_ASSERT(s->n <= GRAZEI_MAX_WEIGHTS);
    for (uint32_t k = 0; k < s->n; k++)
        centre[k] = s->rows[k * s->stride];
    uint32_t steps = 4000 / s->count;
    steps = steps < 10 ? 10 : steps > 60 ? 60 : steps;
    for (uint32_t i = 1; i <= steps; i++) {
        float most, step = 1.0f / (float)(i + 1);
        size_t v = farthest(s, centre, &most);
        if (most < best) {
            best = most;
            memcpy(found, centre, s->n * sizeof *centre);
        }
        if (most < 1e-7f)
            break;
        for (uint32_t k = 0; k < s->n; k++)
            centre[k] = centre[k] * (1 - step) + step * s->rows[k * s->stride + v];
    }
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Spread of the weights around the stored floats of the centre. */
static void measure(grazei_weight_spread *result, const grazei_mesh *mesh, const uint32_t *vertices,
                    uint32_t count, const uint32_t *slot_of, uint32_t n)
{
    double largest[GRAZEI_MAX_WEIGHTS] = {0}, weights[GRAZEI_MAX_WEIGHTS] = {0};
    double centre_sum = 0, total = 0, error = 0;
    for (uint32_t k = 0; k < n; k++)
        centre_sum += result->centre[k];
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
            largest[k] = larger(largest[k], d);
            weights[k] = 0;
        }
        total = larger(total, own_total);
        error = larger(error, larger(fabs(own_sum - 1), fabs(own_sum - centre_sum)));
    }
    for (uint32_t k = 0; k < n; k++)
        result->spread[k] = grazei_round_up(largest[k] * (1 + 0x1p-40));
    result->total = grazei_round_up(total * (1 + 0x1p-40));
    GRAZE_ASSERT(total >= 0 && error >= 0);
    result->error = grazei_round_up(error + 0x1p-45);
}

bool grazei_spread_weights(grazei_weight_spread *result, grazei_weight_room *room,
                           const grazei_mesh *mesh, const uint32_t *vertices, uint32_t count,
                           const uint32_t *slot_of, uint32_t n)
{
    search s = {.n = n};
    GRAZE_ASSERT(count > 0 && n > 0);
    if (!fill_rows(&s, room, mesh, vertices, count, slot_of))
        return false;
    find_centre(&s, result->centre);
    measure(result, mesh, vertices, count, slot_of, n);
    return true;
}
