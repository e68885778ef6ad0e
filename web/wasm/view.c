/* What the viewer asks beyond the package's questions: what queries did, what the eager way costs,
 * contacts, and the nodes of the tree.
 */
#include "module.h"

#include <graze/inspect.h>
#include <graze/reference.h>
#include <graze/rig.h>

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
        def->tree = graze_paper_tree_def();
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

WEB_EXPORT(triangle_groups) void web_triangle_groups(const graze_body *body, uint32_t *groups)
{
    const graze_model *model = graze_body_model(body);
    uint32_t count = graze_model_get_info(model).triangle_count;
    for (uint32_t i = 0; i < count; i++)
        groups[i] = graze_model_triangle_group(model, i);
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

WEB_EXPORT(collide_slowly)
int web_collide_slowly(graze_body *a, graze_body *b, uint32_t brute, uint32_t first)
{
    web_list list = {.complete = true};
    graze_status status =
        brute ? graze_collide_brute(a, b, web_add_pairs, &list, web_stats, &web_error)
              : graze_collide_eager(a, b, first != 0, web_add_pairs, &list, web_stats, &web_error);
    return web_finish_pairs(status, &list);
}

WEB_EXPORT(self_slowly) int web_self_slowly(graze_body *body, uint32_t brute, uint32_t only_new)
{
    web_list list = {.complete = true};
    graze_self_which which = only_new ? GRAZE_SELF_NEW : GRAZE_SELF_ALL;
    graze_status status = brute ? graze_collide_self_brute(body, which, web_add_self_pairs, &list,
                                                           web_stats, &web_error)
                                : graze_collide_self_eager(body, which, web_add_self_pairs, &list,
                                                           web_stats, &web_error);
    return web_finish_pairs(status, &list);
}

/* ---- contacts ---- */

WEB_EXPORT(contacts_create)
graze_contacts *web_contacts_create(const graze_body *a, const graze_body *b, uint32_t by_group)
{
    graze_contacts *contacts = NULL;
    graze_contacts_def def = graze_default_contacts_def();
    def.split_by_group = by_group != 0;
    graze_contacts_create(graze_body_model(a), graze_body_model(b), &def, &contacts, &web_error);
    return contacts;
}

WEB_EXPORT(contacts_destroy) void web_contacts_destroy(graze_contacts *contacts)
{
    graze_contacts_destroy(contacts);
}

WEB_EXPORT(contacts_find)
int web_contacts_find(graze_contacts *contacts, graze_body *a, graze_body *b)
{
    return graze_contacts_find(contacts, a, b, web_stats, &web_error)
               ? WEB_FAILED
               : (int)graze_contacts_count(contacts);
}

WEB_EXPORT(contacts_get)
const graze_contact *web_contacts_get(const graze_contacts *contacts, uint32_t number)
{
    return graze_contacts_get(contacts, number);
}

WEB_EXPORT(contacts_segments)
const graze_contact_segment *web_contacts_segments(const graze_contacts *contacts, uint32_t *count)
{
    return graze_contacts_segments(contacts, count);
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
