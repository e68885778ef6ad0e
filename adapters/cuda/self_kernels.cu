/* Self-collision of many poses on a CUDA device.
 *
 *   place_joints, pose_vertices   linear skinning, with the bits of src/deform/linear_kernels.c
 *   check_loose                   vertices without a triangle have to be finite, too
 *   grid_boxes                    a warp a patch: boxes of its triangles, clusters and of itself
 *   meet_patches, meet_clusters, meet_triangles
 *                                 one level each: pairs of groups of eight boxes become pairs of
 *                                 boxes that meet
 *   part_by_planes                triangles that a plane of one keeps apart go
 *   decide_float, decide_double   signs with margins; what both leave open the host decides
 *
 * Boxes are on a grid: three fields of ten bits, modulo 1024. Rounding down is monotone, so nothing
 * is lost: two boxes of at most 255 steps that meet compare rightly modulo 1024. Others may alias,
 * and go later. Larger boxes have a flag, and pass every test.
 *
 * Threads of a warp stay together at everything that says sync, and at nothing else.
 */
#include "self_params.h"
#include "words.h"

DEVICE uint32_t lane_index()
{
    return thread_index() & 31;
}
DEVICE uint32_t warp_index()
{
    return thread_index() / 32;
}
DEVICE uint32_t block_count()
{
    return (uint32_t)__nvvm_read_ptx_sreg_nctaid_x();
}
DEVICE uint32_t ballot(bool yes)
{
    return __nvvm_vote_ballot_sync(0xffffffff, yes);
}
DEVICE int exchange(int value, int with)
{
    return __nvvm_shfl_sync_bfly_i32(0xffffffff, value, with, 31);
}
DEVICE uint32_t from_lane(uint32_t value, int lane)
{
    return (uint32_t)__nvvm_shfl_sync_idx_i32(0xffffffff, (int)value, lane, 31);
}
DEVICE uint32_t bits_below(uint32_t lane)
{
    return (1u << lane) - 1;
}
DEVICE int smaller(int a, int b)
{
    return a < b ? a : b;
}
DEVICE int larger(int a, int b)
{
    return a > b ? a : b;
}
DEVICE uint64_t add_to(uint64_t counters, uint32_t which, uint32_t count)
{
    return (uint64_t)__nvvm_atom_add_gen_ll((long long *)counters + which, (long long)count);
}
DEVICE void mark_bad(const self_params &params, uint32_t pose)
{
    ((uint32_t *)params.bad)[pose] = 1;
}
DEVICE bool is_good(float x)
{
    return __builtin_fabsf(x) < 1e18f;
}

/* ---- skinning ------------------------------------------------------------------------------- */

/* How far rest positions reach along an axis, as grazei_prepare_morphs has it. */
DEVICE float reach_of(const self_params &params, uint64_t pose, int axis)
{
    float moved = 0.0f;
    uint32_t active = 0;
    for (uint32_t m = 0; params.weights && m < params.morph_count; m++) {
        const float q = load_float(params.weights, pose * params.morph_count + m);
        if (q == 0)
            continue;
        active++;
        moved = moved + load_float(params.morph_reach, 4 * (uint64_t)m + (uint32_t)axis) *
                            __builtin_fabsf(q);
    }
    return (params.reach[axis] + moved) * (1 + (float)(2 * active) * 0x1p-24f);
}

/* Whether a joint's map, rows of four, keeps vertices below 1e18: grazei_add_magnitude and
 * grazei_finish_prepare for one joint.
 */
DEVICE bool stays_within(const float *map, const float *reach, const float *translation)
{
    float most[3], all = 0.0f, largest = 0.0f, far = 0.0f;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        const float *row = map + 4 * k;
        most[k] = ((__builtin_fabsf(row[0]) * reach[0] + __builtin_fabsf(row[1]) * reach[1]) +
                   __builtin_fabsf(row[2]) * reach[2]) +
                  __builtin_fabsf(row[3]);
        for (int c = 0; c < 3; c++)
            good = good && __builtin_fabsf(row[c]) < 1e18f;
        const float moved = (most[k] * (1 + 16 * 0x1p-24f) + __builtin_fabsf(translation[k])) +
                            1.17549435e-38f;
        good = good && moved < 1e18f;
        largest = most[k] > largest ? most[k] : largest;
    }
    all = most[0] + most[1] + most[2];
    far = __builtin_fabsf(translation[0]) + __builtin_fabsf(translation[1]) +
          __builtin_fabsf(translation[2]);
    return good && far < 1e18f && (largest <= 1e17f || all < 1e18f);
}

/* A thread a joint and pose. */
KERNEL place_joints(const self_params params)
{
    const uint64_t item = (uint64_t)block_index() * thread_count() + thread_index();
    if (item >= (uint64_t)params.pose_count * params.joint_count)
        return;
    const uint64_t pose = item / params.joint_count;
    float map[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, translation[3] = {0, 0, 0}, reach[3];
    for (uint32_t i = 0; params.joints && i < 12; i++)
        map[i] = load_float(params.joints, 12 * item + i);
    for (int k = 0; k < 3; k++)
        reach[k] = reach_of(params, pose, k);
    if (params.placements) {
        float place[12], turned[12];
        for (uint32_t i = 0; i < 12; i++)
            place[i] = load_float(params.placements, 12 * pose + i);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 4; c++)
                turned[4 * k + c] = (place[4 * k] * map[c] + place[4 * k + 1] * map[4 + c]) +
                                    place[4 * k + 2] * map[8 + c];
        for (int i = 0; i < 12; i++)
            map[i] = turned[i];
        for (int k = 0; k < 3; k++)
            translation[k] = place[4 * k + 3];
    }
    if (!stays_within(map, reach, translation))
        mark_bad(params, (uint32_t)pose);
    for (uint32_t i = 0; i < 3; i++)
        ((float4_t *)params.maps)[3 * item + i] = {map[4 * i], map[4 * i + 1], map[4 * i + 2],
                                                   map[4 * i + 3]};
}

DEVICE float map_row(float4_t row, const float *p)
{
    return (row.x * p[0] + row.y * p[1]) + (row.z * p[2] + row.w);
}

/* A thread a vertex and pose. */
KERNEL pose_vertices(const self_params params)
{
    const uint64_t item = (uint64_t)block_index() * thread_count() + thread_index();
    if (item >= (uint64_t)params.pose_count * params.vertex_count)
        return;
    const uint64_t pose = item / params.vertex_count, v = item - pose * params.vertex_count;
    float rest[3], sum[3] = {0, 0, 0};
    for (uint32_t k = 0; k < 3; k++)
        rest[k] = load_float(params.rest, 3 * v + k);
    if (params.weights) {
        const uint32_t end = load_word(params.morph_first, v + 1);
        for (uint32_t i = load_word(params.morph_first, v); i < end; i++) {
            const float q = load_float(params.weights, pose * params.morph_count +
                                                           load_word(params.morph_targets, i));
            if (q == 0)
                continue;
            for (uint32_t k = 0; k < 3; k++)
                rest[k] = rest[k] + q * load_float(params.morph_deltas, 3 * (uint64_t)i + k);
        }
    }
    const uint32_t first = load_word(params.influence_offsets, v);
    const uint32_t count = load_word(params.influence_offsets, v + 1) - first;
    for (uint32_t i = 0; i < count; i++) {
        const uint2_t in = load_two(params.influences, first + i);
        const uint64_t row = 3 * (pose * params.joint_count + in.x);
        for (uint32_t k = 0; k < 3; k++) {
            float moved = map_row(load_four(params.maps, row + k), rest);
            if (count > 1)
                moved = moved * as_float(in.y);
            sum[k] = i ? sum[k] + moved : moved;
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        const float translation =
            params.placements ? load_float(params.placements, 12 * pose + 4 * k + 3) : 0.0f;
        ((float *)params.positions)[3 * item + k] = sum[k] + translation;
    }
}

/* A thread a loose vertex and pose. */
KERNEL check_loose(const self_params params)
{
    const uint64_t item = (uint64_t)block_index() * thread_count() + thread_index();
    if (item >= (uint64_t)params.pose_count * params.loose_count)
        return;
    const uint64_t pose = item / params.loose_count;
    const uint64_t v = load_word(params.loose, item - pose * params.loose_count);
    const float *at = (const float *)params.positions + 3 * (pose * params.vertex_count + v);
    if (!(is_good(at[0]) && is_good(at[1]) && is_good(at[2])))
        mark_bad(params, (uint32_t)pose);
}

/* ---- boxes ---------------------------------------------------------------------------------- */

/* Bits between fields, the sign of each field of a difference, and the flag of what is too large.
 */
enum : uint32_t {
    GUARDS = 1u << 10 | 1u << 21,
    SIGNS = 1u << 9 | 1u << 20 | 1u << 31,
    TOO_LARGE = 1u << 10
};

struct grid_box {
    int low[3], high[3];
};

DEVICE uint32_t pack(const int *at, uint32_t coarser)
{
    return ((uint32_t)at[0] >> coarser & 1023) | ((uint32_t)at[1] >> coarser & 1023) << 11 |
           ((uint32_t)at[2] >> coarser) << 22;
}

DEVICE bool is_large(const grid_box &box, uint32_t coarser)
{
    uint32_t all = 0;
    for (int k = 0; k < 3; k++)
        all |= ((uint32_t)box.high[k] >> coarser) - ((uint32_t)box.low[k] >> coarser);
    return all > 255;
}

DEVICE uint2_t pack_box(const grid_box &box, uint32_t coarser, bool large)
{
    uint2_t packed = {pack(box.low, coarser) | (large ? TOO_LARGE : 0),
                      pack(box.high, coarser) | GUARDS};
    return packed;
}

/* The steps of a vertex, as bits of floats from 2^23 to 2^24. */
struct steps {
    int at[4];
};

DEVICE grid_box box_of(const steps *vertices, uint32_t corners)
{
    const steps a = vertices[corners & 255], b = vertices[corners >> 8 & 255],
                c = vertices[corners >> 16];
    grid_box box;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        box.low[k] = smaller(a.at[k], smaller(b.at[k], c.at[k]));
        box.high[k] = larger(a.at[k], larger(b.at[k], c.at[k]));
    }
    return box;
}

/* Joins boxes over lanes that differ in bits from `from` up to below `to`. */
DEVICE void join(grid_box &box, int from, int to)
{
#pragma unroll
    for (int with = from; with < to; with *= 2)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            box.low[k] = smaller(box.low[k], exchange(box.low[k], with));
            box.high[k] = larger(box.high[k], exchange(box.high[k], with));
        }
}

/* Joins the boxes of all lanes, which groups of four share already. */
DEVICE void join_warp(grid_box &box)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#pragma unroll
    for (int k = 0; k < 3; k++) {
        asm volatile("redux.sync.min.s32 %0, %0, -1;" : "+r"(box.low[k]));
        asm volatile("redux.sync.max.s32 %0, %0, -1;" : "+r"(box.high[k]));
    }
#else
    join(box, 4, 32);
#endif
}

/* Puts a patch's vertices on the grid. x times scale, plus c, rounded down: with c near 1.5 times
 * 2^23 the float's bits count steps. True if one is out of that range.
 */
DEVICE bool place_vertices(const self_params &params, uint32_t pose, uint32_t patch, steps *to)
{
    const float *positions =
        (const float *)params.positions + 3 * (uint64_t)pose * params.vertex_count;
    const uint32_t from = load_word(params.first_vertex, patch);
    const uint32_t count = load_word(params.first_vertex, patch + 1) - from;
    const float *origin = positions + 3 * (uint64_t)load_word(params.patch_vertices, 0);
    float c[3];
#pragma unroll
    for (int k = 0; k < 3; k++)
        c[k] = 12582912.0f - origin[k] * params.scale;
    bool outside = false, bad = false;
    for (uint32_t i = lane_index(); i < count; i += 32) {
        const float *at = positions + 3 * (uint64_t)load_word(params.patch_vertices, from + i);
        steps placed = {{0, 0, 0, 0}};
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const uint32_t bits = as_word(__nvvm_fma_rm_f(at[k], params.scale, c[k]));
            outside = outside || bits >> 23 != SELF_ALL_EXPONENTS;
            bad = bad || !is_good(at[k]);
            placed.at[k] = (int)bits;
        }
        to[i] = placed;
    }
    if (ballot(bad) && lane_index() == 0)
        mark_bad(params, pose);
    return ballot(outside) != 0;
}

/* A warp a patch, two triangles a lane. */
KERNEL grid_boxes(const self_params params)
{
    const uint32_t blocks = params.patch_count / SELF_WARPS, lane = lane_index();
    const uint32_t pose = block_index() / blocks;
    const uint32_t patch = (block_index() - pose * blocks) * SELF_WARPS + warp_index();
    const uint64_t place = (uint64_t)pose * params.patch_count + patch;
    steps *vertices = (steps *)shared_memory + SELF_PATCH_VERTICES * warp_index();
    const bool outside = place_vertices(params, pose, patch, vertices);
    __nvvm_bar_warp_sync(0xffffffff);
    const uint2_t corners = load_two(params.patch_corners, 32 * (uint64_t)patch + lane);
    grid_box box = box_of(vertices, corners.x), other = box_of(vertices, corners.y);
    /* One flag for all triangles of a cluster, which are those of four lanes. */
    const uint32_t large =
        ballot(outside || is_large(box, 0) || is_large(other, 0)) >> (lane & 28) & 15;
    const uint2_t packed = pack_box(box, 0, large != 0), packed_other = pack_box(other, 0, large != 0);
    ((uint4_t *)params.boxes[0])[32 * place + lane] = {packed.x, packed.y, packed_other.x,
                                                       packed_other.y};
#pragma unroll
    for (int k = 0; k < 3; k++) {
        box.low[k] = smaller(box.low[k], other.low[k]);
        box.high[k] = larger(box.high[k], other.high[k]);
    }
    join(box, 1, 4);
    const bool large_cluster = outside || is_large(box, params.coarser[1]);
    if (lane % 4 == 0)
        ((uint2_t *)params.boxes[1])[8 * place + lane / 4] =
            pack_box(box, params.coarser[1], large_cluster);
    const uint32_t flags[2] = {ballot(lane % 4 == 0 && large != 0),
                               ballot(lane % 4 == 0 && large_cluster)};
    join_warp(box);
    const bool large_patch = outside || is_large(box, params.coarser[2]);
    if (lane)
        return;
    ((uint2_t *)params.boxes[2])[place] = pack_box(box, params.coarser[2], large_patch);
    for (uint32_t i = 0; i < 2; i++)
        if (flags[i])
            add_to(params.counters, SELF_WIDE + i, (uint32_t)__builtin_popcount(flags[i]));
    if (large_patch)
        add_to(params.counters, SELF_WIDE + 2, 1);
}

/* ---- levels --------------------------------------------------------------------------------- */

/* What a warp keeps back until it is worth one addition to a counter: pose and first of two
 * children, the first of eight others, which of the pairs meet.
 */
DEVICE void expand(const self_params &params, self_queue to, const uint4_t *kept, uint32_t count)
{
    const uint32_t lane = lane_index();
    uint32_t mine = 0;
    __nvvm_bar_warp_sync(0xffffffff);
    for (uint32_t i = lane; i < count; i += 32)
        mine += (uint32_t)__builtin_popcount(kept[i].z);
    uint32_t end = mine;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t below =
            (uint32_t)__nvvm_shfl_sync_up_i32(0xffffffff, (int)end, d, 0);
        end += lane >= (uint32_t)d ? below : 0;
    }
    uint64_t base = 0;
    if (lane == 31 && end)
        base = add_to(params.counters, to, end);
    const uint32_t low = from_lane((uint32_t)base, 31), high = from_lane((uint32_t)(base >> 32), 31);
    uint64_t at = ((uint64_t)high << 32 | low) + (end - mine);
    uint2_t *out = (uint2_t *)params.queues[to];
    for (uint32_t i = lane; i < count; i += 32) {
        const uint4_t entry = kept[i];
        for (uint32_t bits = entry.z; bits; bits &= bits - 1, at++) {
            const uint32_t bit = (uint32_t)__builtin_ctz(bits);
            if (at < params.capacities[to])
                out[at] = {entry.x + (bit >> 3), entry.y + (bit & 7)};
        }
    }
    __nvvm_bar_warp_sync(0xffffffff);
}

DEVICE bool boxes_meet(uint32_t a_low, uint32_t a_high, uint32_t b_low, uint32_t b_high)
{
    return !(((b_high - a_low) | (a_high - b_low)) & SIGNS);
}

/* Which of two boxes, children 2k and 2k + 1 of group a, meet which of the eight of group b. all:
 * the children of a group share their flags.
 */
DEVICE uint32_t meet_sixteen(const uint2_t *boxes, uint32_t a, uint32_t b, uint32_t k, bool all)
{
    const uint4_t mine = ((const uint4_t *)(boxes + 8 * (uint64_t)a))[k];
    const uint4_t *others = (const uint4_t *)(boxes + 8 * (uint64_t)b);
    uint4_t other[4];
    uint32_t bits = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        other[i] = others[i];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        if (boxes_meet(mine.x, mine.y, other[i].x, other[i].y))
            bits |= 1u << (2 * i);
        if (boxes_meet(mine.x, mine.y, other[i].z, other[i].w))
            bits |= 2u << (2 * i);
        if (boxes_meet(mine.z, mine.w, other[i].x, other[i].y))
            bits |= 256u << (2 * i);
        if (boxes_meet(mine.z, mine.w, other[i].z, other[i].w))
            bits |= 512u << (2 * i);
    }
    if (all)
        return (mine.x | other[0].x) & TOO_LARGE ? 0xffff : bits;
    uint32_t any = 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
        any |= other[i].x | other[i].z;
    if (any & TOO_LARGE)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            bits |= other[i].x & TOO_LARGE ? 257u << (2 * i) : 0;
            bits |= other[i].z & TOO_LARGE ? 514u << (2 * i) : 0;
        }
    bits |= mine.x & TOO_LARGE ? 0xff : 0;
    bits |= mine.z & TOO_LARGE ? 0xff00 : 0;
    return bits;
}

/* Bits of children that are there: below limit. */
DEVICE uint32_t within(uint32_t a, uint32_t b, uint32_t k, uint32_t limit)
{
    const uint32_t left = b * 8 < limit ? limit - b * 8 : 0;
    const uint32_t row = left >= 8 ? 0xff : (1u << left) - 1, first = a * 8 + 2 * k;
    return (first < limit ? row : 0) | (first + 1 < limit ? row << 8 : 0);
}

DEVICE bool is_answered(const self_params &params, uint32_t pose)
{
    return params.any && ((const volatile uint32_t *)params.counts)[pose];
}

/* A warp's own queue: keeps what its lanes found. */
DEVICE void keep(const self_params &params, self_queue to, uint4_t *kept, uint32_t &count,
                 uint32_t first, uint32_t second, uint32_t bits, bool last)
{
    const uint32_t some = ballot(bits != 0);
    if (bits)
        kept[count + (uint32_t)__builtin_popcount(some & bits_below(lane_index()))] = {
            first, second, bits, 0};
    count += (uint32_t)__builtin_popcount(some);
    if (count > SELF_QUEUE - 32 || (last && count)) {
        expand(params, to, kept, count);
        count = 0;
    }
}

/* A pair of a list, and the part of its mask that is this lane's; beyond the end no pair. */
struct listed_pair {
    uint32_t a, b, bits;
};

DEVICE listed_pair load_listed(const self_params &params, int level, uint32_t number,
                               uint32_t count)
{
    const uint32_t i = number < count ? number : 0, k = lane_index() & 3;
    const uint2_t pair = load_two(params.pairs[level], i), mask = load_two(params.masks[level], i);
    const uint32_t bits = (k < 2 ? mask.x : mask.y) >> (16 * (k & 1)) & 0xffff;
    return {pair.x, pair.y, number < count ? bits : 0};
}

/* Pairs of groups: 8 a warp and step, 4 lanes each. The first blocks do the list, as many as say
 * splits for a pose; the others the queue from the level above.
 */
template <int LEVEL> DEVICE void meet_level(const self_params &params)
{
    const self_queue from = LEVEL == 1 ? SELF_PATCHES : SELF_CLUSTERS;
    const self_queue to = LEVEL == 2 ? SELF_PATCHES : LEVEL == 1 ? SELF_CLUSTERS : SELF_CANDIDATES;
    const uint32_t limit = LEVEL == 0 ? params.triangle_count : (params.triangle_count + 7) / 8;
    const uint64_t stride =
        (uint64_t)params.patch_count * (LEVEL == 2 ? 1 : LEVEL == 1 ? 8 : 64);
    const uint2_t *boxes = (const uint2_t *)params.boxes[LEVEL];
    const uint32_t lane = lane_index(), k = lane & 3, split = params.splits[LEVEL];
    uint4_t *kept = (uint4_t *)shared_memory + SELF_QUEUE * warp_index();
    uint32_t count = 0;
    if (block_index() < params.pose_count * split) {
        const uint32_t pose = block_index() / split;
        const uint32_t part = (block_index() - pose * split) * SELF_WARPS + warp_index();
        const uint32_t pairs = (uint32_t)params.list_counts[LEVEL], steps = (pairs + 7) / 8;
        const uint32_t each = (steps + split * SELF_WARPS - 1) / (split * SELF_WARPS);
        const uint32_t end = each * (part + 1) < steps ? each * (part + 1) : steps;
        if (((const uint32_t *)params.bad)[pose] || (LEVEL == 0 && is_answered(params, pose)))
            return;
        /* The next pair is on its way while boxes are compared. */
        listed_pair next = load_listed(params, LEVEL, 8 * each * part + lane / 4, pairs);
        for (uint32_t step = each * part; step < end; step++) {
            const listed_pair pair = next;
            next = load_listed(params, LEVEL, 8 * (step + 1) + lane / 4, pairs);
            const uint32_t bits =
                meet_sixteen(boxes + stride * pose, pair.a, pair.b, k, LEVEL == 0) & pair.bits;
            keep(params, to, kept, count, pose << params.shift | (pair.a * 8 + 2 * k), pair.b * 8,
                 bits, step + 1 == end);
        }
        return;
    }
    const uint64_t there = ((const uint64_t *)params.counters)[from];
    const uint64_t have = there < params.capacities[from] ? there : params.capacities[from];
    const uint64_t warps = (uint64_t)params.queue_blocks[LEVEL] * SELF_WARPS;
    for (uint64_t step = (block_index() - params.pose_count * split) * SELF_WARPS + warp_index();
         8 * step < have; step += warps) {
        const uint64_t e = 8 * step + lane / 4;
        uint32_t bits = 0;
        uint2_t pair = {0, 0};
        if (e < have) {
            pair = ((const uint2_t *)params.queues[from])[e];
            const uint32_t pose = pair.x >> params.shift, a = pair.x - (pose << params.shift);
            bits = meet_sixteen(boxes + stride * pose, a, pair.y, k, LEVEL == 0) &
                   within(a, pair.y, k, limit);
            pair.x = pose << params.shift | (a * 8 + 2 * k);
        }
        keep(params, to, kept, count, pair.x, pair.y * 8, bits, 8 * (step + warps) >= have);
    }
}

KERNEL meet_patches(const self_params params)
{
    meet_level<2>(params);
}
KERNEL meet_clusters(const self_params params)
{
    meet_level<1>(params);
}
KERNEL meet_triangles(const self_params params)
{
    meet_level<0>(params);
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* A candidate: its corners, three coordinates each. */
struct candidate {
    uint32_t pose, first, second;
    uint4_t numbers[2]; /* of the corners, and the model's of the triangles */
    float a[3][3], b[3][3];
};

DEVICE candidate load_candidate(const self_params &params, uint2_t pair)
{
    candidate c;
    c.pose = pair.x >> params.shift;
    c.first = pair.x - (c.pose << params.shift);
    c.second = pair.y;
    c.numbers[0] = load_four_words(params.triangles, c.first);
    c.numbers[1] = load_four_words(params.triangles, c.second);
    const float *positions =
        (const float *)params.positions + 3 * (uint64_t)c.pose * params.vertex_count;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        c.a[0][k] = positions[3 * (uint64_t)c.numbers[0].x + k];
        c.a[1][k] = positions[3 * (uint64_t)c.numbers[0].y + k];
        c.a[2][k] = positions[3 * (uint64_t)c.numbers[0].z + k];
        c.b[0][k] = positions[3 * (uint64_t)c.numbers[1].x + k];
        c.b[1][k] = positions[3 * (uint64_t)c.numbers[1].y + k];
        c.b[2][k] = positions[3 * (uint64_t)c.numbers[1].z + k];
    }
    return c;
}

/* At least the largest difference of two coordinates along an axis. */
DEVICE float spread_of(const candidate &c)
{
    float most = 0.0f;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        float low = c.a[0][k], high = c.a[0][k];
#pragma unroll
        for (int i = 0; i < 3; i++) {
            low = __nvvm_fmin_f(low, __nvvm_fmin_f(c.a[i][k], c.b[i][k]));
            high = __nvvm_fmax_f(high, __nvvm_fmax_f(c.a[i][k], c.b[i][k]));
        }
        most = __nvvm_fmax_f(most, high - low);
    }
    return most * 1.000001f;
}

/* At least the error of a determinant of differences of at most L, as it is computed here: each of
 * three terms is a difference times the difference of two products; with u the unit, differences
 * are off by u L, products of two by 3 u L^2, their difference by 8 u L^2, terms by 12 u L^3, and
 * both sums by 10 u L^3: 46 u L^3, and smaller terms. Floats that might underflow or overflow on
 * the way are beyond every margin; doubles made of floats do neither.
 */
DEVICE float margin_of(float spread, float)
{
    const bool sure = spread > 0x1p-40f && spread < 0x1p40f;
    return sure ? 64 * 0x1p-24f * spread * spread * spread : as_float(0x7f800000);
}
DEVICE double margin_of(float spread, double)
{
    return 64 * 0x1p-53 * spread * spread * spread;
}

/* Whether the plane of p surely has all of q on one side. */
DEVICE bool is_parted(const float p[3][3], const float q[3][3], float margin)
{
    float e[3], f[3], n[3], d[3];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        e[k] = p[1][k] - p[0][k];
        f[k] = p[2][k] - p[0][k];
    }
    n[0] = e[1] * f[2] - e[2] * f[1];
    n[1] = e[2] * f[0] - e[0] * f[2];
    n[2] = e[0] * f[1] - e[1] * f[0];
#pragma unroll
    for (int i = 0; i < 3; i++)
        d[i] = n[0] * (q[i][0] - p[0][0]) + n[1] * (q[i][1] - p[0][1]) + n[2] * (q[i][2] - p[0][2]);
    return __nvvm_fmin_f(d[0], __nvvm_fmin_f(d[1], d[2])) > margin ||
           __nvvm_fmax_f(d[0], __nvvm_fmax_f(d[1], d[2])) < -margin;
}

DEVICE bool parts_count(const self_params &params, uint32_t a, uint32_t b)
{
    if (!params.part_rows)
        return true;
    const uint32_t p = load_word(params.parts, a), q = load_word(params.parts, b);
    return load_word(params.part_rows, (uint64_t)p * params.part_words + q / 32) >> (q % 32) & 1;
}

/* Writes a warp's kept pairs to a queue, by one addition. */
DEVICE void flush(const self_params &params, self_queue to, const uint2_t *kept, uint32_t count)
{
    uint64_t base = 0;
    __nvvm_bar_warp_sync(0xffffffff);
    if (lane_index() == 0)
        base = add_to(params.counters, to, count);
    const uint32_t low = from_lane((uint32_t)base, 0), high = from_lane((uint32_t)(base >> 32), 0);
    const uint64_t at = (uint64_t)high << 32 | low;
    for (uint32_t i = lane_index(); i < count; i += 32)
        if (at + i < params.capacities[to])
            ((uint2_t *)params.queues[to])[at + i] = kept[i];
    __nvvm_bar_warp_sync(0xffffffff);
}

/* A thread a candidate. */
KERNEL part_by_planes(const self_params params)
{
    const uint64_t there = ((const uint64_t *)params.counters)[SELF_CANDIDATES];
    const uint64_t capacity = params.capacities[SELF_CANDIDATES];
    const uint64_t have = there < capacity ? there : capacity;
    uint2_t *kept = (uint2_t *)shared_memory + SELF_QUEUE * warp_index();
    const uint64_t threads = (uint64_t)block_count() * thread_count();
    uint32_t count = 0;
    for (uint64_t x = (uint64_t)block_index() * thread_count() + thread_index();
         x - lane_index() < have; x += threads) {
        bool stays = false;
        uint2_t pair = {0, 0};
        if (x < have) {
            pair = ((const uint2_t *)params.queues[SELF_CANDIDATES])[x];
            const candidate c = load_candidate(params, pair);
            if (parts_count(params, c.first, c.second) && !is_answered(params, c.pose)) {
                const float margin = margin_of(spread_of(c), 0.0f);
                stays = !(is_parted(c.a, c.b, margin) || is_parted(c.b, c.a, margin));
            }
        }
        const uint32_t some = ballot(stays);
        if (stays)
            kept[count + (uint32_t)__builtin_popcount(some & bits_below(lane_index()))] = pair;
        count += (uint32_t)__builtin_popcount(some);
        if (count > SELF_QUEUE - 32) {
            flush(params, SELF_NEAR, kept, count);
            count = 0;
        }
    }
    if (count)
        flush(params, SELF_NEAR, kept, count);
}

template <typename R>
DEVICE R orient(const float *a, const float *b, const float *c, const float *d)
{
    const R ax = (R)a[0] - (R)d[0], ay = (R)a[1] - (R)d[1], az = (R)a[2] - (R)d[2];
    const R bx = (R)b[0] - (R)d[0], by = (R)b[1] - (R)d[1], bz = (R)b[2] - (R)d[2];
    const R cx = (R)c[0] - (R)d[0], cy = (R)c[1] - (R)d[1], cz = (R)c[2] - (R)d[2];
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/* 0: not sure. */
template <typename R> DEVICE int sign_of(R value, R margin)
{
    return value > margin ? 1 : value < -margin ? -1 : 0;
}

/* Brings the corner that is alone on its side to the front. */
DEVICE void turn_lone(float corners[3][3], const int signs[3])
{
    const bool second = signs[0] == signs[2], third = signs[0] == signs[1];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const float x = corners[0][k], y = corners[1][k], z = corners[2][k];
        corners[0][k] = third ? z : second ? y : x;
        corners[1][k] = third ? x : second ? z : y;
        corners[2][k] = third ? y : second ? x : z;
    }
}

enum answer { APART, MEET, NOT_SURE };

/* As src/narrow/triangle.c decides triangles of which no sign is 0. */
template <typename R> DEVICE answer decide(candidate &c, R margin)
{
    int a[3], b[3];
#pragma unroll
    for (int i = 0; i < 3; i++)
        b[i] = sign_of(orient<R>(c.a[0], c.a[1], c.a[2], c.b[i]), margin);
    if (b[0] && b[0] == b[1] && b[1] == b[2])
        return APART;
#pragma unroll
    for (int i = 0; i < 3; i++)
        a[i] = sign_of(orient<R>(c.b[0], c.b[1], c.b[2], c.a[i]), margin);
    if (a[0] && a[0] == a[1] && a[1] == a[2])
        return APART;
    if (!(a[0] && a[1] && a[2] && b[0] && b[1] && b[2]))
        return NOT_SURE;
    turn_lone(c.a, a);
    turn_lone(c.b, b);
    bool before = false, after = false, sure = true;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int sign =
            sign_of(orient<R>(c.a[0], c.a[1 + (i & 1)], c.b[0], c.b[1 + (i >> 1)]), margin);
        before = before || sign < 0;
        after = after || sign > 0;
        sure = sure && sign;
    }
    return before && after ? MEET : sure ? APART : NOT_SURE;
}

/* Whether triangles a < b of the model meet at rest. */
DEVICE bool meet_at_rest(const self_params &params, uint32_t a, uint32_t b)
{
    uint32_t first = load_word(params.rest_first, a);
    uint32_t count = load_word(params.rest_first, (uint64_t)a + 1) - first;
    while (count) {
        const uint32_t half = count / 2, other = load_word(params.rest_others, first + half);
        if (other == b)
            return true;
        first = other < b ? first + half + 1 : first;
        count = other < b ? count - half - 1 : half;
    }
    return false;
}

DEVICE void take_found(const self_params &params, const candidate &c)
{
    const uint32_t x = c.numbers[0].w, y = c.numbers[1].w, low = x < y ? x : y,
                   high = x < y ? y : x;
    const bool at_rest =
        (params.only_new || params.queues[SELF_FOUND]) && meet_at_rest(params, low, high);
    if (at_rest && params.only_new)
        return;
    __nvvm_atom_add_gen_i((int *)params.counts + c.pose, 1);
    if (!params.queues[SELF_FOUND])
        return;
    const uint64_t at = add_to(params.counters, SELF_FOUND, 1);
    if (at >= params.capacities[SELF_FOUND])
        return;
    uint32_t *out = (uint32_t *)params.queues[SELF_FOUND] + SELF_FOUND_WORDS * at;
    out[0] = c.pose;
    out[1] = low;
    out[2] = high | (at_rest ? 0x80000000u : 0);
}

/* For doubles. */
DEVICE void take_unsure(const self_params &params, uint2_t pair)
{
    const uint64_t at = add_to(params.counters, SELF_UNSURE, 1);
    if (at < params.capacities[SELF_UNSURE])
        ((uint2_t *)params.queues[SELF_UNSURE])[at] = pair;
}

/* For the host. The corners may have been turned. */
DEVICE void take_open(const self_params &params, const candidate &c)
{
    const uint64_t at = add_to(params.counters, SELF_OPEN, 1);
    if (at >= params.capacities[SELF_OPEN])
        return;
    uint32_t *out = (uint32_t *)params.queues[SELF_OPEN] + SELF_OPEN_WORDS * at;
    out[0] = c.pose;
    out[1] = c.numbers[0].w;
    out[2] = c.numbers[1].w;
#pragma unroll
    for (int i = 0; i < 3; i++)
#pragma unroll
        for (int k = 0; k < 3; k++) {
            out[3 + 3 * i + k] = as_word(c.a[i][k]);
            out[12 + 3 * i + k] = as_word(c.b[i][k]);
        }
}

/* A thread a pair. */
template <typename R> DEVICE void decide_all(const self_params &params, self_queue from)
{
    const uint64_t there = ((const uint64_t *)params.counters)[from];
    const uint64_t have = there < params.capacities[from] ? there : params.capacities[from];
    const uint64_t threads = (uint64_t)block_count() * thread_count();
    for (uint64_t x = (uint64_t)block_index() * thread_count() + thread_index(); x < have;
         x += threads) {
        const uint2_t pair = ((const uint2_t *)params.queues[from])[x];
        candidate c = load_candidate(params, pair);
        if (is_answered(params, c.pose))
            continue;
        const answer found = decide<R>(c, margin_of(spread_of(c), (R)0));
        if (found == MEET)
            take_found(params, c);
        else if (found == NOT_SURE && from == SELF_NEAR)
            take_unsure(params, pair);
        else if (found == NOT_SURE)
            take_open(params, c);
    }
}

KERNEL decide_float(const self_params params)
{
    decide_all<float>(params, SELF_NEAR);
}
KERNEL decide_double(const self_params params)
{
    decide_all<double>(params, SELF_UNSURE);
}
