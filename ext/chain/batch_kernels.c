/* Poses in lanes, one each: chain_kernel.h operation by operation, so that every lane gets what a
 * pose by itself does.
 */
#include "chain/batch_kernels.h"

#include "math/lanes.h"

#include <math.h>

/* Poses one behind the other become lanes: joints[12 u + k] of all poses stand together. */
static void turn_joints(const graze_chain_tables *tables, const float *joints, uint32_t count,
                        float *out)
{
    const size_t pose = 12 * (size_t)tables->joint_count;
    const float *rows[GRAZEI_LANES];
    for (uint32_t k = 0; k < GRAZEI_LANES; k++)
        rows[k] = joints + pose * (k < count ? k : count - 1);
    const bool aligned = (uintptr_t)joints % 16 == 0;
    for (uint32_t u = 0; u < tables->used_joint_count; u++) {
        const size_t first = 12 * (size_t)tables->used_joints[u];
        for (uint32_t e = 0; e < 12 && aligned; e += 4, out += 4 * GRAZEI_LANES) {
            lanes row[4];
            lanes_load_rows(rows, first + e, row);
            for (int c = 0; c < 4; c++)
                lanes_store(out + c * GRAZEI_LANES, row[c]);
        }
        for (uint32_t e = 0; e < 12 && !aligned; e++, out += GRAZEI_LANES)
            for (uint32_t k = 0; k < GRAZEI_LANES; k++)
                out[k] = rows[k][first + e];
    }
}

GRAZEI_INLINE lanes square_root(lanes a)
{
    float v[GRAZEI_LANES];
    lanes_store(v, a);
    for (int k = 0; k < GRAZEI_LANES; k++)
        v[k] = sqrtf(v[k]);
    return lanes_load(v);
}

/* grazei_chain_row */
GRAZEI_INLINE lanes move_row(const float *row, lanes3 p)
{
    return lanes_add(
        lanes_add(lanes_mul(lanes_load(row), p.x), lanes_mul(lanes_load(row + GRAZEI_LANES), p.y)),
        lanes_add(lanes_mul(lanes_load(row + 2 * GRAZEI_LANES), p.z),
                  lanes_load(row + 3 * GRAZEI_LANES)));
}

/* grazei_chain_add and grazei_chain_centre */
GRAZEI_INLINE lanes3 add_share(lanes3 sum, lanes3 p, lanes weight)
{
    return (lanes3){lanes_add(sum.x, lanes_mul(p.x, weight)),
                    lanes_add(sum.y, lanes_mul(p.y, weight)),
                    lanes_add(sum.z, lanes_mul(p.z, weight))};
}

GRAZEI_INLINE lanes3 zero(void)
{
    return (lanes3){lanes_set(0.0f), lanes_set(0.0f), lanes_set(0.0f)};
}

static inline lanes3 pose_vertex(const graze_chain_tables *tables, const float *joints,
                                 uint32_t vertex)
{
    const graze_chain_vertex *v = &tables->vertices[vertex];
    const graze_chain_influence *influence = tables->influences + (v->influences >> 8);
    const graze_chain_influence *end = influence + (v->influences & 255);
    lanes3 rest = {lanes_set(v->rest[0]), lanes_set(v->rest[1]), lanes_set(v->rest[2])};
    lanes3 sum = zero();
    for (; influence < end; influence++) {
        const float *map = joints + 12 * GRAZEI_LANES * (size_t)influence->joint;
        lanes3 moved = {move_row(map, rest), move_row(map + 4 * GRAZEI_LANES, rest),
                        move_row(map + 8 * GRAZEI_LANES, rest)};
        sum = add_share(sum, moved, lanes_set(influence->weight));
    }
    return sum;
}

static inline lanes3 pose_pivot(const graze_chain_tables *tables, const float *joints,
                                uint32_t pivot)
{
    if (tables->vertices_per_pivot == 1)
        return pose_vertex(tables, joints, pivot);
    lanes third = lanes_set(1.0f / 3.0f);
    lanes3 a = pose_vertex(tables, joints, 3 * pivot);
    lanes3 b = pose_vertex(tables, joints, 3 * pivot + 1);
    lanes3 c = pose_vertex(tables, joints, 3 * pivot + 2);
    return (lanes3){lanes_mul(lanes_add(lanes_add(a.x, b.x), c.x), third),
                    lanes_mul(lanes_add(lanes_add(a.y, b.y), c.y), third),
                    lanes_mul(lanes_add(lanes_add(a.z, b.z), c.z), third)};
}

GRAZEI_INLINE void store3(float *p, lanes3 a)
{
    lanes_store(p, a.x);
    lanes_store(p + GRAZEI_LANES, a.y);
    lanes_store(p + 2 * GRAZEI_LANES, a.z);
}

GRAZEI_INLINE lanes3 load3(const float *p)
{
    return (lanes3){lanes_load(p), lanes_load(p + GRAZEI_LANES), lanes_load(p + 2 * GRAZEI_LANES)};
}

/* Whether numbers are finite and below 1e18 either way: grazei_chain_is_good. */
GRAZEI_INLINE lanes_mask is_good(lanes a)
{
    return lanes_less(lanes_abs(a), lanes_set(1e18f));
}

/* Finds all spheres; returns the lanes in which all are good. */
static uint32_t pose_spheres(const graze_chain_tables *tables, const float *joints, float *pivots,
                             float *balls)
{
    uint32_t good = GRAZEI_LANES_ALL;
    for (uint32_t s = 0; s < tables->sphere_count; s++, balls += 4 * GRAZEI_LANES) {
        const graze_chain_follower *sphere = &tables->spheres[s];
        lanes3 centre = zero();
        for (uint32_t k = 0; k < sphere->pivot_count; k++) {
            lanes3 pivot = pose_pivot(tables, joints, sphere->first_pivot + k);
            centre =
                add_share(centre, pivot, lanes_set(tables->pivot_weights[sphere->first_pivot + k]));
            store3(pivots + 3 * GRAZEI_LANES * (size_t)k, pivot);
        }
        lanes distances = lanes_set(0.0f);
        for (uint32_t k = 0; k < sphere->pivot_count; k++) {
            lanes3 d = lanes3_sub(load3(pivots + 3 * GRAZEI_LANES * (size_t)k), centre);
            distances = lanes_add(distances, square_root(lanes3_dot(d, d)));
        }
        lanes radius = lanes_mul(lanes_set(sphere->scale), distances);
        store3(balls, centre);
        lanes_store(balls + 3 * GRAZEI_LANES, radius);
        good &= mask_bits(mask_and(mask_and(is_good(centre.x), is_good(centre.y)),
                                   mask_and(is_good(centre.z), is_good(radius))));
    }
    return good;
}

/* What is found of some poses: their counts so far, and where pairs go. */
typedef struct findings {
    uint32_t counts[GRAZEI_LANES];
    uint32_t *pairs;
    uint32_t capacity;
} findings;

static void note_pair(findings *found, uint32_t pair, uint32_t bits)
{
    for (; bits; bits &= bits - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(bits), n = found->counts[k]++;
        if (found->pairs && n < found->capacity)
            found->pairs[(size_t)found->capacity * k + n] = pair;
    }
}

/* Tests all pairs in the lanes that are asked for; of flags alone, until each has one. */
static void test_pairs(const graze_chain_tables *tables, const float *balls, uint32_t asked,
                       bool only_flags, findings *found)
{
    uint32_t last = UINT32_MAX, open = asked;
    lanes3 centre = zero();
    lanes radius = lanes_set(0.0f);
    for (uint32_t p = 0; p < tables->pair_count && open; p++) {
        const uint32_t i = tables->pairs[p] & 0xffff, j = tables->pairs[p] >> 16;
        if (i != last) {
            centre = load3(balls + 4 * GRAZEI_LANES * (size_t)i);
            radius = lanes_load(balls + 4 * GRAZEI_LANES * (size_t)i + 3 * GRAZEI_LANES);
            last = i;
        }
        const float *other = balls + 4 * GRAZEI_LANES * (size_t)j;
        lanes3 d = lanes3_sub(centre, load3(other));
        lanes r = lanes_add(radius, lanes_load(other + 3 * GRAZEI_LANES));
        uint32_t bits = mask_bits(lanes_less_equal(lanes3_dot(d, d), lanes_mul(r, r))) & open;
        if (!bits)
            continue;
        note_pair(found, p, bits);
        if (only_flags)
            open &= ~bits;
    }
}

static void store_spheres(const graze_chain_tables *tables, const float *balls, uint32_t count,
                          float *out)
{
    const size_t numbers = 4 * (size_t)tables->sphere_count;
    for (uint32_t k = 0; k < count; k++)
        for (size_t i = 0; i < numbers; i++)
            out[numbers * k + i] = balls[GRAZEI_LANES * i + k];
}

static void run(const graze_chain_tables *tables, const float *joints, uint32_t count, float *work,
                const graze_chain_results *results)
{
    float *turned = work, *balls = work + 12 * GRAZEI_LANES * (size_t)tables->used_joint_count;
    float *pivots = balls + 4 * GRAZEI_LANES * (size_t)tables->sphere_count;
    findings found = {{0}, results->pairs, results->pair_capacity};
    turn_joints(tables, joints, count, turned);
    uint32_t good = pose_spheres(tables, turned, pivots, balls);
    if (results->spheres)
        store_spheres(tables, balls, count, results->spheres);
    if (!results->flags && !results->counts && !results->pairs)
        return;
    test_pairs(tables, balls, good & ((1u << count) - 1u), !results->counts && !results->pairs,
               &found);
    for (uint32_t k = 0; k < count && k < GRAZEI_LANES; k++) {
        if (results->flags)
            results->flags[k] = !(good >> k & 1)  ? GRAZE_CHAIN_BAD_POSE
                                : found.counts[k] ? GRAZE_CHAIN_MEETS
                                                  : GRAZE_CHAIN_APART;
        if (results->counts)
            results->counts[k] = found.counts[k];
    }
}

const grazei_chain_kernels GRAZEI_ISA(chain_kernels) = {GRAZEI_LANES, run};
