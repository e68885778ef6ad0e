/* Contacts of simple solids, whose points, normals and depths are known. Every case is looked at
 * again with a and b exchanged, and with both moved rigidly to another place.
 */
#include "harness.h"
#include "support/contacts.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/solids.h"

#include <math.h>
#include <string.h>

/* ---- rigid maps ---------------------------------------------------------------------------- */

/* 3 rows of 4, in double. */
typedef struct place {
    double m[3][4];
} place;

static const double up[3] = {0, 0, 1};

static place place_at(double x, double y, double z)
{
    return (place){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
}

/* Turns about an axis (not normalised), then moves. */
static place place_turned(const double axis[3], double angle, double x, double y, double z)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double c = cos(angle), s = sin(angle), n[3];
    place p = place_at(x, y, z);
    for (int i = 0; i < 3; i++)
        n[i] = axis[i] / length;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            p.m[i][k] = n[i] * n[k] * (1 - c) + (i == k ? c : 0);
    for (int i = 0; i < 3; i++) {
        p.m[(i + 1) % 3][(i + 2) % 3] -= s * n[i];
        p.m[(i + 2) % 3][(i + 1) % 3] += s * n[i];
    }
    return p;
}

static place after(const place *outer, const place *inner)
{
    place p;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            p.m[i][k] = k == 3 ? outer->m[i][3] : 0;
            for (int j = 0; j < 3; j++)
                p.m[i][k] += outer->m[i][j] * inner->m[j][k];
        }
    return p;
}

static void pose(graze_body *body, const place *p)
{
    float joint[12];
    for (int i = 0; i < 12; i++)
        joint[i] = (float)p->m[i / 4][i % 4];
    graze_pose posed = {.joints = joint, .joint_count = 1};
    CHECK(graze_body_set_pose(body, &posed, NULL) == GRAZE_OK);
}

/* ---- two bodies and their finders ---------------------------------------------------------- */

typedef struct scene {
    graze_model *models[2];
    graze_body *bodies[2];
    contact_set forth, back; /* a against b, and b against a */
    const char *name;
    double worst_depth, worst_angle; /* errors seen */
} scene;

/* Takes over the solids. */
static scene scene_make(const char *name, solid *a, solid *b, const graze_contact_finder_def *def)
{
    scene s = {.name = name};
    s.bodies[0] = solid_body(a, NULL, &s.models[0]);
    s.bodies[1] = solid_body(b, NULL, &s.models[1]);
    contact_set_open(&s.forth, s.models[0], s.models[1], def);
    contact_set_open(&s.back, s.models[1], s.models[0], def);
    solid_free(a);
    solid_free(b);
    return s;
}

static void scene_free(scene *s)
{
    if (s->worst_depth > 0)
        printf("     %s: largest error of depth %.2g, of the normal %.2g\n", s->name,
               s->worst_depth, s->worst_angle);
    contact_set_free(&s->forth);
    contact_set_free(&s->back);
    for (int side = 0; side < 2; side++) {
        graze_body_destroy(s->bodies[side]);
        graze_model_destroy(s->models[side]);
    }
}

OWN_VALUE(scene, scene_free)

static void place_both(scene *s, const place *a, const place *b)
{
    pose(s->bodies[0], a);
    pose(s->bodies[1], b);
    CHECK(contact_set_find(&s->forth, s->bodies[0], s->bodies[1], NULL, NULL) == GRAZE_OK);
    CHECK(contact_set_find(&s->back, s->bodies[1], s->bodies[0], NULL, NULL) == GRAZE_OK);
}

/* What is to come out: so many contacts, each of this depth along this normal. */
typedef struct truth {
    uint32_t count;
    double depth, depth_error;
    double normal[3], normal_error; /* sine of the angle, about */
    bool closed, whole;
} truth;

static double apart(const float x[3], const double y[3], double factor)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (x[k] - factor * y[k]) * (x[k] - factor * y[k]);
    return sqrt(sum);
}

static bool check_contacts(scene *s, const contact_set *found, const truth *t, double direction,
                           const double normal[3], const char *how)
{
    bool ok = test_check(found->count == t->count, __FILE__, __LINE__,
                         "%s, %s: %zu contacts, not %u", s->name, how, found->count, t->count);
    for (uint32_t i = 0; ok && i < t->count; i++) {
        const graze_contact *c = &found->contacts[i];
        const graze_contact_details *d = &found->details[i];
        double depth_error = fabs(c->depth - t->depth);
        double normal_error = apart(c->normal, normal, direction);
        s->worst_depth = fmax(s->worst_depth, depth_error);
        s->worst_angle = fmax(s->worst_angle, normal_error);
        ok = test_check(depth_error <= t->depth_error, __FILE__, __LINE__,
                        "%s, %s: depth %.9g, not %.9g", s->name, how, (double)c->depth, t->depth) &&
             test_check(normal_error <= t->normal_error, __FILE__, __LINE__,
                        "%s, %s: normal %g %g %g", s->name, how, (double)c->normal[0],
                        (double)c->normal[1], (double)c->normal[2]) &&
             test_check(d->closed == t->closed && d->full_depth == t->whole, __FILE__, __LINE__,
                        "%s, %s: closed %d, whole %d", s->name, how, d->closed, d->full_depth);
    }
    return ok;
}

/* Places both, compares with the truth, then again moved by rigid maps: the depth may change by
 * roundings of coordinates alone.
 */
static void check_scene(scene *s, const place *a, const place *b, const truth *t)
{
    static const double axes[3][3] = {{1, 2, 3}, {-2, 1, 0.3}, {0.1, -1, 4}};
    place_both(s, a, b);
    if (!check_contacts(s, &s->forth, t, 1, t->normal, "as placed") ||
        !check_contacts(s, &s->back, t, -1, t->normal, "exchanged"))
        return;
    for (int k = 0; k < 3; k++) {
        place move = place_turned(axes[k], 1 + k, 3 * k, -k, 0.5 * k);
        place moved_a = after(&move, a), moved_b = after(&move, b);
        double normal[3];
        for (int i = 0; i < 3; i++)
            normal[i] = move.m[i][0] * t->normal[0] + move.m[i][1] * t->normal[1] +
                        move.m[i][2] * t->normal[2];
        truth loose = *t;
        loose.depth_error += 1e-5;
        loose.normal_error += 1e-4;
        place_both(s, &moved_a, &moved_b);
        if (!check_contacts(s, &s->forth, &loose, 1, normal, "moved") ||
            !check_contacts(s, &s->back, &loose, -1, normal, "moved, exchanged"))
            return;
    }
}

/* ---- round solids -------------------------------------------------------------------------- */

/* A ball of 2 x rings sectors keeps within this much below its radius 1. */
static double flatness(uint32_t rings)
{
    return 1 - cos(acos(-1) / rings);
}

static solid ball(uint32_t rings)
{
    solid s = {0};
    solid_add_ball(&s, 1, rings);
    return s;
}

static solid plate(double half, double thickness, uint32_t n)
{
    solid s = {0};
    const double low[3] = {-half, -half, -thickness}, high[3] = {half, half, 0};
    solid_add_box(&s, low, high, n);
    return s;
}

TEST(two_balls)
{
    for (uint32_t rings = 24; rings <= test_amount(96, 48); rings *= 2) {
        solid a = ball(rings), b = ball(rings);
        char name[64];
        snprintf(name, sizeof name, "balls of %u triangles, at most %.2g below the radius",
                 a.triangle_count, flatness(rings));
        OWN(scene) s = scene_make(name, &a, &b, NULL);
        static const double overlaps[] = {0.02, 0.1, 0.3, 0.9, 1.5};
        for (int i = 0; i < 5; i++) {
            double direction[3] = {0.36, 0.48, 0.8}, d = 2 - overlaps[i];
            place at_a = place_turned((double[3]){1, i, 2}, 0.7 * i, direction[0] * d,
                                      direction[1] * d, direction[2] * d);
            place at_b = place_turned((double[3]){i, 1, 1}, 2.1 * i, 0, 0, 0);
            truth t = {.count = 1,
                       .depth = overlaps[i],
                       .depth_error = 2 * flatness(rings),
                       .normal = {direction[0], direction[1], direction[2]},
                       .normal_error = 0.02,
                       .closed = true,
                       .whole = true};
            check_scene(&s, &at_a, &at_b, &t);
        }
    }
}

TEST(ball_in_plate)
{
    for (uint32_t n = 1; n <= 20; n += 19) {
        solid a = ball(48), b = plate(3, 3, n);
        OWN(scene) s = scene_make(
            n == 1 ? "ball in a plate of 12 triangles" : "ball in a fine plate", &a, &b, NULL);
        static const double depths[] = {1e-6, 1e-5, 1e-4, 0.01, 0.2, 0.8, 1.4, 1.9};
        for (int i = 0; i < 8; i++) {
            /* Shallow ones stand on a pole, else they do not reach the plate. */
            place at_a =
                place_turned((double[3]){3, 1, i}, i < 3 ? 0 : i, 0.13, 0.27, 1 - depths[i]);
            place at_b = place_at(0, 0, 0);
            truth t = {1, depths[i], flatness(48), {0, 0, 1}, 1e-5, true, true};
            check_scene(&s, &at_a, &at_b, &t);
        }
    }
}

TEST(capsules)
{
    solid a = {0}, b = {0};
    solid_add_capsule(&a, 1, 3, 48);
    solid_add_capsule(&b, 1, 3, 48);
    scene s = scene_make("capsules side by side and crossing", &a, &b, NULL);
    for (int i = 0; i < 6; i++) {
        double overlap = 0.05 * (1 + i), angle = i < 2 ? 0 : 0.4 * i;
        place at_a = place_turned((double[3]){1, 0, 0}, angle, 2 - overlap, 0, 0);
        place spin = place_turned(up, 0.3 * i, 0, 0, 0);
        truth t = {1, overlap, 2 * flatness(48), {1, 0, 0}, 0.03, true, true};
        check_scene(&s, &at_a, &spin, &t);
    }
    scene_free(&s);

    solid lying = {0}, ground = plate(5, 2, 7);
    solid_add_capsule(&lying, 1, 3, 48);
    s = scene_make("capsule lying in a plate", &lying, &ground, NULL);
    for (int i = 1; i <= 4; i++) {
        place turned = place_turned((double[3]){1, 0, 0}, acos(0), 0.01, 0.02, 1 - 0.1 * i);
        place at_b = place_at(0, 0, 0);
        truth t = {1, 0.1 * i, flatness(48), {0, 0, 1}, 1e-5, true, true};
        check_scene(&s, &turned, &at_b, &t);
    }
    scene_free(&s);
}

/* ---- boxes --------------------------------------------------------------------------------- */

static solid box(double x, double y, double z, uint32_t n)
{
    solid s = {0};
    const double low[3] = {-x, -y, -z}, high[3] = {x, y, z};
    solid_add_box(&s, low, high, n);
    return s;
}

TEST(box_in_plate)
{
    for (uint32_t n = 1; n <= 9; n += 4) {
        solid a = box(1, 0.75, 0.5, n), b = plate(4, 2, 8);
        char name[48];
        snprintf(name, sizeof name, "box in a plate, %u x %u a face", n, n);
        OWN(scene) s = scene_make(name, &a, &b, NULL);
        for (int i = 0; i < 8; i++) {
            /* The first half is aligned with the plate's grid, edges on edges. */
            double depth = i < 4 ? 0.125 * (1 + i) : 0.07 * i;
            place at_a = place_turned(up, i < 4 ? 0 : 0.3 * i, 0.25 * (i % 4), 0, 0.5 - depth);
            place at_b = place_at(0, 0, 0);
            truth t = {1, depth, 1e-5, {0, 0, 1}, 1e-5, true, true};
            if (i < 4) { /* segments that run in an edge are there twice */
                place_both(&s, &at_a, &at_b);
                t.closed = s.forth.details[0].closed;
                CHECK(check_contacts(&s, &s.forth, &t, 1, t.normal, "aligned") &&
                      check_contacts(&s, &s.back, &t, -1, t.normal, "aligned, exchanged"));
                continue;
            }
            check_scene(&s, &at_a, &at_b, &t);
        }
    }
}

/* A cube that stands on a corner: however it is turned, the plate gives the normal. */
TEST(corner_in_plate)
{
    for (uint32_t n = 1; n <= 8; n += 7) {
        solid a = box(1, 1, 1, n), b = plate(6, 3, 5);
        OWN(scene) s =
            scene_make(n == 1 ? "corner of a cube" : "corner of a fine cube", &a, &b, NULL);
        for (int i = 0; i < 12; i++) {
            place at_a = place_turned((double[3]){1, 0.3 * i - 2, 0.2}, 0.5 + 0.17 * i, 0, 0, 0);
            double lowest = 0, depth = 0.03 + 0.05 * i;
            for (int c = 0; c < 3; c++)
                lowest -= fabs(at_a.m[2][c]);
            at_a.m[2][3] = -lowest - depth;
            place at_b = place_at(0.1, 0.2, 0);
            truth t = {1, depth, 1e-5, {0, 0, 1}, 1e-4, true, true};
            check_scene(&s, &at_a, &at_b, &t);
        }
    }
}

/* Two beams that cross: no vertex of either is inside the other. */
TEST(crossing_beams)
{
    solid a = box(4, 0.5, 0.5, 1), b = box(0.75, 4, 0.5, 1);
    OWN(scene) s = scene_make("crossing beams", &a, &b, NULL);
    for (int i = 1; i <= 5; i++) {
        place at_a = place_turned(up, 0.05 * i, 0.1, 0.2, 1 - 0.11 * i), at_b = place_at(0, 0, 0);
        truth t = {1, 0.11 * i, 1e-5, {0, 0, 1}, 1e-4, true, true};
        check_scene(&s, &at_a, &at_b, &t);
    }
}

/* ---- touching ------------------------------------------------------------------------------ */

TEST(touching_has_depth_zero)
{
    solid a = box(1, 1, 1, 2), b = plate(4, 2, 3);
    OWN(scene) s = scene_make("touching boxes", &a, &b, NULL);
    place ground = place_at(0, 0, 0);
    place places[4] = {
        place_at(0.3, 0.2, 1), /* face on face */
        place_at(4.5, 0.2, 1), /* face on face, over the border */
        place_at(5, 0.2, 1),   /* edge on edge */
        place_at(5, 5, 1)      /* corner on corner */
    };
    for (int i = 0; i < 4; i++) {
        place_both(&s, &places[i], &ground);
        uint32_t count = s.forth.count;
        REQUIRE(count == 1 && s.back.count == 1);
        const graze_contact *c = &s.forth.contacts[0];
        const graze_contact_details *d = &s.forth.details[0];
        CHECK_MSG(c->depth < (i > 1 ? 1e-6f : 1e-30f), "place %d: depth %g", i, (double)c->depth);
        CHECK_MSG(i > 1 || apart(c->normal, up, 1) < 1e-6, "place %d: normal %g %g %g", i,
                  (double)c->normal[0], (double)c->normal[1], (double)c->normal[2]);
        CHECK(i < 3 || (d->length == 0 && c->point[0] == 4 && c->point[1] == 4));
    }
}

/* ---- several contacts ---------------------------------------------------------------------- */

static void check_parts(const contact_set *found, uint32_t number, uint32_t a, uint32_t b)
{
    const graze_contact *c = &found->contacts[number];
    CHECK_MSG(c->parts[0] == a && c->parts[1] == b, "contact %u is of parts %u and %u", number,
              c->parts[0], c->parts[1]);
}

TEST(two_fists_on_a_wall_are_two_contacts)
{
    solid a = {0}, b = plate(4, 1, 1);
    solid_add_ball(&a, 1, 24);
    solid_add_ball(&a, 1, 24);
    for (uint32_t v = 0; v < a.vertex_count; v++)
        a.positions[3 * v] += v < a.vertex_count / 2 ? -1.5f : 1.5f;
    OWN(scene) s = scene_make("two fists on a wall of two triangles", &a, &b, NULL);
    place at_a = place_turned((double[3]){1, 0, 0}, 0.2, 0.11, 0.23, 0.8), at_b = place_at(0, 0, 0);
    truth t = {2, 0.2, flatness(24), {0, 0, 1}, 1e-5, true, true};
    check_scene(&s, &at_a, &at_b, &t);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 2);
    check_parts(&s.forth, 0, 0, 0);
    check_parts(&s.forth, 1, 1, 0);
    for (int i = 0; i < 2; i++) {
        const graze_contact *c = &s.forth.contacts[(uint32_t)i];
        const graze_contact_details *d = &s.forth.details[(uint32_t)i];
        CHECK(fabs(c->point[0] - (i ? 1.61 : -1.39)) < 0.01);
        CHECK(fabs(c->point[2]) < 1e-5);
        CHECK(fabs(d->length - 2 * acos(-1) * 0.6) < 0.02);
    }
}

TEST(a_rod_through_a_plate_is_two_contacts)
{
    solid a = {0}, b = plate(4, 0.5, 4);
    static const double profile[5][2] = {{0, -3}, {0.5, -3}, {0.5, -0.25}, {0.5, 3}, {0, 3}};
    solid_add_round(&a, profile, 5, 30);
    OWN(scene) s = scene_make("rod through a plate", &a, &b, NULL);
    place at_a = place_at(0.3, 0.45, 0), at_b = place_at(0, 0, 0);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 2);
    for (uint32_t i = 0; i < 2; i++) {
        const graze_contact *c = &s.forth.contacts[i];
        const graze_contact_details *d = &s.forth.details[i];
        bool top = c->point[2] > -0.25f;
        CHECK(d->closed && apart(c->normal, up, top ? 1 : -1) < 1e-5);
        CHECK(fabs(c->point[2] - (top ? 0 : -0.5)) < 1e-6);
        /* The ring in the middle is the inner part of both. */
        CHECK_MSG(d->full_depth && fabs(c->depth - 0.25) < 1e-6, "depth %g", (double)c->depth);
    }
}

/* A cone through a plate, whose tip just comes out below: the short curve around the tip is as deep
 * as the tip, not as the cone. (CesiumMan had 0.27 m for a curve of 14 mm.)
 */
TEST(a_corner_that_comes_out_again_is_not_as_deep_as_all_behind_it)
{
    enum { RINGS = 60 };
    solid a = {0}, b = plate(4, 1, 4);
    double profile[RINGS + 2][2] = {{0, -1.02}};
    for (int i = 1; i <= RINGS; i++) {
        profile[i][1] = -1.02 + 0.025 * i;
        profile[i][0] = 0.4 * (profile[i][1] + 1.02);
    }
    profile[RINGS + 1][1] = profile[RINGS][1];
    solid_add_round(&a, (const double(*)[2])profile, RINGS + 2, 24);
    OWN(scene) s = scene_make("cone through a plate", &a, &b, NULL);
    place at_a = place_at(0.31, 0.42, 0), at_b = place_at(0, 0, 0);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 2);
    for (uint32_t i = 0; i < 2; i++) {
        const graze_contact *c = &s.forth.contacts[i];
        const graze_contact_details *d = &s.forth.details[i];
        bool top = c->point[2] > -0.5f;
        CHECK(d->closed && apart(c->normal, up, top ? 1 : -1) < 1e-5);
        CHECK_MSG(d->full_depth == top && (top ? fabs(c->depth - 1) < 0.03 : c->depth < 0.05f),
                  "length %g, whole %d, depth %g", (double)d->length, d->full_depth,
                  (double)c->depth);
    }
}

/* A column through one floor into the next: edges pass three surfaces, and what is inside the lower
 * floor is no part of the contacts above.
 */
TEST(an_edge_through_several_floors)
{
    for (int turned = 0; turned < 2; turned++) {
        solid a = box(0.5, 0.5, 4, 1), b = {0};
        for (int floor = 0; floor < 2; floor++) {
            double top = floor == turned ? 0 : -2;
            const double low[3] = {-3, -3, top - 0.5}, high[3] = {3, 3, top};
            solid_add_box(&b, low, high, 2);
        }
        OWN(scene) s = scene_make("column through a floor", &a, &b, NULL);
        place at_a = place_turned(up, 0.3, 0.2, 0.1, 1.75), at_b = place_at(0, 0, 0);
        place_both(&s, &at_a, &at_b);
        CHECK(s.forth.count == 3);
        for (uint32_t i = 0; i < s.forth.count; i++) {
            const graze_contact *c = &s.forth.contacts[i];
            const graze_contact_details *d = &s.forth.details[i];
            double depth = c->point[2] < -1 ? 0.25 : 0;
            CHECK_MSG(d->full_depth && fabs(c->depth - depth) < 1e-6, "contact %u: depth %g", i,
                      (double)c->depth);
        }
    }
}

/* ---- what an inner part ends at ------------------------------------------------------------ */

/* A bent beam whose middle line lies in the plate's plane, vertices on the surface, and whose other
 * end hangs down beside the plate: the inner part ends at those vertices.
 */
TEST(inner_parts_end_at_vertices_on_the_surface)
{
    solid a = {0}, b = plate(2, 2, 1);
    const double low[3] = {-5, -0.5, -0.5}, high[3] = {1, 0.5, 0.5};
    solid_add_box(&a, low, high, 4);
    for (uint32_t v = 0; v < a.vertex_count; v++)
        a.positions[3 * v + 2] -= a.positions[3 * v] < -3 ? 8 : 0;
    OWN(scene) s = scene_make("bent beam", &a, &b, NULL);
    place at_a = place_at(0.125, 0, 0), at_b = place_at(0, 0, 0);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 1);
    const graze_contact *c = &s.forth.contacts[0];
    const graze_contact_details *d = &s.forth.details[0];
    CHECK_MSG(d->full_depth && c->depth >= 0.49f && c->depth < 1.5f, "depth %g", (double)c->depth);
    CHECK(c->normal[2] > 0.8f);
}

/* Two blocks that overlap are one closed surface with a part inside of itself. */
TEST(a_body_may_overlap_itself)
{
    solid a = ball(32), b = {0};
    const double low[2][3] = {{-3, -3, -3}, {-0.5, -3, -3}},
                 high[2][3] = {{0.5, 3, 0}, {3, 3, -0.1}};
    solid_add_box(&b, low[0], high[0], 3);
    solid_add_box(&b, low[1], high[1], 3);
    OWN(scene) s = scene_make("ball in two blocks", &a, &b, NULL);
    place at_a = place_turned((double[3]){1, 2, 0}, 0.4, 0.1, 0.2, 0.5), at_b = place_at(0, 0, 0);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count > 0);
    for (uint32_t i = 0; i < s.forth.count; i++)
        CHECK(s.forth.details[i].full_depth);
    const graze_contact *c = &s.forth.contacts[0];
    CHECK_MSG(c->depth > 0.4f && c->depth < 0.7f, "depth %g", (double)c->depth);
}

/* A face that touches a ridge: edges of the face pass one side of the ridge from the front and the
 * other from behind, in one point, and neither of their ends is inside. Behind its end the body
 * goes on below the ridge.
 */
TEST(touching_a_ridge)
{
    solid a = {0}, b = box(1, 1, 1, 1);
    const double low[3] = {-1, -0.25, 0}, high[3] = {3, 0.25, 1};
    solid_add_box(&a, low, high, 2);
    for (uint32_t v = 0; v < a.vertex_count; v++) {
        float *p = a.positions + 3 * v, u = p[0], w = p[2], down = u > 1 ? 2 : 0;
        p[0] = 1 + u + w - down;
        p[2] = 1 - u + w - down;
    }
    OWN(scene) s = scene_make("a face on a ridge", &a, &b, NULL);
    place here = place_at(0, 0, 0);
    place_both(&s, &here, &here);
    REQUIRE(s.forth.count == 1 && s.back.count == 1);
    const graze_contact *c = &s.forth.contacts[0], *d = &s.back.contacts[0];
    CHECK_MSG(c->depth < 1e-6f && d->depth < 1e-6f, "depth %g, %g", (double)c->depth,
              (double)d->depth);
    CHECK(c->normal[0] > 0.6f && c->normal[2] > 0.6f && d->normal[0] < -0.6f);
}

/* Copies of a vertex that follow different joints: the bottom of a box comes off, and its corners
 * are in two places at once, both of which count.
 */
TEST(copies_of_a_vertex_may_part)
{
    OWN(solid) a = box(1, 1, 1, 1), b = plate(4, 4, 1);
    graze_influence influences[24];
    uint32_t offsets[25];
    graze_model_def def = {0};
    graze_model *models[2];
    graze_body *bodies[2] = {NULL, solid_body(&b, NULL, &models[1])};
    contact_set found;
    REQUIRE(a.vertex_count == 24);
    for (uint32_t v = 0; v < 25; v++) {
        offsets[v] = v;
        if (v < 24) /* the fifth face is the bottom */
            influences[v] = (graze_influence){v / 4 == 4, 1};
    }
    def.positions = a.positions;
    def.vertex_count = a.vertex_count;
    def.triangles = a.triangles;
    def.triangle_count = a.triangle_count;
    def.joint_count = 2;
    def.influence_offsets = offsets;
    def.influences = influences;
    REQUIRE(!graze_model_create(&def, &models[0], NULL) &&
            !graze_body_create(models[0], &bodies[0], NULL) &&
            contact_set_open(&found, models[0], models[1], NULL));
    const float joints[24] = {1, 0, 0, 0.1f, 0, 1, 0, 0.2f, 0, 0, 1, 0.75f,
                              1, 0, 0, 0.1f, 0, 1, 0, 0.2f, 0, 0, 1, 0.5f};
    graze_pose posed = {.joints = joints, .joint_count = 2};
    CHECK(!graze_body_set_pose(bodies[0], &posed, NULL));
    CHECK(!contact_set_find(&found, bodies[0], bodies[1], NULL, NULL));
    REQUIRE(found.count == 1);
    CHECK_MSG(fabs(found.contacts[0].depth - 0.5) < 1e-6, "depth %g",
              (double)found.contacts[0].depth);
    contact_set_free(&found);
    for (int side = 0; side < 2; side++) {
        graze_body_destroy(bodies[side]);
        graze_model_destroy(models[side]);
    }
}

TEST(contacts_may_be_split_by_body_parts)
{
    /* A wall of two halves, each a part of its own, with the vertices between them in common. */
    solid a = {0}, b = {0};
    graze_contact_finder_def def = {0};
    solid_add_ball(&a, 1, 24);
    solid_add_sheet(&b, 4, 4, 2);
    b.part_count = 2;
    for (uint32_t t = 0; t < b.triangle_count; t++)
        b.groups[t] = t < b.triangle_count / 2;
    solid copies[2] = {{0}, {0}};
    solid_add_ball(&copies[0], 1, 24);
    solid_add_sheet(&copies[1], 4, 4, 2);
    copies[1].part_count = 2;
    memcpy(copies[1].groups, b.groups, b.triangle_count * sizeof *b.groups);

    OWN(scene) joined = scene_make("joined over parts", &a, &b, &def);
    def.split_by_part = true;
    OWN(scene) split = scene_make("split by parts", &copies[0], &copies[1], &def);
    place at_a = place_at(-0.21, 0.03, 0.7), at_b = place_at(0, 0, 0);
    place_both(&joined, &at_a, &at_b);
    place_both(&split, &at_a, &at_b);
    REQUIRE(joined.forth.count == 1 && split.forth.count == 2);
    const graze_contact *whole = &joined.forth.contacts[0];
    const graze_contact_details *whole_details = &joined.forth.details[0];
    CHECK(whole->parts[1] == 1 && whole_details->closed);
    uint32_t pairs = 0;
    double length = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const graze_contact *c = &split.forth.contacts[i];
        const graze_contact_details *d = &split.forth.details[i];
        size_t count;
        const graze_contact_segment *segments = graze_contact_segments(split.forth.finder, &count);
        for (uint32_t k = d->first_segment; k < d->first_segment + c->pair_count; k++)
            CHECK(graze_model_triangle_part(split.models[1], segments[k].b) == c->parts[1]);
        pairs += c->pair_count;
        length += d->length;
        CHECK(!d->closed && c->normal[2] > 0.9f);
    }
    CHECK(pairs == whole->pair_count && fabs(length - whole_details->length) < 1e-5);
}

/* ---- open surfaces ------------------------------------------------------------------------- */

TEST(a_ball_in_a_sheet)
{
    solid a = ball(32), b = {0};
    solid_add_sheet(&b, 3, 3, 10);
    OWN(scene) s = scene_make("ball in a sheet", &a, &b, NULL);
    place at_a = place_turned((double[3]){1, 1, 0}, 0.3, 0.1, 0.2, 0.7), at_b = place_at(0, 0, 0);
    truth t = {1, 0.3, flatness(32), {0, 0, 1}, 1e-5, true, true};
    check_scene(&s, &at_a, &at_b, &t);

    /* Over the border the curve is open, and what is behind the sheet is also before it. */
    at_a.m[0][3] = 2.9;
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 1);
    const graze_contact *c = &s.forth.contacts[0];
    const graze_contact_details *d = &s.forth.details[0];
    CHECK(!d->closed && !d->full_depth && c->depth > 0 && c->depth < 0.5f);
    CHECK(c->normal[2] > 0.5f);
}

/* Larger inner parts than allowed are not walked through. */
TEST(inner_parts_are_limited)
{
    graze_contact_finder_def def = {0};
    for (int i = 0; i < 2; i++) {
        solid a = ball(32), b = plate(3, 3, 1);
        def.max_inside = i ? 100000 : 100;
        OWN(scene) s = scene_make(i ? "unlimited" : "limited", &a, &b, &def);
        place at_a = place_at(0.1, 0.2, 0), at_b = place_at(0, 0, 0);
        graze_stats stats = {0};
        pose(s.bodies[0], &at_a);
        pose(s.bodies[1], &at_b);
        CHECK(!contact_set_find(&s.forth, s.bodies[0], s.bodies[1], &stats, NULL));
        REQUIRE(s.forth.count == 1);
        const graze_contact *c = &s.forth.contacts[0];
        const graze_contact_details *d = &s.forth.details[0];
        CHECK(d->full_depth == (i == 1));
        CHECK(i ? fabs(c->depth - 1) < flatness(32) : c->depth > 0 && c->depth < 0.2f);
    }
}

/* A part that was given up on the way from one contact is not whole when it is met from another. */
TEST(a_part_is_given_up_for_all_contacts)
{
    solid a = {0}, b = plate(2, 2, 3);
    double profile[60][2] = {{0, -3}};
    for (int i = 1; i < 59; i++) {
        profile[i][0] = 0.5;
        profile[i][1] = -3 + 0.1 * (i - 1);
    }
    profile[59][1] = profile[58][1];
    solid_add_round(&a, (const double(*)[2])profile, 60, 30);
    graze_contact_finder_def def = {0};
    def.max_inside = 400; /* of 600 */
    OWN(scene) s = scene_make("rod of many rings", &a, &b, &def);
    place at_a = place_at(0.3, 0.2, 0.05), at_b = place_at(0, 0, 0);
    place_both(&s, &at_a, &at_b);
    REQUIRE(s.forth.count == 2);
    for (uint32_t i = 0; i < 2; i++) {
        const graze_contact *c = &s.forth.contacts[i];
        const graze_contact_details *d = &s.forth.details[i];
        CHECK(!d->full_depth && c->depth > 0 && c->depth < 0.1f);
    }
}
