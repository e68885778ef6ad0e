/* Two moving trees walked together, the pairs that can meet earliest first. Whatever cannot meet
 * before the earliest impact found so far is left out.
 */
#include "body/mask.h"
#include "self/self.h"
#include "sweep/patches_chapter.h"

static void bound_nodes(sweep_walk *w, int side, uint32_t first, uint32_t count)
{
    grazei_body_bound(view_at(w, side, 0)->body, first, count, w->stats);
    if (!start_only(w))
        grazei_body_bound(view_at(w, side, 1)->body, first, count, w->stats);
}

static inline grazei_moving_box box_of_node(sweep_walk *w, int side, uint32_t node)
{
    grazei_bound start = grazei_view_box(view_at(w, side, 0), node);
    grazei_bound end = start_only(w) ? start : grazei_view_box(view_at(w, side, 1), node);
    return grazei_moving_box_of(&start, &end);
}

/* The box of a patch's triangles, which is posed if need be. */
static grazei_moving_box box_of_patch(sweep_walk *w, int side, uint32_t leaf)
{
    grazei_posed_patch start = grazei_view_leaf(view_at(w, side, 0), leaf, w->stats), end = start;
    if (!start_only(w))
        end = grazei_view_leaf(view_at(w, side, 1), leaf, w->stats);
    return grazei_moving_box_of(grazei_patch_box(&start), grazei_patch_box(&end));
}

static bool boxes_overlap(sweep_walk *w, const grazei_moving_box *a, const grazei_moving_box *b,
                          float *enter)
{
    float leave;
    return grazei_moving_boxes_overlap(a, b, GRAZEI_MOVING_SLACK_NODES, enter, &leave) &&
           *enter <= grazei_sweep_latest(w->question);
}

static inline bool spheres_overlap(sweep_walk *w, grazei_pair_item item, float *enter)
{
    int last = !start_only(w);
    const grazei_bound *a[2] = {&view_at(w, 0, 0)->bounds[item.node[0]],
                                &view_at(w, 0, last)->bounds[item.node[0]]};
    const grazei_bound *b[2] = {&view_at(w, 1, 0)->bounds[item.node[1]],
                                &view_at(w, 1, last)->bounds[item.node[1]]};
    return grazei_moving_spheres_overlap(a, b, enter) && *enter <= grazei_sweep_latest(w->question);
}

/* ---- leaves ------------------------------------------------------------------------------- */

static void load_one(const grazei_posed_patch ends[2], uint32_t triangle,
                     grazei_moving_triangle *out)
{
    for (int end = 0; end < 2; end++)
        grazei_patch_triangle(&ends[end], triangle, out->corners[end]);
}

/* The triangles of small patches. */
static void meet_one_by_one(sweep_walk *w, const patch_pair *p)
{
    const grazei_mesh *mesh = grazei_body_mesh(view_at(w, 0, 0)->body);
    grazei_sweep_question *question = w->question;
    const grazei_posed_patch *first = p->patches[0], *second = p->patches[1];
    bool same = question->self && first->number == second->number;
    grazei_moving_triangle a, b;
    for (uint32_t i = 0; i < first->triangle_count; i++) {
        load_one(first, i, &a);
        for (uint32_t k = same ? i + 1 : 0; k < second->triangle_count && !question->stopped; k++) {
            if (question->self && grazei_are_neighbours(mesh, first->names[i], second->names[k]))
                continue;
            load_one(second, k, &b);
            w->stats->triangle_tests++;
            grazei_sweep_triangles(question, &a, first->names[i], &b, second->names[k]);
        }
    }
}

/* The patches of a leaf at both ends, which are posed as far as they matter. */
static void find_ends(sweep_walk *w, int side, uint32_t leaf, grazei_posed_patch ends[2])
{
    const grazei_view *start = view_at(w, side, 0), *end = view_at(w, side, !start_only(w));
    ends[0] = grazei_posed_patch_of(start->body, start->nodes[leaf].first);
    ends[1] = grazei_posed_patch_of(end->body, end->nodes[leaf].first);
}

/* ---- what a motion cannot have folded ------------------------------------------------------- */

/* Triangles of two patches that were very near each other at rest, which alone may meet where the
 * motion cannot have folded the rest.
 */
static void meet_listed(sweep_walk *w, uint32_t number, const grazei_near *near)
{
    const grazei_folds *folds = w->folds.start->folds;
    const graze_body *body = view_at(w, 0, 0)->body;
    grazei_posed_patch ends[2][2];
    for (int side = 0; side < 2 && near->listed_count; side++)
        for (int end = 0; end < 2; end++)
            ends[side][end] = grazei_body_patch(view_at(w, side, start_only(w) ? 0 : end)->body,
                                                side ? near->patch : number, w->stats);
    for (uint32_t i = 0; i < near->listed_count && !w->question->stopped; i++) {
        uint16_t pair = folds->listed[near->first_listed + i];
        uint32_t k = grazei_body_place(body, number, grazei_pair_first(pair));
        uint32_t l = grazei_body_place(body, near->patch, grazei_pair_second(pair));
        grazei_moving_triangle a, b;
        if (k == UINT32_MAX || l == UINT32_MAX)
            continue;
        load_one(ends[0], k, &a);
        load_one(ends[1], l, &b);
        w->stats->triangle_tests++;
        grazei_sweep_triangles(w->question, &a, ends[0][0].names[k], &b, ends[1][0].names[l]);
    }
}

static bool skip_leaves(sweep_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grazei_view *view = view_at(w, 0, 0);
    if (!w->folds.start)
        return false;
    const grazei_folds *folds = w->folds.start->folds;
    uint32_t a = view->nodes[leaf_a].first, b = view->nodes[leaf_b].first;
    bool in_order = folds->patch_ranks[a] <= folds->patch_ranks[b];
    uint32_t first = in_order ? a : b, second = in_order ? b : a;
    GRAZE_ASSERT(folds->patch_ranks[a] != folds->patch_ranks[b] || a == b);
    if (folds->crowded[first])
        return false;
    const grazei_near *near = grazei_folds_near(folds, first, second);
    uint32_t piece = folds->node_pieces[leaf_a];
    bool one = piece == folds->node_pieces[leaf_b] &&
               grazei_piece_keeps_between(&w->folds, piece, folds->edges[a], folds->edges[b]);
    if (!one && (!near || !grazei_cannot_fold_between(&w->folds, near->fold)))
        return false;
    if (near)
        meet_listed(w, first, near);
    return true;
}

static bool skip_node(sweep_walk *w, uint32_t node)
{
    if (!w->folds.start)
        return false;
    const grazei_folds *folds = w->folds.start->folds;
    float edge = folds->node_edges[node];
    uint32_t end = folds->node_ranks[node][1];
    if (!grazei_piece_keeps_between(&w->folds, folds->node_pieces[node], edge, edge))
        return false;
    for (uint32_t rank = folds->node_ranks[node][0]; rank < end; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            if (folds->patch_ranks[folds->nears[i].patch] < end)
                meet_listed(w, folds->rank_patches[rank], &folds->nears[i]);
    return true;
}

/* Poses what is not posed yet, the second patch only if the first one's own box can still meet it.
 */
static void meet_leaves(sweep_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    float enter = 0;
    if ((start_only(w) && !names_are_low(w, leaf_a, leaf_b)) || skip_leaves(w, leaf_a, leaf_b))
        return;
    grazei_moving_box box_a = box_of_patch(w, 0, leaf_a), box_b;
    if (!w->question->self || leaf_a != leaf_b) {
        box_b = box_of_node(w, 1, leaf_b);
        w->stats->bound_tests += 2;
        if (!boxes_overlap(w, &box_a, &box_b, &enter))
            return;
        box_b = box_of_patch(w, 1, leaf_b);
        if (!boxes_overlap(w, &box_a, &box_b, &enter))
            return;
    }
    patch_pair p;
    p.apart_until = enter;
    find_ends(w, 0, leaf_a, p.patches[0]);
    find_ends(w, 1, leaf_b, p.patches[1]);
    if (grazei_body_suits_lanes(view_at(w, 0, 0)->body) &&
        grazei_body_suits_lanes(view_at(w, 1, 0)->body))
        meet_in_lanes(w, &p);
    else
        meet_one_by_one(w, &p);
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* What to look at first: what can meet first and, of what overlaps at the start, the deepest. */
static float rank_of(sweep_walk *w, grazei_pair_item item, float enter)
{
    if (enter > 0 || w->question->only_new || w->question->report)
        return enter;
    return -promise_of(&w->ends[0], item, w->kind);
}

/* Pushes a pair so that those from `base` on stay in order, the first one to look at on top. */
static void push(sweep_walk *w, uint32_t base, float *ranks, grazei_pair_item item, float enter)
{
    grazei_agenda *agenda = w->agenda;
    float rank = rank_of(w, item, enter);
    GRAZE_ASSERT(agenda->count >= base && agenda->count - base < GRAZEI_MAX_ARITY);
    uint32_t at = agenda->count++;
    for (; at > base && ranks[at - 1 - base] < rank; at--) {
        ranks[at - base] = ranks[at - 1 - base];
        grazei_agenda_copy(agenda, at, at - 1);
    }
    ranks[at - base] = rank;
    grazei_agenda_put(agenda, at, (grazei_item){.pair = item}, enter);
}

/* Pushes the nodes of one side, siblings, that can meet a node of the other. */
static void push_siblings(sweep_walk *w, int which, uint32_t first, uint32_t count, uint32_t other)
{
    float ranks[GRAZEI_MAX_ARITY], enter;
    uint32_t base = w->agenda->count;
    GRAZE_ASSERT(count <= GRAZEI_MAX_ARITY);
    grazei_moving_box box;
    if (w->kind != SPHERE_SPHERE)
        box = box_of_node(w, !which, other);
    w->stats->bound_tests += count;
    for (uint32_t n = first; n < first + count; n++) {
        grazei_pair_item item = {{which ? other : n, which ? n : other}};
        bool overlap;
        if (grazei_view_is_empty(view_at(w, which, 0), n))
            continue;
        if (w->kind == SPHERE_SPHERE) {
            overlap = spheres_overlap(w, item, &enter);
        } else {
            grazei_moving_box own = box_of_node(w, which, n);
            overlap = boxes_overlap(w, &own, &box, &enter);
        }
        if (overlap)
            push(w, base, ranks, item, enter);
    }
}

static void open_pair(sweep_walk *w, grazei_pair_item item)
{
    const grazei_view *a = view_at(w, 0, 0), *b = view_at(w, 1, 0);
    bool leaf_a = a->nodes[item.node[0]].count == 0, leaf_b = b->nodes[item.node[1]].count == 0;
    if (leaf_a && leaf_b) {
        meet_leaves(w, item.node[0], item.node[1]);
        return;
    }
    int which = leaf_a ||
                (!leaf_b && size_of(a, item.node[0], w->kind) < size_of(b, item.node[1], w->kind));
    grazei_node node = view_at(w, which, 0)->nodes[item.node[which]];
    bound_nodes(w, which, node.first, node.count);
    push_siblings(w, which, node.first, node.count, item.node[!which]);
}

/* A node against its later siblings, and what is below it against itself. */
static void open_self(sweep_walk *w, grazei_self_item item)
{
    grazei_agenda *agenda = w->agenda;
    uint32_t n = item.node, last = grazei_last_sibling(item);
    GRAZE_ASSERT(last >= n);
    grazei_node node = view_at(w, 0, 0)->nodes[n];
    if (grazei_view_is_empty(view_at(w, 0, 0), n))
        return;
    push_siblings(w, 1, n + 1, last - n, n);
    if (skip_node(w, n))
        return;
    if (node.count == 0) {
        meet_leaves(w, n, n);
        return;
    }
    bound_nodes(w, 0, node.first, node.count);
    for (uint32_t child = node.first; child < node.first + node.count; child++) {
        grazei_item itself = {.self = grazei_itself(child, node.first + node.count - 1)};
        grazei_agenda_put(agenda, agenda->count++, itself, 0);
    }
}

static sweep_walk start_walk(grazei_sweep_question *question, grazei_agenda *agenda,
                             graze_stats *stats)
{
    graze_body **bodies = question->base.bodies;
    sweep_walk w = {.question = question, .stats = stats, .agenda = agenda};
    for (int end = 0; end < 2; end++)
        w.ends[end] =
            (walk){.sides = {grazei_body_view(bodies[end]), grazei_body_view(bodies[2 + end])},
                   .stats = stats,
                   .agenda = agenda};
    w.kind = volumes_of(w.ends[0].sides);
    if (question->self)
        w.folds = (grazei_fold_motion){grazei_body_folds(bodies[0]), grazei_body_folds(bodies[1])};
    if (!w.folds.end) /* nothing is known of what lies between, either */
        w.folds.start = NULL;
    return w;
}

static void begin(grazei_sweep_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    sweep_walk w = start_walk(question, agenda, stats);
    bound_nodes(&w, 0, 0, 1);
    if (question->self) {
        grazei_agenda_put(agenda, agenda->count++, (grazei_item){.self = grazei_itself(0, 0)}, 0);
        return;
    }
    bound_nodes(&w, 1, 0, 1);
    if (!grazei_view_is_empty(view_at(&w, 1, 0), 0))
        push_siblings(&w, 0, 0, 1, 0);
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_sweep_question *question = (grazei_sweep_question *)base;
    sweep_walk w = start_walk(question, agenda, stats);
    do {
        grazei_item item = agenda->items[--agenda->count];
        if (agenda->keys[agenda->count] > grazei_sweep_latest(question))
            continue;
        if (question->self && grazei_is_itself(item.self))
            open_self(&w, item.self);
        else
            open_pair(&w, item.pair);
    } while (agenda->count && !question->stopped && !grazei_agenda_spent(agenda, stats));
    if (question->report && !question->stopped)
        grazei_sweep_flush(question);
    if (question->stopped)
        agenda->count = 0;
}

const grazei_sweep_kernels GRAZEI_ISA(sweep_kernels) = {begin, run};
