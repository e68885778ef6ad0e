/* Spheres along a tube: a circumference marches from its tip to where it hangs, and a sphere is
 * left where it has gone far enough from the one before (Madera et al. 2017, section 3.1). The
 * circumference is a line of equal distance along the skin from where the tube hangs, so that it
 * follows bends; pieces that do not touch are joined where they are nearest.
 */
#include "base/memory.h"
#include "parts/filling.h"
#include "parts/points.h"
#include "parts/vector.h"

#include <string.h>

enum { LEAST_LEVELS = 24 };

/* The skin of one tube. Vertices are places: one for all that lie together at rest. */
typedef struct skin {
    const grazei_mesh *mesh;
    const float *positions;
    const uint32_t *welds;
    const graze_allocator *allocator;
    uint32_t *triangles, triangle_count;
    uint32_t *local; /* of each of the model's places; UINT32_MAX: not here */
    double (*at)[3];
    uint32_t count;
    double *far;     /* distance along the skin from where the tube hangs */
    uint32_t *first; /* neighbours of v: next[first[v] .. first[v + 1]) */
    uint32_t *next;
    uint32_t *heap, *place; /* vertices by distance; where each is, or UINT32_MAX */
    uint32_t heap_count;
} skin;

/* What the circumference is at one distance. */
typedef struct section {
    double centre[3], length, radius, misfit;
} section;

/* ---- the skin ------------------------------------------------------------------------------- */

static bool make_skin(skin *s, const grazei_regions *regions, uint32_t region)
{
    const grazei_mesh *mesh = s->mesh;
    const graze_allocator *a = s->allocator;
    s->local = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t);
    s->triangles = GRAZEI_ALLOCATE(a, mesh->triangle_count, uint32_t);
    if (!s->local || !s->triangles)
        return false;
    memset(s->local, 0xff, mesh->vertex_count * sizeof *s->local);
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        if (regions->of_triangle[t] != region)
            continue;
        s->triangles[s->triangle_count++] = t;
        for (int k = 0; k < 3; k++) {
            uint32_t v = s->welds[mesh->triangles[3 * (size_t)t + k]];
            if (s->local[v] == UINT32_MAX)
                s->local[v] = s->count++;
        }
    }
    s->at = grazei_allocate(a, s->count, sizeof *s->at);
    s->far = GRAZEI_ALLOCATE(a, s->count, double);
    s->first = GRAZEI_ALLOCATE_ZERO(a, (size_t)s->count + 1, uint32_t);
    s->next = GRAZEI_ALLOCATE(a, 6 * (size_t)s->triangle_count, uint32_t);
    s->heap = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    s->place = GRAZEI_ALLOCATE(a, s->count, uint32_t);
    return s->at && s->far && s->first && s->next && s->heap && s->place;
}

static uint32_t corner(const skin *s, uint32_t triangle, uint32_t k)
{
    size_t t = s->triangles[triangle];
    return s->local[s->welds[s->mesh->triangles[3 * t + k]]];
}

static void connect(skin *s)
{
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++)
        if (s->local[v] != UINT32_MAX)
            grazei_position(s->positions, v, s->at[s->local[v]]);
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
        s->first[corner(s, i / 3, i % 3)] += 2;
    for (uint32_t v = 1; v <= s->count; v++)
        s->first[v] += s->first[v - 1];
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++) {
        uint32_t v = corner(s, i / 3, i % 3);
        s->next[--s->first[v]] = corner(s, i / 3, (i + 1) % 3);
        s->next[--s->first[v]] = corner(s, i / 3, (i + 2) % 3);
    }
}

static void release_skin(skin *s)
{
    void *const all[] = {s->local, s->triangles, s->at,   s->far,
                         s->first, s->next,      s->heap, s->place};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(s->allocator, all[i]);
}

/* ---- distances along it (Dijkstra 1959) ----------------------------------------------------- */

static void put(skin *s, uint32_t at, uint32_t v)
{
    s->heap[at] = v;
    s->place[v] = at;
}

static void offer(skin *s, uint32_t v, double far)
{
    if (!(far < s->far[v]))
        return;
    s->far[v] = far;
    uint32_t at = s->place[v] == UINT32_MAX ? s->heap_count++ : s->place[v];
    for (; at > 0 && s->far[s->heap[(at - 1) / 2]] > far; at = (at - 1) / 2)
        put(s, at, s->heap[(at - 1) / 2]);
    put(s, at, v);
}

static uint32_t take(skin *s)
{
    uint32_t best = s->heap[0], last = s->heap[--s->heap_count], at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= s->heap_count)
            break;
        if (child + 1 < s->heap_count && s->far[s->heap[child + 1]] < s->far[s->heap[child]])
            child++;
        if (!(s->far[s->heap[child]] < s->far[last]))
            break;
        put(s, at, s->heap[child]);
        at = child;
    }
    if (s->heap_count)
        put(s, at, last);
    s->place[best] = UINT32_MAX;
    return best;
}

static void march(skin *s)
{
    while (s->heap_count) {
        uint32_t v = take(s);
        for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++)
            offer(s, s->next[i], s->far[v] + grazei_distance(s->at[v], s->at[s->next[i]]));
    }
}

/* Goes on to pieces that were not reached, each across the shortest gap, until all are. */
static bool march_on(skin *s)
{
    double(*reached)[3] = grazei_allocate(s->allocator, s->count, sizeof *reached);
    uint32_t *numbers = GRAZEI_ALLOCATE(s->allocator, s->count, uint32_t);
    bool room = reached && numbers;
    while (room) {
        uint32_t count = 0, best = UINT32_MAX, from = 0;
        double least = 1e300;
        grazei_points points = {NULL, NULL, 0};
        march(s);
        for (uint32_t v = 0; v < s->count; v++)
            if (s->far[v] < 1e300) {
                numbers[count] = v;
                memcpy(reached[count++], s->at[v], sizeof *reached);
            }
        if (count == s->count)
            break;
        room = grazei_points_build(&points, (const double(*)[3])reached, count, s->allocator);
        for (uint32_t v = 0; room && v < s->count; v++) {
            if (s->far[v] < 1e300)
                continue;
            uint32_t found = grazei_points_nearest(&points, s->at[v], least);
            if (found != UINT32_MAX) {
                least = grazei_distance(s->at[v], reached[found]);
                from = numbers[found];
                best = v;
            }
        }
        grazei_release(s->allocator, points.order);
        if (best != UINT32_MAX)
            offer(s, best, s->far[from] + least);
    }
    grazei_release(s->allocator, reached);
    grazei_release(s->allocator, numbers);
    return room;
}

static void forget(skin *s)
{
    s->heap_count = 0;
    for (uint32_t v = 0; v < s->count; v++) {
        s->far[v] = 1e300;
        s->place[v] = UINT32_MAX;
    }
}

static uint32_t farthest(const skin *s)
{
    uint32_t best = 0;
    for (uint32_t v = 1; v < s->count; v++)
        if (s->far[v] > s->far[best])
            best = v;
    return best;
}

/* Distances from what is shared with the parent; without any, from the vertex nearest to where the
 * tube hangs; without a parent, from one end of it.
 */
static bool measure(skin *s, const grazei_regions *regions, uint32_t region)
{
    const grazei_region *own = &regions->items[region];
    forget(s);
    for (uint32_t t = 0; t < s->mesh->triangle_count && own->parent != GRAZE_NO_PART; t++)
        for (int k = 0; regions->of_triangle[t] == own->parent && k < 3; k++) {
            uint32_t v = s->local[s->welds[s->mesh->triangles[3 * (size_t)t + k]]];
            if (v != UINT32_MAX)
                offer(s, v, 0);
        }
    if (!s->heap_count) {
        uint32_t best = 0;
        for (uint32_t v = 1; v < s->count && own->parent != GRAZE_NO_PART; v++)
            if (grazei_distance(s->at[v], own->attach) < grazei_distance(s->at[best], own->attach))
                best = v;
        offer(s, best, 0);
    }
    if (!march_on(s))
        return false;
    if (own->parent != GRAZE_NO_PART)
        return true;
    uint32_t end = farthest(s);
    forget(s);
    offer(s, end, 0);
    return march_on(s);
}

/* ---- sections ------------------------------------------------------------------------------- */

/* The piece of a circumference in a triangle, at a distance; false if there is none. */
static bool cut(const skin *s, uint32_t triangle, double far, double middle[3], double *length)
{
    double ends[2][3];
    int count = 0;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t a = corner(s, triangle, k), b = corner(s, triangle, (k + 1) % 3);
        if ((s->far[a] < far) == (s->far[b] < far))
            continue;
        double t = (far - s->far[a]) / (s->far[b] - s->far[a]);
        for (int i = 0; i < 3; i++)
            ends[count][i] = s->at[a][i] + t * (s->at[b][i] - s->at[a][i]);
        count++;
    }
    if (count != 2)
        return false;
    *length = grazei_distance(ends[0], ends[1]);
    for (int i = 0; i < 3; i++)
        middle[i] = (ends[0][i] + ends[1][i]) / 2;
    return true;
}

/* Fills sections at distances (i + 0.5) x step. pass 0: centres; 1: radii; 2: misfits. */
static void pass_over(const skin *s, section *sections, uint32_t count, double step, int pass)
{
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double low = 1e300, high = 0, middle[3], length;
        for (uint32_t k = 0; k < 3; k++) {
            double far = s->far[corner(s, t, k)];
            low = far < low ? far : low;
            high = far > high ? far : high;
        }
        uint32_t i = low > step ? (uint32_t)(low / step) - 1 : 0;
        for (; i < count && (i + 0.5) * step <= high; i++) {
            if (!cut(s, t, (i + 0.5) * step, middle, &length))
                continue;
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

static bool leave_sphere(grazei_filling *filling, const skin *s, const section *sections,
                         uint32_t count, uint32_t at, double step, grazei_seed *seed)
{
    const section *here = &sections[at];
    uint32_t before = at, behind = at, pieces = 0, number = 0;
    double middle[3], length;
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
    /* As many points of the circumference as a disk has rays. */
    for (uint32_t t = 0; t < s->triangle_count; t++)
        pieces += cut(s, t, (at + 0.5) * step, middle, &length);
    uint32_t stride = (pieces + filling->def->rays - 1) / filling->def->rays;
    for (uint32_t t = 0; t < s->triangle_count; t++)
        if (cut(s, t, (at + 0.5) * step, middle, &length) && number++ % stride == 0 &&
            !grazei_filling_hit(filling, middle))
            return false;
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

static bool leave_spheres(grazei_filling *filling, const skin *s, const section *sections,
                          uint32_t count, double step, uint32_t region)
{
    double height = filling->regions->height, wanted = (double)filling->def->overlap;
    uint32_t at = UINT32_MAX;
    grazei_seed seed = {.region = region};
    /* The first one touches the tip. */
    for (uint32_t i = count; i-- > 0 && at == UINT32_MAX;)
        if (is_sound(&sections[i], height) && (count - i - 0.5) * step >= 0.8 * sections[i].radius)
            at = i;
    while (at != UINT32_MAX) {
        grazei_ball before = ball_at(&sections[at]);
        grazei_choice choice = {wanted, 0, 0, UINT32_MAX};
        if (!leave_sphere(filling, s, sections, count, at, step, &seed))
            return false;
        /* The last one may be nearer, up to half of the two spheres. */
        for (int last = 0; last < 2 && choice.best == UINT32_MAX; last++)
            for (uint32_t i = at; i-- > 0;) {
                grazei_ball next = ball_at(&sections[i]);
                if (!is_sound(&sections[i], height))
                    continue;
                double overlap = grazei_overlap(&before, &next);
                if (overlap < (last ? fmax(wanted, 0.5) : wanted + 0.05))
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
    skin s = {.mesh = &regions->model->mesh,
              .positions = regions->positions,
              .welds = regions->welds,
              .allocator = filling->allocator};
    size_t before = filling->count;
    bool room = make_skin(&s, regions, region);
    if (room) {
        connect(&s);
        room = measure(&s, regions, region);
    }
    double far = room ? s.far[farthest(&s)] : 0;
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
    release_skin(&s);
    return room && (filling->count > before || grazei_fill_small(filling, region));
}
