/* How a tree is walked against itself, as far as that is known before any pose: from the root down
 * to all pairs of patches that are near each other at rest, whose nodes overlap in nearly every
 * pose. What a walk has to find out is only which other nodes overlap.
 */
#include "folds/build.h"

#include "base/assert.h"
#include "base/memory.h"

enum { CHILDREN = GRAZEI_STEP_CHILDREN };

/* Pairs of ranks that are near each other. */
typedef struct rank_pair {
    uint32_t rank[2];
} rank_pair;

typedef struct step_builder {
    grazei_fold_builder *b;
    rank_pair *pairs, *sorted;
    size_t capacity;
} step_builder;

/* What a step looks at of a node: its children, or a leaf or smaller node itself. */
typedef struct siblings {
    uint32_t first, count;
} siblings;

static float size_of(const grazei_fold_builder *b, uint32_t node)
{
    const grazei_rest_box *box = &b->node_boxes[node];
    return box->high[0] - box->low[0] + (box->high[1] - box->low[1]) + (box->high[2] - box->low[2]);
}

static siblings open_or_not(const grazei_fold_builder *b, uint32_t node, uint32_t other)
{
    grazei_node own = b->tree->nodes[node];
    bool opens =
        own.count && (!b->tree->nodes[other].count || 2 * size_of(b, node) >= size_of(b, other));
    return opens ? (siblings){own.first, own.count} : (siblings){node, 1};
}

/* Which of them a rank is below. */
static uint32_t find_child(const grazei_folds *folds, siblings of, uint32_t rank)
{
    uint32_t i = 0;
    GRAZE_ASSERT(rank >= folds->node_ranks[of.first][0]);
    while (rank >= folds->node_ranks[of.first + i][1])
        i++;
    return i;
}

/* Sorts pairs by the children that they are of; ends[k] is where those of pair k of them end. */
static void sort_pairs(const step_builder *s, const siblings of[2], uint32_t first, uint32_t end,
                       uint32_t ends[CHILDREN * CHILDREN])
{
    uint32_t next[CHILDREN * CHILDREN] = {0}, sum = first;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t n = first; n < end; n++) {
            uint32_t i = find_child(s->b->folds, of[0], s->pairs[n].rank[0]);
            uint32_t k = find_child(s->b->folds, of[1], s->pairs[n].rank[1]);
            uint32_t *place = &next[CHILDREN * i + k];
            if (turn)
                s->sorted[*place] = s->pairs[n];
            ++*place;
        }
        for (uint32_t k = 0; !turn && k < CHILDREN * CHILDREN; k++) {
            uint32_t count = next[k];
            next[k] = sum;
            sum += count;
        }
    }
    memcpy(ends, next, sizeof next);
    memcpy(s->pairs + first, s->sorted + first, (end - first) * sizeof *s->pairs);
}

/* Steps from two nodes on, or from one by itself, below which there are these pairs. */
static bool add_steps(step_builder *s, const uint32_t nodes[2], uint32_t first, uint32_t end)
{
    grazei_folds *folds = s->b->folds;
    const grazei_node *all = s->b->tree->nodes;
    bool same = nodes[0] == nodes[1];
    GRAZE_ASSERT(first < end);
    siblings of[2] = {open_or_not(s->b, nodes[0], nodes[1]), open_or_not(s->b, nodes[1], nodes[0])};
    grazei_fold_step *larger = grazei_grow(s->b->allocator, folds->steps, &s->capacity,
                                           (size_t)folds->step_count + 1, sizeof *larger);
    if (!larger)
        return false;
    folds->steps = larger;
    uint32_t number = folds->step_count++, ends[CHILDREN * CHILDREN];
    grazei_fold_step step = {.first = {of[0].first, of[1].first},
                             .edge =
                                 f1_min(folds->node_edges[nodes[0]], folds->node_edges[nodes[1]]),
                             .piece = folds->node_pieces[nodes[0]] == folds->node_pieces[nodes[1]]
                                          ? folds->node_pieces[nodes[0]]
                                          : GRAZEI_NO_PIECE,
                             .count = {(uint8_t)of[0].count, (uint8_t)of[1].count}};
    sort_pairs(s, of, first, end, ends);
    for (uint32_t i = 0; i < CHILDREN; i++)
        for (uint32_t k = 0; k < CHILDREN; first = ends[CHILDREN * i + k++]) {
            uint32_t here = ends[CHILDREN * i + k];
            uint32_t children[2] = {of[0].first + i, of[1].first + k};
            if (i < of[0].count && k < of[1].count && (!same || i <= k) && first == here)
                step.open |= (uint16_t)(1u << (CHILDREN * i + k));
            else if (first < here && (all[children[0]].count || all[children[1]].count) &&
                     !add_steps(s, children, first, here))
                return false;
        }
    GRAZE_ASSERT(first == end);
    step.end = folds->step_count;
    folds->steps[number] = step;
    return true;
}

static uint32_t list_pairs(const grazei_folds *folds, uint32_t patches, rank_pair *pairs)
{
    uint32_t count = 0;
    for (uint32_t rank = 0; rank < patches; rank++)
        for (uint32_t i = folds->first_near[rank]; i < folds->first_near[rank + 1]; i++)
            pairs[count++] = (rank_pair){{rank, folds->patch_ranks[folds->nears[i].patch]}};
    return count;
}

static void find_leaves(const grazei_folds *folds, const grazei_tree *tree)
{
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (uint32_t c = 0; c < tree->nodes[n].count; c++) {
            uint32_t child = tree->nodes[n].first + c;
            if (!tree->nodes[child].count)
                folds->leaves[tree->nodes[child].first] =
                    (grazei_fold_leaf){child, tree->nodes[n].first, tree->nodes[n].count};
        }
}

bool grazei_folds_make_steps(grazei_fold_builder *b)
{
    grazei_folds *folds = b->folds;
    const grazei_tree *tree = b->tree;
    if (tree->max_children > CHILDREN || tree->def.volume == GRAZE_SPHERES || !tree->nodes[0].count)
        return true;
    step_builder s = {.b = b};
    s.pairs = GRAZEI_ALLOCATE(b->allocator, folds->near_count, rank_pair);
    s.sorted = GRAZEI_ALLOCATE(b->allocator, folds->near_count, rank_pair);
    folds->leaves = GRAZEI_ALLOCATE(b->allocator, tree->patch_count, grazei_fold_leaf);
    bool ok = s.pairs && s.sorted && folds->leaves;
    if (ok) {
        find_leaves(folds, tree);
        ok = add_steps(&s, (const uint32_t[2]){0, 0}, 0,
                       list_pairs(folds, tree->patch_count, s.pairs));
    }
    grazei_release(b->allocator, s.pairs);
    grazei_release(b->allocator, s.sorted);
    return ok;
}
