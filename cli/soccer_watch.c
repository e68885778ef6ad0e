/* What a step did that it should not have: depths, limits, energy from nowhere. */
#include "cli/character.h"
#include "cli/soccer.h"

#include <math.h>

/* Whether a player or the ball touched the member in the last step, and may have given it energy.
 */
static bool was_touched(soccer *game, graze_world_id id)
{
    size_t count;
    const graze_ode_hit *hits = graze_ode_hits(game->ode, &count);
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++) {
            graze_world_id other = hits[i].ids[!side];
            bool moves = other.index == game->ball.index || soccer_find(game, other);
            if (hits[i].ids[side].index == id.index && moves)
                return true;
        }
    return false;
}

/* touched: how many steps ago, for what was met on the way is put back a step later. */
static bool watch_energy(soccer *game, graze_world_id id, double *before, uint32_t *touched,
                         double *gained, graze_error *error)
{
    graze_ode_energy energy;
    if (graze_ode_get_energy(game->ode, id, &energy, error))
        return false;
    double now = energy.kinetic + energy.potential;
    *touched = was_touched(game, id) ? 0 : *touched + 1;
    if (*touched > 2 && now - *before > *gained)
        *gained = now - *before;
    *before = now;
    return true;
}

/* How far joints of a limp player are beyond their limits. */
static bool watch_limits(soccer *game, const soccer_player *player, graze_error *error)
{
    soccer_measures *m = &game->measured;
    for (uint32_t b = 1; b < graze_ragdoll_bone_count(game->of.ragdoll); b++) {
        graze_ragdoll_bone bone = graze_ragdoll_get_bone(game->of.ragdoll, b);
        graze_ode_motion own, parent;
        double angles[3], beyond = 0;
        if (graze_ode_get_motion(game->ode, player->id, b, &own, error) ||
            graze_ode_get_motion(game->ode, player->id, bone.parent, &parent, error))
            return false;
        graze_ragdoll_angles(game->of.ragdoll, b, parent.rotation, own.rotation, angles);
        for (int k = 0; k < (bone.kind == GRAZE_RAGDOLL_HINGE ? 1 : 3); k++)
            beyond = fmax(beyond, fmax(bone.low[k] - angles[k], angles[k] - bone.high[k]));
        m->limits[(int)fmin(600, ceil(beyond * 1800 / 3.141592653589793))]++;
        m->limit_count++;
    }
    return true;
}

/* Looks at all of a skin if it is deeper than any was before. */
static bool watch_depth(soccer *game, const soccer_player *player, graze_error *error)
{
    double *deepest = &game->measured.deepest;
    graze_body *body = graze_ode_body(game->ode, player->id);
    const graze_shape below = graze_shape_half_space((const float[]){0, 1, 0}, -(float)*deepest);
    const graze_options any = {.any = true};
    graze_triangle_list met = {0};
    if (graze_touch(body, &below, &met, &any, error))
        return false;
    if (met.total)
        graze_body_get_positions(body, game->positions);
    for (uint32_t v = 0; met.total && v < game->of.rig->vertex_count; v++)
        *deepest = fmax(*deepest, -game->positions[3 * (size_t)v + 1]);
    return true;
}

bool soccer_watch(soccer *game, graze_error *error)
{
    double start = now_us();
    soccer_measures *m = &game->measured;
    bool frame = (uint64_t)(game->time / SOCCER_STEP + 0.5) % SOCCER_STEPS_A_FRAME == 0;
    const double *v = game->ball_motion.velocity;
    m->fastest_ball = fmax(m->fastest_ball, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    m->ball_deepest = fmax(m->ball_deepest, SOCCER_BALL_RADIUS - game->ball_motion.position[1]);
    if (!watch_energy(game, game->ball, &game->ball_energy, &game->ball_touched, &m->ball_gained,
                      error))
        return false;
    for (uint32_t i = 0; i < game->player_count; i++) {
        const soccer_player *player = &game->players[i];
        if (!watch_depth(game, player, error))
            return false;
        if (player->state != SOCCER_LIMP)
            continue;
        /* joints that his clip had left beyond their limits have a quarter of a second to come back
         */
        bool settled = game->time > player->since + 0.25;
        if (!settled)
            game->limp_touched[i] = 0;
        if (!watch_energy(game, player->id, &game->limp_energy[i], &game->limp_touched[i],
                          &m->limp_gained, error))
            return false;
        if (frame && settled && !watch_limits(game, player, error))
            return false;
    }
    m->watching += 1e-6 * (now_us() - start);
    return true;
}
