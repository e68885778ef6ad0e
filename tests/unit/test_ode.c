/* Shapes that the engine moves by contacts of a world: what mechanics says must come out. */
#include "harness.h"

#include "support/own.h"
#include "support/quick.h"

#include <graze/ode.h>

#include <ode/ode.h>

#include <math.h>
#include <string.h>

OWN_POINTER(graze_ode, graze_ode_destroy)

#define GRAVITY 9.81

enum { GROUND, THING, CLASSES };

static graze_ode *open_world(const graze_ode_def *def)
{
    graze_ode *ode = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_world_rule rule = {0};
    CHECK_MSG(!graze_ode_create(def, &ode, &error), "%s", error.text);
    rule.contacts = true;
    rule.motion = GRAZE_MOTION_CONTINUOUS;
    graze_world_set_rule(graze_ode_world(ode), GROUND, THING, &rule, &error);
    graze_world_set_rule(graze_ode_world(ode), THING, THING, &rule, &error);
    return ode;
}

static graze_world_id add(graze_ode *ode, graze_shape shape, double mass, double friction,
                          double bounce)
{
    graze_ode_member_def def = {0};
    graze_world_id id = {0, 0};
    graze_error error = {GRAZE_OK, ""};
    def.category = mass > 0 ? THING : GROUND;
    def.mass = mass;
    def.material.friction = friction;
    def.material.frictionless = friction == 0;
    def.material.bounce = bounce;
    CHECK_MSG(!graze_ode_add_shape(ode, &shape, &def, &id, &error), "%s", error.text);
    return id;
}

static void step(graze_ode *ode)
{
    graze_error error = {GRAZE_OK, ""};
    CHECK_MSG(!graze_ode_step(ode, NULL, &error), "%s", error.text);
}

static graze_ode_motion motion_of(const graze_ode *ode, graze_world_id id)
{
    graze_ode_motion motion = {.position = {0}};
    CHECK(!graze_ode_get_motion(ode, id, 0, &motion, NULL));
    return motion;
}

static graze_shape ground(void)
{
    return graze_shape_half_space((const float[]){0, 1, 0}, 0);
}

static graze_shape ball(double height)
{
    return graze_shape_sphere((const float[]){0, (float)(height + 0.11), 0}, 0.11f);
}

/* ---- bouncing ------------------------------------------------------------------------------- */

/* How high a ball rises that was dropped from 1 m. */
static double rise_after_bounce(double seconds, double bounce)
{
    graze_ode_def def = {0};
    def.step = seconds;
    OWN(graze_ode) *ode = open_world(&def);
    add(ode, ground(), 0, 0.5, 0);
    graze_world_id id = add(ode, ball(1), 0.43, 0.5, bounce);
    double highest = 0;
    bool has_bounced = false;
    for (int i = 0; i < (int)(1.2 / seconds); i++) {
        step(ode);
        graze_ode_motion motion = motion_of(ode, id);
        has_bounced |= motion.velocity[1] > 0.5;
        if (has_bounced && motion.position[1] - 0.11 > highest)
            highest = motion.position[1] - 0.11;
        if (has_bounced && motion.velocity[1] < 0)
            break;
    }
    return highest;
}

TEST(a_ball_that_keeps_half_its_speed_rises_to_a_quarter)
{
    const double steps[] = {1 / 1000.0, 1 / 480.0, 1 / 240.0};
    for (int i = 0; i < 3; i++) {
        double rise = rise_after_bounce(steps[i], 0.5);
        printf("  bounce 0.5 from 1 m at a step of 1/%.0f s: %.4f m\n", 1 / steps[i], rise);
        CHECK_MSG(fabs(rise - 0.25) < 0.05 * 0.25, "step %g: rises to %g m", steps[i], rise);
    }
}

TEST(a_ball_without_bounce_stays_on_the_ground)
{
    OWN(graze_ode) *ode = open_world(NULL);
    add(ode, ground(), 0, 0.5, 0);
    graze_world_id id = add(ode, ball(1), 0.43, 0.5, 0);
    double lowest = 1, highest = 0;
    for (int i = 0; i < 480; i++) {
        step(ode);
        double y = motion_of(ode, id).position[1] - 0.11;
        lowest = y < lowest ? y : lowest;
        if (i > 240)
            highest = y > highest ? y : highest;
    }
    CHECK_MSG(lowest > -0.005, "%g m below the ground", -lowest);
    CHECK_MSG(highest < 0.001, "%g m above it", highest);
}

TEST(a_ball_faster_than_its_size_does_not_pass_a_thin_wall)
{
    OWN(graze_ode) *ode = open_world(NULL);
    add(ode, graze_shape_box((const float[]){0, 0, 2}, (const float[]){2, 2, 0.005f}, NULL), 0, 0.5,
        0);
    graze_ode_member_def def = {0};
    graze_shape shape = graze_shape_sphere((const float[]){0, 1, 0}, 0.03f);
    graze_world_id id;
    def.category = THING;
    def.mass = 0.1;
    def.velocity[2] = 60;
    def.material.bounce = 0.5;
    REQUIRE(!graze_ode_add_shape(ode, &shape, &def, &id, NULL));
    double farthest = 0;
    uint32_t beyond = 0;
    for (int i = 0; i < 60; i++) {
        step(ode);
        double z = motion_of(ode, id).position[2];
        beyond += z > 1.995 - 0.03 + 0.002; /* between a step and the next it is where it flew */
        farthest = beyond ? farthest : fmax(farthest, z);
    }
    CHECK_MSG(beyond <= 1 && farthest > 1.7, "it was beyond %u times, and came to %g", beyond,
              farthest);
    double back = motion_of(ode, id).velocity[2];
    CHECK_MSG(fabs(back + 30) < 0.5, "it came back with %g m/s", -back);
}

/* ---- friction ------------------------------------------------------------------------------- */

/* How far a box of 1 kg slides down a slope of 30 degrees in a second. The slope falls in any
 * direction: turned about the vertical, so that no axis of the engine is favoured.
 */
static double slide(double friction, double turn, uint32_t iterations)
{
    graze_ode_def def = {0};
    def.iterations = iterations;
    def.direct = iterations == 0;
    graze_ode *ode = open_world(&def);
    const double slope = 30 * M_PI / 180;
    float normal[3] = {(float)(sin(slope) * sin(turn)), (float)cos(slope),
                       (float)(sin(slope) * cos(turn))};
    add(ode, graze_shape_half_space(normal, 0), 0, friction, 0);
    /* turned about y, then tipped: the box lies flat on the slope */
    double half_turn = turn / 2, half_slope = slope / 2;
    const float rotation[4] = {
        (float)(cos(half_turn) * sin(half_slope)), (float)(sin(half_turn) * cos(half_slope)),
        (float)(-sin(half_turn) * sin(half_slope)), (float)(cos(half_turn) * cos(half_slope))};
    float centre[3];
    for (int k = 0; k < 3; k++)
        centre[k] = normal[k] * 0.1f;
    graze_world_id id =
        add(ode, graze_shape_box(centre, (const float[]){0.15f, 0.1f, 0.15f}, rotation), 1,
            friction, 0);
    for (int i = 0; i < 240; i++)
        step(ode);
    graze_ode_motion motion = motion_of(ode, id);
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += pow(motion.position[k] - centre[k], 2);
    graze_ode_destroy(ode);
    return sqrt(square);
}

TEST(a_box_stays_on_a_slope_with_friction_above_its_tangent_and_slides_below)
{
    const double slope = 30 * M_PI / 180;
    for (int i = 0; i < 5; i++) {
        double turn = i * 0.4;
        double stays = slide(0.6, turn, 40), slides = slide(0.5, turn, 40);
        double expected = 0.5 * GRAVITY * (sin(slope) - 0.5 * cos(slope));
        printf("  slope turned by %.1f: friction 0.6 %.2g m, 0.5 %.3f m of %.3f\n", turn, stays,
               slides, expected);
        CHECK_MSG(stays < 0.002, "turned by %g: with 0.6 it slides by %g m", turn, stays);
        CHECK_MSG(fabs(slides - expected) < 0.1 * expected, "turned by %g: with 0.5 by %g m", turn,
                  slides);
    }
}

/* ---- a pendulum ----------------------------------------------------------------------------- */

/* Two capsules, one on the other, let go at 60 degrees: how far the energy goes from what it was,
 * as a share of what the swing has.
 */
static double energy_drift(double seconds, uint32_t iterations, double duration)
{
    graze_ode_def def = {0};
    def.step = seconds;
    def.iterations = iterations;
    def.direct = iterations == 0;
    OWN(graze_ode) *ode = open_world(&def);
    graze_world_rule apart = {0};
    apart.level = GRAZE_LEVEL_IGNORE;
    graze_world_set_rule(graze_ode_world(ode), THING, THING, &apart, NULL);
    const double angle = 60 * M_PI / 180, way[2] = {sin(angle), -cos(angle)};
    graze_world_id ids[2];
    for (int i = 0; i < 2; i++) {
        float p[3] = {(float)(way[0] * 0.5 * i), (float)(way[1] * 0.5 * i), 0};
        float q[3] = {(float)(way[0] * 0.5 * (i + 1)), (float)(way[1] * 0.5 * (i + 1)), 0};
        ids[i] = add(ode, graze_shape_capsule(p, q, 0.04f), 2, 0, 0);
        dJointID joint = dJointCreateHinge(graze_ode_engine(ode), 0);
        dJointAttach(joint, graze_ode_engine_body(ode, ids[i], 0),
                     i ? graze_ode_engine_body(ode, ids[0], 0) : NULL);
        dJointSetHingeAnchor(joint, p[0], p[1], p[2]);
        dJointSetHingeAxis(joint, 0, 0, 1);
    }
    /* falling to the lowest place would set free: both centres of mass by their heights */
    double swing = 2 * GRAVITY * (0.25 + 0.75) * (1 - cos(angle));
    double first = 0, worst = 0;
    for (int i = 0; i <= (int)(duration / seconds); i++) {
        double all = 0;
        for (int k = 0; k < 2; k++) {
            graze_ode_energy energy;
            graze_ode_get_energy(ode, ids[k], &energy, NULL);
            all += energy.kinetic + energy.potential;
        }
        first = i ? first : all;
        worst = fmax(worst, fabs(all - first) / swing);
        step(ode);
    }
    return worst;
}

TEST(a_pendulum_of_two_capsules_keeps_its_energy)
{
    double seconds = test_amount(10, 2);
    double fine = energy_drift(1 / 1000.0, 40, seconds);
    printf("  pendulum, %g s at 1/1000 s: energy off by %.3f %%; at 1/240 s by %.2f %%\n", seconds,
           100 * fine, 100 * energy_drift(1 / 240.0, 40, seconds));
    CHECK_MSG(fine < 0.01, "energy is off by %g %%", 100 * fine);
}

/* ---- piles ---------------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}

/* Balls, boxes and capsules that fall on each other. */
static uint64_t drop_pile(graze_pool *pool, double *lowest)
{
    OWN(graze_ode) *ode = open_world(NULL);
    test_random random = test_random_seed(5);
    graze_world_id ids[24];
    uint64_t hash = 14695981039346656037u;
    add(ode, ground(), 0, 0.6, 0.2);
    for (int i = 0; i < 24; i++) {
        float at[3] = {(float)test_random_range(&random, -0.3, 0.3), 0.3f + 0.25f * (float)i,
                       (float)test_random_range(&random, -0.3, 0.3)};
        float end[3] = {at[0] + 0.2f, at[1] + 0.05f, at[2]};
        graze_shape shapes[3] = {graze_shape_sphere(at, 0.1f), graze_shape_capsule(at, end, 0.07f),
                                 graze_shape_box(at, (const float[]){0.1f, 0.08f, 0.12f},
                                                 (const float[]){0.2f, 0.1f, 0, 1})};
        ids[i] = add(ode, shapes[i % 3], 1 + i % 4, 0.6, 0.2);
    }
    *lowest = 1;
    for (int s = 0; s < 360; s++) {
        graze_error error = {GRAZE_OK, ""};
        CHECK_MSG(!graze_ode_step(ode, pool, &error), "%s", error.text);
        size_t count;
        const graze_ode_hit *hits = graze_ode_hits(ode, &count);
        for (size_t i = 0; i < count; i++)
            hash = hash_of(hash, &hits[i].impulse, sizeof hits[i].impulse);
        for (int i = 0; i < 24; i++) {
            graze_ode_motion motion = motion_of(ode, ids[i]);
            hash = hash_of(hash, &motion, sizeof motion);
            double below = motion.position[1] - 0.05;
            *lowest = below < *lowest ? below : *lowest;
        }
    }
    return hash;
}

TEST(a_pile_falls_the_same_way_in_every_run_and_on_any_number_of_threads)
{
    double lowest, other;
    uint64_t first = drop_pile(NULL, &lowest);
    CHECK_MSG(lowest > 0, "a centre came as low as %g m", lowest + 0.05);
    CHECK(drop_pile(NULL, &other) == first);
    for (uint32_t threads = 2; threads <= 8; threads *= 4) {
        OWN(graze_pool) *pool = NULL;
        REQUIRE(!graze_pool_create(threads, NULL, &pool, NULL));
        CHECK_MSG(drop_pile(pool, &other) == first, "with %u threads", threads);
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void expect(graze_status status, graze_status wanted, const graze_error *error,
                   const char *words)
{
    CHECK_MSG(status == wanted && strstr(error->text, words), "status %d, \"%s\"; not \"%s\"",
              (int)status, error->text, words);
}

TEST(what_is_wrong_with_an_engine_is_told_in_words)
{
    graze_ode *ode = NULL;
    graze_error error = {GRAZE_OK, ""};
    graze_ode_def def = {0};
    def.step = -1;
    expect(graze_ode_create(&def, &ode, &error), GRAZE_BAD_INPUT, &error, "step is -1");
    def = (graze_ode_def){0};
    def.erp = 2;
    expect(graze_ode_create(&def, &ode, &error), GRAZE_BAD_INPUT, &error, "erp is 2");
    def = (graze_ode_def){0};
    def.gravity[1] = NAN;
    expect(graze_ode_create(&def, &ode, &error), GRAZE_BAD_INPUT, &error, "gravity[1]");
    def = (graze_ode_def){0};
    def.cfm = -1;
    expect(graze_ode_create(&def, &ode, &error), GRAZE_BAD_INPUT, &error, "cfm");
    expect(graze_ode_create(NULL, NULL, &error), GRAZE_BAD_INPUT, &error, "NULL");
    CHECK(!ode);
    graze_ode_destroy(NULL);
    expect(graze_ode_step(NULL, NULL, &error), GRAZE_BAD_INPUT, &error, "NULL");
    size_t count = 7;
    CHECK(!graze_ode_hits(NULL, &count) && count == 0);
    CHECK(!graze_ode_world(NULL) && !graze_ode_engine(NULL));
}

TEST(what_is_wrong_with_a_member_is_told_in_words)
{
    OWN(graze_ode) *ode = open_world(NULL);
    graze_error error = {GRAZE_OK, ""};
    graze_world_id id = {9, 9}, other;
    graze_shape sphere = ball(1), flat = ground(), point = graze_shape_sphere((float[3]){0}, 0);
    graze_ode_member_def def = {0};
    graze_ode_motion motion = {.rotation = {0, 0, 0, 1}};
    def.name = "thing";
    def.mass = -1;
    expect(graze_ode_add_shape(ode, &sphere, &def, &id, &error), GRAZE_BAD_INPUT, &error,
           "thing has a mass of -1");
    def.mass = 1;
    expect(graze_ode_add_shape(ode, &flat, &def, &id, &error), GRAZE_BAD_INPUT, &error,
           "half-space");
    expect(graze_ode_add_shape(ode, &point, &def, &id, &error), GRAZE_BAD_INPUT, &error,
           "no volume");
    def.material.bounce = 2;
    expect(graze_ode_add_shape(ode, &sphere, &def, &id, &error), GRAZE_BAD_INPUT, &error,
           "bounce 2");
    def.material.bounce = 0;
    def.velocity[0] = INFINITY;
    expect(graze_ode_add_shape(ode, &sphere, &def, &id, &error), GRAZE_BAD_INPUT, &error,
           "velocity");
    CHECK(id.index == 9);
    id = add(ode, flat, 0, 0.5, 0);
    expect(graze_ode_get_motion(ode, id, 0, &motion, &error), GRAZE_BAD_INPUT, &error, "not moved");
    expect(graze_ode_pose(ode, id, (graze_rig_local[1]){{{0}, {0}, {0}}}, NULL, NULL, &error),
           GRAZE_BAD_INPUT, &error, "not a character");
    other = add(ode, sphere, 1, 0.5, 0);
    motion.velocity[1] = NAN;
    expect(graze_ode_set_motion(ode, other, 0, &motion, &error), GRAZE_BAD_INPUT, &error,
           "out of range");
    motion.velocity[1] = 0;
    motion.rotation[3] = 0;
    expect(graze_ode_set_motion(ode, other, 0, &motion, &error), GRAZE_BAD_INPUT, &error,
           "length 1");
    expect(graze_ode_move_fixed(ode, other, &sphere, &error), GRAZE_BAD_INPUT, &error, "not fixed");
    CHECK(!graze_ode_remove(ode, other, &error));
    expect(graze_ode_remove(ode, other, &error), GRAZE_BAD_INPUT, &error, "not a member");
    step(ode);
}
