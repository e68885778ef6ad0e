/* How much what is left of weights differs between two sets of vertices, per distance, if one comes
 * after the other along some direction. All that is found is rounded up.
 *
 * Let u be of length 1, V linear within triangles, and |V(x) - V(y)| <= t u.(x - y) for all
 * vertices x of one set and y of the other. The left side is convex in x and y, the right side
 * linear, so it holds for all points of their triangles; and u.(x - y) <= |x - y|.
 */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

/* What is less than a gap along a direction, as all distances: see near.c. */
#define PART (1 - 1e-5f)

void grazei_set_find(const grazei_fold_builder *b, const grazei_region *r, uint32_t side,
                     uint32_t number, grazei_vertex_set *set)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[side]];
    const grazei_group *group = &b->groups[2 * (size_t)patch->first_triangle + number];
    uint32_t count = group->vertex_count;
    f4 sum = f4_zero();
    if (set->group == number)
        return;
    set->group = number;
    set->count = count;
    set->vertices = group->vertices;
    set->values = grazei_region_values(b, r, side);
    for (uint32_t i = 0; i < count; i++) {
        set->places[i] = b->places[patch->first_vertex + group->vertices[i]];
        sum += set->places[i];
    }
    for (uint32_t i = count; i % 4; i++)
        set->places[i] = set->places[count - 1];
    set->sum = sum;
}

f4 grazei_sets_way(const grazei_vertex_set *first, const grazei_vertex_set *second)
{
    f4 way = first->sum * f4_all((float)second->count) - second->sum * f4_all((float)first->count);
    return way * f4_all(1 / f4_length3(way));
}

/* Writes down places, PART of them and less so much; and the first and the last. */
static void find_along(grazei_vertex_set *set, f4 direction, float less, float ends[2])
{
    const f4 *places = set->places;
#if defined(__OPTIMIZE_SIZE__)
    ends[0] = INFINITY;
    ends[1] = -INFINITY;
    for (uint32_t i = 0; i < ((set->count + 3) & ~3u); i++) {
        float at = f4_dot3(direction, places[i]) * PART - less;
        ((float *)set->along)[i] = at;
        ends[0] = f1_min(ends[0], at);
        ends[1] = f1_max(ends[1], at);
    }
#else
    f4 low = f4_all(INFINITY), high = -low;
    for (uint32_t i = 0; i < set->count; i += 4) {
        f4 x = places[i], y = places[i + 1], z = places[i + 2], w = places[i + 3];
        f4_transpose(&x, &y, &z, &w);
        f4 at = (x * f4_x(direction) + y * f4_y(direction)) + z * f4_z(direction);
        at = at * f4_all(PART) - f4_all(less);
        low = f4_min(low, at);
        high = f4_max(high, at);
        set->along[i / 4] = at;
    }
    ends[0] = -f4_max4(-low);
    ends[1] = f4_max4(high);
#endif
}

/* Gaps are differences of places as they are written down here, so that PART of them and blur are
 * off already: four roundings more than near.c has are below 4 u of the reach, and blur has 16 u to
 * spare.
 */
bool grazei_sets_apart(const grazei_fold_builder *b, grazei_vertex_set *first,
                       grazei_vertex_set *second, f4 direction)
{
    float of[2][2];
    find_along(first, direction, b->blur, of[0]);
    find_along(second, direction, 0, of[1]);
    first->end = of[0][0];
    second->end = of[1][1];
    return first->end - second->end > 0x1p-60f; /* squares of smaller ones might underflow */
}

static inline float along(const grazei_vertex_set *set, uint32_t i)
{
    return ((const float *)set->along)[i];
}

static inline const grazei_left *value_of(const grazei_region *r, const grazei_vertex_set *set,
                                          uint32_t i, uint32_t four)
{
    return &set->values[r->four_count * set->vertices[i] + four];
}

/* Squares of what need not be looked at, per gap. */
typedef struct pair_limits {
    f4 r, q;
} pair_limits;

static f4 limit_of(const grazei_joint_four *four, int kind, float most_inverse)
{
    f4 limit = four->found[kind] * f4_all(1 - 8 * LOSS) -
               f4_all(LOSS) * four->most[kind] * f4_all(most_inverse);
    i4 positive = limit > 0;
    return (f4)((positive & (i4)(limit * limit)) | (~positive & (i4)f4_all(-1)));
}

/* Which vertices of a set, as bits, may exceed the limits with another set, by that one's range. */
static uint32_t find_above(const grazei_region *r, const grazei_vertex_set *set, uint32_t number,
                           const grazei_range *range, float other_end, pair_limits limits,
                           i4 joints)
{
    uint32_t found = 0;
    grazei_range other = *range;
    for (uint32_t i = 0; i < set->count; i++) {
        const grazei_left *value = value_of(r, set, i, number);
        grazei_left most;
        for (int k = 0; k < 4; k++)
            most.rq[k] = f4_max(value->rq[k] - other.low.rq[k], other.high.rq[k] - value->rq[k]);
        float gap = along(set, i) - other_end;
        f4 square = f4_all(gap * gap);
        i4 below = (most.rq[0] * most.rq[0] <= limits.r * square) &
                   (grazei_square_of_q(&most) <= limits.q * square);
        found |= (uint32_t)i4_any(joints & ~below) << i;
    }
    return found;
}

/* The squares of the largest differences between vertices of two sets, per gap, of r and of q. */
static void find_most(const grazei_region *r, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, uint32_t number, uint32_t rows,
                      uint32_t columns, f4 most[2])
{
    f4 most_r = f4_zero(), most_q = f4_zero();
#if !defined(__OPTIMIZE_SIZE__)
    f4 inverses[GRAZEI_SET_VERTICES / 4];
#endif
    for (; rows; rows &= rows - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(rows);
        grazei_left value = *value_of(r, first, i, number);
#if !defined(__OPTIMIZE_SIZE__)
        f4 place = f4_all(along(first, i));
        for (uint32_t k = 0; 4 * k < second->count; k++) {
            f4 gap = place - second->along[k];
            inverses[k] = f4_all(1) / (gap * gap);
        }
#endif
        for (uint32_t left = columns; left; left &= left - 1) {
            uint32_t k = (uint32_t)__builtin_ctz(left);
            const grazei_left *other = value_of(r, second, k, number);
            grazei_left between;
            for (int c = 0; c < 4; c++)
                between.rq[c] = value.rq[c] - other->rq[c];
#if defined(__OPTIMIZE_SIZE__)
            float gap = along(first, i) - along(second, k);
            f4 inverse = f4_all(1 / (gap * gap));
#else
            f4 inverse = f4_all(((const float *)inverses)[k]);
#endif
            most_r = f4_max(most_r, between.rq[0] * between.rq[0] * inverse);
            most_q = f4_max(most_q, grazei_square_of_q(&between) * inverse);
        }
    }
    most[0] = most_r;
    most[1] = most_q;
}

i4 grazei_sets_differ(const grazei_region *r, uint32_t number, const grazei_vertex_set *first,
                      const grazei_vertex_set *second, const grazei_range *of_first,
                      const grazei_range *of_second, i4 joints, f4 least[2])
{
    const grazei_joint_four *four = &r->fours[number];
    float most_inverse = (1 + LOSS) / (first->end - second->end);
    pair_limits limits = {limit_of(four, 0, most_inverse), limit_of(four, 1, most_inverse)};
    uint32_t rows = find_above(r, first, number, of_second, second->end, limits, joints);
    if (!rows)
        return (i4){0};
    uint32_t columns = (1u << second->count) - 1;
    uint32_t but_two = rows & (rows - 1);
    but_two &= but_two - 1;
    if (but_two && second->count > 3) /* of some use only for three rows and more */
        columns = find_above(r, second, number, of_first, first->end, limits, joints);
    f4 most[2]; /* what is not looked at is below what was found */
    find_most(r, first, second, number, rows, columns, most);
    joints &= ~((most[0] <= limits.r) & (most[1] <= limits.q));
    for (int kind = 0; kind < 2; kind++)
        least[kind] = f4_min(least[kind], f4_sqrt(most[kind]) + f4_all(LOSS) * four->most[kind] *
                                                                    f4_all(most_inverse));
    return joints;
}

/* ---- close triangles ------------------------------------------------------------------------ */

/* Which of a triangle's directions the other is farthest along, and by how much. */
static float find_widest(const grazei_rest_triangle *s, const grazei_rest_triangle *t, int *lane)
{
    f4 first = grazei_rest_along(s, t->corners[0]), second = grazei_rest_along(s, t->corners[1]);
    f4 third = grazei_rest_along(s, t->corners[2]);
    f4 low = f4_min(first, f4_min(second, third)), high = f4_max(first, f4_max(second, third));
    f4 gap = f4_max(low - (s->base + s->height), s->base - high);
    *lane = 0;
    for (int k = 1; k < 4; k++)
        *lane = gap[k] > gap[*lane] ? k : *lane;
    return gap[*lane];
}

/* The direction along which they are farthest apart, of those of their own. */
static f4 widest_direction(const grazei_rest_triangle *s, const grazei_rest_triangle *t)
{
    int lanes[2];
    bool second = find_widest(t, s, &lanes[1]) > find_widest(s, t, &lanes[0]);
    const grazei_rest_triangle *owner = second ? t : s;
    int lane = lanes[second];
    return f4_set(owner->x[lane], owner->y[lane], owner->z[lane], 0);
}

/* Two close triangles and their ranges, of some four joints. */
typedef struct close_pair {
    const grazei_rest_triangle *s, *t;
    grazei_vertex_set first, second;
    const grazei_range *x, *y;
    uint32_t four;
} close_pair;

/* Lowers what they allow by what corners do along a direction; returns the joints that may still be
 * raised.
 */
static i4 lower_along(const grazei_fold_builder *b, const grazei_region *r, close_pair *pair,
                      i4 joints, f4 least[2], f4 direction)
{
    if (!grazei_sets_apart(b, &pair->first, &pair->second, direction))
        return joints;
    return grazei_sets_differ(r, pair->four, &pair->first, &pair->second, pair->x, pair->y, joints,
                              least);
}

static void raise_by(const grazei_fold_builder *b, grazei_region *r, close_pair *pair, i4 joints,
                     float per_distance)
{
    f4 least[2] = {f4_all(INFINITY), f4_all(INFINITY)};
    f4 way = grazei_sets_way(&pair->first, &pair->second);
    joints = lower_along(b, r, pair, joints, least, way);
    if (!i4_any(joints))
        return;
    f4 widest = widest_direction(pair->s, pair->t);
    joints = lower_along(b, r, pair, joints, least, f4_dot3(widest, way) < 0 ? -widest : widest);
    grazei_ranges_allow(pair->x, pair->y, per_distance, least);
    grazei_region_raise(&r->fours[pair->four], joints, least);
}

bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r)
{
    uint32_t last = grazei_region_patch_count(r) - 1, firsts[2];
    close_pair pair;
    pair.first.group = pair.second.group = GRAZEI_NO_GROUP;
    for (uint32_t i = 0; i < 2; i++)
        firsts[i] = b->tree->patches[r->patches[i]].first_triangle;
    for (uint32_t i = 0; i < b->close_count; i++) {
        uint32_t s = firsts[0] + grazei_pair_first(b->closes[i].pair);
        uint32_t t = firsts[1] + grazei_pair_second(b->closes[i].pair);
        uint32_t g = b->triangle_parts[s], h = b->triangle_parts[t];
        const grazei_range *x = grazei_region_ranges(b, r, 0, g);
        const grazei_range *y = grazei_region_ranges(b, r, last, h);
        float per_distance = (1 + LOSS) / b->closes[i].distance;
        for (uint32_t k = 0; k < r->four_count; k++) {
            i4 above = grazei_ranges_above(&r->fours[k], &x[k], &y[k], per_distance);
            if (!i4_any(above))
                continue;
            pair.s = &b->triangles[s];
            pair.t = &b->triangles[t];
            pair.x = &x[k];
            pair.y = &y[k];
            pair.four = k;
            grazei_set_find(b, r, 0, g, &pair.first);
            grazei_set_find(b, r, last, h, &pair.second);
            raise_by(b, r, &pair, above, per_distance);
        }
    }
    return grazei_region_is_useful(r);
}
