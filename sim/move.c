/* Motion over a step. Modes by the exact solution under the forces that the solver found; strain
 * limits; rigid motion by the velocity at the end of the step, or in free flight by the mean, which
 * is exact; rotation with angular momentum kept.
 */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* ---- modes ---------------------------------------------------------------------------------- */

/* Scales the weights back to the limit, and takes out the speed at which it is left, at the least
 * kinetic energy: the sum of |weight| x strain grows no more.
 */
static void limit_strain(const grazei_sim_kind *kind, double *weights, double *speeds)
{
    double sum = 0, rate = 0, square = 0;
    for (uint32_t j = 0; j < kind->mode_count; j++)
        sum += fabs(weights[j]) * kind->modes[j].strain;
    if (!(kind->max_strain > 0) || !(sum > kind->max_strain))
        return;
    for (uint32_t j = 0; j < kind->mode_count; j++) {
        double strain = kind->modes[j].strain * (weights[j] < 0 ? -1 : 1);
        weights[j] *= kind->max_strain / sum;
        rate += strain * speeds[j];
        square += kind->modes[j].active ? strain * strain * kind->modes[j].inverse_mass : 0;
    }
    if (!(rate > 0) || !(square > 0))
        return;
    for (uint32_t j = 0; j < kind->mode_count; j++)
        if (kind->modes[j].active)
            speeds[j] -= rate / square * kind->modes[j].strain * (weights[j] < 0 ? -1 : 1) *
                         kind->modes[j].inverse_mass;
}

static void move_modes(const graze_sim *sim, const grazei_sim_kind *kind, uint32_t body)
{
    if (!kind->mode_count)
        return;
    double *weights = grazei_sim_weights_of(sim, &sim->weights, body);
    double *speeds = grazei_sim_weights_of(sim, &sim->weight_speeds, body);
    const double *means = grazei_sim_weights_of(sim, &sim->mean_speeds, body);
    for (uint32_t j = 0; j < kind->mode_count; j++) {
        const grazei_sim_mode *mode = &kind->modes[j];
        if (!mode->active)
            continue;
        double u = weights[j], v = speeds[j];
        double more = means[j] - grazei_sim_free_speed(sim, mode, u, v);
        double force = more * sim->def.step / mode->uf;
        weights[j] = mode->uu * u + mode->uv * v + mode->uf * force;
        speeds[j] = mode->vu * u + mode->vv * v + mode->vf * force;
    }
    limit_strain(kind, weights, speeds);
}

/* ---- rigid motion --------------------------------------------------------------------------- */

/* turned by the angle and axis of `by`, radians: exactly that rotation. */
static void turn_by(const double q[4], const double by[3], double out[4])
{
    double angle = sqrt(grazei_dot(by, by)), half = angle / 2;
    double s = angle > 1e-12 ? sin(half) / angle : 0.5, c = cos(half);
    double r[3] = {by[0] * s, by[1] * s, by[2] * s}, across[3];
    grazei_cross(r, q, across);
    double w = c * q[3] - grazei_dot(r, q);
    for (int k = 0; k < 3; k++)
        across[k] += c * q[k] + q[3] * r[k];
    memcpy(out, across, sizeof across);
    out[3] = w;
    grazei_normalise4(out);
}

/* Angular velocity that has an angular momentum in an orientation. */
static void angular_of(const grazei_sim_kind *kind, const double q[4], const double momentum[3],
                       double out[3])
{
    double turn[3][3], local[3];
    grazei_matrix_of(q, turn);
    grazei_times_turned(turn, momentum, local);
    grazei_times(kind->inverse_inertia, local, local);
    grazei_times(turn, local, out);
}

/* By the angular velocity in the middle of the step, which depends on the orientation there: found
 * by going there a few times. Momentum is kept, energy nearly.
 */
static void rotate(const graze_sim *sim, const grazei_sim_kind *kind, grazei_sim_state *state,
                   const double angular[3])
{
    double turn[3][3], momentum[3], middle[3], by[3], q[4];
    grazei_matrix_of(state->rotation, turn);
    grazei_times_turned(turn, angular, momentum);
    grazei_times(kind->inertia, momentum, momentum);
    grazei_times(turn, momentum, momentum);
    memcpy(middle, angular, sizeof middle);
    for (int round = 0; round < 4; round++) {
        for (int k = 0; k < 3; k++)
            by[k] = middle[k] * sim->def.step / 2;
        turn_by(state->rotation, by, q);
        angular_of(kind, q, momentum, middle);
    }
    for (int k = 0; k < 3; k++)
        by[k] = middle[k] * sim->def.step;
    turn_by(state->rotation, by, q);
    memcpy(state->rotation, q, sizeof q);
    angular_of(kind, q, momentum, state->angular);
}

static void move_free(graze_sim *sim, const grazei_sim_kind *kind, uint32_t body)
{
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_moving *moving = &GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, body);
    double h = sim->def.step, angular[3];
    for (int k = 0; k < 3; k++) {
        double before = moving->touched ? moving->velocity[k] : state->velocity[k];
        state->position[k] += h * (before + moving->velocity[k]) / 2;
        state->velocity[k] = moving->velocity[k];
        angular[k] = moving->angular[k];
    }
    rotate(sim, kind, state, angular);
    move_modes(sim, kind, body);
}

static void move_animated(graze_sim *sim, const grazei_sim_kind *kind, uint32_t body)
{
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_target *target = &GRAZEI_SIM_AT(sim->targets, grazei_sim_target, body);
    memcpy(state->position, target->position, sizeof state->position);
    memcpy(state->rotation, target->rotation, sizeof state->rotation);
    if (kind->mode_count)
        memcpy(grazei_sim_weights_of(sim, &sim->weights, body),
               grazei_sim_weights_of(sim, &sim->target_weights, body),
               kind->mode_count * sizeof(double));
    state->has_target = 0;
}

/* An item of graze_pool_for_each. */
static void move_body(void *user, size_t item, uint32_t thread)
{
    (void)thread;
    graze_sim *sim = user;
    uint32_t body = (uint32_t)item;
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    if (kind->motion == GRAZE_SIM_FREE && grazei_sim_moves(sim, body))
        move_free(sim, kind, body);
    else if (kind->motion == GRAZE_SIM_ANIMATED && state->has_target)
        move_animated(sim, kind, body);
    else
        return;
    GRAZEI_SIM_AT(sim->stale, uint8_t, body) = 1;
}

graze_status grazei_sim_move(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    return graze_pool_for_each(pool, sim->bodies.count, move_body, sim, error);
}
