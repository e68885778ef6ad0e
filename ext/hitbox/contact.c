/* Parts of two bodies: Macagon & Wuensche 2003, section 3.2.
 *
 * Both sides are treated alike, and which comes first is decided by where they are, not by how they
 * were named: so exchanging them changes nothing but signs.
 */
#include "hitbox/contact.h"

#include "base/status.h"
#include "body/patches.h"
#include "narrow/segment.h"
#include "parts/lists.h"

#include <math.h>

static d3 widen(const float v[3])
{
    return (d3){v[0], v[1], v[2]};
}

/* ---- outer -------------------------------------------------------------------------------- */

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

static uint32_t outer_count(const graze_posed_hitboxes *side)
{
    return side->hitboxes ? side->hitboxes->part_count : 0;
}

/* The outer hitboxes of a side in the finder's list. */
static grazei_outer *outers_of(const graze_hitbox_finder *f, int side)
{
    return f->outers + (side ? outer_count(f->sides[0]) : 0);
}

/* Which outer hitboxes of a side overlap the box of a body that has none itself. */
static bool compare_with_body(graze_hitbox_finder *f, int side, graze_stats *stats)
{
    grazei_outer *own = outers_of(f, side);
    grazei_bound box = grazei_body_box(f->sides[!side]->body, stats);
    bool any = false;
    for (uint32_t i = 0; i < outer_count(f->sides[side]); i++) {
        const grazei_shape *shape = &own[i].shape;
        stats->bound_tests++;
        own[i].overlaps = true;
        for (int k = 0; k < 3; k++) {
            double slack = 1e-9 * fabs(shape->origin[k]);
            own[i].overlaps &=
                shape->origin[k] + shape->low[k] <= (double)box.high[k] + slack &&
                -(double)box.low_negated[k] <= shape->origin[k] + shape->high[k] + slack;
        }
        any |= own[i].overlaps;
    }
    return any;
}

/* Which outer hitboxes overlap one of the other side's, or the other body where it has none. */
static bool compare_outers(graze_hitbox_finder *f, graze_stats *stats)
{
    uint32_t counts[2] = {outer_count(f->sides[0]), outer_count(f->sides[1])};
    grazei_outer *own[2] = {outers_of(f, 0), outers_of(f, 1)};
    bool any = false;
    for (int s = 0; s < 2; s++)
        for (uint32_t v = 0; v < counts[s]; v++)
            make_outer(&f->sides[s]->capsules[v], &own[s][v]);
    if (!f->sides[0]->hitboxes || !f->sides[1]->hitboxes)
        return compare_with_body(f, f->sides[0]->hitboxes ? 0 : 1, stats);
    for (uint32_t i = 0; i < counts[0]; i++)
        for (uint32_t j = 0; j < counts[1]; j++)
            if (outers_meet(&own[0][i], &own[1][j], stats))
                own[0][i].overlaps = own[1][j].overlaps = any = true;
    return any;
}

/* ---- triangles --------------------------------------------------------------------------------
 */

/* Where pairs of triangles go. */
static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    graze_hitbox_finder *f = user;
    const uint32_t *groups_a = grazei_body_mesh(f->sides[0]->body)->triangle_parts;
    const uint32_t *groups_b = grazei_body_mesh(f->sides[1]->body)->triangle_parts;
    for (size_t i = 0; i < count; i++) {
        graze_pair pair = pairs[i];
        grazei_part_meeting *m = grazei_part_meeting_of(f, groups_a[pair.a], groups_b[pair.b]);
        if (!m)
            return false;
        m->pair_count++;
        if (pair.a < m->pair.a || (pair.a == m->pair.a && pair.b < m->pair.b))
            m->pair = pair;
    }
    return true;
}

static void load_triangle(const graze_posed_hitboxes *side, uint32_t triangle, float corners[3][3],
                          d3 *normal)
{
    const grazei_mesh *mesh = grazei_body_mesh(side->body);
    graze_body_get_vertices(side->body, mesh->triangles + 3 * (size_t)triangle, 3, corners[0],
                            NULL);
    d3 first = widen(corners[0]);
    *normal = d3_cross(d3_sub(widen(corners[1]), first), d3_sub(widen(corners[2]), first));
    double length = sqrt(d3_dot(*normal, *normal));
    *normal = length > 0 ? d3_scale(*normal, 1 / length) : (d3){0, 0, 0};
}

/* Where no ball gave a contact: the middle of where two triangles meet, and the way between their
 * normals.
 */
static void measure_triangles(const graze_hitbox_finder *f, grazei_part_meeting *m)
{
    float a[3][3], b[3][3];
    d3 normals[2];
    grazei_segment segment;
    load_triangle(f->sides[0], m->pair.a, a, &normals[0]);
    load_triangle(f->sides[1], m->pair.b, b, &normals[1]);
    if (!grazei_triangle_segment((const float(*)[3])a, (const float(*)[3])b, &segment))
        return;
    const double *e = segment.ends[0], *g = segment.ends[1];
    d3 way = d3_sub(normals[1], normals[0]);
    double length = sqrt(d3_dot(way, way));
    m->own.depth = 0;
    m->own.point = (d3){0.5 * (e[0] + g[0]), 0.5 * (e[1] + g[1]), 0.5 * (e[2] + g[2])};
    m->own.normal = length > 0 ? d3_scale(way, 1 / length) : normals[1];
}

/* ---- inner -------------------------------------------------------------------------------- */

/* Whether an inner hitbox overlaps any of the other side's outer ones that matter, if it has any.
 */
static bool reaches(const graze_hitbox_finder *f, const graze_capsule *volume, int other,
                    graze_stats *stats)
{
    const grazei_outer *outers = outers_of(f, other);
    grazei_outer own;
    if (!f->sides[other]->hitboxes)
        return true;
    make_outer(volume, &own);
    for (uint32_t j = 0; j < outer_count(f->sides[other]); j++)
        if (outers[j].overlaps && outers_meet(&own, &outers[j], stats))
            return true;
    return false;
}

/* Puts the volumes of one side into the field of the other: inner ones, and the outer one where
 * a part has none. A part with one inner one is not asked twice whether it overlaps: its outer one
 * does (the shortcut of section 3.2).
 */
static void measure_side(graze_hitbox_finder *f, int side, const grazei_field *field)
{
    const graze_posed_hitboxes *own = f->sides[side];
    const graze_hitboxes *fit = own->hitboxes;
    uint32_t groups = fit->model->mesh.part_count, count = graze_hitboxes_count(fit, NULL);
    const grazei_outer *outers = outers_of(f, side);
    if (!GRAZEI_PART_ROOM(f, flags, flag_capacity, groups)) {
        f->failed = true;
        return;
    }
    memset(f->flags, 0, groups);
    for (uint32_t v = 0; v < fit->part_count; v++)
        f->flags[fit->parts[v].volume.part] |= outers[v].overlaps;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t part = graze_hitboxes_get(fit, v).part, fine = fit->fine_counts[part];
        grazei_part_probe probe = {&own->capsules[v], side, part, v < fit->part_count};
        if (probe.coarse ? fine || !outers[v].overlaps : !f->flags[part])
            continue;
        if (fine <= 1 || reaches(f, probe.volume, !side, field->stats))
            grazei_part_measure(f, &probe, field);
    }
}

/* ---- the search ----------------------------------------------------------------------------- */

graze_status graze_hitbox_contacts(graze_hitbox_finder *finder, const graze_posed_hitboxes *a,
                                   const graze_posed_hitboxes *b, graze_contact_list *contacts,
                                   const graze_options *options, graze_error *error)
{
    graze_hitbox_finder *f = finder;
    graze_stats unwanted = {0};
    graze_stats *stats = options && options->stats ? options->stats : &unwanted;
    graze_status status = grazei_start_contacts(contacts, error);
    if (!status)
        status = grazei_check_pointer(f, "the finder", error);
    if (!status)
        status = grazei_check_lazy_options(options, error);
    bool mesh[2] = {a && !a->hitboxes, b && !b->hitboxes};
    if (!status && mesh[0] && mesh[1])
        status = grazei_fail(error, GRAZE_BAD_INPUT, "neither body has hitboxes");
    if (!status)
        status = mesh[0] ? grazei_check_body(a->body, "the body", error)
                         : grazei_part_check(a, "a", error);
    if (!status)
        status = mesh[1] ? grazei_check_body(b->body, "the body", error)
                         : grazei_part_check(b, "b", error);
    if (!status)
        status = grazei_check_pair(a->body, b->body, error);
    if (status)
        return status;
    if (!grazei_part_start(f, a, b) ||
        !GRAZEI_PART_ROOM(f, outers, outer_capacity, outer_count(a) + (size_t)outer_count(b)))
        return grazei_fail_memory(error);
    if (!compare_outers(f, stats))
        return GRAZE_OK;
    graze_pair_list found = {.report = take_pairs, .user = f};
    const graze_options counted = {.stats = stats};
    status = graze_pairs(f->sides[0]->body, f->sides[1]->body, &found, &counted, error);
    if (status)
        return status;
    for (int side = 0; side < 2 && !f->failed; side++) {
        const graze_posed_hitboxes *other = f->sides[!side];
        grazei_field field = {.body = other->body,
                              .closed = other->hitboxes && other->hitboxes->closed,
                              .stats = stats};
        if (f->sides[side]->hitboxes)
            measure_side(f, side, &field);
    }
    for (size_t i = 0; i < f->meeting_count && !f->failed; i++)
        if (!f->meetings[i].balls)
            measure_triangles(f, &f->meetings[i]);
    return grazei_part_finish(f, contacts, error);
}
