/* Which spheres make a chain: two limbs and the trunk between them (Madera et al. 2017, table 1,
 * for any number of limbs).
 */
#include "base/memory.h"
#include "base/status.h"
#include "chain/chain_make.h"
#include "math/vector.h"

#include <string.h>

static const double same_level = 0.3; /* of the trunk's length: limbs hang side by side */
static const double end_length = 0.2; /* spheres this near to where a limb hangs are its end's */

static bool put(grazei_chain_maker *m, uint32_t seed)
{
    uint32_t *grown = grazei_grow(m->allocator, m->chain_spheres, &m->chain_sphere_capacity,
                                  m->chain_sphere_count + 1, sizeof *grown);
    if (!grown)
        return false;
    m->chain_spheres = grown;
    m->chain_spheres[m->chain_sphere_count++] = seed;
    return true;
}

static bool close_chain(grazei_chain_maker *m)
{
    uint32_t *grown = grazei_grow(m->allocator, m->chain_offsets, &m->offset_capacity,
                                  (size_t)m->chain_count + 2, sizeof *grown);
    if (!grown)
        return false;
    m->chain_offsets = grown;
    m->chain_offsets[0] = 0;
    m->chain_offsets[++m->chain_count] = (uint32_t)m->chain_sphere_count;
    return true;
}

/* What hangs from the trunk, of which a region is a part; the trunk itself for its own. */
static uint32_t limb_of(const grazei_chain_maker *m, uint32_t region)
{
    const grazei_regions *regions = &m->regions;
    while (region != regions->trunk && regions->items[region].parent != GRAZE_NONE &&
           regions->items[region].parent != regions->trunk)
        region = regions->items[region].parent;
    return region;
}

static bool put_limb(grazei_chain_maker *m, uint32_t limb)
{
    for (uint32_t i = 0; i < m->filling.count; i++)
        if (limb_of(m, m->filling.seeds[i].region) == limb && !put(m, i))
            return false;
    return true;
}

/* ---- the trunk ------------------------------------------------------------------------------ */

static grazei_side side_of_band(const grazei_chain_maker *m, uint32_t band)
{
    uint32_t bands = m->def->spheres_per_level;
    if (2 * band + 1 == bands)
        return GRAZEI_MIDDLE;
    return 2 * band + 1 < bands ? GRAZEI_LEFT : GRAZEI_RIGHT;
}

/* Where a limb hangs, along the trunk: 0 to 1. */
static double level_of(const grazei_chain_maker *m, const grazei_region *limb)
{
    double d[3], length = m->filling.trunk_high - m->filling.trunk_low;
    grazei_along(limb->attach, -1, m->regions.middle, d);
    double level = (grazei_dot(d, m->regions.axis) - m->filling.trunk_low) / length;
    return level < 0 ? 0 : level > 1 ? 1 : level;
}

/* How near the nearest of the trunk's spheres is to a level. */
static double nearest_row(const grazei_chain_maker *m, double level)
{
    double least = 2;
    for (uint32_t i = 0; i < m->filling.count; i++)
        if (m->filling.seeds[i].region == m->regions.trunk)
            least = fmin(least, fabs(m->filling.seeds[i].level - level));
    return least;
}

/* Which of the trunk's spheres are wanted. */
typedef struct wanted {
    double end;       /* all sides of the rows near this level; negative: none */
    double low, high; /* one side from level to level; low > high: none */
    grazei_side side; /* GRAZEI_MIDDLE: all */
    bool head;
} wanted;

/* One chain's part of the trunk: limbs side by side have the end that they hang from; on one side
 * of the body, that side; crosswise, the upper end and the lower limb's side.
 */
static wanted find_wanted(const grazei_chain_maker *m, const grazei_region *a,
                          const grazei_region *b)
{
    double level_a = level_of(m, a), level_b = level_of(m, b);
    const grazei_region *lower = level_a < level_b ? a : b;
    wanted w = {.end = -1, .low = 1, .high = 0};
    bool same_side = a->side == b->side, any = a->side == GRAZEI_MIDDLE || b->side == GRAZEI_MIDDLE;
    if (fabs(level_a - level_b) < same_level) {
        w.end = (level_a + level_b) / 2;
        w.head = w.end > 0.5;
        return w;
    }
    /* The side goes on to the trunk's end where no other limb hangs nearer to that. */
    w.low = fmin(level_a, level_b);
    w.high = fmax(level_a, level_b);
    bool is_lowest = true, is_highest = true;
    for (uint32_t r = 0; r < m->regions.count; r++) {
        const grazei_region *other = &m->regions.items[r];
        if (other->parent != m->regions.trunk || other->is_head)
            continue;
        is_lowest = is_lowest && level_of(m, other) > w.low - same_level;
        is_highest = is_highest && level_of(m, other) < w.high + same_level;
    }
    w.low = is_lowest ? 0 : w.low;
    w.high = is_highest ? 1 : w.high;
    w.side = same_side ? a->side : any ? GRAZEI_MIDDLE : lower->side;
    if (!same_side) {
        w.end = fmax(level_a, level_b);
        w.head = w.end > 0.5;
    }
    return w;
}

static bool is_wanted(const grazei_chain_maker *m, const wanted *w, const grazei_seed *seed)
{
    if (seed->region != m->regions.trunk)
        return w->head && m->regions.items[limb_of(m, seed->region)].is_head;
    double near = fmax(end_length, nearest_row(m, w->end) + 1e-9);
    if (w->end >= 0 && fabs(seed->level - w->end) <= near)
        return true;
    grazei_side side = side_of_band(m, seed->band);
    return seed->level >= w->low && seed->level <= w->high &&
           (w->side == GRAZEI_MIDDLE || side == GRAZEI_MIDDLE || side == w->side);
}

/* ---- chains --------------------------------------------------------------------------------- */

static bool put_pair(grazei_chain_maker *m, uint32_t a, uint32_t b)
{
    wanted w = find_wanted(m, &m->regions.items[a], &m->regions.items[b]);
    if (!put_limb(m, a))
        return false;
    for (uint32_t i = 0; i < m->filling.count; i++)
        if (is_wanted(m, &w, &m->filling.seeds[i]) && !put(m, i))
            return false;
    return put_limb(m, b) && close_chain(m);
}

/* One chain of everything: a body without limbs, or with one. */
static bool put_all(grazei_chain_maker *m)
{
    for (uint32_t i = 0; i < m->filling.count; i++)
        if (!put(m, i))
            return false;
    return close_chain(m);
}

/* Spheres that no chain has go to all of them: the middle of an octopus, say. */
static bool add_forgotten(grazei_chain_maker *m)
{
    uint32_t count = (uint32_t)m->filling.count, chains = m->chain_count;
    uint8_t *is_in = GRAZEI_ALLOCATE_ZERO(m->allocator, count, uint8_t);
    uint32_t *old = NULL, *offsets = NULL;
    bool room = is_in != NULL, forgotten = false;
    for (size_t i = 0; room && i < m->chain_sphere_count; i++)
        is_in[m->chain_spheres[i]] = 1;
    for (uint32_t i = 0; room && i < count; i++)
        forgotten = forgotten || !is_in[i];
    if (room && forgotten) {
        old = m->chain_spheres;
        offsets = m->chain_offsets;
        m->chain_spheres = m->chain_offsets = NULL;
        m->chain_sphere_count = m->chain_sphere_capacity = m->offset_capacity = 0;
        m->chain_count = 0;
    }
    for (uint32_t c = 0; room && forgotten && c < chains; c++) {
        for (uint32_t i = offsets[c]; room && i < offsets[c + 1]; i++)
            room = put(m, old[i]);
        for (uint32_t i = 0; room && i < count; i++)
            room = is_in[i] || put(m, i);
        room = room && close_chain(m);
    }
    grazei_release(m->allocator, is_in);
    grazei_release(m->allocator, old);
    grazei_release(m->allocator, offsets);
    return room;
}

graze_status grazei_make_chains(grazei_chain_maker *m, graze_error *error)
{
    const grazei_regions *regions = &m->regions;
    uint32_t limbs[GRAZEI_MOST_REGIONS], count = 0;
    for (uint32_t r = 0; r < regions->count && regions->trunk != GRAZE_NONE; r++)
        if (regions->items[r].parent == regions->trunk && !regions->items[r].is_head)
            limbs[count++] = r;
    bool room = true;
    if (count < 2)
        room = put_all(m);
    for (uint32_t i = 0; i < count && count > 1; i++)
        for (uint32_t k = i + 1; k < count && room; k++)
            room = put_pair(m, limbs[i], limbs[k]);
    return room && add_forgotten(m) ? GRAZE_OK : grazei_fail_memory(error);
}

/* ---- neighbours ----------------------------------------------------------------------------- */

static bool put_neighbours(grazei_chain_maker *m, uint32_t a, uint32_t b)
{
    graze_pair *grown = grazei_grow(m->allocator, m->neighbours, &m->neighbour_capacity,
                                    m->neighbour_count + 1, sizeof *grown);
    if (!grown)
        return false;
    m->neighbours = grown;
    m->neighbours[m->neighbour_count++] = (graze_pair){.a = a, .b = b};
    return true;
}

/* The sphere of a region that is nearest to another sphere, or UINT32_MAX. */
static uint32_t nearest_in(const grazei_chain_maker *m, uint32_t region, uint32_t to)
{
    uint32_t best = UINT32_MAX;
    double least = 1e300;
    for (uint32_t i = 0; i < m->filling.count; i++) {
        const grazei_seed *seed = &m->filling.seeds[i];
        double distance = grazei_distance(seed->ball.centre, m->filling.seeds[to].ball.centre);
        if (seed->region == region && distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

/* Seeds are sorted: those of a tube follow each other, those of a trunk row by row. */
bool grazei_make_neighbours(grazei_chain_maker *m)
{
    const grazei_seed *seeds = m->filling.seeds;
    uint32_t count = (uint32_t)m->filling.count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t region = seeds[i].region, parent = m->regions.items[region].parent;
        if (region == m->regions.trunk) {
            for (uint32_t k = i + 1; k < count && seeds[k].region == region; k++) {
                bool row = seeds[k].level == seeds[i].level && seeds[k].band == seeds[i].band + 1;
                bool column = seeds[k].band == seeds[i].band;
                if ((row || column) && !put_neighbours(m, i, k))
                    return false;
                if (column)
                    break;
            }
            continue;
        }
        if (i > 0 && seeds[i - 1].region == region) {
            if (!put_neighbours(m, i - 1, i))
                return false;
        } else if (parent != GRAZE_NONE) {
            uint32_t other = nearest_in(m, parent, i);
            if (other != UINT32_MAX && !put_neighbours(m, other, i))
                return false;
        }
    }
    return true;
}
