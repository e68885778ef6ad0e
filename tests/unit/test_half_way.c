/* Calls that fail half way, for want of memory: made again they answer as if nothing had been, and
 * so does all that comes after them. Each allocation of each call fails once, beside a twin whose
 * calls never do. Of calls that only make something, that they leave nothing behind is in the test
 * of what they make; engines are in test_ode_half_way.c.
 */
#include "harness.h"

#include "support/finders.h"
#include "support/half_way.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/sim_things.h"
#include "support/solids.h"
#include "support/soup_pair.h"

#include <graze/ext/chain_batch.h>
#include <graze/ext/chain_pose.h>
#include <graze/ext/decimate.h>
#include <graze/ext/response.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NOTE(h, what, value) half_way_note(h, what, &(value), sizeof(value))

static soup_pair open_pair(half_way *h)
{
    return soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, &h->allocator);
}

/* ---- worlds --------------------------------------------------------------------------------- */

static void note_event(half_way *h, const graze_world_event *event)
{
    const uint32_t numbers[9] = {
        (uint32_t)event->kind, (uint32_t)event->level, (uint32_t)event->motion,
        event->a.index,        event->a.generation,    event->b.index,
        event->b.generation,   event->capped,          event->inside};
    NOTE(h, "who meets", numbers);
    NOTE(h, "when", event->time);
    NOTE(h, "how many pairs", event->pair_count);
    half_way_note(h, "parts", event->parts, event->part_count * sizeof *event->parts);
    half_way_note(h, "contacts", event->contacts, event->contact_count * sizeof *event->contacts);
}

static void note_events(half_way *h, const graze_world *world)
{
    size_t count;
    const graze_world_event *events = graze_world_events(world, &count);
    NOTE(h, "the number of events", count);
    for (size_t i = 0; i < count; i++)
        note_event(h, &events[i]);
}

/* Who is in the world: two soups, one lean and one with given positions now and then, a hollow
 * solid ball with a ball inside, and a fast ball that passes through it between two updates.
 */
typedef struct company {
    soup_pair pair;
    graze_cache_pool *caches;
    graze_body *lean, *hollow;
    graze_model *hollow_model;
    graze_hitboxes *fit;
    graze_world *world;
    graze_world_id ids[8];
    float *positions;
} company;

static void open_company(half_way *h, company *c)
{
    const graze_hitboxes_def fit = {0};
    solid ball = {0};
    *c = (company){.pair = open_pair(h)};
    solid_add_ball(&ball, 1, 4);
    c->hollow = solid_body(&ball, &h->allocator, &c->hollow_model);
    solid_free(&ball);
    c->positions = calloc(c->pair.meshes[0].def.vertex_count, 3 * sizeof *c->positions);
    if (graze_cache_pool_create(c->pair.models[0], NULL, &c->caches, NULL) ||
        graze_body_create_lean(c->caches, &c->lean, NULL) ||
        graze_hitboxes_create(c->pair.models[0], &fit, &c->fit, NULL) || !c->positions)
        abort();
}

static void close_company(company *c)
{
    graze_world_destroy(c->world);
    graze_body_destroy(c->lean);
    graze_body_destroy(c->hollow);
    graze_model_destroy(c->hollow_model);
    graze_cache_pool_destroy(c->caches);
    graze_hitboxes_destroy(c->fit);
    free(c->positions);
    soup_pair_close(&c->pair);
}

OWN_VALUE(company, close_company)

static void move_hollow(company *c, int frame)
{
    const float placement[12] = {1, 0, 0, 90, 0, 1, 0, 0.01f * (float)frame, 0, 0, 1, 0};
    const graze_pose pose = {.placement = placement};
    CHECK(graze_body_set_pose(c->hollow, &pose, NULL) == GRAZE_OK);
}

/* From one side of the hollow ball to the other in each frame. */
static graze_shape bullet(int frame)
{
    return graze_shape_sphere((const float[]){90, frame % 2 ? 5.0f : -5.0f, 0}, 0.1f);
}

static void enter(half_way *h, company *c, graze_motion_rule motion)
{
    const graze_shape inside = graze_shape_sphere((const float[]){90, 0, 0}, 0.1f);
    const graze_shape ground = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    const graze_shape fast = bullet(0);
    graze_world_member_def plain = {.category = 0}, fitted = {.category = 1, .hitboxes = c->fit},
                           filled = {.category = 0, .solid = true};
    graze_world_rule rule = {GRAZE_LEVEL_EXACT, motion, true, {0}},
                     rough = {GRAZE_LEVEL_HITBOXES, motion, true, {0}};
    AGAIN(h, graze_world_create(&h->allocator, &c->world, NULL));
    AGAIN(h, graze_world_set_rule(c->world, 0, 0, &rule, NULL));
    AGAIN(h, graze_world_set_rule(c->world, 0, 1, &rough, NULL));
    AGAIN(h, graze_world_set_rule(c->world, 1, 1, &rough, NULL));
    AGAIN(h, graze_world_add_body(c->world, c->pair.a, &fitted, &c->ids[0], NULL));
    AGAIN(h, graze_world_add_body(c->world, c->pair.b, &plain, &c->ids[1], NULL));
    AGAIN(h, graze_world_add_body(c->world, c->hollow, &filled, &c->ids[2], NULL));
    AGAIN(h, graze_world_add_shape(c->world, &inside, NULL, &c->ids[3], NULL));
    AGAIN(h, graze_world_add_shape(c->world, &ground, NULL, &c->ids[4], NULL));
    AGAIN(h, graze_world_add_shape(c->world, &fast, NULL, &c->ids[5], NULL));
}

/* Somebody comes, goes, or is seen otherwise; then all move and are looked at. */
static void next_frame(half_way *h, company *c, int frame)
{
    const graze_world_member_def fitted = {.category = 1, .hitboxes = c->fit};
    const uint32_t mask = 5;
    const graze_shape fast = bullet(frame);
    soup_pair *pair = &c->pair;
    uint32_t vertices = pair->meshes[0].def.vertex_count;
    CHECK(soup_pair_pose(pair, 0, pair->a, (uint32_t)frame % 3) == GRAZE_OK);
    CHECK(soup_pair_pose(pair, 0, c->lean, (uint32_t)frame % 2 + 3) == GRAZE_OK);
    if (frame % 2)
        CHECK(soup_pair_pose(pair, 1, pair->b, (uint32_t)frame) == GRAZE_OK);
    if (frame == 1)
        AGAIN(h, graze_world_add_body(c->world, pair->end, NULL, &c->ids[6], NULL));
    if (frame == 2)
        AGAIN(h, graze_world_add_body(c->world, c->lean, &fitted, &c->ids[7], NULL));
    if (frame == 3)
        AGAIN(h, graze_body_set_part_mask(pair->a, &mask, 4, NULL));
    if (frame == 3)
        AGAIN(h, graze_world_remove(c->world, c->ids[6], NULL));
    if (frame == 4 || frame == 6) {
        graze_body_get_positions(pair->a, c->positions);
        AGAIN(h, graze_body_set_positions(c->lean, c->positions, 0, vertices, NULL));
    }
    if (frame == 5)
        AGAIN(h, graze_world_teleport_shape(c->world, c->ids[5], &fast, NULL));
    else
        AGAIN(h, graze_world_set_shape(c->world, c->ids[5], &fast, NULL));
    move_hollow(c, frame);
    AGAIN(h, graze_world_update(c->world, NULL, NULL));
    note_events(h, c->world);
}

static void play_world(half_way *h, graze_motion_rule motion)
{
    OWN(company) c = {0};
    open_company(h, &c);
    enter(h, &c, motion);
    for (int frame = 0; frame < 8; frame++)
        next_frame(h, &c, frame);
}

static void discrete(half_way *h)
{
    play_world(h, GRAZE_MOTION_DISCRETE);
}

static void swept(half_way *h)
{
    play_world(h, GRAZE_MOTION_SWEPT);
}

static void sampled(half_way *h)
{
    play_world(h, GRAZE_MOTION_SAMPLED);
}

static void continuous(half_way *h)
{
    play_world(h, GRAZE_MOTION_CONTINUOUS);
}

/* ---- points of contacts, part contacts ------------------------------------------------------- */

static void play_points(half_way *h)
{
    OWN(company) c = {0};
    OWN(point_finder) *points = NULL;
    size_t count, point_count;
    open_company(h, &c);
    enter(h, &c, GRAZE_MOTION_DISCRETE);
    AGAIN(h, point_finder_create(&h->allocator, &points, NULL));
    AGAIN(h, graze_world_update(c.world, NULL, NULL));
    const graze_world_event *events = graze_world_events(c.world, &count);
    for (size_t i = 0; i < count; i++) {
        AGAIN(h, point_finder_find(points, c.world, &events[i], 0.01f, NULL));
        const graze_contact *list = point_finder_list(points, &point_count);
        half_way_note(h, "points", list, point_count * sizeof *list);
    }
    const graze_shape ball = graze_shape_sphere(c.pair.meshes[0].centre, 0.2f);
    AGAIN(h, point_finder_touch(points, c.pair.a, &ball, 0.01f, NULL));
    const graze_contact *list = point_finder_list(points, &point_count);
    half_way_note(h, "points of a touch", list, point_count * sizeof *list);
}

static void note_contacts(half_way *h, const graze_contact_finder *finder,
                          const graze_contact_list *found)
{
    size_t segments;
    const graze_contact_segment *list = graze_contact_segments(finder, &segments);
    half_way_note(h, "segments", list, segments * sizeof *list);
    half_way_note(h, "contacts", found->items, found->count * sizeof *found->items);
}

static void play_contacts(half_way *h)
{
    const uint32_t mask = 5;
    OWN(soup_pair) pair = open_pair(h);
    graze_contact_finder_def def = {0};
    OWN(graze_contact_finder) *finder = NULL;
    graze_contact contacts[64];
    graze_contact_list found = {.items = contacts, .capacity = 64};
    def.split_by_part = true;
    AGAIN(h, graze_contact_finder_create(pair.models[0], pair.models[1], &def, &finder, NULL));
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(soup_pair_pose(&pair, 0, pair.a, i) == GRAZE_OK);
        if (i == 2)
            AGAIN(h, graze_body_set_part_mask(pair.a, &mask, 4, NULL));
        AGAIN(h, graze_contacts(finder, pair.a, pair.b, &found, NULL, NULL));
        note_contacts(h, finder, &found);
    }
}

/* ---- bodies, histories, checkpoints, batches --------------------------------------------------
 */

typedef struct reported {
    uint64_t hash;
    uint64_t count;
} reported;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    reported *r = user;
    r->hash = half_way_hash(r->hash, pairs, count * sizeof *pairs);
    r->count += count;
    return true;
}

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    reported *r = user;
    r->hash = half_way_hash(r->hash, triangles, count * sizeof *triangles);
    r->count += count;
    return true;
}

/* Its positions, in the pose that it is in. */
static uint64_t look_at_body(void *user)
{
    static float positions[3 * 4096];
    graze_body *body = user;
    uint32_t count = graze_model_get_info(graze_body_model(body)).vertex_count;
    if (count > 4096)
        abort();
    graze_body_get_positions(body, positions);
    return half_way_hash(0, positions, 3 * count * sizeof *positions);
}

static void note_body(half_way *h, graze_body *body)
{
    uint64_t seen = look_at_body(body);
    NOTE(h, "positions", seen);
}

/* A lean body: borrows in every question, keeps what it is given, and may get a mask. */
static void play_lean(half_way *h)
{
    const uint32_t masks[2] = {5, 3};
    OWN(soup_pair) pair = open_pair(h);
    OWN(graze_cache_pool) *caches = NULL;
    OWN(graze_body) *lean = NULL, *twin = NULL;
    OWN(graze_model) *frozen = NULL;
    uint32_t vertices = pair.meshes[0].def.vertex_count;
    OWNED float *positions = calloc(vertices, 3 * sizeof *positions);
    reported all = {0};
    AGAIN(h, graze_cache_pool_create(pair.models[0], NULL, &caches, NULL));
    AGAIN(h, graze_body_create_lean(caches, &lean, NULL));
    AGAIN(h, graze_body_create(pair.models[0], &twin, NULL));
    h->look = look_at_body;
    h->user = lean;
    for (uint32_t i = 0; i < 4; i++) {
        CHECK(soup_pair_pose(&pair, 0, lean, i) == GRAZE_OK);
        if (i == 2) {
            graze_body_get_positions(pair.a, positions);
            AGAIN(h, graze_body_set_positions(lean, positions, 0, vertices, NULL));
        }
        if (i < 2)
            AGAIN(h, graze_body_set_part_mask(lean, &masks[i], 4, NULL));
        AGAIN(h, graze_body_borrow_caches(lean, NULL));
        AGAIN(h, graze_pairs(lean, pair.b, &(graze_pair_list){.report = take_pairs, .user = &all},
                             NULL, NULL));
        note_body(h, lean);
        graze_body_give_back_caches(lean);
    }
    AGAIN(h, graze_body_freeze(lean, &frozen, NULL));
    NOTE(h, "pairs of a lean body", all);
    h->look = NULL;
}

/* A history goes on without what it does not get. */
static void play_history(half_way *h)
{
    OWN(soup_pair) pair = open_pair(h);
    OWN(graze_history) *history = NULL;
    AGAIN(h, graze_history_create(pair.models[0], pair.models[1], &history, NULL));
    for (uint32_t i = 0; i < 6; i++) {
        graze_pair_list any = {0};
        CHECK(soup_pair_pose(&pair, 0, pair.a, i) == GRAZE_OK);
        AGAIN(h, graze_pairs(pair.a, pair.b, &any,
                             &(graze_options){.any = true, .history = history}, NULL));
        NOTE(h, "whether they meet", any.total);
    }
}

/* Questions of several kinds, and their answers. */
enum { QUESTIONS = 6 };

typedef struct answer {
    reported all;
    graze_pair_list pairs;
    graze_triangle_list triangles;
    graze_nearest nearest;
    graze_hit hit;
} answer;

static graze_status ask(soup_pair *pair, uint32_t kind, answer *to, const graze_options *options)
{
    const graze_shape ball = graze_shape_sphere(pair->meshes[0].centre, 0.3f);
    to->pairs = (graze_pair_list){.report = take_pairs, .user = &to->all};
    to->triangles = (graze_triangle_list){.report = take_triangles, .user = &to->all};
    switch (kind) {
    case 0:
        return graze_pairs(pair->a, pair->b, &to->pairs, options, NULL);
    case 1:
        return graze_self_pairs(pair->a, NULL, &to->pairs, options, NULL);
    case 2:
        return graze_distance(pair->a, pair->b, INFINITY, &to->nearest, options, NULL);
    case 3:
        return graze_pairs_within(pair->a, pair->b, 0.01, &to->pairs, options, NULL);
    case 4:
        return graze_touch(pair->a, &ball, &to->triangles, options, NULL);
    default:
        return graze_cast(pair->a, &pair->ray, &to->hit, options, NULL);
    }
}

static void note_answer(half_way *h, const answer *to)
{
    NOTE(h, "answers", to->all);
    NOTE(h, "the distance", to->nearest.distance);
    NOTE(h, "the ray's t", to->hit.t);
}

/* The same, where more to come is no failure. */
static graze_status ask_a_step(soup_pair *pair, uint32_t kind, answer *to,
                               const graze_options *options)
{
    graze_status status = ask(pair, kind, to, options);
    return status == GRAZE_UNFINISHED ? GRAZE_OK : status;
}

static void play_steps(half_way *h)
{
    OWN(soup_pair) pair = open_pair(h);
    OWN(graze_checkpoint) *checkpoint = NULL;
    AGAIN(h, graze_checkpoint_create(&h->allocator, &checkpoint, NULL));
    for (uint32_t kind = 0; kind < QUESTIONS; kind++) {
        graze_budget budget = {.bound_tests = 400, .checkpoint = checkpoint};
        const graze_options options = {.budget = &budget};
        answer to = {.all = {0}};
        for (int i = 0; !budget.finished && i < 1000; i++) {
            AGAIN(h, ask_a_step(&pair, kind, &to, &options));
            NOTE(h, "how many are left", budget.remaining);
            NOTE(h, "answers so far", to.all);
        }
        note_answer(h, &to);
        CHECK(budget.finished);
        graze_checkpoint_clear(checkpoint);
    }
}

/* Each question often, so that the batch grows. */
static void play_batch(half_way *h)
{
    enum { TIMES = 20 };
    static answer to[TIMES * QUESTIONS];
    OWN(soup_pair) pair = open_pair(h);
    OWN(graze_batch) *batch = NULL;
    AGAIN(h, graze_batch_create(&h->allocator, &batch, NULL));
    for (int round = 0; round < 2; round++) {
        memset(to, 0, sizeof to);
        for (uint32_t i = 0; i < TIMES * QUESTIONS; i++)
            AGAIN(h, ask(&pair, i % QUESTIONS, &to[i], &(graze_options){.batch = batch}));
        AGAIN(h, graze_batch_run(batch, NULL, NULL));
        for (uint32_t i = 0; i < TIMES * QUESTIONS; i++)
            note_answer(h, &to[i]);
        graze_batch_clear(batch);
    }
}

/* ---- simulations ---------------------------------------------------------------------------- */

static uint64_t look_at_sim(void *user)
{
    return sim_hash(user);
}

static void play_sim(half_way *h, bool proxies)
{
    static sim_thing ball[2];
    graze_tree_def tree = {0};
    graze_sim_def def = {0};
    OWN(graze_sim) *sim = NULL;
    graze_sim_plane plane = {.half_space = {.normal = {0, 1, 0}}};
    graze_sim_body body = {0};
    uint32_t number = 0;
    OWNED void *state = NULL;
    if (proxies) {
        tree.volume = GRAZE_SPHERES;
        tree.contact_level = 4;
    }
    if (!ball[proxies].model) /* kept: it is not of this play's memory */
        sim_thing_make(GRAZE_SYNTH_BALL, 0, true, &tree, &ball[proxies]);
    def.allocator = &h->allocator;
    def.contacts = proxies ? GRAZE_SIM_PROXIES : GRAZE_SIM_EXACT;
    AGAIN(h, graze_sim_create(&def, &sim, NULL));
    h->look = look_at_sim;
    h->user = sim;
    AGAIN(h, graze_sim_add_kind(sim, &ball[proxies].def, &number, NULL));
    AGAIN(h, graze_sim_add_plane(sim, &plane, &number, NULL));
    for (int i = 0; i < 4; i++) {
        body.position[0] = 0.02 * i;
        body.position[1] = 0.1 + 0.21 * i;
        AGAIN(h, graze_sim_add_body(sim, &body, &number, NULL));
        NOTE(h, "a body's number", number);
    }
    for (int i = 0; i < 8; i++) {
        AGAIN(h, graze_sim_step(sim, NULL, 1, NULL));
        uint64_t seen = sim_hash(sim);
        NOTE(h, "the simulation", seen);
        NOTE(h, "energy and momentum", (graze_sim_totals[]){graze_sim_get_totals(sim)});
        if (i == 2) {
            size_t size = graze_sim_state_bytes(sim), written;
            state = malloc(size);
            AGAIN(h, graze_sim_save(sim, state, size, &written, NULL));
            half_way_note(h, "its state", state, written);
        }
        if (i == 4)
            AGAIN(h, graze_sim_load(sim, state, graze_sim_state_bytes(sim), NULL));
        if (i == 5)
            AGAIN(h, graze_sim_set_body(sim, 1, &body, NULL));
        if (i == 5)
            AGAIN(h, graze_sim_add_body(sim, &body, &number, NULL));
    }
    h->look = NULL;
}

static void exact_sim(half_way *h)
{
    play_sim(h, false);
}

static void proxies_sim(half_way *h)
{
    play_sim(h, true);
}

/* ---- what is made --------------------------------------------------------------------------- */

/* From one model: a coarse one, volumes, chains with a plan and a batch. */
static void play_made(half_way *h)
{
    OWN(solid) ball = {0};
    OWN(graze_model) *model = NULL, *again = NULL;
    OWN(graze_decimated) *coarse = NULL;
    OWN(graze_hitboxes) *fit = NULL;
    OWN(graze_chains) *chains = NULL;
    OWN(graze_chain_tracker) *plan = NULL;
    OWN(graze_chain_batch) *batch = NULL;
    graze_decimate_def less = {0};
    graze_hitboxes_def fit_def = {0};
    graze_chain_def chain_def = {0};
    solid_add_capsule(&ball, 0.2, 0.7, 6);
    OWN(graze_body) *body = solid_body(&ball, &h->allocator, &model);
    uint32_t count;
    static float spheres[4096];
    less.triangle_count = ball.triangle_count / 3;
    chain_def.positions = ball.positions;
    AGAIN(h, graze_decimated_create(model, &less, &coarse, NULL));
    graze_model_def def = graze_decimated_model_def(coarse);
    half_way_note(h, "coarse triangles", def.triangles, 12 * (size_t)def.triangle_count);
    AGAIN(h, graze_model_create(&def, &again, NULL));
    AGAIN(h, graze_hitboxes_create(model, &fit_def, &fit, NULL));
    AGAIN(h, graze_hitboxes_pose(fit, body, (graze_capsule *)(void *)spheres,
                                 graze_hitboxes_count(fit, NULL), NULL));
    half_way_note(h, "volumes", spheres, graze_hitboxes_count(fit, NULL) * sizeof(graze_capsule));
    AGAIN(h, graze_chains_create(model, NULL, &chain_def, &chains, NULL));
    const graze_pair *pairs = graze_chains_pairs(chains, GRAZE_ALL_PAIRS, &count);
    half_way_note(h, "pairs of chains", pairs, count * sizeof *pairs);
    AGAIN(h, graze_chain_tracker_create(chains, NULL, &plan, NULL));
    AGAIN(h, graze_chain_pose(plan, body, GRAZE_CHAIN_CONSERVATIVE, spheres, 4096, NULL));
    half_way_note(h, "spheres", spheres,
                  16 * (size_t)graze_chain_tracker_size(plan, GRAZE_CHAIN_PAIRS, NULL));
    graze_chain_batch_def batch_def = {0};
    batch_def.chains = chains;
    AGAIN(h, graze_chain_batch_create(&batch_def, &batch, NULL));
    const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    const graze_chain_results results = {.spheres = spheres};
    AGAIN(h, graze_chain_batch_run(batch, identity, 1, &results, NULL));
    half_way_note(h, "spheres of a batch", spheres,
                  16 * (size_t)graze_chain_tracker_size(plan, GRAZE_CHAIN_PAIRS, NULL));
}

/* ---- all of them ---------------------------------------------------------------------------- */

typedef struct row {
    const char *name;
    half_way_play play;
    uint64_t most; /* of the allocations that fail in a short run */
} row;

static void try_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        half_way_try(rows[i].name, rows[i].play, test_is_quick() ? rows[i].most : 1000000);
}

TEST(worlds)
{
    static const row rows[] = {
        {"a discrete world", discrete, 12}, {"a swept world", swept, 40},
        {"a sampled world", sampled, 14},   {"a continuous world", continuous, 14},
        {"points", play_points, 12},        {"contacts", play_contacts, 16}};
    try_rows(rows, sizeof rows / sizeof *rows);
}

TEST(bodies_and_what_remembers_them)
{
    static const row rows[] = {{"a lean body", play_lean, 20},
                               {"a history", play_history, 100},
                               {"a checkpoint", play_steps, 100},
                               {"a batch", play_batch, 100}};
    try_rows(rows, sizeof rows / sizeof *rows);
}

TEST(simulations)
{
    static const row rows[] = {{"by triangles", exact_sim, 40}, {"by proxies", proxies_sim, 40}};
    try_rows(rows, sizeof rows / sizeof *rows);
}

TEST(what_is_made_of_a_model)
{
    static const row rows[] = {{"coarse meshes, volumes, chains", play_made, 30}};
    try_rows(rows, sizeof rows / sizeof *rows);
}
