/* Spheres along a tube: a circumference marches from its tip to where it hangs, and a sphere is
 * left where it has gone far enough from the one before (Madera et al. 2017, section 3.1). The
 * circumference is a line of equal distance along the skin from where the tube hangs, so that it
 * follows bends; pieces that do not touch are joined where they are nearest.
 */
#include "base/memory.h"
#include "chain/filling.h"
#include "chain/geodesic.h"
#include "math/vector.h"

#include <string.h>

enum { LEAST_LEVELS = 24 };

/* What the circumference is at one distance. */
typedef struct section {
    double centre[3], length, radius, misfit;
} section;

/* Distances from what is shared with the parent; without any, from the vertex nearest to where the
 * tube hangs; without a parent, from one end of it.
 */
static bool measure(grazei_geodesic *s, const grazei_regions *regions, uint32_t region)
{
    const grazei_region *own = &regions->items[region];
    grazei_geodesic_forget(s);
    for (uint32_t t = 0; t < s->mesh->triangle_count && own->parent != GRAZE_NONE; t++)
        for (uint32_t k = 0; regions->of_triangle[t] == own->parent && k < 3; k++) {
            uint32_t v = s->local[s->welds[s->mesh->triangles[3 * (size_t)t + k]]];
            if (v != UINT32_MAX)
                grazei_geodesic_offer(s, v, 0);
        }
    if (!s->heap_count) {
        uint32_t best = 0;
        for (uint32_t v = 1; v < s->count && own->parent != GRAZE_NONE; v++)
            if (grazei_distance(s->at[v], own->attach) < grazei_distance(s->at[best], own->attach))
                best = v;
        grazei_geodesic_offer(s, best, 0);
    }
    if (!grazei_geodesic_march_on(s))
        return false;
    if (own->parent != GRAZE_NONE)
        return true;
    uint32_t end = grazei_geodesic_farthest(s);
    grazei_geodesic_forget(s);
    grazei_geodesic_offer(s, end, 0);
    return grazei_geodesic_march_on(s);
}

/* ---- sections ------------------------------------------------------------------------------- */

/* Fills sections at distances (i + 0.5) x step. pass 0: centres; 1: radii; 2: misfits. */
static void pass_over(const grazei_geodesic *s, section *sections, uint32_t count, double step,
                      int pass)
{
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double low = 1e300, high = 0, ends[2][3], middle[3];
        for (uint32_t k = 0; k < 3; k++) {
            double far = s->far[grazei_geodesic_corner(s, t, k)];
            low = far < low ? far : low;
            high = far > high ? far : high;
        }
        uint32_t i = low > step ? (uint32_t)(low / step) - 1 : 0;
        for (; i < count && (i + 0.5) * step <= high; i++) {
            double length = grazei_geodesic_cut(s, t, (i + 0.5) * step, ends);
            if (!(length > 0))
                continue;
            for (int k = 0; k < 3; k++)
                middle[k] = (ends[0][k] + ends[1][k]) / 2;
            section *at = &sections[i];
            if (pass == 0) {
                grazei_along(at->centre, length, middle, at->centre);
                at->length += length;
                continue;
            }
            double distance = grazei_distance(at->centre, middle);
            if (pass == 1)
                at->radius += length * distance;
            else
                at->misfit += length * fabs(distance - at->radius);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        section *at = &sections[i];
        double share = at->length > 0 ? 1 / at->length : 0;
        for (int k = 0; k < 3 && pass == 0; k++)
            at->centre[k] *= share;
        if (pass == 1)
            at->radius *= share;
        if (pass == 2)
            at->misfit *= share;
    }
}

/* ---- spheres -------------------------------------------------------------------------------- */

static bool leave_sphere(grazei_filling *filling, const grazei_geodesic *s, const section *sections,
                         uint32_t count, uint32_t at, double step, grazei_seed *seed)
{
    const section *here = &sections[at];
    uint32_t before = at, behind = at;
    while (before > 0 && before + 3 > at && sections[before - 1].length > 0)
        before--;
    while (behind + 1 < count && behind < at + 3 && sections[behind + 1].length > 0)
        behind++;
    grazei_along(sections[behind].centre, -1, sections[before].centre, seed->along);
    if (!grazei_normalise(seed->along))
        memcpy(seed->along, (double[3]){0, 0, 1}, sizeof seed->along);
    memcpy(seed->ball.centre, here->centre, sizeof here->centre);
    seed->ball.radius = here->radius;
    seed->leeway = 0.5 * here->radius;
    seed->level = (at + 0.5) / count;
    seed->first_hit = (uint32_t)filling->hit_count;
    /* As many points of the circumference as a disk has rays, as far from each other. */
    double apart = here->length / filling->def->rays, next = apart / 2, ends[2][3], hit[3];
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double length = grazei_geodesic_cut(s, t, (at + 0.5) * step, ends);
        for (; next < length; next += apart) {
            for (int k = 0; k < 3; k++)
                hit[k] = ends[0][k] + next / length * (ends[1][k] - ends[0][k]);
            if (!grazei_filling_hit(filling, hit))
                return false;
        }
        next -= length;
    }
    seed->hit_count = (uint32_t)filling->hit_count - seed->first_hit;
    bool added = grazei_filling_add(filling, seed);
    seed->number++;
    return added;
}

static grazei_ball ball_at(const section *at)
{
    grazei_ball ball;
    memcpy(ball.centre, at->centre, sizeof ball.centre);
    ball.radius = at->radius;
    return ball;
}

static bool is_sound(const section *at, double height)
{
    return at->length > 0 && at->radius > 1e-4 * height;
}

/* Whether a sphere there would not go beyond an end of the tube by much. */
static bool is_off(const section *at, const double end[3])
{
    return grazei_distance(at->centre, end) >= 0.9 * at->radius;
}

/* What is thinner is not worth a sphere at the tip: one of several fingers. */
static double least_radius(const section *sections, uint32_t count)
{
    double sum = 0;
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++)
        if (sections[i].length > 0) {
            sum += sections[i].radius;
            number++;
        }
    return number ? 0.4 * sum / number : 0;
}

/* A place where distances begin. */
static uint32_t nearest(const grazei_geodesic *s)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < s->count; v++)
        if (s->far[v] < s->far[best])
            best = v;
    return best;
}

static bool leave_spheres(grazei_filling *filling, const grazei_geodesic *s,
                          const section *sections, uint32_t count, double step, uint32_t region)
{
    double height = filling->regions->height, wanted = filling->wanted;
    uint32_t at = UINT32_MAX, end = 0;
    grazei_seed seed = {.region = region};
    /* The first one touches the tip; so does the last, where a tube hangs from nothing. */
    const double *tip = s->at[grazei_geodesic_farthest(s)];
    double least = least_radius(sections, count);
    for (uint32_t i = count; i-- > 0 && at == UINT32_MAX;)
        if (is_sound(&sections[i], height) && sections[i].radius >= least &&
            is_off(&sections[i], tip))
            at = i;
    if (filling->regions->items[region].parent == GRAZE_NONE)
        while (end < count && !is_off(&sections[end], s->at[nearest(s)]))
            end++;
    while (at != UINT32_MAX) {
        grazei_ball before = ball_at(&sections[at]);
        grazei_choice choice = {wanted, 0, 0, UINT32_MAX};
        if (!leave_sphere(filling, s, sections, count, at, step, &seed))
            return false;
        /* The last one may be nearer. */
        for (int last = 0; last < 2 && choice.best == UINT32_MAX; last++)
            for (uint32_t i = at; i-- > end;) {
                grazei_ball next = ball_at(&sections[i]);
                if (!is_sound(&sections[i], height) || sections[i].radius < 0.6 * least)
                    continue;
                double overlap = grazei_overlap(&before, &next);
                if (overlap < wanted + (last ? 0.2 : 0.05))
                    grazei_choose(&choice, i, overlap, sections[i].misfit / sections[i].radius);
                if (overlap < wanted - 0.05)
                    break;
            }
        at = choice.best;
    }
    return true;
}

bool grazei_fill_tube(grazei_filling *filling, uint32_t region)
{
    const grazei_regions *regions = filling->regions;
    grazei_geodesic s;
    size_t before = filling->count;
    bool room = grazei_geodesic_make(&s, regions, region) && measure(&s, regions, region);
    double far = room ? s.far[grazei_geodesic_farthest(&s)] : 0;
    double step = fmin(filling->step / 4, far / LEAST_LEVELS);
    if (room && far > 0 && far / step < 1e6) {
        uint32_t count = (uint32_t)(far / step);
        section *sections = GRAZEI_ALLOCATE_ZERO(filling->allocator, count, section);
        room = sections != NULL;
        for (int pass = 0; room && pass < 3; pass++)
            pass_over(&s, sections, count, step, pass);
        room = room && leave_spheres(filling, &s, sections, count, step, region);
        grazei_release(filling->allocator, sections);
    }
    grazei_geodesic_release(&s);
    return room && (filling->count > before || grazei_fill_small(filling, region));
}
