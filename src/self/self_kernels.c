/* A tree walked against itself.
 *
 * A node is looked at once by itself and once against each of its later siblings. Triangles of one
 * piece, which a pose moves as one, meet if they do so at rest: what is listed answers for them.
 * What a pose cannot have folded is skipped unseen (folds/folds.h); adjacent patches that it may
 * have folded are posed and their triangles tested, neighbours left out first, because they always
 * meet.
 */
#include "base/assert.h"
#include "self/self.h"

#include "body/mask.h"
#include "mesh/weld.h"
#include "query/askew.h"
#include "query/neighbours.h"
#include "self/listed_chapter.h"

/* ---- masks ---------------------------------------------------------------------------------- */

/* Two patches, which may be one, and the search for pairs of their triangles. */
typedef struct patch_search {
    const grazei_posed_patch *a, *b;
    const grazei_intervals *of_a, *of_b;
    bool under_way;
    grazei_interval_search intervals;
    grazei_askew askew;
} patch_search;

static __attribute__((noinline)) void find_rows(const self_walk *w, const patch_search *s,
                                                const uint8_t *rows[2])
{
    rows[0] = grazei_body_rows(w->body, s->a, s->of_a, UINT32_MAX, &w->walk.own[0]);
    rows[1] = grazei_body_rows(w->body, s->b, s->of_b, s->a->number, &w->walk.own[1]);
}

static bool begin_search(self_walk *w, patch_search *s)
{
    s->under_way = false;
    s->of_a = grazei_body_measured(w->body, s->a);
    s->of_b = grazei_body_measured(w->body, s->b);
    if (!GRAZEI_ISA(interval_kernels).overlap(&s->intervals, s->of_a, s->of_b) ||
        grazei_are_askew(w->walk.ways, s->a, s->b))
        return false;
    const uint8_t *rows[2];
    find_rows(w, s, rows);
    return GRAZEI_ISA(interval_kernels).begin(&s->intervals, rows[0], rows[1]);
}

/* Between two calls the caller may have been called, and have asked something else of this body. */
static __attribute__((noinline)) size_t next_pairs(self_walk *w, patch_search *s,
                                                   uint16_t pairs[GRAZEI_FOUND_PAIRS])
{
    uint64_t compared = 0;
    if (w->question->outbox.stopped || !grazei_search_goes_on(&s->intervals))
        return 0;
    const uint8_t *rows[2];
    if (s->under_way)
        find_rows(w, s, rows);
    s->under_way = true;
    return grazei_next_askew(&s->intervals, &s->askew, pairs, &compared);
}

/* Adds pairs of the list to masks. */
static void mask_listed(const grazei_folds *folds, uint32_t first, uint32_t count, bool flipped,
                        uint64_t (*masks)[2])
{
    for (uint32_t i = first; i < first + count; i++) {
        uint16_t pair = folds->listed[i];
        uint32_t of_a = grazei_pair_first(pair), of_b = grazei_pair_second(pair);
        uint32_t of_outer = flipped ? of_b : of_a, of_inner = flipped ? of_a : of_b;
        masks[of_outer][of_inner >> 6] |= 1ull << (of_inner & 63);
    }
}

/* Which triangles of the inner patch are neighbours of those of the outer one, or meet them at
 * rest, as bits; within one patch also those that come before. By their places in the model's
 * patches. False: there are none.
 */
static bool find_masks(const self_walk *w, const patch_search *s, const grazei_near *near,
                       uint64_t (*masks)[2])
{
    const grazei_folds *folds = w->question->table;
    bool flipped = s->intervals.flipped;
    const grazei_patch *patch = &w->model->tree.patches[flipped ? s->b->number : s->a->number];
    if (s->a->number == s->b->number)
        memcpy(masks, folds->masks + patch->first_triangle, patch->triangle_count * sizeof *masks);
    else if (near && (near->listed_count | near->neighbour_count))
        memset(masks, 0, patch->triangle_count * sizeof *masks);
    else
        return false;
    if (!near)
        return true;
    uint32_t first = near->first_listed, end = first + near->listed_count;
    for (uint32_t run = near->first_run; first < end; first += folds->runs[run++].count)
        if (folds->runs[run].meet)
            mask_listed(folds, first, folds->runs[run].count, flipped, masks);
    mask_listed(folds, end, near->neighbour_count, flipped, masks);
    return true;
}

/* Whether all of the model's triangles of a patch take part: the table names them by place. */
static bool has_all(const self_walk *w, uint32_t number)
{
    return grazei_body_tree(w->body)->patches[number].triangle_count ==
           w->model->tree.patches[number].triangle_count;
}

/* The table is of use for patches that a part mask cuts where bits are picked out quickly. */
#if defined(__BMI2__) && defined(__x86_64__)
enum { PICKS_BITS = true };

/* Rows and columns of triangles that take part, moved up in their order. */
static void squeeze_masks(const self_walk *w, const patch_search *s, uint64_t (*masks)[2])
{
    bool flipped = s->intervals.flipped;
    const uint64_t *rows = grazei_body_places(w->body, flipped ? s->b->number : s->a->number);
    const uint64_t *in = grazei_body_places(w->body, flipped ? s->a->number : s->b->number);
    uint32_t kept = 0, first = (uint32_t)__builtin_popcountll(in[0]);
    for (uint32_t word = 0; word < 2; word++)
        for (uint64_t left = rows[word]; left; left &= left - 1, kept++) {
            const uint64_t *row = masks[64 * word + (uint32_t)__builtin_ctzll(left)];
            uint64_t low = _pext_u64(row[0], in[0]), high = _pext_u64(row[1], in[1]);
            masks[kept][0] = low | (first < 64 ? high << first : 0);
            masks[kept][1] = first ? high >> (64 - first) : 0;
        }
}
#else
enum { PICKS_BITS = false };

static void squeeze_masks(const self_walk *w, const patch_search *s, uint64_t (*masks)[2])
{
    (void)w, (void)s, (void)masks;
}
#endif

/* Candidates of two patches where the table knows the neighbours. */
static void meet_with_table(self_walk *w, patch_search *search, const grazei_near *near)
{
    const grazei_posed_patch *a = search->a, *b = search->b;
    uint64_t masks[GRAZEI_PATCH_TRIANGLES][2];
    uint16_t pairs[GRAZEI_FOUND_PAIRS];
    bool any = find_masks(w, search, near, masks);
    if (PICKS_BITS && any && !(has_all(w, a->number) && has_all(w, b->number)))
        squeeze_masks(w, search, masks);
    uint32_t rest = list_is_whole(w, a->number) ? 0 : GRAZEI_REST_UNKNOWN;
    search->intervals.masks = any ? (const uint64_t(*)[2])masks : NULL;
    search->askew = (grazei_askew){.ways = w->walk.ways, .patches = {a, b}, .masks = masks};
    for (size_t count; (count = next_pairs(w, search, pairs));)
        meet_pairs(w, a, b, pairs, count, rest);
    if (near)
        meet_listed(w, a->number, near, false);
}

/* Candidates of two patches of a model without a table. */
static void meet_without_table(self_walk *w, patch_search *search)
{
    const grazei_posed_patch *a = search->a, *b = search->b;
    uint64_t masks[GRAZEI_PATCH_TRIANGLES][2];
    uint16_t pairs[GRAZEI_FOUND_PAIRS];
    grazei_neighbours neighbours;
    bool found = false;
    search->askew = (grazei_askew){.ways = w->walk.ways, .patches = {a, b}, .masks = masks};
    for (size_t count; (count = next_pairs(w, search, pairs));) {
        if (!found)
            grazei_find_neighbours(&neighbours, w->body, a->number, b->number);
        found = true;
        meet_pairs(w, a, b, pairs, grazei_drop_neighbours(&neighbours, pairs, count),
                   GRAZEI_REST_UNKNOWN);
    }
}

/* Whether the table knows which triangles of two patches are neighbours; near is their entry. */
static bool knows_neighbours(const self_walk *w, uint32_t number_a, uint32_t number_b,
                             const grazei_near *near)
{
    if (!w->question->table->masks || (number_a != number_b && !list_is_whole(w, number_a)) ||
        (!PICKS_BITS && !(has_all(w, number_a) && has_all(w, number_b))))
        return false;
    if (near || number_a == number_b)
        return !near || near->neighbour_count != GRAZEI_UNCOUNTED;
    return !(w->question->table->strays[number_a] && w->question->table->strays[number_b]);
}

static void meet_in_lanes(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
                          const grazei_near *near)
{
    patch_search search;
    search.a = a;
    search.b = b;
    bool known = knows_neighbours(w, a->number, b->number, near);
#if !defined(__wasm__) /* where code travels, they are left out one by one */
    if (!known && grazei_share_a_hub(w->body, a->number, b->number))
        return;
#endif
    if (!begin_search(w, &search))
        return;
    if (known)
        meet_with_table(w, &search, near);
    else
        meet_without_table(w, &search);
}

static void meet_one_by_one(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b)
{
    const grazei_mesh *mesh = &w->model->mesh;
    for (uint32_t i = 0; i < a->triangle_count; i++)
        for (uint32_t k = a->number == b->number ? i + 1 : 0; k < b->triangle_count; k++) {
            float of_a[3][4] __attribute__((aligned(16))), of_b[3][4] __attribute__((aligned(16)));
            uint16_t pair = grazei_pair(i, k);
            if (w->question->outbox.stopped)
                return;
            grazei_patch_triangle(a, i, of_a);
            grazei_patch_triangle(b, k, of_b);
            if (grazei_triangle_boxes_overlap((const float(*)[4])of_a, (const float(*)[4])of_b) &&
                !grazei_are_neighbours(mesh, a->names[i], b->names[k]))
                meet_pairs(w, a, b, &pair, 1, GRAZEI_REST_UNKNOWN);
        }
}

static void meet_listed_below(self_walk *w, uint32_t node)
{
    const grazei_folds *folds = w->question->table;
    uint32_t end = folds->node_ranks[node][1];
    if (!folds->node_listed[node])
        return;
    for (uint32_t rank = folds->node_ranks[node][0]; rank < end && !w->question->outbox.stopped;
         rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            if (folds->nears[i].listed_count && folds->patch_ranks[folds->nears[i].patch] < end)
                meet_listed(w, folds->rank_patches[rank], &folds->nears[i], true);
}

/* ---- patches -------------------------------------------------------------------------------- */

/* Whether two patches need not be looked at: they are of one piece, or the pose cannot have folded
 * them onto each other. What was near at rest is left to be done then. near is their entry in the
 * table.
 */
static inline bool cannot_meet(const self_walk *w, uint32_t leaf_a, uint32_t leaf_b,
                               const grazei_near *near)
{
    const grazei_folds *folds = w->question->table;
    const grazei_node *nodes = w->walk.sides[0].nodes;
    GRAZE_ASSERT(nodes[leaf_a].count == 0 && nodes[leaf_b].count == 0);
    uint32_t number_a = nodes[leaf_a].first, number_b = nodes[leaf_b].first;
    uint32_t piece = folds->node_pieces[leaf_a];
    if (!list_is_whole(w, number_a))
        return false;
    return (near && grazei_cannot_fold(w->question->folds, near->fold)) ||
           (piece == folds->node_pieces[leaf_b] && piece_keeps(w, piece, number_a, number_b));
}

static __attribute__((noinline)) void meet_posed(self_walk *w, const grazei_posed_patch *a,
                                                 const grazei_posed_patch *b,
                                                 const grazei_near *near)
{
    grazei_self_question *question = w->question;
    if (grazei_body_suits_lanes(w->body))
        meet_in_lanes(w, a, b, near);
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

/* Two leaves that may meet, and their entry in the table. */
static void meet_looked_up(self_walk *w, uint32_t leaf_a, uint32_t leaf_b, const grazei_near *near)
{
    const grazei_view *view = &w->walk.sides[0];
    const grazei_folds *folds = w->question->table;
    if (near && folds->runs) { /* used when both are measured */
        __builtin_prefetch(folds->listed + near->first_listed + near->listed_count);
        __builtin_prefetch(folds->runs + near->first_run);
    }
    grazei_posed_patch a = grazei_view_leaf(view, leaf_a, w->walk.stats);
    grazei_posed_patch b = grazei_view_leaf(view, leaf_b, w->walk.stats);
    if (!boxes_apart(grazei_patch_box(&a), grazei_patch_box(&b)))
        meet_posed(w, &a, &b, near);
}

/* Two leaves; of two patches near each other at rest the first is the one with the lower rank. */
static void meet_pair(self_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grazei_view *view = &w->walk.sides[0];
    uint32_t number_a = view->nodes[leaf_a].first, number_b = view->nodes[leaf_b].first;
    if (grazei_view_is_posed(view, leaf_a) && grazei_view_is_posed(view, leaf_b) &&
        boxes_apart(&view->boxes[number_a], &view->boxes[number_b]))
        return;
    const grazei_near *near = find_near(w, number_a, number_b);
    if (!w->question->folds || !cannot_meet(w, leaf_a, leaf_b, near))
        meet_looked_up(w, leaf_a, leaf_b, near);
    else if (near)
        meet_listed(w, number_a, near, true);
}

/* Looks at the pairs that were put off until so many items are free behind the agenda's last. */
static __attribute__((noinline)) void meet_put_off(self_walk *w, uint32_t room)
{
    grazei_agenda *agenda = w->walk.agenda;
    while (w->put_off && agenda->count + room + w->put_off > GRAZEI_AGENDA_ITEMS &&
           !w->question->outbox.stopped) {
        GRAZE_ASSERT(agenda->count + w->put_off <= GRAZEI_AGENDA_ITEMS);
        grazei_pair_item pair = agenda->items[GRAZEI_AGENDA_ITEMS - w->put_off--].pair;
        meet_pair(w, pair.node[0], pair.node[1]);
    }
}

/* Where one hit is enough, neighbouring patches come last: they overlap always, cost much and
 * rarely have one.
 */
static void meet_leaves(self_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grazei_view *view = &w->walk.sides[0];
    const grazei_folds *folds = w->question->table;
    uint32_t number_a = view->nodes[leaf_a].first, number_b = view->nodes[leaf_b].first;
    if (folds->masks && folds->patch_ranks[number_a] > folds->patch_ranks[number_b]) {
        uint32_t leaf = leaf_a; /* the table has them in this order */
        leaf_a = leaf_b;
        leaf_b = leaf;
    }
    w->walk.stats->bound_tests++;
    if (!w->question->first || !w->question->folds ||
        !grazei_folds_near(folds, number_a, number_b)) {
        meet_pair(w, leaf_a, leaf_b);
        return;
    }
    grazei_item *items = w->walk.agenda->items;
    GRAZE_ASSERT(w->walk.agenda->count + w->put_off < GRAZEI_AGENDA_ITEMS);
    items[GRAZEI_AGENDA_ITEMS - ++w->put_off].pair = (grazei_pair_item){{leaf_a, leaf_b}};
}

static void meet_itself(self_walk *w, uint32_t leaf)
{
    uint32_t number = w->walk.sides[0].nodes[leaf].first;
    grazei_posed_patch patch = grazei_body_patch(w->body, number, w->walk.stats);
    meet_posed(w, &patch, &patch, find_near(w, number, number));
}

/* Where one hit is enough and the first leaf had none: those of which no fold is known, among the
 * first so many nodes. Weights jump there, and skin runs into itself; a model that has one so early
 * has many. Of few leaves all have their turn soon.
 */
enum { TORN_AMONG = 16, FEW_NODES = 32 };

static void try_torn(self_walk *w)
{
    const grazei_folds *folds = w->question->table;
    uint32_t end = w->model->tree.node_count > FEW_NODES ? TORN_AMONG : 0;
    for (uint32_t n = 0; n < end && w->tried_count < TRIED && !w->question->outbox.stopped; n++)
        if (folds->node_folds[n] == GRAZEI_NO_FOLD && w->model->tree.nodes[n].count == 0 &&
            n != w->tried[0]) {
            GRAZE_ASSERT(w->tried_count < TRIED);
            w->tried[w->tried_count++] = n;
            meet_itself(w, n);
        }
}

static void meet_leaf(self_walk *w, uint32_t leaf)
{
    for (uint32_t i = 0; i < w->tried_count; i++)
        if (w->tried[i] == leaf)
            return;
    meet_itself(w, leaf);
    if (w->question->first && w->question->whole && w->question->folds && !w->tried_count &&
        !grazei_body_is_masked(w->body)) {
        w->tried[w->tried_count++] = leaf;
        try_torn(w);
    }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A node against its later siblings, then what is below it. */
static void look_into(self_walk *w, grazei_self_item item)
{
    const grazei_view *view = &w->walk.sides[0];
    grazei_agenda *agenda = w->walk.agenda;
    uint32_t n = item.node, last = grazei_last_sibling(item);
    if (grazei_view_is_empty(view, n))
        return;
    for (uint32_t sibling = n + 1; sibling <= last; sibling++)
        if (nodes_count(w, n, sibling) && grazei_views_overlap(view, n, view, sibling))
            agenda->items[agenda->count++].self = (grazei_self_item){n, sibling};
    w->walk.stats->bound_tests += last - n;
    if (!nodes_count(w, n, n))
        return;
    if (w->question->folds && grazei_node_cannot_fold(w->question->folds, n)) {
        meet_listed_below(w, n);
        return;
    }
    grazei_node node = view->nodes[n];
    if (node.count == 0) {
        meet_leaf(w, n);
        return;
    }
    grazei_body_bound(w->body, node.first, node.count, w->walk.stats);
    for (uint32_t child = node.first; child < node.first + node.count; child++)
        agenda->items[agenda->count++].self = grazei_itself(child, node.first + node.count - 1);
}

/* A step leaves at most so many items more: a node's siblings and its children, or a pair's; and
 * four may be written at a time, and one be put off.
 */
#define SELF_ROOM (2 * GRAZEI_MAX_ARITY + 5)

static inline __attribute__((always_inline)) void look_at(self_walk *w, grazei_item item,
                                                          volumes kind)
{
    const grazei_node *nodes = w->walk.sides[0].nodes;
    if (grazei_is_itself(item.self))
        look_into(w, item.self);
    else if (!nodes_count(w, item.self.node, item.self.other))
        return;
    else if (nodes[item.self.node].count == 0 && nodes[item.self.other].count == 0)
        meet_leaves(w, item.self.node, item.self.other);
    else
        open_nodes(&w->walk, item.pair, kind, false, LESS_CODE);
}

static inline __attribute__((always_inline)) void walk_self(self_walk *w, volumes kind)
{
    grazei_agenda *agenda = w->walk.agenda;
    const uint32_t room = w->question->first ? 0 : room_to_take(&w->walk, 2 * GRAZEI_MAX_ARITY);
    do {
        meet_put_off(w, SELF_ROOM);
        grazei_item items[TAKEN_TOGETHER];
        uint32_t count = count_taken(agenda, room);
        agenda->count -= count;
        for (uint32_t i = 0; i < count; i++)
            items[i] = agenda->items[agenda->count + i];
        for (uint32_t i = 0; i < count && !w->question->outbox.stopped; i++)
            look_at(w, items[i], kind);
    } while (agenda->count && !w->question->outbox.stopped &&
             !grazei_agenda_spent(agenda, w->walk.stats));
}

static __attribute__((noinline)) void walk_nodes(self_walk *w)
{
    bool spheres = w->walk.sides[0].spheres;
#if defined(__wasm__) /* where code travels, one copy of it */
    walk_self(w, spheres ? SPHERE_SPHERE : BOX_BOX);
#else
    if (spheres)
        walk_self(w, SPHERE_SPHERE);
    else
        walk_self(w, BOX_BOX);
#endif
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Whether the way through the tree that is known before any pose is taken. */
static bool follows_steps(const self_walk *w)
{
    const grazei_self_question *question = w->question;
    const grazei_folds *folds = w->question->table;
    return question->whole && !question->first && !question->between && question->folds &&
           folds->leaves && !grazei_body_is_masked(w->body) &&
           !grazei_node_cannot_fold(question->folds, 0);
}

/* Two patches that are near each other at rest, or one and itself. */
static void look_at_near(self_walk *w, uint32_t number, const grazei_near *near)
{
    const grazei_view *view = &w->walk.sides[0];
    const grazei_fold_leaf *leaves = w->question->table->leaves;
    const grazei_fold_leaf *a = &leaves[number], *b = &leaves[near->patch];
    bool apart = cannot_meet(w, a->node, b->node, near);
    if (apart && !near->listed_count)
        return;
    if (a != b) {
        grazei_body_bound(w->body, a->first, a->count, w->walk.stats);
        grazei_body_bound(w->body, b->first, b->count, w->walk.stats);
        w->walk.stats->bound_tests++;
        if (boxes_apart(&view->bounds[a->node], &view->bounds[b->node]))
            return;
    }
    if (apart)
        meet_listed(w, number, near, true);
    else if (a != b)
        meet_looked_up(w, a->node, b->node, near);
    else
        meet_itself(w, a->node);
}

/* In the order of the table, so that what is listed can be asked for ahead. */
static void look_at_nears(self_walk *w)
{
    const grazei_folds *folds = w->question->table;
    for (uint32_t rank = 0; rank < w->model->tree.patch_count; rank++)
        for (uint32_t i = folds->first_near[rank];
             i < folds->first_near[rank + 1] && !w->question->outbox.stopped; i++) {
            if (i + FETCHED_AHEAD < folds->near_count)
                fetch_listed(w, &folds->nears[i + FETCHED_AHEAD]);
            look_at_near(w, folds->rank_patches[rank], &folds->nears[i]);
        }
}

/* Which of the open pairs of a step overlap. */
static uint32_t find_overlapping(const grazei_view *view, const grazei_fold_step *step)
{
    const grazei_bound *a = &view->bounds[step->first[0]], *b = &view->bounds[step->first[1]];
#if defined(GRAZEI_BOX_PAIRS)
    if (!view->shared)
        return overlapping_sixteen(a, b) & step->open;
#endif
    uint32_t bits = 0;
    for (uint32_t left = step->open; left; left &= left - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(left);
        bits |= (uint32_t)!boxes_apart(&a[k / GRAZEI_STEP_CHILDREN], &b[k % GRAZEI_STEP_CHILDREN])
                << k;
    }
    return bits;
}

static void follow_steps(self_walk *w)
{
    const grazei_folds *folds = w->question->table;
    grazei_agenda *agenda = w->walk.agenda;
    agenda->count = 0;
    for (uint32_t s = 0; s < folds->step_count && !w->question->outbox.stopped;) {
        const grazei_fold_step *step = &folds->steps[s++];
        if (grazei_piece_keeps(w->question->folds, step->piece, step->edge, step->edge)) {
            s = step->end;
            continue;
        }
        for (int i = 0; i < 2; i++) /* one alone was bounded by the step that it came from */
            if (step->count[i] > 1)
                grazei_body_bound(w->body, step->first[i], step->count[i], w->walk.stats);
        w->walk.stats->bound_tests += (uint32_t)__builtin_popcount(step->open);
        for (uint32_t left = find_overlapping(&w->walk.sides[0], step); left; left &= left - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(left);
            agenda->items[agenda->count++].pair =
                (grazei_pair_item){{step->first[0] + k / GRAZEI_STEP_CHILDREN,
                                    step->first[1] + k % GRAZEI_STEP_CHILDREN}};
        }
        if (agenda->count)
            walk_nodes(w);
    }
    agenda->count = 0;
}

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_self_question *question = (grazei_self_question *)base;
    graze_body *body = base->bodies[0];
    grazei_view view = grazei_body_view(body);
    grazei_own_rows own[2];
    grazei_ways ways;
    self_walk w = {.walk = {.sides = {view, view},
                            .stats = stats,
                            .agenda = agenda,
                            .own = own,
                            .ways = &ways},
                   .question = question,
                   .model = grazei_body_model(body),
                   .body = body};
    own[0].number = own[1].number = UINT32_MAX;
    ways.known = false;
    ways.effort = ways.found = 0;
    grazei_batch_aim(&question->batch, &view, &view);
    if (follows_steps(&w)) {
        look_at_nears(&w);
        follow_steps(&w);
    } else {
        walk_nodes(&w);
    }
    meet_put_off(&w, GRAZEI_AGENDA_ITEMS);
    grazei_batch_finish(&question->batch, &question->outbox);
    if (question->known.count && !question->outbox.stopped)
        grazei_self_flush_known(question);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_self_kernels GRAZEI_ISA(self_kernels) = {run};
