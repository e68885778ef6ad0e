/* Many rays through the tree together, as packet_chapter.h does it, where lanes are wide: boxes
 * against a ray in each lane, triangles by wide_leaf_chapter.h. Included by ray_kernels.c only.
 */
#ifndef GRAZEI_RAYS_WIDE_CHAPTER_H
#define GRAZEI_RAYS_WIDE_CHAPTER_H

#include "rays/packet_chapter.h"
#include "rays/wide_leaf_chapter.h"

#if defined(GRAZEI_WIDE)

/* Bounds and tests the children of a node; the nearest comes to lie on top. Returns the depth. */
static uint32_t wide_open(wide_hunt *h, packet_item *stack, uint32_t depth, uint64_t rays,
                          grazei_node node)
{
    uint32_t base = depth;
    grazei_body_bound(h->view.body, node.first, node.count, h->stats);
    h->stats->bound_tests += (uint64_t)node.count * (uint64_t)__builtin_popcountll(rays);
    for (uint32_t i = 0; i < node.count; i += 4) {
        uint32_t count = node.count - i < 4 ? node.count - i : 4;
        uint64_t met[4];
        float keys[4];
        grazei_bound boxes[4];
        const grazei_bound *four = &h->view.bounds[node.first + i];
        for (uint32_t c = 0; h->view.spheres && c < count; c++)
            boxes[c] = grazei_view_box(&h->view, node.first + i + c);
        wide_pierce(&h->probes, rays, h->view.spheres ? boxes : four, count, met, keys);
        for (uint32_t c = 0; c < count; c++) {
            GRAZE_ASSERT(depth < STACK_SIZE);
            packet_item item = {met[c], node.first + i + c, keys[c]};
            uint32_t at = depth;
            if (!met[c])
                continue;
            for (; at > base && stack[at - 1].key < item.key; at--)
                stack[at] = stack[at - 1];
            stack[at] = item;
            depth++;
        }
    }
    return depth;
}

static void wide_walk(wide_hunt *h, uint64_t rays)
{
    packet_item stack[STACK_SIZE];
    uint32_t depth = 1;
    stack[0] = (packet_item){rays, 0, -INFINITY};
    while (depth) {
        packet_item item = stack[--depth];
        grazei_node node = h->view.nodes[item.node];
        uint64_t open = wide_still_open(&h->probes, item.rays, item.key);
        if (open && node.count)
            depth = wide_open(h, stack, depth, open, node);
        else if (open)
            wide_meet_leaf(h, open, item.node);
    }
}

/* ---- answers -------------------------------------------------------------------------------- */

/* Of up to a vector of rays, all of them with hits: as grazei_ray_hit_of. */
static void wide_answer_some(const wide_hunt *h, const grazei_mesh *mesh, const uint8_t *which,
                             uint32_t count, graze_hit *hits)
{
    const wide_best *best = &h->best;
    const float *corners[3][GRAZEI_WIDE_DOUBLES];
    float u[GRAZEI_WIDE_DOUBLES], v[GRAZEI_WIDE_DOUBLES];
    float points[3][GRAZEI_WIDE_DOUBLES], normals[3][GRAZEI_WIDE_DOUBLES];
    for (uint32_t i = 0; i < GRAZEI_WIDE_DOUBLES; i++) {
        uint32_t r = which[i < count ? i : 0];
        u[i] = best->u[r];
        v[i] = best->v[r];
        for (int c = 0; c < 3; c++)
            corners[c][i] = best->corners[c][r];
    }
    grazei_wide_points(corners, u, v, points, normals);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t r = which[i], triangle = best->triangle[r];
        graze_hit *hit = &hits[r];
        hit->found = true;
        hit->triangle = triangle;
        hit->part = mesh->triangle_parts[triangle];
        hit->joint = grazei_ray_joint(mesh, triangle, best->joint[r], u[i], v[i]);
        hit->t = best->t[r];
        for (int k = 0; k < 3; k++) {
            hit->point[k] = points[k][i];
            hit->normal[k] = normals[k][i];
        }
        hit->uv[0] = u[i];
        hit->uv[1] = v[i];
    }
}

static void wide_answer(const wide_hunt *h, uint32_t count, graze_hit *hits)
{
    const grazei_mesh *mesh = grazei_body_mesh(h->view.body);
    for (uint32_t r = 0; r < count; r++)
        if (!(h->best.found >> r & 1))
            hits[r] = (graze_hit){.found = false};
    for (uint64_t found = h->best.found; found;) {
        uint8_t which[GRAZEI_WIDE_DOUBLES];
        uint32_t n = 0;
        for (; n < GRAZEI_WIDE_DOUBLES && found; found &= found - 1)
            which[n++] = (uint8_t)__builtin_ctzll(found);
        wide_answer_some(h, mesh, which, n, hits);
    }
}

static void cast_wide(graze_body *body, const graze_ray *rays, uint32_t count, graze_hit *hits,
                      graze_stats *stats)
{
    wide_hunt h;
    GRAZE_ASSERT(count > 0 && count <= GRAZEI_RAY_PACKET);
    h.view = grazei_body_view(body);
    h.stats = stats;
    h.rays = rays;
    h.pair_count = 0;
    h.best.found = 0;
    grazei_body_bound(body, 0, 1, stats);
    if (!grazei_view_is_empty(&h.view, 0)) {
        grazei_bound root = grazei_view_box(&h.view, 0);
        wide_make_probes(&h.probes, rays, count, &root);
        wide_walk(&h, UINT64_MAX >> (GRAZEI_RAY_PACKET - count));
    }
    wide_answer(&h, count, hits);
}

#endif

#endif
