/* Meshes and bodies of the rows of bench cliffs. */
#include "bench/cliffs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Room for one more item; NULL when out of memory. */
static void *grow(cliff_mesh *mesh, void *items, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return items;
    uint32_t wanted = *room ? 2 * *room : 1024;
    void *grown = realloc(items, wanted * size);
    if (!grown) {
        mesh->failed = true;
        return NULL;
    }
    *room = wanted;
    return grown;
}

uint32_t cliff_add_vertex(cliff_mesh *mesh, double x, double y, double z)
{
    float *grown = grow(mesh, mesh->positions, mesh->vertex_count, &mesh->vertex_room,
                        3 * sizeof *mesh->positions);
    if (!grown)
        return 0;
    mesh->positions = grown;
    float *at = mesh->positions + 3 * (size_t)mesh->vertex_count;
    at[0] = (float)x;
    at[1] = (float)y;
    at[2] = (float)z;
    return mesh->vertex_count++;
}

void cliff_add_triangle(cliff_mesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *grown = grow(mesh, mesh->triangles, mesh->triangle_count, &mesh->triangle_room,
                           3 * sizeof *mesh->triangles);
    if (!grown)
        return;
    mesh->triangles = grown;
    uint32_t *corners = mesh->triangles + 3 * (size_t)mesh->triangle_count++;
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
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

void cliff_add_sphere(cliff_mesh *mesh, uint32_t bands, double radius, const double centre[3])
{
    const double pi = 3.14159265358979323846;
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

graze_model_def cliff_get_def(const cliff_mesh *mesh)
{
    graze_model_def def = graze_default_model_def();
    def.positions = mesh->positions;
    def.vertex_count = mesh->vertex_count;
    def.triangles = mesh->triangles;
    def.triangle_count = mesh->triangle_count;
    def.joint_count = 1;
    return def;
}

graze_model *cliff_build_model(const cliff_mesh *mesh, bool self_collision)
{
    graze_model_def def = cliff_get_def(mesh);
    graze_model *model = NULL;
    graze_error error = {GRAZE_OUT_OF_MEMORY, "out of memory"};
    def.self_collision = self_collision;
    if (mesh->failed || graze_model_create(&def, &model, &error))
        fprintf(stderr, "graze: %s\n", error.text);
    return model;
}

cliff_bodies *cliff_make_bodies(const cliff_mesh *a, const cliff_mesh *b)
{
    const cliff_mesh *meshes[2] = {a, b};
    cliff_bodies *made = calloc(1, sizeof *made);
    for (int i = 0; i < 2 && made; i++) {
        graze_error error;
        made->placements[i][0] = made->placements[i][5] = made->placements[i][10] = 1;
        if (!meshes[i])
            continue;
        graze_model *model = cliff_build_model(meshes[i], false);
        if (!model)
            return NULL;
        if (graze_body_create(model, &made->bodies[i], &error)) {
            fprintf(stderr, "graze: %s\n", error.text);
            return NULL;
        }
    }
    return made;
}

void cliff_pose_bodies(cliff_bodies *made)
{
    static const float identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    for (int i = 0; i < 2; i++) {
        graze_pose pose = {.joints = identity,
                           .joint_count = 1,
                           .layout = GRAZE_ROWS_3X4,
                           .placement = made->placements[i]};
        if (made->bodies[i])
            graze_body_set_pose(made->bodies[i], &pose, NULL);
    }
}
