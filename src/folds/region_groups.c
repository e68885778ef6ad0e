/* How what is left of weights differs between groups of triangles that are not close. All that is
 * found is rounded up.
 */
#include "folds/region.h"

#include "math/rounding.h"

#define LOSS GRAZEI_FLOAT_LOSS
#define MAX_LOSS 24.0f /* beyond which a record is of no use */

/* Less is not looked for: it would not matter, and squares of it might underflow. */
#define LEAST 0.01f

/* ---- values --------------------------------------------------------------------------------- */

static void find_values(const grazei_region *r, const double *weights, grazei_left *out)
{
    const double *at = weights + GRAZEI_MAX_REGION_JOINTS;
    for (uint32_t four = 0; four < r->four_count; four++) {
        float(*lanes)[4] = (float(*)[4])(out + four);
        for (uint32_t k = 0; k < 4; k++) {
            double w = weights[4 * four + k];
            double fitted = r->gradient[0][4 * four + k] * at[0] +
                            r->gradient[1][4 * four + k] * at[1] +
                            r->gradient[2][4 * four + k] * at[2];
            lanes[0][k] = (float)(w - fitted);
            lanes[1][k] = (float)(w * at[0]);
            lanes[2][k] = (float)(w * at[1]);
            lanes[3][k] = (float)(w * at[2]);
        }
    }
}

static grazei_left least_of(const grazei_left *a, const grazei_left *b)
{
    return (grazei_left){f4_min(a->r, b->r), f4_min(a->x, b->x), f4_min(a->y, b->y),
                         f4_min(a->z, b->z)};
}

static grazei_left most_of(const grazei_left *a, const grazei_left *b)
{
    return (grazei_left){f4_max(a->r, b->r), f4_max(a->x, b->x), f4_max(a->y, b->y),
                         f4_max(a->z, b->z)};
}

static grazei_range range_of(const grazei_joint_four *four, const grazei_left *a,
                             const grazei_left *b, const grazei_left *c)
{
    f4 more_r = four->most[0] * f4_all(LOSS), more_q = four->most[1] * f4_all(LOSS);
    grazei_left low = least_of(b, c), high = most_of(b, c);
    low = least_of(a, &low);
    high = most_of(a, &high);
    return (grazei_range){low,
                          {high.r + more_r, high.x + more_q, high.y + more_q, high.z + more_q}};
}

static void find_ranges(const grazei_fold_builder *b, const grazei_region *r, uint32_t side)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    const grazei_group *groups = b->groups + 2 * (size_t)patch->first_triangle;
    for (uint32_t g = 2 * patch->triangle_count - 1; g-- > 0;) {
        const grazei_group *group = &groups[g];
        grazei_range *ranges = grazei_region_ranges(b, r, side, g);
        if (group->count == 1) {
            const uint8_t *corners = b->tree->corners[patch->first_triangle + group->triangle];
            const grazei_left *v[3];
            for (int c = 0; c < 3; c++)
                v[c] = grazei_region_values(b, r, side, corners[c]);
            for (uint32_t k = 0; k < r->four_count; k++)
                ranges[k] = range_of(&r->fours[k], &v[0][k], &v[1][k], &v[2][k]);
            continue;
        }
        const grazei_range *first = ranges + r->four_count;
        const grazei_range *second = grazei_region_ranges(b, r, side, grazei_second_half(g, group));
        for (uint32_t k = 0; k < r->four_count; k++)
            ranges[k] = (grazei_range){least_of(&first[k].low, &second[k].low),
                                       most_of(&first[k].high, &second[k].high)};
    }
}

/* Nothing is found yet. */
static void begin_four(const grazei_region *r, uint32_t number, grazei_left most,
                       grazei_joint_four *four)
{
    four->most[0] = most.r;
    four->most[1] = f4_sqrt(grazei_square_of_q(most)) * f4_all(1 + LOSS);
    for (uint32_t k = 0; k < 4; k++)
        four->found[0][k] = four->found[1][k] = 4 * number + k + 1 < r->joint_count ? 0 : INFINITY;
    f4 least[2] = {f4_all(LEAST / (float)r->radius), f4_all(LEAST)};
    grazei_region_raise(four, ~(i4){0}, least);
}

void grazei_region_find_values(grazei_fold_builder *b, grazei_region *r)
{
    const grazei_tree *tree = b->tree;
    grazei_left most[GRAZEI_MAX_FOURS] = {{{0}, {0}, {0}, {0}}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++) {
        const grazei_patch *patch = &tree->patches[r->patches[i]];
        r->first_vertex[i] = count;
        for (uint32_t v = 0; v < patch->vertex_count; v++, count++) {
            grazei_left *values = b->values + (size_t)r->four_count * count;
            find_values(r, b->deviations[count], values);
            for (uint32_t k = 0; k < r->four_count; k++) {
                grazei_left size = {f4_abs(values[k].r), f4_abs(values[k].x), f4_abs(values[k].y),
                                    f4_abs(values[k].z)};
                most[k] = most_of(&most[k], &size);
            }
        }
    }
    for (uint32_t k = 0; k < r->four_count; k++)
        begin_four(r, k, most[k], &r->fours[k]);
    for (uint32_t i = 0; i < grazei_region_patch_count(r); i++)
        find_ranges(b, r, i);
}

/* ---- groups --------------------------------------------------------------------------------- */

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
    for (uint32_t i = 0; i < set->count; i++) {
        uint8_t vertex = group->vertices[i];
        set->values[i] = grazei_region_values(b, r, p->side, vertex);
        places[i] = b->places[p->patch->first_vertex + vertex];
        sum += places[i];
    }
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
    for (uint32_t i = 0; i < first->count; i++)
        first->along[i] = f4_dot3(way, of_first[i]);
    for (uint32_t i = 0; i < second->count; i++)
        second->along[i] = f4_dot3(way, of_second[i]);
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
    } pairs[16 * GRAZEI_MAX_PATCH_TRIANGLES];
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
    bool small = (single || pair->boxes_apart) && x->count <= GRAZEI_GROUP_TRIANGLES &&
                 y->count <= GRAZEI_GROUP_TRIANGLES;
    if (!small || !raise_by(b, r, pair, above, single))
        leave_halves(left, pair);
}

/* The largest groups of a patch that are small. Returns how many. */
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

bool grazei_region_measure(grazei_fold_builder *b, grazei_region *r)
{
    pairs_left left;
    left.count = 0;
    uint8_t small[2][GRAZEI_MAX_PATCH_TRIANGLES];
    patch_groups p = groups_of(b, r, 0), q = p;
    bool same = grazei_region_patch_count(r) == 1;
    if (!same)
        q = groups_of(b, r, 1);
    uint32_t count_p = find_small(&p, small[0]), count_q = find_small(&q, small[1]);
    float reach = grazei_round_down(grazei_region_reach(r));
    for (uint32_t i = 0; i < count_p; i++)
        for (uint32_t k = same ? i : 0; k < count_q; k++) {
            group_pair pair = {.p = &p, .q = &q, .g = small[0][i], .h = small[1][k]};
            float square = gap_square(&p.groups[pair.g], &q.groups[pair.h]);
            if (square > 0) {
                float distance = f1_max(sqrtf(square) * (1 - LOSS), reach);
                pair.boxes_apart = true;
                look_at(b, r, &pair, distance, &left);
            } else
                leave(&left, pair.g, pair.h, 0);
        }
    while (left.count) {
        uint32_t last = --left.count;
        group_pair pair = {.p = &p, .q = &q, .g = left.pairs[last].g, .h = left.pairs[last].h};
        const grazei_group *x = &p.groups[pair.g];
        if (!same || pair.g != pair.h) {
            float distance = f1_max(sqrtf(left.pairs[last].square) * (1 - LOSS), reach);
            pair.boxes_apart = left.pairs[last].square > 0;
            look_at(b, r, &pair, distance, &left);
        } else if (x->count > 1) {
            uint32_t second = grazei_second_half(pair.g, x);
            leave(&left, second, second, 0);
            leave(&left, pair.g + 1, pair.g + 1, 0);
            leave(&left, pair.g + 1, second, gap_square(x + 1, &p.groups[second]));
        }
    }
    return grazei_region_is_useful(r);
}
