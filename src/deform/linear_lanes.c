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
        map.c[0] = f4_load_any(m);
        map.c[1] = f4_load_any(m + 4);
        map.c[2] = f4_load_any(m + 8);
        map.c[3] = f4_zero();
        f4_transpose(&map.c[0], &map.c[1], &map.c[2], &map.c[3]);
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

/* Three vectors of four joints, one joint a lane. */
typedef struct columns {
    f4 x, y, z;
} columns;

static inline columns column_of_four(const f4_map *maps, int k)
{
    columns c = {maps[0].c[k], maps[1].c[k], maps[2].c[k]};
    f4 last = maps[3].c[k];
    f4_transpose(&c.x, &c.y, &c.z, &last);
    return c;
}

static inline f4 dot(columns a, columns b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

/* Upper bounds of the largest singular values of four maps: of G = A'A, the smaller of Gershgorin's
 * bound and Wolkowicz & Styan's, m + sqrt(2/3) |G - mI| with m a third of the trace.
 */
static f4 stretch_of_four(const f4_map *maps)
{
    columns a = column_of_four(maps, 0), b = column_of_four(maps, 1), c = column_of_four(maps, 2);
    f4 xx = dot(a, a), yy = dot(b, b), zz = dot(c, c), xy = dot(a, b), xz = dot(a, c);
    f4 yz = dot(b, c), axy = f4_abs(xy), axz = f4_abs(xz), ayz = f4_abs(yz);
    f4 gershgorin = f4_max(xx + axy + axz, f4_max(yy + axy + ayz, zz + axz + ayz));
    f4 m = (xx + yy + zz) * f4_all(1.0f / 3);
    f4 dx = xx - m, dy = yy - m, dz = zz - m;
    f4 off = xy * xy + xz * xz + yz * yz;
    f4 norm2 = dx * dx + dy * dy + dz * dz + off + off, least = f4_all(GRAZEI_LEAST_LENGTH);
    f4 styan = m + f4_sqrt(norm2 * f4_all(2.0f / 3)) + least;
    return f4_sqrt(f4_min(gershgorin, styan)) * f4_all(1 + 16 * U) + least;
}

static void fill_stretch(const f4_map *maps, uint32_t count, float *stretch)
{
    uint32_t j = 0;
    for (; j + 4 <= count; j += 4)
        f4_store(stretch + j, stretch_of_four(maps + j));
    if (j < count) {
        f4_map last[4];
        for (uint32_t k = 0; k < 4; k++)
            last[k] = maps[j + k < count ? j + k : count - 1];
        f4 values = stretch_of_four(last);
        for (uint32_t k = 0; j + k < count; k++)
            stretch[j + k] = values[k];
    }
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
        f4 largest = f4_max(f4_abs(map.c[0]), f4_max(f4_abs(map.c[1]), f4_abs(map.c[2])));
        if (!(f4_max3(largest) < 1e18f)) /* where the mesh is flat no vertex may see it */
            return false;
    }
    if (joints->stretch)
        fill_stretch(joints->maps, joint_count, joints->stretch);
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
    margin += GRAZEI_LEAST_RADIUS;
    grazei_bound_set_sphere(bound, centre + joints->translation, (grown + margin) * (1 + 4 * U));
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

static inline void bound_sphere_hull(const grazei_joints *joints, const grazei_record *record,
                                     const float (*rows)[4], grazei_bound *bound,
                                     float (*workspace)[4])
{
    f4 sum = f4_zero();
    uint32_t n = record->joints;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t joint = f4_bits(rows[2 * k + 1][0]);
        f4 ball = f4_map_point(&joints->maps[joint], f4_load(rows[2 * k]));
        ball[3] = rows[2 * k][3] * joints->stretch[joint];
        sum = sum + ball;
        f4_store(workspace[k], ball);
    }
    f4 mean = sum * f4_all(1.0f / (float)n);
    finish_sphere(joints, record, mean, farthest(workspace, n, mean), bound);
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
    finish_sphere(joints, record, mean, farthest(workspace, total, mean), bound);
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
