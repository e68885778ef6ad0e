/* Simulations of random things: the same bits however they are run, momentum and energy where they
 * must be kept, and bodies that rest on what is taken away.
 */
#include "harness.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/sim_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a simulation with one kind of each shape ----------------------------------------------- */

typedef struct playground {
    sim_box things[SIM_BOX_SHAPES];
} playground;

static bool open_playground(playground *p, uint32_t contact_level)
{
    memset(p, 0, sizeof *p);
    for (int s = 0; s < SIM_BOX_SHAPES; s++)
        if (!sim_box_make((sim_box_shape)s, contact_level, &p->things[s]))
            return false;
    return true;
}

static void close_playground(playground *p)
{
    for (int s = 0; s < SIM_BOX_SHAPES; s++)
        sim_box_free(&p->things[s]);
}

OWN_VALUE(playground, close_playground)

/* Kinds have the numbers of their shapes. */
static graze_sim *make_sim(const playground *p, const graze_sim_def *def)
{
    graze_sim *sim = NULL;
    graze_error error = {.text = ""};
    bool ok = !graze_sim_create(def, &sim, &error);
    for (uint32_t s = 0; ok && s < SIM_BOX_SHAPES; s++) {
        uint32_t kind;
        ok = !graze_sim_add_kind(sim, &p->things[s].def, &kind, &error) && kind == s;
    }
    CHECK_MSG(ok, "%s", error.text);
    if (ok)
        return sim;
    graze_sim_destroy(sim);
    return NULL;
}

static void add_plane(graze_sim *sim, float x, float y, float z, float offset)
{
    graze_sim_plane plane = {.half_space = {{x, y, z}, offset}, .friction = 0.5};
    uint32_t number;
    graze_error error;
    CHECK_MSG(!graze_sim_add_plane(sim, &plane, &number, &error), "%s", error.text);
}

static uint32_t add_body(graze_sim *sim, const graze_sim_body *body)
{
    uint32_t number = 0;
    graze_error error;
    CHECK_MSG(!graze_sim_add_body(sim, body, &number, &error), "%s", error.text);
    return number;
}

static void step(graze_sim *sim, graze_pool *pool, uint32_t count)
{
    graze_error error;
    CHECK_MSG(!graze_sim_step(sim, pool, count, &error), "%s", error.text);
}

static graze_sim_body get(const graze_sim *sim, uint32_t number)
{
    graze_sim_body body = {0};
    CHECK(!graze_sim_get_body(sim, number, &body, NULL));
    return body;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double energy(const graze_sim *sim)
{
    graze_sim_totals totals = graze_sim_get_totals(sim);
    return totals.kinetic + totals.vibration + totals.gravity;
}

/* A free body in a cell of a grid, so that nothing overlaps at the beginning. */
static graze_sim_body random_body(test_random *random, uint32_t cell, double speed)
{
    const double position[3] = {((cell % 3) - 1.0) * 0.95, 0.7 + 0.95 * (cell / 9),
                                ((cell / 3 % 3) - 1.0) * 0.95};
    graze_sim_body body =
        sim_box_body(random, test_random_u32(random) % (uint32_t)SIM_BOX_FLOOR, position);
    for (int axis = 0; axis < 3; axis++) {
        body.velocity[axis] = test_random_range(random, -speed, speed);
        body.angular_velocity[axis] = test_random_range(random, -3 * speed, 3 * speed);
    }
    return body;
}

/* ---- the same bits -------------------------------------------------------------------------- */

enum {
    TWINS = 3
}; /* one thread; three threads; saved and loaded into another every now and then */

typedef struct history {
    const playground *p;
    graze_sim_def def;
    graze_sim *sims[TWINS];
    graze_pool *pool;
    graze_sim_body made[64]; /* how bodies were put in, for one that a state is loaded into */
    uint32_t count;
    uint32_t floor; /* an animated body, the first of all */
} history;

static void furnish(graze_sim *sim)
{
    add_plane(sim, 0, 1, 0, 0);
    add_plane(sim, 1, 0, 0, -1.6f);
}

static void put_in(history *h, const graze_sim_body *body)
{
    for (int t = 0; t < TWINS; t++)
        CHECK(add_body(h->sims[t], body) == h->count);
    h->made[h->count++] = *body;
}

/* The last twin goes on in a simulation that was made anew, from its saved state. */
static void save_and_load(history *h)
{
    graze_sim *from = h->sims[TWINS - 1], *to = make_sim(h->p, &h->def);
    size_t size = graze_sim_state_bytes(from), written = 0;
    unsigned char *bytes = malloc(size + 1);
    graze_error error = {.text = ""};
    REQUIRE(to && bytes && size > 0);
    furnish(to);
    for (uint32_t i = 0; i < h->count; i++)
        add_body(to, &h->made[i]);
    CHECK_MSG(!graze_sim_save(from, bytes, size, &written, &error), "%s", error.text);
    CHECK(written <= size);
    CHECK_MSG(!graze_sim_load(to, bytes, written, &error), "%s", error.text);
    CHECK(graze_sim_step_count(to) == graze_sim_step_count(from));
    free(bytes);
    graze_sim_destroy(from);
    h->sims[TWINS - 1] = to;
}

static void move_floor(history *h, double seconds)
{
    const double position[3] = {0.3 * sin(3 * seconds), 0.25 + 0.05 * sin(7 * seconds), 0};
    const double rotation[4] = {0, 0, 0.05 * sin(5 * seconds), 1};
    for (int t = 0; t < TWINS; t++)
        CHECK(!graze_sim_set_animated(h->sims[t], h->floor, position, rotation, NULL, 0, NULL));
}

static void throw_one(history *h, test_random *random)
{
    uint32_t number = 1 + test_random_u32(random) % (h->count - 1);
    graze_sim_body body = random_body(random, 27 + test_random_u32(random) % 9, 2);
    body.kind = h->made[number].kind;
    for (int t = 0; t < TWINS; t++)
        CHECK(!graze_sim_set_body(h->sims[t], number, &body, NULL));
}

static void compare(const history *h, uint32_t round)
{
    for (int t = 1; t < TWINS; t++) {
        uint32_t first = sim_box_first_difference(h->sims[0], h->sims[t]);
        CHECK_MSG(first == UINT32_MAX, "round %u: body %u differs in twin %d", round, first, t);
        size_t a = 0, b = 0;
        const graze_sim_contact *x = graze_sim_contact_list(h->sims[0], &a);
        const graze_sim_contact *y = graze_sim_contact_list(h->sims[t], &b);
        bool alike = a == b;
        for (size_t i = 0; alike && i < a; i++)
            alike = x[i].a == y[i].a && x[i].b == y[i].b && x[i].depth == y[i].depth &&
                    memcmp(x[i].impulse, y[i].impulse, sizeof x[i].impulse) == 0;
        CHECK_MSG(alike, "round %u: contacts differ, %zu and %zu", round, a, b);
    }
}

static void live(history *h, test_random *random, uint32_t rounds)
{
    for (uint32_t round = 0; round < rounds; round++) {
        if (h->count < 20 && round % 2 == 0) {
            graze_sim_body body = random_body(random, 9 + h->count, 1);
            put_in(h, &body);
        }
        if (round % 5 == 4)
            throw_one(h, random);
        uint32_t steps = 1 + test_random_u32(random) % 8;
        for (uint32_t s = 0; s < steps; s++) {
            move_floor(h, (double)(graze_sim_step_count(h->sims[0]) + 1) / 150);
            for (int t = 0; t < TWINS; t++)
                step(h->sims[t], t == 1 ? h->pool : NULL, 1);
        }
        compare(h, round);
        if (round % 3 == 1)
            save_and_load(h);
    }
}

static void check_history(uint64_t seed, graze_sim_contacts contacts, uint32_t rounds)
{
    OWN(playground) p = {0};
    test_random random = test_random_seed(seed);
    REQUIRE(open_playground(&p, contacts == GRAZE_SIM_PROXIES ? 4 : 0));
    history h = {.p = &p, .def = (graze_sim_def){0}};
    h.def.contacts = contacts;
    h.def.sleep_seconds = 0.1;
    REQUIRE(!graze_pool_create(3, NULL, &h.pool, NULL));
    bool ok = true;
    for (int t = 0; t < TWINS; t++) {
        h.sims[t] = make_sim(&p, &h.def);
        ok = ok && h.sims[t];
        if (ok)
            furnish(h.sims[t]);
    }
    if (ok) {
        graze_sim_body ground = {0};
        ground.kind = SIM_BOX_FLOOR;
        ground.position[1] = 0.25;
        put_in(&h, &ground);
        for (uint32_t i = 0; i < 6; i++) {
            graze_sim_body body = random_body(&random, 9 + i, 1);
            put_in(&h, &body);
        }
        live(&h, &random, rounds);
    }
    for (int t = 0; t < TWINS; t++)
        graze_sim_destroy(h.sims[t]);
    graze_pool_destroy(h.pool);
}

TEST(threads_and_stops_change_no_bit_exact)
{
    uint32_t seeds = test_amount(6, 1);
    for (uint64_t seed = 1; seed <= seeds; seed++)
        check_history(seed, GRAZE_SIM_EXACT, test_amount(40, 24));
}

TEST(threads_and_stops_change_no_bit_proxies)
{
    uint32_t seeds = test_amount(6, 1);
    for (uint64_t seed = 1; seed <= seeds; seed++)
        check_history(seed, GRAZE_SIM_PROXIES, test_amount(40, 24));
}

/* ---- momentum ------------------------------------------------------------------------------- */

/* A cloud of things that flies into itself, without ground or gravity. */
static void check_cloud(uint64_t seed, graze_sim_contacts contacts, bool sleeping, double *drift)
{
    OWN(playground) p = {0};
    test_random random = test_random_seed(seed);
    graze_sim_def def = {0};
    double scale = 0, turning = 0;
    bool met = false;
    REQUIRE(open_playground(&p, contacts == GRAZE_SIM_PROXIES ? 4 : 0));
    def.contacts = contacts;
    def.no_sleeping = !sleeping;
    def.no_gravity = true;
    OWN(graze_sim) *sim = make_sim(&p, &def);
    for (uint32_t i = 0; sim && i < 18; i++) {
        graze_sim_body body = random_body(&random, i, 0.3);
        double mass = p.things[body.kind].def.mass;
        for (int axis = 0; axis < 3; axis++)
            body.velocity[axis] -= 1.5 * (body.position[axis] - (axis == 1));
        scale += mass * length(body.velocity);
        turning += mass * length(body.velocity) * length(body.position);
        add_body(sim, &body);
    }
    graze_sim_totals before = graze_sim_get_totals(sim);
    double start = energy(sim);
    for (uint32_t s = 0; sim && s < test_amount(400, 120); s++) {
        step(sim, NULL, 1);
        met |= graze_sim_get_stats(sim).contacts > 0;
        CHECK_MSG(energy(sim) <= start * 1.01, "seed %d, step %u: energy %g of %g", (int)seed, s,
                  energy(sim), start);
    }
    graze_sim_totals after = graze_sim_get_totals(sim);
    CHECK(met);
    for (int axis = 0; axis < 3; axis++) {
        double off = fabs(after.momentum[axis] - before.momentum[axis]) / scale;
        CHECK_MSG(sleeping || off < 1e-6, "seed %d: momentum off by %g", (int)seed, off);
        *drift = fmax(*drift, fabs(after.angular[axis] - before.angular[axis]) / turning);
    }
}

TEST(momentum_is_kept_in_mid_air)
{
    double exact = 0, proxies = 0;
    for (uint64_t seed = 1; seed <= test_amount(12, 2); seed++) {
        check_cloud(seed, GRAZE_SIM_EXACT, false, &exact);
        check_cloud(seed, GRAZE_SIM_PROXIES, false, &proxies);
    }
    /* A contact's impulses act at one point, so only the step's discretisation turns bodies. */
    CHECK_MSG(exact < 1e-2 && proxies < 1e-2, "angular drift %g exact, %g by proxies", exact,
              proxies);
}

/* ---- energy and rest ------------------------------------------------------------------------ */

/* Six walls, with gravity or without: energy never grows, nobody leaves, nobody goes wild. */
static void check_box(uint64_t seed, double gravity, graze_sim_contacts contacts, uint32_t steps)
{
    OWN(playground) p = {0};
    test_random random = test_random_seed(seed);
    graze_sim_def def = {0};
    REQUIRE(open_playground(&p, contacts == GRAZE_SIM_PROXIES ? 4 : 0));
    def.contacts = contacts;
    def.gravity[1] = -gravity;
    def.no_gravity = gravity == 0;
    def.no_sleeping = true;
    OWN(graze_sim) *sim = make_sim(&p, &def);
    for (int axis = 0; sim && axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            float normal[3] = {0, 0, 0};
            normal[axis] = (float)-side;
            /* From -1.5 to 1.5, but along y from 0 to 4. */
            float offset = axis != 1 ? -1.5f : side < 0 ? 0 : -4;
            add_plane(sim, normal[0], normal[1], normal[2], offset);
        }
    for (uint32_t i = 0; sim && i < 18; i++) {
        graze_sim_body body = random_body(&random, i, 2);
        add_body(sim, &body);
    }
    double most = energy(sim);
    for (uint32_t s = 0; sim && s < steps; s++) {
        step(sim, NULL, 1);
        double now = energy(sim);
        CHECK_MSG(now <= most * 1.01, "seed %d, step %u: energy %g, after %g", (int)seed, s, now,
                  most);
        if (now > most * 1.01)
            break;
    }
    for (uint32_t i = 0; sim && i < graze_sim_body_count(sim); i++) {
        graze_sim_body body = get(sim, i);
        CHECK_MSG(fabs(body.position[0]) < 1.5 && fabs(body.position[2]) < 1.5 &&
                      body.position[1] > -0.01 && body.position[1] < 4,
                  "seed %d: body %u of kind %u left: %g %g %g", (int)seed, i, body.kind,
                  body.position[0], body.position[1], body.position[2]);
    }
}

TEST(energy_does_not_grow_in_a_closed_box)
{
    for (uint64_t seed = 1; seed <= test_amount(8, 1); seed++) {
        check_box(seed, 0, GRAZE_SIM_EXACT, test_amount(1000, 150));
        check_box(seed, 9.81, GRAZE_SIM_EXACT, test_amount(1000, 250));
        check_box(seed, 9.81, GRAZE_SIM_PROXIES, test_amount(1000, 150));
    }
}

/* A body that nothing touches keeps its energy and momentum however it tumbles. */
TEST(a_tumbling_body_keeps_its_energy)
{
    OWN(playground) p = {0};
    REQUIRE(open_playground(&p, 0));
    graze_sim_def def = {0};
    def.no_gravity = true;
    def.no_sleeping = true;
    for (int shape = SIM_BOX_CUBE; shape <= SIM_BOX_PLATE; shape++) {
        OWN(graze_sim) *sim = make_sim(&p, &def);
        graze_sim_body body = {0};
        body.kind = (uint32_t)shape;
        body.angular_velocity[0] = 12;
        body.angular_velocity[1] = 9;
        body.angular_velocity[2] = 0.5;
        if (!sim)
            break;
        add_body(sim, &body);
        graze_sim_totals before = graze_sim_get_totals(sim);
        step(sim, NULL, test_amount(20000, 3000));
        graze_sim_totals after = graze_sim_get_totals(sim);
        CHECK_MSG(fabs(after.kinetic / before.kinetic - 1) < 0.01, "shape %d: %g J, then %g", shape,
                  before.kinetic, after.kinetic);
        for (int axis = 0; axis < 3; axis++)
            CHECK_MSG(fabs(after.angular[axis] - before.angular[axis]) <
                          1e-3 * length(before.angular),
                      "shape %d, axis %d: %g, then %g", shape, axis, before.angular[axis],
                      after.angular[axis]);
    }
}

/* ---- what must not happen ------------------------------------------------------------------- */

/* Thin plates and beams thrown at the ground and at each other at 10 m/s. */
TEST(thin_things_thrown_hard_stay_sane)
{
    OWN(playground) p = {0};
    REQUIRE(open_playground(&p, 0));
    for (uint64_t seed = 1; seed <= test_amount(10, 2); seed++) {
        test_random random = test_random_seed(seed);
        OWN(graze_sim) *sim = make_sim(&p, NULL);
        if (!sim)
            break;
        add_plane(sim, 0, 1, 0, 0);
        for (uint32_t i = 0; i < 18; i++) {
            graze_sim_body body = random_body(&random, i, 1);
            body.kind = i % 3 ? SIM_BOX_PLATE : SIM_BOX_BEAM;
            body.velocity[1] = -10;
            add_body(sim, &body);
        }
        double most = energy(sim);
        for (uint32_t s = 0; s < test_amount(900, 200); s++) {
            step(sim, NULL, 1);
            CHECK_MSG(energy(sim) <= most * 1.01, "seed %d, step %u: %g J of %g", (int)seed, s,
                      energy(sim), most);
            if (!(energy(sim) <= most * 1.01))
                break;
        }
        for (uint32_t i = 0; i < 18; i++) {
            graze_sim_body body = get(sim, i);
            CHECK_MSG(body.position[1] > -0.02 && length(body.velocity) < 15,
                      "seed %d: body %u at height %g, %g m/s", (int)seed, i, body.position[1],
                      length(body.velocity));
        }
    }
}
