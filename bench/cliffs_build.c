/* Rows of bench cliffs: building models. */
#include "bench/cliffs.h"

static graze_model_def *finish(const cliff_mesh *mesh, bool self_collision)
{
    graze_model_def *def = bench_take(1, sizeof *def);
    *def = cliff_get_def(mesh, self_collision);
    return def;
}

/* The ordinary mesh: a sphere of about so many triangles. */
static void add_sphere(cliff_mesh *mesh, uint32_t triangles)
{
    cliff_add_sphere(mesh, cliff_bands(triangles), 1, cliff_origin);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* ---- triangles in an order that a pivot from the middle is worst for ------------------------ */

static void shuffle(cliff_mesh *mesh)
{
    uint32_t seed = 1;
    for (uint32_t i = mesh->triangle_count; i > 1; i--) {
        uint32_t k = next_random(&seed) % i;
        for (int c = 0; c < 3; c++) {
            uint32_t *a = &mesh->triangles[3 * (size_t)(i - 1) + c], swap = *a;
            uint32_t *b = &mesh->triangles[3 * (size_t)k + c];
            *a = *b;
            *b = swap;
        }
    }
}

/* The same triangles on both sides, one beside the other along x: listed up, then down, or in any
 * order.
 */
static void *make_up_and_down(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    for (uint32_t i = 0; i < size; i++) {
        double x = 1e-3 * (i < size / 2 ? 2 * i : 2 * (size - 1 - i) + 1);
        cliff_add_corners(&mesh, (const double[3][3]){{x, 0, 0}, {x + 5e-4, 0, 0}, {x, 5e-4, 0}});
    }
    if (side == CLIFF_ORDINARY)
        shuffle(&mesh);
    return finish(&mesh, false);
}

/* ---- tables for self-collision --------------------------------------------------------------- */

static void *make_fan(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    (side == CLIFF_ORDINARY ? add_sphere : cliff_add_fan)(&mesh, size);
    return finish(&mesh, true);
}

enum { LAYER_SQUARES = 2 }; /* along each side */

/* Sheets of 8 triangles, so near each other that no pose is sure to keep them apart. */
static void *make_layers(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    if (side == CLIFF_ORDINARY)
        add_sphere(&mesh, 2 * LAYER_SQUARES * LAYER_SQUARES * size);
    for (uint32_t i = 0; side == CLIFF_HARD && i < size; i++)
        cliff_add_grid(&mesh, LAYER_SQUARES, LAYER_SQUARES, (const double[3]){0, 1e-7 * i, 0},
                       (const double[3]){0, 0, 1}, (const double[3]){1, 0, 0});
    return finish(&mesh, true);
}

/* ---- many joints a vertex -------------------------------------------------------------------- */

enum { USUAL_INFLUENCES = 4, JOINTS = 256, MANY_TRIANGLES = 15000 };

/* As many influences in all on both sides: weights of joints that follow one another, each vertex's
 * largest somewhere else.
 */
static void *make_influences(uint32_t size, cliff_side side)
{
    uint32_t influences = side == CLIFF_HARD ? size : USUAL_INFLUENCES, seed = 7;
    cliff_mesh mesh = {0};
    add_sphere(&mesh, MANY_TRIANGLES * size / influences);
    uint32_t count = mesh.vertex_count, *offsets = bench_take(count + 1, sizeof *offsets);
    graze_influence *list = bench_take((size_t)count * influences, sizeof *list);
    for (uint32_t v = 0; v < count; v++) {
        uint32_t first = (uint32_t)((uint64_t)v * (JOINTS - influences) / count);
        for (uint32_t i = 0; i < influences; i++)
            list[offsets[v] + i] =
                (graze_influence){first + i, 1 + (float)(next_random(&seed) % 64)};
        offsets[v + 1] = offsets[v] + influences;
    }
    graze_model_def *def = finish(&mesh, false);
    def->joint_count = JOINTS;
    def->influence_offsets = offsets;
    def->influences = list;
    return def;
}

static const cliff rows[] = {
    {"build, listed up then down an axis", "the same triangles shuffled", "triangles", 400000,
     make_up_and_down, cliff_run_build, NULL},
    {"build for self-collision, round one vertex", "a sphere", "triangles", 30000, make_fan,
     cliff_run_build, NULL},
    {"build for self-collision, layers 1e-7 apart", "a sphere of as many triangles", "layers", 3000,
     make_layers, cliff_run_build, NULL},
    {"build, 15,000 triangles of many influences", "4 a vertex, as many in all", "influences", 200,
     make_influences, cliff_run_build, NULL}};

const cliff_group cliffs_build = {rows, COUNT_OF(rows)};
