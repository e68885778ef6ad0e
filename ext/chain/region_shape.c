/* Regions of a body without a skeleton, by its shape alone. Tips of limbs are where the mean
 * distance along the skin to all of the body is largest around (Hilaga et al. 2001); a limb ends
 * where lines of equal distance from its tip suddenly grow: at the shoulder, the crotch, the neck.
 */
#include "base/memory.h"
#include "base/status.h"
#include "chain/geodesic.h"
#include "math/vector.h"

#include <string.h>

enum { SAMPLES = 24, MOST_TIPS = 32, LEVELS = 160 };

/* All by the body's height. */
static const double tip_apart = 0.2;                 /* a tip is the farthest this far around */
static const double limb_least = 0.15;               /* a limb is as long */
static const double window = 0.05;                   /* lines grow within this */
static const double growth = 1.6;                    /* by this factor at least */
static const double end_low = 0.06, end_high = 0.22; /* a wrist or ankle is so far from the tip */

typedef struct shaper {
    grazei_regions *regions;
    grazei_geodesic skin;
    double *mean;    /* distance to samples, one a place */
    double *nearest; /* one a place: scratch */
    double *own;     /* distance from the limb's tip by the limb's length, of the limb so far */
    uint32_t *limb;  /* one a place: region, GRAZE_NONE: none */
    uint32_t tips[MOST_TIPS], tip_count;
    double lengths[LEVELS]; /* of lines of equal distance */
    double step;
} shaper;

static void spread_from(shaper *s, uint32_t place)
{
    grazei_geodesic_forget(&s->skin);
    grazei_geodesic_offer(&s->skin, place, 0);
    grazei_geodesic_march(&s->skin);
}

/* ---- tips ----------------------------------------------------------------------------------- */

/* The mean distance to samples, each the farthest from those before. */
static void find_means(shaper *s)
{
    uint32_t from = 0, count = s->skin.count;
    for (uint32_t v = 0; v < count; v++) {
        s->nearest[v] = 1e300;
        s->mean[v] = 0;
    }
    spread_from(s, from);
    from = grazei_geodesic_farthest(&s->skin);
    for (uint32_t i = 0; i < SAMPLES; i++) {
        uint32_t farthest = 0;
        spread_from(s, from);
        for (uint32_t v = 0; v < count; v++) {
            s->mean[v] += s->skin.far[v] / SAMPLES;
            s->nearest[v] = fmin(s->nearest[v], s->skin.far[v]);
            if (s->nearest[v] > s->nearest[farthest])
                farthest = v;
        }
        from = farthest;
    }
}

/* The places with the largest means, each the largest of all around it. */
static void find_tips(shaper *s)
{
    uint32_t count = s->skin.count;
    double around = tip_apart * s->regions->height;
    for (uint32_t v = 0; v < count; v++)
        s->nearest[v] = 1e300; /* distance to a place with a larger mean that was looked at */
    for (uint32_t looks = 0; looks < 4 * MOST_TIPS && s->tip_count < MOST_TIPS; looks++) {
        uint32_t best = UINT32_MAX;
        bool highest = true;
        for (uint32_t v = 0; v < count; v++)
            if (s->nearest[v] > around && (best == UINT32_MAX || s->mean[v] > s->mean[best]))
                best = v;
        if (best == UINT32_MAX)
            return;
        spread_from(s, best);
        for (uint32_t v = 0; v < count; v++) {
            if (s->skin.far[v] <= around && s->mean[v] > s->mean[best])
                highest = false;
            s->nearest[v] = fmin(s->nearest[v], s->skin.far[v]);
        }
        if (highest)
            s->tips[s->tip_count++] = best;
    }
}

/* ---- limbs ---------------------------------------------------------------------------------- */

/* Lengths of the lines at (i + 0.5) x step from the place that distances are from. */
static void measure_lines(shaper *s)
{
    const grazei_geodesic *skin = &s->skin;
    s->step = skin->far[grazei_geodesic_farthest(skin)] / LEVELS;
    memset(s->lengths, 0, sizeof s->lengths);
    for (uint32_t t = 0; t < skin->triangle_count; t++) {
        double low = 1e300, high = 0, ends[2][3];
        for (uint32_t k = 0; k < 3; k++) {
            double far = skin->far[grazei_geodesic_corner(skin, t, k)];
            low = far < low ? far : low;
            high = far > high ? far : high;
        }
        uint32_t i = low > s->step ? (uint32_t)(low / s->step) - 1 : 0;
        for (; i < LEVELS && (i + 0.5) * s->step <= high; i++)
            s->lengths[i] += grazei_geodesic_cut(skin, t, (i + 0.5) * s->step, ends);
    }
}

/* How far from its tip a limb ends, or 0 if there is none: where lines grow most, before the middle
 * of the body.
 */
static double find_length(const shaper *s, double to_middle)
{
    double height = s->regions->height, most = growth, found = 0;
    uint32_t by = (uint32_t)(window * height / s->step) + 1;
    for (uint32_t i = by; i + by < LEVELS; i++) {
        double at = (i + 0.5) * s->step;
        if (at < limb_least * height || at > to_middle)
            continue;
        double before = s->lengths[i - by], behind = s->lengths[i + by];
        if (before > 0 && behind / before > most) {
            most = behind / before;
            found = at;
        }
    }
    return found;
}

/* How far from the tip the narrowest line is where a wrist may be, or 0 if it is no narrower than
 * lines nearer to the tip.
 */
static double find_end(const shaper *s, double length)
{
    double height = s->regions->height, least = 1e300, widest = 0, found = 0;
    for (uint32_t i = 0; i < LEVELS; i++) {
        double at = (i + 0.5) * s->step;
        if (at > end_high * height || at > 0.6 * length)
            break;
        if (at >= end_low * height && s->lengths[i] < least) {
            least = s->lengths[i];
            found = at;
        }
    }
    for (uint32_t i = 0; i < LEVELS && (i + 0.5) * s->step < found; i++)
        widest = fmax(widest, s->lengths[i]);
    return widest > 1.2 * least ? found : 0;
}

static bool add_limb(shaper *s, uint32_t tip, uint32_t middle)
{
    spread_from(s, tip);
    measure_lines(s);
    double length = find_length(s, s->skin.far[middle]);
    double end = length > 0 ? find_end(s, length) : 0;
    if (!(length > 0))
        return true;
    uint32_t number = s->regions->count;
    if (!grazei_regions_add(s->regions, GRAZE_REGION_TUBE, GRAZEI_ROLE_LIMB, 0) ||
        (end > 0 && !grazei_regions_add(s->regions, GRAZE_REGION_TUBE, GRAZEI_ROLE_END, number)))
        return false;
    for (uint32_t v = 0; v < s->skin.count; v++) {
        double part = s->skin.far[v] / length;
        if (part < 1 && part < s->own[v]) {
            s->own[v] = part;
            s->limb[v] = s->skin.far[v] < end ? number + 1 : number;
        }
    }
    return true;
}

/* A triangle is of the limb that most of its places are of. */
static void give_triangles(shaper *s)
{
    for (uint32_t t = 0; t < s->skin.triangle_count; t++) {
        uint32_t r[3];
        for (uint32_t k = 0; k < 3; k++)
            r[k] = s->limb[grazei_geodesic_corner(&s->skin, t, k)];
        uint32_t most = r[1] == r[2] ? r[1] : r[0];
        s->regions->of_triangle[s->skin.triangles[t]] = most;
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static graze_status check(shaper *s, graze_error *error)
{
    bool closed = false;
    uint32_t pieces = 1;
    graze_status status = graze_model_is_closed(s->regions->model, &closed, error);
    if (status)
        return status;
    if (!closed)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the surface is open: regions by shape need a closed one; without a"
                           " skin, give regions");
    spread_from(s, 0);
    for (uint32_t v = 0; v < s->skin.count; v++)
        if (s->skin.far[v] >= 1e300) {
            grazei_geodesic_offer(&s->skin, v, 0);
            grazei_geodesic_march(&s->skin);
            pieces++;
        }
    if (pieces > 1)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the surface is in %u pieces: regions by shape need one; without a"
                           " skin, give regions",
                           pieces);
    return GRAZE_OK;
}

static graze_status find(shaper *s, graze_error *error)
{
    grazei_regions *regions = s->regions;
    uint32_t middle = 0;
    find_means(s);
    find_tips(s);
    for (uint32_t v = 0; v < s->skin.count; v++) {
        middle = s->mean[v] < s->mean[middle] ? v : middle;
        s->own[v] = 1e300;
        s->limb[v] = 0;
    }
    if (!grazei_regions_add(regions, GRAZE_REGION_TRUNK, GRAZEI_ROLE_TRUNK, GRAZE_NONE))
        return grazei_fail_memory(error);
    for (uint32_t i = 0; i < s->tip_count; i++)
        if (!add_limb(s, s->tips[i], middle))
            return grazei_fail(error, GRAZE_BAD_INPUT, "the body has more than %d regions",
                               GRAZEI_MOST_REGIONS);
    uint32_t limbs = 0;
    for (uint32_t r = 0; r < regions->count; r++)
        limbs += regions->items[r].role == GRAZEI_ROLE_LIMB;
    if (limbs < 2) { /* one tube */
        regions->count = 1;
        regions->items[0].kind = GRAZE_REGION_TUBE;
        regions->items[0].role = GRAZEI_ROLE_LIMB;
        return GRAZE_OK;
    }
    regions->trunk = 0;
    give_triangles(s);
    return GRAZE_OK;
}

graze_status grazei_regions_from_shape(grazei_regions *regions, graze_error *error)
{
    shaper *s = GRAZEI_ALLOCATE_ZERO(regions->allocator, 1, shaper);
    if (!s)
        return grazei_fail_memory(error);
    s->regions = regions;
    graze_status status = GRAZE_OK;
    bool room = grazei_geodesic_make(&s->skin, regions, GRAZE_NONE);
    size_t count = s->skin.count;
    if (room) {
        s->mean = GRAZEI_ALLOCATE(regions->allocator, count, double);
        s->nearest = GRAZEI_ALLOCATE(regions->allocator, count, double);
        s->own = GRAZEI_ALLOCATE(regions->allocator, count, double);
        s->limb = GRAZEI_ALLOCATE(regions->allocator, count, uint32_t);
    }
    if (!room || !s->mean || !s->nearest || !s->own || !s->limb)
        status = grazei_fail_memory(error);
    if (!status)
        status = check(s, error);
    if (!status)
        status = find(s, error);
    void *const all[] = {s->mean, s->nearest, s->own, s->limb};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(regions->allocator, all[i]);
    grazei_geodesic_release(&s->skin);
    grazei_release(regions->allocator, s);
    return status;
}
