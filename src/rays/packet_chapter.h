/* Many rays through the tree together: every node knows which rays of a packet may meet it, one bit
 * each, and is bounded, read and posed once for all of them. Included by ray_kernels.c only.
 */
#ifndef GRAZEI_RAYS_PACKET_CHAPTER_H
#define GRAZEI_RAYS_PACKET_CHAPTER_H

#include "base/assert.h"
#include "rays/walk_chapter.h"

/* So many rays through a patch are worth making its triangle set ready. */
#define RAYS_FOR_SET 4

#define STACK_SIZE (GRAZEI_MAX_OPEN + GRAZEI_MAX_ARITY + 4)

typedef struct packet_item {
    uint64_t rays;
    uint32_t node;
    float key; /* the least t at which one of them reaches it */
} packet_item;

typedef struct packet {
    grazei_view view;
    graze_stats *stats;
    const graze_ray *rays;
    grazei_ray_probe probes[GRAZEI_RAY_PACKET];
    grazei_ray_found best[GRAZEI_RAY_PACKET];
    uint32_t depth;
    packet_item stack[STACK_SIZE];
} packet;

/* Pushes those of four siblings that are met by a ray. */
static inline void push_four(packet *p, uint64_t rays, uint32_t first, uint32_t siblings)
{
    grazei_four_boxes boxes = grazei_load_boxes(&p->view, first, siblings);
    uint64_t met[4] = {0, 0, 0, 0};
    f4 least = f4_all(INFINITY);
    for (uint64_t left = rays; left; left &= left - 1) {
        int r = __builtin_ctzll(left);
        f4 keys;
        unsigned bits = grazei_pierce_four(&p->probes[r], &boxes, &keys);
        for (uint32_t k = 0; k < 4; k++)
            met[k] |= (uint64_t)(bits >> k & 1) << r;
        least = f4_min(least, keys);
    }
    for (uint32_t k = 0; k < 4 && k < siblings; k++) {
        p->stack[p->depth] = (packet_item){met[k], first + k, least[k]};
        GRAZE_ASSERT(p->depth < STACK_SIZE);
        p->depth += met[k] != 0;
    }
}

/* The nearest comes to lie on top. */
static inline void sort_packet(packet *p, uint32_t base)
{
    for (uint32_t i = base + 1; i < p->depth; i++) {
        packet_item item = p->stack[i];
        uint32_t at = i;
        for (; at > base && p->stack[at - 1].key < item.key; at--)
            p->stack[at] = p->stack[at - 1];
        p->stack[at] = item;
    }
}

static void open_packet_node(packet *p, uint64_t rays, grazei_node node)
{
    uint32_t base = p->depth;
    GRAZE_ASSERT(rays && node.count);
    grazei_body_bound(p->view.body, node.first, node.count, p->stats);
    p->stats->bound_tests += (uint64_t)node.count * (uint64_t)__builtin_popcountll(rays);
    for (uint32_t i = 0; i < node.count; i += 4)
        push_four(p, rays, node.first + i, node.count - i);
    sort_packet(p, base);
}

static void meet_patch(packet *p, int r, const grazei_posed_patch *patch)
{
    uint8_t near[GRAZEI_MAX_PATCH_TRIANGLES + 1];
    grazei_ray_found found;
    uint32_t count = grazei_pierced(&p->probes[r], p->view.body, patch, near);
    p->stats->triangle_tests += count;
    for (uint32_t i = 0; i < count; i++)
        if (grazei_ray_meets_local(&p->rays[r], patch, near[i], &found) &&
            grazei_ray_is_nearer(&found, &p->best[r])) {
            p->best[r] = found;
            p->probes[r].t_max = found.at.t;
        }
}

static void meet_packet_leaf(packet *p, uint64_t rays, uint32_t leaf)
{
    grazei_posed_patch patch = grazei_view_leaf(&p->view, leaf, p->stats);
    uint64_t met = 0;
    for (uint64_t left = rays; left; left &= left - 1) {
        int r = __builtin_ctzll(left);
        p->stats->bound_tests++;
        met |= (uint64_t)grazei_pierces(&p->probes[r], grazei_patch_box(&patch)) << r;
    }
    if (grazei_body_suits_lanes(p->view.body) && __builtin_popcountll(met) >= RAYS_FOR_SET)
        grazei_body_set(p->view.body, &patch);
    for (; met; met &= met - 1)
        meet_patch(p, __builtin_ctzll(met), &patch);
}

/* The rays that have no hit before this t. */
static inline uint64_t still_open(const packet *p, uint64_t rays, float key)
{
    uint64_t open = rays;
    for (uint64_t left = rays; left; left &= left - 1) {
        int r = __builtin_ctzll(left);
        open &= ~((uint64_t)(key > p->probes[r].t_max) << r);
    }
    return open;
}

static void cast_packet(graze_body *body, const graze_ray *rays, uint32_t count, graze_hit *hits,
                        graze_stats *stats)
{
    packet p;
    GRAZE_ASSERT(count > 0 && count <= GRAZEI_RAY_PACKET);
    p.view = grazei_body_view(body);
    p.stats = stats;
    p.rays = rays;
    p.stack[0] = (packet_item){UINT64_MAX >> (GRAZEI_RAY_PACKET - count), 0, -INFINITY};
    grazei_body_bound(body, 0, 1, stats);
    p.depth = !grazei_view_is_empty(&p.view, 0);
    grazei_bound root = grazei_view_box(&p.view, 0);
    for (uint32_t r = 0; r < count; r++) {
        p.probes[r] = grazei_probe_ray(&rays[r], &root);
        p.best[r].found = false;
    }
    while (p.depth) {
        packet_item item = p.stack[--p.depth];
        grazei_node node = p.view.nodes[item.node];
        uint64_t open = still_open(&p, item.rays, item.key);
        if (open && node.count)
            open_packet_node(&p, open, node);
        else if (open)
            meet_packet_leaf(&p, open, item.node);
    }
    for (uint32_t r = 0; r < count; r++)
        hits[r] = grazei_ray_hit_of(body, &p.best[r]);
}

#endif
