/* A tree walked against itself.
 *
 * A node is looked at once by itself and once against each of its later siblings. What a pose
 * cannot have folded is skipped unseen (folds/folds.h); adjacent patches that it may have folded
 * are posed and their triangles tested, neighbours left out first, because they always meet.
 */
#include "query/self.h"

#include "mesh/weld.h"
#include "query/neighbours.h"
#include "query/pair.h"
#include "query/patches.h"
#include "query/walk.h"

/* Tests pairs of triangles of two patches, by way of the batch: there are few of them. */
static void meet_pairs(graze_body *body, grazei_self_question *question, uint32_t number_a,
                       uint32_t number_b, const uint16_t *pairs, size_t count, graze_stats *stats)
{
    const grazei_patch *patch_a = &body->model->tree.patches[number_a];
    const grazei_patch *patch_b = &body->model->tree.patches[number_b];
    for (size_t i = 0; i < count && !question->outbox.stopped; i++)
        grazei_meet_two(body, patch_a, grazei_pair_first(pairs[i]), body, patch_b,
                        grazei_pair_second(pairs[i]), &question->batch, &question->outbox, stats);
}

/* Candidates of two patches of a model without a table. */
static size_t find_candidates(const graze_body *body, uint32_t number_a, uint32_t number_b,
                              const grazei_triangle_set *set_a, const grazei_triangle_set *set_b,
                              uint16_t *pairs)
{
    uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS];
    size_t count;
    if (number_a == number_b) {
        count = GRAZEI_LANES_TABLE.box_pairs(set_a, NULL, 0, set_b, NULL, 0, pairs);
    } else {
        size_t count_a = grazei_set_within(set_a, &body->patches[number_b], near_a);
        size_t count_b = count_a ? grazei_set_within(set_b, &body->patches[number_a], near_b) : 0;
        if (!count_b)
            return 0;
        count = GRAZEI_LANES_TABLE.box_pairs(set_a, near_a, count_a, set_b, near_b, count_b, pairs);
    }
    return count ? grazei_drop_neighbours(body->model, number_a, number_b, pairs, count) : 0;
}

/* The same where the table knows the neighbours. */
static size_t find_candidates_by_table(const graze_body *body, uint32_t number_a, uint32_t number_b,
                                       const grazei_triangle_set *set_a,
                                       const grazei_triangle_set *set_b, uint16_t *pairs)
{
    const grazei_folds *folds = &body->model->folds;
    uint16_t numbers[GRAZEI_SET_NUMBERS];
    if (number_a == number_b) {
        for (uint32_t i = 0; i < set_a->count; i++)
            numbers[i] = (uint16_t)i;
        uint32_t first = body->model->tree.patches[number_a].first_triangle;
        return GRAZEI_LANES_TABLE.box_pairs_but(set_a, numbers, set_a->count, set_b,
                                                (const uint64_t(*)[2])folds->masks + first, pairs);
    }
    uint64_t masks[GRAZEI_SET_TRIANGLES][2], picked[GRAZEI_SET_TRIANGLES][2];
    size_t count = grazei_set_within(set_a, &body->patches[number_b], numbers);
    if (!count)
        return 0;
    for (size_t i = 0; i < count; i++)
        masks[numbers[i]][0] = masks[numbers[i]][1] = 0;
    const grazei_near *near = grazei_folds_near(folds, number_a, number_b);
    const uint16_t *neighbours = near ? folds->listed + near->first_listed + near->listed_count : 0;
    for (uint32_t i = 0; near && i < near->neighbour_count; i++) {
        uint32_t b = grazei_pair_second(neighbours[i]);
        masks[grazei_pair_first(neighbours[i])][b >> 6] |= 1ull << (b & 63);
    }
    for (size_t i = 0; i < count; i++)
        memcpy(picked[i], masks[numbers[i]], sizeof *picked);
    return GRAZEI_LANES_TABLE.box_pairs_but(set_a, numbers, count, set_b,
                                            (const uint64_t(*)[2])picked, pairs);
}

static void meet_in_lanes(graze_body *body, grazei_self_question *question, uint32_t number_a,
                          uint32_t number_b, graze_stats *stats)
{
    uint16_t pairs[GRAZEI_SET_CANDIDATES];
    grazei_triangle_set set_a = grazei_patch_boxes(body, number_a);
    grazei_triangle_set set_b = grazei_patch_boxes(body, number_b);
    size_t count = (body->model->folds.masks ? find_candidates_by_table : find_candidates)(
        body, number_a, number_b, &set_a, &set_b, pairs);
    meet_pairs(body, question, number_a, number_b, pairs, count, stats);
}

/* Triangles of two patches that were very near each other at rest: all that is left to look at
 * where the pose cannot have folded the rest.
 */
static void meet_listed(graze_body *body, grazei_self_question *question, uint32_t rank,
                        const grazei_near *near, graze_stats *stats)
{
    const grazei_folds *folds = &body->model->folds;
    uint32_t number_a = folds->rank_patches[rank], number_b = near->patch;
    if (!near->listed_count)
        return;
    grazei_body_patch(body, number_a, stats);
    grazei_body_patch(body, number_b, stats);
    meet_pairs(body, question, number_a, number_b, folds->listed + near->first_listed,
               near->listed_count, stats);
}

static void meet_listed_below(graze_body *body, grazei_self_question *question, uint32_t node,
                              graze_stats *stats)
{
    const grazei_folds *folds = &body->model->folds;
    uint32_t end = folds->node_ranks[node][1];
    if (!folds->node_listed[node])
        return;
    for (uint32_t rank = folds->node_ranks[node][0]; rank < end && !question->outbox.stopped;
         rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            if (folds->patch_ranks[folds->nears[i].patch] < end)
                meet_listed(body, question, rank, &folds->nears[i], stats);
}

static void meet_one_by_one(graze_body *body, uint32_t number_a, uint32_t number_b,
                            grazei_self_question *question, graze_stats *stats)
{
    const grazei_tree *tree = &body->model->tree;
    const grazei_patch *patch_a = &tree->patches[number_a], *patch_b = &tree->patches[number_b];
    for (uint32_t i = 0; i < patch_a->triangle_count; i++)
        for (uint32_t k = number_a == number_b ? i + 1 : 0; k < patch_b->triangle_count; k++) {
            uint32_t a = patch_a->first_triangle + i, b = patch_b->first_triangle + k;
            if (question->outbox.stopped)
                return;
            if (!grazei_are_neighbours(&body->model->mesh, tree->patch_triangles[a],
                                       tree->patch_triangles[b]))
                grazei_meet_two(body, patch_a, i, body, patch_b, k, &question->batch,
                                &question->outbox, stats);
        }
}

/* Whether a pose cannot have folded two patches onto each other; what was near at rest is done. */
static bool skip_patches(graze_body *body, grazei_self_question *question, uint32_t number_a,
                         uint32_t number_b, graze_stats *stats)
{
    const grazei_folds *folds = &body->model->folds;
    const grazei_near *near = grazei_folds_near(folds, number_a, number_b);
    if (!near || !grazei_cannot_fold(&question->pose, near->fold))
        return false;
    meet_listed(body, question, folds->patch_ranks[number_a], near, stats);
    return true;
}

/* Whether both patches are posed already, and their exact boxes are apart. */
static bool posed_apart(const graze_body *body, uint32_t number_a, uint32_t number_b)
{
    const grazei_bound *a = &body->patches[number_a], *b = &body->patches[number_b];
    if (a->stamp != body->stamp || b->stamp != body->stamp)
        return false;
    grazei_box_probe probe = grazei_probe_box(a);
    return !grazei_boxes_overlap(&probe, b);
}

static void meet_numbers(graze_body *body, grazei_self_question *question, uint32_t number_a,
                         uint32_t number_b, graze_stats *stats)
{
    if (body->sets)
        meet_in_lanes(body, question, number_a, number_b, stats);
    else
        meet_one_by_one(body, number_a, number_b, question, stats);
    if (question->first && question->batch.count)
        grazei_batch_flush(&question->batch, &question->outbox);
}

static void meet_patches(walk *w, grazei_self_question *question, uint32_t node_a, uint32_t node_b)
{
    const walk_side *side = &w->sides[0];
    graze_body *body = side->body;
    const grazei_folds *folds = &body->model->folds;
    uint32_t number_a = side->nodes[node_a].first, number_b = side->nodes[node_b].first;
    if (folds->masks && folds->patch_ranks[number_a] > folds->patch_ranks[number_b]) {
        uint32_t number = number_a; /* the table has them in this order */
        number_a = number_b;
        number_b = number;
    }
    w->stats->bound_tests++;
    if (posed_apart(body, number_a, number_b) ||
        (question->skips && skip_patches(body, question, number_a, number_b, w->stats)))
        return;
    grazei_body_patch(body, number_a, w->stats);
    grazei_body_patch(body, number_b, w->stats);
    tighten(side, node_a, side->nodes[node_a].first);
    tighten(side, node_b, side->nodes[node_b].first);
    if (!posed_apart(body, number_a, number_b))
        meet_numbers(body, question, number_a, number_b, w->stats);
}

/* A node against its later siblings, then what is below it. */
static void look_into(walk *w, grazei_self_question *question, grazei_item item)
{
    graze_body *body = w->sides[0].body;
    grazei_agenda *agenda = w->agenda;
    uint32_t n = item.node[0], last = item.node[1] & ~GRAZEI_SELF_ITEM;
    for (uint32_t sibling = n + 1; sibling <= last; sibling++)
        if (grazei_bounds_overlap(body, n, body, sibling))
            agenda->items[agenda->count++] = (grazei_item){{n, sibling}};
    w->stats->bound_tests += last - n;
    if (question->skips && grazei_cannot_fold(&question->pose, body->model->folds.node_folds[n])) {
        meet_listed_below(body, question, n, w->stats);
        return;
    }
    grazei_node node = w->sides[0].nodes[n];
    if (node.count == 0) {
        grazei_body_patch(body, node.first, w->stats);
        meet_numbers(body, question, node.first, node.first, w->stats);
        return;
    }
    grazei_body_bound(body, node.first, node.count, w->stats);
    for (uint32_t child = node.first; child < node.first + node.count; child++)
        agenda->items[agenda->count++] =
            (grazei_item){{child, GRAZEI_SELF_ITEM | (node.first + node.count - 1)}};
}

static inline __attribute__((always_inline)) void walk_self(walk *w, grazei_self_question *question,
                                                            volumes kind)
{
    const walk_side *side = &w->sides[0];
    grazei_agenda *agenda = w->agenda;
    do {
        grazei_item item = agenda->items[--agenda->count];
        if (item.node[1] & GRAZEI_SELF_ITEM) {
            look_into(w, question, item);
            continue;
        }
        bool leaf_a = side->nodes[item.node[0]].count == 0;
        bool leaf_b = side->nodes[item.node[1]].count == 0;
        if (leaf_a && leaf_b)
            meet_patches(w, question, item.node[0], item.node[1]);
        else if (!leaf_a &&
                 (leaf_b || size_of(side, item.node[0], kind) >= size_of(side, item.node[1], kind)))
            open_node(w, item, 0, kind, false);
        else
            open_node(w, item, 1, kind, false);
    } while (agenda->count && !question->outbox.stopped && !grazei_agenda_spent(agenda, w->stats));
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_self_question *question = (grazei_self_question *)base;
    walk w = {.sides = {make_side(base->bodies[0]), make_side(base->bodies[0])},
              .stats = stats,
              .agenda = agenda};
    if (agenda->count) {
        if (w.sides[0].spheres)
            walk_self(&w, question, SPHERE_SPHERE);
        else
            walk_self(&w, question, BOX_BOX);
    }
    if (question->batch.count && !question->outbox.stopped)
        grazei_batch_flush(&question->batch, &question->outbox);
    if (question->outbox.count)
        grazei_outbox_flush(&question->outbox);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_self_kernels GRAZEI_ISA(self_kernels) = {run};
