/* Two moving trees walked together, the pairs that can meet earliest first. Whatever cannot meet
 * before the earliest impact found so far is left out.
 */
#include "query/sweep.h"

#include "mesh/weld.h"
#include "narrow/moving_kernels.h"
#include "query/neighbours.h"
#include "query/patches.h"
#include "query/self.h"
#include "query/sweep_bounds.h"
#include "query/walk.h"

/* More pairs of triangles than this are taken as they come. */
#define MAX_SORTED 256

typedef struct sweep_walk {
    grazei_sweep_question *question;
    walk ends[2]; /* the start and the end of both motions */
    volumes kind;
    graze_stats *stats;
    grazei_agenda *agenda;
} sweep_walk;

/* Triangles that meet at the start were found, so that nothing else counts: ends do not matter. */
static inline bool start_only(const sweep_walk *w)
{
    return w->question->best.initial;
}

static inline walk_side *side_at(sweep_walk *w, int side, int end)
{
    return &w->ends[end].sides[side];
}

static void bound_nodes(sweep_walk *w, int side, uint32_t first, uint32_t count)
{
    grazei_body_bound(side_at(w, side, 0)->body, first, count, w->stats);
    if (!start_only(w))
        grazei_body_bound(side_at(w, side, 1)->body, first, count, w->stats);
}

static inline grazei_moving_box box_of_node(sweep_walk *w, int side, uint32_t node)
{
    grazei_bound start = as_box(side_at(w, side, 0), node);
    grazei_bound end = start_only(w) ? start : as_box(side_at(w, side, 1), node);
    return grazei_moving_box_of(&start, &end);
}

/* The box of a patch's triangles, which is posed if need be. */
static grazei_moving_box box_of_patch(sweep_walk *w, int side, uint32_t node)
{
    const walk_side *start = side_at(w, side, 0), *end = side_at(w, side, 1);
    uint32_t patch = start->nodes[node].first;
    const grazei_bound *box = grazei_body_patch(start->body, patch, w->stats), *last = box;
    tighten(start, node, patch);
    if (!start_only(w)) {
        last = grazei_body_patch(end->body, patch, w->stats);
        tighten(end, node, patch);
    }
    return grazei_moving_box_of(box, last);
}

static bool boxes_overlap(sweep_walk *w, const grazei_moving_box *a, const grazei_moving_box *b,
                          float *enter)
{
    float leave;
    return grazei_moving_boxes_overlap(a, b, GRAZEI_MOVING_SLACK_NODES, enter, &leave) &&
           *enter <= grazei_sweep_latest(w->question);
}

static inline bool spheres_overlap(sweep_walk *w, grazei_item item, float *enter)
{
    int last = !start_only(w);
    const grazei_bound *a[2] = {&side_at(w, 0, 0)->bounds[item.node[0]],
                                &side_at(w, 0, last)->bounds[item.node[0]]};
    const grazei_bound *b[2] = {&side_at(w, 1, 0)->bounds[item.node[1]],
                                &side_at(w, 1, last)->bounds[item.node[1]]};
    return grazei_moving_spheres_overlap(a, b, enter) && *enter <= grazei_sweep_latest(w->question);
}

/* ---- triangles ---------------------------------------------------------------------------- */

/* Two patches, ready for lanes, and pairs of their triangles. */
typedef struct patch_pair {
    uint32_t numbers[2];
    const uint32_t *names[2];
    grazei_moving_set sets[2];
    uint16_t pairs[GRAZEI_SET_CANDIDATES];
} patch_pair;

/* The pairs whose boxes overlap, of those that reach into the box of the other patch. */
static size_t find_pairs(sweep_walk *w, patch_pair *p, const grazei_triangle_set *a,
                         const grazei_triangle_set *b, const grazei_bound *box_a,
                         const grazei_bound *box_b)
{
    uint16_t near_a[GRAZEI_SET_NUMBERS], near_b[GRAZEI_SET_NUMBERS];
    size_t count_a = grazei_set_within(a, box_b, near_a);
    size_t count_b = count_a ? grazei_set_within(b, box_a, near_b) : 0;
    if (!count_b)
        return 0;
    size_t count = GRAZEI_LANES_TABLE.box_pairs(a, near_a, count_a, b, near_b, count_b, p->pairs);
    if (w->question->self && count)
        count = grazei_drop_neighbours(side_at(w, 0, 0)->body->model, p->numbers[0], p->numbers[1],
                                       p->pairs, count);
    w->stats->triangle_tests += count;
    return count;
}

/* Triangles that meet at the start, exactly. */
static void meet_at_start(sweep_walk *w, patch_pair *p)
{
    const grazei_bound *box_a = &side_at(w, 0, 0)->body->patches[p->numbers[0]];
    const grazei_bound *box_b = &side_at(w, 1, 0)->body->patches[p->numbers[1]];
    const grazei_triangle_set *a = &p->sets[0].start, *b = &p->sets[1].start;
    grazei_box_probe probe = grazei_probe_box(box_a);
    size_t unsure = 0;
    if (!grazei_boxes_overlap(&probe, box_b))
        return;
    size_t count = find_pairs(w, p, a, b, box_a, box_b);
    count = GRAZEI_LANES_TABLE.triangle_pairs(a, b, p->pairs, count, p->pairs, &unsure);
    for (size_t i = 0; i < count; i++) {
        uint32_t name_a = p->names[0][grazei_pair_first(p->pairs[i])];
        uint32_t name_b = p->names[1][grazei_pair_second(p->pairs[i])];
        bool swap = w->question->self && name_a > name_b;
        graze_impact impact = {
            .hit = true, .initial = true, .a = swap ? name_b : name_a, .b = swap ? name_a : name_b};
        grazei_sweep_take(w->question, &impact);
    }
}

static void load_moving(const grazei_moving_set *set, uint32_t triangle,
                        grazei_moving_triangle *out)
{
    memcpy(out->corners[0], set->start.corners[triangle], sizeof out->corners[0]);
    memcpy(out->corners[1], set->end.corners[triangle], sizeof out->corners[1]);
}

static grazei_bound swept_box(sweep_walk *w, int side, uint32_t patch)
{
    const grazei_bound *start = &side_at(w, side, 0)->body->patches[patch];
    const grazei_bound *end = &side_at(w, side, 1)->body->patches[patch];
    grazei_bound box;
    f4_store(box.low_negated, f4_max(grazei_bound_first(start), grazei_bound_first(end)));
    f4_store(box.high, f4_max(grazei_bound_second(start), grazei_bound_second(end)));
    return box;
}

static void meet_pair(sweep_walk *w, const patch_pair *p, size_t i)
{
    uint32_t k = grazei_pair_first(p->pairs[i]), l = grazei_pair_second(p->pairs[i]);
    grazei_moving_triangle a, b;
    load_moving(&p->sets[0], k, &a);
    load_moving(&p->sets[1], l, &b);
    grazei_sweep_triangles(w->question, &a, p->names[0][k], &b, p->names[1][l]);
}

/* Puts pairs in the order of their times. */
static void sort_pairs(uint16_t *pairs, float *times, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint16_t pair = pairs[i];
        float time = times[i];
        size_t at = i;
        for (; at > 0 && times[at - 1] > time; at--) {
            pairs[at] = pairs[at - 1];
            times[at] = times[at - 1];
        }
        pairs[at] = pair;
        times[at] = time;
    }
}

/* Triangles that meet at any time. Where the earliest is wanted, pairs that may be it come first
 * and leave little to do for the others.
 */
static void meet_moving(sweep_walk *w, patch_pair *p)
{
    float memory[2][GRAZEI_SWEPT_BOXES], times[GRAZEI_SET_CANDIDATES];
    const grazei_moving_kernels *lanes = &GRAZEI_ISA(moving_kernels);
    grazei_sweep_question *question = w->question;
    for (int side = 0; side < 2; side++)
        p->sets[side].end = grazei_patch_set(side_at(w, side, 1)->body, p->numbers[side]);
    grazei_triangle_set a = lanes->swept_boxes(&p->sets[0], memory[0]);
    grazei_triangle_set b = lanes->swept_boxes(&p->sets[1], memory[1]);
    grazei_bound box_a = swept_box(w, 0, p->numbers[0]), box_b = swept_box(w, 1, p->numbers[1]);
    size_t count = find_pairs(w, p, &a, &b, &box_a, &box_b);
    count = lanes->open_pairs(&p->sets[0], &p->sets[1], p->pairs, count,
                              grazei_sweep_latest(question), p->pairs, times);
    if (!question->report && count < MAX_SORTED)
        sort_pairs(p->pairs, times, count);
    for (size_t i = 0; i < count && !question->stopped; i++)
        if (times[i] <= grazei_sweep_latest(question))
            meet_pair(w, p, i);
}

static void meet_in_lanes(sweep_walk *w, uint32_t number_a, uint32_t number_b)
{
    patch_pair p;
    for (int side = 0; side < 2; side++) {
        graze_body *body = side_at(w, side, 0)->body;
        const grazei_tree *tree = &body->model->tree;
        p.numbers[side] = side ? number_b : number_a;
        p.names[side] = tree->patch_triangles + tree->patches[p.numbers[side]].first_triangle;
        p.sets[side].start = grazei_patch_set(body, p.numbers[side]);
    }
    if (!w->question->report && !w->question->only_new)
        meet_at_start(w, &p);
    if (!start_only(w))
        meet_moving(w, &p);
}

static bool load_one(sweep_walk *w, int side, uint32_t number, uint32_t triangle,
                     grazei_moving_triangle *out, uint32_t *name)
{
    const grazei_tree *tree = &side_at(w, side, 0)->body->model->tree;
    const grazei_patch *patch = &tree->patches[number];
    if (triangle >= patch->triangle_count)
        return false;
    for (int end = 0; end < 2; end++)
        grazei_load_triangle(side_at(w, side, start_only(w) ? 0 : end)->body, patch, triangle,
                             out->corners[end]);
    *name = tree->patch_triangles[patch->first_triangle + triangle];
    return true;
}

/* The triangles of small patches. */
static void meet_one_by_one(sweep_walk *w, uint32_t number_a, uint32_t number_b)
{
    const grazei_mesh *mesh = &side_at(w, 0, 0)->body->model->mesh;
    grazei_sweep_question *question = w->question;
    bool same = question->self && number_a == number_b;
    grazei_moving_triangle a, b;
    uint32_t name_a, name_b;
    for (uint32_t i = 0; load_one(w, 0, number_a, i, &a, &name_a); i++)
        for (uint32_t k = same ? i + 1 : 0;
             !question->stopped && load_one(w, 1, number_b, k, &b, &name_b); k++) {
            if (question->self && grazei_are_neighbours(mesh, name_a, name_b))
                continue;
            w->stats->triangle_tests++;
            grazei_sweep_triangles(question, &a, name_a, &b, name_b);
        }
}

/* Poses what is not posed yet, the second patch only if the first one's own box can still meet it.
 */
static void meet_leaves(sweep_walk *w, uint32_t node_a, uint32_t node_b)
{
    const walk_side *a = side_at(w, 0, 0), *b = side_at(w, 1, 0);
    grazei_moving_box box_a = box_of_patch(w, 0, node_a), box_b;
    float enter;
    if (!w->question->self || node_a != node_b) {
        box_b = box_of_node(w, 1, node_b);
        w->stats->bound_tests += 2;
        if (!boxes_overlap(w, &box_a, &box_b, &enter))
            return;
        box_b = box_of_patch(w, 1, node_b);
        if (!boxes_overlap(w, &box_a, &box_b, &enter))
            return;
    }
    if (a->body->sets && b->body->sets)
        meet_in_lanes(w, a->nodes[node_a].first, b->nodes[node_b].first);
    else
        meet_one_by_one(w, a->nodes[node_a].first, b->nodes[node_b].first);
}

/* ---- nodes -------------------------------------------------------------------------------- */

/* What to look at first: what can meet first and, of what overlaps at the start, the deepest. */
static float rank_of(sweep_walk *w, grazei_item item, float enter)
{
    if (enter > 0 || w->question->only_new || w->question->report)
        return enter;
    return -depth_of(&w->ends[0], item, w->kind);
}

/* Pushes a pair so that those from `base` on stay in order, the first one to look at on top. */
static void push(sweep_walk *w, uint32_t base, float *ranks, grazei_item item, float enter)
{
    grazei_agenda *agenda = w->agenda;
    float rank = rank_of(w, item, enter);
    uint32_t at = agenda->count++;
    for (; at > base && ranks[at - 1 - base] < rank; at--) {
        ranks[at - base] = ranks[at - 1 - base];
        agenda->items[at] = agenda->items[at - 1];
        agenda->keys[at] = agenda->keys[at - 1];
    }
    ranks[at - base] = rank;
    agenda->items[at] = item;
    agenda->keys[at] = enter;
}

/* Pushes the nodes of one side, siblings, that can meet a node of the other. */
static void push_siblings(sweep_walk *w, int which, uint32_t first, uint32_t count, uint32_t other)
{
    float ranks[GRAZEI_MAX_ARITY], enter;
    uint32_t base = w->agenda->count;
    grazei_moving_box box;
    if (w->kind != SPHERE_SPHERE)
        box = box_of_node(w, !which, other);
    w->stats->bound_tests += count;
    for (uint32_t n = first; n < first + count; n++) {
        grazei_item item = {{which ? other : n, which ? n : other}};
        bool overlap;
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

static void open_pair(sweep_walk *w, grazei_item item)
{
    const walk_side *a = side_at(w, 0, 0), *b = side_at(w, 1, 0);
    bool leaf_a = a->nodes[item.node[0]].count == 0, leaf_b = b->nodes[item.node[1]].count == 0;
    if (leaf_a && leaf_b) {
        meet_leaves(w, item.node[0], item.node[1]);
        return;
    }
    int which = leaf_a ||
                (!leaf_b && size_of(a, item.node[0], w->kind) < size_of(b, item.node[1], w->kind));
    grazei_node node = side_at(w, which, 0)->nodes[item.node[which]];
    bound_nodes(w, which, node.first, node.count);
    push_siblings(w, which, node.first, node.count, item.node[!which]);
}

/* A node against its later siblings, and what is below it against itself. */
static void open_self(sweep_walk *w, grazei_item item)
{
    grazei_agenda *agenda = w->agenda;
    uint32_t n = item.node[0], last = item.node[1] & ~GRAZEI_SELF_ITEM;
    grazei_node node = side_at(w, 0, 0)->nodes[n];
    push_siblings(w, 1, n + 1, last - n, n);
    if (node.count == 0) {
        meet_leaves(w, n, n);
        return;
    }
    bound_nodes(w, 0, node.first, node.count);
    for (uint32_t child = node.first; child < node.first + node.count; child++) {
        agenda->keys[agenda->count] = 0;
        agenda->items[agenda->count++] =
            (grazei_item){{child, GRAZEI_SELF_ITEM | (node.first + node.count - 1)}};
    }
}

static sweep_walk start_walk(grazei_sweep_question *question, grazei_agenda *agenda,
                             graze_stats *stats)
{
    graze_body **bodies = question->base.bodies;
    sweep_walk w = {.question = question, .stats = stats, .agenda = agenda};
    for (int end = 0; end < 2; end++)
        w.ends[end] = (walk){.sides = {make_side(bodies[end]), make_side(bodies[2 + end])},
                             .stats = stats,
                             .agenda = agenda};
    bool spheres_a = w.ends[0].sides[0].spheres, spheres_b = w.ends[0].sides[1].spheres;
    w.kind = spheres_a != spheres_b ? MIXED : spheres_a ? SPHERE_SPHERE : BOX_BOX;
    return w;
}

static void begin(grazei_sweep_question *question, grazei_agenda *agenda, graze_stats *stats)
{
    sweep_walk w = start_walk(question, agenda, stats);
    bound_nodes(&w, 0, 0, 1);
    if (question->self) {
        agenda->keys[0] = 0;
        agenda->items[agenda->count++] = (grazei_item){{0, GRAZEI_SELF_ITEM | 0}};
        return;
    }
    bound_nodes(&w, 1, 0, 1);
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
        if (question->self && item.node[1] & GRAZEI_SELF_ITEM)
            open_self(&w, item);
        else
            open_pair(&w, item);
    } while (agenda->count && !question->stopped && !grazei_agenda_spent(agenda, stats));
    if (question->report && !question->stopped)
        grazei_sweep_flush(question);
    if (question->stopped)
        agenda->count = 0;
}

const grazei_sweep_kernels GRAZEI_ISA(sweep_kernels) = {begin, run};
