/* Impulses at all points: Gauss and Seidel's method over pairs, colour by colour, projected onto
 * what contacts can do: push, and rub as much as they push.
 */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* Pairs of a colour that one thread takes at a time; fewer than two such runs are not worth it. */
enum { RUN = 16 };

bool grazei_sim_moves(const graze_sim *sim, uint32_t body)
{
    return GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, body).inverse_mass > 0;
}

/* ---- bodies before impulses ----------------------------------------------------------------- */

double grazei_sim_free_speed(const graze_sim *sim, const grazei_sim_mode *mode, double weight,
                             double speed)
{
    return ((mode->uu - 1) * weight + mode->uv * speed) / sim->def.step;
}

static void start_body(void *user, size_t item, uint32_t thread)
{
    (void)thread;
    graze_sim *sim = user;
    uint32_t body = (uint32_t)item;
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    grazei_sim_moving *moving = &GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, body);
    memset(moving, 0, sizeof *moving);
    bool wakes = state->asleep && GRAZEI_SIM_AT(sim->wakes, uint8_t, body);
    if (kind->motion != GRAZE_SIM_FREE || (state->asleep && !wakes))
        return;
    double turn[3][3];
    grazei_matrix_of(state->rotation, turn);
    grazei_turn_matrix(turn, kind->inverse_inertia, moving->inverse_inertia);
    moving->inverse_mass = kind->inverse_mass;
    for (int k = 0; k < 3; k++) {
        /* Who wakes lay on something that nobody looked at in this step. */
        moving->velocity[k] = state->velocity[k];
        moving->velocity[k] += wakes ? 0 : sim->def.step * sim->def.gravity[k];
        moving->angular[k] = state->angular[k];
    }
    if (!kind->mode_count)
        return;
    const double *weights = grazei_sim_weights_of(sim, &sim->weights, body);
    const double *speeds = grazei_sim_weights_of(sim, &sim->weight_speeds, body);
    double *means = grazei_sim_weights_of(sim, &sim->mean_speeds, body);
    for (uint32_t j = 0; j < kind->mode_count; j++)
        means[j] = kind->modes[j].active
                       ? grazei_sim_free_speed(sim, &kind->modes[j], weights[j], speeds[j])
                       : 0;
}

/* ---- impulses ------------------------------------------------------------------------------- */

/* One of the two of a pair, as the solver sees it. */
typedef struct side {
    grazei_sim_moving *moving;
    double *means;
    const grazei_sim_mode *modes;
    uint32_t mode_count;
} side;

static side side_of(const graze_sim *sim, uint32_t body)
{
    side out = {0};
    if (body & GRAZEI_SIM_PLANE)
        return out;
    const grazei_sim_kind *kind = grazei_sim_kind_of(sim, body);
    out.moving = &GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, body);
    out.mode_count = kind->mode_count;
    if (kind->mode_count) {
        out.means = grazei_sim_weights_of(sim, &sim->mean_speeds, body);
        out.modes = kind->modes;
    }
    return out;
}

/* Speed of a side's surface along a direction. */
static double speed_of(const side *own, const grazei_sim_point *point, const double *rows, int s,
                       int d)
{
    if (!own->moving || !(own->moving->inverse_mass > 0))
        return 0;
    double turned[3], sum;
    grazei_cross(own->moving->angular, point->arms[s], turned);
    sum = grazei_dot(point->directions[d], own->moving->velocity) +
          grazei_dot(point->directions[d], turned);
    rows += (size_t)d * own->mode_count;
    for (uint32_t j = 0; j < own->mode_count; j++)
        sum += rows[j] * own->means[j];
    return sum;
}

static void push(const side *own, const grazei_sim_point *point, const double *rows, int s, int d,
                 double impulse)
{
    if (!own->moving || !(own->moving->inverse_mass > 0))
        return;
    for (int k = 0; k < 3; k++) {
        own->moving->velocity[k] += impulse * own->moving->inverse_mass * point->directions[d][k];
        own->moving->angular[k] += impulse * point->turns[s][d][k];
    }
    rows += (size_t)d * own->mode_count;
    for (uint32_t j = 0; j < own->mode_count; j++)
        own->means[j] += impulse * rows[j] * own->modes[j].give;
}

typedef struct pair_view {
    side a, b;
    const grazei_sim_pair *pair;
} pair_view;

static double speed_apart(const pair_view *view, const grazei_sim_point *point, const double *rows,
                          int d)
{
    return speed_of(&view->a, point, rows, 0, d) -
           speed_of(&view->b, point, rows + 3 * (size_t)view->a.mode_count, 1, d) + point->drift[d];
}

static void push_apart(const pair_view *view, const grazei_sim_point *point, const double *rows,
                       int d, double impulse)
{
    push(&view->a, point, rows, 0, d, impulse);
    push(&view->b, point, rows + 3 * (size_t)view->a.mode_count, 1, d, -impulse);
}

static void rub(const pair_view *view, grazei_sim_point *point, const double *rows)
{
    double old[3], wanted[3], most = point->friction * point->impulse[0];
    memcpy(old, point->impulse, sizeof old);
    for (int d = 1; d < 3; d++)
        wanted[d] = old[d] - point->inverse[d] * speed_apart(view, point, rows, d);
    double length = sqrt(wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    double scale = length > most ? most / length : 1;
    for (int d = 1; d < 3; d++) {
        point->impulse[d] = wanted[d] * scale;
        if (point->impulse[d] != old[d])
            push_apart(view, point, rows, d, point->impulse[d] - old[d]);
    }
}

static void solve_pair(const graze_sim *sim, const grazei_sim_pair *pair)
{
    pair_view view = {side_of(sim, pair->a), side_of(sim, pair->b), pair};
    for (uint32_t i = 0; i < pair->point_count; i++) {
        grazei_sim_point *point =
            &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + i);
        const double *rows = (const double *)sim->rows.items + point->first_row;
        double old = point->impulse[0];
        double more = (point->target - speed_apart(&view, point, rows, 0) - point->softness * old) *
                      point->inverse[0];
        point->impulse[0] = old + more > 0 ? old + more : 0;
        if (point->impulse[0] != old)
            push_apart(&view, point, rows, 0, point->impulse[0] - old);
        rub(&view, point, rows);
    }
}

/* Impulses of the step before, to start from. */
static void start_pair(const graze_sim *sim, const grazei_sim_pair *pair)
{
    pair_view view = {side_of(sim, pair->a), side_of(sim, pair->b), pair};
    for (uint32_t i = 0; i < pair->point_count; i++) {
        const grazei_sim_point *point =
            &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + i);
        const double *rows = (const double *)sim->rows.items + point->first_row;
        for (int d = 0; d < 3; d++)
            if (point->impulse[d] != 0)
                push_apart(&view, point, rows, d, point->impulse[d]);
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

typedef struct run {
    graze_sim *sim;
    uint32_t first, end;
    bool starts;
} run;

static void solve_run(void *user, size_t item, uint32_t thread)
{
    (void)thread;
    const run *own = user;
    const graze_sim *sim = own->sim;
    uint32_t first = own->first + (uint32_t)item * RUN;
    uint32_t end = first + RUN < own->end ? first + RUN : own->end;
    for (uint32_t i = first; i < end; i++) {
        const grazei_sim_pair *pair =
            &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, GRAZEI_SIM_AT(sim->order, uint32_t, i));
        if (own->starts)
            start_pair(sim, pair);
        else
            solve_pair(sim, pair);
    }
}

static graze_status sweep(graze_sim *sim, graze_pool *pool, bool starts, graze_error *error)
{
    const uint32_t *colours = sim->colours.items;
    graze_status status = GRAZE_OK;
    for (uint32_t c = 0; c <= GRAZEI_SIM_COLOURS && !status; c++) {
        run own = {sim, colours[c], colours[c + 1], starts};
        size_t runs = (own.end - own.first + RUN - 1) / RUN;
        /* The last colour has those that found no other: they share bodies. */
        bool alone = c == GRAZEI_SIM_COLOURS || runs < 4;
        status = graze_pool_for_each(alone ? NULL : pool, runs, solve_run, &own, error);
    }
    return status;
}

/* An item of graze_pool_for_each. */
static void fill_pair(void *user, size_t item, uint32_t thread)
{
    (void)thread;
    const graze_sim *sim = user;
    const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, item);
    size_t rows = grazei_sim_rows_of(sim, pair);
    for (uint32_t i = 0; i < pair->point_count; i++)
        grazei_sim_fill_point(sim, pair,
                              &GRAZEI_SIM_AT(sim->spots, grazei_sim_spot, pair->first_spot + i),
                              pair->first_row + i * rows,
                              &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + i));
    grazei_sim_take_warm(sim, pair);
}

static graze_status reserve(graze_sim *sim, graze_error *error)
{
    size_t rows = 0;
    for (size_t i = 0; i < sim->pairs.count; i++) {
        grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        pair->first_point = (uint32_t)pair->first_spot;
        pair->point_count = pair->spot_count;
        pair->first_row = rows;
        rows += pair->point_count * grazei_sim_rows_of(sim, pair);
    }
    if (!grazei_sim_reserve(sim, &sim->points, sim->spots.count, sizeof(grazei_sim_point)) ||
        !grazei_sim_reserve(sim, &sim->rows, rows + 1, sizeof(double)) ||
        !grazei_sim_reserve(sim, &sim->warm_next, sim->spots.count + sim->warm.count,
                            sizeof(grazei_sim_warm)))
        return grazei_sim_out_of_memory(error);
    sim->points.count = sim->stats.points = sim->spots.count;
    return GRAZE_OK;
}

static void mark_touched(graze_sim *sim)
{
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        if (!pair->point_count)
            continue;
        GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, pair->a).touched = 1;
        if (!(pair->b & GRAZEI_SIM_PLANE))
            GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, pair->b).touched = 1;
    }
}

/* What each contact got, over its points. */
static void sum_impulses(graze_sim *sim)
{
    for (size_t i = 0; i < sim->pairs.count; i++) {
        const grazei_sim_pair *pair = &GRAZEI_SIM_AT(sim->pairs, grazei_sim_pair, i);
        for (uint32_t p = 0; p < pair->point_count; p++) {
            const grazei_sim_point *point =
                &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + p);
            uint32_t number =
                GRAZEI_SIM_AT(sim->spots, grazei_sim_spot, pair->first_spot + p).contact;
            graze_sim_contact *contact =
                &GRAZEI_SIM_AT(sim->contacts, graze_sim_contact, pair->first_contact + number);
            for (int d = 0; d < 3; d++)
                for (int k = 0; k < 3; k++)
                    contact->impulse[k] += point->impulse[d] * point->directions[d][k];
        }
    }
}

graze_status grazei_sim_solve(graze_sim *sim, graze_pool *pool, graze_error *error)
{
    graze_status status = reserve(sim, error);
    grazei_sim_find_wakes(sim);
    if (!status)
        status = graze_pool_for_each(pool, sim->bodies.count, start_body, sim, error);
    if (!status)
        status = graze_pool_for_each(pool, sim->pairs.count, fill_pair, sim, error);
    if (!status)
        status = grazei_sim_colour(sim, error);
    if (!status && sim->pairs.count)
        status = sweep(sim, pool, true, error);
    for (uint32_t i = 0; i < sim->def.iterations && !status && sim->pairs.count; i++)
        status = sweep(sim, pool, false, error);
    if (status)
        return status;
    mark_touched(sim);
    sum_impulses(sim);
    return GRAZE_OK;
}
