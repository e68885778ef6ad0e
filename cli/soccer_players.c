/* What players do: run to the ball or to their places, kick, fall and get up. */
#include "cli/character.h"
#include "cli/soccer.h"
#include "scenes/reactions.h"

#include <math.h>
#include <stdio.h>

#define RUN_SPEED 3.26  /* m/s that the clip runs at */
#define CHASE_SPEED 5.2 /* m/s */
#define PLACE_SPEED 3.6
#define ACCELERATION 7.0  /* m/s2 */
#define TURN_SPEED 6.0    /* radians a second */
#define KICK_REACH 0.58   /* metres ahead of him where the foot meets the ball */
#define KICK_SIDE (-0.13) /* and to his left */
#define KICK_SECONDS 0.36 /* from the start of the clip */
#define FALL_WAY 0.88     /* metres that the clip of the fall takes his pelvis ahead */
#define CALM 2.0          /* seconds after a fall in which he does not fall again */

/* Harder than this they are handed over to the engine; pushed from behind they fall by a clip. */
static const grazei_reaction reactions[] = {
    {.part = NULL, .side = GRAZEI_HIT_ANYWHERE, .impulse = 22, .physics = true},
    {.part = NULL, .side = GRAZEI_HIT_BACK, .impulse = 12, .action = SOCCER_FALL}};
enum { REACTIONS = sizeof reactions / sizeof *reactions };

soccer_player *soccer_find(soccer *game, graze_world_id id)
{
    for (uint32_t i = 0; i < game->player_count; i++)
        if (game->players[i].id.index == id.index)
            return &game->players[i];
    return NULL;
}

static double goal_of(const soccer_player *player) /* z of the goal that he plays to */
{
    return player->team ? -SOCCER_HALF_LENGTH : SOCCER_HALF_LENGTH;
}

/* Whether clips loop is said for all that play, so from one that has ended there is no fading: it
 * would start again. Those end as he stands.
 */
static bool start(soccer *game, soccer_player *player, soccer_state state, soccer_clip clip,
                  double fade, graze_error *error)
{
    player->state = state;
    player->since = game->time;
    player->clips.once = clip != SOCCER_STAND && clip != SOCCER_RUN;
    player->clips.speed = 1;
    player->is_running = clip == SOCCER_RUN;
    return !graze_rig_player_start(&player->clips, game->of.rig, game->clips[clip], fade, error);
}

/* ---- running -------------------------------------------------------------------------------- */

/* Where the ball will be in so many seconds, on the ground. */
static void ball_in(const soccer *game, double seconds, double at[2])
{
    double limit[2] = {SOCCER_HALF_WIDTH - 0.3, SOCCER_HALF_LENGTH - 0.3};
    for (int k = 0; k < 2; k++) {
        at[k] = game->ball_motion.position[2 * k] + seconds * game->ball_motion.velocity[2 * k];
        at[k] = fmax(-limit[k], fmin(limit[k], at[k]));
    }
}

static double distance(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

/* How many of his team who can run are nearer to the ball. */
static uint32_t nearer_mates(const soccer *game, const soccer_player *player, const double ball[2])
{
    uint32_t count = 0;
    double own = distance(player->at, ball);
    for (uint32_t i = 0; i < game->player_count; i++) {
        const soccer_player *other = &game->players[i];
        if (other != player && other->team == player->team && other->state <= SOCCER_KICKS)
            count += distance(other->at, ball) < own;
    }
    return count;
}

/* A place behind the ball from which he can kick it to the goal. */
static void kicking_place(const soccer_player *player, const double ball[2], double place[2],
                          double *heading)
{
    double to[2] = {-ball[0], goal_of(player) - ball[1]}, length = hypot(to[0], to[1]);
    double ahead[2] = {to[0] / length, to[1] / length};
    double left[2] = {ahead[1], -ahead[0]};
    *heading = atan2(ahead[0], ahead[1]);
    for (int k = 0; k < 2; k++)
        place[k] = ball[k] - KICK_REACH * ahead[k] - KICK_SIDE * left[k];
}

/* Where he wants to be, how fast he goes there, and where he looks. */
static void choose_target(const soccer *game, const soccer_player *player, double target[2],
                          double *speed, double *look)
{
    double ball[2], soon[2];
    ball_in(game, 0, ball);
    double away = distance(player->at, ball);
    ball_in(game, fmin(1, away / CHASE_SPEED), soon);
    bool keeper = player->number == SOCCER_MAX_TEAM;
    bool chases =
        game->goal_since < 0 && nearer_mates(game, player, soon) < 2 && (!keeper || away < 8);
    *look = atan2(ball[0] - player->at[0], ball[1] - player->at[1]);
    if (chases) {
        double heading;
        kicking_place(player, soon, target, &heading);
        *speed = CHASE_SPEED;
        if (distance(player->at, target) < 0.8)
            *look = heading;
        return;
    }
    /* the others keep their places, which move a little with the ball */
    double drift = keeper ? 0.05 : 0.35;
    target[0] = player->home[0] + drift * ball[0];
    target[1] = player->home[1] + drift * ball[1];
    *speed = PLACE_SPEED;
}

/* Steps aside for those who are near, but for the ball nobody does. */
static void keep_apart(const soccer *game, const soccer_player *player, double wish[2])
{
    for (uint32_t i = 0; i < game->player_count; i++) {
        const soccer_player *other = &game->players[i];
        double away = distance(player->at, other->at);
        if (other == player || away > 1.1 || away < 1e-6)
            continue;
        bool rivals = other->team != player->team && other->state == SOCCER_RUNS;
        double push = (1.1 - away) * (rivals ? 0.3 : 5);
        for (int k = 0; k < 2; k++)
            wish[k] += push * (player->at[k] - other->at[k]) / away;
    }
}

static double turned_to(double from, double to, double most)
{
    double off = remainder(to - from, 2 * 3.141592653589793);
    return from + fmax(-most, fmin(most, off));
}

static void steer(const soccer *game, soccer_player *player)
{
    double target[2], speed, look, wish[2], change = 0;
    choose_target(game, player, target, &speed, &look);
    for (int k = 0; k < 2; k++)
        wish[k] = 3 * (target[k] - player->at[k]);
    double fast = hypot(wish[0], wish[1]);
    for (int k = 0; k < 2 && fast > speed; k++)
        wish[k] *= speed / fast;
    keep_apart(game, player, wish);
    for (int k = 0; k < 2; k++)
        change = hypot(change, wish[k] - player->velocity[k]);
    double share = change > 0 ? fmin(1, ACCELERATION * SOCCER_STEP / change) : 0;
    double limit[2] = {SOCCER_HALF_WIDTH - 0.5, SOCCER_HALF_LENGTH + 1};
    for (int k = 0; k < 2; k++) {
        player->velocity[k] += share * (wish[k] - player->velocity[k]);
        player->at[k] += SOCCER_STEP * player->velocity[k];
        player->at[k] = fmax(-limit[k], fmin(limit[k], player->at[k]));
    }
    fast = hypot(player->velocity[0], player->velocity[1]);
    if (fast > 1.5)
        look = atan2(player->velocity[0], player->velocity[1]);
    player->heading = turned_to(player->heading, look, TURN_SPEED * SOCCER_STEP);
}

/* Whether the ball will be where his foot goes if he starts to kick now. */
static bool can_kick(const soccer *game, const soccer_player *player)
{
    double ball[2];
    if (game->time < player->last_kick + 1 || game->ball_motion.position[1] > 0.35 ||
        game->goal_since >= 0)
        return false;
    ball_in(game, KICK_SECONDS, ball);
    double sine = sin(player->heading), cosine = cos(player->heading);
    double off[2] = {ball[0] - player->at[0] - 0.1 * player->velocity[0],
                     ball[1] - player->at[1] - 0.1 * player->velocity[1]};
    double ahead = off[0] * sine + off[1] * cosine, left = off[0] * cosine - off[1] * sine;
    double goal = remainder(atan2(-ball[0], goal_of(player) - ball[1]) - player->heading,
                            2 * 3.141592653589793);
    return fabs(ahead - KICK_REACH) < 0.22 && fabs(left - KICK_SIDE) < 0.16 && fabs(goal) < 0.9;
}

static bool run(soccer *game, soccer_player *player, graze_error *error)
{
    steer(game, player);
    double speed = hypot(player->velocity[0], player->velocity[1]);
    if (can_kick(game, player)) {
        player->last_kick = game->time;
        return start(game, player, SOCCER_KICKS, SOCCER_KICK, 0.1, error);
    }
    bool runs = speed > (player->is_running ? 0.4 : 0.7);
    if (runs != player->is_running &&
        !start(game, player, SOCCER_RUNS, runs ? SOCCER_RUN : SOCCER_STAND, 0.2, error))
        return false;
    player->clips.speed = runs ? fmax(0.4, speed / RUN_SPEED) : 1;
    return true;
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void slow_down(soccer_player *player)
{
    for (int k = 0; k < 2; k++) {
        player->velocity[k] *= 1 - SOCCER_STEP / 0.12;
        player->at[k] += SOCCER_STEP * player->velocity[k];
    }
}

/* From where the engine left him: up again once he lies still. */
static bool lie(soccer *game, soccer_player *player, graze_error *error)
{
    graze_ode_lie found;
    if (graze_ode_lying(game->ode, player->id, &found, error))
        return false;
    if (found.speed > 0.3 && game->time < player->since + 6)
        player->still = game->time;
    if (game->time < player->still + 0.4)
        return true;
    player->at[0] = found.at[0];
    player->at[1] = found.at[2];
    player->heading = found.turn * 3.141592653589793 / 180;
    player->velocity[0] = player->velocity[1] = 0;
    game->measured.got_up++;
    soccer_tell(game, player->name, "gets up", "gets up");
    return start(game, player, SOCCER_GETS_UP, found.face_down ? SOCCER_UP : SOCCER_UP_BACK, 0,
                 error) &&
           !graze_ode_recover(game->ode, player->id, 0.6, error);
}

static bool act(soccer *game, soccer_player *player, graze_error *error)
{
    double lasts = game->time - player->since;
    switch (player->state) {
    case SOCCER_RUNS:
        return run(game, player, error);
    case SOCCER_KICKS:
        slow_down(player);
        return lasts < 0.9 || start(game, player, SOCCER_RUNS, SOCCER_STAND, 0, error);
    case SOCCER_FALLS:
        slow_down(player);
        if (lasts < 1.5)
            return true;
        player->at[0] += FALL_WAY * sin(player->heading);
        player->at[1] += FALL_WAY * cos(player->heading);
        game->measured.got_up++;
        soccer_tell(game, player->name, "gets up", "gets up");
        return start(game, player, SOCCER_GETS_UP, SOCCER_UP, 0, error);
    case SOCCER_LIMP:
        return lie(game, player, error);
    case SOCCER_GETS_UP:
        return lasts < 2.5 || start(game, player, SOCCER_RUNS, SOCCER_STAND, 0, error);
    }
    return true;
}

static bool take_depth(void *user, const graze_contact *points, size_t count)
{
    float *depth = user;
    for (size_t i = 0; i < count; i++)
        *depth = fmaxf(*depth, points[i].depth);
    return true;
}

/* How deep the lowest point of a player is in the ground. */
static bool depth_of(soccer *game, const soccer_player *player, float *depth, graze_error *error)
{
    const graze_shape ground = graze_shape_half_space((const float[]){0, 1, 0}, 0);
    graze_contact_list points = {.report = take_depth, .user = depth};
    *depth = 0;
    return !graze_touch_points(game->points, graze_ode_body(game->ode, player->id), &ground, 0,
                               &points, error);
}

/* Between two clips a foot would go into the ground: he is raised by so much. One who recovers is
 * kept above it by the engine.
 */
static bool pose(soccer *game, soccer_player *player, graze_error *error)
{
    double sine = sin(player->heading), cosine = cos(player->heading);
    float depth, placement[12] = {(float)cosine, 0, (float)sine,   (float)player->at[0], 0, 1, 0, 0,
                                  (float)-sine,  0, (float)cosine, (float)player->at[1]};
    if (graze_rig_player_advance(&player->clips, game->of.rig, SOCCER_STEP, error) ||
        graze_rig_player_locals(&player->clips, game->of.rig, game->locals, NULL, error))
        return false;
    bool moves = game->time > 0;
    if ((moves ? graze_ode_pose : graze_ode_put)(game->ode, player->id, game->locals, NULL,
                                                 placement, error) ||
        !depth_of(game, player, &depth, error))
        return false;
    if (!(depth > 0) || graze_ode_get_state(game->ode, player->id) == GRAZE_ODE_RECOVERS)
        return true;
    placement[7] = depth;
    return !(moves ? graze_ode_pose : graze_ode_put)(game->ode, player->id, game->locals, NULL,
                                                     placement, error);
}

bool soccer_move_players(soccer *game, graze_error *error)
{
    double start_us = now_us();
    for (uint32_t i = 0; i < game->player_count && game->time > 0; i++)
        if (!act(game, &game->players[i], error))
            return false;
    double decided = now_us();
    for (uint32_t i = 0; i < game->player_count; i++)
        if (game->players[i].state != SOCCER_LIMP && !pose(game, &game->players[i], error))
            return false;
    game->measured.deciding += 1e-6 * (decided - start_us);
    game->measured.posing += 1e-6 * (now_us() - decided);
    return true;
}

/* ---- hits ----------------------------------------------------------------------------------- */

/* What a push does to one of two players who run into each other. */
static bool push(soccer *game, soccer_player *player, const soccer_player *by, uint32_t part,
                 const float normal[3], double sign, float impulse, graze_error *error)
{
    double sine = sin(player->heading), cosine = cos(player->heading);
    double x = sign * normal[0], z = sign * normal[2];
    const float own[3] = {(float)(x * cosine - z * sine), (float)(sign * normal[1]),
                          (float)(x * sine + z * cosine)};
    if (player->state > SOCCER_KICKS || game->time < player->last_fall + CALM)
        return true;
    uint32_t row = grazei_choose_reaction(game->of.parts, reactions, REACTIONS, part, own, impulse);
    if (row == REACTIONS)
        return true;
    char words[64];
    player->last_fall = game->time;
    player->still = game->time;
    snprintf(words, sizeof words,
             reactions[row].physics ? "is knocked over by %s, %.0f Ns"
                                    : "stumbles over %s, %.0f Ns",
             by->name, (double)impulse);
    soccer_tell(game, player->name, reactions[row].physics ? "limp" : "falls", words);
    if (!reactions[row].physics) {
        game->measured.stumbles++;
        return start(game, player, SOCCER_FALLS, SOCCER_FALL, 0.15, error);
    }
    game->measured.falls++;
    player->state = SOCCER_LIMP;
    player->since = game->time;
    return !graze_ode_go_limp(game->ode, player->id, GRAZE_NONE, error);
}

bool soccer_react(soccer *game, graze_error *error)
{
    size_t count;
    const graze_ode_hit *hits = graze_ode_hits(game->ode, &count);
    for (size_t i = 0; i < count; i++) {
        soccer_player *a = soccer_find(game, hits[i].ids[0]);
        soccer_player *b = soccer_find(game, hits[i].ids[1]);
        if (!a || !b)
            continue;
        /* the slower of the two gives way */
        bool first = hypot(a->velocity[0], a->velocity[1]) < hypot(b->velocity[0], b->velocity[1]);
        if (!push(game, first ? a : b, first ? b : a, hits[i].contact.parts[!first],
                  hits[i].contact.normal, first ? 1 : -1, hits[i].impulse, error))
            return false;
    }
    return true;
}
