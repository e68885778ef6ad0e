/* What bodies of a kind share: mass, modes over a step, shapes by vertex. */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* ---- modes ---------------------------------------------------------------------------------- */

/* The damped oscillator over h seconds, solved: from u and v, and under a constant force. */
static grazei_sim_mode solve_mode(const graze_sim_mode *from, double h)
{
    const double pi = 3.14159265358979323846;
    double w = 2 * pi * from->frequency, decay = from->damping * w;
    double turning = w * sqrt(1 - from->damping * from->damping);
    double e = exp(-decay * h), c = cos(turning * h), s = sin(turning * h) / turning;
    grazei_sim_mode mode = {.inverse_mass = 1 / (from->scale * from->scale),
                            .stiffness = w * w,
                            .strain = from->strain};
    mode.uu = e * (c + decay * s);
    mode.uv = e * s;
    mode.vu = -w * w * e * s;
    mode.vv = e * (c - decay * s);
    /* 1 - uu loses digits for slow modes: half angles, and e^-x - 1, do not. */
    double half = sin(turning * h / 2);
    mode.uf = (-expm1(-decay * h) + e * (2 * half * half - decay * s)) / (w * w);
    mode.vf = e * s;
    mode.give = mode.inverse_mass * mode.uf / (h * h);
    mode.active = from->frequency * h < 0.5 && mode.give > 0;
    return mode;
}

/* ---- checks --------------------------------------------------------------------------------- */

static graze_status check_number(const char *name, double value, bool above, graze_error *error)
{
    if (isfinite(value) && value >= 0 && value <= 1e30 && (!above || value > 0))
        return GRAZE_OK;
    return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is %g", name, value);
}

static graze_status check_modes(const graze_sim_kind_def *def, graze_error *error)
{
    graze_status status = GRAZE_OK;
    for (uint32_t j = 0; j < def->mode_count && !status; j++) {
        const graze_sim_mode *mode = &def->modes[j];
        const struct {
            const char *name;
            double value;
            bool above;
        } numbers[] = {{"frequency", mode->frequency, true},
                       {"damping", mode->damping, false},
                       {"scale", mode->scale, true},
                       {"strain", mode->strain, false}};
        for (int k = 0; k < 4 && !status; k++)
            if (check_number(numbers[k].name, numbers[k].value, numbers[k].above, NULL))
                status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s of mode %u is %g",
                                         numbers[k].name, j, numbers[k].value);
        if (!status && mode->damping >= 1)
            status = grazei_sim_fail(error, GRAZE_BAD_INPUT,
                                     "damping of mode %u is %g, not below 1", j, mode->damping);
    }
    return status;
}

static bool invert(const double m[3][3], double out[3][3])
{
    double rows[3][3];
    grazei_cross(m[1], m[2], rows[0]);
    grazei_cross(m[2], m[0], rows[1]);
    grazei_cross(m[0], m[1], rows[2]);
    double determinant = grazei_dot(m[0], rows[0]);
    if (!(m[0][0] > 0) || !(rows[2][2] > 0) || !(determinant > 0))
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            out[r][c] = rows[c][r] / determinant;
            if (!isfinite(out[r][c]))
                return false;
        }
    return true;
}

static graze_status check_inertia(const graze_sim_kind_def *def, graze_error *error)
{
    double inverse[3][3], trace = 0;
    for (int k = 0; k < 3; k++)
        trace += fabs(def->inertia[k][k]);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(def->inertia[r][c]) ||
                !(fabs(def->inertia[r][c] - def->inertia[c][r]) <= 1e-9 * trace))
                return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                                       "inertia[%d][%d] is not finite, or not symmetric", r, c);
    if (!invert(def->inertia, inverse))
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "inertia is not positive");
    return GRAZE_OK;
}

static graze_status check_arrays(const graze_sim_kind_def *def, graze_error *error)
{
    size_t vertices = def->vertex_count;
    if (!def->positions)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "positions is NULL");
    if (def->mode_count && !def->deltas)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "deltas is NULL");
    if (def->mode_count && def->motion == GRAZE_SIM_FREE && !def->modes)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "modes is NULL");
    for (size_t i = 0; i < 3 * vertices; i++)
        if (!isfinite(def->positions[i]))
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "position of vertex %zu is not finite",
                                   i / 3);
    for (size_t i = 0; i < 3 * vertices * def->mode_count; i++)
        if (!isfinite(def->deltas[i]))
            return grazei_sim_fail(error, GRAZE_BAD_INPUT,
                                   "delta of vertex %zu in mode %zu is not finite",
                                   i / 3 % vertices, i / 3 / vertices);
    return GRAZE_OK;
}

static graze_status check_def(const graze_sim_kind_def *def, graze_error *error)
{
    if (!def->model)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the model is NULL");
    graze_model_info info = graze_model_get_info(def->model);
    if (info.joint_count != 1)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the model has %u joints, not 1",
                               info.joint_count);
    if (info.vertex_count != def->vertex_count || info.morph_count != def->mode_count)
        return grazei_sim_fail(
            error, GRAZE_BAD_INPUT,
            "the model has %u vertices and %u morph targets, the kind %u and %u modes",
            info.vertex_count, info.morph_count, def->vertex_count, def->mode_count);
    if (def->mode_count > GRAZE_SIM_MAX_MODES)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%u modes, at most %d", def->mode_count,
                               GRAZE_SIM_MAX_MODES);
    if (def->motion != GRAZE_SIM_FREE && def->motion != GRAZE_SIM_FIXED &&
        def->motion != GRAZE_SIM_ANIMATED)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "motion is %d", (int)def->motion);
    for (int k = 0; k < 3; k++)
        if (!isfinite(def->centre[k]) || fabs(def->centre[k]) > 1e9)
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "centre[%d] is %g", k, def->centre[k]);
    bool free = def->motion == GRAZE_SIM_FREE;
    graze_status status = check_arrays(def, error);
    if (!status && free)
        status = check_number("mass", def->mass, true, error);
    if (!status && free)
        status = check_inertia(def, error);
    if (!status && free)
        status = check_modes(def, error);
    if (!status)
        status = check_number("max_strain", def->max_strain, false, error);
    if (!status)
        status = check_number("stiffness", def->stiffness, false, error);
    if (!status)
        status = check_number("damping", def->damping, false, error);
    if (!status)
        status = check_number("friction", def->friction, false, error);
    return status ? status : grazei_sim_check_reserved(def->reserved, sizeof def->reserved, error);
}

/* ---- making one ----------------------------------------------------------------------------- */

static void copy_shapes(grazei_sim_kind *kind, const graze_sim_kind_def *def)
{
    size_t vertices = def->vertex_count, modes = def->mode_count;
    memcpy(kind->rest, def->positions, 3 * vertices * sizeof(float));
    for (size_t j = 0; j < modes; j++)
        for (size_t v = 0; v < vertices; v++)
            memcpy(&kind->shapes[3 * (v * modes + j)], &def->deltas[3 * (j * vertices + v)],
                   3 * sizeof(float));
    for (size_t v = 0; v < vertices; v++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = kind->rest[3 * v + k] - kind->centre[k];
        double length = sqrt(grazei_dot(from, from));
        kind->radius = length > kind->radius ? length : kind->radius;
    }
}

static void copy_numbers(grazei_sim_kind *kind, const graze_sim_kind_def *def)
{
    *kind = (grazei_sim_kind){.model = def->model,
                              .motion = def->motion,
                              .vertex_count = def->vertex_count,
                              .mode_count = def->mode_count,
                              .max_strain = def->max_strain,
                              .stiffness = def->stiffness != 0 ? def->stiffness : 2e5,
                              .damping = def->undamped       ? 0
                                         : def->damping != 0 ? def->damping
                                                             : 4e3,
                              .friction = def->frictionless    ? 0
                                          : def->friction != 0 ? def->friction
                                                               : 0.4};
    memcpy(kind->centre, def->centre, sizeof kind->centre);
    if (def->motion != GRAZE_SIM_FREE)
        return;
    kind->mass = def->mass;
    kind->inverse_mass = 1 / def->mass;
    memcpy(kind->inertia, def->inertia, sizeof kind->inertia);
    invert(def->inertia, kind->inverse_inertia);
}

static graze_status make(graze_sim *sim, grazei_sim_kind *kind, const graze_sim_kind_def *def,
                         graze_error *error)
{
    copy_numbers(kind, def);
    size_t vertices = def->vertex_count, modes = def->mode_count;
    kind->rest = grazei_sim_allocate(&sim->allocator, 3 * vertices, sizeof(float));
    kind->shapes = grazei_sim_allocate(&sim->allocator, 3 * vertices * modes, sizeof(float));
    kind->modes = grazei_sim_allocate(&sim->allocator, modes, sizeof *kind->modes);
    kind->given = grazei_sim_allocate(&sim->allocator, modes, sizeof *kind->given);
    if (!kind->rest || !kind->shapes || !kind->modes || !kind->given)
        return grazei_sim_out_of_memory(error);
    copy_shapes(kind, def);
    for (size_t j = 0; j < modes && def->modes && def->motion == GRAZE_SIM_FREE; j++) {
        kind->given[j] = def->modes[j];
        kind->modes[j] = solve_mode(&def->modes[j], sim->def.step);
        kind->active_modes += kind->modes[j].active;
    }
    graze_status status = graze_cache_pool_create(def->model, NULL, &kind->caches, error);
    if (!status)
        status = grazei_sim_find_proxies(sim, kind, error);
    return status;
}

void grazei_sim_release_kind(const graze_sim *sim, grazei_sim_kind *kind)
{
    graze_cache_pool_destroy(kind->caches);
    void *memory[] = {kind->rest, kind->shapes, kind->modes, kind->given, kind->proxy_triangles};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        grazei_sim_release(&sim->allocator, memory[i]);
}

graze_status graze_sim_add_kind(graze_sim *sim, const graze_sim_kind_def *def, uint32_t *kind,
                                graze_error *error)
{
    if (!sim || !def || !kind)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               !sim   ? "the simulation"
                               : !def ? "the def"
                                      : "the place for the kind");
    graze_status status = check_def(def, error);
    if (status)
        return status;
    if (!grazei_sim_reserve(sim, &sim->kinds, sim->kinds.count + 1, sizeof(grazei_sim_kind)))
        return grazei_sim_out_of_memory(error);
    grazei_sim_kind made;
    status = make(sim, &made, def, error);
    if (status) {
        grazei_sim_release_kind(sim, &made);
        return status;
    }
    GRAZEI_SIM_AT(sim->kinds, grazei_sim_kind, sim->kinds.count) = made;
    *kind = (uint32_t)sim->kinds.count++;
    return GRAZE_OK;
}

graze_status graze_sim_get_kind(const graze_sim *sim, uint32_t kind, graze_sim_kind_info *info,
                                graze_error *error)
{
    if (!sim || !info)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               sim ? "the place for the kind" : "the simulation");
    if (kind >= sim->kinds.count)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "kind %u: there are %zu", kind,
                               sim->kinds.count);
    const grazei_sim_kind *from = grazei_sim_kind_at(sim, kind);
    graze_cache_pool_info caches = graze_cache_pool_get_info(from->caches);
    *info = (graze_sim_kind_info){.model = from->model,
                                  .motion = from->motion,
                                  .body_count = from->body_count,
                                  .mode_count = from->mode_count,
                                  .active_modes = from->active_modes,
                                  .mass = from->mass,
                                  .proxies = from->proxies,
                                  .proxy_radius = from->proxy_radius,
                                  .proxy_count = from->proxy_count,
                                  .caches = caches.made,
                                  .cache_bytes = caches.cache_bytes,
                                  .body_bytes = caches.body_bytes};
    return GRAZE_OK;
}
