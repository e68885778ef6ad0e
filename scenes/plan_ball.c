/* The ball: an icosahedron whose sides are cut into n x n triangles and blown up to a sphere. */
#include "scenes/lattice.h"
#include "scenes/plan.h"

static const double radius = 0.15;

/* Twice the golden ratio's rectangle: corners of the icosahedron, before they are put on the
 * sphere, and its sides, wound outwards.
 */
#define G 1.618033988749895
static const grazei_vec corners[12] = {{-1, G, 0}, {1, G, 0}, {-1, -G, 0}, {1, -G, 0},
                                       {0, -1, G}, {0, 1, G}, {0, -1, -G}, {0, 1, -G},
                                       {G, 0, -1}, {G, 0, 1}, {-G, 0, -1}, {-G, 0, 1}};
static const uint32_t sides[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                      {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                      {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                      {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/* Numbers the vertices: the 12 corners, then the inner points of the 30 edges, then those of the
 * 20 sides.
 */
typedef struct cutter {
    uint32_t n;
    uint32_t edges[12][12]; /* first vertex of the edge between two corners, 0: not met yet */
    grazei_synth_mesh *mesh;
} cutter;

static grazei_vec on_sphere(grazei_vec at)
{
    return vec_add(vec_scale(vec_unit(at), radius), vec_make(0, radius, 0));
}

/* The point so many steps from the corners, on their side; i + j + k = n. */
static grazei_vec inside(const uint32_t *side, uint32_t i, uint32_t j, uint32_t k)
{
    grazei_vec sum = vec_scale(corners[side[0]], i);
    return on_sphere(vec_along(vec_along(sum, corners[side[1]], j), corners[side[2]], k));
}

/* The vertex that is `step` of n steps from corner a towards corner b. */
static uint32_t edge_vertex(cutter *cut, uint32_t a, uint32_t b, uint32_t step)
{
    if (step == 0 || step == cut->n)
        return step == 0 ? a : b;
    if (a > b)
        return edge_vertex(cut, b, a, cut->n - step);
    if (cut->edges[a][b] == 0) {
        cut->edges[a][b] = cut->mesh->vertex_count;
        for (uint32_t i = 1; i < cut->n; i++) {
            grazei_vec at = vec_scale(corners[a], cut->n - i);
            cut->mesh->positions[cut->mesh->vertex_count++] =
                on_sphere(vec_along(at, corners[b], i));
        }
    }
    return cut->edges[a][b] + step - 1;
}

/* The vertex in row `row` (0 at corner 0, n at the opposite edge), `step` along from edge 01. */
static uint32_t side_vertex(cutter *cut, const uint32_t *side, uint32_t first, uint32_t row,
                            uint32_t step)
{
    if (step == 0)
        return edge_vertex(cut, side[0], side[1], row);
    if (step == row)
        return edge_vertex(cut, side[0], side[2], row);
    if (row == cut->n)
        return edge_vertex(cut, side[1], side[2], step);
    return first + (row - 1) * (row - 2) / 2 + step - 1;
}

static void cut_side(cutter *cut, const uint32_t *side)
{
    grazei_synth_mesh *mesh = cut->mesh;
    for (uint32_t k = 0; k < 3; k++) /* so that the side's own vertices follow one another */
        edge_vertex(cut, side[k], side[(k + 1) % 3], cut->n > 1);
    uint32_t first = mesh->vertex_count;
    for (uint32_t row = 2; row < cut->n; row++)
        for (uint32_t step = 1; step < row; step++)
            mesh->positions[mesh->vertex_count++] = inside(side, cut->n - row, row - step, step);
    for (uint32_t row = 1; row <= cut->n; row++)
        for (uint32_t step = 0; step < row; step++) {
            uint32_t up = side_vertex(cut, side, first, row - 1, step);
            uint32_t left = side_vertex(cut, side, first, row, step);
            uint32_t right = side_vertex(cut, side, first, row, step + 1);
            uint32_t *triangle = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
            triangle[0] = up;
            triangle[1] = left;
            triangle[2] = right;
            if (step + 1 == row)
                continue;
            triangle[3] = up;
            triangle[4] = right;
            triangle[5] = side_vertex(cut, side, first, row - 1, step + 1);
            mesh->triangle_count++;
        }
}

static bool make(uint32_t triangles, grazei_synth_pool *pool, grazei_synth_mesh *mesh)
{
    uint32_t n = (uint32_t)(sqrt(triangles / 20.0) + 0.5);
    size_t count = 20 * (size_t)n * n;
    cutter cut = {.n = n, .mesh = mesh};
    mesh->positions = grazei_synth_take(pool, count / 2 + 2, sizeof(grazei_vec));
    mesh->triangles = grazei_synth_take(pool, 3 * count, sizeof(uint32_t));
    if (!mesh->positions || !mesh->triangles)
        return false;
    for (uint32_t i = 0; i < 12; i++)
        mesh->positions[mesh->vertex_count++] = on_sphere(corners[i]);
    for (uint32_t i = 0; i < 20; i++)
        cut_side(&cut, sides[i]);
    return true;
}

static const grazei_synth_joint_row joints[] = {
    JOINT("ball", NULL, 0, 0.15, 0, 0.15, 0, 0.15, 0, 0.15)};

const grazei_synth_plan grazei_synth_ball = {.name = "ball",
                                             .description =
                                                 "a ball of 30 cm: 1 joint, 1,280 triangles",
                                             .triangles = 1280,
                                             .make = make,
                                             JOINTS};
