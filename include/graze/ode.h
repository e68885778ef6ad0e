/* Contacts become motion: a world of Graze beside one of the Open Dynamics Engine, which moves what
 * is said to move by where things touch, triangles of skinned characters included.
 *
 *     graze_ode_create(NULL, &ode, &error);
 *     graze_world_set_rule(graze_ode_world(ode), PLAYER, BALL, &rule, &error);   with contacts
 *     graze_ode_add_shape(ode, &ground, &fixed, &id, &error);
 *     graze_ode_add_shape(ode, &ball, &moving, &ball_id, &error);
 *     graze_ode_add_character(ode, &def, &player_id, &error);
 *     every step:
 *         graze_ode_pose(ode, player_id, locals, NULL, placement, &error);   as its clip has it
 *         graze_ode_step(ode, pool, &error);
 *         hits = graze_ode_hits(ode, &count);
 *
 * A character follows its clips and pushes what it meets with the velocity of its skin, until it is
 * made limp, all of it or from one bone on: then it falls by its masses and joints, its skin with
 * it, and exact queries see it so. It goes back to its clips by graze_ode_recover.
 *
 * Guarantee: the same bits for any number of threads, and in every run on one machine. One thread
 * at a time uses it. Metres, kilograms, seconds; Y is up.
 *
 * A library of its own, graze::ode, which needs libode (double precision) and libcjson.
 */
#ifndef GRAZE_ODE_H
#define GRAZE_ODE_H

#include <graze/animation.h>
#include <graze/ragdoll.h>
#include <graze/response.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_ode graze_ode;

/* Start from graze_default_ode_def(). */
typedef struct graze_ode_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */
    double gravity[3];
    double step;         /* seconds */
    uint32_t iterations; /* of dWorldQuickStep; 0: dWorldStep, which takes time by the third power
                            of how many hang together */
    double erp;          /* how much of an error a step takes back, 0 to 1 */
    double cfm;          /* how much constraints give, 0 or more */
    double fastest_correction; /* m/s: what is too deep leaves no faster */
    double allowed_depth;      /* metres that contacts may be deep without being pushed apart */
    uint32_t seed;             /* of the order in which dWorldQuickStep goes through constraints */
} graze_ode_def;

/* 9.81 m/s2, a 240th of a second, 40 iterations. */
graze_ode_def graze_default_ode_def(void);

/* *ode is set on success only. GRAZE_BAD_INPUT names the field that is out of range. */
graze_status graze_ode_create(const graze_ode_def *def, graze_ode **ode, graze_error *error);

/* Frees it with its world and all in it. NULL is fine. */
void graze_ode_destroy(graze_ode *ode);

/* Its world, for rules and events. Members are added below; a pair of classes moves things only
 * where its rule has contacts. With a rule that has a motion, what moves and met something on the
 * way (a fast ball) is put back to where it did, when the next step begins. Of limp characters and
 * fixed shapes no rule is needed, they are looked at by themselves: ignore is the cheapest.
 */
graze_world *graze_ode_world(const graze_ode *ode);

/* The engine's world, for what is not here: a dWorldID. */
struct dxWorld *graze_ode_engine(const graze_ode *ode);

/* ---- members -------------------------------------------------------------------------------- */

/* Of two that touch the geometric mean of frictions counts, and the larger of the others. */
typedef struct graze_ode_material {
    double friction;     /* Coulomb's, along the slip */
    double bounce;       /* 0 to 1: share of the speed that comes back */
    double bounce_speed; /* m/s: slower ones do not bounce */
    double rolling;      /* metres: torque against rolling for each N that presses */
} graze_ode_material;

/* Start from graze_default_ode_member_def(). */
typedef struct graze_ode_member_def {
    const char *name; /* kept by the caller; may be NULL */
    uint32_t class_number;
    graze_ode_material material;
    double mass;                 /* kg, of a shape; 0: it is fixed */
    double velocity[3], spin[3]; /* m/s, rad/s */
    void *user_data;
} graze_ode_member_def;

/* Class 0, friction 0.6, no bounce below 0.1 m/s, fixed. */
graze_ode_member_def graze_default_ode_member_def(void);

/* Adds a sphere, capsule or box with a mass, evenly filled, or a fixed one; half-spaces are fixed.
 * *id is its id in the world, set on success only.
 */
graze_status graze_ode_add_shape(graze_ode *ode, const graze_shape *shape,
                                 const graze_ode_member_def *def, graze_world_id *id,
                                 graze_error *error);

/* What a character is made from; all but parts and def is needed. All of it outlives the character.
 */
typedef struct graze_ode_character_def {
    const graze_ragdoll *ragdoll; /* shared by all of a kind */
    const graze_fit *fit;         /* of its model, whose volumes count at GRAZE_LEVEL_PARTS */
    const graze_model *model;
    const graze_parts *parts;           /* for names in hits; NULL: bones' names */
    const graze_ode_member_def *member; /* NULL: the default one; mass is the ragdoll's */
} graze_ode_character_def;

/* Adds a character, in the pose that its file stands in. */
graze_status graze_ode_add_character(graze_ode *ode, const graze_ode_character_def *def,
                                     graze_world_id *id, graze_error *error);

/* Takes a member out. GRAZE_BAD_INPUT for an id that is not a member. */
graze_status graze_ode_remove(graze_ode *ode, graze_world_id id, graze_error *error);

/* Kilograms: of a character those of its ragdoll; infinite of what is fixed, 0 of nobody. */
double graze_ode_mass(const graze_ode *ode, graze_world_id id);

/* How a shape with a mass moves, or a bone that is limp. */
typedef struct graze_ode_motion {
    double position[3]; /* of its centre of mass */
    double rotation[4]; /* against how it was added, or against rest; quaternion x y z w */
    double velocity[3], spin[3];
} graze_ode_motion;

/* Reads it, or sets it. bone: 0 of a shape. GRAZE_BAD_INPUT of what is fixed or follows a clip. */
graze_status graze_ode_get_motion(const graze_ode *ode, graze_world_id id, uint32_t bone,
                                  graze_ode_motion *motion, graze_error *error);
graze_status graze_ode_set_motion(graze_ode *ode, graze_world_id id, uint32_t bone,
                                  const graze_ode_motion *motion, graze_error *error);

/* Gives it a push in the next step: an impulse (Ns) at a point, in world space. What a hit did to a
 * character that followed its clip, and then went limp by it, is such a push.
 */
graze_status graze_ode_push(graze_ode *ode, graze_world_id id, uint32_t bone, const double point[3],
                            const double impulse[3], graze_error *error);

/* The engine's body of a shape with a mass or a limp bone, a dBodyID, for joints and forces of your
 * own; NULL where there is none. It goes when the bone is no longer limp.
 */
struct dxBody *graze_ode_engine_body(const graze_ode *ode, graze_world_id id, uint32_t bone);

/* Moves a fixed shape: it is there, and has no velocity. */
graze_status graze_ode_move_fixed(graze_ode *ode, graze_world_id id, const graze_shape *shape,
                                  graze_error *error);

/* ---- characters ----------------------------------------------------------------------------- */

/* The pose at the end of the next step: a transform for each node of the rig, a weight for each
 * morph target (NULL: 0), and where it stands (3 rows of 4, a rigid map; NULL: the identity). What
 * is limp stays as it is; what is not moves with the velocity from the pose before to this one.
 * Call it once a step; a character for which it was not called stands still.
 */
graze_status graze_ode_pose(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                            const float *morph_weights, const float *placement, graze_error *error);

/* As before, without a velocity: it was there all the time. For the first pose, and for jumps. */
graze_status graze_ode_put(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                           const float *morph_weights, const float *placement, graze_error *error);

/* The pose that it is in: transforms of all nodes, and where it stands; each may be NULL. */
graze_status graze_ode_get_pose(const graze_ode *ode, graze_world_id id, graze_rig_local *locals,
                                float placement[12], graze_error *error);

/* Hands a bone and all that hangs on it over to the engine, with the velocities it has; GRAZE_NONE:
 * all of them. The rest goes on following its clip.
 */
graze_status graze_ode_go_limp(graze_ode *ode, graze_world_id id, uint32_t bone,
                               graze_error *error);

/* Ends that: from now on it goes to what graze_ode_pose says within so many seconds of steps, 0: at
 * once. Choose a placement near where it lies: graze_ode_lying.
 */
graze_status graze_ode_recover(graze_ode *ode, graze_world_id id, double seconds,
                               graze_error *error);

typedef enum graze_ode_state {
    GRAZE_ODE_FOLLOWS = 0, /* its clips */
    GRAZE_ODE_LIMP = 1,
    GRAZE_ODE_PARTLY_LIMP = 2,
    GRAZE_ODE_RECOVERS = 3
} graze_ode_state;

/* GRAZE_ODE_FOLLOWS for an id that is not a character. */
graze_ode_state graze_ode_get_state(const graze_ode *ode, graze_world_id id);

/* How it lies: where its first bone is on the ground plane and which way it would face if it stood
 * up (degrees about +Y), whether it lies on its face, and the largest speed of its bones.
 */
typedef struct graze_ode_lie {
    double at[3];
    double turn;
    bool face_down;
    double speed;
} graze_ode_lie;

graze_status graze_ode_lying(const graze_ode *ode, graze_world_id id, graze_ode_lie *lie,
                             graze_error *error);

/* Its body, for queries: as it stands after the last call above. NULL if it is not a character. */
graze_body *graze_ode_body(const graze_ode *ode, graze_world_id id);

/* ---- steps ---------------------------------------------------------------------------------- */

/* Finds who meets whom, and goes on by one step. pool NULL: on the calling thread (the engine
 * itself always is). An error that is not of memory: something is no longer finite, and is named.
 */
graze_status graze_ode_step(graze_ode *ode, graze_pool *pool, graze_error *error);

/* Two parts that touched in the last step. */
typedef struct graze_ode_hit {
    bool begins; /* these parts did not in the step before */
    graze_world_id ids[2];
    uint32_t parts[2]; /* groups; 0 of a shape */
    const char
        *names[2]; /* of the parts, of a shape that of the member; NULL where there is none */
    float point[3];
    float normal[3]; /* the way in which the first leaves the second */
    float depth;
    float speed;   /* m/s: how fast they came together along it before the step; 0: they did not */
    float impulse; /* Ns that the engine put between them along it. Two that both follow clips: what
                      their parts' masses would have needed to stop each other */
} graze_ode_hit;

/* Sorted as events are, then those of limp characters with fixed shapes; valid until the next step.
 * NULL if there are none.
 */
const graze_ode_hit *graze_ode_hits(const graze_ode *ode, size_t *count);

/* Kinetic and potential energy of a member: a shape with a mass, or the limp bones. */
typedef struct graze_ode_energy {
    double kinetic, potential; /* J; the latter from y = 0, along gravity */
} graze_ode_energy;

graze_status graze_ode_get_energy(const graze_ode *ode, graze_world_id id, graze_ode_energy *energy,
                                  graze_error *error);

/* Where the time of all steps went, in seconds. */
typedef struct graze_ode_times {
    double world;    /* who meets whom */
    double contacts; /* points and velocities, and limp characters on fixed shapes */
    double engine;   /* dWorldQuickStep */
    double poses;    /* from bones to skins and back */
    uint64_t steps, points;
} graze_ode_times;

graze_ode_times graze_ode_get_times(const graze_ode *ode);

#ifdef __cplusplus
}
#endif

#endif
