/* Points of contacts, and reactions: what any engine can take. */
#include "harness.h"

#include "scenes/reactions.h"
#include "support/allocator.h"
#include "support/finders.h"
#include "support/own.h"
#include "support/rigid.h"
#include "support/solids.h"

#include <graze/ext/response.h>
#include <graze/graze.h>

#include <math.h>
#include <string.h>

static graze_world *open_world(graze_level level)
{
    graze_world *world = NULL;
    graze_world_rule rule = {0};
    rule.contacts = true;
    rule.level = level;
    CHECK(!graze_world_create(NULL, &world, NULL));
    CHECK(!graze_world_set_rule(world, 0, 0, &rule, NULL));
    return world;
}

static point_finder *open_points(void)
{
    point_finder *points = NULL;
    CHECK(!point_finder_create(NULL, &points, NULL));
    return points;
}

/* The points of the only event between two shapes. */
static size_t points_of(const graze_shape *a, const graze_shape *b, point_finder *points,
                        const graze_contact **found)
{
    OWN(graze_world) *world = open_world(GRAZE_LEVEL_EXACT);
    graze_world_id ids[2];
    size_t count = 0, events;
    CHECK(!graze_world_add_shape(world, a, NULL, &ids[0], NULL));
    CHECK(!graze_world_add_shape(world, b, NULL, &ids[1], NULL));
    CHECK(!graze_world_update(world, NULL, NULL));
    const graze_world_event *event = graze_world_events(world, &events);
    CHECK(events == 1);
    if (events == 1)
        CHECK(!point_finder_find(points, world, event, 0, NULL));
    *found = point_finder_list(points, &count);
    return count;
}

static bool has_point(const graze_contact *points, size_t count, double x, double z)
{
    for (size_t i = 0; i < count; i++)
        if (hypot(points[i].point[0] - x, points[i].point[2] - z) < 1e-5)
            return true;
    return false;
}

TEST(a_box_on_the_ground_stands_on_its_four_corners)
{
    OWN(point_finder) *points = open_points();
    const graze_contact *found;
    graze_shape ground =
        graze_shape_half_space((const float[]){0, 2, 0}, 0); /* not a unit normal */
    graze_shape box =
        graze_shape_box((const float[]){0.5f, 0.48f, 0}, (const float[]){0.3f, 0.5f, 0.2f}, NULL);
    for (int turned = 0; turned < 2; turned++) {
        size_t count = turned ? points_of(&ground, &box, points, &found)
                              : points_of(&box, &ground, points, &found);
        CHECK(count == 4);
        for (size_t i = 0; i < count; i++) {
            CHECK_MSG(fabs(found[i].depth - 0.02) < 1e-6, "depth %g", (double)found[i].depth);
            CHECK(found[i].normal[1] == (turned ? -1 : 1));
            CHECK(found[i].number == 0 && found[i].triangles[0] == UINT32_MAX);
        }
        for (int c = 0; c < 4; c++)
            CHECK(has_point(found, count, 0.5 + (c % 2 ? 0.3 : -0.3), c / 2 ? 0.2 : -0.2));
    }
}

TEST(a_box_on_the_edge_of_another_stands_where_both_are)
{
    OWN(point_finder) *points = open_points();
    const graze_contact *found;
    graze_shape low = graze_shape_box((const float[]){0, 0, 0}, (const float[]){1, 0.5f, 1}, NULL);
    graze_shape high =
        graze_shape_box((const float[]){1, 0.99f, 0}, (const float[]){0.5f, 0.5f, 0.25f}, NULL);
    size_t count = points_of(&low, &high, points, &found);
    CHECK(count == 4);
    for (int c = 0; c < 4; c++)
        CHECK(has_point(found, count, c % 2 ? 1 : 0.5, c / 2 ? 0.25 : -0.25));
    for (size_t i = 0; i < count; i++)
        CHECK(fabs(found[i].depth - 0.01) < 1e-6);
}

TEST(a_capsule_lies_on_both_ends_and_a_ball_on_one_point)
{
    OWN(point_finder) *points = open_points();
    const graze_contact *found;
    graze_shape ground = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    graze_shape capsule =
        graze_shape_capsule((const float[]){-1, 0.09f, 0}, (const float[]){1, 0.08f, 0}, 0.1f);
    graze_shape ball = graze_shape_sphere((const float[]){0, 0.09f, 0}, 0.1f);
    size_t count = points_of(&capsule, &ground, points, &found);
    CHECK(count == 2 && has_point(found, count, -1, 0) && has_point(found, count, 1, 0));
    if (count == 2) /* the deeper end first */
        CHECK(fabs(found[0].depth - 0.02) < 1e-6 && fabs(found[1].depth - 0.01) < 1e-6);
    count = points_of(&ball, &ground, points, &found);
    CHECK(count == 1 && fabs(found[0].depth - 0.01) < 1e-6);
}

/* A block of eight corners as a body: its triangles against shapes. */
static graze_body *open_block(graze_model **model)
{
    static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                        {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
    static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    graze_model_def def = {0};
    graze_body *body = NULL;
    def.positions = corners[0];
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = 12;
    def.joint_count = 1;
    CHECK(!graze_model_create(&def, model, NULL) && !graze_body_create(*model, &body, NULL));
    return body;
}

TEST(triangles_touch_with_points_that_are_spread_and_a_margin_finds_what_is_near)
{
    OWN(point_finder) *points = open_points();
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = open_block(&model);
    size_t count;
    graze_shape ground = graze_shape_half_space((const float[]){0, 1, 0}, 0.01f);
    CHECK(!point_finder_touch(points, body, &ground, 0, NULL));
    const graze_contact *found = point_finder_list(points, &count);
    CHECK(count == 4);
    for (int c = 0; c < 4; c++)
        CHECK(has_point(found, count, c % 2, c / 2));
    for (size_t i = 0; i < count; i++)
        CHECK(found[i].normal[1] == 1 && fabs(found[i].depth - 0.01) < 1e-6 &&
              found[i].triangles[0] < 12 && found[i].triangles[1] == UINT32_MAX);

    ground = graze_shape_half_space((const float[]){0, 1, 0}, -0.02f);
    CHECK(!point_finder_touch(points, body, &ground, 0, NULL));
    CHECK(!point_finder_list(points, &count) && count == 0);
    CHECK(!point_finder_touch(points, body, &ground, 0.05f, NULL));
    found = point_finder_list(points, &count);
    CHECK(count == 4);
    for (size_t i = 0; i < count; i++)
        CHECK_MSG(fabs(found[i].depth + 0.02) < 1e-6, "depth %g", (double)found[i].depth);

    /* a box as large as a house is left through its nearest face, not by the way of its centre */
    graze_shape house =
        graze_shape_box((const float[]){-20, -10, 0.5f}, (const float[]){25, 10.01f, 30}, NULL);
    CHECK(!point_finder_touch(points, body, &house, 0, NULL));
    found = point_finder_list(points, &count);
    CHECK(count == 4);
    for (size_t i = 0; i < count; i++)
        CHECK_MSG(found[i].normal[1] > 0.999f && found[i].depth < 0.0101f, "%g %g %g, %g deep",
                  (double)found[i].normal[0], (double)found[i].normal[1],
                  (double)found[i].normal[2], (double)found[i].depth);
}

TEST(points_do_not_depend_on_the_tree)
{
    OWN(point_finder) *points = open_points();
    uint64_t first = 0;
    for (uint32_t patch = 1; patch <= 64; patch *= 4) {
        graze_tree_def tree = {0};
        tree.patch_triangles = patch;
        OWN(solid) ball = {0};
        solid_add_ball(&ball, 1, 12);
        graze_model_def def =
            test_rigid_def(ball.positions, ball.vertex_count, ball.triangles, ball.triangle_count);
        def.tree = tree;
        OWN(graze_model) *model = NULL;
        OWN(graze_body) *body = NULL;
        REQUIRE(!graze_model_create(&def, &model, NULL) && !graze_body_create(model, &body, NULL));
        graze_shape shape = graze_shape_sphere((const float[]){0.9f, 0.7f, 0.2f}, 0.4f);
        size_t count;
        CHECK(!point_finder_touch(points, body, &shape, 0.01f, NULL));
        const graze_contact *found = point_finder_list(points, &count);
        uint64_t hash = 14695981039346656037u;
        for (size_t i = 0; i < count * sizeof *found; i++)
            hash = (hash ^ ((const unsigned char *)found)[i]) * 1099511628211u;
        CHECK(count == 4);
        CHECK(patch == 1 || hash == first);
        first = hash;
    }
}

TEST(a_shape_that_is_put_somewhere_has_no_way_there)
{
    OWN(graze_world) *world = open_world(GRAZE_LEVEL_EXACT);
    graze_world_rule rule = {0};
    graze_world_id ball, wall;
    size_t count;
    graze_shape at = graze_shape_sphere((const float[]){-1, 0, 0}, 0.1f);
    graze_shape thin =
        graze_shape_box((const float[]){0, 0, 0}, (const float[]){0.01f, 1, 1}, NULL);
    graze_shape beyond = graze_shape_sphere((const float[]){1, 0, 0}, 0.1f);
    rule.motion = GRAZE_MOTION_CONTINUOUS;
    CHECK(!graze_world_set_rule(world, 0, 0, &rule, NULL));
    CHECK(!graze_world_add_shape(world, &at, NULL, &ball, NULL));
    CHECK(!graze_world_add_shape(world, &thin, NULL, &wall, NULL));
    CHECK(!graze_world_update(world, NULL, NULL));
    CHECK(!graze_world_teleport_shape(world, ball, &beyond, NULL));
    CHECK(!graze_world_update(world, NULL, NULL));
    graze_world_events(world, &count);
    CHECK_MSG(count == 0, "%zu events of what was put", count);
    CHECK(!graze_world_set_shape(world, ball, &at, NULL));
    CHECK(!graze_world_update(world, NULL, NULL));
    graze_world_events(world, &count);
    CHECK_MSG(count == 2, "%zu events of what moved", count);
    CHECK(graze_world_teleport_shape(world, (graze_world_id){9, 1}, &at, NULL) == GRAZE_BAD_INPUT);
}

static graze_status touch_points(const graze_allocator *allocator, void *about, graze_error *error)
{
    const graze_shape box =
        graze_shape_box((const float[]){0.5f, 0, 0.5f}, (const float[]){2, 0.1f, 2}, NULL);
    OWN(point_finder) *points = NULL;
    size_t count = 1;
    graze_status status = point_finder_create(allocator, &points, error);
    if (!status)
        status = point_finder_touch(points, about, &box, 0, error);
    point_finder_list(points, &count);
    CHECK(count == (status ? 0 : 4));
    return status;
}

TEST(every_allocation_of_points_may_fail)
{
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = open_block(&model);
    test_memory memory = {0};
    CHECK(test_fail_each(&memory, touch_points, body, 100) > 0);
}

TEST(bad_points_are_refused_in_words)
{
    OWN(point_finder) *points = open_points();
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *body = open_block(&model);
    graze_error error;
    graze_shape plane = graze_shape_plane((const float[]){0, 1, 0}, 0);
    graze_shape ball = graze_shape_sphere((const float[]){0, 0, 0}, 1);
    CHECK(point_finder_touch(points, body, &plane, 0, &error) == GRAZE_UNSUPPORTED);
    CHECK(point_finder_touch(points, body, &ball, -1, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "margin is -1"));
    CHECK(point_finder_touch(points, body, &ball, NAN, &error) == GRAZE_BAD_INPUT);
    OWN(graze_world) *world = open_world(GRAZE_LEVEL_EXACT);
    graze_contact contact = {.normal = {0, 1, 0}};
    graze_world_event event = {.contact_count = 1, .contacts = &contact};
    CHECK(point_finder_find(points, world, &event, 0, &error) == GRAZE_BAD_INPUT &&
          strstr(error.text, "not in the world"));
}

/* ---- reactions ------------------------------------------------------------------------------ */

static graze_part_names *open_parts(void)
{
    static const graze_part_def defs[4] = {{.name = "body"},
                                           {.name = "arm", .inside = true, .parent = 0},
                                           {.name = "hand", .inside = true, .parent = 1},
                                           {.name = "head", .inside = true, .parent = 0}};
    graze_part_names_def def = {.parts = defs, .part_count = 4};
    graze_part_names *parts = NULL;
    CHECK(!graze_part_names_create(&def, &parts, NULL));
    return parts;
}

TEST(a_reaction_is_chosen_by_part_side_and_impulse)
{
    enum { BODY, ARM, HAND, HEAD };
    OWN(graze_part_names) *parts = open_parts();
    const grazei_reaction rows[] = {{NULL, GRAZEI_HIT_ANYWHERE, 50, 0, true},
                                    {"head", GRAZEI_HIT_FRONT, 5, 1, false},
                                    {"arm", GRAZEI_HIT_ANYWHERE, 2, 2, false},
                                    {NULL, GRAZEI_HIT_BACK, 2, 3, false}};
    static const struct {
        uint32_t part;
        float push[3], impulse;
        uint32_t row;
    } cases[] = {{HEAD, {0, 0, -1}, 60, 0},   /* above all: the engine takes over */
                 {HEAD, {0.1f, 0, -1}, 6, 1}, /* pushed back: it came from the front */
                 {HEAD, {0, 0, -1}, 4, 4},    /* too weak */
                 {HEAD, {0, 0, 1}, 6, 3},     /* from behind */
                 {HAND, {1, 0, 0}, 3, 2},     /* the hand is of the arm */
                 {BODY, {1, 0, 0}, 3, 4},     /* from the side there is none */
                 {BODY, {0, 0.5f, 1}, 3, 3},  {BODY, {0, -1, 0.5f}, 3, 4}, /* from above */
                 {BODY, {0, 0, 0}, 3, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t row =
            grazei_choose_reaction(parts, rows, 4, cases[i].part, cases[i].push, cases[i].impulse);
        CHECK_MSG(row == cases[i].row, "case %zu: row %u, not %u", i, row, cases[i].row);
    }
    const grazei_reaction wrong = {"leg", GRAZEI_HIT_ANYWHERE, 0, 0, false};
    CHECK(grazei_choose_reaction(parts, &wrong, 1, 0, cases[0].push, 1) == 1);
}
