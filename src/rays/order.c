/* The order in which rays are cast that do not go together: along which axis they run, then a curve
 * through where they cross the middle of the body and where they point (Morton 1966), so that those
 * of a packet meet much the same nodes. Answers do not depend on it.
 */
#include "rays/ray.h"

#include "base/assert.h"

#include <math.h>

/* Places of a crossing in two directions, over twice the body's size, and of a direction in two,
 * over all that are possible: so many along each.
 */
enum { CELLS = 128, SHARES = 4, CELL_BITS = 7 };

/* Neighbours in the caller's order go together where no two places differ by more; of so many pairs
 * that are looked at half must.
 */
enum { NEAR = CELLS / 16, SAMPLES = 32 };

typedef struct ray_place {
    uint32_t way; /* the axis, and whether down: at most 5 */
    uint32_t cell[SHARES];
} ray_place;

/* From 0 to 1 as a cell; what lies beyond is in the outermost ones. */
static uint32_t cell_of(float share)
{
    float cell = share * CELLS;
    return cell > 0 ? cell < CELLS - 1 ? (uint32_t)cell : CELLS - 1 : 0;
}

static ray_place place_of(const graze_ray *ray, const grazei_bound *box)
{
    int m = grazei_ray_axis(ray->dir), other[2] = {(m + 1) % 3, (m + 2) % 3};
    ray_place place = {.way = (uint32_t)(2 * m + (ray->dir[m] < 0))};
    float way = (box->high[m] - box->low_negated[m]) / 2 - ray->origin[m];
    for (int i = 0; i < 2; i++) {
        int k = other[i];
        float slope = ray->dir[k] / ray->dir[m], middle = (box->high[k] - box->low_negated[k]) / 2;
        float crossing = ray->origin[k] + slope * way - middle;
        place.cell[i] = cell_of(0.5f + crossing / (2 * (box->high[k] + box->low_negated[k])));
        place.cell[2 + i] = cell_of(0.5f + slope / 2);
    }
    return place;
}

static bool are_near(const ray_place *a, const ray_place *b)
{
    bool near = a->way == b->way;
    for (int i = 0; i < SHARES; i++)
        near = near && a->cell[i] <= b->cell[i] + NEAR && b->cell[i] <= a->cell[i] + NEAR;
    return near;
}

static bool go_together(const graze_ray *rays, uint32_t count, const grazei_bound *box)
{
    uint32_t near = 0, step = count > SAMPLES ? (count - 1) / SAMPLES : 1, seen = 0;
    for (uint32_t i = 0; i + 1 < count; i += step, seen++) {
        ray_place a = place_of(&rays[i], box), b = place_of(&rays[i + 1], box);
        near += are_near(&a, &b);
    }
    return 2 * near >= seen;
}

/* The bits of all cells by turns, the highest first. */
static uint32_t key_of(const ray_place *place)
{
    uint32_t key = place->way;
    for (int bit = CELL_BITS - 1; bit >= 0; bit--)
        for (int i = 0; i < SHARES; i++)
            key = key << 1 | (place->cell[i] >> bit & 1);
    return key;
}

/* By one byte of the keys; those with equal ones stay as they are. */
static void sort_by_byte(const uint32_t *keys, uint32_t shift, uint32_t count,
                         const uint16_t *before, uint16_t *after)
{
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < count; i++)
        starts[(keys[i] >> shift & 255) + 1]++;
    for (uint32_t i = 0; i < 256; i++)
        starts[i + 1] += starts[i];
    for (uint32_t i = 0; i < count; i++)
        after[starts[keys[before[i]] >> shift & 255]++] = before[i];
}

bool grazei_order_rays(const graze_ray *rays, uint32_t count, const grazei_bound *box,
                       uint16_t order[GRAZEI_ORDERED_RAYS])
{
    uint32_t keys[GRAZEI_ORDERED_RAYS];
    uint16_t other[GRAZEI_ORDERED_RAYS];
    GRAZE_ASSERT(count <= GRAZEI_ORDERED_RAYS);
    if (go_together(rays, count, box))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        ray_place place = place_of(&rays[i], box);
        keys[i] = key_of(&place);
        order[i] = (uint16_t)i;
    }
    for (uint32_t shift = 0; shift < 32; shift += 16) {
        sort_by_byte(keys, shift, count, order, other);
        sort_by_byte(keys, shift + 8, count, other, order);
    }
    return true;
}
