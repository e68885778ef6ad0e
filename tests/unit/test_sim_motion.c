/* Motion in a simulation: oscillators against their formula, momentum, energy, strain. */
#include "harness.h"

#include "support/own.h"
#include "support/quick.h"
#include "support/sim_things.h"

#include <math.h>

static graze_sim_def weightless(void)
{
    graze_sim_def def = {0};
    def.step = 1.0 / 150;
    def.no_gravity = true;
    def.no_sleeping = true;
    return def;
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A damped oscillator at a time, from its closed form. */
static double oscillator(double frequency, double damping, double u, double v, double time)
{
    long double w = 2 * acosl(-1.0L) * (long double)frequency, decay = w * (long double)damping;
    long double turning = sqrtl(w * w - decay * decay), angle = turning * (long double)time;
    return (double)(expl(-decay * (long double)time) *
                    ((long double)u * cosl(angle) +
                     ((long double)v + decay * (long double)u) / turning * sinl(angle)));
}

TEST(oscillators_follow_their_formula_over_ten_thousand_steps)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    double weights[16], speeds[16], worst = 0;
    for (uint32_t j = 0; j < chair.def.mode_count; j++) {
        chair.modes[j].frequency = 0.5 + 8.2 * j; /* up to 74.3 Hz, near half the step rate */
        chair.modes[j].damping = j % 3 ? 0.0001 * j : 0;
        weights[j] = 0.02 + 0.01 * j;
        speeds[j] = j % 2 ? 0.3 * j : -0.2;
    }
    chair.def.max_strain = 0;
    graze_sim_def def = weightless();
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
    graze_sim_body body = {0};
    uint32_t number;
    body.weights = weights;
    body.weight_velocities = speeds;
    CHECK(graze_sim_add_body(sim, &body, &number, NULL) == GRAZE_OK);
    for (int part = 0; part < 100; part++) {
        sim_run(sim, NULL, 100);
        graze_sim_get_body(sim, number, &body, NULL);
        double time = (double)graze_sim_step_count(sim) * def.step;
        for (uint32_t j = 0; j < chair.def.mode_count; j++) {
            const graze_sim_mode *mode = &chair.modes[j];
            double amplitude = fabs(weights[j]) + fabs(speeds[j]) / (6.283185307 * mode->frequency);
            double error = fabs(body.weights[j] - oscillator(mode->frequency, mode->damping,
                                                             weights[j], speeds[j], time)) /
                           amplitude;
            worst = error > worst ? error : worst;
        }
    }
    CHECK(graze_sim_step_count(sim) == 10000);
    CHECK_MSG(worst < 1e-6, "off by %g of the amplitude", worst);
    printf("# oscillators: off by %.2g of the amplitude at most, 10,000 steps\n", worst);
}

TEST(modes_that_would_alias_are_left_out)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    double weights[16];
    for (uint32_t j = 0; j < chair.def.mode_count; j++) {
        chair.modes[j].frequency = j < 6 ? 74.9 : 75;
        weights[j] = 0.1;
    }
    graze_sim_def def = weightless();
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
    graze_sim_body body = {0};
    graze_sim_kind_info info;
    uint32_t number;
    body.weights = body.weight_velocities = weights;
    CHECK(graze_sim_add_body(sim, &body, &number, NULL) == GRAZE_OK);
    CHECK(graze_sim_get_kind(sim, 0, &info, NULL) == GRAZE_OK);
    CHECK(info.mode_count == 10 && info.active_modes == 6);
    sim_run(sim, NULL, 3);
    graze_sim_get_body(sim, number, &body, NULL);
    for (uint32_t j = 0; j < info.mode_count; j++)
        CHECK((j < 6) == (body.weights[j] != 0));
}

TEST(free_flight_is_a_parabola_that_keeps_its_spin)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, true, NULL, &chair);
    graze_sim_def def = {.step = 1.0 / 150};
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
    graze_sim_body body = {0};
    uint32_t number;
    body.velocity[0] = 2;
    body.velocity[1] = 5;
    body.angular_velocity[0] = 3;
    body.angular_velocity[1] = 7;
    body.angular_velocity[2] = -2;
    CHECK(graze_sim_add_body(sim, &body, &number, NULL) == GRAZE_OK);
    graze_sim_totals before = graze_sim_get_totals(sim);
    sim_run(sim, NULL, 1500);
    graze_sim_get_body(sim, number, &body, NULL);
    graze_sim_totals after = graze_sim_get_totals(sim);
    double t = 1500 * def.step;
    CHECK(fabs(body.position[0] - 2 * t) < 1e-9);
    CHECK(fabs(body.position[1] - (5 * t - 9.81 * t * t / 2)) < 1e-8);
    double energy = before.kinetic + before.gravity;
    CHECK_MSG(fabs(after.kinetic + after.gravity - energy) < 1e-4 * energy, "%.9g J of %.9g",
              after.kinetic + after.gravity, energy);
}

/* ---- collisions in the air ------------------------------------------------------------------ */

/* Chairs that fly at each other from all sides, spinning. */
static void throw_chairs(graze_sim *sim, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double angle = 6.283185307 * i / count;
        uint32_t number = sim_thing_put(sim, 1.3 * cos(angle), 0.15 * i, 1.3 * sin(angle), i + 1);
        graze_sim_body body;
        graze_sim_get_body(sim, number, &body, NULL);
        body.velocity[0] = -3 * cos(angle);
        body.velocity[1] = 0.1 - 0.3 * i;
        body.velocity[2] = -3 * sin(angle);
        body.angular_velocity[i % 3] = 4;
        CHECK(graze_sim_set_body(sim, number, &body, NULL) == GRAZE_OK);
    }
}

TEST(collisions_in_the_air_keep_momentum)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = weightless();
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
    throw_chairs(sim, 6);
    graze_sim_totals before = graze_sim_get_totals(sim);
    double thrown = 0, linear = 0, angular = 0, most = before.kinetic;
    uint64_t contacts = 0;
    for (uint32_t i = 0; i < 6; i++) {
        graze_sim_body body;
        graze_sim_get_body(sim, i, &body, NULL);
        thrown += chair.def.mass * length3(body.velocity);
    }
    for (int step = 0; step < 150; step++) {
        sim_run(sim, NULL, 1);
        contacts += graze_sim_get_stats(sim).contacts;
        graze_sim_totals now = graze_sim_get_totals(sim);
        double lost[3], turned[3];
        for (int k = 0; k < 3; k++) {
            lost[k] = now.momentum[k] - before.momentum[k];
            turned[k] = now.angular[k] - before.angular[k];
        }
        linear = fmax(linear, length3(lost) / thrown);
        angular = fmax(angular, length3(turned) / length3(before.angular));
        most = fmax(most, now.kinetic + now.vibration);
    }
    CHECK_MSG(contacts > 100, "%d contacts", (int)contacts);
    CHECK_MSG(linear < 1e-6, "linear momentum off by %g", linear);
    CHECK_MSG(angular < 1e-6, "angular momentum off by %g", angular);
    CHECK_MSG(most < 1.001 * before.kinetic, "energy grew to %g of %g", most, before.kinetic);
    printf("# momentum: linear off by %.2g, angular by %.2g, %d contacts\n", linear, angular,
           (int)contacts);
}

TEST(energy_in_a_closed_box_does_not_grow)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = weightless();
    double worst = 0;
    for (int fall = 0; fall < 2; fall++) {
        def.no_gravity = !fall;
        OWN(graze_sim) *sim = sim_thing_start(&def, &chair, false);
        for (int side = 0; side < 6; side++) {
            graze_sim_plane plane = {.friction = 0.3};
            uint32_t number;
            plane.half_space.normal[side / 2] = side % 2 ? -1 : 1;
            plane.half_space.offset = -2.2F;
            CHECK(graze_sim_add_plane(sim, &plane, &number, NULL) == GRAZE_OK);
        }
        throw_chairs(sim, 6);
        /* Potential energy is that above the floor. */
        double floor = 9.81 * fall * 2.2 * 6 * chair.def.mass, first = 0;
        uint32_t steps = test_amount(1500, 300);
        for (uint32_t step = 0; step < steps; step++) {
            graze_sim_totals now = graze_sim_get_totals(sim);
            double energy = now.kinetic + now.vibration + now.gravity + floor;
            first = step ? first : energy;
            worst = fmax(worst, energy / first - 1);
            sim_run(sim, NULL, 1);
        }
    }
    CHECK_MSG(worst < 0.01, "grew by %g", worst);
    printf("# energy in a box: grows by %.2g at most\n", worst);
}

/* ---- modes under contact -------------------------------------------------------------------- */

TEST(strain_stays_within_its_limit)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = {0};
    for (int limited = 0; limited < 2; limited++) {
        double most = 0;
        chair.def.max_strain = limited ? 0.002 : 0;
        OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
        uint32_t number = sim_thing_put(sim, 0, 2, 0, 7);
        for (int step = 0; step < 150; step++) {
            graze_sim_body body;
            double strain = 0;
            sim_run(sim, NULL, 1);
            graze_sim_get_body(sim, number, &body, NULL);
            for (uint32_t j = 0; j < chair.def.mode_count; j++)
                strain += fabs(body.weights[j]) * chair.modes[j].strain;
            most = fmax(most, strain);
        }
        CHECK_MSG(limited ? most <= 0.002 * (1 + 1e-9) : most > 0.004, "strain %g", most);
    }
}

TEST(a_fall_sets_modes_swinging_and_damping_stills_them)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = {0};
    def.no_sleeping = true;
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
    sim_thing_put(sim, 0, 1.2, 0, 3);
    double most = 0;
    for (int step = 0; step < 150; step++) {
        sim_run(sim, NULL, 1);
        most = fmax(most, graze_sim_get_totals(sim).vibration);
    }
    sim_run(sim, NULL, 600);
    CHECK(most > 0.5);
    CHECK(graze_sim_get_totals(sim).vibration < 0.1 * most);
}
