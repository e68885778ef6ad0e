/* Which patches are near each other at rest, which of their triangles are neighbours, close, or so
 * near that they are listed.
 */
#include "folds/listed.h"
#include "folds/region.h"

#include "base/assert.h"
#include "base/memory.h"

/* Patches closer than this part of the smaller one's diagonal are near. */
#define NEAR_PART 0.25

/* A patch with more than so many others near it, or with GRAZEI_MAX_LISTED pairs a triangle listed
 * with them, is crowded: what is known of it would take too long to find, and too much room.
 */
#define MAX_NEAR 64

#define MAX_NEIGHBOURS 1024 /* pairs of two patches that are written down */

/* ---- boxes ---------------------------------------------------------------------------------- */

/* At most the square of the distance of two boxes. */
static double gap_square(const grazei_rest_box *a, const grazei_rest_box *b)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        double below = (double)a->low[axis] - (double)b->high[axis];
        double above = (double)b->low[axis] - (double)a->high[axis];
        double gap = below > above ? below : above;
        gap = gap > 0 ? gap : 0;
        square += gap * gap;
    }
    return square * (1 - 1e-9);
}

static double diagonal(const grazei_rest_box *a)
{
    double square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += ((double)a->high[axis] - (double)a->low[axis]) *
                  ((double)a->high[axis] - (double)a->low[axis]);
    return sqrt(square);
}

static bool are_near(const grazei_fold_builder *b, uint32_t p, uint32_t q)
{
    double smaller = grazei_lower(diagonal(&b->patch_boxes[p]), diagonal(&b->patch_boxes[q]));
    double limit = grazei_higher(NEAR_PART * smaller, grazei_close_below(b, p, q));
    return gap_square(&b->patch_boxes[p], &b->patch_boxes[q]) <= limit * limit;
}

/* The boxes of a patch's triangles, larger by so much, as the kernels want them. */
static grazei_triangle_set box_set(const grazei_fold_builder *b, uint32_t number, float more,
                                   float *memory)
{
    const grazei_patch *patch = &b->tree->patches[number];
    grazei_triangle_set set = grazei_triangle_set_at(memory, patch->triangle_count);
    float *rows = set.boxes;
    for (uint32_t i = 0; i < set.stride; i++) {
        f4 low = f4_all(INFINITY), high = f4_all(-INFINITY);
        if (i < set.count) {
            const f4 *corners = b->triangles[patch->first_triangle + i].corners;
            low = f4_min(corners[0], f4_min(corners[1], corners[2])) - f4_all(more);
            high = f4_max(corners[0], f4_max(corners[1], corners[2])) + f4_all(more);
        }
        for (int axis = 0; axis < 3; axis++) {
            rows[(size_t)axis * set.stride + i] = low[axis];
            rows[(size_t)(axis + 3) * set.stride + i] = high[axis];
        }
    }
    return set;
}

/* ---- neighbours ----------------------------------------------------------------------------- */

/* The triangles of the patch at hand that have a weld as a corner. */
static void mask_corners(grazei_fold_builder *b, uint32_t number)
{
    const grazei_tree *tree = b->tree;
    const grazei_patch *patch = &tree->patches[number];
    b->corner_count = 0;
    for (uint32_t v = 0; v < patch->vertex_count; v++) {
        uint32_t *slot =
            &b->weld_slots[b->mesh->welds[tree->patch_vertices[patch->first_vertex + v]]];
        if (*slot == GRAZEI_NO_SLOT) {
            GRAZE_ASSERT(b->corner_count < GRAZEI_MAX_PATCH_VERTICES);
            b->corner_masks[b->corner_count][0] = b->corner_masks[b->corner_count][1] = 0;
            *slot = b->corner_count++;
        }
    }
    for (uint32_t i = 0; i < patch->triangle_count; i++)
        for (int c = 0; c < 3; c++) {
            uint8_t corner = tree->corners[patch->first_triangle + i][c];
            uint32_t vertex = tree->patch_vertices[patch->first_vertex + corner];
            b->corner_masks[b->weld_slots[b->mesh->welds[vertex]]][i >> 6] |= 1ull << (i & 63);
        }
}

static void forget_corners(grazei_fold_builder *b, uint32_t number)
{
    const grazei_tree *tree = b->tree;
    const grazei_patch *patch = &tree->patches[number];
    for (uint32_t v = 0; v < patch->vertex_count; v++)
        b->weld_slots[b->mesh->welds[tree->patch_vertices[patch->first_vertex + v]]] =
            GRAZEI_NO_SLOT;
}

/* Which triangles of the patch at hand are neighbours of each triangle of another. Returns how
 * many such pairs there are.
 */
static uint32_t find_neighbours(const grazei_fold_builder *b, uint32_t number, uint64_t (*masks)[2])
{
    const grazei_tree *tree = b->tree;
    const grazei_patch *patch = &tree->patches[number];
    uint32_t count = 0, slots[GRAZEI_MAX_PATCH_VERTICES];
    for (uint32_t v = 0; v < patch->vertex_count; v++)
        slots[v] = b->weld_slots[b->mesh->welds[tree->patch_vertices[patch->first_vertex + v]]];
    for (uint32_t i = 0; i < patch->triangle_count; i++) {
        masks[i][0] = masks[i][1] = 0;
        for (int c = 0; c < 3; c++) {
            uint32_t slot = slots[tree->corners[patch->first_triangle + i][c]];
            if (slot == GRAZEI_NO_SLOT)
                continue;
            masks[i][0] |= b->corner_masks[slot][0];
            masks[i][1] |= b->corner_masks[slot][1];
        }
        for (int word = 0; word < 2; word++) /* mostly there are none */
            count += masks[i][word] ? (uint32_t)__builtin_popcountll(masks[i][word]) : 0;
    }
    return count;
}

/* Within a patch also those that come before a triangle are left out. */
static void add_earlier(uint64_t (*masks)[2], uint32_t count)
{
    uint64_t earlier[2] = {0, 0};
    for (uint32_t i = 0; i < count; i++) {
        earlier[i >> 6] |= 1ull << (i & 63);
        masks[i][0] |= earlier[0];
        masks[i][1] |= earlier[1];
    }
}

/* ---- pairs of triangles --------------------------------------------------------------------- */

/* Directions are unit vectors to within 2^-22. */
static inline f4 gaps_along(const grazei_rest_triangle *s, const grazei_rest_triangle *t)
{
    f4 first = grazei_rest_along(s, t->corners[0]), second = grazei_rest_along(s, t->corners[1]);
    f4 third = grazei_rest_along(s, t->corners[2]);
    f4 low = f4_min(first, f4_min(second, third)), high = f4_max(first, f4_max(second, third));
    return f4_max(low - (s->base + s->height), s->base - high);
}

static inline f4 less_blur(const grazei_fold_builder *b, f4 gaps)
{
    return gaps * f4_all(1 - 1e-5f) - f4_all(b->blur);
}

static inline float rest_gap(const grazei_fold_builder *b, const grazei_rest_triangle *s,
                             const grazei_rest_triangle *t)
{
    return f4_max4(less_blur(b, f4_max(gaps_along(s, t), gaps_along(t, s))));
}

float grazei_rest_gap(const grazei_fold_builder *b, const grazei_rest_triangle *s,
                      const grazei_rest_triangle *t)
{
    return rest_gap(b, s, t);
}

/* Two patches that are near each other. */
typedef struct near_pair {
    uint32_t p, q;
    float listed, close; /* limits of the distances */
    bool wants_close;
    size_t most_listed; /* where the list must end */
} near_pair;

static bool look_at_pair(grazei_fold_builder *b, const near_pair *near, uint32_t i, uint32_t k)
{
    const grazei_patch *patches = b->tree->patches;
    const grazei_rest_triangle *s = &b->triangles[patches[near->p].first_triangle + i];
    const grazei_rest_triangle *t = &b->triangles[patches[near->q].first_triangle + k];
    float gap = rest_gap(b, s, t), distance = gap;
    if (gap <= near->listed) {
        uint8_t clear;
        distance = grazei_rest_distance(s, t, near->listed, &clear);
        if (distance <= near->listed)
            return grazei_add_listed(b, grazei_pair(i, k), clear);
    }
    /* Without a branch, that would be hard to predict; the last place is one too many. */
    GRAZE_ASSERT(b->close_count < sizeof b->closes / sizeof *b->closes);
    b->closes[b->close_count] = (grazei_close){grazei_pair(i, k), distance};
    b->close_count +=
        near->wants_close & (gap <= near->close) & (b->close_count <= GRAZEI_MAX_CLOSE);
    return true;
}

/* Looks at all pairs of triangles whose boxes are near enough; stops where the list is too long. */
static bool look_at_pairs(grazei_fold_builder *b, const near_pair *near,
                          const grazei_triangle_set *boxes, const uint64_t (*masks)[2])
{
    float memory[GRAZEI_TRIANGLE_SET_FLOATS(GRAZEI_SET_TRIANGLES)] __attribute__((aligned(64)));
    uint16_t numbers[GRAZEI_SET_NUMBERS], pairs[GRAZEI_CHUNK_PAIRS];
    uint64_t chosen[GRAZEI_SET_TRIANGLES][2];
    const grazei_rest_box *box = &b->patch_boxes[near->p];
    float more = (near->wants_close ? near->close : near->listed) * (1 + 1e-5f) + b->blur;
    grazei_triangle_set others = box_set(b, near->q, more, memory);
    size_t count = b->kernels->boxes_overlapping(&others, box->low, box->high, numbers);
    for (size_t i = 0; i < count; i++)
        memcpy(chosen[i], masks[numbers[i]], sizeof *chosen);
    for (size_t first = 0, rows; first < count; first += rows) {
        rows = grazei_chunk(count - first, boxes->count);
        size_t found = b->kernels->box_pairs_but(&others, numbers + first, rows, boxes,
                                                 (const uint64_t(*)[2])chosen + first, pairs);
        for (size_t n = 0; n < found; n++) {
            uint32_t k = grazei_pair_first(pairs[n]), i = grazei_pair_second(pairs[n]);
            bool same = near->p == near->q; /* masks leave the first before the second */
            if (!look_at_pair(b, near, same ? k : i, same ? i : k))
                return false;
            if (b->folds->listed_count > near->most_listed)
                return true;
        }
    }
    return true;
}

static bool list_neighbours(grazei_fold_builder *b, const near_pair *near,
                            const uint64_t (*masks)[2])
{
    uint32_t count = b->tree->patches[near->q].triangle_count;
    for (uint32_t k = 0; k < count; k++)
        for (int word = 0; word < 2; word++)
            for (uint64_t left = masks[k][word]; left; left &= left - 1) {
                uint32_t i = 64 * (uint32_t)word + (uint32_t)__builtin_ctzll(left);
                if (!grazei_add_listed(b, grazei_pair(i, k), 0))
                    return false;
            }
    return true;
}

/* ---- patches -------------------------------------------------------------------------------- */

static bool room_for_near(grazei_fold_builder *b)
{
    grazei_near *larger = grazei_grow(b->allocator, b->folds->nears, &b->near_capacity,
                                      (size_t)b->folds->near_count + 1, sizeof *larger);
    if (larger)
        b->folds->nears = larger;
    return larger;
}

static bool add_near(grazei_fold_builder *b, uint32_t rank, uint32_t other_rank,
                     const grazei_triangle_set *boxes, size_t most_listed)
{
    grazei_folds *folds = b->folds;
    uint64_t memory[GRAZEI_SET_TRIANGLES][2];
    uint32_t p = folds->rank_patches[rank], q = folds->rank_patches[other_rank];
    bool same = p == q;
    uint64_t(*masks)[2] = same ? folds->masks + b->tree->patches[p].first_triangle : memory;
    grazei_region r = {.patches = {p, q}};
    grazei_near near = {.patch = q,
                        .fold = GRAZEI_NO_FOLD,
                        .first_listed = folds->listed_count,
                        .first_run = folds->run_count};
    if (!room_for_near(b))
        return false;
    bool useful = grazei_region_begin(b, &r);
    near_pair pair = {
        .p = p,
        .q = q,
        .listed = (float)grazei_listed_below((double)folds->edges[p], (double)folds->edges[q]) *
                  (1 + 1e-6f),
        .close = grazei_close_limit(b, p, q),
        .wants_close = useful && r.joint_count > 1,
        .most_listed = most_listed};
    b->close_count = 0;
    uint32_t neighbours = find_neighbours(b, q, masks);
    if (same)
        add_earlier(masks, b->tree->patches[p].triangle_count);
    bool ok = look_at_pairs(b, &pair, boxes, (const uint64_t(*)[2])masks);
    GRAZE_ASSERT(folds->listed_count - near.first_listed <= UINT16_MAX);
    near.listed_count = (uint16_t)(folds->listed_count - near.first_listed);
    if (ok && folds->listed_count <= most_listed)
        ok = grazei_sort_listed(b, p, &near);
    if (ok && !same && neighbours <= MAX_NEIGHBOURS)
        ok = list_neighbours(b, &pair, (const uint64_t(*)[2])masks);
    near.neighbour_count = same                          ? 0
                           : neighbours > MAX_NEIGHBOURS ? GRAZEI_UNCOUNTED
                                                         : (uint16_t)neighbours;
    if (useful && r.joint_count > 1)
        useful = b->close_count <= GRAZEI_MAX_CLOSE && grazei_region_measure(b, &r) &&
                 grazei_region_measure_close(b, &r);
    if (ok && useful && folds->listed_count <= most_listed)
        ok = grazei_region_record(b, &r, &near.fold);
    grazei_region_forget_joints(b, &r);
    folds->nears[folds->near_count++] = near;
    return ok;
}

/* Ranks of the patches from this one on that are near it, itself first; MAX_NEAR + 1 if there are
 * more than may be.
 */
static uint32_t find_near(const grazei_fold_builder *b, uint32_t rank, uint32_t *others)
{
    const grazei_tree *tree = b->tree;
    const grazei_folds *folds = b->folds;
    uint32_t stack[GRAZEI_MAX_LEVELS * GRAZEI_MAX_ARITY], depth = 0, count = 0;
    uint32_t patch = folds->rank_patches[rank];
    double reach = grazei_higher(NEAR_PART * diagonal(&b->patch_boxes[patch]),
                                 GRAZEI_CLOSE_PART * (double)b->longest_edge);
    others[count++] = rank;
    stack[depth++] = 0;
    while (depth) {
        uint32_t n = stack[--depth];
        grazei_node node = tree->nodes[n];
        if (folds->node_ranks[n][1] <= rank + 1 ||
            gap_square(&b->node_boxes[n], &b->patch_boxes[patch]) > reach * reach)
            continue;
        if (node.count) {
            for (uint32_t c = node.count; c-- > 0;)
                stack[depth++] = node.first + c;
        } else if (are_near(b, patch, node.first)) {
            if (count > MAX_NEAR)
                return count;
            GRAZE_ASSERT(folds->patch_ranks[node.first] > rank);
            others[count++] = folds->patch_ranks[node.first];
        }
    }
    return count;
}

/* A patch of which nothing is known but which of its own triangles are neighbours. */
static bool add_crowded(grazei_fold_builder *b, uint32_t rank)
{
    grazei_folds *folds = b->folds;
    uint32_t number = folds->rank_patches[rank];
    const grazei_patch *patch = &b->tree->patches[number];
    uint64_t(*masks)[2] = folds->masks + patch->first_triangle;
    if (!room_for_near(b))
        return false;
    find_neighbours(b, number, masks);
    add_earlier(masks, patch->triangle_count);
    folds->nears[folds->near_count++] =
        (grazei_near){.patch = number, .fold = GRAZEI_NO_FOLD, .first_listed = folds->listed_count};
    folds->crowded[number] = 1;
    return true;
}

static bool add_patch(grazei_fold_builder *b, uint32_t rank)
{
    float memory[GRAZEI_TRIANGLE_SET_FLOATS(GRAZEI_SET_TRIANGLES)] __attribute__((aligned(64)));
    grazei_folds *folds = b->folds;
    uint32_t others[MAX_NEAR + 1], count = find_near(b, rank, others);
    uint32_t number = folds->rank_patches[rank], near_count = folds->near_count;
    uint32_t listed = folds->listed_count, run_count = folds->run_count;
    size_t most_listed =
        listed + (size_t)GRAZEI_MAX_LISTED * b->tree->patches[number].triangle_count;
    folds->crowded[number] = 0;
    mask_corners(b, number);
    grazei_triangle_set boxes = box_set(b, number, 0, memory);
    bool ok = true, crowded = count > MAX_NEAR;
    for (uint32_t i = 0; ok && !crowded && i < count; i++) {
        ok = add_near(b, rank, others[i], &boxes, most_listed);
        crowded = folds->listed_count > most_listed;
    }
    GRAZE_ASSERT(!ok || crowded || folds->near_count > near_count);
    if (ok && crowded) { /* all that was found of it goes */
        folds->near_count = near_count;
        folds->listed_count = listed;
        folds->run_count = run_count;
        ok = add_crowded(b, rank);
    }
    forget_corners(b, number);
    return ok;
}

bool grazei_folds_find_near(grazei_fold_builder *b, uint32_t rank)
{
    grazei_folds *folds = b->folds;
    folds->first_near[rank] = folds->near_count;
    bool ok = add_patch(b, rank);
    folds->first_near[rank + 1] = folds->near_count;
    return ok;
}
