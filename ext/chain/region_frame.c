/* Where left and up are, which limbs are partners, and what they are called: from where regions
 * are, with names of joints as hints where there are any.
 */
#include "base/memory.h"
#include "base/status.h"
#include "chain/regions.h"
#include "hitbox/points.h"
#include "math/vector.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 600 };

typedef struct framer {
    grazei_regions *regions;
    const grazei_mesh *mesh;
    uint32_t limbs[GRAZEI_MOST_REGIONS]; /* what hangs from the trunk */
    uint32_t limb_count;
    double (*at)[3]; /* vertices of triangles */
    uint32_t count;
    grazei_points points;
} framer;

/* ---- measures ------------------------------------------------------------------------------- */

static void measure_areas(grazei_regions *regions)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        grazei_region *region = &regions->items[regions->of_triangle[t]];
        double p[3][3], u[3], v[3], n[3];
        for (uint32_t k = 0; k < 3; k++)
            grazei_position(regions->positions, mesh->triangles[3 * (size_t)t + k], p[k]);
        grazei_along(p[1], -1, p[0], u);
        grazei_along(p[2], -1, p[0], v);
        grazei_cross(u, v, n);
        double area = grazei_length(n) / 2;
        region->area += area;
        for (int k = 0; k < 3; k++)
            region->centre[k] += area * (p[0][k] + p[1][k] + p[2][k]) / 3;
    }
    for (uint32_t r = 0; r < regions->count; r++)
        for (int k = 0; k < 3 && regions->items[r].area > 0; k++)
            regions->items[r].centre[k] /= regions->items[r].area;
}

/* Where regions hang: the middle of the places shared with the parent; where there are none, the
 * vertex nearest to the parent's middle.
 */
static bool measure_attachments(grazei_regions *regions)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    const graze_allocator *a = regions->allocator;
    uint32_t *first = GRAZEI_ALLOCATE(a, mesh->vertex_count, uint32_t); /* region of each place */
    uint32_t *shared = GRAZEI_ALLOCATE_ZERO(a, regions->count, uint32_t);
    double *nearest = GRAZEI_ALLOCATE(a, regions->count, double);
    bool room = first && shared && nearest;
    double(*near)[3] = room ? grazei_allocate_zero(a, regions->count, sizeof *near) : NULL;
    room = room && near;
    for (uint32_t v = 0; room && v < mesh->vertex_count; v++)
        first[v] = GRAZE_NONE;
    for (uint32_t r = 0; room && r < regions->count; r++)
        nearest[r] = 1e300;
    /* Twice, so that every triangle at a place meets the region that is kept there. */
    for (size_t i = 0; room && i < 6 * (size_t)mesh->triangle_count; i++) {
        size_t corner = i % (3 * (size_t)mesh->triangle_count);
        uint32_t place = regions->welds[mesh->triangles[corner]];
        uint32_t r = regions->of_triangle[corner / 3], other = first[place];
        grazei_region *region = &regions->items[r];
        double p[3];
        grazei_position(regions->positions, place, p);
        if (other == GRAZE_NONE || regions->items[other].parent == r)
            first[place] = r; /* the parent, if it is there */
        if (region->parent == GRAZE_NONE)
            continue;
        double distance = grazei_distance(p, regions->items[region->parent].centre);
        if (distance < nearest[r]) {
            nearest[r] = distance;
            memcpy(near[r], p, sizeof p);
        }
        if (i >= 3 * (size_t)mesh->triangle_count && first[place] == region->parent) {
            grazei_along(region->attach, 1, p, region->attach);
            shared[r]++;
        }
    }
    for (uint32_t r = 0; room && r < regions->count; r++)
        for (int k = 0; k < 3; k++)
            regions->items[r].attach[k] =
                shared[r] ? regions->items[r].attach[k] / shared[r] : near[r][k];
    grazei_release(a, first);
    grazei_release(a, shared);
    grazei_release(a, nearest);
    grazei_release(a, near);
    return room;
}

static void measure_reach(grazei_regions *regions)
{
    const grazei_mesh *mesh = &regions->model->mesh;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        double p[3];
        grazei_position(regions->positions, mesh->triangles[i], p);
        uint32_t r = regions->of_triangle[i / 3];
        /* What an end reaches counts for its limb. */
        while (r != GRAZE_NONE) {
            grazei_region *region = &regions->items[r];
            region->reach = fmax(region->reach, grazei_distance(p, region->attach));
            r = region->parent;
        }
    }
}

/* ---- left and right ------------------------------------------------------------------------- */

static void mirror(const double p[3], const double normal[3], const double on[3], double out[3])
{
    double d[3];
    grazei_along(p, -1, on, d);
    grazei_along(p, -2 * grazei_dot(d, normal), normal, out);
}

/* How far the mirror image of the body is from it, on average; far ones all count the same. */
static double asymmetry(const framer *f, const double normal[3], const double on[3])
{
    double sum = 0, most = 0.1 * f->regions->height;
    uint32_t stride = f->count / SAMPLES + 1, samples = 0;
    for (uint32_t i = 0; i < f->count; i += stride, samples++) {
        double p[3];
        mirror(f->at[i], normal, on, p);
        uint32_t found = grazei_points_nearest(&f->points, p, most);
        sum += found == UINT32_MAX ? most : grazei_distance(p, f->at[found]);
    }
    return sum / samples;
}

static bool are_alike(const grazei_region *a, const grazei_region *b)
{
    return fmin(a->area, b->area) > 0.6 * fmax(a->area, b->area) &&
           fmin(a->reach, b->reach) > 0.75 * fmax(a->reach, b->reach);
}

/* The plane that mirrors the body best: between two limbs that are alike, or across an axis. */
static void find_plane(framer *f)
{
    grazei_regions *regions = f->regions;
    double least = 1e300, box[2][3] = {{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
    for (uint32_t i = 0; i < 3 * f->count; i++) {
        box[0][i % 3] = fmin(box[0][i % 3], f->at[i / 3][i % 3]);
        box[1][i % 3] = fmax(box[1][i % 3], f->at[i / 3][i % 3]);
    }
    for (uint32_t i = 0; i < f->limb_count; i++)
        for (uint32_t k = 0; k < i && i < 16; k++) {
            const grazei_region *a = &regions->items[f->limbs[i]],
                                *b = &regions->items[f->limbs[k]];
            double normal[3], on[3];
            grazei_along(a->centre, -1, b->centre, normal);
            grazei_along(b->centre, 0.5, normal, on);
            if (!are_alike(a, b) || !grazei_normalise(normal))
                continue;
            double found = asymmetry(f, normal, on);
            if (found < 0.98 * least) { /* of equal ones the first */
                least = found;
                memcpy(regions->lateral, normal, sizeof normal);
                memcpy(regions->middle, on, sizeof on);
            }
        }
    for (int axis = 0; axis < 3; axis++) {
        double normal[3] = {axis == 0, axis == 1, axis == 2}, on[3];
        for (int k = 0; k < 3; k++)
            on[k] = (box[0][k] + box[1][k]) / 2;
        double found = asymmetry(f, normal, on);
        if (found < 0.5 * least) { /* between limbs is better as long as it is about as good */
            least = found;
            memcpy(regions->lateral, normal, sizeof normal);
            memcpy(regions->middle, on, sizeof on);
        }
    }
}

static double lateral_of(const grazei_regions *regions, const double p[3])
{
    double d[3];
    grazei_along(p, -1, regions->middle, d);
    return grazei_dot(d, regions->lateral);
}

static void find_partners(framer *f)
{
    for (uint32_t i = 0; i < f->limb_count; i++) {
        grazei_region *a = &f->regions->items[f->limbs[i]];
        double nearest = 0.3 * a->reach, image[3];
        mirror(a->centre, f->regions->lateral, f->regions->middle, image);
        for (uint32_t k = 0; k < f->limb_count; k++) {
            const grazei_region *b = &f->regions->items[f->limbs[k]];
            double distance = grazei_distance(image, b->centre);
            if (k != i && distance < nearest && are_alike(a, b)) {
                nearest = distance;
                a->partner = f->limbs[k];
            }
        }
    }
    for (uint32_t i = 0; i < f->limb_count; i++) {
        grazei_region *a = &f->regions->items[f->limbs[i]];
        if (a->partner != GRAZE_NONE && f->regions->items[a->partner].partner != f->limbs[i])
            a->partner = GRAZE_NONE;
    }
}

/* Left is where names say it is; else where the largest coordinate grows. */
static void find_sides(framer *f)
{
    grazei_regions *regions = f->regions;
    double votes = 0, largest = 0;
    for (uint32_t r = 0; r < regions->count; r++) {
        const grazei_region *region = &regions->items[r];
        double x = lateral_of(regions, region->centre);
        if (region->side_hint != GRAZEI_MIDDLE)
            votes += (region->side_hint == GRAZEI_LEFT) == (x > 0) ? fabs(x) : -fabs(x);
    }
    for (int k = 0; k < 3 && votes == 0; k++)
        if (fabs(regions->lateral[k]) > fabs(largest))
            largest = regions->lateral[k];
    if (votes < 0 || (votes == 0 && largest < 0))
        for (int k = 0; k < 3; k++)
            regions->lateral[k] = -regions->lateral[k];
    for (uint32_t i = 0; i < f->limb_count; i++) {
        grazei_region *region = &regions->items[f->limbs[i]];
        double x = lateral_of(regions, region->centre);
        if (region->partner != GRAZE_NONE || fabs(x) > 0.1 * regions->height)
            region->side = x > 0 ? GRAZEI_LEFT : GRAZEI_RIGHT;
    }
}

/* ---- up ------------------------------------------------------------------------------------- */

/* The two points of the trunk that are farthest apart: where pairs and single limbs hang, seen in
 * the middle plane. False if they are near each other.
 */
static bool axis_between_limbs(const framer *f, double axis[3])
{
    const grazei_regions *regions = f->regions;
    double most = 0.08 * regions->height;
    bool found = false;
    for (int pairs = 1; pairs >= 0 && !found; pairs--)
        for (uint32_t i = 0; i < f->limb_count; i++)
            for (uint32_t k = 0; k < i; k++) {
                const grazei_region *a = &regions->items[f->limbs[i]];
                const grazei_region *b = &regions->items[f->limbs[k]];
                double d[3];
                if (pairs && (a->partner == GRAZE_NONE || b->partner == GRAZE_NONE))
                    continue;
                grazei_along(a->attach, -1, b->attach, d);
                grazei_reject(d, regions->lateral);
                if (grazei_dot(d, d) > most * most) {
                    most = grazei_length(d);
                    memcpy(axis, d, sizeof d);
                    found = true;
                }
            }
    return found && grazei_normalise(axis);
}

/* The direction across lateral along which the trunk is longest. */
static void axis_of_trunk(const framer *f, double axis[3])
{
    const grazei_regions *regions = f->regions;
    double u[3], v[3], uu = 0, uv = 0, vv = 0;
    grazei_across(regions->lateral, u);
    grazei_cross(regions->lateral, u, v);
    const grazei_mesh *mesh = f->mesh;
    uint32_t trunk = regions->trunk == GRAZE_NONE ? 0 : regions->trunk;
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        double p[3];
        if (regions->of_triangle[i / 3] != trunk)
            continue;
        grazei_position(regions->positions, mesh->triangles[i], p);
        grazei_along(p, -1, regions->items[trunk].centre, p);
        uu += grazei_dot(p, u) * grazei_dot(p, u);
        uv += grazei_dot(p, u) * grazei_dot(p, v);
        vv += grazei_dot(p, v) * grazei_dot(p, v);
    }
    /* The eigenvector of the larger eigenvalue of a symmetric 2 x 2 matrix. */
    double half = (uu - vv) / 2, root = sqrt(half * half + uv * uv);
    double x = half >= 0 ? half + root : uv, y = half >= 0 ? uv : root - half;
    if (!(fabs(x) + fabs(y) > 0))
        x = 1;
    for (int k = 0; k < 3; k++)
        axis[k] = x * u[k] + y * v[k];
    grazei_normalise(axis);
}

/* Which way along the axis things point, summed up: what names say, else a single limb. */
static double up_votes(const framer *f, bool by_name)
{
    const grazei_regions *regions = f->regions;
    double votes = 0;
    for (uint32_t i = 0; i < f->limb_count; i++) {
        const grazei_region *limb = &regions->items[f->limbs[i]];
        double d[3], weight = 0;
        grazei_along(limb->centre, -1, regions->items[regions->trunk].centre, d);
        double along = grazei_dot(d, regions->axis);
        if (by_name)
            weight = limb->hint == GRAZEI_HINT_HEAD                                    ? 4
                     : limb->hint == GRAZEI_HINT_TAIL || limb->hint == GRAZEI_HINT_LEG ? -1
                                                                                       : 0;
        else if (limb->side == GRAZEI_MIDDLE)
            weight = limb->area;
        votes += along > 0 ? weight : -weight;
    }
    return votes;
}

static void find_axis(framer *f)
{
    grazei_regions *regions = f->regions;
    double votes = 0;
    if (!axis_between_limbs(f, regions->axis))
        axis_of_trunk(f, regions->axis);
    if (regions->trunk != GRAZE_NONE) {
        votes = up_votes(f, true);
        votes = votes != 0 ? votes : up_votes(f, false);
    }
    /* Nobody says: y is up in most files, else z. */
    for (int k = 1; k < 3 && votes == 0; k++)
        if (fabs(regions->axis[k]) > 0.5)
            votes = regions->axis[k];
    for (int k = 0; k < 3 && votes < 0; k++)
        regions->axis[k] = -regions->axis[k];
}

/* ---- names ---------------------------------------------------------------------------------- */

static double along_axis(const grazei_regions *regions, const double p[3])
{
    double d[3];
    grazei_along(p, -1, regions->items[regions->trunk].centre, d);
    return grazei_dot(d, regions->axis);
}

/* The head: a single limb in the middle that points to the upper end; the one that is named so, or
 * the highest.
 */
static void find_head(framer *f)
{
    grazei_region *best = NULL;
    for (uint32_t i = 0; i < f->limb_count; i++) {
        grazei_region *limb = &f->regions->items[f->limbs[i]];
        bool named = limb->hint == GRAZEI_HINT_HEAD;
        if (limb->side != GRAZEI_MIDDLE || limb->hint == GRAZEI_HINT_TAIL ||
            along_axis(f->regions, limb->centre) <= 0)
            continue;
        if (!best || (named && best->hint != GRAZEI_HINT_HEAD) ||
            (named == (best->hint == GRAZEI_HINT_HEAD) &&
             along_axis(f->regions, limb->centre) > along_axis(f->regions, best->centre)))
            best = limb;
    }
    if (best)
        best->is_head = true;
}

static const char *letter_of(grazei_side side)
{
    return side == GRAZEI_LEFT ? ".L" : side == GRAZEI_RIGHT ? ".R" : "";
}

/* Whether limbs stand across the trunk, as a dog's do, not along it. */
static bool stands_on_all(const framer *f)
{
    uint32_t across = 0, all = 0;
    for (uint32_t i = 0; i < f->limb_count; i++) {
        const grazei_region *limb = &f->regions->items[f->limbs[i]];
        double d[3];
        grazei_along(limb->centre, -1, limb->attach, d);
        if (limb->partner == GRAZE_NONE || limb->is_minor || !grazei_normalise(d))
            continue;
        all++;
        across += fabs(grazei_dot(d, f->regions->axis)) < 0.6 &&
                  fabs(grazei_dot(d, f->regions->lateral)) < 0.7;
    }
    return all >= 4 && across == all;
}

/* Four limbs in two pairs are arms and legs, or legs in front and behind. */
static void name_limb(framer *f, grazei_region *limb, uint32_t number)
{
    const char *kind = NULL;
    uint32_t pairs = 0;
    double middle = 0; /* of where paired limbs hang */
    for (uint32_t i = 0; i < f->limb_count; i++) {
        const grazei_region *other = &f->regions->items[f->limbs[i]];
        if (other->partner == GRAZE_NONE || other->is_minor)
            continue;
        pairs++;
        middle += along_axis(f->regions, other->attach);
    }
    middle /= pairs ? pairs : 1;
    bool on_all = stands_on_all(f), high = along_axis(f->regions, limb->attach) > middle;
    if (limb->is_head)
        kind = "head";
    else if (limb->partner != GRAZE_NONE && !limb->is_minor && pairs == 4)
        kind = on_all && high ? "leg.front" : on_all ? "leg.back" : high ? "arm" : "leg";
    else if (limb->partner != GRAZE_NONE && limb->hint == GRAZEI_HINT_WING)
        kind = "wing";
    else if (limb->side == GRAZEI_MIDDLE &&
             (limb->hint == GRAZEI_HINT_TAIL || (!limb->hint && !high && !limb->is_minor)))
        kind = "tail";
    if (kind) {
        snprintf(limb->name, sizeof limb->name, "%s%s", kind, letter_of(limb->side));
        limb->hint = strncmp(kind, "leg", 3) == 0   ? GRAZEI_HINT_LEG
                     : strncmp(kind, "arm", 3) == 0 ? GRAZEI_HINT_ARM
                                                    : limb->hint;
    } else {
        snprintf(limb->name, sizeof limb->name, "limb.%u%s", number, letter_of(limb->side));
    }
}

/* A hand or foot after its limb, fingers by number. */
static void name_end(grazei_regions *regions, grazei_region *region, uint32_t number)
{
    const grazei_region *limb = region;
    while (limb->role != GRAZEI_ROLE_LIMB)
        limb = &regions->items[limb->parent];
    bool is_hand = limb->hint == GRAZEI_HINT_ARM;
    char name[GRAZEI_REGION_NAME];
    const char *from = strchr(limb->name, '.');
    memcpy(name, limb->name, sizeof name);
    if (region->role == GRAZEI_ROLE_FINGER)
        snprintf(region->name, sizeof region->name, "%s%.24s.%u", is_hand ? "finger" : "toe",
                 from ? name + (from - limb->name) : "", number);
    else
        snprintf(region->name, sizeof region->name, "%s%.24s", is_hand ? "hand" : "foot",
                 from ? name + (from - limb->name) : "");
}

/* Of equal names the second ends in #2. */
static void make_names_differ(grazei_regions *regions)
{
    for (uint32_t r = 0; r < regions->count; r++) {
        uint32_t same = 1;
        for (uint32_t k = 0; k < r; k++)
            same += strcmp(regions->items[k].name, regions->items[r].name) == 0;
        size_t length = strlen(regions->items[r].name);
        if (same > 1)
            snprintf(regions->items[r].name + length, GRAZEI_REGION_NAME - length, "#%u", same);
    }
}

static void name_all(framer *f)
{
    grazei_regions *regions = f->regions;
    if (regions->trunk == GRAZE_NONE)
        snprintf(regions->items[0].name, GRAZEI_REGION_NAME, "body");
    else
        snprintf(regions->items[regions->trunk].name, GRAZEI_REGION_NAME, "torso");
    for (uint32_t i = 0; i < f->limb_count; i++)
        name_limb(f, &regions->items[f->limbs[i]], i + 1);
    uint32_t number = 0, end = GRAZE_NONE;
    for (uint32_t r = 0; r < regions->count; r++) {
        grazei_region *region = &regions->items[r];
        if (region->role != GRAZEI_ROLE_END && region->role != GRAZEI_ROLE_FINGER)
            continue;
        number = region->parent == end ? number + 1 : 1;
        end = region->parent;
        region->side = regions->items[region->parent].side;
        name_end(regions, region, number);
    }
    make_names_differ(regions);
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool gather(framer *f)
{
    grazei_regions *regions = f->regions;
    uint32_t *used = GRAZEI_ALLOCATE_ZERO(regions->allocator, f->mesh->vertex_count, uint32_t);
    f->at = grazei_allocate(regions->allocator, f->mesh->vertex_count, sizeof *f->at);
    bool room = used && f->at;
    for (size_t i = 0; room && i < 3 * (size_t)f->mesh->triangle_count; i++)
        used[f->mesh->triangles[i]] = 1;
    for (uint32_t v = 0; room && v < f->mesh->vertex_count; v++)
        if (used[v])
            grazei_position(f->regions->positions, v, f->at[f->count++]);
    grazei_release(regions->allocator, used);
    for (uint32_t r = 0; r < regions->count; r++)
        if (regions->items[r].role == GRAZEI_ROLE_LIMB && regions->items[r].parent != GRAZE_NONE)
            f->limbs[f->limb_count++] = r;
    return room &&
           grazei_points_build(&f->points, (const double(*)[3])f->at, f->count, regions->allocator);
}

graze_status grazei_regions_orient(grazei_regions *regions, graze_error *error)
{
    framer *f = GRAZEI_ALLOCATE_ZERO(regions->allocator, 1, framer);
    if (!f)
        return grazei_fail_memory(error);
    f->regions = regions;
    f->mesh = &regions->model->mesh;
    measure_areas(regions);
    bool room = measure_attachments(regions) && gather(f);
    if (room) {
        measure_reach(regions);
        find_plane(f);
        find_partners(f);
        find_sides(f);
        find_axis(f);
        if (regions->trunk != GRAZE_NONE)
            find_head(f);
        if (!regions->is_named)
            name_all(f);
    }
    grazei_release(regions->allocator, f->at);
    grazei_release(regions->allocator, f->points.order);
    grazei_release(regions->allocator, f);
    return room ? GRAZE_OK : grazei_fail_memory(error);
}
