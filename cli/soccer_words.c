/* What happens on the field, in words or as JSON. */
#include "cli/print.h"
#include "cli/soccer.h"
#include "cli/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void soccer_tell(const soccer *game, const char *who, const char *event, const char *words)
{
    if (game->job->json)
        print_json("{\"time\":%.4f,\"event\":%s,\"who\":%s}\n", game->time, event, who);
    else
        say("%7.2f s: %s %s\n", game->time, who, words);
}

static void tell_hit(const soccer *game, const soccer_player *player, const graze_ode_hit *hit,
                     uint32_t side)
{
    char words[64];
    const double *v = game->ball_motion.velocity;
    double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (game->job->json) {
        print_json("{\"time\":%.4f,\"event\":\"ball\",\"who\":%s,\"part\":%s,\"closing\":%.3f,"
                   "\"impulse\":%.3f,\"ball_speed\":%.3f,\"point\":[%.4f,%.4f,%.4f]}\n",
                   game->time, player->name, hit->names[side], (double)hit->speed,
                   (double)hit->impulse, speed, (double)hit->contact.point[0],
                   (double)hit->contact.point[1], (double)hit->contact.point[2]);
        return;
    }
    const char *verb = part_in_words(hit->names[side], words, sizeof words);
    say("%7.2f s: %s's %s %s the ball, %.1f m/s\n", game->time, player->name, words, verb, speed);
}

void soccer_tell_hits(soccer *game)
{
    size_t count;
    const graze_ode_hit *hits = graze_ode_hits(game->ode, &count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t side = 0; side < 2; side++) {
            soccer_player *player = soccer_find(game, hits[i].ids[side]);
            if (!player || hits[i].ids[!side].index != game->ball.index || !hits[i].begins ||
                !(hits[i].speed > 1))
                continue;
            game->measured.hits++;
            game->measured.kicks += player->state == SOCCER_KICKS;
            tell_hit(game, player, &hits[i], side);
        }
}

/* The limit that so large a share of all joints was within, in degrees. */
static double limit_share(const soccer_measures *m, double share)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < 601; i++)
        if ((double)(sum += m->limits[i]) >= share * (double)m->limit_count)
            return 0.1 * i;
    return 60;
}

void soccer_tell_end(const soccer *game, double seconds)
{
    const soccer_measures *m = &game->measured;
    graze_ode_times t = graze_ode_get_times(game->ode);
    double p95 = limit_share(m, 0.95), most = limit_share(m, 1);
    if (game->job->json) {
        printf("{\"time\":%.4f,\"event\":\"end\",\"goals\":[%u,%u],\"hits\":%u,\"kicks\":%u,"
               "\"limp\":%u,\"falls\":%u,\"got_up\":%u,\"deepest\":%.5f,\"ball_deepest\":%.5f,"
               "\"ball_gained\":%.6f,\"limp_gained\":%.6f,\"limit_95\":%.1f,\"limit_most\":%.1f",
               game->time, m->goals[0], m->goals[1], m->hits, m->kicks, m->falls, m->stumbles,
               m->got_up, m->deepest, m->ball_deepest, m->ball_gained, m->limp_gained, p95, most);
        if (print_has_times())
            printf(
                ",\"seconds\":%.3f,\"world\":%.3f,\"contacts\":%.3f,\"engine\":%.3f,\"skins\":%.3f,"
                "\"clips\":%.3f,\"decisions\":%.3f,\"watching\":%.3f",
                seconds, t.world, t.contacts, t.engine, t.poses, m->posing, m->deciding,
                m->watching);
        puts("}");
        return;
    }
    printf("\nred %u, blue %u. The ball was hit %u times, %u of them kicks, and went at up to %.1f "
           "m/s.\n%u players were knocked over and %u stumbled; %u got up again.\n",
           m->goals[0], m->goals[1], m->hits, m->kicks, m->fastest_ball, m->falls, m->stumbles,
           m->got_up);
    printf("Nobody was deeper in the ground than %.1f mm, the ball %.1f mm. Joints kept "
           "their limits within %.1f degrees (95 %%), %.1f at most.\nMost energy that came from "
           "nowhere in a step: ball %.3f J, a limp player %.3f J.\n",
           1000 * m->deepest, 1000 * m->ball_deepest, p95, most, m->ball_gained, m->limp_gained);
    printf("\n%.1f s of play, %u players as %s, took %.2f s (%.2f times as fast as life):\n"
           "  who meets whom %6.2f s\n  contacts       %6.2f s\n  engine         %6.2f s\n"
           "  skins, bones   %6.2f s\n  clips          %6.2f s\n  decisions      %6.2f s\n"
           "  measuring      %6.2f s\n",
           game->time, game->player_count, game->job->capsules ? "capsules" : "skinned triangles",
           seconds, game->time / seconds, t.world, t.contacts, t.engine, t.poses, m->posing,
           m->deciding, m->watching);
}
