/* Worlds: many things in strips, masks and given positions, user data, bad input, memory. Events of
 * random worlds are in test_world_events.c, two shapes in test_world_shapes.c, solid bodies in
 * test_world_inside.c.
 */
#include "harness.h"

#include "support/allocator.h"
#include "support/own.h"
#include "support/solids.h"
#include "support/soup_pair.h"

#include <graze/ext/world.h>
#include <graze/graze.h>

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Many small spheres in strips: all pairs by their distances. */
TEST(many_spheres_in_strips)
{
    enum { COUNT = 1500 };
    static graze_world_id ids[COUNT];
    static graze_shape shapes[COUNT];
    test_random random = test_random_seed(77);
    OWN(graze_world) *world = NULL;
    size_t expected = 0, count = 0;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    for (uint32_t frame = 0; frame < 4; frame++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            float centre[3];
            for (int k = 0; k < 3; k++)
                centre[k] = (float)test_random_range(&random, -10, 10) * (k == 1 ? 0.1f : 1);
            /* A few reach over many strips. */
            shapes[i] = graze_shape_sphere(centre, i % 300 ? 0.2f : 3.0f);
            CHECK((frame ? graze_world_set_shape(world, ids[i], &shapes[i], NULL)
                         : graze_world_add_shape(world, &shapes[i], NULL, &ids[i], NULL)) ==
                  GRAZE_OK);
        }
        REQUIRE(graze_world_update(world, NULL, NULL) == GRAZE_OK);
        const graze_world_event *events = graze_world_events(world, &count);
        size_t pairs = 0;
        for (size_t i = 0; i < count; i++)
            pairs += events[i].kind != GRAZE_EVENT_END;
        expected = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            for (uint32_t j = 0; j < i; j++) {
                double square = 0,
                       reach = (double)shapes[i].as.sphere.radius + shapes[j].as.sphere.radius;
                for (int k = 0; k < 3; k++) {
                    double d =
                        (double)shapes[i].as.sphere.centre[k] - shapes[j].as.sphere.centre[k];
                    square += d * d;
                }
                expected += square <= reach * reach;
            }
        CHECK_MSG(pairs == expected, "%zu meet, %zu expected", pairs, expected);
        CHECK(expected > 500);
    }
}

/* A body that stands still: a mask, other positions and the pose again each count at once. */
TEST(masks_and_given_positions_count)
{
    const float far_away[3] = {50, 0, 0}, zero[3] = {0, 0, 0};
    const uint32_t none = 0;
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    uint32_t vertices = pair.meshes[0].def.vertex_count;
    OWNED float *moved = malloc(3 * sizeof *moved * vertices);
    graze_shape here = graze_shape_sphere(zero, 5), there = graze_shape_sphere(far_away, 5);
    OWN(graze_world) *world = NULL;
    graze_world_id ids[3];
    size_t count = 0;
    REQUIRE(moved && graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_shape(world, &here, NULL, &ids[0], NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_shape(world, &there, NULL, &ids[1], NULL) == GRAZE_OK);
    REQUIRE(graze_world_add_body(world, pair.a, NULL, &ids[2], NULL) == GRAZE_OK);
    graze_body_get_positions(pair.a, moved);
    for (uint32_t v = 0; v < vertices; v++)
        moved[3 * v] += 50;
    for (int step = 0; step < 5; step++) {
        if (step == 1)
            CHECK(graze_body_set_part_mask(pair.a, &none, 4, NULL) == GRAZE_OK);
        if (step == 2)
            CHECK(graze_body_set_part_mask(pair.a, NULL, 0, NULL) == GRAZE_OK);
        if (step == 3)
            CHECK(graze_body_set_positions(pair.a, moved, 0, vertices, NULL) == GRAZE_OK);
        if (step == 4)
            CHECK(soup_pair_pose(&pair, 0, pair.a, 0) == GRAZE_OK);
        REQUIRE(graze_world_update(world, NULL, NULL) == GRAZE_OK);
        const graze_world_event *events = graze_world_events(world, &count);
        static const size_t counts[5] = {1, 1, 1, 2, 2};
        static const graze_event_kind firsts[5] = {GRAZE_EVENT_BEGIN, GRAZE_EVENT_END,
                                                   GRAZE_EVENT_BEGIN, GRAZE_EVENT_END,
                                                   GRAZE_EVENT_BEGIN};
        REQUIRE(count == counts[step]);
        CHECK(events[0].kind == firsts[step] && events[0].a.index == 0 && events[0].b.index == 2);
        if (count == 2)
            CHECK(events[1].a.index == 1 &&
                  events[1].kind == (step == 3 ? GRAZE_EVENT_BEGIN : GRAZE_EVENT_END));
        CHECK(events[0].kind == GRAZE_EVENT_END || events[0].pair_count == 2000);
    }
}

/* ---- bad input and memory ---- */

TEST(bad_input_is_refused)
{
    const float zero[3] = {0, 0, 0}, one[3] = {1, 1, 1};
    graze_shape ball = graze_shape_sphere(zero, 1), negative = graze_shape_sphere(zero, -1);
    graze_shape plane = graze_shape_plane(one, 0);
    OWN(soup_pair) pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    OWN(graze_world) *world = NULL;
    graze_world_id id, body_id, unused = {0};
    graze_error error;
    size_t count;
    graze_world_rule rule = {0};
    graze_world_member_def def = {0}, last = def, high = def, fit = def;
    graze_hitboxes_def fit_def = {0};
    OWN(graze_hitboxes) *other_fit = NULL;
    last.category = 63;
    high.category = 64;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    REQUIRE(graze_hitboxes_create(pair.models[1], &fit_def, &other_fit, NULL) == GRAZE_OK);
    fit.hitboxes = other_fit;
    CHECK(graze_world_set_rule(world, 64, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "category 64") != NULL);
    CHECK(graze_world_set_rule(world, 0, 64, &rule, NULL) == GRAZE_BAD_INPUT);
    rule.level = (graze_level)4;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "level") != NULL);
    rule.level = (graze_level)-1;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    rule = (graze_world_rule){0};
    rule.motion = (graze_motion_rule)4;
    CHECK(graze_world_set_rule(world, 0, 0, &rule, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "motion") != NULL);
    CHECK(graze_world_add_body(world, pair.a, &high, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &ball, &high, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &negative, NULL, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_shape(world, &plane, NULL, &id, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_add_shape(world, &ball, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_add_body(world, pair.a, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "hitboxes") != NULL);
    fit.hitboxes = NULL;
    fit.solid = true;
    CHECK(graze_world_add_body(world, pair.a, &fit, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "closed") != NULL);
    CHECK(graze_world_update(world, NULL, &error) == GRAZE_OK);
    CHECK(graze_world_events(world, &count) == NULL && count == 0);

    CHECK(graze_world_remove(world, unused, &error) == GRAZE_BAD_INPUT);
    last.user_data = &last;
    REQUIRE(graze_world_add_shape(world, &ball, &last, &id, NULL) == GRAZE_OK);
    CHECK(graze_world_user_data(world, id) == &last);
    CHECK(graze_world_user_data(world, unused) == NULL);
    REQUIRE(graze_world_add_body(world, pair.a, &last, &body_id, NULL) == GRAZE_OK);
    CHECK(graze_world_set_shape(world, id, &negative, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_set_shape(world, id, &plane, &error) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_set_shape(world, body_id, &ball, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_remove(world, unused, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_world_remove(world, id, NULL) == GRAZE_OK);
    CHECK(graze_world_set_shape(world, id, &ball, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "not in the world") != NULL);
    CHECK(graze_world_user_data(world, id) == NULL);

    /* The same body twice, until it was removed. */
    CHECK(graze_world_add_body(world, pair.a, NULL, &id, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "already") != NULL);
    CHECK(graze_world_remove(world, body_id, NULL) == GRAZE_OK);
    CHECK(graze_world_add_body(world, pair.a, NULL, &id, &error) == GRAZE_OK);
    CHECK(graze_world_update(world, NULL, &error) == GRAZE_OK);
    fesetround(FE_UPWARD);
    CHECK(graze_world_update(world, NULL, &error) == GRAZE_UNSUPPORTED);
    fesetround(FE_TONEAREST);
}

/* A question that is refused leaves no answer. */
TEST(bad_questions_are_refused)
{
    const float zero[3] = {0, 0, 0}, x[3] = {1, 0, 0}, far_away[3] = {0, 2e18f, 0};
    const graze_ray good = graze_ray_from(zero, x), bad = graze_ray_from(zero, zero);
    const graze_shape ball = graze_shape_sphere(zero, 1), plane = graze_shape_plane(x, 0);
    const graze_ray rays[3] = {good, good, bad};
    const graze_shape shapes[2] = {ball, plane};
    graze_budget budget = {0};
    const graze_options budgeted = {.budget = &budget}, brute = {.method = GRAZE_BRUTE};
    const graze_world_filter gone = {.except = {7, 3}}, odd = {.reserved = {1}};
    graze_world_hit hits[3];
    graze_world_hit_list list = {.capacity = 1};
    graze_world_touched_list lists[2] = {{.count = 1}, {.count = 1}};
    graze_world_nearest_point nearest;
    size_t count = 9;
    graze_error error;
    OWN(graze_world) *world = NULL;
    REQUIRE(graze_world_create(NULL, &world, NULL) == GRAZE_OK);
    CHECK(graze_world_cast(world, &good, NULL, hits, NULL, NULL) == GRAZE_OK && !hits->hit.found);
    hits[0].hit.found = true;
    CHECK(graze_world_cast_many(world, rays, 3, NULL, hits, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "ray 2") != NULL && !hits[0].hit.found);
    CHECK(graze_world_cast(world, &bad, NULL, hits, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_cast(world, NULL, NULL, hits, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_cast(NULL, &good, NULL, hits, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_cast(world, &good, NULL, NULL, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_cast(world, &good, &gone, hits, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "7.3") != NULL);
    CHECK(graze_world_cast(world, &good, &odd, hits, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_cast(world, &good, NULL, hits, &budgeted, NULL) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_cast_all(world, &good, NULL, &list, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_touch_many(world, shapes, 2, NULL, lists, NULL, &error) == GRAZE_UNSUPPORTED);
    CHECK(strstr(error.text, "shape 1") != NULL && !lists[0].count && !lists[1].count);
    CHECK(graze_world_nearest(world, far_away, 1, NULL, &nearest, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_nearest(world, zero, -1, NULL, &nearest, NULL, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_world_nearest(world, zero, 1, NULL, &nearest, &brute, NULL) == GRAZE_UNSUPPORTED);
    CHECK(graze_world_nearest(world, zero, 1, NULL, &nearest, NULL, NULL) == GRAZE_OK &&
          !nearest.found);
    CHECK(graze_world_inside(world, far_away, NULL, NULL, 0, &count, NULL, NULL) ==
              GRAZE_BAD_INPUT &&
          count == 0);
    fesetround(FE_UPWARD);
    CHECK(graze_world_cast(world, &good, NULL, hits, NULL, NULL) == GRAZE_UNSUPPORTED);
    fesetround(FE_TONEAREST);
}

/* Everything that takes memory: contacts of bodies and shapes, volumes, a solid body with a ball
 * inside.
 */
typedef struct company {
    soup_pair pair;
    graze_hitboxes *fit;
    graze_body *hollow;
    graze_motion_rule motion;
} company;

static graze_status fill(graze_world *world, company *c)
{
    const float zero[3] = {0, 0, 0}, up[3] = {0, 1, 0}, far_away[3] = {90, 0, 0};
    const graze_shape shapes[3] = {graze_shape_sphere(zero, 1), graze_shape_half_space(up, 0),
                                   graze_shape_sphere(far_away, 0.1f)};
    graze_body *bodies[3] = {c->pair.a, c->pair.end, c->pair.b};
    graze_world_rule rule = {0};
    graze_world_id id;
    graze_status status = GRAZE_OK;
    rule.contacts = true;
    for (uint32_t a = 0; a < 2 && !status; a++) {
        rule.level = a ? GRAZE_LEVEL_HITBOXES : GRAZE_LEVEL_EXACT;
        rule.motion = c->motion;
        status = graze_world_set_rule(world, a, 1, &rule, NULL);
        if (!status)
            status = graze_world_set_rule(world, a, 0, &rule, NULL);
    }
    for (uint32_t i = 0; i < 3 && !status; i++) {
        graze_world_member_def def = {.category = i != 2, .hitboxes = i == 2 ? NULL : c->fit};
        status = graze_world_add_body(world, bodies[i], &def, &id, NULL);
        if (!status)
            status = graze_world_add_shape(world, &shapes[i], NULL, &id, NULL);
    }
    graze_world_member_def filled = {.solid = true};
    return status ? status : graze_world_add_body(world, c->hollow, &filled, &id, NULL);
}

/* Every kind of question, which all find something. */
static graze_status ask(graze_world *world)
{
    const float rays[2][3] = {{80, 0.1f, 0.2f}, {1, 0, 0}}, centre[3] = {90, 0, 0};
    graze_ray ray = graze_ray_from(rays[0], rays[1]);
    graze_shape ball = graze_shape_sphere(centre, 95);
    graze_world_hit hit;
    graze_world_hit_list hits = {.capacity = 0};
    graze_world_touched_list touched = {.capacity = 0};
    graze_world_nearest_point nearest;
    size_t count = 0;
    graze_status status = graze_world_cast(world, &ray, NULL, &hit, NULL, NULL);
    if (!status)
        status = graze_world_cast_all(world, &ray, NULL, &hits, NULL, NULL);
    if (!status)
        status = graze_world_touch(world, &ball, NULL, &touched, NULL, NULL);
    if (!status)
        status = graze_world_nearest(world, centre, INFINITY, NULL, &nearest, NULL, NULL);
    if (!status)
        status = graze_world_inside(world, centre, NULL, NULL, 0, &count, NULL, NULL);
    CHECK(status ||
          (hit.hit.found && hits.total >= 2 && touched.total > 5 && nearest.found && count >= 2));
    return status;
}

static graze_status play(company *c, const graze_allocator *allocator, test_memory *memory,
                         uint64_t *when_warm)
{
    OWN(graze_world) *world = NULL;
    size_t count = 0;
    graze_status status = graze_world_create(allocator, &world, NULL);
    if (!status)
        status = fill(world, c);
    for (int i = 0; i < 4 && !status; i++) {
        if (i == 3)
            *when_warm = memory->calls;
        CHECK(soup_pair_pose(&c->pair, 0, c->pair.a, (uint32_t)i % 2) == GRAZE_OK);
        CHECK(soup_pair_pose(&c->pair, 0, c->pair.end, (uint32_t)i % 2 + 2) == GRAZE_OK);
        status = graze_world_update(world, NULL, NULL);
        if (!status) {
            const graze_world_event *events = graze_world_events(world, &count);
            uint32_t inside = 0, contacts = 0, parts = 0;
            for (size_t k = 0; k < count; k++) {
                inside += events[k].inside;
                contacts += events[k].contact_count > 0;
                parts += events[k].level == GRAZE_LEVEL_HITBOXES;
            }
            CHECK(inside == 1 && contacts == count - 1 && parts > 2 && parts < count);
            status = ask(world);
        }
    }
    return status;
}

/* The world and the models, whose bodies it keeps for the past, take memory from one place. */
static void check_memory(graze_motion_rule motion)
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    company c = {.pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, &allocator),
                 .motion = motion};
    const graze_hitboxes_def fit_def = {0};
    const float placement[12] = {1, 0, 0, 90, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {.placement = placement};
    graze_model *ball_model = NULL;
    solid ball = {0};
    uint64_t when_warm = 0;
    solid_add_ball(&ball, 1, 4);
    c.hollow = solid_body(&ball, &allocator, &ball_model);
    REQUIRE(graze_hitboxes_create(c.pair.models[0], &fit_def, &c.fit, NULL) == GRAZE_OK);
    REQUIRE(graze_body_set_pose(c.hollow, &pose, NULL) == GRAZE_OK);
    uint64_t before = memory.calls;
    int64_t alive = (int64_t)memory.alive;
    REQUIRE(play(&c, &allocator, &memory, &when_warm) == GRAZE_OK);
    uint64_t calls = memory.calls - before;
    CHECK(memory.calls == when_warm && (int64_t)memory.alive == alive && !memory.misused);
    for (uint64_t at = 1; at <= calls; at += calls / 150 + 1) {
        memory.fail_at = memory.calls + at;
        memory.keeps_failing = at % 2;
        CHECK(play(&c, &allocator, &memory, &when_warm) == GRAZE_OUT_OF_MEMORY);
        memory.fail_at = 0;
        memory.keeps_failing = false;
        CHECK((int64_t)memory.alive == alive && !memory.misused);
    }
    graze_body_destroy(c.hollow);
    graze_model_destroy(ball_model);
    graze_hitboxes_destroy(c.fit);
    solid_free(&ball);
    soup_pair_close(&c.pair);
}

TEST(memory_runs_out_cleanly_and_is_not_taken_once_warm)
{
    for (int motion = 0; motion < 4; motion++)
        check_memory((graze_motion_rule)motion);
}
