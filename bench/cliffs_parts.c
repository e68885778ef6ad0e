/* Rows of bench cliffs: one vertex that thousands of triangles have in common, fitted, made
 * coarser, and asked for itself; one mesh that stands on a hundred nodes.
 */
#include "bench/cliffs.h"

#include "graze/ext/decimate.h"
#include "graze/ext/hitbox.h"

/* A flat cone, or a sphere of as many triangles. */
static cliff_mesh make_fan(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    if (side == CLIFF_ORDINARY)
        cliff_add_sphere(&mesh, cliff_bands(size), 1, cliff_origin);
    else
        cliff_add_fan(&mesh, size);
    return mesh;
}

static void *make_model(uint32_t size, cliff_side side)
{
    const cliff_mesh mesh = make_fan(size, side);
    return cliff_build_model(&mesh);
}

/* Each triangle of a flat disc, or of a sphere, a part of its own. */
static void *make_parts(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = make_fan(size, side);
    uint32_t *parts = bench_take(mesh.triangle_count, sizeof *parts);
    if (side == CLIFF_HARD)
        mesh.positions[1] = 0;
    for (uint32_t i = 0; i < mesh.triangle_count; i++)
        parts[i] = i;
    graze_model_def def = cliff_get_def(&mesh, false);
    def.triangle_parts = parts;
    def.part_count = mesh.triangle_count;
    return bench_make_model(&def);
}

static void *make_body(uint32_t size, cliff_side side)
{
    const cliff_mesh mesh = make_fan(size, side);
    return cliff_make_bodies(&mesh, NULL);
}

static size_t fit(const graze_model *model, uint32_t inner)
{
    const graze_hitboxes_def def = {.inner_hitboxes = inner};
    graze_hitboxes *made;
    bench_must(graze_hitboxes_create(model, &def, &made, &bench_error));
    size_t count = graze_hitboxes_count(made, NULL);
    graze_hitboxes_destroy(made);
    return count;
}

static size_t run_fit(void *model)
{
    return fit(model, 0);
}

static size_t run_inner_fit(void *model)
{
    return fit(model, 8);
}

/* To a tenth. */
static size_t run_decimate(void *model)
{
    const graze_decimate_def def = {.triangle_count =
                                        graze_model_get_info(model).triangle_count / 10};
    graze_decimated *coarse;
    bench_must(graze_decimated_create(model, &def, &coarse, &bench_error));
    size_t count = graze_decimated_model_def(coarse).triangle_count;
    graze_decimated_destroy(coarse);
    return count;
}

/* ---- one mesh on a hundred nodes ---------------------------------------------------------- */

enum { NODES = 100, RAYS = 100 };

/* A square of spheres: each is made at the origin of a joint of its own, which its vertices follow;
 * or all are one mesh. Puts the matrices of the joints into the def in any case.
 */
static void *make_nodes(uint32_t size, cliff_side side)
{
    graze_model_def *def = bench_take(1, sizeof *def);
    float *joints = bench_take(NODES, 12 * sizeof *joints);
    cliff_mesh mesh = {0};
    for (uint32_t n = 0; n < NODES; n++) {
        const double middle[3] = {2.5 * (n % 10), 2.5 * (n / 10), 0};
        cliff_add_sphere(&mesh, (uint32_t)sqrt(size / (4.0 * NODES)), 1,
                         side == CLIFF_HARD ? cliff_origin : middle);
        for (uint32_t k = 0; k < 3; k++) {
            joints[12 * n + 5 * k] = 1;
            joints[12 * n + 4 * k + 3] = (float)middle[k];
        }
    }
    *def = cliff_get_def(&mesh, true);
    if (side == CLIFF_ORDINARY)
        return def;
    uint32_t *offsets = bench_take(mesh.vertex_count + 1, sizeof *offsets);
    graze_influence *influences = bench_take(mesh.vertex_count, sizeof *influences);
    for (uint32_t v = 0; v < mesh.vertex_count; v++) {
        influences[v] = (graze_influence){v / (mesh.vertex_count / NODES), 1};
        offsets[v + 1] = v + 1;
    }
    def->influence_offsets = offsets;
    def->influences = influences;
    def->rest_matrices = joints;
    def->joint_count = NODES;
    return def;
}

/* Two bodies, so far beside each other along x. */
static void *make_node_bodies(uint32_t size, cliff_side side, float aside)
{
    const graze_model_def *def = make_nodes(size, side);
    cliff_bodies *made = bench_take(1, sizeof *made);
    graze_model *model = bench_make_model(def);
    made->joints = def->rest_matrices;
    made->joint_count = def->joint_count;
    for (int i = 0; i < 2; i++) {
        memcpy(made->placements[i], bench_identity, sizeof bench_identity);
        made->placements[i][3] = aside * (float)i;
        made->placements[i][7] = 0.3f * (float)i;
        made->bodies[i] = bench_make_body(model);
    }
    return made;
}

static void *make_touching_nodes(uint32_t size, cliff_side side)
{
    return make_node_bodies(size, side, 24);
}

static void *make_nodes_apart(uint32_t size, cliff_side side)
{
    return make_node_bodies(size, side, 25);
}

/* With itself one mesh takes a microsecond, as nothing in it moves: a hundredth of the triangles.
 */
static void *make_self_nodes(uint32_t size, cliff_side side)
{
    return make_node_bodies(side == CLIFF_HARD ? size : size / 100, CLIFF_HARD, 30);
}

static size_t run_rays(void *state)
{
    cliff_bodies *made = state;
    size_t found = 0;
    cliff_pose_bodies(made);
    for (int i = 0; i < RAYS; i++) {
        const float from[3] = {0.31f * (float)i, 0.23f * (float)i, 5};
        const float to[3] = {2.5f * (float)(i % 10) + 0.4f, 2.5f * (float)(i / 10), 0};
        const graze_ray ray = graze_ray_between(from, to);
        found += bench_cast(made->bodies[0], &ray, NULL).found;
    }
    return found;
}

#define ONE_MESH "the same triangles as one mesh"
#define JOINTS_READ "100 joints a body are read and their boxes compared"

#define SPHERE "a sphere of as many triangles"

static const cliff rows[] = {
    {"fit, round one vertex", SPHERE, "triangles", 4000, make_model, run_fit, NULL},
    {"fit of level 3, a disc of parts", SPHERE, "triangles", 2000, make_parts, run_inner_fit, NULL},
    {"decimate, round one vertex", SPHERE, "triangles", 20000, make_model, run_decimate, NULL},
    {"self, round one vertex", SPHERE, "triangles", 40000, make_body, cliff_run_self, NULL},
    {"build, a mesh on 100 nodes", ONE_MESH, "triangles", 200000, make_nodes, cliff_run_build,
     NULL},
    {"self, a mesh on 100 nodes", "a hundredth of the triangles", "triangles", 200000,
     make_self_nodes, cliff_run_self, JOINTS_READ},
    {"100 rays, a mesh on 100 nodes", ONE_MESH, "triangles", 200000, make_nodes_apart, run_rays,
     JOINTS_READ},
    {"pairs, a mesh on 100 nodes", ONE_MESH, "triangles", 200000, make_touching_nodes,
     cliff_run_pairs, JOINTS_READ},
    {"distance, a mesh on 100 nodes", ONE_MESH, "triangles", 200000, make_nodes_apart,
     cliff_run_distance, JOINTS_READ},
};

const cliff_group cliffs_parts = {rows, COUNT_OF(rows)};
