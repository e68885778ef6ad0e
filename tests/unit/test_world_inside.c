/* Solid bodies in a world: what lies inside meets them, and nothing changes for those that are not
 * solid.
 */
#include "harness.h"

#include "support/own.h"
#include "support/solids.h"

#include <graze/ext/world.h>
#include <graze/graze.h>

typedef struct pond {
    graze_world *world;
    graze_model *models[2];
    graze_body *outer, *inner; /* a ball of radius 1; two small balls 1.5 apart */
    graze_world_id ids[2];
} pond;

static void place(graze_body *body, double x)
{
    const float placement[12] = {1, 0, 0, (float)x, 0, 1, 0, 0, 0, 0, 1, 0};
    graze_pose pose = {.placement = placement};
    CHECK(graze_body_set_pose(body, &pose, NULL) == GRAZE_OK);
}

/* shape NULL: the inner body instead. */
static pond open_pond(bool is_solid, graze_level level, const graze_shape *shape, bool shape_first)
{
    pond p = {0};
    OWN(solid) outer = {0}, inner = {0};
    graze_world_member_def def = {0};
    graze_world_rule rule = {0};
    solid_add_ball(&outer, 1, 8);
    solid_add_ball(&inner, 0.1, 4);
    solid_add_ball(&inner, 0.1, 4);
    for (uint32_t v = inner.vertex_count / 2; v < inner.vertex_count; v++)
        inner.positions[3 * v] += 1.5f;
    p.outer = solid_body(&outer, NULL, &p.models[0]);
    p.inner = solid_body(&inner, NULL, &p.models[1]);
    rule.level = level;
    rule.contacts = true;
    def.solid = is_solid;
    CHECK(graze_world_create(NULL, &p.world, NULL) == GRAZE_OK);
    CHECK(graze_world_set_rule(p.world, 0, 0, &rule, NULL) == GRAZE_OK);
    if (shape_first && shape)
        CHECK(graze_world_add_shape(p.world, shape, NULL, &p.ids[1], NULL) == GRAZE_OK);
    CHECK(graze_world_add_body(p.world, p.outer, &def, &p.ids[0], NULL) == GRAZE_OK);
    if (!shape_first && shape)
        CHECK(graze_world_add_shape(p.world, shape, NULL, &p.ids[1], NULL) == GRAZE_OK);
    if (!shape)
        CHECK(graze_world_add_body(p.world, p.inner, NULL, &p.ids[1], NULL) == GRAZE_OK);
    return p;
}

static void close_pond(pond *p)
{
    graze_world_destroy(p->world);
    graze_body_destroy(p->outer);
    graze_body_destroy(p->inner);
    graze_model_destroy(p->models[0]);
    graze_model_destroy(p->models[1]);
}

OWN_VALUE(pond, close_pond)

/* The only event, or NULL. */
static const graze_world_event *update(pond *p)
{
    size_t count = 0;
    CHECK(graze_world_update(p->world, NULL, NULL) == GRAZE_OK);
    const graze_world_event *events = graze_world_events(p->world, &count);
    CHECK(count <= 1);
    return count ? events : NULL;
}

/* A ball goes through: outside, across the surface, inside, across, outside. */
static void check_passage(bool is_solid, graze_level level, bool shape_first)
{
    const double stations[5] = {-1.5, -1, 0, 1, 1.5};
    const graze_event_kind kinds[2][5] = {
        {0, GRAZE_EVENT_BEGIN, GRAZE_EVENT_END, GRAZE_EVENT_BEGIN, GRAZE_EVENT_END},
        {0, GRAZE_EVENT_BEGIN, GRAZE_EVENT_STAY, GRAZE_EVENT_STAY, GRAZE_EVENT_END}};
    float centre[3] = {0, 0, 0.05f};
    graze_shape ball = graze_shape_sphere(centre, 0.2f);
    pond p = open_pond(is_solid, level, &ball, shape_first);
    for (int i = 0; i < 5; i++) {
        ball.as.sphere.centre[0] = (float)stations[i];
        CHECK(graze_world_set_shape(p.world, p.ids[1], &ball, NULL) == GRAZE_OK);
        const graze_world_event *event = update(&p);
        if (i == 0) {
            CHECK(!event);
            continue;
        }
        REQUIRE(event && event->kind == kinds[is_solid][i]);
        bool inside = is_solid && i == 2, across = i == 1 || i == 3;
        CHECK(event->inside == inside && event->part_count == (across ? 1 : 0));
        CHECK((event->pair_count > 0) == (across && level == GRAZE_LEVEL_EXACT));
        CHECK((event->contact_count > 0) == across);
    }
    close_pond(&p);
}

TEST(a_ball_goes_through_a_solid_body)
{
    for (int i = 0; i < 8; i++)
        check_passage(i & 1, i & 2 ? GRAZE_LEVEL_HITBOXES : GRAZE_LEVEL_EXACT, i & 4);
}

/* One of two small balls is inside, and the other, which hangs together with nothing, is not. */
TEST(a_part_of_a_body_is_inside)
{
    const uint32_t only_first = 1, only_second = 2;
    OWN(pond) p = open_pond(true, GRAZE_LEVEL_EXACT, NULL, false);
    place(p.inner, 0);
    const graze_world_event *event = update(&p);
    REQUIRE(event);
    CHECK(event->kind == GRAZE_EVENT_BEGIN && event->inside && !event->pair_count);
    CHECK(graze_body_set_part_mask(p.inner, &only_second, 2, NULL) == GRAZE_OK);
    event = update(&p);
    CHECK(event && event->kind == GRAZE_EVENT_END);
    CHECK(graze_body_set_part_mask(p.inner, &only_first, 2, NULL) == GRAZE_OK);
    event = update(&p);
    CHECK(event && event->kind == GRAZE_EVENT_BEGIN && event->inside);
    place(p.inner, -1.5); /* now the second one */
    CHECK(graze_body_set_part_mask(p.inner, NULL, 0, NULL) == GRAZE_OK);
    event = update(&p);
    CHECK(event && event->kind == GRAZE_EVENT_STAY && event->inside);
}

/* A solid body inside another, and one around one that is not solid. */
TEST(either_may_be_the_solid_one)
{
    const float middle[3] = {0, 0, 0};
    graze_shape ball = graze_shape_sphere(middle, 3), box = graze_shape_box(middle, middle, NULL);
    OWN(pond) p = open_pond(true, GRAZE_LEVEL_EXACT, &ball, false);
    const graze_world_event *event = update(&p);
    /* All its triangles are in the shape: that is no case of inside. */
    REQUIRE(event);
    CHECK(!event->inside && event->pair_count > 0);
    for (int k = 0; k < 3; k++)
        box.as.box.half[k] = 0.1f;
    CHECK(graze_world_set_shape(p.world, p.ids[1], &box, NULL) == GRAZE_OK);
    event = update(&p);
    REQUIRE(event);
    CHECK(event->kind == GRAZE_EVENT_STAY && event->inside);
    const float up[3] = {0, 1, 0};
    graze_shape below = graze_shape_half_space(up, -2);
    CHECK(graze_world_set_shape(p.world, p.ids[1], &below, NULL) == GRAZE_OK);
    event = update(&p);
    CHECK(event && event->kind == GRAZE_EVENT_END);
}
