/* Contacts part by part: the parts that meet are those of brute force, exchanging the bodies only
 * negates normals, each vertex is posed once, and depths of balls and simple shapes are right.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/couple.h"
#include "support/finders.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include "scenes/synth.h"

#include <graze/ext/inspect.h>
#include <graze/graze.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 4 };

/* Small characters and a ball, made once: making takes long. */
static const graze_rig *get_rig(int number)
{
    static const graze_synth_def defs[KINDS] = {{GRAZE_SYNTH_DWARF, 600, 0},
                                                {GRAZE_SYNTH_ROBOT, 1000, 0},
                                                {GRAZE_SYNTH_ROBOT_SKINNED, 1000, 0},
                                                {GRAZE_SYNTH_BALL, 0, 0}};
    static graze_rig *rigs[KINDS];
    if (!rigs[number] && graze_synth(&defs[number], NULL, &rigs[number], NULL))
        abort();
    return rigs[number];
}

/* ---- characters -------------------------------------------------------------------------------
 */

typedef struct part_counts {
    const graze_model *model;
    uint32_t groups;
    uint32_t *counts; /* of pairs, groups x groups */
} part_counts;

static bool count_pairs(void *user, const graze_pair *pairs, size_t count)
{
    part_counts *p = user;
    for (size_t i = 0; i < count; i++)
        p->counts[graze_model_triangle_part(p->model, pairs[i].a) * p->groups +
                  graze_model_triangle_part(p->model, pairs[i].b)]++;
    return true;
}

/* Every pair of parts with triangles that meet has its contact, with their number. */
static uint32_t compare_with_brute_force(couple *c, const part_finder *finder)
{
    uint32_t groups = graze_model_get_info(c->model).part_count, known = 0;
    part_counts brute = {c->model, groups, calloc((size_t)groups * groups, sizeof(uint32_t))};
    CHECK(brute.counts && !graze_pairs(c->bodies[0], c->bodies[1],
                                       &(graze_pair_list){.report = count_pairs, .user = &brute},
                                       &(graze_options){.method = GRAZE_BRUTE}, NULL));
    for (uint32_t i = 0; brute.counts && i < part_finder_count(finder); i++) {
        const graze_contact *contact = part_finder_get(finder, i);
        uint32_t *count = &brute.counts[contact->parts[0] * groups + contact->parts[1]];
        CHECK(contact->pair_count == *count);
        CHECK((contact->triangles[0] == UINT32_MAX) == (contact->pair_count == 0));
        CHECK(!contact->pair_count ||
              (graze_model_triangle_part(c->model, contact->triangles[0]) == contact->parts[0] &&
               graze_model_triangle_part(c->model, contact->triangles[1]) == contact->parts[1]));
        known += *count > 0;
        *count = 0;
    }
    for (uint32_t i = 0; brute.counts && i < groups * groups; i++)
        CHECK_MSG(!brute.counts[i], "parts %u and %u meet", i / groups, i % groups);
    free(brute.counts);
    return known;
}

static bool same(const float *a, const float *b, float sign)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != sign * b[k])
            return false;
    return true;
}

static bool is_exchanged(const graze_contact *x, const graze_contact *y)
{
    return x->parts[0] == y->parts[1] && x->parts[1] == y->parts[0] && x->depth == y->depth &&
           x->pair_count == y->pair_count && same(x->point, y->point, 1) &&
           same(x->normal, y->normal, -1) && x->triangles[0] == y->triangles[1] &&
           x->triangles[1] == y->triangles[0];
}

/* Asks both ways round, and compares; the number of contacts. */
static uint32_t compare_exchanged(couple *c, part_finder *finder, part_finder *other)
{
    CHECK(!part_finder_find(finder, &c->sides[0], &c->sides[1], NULL, NULL));
    CHECK(!part_finder_find(other, &c->sides[1], &c->sides[0], NULL, NULL));
    uint32_t count = part_finder_count(finder);
    CHECK(count == part_finder_count(other));
    for (uint32_t i = 0; i < count; i++) {
        const graze_contact *x = part_finder_get(finder, i);
        bool found = false;
        for (uint32_t k = 0; k < count && !found; k++)
            found = is_exchanged(x, part_finder_get(other, k));
        CHECK_MSG(found, "parts %u and %u, depth %g", x->parts[0], x->parts[1], (double)x->depth);
    }
    return count;
}

static void check_contact(const graze_contact *contact)
{
    double length2 = 0;
    for (int k = 0; k < 3; k++)
        length2 += (double)contact->normal[k] * (double)contact->normal[k];
    CHECK_MSG(fabs(length2 - 1) < 1e-5, "normal of length %g", sqrt(length2));
    CHECK(contact->depth >= 0 && isfinite(contact->point[0]));
}

TEST(exchanging_the_bodies_negates_normals_and_nothing_else)
{
    const char *cases = getenv("GRAZE_TEST_CASES"); /* 100000 for the record */
    uint32_t amount = cases ? (uint32_t)atoi(cases) : test_amount(1500, 120), contacts = 0;
    test_random random = test_random_seed(5);
    uint32_t tried = 0;
    for (int kind = 0; kind < 3; kind++) {
        const graze_rig *rig = get_rig(kind);
        part_finder *finders[2] = {NULL, NULL};
        OWN(couple) c = {0};
        REQUIRE(couple_open(&c, rig, kind == 2 ? 0 : 5));
        for (int i = 0; i < 2; i++)
            REQUIRE(!part_finder_create(NULL, &finders[i], NULL));
        double middle[3];
        double size = test_extent(rig->positions, rig->vertex_count, middle);
        for (uint32_t n = 0; n < amount / 3; n++, tried++) {
            REQUIRE(couple_pose(&c, n % 2, 0.4, n % 3, 0.5 * size, &random));
            for (uint32_t i = 0; i < 2; i++) /* some a mesh without */
                c.sides[i].hitboxes = n % 4 == 3 && i == n / 4 % 2 ? NULL : c.fit;
            contacts += compare_exchanged(&c, finders[0], finders[1]);
        }
        for (int i = 0; i < 2; i++)
            part_finder_destroy(finders[i]);
    }
    printf("%u cases, %u contacts\n", tried, contacts);
    CHECK(contacts > tried);
}

/* Some poses of two of a rig; the number of pairs of parts that meet. */
static uint32_t try_rig(const graze_rig *rig, const char *name, uint32_t poses, test_random *random)
{
    OWN(part_finder) *finder = NULL;
    double middle[3], size = test_extent(rig->positions, rig->vertex_count, middle);
    uint32_t met = 0;
    OWN(couple) c = {0};
    if (!couple_open(&c, rig, 4) || part_finder_create(NULL, &finder, NULL))
        return 0;
    for (uint32_t n = 0; n < poses; n++) {
        graze_error error = {.text = ""};
        for (int i = 0; i < 2; i++)
            couple_pose(&c, i, 0.3, n % 2, 0.2 * size, random);
        c.sides[1].hitboxes = n % 3 == 2 ? NULL : c.fit; /* a mesh without */
        CHECK_MSG(!part_finder_find(finder, &c.sides[0], &c.sides[1], NULL, &error), "%s: %s", name,
                  error.text);
        met += compare_with_brute_force(&c, finder);
        for (uint32_t i = 0; i < part_finder_count(finder); i++)
            check_contact(part_finder_get(finder, i));
    }
    return met;
}

TEST(parts_that_meet_are_those_of_brute_force)
{
    uint32_t count = 0, poses = test_amount(12, 3), met = 0;
    test_random random = test_random_seed(6);
    const test_rig *rigs = test_is_quick() ? NULL : test_rigs(&count);
    for (int kind = 0; kind < KINDS; kind++)
        met += try_rig(get_rig(kind), "procedural", poses, &random);
    for (uint32_t r = 0; r < count; r++)
        if (rigs[r].rig->triangle_count <= 6000)
            met += try_rig(rigs[r].rig, rigs[r].name, poses, &random);
    printf("%u pairs of parts that meet\n", met);
    CHECK(met > 5 * poses);
}

TEST(where_volumes_are_apart_nothing_is_posed)
{
    OWN(part_finder) *finder = NULL;
    graze_stats stats = {0};
    OWN(couple) c = {0};
    test_random random = test_random_seed(7);
    REQUIRE(couple_open(&c, get_rig(0), 3) && !part_finder_create(NULL, &finder, NULL));
    for (int i = 0; i < 2; i++)
        REQUIRE(couple_pose(&c, i, 0, true, 0, &random));
    float placement[12] = {1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {0};
    pose.placement = placement;
    REQUIRE(!graze_body_set_pose(c.bodies[1], &pose, NULL));
    REQUIRE(!graze_hitboxes_pose(c.fit, c.bodies[1], c.volumes[1],
                                 graze_hitboxes_count(c.fit, NULL), NULL));
    graze_body_drop_caches(c.bodies[0]);
    REQUIRE(!part_finder_find(finder, &c.sides[0], &c.sides[1], &stats, NULL));
    CHECK(part_finder_count(finder) == 0 && stats.bound_tests > 0);
    CHECK(stats.nodes_refit == 0 && stats.vertices_posed == 0 && stats.triangle_tests == 0);
    CHECK(part_finder_combined(finder).depth == 0);
}

TEST(a_second_partner_poses_nothing_again)
{
    OWN(part_finder) *finder = NULL;
    graze_stats first = {0}, again = {0};
    OWN(couple) c = {0};
    test_random random = test_random_seed(8);
    REQUIRE(couple_open(&c, get_rig(0), 3) && !part_finder_create(NULL, &finder, NULL));
    for (int i = 0; i < 2; i++) {
        REQUIRE(couple_pose(&c, i, 0.2, true, 0.05, &random));
        graze_body_drop_caches(c.bodies[i]);
    }
    REQUIRE(!part_finder_find(finder, &c.sides[0], &c.sides[1], &first, NULL));
    REQUIRE(!part_finder_find(finder, &c.sides[1], &c.sides[0], &again, NULL));
    CHECK(first.vertices_posed > 0 && again.vertices_posed == 0 && again.nodes_refit == 0);
}

/* ---- balls ------------------------------------------------------------------------------------
 */

/* Two balls of radius 0.15, each with one sphere of level 3 of its size. */
typedef struct balls {
    const graze_rig *rig;
    graze_model *model;
    graze_hitboxes *fit;
    graze_body *bodies[2];
    graze_capsule volumes[2][2];
    graze_posed_hitboxes sides[2];
    part_finder *finder;
} balls;

#define BALL 0.15f

static bool open_balls(balls *b)
{
    memset(b, 0, sizeof *b);
    b->rig = get_rig(3);
    graze_model_def def = graze_rig_model_def(b->rig);
    graze_hitboxes_def fit_def = {0};
    graze_hitbox_def volume = {0};
    double middle[3];
    test_extent(b->rig->positions, b->rig->vertex_count, middle);
    volume.inner = true;
    volume.rest.radius = BALL;
    for (int k = 0; k < 3; k++)
        volume.rest.p[k] = volume.rest.q[k] = (float)middle[k];
    fit_def.given = &volume;
    fit_def.given_count = 1;
    bool ok = !graze_model_create(&def, &b->model, NULL) &&
              !graze_hitboxes_create(b->model, &fit_def, &b->fit, NULL) &&
              !part_finder_create(NULL, &b->finder, NULL);
    for (int i = 0; ok && i < 2; i++) {
        ok = !graze_body_create(b->model, &b->bodies[i], NULL);
        b->sides[i] = (graze_posed_hitboxes){b->fit, b->bodies[i], b->volumes[i]};
    }
    CHECK(ok && graze_hitboxes_count(b->fit, NULL) == 2);
    return ok;
}

static void close_balls(balls *b)
{
    part_finder_destroy(b->finder);
    for (int i = 0; i < 2; i++)
        graze_body_destroy(b->bodies[i]);
    graze_hitboxes_destroy(b->fit);
    graze_model_destroy(b->model);
}

OWN_VALUE(balls, close_balls)

/* With its middle at x y z, scaled. */
static void put_ball(balls *b, int which, float x, float y, float z, float scale)
{
    double middle[3];
    test_extent(b->rig->positions, b->rig->vertex_count, middle);
    float placement[12] = {scale, 0,     0,     x - scale * (float)middle[0],
                           0,     scale, 0,     y - scale * (float)middle[1],
                           0,     0,     scale, z - scale * (float)middle[2]};
    graze_pose pose = {0};
    pose.placement = placement;
    CHECK(!graze_body_set_pose(b->bodies[which], &pose, NULL));
    CHECK(!graze_hitboxes_pose(b->fit, b->bodies[which], b->volumes[which], 2, NULL));
}

static bool is_near(const float v[3], double x, double y, double z, double within)
{
    return fabs((double)v[0] - x) < within && fabs((double)v[1] - y) < within &&
           fabs((double)v[2] - z) < within;
}

TEST(balls_that_overlap_are_as_deep_as_they_overlap)
{
    OWN(balls) b = {0};
    REQUIRE(open_balls(&b));
    put_ball(&b, 0, 0, 0, 0, 1);
    put_ball(&b, 1, 0.25f, 0, 0, 1);
    REQUIRE(!part_finder_find(b.finder, &b.sides[0], &b.sides[1], NULL, NULL));
    REQUIRE(part_finder_count(b.finder) == 1);
    const graze_contact *contact = part_finder_get(b.finder, 0);
    CHECK(contact->pair_count > 0 && contact->parts[0] == 0 && contact->parts[1] == 0);
    /* The mesh is 1 mm smaller than its sphere at most. */
    CHECK_MSG(fabs((double)contact->depth - 0.05) < 1.5e-3, "depth %g", (double)contact->depth);
    CHECK(is_near(contact->normal, -1, 0, 0, 0.02) && is_near(contact->point, 0.125, 0, 0, 2e-3));
    CHECK(part_finder_combined(b.finder).depth == contact->depth);
    CHECK(!part_finder_get(b.finder, 1) && !part_finder_get(NULL, 0));
    put_ball(&b, 1, 0.301f, 0, 0, 1);
    REQUIRE(!part_finder_find(b.finder, &b.sides[0], &b.sides[1], NULL, NULL));
    CHECK(part_finder_count(b.finder) == 0);
}

TEST(a_ball_wholly_inside_another_is_found)
{
    OWN(balls) b = {0};
    REQUIRE(open_balls(&b));
    put_ball(&b, 0, 0.05f, 0, 0, 0.1f);
    put_ball(&b, 1, 0, 0, 0, 1);
    REQUIRE(!part_finder_find(b.finder, &b.sides[0], &b.sides[1], NULL, NULL));
    REQUIRE(part_finder_count(b.finder) == 1);
    const graze_contact *contact = part_finder_get(b.finder, 0);
    CHECK(contact->pair_count == 0 && contact->triangles[0] == UINT32_MAX);
    /* Its far side is 0.115 from the surface. */
    CHECK_MSG(fabs((double)contact->depth - 0.115) < 2e-3, "depth %g", (double)contact->depth);
    CHECK(is_near(contact->normal, 1, 0, 0, 0.05));
}

TEST(simple_shapes_are_as_deep_as_they_overlap)
{
    OWN(balls) b = {0};
    REQUIRE(open_balls(&b));
    put_ball(&b, 0, 1, 2, 3, 1);
    const float centre[3] = {1.3f, 2, 3}, half[3] = {0.2f, 1, 1}, up[3] = {0, 2, 0};
    const float p[3] = {1, 1, 2.8f}, q[3] = {1, 3, 2.8f};
    const struct {
        graze_shape shape;
        double depth, normal[3];
    } cases[] = {
        {graze_shape_sphere(centre, 0.17f), 0.02, {-1, 0, 0}},
        {graze_shape_capsule(p, q, 0.07f), 0.02, {0, 0, 1}},
        {graze_shape_box(centre, half, NULL), 0.05, {-1, 0, 0}},
        {graze_shape_half_space(up, 2 * 1.91f), 0.06, {0, 1, 0}},
        {graze_shape_half_space(up, 2 * 2.5f), 0.65, {0, 1, 0}}, /* wholly inside */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        graze_error error = {.text = ""};
        CHECK_MSG(!part_finder_touch(b.finder, &b.sides[0], &cases[i].shape, NULL, &error), "%s",
                  error.text);
        REQUIRE(part_finder_count(b.finder) == 1);
        const graze_contact *contact = part_finder_get(b.finder, 0);
        CHECK_MSG(fabs((double)contact->depth - cases[i].depth) < 1.5e-3, "case %zu: depth %g", i,
                  (double)contact->depth);
        CHECK(is_near(contact->normal, cases[i].normal[0], cases[i].normal[1], cases[i].normal[2],
                      0.05));
        CHECK(contact->triangles[1] == UINT32_MAX && contact->parts[1] == 0);
        CHECK(contact->pair_count > 0);
    }
    const float far[3] = {9, 9, 9};
    graze_shape away = graze_shape_sphere(far, 1), plane = graze_shape_plane(up, 1);
    REQUIRE(!part_finder_touch(b.finder, &b.sides[0], &away, NULL, NULL));
    CHECK(part_finder_count(b.finder) == 0);
    CHECK(part_finder_touch(b.finder, &b.sides[0], &plane, NULL, NULL) == GRAZE_UNSUPPORTED);
}

/* ---- bad input --------------------------------------------------------------------------------
 */

TEST(bad_input_is_refused)
{
    OWN(balls) b = {0};
    OWN(couple) c = {0};
    graze_error error = {.text = ""};
    REQUIRE(open_balls(&b) && couple_open(&c, get_rig(0), 0));
    put_ball(&b, 0, 0, 0, 0, 1);
    put_ball(&b, 1, 0.1f, 0, 0, 1);
    graze_posed_hitboxes bad = b.sides[0];
    bad.body = c.bodies[0];
    CHECK(part_finder_find(b.finder, &bad, &b.sides[1], NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "a: the body is of another model"));
    CHECK(part_finder_find(b.finder, &b.sides[1], &bad, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "b: the body is of another model"));
    CHECK(part_finder_find(b.finder, &b.sides[0], &b.sides[0], NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "same body"));
    for (int i = 0; i < 3; i++) {
        bad = b.sides[0];
        graze_posed_hitboxes other = b.sides[1];
        if (i == 0) /* one alone may be without */
            bad.hitboxes = other.hitboxes = NULL;
        if (i == 1)
            bad.body = NULL;
        if (i == 2)
            bad.capsules = NULL;
        CHECK(part_finder_find(b.finder, &bad, &other, NULL, &error) == GRAZE_BAD_INPUT &&
              strstr(error.text, i ? "is NULL" : "neither body has hitboxes"));
        graze_shape shape = graze_shape_sphere((const float[3]){0, 0, 0}, 1);
        CHECK(part_finder_touch(b.finder, &bad, &shape, NULL, &error) == GRAZE_BAD_INPUT);
    }
    graze_shape negative = graze_shape_sphere((const float[3]){0, 0, 0}, -1);
    CHECK(part_finder_touch(b.finder, &b.sides[0], &negative, NULL, &error) == GRAZE_BAD_INPUT);
}

static graze_status find_contacts(const graze_allocator *allocator, void *about, graze_error *error)
{
    couple *c = about;
    OWN(part_finder) *finder = NULL;
    graze_status status = part_finder_create(allocator, &finder, error);
    if (!status)
        status = part_finder_find(finder, &c->sides[0], &c->sides[1], NULL, error);
    CHECK(status ? part_finder_count(finder) == 0 : part_finder_count(finder) > 4);
    return status;
}

TEST(every_allocation_fails_once)
{
    test_random random = test_random_seed(9);
    OWN(couple) c = {0};
    test_memory memory = {.calls = 0};
    REQUIRE(couple_open(&c, get_rig(0), 3));
    for (int i = 0; i < 2; i++)
        REQUIRE(couple_pose(&c, i, 0.2, true, 0.02, &random));
    CHECK(test_fail_each(&memory, find_contacts, &c, 100) > 4);
}
