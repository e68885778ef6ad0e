#include "support/world_judge.h"

#include "body/bounds.h"
#include "body/mask.h"
#include "harness.h"
#include "support/answers.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/solids.h"
#include "world/world.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void judge_find_box(judge_thing *thing)
{
    thing->box = grazei_body_box(thing->body, &(graze_stats){0});
}

/* ---- boxes ---- */

static double box_side(const judge_thing *t, int k, bool high)
{
    const graze_shape *shape = &t->shape;
    double sign = high ? 1 : -1, reach = 0;
    if (t->body)
        return high ? t->box.high[k] : -t->box.low_negated[k];
    if (shape->kind == GRAZE_SPHERE)
        return shape->as.sphere.centre[k] + sign * shape->as.sphere.radius;
    if (shape->kind == GRAZE_CAPSULE)
        return (high ? fmax(shape->as.capsule.p[k], shape->as.capsule.q[k])
                     : fmin(shape->as.capsule.p[k], shape->as.capsule.q[k])) +
               sign * shape->as.capsule.radius;
    for (int i = 0; i < 3; i++)
        reach += fabs((double)shape->as.box.axes[i][k]) * shape->as.box.half[i];
    return shape->as.box.centre[k] + sign * reach;
}

/* How far apart boxes are along the axis that keeps them apart most; not positive: they overlap. */
static double boxes_apart(const judge_thing *a, const judge_thing *b)
{
    double apart = -INFINITY;
    for (int k = 0; k < 3; k++)
        apart = fmax(apart, fmax(box_side(a, k, false) - box_side(b, k, true),
                                 box_side(b, k, false) - box_side(a, k, true)));
    return apart;
}

static bool is_half_space(const judge_thing *t)
{
    return !t->body && t->shape.kind == GRAZE_HALF_SPACE;
}

/* How far the nearest corner of a box is outside a half-space, times the length of its normal. */
static double box_outside(const judge_thing *half_space, const judge_thing *t)
{
    const graze_half_space *h = &half_space->shape.as.plane;
    double sum = -(double)h->offset;
    for (int k = 0; k < 3; k++)
        sum += h->normal[k] * box_side(t, k, h->normal[k] < 0);
    return sum;
}

static bool boxes_meet(const judge_thing *a, const judge_thing *b)
{
    return (is_half_space(a) && is_half_space(b) ? -1
            : is_half_space(a)                   ? box_outside(a, b)
            : is_half_space(b)                   ? box_outside(b, a)
                                                 : boxes_apart(a, b)) <= 0;
}

/* ---- two shapes ---- */

/* The surface of a box as a body. */
static graze_body *box_body(const graze_box *box)
{
    const double low[3] = {-box->half[0], -box->half[1], -box->half[2]};
    const double high[3] = {box->half[0], box->half[1], box->half[2]};
    OWN(solid) s = {0};
    OWN(graze_model) *model = NULL;
    solid_add_box(&s, low, high, 1);
    graze_body *body = solid_body(&s, NULL, &model);
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = box->centre[k];
            for (int i = 0; i < 3; i++)
                at[k] += s.positions[3 * v + i] * (double)box->axes[i][k];
        }
        for (int k = 0; k < 3; k++)
            s.positions[3 * v + k] = (float)at[k];
    }
    CHECK(graze_body_set_positions(body, s.positions, 0, s.vertex_count, NULL) == GRAZE_OK);
    return body;
}

static bool is_in_box(const graze_box *box, const float point[3])
{
    for (int i = 0; i < 3; i++) {
        double along = 0;
        for (int k = 0; k < 3; k++)
            along += box->axes[i][k] * ((double)point[k] - box->centre[k]);
        if (fabs(along) > box->half[i])
            return false;
    }
    return true;
}

static bool box_meets(const graze_shape *box, const graze_shape *other)
{
    graze_body *body = box_body(&box->as.box);
    bool hit = test_touches(body, other, NULL);
    graze_body_destroy(body);
    if (other->kind == GRAZE_BOX)
        hit |= is_in_box(&other->as.box, box->as.box.centre);
    const float *inner = other->kind == GRAZE_SPHERE    ? other->as.sphere.centre
                         : other->kind == GRAZE_CAPSULE ? other->as.capsule.p
                                                        : other->as.box.centre;
    return hit || (other->kind != GRAZE_HALF_SPACE && is_in_box(&box->as.box, inner));
}

static bool ball_is_below(const graze_half_space *h, const float centre[3], double radius)
{
    double sum = -(double)h->offset, squares = 0;
    for (int k = 0; k < 3; k++) {
        sum += (double)h->normal[k] * centre[k];
        squares += (double)h->normal[k] * h->normal[k];
    }
    return sum / sqrt(squares) <= radius;
}

bool judge_shapes_meet(const graze_shape *a, const graze_shape *b)
{
    bool hit = false;
    if (a->kind == GRAZE_BOX || b->kind == GRAZE_BOX)
        return a->kind == GRAZE_BOX ? box_meets(a, b) : box_meets(b, a);
    if (a->kind == GRAZE_HALF_SPACE && b->kind == GRAZE_HALF_SPACE)
        return true; /* of random ones none are parallel */
    if (b->kind == GRAZE_HALF_SPACE)
        return judge_shapes_meet(b, a);
    if (a->kind == GRAZE_HALF_SPACE && b->kind == GRAZE_SPHERE)
        return ball_is_below(&a->as.plane, b->as.sphere.centre, b->as.sphere.radius);
    if (a->kind == GRAZE_HALF_SPACE)
        return ball_is_below(&a->as.plane, b->as.capsule.p, b->as.capsule.radius) ||
               ball_is_below(&a->as.plane, b->as.capsule.q, b->as.capsule.radius);
    CHECK(graze_shapes_contact(a, b, &hit, NULL, NULL) == GRAZE_OK);
    return hit;
}

/* ---- parts ---- */

static void expect_part(meeting *m, uint32_t a, uint32_t b)
{
    uint32_t at = 0;
    while (at < m->part_count &&
           (m->parts[at].a < a || (m->parts[at].a == a && m->parts[at].b < b)))
        at++;
    if (at < m->part_count && m->parts[at].a == a && m->parts[at].b == b)
        return;
    if (m->part_count == JUDGE_PARTS)
        abort();
    memmove(&m->parts[at + 1], &m->parts[at], (m->part_count - at) * sizeof *m->parts);
    m->parts[at] = (graze_pair){.a = a, .b = b};
    m->part_count++;
}

/* Contacts of a shape with triangles or volumes, to be combined. */
typedef struct touch {
    graze_pair parts;
    graze_contact contact; /* the first leaves the second; a triangle is the first of the two */
} touch;

typedef struct touch_list {
    uint32_t count;
    touch items[JUDGE_TOUCHES];
} touch_list;

static void add_touch(touch_list *list, graze_pair parts, const graze_contact *contact, bool turned)
{
    if (list->count == JUDGE_TOUCHES)
        abort();
    touch *put = &list->items[list->count++];
    *put = (touch){parts, *contact};
    for (int k = 0; k < 3 && turned; k++)
        put->contact.normal[k] = 0 - put->contact.normal[k];
}

static int compare_touches(const void *left, const void *right)
{
    const touch *x = left, *y = right;
    if (x->parts.a != y->parts.a)
        return x->parts.a < y->parts.a ? -1 : 1;
    if (x->parts.b != y->parts.b)
        return x->parts.b < y->parts.b ? -1 : 1;
    uint32_t s = x->contact.triangles[0], t = y->contact.triangles[0];
    return s < t ? -1 : s > t;
}

/* side: whose triangles they have, or -1. */
static void combine_touches(touch_list *list, int side, meeting *m)
{
    static graze_contact group[JUDGE_TOUCHES];
    qsort(list->items, list->count, sizeof *list->items, compare_touches);
    for (uint32_t i = 0, n = 0; i < list->count; i++) {
        const touch *t = &list->items[i];
        group[n++] = t->contact;
        if (i + 1 < list->count && !memcmp(&t->parts, &t[1].parts, sizeof t->parts))
            continue;
        graze_contact all;
        graze_combine_contacts(group, n, &all);
        graze_contact *c = &m->contacts[m->contact_count++];
        *c = (graze_contact){.depth = all.depth,
                             .parts = {t->parts.a, t->parts.b},
                             .triangles = {UINT32_MAX, UINT32_MAX},
                             .pair_count = all.pair_count};
        memcpy(c->point, all.point, sizeof c->point);
        memcpy(c->normal, all.normal, sizeof c->normal);
        if (side >= 0)
            c->triangles[side] = all.triangles[0];
        n = 0;
    }
}

/* ---- triangles ---- */

static bool longer(const graze_contact_segment *x, const graze_contact_segment *y)
{
    double squares[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        float dx = x->ends[1][k] - x->ends[0][k], dy = y->ends[1][k] - y->ends[0][k];
        squares[0] += dx * dx;
        squares[1] += dy * dy;
    }
    return squares[0] > squares[1];
}

/* By a finder that is made for it. */
static void expect_pieces(graze_body *a, graze_body *b, meeting *m)
{
    graze_contact_finder_def def = {0};
    OWN(contact_set) found = {0};
    size_t count;
    def.split_by_part = true;
    contact_set_open(&found, graze_body_model(a), graze_body_model(b), &def);
    CHECK(contact_set_find(&found, a, b, NULL, NULL) == GRAZE_OK);
    const graze_contact_segment *segments = graze_contact_segments(found.finder, &count);
    for (size_t i = 0; i < found.count; i++) {
        const graze_contact *from = &found.contacts[i];
        const uint32_t first = found.details[i].first_segment;
        const graze_contact_segment *best = &segments[first];
        for (uint32_t s = first; s < first + from->pair_count; s++)
            best = longer(&segments[s], best) ? &segments[s] : best;
        if (m->contact_count == JUDGE_CONTACTS)
            abort();
        graze_contact *c = &m->contacts[m->contact_count++];
        *c = (graze_contact){.depth = from->depth,
                             .parts = {from->parts[0], from->parts[1]},
                             .triangles = {best->a, best->b},
                             .pair_count = from->pair_count};
        memcpy(c->point, from->point, sizeof c->point);
        memcpy(c->normal, from->normal, sizeof c->normal);
    }
}

static void expect_bodies(graze_body *a, graze_body *b, bool contacts, meeting *m)
{
    pair_set set = {0};
    CHECK(graze_pairs(a, b, TO_PAIR_SET(&set), &(graze_options){.method = GRAZE_BRUTE}, NULL) ==
          GRAZE_OK);
    m->pairs = set.count;
    for (size_t i = 0; i < set.count; i++)
        expect_part(m, graze_model_triangle_part(graze_body_model(a), set.pairs[i].a),
                    graze_model_triangle_part(graze_body_model(b), set.pairs[i].b));
    pair_set_free(&set);
    if (contacts && m->pairs)
        expect_pieces(a, b, m);
}

/* The shape stands for a part of the other thing; turned: which is the first. */
static void expect_touch(graze_body *body, const graze_shape *shape, uint32_t part, bool turned,
                         touch_list *touches, meeting *m)
{
    static graze_contact contacts[JUDGE_TOUCHES];
    graze_contact_list list = {.items = contacts, .capacity = JUDGE_TOUCHES};
    OWN(answers) found = {0};
    CHECK(graze_touch(body, shape, TRIANGLES_TO(&found), &(graze_options){.method = GRAZE_BRUTE},
                      NULL) == GRAZE_OK);
    m->pairs += found.count;
    for (size_t i = 0; i < found.count; i++) {
        uint32_t group = graze_model_triangle_part(graze_body_model(body), found.words[i]);
        expect_part(m, turned ? part : group, turned ? group : part);
    }
    if (touches) {
        CHECK(graze_touch_contacts(body, shape, &list, NULL, NULL) == GRAZE_OK);
        CHECK(list.count == found.count && list.total == found.count);
    }
    for (size_t i = 0; i < list.count; i++) {
        uint32_t own = contacts[i].parts[0];
        graze_pair parts = {.a = turned ? part : own, .b = turned ? own : part};
        add_touch(touches, parts, &contacts[i], turned);
    }
}

/* ---- volumes ---- */

enum { MAX_VOLUMES = 64 };

/* The volumes that stand for a thing at the level of parts, those of masked parts left out; false
 * for a body without a fit.
 */
static bool volumes_of(const judge_thing *t, graze_shape *shapes, uint32_t *parts, uint32_t *count)
{
    graze_capsule capsules[MAX_VOLUMES];
    *count = 0;
    if (!t->body) {
        shapes[0] = t->shape;
        parts[(*count)++] = 0;
        return true;
    }
    if (!t->fit)
        return false;
    CHECK(graze_hitboxes_pose(t->fit, t->body, capsules, MAX_VOLUMES, NULL) == GRAZE_OK);
    const graze_capsule *volumes = t->volumes ? t->volumes : capsules;
    uint32_t outer;
    graze_hitboxes_count(t->fit, &outer);
    for (uint32_t i = 0; i < outer; i++) {
        uint32_t part = graze_hitboxes_get(t->fit, i).part;
        const uint32_t *mask = grazei_body_mask(t->body);
        bool takes_part = !mask || grazei_mask_has(mask, part);
        if (!takes_part)
            continue;
        shapes[*count] = graze_shape_capsule(volumes[i].p, volumes[i].q, volumes[i].radius);
        parts[(*count)++] = part;
    }
    return true;
}

static void expect_volumes(const judge_thing *a, const judge_thing *b, touch_list *touches,
                           int *side, meeting *m)
{
    static graze_shape shapes[2][MAX_VOLUMES];
    static uint32_t parts[2][MAX_VOLUMES];
    uint32_t counts[2];
    bool volumes[2] = {volumes_of(a, shapes[0], parts[0], &counts[0]),
                       volumes_of(b, shapes[1], parts[1], &counts[1])};
    if (volumes[0] && volumes[1]) {
        for (uint32_t i = 0; i < counts[0]; i++)
            for (uint32_t j = 0; j < counts[1]; j++) {
                graze_contact contact;
                graze_pair pair = {.a = parts[0][i], .b = parts[1][j]};
                if (!judge_shapes_meet(&shapes[0][i], &shapes[1][j]))
                    continue;
                expect_part(m, pair.a, pair.b);
                if (touches && grazei_shapes_contact(&shapes[0][i], &shapes[1][j], &contact))
                    add_touch(touches, pair, &contact, false);
            }
        return;
    }
    int plain = volumes[1] ? 0 : 1; /* whose triangles count */
    *side = plain;
    for (uint32_t i = 0; i < counts[!plain]; i++)
        expect_touch(plain ? b->body : a->body, &shapes[!plain][i], parts[!plain][i], plain,
                     touches, m);
}

/* ---- inside ---- */

static bool point_is_inside(graze_body *body, const float point[3])
{
    graze_point_side side;
    CHECK(graze_inside(body, point, &side, &(graze_options){.method = GRAZE_BRUTE}, NULL) ==
          GRAZE_OK);
    return side.inside;
}

/* Any corner of the inner one, or a shape's centre. */
static bool is_inside(const judge_thing *inner, const judge_thing *outer)
{
    const graze_shape *shape = &inner->shape;
    if (!outer->solid || !outer->body || grazei_body_is_masked(outer->body))
        return false;
    if (!inner->body)
        return shape->kind != GRAZE_HALF_SPACE &&
               point_is_inside(outer->body, shape->kind == GRAZE_SPHERE    ? shape->as.sphere.centre
                                            : shape->kind == GRAZE_CAPSULE ? shape->as.capsule.p
                                                                           : shape->as.box.centre);
    const grazei_mesh *mesh = grazei_body_mesh(inner->body);
    OWNED float *positions = malloc(3 * sizeof *positions * mesh->vertex_count);
    bool inside = false;
    if (!positions)
        abort();
    graze_body_get_positions(inner->body, positions);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count && !inside; i++)
        if (grazei_body_takes(inner->body, i / 3))
            inside = point_is_inside(outer->body, positions + 3 * (size_t)mesh->triangles[i]);
    return inside;
}

/* ---- all of it ---- */

void judge_meeting(const judge_thing *a, const judge_thing *b, graze_level level, bool contacts,
                   meeting *m)
{
    static touch_list list;
    touch_list *touches = contacts ? &list : NULL;
    int side = -1;
    list.count = 0;
    m->meets = m->inside = false;
    m->pairs = m->part_count = m->contact_count = 0;
    if (level == GRAZE_LEVEL_IGNORE || !boxes_meet(a, b))
        return;
    if (level == GRAZE_LEVEL_BOUNDS) {
        m->meets = true;
        return;
    }
    bool plain = (!a->body || !a->fit) && (!b->body || !b->fit);
    if (!a->body && !b->body) {
        expect_volumes(a, b, touches, &side, m);
    } else if (level == GRAZE_LEVEL_HITBOXES && !plain) {
        expect_volumes(a, b, touches, &side, m);
    } else if (a->body && b->body) {
        expect_bodies(a->body, b->body, contacts, m);
    } else {
        side = !a->body;
        expect_touch(a->body ? a->body : b->body, a->body ? &b->shape : &a->shape, 0, !a->body,
                     touches, m);
    }
    combine_touches(&list, side, m);
    m->pairs = level == GRAZE_LEVEL_EXACT ? m->pairs : 0;
    m->inside = !m->part_count && (is_inside(a, b) || is_inside(b, a));
    m->meets = m->part_count || m->inside;
}

static bool near(const float x[3], const float y[3], float tolerance)
{
    for (int k = 0; k < 3; k++)
        if (!(fabsf(x[k] - y[k]) <= tolerance))
            return false;
    return true;
}

static bool same_contact(const graze_contact *x, const graze_contact *y)
{
    return !memcmp(x, y, sizeof *x);
}

/* A finder that has the bodies the other way round rounds differently, and may find pieces of one
 * pair of parts in another order.
 */
static bool has_contact(const meeting *m, const graze_contact *contact)
{
    for (uint32_t i = 0; i < m->contact_count; i++) {
        const graze_contact *c = &m->contacts[i];
        if (!memcmp(&c->parts, &contact->parts, sizeof c->parts) &&
            near(c->point, contact->point, 1e-4f) && near(c->normal, contact->normal, 1e-3f) &&
            fabsf(c->depth - contact->depth) <= 1e-3f)
            return true;
    }
    return false;
}

bool judge_agrees(const graze_world_event *event, const meeting *m)
{
    if (event->pair_count != m->pairs || event->part_count != m->part_count ||
        event->inside != m->inside || event->contact_count != m->contact_count ||
        (m->part_count && memcmp(event->parts, m->parts, m->part_count * sizeof *m->parts)))
        return false;
    for (uint32_t i = 0; i < m->contact_count; i++) {
        const graze_contact *c = &event->contacts[i];
        bool two_bodies = c->triangles[0] != UINT32_MAX && c->triangles[1] != UINT32_MAX;
        if (!(two_bodies ? has_contact(m, c) : same_contact(c, &m->contacts[i])))
            return false;
    }
    return true;
}

bool judge_same(const graze_world_event *x, const graze_world_event *y)
{
    return x->kind == y->kind && x->level == y->level && x->motion == y->motion &&
           x->time == y->time && x->capped == y->capped && x->inside == y->inside &&
           x->pair_count == y->pair_count && x->part_count == y->part_count &&
           x->contact_count == y->contact_count &&
           (!x->part_count || !memcmp(x->parts, y->parts, x->part_count * sizeof *x->parts)) &&
           (!x->contact_count ||
            !memcmp(x->contacts, y->contacts, x->contact_count * sizeof *x->contacts));
}
