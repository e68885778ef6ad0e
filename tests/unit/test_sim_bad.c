/* Bad input to simulations: refused with words, and nothing has changed. Every allocation fails
 * once.
 */
#include "harness.h"

#include "support/allocator.h"
#include "support/own.h"
#include "support/sim_things.h"

#include <math.h>
#include <string.h>

static graze_error error;

#define REFUSED(call, word)                                                                        \
    do {                                                                                           \
        memset(&error, 0, sizeof error);                                                           \
        graze_status status_of_call = (call);                                                      \
        CHECK_MSG(status_of_call == GRAZE_BAD_INPUT && strstr(error.text, word), "%s: %d, \"%s\"", \
                  #call, (int)status_of_call, error.text);                                         \
        CHECK(error.status == GRAZE_BAD_INPUT);                                                    \
    } while (0)

TEST(simulations_with_bad_numbers_are_refused)
{
    graze_sim *sim = NULL;
    const double bad[] = {NAN, INFINITY, -1};
    for (int i = 0; i < 3; i++) {
        graze_sim_def def = {0};
        def.step = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "step");
        def = (graze_sim_def){0};
        def.max_depth = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "max_depth");
        def = (graze_sim_def){0};
        def.max_push_speed = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "max_push_speed");
        def = (graze_sim_def){0};
        def.sleep_speed = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "sleep_speed");
        def = (graze_sim_def){0};
        def.sleep_seconds = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "sleep_seconds");
        def = (graze_sim_def){0};
        def.wake_speed = bad[i];
        REFUSED(graze_sim_create(&def, &sim, &error), "wake_speed");
        def = (graze_sim_def){0};
        def.gravity[2] = i < 2 ? bad[i] : 1e10;
        REFUSED(graze_sim_create(&def, &sim, &error), "gravity[2]");
    }
    graze_sim_def def = {0};
    def.reserved[3] = 1;
    REFUSED(graze_sim_create(&def, &sim, &error), "reserved[3]");
    def = (graze_sim_def){0};
    def.contacts = (graze_sim_contacts)7;
    REFUSED(graze_sim_create(&def, &sim, &error), "contacts");
    REFUSED(graze_sim_create(&def, NULL, &error), "NULL");
    CHECK(sim == NULL);
}

TEST(bad_kinds_are_refused)
{
    sim_thing chair;
    graze_sim *sim;
    uint32_t kind = 77;
    sim_thing_make(GRAZE_SYNTH_CHAIR, 400, false, NULL, &chair);
    REQUIRE(graze_sim_create(NULL, &sim, &error) == GRAZE_OK);
    const graze_sim_kind_def good = chair.def;
    graze_sim_kind_def def = good;
    REFUSED(graze_sim_add_kind(NULL, &def, &kind, &error), "NULL");
    REFUSED(graze_sim_add_kind(sim, NULL, &kind, &error), "NULL");
    REFUSED(graze_sim_add_kind(sim, &def, NULL, &error), "NULL");
#define WITH(field, value, word)                                                                   \
    do {                                                                                           \
        def = good;                                                                                \
        def.field = value;                                                                         \
        REFUSED(graze_sim_add_kind(sim, &def, &kind, &error), word);                               \
    } while (0)
    WITH(model, NULL, "model");
    WITH(positions, NULL, "positions");
    WITH(deltas, NULL, "deltas");
    WITH(modes, NULL, "modes");
    WITH(vertex_count, 3, "vertices");
    WITH(mode_count, 3, "modes");
    WITH(motion, (graze_sim_motion)9, "motion");
    WITH(mass, 0, "mass");
    WITH(mass, NAN, "mass");
    WITH(centre[1], INFINITY, "centre[1]");
    WITH(inertia[0][1], 5, "symmetric");
    WITH(inertia[2][2], NAN, "inertia");
    WITH(inertia[2][2], -1, "positive");
    WITH(stiffness, -1, "stiffness");
    WITH(damping, -1, "damping");
    WITH(friction, NAN, "friction");
    WITH(max_strain, -1, "max_strain");
    graze_sim_mode modes[16];
#define WITH_MODE(field, value, word)                                                              \
    do {                                                                                           \
        memcpy(modes, chair.modes, sizeof modes);                                                  \
        modes[4].field = value;                                                                    \
        WITH(modes, modes, word);                                                                  \
        CHECK(strstr(error.text, "mode 4"));                                                       \
    } while (0)
    WITH_MODE(frequency, 0, "frequency");
    WITH_MODE(frequency, NAN, "frequency");
    WITH_MODE(damping, 1, "damping");
    WITH_MODE(damping, -0.1, "damping");
    WITH_MODE(scale, 0, "scale");
    WITH_MODE(strain, INFINITY, "strain");
    chair.deltas[5] = NAN;
    REFUSED(graze_sim_add_kind(sim, &good, &kind, &error), "delta of vertex 1 in mode 0");
    CHECK(kind == 77 && graze_sim_kind_count(sim) == 0);
    graze_sim_destroy(sim);
    sim_thing_free(&chair);
}

TEST(bad_bodies_and_planes_are_refused)
{
    sim_thing chair, plate;
    uint32_t number = 77, made, still;
    sim_thing_make(GRAZE_SYNTH_CHAIR, 400, false, NULL, &chair);
    sim_thing_make(GRAZE_SYNTH_BALL, 0, true, NULL, &plate);
    graze_sim *sim = sim_thing_start(NULL, &chair, true);
    plate.def.motion = GRAZE_SIM_ANIMATED;
    REQUIRE(graze_sim_add_kind(sim, &plate.def, &made, &error) == GRAZE_OK && made == 1);
    graze_sim_body good = {0}, def = good;
    double weights[16] = {0};
    weights[3] = NAN;
#define WITH_BODY(field, value, word)                                                              \
    do {                                                                                           \
        def = good;                                                                                \
        def.field = value;                                                                         \
        REFUSED(graze_sim_add_body(sim, &def, &number, &error), word);                             \
    } while (0)
    WITH_BODY(kind, 2, "kind 2");
    WITH_BODY(position[0], NAN, "position[0]");
    WITH_BODY(position[2], 1e10, "position[2]");
    WITH_BODY(rotation[3], 1e-20, "rotation");
    WITH_BODY(rotation[1], NAN, "rotation[1]");
    WITH_BODY(velocity[1], INFINITY, "velocity[1]");
    WITH_BODY(angular_velocity[1], NAN, "angular_velocity[1]");
    WITH_BODY(weights, weights, "weights[3]");
    WITH_BODY(weight_velocities, weights, "weight_velocities[3]");
    def = good;
    def.kind = 1;
    def.velocity[0] = 1;
    REFUSED(graze_sim_add_body(sim, &def, &number, &error), "not free");
    REFUSED(graze_sim_add_body(NULL, &good, &number, &error), "NULL");
    REFUSED(graze_sim_add_body(sim, NULL, &number, &error), "NULL");
    REFUSED(graze_sim_add_body(sim, &good, NULL, &error), "NULL");
    CHECK(number == 77 && graze_sim_body_count(sim) == 0);
    REQUIRE(graze_sim_add_body(sim, &good, &made, &error) == GRAZE_OK);
    def = good;
    def.kind = 1;
    REQUIRE(graze_sim_add_body(sim, &def, &still, &error) == GRAZE_OK);
    REFUSED(graze_sim_set_body(sim, 5, &good, &error), "body 5");
    REFUSED(graze_sim_set_body(sim, made, &def, &error), "another kind");
    REFUSED(graze_sim_set_body(sim, still, &def, &error), "not free");
    REFUSED(graze_sim_set_body(sim, made, NULL, &error), "NULL");
    const double place[3] = {0, 1, 0}, turn[4] = {0, 0, 0, 1}, bad[4] = {0, 0, NAN, 0};
    REFUSED(graze_sim_set_animated(sim, made, place, turn, NULL, 0, &error), "not animated");
    REFUSED(graze_sim_set_animated(sim, 9, place, turn, NULL, 0, &error), "body 9");
    REFUSED(graze_sim_set_animated(sim, still, NULL, turn, NULL, 0, &error), "NULL");
    REFUSED(graze_sim_set_animated(sim, still, place, NULL, NULL, 0, &error), "NULL");
    REFUSED(graze_sim_set_animated(sim, still, bad, turn, NULL, 0, &error), "position[2]");
    REFUSED(graze_sim_set_animated(sim, still, place, bad, NULL, 0, &error), "rotation[2]");
    REFUSED(graze_sim_set_animated(sim, still, place, turn, place, 3, &error), "weights");
    graze_sim_plane plane = {.half_space = {.normal = {0, 1, 0}}, .friction = -1};
    REFUSED(graze_sim_add_plane(sim, &plane, &number, &error), "friction");
    plane.friction = 0;
    plane.half_space.normal[1] = 0;
    CHECK(graze_sim_add_plane(sim, &plane, &number, &error) == GRAZE_BAD_INPUT);
    REFUSED(graze_sim_add_plane(NULL, &plane, &number, &error), "NULL");
    REFUSED(graze_sim_add_plane(sim, NULL, &number, &error), "NULL");
    REFUSED(graze_sim_add_plane(sim, &plane, NULL, &error), "NULL");
    CHECK(number == 77 && graze_sim_plane_count(sim) == 1);
    graze_sim_destroy(sim);
    sim_thing_free(&chair);
    sim_thing_free(&plate);
}

TEST(questions_without_a_simulation_have_answers)
{
    size_t count = 5;
    graze_sim_body body;
    graze_sim_kind_info info;
    float placement[12];
    graze_sim_destroy(NULL);
    CHECK(graze_sim_get_def(NULL).step == 0 && graze_sim_kind_count(NULL) == 0);
    CHECK(graze_sim_body_count(NULL) == 0 && graze_sim_plane_count(NULL) == 0);
    CHECK(graze_sim_step_count(NULL) == 0 && graze_sim_get_stats(NULL).contacts == 0);
    CHECK(graze_sim_get_totals(NULL).mass == 0);
    CHECK(graze_sim_contact_list(NULL, &count) == NULL && count == 0);
    REFUSED(graze_sim_step(NULL, NULL, 1, &error), "NULL");
    REFUSED(graze_sim_get_body(NULL, 0, &body, &error), "NULL");
    REFUSED(graze_sim_get_kind(NULL, 0, &info, &error), "NULL");
    REFUSED(graze_sim_get_placement(NULL, 0, placement, NULL, &error), "NULL");
    OWN(graze_sim) *sim = NULL;
    REQUIRE(graze_sim_create(NULL, &sim, NULL) == GRAZE_OK);
    CHECK(graze_sim_step(sim, NULL, 3, NULL) == GRAZE_OK && graze_sim_step_count(sim) == 3);
    REFUSED(graze_sim_get_body(sim, 0, &body, &error), "body 0");
    REFUSED(graze_sim_get_kind(sim, 0, &info, &error), "kind 0");
    CHECK(graze_sim_get_body(sim, 0, &body, NULL) == GRAZE_BAD_INPUT);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* All of a short life, with proxies or without. */
typedef struct short_life {
    sim_thing ball;
    bool proxies;
} short_life;

static graze_status live(const graze_allocator *allocator, void *about, graze_error *why)
{
    const short_life *l = about;
    graze_sim_def def = {0};
    OWN(graze_sim) *sim = NULL;
    uint32_t number;
    def.allocator = allocator;
    def.contacts = l->proxies ? GRAZE_SIM_PROXIES : GRAZE_SIM_EXACT;
    graze_status status = graze_sim_create(&def, &sim, why);
    graze_sim_plane plane = {.half_space = {.normal = {0, 1, 0}}};
    graze_sim_body body = {0};
    if (!status)
        status = graze_sim_add_kind(sim, &l->ball.def, &number, why);
    if (!status)
        status = graze_sim_add_plane(sim, &plane, &number, why);
    for (int i = 0; i < 3 && !status; i++) {
        body.position[1] = 0.1 + 0.25 * i;
        status = graze_sim_add_body(sim, &body, &number, why);
    }
    if (!status)
        status = graze_sim_step(sim, NULL, 3, why);
    return status;
}

TEST(every_allocation_may_fail)
{
    for (int proxies = 0; proxies < 2; proxies++) {
        short_life l = {.proxies = proxies};
        test_memory memory = {0};
        graze_tree_def tree = {0};
        if (proxies) {
            tree.volume = GRAZE_SPHERES;
            tree.contact_level = 4;
        }
        sim_thing_make(GRAZE_SYNTH_BALL, 0, true, &tree, &l.ball);
        CHECK(test_fail_each(&memory, live, &l, 10000) > 30);
        own_sim_thing(&l.ball);
    }
}
