/* Who rests, who is woken, and impulses kept for the next step. */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* Times the speed of sleep that something may tremble with while it rests. */
#define TREMBLE 4

/* Share of its weight that something bears of a sleeper, so that it wakes when that goes. */
#define CARRIES 0.02

/* Metres by which what touched must be apart to be gone: who trembles comes back. */
#define GONE 0.003

/* Times its weight by which a sleeper must be pressed more than before to wake. */
#define PRESSES 3

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

/* Where a pair is among those that meet now; pairs and records are in one order, so `next` goes on.
 */
static bool meets(const graze_sim *sim, const grazei_sim_warm *warm, size_t *next)
{
    for (; *next < sim->pairs.count; ++*next) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, *next);
        if (pair->a > warm->a || (pair->a == warm->a && pair->b >= warm->b))
            return pair->a == warm->a && pair->b == warm->b;
    }
    return false;
}

/* Of two that both stay where they are nothing is found anew. */
static bool stays(const graze_sim *sim, const grazei_sim_warm *warm)
{
    return !grazei_sim_is_active(sim, warm->a) &&
           (warm->b & GRAZEI_SIM_PLANE || !grazei_sim_is_active(sim, warm->b));
}

static double weight_over_step(const graze_sim *sim, uint32_t body)
{
    const double *gravity = sim->def.gravity;
    return grazei_sim_kind_of(sim, body)->mass * sqrt(grazei_dot(gravity, gravity)) * sim->def.step;
}

/* Whether a contact bears a noticeable part of a body's weight. */
static bool carries(const graze_sim *sim, const grazei_sim_warm *warm, uint32_t body)
{
    return warm->held > CARRIES * weight_over_step(sim, body);
}

/* Whether the places that touched are apart now. */
static bool is_gone(const graze_sim *sim, const grazei_sim_warm *warm)
{
    const grazei_sim_state *a = grazei_sim_body_at(sim, warm->a),
                           *b = grazei_sim_body_at(sim, warm->b);
    double turn[3][3], at[2][3], square = 0;
    grazei_matrix_of(a->rotation, turn);
    grazei_times(turn, warm->local, at[0]);
    grazei_matrix_of(b->rotation, turn);
    grazei_times(turn, warm->other, at[1]);
    for (int k = 0; k < 3; k++) {
        double between = a->position[k] + at[0][k] - b->position[k] - at[1][k];
        square += between * between;
    }
    return square > GONE * GONE;
}

/* Whether the contact of a sleeper is to be remembered though it is not there now. */
static bool may_return(const graze_sim *sim, const grazei_sim_warm *warm)
{
    if (warm->b & GRAZEI_SIM_PLANE || is_gone(sim, warm))
        return false;
    return (sleeps(sim, warm->a) && carries(sim, warm, warm->a)) ||
           (sleeps(sim, warm->b) && carries(sim, warm, warm->b));
}

/* Sleepers whom something has left that carried them, however slowly. */
static void find_left(graze_sim *sim)
{
    uint8_t *wakes = sim->wakes.items;
    size_t next = 0;
    for (size_t w = 0; w < sim->warm.count; w++) {
        const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, w);
        if (warm->b & GRAZEI_SIM_PLANE || stays(sim, warm) || meets(sim, warm, &next) ||
            !is_gone(sim, warm))
            continue;
        if (sleeps(sim, warm->a) && carries(sim, warm, warm->a))
            wakes[warm->a] = 1;
        if (sleeps(sim, warm->b) && carries(sim, warm, warm->b))
            wakes[warm->b] = 1;
    }
}

void grazei_sim_find_wakes(graze_sim *sim)
{
    uint8_t *wakes = sim->wakes.items;
    if (sim->bodies.count)
        memset(wakes, 0, sim->bodies.count);
    find_left(sim);
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

static void wake(grazei_sim_state *state)
{
    state->asleep = 0;
    state->rested = 0;
    memcpy(state->rest_position, state->position, sizeof state->position);
    memcpy(state->rest_rotation, state->rotation, sizeof state->rotation);
}

void grazei_sim_wake_around(graze_sim *sim, uint32_t body)
{
    for (size_t w = 0; w < sim->warm.count; w++) {
        const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, w);
        if (warm->b & GRAZEI_SIM_PLANE || (warm->a != body && warm->b != body))
            continue;
        grazei_sim_state *other = grazei_sim_body_at(sim, warm->a == body ? warm->b : warm->a);
        if (other->asleep)
            wake(other);
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
    sim->stats.awake = sim->stats.asleep = 0;
    for (uint32_t i = 0; i < sim->bodies.count; i++) {
        grazei_sim_state *state = grazei_sim_body_at(sim, i);
        if (grazei_sim_kind_at(sim, state->kind)->motion != GRAZE_SIM_FREE)
            continue;
        sim->stats.awake += !state->asleep;
        sim->stats.asleep += state->asleep != 0;
        if (state->asleep && wakes[i])
            wake(state);
        if (state->asleep || sim->def.no_sleeping)
            continue;
        rest(sim, i);
        if (state->rested >= sim->def.sleep_seconds && state->rested > 0)
            fall_asleep(sim, i);
    }
}

/* What a pair bore when one of the two fell asleep; below 0 while none sleeps, or it is new. */
static double held_before(const graze_sim *sim, const grazei_sim_pair *pair)
{
    double most = -1;
    if (!sleeps(sim, pair->a) && !sleeps(sim, pair->b))
        return most;
    for (size_t w = grazei_sim_find_warm(sim, pair->a, pair->b); w < sim->warm.count; w++) {
        const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, w);
        if (warm->a != pair->a || warm->b != pair->b)
            break;
        most = warm->held > most ? warm->held : most;
    }
    return most;
}

/* A sleeper that is pressed by much more than it bore wakes, for the next step. */
static void find_pressed(graze_sim *sim, const grazei_sim_pair *pair, double held, double impulse)
{
    uint8_t *wakes = sim->wakes.items;
    bool a = sleeps(sim, pair->a), b = sleeps(sim, pair->b);
    uint32_t sleeper = a ? pair->a : pair->b;
    if (a != b && impulse > held + PRESSES * weight_over_step(sim, sleeper))
        wakes[sleeper] = 1;
}

static void keep_pair(graze_sim *sim, const grazei_sim_pair *pair)
{
    double held = held_before(sim, pair);
    for (uint32_t p = 0; p < pair->point_count; p++) {
        const grazei_sim_point *point =
            &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + p);
        grazei_sim_warm *warm =
            &GRAZEI_SIM_AT(sim->warm_next, grazei_sim_warm, sim->warm_next.count++);
        memset(warm, 0, sizeof *warm);
        warm->a = pair->a;
        warm->b = pair->b;
        grazei_sim_local_point(sim, pair->a, point->arms[0], warm->local);
        if (!(pair->b & GRAZEI_SIM_PLANE))
            grazei_sim_local_point(sim, pair->b, point->arms[1], warm->other);
        warm->normal = point->impulse[0];
        warm->held = held < 0 ? warm->normal : held;
        find_pressed(sim, pair, held < 0 ? 0 : held, warm->normal);
        for (int k = 0; k < 3; k++)
            warm->tangent[k] = point->impulse[1] * point->directions[1][k] +
                               point->impulse[2] * point->directions[2][k];
    }
}

static int compare(const grazei_sim_warm *warm, const grazei_sim_pair *pair)
{
    if (warm->a != pair->a)
        return warm->a < pair->a ? -1 : 1;
    return warm->b < pair->b ? -1 : warm->b > pair->b;
}

/* A record of a pair that has no points now. */
static void keep_old(graze_sim *sim, const grazei_sim_warm *warm)
{
    bool same = stays(sim, warm);
    if (!same && !may_return(sim, warm))
        return;
    grazei_sim_warm *kept = &GRAZEI_SIM_AT(sim->warm_next, grazei_sim_warm, sim->warm_next.count++);
    *kept = *warm;
    if (same)
        return;
    kept->normal = 0;
    memset(kept->tangent, 0, sizeof kept->tangent);
}

/* In order: those of this step, and of those before it what rests or may come back. */
void grazei_sim_keep_impulses(graze_sim *sim)
{
    size_t old = 0, count = sim->pairs.count;
    sim->warm_next.count = 0;
    for (size_t i = 0; i <= count; i++) {
        const grazei_sim_pair *pair =
            i < count ? &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i) : NULL;
        for (; old < sim->warm.count; old++) {
            const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, old);
            int order = pair ? compare(warm, pair) : -1;
            if (order > 0)
                break;
            if (order < 0)
                keep_old(sim, warm);
        }
        if (pair)
            keep_pair(sim, pair);
    }
}

void grazei_sim_swap_impulses(graze_sim *sim)
{
    grazei_sim_list swapped = sim->warm;
    sim->warm = sim->warm_next;
    sim->warm_next = swapped;
}
