/* The inside of graze::ode.
 *
 *     ode.c         the two worlds             members.c   who is in them
 *     character.c   poses and bones            limp.c      bones in the engine, and back
 *     contacts.c    from events to joints      ground.c    limp characters on fixed shapes
 *     step.c        one step                   hits.c      what came of it
 */
#ifndef GRAZE_ADAPTERS_ODE_INTERNAL_H
#define GRAZE_ADAPTERS_ODE_INTERNAL_H

#include "ragdoll.h"

#include <graze/ode.h>

#include <ode/ode.h>

/* A list that only grows. */
typedef struct list {
    void *items;
    size_t count, capacity;
} list;

bool grazei_ode_reserve(const graze_allocator *allocator, list *l, size_t need, size_t size);

/* A bone of one character. */
typedef struct limb {
    map now, before; /* from rest to the world, rigid; at the end of this step and the one before */
    dBodyID body;    /* while it is limp, or something that hangs on it is */
    dJointID joint;  /* with its parent */
    dJointID motor;  /* that limits a ball joint */
    map frozen;      /* where it lay when it began to recover */
    double velocity[3], spin[3]; /* of its centre of mass, from two poses */
    bool limp;
} limb;

typedef struct character {
    const graze_ragdoll *ragdoll;
    const graze_model *model;
    const graze_part_names *parts;
    graze_body *body;
    uint32_t node_count, joint_count, morph_count;
    limb *limbs;
    graze_rig_local *locals; /* that it is in */
    graze_rig_local *clip;   /* that it was last given */
    graze_rig_local *frozen; /* that it recovers from */
    map *globals;            /* of nodes, in model space: for work */
    float *joints, *joints_before, *weights, *weights_before;
    map placement, placement_before;
    double recover_seconds, recovered;
    uint32_t limp_count; /* bones */
    bool recovers;
    bool posed;   /* since the last step */
    bool pressed; /* onto something fixed, in this step: it may have gone in too far */
} character;

typedef enum member_kind { MEMBER_FREE, MEMBER_FIXED, MEMBER_MOVING, MEMBER_CHARACTER } member_kind;

typedef struct member {
    member_kind kind;
    graze_world_id id;
    const char *name;
    void *user_data;
    graze_ode_material material;
    graze_shape shape;   /* as it was added: of a moving one about its centre, not turned */
    double at_update[3]; /* of a moving one: where it was at the last update of the world */
    bool put_back;       /* in this step, to where it first met something */
    bool met_skin;       /* that was a character: where, how, and with which */
    uint32_t met;
    graze_impact impact; /* of the character with this */
    dBodyID body;        /* of a moving one */
    double mass;
    double energy;  /* before this step, J */
    bool is_pushed; /* in this step, by something that is not fixed */
    character *character;
} member;

/* A model's body to pose as characters were: how fast does the skin move? */
typedef struct shadow {
    const graze_model *model;
    graze_body *body;
    uint32_t posed_for; /* index of the member, in this step */
    uint64_t step;
    uint32_t users;
} shadow;

/* A contact joint of this step. */
typedef struct touching {
    dJointID joint;
    dJointFeedback feedback; /* the engine writes here: set when the list has its last size */
    double normal[3];        /* into the first body */
    size_t hit;
} touching;

struct graze_ode {
    graze_allocator allocator;
    graze_ode_def def;
    graze_world *world;
    graze_point_finder *points;
    dWorldID engine;
    dJointGroupID contacts;
    list members;     /* member, by index in the world */
    list shadows;     /* shadow */
    list touching;    /* touching */
    list found;       /* graze_contact, points of the last question */
    list hits;        /* graze_ode_hit */
    list hits_before; /* of the step before: who touched */
    uint64_t step_count;
    graze_ode_times times;

    /* Of a step that failed for want of memory, and goes on where it failed when it is called
     * again.
     */
    bool updated;  /* the world is */
    bool has_run;  /* the engine has */
    size_t moved;  /* so many members have, after it */
    bool is_taken; /* the limbs of the next one are taken back */
};

/* ---- members.c ---- */

/* The member with an id, or NULL after an error. */
member *grazei_ode_find_member(const graze_ode *ode, graze_world_id id, graze_error *error);
member *grazei_ode_find_character(const graze_ode *ode, graze_world_id id, graze_error *error);
member *grazei_ode_member_at(const graze_ode *ode, uint32_t index);

/* Its shape where the engine has it now. */
graze_shape grazei_ode_moved_shape(const member *m);

/* The engine's rotation of a body as a map from rest: `centre` is where its centre of mass was. */
map grazei_ode_body_map(dBodyID body, const double centre[3]);
void grazei_ode_place_body(dBodyID body, const map *from_rest, const double centre[3]);

/* ---- character.c ---- */

graze_status grazei_ode_character_create(graze_ode *ode, const graze_ode_character_def *def,
                                         character **made, graze_error *error);
void grazei_ode_character_destroy(graze_ode *ode, character *c);

/* Finds joint matrices from the locals, and poses the body. */
graze_status grazei_ode_character_apply(character *c, graze_error *error);

/* Moves a character that follows its locals; the body is posed by what is called next. */
void grazei_ode_raise(character *c, const double by[3]);

/* Keeps what is now as what was before. */
void grazei_ode_character_remember(character *c);

/* The body of its model, posed as the character was at the end of the step before. */
graze_status grazei_ode_pose_shadow(graze_ode *ode, const member *m, graze_body **before,
                                    graze_error *error);

/* The velocity of its skin at a point: of a triangle, or where there is none of the bone. */
graze_status grazei_ode_skin_velocity(graze_ode *ode, const member *m, uint32_t part,
                                      uint32_t triangle, const float point[3], double velocity[3],
                                      graze_error *error);

/* ---- limp.c ---- */

/* From bodies of the engine to locals. */
void grazei_ode_take_limbs_back(character *c);

/* Bones that follow a clip and have limp ones on them go where it leads, in one step. */
void grazei_ode_lead_limbs(character *c, double seconds);

void grazei_ode_drop_limbs(character *c);

/* ---- contacts.c ---- */

/* One side of a contact: a body of the engine, or NULL and how fast its surface moves. */
typedef struct side {
    member *of;
    dBodyID body;
    double velocity[3]; /* at the point */
    double mass;        /* of the bone or shape; infinite if fixed */
    uint32_t part;
    uint32_t bone;
} side;

/* A list that fills ode->found; and whether there was memory for all of it. */
graze_contact_list grazei_ode_start_points(graze_ode *ode);
graze_status grazei_ode_check_points(const graze_ode *ode, const graze_contact_list *points,
                                     graze_error *error);

/* Puts a contact into the engine, if one of the sides can be moved; and into a hit, by its number.
 * The normal is the way in which the first leaves the second.
 */
graze_status grazei_ode_put_contact(graze_ode *ode, const side sides[2], const graze_contact *point,
                                    size_t hit, graze_error *error);

/* A hit for a contact, with no impulse yet; *number becomes its number. */
graze_status grazei_ode_put_hit(graze_ode *ode, const side sides[2], const graze_contact *point,
                                size_t *number, graze_error *error);

/* All events of the world's last update. */
graze_status grazei_ode_take_events(graze_ode *ode, graze_error *error);

/* ---- ground.c ---- */

graze_status grazei_ode_touch_fixed(graze_ode *ode, graze_error *error);

/* Takes a limp character that was pressed into something fixed out again, as far as it is too deep.
 */
graze_status grazei_ode_lift(graze_ode *ode, member *m, graze_error *error);

/* Raises a character that recovers out of fixed half-spaces, but for this share of the depth that a
 * limp one is left in.
 */
graze_status grazei_ode_keep_above(graze_ode *ode, character *c, double share, graze_error *error);

double grazei_ode_seconds_now(void);

#endif
