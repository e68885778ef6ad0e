#include "support/sim_boxes.h"

#include <graze/ext/inspect.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
    double size[3], density;
    uint32_t across[2]; /* squares along x and z */
    uint32_t mode_count;
    double frequencies[SIM_BOX_MODES];
    graze_sim_motion motion;
} plan;

static const plan plans[SIM_BOX_SHAPES] = {
    [SIM_BOX_CUBE] = {{0.2, 0.2, 0.2}, 300, {1, 1}, 0, {0}, GRAZE_SIM_FREE},
    [SIM_BOX_BEAM] = {{0.8, 0.06, 0.06}, 700, {10, 1}, 2, {18, 47}, GRAZE_SIM_FREE},
    [SIM_BOX_PLATE] = {{0.5, 0.008, 0.5}, 1200, {8, 8}, 1, {23}, GRAZE_SIM_FREE},
    [SIM_BOX_FLOOR] = {{2, 0.2, 2}, 1, {4, 4}, 0, {0}, GRAZE_SIM_ANIMATED}};

/* Bending along x without motion or turn of the whole: orthogonal to 1 and s over [-0.5, 0.5]. */
static double shape_at(uint32_t mode, double s)
{
    return mode == 0 ? s * s - 1.0 / 12 : s * s * s - 0.15 * s;
}

/* Two layers of points, at the bottom and on top. */
static uint32_t place(const plan *p, uint32_t x, uint32_t top, uint32_t z)
{
    return (top * (p->across[0] + 1) + x) * (p->across[1] + 1) + z;
}

static void add_quad(sim_box *t, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t corners[6] = {a, b, c, a, c, d};
    memcpy(t->triangles + (size_t)t->triangle_count * 3, corners, sizeof corners);
    t->triangle_count += 2;
}

static void add_faces(const plan *p, sim_box *t)
{
    uint32_t nx = p->across[0], nz = p->across[1];
    for (uint32_t x = 0; x < nx; x++)
        for (uint32_t z = 0; z < nz; z++) {
            add_quad(t, place(p, x, 1, z), place(p, x, 1, z + 1), place(p, x + 1, 1, z + 1),
                     place(p, x + 1, 1, z));
            add_quad(t, place(p, x, 0, z), place(p, x + 1, 0, z), place(p, x + 1, 0, z + 1),
                     place(p, x, 0, z + 1));
        }
    for (uint32_t x = 0; x < nx; x++) {
        add_quad(t, place(p, x, 0, 0), place(p, x, 1, 0), place(p, x + 1, 1, 0),
                 place(p, x + 1, 0, 0));
        add_quad(t, place(p, x, 0, nz), place(p, x + 1, 0, nz), place(p, x + 1, 1, nz),
                 place(p, x, 1, nz));
    }
    for (uint32_t z = 0; z < nz; z++) {
        add_quad(t, place(p, 0, 0, z), place(p, 0, 0, z + 1), place(p, 0, 1, z + 1),
                 place(p, 0, 1, z));
        add_quad(t, place(p, nx, 0, z), place(p, nx, 1, z), place(p, nx, 1, z + 1),
                 place(p, nx, 0, z + 1));
    }
}

static bool make_mesh(const plan *p, sim_box *t)
{
    uint32_t nx = p->across[0], nz = p->across[1];
    t->vertex_count = 2 * (nx + 1) * (nz + 1);
    t->positions = malloc((size_t)t->vertex_count * 3 * sizeof(float));
    t->deltas = calloc((size_t)t->vertex_count * 3 * SIM_BOX_MODES, sizeof(float));
    t->triangles = malloc((size_t)(4 * nx * nz + 4 * (nx + nz)) * 3 * sizeof(uint32_t));
    if (!t->positions || !t->deltas || !t->triangles)
        return false;
    for (uint32_t x = 0; x <= nx; x++)
        for (uint32_t top = 0; top < 2; top++)
            for (uint32_t z = 0; z <= nz; z++) {
                uint32_t v = place(p, x, top, z);
                double s = (double)x / nx - 0.5;
                t->positions[3 * v] = (float)(p->size[0] * s);
                t->positions[3 * v + 1] = (float)(p->size[1] * (top - 0.5));
                t->positions[3 * v + 2] = (float)(p->size[2] * ((double)z / nz - 0.5));
                for (uint32_t m = 0; m < p->mode_count; m++)
                    t->deltas[((size_t)m * t->vertex_count + v) * 3 + 1] =
                        (float)(p->size[0] * shape_at(m, s));
            }
    add_faces(p, t);
    return true;
}

static graze_status make_model(const plan *p, uint32_t contact_level, sim_box *t,
                               graze_error *error)
{
    graze_model_def def = {0};
    graze_morph_target targets[SIM_BOX_MODES];
    for (uint32_t m = 0; m < p->mode_count; m++)
        targets[m] = (graze_morph_target){NULL, t->deltas + (size_t)m * t->vertex_count * 3,
                                          t->vertex_count};
    def.positions = t->positions;
    def.vertex_count = t->vertex_count;
    def.triangles = t->triangles;
    def.triangle_count = t->triangle_count;
    def.joint_count = 1;
    def.morphs = p->mode_count ? targets : NULL;
    def.morph_count = p->mode_count;
    if (contact_level) {
        def.tree = graze_paper_tree();
        def.tree.collapse = 1;
        def.tree.contact_level = contact_level;
    }
    return graze_model_create(&def, &t->model, error);
}

/* Mass and inertia of a solid box; modal masses as integrals of the squared shapes. */
static void fill_def(const plan *p, sim_box *t)
{
    double mass = p->density * p->size[0] * p->size[1] * p->size[2];
    graze_sim_kind_def *def = &t->def;
    *def = (graze_sim_kind_def){0};
    def->model = t->model;
    def->positions = t->positions;
    def->vertex_count = t->vertex_count;
    def->motion = p->motion;
    def->mass = mass;
    for (int axis = 0; axis < 3; axis++) {
        double y = p->size[(axis + 1) % 3], z = p->size[(axis + 2) % 3];
        def->inertia[axis][axis] = mass * (y * y + z * z) / 12;
    }
    for (uint32_t m = 0; m < p->mode_count; m++) {
        enum { PARTS = 1000 };
        double sum = 0;
        for (int i = 0; i < PARTS; i++) {
            double d = p->size[0] * shape_at(m, (i + 0.5) / PARTS - 0.5);
            sum += mass * d * d / PARTS;
        }
        t->modes[m] = (graze_sim_mode){p->frequencies[m], 0.02, sqrt(sum), 0.1};
    }
    def->mode_count = p->mode_count;
    def->modes = p->mode_count ? t->modes : NULL;
    def->deltas = p->mode_count ? t->deltas : NULL;
    def->max_strain = 0.03;
}

bool sim_box_make(sim_box_shape shape, uint32_t contact_level, sim_box *thing)
{
    const plan *p = &plans[shape];
    graze_error error = {.text = "out of memory"};
    memset(thing, 0, sizeof *thing);
    memcpy(thing->size, p->size, sizeof thing->size);
    bool ok = make_mesh(p, thing) && !make_model(p, contact_level, thing, &error);
    CHECK_MSG(ok, "thing %d: %s", (int)shape, error.text);
    if (ok)
        fill_def(p, thing);
    else
        sim_box_free(thing);
    return ok;
}

void sim_box_free(sim_box *thing)
{
    graze_model_destroy(thing->model);
    free(thing->positions);
    free(thing->deltas);
    free(thing->triangles);
    memset(thing, 0, sizeof *thing);
}

graze_sim_body sim_box_body(test_random *random, uint32_t kind, const double position[3])
{
    graze_sim_body body = {0};
    body.kind = kind;
    memcpy(body.position, position, sizeof body.position);
    for (int i = 0; i < 4; i++)
        body.rotation[i] = test_random_range(random, -1, 1) + (i == 3 ? 1e-3 : 0);
    return body;
}

static bool same(const double *a, const double *b, size_t count)
{
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

uint32_t sim_box_first_difference(const graze_sim *a, const graze_sim *b)
{
    for (uint32_t i = 0; i < graze_sim_body_count(a); i++) {
        graze_sim_body x, y;
        graze_sim_kind_info info;
        if (graze_sim_get_body(a, i, &x, NULL) || graze_sim_get_body(b, i, &y, NULL) ||
            graze_sim_get_kind(a, x.kind, &info, NULL))
            return i;
        if (x.kind != y.kind || !same(x.position, y.position, 3) ||
            !same(x.rotation, y.rotation, 4) || !same(x.velocity, y.velocity, 3) ||
            !same(x.angular_velocity, y.angular_velocity, 3) || x.asleep != y.asleep ||
            !same(x.weights, y.weights, info.mode_count) ||
            !same(x.weight_velocities, y.weight_velocities, info.mode_count))
            return i;
    }
    return UINT32_MAX;
}
