/* The soccer scene: two teams of players who follow clips, a ball that the engine moves, and who
 * falls over whom. graze demo soccer plays it; the field, the players and the words have a file
 * each.
 */
#ifndef GRAZE_CLI_SOCCER_H
#define GRAZE_CLI_SOCCER_H

#include "cli/demo.h"
#include "cli/physics_man.h"

#define SOCCER_STEP (1 / 240.0) /* seconds */
#define SOCCER_HALF_LENGTH 30.0 /* metres, along z; red plays towards +z */
#define SOCCER_HALF_WIDTH 20.0
#define SOCCER_GOAL_HALF 3.66
#define SOCCER_GOAL_HEIGHT 2.44
#define SOCCER_BALL_RADIUS 0.11

enum { SOCCER_MAX_TEAM = 11, SOCCER_MAX_PLAYERS = 2 * SOCCER_MAX_TEAM, SOCCER_STEPS_A_FRAME = 2 };

/* Classes of the world. */
enum { SOCCER_CLASS_FIXED = 0, SOCCER_CLASS_BALL = 1, SOCCER_CLASS_PLAYER = 2 };

typedef enum soccer_state {
    SOCCER_RUNS = 0,
    SOCCER_KICKS,
    SOCCER_FALLS, /* by a clip */
    SOCCER_LIMP,  /* by the engine */
    SOCCER_GETS_UP
} soccer_state;

typedef struct soccer_player {
    graze_world_id id;
    char name[24];
    uint32_t team, number;
    uint32_t recorded;
    double home[2];            /* x, z of his place in the field */
    double at[2], velocity[2]; /* x, z, on the ground */
    double heading;            /* radians about +y from +z */
    soccer_state state;
    double since;     /* when that began, seconds */
    double still;     /* limp: since when he lies still */
    double last_fall; /* when he last fell */
    double last_kick;
    bool is_running; /* the clip that plays is run, not stand */
    graze_rig_player clips;
} soccer_player;

/* What was measured while it played. */
typedef struct soccer_measures {
    uint32_t kicks, falls, stumbles, got_up, goals[2], hits;
    double deepest;       /* metres that anybody's skin was in the ground, after any step */
    double ball_deepest;  /* and the ball */
    double ball_gained;   /* J: most energy won in a step in which no player touched the ball */
    double limp_gained;   /* likewise of a limp player whom nobody animated touched */
    uint64_t limits[601]; /* how often a joint was beyond its limit by tenths of a degree */
    uint64_t limit_count;
    double fastest_ball;
    double deciding, posing, watching; /* seconds spent here */
} soccer_measures;

typedef struct soccer {
    const demo_job *job;
    physics_man of; /* what players are made from */
    graze_ode *ode;
    graze_pool *pool;
    graze_point_finder *points;
    uint32_t clips[7]; /* numbers of the rig's clips, in the order of soccer_clip */
    graze_rig_local *locals;
    float *positions;
    struct recording *recording;
    uint32_t ball_recorded;

    double time;
    graze_world_id ball;
    graze_ode_motion ball_motion;
    double goal_since; /* when the ball went in; below 0: it is in play */
    soccer_player players[SOCCER_MAX_PLAYERS];
    uint32_t player_count;
    double ball_energy;
    uint32_t ball_touched; /* by a player, so many steps ago */
    double limp_energy[SOCCER_MAX_PLAYERS];
    uint32_t limp_touched[SOCCER_MAX_PLAYERS];
    soccer_measures measured;
} soccer;

typedef enum soccer_clip {
    SOCCER_STAND = 0,
    SOCCER_RUN,
    SOCCER_KICK,
    SOCCER_FALL,
    SOCCER_LIE,
    SOCCER_UP,
    SOCCER_UP_BACK
} soccer_clip;

/* soccer_field.c: makes everything, and everybody in place; false with a text. */
bool soccer_open(soccer *game, graze_error *error);
void soccer_close(soccer *game);

/* soccer_players.c: where everybody is at the end of the next step; false with a text. */
bool soccer_move_players(soccer *game, graze_error *error);

/* What a hit does to the players in it. */
bool soccer_react(soccer *game, graze_error *error);

/* The player of that id; NULL if it is none. */
soccer_player *soccer_find(soccer *game, graze_world_id id);

/* soccer_words.c: what happened in the last step, in words or JSON. */
void soccer_tell_hits(soccer *game);
void soccer_tell(const soccer *game, const char *who, const char *event, const char *words);
void soccer_tell_end(const soccer *game, double seconds);

/* soccer_watch.c: measures after a step. */
bool soccer_watch(soccer *game, graze_error *error);

#endif
