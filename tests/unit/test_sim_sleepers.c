/* Bodies that sleep: who lies on what is taken away, sinks, rises or is hit does not stay in the
 * air. */
#include "harness.h"
#include "support/own.h"
#include "support/sim_boxes.h"

#include <math.h>
#include <string.h>

typedef struct stack {
    sim_box things[2]; /* kinds 0 and 1 */
    graze_sim *sim;
    uint32_t floor, low, high; /* the floor, a cube on it, a cube on that */
} stack;

enum { FLOOR, CUBE };

static uint32_t add_body(graze_sim *sim, const graze_sim_body *body)
{
    uint32_t number = 0;
    graze_error error;
    CHECK_MSG(!graze_sim_add_body(sim, body, &number, &error), "%s", error.text);
    return number;
}

static void step(graze_sim *sim, uint32_t count)
{
    graze_error error;
    CHECK_MSG(!graze_sim_step(sim, NULL, count, &error), "%s", error.text);
}

static graze_sim_body get(const graze_sim *sim, uint32_t number)
{
    graze_sim_body body = {0};
    CHECK(!graze_sim_get_body(sim, number, &body, NULL));
    return body;
}

static bool add_kinds(stack *s)
{
    graze_error error = {.text = ""};
    uint32_t number;
    bool ok = !graze_sim_create(NULL, &s->sim, &error) &&
              sim_box_make(SIM_BOX_FLOOR, 0, &s->things[FLOOR]) &&
              sim_box_make(SIM_BOX_CUBE, 0, &s->things[CUBE]);
    for (int k = 0; ok && k < 2; k++)
        ok = !graze_sim_add_kind(s->sim, &s->things[k].def, &number, &error);
    CHECK_MSG(ok, "%s", error.text);
    return ok;
}

/* Two cubes on an animated floor, asleep. */
static bool open_stack(stack *s)
{
    graze_sim_body body = {0};
    memset(s, 0, sizeof *s);
    if (!add_kinds(s))
        return false;
    body.kind = FLOOR;
    s->floor = add_body(s->sim, &body);
    body.kind = CUBE;
    body.position[1] = 0.2005;
    s->low = add_body(s->sim, &body);
    body.position[1] = 0.401;
    body.position[0] = 0.01;
    s->high = add_body(s->sim, &body);
    for (uint32_t i = 0; i < 1500 && !(get(s->sim, s->low).asleep && get(s->sim, s->high).asleep);
         i++)
        step(s->sim, 1);
    CHECK_MSG(get(s->sim, s->low).asleep && get(s->sim, s->high).asleep,
              "two cubes do not come to rest in 10 s");
    CHECK(fabs(get(s->sim, s->high).position[1] - 0.4) < 2e-3);
    return true;
}

static void close_stack(stack *s)
{
    graze_sim_destroy(s->sim);
    sim_box_free(&s->things[FLOOR]);
    sim_box_free(&s->things[CUBE]);
}

OWN_VALUE(stack, close_stack)

static void move_floor_of(stack *s, double y)
{
    const double position[3] = {0, y, 0}, rotation[4] = {0, 0, 0, 1};
    CHECK(!graze_sim_set_animated(s->sim, s->floor, position, rotation, NULL, 0, NULL));
}

TEST(who_sleeps_stays_where_it_is)
{
    OWN(stack) s = {0};
    REQUIRE(open_stack(&s));
    graze_sim_body before = get(s.sim, s.high);
    step(s.sim, 300);
    graze_sim_body after = get(s.sim, s.high);
    CHECK(after.asleep && memcmp(before.position, after.position, sizeof before.position) == 0);
    CHECK(graze_sim_get_stats(s.sim).awake == 0);
}

/* Whether it goes on sleeping there, or not. */
TEST(who_sleeps_on_something_that_is_taken_away_falls)
{
    for (int asleep = 0; asleep < 2; asleep++) {
        OWN(stack) s = {0};
        REQUIRE(open_stack(&s));
        graze_sim_body elsewhere = get(s.sim, s.low);
        elsewhere.position[0] = 0.8;
        elsewhere.asleep = asleep;
        CHECK(!graze_sim_set_body(s.sim, s.low, &elsewhere, NULL));
        step(s.sim, 150);
        CHECK_MSG(fabs(get(s.sim, s.high).position[1] - 0.2) < 5e-3, "it floats at %g m",
                  get(s.sim, s.high).position[1] - 0.1);
    }
}

/* As slowly as 2 cm a second, and 10 cm at once. */
TEST(who_sleeps_on_a_floor_that_sinks_goes_with_it)
{
    for (int jump = 0; jump < 2; jump++) {
        OWN(stack) s = {0};
        REQUIRE(open_stack(&s));
        double y = 0;
        for (uint32_t i = 0; i < 750; i++) {
            y = jump ? -0.1 : -0.02 * (i + 1) / 150;
            move_floor_of(&s, y);
            step(s.sim, 1);
        }
        CHECK_MSG(fabs(get(s.sim, s.high).position[1] - (0.4 + y)) < 5e-3,
                  "floor at %g: the upper cube is %g m above its place", y,
                  get(s.sim, s.high).position[1] - (0.4 + y));
    }
}

TEST(who_sleeps_on_a_floor_that_rises_goes_with_it)
{
    OWN(stack) s = {0};
    REQUIRE(open_stack(&s));
    double y = 0;
    for (uint32_t i = 0; i < 750; i++) {
        y = 0.02 * (i + 1) / 150;
        move_floor_of(&s, y);
        step(s.sim, 1);
    }
    CHECK_MSG(fabs(get(s.sim, s.high).position[1] - (0.4 + y)) < 5e-3,
              "floor at %g: the upper cube is %g m above its place", y,
              get(s.sim, s.high).position[1] - (0.4 + y));
}

TEST(who_is_hit_wakes)
{
    OWN(stack) s = {0};
    REQUIRE(open_stack(&s));
    graze_sim_body ball = {0};
    ball.kind = CUBE;
    ball.position[0] = -0.5;
    ball.position[1] = 0.41;
    ball.velocity[0] = 3;
    add_body(s.sim, &ball);
    step(s.sim, 30);
    CHECK(!get(s.sim, s.high).asleep && get(s.sim, s.high).position[0] > 0.05);
}
