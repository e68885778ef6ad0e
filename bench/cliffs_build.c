/* Rows of bench cliffs: building models. */
#include "bench/cliffs.h"

#include <math.h>
#include <stdlib.h>

/* A mesh to build, as often as asked. */
typedef struct build_task {
    cliff_mesh mesh;
    graze_model_def def;
} build_task;

static bool run_build(void *state, size_t *answers)
{
    build_task *task = state;
    graze_model *model;
    if (graze_model_create(&task->def, &model, NULL))
        return false;
    *answers = 1;
    graze_model_destroy(model);
    return true;
}

static build_task *finish(build_task *task, bool self_collision)
{
    if (!task || task->mesh.failed)
        return NULL;
    task->def = cliff_get_def(&task->mesh);
    task->def.self_collision = self_collision;
    return task;
}

/* The ordinary mesh: a sphere of about so many triangles. */
static void add_sphere(cliff_mesh *mesh, uint32_t triangles)
{
    cliff_add_sphere(mesh, (uint32_t)(sqrt(triangles / 4.0) + 1), 1, (const double[3]){0, 0, 0});
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
    build_task *task = calloc(1, sizeof *task);
    for (uint32_t i = 0; task && i < size; i++) {
        uint32_t place = i < size / 2 ? 2 * i : 2 * (size - 1 - i) + 1;
        double x = 1e-3 * place;
        uint32_t first = cliff_add_vertex(&task->mesh, x, 0, 0);
        cliff_add_vertex(&task->mesh, x + 5e-4, 0, 0);
        cliff_add_vertex(&task->mesh, x, 5e-4, 0);
        cliff_add_triangle(&task->mesh, first, first + 1, first + 2);
    }
    if (task && side == CLIFF_ORDINARY)
        shuffle(&task->mesh);
    return finish(task, false);
}

/* ---- tables for self-collision --------------------------------------------------------------- */

/* A flat cone: every triangle is a neighbour of every other. */
static void *make_fan(uint32_t size, cliff_side side)
{
    const double pi = 3.14159265358979323846;
    build_task *task = calloc(1, sizeof *task);
    if (task && side == CLIFF_ORDINARY) {
        add_sphere(&task->mesh, size);
    } else if (task) {
        cliff_add_vertex(&task->mesh, 0, 0.1, 0);
        for (uint32_t i = 0; i < size; i++)
            cliff_add_vertex(&task->mesh, cos(2 * pi * i / size), 0, sin(2 * pi * i / size));
        for (uint32_t i = 0; i < size; i++)
            cliff_add_triangle(&task->mesh, 0, 1 + (i + 1) % size, 1 + i);
    }
    return finish(task, true);
}

enum { LAYER_SQUARES = 2 }; /* along each side */

/* Sheets of 8 triangles, so near each other that no pose is sure to keep them apart. */
static void *make_layers(uint32_t size, cliff_side side)
{
    build_task *task = calloc(1, sizeof *task);
    if (task && side == CLIFF_ORDINARY)
        add_sphere(&task->mesh, 2 * LAYER_SQUARES * LAYER_SQUARES * size);
    for (uint32_t i = 0; task && side == CLIFF_HARD && i < size; i++)
        cliff_add_grid(&task->mesh, LAYER_SQUARES, LAYER_SQUARES, (const double[3]){0, 1e-7 * i, 0},
                       (const double[3]){0, 0, 1}, (const double[3]){1, 0, 0});
    return finish(task, true);
}

/* ---- many joints a vertex -------------------------------------------------------------------- */

enum { USUAL_INFLUENCES = 4, JOINTS = 256, MANY_TRIANGLES = 15000 };

/* Weights of joints that follow one another, each vertex's largest somewhere else. */
static bool add_influences(build_task *task, uint32_t influences)
{
    uint32_t count = task->mesh.vertex_count, seed = 7;
    uint32_t *offsets = malloc((count + (size_t)1) * sizeof *offsets);
    graze_influence *list = malloc((size_t)count * influences * sizeof *list);
    if (!offsets || !list)
        return false;
    for (uint32_t v = 0; v <= count; v++)
        offsets[v] = v * influences;
    for (uint32_t v = 0; v < count; v++) {
        uint32_t first = (uint32_t)((uint64_t)v * (JOINTS - influences) / count);
        for (uint32_t i = 0; i < influences; i++)
            list[offsets[v] + i] =
                (graze_influence){first + i, 1 + (float)(next_random(&seed) % 64)};
    }
    task->def.joint_count = JOINTS;
    task->def.influence_offsets = offsets;
    task->def.influences = list;
    return true;
}

/* As many influences in all on both sides. */
static void *make_influences(uint32_t size, cliff_side side)
{
    uint32_t influences = side == CLIFF_HARD ? size : USUAL_INFLUENCES;
    build_task *task = calloc(1, sizeof *task);
    if (task)
        add_sphere(&task->mesh, MANY_TRIANGLES * size / influences);
    task = finish(task, false);
    return task && add_influences(task, influences) ? task : NULL;
}

static const cliff rows[] = {
    {"build, listed up then down an axis", "the same triangles shuffled", "triangles", 400000,
     make_up_and_down, run_build, NULL},
    {"build for self-collision, round one vertex", "a sphere", "triangles", 30000, make_fan,
     run_build, NULL},
    {"build for self-collision, layers 1e-7 apart", "a sphere of as many triangles", "layers", 3000,
     make_layers, run_build, NULL},
    {"build, 15,000 triangles of many influences", "4 a vertex, as many in all", "influences", 200,
     make_influences, run_build, NULL}};

const cliff_group cliffs_build = {rows, sizeof rows / sizeof *rows};
