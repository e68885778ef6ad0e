/* Rows of bench cliffs: distance. Many pairs of triangles that are equally near, or nearly so. */
#include "bench/cliffs.h"

#include <math.h>

static bool run_distance(void *state, size_t *answers)
{
    cliff_bodies *made = state;
    graze_nearest nearest;
    cliff_pose_bodies(made);
    *answers = 1;
    return graze_distance(made->bodies[0], made->bodies[1], INFINITY, &nearest, NULL, NULL) ==
           GRAZE_OK;
}

/* How many squares a side of a square of so many triangles has. */
static uint32_t side_of(uint32_t triangles)
{
    return (uint32_t)lround(sqrt(triangles / 2.0));
}

/* A square of side 1 that is flat, or in folds like those of a curtain. */
static void add_cloth(cliff_mesh *mesh, uint32_t triangles, double folds)
{
    const double corner[3] = {-0.5, -0.5, 0}, u[3] = {1, 0, 0}, v[3] = {0, 1, 0};
    uint32_t side = side_of(triangles);
    cliff_add_grid(mesh, side, side, corner, u, v);
    for (uint32_t i = 0; i < mesh->vertex_count && folds > 0; i++) {
        float *at = mesh->positions + 3 * (size_t)i;
        at[2] = (float)(folds * (sin(17 * (double)at[0] + 2 * (double)at[1]) +
                                 0.3 * sin(5 * (double)at[1])));
    }
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

/* Two cloths, of which one hangs `away` behind the other; both askew if wanted. */
static void *make_cloths(uint32_t triangles, double folds, double away, bool askew)
{
    cliff_mesh mesh = {0};
    add_cloth(&mesh, triangles, folds);
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    if (!made)
        return NULL;
    made->placements[1][11] = (float)away;
    for (int i = 0; i < 2 && askew; i++)
        place_askew(made->placements[i], i * away);
    return made;
}

/* Nothing special: two uneven spheres beside each other, one of them turned. */
static void *make_ordinary(uint32_t triangles)
{
    const double middle[3] = {0, 0, 0};
    cliff_mesh mesh = {0};
    cliff_add_sphere(&mesh, (uint32_t)lround(sqrt(triangles / 4.0)), 0.5, middle);
    for (uint32_t i = 0; i < 3 * mesh.vertex_count; i += 3) {
        double x = mesh.positions[i], y = mesh.positions[i + 1];
        mesh.positions[i + 2] += (float)(0.05 * sin(11 * x) * cos(7 * y));
        mesh.positions[i] += (float)(0.05 * sin(9 * y));
    }
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    if (made)
        place_askew(made->placements[1], 1.1);
    return made;
}

static void *make_grids(uint32_t triangles, cliff_side side)
{
    return side == CLIFF_ORDINARY ? make_ordinary(triangles)
                                  : make_cloths(triangles, 0, 1000, false);
}

static void *make_grids_askew(uint32_t triangles, cliff_side side)
{
    return side == CLIFF_ORDINARY ? make_ordinary(triangles)
                                  : make_cloths(triangles, 0, 1000, true);
}

static void *make_curtains(uint32_t triangles, cliff_side side)
{
    return side == CLIFF_ORDINARY ? make_ordinary(triangles)
                                  : make_cloths(triangles, 0.1, 3e6, false);
}

static void *make_far_curtains(uint32_t triangles, cliff_side side)
{
    return side == CLIFF_ORDINARY ? make_ordinary(triangles)
                                  : make_cloths(triangles, 0.1, 1e8, false);
}

static void *make_far_curtains_askew(uint32_t triangles, cliff_side side)
{
    return side == CLIFF_ORDINARY ? make_ordinary(triangles)
                                  : make_cloths(triangles, 0.1, 1e8, true);
}

/* ---- spheres -------------------------------------------------------------------------------- */

/* The ordinary case: the inner one is not in the middle. */
static void *make_spheres(uint32_t triangles, cliff_side side)
{
    const double middle[3] = {0, 0, 0}, beside[3] = {0.031, 0.017, -0.022};
    uint32_t bands = (uint32_t)lround(sqrt(triangles / 4.0));
    cliff_mesh outer = {0}, inner = {0};
    cliff_add_sphere(&outer, bands, 1, middle);
    cliff_add_sphere(&inner, bands, 0.9, side == CLIFF_ORDINARY ? beside : middle);
    return cliff_make_bodies(&outer, &inner);
}

/* ---- points --------------------------------------------------------------------------------- */

/* A body of as many triangles, all in one point: a little way off, or on a vertex of the other. */
static void *make_shrunk(uint32_t triangles, cliff_side side, double away)
{
    const double middle[3] = {0, 0, 0};
    uint32_t bands = (uint32_t)lround(sqrt(triangles / 4.0));
    cliff_mesh mesh = {0};
    cliff_add_sphere(&mesh, bands, 1, middle);
    cliff_bodies *made = cliff_make_bodies(&mesh, &mesh);
    if (!made)
        return NULL;
    for (int k = 0; k < 3; k++)
        made->placements[1][5 * k] = side == CLIFF_ORDINARY ? 0.5f : 0;
    made->placements[1][7] = (float)(side == CLIFF_ORDINARY ? 2 : 1 + away);
    return made;
}

static void *make_point(uint32_t triangles, cliff_side side)
{
    return make_shrunk(triangles, side, 0.25);
}

static void *make_touching_point(uint32_t triangles, cliff_side side)
{
    return make_shrunk(triangles, side, 0);
}

/* The middle of a sphere is equally far from all of it. */
static void *make_middle_point(uint32_t triangles, cliff_side side)
{
    return make_shrunk(triangles, side, -1);
}

static const char uneven[] = "uneven spheres beside each other";

static const cliff rows[] = {
    {"distance, parallel grids, 1,000 sizes apart", uneven, "triangles", 20000, make_grids,
     run_distance, NULL},
    {"distance, the same askew", uneven, "triangles", 20000, make_grids_askew, run_distance,
     "rounding leaves no exact ties: some hundred vertices are equally near but for it"},
    {"distance, curtains, 3e6 sizes apart", uneven, "triangles", 12000, make_curtains, run_distance,
     NULL},
    {"distance, curtains, 1e8 sizes apart", uneven, "triangles", 12000, make_far_curtains,
     run_distance, "all of the far one is in one plane, as floats go"},
    {"distance, the same askew, at 1e8", uneven, "triangles", 12000, make_far_curtains_askew,
     run_distance, NULL},
    {"distance, concentric spheres", "one beside the middle of the other", "triangles", 230400,
     make_spheres, run_distance, "every patch is as near as any other"},
    {"distance, a body scaled to a point", "half as large, not a point", "triangles", 14000,
     make_point, run_distance, NULL},
    {"distance, the point on a vertex", "half as large, not a point", "triangles", 14000,
     make_touching_point, run_distance, NULL},
    {"distance, the point in the middle", "half as large, outside", "triangles", 14000,
     make_middle_point, run_distance, "every triangle is as near as any other"},
};

const cliff_group cliffs_distance = {rows, sizeof rows / sizeof *rows};
