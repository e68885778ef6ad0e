/* A ray through the tree: nearest node first, bounded just before it is looked at. */
#include "rays/walk_chapter.h"
#if !defined(GRAZE_SMALL)
#include "rays/packet_chapter.h"
#include "rays/wide_chapter.h"
#endif

static inline void open_node(grazei_ray_question *question, grazei_agenda *agenda,
                             const grazei_view *view, grazei_node node, graze_stats *stats)
{
    uint32_t base = agenda->count;
    grazei_body_bound(view->body, node.first, node.count, stats);
    stats->bound_tests += node.count;
    for (uint32_t i = 0; i < node.count; i += 4) {
        f4 keys;
        grazei_four_boxes boxes = grazei_load_boxes(view, node.first + i, node.count - i);
        unsigned bits = grazei_pierce_four(&question->probe, &boxes, &keys);
        if (node.count - i < 4)
            bits &= (1u << (node.count - i)) - 1;
        for (uint32_t k = 0; k < 4; k++) {
            agenda->items[agenda->count].node = node.first + i + k;
            agenda->keys[agenda->count] = keys[k];
            agenda->count += bits >> k & 1;
        }
    }
    grazei_agenda_sort(agenda, base);
}

static void meet_leaf(grazei_ray_question *question, const grazei_view *view, uint32_t leaf,
                      graze_stats *stats)
{
    uint8_t near[GRAZEI_MAX_PATCH_TRIANGLES + 1];
    grazei_ray_found found;
    bool again = grazei_view_is_posed(view, leaf);
    grazei_posed_patch patch = grazei_view_leaf(view, leaf, stats);
    stats->bound_tests++;
    if (!grazei_pierces(&question->probe, grazei_patch_box(&patch)))
        return;
    if (again && grazei_body_suits_lanes(view->body)) /* more rays are likely to come: it pays */
        grazei_body_set(view->body, &patch);
    uint32_t count = grazei_pierced(&question->probe, view->body, &patch, near);
    stats->triangle_tests += count;
    for (uint32_t i = 0; i < count && !question->stopped; i++)
        if (grazei_ray_meets_local(&question->ray, &patch, near[i], &found))
            grazei_ray_take(question, &found);
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_ray_question *question = (grazei_ray_question *)base;
    grazei_view view = grazei_body_view(base->bodies[0]);
    while (agenda->count && !question->stopped) {
        uint32_t number = agenda->items[--agenda->count].node;
        if (agenda->keys[agenda->count] > question->probe.t_max)
            continue;
        grazei_node node = view.nodes[number];
        if (node.count)
            open_node(question, agenda, &view, node, stats);
        else
            meet_leaf(question, &view, number, stats);
        if (grazei_agenda_spent(agenda, stats))
            break;
    }
    grazei_ray_flush(question);
    if (question->stopped)
        agenda->count = 0;
}

#if defined(GRAZE_SMALL) /* where code travels, nobody asks for many */
const grazei_ray_kernels GRAZEI_ISA(ray_kernels) = {run, NULL, NULL};
#elif defined(GRAZEI_WIDE)
static void cast_some(graze_body *body, const graze_ray *rays, uint32_t count, graze_hit *hits,
                      graze_stats *stats)
{
    if (grazei_body_suits_lanes(body))
        cast_wide(body, rays, count, hits, stats);
    else
        cast_packet(body, rays, count, hits, stats);
}

const grazei_ray_kernels GRAZEI_ISA(ray_kernels) = {run, cast_some, wide_are_fine};
#else
const grazei_ray_kernels GRAZEI_ISA(ray_kernels) = {run, cast_packet, NULL};
#endif
