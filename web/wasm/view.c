/* What the viewer asks beyond the package's questions: what queries did, what the eager way costs,
 * contacts, and the nodes of the tree.
 */
#include "module.h"

#include <graze/ext/inspect.h>

#include <graze/rig.h>
#include <string.h>

#include <stdlib.h>

/* ---- models ---- */

typedef enum view_tree { VIEW_BOXES = 0, VIEW_SPHERES = 1, VIEW_PAPER = 2 } view_tree;

/* Poses of its clips that the command, too, lets a model choose its bounds by. */
enum { EXAMPLES = 4 };

static view_tree next_tree;
static float *next_poses; /* NULL: none */

static void adjust_model(graze_model_def *def)
{
    if (next_tree == VIEW_PAPER)
        def->tree = graze_paper_tree();
    if (next_tree == VIEW_SPHERES)
        def->tree.volume = GRAZE_SPHERES;
    def->example_poses = next_poses;
    def->example_pose_count = next_poses ? EXAMPLES : 0;
}

/* How the next models are made: rig may be null; else it has as many joints as they. */
WEB_EXPORT(choose) int web_choose(view_tree tree, const graze_rig *rig)
{
    web_adjust_model = adjust_model;
    next_tree = tree;
    free(next_poses);
    next_poses = NULL;
    if (!rig || !rig->clip_count || !rig->joint_count)
        return 0;
    next_poses = malloc((size_t)EXAMPLES * 12 * rig->joint_count * sizeof *next_poses);
    if (!next_poses)
        return web_out_of_memory();
    if (graze_rig_example_poses(rig, EXAMPLES, next_poses)) {
        free(next_poses);
        next_poses = NULL;
    }
    return 0;
}

WEB_EXPORT(model_info) void web_model_info(const graze_body *body, uint32_t *numbers)
{
    graze_model_info info = graze_model_get_info(graze_body_model(body));
    numbers[0] = info.node_count;
    numbers[1] = info.leaf_count;
    numbers[2] = info.level_count;
    numbers[3] = (uint32_t)info.tree_bytes;
    numbers[4] = (uint32_t)info.body_bytes;
    numbers[5] = info.joint_set_count;
    numbers[6] = info.max_influences;
}

WEB_EXPORT(triangle_parts) void web_triangle_groups(const graze_body *body, uint32_t *groups)
{
    const graze_model *model = graze_body_model(body);
    uint32_t count = graze_model_get_info(model).triangle_count;
    for (uint32_t i = 0; i < count; i++)
        groups[i] = graze_model_triangle_part(model, i);
}

/* ---- what queries did ---- */

static graze_stats counts;

/* Counts from 0 on; returns where. */
WEB_EXPORT(count) const graze_stats *web_count(void)
{
    counts = (graze_stats){0};
    web_stats = &counts;
    return &counts;
}

WEB_EXPORT(drop_caches) void web_drop_caches(graze_body *body)
{
    graze_body_drop_caches(body);
}

/* ---- the slow ways ---- */

WEB_EXPORT(refit_all) void web_refit_all(graze_body *body)
{
    graze_body_refit_all(body);
}

static graze_method method_of(uint32_t brute)
{
    return brute ? GRAZE_BRUTE : GRAZE_EAGER;
}

WEB_EXPORT(collide_slowly)
int web_collide_slowly(graze_body *a, graze_body *b, uint32_t brute, uint32_t first)
{
    graze_options options = web_options();
    options.method = method_of(brute);
    options.any = first && !brute;
    return web_pairs(a, b, &options);
}

WEB_EXPORT(self_slowly) int web_self_slowly(graze_body *body, uint32_t brute, uint32_t only_new)
{
    graze_options options = web_options();
    options.method = method_of(brute);
    options.only_new = only_new != 0;
    return web_self_pairs(body, &options);
}

/* ---- contacts ---- */

WEB_EXPORT(contacts_create)
graze_contact_finder *web_contacts_create(const graze_body *a, const graze_body *b,
                                          uint32_t by_group)
{
    graze_contact_finder *contacts = NULL;
    graze_contact_finder_def def = {0};
    def.split_by_part = by_group != 0;
    graze_contact_finder_create(graze_body_model(a), graze_body_model(b), &def, &contacts,
                                &web_error);
    return contacts;
}

WEB_EXPORT(contacts_destroy) void web_contacts_destroy(graze_contact_finder *contacts)
{
    graze_contact_finder_destroy(contacts);
}

/* A contact as JavaScript reads it. */
typedef struct view_contact {
    float point[3], normal[3], depth, length;
    uint32_t groups[2], first, count;
    bool closed, whole;
} view_contact;

/* Where contacts go while they are found: the answer. */
typedef struct view_contacts {
    const graze_contact_finder *finder;
    web_list list;
} view_contacts;

static bool add_contacts(void *user, const graze_contact *contacts, size_t count)
{
    view_contacts *to = user;
    view_contact *all = web_answer_reserve(to->list.count + count, sizeof *all);
    to->list.complete = all != NULL;
    for (size_t i = 0; all && i < count; i++) {
        const graze_contact *c = &contacts[i];
        graze_contact_details details;
        graze_contact_get_details(to->finder, c->number, &details);
        view_contact *made = &all[to->list.count++];
        *made = (view_contact){.depth = c->depth,
                               .length = details.length,
                               .groups = {c->parts[0], c->parts[1]},
                               .first = details.first_segment,
                               .count = c->pair_count,
                               .closed = details.closed,
                               .whole = details.full_depth};
        memcpy(made->point, c->point, sizeof made->point);
        memcpy(made->normal, c->normal, sizeof made->normal);
    }
    return all != NULL;
}

WEB_EXPORT(contacts_find)
int web_contacts_find(graze_contact_finder *finder, graze_body *a, graze_body *b)
{
    view_contacts to = {finder, {.complete = true}};
    graze_contact_list contacts = {.report = add_contacts, .user = &to};
    graze_options options = web_options();
    graze_status status = graze_contacts(finder, a, b, &contacts, &options, &web_error);
    if (!to.list.complete)
        return web_out_of_memory();
    return status ? WEB_FAILED : (int)to.list.count;
}

/* Of those that were found last: they are the answer. */
WEB_EXPORT(contacts_get) const view_contact *web_contacts_get(uint32_t number)
{
    const view_contact *all = web_answer_reserve(0, 1);
    return all + number;
}

WEB_EXPORT(contacts_segments)
const graze_contact_segment *web_contacts_segments(const graze_contact_finder *finder,
                                                   uint32_t *count)
{
    size_t segments = 0;
    const graze_contact_segment *first = graze_contact_segments(finder, &segments);
    *count = (uint32_t)segments;
    return first;
}

/* ---- the tree ---- */

typedef struct view_node {
    uint32_t level, first_child, child_count, triangle_count, refitted;
    float centre[3], radius, half[3];
} view_node;

/* Afterwards the body is as cold as in a new pose, so that the next query counts what it does as if
 * nobody had asked or looked: the best bounds need every vertex posed.
 */
WEB_EXPORT(nodes) int web_nodes(graze_body *body, graze_node_bound which)
{
    uint32_t count = graze_model_get_info(graze_body_model(body)).node_count;
    view_node *nodes = web_answer_reserve(count, sizeof *nodes);
    if (!nodes)
        return web_out_of_memory();
    for (uint32_t n = 0; n < count; n++) {
        graze_node_view view;
        graze_status status = graze_body_view_node(body, n, which, &view);
        if (status) {
            web_error = (graze_error){status, "the tree cannot be viewed"};
            return WEB_FAILED;
        }
        nodes[n] = (view_node){.level = view.level,
                               .first_child = view.first_child,
                               .child_count = view.child_count,
                               .triangle_count = view.triangle_count,
                               .refitted = view.was_refitted,
                               .radius = view.radius};
        for (int axis = 0; axis < 3; axis++) {
            nodes[n].centre[axis] = view.centre[axis];
            nodes[n].half[axis] = view.half[axis];
        }
    }
    graze_body_drop_caches(body);
    return (int)count;
}
