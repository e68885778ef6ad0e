/* Two trees walked together: bounds are refitted just before they are tested (Kavan & Zara 2005,
 * section 4.2; the order of opening is ours).
 */
#include "pairs/pair.h"

#include "pairs/across.h"
#include "query/askew.h"
#include "query/batch_kernels.h"
#include "query/walk.h"

/* ---- leaves --------------------------------------------------------------------------------- */

/* Whether two leaves overlap, posing what is not posed yet: the second one only if it may meet the
 * first one's exact box and what is measured of it.
 */
static inline bool leaves_overlap(const grazei_view *first, uint32_t leaf_first,
                                  const grazei_view *second, uint32_t leaf_second, bool lanes_suit,
                                  graze_stats *stats)
{
    grazei_posed_patch patch = grazei_view_leaf(first, leaf_first, stats);
    grazei_box_probe probe = grazei_probe_box(grazei_patch_box(&patch));
    bool posed = grazei_view_is_posed(second, leaf_second);
    grazei_bound box = posed ? second->boxes[second->nodes[leaf_second].first]
                             : grazei_view_box(second, leaf_second);
    stats->bound_tests++;
    if (!grazei_boxes_overlap(&probe, &box))
        return false;
    if (posed)
        return true;
    if (lanes_suit) {
        const grazei_intervals *measured = grazei_body_measured(first->body, &patch);
        if (GRAZEI_ISA(interval_kernels).misses_box(measured, box.low_negated, box.high))
            return false;
    }
    grazei_view_pose_leaf(second, leaf_second, stats);
    stats->bound_tests++;
    return grazei_boxes_overlap(&probe, &second->boxes[second->nodes[leaf_second].first]);
}

/* Two patches whose triangles are reported. */
typedef struct patch_pair {
    grazei_posed_patch a, b;
    grazei_outbox *outbox;
} patch_pair;

static void meet_in_lanes(walk *w, const patch_pair *p, grazei_candidates *batch)
{
    uint16_t pairs[GRAZEI_FOUND_PAIRS];
    uint64_t masks[GRAZEI_PATCH_TRIANGLES][2];
    grazei_askew askew = {.ways = w->ways, .patches = {&p->a, &p->b}, .masks = masks};
    grazei_interval_search search;
    grazei_own_rows *own = w->own;
    graze_body *body_a = w->sides[0].body, *body_b = w->sides[1].body;
    const grazei_intervals *a = grazei_body_measured(body_a, &p->a);
    const grazei_intervals *b = grazei_body_measured(body_b, &p->b);
    if (!GRAZEI_ISA(interval_kernels).overlap(&search, a, b) ||
        grazei_are_askew(w->ways, &p->a, &p->b))
        return;
    if (p->outbox->first)
        search.enough = GRAZEI_FEW_CANDIDATES;
    const uint8_t *rows_a = grazei_body_rows(body_a, &p->a, a, UINT32_MAX, &own[0]);
    const uint8_t *rows_b = grazei_body_rows(body_b, &p->b, b, UINT32_MAX, &own[1]);
    if (!GRAZEI_ISA(interval_kernels).begin(&search, rows_a, rows_b))
        return;
    for (size_t count;
         (count = grazei_next_askew(&search, &askew, pairs, &w->stats->triangle_tests));) {
        grazei_batch_add(batch, &p->a, &p->b, pairs, count, 0, p->outbox);
        w->effort += GRAZEI_ACROSS_CANDIDATE * count;
        if (p->outbox->stopped || !grazei_search_goes_on(&search))
            return;
        /* The caller was called, and may have asked something else of these bodies. */
        grazei_body_rows(body_a, &p->a, a, UINT32_MAX, &own[0]);
        grazei_body_rows(body_b, &p->b, b, UINT32_MAX, &own[1]);
    }
}

/* The triangles of two small patches. */
static void meet_one_by_one(walk *w, const patch_pair *p, grazei_candidates *batch)
{
    for (uint32_t i = 0; i < p->a.triangle_count; i++)
        for (uint32_t k = 0; k < p->b.triangle_count && !p->outbox->stopped; k++)
            grazei_batch_add_single(batch, &p->a, i, &p->b, k, p->outbox, w->stats);
}

static void meet_leaves(walk *w, grazei_pair_question *question, grazei_pair_item pair)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    uint32_t leaf_a = pair.node[0], leaf_b = pair.node[1];
    bool lanes_suit = grazei_body_suits_lanes(a->body) && grazei_body_suits_lanes(b->body);
    bool a_first = grazei_view_is_posed(a, leaf_a) || !grazei_view_is_posed(b, leaf_b);
    if (question->last_leaves)
        *question->last_leaves = pair;
    if (!(a_first ? leaves_overlap(a, leaf_a, b, leaf_b, lanes_suit, w->stats)
                  : leaves_overlap(b, leaf_b, a, leaf_a, lanes_suit, w->stats)))
        return;
    patch_pair p = {grazei_posed_patch_of(a->body, a->nodes[leaf_a].first),
                    grazei_posed_patch_of(b->body, b->nodes[leaf_b].first), &question->outbox};
    if (lanes_suit)
        meet_in_lanes(w, &p, &question->batch);
    else
        meet_one_by_one(w, &p, &question->batch);
}

/* ---- many in vain --------------------------------------------------------------------------- */

/* So much work a walk may do without asking. */
#define LITTLE_EFFORT 16384

/* Whether all pairs may be found again in another way: nothing was reported, and the walk need not
 * stop in between.
 */
static bool may_begin_again(const walk *w, const grazei_outbox *outbox)
{
    const grazei_agenda *agenda = w->agenda;
    return !outbox->reported && !outbox->stopped && !agenda->stop &&
           (agenda->last_bound_test & agenda->last_triangle_test) == UINT64_MAX;
}

/* A walk that has become long: bodies are looked at once more as a whole. What was found and not
 * reported is found again then. The web's modules do without.
 */
static __attribute__((noinline, unused)) void look_across(walk *w, grazei_pair_question *question)
{
    grazei_across across;
    graze_body *a = w->sides[0].body, *b = w->sides[1].body;
    uint64_t patience = grazei_across_patience(a, b);
    bool early = w->effort + w->ways->effort + w->stats->triangle_tests <= patience;
    w->patience = early ? patience : UINT64_MAX;
    if (early || question->last_leaves || !may_begin_again(w, &question->outbox) ||
        !grazei_across_begin(&across, a, b, w->stats))
        return;
    question->outbox.count = question->batch.count = w->agenda->count = 0;
    while (!question->outbox.stopped && grazei_across_next(&across, &question->batch))
        grazei_batch_flush(&question->batch, &question->outbox);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Where one pair is enough: after leaves without a hit the best of all is the next, but for the
 * first so many the best of the last so many that were put on the agenda.
 */
#define NEARBY_LEAVES 2
#define NEARBY 8

/* Looks at two leaves, or opens one of two nodes or both. */
static inline __attribute__((always_inline)) void look_at(walk *w, grazei_pair_question *question,
                                                          grazei_pair_item pair, volumes kind,
                                                          bool by_promise, uint32_t *missed)
{
    const grazei_view *a = &w->sides[0], *b = &w->sides[1];
    grazei_agenda *agenda = w->agenda;
    uint32_t count_a = a->nodes[pair.node[0]].count, count_b = b->nodes[pair.node[1]].count;
    if (!count_a && !count_b) {
        meet_leaves(w, question, pair);
        if (by_promise && kind != SPHERE_SPHERE && agenda->count > 1 &&
            agenda->count <= GRAZEI_AGENDA_CHOICE)
            raise_best(agenda, (*missed)++ < NEARBY_LEAVES ? NEARBY : GRAZEI_AGENDA_CHOICE);
        return;
    }
    open_nodes(w, pair, kind, by_promise, LESS_CODE && kind != BOX_BOX);
}

static inline __attribute__((always_inline)) void
walk_pairs(walk *w, grazei_pair_question *question, volumes kind, bool by_promise)
{
    grazei_agenda *agenda = w->agenda;
    const uint32_t room = by_promise ? 0 : room_to_take(w, GRAZEI_MAX_ARITY);
    uint32_t missed = 0;
    do {
        grazei_pair_item pairs[TAKEN_TOGETHER];
        uint32_t count = count_taken(agenda, room);
        agenda->count -= count;
        for (uint32_t i = 0; i < count; i++)
            pairs[i] = agenda->items[agenda->count + i].pair;
        for (uint32_t i = 0; i < count && !question->outbox.stopped; i++)
            look_at(w, question, pairs[i], kind, by_promise, &missed);
#if !defined(GRAZE_SMALL)
        if (w->effort + w->ways->effort + w->stats->triangle_tests > w->patience)
            look_across(w, question);
#endif
    } while (agenda->count && !question->outbox.stopped && !grazei_agenda_spent(agenda, w->stats));
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_pair_question *question = (grazei_pair_question *)base;
    grazei_own_rows own[2];
    grazei_ways ways;
    walk w = {.sides = {grazei_body_view(base->bodies[0]), grazei_body_view(base->bodies[1])},
              .stats = stats,
              .agenda = agenda,
              .own = own,
              .ways = &ways,
              .effort = 0 - stats->triangle_tests, /* of other walks */
              .patience = LITTLE_EFFORT};
    own[0].number = own[1].number = UINT32_MAX;
    ways.known = false;
    ways.effort = ways.found = 0;
    volumes kind = volumes_of(w.sides);
    bool first = question->outbox.first;
    grazei_batch_aim(&question->batch, &w.sides[0], &w.sides[1]);
#if defined(__wasm__) /* where code travels, fewer copies of it */
    if (kind != BOX_BOX)
        walk_pairs(&w, question, kind, first);
#else
    if (kind == MIXED)
        walk_pairs(&w, question, MIXED, first);
    else if (kind == SPHERE_SPHERE)
        walk_pairs(&w, question, SPHERE_SPHERE, first);
#endif
    else if (first)
        walk_pairs(&w, question, BOX_BOX, true);
    else
        walk_pairs(&w, question, BOX_BOX, false);
    grazei_batch_finish(&question->batch, &question->outbox);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_pair_kernels GRAZEI_ISA(pair_kernels) = {run};
