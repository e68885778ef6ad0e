/* Linear blend skinning: posing vertices and bounding nodes, compiled once per instruction set.
 *
 * Posed positions are the same bits in every build: each coordinate is computed by the same
 * operations in the same order, whatever the width. Bounds only have to contain them.
 */
#include "deform/linear.h"

#include "deform/corners.h"
#include "math/isa.h"
#include "math/rounding.h"

#define U GRAZEI_UNIT

/* ---- taking over a pose ------------------------------------------------------------------- */

static f4_map load_map(const float *m, bool rows)
{
    f4_map map;
    if (rows) {
        map.c[0] = f4_set(m[0], m[4], m[8], 0);
        map.c[1] = f4_set(m[1], m[5], m[9], 0);
        map.c[2] = f4_set(m[2], m[6], m[10], 0);
        map.c[3] = f4_set(m[3], m[7], m[11], 0);
    } else {
        for (int k = 0; k < 4; k++)
            map.c[k] = f4_set(m[4 * k], m[4 * k + 1], m[4 * k + 2], 0);
    }
    return map;
}

static f4 turn(const f4_map *placement, f4 p)
{
    return (placement->c[0] * f4_x(p) + placement->c[1] * f4_y(p)) + placement->c[2] * f4_z(p);
}

/* An upper bound of the largest singular value: of G = A'A, the smaller of Gershgorin's bound and
 * Wolkowicz & Styan's, m + sqrt(2/3) |G - mI| with m a third of the trace.
 */
static float stretch_of(const f4_map *map)
{
    float xx = f4_dot3(map->c[0], map->c[0]), yy = f4_dot3(map->c[1], map->c[1]);
    float zz = f4_dot3(map->c[2], map->c[2]), xy = f4_dot3(map->c[0], map->c[1]);
    float xz = f4_dot3(map->c[0], map->c[2]), yz = f4_dot3(map->c[1], map->c[2]);
    float axy = fabsf(xy), axz = fabsf(xz), ayz = fabsf(yz);
    float gershgorin = f1_max(xx + axy + axz, f1_max(yy + axy + ayz, zz + axz + ayz));
    float m = (xx + yy + zz) * (1.0f / 3);
    float dx = xx - m, dy = yy - m, dz = zz - m;
    float norm2 = dx * dx + dy * dy + dz * dz + 2 * (xy * xy + xz * xz + yz * yz);
    float styan = m + sqrtf(norm2 * (2.0f / 3));
    return sqrtf(f1_min(gershgorin, styan)) * (1 + 16 * U) + FLT_MIN;
}

static bool prepare(const grazei_linear *linear, grazei_joints *joints, uint32_t joint_count,
                    const float *matrices, bool rows, const float *placement)
{
    f4_map place = {{f4_set(1, 0, 0, 0), f4_set(0, 1, 0, 0), f4_set(0, 0, 1, 0), f4_zero()}};
    if (placement)
        place = load_map(placement, true);
    f4 reach = f4_load3(linear->reach), magnitude = f4_zero();
    uint32_t stride = rows ? 12 : 16;
    for (uint32_t j = 0; j < joint_count; j++) {
        f4_map map = load_map(matrices + (size_t)stride * j, rows);
        if (placement)
            for (int k = 0; k < 4; k++)
                map.c[k] = turn(&place, map.c[k]);
        joints->maps[j] = map;
        f4 most = f4_map_extent(&map, reach) + f4_abs(map.c[3]);
        magnitude = f4_max(magnitude, most);
        if (!(most[0] + most[1] + most[2] < 1e18f)) /* also where one is not a number */
            return false;
        if (joints->stretch)
            joints->stretch[j] = stretch_of(&map);
    }
    f4 translation = place.c[3];
    if (!(fabsf(translation[0]) + fabsf(translation[1]) + fabsf(translation[2]) < 1e18f))
        return false;
    joints->translation = translation;
    joints->magnitude = magnitude * f4_all(1 + 16 * U) + f4_set(FLT_MIN, FLT_MIN, FLT_MIN, 0);
    f4 moved = joints->magnitude + f4_abs(translation);
    joints->final_error = moved * f4_all(8 * U);
    joints->magnitude_length = f4_length3(joints->magnitude) * (1 + 8 * U);
    joints->final_error_length = f4_length3(joints->final_error) * (1 + 8 * U);
    return true;
}

/* ---- posing vertices ---------------------------------------------------------------------- */

static inline f4 pose_one(const f4_map *maps, f4 rest, const graze_influence *influences,
                          uint32_t count)
{
    f4 sum = f4_map_point(&maps[influences[0].joint], rest);
    if (count == 1)
        return sum;
    sum = sum * f4_all(influences[0].weight);
    for (uint32_t i = 1; i < count; i++)
        sum = sum + f4_map_point(&maps[influences[i].joint], rest) * f4_all(influences[i].weight);
    return sum;
}

static void pose(const float (*rest)[4], const graze_influence *influences, uint32_t count,
                 const grazei_joints *joints, const uint32_t *vertices, float (*out)[4], f4 *low,
                 f4 *high)
{
    f4 lowest = f4_all(INFINITY), highest = f4_all(-INFINITY);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t n = f4_bits(rest[i][3]);
        f4 posed = pose_one(joints->maps, f4_load(rest[i]), influences, n) + joints->translation;
        influences += n;
        f4_store(out[vertices ? vertices[i] : i], posed);
        lowest = f4_min(lowest, posed);
        highest = f4_max(highest, posed);
    }
    *low = lowest;
    *high = highest;
}

/* ---- bounding nodes by boxes -------------------------------------------------------------- */

static inline void finish_box(const grazei_joints *joints, const grazei_record *record, f4 low,
                              f4 high, grazei_bound *bound)
{
    f4 margin = joints->magnitude * f4_all(record->error) + joints->final_error;
    grazei_bound_set_box(bound, (low + joints->translation) - margin,
                         (high + joints->translation) + margin);
}

static inline void bound_box_hull(const grazei_joints *joints, const grazei_record *record,
                                  const float (*rows)[4], grazei_bound *bound)
{
    f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
    for (uint32_t k = 0; k < record->joints; k++, rows += 2) {
        const f4_map *map = &joints->maps[f4_bits(rows[0][3])];
        f4 centre = f4_map_point(map, f4_load(rows[0]));
        f4 extent = f4_map_extent(map, f4_load(rows[1]));
        low = f4_min(low, centre - extent);
        high = f4_max(high, centre + extent);
    }
    finish_box(joints, record, low, high, bound);
}

static inline void bound_box_centre(const grazei_joints *joints, const grazei_record *record,
                                    const float (*rows)[4], grazei_bound *bound)
{
    f4 points[GRAZEI_MAX_CENTRE_JOINTS];
    f4 centre = f4_load(rows[0]), half = f4_load(rows[1]);
    f4 mean = f4_zero(), extent = f4_zero(), low = f4_all(INFINITY), high = f4_all(-INFINITY);
    const float(*shares)[4] = rows + 2;
    uint32_t n = record->joints;
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
    spread = f4_min(spread, (high - low) * f4_w(centre));
    f4 up = f4_min(spread, high - mean), down = f4_min(spread, mean - low);
    f4 grow = f4_all(1 + (float)(2 * n + 8) * U);
    finish_box(joints, record, mean - (extent + down) * grow, mean + (extent + up) * grow, bound);
}

/* ---- bounding nodes by spheres ------------------------------------------------------------ */

static inline void finish_sphere(const grazei_joints *joints, const grazei_record *record,
                                 f4 centre, float radius, grazei_bound *bound)
{
    float grown = radius * (1 + (float)(2 * record->joints + 8) * U);
    float margin = joints->magnitude_length * record->error + joints->final_error_length;
    grazei_bound_set_sphere(bound, centre + joints->translation, (grown + margin) * (1 + 4 * U));
}

static inline void bound_sphere_hull(const grazei_joints *joints, const grazei_record *record,
                                     const float (*rows)[4], grazei_bound *bound,
                                     float (*workspace)[4])
{
    f4 sum = f4_zero();
    uint32_t n = record->joints;
    for (uint32_t k = 0; k < n; k++) {
        const f4_map *map = &joints->maps[f4_bits(rows[2 * k + 1][0])];
        f4 centre = f4_map_point(map, f4_load(rows[2 * k]));
        sum = sum + centre;
        f4_store(workspace[k], centre);
    }
    f4 mean = sum * f4_all(1.0f / (float)n);
    float radius = 0;
    for (uint32_t k = 0; k < n; k++) {
        float own = rows[2 * k][3] * joints->stretch[f4_bits(rows[2 * k + 1][0])];
        radius = f1_max(radius, f4_length3(f4_load(workspace[k]) - mean) + own);
    }
    finish_sphere(joints, record, mean, radius, bound);
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

/* How far the blend of the joints' stretches can exceed 1 record's mean; all equal: the maximum. */
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
    return f1_min(most, (mean + knapsack(values, shares, n, limit)) * (1 + (float)(4 * n + 8) * U));
}

static inline void bound_sphere_centre(const grazei_joints *joints, const grazei_record *record,
                                       const float (*rows)[4], grazei_bound *bound)
{
    f4 points[GRAZEI_MAX_CENTRE_JOINTS];
    float values[GRAZEI_MAX_CENTRE_JOINTS];
    f4 centre = f4_load(rows[0]), mean = f4_zero();
    float radius = rows[0][3], limit = rows[1][0];
    const float(*shares)[4] = rows + 2;
    uint32_t n = record->joints;
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
    float own = radius * blended_stretch(joints, shares, n, limit, values);
    finish_sphere(joints, record, mean, own + spread, bound);
}

/* Kavan & Zara 2005, section 4.2: every joint-set's images of the ball, blended at the corners of
 * its weights' polytope; the ball around them has the average centre.
 */
static inline void bound_sphere_corners(const grazei_joints *joints, const grazei_record *record,
                                        const float (*rows)[4], grazei_bound *bound,
                                        float (*workspace)[4])
{
    f4 centre = f4_load(rows[0]), sum = f4_zero();
    float own = rows[0][3];
    uint32_t sets = f4_bits(rows[1][0]), total = 0;
    const float *words = rows[2];
    for (uint32_t s = 0; s < sets; s++) {
        f4 points[GRAZEI_MAX_CORNER_JOINTS];
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
    float radius = 0;
    for (uint32_t c = 0; c < total; c++) {
        f4 blend = f4_load(workspace[c]);
        radius = f1_max(radius, f4_length3(blend - mean) + blend[3]);
    }
    mean[3] = 0;
    finish_sphere(joints, record, mean, radius, bound);
}

static void bound(const grazei_linear *linear, const grazei_joints *joints, uint32_t first,
                  uint32_t count, grazei_bound *bounds, float (*workspace)[4])
{
    for (uint32_t n = first; n < first + count; n++) {
        const grazei_record *record = &linear->records[n];
        const float(*rows)[4] = (const float(*)[4])linear->rows + record->first;
        switch ((grazei_record_kind)record->kind) {
        case GRAZEI_BOX_HULL:
            bound_box_hull(joints, record, rows, &bounds[n]);
            break;
        case GRAZEI_BOX_CENTRE:
            bound_box_centre(joints, record, rows, &bounds[n]);
            break;
        case GRAZEI_SPHERE_HULL:
            bound_sphere_hull(joints, record, rows, &bounds[n], workspace);
            break;
        case GRAZEI_SPHERE_CENTRE:
            bound_sphere_centre(joints, record, rows, &bounds[n]);
            break;
        case GRAZEI_SPHERE_CORNERS:
            bound_sphere_corners(joints, record, rows, &bounds[n], workspace);
            break;
        }
    }
}

const grazei_linear_kernels GRAZEI_ISA(linear_kernels) = {prepare, pose, bound};
