/* Contacts of shapes: the figures of Macagon & Wuensche 2003 in numbers; a shape that goes by its
 * depth against the normal is out, as the touch query says, and not before; exchanging two shapes;
 * bodies; bad input.
 */
#include "harness.h"
#include "narrow/shape_contact.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/pairs.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/ext/inspect.h>
#include <graze/touch.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t seed = 7;

static float uniform(float from, float to)
{
    seed = seed * 1664525u + 1013904223u;
    return from + (to - from) * (float)(seed >> 8) / 16777216.0f;
}

/* Numbers of which many are equal. */
static float lattice(void)
{
    return floorf(uniform(-2, 3)) * 0.5f;
}

static void some_point(float p[3], bool on_lattice)
{
    for (int k = 0; k < 3; k++)
        p[k] = on_lattice ? lattice() : uniform(-1, 1);
}

static double dot(const float a[3], const float b[3])
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

/* ---- one triangle ------------------------------------------------------------------------- */

typedef struct one_triangle {
    float corners[3][3];
    graze_model *model;
    graze_body *body;
} one_triangle;

static bool open_triangle(one_triangle *t)
{
    static const uint32_t indices[3] = {0, 1, 2};
    graze_model_def def = {0};
    def.positions = t->corners[0];
    def.vertex_count = 3;
    def.triangles = indices;
    def.triangle_count = def.joint_count = 1;
    t->model = NULL;
    t->body = NULL;
    return !graze_model_create(&def, &t->model, NULL) &&
           !graze_body_create(t->model, &t->body, NULL);
}

static void close_triangle(one_triangle *t)
{
    graze_body_destroy(t->body);
    graze_model_destroy(t->model);
}

OWN_VALUE(one_triangle, close_triangle)

/* The contact with the only triangle; depth -1: there is none. */
static graze_contact contact_of(const one_triangle *t, const graze_shape *shape)
{
    graze_contact contact = {.depth = -1};
    graze_contact_list list = {.items = &contact, .capacity = 1};
    CHECK(graze_touch_contacts(t->body, shape, &list, NULL, NULL) == GRAZE_OK && list.total <= 1);
    return contact;
}

static bool near(const float a[3], double x, double y, double z)
{
    return fabs(a[0] - x) < 1e-6 && fabs(a[1] - y) < 1e-6 && fabs(a[2] - z) < 1e-6;
}

static one_triangle floor_triangle(void)
{
    return (one_triangle){.corners = {{-1, 0, -1}, {0, 0, 2}, {1, 0, -1}}}; /* its front is up */
}

TEST(round_shapes_in_a_floor)
{
    OWN(one_triangle) t = floor_triangle();
    REQUIRE(open_triangle(&t));
    graze_shape sphere = graze_shape_sphere((float[]){0.1f, 0.07f, 0}, 0.1f);
    graze_contact c = contact_of(&t, &sphere);
    CHECK(fabs(c.depth - 0.03) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0.1, 0, 0));
    sphere = graze_shape_sphere((float[]){0.1f, -0.07f, 0}, 0.1f); /* behind: out to the front */
    c = contact_of(&t, &sphere);
    CHECK(fabs(c.depth - 0.17) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0.1, 0, 0));
    sphere = graze_shape_sphere((float[]){0, 0.03f, 2.04f}, 0.1f); /* over a corner */
    c = contact_of(&t, &sphere);
    CHECK(fabs(c.depth - 0.05) < 1e-6 && near(c.normal, 0, -0.6, -0.8) && near(c.point, 0, 0, 2));
    sphere = graze_shape_sphere((float[]){0, 0.11f, 0}, 0.1f);
    CHECK(contact_of(&t, &sphere).depth == -1);

    graze_shape capsule =
        graze_shape_capsule((float[]){-0.2f, 0.3f, 0}, (float[]){0.2f, 0.05f, 0}, 0.1f);
    c = contact_of(&t, &capsule); /* its lower end */
    CHECK(fabs(c.depth - 0.05) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0.2, 0, 0));
    capsule = graze_shape_capsule((float[]){0, 0.5f, 0}, (float[]){0, -0.25f, 0}, 0.1f);
    c = contact_of(&t, &capsule); /* through it */
    CHECK(fabs(c.depth - 0.35) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0, 0, 0));
    capsule = graze_shape_capsule((float[]){-3, 0.05f, -1.06f}, (float[]){3, 0.05f, -1.06f}, 0.1f);
    c = contact_of(&t, &capsule); /* along its back edge */
    CHECK(fabs(c.depth - (0.1 - sqrt(0.05 * 0.05 + 0.06 * 0.06))) < 1e-6);
}

TEST(boxes_and_half_spaces_in_a_floor)
{
    OWN(one_triangle) t = floor_triangle();
    const float half[3] = {0.1f, 0.2f, 0.3f};
    REQUIRE(open_triangle(&t));
    graze_shape box = graze_shape_box((float[]){0, 0.15f, 0}, half, NULL);
    graze_contact c = contact_of(&t, &box);
    CHECK(fabs(c.depth - 0.05) < 1e-6 && near(c.normal, 0, -1, 0) && fabs(c.point[1]) < 1e-6);
    box = graze_shape_box((float[]){0, -0.15f, 0}, half, NULL); /* its centre is behind */
    c = contact_of(&t, &box);
    CHECK(fabs(c.depth - 0.35) < 1e-6 && near(c.normal, 0, -1, 0));
    box = graze_shape_box((float[]){0, 0.05f, -1.28f}, half, NULL); /* aside is nearer than up */
    c = contact_of(&t, &box);
    CHECK(fabs(c.depth - 0.02) < 1e-6 && near(c.normal, 0, 0, 1));
    graze_shape space = graze_shape_half_space((float[]){0, 0, 2}, 1); /* z <= 0.5 */
    c = contact_of(&t, &space);
    CHECK(fabs(c.depth - 1.5) < 1e-6 && near(c.normal, 0, 0, 1) && fabs(c.point[2] + 1) < 1e-6);
}

TEST(two_round_shapes)
{
    graze_contact c;
    bool hit;
    graze_shape a = graze_shape_sphere((float[]){1, 0, 0}, 0.5f);
    graze_shape b = graze_shape_sphere((float[]){1, 0.7f, 0}, 0.3f);
    REQUIRE(graze_shapes_contact(&a, &b, &hit, &c, NULL) == GRAZE_OK && hit);
    CHECK(fabs(c.depth - 0.1) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 1, 0.45, 0));
    a = graze_shape_capsule((float[]){-1, 0, 0}, (float[]){1, 0, 0}, 0.2f);
    b = graze_shape_capsule((float[]){0, 0.3f, -1}, (float[]){0, 0.3f, 1}, 0.2f); /* crossed */
    REQUIRE(graze_shapes_contact(&a, &b, &hit, &c, NULL) == GRAZE_OK && hit);
    CHECK(fabs(c.depth - 0.1) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0, 0.15, 0));
    b = graze_shape_capsule((float[]){3, 0.3f, 0}, (float[]){0, 0.3f, 0}, 0.2f); /* beside */
    REQUIRE(graze_shapes_contact(&a, &b, &hit, &c, NULL) == GRAZE_OK && hit);
    CHECK(fabs(c.depth - 0.1) < 1e-6 && near(c.normal, 0, -1, 0) && near(c.point, 0.5, 0.15, 0));
    b = graze_shape_capsule((float[]){0, -1, 0}, (float[]){0, 1, 0}, 0.1f); /* axes cross */
    REQUIRE(graze_shapes_contact(&a, &b, &hit, &c, NULL) == GRAZE_OK && hit);
    CHECK(fabs(c.depth - 0.3) < 1e-6 && fabs(fabs(c.normal[2]) - 1) < 1e-6);
    b = graze_shape_sphere((float[]){1.5f, 0, 0}, 0.2f);
    REQUIRE(graze_shapes_contact(&a, &b, &hit, NULL, NULL) == GRAZE_OK);
    CHECK(!hit);
    b = graze_shape_sphere((float[]){1.25f, 0, 0}, 0.2f);
    REQUIRE(graze_shapes_contact(&a, &b, &hit, NULL, NULL) == GRAZE_OK);
    CHECK(hit);
}

/* ---- random ones -------------------------------------------------------------------------- */

static graze_shape some_round(bool on_lattice)
{
    float p[3], q[3], radius = on_lattice ? fabsf(lattice()) : uniform(0.1f, 0.6f);
    some_point(p, on_lattice);
    some_point(q, on_lattice);
    return uniform(0, 1) < 0.5f ? graze_shape_sphere(p, radius) : graze_shape_capsule(p, q, radius);
}

/* Distances of axes by many points on both: never below the true one. */
static double sampled_distance(const graze_shape *a, const graze_shape *b)
{
    enum { STEPS = 60 };
    const graze_shape *shapes[2] = {a, b};
    double ends[2][2][3], least = INFINITY;
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 3; k++) {
            bool is_sphere = shapes[s]->kind == GRAZE_SPHERE;
            ends[s][0][k] =
                (double)(is_sphere ? shapes[s]->as.sphere.centre[k] : shapes[s]->as.capsule.p[k]);
            ends[s][1][k] = is_sphere ? ends[s][0][k] : (double)shapes[s]->as.capsule.q[k];
        }
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= STEPS; j++) {
            double square = 0, s = (double)i / STEPS, t = (double)j / STEPS;
            for (int k = 0; k < 3; k++) {
                double gap = ends[0][0][k] + s * (ends[0][1][k] - ends[0][0][k]) - ends[1][0][k] -
                             t * (ends[1][1][k] - ends[1][0][k]);
                square += gap * gap;
            }
            least = fmin(least, square);
        }
    return sqrt(least);
}

static double radius_of(const graze_shape *shape)
{
    return (double)(shape->kind == GRAZE_SPHERE ? shape->as.sphere.radius
                                                : shape->as.capsule.radius);
}

static bool are_the_same(const graze_shape *a, const graze_shape *b)
{
    const graze_shape *shapes[2] = {a, b};
    float numbers[2][7];
    for (int s = 0; s < 2; s++) {
        bool is_sphere = shapes[s]->kind == GRAZE_SPHERE;
        const float *p = is_sphere ? shapes[s]->as.sphere.centre : shapes[s]->as.capsule.p;
        memcpy(numbers[s], p, 3 * sizeof *p);
        memcpy(numbers[s] + 3, is_sphere ? p : shapes[s]->as.capsule.q, 3 * sizeof *p);
        numbers[s][6] = (float)radius_of(shapes[s]);
    }
    for (int k = 0; k < 7; k++)
        if (numbers[0][k] != numbers[1][k])
            return false;
    return true;
}

TEST(exchanging_two_shapes_negates_the_normal)
{
    int hits = 0;
    for (int i = 0; i < 100000; i++) {
        bool on_lattice = i % 2 == 0, hit[2];
        graze_shape a = some_round(on_lattice), b = some_round(on_lattice);
        graze_contact c[2];
        REQUIRE(graze_shapes_contact(&a, &b, &hit[0], &c[0], NULL) == GRAZE_OK);
        REQUIRE(graze_shapes_contact(&b, &a, &hit[1], &c[1], NULL) == GRAZE_OK);
        REQUIRE(hit[0] == hit[1]);
        if (!hit[0] || are_the_same(&a, &b))
            continue;
        hits++;
        for (int k = 0; k < 3; k++)
            REQUIRE(c[0].normal[k] == -c[1].normal[k]);
        REQUIRE(!memcmp(c[0].point, c[1].point, sizeof c[0].point) && c[0].depth == c[1].depth);
        CHECK_MSG(fabs(sqrt(dot(c[0].normal, c[0].normal)) - 1) < 1e-6, "a normal is not unit");
    }
    CHECK(hits > 20000);
}

TEST(depths_of_two_shapes_are_those_of_many_points)
{
    int hits = 0;
    for (int i = 0; i < (int)test_amount(20000, 3000); i++) {
        graze_shape a = some_round(i % 4 == 0), b = some_round(i % 4 == 0);
        graze_contact c = {.depth = 0};
        bool hit;
        double least = sampled_distance(&a, &b), sum = radius_of(&a) + radius_of(&b);
        REQUIRE(graze_shapes_contact(&a, &b, &hit, &c, NULL) == GRAZE_OK);
        /* Axes are at most 4 long: between samples the distance changes by less than 0.07. */
        CHECK_MSG(hit || least > sum - 1e-6, "apart, but %g and %g", least, sum);
        CHECK_MSG(!hit || (c.depth > sum - least - 1e-5 && c.depth < sum - least + 0.07),
                  "depth %g, but %g", (double)c.depth, sum - least);
        hits += hit;
    }
    CHECK(hits > 100);
}

/* A shape moved along a direction. */
static graze_shape moved(const graze_shape *shape, const float direction[3], double by)
{
    graze_shape to = *shape;
    for (int k = 0; k < 3; k++) {
        float step = (float)(direction[k] * by);
        if (shape->kind == GRAZE_SPHERE)
            to.as.sphere.centre[k] += step;
        else if (shape->kind == GRAZE_BOX)
            to.as.box.centre[k] += step;
        else if (shape->kind == GRAZE_CAPSULE) {
            to.as.capsule.p[k] += step;
            to.as.capsule.q[k] += step;
        } else
            to.as.plane.offset += step * shape->as.plane.normal[k];
    }
    return to;
}

static graze_shape some_shape(int kind)
{
    float p[3], half[3], turn[4];
    some_point(p, false);
    for (int k = 0; k < 4; k++)
        turn[k] = uniform(-1, 1);
    for (int k = 0; k < 3; k++)
        half[k] = uniform(0.05f, 0.5f);
    if (kind == 2)
        return graze_shape_box(p, half, turn);
    if (kind == 3)
        return graze_shape_half_space(p, uniform(-0.5f, 0.5f));
    return some_round(false);
}

/* The touch query, which was tested by itself, is the judge: a shape that goes by its depth and a
 * little more leaves the triangle. One that is in front, or a half-space, is still there after
 * nearly as much.
 */
TEST(by_its_depth_a_shape_gets_out)
{
    int seen[4] = {0, 0, 0, 0}, in_front = 0;
    for (int i = 0; i < (int)test_amount(120000, 20000); i++) {
        int kind = i % 4;
        one_triangle t;
        for (int c = 0; c < 3; c++)
            some_point(t.corners[c], i % 16 >= 12);
        if (!open_triangle(&t)) {
            close_triangle(&t);
            continue;
        }
        graze_shape shape = some_shape(kind);
        graze_contact c = contact_of(&t, &shape);
        bool hit = test_touches(t.body, &shape, NULL), has_normal = dot(c.normal, c.normal) > 0;
        CHECK(hit == (c.depth >= 0));
        if (hit && has_normal) {
            graze_shape out = moved(&shape, c.normal, -(double)c.depth - 1e-5);
            hit = test_touches(t.body, &out, NULL);
            CHECK_MSG(!hit, "case %d: still there after %g", i, (double)c.depth);
            seen[kind]++;
            out = moved(&shape, c.normal, -(double)c.depth * 0.99 + 1e-5);
            hit = test_touches(t.body, &out, NULL);
            bool shortest = kind == 3 || (kind < 2 && (double)c.depth < radius_of(&shape));
            CHECK_MSG(hit || !shortest, "case %d: out too soon", i);
            in_front += kind < 2 && shortest;
        }
        close_triangle(&t);
    }
    for (int kind = 0; kind < 4; kind++)
        CHECK(seen[kind] > 50);
    CHECK(in_front > 100);
}

/* Of those that are not to the triangle's back. */
TEST(no_way_out_of_a_box_is_shorter)
{
    int tried = 0;
    for (int i = 0; i < (int)test_amount(20000, 3000); i++) {
        OWN(one_triangle) t = {0};
        for (int c = 0; c < 3; c++)
            some_point(t.corners[c], false);
        REQUIRE(open_triangle(&t));
        graze_shape box = some_shape(2);
        graze_contact c = contact_of(&t, &box);
        float e[3], f[3], normal[3], from[3];
        for (int k = 0; k < 3; k++) {
            e[k] = t.corners[1][k] - t.corners[0][k];
            f[k] = t.corners[2][k] - t.corners[0][k];
            from[k] = box.as.box.centre[k] - t.corners[0][k];
        }
        for (int k = 0; k < 3; k++)
            normal[k] = e[(k + 1) % 3] * f[(k + 2) % 3] - e[(k + 2) % 3] * f[(k + 1) % 3];
        for (int n = 0; n < 30 && c.depth > 0 && dot(normal, from) > 0; n++) {
            float way[3];
            some_point(way, false);
            for (int k = 0; k < 3; k++)
                way[k] = (n % 2 ? -c.normal[k] : 0) + (n % 2 ? 0.05f : 1) * way[k];
            double length = sqrt(dot(way, way));
            for (int k = 0; k < 3; k++)
                way[k] = (float)(way[k] / length);
            if (dot(way, normal) < 0)
                continue;
            graze_shape out = moved(&box, way, 0.999 * (double)c.depth - 1e-5);
            CHECK_MSG(test_touches(t.body, &out, NULL), "case %d: out after less than %g", i,
                      (double)c.depth);
            tried++;
        }
    }
    CHECK(tried > 1000);
}

/* ---- bodies ------------------------------------------------------------------------------- */

static int by_triangle(const void *left, const void *right)
{
    const graze_contact *x = left, *y = right;
    return x->triangles[0] < y->triangles[0] ? -1 : x->triangles[0] > y->triangles[0];
}

typedef struct touched {
    const contact_set *list;
    const graze_model *model;
    const float *positions;
    const grazei_shape *shape;
    size_t next;
} touched;

/* One triangle after the other, in their order, as brute force finds them. */
static bool compare_triangle(void *user, const uint32_t *triangles, size_t count)
{
    touched *t = user;
    for (size_t i = 0; i < count; i++, t->next++) {
        uint32_t vertices[3];
        const float *corners[3];
        graze_model_triangle(t->model, triangles[i], vertices);
        for (int c = 0; c < 3; c++)
            corners[c] = t->positions + 3 * (size_t)vertices[c];
        grazei_shape_contact expected =
            grazei_shape_triangle_contact(t->shape, (const float *const *)corners);
        if (t->next >= t->list->count)
            continue;
        const graze_contact *found = &t->list->contacts[t->next];
        CHECK(found->triangles[0] == triangles[i] && found->triangles[1] == GRAZE_NONE);
        CHECK(found->depth == (float)expected.depth && found->parts[1] == 0);
        CHECK(found->parts[0] == graze_model_triangle_part(t->model, triangles[i]));
        for (int k = 0; k < 3; k++)
            CHECK(found->normal[k] == -(float)expected.normal[k] &&
                  found->point[k] == (float)(t->shape->origin[k] + expected.point[k]));
    }
    return true;
}

static void compare_with_brute(const graze_rig *rig, graze_body *body, float *positions,
                               size_t *total)
{
    for (int kind = 0; kind < 4; kind++) {
        OWN(contact_set) list = {0};
        grazei_shape made;
        double middle[3];
        graze_body_get_positions(body, positions);
        double extent = test_extent(positions, rig->vertex_count, middle);
        graze_shape shape = some_shape(kind);
        float at[3];
        for (int k = 0; k < 3; k++)
            at[k] = (float)(middle[k] + uniform(-0.5f, 0.5f) * extent);
        float half = (float)extent * uniform(0.05f, 0.3f);
        if (kind == 0)
            shape = graze_shape_sphere(at, half);
        else if (kind == 1)
            shape = graze_shape_capsule(at, positions, half * 0.3f);
        else if (kind == 2)
            shape = graze_shape_box(at, (float[]){half, half, half}, NULL);
        REQUIRE(!grazei_shape_prepare(&made, &shape, NULL));
        REQUIRE(!graze_touch_contacts(body, &shape, TO_CONTACT_SET(&list), NULL, NULL));
        if (list.count)
            qsort(list.contacts, list.count, sizeof *list.contacts, by_triangle);
        touched t = {&list, graze_body_model(body), positions, &made, 0};
        REQUIRE(!graze_touch(body, &shape,
                             &(graze_triangle_list){.report = compare_triangle, .user = &t},
                             &(graze_options){.method = GRAZE_BRUTE}, NULL));
        CHECK_MSG(t.next == list.count, "%zu contacts, but %zu triangles", list.count, t.next);
        *total += list.count;
    }
}

TEST(contacts_of_bodies_are_those_of_all_triangles)
{
    uint32_t count;
    size_t total = 0;
    const test_rig *rigs = test_rigs(&count);
    for (uint32_t r = 0; r < count; r++) {
        const graze_rig *rig = rigs[r].rig;
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        OWNED float *positions = malloc(3 * sizeof *positions * rig->vertex_count);
        REQUIRE(positions && !graze_rig_create_model(rig, NULL, &model, NULL));
        REQUIRE(!graze_body_create(model, &body, NULL));
        for (int frame = 0; frame < 3; frame++) {
            uint32_t clip = rig->clip_count ? 0 : GRAZE_NONE;
            REQUIRE(!graze_rig_pose_body(rig, clip, 0.3 * frame, NULL, body, NULL));
            compare_with_brute(rig, body, positions, &total);
        }
    }
    CHECK(total > 1000);
}

TEST(contacts_combined)
{
    graze_contact c[3] = {{.normal = {0, 1, 0},
                           .depth = 0.1f,
                           .triangles = {3, GRAZE_NONE},
                           .parts = {1, 0},
                           .pair_count = 1},
                          {.point = {1, 0, 0},
                           .normal = {1, 0, 0},
                           .depth = 0.3f,
                           .triangles = {9, 5},
                           .parts = {2, 4},
                           .pair_count = 2,
                           .number = 6}};
    graze_contact all;
    graze_combine_contacts(c, 2, &all);
    CHECK(near(all.point, 0.75, 0, 0) && all.depth == 0.3f && all.pair_count == 3);
    CHECK(all.triangles[0] == 9 && all.triangles[1] == 5 && all.parts[0] == 2 && all.parts[1] == 4);
    CHECK(all.number == 6);
    CHECK(near(all.normal, 3 / sqrt(10), 1 / sqrt(10), 0));
    c[1].normal[0] = 0;
    c[1].normal[1] = -1;
    c[1].depth = 0.1f; /* they cancel out: the first of the deepest */
    graze_combine_contacts(c, 2, &all);
    CHECK(near(all.normal, 0, 1, 0) && near(all.point, 0.5, 0, 0) && all.triangles[0] == 3);
    c[0].depth = c[1].depth = 0;
    graze_combine_contacts(c, 2, &all);
    CHECK(near(all.point, 0.5, 0, 0) && all.depth == 0 && near(all.normal, 0, 1, 0));
    graze_combine_contacts(c, 0, &all);
    CHECK(all.depth == 0 && all.normal[1] == 0);
}

TEST(bad_input)
{
    OWN(one_triangle) t = floor_triangle();
    graze_error error;
    graze_contact c;
    graze_contact_list list = {0};
    bool hit = true;
    REQUIRE(open_triangle(&t));
    graze_shape plane = graze_shape_plane((float[]){0, 1, 0}, 0);
    graze_shape sphere = graze_shape_sphere((float[]){0, 0, 0}, 1);
    graze_shape bad = graze_shape_sphere((float[]){0, NAN, 0}, 1);
    graze_shape box = graze_shape_box((float[]){0, 0, 0}, (float[]){1, 1, 1}, NULL);
    CHECK(graze_touch_contacts(t.body, &plane, &list, NULL, &error) == GRAZE_UNSUPPORTED);
    CHECK(!strcmp(error.text, "contacts are of spheres, capsules, boxes and half-spaces"));
    CHECK(graze_touch_contacts(t.body, &bad, &list, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_shapes_contact(&sphere, &box, &hit, &c, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_shapes_contact(&box, &sphere, &hit, &c, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_shapes_contact(&bad, &sphere, &hit, &c, &error) == GRAZE_BAD_INPUT && hit);
}
