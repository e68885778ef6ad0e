/* The triangles of a patch against many rays: first the edge signs of a vector of triangles against
 * one ray, in floats with a margin, then what these leave open in doubles, a vector of pairs at a
 * time. Included by ray_kernels.c only, where lanes are wide.
 */
#ifndef GRAZEI_RAYS_WIDE_LEAF_CHAPTER_H
#define GRAZEI_RAYS_WIDE_LEAF_CHAPTER_H

#include "narrow/ray_wide.h"
#include "rays/walk_chapter.h"
#include "rays/wide_probe_chapter.h"

#if defined(GRAZEI_WIDE)

/* Pairs that wait for doubles are at most so many before those of another vector are added. */
#define WIDE_PAIRS 512

/* For so many rays rows are not worth making. */
#define WIDE_FEW 2

/* What a patch's triangles become: groups that fill a vector, each with a box, whose longest side
 * is in the place behind its least corner; then nine rows, x, y and z of the first corners, of the
 * second, of the third, from the origin that all rays have or from 0.
 */
typedef struct wide_rows {
    float from[3];
    float unused[13];
    float memory[]; /* boxes, then rows of stride floats */
} wide_rows;

#define WIDE_STRIDE(triangles) (((triangles) + 15u) & ~15u)
#define WIDE_FLOATS(triangles)                                                                     \
    (16 + WIDE_STRIDE(triangles) / GRAZEI_LANES * 8 + 9 * WIDE_STRIDE(triangles))

/* Slots have room for it. */
_Static_assert(GRAZEI_SLOTS_OF_RAYS *GRAZEI_INTERVAL_BYTES(64) >= WIDE_FLOATS(64) * sizeof(float),
               "64 triangles");
_Static_assert(GRAZEI_SLOTS_OF_RAYS *GRAZEI_INTERVAL_BYTES(GRAZEI_MAX_PATCH_TRIANGLES) >=
                   WIDE_FLOATS(GRAZEI_MAX_PATCH_TRIANGLES) * sizeof(float),
               "the most triangles");

/* The best hits so far. */
typedef struct wide_best {
    uint64_t found;
    float t[WIDE_RAYS], u[WIDE_RAYS], v[WIDE_RAYS];
    uint32_t triangle[WIDE_RAYS];
    uint8_t joint[WIDE_RAYS]; /* the fourth of its corners: see tree/patches.c */
    const float *corners[3][WIDE_RAYS];
} wide_best;

typedef struct wide_hunt {
    wide_probes probes;
    wide_best best;
    grazei_view view;
    graze_stats *stats;
    const graze_ray *rays;
    uint32_t pair_count;
    uint16_t pairs[WIDE_PAIRS + GRAZEI_MAX_PATCH_TRIANGLES]; /* a triangle and a ray: grazei_pair */
    float own[WIDE_FLOATS(GRAZEI_MAX_PATCH_TRIANGLES)] __attribute__((aligned(64)));
} wide_hunt;

/* ---- pairs of a triangle and a ray ---------------------------------------------------------- */

static void wide_take(wide_hunt *h, const grazei_posed_patch *patch, uint16_t pair, float t,
                      float u, float v)
{
    wide_best *best = &h->best;
    uint32_t number = grazei_pair_first(pair), r = grazei_pair_second(pair);
    uint32_t triangle = patch->names[number];
    const uint8_t *corners = patch->corners[number];
    if (best->found >> r & 1 &&
        !(t < best->t[r] || (t == best->t[r] && triangle < best->triangle[r])))
        return;
    best->found |= UINT64_C(1) << r;
    best->t[r] = h->probes.t_max[r] = t;
    best->u[r] = u;
    best->v[r] = v;
    best->triangle[r] = triangle;
    best->joint[r] = corners[3];
    for (int c = 0; c < 3; c++)
        best->corners[c][r] = patch->points[corners[c]];
}

static void wide_meet_some(wide_hunt *h, const grazei_posed_patch *patch, const uint16_t *numbers,
                           uint32_t count)
{
    grazei_ray_pairs pairs;
    for (uint32_t i = 0; i < GRAZEI_WIDE_DOUBLES; i++) {
        uint16_t pair = numbers[i < count ? i : 0];
        const float *row = h->probes.rows[grazei_pair_second(pair)];
        const uint8_t *corners = patch->corners[grazei_pair_first(pair)];
        pairs.origin[i] = row;
        pairs.dir[i] = row + 4;
        for (int c = 0; c < 3; c++)
            pairs.corners[c][i] = patch->points[corners[c]];
    }
    grazei_ray_meetings found = grazei_rays_meet(&pairs);
    uint32_t real = (1u << count) - 1;
    for (uint32_t bits = found.met & real; bits; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        wide_take(h, patch, numbers[i], found.t[i], found.u[i], found.v[i]);
    }
    for (uint32_t bits = found.open & real; bits; bits &= bits - 1) {
        uint16_t pair = numbers[__builtin_ctz(bits)];
        grazei_ray_found one;
        if (grazei_ray_meets_local(&h->rays[grazei_pair_second(pair)], patch,
                                   grazei_pair_first(pair), &one))
            wide_take(h, patch, pair, one.at.t, one.at.u, one.at.v);
    }
}

static void wide_meet_pairs(wide_hunt *h, const grazei_posed_patch *patch)
{
    h->stats->triangle_tests += h->pair_count;
    for (uint32_t i = 0; i < h->pair_count; i += GRAZEI_WIDE_DOUBLES) {
        uint32_t left = h->pair_count - i;
        wide_meet_some(h, patch, h->pairs + i,
                       left < GRAZEI_WIDE_DOUBLES ? left : GRAZEI_WIDE_DOUBLES);
    }
    h->pair_count = 0;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* One group: lanes beyond its last triangle repeat the first. */
static inline void wide_make_group(const grazei_posed_patch *patch, const float from[3],
                                   uint32_t first, float *box, float *rows, size_t stride)
{
    lanes least[3], most[3];
    for (int c = 0; c < 3; c++) {
        const float *points[GRAZEI_LANES];
        lanes corner[4];
        for (uint32_t i = 0; i < GRAZEI_LANES; i++) {
            uint32_t number = first + i < patch->triangle_count ? first + i : first;
            points[i] = patch->points[patch->corners[number][c]];
        }
        lanes_load_rows(points, 0, corner);
        for (int k = 0; k < 3; k++) {
            least[k] = c ? lanes_min(least[k], corner[k]) : corner[k];
            most[k] = c ? lanes_max(most[k], corner[k]) : corner[k];
            lanes_store(rows + (size_t)(3 * c + k) * stride + first,
                        lanes_sub(corner[k], lanes_set(from[k])));
        }
    }
    box[3] = box[7] = 0;
    for (int k = 0; k < 3; k++) {
        box[WIDE_LEAST + k] = -lanes_least(least[k]);
        box[WIDE_GREATEST + k] = lanes_most(most[k]);
        float side = box[WIDE_LEAST + k] + box[WIDE_GREATEST + k];
        box[3] = side > box[3] ? side : box[3];
    }
}

static void wide_make_rows(const grazei_posed_patch *patch, wide_rows *made)
{
    uint32_t stride = WIDE_STRIDE(patch->triangle_count);
    float *rows = made->memory + stride / GRAZEI_LANES * 8;
    for (uint32_t first = 0; first < patch->triangle_count; first += GRAZEI_LANES)
        wide_make_group(patch, made->from, first, made->memory + first / GRAZEI_LANES * 8, rows,
                        stride);
}

/* Those that are kept, or made now: in slots of the body, or else in the packet's own memory. */
static const wide_rows *wide_rows_of(wide_hunt *h, const grazei_posed_patch *patch)
{
    const float none[3] = {0, 0, 0}, *from = h->probes.fan ? h->probes.rows[0] : none;
    size_t floats = sizeof h->own / sizeof *h->own;
    bool kept = grazei_body_has_ray_rows(h->view.body, patch->number);
    float *room = grazei_body_ray_rows(h->view.body, patch->number, &floats);
    wide_rows *rows = (wide_rows *)(void *)(room ? room : h->own);
    GRAZE_ASSERT(WIDE_FLOATS(patch->triangle_count) <= floats);
    if (!kept || memcmp(rows->from, from, sizeof rows->from) != 0) {
        memcpy(rows->from, from, sizeof rows->from);
        wide_make_rows(patch, rows);
    }
    return rows;
}

/* ---- edge signs ----------------------------------------------------------------------------- */

/* Which triangles of a vector the line of ray r may meet.
 *
 * In the plane across the largest axis of dir the line is the point 0 and a corner is (f, g), the
 * two forms of ray.c, each off by at most the margin e. If the line meets the triangle, f and g are
 * at most 2 D, where D is the longest side of the triangle's box, and the three f_a g_b - f_b g_a
 * have one sign or are 0. Computed ones are off by at most 4 (2 D) e + 2 e^2 for the errors of f
 * and g, and by 4 u (2 D + e)^2 for three roundings, where u D <= e / 16 since D is at most twice
 * the reach Q that e is 32 u Q of: by less than 10 e (D + e) together, or by underflow. Where one
 * of them is above that and another below its negative the line passes the triangle.
 */
GRAZEI_INLINE uint32_t wide_pierce_triangles(const wide_probes *p, uint32_t r, const float *corners,
                                             size_t stride, float longest, bool fan)
{
    size_t m = (size_t)p->axis[r], i = m == 2 ? 0 : m + 1, j = m == 0 ? 2 : m - 1;
    float e = p->margin[r], error = 10 * e * (longest * (1 + 0x1p-20f) + e) + 0x1p-120f;
    lanes from_m = lanes_set(p->rows[r][m]), from_i = lanes_set(p->rows[r][i]);
    lanes from_j = lanes_set(p->rows[r][j]);
    lanes to_f = lanes_set(p->forms[0][r]), to_g = lanes_set(p->forms[1][r]), f[3], g[3], sign[3];
    for (int c = 0; c < 3; c++) {
        const float *corner = corners + (size_t)(3 * c) * stride;
        lanes main = lanes_load(corner + m * stride);
        f[c] = lanes_load(corner + i * stride);
        g[c] = lanes_load(corner + j * stride);
        if (!fan) {
            main = lanes_sub(main, from_m);
            f[c] = lanes_sub(f[c], from_i);
            g[c] = lanes_sub(g[c], from_j);
        }
        f[c] = lanes_sub(f[c], lanes_mul(to_f, main));
        g[c] = lanes_sub(g[c], lanes_mul(to_g, main));
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        sign[a] = lanes_sub(lanes_mul(f[a], g[b]), lanes_mul(f[b], g[a]));
    }
    lanes_mask below = lanes_less(lanes_min3(sign[0], sign[1], sign[2]), lanes_set(-error));
    lanes_mask above = lanes_less(lanes_set(error), lanes_max3(sign[0], sign[1], sign[2]));
    return ~mask_bits(mask_and(below, above));
}

/* Lists the pairs of one group, and tests them if they are many. */
GRAZEI_INLINE void wide_meet_group(wide_hunt *h, uint64_t rays, const grazei_posed_patch *patch,
                                   const wide_rows *made, uint32_t first, bool fan)
{
    static const uint16_t numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    uint32_t stride = WIDE_STRIDE(patch->triangle_count), left = patch->triangle_count - first;
    uint32_t there = left >= GRAZEI_LANES ? GRAZEI_LANES_ALL : (1u << left) - 1;
    const float *rows = made->memory + stride / GRAZEI_LANES * 8 + first;
    float longest = made->memory[first / GRAZEI_LANES * 8 + 3];
    for (; rays; rays &= rays - 1) {
        uint32_t r = (uint32_t)__builtin_ctzll(rays);
        uint32_t bits = there & wide_pierce_triangles(&h->probes, r, rows, stride, longest, fan);
        if (!bits)
            continue;
        h->pair_count +=
            (uint32_t)lanes_pack(h->pairs + h->pair_count, numbers, grazei_pair(first, r), bits);
        if (h->pair_count > WIDE_PAIRS)
            wide_meet_pairs(h, patch);
    }
}

GRAZEI_INLINE void wide_meet_groups(wide_hunt *h, uint64_t rays, const grazei_posed_patch *patch,
                                    const wide_rows *made, bool fan)
{
    uint32_t groups = (patch->triangle_count + GRAZEI_LANES - 1) / GRAZEI_LANES;
    for (uint32_t g = 0; g < groups; g += 4) {
        uint64_t met[4];
        uint32_t count = groups - g < 4 ? groups - g : 4;
        wide_pierce(&h->probes, rays, (const grazei_bound *)(const void *)(made->memory + 8 * g),
                    count, met, NULL);
        for (uint32_t i = 0; i < count; i++)
            wide_meet_group(h, met[i], patch, made, (g + i) * GRAZEI_LANES, fan);
    }
    wide_meet_pairs(h, patch);
}

/* Lists the triangles that one ray may meet, by the patch's points: without rows. */
static void wide_meet_alone(wide_hunt *h, uint32_t r, const grazei_posed_patch *patch)
{
    uint8_t near[GRAZEI_MAX_PATCH_TRIANGLES + 1];
    const wide_probes *p = &h->probes;
    grazei_ray_probe probe = {.margin = p->margin[r], .origin = f4_load3(p->rows[r])};
    grazei_make_forms(probe.forms, (int)p->axis[r], p->forms[0][r], p->forms[1][r]);
    uint32_t count = grazei_pierced_forms(&probe, patch, near);
    for (uint32_t i = 0; i < count; i++)
        h->pairs[h->pair_count++] = grazei_pair(near[i], r);
    if (h->pair_count > WIDE_PAIRS)
        wide_meet_pairs(h, patch);
}

static void wide_meet_leaf(wide_hunt *h, uint64_t rays, uint32_t leaf)
{
    grazei_posed_patch patch = grazei_view_leaf(&h->view, leaf, h->stats);
    uint64_t met[4];
    h->stats->bound_tests += (uint64_t)__builtin_popcountll(rays);
    wide_pierce(&h->probes, rays, grazei_patch_box(&patch), 1, met, NULL);
    if (__builtin_popcountll(met[0]) <= WIDE_FEW &&
        !grazei_body_has_ray_rows(h->view.body, patch.number)) {
        for (; met[0]; met[0] &= met[0] - 1)
            wide_meet_alone(h, (uint32_t)__builtin_ctzll(met[0]), &patch);
        wide_meet_pairs(h, &patch);
        return;
    }
    const wide_rows *made = wide_rows_of(h, &patch);
    if (h->probes.fan)
        wide_meet_groups(h, met[0], &patch, made, true);
    else
        wide_meet_groups(h, met[0], &patch, made, false);
}

#endif

#endif
