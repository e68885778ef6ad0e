/* How much stack each query takes, however it is asked: below 96 kB, so that it fits on a thread of
 * musl's. Each runs on a thread whose stack was filled with a
 * pattern; what is left of it tells how deep the query went.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/chain_lists.h"
#include "support/finders.h"
#include "support/own.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/ext/decimate.h>
#include <graze/ext/inspect.h>
#include <graze/ext/response.h>
#include <graze/graze.h>
#include <graze/rig.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LIMIT 96000
#define STACK_BYTES (1u << 20)
#define PATTERN 0xa5

enum { RAYS = 100, PART_WORDS = 256 };

typedef struct bodies {
    graze_model_def def;
    graze_model *model;
    graze_body *a, *b, *a_later, *b_later;
    graze_contact_finder *finder;
    graze_history *history;
    graze_checkpoint *checkpoint;
    graze_batch *batch;
    graze_ray rays[RAYS];
    graze_shape shapes[3];   /* a ball; a box from left to right */
    graze_motion motions[3]; /* of a, b and the box */
    uint32_t parts[PART_WORDS];
    graze_part_sets sets;
    graze_part_filter filter; /* of all parts */
    graze_pair_list pairs;
    graze_hit_list hit_list;
    graze_triangle_list triangles;
    graze_contact_list contacts;
    graze_impact_list impacts;
    graze_hit hits[RAYS];
    graze_nearest nearest;
    graze_point_side side;
    graze_impact impact;
    float winding;
} bodies;

/* ---- questions, in every way ----------------------------------------------------------------- */

#define ASK(name, call)                                                                            \
    static graze_status name(bodies *s, const graze_options *o)                                    \
    {                                                                                              \
        return call;                                                                               \
    }

static const float chest[3] = {0, 1, 0};

ASK(ask_pairs, graze_pairs(s->a, s->b, &s->pairs, o, NULL))
ASK(ask_self, graze_self_pairs(s->a, NULL, &s->pairs, o, NULL))
ASK(ask_filtered, graze_self_pairs(s->a, &s->filter, &s->pairs, o, NULL))
ASK(ask_within, graze_pairs_within(s->a, s->b, 0.05, &s->pairs, o, NULL))
ASK(ask_distance, graze_distance(s->a, s->b_later, INFINITY, &s->nearest, o, NULL))
ASK(ask_contacts, graze_contacts(s->finder, s->a, s->b, &s->contacts, o, NULL))
ASK(ask_cast, graze_cast(s->a, &s->rays[50], &s->hits[0], o, NULL))
ASK(ask_cast_all, graze_cast_all(s->a, &s->rays[50], &s->hit_list, o, NULL))
ASK(ask_cast_many, graze_cast_many(s->a, s->rays, RAYS, s->hits, o, NULL))
ASK(ask_touch, graze_touch(s->a, &s->shapes[0], &s->triangles, o, NULL))
ASK(ask_touch_contacts, graze_touch_contacts(s->a, &s->shapes[0], &s->contacts, o, NULL))
ASK(ask_inside, graze_inside(s->a, chest, &s->side, o, NULL))
ASK(ask_winding, graze_winding_number(s->a, chest, &s->winding, o, NULL))
ASK(ask_sweep, graze_sweep(&s->motions[0], &s->motions[1], &s->impact, o, NULL))
ASK(ask_sweep_all, graze_sweep_all(&s->motions[0], &s->motions[1], &s->impacts, o, NULL))
ASK(ask_sweep_self, graze_sweep(&s->motions[0], NULL, &s->impact, o, NULL))
ASK(ask_sweep_shape, graze_sweep(&s->motions[0], &s->motions[2], &s->impact, o, NULL))
ASK(ask_sweep_shape_all, graze_sweep_all(&s->motions[0], &s->motions[2], &s->impacts, o, NULL))

enum { WAYS = 6 };

/* Brute force is asked only what is not too much for it. */
static void ask_in_every_way(bodies *s, graze_status (*ask)(bodies *s, const graze_options *o),
                             bool new_ones, bool brute)
{
    graze_budget budget = {.bound_tests = 1000, .checkpoint = s->checkpoint};
    const graze_options ways[WAYS] = {{.any = true},           {.only_new = new_ones},
                                      {.method = GRAZE_EAGER}, {.budget = &budget},
                                      {.batch = s->batch},     {.method = GRAZE_BRUTE}};
    for (int way = 0; way < WAYS - !brute; way++) {
        graze_status status;
        do
            status = ask(s, &ways[way]);
        while (status == GRAZE_UNFINISHED);
        if (ways[way].batch && !status)
            status = graze_batch_run(s->batch, NULL, NULL);
        CHECK_MSG(!status, "way %d: %s", way, graze_status_name(status));
        graze_batch_clear(s->batch);
        graze_checkpoint_clear(s->checkpoint);
    }
}

#define IN_EVERY_WAY(name, new_ones, brute)                                                        \
    static void name(bodies *s)                                                                    \
    {                                                                                              \
        ask_in_every_way(s, ask_##name, new_ones, brute);                                          \
    }
IN_EVERY_WAY(pairs, false, false)
IN_EVERY_WAY(self, true, false)
IN_EVERY_WAY(filtered, true, false)
IN_EVERY_WAY(within, false, false)
IN_EVERY_WAY(distance, false, false)
IN_EVERY_WAY(contacts, false, false)
IN_EVERY_WAY(cast, false, true)
IN_EVERY_WAY(cast_all, false, true)
IN_EVERY_WAY(cast_many, false, false)
IN_EVERY_WAY(touch, false, true)
IN_EVERY_WAY(touch_contacts, false, true)
IN_EVERY_WAY(inside, false, true)
IN_EVERY_WAY(winding, false, true)
IN_EVERY_WAY(sweep, true, false)
IN_EVERY_WAY(sweep_all, true, false)
IN_EVERY_WAY(sweep_self, true, false)
IN_EVERY_WAY(sweep_shape, true, true)
IN_EVERY_WAY(sweep_shape_all, true, true)

static void history(bodies *s)
{
    for (int i = 0; i < 3; i++)
        CHECK(!graze_pairs(s->a, s->b, &s->pairs,
                           &(graze_options){.any = true, .history = s->history}, NULL));
}

/* One that has many rays and a little of everything. */
static void batch(bodies *s)
{
    const graze_options record = {.batch = s->batch};
    for (int i = 0; i < RAYS; i++)
        CHECK(!graze_cast(i < 70 ? s->a : s->b, &s->rays[i], &s->hits[i], &record, NULL));
    CHECK(!ask_pairs(s, &record) && !ask_distance(s, &record) && !ask_sweep(s, &record));
    CHECK(!ask_contacts(s, &record) && !ask_inside(s, &record));
    CHECK(!graze_batch_run(s->batch, NULL, NULL));
    graze_batch_clear(s->batch);
}

static void bounds(bodies *s)
{
    float least;
    graze_side side;
    CHECK(!graze_bound_pairs(s->a, s->b, &s->pairs, NULL, NULL));
    CHECK(!graze_bound_distance(s->a, s->b, &least, NULL, NULL));
    CHECK(!graze_cull(s->a, &s->shapes[0], UINT32_MAX, &side, NULL, NULL));
}

/* ---- all else -------------------------------------------------------------------------------- */

static void nothing(bodies *s)
{
    (void)s;
}

static bool take_spheres(void *user, const graze_pair *pairs, size_t count)
{
    (void)user, (void)pairs;
    return count > 0;
}

/* Where spheres are, and which overlap: of one body with itself and with another, at rest and on
 * the way.
 */
static void chain(bodies *s)
{
    graze_chain_def def = {0};
    OWN(graze_chains) *chains = NULL;
    OWN(graze_chain_tracker) *plan = NULL;
    static float spheres[4 * GRAZE_MAX_TRACKED_SPHERES];
    static graze_pair pairs[10000];
    static graze_impact impacts[10000];
    CHECK(!graze_chains_create(graze_body_model(s->a), NULL, &def, &chains, NULL) &&
          !graze_chain_tracker_create(chains, NULL, &plan, NULL));
    for (int update = 0; update < 2; update++) {
        CHECK(!graze_chain_pose(plan, s->a, (graze_chain_update)update, spheres,
                                GRAZE_MAX_TRACKED_SPHERES, NULL));
        const graze_posed_chains posed = {plan, spheres, spheres};
        graze_impact_list met = {.items = impacts, .capacity = 10000};
        for (int way = 0; way < 6; way++) {
            const graze_options options = {.method = (graze_method)(way % 3)};
            graze_pair_list found = {.items = pairs, .capacity = 10000};
            if (way / 3)
                found = (graze_pair_list){.report = take_spheres};
            CHECK(!graze_chain_pairs(&posed, NULL, GRAZE_CHAIN_PAIRS, &found, &options, NULL));
            CHECK(!graze_chain_pairs(&posed, &posed, GRAZE_ALL_PAIRS, &found, &options, NULL));
        }
        CHECK(!graze_chain_sweep(&posed, NULL, GRAZE_CHAIN_PAIRS, &met, NULL, NULL));
    }
}

/* Two flat bodies that face each other from afar: everything is about equally near. Trees of
 * spheres have no way of their own for that, and take half a minute.
 */
static void distance_far(bodies *s)
{
    if (s->def.tree.volume == GRAZE_SPHERES)
        return;
    uint32_t count = 3 * s->def.vertex_count;
    graze_body *sides[2] = {NULL, NULL};
    float *positions = malloc(count * sizeof *positions);
    graze_nearest nearest;
    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < count; k += 3) {
            const float *at = s->def.positions + k;
            positions[k] = 0.8f * at[0] + 6000 * (float)i;
            positions[k + 1] = at[1];
            positions[k + 2] = -0.6f * at[0] + 8000 * (float)i;
        }
        CHECK(graze_body_create(s->model, &sides[i], NULL) == GRAZE_OK &&
              graze_body_set_positions(sides[i], positions, 0, s->def.vertex_count, NULL) ==
                  GRAZE_OK);
    }
    free(positions);
    graze_distance(sides[0], sides[1], INFINITY, &nearest, NULL, NULL);
    graze_body_destroy(sides[0]);
    graze_body_destroy(sides[1]);
}

/* With all that comes before it: fitting, posing, and a coarser mesh. */
static void find_part_contacts(bodies *s)
{
    enum { MOST = 1024 };
    static graze_capsule volumes[2][MOST];
    graze_hitboxes_def def = {0};
    graze_decimate_def coarser = {.triangle_count = 100, .max_error = 1};
    OWN(graze_hitboxes) *fit = NULL;
    OWN(graze_hitbox_finder) *finder = NULL;
    OWN(graze_decimated) *coarse = NULL;
    def.inner_hitboxes = 2;
    if (!graze_hitboxes_create(s->model, &def, &fit, NULL) &&
        !graze_hitboxes_pose(fit, s->a, volumes[0], MOST, NULL) &&
        !graze_hitboxes_pose(fit, s->b, volumes[1], MOST, NULL) &&
        !graze_hitbox_finder_create(NULL, &finder, NULL)) {
        graze_posed_hitboxes a = {fit, s->a, volumes[0]}, b = {fit, s->b, volumes[1]};
        graze_contact_list found = {0};
        graze_hitbox_contacts(finder, &a, &b, &found, NULL, NULL);
    }
    graze_decimated_create(s->model, &coarser, &coarse, NULL);
}

/* One walks past another and through a box, with contacts and every motion. */
static void update_world(bodies *s)
{
    const float half[3] = {0.2f, 2, 0.2f}, middle[3] = {0, 1, 0};
    const graze_hitboxes_def fit_def = {0};
    graze_shape box = graze_shape_box(middle, half, NULL);
    uint32_t vertices = graze_model_get_info(s->model).vertex_count;
    OWNED float *positions = malloc(3 * sizeof *positions * vertices);
    OWN(graze_body) *walker = NULL;
    OWN(graze_hitboxes) *fit = NULL;
    OWN(graze_world) *world = NULL;
    graze_world_id id;
    CHECK(positions && graze_world_create(NULL, &world, NULL) == GRAZE_OK &&
          graze_body_create(s->model, &walker, NULL) == GRAZE_OK &&
          graze_hitboxes_create(s->model, &fit_def, &fit, NULL) == GRAZE_OK &&
          graze_world_add_body(world, walker, &(graze_world_member_def){.hitboxes = fit}, &id,
                               NULL) == GRAZE_OK &&
          graze_world_add_body(world, s->b, &(graze_world_member_def){.hitboxes = fit}, &id,
                               NULL) == GRAZE_OK &&
          graze_world_add_shape(world, &box, NULL, &id, NULL) == GRAZE_OK);
    for (int i = 0; i < 9 && positions; i++) {
        graze_world_rule rule = {.level = i < 5 ? GRAZE_LEVEL_EXACT : GRAZE_LEVEL_HITBOXES,
                                 .motion = (graze_motion_rule)(i % 4),
                                 .contacts = true};
        graze_body_get_positions(i % 2 ? s->a_later : s->a, positions);
        CHECK(graze_body_set_positions(walker, positions, 0, vertices, NULL) == GRAZE_OK &&
              graze_world_set_rule(world, 0, 0, &rule, NULL) == GRAZE_OK &&
              graze_world_update(world, NULL, NULL) == GRAZE_OK);
    }
}

/* Points of a large box and of the ground, and how fast the skin there moves. */
static void find_points(bodies *s)
{
    const float up[3] = {0, 1, 0}, middle[3] = {0, 0.5f, 0}, half[3] = {2, 1, 2};
    graze_shape shapes[2] = {graze_shape_half_space(up, 1), graze_shape_box(middle, half, NULL)};
    OWN(point_finder) *points = NULL;
    CHECK(!point_finder_create(NULL, &points, NULL));
    for (int i = 0; i < 2; i++) {
        size_t count;
        float velocity[3];
        CHECK(!point_finder_touch(points, s->a, &shapes[i], 0.01f, NULL));
        const graze_contact *found = point_finder_list(points, &count);
        CHECK(count > 0);
        if (count)
            CHECK(!graze_surface_velocity(s->a, s->a_later, found->triangles[0], found->point, 0.1f,
                                          velocity, NULL));
    }
}

static void build(bodies *s)
{
    OWN(graze_model) *model = NULL;
    CHECK(graze_model_create(&s->def, &model, NULL) == GRAZE_OK);
}

static void live(bodies *s)
{
    OWN(graze_body) *body = NULL;
    OWN(graze_model) *frozen = NULL;
    bool closed;
    CHECK(graze_body_create(s->model, &body, NULL) == GRAZE_OK &&
          graze_body_freeze(body, &frozen, NULL) == GRAZE_OK &&
          graze_model_is_closed(frozen, &closed, NULL) == GRAZE_OK);
    graze_body_refit_all(body);
}

static const struct {
    const char *name;
    void (*run)(bodies *s);
} queries[] = {{"graze_pairs", pairs},
               {"graze_pairs with a history", history},
               {"graze_self_pairs", self},
               {"graze_self_pairs with a filter", filtered},
               {"graze_pairs_within", within},
               {"graze_distance", distance},
               {"graze_distance, far apart", distance_far},
               {"graze_contacts", contacts},
               {"graze_cast", cast},
               {"graze_cast_all", cast_all},
               {"graze_cast_many", cast_many},
               {"graze_touch", touch},
               {"graze_touch_contacts", touch_contacts},
               {"graze_inside", inside},
               {"graze_winding_number", winding},
               {"graze_sweep", sweep},
               {"graze_sweep_all", sweep_all},
               {"graze_sweep, itself", sweep_self},
               {"graze_sweep of a shape", sweep_shape},
               {"graze_sweep_all of a shape", sweep_shape_all},
               {"graze_batch_run", batch},
               {"bounds, graze_cull", bounds},
               {"graze_chain_pose, graze_chain_pairs", chain},
               {"graze_hitbox_contacts", find_part_contacts},
               {"graze_world_update", update_world},
               {"graze_touch_points, velocities", find_points},
               {"graze_model_create", build},
               {"bodies, freezing, closedness", live}};

enum { QUERIES = sizeof queries / sizeof queries[0] };

/* ---- measuring ------------------------------------------------------------------------------ */

typedef struct measured_call {
    void (*run)(bodies *s);
    bodies *s;
} measured_call;

static void *call(void *user)
{
    measured_call *c = user;
    c->run(c->s);
    return NULL;
}

/* Bytes of stack that a thread touched which did nothing else. */
static size_t stack_of(bodies *s, void (*run)(bodies *s))
{
    uint8_t *stack =
        mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    measured_call c = {run, s};
    if (!test_check(stack != MAP_FAILED, __FILE__, __LINE__, "no memory for a stack"))
        return 0;
    memset(stack, PATTERN, STACK_BYTES);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, STACK_BYTES);
    bool ok =
        pthread_create(&thread, &attributes, call, &c) == 0 && pthread_join(thread, NULL) == 0;
    size_t untouched = 0;
    while (untouched < STACK_BYTES && stack[untouched] == PATTERN)
        untouched++;
    pthread_attr_destroy(&attributes);
    munmap(stack, STACK_BYTES);
    return test_check(ok, __FILE__, __LINE__, "no thread") ? STACK_BYTES - untouched : 0;
}

static void pose(graze_body *body, const graze_rig *rig, double time, float x)
{
    const float placement[12] = {1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0};
    OWNED float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    test_rig_sample(rig, 0, time, joints);
    graze_pose given = {.joints = joints, .joint_count = rig->joint_count, .placement = placement};
    CHECK(graze_body_set_pose(body, &given, NULL) == GRAZE_OK);
}

static void drop(bodies *s)
{
    graze_body *const all[4] = {s->a, s->b, s->a_later, s->b_later};
    for (int i = 0; i < 4; i++)
        graze_body_drop_caches(all[i]);
}

static bool open_bodies(bodies *s, const graze_rig *rig, graze_tree_def tree, graze_skinning kind)
{
    static const float left[3] = {-1, 1, 0}, right[3] = {1, 1, 0}, half[3] = {0.2f, 0.2f, 0.2f};
    graze_model_def def = graze_rig_model_def(rig);
    def.tree = tree;
    def.skinning = kind;
    *s = (bodies){.def = def};
    bool ok = graze_model_create(&def, &s->model, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->a, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->b, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->a_later, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->b_later, NULL) == GRAZE_OK &&
              graze_contact_finder_create(s->model, s->model, NULL, &s->finder, NULL) == GRAZE_OK &&
              graze_history_create(s->model, s->model, &s->history, NULL) == GRAZE_OK &&
              graze_checkpoint_create(NULL, &s->checkpoint, NULL) == GRAZE_OK &&
              graze_batch_create(NULL, &s->batch, NULL) == GRAZE_OK;
    if (!test_check(ok, __FILE__, __LINE__, "no bodies"))
        return false;
    pose(s->a, rig, 0.1, 0);
    pose(s->b, rig, 0.3, 0.02f);
    pose(s->a_later, rig, 0.15, 0);
    pose(s->b_later, rig, 0.35, 3);
    for (int i = 0; i < RAYS; i++)
        s->rays[i] =
            (graze_ray){.origin = {0, 0.02f * (float)i, -5}, .dir = {0, 0, 1}, .t_max = INFINITY};
    memset(s->parts, 0xff, sizeof s->parts);
    s->sets = (graze_part_sets){s->parts, s->parts};
    s->filter = (graze_part_filter){.pairs = &s->sets,
                                    .pair_count = 1,
                                    .part_count = graze_model_get_info(s->model).part_count};
    CHECK(s->filter.part_count <= 32 * PART_WORDS);
    s->shapes[0] = graze_shape_sphere(chest, 0.4f);
    s->shapes[1] = graze_shape_box(left, half, NULL);
    s->shapes[2] = graze_shape_box(right, half, NULL);
    s->motions[0] = (graze_motion){.start = s->a, .end = s->a_later};
    s->motions[1] = (graze_motion){.start = s->b_later, .end = s->b};
    s->motions[2] = (graze_motion){.from = &s->shapes[1], .to = &s->shapes[2]};
    return true;
}

static void close_bodies(bodies *s)
{
    graze_batch_destroy(s->batch);
    graze_checkpoint_destroy(s->checkpoint);
    graze_history_destroy(s->history);
    graze_contact_finder_destroy(s->finder);
    graze_body_destroy(s->a);
    graze_body_destroy(s->b);
    graze_body_destroy(s->a_later);
    graze_body_destroy(s->b_later);
    graze_model_destroy(s->model);
}

/* Adds up, over all trees and skinnings, the most that each query takes. */
static void measure(size_t most[QUERIES], const graze_rig *rig, graze_tree_def tree,
                    graze_skinning kind)
{
    static bodies s;
    if (open_bodies(&s, rig, tree, kind)) {
        size_t thread = stack_of(&s, nothing);
        for (int q = 0; q < QUERIES; q++) {
            drop(&s);
            size_t bytes = stack_of(&s, queries[q].run) - thread;
            most[q] = bytes > most[q] ? bytes : most[q];
        }
    }
    close_bodies(&s);
}

TEST(every_query_fits_on_a_small_stack)
{
    static const graze_skinning kinds[] = {GRAZE_LINEAR, GRAZE_SPHERICAL, GRAZE_DUAL};
    graze_tree_def trees[3] = {(graze_tree_def){0}, graze_paper_tree(), (graze_tree_def){0}};
    size_t most[QUERIES] = {0};
    OWN(graze_rig) *rig = NULL;
    trees[2].patch_triangles = 128;
    REQUIRE(graze_synth(&(graze_synth_def){GRAZE_SYNTH_CREATURE, 6000, 0}, NULL, &rig, NULL) ==
            GRAZE_OK);
    for (int t = 0; t < 3; t++)
        for (int k = 0; k < 3; k++)
            measure(most, rig, trees[t], kinds[k]);
    for (int q = 0; q < QUERIES; q++) {
        printf("     %-30s %6zu bytes of stack\n", queries[q].name, most[q]);
        CHECK_MSG(TEST_IS_SANITIZED || most[q] < LIMIT, "%s takes %zu bytes of stack",
                  queries[q].name, most[q]);
    }
}
