/* Thousands of bodies that fall, crash and vibrate: rigid motion plus modes of vibration, with
 * contacts where the flexed surfaces meet (the simulations of James & Pai 2004, section 4).
 *
 *     graze_sim_create(NULL, &sim, &error);
 *     graze_sim_add_kind(sim, &chair, &kind, &error);       model, mass, modes, contact material
 *     graze_sim_add_plane(sim, &ground, &plane, &error);
 *     for each: graze_sim_add_body(sim, &def, &body, &error);
 *     every step:
 *         graze_sim_set_animated(sim, bridge, &placed, weights, 10, &error);
 *         graze_sim_step(sim, pool, 1, &error);
 *         graze_sim_get_body(sim, body, &state, &error);
 *
 * A library of its own (graze::sim, experimental) on the core's public headers. docs/motion.md
 * has the method and what it leaves out. Units are SI: metres, kilograms, seconds, newtons.
 *
 * Guarantee: contacts are found by the core's queries on the poses at the start of a step: exact
 * ones are those of graze_contacts, proxies those of graze_bound_pairs. Motion is approximate. The
 * same calls give the same bits, for any number of threads.
 *
 * One thread at a time uses a simulation.
 *
 * Standing: experimental; all of it may change in any version.
 */
#ifndef GRAZE_SIM_H
#define GRAZE_SIM_H

#include <graze/model.h>
#include <graze/pool.h>
#include <graze/query.h>
#include <graze/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graze_sim graze_sim;

#define GRAZE_SIM_MAX_MODES 64

/* ---- the simulation ------------------------------------------------------------------------- */

/* How two bodies, or a body and a plane, are compared. */
typedef enum graze_sim_contacts {
    GRAZE_SIM_EXACT = 0,  /* by the triangles that meet: graze_contacts */
    GRAZE_SIM_PROXIES = 1 /* spheres of the tree's contact level that overlap (graze_tree_def):
                             kinds whose models have trees of spheres. Others stay exact */
} graze_sim_contacts;

typedef struct graze_sim_def {
    const graze_allocator *allocator; /* NULL: graze_default_allocator() */
    double step;                      /* seconds; 0: 1/150 */
    double gravity[3];                /* m/s2; all 0: 9.81 down y */
    bool no_gravity;                  /* true: none, whatever gravity says */
    graze_sim_contacts contacts;
    uint32_t iterations; /* of the contact solver; 0: 12 */
    uint32_t max_caches; /* most sets of caches (graze_cache_pool) for the bodies of a kind, about;
                            more only while a single batch of pairs needs them. 0: 1,024 */
    double max_depth;    /* m: deeper contacts push as if they had this depth, because the depth of
                            a body that passes through a thin part means little. 0: 1 cm */
    double max_push_speed; /* m/s: the largest speed at which contacts push bodies apart; 0: 0.2 */
    bool no_sleeping;      /* true: bodies that rest are computed too */
    double sleep_speed; /* m/s: a body rests if over sleep_seconds no point of it has a higher mean
                           speed, and if the root of twice its kinetic energy per kilogram, modes
                           included, stays below four times this. 0: 0.05 */
    double sleep_seconds; /* how long it rests before it sleeps; 0: 0.5 */
    double wake_speed;    /* m/s: a sleeping body wakes if something hits it faster. It also wakes
                             if an animated body in contact with it moves, if the load on it grows
                             by three times its weight, and if its support moves away by 3 mm. 0:
                             0.25 */
    uintptr_t reserved[4];
} graze_sim_def;

/* Makes an empty simulation. def NULL: all zero. *sim is set on success only.
 *   - Numbers are finite and not negative (gravity may have any sign); else GRAZE_BAD_INPUT names
 *     the field.
 */
graze_status graze_sim_create(const graze_sim_def *def, graze_sim **sim, graze_error *error);

/* Frees the simulation with its bodies, and releases the models of its kinds. NULL is fine. */
void graze_sim_destroy(graze_sim *sim);

/* Returns the def it was made with, zeros replaced by the defaults; all zero for NULL. */
graze_sim_def graze_sim_get_def(const graze_sim *sim);

/* ---- kinds ---------------------------------------------------------------------------------- */

/* What bodies of a kind do. */
typedef enum graze_sim_motion {
    GRAZE_SIM_FREE = 0,    /* move by gravity and contacts */
    GRAZE_SIM_FIXED = 1,   /* never move */
    GRAZE_SIM_ANIMATED = 2 /* move as graze_sim_set_animated says, and push what they meet with the
                              velocity of their surface; infinitely heavy */
} graze_sim_motion;

/* One mode of vibration: u'' + 2 damping w u' + w2 u = (sum of force . delta) / scale2, as
 * docs/motion.md has it.
 */
typedef struct graze_sim_mode {
    double frequency; /* Hz, without damping, above 0. Of a free kind: one at or above half the step
                         rate would alias, and is left out: its weight stays 0 */
    double damping;   /* share of critical damping, from 0 to below 1 */
    double scale;     /* kinetic energy is half of scale2 u'2; above 0 */
    double strain;    /* of the surface at weight 1, not negative; 0: does not count */
} graze_sim_mode;

/* A kind of thing. All arrays are copied. */
typedef struct graze_sim_kind_def {
    const graze_model *model; /* of one joint; held. Its morph targets are the modes */
    const float *positions;   /* 3 floats per vertex: the model's rest positions */
    uint32_t vertex_count;    /* the model's */
    graze_sim_motion motion;

    /* Of a free kind. */
    double mass;          /* kg, above 0 */
    double centre[3];     /* of mass, in the model's space */
    double inertia[3][3]; /* kg m2, about the centre: symmetric, positive */

    /* Modes, or of an animated kind the fields of its animation; as many as the model has morph
     * targets. deltas: mode_count x vertex_count x 3, of the morph targets. modes may be NULL
     * unless the kind is free.
     */
    uint32_t mode_count; /* at most GRAZE_SIM_MAX_MODES */
    const graze_sim_mode *modes;
    const float *deltas;
    double max_strain; /* weights are scaled so that the sum of |weight| x strain stays below; 0: no
                          limit */

    /* Contact: Kelvin and Voigt's spring and damper at each contact, in series with the other's,
     * and Coulomb's friction, by the geometric mean of both.
     */
    double stiffness;  /* N/m; 0: 200,000 */
    double damping;    /* N s/m; 0: 4,000 */
    double friction;   /* 0: 0.4 */
    bool undamped;     /* true: contacts have no damper, whatever damping says */
    bool frictionless; /* true: contacts have no friction, whatever friction says */
    uintptr_t reserved[4];
} graze_sim_kind_def;

/* Adds a kind. *kind is its number, from 0 on.
 *   - The model has one joint, the def's number of vertices and mode_count morph targets, else
 *     GRAZE_BAD_INPUT; likewise what the fields' comments ask. The text names the field.
 */
graze_status graze_sim_add_kind(graze_sim *sim, const graze_sim_kind_def *def, uint32_t *kind,
                                graze_error *error);

typedef struct graze_sim_kind_info {
    const graze_model *model;
    graze_sim_motion motion;
    uint32_t body_count;
    uint32_t mode_count;
    uint32_t active_modes; /* without those that would alias */
    double mass;
    bool proxies; /* its bodies meet others of such kinds by proxies */
    double
        proxy_radius; /* of the largest proxy at rest; 0 without: what proxies add to a surface */
    uint32_t proxy_count;
    uint32_t caches;    /* that there are */
    size_t cache_bytes; /* of one */
    size_t body_bytes;  /* of a body besides */
} graze_sim_kind_info;

/* *info of a kind.
 *   - The number is that of a kind, else GRAZE_BAD_INPUT.
 */
graze_status graze_sim_get_kind(const graze_sim *sim, uint32_t kind, graze_sim_kind_info *info,
                                graze_error *error);

/* ---- bodies and planes ---------------------------------------------------------------------- */

/* Where a body is and how it moves. */
typedef struct graze_sim_body {
    uint32_t kind;
    double position[3]; /* of the centre of mass (of a kind that is not free: of `centre`), world */
    double rotation[4]; /* unit quaternion x y z w, model to world; all 0: not turned */
    double velocity[3];
    double angular_velocity[3]; /* rad/s, world */
    const double *weights;      /* of the modes, mode_count; NULL: 0. Valid until the next change */
    const double *weight_velocities;
    bool asleep;
} graze_sim_body;

/* Adds a body. *body is its number, from 0 on. A body that is added asleep stays asleep until
 * something wakes it.
 *   - The kind is there; numbers are finite, coordinates and speeds below 1e9; the rotation is not
 *     zero, and is normalised. Velocities of a fixed or animated body are 0. Else GRAZE_BAD_INPUT.
 */
graze_status graze_sim_add_body(graze_sim *sim, const graze_sim_body *def, uint32_t *body,
                                graze_error *error);

/* A half-space that nothing should enter. */
typedef struct graze_sim_plane {
    graze_half_space half_space; /* solid; its normal points out of it */
    double friction;             /* not negative */
} graze_sim_plane;

/* Adds a plane: the ground, a wall. *plane is its number, from 0 on. */
graze_status graze_sim_add_plane(graze_sim *sim, const graze_sim_plane *def, uint32_t *plane,
                                 graze_error *error);

uint32_t graze_sim_kind_count(const graze_sim *sim);
uint32_t graze_sim_body_count(const graze_sim *sim);
uint32_t graze_sim_plane_count(const graze_sim *sim);

/* *state of a body now; its arrays are the simulation's. The number is in range, else
 * GRAZE_BAD_INPUT.
 */
graze_status graze_sim_get_body(const graze_sim *sim, uint32_t body, graze_sim_body *state,
                                graze_error *error);

/* Moves a free body to another place, with other velocities and weights. NULL weights are 0.
 *   - As graze_sim_add_body; def's kind is the body's, which is free.
 */
graze_status graze_sim_set_body(graze_sim *sim, uint32_t body, const graze_sim_body *def,
                                graze_error *error);

/* The map from model to world of a body, 3 rows of 4 floats as in graze_pose, and its morph
 * weights: the very floats that contacts are found with.
 *   - weights has room for the kind's mode_count; it may be NULL.
 */
graze_status graze_sim_get_placement(const graze_sim *sim, uint32_t body, float placement[12],
                                     float *weights, graze_error *error);

/* Where an animated body is at the end of the next step: at rest it stays where it was put. The
 * velocity of its surface over the step follows from where it was.
 *   - The body's kind is animated; numbers as in graze_sim_add_body.
 *   - weights has weight_count numbers, the kind's mode_count; NULL with 0: they stay.
 */
graze_status graze_sim_set_animated(graze_sim *sim, uint32_t body, const double position[3],
                                    const double rotation[4], const double *weights,
                                    uint32_t weight_count, graze_error *error);

/* ---- time ----------------------------------------------------------------------------------- */

/* Simulates count steps. pool NULL: on the calling thread. Allocates only if a buffer exceeds its
 * previous maximum. After an error the steps before the one that failed are done; that one is not.
 */
graze_status graze_sim_step(graze_sim *sim, graze_pool *pool, uint32_t count, graze_error *error);

/* Steps taken so far, those before a state was loaded included. */
uint64_t graze_sim_step_count(const graze_sim *sim);

/* ---- what happened -------------------------------------------------------------------------- */

/* A contact of the last step, found on the poses at its start. Exact between bodies: a piece of
 * graze_contacts(a, b). Exact with a plane: a point of graze_touch_points. Proxies:
 * two spheres, or a sphere and a plane.
 */
typedef struct graze_sim_contact {
    uint32_t a;     /* body */
    uint32_t b;     /* body, or GRAZE_NONE */
    uint32_t plane; /* or GRAZE_NONE */
    float point[3];
    float normal[3]; /* unit: the direction in which a leaves b */
    float depth;     /* as found, not limited */
    bool proxies;
    double impulse[3]; /* N s, that a received in the step; b received the opposite */
} graze_sim_contact;

/* All contacts of the last step between bodies of which one is awake, sorted by a, then b with
 * planes last; NULL if there are none. Valid until the next step. a is below b.
 */
const graze_sim_contact *graze_sim_contact_list(const graze_sim *sim, size_t *count);

/* What the last step did. */
typedef struct graze_sim_stats {
    graze_stats queries;
    uint32_t awake;      /* free bodies that moved */
    uint32_t asleep;     /* free bodies that did not */
    uint64_t candidates; /* pairs that were compared, planes included */
    uint64_t meeting;    /* of those, that have contacts */
    uint64_t contacts;   /* in graze_sim_contact_list */
    uint64_t found;      /* pairs of triangles that meet, points of planes, and pairs of spheres */
    uint64_t points;     /* that the solver worked on */
    double pose_seconds; /* by the clock: poses */
    double find_seconds; /* broad phase and queries */
    double solve_seconds;
    double move_seconds; /* integration, strain limits, sleeping */
} graze_sim_stats;

/* All zero for NULL and before the first step. */
graze_sim_stats graze_sim_get_stats(const graze_sim *sim);

/* Sums over free bodies, now. */
typedef struct graze_sim_totals {
    double kinetic;     /* J: linear and angular */
    double vibration;   /* J: of modes, kinetic and elastic */
    double gravity;     /* J, against the origin */
    double momentum[3]; /* kg m/s */
    double angular[3];  /* kg m2/s, about the origin */
    double mass;        /* kg */
} graze_sim_totals;

/* All zero for NULL. */
graze_sim_totals graze_sim_get_totals(const graze_sim *sim);

/* ---- stopping and going on ------------------------------------------------------------------ */

/* How many bytes graze_sim_save writes now; 0 for NULL. */
size_t graze_sim_state_bytes(const graze_sim *sim);

/* Writes all that later steps depend on: a version, a fingerprint of def, kinds (models included),
 * planes and number of bodies, the state, a checksum. *written becomes their number.
 *   - capacity is at least graze_sim_state_bytes(), else GRAZE_BAD_INPUT.
 */
graze_status graze_sim_save(const graze_sim *sim, void *bytes, size_t capacity, size_t *written,
                            graze_error *error);

/* Loads a state that was saved from a simulation with the same def, kinds, planes and bodies. From
 * then on every step gives the same bits as if it had not been stopped.
 *   - Else, or where bytes are missing or changed, GRAZE_BAD_INPUT says which, and the simulation
 *     is as it was.
 */
graze_status graze_sim_load(graze_sim *sim, const void *bytes, size_t count, graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
