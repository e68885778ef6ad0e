#include <graze/front.h>

#include "base/memory.h"
#include "base/status.h"
#include "body/patches.h"
#include "narrow/triangle.h"
#include "query/pair.h"

#include <string.h>

#define NO_NODE UINT32_MAX
#define FIRST_CAPACITY 256u
#define OLDEST 8u /* queries, then it starts again at the roots */

struct graze_front {
    const graze_model *models[2];
    uint32_t *parents[2]; /* of each node; the root's is none */
    grazei_walk_log last, next;
    uint32_t age;
    bool running; /* a query of it is under way */
    bool has_hint;
    grazei_pair_item hint; /* leaves where a hit was found */
    graze_pair hit;        /* that hit */
};

static bool find_parents(const grazei_tree *tree, const graze_allocator *allocator,
                         uint32_t **parents)
{
    *parents = GRAZEI_ALLOCATE(allocator, tree->node_count, uint32_t);
    if (!*parents)
        return false;
    (*parents)[0] = NO_NODE;
    for (uint32_t n = 0; n < tree->node_count; n++)
        for (uint32_t c = tree->nodes[n].first; c < tree->nodes[n].first + tree->nodes[n].count;
             c++)
            (*parents)[c] = n;
    return true;
}

static bool make_room(graze_front *front, uint32_t capacity)
{
    const graze_allocator *allocator = &front->models[0]->allocator;
    grazei_pair_item *last = GRAZEI_ALLOCATE(allocator, capacity, grazei_pair_item);
    grazei_pair_item *next = GRAZEI_ALLOCATE(allocator, capacity, grazei_pair_item);
    if (!last || !next) {
        grazei_release(allocator, last);
        grazei_release(allocator, next);
        return false;
    }
    grazei_release(allocator, front->last.items);
    grazei_release(allocator, front->next.items);
    front->last = (grazei_walk_log){.items = last, .capacity = capacity};
    front->next = (grazei_walk_log){.items = next, .capacity = capacity};
    return true;
}

graze_status graze_front_create(const graze_model *a, const graze_model *b, graze_front **front,
                                graze_error *error)
{
    graze_status status = grazei_check_pointer(a, "model a", error);
    if (!status)
        status = grazei_check_pointer(b, "model b", error);
    if (!status)
        status = grazei_check_pointer(front, "where the front goes", error);
    if (status)
        return status;
    graze_front *made = GRAZEI_ALLOCATE_ZERO(&a->allocator, 1, graze_front);
    if (!made)
        return grazei_fail_memory(error);
    made->models[0] = grazei_model_hold(a);
    made->models[1] = grazei_model_hold(b);
    if (!find_parents(&a->tree, &a->allocator, &made->parents[0]) ||
        !find_parents(&b->tree, &a->allocator, &made->parents[1]) ||
        !make_room(made, FIRST_CAPACITY)) {
        graze_front_destroy(made);
        return grazei_fail_memory(error);
    }
    *front = made;
    return GRAZE_OK;
}

void graze_front_destroy(graze_front *front)
{
    if (!front)
        return;
    graze_allocator allocator = front->models[0]->allocator;
    for (int side = 0; side < 2; side++) {
        grazei_release(&allocator, front->parents[side]);
        grazei_model_let_go(front->models[side]);
    }
    grazei_release(&allocator, front->last.items);
    grazei_release(&allocator, front->next.items);
    grazei_release(&allocator, front);
}

uint32_t graze_front_size(const graze_front *front)
{
    return front ? front->last.count : 0;
}

static graze_status check(const graze_front *front, graze_body *a, graze_body *b,
                          graze_error *error)
{
    graze_status status = grazei_check_pointer(front, "the front", error);
    if (!status)
        status = grazei_check_pair(a, b, error);
    if (status)
        return status;
    bool other_a = grazei_body_model(a) != front->models[0];
    if (other_a || grazei_body_model(b) != front->models[1])
        return grazei_fail(error, GRAZE_BAD_INPUT, "body %s is not of the front's model",
                           other_a ? "a" : "b");
    if (front->running)
        return grazei_fail(error, GRAZE_BAD_INPUT,
                           "the front is in use by the query it reports for");
    return GRAZE_OK;
}

/* Bounds a node together with its siblings, as everyone does. */
static void bound(const graze_front *front, int side, const grazei_view *view, uint32_t node,
                  graze_stats *stats)
{
    uint32_t parent = front->parents[side][node];
    grazei_node opened = {0, 1};
    if (parent != NO_NODE)
        opened = view->nodes[parent];
    grazei_body_bound(view->body, opened.first, opened.count, stats);
}

static bool overlap(const graze_front *front, const grazei_view sides[2], grazei_pair_item item,
                    graze_stats *stats)
{
    bound(front, 0, &sides[0], item.node[0], stats);
    bound(front, 1, &sides[1], item.node[1], stats);
    stats->bound_tests++;
    return grazei_views_overlap(&sides[0], item.node[0], &sides[1], item.node[1]);
}

/* Walks on from the last front and writes down the next one. */
static void walk_on(graze_front *front, grazei_pair_question *question, grazei_agenda *agenda,
                    graze_stats *stats)
{
    const grazei_view sides[2] = {grazei_body_view(question->base.bodies[0]),
                                  grazei_body_view(question->base.bodies[1])};
    front->next.count = 0;
    front->next.full = false;
    question->log = &front->next;
    question->goes_on = true;
    if (!front->last.count)
        front->last.items[front->last.count++] = (grazei_pair_item){{0, 0}};
    for (uint32_t i = 0; i < front->last.count && !question->outbox.stopped; i++) {
        grazei_pair_item item = front->last.items[i];
        if (overlap(front, sides, item, stats)) {
            /* One at a time: leaves that are posed below get tighter bounds for the next. */
            agenda->items[agenda->count++].pair = item;
            question->base.run(&question->base, agenda, stats);
        } else {
            grazei_log_add(&front->next, item);
        }
    }
    GRAZEI_PICK(grazei_body_model(question->base.bodies[0])->isa, pair_kernels)->finish(question);
    if (question->outbox.stopped)
        return;
    grazei_walk_log last = front->last;
    front->last = front->next;
    front->next = last;
    if (front->last.full) {
        front->last.count = 0;
        make_room(front, 2 * front->last.capacity);
    }
    /* Pairs are only ever opened, so that bodies that part leave too many behind. */
    if (++front->age == OLDEST) {
        front->age = 0;
        front->last.count = 0;
    }
}

graze_status graze_front_collide(graze_front *front, graze_body *a, graze_body *b,
                                 graze_pair_fn report, void *user, graze_stats *stats,
                                 graze_error *error)
{
    grazei_pair_question question;
    grazei_agenda agenda;
    graze_stats unwanted = {0};
    graze_status status = check(front, a, b, error);
    if (!status)
        status = grazei_check_given(report != NULL, "report", error);
    if (status)
        return status;
    grazei_pair_ask(&question, a, b, false, report, user);
    grazei_agenda_start(&agenda, false);
    front->running = true;
    grazei_enter(question.base.bodies, 2);
    walk_on(front, &question, &agenda, stats ? stats : &unwanted);
    grazei_leave(question.base.bodies, 2);
    front->running = false;
    return GRAZE_OK;
}

/* A triangle of a posed patch with its box. */
typedef struct single {
    float corners[3][4] __attribute__((aligned(16)));
    f4 low, high;
    uint32_t name;
} single;

static void load_single(const grazei_posed_patch *patch, uint32_t i, single *out)
{
    grazei_patch_triangle(patch, i, out->corners);
    f4 p = f4_load(out->corners[0]), q = f4_load(out->corners[1]), r = f4_load(out->corners[2]);
    out->low = f4_min(p, f4_min(q, r));
    out->high = f4_max(p, f4_max(q, r));
    out->name = patch->names[i];
}

/* Finds a triangle by its name; false: the patch has no such triangle. */
static bool find_single(const grazei_posed_patch *patch, uint32_t name, single *out)
{
    uint32_t i = 0;
    while (i < patch->triangle_count && patch->names[i] != name)
        i++;
    if (i < patch->triangle_count)
        load_single(patch, i, out);
    return i < patch->triangle_count;
}

static bool singles_meet(const single *a, const single *b, graze_stats *stats)
{
    float corners[2][3][3];
    if ((f4_ge_bits(a->high, b->low) & f4_ge_bits(b->high, a->low) & 7u) != 7u)
        return false;
    for (int c = 0; c < 3; c++) {
        memcpy(corners[0][c], a->corners[c], sizeof corners[0][c]);
        memcpy(corners[1][c], b->corners[c], sizeof corners[1][c]);
    }
    stats->triangle_tests++;
    return grazei_triangles_meet((const float(*)[3])corners[0], (const float(*)[3])corners[1]);
}

/* Whether the last hit still is one, or one of its triangles meets another one of the other's
 * patch: then nothing else has to be looked at.
 */
static bool still_meets(graze_front *front, graze_body *a, graze_body *b, graze_stats *stats)
{
    single hit[2], other;
    graze_body *const bodies[2] = {a, b};
    grazei_posed_patch patches[2];
    for (int side = 0; side < 2; side++) {
        grazei_view view = grazei_body_view(bodies[side]);
        if (!front->has_hint)
            return false;
        patches[side] = grazei_view_leaf(&view, front->hint.node[side], stats);
        if (!find_single(&patches[side], side ? front->hit.b : front->hit.a, &hit[side]))
            return false;
    }
    if (singles_meet(&hit[0], &hit[1], stats))
        return true;
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < patches[side].triangle_count; i++) {
            load_single(&patches[side], i, &other);
            if (singles_meet(side ? &hit[0] : &other, side ? &other : &hit[1], stats)) {
                *(side ? &front->hit.b : &front->hit.a) = other.name;
                return true;
            }
        }
    return false;
}

/* Looks where the last hit was, then everywhere. */
static void find_first(graze_front *front, graze_body *a, graze_body *b, grazei_first_pair *first,
                       graze_stats *stats)
{
    grazei_pair_question question;
    grazei_agenda agenda;
    grazei_walk_log leaves = {.capacity = 0}; /* only the last ones are of interest */
    grazei_pair_begin(&question, &agenda, a, b, true, grazei_keep_first, first, stats);
    question.log = &leaves;
    if (front->has_hint && agenda.count) {
        /* Leaves need no bounds of their own: they are compared by their posed patches. */
        const grazei_view sides[2] = {grazei_body_view(a), grazei_body_view(b)};
        overlap(front, sides, front->hint, stats);
        agenda.items[agenda.count++].pair = front->hint;
    }
    grazei_run(&question.base, &agenda, stats);
    front->has_hint = first->found;
    front->hint = leaves.last_leaves;
    front->hit = first->pair;
}

graze_status graze_front_collide_first(graze_front *front, graze_body *a, graze_body *b, bool *hit,
                                       graze_pair *pair, graze_stats *stats, graze_error *error)
{
    graze_stats unwanted = {0};
    grazei_first_pair first = {.found = false};
    graze_status status = check(front, a, b, error);
    if (!status)
        status = grazei_check_given(hit != NULL, "hit", error);
    if (status)
        return status;
    stats = stats ? stats : &unwanted;
    if (still_meets(front, a, b, stats))
        first = (grazei_first_pair){front->hit, true};
    else
        find_first(front, a, b, &first, stats);
    *hit = first.found;
    if (first.found && pair)
        *pair = first.pair;
    return GRAZE_OK;
}
