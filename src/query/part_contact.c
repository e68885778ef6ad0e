/* Parts of two bodies: Macagon & Wuensche 2003, section 3.2.
 *
 * Both sides are treated alike, and which comes first is decided by where they are, not by how they
 * were named: so exchanging them changes nothing but signs.
 */
#include "query/part_contact.h"

#include "base/status.h"
#include "body/patches.h"
#include "narrow/segment.h"

#include <math.h>

static d3 widen(const float v[3])
{
    return (d3){v[0], v[1], v[2]};
}

/* ---- level 1 -------------------------------------------------------------------------------- */

static void make_outer(const graze_capsule *volume, grazei_outer *made)
{
    graze_shape shape = graze_shape_capsule(volume->p, volume->q, volume->radius);
    grazei_shape_prepare(&made->shape, &shape, NULL);
    /* What rounding may take away of a distance, and more. */
    double magnitude = made->shape.radius;
    for (int k = 0; k < 3; k++)
        magnitude += fabs(made->shape.origin[k]) + fabs(made->shape.along[k]);
    made->shape.radius += 1e-12 * magnitude;
    made->overlaps = false;
}

static bool boxes_meet(const grazei_shape *a, const grazei_shape *b)
{
    for (int k = 0; k < 3; k++)
        if (a->origin[k] + a->low[k] > b->origin[k] + b->high[k] + 1e-9 * fabs(b->origin[k]) ||
            b->origin[k] + b->low[k] > a->origin[k] + a->high[k] + 1e-9 * fabs(a->origin[k]))
            return false;
    return true;
}

static bool outers_meet(const grazei_outer *a, const grazei_outer *b, graze_stats *stats)
{
    grazei_shape_contact unwanted;
    stats->bound_tests++;
    return boxes_meet(&a->shape, &b->shape) &&
           grazei_round_contact(&a->shape, &b->shape, &unwanted);
}

/* Which volumes of level 1 overlap one of the other side's. */
static bool compare_outers(graze_part_contacts *f, graze_stats *stats)
{
    uint32_t counts[2] = {f->sides[0]->fit->part_count, f->sides[1]->fit->part_count};
    grazei_outer *own[2] = {f->outers, f->outers + counts[0]};
    bool any = false;
    for (int s = 0; s < 2; s++)
        for (uint32_t v = 0; v < counts[s]; v++)
            make_outer(&f->sides[s]->volumes[v], &own[s][v]);
    for (uint32_t i = 0; i < counts[0]; i++)
        for (uint32_t j = 0; j < counts[1]; j++)
            if (outers_meet(&own[0][i], &own[1][j], stats))
                own[0][i].overlaps = own[1][j].overlaps = any = true;
    return any;
}

/* ---- level 2 -------------------------------------------------------------------------------- */

/* A graze_pair_fn. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    graze_part_contacts *f = user;
    const uint32_t *groups_a = f->sides[0]->fit->model->mesh.triangle_groups;
    const uint32_t *groups_b = f->sides[1]->fit->model->mesh.triangle_groups;
    for (size_t i = 0; i < count; i++) {
        graze_pair pair = pairs[i];
        grazei_part_meeting *m = grazei_part_meeting_of(f, groups_a[pair.a], groups_b[pair.b]);
        if (!m)
            return false;
        m->pairs++;
        if (pair.a < m->pair.a || (pair.a == m->pair.a && pair.b < m->pair.b))
            m->pair = pair;
    }
    return true;
}

static void load_triangle(const graze_posed_fit *side, uint32_t triangle, float corners[3][3],
                          d3 *normal, graze_stats *stats)
{
    const uint32_t *slot = side->fit->slots[triangle];
    const grazei_tree *tree = &side->fit->model->tree;
    grazei_posed_patch patch = grazei_body_patch(side->body, slot[0], stats);
    const uint8_t *local = tree->corners[tree->patches[slot[0]].first_triangle + slot[1]];
    for (int c = 0; c < 3; c++)
        memcpy(corners[c], patch.points[local[c]], sizeof corners[c]);
    d3 first = widen(corners[0]);
    *normal = d3_cross(d3_sub(widen(corners[1]), first), d3_sub(widen(corners[2]), first));
    double length = sqrt(d3_dot(*normal, *normal));
    *normal = length > 0 ? d3_scale(*normal, 1 / length) : (d3){0, 0, 0};
}

/* Where no ball gave a contact: the middle of where two triangles meet, and the way between their
 * normals.
 */
static void measure_triangles(const graze_part_contacts *f, grazei_part_meeting *m,
                              graze_stats *stats)
{
    float a[3][3], b[3][3];
    d3 normals[2];
    grazei_segment segment;
    load_triangle(f->sides[0], m->pair.a, a, &normals[0], stats);
    load_triangle(f->sides[1], m->pair.b, b, &normals[1], stats);
    if (!grazei_triangle_segment((const float(*)[3])a, (const float(*)[3])b, &segment))
        return;
    const double *e = segment.ends[0], *g = segment.ends[1];
    d3 way = d3_sub(normals[1], normals[0]);
    double length = sqrt(d3_dot(way, way));
    m->own.depth = 0;
    m->own.point = (d3){0.5 * (e[0] + g[0]), 0.5 * (e[1] + g[1]), 0.5 * (e[2] + g[2])};
    m->own.normal = length > 0 ? d3_scale(way, 1 / length) : normals[1];
}

/* ---- level 3 -------------------------------------------------------------------------------- */

/* Whether a volume of level 3 overlaps any of the other side's level 1 that matter. */
static bool reaches(const graze_part_contacts *f, const graze_capsule *volume, int other,
                    graze_stats *stats)
{
    const grazei_outer *outers = f->outers + (other ? f->sides[0]->fit->part_count : 0);
    grazei_outer own;
    make_outer(volume, &own);
    for (uint32_t j = 0; j < f->sides[other]->fit->part_count; j++)
        if (outers[j].overlaps && outers_meet(&own, &outers[j], stats))
            return true;
    return false;
}

/* Puts the volumes of one side into the field of the other: those of level 3, and of level 1 where
 * a part has none. A part with one volume alone is not asked twice whether it overlaps: its level 1
 * does (the shortcut of section 3.2).
 */
static void measure_side(graze_part_contacts *f, int side, const grazei_field *field)
{
    const graze_posed_fit *own = f->sides[side];
    const graze_fit *fit = own->fit;
    uint32_t groups = fit->model->mesh.group_count, count = graze_fit_volume_count(fit);
    const grazei_outer *outers = f->outers + (side ? f->sides[0]->fit->part_count : 0);
    if (!GRAZEI_PART_ROOM(f, flags, flag_capacity, groups)) {
        f->failed = true;
        return;
    }
    memset(f->flags, 0, groups);
    for (uint32_t v = 0; v < fit->part_count; v++)
        f->flags[fit->parts[v].volume.part] |= outers[v].overlaps;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t part = graze_fit_volume(fit, v).part, fine = fit->fine_counts[part];
        grazei_part_probe probe = {&own->volumes[v], side, part, v < fit->part_count};
        if (probe.coarse ? fine || !outers[v].overlaps : !f->flags[part])
            continue;
        if (fine <= 1 || reaches(f, probe.volume, !side, field->stats))
            grazei_part_measure(f, &probe, field);
    }
}

/* ---- the search ----------------------------------------------------------------------------- */

graze_status graze_part_contacts_find(graze_part_contacts *contacts, const graze_posed_fit *a,
                                      const graze_posed_fit *b, graze_stats *stats,
                                      graze_error *error)
{
    graze_part_contacts *f = contacts;
    graze_stats unwanted = {0};
    graze_status status = grazei_check_pointer(f, "contacts", error);
    if (status)
        return status;
    f->meeting_count = f->contact_count = 0;
    status = grazei_part_check(a, "a", error);
    if (!status)
        status = grazei_part_check(b, "b", error);
    if (!status)
        status = grazei_check_pair(a->body, b->body, error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    if (!grazei_part_start(f, a, b) ||
        !GRAZEI_PART_ROOM(f, outers, outer_capacity,
                          a->fit->part_count + (size_t)b->fit->part_count))
        return grazei_fail_memory(error);
    if (!compare_outers(f, stats))
        return GRAZE_OK;
    graze_collide(f->sides[0]->body, f->sides[1]->body, take_pairs, f, stats, NULL);
    for (int side = 0; side < 2 && !f->failed; side++) {
        const graze_posed_fit *other = f->sides[!side];
        grazei_field field = {.body = other->body, .closed = other->fit->closed, .stats = stats};
        measure_side(f, side, &field);
    }
    for (size_t i = 0; i < f->meeting_count && !f->failed; i++)
        if (!f->meetings[i].balls)
            measure_triangles(f, &f->meetings[i], stats);
    return grazei_part_finish(f, error);
}
