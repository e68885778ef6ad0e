/* Bodies and planes: put in, placed, asked. */
#include "sim.h"

#include "vector.h"

#include <string.h>

#define MOST 1e9 /* of coordinates, speeds and weights */

/* ---- checks --------------------------------------------------------------------------------- */

static graze_status check_numbers(const char *name, const double *values, uint32_t count,
                                  graze_error *error)
{
    for (uint32_t i = 0; i < count && values; i++)
        if (!(fabs(values[i]) < MOST))
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s[%u] is %g", name, i, values[i]);
    return GRAZE_OK;
}

static graze_status check_rotation(const double rotation[4], graze_error *error)
{
    graze_status status = check_numbers("rotation", rotation, 4, error);
    double square = 0;
    for (int k = 0; k < 4 && !status; k++)
        square += rotation[k] * rotation[k];
    if (!status && !(square > 1e-30) && square != 0)
        status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "the rotation is next to zero");
    return status;
}

/* All 0: not turned. */
static void take_rotation(double to[4], const double from[4])
{
    memcpy(to, from, 4 * sizeof *to);
    if (to[0] == 0 && to[1] == 0 && to[2] == 0 && to[3] == 0)
        to[3] = 1;
    grazei_normalise4(to);
}

static graze_status check_body(const graze_sim *sim, const graze_sim_body *def, graze_error *error)
{
    if (def->kind >= sim->kinds.count)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "kind %u: there are %zu", def->kind,
                               sim->kinds.count);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, def->kind);
    graze_status status = check_numbers("position", def->position, 3, error);
    if (!status)
        status = check_rotation(def->rotation, error);
    if (!status)
        status = check_numbers("velocity", def->velocity, 3, error);
    if (!status)
        status = check_numbers("angular_velocity", def->angular_velocity, 3, error);
    if (!status)
        status = check_numbers("weights", def->weights, kind->mode_count, error);
    if (!status)
        status =
            check_numbers("weight_velocities", def->weight_velocities, kind->mode_count, error);
    if (status || kind->motion == GRAZE_SIM_FREE)
        return status;
    for (int k = 0; k < 3; k++)
        if (def->velocity[k] != 0 || def->angular_velocity[k] != 0)
            return grazei_sim_fail(error, GRAZE_BAD_INPUT, "velocity of a body that is not free");
    return GRAZE_OK;
}

/* ---- state ---------------------------------------------------------------------------------- */

static void take_state(graze_sim *sim, uint32_t body, const graze_sim_body *def)
{
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, def->kind);
    double *weights = grazei_sim_weights_of(sim, &sim->weights, body);
    double *speeds = grazei_sim_weights_of(sim, &sim->weight_speeds, body);
    memcpy(state->position, def->position, sizeof state->position);
    take_rotation(state->rotation, def->rotation);
    memcpy(state->velocity, def->velocity, sizeof state->velocity);
    memcpy(state->angular, def->angular_velocity, sizeof state->angular);
    state->rested = 0;
    memcpy(state->rest_position, state->position, sizeof state->position);
    memcpy(state->rest_rotation, state->rotation, sizeof state->rotation);
    state->asleep = def->asleep && kind->motion == GRAZE_SIM_FREE;
    for (uint32_t j = 0; j < kind->mode_count; j++) {
        bool moves = kind->motion != GRAZE_SIM_FREE || kind->modes[j].active;
        weights[j] = moves && def->weights ? def->weights[j] : 0;
        speeds[j] = kind->motion == GRAZE_SIM_FREE && moves && def->weight_velocities
                        ? def->weight_velocities[j]
                        : 0;
    }
    GRAZEI_SIM_AT(sim->stale, uint8_t, body) = 1;
}

static graze_status reserve_body(graze_sim *sim, uint32_t modes, graze_error *error)
{
    size_t bodies = sim->bodies.count + 1, weights = sim->weights.count + modes;
    if (bodies >= GRAZEI_SIM_PLANE || weights >= UINT32_MAX)
        return grazei_sim_fail(error, GRAZE_UNSUPPORTED, "too many bodies");
    if (!grazei_sim_reserve(sim, &sim->bodies, bodies, sizeof(grazei_sim_state)) ||
        !grazei_sim_reserve(sim, &sim->targets, bodies, sizeof(grazei_sim_target)) ||
        !grazei_sim_reserve(sim, &sim->posed, bodies, sizeof(graze_body *)) ||
        !grazei_sim_reserve(sim, &sim->stale, bodies, sizeof(uint8_t)) ||
        !grazei_sim_reserve(sim, &sim->wakes, bodies, sizeof(uint8_t)) ||
        !grazei_sim_reserve(sim, &sim->uses, bodies, sizeof(uint32_t)) ||
        !grazei_sim_reserve(sim, &sim->marks, bodies, sizeof(uint64_t)) ||
        !grazei_sim_reserve(sim, &sim->moving, bodies, sizeof(grazei_sim_moving)) ||
        !grazei_sim_reserve(sim, &sim->members, sim->members.count + 1, sizeof(uint32_t)) ||
        !grazei_sim_reserve(sim, &sim->weights, weights, sizeof(double)) ||
        !grazei_sim_reserve(sim, &sim->weight_speeds, weights, sizeof(double)) ||
        !grazei_sim_reserve(sim, &sim->target_weights, weights, sizeof(double)) ||
        !grazei_sim_reserve(sim, &sim->mean_speeds, weights, sizeof(double)))
        return grazei_sim_out_of_memory(error);
    return GRAZE_OK;
}

graze_status graze_sim_add_body(graze_sim *sim, const graze_sim_body *def, uint32_t *body,
                                graze_error *error)
{
    if (!sim || !def || !body)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               !sim   ? "the simulation"
                               : !def ? "the def"
                                      : "the place for the body");
    graze_status status = check_body(sim, def, error);
    if (status)
        return status;
    grazei_sim_kind *kind = &GRAZEI_SIM_AT(sim->kinds, grazei_sim_kind, def->kind);
    status = reserve_body(sim, kind->mode_count, error);
    if (status)
        return status;
    graze_body *posed;
    graze_world_id id;
    graze_world_member_def member = {0};
    member.category = GRAZEI_SIM_BODIES;
    status = graze_body_create_lean(kind->caches, &posed, error);
    if (status)
        return status;
    status = graze_world_add_body(sim->world, posed, &member, &id, error);
    if (status) {
        graze_body_destroy(posed);
        return status;
    }
    uint32_t number = (uint32_t)sim->bodies.count;
    GRAZEI_SIM_AT(sim->members, uint32_t, sim->members.count++) = number;
    GRAZEI_SIM_AT(sim->posed, graze_body *, number) = posed;
    grazei_sim_state *state = grazei_sim_body_at(sim, number);
    memset(state, 0, sizeof *state);
    state->kind = def->kind;
    state->first_weight = (uint32_t)sim->weights.count;
    sim->weights.count += kind->mode_count;
    sim->bodies.count++;
    kind->body_count++;
    take_state(sim, number, def);
    *body = number;
    return GRAZE_OK;
}

static graze_status check_number(const graze_sim *sim, uint32_t body, graze_error *error)
{
    if (!sim)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the simulation is NULL");
    if (body >= sim->bodies.count)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "body %u: there are %zu", body,
                               sim->bodies.count);
    return GRAZE_OK;
}

graze_status graze_sim_set_body(graze_sim *sim, uint32_t body, const graze_sim_body *def,
                                graze_error *error)
{
    graze_status status = check_number(sim, body, error);
    if (!status && !def)
        status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "the def is NULL");
    if (!status)
        status = check_body(sim, def, error);
    if (!status && (def->kind != grazei_sim_body_at(sim, body)->kind ||
                    grazei_sim_kind_at(sim, def->kind)->motion != GRAZE_SIM_FREE))
        status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "body %u is of another kind, or not free",
                                 body);
    if (status)
        return status;
    take_state(sim, body, def);
    grazei_sim_wake_around(sim, body);
    return GRAZE_OK;
}

graze_status graze_sim_get_body(const graze_sim *sim, uint32_t body, graze_sim_body *state,
                                graze_error *error)
{
    graze_status status = check_number(sim, body, error);
    if (!status && !state)
        status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "the place for the state is NULL");
    if (status)
        return status;
    const grazei_sim_state *from = grazei_sim_body_at(sim, body);
    bool has_modes = grazei_sim_kind_at(sim, from->kind)->mode_count > 0;
    *state = (graze_sim_body){.kind = from->kind, .asleep = from->asleep != 0};
    memcpy(state->position, from->position, sizeof state->position);
    memcpy(state->rotation, from->rotation, sizeof state->rotation);
    memcpy(state->velocity, from->velocity, sizeof state->velocity);
    memcpy(state->angular_velocity, from->angular, sizeof state->angular_velocity);
    if (has_modes) {
        state->weights = grazei_sim_weights_of(sim, &sim->weights, body);
        state->weight_velocities = grazei_sim_weights_of(sim, &sim->weight_speeds, body);
    }
    return GRAZE_OK;
}

/* ---- placements ----------------------------------------------------------------------------- */

/* Placement and weights as floats. */
static void place(const graze_sim *sim, uint32_t body, float placement[12], float *weights)
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    double turn[3][3], moved[3];
    grazei_matrix_of(state->rotation, turn);
    grazei_times(turn, kind->centre, moved);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            placement[4 * r + c] = (float)turn[r][c];
        placement[4 * r + 3] = (float)(state->position[r] - moved[r]);
    }
    const double *from = kind->mode_count ? grazei_sim_weights_of(sim, &sim->weights, body) : NULL;
    for (uint32_t j = 0; j < kind->mode_count && weights; j++)
        weights[j] = (float)from[j];
}

graze_status graze_sim_get_placement(const graze_sim *sim, uint32_t body, float placement[12],
                                     float *weights, graze_error *error)
{
    graze_status status = check_number(sim, body, error);
    if (!status && !placement)
        status = grazei_sim_fail(error, GRAZE_BAD_INPUT, "the place for the placement is NULL");
    if (!status)
        place(sim, body, placement, weights);
    return status;
}

graze_status grazei_sim_pose(graze_sim *sim, uint32_t body, graze_error *error)
{
    float placement[12], weights[GRAZE_SIM_MAX_MODES];
    uint32_t modes = grazei_sim_kind_of(sim, body)->mode_count;
    place(sim, body, placement, weights);
    graze_pose pose = {0};
    pose.placement = placement;
    pose.morph_weights = modes ? weights : NULL;
    pose.morph_count = modes;
    return graze_body_set_pose(GRAZEI_SIM_AT(sim->posed, graze_body *, body), &pose, error);
}

void grazei_sim_forget_poses(graze_sim *sim)
{
    if (sim->bodies.count)
        memset(sim->stale.items, 1, sim->bodies.count);
}

graze_status graze_sim_set_animated(graze_sim *sim, uint32_t body, const double position[3],
                                    const double rotation[4], const double *weights,
                                    uint32_t weight_count, graze_error *error)
{
    graze_status status = check_number(sim, body, error);
    if (status)
        return status;
    const grazei_sim_kind *kind = grazei_sim_kind_of(sim, body);
    if (!position || !rotation)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "the %s is NULL",
                               position ? "rotation" : "position");
    if (kind->motion != GRAZE_SIM_ANIMATED)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "body %u is not animated", body);
    if (weight_count != (weights ? kind->mode_count : 0))
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%u weights, the kind has %u modes",
                               weight_count, kind->mode_count);
    status = check_numbers("position", position, 3, error);
    if (!status)
        status = check_rotation(rotation, error);
    if (!status)
        status = check_numbers("weights", weights, weight_count, error);
    if (status)
        return status;
    grazei_sim_target *target = &GRAZEI_SIM_AT(sim->targets, grazei_sim_target, body);
    memcpy(target->position, position, sizeof target->position);
    take_rotation(target->rotation, rotation);
    if (kind->mode_count)
        memcpy(grazei_sim_weights_of(sim, &sim->target_weights, body),
               weights ? weights : grazei_sim_weights_of(sim, &sim->weights, body),
               kind->mode_count * sizeof(double));
    grazei_sim_body_at(sim, body)->has_target = 1;
    return GRAZE_OK;
}

/* ---- planes --------------------------------------------------------------------------------- */

graze_status graze_sim_add_plane(graze_sim *sim, const graze_sim_plane *def, uint32_t *plane,
                                 graze_error *error)
{
    if (!sim || !def || !plane)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "%s is NULL",
                               !sim   ? "the simulation"
                               : !def ? "the def"
                                      : "the place for the plane");
    if (!isfinite(def->friction) || def->friction < 0)
        return grazei_sim_fail(error, GRAZE_BAD_INPUT, "friction is %g", def->friction);
    if (sim->planes.count + 1 >= GRAZEI_SIM_PLANE)
        return grazei_sim_fail(error, GRAZE_UNSUPPORTED, "too many planes");
    if (!grazei_sim_reserve(sim, &sim->planes, sim->planes.count + 1, sizeof *def) ||
        !grazei_sim_reserve(sim, &sim->members, sim->members.count + 1, sizeof(uint32_t)))
        return grazei_sim_out_of_memory(error);
    graze_shape shape = {.kind = GRAZE_HALF_SPACE, .as.plane = def->half_space};
    graze_world_member_def member = {0};
    graze_world_id id;
    member.category = GRAZEI_SIM_PLANES;
    graze_status status = graze_world_add_shape(sim->world, &shape, &member, &id, error);
    if (status)
        return status;
    uint32_t number = (uint32_t)sim->planes.count++;
    GRAZEI_SIM_AT(sim->planes, graze_sim_plane, number) = *def;
    GRAZEI_SIM_AT(sim->members, uint32_t, sim->members.count++) = number | GRAZEI_SIM_PLANE;
    *plane = number;
    return GRAZE_OK;
}
