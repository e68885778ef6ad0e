/* A ray through the tree: nearest node first, bounded just before it is looked at. */
#include "query/ray_packet.h"
#include "query/ray_walk.h"

/* The items pushed from `base` on, put in order: the nearest comes to lie on top. */
static inline void sort_pushed(grazei_agenda *agenda, uint32_t base)
{
    for (uint32_t i = base + 1; i < agenda->count; i++) {
        grazei_item item = agenda->items[i];
        float key = agenda->keys[i];
        uint32_t at = i;
        for (; at > base && agenda->keys[at - 1] < key; at--) {
            agenda->keys[at] = agenda->keys[at - 1];
            agenda->items[at] = agenda->items[at - 1];
        }
        agenda->keys[at] = key;
        agenda->items[at] = item;
    }
}

static inline void open_node(grazei_ray_question *question, grazei_agenda *agenda, graze_body *body,
                             grazei_node node, graze_stats *stats)
{
    bool spheres = body->model->tree.def.volume == GRAZE_SPHERES;
    uint32_t base = agenda->count;
    grazei_body_bound(body, node.first, node.count, stats);
    stats->bound_tests += node.count;
    for (uint32_t i = 0; i < node.count; i += 4) {
        f4 keys;
        grazei_four_boxes boxes = grazei_load_boxes(&body->bounds[node.first + i], spheres);
        unsigned bits = grazei_pierce_four(&question->probe, &boxes, &keys);
        if (node.count - i < 4)
            bits &= (1u << (node.count - i)) - 1;
        for (uint32_t k = 0; k < 4; k++) {
            agenda->items[agenda->count].node[0] = node.first + i + k;
            agenda->keys[agenda->count] = keys[k];
            agenda->count += bits >> k & 1;
        }
    }
    sort_pushed(agenda, base);
}

static void meet_leaf(grazei_ray_question *question, graze_body *body, uint32_t leaf,
                      graze_stats *stats)
{
    uint32_t number = body->model->tree.nodes[leaf].first;
    const grazei_patch *patch = &body->model->tree.patches[number];
    uint8_t near[GRAZEI_MAX_PATCH_TRIANGLES + 1];
    grazei_ray_found found;
    bool again = body->patches[number].stamp == body->stamp;
    grazei_body_patch(body, number, stats);
    grazei_tighten_leaf(body, leaf, number);
    stats->bound_tests++;
    if (!grazei_pierces(&question->probe, &body->patches[number]))
        return;
    if (again && body->sets) /* more rays are likely to come: it pays */
        grazei_patch_set(body, number);
    uint32_t count = grazei_pierced(&question->probe, body, number, near);
    stats->triangle_tests += count;
    for (uint32_t i = 0; i < count && !question->stopped; i++)
        if (grazei_ray_meets_local(&question->ray, body, patch, near[i], &found))
            grazei_ray_take(question, &found);
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_ray_question *question = (grazei_ray_question *)base;
    graze_body *body = base->bodies[0];
    while (agenda->count && !question->stopped) {
        uint32_t number = agenda->items[--agenda->count].node[0];
        if (agenda->keys[agenda->count] > question->probe.t_max)
            continue;
        grazei_node node = body->model->tree.nodes[number];
        if (node.count)
            open_node(question, agenda, body, node, stats);
        else
            meet_leaf(question, body, number, stats);
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    grazei_ray_flush(question);
    if (question->stopped)
        agenda->count = 0;
}

const grazei_ray_kernels GRAZEI_ISA(ray_kernels) = {run, GRAZEI_ISA(ray_packet)};
