/* Rows of bench cliffs: sweeps where nearly everything meets at one time, or almost all the time.
 */
#include "bench/cliffs.h"

/* Up to two bodies at the start and at the end of their motions. */
typedef struct sweep_task {
    uint32_t body_count;
    graze_body *bodies[2][2]; /* the start and the end of each */
    float maps[2][2][12];
} sweep_task;

#define STRETCH(x, y, z)                                                                           \
    {                                                                                              \
        x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0                                                         \
    }
#define MOVE(x, y, z)                                                                              \
    {                                                                                              \
        1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z                                                         \
    }

static const float stay[12] = STRETCH(1, 1, 1), up[12] = MOVE(0, 0, 7e-4f);
static const float down[12] = MOVE(0, 0, -7e-4f);
static const float far_away[12] = MOVE(30, 40, 50), far_up[12] = MOVE(30, 40, 50.0007f);
static const float mirror[12] = STRETCH(-1, 1, 1), point_mirror[12] = STRETCH(-1, -1, -1);
static const float to_a_point[12] = STRETCH(0, 0, 0), squeezed[12] = STRETCH(0.9f, 1, 1);
static const float inside[12] = STRETCH(0.98f, 0.98f, 0.98f);
static const float far_inside[12] = {0.98f, 0, 0, 30, 0, 0.98f, 0, 40, 0, 0, 0.98f, 50};
/* Tilted about x and half across. */
static const float above[12] = {1, 0, 0, 0, 0, 0.8f, -0.6f, 0.1f, 0, 0.6f, 0.8f, 0.1f};
static const float below[12] = {1, 0, 0, 0, 0, 0.8f, -0.6f, 0.1f, 0, 0.6f, 0.8f, -0.1f};

/* Bodies of one mesh: maps at the start and the end of a, then of b, if there is one. */
static sweep_task *make_task(const cliff_mesh *mesh, const float *const maps[4])
{
    sweep_task *task = bench_take(1, sizeof *task);
    graze_model *model = cliff_build_model(mesh);
    for (int i = 0; i < 4 && maps[i]; i++) {
        memcpy(task->maps[i / 2][i % 2], maps[i], sizeof task->maps[0][0]);
        task->bodies[i / 2][i % 2] = bench_make_body(model);
        task->body_count = (uint32_t)i / 2 + 1;
    }
    return task;
}

static size_t run_sweep(void *state)
{
    sweep_task *task = state;
    graze_motion motions[2];
    graze_impact impact;
    for (uint32_t i = 0; i < task->body_count; i++) {
        for (int end = 0; end < 2; end++)
            bench_pose(task->bodies[i][end], task->maps[i][end], 1, NULL);
        motions[i] = (graze_motion){.start = task->bodies[i][0], .end = task->bodies[i][1]};
    }
    bench_must(graze_sweep(&motions[0], task->body_count > 1 ? &motions[1] : NULL, &impact, NULL,
                           &bench_error));
    return impact.found;
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* Without a base: all triangles go round the tip. */
static void add_cone(cliff_mesh *mesh, uint32_t triangles)
{
    uint32_t tip = cliff_add_vertex(mesh, 0, 0, 1);
    for (uint32_t i = 0; i < triangles; i++) {
        double turn = 6.283185307179586 * i / triangles;
        cliff_add_vertex(mesh, cos(turn), sin(turn), 0);
        cliff_add_triangle(mesh, tip, tip + 1 + i, tip + 1 + (i + 1) % triangles);
    }
}

static void add_sphere(cliff_mesh *mesh, uint32_t triangles)
{
    cliff_add_sphere(mesh, cliff_bands(triangles), 1, (const double[3]){0.1, 0.2, 0.3});
}

/* Side by side along x, with gaps. */
static void add_needles(cliff_mesh *mesh, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double y = (i + 0.1) / count - 0.5;
        cliff_add_corners(mesh,
                          (const double[3][3]){{-0.5, y, 0}, {0.5, y, 0}, {0, y + 0.5 / count, 0}});
    }
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Cones in each other, 7e-4 apart along their axis; or one sphere in another. */
static void *make_nested(uint32_t size, cliff_side side, bool moving)
{
    cliff_mesh mesh = {0};
    bool hard = side == CLIFF_HARD;
    (hard ? add_cone : add_sphere)(&mesh, size);
    const float *start = hard ? up : inside, *end = hard ? far_up : far_inside;
    return make_task(&mesh, (const float *const[4]){stay, moving ? far_away : stay, start,
                                                    moving ? end : start});
}

static void *make_still(uint32_t size, cliff_side side)
{
    return make_nested(size, side, false);
}

static void *make_as_one(uint32_t size, cliff_side side)
{
    return make_nested(size, side, true);
}

static void *make_on_each_other(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    add_sphere(&mesh, size);
    return make_task(&mesh, (const float *const[4]){
                                stay, far_away, side == CLIFF_HARD ? stay : inside, far_inside});
}

static void *make_grids(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    uint32_t squares = (uint32_t)sqrt(size / 2.0);
    bool hard = side == CLIFF_HARD;
    cliff_add_grid(&mesh, squares, squares, cliff_origin, (const double[3]){1, 0, 0},
                   (const double[3]){0, 1, 0});
    return make_task(&mesh,
                     (const float *const[4]){stay, stay, hard ? up : above, hard ? down : below});
}

/* Tilted; the second layer lies across the first. */
static void tilt(bool across, float away, float map[12])
{
    static const float turned[3][3] = {
        {2.f / 3, -1.f / 3, 2.f / 3}, {2.f / 3, 2.f / 3, -1.f / 3}, {-1.f / 3, 2.f / 3, 2.f / 3}};
    for (int r = 0; r < 3; r++) {
        map[4 * r] = across ? turned[r][1] : turned[r][0];
        map[4 * r + 1] = across ? -turned[r][0] : turned[r][1];
        map[4 * r + 2] = turned[r][2];
        map[4 * r + 3] = away * turned[r][2];
    }
}

static void *make_crossed(uint32_t size, cliff_side side)
{
    float still[12], high[12], low[12];
    cliff_mesh mesh = {0};
    tilt(false, 0, still);
    tilt(side == CLIFF_HARD, 0.1f, high);
    tilt(side == CLIFF_HARD, side == CLIFF_HARD ? -0.1f : 0.05f, low);
    add_needles(&mesh, size);
    return make_task(&mesh, (const float *const[4]){still, still, high, low});
}

static void *make_self(uint32_t size, cliff_side side, const float *end)
{
    cliff_mesh mesh = {0};
    add_sphere(&mesh, size);
    return make_task(
        &mesh, (const float *const[4]){stay, side == CLIFF_HARD ? end : squeezed, NULL, NULL});
}

#define SELF(name, end)                                                                            \
    static void *name(uint32_t size, cliff_side side)                                              \
    {                                                                                              \
        return make_self(size, side, end);                                                         \
    }
SELF(make_point_mirror, point_mirror)
SELF(make_mirror, mirror)
SELF(make_to_a_point, to_a_point)
SELF(make_on_its_way, far_away)

#define SPHERE_IN_SPHERE "a sphere in another"
#define SQUEEZED "squeezed to nine tenths"

static const cliff rows[] = {
    {"sweep, cones standing still 7e-4 apart", SPHERE_IN_SPHERE, "triangles", 10000, make_still,
     run_sweep,
     "all triangles of a cone go round its tip: the boxes of all pairs of patches overlap, and "
     "each is looked at"},
    {"sweep, cones moving as one", SPHERE_IN_SPHERE, "triangles", 10000, make_as_one, run_sweep,
     NULL},
    {"sweep, bodies that begin on each other", SPHERE_IN_SPHERE, "triangles", 10000,
     make_on_each_other, run_sweep, NULL},
    {"sweep, flat grids through each other", "grids at an angle", "triangles", 6000, make_grids,
     run_sweep,
     "all pairs that lie on each other meet at one time, but for rounding: each is looked at"},
    {"sweep, layers of needles across each other", "along each other, not meeting", "needles each",
     2048, make_crossed, run_sweep,
     "every needle meets every other at one time, but for rounding: each pair is looked at"},
    {"self sweep, through a point", SQUEEZED, "triangles", 6000, make_point_mirror, run_sweep,
     "all pairs of triangles meet at one time, but for rounding"},
    {"self sweep, through a mirror", SQUEEZED, "triangles", 6000, make_mirror, run_sweep, NULL},
    {"self sweep, to a point", SQUEEZED, "triangles", 6000, make_to_a_point, run_sweep,
     "all pairs of triangles meet at one time, but for rounding"},
    {"self sweep, a body on its way", SQUEEZED, "triangles", 6000, make_on_its_way, run_sweep,
     NULL},
};

const cliff_group cliffs_sweep = {rows, COUNT_OF(rows)};
