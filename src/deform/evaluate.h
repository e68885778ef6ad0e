/* Bounding a node from its record: linear blending's bound, which the other deformers widen.
 * Included by *_kernels.c only. docs/bounds.md has the formulas and proofs.
 */
#ifndef GRAZEI_DEFORM_EVALUATE_H
#define GRAZEI_DEFORM_EVALUATE_H

#include "deform/skin.h"
#include "math/rounding.h"

/* A bound before rounding and placement are counted in: low and high corner of a box, or centre and
 * (in the first lane of b) radius of a sphere.
 */
typedef struct grazei_rough {
    f4 a, b;
} grazei_rough;

static inline grazei_rough rough_box_hull(const grazei_joints *joints, const grazei_record *record,
                                          const float (*rows)[4], const grazei_morph_move *move)
{
    grazei_rough rough = {f4_all(INFINITY), f4_all(-INFINITY)};
    for (uint32_t k = 0; k < record->joints; k++, rows += 2) {
        const f4_map *map = &joints->maps[f4_bits(rows[0][3])];
        f4 rest = f4_load(rows[0]), half = f4_load(rows[1]);
        if (move) {
            rest = f4_load3(rows[0]) + move->shift;
            half = f4_max(half + move->grow, f4_zero());
        }
        f4 centre = f4_map_point(map, rest), extent = f4_map_extent(map, half);
        rough.a = f4_min(rough.a, centre - extent);
        rough.b = f4_max(rough.b, centre + extent);
    }
    return rough;
}

static inline grazei_rough rough_box_centre(const grazei_joints *joints,
                                            const grazei_record *record, const float (*rows)[4],
                                            const grazei_morph_move *move)
{
    f4 points[GRAZEI_MAX_CENTRE_JOINTS];
    f4 centre = f4_load(rows[0]), half = f4_load(rows[1]), cap = f4_w(centre);
    f4 mean = f4_zero(), extent = f4_zero(), low = f4_all(INFINITY), high = f4_all(-INFINITY);
    const float(*shares)[4] = rows + 2;
    uint32_t n = record->joints;
    if (move) {
        centre = centre + move->shift;
        half = f4_max(half + move->grow, f4_zero());
    }
    for (uint32_t k = 0; k < n; k++) {
        const f4_map *map = &joints->maps[f4_bits(shares[k][0])];
        points[k] = f4_map_point(map, centre);
        mean = mean + points[k] * f4_all(shares[k][1]);
        extent = f4_max(extent, f4_map_extent(map, half));
        low = f4_min(low, points[k]);
        high = f4_max(high, points[k]);
    }
    f4 spread = f4_zero();
    for (uint32_t k = 0; k < n; k++)
        spread = spread + f4_abs(points[k] - mean) * f4_all(shares[k][2]);
    spread = f4_min(spread, (high - low) * cap);
    f4 up = f4_min(spread, high - mean), down = f4_min(spread, mean - low);
    f4 grow = f4_all(1 + (float)(2 * n + 8) * GRAZEI_UNIT);
    grazei_rough rough = {mean - (extent + down) * grow, mean + (extent + up) * grow};
    return rough;
}

/* How far the balls (centre x y z, radius) reach from a point. There is room for three rows more
 * than count; they are filled.
 */
static inline float farthest(float (*balls)[4], uint32_t count, f4 from)
{
    f4 most = f4_zero();
    for (uint32_t k = count; k & 3; k++)
        f4_store(balls[k], f4_load(balls[0]));
    for (uint32_t k = 0; k < count; k += 4) {
        f4 x = f4_load(balls[k]), y = f4_load(balls[k + 1]);
        f4 z = f4_load(balls[k + 2]), r = f4_load(balls[k + 3]);
        f4_transpose(&x, &y, &z, &r);
        x = x - f4_x(from);
        y = y - f4_y(from);
        z = z - f4_z(from);
        most = f4_max(most, f4_sqrt((x * x + y * y) + z * z) + r);
    }
    return f4_max4(most);
}

static inline grazei_rough rough_sphere(f4 centre, float radius)
{
    grazei_rough rough = {centre, f4_set(radius, 0, 0, 0)};
    return rough;
}

static inline grazei_rough rough_sphere_hull(const grazei_joints *joints,
                                             const grazei_record *record, const float (*rows)[4],
                                             const grazei_morph_move *move, float (*workspace)[4])
{
    f4 centre = f4_zero(), shift = move ? move->shift : f4_zero();
    float grow = move ? move->grow[0] : 0;
    uint32_t n = record->joints;
#ifndef __OPTIMIZE_SIZE__
    if (n == 1) { /* as below, where the share is 1 */
        uint32_t joint = f4_bits(rows[1][0]);
        f4 image = f4_map_point(&joints->maps[joint], f4_load(rows[0]) + shift);
        return rough_sphere(image, f1_max(rows[0][3] + grow, 0) * joints->stretch[joint]);
    }
#endif
    for (uint32_t k = 0; k < n; k++) {
        uint32_t joint = f4_bits(rows[2 * k + 1][0]);
        f4 ball = f4_map_point(&joints->maps[joint], f4_load(rows[2 * k]) + shift);
        ball[3] = f1_max(rows[2 * k][3] + grow, 0) * joints->stretch[joint];
        centre = centre + ball * f4_all(rows[2 * k + 1][1]);
        f4_store(workspace[k], ball);
    }
    return rough_sphere(centre, farthest(workspace, n, centre));
}

/* The largest sum of y_k x_k with 0 <= y_k <= caps_k and a total of at most limit: the largest
 * values first. Destroys values.
 */
static inline float knapsack(float *values, const float (*shares)[4], uint32_t n, float limit)
{
    float sum = 0;
    while (limit > 0) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < n; k++)
            if (values[k] > values[best])
                best = k;
        if (!(values[best] > 0))
            break;
        float part = f1_min(shares[best][2], limit);
        sum += part * values[best];
        limit -= part;
        values[best] = 0;
    }
    return sum;
}

/* An upper bound of the blended maps' stretch; where all are about equal, the largest. */
static inline float blended_stretch(const grazei_joints *joints, const float (*shares)[4],
                                    uint32_t n, float limit, float *values)
{
    float most = 0, least = INFINITY, mean = 0;
    for (uint32_t k = 0; k < n; k++) {
        float stretch = joints->stretch[f4_bits(shares[k][0])];
        most = f1_max(most, stretch);
        least = f1_min(least, stretch);
        mean += shares[k][1] * stretch;
    }
    if (most - least <= 1e-3f * most)
        return most;
    for (uint32_t k = 0; k < n; k++)
        values[k] = fabsf(joints->stretch[f4_bits(shares[k][0])] - mean);
    return f1_min(most, (mean + knapsack(values, shares, n, limit)) *
                            (1 + (float)(4 * n + 8) * GRAZEI_UNIT));
}

static inline grazei_rough rough_sphere_centre(const grazei_joints *joints,
                                               const grazei_record *record, const float (*rows)[4],
                                               const grazei_morph_move *move)
{
    f4 points[GRAZEI_MAX_CENTRE_JOINTS];
    float values[GRAZEI_MAX_CENTRE_JOINTS];
    f4 centre = f4_load(rows[0]), mean = f4_zero();
    float radius = rows[0][3], limit = rows[1][0];
    const float(*shares)[4] = rows + 2;
    uint32_t n = record->joints;
    if (move) {
        centre = centre + move->shift;
        radius = f1_max(radius + move->grow[0], 0);
    }
    for (uint32_t k = 0; k < n; k++) {
        points[k] = f4_map_point(&joints->maps[f4_bits(shares[k][0])], centre);
        mean = mean + points[k] * f4_all(shares[k][1]);
    }
    float most = 0, box = 0;
    for (uint32_t k = 0; k < n; k++) {
        values[k] = f4_length3(points[k] - mean);
        most = f1_max(most, values[k]);
        box += values[k] * shares[k][2];
    }
    /* The cap on the total only matters from three joints on. */
    float spread = n <= 2 ? box : f1_min(box, knapsack(values, shares, n, limit));
    spread = f1_min(spread, most);
    return rough_sphere(mean, radius * blended_stretch(joints, shares, n, limit, values) + spread);
}

/* Kavan & Zara 2005, section 4.2: every joint-set's images of the ball, blended at the corners of
 * its weights' polytope; the ball around them has the average centre.
 */
static inline grazei_rough rough_sphere_corners(const grazei_joints *joints, const float (*rows)[4],
                                                const grazei_morph_move *move,
                                                float (*workspace)[4])
{
    f4 centre = f4_load(rows[0]), sum = f4_zero();
    float own = rows[0][3];
    uint32_t sets = f4_bits(rows[1][0]), total = 0;
    const float *words = rows[2];
    if (move) {
        centre = centre + move->shift;
        own += move->grow[0];
    }
    for (uint32_t s = 0; s < sets; s++) {
        f4 points[GRAZEI_MAX_CENTRE_JOINTS];
        uint32_t p = f4_bits(words[0]), m = f4_bits(words[1]);
        words += 2;
        for (uint32_t k = 0; k < p; k++) {
            uint32_t joint = f4_bits(words[k]);
            points[k] = f4_map_point(&joints->maps[joint], centre);
            points[k][3] = own * joints->stretch[joint];
        }
        words += p;
        for (uint32_t c = 0; c < m; c++, words += p) {
            f4 blend = points[0] * f4_all(words[0]);
            for (uint32_t k = 1; k < p; k++)
                blend = blend + points[k] * f4_all(words[k]);
            sum = sum + blend;
            f4_store(workspace[total++], blend);
        }
    }
    f4 mean = sum * f4_all(1.0f / (float)total);
    return rough_sphere(mean, farthest(workspace, total, mean));
}

/* move is NULL for shapes without morph targets. */
static inline grazei_rough grazei_evaluate(const grazei_skin *skin, const grazei_joints *joints,
                                           uint32_t node, const grazei_morph_move *move,
                                           float (*workspace)[4])
{
    const grazei_record *record = &skin->records[node];
    const float(*rows)[4] = (const float(*)[4])skin->rows + record->first;
    switch ((grazei_record_kind)record->kind) {
    case GRAZEI_BOX_HULL:
        return rough_box_hull(joints, record, rows, move);
    case GRAZEI_BOX_CENTRE:
        return rough_box_centre(joints, record, rows, move);
    case GRAZEI_SPHERE_HULL:
        return rough_sphere_hull(joints, record, rows, move, workspace);
    case GRAZEI_SPHERE_CENTRE:
        return rough_sphere_centre(joints, record, rows, move);
    case GRAZEI_SPHERE_CORNERS:
    case GRAZEI_BOX_SIBLINGS: /* not node by node */
    case GRAZEI_SPHERE_POSED: /* not by a bound */
        break;
    }
    return rough_sphere_corners(joints, rows, move, workspace);
}

/* Counts in the rounding, what the deformer adds on every side, and the placement. */
static inline void grazei_finish(const grazei_joints *joints, const grazei_record *record,
                                 graze_volume volume, grazei_rough rough, float extra,
                                 grazei_bound *bound)
{
    float error = record->error + joints->morph_error;
    if (volume == GRAZE_SPHERES) {
        float grown = rough.b[0] * (1 + (float)(2 * record->joints + 8) * GRAZEI_UNIT);
        grown += joints->magnitude_length * error + extra;
        if (joints->placed) {
            rough.a = grazei_turn(&joints->place, rough.a);
            grown *= joints->place_stretch;
        }
        grazei_bound_set_sphere(bound, rough.a + joints->translation,
                                (grown + joints->final_error_length + GRAZEI_LEAST_RADIUS) *
                                    (1 + 8 * GRAZEI_UNIT));
        return;
    }
    f4 margin = joints->magnitude * f4_all(error) + f4_all(extra);
    if (joints->placed) {
        f4 half = (rough.b - rough.a) * f4_all(0.5f);
        f4 centre = rough.a + half;
        half = half * f4_all(1 + 4 * GRAZEI_UNIT) + margin +
               joints->magnitude * f4_all(4 * GRAZEI_UNIT);
        centre = grazei_turn(&joints->place, centre);
        half = f4_map_extent(&joints->place, half) * f4_all(1 + 8 * GRAZEI_UNIT);
        rough.a = centre - half;
        rough.b = centre + half;
        margin = f4_zero();
    }
    margin = margin + joints->final_error;
    grazei_bound_set_box(bound, (rough.a + joints->translation) - margin,
                         (rough.b + joints->translation) + margin);
}

#endif
