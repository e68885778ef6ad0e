/* How what is left of weights differs between groups of triangles that are not close. All that is
 * found is rounded up.
 */
#include "folds/region.h"

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
    bool boxes_apart;
} group_pair;

static f4 find_set(const grazei_fold_builder *b, const grazei_region *r, const patch_groups *p,
                   uint32_t g, grazei_vertex_set *set, f4 *places)
{
    const grazei_group *group = &p->groups[g];
    f4 sum = f4_zero();
    set->count = group->vertex_count;
    set->vertices = group->vertices;
    set->values = grazei_region_values(b, r, p->side);
    for (uint32_t i = 0; i < set->count; i++) {
        uint8_t vertex = group->vertices[i];
        places[i] = b->places[p->patch->first_vertex + vertex];
        sum += places[i];
    }
    for (uint32_t i = set->count; i % 4; i++)
        places[i] = places[set->count - 1];
    return sum * f4_all(1 / (float)set->count);
}

/* Vertices of both groups along the direction from middle to middle; false: neither comes after the
 * other.
 */
static bool find_sets(const grazei_fold_builder *b, const grazei_region *r, const group_pair *pair,
                      grazei_vertex_set *first, grazei_vertex_set *second)
{
    f4 of_first[GRAZEI_SET_VERTICES], of_second[GRAZEI_SET_VERTICES];
    f4 way = find_set(b, r, pair->p, pair->g, first, of_first);
    way = way - find_set(b, r, pair->q, pair->h, second, of_second);
    way = way * f4_all(1 / f4_length3(way));
    grazei_set_along(first, way, of_first);
    grazei_set_along(second, way, of_second);
    return grazei_sets_apart(b, first, second);
}

/* Raises joints by two small groups. False: they have to be looked at in parts. */
static bool raise_by(const grazei_fold_builder *b, grazei_region *r, const group_pair *pair,
                     const i4 *joints, bool single)
{
    grazei_vertex_set first, second;
    bool apart = find_sets(b, r, pair, &first, &second);
    if (!apart && !single)
        return false;
    for (uint32_t k = 0; k < r->four_count; k++) {
        i4 above = joints[k];
        f4 least[2];
        grazei_ranges_allow(&pair->x[k], &pair->y[k], pair->per_distance, least);
        if (apart && i4_any(above))
            above =
                grazei_sets_differ(r, k, &first, &second, &pair->x[k], &pair->y[k], above, least);
        if (i4_any(above))
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
bool grazei_region_is_useful(const grazei_region *r)
{
    float loss = 0;
    for (uint32_t j = 0; j + 1 < r->joint_count; j++)
        loss +=
            r->fours[j / 4].found[1][j % 4] + r->fours[j / 4].found[0][j % 4] * (float)r->radius;
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
    left->pairs[left->count].g = (uint16_t)g;
    left->pairs[left->count].h = (uint16_t)h;
    left->pairs[left->count++].square = square;
}

/* The nearer one is the next to be looked at: it is more likely to raise something. */
static void leave_halves(pairs_left *left, const group_pair *pair)
{
    const grazei_group *x = &pair->p->groups[pair->g], *y = &pair->q->groups[pair->h];
    bool first = x->count >= y->count;
    const grazei_group *groups = first ? pair->p->groups : pair->q->groups, *other = first ? y : x;
    uint32_t opened = first ? pair->g : pair->h;
    uint32_t halves[2] = {grazei_second_half(opened, &groups[opened]), opened + 1};
    float squares[2];
    for (int k = 0; k < 2; k++)
        squares[k] = gap_square(&groups[halves[k]], other);
    int near = squares[1] <= squares[0];
    for (int k = 0; k < 2; k++) {
        int half = k ? near : !near;
        leave(left, first ? halves[half] : pair->g, first ? pair->h : halves[half], squares[half]);
    }
}

static void look_at(grazei_fold_builder *b, grazei_region *r, group_pair *pair, float distance,
                    pairs_left *left)
{
    const grazei_group *x = &pair->p->groups[pair->g], *y = &pair->q->groups[pair->h];
    bool single = x->count == 1 && y->count == 1;
    pair->per_distance = (1 + LOSS) / distance;
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

/* Two small groups, and what they have to be halved to. */
static void look_into(grazei_fold_builder *b, grazei_region *r, group_pair pair, float square)
{
    pairs_left left;
    bool same = pair.p == pair.q;
    float reach = grazei_round_down(grazei_region_reach(r));
    left.count = 0;
    leave(&left, pair.g, pair.h, square);
    while (left.count) {
        uint32_t last = --left.count;
        const grazei_group *x = &pair.p->groups[left.pairs[last].g];
        pair.g = left.pairs[last].g;
        pair.h = left.pairs[last].h;
        if (!same || pair.g != pair.h) {
            float distance = f1_max(sqrtf(left.pairs[last].square) * (1 - LOSS), reach);
            pair.boxes_apart = left.pairs[last].square > 0;
            look_at(b, r, &pair, distance, &left);
        } else if (x->count > 1) {
            uint32_t second = grazei_second_half(pair.g, x);
            leave(&left, second, second, 0);
            leave(&left, pair.g + 1, pair.g + 1, 0);
            leave(&left, pair.g + 1, second, gap_square(x + 1, &pair.p->groups[second]));
        }
    }
}

/* The largest groups of a patch that are small. Returns how many: they have four triangles or more,
 * or are the whole patch.
 */
#define MAX_SMALL (GRAZEI_MAX_PATCH_TRIANGLES / 4)

static uint32_t find_small(const patch_groups *p, uint8_t *small)
{
    uint32_t count = 0, end = 2 * p->patch->triangle_count - 1;
    for (uint32_t g = 0; g < end;) {
        bool large = p->groups[g].count > GRAZEI_GROUP_TRIANGLES;
        if (!large)
            small[count++] = (uint8_t)g;
        g += large ? 1 : 2 * p->groups[g].count - 1u;
    }
    return count;
}

/* Groups that are apart come first, the nearest of them before others: they raise the most, which
 * then spares others. Those that overlap come last, because they have to be halved until what was
 * found is enough.
 */
enum { TURNS = 8 };

static uint32_t turn_of(float square, float reach)
{
    float distance = sqrtf(square);
    return !(square > 0)                    ? TURNS - 1
           : distance < (TURNS - 2) * reach ? (uint32_t)(distance / reach)
                                            : TURNS - 2;
}

/* Pairs of small groups, by turns. */
typedef struct small_pairs {
    struct small_pair {
        uint8_t g, h, turn;
        float square;
    } all[MAX_SMALL * MAX_SMALL];
    uint16_t order[MAX_SMALL * MAX_SMALL];
    uint32_t count;
} small_pairs;

static void find_pairs(const patch_groups *p, const patch_groups *q, float reach,
                       small_pairs *pairs)
{
    uint8_t small[2][MAX_SMALL];
    uint32_t count_p = find_small(p, small[0]), count_q = find_small(q, small[1]);
    uint32_t first[TURNS + 1] = {0};
    pairs->count = 0;
    for (uint32_t i = 0; i < count_p; i++)
        for (uint32_t k = p == q ? i : 0; k < count_q; k++) {
            struct small_pair *pair = &pairs->all[pairs->count++];
            pair->g = small[0][i];
            pair->h = small[1][k];
            pair->square = gap_square(&p->groups[pair->g], &q->groups[pair->h]);
            pair->turn = (uint8_t)turn_of(pair->square, reach);
            first[pair->turn + 1]++;
        }
    for (int turn = 1; turn < TURNS; turn++)
        first[turn] += first[turn - 1];
    for (uint32_t i = 0; i < pairs->count; i++)
        pairs->order[first[pairs->all[i].turn]++] = (uint16_t)i;
}

bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r)
{
    bool same = grazei_region_patch_count(r) == 1;
    patch_groups p = groups_of(b, r, 0), other = groups_of(b, r, !same);
    const patch_groups *q = same ? &p : &other;
    small_pairs pairs;
    find_pairs(&p, q, (float)grazei_region_reach(r), &pairs);
    for (uint32_t i = 0; i < pairs.count; i++) {
        const struct small_pair *next = &pairs.all[pairs.order[i]];
        group_pair pair = {.p = &p, .q = q, .g = next->g, .h = next->h};
        look_into(b, r, pair, next->square);
    }
    return grazei_region_is_useful(r);
}
