/* From spots on surfaces to what the solver works on: arms, rows of modes, and how soft.
 *
 * A point's speed is that of both surfaces over the step: v + w x arm of the rigid motion at the
 * end of the step, and of each mode its mean over the step, (u+ - u) / h, under forces that are
 * constant in it. So much work as the impulse times that speed goes into the modes, exactly, and
 * less into rigid motion: contacts take energy out, whatever the frequencies (docs/motion.md).
 */
#include "sim.h"

#include "vector.h"

#include <string.h>

/* Share of the smaller body's radius within which a point is that of the step before. */
#define SAME_POINT 0.03

/* A place on a body's surface. */
typedef struct surface {
    uint32_t vertices[3];
    double shares[3];
    double arm[3]; /* from the centre, world */
} surface;

/* ---- places on surfaces --------------------------------------------------------------------- */

/* A vertex in the body's frame, about its centre. */
static void place_vertex(const grazei_sim_kind *kind, const double *weights, uint32_t vertex,
                         double out[3])
{
    const float *shape = kind->shapes + 3 * (size_t)vertex * kind->mode_count;
    for (int k = 0; k < 3; k++)
        out[k] = kind->rest[3 * (size_t)vertex + k] - kind->centre[k];
    for (uint32_t j = 0; j < kind->mode_count; j++)
        for (int k = 0; k < 3; k++)
            out[k] += weights[j] * shape[3 * j + k];
}

/* Shares of three corners in the point of their triangle that is nearest in its plane, kept inside;
 * a triangle without area has its first corner.
 */
static void find_shares(double corners[3][3], const double point[3], double shares[3])
{
    double e[3], f[3], to[3];
    for (int k = 0; k < 3; k++) {
        e[k] = corners[1][k] - corners[0][k];
        f[k] = corners[2][k] - corners[0][k];
        to[k] = point[k] - corners[0][k];
    }
    double ee = grazei_dot(e, e), ef = grazei_dot(e, f), ff = grazei_dot(f, f);
    double area = ee * ff - ef * ef, te = grazei_dot(to, e), tf = grazei_dot(to, f);
    shares[1] = area > 0 ? (ff * te - ef * tf) / area : 0;
    shares[2] = area > 0 ? (ee * tf - ef * te) / area : 0;
    shares[0] = 1 - shares[1] - shares[2];
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        shares[k] = shares[k] > 0 ? shares[k] : 0;
        sum += shares[k];
    }
    for (int k = 0; k < 3; k++)
        shares[k] = sum > 0 && isfinite(sum) ? shares[k] / sum : (k == 0 ? 1.0 : 0.0);
}

static void find_surface(const graze_sim *sim, uint32_t body, const double turn[3][3],
                         uint32_t triangle, const float point[3], surface *out)
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    const double *weights =
        kind->mode_count ? grazei_sim_weights_of(sim, &sim->weights, body) : NULL;
    double local[3], corners[3][3];
    for (int k = 0; k < 3; k++)
        out->arm[k] = point[k] - state->position[k];
    grazei_times_turned(turn, out->arm, local);
    graze_model_triangle(kind->model, triangle, out->vertices);
    for (int k = 0; k < 3; k++)
        place_vertex(kind, weights, out->vertices[k], corners[k]);
    find_shares(corners, local, out->shares);
}

/* How fast a surface goes that nothing pushes: from where it is to its target in a step. */
static void find_drift(const graze_sim *sim, uint32_t body, const surface *at, double out[3])
{
    const grazei_sim_state *state = grazei_sim_body_at(sim, body);
    const grazei_sim_kind *kind = grazei_sim_kind_at(sim, state->kind);
    const grazei_sim_target *target = &GRAZEI_SIM_AT(sim->targets, grazei_sim_target, body);
    memset(out, 0, 3 * sizeof *out);
    if (kind->motion != GRAZE_SIM_ANIMATED || !state->has_target)
        return;
    const double *weights[2] = {NULL, NULL};
    if (kind->mode_count) {
        weights[0] = grazei_sim_weights_of(sim, &sim->weights, body);
        weights[1] = grazei_sim_weights_of(sim, &sim->target_weights, body);
    }
    double turn[3][3], world[2][3];
    for (int when = 0; when < 2; when++) {
        double local[3] = {0, 0, 0}, vertex[3];
        for (int c = 0; c < 3; c++) {
            place_vertex(kind, weights[when], at->vertices[c], vertex);
            for (int k = 0; k < 3; k++)
                local[k] += at->shares[c] * vertex[k];
        }
        grazei_matrix_of(when ? target->rotation : state->rotation, turn);
        grazei_times(turn, local, world[when]);
        for (int k = 0; k < 3; k++)
            world[when][k] += when ? target->position[k] : state->position[k];
    }
    for (int k = 0; k < 3; k++)
        out[k] = (world[1][k] - world[0][k]) / sim->def.step;
}

/* ---- one point ------------------------------------------------------------------------------ */

/* What each direction does to one body: turns, rows of modes, and what an impulse of 1 along it
 * does to the speed along it.
 */
static void fill_side(const graze_sim *sim, uint32_t body, const double turn[3][3],
                      const surface *at, int side, grazei_sim_point *point, double *rows,
                      double gives[3])
{
    const grazei_sim_moving *moving = &GRAZEI_SIM_AT(sim->moving, grazei_sim_moving, body);
    const grazei_sim_kind *kind = grazei_sim_kind_of(sim, body);
    uint32_t modes = kind->mode_count;
    memcpy(point->arms[side], at->arm, sizeof at->arm);
    for (int d = 0; d < 3; d++) {
        double across[3];
        grazei_cross(at->arm, point->directions[d], across);
        grazei_times(moving->inverse_inertia, across, point->turns[side][d]);
        gives[d] += moving->inverse_mass + grazei_dot(across, point->turns[side][d]);
    }
    for (uint32_t j = 0; j < modes && moving->inverse_mass > 0; j++) {
        double shape[3] = {0, 0, 0};
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                shape[k] +=
                    at->shares[c] * kind->shapes[3 * ((size_t)at->vertices[c] * modes + j) + k];
        grazei_times(turn, shape, shape);
        for (int d = 0; d < 3; d++) {
            double row = kind->modes[j].active ? grazei_dot(shape, point->directions[d]) : 0;
            rows[d * modes + j] = row;
            gives[d] += row * row * kind->modes[j].give;
        }
    }
}

/* Kelvin and Voigt's law at the end of the step, for an impulse p and a speed apart s:
 *     p = h (k (depth - h s) - c s), that is s + p / (h2 k + h c) = depth k / (h k + c).
 */
static void fill_law(const graze_sim *sim, const grazei_sim_pair *pair, const grazei_sim_spot *spot,
                     grazei_sim_point *point)
{
    const grazei_sim_kind *a = grazei_sim_kind_of(sim, pair->a);
    double h = sim->def.step, k = a->stiffness, c = a->damping, friction;
    if (pair->b & GRAZEI_SIM_PLANE) {
        friction =
            GRAZEI_SIM_AT(sim->planes, graze_sim_plane, pair->b & ~GRAZEI_SIM_PLANE).friction;
    } else {
        const grazei_sim_kind *b = grazei_sim_kind_of(sim, pair->b);
        k = k * b->stiffness / (k + b->stiffness);
        c = c + b->damping > 0 ? c * b->damping / (c + b->damping) : 0;
        friction = b->friction;
    }
    double depth = spot->depth < sim->def.max_depth ? spot->depth : sim->def.max_depth;
    double most = sim->def.max_push_speed, target = depth * k / (h * k + c);
    point->target = target < most ? target : most;
    point->softness = 1 / ((h * h * k + h * c) * spot->share);
    point->friction = sqrt(a->friction * friction);
}

void grazei_sim_fill_point(const graze_sim *sim, const grazei_sim_pair *pair,
                           const grazei_sim_spot *spot, size_t first_row, grazei_sim_point *point)
{
    double turn[3][3], gives[3] = {0, 0, 0}, drift[3];
    uint32_t modes = grazei_sim_kind_of(sim, pair->a)->mode_count;
    double *rows = (double *)sim->rows.items + first_row;
    surface at;
    memset(point, 0, sizeof *point);
    point->first_row = first_row;
    for (int k = 0; k < 3; k++)
        point->directions[0][k] = spot->normal[k];
    double length = sqrt(grazei_dot(point->directions[0], point->directions[0]));
    for (int k = 0; k < 3; k++)
        point->directions[0][k] /= length;
    grazei_sim_tangents(point->directions[0], point->directions[1], point->directions[2]);
    fill_law(sim, pair, spot, point);
    grazei_matrix_of(grazei_sim_body_at(sim, pair->a)->rotation, turn);
    find_surface(sim, pair->a, turn, spot->triangles[0], spot->point, &at);
    fill_side(sim, pair->a, turn, &at, 0, point, rows, gives);
    find_drift(sim, pair->a, &at, drift);
    for (int d = 0; d < 3; d++)
        point->drift[d] = grazei_dot(point->directions[d], drift);
    if (!(pair->b & GRAZEI_SIM_PLANE)) {
        grazei_matrix_of(grazei_sim_body_at(sim, pair->b)->rotation, turn);
        find_surface(sim, pair->b, turn, spot->triangles[1], spot->point, &at);
        fill_side(sim, pair->b, turn, &at, 1, point, rows + 3 * (size_t)modes, gives);
        find_drift(sim, pair->b, &at, drift);
        for (int d = 0; d < 3; d++)
            point->drift[d] -= grazei_dot(point->directions[d], drift);
    }
    point->inverse[0] = 1 / (gives[0] + point->softness);
    for (int d = 1; d < 3; d++)
        point->inverse[d] = gives[d] > 0 ? 1 / gives[d] : 0;
}

size_t grazei_sim_rows_of(const graze_sim *sim, const grazei_sim_pair *pair)
{
    size_t modes = grazei_sim_kind_of(sim, pair->a)->mode_count;
    if (!(pair->b & GRAZEI_SIM_PLANE))
        modes += grazei_sim_kind_of(sim, pair->b)->mode_count;
    return 3 * modes;
}

/* ---- impulses of the step before ------------------------------------------------------------ */

static int compare_pairs(uint32_t a1, uint32_t b1, uint32_t a2, uint32_t b2)
{
    return a1 != a2 ? (a1 < a2 ? -1 : 1) : b1 != b2 ? (b1 < b2 ? -1 : 1) : 0;
}

size_t grazei_sim_find_warm(const graze_sim *sim, uint32_t a, uint32_t b)
{
    size_t low = 0, high = sim->warm.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, middle);
        if (compare_pairs(warm->a, warm->b, a, b) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void grazei_sim_local_point(const graze_sim *sim, uint32_t body, const double arm[3], double out[3])
{
    double turn[3][3];
    grazei_matrix_of(grazei_sim_body_at(sim, body)->rotation, turn);
    grazei_times_turned(turn, arm, out);
}

/* Each record serves one point, the first that is near. */
void grazei_sim_take_warm(const graze_sim *sim, const grazei_sim_pair *pair)
{
    double reach = SAME_POINT * grazei_sim_kind_of(sim, pair->a)->radius;
    uint64_t taken = 0;
    size_t first = grazei_sim_find_warm(sim, pair->a, pair->b);
    for (uint32_t i = 0; i < pair->point_count; i++) {
        grazei_sim_point *point =
            &GRAZEI_SIM_AT(sim->points, grazei_sim_point, pair->first_point + i);
        double local[3], nearest = reach * reach;
        const grazei_sim_warm *best = NULL;
        size_t best_bit = 0;
        grazei_sim_local_point(sim, pair->a, point->arms[0], local);
        for (size_t w = first; w < sim->warm.count && w - first < 64; w++) {
            const grazei_sim_warm *warm = &GRAZEI_SIM_AT(sim->warm, grazei_sim_warm, w);
            if (warm->a != pair->a || warm->b != pair->b)
                break;
            double away = 0;
            for (int k = 0; k < 3; k++)
                away += (warm->local[k] - local[k]) * (warm->local[k] - local[k]);
            if (away < nearest && !(taken >> (w - first) & 1)) {
                nearest = away;
                best = warm;
                best_bit = w - first;
            }
        }
        if (!best)
            continue;
        taken |= (uint64_t)1 << best_bit;
        point->impulse[0] = best->normal;
        for (int d = 1; d < 3; d++)
            point->impulse[d] = grazei_dot(best->tangent, point->directions[d]);
    }
}
