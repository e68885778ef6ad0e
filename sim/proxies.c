/* Contacts of a pair by proxies: spheres on the contact level of both trees that overlap (James &
 * Pai 2004, section 3.4). Of many beside each other the deepest one pushes.
 */
#include "sim.h"

#include "vector.h"

#include <graze/ext/inspect.h>

#include <stdlib.h>

enum { MOST_HITS = 24 };

/* ---- which nodes are proxies ---------------------------------------------------------------- */

static bool mark_nodes(void *user, const graze_pair *nodes, size_t count)
{
    grazei_sim_kind *kind = user;
    for (size_t i = 0; i < count; i++)
        kind->proxy_triangles[nodes[i].a] = 0;
    return true;
}

/* A point, as a body of one triangle. */
static graze_status make_point(const graze_sim *sim, graze_body **point, graze_error *error)
{
    const float position[3] = {0, 0, 0};
    const uint32_t triangle[3] = {0, 0, 0};
    graze_model_def def = {0};
    graze_model *model;
    def.allocator = &sim->allocator;
    def.positions = position;
    def.vertex_count = 1;
    def.triangles = triangle;
    def.triangle_count = 1;
    def.joint_count = 1;
    graze_status status = graze_model_create(&def, &model, error);
    if (status)
        return status;
    status = graze_body_create(model, point, error);
    graze_model_destroy(model);
    return status;
}

static graze_status find_triangle(grazei_sim_kind *kind, graze_body *body, graze_body *point,
                                  uint32_t node, graze_error *error)
{
    graze_node_view view;
    graze_nearest nearest;
    graze_status status = graze_body_view_node(body, node, GRAZE_NODE_CURRENT, &view);
    if (status)
        return grazei_sim_fail(error, status, "node %u cannot be seen", node);
    float placement[12] = {1, 0, 0, view.centre[0], 0, 1, 0, view.centre[1],
                           0, 0, 1, view.centre[2]};
    graze_pose pose = {0};
    pose.placement = placement;
    status = graze_body_set_pose(point, &pose, error);
    if (!status)
        status = graze_distance(body, point, INFINITY, &nearest, NULL, error);
    if (status)
        return status;
    kind->proxy_triangles[node] = nearest.pair.a;
    kind->proxy_count++;
    kind->proxy_radius = view.radius > kind->proxy_radius ? view.radius : kind->proxy_radius;
    return GRAZE_OK;
}

/* A body in the place of another of its model overlaps it in every proxy. */
static graze_status mark_proxies(grazei_sim_kind *kind, graze_body *bodies[3], graze_error *error)
{
    graze_node_view root;
    graze_status status = graze_body_view_node(bodies[0], 0, GRAZE_NODE_CURRENT, &root);
    if (status)
        return grazei_sim_fail(error, status, "the tree cannot be seen");
    if (root.volume != GRAZE_SPHERES)
        return GRAZE_OK;
    kind->proxies = true;
    graze_pair_list nodes = {.report = mark_nodes, .user = kind};
    status = graze_bound_pairs(bodies[0], bodies[1], &nodes, NULL, error);
    for (uint32_t n = 0; n < kind->node_count && !status; n++)
        if (kind->proxy_triangles[n] != GRAZE_NONE)
            status = find_triangle(kind, bodies[0], bodies[2], n, error);
    return status;
}

graze_status grazei_sim_find_proxies(graze_sim *sim, grazei_sim_kind *kind, graze_error *error)
{
    if (sim->def.contacts != GRAZE_SIM_PROXIES)
        return GRAZE_OK;
    graze_body *bodies[3] = {NULL, NULL, NULL};
    kind->node_count = graze_model_get_info(kind->model).node_count;
    kind->proxy_triangles =
        grazei_sim_allocate(&sim->allocator, kind->node_count, sizeof(uint32_t));
    if (!kind->proxy_triangles)
        return grazei_sim_out_of_memory(error);
    for (uint32_t n = 0; n < kind->node_count; n++)
        kind->proxy_triangles[n] = GRAZE_NONE;
    graze_status status = graze_body_create(kind->model, &bodies[0], error);
    if (!status)
        status = graze_body_create(kind->model, &bodies[1], error);
    if (!status)
        status = make_point(sim, &bodies[2], error);
    if (!status)
        status = mark_proxies(kind, bodies, error);
    for (int i = 0; i < 3; i++)
        graze_body_destroy(bodies[i]);
    return status;
}

bool grazei_sim_wants_proxies(const graze_sim *sim, const grazei_sim_pair *pair)
{
    return grazei_sim_kind_of(sim, pair->a)->proxies &&
           (pair->b & GRAZEI_SIM_PLANE || grazei_sim_kind_of(sim, pair->b)->proxies);
}

/* ---- hits ----------------------------------------------------------------------------------- */

typedef struct taker {
    const graze_sim *sim;
    grazei_sim_thread *thread;
    bool out_of_memory;
} taker;

static bool take_hits(void *user, const graze_pair *nodes, size_t count)
{
    taker *own = user;
    grazei_sim_list *hits = &own->thread->hits;
    if (!grazei_sim_reserve(own->sim, hits, hits->count + count, sizeof(grazei_sim_hit))) {
        own->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        GRAZEI_SIM_AT(*hits, grazei_sim_hit, hits->count++) =
            (grazei_sim_hit){.a = nodes[i].a, .b = nodes[i].b};
    return true;
}

/* Where two spheres overlap; false if they have one centre. */
static bool measure(const graze_node_view *a, const graze_node_view *b, grazei_sim_hit *hit)
{
    double between[3], length, depth;
    for (int k = 0; k < 3; k++)
        between[k] = (double)a->centre[k] - b->centre[k];
    length = sqrt(grazei_dot(between, between));
    depth = (double)a->radius + b->radius - length;
    if (!(length > 0))
        return false;
    hit->depth = (float)(depth > 0 ? depth : 0);
    for (int k = 0; k < 3; k++) {
        hit->normal[k] = (float)(between[k] / length);
        hit->point[k] = (float)(b->centre[k] + between[k] / length * (b->radius - depth / 2));
    }
    return true;
}

static graze_status find_hits(const graze_sim *sim, grazei_sim_thread *thread, graze_body *a,
                              graze_body *b, graze_error *error)
{
    taker own = {sim, thread, false};
    size_t left = 0;
    graze_pair_list nodes = {.report = take_hits, .user = &own};
    graze_status status = graze_bound_pairs(a, b, &nodes, &thread->stats, error);
    if (own.out_of_memory)
        return grazei_sim_out_of_memory(error);
    for (size_t i = 0; i < thread->hits.count && !status; i++) {
        grazei_sim_hit hit = GRAZEI_SIM_AT(thread->hits, grazei_sim_hit, i);
        graze_node_view views[2];
        status = graze_body_view_node(a, hit.a, GRAZE_NODE_CURRENT, &views[0]);
        if (!status)
            status = graze_body_view_node(b, hit.b, GRAZE_NODE_CURRENT, &views[1]);
        if (status)
            return grazei_sim_fail(error, status, "a node cannot be seen");
        if (measure(&views[0], &views[1], &hit))
            GRAZEI_SIM_AT(thread->hits, grazei_sim_hit, left++) = hit;
    }
    thread->hits.count = left;
    return status;
}

/* The tree is walked down to proxies that the plane's inside reaches. */
static graze_status find_plane_hits(const graze_sim *sim, grazei_sim_thread *thread,
                                    const grazei_sim_pair *pair, graze_body *body,
                                    graze_error *error)
{
    const graze_half_space *plane =
        &GRAZEI_SIM_AT(sim->planes, graze_sim_plane, pair->b & ~GRAZEI_SIM_PLANE).half_space;
    const uint32_t *proxies = grazei_sim_kind_of(sim, pair->a)->proxy_triangles;
    double normal[3] = {plane->normal[0], plane->normal[1], plane->normal[2]};
    double size = sqrt(grazei_dot(normal, normal));
    grazei_sim_list *nodes = &thread->nodes, *hits = &thread->hits;
    if (!grazei_sim_reserve(sim, nodes, 1, sizeof(uint32_t)))
        return grazei_sim_out_of_memory(error);
    GRAZEI_SIM_AT(*nodes, uint32_t, 0) = 0;
    nodes->count = 1;
    while (nodes->count) {
        uint32_t node = GRAZEI_SIM_AT(*nodes, uint32_t, --nodes->count);
        graze_node_view view;
        graze_status status = graze_body_view_node(body, node, GRAZE_NODE_CURRENT, &view);
        if (status)
            return grazei_sim_fail(error, status, "a node cannot be seen");
        thread->stats.nodes_refit += !view.was_refitted;
        thread->stats.bound_tests++;
        double centre[3] = {view.centre[0], view.centre[1], view.centre[2]};
        double height = (grazei_dot(normal, centre) - plane->offset) / size;
        if (height > view.radius)
            continue;
        if (!grazei_sim_reserve(sim, nodes, nodes->count + view.child_count, sizeof(uint32_t)) ||
            !grazei_sim_reserve(sim, hits, hits->count + 1, sizeof(grazei_sim_hit)))
            return grazei_sim_out_of_memory(error);
        if (proxies[node] == GRAZE_NONE) {
            for (uint32_t c = 0; c < view.child_count; c++)
                GRAZEI_SIM_AT(*nodes, uint32_t, nodes->count++) = view.first_child + c;
            continue;
        }
        grazei_sim_hit hit = {.a = node, .b = GRAZE_NONE, .depth = (float)(view.radius - height)};
        for (int k = 0; k < 3; k++) {
            hit.normal[k] = (float)(normal[k] / size);
            hit.point[k] = (float)(centre[k] - normal[k] / size * height);
        }
        GRAZEI_SIM_AT(*hits, grazei_sim_hit, hits->count++) = hit;
    }
    return GRAZE_OK;
}

/* ---- which of them push --------------------------------------------------------------------- */

/* The deepest first; equals by nodes. */
static int compare_hits(const void *first, const void *second)
{
    const grazei_sim_hit *a = first, *b = second;
    if (a->depth != b->depth)
        return a->depth > b->depth ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

static bool is_beside(const grazei_sim_hit *a, const grazei_sim_hit *b, double reach)
{
    double square = 0, along = 0;
    for (int k = 0; k < 3; k++) {
        square += ((double)a->point[k] - b->point[k]) * ((double)a->point[k] - b->point[k]);
        along += (double)a->normal[k] * b->normal[k];
    }
    return square < reach * reach && along > 0.5;
}

static bool put_hit(const graze_sim *sim, grazei_sim_thread *thread, const grazei_sim_pair *pair,
                    const grazei_sim_hit *hit, uint32_t number)
{
    graze_sim_contact *contact = grazei_sim_put_contact(sim, thread, pair);
    if (!contact)
        return false;
    grazei_sim_spot spot = {
        .contact = number,
        .depth = hit->depth,
        .share = 1,
        .triangles = {grazei_sim_kind_of(sim, pair->a)->proxy_triangles[hit->a], GRAZE_NONE}};
    if (hit->b != GRAZE_NONE)
        spot.triangles[1] = grazei_sim_kind_of(sim, pair->b)->proxy_triangles[hit->b];
    contact->depth = hit->depth;
    contact->proxies = true;
    for (int k = 0; k < 3; k++) {
        contact->point[k] = spot.point[k] = hit->point[k];
        contact->normal[k] = spot.normal[k] = hit->normal[k];
    }
    return grazei_sim_put_spot(sim, thread, &spot);
}

static graze_status put_hits(const graze_sim *sim, grazei_sim_thread *thread,
                             const grazei_sim_pair *pair, graze_error *error)
{
    grazei_sim_hit chosen[MOST_HITS];
    uint32_t count = 0;
    double reach = 2 * grazei_sim_kind_of(sim, pair->a)->proxy_radius;
    if (thread->hits.count > 1)
        qsort(thread->hits.items, thread->hits.count, sizeof(grazei_sim_hit), compare_hits);
    for (size_t i = 0; i < thread->hits.count && count < MOST_HITS; i++) {
        const grazei_sim_hit *hit = &GRAZEI_SIM_AT(thread->hits, grazei_sim_hit, i);
        bool is_new = true;
        for (uint32_t c = 0; c < count && is_new; c++)
            is_new = !is_beside(hit, &chosen[c], reach);
        if (!is_new)
            continue;
        if (!put_hit(sim, thread, pair, hit, count))
            return grazei_sim_out_of_memory(error);
        chosen[count++] = *hit;
    }
    return GRAZE_OK;
}

graze_status grazei_sim_find_by_proxies(const graze_sim *sim, grazei_sim_thread *thread,
                                        const grazei_sim_pair *pair, graze_error *error)
{
    graze_body *a = GRAZEI_SIM_AT(sim->posed, graze_body *, pair->a);
    graze_status status;
    thread->hits.count = 0;
    if (pair->b & GRAZEI_SIM_PLANE)
        status = find_plane_hits(sim, thread, pair, a, error);
    else
        status = find_hits(sim, thread, a, GRAZEI_SIM_AT(sim->posed, graze_body *, pair->b), error);
    thread->found += thread->hits.count;
    return status ? status : put_hits(sim, thread, pair, error);
}
