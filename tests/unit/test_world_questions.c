/* Rays, shapes and points against all members of random worlds, in which members come and go, move
 * and get masks, with updates in between or none: against a loop over all members.
 */
#include "harness.h"

#include "body/mask.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/world_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 10, ASKED = 24, MOST = 4096 };

static struct tally {
    uint32_t rays, ray_hits, shape_hits, all, touched, within, nearest, behind, inside;
} tally;

static bool is_id(graze_world_id x, graze_world_id y)
{
    return x.index == y.index && x.generation == y.generation;
}

/* ---- shapes, by the book -------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* How far a point is outside a shape, less than 0 inside: a convex function. */
static double outside_by(const graze_shape *shape, const double p[3])
{
    double from[3], axis[3], t, most = -INFINITY, out = 0;
    const graze_box *box = &shape->as.box;
    const float *c = shape->as.sphere.centre; /* all but a half-space begin with a place */
    for (int k = 0; k < 3; k++)
        from[k] = p[k] - (double)c[k];
    if (shape->kind == GRAZE_SPHERE)
        return sqrt(dot(from, from)) - (double)shape->as.sphere.radius;
    if (shape->kind == GRAZE_HALF_SPACE) {
        for (int k = 0; k < 3; k++)
            axis[k] = (double)shape->as.plane.normal[k];
        return (dot(axis, p) - (double)shape->as.plane.offset) / sqrt(dot(axis, axis));
    }
    if (shape->kind == GRAZE_CAPSULE) {
        for (int k = 0; k < 3; k++)
            axis[k] = (double)shape->as.capsule.q[k] - (double)c[k];
        t = dot(axis, axis) > 0 ? dot(from, axis) / dot(axis, axis) : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        for (int k = 0; k < 3; k++)
            from[k] -= t * axis[k];
        return sqrt(dot(from, from)) - (double)shape->as.capsule.radius;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            axis[k] = (double)box->axes[i][k];
        double beyond = fabs(dot(from, axis)) - (double)box->half[i];
        most = beyond > most ? beyond : most;
        out += beyond > 0 ? beyond * beyond : 0;
    }
    return most > 0 ? sqrt(out) : most;
}

static double outside_at(const graze_shape *shape, const graze_ray *ray, double t)
{
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = (double)ray->origin[k] + t * (double)ray->dir[k];
    return outside_by(shape, p);
}

/* Where a ray enters: the least of a convex function by thirds, then halves. 0: it misses, 1: it
 * meets, 2: by a hair.
 */
static int enter_shape(const graze_shape *shape, const graze_ray *ray, double *t)
{
    double low = (double)ray->t_min, high = fmin((double)ray->t_max, 1e6), end;
    if (outside_at(shape, ray, low) <= 0) {
        *t = low;
        return 1;
    }
    for (int step = 0; step < 200; step++) {
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        bool left = outside_at(shape, ray, a) < outside_at(shape, ray, b);
        *(left ? &high : &low) = left ? b : a;
    }
    end = high;
    double least = outside_at(shape, ray, end);
    if (fabs(least) < 1e-6)
        return 2;
    low = (double)ray->t_min, high = end;
    for (int step = 0; step < 100; step++) {
        double middle = 0.5 * (low + high);
        *(outside_at(shape, ray, middle) > 0 ? &low : &high) = middle;
    }
    *t = high;
    return least < 0;
}

/* ---- triangles, by the book ----------------------------------------------------------------- */

/* The distance of a point from a triangle: from its inside, if it is before that, else from the
 * nearest edge.
 */
static double from_triangle(const float corners[3][3], const float point[3])
{
    double c[3][3], e[3], f[3], best = INFINITY, normal[3], sides = 0;
    for (int i = 0; i < 9; i++)
        c[i / 3][i % 3] = (double)corners[i / 3][i % 3] - (double)point[i % 3];
    for (int k = 0; k < 3; k++) {
        e[k] = c[1][k] - c[0][k];
        f[k] = c[2][k] - c[0][k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
    for (int i = 0; i < 3; i++) {
        const double *a = c[i], *b = c[(i + 1) % 3];
        double d[3], out[3];
        for (int k = 0; k < 3; k++)
            d[k] = b[k] - a[k];
        double t = dot(d, d) > 0 ? -dot(a, d) / dot(d, d) : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        for (int k = 0; k < 3; k++)
            out[k] = a[k] + t * d[k];
        best = fmin(best, sqrt(dot(out, out)));
        for (int k = 0; k < 3; k++)
            out[k] = d[(k + 1) % 3] * a[(k + 2) % 3] - d[(k + 2) % 3] * a[(k + 1) % 3];
        sides += dot(out, normal) <= 0 ? 1 : -1;
    }
    double length = sqrt(dot(normal, normal));
    if (length > 0 && fabs(sides) == 3)
        best = fmin(best, fabs(dot(normal, c[0])) / length);
    return best;
}

static double from_body(graze_body *body, const float point[3])
{
    const grazei_mesh *mesh = grazei_body_mesh(body);
    double best = INFINITY;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        float corners[3][3];
        if (!grazei_body_takes(body, t))
            continue;
        graze_body_get_vertices(body, mesh->triangles + 3 * (size_t)t, 3, corners[0], NULL);
        best = fmin(best, from_triangle((const float(*)[3])corners, point));
    }
    return best;
}

/* ---- what is asked -------------------------------------------------------------------------- */

typedef struct asked {
    graze_ray ray;
    graze_shape shape;
    float point[3];
    double limit;
    graze_world_filter filter; /* except is that of member `except` in each world */
    uint32_t except;
} asked;

static asked ask_at_random(world_scene *s)
{
    asked a = {.except = UINT32_MAX, .limit = INFINITY};
    float to[3], half[3], turn[4];
    test_random *r = &s->random;
    for (int k = 0; k < 3; k++) {
        a.point[k] = (float)test_random_range(r, -7, 7);
        to[k] = (float)test_random_range(r, -5, 5);
        half[k] = (float)test_random_range(r, 0.05, 1.5);
    }
    for (int k = 0; k < 4; k++)
        turn[k] = (float)test_random_range(r, -1, 1);
    uint32_t lot = test_random_u32(r);
    a.ray = lot % 3 ? graze_ray_between(a.point, to) : graze_ray_from(a.point, turn);
    a.shape = lot % 5 == 0   ? graze_shape_sphere(to, half[0])
              : lot % 5 == 1 ? graze_shape_capsule(to, a.point, half[1])
              : lot % 5 == 2 ? graze_shape_box(to, half, turn)
              : lot % 5 == 3 ? graze_shape_sphere(to, 0.01f)
                             : graze_shape_half_space(turn, (float)test_random_range(r, -4, 2));
    if (lot % 7 == 0)
        a.limit = test_random_range(r, 0, 1);
    if (lot % 4 == 0)
        a.filter.categories = lot >> 8 & 15;
    if (lot % 2 && s->members[lot % SCENE_THINGS].present)
        a.except = lot % SCENE_THINGS;
    return a;
}

static bool counts(const world_scene *s, const asked *a, uint32_t i)
{
    const scene_member *m = &s->members[i];
    return m->present && i != a->except &&
           (!a->filter.categories || a->filter.categories >> m->category & 1);
}

static graze_world_filter filter_of(const world_scene *s, const asked *a, int w)
{
    graze_world_filter filter = a->filter;
    if (a->except != UINT32_MAX)
        filter.except = s->members[a->except].ids[w];
    return filter;
}

/* The member with an id, or SCENE_THINGS. */
static uint32_t member_of(const world_scene *s, int w, graze_world_id id)
{
    uint32_t i = 0;
    while (i < SCENE_THINGS && !(s->members[i].present && is_id(s->members[i].ids[w], id)))
        i++;
    return i;
}

/* ---- rays ----------------------------------------------------------------------------------- */

static const graze_options brute = {.method = GRAZE_BRUTE};

/* Whether a hit of a world is the nearest one of a loop over all members. */
static void check_cast(world_scene *s, const asked *a, int w, const graze_world_hit *hit)
{
    graze_world_hit best = {.category = 0};
    double nearest = INFINITY, own = INFINITY;
    bool close = false;
    uint32_t who = hit->hit.found ? member_of(s, w, hit->id) : SCENE_THINGS;
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        const scene_member *m = &s->members[i];
        graze_hit found = {.found = false};
        double t = INFINITY;
        if (!counts(s, a, i))
            continue;
        if (m->now.body) {
            CHECK(graze_cast(m->now.body, &a->ray, &found, &brute, NULL) == GRAZE_OK);
            t = found.found ? (double)found.t : INFINITY;
            if (found.found && (!best.hit.found || found.t < best.hit.t ||
                                (found.t == best.hit.t && m->ids[w].index < best.id.index)))
                best = (graze_world_hit){m->ids[w], m->category, found};
        } else {
            int answer = enter_shape(&m->now.shape, &a->ray, &t);
            close |= answer == 2;
            t = answer == 1 ? t : INFINITY;
        }
        nearest = fmin(nearest, t);
        own = i == who ? t : own;
    }
    if (close) /* a shape is met by a hair, or not */
        return;
    tally.rays++;
    tally.ray_hits += hit->hit.found;
    CHECK(hit->hit.found == (nearest < INFINITY));
    if (!hit->hit.found)
        return;
    CHECK_MSG(fabs((double)hit->hit.t - nearest) <= 1e-5 * (1 + nearest) &&
                  fabs(own - nearest) <= 1e-5 * (1 + nearest),
              "t %g, nearest %g, of that member %g", (double)hit->hit.t, nearest, own);
    REQUIRE(who < SCENE_THINGS);
    CHECK(hit->category == s->members[who].category);
    if (s->members[who].now.body) {
        CHECK(is_id(hit->id, best.id) && memcmp(&hit->hit, &best.hit, sizeof best.hit) == 0);
        return;
    }
    tally.shape_hits++;
    double at[3], length = 0;
    for (int k = 0; k < 3; k++) {
        at[k] = (double)hit->hit.point[k];
        length += (double)hit->hit.normal[k] * (double)hit->hit.normal[k];
    }
    bool starts_inside = hit->hit.t == a->ray.t_min;
    double room = 1e-4 + 3e-7 * (fabs(at[0]) + fabs(at[1]) + fabs(at[2])); /* floats, far away */
    CHECK(starts_inside || fabs(outside_by(&s->members[who].now.shape, at)) < room);
    CHECK(fabs(length - (starts_inside ? 0 : 1)) < 1e-5 && hit->hit.triangle == GRAZE_NONE);
}

/* All hits: as many of each body as it says itself, one of each shape. */
static void check_cast_all(world_scene *s, const asked *a, int w)
{
    static graze_world_hit hits[MOST];
    graze_world_filter filter = filter_of(s, a, w);
    graze_world_hit_list list = {.items = hits, .capacity = MOST};
    uint32_t of[SCENE_THINGS] = {0};
    REQUIRE(graze_world_cast_all(s->worlds[w], &a->ray, &filter, &list, NULL, NULL) == GRAZE_OK);
    REQUIRE(list.total == list.count);
    for (size_t i = 0; i < list.count; i++) {
        uint32_t who = member_of(s, w, hits[i].id);
        REQUIRE(who < SCENE_THINGS);
        of[who]++;
    }
    tally.all += (uint32_t)list.count;
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        const scene_member *m = &s->members[i];
        graze_hit_list own = {.capacity = 0};
        double t;
        if (counts(s, a, i) && m->now.body)
            CHECK(graze_cast_all(m->now.body, &a->ray, &own, &brute, NULL) == GRAZE_OK);
        int met = m->now.body ? 0 : enter_shape(&m->now.shape, &a->ray, &t);
        CHECK(met == 2 || of[i] == own.total + (size_t)(counts(s, a, i) && met == 1));
    }
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* What a member is expected to say: triangles of each part, or 1 of a shape. */
static size_t expect_touched(world_scene *s, const asked *a, uint32_t i, uint32_t *of_part,
                             bool *inside)
{
    static uint32_t triangles[MOST];
    const scene_member *m = &s->members[i];
    const float *point = a->shape.as.sphere.centre;
    graze_triangle_list own = {.items = triangles, .capacity = MOST};
    graze_point_side side = {.inside = false};
    *inside = false;
    if (!counts(s, a, i))
        return 0;
    if (!m->now.body)
        return judge_shapes_meet(&a->shape, &m->now.shape);
    CHECK(graze_touch(m->now.body, &a->shape, &own, &brute, NULL) == GRAZE_OK);
    for (size_t t = 0; t < own.count; t++)
        of_part[grazei_body_mesh(m->now.body)->triangle_parts[triangles[t]]]++;
    if (!own.count && m->now.solid && !grazei_body_is_masked(m->now.body) &&
        a->shape.kind != GRAZE_HALF_SPACE)
        CHECK(graze_inside(m->now.body, point, &side, &brute, NULL) == GRAZE_OK);
    *inside = side.inside;
    return own.count;
}

static void check_touch(world_scene *s, const asked *a, int w, const graze_world_touched_list *list)
{
    size_t seen = 0;
    REQUIRE(list->total == list->count);
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        uint32_t of_part[JUDGE_PARTS] = {0};
        bool inside;
        size_t left = expect_touched(s, a, i, of_part, &inside);
        tally.touched += left > 0;
        tally.within += inside;
        for (size_t n = 0; n < list->count; n++) {
            const graze_world_touched *t = &list->items[n];
            if (!counts(s, a, i) || !is_id(t->id, s->members[i].ids[w]))
                continue;
            size_t met = s->members[i].now.body ? t->triangle_count : 1;
            CHECK(t->inside == inside && t->category == s->members[i].category);
            CHECK(inside || (met <= left &&
                             (!s->members[i].now.body || t->triangle_count == of_part[t->part])));
            left -= inside ? 0 : met;
            seen++;
        }
        CHECK_MSG(left == 0, "%zu triangles of member %u are missing", left, i);
    }
    CHECK(seen == list->count);
}

/* ---- points --------------------------------------------------------------------------------- */

static void check_nearest(world_scene *s, const asked *a, int w, const graze_world_nearest_point *n)
{
    double nearest = INFINITY, own = INFINITY;
    const double at[3] = {(double)a->point[0], (double)a->point[1], (double)a->point[2]};
    uint32_t who = n->found ? member_of(s, w, n->id) : SCENE_THINGS;
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        const scene_member *m = &s->members[i];
        if (!counts(s, a, i))
            continue;
        double distance =
            m->now.body ? from_body(m->now.body, a->point) : fabs(outside_by(&m->now.shape, at));
        nearest = fmin(nearest, distance);
        own = i == who ? distance : own;
    }
    tally.nearest += n->found;
    tally.behind += n->behind;
    CHECK(n->found == (nearest <= a->limit) || fabs(nearest - a->limit) < 1e-6);
    if (!n->found)
        return;
    CHECK_MSG(fabs(n->distance - nearest) < 1e-6 && fabs(own - nearest) < 1e-6,
              "%.9g away, but %.9g", n->distance, nearest);
    REQUIRE(who < SCENE_THINGS);
    CHECK(n->category == s->members[who].category);
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (at[k] - (double)n->point[k]) * (at[k] - (double)n->point[k]);
    CHECK(fabs(sqrt(square) - n->distance) < 1e-5);
    if (!s->members[who].now.body)
        CHECK(n->behind == (outside_by(&s->members[who].now.shape, at) <= 0));
}

static void check_inside(world_scene *s, const asked *a, int w)
{
    graze_world_filter filter = filter_of(s, a, w);
    graze_world_id ids[SCENE_THINGS];
    const double at[3] = {(double)a->point[0], (double)a->point[1], (double)a->point[2]};
    size_t count = 0, seen = 0;
    REQUIRE(graze_world_inside(s->worlds[w], a->point, &filter, ids, SCENE_THINGS, &count, NULL,
                               NULL) == GRAZE_OK);
    for (uint32_t i = 0; i < SCENE_THINGS; i++) {
        const scene_member *m = &s->members[i];
        graze_point_side side = {.inside = false};
        bool closed = false, listed = false;
        if (!counts(s, a, i))
            continue;
        if (m->now.body && !grazei_body_is_masked(m->now.body))
            CHECK(graze_model_is_closed(s->models[m->model], &closed, NULL) == GRAZE_OK);
        if (closed)
            CHECK(graze_inside(m->now.body, a->point, &side, &brute, NULL) == GRAZE_OK);
        if (!m->now.body)
            side.inside = outside_by(&m->now.shape, at) <= 0;
        for (size_t n = 0; n < count; n++)
            listed |= is_id(ids[n], m->ids[w]);
        CHECK(listed == side.inside);
        seen += listed;
    }
    tally.inside += (uint32_t)seen;
    CHECK(seen == count);
}

/* ---- random worlds -------------------------------------------------------------------------- */

static void ask_world(world_scene *s, const asked *questions, int w)
{
    static graze_world_touched touched[ASKED][MOST];
    graze_ray rays[ASKED];
    graze_shape shapes[ASKED];
    float points[ASKED][3];
    graze_world_hit hits[ASKED], plain;
    graze_world_touched_list lists[ASKED] = {{.items = NULL}};
    graze_world_nearest_point nearest[ASKED];
    graze_world_filter filter = filter_of(s, &questions[0], w);
    graze_options options = {.pool = s->pools[w]};
    graze_world *world = s->worlds[w];
    graze_error error;
    for (uint32_t i = 0; i < ASKED; i++) {
        rays[i] = questions[i].ray;
        shapes[i] = questions[i].shape;
        memcpy(points[i], questions[i].point, sizeof points[i]);
        lists[i].items = touched[i];
        lists[i].capacity = MOST;
    }
    CHECK(graze_world_cast_many(world, rays, ASKED, &filter, hits, &options, NULL) == GRAZE_OK);
    CHECK(graze_world_touch_many(world, shapes, ASKED, &filter, lists, &options, NULL) == GRAZE_OK);
    CHECK(graze_world_nearest_many(world, points[0], ASKED, questions[0].limit, &filter, nearest,
                                   &options, NULL) == GRAZE_OK);
    CHECK_MSG(graze_world_validate(world, &error) == GRAZE_OK, "%s", error.text);
    for (uint32_t i = 0; i < ASKED; i++) {
        asked together = questions[i];
        together.filter = questions[0].filter;
        together.except = questions[0].except;
        together.limit = questions[0].limit;
        check_cast(s, &together, w, &hits[i]);
        check_touch(s, &together, w, &lists[i]);
        check_nearest(s, &together, w, &nearest[i]);
        filter = filter_of(s, &questions[i], w);
        CHECK(graze_world_cast(world, &rays[i], &filter, &plain, NULL, NULL) == GRAZE_OK);
        check_cast(s, &questions[i], w, &plain);
        check_inside(s, &questions[i], w);
        for (int method = GRAZE_EAGER; method <= GRAZE_BRUTE; method++) {
            graze_options way = {.method = (graze_method)method};
            graze_world_hit slow;
            CHECK(graze_world_cast(world, &rays[i], &filter, &slow, &way, NULL) == GRAZE_OK);
            CHECK(memcmp(&slow, &plain, sizeof slow) == 0);
        }
        graze_options any = {.any = true};
        graze_world_hit some;
        CHECK(graze_world_cast(world, &rays[i], &filter, &some, &any, NULL) == GRAZE_OK);
        CHECK(some.hit.found == plain.hit.found && (!some.hit.found || some.hit.t >= plain.hit.t));
        if (i % 4 == 0)
            check_cast_all(s, &questions[i], w);
    }
}

TEST(answers_are_those_of_a_loop_over_all_members)
{
    static world_scene s;
    static asked questions[ASKED];
    uint32_t seeds = test_amount(120, 20);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        scene_open(&s, seed, seed % 2);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            for (uint32_t i = 0; i < ASKED; i++)
                questions[i] = ask_at_random(&s);
            ask_world(&s, questions, (int)(frame % SCENE_WORLDS));
            for (int w = 0; w < SCENE_WORLDS && frame % 2; w++)
                CHECK(graze_world_update(s.worlds[w], NULL, NULL) == GRAZE_OK);
            if (frame % 3)
                scene_move(&s);
            scene_change(&s);
        }
        scene_close(&s);
    }
    printf("%u rays, %u hit, %u of them shapes; %u of all hits; %u touched, %u within; "
           "%u nearest, %u behind; %u inside\n",
           tally.rays, tally.ray_hits, tally.shape_hits, tally.all, tally.touched, tally.within,
           tally.nearest, tally.behind, tally.inside);
    CHECK(tally.shape_hits > 50 && tally.ray_hits > tally.shape_hits + 50 && tally.within > 10 &&
          tally.behind > 20 && tally.inside > 20 && tally.touched > 500);
}

/* ---- many ----------------------------------------------------------------------------------- */

/* Spheres that swarm, many of them coming and going: the tree is joined, filled and made anew. */
TEST(a_swarm_of_thousands)
{
    enum { COUNT = 3000 };
    static graze_world_id ids[COUNT];
    static graze_shape shapes[COUNT];
    static bool present[COUNT];
    OWN(graze_world) *world = NULL;
    test_random random = test_random_seed(5);
    uint32_t found = 0;
    uint64_t tests = 0;
    graze_error error;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    for (uint32_t frame = 0; frame < 40; frame++) {
        double reach = frame < 10 ? 5 : frame < 20 ? 500 : 20;
        uint32_t changes = frame % 4 ? 40 : COUNT;
        for (uint32_t n = 0; n < changes; n++) {
            uint32_t i = changes == COUNT ? n : test_random_u32(&random) % COUNT;
            float at[3];
            for (int k = 0; k < 3; k++)
                at[k] = (float)test_random_range(&random, -reach, reach);
            shapes[i] = graze_shape_sphere(at, (float)reach * 0.03f);
            if (!present[i])
                CHECK(graze_world_add_shape(world, &shapes[i], NULL, &ids[i], NULL) == GRAZE_OK);
            else if (test_random_u32(&random) % 3)
                CHECK(graze_world_set_shape(world, ids[i], &shapes[i], NULL) == GRAZE_OK);
            else
                CHECK(graze_world_remove(world, ids[i], NULL) == GRAZE_OK);
            present[i] = !present[i] || graze_world_set_shape(world, ids[i], &shapes[i], NULL) == 0;
        }
        for (uint32_t n = 0; n < 20; n++) {
            float from[3], dir[3];
            graze_stats stats = {0};
            graze_options options = {.stats = &stats};
            graze_world_hit hit, slow;
            for (int k = 0; k < 3; k++) {
                from[k] = (float)test_random_range(&random, -2 * reach, 2 * reach);
                dir[k] = -from[k] + (float)test_random_range(&random, -reach, reach);
            }
            graze_ray ray = graze_ray_from(from, dir);
            CHECK(graze_world_cast(world, &ray, NULL, &hit, &options, NULL) == GRAZE_OK);
            CHECK(graze_world_cast(world, &ray, NULL, &slow, &brute, NULL) == GRAZE_OK);
            CHECK(memcmp(&hit, &slow, sizeof hit) == 0);
            found += hit.hit.found;
            tests += stats.bound_tests;
        }
        CHECK_MSG(graze_world_validate(world, &error) == GRAZE_OK, "%s", error.text);
    }
    printf("%u of 800 rays hit, %.0f boxes a ray\n", found, (double)tests / 800);
    CHECK(found > 200 && found < 800 && tests < 800 * 400);
}
