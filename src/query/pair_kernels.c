/* Two trees walked together: bounds are refitted just before they are tested (Kavan & Zara 2005,
 * section 4.2; the order of opening is ours).
 */
#include "query/pair.h"

#include "query/patches.h"
#include "query/walk.h"

static inline grazei_leaf leaf_at(const walk_side *side, uint32_t node)
{
    uint32_t patch = side->nodes[node].first;
    bool posed = grazei_body_has_patch(side->body, patch);
    return (grazei_leaf){side->body, patch, posed,
                         posed ? side->body->patches[patch] : as_box(side, node)};
}

static void meet_leaves(walk *w, grazei_pair_question *question, grazei_item pair)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    grazei_leaf leaf_a = leaf_at(a, pair.node[0]), leaf_b = leaf_at(b, pair.node[1]);
    grazei_meet_leaves(&leaf_a, &leaf_b, &question->batch, &question->outbox, w->stats);
    tighten(a, pair.node[0], leaf_a.patch);
    tighten(b, pair.node[1], leaf_b.patch);
    if (w->log) {
        grazei_log_add(w->log, pair);
        w->log->last_leaves = pair;
    }
}

/* Of two nodes of about the same size both are opened: half as many steps, for a few bounds that
 * may not have been needed. Else the larger one.
 */
#define ABOUT_THE_SAME 2.0f
#define OPENED_TOGETHER 4 /* children */

static inline __attribute__((always_inline)) void
walk_pairs(walk *w, grazei_pair_question *question, volumes kind, bool sorted)
{
    const walk_side *a = &w->sides[0], *b = &w->sides[1];
    grazei_agenda *agenda = w->agenda;
    do {
        grazei_item pair = agenda->items[--agenda->count];
        uint32_t count_a = a->nodes[pair.node[0]].count, count_b = b->nodes[pair.node[1]].count;
        if (!count_a && !count_b) {
            meet_leaves(w, question, pair);
            continue;
        }
        float size_a = size_of(a, pair.node[0], kind), size_b = size_of(b, pair.node[1], kind);
        if (!count_b || (count_a && size_a > ABOUT_THE_SAME * size_b))
            open_node(w, pair, 0, kind, sorted);
        else if (!count_a || size_b > ABOUT_THE_SAME * size_a)
            open_node(w, pair, 1, kind, sorted);
        else if (kind == BOX_BOX && count_a <= OPENED_TOGETHER && count_b <= OPENED_TOGETHER)
            open_both(w, pair, sorted);
        else
            open_node(w, pair, size_a < size_b, kind, sorted);
    } while (agenda->count && !question->outbox.stopped && !grazei_agenda_spent(agenda, w->stats));
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_pair_question *question = (grazei_pair_question *)base;
    walk w = {.sides = {make_side(base->bodies[0]), make_side(base->bodies[1])},
              .stats = stats,
              .agenda = agenda,
              .log = question->log};
    bool first = question->outbox.first;
    if (agenda->count) {
        if (w.sides[0].spheres != w.sides[1].spheres)
            walk_pairs(&w, question, MIXED, first);
        else if (w.sides[0].spheres)
            walk_pairs(&w, question, SPHERE_SPHERE, first);
        else if (first)
            walk_pairs(&w, question, BOX_BOX, true);
        else
            walk_pairs(&w, question, BOX_BOX, false);
    }
    if (question->batch.count && !question->outbox.stopped)
        grazei_batch_flush(&question->batch, &question->outbox);
    if (question->outbox.count)
        grazei_outbox_flush(&question->outbox);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_pair_kernels GRAZEI_ISA(pair_kernels) = {run};
