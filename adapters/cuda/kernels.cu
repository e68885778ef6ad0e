/* Sphere chains on a CUDA device. Compiled by clang without a CUDA toolkit: attributes and builtins
 * stand for its headers. The arithmetic is the core's own, chain_kernel.h.
 *
 *   few_poses    a block a pose: threads share its vertices, its spheres, its pairs.
 *   many_poses_  a block 32 poses, one a lane: joints are turned once on their way into shared
 *                memory, so that lanes read side by side; what belongs to the chains is the same
 *                for all lanes and read once a warp. Warps share spheres, then pairs. P vertices
 *                of a sphere are kept in registers and moved joint by joint, so that a joint is
 *                read once for all of them; any: as many as there are, one by one.
 */
#include "chain/chain_kernel.h"
#include "params.h"
#include "words.h"

struct vertex {
    grazei_chain_point rest;
    uint32_t first, count; /* influences */
};

DEVICE vertex load_vertex(const cuda_params &params, uint32_t v)
{
    float4_t in = load_four(params.vertices, v);
    uint32_t influences = as_word(in.w);
    return {{in.x, in.y, in.z}, influences >> 8, influences & 255};
}

/* Joints stand in shared memory, the numbers of a joint `step` floats apart. */
DEVICE grazei_chain_point pose_vertex(const cuda_params &params, const float *joints, uint32_t step,
                                      uint32_t v)
{
    vertex at = load_vertex(params, v);
    grazei_chain_point sum = grazei_chain_start();
    for (uint32_t k = 0; k < at.count; k++) {
        uint2_t in = __nvvm_ldg_ui2((const uint2_t *)params.influences + at.first + k);
        sum = grazei_chain_add(sum, joints + 12 * step * in.x, step, at.rest, as_float(in.y));
    }
    return sum;
}

DEVICE grazei_chain_point pose_pivot(const cuda_params &params, const float *joints, uint32_t step,
                                     uint32_t pivot)
{
    if (params.vertices_per_pivot == 1)
        return pose_vertex(params, joints, step, pivot);
    grazei_chain_point a = pose_vertex(params, joints, step, 3 * pivot);
    grazei_chain_point b = pose_vertex(params, joints, step, 3 * pivot + 1);
    grazei_chain_point c = pose_vertex(params, joints, step, 3 * pivot + 2);
    return grazei_chain_centroid(a, b, c);
}

/* A sphere of any number of pivots: they are posed twice, for the centre and for the radius. */
DEVICE grazei_chain_ball follow_any(const cuda_params &params, const cuda_group &group,
                                    const float *joints)
{
    grazei_chain_point centre = grazei_chain_start();
    float distances = 0.0f;
    for (uint32_t k = 0; k < group.pivot_count; k++)
        centre =
            grazei_chain_centre(centre, pose_pivot(params, joints, CUDA_PAD, group.first_pivot + k),
                                load_float(params.pivot_weights, group.first_pivot + k));
    for (uint32_t k = 0; k < group.pivot_count; k++)
        distances =
            distances + grazei_chain_distance(
                            pose_pivot(params, joints, CUDA_PAD, group.first_pivot + k), centre);
    return grazei_chain_make_ball(centre, distances, group.scale);
}

/* A sphere of up to P vertices, V of them a pivot. */
template <int P, int V>
DEVICE grazei_chain_ball follow(const cuda_params &params, const cuda_group &group,
                                const float *joints)
{
    grazei_chain_point rest[P], sum[P];
#pragma unroll
    for (uint32_t k = 0; k < P; k++) {
        sum[k] = rest[k] = grazei_chain_start();
        if (k < group.vertex_count)
            rest[k] = load_vertex(params, group.first_vertex + k).rest;
    }
    for (uint32_t t = group.first_step; t < group.first_step + group.step_count; t++) {
        const uint32_t head = load_word(params.step_joints, t);
        const float *from = joints + 12 * CUDA_PAD * (head & 0xffff);
        float map[12];
#pragma unroll
        for (int e = 0; e < 12; e++)
            map[e] = from[e * CUDA_PAD];
#pragma unroll
        for (int q = 0; q < P; q += 4) {
            float4_t w =
                load_four(params.step_weights, (uint64_t)t * (CUDA_MOST_VERTICES / 4) + q / 4);
            const float weights[4] = {w.x, w.y, w.z, w.w};
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (head >> (16 + q + c) & 1)
                    sum[q + c] = grazei_chain_add(sum[q + c], map, 1, rest[q + c], weights[c]);
        }
    }
    grazei_chain_point centre = grazei_chain_start();
    float distances = 0.0f;
#pragma unroll
    for (uint32_t k = 0; k < P / V; k++) {
        if (V == 3)
            sum[k] = grazei_chain_centroid(sum[V * k], sum[V * k + V / 2], sum[V * k + V - 1]);
        if (k < group.pivot_count)
            centre = grazei_chain_centre(centre, sum[k],
                                         load_float(params.pivot_weights, group.first_pivot + k));
    }
#pragma unroll
    for (uint32_t k = 0; k < P / V; k++)
        if (k < group.pivot_count)
            distances = distances + grazei_chain_distance(sum[k], centre);
    return grazei_chain_make_ball(centre, distances, group.scale);
}

DEVICE cuda_group load_group(const cuda_params &params, uint32_t s)
{
    uint4_t a = __nvvm_ldg_ui4((const uint4_t *)params.groups + 2 * s);
    uint4_t b = __nvvm_ldg_ui4((const uint4_t *)params.groups + 2 * s + 1);
    return {a.x, a.y, a.z, a.w, b.x, b.y, as_float(b.z), b.w};
}

/* Turns the joints of 32 poses into lanes: number e of pose p goes to e x CUDA_PAD + p. A warp
 * loads eight times 16 bytes of four poses, which land in 32 different banks.
 */
DEVICE void turn_joints(const cuda_params &params, uint64_t first, float *out)
{
    const uint32_t lane = thread_index() % 32, warp = thread_index() / 32;
    const uint32_t fours = 3 * params.used_joint_count;
    const bool all = params.used_joint_count == params.joint_count;
    for (uint32_t p = 4 * warp + lane / 8; p < CUDA_POSES; p += thread_count() / 8) {
        const uint64_t pose = first + p < params.pose_count ? first + p : params.pose_count - 1;
        const uint64_t from = 3 * (uint64_t)params.joint_count * pose;
#pragma unroll 4
        for (uint32_t q = lane % 8; q < fours; q += 8) {
            uint32_t at = q;
            if (!all)
                at = 3 * load_word(params.used_joints, q / 3) + q % 3;
            float4_t in = load_four(params.joints, from + at);
            float *to = out + 4 * CUDA_PAD * q + p;
            to[0] = in.x;
            to[CUDA_PAD] = in.y;
            to[2 * CUDA_PAD] = in.z;
            to[3 * CUDA_PAD] = in.w;
        }
    }
}

/* Balls of 32 poses: x of all, y of all, z of all, r of all, ball after ball. */
DEVICE grazei_chain_ball load_ball(const float *balls, uint32_t s, uint32_t lane)
{
    const float *from = balls + 4 * CUDA_POSES * s + lane;
    return {from[0], from[CUDA_POSES], from[2 * CUDA_POSES], from[3 * CUDA_POSES]};
}

/* 32 pairs of this lane's pose, as bits. */
DEVICE uint32_t test_pairs(const cuda_params &params, const float *balls, uint32_t first,
                           uint32_t lane)
{
    const uint32_t left = params.pair_count - first, count = left < 32 ? left : 32;
    uint32_t bits = 0, last = 0xffffffff;
    grazei_chain_ball a = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t pair = load_word(params.pair_list, first + k);
        if ((pair & 0xffff) != last) {
            last = pair & 0xffff;
            a = load_ball(balls, last, lane);
        }
        bits |= (uint32_t)grazei_chain_meet(a, load_ball(balls, pair >> 16, lane)) << k;
    }
    return bits;
}

/* Writes the numbers of the first pairs of a pose, from its bits, which are `step` words apart. */
DEVICE void write_pairs(const cuda_params &params, uint64_t pose, const uint32_t *words,
                        uint32_t step)
{
    uint32_t *out = (uint32_t *)params.pairs + params.pair_capacity * pose, n = 0;
    for (uint32_t w = 0; 32 * w < params.pair_count && n < params.pair_capacity; w++)
        for (uint32_t bits = words[w * step]; bits && n < params.pair_capacity; bits &= bits - 1)
            out[n++] = 32 * w + (uint32_t)__builtin_ctz(bits);
}

DEVICE void write_result(const cuda_params &params, uint64_t pose, bool bad, uint32_t count)
{
    if (params.flags)
        ((uint8_t *)params.flags)[pose] = bad ? 2 : count != 0;
    if (params.counts)
        ((uint32_t *)params.counts)[pose] = bad ? 0 : count;
}

template <int P, int V> DEVICE void many_poses(const cuda_params &params)
{
    const uint32_t lane = thread_index() % 32, warp = thread_index() / 32;
    const uint32_t warps = thread_count() / 32;
    const uint64_t first = (uint64_t)block_index() * CUDA_POSES, pose = first + lane;
    float *joints = (float *)shared_memory;
    float *balls = joints + 12 * CUDA_PAD * params.used_joint_count;
    uint32_t *counts = (uint32_t *)(balls + 4 * CUDA_POSES * params.sphere_count); /* by warp */
    uint32_t *bad = counts + 32 * warps;
    uint32_t *words = bad + 32; /* only where pairs are wanted */

    if (warp == 0)
        bad[lane] = 0;
    turn_joints(params, first, joints);
    __syncthreads();
    bool good = true;
    for (uint32_t s = warp; s < params.sphere_count; s += warps) {
        cuda_group group = load_group(params, s);
        grazei_chain_ball ball;
        if (P)
            ball = follow < P ? P : 1, V > (params, group, joints + lane);
        else
            ball = follow_any(params, group, joints + lane);
        good = good && grazei_chain_is_good(ball);
        float *to = balls + 4 * CUDA_POSES * s + lane;
        to[0] = ball.x;
        to[CUDA_POSES] = ball.y;
        to[2 * CUDA_POSES] = ball.z;
        to[3 * CUDA_POSES] = ball.r;
    }
    if (!good)
        bad[lane] = 1;
    __syncthreads();
    uint32_t count = 0;
    for (uint32_t w = warp; 32 * w < params.pair_count; w += warps) {
        uint32_t bits = test_pairs(params, balls, 32 * w, lane);
        count += (uint32_t)__builtin_popcount(bits);
        if (params.pairs)
            words[32 * w + lane] = bits;
    }
    counts[32 * warp + lane] = count;
    if (params.spheres && pose < params.pose_count)
        for (uint32_t s = warp; s < params.sphere_count; s += warps) {
            grazei_chain_ball b = load_ball(balls, s, lane);
            ((float4_t *)params.spheres)[params.sphere_count * pose + s] = {b.x, b.y, b.z, b.r};
        }
    __syncthreads();
    if (warp != 0 || pose >= params.pose_count)
        return;
    for (uint32_t w = 1; w < warps; w++)
        count += counts[32 * w + lane];
    write_result(params, pose, bad[lane], count);
    if (params.pairs && !bad[lane])
        write_pairs(params, pose, words + lane, 32);
}

KERNEL many_poses_4(const cuda_params params)
{
    many_poses<4, 1>(params);
}
KERNEL many_poses_8(const cuda_params params)
{
    many_poses<8, 1>(params);
}
KERNEL many_poses_16(const cuda_params params)
{
    many_poses<16, 1>(params);
}
KERNEL many_poses_12_by_3(const cuda_params params)
{
    many_poses<12, 3>(params);
}
KERNEL many_poses_any(const cuda_params params)
{
    many_poses<0, 1>(params);
}

/* Which pairs of a pose meet: one thread a pair, a warp 32 of them. */
DEVICE void test_each(const cuda_params &params, const grazei_chain_ball *balls, uint32_t *words)
{
    for (uint32_t base = 0; base < params.pair_count; base += thread_count()) {
        const uint32_t p = base + thread_index();
        bool meet = false;
        if (p < params.pair_count) {
            const uint32_t pair = load_word(params.pair_list, p);
            meet = grazei_chain_meet(balls[pair & 0xffff], balls[pair >> 16]);
        }
        const uint32_t bits = __nvvm_vote_ballot_sync(0xffffffff, meet);
        if (thread_index() % 32 == 0 && p < params.pair_count)
            words[p / 32] = bits;
    }
}

/* The same, one thread a sphere. */
DEVICE void test_by_sphere(const cuda_params &params, const grazei_chain_ball *balls,
                           uint32_t *words)
{
    for (uint32_t w = thread_index(); 32 * w < params.pair_count; w += thread_count())
        words[w] = 0;
    __syncthreads();
    for (uint32_t s = thread_index(); s < params.sphere_count; s += thread_count()) {
        const grazei_chain_ball a = balls[s];
        const uint32_t end = load_word(params.first_pairs, s + 1);
        for (uint32_t p = load_word(params.first_pairs, s); p < end; p++)
            if (grazei_chain_meet(a, balls[load_word(params.pair_list, p) >> 16]))
                __nvvm_atom_or_gen_i((int *)words + p / 32, (int)(1u << p % 32));
    }
}

KERNEL few_poses(const cuda_params params)
{
    const uint32_t thread = thread_index();
    const uint64_t pose = block_index();
    float4_t *rows = shared_memory;
    grazei_chain_ball *balls = (grazei_chain_ball *)(rows + 3 * params.used_joint_count);
    float *vertices = (float *)(balls + params.sphere_count);
    uint32_t *words = (uint32_t *)(vertices + 3 * params.vertex_count);
    uint32_t *bad = words + (params.pair_count + 31) / 32;
    uint32_t *count = bad + 1;

    if (thread == 0)
        *bad = *count = 0;
    for (uint32_t q = thread; q < 3 * params.used_joint_count; q += thread_count())
        rows[q] = load_four(params.joints, 3 * (uint64_t)params.joint_count * pose +
                                               3 * load_word(params.used_joints, q / 3) + q % 3);
    __syncthreads();
    for (uint32_t v = thread; v < params.vertex_count; v += thread_count()) {
        grazei_chain_point p = pose_vertex(params, (const float *)rows, 1, v);
        vertices[3 * v] = p.x;
        vertices[3 * v + 1] = p.y;
        vertices[3 * v + 2] = p.z;
    }
    __syncthreads();
    for (uint32_t s = thread; s < params.sphere_count; s += thread_count()) {
        cuda_group group = load_group(params, s);
        grazei_chain_point centre = grazei_chain_start();
        float distances = 0.0f;
        /* The same loop twice: for the centre, then for the radius. */
        for (uint32_t pass = 0; pass < 2; pass++)
            for (uint32_t k = 0; k < group.pivot_count; k++) {
                const uint32_t n = group.first_pivot + k;
                const float *at = vertices + 3 * params.vertices_per_pivot * n;
                grazei_chain_point pivot = {at[0], at[1], at[2]};
                if (params.vertices_per_pivot == 3)
                    pivot =
                        grazei_chain_centroid(pivot, {at[3], at[4], at[5]}, {at[6], at[7], at[8]});
                if (pass == 0)
                    centre =
                        grazei_chain_centre(centre, pivot, load_float(params.pivot_weights, n));
                else
                    distances = distances + grazei_chain_distance(pivot, centre);
            }
        balls[s] = grazei_chain_make_ball(centre, distances, group.scale);
        if (!grazei_chain_is_good(balls[s]))
            *bad = 1;
        if (params.spheres)
            ((float4_t *)params.spheres)[params.sphere_count * pose + s] = {balls[s].x, balls[s].y,
                                                                            balls[s].z, balls[s].r};
    }
    __syncthreads();
    if (params.thread_per_sphere)
        test_by_sphere(params, balls, words);
    else
        test_each(params, balls, words);
    __syncthreads();
    for (uint32_t w = thread; 32 * w < params.pair_count; w += thread_count())
        if (words[w])
            __nvvm_atom_add_gen_i((int *)count, __builtin_popcount(words[w]));
    __syncthreads();
    if (thread)
        return;
    write_result(params, pose, *bad, *count);
    if (params.pairs && !*bad)
        write_pairs(params, pose, words, 1);
}
