/* Every public function of the core, with every pointer in turn NULL and all else in order: refused
 * with GRAZE_BAD_INPUT and a text, or where the header says that NULL is fine, taken. Functions
 * without a status return 0, false or NULL. No call may crash: each runs in a process of its own.
 *
 * The calls are generated from the headers (tests/scripts/null_calls.awk), so a new function is
 * tried too; if it takes a type that is not known here, this file does not compile until valid_TYPE
 * says what to give it.
 */
#include "harness.h"

#include "support/isolated.h"
#include "support/soup_pair.h"

#include <graze/graze.h>
#include <graze/reference.h>

#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMETERS = 12, SECONDS = 20 };

/* What functions can be given. */
typedef struct null_fixture {
    soup_pair pair;
    graze_error error;
    graze_stats stats;
    graze_allocator allocator;
    graze_pose pose;
    float joints[4 * 12];
    graze_model_def model_def;
    graze_contacts_def contacts_def;
    graze_fit_def fit_def;
    graze_volume_def volume_def; /* a volume of level 3 */
    graze_decimate_def decimate_def;
    graze_decimated *coarse, *new_coarse;
    graze_body_pair body_pair;
    graze_body_ray body_ray;
    graze_body_shape body_shape;
    graze_job_system jobs;
    graze_motion motions[2];
    graze_motion_pair motion_pair;
    double limit;
    graze_pool *pool;
    graze_front *front;
    graze_fit *fit;
    graze_part_def part_defs[4];
    graze_parts_def parts_def;
    graze_parts *parts; /* of the first model's groups */
    const char *names[1];
    uint32_t bits;
    graze_group_pair group_pair;
    graze_self_between between;
    graze_cache_pool *caches;
    graze_cache_pool_def caches_def;
    graze_capsule posed[2][4];
    graze_posed_fit posed_fits[2];
    graze_part_contacts *part_contacts, *new_part_contacts;
    graze_contact_points *points, *new_points;
    graze_world_event event; /* of nobody: it is an end */
    graze_reaction reaction;
    graze_search *search; /* with a question */
    graze_contacts *contacts;
    graze_body *shared;
    graze_shape shape;
    graze_budget budget;
    graze_world *world; /* with a shape */
    graze_world_id id;
    graze_world_rule rule;
    graze_world_member_def member_def;
    graze_chain_sphere chain_sphere;
    graze_chain_pivot chain_pivot;
    uint32_t triangle_spheres[2000];
    graze_chains_given chains_given;
    graze_chain_def chain_def;
    graze_chain_misfit misfit;
    graze_chains *chains, *new_chains;
    graze_chain_plan *plan, *new_plan;
    graze_chain_plan_def plan_def;
    graze_chain_pair chain_pairs[2];
    graze_chain_impact chain_impacts[2];
    graze_chains *plain_chains;
    graze_chain_batch_def batch_def;
    graze_chain_batch *batch, *new_batch;
    graze_chain_results batch_results; /* none are wanted */
    graze_half_space planes[6];
    graze_pair pairs[1]; /* one that meets */
    float *floats;       /* room for positions */
    float weight;

    /* Where results go. */
    graze_model *model;
    graze_body *body;
    graze_front *new_front;
    graze_fit *new_fit;
    graze_parts *new_parts;
    uint32_t groups[256];
    graze_cache_pool *new_caches;
    graze_capsule capsules[4];
    graze_search *new_search;
    graze_pool *new_pool;
    graze_contacts *new_contacts;
    graze_world *new_world;
    graze_world_id new_id;
    graze_ray_hit hit;
    graze_nearest nearest;
    graze_point_side inside;
    graze_impact impact;
    graze_shape_impact shape_impact;
    graze_self_pair self_pair;
    graze_shape_contact shape_contact;
    graze_node_view view;
    graze_search_rest rest;
    graze_side side;
    bool flag;
    size_t size;
    uint32_t numbers[3];
} null_fixture;

typedef enum null_kind { NULL_NOTHING, NULL_STATUS, NULL_VALUE, NULL_STRUCT } null_kind;

typedef struct null_result {
    null_kind kind;
    graze_status status;
    double number;
} null_result;

typedef struct null_function {
    const char *name;
    null_result (*call)(null_fixture *fixture, int null); /* the NULL argument's number, -1: none */
    int count;
    const char *parameters[MAX_PARAMETERS];
    bool pointers[MAX_PARAMETERS];
} null_function;

/* Where headers say that NULL is fine; of any function if none is named. */
static const char *const fine[][2] = {
    {NULL, "stats"},
    {NULL, "error"},
    {NULL, "user"},
    {NULL, "allocator"},
    {NULL, "pool"},
    {"graze_model_destroy", "model"},
    {"graze_body_destroy", "body"},
    {"graze_front_destroy", "front"},
    {"graze_search_destroy", "search"},
    {"graze_fit_destroy", "fit"},
    {"graze_parts_destroy", "parts"},
    {"graze_cache_pool_destroy", "caches"},
    {"graze_cache_pool_create", "def"},
    {"graze_contacts_destroy", "contacts"},
    {"graze_part_contacts_destroy", "contacts"},
    {"graze_contact_points_destroy", "points"},
    {"graze_decimated_destroy", "coarse"},
    {"graze_world_destroy", "world"},
    {"graze_chains_destroy", "chains"},
    {"graze_chain_plan_destroy", "plan"},
    {"graze_chain_plan_create", "def"},
    {"graze_chain_batch_destroy", "batch"},
    {"graze_chains_create", "joints"},
    {"graze_chains_misfit", "vertices"},
    {"graze_chains_misfit", "hits"},
    {"graze_collide_first", "pair"},
    {"graze_collide_self_first", "pair"},
    {"graze_collide_self_between_first", "pair"},
    {"graze_front_collide_first", "pair"},
    {"graze_closer_than", "pair"},
    {"graze_touch_first", "triangle"},
    {"graze_shapes_contact", "contact"},
    {"graze_distance_many", "limits"},
    {"graze_sweep", "b"},
    {"graze_sweep_pairs", "b"},
    {"graze_sweep_pairs_into", "b"},
    {"graze_sweep_brute", "b"},
    {"graze_search_sweep", "b"},
    {"graze_search_sweep_pairs", "b"},
    {"graze_search_run", "budget"},
    {"graze_contacts_create", "def"},
    {"graze_world_add_body", "def"},
    {"graze_world_add_shape", "def"},
    {"graze_shape_box", "rotation"},
    {"graze_body_set_group_mask", "bits"},
    {"graze_body_set_user_data", "user_data"},
};

/* Where a pointer is to be set, so the pool is not given but made. */
static const char *const not_fine[][2] = {{"graze_pool_create", "pool"},
                                          {"graze_pool_create_from_jobs", "pool"}};

static bool is_listed(const char *const list[][2], size_t count, const char *function,
                      const char *parameter)
{
    for (size_t i = 0; i < count; i++)
        if ((!list[i][0] || strcmp(list[i][0], function) == 0) &&
            strcmp(list[i][1], parameter) == 0)
            return true;
    return false;
}

static bool is_fine(const char *function, const char *parameter)
{
    return is_listed(fine, sizeof fine / sizeof *fine, function, parameter) &&
           !is_listed(not_fine, sizeof not_fine / sizeof *not_fine, function, parameter);
}

/* ---- what to give ---- */

#define VALID(type, spelled, expression)                                                           \
    static inline type valid_##spelled(null_fixture *f, const char *function,                      \
                                       const char *parameter)                                      \
    {                                                                                              \
        (void)f, (void)function, (void)parameter;                                                  \
        return expression;                                                                         \
    }

static bool is(const char *x, const char *y)
{
    return strcmp(x, y) == 0;
}

static bool take_nodes(void *user, const graze_node_pair *pair)
{
    (void)user, (void)pair;
    return true;
}

/* Callbacks that can do without a user. */
#define TAKER(name, type)                                                                          \
    static bool name(void *user, const type *items, size_t count)                                  \
    {                                                                                              \
        (void)user, (void)items, (void)count;                                                      \
        return true;                                                                               \
    }
TAKER(take_pairs, graze_pair)
TAKER(take_self, graze_self_pair)
TAKER(take_hits, graze_ray_hit)
TAKER(take_triangles, uint32_t)
TAKER(take_impacts, graze_impact)
TAKER(take_shape_impacts, graze_shape_impact)
TAKER(take_shape_contacts, graze_shape_contact)

/* The same for one of many. */
#define MANY_TAKER(name, type)                                                                     \
    static bool name(void *user, size_t number, const type *items, size_t count)                   \
    {                                                                                              \
        (void)user, (void)number, (void)items, (void)count;                                        \
        return true;                                                                               \
    }
MANY_TAKER(take_many, graze_pair)
MANY_TAKER(take_self_many, graze_self_pair)
MANY_TAKER(take_touch_many, uint32_t)

static void do_item(void *user, size_t item, uint32_t thread)
{
    (void)user, (void)item, (void)thread;
}

static void *run_at_once(void *user, graze_task_fn task, void *context)
{
    (void)user;
    task(context);
    return NULL;
}

static void wait_for_none(void *user, void *handle)
{
    (void)user, (void)handle;
}

static float *give_floats(null_fixture *f, const char *function, const char *parameter)
{
    static float point[3] = {0.1f, 0.2f, 0.3f}, other[3] = {1, 2, 3}, turned[4] = {0, 0, 0, 1};
    static float matrix[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    if (is(parameter, "positions") || is(parameter, "least") || is(parameter, "winding") ||
        strncmp(function, "graze_chain_", 12) == 0)
        return f->floats;
    if (is(parameter, "weights"))
        return &f->weight;
    if (is(parameter, "joints"))
        return f->joints;
    if (is(parameter, "rotation"))
        return turned;
    if (is(parameter, "view_projection"))
        return matrix;
    return is(parameter, "to") || is(parameter, "q") || is(parameter, "half") ? other : point;
}

VALID(bool, bool, false)
VALID(double, double, 0.1)
VALID(float, float, 0.5f)
VALID(size_t, size_t, is(parameter, "stride") ? 0 : 1)
VALID(uint32_t, uint32_t,
      is(parameter, "vertex_count") ? f->pair.meshes[0].def.vertex_count
      : is(parameter, "count") || is(parameter, "threads") || is(parameter, "name_count") ? 1
      : is(parameter, "group_count") || is(parameter, "capacity")                         ? 4
                                                                                          : 0)
VALID(graze_self_which, graze_self_which, GRAZE_SELF_ALL)
VALID(graze_node_bound, graze_node_bound, GRAZE_NODE_BEST)
VALID(graze_clip_depth, graze_clip_depth, GRAZE_CLIP_DEPTH_SIGNED)

VALID(void *, void_p, f)
VALID(bool *, bool_p, &f->flag)
VALID(float *, float_p, give_floats(f, function, parameter))
VALID(uint32_t *, uint32_t_p, is(parameter, "groups") ? f->groups : f->numbers)
VALID(const char *, char_p, f->names[0])
VALID(const char *const *, char_pp, f->names)
VALID(graze_parts *, graze_parts_p, f->parts)
VALID(graze_parts **, graze_parts_pp, &f->new_parts)
VALID(graze_parts_def *, graze_parts_def_p, &f->parts_def)
VALID(graze_self_between *, graze_self_between_p, &f->between)
VALID(size_t *, size_t_p, &f->size)
VALID(graze_error *, graze_error_p, &f->error)
VALID(graze_stats *, graze_stats_p, &f->stats)
VALID(graze_allocator *, graze_allocator_p, &f->allocator)
VALID(graze_model_def *, graze_model_def_p, &f->model_def)
VALID(graze_model *, graze_model_p,
      f->pair.models[is(parameter, "b") || is(parameter, "model_b") ? 1 : 0])
VALID(graze_model **, graze_model_pp, &f->model)
VALID(graze_body *, graze_body_p,
      is(function, "graze_body_unshare") ? f->shared
      : is(parameter, "b")               ? f->pair.b
                                         : f->pair.a)
VALID(graze_body **, graze_body_pp, is(parameter, "bodies") ? &f->pair.a : &f->body)
VALID(graze_pose *, graze_pose_p, &f->pose)
VALID(graze_front *, graze_front_p, f->front)
VALID(graze_front **, graze_front_pp, &f->new_front)
VALID(graze_search *, graze_search_p, f->search)
VALID(graze_search **, graze_search_pp, &f->new_search)
VALID(graze_pool *, graze_pool_p, f->pool)
VALID(graze_pool **, graze_pool_pp, &f->new_pool)
VALID(graze_contacts *, graze_contacts_p, f->contacts)
VALID(graze_contacts **, graze_contacts_pp,
      is(parameter, "finders") ? &f->contacts : &f->new_contacts)
VALID(graze_contacts_def *, graze_contacts_def_p, &f->contacts_def)
VALID(graze_fit *, graze_fit_p, f->fit)
VALID(graze_fit **, graze_fit_pp, &f->new_fit)
VALID(graze_fit_def *, graze_fit_def_p, &f->fit_def)
VALID(graze_volume_def *, graze_volume_def_p, &f->volume_def)
VALID(graze_cache_pool *, graze_cache_pool_p, f->caches)
VALID(graze_cache_pool **, graze_cache_pool_pp, &f->new_caches)
VALID(graze_cache_pool_def *, graze_cache_pool_def_p, &f->caches_def)
VALID(graze_decimate_def *, graze_decimate_def_p, &f->decimate_def)
VALID(graze_decimated *, graze_decimated_p, f->coarse)
VALID(graze_decimated **, graze_decimated_pp, &f->new_coarse)
VALID(graze_chains *, graze_chains_p, f->chains)
VALID(graze_chains **, graze_chains_pp, &f->new_chains)
VALID(graze_chain_def *, graze_chain_def_p, &f->chain_def)
VALID(graze_chain_misfit *, graze_chain_misfit_p, &f->misfit)
VALID(graze_chain_fit, graze_chain_fit, GRAZE_FIT_BALL)
VALID(graze_chains_given *, graze_chains_given_p, &f->chains_given)
VALID(graze_chain_plan *, graze_chain_plan_p, f->plan)
VALID(graze_chain_plan **, graze_chain_plan_pp, &f->new_plan)
VALID(graze_chain_plan_def *, graze_chain_plan_def_p, &f->plan_def)
VALID(graze_chain_pair *, graze_chain_pair_p, f->chain_pairs)
VALID(graze_chain_impact *, graze_chain_impact_p, f->chain_impacts)
VALID(graze_chain_update, graze_chain_update, GRAZE_CHAIN_PIVOTS)
VALID(graze_chain_method, graze_chain_method, GRAZE_CHAIN_CHAINS)
VALID(graze_chain_batch *, graze_chain_batch_p, f->batch)
VALID(graze_chain_batch **, graze_chain_batch_pp, &f->new_batch)
VALID(graze_chain_batch_def *, graze_chain_batch_def_p, &f->batch_def)
VALID(graze_chain_results *, graze_chain_results_p, &f->batch_results)
VALID(graze_posed_fit *, graze_posed_fit_p, &f->posed_fits[is(parameter, "b") ? 1 : 0])
VALID(graze_part_contacts *, graze_part_contacts_p, f->part_contacts)
VALID(graze_part_contacts **, graze_part_contacts_pp, &f->new_part_contacts)
VALID(graze_contact_points *, graze_contact_points_p, f->points)
VALID(graze_contact_points **, graze_contact_points_pp, &f->new_points)
VALID(graze_world_event *, graze_world_event_p, &f->event)
VALID(graze_reaction *, graze_reaction_p, &f->reaction)
VALID(graze_capsule *, graze_capsule_p, f->capsules)
VALID(graze_body_pair *, graze_body_pair_p, &f->body_pair)
VALID(graze_body_ray *, graze_body_ray_p, &f->body_ray)
VALID(graze_body_shape *, graze_body_shape_p, &f->body_shape)
VALID(graze_motion_pair *, graze_motion_pair_p, &f->motion_pair)
VALID(graze_job_system *, graze_job_system_p, &f->jobs)
VALID(double *, double_p, &f->limit)
VALID(graze_motion *, graze_motion_p, &f->motions[is(parameter, "b") ? 1 : 0])
VALID(graze_ray *, graze_ray_p, &f->pair.ray)
VALID(graze_shape *, graze_shape_p, &f->shape)
VALID(graze_world *, graze_world_p, f->world)
VALID(graze_world **, graze_world_pp, &f->new_world)
VALID(graze_world_id, graze_world_id, f->id)
VALID(graze_world_id *, graze_world_id_p, &f->new_id)
VALID(graze_world_rule *, graze_world_rule_p, &f->rule)
VALID(graze_world_member_def *, graze_world_member_def_p, &f->member_def)
VALID(graze_budget *, graze_budget_p, &f->budget)
VALID(graze_half_space *, graze_half_space_p, f->planes)
VALID(graze_pair *, graze_pair_p, f->pairs)
VALID(graze_self_pair *, graze_self_pair_p, &f->self_pair)
VALID(graze_ray_hit *, graze_ray_hit_p, &f->hit)
VALID(graze_nearest *, graze_nearest_p, &f->nearest)
VALID(graze_point_side *, graze_point_side_p, &f->inside)
VALID(graze_impact *, graze_impact_p, &f->impact)
VALID(graze_shape_impact *, graze_shape_impact_p, &f->shape_impact)
VALID(graze_node_view *, graze_node_view_p, &f->view)
VALID(graze_search_rest *, graze_search_rest_p, &f->rest)
VALID(graze_side *, graze_side_p, &f->side)
VALID(graze_pair_fn, graze_pair_fn, take_pairs)
VALID(graze_self_fn, graze_self_fn, take_self)
VALID(graze_ray_hit_fn, graze_ray_hit_fn, take_hits)
VALID(graze_triangle_fn, graze_triangle_fn, take_triangles)
VALID(graze_impact_fn, graze_impact_fn, take_impacts)
VALID(graze_shape_impact_fn, graze_shape_impact_fn, take_shape_impacts)
VALID(graze_shape_contact_fn, graze_shape_contact_fn, take_shape_contacts)
VALID(graze_shape_contact *, graze_shape_contact_p, &f->shape_contact)
VALID(graze_node_pair_fn, graze_node_pair_fn, take_nodes)
VALID(graze_many_fn, graze_many_fn, take_many)
VALID(graze_self_many_fn, graze_self_many_fn, take_self_many)
VALID(graze_touch_many_fn, graze_touch_many_fn, take_touch_many)
VALID(graze_item_fn, graze_item_fn, do_item)

/* Of structs only sizes of a model have a value that says nothing. */
static void keep_graze_model_info(null_fixture *f, const graze_model_info *info,
                                  null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = info->vertex_count + (double)info->triangle_count + info->joint_count +
                     info->node_count + (double)info->body_bytes + (double)info->tree_bytes;
}

static void keep_graze_cache_pool_info(null_fixture *f, const graze_cache_pool_info *info,
                                       null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = (double)info->body_bytes + (double)info->cache_bytes + info->made + info->lent;
}

/* Shapes and rays made from NULL are ones that queries refuse. */
static void keep_graze_shape(null_fixture *f, const graze_shape *shape, null_result *result)
{
    result->kind = NULL_STRUCT;
    result->status = graze_touch(f->pair.a, shape, take_triangles, NULL, NULL, NULL);
}

static void keep_graze_shape_contact(null_fixture *f, const graze_shape_contact *contact,
                                     null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = (double)contact->depth;
}

static void keep_graze_model_def(null_fixture *f, const graze_model_def *def, null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = def->vertex_count + (double)def->triangle_count;
}

static void keep_graze_part_contact(null_fixture *f, const graze_part_contact *contact,
                                    null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = (double)contact->depth;
}

static void keep_graze_chain_sphere(null_fixture *f, const graze_chain_sphere *sphere,
                                    null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = sphere->pivot_count + (double)sphere->radius;
}

static void keep_graze_chain_tests(null_fixture *f, const graze_chain_tests *tests,
                                   null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = (double)tests->chains + (double)tests->all;
}

static void keep_graze_part_volume(null_fixture *f, const graze_part_volume *volume,
                                   null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = volume->triangles + (double)volume->rest.radius;
}

static void keep_graze_hit_side(null_fixture *f, const graze_hit_side *side, null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = *side;
}

static void keep_graze_ray(null_fixture *f, const graze_ray *ray, null_result *result)
{
    result->kind = NULL_STRUCT;
    result->status = graze_cast(f->pair.a, ray, &f->hit, NULL, NULL);
}

#include "null_calls.h"

/* ---- trying ---- */

/* Batches take no morph targets. */
static void open_batch(null_fixture *f)
{
    graze_model *plain = NULL;
    graze_model_def def = f->model_def;
    def.morphs = NULL;
    def.morph_count = 0;
    f->batch_def = graze_default_chain_batch_def();
    if (graze_model_create(&def, &plain, NULL) ||
        graze_chains_create_given(plain, &f->chains_given, &f->plain_chains, NULL))
        abort();
    f->batch_def.chains = f->plain_chains;
    if (graze_chain_batch_create(&f->batch_def, &f->batch, NULL))
        abort();
    graze_model_destroy(plain);
}

static void open_fixture(null_fixture *f)
{
    const float middle[3] = {0, 0, 0};
    memset(f, 0, sizeof *f);
    f->pair = soup_pair_open(graze_default_tree_def(), GRAZE_LINEAR, NULL);
    f->allocator = graze_default_allocator();
    for (uint32_t j = 0; j < 4; j++)
        for (uint32_t k = 0; k < 3; k++)
            f->joints[12 * j + 5 * k] = 1;
    f->pose = (graze_pose){.joints = f->joints, .joint_count = 4};
    f->model_def = soup_model_def(&f->pair.meshes[0]);
    for (int i = 0; i < 4; i++)
        f->part_defs[i].parent = GRAZE_NO_PART;
    f->parts_def = (graze_parts_def){NULL, f->part_defs, 4};
    f->names[0] = "0";
    f->bits = 0xf;
    f->group_pair = (graze_group_pair){&f->bits, &f->bits};
    f->between = (graze_self_between){.pairs = &f->group_pair, .pair_count = 1, .group_count = 4};
    f->contacts_def = graze_default_contacts_def();
    f->fit_def = graze_default_fit_def();
    f->rule = graze_default_world_rule();
    f->member_def = graze_default_world_member_def();
    f->event = (graze_world_event){.kind = GRAZE_EVENT_END};
    f->volume_def = graze_default_volume_def();
    f->volume_def.level = 3;
    f->caches_def = graze_default_cache_pool_def();
    f->decimate_def = (graze_decimate_def){10, 1};
    f->chain_sphere = (graze_chain_sphere){.radius = 1, .pivot_count = 1, .radius_factor = 1};
    f->chain_pivot.weight = 1;
    f->plan_def = graze_default_chain_plan_def();
    f->chain_def = graze_default_chain_def();
    f->chains_given = graze_default_chains_given();
    f->chains_given.region_names = f->names;
    f->chains_given.spheres = &f->chain_sphere;
    f->chains_given.pivots = &f->chain_pivot;
    f->chains_given.triangle_spheres = f->triangle_spheres;
    f->chains_given.region_count = f->chains_given.sphere_count = f->chains_given.pivot_count = 1;
    f->body_pair = (graze_body_pair){f->pair.a, f->pair.b};
    f->motions[0] = (graze_motion){f->pair.a, f->pair.end};
    f->motions[1] = (graze_motion){f->pair.b, f->pair.b};
    f->motion_pair = (graze_motion_pair){&f->motions[0], &f->motions[1]};
    f->shape = graze_shape_sphere(middle, 0.5f);
    f->body_ray = (graze_body_ray){f->pair.a, f->pair.ray};
    f->body_shape = (graze_body_shape){f->pair.a, f->shape};
    f->jobs = (graze_job_system){run_at_once, wait_for_none, NULL, 3};
    f->limit = 1;
    f->planes[0] = (graze_half_space){{1, 0, 0}, 0.5f};
    f->floats = calloc(f->pair.meshes[0].def.vertex_count, 3 * sizeof *f->floats);
    bool hit = false;
    if (!f->floats || graze_pool_create(1, NULL, &f->pool, NULL) ||
        graze_body_create(f->pair.models[0], &f->shared, NULL) ||
        graze_body_share(f->shared, NULL) ||
        graze_front_create(f->pair.models[0], f->pair.models[1], &f->front, NULL) ||
        graze_world_create(NULL, &f->world, NULL) ||
        graze_world_add_shape(f->world, &f->shape, NULL, &f->id, NULL) ||
        graze_parts_create(&f->parts_def, &f->parts, NULL) ||
        graze_fit_create(f->pair.models[0], &f->fit_def, &f->fit, NULL) ||
        graze_cache_pool_create(f->pair.models[0], &f->caches_def, &f->caches, NULL) ||
        graze_fit_pose(f->fit, f->pair.a, f->posed[0], 4, NULL) ||
        graze_fit_pose(f->fit, f->pair.end, f->posed[1], 4, NULL) ||
        graze_part_contacts_create(NULL, &f->part_contacts, NULL) ||
        graze_contact_points_create(NULL, &f->points, NULL) ||
        graze_decimate(f->pair.models[0], &f->decimate_def, &f->coarse, NULL) ||
        graze_chains_create_given(f->pair.models[0], &f->chains_given, &f->chains, NULL) ||
        graze_chain_plan_create(f->chains, NULL, &f->plan, NULL) ||
        graze_search_create(NULL, &f->search, NULL) ||
        graze_search_collide(f->search, f->pair.a, f->pair.b, take_pairs, NULL, NULL) ||
        graze_contacts_create(f->pair.models[0], f->pair.models[1], NULL, &f->contacts, NULL) ||
        graze_contacts_find(f->contacts, f->pair.a, f->pair.b, NULL, NULL) ||
        graze_collide_first(f->pair.a, f->pair.b, &hit, f->pairs, NULL, NULL) || !hit)
        abort();
    open_batch(f);
    f->posed_fits[0] = (graze_posed_fit){f->fit, f->pair.a, f->posed[0]};
    f->posed_fits[1] = (graze_posed_fit){f->fit, f->pair.end, f->posed[1]};
}

static void close_fixture(null_fixture *f)
{
    graze_pool_destroy(f->pool);
    graze_body_destroy(f->shared);
    graze_front_destroy(f->front);
    graze_fit_destroy(f->fit);
    graze_parts_destroy(f->parts);
    graze_cache_pool_destroy(f->caches);
    graze_part_contacts_destroy(f->part_contacts);
    graze_contact_points_destroy(f->points);
    graze_decimated_destroy(f->coarse);
    graze_chain_plan_destroy(f->plan);
    graze_chain_batch_destroy(f->batch);
    graze_chains_destroy(f->plain_chains);
    graze_chains_destroy(f->chains);
    graze_search_destroy(f->search);
    graze_contacts_destroy(f->contacts);
    graze_world_destroy(f->world);
    soup_pair_close(&f->pair);
    free(f->floats);
}

typedef struct null_attempt {
    null_fixture *fixture;
    const null_function *function;
    int null;
} null_attempt;

/* Whether the function takes an error and got one. */
static bool has_error(const null_function *function, int null)
{
    for (int i = 0; i < function->count; i++)
        if (is(function->parameters[i], "error"))
            return i != null;
    return false;
}

static bool attempt_is_right(void *user)
{
    const null_attempt *try = user;
    const null_function *function = try->function;
    bool taken = try->null < 0 || is_fine(function->name, function->parameters[try->null]);
    null_result result = function->call(try->fixture, try->null);
    const char *text = try->fixture->error.text;
    if (taken)
        return (result.kind != NULL_STATUS && result.kind != NULL_STRUCT) ||
               result.status == GRAZE_OK;
    switch (result.kind) {
    case NULL_STATUS:
        return result.status == GRAZE_BAD_INPUT && (!has_error(function, try->null) || *text);
    case NULL_STRUCT:
        return result.status == GRAZE_BAD_INPUT;
    case NULL_VALUE:
        return result.number == 0;
    default:
        return true;
    }
}

TEST(null_is_refused_where_it_is_not_fine)
{
    static null_fixture fixture;
    uint32_t calls = 0, crashed = 0, wrong = 0;
    const uint32_t count = sizeof null_functions / sizeof *null_functions;
    open_fixture(&fixture);
    for (uint32_t i = 0; i < count; i++)
        for (int null = -1; null < null_functions[i].count; null++) {
            const null_function *function = &null_functions[i];
            if (null >= 0 && !function->pointers[null])
                continue;
            null_attempt try = {&fixture, function, null};
            const char *how = "";
            const char *name = null < 0 ? "nothing" : function->parameters[null];
            bool right = test_isolated(attempt_is_right, &try, SECONDS, &how);
            calls++;
            crashed += !right && !is(how, "said no");
            wrong += !right && is(how, "said no");
            if (!right)
                printf("     %s, %s NULL: %s\n", function->name, name,
                       is(how, "said no") ? "answered wrongly" : how);
            CHECK_MSG(right, "%s, %s NULL", function->name, name);
        }
    printf("     %u functions, %u calls: %u crash, %u are answered wrongly\n", count, calls,
           crashed, wrong);
    close_fixture(&fixture);
}

/* A list that names what is not there hides what is. */
TEST(what_may_be_null_exists)
{
    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++) {
        bool found = false;
        for (size_t i = 0; i < sizeof null_functions / sizeof *null_functions; i++)
            for (int p = 0; p < null_functions[i].count; p++)
                found = found || ((!fine[k][0] || is(fine[k][0], null_functions[i].name)) &&
                                  is(fine[k][1], null_functions[i].parameters[p]) &&
                                  null_functions[i].pointers[p]);
        CHECK_MSG(found, "%s of %s", fine[k][1], fine[k][0] ? fine[k][0] : "any function");
    }
}

/* ---- NULL inside what is pointed to ---- */

typedef struct member {
    null_fixture *fixture;
    int number;
} member;

static const char *const member_names[] = {"joints of a pose",
                                           "start of a motion",
                                           "end of a motion",
                                           "start of b",
                                           "end of b",
                                           "first body of a pair",
                                           "second body of a pair",
                                           "positions of a model",
                                           "triangles of a model",
                                           "influences of a model",
                                           "offsets of influences"};

static bool member_is_refused(void *user)
{
    const member *m = user;
    null_fixture *f = m->fixture;
    graze_pose pose = f->pose;
    graze_motion motions[2] = {f->motions[0], f->motions[1]};
    graze_body_pair pair = f->body_pair;
    graze_model_def def = f->model_def;
    void *const members[] = {&pose.joints,      &motions[0].start,     &motions[0].end,
                             &motions[1].start, &motions[1].end,       &pair.a,
                             &pair.b,           &def.positions,        &def.triangles,
                             &def.influences,   &def.influence_offsets};
    memset(members[m->number], 0, sizeof(void *));
    graze_status status;
    if (m->number == 0)
        status = graze_body_set_pose(f->pair.a, &pose, &f->error);
    else if (m->number < 5)
        status = graze_sweep(&motions[0], &motions[1], false, &f->impact, NULL, &f->error);
    else if (m->number < 7)
        status = graze_collide_many(NULL, &pair, 1, take_many, NULL, NULL, &f->error);
    else
        status = graze_model_create(&def, &f->model, &f->error);
    return status == GRAZE_BAD_INPUT && f->error.text[0];
}

TEST(null_members_are_refused)
{
    static null_fixture fixture;
    open_fixture(&fixture);
    for (int i = 0; i < (int)(sizeof member_names / sizeof *member_names); i++) {
        member m = {&fixture, i};
        const char *how = "";
        bool right = test_isolated(member_is_refused, &m, SECONDS, &how);
        CHECK_MSG(right, "%s: %s", member_names[i], how);
    }
    close_fixture(&fixture);
}
