/* How much stack each query takes: below 64 kB, so that it fits on a thread of musl's or on the
 * stack that WebAssembly has by default. Each runs on a thread whose stack was filled with a
 * pattern; what is left of it tells how deep the query went.
 */
#include "harness.h"
#include "scenes/synth.h"
#include "support/quick.h"
#include "support/rigs.h"

#include <graze/graze.h>
#include <graze/reference.h>
#include <graze/rig.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LIMIT 65536
#define STACK_BYTES (1u << 20)
#define PATTERN 0xa5

typedef struct bodies {
    graze_model_def def;
    graze_model *model;
    graze_body *a, *b, *a_later, *b_later;
    graze_contacts *contacts;
    graze_front *front;
    graze_search *search;
} bodies;

static bool take_pairs(void *user, const graze_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return true;
}

static bool take_self(void *user, const graze_self_pair *pairs, size_t count)
{
    (void)user, (void)pairs, (void)count;
    return true;
}

static bool take_hits(void *user, const graze_ray_hit *hits, size_t count)
{
    (void)user, (void)hits, (void)count;
    return true;
}

static bool take_triangles(void *user, const uint32_t *triangles, size_t count)
{
    (void)user, (void)triangles, (void)count;
    return true;
}

static bool take_impacts(void *user, const graze_impact *impacts, size_t count)
{
    (void)user, (void)impacts, (void)count;
    return true;
}

static bool take_nodes(void *user, const graze_node_pair *pair)
{
    (void)user, (void)pair;
    return true;
}

static bool take_many(void *user, size_t pair, const graze_pair *triangles, size_t count)
{
    (void)user, (void)pair, (void)triangles, (void)count;
    return true;
}

static bool take_self_many(void *user, size_t body, const graze_self_pair *pairs, size_t count)
{
    (void)user, (void)body, (void)pairs, (void)count;
    return true;
}

static bool take_touch_many(void *user, size_t question, const uint32_t *triangles, size_t count)
{
    (void)user, (void)question, (void)triangles, (void)count;
    return true;
}

static void nothing(bodies *s)
{
    (void)s;
}

static void collide(bodies *s)
{
    graze_collide(s->a, s->b, take_pairs, NULL, NULL, NULL);
}

static void collide_first(bodies *s)
{
    bool hit;
    graze_collide_first(s->a, s->b, &hit, NULL, NULL, NULL);
}

static void collide_eager(bodies *s)
{
    graze_collide_eager(s->a, s->b, false, take_pairs, NULL, NULL, NULL);
}

static void collide_bounds(bodies *s)
{
    graze_collide_bounds(s->a, s->b, take_nodes, NULL, NULL, NULL);
}

static void collide_many(bodies *s)
{
    graze_body_pair pair = {s->a, s->b};
    graze_collide_many(NULL, &pair, 1, take_many, NULL, NULL, NULL);
}

/* The others of many, with what their lists of questions need on top of the plain query. */
static void distance_many(bodies *s)
{
    graze_body_pair pair = {s->a, s->b_later};
    graze_nearest nearest;
    graze_distance_many(NULL, &pair, 1, NULL, &nearest, NULL, NULL);
}

static void sweep_many(bodies *s)
{
    graze_motion a = {s->a, s->a_later}, b = {s->b_later, s->b};
    graze_motion_pair pair = {&a, &b};
    graze_impact impact;
    graze_sweep_many(NULL, &pair, 1, false, &impact, NULL, NULL);
}

static void contacts_many(bodies *s)
{
    graze_body_pair pair = {s->a, s->b};
    graze_contacts_many(NULL, &s->contacts, &pair, 1, NULL, NULL);
}

static void self_many(bodies *s)
{
    graze_collide_self_many(NULL, &s->a, 1, GRAZE_SELF_ALL, take_self_many, NULL, NULL, NULL);
}

static void cast_each(bodies *s)
{
    static graze_body_ray questions[100];
    static graze_ray_hit hits[100];
    for (int i = 0; i < 100; i++) {
        questions[i] = (graze_body_ray){i < 70 ? s->a : s->b, graze_default_ray()};
        questions[i].ray.origin[1] = 0.02f * (float)i;
        questions[i].ray.origin[2] = -5;
    }
    graze_cast_each(NULL, questions, 100, hits, NULL, NULL);
}

static void touch_many(bodies *s)
{
    const float centre[3] = {0, 1, 0};
    graze_body_shape question = {s->a, graze_shape_sphere(centre, 0.4f)};
    graze_point_side answer;
    graze_touch_many(NULL, &question, 1, take_touch_many, NULL, NULL, NULL);
    graze_point_inside_many(NULL, s->a, centre, 1, &answer, NULL, NULL);
}

static void front_collide(bodies *s)
{
    graze_front_collide(s->front, s->a, s->b, take_pairs, NULL, NULL, NULL);
}

static void self_all(bodies *s)
{
    graze_collide_self(s->a, GRAZE_SELF_ALL, take_self, NULL, NULL, NULL);
}

static void self_between(bodies *s)
{
    uint32_t groups = graze_model_get_info(graze_body_model(s->a)).group_count;
    uint32_t *all = malloc((groups + 31) / 32 * sizeof *all);
    const graze_group_pair pair = {all, all};
    const graze_self_between between = {.pairs = &pair, .pair_count = 1, .group_count = groups};
    if (all)
        memset(all, 0xff, (groups + 31) / 32 * sizeof *all);
    graze_collide_self_between(s->a, GRAZE_SELF_ALL, &between, take_self, NULL, NULL, NULL);
    free(all);
}

/* Where spheres are, and which overlap: of one body with itself and with another, at rest and on
 * the way.
 */
static void chain(bodies *s)
{
    graze_chain_def def = graze_default_chain_def();
    graze_chains *chains = NULL;
    graze_chain_plan *plan = NULL;
    static float spheres[4 * GRAZE_MAX_PLAN_SPHERES];
    static graze_chain_pair pairs[10000];
    static graze_chain_impact impacts[10000];
    size_t found;
    CHECK(!graze_chains_create(graze_body_model(s->a), NULL, &def, &chains, NULL) &&
          !graze_chain_plan_create(chains, NULL, &plan, NULL));
    for (int update = 0; update < 2; update++) {
        CHECK(!graze_chain_pose(plan, s->a, (graze_chain_update)update, spheres,
                                GRAZE_MAX_PLAN_SPHERES, NULL));
        for (int method = 0; method < 3; method++) {
            CHECK(!graze_chain_pairs(plan, spheres, (graze_chain_method)method, NULL, pairs, 10000,
                                     &found, NULL));
            CHECK(!graze_chain_pairs_between(plan, spheres, plan, spheres,
                                             (graze_chain_method)method, pairs, 10000, &found,
                                             NULL));
            CHECK(!graze_chain_sweep(plan, spheres, spheres, (graze_chain_method)method, impacts,
                                     10000, &found, NULL));
        }
    }
    graze_chain_plan_destroy(plan);
    graze_chains_destroy(chains);
}

static void cast_one(bodies *s)
{
    graze_ray ray = graze_default_ray();
    graze_ray_hit hit;
    ray.origin[1] = 1;
    graze_cast(s->a, &ray, &hit, NULL, NULL);
    graze_cast_all(s->a, &ray, take_hits, NULL, NULL, NULL);
}

static void cast_many(bodies *s)
{
    enum { RAYS = 100 };
    static graze_ray rays[RAYS];
    static graze_ray_hit hits[RAYS];
    for (int i = 0; i < RAYS; i++) {
        rays[i] = graze_default_ray();
        rays[i].origin[1] = 0.02f * (float)i;
        rays[i].origin[2] = -5;
    }
    graze_cast_many(s->a, rays, RAYS, hits, NULL, NULL);
}

static void distance(bodies *s)
{
    graze_nearest nearest;
    graze_distance(s->a, s->b, INFINITY, &nearest, NULL, NULL);
    graze_distance(s->a, s->b_later, INFINITY, &nearest, NULL, NULL);
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

static void within(bodies *s)
{
    graze_within(s->a, s->b, 0.05, take_pairs, NULL, NULL, NULL);
}

static void within_into(bodies *s)
{
    size_t count;
    graze_within_into(s->a, s->b, 0.05, NULL, 0, &count, NULL, NULL);
}

static void touch(bodies *s)
{
    const float centre[3] = {0, 1, 0};
    graze_shape shape = graze_shape_sphere(centre, 0.4f);
    graze_side side;
    graze_touch(s->a, &shape, take_triangles, NULL, NULL, NULL);
    graze_classify(s->a, &shape, UINT32_MAX, &side, NULL, NULL);
}

static void inside(bodies *s)
{
    const float point[3] = {0, 1, 0};
    graze_point_side answer;
    graze_point_inside(s->a, point, &answer, NULL, NULL);
}

/* With all that comes before it: fitting, posing, and a coarser mesh. */
static void find_part_contacts(bodies *s)
{
    enum { MOST = 1024 };
    static graze_capsule volumes[2][MOST];
    graze_fit_def def = graze_default_fit_def();
    graze_decimate_def coarser = {.triangles = 100, .max_error = 1};
    graze_fit *fit = NULL;
    graze_part_contacts *finder = NULL;
    graze_decimated *coarse = NULL;
    def.fine_volumes = 2;
    if (!graze_fit_create(s->model, &def, &fit, NULL) &&
        !graze_fit_pose(fit, s->a, volumes[0], MOST, NULL) &&
        !graze_fit_pose(fit, s->b, volumes[1], MOST, NULL) &&
        !graze_part_contacts_create(NULL, &finder, NULL)) {
        graze_posed_fit a = {fit, s->a, volumes[0]}, b = {fit, s->b, volumes[1]};
        graze_part_contacts_find(finder, &a, &b, NULL, NULL);
    }
    graze_decimate(s->model, &coarser, &coarse, NULL);
    graze_decimated_destroy(coarse);
    graze_part_contacts_destroy(finder);
    graze_fit_destroy(fit);
}

static void find_contacts(bodies *s)
{
    graze_contacts_find(s->contacts, s->a, s->b, NULL, NULL);
}

static void sweep(bodies *s)
{
    graze_motion a = {s->a, s->a_later}, b = {s->b_later, s->b};
    graze_impact impact;
    graze_sweep(&a, &b, false, &impact, NULL, NULL);
    graze_sweep(&a, &b, true, &impact, NULL, NULL);
}

static void sweep_pairs(bodies *s)
{
    graze_motion a = {s->a, s->a_later}, b = {s->b_later, s->b};
    graze_sweep_pairs(&a, &b, false, take_impacts, NULL, NULL, NULL);
}

static void sweep_self(bodies *s)
{
    graze_motion a = {s->a, s->a_later};
    graze_impact impact;
    graze_sweep(&a, NULL, true, &impact, NULL, NULL);
}

static bool take_shape_impacts(void *user, const graze_shape_impact *impacts, size_t count)
{
    (void)user, (void)impacts, (void)count;
    return true;
}

static void sweep_shape(bodies *s)
{
    const float left[3] = {-1, 1, 0}, right[3] = {1, 1, 0}, half[3] = {0.2f, 0.2f, 0.2f};
    graze_motion a = {s->a, s->a_later};
    graze_shape from = graze_shape_box(left, half, NULL), to = graze_shape_box(right, half, NULL);
    graze_shape_impact impact;
    graze_sweep_shape(&a, &from, &to, true, &impact, NULL, NULL);
    graze_sweep_shape_all(&a, &from, &to, false, take_shape_impacts, NULL, NULL, NULL);
}

/* One walks past another and through a box, with contacts and every motion. */
static void update_world(bodies *s)
{
    const float half[3] = {0.2f, 2, 0.2f}, middle[3] = {0, 1, 0};
    const graze_fit_def fit_def = graze_default_fit_def();
    graze_shape box = graze_shape_box(middle, half, NULL);
    uint32_t vertices = graze_model_get_info(s->model).vertex_count;
    float *positions = malloc(3 * sizeof *positions * vertices);
    graze_body *walker = NULL;
    graze_fit *fit = NULL;
    graze_world *world = NULL;
    graze_world_id id;
    CHECK(positions && graze_world_create(NULL, &world, NULL) == GRAZE_OK &&
          graze_body_create(s->model, &walker, NULL) == GRAZE_OK &&
          graze_fit_create(s->model, &fit_def, &fit, NULL) == GRAZE_OK &&
          graze_world_add_body(world, walker, &(graze_world_member_def){.fit = fit}, &id, NULL) ==
              GRAZE_OK &&
          graze_world_add_body(world, s->b, &(graze_world_member_def){.fit = fit}, &id, NULL) ==
              GRAZE_OK &&
          graze_world_add_shape(world, &box, NULL, &id, NULL) == GRAZE_OK);
    for (int i = 0; i < 9 && positions; i++) {
        graze_world_rule rule = {.level = i < 5 ? GRAZE_LEVEL_EXACT : GRAZE_LEVEL_PARTS,
                                 .motion = (graze_motion_rule)(i % 4),
                                 .contacts = true};
        graze_body_get_positions(i % 2 ? s->a_later : s->a, positions);
        CHECK(graze_body_set_positions(walker, positions, 0, vertices, NULL) == GRAZE_OK &&
              graze_world_set_rule(world, 0, 0, &rule, NULL) == GRAZE_OK &&
              graze_world_update(world, NULL, NULL, NULL) == GRAZE_OK);
    }
    graze_world_destroy(world);
    graze_body_destroy(walker);
    graze_fit_destroy(fit);
    free(positions);
}

/* Points of a large box and of the ground, and how fast the skin there moves. */
static void find_points(bodies *s)
{
    const float up[3] = {0, 1, 0}, middle[3] = {0, 0.5f, 0}, half[3] = {2, 1, 2};
    graze_shape shapes[2] = {graze_shape_half_space(up, 1), graze_shape_box(middle, half, NULL)};
    graze_contact_points *points = NULL;
    CHECK(!graze_contact_points_create(NULL, &points, NULL));
    for (int i = 0; i < 2; i++) {
        size_t count;
        float velocity[3];
        CHECK(!graze_contact_points_touch(points, s->a, &shapes[i], 0.01f, NULL));
        const graze_contact_point *found = graze_contact_points_list(points, &count);
        CHECK(count > 0);
        if (count)
            CHECK(!graze_surface_velocity(s->a, s->a_later, found->triangles[0], found->point, 0.1f,
                                          velocity, NULL));
    }
    graze_contact_points_destroy(points);
}

static void search(bodies *s)
{
    graze_search_rest rest;
    graze_search_collide(s->search, s->a, s->b, take_pairs, NULL, NULL);
    graze_search_run(s->search, NULL, NULL, &rest, NULL);
}

static void build(bodies *s)
{
    graze_model *model = NULL;
    CHECK(graze_model_create(&s->def, &model, NULL) == GRAZE_OK);
    graze_model_destroy(model);
}

static void live(bodies *s)
{
    graze_body *body = NULL;
    graze_model *frozen = NULL;
    bool closed;
    CHECK(graze_body_create(s->model, &body, NULL) == GRAZE_OK &&
          graze_body_freeze(body, &frozen, NULL) == GRAZE_OK &&
          graze_model_is_closed(frozen, &closed, NULL) == GRAZE_OK);
    graze_body_refit_all(body);
    graze_body_destroy(body);
    graze_model_destroy(frozen);
}

static const struct {
    const char *name;
    void (*run)(bodies *s);
} queries[] = {{"graze_collide", collide},
               {"graze_collide_first", collide_first},
               {"graze_collide_eager", collide_eager},
               {"graze_collide_bounds", collide_bounds},
               {"graze_collide_many", collide_many},
               {"graze_distance_many", distance_many},
               {"graze_sweep_many", sweep_many},
               {"graze_contacts_many", contacts_many},
               {"graze_collide_self_many", self_many},
               {"graze_cast_each", cast_each},
               {"graze_touch_many, and points", touch_many},
               {"graze_front_collide", front_collide},
               {"graze_collide_self", self_all},
               {"graze_collide_self_between", self_between},
               {"graze_chain_pose, graze_chain_pairs", chain},
               {"graze_cast, graze_cast_all", cast_one},
               {"graze_cast_many", cast_many},
               {"graze_distance", distance},
               {"graze_distance, far apart", distance_far},
               {"graze_within", within},
               {"graze_within_into", within_into},
               {"graze_touch, graze_classify", touch},
               {"graze_point_inside", inside},
               {"graze_contacts_find", find_contacts},
               {"graze_part_contacts_find", find_part_contacts},
               {"graze_sweep", sweep},
               {"graze_sweep_pairs", sweep_pairs},
               {"graze_sweep, itself", sweep_self},
               {"graze_sweep_shape", sweep_shape},
               {"graze_world_update", update_world},
               {"graze_contact_points_touch, velocities", find_points},
               {"graze_search_run", search},
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
    float *joints = malloc(12 * sizeof *joints * rig->joint_count);
    test_rig_sample(rig, 0, time, joints);
    graze_pose given = {.joints = joints, .joint_count = rig->joint_count, .placement = placement};
    CHECK(graze_body_set_pose(body, &given, NULL) == GRAZE_OK);
    free(joints);
}

static void drop(bodies *s)
{
    graze_body *const all[4] = {s->a, s->b, s->a_later, s->b_later};
    for (int i = 0; i < 4; i++)
        graze_body_drop_caches(all[i]);
}

static bool open_bodies(bodies *s, const graze_rig *rig, graze_tree_def tree, graze_skinning kind)
{
    graze_model_def def = graze_rig_model_def(rig);
    def.tree = tree;
    def.skinning = kind;
    def.self_collision = true;
    *s = (bodies){.def = def};
    bool ok = graze_model_create(&def, &s->model, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->a, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->b, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->a_later, NULL) == GRAZE_OK &&
              graze_body_create(s->model, &s->b_later, NULL) == GRAZE_OK &&
              graze_contacts_create(s->model, s->model, NULL, &s->contacts, NULL) == GRAZE_OK &&
              graze_front_create(s->model, s->model, &s->front, NULL) == GRAZE_OK &&
              graze_search_create(NULL, &s->search, NULL) == GRAZE_OK;
    if (!test_check(ok, __FILE__, __LINE__, "no bodies"))
        return false;
    pose(s->a, rig, 0.1, 0);
    pose(s->b, rig, 0.3, 0.02f);
    pose(s->a_later, rig, 0.15, 0);
    pose(s->b_later, rig, 0.35, 3);
    return true;
}

static void close_bodies(bodies *s)
{
    graze_search_destroy(s->search);
    graze_front_destroy(s->front);
    graze_contacts_destroy(s->contacts);
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
    bodies s;
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
    graze_tree_def trees[3] = {graze_default_tree_def(), graze_paper_tree_def(),
                               graze_default_tree_def()};
    size_t most[QUERIES] = {0};
    graze_rig *rig = NULL;
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
    graze_rig_destroy(rig);
}
