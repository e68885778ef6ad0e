/* Rows of bench cliffs: first hits and contacts. */
#include "bench/cliffs.h"

#include "scenes/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_sphere(cliff_mesh *mesh, uint32_t triangles, double radius)
{
    cliff_add_sphere(mesh, (uint32_t)(sqrt(triangles / 4.0) + 1), radius,
                     (const double[3]){0, 0, 0});
}

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
        double s = (i % side + shift) * spacing, t = (i / side + shift) * spacing, at[2][3];
        seed = seed * 1664525u + 1013904223u;
        double begin = 5 * (seed / 4294967296.0);
        for (int k = 0; k < 3; k++) {
            at[0][k] = s * way->across[0][k] + t * way->across[1][k] + begin * way->along[k];
            at[1][k] = at[0][k] + 10 * way->along[k];
        }
        uint32_t first = cliff_add_vertex(mesh, at[0][0], at[0][1], at[0][2]);
        cliff_add_vertex(mesh, at[1][0], at[1][1], at[1][2]);
        cliff_add_vertex(mesh, at[0][0] + 0.1 * spacing, at[0][1], at[0][2]);
        cliff_add_triangle(mesh, first, first + 1, first + 2);
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
            add_sphere(&meshes[i], size, i ? 1 : 0.98);
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

static bool run_pairs(void *state, size_t *answers)
{
    cliff_bodies *made = state;
    cliff_pose_bodies(made);
    return graze_collide(made->bodies[0], made->bodies[1], stage_count, answers, NULL, NULL) ==
           GRAZE_OK;
}

static bool run_first(void *state, size_t *answers)
{
    cliff_bodies *made = state;
    bool hit = false;
    cliff_pose_bodies(made);
    if (graze_collide_first(made->bodies[0], made->bodies[1], &hit, NULL, NULL, NULL))
        return false;
    *answers = hit;
    return true;
}

/* ---- contacts -------------------------------------------------------------------------------- */

typedef struct contact_task {
    cliff_bodies *made;
    graze_contacts *contacts; /* NULL: pairs alone are asked for */
} contact_task;

/* The same body twice, in one place. */
static void *make_coincident(uint32_t size, cliff_side side)
{
    cliff_mesh mesh = {0};
    graze_error error;
    contact_task *task = calloc(1, sizeof *task);
    add_sphere(&mesh, size, 1);
    if (task)
        task->made = cliff_make_bodies(&mesh, &mesh);
    if (!task || !task->made)
        return NULL;
    if (side == CLIFF_HARD && graze_contacts_create(graze_body_model(task->made->bodies[0]),
                                                    graze_body_model(task->made->bodies[1]), NULL,
                                                    &task->contacts, &error)) {
        fprintf(stderr, "graze: %s\n", error.text);
        return NULL;
    }
    return task;
}

static bool run_contacts(void *state, size_t *answers)
{
    contact_task *task = state;
    graze_body **bodies = task->made->bodies;
    uint32_t segments = 0;
    cliff_pose_bodies(task->made);
    if (!task->contacts)
        return graze_collide(bodies[0], bodies[1], stage_count, answers, NULL, NULL) == GRAZE_OK;
    if (graze_contacts_find(task->contacts, bodies[0], bodies[1], NULL, NULL))
        return false;
    graze_contacts_segments(task->contacts, &segments);
    *answers = segments;
    return true;
}

static const cliff rows[] = {{"first hit, diagonal hairlines that miss", "a sphere inside another",
                              "lines each", 20000, make_hairlines, run_first, NULL},
                             {"pairs, hairlines along no diagonal", "a sphere inside another",
                              "lines each", 20000, make_hairlines_askew, run_pairs, NULL},
                             {"contacts of coincident bodies", "their pairs alone", "triangles",
                              10000, make_coincident, run_contacts, NULL}};

const cliff_group cliffs_pairs = {rows, sizeof rows / sizeof *rows};
