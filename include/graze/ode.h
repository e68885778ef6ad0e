/* Contacts become motion: keeps a Graze world and a world of the Open Dynamics Engine together.
 * Graze finds where things touch, triangles of skinned characters included; the engine moves them.
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
 * A character follows its clips and pushes what it meets with the velocity of its skin. When it is
 * made limp, all of it or from one bone on, it becomes a ragdoll: the engine moves its bones, and
 * its skin follows them in all queries. graze_ode_recover takes it back to its clips.
 *
 * Guarantee: the same bits for any number of threads, and in every run on one machine. One thread
 * at a time uses it. Metres, kilograms, seconds; Y is up.
 *
 * A library of its own, graze::ode, which needs libode (double precision) and libcjson.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_ODE_H
#define GRAZE_ODE_H

#include <graze/animation.h>
#include <graze/ext/response.h>
#include <graze/ragdoll.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_ode graze_ode;

typedef struct graze_ode_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */
    double gravity[3];                /* m/s2; all 0: 9.81 down y */
    bool no_gravity;                  /* true: none, whatever gravity says */
    double step;                      /* seconds; 0: 1/240 */
    uint32_t iterations;              /* of dWorldQuickStep; 0: 40 */
    bool direct; /* true: dWorldStep, whose time grows with the third power of how many bodies are
                    connected */
    double erp;  /* share of an error that a step corrects, up to 1; 0: 0.2 */
    double cfm;  /* how soft constraints are; 0: 1e-8 */
    double fastest_correction; /* m/s: largest speed at which overlaps are corrected; 0: 1 */
    double allowed_depth;      /* metres: overlaps up to this depth are not corrected; 0: 0.001 */
    uint32_t seed;             /* of the order in which dWorldQuickStep goes through constraints;
                                  0: 1 */
    uintptr_t reserved[4];
} graze_ode_def;

/* Makes an empty world. def NULL: all zero. *ode is set on success only. GRAZE_BAD_INPUT names the
 * field that is out of range.
 */
graze_status graze_ode_create(const graze_ode_def *def, graze_ode **ode, graze_error *error);

/* Frees it with its world and all in it. NULL is fine. */
void graze_ode_destroy(graze_ode *ode);

/* Returns the Graze world, for rules and events. Add members by the functions below. Two members
 * push each other only if the rule of their categories has contacts. With a rule that has a motion,
 * a shape that met something on its path (a fast ball) is put back to where they met when the next
 * step begins. Limp characters and fixed shapes are always compared and need no rule:
 * GRAZE_LEVEL_IGNORE is the cheapest.
 */
graze_world *graze_ode_world(const graze_ode *ode);

/* Returns the engine's world, a dWorldID, for what this header does not offer. */
struct dxWorld *graze_ode_engine(const graze_ode *ode);

/* ---- members -------------------------------------------------------------------------------- */

/* When two members touch, the geometric mean of their frictions is used, and for all other fields
 * the larger value.
 */
typedef struct graze_ode_material {
    double friction;     /* Coulomb's, along the slip; 0: 0.6 */
    bool frictionless;   /* true: none, whatever friction says */
    double bounce;       /* 0 to 1: speed after an impact, as a share of that before */
    double bounce_speed; /* m/s: slower impacts do not bounce; 0: 0.1 */
    double rolling;      /* metres: torque against rolling per newton of contact force */
} graze_ode_material;

typedef struct graze_ode_member_def {
    const char *name; /* kept by the caller; may be NULL */
    uint32_t category;
    graze_ode_material material;
    double mass;                 /* kg, of a shape; 0: it is fixed */
    double velocity[3], spin[3]; /* m/s, rad/s */
    void *user_data;
    uintptr_t reserved[4];
} graze_ode_member_def;

/* Adds a sphere, capsule or box with a mass, evenly filled, or a fixed one; half-spaces are fixed.
 * *id is its id in the world, set on success only.
 */
graze_status graze_ode_add_shape(graze_ode *ode, const graze_shape *shape,
                                 const graze_ode_member_def *def, graze_world_id *id,
                                 graze_error *error);

/* What a character is made from. All but names and member are required. All must outlive the
 * character.
 */
typedef struct graze_ode_character_def {
    const graze_ragdoll *ragdoll;   /* shared by all of a kind */
    const graze_hitboxes *hitboxes; /* of its model, for GRAZE_LEVEL_HITBOXES */
    const graze_model *model;
    const graze_part_names *names;      /* for names in hits; NULL: bones' names */
    const graze_ode_member_def *member; /* NULL: all zero; mass is the ragdoll's */
} graze_ode_character_def;

/* Adds a character, in its rest pose. */
graze_status graze_ode_add_character(graze_ode *ode, const graze_ode_character_def *def,
                                     graze_world_id *id, graze_error *error);

/* Removes a member. GRAZE_BAD_INPUT for an id that is not a member. */
graze_status graze_ode_remove(graze_ode *ode, graze_world_id id, graze_error *error);

/* Returns the mass in kilograms: of a character that of its ragdoll, of a fixed member infinity. 0
 * if the id is not a member.
 */
double graze_ode_mass(const graze_ode *ode, graze_world_id id);

/* Where a shape with a mass, or a limp bone, is and how it moves. */
typedef struct graze_ode_motion {
    double position[3]; /* of its centre of mass */
    double rotation[4]; /* of a shape since it was added, of a bone from rest; quaternion x y z w */
    double velocity[3], spin[3];
} graze_ode_motion;

/* Reads or sets the motion. bone: 0 for a shape. GRAZE_BAD_INPUT if it is fixed or follows a clip.
 */
graze_status graze_ode_get_motion(const graze_ode *ode, graze_world_id id, uint32_t bone,
                                  graze_ode_motion *motion, graze_error *error);
graze_status graze_ode_set_motion(graze_ode *ode, graze_world_id id, uint32_t bone,
                                  const graze_ode_motion *motion, graze_error *error);

/* Pushes it in the next step: an impulse (Ns) at a point, in world space. Use it, for example, to
 * give a character that a hit made limp the impulse of that hit.
 */
graze_status graze_ode_push(graze_ode *ode, graze_world_id id, uint32_t bone, const double point[3],
                            const double impulse[3], graze_error *error);

/* Returns the engine's body of a shape with a mass or a limp bone, a dBodyID, for joints and forces
 * of your own; NULL if there is none. It is destroyed when the bone is no longer limp.
 */
struct dxBody *graze_ode_engine_body(const graze_ode *ode, graze_world_id id, uint32_t bone);

/* Moves a fixed shape to a new place. It gets no velocity from this. */
graze_status graze_ode_move_fixed(graze_ode *ode, graze_world_id id, const graze_shape *shape,
                                  graze_error *error);

/* ---- characters ----------------------------------------------------------------------------- */

/* The pose at the end of the next step: a transform for each node of the rig, a weight for each
 * morph target (NULL: 0), and where it stands (3 rows of 4, a rigid map; NULL: the identity). Limp
 * bones ignore it. All others move with the velocity from the last pose to this one. Call it once
 * per step; a character without a call stands still.
 */
graze_status graze_ode_pose(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                            const float *morph_weights, const float *placement, graze_error *error);

/* The same without a velocity, as if it had always been there: for the first pose, and for jumps.
 */
graze_status graze_ode_put(graze_ode *ode, graze_world_id id, const graze_rig_local *locals,
                           const float *morph_weights, const float *placement, graze_error *error);

/* Writes its current pose: transforms of all nodes, and its placement; each may be NULL. */
graze_status graze_ode_get_pose(const graze_ode *ode, graze_world_id id, graze_rig_local *locals,
                                float placement[12], graze_error *error);

/* Makes a bone and all bones attached below it limp, with their present velocities: the engine
 * moves them from now on. bone GRAZE_NONE: all bones. The others still follow the clip.
 */
graze_status graze_ode_go_limp(graze_ode *ode, graze_world_id id, uint32_t bone,
                               graze_error *error);

/* Takes a limp character back to its clips: within so many seconds of steps (0: at once) it blends
 * to the poses of graze_ode_pose. Choose a placement near where it lies: graze_ode_lying. While it
 * blends it is lifted out of fixed half-spaces: first to a depth of 6 mm, which limp characters may
 * have, in the end to 0.
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

/* How a character lies: where its first bone is on the ground plane, which direction it would face
 * if it stood up (degrees about +y), whether it lies face down, and the largest speed of its bones.
 */
typedef struct graze_ode_lie {
    double at[3];
    double turn;
    bool face_down;
    double speed;
} graze_ode_lie;

graze_status graze_ode_lying(const graze_ode *ode, graze_world_id id, graze_ode_lie *lie,
                             graze_error *error);

/* Returns its body, for queries, in the pose of the last call above. NULL if it is no character. */
graze_body *graze_ode_body(const graze_ode *ode, graze_world_id id);

/* ---- steps ---------------------------------------------------------------------------------- */

/* Finds which members meet, and simulates one step. pool NULL: on the calling thread (the engine
 * always runs there). After GRAZE_OUT_OF_MEMORY call again, and the step resumes where it failed;
 * until then do not pose or change members. After any other error some number is no longer finite;
 * the text names it.
 */
graze_status graze_ode_step(graze_ode *ode, graze_pool *pool, graze_error *error);

/* Two parts that touched in the last step. */
typedef struct graze_ode_hit {
    bool begins; /* these parts did not touch in the step before */
    graze_world_id ids[2];
    const char *names[2];  /* of the parts; of a shape, of the member. NULL where there is none */
    graze_contact contact; /* their first point; the first is a */
    float speed;           /* m/s: how fast they approached along the normal before the step; 0:
                              they did not */
    float impulse;         /* Ns, from the engine, along the normal. If both follow clips: what the
                              masses of these parts would need to stop each other */
} graze_ode_hit;

/* Returns the hits of the last step, sorted as events are, then those of limp characters with fixed
 * shapes. Valid until the next step. NULL if there are none.
 */
const graze_ode_hit *graze_ode_hits(const graze_ode *ode, size_t *count);

/* Kinetic and potential energy of a member: a shape with a mass, or the limp bones. */
typedef struct graze_ode_energy {
    double kinetic, potential; /* J; the latter from y = 0, along gravity */
} graze_ode_energy;

graze_status graze_ode_get_energy(const graze_ode *ode, graze_world_id id, graze_ode_energy *energy,
                                  graze_error *error);

/* Time that all steps took, in seconds. */
typedef struct graze_ode_times {
    double world;    /* which members meet */
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
