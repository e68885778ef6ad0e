/* The triangles of each sphere in a few clusters, recorded as the leaves of a tree are: so that
 * every deformer bounds them from the pose alone (docs/bounds.md).
 */
#include "chain/tracker.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "chain/bound_kernels.h"
#include "records/build.h"
#include "tree/ball.h"

#include <stdlib.h>
#include <string.h>

/* A triangle and its centre along the axis at hand. */
typedef struct placed_triangle {
    float at;
    uint32_t triangle;
} placed_triangle;

typedef struct cluster_builder {
    graze_chain_tracker *tracker;
    const graze_chains *chains;
    grazei_tree tree; /* of two levels; only what records read of it is there */
    uint32_t most;    /* clusters a sphere */
    uint32_t triangle_count;
    placed_triangle *placed;
} cluster_builder;

static float centre_of(const grazei_mesh *mesh, uint32_t triangle, uint32_t axis)
{
    const uint32_t *corners = mesh->triangles + 3 * (size_t)triangle;
    return mesh->positions[3 * (size_t)corners[0] + axis] +
           mesh->positions[3 * (size_t)corners[1] + axis] +
           mesh->positions[3 * (size_t)corners[2] + axis];
}

static int compare(const void *first, const void *second)
{
    const placed_triangle *a = first, *b = second;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* Sorts triangles along the axis in which their centres reach farthest. */
static void sort_triangles(cluster_builder *b, uint32_t *triangles, uint32_t count)
{
    const grazei_mesh *mesh = &b->tracker->model->mesh;
    uint32_t longest = 0;
    float most = -1;
    for (uint32_t axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            float at = centre_of(mesh, triangles[i], axis);
            low = f1_min(low, at);
            high = f1_max(high, at);
        }
        if (high - low > most) {
            most = high - low;
            longest = axis;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        b->placed[i] = (placed_triangle){centre_of(mesh, triangles[i], longest), triangles[i]};
    qsort(b->placed, count, sizeof *b->placed, compare);
    for (uint32_t i = 0; i < count; i++)
        triangles[i] = b->placed[i].triangle;
}

static void add_node(grazei_tree *tree, uint32_t first, uint32_t count)
{
    GRAZE_ASSERT(count > 0);
    tree->node_triangles[tree->node_count][0] = first;
    tree->node_triangles[tree->node_count++][1] = first + count;
}

/* Splits [first, first + count) of patch_triangles into so many clusters of about one size. */
static void split(cluster_builder *b, uint32_t first, uint32_t count, uint32_t clusters)
{
    grazei_tree *tree = &b->tree;
    if (clusters > count)
        clusters = count;
    if (clusters <= 1) {
        add_node(tree, first, count);
        return;
    }
    GRAZE_ASSERT(clusters <= count);
    uint32_t left = clusters / 2;
    uint32_t part = (uint32_t)((uint64_t)count * left / clusters);
    GRAZE_ASSERT(part > 0 && part < count);
    sort_triangles(b, tree->patch_triangles + first, count);
    split(b, first, part, left);
    split(b, first + part, count - part, clusters - left);
}

/* A triangle at the sphere's first pivot, for a sphere that owns none. */
static uint32_t stand_in(const cluster_builder *b, uint32_t sphere)
{
    const grazei_mesh *mesh = &b->tracker->model->mesh;
    uint32_t count;
    const graze_chain_pivot *pivots = graze_chains_pivots(b->chains, &count);
    uint32_t vertex = pivots[graze_chains_sphere(b->chains, sphere).first_pivot].vertices[0];
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        if (mesh->triangles[i] == vertex)
            return (uint32_t)(i / 3);
    return 0;
}

static bool make_tree(cluster_builder *b)
{
    graze_chain_tracker *tracker = b->tracker;
    const graze_allocator *allocator = &tracker->allocator;
    grazei_tree *tree = &b->tree;
    const size_t triangles = (size_t)tracker->model->mesh.triangle_count + tracker->sphere_count;
    const size_t nodes = (size_t)tracker->sphere_count * (b->most + 1) + 1;
    b->placed = GRAZEI_ALLOCATE(allocator, triangles, placed_triangle);
    tracker->first_cluster =
        GRAZEI_ALLOCATE(allocator, (size_t)tracker->sphere_count + 1, uint32_t);
    tree->nodes = GRAZEI_ALLOCATE_ZERO(allocator, nodes, grazei_node);
    tree->node_triangles = grazei_allocate(allocator, nodes, sizeof *tree->node_triangles);
    tree->patch_triangles = GRAZEI_ALLOCATE(allocator, triangles, uint32_t);
    if (!b->placed || !tracker->first_cluster || !tree->nodes || !tree->node_triangles ||
        !tree->patch_triangles)
        return false;
    tree->def = (graze_tree_def){0};
    tree->def.volume = GRAZE_SPHERES;
    tree->node_count = 1;
    for (uint32_t s = 0; s < tracker->sphere_count; s++) {
        uint32_t count, first = b->triangle_count;
        const uint32_t *own = graze_chains_triangles(b->chains, s, &count);
        if (count)
            memcpy(tree->patch_triangles + first, own, count * sizeof *own);
        else
            tree->patch_triangles[first + count++] = stand_in(b, s);
        b->triangle_count += count;
        tracker->first_cluster[s] = tree->node_count;
        add_node(tree, first, count);
        if (b->most > 1 && count > 1)
            split(b, first, count, b->most);
    }
    GRAZE_ASSERT(tree->node_count <= nodes && b->triangle_count <= triangles);
    tracker->first_cluster[tracker->sphere_count] = tree->node_count;
    tree->nodes[0] = (grazei_node){1, tree->node_count - 1};
    tree->node_triangles[0][0] = 0;
    tree->node_triangles[0][1] = b->triangle_count;
    return true;
}

/* The number under which bodies keep how far two joints are apart: the model's, not one of ours. */
static uint32_t number_of_pair(const grazei_blend *blend, const float pair[4])
{
    const float(*rows)[4] = (const float(*)[4])blend->rows + blend->nodes[0].first_row + 1;
    for (uint32_t p = 0; p < blend->nodes[0].pair_count; p++)
        if (f4_bits(rows[2 * p + 1][0]) == f4_bits(pair[0]) &&
            f4_bits(rows[2 * p + 1][1]) == f4_bits(pair[1]))
            return f4_bits(rows[2 * p + 1][3]);
    return UINT32_MAX;
}

static bool renumber_pairs(graze_chain_tracker *tracker, uint32_t node_count)
{
    grazei_blend *own = &tracker->clusters.blend;
    const grazei_blend *given = &tracker->model->skin.blend;
    for (uint32_t n = 0; own->nodes && n < node_count; n++)
        for (uint32_t p = 0; p < own->nodes[n].pair_count; p++) {
            float *pair = own->rows[own->nodes[n].first_row + 2 + 2 * p];
            uint32_t number = number_of_pair(given, pair);
            if (number == UINT32_MAX)
                return false;
            GRAZE_ASSERT(number < given->pair_count);
            pair[3] = f4_from_bits(number);
        }
    /* The pairs of all joint-sets are numbered in both. */
    if (own->pair_count)
        memcpy(own->pair_centre, given->pair_centre, own->pair_count * sizeof *own->pair_centre);
    return true;
}

static graze_status record(cluster_builder *b, graze_error *error)
{
    graze_chain_tracker *tracker = b->tracker;
    const grazei_mesh *mesh = &tracker->model->mesh;
    grazei_skin *skin = &tracker->clusters;
    graze_model_def def = {0};
    def.skinning = tracker->model->skin.kind;
    def.influence_offsets = mesh->influence_offsets;
    def.influences = mesh->influences;
    graze_status status = grazei_skin_build(skin, mesh, &b->tree, &def, &tracker->allocator, error);
    if (status)
        return status;
    tracker->is_bounded = renumber_pairs(tracker, b->tree.node_count);
    /* Only bounds are read of it. */
    grazei_stream_release(&skin->mesh_stream, &tracker->allocator);
    skin->mesh_stream = (grazei_stream){0};
    tracker->workspace_rows = skin->max_corners;
    for (uint32_t n = 1; n < b->tree.node_count; n++)
        if (skin->records[n].joints > tracker->workspace_rows)
            tracker->workspace_rows = skin->records[n].joints;
    tracker->workspace_rows += 3;
    if (mesh->joint_count > GRAZEI_MAX_BOUND_JOINTS ||
        tracker->workspace_rows > GRAZEI_MAX_BOUND_JOINTS + 3)
        tracker->is_bounded = false;
    return GRAZE_OK;
}

/* The smallest balls around the nodes' vertices at rest, which records start from. */
static bool fill_balls(cluster_builder *b)
{
    const graze_allocator *allocator = &b->tracker->allocator;
    const grazei_mesh *mesh = &b->tracker->model->mesh;
    grazei_tree *tree = &b->tree;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(allocator, mesh->vertex_count, uint8_t);
    uint32_t *vertices = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    uint32_t *order = GRAZEI_ALLOCATE(allocator, mesh->vertex_count, uint32_t);
    tree->spheres = grazei_allocate(allocator, tree->node_count, sizeof *tree->spheres);
    bool ok = marks && vertices && order && tree->spheres;
    for (uint32_t n = 0; ok && n < tree->node_count; n++) {
        uint32_t count = grazei_tree_vertices(tree, mesh, tree->node_triangles[n], marks, vertices);
        grazei_ball ball = grazei_ball_enclose(mesh->positions, vertices, count, order);
        grazei_ball_float rounded = grazei_ball_round(&ball, mesh->positions, vertices, count);
        memcpy(tree->spheres[n], rounded.centre, sizeof rounded.centre);
        tree->spheres[n][3] = rounded.radius;
    }
    grazei_release(allocator, marks);
    grazei_release(allocator, vertices);
    grazei_release(allocator, order);
    return ok;
}

/* The vertices of each sphere's triangles, for poses that have no bound. */
static bool list_vertices(cluster_builder *b)
{
    graze_chain_tracker *tracker = b->tracker;
    const grazei_mesh *mesh = &tracker->model->mesh;
    uint8_t *marks = GRAZEI_ALLOCATE_ZERO(&tracker->allocator, mesh->vertex_count, uint8_t);
    tracker->first_vertex =
        GRAZEI_ALLOCATE(&tracker->allocator, (size_t)tracker->sphere_count + 1, uint32_t);
    tracker->vertices =
        GRAZEI_ALLOCATE(&tracker->allocator, 3 * (size_t)b->triangle_count, uint32_t);
    bool ok = marks && tracker->first_vertex && tracker->vertices;
    uint32_t count = 0;
    for (uint32_t s = 0; ok && s < tracker->sphere_count; s++) {
        tracker->first_vertex[s] = count;
        count +=
            grazei_tree_vertices(&b->tree, mesh, b->tree.node_triangles[tracker->first_cluster[s]],
                                 marks, tracker->vertices + count);
    }
    if (ok)
        tracker->first_vertex[tracker->sphere_count] = count;
    grazei_release(&tracker->allocator, marks);
    return ok;
}

graze_status grazei_tracker_make_clusters(graze_chain_tracker *tracker, const graze_chains *chains,
                                          uint32_t clusters, graze_error *error)
{
    cluster_builder b = {.tracker = tracker, .chains = chains, .most = clusters};
    graze_status status = GRAZE_OK;
    if (!make_tree(&b) || !fill_balls(&b) || !list_vertices(&b))
        status = grazei_fail_memory(error);
    if (!status)
        status = record(&b, error);
    void *const all[] = {b.placed, b.tree.nodes, b.tree.node_triangles, b.tree.patch_triangles,
                         b.tree.spheres};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        grazei_release(&tracker->allocator, all[i]);
    return status;
}

void grazei_tracker_release_clusters(graze_chain_tracker *tracker)
{
    grazei_skin_release(&tracker->clusters, &tracker->allocator);
    grazei_release(&tracker->allocator, tracker->first_cluster);
    grazei_release(&tracker->allocator, tracker->first_vertex);
    grazei_release(&tracker->allocator, tracker->vertices);
}
