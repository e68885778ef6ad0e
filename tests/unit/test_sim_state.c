/* Stopped and resumed is the same bits as not stopped; what is no state of this simulation is
 * refused with words, and the simulation stays as it was.
 */
#include "harness.h"
#include "support/allocator.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/solids.h"

#include <graze/sim.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 2, BRICKS = 7 };

/* ---- a scene: bricks that flex fall on a plate that sways --------------------------------- */

/* What can be another than usual. */
typedef struct scene_def {
    const graze_allocator *allocator;
    graze_sim_contacts contacts;
    double gravity, stiffness, frequency, longer, ground_friction;
    uint32_t bricks;
    bool no_ground, kinds_swapped, other_corner, plate_only_fixed;
} scene_def;

static scene_def usual(void)
{
    return (scene_def){.gravity = 9.81,
                       .stiffness = 50e3,
                       .frequency = 21,
                       .ground_friction = 0.5,
                       .bricks = BRICKS};
}

/* A box with two fields: it bends, and it twists. */
static void make_kind(graze_sim *sim, const scene_def *def, const double half[3],
                      graze_sim_motion motion)
{
    OWN(solid) s = {0};
    const double low[3] = {-half[0], -half[1], -half[2]};
    solid_add_box(&s, low, half, 4);
    if (def->other_corner) {
        uint32_t corner = s.triangles[0];
        s.triangles[0] = s.triangles[1];
        s.triangles[1] = corner;
    }
    OWNED float *deltas = calloc((size_t)s.vertex_count * 3 * MODES, sizeof *deltas);
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const float *p = s.positions + 3 * (size_t)v;
        double x = p[0] / half[0];
        deltas[3 * (size_t)v + 1] = (float)(0.02 * (x * x - 0.4));
        deltas[3 * ((size_t)s.vertex_count + v) + 1] = (float)(0.1 * x * p[2]);
        deltas[3 * ((size_t)s.vertex_count + v) + 2] = (float)(-0.1 * x * p[1]);
    }
    graze_model_def model_def = {0};
    graze_morph_target targets[MODES];
    for (uint32_t m = 0; m < MODES; m++)
        targets[m] =
            (graze_morph_target){NULL, deltas + (size_t)m * 3 * s.vertex_count, s.vertex_count};
    model_def.positions = s.positions;
    model_def.vertex_count = s.vertex_count;
    model_def.triangles = s.triangles;
    model_def.triangle_count = s.triangle_count;
    model_def.joint_count = 1;
    model_def.morphs = targets;
    model_def.morph_count = MODES;
    model_def.no_self_collision = true;
    if (def->contacts == GRAZE_SIM_PROXIES) {
        model_def.tree.volume = GRAZE_SPHERES;
        model_def.tree.contact_level = 4;
    }
    OWN(graze_model) *model = NULL;
    graze_error error = {0};
    CHECK_MSG(!graze_model_create(&model_def, &model, &error), "%s", error.text);
    const graze_sim_mode modes[MODES] = {{def->frequency, 0.02, 0.05, 0.1}, {33, 0.02, 0.04, 0.2}};
    graze_sim_kind_def kind = {0};
    kind.model = model;
    kind.positions = s.positions;
    kind.vertex_count = s.vertex_count;
    kind.motion = motion;
    kind.mass = 2;
    for (int i = 0; i < 3; i++) {
        double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
        kind.inertia[i][i] = kind.mass * (a * a + b * b) / 3;
    }
    kind.mode_count = MODES;
    kind.modes = modes;
    kind.deltas = deltas;
    kind.max_strain = 0.5;
    kind.stiffness = def->stiffness;
    uint32_t number;
    CHECK_MSG(!graze_sim_add_kind(sim, &kind, &number, &error), "%s", error.text);
}

static graze_sim *make_scene(const scene_def *def)
{
    const double brick[3] = {0.3 + def->longer, 0.08, 0.12}, plate[3] = {0.9, 0.05, 0.9};
    graze_sim_def sim_def = {0};
    graze_sim *sim = NULL;
    graze_error error = {0};
    uint32_t number;
    sim_def.allocator = def->allocator;
    sim_def.contacts = def->contacts;
    sim_def.gravity[1] = -def->gravity;
    sim_def.sleep_seconds = 0.2;
    sim_def.sleep_speed = 0.08;
    CHECK_MSG(!graze_sim_create(&sim_def, &sim, &error), "%s", error.text);
    graze_sim_motion motion = def->plate_only_fixed ? GRAZE_SIM_FIXED : GRAZE_SIM_ANIMATED;
    make_kind(sim, def, plate, motion);
    make_kind(sim, def, brick, GRAZE_SIM_FREE);
    graze_sim_plane ground = {.half_space = {{0, 1, 0}, 0}, .friction = def->ground_friction};
    CHECK(def->no_ground || !graze_sim_add_plane(sim, &ground, &number, &error));
    for (uint32_t i = 0; i <= def->bricks; i++) {
        graze_sim_body body = {0};
        body.kind = def->kinds_swapped ? i == def->bricks : i > 0;
        bool is_brick = body.kind == 1;
        body.position[0] = is_brick ? 0.15 * (i % 3) + (i % 4 == 3 ? 1.2 : 0) : 0;
        body.position[1] = is_brick ? 0.35 + 0.2 * i : 0.1;
        body.rotation[1] = is_brick ? 0.3 * i : 0;
        body.rotation[3] = 1;
        body.angular_velocity[2] = is_brick ? 0.5 : 0;
        CHECK_MSG(!graze_sim_add_body(sim, &body, &number, &error), "%s", error.text);
    }
    return sim;
}

/* The plate follows the step's number, as a scene's animation does: every other second it sways, in
 * the others it stands, so that some fall asleep.
 */
static bool step(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    double time = (double)(graze_sim_step_count(sim) + 1) / 150, part = fmod(time, 2);
    bool quiet = part > 1;
    double swayed = (time - part) / 2 + (quiet ? 1 : part);
    const double at[3] = {0.05 * sin(3 * swayed), 0.1, 0}, turn[4] = {0, 0, 0, 1};
    const double weights[MODES] = {0.8 * sin(5 * swayed), 0.5 * sin(4 * swayed)};
    return (quiet || !graze_sim_set_animated(sim, 0, at, turn, weights, MODES, error)) &&
           !graze_sim_step(sim, pool, 1, error);
}

/* ---- states ------------------------------------------------------------------------------- */

typedef struct saved {
    unsigned char *bytes;
    size_t size;
} saved;

static saved save(const graze_sim *sim)
{
    saved s = {.size = 0};
    graze_error error = {0};
    size_t room = graze_sim_state_bytes(sim);
    s.bytes = malloc(room + 8);
    memset(s.bytes, 0xAB, room + 8);
    CHECK_MSG(!graze_sim_save(sim, s.bytes, room, &s.size, &error), "%s", error.text);
    CHECK(s.size == room);
    for (size_t i = 0; i < 8; i++)
        CHECK(s.bytes[room + i] == 0xAB);
    return s;
}

static bool is_same(const saved *a, const saved *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Everything a caller can see. */
static void check_same(const graze_sim *a, const graze_sim *b, const char *what)
{
    size_t count_a, count_b;
    const graze_sim_contact *list_a = graze_sim_contact_list(a, &count_a);
    const graze_sim_contact *list_b = graze_sim_contact_list(b, &count_b);
    bool same = count_a == count_b && graze_sim_step_count(a) == graze_sim_step_count(b);
    for (size_t i = 0; same && i < count_a; i++)
        same = list_a[i].a == list_b[i].a && list_a[i].b == list_b[i].b &&
               list_a[i].plane == list_b[i].plane && list_a[i].depth == list_b[i].depth &&
               memcmp(list_a[i].point, list_b[i].point, sizeof list_a[i].point) == 0 &&
               memcmp(list_a[i].normal, list_b[i].normal, sizeof list_a[i].normal) == 0 &&
               memcmp(list_a[i].impulse, list_b[i].impulse, sizeof list_a[i].impulse) == 0;
    for (uint32_t i = 0; same && i < graze_sim_body_count(a); i++) {
        graze_sim_body x, y;
        CHECK(!graze_sim_get_body(a, i, &x, NULL) && !graze_sim_get_body(b, i, &y, NULL));
        same = memcmp(x.position, y.position, sizeof x.position) == 0 &&
               memcmp(x.rotation, y.rotation, sizeof x.rotation) == 0 &&
               memcmp(x.velocity, y.velocity, sizeof x.velocity) == 0 &&
               memcmp(x.angular_velocity, y.angular_velocity, sizeof x.velocity) == 0 &&
               memcmp(x.weights, y.weights, MODES * sizeof(double)) == 0 &&
               memcmp(x.weight_velocities, y.weight_velocities, MODES * sizeof(double)) == 0 &&
               x.asleep == y.asleep;
    }
    CHECK_MSG(same, "%s: after step %llu", what, (unsigned long long)graze_sim_step_count(a));
}

/* Runs one without a stop, and another that is thrown away and resumed every so many steps, on
 * another number of threads each time.
 */
static void check_resumed(const scene_def *def, uint32_t steps, uint32_t apart, uint32_t sleepers,
                          const char *what)
{
    graze_error error = {0};
    OWN(graze_pool) *pool = NULL;
    CHECK(!graze_pool_create(2, NULL, &pool, &error));
    OWN(graze_sim) *whole = make_scene(def);
    graze_sim *parts = make_scene(def);
    uint32_t touching = 0, sleeping = 0;
    for (uint32_t i = 0; i < steps; i++) {
        CHECK_MSG(step(whole, NULL, &error) && step(parts, i / apart % 2 ? pool : NULL, &error),
                  "%s", error.text);
        check_same(whole, parts, what);
        graze_sim_stats stats = graze_sim_get_stats(whole);
        touching += stats.contacts > 0;
        sleeping += stats.asleep > 0;
        if (i % apart != apart - 1)
            continue;
        saved state = save(parts), before = save(whole);
        CHECK(is_same(&state, &before));
        graze_sim_destroy(parts);
        parts = make_scene(def);
        CHECK_MSG(!graze_sim_load(parts, state.bytes, state.size, &error), "%s", error.text);
        saved again = save(parts);
        CHECK_MSG(is_same(&state, &again), "%s: what is loaded is saved as something else", what);
        size_t contacts;
        graze_sim_contact_list(parts, &contacts);
        CHECK(contacts == 0);
        free(state.bytes);
        free(before.bytes);
        free(again.bytes);
    }
    CHECK_MSG(touching > steps / 3 && sleeping >= sleepers,
              "%s: %u steps with contacts, %u with sleepers", what, touching, sleeping);
    graze_sim_destroy(parts);
}

TEST(resumed_is_not_stopped)
{
    scene_def def = usual();
    check_resumed(&def, test_amount(1200, 420), 7, 100, "exact");
    def.contacts = GRAZE_SIM_PROXIES;
    check_resumed(&def, test_amount(1200, 420), 11, 0, "proxies");
}

/* Into a simulation that has gone elsewhere meanwhile. */
TEST(a_state_replaces_another)
{
    scene_def def = usual();
    graze_error error = {0};
    OWN(graze_sim) *a = make_scene(&def), *b = make_scene(&def);
    for (int i = 0; i < 40; i++)
        CHECK(step(a, NULL, &error));
    for (int i = 0; i < 160; i++)
        CHECK(step(b, NULL, &error));
    saved state = save(a);
    CHECK_MSG(!graze_sim_load(b, state.bytes, state.size, &error), "%s", error.text);
    for (int i = 0; i < 60; i++) {
        CHECK(step(a, NULL, &error) && step(b, NULL, &error));
        check_same(a, b, "replaced");
    }
    free(state.bytes);
}

/* ---- what is no state --------------------------------------------------------------------- */

/* The state is refused with such a word, and the simulation is as it was. */
static void check_refused(graze_sim *sim, const void *bytes, size_t size, const char *word,
                          const char *what)
{
    graze_error error = {0};
    saved before = save(sim);
    graze_status status = graze_sim_load(sim, bytes, size, &error);
    CHECK_MSG(status == GRAZE_BAD_INPUT && strstr(error.text, word), "%s: %d, %s", what,
              (int)status, error.text);
    saved after = save(sim);
    CHECK_MSG(is_same(&before, &after), "%s: the simulation is another", what);
    free(before.bytes);
    free(after.bytes);
}

/* A simulation in the middle of things, with points of the step before. */
static graze_sim *busy_scene(const scene_def *def)
{
    graze_error error = {0};
    graze_sim *sim = make_scene(def);
    for (int i = 0; i < 45; i++)
        CHECK_MSG(step(sim, NULL, &error), "%s", error.text);
    CHECK(graze_sim_get_stats(sim).contacts > 0);
    return sim;
}

TEST(cut_off_anywhere_is_refused)
{
    scene_def def = usual();
    def.bricks = 2;
    OWN(graze_sim) *sim = busy_scene(&def);
    saved state = save(sim);
    for (size_t size = 0; size < state.size;
         size += size < 200 || size + 40 > state.size ? 1 : 13) {
        unsigned char *copy = malloc(size + 1); /* of that size: a sanitizer sees what is behind */
        memcpy(copy, state.bytes, size);
        check_refused(sim, copy, size, size < 16 ? "not the state" : "cut off", "cut off");
        free(copy);
    }
    unsigned char *longer = malloc(state.size + 8);
    memcpy(longer, state.bytes, state.size);
    memset(longer + state.size, 0, 8);
    check_refused(sim, longer, state.size + 8, "cut off", "longer");
    free(longer);
    free(state.bytes);
}

TEST(every_changed_bit_is_refused)
{
    scene_def def = usual();
    def.bricks = 2;
    OWN(graze_sim) *sim = busy_scene(&def);
    saved state = save(sim), before = save(sim);
    uint32_t taken = 0;
    graze_error error;
    for (size_t bit = 0; bit < state.size * 8; bit += test_is_quick() ? 1 + bit % 5 : 1) {
        state.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        taken += graze_sim_load(sim, state.bytes, state.size, &error) != GRAZE_BAD_INPUT;
        state.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    CHECK_MSG(taken == 0, "%u changed states were taken", taken);
    saved after = save(sim);
    CHECK(is_same(&before, &after));
    state.bytes[8] = 2;
    check_refused(sim, state.bytes, state.size, "version 2", "version");
    free(state.bytes);
    free(before.bytes);
    free(after.bytes);
}

TEST(states_of_other_simulations_are_refused)
{
    scene_def others[10];
    static const char *const words[10] = {"gravity", "kinds",  "kinds",  "kinds", "planes",
                                          "planes",  "bodies", "bodies", "kinds", "contacts"};
    for (int i = 0; i < 10; i++)
        others[i] = usual();
    others[0].gravity = 9.8;
    others[1].stiffness = 51e3;
    others[2].frequency = 21.5;
    others[3].longer = 1e-6;
    others[4].no_ground = true;
    others[5].ground_friction = 0.4;
    others[6].bricks = BRICKS - 1;
    others[7].kinds_swapped = true;
    others[8].other_corner = true;
    others[9].contacts = GRAZE_SIM_PROXIES;
    scene_def def = usual();
    OWN(graze_sim) *sim = make_scene(&def);
    for (int i = 0; i < 10; i++) {
        OWN(graze_sim) *other = make_scene(&others[i]);
        saved state = save(other);
        check_refused(sim, state.bytes, state.size, words[i], words[i]);
        free(state.bytes);
    }
}

/* ---- numbers that cannot be, under a checksum that is right --------------------------------- */

static uint64_t word_at(const saved *s, size_t at)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)s->bytes[at + (size_t)i] << 8 * i;
    return value;
}

static void put_word(saved *s, size_t at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        s->bytes[at + (size_t)i] = (unsigned char)(value >> 8 * i);
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
}

static void seal(saved *s)
{
    uint64_t hash = mix(5, s->size - 8);
    for (size_t at = 0; at < s->size - 8; at += 8)
        hash = mix(hash, word_at(s, at));
    put_word(s, s->size - 8, hash);
}

/* Any word of the state made something odd: it is refused, or it is taken and steps go on. */
TEST(odd_numbers_do_no_harm)
{
    static const uint64_t odd[] = {0x7ff8000000000000, /* not a number */
                                   0xfff0000000000000, /* -infinity */
                                   0xffffffffffffffff, 0, 1, 2, 0x80000000, 0x80000001,
                                   0x7e37e43c8800759c /* 1e300 */};
    scene_def def = usual();
    def.bricks = 2;
    OWN(graze_sim) *sim = busy_scene(&def);
    saved state = save(sim);
    uint32_t taken = 0, refused = 0;
    graze_error error;
    seal(&state);
    CHECK(!graze_sim_load(sim, state.bytes, state.size, &error));
    for (size_t at = 56; at < state.size - 8; at += 8)
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            uint64_t before = word_at(&state, at);
            put_word(&state, at, odd[i]);
            seal(&state);
            bool good = !graze_sim_load(sim, state.bytes, state.size, &error);
            CHECK(!good || i > 2 || at == 56); /* any number of steps will do */
            CHECK(good || strstr(error.text, "cannot be"));
            taken += good;
            refused += !good;
            if (good && (at / 8 + i) % 4 == 0)
                step(sim, NULL, &error); /* which may say that it cannot */
            put_word(&state, at, before);
        }
    CHECK_MSG(taken > 0 && refused > 0, "%u taken, %u refused", taken, refused);
    free(state.bytes);
}

/* ---- memory and calls ----------------------------------------------------------------------- */

TEST(no_memory_for_a_state)
{
    test_memory memory = {0};
    graze_allocator allocator = test_memory_allocator(&memory);
    scene_def def = usual();
    graze_error error = {0};
    graze_sim *from = busy_scene(&def);
    def.allocator = &allocator;
    graze_sim *sim = make_scene(&def);
    saved state = save(from), before = save(sim);
    memory.fail_at = memory.calls + 1;
    CHECK(graze_sim_load(sim, state.bytes, state.size, &error) == GRAZE_OUT_OF_MEMORY);
    memory.fail_at = 0;
    saved after = save(sim);
    CHECK(is_same(&before, &after));
    CHECK_MSG(!graze_sim_load(sim, state.bytes, state.size, &error), "%s", error.text);
    CHECK(step(sim, NULL, &error) && step(from, NULL, &error));
    check_same(sim, from, "after memory came back");
    graze_sim_destroy(sim);
    graze_sim_destroy(from);
    CHECK(memory.alive == 0 && !memory.misused);
    free(state.bytes);
    free(before.bytes);
    free(after.bytes);
}

TEST(bad_calls)
{
    scene_def def = usual();
    OWN(graze_sim) *sim = make_scene(&def);
    saved state = save(sim);
    graze_error error;
    size_t written = 7;
    CHECK(graze_sim_state_bytes(NULL) == 0);
    CHECK(graze_sim_save(NULL, state.bytes, state.size, &written, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sim_save(sim, NULL, state.size, &written, NULL) == GRAZE_BAD_INPUT);
    CHECK(graze_sim_save(sim, state.bytes, state.size, NULL, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sim_save(sim, state.bytes, state.size - 1, &written, &error) == GRAZE_BAD_INPUT);
    CHECK(strstr(error.text, "no room") && written == 7);
    CHECK(graze_sim_load(NULL, state.bytes, state.size, &error) == GRAZE_BAD_INPUT);
    CHECK(graze_sim_load(sim, NULL, state.size, NULL) == GRAZE_BAD_INPUT);
    CHECK(!graze_sim_load(sim, state.bytes, state.size, NULL));
    free(state.bytes);
}
