/* A tree walked against itself.
 *
 * A node is looked at once by itself and once against each of its later siblings. What a pose
 * cannot have folded is skipped unseen (folds/folds.h); adjacent patches that it may have folded
 * are posed and their triangles tested, neighbours left out first, because they always meet.
 */
#include "query/self.h"

#include "mesh/weld.h"
#include "query/batch_kernels.h"
#include "query/neighbours.h"
#include "query/set_pairs.h"
#include "query/walk.h"

/* A walk, with what is looked up again and again. */
typedef struct self_walk {
    walk walk; /* both sides are the same */
    grazei_self_question *question;
    const graze_model *model;
    graze_body *body;
} self_walk;

/* ---- triangles ------------------------------------------------------------------------------ */

/* Tests pairs of triangles of two patches, by way of the batch: there are few of them. */
static void meet_pairs(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
                       const uint16_t *pairs, size_t count)
{
    grazei_self_question *question = w->question;
    w->walk.stats->triangle_tests += count;
    grazei_batch_add(&question->batch, a, b, pairs, count, &question->outbox);
}

/* Candidates of two patches of a model without a table. */
static void meet_without_table(self_walk *w, const grazei_posed_patch *a,
                               const grazei_posed_patch *b, const grazei_triangle_set *set_a,
                               const grazei_triangle_set *set_b)
{
    uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS];
    uint16_t pairs[GRAZEI_CHUNK_PAIRS];
    grazei_neighbours neighbours;
    bool same = a->number == b->number;
    size_t count_a = grazei_set_within(set_a, grazei_patch_box(b), near_a), count_b = set_b->count;
    if (!same)
        count_b = count_a ? grazei_set_within(set_b, grazei_patch_box(a), near_b) : 0;
    if (!count_b)
        return;
    bool found = false;
    for (size_t first = 0, rows; first < count_a; first += rows) {
        rows = grazei_chunk(count_a - first, count_b);
        size_t count = GRAZEI_ISA(triangle_kernels)
                           .box_pairs(set_a, near_a + first, rows, set_b, same ? NULL : near_b,
                                      count_b, pairs);
        if (!count)
            continue;
        if (!found)
            grazei_find_neighbours(&neighbours, w->model, a->number, b->number);
        found = true;
        count = grazei_drop_neighbours(&neighbours, pairs, count);
        meet_pairs(w, a, b, pairs, count);
    }
}

/* Which triangles of b are neighbours of those of a that are named, as bits; within one patch also
 * those that come before.
 */
static void find_masks(const self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
                       const uint16_t *numbers, size_t count, uint64_t (*masks)[2])
{
    const grazei_folds *folds = &w->model->folds;
    uint64_t all[GRAZEI_SET_TRIANGLES][2];
    if (a->number == b->number) {
        uint32_t first = w->model->tree.patches[a->number].first_triangle;
        memcpy(masks, folds->masks + first, count * sizeof *masks);
        return;
    }
    for (size_t i = 0; i < count; i++)
        all[numbers[i]][0] = all[numbers[i]][1] = 0;
    const grazei_near *near = grazei_folds_near(folds, a->number, b->number);
    const uint16_t *neighbours = near ? folds->listed + near->first_listed + near->listed_count : 0;
    for (uint32_t i = 0; near && i < near->neighbour_count; i++) {
        uint32_t k = grazei_pair_second(neighbours[i]);
        all[grazei_pair_first(neighbours[i])][k >> 6] |= 1ull << (k & 63);
    }
    for (size_t i = 0; i < count; i++)
        memcpy(masks[i], all[numbers[i]], sizeof *masks);
}

/* Candidates of two patches where the table knows the neighbours. */
static void meet_with_table(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
                            const grazei_triangle_set *set_a, const grazei_triangle_set *set_b)
{
    uint16_t numbers[GRAZEI_SET_NUMBERS], pairs[GRAZEI_CHUNK_PAIRS];
    uint64_t masks[GRAZEI_SET_TRIANGLES][2];
    size_t count = set_a->count;
    if (a->number == b->number)
        for (uint32_t i = 0; i < set_a->count; i++)
            numbers[i] = (uint16_t)i;
    else
        count = grazei_set_within(set_a, grazei_patch_box(b), numbers);
    if (!count)
        return;
    find_masks(w, a, b, numbers, count, masks);
    for (size_t first = 0, rows; first < count; first += rows) {
        rows = grazei_chunk(count - first, set_b->count);
        size_t found = GRAZEI_ISA(triangle_kernels)
                           .box_pairs_but(set_a, numbers + first, rows, set_b,
                                          (const uint64_t(*)[2])masks + first, pairs);
        meet_pairs(w, a, b, pairs, found);
    }
}

static void meet_in_lanes(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    grazei_triangle_set set_a = grazei_body_boxes(w->body, a);
    grazei_triangle_set set_b = grazei_body_boxes(w->body, b);
    if (w->model->folds.masks)
        meet_with_table(w, a, b, &set_a, &set_b);
    else
        meet_without_table(w, a, b, &set_a, &set_b);
}

static void meet_one_by_one(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    grazei_self_question *question = w->question;
    for (uint32_t i = 0; i < a->triangle_count; i++)
        for (uint32_t k = a->number == b->number ? i + 1 : 0; k < b->triangle_count; k++) {
            if (question->outbox.stopped)
                return;
            if (!grazei_are_neighbours(&w->model->mesh, a->names[i], b->names[k]))
                grazei_batch_add_single(&question->batch, a, i, b, k, &question->outbox,
                                        w->walk.stats);
        }
}

/* ---- patches -------------------------------------------------------------------------------- */

/* Triangles of two patches that were very near each other at rest: all that is left to look at
 * where the pose cannot have folded the rest.
 */
static void meet_listed(self_walk *w, uint32_t rank, const grazei_near *near)
{
    const grazei_folds *folds = &w->model->folds;
    if (!near->listed_count)
        return;
    grazei_posed_patch a = grazei_body_patch(w->body, folds->rank_patches[rank], w->walk.stats);
    grazei_posed_patch b = grazei_body_patch(w->body, near->patch, w->walk.stats);
    meet_pairs(w, &a, &b, folds->listed + near->first_listed, near->listed_count);
}

static void meet_listed_below(self_walk *w, uint32_t node)
{
    const grazei_folds *folds = &w->model->folds;
    uint32_t end = folds->node_ranks[node][1];
    if (!folds->node_listed[node])
        return;
    for (uint32_t rank = folds->node_ranks[node][0]; rank < end && !w->question->outbox.stopped;
         rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            if (folds->patch_ranks[folds->nears[i].patch] < end)
                meet_listed(w, rank, &folds->nears[i]);
}

/* Whether a pose cannot have folded two patches onto each other; what was near at rest is done. */
static bool skip_patches(self_walk *w, uint32_t number_a, uint32_t number_b)
{
    const grazei_folds *folds = &w->model->folds;
    const grazei_near *near = grazei_folds_near(folds, number_a, number_b);
    if (!near || !grazei_cannot_fold(w->question->folds, near->fold))
        return false;
    meet_listed(w, folds->patch_ranks[number_a], near);
    return true;
}

static void meet_posed(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    grazei_self_question *question = w->question;
    if (grazei_body_suits_lanes(w->body))
        meet_in_lanes(w, a, b);
    else
        meet_one_by_one(w, a, b);
    if (question->first && question->batch.count)
        grazei_batch_flush(&question->batch, &question->outbox);
}

static bool boxes_apart(const grazei_bound *a, const grazei_bound *b)
{
    grazei_box_probe probe = grazei_probe_box(a);
    return !grazei_boxes_overlap(&probe, b);
}

static void meet_leaves(self_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grazei_view *view = &w->walk.sides[0];
    const grazei_folds *folds = &w->model->folds;
    uint32_t number_a = view->nodes[leaf_a].first, number_b = view->nodes[leaf_b].first;
    if (folds->masks && folds->patch_ranks[number_a] > folds->patch_ranks[number_b]) {
        uint32_t leaf = leaf_a; /* the table has them in this order */
        leaf_a = leaf_b;
        leaf_b = leaf;
        number_a = view->nodes[leaf_a].first;
        number_b = view->nodes[leaf_b].first;
    }
    w->walk.stats->bound_tests++;
    if ((grazei_view_is_posed(view, leaf_a) && grazei_view_is_posed(view, leaf_b) &&
         boxes_apart(&view->boxes[number_a], &view->boxes[number_b])) ||
        (w->question->folds && skip_patches(w, number_a, number_b)))
        return;
    grazei_posed_patch a = grazei_view_leaf(view, leaf_a, w->walk.stats);
    grazei_posed_patch b = grazei_view_leaf(view, leaf_b, w->walk.stats);
    if (!boxes_apart(grazei_patch_box(&a), grazei_patch_box(&b)))
        meet_posed(w, &a, &b);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A node against its later siblings, then what is below it. */
static void look_into(self_walk *w, grazei_self_item item)
{
    const grazei_view *view = &w->walk.sides[0];
    grazei_agenda *agenda = w->walk.agenda;
    uint32_t n = item.node, last = grazei_last_sibling(item);
    for (uint32_t sibling = n + 1; sibling <= last; sibling++)
        if (grazei_views_overlap(view, n, view, sibling))
            agenda->items[agenda->count++].self = (grazei_self_item){n, sibling};
    w->walk.stats->bound_tests += last - n;
    if (w->question->folds &&
        grazei_cannot_fold(w->question->folds, w->model->folds.node_folds[n])) {
        meet_listed_below(w, n);
        return;
    }
    grazei_node node = view->nodes[n];
    if (node.count == 0) {
        grazei_posed_patch patch = grazei_body_patch(w->body, node.first, w->walk.stats);
        meet_posed(w, &patch, &patch);
        return;
    }
    grazei_body_bound(w->body, node.first, node.count, w->walk.stats);
    for (uint32_t child = node.first; child < node.first + node.count; child++)
        agenda->items[agenda->count++].self = grazei_itself(child, node.first + node.count - 1);
}

static inline __attribute__((always_inline)) void walk_self(self_walk *w, volumes kind)
{
    const grazei_view *view = &w->walk.sides[0];
    grazei_agenda *agenda = w->walk.agenda;
    do {
        grazei_item item = agenda->items[--agenda->count];
        if (grazei_is_itself(item.self)) {
            look_into(w, item.self);
            continue;
        }
        uint32_t a = item.self.node, b = item.self.other;
        bool leaf_a = view->nodes[a].count == 0, leaf_b = view->nodes[b].count == 0;
        if (leaf_a && leaf_b)
            meet_leaves(w, a, b);
        else if (!leaf_a && (leaf_b || size_of(view, a, kind) >= size_of(view, b, kind)))
            open_node(&w->walk, item.pair, 0, kind, false);
        else
            open_node(&w->walk, item.pair, 1, kind, false);
    } while (agenda->count && !w->question->outbox.stopped &&
             !grazei_agenda_spent(agenda, w->walk.stats));
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_self_question *question = (grazei_self_question *)base;
    graze_body *body = base->bodies[0];
    grazei_view view = grazei_body_view(body);
    self_walk w = {.walk = {.sides = {view, view}, .stats = stats, .agenda = agenda},
                   .question = question,
                   .model = grazei_body_model(body),
                   .body = body};
    grazei_batch_aim(&question->batch, &view, &view);
    if (view.spheres)
        walk_self(&w, SPHERE_SPHERE);
    else
        walk_self(&w, BOX_BOX);
    grazei_batch_finish(&question->batch, &question->outbox);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_self_kernels GRAZEI_ISA(self_kernels) = {run};
