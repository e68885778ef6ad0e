/* Rows of bench cliffs: distance. Many pairs of triangles that are equally near, or nearly so. */
#include "bench/cliffs.h"

/* Bands of a sphere of so many triangles. */
static uint32_t bands_of(uint32_t triangles)
{
    return (uint32_t)lround(sqrt(triangles / 4.0));
}

/* Turned about an axis that is none of the frame's, and moved `away` along its own z. */
static void place_askew(float placement[12], double away)
{
    const double turned[3][3] = {
        {2. / 3, -1. / 3, 2. / 3}, {2. / 3, 2. / 3, -1. / 3}, {-1. / 3, 2. / 3, 2. / 3}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            placement[4 * r + c] = (float)turned[r][c];
        placement[4 * r + 3] = (float)(away * turned[r][2]);
    }
}

/* ---- grids ---------------------------------------------------------------------------------- */

/* Two squares of side 1, flat or in folds like those of a curtain, of which one hangs `away` behind
 * the other; both askew if wanted.
 */
static void *make_cloths(uint32_t triangles, double folds, double away, bool askew)
{
    cliff_mesh mesh = {0};
    uint32_t side = (uint32_t)lround(sqrt(triangles / 2.0));
    cliff_add_grid(&mesh, side, side, (const double[3]){-0.5, -0.5, 0}, (const double[3]){1, 0, 0},
                   (const double[3]){0, 1, 0});
    for (uint32_t i = 0; i < mesh.vertex_count && folds > 0; i++) {
        float *at = mesh.positions + 3 * (size_t)i;
        double x = at[0], y = at[1];
        at[2] = (float)(folds * (sin(17 * x + 2 * y) + 0.3 * sin(5 * y)));
    }
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    made->placements[1][11] = (float)away;
    for (int i = 0; i < 2 && askew; i++)
        place_askew(made->placements[i], i * away);
    return made;
}

/* Nothing special: two uneven spheres beside each other, one of them turned. */
static void *make_ordinary(uint32_t triangles)
{
    cliff_mesh mesh = {0};
    cliff_add_sphere(&mesh, bands_of(triangles), 0.5, cliff_origin);
    for (uint32_t i = 0; i < 3 * mesh.vertex_count; i += 3) {
        double x = mesh.positions[i], y = mesh.positions[i + 1];
        mesh.positions[i + 2] += (float)(0.05 * sin(11 * x) * cos(7 * y));
        mesh.positions[i] += (float)(0.05 * sin(9 * y));
    }
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    place_askew(made->placements[1], 1.1);
    return made;
}

/* The hard side's cloths: how folded, how far apart, and whether askew. */
#define CLOTHS(name, folds, away, askew)                                                           \
    static void *name(uint32_t triangles, cliff_side side)                                         \
    {                                                                                              \
        return side == CLIFF_ORDINARY ? make_ordinary(triangles)                                   \
                                      : make_cloths(triangles, folds, away, askew);                \
    }
CLOTHS(make_grids, 0, 1000, false)
CLOTHS(make_grids_askew, 0, 1000, true)
CLOTHS(make_near_grids, 0, 0.1, true)
CLOTHS(make_curtains, 0.1, 3e6, false)
CLOTHS(make_far_curtains, 0.1, 1e8, false)
CLOTHS(make_far_curtains_askew, 0.1, 1e8, true)

/* ---- spheres and points --------------------------------------------------------------------- */

/* The ordinary case: the inner one is not in the middle. */
static void *make_spheres(uint32_t triangles, cliff_side side)
{
    const double beside[3] = {0.031, 0.017, -0.022};
    cliff_mesh outer = {0}, inner = {0};
    cliff_add_sphere(&outer, bands_of(triangles), 1, cliff_origin);
    cliff_add_sphere(&inner, bands_of(triangles), 0.9,
                     side == CLIFF_ORDINARY ? beside : cliff_origin);
    return cliff_make_bodies(&outer, &inner);
}

/* A body of as many triangles, all in one point: a little way off, or on a vertex of the other. */
static void *make_shrunk(uint32_t triangles, cliff_side side, double away)
{
    cliff_mesh mesh = {0};
    cliff_add_sphere(&mesh, bands_of(triangles), 1, cliff_origin);
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    for (int k = 0; k < 3; k++)
        made->placements[1][5 * k] = side == CLIFF_ORDINARY ? 0.5f : 0;
    made->placements[1][7] = (float)(side == CLIFF_ORDINARY ? 2 : 1 + away);
    return made;
}

#define SHRUNK(name, away)                                                                         \
    static void *name(uint32_t triangles, cliff_side side)                                         \
    {                                                                                              \
        return make_shrunk(triangles, side, away);                                                 \
    }
SHRUNK(make_point, 0.25)
SHRUNK(make_touching_point, 0)
SHRUNK(make_middle_point, -1) /* equally far from all of it */

/* ---- what a tree knows nothing of ------------------------------------------------------------ */

/* Bodies of triangles thrown into two cubes: positions given to models that have them in rows, or
 * models made of them.
 */
typedef struct thrown_task {
    graze_body *bodies[2];
    float *positions[2];
    uint32_t vertex_count;
} thrown_task;

static void add_thrown(cliff_mesh *mesh, uint32_t triangles, double beside, bool in_rows)
{
    uint32_t seed = 9;
    for (uint32_t i = 0; i < triangles; i++) {
        double x = cliff_random(&seed) + beside, y = cliff_random(&seed), z = cliff_random(&seed);
        if (in_rows) {
            x = (i & 31) / 32.0;
            y = (i >> 5 & 31) / 32.0;
            z = (i >> 10 & 31) / 32.0;
        }
        cliff_add_corners(
            mesh, (const double[3][3]){{x, y, z}, {x + 0.01, y, z + 0.004}, {x, y + 0.01, z}});
    }
}

static void *make_thrown(uint32_t triangles, cliff_side side)
{
    thrown_task *task = bench_take(1, sizeof *task);
    for (int i = 0; i < 2; i++) {
        cliff_mesh thrown = {0}, rows = {0};
        add_thrown(&thrown, triangles, 1.2 * i, false);
        add_thrown(&rows, triangles, 0, true);
        task->bodies[i] = bench_make_body(cliff_build_model(side == CLIFF_HARD ? &rows : &thrown));
        task->positions[i] = thrown.positions;
        task->vertex_count = thrown.vertex_count;
    }
    return task;
}

static size_t run_thrown(void *state)
{
    thrown_task *task = state;
    for (int i = 0; i < 2; i++)
        bench_must(graze_body_set_positions(task->bodies[i], task->positions[i], 0,
                                            task->vertex_count, &bench_error));
    bench_distance(task->bodies[0], task->bodies[1], NULL);
    return 1;
}

static const char uneven[] = "uneven spheres beside each other";

static const cliff rows[] = {
    {"distance, parallel grids, 1,000 sizes apart", uneven, "triangles", 20000, make_grids,
     cliff_run_distance, NULL},
    {"distance, the same askew", uneven, "triangles", 20000, make_grids_askew, cliff_run_distance,
     "rounding leaves no exact ties: some hundred vertices are equally near but for it"},
    {"distance, curtains, 3e6 sizes apart", uneven, "triangles", 12000, make_curtains,
     cliff_run_distance, NULL},
    {"distance, curtains, 1e8 sizes apart", uneven, "triangles", 12000, make_far_curtains,
     cliff_run_distance, "all of the far one is in one plane, as floats go"},
    {"distance, the same askew, at 1e8", uneven, "triangles", 12000, make_far_curtains_askew,
     cliff_run_distance, NULL},
    {"distance, concentric spheres", "one beside the middle of the other", "triangles", 230400,
     make_spheres, cliff_run_distance, "every patch is as near as any other"},
    {"distance, a body scaled to a point", "half as large, not a point", "triangles", 14000,
     make_point, cliff_run_distance, NULL},
    {"distance, the point on a vertex", "half as large, not a point", "triangles", 14000,
     make_touching_point, cliff_run_distance, NULL},
    {"distance, the point in the middle", "half as large, outside", "triangles", 14000,
     make_middle_point, cliff_run_distance, "every triangle is as near as any other"},
    {"distance, flat grids askew, a tenth apart", uneven, "triangles", 20000, make_near_grids,
     cliff_run_distance, "all that face each other are as near as any other, but for rounding"},
    {"distance, positions that have nothing to do with rest", "models made of them", "triangles",
     20000, make_thrown, run_thrown,
     "patches are of triangles that were neighbours at rest, and as large as the whole now"},
};

const cliff_group cliffs_distance = {rows, COUNT_OF(rows)};
