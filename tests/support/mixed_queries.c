/* Calls about one body and something simple, and about motions. */
#include "support/mixed_calls.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rays ------------------------------------------------------------------------------------ */

/* A vertex of a triangle, in the present pose. */
static void find_vertex(mixed_world *w, mixed_body *b, float point[3])
{
    OWNED float *positions = malloc(3 * sizeof *positions * b->of->info.vertex_count);
    uint32_t corner = mixed_below(w, 3 * b->of->info.triangle_count);
    mixed_begin_reference(w);
    graze_body_get_positions(b->twin, positions);
    mixed_end_reference(w);
    memcpy(point, positions + 3 * (size_t)b->of->mesh.triangles[corner], 3 * sizeof *point);
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

static void do_cast_many(mixed_world *w)
{
    enum { MAX_RAYS = 70 };
    mixed_body *b = mixed_any_body(w);
    graze_ray rays[MAX_RAYS];
    graze_hit hits[MAX_RAYS];
    uint32_t count = 1 + mixed_below(w, mixed_below(w, 4) ? 4 : MAX_RAYS);
    mixed_step(w, "cast_many(%u), %u rays", b->number, count);
    for (uint32_t i = 0; i < count; i++)
        rays[i] = mixed_ray(w, b);
    mixed_clear(w);
    mixed_begin_reference(w);
    for (uint32_t i = 0; i < count; i++) {
        MIXED_OK(
            graze_cast(b->twin, &rays[i], &hits[i], &(graze_options){.method = GRAZE_BRUTE}, NULL));
        answers_put_hit(&w->expected, &hits[i]);
    }
    mixed_end_reference(w);
    MIXED_OK(graze_cast_many(b->body, rays, count, hits, NULL, NULL));
    answers_take_hits(&w->found, hits, count);
    mixed_check(w, answers_equal(&w->expected, &w->found, NULL), "hits of many rays differ");
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
    MIXED_OK(graze_touch(b->twin, shape, TRIANGLES_TO(&w->expected),
                         &(graze_options){.method = GRAZE_BRUTE}, NULL));
    answers_sort(&w->expected);
    mixed_end_reference(w);
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
        MIXED_OK(graze_touch(b->body, &shape, TRIANGLES_TO(&w->found), NULL, NULL));
        mixed_compare(w, "touch at a vertex");
    }
}

static void do_cull(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    graze_shape shape = mixed_shape(w, b);
    graze_side side = GRAZE_CROSSING;
    uint32_t depth = mixed_below(w, 2) ? UINT32_MAX : mixed_below(w, 3), all = 0;
    for (uint32_t t = 0; t < b->of->info.triangle_count; t++)
        all += mixed_takes(b, t);
    mixed_step(w, "cull(%u), kind %d, depth %u", b->number, (int)shape.kind, depth);
    mixed_expect_touch(w, b, &shape);
    MIXED_OK(graze_cull(b->body, &shape, depth, &side, NULL, NULL));
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

/* ---- motions --------------------------------------------------------------------------------- */

mixed_motions mixed_make_motions(mixed_world *w)
{
    mixed_motions m = {.b = {NULL}};
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
    m.motions[0] = (graze_motion){.start = m.a[0]->body, .end = m.a[1]->body};
    m.twins[0] = (graze_motion){.start = m.a[0]->twin, .end = m.a[1]->twin};
    if (m.b[0]) {
        m.motions[1] = (graze_motion){.start = m.b[0]->body, .end = m.b[1]->body};
        m.twins[1] = (graze_motion){.start = m.b[0]->twin, .end = m.b[1]->twin};
    }
    return m;
}

graze_shape mixed_moved(mixed_world *w, const graze_shape *from)
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

static void do_cast(mixed_world *w)
{
    mixed_ask_at_once(w, mixed_below(w, 2) ? MIXED_CAST : MIXED_CAST_ALL);
}

static void do_touch(mixed_world *w)
{
    mixed_ask_at_once(w, MIXED_TOUCH);
}

static void do_inside(mixed_world *w)
{
    mixed_ask_at_once(w, MIXED_INSIDE);
}

static void do_sweep(mixed_world *w)
{
    mixed_ask_at_once(w, MIXED_SWEEP + mixed_below(w, MIXED_KINDS - MIXED_SWEEP));
}

/* Not of all kinds alike: lists of impacts take long. */
static void do_steps(mixed_world *w)
{
    mixed_ask_in_steps(w, mixed_below(w, 4) ? mixed_below(w, MIXED_SWEEP)
                                            : MIXED_SWEEP + mixed_below(w, 4));
}

const mixed_call mixed_other_calls[] = {{3, do_cast},           {1, do_cast_many}, {2, do_touch},
                                        {6, do_touch_vertices}, {2, do_cull},      {2, do_inside},
                                        {4, do_sweep},          {8, do_steps},     {0, NULL}};
