/* The field, the ball, and two teams in their places. */
#include "cli/options.h"
#include "cli/primitive_mesh.h"
#include "cli/room.h"
#include "cli/soccer.h"

#include <math.h>

static const double upright[4] = {0, 0, 0, 1};

/* ---- what stands ---------------------------------------------------------------------------- */

#define BOARD 1.0 /* metres: boards around the field keep the ball in play */
#define W SOCCER_HALF_WIDTH
#define L SOCCER_HALF_LENGTH
#define G SOCCER_GOAL_HALF
#define H SOCCER_GOAL_HEIGHT
static const fixed_row fixed_rows[] = {
    {"the left board", {W, 0, -L - 3}, {W + 0.2, BOARD, L + 3}, 0},
    {"the right board", {-W - 0.2, 0, -L - 3}, {-W, BOARD, L + 3}, 0},
    {"the board behind the goal", {-W, 0, L + 2}, {W, 3 * BOARD, L + 2.2}, 0},
    {"the board behind the goal", {-W, 0, -L - 2.2}, {W, 3 * BOARD, -L - 2}, 0},
    {"the post", {G + 0.06, 0, L}, {G + 0.06, H, L}, 0.06},
    {"the post", {-G - 0.06, 0, L}, {-G - 0.06, H, L}, 0.06},
    {"the crossbar", {-G - 0.06, H + 0.06, L}, {G + 0.06, H + 0.06, L}, 0.06},
    {"the post", {G + 0.06, 0, -L}, {G + 0.06, H, -L}, 0.06},
    {"the post", {-G - 0.06, 0, -L}, {-G - 0.06, H, -L}, 0.06},
    {"the crossbar", {-G - 0.06, H + 0.06, -L}, {G + 0.06, H + 0.06, -L}, 0.06},
    {"the roof of nets", {-W, 6, -L}, {W, 6.2, L}, 0}};
#undef W
#undef L
#undef G
#undef H

static bool add_fixed(soccer *game, graze_error *error)
{
    graze_ode_member_def def = {0};
    def.category = SOCCER_CLASS_FIXED;
    def.material.friction = 0.7;
    if (!physics_add_ground(game->ode, "ground", SOCCER_HALF_LENGTH + 4, &def, game->recording,
                            error))
        return false;
    for (size_t i = 0; i < COUNT_OF(fixed_rows); i++) {
        const bool seen = i + 1 < COUNT_OF(fixed_rows); /* the roof is not */
        if (!physics_add_fixed(game->ode, &fixed_rows[i], &def, seen ? game->recording : NULL,
                               error))
            return false;
    }
    return true;
}

static bool add_ball(soccer *game, graze_error *error)
{
    graze_ode_member_def def = {0};
    const float at[3] = {0, (float)SOCCER_BALL_RADIUS, 0};
    const scene_body body = {.kind = BODY_SPHERE, .numbers = {SOCCER_BALL_RADIUS}};
    graze_shape shape = graze_shape_sphere(at, (float)SOCCER_BALL_RADIUS);
    def.category = SOCCER_CLASS_BALL;
    def.name = "the ball";
    def.mass = 0.43;
    def.material.friction = 0.5;
    def.material.bounce = 0.6;
    def.material.rolling = 0.004;
    if (graze_ode_add_shape(game->ode, &shape, &def, &game->ball, error))
        return false;
    game->ball_recorded = recording_add_own(game->recording, "ball", primitive_rig(&body, 1),
                                            upright, (const double[3]){0, SOCCER_BALL_RADIUS, 0});
    return true;
}

/* ---- players -------------------------------------------------------------------------------- */

/* Places of a team that plays towards +z: x, z in halves of the field. */
static const double places[SOCCER_MAX_TEAM][2] = {
    {0, -0.06},    {0.2, -0.1},   {-0.25, -0.2}, {0.45, -0.3},   {-0.5, -0.32}, {0, -0.38},
    {0.35, -0.55}, {-0.35, -0.6}, {0.7, -0.5},   {-0.72, -0.55}, {0, -0.86}};

static bool make_player(soccer *game, graze_error *error)
{
    static const char *const names[] = {"stand", "run",    "kick",       "fall",
                                        "lie",   "get-up", "get-up-back"};
    if (!physics_man_make(&game->of, GRAZE_SYNTH_PLAYER, error))
        return false;
    for (int i = 0; i < 7; i++)
        game->clips[i] = graze_rig_find_clip(game->of.rig, names[i]);
    game->locals = room(game->of.rig->node_count, sizeof *game->locals);
    game->positions = room(game->of.rig->vertex_count, 3 * sizeof *game->positions);
    return true;
}

static bool add_player(soccer *game, uint32_t team, uint32_t number, graze_error *error)
{
    soccer_player *player = &game->players[game->player_count];
    graze_ode_member_def def = {0};
    double side = team ? -1 : 1, wider = team ? 1.12 : 1; /* else they would mirror each other */
    *player = (soccer_player){.team = team,
                              .number = number + 1,
                              .home = {side * wider * places[number][0] * SOCCER_HALF_WIDTH,
                                       side * wider * places[number][1] * SOCCER_HALF_LENGTH},
                              .heading = team ? 3.141592653589793 : 0,
                              .last_fall = -10,
                              .last_kick = -10,
                              .clips = {0}};
    snprintf(player->name, sizeof player->name, "%s %u", team ? "blue" : "red", number + 1);
    memcpy(player->at, player->home, sizeof player->at);
    def.category = SOCCER_CLASS_PLAYER;
    def.name = player->name;
    graze_ode_character_def character = {game->of.ragdoll, game->of.fit, game->of.model,
                                         game->of.parts, &def};
    if (graze_ode_add_character(game->ode, &character, &player->id, error) ||
        graze_rig_player_start(&player->clips, game->of.rig, game->clips[SOCCER_STAND], 0, error))
        return false;
    player->recorded =
        recording_add(game->recording, player->name, game->of.rig, upright, (const double[3]){0});
    game->player_count++;
    return true;
}

static bool set_rules(soccer *game, graze_error *error)
{
    graze_world *world = graze_ode_world(game->ode);
    graze_world_rule none = {0}, rule = none, fast;
    none.level = GRAZE_LEVEL_IGNORE;
    rule.contacts = true;
    fast = rule;
    fast.motion = GRAZE_MOTION_CONTINUOUS;
    graze_world_rule player = fast, players = rule;
    if (game->job->capsules)
        player.level = players.level = GRAZE_LEVEL_HITBOXES;
    return !graze_world_set_rule(world, SOCCER_CLASS_FIXED, SOCCER_CLASS_FIXED, &none, error) &&
           !graze_world_set_rule(world, SOCCER_CLASS_FIXED, SOCCER_CLASS_PLAYER, &none, error) &&
           !graze_world_set_rule(world, SOCCER_CLASS_FIXED, SOCCER_CLASS_BALL, &fast, error) &&
           !graze_world_set_rule(world, SOCCER_CLASS_PLAYER, SOCCER_CLASS_BALL, &player, error) &&
           !graze_world_set_rule(world, SOCCER_CLASS_PLAYER, SOCCER_CLASS_PLAYER, &players, error);
}

bool soccer_open(soccer *game, graze_error *error)
{
    graze_ode_def def = {0};
    def.step = SOCCER_STEP;
    game->goal_since = -1;
    if (!make_player(game, error) || graze_ode_create(&def, &game->ode, error) ||
        graze_point_finder_create(NULL, &game->points, error) || !set_rules(game, error) ||
        (game->job->threads > 1 &&
         graze_pool_create(game->job->threads, NULL, &game->pool, error)) ||
        !add_fixed(game, error) || !add_ball(game, error))
        return false;
    for (uint32_t i = 0; i < 2 * game->job->players; i++)
        if (!add_player(game, i % 2, i / 2, error))
            return false;
    return !graze_ode_get_motion(game->ode, game->ball, 0, &game->ball_motion, error);
}

void soccer_close(soccer *game)
{
    graze_ode_destroy(game->ode);
    graze_pool_destroy(game->pool);
    graze_point_finder_destroy(game->points);
    recording_free(game->recording);
    physics_man_free(&game->of);
    free(game->locals);
    free(game->positions);
}
