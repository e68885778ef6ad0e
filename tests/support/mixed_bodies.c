/* Calls that pose bodies, fill or drop their caches, look at them or copy them. */
#include "support/mixed_calls.h"
#include "support/own.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

mixed_body *mixed_any_body(mixed_world *w)
{
    if (mixed_below(w, 32) == 0)
        w->favourite = mixed_below(w, MIXED_BODIES);
    if (mixed_below(w, 3))
        return &w->bodies[w->favourite];
    return &w->bodies[mixed_below(w, MIXED_BODIES)];
}

void mixed_two_bodies(mixed_world *w, mixed_body **a, mixed_body **b)
{
    *a = mixed_any_body(w);
    do
        *b = mixed_any_body(w);
    while (*a == *b);
}

void mixed_ok(mixed_world *w, graze_status status, const char *call)
{
    mixed_check(w, status == GRAZE_OK, "%s: %s", call, graze_status_name(status));
}

void mixed_clear(mixed_world *w)
{
    answers_clear(&w->expected);
    answers_clear(&w->found);
}

static void do_set_pose(mixed_world *w)
{
    mixed_set_pose(w, mixed_any_body(w));
}

static void do_set_weights(mixed_world *w)
{
    mixed_set_weights(w, mixed_any_body(w), false);
}

static void do_set_weights_coherently(mixed_world *w)
{
    mixed_set_weights(w, mixed_any_body(w), true);
}

static void do_set_mask(mixed_world *w)
{
    mixed_set_mask(w, mixed_any_body(w));
}

static void do_set_positions(mixed_world *w)
{
    mixed_set_positions(w, mixed_any_body(w));
}

static void do_drop_caches(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    mixed_step(w, "drop_caches(%u)", b->number);
    graze_body_drop_caches(b->body);
}

/* Lean bodies of a model then borrow what others had. */
static void do_give_back(mixed_world *w)
{
    uint32_t first = mixed_below(w, MIXED_BODIES), count = 1 + mixed_below(w, MIXED_BODIES);
    mixed_step(w, "give_back_caches of %u bodies from %u on", count, first);
    for (uint32_t i = first; i < first + count; i++) {
        mixed_body *b = &w->bodies[i % MIXED_BODIES];
        graze_body_give_back_caches(b->body);
        mixed_check(w, graze_body_has_caches(b->body) != b->lean, "caches are not given back");
    }
}

static void do_refit_all(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    mixed_step(w, "refit_all(%u)", b->number);
    graze_body_refit_all(b->body);
}

static void do_bound_all(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    mixed_step(w, "bound_all(%u)", b->number);
    mixed_check(w, graze_body_bound_all(b->body) == b->of->info.node_count,
                "not all nodes are bounded");
}

/* The positions of the twin; to be freed. */
static float *twin_positions(mixed_world *w, mixed_body *b)
{
    size_t size = 3 * sizeof(float) * b->of->info.vertex_count;
    float *positions = malloc(size);
    mixed_begin_reference(w);
    graze_body_get_positions(b->twin, positions);
    mixed_end_reference(w);
    if (b->given)
        mixed_check(w, memcmp(positions, b->positions, size) == 0, "positions are not those given");
    return positions;
}

static void do_get_positions(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    size_t size = 3 * sizeof(float) * b->of->info.vertex_count;
    OWNED float *expected = twin_positions(w, b), *found = malloc(size);
    mixed_step(w, "get_positions(%u)", b->number);
    graze_body_get_positions(b->body, found);
    mixed_check(w, memcmp(expected, found, size) == 0, "positions differ");
}

/* Of any node what it must hold is known by its best bound, of the root also by all vertices. Boxes
 * are viewed as centre and half sides, which are rounded.
 */
static void do_view_node(mixed_world *w)
{
    mixed_body *b = mixed_any_body(w);
    uint32_t node = mixed_below(w, 2) ? 0 : mixed_below(w, b->of->info.node_count);
    bool sphere = b->of->tree.volume == GRAZE_SPHERES;
    graze_node_view now, best;
    mixed_step(w, "view_node(%u), node %u", b->number, node);
    MIXED_OK(graze_body_view_node(b->body, node, GRAZE_NODE_CURRENT, &now));
    MIXED_OK(graze_body_view_node(b->body, node, GRAZE_NODE_BEST, &best));
    for (int k = 0; k < 3 && !sphere; k++) {
        double rounding = 0x1p-22 * (fabs((double)now.centre[k]) + (double)now.half[k]);
        double apart = fabs((double)now.centre[k] - best.centre[k]);
        mixed_check(w, apart + (double)best.half[k] <= (double)now.half[k] + rounding,
                    "node %u: the box does not hold the best one", node);
    }
    if (sphere)
        mixed_check(w, (double)now.radius >= (1 - 1e-5) * (double)best.radius,
                    "node %u: the sphere is smaller than the best one", node);
    if (node || !sphere)
        return;
    OWNED float *positions = twin_positions(w, b);
    for (uint32_t t = 0; t < b->of->mesh.def.triangle_count; t++)
        for (int c = 0; c < 3 && mixed_takes(b, t); c++) {
            const float *p = positions + 3 * (size_t)b->of->mesh.triangles[3 * t + c];
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += ((double)p[k] - now.centre[k]) * ((double)p[k] - now.centre[k]);
            mixed_check(w, sqrt(square) <= (double)now.radius, "a vertex is outside the root");
        }
}

/* A frozen body has the same positions and, with the same mask, meets the same triangles. */
static void do_freeze(mixed_world *w)
{
    mixed_body *a, *b;
    OWN(graze_model) *model = NULL;
    OWN(graze_body) *frozen = NULL;
    mixed_two_bodies(w, &a, &b);
    mixed_step(w, "freeze(%u), then collide with %u", a->number, b->number);
    mixed_clear(w);
    mixed_expect_pairs(w, a, b);
    MIXED_OK(graze_body_freeze(a->body, &model, NULL));
    if (model && !graze_body_create(model, &frozen, NULL)) {
        size_t size = 3 * sizeof(float) * a->of->info.vertex_count;
        OWNED float *expected = twin_positions(w, a), *found = malloc(size);
        graze_body_get_positions(frozen, found);
        MIXED_OK(graze_body_set_part_mask(frozen, a->mask, a->of->info.part_count, NULL));
        mixed_check(w, memcmp(expected, found, size) == 0, "positions of a frozen body differ");
        MIXED_OK(graze_pairs(frozen, b->body, PAIRS_TO(&w->found), NULL, NULL));
        mixed_compare(w, "collide with a frozen body");
    }
}

const mixed_call mixed_body_calls[] = {
    {3, do_set_pose},  {1, do_set_weights},   {12, do_set_weights_coherently},
    {6, do_set_mask},  {3, do_set_positions}, {4, do_drop_caches},
    {6, do_refit_all}, {2, do_bound_all},     {2, do_get_positions},
    {4, do_view_node}, {1, do_freeze},        {6, do_give_back},
    {0, NULL}};
