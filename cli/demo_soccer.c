/* graze demo soccer: two teams of skinned players, a ball, and what happens between them.
 *
 * Players follow clips; the ball is moved by the engine, and so is who is knocked over. A kick is a
 * contact of a foot with the ball, which takes the velocity of the skin.
 */

#include "cli/character.h"
#include "cli/output.h"
#include "cli/print.h"
#include "cli/soccer.h"

#include <math.h>
#include <stdio.h>

#define TOLERANCE 0.002 /* metres that a saved vertex may be off */

/* A foot can press the ball into the ground, and the engine cannot have both: the ground wins. */
static bool lift_ball(soccer *game, graze_error *error)
{
    graze_ode_motion *motion = &game->ball_motion;
    double least = SOCCER_BALL_RADIUS - 0.005;
    if (motion->position[1] >= least)
        return true;
    motion->position[1] = least;
    motion->velocity[1] = fmax(motion->velocity[1], 0);
    return !graze_ode_set_motion(game->ode, game->ball, 0, motion, error);
}

/* In the goal, or over the boards: the ball goes back to the middle after a while. */
static bool look_after_ball(soccer *game, graze_error *error)
{
    const double *at = game->ball_motion.position;
    bool in = fabs(at[2]) > SOCCER_HALF_LENGTH + SOCCER_BALL_RADIUS;
    bool out = fabs(at[0]) > SOCCER_HALF_WIDTH + 1;
    if (game->goal_since < 0 && (in || out)) {
        game->goal_since = game->time;
        if (in && fabs(at[0]) < SOCCER_GOAL_HALF && at[1] < SOCCER_GOAL_HEIGHT) {
            uint32_t team = at[2] < 0;
            game->measured.goals[team]++;
            soccer_tell(game, team ? "blue" : "red", "goal", "scores a goal");
        } else {
            soccer_tell(game, "the ball", "out", "is out");
        }
    }
    if (game->goal_since < 0 || game->time < game->goal_since + 2)
        return true;
    graze_ode_motion middle = {.position = {0, SOCCER_BALL_RADIUS, 0}, .rotation = {0, 0, 0, 1}};
    game->goal_since = -1;
    game->ball_touched = 0;
    soccer_tell(game, "the ball", "kick-off", "is in the middle again");
    return !graze_ode_set_motion(game->ode, game->ball, 0, &middle, error);
}

static bool record(soccer *game, graze_error *error)
{
    float placement[12];
    if (!game->recording)
        return true;
    recording_take_node(game->recording, game->ball_recorded, game->ball_motion.rotation,
                        game->ball_motion.position);
    for (uint32_t i = 0; i < game->player_count; i++) {
        if (graze_ode_get_pose(game->ode, game->players[i].id, game->locals, placement, error))
            return false;
        recording_take(game->recording, game->players[i].recorded, game->locals, placement);
    }
    return true;
}

/* One step; false with a text, or where the reader of what is told has gone. */
static bool step(soccer *game, uint32_t number, graze_error *error)
{
    game->time = number * SOCCER_STEP;
    output_begin();
    bool good = soccer_move_players(game, error) && !graze_ode_step(game->ode, game->pool, error) &&
                !graze_ode_get_motion(game->ode, game->ball, 0, &game->ball_motion, error) &&
                lift_ball(game, error);
    if (good)
        soccer_tell_hits(game);
    good = good && soccer_react(game, error) && soccer_watch(game, error) &&
           look_after_ball(game, error);
    if (!output_end())
        return false;
    return good && (number % SOCCER_STEPS_A_FRAME || record(game, error));
}

int demo_soccer(const demo_job *job)
{
    soccer game = {.job = job};
    graze_error error = {GRAZE_OK, ""};
    game.recording = job->out ? recording_create(1 / (SOCCER_STEP * SOCCER_STEPS_A_FRAME)) : NULL;
    note("making the scene");
    bool good =
        soccer_open(&game, &error) && soccer_move_players(&game, &error) && record(&game, &error);
    note_done();
    if (good && !job->json)
        printf("Two teams of %u, %u triangles each, and a ball of 0.43 kg on a field of %.0f by "
               "%.0f m.\n",
               job->players, game.of.rig->triangle_count, 2 * SOCCER_HALF_WIDTH,
               2 * SOCCER_HALF_LENGTH);
    double start = now_us();
    uint32_t steps = (uint32_t)(job->seconds / SOCCER_STEP + 0.5);
    for (uint32_t i = 1; good && i <= steps; i++)
        good = step(&game, i, &error);
    if (good)
        soccer_tell_end(&game, 1e-6 * (now_us() - start));
    good = good && recording_save(game.recording, job->out, TOLERANCE, !job->json);
    soccer_close(&game);
    if (!good && *error.text)
        fail_usage("demo soccer: %s", error.text);
    return good ? 0 : 2;
}
