/* Who rests, who is woken, and impulses kept for the next step. */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* Times the speed of sleep that something may tremble with while it rests. */
#define TREMBLE 4

/* Twice the kinetic energy a kilogram, modes included, of what is free. */
static double square_speed(const graze_sim *sim, uint32_t body)
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    double turn[3][3], local[3], momentum[3], sum = 0;
    if (kind->motion != GRAZE_SIM_FREE)
        return 0;
    grazei_matrix_of(state->rotation, turn);
    grazei_times_turned(turn, state->angular, local);
    grazei_times(kind->inertia, local, momentum);
    sum += grazei_dot(momentum, local);
    const double *speeds =
        kind->mode_count ? grazei_sim_weights_of(sim, &sim->weight_speeds, body) : NULL;
    for (uint32_t j = 0; j < kind->mode_count; j++)
        sum += speeds[j] * speeds[j] / kind->modes[j].inverse_mass;
    return sum * kind->inverse_mass + grazei_dot(state->velocity, state->velocity);
}

static bool sleeps(const graze_sim *sim, uint32_t body)
{
    return !(body & GRAZEI_SIM_PLANE) && grazei_sim_body_at(sim, body)->asleep;
}

/* Whether something goes fast at a place on it, as the step begins: all of what is animated, as
 * only what moves is looked at.
 */
static bool is_fast(const graze_sim *sim, uint32_t body, const float point[3])
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    double arm[3], speed[3];
    if (grazei_sim_kind_at(sim, state->kind)->motion != GRAZE_SIM_FREE)
        return true;
    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - state->position[k];
    grazei_cross(state->angular, arm, speed);
    for (int k = 0; k < 3; k++)
        speed[k] += state->velocity[k];
    return grazei_dot(speed, speed) > sim->def.wake_speed * sim->def.wake_speed;
}

void grazei_sim_find_wakes(graze_sim *sim)
{
    uint8_t *wakes = sim->wakes.items;
    if (sim->bodies.count)
        memset(wakes, 0, sim->bodies.count);
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        bool a = sleeps(sim, pair->a), b = sleeps(sim, pair->b);
        if (a == b)
            continue;
        for (uint32_t p = 0; p < pair->spot_count; p++) {
            const grazei_sim_spot *spot =
                &GRAZEI_SIM_AT(sim->spots, grazei_sim_spot, pair->first_spot + p);
            if (is_fast(sim, a ? pair->b : pair->a, spot->point))
                wakes[a ? pair->a : pair->b] = 1;
        }
    }
}

/* A load that rests itself wakes nobody: what is wedged would never sleep. */
void grazei_sim_find_pushed(graze_sim *sim)
{
    uint8_t *wakes = sim->wakes.items;
    double rests = sim->def.sleep_speed;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        bool a = sleeps(sim, pair->a), b = sleeps(sim, pair->b);
        if (a == b)
            continue;
        uint32_t sleeper = a ? pair->a : pair->b, mover = a ? pair->b : pair->a;
        double sum[3] = {0, 0, 0}, most = sim->def.wake_speed;
        for (uint32_t c = 0; c < pair->contact_count; c++)
            for (int k = 0; k < 3; k++)
                sum[k] += GRAZEI_SIM_AT(sim->contacts, graze_sim_contact, pair->first_contact + c)
                              .impulse[k];
        most *= grazei_sim_kind_of(sim, sleeper)->mass;
        if (grazei_dot(sum, sum) > most * most && square_speed(sim, mover) > rests * rests)
            wakes[sleeper] = 1;
    }
}

/* Sleepers that somebody fast has left. */
static void find_left(graze_sim *sim)
{
    uint8_t *wakes = sim->wakes.items;
    size_t next = 0;
    double least = sim->def.wake_speed * sim->def.wake_speed / 4;
    for (size_t w = 0; w < sim->warm.count; w++) {
        const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, w);
        if (warm->b & GRAZEI_SIM_PLANE || sleeps(sim, warm->a) == sleeps(sim, warm->b))
            continue;
        while (next < sim->pairs.count) {
            const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, next);
            if (pair->a > warm->a || (pair->a == warm->a && pair->b >= warm->b))
                break;
            next++;
        }
        const grazei_sim_pair *pair =
            next < sim->pairs.count ? &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, next) : NULL;
        if (pair && pair->a == warm->a && pair->b == warm->b)
            continue;
        uint32_t sleeper = sleeps(sim, warm->a) ? warm->a : warm->b;
        uint32_t mover = sleeper == warm->a ? warm->b : warm->a;
        if (grazei_sim_kind_of(sim, mover)->motion == GRAZE_SIM_FREE &&
            square_speed(sim, mover) > least)
            wakes[sleeper] = 1;
    }
}

/* How far the farthest of its vertices, at rest, may have gone since it began to rest. */
static double distance_gone(const grazei_sim_kind *kind, const grazei_sim_state *state)
{
    double square = 0, cosine = 0;
    for (int k = 0; k < 3; k++)
        square += (state->position[k] - state->rest_position[k]) *
                  (state->position[k] - state->rest_position[k]);
    for (int k = 0; k < 4; k++)
        cosine += state->rotation[k] * state->rest_rotation[k];
    double sine = 1 - cosine * cosine;
    return sqrt(square) + 2 * kind->radius * sqrt(sine > 0 ? sine : 0);
}

/* Rests while it gets no farther, over the time before sleep, than its speed would take it; it may
 * tremble meanwhile, with some of the speed.
 */
static void rest(const graze_sim *sim, uint32_t body)
{
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    double reach = sim->def.sleep_speed * sim->def.sleep_seconds;
    double most = TREMBLE * sim->def.sleep_speed;
    if (square_speed(sim, body) < most * most &&
        distance_gone(grazei_sim_kind_at(sim, state->kind), state) <= reach) {
        state->rested += sim->def.step;
        return;
    }
    state->rested = 0;
    memcpy(state->rest_position, state->position, sizeof state->position);
    memcpy(state->rest_rotation, state->rotation, sizeof state->rotation);
}

static void fall_asleep(const graze_sim *sim, uint32_t body)
{
    grazei_sim_state *state = grazei_sim_body_at(sim, body);
    uint32_t modes = grazei_sim_kind_at(sim, state->kind)->mode_count;
    state->asleep = 1;
    memset(state->velocity, 0, sizeof state->velocity);
    memset(state->angular, 0, sizeof state->angular);
    if (modes)
        memset(grazei_sim_weights_of(sim, &sim->weight_speeds, body), 0, modes * sizeof(double));
}

void grazei_sim_sleep(graze_sim *sim)
{
    const uint8_t *wakes = sim->wakes.items;
    find_left(sim);
    sim->stats.awake = sim->stats.asleep = 0;
    for (uint32_t i = 0; i < sim->bodies.count; i++) {
        grazei_sim_state *state = grazei_sim_body_at(sim, i);
        if (grazei_sim_kind_at(sim, state->kind)->motion != GRAZE_SIM_FREE)
            continue;
        sim->stats.awake += !state->asleep;
        sim->stats.asleep += state->asleep != 0;
        if (state->asleep && wakes[i]) {
            state->asleep = 0;
            state->rested = 0;
            memcpy(state->rest_position, state->position, sizeof state->position);
            memcpy(state->rest_rotation, state->rotation, sizeof state->rotation);
        }
        if (state->asleep || !sim->def.sleeping)
            continue;
        rest(sim, i);
        if (state->rested >= sim->def.sleep_seconds && state->rested > 0)
            fall_asleep(sim, i);
    }
}

void grazei_sim_keep_impulses(graze_sim *sim)
{
    size_t count = 0;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        for (uint32_t p = 0; p < pair->point_count; p++) {
            const grazei_sim_point *point =
                &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + p);
            grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm_next, grazei_sim_warm, count++);
            memset(warm, 0, sizeof *warm);
            warm->a = pair->a;
            warm->b = pair->b;
            grazei_sim_local_point(sim, pair->a, point, warm->local);
            warm->normal = point->impulse[0];
            for (int k = 0; k < 3; k++)
                warm->tangent[k] = point->impulse[1] * point->directions[1][k] +
                                   point->impulse[2] * point->directions[2][k];
        }
    }
    sim->warm_next.count = count;
}

void grazei_sim_swap_impulses(graze_sim *sim)
{
    grazei_sim_list swapped = sim->warm;
    sim->warm = sim->warm_next;
    sim->warm_next = swapped;
}
