/* How what is left of weights differs between two triangles that are close. All that is found is
 * rounded up.
 */
#include "folds/region.h"

#define LOSS GRAZEI_FLOAT_LOSS

typedef struct side {
    const grazei_rest_triangle *rest;
    grazei_vertex_set set;
} side;

static void find_side(const grazei_fold_builder *b, const grazei_region *r, uint32_t i,
                      uint32_t triangle, side *out)
{
    const grazei_patch *patch = &b->tree->patches[r->patches[i]];
    out->rest = &b->triangles[patch->first_triangle + triangle];
    out->set.count = 3;
    out->set.vertices = b->tree->corners[patch->first_triangle + triangle];
    out->set.values = grazei_region_values(b, r, i);
}

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
static f4 widest_direction(const side *a, const side *b)
{
    int lanes[2];
    bool second =
        find_widest(b->rest, a->rest, &lanes[1]) > find_widest(a->rest, b->rest, &lanes[0]);
    const grazei_rest_triangle *owner = second ? b->rest : a->rest;
    int lane = lanes[second];
    return f4_set(owner->x[lane], owner->y[lane], owner->z[lane], 0);
}

/* The direction from middle to middle. */
static f4 direction_between(const side *a, const side *b)
{
    const f4 *s = a->rest->corners, *t = b->rest->corners;
    f4 way = ((s[0] + s[1]) + s[2]) - ((t[0] + t[1]) + t[2]);
    return way * f4_all(1 / f4_length3(way));
}

/* False: neither comes after the other. */
static bool look_along(const grazei_fold_builder *b, side *first, side *second, f4 direction)
{
    f4 way = first->rest->corners[0] - second->rest->corners[0];
    if (f4_dot3(direction, way) < 0)
        direction = -direction;
    const f4 *s = first->rest->corners, *t = second->rest->corners;
    grazei_set_along(&first->set, direction, (const f4[4]){s[0], s[1], s[2], s[2]});
    grazei_set_along(&second->set, direction, (const f4[4]){t[0], t[1], t[2], t[2]});
    return grazei_sets_apart(b, &first->set, &second->set);
}

/* Two close triangles and their ranges, of some four joints. */
typedef struct close_pair {
    side first, second;
    const grazei_range *x, *y;
    uint32_t four;
} close_pair;

/* Lowers what they allow by what corners do along a direction; returns the joints that may still be
 * raised.
 */
static i4 lower_along(const grazei_fold_builder *b, const grazei_region *r, close_pair *pair,
                      i4 joints, f4 least[2], f4 direction)
{
    if (!look_along(b, &pair->first, &pair->second, direction))
        return joints;
    return grazei_sets_differ(r, pair->four, &pair->first.set, &pair->second.set, pair->x, pair->y,
                              joints, least);
}

static void raise_by(const grazei_fold_builder *b, grazei_region *r, close_pair *pair, i4 joints,
                     float per_distance)
{
    f4 least[2];
    grazei_ranges_allow(pair->x, pair->y, per_distance, least);
    joints = lower_along(b, r, pair, joints, least, direction_between(&pair->first, &pair->second));
    if (!i4_any(joints))
        return;
    joints = lower_along(b, r, pair, joints, least, widest_direction(&pair->first, &pair->second));
    grazei_region_raise(&r->fours[pair->four], joints, least);
}

bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r)
{
    uint32_t last = grazei_region_patch_count(r) - 1;
    const uint8_t *groups[2];
    close_pair pair;
    for (uint32_t i = 0; i < 2; i++)
        groups[i] = b->triangle_groups + b->tree->patches[r->patches[i]].first_triangle;
    for (uint32_t i = 0; i < b->close_count; i++) {
        uint32_t s = grazei_pair_first(b->closes[i].pair);
        uint32_t t = grazei_pair_second(b->closes[i].pair);
        const grazei_range *x = grazei_region_ranges(b, r, 0, groups[0][s]);
        const grazei_range *y = grazei_region_ranges(b, r, last, groups[1][t]);
        float per_distance = (1 + LOSS) / b->closes[i].distance;
        for (uint32_t k = 0; k < r->four_count; k++) {
            i4 above = grazei_ranges_above(&r->fours[k], &x[k], &y[k], per_distance);
            if (!i4_any(above))
                continue;
            pair.x = &x[k];
            pair.y = &y[k];
            pair.four = k;
            find_side(b, r, 0, s, &pair.first);
            find_side(b, r, last, t, &pair.second);
            raise_by(b, r, &pair, above, per_distance);
        }
    }
    return grazei_region_is_useful(r);
}
