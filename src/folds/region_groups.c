/* How what is left of weights differs between groups of triangles that are not close. All that is
 * found is rounded up.
 */
#include "folds/region.h"

#include "base/assert.h"
#include "math/rounding.h"

#define LOSS GRAZEI_FLOAT_LOSS
#define MAX_LOSS 24.0f /* beyond which a record is of no use */

/* A patch of the region, and what is left of weights over its groups. */
typedef struct patch_groups {
    const grazei_patch *patch;
    const grazei_group *groups;
    uint32_t side; /* which patch of the region */
} patch_groups;

static patch_groups groups_of(const grazei_fold_builder *b, const grazei_region *r, uint32_t side)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    return (patch_groups){patch, b->groups + 2 * (size_t)patch->first_triangle, side};
}

/* Two groups: numbers g of p and h of q. */
typedef struct group_pair {
    const patch_groups *p, *q;
    uint32_t g, h;
    const grazei_range *x, *y; /* by fours */
    float per_distance;        /* 1 over at most the distance of what is not close in them */
    float reach;               /* at least so far */
    bool boxes_apart;
    grazei_vertex_set *first, *second;
} group_pair;

/* Raises joints by two small groups. False: they have to be looked at in parts. */
static bool raise_by(const grazei_fold_builder *b, grazei_region *r, const group_pair *pair,
                     const i4 *joints, bool single)
{
    grazei_vertex_set *first = pair->first, *second = pair->second;
    grazei_set_find(b, r, pair->p->side, pair->g, first);
    grazei_set_find(b, r, pair->q->side, pair->h, second);
    bool apart = grazei_sets_apart(b, first, second, grazei_sets_way(first, second));
    if (!apart && !single)
        return false;
    for (uint32_t k = 0; k < r->four_count; k++) {
        i4 above = joints[k];
        f4 least[2] = {f4_all(INFINITY), f4_all(INFINITY)};
        if (apart && i4_any(above))
            above = grazei_sets_differ(r, k, first, second, &pair->x[k], &pair->y[k], above, least);
        if (!i4_any(above))
            continue;
        grazei_ranges_allow(&pair->x[k], &pair->y[k], pair->per_distance, least);
        grazei_region_raise(&r->fours[k], above, least);
    }
    return true;
}

/* Along each axis. */
static f4 gaps_of(const grazei_group *a, const grazei_group *b)
{
    return f4_max(f4_max(a->low - b->high, b->low - a->high), f4_zero());
}

static float gap_square(const grazei_group *a, const grazei_group *b)
{
    f4 gaps = gaps_of(a, b);
    return f4_dot3(gaps, gaps);
}

/* Whether two triangles are surely among those that near.c looks at one by one: neighbours, listed
 * or close ones. Boxes that it compares are larger by somewhat more than the limit.
 */
static bool are_close(const grazei_fold_builder *b, const grazei_region *r, const group_pair *pair)
{
    const grazei_group *x = &pair->p->groups[pair->g], *y = &pair->q->groups[pair->h];
    float limit = grazei_close_limit(b, r->patches[0], r->patches[1]);
    f4 gaps = gaps_of(x, y);
    return f1_max(gaps[0], f1_max(gaps[1], gaps[2])) <= limit &&
           grazei_rest_gap(b, &b->triangles[pair->p->patch->first_triangle + x->triangle],
                           &b->triangles[pair->q->patch->first_triangle + y->triangle]) <= limit;
}

/* Per unit of a difference of two joints' maps that moves the edge of the region by its radius. */
bool grazei_region_is_useful(grazei_region *r)
{
    float loss = 0;
    for (uint32_t j = 0; j + 1 < r->joint_count; j++)
        loss += *grazei_region_found(r, 1, j) + *grazei_region_found(r, 0, j) * (float)r->radius;
    return loss < MAX_LOSS;
}

/* Pairs of groups that are left to look at. A step takes one and leaves at most three, of which all
 * but the last have fewer triangles.
 */
typedef struct pairs_left {
    struct {
        uint16_t g, h;
        float square; /* of the distance of their boxes */
    } pairs[4 * GRAZEI_GROUP_TRIANGLES];
    uint32_t count;
} pairs_left;

static void leave(pairs_left *left, uint32_t g, uint32_t h, float square)
{
    GRAZE_ASSERT(left->count < sizeof left->pairs / sizeof *left->pairs);
    left->pairs[left->count].g = (uint16_t)g;
    left->pairs[left->count].h = (uint16_t)h;
    left->pairs[left->count++].square = square;
}

static void leave_halves(pairs_left *left, const group_pair *pair)
{
    const grazei_group *x = &pair->p->groups[pair->g], *y = &pair->q->groups[pair->h];
    bool first = x->count >= y->count;
    GRAZE_ASSERT(x->count > 1 || y->count > 1);
    const grazei_group *opened = first ? x : y, *other = first ? y : x;
    uint32_t number = first ? pair->g : pair->h;
    for (int k = 0; k < 2; k++) {
        uint32_t half = k ? number + 1 : grazei_second_half(number, opened);
        float square = gap_square(opened + (half - number), other);
        leave(left, first ? half : pair->g, first ? pair->h : half, square);
    }
}

/* Two groups, of which the distance of the boxes is known. */
static void look_at(grazei_fold_builder *b, grazei_region *r, group_pair *pair, float square,
                    pairs_left *left)
{
    const grazei_group *x = &pair->p->groups[pair->g], *y = &pair->q->groups[pair->h];
    bool single = x->count == 1 && y->count == 1;
    GRAZE_ASSERT(x->count > 0 && y->count > 0 && square >= 0);
    pair->boxes_apart = square > 0;
    pair->per_distance = (1 + LOSS) / f1_max(sqrtf(square) * (1 - LOSS), pair->reach);
    pair->x = grazei_region_ranges(b, r, pair->p->side, pair->g);
    pair->y = grazei_region_ranges(b, r, pair->q->side, pair->h);
    i4 above[GRAZEI_MAX_FOURS], any = {0};
    for (uint32_t k = 0; k < r->four_count; k++)
        any |= above[k] =
            grazei_ranges_above(&r->fours[k], &pair->x[k], &pair->y[k], pair->per_distance);
    if (!i4_any(any) || (single && are_close(b, r, pair)))
        return;
    if (!(single || pair->boxes_apart) || !raise_by(b, r, pair, above, single))
        leave_halves(left, pair);
}

/* A group with itself. */
static void look_within(const group_pair *pair, pairs_left *left)
{
    const grazei_group *x = &pair->p->groups[pair->g];
    if (x->count == 1)
        return;
    uint32_t second = grazei_second_half(pair->g, x);
    leave(left, second, second, 0);
    leave(left, pair->g + 1, pair->g + 1, 0);
    leave(left, pair->g + 1, second, gap_square(x + 1, &pair->p->groups[second]));
}

/* Two small groups, and what they have to be halved to. */
static void look_into(grazei_fold_builder *b, grazei_region *r, group_pair *pair, float square)
{
    pairs_left left;
    left.count = 0;
    for (;;) {
        if (pair->p != pair->q || pair->g != pair->h)
            look_at(b, r, pair, square, &left);
        else
            look_within(pair, &left);
        if (!left.count)
            return;
        left.count--;
        pair->g = left.pairs[left.count].g;
        pair->h = left.pairs[left.count].h;
        square = left.pairs[left.count].square;
    }
}

/* The largest groups of a patch that are small. Returns how many: they have four triangles or more,
 * or are the whole patch.
 */
#define MAX_SMALL (GRAZEI_MAX_PATCH_TRIANGLES / 4)

static uint32_t find_small(const patch_groups *p, uint8_t *small)
{
    uint32_t count = 0, end = 2u * p->patch->triangle_count - 1;
    for (uint32_t g = 0; g < end;) {
        bool large = p->groups[g].count > GRAZEI_GROUP_TRIANGLES;
        GRAZE_ASSERT(count < MAX_SMALL || p->groups[g].count > GRAZEI_GROUP_TRIANGLES);
        if (!large)
            small[count++] = (uint8_t)g;
        g += large ? 1 : 2 * p->groups[g].count - 1u;
    }
    return count;
}

/* Groups that are apart come first, the nearer of them before others: they raise the most, which
 * then spares others. Those that overlap come last, because they have to be halved until what was
 * found is enough.
 */
enum { TURNS = 4 };

static uint8_t turn_of(float square, float reach)
{
    float near = reach * reach;
    return square > 0 ? (uint8_t)((square > near) + (square > 4 * near)) : TURNS - 1;
}

/* Two small groups. */
typedef struct small_pair {
    uint8_t g, h, turn;
    float square; /* of the distance of their boxes */
} small_pair;

bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r)
{
    uint8_t small[2][MAX_SMALL];
    grazei_vertex_set first, second;
    small_pair pairs[MAX_SMALL * MAX_SMALL];
    uint16_t order[MAX_SMALL * MAX_SMALL + 1];
    bool same = grazei_region_patch_count(r) == 1;
    patch_groups p = groups_of(b, r, 0), other = groups_of(b, r, !same);
    group_pair pair = {.p = &p,
                       .q = same ? &p : &other,
                       .reach = grazei_round_down(grazei_region_reach(r)),
                       .first = &first,
                       .second = &second};
    uint32_t count_p = find_small(&p, small[0]), count_q = find_small(pair.q, small[1]);
    uint32_t count = 0, ordered = 0;
    first.group = second.group = GRAZEI_NO_GROUP;
    for (uint32_t i = 0; i < count_p; i++)
        for (uint32_t k = same ? i : 0; k < count_q; k++) {
            uint8_t g = small[0][i], h = small[1][k];
            float square = gap_square(&p.groups[g], &pair.q->groups[h]);
            pairs[count++] = (small_pair){g, h, turn_of(square, pair.reach), square};
        }
    for (int turn = 0; turn < TURNS; turn++)
        for (uint32_t i = 0; i < count; i++) {
            order[ordered] = (uint16_t)i;
            ordered += pairs[i].turn == turn;
        }
    for (uint32_t i = 0; i < count; i++) {
        const small_pair *next = &pairs[order[i]];
        pair.g = next->g;
        pair.h = next->h;
        look_into(b, r, &pair, next->square);
    }
    return grazei_region_is_useful(r);
}
