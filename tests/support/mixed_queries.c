/* Calls about one body and something simple, and about motions. */
#include "support/mixed_calls.h"

#include <graze/reference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rays ------------------------------------------------------------------------------------ */

/* A vertex of a triangle, in the present pose. */
static void find_vertex(mixed_world *w, mixed_body *b, float point[3])
{
    float *positions = malloc(3 * sizeof *positions * b->of->info.vertex_count);
    uint32_t corner = mixed_below(w, 3 * b->of->info.triangle_count);
    mixed_begin_reference(w);
    graze_body_get_positions(b->twin, positions);
    mixed_end_reference(w);
    memcpy(point, positions + 3 * (size_t)b->of->mesh.triangles[corner], 3 * sizeof *point);
    free(positions);
}

graze_ray mixed_ray(mixed_world *w, mixed_body *b)
{
    float from[3], to[3];
    uint32_t dice = mixed_below(w, 3);
    bool lattice = dice == 0;
    for (int k = 0; k < 3; k++) {
        from[k] = (float)mixed_range(w, -1.5, 1.5);
        to[k] = (float)mixed_range(w, -0.5, 0.5);
        if (lattice) {
            from[k] = roundf(8 * from[k]) / 8;
            to[k] = roundf(8 * to[k]) / 8;
        }
    }
    if (dice == 1)
        find_vertex(w, b, to);
    if (from[0] == to[0] && from[1] == to[1] && from[2] == to[2]) /* also zeros of either sign */
        from[0] -= 2;
    graze_ray ray = graze_ray_between(from, to);
    ray.t_max = mixed_below(w, 2) ? INFINITY : 1.5f;
    return ray;
}

/* All hits, sorted; *nearest is the one of the smallest t, of equal ones the lowest triangle. */
void mixed_expect_hits(mixed_world *w, mixed_body *b, const graze_ray *ray, answers *nearest)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_cast_brute(b->twin, ray, answers_take_hits, &w->expected, NULL, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
    const uint32_t *best = NULL;
    float best_t = 0;
    for (size_t i = 0; i < w->expected.count; i++) { /* sorted by triangle: the second word */
        const uint32_t *hit = w->expected.words + i * w->expected.width;
        float t;
        memcpy(&t, &hit[2], sizeof t);
        if (!best || t < best_t)
            best = hit, best_t = t;
    }
    graze_ray_hit none = {0};
    if (best)
        answers_put(nearest, best, w->expected.width);
    else
        answers_put_hit(nearest, &none);
}

static void do_cast(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_ray ray = mixed_ray(w, b);
    graze_ray_hit hit = {0};
    answers nearest = {0};
    uint32_t way = mixed_below(w, 3);
    mixed_step(w, "cast%s(%u)", way == 0 ? "" : way == 1 ? "_any" : "_all", b->number);
    mixed_clear(w);
    mixed_expect_hits(w, b, &ray, &nearest);
    if (way == 0) {
        MIXED_OK(graze_cast(b->body, &ray, &hit, NULL, NULL));
        answers_put_hit(&w->found, &hit);
        mixed_check(w, answers_equal(&nearest, &w->found, NULL), "the nearest hit differs");
    } else if (way == 1) {
        MIXED_OK(graze_cast_any(b->body, &ray, &hit, NULL, NULL));
        answers_put_hit(&w->found, &hit);
        mixed_check(w, hit.found == (w->expected.count > 0), "says %d, brute finds %zu hits",
                    hit.found, w->expected.count);
        mixed_check(w, !hit.found || answers_have(&w->expected, w->found.words, w->found.width),
                    "a hit is wrong");
    } else {
        MIXED_OK(graze_cast_all(b->body, &ray, answers_take_hits, &w->found, NULL, NULL));
        mixed_compare(w, "cast_all");
    }
    answers_free(&nearest);
}

static void do_cast_many(mixed_world *w)
{
    enum { MAX_RAYS = 70 };
    mixed_body *b = mixed_any_body(w);
    graze_ray rays[MAX_RAYS];
    graze_ray_hit hits[MAX_RAYS];
    answers nearest = {0};
    uint32_t count = 1 + mixed_below(w, mixed_below(w, 4) ? 4 : MAX_RAYS);
    mixed_step(w, "cast_many(%u), %u rays", b->number, count);
    for (uint32_t i = 0; i < count; i++) {
        rays[i] = mixed_ray(w, b);
        mixed_expect_hits(w, b, &rays[i], &nearest);
    }
    mixed_clear(w);
    MIXED_OK(graze_cast_many(b->body, rays, count, hits, NULL, NULL));
    answers_take_hits(&w->found, hits, count);
    mixed_check(w, answers_equal(&nearest, &w->found, NULL), "hits of many rays differ");
    answers_free(&nearest);
}

/* ---- shapes ---------------------------------------------------------------------------------- */

graze_shape mixed_shape(mixed_world *w, mixed_body *b)
{
    bool small = mixed_below(w, 2);
    const float most = small ? 0.01f : 0.5f;
    const float half[3] = {(float)mixed_range(w, 0, (double)most),
                           (float)mixed_range(w, 0, (double)most), 0.5f * most};
    const float turned[4] = {1, -2, 3, (float)mixed_range(w, 1, 7)};
    float p[3], q[3], normal[3];
    for (int k = 0; k < 3; k++) {
        p[k] = (float)mixed_range(w, -0.6, 0.6);
        q[k] = (float)mixed_range(w, -0.6, 0.6);
        normal[k] = (float)mixed_range(w, -1, 1);
    }
    if (small) { /* what it touches is one vertex: misses it if a bound does not hold that */
        find_vertex(w, b, p);
        memcpy(q, p, sizeof q);
    }
    float offset = normal[0] * p[0] + normal[1] * p[1] + normal[2] * p[2];
    const graze_half_space planes[3] = {
        {{1, 0, 0}, p[0] + half[0]}, {{-1, 0, 0}, half[0] - p[0]}, {{0, 1, 0.5f}, half[1]}};
    switch (mixed_below(w, 6)) {
    case 0:
        return graze_shape_sphere(p, 2 * half[0]);
    case 1:
        return graze_shape_capsule(p, q, half[1]);
    case 2:
        return graze_shape_box(p, half, mixed_below(w, 2) ? turned : NULL);
    case 3:
        return graze_shape_plane(normal, offset);
    case 4:
        return graze_shape_half_space(normal, offset);
    default:
        return graze_shape_frustum(planes, 3);
    }
}

void mixed_expect_touch(mixed_world *w, mixed_body *b, const graze_shape *shape)
{
    mixed_begin_reference(w);
    answers_clear(&w->expected);
    MIXED_OK(graze_touch_brute(b->twin, shape, answers_take_triangles, &w->expected, NULL, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

static void do_touch(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_shape shape = mixed_shape(w, b);
    bool first = mixed_below(w, 2), hit = false;
    uint32_t triangle = 0;
    mixed_step(w, "touch%s(%u), kind %d", first ? "_first" : "", b->number, (int)shape.kind);
    mixed_clear(w);
    mixed_expect_touch(w, b, &shape);
    if (!first) {
        MIXED_OK(graze_touch(b->body, &shape, answers_take_triangles, &w->found, NULL, NULL));
        mixed_compare(w, "touch");
        return;
    }
    MIXED_OK(graze_touch_first(b->body, &shape, &hit, &triangle, NULL, NULL));
    mixed_check(w, hit == (w->expected.count > 0), "says %d, brute finds %zu triangles", hit,
                w->expected.count);
    mixed_check(w, !hit || answers_have(&w->expected, &triangle, 1), "a triangle is wrong");
}

/* Many vertices one by one: each must be within all the bounds above it. */
static void do_touch_vertices(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    mixed_step(w, "touch(%u) at vertices", b->number);
    for (int i = 0; i < 24 && !w->failed; i++) {
        float point[3];
        find_vertex(w, b, point);
        graze_shape shape = graze_shape_sphere(point, 0);
        mixed_clear(w);
        mixed_expect_touch(w, b, &shape);
        MIXED_OK(graze_touch(b->body, &shape, answers_take_triangles, &w->found, NULL, NULL));
        mixed_compare(w, "touch at a vertex");
    }
}

static void do_classify(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_shape shape = mixed_shape(w, b);
    graze_side side = GRAZE_CROSSING;
    uint32_t depth = mixed_below(w, 2) ? UINT32_MAX : mixed_below(w, 3), all = 0;
    for (uint32_t t = 0; t < b->of->info.triangle_count; t++)
        all += mixed_takes(b, t);
    mixed_step(w, "classify(%u), kind %d, depth %u", b->number, (int)shape.kind, depth);
    mixed_expect_touch(w, b, &shape);
    MIXED_OK(graze_classify(b->body, &shape, depth, &side, NULL, NULL));
    mixed_check(w, side != GRAZE_OUTSIDE || w->expected.count == 0,
                "outside, but %zu triangles touch", w->expected.count);
    mixed_check(w, side != GRAZE_INSIDE || w->expected.count == all,
                "inside, but only %zu triangles touch", w->expected.count);
}

void mixed_point(mixed_world *w, mixed_body *b, float point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = (float)mixed_range(w, -0.6, 0.6);
    if (mixed_below(w, 3) == 0)
        find_vertex(w, b, point);
}

void mixed_expect_inside(mixed_world *w, mixed_body *b, const float point[3],
                         graze_point_side *inside)
{
    mixed_begin_reference(w);
    MIXED_OK(graze_point_inside_brute(b->twin, point, inside, NULL, NULL));
    mixed_end_reference(w);
}

static void do_point_inside(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_point_side expected, found;
    float point[3];
    mixed_point(w, b, point);
    mixed_step(w, "point_inside(%u)", b->number);
    mixed_clear(w);
    mixed_expect_inside(w, b, point, &expected);
    MIXED_OK(graze_point_inside(b->body, point, &found, NULL, NULL));
    answers_put_inside(&w->expected, &expected);
    answers_put_inside(&w->found, &found);
    mixed_compare(w, "point_inside");
}

/* ---- motions --------------------------------------------------------------------------------- */

mixed_motions mixed_make_motions(mixed_world *w)
{
    mixed_motions m = {.only_new = mixed_below(w, 2)};
    uint32_t a = mixed_below(w, MIXED_MODELS), b = mixed_below(w, MIXED_MODELS);
    for (uint32_t i = 0; i < 2; i++)
        m.a[i] = &w->bodies[2 * a + (mixed_below(w, 4) ? i : 0)];
    for (uint32_t i = 0; i < 2 && a != b; i++)
        m.b[i] = &w->bodies[2 * b + (mixed_below(w, 4) ? i : 0)];
    if (w->step_count + 3 <= MIXED_STEPS) { /* both ends have one mask, or are refused */
        mixed_copy_mask(w, m.a[1], m.a[0]);
        if (m.b[0])
            mixed_copy_mask(w, m.b[1], m.b[0]);
    } else {
        m.a[1] = m.a[0];
        m.b[1] = m.b[0];
    }
    m.motions[0] = (graze_motion){m.a[0]->body, m.a[1]->body};
    m.twins[0] = (graze_motion){m.a[0]->twin, m.a[1]->twin};
    if (m.b[0]) {
        m.motions[1] = (graze_motion){m.b[0]->body, m.b[1]->body};
        m.twins[1] = (graze_motion){m.b[0]->twin, m.b[1]->twin};
    }
    return m;
}

typedef struct earliest {
    answers *all;
    graze_impact *impact;
} earliest;

static bool take_earliest(void *user, const graze_impact *impacts, size_t count)
{
    earliest *e = user;
    for (size_t i = 0; i < count; i++)
        if (!e->impact->found || graze_impact_is_earlier(&impacts[i], e->impact))
            *e->impact = impacts[i];
    return answers_take_impacts(e->all, impacts, count);
}

void mixed_expect_impacts(mixed_world *w, const mixed_motions *m, graze_impact *impact)
{
    earliest e = {&w->expected, impact};
    mixed_begin_reference(w);
    *impact = (graze_impact){0};
    answers_clear(&w->expected);
    MIXED_OK(graze_sweep_brute(&m->twins[0], m->b[0] ? &m->twins[1] : NULL, m->only_new,
                               take_earliest, &e, NULL, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
}

void mixed_compare_impact(mixed_world *w, const graze_impact *expected, const graze_impact *found)
{
    mixed_clear(w);
    answers_put_impact(&w->expected, expected);
    answers_put_impact(&w->found, found);
    mixed_check(w, answers_equal(&w->expected, &w->found, NULL),
                "impact of %u and %u at %g, brute has %u and %u at %g", found->a, found->b,
                (double)found->time, expected->a, expected->b, (double)expected->time);
}

static void do_sweep(mixed_world *w)
{
    mixed_motions m = mixed_make_motions(w);
    const graze_motion *b = m.b[0] ? &m.motions[1] : NULL;
    graze_impact expected, found = {0};
    bool pairs = mixed_below(w, 2);
    mixed_step(w, "sweep%s(%u %u, %d %d), new %d", pairs ? "_pairs" : "", m.a[0]->number,
               m.a[1]->number, b ? (int)m.b[0]->number : -1, b ? (int)m.b[1]->number : -1,
               m.only_new);
    mixed_clear(w);
    mixed_expect_impacts(w, &m, &expected);
    if (pairs) {
        MIXED_OK(graze_sweep_pairs(&m.motions[0], b, m.only_new, answers_take_impacts, &w->found,
                                   NULL, NULL));
        mixed_compare(w, "sweep_pairs");
    } else {
        MIXED_OK(graze_sweep(&m.motions[0], b, m.only_new, &found, NULL, NULL));
        mixed_compare_impact(w, &expected, &found);
    }
}

/* ---- moving shapes --------------------------------------------------------------------------- */

/* Where a shape like that goes: moved a little or far, or not at all; a sphere also grows. */
static graze_shape mixed_moved(mixed_world *w, const graze_shape *from)
{
    graze_shape to = *from;
    double far = mixed_below(w, 2) ? 1 : 0.05;
    for (int k = 0; k < 3 && mixed_below(w, 8); k++) {
        float way = (float)mixed_range(w, -far, far);
        switch (to.kind) {
        case GRAZE_SPHERE:
            to.as.sphere.centre[k] += way;
            break;
        case GRAZE_CAPSULE:
            to.as.capsule.p[k] += way;
            to.as.capsule.q[k] += mixed_below(w, 2) ? way : 0;
            break;
        case GRAZE_BOX:
            to.as.box.centre[k] += way;
            break;
        default:
            to.as.plane.offset += way;
        }
    }
    if (to.kind == GRAZE_SPHERE && mixed_below(w, 2))
        to.as.sphere.radius *= 1.5f;
    return to;
}

typedef struct earliest_shape {
    answers *all;
    graze_shape_impact impact;
} earliest_shape;

static bool take_earliest_shape(void *user, const graze_shape_impact *impacts, size_t count)
{
    earliest_shape *e = user;
    for (size_t i = 0; i < count; i++)
        if (graze_shape_impact_is_earlier(&impacts[i], &e->impact))
            e->impact = impacts[i];
    return answers_take_shape_impacts(e->all, impacts, count);
}

static void do_sweep_shape(mixed_world *w)
{
    mixed_motions m = mixed_make_motions(w);
    graze_shape from = mixed_shape(w, m.a[0]);
    while (from.kind == GRAZE_PLANE || from.kind == GRAZE_FRUSTUM)
        from = mixed_shape(w, m.a[0]);
    graze_shape to = mixed_moved(w, &from);
    earliest_shape e = {&w->expected, {.found = false}};
    graze_shape_impact found = {0};
    bool all = mixed_below(w, 2);
    mixed_step(w, "sweep_shape%s(%u %u), kind %d, new %d", all ? "_all" : "", m.a[0]->number,
               m.a[1]->number, (int)from.kind, m.only_new);
    mixed_clear(w);
    mixed_begin_reference(w);
    MIXED_OK(graze_sweep_shape_brute(&m.twins[0], &from, &to, m.only_new, take_earliest_shape, &e,
                                     NULL, NULL));
    mixed_end_reference(w);
    if (all) {
        MIXED_OK(graze_sweep_shape_all(&m.motions[0], &from, &to, m.only_new,
                                       answers_take_shape_impacts, &w->found, NULL, NULL));
        mixed_compare(w, "sweep_shape_all");
        return;
    }
    MIXED_OK(graze_sweep_shape(&m.motions[0], &from, &to, m.only_new, &found, NULL, NULL));
    mixed_clear(w);
    answers_put_shape_impact(&w->expected, &e.impact);
    answers_put_shape_impact(&w->found, &found);
    mixed_check(w, answers_equal(&w->expected, &w->found, NULL),
                "impact of %u at %g (%d), brute has %u at %g (%d)", found.triangle,
                (double)found.time, found.initial, e.impact.triangle, (double)e.impact.time,
                e.impact.initial);
}

const mixed_call mixed_other_calls[] = {
    {3, do_cast},           {1, do_cast_many},   {2, do_touch},
    {6, do_touch_vertices}, {2, do_classify},    {2, do_point_inside},
    {2, do_sweep},          {2, do_sweep_shape}, {0, NULL}};
