/* A tree walked against itself.
 *
 * A node is looked at once by itself and once against each of its later siblings. Triangles of one
 * piece, which a pose moves as one, meet if they do so at rest: what is listed answers for them.
 * What a pose cannot have folded is skipped unseen (folds/folds.h); adjacent patches that it may
 * have folded are posed and their triangles tested, neighbours left out first, because they always
 * meet.
 */
#include "query/self.h"

#include "body/mask.h"
#include "mesh/weld.h"
#include "query/batch_kernels.h"
#include "query/between.h"
#include "query/neighbours.h"
#include "query/walk.h"

/* A walk, with what is looked up again and again. */
typedef struct self_walk {
    walk walk; /* both sides are the same */
    grazei_self_question *question;
    const graze_model *model;
    graze_body *body;
    bool ahead;       /* listed pairs that are known to meet were reported before */
    uint32_t put_off; /* pairs of leaves at the end of the agenda, to be looked at last */
} self_walk;

/* ---- the table ------------------------------------------------------------------------------ */

/* Whether all triangles of a patch and of one that comes after it, or itself, are listed where they
 * were very near each other at rest.
 */
static bool list_is_whole(const self_walk *w, uint32_t first)
{
    return !w->model->folds.crowded[first];
}

/* Whether triangles of a piece in two patches do not meet, unless they are listed. */
static bool piece_keeps(const self_walk *w, uint32_t piece, uint32_t number_a, uint32_t number_b)
{
    const grazei_folds *folds = &w->model->folds;
    return grazei_piece_keeps(w->question->folds, piece, folds->edges[number_a],
                              folds->edges[number_b]);
}

static const grazei_patch_piece *find_piece(const self_walk *w, uint32_t number, uint32_t piece)
{
    const grazei_folds *folds = &w->model->folds;
    for (uint32_t i = folds->first_piece[number]; i < folds->first_piece[number + 1]; i++)
        if (folds->patch_pieces[i].piece == piece)
            return &folds->patch_pieces[i];
    return NULL;
}

/* The entry of two patches in the table, or NULL. */
static const grazei_near *find_near(const self_walk *w, uint32_t number_a, uint32_t number_b)
{
    const grazei_folds *folds = &w->model->folds;
    return folds->masks ? grazei_folds_near(folds, number_a, number_b) : NULL;
}

/* Whether known pairs of these were reported before the walk. */
static bool is_reported_ahead(const self_walk *w, const grazei_near *near)
{
    return w->ahead && near->neighbour_count != GRAZEI_UNCOUNTED;
}

/* ---- triangles ------------------------------------------------------------------------------ */

/* Apart, so that the walk over all triangles stays small. */
static __attribute__((noinline)) bool chosen(const self_walk *w, uint32_t a, uint32_t b)
{
    return grazei_triangles_count(w->question->between, w->model, a, b);
}

static __attribute__((noinline)) bool nodes_chosen(const self_walk *w, uint32_t a, uint32_t b)
{
    return grazei_nodes_count(w->question->between, w->model, a, b);
}

/* Whether two triangles are to be looked at. */
static inline bool counts(const self_walk *w, uint32_t a, uint32_t b)
{
    return !w->question->between || chosen(w, a, b);
}

/* Whether two nodes may have such triangles. */
static inline bool nodes_count(const self_walk *w, uint32_t a, uint32_t b)
{
    return !w->question->between || nodes_chosen(w, a, b);
}

/* Leaves out pairs that do not count; returns how many are left. */
static size_t keep_counting(const self_walk *w, const grazei_posed_patch *a,
                            const grazei_posed_patch *b, uint16_t *pairs, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        uint16_t pair = pairs[i];
        if (counts(w, a->names[grazei_pair_first(pair)], b->names[grazei_pair_second(pair)]))
            pairs[kept++] = pair;
    }
    return kept;
}

/* Tests pairs of triangles of two patches, by way of the batch: there are few of them. */
static __attribute__((noinline)) void meet_pairs(self_walk *w, const grazei_posed_patch *a,
                                                 const grazei_posed_patch *b, uint16_t *pairs,
                                                 size_t count)
{
    grazei_self_question *question = w->question;
    if (question->between)
        count = keep_counting(w, a, b, pairs, count);
    w->walk.stats->triangle_tests += count;
    grazei_batch_add(&question->batch, a, b, pairs, count, &question->outbox);
}

/* Whether a listed pair takes part; if so, it becomes one of the body's patches. */
static __attribute__((noinline)) bool takes_part(const self_walk *w, uint32_t number_a,
                                                 uint32_t number_b, uint32_t s, uint32_t t,
                                                 uint16_t *pair)
{
    if (!counts(w, s, t))
        return false;
    if (!grazei_body_is_masked(w->body))
        return true;
    uint32_t a = grazei_body_place(w->body, number_a, grazei_pair_first(*pair));
    uint32_t b = grazei_body_place(w->body, number_b, grazei_pair_second(*pair));
    *pair = grazei_pair(a, b);
    return a != UINT32_MAX && b != UINT32_MAX;
}

/* How many of a run of a piece are in this pose as they are at rest. */
static uint32_t count_clear(const self_walk *w, const grazei_listed_run *run, const uint8_t *clear)
{
    uint32_t known = run->count, enough = w->question->folds->pieces[run->piece].clear;
    if (run->least < enough)
        while (known && (clear[known - 1] & ~GRAZEI_MEETS) < enough)
            known--;
    return known;
}

/* Tests listed pairs of two patches, as places in the body's. */
static void test_listed(self_walk *w, uint32_t number_a, uint32_t number_b, uint16_t *pairs,
                        uint32_t count)
{
    grazei_posed_patch a = grazei_body_patch(w->body, number_a, w->walk.stats);
    grazei_posed_patch b = grazei_body_patch(w->body, number_b, w->walk.stats);
    meet_pairs(w, &a, &b, pairs, count);
}

/* So many listed pairs are tested at a time. */
enum { LISTED_TOGETHER = 32 };

/* A run of listed pairs: first those known to be as at rest, then those to be tested. */
static void meet_run(self_walk *w, uint32_t number_a, uint32_t number_b, const uint16_t *pairs,
                     uint32_t known, uint32_t count)
{
    const grazei_tree *tree = &w->model->tree;
    const uint32_t *names_a = tree->patch_triangles + tree->patches[number_a].first_triangle;
    const uint32_t *names_b = tree->patch_triangles + tree->patches[number_b].first_triangle;
    uint16_t tested[LISTED_TOGETHER];
    uint32_t waiting = 0;
    bool some = w->question->between || grazei_body_is_masked(w->body);
    for (uint32_t i = 0; i < count && !w->question->outbox.stopped; i++) {
        uint16_t own = pairs[i];
        uint32_t s = names_a[grazei_pair_first(own)], t = names_b[grazei_pair_second(own)];
        if (some && !takes_part(w, number_a, number_b, s, t, &own))
            continue;
        if (i < known) {
            grazei_self_report_known(w->question, s, t);
            continue;
        }
        if (waiting == LISTED_TOGETHER) {
            test_listed(w, number_a, number_b, tested, waiting);
            waiting = 0;
        }
        tested[waiting++] = own;
    }
    if (waiting && !w->question->outbox.stopped)
        test_listed(w, number_a, number_b, tested, waiting);
}

/* Listed pairs of two patches: all of them, those of a piece that moves as one, or of these those
 * that are known to meet.
 */
typedef enum listed_part { LISTED_ALL, LISTED_PIECES, LISTED_KNOWN } listed_part;

/* Those of one piece are as they are at rest, where that is clear enough; the others are tested. */
static void meet_listed(self_walk *w, uint32_t number_a, const grazei_near *near, listed_part part)
{
    const grazei_folds *folds = &w->model->folds;
    if (near->listed_count == 0)
        return;
    const grazei_listed_run *run = folds->runs + near->first_run;
    uint32_t first = near->first_listed, end = first + near->listed_count;
    bool reports = w->question->which == GRAZE_SELF_ALL &&
                   (part == LISTED_KNOWN || !is_reported_ahead(w, near));
    for (; first < end; first += run++->count) {
        bool keeps = piece_keeps(w, run->piece, number_a, near->patch);
        if (part != LISTED_ALL && !keeps)
            continue;
        uint32_t known = keeps ? count_clear(w, run, folds->clear + first) : 0;
        uint32_t from = run->meet && reports ? 0 : known;
        uint32_t to = part == LISTED_KNOWN ? known : run->count;
        if (from < to)
            meet_run(w, number_a, near->patch, folds->listed + first + from, known - from,
                     to - from);
    }
}

#if defined(__wasm__) /* where they are met */

static void report_ahead(self_walk *w)
{
    (void)w;
}

#else

enum { FETCHED_AHEAD = 8 };

/* Asks for what meet_listed() will read. */
static void fetch_listed(const self_walk *w, const grazei_near *near)
{
    const grazei_folds *folds = &w->model->folds;
    const grazei_tree *tree = &w->model->tree;
    const uint32_t *names = tree->patch_triangles + tree->patches[near->patch].first_triangle;
    if (!near->listed_count)
        return;
    __builtin_prefetch(folds->runs + near->first_run);
    __builtin_prefetch(folds->clear + near->first_listed);
    __builtin_prefetch(folds->listed + near->first_listed);
    for (uint32_t i = 0; i < GRAZEI_PATCH_TRIANGLES / 2; i += 16)
        __builtin_prefetch(names + i);
}

/* Listed pairs that are known to meet are reported in the order of the table, where all pairs of
 * all triangles are wanted: walks come by in another, and wait for each of them. Patches that they
 * are of overlap, so that a walk comes by at all of them, and does without masks at none.
 */
static void report_ahead(self_walk *w)
{
    const grazei_folds *folds = &w->model->folds;
    grazei_self_question *question = w->question;
    w->ahead = question->whole && question->folds && question->which == GRAZE_SELF_ALL &&
               !question->between && folds->masks && grazei_body_suits_lanes(w->body) &&
               !grazei_body_is_masked(w->body) && folds->node_listed[0];
    uint32_t ranks = w->ahead ? w->model->tree.patch_count : 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
        for (uint32_t i = folds->first_near[rank];
             i < folds->first_near[rank + 1] && !question->outbox.stopped; i++) {
            if (i + FETCHED_AHEAD < folds->near_count)
                fetch_listed(w, &folds->nears[i + FETCHED_AHEAD]);
            if (is_reported_ahead(w, &folds->nears[i]))
                meet_listed(w, folds->rank_patches[rank], &folds->nears[i], LISTED_KNOWN);
        }
}

#endif

/* Adds to masks the triangles of b that are of the same piece as a's and move as one with it:
 * others answer for those. For some of a's triangles, as bits; those that no triangle in `inner` is
 * left for are taken off instead, unless it is NULL.
 */
static void mask_pieces(const self_walk *w, uint32_t number_a, uint32_t number_b, uint64_t rows[2],
                        const uint64_t *inner, uint64_t (*masks)[2])
{
    const grazei_folds *folds = &w->model->folds;
    for (uint32_t i = folds->first_piece[number_a]; i < folds->first_piece[number_a + 1]; i++) {
        const grazei_patch_piece *own = &folds->patch_pieces[i];
        const grazei_patch_piece *other = find_piece(w, number_b, own->piece);
        if (!other || !piece_keeps(w, other->piece, number_a, number_b))
            continue;
        if (inner && !((inner[0] & ~other->mask[0]) | (inner[1] & ~other->mask[1]))) {
            rows[0] &= ~own->mask[0];
            rows[1] &= ~own->mask[1];
            continue;
        }
        for (uint32_t word = 0; word < 2; word++)
            for (uint64_t left = own->mask[word] & rows[word]; left; left &= left - 1) {
                uint64_t *mask = masks[64 * word + (uint32_t)__builtin_ctzll(left)];
                mask[0] |= other->mask[0];
                mask[1] |= other->mask[1];
            }
    }
}

/* Two patches, which may be one, and the search for pairs of their triangles. */
typedef struct patch_search {
    const grazei_posed_patch *a, *b;
    const grazei_intervals *of_a, *of_b;
    bool under_way;
    grazei_interval_search intervals;
} patch_search;

static __attribute__((noinline)) void find_rows(const self_walk *w, const patch_search *s,
                                                const int16_t *rows[2])
{
    rows[0] = grazei_body_rows(w->body, s->a, s->of_a, UINT32_MAX, &w->walk.own[0]);
    rows[1] = grazei_body_rows(w->body, s->b, s->of_b, s->a->number, &w->walk.own[1]);
}

static bool begin_search(self_walk *w, patch_search *s)
{
    s->under_way = false;
    s->of_a = grazei_body_measured(w->body, s->a);
    s->of_b = grazei_body_measured(w->body, s->b);
    if (!GRAZEI_ISA(interval_kernels).overlap(&s->intervals, s->of_a, s->of_b))
        return false;
    const int16_t *rows[2];
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
    const int16_t *rows[2];
    if (s->under_way)
        find_rows(w, s, rows);
    s->under_way = true;
    return GRAZEI_ISA(interval_kernels).next(&s->intervals, pairs, &compared);
}

/* Which triangles of the inner patch are neighbours of those of the outer one, or of the same
 * piece, as bits; within one patch also those that come before. By their places in the model's
 * patches. Of the outer one's triangles those in `rows` matter; where `inner` has those that matter
 * of the inner one, rows for which none are left are taken off, a third of all searches' last ones.
 */
static void find_masks(const self_walk *w, const patch_search *s, const grazei_near *near,
                       uint64_t rows[2], const uint64_t *inner_left, uint64_t (*masks)[2])
{
    const grazei_folds *folds = &w->model->folds;
    bool flipped = s->intervals.flipped;
    const grazei_posed_patch *outer = flipped ? s->b : s->a, *inner = flipped ? s->a : s->b;
    const grazei_patch *patch = &w->model->tree.patches[outer->number];
    if (outer->number == inner->number)
        memcpy(masks, folds->masks + patch->first_triangle, patch->triangle_count * sizeof *masks);
    else
        memset(masks, 0, patch->triangle_count * sizeof *masks);
    if (w->question->folds && list_is_whole(w, s->a->number))
        mask_pieces(w, outer->number, inner->number, rows, inner_left, masks);
    if (outer->number == inner->number || !near || !(rows[0] | rows[1]))
        return;
    for (uint32_t i = 0; i < near->neighbour_count; i++) {
        uint16_t pair = folds->listed[near->first_listed + near->listed_count + i];
        uint32_t of_a = grazei_pair_first(pair), of_b = grazei_pair_second(pair);
        uint32_t of_outer = flipped ? of_b : of_a, of_inner = flipped ? of_a : of_b;
        masks[of_outer][of_inner >> 6] |= 1ull << (of_inner & 63);
    }
}

/* Whether all of the model's triangles of a patch take part: the table names them by place. */
static bool has_all(const self_walk *w, uint32_t number)
{
    return grazei_body_tree(w->body)->patches[number].triangle_count ==
           w->model->tree.patches[number].triangle_count;
}

/* The table is of use for patches that a group mask cuts where bits are picked out quickly. */
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
    if (!PICKS_BITS || (has_all(w, a->number) && has_all(w, b->number))) {
        find_masks(w, search, near, search->intervals.left, search->intervals.inner_left, masks);
    } else {
        find_masks(w, search, near, (uint64_t[2]){UINT64_MAX, UINT64_MAX}, NULL, masks);
        squeeze_masks(w, search, masks);
    }
    search->intervals.masks = (const uint64_t(*)[2])masks;
    for (size_t count; (count = next_pairs(w, search, pairs));)
        meet_pairs(w, a, b, pairs, count);
    if (near && w->question->folds && list_is_whole(w, a->number))
        meet_listed(w, a->number, near, LISTED_PIECES);
}

/* Candidates of two patches of a model without a table. */
static void meet_without_table(self_walk *w, patch_search *search)
{
    const grazei_posed_patch *a = search->a, *b = search->b;
    uint16_t pairs[GRAZEI_FOUND_PAIRS];
    grazei_neighbours neighbours;
    bool found = false;
    for (size_t count; (count = next_pairs(w, search, pairs));) {
        if (!found)
            grazei_find_neighbours(&neighbours, w->body, a->number, b->number);
        found = true;
        meet_pairs(w, a, b, pairs, grazei_drop_neighbours(&neighbours, pairs, count));
    }
}

/* Whether the table knows which triangles of two patches are neighbours; near is their entry. */
static bool knows_neighbours(const self_walk *w, uint32_t number_a, uint32_t number_b,
                             const grazei_near *near)
{
    if (!w->model->folds.masks || (number_a != number_b && !list_is_whole(w, number_a)) ||
        (!PICKS_BITS && !(has_all(w, number_a) && has_all(w, number_b))))
        return false;
    return !near || near->neighbour_count != GRAZEI_UNCOUNTED;
}

static void meet_in_lanes(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
                          const grazei_near *near)
{
    patch_search search;
    search.a = a;
    search.b = b;
    if (!begin_search(w, &search))
        return;
    if (knows_neighbours(w, a->number, b->number, near))
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
                meet_pairs(w, a, b, &pair, 1);
        }
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
            if (folds->nears[i].listed_count && folds->patch_ranks[folds->nears[i].patch] < end)
                meet_listed(w, folds->rank_patches[rank], &folds->nears[i], LISTED_ALL);
}

/* ---- patches -------------------------------------------------------------------------------- */

/* Whether two patches need not be looked at: they are of one piece, or the pose cannot have folded
 * them onto each other. What was near at rest is done then. near is their entry in the table.
 */
static bool skip_patches(self_walk *w, uint32_t leaf_a, uint32_t leaf_b, const grazei_near *near)
{
    const grazei_folds *folds = &w->model->folds;
    const grazei_node *nodes = w->walk.sides[0].nodes;
    uint32_t number_a = nodes[leaf_a].first, number_b = nodes[leaf_b].first;
    uint32_t piece = folds->node_pieces[leaf_a];
    bool one = piece == folds->node_pieces[leaf_b] && piece_keeps(w, piece, number_a, number_b);
    if (!list_is_whole(w, number_a))
        return false;
    if (!one && (!near || !grazei_cannot_fold(w->question->folds, near->fold)))
        return false;
    if (near)
        meet_listed(w, number_a, near, LISTED_ALL);
    return true;
}

static void meet_posed(self_walk *w, const grazei_posed_patch *a, const grazei_posed_patch *b,
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

/* Two leaves; of two patches near each other at rest the first is the one with the lower rank. */
static void meet_pair(self_walk *w, uint32_t leaf_a, uint32_t leaf_b)
{
    const grazei_view *view = &w->walk.sides[0];
    uint32_t number_a = view->nodes[leaf_a].first, number_b = view->nodes[leaf_b].first;
    if (grazei_view_is_posed(view, leaf_a) && grazei_view_is_posed(view, leaf_b) &&
        boxes_apart(&view->boxes[number_a], &view->boxes[number_b]))
        return;
    const grazei_near *near = find_near(w, number_a, number_b);
    if (w->question->folds && skip_patches(w, leaf_a, leaf_b, near))
        return;
    const grazei_folds *folds = &w->model->folds;
    if (near && folds->runs) { /* used when both are measured */
        __builtin_prefetch(folds->listed + near->first_listed + near->listed_count);
        __builtin_prefetch(folds->runs + near->first_run);
    }
    grazei_posed_patch a = grazei_view_leaf(view, leaf_a, w->walk.stats);
    grazei_posed_patch b = grazei_view_leaf(view, leaf_b, w->walk.stats);
    if (!boxes_apart(grazei_patch_box(&a), grazei_patch_box(&b)))
        meet_posed(w, &a, &b, near);
}

/* Looks at the pairs that were put off until so many items are free behind the agenda's last. */
static void meet_put_off(self_walk *w, uint32_t room)
{
    grazei_agenda *agenda = w->walk.agenda;
    while (w->put_off && agenda->count + room + w->put_off > GRAZEI_AGENDA_ITEMS &&
           !w->question->outbox.stopped) {
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
    const grazei_folds *folds = &w->model->folds;
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
    items[GRAZEI_AGENDA_ITEMS - ++w->put_off].pair = (grazei_pair_item){{leaf_a, leaf_b}};
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
        grazei_posed_patch patch = grazei_body_patch(w->body, node.first, w->walk.stats);
        meet_posed(w, &patch, &patch, find_near(w, node.first, node.first));
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

static void run(grazei_question *base, grazei_agenda *agenda, graze_stats *stats)
{
    grazei_self_question *question = (grazei_self_question *)base;
    graze_body *body = base->bodies[0];
    grazei_view view = grazei_body_view(body);
    grazei_own_rows own[2];
    self_walk w = {.walk = {.sides = {view, view}, .stats = stats, .agenda = agenda, .own = own},
                   .question = question,
                   .model = grazei_body_model(body),
                   .body = body};
    own[0].number = own[1].number = UINT32_MAX;
    grazei_batch_aim(&question->batch, &view, &view);
    report_ahead(&w);
    if (question->outbox.stopped)
        agenda->count = 0;
#if defined(__wasm__) /* where code travels, one copy of it */
    else
        walk_self(&w, volumes_of(w.walk.sides));
#else
    else if (view.spheres)
        walk_self(&w, SPHERE_SPHERE);
    else
        walk_self(&w, BOX_BOX);
#endif
    meet_put_off(&w, GRAZEI_AGENDA_ITEMS);
    grazei_batch_finish(&question->batch, &question->outbox);
    if (question->known.count && !question->outbox.stopped)
        grazei_self_flush_known(question);
    if (question->outbox.stopped)
        agenda->count = 0;
}

const grazei_self_kernels GRAZEI_ISA(self_kernels) = {run};
