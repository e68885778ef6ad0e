/* Sleeping, waking, things that are animated, and any number of threads. */
#include "harness.h"

#include "support/own.h"
#include "support/quick.h"
#include "support/sim_things.h"

#include <math.h>

static uint32_t asleep_count(const graze_sim *sim)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graze_sim_body_count(sim); i++) {
        graze_sim_body body;
        graze_sim_get_body(sim, i, &body, NULL);
        count += body.asleep;
    }
    return count;
}

static void fill_pile(graze_sim *sim, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sim_thing_put(sim, 0.35 * (i % 3), 0.8 + 0.5 * i, 0.3 * (i % 2), i + 1);
}

TEST(a_pile_comes_to_rest_and_sleeps)
{
    OWN(sim_thing) chair = {0};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    graze_sim_def def = {0};
    OWN(graze_sim) *sim = sim_thing_start(&def, &chair, true);
    fill_pile(sim, 8);
    sim_run(sim, NULL, 1500);
    CHECK_MSG(asleep_count(sim) == 8, "%u of 8 sleep", asleep_count(sim));
    graze_sim_stats stats = graze_sim_get_stats(sim);
    CHECK(stats.awake == 0 && stats.asleep == 8);
    CHECK_MSG(stats.candidates == 0 && stats.queries.nodes_refit == 0,
              "nobody is looked at: %d pairs", (int)stats.candidates);
    uint64_t hash = sim_hash(sim);
    sim_run(sim, NULL, 50);
    CHECK(sim_hash(sim) == hash);
    for (uint32_t i = 0; i < 8; i++)
        CHECK(sim_lowest(sim, i) > -0.002);
}

TEST(what_comes_wakes_who_sleeps)
{
    OWN(sim_thing) ball = {0};
    sim_thing_make(GRAZE_SYNTH_BALL, 0, true, NULL, &ball);
    graze_sim_def def = {0};
    OWN(graze_sim) *sim = sim_thing_start(&def, &ball, true);
    graze_sim_body body = {0};
    uint32_t resting, thrown;
    body.position[1] = 0.15;
    body.asleep = true;
    CHECK(graze_sim_add_body(sim, &body, &resting, NULL) == GRAZE_OK);
    body.asleep = false;
    body.position[0] = 2;
    body.velocity[0] = -3;
    CHECK(graze_sim_add_body(sim, &body, &thrown, NULL) == GRAZE_OK);
    bool slept = true, woke = false;
    for (int step = 0; step < 150 && !woke; step++) {
        graze_sim_body now[2];
        sim_run(sim, NULL, 1);
        graze_sim_get_body(sim, resting, &now[0], NULL);
        graze_sim_get_body(sim, thrown, &now[1], NULL);
        woke = !now[0].asleep;
        if (now[1].position[0] - now[0].position[0] > 0.32)
            slept &= !woke && now[0].velocity[0] == 0;
    }
    CHECK(slept && woke);
    sim_run(sim, NULL, 15);
    graze_sim_get_body(sim, resting, &body, NULL);
    CHECK_MSG(body.velocity[0] < -0.3, "%g m/s", body.velocity[0]);
}

/* Put down from a millimetre above, it comes at less than the speed that wakes. */
TEST(what_is_heavy_wakes_who_sleeps)
{
    OWN(sim_thing) ball = {0};
    sim_thing_make(GRAZE_SYNTH_BALL, 0, true, NULL, &ball);
    graze_sim_def sim_def = {0};
    for (int heavy = 0; heavy < 2; heavy++) {
        OWN(graze_sim) *sim = sim_thing_start(&sim_def, &ball, true);
        graze_sim_kind_def kind = ball.def;
        graze_sim_body body = {0};
        uint32_t resting, put;
        kind.mass *= heavy ? 50 : 0.05;
        body.position[1] = 0.15;
        body.asleep = true;
        CHECK(graze_sim_add_body(sim, &body, &resting, NULL) == GRAZE_OK);
        CHECK(graze_sim_add_kind(sim, &kind, &body.kind, NULL) == GRAZE_OK);
        body.asleep = false;
        body.position[1] = 0.451;
        CHECK(graze_sim_add_body(sim, &body, &put, NULL) == GRAZE_OK);
        sim_run(sim, NULL, 10);
        graze_sim_get_body(sim, resting, &body, NULL);
        CHECK(body.asleep == !heavy);
    }
}

/* ---- what is animated or fixed -------------------------------------------------------------- */

/* A plate of 2 x 0.2 x 2 m, and a field that lifts all of it by 10 cm. */
typedef struct plate {
    float positions[24], deltas[24];
    graze_model *model;
    graze_sim_kind_def def;
} plate;

static bool make_plate(plate *made, graze_sim_motion motion)
{
    static const uint32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    graze_model_def def = {0};
    graze_morph_target field = {NULL, made->deltas, 8};
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++) {
            made->positions[3 * v + k] = (v >> k & 1 ? 1.0F : -1.0F) * (k == 1 ? 0.1F : 1.0F);
            made->deltas[3 * v + k] = k == 1 ? 0.1F : 0;
        }
    def.positions = made->positions;
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = 12;
    def.joint_count = 1;
    def.morphs = &field;
    def.morph_count = 1;
    made->def = (graze_sim_kind_def){0};
    made->def.positions = made->positions;
    made->def.vertex_count = 8;
    made->def.mode_count = 1;
    made->def.deltas = made->deltas;
    made->def.motion = motion;
    graze_status status = graze_model_create(&def, &made->model, NULL);
    made->def.model = made->model;
    return status == GRAZE_OK;
}

/* Body 0 is the plate, its top at y = 0; body 1 stands on it. */
static graze_sim *stand_on_plate(const sim_thing *chair, const plate *made)
{
    graze_sim *sim = sim_thing_start(NULL, chair, false);
    graze_sim_body body = {0};
    uint32_t number;
    body.position[1] = -0.1;
    CHECK(graze_sim_add_kind(sim, &made->def, &body.kind, NULL) == GRAZE_OK);
    CHECK(graze_sim_add_body(sim, &body, &number, NULL) == GRAZE_OK && number == 0);
    CHECK(sim_thing_put(sim, 0, chair->def.centre[1] + 0.02, 0, 0) == 1);
    sim_run(sim, NULL, 600);
    graze_sim_get_body(sim, 1, &body, NULL);
    CHECK(body.asleep);
    return sim;
}

TEST(what_is_fixed_holds_and_never_moves)
{
    OWN(sim_thing) chair = {0};
    plate made;
    graze_sim_body body;
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    REQUIRE(make_plate(&made, GRAZE_SIM_FIXED));
    graze_sim *sim = stand_on_plate(&chair, &made);
    graze_sim_get_body(sim, 0, &body, NULL);
    CHECK(body.position[1] == -0.1 && body.velocity[1] == 0 && !body.asleep);
    double lowest = sim_lowest(sim, 1);
    CHECK_MSG(lowest < 0 && lowest > -0.001, "the chair is %g deep", -lowest);
    CHECK(fabs(graze_sim_get_totals(sim).mass - chair.def.mass) < 1e-9);
    graze_sim_destroy(sim);
    graze_model_destroy(made.model);
}

/* Up by 10 cm a second, as a whole or by its field. */
TEST(what_is_animated_carries_and_wakes)
{
    OWN(sim_thing) chair = {0};
    plate made;
    const double upright[4] = {0, 0, 0, 1};
    sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, NULL, &chair);
    REQUIRE(make_plate(&made, GRAZE_SIM_ANIMATED));
    for (int by_field = 0; by_field < 2; by_field++) {
        OWN(graze_sim) *sim = stand_on_plate(&chair, &made);
        graze_sim_body body;
        graze_sim_get_body(sim, 1, &body, NULL);
        double before = body.position[1], place[3] = {0, -0.1, 0}, weight = 0;
        for (int step = 1; step <= 150; step++) {
            place[1] = by_field ? -0.1 : -0.1 + 0.1 * step / 150;
            weight = by_field ? step / 150.0 : 0;
            CHECK(graze_sim_set_animated(sim, 0, place, upright, &weight, 1, NULL) == GRAZE_OK);
            sim_run(sim, NULL, 1);
        }
        graze_sim_get_body(sim, 0, &body, NULL);
        CHECK(body.position[1] == place[1] && body.weights[0] == weight);
        graze_sim_get_body(sim, 1, &body, NULL);
        CHECK(!body.asleep);
        CHECK_MSG(fabs(body.position[1] - before - 0.1) < 0.001 &&
                      fabs(body.velocity[1] - 0.1) < 0.01,
                  "up by %g, at %g m/s", body.position[1] - before, body.velocity[1]);
    }
    graze_model_destroy(made.model);
}

/* ---- threads -------------------------------------------------------------------------------- */

/* What a run of a pile comes to, at four times. */
static void run_pile(const sim_thing *chair, graze_sim_contacts contacts, uint32_t threads,
                     uint64_t hashes[4])
{
    enum { COUNT = 24 };
    graze_sim_def def = {0};
    OWN(graze_pool) *pool = NULL;
    def.contacts = contacts;
    def.max_caches = 3; /* caches come and go */
    REQUIRE(graze_pool_create(threads, NULL, &pool, NULL) == GRAZE_OK);
    OWN(graze_sim) *sim = sim_thing_start(&def, chair, true);
    fill_pile(sim, COUNT);
    for (int part = 0; part < 4; part++) {
        size_t count;
        sim_run(sim, threads == 1 ? NULL : pool, test_amount(150, 60));
        const graze_sim_contact *list = graze_sim_contact_list(sim, &count);
        hashes[part] = sim_hash(sim) + count;
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
                hashes[part] = hashes[part] * 31 + (uint64_t)(int64_t)(list[i].impulse[k] * 1e12);
    }
}

TEST(any_number_of_threads_takes_the_same_steps)
{
    graze_tree_def tree = {0};
    tree.volume = GRAZE_SPHERES;
    tree.contact_level = 4;
    for (int proxies = 0; proxies < 2; proxies++) {
        OWN(sim_thing) chair = {0};
        uint64_t hashes[3][4] = {{0}};
        sim_thing_make(GRAZE_SYNTH_CHAIR, 1000, false, proxies ? &tree : NULL, &chair);
        for (uint32_t threads = 1; threads <= 3; threads++)
            run_pile(&chair, proxies ? GRAZE_SIM_PROXIES : GRAZE_SIM_EXACT, threads,
                     hashes[threads - 1]);
        for (int part = 0; part < 4; part++)
            CHECK(hashes[0][part] == hashes[1][part] && hashes[0][part] == hashes[2][part]);
        CHECK(hashes[0][0] != hashes[0][1]);
    }
}
