/* Meshes and bodies of the rows of bench cliffs. */
#include "bench/cliffs.h"

static const double pi = 3.14159265358979323846;

const double cliff_origin[3] = {0, 0, 0};

/* Room for one more item. */
static void *grow(void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return items;
    *room = *room ? 2 * *room : 1024;
    items = realloc(items, *room * size);
    if (!items)
        bench_die("out of memory");
    return items;
}

uint32_t cliff_add_vertex(cliff_mesh *mesh, double x, double y, double z)
{
    const float at[3] = {(float)x, (float)y, (float)z};
    mesh->positions = grow(mesh->positions, mesh->vertex_count, &mesh->vertex_room, sizeof at);
    memcpy(mesh->positions + 3 * (size_t)mesh->vertex_count, at, sizeof at);
    return mesh->vertex_count++;
}

void cliff_add_triangle(cliff_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t corners[3] = {a, b, c};
    mesh->triangles =
        grow(mesh->triangles, mesh->triangle_count, &mesh->triangle_room, sizeof corners);
    memcpy(mesh->triangles + 3 * (size_t)mesh->triangle_count++, corners, sizeof corners);
}

void cliff_add_corners(cliff_mesh *mesh, const double corners[3][3])
{
    uint32_t first = mesh->vertex_count;
    for (int c = 0; c < 3; c++)
        cliff_add_vertex(mesh, corners[c][0], corners[c][1], corners[c][2]);
    cliff_add_triangle(mesh, first, first + 1, first + 2);
}

void cliff_add_grid(cliff_mesh *mesh, uint32_t columns, uint32_t rows, const double corner[3],
                    const double u[3], const double v[3])
{
    uint32_t first = mesh->vertex_count;
    for (uint32_t r = 0; r <= rows; r++)
        for (uint32_t c = 0; c <= columns; c++) {
            double at[3], s = (double)c / columns, t = (double)r / rows;
            for (int k = 0; k < 3; k++)
                at[k] = corner[k] + s * u[k] + t * v[k];
            cliff_add_vertex(mesh, at[0], at[1], at[2]);
        }
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t c = 0; c < columns; c++) {
            uint32_t low = first + r * (columns + 1) + c, high = low + columns + 1;
            cliff_add_triangle(mesh, low, low + 1, high + 1);
            cliff_add_triangle(mesh, low, high + 1, high);
        }
}

uint32_t cliff_bands(uint32_t triangles)
{
    return (uint32_t)(sqrt(triangles / 4.0) + 1);
}

void cliff_add_sphere(cliff_mesh *mesh, uint32_t bands, double radius, const double centre[3])
{
    uint32_t around = 2 * bands, first = mesh->vertex_count;
    cliff_add_vertex(mesh, centre[0], centre[1] - radius, centre[2]);
    for (uint32_t r = 1; r < bands; r++)
        for (uint32_t c = 0; c < around; c++) {
            double up = pi * r / bands, turn = 2 * pi * c / around;
            cliff_add_vertex(mesh, centre[0] + radius * sin(up) * cos(turn),
                             centre[1] - radius * cos(up),
                             centre[2] + radius * sin(up) * sin(turn));
        }
    uint32_t top = cliff_add_vertex(mesh, centre[0], centre[1] + radius, centre[2]);
    for (uint32_t c = 0; c < around; c++) {
        uint32_t next = (c + 1) % around;
        cliff_add_triangle(mesh, first, first + 1 + c, first + 1 + next);
        cliff_add_triangle(mesh, top, top - around + next, top - around + c);
        for (uint32_t r = 1; r + 1 < bands; r++) {
            uint32_t low = first + 1 + (r - 1) * around, high = low + around;
            cliff_add_triangle(mesh, low + c, high + c, high + next);
            cliff_add_triangle(mesh, low + c, high + next, low + next);
        }
    }
}

void cliff_add_fan(cliff_mesh *mesh, uint32_t size)
{
    cliff_add_vertex(mesh, 0, 0.1, 0);
    for (uint32_t i = 0; i < size; i++)
        cliff_add_vertex(mesh, cos(2 * pi * i / size), 0, sin(2 * pi * i / size));
    for (uint32_t i = 0; i < size; i++)
        cliff_add_triangle(mesh, 0, 1 + (i + 1) % size, 1 + i);
}

double cliff_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

/* ---- models and bodies ---------------------------------------------------------------------- */

graze_model_def cliff_get_def(const cliff_mesh *mesh, bool self_collision)
{
    return (graze_model_def){.positions = mesh->positions,
                             .vertex_count = mesh->vertex_count,
                             .triangles = mesh->triangles,
                             .triangle_count = mesh->triangle_count,
                             .joint_count = 1,
                             .no_self_collision = !self_collision};
}

graze_model *cliff_build_model(const cliff_mesh *mesh)
{
    const graze_model_def def = cliff_get_def(mesh, false);
    return bench_make_model(&def);
}

cliff_bodies *cliff_make_bodies(const cliff_mesh *a, const cliff_mesh *b)
{
    const cliff_mesh *meshes[2] = {a, b};
    cliff_bodies *made = bench_take(1, sizeof *made);
    for (int i = 0; i < 2; i++) {
        memcpy(made->placements[i], bench_identity, sizeof bench_identity);
        if (meshes[i])
            made->bodies[i] = bench_make_body(cliff_build_model(meshes[i]));
    }
    return made;
}

void cliff_pose_bodies(cliff_bodies *made)
{
    for (int i = 0; i < 2 && made->bodies[i]; i++)
        bench_pose(made->bodies[i], made->joints ? made->joints : bench_identity,
                   made->joints ? made->joint_count : 1, made->placements[i]);
}

/* ---- questions ------------------------------------------------------------------------------ */

size_t cliff_run_build(void *def)
{
    graze_model_destroy(bench_make_model(def));
    return 1;
}

size_t cliff_run_pairs(void *state)
{
    cliff_bodies *made = state;
    cliff_pose_bodies(made);
    return bench_pairs(made->bodies[0], made->bodies[1], NULL);
}

size_t cliff_run_first(void *state)
{
    static const graze_options any = {.any = true};
    cliff_bodies *made = state;
    cliff_pose_bodies(made);
    return bench_pairs(made->bodies[0], made->bodies[1], &any);
}

size_t cliff_run_self(void *state)
{
    cliff_bodies *made = state;
    cliff_pose_bodies(made);
    return bench_self_pairs(made->bodies[0], NULL, NULL);
}

size_t cliff_run_distance(void *state)
{
    cliff_bodies *made = state;
    cliff_pose_bodies(made);
    bench_distance(made->bodies[0], made->bodies[1], NULL);
    return 1;
}
