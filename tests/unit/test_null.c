/* Every public function of the core, with every pointer in turn NULL and all else in order: refused
 * with GRAZE_BAD_INPUT and a text, or where the header says that NULL is fine, taken. Functions
 * without a status return 0, false, NULL or GRAZE_NONE. No call may crash: each runs in a process
 * of its own.
 *
 * The calls are generated from the headers (tests/scripts/null_calls.awk), so a new function is
 * tried too; if it takes a type that is not known here, this file does not compile until valid_TYPE
 * says what to give it.
 */
#include "harness.h"

#include "support/isolated.h"
#include "support/own.h"
#include "support/soup_pair.h"

#include <graze/ext/batch.h>
#include <graze/ext/chain_batch.h>
#include <graze/ext/chain_pose.h>
#include <graze/ext/decimate.h>
#include <graze/ext/draw.h>
#include <graze/ext/inspect.h>
#include <graze/ext/response.h>
#include <graze/graze.h>

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
    graze_contact_finder_def finder_def;
    graze_hitboxes_def fit_def;
    graze_decimate_def decimate_def;
    graze_decimated *coarse, *new_coarse;
    graze_job_system jobs;
    graze_motion motions[2];
    graze_pool *pool;
    graze_history *history;
    graze_hitboxes *fit;
    graze_part_def part_defs[4];
    graze_part_names_def parts_def;
    graze_part_names *parts; /* of the first model's groups */
    const char *names[1];
    uint32_t bits;
    graze_part_sets part_sets;
    graze_part_filter filter;
    graze_cache_pool *caches;
    graze_cache_pool_def caches_def;
    graze_capsule posed[2][4];
    graze_posed_hitboxes posed_fits[2];
    graze_hitbox_finder *part_contacts, *new_part_contacts;
    graze_point_finder *points, *new_points;
    graze_world_event event; /* of nobody: it is an end */
    graze_checkpoint *checkpoint;
    graze_batch *questions; /* one */
    graze_contact_finder *finder;
    graze_body *shared;
    graze_shape shape;
    graze_options options;
    graze_world *world; /* with a shape */
    graze_world_id id;
    graze_world_rule rule;
    graze_world_filter world_filter;
    graze_world_member_def member_def;
    graze_chain_sphere chain_sphere;
    graze_chain_pivot chain_pivot;
    uint32_t triangle_spheres[2000];
    graze_chains_given chains_given;
    graze_chain_def chain_def;
    graze_chain_misfit misfit;
    graze_chains *chains, *new_chains;
    graze_chain_tracker *plan, *new_plan;
    graze_chain_tracker_def plan_def;
    graze_pair chain_pairs[2];
    graze_posed_chains posed_chains;
    graze_chains *plain_chains;
    graze_chain_batch_def batch_def;
    graze_chain_batch *batch, *new_batch;
    graze_chain_results batch_results; /* none are wanted */
    graze_pose_batch_def poses_def;
    graze_pose_batch *poses, *new_poses;
    graze_pose_set pose_set;
    graze_pose_results pose_results; /* none are wanted */
    graze_half_space planes[6];
    graze_pair pairs[1]; /* one that meets */
    float *floats;       /* room for positions */
    float weight;

    /* Where results go. */
    graze_model *model;
    graze_body *body;
    graze_history *new_history;
    graze_hitboxes *new_fit;
    graze_part_names *new_parts;
    uint32_t groups[256];
    graze_cache_pool *new_caches;
    graze_capsule capsules[4];
    graze_checkpoint *new_checkpoint;
    graze_batch *new_questions;
    graze_pool *new_pool;
    graze_contact_finder *new_finder;
    graze_world *new_world;
    graze_world_id new_id;
    graze_world_hit world_hit;
    graze_world_hit_list world_hits;
    graze_world_touched_list world_touched;
    graze_world_nearest_point world_nearest;
    graze_hit hit;
    graze_nearest nearest;
    graze_point_side inside;
    graze_impact impact;
    graze_contact contact;
    graze_contact_details details;
    graze_pair_list pair_list;
    graze_hit_list hit_list;
    graze_triangle_list triangle_list;
    graze_contact_list contact_list;
    graze_impact_list impact_list;
    graze_node_view view;
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
    {"graze_set_assert_hook", "hook"},
    {"graze_set_trace_hooks", "hooks"},
    {NULL, "options"},
    {NULL, "stats"},
    {NULL, "error"},
    {NULL, "user"},
    {NULL, "allocator"},
    {NULL, "pool"},
    {"graze_model_destroy", "model"},
    {"graze_body_destroy", "body"},
    {"graze_history_destroy", "history"},
    {"graze_checkpoint_clear", "checkpoint"},
    {"graze_checkpoint_destroy", "checkpoint"},
    {"graze_batch_clear", "batch"},
    {"graze_batch_destroy", "batch"},
    {"graze_hitboxes_create", "def"},
    {"graze_hitboxes_destroy", "hitboxes"},
    {"graze_hitboxes_count", "outer_count"},
    {"graze_part_names_destroy", "names"},
    {"graze_cache_pool_destroy", "caches"},
    {"graze_cache_pool_create", "def"},
    {"graze_contact_finder_destroy", "finder"},
    {"graze_hitbox_finder_destroy", "finder"},
    {"graze_point_finder_destroy", "finder"},
    {"graze_decimated_destroy", "coarse"},
    {"graze_world_destroy", "world"},
    {"graze_chains_destroy", "chains"},
    {"graze_chain_tracker_destroy", "tracker"},
    {"graze_chain_tracker_size", "pair_count"},
    {"graze_chain_pairs", "b"},
    {"graze_chain_sweep", "b"},
    {"graze_chain_tracker_create", "def"},
    {"graze_chain_batch_destroy", "batch"},
    {"graze_pose_batch_destroy", "batch"},
    {"graze_pose_batch_self", "filter"},
    {"graze_chains_create", "joint_names"},
    {"graze_chains_create", "def"},
    {"graze_chains_misfit", "vertices"},
    {"graze_chains_misfit", "hits"},
    {"graze_self_pairs", "filter"},
    {"graze_shapes_contact", "contact"},
    {"graze_sweep", "b"},
    {"graze_sweep_all", "b"},
    {"graze_contact_finder_create", "def"},
    {"graze_world_add_body", "def"},
    {"graze_world_add_shape", "def"},
    {"graze_world_cast", "filter"},
    {"graze_world_cast_all", "filter"},
    {"graze_world_cast_many", "filter"},
    {"graze_world_touch", "filter"},
    {"graze_world_touch_many", "filter"},
    {"graze_world_nearest", "filter"},
    {"graze_world_nearest_many", "filter"},
    {"graze_world_inside", "filter"},
    {"graze_shape_box", "rotation"},
    {"graze_body_set_part_mask", "bits"},
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

static void take_zone(void *user, const char *zone)
{
    (void)user, (void)zone;
}

static graze_trace_hooks trace_hooks = {.begin = take_zone, .end = take_zone};
static graze_draw draw_nothing;

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

static bool take_assertion(const char *condition, const char *file, int line)
{
    (void)condition, (void)file, (void)line;
    return true;
}

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
      : is(parameter, "count") || is(parameter, "threads") || is(parameter, "list_count") ? 1
      : is(parameter, "part_count") || is(parameter, "capacity")                          ? 4
                                                                                          : 0)
VALID(graze_node_bound, graze_node_bound, GRAZE_NODE_BEST)
VALID(graze_clip_depth, graze_clip_depth, GRAZE_CLIP_DEPTH_SIGNED)

VALID(void *, void_p, f)
VALID(bool *, bool_p, &f->flag)
VALID(float *, float_p, give_floats(f, function, parameter))
VALID(uint32_t *, uint32_t_p, is(parameter, "groups") ? f->groups : f->numbers)
VALID(const char *, char_p, f->names[0])
VALID(const char *const *, char_pp, f->names)
VALID(graze_part_names *, graze_part_names_p, f->parts)
VALID(graze_part_names **, graze_part_names_pp, &f->new_parts)
VALID(graze_part_names_def *, graze_part_names_def_p, &f->parts_def)
VALID(graze_part_filter *, graze_part_filter_p, &f->filter)
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
VALID(graze_history *, graze_history_p, f->history)
VALID(graze_history **, graze_history_pp, &f->new_history)
VALID(graze_checkpoint *, graze_checkpoint_p, f->checkpoint)
VALID(graze_checkpoint **, graze_checkpoint_pp, &f->new_checkpoint)
VALID(graze_batch *, graze_batch_p, f->questions)
VALID(graze_batch **, graze_batch_pp, &f->new_questions)
VALID(graze_options *, graze_options_p, &f->options)
VALID(graze_pair_list *, graze_pair_list_p, &f->pair_list)
VALID(graze_hit_list *, graze_hit_list_p, &f->hit_list)
VALID(graze_triangle_list *, graze_triangle_list_p, &f->triangle_list)
VALID(graze_contact_list *, graze_contact_list_p, &f->contact_list)
VALID(graze_impact_list *, graze_impact_list_p, &f->impact_list)
VALID(graze_pool *, graze_pool_p, f->pool)
VALID(graze_pool **, graze_pool_pp, &f->new_pool)
VALID(graze_contact_finder *, graze_contact_finder_p, f->finder)
VALID(graze_contact_finder **, graze_contact_finder_pp, &f->new_finder)
VALID(graze_contact_finder_def *, graze_contact_finder_def_p, &f->finder_def)
VALID(graze_contact *, graze_contact_p, &f->contact)
VALID(graze_contact_details *, graze_contact_details_p, &f->details)
VALID(graze_hitboxes *, graze_hitboxes_p, f->fit)
VALID(graze_hitboxes **, graze_hitboxes_pp, &f->new_fit)
VALID(graze_hitboxes_def *, graze_hitboxes_def_p, &f->fit_def)
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
VALID(graze_chain_tracker *, graze_chain_tracker_p, f->plan)
VALID(graze_chain_tracker **, graze_chain_tracker_pp, &f->new_plan)
VALID(graze_chain_tracker_def *, graze_chain_tracker_def_p, &f->plan_def)
VALID(graze_posed_chains *, graze_posed_chains_p, &f->posed_chains)
VALID(graze_chain_update, graze_chain_update, GRAZE_CHAIN_PIVOTS)
VALID(graze_chain_pairs_of, graze_chain_pairs_of, GRAZE_CHAIN_PAIRS)
VALID(graze_chain_batch *, graze_chain_batch_p, f->batch)
VALID(graze_chain_batch **, graze_chain_batch_pp, &f->new_batch)
VALID(graze_chain_batch_def *, graze_chain_batch_def_p, &f->batch_def)
VALID(graze_chain_results *, graze_chain_results_p, &f->batch_results)
VALID(graze_pose_batch *, graze_pose_batch_p, f->poses)
VALID(graze_pose_batch **, graze_pose_batch_pp, &f->new_poses)
VALID(graze_pose_batch_def *, graze_pose_batch_def_p, &f->poses_def)
VALID(graze_pose_set *, graze_pose_set_p, &f->pose_set)
VALID(graze_pose_results *, graze_pose_results_p, &f->pose_results)
VALID(graze_posed_hitboxes *, graze_posed_hitboxes_p, &f->posed_fits[is(parameter, "b") ? 1 : 0])
VALID(graze_hitbox_finder *, graze_hitbox_finder_p, f->part_contacts)
VALID(graze_hitbox_finder **, graze_hitbox_finder_pp, &f->new_part_contacts)
VALID(graze_point_finder *, graze_point_finder_p, f->points)
VALID(graze_point_finder **, graze_point_finder_pp, &f->new_points)
VALID(graze_world_event *, graze_world_event_p, &f->event)
VALID(graze_capsule *, graze_capsule_p, f->capsules)
VALID(graze_job_system *, graze_job_system_p, &f->jobs)
VALID(graze_motion *, graze_motion_p, &f->motions[is(parameter, "b") ? 1 : 0])
VALID(graze_ray *, graze_ray_p, &f->pair.ray)
VALID(graze_shape *, graze_shape_p, &f->shape)
VALID(graze_world *, graze_world_p, f->world)
VALID(graze_world **, graze_world_pp, &f->new_world)
VALID(graze_world_id, graze_world_id, f->id)
VALID(graze_world_id *, graze_world_id_p, &f->new_id)
VALID(graze_world_rule *, graze_world_rule_p, &f->rule)
VALID(graze_world_filter *, graze_world_filter_p, &f->world_filter)
VALID(graze_world_hit *, graze_world_hit_p, &f->world_hit)
VALID(graze_world_hit_list *, graze_world_hit_list_p, &f->world_hits)
VALID(graze_world_touched_list *, graze_world_touched_list_p, &f->world_touched)
VALID(graze_world_nearest_point *, graze_world_nearest_point_p, &f->world_nearest)
VALID(graze_world_member_def *, graze_world_member_def_p, &f->member_def)
VALID(graze_half_space *, graze_half_space_p, f->planes)
VALID(graze_pair *, graze_pair_p,
      is(function, "graze_chain_filter_rows") ? f->chain_pairs : f->pairs)
VALID(graze_hit *, graze_hit_p, &f->hit)
VALID(graze_nearest *, graze_nearest_p, &f->nearest)
VALID(graze_point_side *, graze_point_side_p, &f->inside)
VALID(graze_impact *, graze_impact_p, &f->impact)
VALID(graze_node_view *, graze_node_view_p, &f->view)
VALID(graze_side *, graze_side_p, &f->side)
VALID(graze_assert_fn, graze_assert_fn, take_assertion)
VALID(graze_trace_hooks *, graze_trace_hooks_p, &trace_hooks)
VALID(graze_draw *, graze_draw_p, &draw_nothing)
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
    result->status = graze_touch(f->pair.a, shape, &f->triangle_list, NULL, NULL);
}

static void keep_graze_model_def(null_fixture *f, const graze_model_def *def, null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = def->vertex_count + (double)def->triangle_count;
}

static void keep_graze_chain_sphere(null_fixture *f, const graze_chain_sphere *sphere,
                                    null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = sphere->pivot_count + (double)sphere->radius;
}

static void keep_graze_chains_info(null_fixture *f, const graze_chains_info *info,
                                   null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = info->sphere_count + (double)info->paper_all_tests + info->region_count;
}

static void keep_graze_hitbox(null_fixture *f, const graze_hitbox *hitbox, null_result *result)
{
    (void)f;
    result->kind = NULL_VALUE;
    result->number = hitbox->triangle_count + (double)hitbox->rest.radius;
}

static void keep_graze_ray(null_fixture *f, const graze_ray *ray, null_result *result)
{
    result->kind = NULL_STRUCT;
    result->status = graze_cast(f->pair.a, ray, &f->hit, NULL, NULL);
}

#include "null_calls.h"

/* ---- trying ---- */

/* Batches of chains take no morph targets. */
static void open_batch(null_fixture *f)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    f->poses_def =
        (graze_pose_batch_def){f->pair.models[0], f->pair.models[1], NULL, NULL, NULL, {0}};
    f->pose_set = (graze_pose_set){.count = 1, .placements = identity};
    if (graze_pose_batch_create(&f->poses_def, &f->poses, NULL))
        abort();
    OWN(graze_model) *plain = NULL;
    graze_model_def def = f->model_def;
    def.morphs = NULL;
    def.morph_count = 0;
    f->batch_def = (graze_chain_batch_def){0};
    if (graze_model_create(&def, &plain, NULL) ||
        graze_chains_create_given(plain, &f->chains_given, &f->plain_chains, NULL))
        abort();
    f->batch_def.chains = f->plain_chains;
    if (graze_chain_batch_create(&f->batch_def, &f->batch, NULL))
        abort();
}

static void open_fixture(null_fixture *f)
{
    const float middle[3] = {0, 0, 0};
    memset(f, 0, sizeof *f);
    f->pair = soup_pair_open((graze_tree_def){0}, GRAZE_LINEAR, NULL);
    f->allocator = graze_default_allocator();
    for (uint32_t j = 0; j < 4; j++)
        for (uint32_t k = 0; k < 3; k++)
            f->joints[12 * j + 5 * k] = 1;
    f->pose = (graze_pose){.joints = f->joints, .joint_count = 4};
    f->model_def = soup_model_def(&f->pair.meshes[0]);
    f->parts_def = (graze_part_names_def){.parts = f->part_defs, .part_count = 4};
    f->names[0] = "0";
    f->bits = 0xf;
    f->part_sets = (graze_part_sets){&f->bits, &f->bits};
    f->filter = (graze_part_filter){.pairs = &f->part_sets, .pair_count = 1, .part_count = 4};
    f->finder_def = (graze_contact_finder_def){0};
    f->fit_def = (graze_hitboxes_def){0};
    f->rule = (graze_world_rule){0};
    f->member_def = (graze_world_member_def){0};
    f->event = (graze_world_event){.kind = GRAZE_EVENT_END};
    f->caches_def = (graze_cache_pool_def){0};
    f->decimate_def = (graze_decimate_def){.triangle_count = 10, .max_error = 1};
    f->chain_sphere = (graze_chain_sphere){.radius = 1, .pivot_count = 1, .radius_factor = 1};
    f->chain_pivot.weight = 1;
    f->plan_def = (graze_chain_tracker_def){0};
    f->chain_def = (graze_chain_def){0};
    f->chains_given = (graze_chains_given){0};
    f->chains_given.region_names = f->names;
    f->chains_given.spheres = &f->chain_sphere;
    f->chains_given.pivots = &f->chain_pivot;
    f->chains_given.triangle_spheres = f->triangle_spheres;
    f->chains_given.region_count = f->chains_given.sphere_count = f->chains_given.pivot_count = 1;
    f->motions[0] = (graze_motion){.start = f->pair.a, .end = f->pair.end};
    f->motions[1] = (graze_motion){.start = f->pair.b, .end = f->pair.b};
    f->shape = graze_shape_sphere(middle, 0.5f);
    f->jobs = (graze_job_system){.enqueue = run_at_once, .finish = wait_for_none, .threads = 3};
    f->planes[0] = (graze_half_space){{1, 0, 0}, 0.5f};
    f->floats = calloc(f->pair.meshes[0].def.vertex_count, 3 * sizeof *f->floats);
    graze_pair_list one = {.items = f->pairs, .capacity = 1};
    if (!f->floats || graze_pool_create(1, NULL, &f->pool, NULL) ||
        graze_body_create(f->pair.models[0], &f->shared, NULL) ||
        graze_body_share(f->shared, NULL) ||
        graze_history_create(f->pair.models[0], f->pair.models[1], &f->history, NULL) ||
        graze_world_create(NULL, &f->world, NULL) ||
        graze_world_add_shape(f->world, &f->shape, NULL, &f->id, NULL) ||
        graze_part_names_create(&f->parts_def, &f->parts, NULL) ||
        graze_hitboxes_create(f->pair.models[0], &f->fit_def, &f->fit, NULL) ||
        graze_cache_pool_create(f->pair.models[0], &f->caches_def, &f->caches, NULL) ||
        graze_hitboxes_pose(f->fit, f->pair.a, f->posed[0], 4, NULL) ||
        graze_hitboxes_pose(f->fit, f->pair.end, f->posed[1], 4, NULL) ||
        graze_hitbox_finder_create(NULL, &f->part_contacts, NULL) ||
        graze_point_finder_create(NULL, &f->points, NULL) ||
        graze_decimated_create(f->pair.models[0], &f->decimate_def, &f->coarse, NULL) ||
        graze_chains_create_given(f->pair.models[0], &f->chains_given, &f->chains, NULL) ||
        graze_chain_tracker_create(f->chains, NULL, &f->plan, NULL) ||
        graze_checkpoint_create(NULL, &f->checkpoint, NULL) ||
        graze_batch_create(NULL, &f->questions, NULL) ||
        graze_pairs(f->pair.a, f->pair.b, &f->pair_list, &(graze_options){.batch = f->questions},
                    NULL) ||
        graze_contact_finder_create(f->pair.models[0], f->pair.models[1], NULL, &f->finder, NULL) ||
        graze_contacts(f->finder, f->pair.a, f->pair.b, &f->contact_list, NULL, NULL) ||
        graze_pairs(f->pair.a, f->pair.b, &one, NULL, NULL) || one.count < 1)
        abort();
    open_batch(f);
    f->posed_chains = (graze_posed_chains){f->plan, f->floats, f->floats};
    f->posed_fits[0] = (graze_posed_hitboxes){f->fit, f->pair.a, f->posed[0]};
    f->posed_fits[1] = (graze_posed_hitboxes){f->fit, f->pair.end, f->posed[1]};
}

static void close_fixture(null_fixture *f)
{
    graze_pool_destroy(f->pool);
    graze_body_destroy(f->shared);
    graze_history_destroy(f->history);
    graze_hitboxes_destroy(f->fit);
    graze_part_names_destroy(f->parts);
    graze_cache_pool_destroy(f->caches);
    graze_hitbox_finder_destroy(f->part_contacts);
    graze_point_finder_destroy(f->points);
    graze_decimated_destroy(f->coarse);
    graze_chain_tracker_destroy(f->plan);
    graze_chain_batch_destroy(f->batch);
    graze_pose_batch_destroy(f->poses);
    graze_chains_destroy(f->plain_chains);
    graze_chains_destroy(f->chains);
    graze_checkpoint_destroy(f->checkpoint);
    graze_batch_destroy(f->questions);
    graze_contact_finder_destroy(f->finder);
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
        return result.number == 0 || result.number == GRAZE_NONE;
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
    graze_model_def def = f->model_def;
    void *const members[] = {&pose.joints,      &motions[0].start, &motions[0].end,
                             &motions[1].start, &motions[1].end,   &def.positions,
                             &def.triangles,    &def.influences,   &def.influence_offsets};
    memset(members[m->number], 0, sizeof(void *));
    graze_status status;
    if (m->number == 0)
        status = graze_body_set_pose(f->pair.a, &pose, &f->error);
    else if (m->number < 5)
        status = graze_sweep(&motions[0], &motions[1], &f->impact, NULL, &f->error);
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
