/* Rows of bench cliffs: first hits and contacts. */
#include "bench/cliffs.h"

/* ---- hairlines ------------------------------------------------------------------------------- */

/* A direction, and two at right angles to it and to each other. */
typedef struct bundle {
    double along[3], across[2][3];
} bundle;

static const bundle diagonal = {{1, 1, 1}, {{1, -1, 0}, {1, 1, -2}}};
static const bundle no_diagonal = {{0.5, 1, 1.6}, {{1.6, -0.8, 0}, {0.8, 1.6, -1.25}}};

/* Thin triangles along a direction, on a lattice across it, each begun somewhere else along it: a
 * tree that splits by middles puts far lines together, and the boxes of all overlap.
 */
static void add_hairlines(cliff_mesh *mesh, uint32_t count, double shift, const bundle *way)
{
    uint32_t side = (uint32_t)ceil(sqrt(count));
    uint32_t seed = 3;
    double spacing = 0.2 / side;
    for (uint32_t i = 0; i < count; i++) {
        double s = (i % side + shift) * spacing, t = (i / side + shift) * spacing, at[3][3];
        double begin = 5 * cliff_random(&seed);
        for (int k = 0; k < 3; k++) {
            at[0][k] = s * way->across[0][k] + t * way->across[1][k] + begin * way->along[k];
            at[1][k] = at[0][k] + 10 * way->along[k];
            at[2][k] = at[0][k] + (k ? 0 : 0.1 * spacing);
        }
        cliff_add_corners(mesh, (const double(*)[3])at);
    }
}

/* Between each other, or one sphere inside the other: nothing meets. */
static void *make_bundles(uint32_t size, cliff_side side, const bundle *way)
{
    cliff_mesh meshes[2] = {0};
    for (int i = 0; i < 2; i++)
        if (side == CLIFF_HARD)
            add_hairlines(&meshes[i], size, 0.5 * i, way);
        else
            cliff_add_sphere(&meshes[i], cliff_bands(size), i ? 1 : 0.98, cliff_origin);
    return cliff_make_bodies(&meshes[0], &meshes[1]);
}

static void *make_hairlines(uint32_t size, cliff_side side)
{
    return make_bundles(size, side, &diagonal);
}

static void *make_hairlines_askew(uint32_t size, cliff_side side)
{
    return make_bundles(size, side, &no_diagonal);
}

/* ---- contacts -------------------------------------------------------------------------------- */

typedef struct contact_task {
    cliff_bodies *made;
    graze_contact_finder *finder; /* NULL: pairs alone are asked for */
} contact_task;

/* The same body twice, in one place. */
static void *make_coincident(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    contact_task *task = bench_take(1, sizeof *task);
    cliff_add_sphere(&mesh, cliff_bands(size), 1, cliff_origin);
    task->made = cliff_make_bodies(&mesh, &mesh);
    graze_body **bodies = task->made->bodies;
    if (side == CLIFF_HARD)
        bench_must(graze_contact_finder_create(graze_body_model(bodies[0]),
                                               graze_body_model(bodies[1]), NULL, &task->finder,
                                               &bench_error));
    return task;
}

static size_t run_contacts(void *state)
{
    contact_task *task = state;
    graze_body **bodies = task->made->bodies;
    graze_contact_list found = {0};
    size_t segments;
    if (!task->finder)
        return cliff_run_pairs(task->made);
    cliff_pose_bodies(task->made);
    bench_must(graze_contacts(task->finder, bodies[0], bodies[1], &found, NULL, &bench_error));
    graze_contact_segments(task->finder, &segments);
    return segments;
}

static const cliff rows[] = {{"first hit, diagonal hairlines that miss", "a sphere inside another",
                              "lines each", 20000, make_hairlines, cliff_run_first, NULL},
                             {"pairs, hairlines along no diagonal", "a sphere inside another",
                              "lines each", 20000, make_hairlines_askew, cliff_run_pairs, NULL},
                             {"contacts of coincident bodies", "their pairs alone", "triangles",
                              10000, make_coincident, run_contacts, NULL}};

const cliff_group cliffs_pairs = {rows, COUNT_OF(rows)};
