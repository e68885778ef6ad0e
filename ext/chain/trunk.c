/* Spheres in a trunk: a disk of rays moves up along it, and where it has gone far enough the points
 * that its rays meet are divided from left to right, a sphere for each part (Madera et al. 2017,
 * section 3.2).
 */
#include "base/memory.h"
#include "chain/filling.h"
#include "math/vector.h"

#include <string.h>

enum { MOST_BANDS = 8, MOST_RAYS = 1024 };

/* What the disk meets at one level. */
typedef struct level {
    grazei_ball balls[MOST_BANDS];
    double misfits[MOST_BANDS]; /* mean F over the hits */
    bool are_there[MOST_BANDS];
    bool is_sound;
} level;

typedef struct trunk {
    grazei_filling *filling;
    double depth[3]; /* across axis and lateral */
    double low, high, step;
    uint32_t level_count;
    level *levels;

    /* The disk at one level: the cut through the skin, lateral and depth; and its rays' hits. */
    double (*cut)[4]; /* of each piece both ends */
    size_t cut_count, cut_capacity;
    double centre[2];
    double hits[MOST_RAYS][3];
    double part[MOST_RAYS][3]; /* of a band */
    double scratch[MOST_RAYS];
    bool has_hit[MOST_RAYS];
} trunk;

static double height_of(const trunk *t, const double p[3])
{
    double d[3];
    grazei_along(p, -1, t->filling->regions->middle, d);
    return grazei_dot(d, t->filling->regions->axis);
}

static double at_level(const trunk *t, uint32_t number)
{
    return t->low + (number + 0.5) * t->step;
}

/* ---- the disk ------------------------------------------------------------------------------- */

/* Where the plane of the disk cuts the trunk's triangles. */
static bool cut_skin(trunk *t, double height)
{
    const grazei_regions *regions = t->filling->regions;
    const grazei_mesh *mesh = &regions->model->mesh;
    t->cut_count = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        double p[3][3], h[3], ends[4];
        int count = 0;
        if (regions->of_triangle[i] != regions->trunk)
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            grazei_position(regions->positions, mesh->triangles[3 * (size_t)i + k], p[k]);
            h[k] = height_of(t, p[k]);
        }
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            double d[3], share = (height - h[k]) / (h[next] - h[k]);
            if ((h[k] < height) == (h[next] < height))
                continue;
            for (int x = 0; x < 3; x++)
                d[x] = p[k][x] + share * (p[next][x] - p[k][x]) - regions->middle[x];
            ends[2 * count] = grazei_dot(d, regions->lateral);
            ends[2 * count + 1] = grazei_dot(d, t->depth);
            count++;
        }
        if (count != 2)
            continue;
        double(*grown)[4] = grazei_grow(t->filling->allocator, t->cut, &t->cut_capacity,
                                        t->cut_count + 1, sizeof *t->cut);
        if (!grown)
            return false;
        t->cut = grown;
        memcpy(t->cut[t->cut_count++], ends, sizeof ends);
    }
    return true;
}

/* The disk's centre: in the middle plane, half way from front to back. */
static void place_disk(trunk *t)
{
    double low = 1e300, high = -1e300;
    for (size_t i = 0; i < 2 * t->cut_count; i++) {
        double y = t->cut[i / 2][2 * (i % 2) + 1];
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    t->centre[0] = 0;
    t->centre[1] = (low + high) / 2;
}

/* How far a ray goes until it leaves the cut for the last time; negative: it meets nothing. */
static double cast(const trunk *t, double cosine, double sine)
{
    double farthest = -1;
    for (size_t i = 0; i < t->cut_count; i++) {
        double ax = t->cut[i][0] - t->centre[0], ay = t->cut[i][1] - t->centre[1];
        double bx = t->cut[i][2] - t->centre[0], by = t->cut[i][3] - t->centre[1];
        double a = cosine * ay - sine * ax, b = cosine * by - sine * bx;
        if ((a < 0) == (b < 0))
            continue;
        double share = a / (a - b);
        double along = cosine * (ax + share * (bx - ax)) + sine * (ay + share * (by - ay));
        farthest = along > farthest ? along : farthest;
    }
    return farthest;
}

static void cast_all(trunk *t, double height)
{
    const grazei_regions *regions = t->filling->regions;
    uint32_t rays = t->filling->def->rays;
    for (uint32_t i = 0; i < rays; i++) {
        double sine, cosine;
        grazei_sine_cosine((double)i / rays, &sine, &cosine);
        double far = cast(t, cosine, sine);
        t->has_hit[i] = far >= 0;
        for (int k = 0; k < 3; k++)
            t->hits[i][k] = regions->middle[k] + height * regions->axis[k] +
                            (t->centre[0] + far * cosine) * regions->lateral[k] +
                            (t->centre[1] + far * sine) * t->depth[k];
    }
}

/* Which band of the cut a hit is in, from left to right. */
static uint32_t band_of(const trunk *t, const double p[3], double width)
{
    uint32_t bands = t->filling->def->spheres_per_level;
    double d[3];
    grazei_along(p, -1, t->filling->regions->middle, d);
    double share = 0.5 - grazei_dot(d, t->filling->regions->lateral) / (2 * width);
    double band = share * bands;
    return band < 0 ? 0 : band >= bands ? bands - 1 : (uint32_t)band;
}

static double widest(const trunk *t)
{
    double most = 1e-300;
    for (size_t i = 0; i < 2 * t->cut_count; i++)
        most = fmax(most, fabs(t->cut[i / 2][2 * (i % 2)]));
    return most;
}

static uint32_t gather(trunk *t, uint32_t band, double width)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->filling->def->rays; i++)
        if (t->has_hit[i] && band_of(t, t->hits[i], width) == band)
            memcpy(t->part[count++], t->hits[i], sizeof *t->part);
    return count;
}

/* ---- spheres -------------------------------------------------------------------------------- */

/* The smallest circle around a band's hits is too large: its centre goes towards the disk's as far
 * as that makes F less, its radius with it, and then anywhere in the plane of the disk.
 */
static void fit_band(trunk *t, double height, uint32_t count, grazei_ball *ball)
{
    const grazei_regions *regions = t->filling->regions;
    double centre[3], towards[3], least = 1e300, largest;
    float points[MOST_RAYS][3];
    uint32_t numbers[MOST_RAYS], order[MOST_RAYS];
    grazei_ball best = {{0}, 0};
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++)
            points[i][k] = (float)t->part[i][k];
        numbers[i] = i;
    }
    *ball = grazei_ball_enclose(points[0], numbers, count, order);
    for (int k = 0; k < 3; k++)
        centre[k] = regions->middle[k] + height * regions->axis[k] +
                    t->centre[0] * regions->lateral[k] + t->centre[1] * t->depth[k];
    grazei_along(centre, -1, ball->centre, towards);
    grazei_leeway none = {.direction_count = 0};
    for (int i = 0; i <= 16; i++) {
        grazei_ball next = *ball;
        grazei_along(ball->centre, i / 16.0, towards, next.centre);
        grazei_fit_adjust(&next, (const double(*)[3])t->part, count, &none, t->scratch);
        double now = grazei_misfit(&next, (const double(*)[3])t->part, count, &largest);
        if (now < least) {
            least = now;
            best = next;
        }
    }
    double far = 0.5 * best.radius;
    grazei_leeway plane = {.direction_count = 2, .limit = far, .limits = {far, far, 0}};
    memcpy(plane.directions[0], regions->lateral, sizeof centre);
    memcpy(plane.directions[1], t->depth, sizeof centre);
    grazei_fit_adjust(&best, (const double(*)[3])t->part, count, &plane, t->scratch);
    *ball = best;
}

static bool look_at(trunk *t, uint32_t number)
{
    level *here = &t->levels[number];
    double height = at_level(t, number), largest;
    uint32_t rays = t->filling->def->rays, met = 0;
    if (!cut_skin(t, height))
        return false;
    if (!t->cut_count)
        return true;
    place_disk(t);
    cast_all(t, height);
    for (uint32_t i = 0; i < rays; i++)
        met += t->has_hit[i];
    double width = widest(t);
    for (uint32_t b = 0; b < t->filling->def->spheres_per_level; b++) {
        uint32_t count = gather(t, b, width);
        if (count < 3)
            continue;
        fit_band(t, height, count, &here->balls[b]);
        here->misfits[b] =
            grazei_misfit(&here->balls[b], (const double(*)[3])t->part, count, &largest) / count;
        here->are_there[b] = here->balls[b].radius > 1e-4 * t->filling->regions->height;
        here->is_sound = here->is_sound || (here->are_there[b] && met >= rays / 2);
    }
    return true;
}

static double mean_radius(const trunk *t, const level *at)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t b = 0; b < t->filling->def->spheres_per_level; b++)
        if (at->are_there[b]) {
            sum += at->balls[b].radius;
            count++;
        }
    return count ? sum / count : 0;
}

/* The mean over the bands of overlap, and of misfit against the radius. */
static void compare(const trunk *t, const level *a, const level *b, double *overlap, double *misfit)
{
    uint32_t count = 0;
    *overlap = *misfit = 0;
    for (uint32_t i = 0; i < t->filling->def->spheres_per_level; i++)
        if (a->are_there[i] && b->are_there[i]) {
            *overlap += grazei_overlap(&a->balls[i], &b->balls[i]);
            *misfit += b->misfits[i] / b->balls[i].radius;
            count++;
        }
    if (count) {
        *overlap /= count;
        *misfit /= count;
    }
}

static bool leave_spheres(trunk *t, uint32_t number)
{
    const level *here = &t->levels[number];
    grazei_filling *filling = t->filling;
    double height = at_level(t, number);
    if (!cut_skin(t, height))
        return false;
    place_disk(t);
    cast_all(t, height);
    double width = widest(t);
    for (uint32_t b = 0; b < filling->def->spheres_per_level; b++) {
        if (!here->are_there[b])
            continue;
        grazei_seed seed = {.ball = here->balls[b],
                            .region = filling->regions->trunk,
                            .band = b,
                            .level = (height - t->low) / (t->high - t->low),
                            .leeway = 0.4 * here->balls[b].radius,
                            .first_hit = (uint32_t)filling->hit_count,
                            .number = number};
        memcpy(seed.along, filling->regions->axis, sizeof seed.along);
        seed.hit_count = gather(t, b, width);
        for (uint32_t i = 0; i < seed.hit_count; i++)
            if (!grazei_filling_hit(filling, t->part[i]))
                return false;
        if (!grazei_filling_add(filling, &seed))
            return false;
    }
    return true;
}

/* From the lower end up. */
static bool fill(trunk *t)
{
    double wanted = t->filling->wanted;
    uint32_t at = UINT32_MAX, first = UINT32_MAX;
    for (uint32_t i = 0; i < t->level_count; i++)
        if (!look_at(t, i))
            return false;
    for (uint32_t i = 0; i < t->level_count && at == UINT32_MAX; i++) {
        if (!t->levels[i].is_sound)
            continue;
        first = first == UINT32_MAX ? i : first;
        if ((i + 0.5) * t->step >= 0.6 * mean_radius(t, &t->levels[i]))
            at = i;
    }
    at = at == UINT32_MAX ? first : at;
    while (at != UINT32_MAX) {
        grazei_choice choice = {wanted, 0, 0, UINT32_MAX};
        if (!leave_spheres(t, at))
            return false;
        for (uint32_t i = at + 1; i < t->level_count; i++) {
            const level *next = &t->levels[i];
            double overlap, misfit;
            if (!next->is_sound || t->high - at_level(t, i) < 0.3 * mean_radius(t, next))
                continue;
            compare(t, &t->levels[at], next, &overlap, &misfit);
            if (overlap < wanted + 0.1)
                grazei_choose(&choice, i, overlap, misfit);
            if (overlap < wanted - 0.1)
                break;
        }
        at = choice.best;
    }
    return true;
}

bool grazei_fill_trunk(grazei_filling *filling)
{
    const grazei_regions *regions = filling->regions;
    const grazei_mesh *mesh = &regions->model->mesh;
    size_t before = filling->count;
    trunk *t = GRAZEI_ALLOCATE_ZERO(filling->allocator, 1, trunk);
    if (!t)
        return false;
    t->filling = filling;
    t->low = 1e300;
    t->high = -1e300;
    grazei_cross(regions->axis, regions->lateral, t->depth);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        double p[3];
        if (regions->of_triangle[i / 3] != regions->trunk)
            continue;
        grazei_position(regions->positions, mesh->triangles[i], p);
        t->low = fmin(t->low, height_of(t, p));
        t->high = fmax(t->high, height_of(t, p));
    }
    t->step = fmin(filling->step, (t->high - t->low) / 8);
    filling->trunk_low = t->low;
    filling->trunk_high = t->high;
    bool room = true;
    if (t->step > 0 && (t->high - t->low) / t->step < 1e5) {
        t->level_count = (uint32_t)((t->high - t->low) / t->step);
        t->levels = GRAZEI_ALLOCATE_ZERO(filling->allocator, t->level_count, level);
        room = t->levels && fill(t);
    }
    grazei_release(filling->allocator, t->levels);
    grazei_release(filling->allocator, t->cut);
    grazei_release(filling->allocator, t);
    return room && (filling->count > before || grazei_fill_small(filling, regions->trunk));
}
