/* A walk of a tree against itself: what the table says of two patches, and pairs of triangles that
 * were near each other at rest, which it lists. Included by self_kernels.c only.
 */
#ifndef GRAZEI_SELF_LISTED_CHAPTER_H
#define GRAZEI_SELF_LISTED_CHAPTER_H

#include "self/self.h"

#include "body/mask.h"
#include "query/batch_kernels.h"
#include "query/walk.h"
#include "self/between.h"

/* So many leaves are tried before the others where one hit is enough. */
enum { TRIED = 4 };

/* A walk, with what is looked up again and again. */
typedef struct self_walk {
    walk walk; /* both sides are the same */
    grazei_self_question *question;
    const graze_model *model;
    graze_body *body;
    uint32_t tried_count; /* leaves that were looked at before their turn */
    uint32_t tried[TRIED];
    uint32_t put_off; /* pairs of leaves at the end of the agenda, to be looked at last */
} self_walk;

/* ---- the table ------------------------------------------------------------------------------ */

/* Whether all triangles of a patch and of one that comes after it, or itself, are listed where they
 * were very near each other at rest.
 */
static bool list_is_whole(const self_walk *w, uint32_t first)
{
    return !w->question->table->crowded[first];
}

/* Whether triangles of a piece in two patches do not meet, unless they are listed. */
static bool piece_keeps(const self_walk *w, uint32_t piece, uint32_t number_a, uint32_t number_b)
{
    const grazei_folds *folds = w->question->table;
    return grazei_piece_keeps(w->question->folds, piece, folds->edges[number_a],
                              folds->edges[number_b]);
}

/* The entry of two patches in the table, or NULL. */
static const grazei_near *find_near(const self_walk *w, uint32_t number_a, uint32_t number_b)
{
    const grazei_folds *folds = w->question->table;
    return folds->masks ? grazei_folds_near(folds, number_a, number_b) : NULL;
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

/* Tests pairs of triangles of two patches, by way of the batch: there are few of them. rest: marks
 * that say what is known of them.
 */
static __attribute__((noinline)) void meet_pairs(self_walk *w, const grazei_posed_patch *a,
                                                 const grazei_posed_patch *b, uint16_t *pairs,
                                                 size_t count, uint32_t rest)
{
    grazei_self_question *question = w->question;
    if (question->between)
        count = keep_counting(w, a, b, pairs, count);
    w->walk.stats->triangle_tests += count;
    grazei_batch_add(&question->batch, a, b, pairs, count, rest, &question->outbox);
}

/* Whether a listed pair takes part; if so, it becomes one of the body's patches. */
static bool takes_part(const self_walk *w, uint32_t number_a, uint32_t number_b, uint16_t *pair)
{
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
    GRAZE_ASSERT(run->piece < w->question->table->piece_count);
    uint32_t known = run->count, enough = w->question->folds->pieces[run->piece].clear;
    if (run->least < enough)
        while (known && (clear[known - 1] & ~GRAZEI_MEETS) < enough)
            known--;
    return known;
}

/* Tests listed pairs of two patches, as places in the body's. */
static void test_listed(self_walk *w, uint32_t number_a, uint32_t number_b, uint16_t *pairs,
                        uint32_t count, bool meet)
{
    grazei_posed_patch a = grazei_body_patch(w->body, number_a, w->walk.stats);
    grazei_posed_patch b = grazei_body_patch(w->body, number_b, w->walk.stats);
    meet_pairs(w, &a, &b, pairs, count, meet ? GRAZEI_MET_AT_REST : 0);
}

/* So many listed pairs are tested at a time. */
enum { LISTED_TOGETHER = 32 };

/* A run of listed pairs, all of which meet at rest or none: first those known to be as they were,
 * then those to be tested.
 */
static void meet_run(self_walk *w, uint32_t number_a, uint32_t number_b, const uint16_t *pairs,
                     uint32_t known, uint32_t count, bool meet)
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
        if (some && !(counts(w, s, t) && takes_part(w, number_a, number_b, &own)))
            continue;
        if (i < known) {
            grazei_self_report_known(w->question, s, t);
            continue;
        }
        if (waiting == LISTED_TOGETHER) {
            test_listed(w, number_a, number_b, tested, waiting, meet);
            waiting = 0;
        }
        tested[waiting++] = own;
    }
    if (waiting && !w->question->outbox.stopped)
        test_listed(w, number_a, number_b, tested, waiting, meet);
}

/* Listed pairs of two patches: all of them, or those that a search leaves out because they meet at
 * rest. Those of a piece that moves as one are as they are at rest, where that is clear enough; the
 * others are tested.
 */
static void meet_listed(self_walk *w, uint32_t number_a, const grazei_near *near, bool all)
{
    const grazei_folds *folds = w->question->table;
    if (near->listed_count == 0)
        return;
    const grazei_listed_run *run = folds->runs + near->first_run;
    uint32_t first = near->first_listed, end = first + near->listed_count;
    for (; first < end; first += run++->count) {
        if (run->meet ? w->question->only_new : !all)
            continue;
        bool keeps = w->question->folds && piece_keeps(w, run->piece, number_a, near->patch);
        uint32_t known = keeps ? count_clear(w, run, folds->clear + first) : 0;
        uint32_t from = run->meet ? 0 : known;
        if (from < run->count)
            meet_run(w, number_a, near->patch, folds->listed + first + from, known - from,
                     run->count - from, run->meet);
    }
}

enum { FETCHED_AHEAD = 8 };

/* Asks for what meet_listed() will read. */
static void fetch_listed(const self_walk *w, const grazei_near *near)
{
    const grazei_folds *folds = w->question->table;
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

#endif
