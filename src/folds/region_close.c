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
    const uint8_t *corners = b->tree->corners[patch->first_triangle + triangle];
    out->rest = &b->triangles[patch->first_triangle + triangle];
    out->set.count = 3;
    for (int c = 0; c < 3; c++)
        out->set.values[c] = grazei_region_values(b, r, i, corners[c]);
}

/* At most how much the values of two triangles differ, at all: of r and of q. */
static void find_differences(const side *a, const side *b, uint32_t j, float out[2])
{
    f4 low = a->set.values[0][j], high = low;
    for (int c = 0; c < 3; c++) {
        low = f4_min(low, f4_min(a->set.values[c][j], b->set.values[c][j]));
        high = f4_max(high, f4_max(a->set.values[c][j], b->set.values[c][j]));
    }
    out[0] = (high - low)[0];
    out[1] = grazei_length_of_q(high - low);
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
static bool look_along(const grazei_fold_builder *b, side *first, side *second, f4 direction,
                       grazei_inverse_gaps *gaps)
{
    side *const sides[2] = {first, second};
    f4 way = first->rest->corners[0] - second->rest->corners[0];
    if (f4_dot3(direction, way) < 0)
        direction = -direction;
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 3; c++)
            sides[i]->set.along[c] = f4_dot3(direction, sides[i]->rest->corners[c]);
        sides[i]->set.count = 3;
        grazei_set_fill(&sides[i]->set);
    }
    return grazei_sets_apart(b, &first->set, &second->set, gaps);
}

/* Values differ by at most their range; or by what corners allow along a direction. */
static void compare(const grazei_fold_builder *b, grazei_region *r, side *first, side *second,
                    float per_distance)
{
    grazei_inverse_gaps gaps[2];
    bool apart[2] = {false, false}, looked = false;
    for (uint32_t j = 0; j < r->joint_count; j++) {
        float least[2];
        if (j == r->main_slot)
            continue;
        find_differences(first, second, j, least);
        for (int kind = 0; kind < 2; kind++)
            least[kind] = (least[kind] + LOSS * r->most[j][kind]) * per_distance;
        if (least[0] * (1 + 8 * LOSS) <= r->bend[j] && least[1] * (1 + 8 * LOSS) <= r->spread[j])
            continue;
        if (!looked) {
            apart[0] = look_along(b, first, second, widest_direction(first, second), &gaps[0]);
            apart[1] = look_along(b, first, second, direction_between(first, second), &gaps[1]);
        }
        looked = true;
        for (int way = 0; way < 2; way++) {
            float bounds[2];
            if (!apart[way])
                continue;
            grazei_sets_differ(r, &first->set, &second->set, &gaps[way], j, bounds);
            for (int kind = 0; kind < 2; kind++)
                least[kind] = f1_min(least[kind], bounds[kind]);
        }
        r->bend[j] = f1_max(r->bend[j], least[0] * (1 + 8 * LOSS));
        r->spread[j] = f1_max(r->spread[j], least[1] * (1 + 8 * LOSS));
    }
}

bool grazei_region_measure_close(grazei_fold_builder *b, grazei_region *r)
{
    uint32_t last = grazei_region_patch_count(r) - 1;
    side first, second;
    for (uint32_t i = 0; i < b->close_count; i++) {
        uint16_t pair = b->closes[i].pair;
        find_side(b, r, 0, grazei_pair_first(pair), &first);
        find_side(b, r, last, grazei_pair_second(pair), &second);
        compare(b, r, &first, &second, 1 / b->closes[i].distance);
    }
    return grazei_region_is_useful(r);
}
